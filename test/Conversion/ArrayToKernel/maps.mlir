// RUN: arr-opt %s --convert-array-to-kernel --canonicalize --cse | FileCheck %s

// Views are read through: nothing is copied, sizes get their names.

// CHECK-LABEL: @no_copy_of_views
// CHECK-SAME: %[[X:.*]]: tensor<?x?xf32>
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[X]], %c1
// CHECK: %[[E:.*]] = tensor.empty(%[[M]]) : tensor<?xf32>
// CHECK: kernel.launch @no_copy_of_views_{{[0-9]+}} (%[[MA:.*]] = %[[M]] : index, %[[XA:.*]][%[[NA:.*]], %[[MA]]] = %[[X]] : tensor<?x?xf32>, %[[NA]] = %[[N]] : index) outs (%[[R:.*]][%[[MA]]] = %[[E]] : tensor<?xf32>)
// CHECK-NEXT: %[[C2:.*]] = arith.constant 2 : index
// CHECK-NEXT: kernel.for "j" (%[[J:.*]]) in %[[MA]] {
// CHECK-NEXT:   %[[V:.*]] = kernel.load %[[XA]][%[[C2]], %[[J]]] : memref<?x?xf32>
// CHECK-NEXT:   kernel.store %[[V]], %[[R]][%[[J]]]
// CHECK-NOT: kernel.launch
func.func @no_copy_of_views(%x0: tensor<?x?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x0, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x0, %c1 : tensor<?x?xf32>
  %x = array.bind %x0 [%n, %m] : tensor<?x?xf32>
  %t = array.view %x (d0, d1) -> (d1, d0) in (%m, %n) : tensor<?x?xf32> to tensor<?x?xf32>
  %col = array.view %t (d0)[s0] -> (d0, s0) [%c2] in (%m) : tensor<?x?xf32> to tensor<?xf32>
  %r = array.map (%j "j") in (%m) {
    %v = array.at %col[%j] inbounds : tensor<?xf32>
    array.yield %v : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// Products in the index of a view stand by themselves: the rest is a sum, whose
// last part says that neighbours are read.

// CHECK-LABEL: @reshaped
// CHECK: kernel.for "i" (%[[I:.*]]) in
// CHECK: kernel.for "j" (%[[J:.*]]) in
// CHECK: %[[ROW:.*]] = arith.muli %[[I]], %{{.*}} : index
// CHECK: %[[AT:.*]] = arith.addi %[[ROW]], %[[J]] : index
// CHECK: kernel.load %{{.*}}[%[[AT]]] : memref<?xf32>
// CHECK: %[[BESIDE:.*]] = arith.addi %[[AT]], %{{.*}} : index
// CHECK: kernel.load %{{.*}}[%[[BESIDE]]] : memref<?xf32>
func.func @reshaped(%x: tensor<?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %v = array.view %x (d0, d1)[s0] -> (d0 * s0 + d1) [%m] in (%n, %m) : tensor<?xf32> to tensor<?x?xf32>
  %r = array.map (%i "i", %j "j") in (%n, %m) {
    %a = array.at %v[%i, %j] inbounds : tensor<?x?xf32>
    %place = affine.apply affine_map<(d0, d1)[s0] -> (d0 * s0 + d1 + 1)>(%i, %j)[%m]
    %b = array.at %x[%place] inbounds : tensor<?xf32>
    %c = arith.addf %a, %b : f32
    array.yield %c : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// A view that is returned is an array of its own.

// CHECK-LABEL: @escaping_view
// CHECK: kernel.launch
// CHECK: kernel.for "e0" (%[[I:.*]]) in
// CHECK: kernel.for "e1" (%[[J:.*]]) in
// CHECK: %[[V:.*]] = kernel.load %{{.*}}[%[[J]], %[[I]]]
// CHECK: kernel.store %[[V]], %{{.*}}[%[[I]], %[[J]]]
func.func @escaping_view(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %t = array.view %x (d0, d1) -> (d1, d0) in (%m, %n) : tensor<?x?xf32> to tensor<?x?xf32>
  return %t : tensor<?x?xf32>
}

// Facts are repeated inside.

// CHECK-LABEL: @facts
// CHECK: kernel.launch @facts_{{[0-9]+}} (%[[N:[a-z0-9]+]] = %{{.*}} : index
// CHECK-NEXT: %[[F:.*]] = array.assume %[[N]] in 3 to 100
// CHECK-NEXT: kernel.for "i" (%{{.*}}) in %[[F]]
func.func @facts(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n0 = tensor.dim %x, %c0 : tensor<?xf32>
  %n = array.assume %n0 in 3 to 100 : index
  %r = array.map (%i "i") in (%n) {
    %v = array.at %x[%i] inbounds : tensor<?xf32>
    array.yield %v : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// A read that may be outside is checked, and masked by its check.

// CHECK-LABEL: @checked
// CHECK: %[[OK:.*]] = arith.cmpi ult, %[[K:.*]], %[[N:.*]] : index
// CHECK: kernel.check index %[[OK]], "index {0} is outside of a dimension of size {1}" [%[[K]], %[[N]] : index, index]
// CHECK: kernel.load %{{.*}}[%[[K]]] if %[[OK]]
func.func @checked(%x: tensor<?xf32>, %at: tensor<?xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %at, %c0 : tensor<?xi64>
  %r = array.map (%i "i") in (%n) {
    %k0 = array.at %at[%i] inbounds : tensor<?xi64>
    %k = arith.index_cast %k0 : i64 to index
    %v = array.at %x[%k] : tensor<?xf32>
    array.yield %v : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// Modes of whole arrays are the load's; `fill` is a mask and a select.

// CHECK-LABEL: @boundaries
// CHECK: %[[IM:.*]] = affine.apply {{.*}}(%[[I:.*]])
// CHECK: kernel.load %{{.*}}[%[[IM]], %[[J:.*]]] edge [clamp, wrap]
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[IM]], %{{.*}} : index
// CHECK: %[[V:.*]] = kernel.load %{{.*}}[%[[IM]], %[[J]]] edge [none, mirror] if %[[IN]]
// CHECK: arith.select %[[IN]], %[[V]], %{{.*}} : f32
func.func @boundaries(%x: tensor<?x?xf32>, %fill: f32) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %a = array.extend %x [clamp, wrap] : tensor<?x?xf32>
  %b = array.extend %x [fill %fill, mirror] : tensor<?x?xf32>
  %r = array.stencil (%i "i", %j "j") in (%n, %m) {
    %im = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
    %u = array.at %a[%im, %j] inbounds : tensor<?x?xf32>
    %v = array.at %b[%im, %j] inbounds : tensor<?x?xf32>
    %s = arith.addf %u, %v : f32
    array.yield %s : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// The boundary of a slice is arithmetic: it is not that of the memory.

// CHECK-LABEL: @boundary_of_slice
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: affine.apply
// CHECK: kernel.load %{{.*}}[%{{.*}}] : memref<?xf32>
func.func @boundary_of_slice(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %v = array.view %x (d0) -> (d0 + 1) in (%n) : tensor<?xf32> to tensor<?xf32>
  %e = array.extend %v [clamp] : tensor<?xf32>
  %r = array.map (%i "i") in (%n) {
    %k = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
    %u = array.at %e[%k] inbounds : tensor<?xf32>
    array.yield %u : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// Small arrays: elements at constant indices.

// CHECK-LABEL: @small_arrays
// CHECK: kernel.for "i" (%[[I:.*]]) in
// CHECK-DAG: kernel.store %{{.*}}, %[[R:.*]][%[[I]], %c0{{.*}}] : memref<?x2xf32>
// CHECK-DAG: kernel.store %{{.*}}, %[[R]][%[[I]], %c1] : memref<?x2xf32>
func.func @small_arrays(%x: tensor<?xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r = array.map (%i "i") in (%n) {
    %v = array.at %x[%i] inbounds : tensor<?xf32>
    %w = arith.negf %v : f32
    %p = tensor.from_elements %v, %w : tensor<2xf32>
    array.yield %p : tensor<2xf32>
  } : tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}

// Checks of the host stay on the host; its reads stay behind them.

// CHECK-LABEL: @host_read
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[K:.*]]: index
// CHECK: %[[OK:.*]] = arith.cmpi ult, %[[K]], %[[N:.*]] : index
// CHECK: array.check index %[[OK]]
// CHECK: %[[S:.*]] = arith.select %[[OK]], %[[K]], %c0
// CHECK: tensor.extract %[[X]][%[[S]]]
func.func @host_read(%x: tensor<?xf32>, %k: index) -> f32 {
  %v = array.at %x[%k] : tensor<?xf32>
  return %v : f32
}
