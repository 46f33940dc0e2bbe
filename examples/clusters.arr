# k-means: every point belongs to the nearest centre, every centre is the mean of its points
export def kmeans(x: f32[n, d], start: f32[k, d], steps: int) -> (centres: f32[k, d], label: int[n], spread: f32) where k >= 1 {
  var centres = start
  loop _ in steps {
    let label = nearest(x, centres)
    let size = hist((+), 0, k) for i in n { (label[i], 1) }
    let total: f32[k, d] = hist((+), 0.0, (k, d)) for i in n, j in d { ((label[i], j), x[i, j]) }
    centres = for q in k, j in d { if size[q] > 0 { total[q, j] / size[q] } else { centres[q, j] } }
  }
  let label = nearest(x, centres)
  (centres, label, sum for i in n, j in d { (x[i, j] - centres[label[i], j]) ** 2 })
}
def nearest(x: f32[n, d], centres: f32[k, d]) -> int[n] =
  for i in n { argmin for q in k { sum for j in d { (x[i, j] - centres[q, j]) ** 2 } } }
