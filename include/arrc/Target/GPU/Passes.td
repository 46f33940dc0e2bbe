//===- Passes.td - Passes that GPU targets share ------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TARGET_GPU_PASSES_TD
#define ARRC_TARGET_GPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def PrepareKernelsPass
    : Pass<"gpu-prepare-kernels", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Expand in kernels what the conversion to LLVM does not know";
  let description = [{
    Functions on f16 and bf16 are computed in f32 and rounded once, arithmetic on
    bf16 in f32 and rounded after every operation, complex functions become real
    ones, strided views and affine maps plain arithmetic, structured control flow
    branches. Private arrays move to the beginning of their kernel, because an
    `alloca` inside a loop would grow the stack. Runs only the steps that the
    module needs.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::complex::ComplexDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def ShareReciprocalsPass
    : Pass<"gpu-share-reciprocals", "::mlir::gpu::GPUModuleOp"> {
  let summary = "divide by one value many times with one reciprocal";
  let description = [{
    Divisions in f32 and f64 by one value take its correctly rounded reciprocal
    and correct a product with it by two fused operations: three instructions
    instead of about ten, none of them on the slow pipe. The result has the same
    bits. Where numbers are so large or so small that it might not, which one
    comparison tells for each, the division runs as before.

    **Legal when** the device has `fma` and rounds it and the division
    correctly, and the division has no fast-math flag.
    **Pays when** there are four divisions by the value, one inside a loop that
    does not change it, or it is a constant.
    **Example** test/Target/GPU/share-reciprocals.mlir
    **Reference** Brisebarre, Muller and Raina, "Accelerating correctly rounded
    floating-point division when the divisor is known in advance" (IEEE
    Transactions on Computers 53, 2004).
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect"];
}

def InvertRootsPass : Pass<"gpu-invert-roots", "::mlir::gpu::GPUModuleOp"> {
  let summary = "divide by square roots with their approximate reciprocals";
  let description = [{
    Under `@fast`, `x / sqrt(y)` is `x * r`, and `x / (y * sqrt(y))` is
    `x * (r * r * r)`, with `r` the card's reciprocal square root: one
    instruction on the slow pipe in the place of two.

    **Legal when** the divisions and the roots have the fast-math flags `arcp`
    and `afn`, a product `reassoc` too, and all are f32.
    **Pays** always.
    **Example** test/Target/GPU/invert-roots.mlir
    **Reference** Lomont, "Fast inverse square root" (2003), for the identity.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

//===----------------------------------------------------------------------===//
// What is known of kernels
//===----------------------------------------------------------------------===//

class PrintPass<string flag> : Pass<flag, "::mlir::ModuleOp"> {
  let options = [
    ListOption<"block", "block", "int64_t",
               "threads of a block, where no launch and no attribute says">,
    ListOption<"grid", "grid", "int64_t", "blocks of the launch">,
    ListOption<"at", "at", "int64_t",
               "the block that is looked at; without it all are">,
    ListOption<"values", "args", "int64_t",
               "what the arguments of a kernel that are numbers are, in order">,
    Option<"kernel", "kernel", "std::string", "", "the only kernel to look at">
  ];
}

def PrintAccessesPass : PrintPass<"gpu-print-accesses"> {
  let summary = "Print how warps walk memory";
  let description = [{
    For each access of a `gpu.func`: coalesced, broadcast, strided by k,
    serialised or dependent on data in global memory, with the sectors of 32
    bytes that a request touches and the share of their bytes that is used;
    conflict-free, broadcast or with n-way conflicts in shared memory.

    **Reference** Svensson, "Obsidian" (thesis, 2014).
  }];
}

def PrintBranchesPass : PrintPass<"gpu-print-branches"> {
  let summary = "Print which branches threads of a warp take differently";
  let description = [{
    A branch is uniform in the block, uniform in warps, or divergent, with the
    share of lanes that idle where a warp takes both ways.
  }];
}

def PrintRacesPass : PrintPass<"gpu-print-races"> {
  let summary = "Print which accesses of two threads may meet";
  let description = [{
    All pairs of accesses to one array without a barrier between them of which
    one stores: independent, with the test that proves it, a race with two
    threads that have it, or not known. The accesses of one thread are in order.
    Blocks are compared with each other, too.

    **Reference** Banerjee, "Dependence Analysis for Supercomputing" (1988);
    Pugh, "The Omega test" (1991).
  }];
}

def PrintBarriersPass : PrintPass<"gpu-print-barriers"> {
  let summary = "Print which barriers are needed, and which are missing";
  let description = [{
    A barrier is needed between two accesses of different threads that may meet.
    Each is judged with the needless ones before it taken away.
  }];
}

def PrintBoundsPass : PrintPass<"gpu-print-bounds"> {
  let summary = "Print which indices are inside of their arrays";
  let description = [{
    Of each index: inside, certainly outside (with its range), or kept as a
    check. Conditions around an access count.
  }];
}

def PrintCostsPass : PrintPass<"gpu-print-costs"> {
  let summary = "Print what a block does, in depth and in work";
  let description = [{
    Depth is what one thread does in a row, work what all threads do; a warp of
    which one thread takes a branch counts as a whole. A barrier costs 1 and the
    threads of the block.
  }];
}

def RemoveBarriersPass
    : Pass<"gpu-remove-barriers", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Remove barriers that no two threads need";
  let description = [{
    **Legal when** no access in front of the barrier meets one behind it that
    another thread makes, one of them a store, for the number of threads that the
    kernel or its launches say, and everything in the kernel is followed.
    **Pays when** always: a barrier makes all warps of a block wait.
    **Example** block-wise reversal through shared memory where each thread reads
    what it wrote (test/Target/GPU/remove-barriers.mlir).
    **Reference** Svensson, "Obsidian" (thesis, 2014).
  }];
}

def InsertBarriersPass : Pass<"gpu-insert-barriers", "::mlir::ModuleOp"> {
  let summary = "Insert barriers where threads of a block need them";
  let description = [{
    Accesses of two threads of a block to one place, of which one stores, get a
    barrier between them, where all threads come by: so that a thread comes by
    the fewest barriers. Pairs of which nothing is proved get one, too. Where all
    places between are in a branch or a loop that threads take differently,
    nothing is inserted and the reason said; so it is where one access of all
    threads meets itself.

    **Legal when** the number of threads is known and the kernel is followed:
    barriers that all threads reach change no result of a kernel without races.
    **Pays when** always: a race is an error. `gpu-remove-barriers` removes those
    that nobody needs.
    **Example** a sum by halves in shared memory
    (test/Target/GPU/insert-barriers.mlir).
    **Reference** Moreno-Centeno and Karp, "The implicit hitting set approach to
    solve combinatorial optimization problems" (Operations Research 61, 2013).
  }];
  let options = [
    ListOption<"block", "block", "int64_t",
               "threads of a block, where no launch and no attribute says">
  ];
}

#endif // ARRC_TARGET_GPU_PASSES_TD
