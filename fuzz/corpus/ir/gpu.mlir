module attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_75", f16 = 1 : i64, f64 = 1 : i64, int64_atomics = 1 : i64, max_threads = 1024 : i64, ordered_blocks = 1 : i64, shared_bytes = 49152 : i64, subgroup = 32 : i64, units = 132 : i64, vector_bytes = 16 : i64}>} {
  func.func @f(%arg0: memref<?xf32>) -> memref<?xf32> attributes {arrc.export, arrc.params = [{dims = ["n"], element = "f32", name = "a", rank = 1 : i64, type = "f32[n]"}], arrc.results = [{dims = ["n"], element = "f32", name = "out", rank = 1 : i64, type = "f32[n]"}]} {
    %c2130706432 = arith.constant 2130706432 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
    %0 = builtin.unrealized_conversion_cast %arg0 : memref<?xf32> to memref<1xf32, #gpu.address_space<global>>
    %1 = builtin.unrealized_conversion_cast %alloc : memref<?xf32> to memref<1xf32, #gpu.address_space<global>>
    %2 = arith.cmpi sle, %dim, %c2130706432 : index
    scf.if %2 {
      gpu.launch_func  @f_1_kernel32::@f_1 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)  args(%0 : memref<1xf32, #gpu.address_space<global>>, %1 : memref<1xf32, #gpu.address_space<global>>, %dim : index)
    } else {
      gpu.launch_func  @f_1_kernel64::@f_1 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)  args(%0 : memref<1xf32, #gpu.address_space<global>>, %1 : memref<1xf32, #gpu.address_space<global>>, %dim : index)
    }
    return %alloc : memref<?xf32>
  }
  gpu.module @f_1_kernel32 attributes {arrc.index_bits = 32 : i32} {
    gpu.func @f_1(%arg0: memref<1xf32, #gpu.address_space<global>> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: memref<1xf32, #gpu.address_space<global>> {llvm.align = 16 : i64, llvm.noalias}, %arg2: index) kernel attributes {arrc.args = "pp4", known_block_size = array<i32: 1, 1, 1>} {
      %c1 = arith.constant 1 : index
      %c0 = arith.constant 0 : index
      %cst = arith.constant 2.000000e+00 : f32
      %grid_dim_x = gpu.grid_dim  x
      %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [%grid_dim_x], strides: [1] : memref<1xf32, #gpu.address_space<global>> to memref<?xf32, #gpu.address_space<global>>
      %reinterpret_cast_0 = memref.reinterpret_cast %arg1 to offset: [0], sizes: [%grid_dim_x], strides: [1] : memref<1xf32, #gpu.address_space<global>> to memref<?xf32, #gpu.address_space<global>>
      scf.for %arg3 = %c0 to %arg2 step %c1 {
        %0 = memref.load %reinterpret_cast[%arg3] : memref<?xf32, #gpu.address_space<global>>
        %1 = arith.mulf %0, %cst : f32
        memref.store %1, %reinterpret_cast_0[%arg3] : memref<?xf32, #gpu.address_space<global>>
      }
      gpu.return
    }
  }
  gpu.module @f_1_kernel64 attributes {arrc.index_bits = 64 : i32} {
    gpu.func @f_1(%arg0: memref<1xf32, #gpu.address_space<global>> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %arg1: memref<1xf32, #gpu.address_space<global>> {llvm.align = 16 : i64, llvm.noalias}, %arg2: index) kernel attributes {arrc.args = "pp8", known_block_size = array<i32: 1, 1, 1>} {
      %c1 = arith.constant 1 : index
      %c0 = arith.constant 0 : index
      %cst = arith.constant 2.000000e+00 : f32
      %grid_dim_x = gpu.grid_dim  x
      %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [%grid_dim_x], strides: [1] : memref<1xf32, #gpu.address_space<global>> to memref<?xf32, #gpu.address_space<global>>
      %reinterpret_cast_0 = memref.reinterpret_cast %arg1 to offset: [0], sizes: [%grid_dim_x], strides: [1] : memref<1xf32, #gpu.address_space<global>> to memref<?xf32, #gpu.address_space<global>>
      scf.for %arg3 = %c0 to %arg2 step %c1 {
        %0 = memref.load %reinterpret_cast[%arg3] : memref<?xf32, #gpu.address_space<global>>
        %1 = arith.mulf %0, %cst : f32
        memref.store %1, %reinterpret_cast_0[%arg3] : memref<?xf32, #gpu.address_space<global>>
      }
      gpu.return
    }
  }
}
