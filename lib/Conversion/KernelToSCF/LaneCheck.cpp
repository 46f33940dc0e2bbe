//===- LaneCheck.cpp - What can run in lanes ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LaunchEmitter.h"

#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace arrc;

namespace {
/// Asks whether lanes can run what a vector loop holds.
class LaneCheck {
public:
  explicit LaneCheck(const Variation &varying) : varying(varying) {}
  bool check(Block &block);

private:
  bool checkOp(Operation &op);
  bool checkRegions(Operation &op);
  bool checkAccess(Operation &op);
  bool anyVaries(ValueRange range) const {
    return llvm::any_of(range, [&](Value v) { return varying.contains(v); });
  }
  const Variation &varying;
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

static bool checkCombiner(Region &region) {
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
  return true;
}

/// Loops and branches that lanes may go different ways through.
bool LaneCheck::checkRegions(Operation &op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (loop && (varying.contains(loop.getStep()) || loop.getUnsignedCmp()))
    return false;
  if (isa<scf::WhileOp>(op) &&
      !llvm::all_of(op.getOperandTypes(), isElementType))
    return false;
  return llvm::all_of(op.getResultTypes(), isElementType) &&
         llvm::all_of(op.getRegions(), [&](Region &region) {
           return region.empty() || check(region.front());
         });
}

bool LaneCheck::checkOp(Operation &op) {
  if (auto loop = dyn_cast<kernel::ForOp>(op)) {
    if (loop.getExtent() && varying.contains(loop.getExtent()))
      return false;
    if (loop.getLevelKind() == kernel::LevelKind::Vector ||
        loop.getLevelKind() == kernel::LevelKind::Block)
      return false;
    if (!llvm::all_of(loop.getSeeds().getTypes(), isLaneType) ||
        (!loop.isParallel() && !checkCombiner(loop.getCombiner())))
      return false;
    return check(*loop.getBodyBlock());
  }
  if (isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op))
    return checkRegions(op);
  if (isa<kernel::LoadOp, kernel::StoreOp>(op))
    return checkAccess(op);
  // All lanes take part in it.
  if (isa<kernel::PrefixOp>(op))
    return isa<kernel::ForOp>(op.getParentOp());
  if (isa<kernel::CheckOp>(op))
    return llvm::all_of(op.getOperandTypes(), isLaneType);
  if (isa<kernel::KernelDialect>(op.getDialect()))
    return false; // locals, updates
  if (!anyVaries(op.getOperands()) && op.getNumRegions() == 0)
    return true;
  if (op.getNumRegions() != 0 || op.getNumResults() != 1)
    return false;
  if (isComplexInLanes(&op))
    return isElementType(op.getResult(0).getType()) &&
           llvm::all_of(op.getOperandTypes(), isElementType);
  bool known = isa<affine::AffineApplyOp, array::AssumeOp>(op) ||
               OpTrait::hasElementwiseMappableTraits(&op);
  return known && isLaneType(op.getResult(0).getType()) &&
         llvm::all_of(op.getOperandTypes(), isLaneType);
}

std::optional<Variation> arrc::findVariation(kernel::ForOp loop) {
  auto width = getConstantIntValue(loop.getMixedExtent());
  if (!width || *width < 2 || !llvm::isPowerOf2_64(*width))
    return std::nullopt;
  if (!loop.isParallel() &&
      (!llvm::all_of(loop.getSeeds().getTypes(), isLaneType) ||
       !checkCombiner(loop.getCombiner())))
    return std::nullopt;
  Variation varying(loop, /*ofVectors=*/true);
  if (!LaneCheck(varying).check(*loop.getBodyBlock()))
    return std::nullopt;
  return varying;
}
