# Arrays of a `for` that change their size: in loops, in branches, in
# loops of loops.
# RUN: arrc run %s --entry shrink --check "v=[1, 2, 3]" B=2 | FileCheck %s --check-prefix=SHRINK
# RUN: arrc run %s --entry filter --check "v=[0, 1, 5]" B=1 | FileCheck %s --check-prefix=FILTER
# RUN: arrc run %s --entry grow --check "v=[1, 2, 3]" B=2 | FileCheck %s --check-prefix=GROW
# RUN: arrc run %s --entry branch --check "v=[1, 2, 3]" B=3 | FileCheck %s --check-prefix=BRANCH
# RUN: arrc run %s --entry chosen --check "v=[1, 2, 3]" c=false | FileCheck %s --check-prefix=CHOSEN
# RUN: arrc run %s --entry rows --check "v=[1, 2, 3]" B=2 | FileCheck %s --check-prefix=ROWS
# RUN: arrc run %s --entry nested --check B=2 C=3 | FileCheck %s --check-prefix=NESTED

# SHRINK: out: i64[2] [3, 3]
export def shrink(v: int[n], B: int) -> int[B] =
  for b in B {
    var x: int[?] = v
    var i = 0
    while size(x) > 1 and i < 9 {
      x = x[1:]
      i += 1
    }
    sum(x)
  }

# FILTER: out: i64[1] [1]
export def filter(v: int[n], B: int) -> int[B] =
  for b in B {
    var x: int[?] = v
    loop i in 2 { x = for y in x if y != i { y } }
    size(x)
  }

# GROW: out: i64[2, 3] {{\[\[}}1, 3, 3], [1, 3, 9]]
export def grow(v: int[n], B: int) -> int[B, 3] =
  for b in B {
    var x: int[?] = v
    loop k in 2 * b { x = concat(x, v) }
    [x[0], x[size(x) - 1], size(x)]
  }

# BRANCH: out: i64[3] [9, 7, 9]
export def branch(v: int[n], B: int) -> int[B] =
  for b in B {
    var x: int[?] = v
    if b % 2 == 1 { x = x[1:] }
    sum(x) + size(x)
  }

# CHOSEN: out: i64[3] [1, 2, 3]
export def chosen(v: int[n], c: bool) -> int[?] {
  var x: int[?] = v
  if c { x = x[1:] }
  x
}

# ROWS: out: i64[2, 3] {{\[\[}}1, 2, 3], [2, 3, 0]]
export def rows(v: int[n], B: int) -> int[B, n] =
  for b in B {
    var x: int[?] = v
    loop k in b { x = x[1:] }
    loop k in b { x = concat(x, [0]) }
    x
  }

# NESTED: out: i64[2, 3] {{\[\[}}0, 1, 3], [1, 3, 6]]
export def nested(B: int, C: int) -> int[B, C] =
  for b in B {
    for c in C {
      var x: int[?] = [0]
      loop i in b + c { x = concat(x, [i + 1]) }
      sum for y in x { y }
    }
  }
