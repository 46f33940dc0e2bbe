// RUN: arr-opt %s --kernel-split-loops --kernel-order-loops --kernel-stage-operands --canonicalize --cse --split-input-file --verify-diagnostics | FileCheck %s

module attributes {kernel.device = #kernel.device<"cuda", {vector_bytes = 16 : i64}>} {
func.func @no_long_rows(%a: memref<?x?xf32>, %n: index, %m: index) {
  // expected-error @+1 {{cannot stage 'A' at 'i.0': the length of its rows has no bound}}
  kernel.launch @k (%N = %n : index, %M = %m : index) outs (%A[%N, %M] = %a : memref<?x?xf32>)
      schedule #kernel.schedule<i = [block.0, thread.x 256], j = [seq], stage = [A at i.0 rows]> {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      kernel.store %z, %A[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}
}

// -----

module attributes {kernel.device = #kernel.device<"cuda", {vector_bytes = 16 : i64}>} {
func.func @no_other_rows(%a: memref<?x3xf32>, %y: memref<?x3xf32>, %n: index, %s: index) {
  // expected-error @+1 {{cannot stage 'A' at 'i.0': a block uses rows that are not its own}}
  kernel.launch @k (%A[%N, 3] = %a : memref<?x3xf32>, %N = %n : index, %S = %s : index) outs (%Y[%N, 3] = %y : memref<?x3xf32>)
      schedule #kernel.schedule<i = [block.0, thread.x 256], j = [unroll 3], stage = [A at i.0 rows]> {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in 3 {
      %k = arith.addi %i, %S : index
      %v = kernel.load %A[%k, %j] : memref<?x3xf32>
      kernel.store %v, %Y[%i, %j] : memref<?x3xf32>
    } }
  }
  return
}
}

// -----

module attributes {kernel.device = #kernel.device<"cuda", {vector_bytes = 16 : i64}>} {
func.func @no_rows_of_threads(%a: memref<?x3xf32>, %n: index) {
  // expected-error @+1 {{cannot stage 'A' at 'i.1': rows are staged for a block}}
  kernel.launch @k (%N = %n : index) outs (%A[%N, 3] = %a : memref<?x3xf32>)
      schedule #kernel.schedule<i = [block.0, thread.x 256], j = [unroll 3], stage = [A at i.1 rows]> {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in 3 {
      kernel.store %z, %A[%i, %j] : memref<?x3xf32>
    } }
  }
  return
}
}

// -----

module attributes {kernel.device = #kernel.device<"cuda", {vector_bytes = 16 : i64}>} {
func.func @no_array_of_two_names(%a: memref<?x3xf32>, %n: index) {
  // expected-error @+1 {{cannot stage 'A' at 'i.0': the launch knows it by two names}}
  kernel.launch @k (%B[%N, 3] = %a : memref<?x3xf32>, %N = %n : index) outs (%A[%N, 3] = %a : memref<?x3xf32>)
      schedule #kernel.schedule<i = [block.0, thread.x 256], j = [unroll 3], stage = [A at i.0 rows]> {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in 3 {
      %v = kernel.load %B[%i, %j] : memref<?x3xf32>
      kernel.store %v, %A[%i, %j] : memref<?x3xf32>
    } }
  }
  return
}
}

// -----

// Rows that are written only, of a number of elements: 16 bytes an access, and
// what is left by single elements. There are 256 of 3 in a block, fewer in the
// last one.

// CHECK-DAG: #[[$COUNT:map[0-9]*]] = affine_map<(d0) -> (d0 * 3)>
// CHECK-LABEL: func.func @components(
// CHECK:         kernel.for "i.0" (%[[B:.*]]) in
// CHECK:           %[[FIRST:.*]] = affine.apply #{{.*}}(%[[B]])
// CHECK:           %[[LEFT:.*]] = arith.subi %{{.*}}, %[[FIRST]]
// CHECK:           %[[MINE:.*]] = arith.minsi %[[LEFT]], %c256
// CHECK:           %[[SOME:.*]] = arith.maxsi %[[MINE]], %c0
// CHECK:           %[[END:.*]] = affine.apply #[[$COUNT]](%[[SOME]])
// CHECK:           %[[T:.*]] = kernel.local : memref<768xf32>
// CHECK-NOT:       kernel.load %{{.*}}, %[[T]]
// CHECK:           kernel.for "i.1" (%[[X:.*]]) in 256 at thread.x
// CHECK:             kernel.store %{{.*}}, %[[T]]
// CHECK:           kernel.for "i.0.Y.out.x" (%{{.*}}) in 256 at thread.x
// CHECK:             %[[REST:.*]] = arith.remui %[[END]], %c4
// CHECK:             %[[FULL:.*]] = arith.subi %[[END]], %[[REST]]
// CHECK:               %[[IN:.*]] = arith.cmpi slt, %{{.*}}, %[[FULL]]
// CHECK:               kernel.for "i.0.Y.out.v" (%{{.*}}) in 4 at vector
// CHECK:                 %[[V:.*]] = kernel.load %[[T]][%[[K:.*]]] if %[[IN]]
// CHECK:                 kernel.store %[[V]], %{{.*}}[%[[FIRST]], %[[K]]] if %[[IN]] : memref<?x3xf32>
// CHECK:             %[[LAST:.*]] = arith.cmpi slt, %{{.*}}, %[[END]]
// CHECK:             kernel.load %[[T]][%{{.*}}] if %[[LAST]]
module attributes {kernel.device = #kernel.device<"cuda", {vector_bytes = 16 : i64}>} {
func.func @components(%x: memref<?xf32>, %y: memref<?x3xf32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[%N, 3] = %y : memref<?x3xf32>)
      schedule #kernel.schedule<i = [block.0, thread.x 256], stage = [Y at i.0 rows]> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      %w = arith.mulf %v, %v : f32
      %u = arith.mulf %w, %v : f32
      kernel.store %v, %Y[%i, %c0] : memref<?x3xf32>
      kernel.store %w, %Y[%i, %c1] : memref<?x3xf32>
      kernel.store %u, %Y[%i, %c2] : memref<?x3xf32>
    }
  }
  return
}
}

