// What a kernel takes: pointers and scalars, and what is known of them.
// RUN: arr-opt %s -convert-kernel-to-gpu -canonicalize -cse | FileCheck %s

// Bools are bytes, half-precision brains words, complex numbers two scalars.
// CHECK-LABEL: func.func @scalars
// CHECK-SAME:    %[[P:.*]]: i1, %[[H:.*]]: bf16, %[[C:.*]]: complex<f32>
// CHECK-DAG:     %[[PB:.*]] = arith.extui %[[P]] : i1 to i8
// CHECK-DAG:     %[[HB:.*]] = arith.bitcast %[[H]] : bf16 to i16
// CHECK-DAG:     %[[RE:.*]] = complex.re %[[C]]
// CHECK-DAG:     %[[IM:.*]] = complex.im %[[C]]
// CHECK:         args({{.*}}, %[[PB]] : i8, %[[HB]] : i16, %[[RE]] : f32, %[[IM]] : f32)
// CHECK:       gpu.func @scalars_k(
// CHECK-SAME:    arrc.args = "pppp1244"
// CHECK-DAG:     arith.trunci %{{.*}} : i8 to i1
// CHECK-DAG:     arith.bitcast %{{.*}} : i16 to bf16
// CHECK-DAG:     complex.create
// CHECK-DAG:     memref.store %{{.*}} : memref<?xi8, #gpu.address_space<global>>
// CHECK-DAG:     memref.store %{{.*}} : memref<?xi64, #gpu.address_space<global>>
func.func @scalars(%p: i1, %h: bf16, %c: complex<f32>, %pa: memref<i1>, %ha: memref<bf16>, %ca: memref<complex<f32>>, %ia: memref<index>) {
  kernel.launch @scalars_k (%P = %p : i1, %H = %h : bf16, %C = %c : complex<f32>)
      outs (%PA[] = %pa : memref<i1>, %HA[] = %ha : memref<bf16>, %CA[] = %ca : memref<complex<f32>>, %IA[] = %ia : memref<index>) {
    %one = arith.constant 1 : index
    kernel.store %P, %PA[] : memref<i1>
    kernel.store %H, %HA[] : memref<bf16>
    kernel.store %C, %CA[] : memref<complex<f32>>
    kernel.store %one, %IA[] : memref<index>
  }
  return
}

// One buffer twice is one argument; two parameters may overlap.
// CHECK-LABEL: func.func @same
// CHECK:       gpu.func @same_k(
// CHECK-SAME:    %{{.*}}: memref<1xf32, #gpu.address_space<global>> {llvm.align = 16 : i64},
// CHECK-SAME:    %{{.*}}: memref<1xf32, #gpu.address_space<global>> {llvm.align = 16 : i64, llvm.readonly})
// CHECK-SAME:    arrc.args = "pp"
func.func @same(%x: memref<8xf32>, %y: memref<8xf32>) {
  kernel.launch @same_k (%A[8] = %x : memref<8xf32>, %B[8] = %y : memref<8xf32>) outs (%C[8] = %x : memref<8xf32>) {
    kernel.for "i" (%i) in 8 {
      %u = kernel.load %A[%i] : memref<8xf32>
      %v = kernel.load %B[%i] : memref<8xf32>
      %w = arith.addf %u, %v : f32
      kernel.store %w, %C[%i] : memref<8xf32>
    }
  }
  return
}

// A part of a buffer: the buffer, strides and the offset of the part.
// CHECK-LABEL: func.func @part
// CHECK:         %[[BASE:.*]], %[[OFFSET:.*]], %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata
// CHECK:         %[[POINTER:.*]] = builtin.unrealized_conversion_cast %[[BASE]]
// CHECK:         args(%[[POINTER]] : {{.*}}, %[[STRIDES]]#0 : index, %[[OFFSET]] : index
// CHECK:       gpu.func @part_k(
// CHECK-SAME:    %[[N:[^:]*]]: index, %[[STRIDE:[^:]*]]: index, %[[SHIFT:[^:]*]]: index)
// CHECK:         arith.muli %{{.*}}, %[[STRIDE]]
// CHECK:         arith.addi %{{.*}}, %[[SHIFT]]
func.func @part(%n: index, %m: index) {
  %a = memref.alloc(%n, %m) : memref<?x?xf32>
  %v = memref.subview %a[1, 1] [%n, 2] [1, 1] : memref<?x?xf32> to memref<?x2xf32, strided<[?, 1], offset: ?>>
  kernel.launch @part_k (%N = %n : index) outs (%V[%N, 2] = %v : memref<?x2xf32, strided<[?, 1], offset: ?>>) {
    %z = arith.constant 0.0 : f32
    %one = arith.constant 1 : index
    kernel.for "i" (%i) in %N {
      kernel.store %z, %V[%i, %one] : memref<?x2xf32, strided<[?, 1], offset: ?>>
    }
  }
  return
}

// The flag decides on the device.
// CHECK-LABEL: func.func @flag
// CHECK:       gpu.func @flag_k(
// CHECK:         %[[BYTE:.*]] = memref.load %{{.*}}[%c0]
// CHECK:         %[[GO:.*]] = arith.cmpi ne, %[[BYTE]]
// CHECK:         scf.if %[[GO]]
// CHECK:           memref.store
func.func @flag(%go: memref<i1>, %r: memref<f32>) {
  kernel.launch @flag_k () outs (%R[] = %r : memref<f32>) if (%go : memref<i1>) {
    %z = arith.constant 0.0 : f32
    kernel.store %z, %R[] : memref<f32>
  }
  return
}

// What is a multiple of 8 has three bits that are zero.
// CHECK-LABEL: func.func @multiple
// CHECK:       gpu.func @multiple_k(
// CHECK:         arith.andi %{{.*}}, %c-8
func.func @multiple(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  kernel.launch @multiple_k (%N = %n : index) outs (%A[%N] = %a : memref<?xf32>) {
    %m = array.assume %N in 8 to 1000 multiple 8 : index
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %m {
      kernel.store %z, %A[%i] : memref<?xf32>
    }
  }
  return
}

// What the host knows of a pitch is seen where places are computed.
// CHECK-LABEL: func.func @pitch
// CHECK:       gpu.func @pitch_k(
// CHECK-SAME:    %[[M:[a-z0-9]*]]: index, %{{[a-z0-9]*}}: index, %{{[a-z0-9]*}}: index) kernel
// CHECK:         %[[EVEN:.*]] = arith.andi %[[M]], %{{.*}} : index
// CHECK:         arith.muli %{{.*}}, %[[EVEN]] overflow<nsw> : index
func.func @pitch(%x: memref<8x?xf32>, %m: index) {
  %even = array.assume %m multiple 4 : index
  %zero = arith.constant 0.0 : f32
  kernel.launch @pitch_k (%Z = %zero : f32, %M = %even : index) outs (%X[8, %M] = %x : memref<8x?xf32>) {
    %two = arith.constant 2 : index
    kernel.for "i" (%i) in 8 at block.0 {
      kernel.store %Z, %X[%i, %two] : memref<8x?xf32>
    }
  }
  return
}
