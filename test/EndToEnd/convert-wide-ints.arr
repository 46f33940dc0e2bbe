# Floats to integers of 64 bits in lanes: some fit into 32 bits, some into 64, some
# are no number.
# RUN: arrc run %s --check n=1000 at=1.0 | FileCheck %s
# RUN: arrc run %s --check n=1000 at=1e6 | FileCheck %s
# RUN: arrc run %s --check n=1000 at=1e15 | FileCheck %s
# RUN: arrc run %s --check n=1000 at=1e38 | FileCheck %s
# RUN: arrc run %s --check n=77 at=nan | FileCheck %s
export def f(n: int, at: f64) -> (a: int[n], b: int[n], c: u64[n], d: u64[n], s: int, ok: bool) {
  let x = for i in n { (f64(i * 7919 % 1001) - 500.25) * (if i % 5 == 0 { at } else { 4294967.3 }) }
  (for i in n { int(x[i]) }, for i in n { int(f32(x[i])) }, for i in n { u64(x[i]) },
   for i in n { u64(f32(x[i])) }, sum for i in n { int(f32(x[i])) % 1000 }, true)
}
# CHECK: ok: bool true
