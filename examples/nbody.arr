# Gravity between bodies: an array of structs, all pairs, explicit time steps
struct Body { pos: f32[3], vel: f32[3], mass: f32 }

def accel(bs: Body[n], eps: f32) -> f32[n, 3] =
  for i in n {
    sum for j in n {
      let d  = bs[j].pos - bs[i].pos
      let r2 = sum(d * d) + eps
      d * (bs[j].mass / (r2 * sqrt(r2)))
    }
  }

export def nbody(bs0: Body[n], dt: f32, eps: f32, steps: int) -> Body[n] {
  var bs = bs0
  loop _ in steps {
    let a = accel(bs, eps)
    bs = for i {
      let v = bs[i].vel + dt * a[i]
      Body(pos = bs[i].pos + dt * v, vel = v, mass = bs[i].mass)
    }
  }
  bs
}
