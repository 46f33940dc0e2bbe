// RUN: arr-opt %s --kernel-split-loops --split-input-file --verify-diagnostics | FileCheck %s

func.func @no_scan_of_steps_in_lanes(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) schedule #kernel.schedule<i = [vector 8, seq 4, block.0]> {
    %z = arith.constant 0.0 : f32
    // expected-error @+1 {{the digits of a scan run at block, thread or seq}}
    %t = kernel.for "i" (%i) in %N scan (%z : f32) by arith.addf {
      %p = kernel.prefix %z : f32
    }
  }
  return
}

// -----

func.func @no_scan_that_reads_what_it_writes(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) schedule #kernel.schedule<i = [block.0, seq 8]> {
    %z = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{the scan cannot be split into digits: it reads what other iterations write}}
    %t = kernel.for "i" (%i) in %N scan (%z : f32) by arith.addf {
      %v = kernel.load %X[%c0] : memref<?xf32>
      %p = kernel.prefix %v : f32
      kernel.store %p, %X[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// Threads that keep elements: whole tiles without a guard, and the last one.
// CHECK-LABEL: @tiled_scan
func.func @tiled_scan(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  // CHECK: %[[T:.*]] = kernel.for "i.0" (%[[B:.*]]) in %{{.*}} at block.0 scan
  // CHECK:   %[[WHOLE:.*]] = arith.cmpi sle
  // CHECK:   %[[E:.*]] = kernel.local : memref<2x32x4xf32>
  // CHECK:   %[[P:.*]] = kernel.local : memref<2x32xf32>
  // CHECK:   %[[S:.*]] = kernel.local : memref<2xf32>
  // CHECK:   scf.if %[[WHOLE]] {
  // CHECK:     kernel.for "i.2" {{.*}} at thread.x
  // CHECK-NEXT:  kernel.for "i.1" {{.*}} at unroll
  // CHECK:         kernel.for "i.3" {{.*}} at vector
  // CHECK-NOT: scf.if
  // CHECK:           kernel.load %X
  // CHECK:           kernel.store %{{.*}}, %[[E]]
  // CHECK:   } else {
  // CHECK:     kernel.for "i.2"
  // CHECK:       scf.if
  // CHECK:   kernel.for "i.1" (%[[U:.*]]) in 2 at unroll {
  // CHECK:     %[[R:.*]] = kernel.for "i.2" {{.*}} at thread.x scan
  // CHECK:       %[[A:.*]] = kernel.for "i.3" {{.*}} at vector reduce
  // CHECK:       %[[Q:.*]] = kernel.prefix exclusive %[[A]]
  // CHECK:       kernel.store %[[Q]], %[[P]]
  // CHECK:     kernel.store %[[R]], %[[S]][%[[U]]]
  // CHECK:   %[[ALL:.*]] = kernel.for "i.1" {{.*}} at unroll reduce
  // CHECK:   %[[C:.*]] = kernel.prefix exclusive %[[ALL]]
  // CHECK:   kernel.for "i.1" {{.*}} at unroll scan (%[[C]]
  // CHECK:   scf.if %[[WHOLE]] {
  // CHECK:     kernel.for "i.3" {{.*}} at vector scan
  // CHECK:       %[[V:.*]] = kernel.load %[[E]]
  // CHECK:       %[[O:.*]] = kernel.prefix %[[V]]
  // CHECK:       kernel.store %[[O]], %Y
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) schedule #kernel.schedule<i = [block.0, unroll 2, thread.x 32, vector 4]> {
    %z = arith.constant 0.0 : f32
    %t = kernel.for "i" (%i) in %N scan (%z : f32) by arith.addf {
      %v = kernel.load %X[%i] : memref<?xf32>
      %p = kernel.prefix %v : f32
      kernel.store %p, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// What follows the prefix finds what was read in registers, and does cheap
// things again.
// CHECK-LABEL: @kept
func.func @kept(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  // CHECK: kernel.local : memref<32x4xindex>
  // CHECK: %[[F:.*]] = kernel.local : memref<32x4xi1>
  // CHECK: %[[K:.*]] = kernel.local : memref<32x4xf32>
  // CHECK: kernel.load %X
  // CHECK: kernel.prefix exclusive
  // CHECK: kernel.prefix exclusive
  // CHECK: kernel.prefix exclusive
  // CHECK: %[[KEEP:.*]] = kernel.load %[[F]]
  // CHECK-NOT: kernel.load %X
  // CHECK: kernel.store %{{.*}}, %Y[%{{.*}}] if %[[KEEP]]
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) schedule #kernel.schedule<i = [block.0, thread.x 32, vector 4]> {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    %t = kernel.for "i" (%i) in %N scan (%c0 : index) by arith.addi {
      %v = kernel.load %X[%i] : memref<?xf32>
      %b = arith.cmpf ogt, %v, %z : f32
      %k = arith.index_castui %b : i1 to index
      %p = kernel.prefix exclusive %k : index
      kernel.store %v, %Y[%p] if %b : memref<?xf32>
    }
  }
  return
}

