// RUN: arr-opt %s -gpu-insert-barriers 2>%t.txt | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAYS < %t.txt
// RUN: arr-opt %s -gpu-insert-barriers 2>/dev/null | arr-opt -gpu-insert-barriers 2>/dev/null | FileCheck %s

!shared = memref<1024xf32, #gpu.address_space<workgroup>>
!tile = memref<16x16xf32, #gpu.address_space<workgroup>>
gpu.module @kernels {
  // Both accesses are in a branch that half of the threads take.
  // SAYS: :[[# @LINE + 13]]:{{.*}} warning: threads {{[0-9]+}} and {{[0-9]+}} meet in the store of shared0 at line [[# @LINE + 12]] and the load of shared0 at line [[# @LINE + 13]], and no barrier can order them: not all threads take the branch at line [[# @LINE + 11]]
  // CHECK-LABEL: gpu.func @no_divergent
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @no_divergent(%y: memref<64xf32>) workgroup(%s: !shared) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c31 = arith.constant 31 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %r = arith.subi %c31, %t : index
    %half = arith.cmpi ult, %t, %c32 : index
    scf.if %half {
      memref.store %one, %s[%t] : !shared
      %w = memref.load %s[%r] : !shared
      memref.store %w, %y[%t] : memref<64xf32>
    }
    gpu.return
  }

  // SAYS: warning: threads {{[0-9]+}} and {{[0-9]+}} meet in the store of shared0 {{.*}}, and no barrier can order them: they do it at once
  // CHECK-LABEL: gpu.func @no_one_store
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @no_one_store(%x: memref<64xf32>) workgroup(%s: !shared) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %s[%c0] : !shared
    gpu.return
  }

  // SAYS: warning: no barriers are inserted: how many threads a block has is not said
  // CHECK-LABEL: gpu.func @no_block_size
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @no_block_size(%x: memref<?xf32>, %r: index) workgroup(%s: !shared) kernel {
    %t = gpu.thread_id x
    %v = memref.load %s[%r] : !shared
    memref.store %v, %s[%t] : !shared
    gpu.return
  }

  // One that stays where it is suffices.
  // SAYS-NOT: warning
  // SAYS-NOT: remark
  // CHECK-LABEL: gpu.func @no_more
  // CHECK: gpu.barrier
  // CHECK-NEXT: arith.addf
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @no_more(%y: memref<64xf32>) workgroup(%s: !shared) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c63 = arith.constant 63 : index
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %r = arith.subi %c63, %t : index
    memref.store %one, %s[%t] : !shared
    gpu.barrier
    %two = arith.addf %one, %one : f32
    %w = memref.load %s[%r] : !shared
    %v = arith.addf %w, %two : f32
    memref.store %v, %y[%t] : memref<64xf32>
    gpu.return
  }

  // Each thread reads what it wrote.
  // CHECK-LABEL: gpu.func @no_others
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @no_others(%y: memref<64xf32>) workgroup(%s: !shared) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    memref.store %one, %s[%t] : !shared
    %w = memref.load %s[%t] : !shared
    memref.store %w, %y[%t] : memref<64xf32>
    gpu.return
  }

  // Two pairs of accesses, one barrier between both.
  // CHECK-LABEL: gpu.func @one_for_two
  // CHECK-NOT: gpu.barrier
  // CHECK: memref.store
  // CHECK: memref.store
  // CHECK: gpu.barrier
  // CHECK-NEXT: memref.load
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @one_for_two(%y: memref<64xf32>) workgroup(%a: !shared, %b: !shared) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c63 = arith.constant 63 : index
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %r = arith.subi %c63, %t : index
    memref.store %one, %a[%t] : !shared
    memref.store %one, %b[%t] : !shared
    %v = memref.load %a[%r] : !shared
    %w = memref.load %b[%r] : !shared
    %u = arith.addf %v, %w : f32
    memref.store %u, %y[%t] : memref<64xf32>
    gpu.return
  }

  // Through global memory.
  // CHECK-LABEL: gpu.func @global
  // CHECK: memref.store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: memref.load
  // CHECK: gpu.return
  gpu.func @global(%x: memref<?xf32>, %y: memref<?xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c64 = arith.constant 64 : index
    %c63 = arith.constant 63 : index
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %first = arith.muli %b, %c64 : index
    %i = arith.addi %first, %t : index
    %r = arith.subi %c63, %t : index
    %j = arith.addi %first, %r : index
    memref.store %one, %x[%i] : memref<?xf32>
    %w = memref.load %x[%j] : memref<?xf32>
    memref.store %w, %y[%i] : memref<?xf32>
    gpu.return
  }

  // In front of the branch, which not all threads take, once each step: a step
  // reads and writes other places than itself, and what the last one wrote is
  // read by the thread that did.
  // CHECK-LABEL: gpu.func @halves
  // CHECK-NOT: gpu.barrier
  // CHECK: scf.while
  // CHECK: do
  // CHECK: gpu.barrier
  // CHECK-NEXT: scf.if
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @halves(%x: memref<?xf32>, %y: memref<?xf32>) workgroup(%s: !shared) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %v = memref.load %x[%t] : memref<?xf32>
    memref.store %v, %s[%t] : !shared
    scf.while (%half = %c128) : (index) -> index {
      %goes = arith.cmpi ugt, %half, %c0 : index
      scf.condition(%goes) %half : index
    } do {
    ^bb0(%half: index):
      %adds = arith.cmpi ult, %t, %half : index
      scf.if %adds {
        %other = arith.addi %t, %half : index
        %p = memref.load %s[%t] : !shared
        %q = memref.load %s[%other] : !shared
        %sum = arith.addf %p, %q : f32
        memref.store %sum, %s[%t] : !shared
      }
      %next = arith.divui %half, %c2 : index
      scf.yield %next : index
    }
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      %sum = memref.load %s[%c0] : !shared
      memref.store %sum, %y[%b] : memref<?xf32>
    }
    gpu.return
  }

  // A product by tiles: when the tiles are there, and when they are read.
  // CHECK-LABEL: gpu.func @tiles
  // CHECK: scf.for
  // CHECK-COUNT-2: gpu.barrier
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @tiles(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %z: memref<?x?xf32>, %n: index) workgroup(%a: !tile, %b: !tile) kernel attributes {known_block_size = array<i32: 16, 16, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    %j = gpu.thread_id x
    %i = gpu.thread_id y
    %bj = gpu.block_id x
    %bi = gpu.block_id y
    %fj = arith.muli %bj, %c16 : index
    %fi = arith.muli %bi, %c16 : index
    %gj = arith.addi %fj, %j : index
    %gi = arith.addi %fi, %i : index
    %sum = scf.for %k = %c0 to %n step %c16 iter_args(%so_far = %zero) -> f32 {
      %kj = arith.addi %k, %j : index
      %ki = arith.addi %k, %i : index
      %p = memref.load %x[%gi, %kj] : memref<?x?xf32>
      memref.store %p, %a[%i, %j] : !tile
      %q = memref.load %y[%ki, %gj] : memref<?x?xf32>
      memref.store %q, %b[%i, %j] : !tile
      %more = scf.for %l = %c0 to %c16 step %c1 iter_args(%at = %so_far) -> f32 {
        %u = memref.load %a[%i, %l] : !tile
        %v = memref.load %b[%l, %j] : !tile
        %w = arith.mulf %u, %v : f32
        %to = arith.addf %at, %w : f32
        scf.yield %to : f32
      }
      scf.yield %more : f32
    }
    memref.store %sum, %z[%gi, %gj] : memref<?x?xf32>
    gpu.return
  }

  // A sum of all before, with two arrays in turn: one barrier a step. With one
  // array it takes two.
  // CHECK-LABEL: gpu.func @scan_in_turn
  // CHECK: scf.for
  // CHECK-COUNT-1: gpu.barrier
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @scan_in_turn(%x: memref<64xf32>, %y: memref<64xf32>) workgroup(%s: !shared) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c64 = arith.constant 64 : index
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %s[%t] : !shared
    scf.for %k = %c0 to %c6 step %c1 {
      %odd = arith.andi %k, %c1 : index
      %even = arith.xori %odd, %c1 : index
      %from = arith.muli %odd, %c64 : index
      %to = arith.muli %even, %c64 : index
      %d = arith.shli %c1, %k : index
      %has = arith.cmpi uge, %t, %d : index
      %mine = arith.addi %from, %t : index
      %own = memref.load %s[%mine] : !shared
      %sum = scf.if %has -> f32 {
        %before = arith.subi %mine, %d : index
        %w = memref.load %s[%before] : !shared
        %two = arith.addf %own, %w : f32
        scf.yield %two : f32
      } else {
        scf.yield %own : f32
      }
      %place = arith.addi %to, %t : index
      memref.store %sum, %s[%place] : !shared
    }
    %all = memref.load %s[%t] : !shared
    memref.store %all, %y[%t] : memref<64xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @scan
  // CHECK: scf.for
  // CHECK-COUNT-2: gpu.barrier
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @scan(%x: memref<64xf32>, %y: memref<64xf32>) workgroup(%s: !shared) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %s[%t] : !shared
    scf.for %k = %c0 to %c6 step %c1 {
      %d = arith.shli %c1, %k : index
      %has = arith.cmpi uge, %t, %d : index
      %own = memref.load %s[%t] : !shared
      %sum = scf.if %has -> f32 {
        %before = arith.subi %t, %d : index
        %w = memref.load %s[%before] : !shared
        %two = arith.addf %own, %w : f32
        scf.yield %two : f32
      } else {
        scf.yield %own : f32
      }
      memref.store %sum, %s[%t] : !shared
    }
    %all = memref.load %s[%t] : !shared
    memref.store %all, %y[%t] : memref<64xf32>
    gpu.return
  }
}
