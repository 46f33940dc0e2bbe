//===- Passes.td - Passes that change dialect ---------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_CONVERSION_PASSES_TD
#define ARRC_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertArrayToKernelPass
    : Pass<"convert-array-to-kernel", "::mlir::func::FuncOp"> {
  let summary = "Turn every array operation into a launch";
  let description = [{
    Each operation with an index space that stands outside of others becomes a
    launch with new arrays as destinations; what its body holds becomes nested
    loops that fill the destination or a `kernel.local`. Reads go through views;
    a view that is used as an array of its own is copied, with a remark. Reads
    that may be outside are checked and masked. Checks, facts and reads of the
    host stay on the host.

    **Example**

    ```mlir
    %r = array.map (%i "i") in (%n) {
      %x = array.at %a[%i] inbounds : tensor<?xf32>
      %y = math.exp %x : f32
      array.yield %y : f32
    } : tensor<?xf32>

    %e = tensor.empty(%n) : tensor<?xf32>
    %r = kernel.launch @f_1 (%N = %n : index, %A[%N] = %a : tensor<?xf32>)
        outs (%R[%N] = %e : tensor<?xf32>) {
      kernel.for "i" (%i) in %N {
        %x = kernel.load %A[%i] : memref<?xf32>
        %y = math.exp %x : f32
        kernel.store %y, %R[%i] : memref<?xf32>
      }
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::arrc::kernel::KernelDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::mlir::memref::MemRefDialect"
  ];
}

//===----------------------------------------------------------------------===//
// To host code of the CPU
//===----------------------------------------------------------------------===//

def OutlineKernelsPass : Pass<"outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Move launches of a CPU in parts into functions";
  let description = [{
    Where launches of the CPU may be cut (the fact `parts` of `#kernel.device`)
    each becomes a function that runs any part of its blocks, and a
    `gpu.launch_func` where it stands, which the runtime starts as it starts
    kernels of devices. The function holds the launch, whose block loops say by
    `kernel.part` which arguments are the first iteration and how many there
    are. Other modules stay as they are.

    **Example**

    ```mlir
    kernel.launch @k (%N = %n : index) outs (%Y[%N] = %y : memref<?xf32>)
        schedule #s { kernel.for "i.0" (%b) in %N at block.0 { .. } }

    func.func private @k.kernel(%y: memref<f32>, %n: index, %first: index,
                                %count: index) attributes {arrc.kernel} {
      %a = memref.reinterpret_cast %y ..
      kernel.launch @k (%N = %n : index, %F = %first, %C = %count)
          outs (%Y[%N] = %a : memref<?xf32>) schedule #s {
        kernel.for "i.0" (%b) in %N at block.0 { .. } {kernel.part = [1, 2]} }
    }
    gpu.binary @k_kernel [..] {arrc.kernels = {k = "p8ox"}}
    // where it stood
    gpu.launch_func @k_kernel::@k blocks in (%n, 1, 1) threads in (1, 1, 1)
        args(%y, %n, 0, %n)
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
    "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::ub::UBDialect"
  ];
}

def ConvertKernelToSCFPass
    : Pass<"convert-kernel-to-scf", "::mlir::ModuleOp"> {
  let summary = "Turn launches on memrefs into parallel loops, scf and vector";
  let description = [{
    Block loops become `scf.parallel`, `vector` loops operations on vectors, all
    other loops run in order. Folds at block keep a partial result an iteration
    and are combined in index order, so the result is the same for any number
    of threads. A launch without levels runs in order, its outermost loop in
    chunks of a fixed size. Time loops, which hold launches only, go the way of
    `convert-kernel-to-host` at once.
  }];
  let options = [Option<"streamBytes", "stream-bytes", "int64_t", "64 << 20",
                        "results of so many bytes are stored past the caches">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
    "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def ConvertKernelToHostPass
    : Pass<"convert-kernel-to-host", "::mlir::ModuleOp"> {
  let summary = "Turn time loops on memrefs into host loops that swap buffers";
  let description = [{
    `kernel.iterate` becomes an `scf.while` that carries its buffers; a step
    that names them in another order costs nothing. Copies between views become
    loops.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def OutlineTasksPass : Pass<"outline-tasks", "::mlir::ModuleOp"> {
  let summary = "Turn parallel loops into tasks of the runtime's pool";
  let description = [{
    The body of each outermost `scf.parallel` becomes a function over a range of
    its iterations, which the pool calls; what the body uses goes through a
    struct.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect"
  ];
}

def CheckAccessesPass : Pass<"cpu-check-accesses", "::mlir::ModuleOp"> {
  let summary = "Hold every access of the CPU's code against its array";
  let description = [{
    In front of each load and store, of each view and of each copy stands a
    comparison with the sizes of the array; where it fails the runtime says so
    at the line of the program and ends the process. Lanes that a mask turns off
    are not looked at. For `--sanitize`: it finds errors of the compiler, and of
    programs that say `@unsafe`.

    ```mlir
    %x = memref.load %a[%i] : memref<?xf32>
    // becomes
    %n = memref.dim %a, %c0 : memref<?xf32>
    %outside = arith.cmpi uge, %i, %n : index
    scf.if %outside {
      llvm.call @arrt_fail_access(%place, %text, %i, %n)
    }
    %x = memref.load %a[%i] : memref<?xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def StripMineLoopsPass : Pass<"gpu-strip-mine-loops", "::mlir::ModuleOp"> {
  let summary = "Move what steps do once in a while out of their loop";
  let description = [{
    A branch that a counted loop of the host takes after every so many steps,
    and after the last one, leaves the loop: an outer loop runs the steps up to
    the next such one, then the branch. The steps of the inner loop are all the
    same, so that `gpu-load-steps` and `outline-time-loops` can hand it to the
    runtime. On CUDA only.

    ```mlir
    scf.while (%k = %c0) { %k < %n } do {
      gpu.launch_func @f ..
      %next = arith.addi %k, %c1
      scf.if %next mod %m == 0 or %next == %n { gpu.launch_func @g .. }
      scf.yield %next }
    // becomes
    scf.while (%k = %c0) { %k < %n } do {
      %to = min(%k - %k mod %m + %m, %n)
      %r = scf.while (%j = %k) { %j < %to } do { gpu.launch_func @f .. }
      gpu.launch_func @g ..           // of step %r - 1
      scf.yield %r }
    ```

    Legal when nothing that a step starts after the branch shares memory with
    it, and the branch needs of the step its number only.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"
  ];
}

def LoadStepsPass : Pass<"gpu-load-steps", "::mlir::ModuleOp"> {
  let summary = "Let kernels read the number of the step themselves";
  let description = [{
    In a counted loop of the host whose steps only start kernels, arguments that
    are computed of the number of the step are computed by the kernels, which
    read it in memory of the device and write that of the next step. What a step
    starts is then the same in each, so that `outline-time-loops` can hand the
    loop to the runtime. On CUDA only.

    ```mlir
    %r:2 = scf.while (%k = %c0, %x = %a) : (index, memref<8xf32>) -> .. { .. } do {
      gpu.launch_func @kernels::@f .. args(%p : .., %k : index)
      %next = arith.addi %k, %c1 : index
      scf.yield %next, %x : index, memref<8xf32>
    }
    // becomes
    %r:4 = scf.while (%k = %c0, %x = %a, %u = %cur, %v = %nxt) : .. { .. } do {
      gpu.launch_func @kernels::@f .. args(%p : .., %pu : .., %pv : ..)
      %next = arith.addi %k, %c1 : index
      scf.yield %next, %x, %v, %u : index, memref<8xf32>, memref<i64>, memref<i64>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def OutlineTimeLoopsPass : Pass<"outline-time-loops", "::mlir::ModuleOp"> {
  let summary = "Turn time loops of a device into loops of the runtime";
  let description = [{
    An `scf.while` whose steps only start work on the device becomes a function
    of one step, over the pointers that rotate, and a call of `arrt_loop`, which
    may run the loop on the device without the host. Loops that read, allocate
    or check something in their steps stay.

    ```mlir
    %r = scf.while (%i = %c0, %x = %a) : (index, memref<8xf32>) -> memref<8xf32> {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i, %x : index, memref<8xf32>
    } do {
    ^bb0(%i: index, %x: memref<8xf32>):
      gpu.launch_func ..
      %next = arith.addi %i, %c1 : index
      scf.yield %next, %x : index, memref<8xf32>
    }
    // becomes
    %s = llvm.call @arrt_loop(%ctx, @f_loop0, %env, %state, %bytes, %none, %n, %times)
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ConvertHostToRuntimePass
    : Pass<"convert-host-to-runtime", "::mlir::ModuleOp"> {
  let summary = "Turn exports, memory and checks into calls of the runtime";
  let description = [{
    Export `f` becomes `f_packed(context, arguments) -> status`, allocations
    come from the runtime's pool, failing checks end the call, and the table of
    the program says what its exports take and give. Runs on plain control flow.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::LLVM::LLVMDialect"
  ];
}

//===----------------------------------------------------------------------===//
// To kernels of a device
//===----------------------------------------------------------------------===//

def ConvertKernelToGPUPass
    : Pass<"convert-kernel-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Turn launches on memrefs into kernels of a device";
  let description = [{
    Each launch becomes a `gpu.func` and a `gpu.launch_func`: block loops the
    grid, thread loops the threads of a block, with barriers where threads read
    what others wrote; folds and scans over threads go through shuffles and
    shared memory; what follows the blocks runs in the last one. A launch has
    a module with its kernel in which indices have 64 bits, and one with 32 bits
    if it is proved that they fit; the host picks by the sizes. Versions in a
    branch on `kernel.indices_fit` have one: in 32 bits in its first region, in 64
    bits in the second.
    Time loops go the way of `convert-kernel-to-host` at once.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
    "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"
  ];
}

def AdoptKernelsPass : Pass<"gpu-adopt-kernels", "::mlir::ModuleOp"> {
  let summary = "Give kernels as people write them the form that launches have";
  let description = [{
    Arrays among the arguments of a kernel become a pointer and the sizes that
    their types leave open; `workgroup` memory becomes a part of what launches
    ask for, and `private` memory an array of the thread. Launches hand over
    what their kernels take now. If no function is exported, those that the
    runtime can call are.

    ```mlir
    gpu.func @k(%x : memref<?xf32>) workgroup(%s : memref<64xf32, #gpu.address_space<workgroup>>) kernel
    // becomes
    gpu.func @k(%p : memref<1xf32, #gpu.address_space<global>>, %n : index) kernel attributes {arrc.args = "p8"}
    ```

    Kernels that have `arrc.args` are of this form and left alone. `gpu.launch` is
    outlined first, and functions of the host that are written for MLIR's own
    runtimes are said otherwise: what they register, allocate, fill and copy by
    the `gpu` dialect are arrays and copies; tokens go, since what is done in
    order keeps any order that they ask for; an array that `printMemref..` of the
    runner would print is a result, as it was then.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

#endif // ARRC_CONVERSION_PASSES_TD
