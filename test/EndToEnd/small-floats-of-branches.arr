# Halves in a program of many blocks, of which some fold away: what replaces their
# operations must not depend on that.
# RUN: arrc run %s --check 'w=[1, 2, 3]' 'x=[[1, 2], [3, 4], [5, 6]]' 2>&1 | FileCheck %s
# RUN: %if cuda-emulator %{ env ARRC_POOL=off %emulate arrc run %s --target=cuda --check 'w=[1, 2, 3]' 'x=[[1, 2], [3, 4], [5, 6]]' 2>&1 | FileCheck %s %}
# CHECK: check: ok
# CHECK: out: f16[2, 3] {{\[\[}}1, 2, 3], [1, 2, 3]]
export def main(w: f16[n], x: f32[n, m]) -> f16[m, n] {
  let none = all for j in n { false }
  if (if none { true } else { none }) {
    for i in m, j in n { w[j] }
  } else {
    for i in m, j in n { w[j] }
  }
}
