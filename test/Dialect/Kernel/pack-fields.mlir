// RUN: arr-opt %s --allow-unregistered-dialect --kernel-pack-fields | FileCheck %s
// RUN: arr-opt %s --allow-unregistered-dialect --kernel-pack-fields -o /dev/null --remark-format=emitRemark --remarks-filter='pack-fields' 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK-COUNT-11: [Passed] PackedFields

// Parameters stay where the caller put them.

// CHECK-LABEL: @no_parameters
// CHECK-NOT: memref.view
func.func @no_parameters(%n: index, %x: memref<?xf32>, %y: memref<?xf32>) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>, %Y[%N] = %y : memref<?xf32>) {
    kernel.for "i" (%i) in %N {
      %z = arith.constant 0.0 : f32
      kernel.store %z, %X[%i] : memref<?xf32>
      kernel.store %z, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// Arrays of other sizes are no fields of one struct.

// CHECK-LABEL: @no_other_sizes
// CHECK-NOT: memref.view
func.func @no_other_sizes(%n: index, %m: index) {
  %x = memref.alloc(%n) : memref<?xf32>
  %y = memref.alloc(%m) : memref<?xf32>
  kernel.launch @k (%N = %n : index, %M = %m : index) outs (%X[%N] = %x : memref<?xf32>, %Y[%M] = %y : memref<?xf32>) {
  }
  memref.dealloc %x : memref<?xf32>
  memref.dealloc %y : memref<?xf32>
  return
}

// One that is freed before something is allocated must not live on.

// CHECK-LABEL: @no_longer_life
// CHECK-NOT: memref.view
func.func @no_longer_life(%n: index) {
  %x = memref.alloc(%n) : memref<?xf32>
  %y = memref.alloc(%n) : memref<?xf32>
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>, %Y[%N] = %y : memref<?xf32>) {
  }
  memref.dealloc %x : memref<?xf32>
  %z = memref.alloc(%n) : memref<?xf32>
  kernel.launch @l (%N = %n : index, %Y[%N] = %y : memref<?xf32>) outs (%Z[%N] = %z : memref<?xf32>) {
  }
  memref.dealloc %y : memref<?xf32>
  memref.dealloc %z : memref<?xf32>
  return
}

// Results that are no fields of one struct are the caller's one at a time.

// CHECK-LABEL: @no_results_alone
// CHECK-NOT: memref.view
func.func @no_results_alone(%n: index) -> (memref<?xf32>, memref<?xf32>) attributes {arrc.results = [{name = "x"}, {name = "y"}]} {
  %x = memref.alloc(%n) : memref<?xf32>
  %y = memref.alloc(%n) : memref<?xf32>
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>, %Y[%N] = %y : memref<?xf32>) {
  }
  return %x, %y : memref<?xf32>, memref<?xf32>
}

// A function that is no export gives each buffer to its caller.

// CHECK-LABEL: @no_private_results
// CHECK-NOT: memref.view
func.func private @no_private_results(%n: index) -> (memref<?xf32>, memref<?xf32>) {
  %x = memref.alloc(%n) : memref<?xf32>
  %y = memref.alloc(%n) : memref<?xf32>
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>, %Y[%N] = %y : memref<?xf32>) {
  }
  return %x, %y : memref<?xf32>, memref<?xf32>
}

// The arrays of a pack must go on as one: of these one is updated in place.

// CHECK-LABEL: @no_parting
// CHECK-NOT: memref.view
func.func @no_parting(%n: index, %s: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  %r:3 = kernel.iterate times (%k in %s) carry (%x[%n] = %a rotate %next = %b : memref<?xf32>, %y[%n] = %c : memref<?xf32>) {
    kernel.launch @step (%N = %n : index, %X[%N] = %x : memref<?xf32>) outs (%U[%N] = %next : memref<?xf32>, %Y[%N] = %y : memref<?xf32>) {
    }
    kernel.continue carry %next, %y : memref<?xf32>, memref<?xf32>
  }
  memref.dealloc %r#2 : memref<?xf32>
  memref.dealloc %r#0 : memref<?xf32>
  memref.dealloc %c : memref<?xf32>
  return
}

// Nor does a pack lose an array to one that is carried alone: a step makes %z in
// the place of %y.

