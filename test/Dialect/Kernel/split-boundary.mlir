// RUN: arr-opt %s --kernel-split-boundary --canonicalize --split-input-file | FileCheck %s

// A scan goes on from the total of the interior.
// CHECK-LABEL: @scan
func.func @scan(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) schedule #kernel.schedule<i = [seq], split boundary> {
    %z = arith.constant 0.0 : f32
    // CHECK: %[[T:.*]] = kernel.for "i.0" {{.*}} scan (%{{.*}} : f32)
    // CHECK:   kernel.load %{{.*}} : memref
    // CHECK:   kernel.prefix
    // CHECK: kernel.for "i.0" {{.*}} scan (%[[T]] : f32)
    // CHECK:   kernel.load %{{.*}} if
    // CHECK:   kernel.prefix
    // CHECK: return
    %t = kernel.for "i.0" (%i) in %N at seq scan (%z : f32) by arith.addf {
      %v = kernel.for "i.1" (%l) in 4 at vector reduce (%z : f32) by arith.addf {
        %j = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%i, %l)
        %in = arith.cmpi slt, %j, %N : index
        %v = kernel.load %X[%j] if %in : memref<?xf32>
        kernel.yield %v : f32
      }
      %p = kernel.prefix %v : f32
    }
  }
  return
}

// -----

// A bound of the data is no tail.
// CHECK-LABEL: @no_unknown_bound
func.func @no_unknown_bound(%x: memref<?xindex>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xindex>) schedule #kernel.schedule<i = [seq], split boundary> {
    // CHECK: kernel.for "i.0"
    // CHECK-NOT: kernel.for "i.0"
    // CHECK: return
    kernel.for "i.0" (%i) in %N at seq {
      kernel.for "i.1" (%l) in 4 at vector {
        %j = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%i, %l)
        %v = kernel.load %X[%j] : memref<?xindex>
        %in = arith.cmpi slt, %j, %v : index
        kernel.store %v, %X[%j] if %in : memref<?xindex>
      }
    }
  }
  return
}

// -----

// Full iterations first, then the masked one; the fold goes through both.
// CHECK-LABEL: @tail
func.func @tail(%x: memref<?xf32>, %s: memref<f32>, %n: index, %steps: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index, %K = %steps : index) outs (%S = %s : memref<f32>)
      schedule #kernel.schedule<i = [seq], split boundary> {
    %z = arith.constant 0.0 : f32
    // CHECK: kernel.for "i.1" (%{{.*}}) in 4 at vector
    %r = kernel.for "i.1" (%l) in 4 at vector reduce (%z : f32) by arith.addf {
      // CHECK: affine.apply #{{.*}}(%N)
      // CHECK: %[[A:.*]] = kernel.for "i.0" {{.*}} reduce (%{{.*}} : f32)
      // CHECK:   kernel.load %X[%{{.*}}] : memref
      // CHECK: %[[B:.*]] = kernel.for "i.0" {{.*}} reduce (%[[A]] : f32)
      // CHECK:   kernel.load %X[%{{.*}}] if %{{.*}} : memref
      // CHECK: kernel.yield %[[B]]
      %a = kernel.for "i.0" (%i) in %K at seq reduce (%z : f32) by arith.addf {
        %j = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%i, %l)
        %in = arith.cmpi slt, %j, %N : index
        %v = kernel.load %X[%j] if %in : memref<?xf32>
        %c = arith.select %in, %v, %z : f32
        kernel.yield %c : f32
      }
      kernel.yield %a : f32
    }
    kernel.store %r, %S[] : memref<f32>
  }
  return
}

// -----

