//===- BufferLifetime.cpp - Which buffer a memref is, how long it lives ---===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "BufferLifetime.h"

#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Dialect/Kernel/IR/TimeLoop.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace arrc;

Value kernel::getUpdatedInPlace(Value memref) {
  auto result = dyn_cast<OpResult>(memref);
  auto loop = result ? dyn_cast<kernel::IterateOp>(result.getOwner()) : nullptr;
  if (!loop || result.getResultNumber() >= loop.getCarried().size())
    return nullptr;
  unsigned k = result.getResultNumber();
  return comesBackInPlace(loop, k) ? loop.getCarried()[k] : Value();
}

/// The operand that `value` views, or null.
static SmallVector<Value, 2> getViewed(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return {select.getTrueValue(), select.getFalseValue()};
  if (Value operand = kernel::getUpdatedInPlace(value))
    return {operand};
  if (auto view = dyn_cast<ViewLikeOpInterface>(op))
    return {view.getViewSource()};
  if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(op))
    return {metadata.getSource()};
  return {};
}

SmallVector<Value, 2> kernel::getBufferRoots(Value memref) {
  SmallVector<Value, 2> viewed = getViewed(memref);
  if (viewed.empty())
    return {memref};
  SmallVector<Value, 2> roots;
  for (Value v : viewed)
    for (Value root : getBufferRoots(v))
      if (!llvm::is_contained(roots, root))
        roots.push_back(root);
  return roots;
}

bool kernel::isWholeBuffer(Value memref, Value root) {
  while (memref != root) {
    if (auto cast = memref.getDefiningOp<memref::CastOp>())
      memref = cast.getSource();
    else if (Value operand = kernel::getUpdatedInPlace(memref))
      memref = operand;
    else
      return false;
  }
  return true;
}

SmallVector<Value> kernel::getBufferAliases(Value root) {
  SmallVector<Value> aliases{root};
  for (size_t i = 0; i < aliases.size(); ++i)
    for (Operation *user : aliases[i].getUsers())
      for (Value result : user->getResults())
        if (isa<BaseMemRefType>(result.getType()) &&
            llvm::is_contained(getViewed(result), aliases[i]) &&
            !llvm::is_contained(aliases, result))
          aliases.push_back(result);
  return aliases;
}

bool kernel::isOwnedBuffer(Value value) {
  if (!isa<MemRefType>(value.getType()))
    return false;
  if (auto arg = dyn_cast<BlockArgument>(value))
    return isa<scf::ForOp, scf::WhileOp>(arg.getOwner()->getParentOp());
  if (kernel::getUpdatedInPlace(value))
    return false;
  return isa<memref::AllocOp, scf::IfOp, scf::ForOp, scf::WhileOp,
             kernel::IterateOp, func::CallOp>(value.getDefiningOp());
}

bool kernel::isBufferMove(OpOperand &use) {
  if (!isa<BaseMemRefType>(use.get().getType()))
    return false;
  // The flag of a time loop is only read, and what is updated in place comes
  // back under another name.
  if (auto loop = dyn_cast<kernel::IterateOp>(use.getOwner())) {
    unsigned first = loop.getCarried().getBeginOperandIndex();
    if (use.getOperandNumber() < first)
      return false;
    unsigned k = use.getOperandNumber() - first;
    return k >= loop.getCarried().size() ||
           !kernel::getUpdatedInPlace(loop.getResult(k));
  }
  return isa<func::ReturnOp, scf::YieldOp, scf::ConditionOp, scf::ForOp,
             scf::WhileOp>(use.getOwner());
}

Operation *kernel::getLastBufferUse(Value root) {
  Block *block = root.getParentBlock();
  Operation *last = nullptr;
  for (Value alias : getBufferAliases(root))
    for (Operation *user : alias.getUsers()) {
      Operation *here = block->findAncestorOpInBlock(*user);
      if (here && (!last || last->isBeforeInBlock(here)))
        last = here;
    }
  return last;
}

bool kernel::isBufferMoved(Value root) {
  for (Value alias : getBufferAliases(root))
    for (OpOperand &use : alias.getUses())
      if (isBufferMove(use))
        return true;
  return false;
}
