//===- EncloseWork.cpp - The work of a step, and who does it --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Extents inside a loop follow from its steps: the largest of them are found
// from the bounds of the loops around.
//
//===----------------------------------------------------------------------===//

#include "../Shared/LaunchAccess.h"
#include "../Shared/ShareInBlock.h"
#include "EncloseLoops.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// How much a step does
//===----------------------------------------------------------------------===//

namespace {

/// Bounds of the indices of a loop, computed in front of it.
class Bounds {
public:
  Bounds(OpBuilder &builder, Operation *root)
      : b(builder), root(root), loc(root->getLoc()) {}

  /// The largest that `value` can be, or the least; null if that is not known.
  Value bound(Value value, bool largest);
  Value bound(OpFoldResult value, bool largest);
  /// The iterations of a loop at most, as a number if they are one.
  OpFoldResult countIterations(Operation *loop);

private:
  Value boundIndexOf(OpFoldResult extent, bool largest);
  Value boundTerm(Value term, bool largest);
  Value number(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }

  OpBuilder &b;
  Operation *root;
  Location loc;
};

} // namespace

Value Bounds::bound(OpFoldResult value, bool largest) {
  if (std::optional<int64_t> known = getConstantIntValue(value))
    return number(*known);
  return bound(cast<Value>(value), largest);
}

/// Bounds of an index from 0 to `extent`.
Value Bounds::boundIndexOf(OpFoldResult extent, bool largest) {
  if (!largest)
    return number(0);
  Value most = bound(extent, true);
  return most ? arith::SubIOp::create(b, loc, most, number(1)) : Value();
}

Value Bounds::boundTerm(Value term, bool largest) {
  if (!root->isAncestor(term.getParentBlock()->getParentOp()))
    return getValueOrCreateCastToIndexLike(b, loc, b.getIndexType(), term);
  if (auto argument = dyn_cast<BlockArgument>(term)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto launch = dyn_cast<LaunchOp>(parent))
      return bound(launch.getOperandOf(argument).get(), largest);
    if (auto loop = dyn_cast<ForOp>(parent))
      return boundIndexOf(loop.getMixedExtent(), largest);
    if (auto loop = dyn_cast<IterateOp>(parent))
      return argument == loop.getStepArg() && loop.getTimes()
                 ? boundIndexOf(OpFoldResult(loop.getTimes()), largest)
                 : Value();
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      if (argument != loop.getInductionVar())
        return {};
      if (!largest)
        return bound(loop.getLowerBound(), false);
      return boundIndexOf(OpFoldResult(loop.getUpperBound()), true);
    }
    return {};
  }
  Operation *op = term.getDefiningOp();
  if (isa<arith::IndexCastOp, array::AssumeOp, arith::ExtSIOp>(op))
    return bound(op->getOperand(0), largest);
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    std::optional<int64_t> d = dim.getConstantIndex();
    if (auto view = dim.getSource().getDefiningOp<memref::SubViewOp>())
      return d && !view.getDroppedDims().any()
                 ? bound(view.getMixedSizes()[*d], largest)
                 : Value();
    Value base = findBase(root, dim.getSource());
    return base && d ? b.createOrFold<memref::DimOp>(loc, base, *d) : Value();
  }
  if (isa<arith::MaxSIOp, arith::MinSIOp>(op)) {
    Value x = bound(op->getOperand(0), largest);
    Value y = bound(op->getOperand(1), largest);
    // One side bounds the smaller of two from above.
    bool oneSide = isa<arith::MinSIOp>(op) == largest;
    if (!x || !y)
      return oneSide ? (x ? x : y) : Value();
    if (isa<arith::MaxSIOp>(op))
      return arith::MaxSIOp::create(b, loc, x, y);
    return arith::MinSIOp::create(b, loc, x, y);
  }
  return {};
}

Value Bounds::bound(Value value, bool largest) {
  LinearIndex form(value);
  Value sum = number(form.getConstant());
  for (auto [term, factor] : form.getTerms()) {
    Value part = boundTerm(term, (factor > 0) == largest);
    if (!part)
      return {};
    if (factor != 1)
      part = arith::MulIOp::create(b, loc, part, number(factor));
    sum = arith::AddIOp::create(b, loc, sum, part);
  }
  return sum;
}

