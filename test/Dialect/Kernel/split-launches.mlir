// RUN: arr-opt %s --kernel-split-launches --canonicalize --cse --split-input-file --verify-diagnostics | FileCheck %s
// RUN: sed 's/ordered_blocks = 1/ordered_blocks = 0/' %s | arr-opt --kernel-split-launches --canonicalize --cse --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=APART

// A local that blocks share must have a size that the host knows.
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, ordered_blocks = 1}>} {
func.func @no_size_from_the_device(%x: memref<?xf32>, %l: memref<index>, %n: index) {
  kernel.launch @k (%L = %l : memref<index>, %N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    %m = kernel.load %L[] : memref<index>
    // expected-error @+1 {{an array that blocks share has a size that is known on the device only}}
    %e = kernel.local (%m) : memref<?xf32>
    kernel.for "i.0" (%i) in %N at block.0 {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.store %v, %e[%i] : memref<?xf32>
    }
    kernel.for "i.0" (%i) in %N at block.0 {
      %v = kernel.load %e[%i] : memref<?xf32>
      kernel.store %v, %X[%i] : memref<?xf32>
    }
  }
  return
}
}

// -----

// A fold at block: partial results, which threads of one block fold; then a
// second nest, which gets the sum.
// CHECK-LABEL: @sum
// APART-LABEL: @sum
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, ordered_blocks = 1}>} {
func.func @sum(%x: memref<?xf32>, %y: memref<?xf32>, %s: memref<f32>, %n: index) {
  // CHECK: %[[P:.*]] = memref.alloc(%{{.*}}) {kernel.workspace} : memref<?xf32>
  // CHECK: %[[C:.*]] = memref.alloc() {kernel.workspace} : memref<f32>
  // CHECK: kernel.launch @k ({{.*}}) outs ({{.*}} = %{{.*}} : memref<f32>, %[[PA:.*]][%{{.*}}] = %[[P]] : memref<?xf32>, %[[CA:.*]] = %[[C]] : memref<f32>)
  // CHECK:   kernel.for "i.0" (%[[B:.*]]) in %{{.*}} at block.0 {
  // CHECK:     %[[R:.*]] = kernel.for "i.1" {{.*}} at thread.x reduce
  // CHECK:     kernel.store %[[R]], %[[PA]][%[[B]]]
  // CHECK:   %[[S:.*]] = kernel.for "i.0.fold.0" {{.*}} in 64 at thread.x reduce
  // CHECK:     kernel.for "i.0.fold.1" {{.*}} at seq reduce
  // CHECK:       kernel.for "i.0.fold.2" {{.*}} in 16 at unroll reduce
  // CHECK:         %[[I:.*]] = affine.apply
  // CHECK:         %[[IN:.*]] = arith.cmpi slt, %[[I]]
  // CHECK:         %[[AT:.*]] = arith.minsi %[[I]]
  // CHECK:         %[[V:.*]] = kernel.load %[[PA]][%[[AT]]]
  // CHECK:         arith.select %[[IN]], %[[V]]
  // CHECK:   kernel.store %[[S]], %S[]
  // CHECK:   kernel.store %[[S]], %[[CA]][]
  // CHECK: kernel.launch @k_part2 ({{.*}}%[[CB:.*]] = %[[C]] : memref<f32>) outs (%Y
  // CHECK:   %[[T:.*]] = kernel.load %[[CB]][]
  // CHECK:   kernel.for "j.0" {{.*}} at block.0
  // CHECK:     kernel.store %[[T]], %Y
  // CHECK: memref.dealloc %[[P]]
  // CHECK: memref.dealloc %[[C]]

  // APART: kernel.launch @k (
  // APART:   kernel.for "i.0" {{.*}} at block.0
  // APART-NOT: kernel.for "i.0.fold.0"
  // APART: kernel.launch @k_part2 (
  // APART-NOT: at block.0
  // APART:   kernel.for "i.0.fold.0" {{.*}} at thread.x reduce
  // APART: kernel.launch @k_part3 (
  // APART:   kernel.for "j.0" {{.*}} at block.0
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%S = %s : memref<f32>, %Y[%N] = %y : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    %r = kernel.for "i.0" (%b) in %N at block.0 reduce (%z : f32) by arith.addf {
      %q = kernel.for "i.1" (%t) in 64 at thread.x reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%b] : memref<?xf32>
        kernel.yield %v : f32
      }
      kernel.yield %q : f32
    }
    kernel.store %r, %S[] : memref<f32>
    kernel.for "j.0" (%b) in %N at block.0 {
      kernel.store %r, %Y[%b] : memref<?xf32>
    }
  }
  return
}
}

