// Functions from outside: one adapter each, which takes pointers apart as C
// wants its arguments; the runtime calls it.
// RUN: arr-opt %s --convert-host-to-runtime --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-DAG: llvm.func @smooth(!llvm.ptr, i64, !llvm.ptr, f32, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
// CHECK-DAG: llvm.func @arrt_extern(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32, i32) -> i32
// CHECK: llvm.func internal @f_packed
// CHECK: %[[FN:.*]] = llvm.mlir.addressof @smooth_extern
// CHECK: %[[S:.*]] = llvm.call @arrt_extern(%{{.*}}, %[[FN]],
// CHECK: llvm.icmp "ne" %[[S]]
// CHECK: cf.cond_br
// The second call shares the adapter.
// CHECK: llvm.call @arrt_extern
// CHECK: llvm.func internal @smooth_extern(%[[CTX:.*]]: !llvm.ptr, %[[ARGS:.*]]: !llvm.ptr) -> i32
// CHECK: %[[U:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK: llvm.zext %[[U]] : i8 to i32
// CHECK: %[[I:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i16
// CHECK: llvm.sext %[[I]] : i16 to i32
// CHECK: %[[R:.*]] = llvm.call @smooth(%[[CTX]],
// CHECK: llvm.return %[[R]]
// CHECK-NOT: @smooth_extern(
func.func @f(%n: i64, %a: memref<?xf32>, %w: f32, %u: i8, %i: i16, %r: memref<?xf32>, %s: memref<i1>) attributes {arrc.export, arrc.params = [
    {name = "n", element = "i64", rank = 0 : i64, type = "int", dims = []},
    {name = "a", element = "f32", rank = 1 : i64, type = "f32[n]", dims = ["n"]},
    {name = "w", element = "f32", rank = 0 : i64, type = "f32", dims = []},
    {name = "u", element = "u8", rank = 0 : i64, type = "u8", dims = []},
    {name = "i", element = "i16", rank = 0 : i64, type = "i16", dims = []},
    {name = "r", element = "f32", rank = 1 : i64, type = "f32[n]", dims = ["n"]},
    {name = "s", element = "bool", rank = 0 : i64, type = "bool", dims = []}], arrc.results = []} {
  array.extern "smooth"(%n, %a, %w, %u, %i : i64, memref<?xf32>, f32, i8, i16) as ["i64", "f32", "f32", "u8", "i16"] into(%r, %s : memref<?xf32>, memref<i1>)
  array.extern "smooth"(%n, %r, %w, %u, %i : i64, memref<?xf32>, f32, i8, i16) as ["i64", "f32", "f32", "u8", "i16"] into(%a, %s : memref<?xf32>, memref<i1>)
  return
}

// -----

func.func @two_ways(%n: i64, %w: f32, %s: memref<f32>) attributes {arrc.export, arrc.params = [
    {name = "n", element = "i64", rank = 0 : i64, type = "int", dims = []},
    {name = "w", element = "f32", rank = 0 : i64, type = "f32", dims = []},
    {name = "s", element = "f32", rank = 0 : i64, type = "f32", dims = []}], arrc.results = []} {
  array.extern "g"(%n : i64) as ["i64"] into(%s : memref<f32>)
  // expected-error @+1 {{the extern function 'g' has the name of another function, or of itself with other parameters}}
  array.extern "g"(%w : f32) as ["f32"] into(%s : memref<f32>)
  return
}