// Edges of the vectorised dimension go inside; those of rows stay.
// CHECK-LABEL: @edges
func.func @edges(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index, %steps: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index, %K = %steps : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>)
      schedule #kernel.schedule<j = [seq], split boundary> {
    kernel.for "i" (%i) in %N at block.0 {
      kernel.for "j.1" (%l) in 4 at vector {
        // CHECK: kernel.for "j.0"
        // CHECK:   kernel.load %X[%{{.*}}, %{{.*}}] edge [clamp, clamp] if
        // CHECK: kernel.for "j.0"
        // CHECK:   kernel.load %X[%{{.*}}, %{{.*}}] edge [clamp, none] : memref
        // CHECK:   kernel.store %{{.*}}, %Y[%{{.*}}, %{{.*}}] : memref
        // CHECK: kernel.for "j.0"
        // CHECK:   kernel.load %X[%{{.*}}, %{{.*}}] edge [clamp, clamp] if
        // CHECK-NOT: kernel.for
        kernel.for "j.0" (%k) in %K at seq {
          %j = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%k, %l)
          %in = arith.cmpi slt, %j, %M : index
          %im = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
          %jm = affine.apply affine_map<(d0) -> (d0 - 1)>(%j)
          %v = kernel.load %X[%im, %jm] edge [clamp, clamp] if %in : memref<?x?xf32>
          kernel.store %v, %Y[%i, %j] if %in : memref<?x?xf32>
        }
      }
    }
  }
  return
}

// -----

// No sequential loop decides: a branch for all lanes.
// CHECK-LABEL: @lanes_around_a_fold
func.func @lanes_around_a_fold(%a: memref<?x?xf32>, %s: memref<?xf32>, %n: index, %m: index, %blocks: index) {
  kernel.launch @k (%A[%N, %M] = %a : memref<?x?xf32>, %N = %n : index, %M = %m : index, %B = %blocks : index) outs (%S[%M] = %s : memref<?xf32>)
      schedule #kernel.schedule<j = [block.0, vector 4], split boundary> {
    %z = arith.constant 0.0 : f32
    kernel.for "j.0" (%b) in %B at block.0 {
      // CHECK: %[[INSIDE:.*]] = arith.cmpi sgt
      // CHECK: scf.if %[[INSIDE]] {
      // CHECK:   kernel.load %A[%{{.*}}, %{{.*}}] : memref
      // CHECK:   kernel.store %{{.*}}, %S[%{{.*}}] : memref
      // CHECK: } else {
      // CHECK:   kernel.load %A[%{{.*}}, %{{.*}}] if
      // CHECK:   kernel.store %{{.*}}, %S[%{{.*}}] if
      kernel.for "j.1" (%l) in 4 at vector {
        %j = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%b, %l)
        %in = arith.cmpi slt, %j, %M : index
        %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
          %v = kernel.load %A[%i, %j] if %in : memref<?x?xf32>
          kernel.yield %v : f32
        }
        kernel.store %r, %S[%j] if %in : memref<?xf32>
      }
    }
  }
  return
}

// -----

// Rows that run together are inside or not in the loop around them; those left
// over run one after the other.
// CHECK-LABEL: @rows_at_a_time
func.func @rows_at_a_time(%a: memref<?x?xf32>, %s: memref<?xf32>, %n: index, %m: index, %groups: index) {
  kernel.launch @k (%A[%N, %M] = %a : memref<?x?xf32>, %N = %n : index, %M = %m : index, %G = %groups : index) outs (%S[%N] = %s : memref<?xf32>)
      schedule #kernel.schedule<i = [seq, unroll 2], split boundary> {
    %z = arith.constant 0.0 : f32
    // CHECK: kernel.for "i.0"
    // CHECK:   kernel.for "i.1" (%{{.*}}) in 2 at unroll
    // CHECK:     kernel.load %A[%{{.*}}, %{{.*}}] : memref
    // CHECK:     kernel.store %{{.*}}, %S[%{{.*}}] : memref
    // CHECK: kernel.for "i.0"
    // CHECK:   kernel.for "i.1" (%{{.*}}) in 2 at seq
    // CHECK:     kernel.load %A[%{{.*}}, %{{.*}}] if
    // CHECK:     kernel.store %{{.*}}, %S[%{{.*}}] if
    // CHECK-NOT: kernel.for "i.0"
    // CHECK: return
    kernel.for "i.0" (%g) in %G at seq {
      kernel.for "i.1" (%u) in 2 at unroll {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%g, %u)
        %in = arith.cmpi slt, %i, %N : index
        %r = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
          %v = kernel.load %A[%i, %j] if %in : memref<?x?xf32>
          kernel.yield %v : f32
        }
        kernel.store %r, %S[%i] if %in : memref<?xf32>
      }
    }
  }
  return
}

