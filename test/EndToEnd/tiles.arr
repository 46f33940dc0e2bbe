# Reads across the lanes and products, at sizes for which devices use tiles.
# RUN: %python -c "import numpy as np; r = np.random.default_rng(1); [np.save('%t.' + n + '.npy', r.integers(-5, 6, s).astype(np.float32)) for n, s in dict(a=(67, 53), b=(53, 67), c=(67, 67), d=(3, 49, 41)).items()]"
# RUN: arrc run %s --check --entry added a=@%t.a.npy b=@%t.b.npy
# RUN: arrc run %s --check --entry symmetric c=@%t.c.npy
# RUN: arrc run %s --check --entry permuted d=@%t.d.npy
# RUN: arrc run %s --check --entry product a=@%t.a.npy b=@%t.b.npy
# RUN: arrc run %s --check --entry turned a=@%t.a.npy c=@%t.c.npy
# RUN: arrc run %s --check --entry several c=@%t.c.npy
export def added(a: f32[m, n], b: f32[n, m]) -> f32[n, m] = for i in n, j in m { a[j, i] + b[i, j] }
export def symmetric(c: f32[n, n]) -> f32[n, n] = for i in n, j in n { 0.5 * (c[i, j] + c[j, i]) }
export def permuted(d: f32[k, n, m]) -> f32[m, k, n] = for i in m, j in k, l in n { d[j, l, i] * 2.0 }
export def product(a: f32[n, k], b: f32[k, m]) -> f32[n, m] = for i in n, j in m { sum for l in k { a[i, l] * b[l, j] } }
export def turned(a: f32[k, n], c: f32[m, k]) -> f32[n, m] = for i in n, j in m { 1.0 + sum for l in k { a[l, i] * c[j, l] } }
export def several(c: f32[n, n]) -> (x: f32[n, n], y: f32[n, n], z: f32[n, n]) =
  (for i in n, j in n { sum for l in n { c[i, l] * c[l, j] } },
   for i in n, j in n { max for l in n { c[i, l] + c[l, j] } },
   for i in n, j in n { min for l in n { c[i, l] - c[l, j] } })
