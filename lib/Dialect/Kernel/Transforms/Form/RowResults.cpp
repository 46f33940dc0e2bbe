//===- RowResults.cpp - Rows that steps write, where they end up ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A body that fills an array in an ordered loop and gives it as its value
// has a local, which is filled, written step by step, and copied. The threads
// of a block share the fill and the copy, and wait for one that does the steps:
//
//   kernel.for "i" (%i) in %n {
//     %y = kernel.local (%m)
//     kernel.for "e" (%e) in %m { kernel.store %z, %y[%e] }
//     scf.for %t = 0 to %m { ..  kernel.store %v, %y[%t] }
//     kernel.for "e" (%e) in %m {
//       %w = kernel.load %y[%e]   kernel.store %w, %Y[%i, %e] } }
//   ->
//   kernel.for "i" (%i) in %n {
//     scf.for %t = 0 to %m { ..  kernel.store %v, %Y[%i, %t] } }
//
// Each row is a thread's then, as of recurrences along columns. What the fill
// leaves of elements that no step writes is written in front of the steps;
// where a step reads an element that it or a later one writes, it is what the
// fill would have left. What earlier steps have left stays in a register
// (CarryValues.h).
//
// Legal when nothing else touches the result, whose rows are told apart by the
// loops around, and each element is written by one step at most.
//
// Pays when a step goes over nothing else of the row: an array that is read and
// written again and again is better on chip.
//
// Source: array contraction and copy elimination in functional array programs,
// Schnorf, Ganapathi and Hennessy, "Compile-time copy elimination" (1993).
//
//===----------------------------------------------------------------------===//

#include "RowResults.h"

#include "CarryValues.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Steps back that a value is kept in a register for.
static constexpr int64_t kMostSteps = 4;

namespace {
/// A local of one dimension that becomes a row of a result.
class Row {
public:
  Row(LaunchOp launch, LocalOp local)
      : launch(launch), local(local), block(local->getBlock()) {}

  /// Has a fill stand by itself where branches have the same.
  void hoistFills(RewriterBase &rewriter);
  bool analyze();
  void rewrite(RewriterBase &rewriter);

private:
  SmallVector<Operation *> getUses();
  StoreOp getFill(ForOp loop);
  void hoistFill(RewriterBase &rewriter, scf::IfOp branch);
  bool takeCopy(ForOp loop);
  bool takeSteps(scf::ForOp loop);
  bool findPlace();
  bool isCovered();
  bool checkLoads();
  bool knowsBounds();
  bool areApart();
  bool onlyStores(Operation *op);
  bool isSize(OpFoldResult extent);
  LinearIndex getOuter(const LinearIndex &form);
  std::optional<int64_t> getDistance(const LinearIndex &a,
                                     const LinearIndex &b);
  Value writeForm(OpBuilder &b, Value base, const LinearIndex &offset);
  Value cloneFill(OpBuilder &b, Value index);
  void writeRest(RewriterBase &rewriter);

  LaunchOp launch;
  LocalOp local;
  Block *block;
  /// The loop that fills the local, the store there, the steps, their store,
  /// and the copy.
  ForOp fill;
  StoreOp filled;
  scf::ForOp steps;
  StoreOp stored;
  ForOp copy;
  StoreOp copied;
  /// The element of step 0, and whether the next step has the next one or the
  /// one before.
  LinearIndex base;
  int64_t direction = 0;
  /// Loads of what the fill has left.
  SmallVector<LoadOp> early;
};
} // namespace

/// `form` in what the launch is given, where that is known.
LinearIndex Row::getOuter(const LinearIndex &form) {
  LinearIndex outer(form.getConstant());
  for (auto [value, factor] : form.getTerms()) {
    auto argument = dyn_cast<BlockArgument>(value);
    bool isGiven = argument && argument.getOwner() == launch.getBodyBlock();
    outer.add(isGiven ? LinearIndex(launch.getOperandOf(argument).get())
                      : LinearIndex::ofValue(value),
              factor);
  }
  return outer;
}

std::optional<int64_t> Row::getDistance(const LinearIndex &a,
                                        const LinearIndex &b) {
  return getOuter(a).distanceFrom(getOuter(b));
}

bool Row::isSize(OpFoldResult extent) {
  auto type = cast<MemRefType>(local.getType());
  if (!type.isDynamicDim(0))
    return getConstantIntValue(extent) == type.getDimSize(0);
  return extent == OpFoldResult(local.getSizes().front());
}

/// The only operation of this kind in `loop` that touches the local, and
/// whether it does so plainly, at the index of the loop.
template <typename OpTy> static OpTy getOwnAccess(ForOp loop, Value local) {
  OpTy only;
  for (Operation *user : local.getUsers()) {
    if (!loop->isProperAncestor(user))
      continue;
    auto access = dyn_cast<OpTy>(user);
    if (!access || only || access->getBlock() != loop.getBodyBlock() ||
        access.getMask() || access.getIndices()[0] != loop.getInductionVar())
      return {};
    only = access;
  }
  return only;
}

