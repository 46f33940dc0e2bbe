// RUN: arr-opt %s --kernel-jam-loops --canonicalize --split-input-file | FileCheck %s

// An extent that differs between the iterations: loops one after the other.
// CHECK-LABEL: @no_jam_of_differing_extents
func.func @no_jam_of_differing_extents(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i.0" (%i) in %N at block.0 {
      // CHECK-COUNT-2: kernel.for "k"
      kernel.for "i.1" (%u) in 2 at unroll {
        %j = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%i, %u)
        %s = kernel.for "k" (%k) in %j reduce (%z : f32) by arith.addf {
          %v = kernel.load %X[%k] : memref<?xf32>
          kernel.yield %v : f32
        }
        kernel.store %s, %X[%j] : memref<?xf32>
      }
    }
  }
  return
}

// -----

// Without iterations a fold is its seed.
// CHECK-LABEL: @none
func.func @none(%s: memref<f32>) {
  kernel.launch @k () outs (%S = %s : memref<f32>) {
    // CHECK: %[[Z:.*]] = arith.constant 2.0
    // CHECK-NOT: kernel.for
    // CHECK: kernel.store %[[Z]]
    %z = arith.constant 2.0 : f32
    %r = kernel.for "i" (%u) in 0 at unroll reduce (%z : f32) by arith.addf {
      kernel.yield %z : f32
    }
    kernel.store %r, %S[] : memref<f32>
  }
  return
}

// -----

// One accumulator each; what is the same is written once; pairs at the end.
// CHECK-LABEL: @fold
func.func @fold(%x: memref<?xf32>, %y: memref<?xf32>, %s: memref<f32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %Y[%N] = %y : memref<?xf32>, %N = %n : index) outs (%S = %s : memref<f32>) {
    %one = arith.constant 1.0 : f32
    %z = arith.constant 0.0 : f32
    // CHECK: %[[ONE:.*]] = arith.constant 1.0
    // CHECK: %[[Z:.*]] = arith.constant 0.0
    %r = kernel.for "i.1" (%u) in 3 at unroll reduce (%one : f32) by arith.addf {
      // CHECK: %[[A:.*]]:3 = kernel.for "i.0" (%{{.*}}) in %N at seq reduce (%[[Z]], %[[Z]], %[[Z]] : f32, f32, f32) by arith.addf {
      // CHECK: kernel.load %Y
      // CHECK-NOT: kernel.load %Y
      // CHECK-COUNT-3: kernel.load %X
      // CHECK: kernel.yield %{{.*}}, %{{.*}}, %{{.*}} : f32, f32, f32
      %a = kernel.for "i.0" (%i) in %N at seq reduce (%z : f32) by arith.addf {
        %w = kernel.load %Y[%i] : memref<?xf32>
        %j = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1)>(%i, %u)
        %v = kernel.load %X[%j] : memref<?xf32>
        %p = arith.mulf %v, %w : f32
        kernel.yield %p : f32
      }
      kernel.yield %a : f32
    }
    // CHECK: %[[P:.*]] = arith.addf %[[A]]#0, %[[A]]#1
    // CHECK: %[[Q:.*]] = arith.addf %[[P]], %[[A]]#2
    // CHECK: %[[R:.*]] = arith.addf %[[Q]], %[[ONE]]
    // CHECK: kernel.store %[[R]]
    kernel.store %r, %S[] : memref<f32>
  }
  return
}

// -----

// Two loops at unroll make a block of accumulators in one loop.
// CHECK-LABEL: @block_of_accumulators
func.func @block_of_accumulators(%a: memref<?x?xf32>, %c: memref<?x?xf32>, %n: index) {
  kernel.launch @k (%A[%N, %N] = %a : memref<?x?xf32>, %N = %n : index) outs (%C[%N, %N] = %c : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i.0" (%i) in 2 at unroll {
      kernel.for "j.0" (%j) in 2 at unroll {
        // CHECK: kernel.for "l"
        // CHECK-SAME: : f32, f32, f32, f32)
        // CHECK-COUNT-4: kernel.load %A
        // CHECK-NOT: kernel.load
        // CHECK-COUNT-4: kernel.store
        %s = kernel.for "l" (%l) in %N reduce (%z : f32) by arith.addf {
          %x = kernel.load %A[%i, %l] : memref<?x?xf32>
          %y = kernel.load %A[%l, %j] : memref<?x?xf32>
          %p = arith.mulf %x, %y : f32
          kernel.yield %p : f32
        }
        kernel.store %s, %C[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// -----

// A branch on what is the same stays one branch; one on what differs does not.
// CHECK-LABEL: @branches
func.func @branches(%x: memref<?xf32>, %p: i1, %n: index) {
  kernel.launch @k (%P = %p : i1, %N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i.0" (%u) in 2 at unroll {
      // CHECK: scf.if %P
      // CHECK-NOT: scf.if %P
      scf.if %P {
        // CHECK-COUNT-2: kernel.store
        kernel.store %z, %X[%u] : memref<?xf32>
      }
      %in = arith.cmpi slt, %u, %N : index
      // CHECK-COUNT-2: scf.if
      scf.if %in {
        kernel.store %z, %X[%u] : memref<?xf32>
      }
    }
  }
  return
}

// -----

// CHECK-LABEL: @scan
func.func @scan(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    %one = arith.constant 1.0 : f32
    // CHECK: %[[ONE:.*]] = arith.constant 1.0
    // CHECK: %[[A:.*]] = kernel.load
    // CHECK: %[[B:.*]] = kernel.load
    // CHECK: %[[P:.*]] = arith.addf %[[A]], %[[ONE]]
    // CHECK: %[[Q:.*]] = arith.addf %[[P]], %[[B]]
    // CHECK: kernel.store %[[P]]
    // CHECK: kernel.store %[[Q]]
    %t = kernel.for "i.0" (%u) in 2 at unroll scan (%one : f32) by arith.addf {
      %v = kernel.load %X[%u] : memref<?xf32>
      %p = kernel.prefix %v : f32
      kernel.store %p, %X[%u] : memref<?xf32>
    }
  }
  return
}

// -----

// Stores to neighbours, as a loop at vector makes them, stay behind each other
// when a loop inside is expanded: the back end joins them only so.
module attributes {kernel.device = #kernel.device<"cuda", {vector_bytes = 16}>} {
// CHECK-LABEL: @neighbors
func.func @neighbors(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N, %N] = %x : memref<?x?xf32>, %Y[%N, %N] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j.0" (%v) in 2 at vector {
      kernel.for "i.0" (%u) in 2 at unroll {
        // CHECK: kernel.store %{{.*}}, %X[%c0, %c0]
        // CHECK-NEXT: kernel.store %{{.*}}, %X[%c0, %c1]
        // CHECK-NEXT: kernel.store %{{.*}}, %X[%c1, %c0]
        // CHECK-NEXT: kernel.store %{{.*}}, %X[%c1, %c1]
        // CHECK-NEXT: kernel.store %{{.*}}, %Y[%c0, %c0]
        // CHECK-NEXT: kernel.store %{{.*}}, %Y[%c0, %c1]
        // CHECK-NOT: kernel.neighbor
        kernel.store %z, %X[%u, %v] : memref<?x?xf32>
        kernel.store %z, %Y[%u, %v] : memref<?x?xf32>
      }
    }
  }
  return
}
}

