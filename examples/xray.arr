# An x-ray picture of a box of n^3 cells: every ray from the source to a point of the detector adds what the cells
# on its way absorb. Rays, points and cells together have rank 5; none of it is ever in memory.
struct Point { x: f64, y: f64, z: f64 }

# how far the ray from `a` to `b` runs inside of the cell whose lowest corner is `(i, j, k)`: slab by slab
def inside(a: Point, b: Point, i: int, j: int, k: int) -> f64 {
  let d = Point(b.x - a.x, b.y - a.y, b.z - a.z)
  let (x0, x1) = ((i - a.x) / d.x, (i + 1 - a.x) / d.x)
  let (y0, y1) = ((j - a.y) / d.y, (j + 1 - a.y) / d.y)
  let (z0, z1) = ((k - a.z) / d.z, (k + 1 - a.z) / d.z)
  let enter = max(min(x0, x1), min(y0, y1), min(z0, z1))
  let leave = min(max(x0, x1), max(y0, y1), max(z0, z1))
  max(leave - enter, 0.0) * sqrt(d.x ** 2 + d.y ** 2 + d.z ** 2)
}

# The source stands before the middle of the box, the detector of m x m points behind it
export def xray(density: f64[n, n, n], m: int) -> (picture: f64[m, m]) where n >= 1, m >= 1 {
  let source = Point(-1.5 * n, 0.5 * n + 0.013, 0.5 * n + 0.017)
  for p in m, q in m {
    let spot = Point(1.5 * n, n * (p + 0.5) / m, n * (q + 0.5) / m)
    exp(-(sum for i in n, j in n, k in n { density[i, j, k] * inside(source, spot, i, j, k) }))
  }
}
