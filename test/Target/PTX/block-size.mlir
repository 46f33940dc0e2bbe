// The size of a block is exact where that costs nothing: without loops, and in
// blocks so large that registers could run out.
// RUN: arrc build %s --target=cuda --emit=ptx -o - | FileCheck %s
#global = #gpu.address_space<global>
module attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  gpu.module @kernels {
    // CHECK-LABEL: .entry straight(
    // CHECK: .reqntid 32, 4, 1
    gpu.func @straight(%p: memref<1xi64, #global>, %n: index) kernel attributes {arrc.args = "p8", known_block_size = array<i32: 32, 4, 1>} {
      %c0 = arith.constant 0 : index
      %v = arith.index_cast %n : index to i64
      memref.store %v, %p[%c0] : memref<1xi64, #global>
      gpu.return
    }
    // CHECK-LABEL: .entry loop(
    // CHECK-NOT: .reqntid
    // CHECK-LABEL: .entry large(
    // CHECK: .reqntid 512, 1, 1
    gpu.func @loop(%p1: memref<1xi64, #global>, %n: index) kernel attributes {arrc.args = "p8", known_block_size = array<i32: 256, 1, 1>} {
      %p = memref.reinterpret_cast %p1 to offset: [0], sizes: [%n], strides: [1] : memref<1xi64, #global> to memref<?xi64, #global>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %e = arith.constant 1 : i64
      scf.for %i = %c0 to %n step %c1 {
        %v = memref.atomic_rmw addi %e, %p[%i] : (i64, memref<?xi64, #global>) -> i64
      }
      gpu.return
    }
    gpu.func @large(%p1: memref<1xi64, #global>, %n: index) kernel attributes {arrc.args = "p8", known_block_size = array<i32: 512, 1, 1>} {
      %p = memref.reinterpret_cast %p1 to offset: [0], sizes: [%n], strides: [1] : memref<1xi64, #global> to memref<?xi64, #global>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %e = arith.constant 1 : i64
      scf.for %i = %c0 to %n step %c1 {
        %v = memref.atomic_rmw addi %e, %p[%i] : (i64, memref<?xi64, #global>) -> i64
      }
      gpu.return
    }
  }
}
