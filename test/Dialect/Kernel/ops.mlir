// RUN: arr-opt %s | arr-opt | FileCheck %s
// RUN: arr-opt %s --mlir-print-op-generic | arr-opt | FileCheck %s

// CHECK: #[[SET:.*]] = affine_set<()[s0] : (-s0 + 4096 >= 0)>

// CHECK-LABEL: @launch_on_tensors
func.func @launch_on_tensors(%x: tensor<?xf32>, %y: tensor<?xf32>, %a: f32, %n: index) -> tensor<?xf32> {
  // CHECK: %{{.*}} = kernel.launch @saxpy (%X[%N] = %{{.*}} : tensor<?xf32>, %A = %{{.*}} : f32, %N = %{{.*}} : index) outs (%Y[%N] = %{{.*}} : tensor<?xf32>) {
  %r = kernel.launch @saxpy (%X[%N] = %x : tensor<?xf32>, %A = %a : f32, %N = %n : index) outs (%Y[%N] = %y : tensor<?xf32>) {
    // CHECK: kernel.for "i" (%[[I:.*]]) in %N {
    kernel.for "i" (%i) in %N {
      // CHECK: kernel.load %X[%[[I]]] : memref<?xf32>
      %u = kernel.load %X[%i] : memref<?xf32>
      %v = kernel.load %Y[%i] : memref<?xf32>
      %w = arith.mulf %A, %u : f32
      %t = arith.addf %w, %v : f32
      // CHECK: kernel.store %{{.*}}, %Y[%[[I]]] : memref<?xf32>
      kernel.store %t, %Y[%i] : memref<?xf32>
    }
  }
  return %r : tensor<?xf32>
}

// Operands may know more than the arguments, and sizes may be numbers.
// CHECK-LABEL: @launch_argument_types
func.func @launch_argument_types(%x: tensor<8x4xf32>, %s: memref<?x4xf32, strided<[?, 1], offset: ?>>, %n: index, %m: index, %go: memref<i1>) {
  // CHECK: kernel.launch @k (%X[%N, 4] = %{{.*}} : tensor<8x4xf32> as memref<?x4xf32>, %N = %{{.*}} : index)
  // CHECK-SAME: outs (%S[%N, 4] = %{{.*}} : memref<?x4xf32, strided<[?, 1], offset: ?>>) if (%{{.*}} : memref<i1>) {
  kernel.launch @k (%X[%N, 4] = %x : tensor<8x4xf32> as memref<?x4xf32>, %N = %n : index)
      outs (%S[%N, 4] = %s : memref<?x4xf32, strided<[?, 1], offset: ?>>) if (%go : memref<i1>) {
  }
  return
}

// CHECK-LABEL: @launch_argument_names
func.func @launch_argument_names(%X: memref<?xf32>, %n: index) {
  // CHECK: kernel.launch @k (%N = %{{.*}} : index) outs (%X[%N] = %{{.*}} : memref<?xf32>)
  kernel.launch @k (%N = %n : index) outs (%Y "X"[%N] = %X : memref<?xf32>) {
  }
  return
}

// CHECK-LABEL: @loops
func.func @loops(%x: memref<?x?xf32>, %s: memref<f32>, %n: index, %m: index) {
  kernel.launch @loops (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%S[] = %s : memref<f32>) {
    %z = arith.constant 0.0 : f32
    %ninf = arith.constant 0xFF800000 : f32
    // CHECK: %{{.*}} = kernel.for "i" (%{{.*}}) in %N reduce (%{{.*}} : f32) by arith.maximumf {
    %r = kernel.for "i" (%i) in %N reduce (%ninf : f32) by arith.maximumf {
      // CHECK: kernel.for "j" (%{{.*}}) in %M reduce (%{{.*}}, %{{.*}} : f32, f32) by arith.addf fastmath<contract>, arith.maximumf {
      %w:2 = kernel.for "j" (%j) in %M reduce (%z, %ninf : f32, f32) by arith.addf fastmath<contract>, arith.maximumf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        // CHECK: kernel.yield %{{.*}}, %{{.*}} : f32, f32
        kernel.yield %v, %v : f32, f32
      }
      // CHECK: kernel.for "k" (%{{.*}}) in 4 reduce (%{{.*}} : f32) by (%{{.*}}: f32, %{{.*}}: f32) {
      %k = kernel.for "k" (%k) in 4 reduce (%z : f32) by (%a: f32, %b: f32) {
        %c = arith.mulf %a, %b : f32
        %d = arith.addf %c, %b : f32
        kernel.yield %d : f32
      } {
        kernel.yield %w#0 : f32
      }
      kernel.yield %k : f32
    }
    kernel.store %r, %S[] : memref<f32>
  }
  return
}

