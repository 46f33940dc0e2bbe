// RUN: arr-opt %s --kernel-mask-tails --split-input-file | FileCheck %s --check-prefix=MASK
// RUN: arr-opt %s --kernel-split-boundary --canonicalize --split-input-file | FileCheck %s --check-prefix=SPLIT
// RUN: arr-opt %s --kernel-jam-loops --canonicalize --split-input-file | FileCheck %s --check-prefix=JAM

// What the passes do to threads: a guard stays a branch but for its loads, a
// block tells whether it is inside, neighbours become copies of scalars.
module attributes {kernel.device = #kernel.device<"cuda", {vector_bytes = 16}>} {
// MASK-LABEL: @threads
// MASK: kernel.load %{{.*}} if %[[IN:.*]] : memref
// MASK-NEXT: scf.if %[[IN]] {
// MASK-NEXT: kernel.store %{{.*}}] : memref
// SPLIT-LABEL: @threads
// SPLIT: %[[INSIDE:.*]] = arith.cmpi sgt
// SPLIT: scf.if %[[INSIDE]] {
// SPLIT:   at thread.x {
// SPLIT:     in 2 at vector {
// SPLIT-NOT:   scf.if
// SPLIT:       kernel.store
// SPLIT: } else {
// SPLIT:   at thread.x {
// SPLIT:     in 2 at seq {
// SPLIT:       scf.if
// JAM-LABEL: @threads
// JAM: in 64 at thread.x
// JAM-COUNT-2: kernel.store
// JAM-NOT: at vector
func.func @threads(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %nb: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index, %B = %nb : index) outs (%Y[%N] = %y : memref<?xf32>)
      schedule #kernel.schedule<i = [block.0, thread.x 64, vector 2], split boundary> {
    kernel.for "i.0" (%b) in %B at block.0 {
      kernel.for "i.1" (%t) in 64 at thread.x {
        kernel.for "i.2" (%v) in 2 at vector {
          %i = affine.apply affine_map<(d0, d1, d2) -> (d0 * 128 + d1 * 2 + d2)>(%b, %t, %v)
          %in = arith.cmpi slt, %i, %N : index
          scf.if %in {
            %a = kernel.load %X[%i] : memref<?xf32>
            kernel.store %a, %Y[%i] : memref<?xf32>
          } {kernel.tail}
        }
      }
    }
  }
  return
}
}

// -----

// The last element of what the launch writes is another thread's: its loads keep
// their masks.
module attributes {kernel.device = #kernel.device<"cuda", {vector_bytes = 16}>} {
// MASK-LABEL: @fold_of_what_is_written
// MASK: kernel.load %[[Y:.*]][%{{.*}}] if
// MASK: kernel.for "j" (%{{.*}}) in 32 at thread.x reduce
// MASK: kernel.load %{{.*}}[%{{.*}}, %{{.*}}] :
// MASK: kernel.store %{{.*}}, %[[Y]][%{{.*}}] if
// SPLIT-LABEL: @fold_of_what_is_written
// JAM-LABEL: @fold_of_what_is_written
func.func @fold_of_what_is_written(%x: memref<?x32xf32>, %y: memref<?xf32>, %n: index, %nb: index) {
  kernel.launch @k (%X[%N, 32] = %x : memref<?x32xf32>, %N = %n : index, %B = %nb : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i.0" (%b) in %B at block.0 {
      kernel.for "i.1" (%t) in 8 at thread.y {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%b, %t)
        %in = arith.cmpi slt, %i, %N : index
        scf.if %in {
          %old = kernel.load %Y[%i] : memref<?xf32>
          %s = kernel.for "j" (%j) in 32 at thread.x reduce (%z : f32) by arith.addf {
            %a = kernel.load %X[%i, %j] : memref<?x32xf32>
            kernel.yield %a : f32
          }
          %new = arith.addf %old, %s : f32
          kernel.store %new, %Y[%i] : memref<?xf32>
        } {kernel.tail}
      }
    }
  }
  return
}
}

// -----

// A dimension that threads alone walk may have no element at all, and so no last
// one: loads keep their masks.
module attributes {kernel.device = #kernel.device<"cuda", {vector_bytes = 16}>} {
// MASK-LABEL: @fold_without_blocks
// MASK: kernel.for "j" {{.*}} in 32 at thread.x reduce
// MASK: kernel.load %{{.*}} if
// SPLIT-LABEL: @fold_without_blocks
// JAM-LABEL: @fold_without_blocks
func.func @fold_without_blocks(%x: memref<?x32xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @k (%X[%N, 32] = %x : memref<?x32xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i.0" (%t) in 8 at thread.y {
      %in = arith.cmpi slt, %t, %N : index
      scf.if %in {
        %s = kernel.for "j" (%j) in 32 at thread.x reduce (%z : f32) by arith.addf {
          %a = kernel.load %X[%t, %j] : memref<?x32xf32>
          kernel.yield %a : f32
        }
        kernel.store %s, %Y[%t] : memref<?xf32>
      } {kernel.tail}
    }
  }
  return
}
}

// -----

// Threads that fold together cannot branch apart: the guard around them becomes
// masks. Those whose row is past the end fold the last one, and store nothing.
module attributes {kernel.device = #kernel.device<"cuda", {vector_bytes = 16}>} {
// MASK-LABEL: @fold_under_a_guard
// MASK-NOT: scf.if
// MASK: %[[IN:.*]] = arith.cmpi slt, %[[I:.*]], %{{.*}} : index
// MASK: %[[LAST:.*]] = arith.minsi %[[I]], %{{.*}} : index
// MASK: kernel.for "j" (%[[J:.*]]) in 32 at thread.x reduce
// MASK: kernel.load %{{.*}}[%[[LAST]], %[[J]]] :
// MASK: kernel.store %{{.*}}[%[[LAST]]] if %[[IN]]
// SPLIT-LABEL: @fold_under_a_guard
// JAM-LABEL: @fold_under_a_guard
func.func @fold_under_a_guard(%x: memref<?x32xf32>, %y: memref<?xf32>, %n: index, %nb: index) {
  kernel.launch @k (%X[%N, 32] = %x : memref<?x32xf32>, %N = %n : index, %B = %nb : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i.0" (%b) in %B at block.0 {
      kernel.for "i.1" (%t) in 8 at thread.y {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%b, %t)
        %in = arith.cmpi slt, %i, %N : index
        scf.if %in {
          %s = kernel.for "j" (%j) in 32 at thread.x reduce (%z : f32) by arith.addf {
            %a = kernel.load %X[%i, %j] : memref<?x32xf32>
            kernel.yield %a : f32
          }
          kernel.store %s, %Y[%i] : memref<?xf32>
        } {kernel.tail}
      }
    }
  }
  return
}
}
