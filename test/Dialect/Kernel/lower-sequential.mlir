// RUN: arr-opt %s --kernel-lower-sequential --split-input-file --verify-diagnostics | FileCheck %s
// RUN: arr-opt %s --kernel-lower-sequential=checks=assert --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=ASSERT

func.func @no_tensors(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  // expected-error @+1 {{works on tensors; bufferize first}}
  %r = kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : tensor<?xf32>) {
  }
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @parallel
// CHECK-SAME: %[[X:.*]]: memref<?xf32>, %[[N:.*]]: index
func.func @parallel(%x: memref<?xf32>, %n: index) {
  // CHECK-NOT: kernel
  // CHECK: %[[C0:.*]] = arith.constant 0 : index
  // CHECK: %[[C1:.*]] = arith.constant 1 : index
  // CHECK: scf.for %[[I:.*]] = %[[C0]] to %[[N]] step %[[C1]] {
  // CHECK:   %[[V:.*]] = memref.load %[[X]][%[[I]]]
  // CHECK:   memref.store %[[V]], %[[X]][%[[I]]]
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    kernel.for "i" (%i) in %N at block.0 {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.store %v, %X[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// CHECK-LABEL: @reduce
func.func @reduce(%x: memref<?xf32>, %s: memref<f32>, %n: index) {
  // CHECK: %[[Z:.*]] = arith.constant 0.0
  // CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[Z]]) -> (f32) {
  // CHECK:   %[[V:.*]] = memref.load
  // CHECK:   %[[S:.*]] = arith.addf %[[A]], %[[V]]
  // CHECK:   scf.yield %[[S]]
  // CHECK: memref.store %[[R]], %{{.*}}[]
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%S = %s : memref<f32>) {
    %z = arith.constant 0.0 : f32
    %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.yield %v : f32
    }
    kernel.store %r, %S[] : memref<f32>
  }
  return
}

// -----

// CHECK-LABEL: @scan_exclusive
func.func @scan_exclusive(%x: memref<?xf32>, %n: index) {
  // CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (f32) {
  // CHECK:   %[[V:.*]] = memref.load
  // CHECK:   %[[S:.*]] = arith.addf %[[A]], %[[V]]
  // CHECK:   memref.store %[[A]]
  // CHECK:   scf.yield %[[S]]
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    %r = kernel.for "i" (%i) in %N scan (%z : f32) by arith.addf {
      %v = kernel.load %X[%i] : memref<?xf32>
      %p = kernel.prefix exclusive %v : f32
      kernel.store %p, %X[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// Masked off nothing is touched: not even the index of the edge.
// CHECK-LABEL: @masked
func.func @masked(%x: memref<?xf32>, %n: index, %p: i1) {
  // CHECK: scf.if
  // CHECK:   memref.dim
  // CHECK:   arith.remsi
  // CHECK:   memref.load
  // CHECK: } else {
  // CHECK:   scf.yield %{{.*}} : f32
  // CHECK: scf.if
  // CHECK:   memref.store
  // CHECK: scf.if
  // CHECK:   %[[OLD:.*]] = memref.load
  // CHECK:   %[[NEW:.*]] = arith.addf %[[OLD]], %{{.*}}
  // CHECK:   memref.store %[[NEW]]
  kernel.launch @k (%N = %n : index, %P = %p : i1) outs (%X[%N] = %x : memref<?xf32>) {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] edge [wrap] if %P : memref<?xf32>
      kernel.store %v, %X[%i] if %P : memref<?xf32>
      kernel.update %v, %X[%i] if %P : memref<?xf32> by arith.addf
    }
  }
  return
}

// -----

// CHECK-LABEL: @locals
func.func @locals(%n: index) {
  // CHECK: scf.for
  // CHECK:   %[[E:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
  // CHECK:   memref.store %{{.*}}, %[[E]]
  // CHECK:   memref.dealloc %[[E]]
  kernel.launch @k (%N = %n : index) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %e = kernel.local (%N) : memref<?xf32, #kernel.space<shared>>
      kernel.store %z, %e[%i] : memref<?xf32, #kernel.space<shared>>
    }
  }
  return
}

// -----

// CHECK-LABEL: @flag_and_check
// ASSERT-LABEL: @flag_and_check
func.func @flag_and_check(%n: index, %go: memref<i1>, %x: memref<4xf32>) {
  // CHECK: %[[GO:.*]] = memref.load
  // CHECK: scf.if %[[GO]] {
  // CHECK:   scf.for
  // CHECK:     kernel.check index %[[OK:.*]], "outside"
  // ASSERT:    cf.assert %{{.*}}, "outside"
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<4xf32> as memref<?xf32>) if (%go : memref<i1>) {
    kernel.for "i" (%i) in %N {
      %ok = arith.cmpi slt, %i, %N : index
      kernel.check index %ok, "outside"
    }
  }
  return
}

// -----

// The buffers of a time loop change places.
// CHECK-LABEL: @iterate
// CHECK-SAME: %[[A:.*]]: memref<?xf32>, %[[B:.*]]: memref<?xf32>, %[[GO:.*]]: memref<i1>
func.func @iterate(%a: memref<?xf32>, %b: memref<?xf32>, %go: memref<i1>, %n: index, %max: index) -> (memref<?xf32>, memref<?xf32>) {
  // CHECK: %[[R:.*]]:4 = scf.while (%[[K:.*]] = %{{.*}}, %[[G:.*]] = %[[GO]], %[[T:.*]] = %[[A]], %[[U:.*]] = %[[B]])
  // CHECK:   arith.cmpi slt, %[[K]]
  // CHECK:   memref.load %[[G]][]
  // CHECK: ^bb0(%{{.*}}: index, %[[G2:.*]]: memref<i1>, %[[T2:.*]]: memref<?xf32>, %[[U2:.*]]: memref<?xf32>):
  // CHECK:   scf.yield %{{.*}}, %[[G2]], %[[U2]], %[[T2]]
  %r:2 = kernel.iterate times (%k in %max) while (%g = %go : memref<i1>) carry (%t[%n] = %a rotate %next = %b : memref<?xf32>) {
    kernel.continue while %g : memref<i1> carry %next : memref<?xf32>
  }
  // CHECK: return %[[R]]#2, %[[R]]#3
  return %r#0, %r#1 : memref<?xf32>, memref<?xf32>
}
