//===- Interior.cpp - What a loop's bounds make superfluous ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Interior.h"

#include "../Shared/Magnitude.h"

#include "arrc/Dialect/Kernel/Transforms/ElementAccess.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Support/IndexLimits.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

ForOp arrc::kernel::getJammedLoop(Value value) {
  ForOp loop = getLoopOf(value);
  if (!loop || !loop.getStaticExtent() || !loop.getLevelAttr())
    return {};
  LevelAttr level = loop.getLevelAttr();
  return level.isVector() || level.isUnroll() || level.isThread() ? loop
                                                                  : ForOp();
}

Value arrc::kernel::createBound(IRRewriter &rewriter, Location loc,
                                const LinearIndex &rest, int64_t step) {
  AffineExpr expr = rewriter.getAffineConstantExpr(-rest.getConstant());
  SmallVector<OpFoldResult> operands;
  for (auto [value, factor] : rest.getTerms()) {
    expr = expr - rewriter.getAffineDimExpr(operands.size()) * factor;
    // Forms look through casts: a term may be an integer.
    operands.push_back(value.getType().isIndex()
                           ? value
                           : arith::IndexCastOp::create(
                                 rewriter, loc, rewriter.getIndexType(), value)
                                 .getResult());
  }
  AffineMap map = AffineMap::get(operands.size(), 0, expr.ceilDiv(step));
  return toValue(
      rewriter, loc,
      affine::makeComposedFoldedAffineApply(rewriter, loc, map, operands));
}

/// Whether `value` is the index of a sequential loop, which is split itself.
static bool isSequentialIndex(Value value) {
  ForOp loop = getLoopOf(value);
  return loop && loop.getLevelKind() == LevelKind::Seq;
}

/// Whether `value` may be computed from a block argument that `isSuch`; what
/// has regions may be computed from anything.
static bool dependsOn(Value value,
                      llvm::function_ref<bool(BlockArgument)> isSuch) {
  SmallVector<Value> work{value};
  llvm::DenseSet<Value> seen;
  while (!work.empty()) {
    Value next = work.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    Operation *op = next.getDefiningOp();
    if (op ? op->getNumRegions() != 0 : isSuch(cast<BlockArgument>(next)))
      return true;
    if (op)
      llvm::append_range(work, op->getOperands());
  }
  return false;
}

/// Whether `value` is the same for all lanes: no way leads back to the index of
/// a jammed loop.
static bool isUniform(Value value) {
  return !dependsOn(value, [](BlockArgument argument) {
    return static_cast<bool>(getJammedLoop(argument));
  });
}

/// Whether some loop that is not jammed decides about `value`.
static bool variesInTime(Value value) {
  return dependsOn(value, [](BlockArgument argument) {
    return !isa<LaunchOp>(argument.getOwner()->getParentOp()) &&
           !getJammedLoop(argument);
  });
}

void Interior::collect() {
  loop.getBody().walk([&](Operation *op) {
    if (auto compare = dyn_cast<arith::CmpIOp>(op))
      collectMask(compare);
    else if (isa<arith::MinSIOp, arith::MaxSIOp>(op))
      collectBound(op);
    else if (auto load = dyn_cast<LoadOp>(op))
      collectEdges(load);
    else
      follow(op);
  });
}

/// Conditions of conditions, and indices that these choose.
void Interior::follow(Operation *op) {
  if (auto choice = dyn_cast<arith::SelectOp>(op)) {
    auto it = known.find(choice.getCondition());
    if (it != known.end() && choice.getType().isIndex())
      known[choice] = {false,
                       it->second.holds ? choice.getTrueValue()
                                        : choice.getFalseValue(),
                       it->second.alongRow};
    return;
  }
  if (!isa<arith::AndIOp, arith::OrIOp>(op) ||
      !op->getResult(0).getType().isInteger(1))
    return;
  // One side may decide; else both do.
  bool decides = isa<arith::OrIOp>(op);
  auto lhs = known.find(op->getOperand(0)), rhs = known.find(op->getOperand(1));
  for (auto it : {lhs, rhs})
    if (it != known.end() && it->second.holds == decides) {
      Known same = it->second;
      known[op->getResult(0)] = same;
      return;
    }
  if (lhs != known.end() && rhs != known.end()) {
    bool alongRow = lhs->second.alongRow || rhs->second.alongRow;
    known[op->getResult(0)] = {!decides, {}, alongRow};
  }
}