// -----

// Errors tell the index of the loop: it stays one.
// CHECK-LABEL: @check
// CHECK:      kernel.for "i.0" (%[[K:.*]]) in %{{.*}} at seq {
// CHECK:        %[[IN:.*]] = arith.cmpi slt, %[[K]]
// CHECK:        scf.if %[[IN]] {
// CHECK-NOT:      arith.cmpi slt
// CHECK:        } else {
// CHECK:          kernel.for "i.1" {{.*}} in 4 at seq
// CHECK-NOT:  kernel.for "i.0"
// CHECK: return
func.func @check(%x: memref<?xi32>, %h: memref<8xi32>, %n: index) attributes {kernel.device = #kernel.device<"cuda", {}>} {
  kernel.launch @k (%N = %n : index, %X[%N] = %x : memref<?xi32>) outs (%H[8] = %h : memref<8xi32>) schedule #kernel.schedule<i = [seq, vector 4], split boundary> {
    %c8 = arith.constant 8 : index
    %one = arith.constant 1 : i32
    %steps = affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%N)
    kernel.for "i.0" (%k) in %steps at seq {
      kernel.for "i.1" (%v) in 4 at vector {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%k, %v)
        %in = arith.cmpi slt, %i, %N : index
        scf.if %in {
          %key = kernel.load %X[%i] : memref<?xi32>
          %bin = arith.index_cast %key : i32 to index
          %ok = arith.cmpi ult, %bin, %c8 : index
          kernel.check index %ok, "outside"
          kernel.update %one, %H[%bin] if %ok : memref<8xi32> by arith.addi
        } {kernel.tail}
      }
    }
  }
  return
}

// -----

// What holds near the start of a dimension does not hold inside of it, whatever
// the words: neither `i < 1` nor `i == 0`; `i >= 1` does.
// CHECK-LABEL: @starts
func.func @starts(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) schedule #kernel.schedule<i = [seq], split boundary> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %three = arith.constant 3.0 : f32
    // CHECK-DAG: %[[TWO:.*]] = arith.constant 2.0
    // CHECK-DAG: %[[TEN:.*]] = arith.constant 1.0{{.*}}e+01
    // CHECK: kernel.for "i.0"
    // CHECK:   arith.select
    // CHECK: kernel.for "i.0"
    // CHECK:   kernel.for "i.1"
    // CHECK-NOT: arith.cmpi
    // CHECK-NOT: arith.select
    // CHECK:     kernel.store %[[TEN]]
    // CHECK: kernel.for "i.0"
    // CHECK:   arith.select
    // CHECK: return
    %ten = arith.constant 10.0 : f32
    kernel.for "i.0" (%i) in %N at seq {
      kernel.for "i.1" (%l) in 4 at vector {
        %j = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%i, %l)
        %first = arith.cmpi slt, %j, %c1 : index
        %zero = arith.cmpi eq, %j, %c0 : index
        %later = arith.cmpi sge, %j, %c1 : index
        %last = arith.cmpi sge, %j, %N : index
        %a = arith.select %later, %ten, %two : f32
        %b = arith.select %zero, %one, %a : f32
        %c = arith.select %first, %three, %b : f32
        %d = arith.select %last, %two, %c : f32
        kernel.store %d, %X[%j] : memref<?xf32>
      }
    }
  }
  return
}

// -----

