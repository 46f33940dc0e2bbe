# Folds that some indices of a loop decide, written where they are used: once for
# these. The evaluator computes them each time.
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry rows n=5 m=33 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry rows n=3 m=0 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry rows n=0 m=3 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry rows n=4 m=70 -O0 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry softmax n=6 m=40 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry covariance n=30 m=19 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry three n=7 m=18 k=20 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry folded n=12 m=21 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry chosen n=12 m=21 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry chosen n=0 m=21 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry failing n=4 m=3 k=0 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache %exit_code 3 arrc run %s --check --entry failing n=4 m=3 k=2 2>&1 | FileCheck %s --check-prefix=OUTSIDE
# RUN: %if cuda-emulator %{ env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry rows n=3 m=300 2>&1 | FileCheck %s %}
# RUN: %if cuda-emulator %{ env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry rows n=3 m=0 2>&1 | FileCheck %s %}
# RUN: %if cuda-emulator %{ env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry softmax n=6 m=40 2>&1 | FileCheck %s %}
# RUN: %if cuda-emulator %{ env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry covariance n=30 m=19 2>&1 | FileCheck %s %}
# RUN: %if cuda-emulator %{ env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry three n=7 m=18 k=20 2>&1 | FileCheck %s %}
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry batch n=5 m=9 k=40 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry batch n=5 m=9 k=0 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry batch n=2 m=0 k=4 2>&1 | FileCheck %s
# RUN: %if cuda-emulator %{ env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry batch n=5 m=9 k=40 2>&1 | FileCheck %s %}
# RUN: %if cuda-emulator %{ env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry batch n=3 m=4 k=0 2>&1 | FileCheck %s %}
# RUN: %if cuda-emulator %{ env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry folded n=12 m=21 2>&1 | FileCheck %s %}
# CHECK: check: ok
# OUTSIDE: error

def data(n: int, m: int) -> f64[n, m] where n >= 0, m >= 0 = for i in n, j in m { f64((i * 7 + j * 5) % 11) - 4.0 }

export def rows(n: int, m: int) -> f64[n, m] where n >= 0, m >= 0 {
  let u = data(n, m)
  for i in n, j in m { u[i, j] - (sum for k in m { u[i, k] }) - (sum for k in n { u[k, j] }) }
}

export def softmax(n: int, m: int) -> f64[n, m] where n >= 0, m >= 0 {
  let u = data(n, m)
  for i in n, j in m {
    exp(u[i, j] - (max for k in m { u[i, k] })) / (sum for k in m { exp(u[i, k] - (max for l in m { u[i, l] })) })
  }
}

export def covariance(n: int, m: int) -> f64[m, m] where n > 0, m >= 0 {
  let u = data(n, m)
  for a in m, b in m {
    sum for k in n { (u[k, a] - (sum for l in n { u[l, a] }) / f64(n)) * (u[k, b] - (sum for l in n { u[l, b] }) / f64(n)) }
  }
}

export def three(n: int, m: int, k: int) -> f64[n, m, k] where n >= 0, m >= 0, k >= 0 {
  let u = for a in n, b in m, c in k { f64((a * 3 + b * 5 + c * 7) % 13) }
  for a in n, b in m, c in k { u[a, b, c] * (sum for q in k { u[a, b, q] }) - (max for p in n { u[p, b, c] }) + (sum for p in n, q in m { u[p, q, c] }) }
}

export def folded(n: int, m: int) -> f64 where n >= 0, m >= 0 {
  let u = data(n, m)
  sum for i in n, j in m { u[i, j] * (u[i, j] - (sum for k in m { u[i, k] * f64(k) })) }
}

# In bodies of other loops, of a fold and of calls.
def share(u: f64[n, m]) -> f64[n, m] = for i in n, j in m { u[i, j] / (1.0 + (sum for k in m { abs(u[i, k]) })) }
export def batch(n: int, m: int, k: int) -> (a: f64[n, m, k], b: f64[n]) where n >= 0, m >= 0, k >= 0 {
  let u = for a in n, b in m, c in k { f64((a * 3 + b * 5 + c * 7) % 13) - 5.0 }
  let s = for a in n { sum for i in m, j in k { u[a, i, j] * (sum for l in k { u[a, i, l] }) } }
  (for a in n { share(u[a]) }, s)
}

# A fold in a branch stays there.
export def chosen(n: int, m: int) -> f64[n, m] where n >= 0, m >= 0 {
  let u = data(n, m)
  for i in n, j in m { if u[i, j] > 0.0 { sum for k in m { u[i, k] } } else { u[i, j] } }
}

# One that may read outside of its array runs where it did: for no element here.
export def failing(n: int, m: int, k: int) -> f64[n, k] where n >= 0, m >= 0, k >= 0 {
  let u = data(n, m)
  for i in n, j in k { sum for l in m + 20 { u[i, l] } }
}
