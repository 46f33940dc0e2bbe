// Prefix sum, and the same over blocks, threads and items.
//
// RUN: arr-opt %s --kernel-lower-sequential | %run_mlir | FileCheck %s

// prefix sum, scheduled: blocks x threads x items, tile staged; checked against the unscheduled tree
func.func @plain(%x: memref<?xi64>, %y: memref<?xi64>, %n: index) {
  kernel.launch @prefix (%X[%N] = %x : memref<?xi64>, %N = %n : index) outs (%Y[%N] = %y : memref<?xi64>) {
    %z = arith.constant 0 : i64
    %tot = kernel.for "i" (%i) in %N scan (%z : i64) by arith.addi {
      %v = kernel.load %X[%i] : memref<?xi64>
      %p = kernel.prefix %v : i64
      kernel.store %p, %Y[%i] : memref<?xi64>
    }
  }
  return
}
func.func @sched(%x: memref<?xi64>, %y: memref<?xi64>, %n: index) {
  kernel.launch @prefix (%X[%N] = %x : memref<?xi64>, %N = %n : index) outs (%Y[%N] = %y : memref<?xi64>) {
    %z = arith.constant 0 : i64
    %nb = affine.apply affine_map<(d0) -> (d0 ceildiv 12)>(%N)
    %tot = kernel.for "i.0" (%b) in %nb at block.x scan (%z : i64) by arith.addi {
      %tile = kernel.local : memref<12xi64>
      kernel.for "i.1" (%t) in 12 at thread.x {                    // stage, neutral element past the end
        %g = affine.apply affine_map<(d0, d1) -> (d0 * 12 + d1)>(%b, %t)
        %in = arith.cmpi slt, %g, %N : index
        %v = kernel.load %X[%g] if %in : memref<?xi64>
        kernel.store %v, %tile[%t] : memref<12xi64>
      }
      %agg = kernel.for "i.1" (%t) in 4 at thread.x reduce (%z : i64) by arith.addi {
        %a = kernel.for "i.2" (%u) in 3 at seq reduce (%z : i64) by arith.addi {
          %k = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1)>(%t, %u)
          %v = kernel.load %tile[%k] : memref<12xi64>
          kernel.yield %v : i64
        }
        kernel.yield %a : i64
      }
      %carry = kernel.prefix exclusive %agg : i64
      %bt = kernel.for "i.1" (%t) in 4 at thread.x scan (%carry : i64) by arith.addi {
        %a = kernel.for "i.2" (%u) in 3 at seq reduce (%z : i64) by arith.addi {
          %k = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1)>(%t, %u)
          %v = kernel.load %tile[%k] : memref<12xi64>
          kernel.yield %v : i64
        }
        %c = kernel.prefix exclusive %a : i64
        %tt = kernel.for "i.2" (%u) in 3 at seq scan (%c : i64) by arith.addi {
          %k = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1)>(%t, %u)
          %v = kernel.load %tile[%k] : memref<12xi64>
          %p = kernel.prefix %v : i64
          kernel.store %p, %tile[%k] : memref<12xi64>
        }
      }
      kernel.for "i.1" (%t) in 12 at thread.x {
        %g = affine.apply affine_map<(d0, d1) -> (d0 * 12 + d1)>(%b, %t)
        %in = arith.cmpi slt, %g, %N : index
        %v = kernel.load %tile[%t] : memref<12xi64>
        kernel.store %v, %Y[%g] if %in : memref<?xi64>
      }
    }
  }
  return
}
func.func private @printMemrefI64(memref<*xi64>)
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 29 : index
  %x = memref.alloc(%n) : memref<?xi64>
  %y = memref.alloc(%n) : memref<?xi64>
  %w = memref.alloc(%n) : memref<?xi64>
  scf.for %i = %c0 to %n step %c1 { %v = arith.index_cast %i : index to i64
    %q = arith.muli %v, %v : i64
    memref.store %q, %x[%i] : memref<?xi64> }
  func.call @plain(%x, %y, %n) : (memref<?xi64>, memref<?xi64>, index) -> ()
  func.call @sched(%x, %w, %n) : (memref<?xi64>, memref<?xi64>, index) -> ()
  scf.for %i = %c0 to %n step %c1 { %a = memref.load %y[%i] : memref<?xi64>
    %b = memref.load %w[%i] : memref<?xi64>
    %d = arith.subi %a, %b : i64
    memref.store %d, %x[%i] : memref<?xi64> }
  %u = memref.cast %x : memref<?xi64> to memref<*xi64>
  func.call @printMemrefI64(%u) : (memref<*xi64>) -> ()
  return
}

// The difference of both answers.
// CHECK:      sizes = [29]
// CHECK-NEXT: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
