// RUN: arr-opt %s --pass-pipeline='builtin.module(func.func(kernel-sink-steps),canonicalize,cse)' --split-input-file | FileCheck %s

// A row reads the one before it.
// CHECK-LABEL: func @no_neighbours
// CHECK-NOT: scf.if
// CHECK: kernel.iterate
func.func @no_neighbours(%n: index, %m: index, %a: memref<?x?xf32>) {
  %0 = kernel.iterate times (%q in %m) carry (%x[%n, %m] = %a : memref<?x?xf32>) {
    kernel.launch @next (%N = %n : index, %M = %m : index, %Q = %q : index) outs (%A[%N, %M] = %x : memref<?x?xf32>) {
      %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%Q)
      kernel.for "i" (%i) in %N {
        %h = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
        %v = kernel.load %A[%i, %Q] : memref<?x?xf32>
        kernel.store %v, %A[%h, %j] : memref<?x?xf32>
      }
    }
    kernel.continue carry %x : memref<?x?xf32>
  }
  return
}

// -----

// A step goes on to the next row: points are what lies together.
// CHECK-LABEL: func @no_rows
// CHECK-NOT: scf.if
// CHECK: kernel.iterate
func.func @no_rows(%n: index, %m: index, %a: memref<?x?xf32>) {
  %0 = kernel.iterate times (%q in %m) carry (%x[%m, %n] = %a : memref<?x?xf32>) {
    kernel.launch @next (%N = %n : index, %M = %m : index, %Q = %q : index) outs (%A[%M, %N] = %x : memref<?x?xf32>) {
      %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%Q)
      kernel.for "i" (%i) in %N {
        %v = kernel.load %A[%Q, %i] : memref<?x?xf32>
        kernel.store %v, %A[%j, %i] : memref<?x?xf32>
      }
    }
    kernel.continue carry %x : memref<?x?xf32>
  }
  return
}

// -----

// Two accesses of 64 bytes a point, and 1 MiB, where no device is named.
// CHECK-LABEL: func @rows
// CHECK-DAG: arith.constant 128 : index
// CHECK-DAG: arith.constant 1048576 : index
// CHECK: %[[MANY:.*]] = arith.cmpi sgt
// CHECK: scf.if %[[MANY]] {
// CHECK:   kernel.launch @rows_rows_0 (
// CHECK:     kernel.for "i_0" (%[[I:.*]]) in
// What all steps hand on is loaded once.
// CHECK:       %[[V:.*]] = kernel.load %{{.*}}[%[[I]], %{{.*}}] if %
// CHECK:       scf.for %[[Q:.*]] =
// CHECK:         kernel.store %[[V]], %{{.*}}[%[[I]], %
// CHECK: } else {
// CHECK:   kernel.iterate
func.func @rows(%n: index, %m: index, %a: memref<?x?xf32>) {
  %0 = kernel.iterate times (%q in %m) carry (%x[%n, %m] = %a : memref<?x?xf32>) {
    kernel.launch @next (%N = %n : index, %M = %m : index, %Q = %q : index) outs (%A[%N, %M] = %x : memref<?x?xf32>) {
      %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%Q)
      kernel.for "i" (%i) in %N {
        %v = kernel.load %A[%i, %Q] : memref<?x?xf32>
        kernel.store %v, %A[%i, %j] : memref<?x?xf32>
      }
    }
    kernel.continue carry %x : memref<?x?xf32>
  }
  return
}

// -----

// Lines and caches are the device's.
// CHECK-LABEL: func @large_lines
// CHECK-DAG: arith.constant 256 : index
// CHECK-DAG: arith.constant 524288 : index
// CHECK: scf.if
module attributes {kernel.device = #kernel.device<"cpu", {line_bytes = 128, cache_bytes = 524288}>} {
func.func @large_lines(%n: index, %m: index, %a: memref<?x?xf32>) {
  %0 = kernel.iterate times (%q in %m) carry (%x[%n, %m] = %a : memref<?x?xf32>) {
    kernel.launch @next (%N = %n : index, %M = %m : index, %Q = %q : index) outs (%A[%N, %M] = %x : memref<?x?xf32>) {
      %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%Q)
      kernel.for "i" (%i) in %N {
        %v = kernel.load %A[%i, %Q] : memref<?x?xf32>
        kernel.store %v, %A[%i, %j] : memref<?x?xf32>
      }
    }
    kernel.continue carry %x : memref<?x?xf32>
  }
  return
}
}

// -----

