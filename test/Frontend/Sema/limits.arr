# RUN: not arrc check %s 2>&1 | FileCheck %s --match-full-lines
# Types whose parts are shared grow faster than their text.
struct Pair { a: f32, b: f32 }
type T1 = (Pair, Pair)
type T2 = (T1, T1)
type T3 = (T2, T2)
type T4 = (T3, T3)
type T5 = (T4, T4)
type T6 = (T5, T5)
type T7 = (T6, T6)
type T8 = (T7, T7)
type T9 = (T8, T8)
type T10 = (T9, T9)
type T11 = (T10, T10)
type T12 = (T11, T11)
struct Wide { a: T11, b: f32 }
def most(x: T11) -> T11 = x
def value(x: T11) -> f32 {
  let y = (x, 1.0)
  y.1
}


# CHECK: error[E0137]: a type has at most 4096 scalars, those of its components counted
# CHECK-NEXT:   --> {{.*}}limits.arr:15:12
# CHECK-NEXT:    |
# CHECK-NEXT: 15 | type T12 = (T11, T11)
# CHECK-NEXT:    |            ^^^^^^^^^^

# CHECK: error[E0137]: a type has at most 4096 scalars, those of its components counted
# CHECK-NEXT:   --> {{.*}}limits.arr:16:8
# CHECK-NEXT:    |
# CHECK-NEXT: 16 | struct Wide { a: T11, b: f32 }
# CHECK-NEXT:    |        ^^^^

# CHECK: error[E0137]: a type has at most 4096 scalars, those of its components counted
# CHECK-NEXT:   --> {{.*}}limits.arr:19:11
# CHECK-NEXT:    |
# CHECK-NEXT: 19 |   let y = (x, 1.0)
# CHECK-NEXT:    |           ^^^^^^^^
# CHECK-NOT: {{error.*}}
