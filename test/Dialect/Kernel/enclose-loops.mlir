// RUN: arr-opt %s --kernel-enclose-loops | FileCheck %s

module attributes {kernel.device = #kernel.device<"cuda", {}>} {

// The buffers of the loop change places.
// CHECK-LABEL: @no_rotate
func.func @no_rotate(%t: index, %n: index, %a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  // CHECK: kernel.iterate
  // CHECK: kernel.launch @step
  %r:2 = kernel.iterate times (%k in %t) carry (%x[%n] = %a rotate %y = %b : memref<?xf32>) {
    kernel.launch @step (%N = %n : index, %X[%N] = %x : memref<?xf32>) outs (%Y[%N] = %y : memref<?xf32>) {
      kernel.for "i" (%i) in %N {
        %v = kernel.load %X[%i] : memref<?xf32>
        kernel.store %v, %Y[%i] : memref<?xf32>
      }
    }
    kernel.continue carry %y : memref<?xf32>
  }
  return %r#0 : memref<?xf32>
}

// A step is more than a block should do.
// CHECK-LABEL: @no_large_steps
func.func @no_large_steps(%t: index, %a: memref<65536xf32>) -> memref<65536xf32> {
  // CHECK: kernel.iterate
  // CHECK: kernel.launch @step
  %r = kernel.iterate times (%k in %t) carry (%x[65536] = %a : memref<65536xf32>) {
    kernel.launch @step () outs (%X[65536] = %x : memref<65536xf32>) {
      kernel.for "i" (%i) in 65536 {
        %v = kernel.load %X[%i] : memref<65536xf32>
        kernel.store %v, %X[%i] : memref<65536xf32>
      }
    }
    kernel.continue carry %x : memref<65536xf32>
  }
  return %r : memref<65536xf32>
}

// What an element of another launch checks is not known to be the first error.
// CHECK-LABEL: @no_check_of_elements
func.func @no_check_of_elements(%t: index, %a: memref<8xf32>) -> memref<8xf32> {
  // CHECK: kernel.iterate
  // CHECK: kernel.launch @step
  %r = kernel.iterate times (%k in %t) carry (%x[8] = %a : memref<8xf32>) {
    kernel.launch @step () outs (%X[8] = %x : memref<8xf32>) {
      kernel.for "i" (%i) in 8 {
        %v = kernel.load %X[%i] : memref<8xf32>
        %ok = arith.cmpf oeq, %v, %v : f32
        kernel.check assert %ok, "no number"
        kernel.store %v, %X[%i] : memref<8xf32>
      }
    }
    kernel.continue carry %x : memref<8xf32>
  }
  return %r : memref<8xf32>
}

// Loops of the host that ask the device for nothing stay there.
// CHECK-LABEL: @no_device
func.func @no_device(%t: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  // CHECK-NOT: kernel.launch
  %r = scf.for %k = %c0 to %t step %c1 iter_args(%s = %c0) -> (index) {
    %n = arith.addi %s, %k : index
    scf.yield %n : index
  }
  return %r : index
}

// Elements alone: a thread does it, whatever the sizes.
// CHECK-LABEL: @elements
// CHECK-SAME: %[[N:.*]]: index, %[[A:.*]]: memref<?xf32>
func.func @elements(%n: index, %a: memref<?xf32>) -> memref<?xf32> {
  // CHECK-NOT: scf.if
  // CHECK: kernel.launch @elements_loop_0 (%[[T:.*]] = %[[N]] : index, %[[D:.*]] = %{{.*}} : index) outs (%[[X:.*]][%[[D]]] = %[[A]] : memref<?xf32>) schedule #kernel.schedule<block = [block.0]>
  // CHECK: kernel.for "block" (%{{.*}}) in 1
  // CHECK: scf.for %[[K:.*]] = %{{.*}} to %[[T]]
  // CHECK: %[[NEXT:.*]] = affine.apply {{.*}}(%[[K]])
  // CHECK: %[[V:.*]] = kernel.load %[[X]][%[[K]]]
  // CHECK: kernel.store %[[V]], %[[X]][%[[NEXT]]]
  %r = kernel.iterate times (%k in %n) carry (%x[%n] = %a : memref<?xf32>) {
    %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%k)
    kernel.launch @step (%K = %k : index, %L = %next : index, %N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
      %v = kernel.load %X[%K] : memref<?xf32>
      kernel.store %v, %X[%L] : memref<?xf32>
    }
    kernel.continue carry %x : memref<?xf32>
  }
  // CHECK: return %[[A]]
  return %r : memref<?xf32>
}

