# Rows of different sizes that are assigned: whole, by element and by row, in time
# loops and under conditions.
# RUN: arrc run %s --check --entry steps n=6 steps=5 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry steps n=0 steps=2 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry parts n=4 steps=5 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry grown 'a=[1, 2, 3]' 2>&1 | FileCheck %s
# CHECK: check: ok

export def steps(n: int, steps: int) -> (r: int[n, ?], total: int) {
  var r: int[n, ?] = for i in n { for j in i { j } }
  var total = 0
  loop t in steps {
    r = for i in n { for j in (size(r[i]) + i) % 5 { if j < size(r[i]) { r[i, j] + 1 } else { t } } }
    total += sum(r)
  }
  (r, total)
}
export def parts(n: int, steps: int) -> (r: int[n, ?]) where n > 2 {
  var r: int[n, ?] = for i in n { for j in i { j } }
  var k = 0
  while k < steps and sum(r) < 1000 {
    r[n - 1, k % (n - 1)] += 100
    if k == 1 { r[n - 2] = for j in n - 2 { -j } }
    r = r + r
    k += 1
  }
  r
}

export def grown(a: f32[n]) -> (w: f32[n, ?]) {
  let w: f32[n, ?] = for i in n {
    var x: f32[?] = a[0:i]
    loop q in 2 { x = concat(x, x) }
    x }
  w
}
