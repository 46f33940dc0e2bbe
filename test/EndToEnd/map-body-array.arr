# A body whose value is an array adds its dimensions.
# RUN: arrc run %s --check n=3 | FileCheck %s
export def f(n: int) -> int[n, 3] = for i in n { [i, i * i, 7] }

# CHECK: out: i64[3, 3] {{\[\[}}0, 0, 7], [1, 1, 7], [2, 4, 7]]
