# Elements that are assigned in loops inside of a `for` and on the host: in their
# place, whatever reads the array before, in between and afterwards.
# RUN: arrc run %s --entry recurrence --check 'A=[[1, 2, 3, 4], [5, 6, 7, 8]]' | FileCheck %s --check-prefix=REC
# RUN: arrc run %s --entry twice --check 'v=[8, 1, 7, 2]' | FileCheck %s --check-prefix=TWICE
# RUN: arrc run %s --entry branches --check 'A=[[3, 1, 2, 0], [0, 2, 1, 3]]' | FileCheck %s --check-prefix=BRANCHES
# RUN: arrc run %s --entry kept --check 'A=[[1, 2, 3], [4, 5, 6]]' | FileCheck %s --check-prefix=KEPT
# RUN: arrc run %s --entry sorted --check 'A=[[3, 1, 2, 0], [9, 2, 7, 3]]' | FileCheck %s --check-prefix=SORTED
# RUN: arrc run %s --entry swapped --check 'A=[[1, 2, 3], [4, 5, 6]]' | FileCheck %s --check-prefix=SWAPPED
# RUN: arrc run %s --entry looked --check 'A=[[1, 2, 3], [4, 5, 6]]' | FileCheck %s --check-prefix=LOOKED
# RUN: arrc run %s --entry outer --check 'A=[[1, 2, 3], [4, 5, 6]]' | FileCheck %s --check-prefix=OUTER

# REC: L: i64[2, 4] {{\[\[}}1, 1, 2, 2], [5, 1, 6, 2{{\]\]}}
export def recurrence(A: int[B, n]) -> (L: int[B, n]) =
  for b in B {
    var a = A[b]
    loop j in 1:n { a[j] -= a[j-1] }
    a
  }

# What was assigned last is read, not what lies beside it.
# TWICE: a: i64[4] [8, 10, 18, 21]
export def twice(v: int[n]) -> (a: int[n]) {
  var a = v
  loop j in 1:n {
    a[j] += a[j-1]
    a[j-1] += 0
    a[j] += 1
  }
  a
}

# BRANCHES: out: i64[2, 4] {{\[\[}}3, -1, 2, -5], [0, 2, -1, 3{{\]\]}}
export def branches(A: int[B, n]) -> int[B, n] =
  for b in B {
    var a = A[b]
    loop j in 1:n {
      if a[j] < abs(a[j-1]) {
        let old = a[j]
        if old == 0 { a[j] = -5 } else { if old % 2 == 1 { a[j] = -old } }
      }
    }
    a
  }

# The array before the loop is read behind it.
# KEPT: out: i64[2, 3] {{\[\[}}2, 5, 9], [8, 14, 21{{\]\]}}
export def kept(A: int[B, n]) -> int[B, n] =
  for b in B {
    var a = 1 * A[b]
    let before = a
    loop j in 1:n { a[j] += a[j-1] }
    a + before
  }

# SORTED: out: i64[2, 4] {{\[\[}}0, 1, 2, 3], [2, 3, 7, 9{{\]\]}}
export def sorted(A: int[B, n]) -> int[B, n] =
  for b in B {
    var a = A[b]
    loop i in 1:n {
      var j = i
      while j > 0 and a[max(j - 1, 0)] > a[min(j, n - 1)] {
        let t = a[j]
        a[j] = a[j-1]
        a[j-1] = t
        j -= 1
      }
    }
    a
  }

# SWAPPED: out: i64[2, 3] {{\[\[}}10031, 22002, 30013], [40064, 55005, 60046{{\]\]}}
export def swapped(A: int[B, n]) -> int[B, n] =
  for b in B {
    var x = A[b]
    var y = 10 * A[b]
    loop j in n {
      x[j] += y[n - 1 - j]
      (x, y) = (y, x)
    }
    for j { 1000 * x[j] + y[j] }
  }

# A view of the array is read behind the assignment.
# LOOKED: out: i64[2, 3] {{\[\[}}3, 2, 1], [6, 5, 4{{\]\]}}
export def looked(A: int[B, n]) -> int[B, n] =
  for b in B {
    var a = A[b]
    loop j in n {
      let r = reverse(a)
      if j == n - 1 {
        a[j] = r[j]
        a[0] = r[0]
      }
    }
    a
  }

# A loop of loops, and a second array that the first begins with.
# OUTER: out: i64[2, 3] {{\[\[}}6, 9, 19], [24, 27, 49{{\]\]}}
export def outer(A: int[B, n]) -> int[B, n] =
  for b in B {
    var a = A[b]
    var c = a
    loop i in 2 {
      loop j in 1:n { a[j] += a[j-1] }
      loop j in n { c[j] += a[j] }
    }
    c + for j { if j == 0 { 3 * a[j] } else { 0 } }
  }
