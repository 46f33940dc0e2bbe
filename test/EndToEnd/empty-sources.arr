# A body goes on behind a failed check. Nothing is read or written of an array
# that is empty, or shorter than what is assigned, in its place.
# REQUIRES: numpy
# RUN: %python -c "import numpy as np; np.save('%t.npy', np.ones((0, 4000), np.float32))"
# RUN: %exit_code 3 arrc run %s --sanitize --entry rows a=@%t.npy k=[0,1] 2>&1 | FileCheck %s
# RUN: %exit_code 3 arrc run %s --sanitize --entry columns 'a=full(1.0, 0, 3)' k=[0,1] 2>&1 | FileCheck %s
# RUN: %exit_code 3 arrc run %s --sanitize --entry views a=@%t.npy k=[0,1] 2>&1 | FileCheck %s --check-prefix=EMPTY
# RUN: %exit_code 3 arrc run %s --sanitize --entry view a=@%t.npy k=1 2>&1 | FileCheck %s --check-prefix=EMPTY
# RUN: %exit_code 3 arrc run %s --sanitize --entry elements 'a=full(1.0, 0)' k=[0,1] 2>&1 | FileCheck %s
# RUN: %exit_code 3 arrc run %s --sanitize --entry put a=@%t.npy k=[0,1] 2>&1 | FileCheck %s
# RUN: %exit_code 3 arrc run %s --sanitize --entry part 'a=full(1.0, 2)' k=[0,1] 2>&1 | FileCheck %s --check-prefix=PART
# CHECK: error: index {{.*}} is outside of a dimension of size 0
# EMPTY: error: index {{.*}} into an empty array of size 0
# PART: error: slice 0:4 is not inside of a dimension of size 2
# With elements they work.
# RUN: arrc run %s --check --entry rows 'a=full(1.0, 2, 40)' k=[0,1] 2>&1 | FileCheck %s --check-prefix=ROWS
# RUN: arrc run %s --check --entry columns 'a=full(1.0, 2, 3)' k=[0,1] 2>&1 | FileCheck %s --check-prefix=COLUMNS
# RUN: arrc run %s --check --entry views 'a=full(1.0, 2, 40)' k=[0,5] 2>&1 | FileCheck %s --check-prefix=ROWS
# RUN: arrc run %s --check --entry elements 'a=full(1.0, 2)' k=[0,1] 2>&1 | FileCheck %s --check-prefix=ELEMENTS
# RUN: arrc run %s --check --entry put 'a=full(1.0, 2, 40)' k=[0,1] 2>&1 | FileCheck %s --check-prefix=PUT
# RUN: arrc run %s --check --entry part 'a=full(1.0, 5)' k=[0,1] 2>&1 | FileCheck %s --check-prefix=PARTS
# Where a branch keeps reads from what is empty, they stay in it.
# RUN: arrc run %s --check --sanitize --entry branch 'a=full(1.0, 0, 3)' k=[0,1] 2>&1 | FileCheck %s --check-prefix=BRANCH
# RUN: arrc run %s --check --sanitize --entry shown a=[] k=[0,1] 2>&1 | FileCheck %s --check-prefix=BRANCH
# BRANCH: out: f32[2] [7, 7]
# Room for what a loop needs that never runs.
# RUN: arrc run %s --check --entry room a=[1,2,3] n=0 2>&1 | FileCheck %s --check-prefix=ROOM
# ROOM: out: i64 0
# ROWS: out: f32[2] [40, 40]
# COLUMNS: out: f32[2] [2, 2]
# ELEMENTS: out: f32[2] [4, 4]
# PUT: out: f32[2] [120, 120]
# PARTS: out: f32[2] [11, 12]
export def rows(a: f32[n, m], k: int[p]) -> f32[p] = for i in p {
  let r = a[k[i]]
  sum(r)
}
export def columns(a: f32[n, 3], k: int[p]) -> f32[p] = for i in p {
  let r = a[k[i]]
  r[0] + r[2]
}
export def views(a: f32[n, m], k: int[p]) -> f32[p] {
  let e = extend(a, clamp, none)
  for i in p { sum(e[k[i]]) }
}
export def view(a: f32[n, m], k: int) -> f32 {
  let e = extend(a, clamp, none)
  sum(e[k])
}
export def elements(a: f32[n], k: int[p]) -> f32[p] = for i in p {
  var v = for j in n { a[j] }
  v[k[i]] = 1.0
  v[k[i]] += 2.0
  sum(v)
}
export def put(a: f32[n, m], k: int[p]) -> f32[p] = for i in p {
  var v = a
  v[k[i]] = 2.0
  sum(v)
}
export def part(a: f32[n], k: int[p]) -> f32[p] = for i in p {
  var v = for j in n { a[j] + k[i] }
  v[0:4] = [1.0, 2.0, 3.0, 4.0]
  sum(v)
}
export def branch(a: f32[n, 3], k: int[p]) -> f32[p] = for i in p {
  if n > 0 {
    let r = a[k[i] % n]
    r[0] + r[2]
  } else {
    7.0
  }
}
export def shown(a: f32[n], k: int[p]) -> f32[p] {
  let b = concat(a, a)[0:n]
  for i in p { if n > 0 { b[k[i] % n] } else { 7.0 } }
}
export def room(a: f32[m], n: int) -> int = sum for i in n {
  sum for j in 1:n {
    var v: f32[?] = a
    loop q in 3 { v = v[min(1, size(v)):] }
    size(v)
  }
}
