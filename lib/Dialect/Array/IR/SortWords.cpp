//===- SortWords.cpp - Keys as unsigned integers --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Array/IR/SortWords.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

static Value createNumber(OpBuilder &b, Location loc, Type type,
                          const APInt &bits) {
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, bits));
}

/// The bits of a float so that negative numbers are in reverse below the
/// others.
static Value createOrdered(OpBuilder &b, Location loc, Value word) {
  Type type = word.getType();
  unsigned bits = type.getIntOrFloatBitWidth();
  Value zero = createNumber(b, loc, type, APInt::getZero(bits));
  Value all = createNumber(b, loc, type, APInt::getAllOnes(bits));
  Value sign = createNumber(b, loc, type, APInt::getSignMask(bits));
  Value isNegative =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, word, zero);
  Value flip = arith::SelectOp::create(b, loc, isNegative, all, sign);
  return arith::XOrIOp::create(b, loc, word, flip);
}

Value arrc::array::createSortWord(OpBuilder &b, Location loc, Value key,
                                  bool isUnsigned) {
  Type type = key.getType();
  unsigned bits = type.getIntOrFloatBitWidth();
  Type wordType = b.getIntegerType(bits);
  auto real = dyn_cast<FloatType>(type);
  if (!real) {
    if (bits == 1 || isUnsigned)
      return key;
    Value sign = createNumber(b, loc, wordType, APInt::getSignMask(bits));
    return arith::XOrIOp::create(b, loc, key, sign);
  }
  // All NaN at the end.
  Value word = arith::BitcastOp::create(b, loc, wordType, key);
  Value all = createNumber(b, loc, wordType, APInt::getAllOnes(bits));
  Value size = arith::AndIOp::create(
      b, loc, word,
      createNumber(b, loc, wordType, APInt::getSignedMaxValue(bits)));
  Value infinity =
      createNumber(b, loc, wordType,
                   APFloat::getInf(real.getFloatSemantics()).bitcastToAPInt());
  Value isNaN =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, size, infinity);
  return arith::SelectOp::create(b, loc, isNaN, all,
                                 createOrdered(b, loc, word));
}

Value arrc::array::createSortKey(OpBuilder &b, Location loc, Value word,
                                 Type type, bool isUnsigned) {
  unsigned bits = type.getIntOrFloatBitWidth();
  Type wordType = word.getType();
  Value sign = createNumber(b, loc, wordType, APInt::getSignMask(bits));
  if (!isa<FloatType>(type))
    return bits == 1 || isUnsigned
               ? word
               : arith::XOrIOp::create(b, loc, word, sign).getResult();
  // Words of numbers that are not negative have their first bit.
  Value zero = createNumber(b, loc, wordType, APInt::getZero(bits));
  Value all = createNumber(b, loc, wordType, APInt::getAllOnes(bits));
  Value isPositive =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, word, zero);
  Value flip = arith::SelectOp::create(b, loc, isPositive, sign, all);
  return arith::BitcastOp::create(b, loc, type,
                                  arith::XOrIOp::create(b, loc, word, flip));
}

/// The ordered bits of the least number: below are NaN with a sign, as many as
/// there is room for behind the others.
static Value createLeast(OpBuilder &b, Location loc, FloatType type) {
  APInt bits = APFloat::getInf(type.getFloatSemantics(), /*Negative=*/true)
                   .bitcastToAPInt();
  return createNumber(b, loc, b.getIntegerType(type.getWidth()), ~bits);
}

Value arrc::array::createExactWord(OpBuilder &b, Location loc, Value key,
                                   bool isUnsigned) {
  auto real = dyn_cast<FloatType>(key.getType());
  if (!real)
    return createSortWord(b, loc, key, isUnsigned);
  Value word =
      arith::BitcastOp::create(b, loc, b.getIntegerType(real.getWidth()), key);
  return arith::SubIOp::create(b, loc, createOrdered(b, loc, word),
                               createLeast(b, loc, real));
}

Value arrc::array::createExactKey(OpBuilder &b, Location loc, Value word,
                                  Type type, bool isUnsigned) {
  if (auto real = dyn_cast<FloatType>(type))
    word = arith::AddIOp::create(b, loc, word, createLeast(b, loc, real));
  return createSortKey(b, loc, word, type, isUnsigned);
}
