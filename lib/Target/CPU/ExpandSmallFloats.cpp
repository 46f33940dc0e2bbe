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
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace arrc::cpu {
#define GEN_PASS_DEF_EXPANDSMALLFLOATSPASS
#include "arrc/Target/CPU/Passes.h.inc"
} // namespace arrc::cpu

using namespace mlir;

namespace {
/// f64 to bf16 by way of f32 must not round twice: the first time to odd, that
/// is toward zero with the last bit set where anything was lost.
struct ExpandDoubleToBFloat : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp round,
                                PatternRewriter &b) const override {
    Type from = round.getIn().getType(), to = round.getType();
    if (!getElementTypeOrSelf(from).isF64() ||
        !getElementTypeOrSelf(to).isBF16())
      return failure();
    Location loc = round.getLoc();
    auto like = [&](Type element) -> Type {
      auto vector = dyn_cast<VectorType>(from);
      return vector ? Type(vector.clone(element)) : element;
    };
    Type f32 = like(b.getF32Type()), i32 = like(b.getI32Type());
    Value near = arith::TruncFOp::create(b, loc, f32, round.getIn());
    Value back = arith::ExtFOp::create(b, loc, from, near);
    auto compare = [&](arith::CmpFPredicate by, Value lhs, Value rhs) -> Value {
      Value is = arith::CmpFOp::create(b, loc, by, lhs, rhs);
      return arith::ExtUIOp::create(b, loc, i32, is);
    };
    Value lost = compare(arith::CmpFPredicate::ONE, back, round.getIn());
    Value away =
        compare(arith::CmpFPredicate::OGT, math::AbsFOp::create(b, loc, back),
                math::AbsFOp::create(b, loc, round.getIn()));
    Value bits = arith::BitcastOp::create(b, loc, i32, near);
    bits = arith::SubIOp::create(b, loc, bits, away);
    bits = arith::OrIOp::create(b, loc, bits, lost);
    Value odd = arith::BitcastOp::create(b, loc, f32, bits);
    b.replaceOpWithNewOp<arith::TruncFOp>(round, to, odd);
    return success();
  }
};

/// bf16 to f64 by way of f32, which targets that have no bf16 make of its bits.
struct ExpandBFloatToDouble : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp extend,
                                PatternRewriter &b) const override {
    Type to = extend.getType();
    if (!getElementTypeOrSelf(extend.getIn().getType()).isBF16() ||
        !getElementTypeOrSelf(to).isF64())
      return failure();
    Type f32 = b.getF32Type();
    if (auto vector = dyn_cast<VectorType>(to))
      f32 = vector.clone(f32);
    Value single =
        arith::ExtFOp::create(b, extend.getLoc(), f32, extend.getIn());
    b.replaceOpWithNewOp<arith::ExtFOp>(extend, to, single);
    return success();
  }
};

/// Integers to bf16 by way of f64, which holds those of 53 bits; of longer ones
/// the bits below those become one that says whether there were any, so that
/// the conversion is exact and the rounding behind it the only one.
template <typename Op> struct ExpandIntToBFloat : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op convert, PatternRewriter &b) const override {
    Type to = convert.getType();
    Value in = convert.getIn();
    if (!getElementTypeOrSelf(to).isBF16())
      return failure();
    Location loc = convert.getLoc();
    Type from = in.getType();
    constexpr bool isSigned = std::is_same_v<Op, arith::SIToFPOp>;
    if (getElementTypeOrSelf(from).getIntOrFloatBitWidth() == 64) {
      auto number = [&](int64_t value) -> Value {
        TypedAttr attr = b.getI64IntegerAttr(value);
        if (auto vector = dyn_cast<VectorType>(from))
          attr = DenseElementsAttr::get(vector, attr);
        return arith::ConstantOp::create(b, loc, attr);
      };
      constexpr int64_t bits = int64_t(1) << 53, below = (1 << 11) - 1;
      Value top = arith::AndIOp::create(b, loc, in, number(~below));
      Value rest = arith::AndIOp::create(b, loc, in, number(below));
      // One where anything is set below, carried to the last bit that stays.
      Value carried = arith::AddIOp::create(b, loc, rest, number(below));
      carried = arith::AndIOp::create(b, loc, carried, number(below + 1));
      Value sticky = arith::OrIOp::create(b, loc, top, carried);
      // -2^53 <= in < 2^53, as one comparison of the shifted number.
      Value shifted =
          isSigned ? arith::AddIOp::create(b, loc, in, number(bits)) : in;
      Value fits =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, shifted,
                                number(isSigned ? 2 * bits : bits));
      in = arith::SelectOp::create(b, loc, fits, in, sticky);
    }
    Type f64 = b.getF64Type();
    if (auto vector = dyn_cast<VectorType>(to))
      f64 = vector.clone(f64);
    Value exact = Op::create(b, loc, f64, in);
    b.replaceOpWithNewOp<arith::TruncFOp>(convert, to, exact);
    return success();
  }
};

/// A fused operation in f32, as every other one, and rounded.
struct ExpandBFloatFma : OpRewritePattern<math::FmaOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::FmaOp fma,
                                PatternRewriter &b) const override {
    Type to = fma.getType();
    if (!getElementTypeOrSelf(to).isBF16())
      return failure();
    Location loc = fma.getLoc();
    Type f32 = b.getF32Type();
    if (auto vector = dyn_cast<VectorType>(to))
      f32 = vector.clone(f32);
    auto extend = [&](Value value) -> Value {
      return arith::ExtFOp::create(b, loc, f32, value);
    };
    Value wide = math::FmaOp::create(b, loc, extend(fma.getA()),
                                     extend(fma.getB()), extend(fma.getC()));
    b.replaceOpWithNewOp<arith::TruncFOp>(fma, to, wide);
    return success();
  }
};

/// Applies patterns and nothing else: with all that folds and with blocks that
/// merge, a program of many blocks is not done after the rounds that there are,
/// which is a failure.
static LogicalResult applyAlone(Operation *op, RewritePatternSet &&patterns) {
  GreedyRewriteConfig config;
  config.enableFolding(false).setRegionSimplificationLevel(
      GreedySimplifyRegionLevel::Disabled);
  return applyPatternsGreedily(op, std::move(patterns), config);
}

struct ExpandSmallFloatsPass
    : arrc::cpu::impl::ExpandSmallFloatsPassBase<ExpandSmallFloatsPass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    // Before upstream's, which round twice.
    RewritePatternSet conversions(context);
    conversions.add<ExpandDoubleToBFloat, ExpandBFloatToDouble,
                    ExpandIntToBFloat<arith::SIToFPOp>,
                    ExpandIntToBFloat<arith::UIToFPOp>, ExpandBFloatFma>(
        context);
    if (failed(applyAlone(getOperation(), std::move(conversions))))
      return signalPassFailure();
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
    if (failed(applyAlone(getOperation(), std::move(expansions))))
      signalPassFailure();
  }
};
} // namespace