// -----

// A row of which not all is written is read first; one that is walked as a
// whole is not. Its length is an argument that is known not to exceed 8.

// CHECK-LABEL: func.func @parts(
// CHECK:         %[[LENGTH:.*]] = arith.minsi %{{.*}}, %c8
// CHECK:         arith.muli %{{.*}}, %[[LENGTH]]
// CHECK:         %[[Z:.*]] = kernel.local : memref<2048xf32>
// CHECK:         %[[Y:.*]] = kernel.local : memref<512xf32>
// CHECK:         kernel.for "i.0.Y.in.x"
// CHECK:         %[[A:.*]] = kernel.local : memref<2048xf32>
// CHECK:         kernel.for "i.0.A.in.x"
// CHECK:           kernel.for "i.0.A.in.u" (%{{.*}}) in 2 at unroll
// CHECK:         kernel.for "i.1" (%[[I:.*]]) in 256 at thread.x
// CHECK:           kernel.for "j.0" (%[[J:.*]]) in
// CHECK:             %[[ROW:.*]] = arith.muli %[[I]], %[[LENGTH]]
// CHECK:             %[[K:.*]] = affine.apply #{{.*}}(%[[ROW]], %[[J]])
// CHECK:             kernel.load %[[A]][%[[K]]]
// CHECK:             kernel.store %{{.*}}, %[[Z]][%[[K]]]
// CHECK:             kernel.store %{{.*}}, %[[Y]]
// CHECK-NOT:     A.out
// CHECK:         kernel.for "i.0.Y.out.x"
// CHECK:         kernel.for "i.0.Z.out.x"
module attributes {kernel.device = #kernel.device<"cuda", {vector_bytes = 16 : i64}>} {
func.func @parts(%a: memref<?x?xf32>, %y: memref<?x2xf32>, %z: memref<?x?xf32>, %n: index, %length: index) {
  %m = array.assume %length in 0 to 8 : index
  kernel.launch @k (%A[%N, %M] = %a : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N, 2] = %y : memref<?x2xf32>, %Z[%N, %M] = %z : memref<?x?xf32>)
      schedule #kernel.schedule<i = [block.0, thread.x 256], j = [seq], stage = [A at i.0 rows, Y at i.0 rows, Z at i.0 rows]> {
    %c1 = arith.constant 1 : index
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %v = kernel.load %A[%i, %j] : memref<?x?xf32>
        kernel.store %v, %Z[%i, %j] : memref<?x?xf32>
        kernel.store %v, %Y[%i, %c1] : memref<?x2xf32>
      }
    }
  }
  return
}
}

// -----

// What is read of a row was stored before, in front of a branch as well: nothing
// is fetched. Of a row that is read first everything is.

// CHECK-LABEL: func.func @read_behind(
// CHECK:         %[[T:.*]] = kernel.local : memref<512xf32>
// CHECK-NOT:     Y.in
// CHECK:         kernel.for "i.1"
// CHECK:           kernel.load %[[T]]
// CHECK:         Y.out
// CHECK-LABEL: func.func @read_before(
// CHECK:         kernel.local : memref<512xf32>
// CHECK:         Y.in
// CHECK:         kernel.for "i.1"
module attributes {kernel.device = #kernel.device<"cuda", {vector_bytes = 16 : i64}>} {
func.func @read_behind(%x: memref<?xf32>, %y: memref<?x2xf32>, %z: memref<?xf32>, %n: index, %k: index, %p: i1) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index, %K = %k : index, %P = %p : i1)
      outs (%Y[%N, 2] = %y : memref<?x2xf32>, %Z[%N] = %z : memref<?xf32>)
      schedule #kernel.schedule<i = [block.0, thread.x 256], stage = [Y at i.0 rows]> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      %w = arith.mulf %v, %v : f32
      kernel.store %v, %Y[%i, %c0] : memref<?x2xf32>
      kernel.store %w, %Y[%i, %c1] : memref<?x2xf32>
      %r = scf.if %P -> f32 {
        %u = kernel.load %Y[%i, %K] : memref<?x2xf32>
        scf.yield %u : f32
      } else {
        scf.yield %v : f32
      }
      kernel.store %r, %Z[%i] : memref<?xf32>
    }
  }
  return
}
func.func @read_before(%x: memref<?xf32>, %y: memref<?x2xf32>, %z: memref<?xf32>, %n: index, %k: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index, %K = %k : index)
      outs (%Y[%N, 2] = %y : memref<?x2xf32>, %Z[%N] = %z : memref<?xf32>)
      schedule #kernel.schedule<i = [block.0, thread.x 256], stage = [Y at i.0 rows]> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.store %v, %Y[%i, %c0] : memref<?x2xf32>
      %u = kernel.load %Y[%i, %K] : memref<?x2xf32>
      kernel.store %v, %Y[%i, %c1] : memref<?x2xf32>
      kernel.store %u, %Z[%i] : memref<?xf32>
    }
  }
  return
}
}
