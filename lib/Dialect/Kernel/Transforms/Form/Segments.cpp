//===- Segments.cpp - Which rows lie in a row -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Segments.h"

#include "arrc/Analysis/BufferDistinctness.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

namespace {

/// Looks at one launch.
class Finder {
public:
  explicit Finder(LaunchOp launch) : launch(launch) {}

  std::optional<Segments> run();
  std::string why;

private:
  bool findLoops();
  bool findRange();
  bool findChecks();
  bool findValues();
  bool isPlace(Operation *op, bool &isUnit);

  bool isOutside(Value value) {
    return !found.rows->isAncestor(value.getParentRegion()->getParentOp());
  }
  bool isInFold(Value value) {
    return found.fold->isAncestor(value.getParentRegion()->getParentOp());
  }
  bool isOfRow(Value value);
  Value strip(Value value);
  AffineExpr getExpr(Value value, SmallVectorImpl<Value> &symbols);
  bool isNext(Value high, Value low);
  bool mayBeNext(Value high, Value low);
  bool refuse(StringRef reason) {
    why = reason;
    return false;
  }

  LaunchOp launch;
  Segments found;
  /// Conditions of the checks of a row.
  llvm::SmallPtrSet<Value, 4> rowConditions;
};

} // namespace

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// The loops, if one fold of a length of its own is all that rows have.
bool Finder::findLoops() {
  if (launch.getFlag() || launch.getScheduleAttr() || launch.getVersions() ||
      launch.isScheduled() || launch->getNumResults())
    return false;
  for (Operation &op : launch.getBodyBlock()->without_terminator()) {
    auto loop = dyn_cast<ForOp>(op);
    if (!loop && (isScalarOp(&op) || isa<LoadOp>(op)))
      continue;
    if (!loop || !loop.isParallel() || found.rows)
      return false;
    found.rows = loop;
  }
  if (!found.rows)
    return false;
  for (Operation &op : found.rows.getBodyBlock()->without_terminator()) {
    if (auto loop = dyn_cast<ForOp>(op)) {
      if (found.fold || !loop.isReduce())
        return false;
      found.fold = loop;
    } else if (!isScalarOp(&op) && !isa<LoadOp, StoreOp, CheckOp>(op)) {
      return false;
    }
  }
  return found.fold && found.fold.getExtent() &&
         isOfRow(found.fold.getExtent());
}

/// Whether `value` may differ from row to row.
bool Finder::isOfRow(Value value) {
  if (isOutside(value))
    return false;
  Operation *op = value.getDefiningOp();
  return !op || llvm::any_of(op->getOperands(),
                             [&](Value operand) { return isOfRow(operand); });
}

/// The number behind casts, and behind what a failing check replaces it by.
Value Finder::strip(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    auto select = dyn_cast<arith::SelectOp>(op);
    bool isCast = isa<arith::ExtSIOp>(op) ||
                  (isa<arith::IndexCastOp>(op) &&
                   (op->getResult(0).getType().isIndex() ||
                    op->getResult(0).getType().getIntOrFloatBitWidth() == 64));
    if (isCast)
      value = op->getOperand(0);
    else if (select && rowConditions.contains(select.getCondition()))
      value = select.getTrueValue();
    else
      break;
  }
  return value;
}

/// `value` as a function of the row, d0, and of numbers that all rows share.
AffineExpr Finder::getExpr(Value value, SmallVectorImpl<Value> &symbols) {
  MLIRContext *context = launch.getContext();
  if (value == found.rows.getInductionVar())
    return getAffineDimExpr(0, context);
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return getAffineConstantExpr(*number, context);
  if (auto apply = value.getDefiningOp<affine::AffineApplyOp>();
      apply && !isOutside(value)) {
    AffineMap map = apply.getAffineMap();
    SmallVector<AffineExpr> operands;
    for (Value operand : apply.getMapOperands()) {
      operands.push_back(getExpr(operand, symbols));
      if (!operands.back())
        return {};
    }
    ArrayRef<AffineExpr> all(operands);
    return map.getResult(0).replaceDimsAndSymbols(
        all.take_front(map.getNumDims()), all.drop_front(map.getNumDims()));
  }
  if (auto sum = value.getDefiningOp<arith::AddIOp>();
      sum && !isOutside(value)) {
    AffineExpr left = getExpr(sum.getLhs(), symbols);
    AffineExpr right = getExpr(sum.getRhs(), symbols);
    return left && right ? left + right : AffineExpr();
  }
  if (!isOutside(value))
    return {};
  auto *at = llvm::find(symbols, value);
  unsigned number = at - symbols.begin();
  if (at == symbols.end())
    symbols.push_back(value);
  return getAffineSymbolExpr(number, context);
}

