//===- BufferLifetime.cpp - Which buffer a memref is, how long it lives ---===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "BufferLifetime.h"

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace arrc;

/// The operand that `value` views, or null.
static SmallVector<Value, 2> getViewed(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return {select.getTrueValue(), select.getFalseValue()};
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
    auto cast = memref.getDefiningOp<memref::CastOp>();
    if (!cast)
      return false;
    memref = cast.getSource();
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
  return isa<memref::AllocOp, scf::IfOp, scf::ForOp, scf::WhileOp,
             kernel::IterateOp, func::CallOp>(value.getDefiningOp());
}

bool kernel::isBufferMove(OpOperand &use) {
  if (!isa<BaseMemRefType>(use.get().getType()))
    return false;
  // The flag of a time loop is only read.
  if (auto loop = dyn_cast<kernel::IterateOp>(use.getOwner()))
    return use.get() != loop.getFlag();
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
