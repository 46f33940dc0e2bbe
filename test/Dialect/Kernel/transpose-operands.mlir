// RUN: arr-opt %s --kernel-transpose-operands --canonicalize --cse --split-input-file | FileCheck %s

// A row times a row: lanes along the fold are as good, so that the copy pays where 64 rows read it.
// CHECK-LABEL: @rows_of_both
// CHECK-SAME: %[[B:[^:]*]]: memref<?x?xf32>, %{{[^:]*}}: memref<?x?xf32>, %[[N:.*]]: index, %[[M:.*]]: index, %[[K:.*]]: index
// CHECK-DAG: %[[WIDE:.*]] = arith.cmpi uge, %[[M]], %c16
// CHECK-DAG: %[[LEAST:.*]] = arith.minui %[[N]], %c64
// CHECK: %[[OFTEN:.*]] = arith.cmpi uge, %[[LEAST]], %c64
// CHECK: %[[BOTH:.*]] = arith.andi %[[WIDE]], %[[OFTEN]]
// CHECK: scf.if %[[BOTH]] {
// CHECK-NEXT: %[[T:.*]] = memref.alloc(%[[K]], %[[M]]) {kernel.workspace} : memref<?x?xf32>
// CHECK-NEXT: kernel.launch @k_transpose ({{.*}}, %[[FROM:.*]][%[[C:.*]], %[[R:.*]]] = %[[B]] : memref<?x?xf32>) outs (%[[TO:.*]][%[[R]], %[[C]]] = %[[T]] : memref<?x?xf32>) {
// CHECK-NEXT: kernel.for "d1" (%[[L:.*]]) in %[[R]] {
// CHECK-NEXT: kernel.for "d0" (%[[J:.*]]) in %[[C]] {
// CHECK-NEXT: %[[V:.*]] = kernel.load %[[FROM]][%[[J]], %[[L]]]
// CHECK-NEXT: kernel.store %[[V]], %[[TO]][%[[L]], %[[J]]]
// CHECK: kernel.launch @k ({{.*}}, %[[READ:.*]][%K, %M] = %[[T]] : memref<?x?xf32>) outs
// CHECK: kernel.for "j" (%[[COLUMN:.*]]) in
// CHECK: kernel.for "l" (%[[STEP:.*]]) in
// CHECK: kernel.load %[[READ]][%[[STEP]], %[[COLUMN]]]
// CHECK: memref.dealloc %[[T]]
// CHECK-NEXT: } else {
// CHECK-NEXT: kernel.launch @k (
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @rows_of_both(%b: memref<?x?xf32>, %a: memref<?x?xf32>, %n: index, %m: index, %k: index, %c: memref<?x?xf32>) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %K = %k : index, %A[%N, %K] = %a : memref<?x?xf32>, %B[%M, %K] = %b : memref<?x?xf32>) outs (%C[%N, %M] = %c : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %s = kernel.for "l" (%l) in %K reduce (%z : f32) by arith.addf {
          %x = kernel.load %A[%i, %l] : memref<?x?xf32>
          %y = kernel.load %B[%j, %l] : memref<?x?xf32>
          %p = arith.mulf %x, %y : f32
          kernel.yield %p : f32
        }
        kernel.store %s, %C[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// -----

// A column times a row has no lanes as it is: the copy pays from 4 rows on. Sizes that are known
// are no question.
// CHECK-LABEL: @column_and_row
// CHECK-NOT: scf.if
// CHECK: kernel.launch @k_transpose
// CHECK: kernel.launch @k (
func.func @column_and_row(%a: memref<9x8xf32>, %b: memref<20x9xf32>, %c: memref<8x20xf32>) {
  kernel.launch @k (%A[9, 8] = %a : memref<9x8xf32>, %B[20, 9] = %b : memref<20x9xf32>) outs (%C[8, 20] = %c : memref<8x20xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in 8 {
      kernel.for "j" (%j) in 20 {
        %s = kernel.for "l" (%l) in 9 reduce (%z : f32) by arith.addf {
          %x = kernel.load %A[%l, %i] : memref<9x8xf32>
          %y = kernel.load %B[%j, %l] : memref<20x9xf32>
          %p = arith.mulf %x, %y : f32
          kernel.yield %p : f32
        }
        kernel.store %s, %C[%i, %j] : memref<8x20xf32>
      }
    }
  }
  return
}

// -----

// One use of each element pays for no copy.
// CHECK-LABEL: @vector
// CHECK-NOT: transpose
func.func @vector(%b: memref<?x?xf32>, %a: memref<?xf32>, %m: index, %k: index, %c: memref<?xf32>) {
  kernel.launch @k (%M = %m : index, %K = %k : index, %A[%K] = %a : memref<?xf32>, %B[%M, %K] = %b : memref<?x?xf32>) outs (%C[%M] = %c : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %s = kernel.for "l" (%l) in %K reduce (%z : f32) by arith.addf {
        %x = kernel.load %A[%l] : memref<?xf32>
        %y = kernel.load %B[%j, %l] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        kernel.yield %p : f32
      }
      kernel.store %s, %C[%j] : memref<?xf32>
    }
  }
  return
}

// -----

// Only a part of the rows may be read, as often as that is: no copy of all.
// CHECK-LABEL: @window
// CHECK-NOT: transpose
func.func @window(%b: memref<?x?xf32>, %a: memref<?x?xf32>, %n: index, %m: index, %k: index, %w: index, %c: memref<?x?xf32>) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %K = %k : index, %W = %w : index, %A[%N, %K] = %a : memref<?x?xf32>, %B[%M, %W] = %b : memref<?x?xf32>) outs (%C[%N, %M] = %c : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %s = kernel.for "l" (%l) in %K reduce (%z : f32) by arith.addf {
          %x = kernel.load %A[%i, %l] : memref<?x?xf32>
          %y = kernel.load %B[%j, %l] : memref<?x?xf32>
          %p = arith.mulf %x, %y : f32
          kernel.yield %p : f32
        }
        kernel.store %s, %C[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// -----

// A card stages tiles of both.
// CHECK-LABEL: @card
// CHECK-NOT: transpose
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, shared_bytes = 49152, subgroup = 32, units = 132, vector_bytes = 16}>} {
func.func @card(%b: memref<?x?xf32>, %a: memref<?x?xf32>, %n: index, %m: index, %k: index, %c: memref<?x?xf32>) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %K = %k : index, %A[%K, %N] = %a : memref<?x?xf32>, %B[%M, %K] = %b : memref<?x?xf32>) outs (%C[%N, %M] = %c : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %s = kernel.for "l" (%l) in %K reduce (%z : f32) by arith.addf {
          %x = kernel.load %A[%l, %i] : memref<?x?xf32>
          %y = kernel.load %B[%j, %l] : memref<?x?xf32>
          %p = arith.mulf %x, %y : f32
          kernel.yield %p : f32
        }
        kernel.store %s, %C[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
}

// -----

// On a card: a scan of what is stored side by side, and an operand that is not.
// CHECK-LABEL: @scan_across
// CHECK-SAME: %[[A:[^:]*]]: memref<?x?xf32>, %{{[^:]*}}: memref<?x?xf32>, %[[N:.*]]: index, %[[M:.*]]: index
// CHECK-DAG: %[[LONG:.*]] = arith.cmpi uge, %[[M]], %c64
// CHECK-DAG: %[[WIDE:.*]] = arith.cmpi uge, %[[N]], %c16
// CHECK: %[[BOTH:.*]] = arith.andi %[[LONG]], %[[WIDE]]
// CHECK: scf.if %[[BOTH]] {
// CHECK: %[[T:.*]] = memref.alloc(%[[N]], %[[M]]) {kernel.workspace} : memref<?x?xf32>
// CHECK: kernel.launch @k_transpose
// CHECK: kernel.launch @k ({{.*}}%[[READ:.*]][%N, %M] = %[[T]] : memref<?x?xf32>) outs
// CHECK: kernel.for "i" (%[[I:.*]]) in
// CHECK: kernel.for "l" (%[[L:.*]]) in {{.*}} scan
// CHECK: kernel.load %[[READ]][%[[I]], %[[L]]]
// CHECK: } else {
// CHECK: kernel.load %{{.*}}[%{{.*}}, %{{.*}}] : memref<?x?xf32>
// CHECK-LABEL: @scan_in_a_loop
// CHECK-NOT: transpose
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, shared_bytes = 49152, subgroup = 32, units = 132, vector_bytes = 16}>} {
func.func @scan_across(%a: memref<?x?xf32>, %c: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %A[%M, %N] = %a : memref<?x?xf32>) outs (%C[%N, %M] = %c : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.for "l" (%l) in %M scan (%z : f32) by arith.addf {
        %x = kernel.load %A[%l, %i] : memref<?x?xf32>
        %p = kernel.prefix %x : f32
        kernel.store %p, %C[%i, %l] : memref<?x?xf32>
      }
    }
  }
  return
}
func.func @scan_in_a_loop(%a: memref<?x?xf32>, %c: memref<?x?xf32>, %n: index, %m: index, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %steps step %c1 {
    kernel.launch @k (%N = %n : index, %M = %m : index, %A[%M, %N] = %a : memref<?x?xf32>) outs (%C[%N, %M] = %c : memref<?x?xf32>) {
      %z = arith.constant 0.0 : f32
      kernel.for "i" (%i) in %N {
        kernel.for "l" (%l) in %M scan (%z : f32) by arith.addf {
          %x = kernel.load %A[%l, %i] : memref<?x?xf32>
          %p = kernel.prefix %x : f32
          kernel.store %p, %C[%i, %l] : memref<?x?xf32>
        }
      }
    }
  }
  return
}
}