/// The store by which `loop` gives each element a value that is computed of
/// inputs; null if it does something else.
StoreOp Row::getFill(ForOp loop) {
  auto store = getOwnAccess<StoreOp>(loop, local);
  auto isPlain = [&](Operation &op) {
    auto load = dyn_cast<LoadOp>(op);
    auto array = load ? dyn_cast<BlockArgument>(load.getSource()) : Value();
    return array ? llvm::is_contained(launch.getInputArguments(), array)
                 : isa<StoreOp>(op) || isScalarOp(&op);
  };
  bool isFill =
      store && loop.isParallel() && isSize(loop.getMixedExtent()) &&
      llvm::all_of(loop.getBodyBlock()->without_terminator(), isPlain);
  return isFill ? store : StoreOp();
}

/// Has a fill with which both sides of `branch` begin stand in front of it.
void Row::hoistFill(RewriterBase &rewriter, scf::IfOp branch) {
  if (branch.getElseRegion().empty())
    return;
  SmallVector<ForOp> fills;
  for (Region *side : branch.getRegions()) {
    Operation *first = nullptr;
    for (Operation *user : local->getUsers())
      if (Operation *here = side->front().findAncestorOpInBlock(*user);
          here && (!first || here->isBeforeInBlock(first)))
        first = here;
    auto loop = dyn_cast_if_present<ForOp>(first);
    // What else a loop fills may be used before.
    if (!loop || !getFill(loop) ||
        !llvm::hasSingleElement(loop.getBodyBlock()->getOps<StoreOp>()))
      return;
    llvm::SetVector<Value> used;
    getUsedValuesDefinedAbove(loop.getBody(), used);
    used.insert(loop->operand_begin(), loop->operand_end());
    if (llvm::any_of(used, [&](Value value) {
          return branch->isAncestor(value.getParentRegion()->getParentOp());
        }))
      return;
    fills.push_back(loop);
  }
  if (!OperationEquivalence::isEquivalentTo(
          fills[0], fills[1], OperationEquivalence::IgnoreLocations))
    return;
  rewriter.moveOpBefore(fills[0], branch);
  rewriter.eraseOp(fills[1]);
}

/// Whether `loop` copies the local into a result, and does no more.
bool Row::takeCopy(ForOp loop) {
  copy = loop;
  auto load = getOwnAccess<LoadOp>(loop, local);
  if (!load || load.getEdge() || !loop.isParallel() ||
      !isSize(loop.getMixedExtent()) || !load->hasOneUse())
    return false;
  copied = dyn_cast<StoreOp>(*load->user_begin());
  return copied && copied.getValue() == load && !copied.getMask() &&
         copied->getBlock() == loop.getBodyBlock() &&
         llvm::hasNItems(*loop.getBodyBlock(), 3);
}

/// Whether the result is there for this, and each iteration of the loops around
/// has a row of its own.
bool Row::findPlace() {
  auto result = dyn_cast<BlockArgument>(copied.getDest());
  if (!result || !llvm::is_contained(launch.getOutArguments(), result) ||
      !result.hasOneUse())
    return false;
  unsigned rank = copied.getIndices().size();
  // The row has no more elements than the result has there.
  if (copied.getIndices().back() != copy.getInductionVar() ||
      cast<MemRefType>(result.getType()).getElementType() !=
          cast<MemRefType>(local.getType()).getElementType() ||
      !isSize(launch.getSize(result, rank - 1)))
    return false;
  SmallVector<Value> lead(copied.getIndices().drop_back());
  for (Operation *parent = block->getParentOp(); parent != launch;
       parent = parent->getParentOp()) {
    auto loop = dyn_cast<ForOp>(parent);
    auto *own = loop ? llvm::find(lead, loop.getInductionVar()) : nullptr;
    if (!loop || !loop.isParallel() || own == lead.end())
      return false;
    lead.erase(own);
  }
  return lead.empty();
}

/// Whether the steps write an element each, the next one or the one before.
bool Row::takeSteps(scf::ForOp loop) {
  if (steps || getConstantIntValue(loop.getStep()) != 1)
    return false;
  steps = loop;
  for (Operation *user : local->getUsers()) {
    auto store = dyn_cast<StoreOp>(user);
    if (!loop->isProperAncestor(user) || isa<LoadOp>(user))
      continue;
    if (!store || stored || store->getBlock() != loop.getBody())
      return false;
    stored = store;
  }
  if (!stored || loop->walk([&](Operation *op) {
                       bool isLoop = isa<ForOp, scf::ForOp, scf::WhileOp>(op);
                       return isLoop && op != loop ? WalkResult::interrupt()
                                                   : WalkResult::advance();
                     })
                     .wasInterrupted())
    return false;
  base = LinearIndex(stored.getIndices()[0]);
  direction = base.getCoefficient(loop.getInductionVar());
  base.add(LinearIndex::ofValue(loop.getInductionVar()), -direction);
  return std::abs(direction) == 1 &&
         llvm::all_of(base.getTerms(), [&](LinearIndex::Term term) {
           return loop.isDefinedOutsideOfLoop(term.first);
         });
}

