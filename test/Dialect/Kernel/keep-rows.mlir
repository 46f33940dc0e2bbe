// RUN: arr-opt %s --kernel-keep-rows --split-input-file --verify-diagnostics | FileCheck %s

func.func @no_place_read_twice(%x: memref<?x?xf32>, %y: memref<?xf32>, %n: index, %m: index) {
  // expected-error @below {{cannot stage 'X' at 'i.0': no two loops below the digit read it at one place before it is written}}
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N] = %y : memref<?xf32>) schedule #kernel.schedule<i = [block.0], stage = [X at i.0 register]> {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %s = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %s, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// The first loop changes what the second one reads.
func.func @no_place_written_between(%x: memref<?x?xf32>, %n: index, %m: index) {
  // expected-error @below {{no two loops below the digit read it at one place before it is written}}
  kernel.launch @k (%N = %n : index, %M = %m : index) outs (%X[%N, %M] = %x : memref<?x?xf32>) schedule #kernel.schedule<i = [block.0], stage = [X at i.0 register]> {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %w = arith.addf %v, %v : f32
        kernel.store %w, %X[%i, %j] : memref<?x?xf32>
      }
      kernel.for "j" (%j) in %M {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %w = arith.mulf %v, %v : f32
        kernel.store %w, %X[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// -----

func.func @no_such_names(%x: memref<?x?xf32>, %n: index, %m: index) {
  // expected-error @below {{cannot stage 'A' at 'i.0': the launch has no such array}}
  kernel.launch @k (%N = %n : index, %M = %m : index) outs (%X[%N, %M] = %x : memref<?x?xf32>) schedule #kernel.schedule<i = [block.0], stage = [A at i.0 register]> {
    kernel.for "i" (%i) in %N {
    }
  }
  return
}

// -----

func.func @no_inner_digit(%x: memref<?x?xf32>, %n: index, %m: index) {
  // expected-error @below {{cannot stage 'X' at 'i.0': a row in registers belongs to the last digit}}
  kernel.launch @k (%N = %n : index, %M = %m : index) outs (%X[%N, %M] = %x : memref<?x?xf32>) schedule #kernel.schedule<i = [block.0, thread.x 8], stage = [X at i.0 register]> {
    kernel.for "i" (%i) in %N {
    }
  }
  return
}

// -----

// What is computed again must read what it read before.
func.func @no_recomputing_of_what_changed(%x: memref<?x?xf32>, %n: index, %m: index) {
  // expected-error @below {{cannot compute 'e' again: what it is computed from has changed by then}}
  kernel.launch @k (%N = %n : index, %M = %m : index) outs (%X[%N, %M] = %x : memref<?x?xf32>) schedule #kernel.schedule<i = [block.0], keep = [e recompute]> {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %e = kernel.local "e" (%M) : memref<?xf32>
      kernel.for "j" (%j) in %M {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %w = arith.addf %v, %v : f32
        kernel.store %w, %e[%j] : memref<?xf32>
      }
      kernel.for "j" (%j) in %M {
        kernel.store %z, %X[%i, %j] : memref<?x?xf32>
      }
      kernel.for "j" (%j) in %M {
        %v = kernel.load %e[%j] : memref<?xf32>
        kernel.store %v, %X[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// -----

// The maximum keeps the row, the sum reads what was kept; the exponentials stay
// a local of their own.
// CHECK-LABEL: @softmax
func.func @softmax(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  // CHECK: kernel.launch @k
  // CHECK-SAME: schedule #kernel.schedule<i = [block.0], j = [unroll 4, thread.x 32], keep = [row0 register, e register]>
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) schedule #kernel.schedule<i = [block.0], j = [unroll 4, thread.x 32], stage = [X at i.0 register], keep = [e register]> {
    %z = arith.constant 0.0 : f32
    %ninf = arith.constant 0xFF800000 : f32
    // CHECK: kernel.for "i" (%[[I:.*]]) in
    // CHECK:   %[[ROW:.*]] = kernel.local "row0" (%M) : memref<?xf32>
    // CHECK:   %[[MAX:.*]] = kernel.for "j" (%[[J:.*]]) in %M reduce
    // CHECK:     %[[V:.*]] = kernel.load %X[%[[I]], %[[J]]]
    // CHECK:     kernel.store %[[V]], %[[ROW]][%[[J]]]
    // CHECK:     kernel.yield %[[V]]
    // CHECK:   %[[E:.*]] = kernel.local "e" (%M)
    // CHECK:   kernel.for "j" (%[[K:.*]]) in %M reduce
    // CHECK-NOT: kernel.load %X
    // CHECK:     kernel.load %[[ROW]][%[[K]]]
    // CHECK:     kernel.store %{{.*}}, %[[E]][%[[K]]]
    // CHECK:   kernel.for "j"
    // CHECK:     kernel.load %[[E]]
    kernel.for "i" (%i) in %N {
      %mx = kernel.for "j" (%j) in %M reduce (%ninf : f32) by arith.maximumf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      %e = kernel.local "e" (%M) : memref<?xf32>
      %s = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %d = arith.subf %v, %mx : f32
        %q = math.exp %d : f32
        kernel.store %q, %e[%j] : memref<?xf32>
        kernel.yield %q : f32
      }
      kernel.for "j" (%j) in %M {
        %q = kernel.load %e[%j] : memref<?xf32>
        %r = arith.divf %q, %s : f32
        kernel.store %r, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// -----

// In place: the last loop writes an element after it has read it. The
// exponentials are computed again.
// CHECK-LABEL: @in_place
func.func @in_place(%x: memref<?x?xf32>, %n: index, %m: index) {
  // CHECK: kernel.launch @k
  // CHECK-SAME: schedule #kernel.schedule<i = [block.0]>
  kernel.launch @k (%N = %n : index, %M = %m : index) outs (%X[%N, %M] = %x : memref<?x?xf32>) schedule #kernel.schedule<i = [block.0], keep = [e recompute]> {
    %z = arith.constant 0.0 : f32
    // CHECK: kernel.for "i" (%[[I:.*]]) in
    // CHECK-NOT: kernel.local
    // CHECK:   %[[S:.*]] = kernel.for "j"
    // CHECK:     math.exp
    // CHECK:   kernel.for "j" (%[[J:.*]]) in
    // CHECK:     %[[V:.*]] = kernel.load %X[%[[I]], %[[J]]]
    // CHECK:     %[[Q:.*]] = math.exp %[[V]]
    // CHECK:     arith.divf %[[Q]], %[[S]]
    kernel.for "i" (%i) in %N {
      %e = kernel.local "e" (%M) : memref<?xf32>
      %s = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %q = math.exp %v : f32
        kernel.store %q, %e[%j] : memref<?xf32>
        kernel.yield %q : f32
      }
      kernel.for "j" (%j) in %M {
        %q = kernel.load %e[%j] : memref<?xf32>
        %r = arith.divf %q, %s : f32
        kernel.store %r, %X[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
