//===- Streams.cpp - What loops read, and where they read next ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Streams.h"
#include "arrc/Support/StoredBytes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::cpu;

Value arrc::cpu::getVariable(Operation *loop) {
  if (auto ordered = dyn_cast<scf::ForOp>(loop))
    return isZeroInteger(ordered.getLowerBound()) &&
                   isOneInteger(ordered.getStep())
               ? ordered.getInductionVar()
               : Value();
  auto parallel = cast<scf::ParallelOp>(loop);
  return isZeroInteger(parallel.getLowerBound().back()) &&
                 isOneInteger(parallel.getStep().back())
             ? parallel.getInductionVars().back()
             : Value();
}

Operation *arrc::cpu::getLoopAround(Operation *op) {
  Operation *around = op->getParentOp();
  while (isa<scf::IfOp>(around))
    around = around->getParentOp();
  return isa<scf::ForOp, scf::ParallelOp>(around) ? around : nullptr;
}

bool arrc::cpu::isNothing(ArrayRef<int64_t> way) {
  return llvm::all_of(way, [](int64_t each) { return each == 0; });
}

/// How many steps of `step` are `way`; 0 if it is no whole number of them that
/// is positive.
static int64_t countSteps(ArrayRef<int64_t> way, ArrayRef<int64_t> step) {
  int64_t count = 0;
  if (isNothing(step))
    return 0;
  for (auto [all, one] : llvm::zip(way, step)) {
    if (!one && !all)
      continue;
    if (!one || all % one || (count && all / one != count))
      return 0;
    count = all / one;
  }
  return std::max<int64_t>(count, 0);
}

Read::Read(vector::LoadOp load, scf::ParallelOp tasks)
    : op(load), tasks(tasks), array(load.getBase()),
      bytes(getStoredBytes(load.getType())),
      lanes(load.getVectorType().getNumElements()) {
  for (Value index : load.getIndices())
    indices.emplace_back(index);
}

vector::LoadOp Read::getLoad() const { return cast<vector::LoadOp>(op); }

Way Read::getAdvance(Operation *loop) const {
  return llvm::map_to_vector<4>(indices, [&](const LinearIndex &index) {
    return index.getCoefficient(getVariable(loop));
  });
}

SmallVector<Walk> Read::getWalks() const {
  SmallVector<Walk> walks;
  for (Operation *loop = op->getParentOp(); loop; loop = getLoopAround(loop)) {
    if (!getVariable(loop))
      return {};
    Way advance = getAdvance(loop);
    // A loop around that starts over reads what is in the caches by then.
    if (isNothing(advance))
      break;
    auto ordered = dyn_cast<scf::ForOp>(loop);
    Value trips = ordered ? ordered.getUpperBound() : Value();
    int64_t steps =
        walks.empty() ? 0 : countSteps(advance, walks.back().advance);
    if (steps > 1) {
      walks.back().trips = trips;
      walks.back().factor = steps;
    } else {
      walks.push_back({advance, trips});
    }
    if (loop == tasks)
      break;
  }
  return walks;
}

Way Read::getWayTo(const Read &other) const {
  if (array != other.array)
    return {};
  Way way;
  for (auto [to, from] : llvm::zip(other.indices, indices)) {
    std::optional<int64_t> distance = to.distanceFrom(from);
    if (!distance)
      return {};
    way.push_back(*distance);
  }
  return way;
}

bool Read::wasReadBy(const Read &other) const {
  Way way = getWayTo(other);
  if (op == other.op || way.empty())
    return false;
  if (isNothing(way))
    return other.op->isBeforeInBlock(op);
  // Of vectors that overlap, the foremost one comes to a place first.
  int64_t forward = getAdvance(op->getParentOp()).back();
  if (isNothing(ArrayRef(way).drop_back()) && std::abs(way.back()) < lanes)
    return forward * way.back() > 0;
  for (Operation *loop = op->getParentOp(); loop && getVariable(loop);
       loop = loop == tasks ? nullptr : getLoopAround(loop))
    if (countSteps(way, getAdvance(loop)))
      return true;
  return false;
}

bool Read::sharesLineOf(const Read &other) const {
  Way way = getWayTo(other);
  if (op == other.op || way.empty() || way.back() >= 0 ||
      !isNothing(ArrayRef(way).drop_back()))
    return false;
  int64_t line = lineBytes / std::max<int64_t>(bytes / lanes, 1);
  auto getLine = [&](const Read &read) {
    return llvm::divideFloorSigned(read.indices.back().getConstant(), line);
  };
  return getLine(*this) == getLine(other);
}

bool Read::isWhereSweeps(const Read &other) const {
  if (array != other.array || getBlock() == other.getBlock())
    return false;
  /// Without what the loops of a task add.
  auto getPlace = [](const Read &read, LinearIndex index) {
    for (Operation *loop = read.op->getParentOp(); loop && loop != read.tasks;
         loop = getLoopAround(loop))
      if (Value variable = getVariable(loop))
        index.add(LinearIndex::ofValue(variable),
                  -index.getCoefficient(variable));
    return index;
  };
  return llvm::all_of(llvm::zip(indices, other.indices), [&](auto pair) {
    return getPlace(*this, std::get<0>(pair))
        .distanceFrom(getPlace(other, std::get<1>(pair)))
        .has_value();
  });
}
