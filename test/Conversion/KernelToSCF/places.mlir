// The place of the least value in lanes: a value and the number of the iteration
// it came from; indices are computed behind the loop.
// RUN: arr-opt %s --convert-kernel-to-scf --canonicalize --split-input-file | FileCheck %s
// The operator survives clean-up, printing and reading.
// RUN: arr-opt %s --canonicalize --cse --split-input-file | arr-opt --split-input-file --convert-kernel-to-scf --canonicalize | FileCheck %s

// An index that does not grow with the loop is carried as it is.
// CHECK-LABEL: func @no_counts
// CHECK: scf.for {{.*}} -> (vector<4xf32>, vector<4xindex>)
// CHECK-NOT: xi32>
// CHECK: return
func.func @no_counts(%x: memref<?xf32>, %y: memref<index>, %n: index) {
  kernel.launch @f (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y = %y : memref<index>) {
    %inf = arith.constant 0x7F800000 : f32
    %none = arith.constant -1 : index
    %s:2 = kernel.for "i.1" (%v) in 4 at vector reduce (%inf, %none : f32, index) by (%a: f32, %i: index, %b: f32, %k: index) {
      %less = arith.cmpf ult, %b, %a : f32
      %left = arith.cmpf ord, %a, %a : f32
      %first = arith.andi %less, %left : i1
      %more = arith.cmpf ult, %a, %b : f32
      %right = arith.cmpf ord, %b, %b : f32
      %second = arith.andi %more, %right : i1
      %before = arith.cmpi ult, %k, %i : index
      %either = arith.ori %first, %before : i1
      %take = arith.select %second, %first, %either : i1
      %p = arith.select %take, %b, %a : f32
      %q = arith.select %take, %k, %i : index
      kernel.yield %p, %q : f32, index
    } {
      %t:2 = kernel.for "i.0" (%u) in %N at seq reduce (%inf, %none : f32, index) by (%a: f32, %i: index, %b: f32, %k: index) {
        %less = arith.cmpf ult, %b, %a : f32
        %left = arith.cmpf ord, %a, %a : f32
        %first = arith.andi %less, %left : i1
        %more = arith.cmpf ult, %a, %b : f32
        %right = arith.cmpf ord, %b, %b : f32
        %second = arith.andi %more, %right : i1
        %before = arith.cmpi ult, %k, %i : index
        %either = arith.ori %first, %before : i1
        %take = arith.select %second, %first, %either : i1
        %p = arith.select %take, %b, %a : f32
        %q = arith.select %take, %k, %i : index
        kernel.yield %p, %q : f32, index
      } {
        %j = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%u, %v)
        %e = kernel.load %X[%j] : memref<?xf32>
        %in = arith.cmpi slt, %j, %N : index
        %w = arith.select %in, %e, %inf : f32
        %m = arith.select %in, %j, %none : index
        kernel.yield %w, %m : f32, index
      }
      kernel.yield %t#0, %t#1 : f32, index
    }
    kernel.store %s#1, %Y[] : memref<index>
  }
  return
}

// -----

// The lanes are folded behind the loop, by counts of 32 bits: the best value,
// the least count that came with it, the first lane that has both.
// CHECK-LABEL: func @row
// CHECK: %[[MOST:.*]] = arith.constant 1073741824 : index
// CHECK: scf.for {{.*}} step %[[MOST]] {{.*}} -> (f32, index)
// CHECK:   %[[P:.*]]:2 = scf.for {{.*}} iter_args(%[[V:.*]] = %{{.*}}, %[[K:.*]] = %{{.*}}) -> (vector<4xf32>, vector<4xi32>)
// CHECK:     %[[X:.*]] = vector.load
// CHECK:     %[[LESS:.*]] = arith.cmpf ult, %[[X]], %[[V]] : vector<4xf32>
// CHECK:     %[[NUMBER:.*]] = arith.cmpf ord, %[[V]], %[[V]] : vector<4xf32>
// CHECK:     %[[BETTER:.*]] = arith.andi %[[LESS]], %[[NUMBER]]
// CHECK:     %[[V1:.*]] = arith.select %[[BETTER]], %[[X]], %[[V]]
// CHECK:     %[[K1:.*]] = arith.select %[[BETTER]], %{{.*}}, %[[K]]
// CHECK:     scf.yield %[[V1]], %[[K1]]
// CHECK:   arith.minui %{{.*}} : vector<2xi32>
// CHECK:   arith.minui %{{.*}} : vector<1xi32>
// CHECK:   math.cttz
// CHECK-NOT: vector<4xindex>
// CHECK: return
func.func @row(%x: memref<?xf32>, %y: memref<index>, %n: index) {
  kernel.launch @f (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y = %y : memref<index>) {
    %inf = arith.constant 0x7F800000 : f32
    %none = arith.constant -1 : index
    %s:2 = kernel.for "i.1" (%v) in 4 at vector reduce (%inf, %none : f32, index) by (%a: f32, %i: index, %b: f32, %k: index) {
      %less = arith.cmpf ult, %b, %a : f32
      %left = arith.cmpf ord, %a, %a : f32
      %first = arith.andi %less, %left : i1
      %more = arith.cmpf ult, %a, %b : f32
      %right = arith.cmpf ord, %b, %b : f32
      %second = arith.andi %more, %right : i1
      %before = arith.cmpi ult, %k, %i : index
      %either = arith.ori %first, %before : i1
      %take = arith.select %second, %first, %either : i1
      %p = arith.select %take, %b, %a : f32
      %q = arith.select %take, %k, %i : index
      kernel.yield %p, %q : f32, index
    } {
      %t:2 = kernel.for "i.0" (%u) in %N at seq reduce (%inf, %none : f32, index) by (%a: f32, %i: index, %b: f32, %k: index) {
        %less = arith.cmpf ult, %b, %a : f32
        %left = arith.cmpf ord, %a, %a : f32
        %first = arith.andi %less, %left : i1
        %more = arith.cmpf ult, %a, %b : f32
        %right = arith.cmpf ord, %b, %b : f32
        %second = arith.andi %more, %right : i1
        %before = arith.cmpi ult, %k, %i : index
        %either = arith.ori %first, %before : i1
        %take = arith.select %second, %first, %either : i1
        %p = arith.select %take, %b, %a : f32
        %q = arith.select %take, %k, %i : index
        kernel.yield %p, %q : f32, index
      } {
        %j = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%u, %v)
        %e = kernel.load %X[%j] : memref<?xf32>
        kernel.yield %e, %j : f32, index
      }
      kernel.yield %t#0, %t#1 : f32, index
    }
    kernel.store %s#1, %Y[] : memref<index>
  }
  return
}
