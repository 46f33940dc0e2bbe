# RUN: not arrc check %s 2>&1 | FileCheck %s --match-full-lines
# What counts from the end, and what people write for it elsewhere.
def inner(a: f32[n]) -> f32 = sum(a[1:-1])
def two(a: f32[n, m]) -> f32 = sum(a[2, :-2])
def last(a: f32[n, m]) -> f32 = sum(a[-1, :])
def minus(a: f32[n], k: int) -> f32 = sum(a[:-k]) + a[-k]
def fine(a: f32[n]) -> f32 = sum for i in -2:1 { a[-i] }
def past(a: f32[n]) -> f32 = a[end]
def outside(a: f32[n]) -> f32 = sum for i in 1:end-1 { a[i] }
def place(a: f32[n]) -> f32[n] {
  var v = a
  v[1:-1] = 0.0
  v
}
def declared(a: f32[n]) -> f32 {
  let end = a[end-1]
  a[0] + end
}
def called(a: f32[n]) -> f32 = a[less(1)]
def less(k: int) -> int = end - k

# CHECK: error[E0287]: the slice 1:-1 does not lie inside the size n
# CHECK-NEXT:  --> {{.*}}from-end.arr:3:37
# CHECK-NEXT:   |
# CHECK-NEXT: 3 | def inner(a: f32[n]) -> f32 = sum(a[1:-1])
# CHECK-NEXT:   |                                     ^^^^
# CHECK-NEXT: help: counted from the end it is 'a[1:end-1]'

# CHECK: error[E0287]: the slice 0:-2 does not lie inside the size m
# CHECK-NEXT:  --> {{.*}}from-end.arr:4:41
# CHECK-NEXT:   |
# CHECK-NEXT: 4 | def two(a: f32[n, m]) -> f32 = sum(a[2, :-2])
# CHECK-NEXT:   |                                         ^^^
# CHECK-NEXT: help: counted from the end it is 'a[2, :end-2]'

# CHECK: error[E0283]: the index -1 is negative
# CHECK-NEXT:  --> {{.*}}from-end.arr:5:39
# CHECK-NEXT:   |
# CHECK-NEXT: 5 | def last(a: f32[n, m]) -> f32 = sum(a[-1, :])
# CHECK-NEXT:   |                                       ^^
# CHECK-NEXT: help: counted from the end it is 'a[end-1, :]'

# CHECK: warning[W0203]: '-k' does not count from the end
# CHECK-NEXT:  --> {{.*}}from-end.arr:6:46
# CHECK-NEXT:   |
# CHECK-NEXT: 6 | def minus(a: f32[n], k: int) -> f32 = sum(a[:-k]) + a[-k]
# CHECK-NEXT:   |                                              ^^
# CHECK-NEXT: help: from the end it is 'end-k'

# CHECK: warning[W0203]: '-k' does not count from the end
# CHECK-NEXT:  --> {{.*}}from-end.arr:6:55
# CHECK-NEXT:   |
# CHECK-NEXT: 6 | def minus(a: f32[n], k: int) -> f32 = sum(a[:-k]) + a[-k]
# CHECK-NEXT:   |                                                       ^^
# CHECK-NEXT: help: from the end it is 'end-k'

# CHECK: error[E0284]: index n is outside of 'a': dimension 0 has size n
# CHECK-NEXT:  --> {{.*}}from-end.arr:8:32
# CHECK-NEXT:   |
# CHECK-NEXT: 8 | def past(a: f32[n]) -> f32 = a[end]
# CHECK-NEXT:   |                                ^^^
# CHECK-NEXT: help: the last element is at 'end-1'

# CHECK: error[E0200]: 'end' is not declared
# CHECK-NEXT:  --> {{.*}}from-end.arr:9:48
# CHECK-NEXT:   |
# CHECK-NEXT: 9 | def outside(a: f32[n]) -> f32 = sum for i in 1:end-1 { a[i] }
# CHECK-NEXT:   |                                                ^^^
# CHECK-NEXT: help: 'end' is the size of a dimension inside the brackets of an array, 'a[end-1]'; elsewhere write 'size(a, 0)'

# CHECK: error[E0287]: the slice 1:-1 does not lie inside the size n
# CHECK-NEXT:   --> {{.*}}from-end.arr:12:5
# CHECK-NEXT:    |
# CHECK-NEXT: 12 |   v[1:-1] = 0.0
# CHECK-NEXT:    |     ^^^^
# CHECK-NEXT: help: counted from the end it is 'v[1:end-1]'

# CHECK: error[E0200]: 'end' is not declared
# CHECK-NEXT:   --> {{.*}}from-end.arr:20:27
# CHECK-NEXT:    |
# CHECK-NEXT: 20 | def less(k: int) -> int = end - k
# CHECK-NEXT:    |                           ^^^
# CHECK-NEXT: help: 'end' is the size of a dimension inside the brackets of an array, 'a[end-1]'; elsewhere write 'size(a, 0)'
