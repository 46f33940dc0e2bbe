// RUN: arr-opt %s --kernel-stage-updates --canonicalize --cse --split-input-file --verify-diagnostics | FileCheck %s

// What is read as well, is no integer or stands outside of blocks is refused.
module attributes {kernel.device = #kernel.device<"cuda", {shared_bytes = 1024, int64_atomics = 1}>} {
func.func @no_reads(%h: memref<8xi32>, %n: index) {
  // expected-error @below {{cannot give 'H' copies at 'i.0': below the digit it is not only updated, by one atomic operation of the device}}
  kernel.launch @k (%N = %n : index) outs (%H[8] = %h : memref<8xi32>) schedule #kernel.schedule<i = [block.0, thread.x 64], private = [H at i.0 shared copies 4]> {
    %one = arith.constant 1 : i32
    kernel.for "i.0" (%b) in %N at block.0 {
      kernel.for "i.1" (%t) in 64 at thread.x {
        %v = kernel.load %H[%b] : memref<8xi32>
        kernel.update %v, %H[%t] : memref<8xi32> by arith.addi
      }
    }
  }
  return
}
}

// -----

module attributes {kernel.device = #kernel.device<"cuda", {shared_bytes = 1024, int64_atomics = 1}>} {
func.func @no_power(%h: memref<8xi32>, %n: index) {
  // expected-error @below {{cannot give 'H' copies at 'i.0': their number is a power of two}}
  kernel.launch @k (%N = %n : index) outs (%H[8] = %h : memref<8xi32>) schedule #kernel.schedule<i = [block.0, thread.x 64], private = [H at i.0 shared copies 3]> {
    %one = arith.constant 1 : i32
    kernel.for "i.0" (%b) in %N at block.0 {
      kernel.for "i.1" (%t) in 64 at thread.x {
        kernel.update %one, %H[%t] : memref<8xi32> by arith.addi
      }
    }
  }
  return
}
}

// -----

// Copies of all elements, which count in 32 bits how often five is added.
// CHECK-LABEL: @counts
// CHECK:      kernel.for "i.0"
// CHECK:        %[[C:.*]] = kernel.local : memref<32xi32>
// CHECK:        kernel.for "i.0_p0" (%[[T:.*]]) in 64 at thread.x {
// CHECK:          kernel.store %c0_i32, %[[C]][%[[T]]] if
// CHECK:        kernel.for "i.1" (%[[I:.*]]) in 64 at thread.x {
// CHECK:          %[[COPY:.*]] = arith.andi %[[I]], %c3
// CHECK:          %[[ROW:.*]] = arith.muli %{{.*}}, %c4
// CHECK:          %[[AT:.*]] = arith.addi %[[ROW]], %[[COPY]]
// CHECK:          kernel.update %c1_i32, %[[C]][%[[AT]]] if %{{.*}} : memref<32xi32> by arith.addi
// CHECK:        kernel.for "i.0_q0" (%[[U:.*]]) in 64 at thread.x {
// CHECK:          %[[IN:.*]] = arith.cmpi ult, %[[U]], %c8
// CHECK:          %[[S:.*]] = kernel.for "i.0_r" (%[[R:.*]]) in 4 at seq reduce (%c0_i32 : i32) by arith.addi {
// CHECK:          %[[NEW:.*]] = arith.cmpi ne, %[[S]], %c0_i32
// CHECK:          %[[MASK:.*]] = arith.andi %[[IN]], %[[NEW]]
// CHECK:          %[[L:.*]] = arith.extui %[[S]] : i32 to i64
// CHECK:          %[[V:.*]] = arith.muli %[[L]], %c5_i64
// CHECK:          kernel.update %[[V]], %H[%[[U]]] if %[[MASK]] : memref<8xi64> by arith.addi
module attributes {kernel.device = #kernel.device<"cuda", {shared_bytes = 1024, int64_atomics = 1}>} {
func.func @counts(%x: memref<?xindex>, %h: memref<8xi64>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xindex>, %N = %n : index) outs (%H[8] = %h : memref<8xi64>) schedule #kernel.schedule<i = [block.0, thread.x 64], private = [H at i.0 shared copies 4]> {
    %five = arith.constant 5 : i64
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    kernel.for "i.0" (%b) in %N at block.0 {
      kernel.for "i.1" (%t) in 64 at thread.x {
        %first = arith.muli %b, %c64 : index
        %i = arith.addi %first, %t : index
        %k = kernel.load %X[%i] : memref<?xindex>
        %in = arith.cmpi ult, %k, %c8 : index
        kernel.update %five, %H[%k] if %in : memref<8xi64> by arith.addi
      }
    }
  }
  return
}
}

// -----

