//===- HostSlice.cpp - Scalars of a launch, computed on the host ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "HostSlice.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

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

/// What `term`, one of two values, never exceeds, as far as the host knows it:
/// the size of a slice is 0 where its bounds do not hold.
static Value boundChoice(OpBuilder &builder, LaunchOp launch, Value term) {
  Operation *op = term.getDefiningOp();
  if (!isa_and_nonnull<arith::SelectOp, arith::MaxSIOp, arith::MinSIOp>(op))
    return {};
  ValueRange values = op->getOperands().take_back(2);
  Value first = boundForHost(builder, launch, values[0]),
        second = boundForHost(builder, launch, values[1]);
  if (isa<arith::MinSIOp>(op) && (!first || !second))
    return first ? first : second;
  if (!first || !second)
    return {};
  if (isa<arith::MinSIOp>(op))
    return arith::MinSIOp::create(builder, term.getLoc(), first, second);
  return arith::MaxSIOp::create(builder, term.getLoc(), first, second);
}

/// The largest value of `term`, or its least, as far as the host knows it.
static Value boundTerm(OpBuilder &builder, LaunchOp launch, Value term,
                       bool largest) {
  Location loc = term.getLoc();
  if (isKnownToHost(launch, term))
    return term;
  if (Value bound = largest ? boundChoice(builder, launch, term) : Value())
    return bound;
  auto argument = dyn_cast<BlockArgument>(term);
  auto loop =
      argument ? dyn_cast<ForOp>(argument.getOwner()->getParentOp()) : ForOp();
  if (!loop || loop.getInductionVar() != term)
    return {};
  if (!largest)
    return arith::ConstantIndexOp::create(builder, loc, 0);
  Value extent =
      getValueOrCreateConstantIndexOp(builder, loc, loop.getMixedExtent());
  extent = boundForHost(builder, launch, extent);
  if (!extent)
    return {};
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  return arith::SubIOp::create(builder, loc, extent, one);
}

Value arrc::kernel::boundForHost(OpBuilder &builder, LaunchOp launch,
                                 Value value) {
  if (isKnownToHost(launch, value))
    return value;
  Location loc = value.getLoc();
  LinearIndex form(value);
  Value sum = arith::ConstantIndexOp::create(builder, loc, form.getConstant());
  for (auto [term, coefficient] : form.getTerms()) {
    Value bound = boundTerm(builder, launch, term, coefficient > 0);
    if (!bound)
      return {};
    Value factor = arith::ConstantIndexOp::create(builder, loc, coefficient);
    sum = arith::AddIOp::create(
        builder, loc, sum, arith::MulIOp::create(builder, loc, bound, factor));
  }
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  return arith::MaxSIOp::create(builder, loc, sum, zero);
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