// Where a fold ends on a device, a thread asks for 16 words at a time, as many
// times as some are left.
// CHECK-LABEL: @parts
// CHECK: kernel.for "k.0" (%{{.*}}) in %{{.*}} at seq reduce
// CHECK:   kernel.for "k.1" (%{{.*}}) in 64 at unroll
// CHECK: kernel.for "k.0" (%{{.*}}) in %{{.*}} at seq reduce
// CHECK:   %[[LEFT:.*]] = arith.maxsi
// CHECK:   %[[PARTS:.*]] = affine.apply #{{.*}}(%[[LEFT]])
// CHECK:   %[[MOST:.*]] = arith.minsi %[[PARTS]], %c4
// CHECK:   kernel.for "k.1" (%{{.*}}) in %[[MOST]] at seq reduce
// CHECK:     kernel.for "k.1" (%{{.*}}) in 16 at unroll reduce
// CHECK:       kernel.load %{{.*}} if
module attributes {kernel.device = #kernel.device<"cuda">} {
func.func @parts(%x: memref<?xf32>, %s: memref<f32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%S = %s : memref<f32>)
      schedule #kernel.schedule<k = [seq, unroll 64], order = [k.0, k.1], split boundary> {
    %z = arith.constant 0.0 : f32
    %steps = affine.apply affine_map<(d0) -> (d0 ceildiv 64)>(%N)
    %r = kernel.for "k.0" (%k) in %steps at seq reduce (%z : f32) by arith.addf {
      %t = kernel.for "k.1" (%u) in 64 at unroll reduce (%z : f32) by arith.addf {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 64 + d1)>(%k, %u)
        %in = arith.cmpi slt, %i, %N : index
        %v = kernel.load %X[%i] if %in : memref<?xf32>
        %c = scf.if %in -> (f32) {
          scf.yield %v : f32
        } else {
          scf.yield %z : f32
        } {kernel.tail}
        kernel.yield %c : f32
      }
      kernel.yield %t : f32
    }
    kernel.store %r, %S[] : memref<f32>
  }
  return
}
}

// -----

// Blocks at the end of a dimension of which a thread has one element run the
// others as the interior does.
// CHECK-LABEL: @short_rows
// CHECK:      scf.if %{{.*}} {
// CHECK-NOT:    arith.cmpi
// CHECK:        kernel.store
// CHECK:      } else {
// CHECK:        scf.if %{{.*}} {
// CHECK:          kernel.for "j.1"
// CHECK:            arith.cmpi slt
// CHECK-NEXT:       scf.if
// CHECK-NEXT:         kernel.for "i.1" (%{{.*}}) in 4 at unroll
// CHECK-NOT:            arith.cmpi
// CHECK:                kernel.store
// CHECK:        } else {
// CHECK:          kernel.for "i.1"
// CHECK:            arith.cmpi slt
module attributes {kernel.device = #kernel.device<"cuda">} {
func.func @short_rows(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%Y[%N, %M] = %y : memref<?x?xf32>)
      schedule #kernel.schedule<i = [block.1, unroll 4], j = [block.0, thread.x 32], split boundary> {
    %rows = affine.apply affine_map<()[s0] -> (s0 ceildiv 4)>()[%N]
    %columns = affine.apply affine_map<()[s0] -> (s0 ceildiv 32)>()[%M]
    kernel.for "i.0" (%a) in %rows at block.1 {
      kernel.for "j.0" (%b) in %columns at block.0 {
        kernel.for "j.1" (%t) in 32 at thread.x {
          %j = affine.apply affine_map<(d0, d1) -> (d0 * 32 + d1)>(%b, %t)
          %q = arith.cmpi slt, %j, %M : index
          scf.if %q {
            kernel.for "i.1" (%u) in 4 at unroll {
              %i = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%a, %u)
              %p = arith.cmpi slt, %i, %N : index
              %v = kernel.load %X[%i, %j] if %p : memref<?x?xf32>
              scf.if %p {
                %e = math.exp %v : f32
                kernel.store %e, %Y[%i, %j] : memref<?x?xf32>
              } {kernel.tail}
            }
          } {kernel.tail}
        }
      }
    }
  }
  return
}
}

