//===- ExpandSmallFloats.cpp - bf16 computed in f32 -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Upstream's emulation marks the conversions that it adds as `contract`, so
// that a folder may drop a rounding between two operations: then x + y + z in
// bf16 would be rounded once. The language rounds after each operation, so the
// marks go before anything can act on them.
//
//===----------------------------------------------------------------------===//

#include "arrc/Target/CPU/CPU.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace arrc::cpu {
#define GEN_PASS_DEF_EXPANDSMALLFLOATSPASS
#include "arrc/Target/CPU/Passes.h.inc"
} // namespace arrc::cpu

using namespace mlir;

namespace {
struct ExpandSmallFloatsPass
    : arrc::cpu::impl::ExpandSmallFloatsPassBase<ExpandSmallFloatsPass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    Type bf16 = BFloat16Type::get(context), f32 = Float32Type::get(context);
    TypeConverter converter;
    arith::populateEmulateUnsupportedFloatsConversions(converter, {bf16}, f32);
    RewritePatternSet patterns(context);
    arith::populateEmulateUnsupportedFloatsPatterns(patterns, converter);
    ConversionTarget target(*context);
    arith::populateEmulateUnsupportedFloatsLegality(target, converter);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      return signalPassFailure();
    getOperation()->walk([&](Operation *op) {
      if (auto extend = dyn_cast<arith::ExtFOp>(op))
        extend.setFastmath(arith::FastMathFlags::none);
      if (auto round = dyn_cast<arith::TruncFOp>(op))
        round.setFastmath(arith::FastMathFlags::none);
    });
    RewritePatternSet expansions(context);
    // Not upstream's other expansions: its minimumf and maximumf forget that
    // -0 is less than 0.
    arith::populateExpandBFloat16Patterns(expansions);
    if (failed(applyPatternsGreedily(getOperation(), std::move(expansions))))
      signalPassFailure();
  }
};
} // namespace
