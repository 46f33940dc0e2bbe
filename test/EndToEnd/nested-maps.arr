# Maps in maps in reductions; sizes 0 and 1.
# RUN: arrc run %s --check 'a=[1, 2]' 'b=[3, 4, 5]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check 'a=[]' 'b=[3]' | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check 'a=[2]' 'b=[]' | FileCheck %s --check-prefix=R3
export def f(a: int[n], b: int[m]) -> (x: int[n, m], y: int[n], z: int) {
  let x = for i in n { for j in m { a[i] * b[j] } }
  let y = for i in n { sum for j in m { let t = for k in 2 { a[i] + k }
    sum(t) * b[j] } }
  (x, y, max for i in n { sum(x[i]) + y[i] })
}

# R1: x: i64[2, 3] {{\[\[}}3, 4, 5], [6, 8, 10]]
# R1: y: i64[2] [36, 60]
# R1: z: i64 84
# R2: x: i64[0, 1] []
# R2: y: i64[0] []
# R2: z: i64 -9223372036854775808
# R3: x: i64[1, 0] []
# R3: y: i64[1] [0]
# R3: z: i64 0
