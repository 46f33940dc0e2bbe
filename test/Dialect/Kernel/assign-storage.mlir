// RUN: arr-opt %s --kernel-assign-storage --split-input-file --verify-diagnostics | FileCheck %s

// Memory of a size that only the device knows cannot be given out.
module attributes {kernel.device = #kernel.device<"cuda", {shared_bytes = 49152}>} {
func.func @no_size_from_the_device(%l: memref<?xindex>, %x: memref<?xf32>, %n: index) {
  kernel.launch @k (%L[%N] = %l : memref<?xindex>, %N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i.0" (%i) in %N at block.0 {
      %m = kernel.load %L[%i] : memref<?xindex>
      // expected-error @+1 {{an array inside of the kernel has a size that is known there only}}
      %e = kernel.local (%m) : memref<?xf32>
      kernel.store %z, %e[%i] : memref<?xf32>
    }
  }
  return
}
}

// -----

// A row of a triangle takes the largest: n for i + 1, 2n + 3 for 2n - i + 3.
// CHECK-LABEL: @triangle
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
module attributes {kernel.device = #kernel.device<"cuda", {shared_bytes = 49152}>} {
func.func @triangle(%n: index, %x: memref<?xf32>) {
  // CHECK: %[[LAST:.*]] = arith.subi %[[N]]
  // CHECK: %[[UP:.*]] = arith.muli %[[LAST]]
  // CHECK: %[[SUM:.*]] = arith.addi %{{.*}}, %[[UP]]
  // CHECK: %[[ROW:.*]] = arith.maxsi %[[SUM]]
  // CHECK: arith.muli %[[N]], %c2
  // CHECK: %[[OTHER:.*]] = arith.maxsi
  // CHECK: memref.alloc(%{{.*}}, %[[ROW]]) {kernel.workspace} : memref<?x?xf32>
  // CHECK: memref.alloc(%{{.*}}, %[[OTHER]]) {kernel.workspace} : memref<?x?xf32>
  // CHECK: kernel.launch
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i.0" (%i) in %N at block.0 {
      %m = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %k = affine.apply affine_map<(d0)[s0] -> (s0 * 2 - d0 + 3)>(%i)[%N]
      %e = kernel.local (%m) : memref<?xf32>
      %f = kernel.local (%k) : memref<?xf32>
      kernel.for "j" (%j) in %m at seq {
        kernel.store %z, %e[%j] : memref<?xf32>
        kernel.store %z, %f[%j] : memref<?xf32>
      }
      %a = kernel.load %e[%i] : memref<?xf32>
      %b = kernel.load %f[%i] : memref<?xf32>
      %s = arith.addf %a, %b : f32
      kernel.store %s, %X[%i] : memref<?xf32>
    }
  }
  return
}
}

// -----

// The thread's own index: registers. Of all threads: shared. Filled alike by
// all threads: a copy in each.
// CHECK-LABEL: @spaces
module attributes {kernel.device = #kernel.device<"cuda", {shared_bytes = 49152}>} {
func.func @spaces(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    %c3 = arith.constant 3 : index
    kernel.for "i.0" (%b) in %N at block.0 {
      // CHECK: kernel.local "own" {kernel.thread_dims = array<i64: -1, 0>} : memref<8x256xf32, #kernel.space<register>>
      %own = kernel.local "own" : memref<8x256xf32>
      // CHECK: kernel.local "other" : memref<256xf32, #kernel.space<shared>>
      %other = kernel.local "other" : memref<256xf32>
      // CHECK: kernel.local "same" : memref<4xf32, #kernel.space<register>>
      %same = kernel.local "same" : memref<4xf32>
      kernel.store %z, %same[%c3] : memref<4xf32>
      kernel.for "i.1" (%t) in 256 at thread.x {
        kernel.store %z, %own[%c3, %t] : memref<8x256xf32>
        kernel.store %z, %other[%t] : memref<256xf32>
      }
      kernel.for "i.1" (%t) in 256 at thread.x {
        %a = kernel.load %own[%c3, %t] : memref<8x256xf32>
        %b2 = kernel.load %other[%c3] : memref<256xf32>
        %c = kernel.load %same[%c3] : memref<4xf32>
        %d = arith.addf %a, %b2 : f32
        %e = arith.addf %d, %c : f32
        kernel.store %e, %X[%t] : memref<?xf32>
      }
    }
  }
  return
}
}

