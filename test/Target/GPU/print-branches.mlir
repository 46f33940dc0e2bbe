// RUN: arr-opt %s -gpu-print-branches -o /dev/null 2>&1 | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: kernel @merge, blocks of 512 threads
  // CHECK-NEXT: branch at line [[#@LINE+19]]: divergent, 50% of lanes idle
  // CHECK-NEXT: branch at line [[#@LINE+26]]: uniform in warps
  // CHECK-NEXT: branch at line [[#@LINE+29]]: uniform in the block
  // CHECK-NEXT: branch at line [[#@LINE+32]]: divergent where values that were read differ
  gpu.func @merge(%x: memref<512xf32>, %y: memref<512xf32>, %n: index)
      workgroup(%s: memref<512xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 512, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %t = gpu.thread_id x
    %one = arith.andi %t, %c1 : index
    %high = arith.andi %t, %c256 : index
    %low = arith.cmpi eq, %one, %c0 : index
    %first = arith.cmpi eq, %high, %c0 : index
    %up = arith.cmpi ne, %low, %first : i1
    %p = arith.xori %t, %c1 : index
    %a = memref.load %s[%t] : memref<512xf32, #gpu.address_space<workgroup>>
    %b = memref.load %s[%p] : memref<512xf32, #gpu.address_space<workgroup>>
    scf.if %up {
      %m = arith.minimumf %a, %b : f32
      memref.store %m, %y[%t] : memref<512xf32>
    } else {
      %m = arith.maximumf %a, %b : f32
      memref.store %m, %y[%t] : memref<512xf32>
    }
    %few = arith.cmpi ult, %t, %c64 : index
    scf.if %few {
      memref.store %a, %x[%t] : memref<512xf32>
    }
    %all = arith.cmpi ult, %c64, %n : index
    scf.if %all {
      memref.store %a, %x[%t] : memref<512xf32>
    }
    %is = arith.cmpf olt, %a, %b : f32
    scf.if %is {
      memref.store %b, %x[%t] : memref<512xf32>
    }
    gpu.return
  }
}