// -----

// Nested folds at block have one partial result for each pair.
// CHECK-LABEL: @nested
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, ordered_blocks = 1}>} {
func.func @nested(%x: memref<4x8xf32>, %s: memref<f32>) {
  // CHECK: memref.alloc() {kernel.workspace} : memref<32xf32>
  // CHECK: kernel.for "i.0" (%[[I:.*]]) in 4 at block.1 {
  // CHECK:   kernel.for "j.0" (%[[J:.*]]) in 8 at block.0 {
  // CHECK:     kernel.store
  // CHECK: kernel.for "i.0.fold.0" (%[[T:.*]]) in 32 at thread.x reduce
  // CHECK:   %[[V:.*]] = kernel.load %{{.*}}[%[[T]]]
  // CHECK:   kernel.yield %[[V]]
  kernel.launch @k (%X[4, 8] = %x : memref<4x8xf32>) outs (%S = %s : memref<f32>) {
    %z = arith.constant 0.0 : f32
    %r = kernel.for "i.0" (%i) in 4 at block.1 reduce (%z : f32) by arith.addf {
      %q = kernel.for "j.0" (%j) in 8 at block.0 reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<4x8xf32>
        kernel.yield %v : f32
      }
      kernel.yield %q : f32
    }
    kernel.store %r, %S[] : memref<f32>
  }
  return
}
}

// -----

// A scan at block where blocks may look back at each other: as it is, with what
// only stores its total.
// CHECK-LABEL: @look_back
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, ordered_blocks = 1}>} {
func.func @look_back(%x: memref<?xi64>, %y: memref<?xi64>, %s: memref<i64>, %n: index) {
  // CHECK-NOT: memref.alloc
  // CHECK: kernel.launch @k (
  // CHECK:   %[[TOTAL:.*]] = kernel.for "i.0" {{.*}} at block.0 scan
  // CHECK:     kernel.prefix
  // CHECK:   kernel.store %[[TOTAL]], %S[]
  // CHECK-NOT: kernel.launch
  kernel.launch @k (%X[%N] = %x : memref<?xi64>, %N = %n : index) outs (%Y[%N] = %y : memref<?xi64>, %S = %s : memref<i64>) {
    %z = arith.constant 0 : i64
    %t = kernel.for "i.0" (%i) in %N at block.0 scan (%z : i64) by arith.addi {
      %v = kernel.load %X[%i] : memref<?xi64>
      %p = kernel.prefix %v : i64
      kernel.store %p, %Y[%i] : memref<?xi64>
    }
    kernel.store %t, %S[] : memref<i64>
  }
  return
}

// What reads the result waits for all blocks.
// CHECK-LABEL: @look_back_then_read
func.func @look_back_then_read(%x: memref<?xi64>, %y: memref<?xi64>, %s: memref<i64>, %n: index) {
  // CHECK: kernel.launch @k (
  // CHECK:   kernel.for "i.0" {{.*}} at block.0 scan
  // CHECK: kernel.launch @k_part2
  // CHECK:   kernel.load %Y
  kernel.launch @k (%X[%N] = %x : memref<?xi64>, %N = %n : index) outs (%Y[%N] = %y : memref<?xi64>, %S = %s : memref<i64>) {
    %z = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %t = kernel.for "i.0" (%i) in %N at block.0 scan (%z : i64) by arith.addi {
      %v = kernel.load %X[%i] : memref<?xi64>
      %p = kernel.prefix %v : i64
      kernel.store %p, %Y[%i] : memref<?xi64>
    }
    %f = kernel.load %Y[%c0] : memref<?xi64>
    %u = arith.addi %f, %t : i64
    kernel.store %u, %S[] : memref<i64>
  }
  return
}

// Below parallel loops each iteration has a scan of its own; a fold beside it
// would run in every block.
// CHECK-LABEL: @columns
func.func @columns(%x: memref<?x?xi64>, %y: memref<?x?xi64>, %n: index, %m: index) {
  // CHECK: kernel.launch @k (
  // CHECK:   kernel.for "j.0" {{.*}} at block.0 {
  // CHECK:     kernel.for "i.0" {{.*}} at block.1 scan
  // CHECK: kernel.launch @l (
  // CHECK:   kernel.for "j.0" {{.*}} at block.0 {
  // CHECK:     kernel.for "i.0" {{.*}} at seq scan
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xi64>, %N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %y : memref<?x?xi64>) {
    %z = arith.constant 0 : i64
    kernel.for "j.0" (%j) in %M at block.0 {
      %t = kernel.for "i.0" (%i) in %N at block.1 scan (%z : i64) by arith.addi {
        %v = kernel.load %X[%i, %j] : memref<?x?xi64>
        %p = kernel.prefix %v : i64
        kernel.store %p, %Y[%i, %j] : memref<?x?xi64>
      }
    }
  }
  kernel.launch @l (%X[%N, %M] = %x : memref<?x?xi64>, %N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %y : memref<?x?xi64>) {
    %z = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    kernel.for "j.0" (%j) in %M at block.0 {
      kernel.store %z, %Y[%c0, %j] : memref<?x?xi64>
      %t = kernel.for "i.0" (%i) in %N at block.1 scan (%z : i64) by arith.addi {
        %v = kernel.load %X[%i, %j] : memref<?x?xi64>
        %p = kernel.prefix %v : i64
        kernel.store %p, %Y[%i, %j] : memref<?x?xi64>
      }
    }
  }
  return
}
}

