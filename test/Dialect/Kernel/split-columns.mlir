// RUN: arr-opt %s --kernel-split-columns --canonicalize --cse --split-input-file | FileCheck %s

module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, shared_bytes = 49152, subgroup = 32, units = 132, vector_bytes = 16}>} {

// Columns that do not stay on chip: each loop is a launch. Numbers of folds pass in buffers, an
// element a column, and the exponentials are computed again. The last launch walks in the order of
// memory.
// CHECK-LABEL: @softmax
// CHECK: %[[LONG:.*]] = arith.cmpi uge, %{{.*}}, %c2049
// CHECK: scf.if %[[LONG]] {
// CHECK-NEXT: %[[MOST:.*]] = memref.alloc({{.*}}) {kernel.workspace} : memref<?xf32>
// CHECK-NEXT: %[[SUM:.*]] = memref.alloc({{.*}}) {kernel.workspace} : memref<?xf32>
// CHECK: kernel.launch @k_loop1 {{.*}} outs (%[[W:.*]][{{.*}}] = %[[MOST]]
// CHECK: arith.maximumf
// CHECK: kernel.store %{{.*}}, %[[W]][
// CHECK: kernel.launch @k_loop2 {{.*}} = %[[MOST]] {{.*}} outs ({{.*}} = %[[SUM]]
// CHECK-NOT: kernel.local
// CHECK: arith.addf
// CHECK: kernel.launch @k_loop3 {{.*}} = %[[MOST]] {{.*}} = %[[SUM]] {{.*}} outs
// CHECK: kernel.for "i"
// CHECK-NEXT: kernel.for "j"
// CHECK: math.exp
// CHECK: arith.divf
// CHECK: memref.dealloc %[[MOST]]
// CHECK: memref.dealloc %[[SUM]]
// CHECK: } else {
// CHECK-NEXT: kernel.launch @k (
// CHECK: kernel.local
func.func @softmax(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    %ninf = arith.constant 0xFF800000 : f32
    kernel.for "j" (%j) in %M {
      %mx = kernel.for "i" (%i) in %N reduce (%ninf : f32) by arith.maximumf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      %e = kernel.local (%N) : memref<?xf32>
      %s = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %d = arith.subf %v, %mx : f32
        %q = math.exp %d : f32
        kernel.store %q, %e[%i] : memref<?xf32>
        kernel.yield %q : f32
      }
      kernel.for "i" (%i) in %N {
        %q = kernel.load %e[%i] : memref<?xf32>
        %r = arith.divf %q, %s : f32
        kernel.store %r, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// What follows from folds alone is computed once a column, by the launch of the last fold that it
// needs, also where it stood in a loop.
// CHECK-LABEL: @normalised
// CHECK: %[[MEAN:.*]] = memref.alloc({{.*}}) {kernel.workspace} : memref<?xf32>
// CHECK: %[[SCALE:.*]] = memref.alloc({{.*}}) {kernel.workspace} : memref<?xf32>
// CHECK-NOT: memref.alloc
// CHECK: kernel.launch @k_loop1 {{.*}} outs (%[[W:.*]][{{.*}}] = %[[MEAN]]
// CHECK: %[[M:.*]] = arith.mulf
// CHECK-NEXT: kernel.store %[[M]], %[[W]][
// CHECK: kernel.launch @k_loop2 {{.*}} = %[[MEAN]] {{.*}} outs (%[[W:.*]][{{.*}}] = %[[SCALE]]
// CHECK-NOT: math.rsqrt
// CHECK: kernel.yield
// CHECK: %[[R:.*]] = math.rsqrt
// CHECK-NEXT: kernel.store %[[R]], %[[W]][
// CHECK: kernel.launch @k_loop3 {{.*}} = %[[MEAN]] {{.*}} = %[[SCALE]] {{.*}} outs
// CHECK-NOT: math.rsqrt
// CHECK: } else {
func.func @normalised(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index, %f: f32) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>, %F = %f : f32) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %s = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      %mean = arith.mulf %s, %F : f32
      %v = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %d = arith.subf %v, %mean : f32
        %q = arith.mulf %d, %d : f32
        kernel.yield %q : f32
      }
      kernel.for "i" (%i) in %N {
        %a = kernel.load %X[%i, %j] : memref<?x?xf32>
        %d = arith.subf %a, %mean : f32
        %e = arith.mulf %v, %F : f32
        %r = math.rsqrt %e : f32
        %q = arith.mulf %d, %r : f32
        kernel.store %q, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// The same of rows, which are longer then. Who plans the launches knows it.
// CHECK-LABEL: @rows
// CHECK: %[[FEW:.*]] = arith.cmpi ult, %{{.*}}, %c264
// CHECK: %[[LONG:.*]] = arith.cmpi uge, %{{.*}}, %c262144
// CHECK: %[[BOTH:.*]] = arith.andi %[[FEW]], %[[LONG]]
// CHECK: scf.if %[[BOTH]] {
// CHECK-DAG: %[[N:.*]] = array.assume %{{.*}} in 0 to 263
// CHECK-DAG: %[[M:.*]] = array.assume %{{.*}} in 262144 to
// CHECK: kernel.launch @k_loop1 (%{{.*}} = %[[N]] : index, %{{.*}} = %[[M]] : index
// CHECK: kernel.launch @k_loop2 (%{{.*}} = %[[N]] : index, %{{.*}} = %[[M]] : index
// CHECK: } else {
// CHECK-NEXT: kernel.launch @k (
func.func @rows(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %s = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.for "j" (%j) in %M {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %r = arith.divf %v, %s : f32
        kernel.store %r, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// Elements that are anywhere make no row.
// CHECK-LABEL: @strides
// CHECK-NOT: scf.if
// CHECK: kernel.launch
// CHECK-NOT: kernel.launch
func.func @strides(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %s = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %w = kernel.load %X[%j, %i] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.for "j" (%j) in %M {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %r = arith.divf %v, %s : f32
        kernel.store %r, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// Sizes are numbers: columns that stay on chip are read once.
// CHECK-LABEL: @enough
// CHECK-NOT: scf.if
// CHECK: kernel.launch
// CHECK-NOT: kernel.launch
func.func @enough(%x: memref<2048x4096xf32>, %y: memref<2048x4096xf32>) {
  kernel.launch @k (%X[2048, 4096] = %x : memref<2048x4096xf32>) outs (%Y[2048, 4096] = %y : memref<2048x4096xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in 4096 {
      %s = kernel.for "i" (%i) in 2048 reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<2048x4096xf32>
        kernel.yield %v : f32
      }
      kernel.for "i" (%i) in 2048 {
        %v = kernel.load %X[%i, %j] : memref<2048x4096xf32>
        %r = arith.divf %v, %s : f32
        kernel.store %r, %Y[%i, %j] : memref<2048x4096xf32>
      }
    }
  }
  return
}

// What is computed of rows is folded: the fold around them is a launch behind
// theirs, and shorter rows are worth it, for nothing is read twice.
// CHECK-LABEL: @folded
// CHECK: arith.cmpi ult, %{{.*}}, %c264
// CHECK: arith.cmpi uge, %{{.*}}, %c65536
// CHECK: scf.if
// CHECK: kernel.launch @k_loop1 {{.*}} outs (%[[R:.*]][{{.*}}] = %arg1 {{.*}}, %[[W:.*]][{{.*}}] = %[[S:.*]] : memref<?xf32>) {
// CHECK: kernel.for "i" (%[[I:.*]]) in %{{.*}} {
// CHECK-NEXT: %[[SUM:.*]] = kernel.for "j"
// CHECK: kernel.store %[[SUM]], %[[R]][%[[I]]]
// CHECK: kernel.store %[[SUM]], %[[W]][%[[I]]]
// CHECK: kernel.launch @k_loop2 {{.*}} = %[[S]] : memref<?xf32>{{.*}} outs (%[[T:.*]] = %arg2 : memref<f32>) {
// CHECK: %[[TOTAL:.*]] = kernel.for "i" (%{{.*}}) in %{{.*}} reduce ({{.*}}) by arith.addf {
// CHECK-NEXT: kernel.load
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: kernel.yield
// CHECK: kernel.store %[[TOTAL]], %[[T]][]
// CHECK: memref.dealloc %[[S]]
// CHECK: } else {
// CHECK-NEXT: kernel.launch @k (
func.func @folded(%x: memref<?x?xf32>, %r: memref<?xf32>, %t: memref<f32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%R[%N] = %r : memref<?xf32>, %T = %t : memref<f32>) {
    %z = arith.constant 0.0 : f32
    %total = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
      %s = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %s, %R[%i] : memref<?xf32>
      %q = arith.mulf %s, %s : f32
      kernel.yield %q : f32
    }
    kernel.store %total, %T[] : memref<f32>
  }
  return
}

// Rows that are computed, and what one loop keeps for the next one is computed
// again: nothing of them is in memory, and less than a block a thread is enough.
// CHECK-LABEL: @computed
// CHECK: arith.cmpi ult, %{{.*}}, %c67584
// CHECK: arith.cmpi uge, %{{.*}}, %c4096
// CHECK: scf.if
// CHECK: kernel.launch @k_loop1
// CHECK: kernel.launch @k_loop2
// CHECK: kernel.for "j"
// CHECK: arith.sitofp
// CHECK: kernel.launch @k_loop3
// CHECK: } else {
// CHECK: kernel.launch @k (
func.func @computed(%t: memref<f64>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index) outs (%T = %t : memref<f64>) {
    %z = arith.constant 0.0 : f64
    %low = arith.constant 0xFFF0000000000000 : f64
    %most = kernel.for "i" (%i) in %N reduce (%low : f64) by arith.maximumf {
      %kept = kernel.local (%M) : memref<?xf64>
      %s = kernel.for "j" (%j) in %M reduce (%z : f64) by arith.addf {
        %k = arith.addi %i, %j : index
        %l = arith.index_cast %k : index to i64
        %v = arith.sitofp %l : i64 to f64
        kernel.store %v, %kept[%j] : memref<?xf64>
        kernel.yield %v : f64
      }
      %q = kernel.for "j" (%j) in %M reduce (%z : f64) by arith.addf {
        %v = kernel.load %kept[%j] : memref<?xf64>
        %d = arith.subf %v, %s : f64
        kernel.yield %d : f64
      }
      kernel.yield %q : f64
    }
    kernel.store %most, %T[] : memref<f64>
  }
  return
}

// An operator that uses what stands outside of it stays where that is.
// CHECK-LABEL: @operator
// CHECK-NOT: scf.if
// CHECK: kernel.launch
// CHECK-NOT: kernel.launch
func.func @operator(%x: memref<?x?xf32>, %t: memref<f32>, %n: index, %m: index, %p: f32) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %P = %p : f32, %X[%N, %M] = %x : memref<?x?xf32>) outs (%T = %t : memref<f32>) {
    %z = arith.constant 0.0 : f32
    %total = kernel.for "i" (%i) in %N reduce (%z : f32) by (%a: f32, %b: f32) {
      %c = arith.addf %a, %b : f32
      %d = arith.minimumf %c, %P : f32
      kernel.yield %d : f32
    } {
      %s = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      %q = arith.mulf %s, %s : f32
      kernel.yield %q : f32
    }
    kernel.store %total, %T[] : memref<f32>
  }
  return
}
}

// -----

module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, shared_bytes = 49152, subgroup = 32, units = 132, vector_bytes = 16}>} {

// A number that needs what the launch writes is no other launch's to compute.
// CHECK-LABEL: @needs_written
// CHECK: kernel.launch @k (
// CHECK-NOT: kernel.launch
func.func @needs_written(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    kernel.for "j" (%j) in %M {
      %s = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      %o = kernel.load %Y[%c0, %j] : memref<?x?xf32>
      %q = arith.mulf %s, %o : f32
      kernel.for "i" (%i) in %N {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %r = arith.mulf %v, %q : f32
        kernel.store %r, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
}