// -----

// So do blocks at the end of a dimension, in maps and in folds: loads of all
// four rows go out before the first store asks whether there is a row. A fold
// of rows of three words takes four of eight together.
// CHECK-LABEL: @ends_of_blocks
// CHECK: scf.if
// CHECK: } else {
// CHECK:   kernel.for "i.1" (%{{.*}}) in 4 at unroll {
// CHECK:     kernel.load %{{.*}} if
// CHECK:     scf.if
// CHECK:       kernel.store
module attributes {kernel.device = #kernel.device<"cuda">} {
func.func @ends_of_blocks(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%Y[%N, %M] = %y : memref<?x?xf32>)
      schedule #kernel.schedule<i = [block.1, unroll 4], j = [block.0, thread.x 32], split boundary> {
    %rows = affine.apply affine_map<()[s0] -> (s0 ceildiv 4)>()[%N]
    %columns = affine.apply affine_map<()[s0] -> (s0 ceildiv 32)>()[%M]
    kernel.for "i.0" (%a) in %rows at block.1 {
      kernel.for "j.0" (%b) in %columns at block.0 {
        kernel.for "j.1" (%t) in 32 at thread.x {
          kernel.for "i.1" (%u) in 4 at unroll {
            %i = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%a, %u)
            %j = affine.apply affine_map<(d0, d1) -> (d0 * 32 + d1)>(%b, %t)
            %p = arith.cmpi slt, %i, %N : index
            %q = arith.cmpi slt, %j, %M : index
            %in = arith.andi %p, %q : i1
            %v = kernel.load %X[%i, %j] if %in : memref<?x?xf32>
            scf.if %in {
              %e = math.exp %v : f32
              kernel.store %e, %Y[%i, %j] : memref<?x?xf32>
            } {kernel.tail}
          }
        }
      }
    }
  }
  return
}
}

// -----

// CHECK-LABEL: @ends_of_folds
// CHECK: scf.if
// CHECK:   kernel.for "k.1" (%{{.*}}) in 8 at unroll
// CHECK: } else {
// CHECK:   kernel.for "k.1" (%{{.*}}) in 2 at seq reduce
// CHECK:     kernel.for "k.1" (%{{.*}}) in 4 at unroll reduce
// CHECK-COUNT-3: kernel.load %{{.*}} if
module attributes {kernel.device = #kernel.device<"cuda">} {
func.func @ends_of_folds(%x: memref<?x?x3xf32>, %s: memref<?x?xf32>, %n: index, %m: index) {
  %blocks = affine.apply affine_map<()[s0] -> (s0 ceildiv 8)>()[%m]
  kernel.launch @k (%N = %n : index, %M = %m : index, %B = %blocks : index, %X[%N, %M, 3] = %x : memref<?x?x3xf32>) outs (%S[%N, %B] = %s : memref<?x?xf32>)
      schedule #kernel.schedule<i = [block.0, thread.x 32], k = [block.1, unroll 8], split boundary> {
    %z = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %rows = affine.apply affine_map<()[s0] -> (s0 ceildiv 32)>()[%N]
    kernel.for "k.0" (%b) in %B at block.1 {
      kernel.for "i.0" (%a) in %rows at block.0 {
        kernel.for "i.1" (%t) in 32 at thread.x {
          %i = affine.apply affine_map<(d0, d1) -> (d0 * 32 + d1)>(%a, %t)
          %q = arith.cmpi slt, %i, %N : index
          %r = kernel.for "k.1" (%u) in 8 at unroll reduce (%z : f32) by arith.addf {
            %k = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%b, %u)
            %p = arith.cmpi slt, %k, %M : index
            %in = arith.andi %p, %q : i1
            %v0 = kernel.load %X[%i, %k, %c0] if %in : memref<?x?x3xf32>
            %v1 = kernel.load %X[%i, %k, %c1] if %in : memref<?x?x3xf32>
            %v2 = kernel.load %X[%i, %k, %c2] if %in : memref<?x?x3xf32>
            %c = scf.if %in -> (f32) {
              %d = arith.divf %v0, %v1 : f32
              %e = arith.mulf %d, %v2 : f32
              scf.yield %e : f32
            } else {
              scf.yield %z : f32
            } {kernel.tail}
            kernel.yield %c : f32
          }
          scf.if %q {
            kernel.store %r, %S[%i, %b] : memref<?x?xf32>
          }
        }
      }
    }
  }
  return
}
}