// -----

// A scan at block in a loop, whose launches would each need a new state, or on
// devices without an order of blocks: contributions, their prefixes in one block, the rest. The
// total is known after the second.
// CHECK-LABEL: @scan
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, ordered_blocks = 1}>} {
func.func @scan(%x: memref<?xi64>, %y: memref<?xi64>, %s: memref<i64>, %n: index, %c0: index, %c1: index) {
  // CHECK: %[[P:.*]] = memref.alloc(%{{.*}}) {kernel.workspace} : memref<?xi64>
  // CHECK: kernel.launch @k
  // CHECK:   kernel.for "i.0" (%[[B:.*]]) in %{{.*}} at block.0 {
  // CHECK-NOT: kernel.prefix
  // CHECK:     kernel.store %{{.*}}, %[[PA:.*]][%[[B]]]
  // CHECK:   %[[TOTAL:.*]] = kernel.for "i.0.fold.0" {{.*}} at thread.x scan
  // CHECK:     %[[A:.*]] = kernel.for "i.0.fold.1" {{.*}} at seq reduce
  // CHECK:     %[[C:.*]] = kernel.prefix exclusive %[[A]]
  // CHECK:     kernel.for "i.0.fold.2" {{.*}} at seq scan (%[[C]]
  // CHECK:       %[[Q:.*]] = kernel.prefix %{{.*}}
  // CHECK:       kernel.store %[[Q]], %[[PA]]
  // CHECK:   kernel.store %[[TOTAL]], %S[]
  // CHECK: kernel.launch @k_part2
  // CHECK:   kernel.for "i.0" (%[[B:.*]]) in %{{.*}} at block.0 {
  // CHECK:     %[[V:.*]] = kernel.load %{{.*}}[%[[B]]]
  // CHECK:     kernel.store %[[V]], %Y[%[[B]]]
  scf.for %k = %c0 to %n step %c1 {
  kernel.launch @k (%X[%N] = %x : memref<?xi64>, %N = %n : index) outs (%Y[%N] = %y : memref<?xi64>, %S = %s : memref<i64>) {
    %z = arith.constant 0 : i64
    %t = kernel.for "i.0" (%i) in %N at block.0 scan (%z : i64) by arith.addi {
      %v = kernel.load %X[%i] : memref<?xi64>
      %p = kernel.prefix %v : i64
      kernel.store %p, %Y[%i] : memref<?xi64>
    }
    kernel.store %t, %S[] : memref<i64>
  }
  }
  return
}
}

