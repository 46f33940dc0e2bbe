// What loops of tasks will read is asked for ahead: where, follows from how
// indices move with the loops around.
// RUN: arr-opt %s --cpu-prefetch-streams=distance=1024 --canonicalize --split-input-file | FileCheck %s

// Largest values of everything: 1024 bytes are 16 iterations, however the loops
// are cut, as each loop starts where the one before ended.
// CHECK-LABEL: func @walk(
// CHECK-SAME: %[[A:[a-z0-9_-]+]]: memref<?xf32>
// CHECK-DAG: %[[WAY:[a-z0-9_-]+]] = arith.constant 256 : index
// CHECK: %[[ELEMENTS:[a-z0-9_-]+]] = memref.dim %[[A]]
// CHECK: %[[BYTES:[a-z0-9_-]+]] = arith.muli %[[ELEMENTS]], %c4
// CHECK: %[[LONG:[a-z0-9_-]+]] = arith.cmpi sge, %[[BYTES]], %c16777216
// CHECK: scf.parallel
// CHECK-NOT: ceildivsi
// CHECK: vector.load %[[A]][%[[AT:[a-z0-9_-]+]]] :
// CHECK: scf.if %[[LONG]] {
// CHECK-NEXT: %[[AHEAD:[a-z0-9_-]+]] = arith.addi %[[AT]], %[[WAY]]
// CHECK-NEXT: memref.prefetch %[[A]][%[[AHEAD]]], read, locality<1>, data
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield
// CHECK-NOT: memref.prefetch
func.func @walk(%a: memref<?xf32>, %r: memref<?xvector<16xf32>>, %blocks: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c512 = arith.constant 512 : index
  %c16384 = arith.constant 16384 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  scf.parallel (%p) = (%c0) to (%blocks) step (%c1) {
    %origin = arith.muli %p, %c16384 : index
    %s = scf.for %i = %c0 to %c32 step %c1 iter_args(%x = %zero) -> vector<16xf32> {
      %row = arith.muli %i, %c512 : index
      %t = scf.for %j = %c0 to %n step %c1 iter_args(%y = %x) -> vector<16xf32> {
        %v = arith.muli %j, %c16 : index
        %w = arith.addi %v, %row : index
        %at = arith.addi %w, %origin : index
        %z = vector.load %a[%at] : memref<?xf32>, vector<16xf32>
        %m = math.absf %z : vector<16xf32>
        %u = arith.maximumf %y, %m : vector<16xf32>
        scf.yield %u : vector<16xf32>
      }
      scf.yield %t : vector<16xf32>
    }
    memref.store %s, %r[%p] : memref<?xvector<16xf32>>
    scf.reduce
  }
  return
}

// -----

// Rows that may be shorter than the distance: then it is rows below, as many as
// that takes. The size is decided on outside of the loop.
// CHECK-LABEL: func @rows(
// CHECK-SAME: %[[A:[a-z0-9_-]+]]: memref<?x?xf64>, %[[R:[a-z0-9_-]+]]: memref<?xf64>, %{{.*}}: index, %[[TRIPS:[a-z0-9_-]+]]: index
// CHECK-DAG: %[[NEAR:[a-z0-9_-]+]] = arith.constant 128 : index
// CHECK: %{{.*}}, %{{.*}}, %{{.*}}:2, %[[PITCH:[a-z0-9_-]+]]:2 = memref.extract_strided_metadata %[[A]]
// CHECK: scf.parallel (%[[P:[a-z0-9_-]+]]) =
// CHECK: %[[SIZE:[a-z0-9_-]+]] = arith.muli %[[TRIPS]], %c64
// CHECK: %[[LONG:[a-z0-9_-]+]] = arith.cmpi sge, %[[SIZE]], %c2048
// CHECK: %[[SOME:[a-z0-9_-]+]] = arith.maxsi %[[SIZE]], %c1
// CHECK: %[[TIMES:[a-z0-9_-]+]] = arith.ceildivsi %c1024, %[[SOME]]
// CHECK: %[[FAR:[a-z0-9_-]+]] = arith.muli %[[TIMES]], %[[PITCH]]#0
// CHECK: %[[WAY:[a-z0-9_-]+]] = arith.select %[[LONG]], %[[NEAR]], %[[FAR]]
// CHECK: scf.for
// CHECK: %[[AHEAD:[a-z0-9_-]+]] = arith.addi %{{.*}}, %[[WAY]]
// CHECK: memref.prefetch %[[A]][%[[P]], %[[AHEAD]]], read, locality<1>
func.func @rows(%a: memref<?x?xf64>, %r: memref<?xf64>, %n: index, %trips: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<8xf64>
  scf.parallel (%p) = (%c0) to (%n) step (%c1) {
    %s = scf.for %j = %c0 to %trips step %c1 iter_args(%x = %zero) -> vector<8xf64> {
      %at = arith.muli %j, %c8 : index
      %z = vector.load %a[%p, %at] : memref<?x?xf64>, vector<8xf64>
      %u = arith.addf %x, %z : vector<8xf64>
      scf.yield %u : vector<8xf64>
    }
    %e = vector.reduction <add>, %s : vector<8xf64> into f64
    memref.store %e, %r[%p] : memref<?xf64>
    scf.reduce
  }
  return
}

