# Sums of f32 in bins under --reproducible are exact and rounded once: the ends of the
# range, halves that go to even, what cancels, no values and one.
export def sums(k: int[n], x: f32[n], scale: f32, b: int) -> (one: f32[b], two: f32[b], count: int[b]) {
  let one = hist((+), f32(0), b) for i in n { (k[i], x[i] * scale) }
  let two = hist((+), f32(0), b, oob = drop) for i in n, j in 0:3 { (k[i] + j, x[i] * f32(j - 1)) }
  let count = hist((+), 0, b) for i in n { (k[i], 1) }
  (one, two, count)
}

# More values than a task takes in, of scales far apart.
export def many(n: int, b: int) -> (sums: f32[b], total: f32) {
  let s = hist((+), f32(0), b) for i in n {
    let x = uniform(7, i) - 0.5
    (i * 7919 % b, x * select(i % 3 == 0, f32(1e20), select(i % 3 == 1, f32(1e-20), f32(1))))
  }
  let t = hist((+), f32(0), b) for i in n { (i % b, f32(i % 5) * 0.1) }
  (s, sum(t))
}

# Powers of two from 2^-40 to 2^40 in bins of two dimensions: some far above what most
# are, some far below, and few bins that need more than others.
export def spread(n: int, b: int) -> (h: f32[b, 3], narrow: f32[b]) {
  let h = hist((+), f32(0), (b, 3)) for i in n {
    var x = uniform(3, i) - 0.5
    loop k in i % 1000 // 960 { x *= select(i % 2 == 0, f32(1099511627776.0), f32(9.094947e-13)) }
    ((i % b, i % 3), x)
  }
  let narrow = hist((+), f32(0), b) for i in n { (i % b, (uniform(4, i) - 0.5) * select(i == 77, f32(1e-9), f32(1))) }
  (h, narrow)
}
