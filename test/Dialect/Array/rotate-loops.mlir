// RUN: arr-opt %s --arr-rotate-loops --split-input-file | FileCheck %s
// RUN: arr-opt %s --arr-rotate-loops --arr-fuse-slices --split-input-file | FileCheck %s --check-prefix=JOINED

// The slice reads neighbours of what it replaces.
// CHECK-LABEL: @no_neighbours
// CHECK: scf.for
// CHECK-NEXT: array.map
// CHECK: tensor.insert_slice
// CHECK: array.stencil
func.func @no_neighbours(%f0: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%f = %f0) -> tensor<8xf32> {
    %s = array.map (%i) in (1) {
      %v = array.at %f[%c1] inbounds : tensor<8xf32>
      array.yield %v : f32
    } : tensor<1xf32>
    %g = tensor.insert_slice %s into %f[0] [1] [1] : tensor<1xf32> into tensor<8xf32>
    %e = array.extend %g [wrap] : tensor<8xf32>
    %h = array.stencil (%i) in (8) reach [0 to 1] {
      %k = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %v = array.at %e[%k] inbounds : tensor<8xf32>
      array.yield %v : f32
    } : tensor<8xf32>
    scf.yield %h : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// What each step changes is not known after the one before.
// CHECK-LABEL: @no_changing
// CHECK: scf.for
// CHECK: tensor.insert_slice
// CHECK: array.stencil
func.func @no_changing(%f0: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%f = %f0) -> tensor<8xf32> {
    %time = arith.index_cast %t : index to i32
    %value = arith.sitofp %time : i32 to f32
    %s = array.map (%i) in (3) {
      array.yield %value : f32
    } : tensor<3xf32>
    %g = tensor.insert_slice %s into %f[0] [3] [1] : tensor<3xf32> into tensor<8xf32>
    %e = array.extend %g [wrap] : tensor<8xf32>
    %h = array.stencil (%i) in (8) reach [0 to 1] {
      %k = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %v = array.at %e[%k] inbounds : tensor<8xf32>
      array.yield %v : f32
    } : tensor<8xf32>
    scf.yield %h : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// A row of vectors; what stands beside it in another array is read where it is.
// CHECK-LABEL: @row
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %{{.*}}, %[[N:.*]] : index
// CHECK: %[[S0:.*]] = array.map
// CHECK:   arith.select %[[ANY]]
// CHECK:   arith.select %[[ANY]]
// CHECK: %[[G0:.*]] = tensor.insert_slice %[[S0]]
// CHECK: scf.for %[[T:.*]] = %{{.*}} to %[[N]] {{.*}} iter_args(%[[G:.*]] = %[[G0]])
// CHECK-NOT: tensor.insert_slice
// CHECK:   %[[H:.*]] = array.stencil
// CHECK:   %[[NEXT:.*]] = arith.addi %[[T]]
// CHECK:   %[[MORE:.*]] = arith.cmpi slt, %[[NEXT]], %[[N]]
// CHECK:   %[[S:.*]] = array.map
// CHECK:     array.at %[[H]]
// CHECK:     arith.select %[[MORE]]
// CHECK:   %[[I:.*]] = tensor.insert_slice %[[S]] into %[[H]]
// CHECK:   scf.yield %[[I]]
// JOINED-LABEL: @row
// JOINED: scf.for
// JOINED-NOT: tensor.insert_slice
// JOINED:   %[[H:.*]] = array.stencil
// JOINED:   array.map (%[[I:.*]], %[[J:.*]]) in (4, 8) {
// JOINED:     %[[IN:.*]] = arith.cmpi eq, %[[I]], %{{.*}} : index
// JOINED:     scf.if %[[IN]]
// JOINED:       array.at %[[H]][%[[I]], %[[J]], %{{.*}}] inbounds
// JOINED:       array.at %{{.*}}[%[[I]], %[[J]]] : tensor<4x8xi1>
// JOINED:     } else {
// JOINED:       array.at %[[H]][%[[I]], %[[J]], %{{.*}}] inbounds
// JOINED:     tensor.from_elements
func.func @row(%f0: tensor<4x8x2xf32>, %wall: tensor<4x8xi1>, %n: index) -> tensor<4x8x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%f = %f0) -> tensor<4x8x2xf32> {
    %s = array.map (%j) in (8) {
      %a = array.at %f[%c2, %j, %c0] inbounds : tensor<4x8x2xf32>
      %b = array.at %f[%c2, %j, %c1] inbounds : tensor<4x8x2xf32>
      %w = array.at %wall[%c2, %j] inbounds : tensor<4x8xi1>
      %d = arith.addf %a, %b : f32
      %x = arith.select %w, %a, %d : f32
      %v = tensor.from_elements %x, %b : tensor<2xf32>
      array.yield %v : tensor<2xf32>
    } : tensor<8x2xf32>
    %g = tensor.insert_slice %s into %f[2, 0, 0] [1, 8, 2] [1, 1, 1] : tensor<8x2xf32> into tensor<4x8x2xf32>
    %e = array.extend %g [wrap, wrap, none] : tensor<4x8x2xf32>
    %h = array.stencil (%i, %j) in (4, 8) reach [0 to 1, 0 to 0] {
      %k = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %a = array.at %e[%k, %j, %c0] inbounds : tensor<4x8x2xf32>
      %b = array.at %e[%k, %j, %c1] inbounds : tensor<4x8x2xf32>
      %v = tensor.from_elements %a, %b : tensor<2xf32>
      array.yield %v : tensor<2xf32>
    } : tensor<4x8x2xf32>
    scf.yield %h : tensor<4x8x2xf32>
  }
  return %r : tensor<4x8x2xf32>
}
