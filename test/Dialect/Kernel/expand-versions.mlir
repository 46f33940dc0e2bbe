// RUN: arr-opt %s --kernel-expand-versions --split-input-file --verify-diagnostics | FileCheck %s

func.func @no_results(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  // expected-error @+1 {{has versions and results; bufferize first}}
  %r = kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : tensor<?xf32>)
      versions [<when = affine_set<()[s0] : (s0 - 8 >= 0)>, i = [block.0]>, <i = [seq]>] of (%N) {
  }
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @chain
// CHECK-SAME: %[[N:.*]]: index, %[[M:.*]]: index
func.func @chain(%x: memref<?x?xf32>, %n: index, %m: index) {
  // CHECK: %[[LARGE:.*]] = arith.cmpi sge
  // CHECK: scf.if %[[LARGE]] {
  // CHECK:   kernel.launch @k {{.*}} schedule #kernel.schedule<i = [block.0]>
  // CHECK: } else {
  // CHECK:   %[[SAME:.*]] = arith.cmpi eq
  // CHECK:   %[[WIDE:.*]] = arith.cmpi sge
  // CHECK:   %[[BOTH:.*]] = arith.andi %[[SAME]], %[[WIDE]]
  // CHECK:   scf.if %[[BOTH]] {
  // CHECK:     kernel.launch @k {{.*}} schedule #kernel.schedule<i = [block.0, seq 8]>
  // CHECK:   } else {
  // CHECK:     kernel.launch @k {{.*}} schedule #kernel.schedule<i = [seq]>
  kernel.launch @k (%M = %m : index, %N = %n : index) outs (%X[%N, %M] = %x : memref<?x?xf32>)
      versions [<when = affine_set<()[s0, s1] : (s0 - 8 >= 0)>, i = [block.0]>,
                <when = affine_set<()[s0, s1] : (s0 - s1 == 0, s1 - 4 >= 0)>, i = [block.0, seq 8]>,
                <i = [seq]>] of (%N, %M) {
    kernel.for "i" (%i) in %N {
    }
  }
  return
}

// -----

// That a size is a multiple of a number goes on as a fact; the last version
// knows nothing.
// CHECK-LABEL: @multiple
// CHECK-SAME: %[[N:[a-z0-9]*]]: index, %[[M:[a-z0-9]*]]: index
func.func @multiple(%x: memref<?x?xf32>, %n: index, %m: index) {
  // CHECK: scf.if
  // CHECK:   %[[EVEN:.*]] = array.assume %[[M]] multiple 4 : index
  // CHECK:   kernel.launch @k (%N = %[[N]] : index, %M = %[[EVEN]] : index) {{.*}} schedule #kernel.schedule<i = [block.0]>
  // CHECK: } else {
  // CHECK:   scf.if
  // CHECK:     %[[BOTH:.*]] = array.assume %[[N]] multiple 2 : index
  // CHECK:     kernel.launch @k (%N = %[[BOTH]] : index, %M = %[[M]] : index) {{.*}} schedule #kernel.schedule<i = [block.0, seq 8]>
  // CHECK:   } else {
  // CHECK:     kernel.launch @k (%N = %[[N]] : index, %M = %[[M]] : index) {{.*}} schedule #kernel.schedule<i = [seq]>
  kernel.launch @k (%N = %n : index, %M = %m : index) outs (%X[%N, %M] = %x : memref<?x?xf32>)
      versions [<when = affine_set<()[s0, s1] : (s0 - 8 >= 0, -(s1 mod 4) >= 0)>, i = [block.0]>,
                <when = affine_set<()[s0, s1] : (s0 mod 2 == 0, s1 mod 4 >= 0)>, i = [block.0, seq 8]>,
                <i = [seq]>] of (%N, %M) {
    kernel.for "i" (%i) in %N {
    }
  }
  return
}

// -----

// Where all digits have sizes, that they suffice goes on as a fact.
// CHECK-LABEL: @most
// CHECK-SAME: %[[N:[a-z0-9]*]]: index
func.func @most(%x: memref<?xf32>, %n: index) {
  // CHECK: %[[FEW:.*]] = array.assume %[[N]] in 0 to 256 : index
  // CHECK: kernel.launch @k (%N = %[[FEW]] : index) {{.*}} schedule #kernel.schedule<i = [unroll 8, thread.x 32]>
  // CHECK: } else {
  // CHECK-NOT: array.assume
  // CHECK: kernel.launch @k (%N = %[[N]] : index)
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>)
      versions [<when = affine_set<()[s0] : (256 - s0 >= 0)>, i = [unroll 8, thread.x 32]>,
                <when = affine_set<()[s0] : (512 - s0 >= 0)>, i = [seq, thread.x 32]>,
                <i = [seq]>] of (%N) {
    kernel.for "i" (%i) in %N {
    }
  }
  return
}

// -----

