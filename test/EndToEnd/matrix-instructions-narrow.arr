# Matrices of f16 and bf16: sums in f32 of products that are not rounded. What is rounded
# to f16 first has no such instruction.
# RUN: arrc build %s --target=cuda --arch=sm_90 --emit=ptx -o - | FileCheck %s
# CHECK-DAG: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
# CHECK-DAG: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
# CHECK: .entry rounded_1
# CHECK-NOT: mma.sync
export def f(a: f16[n, l], b: f16[l, m]) -> f16[n, m] = a @ b
export def g(a: bf16[n, l], b: bf16[l, m]) -> f32[n, m] = for i, j { sum for k { f32(a[i, k]) * f32(b[k, j]) } }
export def rounded(a: f16[n, l], b: f16[l, m]) -> f16[n, m] = for i, j { sum for k { a[i, k] * b[k, j] } }
