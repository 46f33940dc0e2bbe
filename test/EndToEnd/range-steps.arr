# Steps of ranges that are only known when the program runs.
# RUN: arrc run %s --check n=10 step=3 | FileCheck %s --check-prefix=UP
# RUN: arrc run %s --check n=10 step=-3 | FileCheck %s --check-prefix=DOWN
# RUN: arrc run %s --check n=0 step=2 | FileCheck %s --check-prefix=NONE
# RUN: %exit_code 3 arrc run %s n=10 step=0 2>&1 | FileCheck %s --check-prefix=ZERO
export def steps(n: int, step: int) -> (up: int, down: int, last: int) {
  var last = -1
  loop k in 0:n:step { last = k }
  (sum for i in 0:n:step { i }, sum for i in n:0:step { i }, last)
}

# UP: up: i64 18
# UP: down: i64 0
# UP: last: i64 9
# DOWN: up: i64 0
# DOWN: down: i64 22
# DOWN: last: i64 -1
# NONE: up: i64 0
# NONE: last: i64 -1
# ZERO: range-steps.arr:8:13: error: the step of a range is 0
