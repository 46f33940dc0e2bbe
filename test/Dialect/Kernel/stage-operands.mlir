// RUN: arr-opt %s --kernel-split-loops --kernel-order-loops --kernel-stage-operands --canonicalize --cse --split-input-file --verify-diagnostics | FileCheck %s

func.func @no_array_that_is_written(%a: memref<?x?xf32>, %n: index) {
  // expected-error @+1 {{cannot stage 'A' at 'j.0': the launch writes it}}
  kernel.launch @k (%N = %n : index) outs (%A[%N, %N] = %a : memref<?x?xf32>)
      schedule #kernel.schedule<i = [block.1, thread.y 8], j = [block.0, thread.x 32], order = [i.0, j.0, i.1, j.1], stage = [A at j.0]> {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %N {
      %v = kernel.load %A[%j, %i] : memref<?x?xf32>
      kernel.store %v, %A[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}

// -----

func.func @no_unknown_array(%a: memref<?xf32>, %n: index) {
  // expected-error @+1 {{cannot stage 'B' at 'i.0': the launch has no such array}}
  kernel.launch @k (%N = %n : index) outs (%A[%N] = %a : memref<?xf32>)
      schedule #kernel.schedule<i = [block.0, thread.x 32], stage = [B at i.0]> {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.store %z, %A[%i] : memref<?xf32>
    }
  }
  return
}

// -----

