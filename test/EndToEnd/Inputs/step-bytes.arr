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