// -----

// An index that a condition or a bound chooses is plain inside, and so are the
// conditions and edges that it takes part in.
// CHECK-LABEL: @choices
func.func @choices(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>)
      schedule #kernel.schedule<i = [seq], split boundary> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %last = arith.subi %N, %c1 : index
    // CHECK: kernel.for "i.0"
    // CHECK: arith.select
    // CHECK: kernel.for "i.0"
    // CHECK-NOT: arith.cmpi
    // CHECK-NOT: arith.select
    // CHECK-NOT: arith.minsi
    // CHECK-NOT: arith.maxsi
    // CHECK: kernel.load %{{[A-Za-z0-9_]+}}[%{{[0-9]+}}] : memref
    // CHECK: kernel.store
    // CHECK: kernel.for "i.0"
    // CHECK: arith.select
    kernel.for "i.0" (%i) in %N at seq {
      kernel.for "i.1" (%l) in 4 at vector {
        %j = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%i, %l)
        %in = arith.cmpi slt, %j, %N : index
        %left = arith.cmpi eq, %j, %c0 : index
        %k = arith.select %left, %c1, %j : index
        %right = arith.cmpi eq, %k, %last : index
        %m = arith.select %right, %c1, %k : index
        %before = affine.apply affine_map<(d0) -> (d0 - 1)>(%m)
        %low = arith.minsi %before, %last : index
        %at = arith.maxsi %low, %c0 : index
        %v = kernel.load %X[%at] edge [clamp] if %in : memref<?xf32>
        kernel.store %v, %Y[%j] if %in : memref<?xf32>
      }
    }
  }
  return
}

// -----

// `j + w < N` says the same as `j < N - w` where w counts elements: with 2^63 - 1
// the difference comes back from the other end. Sizes and indices need no question.
// CHECK-LABEL: @number_of_the_program
func.func @number_of_the_program(%x: memref<?xf32>, %n: index, %w: index) {
  kernel.launch @k (%N = %n : index, %W = %w : index) outs (%X[%N] = %x : memref<?xf32>) schedule #kernel.schedule<i = [seq], split boundary> {
    // CHECK: %[[LOW:.*]] = arith.cmpi sle, %W, %{{.*}}
    // CHECK: %[[HIGH:.*]] = arith.cmpi sge, %W, %{{.*}}
    // CHECK: %[[COUNTS:.*]] = arith.andi %[[LOW]], %[[HIGH]]
    // CHECK: arith.select %[[COUNTS]]
    // CHECK: kernel.for "i.0"
    // CHECK: kernel.for "i.0"
    // CHECK: return
    kernel.for "i.0" (%i) in %N at seq {
      kernel.for "i.1" (%l) in 4 at vector {
        %z = arith.constant 0.0 : f32
        %j = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%i, %l)
        %p = arith.addi %j, %W : index
        %in = arith.cmpi slt, %p, %N : index
        kernel.store %z, %X[%j] if %in : memref<?xf32>
      }
    }
  }
  return
}

// -----

