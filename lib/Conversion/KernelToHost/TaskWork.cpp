//===- TaskWork.cpp - How much there is to do in a task -------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Operations of a task, those of a loop as often as it runs. A task computes
// the bounds of its loops from its number: the interior of a block of 16384
// elements in vectors of 16 is
//
//   %left = %n - %block * 16384
//   for %i = 0 to max(min(ceildiv(%left, 16), 1024), 0)
//
// What is not known in front of all tasks (%left) does not count among
// smallest values and does not hide that this is 1024 at most. What is left of
// the block runs 1024 - 1024 times. Only if nothing is known a guess stands in.
//
//===----------------------------------------------------------------------===//

#include "TaskWork.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace arrc;

/// Waking a worker costs as much as about this many operations; a range of
/// tasks should hold more of them.
static constexpr int64_t worthAWorker = 50000;

/// The iterations assumed for a loop whose bounds the task computes of what
/// only it knows.
static constexpr int64_t unknownTrips = 32;

/// More than is asked for: iterations and operations are counted up to here, so
/// that products do not overflow.
static constexpr int64_t muchWork = int64_t(1) << 20;

namespace {
/// Estimates the operations of a task, as a value computed before the tasks.
class WorkEstimate {
public:
  WorkEstimate(OpBuilder &builder, scf::ParallelOp loop)
      : b(builder), loc(loop.getLoc()), loop(loop) {}
  Value getWork(Block &block);

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }

private:
  Value getTrips(Value lower, Value upper, Value step);
  /// What `value` comes to about; null if the task alone knows.
  Value estimate(Value value);
  /// The same of `upper - lower`.
  Value estimateSpan(Value lower, Value upper);
  Value repeat(Value trips, Value work) {
    return make<arith::MinSIOp>(make<arith::MulIOp>(trips, work),
                                constant(muchWork));
  }
  bool isKnown(Value value) {
    return !loop.getRegion().isAncestor(value.getParentRegion());
  }
  template <typename Op> Value make(Value lhs, Value rhs) {
    return b.createOrFold<Op>(loc, lhs, rhs);
  }

  OpBuilder &b;
  Location loc;
  scf::ParallelOp loop;
};
} // namespace

Value WorkEstimate::estimate(Value value) {
  if (isKnown(value))
    return value;
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return constant(*number);
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::MinSIOp,
           arith::MaxSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
           arith::FloorDivSIOp, arith::DivSIOp, arith::DivUIOp>(op))
    return {};
  Value lhs = estimate(op->getOperand(0)), rhs = estimate(op->getOperand(1));
  if (isa<arith::MinSIOp>(op) && (!lhs || !rhs))
    return lhs ? lhs : rhs;
  if (!lhs || !rhs)
    return {};
  // Nothing may be divided by that the task would not divide by.
  if (isa<arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp,
          arith::DivSIOp, arith::DivUIOp>(op) &&
      getConstantIntValue(rhs).value_or(0) <= 0)
    return {};
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::MinSIOp,
            arith::MaxSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
            arith::FloorDivSIOp, arith::DivSIOp, arith::DivUIOp>(
          [&](auto typed) { return make<decltype(typed)>(lhs, rhs); });
}

Value WorkEstimate::estimateSpan(Value lower, Value upper) {
  if (isConstantIntValue(lower, 0))
    return estimate(upper);
  if (auto sum = upper.getDefiningOp<arith::AddIOp>())
    for (auto [one, other] : {std::pair(sum.getLhs(), sum.getRhs()),
                              std::pair(sum.getRhs(), sum.getLhs())})
      if (one == lower)
        return estimate(other);
  if (auto smaller = upper.getDefiningOp<arith::MinSIOp>();
      smaller && !isKnown(upper)) {
    Value lhs = estimateSpan(lower, smaller.getLhs());
    Value rhs = estimateSpan(lower, smaller.getRhs());
    return lhs && rhs ? make<arith::MinSIOp>(lhs, rhs) : lhs ? lhs : rhs;
  }
  Value from = estimate(lower), to = estimate(upper);
  // From where another loop is: up to all of it.
  if (to && isa<BlockArgument>(lower) && !isKnown(lower))
    return to;
  return from && to ? make<arith::SubIOp>(to, from) : Value();
}

Value WorkEstimate::getTrips(Value lower, Value upper, Value step) {
  Value trips = estimateSpan(lower, upper);
  if (!trips)
    return constant(unknownTrips);
  std::optional<int64_t> by = getConstantIntValue(step);
  if (by && *by > 1)
    trips = make<arith::CeilDivSIOp>(trips, constant(*by));
  return make<arith::MinSIOp>(make<arith::MaxSIOp>(trips, constant(0)),
                              constant(muchWork));
}

Value WorkEstimate::getWork(Block &block) {
  int64_t plain = 1;
  Value work;
  auto add = [&](Value more) {
    work = work ? make<arith::AddIOp>(work, more) : more;
  };
  for (Operation &op : block) {
    if (auto inner = dyn_cast<scf::ForOp>(op)) {
      add(repeat(getTrips(inner.getLowerBound(), inner.getUpperBound(),
                          inner.getStep()),
                 getWork(*inner.getBody())));
    } else if (auto inner = dyn_cast<scf::ParallelOp>(op)) {
      Value each = getWork(*inner.getBody());
      for (auto [lower, upper, step] : llvm::zip(
               inner.getLowerBound(), inner.getUpperBound(), inner.getStep()))
        each = repeat(getTrips(lower, upper, step), each);
      add(each);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      add(getWork(*branch.thenBlock()));
    } else if (!op.hasTrait<OpTrait::ConstantLike>()) {
      ++plain;
    }
  }
  Value own = constant(plain);
  return work ? make<arith::AddIOp>(work, own) : own;
}

Value arrc::createGrain(OpBuilder &builder, scf::ParallelOp loop) {
  WorkEstimate estimate(builder, loop);
  Location loc = loop.getLoc();
  Value work = builder.createOrFold<arith::MaxSIOp>(
      loc, estimate.getWork(*loop.getBody()), estimate.constant(1));
  return builder.createOrFold<arith::CeilDivUIOp>(
      loc, estimate.constant(worthAWorker), work);
}