// -----

// Down columns every row is a stream of its own, and a sum of a row that is long
// for sure has its reads on their way anyway: both are as fast without.
// CHECK-LABEL: func @columns(
// CHECK-NOT: memref.prefetch
func.func @columns(%a: memref<?x?xf32>, %b: memref<?xf32>, %r: memref<?xf32>, %tiles: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  scf.parallel (%p) = (%c0) to (%tiles) step (%c1) {
    %left = arith.muli %p, %c32 : index
    %right = arith.addi %left, %c16 : index
    %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero, %y = %zero) -> (vector<16xf32>, vector<16xf32>) {
      %i0 = arith.muli %i, %c4 : index
      %i1 = arith.addi %i0, %c1 : index
      %i2 = arith.addi %i0, %c2 : index
      %i3 = arith.addi %i0, %c3 : index
      %v0 = vector.load %a[%i0, %left] : memref<?x?xf32>, vector<16xf32>
      %v1 = vector.load %a[%i1, %left] : memref<?x?xf32>, vector<16xf32>
      %v2 = vector.load %a[%i2, %left] : memref<?x?xf32>, vector<16xf32>
      %v3 = vector.load %a[%i3, %left] : memref<?x?xf32>, vector<16xf32>
      %w0 = vector.load %a[%i0, %right] : memref<?x?xf32>, vector<16xf32>
      %w1 = vector.load %a[%i1, %right] : memref<?x?xf32>, vector<16xf32>
      %w2 = vector.load %a[%i2, %right] : memref<?x?xf32>, vector<16xf32>
      %w3 = vector.load %a[%i3, %right] : memref<?x?xf32>, vector<16xf32>
      %x0 = arith.addf %x, %v0 : vector<16xf32>
      %x1 = arith.addf %x0, %v1 : vector<16xf32>
      %x2 = arith.addf %x1, %v2 : vector<16xf32>
      %x3 = arith.addf %x2, %v3 : vector<16xf32>
      %y0 = arith.addf %y, %w0 : vector<16xf32>
      %y1 = arith.addf %y0, %w1 : vector<16xf32>
      %y2 = arith.addf %y1, %w2 : vector<16xf32>
      %y3 = arith.addf %y2, %w3 : vector<16xf32>
      scf.yield %x3, %y3 : vector<16xf32>, vector<16xf32>
    }
    vector.store %s#0, %r[%left] : memref<?xf32>, vector<16xf32>
    vector.store %s#1, %r[%right] : memref<?xf32>, vector<16xf32>
    scf.reduce
  }
  scf.parallel (%p) = (%c0) to (%tiles) step (%c1) {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%x = %zero) -> vector<16xf32> {
      %at = arith.muli %j, %c16 : index
      %v = vector.load %b[%at] : memref<?xf32>, vector<16xf32>
      %u = arith.addf %x, %v : vector<16xf32>
      scf.yield %u : vector<16xf32>
    }
    vector.store %s, %r[%p] : memref<?xf32>, vector<16xf32>
    scf.reduce
  }
  return
}

// -----

