# Rows that lie in a row, of very different lengths: most have none, a few nearly all of the
# values, or all the same number. Operators in any order and in order, pairs, several types.
# RUN: arrc run %s --check --entry sums m=700 form=0 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry sums m=0 form=1 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry kinds m=300 form=1 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry ordered m=300 form=2 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry steps m=300 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry falling m=200 2>&1 | FileCheck %s
# RUN: %exit_code 3 arrc run %s --entry outside m=300 at=17 2>&1 | FileCheck %s --check-prefix=OUTSIDE
# CHECK: check: ok
# Which rows have how many values.
def length(i: int, m: int, form: int) -> int =
  if form == 0 { (i * 7919 % 10007)**3 // 10007**2 // 50 }
  else if form == 1 { if i == m // 2 { 40 * m } else if i % 50 == 49 { i % 7 } else { 0 } }
  else if form == 2 { 7 }
  else if form == 3 { 0 }
  else { if i == 0 or i == m - 1 { 9 * m } else { 0 } }
# Where they begin, and where the last one ends.
def offsets(m: int, form: int) -> int[m + 1] = exscan((+), 0) for i in m + 1 { length(i, m, form) }

export def sums(m: int, form: int) -> (f32[m], f32[m], f32[m]) where m >= 0 {
  let off = offsets(m, form)
  let n = off[m]
  let x = for k in n { f32(k * 7919 % 1009) * 0.001 }
  let col = for k in n { i32(k * 31 % 997) }
  let v = for k in 997 { f32(k % 13) - 6.0 }
  let a = for i in m { sum(x[off[i]:off[i+1]]) }
  let b = for i in m { (sum for k in off[i]:off[i+1] { x[k] * f32(k % 17) }) / f32(1 + off[i+1] - off[i]) }
  let c = for i in m { v[i % 997] + (sum for k in off[i]:off[i+1] { x[k] * v[col[k]] }) }
  (a, b, c)
}
export def kinds(m: int, form: int) -> (f32[m], int[m], bool[m], int[m], int[m]) where m >= 0 {
  let off = offsets(m, form)
  let x = for k in off[m] { f32(k * 7919 % 1009) * 0.001 - 0.3 }
  let most = for i in m { max for k in off[i]:off[i+1] { x[k] } }
  let odd = for i in m { sum for k in off[i]:off[i+1] { i32(k * k) } }
  let some = for i in m { any for k in off[i]:off[i+1] { x[k] > 0.7 } }
  let many = for i in m { count for k in off[i]:off[i+1] { x[k] > 0.0 } }
  # Values that depend on their row stay by rows.
  let mine = for i in m { sum for k in off[i]:off[i+1] { k * i } }
  (most, odd, some, many, mine)
}
export def ordered(m: int, form: int) -> (int[m], int[m]) where m >= 0 {
  let off = offsets(m, form)
  let x = for k in off[m] { ((k * 5) % 7 - 3, k % 11) }
  let op = fn(a, b) => (a.0 * b.0 % 1009, (a.1 * b.0 + b.1) % 1009)
  let all = for i in m { reduce(op, (1, 0)) for k in off[i]:off[i+1] { x[k] } }
  (for i in m { all[i].0 }, for i in m { all[i].1 })
}
# A sparse matrix in a time loop.
export def steps(m: int) -> f32[m] where m >= 1 {
  let off = offsets(m, 2)
  var x = for i in m { f32(i % 9) - 4.0 }
  loop t in 3 {
    let y = for i in m { sum for k in off[i]:off[i+1] { 0.1 * f32(k % 5 - 2) * x[k * 31 % m] } }
    let most = max for i in m { abs(y[i]) }
    x = for i in m { y[i] / (most + 1.0) }
  }
  x
}
# Offsets that fall: a row of none, and values that two rows have.
export def falling(m: int) -> int[m] where m >= 0 {
  let x = for k in 5 * m + 1 { k * 7919 % 1009 }
  let off = exscan((+), 0) for i in m + 1 { if i % 40 == 3 { 0 - 3 } else { 5 } }
  for i in m { sum for k in off[i]:off[i+1] { x[k] } }
}
# An index that is wrong: the first one is told.
export def outside(m: int, at: int) -> f32[m] where m >= 0 {
  let off = offsets(m, 2)
  let v = for k in 100 { f32(k) }
  let col = for k in off[m] { i32(if k % 1000 == at { 100 + k } else { k % 100 }) }
  for i in m { sum for k in off[i]:off[i+1] { v[col[k]] } }
}
# OUTSIDE: segments-by-values.arr:[[#]]:[[#]]: error: index 117 is outside of a dimension of size 100
