// RUN: arr-opt %s --kernel-fuse-launches --split-input-file | FileCheck %s

// A value that needs the whole array first: two kernels.
// CHECK-LABEL: @no_full_reduction_first
// CHECK-COUNT-2: kernel.launch
func.func @no_full_reduction_first(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %e0 = tensor.empty() : tensor<f32>
  %s = kernel.launch @total (%X[%N] = %x : tensor<?xf32>, %N = %n : index) outs (%S = %e0 : tensor<f32>) {
    %z = arith.constant 0.0 : f32
    %t = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.yield %v : f32
    }
    kernel.store %t, %S[] : memref<f32>
  }
  %e1 = tensor.empty(%n) : tensor<?xf32>
  %r = kernel.launch @scale (%X[%N] = %x : tensor<?xf32>, %S = %s : tensor<f32>, %N = %n : index) outs (%Y[%N] = %e1 : tensor<?xf32>) {
    %t = kernel.load %S[] : memref<f32>
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      %w = arith.divf %v, %t : f32
      kernel.store %w, %Y[%i] : memref<?xf32>
    }
  }
  return %r : tensor<?xf32>
}

// -----

// Both read one array near each other, but for the places that a condition
// chooses: they are the exception.
// CHECK-LABEL: @chosen_places
// CHECK-COUNT-1: kernel.launch
// CHECK-NOT: kernel.launch
// CHECK: return
func.func @chosen_places(%x: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %e0 = tensor.empty(%n) : tensor<?xf32>
  %s = kernel.launch @first (%X[%N] = %x : tensor<?xf32>, %N = %n : index) outs (%Y[%N] = %e0 : tensor<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    kernel.for "i" (%i) in %N {
      %is = arith.cmpi eq, %i, %c0 : index
      %k = arith.select %is, %c1, %i : index
      %v = kernel.load %X[%k] : memref<?xf32>
      kernel.store %v, %Y[%i] : memref<?xf32>
    }
  }
  %e1 = tensor.empty(%n) : tensor<?xf32>
  %r = kernel.launch @second (%X[%N] = %x : tensor<?xf32>, %N = %n : index) outs (%Y[%N] = %e1 : tensor<?xf32>) {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      %w = arith.negf %v : f32
      kernel.store %w, %Y[%i] : memref<?xf32>
    }
  }
  return %s, %r : tensor<?xf32>, tensor<?xf32>
}

// -----

// A fence stands between what makes an array and what reads it.
// CHECK-LABEL: @no_fuse_fence
// CHECK-COUNT-2: kernel.launch
func.func @no_fuse_fence(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %e0 = tensor.empty(%n) : tensor<?xf32>
  %d = kernel.launch @double (%X[%N] = %x : tensor<?xf32>, %N = %n : index) outs (%Y[%N] = %e0 : tensor<?xf32>) {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      %w = arith.addf %v, %v : f32
      kernel.store %w, %Y[%i] : memref<?xf32>
    }
  }
  %f = array.fence %d : tensor<?xf32>
  %e1 = tensor.empty(%n) : tensor<?xf32>
  %r = kernel.launch @square (%X[%N] = %f : tensor<?xf32>, %N = %n : index) outs (%Y[%N] = %e1 : tensor<?xf32>) {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      %w = arith.mulf %v, %v : f32
      kernel.store %w, %Y[%i] : memref<?xf32>
    }
  }
  return %r : tensor<?xf32>
}

// -----

