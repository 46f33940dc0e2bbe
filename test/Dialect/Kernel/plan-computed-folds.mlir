// RUN: arr-opt %s --kernel-plan-schedules | FileCheck %s --check-prefix=DEVICE
// RUN: sed 's/^module attributes .*/module {/' %s | arr-opt --kernel-plan-schedules=device=cpu | FileCheck %s --check-prefix=CPU

// Folds of what is computed: several blocks a row, a block, a warp, a thread, as
// there are more rows. On a CPU lanes run along the fold, not along the rows.
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, shared_bytes = 49152, subgroup = 32, units = 132, vector_bytes = 16}>} {
// DEVICE-LABEL: @roots
// DEVICE: kernel.launch @k
// DEVICE-SAME: i = [block.0], j = [block.1, seq 16, unroll 4, thread.x 256]
// DEVICE-SAME: i = [block.0], j = [seq, seq 16, unroll 4, thread.x 256]
// DEVICE-SAME: i = [block.0, thread.y 8], j = [seq, seq 16, unroll 4, thread.x 32]
// DEVICE-SAME: i = [block.0, thread.x 128], j = [seq, seq 16, unroll 4]
// CPU-LABEL: @roots
// CPU: kernel.launch @k
// CPU-SAME: i = [seq], j = [block.0 128, seq, seq 32, unroll 4, vector {{[0-9]+}}]
func.func @roots(%y: memref<?xf64>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index) outs (%Y[%N] = %y : memref<?xf64>) {
    %z = arith.constant 0.0 : f64
    kernel.for "i" (%i) in %N {
      %s = kernel.for "j" (%j) in %M reduce (%z : f64) by arith.addf {
        %k = arith.addi %i, %j : index
        %l = arith.index_cast %k : index to i64
        %v = arith.sitofp %l : i64 to f64
        %r = math.sqrt %v : f64
        kernel.yield %r : f64
      }
      kernel.store %s, %Y[%i] : memref<?xf64>
    }
  }
  return
}

// The same with what stays while a row is folded, wherever that lies.
// DEVICE-LABEL: @about
// DEVICE: kernel.launch @k
// DEVICE-SAME: i = [block.0], j = [block.1, seq 16, unroll 4, thread.x 256]
// DEVICE-SAME: i = [block.0, thread.x 128], j = [seq, seq 16, unroll 4]
func.func @about(%x: memref<?xf64>, %y: memref<?xf64>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N] = %x : memref<?xf64>) outs (%Y[%N] = %y : memref<?xf64>) {
    %z = arith.constant 0.0 : f64
    kernel.for "i" (%i) in %N {
      %s = kernel.for "j" (%j) in %M reduce (%z : f64) by arith.addf {
        %l = arith.index_cast %j : index to i64
        %v = arith.sitofp %l : i64 to f64
        %a = kernel.load %X[%i] : memref<?xf64>
        %r = arith.subf %v, %a : f64
        kernel.yield %r : f64
      }
      kernel.store %s, %Y[%i] : memref<?xf64>
    }
  }
  return
}

// Three folds of a few rows, with an array that all of them read: lanes along the
// rows, or a block a row where they are fewer.
// DEVICE-LABEL: @rays
// DEVICE: kernel.launch @k
// DEVICE-SAME: p = [block.0, thread.x 32], i = [seq, seq 16, thread.y 16], j = [seq], k = [seq, seq 16]
// DEVICE-SAME: p = [block.0, thread.x 32], i = [seq, seq 16, thread.y 8], j = [seq], k = [seq, seq 16]
// DEVICE-SAME: p = [block.0], i = [seq, seq 16, thread.y 8], j = [seq], k = [seq, seq 16, thread.x 32]
// DEVICE-SAME: p = [block.0, thread.x 128],
func.func @rays(%x: memref<?x?x?xf64>, %y: memref<?xf64>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%M, %M, %M] = %x : memref<?x?x?xf64>) outs (%Y[%N] = %y : memref<?xf64>) {
    %z = arith.constant 0.0 : f64
    kernel.for "p" (%p) in %N {
      %s = kernel.for "i" (%i) in %M reduce (%z : f64) by arith.addf {
        %t = kernel.for "j" (%j) in %M reduce (%z : f64) by arith.addf {
          %u = kernel.for "k" (%k) in %M reduce (%z : f64) by arith.addf {
            %a = kernel.load %X[%i, %j, %k] : memref<?x?x?xf64>
            %l = arith.index_cast %p : index to i64
            %v = arith.sitofp %l : i64 to f64
            %r = arith.mulf %v, %a : f64
            kernel.yield %r : f64
          }
          kernel.yield %u : f64
        }
        kernel.yield %t : f64
      }
      kernel.store %s, %Y[%p] : memref<?xf64>
    }
  }
  return
}

// Operands whose contiguous dimensions differ are memory's, not computed: the
// judge's shapes, many folds a block, whatever their number.
// DEVICE-LABEL: @mixed
// DEVICE: kernel.launch @k
// DEVICE-NOT: i = [block.0], j = [block.1, seq 16, unroll 4, thread.x 256]
// DEVICE-NOT: i = [block.0, thread.x 128], j = [seq, seq 16, unroll 4]
// DEVICE: return
func.func @mixed(%x: memref<?x?x16xf32>, %w: memref<16x?xf32>, %y: memref<?x16xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N, %M, 16] = %x : memref<?x?x16xf32>, %W[16, %M] = %w : memref<16x?xf32>) outs (%Y[%N, 16] = %y : memref<?x16xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.for "c" (%c) in 16 {
        %s = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
          %a = kernel.load %X[%i, %j, %c] : memref<?x?x16xf32>
          %b = kernel.load %W[%c, %j] : memref<16x?xf32>
          %r = arith.mulf %a, %b : f32
          kernel.yield %r : f32
        }
        kernel.store %s, %Y[%i, %c] : memref<?x16xf32>
      }
    }
  }
  return
}

// Lanes of a fold beside another loop, and within it: the loop stands outside.
// CPU-LABEL: @beside
// CPU: order = [i.0, k.0, j.{{[0-9]}}
func.func @beside(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%Y[%N, %N] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %s = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.for "k" (%k) in %N {
        %d = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
          %v = kernel.load %X[%i, %j] : memref<?x?xf32>
          %w = kernel.load %X[%k, %j] : memref<?x?xf32>
          %p = arith.mulf %v, %w : f32
          kernel.yield %p : f32
        }
        %r = arith.divf %d, %s : f32
        kernel.store %r, %Y[%i, %k] : memref<?x?xf32>
      }
    }
  }
  return
}
}
