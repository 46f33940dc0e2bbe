//===- ArrayOps.td - Operations of the array dialect ---------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_IR_ARRAYOPS_TD
#define ARRC_DIALECT_ARRAY_IR_ARRAYOPS_TD

include "arrc/Dialect/Array/IR/ArrayBase.td"
include "arrc/Dialect/Array/IR/ArrayInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ValueBoundsOpInterface.td"

class Array_Op<string mnemonic, list<Trait> traits = []>
    : Op<Array_Dialect, mnemonic, traits>;

def Array_Reify : DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                                            ["reifyResultShapes"]>;

/// Operations with an index space. Effects: none, whatever the body holds (a
/// body that is not needed may go with its errors); speculatable if the body is.
class Array_IndexSpaceOp<string mnemonic, list<Trait> traits = []>
    : Array_Op<mnemonic, !listconcat(traits, [
        NoMemoryEffect,
        DeclareOpInterfaceMethods<ConditionallySpeculatable>,
        DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
        DeclareOpInterfaceMethods<LoopLikeOpInterface,
          ["getLoopInductionVars", "getLoopLowerBounds", "getLoopUpperBounds",
           "getLoopSteps"]>,
        IndexSpaceOpInterface])> {
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let skipDefaultBuilders = 1;
}

//===----------------------------------------------------------------------===//
// Index-space operations
//===----------------------------------------------------------------------===//

class Array_MapLikeOp<string mnemonic>
    : Array_IndexSpaceOp<mnemonic, [Array_Reify]> {
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let builders = [
    OpBuilder<(ins "::llvm::ArrayRef<::mlir::OpFoldResult>":$extents,
                   "::llvm::ArrayRef<::llvm::StringRef>":$names,
                   "::arrc::array::BodyBuilder":$body)>,
    OpBuilder<(ins "::mlir::TypeRange":$results,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$extents,
                   "::mlir::ArrayAttr":$dims)>
  ];
  code declareForm = [{
    /// Every result holds the yielded values.
    ::arrc::array::ResultForm getResultForm(unsigned) {
      return ::arrc::array::ResultForm::Element;
    }
  }];
}

def Array_MapOp : Array_MapLikeOp<"map"> {
  let summary = "build arrays by computing every element alone";
  let description = [{
    Runs the body for every point of the index space; result number *k* holds at
    each point the *k*-th yielded value. A yielded array adds its dimensions at
    the end; its sizes are the same at every point. Indices start at 0.

    [C1] every result type is the extents, then the yielded type.

    ```mlir
    %r = array.map (%i "i", %j "j") in (%n, 4) {
      %x = array.at %a[%i, %j] : tensor<?x4xf32>
      %y = math.exp %x : f32
      array.yield %y : f32
    } : tensor<?x4xf32>
    ```
  }];
  let arguments = (ins Variadic<Index>:$extents,
                       DenseI64ArrayAttr:$static_extents,
                       OptionalAttr<StrArrayAttr>:$dims);
  let extraClassDeclaration = declareForm;
}

def Array_StencilOp : Array_MapLikeOp<"stencil"> {
  let summary = "build arrays from reads at constant offsets";
  let description = [{
    A map that promises that it reads each array with a dimension for each index
    at its own index plus a constant. `reach` is the smallest and the largest
    such constant of each dimension; it is filled when the promise is checked.

    [C1] every result type is the extents, then the yielded type.
    [C2] `reach` has an interval, not empty, for every index, which covers every read.

    ```mlir
    %u = array.extend %a [clamp] : tensor<?xf32>
    %r = array.stencil (%i "i") in (%n) reach [-1 to 0] {
      %k = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
      %x = array.at %u[%k] : tensor<?xf32>
      %y = array.at %u[%i] : tensor<?xf32>
      %d = arith.subf %y, %x : f32
      array.yield %d : f32
    } : tensor<?xf32>
    ```
  }];
  let arguments = (ins Variadic<Index>:$extents,
                       DenseI64ArrayAttr:$static_extents,
                       OptionalAttr<StrArrayAttr>:$dims,
                       OptionalAttr<DenseI64ArrayAttr>:$reach);
  let extraClassDeclaration = declareForm # [{
    /// The reach of dimension `dim`, smallest and largest offset.
    std::pair<int64_t, int64_t> getReachOf(unsigned dim) {
      return {(*getReach())[2 * dim], (*getReach())[2 * dim + 1]};
    }
  }];
}

