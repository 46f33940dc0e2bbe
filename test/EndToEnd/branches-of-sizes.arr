# One of two arrays of different sizes: a branch that only chooses is no array of
# chosen elements. At the top, in loops and in bodies; rows of different lengths.
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry chosen 'x=[1, 2, 3, 4, 5]' 'y=[7, 8]' p=true 2>&1 | FileCheck %s --check-prefix=YES
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry chosen 'x=[1, 2, 3, 4, 5]' 'y=[7, 8]' p=false 2>&1 | FileCheck %s --check-prefix=NO
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry chosen 'x=[]' 'y=[7, 8]' p=false 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry looped 'x=[1, 2, 3, 4, 5]' 'y=[7, 8]' k=3 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry looped 'x=[1, 2, 3]' 'y=[7, 8, 9, 10]' k=2 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry looped 'x=[1, 2, 3]' 'y=[7, 8, 9, 10]' k=0 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry bodies 'x=[1, 2, 3, 4, 5]' 'y=[7, 8]' 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry bodies 'x=[1, 2, 3, 4, 5]' 'y=[7, 8]' -O0 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry ragged 'b=[2, 1, 3, 0, 5]' p=true 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry ragged 'b=[2, 1, 3, 0, 5]' p=false 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --sanitize --entry ragged 'b=[2, 1, 3, 0, 5]' p=false 2>&1 | FileCheck %s --check-prefix=RAGGED
# RUN: %if cuda-emulator %{ env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry chosen 'x=[1, 2, 3, 4, 5]' 'y=[7, 8]' p=false 2>&1 | FileCheck %s --check-prefix=NO %}
# RUN: %if cuda-emulator %{ env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry looped 'x=[1, 2, 3, 4, 5]' 'y=[7, 8]' k=3 2>&1 | FileCheck %s %}
# RUN: %if cuda-emulator %{ env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry bodies 'x=[1, 2, 3, 4, 5]' 'y=[7, 8]' 2>&1 | FileCheck %s %}
# RUN: %if cuda-emulator %{ env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry ragged 'b=[2, 1, 3, 0, 5]' p=false 2>&1 | FileCheck %s %}
# CHECK: check: ok
# YES: check: ok
# YES: a: f32[2] [7, 8]
# YES-NEXT: s: f32 15
# NO: check: ok
# NO: a: f32[5] [1, 2, 3, 4, 5]
# NO-NEXT: s: f32 15
# RAGGED: out: i64[5] [1, 1, 9, 0, 30]

export def chosen(x: f32[n], y: f32[m], p: bool) -> (a: f32[?], s: f32, c: f32[?], d: f32[?], e: f32[?]) {
  var a: f32[?] = x
  if p { a = y }
  var b: f32[?] = y
  if p { b = x }
  (a, sum(a), a * 2.0, reverse(b), concat(a, b))
}

export def looped(x: f32[n], y: f32[m], k: int) -> (a: f32[?], s: f32, t: f32[k]) where k >= 0 {
  var a: f32[?] = x
  var s: f32 = 0.0
  var t = zeros(k)
  loop i in k {
    s = s + sum(a)
    if s > 10.0 { a = y }
    t[i] = f32(size(a, 0))
    if i % 2 == 1 { a = x }
  }
  (a, s, t)
}

export def bodies(x: f32[n], y: f32[m]) -> f32[n] =
  for i in n {
    var a: f32[?] = x
    if x[i] > 2.0 { a = y }
    sum(a) + (sum for v in a if v > 1.5 { v })
  }

export def ragged(b: int[n], p: bool) -> int[n] {
  var r: int[n, ?] = for i in n { for j in b[i] { i + j } }
  let q: int[n, ?] = for i in n { for j in r[i] if j > 2 { j } }
  loop t in 2 { if p { r = q } }
  for i in n { sum for l { r[i, l] } }
}
