// A `vector` loop becomes operations on vectors: what differs between lanes and
// how decides the kind of access.
// RUN: arr-opt %s --convert-kernel-to-scf --canonicalize --split-input-file | FileCheck %s

// A loop that counts nothing that vectors can hold stays a scalar loop.
// CHECK-LABEL: func @no_lanes_for_complex
// CHECK-NOT: vector<
// CHECK: scf.for
// CHECK:   complex.mul
func.func @no_lanes_for_complex(%x: memref<?xcomplex<f32>>, %y: memref<?xcomplex<f32>>, %n: index) {
  kernel.launch @f (%X[%N] = %x : memref<?xcomplex<f32>>, %N = %n : index) outs (%Y[%N] = %y : memref<?xcomplex<f32>>) {
    kernel.for "i.1" (%v) in 8 at vector {
      %u = kernel.load %X[%v] : memref<?xcomplex<f32>>
      %w = complex.mul %u, %u : complex<f32>
      kernel.store %w, %Y[%v] : memref<?xcomplex<f32>>
    }
  }
  return
}

// -----

// An update of an element that lanes may share is done lane by lane.
// CHECK-LABEL: func @no_lanes_for_updates
// CHECK-NOT: vector<
// CHECK: scf.for
// CHECK:   memref.store
func.func @no_lanes_for_updates(%x: memref<?xindex>, %h: memref<8xi64>, %n: index) {
  kernel.launch @f (%X[%N] = %x : memref<?xindex>, %N = %n : index) outs (%H[8] = %h : memref<8xi64>) {
    %one = arith.constant 1 : i64
    kernel.for "i.1" (%v) in 8 at vector {
      %b = kernel.load %X[%v] : memref<?xindex>
      kernel.update %one, %H[%b] : memref<8xi64> by arith.addi
    }
  }
  return
}

// -----

// CHECK-LABEL: func @contiguous
// CHECK-SAME: (%[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32>, %[[N:.*]]: index, %[[A:.*]]: f32)
// CHECK: scf.parallel (%[[B:.*]]) = (%{{.*}}) to (%[[N]])
// CHECK:   %[[I:.*]] = arith.muli %[[B]]
// CHECK:   %[[U:.*]] = vector.load %[[X]][%[[I]]] : memref<?xf32>, vector<16xf32>
// CHECK:   %[[S:.*]] = vector.broadcast %[[A]]
// CHECK:   %[[W:.*]] = arith.mulf %[[S]], %[[U]] : vector<16xf32>
// CHECK:   vector.store %[[W]], %[[Y]][%[[I]]]
func.func @contiguous(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %a: f32) {
  kernel.launch @f (%X[%N] = %x : memref<?xf32>, %A = %a : f32, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    kernel.for "i.0" (%b) in %N at block.0 {
      kernel.for "i.1" (%v) in 16 at vector {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1)>(%b, %v)
        %u = kernel.load %X[%i] : memref<?xf32>
        %w = arith.mulf %A, %u : f32
        kernel.store %w, %Y[%i] : memref<?xf32>
      }
    }
  }
  return
}

// -----

// Reversed, strided, one element for all, and a column.
// CHECK-LABEL: func @patterns
// CHECK: vector.load %{{.*}} : memref<?x64xf32>, vector<8xf32>
// CHECK: vector.shuffle %{{.*}} [7, 6, 5, 4, 3, 2, 1, 0]
// CHECK: vector.gather %{{.*}} : memref<?x64xf32>, vector<8xindex>, vector<8xi1>, vector<8xf32> into vector<8xf32>
// CHECK: memref.load %{{.*}} : memref<?x64xf32>
// CHECK: vector.gather
func.func @patterns(%x: memref<?x64xf32>, %y: memref<?x64xf32>, %n: index) {
  kernel.launch @f (%X[%N, 64] = %x : memref<?x64xf32>, %N = %n : index) outs (%Y[%N, 64] = %y : memref<?x64xf32>) {
    kernel.for "i" (%b) in %N at block.0 {
      kernel.for "j" (%v) in 8 at vector {
        %r = affine.apply affine_map<(d0) -> (63 - d0)>(%v)
        %d = affine.apply affine_map<(d0) -> (d0 * 3)>(%v)
        %u = kernel.load %X[%b, %r] : memref<?x64xf32>
        %s = kernel.load %X[%b, %d] : memref<?x64xf32>
        %t = kernel.load %X[%b, %b] : memref<?x64xf32>
        %c = kernel.load %X[%v, %b] : memref<?x64xf32>
        %1 = arith.addf %u, %s : f32
        %2 = arith.addf %1, %t : f32
        %3 = arith.addf %2, %c : f32
        kernel.store %3, %Y[%b, %v] : memref<?x64xf32>
      }
    }
  }
  return
}

// -----

