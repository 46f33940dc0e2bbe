export def f(a: i32[n], b: i32[n], c: i16[n], d: i16[n]) -> (u: i32[n], v: i16[n]) =
  (for i { max(-a[i], -abs(b[i])) }, for i { min(-c[i], -d[i]) })
