// Planes of one allocation: a pointer for those that are read, one for those
// that are written, and the distance between them.
// RUN: arr-opt %s -convert-kernel-to-gpu -canonicalize -cse | FileCheck %s

// CHECK-LABEL: func.func @planes
// CHECK-SAME:    %[[N:.*]]: index, %[[PITCH:.*]]: index, %[[BYTES:.*]]: index
// CHECK:         %[[P:.*]] = memref.alloc(%[[BYTES]])
// CHECK:         %[[Q:.*]] = memref.alloc(%[[BYTES]])
// CHECK-DAG:     %[[PP:.*]] = builtin.unrealized_conversion_cast %[[P]] : memref<?xi8> to memref<1xf32
// CHECK-DAG:     %[[QP:.*]] = builtin.unrealized_conversion_cast %[[Q]] : memref<?xi8> to memref<1xf32
// CHECK:         args(%[[PP]] : {{.*}}, %[[QP]] : {{.*}}, %[[N]] : index, %[[PITCH]] : index
// CHECK:       gpu.func @step(%[[X:[^:]*]]: memref<1xf32, {{.*}}> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %[[Y:[^:]*]]: memref<1xf32, {{.*}}> {llvm.align = 16 : i64, llvm.noalias}, %{{[^:]*}}: index, %[[D:[^:]*]]: index
// CHECK-SAME:    arrc.args = "pp44ox"
// The offset has 64 bits where indices have 32.
// CHECK:         builtin.unrealized_conversion_cast %[[X]], %c0_i64 : {{.*}}, i64 to memref<1xf32
// CHECK:         %[[W:.*]] = arith.index_castui %[[D]] : index to i64
// CHECK:         %[[O:.*]] = arith.muli %[[W]], %c2048_i64 overflow<nsw, nuw> : i64
// CHECK:         builtin.unrealized_conversion_cast %[[X]], %[[O]] : {{.*}}, i64 to memref<1xf64
// CHECK:         builtin.unrealized_conversion_cast %[[Y]], %c0_i64 : {{.*}}, i64 to memref<1xf32
// CHECK:         builtin.unrealized_conversion_cast %[[Y]], %[[O]] : {{.*}}, i64 to memref<1xf64
func.func @planes(%n: index, %pitch: index, %bytes: index) {
  %c0 = arith.constant 0 : index
  %c2048 = arith.constant 2048 : index
  %o = arith.muli %pitch, %c2048 : index
  %p = memref.alloc(%bytes) : memref<?xi8>
  %x = memref.view %p[%c0][%n] {kernel.plane = array<i64: 0, 2048>} : memref<?xi8> to memref<?xf32>
  %y = memref.view %p[%o][%n] {kernel.plane = array<i64: 2048, 4096>} : memref<?xi8> to memref<?xf64>
  %q = memref.alloc(%bytes) : memref<?xi8>
  %u = memref.view %q[%c0][%n] {kernel.plane = array<i64: 0, 2048>} : memref<?xi8> to memref<?xf32>
  %v = memref.view %q[%o][%n] {kernel.plane = array<i64: 2048, 4096>} : memref<?xi8> to memref<?xf64>
  kernel.launch @step (%N = %n : index, %X[%N] = %x : memref<?xf32>, %Y[%N] = %y : memref<?xf64>) outs (%U[%N] = %u : memref<?xf32>, %V[%N] = %v : memref<?xf64>) {
    kernel.for "i" (%i) in %N at block.0 {
      %a = kernel.load %X[%i] : memref<?xf32>
      %b = kernel.load %Y[%i] : memref<?xf64>
      kernel.store %a, %U[%i] : memref<?xf32>
      kernel.store %b, %V[%i] : memref<?xf64>
    }
  }
  return
}

// One plane alone is an array as any other.

// CHECK-LABEL: func.func @alone
// CHECK:       gpu.func @one(
// CHECK-SAME:    arrc.args = "p4ox"
// CHECK-NOT:     index_castui
func.func @alone(%n: index, %pitch: index, %bytes: index) {
  %c2048 = arith.constant 2048 : index
  %o = arith.muli %pitch, %c2048 : index
  %p = memref.alloc(%bytes) : memref<?xi8>
  %y = memref.view %p[%o][%n] {kernel.plane = array<i64: 2048, 4096>} : memref<?xi8> to memref<?xf64>
  kernel.launch @one (%N = %n : index) outs (%Y[%N] = %y : memref<?xf64>) {
    kernel.for "i" (%i) in %N at block.0 {
      %z = arith.constant 0.0 : f64
      kernel.store %z, %Y[%i] : memref<?xf64>
    }
  }
  return
}

// What may overlap keeps pointers of its own, and says so.

// CHECK-LABEL: func.func @overlap
// CHECK:       gpu.func @both(
// CHECK-NOT:     llvm.noalias
// CHECK-SAME:    arrc.args = "pp4ox"
func.func @overlap(%n: index, %pitch: index, %p: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %x = memref.view %p[%c0][%n] {kernel.plane = array<i64: 0, 2048>} : memref<?xi8> to memref<?xf32>
  %y = memref.view %p[%c0][%n] {kernel.plane = array<i64: 0, 4096>} : memref<?xi8> to memref<?xf64>
  kernel.launch @both (%N = %n : index, %X[%N] = %x : memref<?xf32>) outs (%Y[%N] = %y : memref<?xf64>) {
    kernel.for "i" (%i) in %N at block.0 {
      %a = kernel.load %X[%i] : memref<?xf32>
      %b = arith.extf %a : f32 to f64
      kernel.store %b, %Y[%i] : memref<?xf64>
    }
  }
  return
}