/// Whether `high` of a row is `low` of the next one.
bool Finder::isNext(Value high, Value low) {
  SmallVector<Value> symbols;
  AffineExpr end = getExpr(high, symbols), begin = getExpr(low, symbols);
  if (end && begin) {
    MLIRContext *context = launch.getContext();
    AffineExpr next = getAffineDimExpr(0, context) + 1;
    return simplifyAffineExpr(
               end - begin.replace(getAffineDimExpr(0, context), next), 1,
               symbols.size()) == 0;
  }
  Operation *a = high.getDefiningOp(), *b = low.getDefiningOp();
  return a && b && a->getName() == b->getName() && a->getNumRegions() == 0 &&
         a->getAttrDictionary() == b->getAttrDictionary() &&
         cast<OpResult>(high).getResultNumber() ==
             cast<OpResult>(low).getResultNumber() &&
         (isScalarOp(a) || isa<LoadOp>(a)) &&
         a->getNumOperands() == b->getNumOperands() &&
         llvm::all_of(llvm::zip(a->getOperands(), b->getOperands()),
                      [&](auto pair) {
                        return isNext(std::get<0>(pair), std::get<1>(pair));
                      });
}

/// Whether `high` of a row is `low` of the next one under some condition, as
/// where the last row ends at the end of an array.
bool Finder::mayBeNext(Value high, Value low) {
  high = strip(high);
  if (isNext(high, low))
    return true;
  Operation *op = high.getDefiningOp();
  if (!op || isOutside(high))
    return false;
  auto any = [&](ValueRange ways) {
    return llvm::any_of(ways, [&](Value way) { return mayBeNext(way, low); });
  };
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return any({select.getTrueValue(), select.getFalseValue()});
  if (isa<arith::MinSIOp, arith::MaxSIOp>(op))
    return any(op->getOperands());
  // An index that is kept inside may be that of another row.
  auto end = dyn_cast<LoadOp>(op), begin = low.getDefiningOp<LoadOp>();
  return end && begin && end.getSource() == begin.getSource() &&
         end.getEdge() &&
         llvm::all_of(llvm::zip(end.getIndices(), begin.getIndices()),
                      [&](auto pair) {
                        return isNext(std::get<0>(pair), std::get<1>(pair));
                      });
}

/// Finds where a row begins and ends, if that is where the next one begins.
bool Finder::findRange() {
  // A length is what an end has over a begin, and no less than nothing.
  Value length = strip(found.fold.getExtent());
  while (auto least = length.getDefiningOp<arith::MinUIOp>()) {
    std::optional<int64_t> most = getConstantIntValue(least.getRhs());
    if (most != INT64_MAX)
      return refuse("rows do not end where the next one begins");
    length = strip(least.getLhs());
  }
  Value end, begin;
  if (auto difference = length.getDefiningOp<arith::SubIOp>()) {
    end = difference.getLhs();
    begin = difference.getRhs();
  } else if (auto apply = length.getDefiningOp<affine::AffineApplyOp>();
             apply && apply.getMapOperands().size() == 2) {
    AffineMap map = apply.getAffineMap();
    MLIRContext *context = launch.getContext();
    AffineExpr x = getAffineDimExpr(0, context),
               y = getAffineDimExpr(1, context);
    SmallVector<AffineExpr> both = {x, y};
    ArrayRef<AffineExpr> all(both);
    AffineExpr expr = map.getResult(0).replaceDimsAndSymbols(
        all.take_front(map.getNumDims()), all.drop_front(map.getNumDims()));
    unsigned last = simplifyAffineExpr(expr - (y - x), 2, 0) == 0   ? 1
                    : simplifyAffineExpr(expr - (x - y), 2, 0) == 0 ? 0
                                                                    : 2;
    if (last == 2)
      return refuse("rows do not end where the next one begins");
    end = apply.getMapOperands()[last];
    begin = apply.getMapOperands()[1 - last];
  } else {
    return refuse("rows do not end where the next one begins");
  }
  found.low = strip(begin);
  end = strip(end);
  if (auto most = end.getDefiningOp<arith::MaxSIOp>()) {
    if (strip(most.getRhs()) == found.low)
      end = strip(most.getLhs());
    else if (strip(most.getLhs()) == found.low)
      end = strip(most.getRhs());
  }
  found.high = end;
  found.areConsecutive = isNext(found.high, found.low);
  if (!found.areConsecutive && !mayBeNext(found.high, found.low))
    return refuse("rows do not end where the next one begins");
  for (Operation &op : *found.rows.getBodyBlock())
    for (Value result : op.getResults())
      if (strip(result) == found.low)
        found.lows.insert(result);
  return true;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Whether `op`, in the fold, computes a place of the begin of the row and the
/// step, and how: `isUnit` if it grows by one with the step.
bool Finder::isPlace(Operation *op, bool &isUnit) {
  MLIRContext *context = launch.getContext();
  AffineExpr step = getAffineDimExpr(0, context),
             low = getAffineDimExpr(1, context);
  SmallVector<AffineExpr> operands;
  unsigned symbols = 0;
  for (Value operand : op->getOperands()) {
    if (operand == found.fold.getInductionVar())
      operands.push_back(step);
    else if (found.lows.contains(operand))
      operands.push_back(low);
    else
      operands.push_back(getAffineSymbolExpr(symbols++, context));
  }
  AffineExpr place;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getAffineMap();
    ArrayRef<AffineExpr> all(operands);
    place = map.getResult(0).replaceDimsAndSymbols(
        all.take_front(map.getNumDims()), all.drop_front(map.getNumDims()));
  } else if (isa<arith::AddIOp>(op)) {
    place = operands[0] + operands[1];
  } else {
    return false;
  }
  // Nothing but the sum of both matters.
  AffineExpr moved =
      simplifyAffineExpr(place.replaceDims({step - low, low}), 2, symbols);
  isUnit = false;
  if (moved.isFunctionOfDim(1))
    return false;
  AffineExpr next = moved.replaceDims({step + 1, low});
  isUnit = simplifyAffineExpr(next - moved, 2, symbols) == 1;
  return true;
}

