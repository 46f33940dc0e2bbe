# The largest eigenvalue of each matrix of several: a step multiplies a matrix with a
# row and norms the row, two loops of one name of which one has another inside of it.
# A block of a device has the row of a matrix, its threads share the loops.
# RUN: arrc run %s --check 'a=[[[2,1],[1,2]],[[5,0],[0,1]]]' steps=40 | FileCheck %s
# RUN: arrc run %s --check 'a=full(0.01,2,70,70)' steps=3 2>&1 | FileCheck %s --check-prefix=ROWS
# RUN: %if cuda-emulator %{ env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --target=cuda --check 'a=full(0.01,2,70,70)' steps=3 2>&1 | FileCheck %s --check-prefix=ROWS %}
# RUN: %if cuda-emulator %{ env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --target=cuda --check 'a=full(0.01,1,1024,1024)' steps=2 2>&1 | FileCheck %s --check-prefix=ROWS %}
export def largest(a: f64[b, n, n], steps: int) -> (values: f64[b], vectors: f64[b, n]) where n >= 1 {
  let pairs = for m in b {
    var v: f64[n] = full(1.0, n)
    loop k in steps {
      let w = a[m] @ v
      v = w / sqrt(sum(w * w))
    }
    (v @ (a[m] @ v), v)
  }
  (pairs.0, pairs.1)
}

# CHECK: values: f64[2] [{{3|2.99999999.*}}, {{5|4.99999999.*}}]
# ROWS: check: ok
