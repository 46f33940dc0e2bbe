# An image bent by a field of displacements: reads wherever data say, clamped.
# RUN: arrc run %s --check 'a=[[1.0, 2.0], [3.0, 4.0]]' 'dx=[[0.5, -9.0], [0.0, 1e9]]' 'dy=[[0.5, 0.25], [-1.0, 0.0]]' | FileCheck %s
export def warp(a: f32[n, m], dx: f32[n, m], dy: f32[n, m]) -> f32[n, m] where n >= 1, m >= 1 {
  let u = extend(a, clamp)
  for i in n, j in m {
    let (x, y) = (i + dx[i, j], j + dy[i, j])
    let (p, q) = (int(floor(x)), int(floor(y)))
    let (s, t) = (x - p, y - q)
    (1.0 - s) * ((1.0 - t) * u[p, q] + t * u[p, q+1]) + s * ((1.0 - t) * u[p+1, q] + t * u[p+1, q+1])
  }
}

# CHECK: out: f32[2, 2] {{\[\[}}2.5, 2], [3, 4{{\]\]}}
