# Schedules that a program asks for are obeyed, or refused with the reason; the
# result is the same.
# RUN: arrc run %s --check --entry tiled 'a=[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry rows 'a=[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]' | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry ordered 'a=[1.0, 2.0, 3.0]' | FileCheck %s --check-prefix=R3
# RUN: arrc run %s --check --entry ordered_sum 'a=[1.0, 2.0, 3.0]' | FileCheck %s --check-prefix=R4
# RUN: arrc run %s --check --entry unrolled n=1000 | FileCheck %s --check-prefix=R5
# RUN: arrc run %s --check --entry kept 'a=[1.0, 2.0, 3.0]' | FileCheck %s --check-prefix=R3
# RUN: arrc run %s --check --entry inner 'a=[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]' 2>&1 | FileCheck %s --check-prefix=R6

# RUN: arrc build %s --target=cpu --emit=buffers -o %t 2>&1 | FileCheck %s --check-prefix=REFUSED
# RUN: FileCheck %s --check-prefix=CPU < %t
# RUN: arrc build %s --target=cuda --emit=buffers -o %t 2>&1 | FileCheck %s --check-prefixes=REFUSED,DEVICE
# RUN: FileCheck %s --check-prefix=CUDA < %t
export def tiled(a: f32[n, m]) -> f32[n, m] = @tile(8, 32) for i in n, j in m { a[i, j] * 2.0 }
export def rows(a: f32[n, m]) -> f32[n] = @tile(64) for i in n { sum for j in m { a[i, j] } }
export def ordered(a: f32[n]) -> f32[n] = @seq for i in n { a[i] + 1.0 }
export def ordered_sum(a: f32[n]) -> f32 = @seq sum for i in n { a[i] }
export def unrolled(n: int) -> f32 {
  let a = @unroll(4) for i in n { f32(i) }
  sum(a)
}
# Not computed where it is read: its schedule is its own.
export def kept(a: f32[n]) -> f32[n] {
  let b = @tile(32) for i in n { a[i] + 2.0 }
  for i in n { b[i] - 1.0 }
}
export def inner(a: f32[n, m]) -> f32[n] = for i in n { @seq sum for j in m { a[i, j] } }
export def folded(a: f32[n]) -> f32 = @tile(32) sum for i in n { a[i] }
export def statements(a: f32[n]) -> f32 {
  var s: f32 = 0.0
  @unroll(2) loop k in n { s += a[k] }
  s
}
export def large(a: f32[n, m]) -> f32[n, m] = @tile(64, 64) for i in n, j in m { a[i, j] * 3.0 }

# R1: out: f32[2, 3]
# R1: [2, 4, 6], [8, 10, 12]
# R2: out: f32[2] [6, 15]
# R3: out: f32[3] [2, 3, 4]
# R4: out: f32 6
# R5: out: f32 499500
# R6: out: f32[2] [6, 15]

# REFUSED-DAG: written-schedules.arr:28:57: warning: '@seq' is not obeyed: it stands inside of another 'for', which is the kernel; write it before that one; the compiler chooses
# REFUSED-DAG: written-schedules.arr:29:39: warning: '@tile' is not obeyed: how a reduction is cut decides the order of its sum; the compiler chooses
# REFUSED-DAG: written-schedules.arr:32:3: warning: '@unroll' is not obeyed: a loop of statements keeps its body once; the compiler chooses
# DEVICE-DAG: written-schedules.arr:35:47: warning: '@tile' is not obeyed: a block would have 4096 threads, and the device allows 1024; the compiler chooses

# CPU: @tiled_{{.*}} schedule #kernel.schedule<i = [block.1, seq 8], j = [block.0, seq 32], order = [i.0, j.0, i.1, j.1]>
# CPU: @rows_{{.*}} schedule #kernel.schedule<i = [block.0, seq 64], order = [i.0, i.1]>
# CPU: @ordered_{{.*}} schedule #kernel.schedule<i = [seq]>
# CPU: @ordered_sum_{{.*}} schedule #kernel.schedule<i = [seq]>
# CPU: @unrolled_{{.*}} schedule #kernel.schedule<i = [block.0, seq 256, unroll 4], order = [i.0, i.1, i.2]>
# CPU: @kept_{{.*}} schedule #kernel.schedule<i = [block.0, seq 32], order = [i.0, i.1]>

# CUDA: @tiled_{{.*}} schedule #kernel.schedule<i = [block.1, thread.y 8], j = [block.0, thread.x 32], order = [i.0, j.0, i.1, j.1]>
# CUDA: @rows_{{.*}} schedule #kernel.schedule<i = [block.0, thread.x 64], order = [i.0, i.1]>
# CUDA: @ordered_{{.*}} schedule #kernel.schedule<i = [seq]>
# CUDA: @ordered_sum_{{.*}} schedule #kernel.schedule<i = [seq]>
# CUDA: @unrolled_{{.*}} schedule #kernel.schedule<i = [block.0, unroll 4, thread.x 128], order = [i.0, i.1, i.2]>
# CUDA: @kept_{{.*}} schedule #kernel.schedule<i = [block.0, thread.x 32], order = [i.0, i.1]>
