// `index` is as wide as the module says.
// RUN: arrc build %s --target=cuda --emit=ptx -o - | FileCheck %s
#global = #gpu.address_space<global>
module attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_80"}>} {
  // CHECK-LABEL: .entry narrow(
  // CHECK: .param .u32 narrow_param_1
  // CHECK: mad.lo.s32
  gpu.module @kernels32 attributes {arrc.index_bits = 32 : i32} {
    gpu.func @narrow(%p1: memref<1xi64, #global>, %n: index) kernel attributes {arrc.args = "p4"} {
      %p = memref.reinterpret_cast %p1 to offset: [0], sizes: [%n], strides: [1] : memref<1xi64, #global> to memref<?xi64, #global>
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %m = arith.muli %b, %n : index
      %i = arith.addi %m, %t : index
      %v = arith.index_cast %i : index to i64
      memref.store %v, %p[%i] : memref<?xi64, #global>
      gpu.return
    }
  }
  // CHECK-LABEL: .entry wide(
  // CHECK: .param .u64 wide_param_1
  // CHECK: mad.lo.s64
  gpu.module @kernels64 attributes {arrc.index_bits = 64 : i32} {
    gpu.func @wide(%p1: memref<1xi64, #global>, %n: index) kernel attributes {arrc.args = "p8"} {
      %p = memref.reinterpret_cast %p1 to offset: [0], sizes: [%n], strides: [1] : memref<1xi64, #global> to memref<?xi64, #global>
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %m = arith.muli %b, %n : index
      %i = arith.addi %m, %t : index
      %v = arith.index_cast %i : index to i64
      memref.store %v, %p[%i] : memref<?xi64, #global>
      gpu.return
    }
  }
}
