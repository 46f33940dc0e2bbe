# Slices that no step changes are checked in front of a loop, if it has a step.
# RUN: arrc run %s --check --entry slices 'a=[[1,2,3],[4,5,6],[7,8,9]]' steps=2 | FileCheck %s
# RUN: arrc run %s --check --entry rows 'a=[[1,2],[3,4]]' steps=3 | FileCheck %s --check-prefix=ROWS
# RUN: arrc run %s --check --entry slices 'a=[[1]]' steps=0 | FileCheck %s --check-prefix=NONE
# RUN: %exit_code 3 arrc run %s --entry slices 'a=[[1]]' steps=1 2>&1 | FileCheck %s --check-prefix=STEP
# RUN: %exit_code 3 arrc run %s --entry rows 'a=[[1,2],[3,4]]' steps=9 2>&1 | FileCheck %s --check-prefix=FIRST

# CHECK: out: i64[3, 3] {{\[\[}}1, 2, 3], [4, 45, 6], [7, 8, 9{{\]\]}}
# NONE: out: i64[1, 1] {{\[\[}}1{{\]\]}}
# STEP: slice 0:-1 is not inside of a dimension of size 1
export def slices(a: int[n, n], steps: int) -> int[n, n] {
  var b = a
  loop _ in steps {
    b[1:n-1, 1:n-1] += b[:n-2, 1:n-1] + b[2:, 1:n-1] + b[1:n-1, :n-2] + b[1:n-1, 2:]
  }
  b
}

# ROWS: out: i64[2, 2] {{\[\[}}1, 2], [5, 6{{\]\]}}
# FIRST: index 4 is outside of a dimension of size 4
export def rows(a: int[n, n], steps: int) -> int[n, n] {
  let order = [1, 0, 1, 1]
  var b = a
  loop t in steps {
    b[order[t], :] += order[t]
    b[n-1, :n-1] += 0
  }
  b
}