// An element that all steps change is loaded in front of them and stored behind
// them; an array goes over memory once, on a CPU, too.
// CHECK-LABEL: func @in_place
// CHECK-NOT: scf.if
// CHECK: kernel.launch @in_place_rows_0 (
// CHECK:   kernel.for "i_0" (%[[I:.*]]) in
// CHECK:     %[[RUNS:.*]] = arith.cmpi
// CHECK:     %[[V:.*]] = kernel.load %[[A:.*]][%[[I]]] if %[[RUNS]]
// CHECK:     %[[R:.*]] = scf.for {{.*}} iter_args(%[[X:.*]] = %[[V]])
// CHECK-NEXT:  %[[Y:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-NEXT:  scf.yield %[[Y]]
// CHECK:     kernel.store %[[R]], %[[A]][%[[I]]] if %[[RUNS]]
// CHECK-NOT: kernel.iterate
func.func @in_place(%n: index, %m: index, %a: memref<?xf32>) {
  %0 = kernel.iterate times (%q in %m) carry (%x[%n] = %a : memref<?xf32>) {
    kernel.launch @next (%N = %n : index) outs (%A[%N] = %x : memref<?xf32>) {
      kernel.for "i" (%i) in %N {
        %v = kernel.load %A[%i] : memref<?xf32>
        %w = arith.mulf %v, %v : f32
        kernel.store %w, %A[%i] : memref<?xf32>
      }
    }
    kernel.continue carry %x : memref<?xf32>
  }
  return
}

// -----

// On a device rows one after the other are a launch, too. The value of two steps
// before is handed on; what is read behind its store is what was stored.
// CHECK-LABEL: func @of_device
// CHECK-NOT: scf.if
// CHECK: kernel.launch @of_device_rows_0 (
// CHECK:   kernel.for "i_0" (%[[I:.*]]) in
// CHECK:     %[[ONE:.*]] = kernel.load %[[A:.*]][%{{.*}}, %[[I]]] if %
// CHECK:     %[[TWO:.*]] = kernel.load %[[A]][%{{.*}}, %[[I]]] if %
// CHECK:     scf.for {{.*}} iter_args(%[[P:.*]] = %[[ONE]], %[[Q:.*]] = %[[TWO]])
// CHECK-NOT:   kernel.load
// CHECK:       %[[S:.*]] = arith.addf %[[P]], %[[Q]]
// CHECK:       kernel.store %[[S]], %[[A]]
// CHECK:       %[[T:.*]] = arith.mulf %[[S]], %[[S]]
// CHECK:       kernel.store %[[T]], %
// CHECK:       scf.yield %[[S]], %[[P]]
// CHECK-NOT: kernel.iterate
module attributes {kernel.device = #kernel.device<"cuda", {units = 4}>} {
func.func @of_device(%n: index, %m: index, %a: memref<?x?xf32>, %b: memref<?xf32>) {
  %0:2 = kernel.iterate times (%q in %m) carry (%x[%m, %n] = %a : memref<?x?xf32>, %y[%n] = %b : memref<?xf32>) {
    kernel.launch @next (%N = %n : index, %M = %m : index, %Q = %q : index) outs (%A[%M, %N] = %x : memref<?x?xf32>, %B[%N] = %y : memref<?xf32>) {
      %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%Q)
      %k = affine.apply affine_map<(d0) -> (d0 + 2)>(%Q)
      kernel.for "i" (%i) in %N {
        %v = kernel.load %A[%Q, %i] : memref<?x?xf32>
        %w = kernel.load %A[%j, %i] : memref<?x?xf32>
        %s = arith.addf %w, %v : f32
        kernel.store %s, %A[%k, %i] : memref<?x?xf32>
        %r = kernel.load %A[%k, %i] : memref<?x?xf32>
        %t = arith.mulf %r, %r : f32
        kernel.store %t, %B[%i] : memref<?xf32>
      }
    }
    kernel.continue carry %x, %y : memref<?x?xf32>, memref<?xf32>
  }
  return
}
// A fold in a step has threads of its own.
// CHECK-LABEL: func @with_fold
// CHECK: kernel.iterate
func.func @with_fold(%n: index, %m: index, %a: memref<?xf32>, %b: memref<?x?xf32>) {
  %0 = kernel.iterate times (%q in %m) carry (%x[%n] = %a : memref<?xf32>) {
    kernel.launch @next (%N = %n : index, %B[%N, %N] = %b : memref<?x?xf32>) outs (%A[%N] = %x : memref<?xf32>) {
      %z = arith.constant 0.0 : f32
      kernel.for "i" (%i) in %N {
        %v = kernel.load %A[%i] : memref<?xf32>
        %s = kernel.for "l" (%l) in %N reduce (%z : f32) by arith.addf {
          %w = kernel.load %B[%i, %l] : memref<?x?xf32>
          kernel.yield %w : f32
        }
        %t = arith.addf %v, %s : f32
        kernel.store %t, %A[%i] : memref<?xf32>
      }
    }
    kernel.continue carry %x : memref<?xf32>
  }
  return
}
}
