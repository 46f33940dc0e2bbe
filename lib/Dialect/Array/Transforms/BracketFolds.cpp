//===- BracketFolds.cpp - Folds of floats, bracketed by sizes alone -------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. How a sum of floats is bracketed is the schedule's choice: threads,
// blocks and vectors each fold a part. Where all targets are to give the same
// bits, the bracketing has to be in the program: as elements of maps, each a
// fold in order, of which no schedule takes anything apart.
//
// Before   %s = array.reduce (%i) in (%n) { %x = array.at %a[%i] } by addf
// After    %p = array.map (%c, %l) in (%n / 2048, 32) {     // whole blocks
//            fold in order over %k < 64: %a[%c * 2048 + %k * 32 + %l] }
//          %r = array.map (%l) in (%lanes) { .. }           // what is left
//          %q = array.map (%m) in (..) { fold of up to 64 elements of %p, %r }
//          ..                                               // thrice
//          %s = array.map (%z) in (1) { fold of what is left of %q } [0]
//
// Neighbouring elements belong to different chains, so that the lanes of a
// vector or a warp read a row of memory; a chain is long enough for what the
// maps write to be a sixty-fourth of what they read. Of m values that are no
// whole block, min(32, ceil(m / 64)) chains take every so-manieth.
//
// A fold for each element of a map that stands in no other body is cut in the
// same way, the map's indices around all stages, if it reads each element for
// one point of both alone (rows, columns, a matrix by a vector). Else, as in
// products of matrices, what the stages write would be more than what they
// read: the fold stays, for tiles, and launches run it in order. All other
// folds in bodies are loops. A scan of everything folds neighbours in sixteens,
// scans these folds likewise, and makes each prefix of the one before its
// sixteen.
//
// Legal: any bracketing in order is right, and this one is a bracketing of a
// permutation that the operators of floats allow; operators that are not known
// to commute keep the order of the elements (chains of neighbours).
// Needed where bits have to follow from sizes; else schedules know better.
//
// Source: the fixed trees of reproducible reductions (Villa et al., "Effects of
// floating-point non-associativity on numerical computations on massively
// multithreaded systems", 2009).
//
//===----------------------------------------------------------------------===//

#include "BracketFolds.h"
#include "UnrollPatterns.h"

#include "arrc/Dialect/Array/Transforms/Passes.h"
#include "arrc/Support/Combiner.h"
#include "arrc/Support/SameBits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace arrc::array {
#define GEN_PASS_DEF_BRACKETFOLDSPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value FoldBracketer::number(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value FoldBracketer::toValue(OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(b, loc, value);
}

Value FoldBracketer::ceilDivide(Value a, Value divisor) {
  // Of sizes, so neither is negative, and a divisor is at least 1.
  Value less = arith::SubIOp::create(b, loc, divisor, number(1));
  Value sum = arith::AddIOp::create(b, loc, a, less);
  return arith::DivUIOp::create(b, loc, sum, divisor);
}

Value FoldBracketer::least(Value a, Value c) {
  return arith::MinSIOp::create(b, loc, a, c);
}

//===----------------------------------------------------------------------===//
// Folds in order
//===----------------------------------------------------------------------===//

scf::ForOp FoldBracketer::openLoops(ArrayRef<std::pair<Value, Value>> ranges,
                                    SmallVectorImpl<Value> &point,
                                    SmallVectorImpl<Value> &state) {
  scf::ForOp outermost;
  for (auto [from, to] : ranges) {
    auto loop = scf::ForOp::create(b, loc, from, to, number(1), state);
    if (outermost)
      scf::YieldOp::create(b, loc, loop.getResults());
    else
      outermost = loop;
    point.push_back(loop.getInductionVar());
    state.assign(loop.getRegionIterArgs().begin(),
                 loop.getRegionIterArgs().end());
    b.setInsertionPointToStart(loop.getBody());
  }
  return outermost;
}

SmallVector<Value> FoldBracketer::foldBox(ArrayRef<OpFoldResult> extents,
                                          ValueRange state,
                                          PointBuilder getValues) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<std::pair<Value, Value>> ranges;
  for (OpFoldResult extent : extents)
    ranges.push_back({number(0), toValue(extent)});
  SmallVector<Value> point, before(state);
  scf::ForOp outermost = openLoops(ranges, point, before);
  SmallVector<Value> values = getValues(point);
  SmallVector<Value> next = foldStep(b, combiner, before, values);
  if (!outermost)
    return next;
  scf::YieldOp::create(b, loc, next);
  return llvm::to_vector_of<Value>(outermost.getResults());
}