// -----

// Copies of a check keep the digit of each; one that all share is the first's.
// CHECK-LABEL: @checks
func.func @checks(%x: memref<?xi32>, %y: memref<?x4xf32>, %n: index, %k: index) {
  kernel.launch @k (%N = %n : index, %K = %k : index, %X[%N] = %x : memref<?xi32>) outs (%Y[%N, 4] = %y : memref<?x4xf32>) {
    %one = arith.constant 1.0 : f32
    kernel.for "i.0" (%i) in %N at block.0 {
      %r = kernel.load %X[%i] : memref<?xi32>
      %row = arith.index_cast %r : i32 to index
      // CHECK: kernel.check index %{{.*}}, "row {0}" [{{.*}}] {kernel.digits = {{\[\[}}"j.0", 0, 4]]}
      // CHECK: kernel.check index %{{.*}}, "place {0}" [{{.*}}] {kernel.digits = {{\[\[}}"j.0", 0, 4]]}
      // CHECK: kernel.check index %{{.*}}, "place {0}" [{{.*}}] {kernel.digits = {{\[\[}}"j.0", 1, 4]]}
      // CHECK: kernel.check index %{{.*}}, "place {0}" [{{.*}}] {kernel.digits = {{\[\[}}"j.0", 2, 4]]}
      // CHECK: kernel.check index %{{.*}}, "place {0}" [{{.*}}] {kernel.digits = {{\[\[}}"j.0", 3, 4]]}
      kernel.for "j.0" (%j) in 4 at unroll {
        %ok = arith.cmpi ult, %row, %K : index
        kernel.check index %ok, "row {0}" [%row : index]
        %place = arith.addi %row, %j : index
        %fine = arith.cmpi ult, %place, %K : index
        kernel.check index %fine, "place {0}" [%place : index]
        kernel.store %one, %Y[%i, %j] : memref<?x4xf32>
      }
    }
  }
  return
}

// -----

// A sequence of steps that is as long in all iterations carries what each of
// them does; one whose length differs is repeated whole.
// CHECK-LABEL: @steps
func.func @steps(%x: memref<?xf32>, %c: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %C[%M] = %c : memref<?xf32>) outs (%X[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    kernel.for "i.0" (%i) in %N at block.0 {
      // CHECK: %[[A:.*]] = kernel.load %X
      // CHECK: %[[B:.*]] = kernel.load %X
      // CHECK: scf.for %[[K:.*]] = {{.*}} iter_args(%[[S:.*]] = {{.*}}, %[[T:.*]] = {{.*}}) -> (f32, f32)
      // CHECK-NEXT: %[[V:.*]] = kernel.load %C[%[[K]]]
      // CHECK-DAG: math.fma %[[S]], %[[A]], %[[V]]
      // CHECK-DAG: math.fma %[[T]], %[[B]], %[[V]]
      // CHECK: scf.yield
      // CHECK-COUNT-2: scf.for {{.*}} -> (f32)
      // CHECK-NOT: scf.for
      kernel.for "i.1" (%u) in 2 at unroll {
        %j = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%i, %u)
        %a = kernel.load %X[%j] : memref<?xf32>
        %s = scf.for %k = %c0 to %M step %c1 iter_args(%t = %z) -> (f32) {
          %v = kernel.load %C[%k] : memref<?xf32>
          %w = math.fma %t, %a, %v : f32
          scf.yield %w : f32
        }
        %r = scf.for %k = %c0 to %j step %c1 iter_args(%t = %s) -> (f32) {
          %w = arith.mulf %t, %a : f32
          scf.yield %w : f32
        }
        kernel.store %r, %X[%j] : memref<?xf32>
      }
    }
  }
  return
}
