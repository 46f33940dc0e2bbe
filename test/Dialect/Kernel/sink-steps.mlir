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
// CHECK:       scf.for %[[Q:.*]] =
// CHECK:         kernel.load %{{.*}}[%[[I]], %[[Q]]]
// CHECK:         kernel.store %{{.*}}[%[[I]], %
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
