# `@split(d)` has devices share index d of a 'for': its kernel is cut along that
# index alone. Where there is one device nothing changes.
# RUN: arrc build %s --emit=partitioned -o %t > %t.said 2>&1
# RUN: FileCheck %s --check-prefix=PLAN < %t
# RUN: FileCheck %s --check-prefix=SAID < %t.said
# RUN: arrc build %s --target=cuda --emit=buffers -o - 2>&1 | FileCheck %s --check-prefix=ONE
# RUN: arrc fmt --check %s
# RUN: %python -c "import numpy as np; np.save('%t.a.npy', (np.arange(33 * 2100) % 101).reshape(33, 2100)); np.save('%t.p.npy', np.arange(5 * 7 * 300).reshape(5, 7, 300)); np.save('%t.k.npy', np.arange(5000) ** 2)"
# RUN: arrc run %s --check --entry columns 'a=[[1, 2, 3], [4, 5, 6]]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry columns a=@%t.a.npy
# RUN: arrc run %s --check --entry columns 'a=full(1, 0, 5)'
# RUN: arrc run %s --check --entry columns 'a=full(1, 5, 0)'
# RUN: arrc run %s --check --entry columns 'a=[[7]]'
# RUN: arrc run %s --check --entry blur 'a=[[1, 2, 3], [4, 5, 6]]' | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry blur a=@%t.a.npy
# RUN: arrc run %s --check --entry planes a=@%t.p.npy
# RUN: arrc run %s --check --entry sums a=@%t.a.npy
# RUN: arrc run %s --check --entry bins k=@%t.k.npy | FileCheck %s --check-prefix=R3
# RUN: arrc run %s --check --entry folded a=@%t.a.npy
# RUN: arrc run %s --check --entry running a=@%t.k.npy
# RUN: arrc run %s --check --entry placed 'p=[2, 0, 1]' 'v=[8, 7, 9]' | FileCheck %s --check-prefix=R4
export def columns(a: int[n, m]) -> int[n, m] = @split(1) for i, j { a[i, j] * 2 }
export def blur(a: int[n, m]) -> int[n, m] {
  let u = extend(a, clamp)
  @split(1) stencil i in n, j in m { u[i, j-1] + u[i, j+1] + u[i-1, j] }
}
export def planes(a: int[n, m, k]) -> int[n, m, k] = @split(1) for i, j, l { a[i, j, l] + 1 }
export def sums(a: int[n, m]) -> int[n] = @split(0) for i { sum for j { a[i, j] } }
export def bins(k: int[n]) -> int[16] = @split(0) hist((+), 0, 16) for i { (k[i] % 16, 1) }
export def folded(a: int[n, m]) -> int[n] = for i { @split(0) sum for j { a[i, j] } }
export def running(a: int[n]) -> int[n] = @split(0) scan((+)) for i { a[i] }
export def placed(p: int[n], v: int[n]) -> int[n] {
  let z = for i in n { 0 }
  @split(0) scatter(z) for i { (p[i], v[i]) }
}

# R1: out: i64[2, 3] {{\[\[2, 4, 6\], \[8, 10, 12\]\]}}
# R2: out: i64[2, 3] {{\[\[4, 6, 8\], \[10, 12, 14\]\]}}
# R3: out: i64[16] [1250, 1250, 0, 0, 1250, 0, 0, 0, 0, 1250, 0, 0, 0, 0, 0, 0]
# R4: out: i64[3] [7, 9, 8]

# PLAN: kernel.launch @columns_{{.*}}loop = 1 : i64}], whole = {{.*}}kernel.split = "j"
# PLAN: kernel.launch @blur_{{.*}}loop = 1 : i64}], whole = {{.*}}kernel.split = "j"
# PLAN: kernel.launch @planes_{{.*}}loop = 1 : i64}], whole = {{.*}}kernel.split = "j"
# PLAN: kernel.launch @sums_{{.*}}loop = 0 : i64}], whole = {{.*}}kernel.split = "i"
# PLAN: kernel.launch @bins_{{.*}}loop = 0 : i64}], whole = {{.*}}kernel.split = "i"

# SAID-NOT: warning
# SAID: split-dimension.arr:{{[0-9]+}}:53: warning: '@split' is not obeyed: it stands inside of another 'for', which is the kernel; write it before that one; the compiler chooses
# SAID-NOT: warning
# SAID: split-dimension.arr:{{[0-9]+}}:3: warning: '@split' is not obeyed: every part would write 'out', at the same places or at places that depend on data; the compiler chooses
# SAID-NOT: warning

# ONE-NOT: kernel.split
# ONE-NOT: warning: '@split'
