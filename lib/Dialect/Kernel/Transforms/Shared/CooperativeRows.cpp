//===- CooperativeRows.cpp - Rows that several blocks share ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/Transforms/CooperativeRows.h"

#include "RowReuse.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Elements of one word that a thread takes together.
static constexpr int64_t kTogether = 24;
/// Bytes of a block beside those that it keeps: for folds, and the device's
/// own.
static constexpr int64_t kBesides = 2048;

int64_t arrc::kernel::countCooperativeBlocks(LaunchOp launch) {
  DeviceAttr device = DeviceAttr::get(launch);
  if (!isGPU(device) || !device.getInteger("ordered_blocks", 0))
    return 0;
  return device.getInteger("resident_units", 0);
}

int64_t arrc::kernel::getCooperativeBytes(DeviceAttr device) {
  return std::max<int64_t>(
      device.getInteger("resident_shared", 0) / kCooperativeBlocks - kBesides,
      0);
}

CooperativeShape arrc::kernel::getCooperativeShape(LaunchOp launch, ForOp row,
                                                   int64_t width) {
  CooperativeShape shape;
  int64_t blocks = countCooperativeBlocks(launch);
  if (!blocks || !canCooperate(launch, row))
    return shape;
  // What is read again and what cannot be computed again.
  int64_t words = 0;
  for (const RowLoads &group : collectRowLoads(row))
    words += getWords(LoadOp(group.loads.front()).getType());
  for (auto local : row.getBodyBlock()->getOps<LocalOp>())
    if (!isCheapAgain(local))
      words += getWords(local.getType().getElementType());
  if (!words)
    return shape;
  shape.together = std::max<int64_t>(kTogether / words / width, 1) * width;
  shape.steps = getCooperativeBytes(DeviceAttr::get(launch)) /
                (4 * words * kCooperativeThreads * shape.together);
  shape.most = blocks * kCooperativeThreads * shape.together * shape.steps;
  return shape;
}

/// The loop in the body of `row` that `op` stands in; null if there is none.
static ForOp getLane(ForOp row, Operation *op) {
  return dyn_cast_if_present<ForOp>(
      row.getBodyBlock()->findAncestorOpInBlock(*op));
}

/// Whether both are at the same element in iterations of their lanes of one
/// number, and at different ones in others.
static bool areAtOwnElement(const Access &a, ForOp laneOfA, const Access &b,
                            ForOp laneOfB) {
  if (a.indices.size() != b.indices.size())
    return false;
  Value mine = laneOfA.getInductionVar(), other = laneOfB.getInductionVar();
  bool own = false;
  for (auto [x, y] : llvm::zip_equal(a.indices, b.indices)) {
    if (x.replace(mine, other) != y)
      return false;
    own |= x == LinearIndex(mine);
  }
  return own;
}

bool arrc::kernel::canCooperate(LaunchOp launch, ForOp row) {
  // Each launch wants a state that starts empty.
  for (Operation *op = launch->getParentOp(); op; op = op->getParentOp())
    if (isa<IterateOp, LoopLikeOpInterface>(op))
      return false;
  for (Operation &op : row.getBodyBlock()->without_terminator()) {
    if (isa<LocalOp, LoadOp>(op) || isScalarOp(&op))
      continue;
    auto lane = dyn_cast<ForOp>(op);
    if (!lane || lane.isScan() ||
        (lane.isReduce() && !isCommutativeCombiner(lane.getCombiner())))
      return false;
    for (Type type : lane.getResultTypes())
      if (!type.isIntOrIndexOrFloat() && !isa<ComplexType>(type))
        return false;
  }
  AccessPattern pattern(row);
  for (const Access &write : pattern.getAccesses()) {
    if (!write.writes || write.array.getDefiningOp<LocalOp>())
      continue;
    ForOp lane = getLane(row, write.op);
    if (!lane || write.isUpdate())
      return false;
    for (const Access &access : pattern.getAccesses())
      if (access.array == write.array)
        if (ForOp other = getLane(row, access.op);
            !other || !areAtOwnElement(write, lane, access, other))
          return false;
  }
  return true;
}

bool arrc::kernel::isBelowBlocks(LocalOp local) {
  return llvm::any_of(local->getUsers(), [&](Operation *user) {
    for (Operation *op = user->getParentOp();
         op && !op->isAncestor(local->getParentOp()); op = op->getParentOp())
      if (auto loop = dyn_cast<ForOp>(op);
          loop && loop.getLevelKind() == LevelKind::Block)
        return true;
    return false;
  });
}

bool arrc::kernel::isCooperative(ForOp loop) {
  auto row = dyn_cast<ForOp>(loop->getParentOp());
  return row && row.isParallel() && row.getLevelKind() == LevelKind::Block &&
         llvm::any_of(row.getBodyBlock()->getOps<LocalOp>(), [](LocalOp local) {
           return local->hasAttr(kOwnElementsAttr) && isBelowBlocks(local);
         });
}