// What has a share in both sides may wrap as well, though the difference has none.
// CHECK-LABEL: @share_of_both_sides
func.func @share_of_both_sides(%x: memref<?xf32>, %q: memref<?xindex>, %n: index) {
  kernel.launch @k (%N = %n : index, %Q[%N] = %q : memref<?xindex>) outs (%X[%N] = %x : memref<?xf32>) schedule #kernel.schedule<i = [seq], split boundary> {
    // CHECK: kernel.for "i.0"
    // CHECK-NOT: kernel.for "i.0"
    // CHECK: return
    kernel.for "i.0" (%i) in %N at seq {
      kernel.for "i.1" (%l) in 4 at vector {
        %z = arith.constant 0.0 : f32
        %j = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%i, %l)
        %v = kernel.load %Q[%j] : memref<?xindex>
        %p = arith.addi %j, %v : index
        %r = arith.addi %N, %v : index
        %in = arith.cmpi slt, %p, %r : index
        kernel.store %z, %X[%j] if %in : memref<?xf32>
      }
    }
  }
  return
}

// -----

// Backwards: what falls with the index has its interior as well, in front of
// where it gets below 0.
// CHECK-LABEL: @backwards
func.func @backwards(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index, %X[%N] = %x : memref<?xf32>) outs (%Y[%N] = %y : memref<?xf32>) schedule #kernel.schedule<i = [seq], split boundary> {
    // CHECK: kernel.for "i.0"
    // CHECK:   kernel.load %X{{.*}} edge [clamp]
    // CHECK: kernel.for "i.0"
    // CHECK:   kernel.load %X[%{{.*}}] : memref
    // CHECK: kernel.for "i.0"
    // CHECK:   kernel.load %X{{.*}} edge [clamp]
    // CHECK: return
    kernel.for "i.0" (%i) in %N at seq {
      kernel.for "i.1" (%l) in 4 at vector {
        %j = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%i, %l)
        %p = affine.apply affine_map<(d0)[s0] -> (s0 + 1 - d0)>(%j)[%N]
        %v = kernel.load %X[%p] edge [clamp] : memref<?xf32>
        kernel.store %v, %Y[%j] : memref<?xf32>
      }
    }
  }
  return
}

// -----

// A comparison without signs asks for both ends of an array: loads that give a
// number outside of it have an interior.
// CHECK-LABEL: @filled
func.func @filled(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index, %X[%N] = %x : memref<?xf32>) outs (%Y[%N] = %y : memref<?xf32>) schedule #kernel.schedule<i = [seq], split boundary> {
    %z = arith.constant 7.0 : f32
    // CHECK: kernel.for "i.0"
    // CHECK:   arith.cmpi ult
    // CHECK: kernel.for "i.0"
    // CHECK-NOT: arith.cmpi
    // CHECK:   %[[V:.*]] = kernel.load %X[%{{.*}}] : memref
    // CHECK-NEXT: kernel.store %[[V]]
    // CHECK: kernel.for "i.0"
    // CHECK:   arith.cmpi ult
    // CHECK: return
    kernel.for "i.0" (%i) in %N at seq {
      kernel.for "i.1" (%l) in 4 at vector {
        %j = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%i, %l)
        %p = affine.apply affine_map<(d0) -> (d0 - 2)>(%j)
        %in = arith.cmpi ult, %p, %N : index
        %e = kernel.load %X[%p] if %in : memref<?xf32>
        %v = arith.select %in, %e, %z : f32
        kernel.store %v, %Y[%j] : memref<?xf32>
      }
    }
  }
  return
}

// -----

// Four lanes are never all within three elements.
// CHECK-LABEL: @short
func.func @short(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index, %X[%N] = %x : memref<?xf32>) outs (%Y[%N] = %y : memref<?xf32>) schedule #kernel.schedule<i = [seq], split boundary> {
    // CHECK-COUNT-1: kernel.for "i.0"
    // CHECK-NOT: kernel.for "i.0"
    // CHECK: return
    %z = arith.constant 7.0 : f32
    %c3 = arith.constant 3 : index
    kernel.for "i.0" (%i) in %N at seq {
      kernel.for "i.1" (%l) in 4 at vector {
        %j = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%i, %l)
        %in = arith.cmpi ult, %j, %c3 : index
        %e = kernel.load %X[%j] if %in : memref<?xf32>
        %v = arith.select %in, %e, %z : f32
        kernel.store %v, %Y[%j] : memref<?xf32>
      }
    }
  }
  return
}
