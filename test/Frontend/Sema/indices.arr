# RUN: not arrc check %s 2>&1 | FileCheck %s --match-full-lines
# Subscripts and ranges.
def outside(a: f32[3]) -> f32 = a[3]
def negative(a: f32[n]) -> f32 = a[-1]
def too_many(a: f32[n]) -> f32 = a[0, 1]
def fraction(a: f32[n], x: f32) -> f32 = a[x]
def mask(a: f32[n]) -> f32 = sum(a[a > 0.0])
def slice(a: f32[4]) -> f32[3] = a[2:5]
def step(a: f32[4]) -> f32[4] = a[0:4:-1]
def scalar(a: f32) -> f32 = a[0]
def called(a: f32[n]) -> f32 = a(0)
def bare(a: f32[n], b: f32[m]) -> f32[n] = for i { a[i] + b[i] }
def no_range(a: f32[n]) -> f32[n] = for i { a[i + 1] }
def float_range(x: f32) -> int = count for i in x { true }
def depends(n: int) -> int[n, n] = for i in n, j in i { j }
def view(a: f32[n, m]) -> f32[m] {
  let e = extend(a, clamp)
  e[0]
}
def modes(a: f32[n, m, l]) -> f32 {
  let e = extend(a, clamp, wrap)
  e[0, 0, 0]
}
def place(a: f32[n], idx: int[k]) -> f32[n] {
  var b = a
  b[idx] = 0.0
  b
}
def lost(a: f32[n], t: int) -> f32[n] {
  var x = extend(a, wrap)
  x = extend(x, clamp)
  let y = if t > 0 { extend(a, wrap) } else { a }
  for i in n { x[i] + y[i] }
}
def kept(a: f32[n]) -> f32[n] {
  let u = extend(a, wrap)
  var x = u
  x[0] = u[-1]
  x
}


# CHECK: error[E0284]: index 3 is outside of 'a': dimension 0 has size 3
# CHECK-NEXT:  --> {{.*}}indices.arr:3:35
# CHECK-NEXT:   |
# CHECK-NEXT: 3 | def outside(a: f32[3]) -> f32 = a[3]
# CHECK-NEXT:   |                                   ^

# CHECK: error[E0283]: the index -1 is negative
# CHECK-NEXT:  --> {{.*}}indices.arr:4:36
# CHECK-NEXT:   |
# CHECK-NEXT: 4 | def negative(a: f32[n]) -> f32 = a[-1]
# CHECK-NEXT:   |                                    ^^
# CHECK-NEXT: help: counted from the end it is 'a[end-1]'

# CHECK: error[E0281]: 'a' is read with 2 subscripts, but its rank is 1
# CHECK-NEXT:  --> {{.*}}indices.arr:5:39
# CHECK-NEXT:   |
# CHECK-NEXT: 5 | def too_many(a: f32[n]) -> f32 = a[0, 1]
# CHECK-NEXT:   |                                       ^

# CHECK: error[E0282]: an index is an integer, not f32
# CHECK-NEXT:  --> {{.*}}indices.arr:6:44
# CHECK-NEXT:   |
# CHECK-NEXT: 6 | def fraction(a: f32[n], x: f32) -> f32 = a[x]
# CHECK-NEXT:   |                                            ^
# CHECK-NEXT: help: convert it: 'int(floor(..))'

# CHECK: error[E0285]: a bool array cannot be an index
# CHECK-NEXT:  --> {{.*}}indices.arr:7:36
# CHECK-NEXT:   |
# CHECK-NEXT: 7 | def mask(a: f32[n]) -> f32 = sum(a[a > 0.0])
# CHECK-NEXT:   |                                    ^^^^^^^
# CHECK-NEXT: help: select with a condition: 'for x in a if x > 0.0 { x }'

# CHECK: error[E0287]: the slice 2:5 does not lie inside the size 4
# CHECK-NEXT:  --> {{.*}}indices.arr:8:36
# CHECK-NEXT:   |
# CHECK-NEXT: 8 | def slice(a: f32[4]) -> f32[3] = a[2:5]
# CHECK-NEXT:   |                                    ^^^

# CHECK: error[E0288]: the step of a slice is positive
# CHECK-NEXT:  --> {{.*}}indices.arr:9:39
# CHECK-NEXT:   |
# CHECK-NEXT: 9 | def step(a: f32[4]) -> f32[4] = a[0:4:-1]
# CHECK-NEXT:   |                                       ^^
# CHECK-NEXT: help: 'reverse(a)' is the array backwards

