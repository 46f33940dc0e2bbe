//===- PlacePasses.td - Where results of blocks and locals lie -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The passes of lib/Dialect/Kernel/Transforms/Place, a part of Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_TRANSFORMS_PLACEPASSES_TD
#define ARRC_DIALECT_KERNEL_TRANSFORMS_PLACEPASSES_TD

include "mlir/Pass/PassBase.td"

def DeferFoldsPass : Pass<"kernel-defer-folds", "::mlir::func::FuncOp"> {
  let summary = "fold the partial results of many steps at once";
  let description = [{
    A step of a time loop that keeps a number of what it computed, the sum of
    energies or the largest change, folds over all blocks: these have to meet in
    each step. Where no step reads the number, the blocks only store their
    partial results, in a row of a workspace for each step, and one launch folds
    the rows of many steps: when the workspace is full and at the end.

    ```mlir
    kernel.launch @f .. outs (%s = %sums) {      // in step %t of %n
      %v = kernel.for "b" (%b) in %B at block reduce { .. }
      kernel.store %v, %s[%t] }
    // becomes, with %row = %t mod %rows
    kernel.launch @f .. outs (%w[%rows, %B] = %partials) {
      kernel.for "b" (%b) in %B at block { ..  kernel.store .., %w[%row, %b] } }
    scf.if %row + 1 == %rows or %t + 1 == %n {
      kernel.launch @f_steps (%w, ..) outs (%s = %sums) {
        kernel.for "steps" (%k) in %row + 1 at block {
          %v = kernel.for .. at thread reduce { .. %w[%k, ..] .. }
          kernel.store %v, %s[%t - %row + %k] } } }
    ```

    For devices whose blocks cannot wait for each other, without several devices
    (`parts`), and where threads walk fewer than 64 elements by their schedule:
    blocks that have much to do seldom meet.

    **Legal** on memrefs, in counted time loops: a launch is one nest at block
    and what runs once after it; that stores elements of arrays which nothing
    else in a step touches, each step others, and needs of the loop only the
    partial results and the number of the step. It records no errors.
    **Example** test/Dialect/Kernel/defer-folds.mlir
    **Reference** kernel-split-launches, gpu-strip-mine-loops
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def SplitLaunchesPass : Pass<"kernel-split-launches", "::mlir::func::FuncOp"> {
  let summary = "give each launch one nest of parallel block loops";
  let description = [{
    For devices whose blocks cannot wait for each other. Folds at block store a
    partial result a block, which are folded in index order by what runs once
    after the blocks; scans at block become the contributions, the scan of these
    and the rest; each further nest at block becomes a launch of its own. What
    runs once stays with the nest before it where the device row says
    `ordered_blocks`, and is a launch elsewhere. Partial results, locals of the
    root and values that pass between the launches lie in workspaces of the
    host, marked `kernel.workspace`.

    Block loops in other places, or with extents that the host cannot compute
    from the operands, run in sequence. Without the row of a device with blocks
    nothing is done.

    **Legal** on memrefs, always: the operations of the root keep their order.
    A scan is split if what stands before its prefix may run twice.
    **Example** test/Dialect/Kernel/split-launches.mlir
    **Reference** `#kernel.schedule` in kernel-dialect.md: digits at `block`
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

def AssignStoragePass : Pass<"kernel-assign-storage", "::mlir::func::FuncOp"> {
  let summary = "decide where the locals of a launch live";
  let description = [{
    Gives each `kernel.local` its space: `register` where each thread can have
    its own copy (`kernel.thread_dims` says which dimensions are always indexed
    by the thread of an axis, -1 for none), `shared` where the size is a number
    and the shared memory of the device row holds it beside the others, else a
    workspace of the host with a part for each block. Locals inside of thread
    loops that are not in registers move in front of them, with a dimension for
    each.

    A workspace is as large as what runs at the same time needs: locals that are
    never alive together share one, threads and blocks past the end of a
    dimension have no part, and where there are more blocks than the device
    holds, or than an eighth of its memory (`memory_bytes` of the device row)
    has parts for, blocks take several iterations in turn.

    **Legal** where sizes are numbers or follow from the operands; otherwise the
    program is refused.
    **Example** test/Dialect/Kernel/assign-storage.mlir
    **Reference** `keep` of `#kernel.schedule` in kernel-dialect.md
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

#endif // ARRC_DIALECT_KERNEL_TRANSFORMS_PLACEPASSES_TD
