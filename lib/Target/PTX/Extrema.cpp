//===- Extrema.cpp - Largest and smallest of two numbers of 64 bits -------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Cards have an instruction for the maximum of two f32 that takes in NaN and
// tells zeros of both signs apart, and none for f64; LLVM's way around it takes
// about 22 instructions. Here are seven:
//
//   first = x > y or x is NaN         two comparisons, one joined to the other
//   equal = x == y
//   high  = first ? x.high : equal ? x.high & y.high : y.high
//   low   = first ? x.low : y.low
//
// A NaN is `first` if it is x, and is what remains if it is y. Equal numbers
// have the same bits, but for zeros, of which the sign of the maximum is what
// both have, and that of the minimum what one has.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace {
template <typename Op, bool isMax>
struct ConvertExtremum : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getType().isF64())
      return failure();
    Location loc = op.getLoc();
    Value x = adaptor.getLhs(), y = adaptor.getRhs();
    auto isSet = [&](arith::FastMathFlags flag) {
      return arith::bitEnumContainsAll(op.getFastmath(), flag);
    };
    auto compare = [&](LLVM::FCmpPredicate predicate, Value a, Value b) {
      return LLVM::FCmpOp::create(rewriter, loc, predicate, a, b);
    };
    auto pair = VectorType::get({2}, rewriter.getI32Type());
    Value xs = LLVM::BitcastOp::create(rewriter, loc, pair, x);
    Value ys = LLVM::BitcastOp::create(rewriter, loc, pair, y);
    Value at[2], mine[2], others[2];
    for (int k : {0, 1}) {
      at[k] = LLVM::ConstantOp::create(rewriter, loc,
                                       rewriter.getI32IntegerAttr(k));
      mine[k] = LLVM::ExtractElementOp::create(rewriter, loc, xs, at[k]);
      others[k] = LLVM::ExtractElementOp::create(rewriter, loc, ys, at[k]);
    }
    Value first = compare(
        isMax ? LLVM::FCmpPredicate::ogt : LLVM::FCmpPredicate::olt, x, y);
    if (!isSet(arith::FastMathFlags::nnan))
      first = LLVM::OrOp::create(
          rewriter, loc, compare(LLVM::FCmpPredicate::uno, x, x), first);
    if (!isSet(arith::FastMathFlags::nsz)) {
      Value sign = isMax
                       ? LLVM::AndOp::create(rewriter, loc, mine[1], others[1])
                             .getResult()
                       : LLVM::OrOp::create(rewriter, loc, mine[1], others[1])
                             .getResult();
      others[1] = LLVM::SelectOp::create(
          rewriter, loc, compare(LLVM::FCmpPredicate::oeq, x, y), sign,
          others[1]);
    }
    Value words = LLVM::PoisonOp::create(rewriter, loc, pair);
    for (int k : {0, 1}) {
      Value word =
          LLVM::SelectOp::create(rewriter, loc, first, mine[k], others[k]);
      words = LLVM::InsertElementOp::create(rewriter, loc, words, word, at[k]);
    }
    rewriter.replaceOpWithNewOp<LLVM::BitcastOp>(op, x.getType(), words);
    return success();
  }
};
} // namespace

void arrc::ptx::populateExtrema(LLVMTypeConverter &converter,
                                RewritePatternSet &patterns) {
  patterns.add<ConvertExtremum<arith::MaximumFOp, true>,
               ConvertExtremum<arith::MinimumFOp, false>>(converter,
                                                          PatternBenefit(10));
}
