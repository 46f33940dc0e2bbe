// RUN: arr-opt %s -pass-pipeline='builtin.module(gpu.module(gpu-remove-barriers))' | FileCheck %s

!shared = memref<1024xf32, #gpu.address_space<workgroup>>
gpu.module @kernels {
  // Another thread reads.
  // CHECK-LABEL: gpu.func @no_other_thread
  // CHECK: gpu.barrier
  // CHECK: gpu.return
  gpu.func @no_other_thread(%x: memref<?xf32>, %y: memref<?xf32>) workgroup(%s: !shared) kernel attributes {known_block_size = array<i32: 1024, 1, 1>} {
    %c1023 = arith.constant 1023 : index
    %t = gpu.thread_id x
    %r = arith.subi %c1023, %t : index
    %v = memref.load %x[%t] : memref<?xf32>
    memref.store %v, %s[%t] : !shared
    gpu.barrier
    %w = memref.load %s[%r] : !shared
    memref.store %w, %y[%t] : memref<?xf32>
    gpu.return
  }

  // How many threads there are is not known.
  // CHECK-LABEL: gpu.func @no_block_size
  // CHECK: gpu.barrier
  // CHECK: gpu.return
  gpu.func @no_block_size() kernel {
    gpu.barrier
    gpu.return
  }

  // The store of the next iteration meets the load of this one.
  // CHECK-LABEL: gpu.func @no_loop
  // CHECK: gpu.barrier
  // CHECK: gpu.barrier
  // CHECK: gpu.return
  gpu.func @no_loop(%x: memref<?xf32>, %n: index) workgroup(%s: !shared) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c63 = arith.constant 63 : index
    %t = gpu.thread_id x
    %r = arith.subi %c63, %t : index
    scf.for %k = %c0 to %n step %c1 {
      %v = memref.load %x[%k] : memref<?xf32>
      memref.store %v, %s[%t] : !shared
      gpu.barrier
      %w = memref.load %s[%r] : !shared
      gpu.barrier
      memref.store %w, %s[%t] : !shared
    }
    gpu.return
  }

  // What follows an update that others wait for.
  // CHECK-LABEL: gpu.func @no_update
  // CHECK: gpu.barrier
  // CHECK: gpu.return
  gpu.func @no_update(%y: memref<1xi32>, %z: memref<64xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %t = gpu.thread_id x
    memref.store %one, %z[%t] : memref<64xi32>
    gpu.barrier
    %was = memref.atomic_rmw addi %one, %y[%c0] : (i32, memref<1xi32>) -> i32
    gpu.return
  }

  // Block-wise reversal: each thread reads what it wrote.
  // CHECK-LABEL: gpu.func @reverse
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @reverse(%x: memref<?xf32>, %y: memref<?xf32>) workgroup(%s: !shared) kernel attributes {known_block_size = array<i32: 1024, 1, 1>} {
    %c1023 = arith.constant 1023 : index
    %c1024 = arith.constant 1024 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %first = arith.muli %b, %c1024 : index
    %r = arith.subi %c1023, %t : index
    %i = arith.addi %first, %r : index
    %v = memref.load %x[%i] : memref<?xf32>
    memref.store %v, %s[%t] : !shared
    gpu.barrier
    %w = memref.load %s[%t] : !shared
    %o = arith.addi %first, %t : index
    memref.store %w, %y[%o] : memref<?xf32>
    gpu.return
  }

  // One of two suffices.
  // CHECK-LABEL: gpu.func @twice
  // CHECK: gpu.barrier
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @twice(%y: memref<64xf32>) workgroup(%s: !shared) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c63 = arith.constant 63 : index
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %r = arith.subi %c63, %t : index
    memref.store %one, %s[%t] : !shared
    gpu.barrier
    gpu.barrier
    %w = memref.load %s[%r] : !shared
    memref.store %w, %y[%t] : memref<64xf32>
    gpu.return
  }
}
