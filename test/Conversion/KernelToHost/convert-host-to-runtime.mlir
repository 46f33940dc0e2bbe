// Exports in packed form, memory from the pool, checks that end the call.
// RUN: arr-opt %s --convert-host-to-runtime --split-input-file --verify-diagnostics | FileCheck %s

// expected-error @+1 {{lacks the facts about its parameters and results}}
func.func @no_facts(%x: memref<?xf32>) attributes {arrc.export} {
  return
}

// -----

func.func @no_views(%x: memref<8x8xf32>) -> memref<4x4xf32, strided<[8, 1]>> attributes {arrc.export,
    arrc.params = [{name = "x", element = "f32", rank = 2 : i64, type = "f32[8, 8]", dims = ["8", "8"]}],
    arrc.results = [{name = "r", element = "f32", rank = 2 : i64, type = "f32[4, 4]", dims = ["4", "4"]}]} {
  %v = memref.subview %x[0, 0] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1]>>
  // expected-error @+1 {{of a view should have become a copy}}
  return %v : memref<4x4xf32, strided<[8, 1]>>
}

// -----

// CHECK-LABEL: llvm.func internal @f_packed(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) -> i32
// The scalar at its pointer, the array through its handle:
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK: %[[H:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: llvm.call @arrt_array_data(%[[H]])
// CHECK: llvm.call @arrt_array_size(%[[H]],
// The check:
// CHECK: cf.cond_br
// CHECK: llvm.call @arrt_fail_check
// CHECK: llvm.return
// The allocation, given back at once if it fails:
// CHECK: %[[P:.*]] = llvm.call @arrt_buffer_alloc
// CHECK: llvm.icmp "eq" %[[P]]
// CHECK: cf.cond_br
// CHECK: llvm.call @arrt_last_status
// CHECK: llvm.return
// The result is the allocation, whose owner becomes the caller:
// CHECK-NOT: arrt_array_retain
// CHECK: llvm.call @arrt_array_adopt
// CHECK: llvm.store
// CHECK: llvm.return
// CHECK: llvm.mlir.global external constant @convert_host_to_runtime_program()
// CHECK: llvm.mlir.alias weak @arrt_program_table
func.func @f(%k: i64, %x: memref<?xf32>) -> memref<?xf32> attributes {arrc.export,
    arrc.params = [{name = "k", element = "i64", rank = 0 : i64, type = "int", dims = []},
                   {name = "x", element = "f32", rank = 1 : i64, type = "f32[n]", dims = ["n"]}],
    arrc.results = [{name = "r", element = "f32", rank = 1 : i64, type = "f32[n]", dims = ["n"]}]} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %m = arith.index_cast %n : index to i64
  %ok = arith.cmpi eq, %m, %k : i64
  array.check input %ok, "{0} is not {1}" [%m, %k : i64, i64]
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  return %a : memref<?xf32>
}

// -----

// A buffer that may be an argument's is counted, not given away.
// CHECK-LABEL: llvm.func internal @maybe_packed
// CHECK: llvm.call @arrt_array_adopt
// CHECK: llvm.call @arrt_array_retain
func.func @maybe(%go: i1, %x: memref<4xf32>) -> memref<4xf32> attributes {arrc.export,
    arrc.params = [{name = "go", element = "bool", rank = 0 : i64, type = "bool", dims = []},
                   {name = "x", element = "f32", rank = 1 : i64, type = "f32[4]", dims = ["4"]}],
    arrc.results = [{name = "r", element = "f32", rank = 1 : i64, type = "f32[4]", dims = ["4"]}]} {
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %go, ^done(%a : memref<4xf32>), ^done(%x : memref<4xf32>)
^done(%r: memref<4xf32>):
  return %r : memref<4xf32>
}