// A size that is said to be a number is one.
// CHECK-LABEL: @number
// CHECK-SAME: %[[N:[a-z0-9]*]]: index
func.func @number(%x: memref<?x?xf32>, %n: index, %m: index) {
  // CHECK: scf.if
  // CHECK:   %[[THREE:.*]] = arith.constant 3 : index
  // CHECK:   kernel.launch @k (%N = %[[N]] : index, %M = %[[THREE]] : index) outs (%X[%N, %M] = %{{.*}})
  // CHECK:     kernel.for "i" (%{{.*}}) in %N
  // CHECK:       kernel.for "j" (%{{.*}}) in 3
  // CHECK: } else {
  // CHECK:       kernel.for "j" (%{{.*}}) in %M
  kernel.launch @k (%N = %n : index, %M = %m : index) outs (%X[%N, %M] = %x : memref<?x?xf32>)
      versions [<when = affine_set<()[s0] : (s0 - 3 == 0)>, i = [block.0]>, <i = [block.0]>] of (%M) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
      }
    }
  }
  return
}

// -----

// Versions that share a schedule share a launch: the first condition that holds
// gives its number. Where one knows a fact that the other does not, it has its
// own.
// CHECK-LABEL: @shared
// CHECK-SAME: , %[[N:.*]]: index
// CHECK-DAG: %[[LAST:.*]] = arith.constant 0 : index
// CHECK: %[[A:.*]] = arith.select %{{.*}}, %{{.*}}, %[[LAST]] : index
// CHECK: %[[B:.*]] = arith.select %{{.*}}, %{{.*}}, %[[A]] : index
// CHECK: %[[C:.*]] = arith.select %{{.*}}, %{{.*}}, %[[B]] : index
// CHECK: %[[FOURS:.*]] = arith.cmpi eq, %[[C]], %c2
// CHECK: scf.if %[[FOURS]] {
// CHECK:   array.assume %[[N]] multiple 4
// CHECK:   kernel.launch @k {{.*}} schedule #kernel.schedule<i = [block.0]>
// CHECK: } else {
// CHECK:   %[[SEQ:.*]] = arith.cmpi eq, %[[C]], %c1
// CHECK:   scf.if %[[SEQ]] {
// CHECK:     kernel.launch @k {{.*}} schedule #kernel.schedule<i = [seq]>
// CHECK:   } else {
// CHECK:     kernel.launch @k {{.*}} schedule #kernel.schedule<i = [block.0]>
// CHECK-NOT: kernel.launch
// CHECK: return
func.func @shared(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>)
      versions [<when = affine_set<()[s0] : (s0 mod 4 == 0)>, i = [block.0]>,
                <when = affine_set<()[s0] : (4 - s0 >= 0)>, i = [block.0]>,
                <when = affine_set<()[s0] : (100 - s0 >= 0)>, i = [seq]>,
                <i = [block.0]>] of (%N) {
    kernel.for "i" (%i) in %N {
    }
  }
  return
}

// -----

// Where indices do not fit in 32 bits, the host chooses among the versions that
// are not for those alone.
// CHECK-LABEL: @widths
// CHECK: %[[FIT:.*]] = kernel.indices_fit "k"
// CHECK: scf.if %[[FIT]] {
// CHECK:   scf.if
// CHECK:     schedule #kernel.schedule<i = [block.0]>
// CHECK:   } else {
// CHECK:     scf.if
// CHECK:       schedule #kernel.schedule<i = [block.0, thread.x 32]>
// CHECK:     } else {
// CHECK:       schedule #kernel.schedule<i = [block.0, thread.x 64]>
// CHECK: } else {
// CHECK:   scf.if
// CHECK:     schedule #kernel.schedule<i = [block.0, thread.x 32]>
// CHECK:   } else {
// CHECK:     schedule #kernel.schedule<i = [block.0, thread.x 64]>
// CHECK-NOT: kernel.launch
func.func @widths(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>)
      versions [<when = affine_set<()[s0] : (4 - s0 >= 0)>, i = [block.0], index 32>,
                <when = affine_set<()[s0] : (100 - s0 >= 0)>, i = [block.0, thread.x 32]>,
                <i = [block.0, thread.x 64]>] of (%N) {
    kernel.for "i" (%i) in %N {
    }
  }
  return
}

// -----

// A CPU counts in 64 bits.
// CHECK-LABEL: @processor
// CHECK-NOT: kernel.indices_fit
// CHECK: scf.if
// CHECK:   schedule #kernel.schedule<i = [seq 4]>
// CHECK: } else {
// CHECK:   schedule #kernel.schedule<i = [seq]>
module attributes {kernel.device = #kernel.device<"cpu", {}>} {
  func.func @processor(%x: memref<?xf32>, %n: index) {
    kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>)
        versions [<when = affine_set<()[s0] : (4 - s0 >= 0)>, i = [seq 4], index 32>,
                  <i = [seq]>] of (%N) {
      kernel.for "i" (%i) in %N {
      }
    }
    return
  }
}
