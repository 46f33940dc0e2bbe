//===- KeyRanges.cpp - How many bits the keys of sorts have ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Keys that the program computes often have a range that follows from how:
// `a[i] % 1000`, `clamp(x[i], 0, 9999)`, what is widened from 8 bits. A sort by
// the difference from the least of them needs the passes of their range alone.
//
// Before   %k = array.map (%i) in (%n) { .. %r = arith.minui %x, %c999 .. }
//          %s = array.sort %k
// After    %s = array.sort %k {array.key_bits = 10, array.least_key = 0}
//
//===----------------------------------------------------------------------===//

#include "EmitSort.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/IR/Binds.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

#include "llvm/ADT/DenseMap.h"

#include <algorithm>

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

namespace {

/// The numbers that values of one body may be.
class BodyRanges {
public:
  ConstantIntRanges get(Value value) {
    if (auto known = ranges.find(value); known != ranges.end())
      return known->second;
    ConstantIntRanges range = find(value);
    ranges.try_emplace(value, range);
    return range;
  }

private:
  static ConstantIntRanges getAll(Value value) {
    return ConstantIntRanges::maxRange(
        ConstantIntRanges::getStorageBitwidth(value.getType()));
  }

  ConstantIntRanges find(Value value) {
    APInt number;
    if (matchPattern(value, m_ConstantInt(&number)))
      return ConstantIntRanges::constant(number);
    Operation *op = value.getDefiningOp();
    auto inferrer = dyn_cast_if_present<InferIntRangeInterface>(op);
    if (!inferrer || op->getNumRegions() ||
        !llvm::all_of(op->getOperandTypes(),
                      [](Type type) { return type.isIntOrIndex(); }))
      return getAll(value);
    SmallVector<ConstantIntRanges> operands;
    for (Value operand : op->getOperands())
      operands.push_back(get(operand));
    std::optional<ConstantIntRanges> found;
    inferrer.inferResultRanges(
        operands, [&](Value result, const ConstantIntRanges &range) {
          if (result == value)
            found = range;
        });
    return found ? *found : getAll(value);
  }

  llvm::DenseMap<Value, ConstantIntRanges> ranges;
};

} // namespace

/// Notes the range of the keys of `sort`, if they are computed and have less
/// bits than their type.
static void findKeyRange(SortOp sort) {
  auto type = dyn_cast<IntegerType>(sort.getKeyType());
  auto keys = dyn_cast<OpResult>(skipBinds(sort.getKeys()));
  auto map = keys ? dyn_cast<MapOp>(keys.getOwner()) : MapOp();
  if (!type || !map || type.getWidth() > 64)
    return;
  auto yield = cast<YieldOp>(map.getBody().front().getTerminator());
  ConstantIntRanges range =
      BodyRanges().get(yield.getValues()[keys.getResultNumber()]);
  APInt least = sort.getIsUnsigned() ? range.umin() : range.smin();
  APInt most = sort.getIsUnsigned() ? range.umax() : range.smax();
  unsigned bits = std::max(1u, (most - least).getActiveBits());
  if (bits >= type.getWidth())
    return;
  OpBuilder b(sort);
  sort->setAttr(kKeyBitsAttr, b.getI64IntegerAttr(bits));
  sort->setAttr(kLeastKeyAttr, b.getIntegerAttr(type, least));
}

void arrc::findKeyRanges(func::FuncOp func) {
  func.walk([](SortOp sort) {
    if (!sort->hasAttr(kKeyBitsAttr))
      findKeyRange(sort);
  });
}
