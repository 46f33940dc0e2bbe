// RUN: arr-opt %s -gpu-print-barriers -o /dev/null 2>&1 | FileCheck %s

!shared = memref<64xi32, #gpu.address_space<workgroup>>
gpu.module @kernels {
  // A tree on neighbours: 2 i and 2 i + 1. Thread 0 reads what it wrote.
  // CHECK-LABEL: kernel @neighbours
  // CHECK-NEXT: barrier at line {{[0-9]+}}: needed
  // CHECK-NEXT: barrier at line {{[0-9]+}}: needed
  // CHECK-NEXT: barrier at line {{[0-9]+}}: needless
  // CHECK-NOT: missing
  gpu.func @neighbours(%x: memref<8xi32>, %y: memref<1xi32>)
      workgroup(%s: !shared, %u: !shared) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %t = gpu.thread_id x
    %i = arith.muli %t, %c2 : index
    %j = arith.addi %i, %c1 : index
    %a = memref.load %x[%i] : memref<8xi32>
    %b = memref.load %x[%j] : memref<8xi32>
    %ab = arith.addi %a, %b : i32
    memref.store %ab, %s[%t] : !shared
    gpu.barrier
    %two = arith.cmpi ult, %t, %c2 : index
    scf.if %two {
      %c = memref.load %s[%i] : !shared
      %d = memref.load %s[%j] : !shared
      %cd = arith.addi %c, %d : i32
      memref.store %cd, %u[%t] : !shared
    }
    gpu.barrier
    %one = arith.cmpi ult, %t, %c1 : index
    scf.if %one {
      %c = memref.load %u[%i] : !shared
      %d = memref.load %u[%j] : !shared
      %cd = arith.addi %c, %d : i32
      memref.store %cd, %s[%t] : !shared
    }
    gpu.barrier
    scf.if %one {
      %r = memref.load %s[%c0] : !shared
      memref.store %r, %y[%c0] : memref<1xi32>
    }
    gpu.return
  }

  // Threads that left do not come to the barrier.
  // CHECK-LABEL: kernel @divergent
  // CHECK-NEXT: barrier at line {{[0-9]+}}: in divergent code; needless
  gpu.func @divergent() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c5 = arith.constant 5 : index
    %t = gpu.thread_id x
    %few = arith.cmpi ult, %t, %c5 : index
    scf.if %few {
      gpu.barrier
    }
    gpu.return
  }

  // CHECK-LABEL: kernel @missing
  // CHECK-NEXT: missing between store of shared0 {{.*}} and load of shared0
  gpu.func @missing(%y: memref<64xi32>) workgroup(%s: !shared) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c63 = arith.constant 63 : index
    %zero = arith.constant 0 : i32
    %t = gpu.thread_id x
    %r = arith.subi %c63, %t : index
    memref.store %zero, %s[%t] : !shared
    %v = memref.load %s[%r] : !shared
    memref.store %v, %y[%t] : memref<64xi32>
    gpu.return
  }
}
