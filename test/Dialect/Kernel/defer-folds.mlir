// RUN: arr-opt %s --kernel-defer-folds --canonicalize --cse --split-input-file | FileCheck %s
// RUN: sed 's/max_threads = 256/max_threads = 256, parts = 2/' %s | arr-opt --kernel-defer-folds --split-input-file | FileCheck %s --check-prefix=PARTS

// PARTS-NOT: _steps

// The sum of a step goes to a history: each block of a step stores its partial
// result in the row of the step, and one launch folds the rows.
// CHECK-LABEL: @history
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 256, ordered_blocks = 1}>} {
func.func @history(%n: index, %k: index, %c: f32) -> memref<?xf32> {
  // CHECK: memref.alloc(%arg0)
  // CHECK: memref.alloc(%arg0)
  // CHECK: %[[E:.*]] = memref.alloc(%arg1)
  // CHECK: %[[B:.*]] = affine.apply #{{.*}}()[%arg0]
  // CHECK: %[[MOST:.*]] = arith.maxsi %[[B]], %c0
  // CHECK: %[[BYTES:.*]] = arith.muli %[[MOST]], %c4
  // CHECK: %[[ROW:.*]] = arith.maxsi %[[BYTES]], %c1
  // CHECK: %[[FIT:.*]] = arith.divui %c67108864, %[[ROW]]
  // CHECK: %[[FEW:.*]] = arith.minsi %[[FIT]], %arg1
  // CHECK: %[[ROWS:.*]] = arith.maxsi %[[FEW]], %c1
  // CHECK: %[[ALL:.*]] = arith.muli %[[ROWS]], %[[BYTES]]
  // CHECK: %[[W:.*]] = memref.alloc(%[[ALL]]) {alignment = 64 : i64} : memref<?xi8>
  // CHECK: kernel.iterate times (%[[T:.*]] in %arg1)
  // CHECK:   %[[AT:.*]] = arith.remui %[[T]], %[[ROWS]]
  // CHECK:   %[[VIEW:.*]] = memref.view %[[W]][%c0][%[[ROWS]], %[[MOST]]]
  // CHECK:   kernel.launch @k ({{.*}}%[[ATA:.*]] = %[[AT]] : index) outs ({{.*}} = %next : memref<?xf32>, %[[P:.*]][{{.*}}] = %[[VIEW]] : memref<?x?xf32>)
  // CHECK:     kernel.for "i.0" (%[[I:.*]]) in %{{.*}} at block.0 {
  // CHECK:       kernel.store %{{.*}}, %[[P]][%[[ATA]], %[[I]]]
  // CHECK-NOT:   fold
  // CHECK:   %[[NEXT:.*]] = arith.addi %[[T]], %c1
  // CHECK:   %[[REST:.*]] = arith.remui %[[NEXT]], %[[ROWS]]
  // CHECK:   %[[FULL:.*]] = arith.cmpi eq, %[[REST]], %c0
  // CHECK:   %[[LAST:.*]] = arith.cmpi eq, %[[NEXT]], %arg1
  // CHECK:   %[[ENDS:.*]] = arith.ori %[[FULL]], %[[LAST]]
  // CHECK:   scf.if %[[ENDS]] {
  // CHECK:     %[[FIRST:.*]] = arith.subi %[[T]], %[[AT]]
  // CHECK:     %[[COUNT:.*]] = arith.addi %[[AT]], %c1
  // CHECK:     kernel.launch @k_steps ({{.*}}%[[Q:.*]][{{.*}}] = %[[VIEW]] : memref<?x?xf32>{{.*}}%[[FA:.*]] = %[[FIRST]] : index, %[[CA:.*]] = %[[COUNT]] : index) outs (%[[EA:.*]][%{{.*}}] = %[[E]] : memref<?xf32>)
  // CHECK:       kernel.for "steps" (%[[S:.*]]) in %[[CA]] at block.0 {
  // CHECK:         %[[STEP:.*]] = arith.addi %[[FA]], %[[S]]
  // CHECK:         %[[SUM:.*]] = kernel.for "i.0.fold.0" {{.*}} at thread.x reduce
  // CHECK:           kernel.load %[[Q]][%[[S]], %{{.*}}]
  // CHECK:         %[[V:.*]] = arith.divf %[[SUM]]
  // CHECK:         kernel.store %[[V]], %[[EA]][%[[STEP]]]
  // CHECK:   kernel.continue carry %next
  // CHECK: memref.dealloc %[[W]]
  %x = memref.alloc(%n) : memref<?xf32>
  %z = memref.alloc(%n) : memref<?xf32>
  %e = memref.alloc(%k) : memref<?xf32>
  %r:2 = kernel.iterate times (%t in %k) carry (%a[%n] = %x rotate %next = %z : memref<?xf32>) {
    kernel.launch @k (%N = %n : index, %A[%N] = %a : memref<?xf32>, %K = %k : index, %T = %t : index, %C = %c : f32) outs (%Z[%N] = %next : memref<?xf32>, %E[%K] = %e : memref<?xf32>) {
      %zero = arith.constant 0.0 : f32
      %b = affine.apply affine_map<(d0) -> (d0 ceildiv 256)>(%N)
      %s = kernel.for "i.0" (%i) in %b at block.0 reduce (%zero : f32) by arith.addf {
        %p = kernel.for "i.1" (%j) in 256 at thread.x reduce (%zero : f32) by arith.addf {
          %at = affine.apply affine_map<(d0, d1) -> (256 * d0 + d1)>(%i, %j)
          %v = kernel.load %A[%at] : memref<?xf32>
          kernel.store %v, %Z[%at] : memref<?xf32>
          kernel.yield %v : f32
        }
        kernel.yield %p : f32
      }
      %m = arith.divf %s, %C : f32
      kernel.store %m, %E[%T] : memref<?xf32>
    }
    kernel.continue carry %next : memref<?xf32>
  }
  return %r#0 : memref<?xf32>
}
}

