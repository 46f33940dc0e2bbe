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
