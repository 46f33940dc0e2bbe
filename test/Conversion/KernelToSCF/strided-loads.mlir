// Lanes along rows of a few elements load pieces of 16 bytes and rearrange them,
// once for all columns.
// RUN: arr-opt %s --convert-kernel-to-scf --canonicalize --cse --split-input-file | FileCheck %s

// CHECK-LABEL: func @rows_of_three
// CHECK: %[[FLAT:.*]] = memref.collapse_shape %{{.*}} {{\[}}[0, 1]]
// CHECK-NOT: gather
// CHECK-COUNT-6: vector.load %[[FLAT]][%{{.*}}] : memref<?xf32>, vector<4xf32>
// CHECK-NOT: vector.load
// CHECK: vector.store %{{.*}} : memref<?xf32>, vector<8xf32>
func.func @rows_of_three(%x: memref<?x?xf32>, %y: memref<?xf32>, %n: index) {
  %m = arith.constant 3 : index
  kernel.launch @f (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    kernel.for "i.0" (%b) in %N at block.0 {
      kernel.for "i.1" (%v) in 8 at vector {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%b, %v)
        %p = kernel.load %X[%i, %c0] : memref<?x?xf32>
        %q = kernel.load %X[%i, %c1] : memref<?x?xf32>
        %r = kernel.load %X[%i, %c2] : memref<?x?xf32>
        %s = arith.addf %p, %q : f32
        %t = arith.addf %s, %r : f32
        kernel.store %t, %Y[%i] : memref<?xf32>
      }
    }
  }
  return
}

// -----

// How long rows are is not known.
// CHECK-LABEL: func @rows
// CHECK: vector.gather
func.func @rows(%x: memref<?x?xf32>, %y: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @f (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %c0 = arith.constant 0 : index
    kernel.for "i.0" (%b) in %N at block.0 {
      kernel.for "i.1" (%v) in 8 at vector {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%b, %v)
        %p = kernel.load %X[%i, %c0] : memref<?x?xf32>
        kernel.store %p, %Y[%i] : memref<?xf32>
      }
    }
  }
  return
}

// -----

// What is stored in between is read again.
// CHECK-LABEL: func @in_place
// CHECK: vector.load
// CHECK: vector.scatter
// CHECK: vector.load
// CHECK: vector.scatter
func.func @in_place(%x: memref<?x2xf32>, %n: index) {
  kernel.launch @f (%N = %n : index) outs (%X[%N, 2] = %x : memref<?x2xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    kernel.for "i.0" (%b) in %N at block.0 {
      kernel.for "i.1" (%v) in 8 at vector {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%b, %v)
        %p = kernel.load %X[%i, %c0] : memref<?x2xf32>
        kernel.store %p, %X[%i, %c1] : memref<?x2xf32>
        %q = kernel.load %X[%i, %c1] : memref<?x2xf32>
        kernel.store %q, %X[%i, %c0] : memref<?x2xf32>
      }
    }
  }
  return
}

// -----

// Neighbours of jammed loops are columns of a square: eight rows of four are loaded as vectors, and
// transposed. A store between them keeps the gathers.
// CHECK-LABEL: func @square
// CHECK-COUNT-8: vector.load %{{.*}} : memref<?x?xf32>, vector<4xf32>
// CHECK-NOT: vector.gather
// CHECK-COUNT-4: vector.store %{{.*}} : memref<?x?xf32>, vector<8xf32>
func.func @square(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @f (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%M, %N] = %y : memref<?x?xf32>) {
    kernel.for "i.0" (%b) in %N at block.0 {
      kernel.for "i.1" (%v) in 8 at vector {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%b, %v)
        %j = affine.apply affine_map<(d0) -> (d0 * 4)>(%b)
        %k = affine.apply affine_map<(d0) -> (d0 * 4 + 1)>(%b)
        %l = affine.apply affine_map<(d0) -> (d0 * 4 + 2)>(%b)
        %o = affine.apply affine_map<(d0) -> (d0 * 4 + 3)>(%b)
        %p = kernel.load %X[%i, %j] : memref<?x?xf32>
        %q = kernel.load %X[%i, %k] : memref<?x?xf32>
        %r = kernel.load %X[%i, %l] : memref<?x?xf32>
        %s = kernel.load %X[%i, %o] : memref<?x?xf32>
        kernel.store %p, %Y[%j, %i] : memref<?x?xf32>
        kernel.store %q, %Y[%k, %i] : memref<?x?xf32>
        kernel.store %r, %Y[%l, %i] : memref<?x?xf32>
        kernel.store %s, %Y[%o, %i] : memref<?x?xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: func @interrupted
// CHECK-COUNT-4: vector.gather
func.func @interrupted(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @f (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%M, %N] = %y : memref<?x?xf32>) {
    kernel.for "i.0" (%b) in %N at block.0 {
      kernel.for "i.1" (%v) in 8 at vector {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%b, %v)
        %j = affine.apply affine_map<(d0) -> (d0 * 4)>(%b)
        %k = affine.apply affine_map<(d0) -> (d0 * 4 + 1)>(%b)
        %l = affine.apply affine_map<(d0) -> (d0 * 4 + 2)>(%b)
        %o = affine.apply affine_map<(d0) -> (d0 * 4 + 3)>(%b)
        %p = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.store %p, %Y[%j, %i] : memref<?x?xf32>
        %q = kernel.load %X[%i, %k] : memref<?x?xf32>
        kernel.store %q, %Y[%k, %i] : memref<?x?xf32>
        %r = kernel.load %X[%i, %l] : memref<?x?xf32>
        kernel.store %r, %Y[%l, %i] : memref<?x?xf32>
        %s = kernel.load %X[%i, %o] : memref<?x?xf32>
        kernel.store %s, %Y[%o, %i] : memref<?x?xf32>
      }
    }
  }
  return
}