// Bools are bytes in memory.
// CHECK-LABEL: func @bools
// CHECK: builtin.unrealized_conversion_cast %{{.*}} : memref<?xi1> to memref<?xi8>
// CHECK: %[[V:.*]] = vector.load %{{.*}} : memref<?xi8>, vector<16xi8>
// CHECK: arith.cmpi ne, %[[V]]
// CHECK: arith.extui %{{.*}} : vector<16xi1> to vector<16xi8>
// CHECK: vector.store %{{.*}} : memref<?xi8>, vector<16xi8>
func.func @bools(%x: memref<?xi1>, %y: memref<?xi1>, %n: index) {
  kernel.launch @f (%X[%N] = %x : memref<?xi1>, %N = %n : index) outs (%Y[%N] = %y : memref<?xi1>) {
    %yes = arith.constant true
    kernel.for "i.1" (%v) in 16 at vector {
      %u = kernel.load %X[%v] : memref<?xi1>
      %w = arith.xori %u, %yes : i1
      kernel.store %w, %Y[%v] : memref<?xi1>
    }
  }
  return
}

// -----

// A mask that differs between lanes masks; one that does not is a branch.
// CHECK-LABEL: func @masks
// CHECK: %[[IN:.*]] = arith.cmpi slt, %{{.*}} : vector<16xindex>
// CHECK: vector.maskedload %{{.*}}, %[[IN]]
// CHECK: vector.maskedstore %{{.*}}, %[[IN]]
// CHECK: scf.if
// CHECK:   vector.store
func.func @masks(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @f (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %c0 = arith.constant 0 : index
    kernel.for "i.0" (%b) in %N at block.0 {
      %some = arith.cmpi sgt, %b, %c0 : index
      kernel.for "i.1" (%v) in 16 at vector {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1)>(%b, %v)
        %in = arith.cmpi slt, %i, %N : index
        %u = kernel.load %X[%i] if %in : memref<?xf32>
        kernel.store %u, %Y[%i] if %in : memref<?xf32>
        kernel.store %u, %Y[%i] if %some : memref<?xf32>
      }
    }
  }
  return
}

// -----

// One vector of accumulators through the loop inside; at the end neighbours
// are combined first.
// CHECK-LABEL: func @fold
// CHECK: scf.parallel
// CHECK:   %[[P:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (vector<4xf32>)
// CHECK:     %[[L:.*]] = vector.load
// CHECK:     arith.addf %[[ACC]], %[[L]] : vector<4xf32>
// CHECK:   %[[E:.*]] = vector.shuffle %[[P]], %[[P]] [0, 2]
// CHECK:   %[[O:.*]] = vector.shuffle %[[P]], %[[P]] [1, 3]
// CHECK:   %[[Q:.*]] = arith.addf %[[E]], %[[O]] : vector<2xf32>
// CHECK:   vector.extract %[[Q]][0]
// CHECK:   vector.extract %[[Q]][1]
// CHECK:   memref.store
func.func @fold(%x: memref<?x?xf32>, %y: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @f (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N at block.0 {
      %s = kernel.for "j.1" (%v) in 4 at vector reduce (%z : f32) by arith.addf {
        %p = kernel.for "j.0" (%k) in %M at seq reduce (%z : f32) by arith.addf {
          %j = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%k, %v)
          %u = kernel.load %X[%i, %j] : memref<?x?xf32>
          kernel.yield %u : f32
        }
        kernel.yield %p : f32
      }
      kernel.store %s, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// Math functions work on lanes; an index turns into its values.
// CHECK-LABEL: func @values
// CHECK: %[[V:.*]] = arith.constant dense<[0, 1, 2, 3]> : vector<4xi64>
// CHECK: %[[K:.*]] = arith.addi %{{.*}}, %[[V]] : vector<4xi64>
// CHECK: arith.sitofp %[[K]] : vector<4xi64> to vector<4xf64>
// CHECK: math.exp %{{.*}} : vector<4xf64>
func.func @values(%y: memref<?xf64>, %n: index) {
  kernel.launch @f (%N = %n : index) outs (%Y[%N] = %y : memref<?xf64>) {
    kernel.for "i.0" (%b) in %N at block.0 {
      kernel.for "i.1" (%v) in 4 at vector {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%b, %v)
        %k = arith.index_cast %i : index to i64
        %f = arith.sitofp %k : i64 to f64
        %e = math.exp %f : f64
        kernel.store %e, %Y[%i] : memref<?xf64>
      }
    }
  }
  return
}

// -----

// A maximum of floats is three integers until its lanes are folded, and one
// where no value has a sign.
// CHECK-LABEL: func @maximum
// CHECK: %[[P:.*]]:4 = scf.for {{.*}} -> (vector<4xi32>, vector<4xi32>, vector<4xi32>, vector<4xi32>)
// CHECK:   math.absf
// CHECK:   arith.maxsi
// CHECK:   arith.minui
// CHECK:   arith.maxui
// CHECK:   arith.maxsi
// CHECK-NOT: arith.minui
// CHECK: arith.shrsi %{{.*}} : vector<4xi32>
// CHECK-NOT: arith.maximumf %{{.*}} : vector
// CHECK: return
func.func @maximum(%x: memref<?xf32>, %y: memref<f32>, %z: memref<f32>, %n: index) {
  kernel.launch @f (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y = %y : memref<f32>, %Z = %z : memref<f32>) {
    %low = arith.constant 0xFF800000 : f32
    %hi:2 = kernel.for "i.1" (%v) in 4 at vector reduce (%low, %low : f32, f32) by arith.maximumf {
      %m:2 = kernel.for "i.0" (%k) in %N at seq reduce (%low, %low : f32, f32) by arith.maximumf {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%k, %v)
        %u = kernel.load %X[%i] : memref<?xf32>
        %w = math.absf %u : f32
        kernel.yield %u, %w : f32, f32
      }
      kernel.yield %m#0, %m#1 : f32, f32
    }
    kernel.store %hi#0, %Y[] : memref<f32>
    kernel.store %hi#1, %Z[] : memref<f32>
  }
  return
}

