// RUN: arr-opt %s --kernel-plan-schedules="device=cuda" --split-input-file | FileCheck %s
// RUN: not arr-opt %s --kernel-plan-schedules="device=abacus" --split-input-file 2>&1 | FileCheck %s --check-prefix=NAME
// The result is legal text for the passes that apply it.
// RUN: arr-opt %s --kernel-plan-schedules="device=opencl" --kernel-expand-versions --kernel-split-loops --kernel-order-loops --kernel-mask-tails --canonicalize --kernel-split-boundary --kernel-jam-loops --split-input-file -o /dev/null

// NAME: no device is called 'abacus'

// Nothing runs in parallel.
// CHECK-LABEL: @no_loops
// CHECK: kernel.launch
// CHECK-NOT: schedule
func.func @no_loops(%y: memref<f32>) {
  kernel.launch @k () outs (%Y[] = %y : memref<f32>) {
    %z = arith.constant 0.0 : f32
    kernel.store %z, %Y[] : memref<f32>
  }
  return
}

// -----

// A written schedule stays.
// CHECK-LABEL: @no_second_schedule
// CHECK: schedule #kernel.schedule<i = [block.0]>
func.func @no_second_schedule(%y: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) schedule #kernel.schedule<i = [block.0]> {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N { kernel.store %z, %Y[%i] : memref<?xf32> }
  }
  return
}

// -----

// Accesses of 16 bytes, two of them before the first use.
// CHECK-LABEL: @map
// CHECK-SAME: {
// CHECK: schedule #kernel.schedule<i = [block.0, unroll 2, thread.x 256, vector 4], order = [i.0, i.2, i.1, i.3], split boundary>
func.func @map(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.store %v, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// Neighbours at odd distances are no vectors.
// CHECK-LABEL: @shifted
// CHECK: schedule #kernel.schedule<i = [block.0, unroll 4, thread.x 256], order = [i.0, i.2, i.1], split boundary>
func.func @shifted(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    kernel.for "i" (%i) in %N {
      %m = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
      %v = kernel.load %X[%m] edge [clamp] : memref<?xf32>
      kernel.store %v, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// A fold: blocks of spans of neighbours, each step of a thread one tree; short
// arrays spread over the device, and threads ask for more of long ones.
// CHECK: #set = affine_set<()[s0] : (-s0 + 8650752 >= 0)>
// CHECK: #set1 = affine_set<()[s0] : (-s0 + 67108864 >= 0)>
// CHECK-LABEL: @sum
// CHECK: versions [<when = #set, i = [block.0, unroll 4, thread.x 256, vector 4], order = [i.0, i.2, i.1, i.3], split boundary{{(, index 32)?}}>,
// CHECK-SAME: <when = #set1, i = [block.0, seq 8, unroll 4, thread.x 256, vector 4], order = [i.0, i.3, i.1, i.2, i.4], split boundary{{(, index 32)?}}>,
// CHECK-SAME: <i = [block.0, seq 4, unroll 16, thread.x 256, vector 4], order = [i.0, i.3, i.1, i.2, i.4], split boundary{{(, index 32)?}}>] of (%N)
func.func @sum(%x: memref<?xf32>, %s: memref<f32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%S[] = %s : memref<f32>) {
    %z = arith.constant 0.0 : f32
    %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.yield %v : f32
    }
    kernel.store %r, %S[] : memref<f32>
  }
  return
}

// -----

// An operator that does not commute keeps the order of the index.
// CHECK-LABEL: @last_one
// CHECK: schedule #kernel.schedule<i = [block.0 1056, thread.x 256, seq], order = [i.0, i.1, i.2], split boundary>
func.func @last_one(%x: memref<?xf32>, %s: memref<f32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%S[] = %s : memref<f32>) {
    %z = arith.constant 0.0 : f32
    %r = kernel.for "i" (%i) in %N reduce (%z : f32) by (%a: f32, %b: f32) {
      %h = arith.subf %b, %b : f32
      %w = arith.addf %b, %h : f32
      kernel.yield %w : f32
    } {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.yield %v : f32
    }
    kernel.store %r, %S[] : memref<f32>
  }
  return
}