// A column is indices into its array; the last step is the longest; the threads
// share its loops.
// CHECK-LABEL: @columns
// CHECK-SAME: %[[N:.*]]: index, %[[A:.*]]: memref<?x?xf32>
func.func @columns(%n: index, %a: memref<?x?xf32>) -> memref<?x?xf32> {
  // CHECK: %[[FEW:.*]] = arith.cmpi sle, %{{.*}}, %{{.*}} : index
  // CHECK: scf.if %[[FEW]] {
  // CHECK: kernel.launch @columns_loop_0
  // CHECK-SAME: outs (%[[X:.*]][%{{.*}}, %{{.*}}] = %[[A]] : memref<?x?xf32>)
  // CHECK-SAME: schedule #kernel.schedule<block = [block.0], i_0 = [seq, thread.y 8, thread.x 32]>
  // CHECK: scf.for %[[K:.*]] =
  // CHECK: kernel.for "i_0" (%[[I:.*]]) in %[[K]]
  // CHECK: kernel.load %[[X]][%[[I]], %[[K]]]
  // CHECK: kernel.store %{{.*}}, %[[X]][%[[I]], %[[K]]]
  // CHECK: } else {
  // CHECK: kernel.iterate
  // CHECK: kernel.launch @step
  %r = kernel.iterate times (%k in %n) carry (%x[%n, %n] = %a : memref<?x?xf32>) {
    %column = memref.subview %x[0, %k] [%k, 1] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[?], offset: ?>>
    kernel.launch @step (%K = %k : index) outs (%X[%K] = %column : memref<?xf32, strided<[?], offset: ?>>) {
      kernel.for "i" (%i) in %K {
        %v = kernel.load %X[%i] : memref<?xf32, strided<[?], offset: ?>>
        %w = arith.addf %v, %v : f32
        kernel.store %w, %X[%i] : memref<?xf32, strided<[?], offset: ?>>
      }
    }
    kernel.continue carry %x : memref<?x?xf32>
  }
  return %r : memref<?x?xf32>
}

// A fold of rows: a warp a row.
// CHECK-LABEL: @rows
// CHECK: schedule #kernel.schedule<block = [block.0], i_0 = [seq, thread.y 8], l_1 = [seq, thread.x 32]>
func.func @rows(%t: index, %a: memref<64x64xf32>, %s: memref<64xf32>) {
  %r = kernel.iterate times (%k in %t) carry (%x[64] = %s : memref<64xf32>) {
    kernel.launch @step (%A[64, 64] = %a : memref<64x64xf32>) outs (%X[64] = %x : memref<64xf32>) {
      %zero = arith.constant 0.0 : f32
      kernel.for "i" (%i) in 64 {
        %u = kernel.for "l" (%l) in 64 reduce (%zero : f32) by arith.addf {
          %v = kernel.load %A[%i, %l] : memref<64x64xf32>
          kernel.yield %v : f32
        }
        kernel.store %u, %X[%i] : memref<64xf32>
      }
    }
    kernel.continue carry %x : memref<64xf32>
  }
  return
}

