//===- Extrema.cpp - Largest and smallest values in lanes -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A maximum that takes in NaN and tells zeros of both signs apart is a chain of
// six instructions on most processors. Floats of one sign are in the order of
// their bits, NaN behind infinity, so that for those of 32 bits three integers
// say all that it has to know:
//
//   %s = maxsi %s, bits of %x      the largest that is not negative, or a NaN
//   %l = minui %l, bits of %x      if all are negative, the largest
//   %u = maxui %u, bits of %x      the smallest of the negative, or their NaN
//
// They stay apart from loop to loop and through operations between loops
// (`Extremum`); lanes are folded by one integer in which the bits of negative
// numbers are turned around. Values without a sign, sizes of changes for one,
// need `%s` alone.
//
// Of 64 bits, for which processors lack these instructions:
//
//   %m = %x > %m ? %x : %m        one instruction; skips NaN, keeps either zero
//   %n = %n or %x unordered       whether there was a NaN
//   %s = %s and bits of %x        whether some zero, if %m is one, was positive
//
// The result is what the chain would have given, but for the payload of a NaN.
//
//===----------------------------------------------------------------------===//

#include "LaunchEmitter.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

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

/// Whether `value` is chosen, by branches and maxima, from absolute values and
/// constants that `allows` takes.
static bool isMaximumOf(Value value,
                        function_ref<bool(const APFloat &)> allows) {
  FloatAttr number;
  if (matchPattern(value, m_Constant(&number)))
    return allows(number.getValue());
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return false;
  Operation *op = result.getOwner();
  unsigned position = result.getResultNumber();
  auto is = [&](Value other) { return isMaximumOf(other, allows); };
  if (isa<math::AbsFOp>(op))
    return true;
  if (isa<arith::SelectOp>(op))
    return is(op->getOperand(1)) && is(op->getOperand(2));
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return is(branch.thenYield().getOperand(position)) &&
           is(branch.elseYield().getOperand(position));
  if (isa<arith::MaximumFOp>(op))
    return llvm::all_of(op->getOperands(), is);
  auto fold = dyn_cast<kernel::ForOp>(op);
  return fold && fold.isReduce() &&
         isa_and_present<arith::MaximumFOp>(
             getCombinerOp(fold.getCombiner(), position)) &&
         is(fold.getSeeds()[position]) &&
         is(fold.getYield().getValues()[position]);
}

/// Whether the sign of `value` is never set, but maybe that of an infinity: the
/// neutral element of a maximum.
static bool hasNoSign(Value value) {
  return isMaximumOf(value, [](const APFloat &number) {
    return !number.isNegative() || number.isInfinity();
  });
}

/// Whether `value` is not the zero with a sign, as far as can be seen.
static bool isNeverMinusZero(Value value) {
  return isMaximumOf(value,
                     [](const APFloat &number) { return !number.isNegZero(); });
}

void LaunchEmitter::markZeros() {
  launch.getBody().walk([&](kernel::ForOp fold) {
    if (!fold.isReduce())
      return;
    auto ops = fold.getCombiner().front().without_terminator();
    bool known =
        llvm::all_of(
            ops, [](Operation &op) { return isa<arith::MaximumFOp>(op); }) &&
        llvm::all_of(fold.getSeeds(), isNeverMinusZero) &&
        llvm::all_of(fold.getYield().getValues(), isNeverMinusZero);
    if (!known)
      return;
    for (Operation &op : ops) {
      auto maximum = cast<arith::MaximumFOp>(op);
      maximum.setFastmath(maximum.getFastmath() | arith::FastMathFlags::nsz);
    }
  });
}

//===----------------------------------------------------------------------===//
// Three integers
//===----------------------------------------------------------------------===//

/// `value` in every element of `like`'s type.
static Value splat(OpBuilder &b, Location loc, Type like, int64_t value) {
  auto type = cast<VectorType>(like);
  unsigned width = type.getElementTypeBitWidth();
  return arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(type,
                             APInt(64, value, /*isSigned=*/true).trunc(width)));
}

