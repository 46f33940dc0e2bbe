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

// -----

func.func @combiner(%n: index, %r: memref<?xi32>) {
  // expected-error @+1 {{'kernel.partition' has a box of updates without what combines them, or one of another kind with it}}
  kernel.launch @combiner (%N = %n : index) outs (%R[%N] = %r : memref<?xi32>) attributes {kernel.partition = {cuts = [], whole = [{argument = 1 : i64, kind = "update", lower = [affine_map<(d0, d1)[s0, s1] -> ()>], upper = [affine_map<(d0, d1)[s0, s1] -> ()>], edges = ["none"]}]}} {
    kernel.for "i" (%i) in %N at block.0 {
      %z = arith.constant 0 : i32
      kernel.store %z, %R[%i] : memref<?xi32>
    }
  }
  return
}
