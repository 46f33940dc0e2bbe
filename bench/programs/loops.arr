# The loops that bench/Compare.cpp measures against C++ code.
export def saxpy(a: f32, x: f32[n], y: f32[n]) -> f32[n] = a * x + y
# ten elementwise operations
export def chain(x: f32[n], y: f32[n]) -> f32[n] {
  let p = abs((x + y) * x - y)
  let q = min(max(p, 0.25), 4.0)
  sqrt(q) * 0.5 + x
}
export def total(x: f32[n]) -> f32 = sum(x)
export def rows(a: f32[n, m]) -> f32[n] = for i in n { sum(a[i]) }
export def columns(a: f32[n, m]) -> f32[m] = sum(a, axis = 0)
export def blur(a: f32[n, m]) -> f32[n, m] {
  let u = extend(a, clamp)
  stencil i in n, j in m {
    0.2 * (u[i, j] + u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1])
  }
}
