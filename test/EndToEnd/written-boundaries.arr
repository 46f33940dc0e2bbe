# Boundaries that are written as arithmetic: indices modulo a size, and bounds of 0
# and the last. The evaluator reads what is written.
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry ring 'x=iota(5)' 2>&1 | FileCheck %s --check-prefix=RING
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry ring 'x=[3]' 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry ring 'x=[]' 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry ring 'x=iota(70)' -O0 2>&1 | FileCheck %s
# RUN: %if cuda-emulator %{ env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry ring 'x=iota(300)' 2>&1 | FileCheck %s %}
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry far k=-9223372036854775808 'x=iota(5)' 'p=[-1, 9223372036854775807, -9223372036854775807, 7, 0]' 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry far k=9223372036854775807 'x=iota(5)' 'p=[-1, 9223372036854775807, -9223372036854775807, 7, 0]' 2>&1 | FileCheck %s
# RUN: %if cuda-emulator %{ env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry far k=9223372036854775805 'x=iota(5)' 'p=[-1, 9223372036854775807, -9223372036854775807, 7, 0]' 2>&1 | FileCheck %s %}
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry torus n=5 m=7 k=3 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry torus n=1 m=2 k=3 2>&1 | FileCheck %s
# RUN: %if cuda-emulator %{ env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry torus n=33 m=70 k=5 2>&1 | FileCheck %s %}
# RUN: %if cuda-emulator %{ env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry torus n=2 m=1 k=4 2>&1 | FileCheck %s %}
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry circular 'a=iota(9)' 'b=iota(9)' 2>&1 | FileCheck %s
# RUN: %if cuda-emulator %{ env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry circular 'a=iota(40)' 'b=iota(40)' 2>&1 | FileCheck %s %}
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry eight 'x=iota(8)' k=-5 2>&1 | FileCheck %s
# RUN: %if cuda-emulator %{ env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry eight 'x=iota(8)' k=11 2>&1 | FileCheck %s %}
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry held 'x=iota(6)' 2>&1 | FileCheck %s --check-prefix=HELD
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry held 'x=[4]' 2>&1 | FileCheck %s
# RUN: %if cuda-emulator %{ env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry held 'x=iota(130)' 2>&1 | FileCheck %s %}
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry other 'x=iota(6)' m=4 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry mixed 'x=iota(6)' 2>&1 | FileCheck %s

# CHECK: check: ok
# RING: check: ok
# RING: out: i64[5] [2014, 3120, 4231, 342, 1403]
# HELD: check: ok
# HELD: out: i64[6] [4, 6, 9, 12, 15, 17]

export def ring(x: int[n]) -> int[n] =
  for i in n { x[(i + n - 1) % n] + 10 * x[(i + 1) % n] + 100 * x[(7 * n + i) % n] + 1000 * x[(i - 3) % n] }

# Any integer is an index modulo a size, and sums of such wrap first.
export def far(x: int[n], p: int[n], k: int) -> int[n] =
  for i in n { x[p[i] % n] + 10 * x[(i + k) % n] + 100 * x[(p[i] + k) % n] + 1000 * x[(k * i - 3) % n] }

# Steps of what is written so are joined as those of boundaries are.
export def torus(n: int, m: int, k: int) -> int[n, m] where n > 0, m > 0 {
  var u = for i in n, j in m { (i * 37 + j * 11) % 23 }
  loop t in k {
    u = for i in n, j in m {
      (u[(i + 1) % n, j] + u[(i + n - 1) % n, j] + u[i, (j + 1) % m] - u[i, (j - 1) % m] + 3 * u[i, j]) % 1009
    }
  }
  u
}

export def circular(a: int[n], b: int[n]) -> int[n] = for i in n { sum for k in n { a[k] * b[(i - k) % n] + a[(i + k) % n] } }

export def eight(x: int[8], k: int) -> int[8] = for i in 8 { x[(i + 7) % 8] + 10 * x[(i - k) % 8] + 100 * x[(i * 3 + 5) % 8] }

export def held(x: int[n]) -> int[n] =
  for i in n { x[max(i - 1, 0)] + x[min(i + 1, n - 1)] + x[min(max(i + 3, 0), n - 1)] + x[max(min(i - 2, n - 1), 0)] }

# The size of another array is no boundary of this one.
export def other(x: int[n], m: int) -> int[n] where m > 0, m <= n = for i in n { x[(i + 3) % m] + x[min(i, m - 1)] }

# An array that has boundaries in one dimension.
export def mixed(x: int[n]) -> int[n, n] {
  let a = for i in n, j in n { x[i] * 10 + x[j] }
  let e = extend(a, clamp, 0)
  for i in n, j in n { e[i - 1, (j + 1) % n] + e[(i + 2) % n, j - 1] + e[max(i - 2, 0), min(j + 1, n - 1)] }
}

# Any number of times around, forwards and backwards, in lanes.
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry around 'x=iota(5)' m=100 k=3 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry around 'x=iota(40)' m=333 k=-9223372036854775806 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry around 'x=[7]' m=77 k=9223372036854775800 2>&1 | FileCheck %s
# RUN: %if cuda-emulator %{ env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry around 'x=iota(40)' m=333 k=-9223372036854775806 2>&1 | FileCheck %s %}
export def around(x: int[n], m: int, k: int) -> (a: int[m], b: int[m], c: int[m, m // 7]) where n > 0, m >= 0 =
  (for i in m { x[i % n] + 100 * x[(i + k) % n] },
   for i in m { x[-i % n] + 100 * x[(k - i) % n] },
   for i in m, j in m // 7 { x[(i + j) % n] - x[(j - i) % n] + (sum for l in 5 { x[(j * 2 + l) % n] }) })
