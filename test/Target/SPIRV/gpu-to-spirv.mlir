// The form of kernels: LLVM IR before the backend, then the image itself.
// RUN: arr-opt %s --split-input-file --arrc-gpu-to-spirv=emit-llvm=1 | sed 's/\\0A/\n/g' | FileCheck %s

#global = #gpu.address_space<global>
#shared = #gpu.address_space<workgroup>

// The letter of the work-group memory is the last one.
// CHECK: gpu.binary @kernels64
// CHECK-SAME: arrc.index_bits = 64
// CHECK-SAME: arrc.kernels = {turn = "pl"}
// CHECK-SAME: #gpu.object<#spirv.target_env<#spirv.vce<v1.2, [Kernel], []>, api=OpenCL
// CHECK: define spir_kernel void @turn(ptr addrspace(1) {{.*}} %0, ptr addrspace(3) align 16 {{.*}} %1)
// CHECK-SAME: !reqd_work_group_size
// CHECK: call spir_func i64 @_Z12get_local_idj(i32 0)
// CHECK: store float %{{.*}}, ptr addrspace(3)
// Both fences: what the block wrote anywhere is seen.
// CHECK: call spir_func void @_Z7barrierj(i32 3)
// CHECK: load float, ptr addrspace(3)
module attributes {kernel.device = #kernel.device<"opencl">} {
  gpu.module @kernels64 attributes {arrc.index_bits = 64 : i32} {
    gpu.func @turn(%x: memref<1xf32, #global>) kernel
        attributes {known_block_size = array<i32: 32, 1, 1>, arrc.args = "p"} {
      %c0 = arith.constant 0 : index
      %c31 = arith.constant 31 : index
      %memory = gpu.dynamic_shared_memory : memref<?xi8, #shared>
      %tile = memref.view %memory[%c0][] : memref<?xi8, #shared> to memref<32xf32, #shared>
      %i = gpu.thread_id x
      %v = memref.load %x[%i] : memref<1xf32, #global>
      memref.store %v, %tile[%i] : memref<32xf32, #shared>
      gpu.barrier
      %j = arith.subi %c31, %i : index
      %w = memref.load %tile[%j] : memref<32xf32, #shared>
      memref.store %w, %x[%i] : memref<1xf32, #global>
      gpu.return
    }
  }
}

// -----

// An index of 32 bits; the grid's numbers are 64 wide all the same.
// CHECK: gpu.binary @kernels32
// CHECK: define spir_kernel void @copy(i32 %0
// CHECK: %[[ID:.*]] = {{.*}}call spir_func i64 @_Z12get_group_idj(i32 0)
// CHECK: and i64 %[[ID]], 4294967295
#global = #gpu.address_space<global>
module attributes {kernel.device = #kernel.device<"opencl">} {
  gpu.module @kernels32 attributes {arrc.index_bits = 32 : i32} {
    gpu.func @copy(%n: index, %x: memref<1xi8, #global>, %y: memref<1xi8, #global>) kernel
        attributes {arrc.args = "4pp"} {
      %i = gpu.block_id x
      %a = memref.reinterpret_cast %x to offset: [0], sizes: [%n], strides: [1] : memref<1xi8, #global> to memref<?xi8, #global>
      %b = memref.reinterpret_cast %y to offset: [0], sizes: [%n], strides: [1] : memref<1xi8, #global> to memref<?xi8, #global>
      %v = memref.load %a[%i] : memref<?xi8, #global>
      memref.store %v, %b[%i] : memref<?xi8, #global>
      gpu.return
    }
  }
}

// -----

// OpenCL divides and takes roots in f32 less exactly than the language: through
// f64. A minimum keeps NaN and the sign of zeros. Functions are builtins.
// CHECK: define spir_kernel void @numbers
// CHECK-DAG: fdiv double
// CHECK-DAG: call double @llvm.sqrt.f64
// CHECK-NOT: fdiv float
// CHECK-NOT: @llvm.minimum
// CHECK: fcmp olt float
// CHECK: call spir_func float @_Z5atan2ff(float
// CHECK: call {{.*}}i32 @llvm.ctpop.i32
// CHECK-NOT: @llvm.cttz
// CHECK: ret void
#global = #gpu.address_space<global>
module attributes {kernel.device = #kernel.device<"opencl", {f64 = 1, exact_f32 = 0}>} {
  gpu.module @kernels {
    gpu.func @numbers(%x: memref<1xf32, #global>, %k: memref<1xi32, #global>, %a: f32, %b: f32) kernel
        attributes {arrc.args = "pp44"} {
      %i = gpu.block_id x
      %v = memref.load %x[%i] : memref<1xf32, #global>
      %d = arith.divf %v, %a : f32
      %s = math.sqrt %d : f32
      %m = arith.minimumf %s, %b : f32
      %t = math.atan2 %m, %b : f32
      memref.store %t, %x[%i] : memref<1xf32, #global>
      %n = memref.load %k[%i] : memref<1xi32, #global>
      %z = math.cttz %n : i32
      memref.store %z, %k[%i] : memref<1xi32, #global>
      gpu.return
    }
  }
}

// -----

// f16 and bf16 are 16 bits; arithmetic is of f32, rounded each time.
// CHECK: define spir_kernel void @small(ptr addrspace(1)
// CHECK-NOT: half
// CHECK-NOT: bfloat
// CHECK: load i16, ptr addrspace(1)
// CHECK: fadd float
// CHECK: store i16
// CHECK: ret void
#global = #gpu.address_space<global>
module attributes {kernel.device = #kernel.device<"opencl", {f16 = 0}>} {
  gpu.module @kernels {
    gpu.func @small(%x: memref<1xf16, #global>, %y: memref<1xbf16, #global>) kernel
        attributes {arrc.args = "pp"} {
      %i = gpu.block_id x
      %v = memref.load %x[%i] : memref<1xf16, #global>
      %c = arith.constant 0.1 : f16
      %s = arith.addf %v, %c : f16
      memref.store %s, %x[%i] : memref<1xf16, #global>
      %w = memref.load %y[%i] : memref<1xbf16, #global>
      %d = arith.constant 0.1 : bf16
      %t = arith.addf %w, %d : bf16
      memref.store %t, %y[%i] : memref<1xbf16, #global>
      gpu.return
    }
  }
}

// -----

// Where the device has f16, it is stored as such; arithmetic is of f32, because
// the device's own may be less exact.
// CHECK: define spir_kernel void @half(ptr addrspace(1)
// CHECK: %[[V:.*]] = load half
// CHECK: fpext half %[[V]] to float
// CHECK: fdiv double
// CHECK-NOT: fdiv half
// CHECK: store half
#global = #gpu.address_space<global>
module attributes {kernel.device = #kernel.device<"opencl", {f16 = 1}>} {
  gpu.module @kernels {
    gpu.func @half(%x: memref<1xf16, #global>, %y: f16) kernel attributes {arrc.args = "p2"} {
      %i = gpu.block_id x
      %v = memref.load %x[%i] : memref<1xf16, #global>
      %q = arith.divf %v, %y : f16
      memref.store %q, %x[%i] : memref<1xf16, #global>
      gpu.return
    }
  }
}

// -----

#global = #gpu.address_space<global>

// Conditions are no numbers: converted, compared and chosen by, they give bits of
// which neither the backend nor a driver makes another sign.
// CHECK: define spir_kernel void @conditions
// CHECK-NOT: sitofp i1
// CHECK: %[[SIGN:.*]] = zext i1 %[[C:.*]] to i32
// CHECK: shl i32 %{{.*}}, 31
// CHECK: ret void
module attributes {kernel.device = #kernel.device<"opencl">} {
  gpu.module @booleans64 attributes {arrc.index_bits = 64 : i32} {
    gpu.func @conditions(%x: memref<1xi32, #global>, %y: memref<1xf32, #global>) kernel
        attributes {known_block_size = array<i32: 32, 1, 1>, arrc.args = "pp"} {
      %zero = arith.constant 0 : i32
      %i = gpu.thread_id x
      %v = memref.load %x[%i] : memref<1xi32, #global>
      %c = arith.cmpi slt, %v, %zero : i32
      %f = arith.sitofp %c : i1 to f32
      memref.store %f, %y[%i] : memref<1xf32, #global>
      gpu.return
    }
  }
}
