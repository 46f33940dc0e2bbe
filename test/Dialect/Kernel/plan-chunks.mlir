// RUN: arr-opt %s --kernel-plan-schedules="device=cuda" --split-input-file | FileCheck %s

// Steps that are few elements, or alone, are a thread's.
// CHECK-LABEL: @no_chunk_of_few
// CHECK-NOT: thread.y
func.func @no_chunk_of_few(%x: memref<?x16xf32>, %n: index, %s: index) {
  kernel.launch @k (%N = %n : index, %S = %s : index) outs (%X[%N, 16] = %x : memref<?x16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    kernel.for "i" (%i) in %N {
      %v = kernel.local : memref<16xf32>
      scf.for %t = %c0 to %S step %c1 {
        kernel.for "j" (%j) in 16 {
          %a = kernel.load %v[%j] : memref<16xf32>
          %b = arith.addf %a, %a : f32
          kernel.store %b, %v[%j] : memref<16xf32>
        }
      }
      %r = kernel.load %v[%c0] : memref<16xf32>
      kernel.store %r, %X[%i, %c0] : memref<?x16xf32>
    }
  }
  return
}

// -----

// What updates arrays elsewhere is no chunk.
// CHECK-LABEL: @no_chunk_of_updates
// CHECK-NOT: thread.y
func.func @no_chunk_of_updates(%x: memref<?xf32>, %n: index, %s: index) {
  kernel.launch @k (%N = %n : index, %S = %s : index) outs (%X[%N] = %x : memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    kernel.for "i" (%i) in %N {
      %v = kernel.local : memref<512xf32>
      scf.for %t = %c0 to %S step %c1 {
        kernel.for "j" (%j) in 512 {
          %a = kernel.load %v[%j] : memref<512xf32>
          kernel.store %a, %v[%j] : memref<512xf32>
          kernel.update %a, %X[%j] : memref<?xf32> by arith.addf
        }
      }
    }
  }
  return
}

// -----

// A block has the array, its threads share each step.
// CHECK-LABEL: @chunk
// CHECK: schedule #kernel.schedule<i = [block.0], j = [seq, thread.y 4, thread.x 32],
// CHECK-NOT: split boundary
func.func @chunk(%x: memref<?x512xf32>, %n: index, %s: index) {
  kernel.launch @k (%N = %n : index, %S = %s : index) outs (%X[%N, 512] = %x : memref<?x512xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c511 = arith.constant 511 : index
    kernel.for "i" (%i) in %N {
      %v = kernel.local : memref<512xf32>
      scf.for %t = %c0 to %S step %c1 {
        %w = kernel.local : memref<512xf32>
        kernel.for "j" (%j) in 512 {
          %q = arith.subi %c511, %j : index
          %a = kernel.load %v[%q] : memref<512xf32>
          kernel.store %a, %w[%j] : memref<512xf32>
        }
        kernel.for "j" (%j) in 512 {
          %a = kernel.load %w[%j] : memref<512xf32>
          kernel.store %a, %v[%j] : memref<512xf32>
        }
      }
      kernel.for "j" (%j) in 512 {
        %a = kernel.load %v[%j] : memref<512xf32>
        kernel.store %a, %X[%i, %j] : memref<?x512xf32>
      }
    }
  }
  return
}

// -----

// A length that only the call knows decides there.
// CHECK-LABEL: @row
// CHECK: versions [<when = #set, i = [block.0], j = [seq, thread.y 8, thread.x 32],
// CHECK-SAME: i = [block.0], j = [seq, thread.x 32],
// CHECK-SAME: i = [block.0, thread.x 128]
func.func @row(%x: memref<?x?xf32>, %n: index, %m: index, %s: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %S = %s : index) outs (%X[%N, %M] = %x : memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    kernel.for "i" (%i) in %N {
      %v = kernel.local(%M) : memref<?xf32>
      scf.for %t = %c0 to %S step %c1 {
        kernel.for "j" (%j) in %M {
          %a = kernel.load %v[%j] : memref<?xf32>
          %b = arith.addf %a, %a : f32
          kernel.store %b, %v[%j] : memref<?xf32>
        }
      }
      kernel.for "j" (%j) in %M {
        %a = kernel.load %v[%j] : memref<?xf32>
        kernel.store %a, %X[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// -----

// Two loops of one dimension, which the block deals in two ways: what is nested
// has the lanes in the first, and warps and lanes have the other one.
// CHECK-LABEL: @product
// CHECK: i = [seq, thread.y 4], l = [seq, thread.x 32], i_2 = [seq, thread.y 4, thread.x 32]
// CHECK: kernel.for "i" (
// CHECK: kernel.for "l" (
// CHECK: kernel.for "i_2" (
func.func @product(%a: memref<?x512x512xf32>, %x: memref<?x512xf32>, %n: index, %s: index) {
  kernel.launch @k (%N = %n : index, %S = %s : index, %A[%N, 512, 512] = %a : memref<?x512x512xf32>) outs (%X[%N, 512] = %x : memref<?x512xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    kernel.for "m" (%m) in %N {
      %v = kernel.local : memref<512xf32>
      scf.for %t = %c0 to %S step %c1 {
        %w = kernel.local : memref<512xf32>
        kernel.for "i" (%i) in 512 {
          %r = kernel.for "l" (%l) in 512 reduce (%zero : f32) by arith.addf {
            %p = kernel.load %A[%m, %i, %l] : memref<?x512x512xf32>
            %q = kernel.load %v[%l] : memref<512xf32>
            %pq = arith.mulf %p, %q : f32
            kernel.yield %pq : f32
          }
          kernel.store %r, %w[%i] : memref<512xf32>
        }
        kernel.for "i" (%i) in 512 {
          %e = kernel.load %w[%i] : memref<512xf32>
          kernel.store %e, %v[%i] : memref<512xf32>
        }
      }
      kernel.for "i" (%i) in 512 {
        %e = kernel.load %v[%i] : memref<512xf32>
        kernel.store %e, %X[%m, %i] : memref<?x512xf32>
      }
    }
  }
  return
}