/// Whether the store of a step cannot be outside of the row: its mask goes.
bool Row::isCovered() {
  if (!stored.getMask())
    return true;
  auto compare = stored.getMask().getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::ult ||
      compare.getLhs() != stored.getIndices()[0] ||
      !isSize(getAsOpFoldResult(compare.getRhs())))
    return false;
  LinearIndex least = base, most = base;
  LinearIndex lower(steps.getLowerBound()), last(steps.getUpperBound());
  last.add(LinearIndex(1), -1);
  least.add(direction > 0 ? lower : last, direction);
  most.add(direction > 0 ? last : lower, direction);
  auto low = getDistance(least, LinearIndex());
  auto high = getDistance(most, LinearIndex(compare.getRhs()));
  return low && *low >= 0 && high && *high < 0;
}

/// Whether what the steps read of the row is what the fill, or one of a few
/// steps before, has left.
bool Row::checkLoads() {
  LinearIndex own(stored.getIndices()[0]);
  for (Operation *user : local->getUsers()) {
    auto load = dyn_cast<LoadOp>(user);
    if (!load || !steps->isProperAncestor(load))
      continue;
    auto distance = LinearIndex(load.getIndices()[0]).distanceFrom(own);
    if (!distance || load.getMask() || load.getEdge())
      return false;
    int64_t ahead = *distance * direction;
    Operation *here = steps.getBody()->findAncestorOpInBlock(*load);
    if (ahead > 0 || (ahead == 0 && here->isBeforeInBlock(stored)))
      early.push_back(load);
    else if (load->getBlock() != steps.getBody() || -ahead > kMostSteps)
      return false;
  }
  return early.empty() || fill;
}

/// Whether all that `op` does with the local is to write elements.
bool Row::onlyStores(Operation *op) {
  return isa<StoreOp, scf::IfOp>(op) && !op->walk([](ForOp) {
                                             return WalkResult::interrupt();
                                           }).wasInterrupted() &&
         llvm::all_of(local->getUsers(), [&](Operation *user) {
           return !op->isAncestor(user) || isa<StoreOp>(user);
         });
}

/// Whether elements that are written by themselves are none that a step could
/// want of the fill: they are in front of all that steps write.
bool Row::areApart() {
  LinearIndex low = base;
  low.add(LinearIndex(steps.getLowerBound()), direction);
  return llvm::all_of(local->getUsers(), [&](Operation *user) {
    auto store = dyn_cast<StoreOp>(user);
    Operation *here = block->findAncestorOpInBlock(*user);
    if (!store || store == filled || store == stored ||
        steps->isBeforeInBlock(here))
      return true;
    auto distance = getDistance(low, LinearIndex(store.getIndices()[0]));
    return direction > 0 && distance && *distance > 0;
  });
}

/// Whether it is known where the fill stands which elements steps write.
bool Row::knowsBounds() {
  LinearIndex bounds[] = {base, LinearIndex(steps.getLowerBound()),
                          LinearIndex(steps.getUpperBound())};
  return !fill || llvm::all_of(bounds, [&](const LinearIndex &bound) {
    return llvm::all_of(bound.getTerms(), [&](LinearIndex::Term term) {
      Operation *op = term.first.getDefiningOp();
      return !op || op->getBlock() != block || op->isBeforeInBlock(fill);
    });
  });
}

