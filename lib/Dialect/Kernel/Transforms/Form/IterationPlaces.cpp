//===- IterationPlaces.cpp - Buffers for what a step hands on -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "IterationPlaces.h"

#include "../Shared/LaunchAccess.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

namespace {
/// Chooses the buffers of a loop whose body is complete but for its end.
class Places {
public:
  Places(IterateOp loop, ArrayRef<Value> next) : loop(loop), next(next) {}

  /// Gives each carried array a place; gives what the loop hands on then.
  SmallVector<Value> choose(OpBuilder &builder) {
    place.resize(next.size());
    // What lies in a buffer of the loop already.
    for (auto [k, value] : llvm::enumerate(next))
      if (auto root = dyn_cast<BlockArgument>(getRoot(value)))
        if (llvm::is_contained(loop.getCarriedArgs(), root) &&
            taken.insert(root).second)
          place[k] = root;
    for (unsigned k = 0; k < next.size(); ++k)
      if (!place[k])
        settle(k, builder);
    return next;
  }

private:
  /// The array in whose place `value` is made if every destination is taken.
  static Value getRoot(Value value) {
    while (Operation *op = value.getDefiningOp()) {
      unsigned k = cast<OpResult>(value).getResultNumber();
      if (auto launch = dyn_cast<LaunchOp>(op)) {
        value = launch.getOuts()[k];
      } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
        value = insert.getDest();
      } else if (auto insert = dyn_cast<tensor::InsertOp>(op)) {
        value = insert.getDest();
      } else if (auto inner = dyn_cast<IterateOp>(op)) {
        value = inner.getCarried()[k];
      } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
        Value root = getRoot(branch.thenYield().getOperand(k));
        if (root != getRoot(branch.elseYield().getOperand(k)))
          return value;
        value = root;
      } else {
        break;
      }
    }
    return value;
  }

  /// The use of a fresh array that `value` is made in, or null.
  OpOperand *getFreshUse(Value value) {
    auto empty = getRoot(value).getDefiningOp<tensor::EmptyOp>();
    if (!empty || !empty->hasOneUse() || !loop->isProperAncestor(empty))
      return nullptr;
    return &*empty->getUses().begin();
  }

  /// The second buffer of array `k`.
  Value makeRotate(unsigned k) {
    SmallVector<bool> rotates(loop.getRotates());
    rotates[k] = true;
    unsigned before = llvm::count(ArrayRef(rotates).take_front(k), true);
    unsigned position =
        loop.getCarriedArgs().back().getArgNumber() + 1 + before;
    BlockArgument second = loop.getBodyBlock()->insertArgument(
        position, loop.getCarriedArgs()[k].getType(), loop.getLoc());
    loop.setRotates(rotates);
    return second;
  }

  /// Whether `user` has run when `launch` does.
  static bool isBefore(Operation *user, LaunchOp launch) {
    Block *block = launch->getBlock();
    while (block && !block->findAncestorOpInBlock(*user))
      block = block->getParentOp()->getBlock();
    return block && block->findAncestorOpInBlock(*user)->isBeforeInBlock(
                        block->findAncestorOpInBlock(*launch));
  }

  /// The array that lies where `use` does and has been updated; null if none.
  static Value getUpdated(OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(user))
      return use.get() == insert.getDest() ? insert.getResult() : Value();
    if (auto insert = dyn_cast<tensor::InsertOp>(user))
      return use.get() == insert.getDest() ? insert.getResult() : Value();
    if (auto launch = dyn_cast<LaunchOp>(user))
      if (launch.isDpsInit(&use))
        return launch.getTiedOpResult(&use);
    return Value();
  }

  /// True if the destination `use` of a launch may be carried array `k`: of the
  /// same sizes, and read by nobody afterwards, or by the launch itself at the
  /// written index only.
  bool fits(OpOperand &use, unsigned k) {
    auto launch = dyn_cast<LaunchOp>(use.getOwner());
    Value dead = loop.getCarriedArgs()[k];
    if (!launch || taken.contains(dead) ||
        dead.getType() != use.get().getType())
      return false;
    for (auto [d, size] : llvm::enumerate(loop.getMixedSizes(k)))
      if (!isEqualConstantIntOrValue(
              size, launch.getOuterSize(use.getOperandNumber(), d)))
        return false;
    BlockArgument out = launch.getArgumentOf(use);
    // What is updated in place in front of the launch lies there as well.
    SmallVector<Value> names{dead};
    for (unsigned number = 0; number < names.size(); ++number)
      for (OpOperand &other : names[number].getUses()) {
        Operation *user = other.getOwner();
        if (user == launch) {
          BlockArgument from = launch.getArgumentOf(other);
          if (!from || launch.isDpsInit(&other) ||
              !isElementwise(launch, from, out))
            return false;
          continue;
        }
        if (insideMutuallyExclusiveRegions(user, launch))
          continue;
        if (!isBefore(user, launch))
          return false;
        if (Value updated = getUpdated(other))
          names.push_back(updated);
      }
    return true;
  }

  /// A carried array in whose place `value` may be made, or null.
  Value findDeadArray(Value value) {
    if (OpOperand *use = getFreshUse(value)) {
      for (unsigned k = 0; k < next.size(); ++k)
        if (fits(*use, k))
          return loop.getCarriedArgs()[k];
      return nullptr;
    }
    // A branch that makes a new array beside one that keeps the old.
    auto branch = value.getDefiningOp<scf::IfOp>();
    if (!branch)
      return nullptr;
    unsigned k = cast<OpResult>(value).getResultNumber();
    Value left = branch.thenYield().getOperand(k);
    Value right = branch.elseYield().getOperand(k);
    for (auto [kept, made] : {std::pair(left, right), std::pair(right, left)})
      for (auto [i, argument] : llvm::enumerate(loop.getCarriedArgs()))
        if (OpOperand *use = getFreshUse(made);
            use && getRoot(kept) == argument && fits(*use, i))
          return argument;
    return nullptr;
  }

  /// `value` made in `target`, at the cost of a copy if it lies elsewhere.
  Value settleInto(Value value, Value target, OpBuilder &builder) {
    if (getRoot(value) == target)
      return value;
    if (OpOperand *use = getFreshUse(value)) {
      Operation *empty = use->get().getDefiningOp();
      use->set(target);
      empty->erase();
      return value;
    }
    auto branch = value.getDefiningOp<scf::IfOp>();
    if (branch && loop->isProperAncestor(branch)) {
      unsigned k = cast<OpResult>(value).getResultNumber();
      for (scf::YieldOp yield : {branch.thenYield(), branch.elseYield()}) {
        OpBuilder inner(yield);
        yield.setOperand(k, settleInto(yield.getOperand(k), target, inner));
      }
      return value;
    }
    remark::missed(
        loop.getLoc(),
        remark::RemarkOpts::name("CopiedEachStep").category("form-iterations"))
        << remark::reason("an array is handed on under two names, or comes "
                          "from outside of the loop");
    return bufferization::MaterializeInDestinationOp::create(
               builder, loop.getLoc(), value, target)
        .getResult();
  }

  void settle(unsigned k, OpBuilder &builder) {
    Value target = findDeadArray(next[k]);
    if (!target)
      target = makeRotate(k);
    taken.insert(target);
    place[k] = target;
    next[k] = settleInto(next[k], target, builder);
  }

  IterateOp loop;
  SmallVector<Value> next, place;
  DenseSet<Value> taken;
};
} // namespace

void arrc::kernel::choosePlaces(OpBuilder &builder, IterateOp loop,
                                SmallVectorImpl<Value> &next) {
  next = Places(loop, next).choose(builder);
}
