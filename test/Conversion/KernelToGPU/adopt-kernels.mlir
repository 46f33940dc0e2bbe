// RUN: arr-opt %s -gpu-adopt-kernels | FileCheck %s

// Arrays become pointers and sizes, memory of a block what launches ask for.
module attributes {gpu.container_module} {
  // CHECK: gpu.func @k(%[[P:.*]]: memref<1xf32, #gpu.address_space<global>>, %[[N:.*]]: index, %[[F:.*]]: i8) kernel attributes {arrc.args = "p81", known_block_size = array<i32: 32, 1, 1>}
  // CHECK-DAG: %[[ROOM:.*]] = gpu.dynamic_shared_memory
  // CHECK-DAG: memref.view %[[ROOM]][%c0{{.*}}][] : {{.*}} to memref<5xf32, #gpu.address_space<workgroup>>
  // CHECK-DAG: memref.view %[[ROOM]][%c32{{.*}}][] : {{.*}} to memref<2xi64, #gpu.address_space<workgroup>>
  // CHECK-DAG: memref.reinterpret_cast %[[P]] to offset: [0], sizes: [%[[N]], 4], strides: [4, 1]
  // CHECK-DAG: arith.trunci %[[F]] : i8 to i1
  gpu.module @m {
    gpu.func @k(%x: memref<?x4xf32>, %flag: i1)
        workgroup(%s: memref<5xf32, #gpu.address_space<workgroup>>, %t: memref<2xi64, 3>) kernel {
      %c0 = arith.constant 0 : index
      scf.if %flag {
        // CHECK: memref.load {{.*}} : memref<?x4xf32, #gpu.address_space<global>>
        %v = memref.load %x[%c0, %c0] : memref<?x4xf32>
        memref.store %v, %s[%c0] : memref<5xf32, #gpu.address_space<workgroup>>
      }
      gpu.return
    }
    // CHECK: gpu.func @mine(%{{.*}}: memref<1xf32, #gpu.address_space<global>>) kernel attributes {arrc.args = "p"}
    gpu.func @mine(%x: memref<1xf32, #gpu.address_space<global>>) kernel attributes {arrc.args = "p"} {
      gpu.return
    }
  }
  // CHECK: func.func @f({{.*}}) attributes {arrc.export, arrc.params = [{dims = ["in0_0", "4"], element = "f32", name = "in0", rank = 2 : i64, type = "f32[in0_0, 4]"}
  // CHECK: %[[FLAG:.*]] = arith.extui
  // CHECK: gpu.launch_func @m::@k
  // CHECK-SAME: dynamic_shared_memory_size %c48
  // CHECK-SAME: args(%{{.*}} : memref<1xf32, #gpu.address_space<global>>, %{{.*}} : index, %[[FLAG]] : i8)
  func.func @f(%x: memref<?x4xf32>, %flag: i1) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%x : memref<?x4xf32>, %flag : i1)
    return
  }
}