// -----

// A product of numbers that are no zero with a sign may be one: a maximum of
// such products keeps what signs its zeros had.
// CHECK-LABEL: func @maximum_of_products
// CHECK: scf.for {{.*}} -> (vector<4xf64>, vector<4xi64>, vector<4xi64>)
// CHECK: return
func.func @maximum_of_products(%x: memref<?x?xf64>, %y: memref<f64>, %n: index, %p: index) {
  kernel.launch @f (%X[%P, %N] = %x : memref<?x?xf64>, %N = %n : index, %P = %p : index) outs (%Y = %y : memref<f64>) {
    %low = arith.constant 0xFFF0000000000000 : f64
    %zero = arith.constant 0.0 : f64
    %one = arith.constant 1.0 : f64
    %minus = arith.constant -1.0 : f64
    %hi = kernel.for "i.1" (%v) in 4 at vector reduce (%low : f64) by arith.maximumf {
      %m = kernel.for "i.0" (%k) in %N at seq reduce (%low : f64) by arith.maximumf {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%k, %v)
        %product = kernel.for "j" (%j) in %P at seq reduce (%one : f64) by arith.mulf {
          %u = kernel.load %X[%j, %i] : memref<?x?xf64>
          %c = arith.cmpf ogt, %u, %zero : f64
          %w = arith.select %c, %minus, %zero : f64
          kernel.yield %w : f64
        }
        kernel.yield %product : f64
      }
      kernel.yield %m : f64
    }
    kernel.store %hi, %Y[] : memref<f64>
  }
  return
}

// -----

// Sums of two rows: each step takes halves of both.
// CHECK-LABEL: func @two_folds
// CHECK: %[[P:.*]]:2 = scf.for
// CHECK: %[[E:.*]] = vector.shuffle %[[P]]#0, %[[P]]#1 [0, 2, 4, 6]
// CHECK: %[[O:.*]] = vector.shuffle %[[P]]#0, %[[P]]#1 [1, 3, 5, 7]
// CHECK: %[[Q:.*]] = arith.addf %[[E]], %[[O]] : vector<4xf32>
// CHECK: %[[F:.*]] = vector.shuffle %[[Q]], %[[Q]] [0, 2]
// CHECK: %[[G:.*]] = vector.shuffle %[[Q]], %[[Q]] [1, 3]
// CHECK: %[[R:.*]] = arith.addf %[[F]], %[[G]] : vector<2xf32>
// CHECK: vector.extract %[[R]][0]
// CHECK: vector.extract %[[R]][1]
func.func @two_folds(%x: memref<?xf32>, %y: memref<2xf32>, %n: index) {
  kernel.launch @f (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[2] = %y : memref<2xf32>) {
    %z = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s:2 = kernel.for "j.1" (%v) in 4 at vector reduce (%z, %z : f32, f32) by arith.addf {
      %p:2 = kernel.for "j.0" (%k) in %N at seq reduce (%z, %z : f32, f32) by arith.addf {
        %j = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%k, %v)
        %u = kernel.load %X[%j] : memref<?xf32>
        %w = arith.mulf %u, %u : f32
        kernel.yield %u, %w : f32, f32
      }
      kernel.yield %p#0, %p#1 : f32, f32
    }
    kernel.store %s#0, %Y[%c0] : memref<2xf32>
    kernel.store %s#1, %Y[%c1] : memref<2xf32>
  }
  return
}

// -----

// One element for some lanes is read once, if there is such a lane.
// CHECK-LABEL: func @one_for_some
// CHECK-NOT: gather
// CHECK: %[[MASK:.*]] = arith.cmpi {{.*}} : vector<8xindex>
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[MASK]]
// CHECK: %[[ONE:.*]] = scf.if %[[ANY]] -> (f32) {
// CHECK:   memref.load
// CHECK: %[[ALL:.*]] = vector.broadcast %[[ONE]]
// CHECK: arith.select %[[MASK]], %[[ALL]]
func.func @one_for_some(%x: memref<?xf32>, %y: memref<8xf32>, %k: index, %m: index) {
  kernel.launch @f (%X[%N] = %x : memref<?xf32>, %N = %m : index, %K = %k : index) outs (%Y[8] = %y : memref<8xf32>) {
    kernel.for "i.1" (%v) in 8 at vector {
      %in = arith.cmpi slt, %v, %N : index
      %u = kernel.load %X[%K] if %in : memref<?xf32>
      kernel.store %u, %Y[%v] : memref<8xf32>
    }
  }
  return
}
