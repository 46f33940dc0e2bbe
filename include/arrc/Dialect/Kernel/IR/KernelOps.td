//===- KernelOps.td - Operations of the kernel dialect ---------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_IR_KERNELOPS_TD
#define ARRC_DIALECT_KERNEL_IR_KERNELOPS_TD

include "arrc/Dialect/Kernel/IR/KernelAttributes.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpAsmInterface.td"

class Kernel_Op<string mnemonic, list<Trait> traits = []>
    : Op<Kernel_Dialect, mnemonic, traits>;

/// An operand that is a tensor until bufferization and a memref afterwards.
def Kernel_AnyArray : AnyTypeOf<[AnyRankedTensor, AnyStridedMemRef]>;

/// The flag of a launch or loop that decides on the device.
def Kernel_Flag : AnyTypeOf<[0DTensorOf<[I1]>, MemRefRankOf<[I1], [0]>]>;

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

def Kernel_LaunchOp : Kernel_Op<"launch", [
    AttrSizedOperandSegments, IsolatedFromAbove, DestinationStyleOpInterface,
    SingleBlockImplicitTerminator<"::arrc::kernel::YieldOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "one device kernel, destination-passing";
  let description = [{
    Runs its body once: a tree of `kernel.for` loops that store into the `outs`.
    The operands are tensors until bufferization and memrefs afterwards; the
    region arguments are memrefs from the start, one an operand, inputs before
    outs. The brackets name the size of each dimension. With `if` and a false
    flag the body does not run and the outs keep their contents.

    The body stores nothing before the first root loop; what follows a root
    loop is its epilogue and runs once.

    [C1] One region argument an operand: a scalar of the same type, or a memref
    of the same rank and element with each size equal to the operand's or
    dynamic; after bufferization of the operand's strides.
    [C2] One result a tensor among the outs, of its type.
    [C3] The body holds only operations of `arith`, `math`, `complex`, `scf` and
    `kernel`, and `affine.apply` and `array.assume`.
    [C4] Nothing is written before the first root loop.
    [C5] With levels, each root loop has one. Root loops run one after the
    other; a target without a barrier between blocks makes them launches.
    [C6] The brackets name each dimension: an `index` argument of the launch
    where the argument's size is dynamic, a number where it is not. They are
    stored as argument numbers (the size itself where it is a number).

    Example:
    ```mlir
    %r = kernel.launch @saxpy (%X[%N] = %x : tensor<?xf32>, %A = %a : f32,
                               %N = %n : index) outs (%Y[%N] = %y : tensor<?xf32>) {
      kernel.for "i" (%i) in %N {
        %u = kernel.load %X[%i] : memref<?xf32>
        %v = arith.mulf %A, %u : f32
        kernel.store %v, %Y[%i] : memref<?xf32>
      }
    }
    ```
    Where the argument is not the operand's type as a memref, both types are
    written: `%X[%N] = %x : tensor<8xf32> as memref<?xf32>`.
  }];
  let arguments = (ins
    StrAttr:$kernel_name,
    Variadic<AnyType>:$inputs,
    Variadic<Kernel_AnyArray>:$outs,
    Optional<Kernel_Flag>:$flag,
    TypedArrayAttrBase<DenseI64ArrayAttr, "one list an argument">:$sizes,
    OptionalAttr<StrArrayAttr>:$arg_names,
    OptionalAttr<Kernel_ScheduleAttr>:$schedule,
    OptionalAttr<TypedArrayAttrBase<Kernel_VersionAttr, "versions">>:$versions,
    OptionalAttr<DenseI64ArrayAttr>:$version_sizes);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::ValueRange":$inputs,
                   "::mlir::ValueRange":$outs,
                   "::llvm::ArrayRef<::llvm::SmallVector<int64_t>>":$sizes,
                   CArg<"::mlir::Value", "{}">:$flag)>
  ];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }
    ::mlir::Block *getBodyBlock() { return &getBody().front(); }
    /// The region argument of input or out `index` (inputs first).
    ::mlir::BlockArgument getArgument(unsigned index) {
      return getBodyBlock()->getArgument(index);
    }
    unsigned getNumInputs() { return getInputs().size(); }
    ::mlir::Block::BlockArgListType getInputArguments() {
      return getBodyBlock()->getArguments().take_front(getInputs().size());
    }
    ::mlir::Block::BlockArgListType getOutArguments() {
      return getBodyBlock()->getArguments().drop_front(getInputs().size());
    }
    /// The operand of region argument `argument`.
    ::mlir::OpOperand &getOperandOf(::mlir::BlockArgument argument) {
      return getOperation()->getOpOperand(argument.getArgNumber());
    }
    /// The region argument of `operand`; null for the flag.
    ::mlir::BlockArgument getArgumentOf(::mlir::OpOperand &operand);
    /// What the brackets of argument `index` hold.
    ::llvm::ArrayRef<int64_t> getSizesOf(unsigned index);
    /// Size of dimension `dim` of memref argument `argument`: the region
    /// argument that names it, or a number.
    ::mlir::OpFoldResult getSize(::mlir::BlockArgument argument, unsigned dim);
    /// The same outside of the launch: an operand, or a number.
    ::mlir::OpFoldResult getOuterSize(unsigned index, unsigned dim);
    /// Whether `value` is an argument that a dimension of an array has as its
    /// size: not negative, and no more than fits in memory.
    bool isSize(::mlir::Value value);
    /// The name that a schedule knows argument `index` by; may be empty.
    ::llvm::StringRef getArgName(unsigned index);
    void setArgName(unsigned index, ::llvm::StringRef name);
    /// Appends an input; `sizes` as in the brackets, numbered before the
    /// insertion. Its region argument has type `type`, or the operand's as a
    /// memref. Renumbers the brackets of everything behind it.
    ::mlir::BlockArgument addInput(::mlir::Value operand,
                                   ::llvm::ArrayRef<int64_t> sizes = {},
                                   ::llvm::StringRef name = "",
                                   ::mlir::Type type = {});
    /// Removes operands and their unused region arguments, and renumbers. Only
    /// outs on memrefs may be among them. No removed argument names a size of a
    /// kept one.
    void eraseArguments(const ::llvm::BitVector &which);
    /// The memref that stands for `type` (a tensor or memref) in a region.
    static ::mlir::Type getArgumentType(::mlir::Type type);
    /// Whether some loop carries a level.
    bool isScheduled();
  }];
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

