// RUN: arr-opt %s --split-input-file --outline-time-loops | FileCheck %s

// A step that reads on the host stays the host's.

#cuda = #kernel.device<"cuda", {arch = "sm_90"}>
module attributes {kernel.device = #cuda} {
  // CHECK-LABEL: func.func @no_reads
  // CHECK: scf.while
  // CHECK-NOT: arrt_loop
  func.func @no_reads(%a: memref<8xf32>, %n: index) -> memref<8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r:2 = scf.while (%i = %c0, %x = %a) : (index, memref<8xf32>) -> (index, memref<8xf32>) {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i, %x : index, memref<8xf32>
    } do {
    ^bb0(%i: index, %x: memref<8xf32>):
      %v = memref.load %x[%c0] : memref<8xf32>
      memref.store %v, %x[%c1] : memref<8xf32>
      %next = arith.addi %i, %c1 : index
      scf.yield %next, %x : index, memref<8xf32>
    }
    return %r#1 : memref<8xf32>
  }
}

// -----

// Nor one that uses the number of the step.

#cuda = #kernel.device<"cuda", {arch = "sm_90"}>
module attributes {kernel.device = #cuda} {
  // CHECK-LABEL: func.func @no_counting
  // CHECK: scf.while
  func.func @no_counting(%a: memref<8xf32>, %v: f32, %n: index) -> memref<8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r:2 = scf.while (%i = %c0, %x = %a) : (index, memref<8xf32>) -> (index, memref<8xf32>) {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i, %x : index, memref<8xf32>
    } do {
    ^bb0(%i: index, %x: memref<8xf32>):
      memref.store %v, %x[%i] : memref<8xf32>
      %next = arith.addi %i, %c1 : index
      scf.yield %next, %x : index, memref<8xf32>
    }
    return %r#1 : memref<8xf32>
  }
}

// -----

// Nor one that hands on an array of other sizes.

#cuda = #kernel.device<"cuda", {arch = "sm_90"}>
module attributes {kernel.device = #cuda} {
  // CHECK-LABEL: func.func @no_sizes
  // CHECK: scf.while
  func.func @no_sizes(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) -> memref<?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r:3 = scf.while (%i = %c0, %x = %a, %y = %b) : (index, memref<?xf32>, memref<?xf32>) -> (index, memref<?xf32>, memref<?xf32>) {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i, %x, %y : index, memref<?xf32>, memref<?xf32>
    } do {
    ^bb0(%i: index, %x: memref<?xf32>, %y: memref<?xf32>):
      %next = arith.addi %i, %c1 : index
      scf.yield %next, %y, %x : index, memref<?xf32>, memref<?xf32>
    }
    return %r#1 : memref<?xf32>
  }
}

// -----

// On the CPU there is nothing to gain.

module {
  // CHECK-LABEL: func.func @no_device
  // CHECK: scf.while
  func.func @no_device(%a: memref<8xf32>, %n: index) -> memref<8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r:2 = scf.while (%i = %c0, %x = %a) : (index, memref<8xf32>) -> (index, memref<8xf32>) {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i, %x : index, memref<8xf32>
    } do {
    ^bb0(%i: index, %x: memref<8xf32>):
      %next = arith.addi %i, %c1 : index
      scf.yield %next, %x : index, memref<8xf32>
    }
    return %r#1 : memref<8xf32>
  }
}

// -----

// Two buffers that swap, while a flag on the device says so and at most `n`
// times: the state is the flag's pointer and those of the buffers.

#cuda = #kernel.device<"cuda", {arch = "sm_90"}>
module attributes {kernel.device = #cuda} {
  // CHECK-LABEL: func.func @swap
  // CHECK-SAME: %[[CTX:[a-z0-9]*]]: !llvm.ptr {arrc.context}
  // CHECK: %[[ENV:.*]] = llvm.alloca
  // CHECK: %[[STATE:.*]] = llvm.alloca
  // CHECK: %[[TIMES:.*]] = llvm.alloca
  // CHECK: %[[STEP:.*]] = llvm.mlir.addressof @swap_loop0
  // CHECK: %[[BYTES:.*]] = llvm.mlir.constant(24 : i64)
  // CHECK: %[[FLAG:.*]] = llvm.mlir.constant(0 : i64)
  // CHECK: llvm.call @arrt_loop(%[[CTX]], %[[STEP]], %[[ENV]], %[[STATE]], %[[BYTES]], %[[FLAG]], %{{.*}}, %[[TIMES]])
  // CHECK: llvm.load %[[TIMES]]
  // CHECK: return

  // CHECK-LABEL: llvm.func internal @swap_loop0
  // CHECK-SAME: (%{{.*}}: !llvm.ptr, %[[ENV:.*]]: !llvm.ptr, %[[STATE:.*]]: !llvm.ptr) -> i32 attributes {arrc.step}
  // CHECK: memref.store
  // CHECK-NOT: arith.addi
  // CHECK-COUNT-3: llvm.store
  // CHECK: llvm.return
  func.func @swap(%n: index, %m: index, %v: f32) -> (memref<?xf32>, index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %first = memref.alloc() : memref<i1>
    %later = memref.alloc() : memref<i1>
    %a = memref.alloc(%m) : memref<?xf32>
    %b = memref.alloc(%m) : memref<?xf32>
    %r:3 = scf.while (%i = %c0, %go = %first, %x = %a, %y = %b) : (index, memref<i1>, memref<?xf32>, memref<?xf32>) -> (index, memref<?xf32>, memref<?xf32>) {
      %below = arith.cmpi slt, %i, %n : index
      %flag = memref.load %go[] : memref<i1>
      %more = arith.andi %below, %flag : i1
      scf.condition(%more) %i, %x, %y : index, memref<?xf32>, memref<?xf32>
    } do {
    ^bb0(%i: index, %x: memref<?xf32>, %y: memref<?xf32>):
      memref.store %v, %y[%c0] : memref<?xf32>
      %next = arith.addi %i, %c1 : index
      scf.yield %next, %later, %y, %x : index, memref<i1>, memref<?xf32>, memref<?xf32>
    }
    return %r#1, %r#0 : memref<?xf32>, index
  }
}

// -----

// What a step computes of numbers from outside, it computes in its function:
// grids are sizes over tiles.

#cuda = #kernel.device<"cuda", {arch = "sm_90"}>
#tiles = affine_map<()[s0] -> (s0 ceildiv 256)>
module attributes {gpu.container_module, kernel.device = #cuda} {
  gpu.module @m {
    gpu.func @k(%x: memref<?xf32>) kernel { gpu.return }
  }
  // CHECK-LABEL: func.func @grid
  // CHECK: llvm.call @arrt_loop
  // CHECK-NOT: scf.while
  // CHECK: llvm.func internal @grid_loop0
  // CHECK: affine.apply
  // CHECK: math.absi
  // CHECK: gpu.launch_func
  func.func @grid(%a: memref<?xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s = memref.dim %a, %c0 : memref<?xf32>
    %r = scf.while (%i = %c0) : (index) -> index {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      %tiles = affine.apply #tiles()[%s]
      %blocks = math.absi %tiles : index
      gpu.launch_func @m::@k blocks in (%blocks, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<?xf32>)
      %next = arith.addi %i, %c1 : index
      scf.yield %next : index
    }
    return
  }
}