// -----

// A step that reads the history, one number for all steps, a launch of some steps
// only, a loop that ends by a flag: blocks meet in each step.
// CHECK-LABEL: @each_step
// CHECK-NOT: _steps
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 256, ordered_blocks = 1}>} {
func.func @each_step(%n: index, %k: index, %go: memref<i1>) {
  %x = memref.alloc(%n) : memref<?xf32>
  %e = memref.alloc(%k) : memref<?xf32>
  %one = memref.alloc() : memref<f32>
  kernel.iterate times (%t in %k) carry (%e1[%k] = %e : memref<?xf32>) {
    kernel.launch @reads (%N = %n : index, %A[%N] = %x : memref<?xf32>, %K = %k : index, %T = %t : index) outs (%E[%K] = %e1 : memref<?xf32>) {
      %zero = arith.constant 0.0 : f32
      %c0 = arith.constant 0 : index
      %s = kernel.for "i.0" (%i) in %N at block.0 reduce (%zero : f32) by arith.addf {
        %v = kernel.load %A[%i] : memref<?xf32>
        %b = kernel.load %E[%c0] : memref<?xf32>
        %w = arith.mulf %v, %b : f32
        kernel.yield %w : f32
      }
      kernel.store %s, %E[%T] : memref<?xf32>
    }
    kernel.continue carry %e1 : memref<?xf32>
  }
  kernel.iterate times (%t in %k) carry (%e1[%k] = %e : memref<?xf32>) {
    kernel.launch @one (%N = %n : index, %A[%N] = %x : memref<?xf32>) outs (%E = %one : memref<f32>) {
      %zero = arith.constant 0.0 : f32
      %s = kernel.for "i.0" (%i) in %N at block.0 reduce (%zero : f32) by arith.addf {
        %v = kernel.load %A[%i] : memref<?xf32>
        kernel.yield %v : f32
      }
      kernel.store %s, %E[] : memref<f32>
    }
    kernel.continue carry %e1 : memref<?xf32>
  }
  kernel.iterate times (%t in %k) carry (%e1[%k] = %e : memref<?xf32>) {
    %c2 = arith.constant 2 : index
    %some = arith.cmpi ugt, %t, %c2 : index
    scf.if %some {
      kernel.launch @some (%N = %n : index, %A[%N] = %x : memref<?xf32>, %K = %k : index, %T = %t : index) outs (%E[%K] = %e1 : memref<?xf32>) {
        %zero = arith.constant 0.0 : f32
        %s = kernel.for "i.0" (%i) in %N at block.0 reduce (%zero : f32) by arith.addf {
          %v = kernel.load %A[%i] : memref<?xf32>
          kernel.yield %v : f32
        }
        kernel.store %s, %E[%T] : memref<?xf32>
      }
    }
    kernel.continue carry %e1 : memref<?xf32>
  }
  kernel.iterate times (%t in %k) while (%g = %go : memref<i1>) carry (%e1[%k] = %e : memref<?xf32>) {
    kernel.launch @flag (%N = %n : index, %A[%N] = %x : memref<?xf32>, %K = %k : index, %T = %t : index) outs (%E[%K] = %e1 : memref<?xf32>) {
      %zero = arith.constant 0.0 : f32
      %s = kernel.for "i.0" (%i) in %N at block.0 reduce (%zero : f32) by arith.addf {
        %v = kernel.load %A[%i] : memref<?xf32>
        kernel.yield %v : f32
      }
      kernel.store %s, %E[%T] : memref<?xf32>
    }
    kernel.continue while %g : memref<i1> carry %e1 : memref<?xf32>
  }
  return
}
}