// A row that is swept again is asked for in its second sweep, for the next task,
// if it is short enough to stay beside that.
// CHECK-LABEL: func @sweeps(
// CHECK-SAME: %[[A:[a-z0-9_-]+]]: memref<?x?xf32>
// CHECK: %[[LONG:[a-z0-9_-]+]] = arith.cmpi sge, %{{.*}}, %c16777216
// CHECK: scf.parallel
// CHECK: scf.for
// CHECK: memref.prefetch %[[A]]
// CHECK: %[[SIZE:[a-z0-9_-]+]] = arith.muli %{{.*}}, %c64
// CHECK: %[[KEPT:[a-z0-9_-]+]] = arith.cmpi sle, %[[SIZE]], %c131072
// CHECK: %[[TIMES:[a-z0-9_-]+]] = arith.ceildivsi %c1024
// CHECK: %[[NEXT:[a-z0-9_-]+]] = arith.muli %[[TIMES]], %{{.*}}#0
// CHECK: %[[BOTH:[a-z0-9_-]+]] = arith.andi %[[LONG]], %[[KEPT]]
// CHECK: scf.for
// CHECK: vector.load %[[A]][%[[P:[a-z0-9_-]+]], %[[AT:[a-z0-9_-]+]]] :
// CHECK: scf.if %[[BOTH]] {
// CHECK-NEXT: %[[AHEAD:[a-z0-9_-]+]] = arith.addi %[[AT]], %[[NEXT]]
// CHECK-NEXT: memref.prefetch %[[A]][%[[P]], %[[AHEAD]]], read, locality<2>
// What the task keeps itself is in its caches.
// CHECK-NOT: memref.prefetch
func.func @sweeps(%a: memref<?x?xf32>, %r: memref<?x?xf32>, %n: index, %trips: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  scf.parallel (%p) = (%c0) to (%n) step (%c1) {
    %kept = memref.alloc(%trips) : memref<?xf32>
    %most = scf.for %j = %c0 to %trips step %c1 iter_args(%x = %zero) -> vector<16xf32> {
      %at = arith.muli %j, %c16 : index
      %z = vector.load %a[%p, %at] : memref<?x?xf32>, vector<16xf32>
      %m = math.absf %z : vector<16xf32>
      %u = arith.maximumf %x, %m : vector<16xf32>
      scf.yield %u : vector<16xf32>
    }
    %sum = scf.for %j = %c0 to %trips step %c1 iter_args(%x = %zero) -> vector<16xf32> {
      %at = arith.muli %j, %c16 : index
      %z = vector.load %a[%p, %at] : memref<?x?xf32>, vector<16xf32>
      %d = arith.subf %z, %most : vector<16xf32>
      %e = math.exp %d : vector<16xf32>
      vector.store %e, %kept[%at] : memref<?xf32>, vector<16xf32>
      %u = arith.addf %x, %e : vector<16xf32>
      scf.yield %u : vector<16xf32>
    }
    scf.for %j = %c0 to %trips step %c1 {
      %at = arith.muli %j, %c16 : index
      %z = vector.load %kept[%at] : memref<?xf32>, vector<16xf32>
      %q = arith.divf %z, %sum : vector<16xf32>
      vector.store %q, %r[%p, %at] : memref<?x?xf32>, vector<16xf32>
    }
    scf.reduce
  }
  return
}

// -----

// Of reads that find what another has read, only that one asks: the row below
// and, of what lies in a line, the first. Loops that store as much as they read
// are left alone, as are reads under a condition.
// CHECK-LABEL: func @neighbours(
// CHECK: memref.prefetch %{{.*}}[%[[BELOW:[a-z0-9_-]+]], %[[AHEAD:[a-z0-9_-]+]]], read
// CHECK-NOT: memref.prefetch
// CHECK: scf.reduce
// CHECK-NOT: memref.prefetch
func.func @neighbours(%a: memref<?x?xf32>, %r: memref<?x?xf32>, %s: memref<?xf32>, %n: index, %trips: index, %tail: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c-1 = arith.constant -1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  scf.parallel (%p) = (%c0) to (%n) step (%c1) {
    %above = arith.addi %p, %c-1 : index
    %below = arith.addi %p, %c1 : index
    %t = scf.for %j = %c0 to %trips step %c1 iter_args(%x = %zero) -> vector<16xf32> {
      %at = arith.muli %j, %c16 : index
      %west = arith.addi %at, %c-1 : index
      %v0 = vector.load %a[%above, %at] : memref<?x?xf32>, vector<16xf32>
      %v1 = vector.load %a[%p, %west] : memref<?x?xf32>, vector<16xf32>
      %v2 = vector.load %a[%p, %at] : memref<?x?xf32>, vector<16xf32>
      %v3 = vector.load %a[%below, %at] : memref<?x?xf32>, vector<16xf32>
      %v4 = vector.load %a[%below, %at] : memref<?x?xf32>, vector<16xf32>
      %x0 = arith.addf %v0, %v1 : vector<16xf32>
      %x1 = arith.addf %v2, %v3 : vector<16xf32>
      %x2 = arith.addf %x0, %x1 : vector<16xf32>
      %x3 = arith.addf %x2, %v4 : vector<16xf32>
      %x4 = arith.maximumf %x, %x3 : vector<16xf32>
      scf.yield %x4 : vector<16xf32>
    }
    vector.store %t, %s[%p] : memref<?xf32>, vector<16xf32>
    scf.reduce
  }
  scf.parallel (%p) = (%c0) to (%n) step (%c1) {
    scf.for %j = %c0 to %trips step %c1 {
      %at = arith.muli %j, %c16 : index
      %v = vector.load %a[%p, %at] : memref<?x?xf32>, vector<16xf32>
      vector.store %v, %r[%p, %at] : memref<?x?xf32>, vector<16xf32>
      scf.if %tail {
        %w = vector.load %a[%at, %p] : memref<?x?xf32>, vector<16xf32>
        vector.store %w, %r[%at, %p] : memref<?x?xf32>, vector<16xf32>
      }
    }
    scf.reduce
  }
  return
}

