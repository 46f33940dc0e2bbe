# Rows of different sizes in and out of exports: offsets and values. What is no
# offsets is refused before anything is read with them.
# RUN: arrc run %s --check 'r.offsets=[0, 2, 2, 5]' 'r.values=[1, 3, 2, 3, 5]' 2>&1 | FileCheck %s --check-prefix=OK
# OK: check: ok
# OK: s.offsets: i64[4] [0, 2, 2, 5]
# OK-NEXT: s.values: f32[5] [0.25, 0.75, 0.2, 0.3, 0.5]
# OK-NEXT: m: f32[3] [4, 0, 10]
# RUN: arrc run %s --check 'r.offsets=[0]' 'r.values=[]' 2>&1 | FileCheck %s --check-prefix=NONE
# NONE: check: ok
# NONE: s.offsets: i64[1] [0]
# As files, and all of a value in one file.
# RUN: arrc run %s 'r.offsets=[0, 2, 2, 5]' 'r.values=[1, 3, 2, 3, 5]' --output s=@%t.npz
# RUN: arrc run %s r=@%t.npz | FileCheck %s --check-prefix=FILES
# FILES: m: f32[3] [1, 0, 1]
# RUN: %exit_code 2 arrc run %s 'r.offsets=[]' 'r.values=[1]' 2>&1 | FileCheck %s --check-prefix=EMPTY
# EMPTY: 'r.offsets' is empty: it has one number more than there are rows
# RUN: %exit_code 2 arrc run %s 'r.offsets=[1, 2]' 'r.values=[1, 3]' 2>&1 | FileCheck %s --check-prefix=BEGIN
# BEGIN: 'r.offsets' begins with 1, not 0
# RUN: %exit_code 2 arrc run %s 'r.offsets=[0, 2, 4]' 'r.values=[1, 3, 2]' 2>&1 | FileCheck %s --check-prefix=END
# END: 'r.offsets' ends with 4, and there are 3 values
# RUN: %exit_code 2 arrc run %s 'r.offsets=[0, 777777777777, 1, 2]' 'r.values=[1, 3]' 2>&1 | FileCheck %s --check-prefix=FALLS
# FALLS: 'r.offsets' falls: a row ends before it begins
# RUN: arrc build %s --emit=header -o - | FileCheck %s --check-prefix=HEADER
# HEADER: r_offsets

export def f(r: f32[n, ?]) -> (s: f32[n, ?], m: f32[n]) {
  let m = for i { sum(r[i]) }
  let s: f32[n, ?] = for i { for j { r[i, j] / m[i] } }
  (s, m)
}
