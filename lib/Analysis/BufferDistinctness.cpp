//===- BufferDistinctness.cpp - Which buffers never overlap ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/BufferDistinctness.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace arrc;

Value arrc::getBuffer(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (!isa<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp,
             memref::SubViewOp, memref::ReinterpretCastOp>(def))
      break;
    value = def->getOperand(0);
  }
  return value;
}

Value arrc::getSameElements(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (!isa<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp>(
            def))
      break;
    value = def->getOperand(0);
  }
  return value;
}

bool arrc::areDistinctBuffers(Value lhs, Value rhs) {
  if (lhs == rhs)
    return false;
  auto iterateOf = [](Value value) -> kernel::IterateOp {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument
               ? dyn_cast<kernel::IterateOp>(argument.getOwner()->getParentOp())
               : kernel::IterateOp();
  };
  // All buffers that a time loop carries are different ones.
  kernel::IterateOp left = iterateOf(lhs), right = iterateOf(rhs);
  if (left && left == right)
    return true;
  if (left || right) {
    // A carried buffer against one from outside of its loop that is none of
    // the loop's.
    kernel::IterateOp loop = left ? left : right;
    Value other = left ? rhs : lhs;
    if (left && right)
      return false;
    if (Operation *def = other.getDefiningOp())
      if (loop->isAncestor(def))
        return isa<memref::AllocOp>(def);
    return (other.getDefiningOp<memref::AllocOp>() ||
            isa<BlockArgument>(other)) &&
           llvm::none_of(loop->getOperands(), [&](Value operand) {
             return isa<MemRefType>(operand.getType()) &&
                    !areDistinctBuffers(getBuffer(operand), other);
           });
  }
  auto isAlloc = [](Value v) {
    return static_cast<bool>(v.getDefiningOp<memref::AllocOp>());
  };
  auto isParameter = [](Value v) {
    auto argument = dyn_cast<BlockArgument>(v);
    return argument && isa<func::FuncOp>(argument.getOwner()->getParentOp());
  };
  return (isAlloc(lhs) && (isAlloc(rhs) || isParameter(rhs))) ||
         (isParameter(lhs) && isAlloc(rhs));
}

bool arrc::buffersAreDistinct(kernel::LaunchOp launch) {
  SmallVector<Value> read, written;
  for (Value input : launch.getInputs())
    if (isa<MemRefType>(input.getType()))
      read.push_back(getBuffer(input));
  for (Value out : launch.getOuts())
    written.push_back(getBuffer(out));
  for (auto [position, out] : llvm::enumerate(written)) {
    for (Value other : read)
      if (!areDistinctBuffers(out, other))
        return false;
    for (Value other : ArrayRef(written).drop_front(position + 1))
      if (!areDistinctBuffers(out, other))
        return false;
  }
  return true;
}
