# Structs by position and name, defaults, fields, functional update.
# RUN: arrc run %s --check a=3.0 | FileCheck %s
struct P { x: f32, y: f32 = 2.0, k: int = 3 }
def norm2(p: P) -> f32 = p.x * p.x + p.y * p.y
export def f(a: f32) -> (n: f32, x: f32, k: int) {
  let p = P(a)
  var q = P(y = 1.0, x = a)
  q.x += 1.0
  (norm2(p), q.x, q.k)
}

# CHECK: n: f32 13
# CHECK: x: f32 4
# CHECK: k: i64 3
