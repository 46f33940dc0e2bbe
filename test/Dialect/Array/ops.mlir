// Every operation and every form of its text reads back as it was printed.
// RUN: arr-opt %s | arr-opt | FileCheck %s
// RUN: arr-opt %s --mlir-print-op-generic | arr-opt | FileCheck %s

// CHECK-LABEL: func @map
// CHECK: array.map (%[[I:.*]] "i", %[[J:.*]] "j") in (%{{.*}}, 4) {
// CHECK:   array.at %{{.*}}[%[[I]], %[[J]]] : tensor<?x4xf32>
// CHECK:   array.yield %{{.*}} : f32
// CHECK: } : tensor<?x4xf32>
func.func @map(%a: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %r = array.map (%i "i", %j "j") in (%n, 4) {
    %x = array.at %a[%i, %j] : tensor<?x4xf32>
    array.yield %x : f32
  } : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// CHECK-LABEL: func @map_two_results
// CHECK: %{{.*}}:2 = array.map (%{{.*}}) in (%{{.*}}) attributes {mark} {
// CHECK: } : tensor<?xf32>, tensor<?x2xi64>
func.func @map_two_results(%n: index, %x: f32, %p: tensor<2xi64>) -> tensor<?xf32> {
  %r:2 = array.map (%i) in (%n) attributes {mark} {
    array.yield %x, %p : f32, tensor<2xi64>
  } : tensor<?xf32>, tensor<?x2xi64>
  return %r#0 : tensor<?xf32>
}

// CHECK-LABEL: func @map_empty_space
// CHECK: array.map () in () {
// CHECK: } : tensor<f32>
func.func @map_empty_space(%x: f32) -> tensor<f32> {
  %r = array.map () in () {
    array.yield %x : f32
  } : tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: func @stencil
// CHECK: array.stencil (%{{.*}} "i") in (%{{.*}}) reach [-1 to 0] {
// CHECK: array.stencil (%{{.*}} "i") in (%{{.*}}) {
func.func @stencil(%a: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %u = array.extend %a [clamp] : tensor<?xf32>
  %r = array.stencil (%i "i") in (%n) reach [-1 to 0] {
    %k = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
    %x = array.at %u[%k] : tensor<?xf32>
    array.yield %x : f32
  } : tensor<?xf32>
  %q = array.stencil (%i "i") in (%n) {
    %x = array.at %u[%i] : tensor<?xf32>
    array.yield %x : f32
  } : tensor<?xf32>
  return %r, %q : tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func @reduce
// CHECK: array.reduce (%{{.*}} "k") in (%{{.*}}) init (%{{.*}} : f32) {
// CHECK: } by arith.addf{{$}}
// CHECK: } by arith.addf fastmath<contract>
// CHECK: } by arith.addf, arith.muli
// CHECK: } by (%[[A:.*]]: f32, %[[B:.*]]: f32) {
// CHECK:   arith.subf %[[B]], %[[A]]
// CHECK:   array.yield
func.func @reduce(%a: tensor<?xf32>, %n: index, %z: f32, %u: i64) -> (f32, f32, f32, i64, f32) {
  %s = array.reduce (%k "k") in (%n) init (%z : f32) {
    %x = array.at %a[%k] : tensor<?xf32>
    array.yield %x : f32
  } by arith.addf
  %t = array.reduce (%k) in (%n) init (%z : f32) {
    %x = array.at %a[%k] : tensor<?xf32>
    array.yield %x : f32
  } by (%p: f32, %q: f32) {
    %r = arith.addf %p, %q fastmath<contract> : f32
    array.yield %r : f32
  }
  %v:2 = array.reduce (%k, %l) in (%n, 3) init (%z, %u : f32, i64) {
    array.yield %z, %u : f32, i64
  } by arith.addf, arith.muli
  %w = array.reduce (%k) in (%n) init (%z : f32) {
    %x = array.at %a[%k] : tensor<?xf32>
    array.yield %x : f32
  } by (%p: f32, %q: f32) {
    %r = arith.subf %q, %p : f32
    array.yield %r : f32
  }
  return %s, %t, %v#0, %v#1, %w : f32, f32, f32, i64, f32
}

// CHECK-LABEL: func @reduce_small_array
// CHECK: init (%{{.*}} : tensor<3xf32>)
// CHECK: } by arith.addf
func.func @reduce_small_array(%n: index, %z: tensor<3xf32>) -> tensor<3xf32> {
  %s = array.reduce (%k) in (%n) init (%z : tensor<3xf32>) {
    array.yield %z : tensor<3xf32>
  } by arith.addf
  return %s : tensor<3xf32>
}

// CHECK-LABEL: func @scan
// CHECK: array.scan (%{{.*}} "i") in (%{{.*}}) init (%{{.*}} : f32) exclusive {
// CHECK: } by arith.addf
// CHECK: array.scan (%{{.*}}) in (8) init (%{{.*}} : f32) {
func.func @scan(%a: tensor<?xf32>, %n: index, %z: f32) -> (tensor<?xf32>, f32, tensor<8xf32>) {
  %p, %total = array.scan (%i "i") in (%n) init (%z : f32) exclusive {
    %x = array.at %a[%i] : tensor<?xf32>
    array.yield %x : f32
  } by arith.addf
  %q, %all = array.scan (%i) in (8) init (%z : f32) {
    array.yield %z : f32
  } by arith.mulf
  return %p, %total, %q : tensor<?xf32>, f32, tensor<8xf32>
}

// CHECK-LABEL: func @scatter
// CHECK: array.scatter (%{{.*}} "i") in (%{{.*}}) into (%{{.*}} : tensor<256xi64>) {
// CHECK:   array.yield %{{.*}} : i64 at [%{{.*}}]
// CHECK: } by arith.addi oob drop
// CHECK: } oob clamp
// CHECK: array.yield %{{.*}}, %{{.*}} : tensor<?xf32>, i64 at [%{{.*}}]
func.func @scatter(%x: tensor<?xi64>, %n: index, %h0: tensor<256xi64>, %one: i64,
                   %m: tensor<?x?xf32>, %c: tensor<?xi64>, %row: tensor<?xf32>)
    -> (tensor<256xi64>, tensor<256xi64>, tensor<?x?xf32>, tensor<?xi64>) {
  %h = array.scatter (%i "i") in (%n) into (%h0 : tensor<256xi64>) {
    %b = array.at %x[%i] : tensor<?xi64>
    %k = arith.index_cast %b : i64 to index
    array.yield %one : i64 at [%k]
  } by arith.addi oob drop
  %g = array.scatter (%i) in (%n) into (%h0 : tensor<256xi64>) {
    array.yield %one : i64 at [%i]
  } oob clamp
  %r:2 = array.scatter (%i) in (%n) into (%m, %c : tensor<?x?xf32>, tensor<?xi64>) {
    array.yield %row, %one : tensor<?xf32>, i64 at [%i]
  }
  return %h, %g, %r#0, %r#1 : tensor<256xi64>, tensor<256xi64>, tensor<?x?xf32>, tensor<?xi64>
}

// CHECK-LABEL: func @at
// CHECK: array.at %{{.*}}[%{{.*}}, %{{.*}}] inbounds : tensor<?x?xf32>
// CHECK: array.at %{{.*}}[] : tensor<f32>
func.func @at(%a: tensor<?x?xf32>, %i: index, %s: tensor<f32>) -> (f32, f32) {
  %x = array.at %a[%i, %i] inbounds : tensor<?x?xf32>
  %y = array.at %s[] : tensor<f32>
  return %x, %y : f32, f32
}

// CHECK-LABEL: func @view
// CHECK: array.view %{{.*}} (d0, d1)[s0] -> (d1 + s0, d0) [%{{.*}}] in (%{{.*}}, 4) : tensor<?x?xf32> to tensor<?x4xf32>
// CHECK: array.view %{{.*}} (d0) -> (d0, d0) in (%{{.*}}) : tensor<?x?xf32> to tensor<?xf32>
func.func @view(%a: tensor<?x?xf32>, %lo: index, %m: index) -> (tensor<?x4xf32>, tensor<?xf32>) {
  %b = array.view %a (d0, d1)[s0] -> (d1 + s0, d0) [%lo] in (%m, 4) : tensor<?x?xf32> to tensor<?x4xf32>
  %d = array.view %a (d0) -> (d0, d0) in (%m) : tensor<?x?xf32> to tensor<?xf32>
  return %b, %d : tensor<?x4xf32>, tensor<?xf32>
}

// CHECK-LABEL: func @extend
// CHECK: array.extend %{{.*}} [clamp, wrap, mirror] : tensor<?x?x?xf32>
// CHECK: array.extend %{{.*}} [fill %{{.*}}, none, fill %{{.*}}] : tensor<?x?x?xf32>
// CHECK: array.extend %{{.*}} [reflect, none, none] : tensor<?x?x?xf32>
func.func @extend(%a: tensor<?x?x?xf32>, %c: f32, %d: f32, %i: index) -> (f32, f32, f32) {
  %u = array.extend %a [clamp, wrap, mirror] : tensor<?x?x?xf32>
  %v = array.extend %a [fill %c, none, fill %d] : tensor<?x?x?xf32>
  %w = array.extend %a [reflect, none, none] : tensor<?x?x?xf32>
  %x = array.at %u[%i, %i, %i] : tensor<?x?x?xf32>
  %y = array.at %v[%i, %i, %i] : tensor<?x?x?xf32>
  %z = array.at %w[%i, %i, %i] : tensor<?x?x?xf32>
  return %x, %y, %z : f32, f32, f32
}

// CHECK-LABEL: func @bind_assume_check
// CHECK: array.assume %{{.*}} in 3 to 2147483647 multiple 16 : index
// CHECK: array.assume %{{.*}} multiple 4 : i64
// CHECK: array.bind %{{.*}} [%{{.*}}, 9] : tensor<?x9xf32>
// CHECK: array.check input %{{.*}}, "size {0} is not {1}"[%{{.*}}, %{{.*}} : index, i64]
// CHECK: array.check assert %{{.*}}, "failed"{{$}}
func.func @bind_assume_check(%x0: tensor<?x9xf32>, %n0: index, %k: i64, %ok: i1) -> tensor<?x9xf32> {
  %n = array.assume %n0 in 3 to 2147483647 multiple 16 : index
  %m = array.assume %k multiple 4 : i64
  %x = array.bind %x0 [%n, 9] : tensor<?x9xf32>
  array.check input %ok, "size {0} is not {1}"[%n, %m : index, i64]
  array.check assert %ok, "failed"
  return %x : tensor<?x9xf32>
}

// CHECK-LABEL: @sort
func.func @sort(%x: tensor<?x?xf32>, %p: tensor<?x?xi64>, %u: tensor<8xi8>) -> (tensor<?x?xi64>, tensor<8xi8>) {
  // CHECK: array.sort %{{.*}}, %{{.*}} : tensor<?x?xf32>, tensor<?x?xi64>
  %s:2 = array.sort %x, %p : tensor<?x?xf32>, tensor<?x?xi64>
  // CHECK: array.sort %{{.*}} unsigned : tensor<8xi8>
  %t = array.sort %u unsigned : tensor<8xi8>
  return %s#1, %t : tensor<?x?xi64>, tensor<8xi8>
}

// CHECK-LABEL: @filter
func.func @filter(%a: tensor<?xf32>, %n: index, %z: f32) -> (tensor<?xf32>, tensor<?xindex>, index) {
  // CHECK: %{{.*}}:3 = array.filter (%{{.*}} "i") in (%{{.*}}) {
  // CHECK: array.yield %{{.*}}, %{{.*}}, %{{.*}} : i1, f32, index
  // CHECK: } : tensor<?xf32>, tensor<?xindex>
  %count, %r:2 = array.filter (%i "i") in (%n) {
    %x = array.at %a[%i] : tensor<?xf32>
    %keep = arith.cmpf ogt, %x, %z : f32
    array.yield %keep, %x, %i : i1, f32, index
  } : tensor<?xf32>, tensor<?xindex>
  // CHECK: %{{.*}} = array.filter (%{{.*}}) in (7) {
  // CHECK: array.yield %{{.*}} : i1
  // CHECK: }{{$}}
  %number = array.filter (%i) in (7) {
    %x = array.at %a[%i] : tensor<?xf32>
    %keep = arith.cmpf ogt, %x, %z : f32
    array.yield %keep : i1
  }
  return %r#0, %r#1, %number : tensor<?xf32>, tensor<?xindex>, index
}

// CHECK-LABEL: @extern
func.func @extern(%n: i64, %a: tensor<?xf32>, %w: f32, %e: tensor<?xf32>, %s: tensor<i1>) -> (tensor<?xf32>, tensor<i1>) {
  // CHECK: array.extern "smooth"(%{{.*}}, %{{.*}}, %{{.*}} : i64, tensor<?xf32>, f32) as ["i64", "f32", "f32"] into(%{{.*}}, %{{.*}} : tensor<?xf32>, tensor<i1>) -> tensor<?xf32>, tensor<i1>
  %r:2 = array.extern "smooth"(%n, %a, %w : i64, tensor<?xf32>, f32) as ["i64", "f32", "f32"] into(%e, %s : tensor<?xf32>, tensor<i1>) -> tensor<?xf32>, tensor<i1>
  return %r#0, %r#1 : tensor<?xf32>, tensor<i1>
}

// CHECK-LABEL: @extern_memory
func.func @extern_memory(%out: memref<4xui8>) {
  // CHECK: array.extern "bytes"() as [] into(%{{.*}} : memref<4xui8>)
  array.extern "bytes"() as [] into(%out : memref<4xui8>)
  return
}

// CHECK-LABEL: func @fence
// CHECK: array.fence %{{.*}} : tensor<?x4xf32>
func.func @fence(%a: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = array.fence %a : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