// -----

// What shared memory does not hold, beside the scratch of the fold, goes to a
// workspace with a part for each block; so does a size that is no number.
// CHECK-LABEL: @large
module attributes {kernel.device = #kernel.device<"cuda", {shared_bytes = 8192}>} {
func.func @large(%x: memref<?xf32>, %n: index, %m: index) {
  // CHECK: %[[W:.*]] = memref.alloc(%{{.*}}) {kernel.workspace} : memref<?x2000xf32>
  // CHECK: %[[V:.*]] = memref.alloc(%{{.*}}, %{{.*}}) {kernel.workspace} : memref<?x?xf32>
  // CHECK: kernel.launch @k {{.*}} outs ({{.*}}, %[[WA:.*]][%{{.*}}, 2000] = %[[W]] : memref<?x2000xf32>, %[[VA:.*]][%{{.*}}, %{{.*}}] = %[[V]] : memref<?x?xf32>)
  // CHECK: kernel.for "i.0" (%[[B:.*]]) in
  // CHECK-NOT: kernel.local
  // CHECK:   kernel.store %{{.*}}, %[[WA]][%[[B]], %{{.*}}]
  // CHECK:   kernel.store %{{.*}}, %[[VA]][%[[B]], %{{.*}}]
  // CHECK: memref.dealloc %[[W]]
  // CHECK: memref.dealloc %[[V]]
  kernel.launch @k (%N = %n : index, %M = %m : index) outs (%X[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    %c3 = arith.constant 3 : index
    kernel.for "i.0" (%b) in %N at block.0 {
      %e = kernel.local : memref<2000xf32>
      %f = kernel.local (%M) : memref<?xf32>
      kernel.for "i.1" (%t) in 64 at thread.x {
        kernel.store %z, %e[%t] : memref<2000xf32>
        kernel.store %z, %f[%t] : memref<?xf32>
      }
      %s = kernel.for "i.1" (%t) in 64 at thread.x reduce (%z : f32) by arith.addf {
        %a = kernel.load %e[%c3] : memref<2000xf32>
        %c = kernel.load %f[%c3] : memref<?xf32>
        %d = arith.addf %a, %c : f32
        kernel.yield %d : f32
      }
      kernel.store %s, %X[%b] : memref<?xf32>
    }
  }
  return
}
}

// -----

// A local in a branch that no block takes, as what a size below 0 says: the host
// allocates in front of the branch, then nothing. What is 0 or more stays.
// CHECK-LABEL: @untaken
module attributes {kernel.device = #kernel.device<"cuda", {shared_bytes = 8192}>} {
func.func @untaken(%x: memref<?xf32>, %large: i1) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[N:.*]] = memref.dim
  %n = memref.dim %x, %c0 : memref<?xf32>
  // CHECK: %[[BELOW:.*]] = affine.apply
  %below = affine.apply affine_map<()[s] -> (s - 1)>()[%n]
  // CHECK: %[[SIZE:.*]] = arith.maxsi %[[BELOW]], %{{.*}} : index
  // CHECK: memref.alloc(%{{.*}}, %[[SIZE]], %[[N]]) {kernel.workspace} : memref<?x?x?xf32>
  kernel.launch @k (%N = %n : index, %B = %below : index, %L = %large : i1) outs (%X[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    %c3 = arith.constant 3 : index
    kernel.for "i.0" (%b) in %N at block.0 {
      scf.if %L {
        %f = kernel.local (%B, %N) : memref<?x?xf32>
        kernel.for "i.1" (%t) in 64 at thread.x {
          kernel.store %z, %f[%c3, %t] : memref<?x?xf32>
        }
        kernel.for "i.1" (%t) in 64 at thread.x {
          %a = kernel.load %f[%t, %c3] : memref<?x?xf32>
          kernel.store %a, %X[%b] : memref<?xf32>
        }
      }
    }
  }
  return
}
}

// -----

