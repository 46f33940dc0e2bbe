# Rows of different sizes: made by place, filtered and in order; under several
# indices and with constant dimensions behind; of structs and tuples; read,
# folded, mapped and given to functions; none, empty ones, one long one.
# One file for each export: a run compiles what it needs.
# RUN: split-file %s %t
# RUN: arrc run %t/two.arr --check n=4 m=3 2>&1 | FileCheck %s
# RUN: arrc run %t/two.arr --check n=0 m=3 2>&1 | FileCheck %s
# RUN: arrc run %t/two.arr --check n=3 m=0 2>&1 | FileCheck %s
# RUN: arrc run %t/rest.arr --check n=6 2>&1 | FileCheck %s
# RUN: arrc run %t/rest.arr --check n=0 2>&1 | FileCheck %s
# RUN: arrc run %t/structs.arr --check n=4 2>&1 | FileCheck %s
# RUN: arrc run %t/structs.arr --check n=1 2>&1 | FileCheck %s
# RUN: arrc run %t/functions.arr --check 'a=[1,2,3,4,5]' t=0.7 up=true 2>&1 | FileCheck %s
# RUN: arrc run %t/functions.arr --check 'a=[1,2,3,4,5]' t=0.7 up=false 2>&1 | FileCheck %s
# RUN: arrc run %t/functions.arr --check 'a=[]' t=0.7 up=false 2>&1 | FileCheck %s
# RUN: arrc run %t/bodies.arr --check 'a=[3,1,4,1.5,2]' 'k=[0,3,1,0,7]' 2>&1 | FileCheck %s
# RUN: arrc run %t/bodies.arr --check 'a=[3,1,4]' 'k=[0,0,0]' 2>&1 | FileCheck %s
# RUN: arrc run %t/bodies.arr --check 'a=[]' 'k=[]' 2>&1 | FileCheck %s
# RUN: arrc run %t/segments.arr --check 'off=[0,2,2,6]' 'x=[1,2,3,4,5,6]' 2>&1 | FileCheck %s
# RUN: arrc run %t/segments.arr --check 'off=[0]' 'x=[]' 2>&1 | FileCheck %s
# RUN: arrc run %t/part.arr --check n=6 2>&1 | FileCheck %s
# RUN: arrc run %t/part.arr --check n=3 2>&1 | FileCheck %s
# RUN: arrc run %t/unzipped.arr --check n=3 'x=[0.5,1.5,2.5]' 2>&1 | FileCheck %s
# RUN: arrc run %t/unzipped.arr --check n=3 'x=[]' 2>&1 | FileCheck %s
# RUN: arrc run %t/skewed.arr --check n=3000 m=9000 2>&1 | FileCheck %s
# RUN: arrc run %t/skewed.arr --check n=1 m=0 2>&1 | FileCheck %s
# CHECK: check: ok

#--- two.arr
export def two(n: int, m: int) -> (a: int[n, m], v: int[?], c: int) {
  let r: int[n, m, ?] = for i in n, j in m { for k in (i + 2 * j) % 3 { 100 * i + 10 * j + k } }
  let d: int[n, m, ?] = for i, j { for k { r[i, j, k] * 2 } }
  (sum(d, axis = 2), flatten(d), sum(r))
}

#--- rest.arr
export def rest(n: int) -> (r: f32[n, ?, 3], s: f32[n, 3], t: f32[?]) {
  let r: f32[n, ?, 3] = for i in n { for j in i % 4, k in 3 { 100.0 * i + 10.0 * j + k } }
  (r, for i { sum(r[i], axis = 0) }, flatten(r))
}

#--- structs.arr
struct P { x: f32, v: f32[2], k: int }
export def structs(n: int) -> (x: f32[n, ?], v: f32[n], k: int) {
  let r: P[n, ?] = for i in n { for j in i { P(x = 1.0 * j, v = [1.0 * i, 2.0 * j], k = i * j) } }
  let q: (int, f32)[n, ?] = for i in n { for p in r[i] { (p.k, p.x) } }
  let xs: f32[n, ?] = r.x
  (xs, for i { sum for j in size(r[i]) { r[i, j].v[1] + q[i, j].1 } }, sum for i in n { sum for j { r[i, j].k } })
}

