//===- Extrema.cpp - Largest and smallest values in lanes -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A maximum that takes in NaN and tells zeros of both signs apart is a chain of
// six instructions on most processors. In a loop it comes apart, for each
// accumulator:
//
//   %m = %x > %m ? %x : %m        one instruction; skips NaN, keeps either zero
//   %n = %n or %x unordered       whether there was a NaN
//   %s = %s and bits of %x        whether some zero, if %m is one, was positive
//
// and behind the loop the three give what the chain would have given, but for
// the payload of a NaN.
//
//===----------------------------------------------------------------------===//

#include "LaunchEmitter.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace arrc;

/// Whether every accumulator of the fold is combined by `Op`; `ignoresSigns` if
/// zeros of both signs never meet.
template <typename Op>
static bool isFoldOf(kernel::ForOp loop, bool &ignoresSigns) {
  Block &block = loop.getCombiner().front();
  unsigned count = loop.getSeeds().size();
  ignoresSigns = true;
  for (auto [position, value] :
       llvm::enumerate(block.getTerminator()->getOperands())) {
    auto op = value.getDefiningOp<Op>();
    if (!op || op.getLhs() != block.getArgument(position) ||
        op.getRhs() != block.getArgument(count + position) ||
        op.getFastmath() != (op.getFastmath() & arith::FastMathFlags::nsz) ||
        !isa<Float32Type, Float64Type>(op.getType()))
      return false;
    ignoresSigns &= op.getFastmath() == arith::FastMathFlags::nsz;
  }
  return true;
}

bool LaunchEmitter::isExtremumFor(kernel::ForOp loop) {
  bool ignoresSigns;
  return lanes != 0 && loop.isReduce() &&
         (isFoldOf<arith::MaximumFOp>(loop, ignoresSigns) ||
          isFoldOf<arith::MinimumFOp>(loop, ignoresSigns));
}

LogicalResult
LaunchEmitter::emitExtremumFor(kernel::ForOp loop, Value begin, Value end,
                               ArrayRef<LaneValue> seeds,
                               SmallVectorImpl<LaneValue> &results) {
  Location loc = loop.getLoc();
  bool ignoresSigns;
  bool isMaximum = isFoldOf<arith::MaximumFOp>(loop, ignoresSigns);
  if (!isMaximum)
    isFoldOf<arith::MinimumFOp>(loop, ignoresSigns);
  auto order =
      isMaximum ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
  auto toBits = [&](Value value) -> Value {
    auto type = cast<VectorType>(value.getType());
    Type bits = b.getIntegerType(type.getElementTypeBitWidth());
    return arith::BitcastOp::create(b, loc, type.clone(bits), value);
  };
  auto isNaN = [&](Value value) -> Value {
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, value,
                                 value);
  };
  unsigned each = ignoresSigns ? 2 : 3;
  SmallVector<Value> initial;
  for (LaneValue seed : seeds) {
    Value value = toVector(loc, seed);
    initial.push_back(value);
    initial.push_back(isNaN(value));
    if (!ignoresSigns)
      initial.push_back(toBits(value));
  }
  Value one = constantIndex(loc, 1).value;
  auto code = scf::ForOp::create(b, loc, begin, end, one, initial);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(code.getBody());
    set(loop.getInductionVar(), code.getInductionVar());
    indices.push_back({{code.getInductionVar()}, getExtent(loop)});
    if (failed(emitBody(*loop.getBodyBlock())))
      return failure();
    indices.pop_back();
    SmallVector<Value> yielded;
    for (auto [position, result] :
         llvm::enumerate(loop.getYield().getValues())) {
      auto before = code.getRegionIterArgs().slice(position * each, each);
      Value value = toVector(loc, lookup(result));
      Value more = arith::CmpFOp::create(b, loc, order, value, before[0]);
      yielded.push_back(
          arith::SelectOp::create(b, loc, more, value, before[0]));
      yielded.push_back(arith::OrIOp::create(b, loc, before[1], isNaN(value)));
      if (ignoresSigns)
        continue;
      Value bits = toBits(value);
      yielded.push_back(
          isMaximum ? Value(arith::AndIOp::create(b, loc, before[2], bits))
                    : Value(arith::OrIOp::create(b, loc, before[2], bits)));
    }
    scf::YieldOp::create(b, loc, yielded);
  }
  for (size_t position = 0; position < seeds.size(); ++position) {
    auto parts = code.getResults().slice(position * each, each);
    Value value = parts[0];
    auto type = cast<VectorType>(value.getType());
    auto element = cast<FloatType>(type.getElementType());
    auto splat = [&](Type of, Attribute number) -> Value {
      return arith::ConstantOp::create(
          b, loc, DenseElementsAttr::get(type.clone(of), number));
    };
    if (!ignoresSigns) {
      Type integer = b.getIntegerType(element.getWidth());
      Value sign = splat(
          integer,
          b.getIntegerAttr(integer, APInt::getSignMask(element.getWidth())));
      Value bits = arith::AndIOp::create(b, loc, parts[2], sign);
      Value zero = arith::BitcastOp::create(b, loc, type, bits);
      Value isZero =
          arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, value,
                                splat(element, b.getFloatAttr(element, 0.0)));
      value = arith::SelectOp::create(b, loc, isZero, zero, value);
    }
    Value nan = splat(
        element,
        b.getFloatAttr(element, APFloat::getQNaN(element.getFloatSemantics())));
    results.push_back(
        {arith::SelectOp::create(b, loc, parts[1], nan, value), 0, true});
  }
  return success();
}