// CHECK-LABEL: @no_lone_heir
// CHECK-NOT: memref.view
// CHECK: kernel.iterate times ({{.*}}) carry (%{{.*}}[%{{.*}}] = %{{.*}} : memref<?xi8>, %{{.*}}[%{{.*}}] = %{{.*}} rotate %[[U:.*]] = %{{.*}} : memref<?xi8>, %[[Y:.*]][%{{.*}}] = %{{.*}} rotate %[[V:.*]] = %{{.*}} : memref<?xi8>) {
// CHECK-NOT: memref.view
// CHECK: kernel.continue carry %[[Y]], %[[U]], %[[V]] :
// CHECK-NOT: memref.view
func.func @no_lone_heir(%n: index, %s: index) {
  %a = memref.alloc(%n) : memref<?xi8>
  %b = memref.alloc(%n) : memref<?xi8>
  %c = memref.alloc(%n) : memref<?xi8>
  %d = memref.alloc(%n) : memref<?xi8>
  %e = memref.alloc(%n) : memref<?xi8>
  %r:5 = kernel.iterate times (%k in %s) carry (%z[%n] = %a : memref<?xi8>, %x[%n] = %b rotate %u = %d : memref<?xi8>, %y[%n] = %c rotate %v = %e : memref<?xi8>) {
    kernel.launch @step (%N = %n : index, %Z[%N] = %z : memref<?xi8>, %X[%N] = %x : memref<?xi8>) outs (%Y[%N] = %y : memref<?xi8>, %U[%N] = %u : memref<?xi8>, %V[%N] = %v : memref<?xi8>) {
    }
    kernel.continue carry %y, %u, %v : memref<?xi8>, memref<?xi8>, memref<?xi8>
  }
  memref.dealloc %r#4 : memref<?xi8>
  memref.dealloc %r#3 : memref<?xi8>
  memref.dealloc %r#2 : memref<?xi8>
  memref.dealloc %r#1 : memref<?xi8>
  memref.dealloc %r#0 : memref<?xi8>
  return
}

// Elements of different types, arrays of small vectors: a point of all of them
// is 4 + 24 + 1 bytes, and planes begin at multiples of 512.

// CHECK-LABEL: @made_together
// CHECK-SAME: %[[N:.*]]: index, %[[M:.*]]: index
// CHECK: %{{.*}}, %[[HIGH:.*]] = arith.mului_extended
// CHECK: arith.cmpi ne, %[[HIGH]]
// CHECK: %[[K:.*]] = arith.ceildivui %{{.*}}, %{{.*}} : i64
// CHECK: %[[E:.*]] = arith.muli %[[K]], %{{.*}} : i64
// CHECK: %[[U:.*]] = arith.addi %[[E]], %{{.*}} : i64
// CHECK: %[[ALL:.*]] = arith.constant 14848 : i64
// CHECK: arith.muli %[[U]], %[[ALL]]
// CHECK: %[[S:.*]] = arith.select
// CHECK: %[[B:.*]] = arith.index_cast %[[S]] : i64 to index
// CHECK: %[[P:.*]] = arith.index_cast %[[U]] : i64 to index
// CHECK: %[[O1:.*]] = arith.muli %[[P]], %{{.*}} : index
// CHECK: %[[O2:.*]] = arith.muli %[[P]], %{{.*}} : index
// CHECK: %[[A:.*]] = memref.alloc(%[[B]]) : memref<?xi8>
// CHECK: memref.view %[[A]][%{{.*}}][%[[N]], %[[M]]] {kernel.plane = array<i64: 0, 2048>} : memref<?xi8> to memref<?x?xf32>
// CHECK: memref.view %[[A]][%[[O1]]][%[[N]], %[[M]]] {kernel.plane = array<i64: 2048, 12288>} : memref<?xi8> to memref<?x?x3xf64>
// CHECK: memref.view %[[A]][%[[O2]]][%[[N]], %[[M]]] {kernel.plane = array<i64: 14336, 512>} : memref<?xi8> to memref<?x?xi1>
// CHECK-NOT: memref.alloc
// CHECK: memref.dealloc %[[A]] : memref<?xi8>
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @made_together(%n: index, %m: index) {
  %x = memref.alloc(%n, %m) : memref<?x?xf32>
  %v = memref.alloc(%n, %m) : memref<?x?x3xf64>
  %f = memref.alloc(%n, %m) : memref<?x?xi1>
  kernel.launch @k (%N = %n : index, %M = %m : index) outs (%X[%N, %M] = %x : memref<?x?xf32>, %V[%N, %M, 3] = %v : memref<?x?x3xf64>, %F[%N, %M] = %f : memref<?x?xi1>) {
  }
  memref.dealloc %f : memref<?x?xi1>
  memref.dealloc %v : memref<?x?x3xf64>
  memref.dealloc %x : memref<?x?xf32>
  return
}

// Constant sizes: one behind the other.

// CHECK-LABEL: @constant_sizes
// CHECK: %[[A:.*]] = memref.alloc() : memref<1536xi8>
// CHECK: memref.view %[[A]][%{{.*}}][] {kernel.plane = array<i64: 0, 512>} : memref<1536xi8> to memref<100xf32>
// CHECK: memref.view %[[A]][%{{.*}}][] {kernel.plane = array<i64: 512, 1024>} : memref<1536xi8> to memref<100xf64>
func.func @constant_sizes() {
  %x = memref.alloc() : memref<100xf32>
  %y = memref.alloc() : memref<100xf64>
  kernel.launch @k () outs (%X[100] = %x : memref<100xf32>, %Y[100] = %y : memref<100xf64>) {
  }
  memref.dealloc %x : memref<100xf32>
  memref.dealloc %y : memref<100xf64>
  return
}

