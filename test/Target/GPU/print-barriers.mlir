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

!half = memref<64xf32, #gpu.address_space<workgroup>>
gpu.module @wrapping {
  // Eight times a byte: threads 0 and 32 have one place.
  // CHECK-LABEL: kernel @bytes
  // CHECK-NEXT: barrier at line {{[0-9]+}}: needed
  gpu.func @bytes(%in: memref<64xf32>, %out: memref<64xf32>)
      workgroup(%s: memref<256xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c8 = arith.constant 8 : i8
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %x = memref.load %in[%t] : memref<64xf32>
    %byte = arith.index_cast %t : index to i8
    %product = arith.muli %byte, %c8 : i8
    %at = arith.index_castui %product : i8 to index
    %low = arith.cmpi ult, %t, %c32 : index
    scf.if %low {
      memref.store %x, %s[%at] : memref<256xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    scf.if %low {
    } else {
      %y = memref.load %s[%at] : memref<256xf32, #gpu.address_space<workgroup>>
      memref.store %y, %out[%t] : memref<64xf32>
    }
    gpu.return
  }

  // The low five bits, by shifts: the store races with itself.
  // CHECK-LABEL: kernel @shifts
  // CHECK-NEXT: barrier at line {{[0-9]+}}: needed
  // CHECK-NEXT: missing between store of shared0
  gpu.func @shifts(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%s: !half) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c27 = arith.constant 27 : i32
    %t = gpu.thread_id x
    %x = memref.load %in[%t] : memref<64xf32>
    %word = arith.index_cast %t : index to i32
    %up = arith.shli %word, %c27 : i32
    %down = arith.shrui %up, %c27 : i32
    %at = arith.index_castui %down : i32 to index
    memref.store %x, %s[%at] : !half
    gpu.barrier
    %y = memref.load %s[%t] : !half
    memref.store %y, %out[%t] : memref<64xf32>
    gpu.return
  }

  // Arrays that change places, in a loop that is too long to be taken apart.
  // CHECK-LABEL: kernel @swapped
  // CHECK-NEXT: barrier at line {{[0-9]+}}: kept, as not all is followed
  // CHECK-NEXT: barrier at line {{[0-9]+}}: kept, as not all is followed
  gpu.func @swapped(%in: memref<64xf32>) workgroup(%s: !half, %u: !half) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c63 = arith.constant 63 : index
    %n = arith.constant 2000 : index
    %t = gpu.thread_id x
    %x = memref.load %in[%t] : memref<64xf32>
    %r = arith.subi %c63, %t : index
    memref.store %x, %s[%t] : !half
    memref.store %x, %u[%t] : !half
    gpu.barrier
    %e:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s, %b = %u) -> (!half, !half) {
      %y = memref.load %a[%r] : !half
      memref.store %y, %b[%t] : !half
      gpu.barrier
      scf.yield %b, %a : !half, !half
    }
    gpu.return
  }
}