// Where the input is checked in between, what comes after may read only if the
// check holds.
// CHECK-LABEL: @no_reads_before_a_check
// CHECK: kernel.launch
// CHECK: array.check input
// CHECK: kernel.launch
func.func @no_reads_before_a_check(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %e0 = tensor.empty() : tensor<f32>
  %s = kernel.launch @least (%X[%N] = %x : tensor<?xf32>, %N = %n : index) outs (%S = %e0 : tensor<f32>) {
    %z = arith.constant 0.0 : f32
    %t = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.minimumf {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.yield %v : f32
    }
    kernel.store %t, %S[] : memref<f32>
  }
  %least = tensor.extract %s[] : tensor<f32>
  %zero = arith.constant 0.0 : f32
  %ok = arith.cmpf oge, %least, %zero : f32
  array.check input %ok, "a number is negative"
  %e1 = tensor.empty(%n) : tensor<?xf32>
  %r = kernel.launch @twice (%X[%N] = %x : tensor<?xf32>, %N = %n : index) outs (%Y[%N] = %e1 : tensor<?xf32>) {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      %w = arith.addf %v, %v : f32
      kernel.store %w, %Y[%i] : memref<?xf32>
    }
  }
  return %r : tensor<?xf32>
}

// -----

// What a scan takes in is computed once for the totals of blocks, once for those
// of threads, and once for the prefixes: a loop stays in a kernel of its own.
// CHECK-LABEL: @no_loop_in_a_scan
// CHECK-COUNT-2: kernel.launch
func.func @no_loop_in_a_scan(%a: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?xf32> {
  %e0 = tensor.empty(%n) : tensor<?xf32>
  %s = kernel.launch @rows (%A[%N, %M] = %a : tensor<?x?xf32>, %N = %n : index, %M = %m : index) outs (%S[%N] = %e0 : tensor<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %t = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %A[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %t, %S[%i] : memref<?xf32>
    }
  }
  %e1 = tensor.empty(%n) : tensor<?xf32>
  %r = kernel.launch @scan (%S[%N] = %s : tensor<?xf32>, %N = %n : index) outs (%Y[%N] = %e1 : tensor<?xf32>) {
    %z = arith.constant 0.0 : f32
    %t = kernel.for "i" (%i) in %N scan (%z : f32) by arith.addf {
      %v = kernel.load %S[%i] : memref<?xf32>
      %p = kernel.prefix %v : f32
      kernel.store %p, %Y[%i] : memref<?xf32>
    }
  }
  return %r : tensor<?xf32>
}

// -----

// Row sums and column sums of one matrix, square by chance: no element is used
// by both in one iteration.
// CHECK-LABEL: @no_rows_and_columns
// CHECK-COUNT-2: kernel.launch
func.func @no_rows_and_columns(%a: tensor<?x?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %e0 = tensor.empty(%n) : tensor<?xf32>
  %r = kernel.launch @rows (%A[%N, %N] = %a : tensor<?x?xf32>, %N = %n : index) outs (%R[%N] = %e0 : tensor<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %t = kernel.for "j" (%j) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %A[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %t, %R[%i] : memref<?xf32>
    }
  }
  %e1 = tensor.empty(%n) : tensor<?xf32>
  %c = kernel.launch @columns (%A[%N, %N] = %a : tensor<?x?xf32>, %N = %n : index) outs (%C[%N] = %e1 : tensor<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %N {
      %t = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %A[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %t, %C[%j] : memref<?xf32>
    }
  }
  return %r, %c : tensor<?xf32>, tensor<?xf32>
}

// -----

// The heat step: the stencil and the maximum of the change are one kernel, and
// the new state is read from the register that it was computed in.
// CHECK-LABEL: @stencil_and_norm
// CHECK: kernel.launch
// CHECK: kernel.for "i" (%[[I:[^)]*]]) in %{{.*}} reduce
// CHECK: kernel.for "j" (%[[J:[^)]*]]) in %{{.*}} reduce
// CHECK: %[[V:.*]] = arith.mulf
// CHECK: kernel.store %[[V]], %{{.*}}[%[[I]], %[[J]]]
// CHECK: %[[O:.*]] = kernel.load %{{.*}}[%[[I]], %[[J]]]
// CHECK: arith.subf %[[V]], %[[O]]
// CHECK-NOT: kernel.launch
func.func @stencil_and_norm(%t: tensor<?x?xf32>, %n: index, %m: index) -> (tensor<?x?xf32>, tensor<f32>) {
  %e0 = tensor.empty(%n, %m) : tensor<?x?xf32>
  %next = kernel.launch @step (%T[%N, %M] = %t : tensor<?x?xf32>, %N = %n : index, %M = %m : index) outs (%O[%N, %M] = %e0 : tensor<?x?xf32>) {
    %h = arith.constant 0.5 : f32
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %p = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
        %q = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
        %a = kernel.load %T[%p, %j] edge [clamp, none] : memref<?x?xf32>
        %b = kernel.load %T[%q, %j] edge [clamp, none] : memref<?x?xf32>
        %c = arith.addf %a, %b : f32
        %v = arith.mulf %c, %h : f32
        kernel.store %v, %O[%i, %j] : memref<?x?xf32>
      }
    }
  }
  %e1 = tensor.empty() : tensor<f32>
  %err = kernel.launch @norm (%O[%N, %M] = %next : tensor<?x?xf32>, %T[%N, %M] = %t : tensor<?x?xf32>, %N = %n : index, %M = %m : index) outs (%E = %e1 : tensor<f32>) {
    %z = arith.constant 0xFF800000 : f32
    %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.maximumf {
      %s = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.maximumf {
        %v = kernel.load %O[%i, %j] : memref<?x?xf32>
        %o = kernel.load %T[%i, %j] : memref<?x?xf32>
        %d = arith.subf %v, %o : f32
        %ab = math.absf %d : f32
        kernel.yield %ab : f32
      }
      kernel.yield %s : f32
    }
    kernel.store %r, %E[] : memref<f32>
  }
  return %next, %err : tensor<?x?xf32>, tensor<f32>
}

