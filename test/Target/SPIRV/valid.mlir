// Images are valid, and declare what they use.
// REQUIRES: spirv-val
// RUN: rm -rf %t && arr-opt %s --arrc-gpu-to-spirv | %spirv_images %t --validate
// RUN: spirv-dis %t/plain.spv | FileCheck %s --check-prefix=PLAIN
// RUN: spirv-dis %t/wide.spv | FileCheck %s --check-prefix=WIDE

#global = #gpu.address_space<global>
module attributes {kernel.device = #kernel.device<"opencl", {f64 = 1, f16 = 1, int64_atomics = 1}>} {
  // PLAIN: Version: 1.2
  // PLAIN-NOT: OpCapability Float
  // PLAIN-NOT: OpCapability Int64Atomics
  // PLAIN-NOT: OpCapability Group
  // PLAIN: OpEntryPoint Kernel %axpy "axpy"
  // PLAIN: OpExecutionMode %axpy LocalSize 64 1 1
  // PLAIN: OpExecutionMode %axpy ContractionOff
  gpu.module @plain {
    gpu.func @axpy(%x: memref<1xf32, #global>, %a: f32) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>, arrc.args = "p4"} {
      %i = gpu.thread_id x
      %v = memref.load %x[%i] : memref<1xf32, #global>
      %p = arith.mulf %v, %a : f32
      %s = arith.addf %p, %a : f32
      memref.store %s, %x[%i] : memref<1xf32, #global>
      gpu.return
    }
  }
  // WIDE-DAG: OpCapability Float64
  // WIDE-DAG: OpCapability Float16
  // WIDE-DAG: OpCapability Int64Atomics
  // WIDE: OpAtomicSMin
  gpu.module @wide {
    gpu.func @update(%x: memref<1xf16, #global>, %k: memref<1xi64, #global>, %a: f64) kernel
        attributes {arrc.args = "pp8"} {
      %c0 = arith.constant 0 : index
      %i = gpu.thread_id x
      %h = memref.load %x[%i] : memref<1xf16, #global>
      %w = arith.extf %h : f16 to f64
      %e = math.expm1 %w : f64
      %s = arith.addf %e, %a : f64
      %n = arith.fptosi %s : f64 to i64
      %old = memref.atomic_rmw mins %n, %k[%c0] : (i64, memref<1xi64, #global>) -> i64
      %r = arith.truncf %s : f64 to f16
      memref.store %r, %x[%i] : memref<1xf16, #global>
      gpu.return
    }
  }
}
