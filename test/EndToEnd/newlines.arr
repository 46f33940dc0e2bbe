# Statements end at newlines; lines that begin with an operator go on.
# RUN: arrc run %s --check 'a=[1, 2]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check 'a=[1]' | FileCheck %s --check-prefix=R2
export def f(a: int[n]) -> int {
  let x = sum(a)
    + 1
    * 2
  let y = (x
    + 1)
  if x > 3
  {
    y
  }
  else
  {
    -y
  }
}

# R1: out: i64 6
# R2: out: i64 -4
