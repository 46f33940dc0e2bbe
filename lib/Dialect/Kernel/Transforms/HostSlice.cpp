//===- HostSlice.cpp - Scalars of a launch, computed on the host ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "HostSlice.h"

#include "arrc/Dialect/Array/IR/Array.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

bool arrc::kernel::isKnownToHost(LaunchOp launch, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == launch.getBodyBlock() &&
           !isa<MemRefType>(value.getType());
  Operation *op = value.getDefiningOp();
  return isScalarOp(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
           return isKnownToHost(launch, operand);
         });
}

bool arrc::kernel::isKnownToHost(LaunchOp launch, OpFoldResult value) {
  auto dynamic = dyn_cast<Value>(value);
  return !dynamic || isKnownToHost(launch, dynamic);
}

Value arrc::kernel::computeOnHost(OpBuilder &builder, LaunchOp launch,
                                  Value value, IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Value operand = launch.getOperandOf(argument).get();
    // A fact about a value is the value.
    while (auto fact = operand.getDefiningOp<array::AssumeOp>())
      operand = fact.getValue();
    mapping.map(value, operand);
    return operand;
  }
  Operation *op = value.getDefiningOp();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(computeOnHost(builder, launch, operand, mapping));
  if (isa<array::AssumeOp>(op)) {
    mapping.map(value, operands.front());
    return operands.front();
  }
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

OpFoldResult arrc::kernel::computeOnHost(OpBuilder &builder, LaunchOp launch,
                                         OpFoldResult value,
                                         IRMapping &mapping) {
  auto dynamic = dyn_cast<Value>(value);
  if (!dynamic)
    return value;
  return computeOnHost(builder, launch, dynamic, mapping);
}
