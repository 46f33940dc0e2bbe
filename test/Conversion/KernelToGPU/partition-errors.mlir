// RUN: arr-opt %s --split-input-file --convert-kernel-to-gpu --verify-diagnostics

// What is written about parts of a launch must be about its arguments.
func.func @rank(%n: index, %r: memref<?xf32>) {
  // expected-error @+1 {{'kernel.partition' has a box of another rank than its array}}
  kernel.launch @rank (%N = %n : index) outs (%R[%N] = %r : memref<?xf32>) attributes {kernel.partition = {cuts = [], whole = [{argument = 1 : i64, kind = "read", lower = [], upper = [], edges = []}]}} {
    kernel.for "i" (%i) in %N at block.0 {
      %z = arith.constant 0.0 : f32
      kernel.store %z, %R[%i] : memref<?xf32>
    }
  }
  return
}