// CHECK-LABEL: @scan
func.func @scan(%x: memref<?xf32>, %n: index) {
  kernel.launch @scan (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    // CHECK: kernel.for "i" (%{{.*}}) in %N scan (%{{.*}} : f32) by arith.addf {
    %t = kernel.for "i" (%i) in %N scan (%z : f32) by arith.addf {
      %v = kernel.load %X[%i] : memref<?xf32>
      // CHECK: kernel.prefix exclusive %{{.*}} : f32
      %p = kernel.prefix exclusive %v : f32
      kernel.store %p, %X[%i] : memref<?xf32>
    }
    // CHECK: kernel.for "i" (%{{.*}}) in %N scan (%{{.*}}, %{{.*}} : f32, f32) by arith.addf {
    %u:2 = kernel.for "i" (%i) in %N scan (%z, %z : f32, f32) by arith.addf {
      %v = kernel.load %X[%i] : memref<?xf32>
      // CHECK: kernel.prefix %{{.*}}, %{{.*}} : f32, f32
      %p, %q = kernel.prefix %v, %v : f32, f32
    }
  }
  return
}

// CHECK-LABEL: @levels
func.func @levels(%x: memref<?xf32>, %n: index) {
  kernel.launch @levels (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    // CHECK: in %N at block.0 {
    kernel.for "i.0" (%a) in %N at block.x {
      // CHECK: in %N at block.12 {
      kernel.for "j.0" (%b) in %N at block.12 {
        // CHECK: in 32 at thread.z {
        kernel.for "i.1" (%t) in 32 at thread.z {
          // CHECK: in %N at seq {
          kernel.for "i.2" (%k) in %N at seq {
            // CHECK: in 4 at unroll {
            kernel.for "i.3" (%u) in 4 at unroll {
              // CHECK: in 8 at vector {
              kernel.for "i.4" (%v) in 8 at vector {
                kernel.store %z, %X[%v] : memref<?xf32>
              }
            }
          }
        }
      }
    }
  }
  return
}

// CHECK-LABEL: @accesses
func.func @accesses(%x: memref<?x?xf32>, %h: memref<?xi64>, %n: index) {
  kernel.launch @accesses (%X[%N, %N] = %x : memref<?x?xf32>, %N = %n : index) outs (%H[%N] = %h : memref<?xi64>) {
    %one = arith.constant 1 : i64
    %f = arith.constant 1.0 : f32
    kernel.for "i" (%i) in %N {
      %p = arith.cmpi slt, %i, %N : index
      // CHECK: kernel.load %X[%{{.*}}, %{{.*}}] edge [clamp, wrap] : memref<?x?xf32>
      %a = kernel.load %X[%i, %i] edge [clamp, wrap] : memref<?x?xf32>
      // CHECK: kernel.load %X[%{{.*}}, %{{.*}}] edge [mirror, none] if %{{.*}} : memref<?x?xf32>
      %b = kernel.load %X[%i, %i] edge [mirror, none] if %p : memref<?x?xf32>
      // CHECK: kernel.store %{{.*}}, %H[%{{.*}}] if %{{.*}} : memref<?xi64>
      kernel.store %one, %H[%i] if %p : memref<?xi64>
      // CHECK: kernel.update %{{.*}}, %H[%{{.*}}] : memref<?xi64> by arith.addi
      kernel.update %one, %H[%i] : memref<?xi64> by arith.addi
      // CHECK: kernel.update %{{.*}}, %H[%{{.*}}] if %{{.*}} : memref<?xi64> by (%{{.*}}: i64, %{{.*}}: i64) {
      kernel.update %one, %H[%i] if %p : memref<?xi64> by (%s: i64, %t: i64) {
        %u = arith.muli %s, %t : i64
        %v = arith.muli %u, %u : i64
        kernel.yield %v : i64
      }
      // CHECK: kernel.local "e" (%N) : memref<?xf32>
      %e = kernel.local "e" (%N) : memref<?xf32>
      // CHECK: kernel.local : memref<4x4xf32, #kernel.space<register>>
      %r = kernel.local : memref<4x4xf32, #kernel.space<register>>
      kernel.store %f, %e[%i] : memref<?xf32>
      kernel.store %f, %r[%i, %i] : memref<4x4xf32, #kernel.space<register>>
      // CHECK: kernel.check index %{{.*}}, "index {0} of {1}" [%{{.*}}, %{{.*}} : index, index]
      kernel.check index %p, "index {0} of {1}" [%i, %N : index, index]
      // CHECK: kernel.check divide %{{.*}}, "division by zero"
      kernel.check divide %p, "division by zero"
    }
  }
  return
}