// What is read and carried by the host is read once, behind the loop.
// CHECK-LABEL: @search
func.func @search(%n: index, %a: memref<?xf32>, %b: f32) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[PLACE:.*]] = memref.alloc() : memref<i64>
  // CHECK: kernel.launch @search_loop_0
  // CHECK: scf.while
  // CHECK: kernel.load
  // CHECK: scf.condition
  // CHECK: kernel.store %{{.*}}, %{{.*}}[] : memref<i64>
  // CHECK: memref.load %[[PLACE]][]
  // CHECK: memref.dealloc %[[PLACE]]
  %r = scf.while (%k = %c0) : (index) -> index {
    %v = memref.load %a[%k] : memref<?xf32>
    %less = arith.cmpf olt, %v, %b : f32
    scf.condition(%less) %k : index
  } do {
  ^bb0(%k: index):
    %next = arith.addi %k, %c1 : index
    scf.yield %next : index
  }
  return %r : index
}

// The outer loop rotates; the loop inside of it is one kernel.
// CHECK-LABEL: @inner
func.func @inner(%t: index, %n: index, %a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  // CHECK: kernel.iterate
  // CHECK-NOT: kernel.iterate
  // CHECK: kernel.launch @inner_loop_0
  %r:2 = kernel.iterate times (%k in %t) carry (%x[%n] = %a rotate %y = %b : memref<?xf32>) {
    %s = kernel.iterate times (%l in %n) carry (%z[%n] = %y : memref<?xf32>) {
      kernel.launch @step (%L = %l : index, %N = %n : index, %X[%N] = %x : memref<?xf32>) outs (%Z[%N] = %z : memref<?xf32>) {
        %v = kernel.load %X[%L] : memref<?xf32>
        kernel.store %v, %Z[%L] : memref<?xf32>
      }
      kernel.continue carry %z : memref<?xf32>
    }
    kernel.continue carry %s : memref<?xf32>
  }
  return %r#0 : memref<?xf32>
}

// Behind a check that failed nothing is read or written any more.
// CHECK-LABEL: @check
func.func @check(%t: index, %a: memref<8xf32>, %b: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  // CHECK: kernel.launch @check_loop_0
  // CHECK: scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}, %[[FINE:.*]] = %{{.*}}) -> (f32, i1)
  // CHECK: kernel.load %{{.*}}[%{{.*}}] if %[[FINE]]
  // CHECK: %[[OK:.*]] = arith.cmpf ult
  // CHECK: %[[OVER:.*]] = arith.xori %[[FINE]]
  // CHECK: %[[PASSES:.*]] = arith.ori %[[OVER]], %[[OK]]
  // CHECK: kernel.check assert %[[PASSES]], "too large"
  // CHECK: %[[STILL:.*]] = arith.andi %[[FINE]], %[[OK]]
  // CHECK: kernel.store %{{.*}} if %[[STILL]]
  // CHECK: scf.yield %{{.*}}, %[[STILL]] : f32, i1
  %r = scf.for %k = %c0 to %t step %c1 iter_args(%s = %zero) -> (f32) {
    %v = memref.load %a[%c0] : memref<8xf32>
    %ok = arith.cmpf ult, %s, %v : f32
    array.check assert %ok, "too large"
    %n = arith.addf %s, %v : f32
    memref.store %n, %b[%c0] : memref<8xf32>
    scf.yield %n : f32
  }
  return %r : f32
}

// A conditional loop ends where a check fails, as does a branch in it.
// CHECK-LABEL: @check_in_while
func.func @check_in_while(%a: memref<8xindex>, %c: i1) -> index {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  // CHECK: scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (index, i1) -> (index, i1)
  // CHECK: %[[MORE:.*]] = arith.andi
  // CHECK: scf.condition(%[[MORE]])
  // CHECK: } do {
  // CHECK: scf.if %{{.*}} -> (i1)
  // CHECK: kernel.check index
  // CHECK: } else {
  // CHECK: scf.yield %{{.*}} : i1
  %r = scf.while (%k = %c0) : (index) -> index {
    %go = arith.cmpi ne, %k, %c8 : index
    scf.condition(%go) %k : index
  } do {
  ^bb0(%k: index):
    %next = memref.load %a[%k] : memref<8xindex>
    scf.if %c {
      %ok = arith.cmpi ult, %next, %c8 : index
      array.check index %ok, "outside"
    }
    scf.yield %next : index
  }
  return %r : index
}

}
