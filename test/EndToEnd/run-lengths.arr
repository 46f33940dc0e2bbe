# Run-length encoding: starts by a filter, lengths by differences, and by a segmented scan.
# RUN: arrc run %s --check 'x=[7, 7, 7, 2, 7, 7]' | FileCheck %s
# RUN: arrc run %s --check 'x=[4]' | FileCheck %s --check-prefix=ONE
# RUN: arrc run %s --check 'x=[]' | FileCheck %s --check-prefix=NONE
def join(a: (int, bool), b: (int, bool)) -> (int, bool) = (if b.1 { b.0 } else { a.0 + b.0 }, a.1 or b.1)
export def runs(x: i32[n]) -> (value: i32[?k], length: int[k], so_far: int[n]) {
  let begins = for i in n { i == 0 or x[max(i-1, 0)] != x[i] }
  let start = for i in n if begins[i] { i }
  let k = size(start)
  let length = for i in k { (if i + 1 < k { start[min(i+1, k-1)] } else { n }) - start[i] }
  let (so_far, _) = scan(join) for i in n { (1, begins[i]) }
  (x[start], length, so_far)
}

# CHECK: value: i32[3] [7, 2, 7]
# CHECK: length: i64[3] [3, 1, 2]
# CHECK: so_far: i64[6] [1, 2, 3, 1, 1, 2]
# ONE: length: i64[1] [1]
# NONE: length: i64[0]
