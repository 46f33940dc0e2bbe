//===- Votes.cpp - What all lanes of a warp agree on ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Upstream folds integers of 32 bits across a warp (redux.sync, from sm_80 on);
// of truth values there is a vote on every card.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace {
struct ConvertVote : ConvertOpToLLVMPattern<gpu::SubgroupReduceOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(gpu::SubgroupReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getType().isInteger(1) ||
        op.getOp() != gpu::AllReduceOperation::AND || op.getClusterSize())
      return failure();
    Value lanes =
        LLVM::ConstantOp::create(rewriter, op.getLoc(), rewriter.getI32Type(),
                                 rewriter.getI32IntegerAttr(-1));
    rewriter.replaceOpWithNewOp<NVVM::VoteSyncOp>(
        op, op.getType(), lanes, adaptor.getValue(), NVVM::VoteSyncKind::all);
    return success();
  }
};
} // namespace

void arrc::ptx::populateVotes(LLVMTypeConverter &converter,
                              RewritePatternSet &patterns) {
  patterns.add<ConvertVote>(converter, PatternBenefit(10));
}
