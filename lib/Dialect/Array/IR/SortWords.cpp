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

Value arrc::array::createSortWord(OpBuilder &b, Location loc, Value key,
                                  bool isUnsigned) {
  Type type = key.getType();
  unsigned bits = type.getIntOrFloatBitWidth();
  Type wordType = b.getIntegerType(bits);
  Value sign = createNumber(b, loc, wordType, APInt::getSignMask(bits));
  auto real = dyn_cast<FloatType>(type);
  if (!real)
    return bits == 1 || isUnsigned
               ? key
               : arith::XOrIOp::create(b, loc, key, sign).getResult();
  // Negative numbers in reverse below the others; all NaN at the end.
  Value word = arith::BitcastOp::create(b, loc, wordType, key);
  Value zero = createNumber(b, loc, wordType, APInt::getZero(bits));
  Value all = createNumber(b, loc, wordType, APInt::getAllOnes(bits));
  Value isNegative =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, word, zero);
  Value size = arith::AndIOp::create(
      b, loc, word,
      createNumber(b, loc, wordType, APInt::getSignedMaxValue(bits)));
  Value infinity =
      createNumber(b, loc, wordType,
                   APFloat::getInf(real.getFloatSemantics()).bitcastToAPInt());
  Value isNaN =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, size, infinity);
  Value flip = arith::SelectOp::create(b, loc, isNegative, all, sign);
  word = arith::XOrIOp::create(b, loc, word, flip);
  return arith::SelectOp::create(b, loc, isNaN, all, word);
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
