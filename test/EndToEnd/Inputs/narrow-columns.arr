# Folds over rows of very few columns: all threads of a block take part, and all
# of them fold what the blocks leave.
export def f(a: f32[n, m], b: f64[n, m], c: int[k, n, m]) -> (s: f32[m], t: f64[m], u: int[m]) {
  let s = sum(a, axis = 0)
  let t = for j in m { max for i in n { abs(b[i, j]) } }
  let u = sum(sum(c, axis = 0), axis = 0)
  (s, t, u)
}
