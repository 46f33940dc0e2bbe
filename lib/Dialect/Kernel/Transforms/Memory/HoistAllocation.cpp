//===- HoistAllocation.cpp - Memory that loops need, before them ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "HoistAllocation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

/// Whether a size is surely 0 or more in front of `anchor`: something of
/// that size has been allocated, or it is made so.
static bool isNotNegative(Value size, Operation *anchor) {
  if (std::optional<int64_t> number = getConstantIntValue(size))
    return *number >= 0;
  Operation *op = size.getDefiningOp();
  if (!op || isa<memref::DimOp>(op))
    return true;
  auto isGood = [&](Value part) { return isNotNegative(part, anchor); };
  if (isa<arith::MaxSIOp>(op) && llvm::any_of(op->getOperands(), isGood))
    return true;
  if (isa<arith::MinSIOp, arith::AddIOp, arith::MulIOp>(op) &&
      llvm::all_of(op->getOperands(), isGood))
    return true;
  return llvm::any_of(size.getUsers(), [&](Operation *user) {
    if (!isa<memref::AllocOp>(user))
      return false;
    Operation *beside = user->getBlock()->findAncestorOpInBlock(*anchor);
    return beside && user->isBeforeInBlock(beside);
  });
}

Value arrc::kernel::takeNegativeForZero(OpBuilder &builder, Location loc,
                                        Value size, Operation *anchor) {
  if (isNotNegative(size, anchor))
    return size;
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  return arith::MaxSIOp::create(builder, loc, size, zero);
}

void arrc::kernel::hoistAllocation(memref::AllocOp alloc, Operation *loop) {
  OpBuilder b(loop);
  for (OpOperand &size : alloc.getDynamicSizesMutable())
    size.set(takeNegativeForZero(b, alloc.getLoc(), size.get(), loop));
  alloc->moveBefore(loop);
}
