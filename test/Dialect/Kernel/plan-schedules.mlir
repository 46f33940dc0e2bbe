// RUN: arr-opt %s --kernel-plan-schedules | FileCheck %s

// CHECK-DAG: #[[FEW:.*]] = affine_set<()[s0, s1, s2] : (s1 - 1024 >= 0, -s2 + 16 >= 0, s0 - 4096 >= 0)>
// CHECK-DAG: #[[WIDE:.*]] = affine_set<()[s0, s1, s2] : (s1 - 1024 >= 0, s0 - 4096 >= 0)>
// CHECK-DAG: #[[LONG:.*]] = affine_set<()[s0, s1, s2] : (s1 - 1024 >= 0, s2 - 8 >= 0, s0 - 128 >= 0)>
module attributes {kernel.device = #kernel.device<"cpu", {vector_bytes = 64}>} {

// Blocks of a scan at the root fold first, and scan when all have.
// CHECK-LABEL: @root_scan
func.func @root_scan(%x: memref<?xf32>, %n: index) {
  // CHECK: schedule #kernel.schedule<i = [block.0, seq 1024, vector 16], order = [i.0, i.1, i.2], split boundary>
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    %t = kernel.for "i" (%i) in %N scan (%z : f32) by arith.addf {
      %v = kernel.load %X[%i] : memref<?xf32>
      %p = kernel.prefix %v : f32
      kernel.store %p, %X[%i] : memref<?xf32>
    }
  }
  return
}

// Nothing is contiguous.
// CHECK-LABEL: @no_gather
func.func @no_gather(%x: memref<?x4xf32>, %y: memref<?x4xf32>, %n: index) {
  // CHECK-NOT: schedule
  kernel.launch @k (%X[%N, 4] = %x : memref<?x4xf32>, %N = %n : index) outs (%Y[%N, 4] = %y : memref<?x4xf32>) {
    %c0 = arith.constant 0 : index
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i, %c0] : memref<?x4xf32>
      kernel.store %v, %Y[%i, %c0] : memref<?x4xf32>
    }
  }
  return
}

// The digits of a fold that does not commute stay in order, and so do those of
// other loops over its dimension.
// CHECK-LABEL: @no_commute
func.func @no_commute(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  // CHECK: versions [<when = #{{.*}}, i = [block.0], j = [seq, seq 32, seq 32, unroll 4, vector 16], order = [i.0, j.0, j.1, j.2, j.3, j.4], split boundary>,
  // CHECK-NOT: j.1, j.0
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %t = kernel.for "j" (%j) in %M reduce (%z : f32) by (%a: f32, %b: f32) {
        %zero = arith.cmpf oeq, %b, %b : f32
        %s = arith.select %zero, %b, %a : f32
        kernel.yield %s : f32
      } {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      %u = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.for "j" (%j) in %M {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %p = arith.addf %v, %t : f32
        %q = arith.addf %p, %u : f32
        kernel.store %q, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// A person's schedule stays.
// CHECK-LABEL: @no_change
func.func @no_change(%x: memref<?xf32>, %n: index) {
  // CHECK: schedule #kernel.schedule<i = [block.0, seq 7]>
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) schedule #kernel.schedule<i = [block.0, seq 7]> {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.store %v, %X[%i] : memref<?xf32>
    }
  }
  return
}

// CHECK-LABEL: @map
func.func @map(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  // CHECK: schedule #kernel.schedule<i = [block.0, seq 1024, vector 16], order = [i.0, i.2, i.1], split boundary>
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.store %v, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// Wider elements, fewer lanes; little work, one worker.
// CHECK-LABEL: @small_map
func.func @small_map(%x: memref<1000xf64>, %y: memref<1000xf64>) {
  // CHECK: schedule #kernel.schedule<i = [seq, vector 8], order = [i.1, i.0], split boundary>
  kernel.launch @k (%X[1000] = %x : memref<1000xf64>) outs (%Y[1000] = %y : memref<1000xf64>) {
    kernel.for "i" (%i) in 1000 {
      %v = kernel.load %X[%i] : memref<1000xf64>
      kernel.store %v, %Y[%i] : memref<1000xf64>
    }
  }
  return
}

// CHECK-LABEL: @sum
func.func @sum(%x: memref<?xf32>, %s: memref<f32>, %n: index) {
  // CHECK: schedule #kernel.schedule<i = [block.0, seq 8, seq 32, unroll 4, vector 16], order = [i.0, i.4, i.3, i.1, i.2], split boundary>
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%S = %s : memref<f32>) {
    %z = arith.constant 0.0 : f32
    %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.yield %v : f32
    }
    kernel.store %r, %S[] : memref<f32>
  }
  return
}

