# Small arrays of a body whose elements a loop replaces at places that the
# program computes: in registers up to 16 elements, above in memory.
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check n=5 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check n=1 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check n=0 2>&1 | FileCheck %s
# CHECK: check: ok
def number(i: int) -> int = (i * 7919 + i * i * 31) % 97

def eliminated(a: f64[6, 6]) -> f64[6, 6] {
  var m = a
  loop k in 6 { loop i in k+1:6 {
    let f = m[i, k] / m[k, k]
    loop j in 6 { m[i, j] -= f * m[k, j] }
  } }
  m
}

export def f(n: int) -> (a: f64[n, 6, 6], b: int[n, 40], c: i32[n, 64], d: i32[n, 4], e: f32[n])
where n >= 0 {
  let a = for s in n {
    let start = for i in 6, j in 6 { f64(number(s + 6 * i + j) + if i == j { 300 } else { 0 }) }
    eliminated(start)
  }
  let b = for s in n {
    var h: int[40] = zeros(40)
    loop k in 100 { h[number(s * 100 + k) % 40] += k }
    h
  }
  let c = for s in n {
    var v = for i in 64 { i32(number(s * 64 + i)) }
    loop i in 1:64 {
      let x = v[i]
      var j = i
      while j > 0 and v[max(j - 1, 0)] > x {
        v[j] = v[j - 1]
        j -= 1
      }
      v[j] = x
    }
    v
  }
  let d = for s in n {
    var h: i32[4] = zeros(4)
    loop k in 50 { h[number(s + k) % 4] += 1 }
    h
  }
  # A vector of three beside a table that is walked.
  let e = for s in n {
    var p: f32[3] = zeros(3)
    var seen: f32[20] = zeros(20)
    loop k in 30 {
      p = for q in 3 { p[q] + f32(number(s + k + q)) }
      seen[number(k) % 20] = p[0] - p[1]
    }
    sum(seen) + p[2]
  }
  (a, b, c, d, e)
}
