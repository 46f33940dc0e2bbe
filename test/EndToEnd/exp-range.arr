# The exponential where its result has few bits, none, or is infinite; in lanes
# and behind them.
# RUN: arrc run %s --check --entry f 'x=[-105.0, -103.9, -103.0, -88.0, -87.3, -1.0, -1e-8, 0.0, 1e-8, 0.5, 1.0, 88.7, 88.8, 89.5, 1e30, -1e30, -87.4, 2.5, 88.0]' | FileCheck %s
# RUN: arrc run %s --check --entry far n=1000 | FileCheck %s --check-prefix=FAR
# CHECK: out: f32[19] [0, 1e-45
# FAR: out: f32[1000]
export def f(x: f32[n]) -> f32[n] = for i in n { exp(x[i]) }
export def far(n: int) -> f32[n] = for i in n { exp((i - 500) * 0.21 + if i % 7 == 0 { inf } else { 0.0 }) }
