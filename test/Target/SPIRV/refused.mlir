// What a device row lacks is refused by name, at its place in the program.
// RUN: arr-opt %s --split-input-file --verify-diagnostics --arrc-gpu-to-spirv

#global = #gpu.address_space<global>
module attributes {kernel.device = #kernel.device<"opencl", {f64 = 0, f16 = 0, int64_atomics = 1}>} {
  gpu.module @kernels {
    gpu.func @no_f64(%x: memref<1xf32, #global>) kernel attributes {arrc.args = "p"} {
      %i = gpu.block_id x
      %v = memref.load %x[%i] : memref<1xf32, #global>
      // expected-error @+1 {{the device 'opencl' has no f64, which kernel 'no_f64' needs}}
      %w = arith.extf %v : f32 to f64
      %s = math.sin %w : f64
      %r = arith.truncf %s : f64 to f32
      memref.store %r, %x[%i] : memref<1xf32, #global>
      gpu.return
    }
  }
}

// -----

#global = #gpu.address_space<global>
module attributes {kernel.device = #kernel.device<"opencl", {device = "Small card", int64_atomics = 0}>} {
  gpu.module @kernels {
    gpu.func @no_wide_atomics(%x: memref<1xi64, #global>, %v: i64) kernel attributes {arrc.args = "p8"} {
      %i = gpu.block_id x
      // expected-error @+1 {{the device 'Small card' has no atomic updates of 64 bits, which kernel 'no_wide_atomics' needs}}
      %old = memref.atomic_rmw addi %v, %x[%i] : (i64, memref<1xi64, #global>) -> i64
      gpu.return
    }
  }
}

// -----

#global = #gpu.address_space<global>
module attributes {kernel.device = #kernel.device<"opencl">} {
  gpu.module @kernels {
    gpu.func @no_float_atomics(%x: memref<1xf32, #global>, %v: f32) kernel attributes {arrc.args = "p4"} {
      %i = gpu.block_id x
      // expected-error @+1 {{the device has no atomic 'addf' of 'f32'}}
      %old = memref.atomic_rmw addf %v, %x[%i] : (f32, memref<1xf32, #global>) -> f32
      gpu.return
    }
  }
}

// -----

#global = #gpu.address_space<global>
module attributes {kernel.device = #kernel.device<"opencl", {subgroup = 0}>} {
  gpu.module @kernels {
    gpu.func @no_shuffles(%x: memref<1xf32, #global>) kernel attributes {arrc.args = "p"} {
      %i = gpu.thread_id x
      %v = memref.load %x[%i] : memref<1xf32, #global>
      %lane = arith.constant 1 : i32
      %width = arith.constant 32 : i32
      // expected-error @+1 {{the device 'opencl' has no sub-groups, which kernel 'no_shuffles' needs}}
      %w, %ok = gpu.shuffle xor %v, %lane, %width : f32
      memref.store %w, %x[%i] : memref<1xf32, #global>
      gpu.return
    }
  }
}
