//===- LaneCheck.cpp - What can run in lanes ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LaunchEmitter.h"

#include "arrc/Analysis/Coalescing.h"
#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace arrc;

namespace {
/// Follows what differs between lanes through a vector loop.
class LaneCheck {
public:
  explicit LaneCheck(kernel::ForOp loop) {
    varying.insert(loop.getInductionVar());
  }
  bool check(Block &block);
  llvm::DenseSet<Value> take() { return std::move(varying); }

private:
  bool checkOp(Operation &op);
  bool checkAccess(Operation &op);
  bool checkCounted(scf::ForOp loop);
  bool checkWhile(scf::WhileOp loop);
  bool checkBranch(scf::IfOp branch);
  bool checkCombiner(Region &region);
  bool varies(Value value) const { return varying.contains(value); }
  bool anyVaries(ValueRange range) const {
    return llvm::any_of(range, [&](Value v) { return varies(v); });
  }
  /// Marks those of `to` whose partner in `from` varies; whether one is new.
  bool mark(ValueRange to, ValueRange from);
  void markAll(ValueRange range) { varying.insert(range.begin(), range.end()); }
  llvm::DenseSet<Value> varying;
};
} // namespace

/// Whether a vector can have elements of this type.
static bool isLaneType(Type type) {
  return isa<IndexType, IntegerType, FloatType>(type);
}

/// The same for vectors of the parts of complex numbers: what arrays hold, and
/// what loops and branches hand on.
static bool isElementType(Type type) {
  return isLaneType(type) || isa<ComplexType>(type);
}

static bool isUnitStride(Value array) {
  auto type = cast<MemRefType>(array.getType());
  return type.getRank() == 0 || type.isLastDimUnitStride();
}

bool LaneCheck::mark(ValueRange to, ValueRange from) {
  bool isNew = false;
  for (auto [target, source] : llvm::zip_equal(to, from))
    isNew |= varies(source) && varying.insert(target).second;
  return isNew;
}

bool LaneCheck::checkCombiner(Region &region) {
  return llvm::all_of(region.front().without_terminator(), [](Operation &op) {
    return OpTrait::hasElementwiseMappableTraits(&op) ||
           op.hasTrait<OpTrait::ConstantLike>();
  });
}

bool LaneCheck::check(Block &block) {
  return llvm::all_of(block.without_terminator(),
                      [&](Operation &op) { return checkOp(op); });
}

bool LaneCheck::checkAccess(Operation &op) {
  auto load = dyn_cast<kernel::LoadOp>(op);
  auto store = dyn_cast<kernel::StoreOp>(op);
  Value array = load ? load.getSource() : store.getDest();
  if (store && !anyVaries(store.getIndices()))
    return false; // many writers: not in lanes
  if (!anyVaries(op.getOperands()))
    return true;
  Type element = cast<MemRefType>(array.getType()).getElementType();
  if (!isElementType(element) || !isUnitStride(array))
    return false;
  markAll(op.getResults());
  return true;
}

bool LaneCheck::checkCounted(scf::ForOp loop) {
  bool differs = varies(loop.getLowerBound()) || varies(loop.getUpperBound());
  if (varies(loop.getStep()) || loop.getUnsignedCmp() ||
      !llvm::all_of(loop.getResultTypes(), isElementType))
    return false;
  if (varies(loop.getLowerBound()))
    varying.insert(loop.getInductionVar());
  mark(loop.getRegionIterArgs(), loop.getInitArgs());
  do {
    if (!check(*loop.getBody()))
      return false;
  } while (mark(loop.getRegionIterArgs(), loop.getYieldedValues()));
  mark(loop.getResults(), loop.getRegionIterArgs());
  if (differs)
    markAll(loop.getResults());
  return true;
}

