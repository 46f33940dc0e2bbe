# RUN: arrc check %s 2>&1 | FileCheck %s --match-full-lines
# What is legal and still worth a word.
import "Inputs/empty.arr" as nothing
def unused(a: f32) -> f32 {
  let b = a * a
  let _c = a
  a
}
def same_bits(n: int, seed: int) -> f32[n] = for i in n {
  let x = uniform(seed, i)
  let y = normal(seed, i)
  x + y
}
def either(seed: int, c: bool) -> f32 = if c { uniform(seed, 1) } else { uniform(seed, 1) }
def compared(u: f32[n, m], k: f32[3, 3]) -> f32[n, m] {
  let v = u
  v * k
}
def decided(u: f32[n], k: f32[m]) -> f32[n] where n == m = u * k


# CHECK: warning[W0200]: 'b' is never used
# CHECK-NEXT:  --> {{.*}}warnings.arr:5:7
# CHECK-NEXT:   |
# CHECK-NEXT: 5 |   let b = a * a
# CHECK-NEXT:   |       ^

# CHECK: warning[W0202]: this 'normal' uses the random bits of another call
# CHECK-NEXT:   --> {{.*}}warnings.arr:11:11
# CHECK-NEXT:    |
# CHECK-NEXT: 10 |   let x = uniform(seed, i)
# CHECK-NEXT:    |           ---------------- the same key and counters
# CHECK-NEXT: 11 |   let y = normal(seed, i)
# CHECK-NEXT:    |           ^^^^^^^^^^^^^^^

# CHECK: remark[R0200]: n and 3 are compared when the program runs
# CHECK-NEXT:   --> {{.*}}warnings.arr:17:5
# CHECK-NEXT:    |
# CHECK-NEXT: 15 | def compared(u: f32[n, m], k: f32[3, 3]) -> f32[n, m] {
# CHECK-NEXT:    |                            - 'k' is 3 x 3
# CHECK-NEXT: 16 |   let v = u
# CHECK-NEXT:    |       - 'v' is n x m
# CHECK-NEXT: 17 |   v * k
# CHECK-NEXT:    |     ^
# CHECK-NEXT: help: if they are always equal, say 'where n == 3'

# CHECK: warning[W0201]: the import 'nothing' is never used
# CHECK-NEXT:  --> {{.*}}warnings.arr:3:30
# CHECK-NEXT:   |
# CHECK-NEXT: 3 | import "Inputs/empty.arr" as nothing
# CHECK-NEXT:   |                              ^^^^^^^
