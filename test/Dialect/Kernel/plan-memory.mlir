// RUN: arr-opt %s --allow-unregistered-dialect --kernel-plan-memory | FileCheck %s
// RUN: arr-opt %s --allow-unregistered-dialect --kernel-plan-memory=print -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLAN

// Arguments belong to the caller: one that is returned is copied, each time.

// CHECK-LABEL: @no_argument_returned
// CHECK-SAME: %[[A:.*]]: memref<?xf32>
// CHECK-NOT: dealloc
// CHECK: %[[B:.*]] = memref.alloc
// CHECK: memref.copy %[[A]], %[[B]]
// CHECK: %[[C:.*]] = memref.alloc
// CHECK: memref.copy %[[A]], %[[C]]
// CHECK: return %[[B]], %[[C]]
func.func @no_argument_returned(%a: memref<?xf32>) -> (memref<?xf32>, memref<?xf32>) {
  return %a, %a : memref<?xf32>, memref<?xf32>
}

// CHECK-LABEL: @share
// CHECK-SAME: %[[N:.*]]: index
// CHECK: %[[A:.*]] = memref.alloc(%[[N]])
// CHECK: "test.write"(%[[A]])
// CHECK: %[[B:.*]] = memref.alloc(%[[N]])
// CHECK: "test.use"(%[[A]], %[[B]])
// CHECK: "test.use"(%[[B]], %[[A]])
// CHECK-NEXT: memref.dealloc %[[B]]
// CHECK-NEXT: return %[[A]]
func.func @share(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  "test.write"(%a) : (memref<?xf32>) -> ()
  %b = memref.alloc(%n) : memref<?xf32>
  "test.use"(%a, %b) : (memref<?xf32>, memref<?xf32>) -> ()
  %c = memref.alloc(%n) : memref<?xf32>
  "test.use"(%b, %c) : (memref<?xf32>, memref<?xf32>) -> ()
  return %c : memref<?xf32>
}

// What both branches hand over is one buffer afterwards; the branch that has
// none of its own copies.

// CHECK-LABEL: @branch
// CHECK: %[[R:.*]] = scf.if
// CHECK:   %[[A:.*]] = memref.alloc
// CHECK:   scf.yield %[[A]]
// CHECK: else
// CHECK:   %[[B:.*]] = memref.alloc
// CHECK:   memref.copy %{{.*}}, %[[B]]
// CHECK:   scf.yield %[[B]]
// CHECK: "test.write"(%[[R]])
// CHECK: memref.dealloc %[[R]]
// CHECK: return
func.func @branch(%c: i1, %x: memref<?xf32>, %n: index) {
  %r = scf.if %c -> memref<?xf32> {
    %a = memref.alloc(%n) : memref<?xf32>
    scf.yield %a : memref<?xf32>
  } else {
    scf.yield %x : memref<?xf32>
  }
  "test.write"(%r) : (memref<?xf32>) -> ()
  return
}

// A time loop: temporaries move out, both buffers are freed or handed on.

// CHECK-LABEL: @time_loop
// CHECK-SAME: %[[N:.*]]: index, %[[S:.*]]: index
// CHECK: %[[A:.*]] = memref.alloc(%[[N]])
// CHECK: %[[B:.*]] = memref.alloc(%[[N]])
// CHECK: %[[T:.*]] = memref.alloc(%[[N]])
// CHECK: %[[R:.*]]:2 = kernel.iterate
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: kernel.continue
// CHECK: }
// CHECK-DAG: memref.dealloc %[[R]]#1
// CHECK-DAG: memref.dealloc %[[T]]
// CHECK: return %[[R]]#0
// PLAN: memory plan of time_loop:
// PLAN-NEXT: memref<?xf32>, handed on
// PLAN-NEXT: memref<?xf32>, handed on
// PLAN-NEXT: memref<?xf32>, freed after last use
func.func @time_loop(%n: index, %s: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  "test.write"(%a) : (memref<?xf32>) -> ()
  %b = memref.alloc(%n) : memref<?xf32>
  %r:2 = kernel.iterate times (%k in %s) carry (%x[%n] = %a rotate %y = %b : memref<?xf32>) {
    %t = memref.alloc(%n) : memref<?xf32>
    kernel.launch @one (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%T[%N] = %t : memref<?xf32>, %Y[%N] = %y : memref<?xf32>) {
      kernel.for "i" (%i) in %N {
        %v = kernel.load %X[%i] : memref<?xf32>
        kernel.store %v, %T[%i] : memref<?xf32>
        kernel.store %v, %Y[%i] : memref<?xf32>
      }
    }
    kernel.continue carry %y : memref<?xf32>
  }
  return %r#0 : memref<?xf32>
}