// -----

// A result that only the second launch reads is no array any more.
// CHECK-LABEL: @intermediate_goes
// CHECK: tensor.empty
// CHECK: %[[E:.*]] = tensor.empty
// CHECK: kernel.launch {{.*}} outs (%{{.*}}[%{{.*}}] = %[[E]] : tensor<?xf32>)
// CHECK-NOT: kernel.local
// CHECK-COUNT-1: kernel.store
// CHECK-NOT: kernel.launch
func.func @intermediate_goes(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %e0 = tensor.empty(%n) : tensor<?xf32>
  %a = kernel.launch @square (%X[%N] = %x : tensor<?xf32>, %N = %n : index) outs (%Y[%N] = %e0 : tensor<?xf32>) {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      %w = arith.mulf %v, %v : f32
      kernel.store %w, %Y[%i] : memref<?xf32>
    }
  }
  %e1 = tensor.empty(%n) : tensor<?xf32>
  %r = kernel.launch @exp (%X[%N] = %a : tensor<?xf32>, %N = %n : index) outs (%Y[%N] = %e1 : tensor<?xf32>) {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      %w = math.exp %v : f32
      kernel.store %w, %Y[%i] : memref<?xf32>
    }
  }
  return %r : tensor<?xf32>
}

// -----

// Softmax over rows in four launches: one kernel, the row's exponentials kept
// in a local.
// CHECK-LABEL: @softmax
// CHECK: kernel.launch
// CHECK: kernel.for "i"
// CHECK: %[[E:.*]] = kernel.local (%{{.*}}) : memref<?xf32>
// CHECK: kernel.for "j" {{.*}} reduce {{.*}} by arith.maximumf
// CHECK: kernel.for "j" {{.*}} reduce {{.*}} by arith.addf
// CHECK: kernel.store %{{.*}}, %[[E]][
// CHECK: kernel.for "j"
// CHECK: kernel.load %[[E]][
// CHECK-NOT: kernel.launch
func.func @softmax(%x: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %e0 = tensor.empty(%n) : tensor<?xf32>
  %mx = kernel.launch @max (%X[%N, %M] = %x : tensor<?x?xf32>, %N = %n : index, %M = %m : index) outs (%R[%N] = %e0 : tensor<?xf32>) {
    %z = arith.constant 0xFF800000 : f32
    kernel.for "i" (%i) in %N {
      %t = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.maximumf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %t, %R[%i] : memref<?xf32>
    }
  }
  %e1 = tensor.empty(%n, %m) : tensor<?x?xf32>
  %ex = kernel.launch @exp (%X[%N, %M] = %x : tensor<?x?xf32>, %R[%N] = %mx : tensor<?xf32>, %N = %n : index, %M = %m : index) outs (%E[%N, %M] = %e1 : tensor<?x?xf32>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %t = kernel.load %R[%i] : memref<?xf32>
        %d = arith.subf %v, %t : f32
        %q = math.exp %d : f32
        kernel.store %q, %E[%i, %j] : memref<?x?xf32>
      }
    }
  }
  %e2 = tensor.empty(%n) : tensor<?xf32>
  %s = kernel.launch @sum (%E[%N, %M] = %ex : tensor<?x?xf32>, %N = %n : index, %M = %m : index) outs (%R[%N] = %e2 : tensor<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %t = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %E[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %t, %R[%i] : memref<?xf32>
    }
  }
  %e3 = tensor.empty(%n, %m) : tensor<?x?xf32>
  %y = kernel.launch @divide (%E[%N, %M] = %ex : tensor<?x?xf32>, %R[%N] = %s : tensor<?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %e3 : tensor<?x?xf32>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %v = kernel.load %E[%i, %j] : memref<?x?xf32>
        %t = kernel.load %R[%i] : memref<?xf32>
        %d = arith.divf %v, %t : f32
        kernel.store %d, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return %y : tensor<?x?xf32>
}

