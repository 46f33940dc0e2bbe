//===- UnrollSmallArrays.cpp - Small arrays in bodies become scalars ------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Idea. A body works on vectors of three, or on nine populations, as arrays of
// constant shape. In a kernel these are registers, so the operations that make
// and read them are cloned for each element, until every small array is the
// scalars of a `tensor.from_elements` and every read at a constant index is one
// of them:
//
//   %p = array.map (%q) in (3) { .. }                %p0 .. %p1 .. %p2 ..
//   %s = array.reduce (%q) in (3) init (%z) {   ->   %s1 = addf %p0, %p1
//     %v = array.at %p[%q] ..                        %s  = addf %s1, %p2
//   } by arith.addf
//
// Legal, because bodies are pure and a fold in index order is one bracketing
// of it; `init` is neutral and may be left out. A run-time index becomes a
// chain of selects. Values that `scf` operations and accumulators carry become
// scalars too. Small arrays outside of bodies stay in memory: they are
// arguments, results and state.
//
// Pays: what stays would be an array in local memory. The limits keep the text
// short: 64 elements, 16 for a chain, 4096 operations. Not for bodies with
// loops that replace elements of longer arrays at run-time indices, and that
// only fold, scan and map rows of arrays in memory (RowBodies.h): several lanes
// read a row better than one, as where its length is a symbol.
//
// The patterns stand in three files: operations with an index space
// (UnrollSpaces.cpp), elements (UnrollElements.cpp), control flow
// (UnrollControl.cpp).
//
//===----------------------------------------------------------------------===//

#include "RowBodies.h"
#include "UnrollPatterns.h"

#include "arrc/Dialect/Array/Transforms/Passes.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace arrc::array {
#define GEN_PASS_DEF_UNROLLSMALLARRAYSPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc::array;

bool arrc::array::isSmallArray(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() &&
         tensor.getNumElements() <= kSmallArray;
}

bool arrc::array::isInBody(Operation *op) {
  return op->getParentOfType<IndexSpaceOpInterface>() != nullptr;
}

SmallVector<Value> arrc::array::getElements(RewriterBase &rewriter,
                                            Location loc, Value array) {
  if (auto made = array.getDefiningOp<tensor::FromElementsOp>())
    return SmallVector<Value>(made.getElements());
  auto type = cast<RankedTensorType>(array.getType());
  SmallVector<int64_t> strides = computeStrides(type.getShape());
  SmallVector<Value> elements;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    SmallVector<Value> indices;
    for (int64_t index : delinearize(i, strides))
      indices.push_back(arith::ConstantIndexOp::create(rewriter, loc, index));
    elements.push_back(rewriter.createOrFold<AtOp>(loc, array, indices,
                                                   /*inbounds=*/true));
  }
  return elements;
}

SmallVector<Value> arrc::array::toScalars(RewriterBase &rewriter, Location loc,
                                          ValueRange values) {
  SmallVector<Value> scalars;
  for (Value value : values) {
    if (isSmallArray(value.getType()))
      llvm::append_range(scalars, getElements(rewriter, loc, value));
    else
      scalars.push_back(value);
  }
  return scalars;
}

SmallVector<Type> arrc::array::toScalarTypes(TypeRange types) {
  SmallVector<Type> scalars;
  for (Type type : types) {
    if (isSmallArray(type)) {
      auto tensor = cast<RankedTensorType>(type);
      scalars.append(tensor.getNumElements(), tensor.getElementType());
    } else {
      scalars.push_back(type);
    }
  }
  return scalars;
}

SmallVector<Value> arrc::array::fromScalars(RewriterBase &rewriter,
                                            Location loc, TypeRange types,
                                            ValueRange scalars) {
  SmallVector<Value> values;
  for (Type type : types) {
    if (!isSmallArray(type)) {
      values.push_back(scalars.front());
      scalars = scalars.drop_front();
      continue;
    }
    auto tensor = cast<RankedTensorType>(type);
    int64_t count = tensor.getNumElements();
    values.push_back(tensor::FromElementsOp::create(rewriter, loc, tensor,
                                                    scalars.take_front(count)));
    scalars = scalars.drop_front(count);
  }
  return values;
}

/// Whether a step of a loop below `space` replaces elements of a small array at
/// an index that is no number, which is a selection for each of more than
/// `most` elements: in memory it is one access.
static bool walksArrays(Operation *space, int64_t most) {
  auto isWalked = [&](Type type, ArrayRef<OpFoldResult> indices) {
    return isSmallArray(type) &&
           cast<RankedTensorType>(type).getNumElements() > most &&
           llvm::any_of(indices, [](OpFoldResult index) {
             return !getConstantIntValue(index);
           });
  };
  return space
      ->walk([&](Operation *op) {
        auto insert = dyn_cast<tensor::InsertOp>(op);
        auto slice = dyn_cast<tensor::InsertSliceOp>(op);
        if (!(insert && isWalked(insert.getType(),
                                 getAsOpFoldResult(insert.getIndices()))) &&
            !(slice && isWalked(slice.getType(), slice.getMixedOffsets())))
          return WalkResult::advance();
        auto loop = op->getParentOfType<LoopLikeOpInterface>();
        return loop && space->isProperAncestor(loop) ? WalkResult::interrupt()
                                                     : WalkResult::advance();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct UnrollSmallArraysPass
    : arrc::array::impl::UnrollSmallArraysPassBase<UnrollSmallArraysPass> {
  using UnrollSmallArraysPassBase::UnrollSmallArraysPassBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateUnrollSpacePatterns(patterns);
    populateUnrollElementPatterns(patterns);
    populateUnrollControlPatterns(patterns);
    // Folds and canonical forms are what makes reads vanish.
    AtOp::getCanonicalizationPatterns(patterns, &getContext());
    ViewOp::getCanonicalizationPatterns(patterns, &getContext());
    MapOp::getCanonicalizationPatterns(patterns, &getContext());
    ReduceOp::getCanonicalizationPatterns(patterns, &getContext());
    affine::AffineApplyOp::getCanonicalizationPatterns(patterns, &getContext());
    SmallVector<Operation *> ops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto space = dyn_cast<IndexSpaceOpInterface>(op);
      if (space && !isInBody(op) &&
          (worksOnRows(space, scalarRow) || walksArrays(space, mostSelected)))
        return WalkResult::skip();
      if (op != getOperation())
        ops.push_back(op);
      return WalkResult::advance();
    });
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    if (failed(applyOpPatternsGreedily(ops, std::move(patterns), config)))
      return signalPassFailure();
    getOperation().walk([&](Operation *op) { reportArray(op); });
  }

  /// Says which small arrays stay in memory.
  void reportArray(Operation *op) {
    if (!isInBody(op))
      return;
    auto at = dyn_cast<AtOp>(op);
    if (at && isSmallArray(at.getSource().getType()) &&
        isa_and_present<tensor::FromElementsOp>(at.getSource().getDefiningOp()))
      remark::missed(op->getLoc(),
                     remark::RemarkOpts::name("SmallArrayInMemory")
                         .category("unroll-small-arrays"))
          << remark::reason("the index is not constant and the array has more "
                            "than {0} elements",
                            kSelectChain);
  }
};
} // namespace