// CHECK-LABEL: @iterate_on_tensors
func.func @iterate_on_tensors(%t0: tensor<?x3xf32>, %e0: tensor<f32>, %go0: tensor<i1>, %n: index, %max: index) -> (tensor<?x3xf32>, tensor<f32>) {
  // CHECK: %{{.*}}:2 = kernel.iterate times (%{{.*}} in %{{.*}}) while (%[[GO:.*]] = %{{.*}} : tensor<i1>) carry (%[[T:.*]][%{{.*}}, 3] = %{{.*}} rotate %[[NEXT:.*]] : tensor<?x3xf32>, %[[E:.*]] = %{{.*}} : tensor<f32>) by graph {
  %t, %e = kernel.iterate times (%k in %max) while (%go = %go0 : tensor<i1>)
      carry (%t1[%n, 3] = %t0 rotate %next : tensor<?x3xf32>, %e1 = %e0 : tensor<f32>) by graph {
    // CHECK: kernel.continue while %[[GO]] : tensor<i1> carry %[[NEXT]], %[[E]] : tensor<?x3xf32>, tensor<f32>
    kernel.continue while %go : tensor<i1> carry %next, %e1 : tensor<?x3xf32>, tensor<f32>
  }
  return %t, %e : tensor<?x3xf32>, tensor<f32>
}

// CHECK-LABEL: @iterate_on_buffers
func.func @iterate_on_buffers(%t0: memref<?xf32>, %b: memref<?xf32>, %n: index, %max: index) {
  // CHECK: %{{.*}}:2 = kernel.iterate times (%{{.*}} in %{{.*}}) carry (%{{.*}}[%{{.*}}] = %{{.*}} rotate %[[NEXT:.*]] = %{{.*}} : memref<?xf32>) by batch 8 {
  %t, %u = kernel.iterate times (%k in %max) carry (%t1[%n] = %t0 rotate %next = %b : memref<?xf32>) by batch 8 {
    // CHECK: kernel.continue carry %[[NEXT]] : memref<?xf32>
    kernel.continue carry %next : memref<?xf32>
  }
  return
}

// CHECK-LABEL: @schedule
func.func @schedule(%x: memref<?xf32>, %n: index) {
  // CHECK: schedule #kernel.schedule<i = [seq, block.0 1056, unroll 4, thread.x 256, vector 4], order = [i.1, i.3, i.2, i.4, i.0],
  // CHECK-SAME: stage = [A at l.0 shared pad 4, B at l.0 shared], keep = [e register, f recompute],
  // CHECK-SAME: private = [H at i.1 copies 4], roll = [u along k.1], split boundary, index 32>
  kernel.launch @schedule (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>)
      schedule #kernel.schedule<i = [seq, block.x 1056, unroll 4, thread.x 256, vector 4], order = [i.1, i.3, i.2, i.4, i.0],
        stage = [A at l.0 shared pad 4, B at l.0 shared], keep = [e register, f recompute],
        private = [H at i.1 copies 4], roll = [u along k.1], split boundary, index 32> {
  }
  return
}

// All loops in order.
// CHECK-LABEL: @empty_schedules
func.func @empty_schedules(%x: memref<?xf32>, %n: index) {
  // CHECK: schedule #kernel.schedule<> {
  kernel.launch @empty (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) schedule #kernel.schedule<> {
  }
  // CHECK: versions [<when = #{{.*}}, >, <>] of (%N) {
  kernel.launch @choices (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>)
      versions [<when = affine_set<()[s0] : (4096 - s0 >= 0)>, >, <>] of (%N) {
  }
  return
}

// CHECK-LABEL: @versions
func.func @versions(%x: memref<?xf32>, %n: index) {
  // CHECK: versions [<when = #[[SET]], i = [block.0]>, <i = [seq]>] of (%N) {
  kernel.launch @versions (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>)
      versions [<when = affine_set<()[s0] : (4096 - s0 >= 0)>, i = [block.x]>, <i = [seq]>] of (%N) {
  }
  return
}

// CHECK: module attributes {kernel.device = #kernel.device<"cpu", {vector_bytes = 32 : i64}>}
module attributes {kernel.device = #kernel.device<"cpu", {vector_bytes = 32}>} {
}

// CHECK-LABEL: @indices_fit
func.func @indices_fit() -> i1 {
  // CHECK: kernel.indices_fit "k"
  %fit = kernel.indices_fit "k"
  return %fit : i1
}
