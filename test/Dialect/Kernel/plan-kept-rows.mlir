// RUN: arr-opt %s --kernel-plan-schedules --split-input-file | FileCheck %s

module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, shared_bytes = 49152, subgroup = 32, units = 132, vector_bytes = 16}>} {

// A row that is read again stays on chip, by classes of lengths; aligned ones by
// vectors, the shortest of them by as many lanes as they have; other short ones
// by a thread, where the block copies all its rows. Loops over one range have one
// name. Of long rows the exponentials are computed again.
// CHECK: #[[EIGHT:.*]] = affine_set<()[s0, s1] : (-s0 + 8 >= 0, -(s0 mod 4) >= 0)>
// CHECK: #[[EVEN:.*]] = affine_set<()[s0, s1] : (-s0 + 64 >= 0, -(s0 mod 4) >= 0)>
// CHECK: #[[LONG:.*]] = affine_set<()[s0, s1] : (-s0 + 16384 >= 0, -(s0 mod 4) >= 0)>
// CHECK: #[[TINY:.*]] = affine_set<()[s0, s1] : (-s0 + 4 >= 0)>
// CHECK: #[[SHORT:.*]] = affine_set<()[s0, s1] : (-s0 + 32 >= 0)>
// CHECK: #[[ODD:.*]] = affine_set<()[s0, s1] : (-s0 + 320 >= 0)>
// CHECK: #[[LAST:.*]] = affine_set<()[s0, s1] : (-s0 + 16384 >= 0)>
// CHECK: #[[FEW:.*]] = affine_set<()[s0, s1] : (-s1 + 132 >= 0)>
// CHECK-LABEL: @softmax
// CHECK: versions [<when = #[[EIGHT]], i = [block.0, thread.y 128], l = [thread.x 2, vector 4], {{[^>]*}} stage = [{{S[0-9]}} at i.1 register], keep = [kept0 register]{{(, index 32)?}}>,
// CHECK-SAME: i = [block.0, thread.y 64], l = [thread.x 4, vector 4],
// CHECK-SAME: i = [block.0, thread.y 32], l = [thread.x 8, vector 4],
// CHECK-SAME: <when = #[[EVEN]], i = [block.0, thread.y 16], l = [thread.x 16, vector 4], {{[^>]*}} keep = [kept0 register]{{(, index 32)?}}>,
// CHECK-SAME: i = [block.0, thread.y 16], l = [unroll 4, thread.x 16, vector 4],
// CHECK-SAME: i = [block.0, thread.y 8], l = [unroll 4, thread.x 32, vector 4],
// CHECK-SAME: i = [block.0, thread.y 8], l = [unroll 8, thread.x 32, vector 4],
// CHECK-SAME: i = [block.0], l = [unroll 4, thread.x 256, vector 4],
// CHECK-SAME: <when = #[[LONG]], i = [block.0], l = [unroll 8, thread.x 512, vector 4], {{[^>]*}} stage = [{{S[0-9]}} at i.0 register], keep = [kept0 register]{{(, index 32)?}}>,
// CHECK-SAME: <when = #[[TINY]], i = [block.0, unroll 2, thread.x 128], l = [unroll 4], {{[^>]*}} stage = [[[X:S[0-9]]] at i.0 rows, {{S[0-9]}} at i.0 rows, [[X]] at i.2 register], keep = [kept0 register]{{(, index 32)?}}>,
// CHECK-SAME: i = [block.0, unroll 2, thread.x 64], l = [unroll 8],
// CHECK-SAME: i = [block.0, thread.x 64], l = [unroll 16],
// CHECK-SAME: <when = #[[SHORT]], i = [block.0, thread.x 64], l = [unroll 32],
// CHECK-SAME: i = [block.0, thread.y 32], l = [unroll 8, thread.x 8],
// CHECK-SAME: <when = #[[ODD]], i = [block.0, thread.y 8], l = [unroll 10, thread.x 32],
// CHECK-SAME: i = [block.0, thread.y 8], l = [unroll 16, thread.x 32],
// CHECK-SAME: i = [block.0, thread.y 8], l = [unroll 32, thread.x 32],
// CHECK-SAME: i = [block.0], l = [unroll 16, thread.x 256],
// CHECK-SAME: i = [block.0], l = [unroll 20, thread.x 512],
// CHECK-SAME: <when = #[[LAST]], i = [block.0], l = [unroll 16, thread.x 1024],
// CHECK-SAME: <when = #[[FEW]], i = [block.0], l = [seq, seq 16, unroll 8, thread.x 1024], {{[^>]*}} keep = [kept0 recompute], split boundary{{(, index 32)?}}>,
// CHECK-SAME: <when = #{{[a-z0-9]*}}, i = [block.0], l = [seq, seq 16, unroll 2, thread.x 512, vector 4], {{[^>]*}} keep = [kept0 recompute], split boundary{{(, index 32)?}}>,
// CHECK-SAME: <i = [block.0], l = [seq, seq 16, unroll 4, thread.x 512], {{[^>]*}} keep = [kept0 recompute], split boundary{{(, index 32)?}}>] of (%N, %R)
// CHECK: kernel.for "l"
// CHECK: kernel.local "kept0"
// CHECK: kernel.for "l"
// CHECK: kernel.for "l"
func.func @softmax(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %m : index, %R = %n : index, %X[%R, %N] = %x : memref<?x?xf32>) outs (%Y[%R, %N] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    %ninf = arith.constant 0xFF800000 : f32
    kernel.for "i" (%i) in %R {
      %mx = kernel.for "l" (%j) in %N reduce (%ninf : f32) by arith.maximumf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      %e = kernel.local (%N) : memref<?xf32>
      %s = kernel.for "j" (%j) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %d = arith.subf %v, %mx : f32
        %q = math.exp %d : f32
        kernel.store %q, %e[%j] : memref<?xf32>
        kernel.yield %q : f32
      }
      kernel.for "j" (%j) in %N {
        %q = kernel.load %e[%j] : memref<?xf32>
        %r = arith.divf %q, %s : f32
        kernel.store %r, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
}

// -----

module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, shared_bytes = 49152, subgroup = 32, units = 132, vector_bytes = 16}>} {

// A length that is a number needs no versions.
// CHECK-LABEL: @fixed
// CHECK: schedule #kernel.schedule<i = [block.0, thread.y 16], j = [unroll 2, thread.x 16, vector 4]
func.func @fixed(%x: memref<?x96xf32>, %y: memref<?x96xf32>, %n: index) {
  kernel.launch @k (%R = %n : index, %X[%R, 96] = %x : memref<?x96xf32>) outs (%Y[%R, 96] = %y : memref<?x96xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %R {
      %s = kernel.for "j" (%j) in 96 reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x96xf32>
        kernel.yield %v : f32
      }
      kernel.for "j" (%j) in 96 {
        %v = kernel.load %X[%i, %j] : memref<?x96xf32>
        %d = arith.subf %v, %s : f32
        kernel.store %d, %Y[%i, %j] : memref<?x96xf32>
      }
    }
  }
  return
}
}