// -----

// Rows: by how many there are and how long a thread, several threads or a block
// each; few long ones have several blocks, whose partial results are folded
// afterwards.
// CHECK-LABEL: @rows
// CHECK: versions [<when = #set, i = [block.0, thread.x 256], j = [seq, seq 16, unroll {{[0-9]+}}], split boundary, index 32, deal threads>
// CHECK-SAME: i = [block.0, thread.y {{[0-9]+}}], j = [seq, seq 16, unroll {{[0-9]+}}, thread.x {{[0-9]+}}], order = [i.0, i.1, j.3, j.0, j.1, j.2]
// CHECK-SAME: i = [block.0], j = [seq, seq 16, unroll {{[0-9]+}}, thread.x 256], order = [i.0, j.3, j.0, j.1, j.2]
// CHECK-SAME: i = [block.0], j = [block.1, seq {{[0-9]+}}, unroll {{[0-9]+}}, thread.x 256], order = [j.0, i.0, j.3, j.1, j.2]
// CHECK-SAME: of (%N, %M)
func.func @rows(%x: memref<?x?xf32>, %s: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%S[%N] = %s : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %r = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %r, %S[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// Columns: 16 bytes a thread where rows are aligned; one thread walks down where
// there are enough columns, else threads and blocks share the rows. Few columns
// are finished by the last block, narrow ones with as many lanes as they need.
// CHECK: #set = affine_set<()[s0, s1] : (-(s0 mod 4) >= 0, s0 - 270336 >= 0)>
// CHECK: #set1 = affine_set<()[s0, s1] : (-s0 + 4 >= 0)>
// CHECK: #set2 = affine_set<()[s0, s1] : (-(s0 mod 4) >= 0, -s0 + 8 >= 0)>
// CHECK: #set5 = affine_set<()[s0, s1] : (-(s0 mod 4) >= 0, -s0 + 64 >= 0)>
// CHECK: #set6 = affine_set<()[s0, s1] : (-s0 + 8 >= 0)>
// CHECK: #set8 = affine_set<()[s0, s1] : (-s0 + 32 >= 0)>
// CHECK: #set9 = affine_set<()[s0, s1] : (s0 - 270336 >= 0)>
// CHECK: #set10 = affine_set<()[s0, s1] : (-s0 + 1024 >= 0, s1 - 8192 >= 0)>
// CHECK: #set11 = affine_set<()[s0, s1] : (s1 - 512 >= 0)>
// CHECK: #set12 = affine_set<()[s0, s1] : (-s1 + 32 >= 0)>
// CHECK-LABEL: @columns
// CHECK: versions [<when = #set, j = [block.0, thread.x 128, vector 4], i = [seq, seq 16, unroll 8], order = [j.0, j.1, j.2, i.0, i.1, i.2]
// CHECK-SAME: <when = #set1, j = [vector 4], i = [seq, seq 16, block.0 528, unroll 6, thread.y 256], order = [i.2, j.0, i.4, i.0, i.1, i.3]
// CHECK-SAME: <when = #set2, j = [thread.x 2, vector 4], i = [seq, seq 16, block.0 528, unroll 6, thread.y 128], order = [i.2, j.0, j.1, i.4, i.0, i.1, i.3]
// CHECK-SAME: <when = #set5, j = [thread.x 16, vector 4], i = [seq, seq 16, block.0 528, unroll 6, thread.y 16]
// CHECK-SAME: <when = #set6, j = [thread.x 8], i = [seq, seq 16, block.0 528, unroll 24, thread.y 32], order = [i.2, j.0, i.4, i.0, i.1, i.3]
// CHECK-SAME: <when = #set8, j = [thread.x 32], i = [seq, seq 16, block.0 528, unroll 24, thread.y 8]
// CHECK-SAME: <when = #set9, j = [block.0, thread.x 256], i = [seq, seq 16, unroll 8]
// CHECK-SAME: <when = #set10, j = [block.0, thread.x 32], i = [seq, seq 16, block.1 528, unroll 8, thread.y 8], order = [i.2, j.0, j.1, i.4, i.0, i.1, i.3]
// CHECK-SAME: <when = #set11, j = [block.0, thread.x 32], i = [seq, seq 16, block.1 32, unroll 8, thread.y 8]
// CHECK-SAME: <when = #set12, j = [block.0, thread.x 256], i = [seq, seq 16, unroll 4]
// CHECK-SAME: <j = [block.0, thread.x 32], i = [seq, seq 16, unroll 8, thread.y 8]
func.func @columns(%x: memref<?x?xf32>, %s: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%S[%M] = %s : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %r, %S[%j] : memref<?xf32>
    }
  }
  return
}

