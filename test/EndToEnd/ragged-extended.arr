# Rows made of the extended rows of another array: by place, filtered, and in
# order, where what is extended is made for the row.
# RUN: arrc run %s --check 'r.offsets=[0,1,4]' 'r.values=[1,2,3,4]' c=0.5 2>&1 | FileCheck %s
# RUN: arrc run %s --check 'r.offsets=[0]' 'r.values=[]' c=0.5 2>&1 | FileCheck %s
# CHECK: check: ok
export def f(r: f32[n, ?], c: f32) -> (a: f32[n, ?], b: f32[n, ?], d: f32[n, ?], e: f32[n, ?]) {
  let a: f32[n, ?] = for row in r {
    let e = extend(row, mirror)
    for i in size(row) { e[i - 1] + e[i + 1] + e[i - 2 * size(row)] }
  }
  let b: f32[n, ?] = for row in r {
    let e = extend(row, wrap)
    for i in 2 * size(row) if e[i] > 1.0 { e[i + 1] }
  }
  let d: f32[n, ?] = for row in r {
    let e = extend(for x in row { x * x }, reflect)
    sort(for i in size(row) { e[i - 1] + e[i + 1] })
  }
  let e: f32[n, ?] = for row in r {
    let s = sort(row)
    let e = extend(s, c)
    for i in size(row) + 1 { e[i - 1] + e[i] }
  }
  (a, b, d, e)
}
