// Threads that keep elements of a column from a load to a store compute where
// these are stored behind the folds; masked terms of a fold stand beside their
// sums.
// RUN: arrc build %s --target=cuda --emit=ptx -o - | FileCheck %s
// CHECK: .entry columns
// CHECK-COUNT-31: ld.global
// CHECK: mov.b32 [[ROW:%r[0-9]+]], {{.*}} // again
// CHECK: selp.f32
// CHECK-NEXT: setp
// CHECK-NEXT: selp.f32
// CHECK-NEXT: add
// CHECK: bar.sync
// CHECK: ld.shared
// CHECK: st.global
// CHECK: or.b32 {{.*}}, [[ROW]], 16;
// CHECK: st.global

// Few that wait are left.
// CHECK: .entry few
// CHECK-NOT: // again
// CHECK: ret
module attributes {kernel.device = #kernel.device<"cuda", {arch = "sm_90", f64 = 1 : i64, max_threads = 1024 : i64, shared_bytes = 49152 : i64, subgroup = 32 : i64, unit_threads = 2048 : i64, units = 132 : i64, vector_bytes = 16 : i64}>} {
  func.func @f(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %z: memref<?x?xf32>, %rows: index, %n: index) {
    %m = array.assume %rows in 0 to 512 : index
    kernel.launch @columns (%N = %n : index, %M = %m : index, %X[%M, %N] = %x : memref<?x?xf32>) outs (%Y[%M, %N] = %y : memref<?x?xf32>)
        schedule #kernel.schedule<j = [block.0, thread.x 32], i = [unroll 32, thread.y 16], order = [j.0, j.1, i.1, i.0], stage = [X at j.1 register]> {
      %zero = arith.constant 0.0 : f32
      kernel.for "j" (%j) in %N {
        %s = kernel.for "i" (%i) in %M reduce (%zero : f32) by arith.addf {
          %v = kernel.load %X[%i, %j] : memref<?x?xf32>
          kernel.yield %v : f32
        }
        kernel.for "i" (%i) in %M {
          %v = kernel.load %X[%i, %j] : memref<?x?xf32>
          %d = arith.subf %v, %s : f32
          kernel.store %d, %Y[%i, %j] : memref<?x?xf32>
        }
      }
    }
    %l = array.assume %rows in 0 to 64 : index
    kernel.launch @few (%N = %n : index, %M = %l : index, %X[%M, %N] = %x : memref<?x?xf32>) outs (%Z[%M, %N] = %z : memref<?x?xf32>)
        schedule #kernel.schedule<j = [block.0, thread.x 32], i = [unroll 4, thread.y 16], order = [j.0, j.1, i.1, i.0], stage = [X at j.1 register]> {
      %zero = arith.constant 0.0 : f32
      kernel.for "j" (%j) in %N {
        %s = kernel.for "i" (%i) in %M reduce (%zero : f32) by arith.addf {
          %v = kernel.load %X[%i, %j] : memref<?x?xf32>
          kernel.yield %v : f32
        }
        kernel.for "i" (%i) in %M {
          %v = kernel.load %X[%i, %j] : memref<?x?xf32>
          %d = arith.subf %v, %s : f32
          kernel.store %d, %Z[%i, %j] : memref<?x?xf32>
        }
      }
    }
    return
  }
}
