# Functions that call functions on arrays; every one is inlined.
# RUN: arrc run %s --check 'x=[0, 1]' | FileCheck %s
def a1(x: int[n]) -> int[n] = x + 1
def a2(x: int[n]) -> int[n] = a1(a1(x))
def a4(x: int[n]) -> int[n] = a2(a2(x))
export def f(x: int[n]) -> int[n] = a4(a4(x)) * 2

# CHECK: out: i64[2] [16, 18]
