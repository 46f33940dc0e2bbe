# Offsets that are anything: the first index that is outside ends the row, however
# many would follow it.
# RUN: arrc run %s --check --entry product 'r=[0, 1, 2]' 'v=[1, 2]' 'c=[0, 1]' 'x=[[1, 5], [2, 7]]' 2>&1 | FileCheck %s --check-prefix=OK
# RUN: %exit_code 3 arrc run %s --entry product 'r=[0, 2**62, 5]' 'v=[1, 2]' 'c=[0, 1]' 'x=[[1, 5], [2, 7]]' 2>&1 | FileCheck %s --check-prefix=ABOVE
# RUN: %exit_code 3 arrc run %s --entry product 'r=[0, -2**62, 2]' 'v=[1, 2]' 'c=[0, 1]' 'x=[[1, 5], [2, 7]]' 2>&1 | FileCheck %s --check-prefix=BELOW
# RUN: %exit_code 3 arrc run %s --entry product 'r=[0, 3, 1]' 'v=[1, 2]' 'c=[0, 1]' 'x=[[1, 5], [2, 7]]' 2>&1 | FileCheck %s --check-prefix=ABOVE
# RUN: arrc run %s --check --entry carried 'r=[0, 2, 2]' 'v=[1, 2]' 2>&1 | FileCheck %s --check-prefix=OK
# RUN: %exit_code 3 arrc run %s --entry carried 'r=[0, 2**62, 5]' 'v=[1, 2]' 2>&1 | FileCheck %s --check-prefix=ABOVE
# RUN: %if cuda-emulator %{ %exit_code 3 %emulate arrc run %s --target=cuda --entry product 'r=[0, 2**62, 5]' 'v=[1, 2]' 'c=[0, 1]' 'x=[[1, 5], [2, 7]]' 2>&1 | FileCheck %s --check-prefix=ABOVE %}
# RUN: %if cuda-emulator %{ %exit_code 3 %emulate arrc run %s --target=cuda --entry carried 'r=[0, -2**62, 2]' 'v=[1, 2]' 2>&1 | FileCheck %s --check-prefix=BELOW %}
# OK: check: ok
# ABOVE: error: index 2 is outside of a dimension of size 2
# BELOW: error: index -4611686018427387904 is outside of a dimension of size 2

export def product(v: f32[z], c: i32[z], r: int[q], x: f32[m, k]) -> f32[q-1, k] where q >= 1 =
  for i in q - 1, j in k { sum for p in r[i]:r[i+1] { v[p] * x[c[p], j] } }

export def carried(v: f32[z], r: int[q]) -> f32[q-1] where q >= 1 = for i in q - 1 {
  var s: f32 = 0.0
  loop p in r[i]:r[i+1] { s = 0.5 * s + v[p] }
  s
}
