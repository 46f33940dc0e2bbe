// Filter, histogram with private copies, and mean and variance by a tuple operator.
//
// RUN: arr-opt %s --kernel-lower-sequential | %run_mlir | FileCheck %s

// filter: scan of flags, store under the prefix; length stays in memory; scheduled in tiles of 4
func.func @filter(%x: memref<?xi64>, %y: memref<?xi64>, %len: memref<i64>, %n: index) {
  kernel.launch @filter (%X[%N] = %x : memref<?xi64>, %N = %n : index) outs (%Y[%N] = %y : memref<?xi64>, %L = %len : memref<i64>) {
    %z = arith.constant 0 : index
    %o = arith.constant 1 : index
    %zi = arith.constant 0 : i64
    %three = arith.constant 3 : i64
    %nb = affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%N)
    %tot = kernel.for "i.0" (%b) in %nb at block.x scan (%z : index) by arith.addi {
      %keep = kernel.local : memref<4xi1>
      %val = kernel.local : memref<4xi64>
      %c = kernel.for "i.1" (%t) in 4 at thread.x reduce (%z : index) by arith.addi {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%b, %t)
        %in = arith.cmpi slt, %i, %N : index
        %v = kernel.load %X[%i] if %in : memref<?xi64>
        %r = arith.remsi %v, %three : i64
        %p = arith.cmpi eq, %r, %zi : i64
        %k = arith.andi %p, %in : i1
        kernel.store %k, %keep[%t] : memref<4xi1>
        kernel.store %v, %val[%t] : memref<4xi64>
        %q = arith.select %k, %o, %z : index
        kernel.yield %q : index
      }
      %base = kernel.prefix exclusive %c : index
      %e = kernel.for "i.1" (%t) in 4 at thread.x scan (%base : index) by arith.addi {
        %k = kernel.load %keep[%t] : memref<4xi1>
        %q = arith.select %k, %o, %z : index
        %p = kernel.prefix exclusive %q : index
        %v = kernel.load %val[%t] : memref<4xi64>
        kernel.store %v, %Y[%p] if %k : memref<?xi64>
      }
    }
    %ti = arith.index_cast %tot : index to i64
    kernel.store %ti, %L[] : memref<i64>
  }
  return
}
// histogram, private copies in shared: i = [seq, block.x 2, thread.x 4], two copies
func.func @hist(%x: memref<?xi64>, %h: memref<5xi64>, %n: index) {
  kernel.launch @hist (%X[%N] = %x : memref<?xi64>, %N = %n : index) outs (%H[5] = %h : memref<5xi64>) {
    %zi = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %five = arith.constant 5 : i64
    %ks = affine.apply affine_map<(d0) -> (d0 ceildiv 8)>(%N)
    kernel.for "i.1" (%b) in 2 at block.x {
      %p = kernel.local : memref<2x5xi64>
      kernel.for "z.0" (%c) in 2 at thread.y { kernel.for "z.1" (%k) in 5 at thread.x { kernel.store %zi, %p[%c, %k] : memref<2x5xi64> } }
      kernel.for "i.2" (%t) in 4 at thread.x { kernel.for "i.0" (%s) in %ks at seq {
        %i = affine.apply affine_map<(d0, d1, d2) -> (d0 * 8 + d1 * 4 + d2)>(%s, %b, %t)
        %in = arith.cmpi slt, %i, %N : index
        scf.if %in {
          %v = kernel.load %X[%i] : memref<?xi64>
          %r = arith.remsi %v, %five : i64
          %bin = arith.index_cast %r : i64 to index
          %cp = affine.apply affine_map<(d0) -> (d0 mod 2)>(%t)
          kernel.update %one, %p[%cp, %bin] : memref<2x5xi64> by arith.addi
        }
      } }
      kernel.for "z.1" (%k) in 5 at thread.x {
        %s = kernel.for "z.0" (%c) in 2 at seq reduce (%zi : i64) by arith.addi { %v = kernel.load %p[%c, %k] : memref<2x5xi64> kernel.yield %v : i64 }
        kernel.update %s, %H[%k] : memref<5xi64> by arith.addi
      }
    }
  }
  return
}
// mean and M2 of everything in one pass: tuple accumulator with a joint operator (Chan)
func.func @meanvar(%x: memref<?xf64>, %o: memref<3xf64>, %n: index) {
  kernel.launch @meanvar (%X[%N] = %x : memref<?xf64>, %N = %n : index) outs (%O[3] = %o : memref<3xf64>) {
    %z = arith.constant 0.0 : f64
    %one = arith.constant 1.0 : f64
    %r:3 = kernel.for "i" (%i) in %N reduce (%z, %z, %z : f64, f64, f64) by (%n1: f64, %m1: f64, %s1: f64, %n2: f64, %m2: f64, %s2: f64) {
        %nn = arith.addf %n1, %n2 : f64
        %safe = arith.maximumf %nn, %one : f64
        %d = arith.subf %m2, %m1 : f64
        %w = arith.divf %n2, %safe : f64
        %dm = arith.mulf %d, %w : f64
        %m = arith.addf %m1, %dm : f64
        %ss = arith.addf %s1, %s2 : f64
        %dd = arith.mulf %d, %dm : f64
        %e = arith.mulf %dd, %n1 : f64
        %s = arith.addf %ss, %e : f64
        kernel.yield %nn, %m, %s : f64, f64, f64
      } {
      %v = kernel.load %X[%i] : memref<?xf64>
      kernel.yield %one, %v, %z : f64, f64, f64
    }
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    kernel.store %r#0, %O[%c0] : memref<3xf64>
    kernel.store %r#1, %O[%c1] : memref<3xf64>
    kernel.store %r#2, %O[%c2] : memref<3xf64>
  }
  return
}
func.func private @printMemrefI64(memref<*xi64>)
func.func private @printMemrefF64(memref<*xf64>)
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 19 : index
  %x = memref.alloc(%n) : memref<?xi64>
  %xf = memref.alloc(%n) : memref<?xf64>
  %y = memref.alloc(%n) : memref<?xi64>
  %l = memref.alloc() : memref<i64>
  %h = memref.alloc() : memref<5xi64>
  %o = memref.alloc() : memref<3xf64>
  %c5 = arith.constant 5 : index
  %z = arith.constant 0 : i64
  scf.for %i = %c0 to %c5 step %c1 { memref.store %z, %h[%i] : memref<5xi64> }
  scf.for %i = %c0 to %n step %c1 { %v = arith.index_cast %i : index to i64
    memref.store %v, %x[%i] : memref<?xi64>
    memref.store %z, %y[%i] : memref<?xi64>
    %f = arith.sitofp %v : i64 to f64
    memref.store %f, %xf[%i] : memref<?xf64> }
  func.call @filter(%x, %y, %l, %n) : (memref<?xi64>, memref<?xi64>, memref<i64>, index) -> ()
  func.call @hist(%x, %h, %n) : (memref<?xi64>, memref<5xi64>, index) -> ()
  func.call @meanvar(%xf, %o, %n) : (memref<?xf64>, memref<3xf64>, index) -> ()
  %a = memref.cast %y : memref<?xi64> to memref<*xi64>
  func.call @printMemrefI64(%a) : (memref<*xi64>) -> ()
  %b = memref.cast %l : memref<i64> to memref<*xi64>
  func.call @printMemrefI64(%b) : (memref<*xi64>) -> ()
  %c = memref.cast %h : memref<5xi64> to memref<*xi64>
  func.call @printMemrefI64(%c) : (memref<*xi64>) -> ()
  %d = memref.cast %o : memref<3xf64> to memref<*xf64>
  func.call @printMemrefF64(%d) : (memref<*xf64>) -> ()
  return
}

// CHECK:      sizes = [19]
// CHECK-NEXT: [0, 3, 6, 9, 12, 15, 18, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// CHECK:      [7]
// CHECK:      [4, 4, 4, 4, 3]
// CHECK:      [19, 9, 570]
