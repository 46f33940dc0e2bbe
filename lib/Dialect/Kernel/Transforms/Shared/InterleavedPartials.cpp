//===- InterleavedPartials.cpp - Partial results for the threads of a block
//===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "InterleavedPartials.h"

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

InterleavedPartials::InterleavedPartials(int64_t threads,
                                         std::optional<int64_t> known,
                                         int64_t most)
    : threads(threads), together(most) {
  if (known)
    together = std::min<int64_t>(
        llvm::PowerOf2Ceil(llvm::divideCeil(*known, threads)), most);
}

static Value apply(OpBuilder &builder, Location loc, AffineExpr form,
                   ArrayRef<OpFoldResult> operands) {
  return toValue(
      builder, loc,
      affine::makeComposedFoldedAffineApply(
          builder, loc, AffineMap::get(operands.size(), 0, form), operands));
}

Value InterleavedPartials::countSteps(OpBuilder &builder, Location loc,
                                      Value thread, Value number) const {
  AffineExpr d0, d1;
  bindDims(builder.getContext(), d0, d1);
  Value left = apply(builder, loc, (d1 - d0).ceilDiv(threads * together),
                     {thread, number});
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  return arith::MaxSIOp::create(builder, loc, left, zero);
}

Value InterleavedPartials::getIndex(OpBuilder &builder, Location loc,
                                    Value thread, Value step,
                                    Value copy) const {
  AffineExpr d0, d1, d2;
  bindDims(builder.getContext(), d0, d1, d2);
  return apply(builder, loc, d0 + d1 * (threads * together) + d2 * threads,
               {thread, step, copy});
}
