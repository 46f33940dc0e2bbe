//===- Passes.td - Passes of the kernel dialect ---------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_TRANSFORMS_PASSES_TD
#define ARRC_DIALECT_KERNEL_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerSequentialPass
    : Pass<"kernel-lower-sequential", "::mlir::func::FuncOp"> {
  let summary = "run every loop in index order";
  let description = [{
    Replaces launches on memrefs by `scf`, `memref` and `arith`: each loop in
    index order, one iteration after the other, whatever its level. This is the
    meaning of the dialect, so text of any stage runs, and every scheduling pass
    is tested by running the text before and after it. Edge modes become index
    arithmetic, masked accesses branches, locals heap arrays; time loops become
    `scf.while`. Checks stay for the lowering of the host, or become `cf.assert`
    with `checks=assert`.

    **Legal** always on memrefs; launches on tensors are refused.
    **Example** test/Dialect/Kernel/lower-sequential.mlir
  }];
  let options = [
    Option<"checks", "checks", "std::string", /*default=*/"\"keep\"",
           "what becomes of checks: keep, assert">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::complex::ComplexDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def PermuteResultsPass
    : Pass<"kernel-permute-results", "::mlir::func::FuncOp"> {
  let summary = "store results in the order in which they are read";
  let description = [{
    A launch whose result has one reader, which reads it with its dimensions in
    another order, stores it in that order; a reader that only copied goes. The
    scan of the columns of a matrix, which comes as one array a column, is so
    stored like the matrix.

    **Legal when** the result has no other use and its destination is new.
    **Pays when** the launch reads along the dimension that becomes the last.
    **Example** test/Dialect/Kernel/permute-results.mlir
  }];
  let dependentDialects = ["::arrc::kernel::KernelDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FuseLaunchesPass : Pass<"kernel-fuse-launches", "::mlir::func::FuncOp"> {
  let summary = "make one kernel of launches that share data at equal index";
  let description = [{
    Puts the trees of two launches side by side in one, merges their loops, and
    keeps on chip what nothing else uses. Launches are on tensors and have no
    schedule.

    **Legal when** one root loop is left after merging (see
    `kernel-merge-loops`) and the launches can come to stand at one place.
    **Pays when** an element is used by both in one iteration.
    With `scalars`, only launches without a loop join: what is computed of the
    results of folds, once these are on the device, ends the launch of the last.
    **Example** test/Dialect/Kernel/fuse-launches.mlir
    **Reference** Kristensen et al., "Fusion of Parallel Array Operations"
    (PACT 2016).
  }];
  let options = [Option<"scalars", "scalars", "bool", "false",
                        "join launches without a loop only">];
  let dependentDialects = ["::arrc::kernel::KernelDialect"];
}

def MergeLoopsPass : Pass<"kernel-merge-loops", "::mlir::func::FuncOp"> {
  let summary = "make one loop of siblings over one index set";
  let description = [{
    Sibling loops of one launch that touch an array in common become one loop,
    from the root inwards; a map and a reduction give a reduction that stores,
    two reductions one with two accumulators.

    **Legal when** the extents are one value, the second loop uses no result of
    the first, and elements that one writes and the other touches are met in
    iterations of the same number.
    **Pays when** the loops share an array.
    **Example** test/Dialect/Kernel/merge-loops.mlir
    **Reference** Allen and Kennedy, "Optimizing Compilers for Modern
    Architectures", 8.5.
  }];
  let dependentDialects = ["::arrc::kernel::KernelDialect"];
}

def ContractLocalsPass
    : Pass<"kernel-contract-locals", "::mlir::func::FuncOp"> {
  let summary = "shrink locals to what the loops around them leave open";
  let description = [{
    Loads take the value stored at their index earlier in the iteration; locals
    move into the only loop that uses them and lose the dimension that it fixes;
    locals that nothing reads go. A row that an ordered loop writes element by
    element, and that is then copied into a result, lies there.

    **Legal when** one store, before the load in its iteration, is at the load's
    index and all others are provably elsewhere; for rows when nothing else
    touches the result, each iteration around has its own row, and steps read
    what a few of them before or the fill have left.
    **Pays** always; for rows when steps do not go over them again and again.
    **Example** test/Dialect/Kernel/contract-locals.mlir
    **Reference** Gao et al., "Collective loop fusion for array contraction"
    (LCPC 1992).
  }];
  let dependentDialects = ["::arrc::kernel::KernelDialect"];
}

def FormIterationsPass
    : Pass<"kernel-form-iterations", "::mlir::func::FuncOp"> {
  let summary = "make loops that carry arrays time loops";
  let description = [{
    Turns `scf.while` and `scf.for` that carry arrays into `kernel.iterate`; on
    devices `scf.for` with launches that carries scalars alone, too.
    Carried scalars become arrays of rank 0, the condition is computed before
    the loop and at the end of each step. What a step hands on is written where
    an array of the loop is dead by then, or into a second buffer (`rotate`).

    **Legal when** every carried array keeps its sizes.
    **Pays** always: upstream's loops copy their arrays in every step.
    **Example** test/Dialect/Kernel/form-iterations.mlir
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::arrc::kernel::KernelDialect", "::mlir::tensor::TensorDialect"
  ];
}

def LoadElementsPass : Pass<"kernel-load-elements", "::mlir::func::FuncOp"> {
  let summary = "load elements of arrays where launches need them";
  let description = [{
    A scalar operand that is an element of an array, or a few instructions of
    such elements, is computed by the launch itself: weights of a window,
    coefficients, the first element of a row.

    **Legal when** the host knows the indices and the array is not written in
    place before the launch has run.
    **Pays when** the device has memory of its own: the host waits for nothing.
    **Example** test/Dialect/Kernel/load-elements.mlir
  }];
  let dependentDialects = ["::arrc::kernel::KernelDialect"];
}

def SinkElementsPass : Pass<"kernel-sink-elements", "::mlir::func::FuncOp"> {
  let summary = "read and assign elements of arrays in launches";
  let description = [{
    In loops, an element that is assigned a value that was computed of elements
    of arrays is stored by a launch without a loop, and one that launches alone
    need, of an array that is updated in place meanwhile, is an array of rank 0,
    which they load.

    **Legal when** the host does not look at the values, knows the indices, and
    no array is written between a read and its launch.
    **Pays when** the device has memory of its own: the host waits for no step.
    **Example** test/Dialect/Kernel/sink-elements.mlir
    **Reference** Hovgaard and Elsman, "Scalar migration in Futhark" (2022).
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::arrc::kernel::KernelDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def SinkScalarsPass : Pass<"kernel-sink-scalars", "::mlir::func::FuncOp"> {
  let summary = "compute scalars where their operands are made";
  let description = [{
    Scalar arithmetic on results of launches moves into the epilogue of the
    launch that makes the last operand, and launches load scalars that other
    launches made. The condition of a time loop is then computed on the device.

    **Legal when** every operand is there where the launch stands, and the host
    does not look at the value itself.
    **Pays when** the device has memory of its own.
    **Example** test/Dialect/Kernel/sink-scalars.mlir
    **Reference** Hovgaard and Elsman, "Scalar migration in Futhark" (2022).
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::arrc::kernel::KernelDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def BoundLocalsPass : Pass<"kernel-bound-locals", "::mlir::func::FuncOp"> {
  let summary = "give locals sizes that the host knows";
  let description = [{
    Locals whose sizes are found in the kernel alone, such as a sorted row of a
    ragged array, or what a filter keeps of it, become as large as the largest
    of them: a launch in front computes that, and the host reads it.

    **Legal when** the sizes follow from what the launch is given, and from
    locals.
    **Pays** nothing: a device gives out no memory while it runs, so that there
    would be no such kernels.
    **Example** test/Dialect/Kernel/bound-locals.mlir
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::arrc::kernel::KernelDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def PlaceConstantsPass : Pass<"kernel-place-constants", "::mlir::ModuleOp"> {
  let summary = "make the globals of constant arrays, in the module's order";
  let description = [{
    Each constant array gets its `memref.global` before bufferization, which
    takes those that it finds. By itself it makes them function by function, in
    an order that follows from addresses: names, and so the code, would differ
    from run to run.

    **Legal** always.
    **Pays** nothing: the same program gives the same bytes.
    **Example** test/Dialect/Kernel/place-constants.mlir
  }];
  let options = [Option<
      "alignment", "alignment", "uint64_t", "64",
      "Bytes at multiples of which a global begins; that of bufferization.">];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def PlanDestinationsPass
    : Pass<"kernel-plan-destinations", "::mlir::func::FuncOp"> {
  let summary = "write results where dead operands lie";
  let description = [{
    A launch with a new array as its destination writes it in the place of an
    operand of the same sizes that dies there and that it reads at the written
    index only. Bufferization checks the choice.

    **Legal** always.
    **Pays when** memory is short or the cache is warm.
    **Example** test/Dialect/Kernel/plan-destinations.mlir
  }];
  let dependentDialects = ["::arrc::kernel::KernelDialect"];
}

def UnifySizesPass : Pass<"kernel-unify-sizes", "::mlir::func::FuncOp"> {
  let summary = "let sizes that a check makes equal be one value";
  let description = [{
    Behind a check that a measured size is a known number, the known one is used
    in its place: both sizes of an `f32[n, n]` are `n`.

    **Legal when** the check stands in front of the use.
    **Pays** always: buffers of equal sizes share memory and take turns.
    **Example** test/Dialect/Kernel/unify-sizes.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def PlanMemoryPass : Pass<"kernel-plan-memory", "::mlir::func::FuncOp"> {
  let summary = "hoist, share and free every buffer";
  let description = [{
    Settles who owns each buffer of the host, so that nothing is decided at run
    time: allocations that a loop would repeat move in front of it, a buffer
    that leaves its block through a branch, a loop or a return is moved if it is
    not seen afterwards and copied otherwise, buffers of equal type and sizes
    that do not live at the same time become one, and the rest is freed after
    its last use. What a time loop hands on lies in one of its buffers, if need
    be by a copy. A launch whose result is only copied to a part of an array
    writes that part, where no iteration reads what another one replaces; if one
    may, a remark says so.

    **Legal** always on memrefs.
    **Example** test/Dialect/Kernel/plan-memory.mlir
  }];
  let options = [
    Option<"print", "print", "bool", /*default=*/"false",
           "print the plan to standard error">,
    Option<"workspaces", "workspaces", "bool", /*default=*/"false",
           "plan the workspaces of kernels, and nothing else">
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def PackFieldsPass : Pass<"kernel-pack-fields", "::mlir::func::FuncOp"> {
  let summary = "put the arrays of one struct into one allocation";
  let description = [{
    Arrays that are made together, are as large and die together, as the fields
    of an array of structs and the components of small vectors in a time loop,
    become planes of one allocation: dense, each at a multiple of 512 bytes.
    Time loops carry and rotate the allocation. On GPUs a kernel takes one
    pointer for the planes that it reads and one for those that it writes, and
    the distance between planes. Kernels stay what they are otherwise: planes
    are known not to overlap.

    **Legal when** one launch makes the arrays, or a time loop carries them and
    hands on all of them to the same ones, in order; they have the same dynamic
    sizes; and they are freed together, or are fields of one result of an export.
    **Pays when** it neither copies nor holds memory longer. Parameters stay where
    the caller has them; a result that is no field of a struct is an array of its
    own.

    **Example**
    ```mlir
    %x = memref.alloc(%n) : memref<?xf32>   // %p = memref.alloc(%bytes) : memref<?xi8>
    %y = memref.alloc(%n) : memref<?xf64>   // %x = memref.view %p[%c0][%n] ..
    kernel.launch .. outs (%x, %y)          // %y = memref.view %p[%pitch * 4][%n] ..
    ```
    **Reference** Wellein et al., "On the single processor performance of simple
    lattice Boltzmann kernels" (Computers & Fluids 2006).
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::arrc::kernel::KernelDialect"
  ];
}

def KeepRowsPass : Pass<"kernel-keep-rows", "::mlir::func::FuncOp"> {
  let summary = "read the elements of a row once";
  let description = [{
    Applies `stage = [X at i.1 register]`: what several loops in the body of `i`
    read of `X` at the same place is kept by the first of them in a local, which
    the others read (and which `keep = [.. register]` then names for
    kernel-split-loops). Applies `keep = [e recompute]`: elements of the local
    are computed again where they are read.

    **Legal when** no one writes the place between the reads; what is computed
    again is scalar and reads what has not changed.
    **Example** test/Dialect/Kernel/keep-rows.mlir
    **Reference** scalar replacement (Callahan, Carr and Kennedy, PLDI 1990)
  }];
}

def TransposeOperandsPass : Pass<"kernel-transpose-operands",
                                 "::mlir::func::FuncOp"> {
  let summary = "operands that lanes would gather again and again, written once in their order";
  let description = [{
    On a CPU. Puts a launch that folds rows with columns under a condition on sizes: where
    there are many rows, operands that the lanes along the columns would gather
    are written the other way round first, so that lanes read neighbours. Row times row
    (`sum for l { a[i, l] * b[j, l] }`, distances of points) and column times row
    become products that read rows of the second operand.

    On a card. A scan of what is stored side by side reads an operand along another
    dimension (`scan((+), for i, j { a[j, i] }, axis = 1)`): it is written the other
    way round first, in tiles, if the scan has 64 steps and a row of the operand 16
    elements. Not in loops, whose steps run on the device, and not for several parts.

    **Legal when** the operand is not written; its indices stay as they are, in another
    order.

    **Pays when** each element is read by 64 rows of a product; by 4 where the fold as it is has
    no lanes, because one of its operands is walked along columns; and there are 16
    columns.
    **Example** test/Dialect/Kernel/transpose-operands.mlir
    **Reference** packing of operands (Goto and van de Geijn, Anatomy of
    High-Performance Matrix Multiplication)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def SplitColumnsPass : Pass<"kernel-split-columns", "::mlir::func::FuncOp"> {
  let summary = "long columns, few long rows: a launch for each loop";
  let description = [{
    Puts a launch that walks down columns, or along rows, several times (softmax,
    normalisation, mean and variance) under a condition on sizes: where columns are
    long, or rows few and long, each of its loops becomes a launch of its own. The results of
    folds pass in buffers, an element a column; what a loop computes for another
    along the column is computed again, and what follows from folds alone is computed once a
    column, behind the last of them. Where the loops around fold what is
    computed of columns (a sum of everything beside those of rows), their fold is
    the last launch.

    **Legal when** the loops around are parallel, or one fold whose operator uses
    nothing from outside, and the sizes are known to the host; numbers that pass
    between the loops are results of folds, or can be computed or loaded again.

    **Pays when** columns are longer than what stays on chip (2048 f32); on a CPU
    where tasks of whole columns are less than half of the workers; where rows are less
    than two a multiprocessor and have 2^18 elements or more, 2^16 where the
    loops around are a fold.
    **Example** test/Dialect/Kernel/split-columns.mlir
    **Reference** loop distribution (Allen and Kennedy, 5.6)
  }];
  let dependentDialects = [
    "::arrc::array::ArrayDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def SplitLoopsPass : Pass<"kernel-split-loops", "::mlir::func::FuncOp"> {
  let summary = "replace loops by the nests of their digits";
  let description = [{
    Applies the digits of `#kernel.schedule`: each loop over a dimension becomes
    one loop a digit, the most significant outside, with the levels of the
    digits. A `seq` digit stops where the dimension does; a body that could
    still pass the end is guarded by a branch.

    **Legal when** the loop is parallel or a reduction; the digits count as far
    as the dimension goes. Otherwise the schedule is refused.
    **Example** test/Dialect/Kernel/split-loops.mlir
    **Reference** `#kernel.schedule` in kernel-dialect.md; Halide's `split`
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def SplitSegmentsPass : Pass<"kernel-split-segments", "::mlir::func::FuncOp"> {
  let summary = "rows of different lengths: equal numbers of values a thread";
  let description = [{
    Puts a launch that folds each of many rows, which lie in a row (`off[i]` to
    `off[i + 1]`), under a condition on sizes: where there is much to do, blocks
    and threads get equal stretches of the values and ends of all rows, and parts
    of rows are joined in order. Rows as they were written follow for offsets
    that fall and checks that fail.

    **Legal when** a row ends where the next one begins, by the form of both;
    values follow from their places (`x[k]`, `v[k] * x[col[k]]`), no check
    depends on what a row comes to, and nothing is written that is read. Any
    operator, several results.

    **Pays when** rows and places of values are as many as the threads of the
    device. Not where launches are cut into parts for several devices.
    **Example** test/Dialect/Kernel/split-segments.mlir
    **Reference** Merrill, Garland, "Merge-based parallel sparse matrix-vector
    multiplication" (SC 2016)
  }];
  let options = [
    Option<"threads", "threads", "int64_t", /*default=*/"256",
           "threads of a block">,
    Option<"items", "items", "int64_t", /*default=*/"0",
           "values that a thread takes at a time, up to 32; 0: as many as shared memory has room for">,
    Option<"stretches", "stretches", "int64_t", /*default=*/"1",
           "blocks for each that the device has at work">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def OrderLoopsPass : Pass<"kernel-order-loops", "::mlir::func::FuncOp"> {
  let summary = "put the loops of each nest into their order";
  let description = [{
    Permutes the loops of each perfect nest into the `order` of the schedule;
    without one, into block, thread, seq, unroll, vector.

    A digit of a fold above the parallel loops around it turns its accumulator
    into a local with their dimensions, and the loops into phases; a digit at
    `block` gives each block accumulators of its own, folded afterwards.

    **Legal when** the loops are parallel, or fold by an operator that commutes,
    and no extent depends on a loop that moves inside. Otherwise the schedule is
    refused.
    **Example** test/Dialect/Kernel/order-loops.mlir
    **Reference** `#kernel.schedule` in kernel-dialect.md; Halide's `reorder`
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def MaskTailsPass : Pass<"kernel-mask-tails", "::mlir::func::FuncOp"> {
  let summary = "mask what digits past the end must not touch";
  let description = [{
    Replaces the guards of kernel-split-loops by masks: on loads, stores and
    updates, on checks (which hold where the mask is off), on divisors (one
    where it is off), and by a selection of each contribution to a fold against
    its neutral element. Afterwards all lanes run the same code.

    **Legal when** the guarded body has no other effects and no `scf.while`;
    otherwise its guard stays.
    **Example** test/Dialect/Kernel/mask-tails.mlir
    **Reference** if-conversion (Allen et al., POPL 1983)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SplitBoundaryPass
    : Pass<"kernel-split-boundary", "::mlir::func::FuncOp"> {
  let summary = "run the interior of loops without masks and edges";
  let description = [{
    For launches whose schedule says `split boundary`: the range of each
    sequential loop around lanes or unrolled ones is split into three, one after
    the other: the iterations that may touch the lower edge, the interior, and
    those that touch the upper edge or the tail. The interior needs neither mask
    nor edge mode; folds and scans go through the three.

    **Legal when** the conditions are linear in the loop's index, with steps
    that are numbers. Never between a scan and its `kernel.prefix`; on devices
    never around one. Where nothing matches, the loop stays whole.
    **Pays when** the interior is long.
    **Example** test/Dialect/Kernel/split-boundary.mlir
    **Reference** index-set splitting
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def JamLoopsPass : Pass<"kernel-jam-loops", "::mlir::func::FuncOp"> {
  let summary = "expand loops at unroll, all iterations step by step";
  let description = [{
    Writes the body of each `unroll` loop once, with one copy of each operation
    that differs between the iterations; a loop inside becomes one that carries
    the folds of all. Folds of the loop itself go by adjacent pairs. Vector
    loops stay for the lowering.

    **Legal** always. Loops with differing extents and branches with differing
    conditions are repeated whole.
    **Example** test/Dialect/Kernel/jam-loops.mlir
    **Reference** unroll-and-jam
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def PlanSchedulesPass
    : Pass<"kernel-plan-schedules", "::mlir::func::FuncOp"> {
  let summary = "choose the schedule of each launch";
  let description = [{
    Writes `#kernel.schedule` from the access patterns of a launch and the
    `kernel.device` row of the module; without a device nothing is planned, and
    launches that have a schedule are left alone.

    On the CPU: lanes along the dimension in which the accesses are contiguous,
    blocks from the parallel loops at the root, several vectors of accumulators
    in folds, scans by a vector at a time. Launches with several loops at the
    root, or nothing to vectorise, are left to the lowering.

    On devices that run blocks of threads: threads along the contiguous
    dimension, of the map itself or of the rows inside, blocks along the others;
    tiles on chip where operands are shared. Sizes that decide make versions.
    A scan that cannot be split runs in one thread, launches without loops have
    no schedule.

    **Legal** always: a schedule changes no meaning.
    **Pays when** memory is read along the lanes or threads.
    **Example** test/Dialect/Kernel/plan-schedules.mlir
    **Reference** docs/optimizer.md; Halide's autoscheduler for the loop order
  }];
  let options = [
    Option<"device", "device", "std::string", /*default=*/"",
           "device where the module names none">,
    Option<"inOrder", "in-order", "bool", /*default=*/"false",
           "floats are folded in order: of the schedules that are found those "
           "stay that take no such fold apart">,
    ListOption<"pricesAt", "prices-at", "int64_t",
               "print each schedule that is judged, and its price where the "
               "operands of the launch that are sizes, counted with the others, "
               "have these values">
  ];
}

def ExpandVersionsPass
    : Pass<"kernel-expand-versions", "::mlir::func::FuncOp"> {
  let summary = "choose among the versions of a launch at run time";
  let description = [{
    A launch with `versions` becomes a chain of branches on its sizes, one
    launch with one schedule in each. That a size is a multiple of a number
    (`s0 mod 4 == 0`) becomes `array.assume` of the operand: rows of such a
    pitch are aligned. A size that is a number (`s0 - 3 == 0`) becomes it.

    Versions that end in `deal threads` and differ in sizes at thread alone are
    one launch. For each dimension the host says how many threads walk it, as
    many as share its iterations evenly, and its loops are those of the digits:
    9 columns have 9 threads beside each other, and 28 rows of them a block of
    256.

    Where some versions have `index 32`, all of them are chosen among if indices
    fit in 32 bits (`kernel.indices_fit`), and those without it if not: kernels
    that count in 64 bits exist of these alone.

    **Legal** on memrefs; launches with results are refused, and threads are
    dealt out to one nest of parallel loops that records no errors.
    **Example** test/Dialect/Kernel/expand-versions.mlir, deal-threads.mlir
  }];
  let dependentDialects = [
    "::arrc::array::ArrayDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"
  ];
}

include "arrc/Dialect/Kernel/Transforms/PlacePasses.td"

def EncodeUpdatesPass : Pass<"kernel-encode-updates", "::mlir::func::FuncOp"> {
  let summary = "make updates of floats and narrow integers those of integers";
  let description = [{
    Before launches are scheduled: root loops that update what a device does not
    combine in memory update integers beside it, from which the destination is
    computed behind the loop. Least and largest floats become integers in the
    same order, narrow integers 32 bits, and sums of f32 (with `int64_atomics`,
    or everywhere in functions marked `arrc.same_bits`) 35 integers of 64 bits a
    bin, which hold them exactly: the same bits in any order, rounded once.
    Nearly all values are added to one of these, for a window of exponents that
    is laid about those of up to 1024 values; updates of the others are marked
    `kernel.rare`.

    **Legal when** all updates of the array in the loop have one operator; a bin
    takes up to 2^32 values.
    **Pays** always: the alternative is private copies for workers.
    **Example** test/Dialect/Kernel/encode-updates.mlir
    **Reference** Kulisch, "Computer Arithmetic and Validity" (2013);
    Collange et al., "Numerical reproducibility for the parallel reduction on
    multi- and many-core architectures" (2015).
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::complex::ComplexDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def PrivatizeUpdatesPass
    : Pass<"kernel-privatize-updates", "::mlir::func::FuncOp"> {
  let summary = "give workers copies of what devices cannot update";
  let description = [{
    Before launches are scheduled: root loops with updates that the device row
    has no atomic operation for (all but sums, minima, maxima and bit operations
    of 32-bit integers, and of 64-bit ones with `int64_atomics`) become a loop
    over workers, each with a copy of the destination, around an ordered loop;
    the copies are folded in the order of the workers afterwards. Results are
    the same in every run. Loops between a local and its update become ordered.

    **Legal** always: the operator of an update commutes.
    **Pays** where the alternative is one thread for all.
    **Example** test/Dialect/Kernel/privatize-updates.mlir
    **Reference** Henriksen et al., "Compiling Generalized Histograms for GPU"
    (SC 2020).
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::complex::ComplexDialect", "::mlir::scf::SCFDialect"
  ];
}

def FormCopiesPass : Pass<"kernel-form-copies", "::mlir::func::FuncOp"> {
  let summary = "make launches of copies between views";
  let description = [{
    A `memref.copy` with a side that does not lie together becomes a launch with
    a parallel loop a dimension, for devices: everything that touches single
    elements of their memory is a kernel.

    **Legal** always.
    **Example** test/Dialect/Kernel/form-copies.mlir
  }];
  let dependentDialects = [
    "::arrc::kernel::KernelDialect", "::mlir::memref::MemRefDialect"
  ];
}

def HoistChecksPass : Pass<"kernel-hoist-checks", "::mlir::func::FuncOp"> {
  let summary = "check in front of a loop what no step changes";
  let description = [{
    An `array.check` at the start of a counted loop whose condition is the same
    in all steps leaves the loop, and holds if the loop has no step. Loops that
    check nothing can be one kernel, or the runtime's.

    **Legal when** nothing in front of it may fail in a step.
    **Pays** always.
    **Example** test/Dialect/Kernel/hoist-checks.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SpreadStepsPass : Pass<"kernel-spread-steps", "::mlir::func::FuncOp"> {
  let summary = "make launches of loops whose steps are independent";
  let description = [{
    A counted loop of the host whose steps do not depend on each other becomes
    launches with a loop over the steps: one of the folds and scalars of a step,
    one of each loop that folds nothing. Scalars that pass between these are
    arrays with an element a step.

    **Legal when** no element that a step writes is touched by another step, by
    the bounds of the loops around the accesses, and steps hand on their arrays
    where they are and hold what kernels can do.
    **Pays** always: steps would run one after the other.
    **Example** test/Dialect/Kernel/spread-steps.mlir
    **Reference** Allen and Kennedy, "Automatic translation of Fortran programs
    to vector form" (TOPLAS 1987).
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::arrc::kernel::KernelDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def SinkStepsPass : Pass<"kernel-sink-steps", "::mlir::func::FuncOp"> {
  let summary = "run steps without neighbours point by point";
  let description = [{
    A counted loop of the host whose steps are maps over the same points becomes
    a launch over the points, each with all steps; what a step leaves for the
    next one stays in a register. Where a CPU's caches decide, the loop as it was
    stays beside it.

    **Legal when** no element that is written at one point is touched at
    another, and steps hand on their arrays where they are and check nothing.
    **Pays** on devices, where a step takes less than its launch; on a CPU where
    no access moves with the steps, or where accesses are neighbours from step to
    step and a line of the cache for each access at each point is more than a
    core's second cache holds.
    **Example** test/Dialect/Kernel/sink-steps.mlir
    **Reference** McKinley, Carr and Tseng, "Improving data locality with loop
    transformations" (TOPLAS 1996).
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::arrc::kernel::KernelDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def EncloseLoopsPass : Pass<"kernel-enclose-loops", "::mlir::func::FuncOp"> {
  let summary = "make one launch of a loop of small steps";
  let description = [{
    A loop of the host whose steps are launches, scalars, and elements that are
    read and assigned becomes one launch of one block, for devices: the loops of
    the former launches are shared among its threads, which wait for each other
    between statements. Where the work of a step depends on sizes, the loop as
    it was stays beside it, and sizes of the call decide. A loop that cannot be
    enclosed is asked about the loops inside. What the host drives then, and
    waits for in every step, is a warning; what it only starts is a remark.

    A step may check what the host would check: behind the first error nothing is
    read or written, and conditional loops end.

    **Legal when** steps hand on their arrays where they are, and have no scan,
    no update, no launch that checks its elements, and none with a schedule.
    **Pays when** no launch of a step touches more than 16384 elements: one
    multiprocessor loads them while a launch begins.
    **Example** test/Dialect/Kernel/enclose-loops.mlir
    **Reference** Gupta, Stuart and Owens, "A study of persistent threads style
    GPU programming for GPGPU workloads" (InPar 2012).
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::arrc::kernel::KernelDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def PerfectNestsPass : Pass<"kernel-perfect-nests", "::mlir::func::FuncOp"> {
  let summary = "move what stands between two loops into the inner one";
  let description = [{
    Loads and arithmetic between a loop and the only fold in it move into the
    fold, so that schedules may interchange the two, merge them, and cut the
    fold into blocks. Launches are on buffers and have no schedule.

    **Legal when** nothing in the launch writes what is loaded, and the fold
    alone uses the values.
    **Pays** always: machine code is cleared of what a loop repeats when the
    loops have their final order.
    **Example** test/Dialect/Kernel/perfect-nests.mlir
    **Reference** Allen and Kennedy, "Optimizing Compilers for Modern
    Architectures" (2001), loop distribution and perfect nests.
  }];
}

def MergeDimsPass : Pass<"kernel-merge-dims", "::mlir::func::FuncOp"> {
  let summary = "make one dimension of neighbours that are walked together";
  let description = [{
    Loops over neighbouring dimensions become one where all arrays in them are
    walked along both; the arrays become views of fewer dimensions, and products
    of sizes operands of the launch. Launches are on buffers and have no
    schedule.

    **Legal when** the outer loop holds the inner one alone, both are parallel or
    folds by one operator, and their indices are nothing but subscripts of
    neighbouring dimensions without gaps and boundaries.
    **Pays** always: accesses become wide and short dimensions long.
    **Example**
    ```mlir
    kernel.for "i" (%i) in %N {            // kernel.for "i_j" (%q) in %N8 {
      kernel.for "j" (%j) in 8 {
        %v = kernel.load %X[%i, %j] ..     //   %v = kernel.load %X[%q] ..
    ```
    **Reference** Polychronopoulos, "Loop coalescing" (ICPP 1987).
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::arrc::kernel::KernelDialect"
  ];
}

def StageOperandsPass : Pass<"kernel-stage-operands", "::mlir::func::FuncOp"> {
  let summary = "copy on chip what a block reads of an array";
  let description = [{
    Applies the `stage` clauses of a schedule: `A at j.0 shared pad 1` copies the
    box of `A` that is read below the loop `j.0` into a local, in the order of
    memory, and reads it from there; rows of the local are `pad` elements
    longer. The box is the image of the inner digits under the index. With
    `turned` its last dimension comes first there; with `ahead` each thread
    loads its part of the next box before the work on this one.

    **Legal when** the launch does not write the array, the digits below have
    sizes, the rest of the index is known at the loop, and no thread loop stands
    around it. Otherwise the schedule is refused.
    **Pays when** neighbouring threads read far apart, or the same.
    **Example** test/Dialect/Kernel/stage-operands.mlir
    **Reference** Baskaran et al., "Automatic data movement and computation
    mapping for multi-level parallel architectures with explicitly managed
    memories" (2008).
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect"
  ];
}

def StageUpdatesPass : Pass<"kernel-stage-updates", "::mlir::func::FuncOp"> {
  let summary = "update copies on chip before memory";
  let description = [{
    Applies the `private` clauses of a schedule: `H at i.0 shared copies 4` gives
    each block of the loop `i.0` four copies of `H` in shared memory, which its
    threads update in turn, and which it adds to `H` at its end. Where all
    updates add one number the copies count in 32 bits. Of an array that does not
    fit, or whose size is not a number, the first elements have copies. With
    `ranges` in place of `shared` a loop at block below goes over ranges of the
    elements that fit.

    **Legal when** in the block nothing touches the array but updates by one
    operator that the device has an atomic operation for: of integers, or, where
    it has `float_atomics`, sums of f32 and f64 in any order. Otherwise the
    schedule is refused.
    **Pays when** elements get several updates of a block.
    **Example** test/Dialect/Kernel/stage-updates.mlir
    **Reference** Gomez-Luna et al., "An optimized approach to histogram
    computation on GPU" (2013).
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect"
  ];
}

def PlanPartitionPass
    : Pass<"kernel-plan-partition", "::mlir::func::FuncOp"> {
  let summary = "decide how launches are cut for several devices";
  let description = [{
    Gives each launch the attribute `kernel.partition`: the loops of its grid that
    it may be cut along, best first, and for each of them what a part reads and
    writes of every array, as intervals that depend on the part. What cannot be
    cut gets the reason, which is a remark as well. Where the device has no fact
    `parts` nothing is done, unless `all` is set.

    **Legal when** always: the attribute says what is so. A loop is offered only
    if each array is written at places that depend on the part; that parts do not
    write the same elements is asked again when they run, of the numbers.

    **Pays when** a program runs on several devices. A loop whose parts read whole
    arrays comes behind one whose parts read their share, one along rows of the
    outermost dimension before one along columns. `dim` names one that is to
    come first. One that a launch names in `kernel.split` (`@split`) is the only
    one; where it cannot be cut a warning says why, and the others stay.

    **Example**
    ```mlir
    kernel.launch @step (%X[%N] = ..) outs (%Y[%N] = ..)
        {kernel.partition = {cuts = [{boxes = [
          {argument = 0 : i64, edges = ["clamp"], kind = "read",
           lower = [affine_map<(d0, d1)[..] -> (d0 * 256 - 1)>],
           upper = [affine_map<(d0, d1)[..] -> (d1 * 256 + 1)>]}, ..],
          loop = 0 : i64} ], whole = [..]}}
    ```
    **Reference** Diener, "Mekong: compiler-based partitioning of GPU programs"
    (thesis, Heidelberg).
  }];
  let options = [
    Option<"all", "all", "bool", "false", "whatever the device is">,
    Option<"dim", "dim", "std::string", "", "the dimension to cut first">
  ];
}

def PrintPartitionPass
    : Pass<"kernel-print-partition", "::mlir::func::FuncOp"> {
  let summary = "print what parts of launches read and write";
  let description = [{
    Prints to standard error, for each launch and each loop that it may be cut
    along, best first: what iterations `lo` to `hi` (excluded) of that loop read,
    write, or touch of each array, an interval a dimension. `..` is an end of the
    array.

    **Legal when** always: it changes nothing.

    **Pays when** a person or a test wants to know what devices exchange.

    **Example**
    ```
    launch @step
      cut "i"
        reads 't': [lo - 1, hi + 1) clamp x [.., ..)
        writes 'next': [lo, hi) x [.., ..)
    ```
  }];
}

def PrintAnalysisPass
    : Pass<"kernel-print-analysis", "::mlir::func::FuncOp"> {
  let summary = "print what launches cost";
  let description = [{
    Prints to standard error, for each launch: which elements of which array it
    reads and writes, once and in all; bytes; work in additions and special
    functions; registers alive at a time; and for each access how lanes walk the
    array, with the 32-byte sectors that a request of 32 lanes touches and the
    fewest that could hold what it asks for. Lanes are `thread` loops if there are
    some, else `vector` loops, else the innermost loop.

    **Legal when** always: it changes nothing.

    **Pays when** a person or a test wants to know what passes decide by.

    **Example**
    ```
    launch @saxpy_1
      'x': reads n of 4 bytes
      'y': writes n of 4 bytes
      bytes: 4*n read, 4*n written
      work: 2*n, special functions 0
      registers: 3
      load at line 1 of 'x': contiguous, 4 sectors of 4
      store at line 1 of 'y': contiguous, 4 sectors of 4
    ```

    **Reference** the roofline model (Williams et al., CACM 2009).
  }];
}

#endif // ARRC_DIALECT_KERNEL_TRANSFORMS_PASSES_TD
