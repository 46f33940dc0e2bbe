// Kernels for a stub driver, in two modules: what a run does not launch is not
// compiled.
module attributes {kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>, gpu.container_module} {
  gpu.module @axpy_kernel64 attributes {arrc.index_bits = 64 : i32} {
    gpu.func @axpy(%y: memref<1xf32, #gpu.address_space<global>>, %x: memref<1xf32, #gpu.address_space<global>>, %a: f32, %n: index) kernel
        attributes {arrc.args = "pp48", known_block_size = array<i32: 4, 1, 1>} {
      gpu.return
    }
  }
  gpu.module @other_kernel64 attributes {arrc.index_bits = 64 : i32} {
    gpu.func @other(%y: memref<1xf32, #gpu.address_space<global>>) kernel
        attributes {arrc.args = "p", known_block_size = array<i32: 4, 1, 1>} {
      gpu.return
    }
  }
  func.func @f(%n: i64, %other: i1) -> memref<4xf32> attributes {arrc.export,
      arrc.params = [{name = "n", element = "i64", rank = 0 : i64, type = "int", dims = []},
                     {name = "other", element = "bool", rank = 0 : i64, type = "bool", dims = []}],
      arrc.results = [{name = "out", element = "f32", rank = 1 : i64, type = "f32[4]", dims = ["4"]}]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %out = memref.alloc() : memref<4xf32>
    scf.for %i = %c0 to %c4 step %c1 {
      memref.store %one, %out[%i] : memref<4xf32>
    }
    %size = arith.index_cast %n : i64 to index
    %p = builtin.unrealized_conversion_cast %out : memref<4xf32> to memref<1xf32, #gpu.address_space<global>>
    scf.if %other {
      gpu.launch_func @other_kernel64::@other blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
        args(%p : memref<1xf32, #gpu.address_space<global>>)
    }
    gpu.launch_func @axpy_kernel64::@axpy blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
      args(%p : memref<1xf32, #gpu.address_space<global>>, %p : memref<1xf32, #gpu.address_space<global>>, %two : f32, %size : index)
    return %out : memref<4xf32>
  }
}
