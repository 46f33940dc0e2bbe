# Which cards multiply matrices of f64, and where that is not asked for.
# RUN: arrc build %s --target=cuda --arch=sm_90 --emit=ptx -o - | FileCheck %s
# RUN: arrc build %s --target=cuda --arch=sm_80 --emit=ptx -o - | FileCheck %s --check-prefix=OLDER
# RUN: arrc build %s --target=cuda --emit=ptx -o - | FileCheck %s --check-prefix=NONE
# RUN: arrc build %s --target=cuda --arch=sm_90 --reproducible --emit=ptx -o - | FileCheck %s --check-prefix=NONE
# RUN: arrc build %s --target=cuda --arch=sm_90 --fact matrix_f64=0 --emit=ptx -o - | FileCheck %s --check-prefix=NONE
# CHECK: mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64
# OLDER: mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64
# NONE: .visible .entry
# NONE-NOT: mma.sync
export def f(a: f64[n, l], b: f64[l, m]) -> f64[n, m] = a @ b