/// What touches the local in its block, in order.
SmallVector<Operation *> Row::getUses() {
  SmallVector<Operation *> uses;
  for (Operation *user : local->getUsers())
    if (Operation *here = block->findAncestorOpInBlock(*user);
        !llvm::is_contained(uses, here))
      uses.push_back(here);
  llvm::sort(uses,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return uses;
}

void Row::hoistFills(RewriterBase &rewriter) {
  SmallVector<Operation *> uses = getUses();
  if (!uses.empty())
    if (auto branch = dyn_cast<scf::IfOp>(uses.front()))
      hoistFill(rewriter, branch);
}

bool Row::analyze() {
  if (cast<MemRefType>(local.getType()).getRank() != 1 ||
      block->getParentOp() == launch)
    return false;
  // Fill, elements, steps, copy: in this order.
  SmallVector<Operation *> uses = getUses();
  for (auto [number, op] : llvm::enumerate(uses)) {
    auto loop = dyn_cast<ForOp>(op);
    if (auto ordered = dyn_cast<scf::ForOp>(op)) {
      if (!takeSteps(ordered))
        return false;
    } else if (loop && number == 0) {
      fill = loop;
      filled = getFill(loop);
      if (!filled)
        return false;
    } else if (loop && number + 1 == uses.size()) {
      if (!takeCopy(loop))
        return false;
    } else if (!onlyStores(op)) {
      return false;
    }
  }
  if (!steps || !copy || !findPlace() || !isCovered() || !knowsBounds() ||
      !checkLoads())
    return false;
  return early.empty() || areApart();
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// `base` and what a form adds to it.
Value Row::writeForm(OpBuilder &b, Value base, const LinearIndex &offset) {
  Location loc = local.getLoc();
  Value sum = base;
  auto add = [&](Value value, int64_t factor) {
    if (factor != 1)
      value = arith::MulIOp::create(
          b, loc, value, arith::ConstantIndexOp::create(b, loc, factor));
    sum = sum ? arith::AddIOp::create(b, loc, sum, value).getResult() : value;
  };
  for (auto [value, factor] : offset.getTerms())
    add(getValueOrCreateCastToIndexLike(b, loc, b.getIndexType(), value),
        factor);
  if (offset.getConstant() != 0 || !sum)
    add(arith::ConstantIndexOp::create(b, loc, offset.getConstant()), 1);
  return sum;
}

/// What the fill gives the element `index`.
Value Row::cloneFill(OpBuilder &b, Value index) {
  IRMapping map;
  map.map(fill.getInductionVar(), index);
  for (Operation &op : fill.getBodyBlock()->without_terminator())
    if (!isa<StoreOp>(op))
      b.clone(op, map);
  return map.lookupOrDefault(filled.getValue());
}

/// Fills the elements in front of those that steps write and behind them.
void Row::writeRest(RewriterBase &rewriter) {
  Location loc = fill.getLoc();
  LinearIndex low = base, high = base;
  LinearIndex lower(steps.getLowerBound()), upper(steps.getUpperBound());
  low.add(direction > 0 ? lower : upper, direction);
  high.add(direction > 0 ? upper : lower, direction);
  if (direction < 0) {
    low.add(LinearIndex(1), 1);
    high.add(LinearIndex(1), 1);
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(fill);
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  Value size =
      getValueOrCreateConstantIndexOp(rewriter, loc, fill.getMixedExtent());
  auto write = [&](Value from, Value to) {
    auto rest = scf::ForOp::create(rewriter, loc, from, to, one);
    OpBuilder b(rest.getBody()->getTerminator());
    StoreOp::create(b, loc, cloneFill(b, rest.getInductionVar()), local,
                    rest.getInductionVar());
  };
  // Bounds of the steps may be of what is known in front of them alone.
  auto before = getDistance(low, LinearIndex());
  if (!before || *before > 0)
    write(zero, arith::MinSIOp::create(
                    rewriter, loc, writeForm(rewriter, Value(), low), size));
  auto behind = getDistance(high, LinearIndex(size));
  if (!behind || *behind < 0)
    write(arith::MaxSIOp::create(rewriter, loc,
                                 writeForm(rewriter, Value(), high), zero),
          size);
}

void Row::rewrite(RewriterBase &rewriter) {
  for (LoadOp load : early) {
    rewriter.setInsertionPoint(load);
    rewriter.replaceOp(load, cloneFill(rewriter, load.getIndices()[0]));
  }
  if (fill) {
    writeRest(rewriter);
    rewriter.eraseOp(filled);
    if (fill.getBodyBlock()->getOps<StoreOp>().empty())
      rewriter.eraseOp(fill);
  }
  if (stored.getMask())
    rewriter.modifyOpInPlace(stored, [&] { stored.getMaskMutable().clear(); });
  Value result = copied.getDest();
  SmallVector<Value> lead(copied.getIndices().drop_back());
  rewriter.eraseOp(copy);
  for (Operation *user : llvm::make_early_inc_range(local->getUsers()))
    rewriter.modifyOpInPlace(user, [&] {
      auto place = [&](auto access) {
        SmallVector<Value> indices = lead;
        llvm::append_range(indices, access.getIndices());
        access.getIndicesMutable().assign(indices);
        user->replaceUsesOfWith(local, result);
      };
      if (auto load = dyn_cast<LoadOp>(user))
        place(load);
      else
        place(cast<StoreOp>(user));
    });
  rewriter.eraseOp(local);
  carryValues(steps);
}

bool arrc::kernel::placeInResult(RewriterBase &rewriter, LaunchOp launch,
                                 LocalOp local) {
  Row row(launch, local);
  row.hoistFills(rewriter);
  if (!row.analyze())
    return false;
  row.rewrite(rewriter);
  return true;
}
