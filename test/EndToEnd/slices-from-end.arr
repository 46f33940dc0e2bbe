# Indices and slices that count from the end: `end` is the size of the dimension.
# RUN: arrc run %s --check --entry f 'a=[1, 2, 3, 4, 5]' k=2 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry g 'a=[[1, 2, 3], [4, 5, 6]]' | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry h 'a=[10, 20, 30]' 'b=[0, 1]' | FileCheck %s --check-prefix=R3
# RUN: arrc run %s --check --entry s 'a=[1, 2, 3, 4, 5]' | FileCheck %s --check-prefix=R4
# RUN: arrc run %s --check --entry own 'a=[1, 2, 3]' end=2 | FileCheck %s --check-prefix=R5
# RUN: arrc run %s --check --entry views 'a=[1, 2, 3]' | FileCheck %s --check-prefix=R6
# RUN: %exit_code 3 arrc run %s --check --entry f 'a=[1, 2]' k=3 2>&1 | FileCheck %s --check-prefix=R7
# RUN: arrc run %s --check --entry edges 'a=[7]' | FileCheck %s --check-prefix=R8
# RUN: arrc run %s --check --entry jacobi 'u=[[1, 1, 1, 1], [1, 0, 0, 1], [1, 1, 1, 1]]' | FileCheck %s --check-prefix=R9
struct Cell { h: f32, v: f32[3] }
const table = [3, 1, 2]

export def f(a: int[n], k: int) -> (last: int, inner: int[?], most: int[?], tail: int[?], odd: int[?]) {
  let inner: int[?] = a[1:end-1]
  let most: int[?] = a[:end-k]
  let tail: int[?] = a[end-k:]
  let odd: int[?] = a[end-1-(end-1)//2*2:end:2]
  (a[end-1], inner, most, tail, odd)
}
export def g(a: int[n, m]) -> (row: int[m], col: int[n], corner: int, box: int[n-1, m-1]) where n > 1, m > 1 {
  (a[end-1], a[:, end-1], a[end-1, end-2], a[:end-1, 1:end])
}
# `end` belongs to the innermost brackets; a function and a lambda do not see it.
def second(v: int[k]) -> int = v[end-2]
export def h(a: int[n], b: int[m]) -> (x: int, y: int, z: int[2], w: int, c: int) where n > 1, m > 1 {
  let at = fn(v) => v - 1
  (a[b[end-1]], a[second(b) + end - 1], a[[0, end-1]], a[at(end)], table[end-1])
}
export def s(a: int[n]) -> (v: int[n], cells: f32[4]) where n > 3 {
  var v = a
  v[1:end-1] = 0
  v[end-1] += v[end-n]
  v[0:end-2] = a[2:end]
  var cells = for i in 4 { Cell(f32(i), [0.0, 1.0, 2.0]) }
  cells[end-1].v[end-1] = 9.0
  cells.h[:end-2] = 5.0
  (v, for i { cells[i].h + cells[i].v[2] })
}
# What a program declares is what it means.
export def own(a: int[n], end: int) -> (x: int[?], y: int) {
  let x: int[?] = a[:end]
  (x, a[end])
}
export def views(a: int[n]) -> (x: int[2], y: int[n]) {
  let e = extend(a, clamp)
  ([e[end], e[end+5]], for i in n { a[end-1-i] })
}
export def edges(a: int[n]) -> (x: int, y: int[?], z: int[?]) {
  let y: int[?] = a[1:end]
  let z: int[?] = a[:end-1]
  (a[end-1], y, z)
}
# A step of a solver as it is written with slices.
export def jacobi(u: f32[n, m]) -> f32[n, m] where n > 2, m > 2 {
  var v = u
  v[1:end-1, 1:end-1] = 0.25 * (u[:end-2, 1:end-1] + u[2:, 1:end-1] + u[1:end-1, :end-2] + u[1:end-1, 2:])
  v
}

# R1: last: i64 5
# R1: inner: i64[3] [2, 3, 4]
# R1: most: i64[3] [1, 2, 3]
# R1: tail: i64[2] [4, 5]
# R1: odd: i64[3] [1, 3, 5]
# R2: row: i64[3] [4, 5, 6]
# R2: col: i64[2] [3, 6]
# R2: corner: i64 5
# R2: box: i64[1, 2] {{\[\[}}2, 3]]
# R3: x: i64 20
# R3: y: i64 30
# R3: z: i64[2] [10, 30]
# R3: w: i64 30
# R3: c: i64 2
# R4: v: i64[5] [3, 4, 5, 0, 6]
# R4: cells: f32[4] [7, 7, 4, 12]
# R5: x: i64[2] [1, 2]
# R5: y: i64 3
# R6: x: i64[2] [3, 3]
# R6: y: i64[3] [3, 2, 1]
# R7: slices-from-end.arr:{{[0-9]+}}:{{[0-9]+}}: error
# R8: x: i64 7
# R8: y: i64[0] []
# R8: z: i64[0] []
# R9: out: f32[3, 4] {{\[\[}}1, 1, 1, 1], [1, 0.75, 0.75, 1], [1, 1, 1, 1]]
