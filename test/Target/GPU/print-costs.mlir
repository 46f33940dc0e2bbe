// RUN: arr-opt %s -gpu-print-costs -o /dev/null 2>&1 | FileCheck %s

!shared = memref<64xi32, #gpu.address_space<workgroup>>
gpu.module @kernels {
  // CHECK-LABEL: kernel @saxpy, blocks of 256 threads
  // CHECK: global reads, coalesced: depth 2, work 512
  // CHECK-NEXT: global writes, coalesced: depth 1, work 256
  gpu.func @saxpy(%x: memref<256xf32>, %y: memref<256xf32>, %a: f32) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.thread_id x
    %u = memref.load %x[%t] : memref<256xf32>
    %v = memref.load %y[%t] : memref<256xf32>
    %w = arith.mulf %a, %u : f32
    %s = arith.addf %v, %w : f32
    memref.store %s, %y[%t] : memref<256xf32>
    gpu.return
  }

  // Five levels, taken by fewer lanes each: 5 * 2 * 32 reads.
  // CHECK-LABEL: kernel @levels
  // CHECK: barriers: depth 1, work 32
  // CHECK-NEXT: shared reads, parallel: depth 10, work 320
  gpu.func @levels() workgroup(%s: !shared) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    gpu.barrier
    %last = scf.while (%half = %c32) : (index) -> index {
      %goes = arith.cmpi ugt, %half, %c1 : index
      scf.condition(%goes) %half : index
    } do {
    ^bb0(%half: index):
      %next = arith.divui %half, %c2 : index
      %adds = arith.cmpi ult, %t, %next : index
      scf.if %adds {
        %other = arith.addi %t, %next : index
        %a = memref.load %s[%t] : !shared
        %b = memref.load %s[%other] : !shared
      }
      scf.yield %next : index
    }
    gpu.return
  }

  // A loop of any length.
  // CHECK-LABEL: kernel @loop
  // CHECK: global reads, broadcast: depth arg1, work 64*arg1
  gpu.func @loop(%x: memref<?xf32>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %k = %c0 to %n step %c1 {
      %v = memref.load %x[%k] : memref<?xf32>
    }
    gpu.return
  }
}
