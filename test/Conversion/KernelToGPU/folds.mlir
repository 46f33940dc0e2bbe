// Folds over threads: shuffles within a sub-group, shared memory beyond it.
// RUN: arr-opt %s -split-input-file -convert-kernel-to-gpu -canonicalize -cse | FileCheck %s

module attributes {kernel.device = #kernel.device<"cuda", {subgroup = 32}>} {
// A row a warp: no barrier.
// CHECK-LABEL: gpu.module @warp_k_kernel32
// CHECK-NOT:   gpu.barrier
// CHECK:         gpu.shuffle xor %{{.*}}, %c1_i32, %c32_i32
// CHECK:         gpu.shuffle xor %{{.*}}, %c2_i32, %c32_i32
// CHECK:         gpu.shuffle xor %{{.*}}, %c4_i32, %c32_i32
// CHECK:         gpu.shuffle xor %{{.*}}, %c8_i32, %c32_i32
// CHECK:         gpu.shuffle xor %{{.*}}, %c16_i32, %c32_i32
// CHECK-NOT:     gpu.shuffle
// CHECK-NOT:   gpu.barrier
// CHECK:       gpu.module @warp_k_kernel64
func.func @warp(%x: memref<?x32xf32>, %n: index, %z: f32) -> memref<?xf32> {
  %s = memref.alloc(%n) : memref<?xf32>
  kernel.launch @warp_k (%X[%N, 32] = %x : memref<?x32xf32>, %N = %n : index, %Z = %z : f32) outs (%S[%N] = %s : memref<?xf32>) {
    kernel.for "i" (%i) in %N at block.0 {
      kernel.for "y" (%y) in 8 at thread.y {
        %r = kernel.for "j" (%j) in 32 at thread.x reduce (%Z : f32) by arith.addf {
          %v = kernel.load %X[%i, %j] : memref<?x32xf32>
          kernel.yield %v : f32
        }
        kernel.store %r, %S[%y] : memref<?xf32>
      }
    }
  }
  return %s : memref<?xf32>
}

// More than a warp: the warps' totals meet in shared memory.
// CHECK-LABEL: func.func @block
// CHECK:         dynamic_shared_memory_size %c32_i32
// CHECK:       gpu.func @block_k
// CHECK-COUNT-10: gpu.shuffle xor
// CHECK:         memref.view %{{.*}} to memref<4xf64, #gpu.address_space<workgroup>>
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      memref.store
// CHECK:         gpu.barrier
// CHECK-COUNT-4: memref.load
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
func.func @block(%x: memref<?x128xf64>, %n: index, %z: f64) -> memref<?xf64> {
  %s = memref.alloc(%n) : memref<?xf64>
  kernel.launch @block_k (%X[%N, 128] = %x : memref<?x128xf64>, %N = %n : index, %Z = %z : f64) outs (%S[%N] = %s : memref<?xf64>) {
    kernel.for "i" (%i) in %N at block.0 {
      %r = kernel.for "j" (%j) in 128 at thread.x reduce (%Z : f64) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x128xf64>
        kernel.yield %v : f64
      }
      kernel.store %r, %S[%i] : memref<?xf64>
    }
  }
  return %s : memref<?xf64>
}

// An operator that may not commute has the lower thread on its left.
// CHECK-LABEL: func.func @ordered
// CHECK:       gpu.func @ordered_k
// CHECK:         %[[B:.*]] = gpu.shuffle xor %[[A:[^,]*]], %c1_i32
// CHECK:         %[[LOW:.*]] = arith.cmpi eq, %{{.*}}, %c0
// CHECK:         %[[L:.*]] = arith.select %[[LOW]], %[[A]], %{{.*}} : i32
// CHECK:         %[[R:.*]] = arith.select %[[LOW]], %{{.*}}, %[[A]] : i32
// CHECK:         %[[M:.*]] = arith.muli %[[L]], %{{.*}} : i32
// CHECK:         arith.addi %[[M]], %[[R]] : i32
func.func @ordered(%s: memref<i32>) {
  kernel.launch @ordered_k () outs (%S[] = %s : memref<i32>) {
    %z = arith.constant 0 : i32
    %r = kernel.for "j" (%j) in 2 at thread.x reduce (%z : i32) by (%a: i32, %b: i32) {
      %c = arith.constant 31 : i32
      %m = arith.muli %a, %c : i32
      %n = arith.addi %m, %b : i32
      kernel.yield %n : i32
    } {
      %v = arith.index_cast %j : index to i32
      kernel.yield %v : i32
    }
    kernel.store %r, %S[] : memref<i32>
  }
  return
}

// Threads beyond the loop give the neutral element.
// CHECK-LABEL: func.func @idle
// CHECK:       gpu.func @idle_k
// CHECK:         %[[IN:.*]] = arith.cmpi slt, %[[T:.*]], %c3
// CHECK:         %[[AT:.*]] = arith.minsi %[[T]], %c2
// CHECK:         %[[V:.*]] = memref.load %{{.*}}[%[[AT]]]
// CHECK:         arith.select %[[IN]], %[[V]], %c-2147483648_i32
func.func @idle(%x: memref<8xi32>, %s: memref<i32>) {
  kernel.launch @idle_k (%X[8] = %x : memref<8xi32>) outs (%S[] = %s : memref<i32>) {
    %z = arith.constant 5 : i32
    %r = kernel.for "j" (%j) in 3 at thread.x reduce (%z : i32) by arith.maxsi {
      %v = kernel.load %X[%j] : memref<8xi32>
      kernel.yield %v : i32
    }
    kernel.for "i" (%i) in 8 at thread.x {
      %c0 = arith.constant 0 : index
      %on = arith.cmpi eq, %i, %c0 : index
      kernel.store %r, %S[] if %on : memref<i32>
    }
  }
  return
}
}

// -----

// Without sub-groups rounds of sixteen values through shared memory.
// CHECK-LABEL: func.func @rounds
// CHECK:       gpu.func @rounds_k
// CHECK-NOT:     gpu.shuffle
// CHECK:         memref.store %{{.*}} : memref<64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:    gpu.barrier
// CHECK-COUNT-16: memref.load %{{.*}} : memref<64xf32, #gpu.address_space<workgroup>>
// CHECK:         memref.store %{{.*}} : memref<4xf32, #gpu.address_space<workgroup>>
// CHECK:         gpu.barrier
// CHECK-COUNT-4: memref.load %{{.*}} : memref<4xf32, #gpu.address_space<workgroup>>
func.func @rounds(%s: memref<f32>) {
  kernel.launch @rounds_k () outs (%S[] = %s : memref<f32>) {
    %z = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %r = kernel.for "j" (%j) in 64 at thread.x reduce (%z : f32) by arith.addf {
      kernel.yield %one : f32
    }
    kernel.store %r, %S[] : memref<f32>
  }
  return
}
