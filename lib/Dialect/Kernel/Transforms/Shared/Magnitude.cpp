//===- Magnitude.cpp - How large the terms of an index are ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Magnitude.h"

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Support/IndexLimits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Sums of two numbers below this are no overflow.
static constexpr int64_t kLimit = int64_t(1) << 61;
/// Operations that a number is followed through.
static constexpr unsigned kDepth = 12;

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

static ConstantIntRanges makeRange(int64_t least, int64_t most) {
  return ConstantIntRanges::fromSigned(APInt(64, least, /*isSigned=*/true),
                                       APInt(64, most, /*isSigned=*/true));
}

/// Everything that 64 bits hold.
static ConstantIntRanges getAny() { return ConstantIntRanges::maxRange(64); }

namespace {
/// What values of a launch are, by what they are computed of. `unknown` is the
/// range of a number of the program.
class RangeFinder {
public:
  explicit RangeFinder(ConstantIntRanges unknown)
      : unknown(std::move(unknown)) {}

  ConstantIntRanges get(Value value, unsigned depth = 0) const;

private:
  ConstantIntRanges getOfArgument(BlockArgument argument, unsigned depth) const;
  ConstantIntRanges getOfResult(Value value, unsigned depth) const;

  ConstantIntRanges unknown;
};
} // namespace

/// What counts iterations or elements, or is computed of such on the host.
ConstantIntRanges RangeFinder::getOfArgument(BlockArgument argument,
                                             unsigned depth) const {
  // A digit of an index has as many steps less as it counts in larger ones.
  RangeFinder counts(makeRange(-maxIndex, maxIndex));
  auto getLast = [&](Value end) {
    int64_t most = counts.get(end, depth + 1).smax().getSExtValue();
    return std::clamp<int64_t>(most, 1, maxIndex) - 1;
  };
  if (ForOp loop = getLoopOf(argument)) {
    std::optional<int64_t> extent = loop.getStaticExtent();
    return makeRange(0, extent ? std::max<int64_t>(*extent - 1, 0)
                               : getLast(loop.getExtent()));
  }
  Operation *around = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(around);
      loop && loop.getInductionVar() == argument) {
    int64_t from = get(loop.getLowerBound(), depth + 1).smin().getSExtValue();
    return makeRange(from, std::max(from, getLast(loop.getUpperBound())));
  }
  auto launch = dyn_cast<LaunchOp>(around);
  if (!launch)
    return unknown;
  return launch.isSize(argument)
             ? makeRange(0, maxGivenSize)
             : get(launch.getOperandOf(argument).get(), depth + 1);
}

ConstantIntRanges RangeFinder::getOfResult(Value value, unsigned depth) const {
  Operation *op = value.getDefiningOp();
  if (isa<memref::DimOp, tensor::DimOp>(op))
    return makeRange(0, maxGivenSize);
  if (auto cast = dyn_cast<arith::IndexCastOp>(op))
    if (cast.getIn().getType().isInteger(64) || cast.getType().isInteger(64))
      return get(cast.getIn(), depth + 1);
  if (!isa<InferIntRangeInterface>(op) ||
      !llvm::all_of(op->getOperandTypes(),
                    [](Type type) { return type.isIntOrIndex(); }))
    return unknown;
  SmallVector<ConstantIntRanges> operands;
  for (Value operand : op->getOperands())
    operands.push_back(get(operand, depth + 1));
  ConstantIntRanges found = unknown;
  cast<InferIntRangeInterface>(op).inferResultRanges(
      operands, [&](Value result, const ConstantIntRanges &range) {
        if (result == value)
          found = range;
      });
  return found;
}

ConstantIntRanges RangeFinder::get(Value value, unsigned depth) const {
  unsigned bits = ConstantIntRanges::getStorageBitwidth(value.getType());
  if (bits != 64)
    return ConstantIntRanges::maxRange(bits);
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return makeRange(*constant, *constant);
  if (depth >= kDepth)
    return unknown;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return getOfArgument(argument, depth);
  return getOfResult(value, depth);
}

//===----------------------------------------------------------------------===//
// Magnitudes
//===----------------------------------------------------------------------===//

std::optional<int64_t> arrc::kernel::getMagnitude(Value value) {
  if (auto type = dyn_cast<IntegerType>(value.getType());
      type && type.getWidth() <= 32)
    return int64_t(1) << type.getWidth();
  ConstantIntRanges range = RangeFinder(getAny()).get(value);
  int64_t least = range.smin().getSExtValue(),
          most = range.smax().getSExtValue();
  if (least <= -kLimit || most >= kLimit)
    return std::nullopt;
  return std::max(std::abs(least), std::abs(most));
}

bool arrc::kernel::isWithin(const LinearIndex &index,
                            std::optional<int64_t> others) {
  if (index.getConstant() <= -kLimit || index.getConstant() >= kLimit)
    return false;
  int64_t sum = std::abs(index.getConstant());
  for (auto [value, factor] : index.getTerms()) {
    std::optional<int64_t> term = getMagnitude(value);
    if (!term)
      term = others;
    int64_t product;
    if (!term || __builtin_mul_overflow(*term, factor, &product) ||
        product <= -kLimit || product >= kLimit)
      return false;
    sum += std::abs(product);
    if (sum >= kLimit)
      return false;
  }
  return true;
}

bool arrc::kernel::isExact(const LinearIndex &index) {
  bool isValue = index.getTerms().size() == 1 &&
                 index.getTerms().front().second == 1 && !index.getConstant();
  return isValue || isWithin(index, std::nullopt);
}
