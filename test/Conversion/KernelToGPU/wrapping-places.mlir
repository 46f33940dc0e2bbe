// Sums and products of loops and sizes do not overflow, in either width. What
// a program computes of its own numbers, or reads, wraps.
// RUN: arr-opt %s -convert-kernel-to-gpu | FileCheck %s

// CHECK-LABEL: func.func @neighbour
// CHECK:       gpu.module @neighbour_k_kernel32
// CHECK:         arith.addi %{{.*}}, %{{.*}} overflow<nsw> : index
// CHECK:         arith.minsi
// CHECK:       gpu.module @neighbour_k_kernel64
// CHECK:         arith.addi %{{.*}}, %{{.*}} overflow<nsw> : index
// CHECK:         arith.minsi
func.func @neighbour(%w: memref<?xf32>, %n: index) -> memref<?xf32> {
  %x = memref.alloc(%n) : memref<?xf32>
  kernel.launch @neighbour_k (%N = %n : index, %W[%N] = %w : memref<?xf32>) outs (%X[%N] = %x : memref<?xf32>) {
    kernel.for "i" (%i) in %N at seq {
      %k = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %e = kernel.load %W[%k] edge [clamp] : memref<?xf32>
      kernel.store %e, %X[%i] : memref<?xf32>
    }
  }
  return %x : memref<?xf32>
}

// A number that was read may be any, and the edge mode asks for its sign.
// CHECK-LABEL: func.func @loaded
// CHECK:       gpu.module @loaded_k_kernel64
// CHECK:         arith.addi %{{.*}}, %c-9223372036854775807 : index
// CHECK:         arith.minsi
func.func @loaded(%w: memref<?xf32>, %p: memref<?xi64>, %n: index) -> memref<?xf32> {
  %x = memref.alloc(%n) : memref<?xf32>
  kernel.launch @loaded_k (%N = %n : index, %W[%N] = %w : memref<?xf32>, %P[%N] = %p : memref<?xi64>) outs (%X[%N] = %x : memref<?xf32>) {
    kernel.for "i" (%i) in %N at seq {
      %q = kernel.load %P[%i] : memref<?xi64>
      %j = arith.index_cast %q : i64 to index
      %k = affine.apply affine_map<(d0) -> (d0 - 9223372036854775807)>(%j)
      %e = kernel.load %W[%k] edge [clamp] : memref<?xf32>
      kernel.store %e, %X[%i] : memref<?xf32>
    }
  }
  return %x : memref<?xf32>
}

// Bits that were masked say how far it goes, and the constant is near.
// CHECK-LABEL: func.func @masked
// CHECK:       gpu.module @masked_k_kernel64
// CHECK:         arith.addi %{{.*}}, %c7 overflow<nsw> : index
// CHECK:         arith.minsi
func.func @masked(%w: memref<?xf32>, %p: memref<?xi64>, %n: index) -> memref<?xf32> {
  %x = memref.alloc(%n) : memref<?xf32>
  kernel.launch @masked_k (%N = %n : index, %W[%N] = %w : memref<?xf32>, %P[%N] = %p : memref<?xi64>) outs (%X[%N] = %x : memref<?xf32>) {
    %c255 = arith.constant 255 : i64
    kernel.for "i" (%i) in %N at seq {
      %q = kernel.load %P[%i] : memref<?xi64>
      %m = arith.andi %q, %c255 : i64
      %j = arith.index_cast %m : i64 to index
      %k = affine.apply affine_map<(d0) -> (d0 + 7)>(%j)
      %e = kernel.load %W[%k] edge [clamp] : memref<?xf32>
      kernel.store %e, %X[%i] : memref<?xf32>
    }
  }
  return %x : memref<?xf32>
}

// An argument of the program in 64 bits: in 32 bits the host asks what it is.
// CHECK-LABEL: func.func @shifted
// CHECK:       gpu.module @shifted_k_kernel32
// CHECK:         arith.addi %{{.*}}, %{{.*}} overflow<nsw> : index
// CHECK:         arith.minsi
// CHECK:       gpu.module @shifted_k_kernel64
// CHECK-NOT:     overflow<nsw> : index
// CHECK:         arith.minsi
func.func @shifted(%w: memref<?xf32>, %n: index, %s: index) -> memref<?xf32> {
  %x = memref.alloc(%n) : memref<?xf32>
  kernel.launch @shifted_k (%N = %n : index, %S = %s : index, %W[%N] = %w : memref<?xf32>) outs (%X[%N] = %x : memref<?xf32>) {
    kernel.for "i" (%i) in %N at seq {
      %k = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %S)
      %e = kernel.load %W[%k] edge [clamp] : memref<?xf32>
      kernel.store %e, %X[%i] : memref<?xf32>
    }
  }
  return %x : memref<?xf32>
}
