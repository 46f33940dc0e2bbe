# Time loops whose steps read numbers of a series, by the step and by counters:
# elements take their steps alone; of neighbours the device keeps the loop. Numbers
# are small, so that every order gives the same.
# REQUIRES: cuda-emulator
# RUN: arrc run %s --check --entry driven 'x=[1, 2, 3]' 's=[[1, 2], [3, 4], [5, 6]]' | FileCheck %s --check-prefix=DRIVEN
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --check --target=cuda --entry driven 'x=[1, 2, 3]' 's=[[1, 2], [3, 4], [5, 6]]' 2>&1 | FileCheck %s --check-prefix=DRIVEN
# DRIVEN-NOT: W0206
# DRIVEN: a: i64[3] [26, 52, 78]
# DRIVEN: b: i64[3] [94, 188, 282]
# DRIVEN: c: i64 7
# RUN: arrc run %s --check --entry driven 'x=[1, 2, 3]' 's=zeros(0, 2)' | FileCheck %s --check-prefix=STILL
# RUN: %emulate arrc run %s --check --target=cuda --entry driven 'x=[1, 2, 3]' 's=zeros(0, 2)' 2>&1 | FileCheck %s --check-prefix=STILL
# STILL: a: i64[3] [1, 2, 3]
# STILL: c: i64 0
# RUN: arrc run %s --check --entry counted 'x=[1, 2]' 's=[1, 2, 3, 4, 5]' | FileCheck %s --check-prefix=COUNTED
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --check --target=cuda --entry counted 'x=[1, 2]' 's=[1, 2, 3, 4, 5]' 2>&1 | FileCheck %s --check-prefix=COUNTED
# COUNTED-NOT: W0206
# COUNTED: up: i64[2] [58, 116]
# COUNTED: down: i64[2] [130, 260]
# COUNTED: pairs: i64[2] [13, 26]
# COUNTED: i: i64 5
# COUNTED: j: i64 0
# RUN: arrc run %s --check --entry neighbours 'x=[1, 2, 4]' 's=[1, 2]' | FileCheck %s --check-prefix=NEXT
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --check --target=cuda --entry neighbours 'x=[1, 2, 4]' 's=[1, 2]' 2>&1 | FileCheck %s --check-prefix=NEXT
# NEXT-NOT: W0206
# NEXT: by_step: i64[3] [-3, 5, 11]
# NEXT: by_counter: i64[3] [-3, 5, 11]
# NEXT: until: i64[3] [-3, 5, 11]
# RUN: not arrc run %s --entry outside 'x=[1, 2]' 's=[1, 2]' 2>&1 | FileCheck %s --check-prefix=OUTSIDE
# RUN: not %emulate arrc run %s --target=cuda --entry outside 'x=[1, 2]' 's=[1, 2]' 2>&1 | FileCheck %s --check-prefix=OUTSIDE
# OUTSIDE: driven-loops.arr:[[#]]:21: error: index 2 is outside of a dimension of size 2

# Two states, a number that goes along, reads from the end and of the last step,
# a choice.
export def driven(x: int[n], s: int[k, 2]) -> (a: int[n], b: int[n], c: int) {
  var (a, b, c) = (x, x, 0)
  loop t in k {
    c = 2 * c + s[t, 0]
    if s[t, 1] > 4 { c -= s[max(t - 1, 0), 1] * 2 }
    a = a + c * x + s[k - 1 - t, 1] * x
    b = b + 2 * a - s[t, 0] * x
  }
  (a, b, c)
}

export def counted(x: int[n], s: int[k]) -> (up: int[n], down: int[n], pairs: int[n], i: int, j: int) {
  var (up, down, pairs) = (x, x, x)
  var (i, j, p) = (0, k, 0)
  while i < k {
    up = 2 * up + s[i] * x - x
    i += 1
  }
  while 0 < j {
    down = 2 * down + s[j - 1] * x - x
    j -= 1
  }
  loop t in k // 2 {
    pairs = pairs * s[p] + s[p + 1] * x
    p += 2
  }
  (up, down, pairs, i, j)
}

def push(u: int[n], by: int) -> int[n] {
  let v = extend(u, clamp)
  stencil i in n { v[i] + by * (v[i+1] - v[i-1]) }
}
export def neighbours(x: int[n], s: int[k]) -> (by_step: int[n], by_counter: int[n], until: int[n]) {
  var (u, v, w) = (x, x, x)
  var (i, j) = (0, 0)
  loop t in k { u = push(u, s[t] * s[t] - s[k - 1 - t]) }
  loop t in k {
    v = push(v, s[i] * s[i] - s[k - 1 - i])
    i += 1
  }
  while j < k {
    w = push(w, s[j] * s[j] - s[k - 1 - j])
    j += 1
  }
  (u, v, w)
}

export def outside(x: int[n], s: int[k]) -> int[n] {
  var (a, j) = (x, 0)
  loop t in k + 1 {
    a = 2 * a + x * s[j]
    j += 1
  }
  a
}
