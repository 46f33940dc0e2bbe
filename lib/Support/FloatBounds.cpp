//===- FloatBounds.cpp - What floats are at least -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Support/FloatBounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;

/// Operations that are followed up from a number.
static constexpr unsigned kDepth = 8;
static constexpr double kAnything = -std::numeric_limits<double>::infinity();

/// `least` as a number of `type` that is not above it.
static double roundDown(double least, Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType || std::isinf(least))
    return least;
  APFloat number(least);
  bool losesInfo;
  number.convert(floatType.getFloatSemantics(), APFloat::rmTowardNegative,
                 &losesInfo);
  return number.convertToDouble();
}

/// The least product of numbers from `x` and `y` on.
static double multiply(double x, double y) {
  double least = x >= 0 && y >= 0 ? x * y : kAnything;
  return std::isnan(least) ? kAnything : least;
}

static double getLeast(Value value, unsigned depth);

/// The least sum of two numbers that are as low as they can be.
static double add(double x, double y) {
  return x == kAnything || y == kAnything ? kAnything : x + y;
}

/// Of a product; of a number with itself it is a square.
static double getLeastProduct(Value x, Value y, unsigned depth) {
  if (x == y) {
    double least = getLeast(x, depth);
    return least > 0 ? least * least : 0;
  }
  return multiply(getLeast(x, depth), getLeast(y, depth));
}

/// The number of a constant that is one.
static bool isNumber(Value value) {
  APFloat number(0.0);
  return matchPattern(value, m_ConstantFloat(&number)) && !number.isNaN();
}

/// Of the greater one: where one operand is NaN, the other.
static double getLeastOfGreater(Value x, Value y, bool keepsNaN,
                                unsigned depth) {
  double a = getLeast(x, depth), b = getLeast(y, depth);
  if (keepsNaN || (isNumber(x) && isNumber(y)))
    return std::max(a, b);
  return isNumber(x) ? a : isNumber(y) ? b : std::min(a, b);
}

static double getLeast(Value value, unsigned depth) {
  APFloat number(0.0);
  if (matchPattern(value, m_ConstantFloat(&number))) {
    bool losesInfo;
    number.convert(APFloat::IEEEdouble(), APFloat::rmTowardNegative,
                   &losesInfo);
    return number.isNaN() ? kAnything : number.convertToDouble();
  }
  Operation *op = value.getDefiningOp();
  if (!op || !depth)
    return kAnything;
  auto of = [&](Value operand) { return getLeast(operand, depth - 1); };
  double least =
      llvm::TypeSwitch<Operation *, double>(op)
          .Case([&](arith::MulFOp product) {
            return getLeastProduct(product.getLhs(), product.getRhs(),
                                   depth - 1);
          })
          .Case([&](arith::AddFOp sum) {
            return add(of(sum.getLhs()), of(sum.getRhs()));
          })
          .Case([&](math::FmaOp fma) {
            return add(getLeastProduct(fma.getA(), fma.getB(), depth - 1),
                       of(fma.getC()));
          })
          .Case([&](arith::MaximumFOp greater) {
            return getLeastOfGreater(greater.getLhs(), greater.getRhs(),
                                     /*keepsNaN=*/true, depth - 1);
          })
          .Case([&](arith::MaxNumFOp greater) {
            return getLeastOfGreater(greater.getLhs(), greater.getRhs(),
                                     /*keepsNaN=*/false, depth - 1);
          })
          .Case<arith::MinimumFOp, arith::MinNumFOp>([&](auto less) {
            return std::min(of(less.getLhs()), of(less.getRhs()));
          })
          .Case([&](arith::SelectOp select) {
            return std::min(of(select.getTrueValue()),
                            of(select.getFalseValue()));
          })
          .Case([&](math::SqrtOp root) {
            // An approximate one may be some units in the last place below.
            return std::sqrt(std::max(of(root.getOperand()), 0.0)) / 2;
          })
          .Case([&](math::AbsFOp magnitude) {
            return std::max(of(magnitude.getOperand()), 0.0);
          })
          .Case<math::ExpOp, math::Exp2Op, arith::UIToFPOp>(
              [](auto) { return 0; })
          .Case<arith::ExtFOp, arith::TruncFOp>(
              [&](auto cast) { return of(cast.getIn()); })
          .Default(kAnything);
  return roundDown(least, value.getType());
}

double arrc::getLeast(Value value) { return ::getLeast(value, kDepth); }

bool arrc::isNeverSubnormal(Value value) {
  auto type = dyn_cast<FloatType>(value.getType());
  if (!type)
    return false;
  APFloat normal = APFloat::getSmallestNormalized(type.getFloatSemantics());
  return getLeast(value) >= normal.convertToDouble();
}