#--- functions.arr
def rows(a: f32[n], t: f32) -> f32[n, ?] = for i in n { for x in a if x > t * i { x } }
def scale(r: f32[n, ?], s: f32) -> f32[n, ?] = for row in r { for x in row { s * x } }
def lengths(r: f32[n, ?]) -> int[n] = for i in n { size(r[i]) }
export def functions(a: f32[n], t: f32, up: bool) -> (r: f32[n, ?], l: int[n], b: f32) {
  let r = scale(rows(a, t), 2.0)
  let q = if up { scale(r, 3.0) } else { rows(a, 2 * t) }
  let (w, z) = (q, 3.0)
  (q, lengths(r), sum(w) * z)
}

#--- bodies.arr
export def bodies(a: f32[n], k: int[n]) -> (s: f32[n, ?], c: f32[n, ?], o: f32[n, ?], g: f32[n, ?], sm: f32[n, ?], w: f32[n, ?], mx: f32[n]) {
  let r: f32[n, ?] = for i in n { for j in k[i] { a[(i + j) % n] } }
  let s: f32[n, ?] = for row in r { sort(row) }
  let c: f32[n, ?] = for i in n { scan((+)) for j { r[i, j] } }
  let o: f32[n, ?] = for i in n { let e = for x in r[i] if x > 2.0 { x }
    let t = sum(e)
    for x in e { x / t } }
  let g: f32[n, ?] = for i in n { a[for j in k[i] { j % n }] }
  let sm: f32[n, ?] = for i in n {
    let m = max for j { r[i, j] }
    let e = for j { exp(r[i, j] - m) }
    let t = sum(e)
    for j { e[j] / t } }
  let w: f32[n, ?] = for i in n {
    var x: f32[?] = r[i]
    loop q in 2 { x = concat(x, x) }
    x }
  (s, c, o, g, sm, w, max(r, axis = 1))
}

#--- segments.arr
export def segments(off: int[n + 1], x: int[m]) -> (r: int[n, ?], q: int[n, ?], p: int[n, ?]) {
  let r: int[n, ?] = for i in n { x[off[i]:off[i + 1]] }
  let q: int[n, ?] = for i in n { for e in off[i]:off[i + 1] if x[e] % 2 == 0 { e } }
  let p: int[n, ?] = for i in n { for e in off[i]:off[i + 1] { x[e] + i } }
  (r, q, p)
}

#--- part.arr
export def part(n: int) -> (r: int[?, ?], s: int) where n >= 3 {
  let r: int[n - 2, ?] = for i in 2:n { for j in i { i * 10 + j } }
  let e: int[?, ?] = for i in 1:n:2 { let t = sum for j in i { j }
    for j in i { t + j } }
  (e, sum(r))
}

#--- unzipped.arr
export def unzipped(n: int, x: f32[m]) -> (a: int[n], r: f32[n, ?], c: int) {
  let (a, r): (int[n], f32[n, ?]) = for i in n {
    let row = for y in x if y > i { y }
    (size(row), row) }
  let (p, q) = (r, 4)
  (a, p, q + count(r > 2.0))
}

#--- skewed.arr
export def skewed(n: int, m: int) -> (s: int[n], c: int[?], z: int, most: int[n]) {
  let r: int[n, ?] = for i in n { for j in if i == n // 2 { m } else { i % 3 } { (i * 7 + j) % 101 } }
  let d: int[n, ?] = r * 2 + r
  let c: int[n, ?] = for row in d { scan((+)) for x in row { x } }
  (sum(d, axis = 1), flatten(c), size(d) + count(d > 9), max(r, axis = 1))
}
