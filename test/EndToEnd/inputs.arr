# Arguments that do not fit are refused by name.
# RUN: arrc run %s --check 'a=[[1.0, 2.0]]' 'b=[1.0, 2.0]' k=1 | FileCheck %s --check-prefix=R1
# RUN: %exit_code 2 arrc run %s --check 'a=[[1.0, 2.0]]' 'b=[1.0, 2.0, 3.0]' k=1 2>&1 | FileCheck %s --check-prefix=R2
# RUN: %exit_code 2 arrc run %s --check 'a=[1.0, 2.0]' 'b=[1.0, 2.0]' k=1 2>&1 | FileCheck %s --check-prefix=R3
# RUN: %exit_code 2 arrc run %s --check 'a=[[1.0, 2.0]]' 'b=[1.0, 2.0]' 2>&1 | FileCheck %s --check-prefix=R4
# RUN: %exit_code 2 arrc run %s --check 'a=[[1.0, 2.0]]' 'b=[1.0, 2.0]' k=1 z=3 2>&1 | FileCheck %s --check-prefix=R5
export def f(a: f32[n, m], b: f32[m], k: int) -> f32[n] = for i { a[i, k] + b[k] }

# R1: out: f32[1] [4]
# R2: b
# R3: a
# R4: k
# R5: z