// Rows of 2, 3, 4 and 8 elements are read at once, others shorter than one step
// of the accumulators element by element.
// CHECK-LABEL: @row_sums
func.func @row_sums(%a: memref<?x?xf32>, %s: memref<?xf32>, %n: index, %m: index) {
  // CHECK: versions [<when = #{{.*}}, i = [seq], j = [block.0 128, seq, seq 32, unroll 4, vector 16], order = [j.0, i.0, j.4, j.3, j.1, j.2], split boundary>,
  // CHECK-SAME: <when = #{{.*}}, i = [block.0], j = [seq, seq 32, seq 32, unroll 4, vector 16], order = [i.0, j.4, j.3, j.0, j.1, j.2], split boundary>,
  // CHECK-SAME: <when = #{{.*}}, i = [block.0, seq 128, vector 16], j = [seq, unroll 2], order = [i.0, i.2, i.1, j.0, j.1], split boundary>,
  // CHECK-SAME: <when = #{{.*}}, i = [block.0, seq 128, vector 16], j = [seq, unroll 3], order = [i.0, i.2, i.1, j.0, j.1], split boundary>,
  // CHECK-SAME: <when = #{{.*}}, i = [block.0, seq 128, vector 16], j = [seq, unroll 4], order = [i.0, i.2, i.1, j.0, j.1], split boundary>,
  // CHECK-SAME: <when = #{{.*}}, i = [block.0, seq 128, vector 16], j = [seq, unroll 8], order = [i.0, i.2, i.1, j.0, j.1], split boundary>,
  // CHECK-SAME: <when = #{{.*}}, i = [block.0], j = [seq, unroll 4, vector 16], order = [i.0, j.2, j.1, j.0], split boundary>,
  // CHECK-SAME: <i = [block.0, seq 32, vector 16], j = [seq], order = [i.0, i.2, i.1, j.0], split boundary>] of (%N, %M)
  kernel.launch @k (%A[%N, %M] = %a : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%S[%N] = %s : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %r = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %A[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %r, %S[%i] : memref<?xf32>
    }
  }
  return
}

// Whole rows, four at a time: many rows in blocks, few by tiles of columns.
// CHECK-LABEL: @column_sums
func.func @column_sums(%a: memref<?x?xf32>, %s: memref<?xf32>, %n: index, %m: index) {
  // CHECK: versions [<when = #{{.*}}, i = [block.0 128, seq, seq 32, vector 16], j = [seq, unroll 2], order = [i.0, i.1, j.0, j.1, i.3, i.2], split boundary>,
  // CHECK-SAME: <when = #{{.*}}, i = [block.0 128, seq, seq 32, vector 16], j = [seq, unroll 3], order = [i.0, i.1, j.0, j.1, i.3, i.2], split boundary>,
  // CHECK-SAME: <when = #{{.*}}, i = [block.0 128, seq, seq 32, vector 16], j = [seq, unroll 4], order = [i.0, i.1, j.0, j.1, i.3, i.2], split boundary>,
  // CHECK-SAME: <when = #{{.*}}, i = [block.0 128, seq, seq 32, vector 16], j = [seq, unroll 8], order = [i.0, i.1, j.0, j.1, i.3, i.2], split boundary>,
  // CHECK-SAME: <when = #{{.*}}, i = [block.0 128, seq, seq 128, unroll 4], j = [seq, vector 16], order = [i.0, j.1, j.0, i.1, i.2, i.3], split boundary>,
  // CHECK-SAME: <when = #{{.*}}, i = [block.0 128, seq, unroll 4], j = [seq, unroll 2, vector 16], order = [i.0, j.2, j.1, j.0, i.1, i.2], split boundary>,
  // CHECK-SAME: <when = #{{.*}}, i = [block.0 128, seq, unroll 4], j = [seq, unroll 4, vector 16], order = [i.0, j.2, j.1, j.0, i.1, i.2], split boundary>,
  // CHECK-SAME: <when = #{{.*}}, i = [block.0 128, seq, seq 32, vector 16], j = [seq], order = [i.0, i.1, j.0, i.3, i.2], split boundary>,
  // CHECK-SAME: <when = #{{.*}}, i = [block.0 128, seq, unroll 4], j = [seq, vector 16], order = [i.0, i.1, j.1, j.0, i.2], split boundary>,
  // CHECK-SAME: <when = #{{.*}}, j = [block.0, seq 16, unroll 4, vector 16], i = [seq], order = [j.0, j.2, j.3, j.1, i.0], split boundary>,
  // CHECK-SAME: <when = #{{.*}}, j = [block.0, seq 256, vector 16], i = [seq, unroll 4], order = [j.0, i.0, j.2, j.1, i.1], split boundary>,
  // CHECK-SAME: <j = [block.0, seq 64, vector 16], i = [seq, unroll 4], order = [j.0, i.0, j.2, j.1, i.1], split boundary>] of (%N, %M)
  kernel.launch @k (%A[%N, %M] = %a : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%S[%M] = %s : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %A[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %r, %S[%j] : memref<?xf32>
    }
  }
  return
}