def Array_ReduceOp : Array_IndexSpaceOp<"reduce", [AttrSizedOperandSegments]> {
  let summary = "fold the values of an index space";
  let description = [{
    Folds what the body yields over all dimensions, in index order, starting
    from `init`; several accumulators are folded together. The operator is
    associative and `init` neutral, so that any bracketing in index order is
    right. Accumulators may be rows; `arith` then works on their elements.

    The operator stands after `by`: short, a name for each accumulator or one for
    all, or as a region whose arguments are all accumulators, then all values.

    [C1] yielded values, `init`, operator and results agree in number and type.

    ```mlir
    %s = array.reduce (%k "k") in (%n) init (%z : f32) {
      %x = array.at %a[%k] : tensor<?xf32>
      array.yield %x : f32
    } by arith.addf
    %t = array.reduce (%k "k") in (%n) init (%z : f32) {
      %x = array.at %a[%k] : tensor<?xf32>
      array.yield %x : f32
    } by (%p: f32, %q: f32) {
      %r = arith.addf %p, %q fastmath<contract> : f32
      array.yield %r : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Index>:$extents,
                       Variadic<AnyType>:$init,
                       DenseI64ArrayAttr:$static_extents,
                       OptionalAttr<StrArrayAttr>:$dims);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body, SizedRegion<1>:$combiner);
  let builders = [
    OpBuilder<(ins "::llvm::ArrayRef<::mlir::OpFoldResult>":$extents,
                   "::llvm::ArrayRef<::llvm::StringRef>":$names,
                   "::mlir::ValueRange":$init,
                   "::arrc::array::BodyBuilder":$body,
                   "::arrc::array::BodyBuilder":$combiner)>,
    OpBuilder<(ins "::llvm::ArrayRef<::mlir::OpFoldResult>":$extents,
                   "::mlir::ArrayAttr":$dims, "::mlir::ValueRange":$init)>
  ];
  let extraClassDeclaration = [{
    /// Every result is a fold.
    ::arrc::array::ResultForm getResultForm(unsigned) {
      return ::arrc::array::ResultForm::Fold;
    }
    /// The operator.
    ::mlir::Region *getCombinerRegion() { return &getCombiner(); }
  }];
}

def Array_ScanOp
    : Array_IndexSpaceOp<"scan", [AttrSizedOperandSegments, Array_Reify]> {
  let summary = "fold the values of an index space and keep every prefix";
  let description = [{
    As `array.reduce` over one dimension, and every step is a result: first the
    arrays of prefixes, one an accumulator, then the totals. Prefix *i* includes
    value *i*, or with `exclusive` ends before it.

    [C1] yielded values, `init`, operator and results agree in number and type.
    [C2] the index space has one dimension.

    ```mlir
    %p, %total = array.scan (%i "i") in (%n) init (%z : f32) exclusive {
      %x = array.at %a[%i] : tensor<?xf32>
      array.yield %x : f32
    } by arith.addf
    ```
  }];
  let arguments = (ins Variadic<Index>:$extents,
                       Variadic<AnyType>:$init,
                       DenseI64ArrayAttr:$static_extents,
                       OptionalAttr<StrArrayAttr>:$dims,
                       UnitAttr:$exclusive);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body, SizedRegion<1>:$combiner);
  let builders = [
    OpBuilder<(ins "::mlir::OpFoldResult":$extent, "::llvm::StringRef":$name,
                   "::mlir::ValueRange":$init, "bool":$exclusive,
                   "::arrc::array::BodyBuilder":$body,
                   "::arrc::array::BodyBuilder":$combiner)>,
    OpBuilder<(ins "::llvm::ArrayRef<::mlir::OpFoldResult>":$extents,
                   "::mlir::ArrayAttr":$dims, "::mlir::ValueRange":$init,
                   "bool":$exclusive)>
  ];
  let extraClassDeclaration = [{
    /// Prefixes first, then totals.
    ::arrc::array::ResultForm getResultForm(unsigned result) {
      return result < getInit().size() ? ::arrc::array::ResultForm::Prefix
                                       : ::arrc::array::ResultForm::Total;
    }
    /// A prefix and its total come from the same value.
    unsigned getYieldedIndex(unsigned result) {
      return result % getInit().size();
    }
    /// The operator.
    ::mlir::Region *getCombinerRegion() { return &getCombiner(); }
    /// The prefixes.
    ::mlir::ResultRange getPrefixes() {
      return getResults().take_front(getInit().size());
    }
    /// The totals.
    ::mlir::ResultRange getTotals() {
      return getResults().drop_front(getInit().size());
    }
  }];
}

def Array_ScatterOp
    : Array_IndexSpaceOp<"scatter", [AttrSizedOperandSegments, Array_Reify]> {
  let summary = "put values at computed places";
  let description = [{
    The results are the arrays `into` (which do not change) with every yielded
    value put at its index. With an operator the new element is the old one
    combined with the value (a histogram), in index order; the operator is
    associative and commutative. Without, one of the values that meet at an
    element stays. All arrays use the same index. An index with fewer dimensions
    than an array takes the rest of it as the value.

    An index outside is an error; with `oob drop` its value is dropped, with
    `oob clamp` the index is clamped in every dimension.

    [C1] yielded values, arrays, operator and results agree in number and type.
    [C2] `array.yield` gives an index with at most one value a dimension of each array.

    ```mlir
    %h = array.scatter (%i "i") in (%n) into (%h0 : tensor<256xi64>) {
      %b = array.at %x[%i] : tensor<?xi64>
      %k = arith.index_cast %b : i64 to index
      array.yield %one : i64 at [%k]
    } by arith.addi oob drop
    ```
  }];
  let arguments = (ins Variadic<Index>:$extents,
                       Variadic<AnyRankedTensor>:$into,
                       DenseI64ArrayAttr:$static_extents,
                       OptionalAttr<StrArrayAttr>:$dims,
                       DefaultValuedAttr<Array_OutOfBoundsAttr,
                         "::arrc::array::OutOfBounds::Fail">:$oob);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body, MaxSizedRegion<1>:$combiner);
  let builders = [
    OpBuilder<(ins "::llvm::ArrayRef<::mlir::OpFoldResult>":$extents,
                   "::llvm::ArrayRef<::llvm::StringRef>":$names,
                   "::mlir::ValueRange":$into,
                   "::arrc::array::OutOfBounds":$oob,
                   "::arrc::array::BodyBuilder":$body,
                   "::arrc::array::BodyBuilder":$combiner)>,
    OpBuilder<(ins "::llvm::ArrayRef<::mlir::OpFoldResult>":$extents,
                   "::mlir::ArrayAttr":$dims, "::mlir::ValueRange":$into,
                   "::arrc::array::OutOfBounds":$oob)>
  ];
  let extraClassDeclaration = [{
    /// Every result is an updated array.
    ::arrc::array::ResultForm getResultForm(unsigned) {
      return ::arrc::array::ResultForm::Update;
    }
    /// The operator, or null.
    ::mlir::Region *getCombinerRegion() {
      return getCombiner().empty() ? nullptr : &getCombiner();
    }
  }];
}

def Array_FilterOp : Array_IndexSpaceOp<"filter", [Array_Reify]> {
  let summary = "keep the values of some points, in order";
  let description = [{
    Runs the body for every point. It yields whether the point is kept, then its
    values; the results are how many are kept, then for each value the array of
    those, in the order of the points. A yielded array is a row of its result;
    its sizes are the same at every point.

    [C1] the body yields an `i1`, then a value for each array.
    [C2] the index space has one dimension.
    [C3] every array is `?`, then the yielded type.

    ```mlir
    %count, %r = array.filter (%i "i") in (%n) {
      %x = array.at %a[%i] : tensor<?xf32>
      %keep = arith.cmpf ogt, %x, %zero : f32
      array.yield %keep, %x : i1, f32
    } : tensor<?xf32>
    ```
  }];
  let arguments = (ins Variadic<Index>:$extents,
                       DenseI64ArrayAttr:$static_extents,
                       OptionalAttr<StrArrayAttr>:$dims);
  let results = (outs Index:$count, Variadic<AnyRankedTensor>:$arrays);
  let regions = (region SizedRegion<1>:$body);
  let builders = [
    OpBuilder<(ins "::mlir::OpFoldResult":$extent, "::llvm::StringRef":$name,
                   "::arrc::array::BodyBuilder":$body)>,
    OpBuilder<(ins "::mlir::TypeRange":$arrays, "::mlir::OpFoldResult":$extent,
                   "::mlir::ArrayAttr":$dims)>
  ];
  let extraClassDeclaration = [{
    /// The count first, then arrays.
    ::arrc::array::ResultForm getResultForm(unsigned result) {
      return result == 0 ? ::arrc::array::ResultForm::Count
                         : ::arrc::array::ResultForm::Kept;
    }
  }];
}

def Array_YieldOp : Array_Op<"yield", [
    Pure, Terminator,
    ParentOneOf<["MapOp", "StencilOp", "ReduceOp", "ScanOp", "ScatterOp",
                 "FilterOp"]>]> {
  let summary = "end a body or an operator";
  let description = [{
    Gives the values of one point; in the body of a scatter also the index where
    they go (the last `num_indices` operands).

    [C1] there are at least `num_indices` operands, and these have type `index`.

    ```mlir
    array.yield %v, %w : f32, i64 at [%b]
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$given,
                       DefaultValuedAttr<I64Attr, "0">:$num_indices);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let builders = [
    OpBuilder<(ins "::mlir::ValueRange":$values)>,
    OpBuilder<(ins "::mlir::ValueRange":$values,
                   "::mlir::ValueRange":$indices)>
  ];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    /// The values of the point.
    ::mlir::OperandRange getValues() {
      return getOperands().drop_back(getNumIndices());
    }
    /// Where a scatter puts them; empty elsewhere.
    ::mlir::OperandRange getIndices() {
      return getOperands().take_back(getNumIndices());
    }
  }];
}