// -----

// The inner digits are folded, then scanned from the prefix of the outer one.
// What passes the end contributes the neutral element.
// CHECK-LABEL: @scan
func.func @scan(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) schedule #kernel.schedule<i = [block.0, thread.x 32]> {
    // CHECK: %[[Z:.*]] = arith.constant 1.0
    // CHECK: %[[ONE:.*]] = arith.constant 1.0
    %z = arith.constant 1.0 : f32
    // CHECK: kernel.for "i.0" {{.*}} at block.0 scan (%[[Z]]
    // CHECK:   %[[A:.*]] = kernel.for "i.1" {{.*}} in 32 at thread.x reduce (%[[ONE]]
    // CHECK:     %[[C:.*]] = scf.if
    // CHECK:       kernel.load %X
    // CHECK:     } else {
    // CHECK:       scf.yield %[[ONE]]
    // CHECK:     kernel.yield %[[C]]
    // CHECK:   %[[P:.*]] = kernel.prefix exclusive %[[A]]
    // CHECK:   kernel.for "i.1" {{.*}} in 32 at thread.x scan (%[[P]]
    // CHECK:     %[[V:.*]]:2 = scf.if
    // CHECK:     %[[Q:.*]] = kernel.prefix %[[V]]#0
    // CHECK:     scf.if
    // CHECK:       %[[S:.*]] = arith.addf %[[Q]], %[[V]]#1
    // CHECK:       kernel.store %[[S]], %Y
    %t = kernel.for "i" (%i) in %N scan (%z : f32) by arith.mulf {
      %v = kernel.load %X[%i] : memref<?xf32>
      %w = arith.negf %v : f32
      %p = kernel.prefix %w : f32
      %s = arith.addf %p, %v : f32
      kernel.store %s, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// A schedule that a person writes is obeyed or refused with the reason.
func.func @no_lost_clause(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  // expected-error @below {{has a schedule with 'keep', which no pass applies}}
  kernel.launch @copy (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) schedule #kernel.schedule<i = [block.0, seq 4], keep = [X shared]> {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.store %v, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

func.func @no_open_vector(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) schedule #kernel.schedule<i = [seq 8, vector]> {
    // expected-error @+1 {{digit 'i.1' needs a size at this level}}
    kernel.for "i" (%i) in %N {
    }
  }
  return
}

// -----

func.func @no_short_digits(%x: memref<100xf32>) {
  kernel.launch @k () outs (%X[100] = %x : memref<100xf32>) schedule #kernel.schedule<i = [seq 8, vector 8]> {
    // expected-error @+1 {{the digits of 'i' count to 64, the dimension to 100}}
    kernel.for "i" (%i) in 100 {
    }
  }
  return
}

// -----

func.func @no_unknown_dim(%x: memref<?xf32>, %n: index) {
  // expected-error @+1 {{has no dimension 'j' to schedule}}
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) schedule #kernel.schedule<j = [seq]> {
    kernel.for "i" (%i) in %N {
    }
  }
  return
}