Interior::Form Interior::getForm(const LinearIndex &index) const {
  Form form{LinearIndex(index.getConstant())};
  for (auto [value, factor] : index.getTerms()) {
    auto it = known.find(value);
    if (it == known.end() || !it->second.index) {
      form.index.add(LinearIndex::ofValue(value), factor);
      continue;
    }
    Form chosen = getForm(LinearIndex(it->second.index));
    form.index.add(chosen.index, factor);
    form.alongRow |= chosen.alongRow || it->second.alongRow;
  }
  return form;
}

/// Adds to `counts` what has to count elements for `index` not to wrap; false
/// if it may wrap even then, or if that cannot be asked in front of the loop.
bool Interior::addCounts(const LinearIndex &index,
                         SmallVectorImpl<Value> &counts) {
  if (!isWithin(index, maxGivenSize))
    return false;
  for (const LinearIndex::Term &term : index.getTerms()) {
    Value value = term.first;
    if (getMagnitude(value) || llvm::is_contained(counts, value))
      continue;
    if (!loop.isDefinedOutsideOfLoop(value) || !isUniform(value))
      return false;
    counts.push_back(value);
  }
  return true;
}

std::optional<Interior::Form> Interior::getDifference(const LinearIndex &lhs,
                                                      const LinearIndex &rhs) {
  Form difference = getForm(lhs), other = getForm(rhs);
  // What both have a share in cancels out, but may have made them wrap.
  if (!addCounts(difference.index, difference.counts) ||
      !addCounts(other.index, difference.counts))
    return std::nullopt;
  difference.index.add(other.index, -1);
  difference.alongRow |= other.alongRow;
  return difference;
}

std::optional<IndexRange> Interior::getRange(const Form &which) {
  LinearIndex form = which.index;
  IndexRange range;
  if (!isJammed && form.getCoefficient(loop.getInductionVar()) < 0) {
    form = LinearIndex(-1);
    form.add(which.index, -1);
    range.isTurned = true;
  }
  range.alongRow = which.alongRow;
  range.counts = which.counts;
  range.step = 1;
  range.lowest = range.highest = LinearIndex(form.getConstant());
  if (!isJammed) {
    range.step = form.getCoefficient(loop.getInductionVar());
    if (!range.step)
      return std::nullopt;
  }
  for (auto [value, factor] : form.getTerms()) {
    if (!isJammed && value == loop.getInductionVar())
      continue;
    if (ForOp lanes = getJammedLoop(value)) {
      LinearIndex last((*lanes.getStaticExtent() - 1) * factor);
      (factor < 0 ? range.lowest : range.highest).add(last, 1);
      range.hasLanes = true;
      LevelAttr level = lanes.getLevelAttr();
      range.alongRow |=
          level.isVector() || (level.isThread() && level.getAxis() == 0);
      continue;
    }
    if (!loop.isDefinedOutsideOfLoop(value) || !isUniform(value) ||
        (isJammed && isSequentialIndex(value)))
      return std::nullopt;
    range.lowest.add(LinearIndex(value), factor);
    range.highest.add(LinearIndex(value), factor);
  }
  return range;
}

void Interior::addRange(const IndexRange &range, bool isAbove) {
  (isAbove != range.isTurned ? lower : upper).push_back(range);
}

namespace {
/// A comparison as a form: what it says where the form is negative, and where
/// it is not.
struct Threshold {
  LinearIndex below, above;
  bool valueBelow, valueAbove;
};
} // namespace

/// The threshold that a comparison of `form` with 0 asks for; nothing if it is
/// no such question.
static std::optional<Threshold> getThreshold(arith::CmpIPredicate predicate,
                                             const LinearIndex &form) {
  LinearIndex beyond = form;
  beyond.add(LinearIndex(1), -1);
  switch (predicate) {
  case arith::CmpIPredicate::slt:
    return Threshold{form, form, true, false};
  case arith::CmpIPredicate::sge:
    return Threshold{form, form, false, true};
  case arith::CmpIPredicate::sle:
    return Threshold{beyond, beyond, true, false};
  case arith::CmpIPredicate::sgt:
    return Threshold{beyond, beyond, false, true};
  case arith::CmpIPredicate::eq:
    return Threshold{form, beyond, false, false};
  case arith::CmpIPredicate::ne:
    return Threshold{form, beyond, true, true};
  default:
    return std::nullopt;
  }
}