OpFoldResult Bounds::countIterations(Operation *op) {
  auto atLeastNone = [&](Value count) {
    return count ? OpFoldResult(arith::MaxSIOp::create(b, loc, count, number(0))
                                    .getResult())
                 : OpFoldResult();
  };
  if (auto loop = dyn_cast<ForOp>(op)) {
    if (loop.getStaticExtent())
      return loop.getMixedExtent();
    return atLeastNone(bound(loop.getExtent(), true));
  }
  auto loop = cast<scf::ForOp>(op);
  Value first = bound(loop.getLowerBound(), false);
  Value last = bound(loop.getUpperBound(), true);
  return first && last ? atLeastNone(arith::SubIOp::create(b, loc, last, first))
                       : OpFoldResult();
}

std::optional<OpFoldResult> arrc::kernel::countMostAccesses(OpBuilder &b,
                                                            Operation *root) {
  // What a loop without a known end is taken to run.
  constexpr int64_t unknownIterations = 64;
  Location loc = root->getLoc();
  Bounds bounds(b, root);
  int64_t fixed = 0;
  Value most;
  auto join = [&](Value count) {
    most = most ? Value(arith::MaxSIOp::create(b, loc, most, count)) : count;
  };
  bool known = true;
  root->walk([&](Operation *op) {
    if (auto copy = dyn_cast<memref::CopyOp>(op)) {
      Value count = arith::ConstantIndexOp::create(b, loc, 2);
      auto type = cast<MemRefType>(copy.getTarget().getType());
      Value base = findBase(root, copy.getTarget());
      for (int64_t d = 0; d < type.getRank(); ++d) {
        Value size = arith::ConstantIndexOp::create(
            b, loc, type.isDynamicDim(d) ? 0 : type.getDimSize(d));
        if (type.isDynamicDim(d)) {
          known &= cast<MemRefType>(base.getType()).getRank() == type.getRank();
          if (!known)
            return;
          size = b.createOrFold<memref::DimOp>(loc, base, d);
        }
        count = arith::MulIOp::create(b, loc, count, size);
      }
      return join(count);
    }
    auto launch = dyn_cast<LaunchOp>(op);
    if (!launch)
      return;
    // Accesses of the same loops are counted together.
    llvm::MapVector<Operation *, int64_t> accesses;
    launch.getBody().walk([&](Operation *access) {
      if (isa<LoadOp, StoreOp>(access))
        ++accesses[access->getParentOp()];
    });
    Value sum;
    int64_t numbers = 0;
    for (auto [parent, count] : accesses) {
      int64_t factor = count;
      Value product;
      for (Operation *up = parent; up != launch; up = up->getParentOp()) {
        if (isa<scf::WhileOp>(up))
          factor *= unknownIterations;
        if (!isa<ForOp, scf::ForOp>(up))
          continue;
        OpFoldResult iterations = bounds.countIterations(up);
        if (!iterations) {
          known &= isa<scf::ForOp>(up);
          factor *= unknownIterations;
        } else if (auto number = getConstantIntValue(iterations)) {
          factor *= *number;
        } else {
          Value value = cast<Value>(iterations);
          product = product
                        ? Value(arith::MulIOp::create(b, loc, product, value))
                        : value;
        }
      }
      if (!product) {
        numbers += factor;
        continue;
      }
      product = arith::MulIOp::create(
          b, loc, product, arith::ConstantIndexOp::create(b, loc, factor));
      sum = sum ? Value(arith::AddIOp::create(b, loc, sum, product)) : product;
    }
    fixed = std::max(fixed, numbers);
    if (sum)
      join(arith::AddIOp::create(
          b, loc, sum, arith::ConstantIndexOp::create(b, loc, numbers)));
  });
  if (!known)
    return std::nullopt;
  if (!most)
    return OpFoldResult(b.getIndexAttr(fixed));
  join(arith::ConstantIndexOp::create(b, loc, fixed));
  return OpFoldResult(most);
}

//===----------------------------------------------------------------------===//
// Who does it
//===----------------------------------------------------------------------===//

ScheduleAttr arrc::kernel::scheduleEnclosed(LaunchOp launch) {
  MLIRContext *context = launch.getContext();
  auto block = *launch.getBody().getOps<ForOp>().begin();
  auto level = LevelAttr::get(context, LevelKind::Block, 0);
  SmallVector<DimDigitsAttr> dims{DimDigitsAttr::get(
      context, block.getDimAttr(), {DigitAttr::get(context, level, 0)})};
  llvm::append_range(dims, shareInBlock(block, /*warps=*/8));
  return ScheduleAttr::get(context, dims, {}, {}, {}, {}, {}, false, 64);
}
