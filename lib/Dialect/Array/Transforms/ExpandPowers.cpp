//===- ExpandPowers.cpp - Powers whose exponents are written --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A power of any number takes a logarithm and an exponential in more bits
// than the numbers have: some hundred instructions. Few products, a root and a
// reciprocal give those whose exponent is a small multiple of a half.
//
// Before   %p = math.powf %x, 2.5              After   %y = %x + 0.0
//                                                      %p = %x * %x * sqrt(%y)
//          %q = math.powf %x, -3.0                     %r = 1.0 / %x
//                                                      %q = %r * %r * %r
//
// Each product adds half a unit in the last place: exponents are those for
// which less is added than a power may be off anyway. The reciprocal comes
// first, so that what is large or small on the way is so in the end:
//
//   - a partial product of numbers above 1 that overflows does so in the end,
//     one of numbers below 1 that loses bits is lost in the end;
//   - the reciprocal of a subnormal number may be infinite: then its square is,
//     and its product with a reciprocal root, but not that root alone, which is
//     therefore taken of the number.
//
// Powers are not what the products give where the exponent is no integer and
// the number is -0, whose root is -0 and whose power is that of 0, or minus
// infinity, whose root is NaN and whose power infinite or 0.
//
// Under `@fast` the reciprocal is that of the power, which is one instruction
// where it is one of a root (gpu-invert-roots).
//
// Reference: Knuth, The Art of Computer Programming, volume 2, 4.6.3.
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Array/Transforms/Passes.h"

#include "arrc/Support/FloatBounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <cmath>
#include <limits>

namespace arrc::array {
#define GEN_PASS_DEF_EXPANDPOWERSPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;

/// Exponents up to which products are as exact as a power has to be (16 units
/// in the last place), and those of reciprocals, which are rounded first.
static constexpr double kMostProducts = 12, kMostReciprocals = 6;

/// The exponent of `power` if it is written and products are to take its place.
static std::optional<double> getExponent(math::PowFOp power) {
  APFloat number(0.0);
  Type type = power.getType();
  // Of two numbers the power is known, to the last bit.
  if (!(type.isF32() || type.isF64()) ||
      matchPattern(power.getLhs(), m_Constant()) ||
      !matchPattern(power.getRhs(), m_ConstantFloat(&number)))
    return std::nullopt;
  bool losesInfo;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  double exponent = number.convertToDouble();
  if (std::isnan(exponent) || exponent == 0 || exponent > kMostProducts ||
      exponent < -kMostReciprocals || std::floor(2 * exponent) != 2 * exponent)
    return std::nullopt;
  return exponent;
}

namespace {
/// Writes what takes the place of one power.
class PowerWriter {
public:
  PowerWriter(math::PowFOp power, double exponent)
      : b(power), loc(power.getLoc()), base(power.getLhs()),
        flags(power.getFastmathAttr()), exponent(exponent) {}

  Value write() {
    double size = std::abs(exponent), whole = std::floor(size);
    bool hasRoot = size != whole;
    Value number = hasRoot ? dropSign() : base;
    Value result;
    if (exponent > 0 || isFast()) {
      result = combine(raise(number, whole), hasRoot ? root(number) : Value());
      if (exponent < 0)
        result = invert(result);
    } else {
      result = combine(whole ? raise(invert(number), whole) : Value(),
                       hasRoot ? invert(root(number)) : Value());
    }
    return hasRoot ? mendInfinity(result) : result;
  }

private:
  bool isFast() {
    return bitEnumContainsAll(flags.getValue(), arith::FastMathFlags::afn |
                                                    arith::FastMathFlags::arcp);
  }
  Value number(double value) {
    return arith::ConstantOp::create(b, loc,
                                     b.getFloatAttr(base.getType(), value));
  }
  /// 0 in the place of -0.
  Value dropSign() {
    if (arrc::getLeast(base) > 0)
      return base;
    return arith::AddFOp::create(b, loc, base, number(0));
  }
  Value multiply(Value x, Value y) {
    return arith::MulFOp::create(b, loc, x, y, flags);
  }
  Value invert(Value x) {
    return arith::DivFOp::create(b, loc, number(1), x, flags);
  }
  Value root(Value x) { return math::SqrtOp::create(b, loc, x, flags); }
  /// The product of factors, of which one may be missing.
  Value combine(Value x, Value y) {
    return x && y ? multiply(x, y) : x ? x : y;
  }
  /// `x` times itself, by squares of squares; null for 0 times.
  Value raise(Value x, unsigned times) {
    Value result;
    for (Value square = x; times; times /= 2) {
      if (times % 2)
        result = combine(result, square);
      if (times > 1)
        square = multiply(square, square);
    }
    return result;
  }
  /// What minus infinity gives.
  Value mendInfinity(Value result) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (arrc::getLeast(base) > -infinity)
      return result;
    Value isLowest = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ,
                                           base, number(-infinity));
    return arith::SelectOp::create(b, loc, isLowest,
                                   number(exponent > 0 ? infinity : 0), result);
  }

  OpBuilder b;
  Location loc;
  Value base;
  arith::FastMathFlagsAttr flags;
  double exponent;
};

struct ExpandPowersPass
    : arrc::array::impl::ExpandPowersPassBase<ExpandPowersPass> {
  void runOnOperation() override {
    getOperation().walk([](math::PowFOp power) {
      if (std::optional<double> exponent = getExponent(power)) {
        power.replaceAllUsesWith(PowerWriter(power, *exponent).write());
        power.erase();
      }
    });
  }
};
} // namespace
