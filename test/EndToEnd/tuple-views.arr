# Extended arrays in a tuple pattern keep their modes.
# RUN: arrc run %s --check 'a=[1, 2, 3]' | FileCheck %s
export def f(a: int[n]) -> (p: int[n], q: int[n]) where n >= 1 {
  let (u, v) = (extend(a, clamp), extend(a, wrap))
  (for i in n { u[i - 1] }, for i in n { v[i - 1] })
}

# CHECK: p: i64[3] [1, 1, 2]
# CHECK: q: i64[3] [3, 1, 2]
