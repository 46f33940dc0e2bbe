# Ranges, loops and histograms over what arrays give, which may be anything: each
# ends with the first index that is outside, in the same error on every target.
# RUN: arrc run %s --check --entry all 'r=[0, 2, 5]' 'v=[3, 1, 2, 0, 4]' k=2 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry all 'r=[2, 0, 2]' 'v=[3, 1, 2, 0, 4]' k=3 2>&1 | FileCheck %s --check-prefix=OK
# RUN: for e in stepped whiles branches counted binned; do %exit_code 3 arrc run %s --entry $e 'r=[0, 2**62, 5]' 'v=[1, 2, 1, 1]' k=3 2>&1 | FileCheck %s --check-prefix=OUT; done
# RUN: for e in stepped whiles kept best put nested; do %exit_code 3 arrc run %s --entry $e 'r=[0, 2**62, 5]' 'v=[1, 2, 1, 1]' k=3 -O0 2>&1 | FileCheck %s --check-prefix=OUT; done
# RUN: %if cuda-emulator %{ for e in stepped whiles branches counted binned kept nested; do %exit_code 3 %emulate arrc run %s --target=cuda --entry $e 'r=[0, 2**62, 5]' 'v=[1, 2, 1, 1]' k=3 2>&1 | FileCheck %s --check-prefix=OUT; done %}
# RUN: %if cuda-emulator %{ %emulate arrc run %s --target=cuda --check --entry all 'r=[0, 2, 5]' 'v=[3, 1, 2, 0, 4]' k=2 2>&1 | FileCheck %s --check-prefix=OK %}
# RUN: %if opencl-intel %{ for e in stepped whiles binned; do %exit_code 3 %opencl intel arrc run %s --target=opencl --entry $e 'r=[0, 2**62, 5]' 'v=[1, 2, 1, 1]' k=3 2>&1 | FileCheck %s --check-prefix=OUT; done %}
# RUN: for e in somewhere within paired pairs; do %exit_code 3 arrc run %s --entry $e 'r=[0, 2**62, 5]' 'v=[1, 2, 1, 1]' k=3 2>&1 | FileCheck %s --check-prefix=OUT; done
# RUN: for e in somewhere within paired pairs; do %exit_code 3 arrc run %s --entry $e 'r=[0, 2**62, 5]' 'v=[1, 2, 1, 1]' k=3 -O0 2>&1 | FileCheck %s --check-prefix=OUT; done
# RUN: %if cuda-emulator %{ for e in somewhere within paired pairs; do %exit_code 3 %emulate arrc run %s --target=cuda --entry $e 'r=[0, 2**62, 5]' 'v=[1, 2, 1, 1]' k=3 2>&1 | FileCheck %s --check-prefix=OUT; done %}
# RUN: %if cuda-emulator %{ for e in stepped whiles counted somewhere paired; do %exit_code 3 %emulate arrc run %s --target=cuda -O0 --entry $e 'r=[0, 2**62, 5]' 'v=[1, 2, 1, 1]' k=3 2>&1 | FileCheck %s --check-prefix=OUT; done %}
# RUN: %exit_code 3 arrc run %s --entry asserted 'r=[0, 2**62, 5]' 'v=[1, 2, 1, 1]' k=3 2>&1 | FileCheck %s --check-prefix=ASSERT
# RUN: %if cuda-emulator %{ %exit_code 3 %emulate arrc run %s --target=cuda --entry asserted 'r=[0, 2**62, 5]' 'v=[1, 2, 1, 1]' k=3 2>&1 | FileCheck %s --check-prefix=ASSERT %}
# RUN: arrc run %s --check --entry folds 'r=[0, 2, 9999]' 'v=iota(20001)' k=2 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry folds 'r=[0, 2, 9999]' 'v=iota(20001)' k=2 -O0 2>&1 | FileCheck %s --check-prefix=OK
# RUN: %if cuda-emulator %{ %emulate arrc run %s --target=cuda --check --entry folds 'r=[0, 2, 9999]' 'v=iota(20001)' k=2 2>&1 | FileCheck %s --check-prefix=OK %}

# Four ranges of 2^62 come to 2^64, which is 0 in 64 bits.
# RUN: %exit_code 3 arrc run %s --entry binned 'r=[0, 2**62, 0, 2**62, 0, 2**62, 0, 2**62]' 'v=[1, 2, 1, 1]' k=3 2>&1 | FileCheck %s --check-prefix=OUT

# Views are read anywhere: their ranges stay whole.
# RUN: arrc run %s --check --entry viewed 'r=[-2, 7, 9]' 'v=[3, 1, 2, 0, 4]' k=2 2>&1 | FileCheck %s --check-prefix=VIEWED

# OK: check: ok
# OUT: error: index {{4|6}} is outside of a dimension of size 4
# ASSERT: error: too far
# VIEWED: check: ok
# VIEWED: out: i64[10] [2, 2, 1, 1, 1, 0, 0, 0, 0, 0]

def steps(v: int[z], r: int[q], k: int) -> int[q-1] where q >= 1, k >= 1 =
  for i in q - 1 { (sum for p in r[i]:r[i+1]:2 { v[p] }) + (max for p in r[i]:r[i+1]:k { v[p] }) }

export def stepped(v: int[z], r: int[q], k: int) -> int[q-1] where q >= 1, k >= 1 = steps(v, r, k)

