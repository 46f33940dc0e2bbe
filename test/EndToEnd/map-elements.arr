# Elements of an array, a pattern over tuples, rows.
# RUN: arrc run %s --check 'a=[1, 2]' 'b=[3, 4]' 'm=[[1, 1], [2, 5]]' | FileCheck %s
export def f(a: int[n], b: int[n], m: int[n, k]) -> (p: int[n], q: int[n], r: int[n]) {
  let p = for x in a { x + 1 }
  let q = for (x, y) in zip(a, b) { x * y }
  let r = for row in m { sum(row) }
  (p, q, r)
}

# CHECK: p: i64[2] [2, 3]
# CHECK: q: i64[2] [3, 8]
# CHECK: r: i64[2] [2, 7]