// -----

// A component of a scan that nobody reads is not stored.
// CHECK-LABEL: @unread_component
// CHECK: %[[R:.*]] = kernel.launch @k ({{.*}}) outs (%[[B:[A-Za-z0-9_]+]][%{{[^,]*}}) {
// CHECK: kernel.prefix
// CHECK-NEXT: kernel.store %{{.*}}#1, %[[B]]
// CHECK-NOT: kernel.store
// CHECK: return %[[R]]
func.func @unread_component(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %e0 = tensor.empty(%n) : tensor<?xf32>
  %e1 = tensor.empty(%n) : tensor<?xf32>
  %e2 = tensor.empty() : tensor<f32>
  %r:3 = kernel.launch @k (%X[%N] = %x : tensor<?xf32>, %N = %n : index) outs (%A[%N] = %e0 : tensor<?xf32>, %B[%N] = %e1 : tensor<?xf32>, %T = %e2 : tensor<f32>) {
    %one = arith.constant 1.0 : f32
    %zero = arith.constant 0.0 : f32
    %t:2 = kernel.for "i" (%i) in %N scan (%one, %zero : f32, f32) by (%a: f32, %b: f32, %c: f32, %d: f32) {
      %p = arith.mulf %a, %c : f32
      %q = math.fma %b, %c, %d : f32
      kernel.yield %p, %q : f32, f32
    } {
      %v = kernel.load %X[%i] : memref<?xf32>
      %s:2 = kernel.prefix %v, %v : f32, f32
      kernel.store %s#0, %A[%i] : memref<?xf32>
      kernel.store %s#1, %B[%i] : memref<?xf32>
    }
    kernel.store %t#0, %T[] : memref<f32>
  }
  return %r#1 : tensor<?xf32>
}

// -----