// -----

// Four groups of eight bytes are half a line; a vector of 128 bytes is two.
// Backwards, what is ahead lies before.
// CHECK-LABEL: func @lines(
// CHECK-SAME: %[[A:[a-z0-9_-]+]]: memref<?xf16>, %[[B:[a-z0-9_-]+]]: memref<?xf64>
// CHECK-DAG: %[[A_WAY:[a-z0-9_-]+]] = arith.constant 512 : index
// CHECK-DAG: %[[B_WAY:[a-z0-9_-]+]] = arith.constant -128 : index
// CHECK-DAG: %[[B_REST:[a-z0-9_-]+]] = arith.constant -120 : index
// CHECK: scf.for
// CHECK: arith.addi %{{.*}}, %[[A_WAY]]
// CHECK-NEXT: memref.prefetch %[[A]]
// CHECK-NOT: memref.prefetch %[[A]]
// CHECK: arith.addi %{{.*}}, %[[B_WAY]]
// CHECK-NEXT: memref.prefetch %[[B]]
// CHECK: arith.addi %{{.*}}, %[[B_REST]]
// CHECK-NEXT: memref.prefetch %[[B]]
// CHECK-NOT: memref.prefetch
func.func @lines(%a: memref<?xf16>, %b: memref<?xf64>, %r: memref<?xf64>, %n: index, %trips: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c-16 = arith.constant -16 : index
  %c16 = arith.constant 16 : index
  %none = arith.constant dense<0.0> : vector<4xf16>
  %zero = arith.constant dense<0.0> : vector<16xf64>
  scf.parallel (%p) = (%c0) to (%c1) step (%c1) {
    %t:2 = scf.for %j = %c0 to %trips step %c1 iter_args(%x = %none, %y = %zero) -> (vector<4xf16>, vector<16xf64>) {
      %at = arith.muli %j, %c16 : index
      %a1 = arith.addi %at, %c4 : index
      %a2 = arith.addi %at, %c8 : index
      %a3 = arith.addi %at, %c12 : index
      %v0 = vector.load %a[%at] : memref<?xf16>, vector<4xf16>
      %v1 = vector.load %a[%a1] : memref<?xf16>, vector<4xf16>
      %v2 = vector.load %a[%a2] : memref<?xf16>, vector<4xf16>
      %v3 = vector.load %a[%a3] : memref<?xf16>, vector<4xf16>
      %x0 = arith.addf %v0, %v1 : vector<4xf16>
      %x1 = arith.addf %v2, %v3 : vector<4xf16>
      %x2 = arith.addf %x0, %x1 : vector<4xf16>
      %x3 = arith.addf %x2, %x : vector<4xf16>
      %back = arith.muli %j, %c-16 : index
      %last = arith.addi %back, %n : index
      %w = vector.load %b[%last] : memref<?xf64>, vector<16xf64>
      %y0 = arith.addf %w, %y : vector<16xf64>
      scf.yield %x3, %y0 : vector<4xf16>, vector<16xf64>
    }
    vector.store %t#1, %r[%p] : memref<?xf64>, vector<16xf64>
    scf.reduce
  }
  return
}
