# Rows whose size stands outside of the body: of a fold of arrays below a check in
# the body, and of what a function that is not inlined makes of scattered elements.
# RUN: arrc run %s --check --entry folded n=5 m=3 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry folded n=0 m=1 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry scattered n=5 m=3 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry scattered n=1 m=0 2>&1 | FileCheck %s
export def folded(n: int, m: int) -> int[n, m] {
  let b = for i in n { 3 * i }
  let y = for j in m { 2 * j }
  for i in n {
    let odd = y[1::2]
    let all = sum(odd)
    reduce(fn(p, q) => (for j in m { p[j] + q[j] }), (for j in m { 0 })) for k in m {
      for j in m { b[i] + all }
    }
  }
}
@noinline def same(v: int[p]) -> int[p] = for x in v { x }
export def scattered(n: int, m: int) -> int[n, m] {
  let v: int[m] = scatter((for j in m { 1 }), oob = drop) for j in m { (m - 1 - j, j) }
  let w = same(v)
  for i in n { w }
}
# CHECK: check: ok