// A step hands on buffers of its loop, each once; the rest is copied.

// CHECK-LABEL: @stray
// CHECK: kernel.iterate {{.*}} carry (%[[X:.*]][%{{.*}}] = %{{.*}} rotate %[[Y:.*]] = %{{.*}} : memref<?xf32>)
// CHECK: memref.copy %{{.*}}, %[[X]]
// CHECK: kernel.continue carry %[[X]]
func.func @stray(%n: index, %s: index, %c: memref<?xf32>) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %r:2 = kernel.iterate times (%k in %s) carry (%x[%n] = %a rotate %y = %b : memref<?xf32>) {
    kernel.continue carry %c : memref<?xf32>
  }
  return %r#0 : memref<?xf32>
}

// Operands that are one buffer are one argument.

// CHECK-LABEL: @one_argument
// CHECK: kernel.launch @k (%[[N:.*]] = %{{.*}} : index) outs (%[[Y:.*]][%[[N]]] = %{{.*}} : memref<?xf32>)
// CHECK: kernel.load %[[Y]]
func.func @one_argument(%y: memref<?xf32>, %n: index) {
  kernel.launch @k (%X[%N] = %y : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.store %v, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// A row that is copied into an array is stored there: what the launch reads of
// the array is another row, or, in any row, the element that it replaces. The
// launch stands behind the check of the place.

// CHECK-LABEL: @row_in_place
// CHECK-NOT: memref.alloc
// CHECK: array.check
// CHECK: %[[ROW:.*]] = memref.subview %{{.*}}[%{{.*}}, 0]
// CHECK: kernel.launch {{.*}} outs ({{.*}} = %[[ROW]] : memref<?xf32, strided<[1], offset: ?>>)
// CHECK-NOT: memref.copy
// CHECK: return
func.func @row_in_place(%a: memref<?x?xf32>, %n: index, %m: index, %k: index, %ok: i1) {
  %one = arith.constant 1 : index
  %row = memref.alloc(%m) : memref<?xf32>
  kernel.launch @k (%K = %k : index, %A[%N, %M] = %a : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%R[%M] = %row : memref<?xf32>) {
    %c0 = arith.constant 0 : index
    kernel.for "j" (%j) in %M {
      %u = kernel.load %A[%K, %c0] : memref<?x?xf32>
      %v = kernel.load %A[%c0, %j] : memref<?x?xf32>
      %w = arith.addf %u, %v : f32
      kernel.store %w, %R[%j] : memref<?xf32>
    }
  }
  array.check index %ok, "outside"[%k : index]
  %next = arith.addi %k, %one : index
  %part = memref.subview %a[%next, 0] [1, %m] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
  memref.copy %row, %part : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  return
}

// A part of a row that begins anywhere, computed of the same columns of any
// row: an element that is replaced is read by its own iteration alone.

// CHECK-LABEL: @part_of_row_in_place
// CHECK-NOT: memref.alloc
// CHECK: %[[ROW:.*]] = memref.subview %{{.*}}[%{{.*}}, %{{.*}}]
// CHECK: kernel.launch {{.*}} outs ({{.*}} = %[[ROW]] : memref<?xf32, strided<[1], offset: ?>>)
// CHECK-NOT: memref.copy
// CHECK: return
func.func @part_of_row_in_place(%a: memref<?x?xf32>, %n: index, %m: index, %i: index, %k: index, %rest: index) {
  %row = memref.alloc(%rest) : memref<?xf32>
  kernel.launch @k (%R = %rest : index, %K = %k : index, %I = %i : index, %A[%N, %M] = %a : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%B[%R] = %row : memref<?xf32>) {
    kernel.for "j" (%j) in %R {
      %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%j)[%K]
      %u = kernel.load %A[%I, %at] : memref<?x?xf32>
      %v = kernel.load %A[%K, %at] : memref<?x?xf32>
      %w = arith.subf %u, %v : f32
      kernel.store %w, %B[%j] : memref<?xf32>
    }
  }
  %part = memref.subview %a[%i, %k] [1, %rest] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
  memref.copy %row, %part : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  return
}

// One column further the next iteration reads what this one replaces.

// CHECK-LABEL: @part_of_row_apart
// CHECK: %[[ROW:.*]] = memref.alloc
// CHECK: kernel.launch {{.*}} = %[[ROW]] : memref<?xf32>)
// CHECK: memref.copy %[[ROW]]
func.func @part_of_row_apart(%a: memref<?x?xf32>, %n: index, %m: index, %i: index, %k: index, %rest: index) {
  %row = memref.alloc(%rest) : memref<?xf32>
  kernel.launch @k (%R = %rest : index, %K = %k : index, %I = %i : index, %A[%N, %M] = %a : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%B[%R] = %row : memref<?xf32>) {
    kernel.for "j" (%j) in %R {
      %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0 - 1)>(%j)[%K]
      %v = kernel.load %A[%I, %at] : memref<?x?xf32>
      kernel.store %v, %B[%j] : memref<?xf32>
    }
  }
  %part = memref.subview %a[%i, %k] [1, %rest] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
  memref.copy %row, %part : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  return
}