static Value toBits(OpBuilder &b, Location loc, Value value) {
  Type type = value.getType();
  Type bits =
      b.getIntegerType(getElementTypeOrSelf(type).getIntOrFloatBitWidth());
  if (auto vector = dyn_cast<VectorType>(type))
    bits = vector.clone(bits);
  return arith::BitcastOp::create(b, loc, bits, value);
}

/// The bits of negative numbers in the order of the others, and back.
static Value turnNegatives(OpBuilder &b, Location loc, Value bits) {
  auto constant = [&](int64_t value) -> Value {
    if (isa<VectorType>(bits.getType()))
      return splat(b, loc, bits.getType(), value);
    return arith::ConstantOp::create(b, loc,
                                     b.getIntegerAttr(bits.getType(), value));
  };
  Value sign = arith::ShRSIOp::create(b, loc, bits, constant(31));
  Value turned = arith::AndIOp::create(b, loc, sign, constant(0x7fffffff));
  return arith::XOrIOp::create(b, loc, bits, turned);
}

LaunchEmitter::Extremum LaunchEmitter::getExtremum(Location loc, Value value,
                                                   bool isMaximum,
                                                   bool isSigned) {
  auto known = extrema.find(value);
  if (known != extrema.end() && known->second.isMaximum == isMaximum &&
      (known->second.parts.size() == 3) == isSigned)
    return known->second;
  return {SmallVector<Value>(isSigned ? 3 : 1, toBits(b, loc, value)),
          isMaximum};
}

LaunchEmitter::Extremum
LaunchEmitter::joinExtrema(Location loc, const Extremum &a, const Extremum &c) {
  Extremum joined{{arith::MaxSIOp::create(b, loc, a.parts[0], c.parts[0])},
                  a.isMaximum};
  if (a.parts.size() == 3) {
    joined.parts.push_back(
        arith::MinUIOp::create(b, loc, a.parts[1], c.parts[1]));
    joined.parts.push_back(
        arith::MaxUIOp::create(b, loc, a.parts[2], c.parts[2]));
  }
  return joined;
}

/// The bits of the result, of a NaN such that the others are on one side of it.
static Value getResultBits(OpBuilder &b, Location loc, ArrayRef<Value> parts,
                           bool isMaximum) {
  if (parts.size() == 1)
    return parts[0];
  using Predicate = arith::CmpIPredicate;
  Type type = parts[0].getType();
  Value first = isMaximum ? parts[0] : parts[2];
  Value isNegative = arith::CmpIOp::create(b, loc, Predicate::slt, first,
                                           splat(b, loc, type, 0));
  Value bits =
      isMaximum ? arith::SelectOp::create(b, loc, isNegative, parts[1], first)
                : arith::SelectOp::create(b, loc, isNegative, first, parts[1]);
  // A NaN without a sign is the largest already.
  Value isNaN = arith::CmpIOp::create(b, loc, Predicate::ugt, parts[2],
                                      splat(b, loc, type, int64_t(0xff800000)));
  if (!isMaximum)
    isNaN = arith::OrIOp::create(
        b, loc, isNaN,
        arith::CmpIOp::create(b, loc, Predicate::sgt, parts[0],
                              splat(b, loc, type, 0x7f800000)));
  return arith::SelectOp::create(
      b, loc, isNaN, splat(b, loc, type, isMaximum ? 0x7fffffff : -1), bits);
}

Value LaunchEmitter::setExtremum(Location loc, const Extremum &extremum) {
  Value bits = getResultBits(b, loc, extremum.parts, extremum.isMaximum);
  auto type = cast<VectorType>(bits.getType()).clone(b.getF32Type());
  Value value = arith::BitcastOp::create(b, loc, type, bits);
  extrema[value] = extremum;
  return value;
}