// Both buffers of the state are packs of one size that change places.

// CHECK-LABEL: @time_loop
// CHECK-SAME: %[[N:.*]]: index, %[[S:.*]]: index
// CHECK: %[[P:.*]] = memref.alloc(%[[B:.*]]) : memref<?xi8>
// CHECK: %[[Q:.*]] = memref.alloc(%[[B]]) : memref<?xi8>
// CHECK: %[[R:.*]]:2 = kernel.iterate times (%{{.*}} in %[[S]]) carry (%[[C:.*]][%[[B]]] = %[[P]] rotate %[[D:.*]] = %[[Q]] : memref<?xi8>) {
// CHECK:   %[[X:.*]] = memref.view %[[C]][%{{.*}}][%[[N]]] {kernel.plane = array<i64: 0, 2048>}
// CHECK:   %[[Y:.*]] = memref.view %[[C]][%{{.*}}][%[[N]]] {kernel.plane = array<i64: 2048, 4096>}
// CHECK:   %[[U:.*]] = memref.view %[[D]][%{{.*}}][%[[N]]] {kernel.plane = array<i64: 0, 2048>}
// CHECK:   %[[V:.*]] = memref.view %[[D]][%{{.*}}][%[[N]]] {kernel.plane = array<i64: 2048, 4096>}
// CHECK:   kernel.launch @step (%{{.*}} = %[[N]] : index, %{{.*}} = %[[X]] : memref<?xf32>, %{{.*}} = %[[Y]] : memref<?xf64>) outs (%{{.*}} = %[[U]] : memref<?xf32>, %{{.*}} = %[[V]] : memref<?xf64>)
// CHECK:   kernel.continue carry %[[D]] : memref<?xi8>
// CHECK: %[[F:.*]] = memref.view %[[R]]#0
// CHECK: memref.dealloc %[[R]]#1
// CHECK: "test.use"(%[[F]])
// CHECK: memref.dealloc %[[R]]#0
// CHECK-NOT: memref.dealloc
func.func @time_loop(%n: index, %s: index) {
  %x0 = memref.alloc(%n) : memref<?xf32>
  %y0 = memref.alloc(%n) : memref<?xf64>
  kernel.launch @init (%N = %n : index) outs (%X[%N] = %x0 : memref<?xf32>, %Y[%N] = %y0 : memref<?xf64>) {
  }
  %u0 = memref.alloc(%n) : memref<?xf32>
  %v0 = memref.alloc(%n) : memref<?xf64>
  %r:4 = kernel.iterate times (%k in %s) carry (%x[%n] = %x0 rotate %u = %u0 : memref<?xf32>, %y[%n] = %y0 rotate %v = %v0 : memref<?xf64>) {
    kernel.launch @step (%N = %n : index, %X[%N] = %x : memref<?xf32>, %Y[%N] = %y : memref<?xf64>) outs (%U[%N] = %u : memref<?xf32>, %V[%N] = %v : memref<?xf64>) {
    }
    kernel.continue carry %u, %v : memref<?xf32>, memref<?xf64>
  }
  memref.dealloc %r#3 : memref<?xf64>
  memref.dealloc %r#2 : memref<?xf32>
  "test.use"(%r#0) : (memref<?xf32>) -> ()
  memref.dealloc %r#1 : memref<?xf64>
  memref.dealloc %r#0 : memref<?xf32>
  return
}

// Three buffers of a leapfrog, and what stays in place.

// CHECK-LABEL: @leapfrog
// CHECK: kernel.iterate times ({{.*}}) carry (%[[A:.*]][%[[B:.*]]] = %{{.*}} : memref<?xi8>, %[[C:.*]][%[[B]]] = %{{.*}} rotate %[[D:.*]] = %{{.*}} : memref<?xi8>, %[[E:.*]][%[[B]]] = %{{.*}} : memref<?xi8>) {
// CHECK: kernel.continue carry %[[C]], %[[D]], %[[E]] : memref<?xi8>, memref<?xi8>, memref<?xi8>
func.func @leapfrog(%n: index, %s: index) {
  %a0 = memref.alloc(%n) : memref<?xf32>
  %b0 = memref.alloc(%n) : memref<?xf32>
  %c0 = memref.alloc(%n) : memref<?xf32>
  %d0 = memref.alloc(%n) : memref<?xf32>
  %e0 = memref.alloc(%n) : memref<?xf32>
  %f0 = memref.alloc(%n) : memref<?xf32>
  %g0 = memref.alloc(%n) : memref<?xf32>
  %h0 = memref.alloc(%n) : memref<?xf32>
  %r:8 = kernel.iterate times (%k in %s) carry (%a[%n] = %a0 : memref<?xf32>, %b[%n] = %b0 : memref<?xf32>, %c[%n] = %c0 rotate %e = %e0 : memref<?xf32>, %d[%n] = %d0 rotate %f = %f0 : memref<?xf32>, %g[%n] = %g0 : memref<?xf32>, %h[%n] = %h0 : memref<?xf32>) {
    kernel.launch @step (%N = %n : index, %A[%N] = %a : memref<?xf32>, %B[%N] = %b : memref<?xf32>, %C[%N] = %c : memref<?xf32>, %D[%N] = %d : memref<?xf32>) outs (%E[%N] = %e : memref<?xf32>, %F[%N] = %f : memref<?xf32>, %G[%N] = %g : memref<?xf32>, %H[%N] = %h : memref<?xf32>) {
    }
    kernel.continue carry %c, %d, %e, %f, %g, %h : memref<?xf32>, memref<?xf32>, memref<?xf32>, memref<?xf32>, memref<?xf32>, memref<?xf32>
  }
  memref.dealloc %r#7 : memref<?xf32>
  memref.dealloc %r#6 : memref<?xf32>
  memref.dealloc %r#3 : memref<?xf32>
  memref.dealloc %r#2 : memref<?xf32>
  memref.dealloc %r#1 : memref<?xf32>
  memref.dealloc %r#0 : memref<?xf32>
  memref.dealloc %g0 : memref<?xf32>
  memref.dealloc %h0 : memref<?xf32>
  return
}

// Of three arrays one becomes an array that is carried alone: two are a pack.

// CHECK-LABEL: @without_one
// CHECK: kernel.iterate times ({{.*}}) carry (%{{.*}} = %{{.*}} : memref<?xf32>, %{{.*}}[%[[B:.*]]] = %{{.*}} rotate %[[P:.*]] = %{{.*}} : memref<?xi8>, %[[Y:.*]][%{{.*}}] = %{{.*}} rotate %[[V:.*]] = %{{.*}} : memref<?xf32>) {
// CHECK: kernel.continue carry %[[Y]], %[[P]], %[[V]] : memref<?xf32>, memref<?xi8>, memref<?xf32>
func.func @without_one(%n: index, %s: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  %d = memref.alloc(%n) : memref<?xf32>
  %e = memref.alloc(%n) : memref<?xf32>
  %f = memref.alloc(%n) : memref<?xf32>
  %g = memref.alloc(%n) : memref<?xf32>
  %r:7 = kernel.iterate times (%k in %s) carry (%z[%n] = %a : memref<?xf32>, %w[%n] = %b rotate %t = %c : memref<?xf32>, %x[%n] = %d rotate %u = %e : memref<?xf32>, %y[%n] = %f rotate %v = %g : memref<?xf32>) {
    kernel.launch @step (%N = %n : index, %Z[%N] = %z : memref<?xf32>, %W[%N] = %w : memref<?xf32>, %X[%N] = %x : memref<?xf32>) outs (%Y[%N] = %y : memref<?xf32>, %T[%N] = %t : memref<?xf32>, %U[%N] = %u : memref<?xf32>, %V[%N] = %v : memref<?xf32>) {
    }
    kernel.continue carry %y, %t, %u, %v : memref<?xf32>, memref<?xf32>, memref<?xf32>, memref<?xf32>
  }
  memref.dealloc %r#6 : memref<?xf32>
  memref.dealloc %r#5 : memref<?xf32>
  memref.dealloc %r#4 : memref<?xf32>
  memref.dealloc %r#3 : memref<?xf32>
  memref.dealloc %r#2 : memref<?xf32>
  memref.dealloc %r#1 : memref<?xf32>
  memref.dealloc %r#0 : memref<?xf32>
  return
}

// The fields of one result go to the caller in one allocation.

// CHECK-LABEL: @struct_result
// CHECK: %[[A:.*]] = memref.alloc(%{{.*}}) : memref<?xi8>
// CHECK: %[[X:.*]] = memref.view %[[A]]
// CHECK: %[[Y:.*]] = memref.view %[[A]]
// CHECK: return %[[X]], %[[Y]]
func.func @struct_result(%n: index) -> (memref<?xf32>, memref<?xf32>) attributes {arrc.results = [{name = "p.x"}, {name = "p.y"}]} {
  %x = memref.alloc(%n) : memref<?xf32>
  %y = memref.alloc(%n) : memref<?xf32>
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>, %Y[%N] = %y : memref<?xf32>) {
  }
  return %x, %y : memref<?xf32>, memref<?xf32>
}
