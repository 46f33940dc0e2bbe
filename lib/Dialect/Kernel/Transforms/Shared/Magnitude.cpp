//===- Magnitude.cpp - How large the terms of an index are ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Magnitude.h"

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Support/IndexLimits.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Sums of two numbers below this are no overflow.
static constexpr int64_t kLimit = int64_t(1) << 61;
/// Operations that a number is followed through.
static constexpr unsigned kDepth = 8;

using Magnitude = std::optional<int64_t>;

/// `a + b`, or `a * b`, if that is below the limit.
static Magnitude combine(Magnitude a, Magnitude b, bool isProduct) {
  int64_t result;
  if (!a || !b ||
      (isProduct ? __builtin_mul_overflow(*a, *b, &result)
                 : __builtin_add_overflow(*a, *b, &result)) ||
      result >= kLimit)
    return std::nullopt;
  return result;
}

static Magnitude getMagnitude(Value value, unsigned depth);

static Magnitude getMagnitude(AffineExpr expr, ArrayRef<Magnitude> dims,
                              ArrayRef<Magnitude> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() > -kLimit && constant.getValue() < kLimit
               ? Magnitude(std::abs(constant.getValue()))
               : std::nullopt;
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto parts = cast<AffineBinaryOpExpr>(expr);
  Magnitude lhs = getMagnitude(parts.getLHS(), dims, symbols);
  Magnitude rhs = getMagnitude(parts.getRHS(), dims, symbols);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
  case AffineExprKind::Mul:
    return combine(lhs, rhs, expr.getKind() == AffineExprKind::Mul);
  case AffineExprKind::Mod:
    return rhs;
  default: // quotients, of positive divisors
    return lhs;
  }
}

/// What counts iterations or elements, or is computed of such on the host.
static Magnitude getMagnitude(BlockArgument argument, unsigned depth) {
  if (ForOp loop = getLoopOf(argument))
    return loop.getStaticExtent().value_or(maxIndex);
  Operation *around = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(around);
      loop && loop.getInductionVar() == argument &&
      getConstantIntValue(loop.getLowerBound()) == 0)
    return maxIndex;
  auto launch = dyn_cast<LaunchOp>(around);
  if (!launch)
    return std::nullopt;
  return launch.isSize(argument)
             ? Magnitude(maxGivenSize)
             : getMagnitude(launch.getOperandOf(argument).get(), depth + 1);
}

static Magnitude getMagnitude(Value value, unsigned depth) {
  if (auto type = dyn_cast<IntegerType>(value.getType());
      type && type.getWidth() <= 32)
    return int64_t(1) << type.getWidth();
  if (auto argument = dyn_cast<BlockArgument>(value))
    return getMagnitude(argument, depth);
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return getMagnitude(getAffineConstantExpr(*constant, value.getContext()),
                        {}, {});
  if (depth >= kDepth)
    return std::nullopt;
  Operation *op = value.getDefiningOp();
  auto get = [&](Value operand) { return getMagnitude(operand, depth + 1); };
  auto larger = [&](Value a, Value b) -> Magnitude {
    Magnitude first = get(a), second = get(b);
    if (!first || !second)
      return std::nullopt;
    return std::max(*first, *second);
  };
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<Magnitude> operands;
    for (Value operand : apply.getMapOperands())
      operands.push_back(get(operand));
    AffineMap map = apply.getAffineMap();
    ArrayRef<Magnitude> all = operands;
    return getMagnitude(map.getResult(0), all.take_front(map.getNumDims()),
                        all.drop_front(map.getNumDims()));
  }
  return TypeSwitch<Operation *, Magnitude>(op)
      .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp>([&](Operation *) {
        return combine(get(op->getOperand(0)), get(op->getOperand(1)),
                       isa<arith::MulIOp>(op));
      })
      .Case<arith::MinSIOp, arith::MaxSIOp>(
          [&](auto) { return larger(op->getOperand(0), op->getOperand(1)); })
      .Case([&](arith::SelectOp choice) {
        return larger(choice.getTrueValue(), choice.getFalseValue());
      })
      .Case<memref::DimOp, tensor::DimOp>(
          [](auto) { return Magnitude(maxGivenSize); })
      .Case<arith::IndexCastOp, arith::ExtSIOp, arith::ExtUIOp>(
          [&](auto) { return get(op->getOperand(0)); })
      .Default(Magnitude());
}

std::optional<int64_t> arrc::kernel::getMagnitude(Value value) {
  return ::getMagnitude(value, 0);
}

bool arrc::kernel::isWithin(const LinearIndex &index,
                            std::optional<int64_t> others) {
  if (index.getConstant() <= -kLimit || index.getConstant() >= kLimit)
    return false;
  Magnitude sum = std::abs(index.getConstant());
  for (auto [value, factor] : index.getTerms()) {
    Magnitude term = getMagnitude(value);
    if (!term)
      term = others;
    if (factor <= -kLimit || factor >= kLimit)
      return false;
    sum = combine(sum, combine(term, std::abs(factor), /*isProduct=*/true),
                  /*isProduct=*/false);
  }
  return sum.has_value();
}

bool arrc::kernel::isExact(const LinearIndex &index) {
  bool isValue = index.getTerms().size() == 1 &&
                 index.getTerms().front().second == 1 && !index.getConstant();
  return isValue || isWithin(index, std::nullopt);
}
