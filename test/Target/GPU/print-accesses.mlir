// RUN: arr-opt %s -gpu-print-accesses -o /dev/null 2>&1 | FileCheck %s

gpu.module @kernels {
  // Eight consecutive elements a thread.
  // CHECK-LABEL: kernel @consecutive, blocks of 256 threads
  // CHECK-NEXT: load of arg0 at line [[#@LINE+10]]: strided by 8; 32 sectors a request, 12% of their bytes used
  // CHECK-NEXT: store of arg1 at line [[#@LINE+10]]: strided by 8; 32 sectors a request, 12% of their bytes used
  gpu.func @consecutive(%x: memref<2048xf32>, %y: memref<2048xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c8 step %c1 {
      %first = arith.muli %t, %c8 : index
      %i = arith.addi %first, %k : index
      %v = memref.load %x[%i] : memref<2048xf32>
      memref.store %v, %y[%i] : memref<2048xf32>
    }
    gpu.return
  }

  // Eight elements a thread, as far apart as the block has threads.
  // CHECK-LABEL: kernel @apart
  // CHECK-NEXT: load of arg0 at line {{[0-9]+}}: coalesced; 4 sectors a request, 100% of their bytes used
  // CHECK-NEXT: store of arg1 at line {{[0-9]+}}: coalesced; 4 sectors a request, 100% of their bytes used
  gpu.func @apart(%x: memref<2048xf32>, %y: memref<2048xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c256 = arith.constant 256 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c8 step %c1 {
      %first = arith.muli %k, %c256 : index
      %i = arith.addi %first, %t : index
      %v = memref.load %x[%i] : memref<2048xf32>
      memref.store %v, %y[%i] : memref<2048xf32>
    }
    gpu.return
  }

  // A tile without padding has all rows of a column in one bank.
  // CHECK-LABEL: kernel @tile, blocks of 32x32 threads
  // CHECK-NEXT: load of arg0 at line {{[0-9]+}}: coalesced; 4 to 5 sectors a request
  // CHECK-NEXT: store of shared0 at line {{[0-9]+}}: conflict-free; 1 turn a request
  // CHECK-NEXT: load of shared0 at line {{[0-9]+}}: 32-way conflicts; 32 turns a request
  // CHECK-NEXT: store of arg1 at line {{[0-9]+}}: coalesced; 4 to 5 sectors a request
  gpu.func @tile(%x: memref<?x?xf32>, %y: memref<?x?xf32>)
      workgroup(%s: memref<32x32xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 32, 32, 1>} {
    %c32 = arith.constant 32 : index
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %i0 = arith.muli %by, %c32 : index
    %j0 = arith.muli %bx, %c32 : index
    %i = arith.addi %i0, %ty : index
    %j = arith.addi %j0, %tx : index
    %v = memref.load %x[%i, %j] : memref<?x?xf32>
    memref.store %v, %s[%ty, %tx] : memref<32x32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %w = memref.load %s[%tx, %ty] : memref<32x32xf32, #gpu.address_space<workgroup>>
    %p = arith.addi %j0, %ty : index
    %q = arith.addi %i0, %tx : index
    memref.store %w, %y[%p, %q] : memref<?x?xf32>
    gpu.return
  }

  // CHECK-LABEL: kernel @padded
  // CHECK: store of shared0 {{.*}}: conflict-free; 1 turn a request
  // CHECK-NEXT: load of shared0 {{.*}}: conflict-free; 1 turn a request
  gpu.func @padded(%x: memref<32x32xf32>, %y: memref<32x32xf32>)
      workgroup(%s: memref<32x33xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 32, 32, 1>} {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %v = memref.load %x[%ty, %tx] : memref<32x32xf32>
    memref.store %v, %s[%ty, %tx] : memref<32x33xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %w = memref.load %s[%tx, %ty] : memref<32x33xf32, #gpu.address_space<workgroup>>
    memref.store %w, %y[%ty, %tx] : memref<32x32xf32>
    gpu.return
  }

  // Rows of a size that is not known, gathers, one place for all, backwards.
  // CHECK-LABEL: kernel @others
  // CHECK-NEXT: load of arg0 at line {{[0-9]+}}: strided by arg0_1; 32 sectors a request
  // CHECK-NEXT: load of arg1 at line {{[0-9]+}}: coalesced, backwards; 8 sectors a request
  // CHECK-NEXT: load of arg2 at line {{[0-9]+}}: data-dependent; 4 to 32 sectors a request
  // CHECK-NEXT: load of arg2 at line {{[0-9]+}}: broadcast; 1 sector a request
  // CHECK-NEXT: store of arg3 at line {{[0-9]+}}: serialised
  gpu.func @others(%a: memref<?x?xf32>, %at: memref<256xindex>, %x: memref<?xf32>, %y: memref<?xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c255 = arith.constant 255 : index
    %t = gpu.thread_id x
    %v = memref.load %a[%t, %c0] : memref<?x?xf32>
    %r = arith.subi %c255, %t : index
    %i = memref.load %at[%r] : memref<256xindex>
    %w = memref.load %x[%i] : memref<?xf32>
    %u = memref.load %x[%c3] : memref<?xf32>
    %s0 = arith.addf %v, %w : f32
    %s1 = arith.addf %s0, %u : f32
    %square = arith.muli %t, %t : index
    memref.store %s1, %y[%square] : memref<?xf32>
    gpu.return
  }

  // Bits: one merge of a bitonic sort reads its partner.
  // CHECK-LABEL: kernel @bits
  // CHECK-NEXT: load of shared0 {{.*}}: conflict-free
  // CHECK-NEXT: load of shared0 {{.*}}: 2-way conflicts
  // CHECK-NEXT: load of shared0 {{.*}}: 2-way conflicts
  // CHECK-NEXT: store of arg0 {{.*}}: coalesced
  gpu.func @bits(%y: memref<?xf32>)
      workgroup(%s: memref<256xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %t = gpu.thread_id x
    %partner = arith.xori %t, %c8 : index
    %a = memref.load %s[%partner] : memref<256xf32, #gpu.address_space<workgroup>>
    %even = arith.shli %t, %c1 : index
    %b = memref.load %s[%even] : memref<256xf32, #gpu.address_space<workgroup>>
    %odd = arith.ori %even, %c1 : index
    %c = memref.load %s[%odd] : memref<256xf32, #gpu.address_space<workgroup>>
    %d = arith.addf %a, %b : f32
    %e = arith.addf %d, %c : f32
    memref.store %e, %y[%partner] : memref<?xf32>
    gpu.return
  }

  // What a mask leaves is a multiple, wherever the mask stands; the sign alone
  // is no step.
  // CHECK-LABEL: kernel @masks
  // CHECK-NEXT: load of arg0 {{.*}}: coalesced; 4 sectors
  // CHECK-NEXT: load of arg0 {{.*}}: coalesced; 4 sectors
  // CHECK-NEXT: store of arg1 {{.*}}: coalesced; 4 sectors
  gpu.func @masks(%x: memref<?xf32>, %y: memref<?xf32>, %n: index)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %mask = arith.constant -32 : index
    %sign = arith.constant -9223372036854775808 : index
    %t = gpu.thread_id x
    %row = arith.andi %n, %mask : index
    %i = arith.addi %row, %t : index
    %a = memref.load %x[%i] : memref<?xf32>
    %other = arith.andi %mask, %n : index
    %j = arith.addi %other, %t : index
    %b = memref.load %x[%j] : memref<?xf32>
    %c = arith.addf %a, %b : f32
    %top = arith.andi %t, %sign : index
    %k = arith.addi %top, %t : index
    memref.store %c, %y[%k] : memref<?xf32>
    gpu.return
  }
}
