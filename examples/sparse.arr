# Conjugate gradients on a sparse matrix: row i has the elements `row[i]:row[i+1]` of `value` and `column`
def times(row: int[n+1], column: i32[e], value: f64[e], x: f64[n]) -> f64[n] =
  for i in n { sum for k in row[i]:row[i+1] { value[k] * x[column[k]] } }

export def sparse(row: int[n+1], column: i32[e], value: f64[e], b: f64[n], tol: f64 = 1.0e-8, limit: int = 1000)
    -> (x: f64[n], steps: int) {
      var x: f64[n] = zeros(n)
      var (r, p) = (b, b)
      var rr = b @ b
      var steps = 0
      while rr > tol ** 2 and steps < limit {
        let ap = times(row, column, value, p)
        let alpha = rr / (p @ ap)
        x = x + alpha * p
        r = r - alpha * ap
        let next = r @ r
        p = r + (next / rr) * p
        rr = next
        steps += 1
      }
      (x, steps)
    }
