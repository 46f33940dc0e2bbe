// A failing check leaves its site and index in the error record.
// RUN: arr-opt %s -convert-kernel-to-gpu -canonicalize -cse | FileCheck %s

// CHECK:       arrc.sites = [{{.*}}first{{.*}}, {{.*}}second{{.*}}]
// CHECK-LABEL: func.func @f
// CHECK:         %[[NONE:.*]] = ub.poison : memref<1xi64, #gpu.address_space<global>>
// CHECK:         args({{.*}}, %[[NONE]] : memref<1xi64, #gpu.address_space<global>>
// CHECK:       gpu.func @f_k(
// CHECK-SAME:    %[[RECORD:[^:]*]]: memref<1xi64, #gpu.address_space<global>> {llvm.align = 8 : i64, llvm.noalias},
// CHECK-SAME:    arrc.args = "p8eox"
// The index: digits of a dimension together, the most significant first.
// CHECK:         scf.if
// CHECK-DAG:       %[[B:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK-DAG:       %[[T:.*]] = arith.index_cast %thread_id_x : index to i64
// CHECK:           %[[HIGH:.*]] = arith.muli %[[B]], %c64_i64
// CHECK:           %[[PLACE:.*]] = arith.addi %[[HIGH]], %[[T]]
// CHECK:           %[[LEAST:.*]] = arith.minui %[[PLACE]], %c1099511627775_i64
// CHECK:           %[[OLD:.*]] = memref.atomic_rmw minu %[[LEAST]]
// CHECK:           %[[NEW:.*]] = arith.cmpi ult, %[[LEAST]], %[[OLD]]
// CHECK:           scf.if %[[NEW]]
// CHECK:             memref.atomic_rmw addi %c1_i32, %{{.*}}[%c2]
// CHECK:             memref.store %[[LEAST]]
// CHECK:             memref.store
// CHECK:         memref.store
func.func @f(%n: index) -> memref<?xf32> {
  %x = memref.alloc(%n) : memref<?xf32>
  kernel.launch @f_k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i.0" (%b) in %N at block.0 {
      kernel.for "i.1" (%t) in 64 at thread.x {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 64 + d1)>(%b, %t)
        %ok = arith.cmpi slt, %i, %N : index
        kernel.check index %ok, "first {0}" [%i : index]
        %b2 = arith.cmpi sge, %i, %N : index
        kernel.check assert %b2, "second"
        kernel.store %z, %X[%i] if %ok : memref<?xf32>
      }
    }
  }
  return %x : memref<?xf32>
}