// Three columns, known: all at once. Few rows are one worker's.
// CHECK-LABEL: @three_columns
func.func @three_columns(%a: memref<?x3xf32>, %s: memref<3xf32>, %n: index) {
  // CHECK: versions [<when = #{{.*}}, i = [block.0 128, seq, seq 32, vector 16], j = [seq, unroll 3], order = [i.0, i.1, j.0, j.1, i.3, i.2], split boundary>,
  // CHECK-SAME: <i = [seq, vector 16], j = [seq, unroll 3], order = [j.0, j.1, i.1, i.0], split boundary>] of (%N)
  kernel.launch @k (%A[%N, 3] = %a : memref<?x3xf32>, %N = %n : index) outs (%S[3] = %s : memref<3xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in 3 {
      %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %A[%i, %j] : memref<?x3xf32>
        kernel.yield %v : f32
      }
      kernel.store %r, %S[%j] : memref<3xf32>
    }
  }
  return
}

// A part of each row: no row is read as a whole.
// CHECK-LABEL: @parts_of_rows
func.func @parts_of_rows(%a: memref<?x?xf32, strided<[?, 1]>>, %s: memref<?xf32>, %n: index, %m: index) {
  // CHECK-NOT: unroll 3
  // CHECK: return
  kernel.launch @k (%A[%N, %M] = %a : memref<?x?xf32, strided<[?, 1]>>, %N = %n : index, %M = %m : index) outs (%S[%N] = %s : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %r = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %A[%i, %j] : memref<?x?xf32, strided<[?, 1]>>
        kernel.yield %v : f32
      }
      kernel.store %r, %S[%i] : memref<?xf32>
    }
  }
  return
}

// Few rows, known: a few vectors of columns at a time.
// CHECK-LABEL: @few_rows
func.func @few_rows(%a: memref<8x?xf32>, %s: memref<?xf32>, %m: index) {
  // CHECK: schedule #kernel.schedule<j = [block.0, unroll 4, vector 16], i = [seq], order = [j.0, j.1, j.2, i.0], split boundary>
  kernel.launch @k (%A[8, %M] = %a : memref<8x?xf32>, %M = %m : index) outs (%S[%M] = %s : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %r = kernel.for "i" (%i) in 8 reduce (%z : f32) by arith.addf {
        %v = kernel.load %A[%i, %j] : memref<8x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %r, %S[%j] : memref<?xf32>
    }
  }
  return
}