bool Finder::findChecks() {
  for (Operation &op : found.rows.getBodyBlock()->without_terminator())
    if (auto check = dyn_cast<CheckOp>(op)) {
      SetVector<Operation *> slice;
      found.rowChecks.push_back(check);
      rowConditions.insert(check.getCondition());
    }
  // What a fold came to is known too late.
  SmallVector<Value> work(rowConditions.begin(), rowConditions.end());
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (op == found.fold)
      return refuse("a check depends on what a row comes to");
    if (op && found.rows->isProperAncestor(op))
      llvm::append_range(work, op->getOperands());
  }
  WalkResult nested = found.fold.getBody().walk([&](Operation *op) {
    bool isBad = isa<StoreOp, UpdateOp>(op) || isa<LocalOp>(op) ||
                 (isa<CheckOp>(op) && op->getParentOp() != found.fold);
    return isBad ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (nested.wasInterrupted())
    return refuse("values are stored, or checked under a condition");
  return true;
}

bool Finder::findValues() {
  bool follows = true;
  llvm::SmallPtrSet<Value, 8> units;
  found.fold.getBody().walk([&](Operation *op) {
    bool uses = llvm::any_of(op->getOperands(), [&](Value operand) {
      return operand == found.fold.getInductionVar() ||
             found.lows.contains(operand);
    });
    bool isUnit = false;
    if (uses && isPlace(op, isUnit)) {
      if (isUnit)
        units.insert(op->getResult(0));
      return;
    }
    for (Value operand : op->getOperands())
      follows &= isInFold(operand) ? operand != found.fold.getInductionVar()
                                   : !isOfRow(operand);
  });
  if (!follows)
    return refuse("values depend on the row that they are of");
  found.fold.getBody().walk([&](Operation *op) {
    if (auto check = dyn_cast<CheckOp>(op)) {
      auto compare = check.getCondition().getDefiningOp<arith::CmpIOp>();
      bool atEnds =
          compare && compare.getPredicate() == arith::CmpIPredicate::ult &&
          units.contains(compare.getLhs()) && !isInFold(compare.getRhs());
      if (atEnds)
        found.endConditions.insert(check.getCondition());
      else
        found.conditions.insert(check.getCondition());
    }
    auto load = dyn_cast<LoadOp>(op);
    auto array = load ? dyn_cast<BlockArgument>(load.getSource()) : nullptr;
    if (!array || array.getOwner() != launch.getBodyBlock() || load.getEdge())
      return;
    for (auto [dim, index] : llvm::enumerate(load.getIndices()))
      if (units.contains(index) && !found.places)
        found.places = launch.getSize(array, dim);
  });
  return true;
}

std::optional<Segments> Finder::run() {
  if (!findLoops() || !findChecks() || !findRange() || !findValues())
    return std::nullopt;
  // Where the offsets turn out to fall, everything is computed once more.
  if (!buffersAreDistinct(launch)) {
    refuse("what is written may be what is read");
    return std::nullopt;
  }
  for (Value seed : found.fold.getSeeds())
    if (isOfRow(seed)) {
      refuse("rows start from values of their own");
      return std::nullopt;
    }
  return found;
}

std::optional<Segments> arrc::kernel::findSegments(LaunchOp launch,
                                                   std::string &why) {
  Finder finder(launch);
  std::optional<Segments> found = finder.run();
  why = finder.why;
  return found;
}
