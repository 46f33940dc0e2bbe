//===- BoundLoops.cpp - Loops that end behind a check that fails ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A row of a sparse matrix goes from one offset to the next, and what an
// array gives may be anything: of an offset of 2^60 each step behind the first
// one outside fails as well, for years. Nothing is seen of a launch that fails
// but its first failure, so that the loop may end there:
//
// Before   kernel.for "p" (%p) in %N {
//            %k = %lo + %p   %in = arith.cmpi ult, %k, %size
//            kernel.check index %in ..
// After    %room = %lo < %size (unsigned) ? %size - %lo : 0
//          kernel.for "p" (%p) in min(%N, %room + 1) { .. }
//
// Legal: the steps that are left out follow one in which the first check of the
// body fails, and of the failures of a check the first one is reported. What
// the new extent is computed of differs between no more loops around than the
// old one: threads that took the same steps do so still.
//
//===----------------------------------------------------------------------===//

#include "BoundLoops.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace arrc::kernel;

namespace {
/// What a value of a launch is computed of.
struct Origins {
  Origins(LaunchOp launch, Value value);

  /// Indices and what loops carry; not the arguments of the launch.
  llvm::SmallPtrSet<Value, 8> arguments;
  bool readsArrays = false, hasRegions = false;
};

/// A loop that counts from 0.
struct CountedLoop {
  Value extent, index;
  Block *body;
};
} // namespace

Origins::Origins(LaunchOp launch, Value value) {
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *op) { return launch->isProperAncestor(op); };
  (void)getBackwardSlice(value, &slice, options);
  auto add = [&](Value part) {
    auto argument = dyn_cast<BlockArgument>(part);
    if (argument && argument.getOwner()->getParentOp() != launch)
      arguments.insert(argument);
  };
  add(value);
  for (Operation *op : slice) {
    readsArrays |= isa<LoadOp>(op);
    hasRegions |= op->getNumRegions() != 0;
    llvm::for_each(op->getOperands(), add);
  }
}

/// The loop `op`, if threads do not share its steps yet.
static std::optional<CountedLoop> getCountedLoop(Operation *op) {
  if (auto loop = dyn_cast<ForOp>(op)) {
    LevelAttr level = loop.getLevelAttr();
    if (!loop.getExtent() || (level && !level.isSeq()))
      return std::nullopt;
    return CountedLoop{loop.getExtent(), loop.getInductionVar(),
                       &loop.getBody().front()};
  }
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop || getConstantIntValue(loop.getLowerBound()) != 0 ||
      getConstantIntValue(loop.getStep()) != 1 ||
      !loop.getUpperBound().getType().isIndex())
    return std::nullopt;
  return CountedLoop{loop.getUpperBound(), loop.getInductionVar(),
                     loop.getBody()};
}

/// The comparison that the first check of `body` asks for; null if it is no
/// `index < size`, or if another part of the body may fail before it.
static arith::CmpIOp getFirstCheck(Block &body) {
  for (Operation &op : body.without_terminator()) {
    if (auto check = dyn_cast<CheckOp>(op)) {
      auto compare = check.getCondition().getDefiningOp<arith::CmpIOp>();
      return compare && compare.getPredicate() == arith::CmpIPredicate::ult &&
                     compare.getLhs().getType().isIndex()
                 ? compare
                 : arith::CmpIOp();
    }
    if (op.getNumRegions() && op.walk([](CheckOp) {
                                  return WalkResult::interrupt();
                                }).wasInterrupted())
      return {};
  }
  return {};
}

/// What `value` is where `index` is 0, if it is that plus `index`; `outside`
/// says what may be asked in front of the loop.
static Value createBase(OpBuilder &b, Location loc, Value value, Value index,
                        llvm::function_ref<bool(Value)> outside) {
  if (value == index)
    return arith::ConstantIndexOp::create(b, loc, 0);
  auto apply = value.getDefiningOp<affine::AffineApplyOp>();
  if (!apply)
    return {};
  AffineMap map = apply.getAffineMap();
  SmallVector<Value> operands(apply.getMapOperands());
  unsigned at = llvm::find(operands, index) - operands.begin();
  if (at >= map.getNumDims() || llvm::count(operands, index) != 1 ||
      !llvm::all_of(operands, [&](Value operand) {
        return operand == index || outside(operand);
      }))
    return {};
  MLIRContext *context = b.getContext();
  AffineExpr dim = getAffineDimExpr(at, context);
  AffineExpr base =
      map.getResult(0).replace(dim, getAffineConstantExpr(0, context));
  if (simplifyAffineExpr(map.getResult(0) - base - dim, map.getNumDims(),
                         map.getNumSymbols()) != 0)
    return {};
  operands[at] = arith::ConstantIndexOp::create(b, loc, 0);
  return affine::AffineApplyOp::create(
      b, loc, AffineMap::get(map.getNumDims(), map.getNumSymbols(), base),
      operands);
}

/// The extent of `loop` that ends behind the first failure of its check; null
/// if there is none to be found.
static Value createExtent(OpBuilder &b, LaunchOp launch, Operation *op,
                          const CountedLoop &loop) {
  arith::CmpIOp check = getFirstCheck(*loop.body);
  if (!check)
    return {};
  Origins extent(launch, loop.extent);
  // Other extents are sizes, or numbers of the call.
  if (!extent.readsArrays)
    return {};
  auto outside = [&](Value value) {
    if (op->isAncestor(value.getParentBlock()->getParentOp()))
      return false;
    Origins origins(launch, value);
    return !origins.hasRegions &&
           llvm::all_of(origins.arguments, [&](Value argument) {
             return extent.arguments.contains(argument);
           });
  };
  Location loc = check.getLoc();
  Value size = check.getRhs();
  if (!outside(size))
    return {};
  Value base = createBase(b, loc, check.getLhs(), loop.index, outside);
  if (!base)
    return {};
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value isInside =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, base, size);
  Value left = arith::SubIOp::create(b, loc, size, base);
  Value room = arith::SelectOp::create(b, loc, isInside, left, zero);
  Value steps = arith::AddIOp::create(b, loc, room, one);
  return arith::MinSIOp::create(b, loc, loop.extent, steps);
}

void arrc::kernel::boundLoops(LaunchOp launch) {
  launch.getBody().walk([&](Operation *op) {
    std::optional<CountedLoop> loop = getCountedLoop(op);
    if (!loop)
      return;
    OpBuilder b(op);
    Value extent = createExtent(b, launch, op, *loop);
    if (!extent)
      return;
    if (auto counted = dyn_cast<ForOp>(op))
      counted.getExtentMutable().assign(extent);
    else
      cast<scf::ForOp>(op).setUpperBound(extent);
  });
}
