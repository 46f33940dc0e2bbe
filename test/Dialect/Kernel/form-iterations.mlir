// RUN: arr-opt %s --kernel-form-iterations --canonicalize --cse | FileCheck %s

// A loop whose array changes its size stays.

// CHECK-LABEL: @no_form_size_change
// CHECK: scf.while
// CHECK-NOT: kernel.iterate
func.func @no_form_size_change(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %r = scf.while (%t = %a) : (tensor<?xf32>) -> tensor<?xf32> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %t, %c0 : tensor<?xf32>
    %go = arith.cmpi sgt, %d, %n : index
    scf.condition(%go) %t : tensor<?xf32>
  } do {
  ^bb0(%t: tensor<?xf32>):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %d = tensor.dim %t, %c0 : tensor<?xf32>
    %m = arith.subi %d, %c1 : index
    %e = tensor.empty(%m) : tensor<?xf32>
    %next = kernel.launch @half (%T[%D] = %t : tensor<?xf32>, %D = %d : index, %M = %m : index) outs (%O[%M] = %e : tensor<?xf32>) {
      kernel.for "i" (%i) in %M {
        %v = kernel.load %T[%i] : memref<?xf32>
        kernel.store %v, %O[%i] : memref<?xf32>
      }
    }
    scf.yield %next : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// A new array in every step, read at other indices: two buffers rotate. The
// condition is computed before the loop and at the end of each step.

// CHECK-LABEL: @rotate
// CHECK-SAME: %[[T0:.*]]: tensor<?xf32>, %[[TOL:.*]]: f32, %[[N:.*]]: index
// CHECK: %[[GO0:.*]] = tensor.from_elements %{{.*}} : tensor<i1>
// CHECK: %[[R:.*]]:2 = kernel.iterate while (%{{.*}} = %[[GO0]] : tensor<i1>) carry (%[[T:.*]][%[[N]]] = %[[T0]] rotate %[[NEXT:.*]] : tensor<?xf32>, %[[E:.*]] = %{{.*}} : tensor<f32>)
// CHECK: %[[L:.*]]:2 = kernel.launch @step ({{.*}}) outs (%{{.*}} = %[[NEXT]] : tensor<?xf32>
// CHECK: %[[V:.*]] = tensor.extract %[[L]]#1[]
// CHECK: %[[C:.*]] = arith.cmpf ogt, %[[V]], %[[TOL]]
// CHECK: %[[E1:.*]] = tensor.insert %[[V]] into %[[E]][]
// CHECK: %[[GO1:.*]] = tensor.insert %[[C]] into
// CHECK: kernel.continue while %[[GO1]] : tensor<i1> carry %[[L]]#0, %[[E1]]
// CHECK: return %[[R]]#0
func.func @rotate(%t0: tensor<?xf32>, %tol: f32, %n: index) -> tensor<?xf32> {
  %inf = arith.constant 0x7F800000 : f32
  %tb = array.bind %t0 [%n] : tensor<?xf32>
  %r:2 = scf.while (%t = %tb, %err = %inf) : (tensor<?xf32>, f32) -> (tensor<?xf32>, f32) {
    %go = arith.cmpf ogt, %err, %tol : f32
    scf.condition(%go) %t, %err : tensor<?xf32>, f32
  } do {
  ^bb0(%t: tensor<?xf32>, %err: f32):
    %e = tensor.empty(%n) : tensor<?xf32>
    %e0 = tensor.empty() : tensor<f32>
    %next, %d = kernel.launch @step (%T[%N] = %t : tensor<?xf32>, %N = %n : index) outs (%O[%N] = %e : tensor<?xf32>, %E = %e0 : tensor<f32>) {
      %z = arith.constant 0.0 : f32
      %m = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.maximumf {
        %k = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
        %v = kernel.load %T[%k] edge [wrap] : memref<?xf32>
        kernel.store %v, %O[%i] : memref<?xf32>
        kernel.yield %v : f32
      }
      kernel.store %m, %E[] : memref<f32>
    }
    %err1 = tensor.extract %d[] : tensor<f32>
    scf.yield %next, %err1 : tensor<?xf32>, f32
  }
  return %r#0 : tensor<?xf32>
}

// (um, u) = (u, next): next is written in the place of um, which it reads at the
// written index only.

// CHECK-LABEL: @leapfrog
// CHECK: kernel.iterate times (%{{.*}} in %{{.*}}) carry (%[[UM:.*]][%{{.*}}] = %{{.*}} : tensor<?xf32>, %[[U:.*]][%{{.*}}] = %{{.*}} : tensor<?xf32>) {
// CHECK: %[[L:.*]] = kernel.launch @leap ({{.*}}) outs (%{{.*}} = %[[UM]] : tensor<?xf32>)
// CHECK: kernel.continue carry %[[U]], %[[L]]
func.func @leapfrog(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index, %steps: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %an = array.bind %a [%n] : tensor<?xf32>
  %bn = array.bind %b [%n] : tensor<?xf32>
  %r:2 = scf.for %k = %c0 to %steps step %c1 iter_args(%um = %an, %u = %bn) -> (tensor<?xf32>, tensor<?xf32>) {
    %e = tensor.empty(%n) : tensor<?xf32>
    %next = kernel.launch @leap (%UM[%N] = %um : tensor<?xf32>, %U[%N] = %u : tensor<?xf32>, %N = %n : index) outs (%O[%N] = %e : tensor<?xf32>) {
      kernel.for "i" (%i) in %N {
        %k1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
        %v = kernel.load %U[%k1] edge [wrap] : memref<?xf32>
        %w = kernel.load %UM[%i] : memref<?xf32>
        %s = arith.subf %v, %w : f32
        kernel.store %s, %O[%i] : memref<?xf32>
      }
    }
    scf.yield %u, %next : tensor<?xf32>, tensor<?xf32>
  }
  return %r#1 : tensor<?xf32>
}

// One branch makes a new array, the other keeps the old: in place.

// CHECK-LABEL: @branch
// CHECK: kernel.iterate {{.*}} carry (%[[U:.*]][%{{.*}}] = %{{.*}} : tensor<?xf32>) {
// CHECK: scf.if
// CHECK: kernel.launch @one ({{.*}}) outs (%{{.*}} = %[[U]] : tensor<?xf32>)
// CHECK: else
// CHECK: scf.yield %[[U]]
func.func @branch(%a: tensor<?xf32>, %n: index, %steps: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %an = array.bind %a [%n] : tensor<?xf32>
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%u = %an) -> (tensor<?xf32>) {
    %odd = arith.cmpi eq, %k, %c1 : index
    %x = scf.if %odd -> tensor<?xf32> {
      %e = tensor.empty(%n) : tensor<?xf32>
      %next = kernel.launch @one (%U[%N] = %u : tensor<?xf32>, %N = %n : index) outs (%O[%N] = %e : tensor<?xf32>) {
        kernel.for "i" (%i) in %N {
          %v = kernel.load %U[%i] : memref<?xf32>
          %w = arith.negf %v : f32
          kernel.store %w, %O[%i] : memref<?xf32>
        }
      }
      scf.yield %next : tensor<?xf32>
    } else {
      scf.yield %u : tensor<?xf32>
    }
    scf.yield %x : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// One array under two names needs a copy.

// CHECK-LABEL: @two_names
// CHECK: kernel.iterate {{.*}} carry (%[[A:.*]][%{{.*}}] = %{{.*}} : tensor<?xf32>, %[[B:.*]][%{{.*}}] = %{{.*}} rotate %[[NEXT:.*]] : tensor<?xf32>) {
// CHECK: %[[C:.*]] = bufferization.materialize_in_destination %[[A]] in %[[NEXT]]
// CHECK: kernel.continue carry %[[A]], %[[C]]
func.func @two_names(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index, %steps: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %an = array.bind %a [%n] : tensor<?xf32>
  %bn = array.bind %b [%n] : tensor<?xf32>
  %r:2 = scf.for %k = %c0 to %steps step %c1 iter_args(%x = %an, %y = %bn) -> (tensor<?xf32>, tensor<?xf32>) {
    scf.yield %x, %x : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// A counted loop that does not start at 0.

// CHECK-LABEL: @from_three
// CHECK-SAME: %{{.*}}: tensor<?xi64>, %[[N:.*]]: index, %[[HI:.*]]: index
// CHECK: %[[D:.*]] = arith.subi %[[HI]], %c3
// CHECK: %[[L:.*]] = arith.maxsi %[[D]], %c0
// CHECK: %[[T:.*]] = arith.ceildivui %[[L]], %c2
// CHECK: kernel.iterate times (%[[S:.*]] in %[[T]])
// CHECK: %[[K2:.*]] = arith.muli %[[S]], %c2
// CHECK: %[[K:.*]] = arith.addi %[[K2]], %c3
// CHECK: tensor.insert %{{.*}} into %{{.*}}[%[[K]]]
func.func @from_three(%a: tensor<?xi64>, %n: index, %hi: index) -> tensor<?xi64> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %an = array.bind %a [%n] : tensor<?xi64>
  %r = scf.for %k = %c3 to %hi step %c2 iter_args(%x = %an) -> (tensor<?xi64>) {
    %v = arith.index_cast %k : index to i64
    %y = tensor.insert %v into %x[%k] : tensor<?xi64>
    scf.yield %y : tensor<?xi64>
  }
  return %r : tensor<?xi64>
}

// A row is updated in place in front of a launch that reads neighbours of what
// comes of it: the launch needs the second buffer.
// CHECK-LABEL: @row_before_stencil
// CHECK: kernel.iterate {{.*}} carry (%[[T:.*]][8] = %{{.*}} rotate %[[NEXT:.*]] : tensor<8xf32>)
// CHECK:   %[[U:.*]] = tensor.insert_slice %{{.*}} into %[[T]]
// CHECK:   %[[V:.*]] = kernel.launch @k (%{{.*}} = %[[U]] : tensor<8xf32>) outs (%{{.*}} = %[[NEXT]] : tensor<8xf32>)
// CHECK:   kernel.continue carry %[[V]]
func.func @row_before_stencil(%t0: tensor<8xf32>, %first: tensor<1xf32>, %steps: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %s = %c0 to %steps step %c1 iter_args(%t = %t0) -> (tensor<8xf32>) {
    %u = tensor.insert_slice %first into %t[0] [1] [1] : tensor<1xf32> into tensor<8xf32>
    %e = tensor.empty() : tensor<8xf32>
    %v = kernel.launch @k (%U[8] = %u : tensor<8xf32>) outs (%V[8] = %e : tensor<8xf32>) {
      kernel.for "i" (%i) in 8 {
        %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
        %x = kernel.load %U[%j] edge [clamp] : memref<8xf32>
        kernel.store %x, %V[%i] : memref<8xf32>
      }
    }
    scf.yield %v : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// What a fence kept apart is two launches by now.
// CHECK-LABEL: @drop_fence
// CHECK-NOT: array.fence
// CHECK: return %arg0
func.func @drop_fence(%a: tensor<?xf32>) -> tensor<?xf32> {
  %f = array.fence %a : tensor<?xf32>
  return %f : tensor<?xf32>
}
