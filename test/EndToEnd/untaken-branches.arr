# What a body keeps for itself below a condition that says the arrays are large
# enough: where they are not, the sizes are negative, and nothing is allocated.
# RUN: arrc run %s --check -O0 --entry interiors n=1 m=1 2>&1 | FileCheck %s
# RUN: arrc run %s --check -O0 --entry interiors n=0 m=2 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry interiors n=1 m=1 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry interiors n=0 m=2 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry interiors n=9 m=7 2>&1 | FileCheck %s
# RUN: arrc run %s --check -O0 --entry shifts n=2 m=0 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry shifts n=2 m=0 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry shifts n=5 m=4 2>&1 | FileCheck %s
export def interiors(n: int, m: int) -> f32[m] {
  let x = for i in n, j in m { f32((7 * i + 3 * j) % 19) / 8 }
  for j in m {
    var v = x
    if n > 2 and m > 2 {
      loop s in 2 {
        v[1:end-1, 1:end-1] =
          for i in n - 2, k in m - 2 { v[i + 1, k + 2] - v[i, k + 1] / 2 }
      }
    }
    sum for i in n { v[i, j] }
  }
}
export def shifts(n: int, m: int) -> int[n] = for i in n {
  var v: int[m, 2] = for j in m { [i, i + j] }
  loop s in 3 {
    if m > 1 { v[1:m] = for j in m - 1 { [1, i + v[j, 0]] } }
    if m > 0 { v[m - 1] = v[m // 2] }
  }
  sum(v)
}
# CHECK: check: ok
