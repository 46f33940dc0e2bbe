// RUN: arr-opt %s --split-input-file --convert-host-to-runtime --verify-diagnostics | FileCheck %s

// What does not fit its kernel is refused.

module @no_kernel attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  gpu.binary @m {arrc.kernels = {k = "p8"}, arrc.index_bits = 64 : i32} [#gpu.object<#nvvm.target, assembly = "ptx">]
  func.func @f() attributes {arrc.export, arrc.params = [], arrc.results = []} {
    %c1 = arith.constant 1 : index
    // expected-error @+1 {{of a kernel that no image has}}
    gpu.launch_func @m::@other blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

module @no_arguments attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  gpu.binary @m {arrc.kernels = {k = "p8"}, arrc.index_bits = 64 : i32} [#gpu.object<#nvvm.target, assembly = "ptx">]
  func.func @f() attributes {arrc.export, arrc.params = [], arrc.results = []} {
    %c1 = arith.constant 1 : index
    // expected-error @+1 {{has fewer arguments than its kernel}}
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

module @no_pointer attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  gpu.binary @m {arrc.kernels = {k = "p"}, arrc.index_bits = 64 : i32} [#gpu.object<#nvvm.target, assembly = "ptx">]
  func.func @f() attributes {arrc.export, arrc.params = [], arrc.results = []} {
    %c1 = arith.constant 1 : index
    // expected-error @+1 {{has argument 0 of another type than its kernel}}
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%c1 : index)
    return
  }
}

// -----

// expected-error @+1 {{there is no target 'abacus'}}
module @no_target attributes {kernel.device = #kernel.device<"abacus">} {
}

// -----

module @no_letters attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  // expected-error @+1 {{lacks the arguments of its kernels}}
  gpu.binary @m [#gpu.object<#nvvm.target, assembly = "ptx">]
}

// -----

// The kernels get numbers in the order of the images; 'l' takes no operand and
// the one at 'e' is not read; what can fail ends the call. Those of the second
// image wait for the launch before by themselves, and their blocks for each
// other: the device must have 7 multiprocessors.

// CHECK-LABEL: module @launches
module @launches attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  gpu.binary @first {arrc.kernels = {a = "p", b = "8"}, arrc.index_bits = 32 : i32} [#gpu.object<#nvvm.target, assembly = "some ptx">]
  gpu.binary @second {arrc.kernels = {a = "lp2e4"}, arrc.index_bits = 64 : i32, arrc.overlaps, arrc.units = 7 : i32} [#gpu.object<#nvvm.target, assembly = "more ptx">]
  // CHECK-NOT: gpu.binary

  // CHECK-LABEL: llvm.func internal @f_packed
  // CHECK-SAME: (%[[CTX:[a-z0-9]*]]: !llvm.ptr,
  // CHECK: %[[FIVE:.*]] = llvm.mlir.constant(5 : i64)
  // CHECK: %[[VALUES:.*]] = llvm.alloca %[[FIVE]] x i64
  // CHECK: %[[POINTERS:.*]] = llvm.alloca %[[FIVE]] x !llvm.ptr
  func.func @f(%x: memref<?xbf16>, %h: f16, %k: i32) attributes {arrc.export,
      arrc.params = [{name = "x", element = "bf16", rank = 1 : i64, type = "bf16[n]", dims = ["n"]},
                     {name = "h", element = "f16", rank = 0 : i64, type = "f16", dims = []},
                     {name = "k", element = "i32", rank = 0 : i64, type = "i32", dims = []}], arrc.results = []} {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %bytes = arith.constant 4096 : i32
    %e = ub.poison : memref<1xi64, #gpu.address_space<global>>
    %p = builtin.unrealized_conversion_cast %x : memref<?xbf16> to memref<1xbf16, #gpu.address_space<global>>
    // CHECK: llvm.call @arrt_array_data
    // CHECK-NOT: ub.poison
    // CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[VALUES]][1] : (!llvm.ptr) -> !llvm.ptr, i64
    // CHECK: llvm.store %{{.*}}, %[[SLOT]] : !llvm.ptr, !llvm.ptr
    // CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[VALUES]][2]
    // CHECK: llvm.store %{{.*}}, %[[SLOT]] : f16, !llvm.ptr
    // CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[VALUES]][4]
    // CHECK: llvm.store %{{.*}}, %[[SLOT]] : i32, !llvm.ptr
    // CHECK: %[[NUMBER:[0-9]+]] = llvm.mlir.constant(2 : i32)
    // CHECK: %[[SHARED:.*]] = arith.extsi %{{.*}} : i32 to i64
    // CHECK: %[[STATUS:.*]] = llvm.call @arrt_launch(%[[CTX]], %[[NUMBER]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[SHARED]], %[[POINTERS]])
    // CHECK: %[[FAILED:.*]] = llvm.icmp "ne" %[[STATUS]]
    // CHECK: cf.cond_br %[[FAILED]], ^[[LEAVE:.*]], ^{{.*}}
    // CHECK: ^[[LEAVE]]:
    // CHECK: llvm.return %[[STATUS]]
    gpu.launch_func @second::@a blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) dynamic_shared_memory_size %bytes
      args(%p : memref<1xbf16, #gpu.address_space<global>>, %h : f16, %e : memref<1xi64, #gpu.address_space<global>>, %k : i32)
    return
  }
  // CHECK: "some ptx\00"
  // CHECK: "sm_90\00"
  // CHECK: "more ptx\00"
  // CHECK: @[[LETTERS:.*]]("lp2e4\00"
  // CHECK: llvm.mlir.addressof @[[LETTERS]]
  // CHECK: %[[FLAGS:.*]] = llvm.mlir.constant(458753 : i32) : i32
  // CHECK-NEXT: llvm.insertvalue %[[FLAGS]], %{{.*}}[4] : !llvm.struct<(ptr, i32, i32, ptr, i32, ptr)>
}

// -----

// Elements are filled and read; before a read the errors of launches that may
// record some are asked for.

module @elements attributes {gpu.container_module, kernel.device = #kernel.device<"opencl", {}>} {
  gpu.binary @m {arrc.kernels = {k = "e"}, arrc.index_bits = 64 : i32} [#gpu.object<#nvvm.target, bin = "spirv">]
  // CHECK-LABEL: llvm.func internal @f_packed
  func.func @f(%x: memref<?xf32>, %v: f32) -> f32 attributes {arrc.export,
      arrc.params = [{name = "x", element = "f32", rank = 1 : i64, type = "f32[n]", dims = ["n"]},
                     {name = "v", element = "f32", rank = 0 : i64, type = "f32", dims = []}],
      arrc.results = [{name = "out", element = "f32", rank = 0 : i64, type = "f32", dims = []}]} {
    %c1 = arith.constant 1 : index
    %e = ub.poison : memref<1xi64, #gpu.address_space<global>>
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%e : memref<1xi64, #gpu.address_space<global>>)
    // CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : f32 to i32
    // CHECK: %[[PATTERN:.*]] = arith.extui %[[BITS]] : i32 to i64
    // CHECK: llvm.call @arrt_buffer_fill(%{{.*}}, %{{.*}}, %[[PATTERN]], %{{.*}}, %{{.*}})
    memref.store %v, %x[%c1] : memref<?xf32>
    // CHECK: llvm.call @arrt_poll_error
    // CHECK: llvm.call @arrt_read
    // CHECK: llvm.load %{{.*}} : !llvm.ptr -> f32
    %y = memref.load %x[%c1] : memref<?xf32>
    return %y : f32
  }
  // No launch of this one can: nothing is asked for.
  // CHECK-LABEL: llvm.func internal @g_packed
  // CHECK-NOT: llvm.call @arrt_poll_error
  // CHECK: llvm.call @arrt_read
  func.func @g(%x: memref<f32>) -> f32 attributes {arrc.export,
      arrc.params = [{name = "x", element = "f32", rank = 0 : i64, type = "f32", dims = []}],
      arrc.results = [{name = "out", element = "f32", rank = 0 : i64, type = "f32", dims = []}]} {
    %y = memref.load %x[] : memref<f32>
    return %y : f32
  }
}

// -----

// Constants get memory on the device for the time of the call.

module @constants attributes {kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  memref.global "private" constant @table : memref<3xf32> = dense<[1.0, 2.0, 3.0]>
  // CHECK-LABEL: llvm.func internal @f_packed
  // CHECK: memref.get_global @table
  // CHECK: %[[DATA:.*]] = llvm.call @arrt_buffer_alloc
  // CHECK: llvm.call @arrt_write(%{{.*}}, %[[DATA]], %{{.*}}, %{{.*}})
  // CHECK-NOT: memref.get_global
  // CHECK: llvm.call @arrt_buffer_copy
  // CHECK: llvm.call @arrt_buffer_free(%{{.*}}, %[[DATA]])
  func.func @f() -> memref<3xf32> attributes {arrc.export, arrc.params = [],
      arrc.results = [{name = "out", element = "f32", rank = 1 : i64, type = "f32[3]", dims = ["3"]}]} {
    %t = memref.get_global @table : memref<3xf32>
    %r = memref.alloc() : memref<3xf32>
    memref.copy %t, %r : memref<3xf32> to memref<3xf32>
    return %r : memref<3xf32>
  }
}

// -----

// What begins with one number is filled: the constant does not come from the host.

module @constants attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  gpu.binary @m {arrc.kernels = {k = "p"}, arrc.index_bits = 64 : i32} [#gpu.object<#nvvm.target, assembly = "ptx">]
  memref.global "private" constant @zeros : memref<26xi32> = dense<0>
  memref.global "private" constant @halves : memref<4xbf16> = dense<0.5>
  // CHECK-LABEL: llvm.func internal @f_packed
  // CHECK-NOT: llvm.call @arrt_write
  // CHECK-NOT: llvm.call @arrt_buffer_copy
  // CHECK: llvm.call @arrt_buffer_fill
  // CHECK: llvm.call @arrt_buffer_fill
  // CHECK-NOT: llvm.call @arrt_write
  // CHECK-NOT: llvm.call @arrt_buffer_copy
  // CHECK: llvm.return
  func.func @f(%x: memref<26xi32>, %h: memref<4xbf16>) attributes {arrc.export,
      arrc.params = [{name = "x", element = "i32", rank = 1 : i64, type = "i32[26]", dims = ["26"]},
                     {name = "h", element = "bf16", rank = 1 : i64, type = "bf16[4]", dims = ["4"]}], arrc.results = []} {
    %z = memref.get_global @zeros : memref<26xi32>
    %b = memref.get_global @halves : memref<4xbf16>
    memref.copy %z, %x : memref<26xi32> to memref<26xi32>
    memref.copy %b, %h : memref<4xbf16> to memref<4xbf16>
    return
  }
}
