# a |> f(b) is f(b, a).
# RUN: arrc run %s --check 'a=[1, 2, 3]' | FileCheck %s
def add(k: int, a: int[n]) -> int[n] = a + k
export def f(a: int[n]) -> int =
  a |> add(10)
    |> reverse
    |> sum

# CHECK: out: i64 36