// Of a size that is no number as many elements as fit have copies.
// CHECK-LABEL: @largest
// CHECK:      kernel.for "i.0"
// CHECK:        %[[C:.*]] = kernel.local : memref<256xi32>
// CHECK:        %[[COUNT:.*]] = arith.minsi %M, %c128
// CHECK:          kernel.store %c-2147483648_i32, %[[C]]
// CHECK:        kernel.for "i.1" (%[[I:.*]]) in 64 at thread.x {
// CHECK:          %[[NEAR:.*]] = arith.cmpi ult, %[[K:[0-9]+]], %[[COUNT]] : index
// CHECK:          %[[FAR:.*]] = arith.cmpi uge, %[[K]], %[[COUNT]]
// CHECK:          kernel.update %[[V:.*]], %H[%[[K]]] if %[[FAR]] : memref<?xi32> by arith.maxsi
// CHECK:          kernel.update %[[V]], %[[C]][%{{.*}}] if %[[NEAR]] : memref<256xi32> by arith.maxsi
module attributes {kernel.device = #kernel.device<"cuda", {shared_bytes = 1024, int64_atomics = 1}>} {
func.func @largest(%x: memref<?xi32>, %h: memref<?xi32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xi32>, %N = %n : index, %M = %m : index) outs (%H[%M] = %h : memref<?xi32>) schedule #kernel.schedule<i = [block.0, thread.x 64], private = [H at i.0 shared copies 2]> {
    %c64 = arith.constant 64 : index
    kernel.for "i.0" (%b) in %N at block.0 {
      kernel.for "i.1" (%t) in 64 at thread.x {
        %first = arith.muli %b, %c64 : index
        %i = arith.addi %first, %t : index
        %v = kernel.load %X[%i] : memref<?xi32>
        kernel.update %v, %H[%i] : memref<?xi32> by arith.maxsi
      }
    }
  }
  return
}
}

// -----

// Ranges of as many elements as fit, of equal lengths; a block for each.
// CHECK-LABEL: @ranges
// CHECK:      %[[P:.*]] = arith.maxsi %{{.*}}, %c1
// CHECK:      %[[COUNT:.*]] = arith.ceildivsi %M, %[[P]]
// CHECK:      kernel.for "i.0" (%{{.*}}) in %N at block.1 {
// CHECK-NEXT:   kernel.for "i.0_v" (%[[V:.*]]) in %[[P]] at block.0 {
// CHECK:          %[[BASE:.*]] = arith.muli %[[V]], %[[COUNT]]
// CHECK:          %[[C:.*]] = kernel.local : memref<256xi32, #kernel.space<shared>>
// CHECK:          kernel.for "i.1"
// CHECK:            %[[E:.*]] = arith.subi %{{.*}}, %[[BASE]]
// CHECK:            %[[IN:.*]] = arith.cmpi ult, %[[E]], %[[COUNT]]
// CHECK:            kernel.update %{{.*}}, %[[C]][%[[E]]] if %[[IN]]
// CHECK:            %[[S:.*]] = kernel.load %[[C]]
// CHECK:            %[[AT:.*]] = arith.addi %{{.*}}, %[[BASE]]
// CHECK:            arith.cmpi ult, %[[AT]], %M
// CHECK:            kernel.update %[[S]], %H[%[[AT]]] if
module attributes {kernel.device = #kernel.device<"cuda", {shared_bytes = 1024, int64_atomics = 1}>} {
func.func @ranges(%x: memref<?xi32>, %h: memref<?xi32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xi32>, %N = %n : index, %M = %m : index) outs (%H[%M] = %h : memref<?xi32>) schedule #kernel.schedule<i = [block.0, thread.x 64], private = [H at i.0 ranges]> {
    %c64 = arith.constant 64 : index
    kernel.for "i.0" (%b) in %N at block.0 {
      kernel.for "i.1" (%t) in 64 at thread.x {
        %first = arith.muli %b, %c64 : index
        %i = arith.addi %first, %t : index
        %v = kernel.load %X[%i] : memref<?xi32>
        kernel.update %v, %H[%i] : memref<?xi32> by arith.maxsi
      }
    }
  }
  return
}
}

// -----

// A copy of floats is updated under the flags that allow it any order.
// CHECK-LABEL: @any_order
// CHECK:          kernel.update %{{.*}}, %{{.*}}[%{{.*}}] if %{{.*}} : memref<32xf32> by arith.addf fastmath<fast>
// CHECK:          kernel.update %{{.*}}, %H[%{{.*}}] if %{{.*}} : memref<8xf32> by arith.addf fastmath<fast>
module attributes {kernel.device = #kernel.device<"cuda", {shared_bytes = 1024, int64_atomics = 1, float_atomics = 1}>} {
func.func @any_order(%x: memref<?xindex>, %h: memref<8xf32>, %n: index, %a: f32) {
  kernel.launch @k (%X[%N] = %x : memref<?xindex>, %N = %n : index, %A = %a : f32) outs (%H[8] = %h : memref<8xf32>) schedule #kernel.schedule<i = [block.0, thread.x 64], private = [H at i.0 shared copies 4]> {
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    kernel.for "i.0" (%b) in %N at block.0 {
      kernel.for "i.1" (%t) in 64 at thread.x {
        %first = arith.muli %b, %c64 : index
        %i = arith.addi %first, %t : index
        %k = kernel.load %X[%i] : memref<?xindex>
        %in = arith.cmpi ult, %k, %c8 : index
        kernel.update %A, %H[%k] if %in : memref<8xf32> by arith.addf fastmath<fast>
      }
    }
  }
  return
}
}
