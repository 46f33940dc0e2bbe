# What no function of C can take or give is refused where it is declared, and a
# call stands outside of bodies.
# RUN: not arrc check %s 2>&1 | FileCheck %s
struct P { x: f32, v: f32[2] }
extern def rows(r: f32[n, ?]) -> f32
extern def op(f: fn(f32) -> f32, x: f32) -> f32
extern def grows(a: f32[n]) -> f32[?]
extern def jagged(a: f32[n]) -> (k: int, r: f32[n, ?])
extern def unnamed(ps: P[?]) -> f32
extern def fine(a: f32[?], n: int, b: f32[n], c: f32[2 * m, 3]) -> (r: f32[m + n], s: P)
extern def g(x: f32) -> f32
def mapped(a: f32[n]) -> f32[n] = for x in a { g(x) }
def whole(a: f32[n]) -> f32[n] = g(a)

# CHECK: error[E0365]: a parameter of an extern function cannot be f32[n, ?]
# CHECK-NEXT: extern.arr:5:20
# CHECK: error[E0365]: a parameter of an extern function cannot be a function
# CHECK-NEXT: extern.arr:6:18
# CHECK: error[E0365]: a result of an extern function cannot be f32[?]
# CHECK-NEXT: extern.arr:7:32
# CHECK: help: the caller makes room for it: take its size as a parameter
# CHECK: error[E0365]: a result of an extern function cannot be
# CHECK-NEXT: extern.arr:8:
# CHECK: error[E0365]: a parameter of an extern function cannot be P[?]
# CHECK-NEXT: extern.arr:9:24
# CHECK: help: give its size a name instead of '?'
# CHECK: error[E0350]: the extern function 'g' is called in the body of a 'for'
# CHECK-NEXT: extern.arr:12:48
# CHECK: error{{.*}}
# CHECK-NEXT: extern.arr:13:
# CHECK-NOT: extern.arr:10