/// Whether most iterations of the loops in `form` make it positive: it counts
/// from their start, as in `i - 1`, and not from their end, as in `i - n`.
/// One that falls, as `n - 1 - i`, is where the one that rises is not. Nothing
/// if that cannot be told.
static std::optional<bool> isMostlyAbove(const LinearIndex &form) {
  auto falls = [](const LinearIndex::Term &term) {
    return term.second < 0 && getLoopOf(term.first);
  };
  if (llvm::any_of(form.getTerms(), falls)) {
    LinearIndex rising(-1);
    rising.add(form, -1);
    if (llvm::any_of(rising.getTerms(), falls))
      return std::nullopt;
    std::optional<bool> above = isMostlyAbove(rising);
    return above ? std::optional(!*above) : std::nullopt;
  }
  bool isOpen = false, isKnown = true;
  int64_t most = form.getConstant();
  for (auto [value, factor] : form.getTerms()) {
    ForOp loop = getLoopOf(value);
    if (!loop) {
      auto argument = dyn_cast<BlockArgument>(value);
      if (!argument || !isa<LaunchOp>(argument.getOwner()->getParentOp()))
        return std::nullopt;
      isKnown = false;
      continue;
    }
    if (std::optional<int64_t> extent = loop.getStaticExtent())
      most += factor * (*extent - 1);
    else
      isOpen = true;
  }
  return isKnown && (isOpen || most > -form.getConstant());
}

/// Whether `holds` for all that `condition`, or a conjunction with it, decides.
static bool decidesOnly(Value condition,
                        function_ref<bool(Value, Operation *)> holds) {
  return llvm::all_of(condition.getUsers(), [&](Operation *user) {
    return isa<arith::AndIOp>(user) ? decidesOnly(user->getResult(0), holds)
                                    : holds(condition, user);
  });
}

/// Whether `condition` decides only about branches that a thread takes around
/// everything it does.
static bool isAskedOnce(Value condition, ForOp root) {
  return decidesOnly(condition, [&](Value, Operation *user) {
    if (!isa<scf::IfOp>(user) || user->getNumResults())
      return false;
    for (Operation *op = user->getParentOp(); op != root->getParentOp();
         op = op->getParentOp()) {
      auto loop = dyn_cast<ForOp>(op);
      if (loop && loop.getLevelAttr() && !loop.getLevelAttr().isThread())
        return false;
    }
    return true;
  });
}

/// Whether `condition` masks nothing but what is stored.
static bool masksStores(Value condition) {
  return decidesOnly(condition, [](Value mask, Operation *user) {
    auto store = dyn_cast<StoreOp>(user);
    return store && store.getMask() == mask;
  });
}

/// The end of a dimension of few elements is near in every block.
bool Interior::isNearEverywhere(const LinearIndex &form) const {
  return isDevice && isJammed &&
         llvm::none_of(form.getTerms(), [](const LinearIndex::Term &term) {
           return variesInTime(term.first);
         });
}

void Interior::addMask(const Mask &mask) {
  masks.push_back(mask);
  // What is kept in some copies decides nothing there.
  if (!mask.askedOnce)
    known[arith::CmpIOp(mask.compare)] = {mask.holds, {}, mask.alongRow};
}

