# Steps that assign all of several arrays but their edges, each from neighbours in
# the others, from what the step has just assigned and from what it assigns later:
# one loop over all of them must compute anew what it reads of neighbours, and
# read the old elements where the program does.
# RUN: arrc run %s --check --sanitize --entry fields 'h0=[[1, 2, 3], [4, 5, 6], [7, 8, 1]]' steps=0 | FileCheck %s --check-prefix=NONE
# RUN: arrc run %s --check --sanitize --entry fields 'h0=[[1, 2], [4, 5]]' steps=2 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --sanitize --entry fields 'h0=[[1, 2, 3], [4, 5, 6], [7, 8, 1]]' steps=3 2>&1 | FileCheck %s --check-prefix=FIELDS
# RUN: arrc run %s --check --sanitize --entry epidemic 'h0=[[1, 2], [4, 5]]' steps=2 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --sanitize --entry epidemic 'h0=[[1, 2, 3, 4, 2], [4, 5, 6, 1, 0], [7, 8, 1, 3, 3]]' steps=3 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --sanitize --entry twice 'h0=[[1, 2, 3, 4, 2], [4, 5, 6, 1, 0], [7, 8, 1, 3, 3]]' steps=3 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --sanitize --entry cells 'h0=[[1, 2, 3, 4, 2], [4, 5, 6, 1, 0], [7, 8, 1, 3, 3]]' steps=3 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --sanitize --entry cells 'h0=[[1, 2]]' steps=3 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --sanitize --entry walls 'h0=[[1, 2, 3, 4, 2], [4, 5, 6, 1, 0], [7, 8, 1, 3, 3]]' steps=3 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --sanitize --entry walls 'h0=[[1], [2]]' steps=3 2>&1 | FileCheck %s --check-prefix=OK
export def fields(h0: f64[n, m], steps: int) -> (ex: f64[n, m], ey: f64[n, m], hz: f64[n, m]) where n >= 2, m >= 2 {
  var (ex, ey, hz) = (h0, h0, h0)
  loop t in steps {
    ey[0, :] = f64(t)
    ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:end-1, :])
    ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :end-1])
    hz[:end-1, :end-1] -= 0.75 * (ex[:end-1, 1:] - ex[:end-1, :end-1] + ey[1:, :end-1] - ey[:end-1, :end-1])
  }
  (ex, ey, hz)
}

export def epidemic(h0: f64[n, m], steps: int) -> (s: f64[n, m], i: f64[n, m], r: f64[n, m]) where n >= 2, m >= 2 {
  var (s, i, r) = (h0, h0, h0)
  loop _ in steps {
    let lap = i[:end-2, 1:end-1] + i[2:, 1:end-1] + i[1:end-1, :end-2] + i[1:end-1, 2:] - 4 * i[1:end-1, 1:end-1]
    let sick = 0.25 * s[1:end-1, 1:end-1] * i[1:end-1, 1:end-1]
    let well = 0.125 * i[1:end-1, 1:end-1]
    s[1:end-1, 1:end-1] -= sick
    i[1:end-1, 1:end-1] += sick - well + 0.25 * lap
    r[1:end-1, 1:end-1] += well
    i[0, :] = i[1, :]
    i[end-1, :] = i[end-2, :]
    i[:, 0] = i[:, 1]
    i[:, end-1] = i[:, end-2]
  }
  (s, i, r)
}

# What is assigned first is read by what is assigned then, and the other way round
# in the next step; the sum is of what is between.
export def twice(h0: f64[n, m], steps: int) -> (a: f64[n, m], b: f64[n, m], sums: f64[steps]) where n >= 2, m >= 2 {
  var (a, b) = (h0, h0)
  var sums: f64[steps] = zeros(steps)
  loop t in steps {
    a[1:, :] += 0.5 * b[:end-1, :]
    sums[t] = sum(a)
    b[:, :end-1] -= 0.25 * (a[:, 1:] - a[:, :end-1])
    a[0, :] = b[end-1, :]
  }
  (a, b, sums)
}

struct Cell { h: f64, u: f64, v: f64 }
export def cells(h0: f64[n, m], steps: int) -> (q: Cell[n, m]) where n >= 1, m >= 2 {
  var q = for i in n, j in m { Cell(h0[i, j], 0.0, 0.0) }
  loop _ in steps {
    let e = extend(q, clamp)
    q = stencil i in n, j in m {
      Cell(h = e[i, j].h - 0.125 * (e[i+1, j].u - e[i-1, j].u + e[i, j+1].v - e[i, j-1].v),
           u = e[i, j].u - 0.125 * (e[i+1, j].h - e[i-1, j].h), v = e[i, j].v - 0.125 * (e[i, j+1].h - e[i, j-1].h))
    }
    q.u[0, :] = 0.0
    q.u[end-1, :] = 0.0
    q.v[:, 0] = -q.v[:, 1]
    q.v[:, end-1] = -q.v[:, end-2]
  }
  q
}

# Components of small vectors: those that leave through a wall come back.
export def walls(h0: f64[n, m], steps: int) -> f64[n, m, 4] where n >= 2 {
  var f = for i in n, j in m, q in 4 { h0[i, j] + 0.5 * q }
  loop _ in steps {
    let e = extend(f, clamp, wrap, none)
    f = stencil i in n, j in m {
      let p = [e[i, j-1, 0], e[i-1, j, 1], e[i, j+1, 2], e[i+1, j, 3]]
      let mean = 0.25 * sum(p)
      for q in 4 { 0.5 * (p[q] + mean) }
    }
    f[0, :, 1] = f[0, :, 3]
    f[end-1, :, 3] = f[end-1, :, 1]
    f[end-1, :, 0] = f[end-2, :, 2]
  }
  f
}

# NONE: ex: f64[3, 3] {{\[\[}}1, 2, 3], [4, 5, 6], [7, 8, 1]]
# FIELDS: check: ok
# OK: check: ok