// -----

// The size is a multiple: no guard.
// CHECK-LABEL: @exact
func.func @exact(%x: memref<64xf32>) {
  kernel.launch @k () outs (%X[64] = %x : memref<64xf32>) schedule #kernel.schedule<i = [block.0, vector 8]> {
    %z = arith.constant 0.0 : f32
    // CHECK: kernel.for "i.0" (%[[B:.*]]) in 8 at block.0 {
    // CHECK:   kernel.for "i.1" (%[[V:.*]]) in 8 at vector {
    // CHECK-NOT: scf.if
    // CHECK:     %[[I:.*]] = affine.apply #{{.*}}(%[[V]], %[[B]])
    // CHECK:     kernel.store %{{.*}}, %X[%[[I]]]
    kernel.for "i" (%i) in 64 {
      kernel.store %z, %X[%i] : memref<64xf32>
    }
  }
  return
}

// -----

// A sequential digit stops in time; lanes past the end are guarded.
// CHECK-LABEL: @tail
func.func @tail(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) schedule #kernel.schedule<i = [block.0, seq 8, vector 4]> {
    %z = arith.constant 0.0 : f32
    // CHECK: %[[BLOCKS:.*]] = affine.apply #{{.*}}(%N)
    // CHECK: kernel.for "i.0" (%{{.*}}) in %[[BLOCKS]] at block.0 {
    // CHECK:   %[[LEFT:.*]] = arith.subi %N
    // CHECK:   %[[STEPS:.*]] = arith.minsi
    // CHECK:   kernel.for "i.1" (%{{.*}}) in %[[STEPS]] at seq {
    // CHECK:     kernel.for "i.2" (%{{.*}}) in 4 at vector {
    // CHECK:       %[[IN:.*]] = arith.cmpi slt, %{{.*}}, %N
    // CHECK:       scf.if %[[IN]] {
    // CHECK:         kernel.store
    kernel.for "i" (%i) in %N {
      kernel.store %z, %X[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// The least significant digit stops in time: nothing to guard.
// CHECK-LABEL: @rows
func.func @rows(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) schedule #kernel.schedule<i = [block.0 16, seq]> {
    %z = arith.constant 0.0 : f32
    // CHECK: %[[LEFT:.*]] = affine.apply #{{.*}}(%N)
    // CHECK: %[[REST:.*]] = arith.maxsi %[[LEFT]]
    // CHECK: kernel.for "i.0" (%[[B:.*]]) in 16 at block.0 {
    // CHECK:   %[[BASE:.*]] = arith.muli %[[B]], %[[REST]]
    // CHECK:   kernel.for "i.1" (%[[K:.*]]) in %{{.*}} at seq {
    // CHECK-NOT: scf.if
    // CHECK:     kernel.store
    kernel.for "i" (%i) in %N {
      kernel.store %z, %X[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// Each digit folds; outside the contribution is neutral.
// CHECK-LABEL: @fold
func.func @fold(%x: memref<?xf32>, %s: memref<f32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%S = %s : memref<f32>) schedule #kernel.schedule<i = [seq, vector 4]> {
    %one = arith.constant 1.0 : f32
    // CHECK: %[[ONE:.*]] = arith.constant 1.0
    // CHECK: %[[Z:.*]] = arith.constant {{-?}}0.0
    // CHECK: %[[R:.*]] = kernel.for "i.0" (%{{.*}}) in %{{.*}} at seq reduce (%[[ONE]] : f32) by arith.addf {
    // CHECK:   %[[R1:.*]] = kernel.for "i.1" (%{{.*}}) in 4 at vector reduce (%[[Z]] : f32) by arith.addf {
    // CHECK:     %[[C:.*]] = scf.if %{{.*}} -> (f32) {
    // CHECK:       scf.yield %{{.*}} : f32
    // CHECK:     } else {
    // CHECK:       scf.yield %[[Z]] : f32
    // CHECK:     kernel.yield %[[C]]
    // CHECK:   kernel.yield %[[R1]]
    // CHECK: kernel.store %[[R]], %S[]
    %r = kernel.for "i" (%i) in %N reduce (%one : f32) by arith.addf {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.yield %v : f32
    }
    kernel.store %r, %S[] : memref<f32>
  }
  return
}

// -----

// Groups of threads with a stretch of the tile each: one fold a group is scanned
// over the groups, and what stands before a thread in its group is known before
// the tile's own start.
// CHECK-LABEL: @groups
func.func @groups(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  // CHECK: kernel.for "i.0" {{.*}} at block.0 scan
  // CHECK:   %[[E:.*]] = kernel.local : memref<4x2x32x4xf32>
  // CHECK:   %[[B:.*]] = kernel.local : memref<4x2x32xf32>
  // CHECK:   %[[G:.*]] = kernel.local : memref<4x32xf32>
  // CHECK:   %[[T:.*]] = kernel.local : memref<4x2xf32>
  // CHECK:   %[[ALL:.*]] = kernel.for "i.1" (%[[W:.*]]) in 4 at thread.y scan
  // CHECK:     kernel.for "i.2" (%[[U:.*]]) in 2 at unroll
  // CHECK:       %[[R:.*]] = kernel.for "i.3" (%[[L:.*]]) in 32 at thread.x scan
  // CHECK:         %[[A:.*]] = kernel.prefix exclusive
  // CHECK:         kernel.store %[[A]], %[[B]][%[[W]], %[[U]], %[[L]]]
  // CHECK:       kernel.store %[[R]], %[[T]][%[[W]], %[[U]]]
  // CHECK:     %[[OWN:.*]] = kernel.for "i.2" (%[[V:.*]]) in 2 at unroll scan
  // CHECK:       %[[Q:.*]] = kernel.prefix exclusive
  // CHECK:       kernel.for "i.3"
  // CHECK:         arith.addf %[[Q]]
  // CHECK:     %[[H:.*]] = kernel.prefix exclusive %[[OWN]]
  // CHECK:     kernel.for "i.3" (%[[M:.*]]) in 32 at thread.x
  // CHECK:       kernel.store %[[H]], %[[G]][%[[W]], %[[M]]]
  // CHECK:   %[[C:.*]] = kernel.prefix exclusive %[[ALL]]
  // CHECK:   scf.if
  // CHECK:     kernel.for "i.1" {{.*}} at thread.y
  // CHECK:       %[[F:.*]] = kernel.load %[[G]]
  // CHECK:       arith.addf %[[C]], %[[F]]
  // CHECK:       kernel.for "i.4" {{.*}} at vector scan
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) schedule #kernel.schedule<i = [block.0, thread.y 4, unroll 2, thread.x 32, vector 4]> {
    %z = arith.constant 0.0 : f32
    %t = kernel.for "i" (%i) in %N scan (%z : f32) by arith.addf {
      %v = kernel.load %X[%i] : memref<?xf32>
      %p = kernel.prefix %v : f32
      kernel.store %p, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// A filter counts in 32 bits within its tile, and what it keeps waits in shared
// memory for what the tiles before it keep; then neighbours store neighbours.

#filter = #kernel.schedule<i = [block.0, thread.y 8, unroll 2, thread.x 32, vector 4]>
module attributes {kernel.device = #kernel.device<"cuda", {ordered_blocks = 1 : i64, shared_bytes = 49152 : i64, subgroup = 32 : i64}>} {
// CHECK-LABEL: @filter
func.func @filter(%n: index, %a: memref<?xf32>, %c: memref<i64>, %r: memref<?xf32>) {
  // CHECK: kernel.for "i.0" {{.*}} at block.0 scan ({{.*}} : i64)
  // CHECK:   kernel.local : memref<8x2x32x4xi1>
  // CHECK:   %[[KEPT:.*]] = kernel.local {kernel.handed_on} : memref<2048xf32, #kernel.space<shared>>
  // CHECK:   %[[SUM:.*]] = kernel.for "i.1" {{.*}} at thread.y scan ({{.*}} : i32)
  // CHECK:   kernel.store %{{.*}}, %[[KEPT]][%{{.*}}] if
  // CHECK:   %[[WIDE:.*]] = arith.extui %[[SUM]] : i32 to i64
  // CHECK:   %[[BEFORE:.*]] = kernel.prefix exclusive %[[WIDE]] : i64
  // CHECK:   %[[START:.*]] = arith.index_cast %[[BEFORE]]
  // CHECK:   kernel.for "i_w" {{.*}} at seq
  // CHECK:     %[[AT:.*]] = arith.addi %[[START]], %[[FROM:.*]] : index
  // CHECK:     %[[VALUE:.*]] = kernel.load %[[KEPT]][%[[FROM]]]
  // CHECK:     kernel.store %[[VALUE]], %y[%[[AT]]] : memref<?xf32>
  kernel.launch @f (%m = %n : index, %x[%m] = %a : memref<?xf32>) outs (%count = %c : memref<i64>, %y[%m] = %r : memref<?xf32>) schedule #filter {
    %zero = arith.constant 0.0 : f32
    %none = arith.constant 0 : i64
    %total = kernel.for "i" (%i) in %m scan (%none : i64) by arith.addi {
      %v = kernel.load %x[%i] : memref<?xf32>
      %keep = arith.cmpf ogt, %v, %zero : f32
      %one = arith.extui %keep : i1 to i64
      %p = kernel.prefix exclusive %one : i64
      %at = arith.index_cast %p : i64 to index
      kernel.store %v, %y[%at] if %keep : memref<?xf32>
    }
    kernel.store %total, %count[] : memref<i64>
  }
  return
}

// What is not all stored at its number is stored where it stands, counted in 32
// bits too; 32 bits are not narrow.
// CHECK-LABEL: @no_compaction
func.func @no_compaction(%n: index, %a: memref<?xf32>, %c: memref<?xi64>, %r: memref<?xf32>) {
  // CHECK-NOT: #kernel.space<shared>
  // CHECK:     kernel.for "i.1" {{.*}} at thread.y scan ({{.*}} : i32)
  // CHECK:     kernel.prefix exclusive %{{.*}} : i64
  // CHECK:     kernel.store %{{.*}}, %z
  kernel.launch @f (%m = %n : index, %x[%m] = %a : memref<?xf32>) outs (%z[%m] = %c : memref<?xi64>, %y[%m] = %r : memref<?xf32>) schedule #filter {
    %zero = arith.constant 0.0 : f32
    %none = arith.constant 0 : i64
    %total = kernel.for "i" (%i) in %m scan (%none : i64) by arith.addi {
      %v = kernel.load %x[%i] : memref<?xf32>
      %keep = arith.cmpf ogt, %v, %zero : f32
      %one = arith.extui %keep : i1 to i64
      %p = kernel.prefix exclusive %one : i64
      %at = arith.index_cast %p : i64 to index
      kernel.store %v, %y[%at] if %keep : memref<?xf32>
      kernel.store %p, %z[%i] : memref<?xi64>
    }
  }
  return
}
}

// -----

// A range that an array gives ends in front of the first index outside, which is
// asked before; one that only sizes or other threads give stays.
// CHECK-LABEL: @range_of_an_array
// CHECK:      %[[LO:.*]] = kernel.load %R[%{{.*}}] : memref<?xindex>
// CHECK:      %[[N:.*]] = kernel.load %L
// CHECK:      %[[IN:.*]] = arith.cmpi ult, %[[BASE:.*]], %Z : index
// CHECK:      %[[LEFT:.*]] = arith.subi %Z, %[[BASE]] : index
// CHECK:      %[[ROOM:.*]] = arith.select %[[IN]], %[[LEFT]]
// CHECK:      %[[PAST:.*]] = arith.addi %[[BASE]], %[[ROOM]] : index
// CHECK:      %[[FITS:.*]] = arith.cmpi sle, %[[N]], %[[ROOM]] : index
// CHECK:      kernel.check index %[[FITS]], "index {0}" [%[[PAST]] : index]
// CHECK:      %[[END:.*]] = arith.minsi %[[N]], %[[ROOM]] : index
// CHECK:      kernel.for "p" {{.*}} in %[[END]]
// CHECK-NOT:  kernel.check
// CHECK:      kernel.load %V[%{{.*}}] if %true{{.*}} : memref<?xf32>
// CHECK:      kernel.for "q" {{.*}} in %Z
// CHECK:      kernel.for "s" {{.*}} in %[[N]]
func.func @range_of_an_array(%r: memref<?xindex>, %l: memref<?xindex>, %v: memref<?xf32>, %n: index, %z: index, %o: memref<?xf32>) {
  kernel.launch @f (%N = %n : index, %Z = %z : index, %R[%N] = %r : memref<?xindex>, %L[%N] = %l : memref<?xindex>, %V[%Z] = %v : memref<?xf32>) outs (%O[%N] = %o : memref<?xf32>) {
    %zero = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %lo = kernel.load %R[%i] : memref<?xindex>
      %count = kernel.load %L[%i] : memref<?xindex>
      %a = kernel.for "p" (%p) in %count reduce (%zero : f32) by arith.addf {
        %k = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%p)[%lo]
        %in = arith.cmpi ult, %k, %Z : index
        kernel.check index %in, "index {0}" [%k : index]
        %x = kernel.load %V[%k] if %in : memref<?xf32>
        kernel.yield %x : f32
      }
      %b = kernel.for "q" (%q) in %Z reduce (%zero : f32) by arith.addf {
        %k = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%q)[%lo]
        %in = arith.cmpi ult, %k, %Z : index
        kernel.check index %in, "index {0}" [%k : index]
        %x = kernel.load %V[%k] if %in : memref<?xf32>
        kernel.yield %x : f32
      }
      %c = kernel.for "j" (%j) in %N reduce (%zero : f32) by arith.addf {
        %d = kernel.for "s" (%s) in %count reduce (%zero : f32) by arith.addf {
          %k = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%s)[%j]
          %in = arith.cmpi ult, %k, %Z : index
          kernel.check index %in, "index {0}" [%k : index]
          %x = kernel.load %V[%k] if %in : memref<?xf32>
          kernel.yield %x : f32
        }
        kernel.yield %d : f32
      }
      %ab = arith.addf %a, %b : f32
      %abc = arith.addf %ab, %c : f32
      kernel.store %abc, %O[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// A loop of statements goes on as long as its checks hold, those of branches too.
// CHECK-LABEL: @while_checks_hold
// CHECK:      scf.while (%[[P:.*]] = %{{.*}}, %[[OK:.*]] = %true) : (index, i1) -> (index, i1) {
// CHECK:        %[[MORE:.*]] = arith.cmpi slt, %[[P]], %N : index
// CHECK:        %[[GO:.*]] = arith.andi %[[MORE]], %[[OK]] : i1
// CHECK:        scf.condition(%[[GO]]) %[[P]], %[[OK]] : index, i1
// CHECK:        kernel.check index %[[IN:.*]], "index {0}"
// CHECK:        %[[SOME:.*]] = scf.if %{{.*}} -> (i1) {
// CHECK:          kernel.check index %[[FAR:.*]], "far"
// CHECK:          scf.yield %[[FAR]] : i1
// CHECK:        } else {
// CHECK:          scf.yield %true
// CHECK:        }
// CHECK:        %[[ALL:.*]] = arith.andi %[[IN]], %[[SOME]] : i1
// CHECK:        scf.yield %{{.*}}, %[[ALL]] : index, i1
func.func @while_checks_hold(%n: index, %z: index, %o: memref<?xindex>) {
  kernel.launch @f (%N = %n : index, %Z = %z : index) outs (%O[%N] = %o : memref<?xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    kernel.for "i" (%i) in %N {
      %p = scf.while (%a = %c0) : (index) -> index {
        %more = arith.cmpi slt, %a, %N : index
        scf.condition(%more) %a : index
      } do {
      ^bb0(%a: index):
        %in = arith.cmpi ult, %a, %Z : index
        kernel.check index %in, "index {0}" [%a : index]
        %odd = arith.cmpi ult, %a, %i : index
        scf.if %odd {
          %far = arith.cmpi ne, %a, %Z : index
          kernel.check index %far, "far"
        }
        %next = arith.addi %a, %c1 : index
        scf.yield %next : index
      }
      kernel.store %p, %O[%i] : memref<?xindex>
    }
  }
  return
}

// -----

// A fold whose checks stand in a branch is taken in pieces, as long as they hold;
// one over a size stays whole.
// CHECK-LABEL: @fold_in_pieces
// CHECK:      %[[COUNT:.*]] = kernel.load %R[%i]
// CHECK:      %[[PIECES:.*]]:3 = scf.while (%[[FROM:.*]] = %c0, %[[SUM:.*]] = %{{.*}}, %[[OK:.*]] = %true) : (index, f32, i1) -> (index, f32, i1) {
// CHECK:        %[[MORE:.*]] = arith.cmpi slt, %[[FROM]], %[[COUNT]] : index
// CHECK:        %[[GO:.*]] = arith.andi %[[MORE]], %[[OK]] : i1
// CHECK:        scf.condition(%[[GO]])
// CHECK:      ^bb0(%[[AT:.*]]: index, %[[BEFORE:.*]]: f32, %{{.*}}: i1):
// CHECK:        %[[LEFT:.*]] = arith.subi %[[COUNT]], %[[AT]] : index
// CHECK:        %[[SIZE:.*]] = arith.minsi %[[LEFT]], %c4096 : index
// CHECK:        %[[PART:.*]]:2 = kernel.for "p" (%p) in %[[SIZE]] reduce ({{.*}} : f32, i1) by arith.addf, arith.andi {
// CHECK:          affine.apply #{{.*}}(%p)[%[[AT]]]
// CHECK:          scf.yield %{{.*}}, %{{.*}} : f32, i1
// CHECK:          kernel.yield %{{.*}}#0, %{{.*}}#1 : f32, i1
// CHECK:        %[[NEXT:.*]] = arith.addi %[[AT]], %[[SIZE]] : index
// CHECK:        %[[AFTER:.*]] = arith.addf %[[BEFORE]], %[[PART]]#0 : f32
// CHECK:        scf.yield %[[NEXT]], %[[AFTER]], %{{.*}} : index, f32, i1
// CHECK:      kernel.for "q" (%q) in %N reduce (%[[PIECES]]#1 : f32) by arith.addf {
func.func @fold_in_pieces(%r: memref<?xindex>, %v: memref<?xf32>, %n: index, %z: index, %o: memref<?xf32>) {
  kernel.launch @f (%N = %n : index, %Z = %z : index, %R[%N] = %r : memref<?xindex>, %V[%Z] = %v : memref<?xf32>) outs (%O[%N] = %o : memref<?xf32>) {
    %zero = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %count = kernel.load %R[%i] : memref<?xindex>
      %a = kernel.for "p" (%p) in %count reduce (%zero : f32) by arith.addf {
        %odd = arith.cmpi ugt, %p, %i : index
        %x = scf.if %odd -> f32 {
          %in = arith.cmpi ult, %p, %Z : index
          kernel.check index %in, "index {0}" [%p : index]
          %y = kernel.load %V[%p] if %in : memref<?xf32>
          scf.yield %y : f32
        } else {
          scf.yield %zero : f32
        }
        kernel.yield %x : f32
      }
      %b = kernel.for "q" (%q) in %N reduce (%a : f32) by arith.addf {
        %in = arith.cmpi ne, %q, %Z : index
        kernel.check assert %in, "no"
        kernel.yield %zero : f32
      }
      kernel.store %b, %O[%i] : memref<?xf32>
    }
  }
  return
}