// What is computed of folds of columns walks columns, too, on a device: one
// kernel, and kernel-split-columns takes it apart where columns are few.
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, units = 132}>} {
// CHECK-LABEL: @columns_normalised
// CHECK: kernel.launch
// CHECK: kernel.for "j"
// CHECK-NEXT: kernel.for "l" {{.*}} reduce
// CHECK: kernel.for "i"
// CHECK-NOT: kernel.launch
// CHECK-LABEL: @few_columns
// CHECK-COUNT-2: kernel.launch
func.func @columns_normalised(%a: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %e0 = tensor.empty(%m) : tensor<?xf32>
  %s = kernel.launch @sums (%A[%N, %M] = %a : tensor<?x?xf32>, %N = %n : index, %M = %m : index) outs (%S[%M] = %e0 : tensor<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %t = kernel.for "l" (%l) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %A[%l, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %t, %S[%j] : memref<?xf32>
    }
  }
  %e1 = tensor.empty(%n, %m) : tensor<?x?xf32>
  %r = kernel.launch @scale (%A[%N, %M] = %a : tensor<?x?xf32>, %S[%M] = %s : tensor<?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %e1 : tensor<?x?xf32>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %v = kernel.load %A[%i, %j] : memref<?x?xf32>
        %t = kernel.load %S[%j] : memref<?xf32>
        %w = arith.divf %v, %t : f32
        kernel.store %w, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return %r : tensor<?x?xf32>
}
func.func @few_columns(%a: tensor<?x8xf32>, %n: index) -> tensor<?x8xf32> {
  %e0 = tensor.empty() : tensor<8xf32>
  %s = kernel.launch @sums (%A[%N, 8] = %a : tensor<?x8xf32>, %N = %n : index) outs (%S[8] = %e0 : tensor<8xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in 8 {
      %t = kernel.for "l" (%l) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %A[%l, %j] : memref<?x8xf32>
        kernel.yield %v : f32
      }
      kernel.store %t, %S[%j] : memref<8xf32>
    }
  }
  %e1 = tensor.empty(%n) : tensor<?x8xf32>
  %r = kernel.launch @scale (%A[%N, 8] = %a : tensor<?x8xf32>, %S[8] = %s : tensor<8xf32>, %N = %n : index) outs (%Y[%N, 8] = %e1 : tensor<?x8xf32>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in 8 {
        %v = kernel.load %A[%i, %j] : memref<?x8xf32>
        %t = kernel.load %S[%j] : memref<8xf32>
        %w = arith.divf %v, %t : f32
        kernel.store %w, %Y[%i, %j] : memref<?x8xf32>
      }
    }
  }
  return %r : tensor<?x8xf32>
}
}

// -----

// A product stays by itself where rows are read as a whole behind it, and the
// array that they give is as large: in one kernel it would have no tiles.
// CHECK-LABEL: @product_and_rows
// CHECK-COUNT-2: kernel.launch
func.func @product_and_rows(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %n: index, %m: index, %k: index) -> tensor<?x?xf32> {
  %e0 = tensor.empty(%n, %m) : tensor<?x?xf32>
  %p = kernel.launch @product (%A[%N, %K] = %a : tensor<?x?xf32>, %B[%K, %M] = %b : tensor<?x?xf32>, %N = %n : index, %M = %m : index, %K = %k : index) outs (%P[%N, %M] = %e0 : tensor<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %s = kernel.for "l" (%l) in %K reduce (%z : f32) by arith.addf {
          %u = kernel.load %A[%i, %l] : memref<?x?xf32>
          %v = kernel.load %B[%l, %j] : memref<?x?xf32>
          %w = arith.mulf %u, %v : f32
          kernel.yield %w : f32
        }
        kernel.store %s, %P[%i, %j] : memref<?x?xf32>
      }
    }
  }
  %e1 = tensor.empty(%n, %m) : tensor<?x?xf32>
  %r = kernel.launch @rows (%P[%N, %M] = %p : tensor<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %e1 : tensor<?x?xf32>) {
    %z = arith.constant 0xFF800000 : f32
    kernel.for "i" (%i) in %N {
      %t = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.maximumf {
        %v = kernel.load %P[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.for "j" (%j) in %M {
        %v = kernel.load %P[%i, %j] : memref<?x?xf32>
        %w = arith.subf %v, %t : f32
        kernel.store %w, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return %r : tensor<?x?xf32>
}
