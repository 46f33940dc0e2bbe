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
#--- fdtd: 1 kernel, 48 bytes
export def fdtd(h0: f64[n, m], fict: f64[steps]) -> (ex: f64[n, m], ey: f64[n, m], hz: f64[n, m]) where n >= 3, m >= 3 {
  var (ex, ey, hz) = (h0, h0, h0)
  loop t in steps {
    ey[0, :] = fict[t]
    ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:end-1, :])
    ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :end-1])
    hz[:end-1, :end-1] -= 0.7 * (ex[:end-1, 1:] - ex[:end-1, :end-1] + ey[1:, :end-1] - ey[:end-1, :end-1])
  }
  (ex, ey, hz)
}
#--- epidemic: 1 kernel, 24 bytes, beta=0.3
export def sir(h0: f32[n, m], steps: int, beta: f32) -> (s: f32[n, m], i: f32[n, m], r: f32[n, m]) where n >= 3, m >= 3 {
  var (s, i, r) = (h0, h0, h0)
  loop _ in steps {
    let lap = i[:end-2, 1:end-1] + i[2:, 1:end-1] + i[1:end-1, :end-2] + i[1:end-1, 2:] - 4 * i[1:end-1, 1:end-1]
    let sick = beta * s[1:end-1, 1:end-1] * i[1:end-1, 1:end-1]
    let well = 0.1 * i[1:end-1, 1:end-1]
    s[1:end-1, 1:end-1] -= sick
    i[1:end-1, 1:end-1] += sick - well + 0.2 * lap
    r[1:end-1, 1:end-1] += well
    i[0, :] = i[1, :]
    i[end-1, :] = i[end-2, :]
    i[:, 0] = i[:, 1]
    i[:, end-1] = i[:, end-2]
  }
  (s, i, r)
}
#--- limited-diffusion: 1 kernel, 24 bytes, w0=fill(0.1)
export def hdiff(h0: f64[n, m], w0: f64[n, m], steps: int) -> f64[n, m] where n >= 5, m >= 5 {
  var u = h0
  loop _ in steps {
    let lap = 4.0 * u[1:end-1, 1:end-1] - (u[2:, 1:end-1] + u[:end-2, 1:end-1] + u[1:end-1, 2:] + u[1:end-1, :end-2])
    let r1 = lap[1:, 1:end-1] - lap[:end-1, 1:end-1]
    let flx = select(r1 * (u[2:end-1, 2:end-2] - u[1:end-2, 2:end-2]) > 0.0, 0.0 * r1, r1)
    let r2 = lap[1:end-1, 1:] - lap[1:end-1, :end-1]
    let fly = select(r2 * (u[2:end-2, 2:end-1] - u[2:end-2, 1:end-2]) > 0.0, 0.0 * r2, r2)
    u[2:end-2, 2:end-2] -= w0[2:end-2, 2:end-2] * (flx[1:, :] - flx[:end-1, :] + fly[:, 1:] - fly[:, :end-1])
  }
  u
}
#--- fields-of-structs: 1 kernel, 24 bytes
struct Cell { h: f32, u: f32, v: f32 }
export def water(h0: f32[n, m], steps: int) -> (q: Cell[n, m]) where n >= 3, m >= 3 {
  var q = for i in n, j in m { Cell(h0[i, j], 0.0, 0.0) }
  loop _ in steps {
    let e = extend(q, clamp)
    q = stencil i in n, j in m {
      Cell(h = e[i, j].h - 0.1 * (e[i+1, j].u - e[i-1, j].u + e[i, j+1].v - e[i, j-1].v), u = e[i, j].u - 0.1 * (e[i+1, j].h - e[i-1, j].h), v = e[i, j].v - 0.1 * (e[i, j+1].h - e[i, j-1].h))
    }
    q.u[0, :] = 0.0
    q.u[end-1, :] = 0.0
    q.v[:, 0] = -q.v[:, 1]
    q.v[:, end-1] = -q.v[:, end-2]
  }
  q
}
#--- elastic-waves: 1 kernel, 80 bytes
export def elastic(h0: f64[n, m], steps: int) -> (vx: f64[n, m], vy: f64[n, m], p: f64[n, m]) where n >= 3, m >= 3 {
  var (vx, vy, xx, yy, xy) = (h0, h0, h0, h0, h0)
  loop _ in steps {
    vx[1:end-1, 1:end-1] += 0.1 * (xx[2:, 1:end-1] - xx[1:end-1, 1:end-1] + xy[1:end-1, 1:end-1] - xy[1:end-1, :end-2])
    vy[1:end-1, 1:end-1] += 0.1 * (xy[1:end-1, 1:end-1] - xy[:end-2, 1:end-1] + yy[1:end-1, 2:] - yy[1:end-1, 1:end-1])
    let dx = vx[1:end-1, 1:end-1] - vx[:end-2, 1:end-1]
    let dy = vy[1:end-1, 1:end-1] - vy[1:end-1, :end-2]
    xx[1:end-1, 1:end-1] += 0.3 * dx + 0.1 * dy
    yy[1:end-1, 1:end-1] += 0.1 * dx + 0.3 * dy
    xy[1:end-1, 1:end-1] += 0.1 * (vx[1:end-1, 2:] - vx[1:end-1, 1:end-1] + vy[2:, 1:end-1] - vy[1:end-1, 1:end-1])
  }
  (vx, vy, xx + yy + xy)
}
#--- runge-kutta-torus: 2 kernels, 40 bytes, dt=0.01
export def rk2(h0: f64[n, m], steps: int, dt: f64) -> f64[n, m] where n >= 3, m >= 3 {
  var u = h0
  loop _ in steps {
    var w = u
    w[1:end-1, 1:end-1] = u[1:end-1, 1:end-1] - dt * u[1:end-1, 1:end-1] * (u[2:, 1:end-1] - u[:end-2, 1:end-1] + u[1:end-1, 2:] - u[1:end-1, :end-2])
    w[0, :] = w[end-2, :]
    w[end-1, :] = w[1, :]
    w[:, 0] = w[:, end-2]
    w[:, end-1] = w[:, 1]
    u[1:end-1, 1:end-1] = 0.5 * (u[1:end-1, 1:end-1] + w[1:end-1, 1:end-1] - dt * w[1:end-1, 1:end-1] * (w[2:, 1:end-1] - w[:end-2, 1:end-1] + w[1:end-1, 2:] - w[1:end-1, :end-2]))
    u[0, :] = u[end-2, :]
    u[end-1, :] = u[1, :]
    u[:, 0] = u[:, end-2]
    u[:, end-1] = u[:, 1]
  }
  u
}
#--- anisotropic-diffusion: 1 kernel, 8 bytes
export def perona(a0: f32[n, m], steps: int) -> f32[n, m] where n >= 3, m >= 3 {
  var a = a0
  loop _ in steps {
    var dn: f32[n, m] = zeros(n, m)
    var ds: f32[n, m] = zeros(n, m)
    var de: f32[n, m] = zeros(n, m)
    var dw: f32[n, m] = zeros(n, m)
    dn[1:, :] = a[:end-1, :] - a[1:, :]
    ds[:end-1, :] = a[1:, :] - a[:end-1, :]
    dw[:, 1:] = a[:, :end-1] - a[:, 1:]
    de[:, :end-1] = a[:, 1:] - a[:, :end-1]
    a += 0.2 * (dn / (1.0 + dn * dn) + ds / (1.0 + ds * ds) + de / (1.0 + de * de) + dw / (1.0 + dw * dw))
  }
  a
}
#--- brusselator: 1 kernel, 32 bytes, dt=0.01
export def bruss(h0: f64[n, m], steps: int, dt: f64) -> (u: f64[n, m], v: f64[n, m], total: f64[steps]) where n >= 3, m >= 3 {
  var u = h0
  var v = h0
  var total: f64[steps] = zeros(steps)
  loop t in steps {
    let lu = u[:end-2, 1:end-1] + u[2:, 1:end-1] + u[1:end-1, :end-2] + u[1:end-1, 2:] - 4 * u[1:end-1, 1:end-1]
    let lv = v[:end-2, 1:end-1] + v[2:, 1:end-1] + v[1:end-1, :end-2] + v[1:end-1, 2:] - 4 * v[1:end-1, 1:end-1]
    let uuv = u[1:end-1, 1:end-1] ** 2 * v[1:end-1, 1:end-1]
    let bu = 3.0 * u[1:end-1, 1:end-1]
    u[1:end-1, 1:end-1] += dt * (1.0 + uuv - bu - u[1:end-1, 1:end-1] + 0.1 * lu)
    v[1:end-1, 1:end-1] += dt * (bu - uuv + 0.1 * lv)
    u[0, :] = u[1, :]
    u[end-1, :] = u[end-2, :]
    u[:, 0] = u[:, 1]
    u[:, end-1] = u[:, end-2]
    v[0, :] = v[1, :]
    v[end-1, :] = v[end-2, :]
    v[:, 0] = v[:, 1]
    v[:, end-1] = v[:, end-2]
    total[t] = sum(u)
  }
  (u, v, total)
}
#--- obstacles: 1 kernel, 17 bytes, mask=fill(1)
export def flow(h0: f64[n, m], mask: u8[n, m], steps: int) -> f64[n, m] where n >= 3, m >= 3 {
  var p = h0
  loop _ in steps {
    let q = 0.25 * (p[:end-2, 1:end-1] + p[2:, 1:end-1] + p[1:end-1, :end-2] + p[1:end-1, 2:])
    p[1:end-1, 1:end-1] = for i, j { if mask[i+1, j+1] > 0 { q[i, j] } else { 0.0 } }
    p[:, 0] = 1.0
    p[:, end-1] = p[:, end-2]
  }
  p
}
