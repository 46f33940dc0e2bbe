// RUN: arr-opt %s --kernel-contract-locals --split-input-file | FileCheck %s

// A masked store may not have happened.
// CHECK-LABEL: @no_masked_store
// CHECK: kernel.local
// CHECK: kernel.store {{.*}} if
// CHECK: kernel.load %{{.*}}[] : memref<f32>
func.func @no_masked_store(%x: memref<?xf32>, %y: memref<?xf32>, %p: i1, %n: index) {
  kernel.launch @masked (%X[%N] = %x : memref<?xf32>, %P = %p : i1, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    kernel.for "i" (%i) in %N {
      %e = kernel.local : memref<f32>
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.store %v, %e[] if %P : memref<f32>
      %w = kernel.load %e[] : memref<f32>
      kernel.store %w, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// Two loops use the row: the local keeps that dimension and loses the other.
// CHECK-LABEL: @row_stays
// CHECK: kernel.for "i" (%[[I:[^)]*]])
// CHECK-NEXT: %[[E:.*]] = kernel.local (%{{.*}}) : memref<?xf32>
// CHECK: kernel.for "j" (%[[J:[^)]*]])
// CHECK: kernel.store %{{.*}}, %[[E]][%[[J]]] : memref<?xf32>
// CHECK: kernel.yield %[[V:.*]] : f32
// CHECK: kernel.for "j" (%[[K:[^)]*]])
// CHECK: kernel.load %[[E]][%[[K]]] : memref<?xf32>
func.func @row_stays(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @rows (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    %e = kernel.local (%N, %M) : memref<?x?xf32>
    kernel.for "i" (%i) in %N {
      %s = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.store %v, %e[%i, %j] : memref<?x?xf32>
        %w = kernel.load %e[%i, %j] : memref<?x?xf32>
        kernel.yield %w : f32
      }
      kernel.for "j" (%j) in %M {
        %v = kernel.load %e[%i, %j] : memref<?x?xf32>
        %w = arith.divf %v, %s : f32
        kernel.store %w, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// -----

// Elements at constant distances are told apart; the local goes.
// CHECK-LABEL: @small_array
// CHECK-NOT: kernel.local
// CHECK: %[[V:.*]] = kernel.load %[[X:.*]][%[[I:.*]]]
// CHECK: %[[W:.*]] = arith.mulf %[[V]], %[[V]]
// CHECK: arith.subf %[[W]], %[[V]]
func.func @small_array(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @pair (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %e = kernel.local (%N) : memref<?x2xf32>
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      %w = arith.mulf %v, %v : f32
      kernel.store %v, %e[%i, %c0] : memref<?x2xf32>
      kernel.store %w, %e[%i, %c1] : memref<?x2xf32>
      %a = kernel.load %e[%i, %c1] : memref<?x2xf32>
      %b = kernel.load %e[%i, %c0] : memref<?x2xf32>
      %d = arith.subf %a, %b : f32
      kernel.store %d, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// A row that steps write and that is then copied into a result: steps write it
// there, what the step before has left stays in a register, and of the fill the
// first element is left. Who made the array that it fills with is not asked any
// more where nothing is.
// CHECK-LABEL: @row
// CHECK: kernel.launch @row ({{.*}}) outs (%[[Y:.*]][%{{.*}}, %[[M:.*]]] = %{{.*}})
// CHECK-NOT: kernel.local
// CHECK: kernel.for "i" (%[[I:.*]]) in
// CHECK-NOT: kernel.for
// CHECK: %[[F:.*]] = arith.minsi
// CHECK: scf.for %[[E:.*]] = %{{.*}} to %[[F]]
// CHECK:   kernel.store %{{.*}}, %[[Y]][%[[I]], %[[E]]]
// CHECK: %[[B:.*]] = kernel.load %[[Y]][%[[I]], %{{.*}}] if
// CHECK: scf.for {{.*}} iter_args(%[[P:.*]] = %[[B]])
// CHECK:   %[[A:.*]] = kernel.load %{{.*}}[%[[I]], %[[T:.*]]]
// CHECK:   %[[S:.*]] = arith.addf %[[P]], %[[A]]
// CHECK:   kernel.store %[[S]], %[[Y]][%[[I]], %[[T]]] : memref
// CHECK:   scf.yield %[[S]]
// CHECK-NOT: kernel.for
func.func @row(%x: tensor<?x?xf32>, %z: f32, %n: index, %m: index) -> tensor<?x?xf32> {
  %y = tensor.empty(%n, %m) : tensor<?x?xf32>
  %last = affine.apply affine_map<()[s0] -> (s0 - 1)>()[%m]
  %r = kernel.launch @row (%N = %n : index, %M = %m : index, %L = %last : index, %Z = %z : f32, %X[%N, %M] = %x : tensor<?x?xf32>) outs (%Y[%N, %M] = %y : tensor<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    kernel.for "i" (%i) in %N {
      %e = kernel.local (%M) : memref<?xf32>
      kernel.for "j" (%j) in %M {
        kernel.store %Z, %e[%j] : memref<?xf32>
      }
      scf.for %t = %c0 to %L step %c1 {
        %k = affine.apply affine_map<(d0) -> (d0 + 1)>(%t)
        %p = kernel.load %e[%t] : memref<?xf32>
        %a = kernel.load %X[%i, %k] : memref<?x?xf32>
        %s = arith.addf %p, %a : f32
        %in = arith.cmpi ult, %k, %M : index
        kernel.store %s, %e[%k] if %in : memref<?xf32>
      }
      kernel.for "j" (%j) in %M {
        %v = kernel.load %e[%j] : memref<?xf32>
        kernel.store %v, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return %r : tensor<?x?xf32>
}

// -----

// Backwards, over all elements, with a number that goes along; what the fill has
// left is read before a step writes it. The same fill in both branches is one.
// CHECK-LABEL: @all_of_row
// CHECK: kernel.launch @all ({{.*}}) outs (%[[Y:.*]][%{{.*}}, %[[M:.*]]] = %{{.*}})
// CHECK-NOT: kernel.local
// CHECK: kernel.for "i" (%[[I:.*]]) in
// CHECK-NOT: kernel.for
// CHECK: scf.if
// CHECK:   kernel.store %{{.*}}, %[[Y]][%[[I]], %{{.*}}]
// CHECK: scf.for %{{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (f32)
// CHECK:   %[[K:.*]] = affine.apply
// CHECK:   %[[P:.*]] = arith.addf %[[S]], %{{.*}}
// CHECK:   kernel.store %[[P]], %[[Y]][%[[I]], %[[K]]] : memref
// CHECK-NOT: kernel.for
func.func @all_of_row(%x: tensor<?x?xf32>, %z: f32, %c: i1, %n: index, %m: index) -> tensor<?x?xf32> {
  %y = tensor.empty(%n, %m) : tensor<?x?xf32>
  %r = kernel.launch @all (%N = %n : index, %M = %m : index, %Z = %z : f32, %C = %c : i1, %X[%N, %M] = %x : tensor<?x?xf32>) outs (%Y[%N, %M] = %y : tensor<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    kernel.for "i" (%i) in %N {
      %e = kernel.local (%M) : memref<?xf32>
      scf.if %C {
        kernel.for "j" (%j) in %M {
          kernel.store %Z, %e[%j] : memref<?xf32>
        }
        kernel.store %Z, %e[%c0] : memref<?xf32>
      } else {
        kernel.for "j" (%j) in %M {
          kernel.store %Z, %e[%j] : memref<?xf32>
        }
      }
      %s = scf.for %t = %c0 to %M step %c1 iter_args(%o = %Z) -> (f32) {
        %k = affine.apply affine_map<(d0)[s0] -> (-d0 + s0 - 1)>(%t)[%M]
        %a = kernel.load %X[%i, %k] : memref<?x?xf32>
        %p = arith.addf %o, %a : f32
        %in = arith.cmpi ult, %k, %M : index
        kernel.store %p, %e[%k] if %in : memref<?xf32>
        scf.yield %p : f32
      }
      kernel.for "j" (%j) in %M {
        %v = kernel.load %e[%j] : memref<?xf32>
        kernel.store %v, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return %r : tensor<?x?xf32>
}

// -----

// What a step reads of the fill is computed again.
// CHECK-LABEL: @row_of_input
// CHECK-NOT: kernel.local
// CHECK: scf.for %[[T:.*]] = %{{.*}} to
// CHECK-NEXT: %[[A:.*]] = kernel.load %[[X:.*]][%[[I:.*]], %[[T]]]
// CHECK-NEXT: %[[V:.*]] = arith.mulf %[[A]], %[[A]]
// CHECK-NEXT: %[[W:.*]] = arith.addf %[[V]]
// CHECK-NEXT: kernel.store %[[W]], %{{.*}}[%[[I]], %[[T]]]
func.func @row_of_input(%x: tensor<?x?xf32>, %z: f32, %n: index, %m: index) -> tensor<?x?xf32> {
  %y = tensor.empty(%n, %m) : tensor<?x?xf32>
  %r = kernel.launch @row (%N = %n : index, %M = %m : index, %Z = %z : f32, %X[%N, %M] = %x : tensor<?x?xf32>) outs (%Y[%N, %M] = %y : tensor<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    kernel.for "i" (%i) in %N {
      %e = kernel.local (%M) : memref<?xf32>
      kernel.for "j" (%j) in %M {
        %a = kernel.load %X[%i, %j] : memref<?x?xf32>
        %b = arith.mulf %a, %a : f32
        kernel.store %b, %e[%j] : memref<?xf32>
      }
      scf.for %t = %c0 to %M step %c1 {
        %p = kernel.load %e[%t] : memref<?xf32>
        %s = arith.addf %p, %Z : f32
        kernel.store %s, %e[%t] : memref<?xf32>
      }
      kernel.for "j" (%j) in %M {
        %v = kernel.load %e[%j] : memref<?xf32>
        kernel.store %v, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return %r : tensor<?x?xf32>
}

// -----

// A row that steps go over again and again is better on chip, one that is read
// anywhere is as well, and another use of the result is in the way.
// CHECK-LABEL: @no_row_again
// CHECK: kernel.local
// CHECK-LABEL: @no_row_anywhere
// CHECK: kernel.local
// CHECK-LABEL: @no_row_other_use
// CHECK: kernel.local
func.func @no_row_again(%z: f32, %n: index, %m: index) -> tensor<?x?xf32> {
  %y = tensor.empty(%n, %m) : tensor<?x?xf32>
  %r = kernel.launch @row (%N = %n : index, %M = %m : index, %Z = %z : f32) outs (%Y[%N, %M] = %y : tensor<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    kernel.for "i" (%i) in %N {
      %e = kernel.local (%M) : memref<?xf32>
      kernel.for "j" (%j) in %M {
        kernel.store %Z, %e[%j] : memref<?xf32>
      }
      scf.for %k = %c0 to %M step %c1 {
        scf.for %t = %c0 to %M step %c1 {
          %p = kernel.load %e[%t] : memref<?xf32>
          %s = arith.addf %p, %Z : f32
          kernel.store %s, %e[%t] : memref<?xf32>
        }
      }
      kernel.for "j" (%j) in %M {
        %v = kernel.load %e[%j] : memref<?xf32>
        kernel.store %v, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return %r : tensor<?x?xf32>
}
func.func @no_row_anywhere(%z: f32, %n: index, %m: index, %w: index) -> tensor<?x?xf32> {
  %y = tensor.empty(%n, %m) : tensor<?x?xf32>
  %r = kernel.launch @row (%N = %n : index, %M = %m : index, %W = %w : index, %Z = %z : f32) outs (%Y[%N, %M] = %y : tensor<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    kernel.for "i" (%i) in %N {
      %e = kernel.local (%M) : memref<?xf32>
      kernel.for "j" (%j) in %M {
        kernel.store %Z, %e[%j] : memref<?xf32>
      }
      scf.for %t = %c0 to %M step %c1 {
        %p = kernel.load %e[%W] : memref<?xf32>
        %s = arith.addf %p, %Z : f32
        kernel.store %s, %e[%t] : memref<?xf32>
      }
      kernel.for "j" (%j) in %M {
        %v = kernel.load %e[%j] : memref<?xf32>
        kernel.store %v, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return %r : tensor<?x?xf32>
}
func.func @no_row_other_use(%z: f32, %n: index, %m: index) -> tensor<?x?xf32> {
  %y = tensor.empty(%n, %m) : tensor<?x?xf32>
  %r = kernel.launch @row (%N = %n : index, %M = %m : index, %Z = %z : f32) outs (%Y[%N, %M] = %y : tensor<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    kernel.for "i" (%i) in %N {
      %e = kernel.local (%M) : memref<?xf32>
      scf.for %t = %c0 to %M step %c1 {
        %p = kernel.load %Y[%i, %t] : memref<?x?xf32>
        kernel.store %p, %e[%t] : memref<?xf32>
      }
      kernel.for "j" (%j) in %M {
        %v = kernel.load %e[%j] : memref<?xf32>
        kernel.store %v, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return %r : tensor<?x?xf32>
}
