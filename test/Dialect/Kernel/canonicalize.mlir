// RUN: arr-opt %s --canonicalize --split-input-file | FileCheck %s

// An index may leave a dimension that its loop does not walk as a whole.
// CHECK-LABEL: @no_other_bound
func.func @no_other_bound(%y: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index) outs (%Y[%M] = %y : memref<?xf32>) {
    %one = arith.constant 1.0 : f32
    kernel.for "i" (%i) in %N {
      // CHECK: %[[OK:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : index
      // CHECK: kernel.check index %[[OK]]
      // CHECK: kernel.store {{.*}} if %[[OK]]
      %ok = arith.cmpi ult, %i, %M : index
      kernel.check index %ok, "index {0} is outside" [%i : index]
      kernel.store %one, %Y[%i] if %ok : memref<?xf32>
    }
  }
  return
}

// -----

// Inside of what its loop walks nothing is to be asked, of a number neither.
// CHECK-LABEL: @own_bound
func.func @own_bound(%y: memref<?x8xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%Y[%N, 8] = %y : memref<?x8xf32>) {
    %one = arith.constant 1.0 : f32
    %c8 = arith.constant 8 : index
    // CHECK-NOT: kernel.check
    // CHECK: kernel.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : memref<?x8xf32>
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in 8 {
      %ok = arith.cmpi ult, %i, %N : index
      kernel.check index %ok, "index {0} is outside" [%i : index]
      %fine = arith.cmpi ult, %j, %c8 : index
      kernel.check index %fine, "index {0} is outside" [%j : index]
      %both = arith.andi %ok, %fine : i1
      kernel.store %one, %Y[%i, %j] if %both : memref<?x8xf32>
    } }
  }
  return
}