// -----

// Threads that walk many elements meet late.
// CHECK-LABEL: @long_walk
// CHECK-NOT: _steps
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 256, ordered_blocks = 1}>} {
func.func @long_walk(%n: index, %k: index) {
  %x = memref.alloc(%n) : memref<?xf32>
  %e = memref.alloc(%k) : memref<?xf32>
  kernel.iterate times (%t in %k) carry (%e1[%k] = %e : memref<?xf32>) {
    kernel.launch @long (%N = %n : index, %A[%N] = %x : memref<?xf32>, %K = %k : index, %T = %t : index) outs (%E[%K] = %e1 : memref<?xf32>) schedule #kernel.schedule<i = [block.0, seq 64], order = [i.0, i.1]> {
      %zero = arith.constant 0.0 : f32
      %b = affine.apply affine_map<(d0) -> (d0 ceildiv 64)>(%N)
      %s = kernel.for "i.0" (%i) in %b at block.0 reduce (%zero : f32) by arith.addf {
        %p = kernel.for "i.1" (%j) in 64 at seq reduce (%zero : f32) by arith.addf {
          %at = affine.apply affine_map<(d0, d1) -> (64 * d0 + d1)>(%i, %j)
          %v = kernel.load %A[%at] : memref<?xf32>
          kernel.yield %v : f32
        }
        kernel.yield %p : f32
      }
      kernel.store %s, %E[%T] : memref<?xf32>
    }
    kernel.continue carry %e1 : memref<?xf32>
  }
  return
}
}

// -----

// Versions of a launch share a workspace of the larger row.
// CHECK-LABEL: @versions
// CHECK: memref.alloc(%arg0)
// CHECK: memref.alloc(%arg1)
// CHECK: %[[LARGER:.*]] = arith.maxsi %{{.*}}, %{{.*}} : index
// CHECK: memref.alloc({{.*}}) {alignment = 64 : i64} : memref<?xi8>
// CHECK-NOT: memref.alloc
// CHECK: kernel.iterate
// CHECK: kernel.launch @a_steps
// CHECK: kernel.launch @b_steps
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 256, ordered_blocks = 0}>} {
func.func @versions(%n: index, %k: index) {
  %x = memref.alloc(%n) : memref<?xf32>
  %e = memref.alloc(%k) : memref<?xf32>
  kernel.iterate times (%t in %k) carry (%e1[%k] = %e : memref<?xf32>) {
    %c99 = arith.constant 99 : index
    %few = arith.cmpi ult, %n, %c99 : index
    scf.if %few {
      kernel.launch @a (%N = %n : index, %A[%N] = %x : memref<?xf32>, %K = %k : index, %T = %t : index) outs (%E[%K] = %e1 : memref<?xf32>) {
        %zero = arith.constant 0.0 : f32
        %s = kernel.for "i.0" (%i) in %N at block.0 reduce (%zero : f32) by arith.addf {
          %v = kernel.load %A[%i] : memref<?xf32>
          kernel.yield %v : f32
        }
        kernel.store %s, %E[%T] : memref<?xf32>
      }
    } else {
      kernel.launch @b (%N = %n : index, %A[%N] = %x : memref<?xf32>, %K = %k : index, %T = %t : index) outs (%E[%K] = %e1 : memref<?xf32>) {
        %zero = arith.constant 0.0 : f32
        %b = affine.apply affine_map<(d0) -> (d0 ceildiv 2)>(%N)
        %s = kernel.for "i.0" (%i) in %b at block.0 reduce (%zero : f32) by arith.addf {
          %v = kernel.load %A[%i] : memref<?xf32>
          kernel.yield %v : f32
        }
        kernel.store %s, %E[%T] : memref<?xf32>
      }
    }
    kernel.continue carry %e1 : memref<?xf32>
  }
  return
}
}
