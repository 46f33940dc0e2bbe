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