SmallVector<Value> FoldBracketer::cloneBody(ValueRange outer,
                                            ValueRange point) {
  IRMapping mapping;
  mapping.map(op.getIndices(), point);
  if (around) {
    mapping.map(around.getBody().getArguments(), outer);
    for (Operation *before : needed)
      b.clone(*before, mapping);
  }
  for (Operation &inner : op.getBodyBlock()->without_terminator())
    b.clone(inner, mapping);
  SmallVector<Value> values;
  for (Value value : op.getYield().getOperands())
    values.push_back(mapping.lookupOrDefault(value));
  return values;
}

/// Points of a constant index space that are cloned one by one, so that places
/// which they read are known by their distances.
static constexpr int64_t kStraightPoints = 128;

void FoldBracketer::foldInOrder() {
  b.setInsertionPoint(op);
  std::optional<SmallVector<SmallVector<int64_t>>> points =
      isInBody(op) ? getPoints(op, kStraightPoints) : std::nullopt;
  if (!points) {
    b.replaceOp(op, foldBox(op.getMixedExtents(), init, [&](ValueRange point) {
                  return cloneBody({}, point);
                }));
    return;
  }
  SmallVector<Value> state(init);
  for (ArrayRef<int64_t> at : *points) {
    SmallVector<Value> point;
    for (int64_t index : at)
      point.push_back(number(index));
    SmallVector<Value> values = cloneBody({}, point);
    state = foldStep(b, combiner, state, values);
  }
  b.replaceOp(op, state);
}

void FoldBracketer::scanInOrder() {
  auto scan = cast<ScanOp>(op.getOperation());
  b.setInsertionPoint(op);
  OpFoldResult extent = op.getMixedExtents().front();
  SmallVector<Value> state(init);
  // Accumulators that are small arrays are rows of their prefixes.
  SmallVector<SmallVector<OpFoldResult>> rows;
  for (auto [value, prefix] : llvm::zip(init, scan.getPrefixes())) {
    auto type = cast<RankedTensorType>(prefix.getType());
    auto &row = rows.emplace_back();
    if (isa<RankedTensorType>(value.getType()))
      row = tensor::getMixedSizes(b, loc, value);
    SmallVector<OpFoldResult> sizes{extent};
    llvm::append_range(sizes, row);
    state.push_back(
        tensor::EmptyOp::create(b, loc, sizes, type.getElementType()));
  }
  auto loop =
      scf::ForOp::create(b, loc, number(0), toValue(extent), number(1), state);
  b.setInsertionPointToStart(loop.getBody());
  ValueRange now = loop.getRegionIterArgs();
  SmallVector<Value> values = cloneBody({}, loop.getInductionVar());
  SmallVector<Value> next =
      foldStep(b, combiner, now.take_front(count), values);
  for (unsigned k = 0; k < count; ++k) {
    Value prefix = scan.getExclusive() ? now[k] : next[k];
    Value all = now[count + k];
    if (!isa<RankedTensorType>(prefix.getType())) {
      next.push_back(tensor::InsertOp::create(b, loc, prefix, all,
                                              loop.getInductionVar()));
      continue;
    }
    SmallVector<OpFoldResult> offsets{loop.getInductionVar()};
    offsets.append(rows[k].size(), b.getIndexAttr(0));
    SmallVector<OpFoldResult> sizes{b.getIndexAttr(1)};
    llvm::append_range(sizes, rows[k]);
    SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
    next.push_back(tensor::InsertSliceOp::create(b, loc, prefix, all, offsets,
                                                 sizes, strides));
  }
  scf::YieldOp::create(b, loc, next);
  SmallVector<Value> results =
      llvm::to_vector_of<Value>(loop.getResults().drop_front(count));
  llvm::append_range(results, loop.getResults().take_front(count));
  b.replaceOp(op, results);
}

//===----------------------------------------------------------------------===//
// What stages can do
//===----------------------------------------------------------------------===//