// Another element of a row that may be the same one, or a launch between that
// uses memory: the row is copied.

// CHECK-LABEL: @row_apart
// CHECK: %[[ROW:.*]] = memref.alloc
// CHECK: kernel.launch {{.*}} = %[[ROW]] : memref<?xf32>)
// CHECK: memref.copy %[[ROW]]
// CHECK: kernel.launch {{.*}} = %[[ROW]] : memref<?xf32>)
// CHECK: memref.copy %[[ROW]]
func.func @row_apart(%a: memref<?x?xf32>, %n: index, %m: index, %k: index, %l: index, %s: memref<f32>) {
  %row = memref.alloc(%m) : memref<?xf32>
  kernel.launch @k (%L = %l : index, %A[%N, %M] = %a : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%R[%M] = %row : memref<?xf32>) {
    %c0 = arith.constant 0 : index
    kernel.for "j" (%j) in %M {
      %u = kernel.load %A[%L, %c0] : memref<?x?xf32>
      kernel.store %u, %R[%j] : memref<?xf32>
    }
  }
  %part = memref.subview %a[%k, 0] [1, %m] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
  memref.copy %row, %part : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  %other = memref.alloc(%m) : memref<?xf32>
  kernel.launch @k (%M = %m : index) outs (%R[%M] = %other : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      kernel.store %z, %R[%j] : memref<?xf32>
    }
  }
  kernel.launch @l (%M = %m : index, %A[%N, %M] = %a : memref<?x?xf32>, %N = %n : index) outs (%S = %s : memref<f32>) {
    %c0 = arith.constant 0 : index
    %u = kernel.load %A[%c0, %c0] : memref<?x?xf32>
    kernel.store %u, %S[] : memref<f32>
  }
  memref.copy %other, %part : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  return
}

// A loop of a number of steps in a loop: when so many swaps bring the array back,
// it is updated in its place; no copy in, none out. Sizes of what is carried are
// known outside, so that what a step needs is made there.

