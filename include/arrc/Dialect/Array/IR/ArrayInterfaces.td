//===- ArrayInterfaces.td - Interfaces of the array dialect ----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_IR_ARRAYINTERFACES_TD
#define ARRC_DIALECT_ARRAY_IR_ARRAYINTERFACES_TD

include "mlir/IR/OpBase.td"

def IndexSpaceOpInterface : OpInterface<"IndexSpaceOpInterface"> {
  let cppNamespace = "::arrc::array";
  let description = [{
    An operation whose body runs once for every point of an index space: a box
    of indices that start at 0. Passes are written against this interface, not
    against the names of operations.
  }];
  let methods = [
    InterfaceMethod<"the extents that are values, in order",
      "::mlir::OperandRange", "getDynamicExtents", (ins), "",
      [{ return $_op.getExtents(); }]>,
    InterfaceMethod<"one number a dimension, `ShapedType::kDynamic` where it is a value",
      "::llvm::ArrayRef<int64_t>", "getStaticExtentList", (ins), "",
      [{ return $_op.getStaticExtents(); }]>,
    InterfaceMethod<"the extents, one a dimension",
      "::llvm::SmallVector<::mlir::OpFoldResult>", "getMixedExtents", (ins), "",
      [{ return ::mlir::getMixedValues($_op.getStaticExtents(), $_op.getExtents(), $_op->getContext()); }]>,
    InterfaceMethod<"the number of dimensions of the index space",
      "unsigned", "getNumIndices", (ins), "",
      [{ return $_op.getStaticExtents().size(); }]>,
    InterfaceMethod<"the block that computes one point; it ends in `array.yield`",
      "::mlir::Block *", "getBodyBlock", (ins), "",
      [{ return &$_op.getBody().front(); }]>,
    InterfaceMethod<"the indices, arguments of the body",
      "::mlir::Block::BlockArgListType", "getIndices", (ins), "",
      [{ return $_op.getBody().front().getArguments(); }]>,
    InterfaceMethod<"the names of the indices in the program; `d0, d1, ..` without",
      "::llvm::SmallVector<std::string>", "getIndexNames", (ins), "",
      [{ return ::arrc::array::detail::indexNames($_op.getDimsAttr(), $_op.getStaticExtents().size()); }]>,
    InterfaceMethod<"how a result is made of the yielded values",
      "::arrc::array::ResultForm", "getResultForm", (ins "unsigned":$result)>,
    InterfaceMethod<"the number of the yielded value that a result is made of",
      "unsigned", "getYieldedIndex", (ins "unsigned":$result), "",
      [{ return result; }]>,
    InterfaceMethod<"the operator that combines values: arguments are the accumulators, then the values; null if there is none",
      "::mlir::Region *", "getCombinerRegion", (ins), "",
      [{ return nullptr; }]>
  ];
  let extraClassDeclaration = [{
    /// What the body yields.
    ::arrc::array::YieldOp getYield();
  }];
}

#endif // ARRC_DIALECT_ARRAY_IR_ARRAYINTERFACES_TD