/// Whether `value` follows from `from`, an index of a body around it.
static bool followsFrom(Value value, Value from,
                        llvm::SmallPtrSetImpl<Operation *> &seen) {
  if (value == from)
    return true;
  Region *body = from.getParentRegion();
  if (!body->isAncestor(value.getParentRegion()))
    return false;
  Operation *made = value.getDefiningOp();
  if (!made) {
    // An index follows from extents, an accumulator from all that is inside.
    made = cast<BlockArgument>(value).getOwner()->getParentOp();
    if (!body->isProperAncestor(value.getParentRegion()))
      return false;
    if (isa<IndexSpaceOpInterface>(made))
      return llvm::any_of(made->getOperands(), [&](Value operand) {
        return followsFrom(operand, from, seen);
      });
  }
  return seen.insert(made).second &&
         made->walk([&](Operation *inner) {
               return llvm::any_of(inner->getOperands(),
                                   [&](Value operand) {
                                     return followsFrom(operand, from, seen);
                                   })
                          ? WalkResult::interrupt()
                          : WalkResult::advance();
             })
             .wasInterrupted();
}

bool FoldBracketer::readsAreDistinct() {
  bool any = false, distinct = false;
  op.getBodyBlock()->walk([&](AtOp at) {
    any = true;
    auto decides = [&](Value index) {
      return llvm::any_of(at->getOperands(), [&](Value operand) {
        llvm::SmallPtrSet<Operation *, 16> seen;
        return followsFrom(operand, index, seen);
      });
    };
    distinct |= llvm::all_of(around.getBody().getArguments(), decides) &&
                llvm::all_of(op.getIndices(), decides);
  });
  return distinct || !any;
}

bool FoldBracketer::canLeaveBody() {
  around = dyn_cast<MapOp>(op->getParentOp());
  if (!around || isInBody(around))
    return false;
  Region &body = around.getBody();
  for (Value extent : op.getDynamicExtents())
    if (body.isAncestor(extent.getParentRegion()))
      return false;
  for (Value value : init)
    if (!isa<IntegerType, FloatType, ComplexType>(value.getType()))
      return false;
  // What the body uses of the body around, and that uses.
  llvm::SetVector<Operation *> found;
  SmallVector<Operation *> queue{op};
  while (!queue.empty()) {
    Operation *next = queue.pop_back_val();
    next->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *made = operand.getDefiningOp();
            made && made->getBlock() == &body.front() && made != op &&
            found.insert(made))
          queue.push_back(made);
    });
  }
  needed = found.takeVector();
  llvm::sort(needed,
             [](Operation *a, Operation *c) { return a->isBeforeInBlock(c); });
  return readsAreDistinct();
}

