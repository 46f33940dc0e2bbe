// RUN: arr-opt %s --convert-cpu-to-llvm | FileCheck %s

// One conversion leaves no cast behind.
// CHECK-LABEL: llvm.func @mixed
// CHECK: llvm.load
// CHECK: llvm.intr.exp
// CHECK-NOT: unrealized_conversion_cast
// CHECK: llvm.return
func.func @mixed(%a: memref<?xf32>, %i: index) -> f32 {
  %x = memref.load %a[%i] : memref<?xf32>
  %e = math.exp %x : f32
  %v = vector.broadcast %e : f32 to vector<4xf32>
  %s = vector.extract %v[2] : f32 from vector<4xf32>
  return %s : f32
}

// bf16 is moved as bits, constants and vectors too.
// CHECK-LABEL: llvm.func @bits
// CHECK-SAME: i16
// CHECK-NOT: bf16
// CHECK: llvm.mlir.constant(16256 : i16) : i16
// CHECK: llvm.intr.masked.store %{{.*}} : vector<8xi16>
// CHECK: llvm.return
func.func @bits(%a: memref<?xbf16>, %x: bf16, %m: vector<8xi1>, %c: i1) {
  %i = arith.constant 0 : index
  %one = arith.constant 1.0 : bf16
  %y = arith.select %c, %one, %x : bf16
  %v = vector.broadcast %y : bf16 to vector<8xbf16>
  vector.maskedstore %a[%i], %m, %v : memref<?xbf16>, vector<8xi1>, vector<8xbf16>
  return
}

// What the entry points store of it is bits, too: a bf16 that lives across
// blocks would go by way of f32.
// CHECK-LABEL: llvm.func @stored
// CHECK-SAME: %[[P:.*]]: !llvm.ptr, %[[X:.*]]: i16
// CHECK-NOT: bf16
// CHECK: llvm.store %[[X]], %[[P]] : i16
// CHECK: llvm.return
func.func @stored(%p: !llvm.ptr, %x: bf16) {
  llvm.store %x, %p : bf16, !llvm.ptr
  return
}