// CHECK-LABEL: @swapped_back
// CHECK: %[[A:.*]] = memref.alloc(%arg0)
// CHECK: %[[S:.*]] = memref.alloc(%arg0)
// CHECK: %[[T:.*]] = memref.alloc(%arg0)
// CHECK: kernel.iterate {{.*}} carry (%[[X:.*]][%{{.*}}] = %[[A]] :
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: kernel.iterate {{.*}} carry (%{{.*}}[%{{.*}}] = %[[X]] rotate %{{.*}} = %{{.*}} : memref<?xf32>)
// CHECK-NOT: memref.copy
// CHECK: kernel.continue carry %[[X]]
func.func @swapped_back(%n: index, %s: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %r = kernel.iterate times (%k in %s) carry (%x[%n] = %a : memref<?xf32>) {
    %m = memref.dim %x, %c0 : memref<?xf32>
    %own = memref.alloc(%m) : memref<?xf32>
    %zero = arith.constant 0.0 : f32
    memref.store %zero, %own[%c0] : memref<?xf32>
    %b = memref.alloc(%n) : memref<?xf32>
    %t:2 = kernel.iterate times (%l in %c4) carry (%y[%n] = %x rotate %z = %b : memref<?xf32>) {
      kernel.continue carry %z : memref<?xf32>
    }
    kernel.continue carry %t#0 : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// An odd number does not.

// CHECK-LABEL: @swapped_away
// CHECK: kernel.iterate
// CHECK: memref.copy
// CHECK: kernel.iterate
// CHECK: memref.copy
// CHECK: return
func.func @swapped_away(%n: index, %s: index) -> memref<?xf32> {
  %c3 = arith.constant 3 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %r = kernel.iterate times (%k in %s) carry (%x[%n] = %a : memref<?xf32>) {
    %b = memref.alloc(%n) : memref<?xf32>
    %t:2 = kernel.iterate times (%l in %c3) carry (%y[%n] = %x rotate %z = %b : memref<?xf32>) {
      kernel.continue carry %z : memref<?xf32>
    }
    kernel.continue carry %t#0 : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// A loop in a branch updates an array in its place, or nothing does.

// CHECK-LABEL: @no_copies_of_branches
// CHECK-SAME: %{{.*}}: index, %[[C:.*]]: i1, %{{.*}}: f32
// CHECK-NOT: memref.copy
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: kernel.iterate times {{.*}} carry (%[[X:.*]][%{{.*}}] = %[[A]]
// CHECK: scf.if %[[C]] -> (f32) {
// CHECK: kernel.iterate times {{.*}} carry (%{{.*}} = %[[X]]
// CHECK: kernel.continue carry %[[X]]
// CHECK-NOT: memref.copy
// CHECK: return
func.func @no_copies_of_branches(%n: index, %c: i1, %v: f32) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  %r = kernel.iterate times (%k in %n) carry (%x[%n] = %a : memref<?xf32>) {
    %t:2 = scf.if %c -> (memref<?xf32>, f32) {
      %y = kernel.iterate times (%l in %n) carry (%z[%n] = %x : memref<?xf32>) {
        memref.store %v, %z[%l] : memref<?xf32>
        kernel.continue carry %z : memref<?xf32>
      }
      %one = arith.constant 1.0 : f32
      scf.yield %y, %one : memref<?xf32>, f32
    } else {
      scf.yield %x, %v : memref<?xf32>, f32
    }
    memref.store %t#1, %t#0[%k] : memref<?xf32>
    kernel.continue carry %t#0 : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// -----

// The condition hands on what came in, and parts that cover an array need no
// fill in front.
// CHECK-LABEL: func.func @grow
// CHECK: scf.while (%{{.*}}, %[[A:.*]] = %{{.*}})
// CHECK-NOT: memref.copy
// CHECK: scf.condition(%{{.*}}) %{{.*}}, %[[A]]
// CHECK: ^bb0(%{{.*}}: index, %[[V:.*]]: memref<?xi64>):
// CHECK: %[[W:.*]] = memref.alloc(
// CHECK-NOT: kernel.launch
// CHECK: memref.copy %[[V]],
// CHECK: memref.dealloc %[[V]]
// CHECK: memref.copy
// CHECK: scf.yield %{{.*}}, %[[W]]
func.func @grow(%n: index, %one: memref<1xi64>) -> memref<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v0 = memref.alloc(%c0) : memref<?xi64>
  %r:2 = scf.while (%i = %c0, %v = %v0) : (index, memref<?xi64>) -> (index, memref<?xi64>) {
    %go = arith.cmpi slt, %i, %n : index
    %d = memref.dim %v, %c0 : memref<?xi64>
    %w = memref.alloc(%d) : memref<?xi64>
    memref.copy %v, %w : memref<?xi64> to memref<?xi64>
    scf.condition(%go) %i, %w : index, memref<?xi64>
  } do {
  ^bb0(%i: index, %v: memref<?xi64>):
    %d = memref.dim %v, %c0 : memref<?xi64>
    %m = affine.apply affine_map<(d0) -> (d0 + 1)>(%d)
    %w = memref.alloc(%m) : memref<?xi64>
    kernel.launch @fill (%M = %m : index) outs (%W[%M] = %w : memref<?xi64>) {
      %z = arith.constant 0 : i64
      kernel.for "e" (%e) in %M {
        kernel.store %z, %W[%e] : memref<?xi64>
      }
    }
    %front = memref.subview %w[0] [%d] [1] : memref<?xi64> to memref<?xi64, strided<[1]>>
    memref.copy %v, %front : memref<?xi64> to memref<?xi64, strided<[1]>>
    %back = memref.subview %w[%d] [1] [1] : memref<?xi64> to memref<1xi64, strided<[1], offset: ?>>
    memref.copy %one, %back : memref<1xi64> to memref<1xi64, strided<[1], offset: ?>>
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %w : index, memref<?xi64>
  }
  return %r#1 : memref<?xi64>
}

// -----

// What copies leave of the array is filled.
// CHECK-LABEL: func.func @no_fill_left_out
// CHECK: kernel.launch
func.func @no_fill_left_out(%n: index, %one: memref<1xi64>) -> memref<?xi64> {
  %c2 = arith.constant 2 : index
  %m = arith.addi %n, %c2 : index
  %w = memref.alloc(%m) : memref<?xi64>
  kernel.launch @fill (%M = %m : index) outs (%W[%M] = %w : memref<?xi64>) {
    %z = arith.constant 0 : i64
    kernel.for "e" (%e) in %M {
      kernel.store %z, %W[%e] : memref<?xi64>
    }
  }
  %back = memref.subview %w[0] [1] [1] : memref<?xi64> to memref<1xi64, strided<[1]>>
  memref.copy %one, %back : memref<1xi64> to memref<1xi64, strided<[1]>>
  return %w : memref<?xi64>
}