bool FoldBracketer::isProduct() {
  return around && !isInBody(around) && op.getNumIndices() == 1 && count == 1 &&
         isa<FloatType>(init.front().getType()) &&
         isCommutativeCombiner(combiner) && !getPoints(op, kStraightPoints) &&
         !op.getBodyBlock()
              ->walk([](Operation *inner) {
                return isa<IndexSpaceOpInterface, LoopLikeOpInterface>(inner)
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

bool FoldBracketer::walksAround() {
  if (!around || around.getBody().getNumArguments() == 0)
    return false;
  Value last = around.getBody().getArguments().back();
  int64_t votes = 0;
  op.getBodyBlock()->walk([&](AtOp at) {
    if (at.getIndices().empty())
      return;
    llvm::SmallPtrSet<Operation *, 16> seen;
    votes += followsFrom(at.getIndices().back(), last, seen) ? 1 : -1;
  });
  return votes > 0;
}

//===----------------------------------------------------------------------===//
// Which
//===----------------------------------------------------------------------===//

bool arrc::array::isOrderSensitive(Region &combiner) {
  return combiner
      .walk([](Operation *inner) {
        bool makesFloat = llvm::any_of(inner->getResultTypes(), [](Type type) {
          return isa<FloatType, ComplexType>(getElementTypeOrSelf(type));
        });
        // Whatever chooses one of two numbers loses no digits.
        return makesFloat && !isa<arith::MaximumFOp, arith::MinimumFOp,
                                  arith::MaxNumFOp, arith::MinNumFOp,
                                  arith::SelectOp, arith::ConstantOp>(inner)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void FoldBracketer::run() {
  bool areScalars = true;
  if (auto reduce = dyn_cast<ReduceOp>(op.getOperation()))
    init = llvm::to_vector_of<Value>(reduce.getInit());
  else if (auto scan = dyn_cast<ScanOp>(op.getOperation()))
    init = llvm::to_vector_of<Value>(scan.getInit());
  else {
    init =
        llvm::to_vector_of<Value>(cast<ScatterOp>(op.getOperation()).getInto());
    return update();
  }
  for (Value value : init)
    areScalars &= isa<IntegerType, FloatType, ComplexType>(value.getType());
  if (isa<ScanOp>(op.getOperation()))
    return areScalars && !isInBody(op) ? scanByStages() : scanInOrder();
  if (areScalars && (!isInBody(op) || canLeaveBody()))
    return foldByStages();
  if (keepsProducts && isProduct())
    return;
  around = nullptr;
  foldInOrder();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Whether the function gives the same bits wherever it runs: rounded once, or
/// not at all.
static bool isExactFunction(Operation *op) {
  return isa<math::FmaOp, math::SqrtOp, math::RsqrtOp, math::AbsFOp,
             math::AbsIOp, math::CopySignOp, math::FloorOp, math::CeilOp,
             math::TruncOp, math::RoundOp, math::RoundEvenOp, math::IsNaNOp,
             math::IsInfOp, math::IsFiniteOp, math::IsNormalOp, math::CtPopOp,
             math::CountLeadingZerosOp, math::CountTrailingZerosOp,
             math::IPowIOp, complex::AddOp, complex::SubOp, complex::MulOp,
             complex::DivOp, complex::NegOp, complex::ConjOp, complex::CreateOp,
             complex::ReOp, complex::ImOp, complex::ConstantOp,
             complex::EqualOp, complex::NotEqualOp>(op);
}

namespace {
struct BracketFoldsPass
    : public arrc::array::impl::BracketFoldsPassBase<BracketFoldsPass> {
  using BracketFoldsPassBase::BracketFoldsPassBase;

  void runOnOperation() override {
    if (failed(refuse()))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    SmallVector<IndexSpaceOpInterface> folds;
    // Inner ones first: bodies are cloned with what their folds have become.
    getOperation().walk<WalkOrder::PostOrder>([&](IndexSpaceOpInterface op) {
      if (Region *combiner = op.getCombinerRegion();
          combiner && isOrderSensitive(*combiner))
        folds.push_back(op);
    });
    getOperation()->setAttr(kSameBitsAttr, rewriter.getUnitAttr());
    for (IndexSpaceOpInterface fold : folds)
      FoldBracketer(rewriter, fold, products).run();
    // What may be done in several ways is done in the way that is written.
    getOperation().walk([&](Operation *op) {
      if (auto root = dyn_cast<math::RsqrtOp>(op)) {
        rewriter.setInsertionPoint(root);
        Value square =
            math::SqrtOp::create(rewriter, root.getLoc(), root.getOperand());
        Value one = arith::ConstantOp::create(
            rewriter, root.getLoc(), rewriter.getFloatAttr(root.getType(), 1));
        rewriter.replaceOpWithNewOp<arith::DivFOp>(root, one, square);
      } else if (auto flags = dyn_cast<arith::ArithFastMathInterface>(op);
                 flags && flags.getFastMathFlagsAttr()) {
        // A product that a fold adds is one `fma` all the same.
        auto fold = op->getParentOfType<ReduceOp>();
        arith::FastMathFlags kept =
            fold && isOrderSensitive(fold.getCombiner())
                ? flags.getFastMathFlagsAttr().getValue() &
                      arith::FastMathFlags::contract
                : arith::FastMathFlags::none;
        op->setAttr(flags.getFastMathAttrName(),
                    arith::FastMathFlagsAttr::get(&getContext(), kept));
      }
    });
  }

  LogicalResult refuse() {
    return failure(
        getOperation()
            .walk([](Operation *op) {
              StringRef name = op->getName().getStringRef();
              StringRef dialect = op->getName().getDialectNamespace();
              if ((dialect == "math" || dialect == "complex") &&
                  !isExactFunction(op)) {
                op->emitError("'" + name.split('.').second +
                              "' has other bits on other targets, which "
                              "'--reproducible' forbids");
                return WalkResult::interrupt();
              }
              return WalkResult::advance();
            })
            .wasInterrupted());
  }
};
} // namespace