// -----

// A loop in each thread under a condition of its own: one thread a row.
// CHECK-LABEL: @no_lanes_under_a_while
// CHECK: schedule #kernel.schedule<i = [block.0, thread.x 128], order = [i.0, i.1], split boundary>
func.func @no_lanes_under_a_while(%x: memref<?x?xf32>, %s: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%S[%N] = %s : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    kernel.for "i" (%i) in %N {
      %w = scf.while (%t = %z) : (f32) -> f32 {
        %c = arith.cmpf olt, %t, %one : f32
        scf.condition(%c) %t : f32
      } do {
      ^bb0(%t: f32):
        %r = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
          %v = kernel.load %X[%i, %j] : memref<?x?xf32>
          kernel.yield %v : f32
        }
        %u = arith.addf %r, %one : f32
        scf.yield %u : f32
      }
      kernel.store %w, %S[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// Each root loop is a grid of its own: names are not shared between them.
// CHECK-LABEL: @two_roots
// CHECK-SAME: {
// CHECK: schedule #kernel.schedule<i = [seq, seq 16, block.0 1056, unroll 4, thread.x 256, vector 4], i_2 = [block.0, unroll 2, thread.x 256, vector 4],
// CHECK: kernel.for "i" (
// CHECK: kernel.for "i_2" (
func.func @two_roots(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.yield %v : f32
    }
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      %w = arith.divf %v, %r : f32
      kernel.store %w, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// The host does not know how long this is: a fixed number of blocks.
// CHECK-LABEL: @loaded_extent
// CHECK: schedule #kernel.schedule<i = [seq, block.0 1056, thread.x 256, vector 4], order = [i.1, i.2, i.3, i.0], split boundary>
func.func @loaded_extent(%x: memref<?xf32>, %l: memref<index>, %y: memref<?xf32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %L[] = %l : memref<index>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %m = kernel.load %L[] : memref<index>
    kernel.for "i" (%i) in %m {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.store %v, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// Long ones by blocks that fill a multiprocessor.
// CHECK: affine_set<()[s0] : (s0 - 8650752 >= 0)>
// CHECK-LABEL: @scan
// CHECK: versions [<when = #{{.*}}, i = [block.0, thread.y 32, unroll 8, thread.x 32, vector 4], order = [i.0, i.1, i.2, i.3, i.4]{{(, index 32)?}}>, <i = [block.0, thread.y 8, unroll 8, thread.x 32, vector 4], order = [i.0, i.1, i.2, i.3, i.4]{{(, index 32)?}}>] of (%N)
func.func @scan(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    %t = kernel.for "i" (%i) in %N scan (%z : f32) by arith.addf {
      %v = kernel.load %X[%i] : memref<?xf32>
      %p = kernel.prefix %v : f32
      kernel.store %p, %Y[%i] : memref<?xf32>
    }
  }
  return
}
