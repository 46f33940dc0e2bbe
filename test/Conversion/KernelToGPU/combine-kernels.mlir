// RUN: arr-opt %s --split-input-file --kernel-plan-partition=all=true --convert-kernel-to-gpu | FileCheck %s

// What joins the copies of parts stands beside the kernel, for integers of
// either width.
module attributes {kernel.device = #kernel.device<"cuda", {arch = "sm_90", max_threads = 1024 : i64, shared_bytes = 49152 : i64, int64_atomics = 1 : i64, float_atomics = 1 : i64}>} {
  // CHECK: gpu.module @bins_kernel64 attributes {{.*}}u maxs64 8 1
  // CHECK: gpu.func @bins(
  // CHECK: gpu.func @bins_addi32([[TO:%.*]]: memref<1xi32, {{.*}}, [[FROM:%.*]]: memref<1xi32, {{.*}}, [[FIRST:%.*]]: index, [[COUNT:%.*]]: index) kernel attributes {arrc.args = "ppox", known_block_size = array<i32: 64, 1, 1>
  // CHECK: [[INSIDE:%.*]] = arith.cmpi slt, [[NUMBER:%.*]], [[COUNT]]
  // CHECK: scf.if [[INSIDE]]
  // CHECK: [[AT:%.*]] = arith.addi [[FIRST]], [[NUMBER]]
  // CHECK: [[OLD:%.*]] = memref.load {{.*}}{{\[}}[[AT]]]
  // CHECK: [[NEW:%.*]] = memref.load {{.*}}{{\[}}[[AT]]]
  // CHECK: [[SUM:%.*]] = arith.addi [[OLD]], [[NEW]] : i32
  // CHECK: memref.store [[SUM]], {{.*}}{{\[}}[[AT]]]
  // CHECK: gpu.func @bins_maxs64(
  // CHECK: arith.maxsi
  // One array for each operator and width.
  // CHECK-NOT: gpu.func
  func.func @bins(%n: index, %p: memref<?xindex>, %r: memref<?xi32>, %q: memref<?xi64>, %s: memref<?xi32>) {
    kernel.launch @bins (%N = %n : index, %P[%N] = %p : memref<?xindex>) outs (%R[%N] = %r : memref<?xi32>, %Q[%N] = %q : memref<?xi64>, %S[%N] = %s : memref<?xi32>) {
      %one = arith.constant 1 : i32
      %two = arith.constant 2 : i64
      kernel.for "i" (%i) in %N at block.0 {
        %k = kernel.load %P[%i] : memref<?xindex>
        kernel.update %one, %R[%k] : memref<?xi32> by arith.addi
        kernel.update %two, %Q[%k] : memref<?xi64> by arith.maxsi
        kernel.update %one, %S[%k] : memref<?xi32> by arith.addi
      }
    }
    return
  }
}