bool LaunchEmitter::emitExtremum(Operation &op) {
  if (!lanes || !isa<arith::MaximumFOp, arith::MinimumFOp>(op))
    return false;
  auto lhs = extrema.find(lookup(op.getOperand(0)).value);
  auto rhs = extrema.find(lookup(op.getOperand(1)).value);
  bool isMaximum = isa<arith::MaximumFOp>(op);
  if (lhs == extrema.end() || rhs == extrema.end() ||
      lhs->second.isMaximum != isMaximum ||
      rhs->second.isMaximum != isMaximum ||
      lhs->second.parts.size() != rhs->second.parts.size())
    return false;
  Extremum joined = joinExtrema(op.getLoc(), lhs->second, rhs->second);
  set(op.getResult(0), LaneValue{setExtremum(op.getLoc(), joined), 0, true});
  return true;
}

bool LaunchEmitter::foldExtremumLanes(kernel::ForOp loop,
                                      SmallVectorImpl<LaneValue> &folded) {
  bool ignoresSigns;
  bool isMaximum = isFoldOf<arith::MaximumFOp>(loop, ignoresSigns);
  if (!isMaximum && !isFoldOf<arith::MinimumFOp>(loop, ignoresSigns))
    return false;
  if (!llvm::all_of(folded, [&](LaneValue value) {
        auto known = extrema.find(value.value);
        return known != extrema.end() && known->second.isMaximum == isMaximum;
      }))
    return false;
  Location loc = loop.getLoc();
  SmallVector<Value> keys;
  for (LaneValue value : folded) {
    const Extremum &extremum = extrema.find(value.value)->second;
    keys.push_back(turnNegatives(
        b, loc, getResultBits(b, loc, extremum.parts, isMaximum)));
  }
  StringRef op = isMaximum ? arith::MaxSIOp::getOperationName()
                           : arith::MinSIOp::getOperationName();
  for (auto [value, key] : llvm::zip(folded, foldTogether(loc, op, {}, keys)))
    value = {arith::BitcastOp::create(b, loc, b.getF32Type(),
                                      turnNegatives(b, loc, key))};
  return true;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

FailureOr<scf::ForOp> LaunchEmitter::emitFoldLoop(
    kernel::ForOp loop, Value begin, Value end, ValueRange initial,
    function_ref<SmallVector<Value>(ValueRange)> getNext) {
  Location loc = loop.getLoc();
  Value one = constantIndex(loc, 1).value;
  auto code = scf::ForOp::create(b, loc, begin, end, one, initial);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(code.getBody());
  set(loop.getInductionVar(), code.getInductionVar());
  enterLoop(loop, {code.getInductionVar()});
  if (failed(emitBody(*loop.getBodyBlock())))
    return failure();
  digits.pop_back();
  scf::YieldOp::create(b, loc, getNext(code.getRegionIterArgs()));
  return code;
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
  bool isWide = llvm::any_of(loop.getResultTypes(),
                             [](Type type) { return type.isF64(); });
  if (isWide)
    return emitWideExtremumFor(loop, begin, end, seeds, isMaximum, ignoresSigns,
                               results);
  SmallVector<bool> isSigned;
  for (Value result : loop.getResults())
    isSigned.push_back(!isMaximum || !hasNoSign(result));
  SmallVector<Value> initial;
  for (auto [seed, hasSign] : llvm::zip(seeds, isSigned))
    llvm::append_range(
        initial,
        getExtremum(loc, toVector(loc, seed), isMaximum, hasSign).parts);
  auto split = [&](ValueRange values) {
    SmallVector<Extremum> all;
    for (bool hasSign : isSigned) {
      unsigned count = hasSign ? 3 : 1;
      all.push_back({SmallVector<Value>(values.take_front(count)), isMaximum});
      values = values.drop_front(count);
    }
    return all;
  };
  auto code = emitFoldLoop(loop, begin, end, initial, [&](ValueRange all) {
    SmallVector<Value> yielded;
    for (auto [before, hasSign, result] :
         llvm::zip(split(all), isSigned, loop.getYield().getValues())) {
      Value value = toVector(loc, lookup(result));
      llvm::append_range(
          yielded,
          joinExtrema(loc, before, getExtremum(loc, value, isMaximum, hasSign))
              .parts);
    }
    return yielded;
  });
  if (failed(code))
    return failure();
  for (const Extremum &extremum : split(code->getResults()))
    results.push_back({setExtremum(loc, extremum), 0, true});
  return success();
}

LogicalResult LaunchEmitter::emitWideExtremumFor(
    kernel::ForOp loop, Value begin, Value end, ArrayRef<LaneValue> seeds,
    bool isMaximum, bool ignoresSigns, SmallVectorImpl<LaneValue> &results) {
  Location loc = loop.getLoc();
  auto order =
      isMaximum ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
  // As wide as the values: a vector of bits would be packed around the loop.
  auto isNaN = [&](Value value) -> Value {
    Value is =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, value, value);
    auto type = cast<VectorType>(value.getType());
    Type wide = b.getIntegerType(type.getElementTypeBitWidth());
    return arith::ExtSIOp::create(b, loc, type.clone(wide), is);
  };
  unsigned each = ignoresSigns ? 2 : 3;
  SmallVector<Value> initial;
  for (LaneValue seed : seeds) {
    Value value = toVector(loc, seed);
    initial.push_back(value);
    initial.push_back(isNaN(value));
    if (!ignoresSigns)
      initial.push_back(toBits(b, loc, value));
  }
  auto code = emitFoldLoop(loop, begin, end, initial, [&](ValueRange all) {
    SmallVector<Value> yielded;
    for (auto [position, result] :
         llvm::enumerate(loop.getYield().getValues())) {
      ValueRange before = all.slice(position * each, each);
      Value value = toVector(loc, lookup(result));
      Value more = arith::CmpFOp::create(b, loc, order, value, before[0]);
      yielded.push_back(
          arith::SelectOp::create(b, loc, more, value, before[0]));
      yielded.push_back(arith::OrIOp::create(b, loc, before[1], isNaN(value)));
      if (ignoresSigns)
        continue;
      Value bits = toBits(b, loc, value);
      yielded.push_back(
          isMaximum ? Value(arith::AndIOp::create(b, loc, before[2], bits))
                    : Value(arith::OrIOp::create(b, loc, before[2], bits)));
    }
    return yielded;
  });
  if (failed(code))
    return failure();
  for (size_t position = 0; position < seeds.size(); ++position) {
    auto parts = code->getResults().slice(position * each, each);
    Value value = parts[0];
    auto type = cast<VectorType>(value.getType());
    auto element = cast<FloatType>(type.getElementType());
    auto splatFloat = [&](Attribute number) -> Value {
      return arith::ConstantOp::create(b, loc,
                                       DenseElementsAttr::get(type, number));
    };
    if (!ignoresSigns) {
      Value sign = arith::ConstantOp::create(
          b, loc,
          DenseElementsAttr::get(cast<VectorType>(parts[2].getType()),
                                 APInt::getSignMask(element.getWidth())));
      Value bits = arith::AndIOp::create(b, loc, parts[2], sign);
      Value zero = arith::BitcastOp::create(b, loc, type, bits);
      Value isZero =
          arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, value,
                                splatFloat(b.getFloatAttr(element, 0.0)));
      value = arith::SelectOp::create(b, loc, isZero, zero, value);
    }
    Value nan = splatFloat(
        b.getFloatAttr(element, APFloat::getQNaN(element.getFloatSemantics())));
    Value wasNaN =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, parts[1],
                              splat(b, loc, parts[1].getType(), 0));
    results.push_back(
        {arith::SelectOp::create(b, loc, wasNaN, nan, value), 0, true});
  }
  return success();
}
