export def scale(x: f32[n, m], y: f32[m]) -> f32[n, m] {
  for i, j { 2.0 * x[i, j] + y[j] }
}

export def rows(x: f32[n, m]) -> f32[n] {
  for i { sum for j { x[i, j] * x[i, j] } }
}

export def turn(x: f32[n, m]) -> f32[m, n] {
  for j, i { x[i, j] }
}

export def apart(x: f32[n], y: f32[n]) -> (f32[n], f32[n]) {
  let a = for i { exp(x[i]) }
  let b = for i { y[i] * 2.0 }
  (a, b)
}

export def share(x: f32[n]) -> f32[n] {
  let s = sum for i { x[i] }
  for i { x[i] / s }
}

export def product(a: f32[n, k], b: f32[k, m]) -> f32[n, m] {
  for i, j { sum for l { a[i, l] * b[l, j] } }
}

export def both(x: f32[n]) -> (f32[n], f32[n]) {
  let a = for i { x[i] + 1.0 }
  let b = for i { x[i] * a[i] }
  (a, b)
}

export def softmax(x: f32[n, m]) -> f32[n, m] {
  for i {
    let most = max for j { x[i, j] }
    let total = sum for j { exp(x[i, j] - most) }
    for j { exp(x[i, j] - most) / total }
  }
}

export def running(x: f32[n]) -> f32[n] {
  scan((+)) for i { x[i] }
}

export def shifted(x: f32[n]) -> f32[n] {
  let a = for i { x[i] + 1.0 }
  for i in n { a[max(i - 1, 0)] * 2.0 }
}

export def bins(x: i32[n]) -> (h: i32[26]) {
  hist((+), 0, 26) for i { (x[i], 1) }
}

export def fixed(x: f32[100]) -> f32[100] {
  for i { x[i] * 3.0 }
}