// Rows of a few elements have no lanes.
// CHECK-LABEL: @stencil
func.func @stencil(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %n: index, %m: index) {
  // CHECK: versions [<when = #{{.*}}, i = [block.1], j = [seq], order = [i.0, j.0], split boundary>,
  // CHECK-SAME: <i = [block.1], j = [block.0, seq 1024, vector 16], order = [i.0, j.0, j.2, j.1], split boundary>] of (%M)
  kernel.launch @k (%A[%N, %M] = %a : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%B[%N, %M] = %b : memref<?x?xf32>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %jm = affine.apply affine_map<(d0) -> (d0 - 1)>(%j)
        %v = kernel.load %A[%i, %jm] edge [none, clamp] : memref<?x?xf32>
        kernel.store %v, %B[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// Lanes leave a loop at different times, and wait together for what each reads.
// A step waits for the one before, so two vectors are one.
// CHECK-LABEL: @chains
func.func @chains(%next: memref<?xindex>, %from: memref<?xindex>, %to: memref<?xindex>, %n: index, %m: index) {
  // CHECK: schedule #kernel.schedule<i = [block.0, seq 32, vector 16], order = [i.0, i.2, i.1], split boundary>
  kernel.launch @k (%A[%N] = %next : memref<?xindex>, %X[%M] = %from : memref<?xindex>, %N = %n : index, %M = %m : index) outs (%Y[%M] = %to : memref<?xindex>) {
    %zero = arith.constant 0 : index
    kernel.for "i" (%i) in %M {
      %x = kernel.load %X[%i] : memref<?xindex>
      %end = scf.while (%at = %x) : (index) -> index {
        %go = arith.cmpi ne, %at, %zero : index
        scf.condition(%go) %at : index
      } do {
      ^bb0(%at: index):
        %then = kernel.load %A[%at] : memref<?xindex>
        scf.yield %then : index
      }
      kernel.store %end, %Y[%i] : memref<?xindex>
    }
  }
  return
}

// One operand stays while the rows go on, the other while the lanes do.
// CHECK-LABEL: @product
func.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %n: index, %m: index, %k: index) {
  // CHECK: versions [<when = #{{.*}}, i = [block.1, unroll 4], j = [block.0, vector 4], l = [seq], order = [i.0, j.0, i.1, j.1, l.0], split boundary>,
  // CHECK-SAME: <when = #{{.*}}, i = [block.1, unroll 4], j = [block.0, vector 8], l = [seq], order = [i.0, j.0, i.1, j.1, l.0], split boundary>,
  // CHECK-SAME: <when = #{{.*}}, i = [block.1, unroll 4], j = [block.0, vector 16], l = [seq], order = [i.0, j.0, i.1, j.1, l.0], split boundary>,
  // Many steps: the other operand is read once for few rows, else some steps at
  // a time are added to tiles.
  // CHECK-SAME: <when = #[[FEW]], i = [block.1, seq 16], j = [block.0, seq 32, vector 16], l = [seq, unroll 4], order = [i.0, j.0, l.0, j.2, j.1, i.1, l.1], split boundary>,
  // CHECK-SAME: <when = #[[WIDE]], i = [block.1, seq 16, unroll 4], j = [block.0, seq 8, unroll 2, vector 16], l = [seq, seq 256], order = [i.0, j.0, l.0, j.1, i.1, i.2, j.2, j.3, l.1], split boundary>,
  // CHECK-SAME: <when = #[[LONG]], i = [block.1, seq 16, unroll 4], j = [block.0, unroll 2, vector 16], l = [seq, seq 256], order = [i.0, j.0, l.0, i.1, i.2, j.1, j.2, l.1], split boundary>,
  // CHECK-SAME: <i = [block.1, unroll 4], j = [block.0, unroll 2, vector 16], l = [seq], order = [i.0, j.0, i.1, j.1, j.2, l.0], split boundary>] of (
  kernel.launch @k (%A[%N, %K] = %a : memref<?x?xf32>, %B[%K, %M] = %b : memref<?x?xf32>, %N = %n : index, %M = %m : index, %K = %k : index) outs (%C[%N, %M] = %c : memref<?x?xf32>) {
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

// A scan of each row runs in lanes, and so does one of each column, in lanes of
// its own.

// CHECK-LABEL: @row_scans
func.func @row_scans(%a: memref<?x?xf32>, %s: memref<?x?xf32>, %n: index, %m: index) {
  // CHECK: versions [<when = #{{.*}}, i = [block.0], j = [seq], order = [i.0, j.0], split boundary>,
  // CHECK-SAME: <i = [block.0], j = [seq, vector 16], order = [i.0, j.0, j.1], split boundary>] of (%M)
  kernel.launch @k (%A[%N, %M] = %a : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%S[%N, %M] = %s : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %r = kernel.for "j" (%j) in %M scan (%z : f32) by arith.addf {
        %v = kernel.load %A[%i, %j] : memref<?x?xf32>
        %p = kernel.prefix %v : f32
        kernel.store %p, %S[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// Loads and stores along different dimensions: squares, if both are that long.
// CHECK-LABEL: @transposed
func.func @transposed(%a: memref<?x?xf32>, %s: memref<?x?xf32>, %n: index, %m: index) {
  // CHECK: versions [<when = #{{.*}}, i = [block.1, seq 4, unroll 16], j = [block.0, seq 4, vector 16], order = [i.0, j.0, i.1, j.1, i.2, j.2], split boundary>, <>] of (%M, %N)
  kernel.launch @k (%A[%M, %N] = %a : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%S[%N, %M] = %s : memref<?x?xf32>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %v = kernel.load %A[%j, %i] : memref<?x?xf32>
        kernel.store %v, %S[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: @column_scans
func.func @column_scans(%a: memref<?x?xf32>, %s: memref<?x?xf32>, %n: index, %m: index) {
  // CHECK: versions [<when = #{{.*}}, j = [block.0], i = [seq], order = [j.0, i.0], split boundary>,
  // CHECK-SAME: <when = #{{.*}}, j = [block.0, vector 16], i = [seq], order = [j.0, j.1, i.0], split boundary>,
  // CHECK-SAME: <when = #{{.*}}, j = [block.0, unroll 4, vector 16], i = [seq], order = [j.0, j.1, j.2, i.0], split boundary>,
  // CHECK-SAME: <j = [block.0, unroll 8, vector 16], i = [seq], order = [j.0, j.1, j.2, i.0], split boundary>] of (%M)
  kernel.launch @k (%A[%N, %M] = %a : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%S[%N, %M] = %s : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %r = kernel.for "i" (%i) in %N scan (%z : f32) by arith.addf {
        %v = kernel.load %A[%i, %j] : memref<?x?xf32>
        %p = kernel.prefix %v : f32
        kernel.store %p, %S[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// A fold of folds with the columns around both.

// CHECK-LABEL: @two_axes
func.func @two_axes(%a: memref<?x?x?xf32>, %s: memref<?xf32>, %n: index, %m: index, %k: index) {
  // CHECK: schedule #kernel.schedule<j = [block.0, unroll 4, vector 16], i = [seq, seq 128], l = [seq, seq 128], order = [j.0, j.1, j.2, i.0, i.1, l.0, l.1], split boundary>
  kernel.launch @k (%A[%N, %M, %K] = %a : memref<?x?x?xf32>, %N = %n : index, %M = %m : index, %K = %k : index) outs (%S[%K] = %s : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %K {
      %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
        %q = kernel.for "l" (%l) in %M reduce (%z : f32) by arith.addf {
          %v = kernel.load %A[%i, %l, %j] : memref<?x?x?xf32>
          kernel.yield %v : f32
        }
        kernel.yield %q : f32
      }
      kernel.store %r, %S[%j] : memref<?xf32>
    }
  }
  return
}

// Rows of constant length have the one version that is theirs.

// CHECK-LABEL: @constant_rows
func.func @constant_rows(%a: memref<?x48xf32>, %s: memref<?xf32>, %n: index) {
  // CHECK: schedule #kernel.schedule<i = [block.0, seq 32, unroll 8], j = [seq, vector 4], order = [i.0, i.1, i.2, j.1, j.0], split boundary>
  kernel.launch @k (%A[%N, 48] = %a : memref<?x48xf32>, %N = %n : index) outs (%S[%N] = %s : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %r = kernel.for "j" (%j) in 48 reduce (%z : f32) by arith.addf {
        %v = kernel.load %A[%i, %j] : memref<?x48xf32>
        kernel.yield %v : f32
      }
      kernel.store %r, %S[%i] : memref<?xf32>
    }
  }
  return
}

// Rows within another fold, around what is kept: tiles of results. Where what is
// kept lies outside, rows follow each other anyway.

// CHECK-LABEL: @piled_rows
func.func @piled_rows(%a: memref<?x?x?x?xf32>, %s: memref<?x?xf32>, %n: index, %m: index, %k: index, %l: index) {
  // CHECK: versions [
  // CHECK-SAME: i = [block.1], j = [block.0, seq 512], u = [seq], v = [seq, unroll 4, vector 16], order = [i.0, j.0, u.0, j.1, v.2, v.1, v.0], split boundary>,
  // CHECK-SAME: i = [block.1], j = [block.0, seq 128, unroll 4], u = [seq], v = [seq, vector 4], order = [i.0, j.0, u.0, j.1, j.2, v.1, v.0], split boundary>,
  kernel.launch @k (%A[%N, %M, %K, %L] = %a : memref<?x?x?x?xf32>, %N = %n : index, %M = %m : index, %K = %k : index, %L = %l : index) outs (%S[%N, %K] = %s : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %K {
        %r = kernel.for "u" (%u) in %M reduce (%z : f32) by arith.addf {
          %t = kernel.for "v" (%v) in %L reduce (%z : f32) by arith.addf {
            %x = kernel.load %A[%i, %u, %j, %v] : memref<?x?x?x?xf32>
            kernel.yield %x : f32
          }
          kernel.yield %t : f32
        }
        kernel.store %r, %S[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: @rows_in_order
func.func @rows_in_order(%a: memref<?x?x?x?xf32>, %s: memref<?x?xf32>, %n: index, %m: index, %k: index, %l: index) {
  // CHECK: versions [
  // CHECK-NOT: seq 512
  // CHECK: kernel.for "i"
  kernel.launch @k (%A[%N, %K, %M, %L] = %a : memref<?x?x?x?xf32>, %N = %n : index, %M = %m : index, %K = %k : index, %L = %l : index) outs (%S[%N, %K] = %s : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %K {
        %r = kernel.for "u" (%u) in %M reduce (%z : f32) by arith.addf {
          %t = kernel.for "v" (%v) in %L reduce (%z : f32) by arith.addf {
            %x = kernel.load %A[%i, %j, %u, %v] : memref<?x?x?x?xf32>
            %y = math.absf %x : f32
            kernel.yield %y : f32
          }
          kernel.yield %t : f32
        }
        kernel.store %r, %S[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// A maximum is three numbers on the way: fewer rows have theirs in registers.

// CHECK-LABEL: @constant_row_maxima
func.func @constant_row_maxima(%a: memref<?x48xf32>, %s: memref<?xf32>, %n: index) {
  // CHECK: schedule #kernel.schedule<i = [block.0, seq 32, unroll 4], j = [seq, vector 4], order = [i.0, i.1, i.2, j.1, j.0], split boundary>
  kernel.launch @k (%A[%N, 48] = %a : memref<?x48xf32>, %N = %n : index) outs (%S[%N] = %s : memref<?xf32>) {
    %z = arith.constant 0xFF800000 : f32
    kernel.for "i" (%i) in %N {
      %r = kernel.for "j" (%j) in 48 reduce (%z : f32) by arith.maximumf {
        %v = kernel.load %A[%i, %j] : memref<?x48xf32>
        kernel.yield %v : f32
      }
      kernel.store %r, %S[%i] : memref<?xf32>
    }
  }
  return
}

// A vector of neighbours in the opposite order is turned around: the same as
// one that is not.

// CHECK-LABEL: @backwards
func.func @backwards(%a: memref<?xf32>, %s: memref<f32>, %n: index, %last: index) {
  // CHECK: schedule #kernel.schedule<i = [block.0, seq 8, seq 32, unroll 4, vector 16]
  kernel.launch @k (%A[%N] = %a : memref<?xf32>, %N = %n : index, %L = %last : index) outs (%S = %s : memref<f32>) {
    %z = arith.constant 0.0 : f32
    %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf fastmath<contract> {
      %k = affine.apply affine_map<(d0)[s0] -> (s0 - d0)>(%i)[%L]
      %u = kernel.load %A[%k] : memref<?xf32>
      kernel.yield %u : f32
    }
    kernel.store %r, %S[] : memref<f32>
  }
  return
}

// Where another loop has its neighbours in order, its lanes are better.

// CHECK-LABEL: @convolution
func.func @convolution(%a: memref<?xf32>, %w: memref<?xf32>, %b: memref<?xf32>, %n: index, %m: index, %p: index) {
  // CHECK: k = [block.0, {{.*}}vector 16], l = [seq
  kernel.launch @k (%A[%P] = %a : memref<?xf32>, %W[%M] = %w : memref<?xf32>, %N = %n : index, %M = %m : index, %P = %p : index) outs (%B[%N] = %b : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "k" (%k) in %N {
      %r = kernel.for "l" (%l) in %M reduce (%z : f32) by arith.addf fastmath<contract> {
        %i = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%k, %l)
        %j = affine.apply affine_map<(d0)[s0] -> (s0 - d0 - 1)>(%l)[%M]
        %u = kernel.load %A[%i] : memref<?xf32>
        %v = kernel.load %W[%j] : memref<?xf32>
        %q = arith.mulf %u, %v fastmath<contract> : f32
        kernel.yield %q : f32
      }
      kernel.store %r, %B[%k] : memref<?xf32>
    }
  }
  return
}

}
