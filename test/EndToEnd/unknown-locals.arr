# Rows of different sizes that a body sorts, filters, scans and extends before
# it gives one number: a card has room for the largest of them.
# RUN: split-file %s %t
# RUN: arrc run %t/median.arr --check 'r.offsets=[0,2,5,5,12]' 'r.values=[3,1,2,6,4,9,8,7,0.5,2,2,11]' 2>&1 | FileCheck %s
# RUN: arrc run %t/median.arr --check 'r.offsets=[0]' 'r.values=[]' 2>&1 | FileCheck %s
# RUN: arrc run %t/kept.arr --check 'r.offsets=[0,2,5,5,12]' 'r.values=[3,1,2,6,4,9,8,7,0.5,2,2,11]' t=1.5 2>&1 | FileCheck %s
# RUN: arrc run %t/filter.arr --check 'x=[3,1,4,1,5,9,2,6]' 't=[0,3,10,5]' 2>&1 | FileCheck %s
# RUN: arrc run %t/edges.arr --check 'r.offsets=[0,2,5,5,12]' 'r.values=[3,1,2,6,4,9,8,7,0,2,2,11]' 2>&1 | FileCheck %s
# RUN: arrc run %t/steps.arr --check 'r.offsets=[0,2,5,5,12]' 'r.values=[3,1,2,6,4,9,8,7,0.5,2,2,11]' steps=3 2>&1 | FileCheck %s
# RUN: arrc run %t/whiles.arr --check 'r.offsets=[0,2,5,5,12]' 'r.values=[3,1,2,6,4,9,8,7,0.5,2,2,11]' 2>&1 | FileCheck %s
# RUN: arrc run %t/rows.arr --check 'k=[3,0,5,2]' 2>&1 | FileCheck %s
# RUN: arrc run %t/triangle.arr --check n=7 2>&1 | FileCheck %s
# CHECK: check: ok

#--- median.arr
import "std/statistics.arr" as st
export def median(r: f32[n, ?]) -> f32[n] = for row in r { if size(row) > 0 { st.median(row) } else { 0.0 } }

#--- kept.arr
export def kept(r: f32[n, ?], t: f32) -> f32[n] = for row in r {
  let s = sort(row)
  let k = for y in s if y > t { y }
  let p = scan((+), k)
  let q = scan(max) for i in size(p) { p[i] * (size(p) - i) }
  if size(q) > 0 { q[size(q) - 1] - p[0] } else { -1.0 }
}

#--- filter.arr
export def filter(x: f32[n], t: f32[m]) -> (a: f32[m], c: int[m]) {
  let (a, c) = for v in t {
    let s = sort(for y in x if y > v { y })
    (if size(s) > 0 { s[size(s) // 2] } else { 0.0 }, size(s))
  }
  (a, c)
}

#--- edges.arr
export def edges(r: int[n, ?]) -> int[n, 5] = for row in r {
  let h = hist((+), 0, size(row) + 1) for x in row { (clamp(x, 0, size(row)), 1) }
  let s = scan((+), h)
  let (a, b, c, d) = (extend(s, reflect), extend(s, mirror), extend(s, wrap), extend(s, clamp))
  let g = for i in size(row) { a[i - 1] + a[i + 2] }
  [sum(g), a[-1], b[-3], c[size(row) + 2], d[-4] - d[2 * size(row) + 3]]
}

#--- steps.arr
export def steps(r: f32[n, ?], steps: int) -> f32[n] {
  var acc = zeros(n)
  loop k in steps {
    let d = for row in r {
      let s = sort(row, by = fn(x) => abs(x - 1.0 * k))
      var best = 0.0
      var i = 0
      while i < size(s) and best < 4.0 {
        best += s[i]
        i += 1
      }
      best
    }
    acc = acc + d
  }
  acc
}

#--- whiles.arr
export def whiles(r: f32[n, ?]) -> f32[n] = for row in r {
  var acc = 0.0
  var go = true
  while go {
    let s = sort(for y in row if y > acc { y })
    go = size(s) > 0 and acc < 5.0
    if size(s) > 0 { acc += s[0] }
  }
  acc
}

#--- rows.arr
export def rows(k: int[n]) -> (s: int, m: int) {
  let s = sum for i in n {
    let r: int[k[i], ?] = for a in k[i] { for b in a { a * b + i } }
    let q = sort(flatten(r))
    if size(q) > 0 { q[size(q) // 2] } else { 0 }
  }
  let m = max for i in n {
    let z = sort(for j in k[i] { (j * 7 + i) % 5 })
    if k[i] > 0 { z[0] + z[k[i] - 1] } else { 0 }
  }
  (s, m)
}

#--- triangle.arr
export def triangle(n: int) -> int[n] = for i in n {
  let h = extend(scan((+), for j in i + 1 { j * j + 1 }), reflect)
  sum for j in i + 1 { h[j - 2] + h[j + 3] }
}
