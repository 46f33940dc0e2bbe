// A map: blocks and threads, masks as branches, one index an access.
// RUN: arr-opt %s -convert-kernel-to-gpu -canonicalize -cse | FileCheck %s

#tile = affine_map<(d0, d1) -> (d0 * 256 + d1)>
#tiles = affine_map<()[s0] -> (s0 ceildiv 256)>

// CHECK-LABEL: func.func @scale
// CHECK-SAME:    (%[[X:.*]]: memref<?xf32>, %[[A:.*]]: f32, %[[N:.*]]: index)
// CHECK:       %[[Y:.*]] = memref.alloc
// CHECK:       %[[NB:.*]] = arith.maxsi
// CHECK:       %[[PX:.*]] = builtin.unrealized_conversion_cast %[[X]] : memref<?xf32> to memref<1xf32, #gpu.address_space<global>>
// CHECK:       %[[PY:.*]] = builtin.unrealized_conversion_cast %[[Y]]
// CHECK:       scf.if
// CHECK:         gpu.launch_func @map_kernel32::@map blocks in
// CHECK-SAME:      threads in (%c256, %c1, %c1)
// CHECK-SAME:      args(%[[PX]] : memref<1xf32, #gpu.address_space<global>>, %[[PY]] : {{.*}}, %[[A]] : f32, %[[N]] : index, %c0 : index, %[[NB]] : index)
// CHECK:       } else {
// CHECK:         gpu.launch_func @map_kernel64::@map

// CHECK:       gpu.module @map_kernel32 attributes {arrc.index_bits = 32 : i32}
// CHECK:       gpu.func @map(
// CHECK-SAME:    %[[X1:.*]]: memref<1xf32, #gpu.address_space<global>> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}
// CHECK-SAME:    %[[Y1:.*]]: memref<1xf32, #gpu.address_space<global>> {llvm.align = 16 : i64, llvm.noalias}
// CHECK-SAME:    %[[A1:.*]]: f32, %[[N1:.*]]: index, %[[FIRST:.*]]: index, %{{.*}}: index)
// CHECK-SAME:    kernel attributes {arrc.args = "pp44ox", known_block_size = array<i32: 256, 1, 1>}
// CHECK:         %[[T:.*]] = gpu.thread_id x upper_bound 256
// CHECK:         %[[XA:.*]] = memref.reinterpret_cast %[[X1]]
// CHECK:         %[[ID:.*]] = gpu.block_id x
// CHECK:         %[[B:.*]] = arith.addi %[[ID]], %[[FIRST]]
// CHECK:         %[[B256:.*]] = arith.muli %[[B]], %c256
// CHECK:         %[[I:.*]] = arith.addi %[[B256]], %[[T]]
// CHECK:         %[[IN:.*]] = arith.cmpi slt, %[[I]], %[[N1]]
// CHECK:         %[[V:.*]] = scf.if %[[IN]] -> (f32)
// CHECK:           memref.load %[[XA]][%[[I]]]
// CHECK:         %[[W:.*]] = arith.mulf %[[A1]], %[[V]]
// CHECK:         scf.if %[[IN]]
// CHECK-NEXT:      memref.store %[[W]]
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return

// In 64 bits a grid may be folded into rows, the last of which may be too long.
// CHECK:       gpu.module @map_kernel64 attributes {arrc.index_bits = 64 : i32}
// CHECK:       arrc.args = "pp48ox"
// CHECK:         %[[Y0:.*]] = gpu.block_id y
// CHECK:         %[[ROW:.*]] = arith.muli %[[Y0]], %{{.*}}
// CHECK:         %[[NUMBER:.*]] = arith.addi %[[ROW]]
// CHECK:         arith.cmpi ult, %[[NUMBER]]
func.func @scale(%x: memref<?xf32>, %a: f32, %n: index) -> memref<?xf32> {
  %y = memref.alloc(%n) : memref<?xf32>
  kernel.launch @map (%X[%N] = %x : memref<?xf32>, %A = %a : f32, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %nb = affine.apply #tiles()[%N]
    kernel.for "i.0" (%b) in %nb at block.0 {
      kernel.for "i.1" (%t) in 256 at thread.x {
        %i = affine.apply #tile(%b, %t)
        %in = arith.cmpi slt, %i, %N : index
        %u = kernel.load %X[%i] if %in : memref<?xf32>
        %v = arith.mulf %A, %u : f32
        kernel.store %v, %Y[%i] if %in : memref<?xf32>
      }
    }
  }
  return %y : memref<?xf32>
}

// Two loops of blocks: one division a block, the outer one first.
// CHECK-LABEL: func.func @grid
// CHECK:       gpu.module @two_kernel32
// CHECK:       gpu.func @two(
// CHECK-SAME:    %[[I0:[^:]*]]: index, %{{[^:]*}}: index, %[[J0:[^:]*]]: index, %[[JN:[^:]*]]: index) kernel attributes {arrc.args = "p44oxox"
// CHECK:         %[[ID:.*]] = gpu.block_id x
// CHECK:         %[[REST:.*]] = arith.remui %[[ID]], %[[JN]]
// CHECK:         %[[OUT:.*]] = arith.divui %[[ID]], %[[JN]]
// CHECK:         %[[J:.*]] = arith.addi %[[REST]], %[[J0]]
// CHECK:         %[[I:.*]] = arith.addi %[[OUT]], %[[I0]]
// CHECK:         %[[ROW:.*]] = arith.muli %[[I]]
// CHECK:         arith.addi %{{.*}}, %[[J]]
func.func @grid(%n: index, %m: index) -> memref<?x?xf32> {
  %y = memref.alloc(%n, %m) : memref<?x?xf32>
  kernel.launch @two (%N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N at block.1 {
      kernel.for "j" (%j) in %M at block.0 {
        kernel.store %z, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return %y : memref<?x?xf32>
}

// Without levels one thread does it.
// CHECK-LABEL: func.func @serial
// CHECK:         gpu.launch_func {{.*}} blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
// CHECK:       gpu.func @fill
// CHECK-SAME:    arrc.args = "p4", known_block_size = array<i32: 1, 1, 1>
// CHECK-NOT:     gpu.thread_id
// CHECK:         scf.for
func.func @serial(%n: index) -> memref<?xf32> {
  %y = memref.alloc(%n) : memref<?xf32>
  kernel.launch @fill (%N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.store %z, %Y[%i] : memref<?xf32>
    }
  }
  return %y : memref<?xf32>
}