def while_sums(v: int[z], r: int[q]) -> int[q-1] where q >= 1 = for i in q - 1 {
  var s = 0
  var p = r[i]
  while p < r[i+1] {
    s = 2 * s + v[p]
    p += 1
  }
  s
}

export def whiles(v: int[z], r: int[q], k: int) -> int[q-1] where q >= 1, k >= 1 = while_sums(v, r)

def branch_sums(v: int[z], r: int[q], k: int) -> int[q-1] where q >= 1, k >= 1 = for i in q - 1 {
  var s = 0
  var p = r[i]
  while p < r[i+1] {
    if p % k == 0 { s += v[p] } else { s = 3 * s + v[p - 1] }
    p += 1
  }
  s
}

export def branches(v: int[z], r: int[q], k: int) -> int[q-1] where q >= 1, k >= 1 = branch_sums(v, r, k)

def counted_sums(v: int[z], r: int[q], k: int) -> int[q-1] where q >= 1, k >= 1 = for i in q - 1 {
  var s = 0
  loop p in r[i]:r[i+1] {
    if p % 2 == 0 { s += v[p] } else { s = 3 * s + v[p - 1] }
  }
  s
}

export def counted(v: int[z], r: int[q], k: int) -> int[q-1] where q >= 1, k >= 1 = counted_sums(v, r, k)

def bins(v: int[z], r: int[q]) -> int[10] where q >= 1 =
  hist((+), 0, 10) for i in q - 1, p in r[i]:r[i+1] { (v[p], p) }

export def binned(v: int[z], r: int[q], k: int) -> int[10] where q >= 1, k >= 1 = bins(v, r)

export def kept(v: int[z], r: int[q], k: int) -> int[?] where q >= 1, k >= 1 =
  for i in q - 1, p in r[i]:r[i+1] if v[p] > 1 { v[p] }

export def best(v: int[z], r: int[q], k: int) -> (i: int, p: int) where q >= 1, k >= 1 =
  argmax for i in q - 1, p in r[i]:r[i+1]:2 { v[p] }

export def put(v: int[z], r: int[q], k: int) -> int[10] where q >= 1, k >= 1 =
  scatter(zeros(10)) for i in q - 1, p in r[i]:r[i+1] { (v[p], 1) }

export def nested(v: int[z], r: int[q], k: int) -> int[q-1] where q >= 1, k >= 1 =
  for i in q - 1 { sum for p in r[i]:r[i+1], j in k { v[p] * j } }

# Folds whose reads stand in a branch, in a loop of the body, or go by twos.
def some_sums(v: int[z], r: int[q], k: int) -> int[q-1] where q >= 1, k >= 1 =
  for i in q - 1 { sum for p in r[i]:r[i+1] { if p % k == 0 { v[p] } else { p } } }

export def somewhere(v: int[z], r: int[q], k: int) -> int[q-1] where q >= 1, k >= 1 = some_sums(v, r, k)

def sums_within(v: int[z], r: int[q], k: int) -> (most: int[q-1], last: int[q-1]) where q >= 1, k >= 1 = for i in q - 1 {
  let most = max for p in r[i]:r[i+1] { sum for j in k { if j > 0 { v[p + j] } else { 1 } } }
  let last = argmax for p in r[i]:r[i+1] + 1 { if p % 2 == 0 { v[p] } else { 0 } }
  (most, last)
}

export def within(v: int[z], r: int[q], k: int) -> (most: int[q-1], last: int[q-1]) where q >= 1, k >= 1 = sums_within(v, r, k)

def pair_sums(v: int[z], r: int[q]) -> int[q-1] where q >= 1 =
  for i in q - 1 { sum for p in r[i]:r[i+1] { v[2*p] * v[2*p + 1] } }

export def paired(v: int[z], r: int[q], k: int) -> int[q-1] where q >= 1, k >= 1 = pair_sums(v, r)

export def pairs(v: int[z], r: int[q], k: int) -> int where q >= 2, k >= 1 =
  sum for i in q - 1, p in r[i]:r[i+1] { v[2*p] * v[2*p + 1] }

def asserted_sums(v: int[z], r: int[q]) -> int[q-1] where q >= 1 = for i in q - 1 {
  sum for p in r[i]:r[i+1] {
    assert p < 100_000, "too far"
    p + z
  }
}

export def asserted(v: int[z], r: int[q], k: int) -> int[q-1] where q >= 1, k >= 1 = asserted_sums(v, r)

export def folds(v: int[z], r: int[q], k: int) -> (a: int[q-1], b: int[q-1], c: int[q-1], d: int[q-1], e: int[q-1])
    where q >= 1, k >= 1 {
  let (most, last) = sums_within(v, r, k)
  (some_sums(v, r, k), most, last, pair_sums(v, r), asserted_sums(v, r))
}

export def all(v: int[z], r: int[q], k: int) -> (a: int[q-1], b: int[q-1], c: int[q-1], d: int[q-1], e: int[10])
    where q >= 1, k >= 1 {
  (steps(v, r, k), while_sums(v, r), branch_sums(v, r, k), counted_sums(v, r, k), bins(v, r))
}

export def viewed(v: int[z], r: int[q], k: int) -> int[10] where q >= 1, k >= 1 {
  let u = extend(v, clamp)
  hist((+), 0, 10) for i in q - 1, p in r[i]:r[i+1] { (bitand(p + 2, 15) % 5, u[p] - u[p] + int(p < 5) + 0 * i) }
}
