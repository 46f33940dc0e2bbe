# Filters over what is known to have no elements.
# RUN: arrc run %s --check m=5 'x=[1, 2, 3]' 2>&1 | FileCheck %s
# RUN: arrc run %s --check m=0 'x=[1, 2, 3]' -O0 2>&1 | FileCheck %s
# RUN: %if cuda-emulator %{ %emulate arrc run %s --target=cuda --check m=5 'x=[1, 2, 3]' 2>&1 | FileCheck %s %}
# CHECK: check: ok
# CHECK: v: i8[0] []
# CHECK: c: i64 0
# CHECK: w: f32[1] [1]
# CHECK: t: i8 0
export def f(m: int, x: f32[3]) -> (v: i8[?], c: int, w: f32[?], t: i8) {
  let v: i8[?] = for j in m, i in 4 % 4 if j % 2 == i { 1 }
  let w = for j in 2 - 2 if x[j] > 0.5 { x[j] }
  let r: i8[m, ?] = for i in m { for j in 4 % 4 if j % 2 == i % 2 { 1 } }
  (v, size(v), concat(w, sort(w), [1.0]), sum(r))
}
