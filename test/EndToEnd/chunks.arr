# Arrays that the steps of a body rewrite: a block has each on a card, in shared memory where it fits; any length.
# RUN: %python -c "import numpy as np; r = np.random.default_rng(1); [np.save('%t' + f'.{n}.{m}.npy', r.random((n, m))) for n, m in ((3, 40), (5, 31), (2, 1300), (1, 1), (0, 64))]; np.save('%t.tiles.npy', r.random((3, 16, 24)).astype(np.float32)); np.save('%t.counters.npy', r.integers(-9, 9, (3, 64)).astype(np.int32))"
# RUN: arrc run %s --entry relax a=@%t.3.40.npy steps=5 --check
# RUN: arrc run %s --entry settle a=@%t.3.40.npy tol=0.05 --check
# RUN: arrc run %s --entry relax a=@%t.5.31.npy steps=5 --check
# RUN: arrc run %s --entry settle a=@%t.5.31.npy tol=0.05 --check
# RUN: arrc run %s --entry relax a=@%t.2.1300.npy steps=5 --check
# RUN: arrc run %s --entry settle a=@%t.2.1300.npy tol=0.05 --check
# RUN: arrc run %s --entry relax a=@%t.1.1.npy steps=5 --check
# RUN: arrc run %s --entry settle a=@%t.1.1.npy tol=0.05 --check
# RUN: arrc run %s --entry relax a=@%t.0.64.npy steps=5 --check
# RUN: arrc run %s --entry settle a=@%t.0.64.npy tol=0.05 --check
# RUN: arrc run %s --entry tiles a=@%t.tiles.npy steps=5 --check
# RUN: arrc run %s --entry counters a=@%t.counters.npy steps=5 --check
export def relax(a: f64[n, m], steps: int) -> f64[n, m] where m >= 1 =
  for i in n {
    var r = a[i]
    loop _ in steps {
      let e = extend(r, clamp)
      r = for j in m { 0.25 * (e[j-1] + e[j+1] + 2.0 * e[j]) }
    }
    r
  }
export def settle(a: f64[n, m], tol: f64) -> (r: f64[n, m], steps: int[n]) where m >= 1 {
  let p = for i in n {
    var r = a[i]
    var change: f64 = inf
    var k = 0
    while change > tol and k < 50 {
      let e = extend(r, clamp)
      let next = for j in m { 0.5 * (e[j-1] + e[j+1]) }
      change = max for j in m { abs(next[j] - r[j]) }
      r = next
      k += 1
    }
    (r, k)
  }
  (p.0, p.1)
}
export def tiles(a: f32[n, 16, 24], steps: int) -> f32[n, 16, 24] =
  for b in n {
    var t = a[b]
    loop s in steps {
      let e = extend(t, wrap)
      t = for i in 16, j in 24 { 0.2 * (e[i-1, j] + e[i+1, j] + e[i, j-1] + e[i, j+1] + e[i, j]) }
      t[s % 16, 0] = t[0, 0] + 1.0
    }
    t
  }
export def counters(a: i32[n, 64], steps: int) -> i32[n, 64] =
  for b in n {
    var v = a[b]
    loop s in steps {
      v[s % 64] += v[(s + 1) % 64]
      v = for i in 64 { v[63 - i] + v[s % 64] }
    }
    v
  }