// A thread's own row: threads lie side by side. What threads along x share
// inside of threads along y: a part for each.
// CHECK-LABEL: @rows
module attributes {kernel.device = #kernel.device<"cuda", {shared_bytes = 8192}>} {
func.func @rows(%x: memref<?xf32>, %n: index, %m: index) {
  // CHECK: memref.alloc(%{{.*}}, %{{.*}}) {kernel.workspace} : memref<?x?x64xf32>
  // CHECK: kernel.for "i.0" (%[[B:.*]]) in
  // CHECK:   kernel.for "i.1" (%[[T:.*]]) in 64 at thread.x
  // CHECK:     kernel.store %{{.*}}, %{{.*}}[%[[B]], %{{.*}}, %[[T]]]
  // CHECK:   %[[S:.*]] = kernel.local : memref<8x32xf32, #kernel.space<shared>>
  // CHECK:   kernel.for "k.1" (%[[Y:.*]]) in 8 at thread.y
  // CHECK:     kernel.store %{{.*}}, %[[S]][%[[Y]], %{{.*}}]
  // CHECK:     kernel.load %[[S]][%[[Y]], %{{.*}}]
  kernel.launch @k (%N = %n : index, %M = %m : index) outs (%X[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    %c3 = arith.constant 3 : index
    kernel.for "i.0" (%b) in %N at block.0 {
      kernel.for "i.1" (%t) in 64 at thread.x {
        %f = kernel.local (%M) : memref<?xf32>
        kernel.store %z, %f[%c3] : memref<?xf32>
        %v = kernel.load %f[%c3] : memref<?xf32>
        kernel.store %v, %X[%t] : memref<?xf32>
      }
      kernel.for "k.1" (%y) in 8 at thread.y {
        %g = kernel.local : memref<32xf32>
        kernel.for "j.1" (%t) in 32 at thread.x {
          kernel.store %z, %g[%t] : memref<32xf32>
        }
        kernel.for "j.1" (%t) in 32 at thread.x {
          %v = kernel.load %g[%c3] : memref<32xf32>
          kernel.store %v, %X[%t] : memref<?xf32>
        }
      }
    }
  }
  return
}
}

// -----

// A dimension of few elements has parts for as many threads as it has elements,
// and blocks. Branches of which one runs have one place; so have loops one
// after the other.
// CHECK-LABEL: @few
module attributes {kernel.device = #kernel.device<"cuda", {shared_bytes = 49152, units = 100}>} {
func.func @few(%x: memref<?xf32>, %n: index, %m: index) {
  // CHECK: %[[ALL:.*]] = affine.apply #{{.*}}()[%arg1]
  // CHECK: %[[B:.*]] = arith.minsi %[[ALL]], %c1000
  // CHECK: %[[T:.*]] = arith.minsi %arg1, %c64
  // CHECK: %[[PARTS:.*]] = arith.minsi %[[B]],
  // CHECK: memref.alloc(%[[PARTS]], %arg2, %[[T]]) {kernel.workspace} : memref<?x?x?xf32>
  // CHECK-NOT: memref.alloc
  // CHECK: kernel.launch
  kernel.launch @k (%N = %n : index, %M = %m : index) outs (%X[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    kernel.for "i.0" (%b) in 1000 at block.0 {
      %left = affine.apply affine_map<(d0, d1) -> (d0 * -64 + d1 - 63)>(%b, %N)
      %inside = arith.cmpi sgt, %left, %c0 : index
      scf.if %inside {
        kernel.for "i.1" (%t) in 64 at thread.x {
          %e = kernel.local (%M) : memref<?xf32>
          kernel.store %z, %e[%c0] : memref<?xf32>
        }
      } else {
        kernel.for "i.1" (%t) in 64 at thread.x {
          %i = affine.apply affine_map<(d0, d1) -> (d0 * 64 + d1)>(%b, %t)
          %in = arith.cmpi slt, %i, %N : index
          scf.if %in {
            scf.if %in {
              %e = kernel.local (%M) : memref<?xf32>
              kernel.store %z, %e[%c0] : memref<?xf32>
            }
            %f = kernel.local (%M) : memref<?xf32>
            kernel.store %z, %f[%c0] : memref<?xf32>
            %v = kernel.load %f[%c0] : memref<?xf32>
            kernel.store %v, %X[%i] : memref<?xf32>
          }
        }
      }
    }
  }
  return
}
}

// -----

// Two that are alive together have two places; a guard that says less than
// what the index needs bounds nothing.
// CHECK-LABEL: @apart
module attributes {kernel.device = #kernel.device<"cuda", {shared_bytes = 49152, units = 100}>} {
func.func @apart(%x: memref<?xf32>, %n: index, %m: index) {
  // CHECK: memref.alloc(%{{.*}}, %{{.*}}) {kernel.workspace} : memref<?x?x64xf32>
  // CHECK: memref.alloc(%{{.*}}, %{{.*}}) {kernel.workspace} : memref<?x?x64xf32>
  // CHECK-NOT: memref.alloc
  // CHECK: kernel.launch
  kernel.launch @k (%N = %n : index, %M = %m : index) outs (%X[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    kernel.for "i.0" (%b) in %N at block.0 {
      kernel.for "i.1" (%t) in 64 at thread.x {
        %i = affine.apply affine_map<(d0, d1) -> (d0 - d1)>(%b, %t)
        %in = arith.cmpi slt, %i, %N : index
        scf.if %in {
          %e = kernel.local (%M) : memref<?xf32>
          %f = kernel.local (%M) : memref<?xf32>
          kernel.store %z, %e[%c0] : memref<?xf32>
          %u = kernel.load %e[%c0] : memref<?xf32>
          kernel.store %u, %f[%c0] : memref<?xf32>
          %w = kernel.load %e[%c0] : memref<?xf32>
          %v = kernel.load %f[%c0] : memref<?xf32>
          %s = arith.addf %v, %w : f32
          kernel.store %s, %X[%b] : memref<?xf32>
        }
      }
    }
  }
  return
}
}

// -----

// As many parts as blocks run at the same time: 100 units of 32 blocks of 64
// threads, and as an eighth of the memory holds. Where there are more blocks
// than parts they take turns.
// CHECK-LABEL: @turns
module attributes {kernel.device = #kernel.device<"cuda", {memory_bytes = 8192000, shared_bytes = 49152, units = 100}>} {
func.func @turns(%x: memref<?x?xf32>, %n: index, %k: index, %m: index) {
  // CHECK: %[[BYTES:.*]] = arith.muli %arg3, %c4
  // CHECK: %[[ROOM:.*]] = arith.constant 1024000 : index
  // CHECK: %[[SOME:.*]] = arith.maxsi %[[BYTES]], %c1
  // CHECK: %[[FIT:.*]] = arith.divsi %[[ROOM]], %[[SOME]]
  // CHECK: %[[MOST:.*]] = arith.constant 3200 : index
  // CHECK: %[[LEAST:.*]] = arith.minsi %[[FIT]], %[[MOST]]
  // CHECK: %[[LEFT:.*]] = arith.maxsi %[[LEAST]],
  // CHECK: %[[K:.*]] = arith.minsi %arg2, %[[LEFT]]
  // CHECK: %[[KFITS:.*]] = arith.cmpi sle, %arg2, %[[LEFT]]
  // CHECK: %[[KB:.*]] = arith.select %[[KFITS]], %arg2, %[[LEFT]]
  // CHECK: %[[N:.*]] = arith.minsi %arg1,
  // CHECK: memref.alloc(%[[N]], %[[K]], %arg3) {kernel.workspace} : memref<?x?x?xf32>
  // CHECK: kernel.for "i.0" (%[[I0:.*]]) in %{{.*}} at block.1 {
  // CHECK:   kernel.for "j.0" (%[[J0:.*]]) in %{{.*}} at block.0 {
  // CHECK:     scf.for %[[I:.*]] = %[[I0]] to %N step %{{.*}} {
  // CHECK:       scf.for %[[J:.*]] = %[[J0]] to %K step %{{.*}} {
  // CHECK:         kernel.for "l.1" (%[[T:.*]]) in 64 at thread.x {
  // CHECK:           kernel.store %{{.*}}, %{{.*}}[%[[I0]], %[[J0]], %[[T]]]
  // CHECK:         kernel.store %{{.*}}, %X[%[[I]], %[[J]]]
  kernel.launch @k (%N = %n : index, %K = %k : index, %M = %m : index) outs (%X[%N, %K] = %x : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    kernel.for "i.0" (%i) in %N at block.1 {
      kernel.for "j.0" (%j) in %K at block.0 {
        %e = kernel.local (%M) : memref<?xf32>
        kernel.for "l.1" (%t) in 64 at thread.x {
          kernel.store %z, %e[%t] : memref<?xf32>
        }
        %v = kernel.load %e[%c0] : memref<?xf32>
        kernel.store %v, %X[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
}
