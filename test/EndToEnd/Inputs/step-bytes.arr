# Time loops over states that slices assign. Comments up to the first heading are
# not read.
#--- interior: 1 kernel, 16 bytes
export def heat(g0: f64[n, m], steps: int) -> f64[n, m] where n >= 3, m >= 3 {
  var g = g0
  loop _ in steps {
    g[1:end-1, 1:end-1] = 0.2 * (g[1:end-1, 1:end-1] + g[:end-2, 1:end-1] + g[2:, 1:end-1]
                                 + g[1:end-1, :end-2] + g[1:end-1, 2:])
  }
  g
}
#--- interior-and-fold: 1 kernel, 16 bytes, eps=0
export def heat(g0: f64[n, m], steps: int, eps: f64) -> (g: f64[n, m], it: int) where n >= 3, m >= 3 {
  var g = g0
  var delta: f64 = inf
  var it = 0
  while it < steps and delta >= eps {
    let work = 0.2 * (g[1:end-1, 1:end-1] + g[:end-2, 1:end-1] + g[2:, 1:end-1] + g[1:end-1, :end-2]
                      + g[1:end-1, 2:])
    delta = sum(abs(work - g[1:end-1, 1:end-1]))
    g[1:end-1, 1:end-1] = work
    it += 1
  }
  (g, it)
}
#--- life: 1 kernel, 2 bytes
export def life(s0: u8[n, m], steps: int) -> u8[n, m] where n >= 3, m >= 3 {
  var s = s0
  loop _ in steps {
    let around = s[:end-2, :end-2] + s[:end-2, 1:end-1] + s[:end-2, 2:] + s[1:end-1, :end-2]
               + s[1:end-1, 2:] + s[2:, :end-2] + s[2:, 1:end-1] + s[2:, 2:]
    let cells = s[1:end-1, 1:end-1]
    s[1:end-1, 1:end-1] = for i, j {
      if around[i, j] == 3 or (cells[i, j] == 1 and around[i, j] == 2) { 1 } else { 0 }
    }
  }
  s
}
#--- two-stages: 1 kernel, 8 bytes
export def smooth(a0: f32[n, m], steps: int) -> f32[n, m] {
  var a = a0
  loop _ in steps {
    let u = extend(a, clamp)
    let rows = stencil i in n, j in m { 0.25 * u[i-1, j] + 0.5 * u[i, j] + 0.25 * u[i+1, j] }
    let v = extend(rows, clamp)
    a = stencil i in n, j in m { 0.25 * v[i, j-1] + 0.5 * v[i, j] + 0.25 * v[i, j+1] }
  }
  a
}
#--- shallow-water: 1 kernel, 48 bytes, r=0.001 h0=fill(1.0)
const G = 9.80665
export def water(h0: f64[n, m], steps: int, r: f64) -> f64[n, m] where n >= 3, m >= 3 {
  var h = h0
  var u = for i in n, j in m { f64(0.0) }
  var v = for i in n, j in m { f64(0.0) }
  loop _ in steps {
    h[:, 0] = h[:, 1]
    u[:, 0] = u[:, 1]
    v[:, 0] = -v[:, 1]
    h[:, end-1] = h[:, end-2]
    u[:, end-1] = u[:, end-2]
    v[:, end-1] = -v[:, end-2]
    h[0] = h[1]
    u[0] = -u[1]
    v[0] = v[1]
    h[end-1] = h[end-2]
    u[end-1] = -u[end-2]
    v[end-1] = v[end-2]
    let (ha, hb) = (h[1:, 1:end-1], h[:end-1, 1:end-1])
    let (ua, ub) = (u[1:, 1:end-1], u[:end-1, 1:end-1])
    let (va, vb) = (v[1:, 1:end-1], v[:end-1, 1:end-1])
    let hx = (ha + hb) / 2 - r / 2 * (ua - ub)
    let ux = (ua + ub) / 2 - r / 2 * ((ua ** 2 / ha + G / 2 * ha ** 2) - (ub ** 2 / hb + G / 2 * hb ** 2))
    let vx = (va + vb) / 2 - r / 2 * (ua * va / ha - ub * vb / hb)
    let (hc, hd) = (h[1:end-1, 1:], h[1:end-1, :end-1])
    let (uc, ud) = (u[1:end-1, 1:], u[1:end-1, :end-1])
    let (vc, vd) = (v[1:end-1, 1:], v[1:end-1, :end-1])
    let hy = (hc + hd) / 2 - r / 2 * (vc - vd)
    let vy = (vc + vd) / 2 - r / 2 * ((vc ** 2 / hc + G / 2 * hc ** 2) - (vd ** 2 / hd + G / 2 * hd ** 2))
    let uy = (uc + ud) / 2 - r / 2 * (uc * vc / hc - ud * vd / hd)
    h[1:end-1, 1:end-1] = h[1:end-1, 1:end-1] - (r * (ux[1:, :] - ux[:end-1, :]) + r * (vy[:, 1:] - vy[:, :end-1]))
    let (fx, fy) = (ux * vx / hx, uy * vy / hy)
    let gx = ux ** 2 / hx + G / 2 * hx ** 2
    let gy = vy ** 2 / hy + G / 2 * hy ** 2
    u[1:end-1, 1:end-1] = u[1:end-1, 1:end-1] - (r * (gx[1:, :] - gx[:end-1, :]) + r * (fy[:, 1:] - fy[:, :end-1]))
    v[1:end-1, 1:end-1] = v[1:end-1, 1:end-1] - (r * (fx[1:, :] - fx[:end-1, :]) + r * (gy[:, 1:] - gy[:, :end-1]))
  }
  h
}
#--- accelerated-row: 1 kernel, 32 bytes in sectors
export def lattice(f0: f32[n, m, 4], steps: int) -> (f: f32[n, m, 4], average: f32[steps]) where n >= 2 {
  var f = f0
  var average: f32[steps] = zeros(steps)
  loop t in steps {
    f[n-2] = for j in m { [f[n-2, j, 0] + 0.01, f[n-2, j, 1], f[n-2, j, 2] - 0.01, f[n-2, j, 3]] }
    let e = extend(f, wrap, wrap, none)
    f = stencil i in n, j in m {
      let p = [e[i, j-1, 0], e[i-1, j, 1], e[i, j+1, 2], e[i+1, j, 3]]
      let mean = 0.25 * sum(p)
      for q in 4 { 0.5 * (p[q] + mean) }
    }
    average[t] = sum for i in n, j in m { f[i, j, 0] - f[i, j, 2] }
  }
  (f, average)
}
#--- heat-walls: 1 kernel, 16 bytes
export def heat(g0: f64[n, m], steps: int) -> f64[n, m] where n >= 3, m >= 3 {
  var g = g0
  loop _ in steps {
    g[1:end-1, 1:end-1] = 0.2 * (g[1:end-1, 1:end-1] + g[:end-2, 1:end-1] + g[2:, 1:end-1]
                                 + g[1:end-1, :end-2] + g[1:end-1, 2:])
    g[0, :] = 1.0
    g[end-1, :] = g[end-2, :]
    g[:, 0] = g[:, 1]
    g[:, end-1] = 0.0
  }
  g
}
#--- wave-absorbing: 1 kernel, 24 bytes, c=0.25
export def wave(u0: f64[n, m], steps: int, c: f64) -> f64[n, m] where n >= 3, m >= 3 {
  var u = u0
  var old = u0
  loop _ in steps {
    let e = extend(u, clamp)
    var next = stencil i in n, j in m { 2 * u[i, j] - old[i, j] + c * (e[i-1, j] + e[i+1, j] + e[i, j-1] + e[i, j+1] - 4 * e[i, j]) }
    next[0, :] = u[1, :] + c * (next[1, :] - u[0, :])
    next[end-1, :] = u[end-2, :] + c * (next[end-2, :] - u[end-1, :])
    next[:, 0] = u[:, 1] + c * (next[:, 1] - u[:, 0])
    next[:, end-1] = u[:, end-2] + c * (next[:, end-2] - u[:, end-1])
    old = u
    u = next
  }
  u
}
#--- advection-upwind: 1 kernel, 16 bytes, c=0.25
export def advect(q0: f64[n, m], steps: int, c: f64) -> f64[n, m] where n >= 3, m >= 3 {
  var q = q0
  loop _ in steps {
    q[1:, 1:] = q[1:, 1:] - c * (q[1:, 1:] - q[:end-1, 1:]) - c * (q[1:, 1:] - q[1:, :end-1])
    q[0, :] = 1.0
    q[:, 0] = q[:, end-1]
  }
  q
}
#--- gray-scott: 1 kernel, 32 bytes, f=0.04
export def gray(h0: f64[n, m], steps: int, f: f64) -> (u: f64[n, m], v: f64[n, m]) where n >= 3, m >= 3 {
  var u = h0
  var v = h0
  loop _ in steps {
    let (uc, vc) = (u[1:end-1, 1:end-1], v[1:end-1, 1:end-1])
    let lu = u[:end-2, 1:end-1] + u[2:, 1:end-1] + u[1:end-1, :end-2] + u[1:end-1, 2:] - 4 * uc
    let lv = v[:end-2, 1:end-1] + v[2:, 1:end-1] + v[1:end-1, :end-2] + v[1:end-1, 2:] - 4 * vc
    let uvv = uc * vc * vc
    u[1:end-1, 1:end-1] = uc + 0.16 * lu - uvv + f * (1 - uc)
    v[1:end-1, 1:end-1] = vc + 0.08 * lv + uvv - (f + 0.06) * vc
    u[0, :] = u[end-2, :]
    u[end-1, :] = u[1, :]
    u[:, 0] = u[:, end-2]
    u[:, end-1] = u[:, 1]
    v[0, :] = v[end-2, :]
    v[end-1, :] = v[1, :]
    v[:, 0] = v[:, end-2]
    v[:, end-1] = v[:, 1]
  }
  (u, v)
}
#--- life-torus: 1 kernel, 2 bytes
export def life(s0: u8[n, m], steps: int) -> u8[n, m] where n >= 3, m >= 3 {
  var s = s0
  loop _ in steps {
    s[0] = s[end-2]
    s[end-1] = s[1]
    s[:, 0] = s[:, end-2]
    s[:, end-1] = s[:, 1]
    let around = s[:end-2, :end-2] + s[:end-2, 1:end-1] + s[:end-2, 2:] + s[1:end-1, :end-2]
               + s[1:end-1, 2:] + s[2:, :end-2] + s[2:, 1:end-1] + s[2:, 2:]
    let cells = s[1:end-1, 1:end-1]
    s[1:end-1, 1:end-1] = for i, j {
      if around[i, j] == 3 or (cells[i, j] == 1 and around[i, j] == 2) { 1 } else { 0 }
    }
  }
  s
}
#--- jacobi-while: 1 kernel, 16 bytes, eps=0
export def heat(g0: f64[n, m], steps: int, eps: f64) -> (g: f64[n, m], it: int) where n >= 3, m >= 3 {
  var g = g0
  var delta: f64 = inf
  var it = 0
  while it < steps and delta > eps {
    let old = g
    g[1:end-1, 1:end-1] = 0.25 * (g[:end-2, 1:end-1] + g[2:, 1:end-1] + g[1:end-1, :end-2] + g[1:end-1, 2:])
    g[:, 0] = g[:, 1]
    g[:, end-1] = g[:, end-2]
    delta = max for i, j { abs(g[i, j] - old[i, j]) }
    it += 1
  }
  (g, it)
}
#--- burgers: 1 kernel, 16 bytes, dt=0.01
export def burgers(h0: f32[n, m], steps: int, dt: f32) -> (u: f32[n, m], v: f32[n, m]) where n >= 3, m >= 3 {
  var u = h0
  var v = h0
  loop _ in steps {
    let un = u
    let vn = v
    u[1:end-1, 1:end-1] = un[1:end-1, 1:end-1] - dt * un[1:end-1, 1:end-1] * (un[1:end-1, 1:end-1] - un[:end-2, 1:end-1]) - dt * vn[1:end-1, 1:end-1] * (un[1:end-1, 1:end-1] - un[1:end-1, :end-2])
    v[1:end-1, 1:end-1] = vn[1:end-1, 1:end-1] - dt * un[1:end-1, 1:end-1] * (vn[1:end-1, 1:end-1] - vn[:end-2, 1:end-1]) - dt * vn[1:end-1, 1:end-1] * (vn[1:end-1, 1:end-1] - vn[1:end-1, :end-2])
    u[0, :] = 1.0
    u[end-1, :] = 1.0
    u[:, 0] = 1.0
    u[:, end-1] = 1.0
    v[0, :] = 1.0
    v[end-1, :] = 1.0
    v[:, 0] = 1.0
    v[:, end-1] = 1.0
  }
  (u, v)
}
#--- heat-3d: 1 kernel, 64 bytes
export def heat(g0: f32[n, m], steps: int) -> f32[n, m, 8] where n >= 3, m >= 3 {
  var g = for i in n, j in m, k in 8 { g0[i, j] + f32(k) }
  loop _ in steps {
    g[1:end-1, 1:end-1, 1:end-1] = 0.1 * (g[:end-2, 1:end-1, 1:end-1] + g[2:, 1:end-1, 1:end-1] + g[1:end-1, :end-2, 1:end-1] + g[1:end-1, 2:, 1:end-1]
         + g[1:end-1, 1:end-1, :end-2] + g[1:end-1, 1:end-1, 2:])
    g[0] = g[1]
    g[end-1] = g[end-2]
    g[:, 0] = g[:, 1]
    g[:, end-1] = 2.0
    g[:, :, 0] = g[:, :, 1]
    g[:, :, end-1] = g[:, :, end-2]
  }
  g
}