//===----------------------------------------------------------------------===//
// Reads and views
//===----------------------------------------------------------------------===//

def Array_AtOp : Array_Op<"at", [
    NoMemoryEffect, DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "read one element";
  let description = [{
    The element of `source` at `indices`. An index outside is the program's
    error, never undefined; `inbounds` says that it cannot be, and only then may
    the read be moved to where it was not made before.

    [C1] one index a dimension.

    ```mlir
    %x = array.at %a[%i, %j] inbounds : tensor<?x?xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source, Variadic<Index>:$indices,
                       UnitAttr:$inbounds);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` (`inbounds` $inbounds^)? attr-dict `:`
    custom<ElementOf>(type($source), type($result))
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$source, "::mlir::ValueRange":$indices,
                   CArg<"bool", "false">:$inbounds)>
  ];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Array_ViewOp : Array_Op<"view", [Pure, Array_Reify, AttrSizedOperandSegments]> {
  let summary = "look at an array through an affine map of its indices";
  let description = [{
    Element *r* of the result is the element of `source` at `map`(*r*): a slice, a
    transpose, a broadcast, a reversal, a diagonal, a row. The map goes from
    indices of the result to indices of the source; its symbols are `symbols`.
    Inside its extents a view stays inside of its source, unless the source is
    an `array.extend`.

    [C1] the map has one dimension an extent, one symbol for each of `symbols` and one
         result a dimension of `source`.
    [C2] the result type is the extents with the element type of `source`.

    ```mlir
    %b = array.view %a (d0, d1)[s0] -> (d1 + s0, d0) [%lo] in (%m, 4)
      : tensor<?x?xf32> to tensor<?x4xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source, Variadic<Index>:$symbols,
                       Variadic<Index>:$extents, AffineMapAttr:$map,
                       DenseI64ArrayAttr:$static_extents);
  let results = (outs AnyRankedTensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$source, "::mlir::AffineMap":$map,
                   "::mlir::ValueRange":$symbols,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$extents)>
  ];
  let extraClassDeclaration = [{
    /// The sizes of the result.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedExtents() {
      return ::mlir::getMixedValues(getStaticExtents(), getExtents(), getContext());
    }
  }];
}

def Array_ExtendOp : Array_Op<"extend", [
    Pure, Array_Reify, AllTypesMatch<["source", "result"]>]> {
  let summary = "make indices outside of an array legal";
  let description = [{
    The same array with the same sizes, in which any index may be read. At index
    *k* outside `0..n` a dimension reads, by its mode: `clamp` the nearest element;
    `wrap` element *k* mod *n*; `mirror` with the edge repeated (period 2*n*);
    `reflect` without (period 2*n*-2); `fill %c` the value `%c`, of the first such
    dimension that is outside. `none` passes the index on as it is.

    [C1] used by `array.at`, `array.view`, `array.extend`, `array.bind`,
         `tensor.dim` and calls only.
    [C2] one mode a dimension, one value of the element type for each `fill`.

    ```mlir
    %u = array.extend %a [clamp, fill %c] : tensor<?x?xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source, Variadic<AnyType>:$fills,
                       Array_BoundaryModes:$modes);
  let results = (outs AnyRankedTensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$source,
                   "::llvm::ArrayRef<::arrc::array::BoundaryMode>":$modes,
                   "::mlir::ValueRange":$fills)>
  ];
  let extraClassDeclaration = [{
    /// The mode of dimension `dim`.
    ::arrc::array::BoundaryMode getMode(unsigned dim) {
      return ::llvm::cast<BoundaryModeAttr>(getModes()[dim]).getValue();
    }
    /// The modes of all dimensions.
    ::llvm::SmallVector<::arrc::array::BoundaryMode> getModeList();
    /// The value that dimension `dim` reads outside; null unless it is `fill`.
    ::mlir::Value getFill(unsigned dim);
  }];
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

def Array_SortOp : Array_Op<"sort", [
    Pure, Array_Reify, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "sort rows by a key, other arrays along with it";
  let description = [{
    Sorts each row (along the last dimension) of the first array, the keys, and
    moves the elements of the others to where their keys go. The order is
    ascending and stable; of floats it is total: -0 before 0, NaN last and equal
    to each other. Integers are signed unless `unsigned` is given.

    Positions carried along are the permutation (`argsort`); sorting along
    another dimension is sorting a view.

    [C1] there is an array, and none has rank 0.
    [C2] all arrays have the shape of the keys.
    [C3] keys are integers or floats.

    ```mlir
    %s, %p = array.sort %keys, %positions : tensor<?x?xf32>, tensor<?x?xi64>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$arrays, UnitAttr:$is_unsigned);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $arrays (`unsigned` $is_unsigned^)? attr-dict `:` type($arrays)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// What is compared.
    ::mlir::Value getKeys() { return getArrays().front(); }
    /// What moves with the keys.
    ::mlir::OperandRange getCarried() { return getArrays().drop_front(); }
    /// The type of a key.
    ::mlir::Type getKeyType() {
      return ::llvm::cast<::mlir::RankedTensorType>(getKeys().getType())
          .getElementType();
    }
  }];
}

//===----------------------------------------------------------------------===//
// Sizes, facts, errors
//===----------------------------------------------------------------------===//

def Array_BindOp : Array_Op<"bind", [
    Pure, Array_Reify, AllTypesMatch<["source", "result"]>]> {
  let summary = "say that the sizes of an array are these values";
  let description = [{
    The same array; its sizes are known to be `sizes`, so that equal sizes become
    one value. That it is so was checked, or follows from the program.

    [C1] one size a dimension: a value where the type is dynamic, else its number.

    ```mlir
    %x = array.bind %x0 [%n, 9] : tensor<?x9xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source, Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$static_sizes);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source custom<DynamicIndexList>($sizes, $static_sizes) attr-dict `:`
    type($source)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$source,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes)>
  ];
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// The sizes, one a dimension.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes() {
      return ::mlir::getMixedValues(getStaticSizes(), getSizes(), getContext());
    }
  }];
}

