// Which kernels exist in 32 bits: those whose every index is proved to fit.
// RUN: arr-opt %s -convert-kernel-to-gpu | FileCheck %s

// What was read from an array may be anything, and so what is computed of it.
// CHECK-LABEL: func.func @no_loaded_index
// CHECK-NOT:     scf.if
// CHECK:         gpu.launch_func @no_loaded_index_k_kernel64::@no_loaded_index_k
// CHECK-NOT:   @no_loaded_index_k_kernel32
// CHECK:       gpu.module @no_loaded_index_k_kernel64
func.func @no_loaded_index(%p: memref<?xi64>, %n: index) -> memref<?xf32> {
  %x = memref.alloc(%n) : memref<?xf32>
  kernel.launch @no_loaded_index_k (%P[%N] = %p : memref<?xi64>, %N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N at block.0 {
      %q = kernel.load %P[%i] : memref<?xi64>
      %j = arith.index_cast %q : i64 to index
      %c1 = arith.constant 1 : index
      %k = arith.addi %j, %c1 : index
      kernel.store %z, %X[%k] : memref<?xf32>
    }
  }
  return %x : memref<?xf32>
}

// Where it is an index and nothing else, its lower half says all.
// CHECK-LABEL: func.func @loaded_place
// CHECK:       gpu.module @loaded_place_k_kernel32
// CHECK:         arith.index_cast %{{.*}} : i64 to index
func.func @loaded_place(%p: memref<?xi64>, %n: index) -> memref<?xf32> {
  %x = memref.alloc(%n) : memref<?xf32>
  kernel.launch @loaded_place_k (%P[%N] = %p : memref<?xi64>, %N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N at block.0 {
      %q = kernel.load %P[%i] : memref<?xi64>
      %j = arith.index_cast %q : i64 to index
      kernel.store %z, %X[%j] : memref<?xf32>
    }
  }
  return %x : memref<?xf32>
}

// A product of sizes neither.
// CHECK-LABEL: func.func @no_product
// CHECK-NOT:   @no_product_k_kernel32
// CHECK:       gpu.module @no_product_k_kernel64
func.func @no_product(%n: index, %m: index) -> memref<?xf32> {
  %x = memref.alloc(%n) : memref<?xf32>
  kernel.launch @no_product_k (%N = %n : index, %M = %m : index) outs (%X[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    %all = arith.muli %N, %M : index
    kernel.for "i" (%i) in %all {
      kernel.store %z, %X[%i] : memref<?xf32>
    }
  }
  return %x : memref<?xf32>
}

// The host asks for the number of elements, sizes and the number of blocks.
// CHECK-LABEL: func.func @sizes
// CHECK-SAME:    (%[[N:.*]]: index, %[[M:.*]]: index)
// CHECK:         %[[COUNT:.*]] = arith.muli %[[N]], %[[M]]
// CHECK:         arith.cmpi sle, %[[COUNT]], %c2130706432
// CHECK:         gpu.launch_func @sizes_k_kernel32::@sizes_k
// CHECK:         gpu.launch_func @sizes_k_kernel64::@sizes_k
func.func @sizes(%n: index, %m: index) -> memref<?x?xf32> {
  %x = memref.alloc(%n, %m) : memref<?x?xf32>
  kernel.launch @sizes_k (%N = %n : index, %M = %m : index) outs (%X[%N, %M] = %x : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N at block.0 {
      kernel.for "j" (%j) in %M at seq {
        kernel.store %z, %X[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return %x : memref<?x?xf32>
}

// An index and the extent of its loop count together: j + s is below N.
// CHECK-LABEL: func.func @relation
// CHECK:       gpu.module @relation_k_kernel32
func.func @relation(%n: index, %s: index) -> memref<?xf32> {
  %x = memref.alloc(%n) : memref<?xf32>
  %y = memref.alloc(%s) : memref<?xf32>
  kernel.launch @relation_k (%N = %n : index, %S = %s : index) outs (%X[%N] = %x : memref<?xf32>, %Y[%S] = %y : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    %rest = arith.subi %N, %S : index
    kernel.for "j" (%j) in %rest {
      %i = affine.apply affine_map<(d0, d1) -> (d0 + d1 - 1)>(%j, %S)
      %k = arith.addi %j, %S : index
      kernel.store %z, %X[%k] : memref<?xf32>
    }
  }
  return %x : memref<?xf32>
}

// Small constant sizes: nothing to ask.
// CHECK-LABEL: func.func @constant
// CHECK-NOT:     scf.if
// CHECK:         gpu.launch_func @constant_k_kernel32::@constant_k
// CHECK-NOT:   gpu.module @constant_k_kernel64
func.func @constant() -> memref<8xf32> {
  %x = memref.alloc() : memref<8xf32>
  kernel.launch @constant_k () outs (%X[8] = %x : memref<8xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in 8 {
      kernel.store %z, %X[%i] : memref<8xf32>
    }
  }
  return %x : memref<8xf32>
}

// What a sum under a division can be counts too: 3 i is more than i.
// CHECK-LABEL: func.func @no_dividend
// CHECK-NOT:   @no_dividend_k_kernel32
// CHECK:       gpu.module @no_dividend_k_kernel64
func.func @no_dividend(%n: index) -> memref<?xf32> {
  %x = memref.alloc(%n) : memref<?xf32>
  kernel.launch @no_dividend_k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %k = affine.apply affine_map<(d0) -> ((d0 * 3) floordiv 4)>(%i)
      kernel.store %z, %X[%k] : memref<?xf32>
    }
  }
  return %x : memref<?xf32>
}