void Interior::collectMask(arith::CmpIOp compare) {
  if (!compare.getLhs().getType().isIndex())
    return;
  if (compare.getPredicate() == arith::CmpIPredicate::ult)
    return collectWithin(compare);
  std::optional<Form> difference = getDifference(LinearIndex(compare.getLhs()),
                                                 LinearIndex(compare.getRhs()));
  if (!difference)
    return;
  std::optional<Threshold> threshold =
      getThreshold(compare.getPredicate(), difference->index);
  if (!threshold)
    return;
  std::optional<bool> above = isMostlyAbove(threshold->below);
  // Tails of loops have this form, whatever they end at.
  if (!above && compare.getPredicate() != arith::CmpIPredicate::slt)
    return;
  bool isAbove = above.value_or(false);
  const LinearIndex &form = isAbove ? threshold->above : threshold->below;
  std::optional<IndexRange> range =
      getRange({form, difference->alongRow, difference->counts});
  if (!range || !range->hasLanes || isNearEverywhere(form))
    return;
  // A thread that has one element stores it or not: no reason for a copy.
  bool isOne =
      llvm::none_of(form.getTerms(), [](const LinearIndex::Term &term) {
        ForOp loop = getLoopOf(term.first);
        LevelAttr level = loop ? loop.getLevelAttr() : LevelAttr();
        return loop && (!level || !(level.isThread() || level.isBlock()));
      });
  if (isDevice && isJammed && isOne && masksStores(compare.getResult()))
    return;
  range->askedOnce =
      isDevice && isJammed && isAskedOnce(compare.getResult(), loop);
  addRange(*range, isAbove);
  addMask({compare, isAbove ? threshold->valueAbove : threshold->valueBelow,
           range->alongRow, range->askedOnce});
}

std::optional<Interior::Ends> Interior::getEnds(const LinearIndex &index,
                                                const LinearIndex &size) {
  auto form = getDifference(index, LinearIndex(0));
  auto beyond = getDifference(index, size);
  if (!form || !beyond)
    return std::nullopt;
  std::optional<IndexRange> inside = getRange(*form), below = getRange(*beyond);
  if (!inside || !below || !inside->hasLanes)
    return std::nullopt;
  return Ends{*inside, *below};
}

void Interior::addEnds(const Ends &ends) {
  addRange(ends.inside, /*isAbove=*/true);
  addRange(ends.below, /*isAbove=*/false);
}

/// Without signs, `x < n` asks for both ends: it holds where x is not negative
/// and less than n with signs.
void Interior::collectWithin(arith::CmpIOp compare) {
  LinearIndex index(compare.getLhs()), size(compare.getRhs());
  std::optional<Ends> ends = getEnds(index, size);
  if (!ends || isNearEverywhere(getForm(index).index))
    return;
  // Lanes that span as much are never all within.
  std::optional<int64_t> span =
      ends->inside.highest.distanceFrom(ends->inside.lowest);
  if (size.getTerms().empty() && span && *span >= size.getConstant())
    return;
  bool askedOnce =
      isDevice && isJammed && isAskedOnce(compare.getResult(), loop);
  ends->inside.askedOnce = ends->below.askedOnce = askedOnce;
  addEnds(*ends);
  addMask({compare, /*holds=*/true,
           ends->inside.alongRow || ends->below.alongRow, askedOnce,
           /*isEdge=*/true});
}

void Interior::collectBound(Operation *op) {
  if (!op->getResult(0).getType().isIndex())
    return;
  std::optional<Form> form = getDifference(LinearIndex(op->getOperand(0)),
                                           LinearIndex(op->getOperand(1)));
  std::optional<bool> above = form ? isMostlyAbove(form->index) : std::nullopt;
  if (!above)
    return;
  std::optional<IndexRange> range = getRange(*form);
  if (!range || !range->hasLanes)
    return;
  addRange(*range, *above);
  unsigned operand = *above == isa<arith::MaxSIOp>(op) ? 0 : 1;
  bounds.push_back({op, operand, range->alongRow});
  known[op->getResult(0)] = {false, op->getOperand(operand), range->alongRow};
}

void Interior::collectEdges(LoadOp load) {
  auto argument = dyn_cast<BlockArgument>(load.getSource());
  if (!load.getEdge() || !argument)
    return;
  auto launch = cast<LaunchOp>(argument.getOwner()->getParentOp());
  for (auto [dim, mode] : llvm::enumerate(load.getEdge()->getModes())) {
    if (mode == EdgeMode::None)
      continue;
    std::optional<Ends> ends =
        getEnds(LinearIndex(load.getIndices()[dim]),
                LinearIndex::ofSize(launch.getSize(argument, dim)));
    if (!ends)
      continue;
    addEnds(*ends);
    edges.push_back({load, unsigned(dim), ends->inside.alongRow});
  }
}