def Kernel_ForOp : Kernel_Op<"for", [
    AttrSizedOperandSegments, RecursiveMemoryEffects, RecursivelySpeculatable,
    ParentOneOf<["::arrc::kernel::LaunchOp", "::arrc::kernel::ForOp",
                 "::mlir::scf::IfOp", "::mlir::scf::ForOp",
                 "::mlir::scf::WhileOp"]>,
    SingleBlockImplicitTerminator<"::arrc::kernel::YieldOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    DeclareOpInterfaceMethods<LoopLikeOpInterface,
      ["getLoopInductionVars", "getLoopLowerBounds", "getLoopUpperBounds",
       "getLoopSteps"]>]> {
  let summary = "a loop of independent iterations, a fold or a scan";
  let description = [{
    Runs its body for each index from 0 to the extent. Without a clause the
    iterations are independent. `reduce` folds what the iterations yield, in any
    tree over them (in index order unless the operator commutes), starting from
    the seeds; the body may store as well. In a `scan` iteration *i* gets the
    fold of what came before by `kernel.prefix` and the result is the total.

    The string names the dimension; loops over the same index set share it.
    `at` says where the loop runs once it is scheduled.

    [C1] The operator takes and yields the seeds' types; a reduction yields
    them, other loops yield nothing.
    [C2] A scan has one `kernel.prefix`, directly in its body.
    [C3] On a path each block number and each thread axis occurs once, and a
    block loop below a thread loop is a reduction.
    [C4] The extents of `thread`, `unroll` and `vector` loops are numbers; a
    vector has a lane, and no loop has more than 1024 copies.
    [C5] A fold or scan at `thread` or `block` is not under a branch that
    depends on a thread index.

    Example:
    ```mlir
    %s = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
      %v = kernel.load %A[%i, %j] : memref<?x?xf32>
      kernel.yield %v : f32
    }
    ```
  }];
  let arguments = (ins
    StrAttr:$dim,
    Kernel_ForKindAttr:$kind,
    Optional<Index>:$extent,
    OptionalAttr<I64Attr>:$static_extent,
    OptionalAttr<Kernel_LevelAttr>:$level,
    Variadic<AnyType>:$seeds);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body, AnyRegion:$combiner);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    // Combiners of folds are the caller's to fill (see buildCombiner); the
    // body gets its block and no terminator where it folds.
    OpBuilder<(ins "::llvm::StringRef":$dim, "::mlir::OpFoldResult":$extent,
                   CArg<"::arrc::kernel::ForKind",
                        "::arrc::kernel::ForKind::Parallel">:$kind,
                   CArg<"::mlir::ValueRange", "{}">:$seeds,
                   CArg<"::arrc::kernel::LevelAttr", "{}">:$level)>
  ];
  let extraClassDeclaration = [{
    ::mlir::Block *getBodyBlock() { return &getBody().front(); }
    ::mlir::Value getInductionVar() { return getBodyBlock()->getArgument(0); }
    YieldOp getYield();
    bool isParallel() { return getKind() == ForKind::Parallel; }
    bool isReduce() { return getKind() == ForKind::Reduce; }
    bool isScan() { return getKind() == ForKind::Scan; }
    /// The extent: a value or a number.
    ::mlir::OpFoldResult getMixedExtent();
    void setMixedExtent(::mlir::OpFoldResult extent);
    /// The level, `seq` where none is given.
    LevelKind getLevelKind() {
      return getLevelAttr() ? getLevelAttr().getKind() : LevelKind::Seq;
    }
    /// The prefix of a scan.
    PrefixOp getPrefix();
  }];
}