// -----

// Blocks in other places run in sequence: extents that only the device knows,
// loops beside others, folds below parallel ones.
// CHECK-LABEL: @sequence
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, ordered_blocks = 1}>} {
func.func @sequence(%x: memref<?xf32>, %l: memref<index>, %n: index) {
  // CHECK: kernel.launch
  // CHECK:   kernel.for "k.0" {{.*}} at seq
  // CHECK:   kernel.launch
  // CHECK:   kernel.for "i.0" {{.*}} at block.1
  // CHECK:     kernel.for "j.0" {{.*}} at seq
  // CHECK:     kernel.for "l.0" {{.*}} at seq
  kernel.launch @k (%L = %l : memref<index>, %N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    %m = kernel.load %L[] : memref<index>
    kernel.for "k.0" (%k) in %m at block.0 {
      kernel.store %z, %X[%k] : memref<?xf32>
    }
    kernel.for "i.0" (%i) in %N at block.1 {
      kernel.for "j.0" (%j) in %N at block.0 {
        kernel.store %z, %X[%i] : memref<?xf32>
      }
      kernel.for "l.0" (%j) in %N at block.0 {
        kernel.store %z, %X[%i] : memref<?xf32>
      }
    }
  }
  return
}
}

// -----

// All pieces run or none does, whatever they store in between.
// CHECK-LABEL: @flag
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, ordered_blocks = 1}>} {
func.func @flag(%x: memref<?xf32>, %go: memref<i1>, %n: index) {
  // CHECK: %[[F:.*]] = memref.alloc() {kernel.workspace} : memref<i1>
  // CHECK: memref.copy %{{.*}}, %[[F]]
  // CHECK: kernel.launch @k {{.*}} if (%[[F]] : memref<i1>)
  // CHECK: kernel.launch @k_part2 {{.*}} if (%[[F]] : memref<i1>)
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>, %G = %go : memref<i1>) if (%go : memref<i1>) {
    %z = arith.constant 0.0 : f32
    %false = arith.constant false
    kernel.for "i.0" (%i) in %N at block.0 {
      kernel.store %z, %X[%i] : memref<?xf32>
    }
    kernel.store %false, %G[] : memref<i1>
    kernel.for "i.0" (%i) in %N at block.0 {
      kernel.store %z, %X[%i] : memref<?xf32>
    }
  }
  return
}
}

// -----

// A counter that only the tail needs is read there: one launch. One that a nest
// needs is read before.
// CHECK-LABEL: @counter
// CHECK: kernel.launch @k (
// CHECK:   kernel.for "i.0"
// CHECK:   %[[C:.*]] = kernel.load %C[]
// CHECK:   %[[N:.*]] = arith.addi %[[C]]
// CHECK:   kernel.store %[[N]], %C[]
// CHECK-NOT: kernel.launch @k_part2
// CHECK: kernel.launch @l (
// CHECK-NOT: kernel.for
// CHECK: kernel.launch @l_part2 (
// CHECK:   kernel.for "i.0"
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, ordered_blocks = 1}>} {
func.func @counter(%x: memref<?xf32>, %c: memref<i64>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>, %C = %c : memref<i64>) {
    %one = arith.constant 1 : i64
    %f = arith.constant 1.0 : f32
    %v = kernel.load %C[] : memref<i64>
    %w = arith.addi %v, %one : i64
    kernel.for "i.0" (%i) in %N at block.0 {
      kernel.store %f, %X[%i] : memref<?xf32>
    }
    kernel.store %w, %C[] : memref<i64>
  }
  kernel.launch @l (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>, %C = %c : memref<i64>) {
    %one = arith.constant 1 : i64
    %v = kernel.load %C[] : memref<i64>
    %w = arith.addi %v, %one : i64
    kernel.for "i.0" (%i) in %N at block.0 {
      %g = arith.sitofp %v : i64 to f32
      kernel.store %g, %X[%i] : memref<?xf32>
    }
    kernel.store %w, %C[] : memref<i64>
  }
  return
}
}
