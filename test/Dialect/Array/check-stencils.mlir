// RUN: arr-opt %s --arr-check-stencils | FileCheck %s

// CHECK-LABEL: func @heat
// CHECK: array.stencil (%{{.*}}, %{{.*}}) in (%{{.*}}, %{{.*}}) reach [-1 to 0, 0 to 2]
func.func @heat(%u: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %r = array.stencil (%i, %j) in (%n, %m) {
    %k = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
    %l = affine.apply affine_map<(d0) -> (d0 + 2)>(%j)
    %x = array.at %u[%k, %j] : tensor<?x?xf32>
    %y = array.at %u[%i, %l] : tensor<?x?xf32>
    %z = arith.addf %x, %y : f32
    array.yield %z : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Casts of user integers and indices of inner loops are looked through; other
// subscripts are free; arrays made inside are none of it.
// CHECK-LABEL: func @inner_loop
// CHECK: array.stencil (%{{.*}}) in (%{{.*}}) reach [-2 to 2]
func.func @inner_loop(%u: tensor<?xf32>, %w: tensor<5xf32>, %n: index, %z: f32) -> tensor<?xf32> {
  %c2 = arith.constant 2 : i64
  %r = array.stencil (%i) in (%n) {
    %i0 = arith.index_cast %i : index to i64
    %own = array.map (%q) in (3) {
      array.yield %z : f32
    } : tensor<3xf32>
    %s = array.reduce (%d) in (5) init (%z : f32) {
      %d0 = arith.index_cast %d : index to i64
      %k0 = arith.addi %i0, %d0 : i64
      %k1 = arith.subi %k0, %c2 : i64
      %k = arith.index_cast %k1 : i64 to index
      %x = array.at %u[%k] : tensor<?xf32>
      %y = array.at %w[%d] : tensor<5xf32>
      %o = array.at %own[%i] : tensor<3xf32>
      %v = arith.mulf %x, %y : f32
      array.yield %v : f32
    } by arith.addf
    array.yield %s : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
