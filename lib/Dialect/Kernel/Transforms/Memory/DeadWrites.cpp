//===- DeadWrites.cpp - Copies and fills that nobody needs ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Two writes stand around an array that a loop makes longer, each as long as
// the array, besides the one that makes it:
//
//   - bufferization copies what the condition of a `while` hands on, if a step
//     ends with another buffer than it began with. The block of the condition
//     owns what came in, and hands that on;
//   - parts that are put together lie in an array that is filled first. Where
//     copies into it, one behind the other, end where it ends, nothing of that
//     is left.
//
//===----------------------------------------------------------------------===//

#include "DeadWrites.h"

#include "../Shared/LaunchAccess.h"
#include "BufferLifetime.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// The copy that `operand` of a condition hands on, if all that it is copied of
/// came in and is handed on nowhere else; else null.
static memref::CopyOp findCopyHandedOn(OpOperand &operand) {
  Operation *condition = operand.getOwner();
  auto alloc = operand.get().getDefiningOp<memref::AllocOp>();
  if (!alloc || alloc->getBlock() != condition->getBlock())
    return {};
  memref::CopyOp copy;
  for (Operation *user : alloc->getUsers()) {
    if (user == condition)
      continue;
    if (copy || !isa<memref::CopyOp>(user))
      return {};
    copy = cast<memref::CopyOp>(user);
  }
  if (!copy || copy.getTarget() != alloc.getResult() ||
      copy->getBlock() != condition->getBlock())
    return {};
  auto argument = dyn_cast<BlockArgument>(copy.getSource());
  if (!argument || argument.getOwner() != condition->getBlock() ||
      argument.getType() != alloc.getType())
    return {};
  // What is changed behind the copy would be seen.
  for (Value alias : getBufferAliases(argument))
    for (Operation *user : alias.getUsers()) {
      Operation *here = copy->getBlock()->findAncestorOpInBlock(*user);
      if (!here || (here != copy && copy->isBeforeInBlock(here)))
        return {};
    }
  return copy;
}

void arrc::kernel::handOnThroughConditions(func::FuncOp func) {
  func.walk([](scf::ConditionOp condition) {
    for (OpOperand &operand : condition.getArgsMutable()) {
      memref::CopyOp copy = findCopyHandedOn(operand);
      if (!copy)
        continue;
      Operation *alloc = operand.get().getDefiningOp();
      operand.set(copy.getSource());
      copy.erase();
      alloc->erase();
    }
  });
}

//===----------------------------------------------------------------------===//
// Fills
//===----------------------------------------------------------------------===//

/// The one array that `launch` makes, of nothing that is in memory, if it
/// writes all of it; else null.
static Value getFilled(LaunchOp launch) {
  bool readsMemory = llvm::any_of(launch.getInputs(), [](Value input) {
    return isa<MemRefType>(input.getType());
  });
  if (readsMemory || launch.getFlag() || launch.getOuts().size() != 1)
    return {};
  BlockArgument out = launch.getOutArguments().front();
  bool isPlain = !launch.getBody()
                      .walk([](CheckOp) { return WalkResult::interrupt(); })
                      .wasInterrupted();
  if (!isPlain || !coversArgument(launch, out) || readsArgument(launch, out))
    return {};
  return launch.getOuts().front();
}

/// How far a copy into a part of `array` at `end` along its first dimension, as
/// wide as the array, moves it; nothing if `copy` is none.
static std::optional<LinearIndex> getEndBehind(memref::CopyOp copy,
                                               memref::AllocOp array,
                                               const LinearIndex &end) {
  auto part = copy.getTarget().getDefiningOp<memref::SubViewOp>();
  if (!part || part.getSource() != array.getResult() ||
      part.getType().getRank() != array.getType().getRank())
    return {};
  SmallVector<OpFoldResult> whole = array.getMixedSizes();
  for (auto [dim, offset, size, stride] :
       llvm::enumerate(part.getMixedOffsets(), part.getMixedSizes(),
                       part.getMixedStrides())) {
    bool isWhole = getConstantIntValue(offset) == 0 &&
                   isEqualConstantIntOrValue(size, whole[dim]);
    if (getConstantIntValue(stride) != 1 || (dim > 0 && !isWhole))
      return {};
  }
  if (LinearIndex::ofSize(part.getMixedOffsets().front()) != end)
    return {};
  LinearIndex next = end;
  next.add(LinearIndex::ofSize(part.getMixedSizes().front()), 1);
  return next;
}

/// Whether copies behind `launch` cover `array` before anything else touches
/// it.
static bool isCovered(LaunchOp launch, memref::AllocOp array) {
  if (array.getType().getRank() == 0)
    return false;
  llvm::SmallPtrSet<Operation *, 8> touching;
  for (Value alias : getBufferAliases(array))
    for (Operation *user : alias.getUsers())
      if (Operation *here = launch->getBlock()->findAncestorOpInBlock(*user))
        touching.insert(here);
      else
        return false;
  LinearIndex end(0);
  LinearIndex whole = LinearIndex::ofSize(array.getMixedSizes().front());
  for (Operation *op = launch->getNextNode(); op; op = op->getNextNode()) {
    if (!touching.contains(op) || isa<memref::SubViewOp, memref::DimOp>(op))
      continue;
    auto copy = dyn_cast<memref::CopyOp>(op);
    std::optional<LinearIndex> next =
        copy ? getEndBehind(copy, array, end) : std::nullopt;
    if (!next ||
        llvm::is_contained(getBufferRoots(copy.getSource()), array.getResult()))
      return false;
    end = *next;
    if (end == whole)
      return true;
  }
  return false;
}

void arrc::kernel::dropCoveredFills(func::FuncOp func) {
  SmallVector<LaunchOp> dead;
  func.walk([&](LaunchOp launch) {
    Value filled = getFilled(launch);
    auto array =
        filled ? filled.getDefiningOp<memref::AllocOp>() : memref::AllocOp();
    if (array && array->getBlock() == launch->getBlock() &&
        isCovered(launch, array))
      dead.push_back(launch);
  });
  for (LaunchOp launch : dead)
    launch.erase();
}
