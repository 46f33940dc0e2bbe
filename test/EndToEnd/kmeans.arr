# Lloyd's algorithm: the nearest centre by argmin, counts by hist, sums with a condition.
# RUN: arrc run %s --check 'x=[[0.0, 0.0], [0.0, 2.0], [8.0, 0.0], [8.0, 2.0], [8.0, 1.0]]' 'c0=[[1.0, 1.0], [6.0, 1.0], [50.0, 50.0]]' steps=3 | FileCheck %s
# RUN: arrc run %s --check 'x=[[0.5, 1.5]]' 'c0=[[1.0, 1.0]]' steps=0
export def kmeans(x: f32[n, d], c0: f32[k, d], steps: int) -> (c: f32[k, d], label: int[n], cost: f32) {
  var c = c0
  var label: int[n] = zeros(n)
  var cost: f32 = 0.0
  loop t in steps {
    label = for i in n { argmin for q in k { sum for j in d { (x[i, j] - c[q, j]) ** 2 } } }
    cost = sum for i in n, j in d { (x[i, j] - c[label[i], j]) ** 2 }
    let members = hist((+), 0, k) for i in n { (label[i], 1) }
    c = for q in k, j in d {
      let s = sum for i in n if label[i] == q { x[i, j] }
      if members[q] == 0 { c[q, j] } else { s / members[q] }
    }
  }
  (c, label, cost)
}

# CHECK: c: f32[3, 2] {{\[\[}}0, 1], [8, 1], [50, 50{{\]\]}}
# CHECK: label: i64[5] [0, 0, 1, 1, 1]
# CHECK: cost: f32 4