func.func @no_box_without_size(%a: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  // expected-error @+1 {{cannot stage 'A' at 'i.0': the digit 'i.1' has no size}}
  kernel.launch @k (%A[%N] = %a : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>)
      schedule #kernel.schedule<i = [block.0 64, seq], stage = [A at i.0]> {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %A[%i] : memref<?xf32>
      kernel.store %v, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

func.func @no_gather(%a: memref<?xf32>, %b: memref<?xindex>, %y: memref<?xf32>, %n: index) {
  // expected-error @+1 {{cannot stage 'A' at 'i.0': an index is not known at the digit}}
  kernel.launch @k (%A[%N] = %a : memref<?xf32>, %B[%N] = %b : memref<?xindex>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>)
      schedule #kernel.schedule<i = [block.0, thread.x 32], stage = [A at i.0]> {
    kernel.for "i" (%i) in %N {
      %k = kernel.load %B[%i] : memref<?xindex>
      %v = kernel.load %A[%k] : memref<?xf32>
      kernel.store %v, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

func.func @no_digit_in_threads(%a: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  // expected-error @+1 {{cannot stage 'A' at 'i.2': threads stand around the digit}}
  kernel.launch @k (%A[%N] = %a : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>)
      schedule #kernel.schedule<i = [block.0, thread.x 32, seq 4, unroll 2], stage = [A at i.2]> {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %A[%i] : memref<?xf32>
      kernel.store %v, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

func.func @no_edge_ahead(%a: memref<?xf32>, %b: memref<?x?xf32>, %y: memref<?xf32>, %n: index, %k: index) {
  // expected-error @+1 {{cannot stage 'A' at 'l.0': it is read beyond its edges}}
  kernel.launch @k (%A[%K] = %a : memref<?xf32>, %B[%N, %K] = %b : memref<?x?xf32>, %N = %n : index, %K = %k : index) outs (%Y[%N] = %y : memref<?xf32>)
      schedule #kernel.schedule<i = [block.0, thread.x 32], l = [seq, seq 16], order = [i.0, l.0, i.1, l.1], stage = [A at l.0 shared ahead]> {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %s = kernel.for "l" (%l) in %K reduce (%z : f32) by arith.addf {
        %u = kernel.load %A[%l] edge [clamp] : memref<?xf32>
        kernel.yield %u : f32
      }
      kernel.store %s, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

func.func @no_block_ahead(%a: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index) {
  // expected-error @+1 {{cannot stage 'A' at 'j.0': only copies of a sequential digit run ahead}}
  kernel.launch @k (%A[%N, %N] = %a : memref<?x?xf32>, %N = %n : index) outs (%Y[%N, %N] = %y : memref<?x?xf32>)
      schedule #kernel.schedule<i = [block.1, thread.y 8], j = [block.0, thread.x 32], order = [i.0, j.0, i.1, j.1], stage = [A at j.0 shared ahead]> {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %N {
      %v = kernel.load %A[%j, %i] : memref<?x?xf32>
      kernel.store %v, %Y[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}

// -----

func.func @no_branch_ahead(%a: memref<?xf32>, %y: memref<?xf32>, %n: index, %k: index) {
  // expected-error @+1 {{cannot stage 'A' at 'l.0': it is read under a condition}}
  kernel.launch @k (%A[%K] = %a : memref<?xf32>, %N = %n : index, %K = %k : index) outs (%Y[%N] = %y : memref<?xf32>)
      schedule #kernel.schedule<i = [block.0, thread.x 32], l = [seq, seq 16], order = [i.0, l.0, i.1, l.1], stage = [A at l.0 shared ahead]> {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %s = kernel.for "l" (%l) in %K reduce (%z : f32) by arith.addf {
        %in = arith.cmpi slt, %i, %l : index
        %w = scf.if %in -> f32 {
          %u = kernel.load %A[%l] : memref<?xf32>
          scf.yield %u : f32
        } else {
          scf.yield %z : f32
        }
        kernel.yield %w : f32
      }
      kernel.store %s, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// Read along its rows, used along its columns.
// CHECK-LABEL: @transposed
func.func @transposed(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  // CHECK: schedule #kernel.schedule<i = [block.1, unroll 4, thread.y 8], j = [block.0, thread.x 32], order = [i.0, j.0, i.2, j.1, i.1]>
  kernel.launch @t (%A[%M, %N] = %a : memref<?x?xf32>, %B[%N, %M] = %b : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>)
      schedule #kernel.schedule<i = [block.1, unroll 4, thread.y 8], j = [block.0, thread.x 32], order = [i.0, j.0, i.2, j.1, i.1], stage = [A at j.0 shared pad 1]> {
    // CHECK: kernel.for "i.0" (%[[I:.*]]) in %{{.*}} at block.1
    // CHECK: kernel.for "j.0" (%[[J:.*]]) in %{{.*}} at block.0
    // CHECK:   %[[T:.*]] = kernel.local : memref<32x33xf32>
    // CHECK:   kernel.for "j.0.A.y" (%[[Y:.*]]) in 8 at thread.y {
    // CHECK:     kernel.for "j.0.A.x" (%[[X:.*]]) in 32 at thread.x {
    // CHECK:       kernel.for "j.0.A.r" (%[[R:.*]]) in 4 at unroll {
    // CHECK:         %[[ROW:.*]] = affine.apply #{{.*}}(%[[R]], %[[Y]])
    // CHECK:         %[[P:.*]] = affine.apply #{{.*}}(%[[J]], %[[R]], %[[Y]])
    // CHECK:         arith.cmpi slt, %[[P]], %M
    // CHECK:         %[[Q:.*]] = affine.apply #{{.*}}(%[[I]], %[[X]])
    // CHECK:         arith.cmpi slt, %[[Q]], %N
    // CHECK:         %[[V:.*]] = kernel.load %A[%[[P]], %[[Q]]] if
    // CHECK:         kernel.store %[[V]], %[[T]][%[[ROW]], %[[X]]]
    // CHECK:   kernel.for "i.2" (%[[I2:.*]]) in 8 at thread.y
    // CHECK:     kernel.for "j.1" (%[[J1:.*]]) in 32 at thread.x
    // CHECK:       kernel.for "i.1" (%[[I1:.*]]) in 4 at unroll
    // CHECK:         %[[K:.*]] = affine.apply #{{.*}}(%[[I2]], %[[I1]])
    // CHECK:         kernel.load %[[T]][%[[J1]], %[[K]]]
    // CHECK:         kernel.load %B
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %u = kernel.load %A[%j, %i] : memref<?x?xf32>
      %v = kernel.load %B[%i, %j] : memref<?x?xf32>
      %w = arith.addf %u, %v : f32
      kernel.store %w, %Y[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}

// -----

// A stencil: one box for all reads, which the edge mode fills. More columns
// than threads: the rest waits.
// CHECK-LABEL: @stencil
func.func @stencil(%a: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @s (%A[%N] = %a : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>)
      schedule #kernel.schedule<i = [block.0, thread.x 32], stage = [A at i.0]> {
    // CHECK: %[[T:.*]] = kernel.local : memref<34xf32>
    // CHECK: kernel.for "i.0.A.x" (%[[X:.*]]) in 32 at thread.x
    // CHECK:   kernel.for "i.0.A.c" (%[[C:.*]]) in 2 at unroll
    // CHECK:     %[[E:.*]] = affine.apply #{{.*}}(%[[C]], %[[X]])
    // CHECK:     %[[IN:.*]] = arith.cmpi slt, %[[E]], %{{.*}}
    // CHECK:     %[[V:.*]] = kernel.load %A[%{{.*}}] edge [clamp] if %[[IN]]
    // CHECK:     kernel.store %[[V]], %[[T]][%[[E]]] if %[[IN]]
    // CHECK: kernel.for "i.1" (%[[I:.*]]) in 32 at thread.x
    // CHECK:   kernel.load %[[T]][%[[I]]] :
    // CHECK:   %[[NEXT:.*]] = affine.apply #{{.*}}(%[[I]])
    // CHECK:   kernel.load %[[T]][%[[NEXT]]] :
    kernel.for "i" (%i) in %N {
      %l = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
      %r = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %u = kernel.load %A[%l] edge [clamp] : memref<?xf32>
      %v = kernel.load %A[%r] edge [clamp] : memref<?xf32>
      %w = arith.addf %u, %v : f32
      kernel.store %w, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// A product: tiles outside of the steps, which run whole but for the last;
// accumulators past the end of a dimension are never looked at, so that nothing
// guards what is added to them.
// CHECK-LABEL: @product
func.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index, %k: index) {
  // CHECK: %[[ACC:.*]] = kernel.local : memref<4x16x4x16xf32>
  // CHECK-DAG: kernel.local : memref<16x65xf32>
  // CHECK-DAG: kernel.local : memref<64x17xf32>
  // CHECK: %[[WHOLE:.*]] = affine.apply #{{.*}}(%K)
  // CHECK: %[[REST:.*]] = arith.subi %{{.*}}, %[[WHOLE]]
  // CHECK: kernel.for "l.0" (%{{.*}}) in %[[WHOLE]] at seq {
  // CHECK:   kernel.for "i.2"
  // CHECK-NOT: scf.if
  // CHECK:     kernel.for "l.1" (%{{.*}}) in 16 at seq reduce
  // CHECK-NOT: scf.if
  // CHECK:     kernel.store %{{.*}}, %[[ACC]]
  // CHECK: kernel.for "l.0" (%{{.*}}) in %[[REST]] at seq {
  // CHECK:   kernel.for "l.1" (%{{.*}}) in %{{.*}} at seq reduce
  // CHECK: kernel.for "i.2"
  // CHECK:   scf.if
  // CHECK:     kernel.store %{{.*}}, %Y
  kernel.launch @k (%A[%N, %K] = %a : memref<?x?xf32>, %B[%K, %M] = %b : memref<?x?xf32>, %N = %n : index, %M = %m : index, %K = %k : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>)
      schedule #kernel.schedule<i = [block.1, unroll 4, thread.y 16], j = [block.0, unroll 4, thread.x 16], l = [seq, seq 16], order = [i.0, j.0, l.0, i.2, j.2, i.1, j.1, l.1], stage = [A at l.0 pad 1, B at l.0 pad 1]> {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %s = kernel.for "l" (%l) in %K reduce (%z : f32) by arith.addf {
        %u = kernel.load %A[%i, %l] : memref<?x?xf32>
        %v = kernel.load %B[%l, %j] : memref<?x?xf32>
        %w = arith.mulf %u, %v : f32
        kernel.yield %w : f32
      }
      kernel.store %s, %Y[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}
