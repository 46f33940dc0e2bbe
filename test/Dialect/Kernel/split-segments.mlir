// RUN: arr-opt %s --kernel-split-segments --canonicalize --cse --split-input-file | FileCheck %s
// RUN: arr-opt %s --kernel-split-segments --split-input-file --remark-format=emitRemark --remarks-filter=kernel-split-segments 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, shared_bytes = 49152, subgroup = 32, unit_threads = 1024, units = 4}>} {

// A row ends somewhere, not where the next one begins.
// CHECK-LABEL: @no_gaps
// CHECK-NOT: scf.if
// REMARK: Reason="rows do not end where the next one begins", Remark="rows of different lengths are split by rows"
func.func @no_gaps(%x: memref<?xf32>, %from: memref<?xindex>, %to: memref<?xindex>, %y: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N] = %x : memref<?xf32>, %F[%M] = %from : memref<?xindex>, %T[%M] = %to : memref<?xindex>) outs (%Y[%M] = %y : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %M {
      %lo = kernel.load %F[%i] : memref<?xindex>
      %hi = kernel.load %T[%i] : memref<?xindex>
      %len = arith.subi %hi, %lo : index
      %s = kernel.for "k" (%k) in %len reduce (%z : f32) by arith.addf {
        %p = arith.addi %k, %lo : index
        %v = kernel.load %X[%p] : memref<?xf32>
        kernel.yield %v : f32
      }
      kernel.store %s, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// The place of a value does not tell its row.
// CHECK-LABEL: @no_rows
// CHECK-NOT: scf.if
// REMARK: Reason="values depend on the row that they are of"
func.func @no_rows(%x: memref<?xf32>, %off: memref<?xindex>, %y: memref<?xf32>, %n: index, %m: index, %m1: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %M1 = %m1 : index, %X[%N] = %x : memref<?xf32>, %O[%M1] = %off : memref<?xindex>) outs (%Y[%M] = %y : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %M {
      %lo = kernel.load %O[%i] : memref<?xindex>
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %hi = kernel.load %O[%next] : memref<?xindex>
      %len = arith.subi %hi, %lo : index
      %s = kernel.for "k" (%k) in %len reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%k] : memref<?xf32>
        kernel.yield %v : f32
      }
      kernel.store %s, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// What is computed anew where offsets fall is gone by then.
// CHECK-LABEL: @no_overlap
// CHECK-NOT: scf.if
// REMARK: Reason="what is written may be what is read"
func.func @no_overlap(%x: memref<?xf32>, %off: memref<?xindex>, %n: index, %m: index, %m1: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %M1 = %m1 : index, %X[%N] = %x : memref<?xf32>, %O[%M1] = %off : memref<?xindex>) outs (%Y[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %M {
      %lo = kernel.load %O[%i] : memref<?xindex>
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %hi = kernel.load %O[%next] : memref<?xindex>
      %len = arith.subi %hi, %lo : index
      %s = kernel.for "k" (%k) in %len reduce (%z : f32) by arith.addf {
        %p = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%k, %lo)
        %v = kernel.load %X[%p] : memref<?xf32>
        kernel.yield %v : f32
      }
      kernel.store %s, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// Rows of one length.
// CHECK-LABEL: @no_lengths
// CHECK-NOT: scf.if
func.func @no_lengths(%x: memref<?x?xf32>, %y: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%M, %N] = %x : memref<?x?xf32>) outs (%Y[%M] = %y : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %M {
      %s = kernel.for "k" (%k) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %k] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %s, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// Blocks find their rows, bring ends on chip, compute values in the order of memory, mark those
// behind which rows end, fold them by a scan over pairs (ends of rows, what came behind the last one)
// without branches, and store. The check of places is asked at both ends of what a block has; a row
// between blocks is joined behind them.
// CHECK-LABEL: @sums
// CHECK: %[[ALL:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK: %[[MUCH:.*]] = arith.cmpi sge, %[[ALL]], %c4096
// CHECK: scf.if %{{.*}} {
// CHECK: kernel.launch @k
// CHECK: kernel.for "i_b" (%{{.*}}) in 16 at block.0
// CHECK: scf.while
// CHECK: kernel.for "i_find" (%{{.*}}) in 256 at thread.x reduce
// CHECK: scf.while
// CHECK: kernel.for "i_rows" (%{{.*}}) in 256 at thread.x reduce
// CHECK: kernel.for "i_ends" (%{{.*}}) in 4 at unroll reduce
// CHECK: arith.cmpi ult
// CHECK: arith.cmpi ult
// CHECK: kernel.for "i_values" (%{{.*}}) in 256 at thread.x
// CHECK: kernel.for "i_value" (%{{.*}}) in 21 at unroll {
// CHECK-NOT: kernel.check
// CHECK: kernel.for "i_mark" (%{{.*}}) in 256 at thread.x
// CHECK: kernel.update %{{.*}} if %{{.*}} : memref<256xi32> by arith.ori
// CHECK: kernel.for "i_fold" (%{{.*}}) in 256 at thread.x scan (%{{.*}} : i32, f32)
// CHECK-NOT: scf.
// CHECK: kernel.prefix exclusive %{{.*}} : i32, f32
// CHECK: kernel.for "i_rest" (%{{.*}}) in 256 at thread.x
// CHECK: kernel.for "i_join" (%{{.*}}) in 256 at thread.x scan (%{{.*}} : i32, f32)
// CHECK-NOT: scf.for
// CHECK: kernel.for "i.1" (%{{.*}}) in 16 at block.0
// CHECK: kernel.for "i.0"
// CHECK: kernel.for "k.0" (%{{.*}}) in 256 at thread.x reduce
// CHECK: kernel.check index
// CHECK: } else {
// CHECK: kernel.launch @k
// CHECK: kernel.for "i" (%{{.*}}) in %{{.*}} {
// REMARK: Remark="rows of different lengths are split by values"
func.func @sums(%x: memref<?xf32>, %off: memref<?xi32>, %n: index, %m: index, %m1: index) -> memref<?xf32> {
  %y = memref.alloc(%m) : memref<?xf32>
  kernel.launch @k (%N = %n : index, %M = %m : index, %M1 = %m1 : index, %X[%N] = %x : memref<?xf32>, %O[%M1] = %off : memref<?xi32>) outs (%Y[%M] = %y : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %M {
      %lo = kernel.load %O[%i] : memref<?xi32>
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %hi = kernel.load %O[%next] : memref<?xi32>
      %most = arith.maxsi %hi, %lo : i32
      %len = arith.subi %most, %lo : i32
      %length = arith.index_cast %len : i32 to index
      %first = arith.index_cast %lo : i32 to index
      %s = kernel.for "k" (%k) in %length reduce (%z : f32) by arith.addf {
        %p = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%k, %first)
        %in = arith.cmpi ult, %p, %N : index
        kernel.check index %in, "index {0} is outside of {1}" [%p, %N : index, index]
        %v = kernel.load %X[%p] if %in : memref<?xf32>
        kernel.yield %v : f32
      }
      kernel.store %s, %Y[%i] : memref<?xf32>
    }
  }
  return %y : memref<?xf32>
}

// Two folds of a row are two launches, if nothing needs both.
// CHECK-LABEL: @two
// CHECK: scf.if
// CHECK: kernel.launch @k
// CHECK: arith.maximumf
// CHECK: kernel.launch @k
// CHECK: } else {
func.func @two(%x: memref<?xf32>, %off: memref<?xindex>, %n: index, %m: index, %m1: index) -> (memref<?xf32>, memref<?xindex>) {
  %y = memref.alloc(%m) : memref<?xf32>
  %w = memref.alloc(%m) : memref<?xindex>
  kernel.launch @k (%N = %n : index, %M = %m : index, %M1 = %m1 : index, %X[%N] = %x : memref<?xf32>, %O[%M1] = %off : memref<?xindex>) outs (%Y[%M] = %y : memref<?xf32>, %W[%M] = %w : memref<?xindex>) {
    %z = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0 : index
    kernel.for "i" (%i) in %M {
      %lo = kernel.load %O[%i] : memref<?xindex>
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %hi = kernel.load %O[%next] : memref<?xindex>
      %len = arith.subi %hi, %lo : index
      %s = kernel.for "k" (%k) in %len reduce (%z : f32) by arith.maximumf {
        %p = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%k, %lo)
        %v = kernel.load %X[%p] : memref<?xf32>
        kernel.yield %v : f32
      }
      kernel.store %s, %Y[%i] : memref<?xf32>
      %t = kernel.for "l" (%k) in %len reduce (%zero : index) by arith.addi {
        %p = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%k, %lo)
        kernel.yield %p : index
      }
      kernel.store %t, %W[%i] : memref<?xindex>
    }
  }
  return %y, %w : memref<?xf32>, memref<?xindex>
}
}