bool LaneCheck::checkWhile(scf::WhileOp loop) {
  if (!llvm::all_of(loop.getOperandTypes(), isElementType) ||
      !llvm::all_of(loop.getResultTypes(), isElementType))
    return false;
  mark(loop.getBeforeArguments(), loop.getInits());
  do {
    if (!check(*loop.getBeforeBody()))
      return false;
    mark(loop.getAfterArguments(), loop.getConditionOp().getArgs());
    if (!check(*loop.getAfterBody()))
      return false;
  } while (mark(loop.getBeforeArguments(), loop.getYieldOp().getOperands()));
  mark(loop.getResults(), loop.getConditionOp().getArgs());
  if (varies(loop.getConditionOp().getCondition()))
    markAll(loop.getResults());
  return true;
}

bool LaneCheck::checkBranch(scf::IfOp branch) {
  if (!llvm::all_of(branch.getResultTypes(), isElementType))
    return false;
  for (Region *region : branch.getRegions()) {
    if (region->empty())
      continue;
    if (!check(region->front()))
      return false;
    mark(branch.getResults(), region->front().getTerminator()->getOperands());
  }
  if (varies(branch.getCondition()))
    markAll(branch.getResults());
  return true;
}

bool LaneCheck::checkOp(Operation &op) {
  if (auto loop = dyn_cast<kernel::ForOp>(op)) {
    if (loop.getExtent() && varies(loop.getExtent()))
      return false;
    if (loop.getLevelKind() == kernel::LevelKind::Vector ||
        loop.getLevelKind() == kernel::LevelKind::Block)
      return false;
    if (!llvm::all_of(loop.getSeeds().getTypes(), isLaneType) ||
        (!loop.isParallel() && !checkCombiner(loop.getCombiner())))
      return false;
    markAll(loop.getResults());
    return check(*loop.getBodyBlock());
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return checkCounted(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return checkWhile(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return checkBranch(branch);
  if (isa<kernel::LoadOp, kernel::StoreOp>(op))
    return checkAccess(op);
  if (auto prefix = dyn_cast<kernel::PrefixOp>(op)) {
    // All lanes take part in it.
    markAll(prefix.getResults());
    return isa<kernel::ForOp>(op.getParentOp());
  }
  if (isa<kernel::CheckOp>(op))
    return llvm::all_of(op.getOperandTypes(), isLaneType);
  if (isa<kernel::KernelDialect>(op.getDialect()))
    return false; // locals, updates
  if (!anyVaries(op.getOperands()) && op.getNumRegions() == 0)
    return true;
  if (op.getNumRegions() != 0 || op.getNumResults() != 1)
    return false;
  if (isComplexInLanes(&op)) {
    varying.insert(op.getResult(0));
    return isElementType(op.getResult(0).getType()) &&
           llvm::all_of(op.getOperandTypes(), isElementType);
  }
  bool known = isa<affine::AffineApplyOp, array::AssumeOp>(op) ||
               OpTrait::hasElementwiseMappableTraits(&op);
  if (!known || !isLaneType(op.getResult(0).getType()) ||
      !llvm::all_of(op.getOperandTypes(), isLaneType))
    return false;
  varying.insert(op.getResult(0));
  return true;
}

std::optional<llvm::DenseSet<Value>> arrc::findVarying(kernel::ForOp loop) {
  auto width = getConstantIntValue(loop.getMixedExtent());
  if (!width || *width < 2 || !llvm::isPowerOf2_64(*width))
    return std::nullopt;
  if (!loop.isParallel() &&
      (!llvm::all_of(loop.getSeeds().getTypes(), isLaneType) ||
       !llvm::all_of(loop.getCombiner().front().without_terminator(),
                     [](Operation &op) {
                       return OpTrait::hasElementwiseMappableTraits(&op) ||
                              op.hasTrait<OpTrait::ConstantLike>();
                     })))
    return std::nullopt;
  LaneCheck lanes(loop);
  if (!lanes.check(*loop.getBodyBlock()))
    return std::nullopt;
  return lanes.take();
}