def Array_FenceOp : Array_Op<"fence", [
    Pure, Array_Reify, AllTypesMatch<["source", "result"]>]> {
  let summary = "an array that stays an array";
  let description = [{
    The same array. What makes `source` is not fused into what reads `result`:
    no pass looks through a fence before arrays are buffers, where it goes. It is
    what `@noinline` leaves of a call.

    ```mlir
    %r = array.fence %t : tensor<?xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def Array_AssumeOp : Array_Op<"assume", [
    NoMemoryEffect, AllTypesMatch<["value", "result"]>,
    DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>,
    DeclareOpInterfaceMethods<ValueBoundsOpInterface,
                              ["populateBoundsForIndexValue"]>]> {
  let summary = "a fact about an integer";
  let description = [{
    The same value, known to lie in an interval (both ends included) and to be a
    multiple of a number. It holds where the operation stands, hence it is not
    moved past a branch. The one operation of this dialect that kernels may hold.

    [C1] the interval is not empty, the multiple at least 1.

    ```mlir
    %n = array.assume %n0 in 3 to 2147483647 multiple 16 : index
    ```
  }];
  let arguments = (ins AnySignlessIntegerOrIndex:$value, OptionalAttr<I64Attr>:$lower,
                       OptionalAttr<I64Attr>:$upper,
                       OptionalAttr<I64Attr>:$multiple);
  let results = (outs AnySignlessIntegerOrIndex:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Array_CheckOp : Array_Op<"check", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "an error if a condition is false";
  let description = [{
    If `ok` is false the program ends with `message` at this location; `{0}`,
    `{1}`, .. in it stand for `values`. The kind says what was guarded: `input` (the
    sizes of arguments, a `where`), `assert`, `index`, `size` or `divide`.

    [C1] the message names existing values only.

    ```mlir
    array.check input %ok, "size {0} is not {1}" [%n, %m : index, index]
    ```
  }];
  let arguments = (ins Array_CheckKindAttr:$kind, I1:$ok, StrAttr:$message,
                       Variadic<AnyType>:$values);
  let assemblyFormat = [{
    $kind $ok `,` $message (`[` $values^ `:` type($values) `]`)? attr-dict
  }];
  let builders = [
    OpBuilder<(ins "::arrc::array::CheckKind":$kind, "::mlir::Value":$ok,
                   "::llvm::StringRef":$message, "::mlir::ValueRange":$values)>
  ];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

//===----------------------------------------------------------------------===//
// Code from outside
//===----------------------------------------------------------------------===//

def Array_ExternOp : Array_Op<"extern", [
    AttrSizedOperandSegments, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "call a function that was not compiled here";
  let description = [{
    Calls `int32_t callee(arrt_context *, inputs.., outs..)`: numbers by value,
    arrays as pointers to dense, row-major elements. Of `outs` only the sizes
    count; the function writes all of each, a number is an array of rank 0. The
    function has no effects besides, so that a call whose results nobody needs
    may go. If it returns another status than 0 the program ends at this
    location.

    `elements` names the element type of each input as the language does: C
    extends signed and unsigned numbers in different ways.

    On memory there are no results.

    [C1] one element type an input.

    ```mlir
    %r0 = tensor.empty(%n) : tensor<?xf32>
    %r = array.extern "smooth" (%n64, %a, %w : i64, tensor<?xf32>, f32)
      as ["i64", "f32", "f32"] into (%r0 : tensor<?xf32>) -> tensor<?xf32>
    ```
  }];
  let arguments = (ins StrAttr:$callee, Variadic<AnyType>:$inputs,
                       Variadic<AnyTypeOf<[AnyRankedTensor, AnyMemRef]>>:$outs,
                       StrArrayAttr:$elements);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $callee `(` ($inputs^ `:` type($inputs))? `)` `as` $elements
    `into` `(` $outs `:` type($outs) `)` attr-dict (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// What the function writes.
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }
  }];
}

#endif // ARRC_DIALECT_ARRAY_IR_ARRAYOPS_TD
