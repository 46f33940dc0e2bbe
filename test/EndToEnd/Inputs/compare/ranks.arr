# One to five dimensions: elementwise, transposed, reduced.
def g(x: f32, y: f32) -> f32 = sqrt(abs(x)) / (1.0 + y * y)
export def e1(a: f32[n], b: f32[n]) -> f32[n] = g(a, b)
export def e2(a: f32[n, m], b: f32[n, m]) -> f32[n, m] = for i, j { g(a[i, j], b[i, j]) }
export def e3(a: f32[n, m, k], b: f32[n, m, k]) -> f32[n, m, k] = g(a, b)
export def e4(a: f32[n, m, k, l], b: f32[n, m, k, l]) -> f32[n, m, k, l] = for h, i, j, r { g(a[h, i, j, r], b[h, i, j, r]) }
export def e5(a: f32[n, m, k, l, q], b: f32[n, m, k, l, q]) -> f32[n, m, k, l, q] = g(a, b)
export def t2(a: f32[n, m]) -> f32[m, n] = transpose(a)
export def t3(a: f32[n, m, k]) -> f32[k, n, m] = transpose(a, 2, 0, 1)
export def t5(a: f32[n, m, k, l, q]) -> f32[q, k, n, l, m] = transpose(a, 4, 2, 0, 3, 1)
export def s1(a: f32[n]) -> (s: f32, lo: f32, hi: f32, p: f32) = (sum(a), min(a), max(a), mean(a))
export def s2(a: f32[n, m]) -> (s: f32, rows: f32[n], cols: f32[m]) = (sum(a), sum(a, axis = 1), sum(a, axis = 0))
export def s3(a: f32[n, m, k]) -> (x: f32[m, k], y: f32[n, k], z: f32[n, m], w: f32[m]) =
  (sum(a, axis = 0), max(a, axis = 1), sum(a, axis = 2), sum(a, axis = (0, 2)))
export def s5(a: f32[n, m, k, l, q]) -> (x: f32[m, l], y: f32[n, q]) = (sum(a, axis = (0, 2, 4)), min(a, axis = (1, 2, 3)))
export def scans(a: f32[n, m]) -> (x: f32[n, m], y: f32[n, m]) = (for i { scan((+)) for j { a[i, j] } }, scan(max, a, axis = 0))
export def functions(x: f32[n]) -> (a: f32[n], b: f32[n], c: f32[n], d: f32[n], e: f32[n], f: f32[n], g: f32[n], h: f32[n]) =
  (exp(x), log(abs(x)), sin(x), cos(x), tanh(x), atan(x), exp2(x), cbrt(x))
export def ints(a: int[n], b: int[n]) -> (q: int[n], r: int[n], s: int, lo: int, at: int, c: int) where n >= 1 {
  let d = for i { if b[i] == 0 { 1 } else { b[i] } }
  (a // d, a % d, sum(a * b), min(a), argmax(a), count for i { a[i] > b[i] })
}
export def edges(a: f32[n, m]) -> (p: f32[n, m], q: f32[n, m], r: f32[n, m], s: f32[n, m], t: f32[n, m]) where n >= 1, m >= 1 {
  let u = extend(a, clamp)
  let v = extend(a, wrap)
  let w = extend(a, mirror)
  let x = extend(a, reflect)
  let y = extend(a, 0.5)
  (for i in n, j in m { u[i-2, j+1] + u[i+1, j-2] },
   for i in n, j in m { v[i-2, j+1] + v[i+1, j-2] },
   for i in n, j in m { w[i-2, j+1] + w[i+1, j-2] },
   for i in n, j in m { x[i-2, j+1] + x[i+1, j-2] },
   for i in n, j in m { y[i-2, j+1] + y[i+1, j-2] })
}
