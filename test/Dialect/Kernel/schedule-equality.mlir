// The planned schedules change no result: the sequential reading before and
// after each pass prints the same. Values are whole numbers, so that folds are
// exact in any order; sizes leave a tail everywhere.
//
// RUN: arr-opt %s --kernel-lower-sequential | %run_mlir | FileCheck %s
// RUN: arr-opt %s --kernel-plan-schedules=device=cpu --kernel-expand-versions --kernel-split-loops --kernel-lower-sequential | %run_mlir | FileCheck %s
// RUN: arr-opt %s --kernel-plan-schedules=device=cpu --kernel-expand-versions --kernel-split-loops --kernel-order-loops --kernel-lower-sequential | %run_mlir | FileCheck %s
// RUN: arr-opt %s --kernel-plan-schedules=device=cpu --kernel-expand-versions --kernel-split-loops --kernel-order-loops --kernel-mask-tails --kernel-lower-sequential | %run_mlir | FileCheck %s
// RUN: arr-opt %s --kernel-plan-schedules=device=cpu --kernel-expand-versions --kernel-split-loops --kernel-order-loops --kernel-mask-tails --canonicalize --cse --kernel-split-boundary --canonicalize --cse --kernel-lower-sequential | %run_mlir | FileCheck %s
// RUN: arr-opt %s --kernel-plan-schedules=device=cpu --kernel-expand-versions --kernel-split-loops --kernel-order-loops --kernel-mask-tails --canonicalize --cse --kernel-split-boundary --canonicalize --cse --kernel-jam-loops --canonicalize --cse --kernel-lower-sequential | %run_mlir | FileCheck %s

func.func @axpy(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @axpy (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %two = arith.constant 2.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %u = kernel.load %X[%i, %j] : memref<?x?xf32>
        %v = arith.mulf %u, %two : f32
        %w = arith.addf %v, %u : f32
        kernel.store %w, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @sums(%x: memref<?x?xf32>, %rows: memref<?xf32>, %columns: memref<?xf32>, %all: memref<f32>, %n: index, %m: index) {
  kernel.launch @rows (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%S[%N] = %rows : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %r = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %r, %S[%i] : memref<?xf32>
    }
  }
  kernel.launch @columns (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%S[%M] = %columns : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %r, %S[%j] : memref<?xf32>
    }
  }
  kernel.launch @all (%X[%N] = %rows : memref<?xf32>, %N = %n : index) outs (%S = %all : memref<f32>) {
    %z = arith.constant 0.0 : f32
    %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.yield %v : f32
    }
    kernel.store %r, %S[] : memref<f32>
  }
  return
}

// Two folds at once and a store, one over rows and columns.
func.func @heat(%t: memref<?x?xf32>, %o: memref<?x?xf32>, %e: memref<2xf32>, %n: index, %m: index) {
  kernel.launch @heat (%T[%N, %M] = %t : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%O[%N, %M] = %o : memref<?x?xf32>, %E[2] = %e : memref<2xf32>) {
    %ninf = arith.constant 0xFF800000 : f32
    %z = arith.constant 0.0 : f32
    %r:2 = kernel.for "i" (%i) in %N reduce (%ninf, %z : f32, f32) by arith.maximumf, arith.addf {
      %w:2 = kernel.for "j" (%j) in %M reduce (%ninf, %z : f32, f32) by arith.maximumf, arith.addf {
        %im = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
        %ip = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
        %jm = affine.apply affine_map<(d0) -> (d0 - 2)>(%j)
        %jp = affine.apply affine_map<(d0) -> (d0 + 1)>(%j)
        %a = kernel.load %T[%im, %j] edge [clamp, none] : memref<?x?xf32>
        %b = kernel.load %T[%ip, %j] edge [mirror, none] : memref<?x?xf32>
        %c = kernel.load %T[%i, %jm] edge [none, wrap] : memref<?x?xf32>
        %d = kernel.load %T[%ip, %jp] edge [reflect, reflect] : memref<?x?xf32>
        %s1 = arith.addf %a, %b : f32
        %s2 = arith.addf %s1, %c : f32
        %s3 = arith.addf %s2, %d : f32
        kernel.store %s3, %O[%i, %j] : memref<?x?xf32>
        kernel.yield %s3, %s3 : f32, f32
      }
      kernel.yield %w#0, %w#1 : f32, f32
    }
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    kernel.store %r#0, %E[%c0] : memref<2xf32>
    kernel.store %r#1, %E[%c1] : memref<2xf32>
  }
  return
}

