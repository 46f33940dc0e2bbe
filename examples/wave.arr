# Waves on a membrane that is held at its edge: two times are kept, and the energy of each step
export def wave(start: f32[n, m], c: f32, steps: int) -> (u: f32[n, m], energy: f32[steps]) where 0.0 <= c, c <= 0.7 {
  var (old, u) = (start, start)
  var energy: f32[steps] = zeros(steps)
  loop t in steps {
    let e = extend(u, 0.0)
    let next = stencil i in n, j in m {
      2.0 * u[i, j] - old[i, j] + c * c * (e[i-1, j] + e[i+1, j] + e[i, j-1] + e[i, j+1] - 4.0 * u[i, j])
    }
    energy[t] = 0.5 * sum((next - u) ** 2)
    (old, u) = (u, next)
  }
  (u, energy)
}
