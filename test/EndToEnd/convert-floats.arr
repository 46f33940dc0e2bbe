# Nearest even, overflow to infinity, integers round once.
# RUN: arrc run %s --check 'x=[0.1, 1e39, 16777217.0]' k=9007199791611905 | FileCheck %s
export def f(x: f64[n], k: int) -> (a: f32[n], b: f64[n], c: f32, d: f16) = (f32(x), f64(f32(x)), f32(k), f16(k))

# CHECK: a: f32[3] [0.1, inf, 16777216]
# CHECK: b: f64[3] [0.10000000149011612, inf, 16777216]
# CHECK: c: f32 9007200328482816
# CHECK: d: f16 inf
