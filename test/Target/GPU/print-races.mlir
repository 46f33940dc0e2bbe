// RUN: arr-opt %s -gpu-print-races -o /dev/null 2>&1 | FileCheck %s

!shared = memref<2048xf32, #gpu.address_space<workgroup>>
gpu.module @kernels {
  // Each test proves what the ones before it cannot.
  // CHECK-LABEL: kernel @gcd
  // CHECK-NEXT: load of shared0 {{.*}} and store of shared0 {{.*}}: independent (gcd)
  // CHECK-NEXT: store of shared0 {{.*}} and itself: independent (presburger)
  gpu.func @gcd() workgroup(%s: !shared) kernel attributes {known_block_size = array<i32: 10, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %t = gpu.thread_id x
    %i = arith.muli %t, %c2 : index
    %j = arith.addi %i, %c1 : index
    %v = memref.load %s[%j] : !shared
    memref.store %v, %s[%i] : !shared
    gpu.return
  }

  // CHECK-LABEL: kernel @ranges
  // CHECK-NEXT: load of shared0 {{.*}} and store of shared0 {{.*}}: independent (banerjee)
  gpu.func @ranges() workgroup(%s: !shared) kernel attributes {known_block_size = array<i32: 10, 1, 1>} {
    %c10 = arith.constant 10 : index
    %t = gpu.thread_id x
    %j = arith.addi %t, %c10 : index
    %v = memref.load %s[%j] : !shared
    memref.store %v, %s[%t] : !shared
    gpu.return
  }

  // Neither affine nor apart, but one bit is always another.
  // CHECK-LABEL: kernel @bits
  // CHECK-NEXT: load of shared0 {{.*}} and store of shared0 {{.*}}: independent (bits)
  // CHECK-NEXT: store of shared0 {{.*}} and itself: independent (enumerated)
  gpu.func @bits() workgroup(%s: !shared) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %t = gpu.thread_id x
    %p = arith.xori %t, %c5 : index
    %i = arith.shli %p, %c1 : index
    %j = arith.ori %i, %c1 : index
    %v = memref.load %s[%j] : !shared
    memref.store %v, %s[%i] : !shared
    gpu.return
  }

  // 3 t + 1 and 5 u meet, at 3 * 3 + 1 = 5 * 2: threads 3 and 2.
  // CHECK-LABEL: kernel @meets
  // CHECK-NEXT: load of shared0 {{.*}} and store of shared0 {{.*}}: race of threads {{[0-9]+}} and {{[0-9]+}} (presburger)
  gpu.func @meets() workgroup(%s: !shared) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %t = gpu.thread_id x
    %i = arith.muli %t, %c3 : index
    %j = arith.addi %i, %c1 : index
    %k = arith.muli %t, %c5 : index
    %v = memref.load %s[%j] : !shared
    memref.store %v, %s[%k] : !shared
    gpu.return
  }

  // Blocks write places of their own; all of them add to one.
  // CHECK-LABEL: kernel @blocks
  // CHECK-NEXT: store of arg0 {{.*}} and itself: independent (presburger)
  // CHECK-NEXT: store of arg0 {{.*}} and store of arg0 {{.*}} of another block: independent (presburger)
  // CHECK-NOT: update
  gpu.func @blocks(%x: memref<?xf32>, %sum: memref<1xf32>, %n: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %first = arith.muli %b, %c256 : index
    %i = arith.addi %first, %t : index
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {
      memref.store %one, %x[%i] : memref<?xf32>
      %was = memref.atomic_rmw addf %one, %sum[%c0] : (f32, memref<1xf32>) -> f32
    }
    gpu.return
  }

  // The next iteration writes what others still read.
  // CHECK-LABEL: kernel @loop
  // CHECK: load of shared0 {{.*}} and store of shared0 {{.*}}: {{race|not known}}
  gpu.func @loop(%y: memref<?xf32>, %n: index) workgroup(%s: !shared) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c63 = arith.constant 63 : index
    %t = gpu.thread_id x
    %r = arith.subi %c63, %t : index
    scf.for %k = %c0 to %n step %c1 {
      %v = memref.load %y[%t] : memref<?xf32>
      memref.store %v, %s[%t] : !shared
      gpu.barrier
      %w = memref.load %s[%r] : !shared
      memref.store %w, %y[%t] : memref<?xf32>
    }
    gpu.return
  }
}

// Of arrays that change places nothing is proved.
// CHECK-LABEL: kernel @swapped
// CHECK: load of shared at line {{[0-9]+}} and store of shared at line {{[0-9]+}}: not known
gpu.module @places {
  gpu.func @swapped(%in: memref<64xf32>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>, %u: memref<64xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c63 = arith.constant 63 : index
    %t = gpu.thread_id x
    %x = memref.load %in[%t] : memref<64xf32>
    %r = arith.subi %c63, %t : index
    memref.store %x, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %e:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %s, %b = %u) -> (memref<64xf32, #gpu.address_space<workgroup>>, memref<64xf32, #gpu.address_space<workgroup>>) {
      %y = memref.load %a[%r] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %y, %b[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      scf.yield %b, %a : memref<64xf32, #gpu.address_space<workgroup>>, memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.return
  }
}