# CHECK: error[E0280]: 'a' is f32 and has no elements
# CHECK-NEXT:   --> {{.*}}indices.arr:10:29
# CHECK-NEXT:    |
# CHECK-NEXT: 10 | def scalar(a: f32) -> f32 = a[0]
# CHECK-NEXT:    |                             ^

# CHECK: error[E0330]: f32[n] cannot be called
# CHECK-NEXT:   --> {{.*}}indices.arr:11:32
# CHECK-NEXT:    |
# CHECK-NEXT: 11 | def called(a: f32[n]) -> f32 = a(0)
# CHECK-NEXT:    |                                ^
# CHECK-NEXT: help: index an array with brackets

# CHECK: error[E0301]: 'i' would range over n (from 'a') and m (from 'b')
# CHECK-NEXT:   --> {{.*}}indices.arr:12:48
# CHECK-NEXT:    |
# CHECK-NEXT: 12 | def bare(a: f32[n], b: f32[m]) -> f32[n] = for i { a[i] + b[i] }
# CHECK-NEXT:    |                                                ^
# CHECK-NEXT:    |                                                      - n
# CHECK-NEXT:    |                                                             - m
# CHECK-NEXT: help: write 'i in n' or 'i in m'

# CHECK: error[E0300]: 'i' has no range
# CHECK-NEXT:   --> {{.*}}indices.arr:13:41
# CHECK-NEXT:    |
# CHECK-NEXT: 13 | def no_range(a: f32[n]) -> f32[n] = for i { a[i + 1] }
# CHECK-NEXT:    |                                         ^ nothing is indexed by 'i' alone
# CHECK-NEXT: help: write 'i in n', or 'i in 1:n - 1' if it reads its neighbours

# CHECK: error[E0290]: a range is made of ints, not f32
# CHECK-NEXT:   --> {{.*}}indices.arr:14:49
# CHECK-NEXT:    |
# CHECK-NEXT: 14 | def float_range(x: f32) -> int = count for i in x { true }
# CHECK-NEXT:    |                                                 ^

# CHECK: error[E0303]: the range of 'j' is not fixed
# CHECK-NEXT:   --> {{.*}}indices.arr:15:48
# CHECK-NEXT:    |
# CHECK-NEXT: 15 | def depends(n: int) -> int[n, n] = for i in n, j in i { j }
# CHECK-NEXT:    |                                                ^^^^^^ the range depends on an index to its left
# CHECK-NEXT: help: a box needs fixed ranges: nest the 'for', or put a combinator in front

# CHECK: error[E0292]: 'e' is extended and needs all 2 subscripts
# CHECK-NEXT:   --> {{.*}}indices.arr:18:3
# CHECK-NEXT:    |
# CHECK-NEXT: 18 |   e[0]
# CHECK-NEXT:    |   ^^^^
# CHECK-NEXT: help: only last dimensions with the mode 'none' can be left out

# CHECK: error[E0294]: 2 modes for 3 dimensions
# CHECK-NEXT:   --> {{.*}}indices.arr:21:11
# CHECK-NEXT:    |
# CHECK-NEXT: 21 |   let e = extend(a, clamp, wrap)
# CHECK-NEXT:    |           ^^^^^^^^^^^^^^^^^^^^^^

# CHECK: error[E0248]: elements at an array of integers cannot be assigned
# CHECK-NEXT:   --> {{.*}}indices.arr:26:5
# CHECK-NEXT:    |
# CHECK-NEXT: 26 |   b[idx] = 0.0
# CHECK-NEXT:    |     ^^^
# CHECK-NEXT: help: use 'scatter': 'a = scatter(a) for .. { (index, value) }'

# CHECK: error[E0295]: a 'var' cannot be a view: what lies outside would be lost
# CHECK-NEXT:   --> {{.*}}indices.arr:30:11
# CHECK-NEXT:    |
# CHECK-NEXT: 30 |   var x = extend(a, wrap)
# CHECK-NEXT:    |           ^^^^^^^^^^^^^^^
# CHECK-NEXT: help: name the view in a 'let' and read that outside

# CHECK: error[E0295]: a branch cannot be a view: what lies outside would be lost
# CHECK-NEXT:   --> {{.*}}indices.arr:32:20
