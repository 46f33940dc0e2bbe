# Places of extrema are folded by all threads of a card, as extrema are: rows by
# warps, everything by many blocks of which the last finishes, columns by lanes;
# with the extremum itself in one kernel.
# RUN: arrc build %s --target=cuda --emit=scheduled -o - | FileCheck %s
# RUN: arrc build %s --target=cuda --emit=kernel -o - | FileCheck %s --check-prefix=KERNELS
export def rows(a: f32[n, m]) -> int[n] = argmin(a, axis = 1)
export def everything(a: f32[n]) -> int = argmax(a)
export def columns(a: f32[n, m]) -> int[m] = argmin(a, axis = 0)
export def both(a: f32[n]) -> (f32, int) = (max(a), argmax(a))

# CHECK-LABEL: func.func @rows
# CHECK: kernel.for "{{.*}}" (%{{.*}}) in 32 at thread.x reduce (%{{.*}}, %{{.*}} : f32, index)
# CHECK-LABEL: func.func @everything
# CHECK: kernel.for "{{.*}}" (%{{.*}}) in {{.*}} at block.0
# CHECK: kernel.for "{{.*}}" (%{{.*}}) in 256 at thread.x reduce (%{{.*}}, %{{.*}} : f32, index)
# CHECK-LABEL: func.func @columns
# CHECK: kernel.for "{{.*}}" (%{{.*}}) in {{[0-9]+}} at thread.x

# KERNELS-LABEL: func.func @both
# KERNELS: kernel.launch
# KERNELS: reduce (%{{.*}}, %{{.*}}, %{{.*}} : f32, f32, index)
# KERNELS-NOT: kernel.launch