func.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %n: index, %m: index, %k: index) {
  kernel.launch @product (%A[%N, %K] = %a : memref<?x?xf32>, %B[%K, %M] = %b : memref<?x?xf32>, %N = %n : index, %M = %m : index, %K = %k : index) outs (%C[%N, %M] = %c : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %r = kernel.for "l" (%l) in %K reduce (%z : f32) by arith.addf {
          %x = kernel.load %A[%i, %l] : memref<?x?xf32>
          %y = kernel.load %B[%l, %j] : memref<?x?xf32>
          %p = arith.mulf %x, %y : f32
          kernel.yield %p : f32
        }
        kernel.store %r, %C[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// Loops over one dimension that share a local, as in a softmax.
func.func @shares(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @shares (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %ninf = arith.constant 0xFF800000 : f32
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %mx = kernel.for "j" (%j) in %M reduce (%ninf : f32) by arith.maximumf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      %e = kernel.local (%M) : memref<?xf32>
      %s = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %d = arith.subf %v, %mx : f32
        kernel.store %d, %e[%j] : memref<?xf32>
        kernel.yield %d : f32
      }
      kernel.for "j" (%j) in %M {
        %q = kernel.load %e[%j] : memref<?xf32>
        %r = arith.subf %q, %s : f32
        kernel.store %r, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func private @printMemrefF32(memref<*xf32>)

func.func @print1(%x: memref<?xf32>) {
  %u = memref.cast %x : memref<?xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}

// The sum of the elements, each times its place, modulo 1009: enough to tell.
func.func @digest(%x: memref<?x?xf32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %mod = arith.constant 1009.0 : f32
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (f32) {
    %b = scf.for %j = %c0 to %m step %c1 iter_args(%b = %a) -> (f32) {
      %v = memref.load %x[%i, %j] : memref<?x?xf32>
      %ij = arith.muli %i, %m : index
      %k = arith.addi %ij, %j : index
      %w = arith.index_cast %k : index to i64
      %f = arith.sitofp %w : i64 to f32
      %g = arith.addf %f, %v : f32
      %h = arith.addf %b, %g : f32
      %r = arith.remf %h, %mod : f32
      scf.yield %r : f32
    }
    scf.yield %b : f32
  }
  %o = memref.alloc() : memref<1xf32>
  memref.store %s, %o[%c0] : memref<1xf32>
  %u = memref.cast %o : memref<1xf32> to memref<?xf32>
  call @print1(%u) : (memref<?xf32>) -> ()
  return
}

func.func @run(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %x = memref.alloc(%n, %m) : memref<?x?xf32>
  %y = memref.alloc(%n, %m) : memref<?x?xf32>
  %b = memref.alloc(%m, %n) : memref<?x?xf32>
  %c = memref.alloc(%n, %n) : memref<?x?xf32>
  %rows = memref.alloc(%n) : memref<?xf32>
  %columns = memref.alloc(%m) : memref<?xf32>
  %all = memref.alloc() : memref<f32>
  %e = memref.alloc() : memref<2xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %ij = arith.muli %i, %j : index
      %k = arith.addi %ij, %j : index
      %r = arith.remui %k, %c7 : index
      %v = arith.index_cast %r : index to i64
      %f = arith.sitofp %v : i64 to f32
      memref.store %f, %x[%i, %j] : memref<?x?xf32>
      memref.store %f, %b[%j, %i] : memref<?x?xf32>
    }
  }
  call @axpy(%x, %y, %n, %m) : (memref<?x?xf32>, memref<?x?xf32>, index, index) -> ()
  call @digest(%y, %n, %m) : (memref<?x?xf32>, index, index) -> ()
  call @sums(%x, %rows, %columns, %all, %n, %m) : (memref<?x?xf32>, memref<?xf32>, memref<?xf32>, memref<f32>, index, index) -> ()
  call @print1(%rows) : (memref<?xf32>) -> ()
  call @print1(%columns) : (memref<?xf32>) -> ()
  %ua = memref.cast %all : memref<f32> to memref<*xf32>
  call @printMemrefF32(%ua) : (memref<*xf32>) -> ()
  call @heat(%x, %y, %e, %n, %m) : (memref<?x?xf32>, memref<?x?xf32>, memref<2xf32>, index, index) -> ()
  call @digest(%y, %n, %m) : (memref<?x?xf32>, index, index) -> ()
  %ue = memref.cast %e : memref<2xf32> to memref<*xf32>
  call @printMemrefF32(%ue) : (memref<*xf32>) -> ()
  call @product(%x, %b, %c, %n, %n, %m) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>, index, index, index) -> ()
  call @digest(%c, %n, %n) : (memref<?x?xf32>, index, index) -> ()
  call @shares(%x, %y, %n, %m) : (memref<?x?xf32>, memref<?x?xf32>, index, index) -> ()
  call @digest(%y, %n, %m) : (memref<?x?xf32>, index, index) -> ()
  return
}

func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c13 = arith.constant 13 : index
  %c71 = arith.constant 71 : index
  call @run(%c5, %c71) : (index, index) -> ()
  call @run(%c13, %c2) : (index, index) -> ()
  call @run(%c1, %c1) : (index, index) -> ()
  return
}

// CHECK: [400]
// CHECK: [210, 210, 210, 210, 210]
// CHECK: [0, 15, 16, 17, 18, 19, 20, 0, 15, 16, 17, 18, 19, 20, 0, 15, 16, 17, 18, 19, 20, 0, 15, 16, 17, 18, 19, 20, 0, 15, 16, 17, 18, 19, 20, 0, 15, 16, 17, 18, 19, 20, 0, 15, 16, 17, 18, 19, 20, 0, 15, 16, 17, 18, 19, 20, 0, 15, 16, 17, 18, 19, 20, 0, 15, 16, 17, 18, 19, 20, 0]
// CHECK: [1050]
// CHECK: [458]
// CHECK: [17, 4217]
// CHECK: [688]
// CHECK: [202]
// CHECK: [451]
// CHECK: [1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6]
// CHECK: [0, 42]
// CHECK: [42]
// CHECK: [497]
// CHECK: [17, 172]
// CHECK: [825]
// CHECK: [367]
// CHECK: [0]
// CHECK: [0]
// CHECK: [0]
// CHECK: [0]
// CHECK: [0]
// CHECK: [0, 0]
// CHECK: [0]
// CHECK: [0]