def Kernel_PrefixOp : Kernel_Op<"prefix", [
    HasParent<"::arrc::kernel::ForOp">, SameOperandsAndResultShape,
    AllTypesMatch<["values", "results"]>]> {
  let summary = "the fold of the iterations so far";
  let description = [{
    In a scan: the fold of the seeds and the values of all earlier iterations,
    and of this one's unless `exclusive`.

    Example:
    ```mlir
    %p = kernel.prefix exclusive %v : f32
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values, UnitAttr:$exclusive);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    (`exclusive` $exclusive^)? $values attr-dict `:` type($values)
  }];
  let hasVerifier = 1;
}

def Kernel_YieldOp : Kernel_Op<"yield", [
    Pure, Terminator,
    ParentOneOf<["::arrc::kernel::LaunchOp", "::arrc::kernel::ForOp",
                 "::arrc::kernel::UpdateOp"]>]> {
  let summary = "ends a launch, a loop or an operator";
  let description = [{
    Hands a loop's contribution to its fold, or an operator's result back.

    Example:
    ```mlir
    kernel.yield %v : f32
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  // Elided where it yields nothing.
  let builders = [OpBuilder<(ins), [{ /* nothing to yield */ }]>];
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

def Kernel_LoadOp : Kernel_Op<"load", [
    AttrSizedOperandSegments,
    TypesMatchWith<"result is an element of the array", "source", "result",
                   "::llvm::cast<::mlir::MemRefType>($_self).getElementType()">
    ]> {
  let summary = "read one element";
  let description = [{
    `edge` says for each dimension what an index outside reads: `clamp` the
    nearest element, `wrap` from the other side, `mirror` turned at the edge
    with the edge element twice, `reflect` with it once, `none` if the index is
    never outside. Masked off, the load touches nothing and gives zero.

    [C1] One index a dimension.
    [C2] One edge mode a dimension.

    Example:
    ```mlir
    %x = kernel.load %X[%i, %j] edge [clamp, wrap] if %p : memref<?x?xf32>
    ```
  }];
  let arguments = (ins Arg<AnyStridedMemRef, "", [MemRead]>:$source,
                       Variadic<Index>:$indices,
                       OptionalAttr<Kernel_EdgesAttr>:$edge,
                       Optional<I1>:$mask);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` (` ` `edge` $edge^)? (`if` $mask^)? attr-dict
    `:` type($source)
  }];
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$source, "::mlir::ValueRange":$indices,
                   CArg<"::arrc::kernel::EdgesAttr", "{}">:$edge,
                   CArg<"::mlir::Value", "{}">:$mask)>
  ];
}

def Kernel_StoreOp : Kernel_Op<"store", [
    AttrSizedOperandSegments,
    TypesMatchWith<"value is an element of the array", "dest", "value",
                   "::llvm::cast<::mlir::MemRefType>($_self).getElementType()">
    ]> {
  let summary = "write one element";
  let description = [{
    One writer an element: parallel iterations store to different places.
    Masked off, nothing is touched.

    [C1] One index a dimension.

    Example:
    ```mlir
    kernel.store %v, %Y[%i] if %p : memref<?xf32>
    ```
  }];
  let arguments = (ins AnyType:$value,
                       Arg<AnyStridedMemRef, "", [MemWrite]>:$dest,
                       Variadic<Index>:$indices, Optional<I1>:$mask);
  let assemblyFormat = [{
    $value `,` $dest `[` $indices `]` (`if` $mask^)? attr-dict `:` type($dest)
  }];
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$dest,
                   "::mlir::ValueRange":$indices,
                   CArg<"::mlir::Value", "{}">:$mask)>
  ];
}

def Kernel_UpdateOp : Kernel_Op<"update", [
    AttrSizedOperandSegments,
    SingleBlockImplicitTerminator<"::arrc::kernel::YieldOp">,
    TypesMatchWith<"value is an element of the array", "dest", "value",
                   "::llvm::cast<::mlir::MemRefType>($_self).getElementType()">
    ]> {
  let summary = "combine with one element, indivisibly";
  let description = [{
    Replaces the element by itself combined with the value; iterations that
    update one element do so one after the other, in any order. Masked off,
    nothing is touched.

    [C1] One index a dimension.
    [C2] The operator takes and yields the element type. It commutes: stated by
    the writer, since only operators of `arith` can be asked.

    Example:
    ```mlir
    kernel.update %one, %H[%b] if %p : memref<?xi64> by arith.addi
    ```
  }];
  let arguments = (ins AnyType:$value,
                       Arg<AnyStridedMemRef, "", [MemRead, MemWrite]>:$dest,
                       Variadic<Index>:$indices, Optional<I1>:$mask);
  let regions = (region SizedRegion<1>:$combiner);
  let hasCustomAssemblyFormat = 1;
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    // The caller fills the combiner (see buildCombiner).
    OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$dest,
                   "::mlir::ValueRange":$indices,
                   CArg<"::mlir::Value", "{}">:$mask)>
  ];
}

def Kernel_LocalOp : Kernel_Op<"local", []> {
  let summary = "an array on chip";
  let description = [{
    Alive for one iteration of the loop around it; its elements start
    undefined. The optional string is the name that a schedule knows it by.
    Later it has a space: `#kernel.space<register>`, `<shared>` or `<global>`.

    [C1] One size a dynamic dimension.
    [C2] A local in registers has constant sizes.

    Example:
    ```mlir
    %e = kernel.local "e" (%M) : memref<?xf32>
    ```
  }];
  let arguments = (ins Variadic<Index>:$sizes, OptionalAttr<StrAttr>:$local_name);
  let results = (outs Res<AnyStridedMemRef, "", [MemAlloc]>:$result);
  let assemblyFormat = [{
    ($local_name^)? (` ` `(` $sizes^ `)`)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def Kernel_CheckOp : Kernel_Op<"check", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "record an error where a condition is false";
  let description = [{
    Records the launch's first error, in source order, then index order, at the
    location of the operation. The values fill the `{0}`, `{1}`, .. of the
    message. The kind is one of `input`, `assert`, `index`, `size`, `divide`.
    Accesses that the condition guards are masked by it.

    Example:
    ```mlir
    kernel.check index %ok, "index {0} is outside of {1}" [%i, %n : index, index]
    ```
  }];
  let arguments = (ins Kernel_CheckKindAttr:$kind, I1:$condition,
                       StrAttr:$message, Variadic<AnyType>:$values);
  let assemblyFormat = [{
    $kind $condition `,` $message (` ` `[` $values^ `:` type($values) `]`)?
    attr-dict
  }];
}

//===----------------------------------------------------------------------===//
// Time loops
//===----------------------------------------------------------------------===//

def Kernel_IterateOp : Kernel_Op<"iterate", [
    AttrSizedOperandSegments, RecursiveMemoryEffects,
    SingleBlock,
    DeclareOpInterfaceMethods<LoopLikeOpInterface, ["getLoopInductionVars",
      "getLoopLowerBounds", "getLoopUpperBounds", "getLoopSteps"]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "the time loop, counted or conditional";
  let description = [{
    Runs its body `times` times at most, and before each step only if the
    carried `while` flag is true. A `rotate` array has a second buffer for the
    body to fill: the buffers of the loop are its carried arrays and their
    second buffers; a `kernel.continue` may name any of them, each once, and the
    loop permutes the rest. Carried scalars are 0-d and stay on the device.

    Region arguments: the step (an `index`) if counted, the flag if conditional,
    the carried arrays, the second buffers in the order of their arrays. On
    tensors the results are the carried arrays and second buffers are region
    arguments only; on memrefs each second buffer has an operand, and the
    results are the carried buffers, then the second buffers: a permutation of
    the operands.

    [C1] Holds launches, `kernel.iterate`, scalar operations, `tensor` and
    `memref` operations, `scf.if`, loops of `scf`: over scalars, or over
    arrays that change their sizes; and calls that return nothing.
    [C2] `times` or `while` or both.
    [C3] Each region argument has its operand's type; `kernel.continue` names
    one value a carried array, of its type, and a flag if the loop has one.
    [C4] The brackets name each dimension of a carried array.

    Example:
    ```mlir
    %t, %e = kernel.iterate times (%k in %max) while (%go = %go0 : tensor<i1>)
        carry (%t1[%n] = %t0 rotate %next : tensor<?xf32>, %e1 = %e0 : tensor<f32>) {
      %a, %b, %c = kernel.launch @step (..) outs (%O[%N] = %next : tensor<?xf32>, ..) { .. }
      kernel.continue while %c : tensor<i1> carry %a, %b : tensor<?xf32>, tensor<f32>
    }
    ```
  }];
  let arguments = (ins
    Optional<Index>:$times,
    Optional<Kernel_Flag>:$flag,
    Variadic<Kernel_AnyArray>:$carried,
    Variadic<Kernel_AnyArray>:$spares,
    Variadic<Index>:$sizes,
    DenseBoolArrayAttr:$rotates,
    OptionalAttr<Kernel_StrategyAttr>:$strategy,
    OptionalAttr<I64Attr>:$batch);
  let results = (outs Variadic<Kernel_AnyArray>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    // Makes the block with its arguments; the caller fills it and ends it with
    // `kernel.continue`. `sizes` are those of the dynamic dimensions in order.
    OpBuilder<(ins "::mlir::Value":$times, "::mlir::Value":$flag,
                   "::mlir::ValueRange":$carried,
                   "::llvm::ArrayRef<bool>":$rotates,
                   "::mlir::ValueRange":$sizes,
                   CArg<"::mlir::ValueRange", "{}">:$spares)>
  ];
  let extraClassDeclaration = [{
    ::mlir::Block *getBodyBlock() { return &getBody().front(); }
    /// The step number; null unless counted.
    ::mlir::BlockArgument getStepArg();
    /// The flag; null unless conditional.
    ::mlir::BlockArgument getFlagArg();
    /// The carried arrays in the body.
    ::mlir::Block::BlockArgListType getCarriedArgs();
    /// The second buffers in the body, in the order of their arrays.
    ::mlir::Block::BlockArgListType getRotateArgs();
    /// Number among the second buffers of that of carried array `index`; -1 if
    /// it has none.
    int64_t getRotateOf(unsigned index);
    ContinueOp getContinue();
    /// Sizes of carried array `index`: values or numbers.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes(unsigned index);
  }];
}

def Kernel_ContinueOp : Kernel_Op<"continue", [
    Pure, Terminator, AttrSizedOperandSegments,
    HasParent<"::arrc::kernel::IterateOp">]> {
  let summary = "ends a step of a time loop";
  let description = [{
    Names the flag and the carried arrays of the next step.

    Example:
    ```mlir
    kernel.continue while %go : tensor<i1> carry %a, %b : tensor<?xf32>, tensor<f32>
    ```
  }];
  let arguments = (ins Optional<Kernel_Flag>:$flag,
                       Variadic<Kernel_AnyArray>:$carried);
  let assemblyFormat = [{
    (`while` $flag^ `:` type($flag))? (`carry` $carried^ `:` type($carried))?
    attr-dict
  }];
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

def Kernel_IndicesFitOp : Kernel_Op<"indices_fit", [Pure]> {
  let summary = "whether 32 bits do for the indices of the launches that it guards";
  let description = [{
    True where every index of every launch in the first region of an `scf.if` on
    it fits in 32 bits. What that asks of the sizes is known when the launches
    are kernels; until then it stands for the question. The sequential reading
    answers yes: both regions do the same.

    Example:
    ```mlir
    %fit = kernel.indices_fit "rows"
    scf.if %fit { kernel.launch @rows .. } else { kernel.launch @rows .. }
    ```
  }];
  let arguments = (ins StrAttr:$kernel_name);
  let results = (outs I1:$result);
  let assemblyFormat = "$kernel_name attr-dict";
}

#endif // ARRC_DIALECT_KERNEL_IR_KERNELOPS_TD
