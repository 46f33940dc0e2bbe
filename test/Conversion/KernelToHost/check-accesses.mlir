// Accesses are held against their arrays before they are done.
// RUN: arr-opt %s --cpu-check-accesses --split-input-file --verify-diagnostics | FileCheck %s

func.func @no_unknown_access(%a: memref<?xf32>, %i: index, %z: f32) -> vector<4xf32> {
  // expected-error @+1 {{is an access that cannot be checked}}
  %x = vector.transfer_read %a[%i], %z : memref<?xf32>, vector<4xf32>
  return %x : vector<4xf32>
}

// -----

func.func @no_unknown_view(%a: memref<?xf32>, %n: index) -> memref<?xf32> {
  // expected-error @+1 {{makes a view that cannot be checked}}
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [%n], strides: [1] : memref<?xf32> to memref<?xf32>
  return %v : memref<?xf32>
}

// -----

// CHECK-DAG: llvm.mlir.global internal constant @[[TEXT:.*]]("a load at index {0} of a dimension of size {1}\00")
// CHECK-LABEL: func.func @element(
// CHECK-SAME: %[[A:.*]]: memref<?x8xf32>, %[[I:.*]]: index, %[[J:.*]]: index)
// CHECK: %[[N:.*]] = memref.dim %[[A]], %{{.*}} : memref<?x8xf32>
// CHECK: %[[ROW:.*]] = arith.cmpi uge, %[[I]], %[[N]]
// CHECK: scf.if %[[ROW]] {
// CHECK:   llvm.mlir.addressof @[[TEXT]]
// CHECK:   llvm.call @arrt_fail_access
// CHECK: }
// CHECK: %[[M:.*]] = memref.dim %[[A]]
// CHECK: %[[COLUMN:.*]] = arith.cmpi uge, %[[J]], %[[M]]
// CHECK: scf.if %[[COLUMN]]
// CHECK: memref.load %[[A]][%[[I]], %[[J]]]
func.func @element(%a: memref<?x8xf32>, %i: index, %j: index) -> f32 {
  %x = memref.load %a[%i, %j] : memref<?x8xf32>
  return %x : f32
}

// -----

// First and last of the neighbours.
// CHECK-LABEL: func.func @vector(
// CHECK-SAME: %[[A:.*]]: memref<?xf32>, %[[I:.*]]: index, %[[X:.*]]: vector<8xf32>)
// CHECK: %[[N:.*]] = memref.dim %[[A]]
// CHECK: %[[C7:.*]] = arith.constant 7 : index
// CHECK: %[[LAST:.*]] = arith.addi %[[I]], %[[C7]]
// CHECK: arith.cmpi uge, %[[I]], %[[N]]
// CHECK: scf.if
// CHECK: arith.cmpi uge, %[[LAST]], %[[N]]
// CHECK: scf.if
// CHECK: vector.store
func.func @vector(%a: memref<?xf32>, %i: index, %x: vector<8xf32>) {
  vector.store %x, %a[%i] : memref<?xf32>, vector<8xf32>
  return
}

// -----

// Lanes that are off may be anywhere.
// CHECK-LABEL: func.func @masked(
// CHECK-SAME: %[[A:.*]]: memref<?xf32>, %[[I:.*]]: index, %[[MASK:.*]]: vector<8xi1>
// CHECK: %[[EACH:.*]] = arith.addi %{{.*}}, %{{.*}} : vector<8xindex>
// CHECK: %[[OUT:.*]] = arith.cmpi uge, %[[EACH]], %{{.*}} : vector<8xindex>
// CHECK: %[[WRONG:.*]] = arith.andi %[[MASK]], %[[OUT]] : vector<8xi1>
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[WRONG]]
// CHECK: scf.if %[[ANY]]
// CHECK: vector.maskedload
func.func @masked(%a: memref<?xf32>, %i: index, %mask: vector<8xi1>, %z: vector<8xf32>) -> vector<8xf32> {
  %x = vector.maskedload %a[%i], %mask, %z : memref<?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return %x : vector<8xf32>
}

// -----

// Offsets of lanes cross rows: they are held against the whole array.
// CHECK-LABEL: func.func @gather(
// CHECK: memref.extract_strided_metadata
// CHECK: %[[SPAN:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : index
// CHECK: vector.broadcast %[[SPAN]] : index to vector<8xindex>
// CHECK: arith.cmpi uge
// CHECK: scf.if
// CHECK: vector.gather
func.func @gather(%a: memref<?x?xf32>, %i: index, %at: vector<8xindex>, %mask: vector<8xi1>, %z: vector<8xf32>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %x = vector.gather %a[%i, %c0] [%at], %mask, %z : memref<?x?xf32>, vector<8xindex>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return %x : vector<8xf32>
}

// -----

// A part of an allocation lies in it; a copy has the size of what it fills.
// CHECK-LABEL: func.func @views(
// CHECK: %[[V:.*]] = memref.view
// CHECK: %[[C4:.*]] = arith.constant 4 : index
// CHECK: %[[BYTES:.*]] = arith.muli %[[C4]], %{{.*}}
// CHECK: %[[END:.*]] = arith.addi %[[BYTES]]
// CHECK: arith.cmpi ugt, %[[END]]
// CHECK: scf.if
// CHECK: arith.cmpi ne
// CHECK: scf.if
// CHECK: memref.copy
func.func @views(%bytes: memref<?xi8>, %at: index, %n: index, %a: memref<?xf32>) {
  %v = memref.view %bytes[%at][%n] : memref<?xi8> to memref<?xf32>
  memref.copy %a, %v : memref<?xf32> to memref<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @prefetch(
// CHECK-NOT: scf.if
// CHECK: return
func.func @prefetch(%a: memref<?xf32>, %i: index) {
  memref.prefetch %a[%i], read, locality<2>, data : memref<?xf32>
  return
}
