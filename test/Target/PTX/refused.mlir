// RUN: arr-opt %s --arrc-gpu-to-ptx --split-input-file --verify-diagnostics
#global = #gpu.address_space<global>
module @no_atomic_of_bytes attributes {kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  gpu.module @kernels {
    gpu.func @f(%p: memref<1xi8, #global>, %v: i8) kernel {
      %c0 = arith.constant 0 : index
      // expected-error @+1 {{the device has no atomic 'addi' of 'i8'}}
      %0 = memref.atomic_rmw addi %v, %p[%c0] : (i8, memref<1xi8, #global>) -> i8
      gpu.return
    }
  }
}

// -----

#global = #gpu.address_space<global>
module @no_atomic_maximum_of_floats attributes {kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  gpu.module @kernels {
    gpu.func @f(%p: memref<1xf32, #global>, %v: f32) kernel {
      %c0 = arith.constant 0 : index
      // expected-error @+1 {{the device has no atomic 'maximumf' of 'f32'}}
      %0 = memref.atomic_rmw maximumf %v, %p[%c0] : (f32, memref<1xf32, #global>) -> f32
      gpu.return
    }
  }
}

// -----

module @no_such_card attributes {kernel.device = #kernel.device<"cuda", {arch = "sm_93"}>} {
  // expected-error @+1 {{unknown architecture 'sm_93'}}
  gpu.module @kernels {
    gpu.func @f() kernel {
      gpu.return
    }
  }
}

// -----

module @no_old_card attributes {kernel.device = #kernel.device<"cuda", {arch = "sm_60"}>} {
  // expected-error @+1 {{kernels cannot be compiled for 'sm_60': sm_75 is the oldest}}
  gpu.module @kernels {
    gpu.func @f() kernel {
      gpu.return
    }
  }
}

// -----

// expected-error @+1 {{the architecture of the device is not known}}
module @no_architecture {
  gpu.module @kernels {
    gpu.func @f() kernel {
      gpu.return
    }
  }
}

// -----

module @no_operation_that_nobody_knows attributes {kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  gpu.module @kernels {
    gpu.func @f(%a: i32, %p: memref<1xi32, #gpu.address_space<global>>) kernel {
      %c0 = arith.constant 0 : index
      // expected-error @+1 {{failed to legalize operation 'math.ipowi'}}
      %0 = math.ipowi %a, %a : i32
      memref.store %0, %p[%c0] : memref<1xi32, #gpu.address_space<global>>
      gpu.return
    }
  }
}

// -----

module @no_card_that_cannot_wait attributes {kernel.device = #kernel.device<"cuda", {arch = "sm_89"}>} {
  // expected-error @+1 {{kernels of 'sm_89' cannot wait for the launch before}}
  gpu.module @kernels attributes {arrc.overlaps} {
    gpu.func @f() kernel {
      gpu.return
    }
  }
}

// -----

// As upstream writes it: a descriptor, which has no pointer of its own.
module @no_array_of_unknown_size attributes {kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  gpu.module @kernels {
    // expected-error @+1 {{argument 1 is 'memref<?xf32>', and a kernel takes scalars and arrays of known sizes}}
    gpu.func @f(%n: index, %p: memref<?xf32>) kernel {
      gpu.return
    }
  }
}

// -----

module @no_such_scope attributes {kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  gpu.module @kernels {
    gpu.func @f() kernel {
      llvm.fence syncscope("device") acq_rel
      // expected-error @+1 {{'warp' is no scope of CUDA: it is 'singlethread', 'block', 'cluster', 'device' or none for all}}
      llvm.fence syncscope("warp") acq_rel
      gpu.return
    }
  }
}
