//===- MathHandlers.cpp - math operations of the evaluator ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Elementary functions are computed in double by the C library and rounded; a
// target may be as many units in the last place away as docs/language.md
// promises, and one more, since both sides are off. An operand that may be away
// by d gives what the function does to x - d and x + d; that bounds monotone
// functions, and the others have an own rule.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace arrc::reference;

using Numbers = llvm::ArrayRef<Scalar>;
using Unary = double (*)(double);

/// The deviation of a monotone function at x - d .. x + d.
static double moved(Unary f, const Scalar &x, double value) {
  if (x.dev == 0)
    return 0;
  if (x.dev == unbounded)
    return unbounded;
  return std::max(distance(f(x.re - x.dev), value),
                  distance(f(x.re + x.dev), value));
}

/// A monotone function, `ulps` units off.
template <Unary f, int ulps>
static Scalar monotone(Interpreter &interp, Operation *op, Numbers in) {
  double v = f(in[0].re);
  return interp.makeFloat(resultElement(op), v, moved(f, in[0], v),
                          ulps ? ulps + 1 : 0);
}

/// A function that never changes faster than its argument, in [-1, 1].
template <Unary f, int ulps>
static Scalar bounded(Interpreter &interp, Operation *op, Numbers in) {
  return interp.makeFloat(
      resultElement(op), f(in[0].re),
      in[0].dev == unbounded ? unbounded : std::min(in[0].dev, 2.0), ulps + 1);
}

/// tan is monotone between its poles.
static Scalar tangent(Interpreter &interp, Operation *op, Numbers in) {
  double x = in[0].re, d = in[0].dev, v = std::tan(x);
  double dev = 0;
  if (d > 0) {
    auto branch = [](double x) { return std::floor(x / M_PI + 0.5); };
    dev = d == unbounded || branch(x - d) != branch(x + d)
              ? unbounded
              : moved(std::tan, in[0], v);
  }
  return interp.makeFloat(resultElement(op), v, dev, 6);
}

/// cosh has its minimum at 0.
static Scalar coshOf(Interpreter &interp, Operation *op, Numbers in) {
  double v = std::cosh(in[0].re);
  double dev = moved(std::cosh, in[0], v);
  if (in[0].dev > 0 && std::fabs(in[0].re) < in[0].dev)
    dev = std::max(dev, distance(1.0, v));
  return interp.makeFloat(resultElement(op), v, dev, 5);
}

static double rsqrtOf(double x) { return 1 / std::sqrt(x); }

/// A function of two numbers, monotone in each near the operands: its values
/// at the corners of the box bound it.
template <double (*f)(double, double), int ulps>
static Scalar binary(Interpreter &interp, Operation *op, Numbers in) {
  const Scalar &a = in[0], &b = in[1];
  double v = f(a.re, b.re), dev = 0;
  if (a.dev == unbounded || b.dev == unbounded)
    dev = unbounded;
  else if (a.dev > 0 || b.dev > 0)
    for (double x : {a.re - a.dev, a.re + a.dev})
      for (double y : {b.re - b.dev, b.re + b.dev})
        dev = std::max(dev, distance(f(x, y), v));
  return interp.makeFloat(resultElement(op), v, dev, ulps + 1);
}

/// The angle jumps where the negative half of the first axis is in reach.
static Scalar atan2Of(Interpreter &interp, Operation *op, Numbers in) {
  const Scalar &y = in[0], &x = in[1];
  if ((y.dev > 0 || x.dev > 0) && x.re - x.dev < 0 && std::fabs(y.re) <= y.dev)
    return interp.makeFloat(resultElement(op), std::atan2(y.re, x.re),
                            unbounded);
  return binary<std::atan2, 6>(interp, op, in);
}

/// The fused product and sum. In f16 and bf16 it is computed in f32 and
/// rounded, as everything there.
static Scalar fusedMultiplyAdd(Interpreter &interp, Operation *op, Numbers in) {
  const Scalar &a = in[0], &b = in[1], &c = in[2];
  Element e = resultElement(op);
  double v = interp.isExact() || e == Element::F64
                 ? std::fma(a.re, b.re, c.re)
                 : std::fmaf(float(a.re), float(b.re), float(c.re));
  double dev = 0;
  if (a.dev > 0 || b.dev > 0 || c.dev > 0) {
    dev = std::fabs(a.re) * b.dev + std::fabs(b.re) * a.dev + a.dev * b.dev +
          c.dev;
    if (!std::isfinite(v) || std::isnan(dev))
      dev = unbounded;
  }
  // A number of f32 already, it no longer shows that it was rounded.
  bool rounded = interp.countRoundings && e == Element::F32 &&
                 std::fma(a.re, b.re, c.re) != v;
  return interp.makeFloat(e, v, dev, rounded ? 1 : 0);
}

/// Rounding to an integer, exact; a step in reach moves the result by it.
template <Unary f>
static Scalar integral(Interpreter &interp, Operation *op, Numbers in) {
  double v = f(in[0].re);
  double dev = moved(f, in[0], v);
  Scalar result = interp.makeFloat(resultElement(op), v, 0);
  result.dev = dev;
  return result;
}

template <bool (*test)(double)>
static Scalar classify(Interpreter &interp, Operation *op, Numbers in) {
  return interp.makeDecision(op, test(in[0].re), in[0].dev != unbounded);
}
static bool isNaN(double x) { return std::isnan(x); }
static bool isInf(double x) { return std::isinf(x); }
static bool isFinite(double x) { return std::isfinite(x); }

/// The number of bits of a kind in an integer.
template <int (*count)(uint64_t value, unsigned bits)>
static Scalar countBits(Interpreter &interp, Operation *op, Numbers in) {
  unsigned bits = bitsOf(resultElement(op));
  uint64_t value = uint64_t(in[0].i);
  if (bits < 64)
    value &= llvm::maskTrailingOnes<uint64_t>(bits);
  return interp.makeDecision(op, count(value, bits), in[0].dev == 0);
}
static int ones(uint64_t value, unsigned) { return llvm::popcount(value); }
static int leadingZeros(uint64_t value, unsigned bits) {
  return value ? llvm::countl_zero(value) - (64 - bits) : bits;
}
static int trailingZeros(uint64_t value, unsigned bits) {
  return value ? llvm::countr_zero(value) : bits;
}

/// Integer powers multiply out; a negative exponent gives what the quotient
/// 1 // a**n gives.
static Scalar integerPower(Interpreter &interp, Operation *op, Numbers in) {
  Element e = resultElement(op);
  int64_t base = in[0].i, exponent = in[1].i;
  uint64_t result = 1, factor = uint64_t(base);
  if (exponent < 0)
    result = base == 1 ? 1 : base == -1 ? (exponent & 1 ? -1 : 1) : 0;
  else
    for (; exponent; exponent >>= 1, factor *= factor)
      if (exponent & 1)
        result *= factor;
  Scalar s = interp.makeDecision(op, 0, in[0].dev == 0 && in[1].dev == 0);
  s.i = wrapTo(e, int64_t(result));
  return s;
}

static Scalar floatPower(Interpreter &interp, Operation *op, Numbers in) {
  Scalar exponent = Scalar::real(double(in[1].i));
  return binary<std::pow, 16>(interp, op, {in[0], exponent});
}

static double roundAway(double x) { return std::round(x); }
static double roundEven(double x) { return std::nearbyint(x); }

void arrc::reference::addMathHandlers(HandlerTable &table) {
  table.addScalar<math::AbsIOp>(
      [](Interpreter &interp, Operation *op, Numbers in) {
        Scalar s = interp.makeDecision(op, 0, in[0].dev == 0);
        s.i = wrapTo(resultElement(op),
                     in[0].i < 0 ? int64_t(0 - uint64_t(in[0].i)) : in[0].i);
        return s;
      });
  table.addScalar<math::AbsFOp>([](Interpreter &, Operation *, Numbers in) {
    return Scalar::real(std::fabs(in[0].re), in[0].dev);
  });
  // sqrt is correctly rounded: double is exact enough for f32 and less.
  table.addScalar<math::SqrtOp>(monotone<std::sqrt, 0>);
  table.addScalar<math::RsqrtOp>(monotone<rsqrtOf, 4>);
  table.addScalar<math::CbrtOp>(monotone<std::cbrt, 4>);
  table.addScalar<math::ExpOp>(monotone<std::exp, 4>);
  table.addScalar<math::Exp2Op>(monotone<std::exp2, 4>);
  table.addScalar<math::ExpM1Op>(monotone<std::expm1, 4>);
  table.addScalar<math::LogOp>(monotone<std::log, 4>);
  table.addScalar<math::Log2Op>(monotone<std::log2, 4>);
  table.addScalar<math::Log10Op>(monotone<std::log10, 4>);
  table.addScalar<math::Log1pOp>(monotone<std::log1p, 4>);
  table.addScalar<math::SinOp>(bounded<std::sin, 4>);
  table.addScalar<math::CosOp>(bounded<std::cos, 4>);
  table.addScalar<math::TanOp>(tangent);
  table.addScalar<math::SinhOp>(monotone<std::sinh, 4>);
  table.addScalar<math::CoshOp>(coshOf);
  table.addScalar<math::TanhOp>(monotone<std::tanh, 5>);
  table.addScalar<math::AsinOp>(monotone<std::asin, 4>);
  table.addScalar<math::AcosOp>(monotone<std::acos, 4>);
  table.addScalar<math::AtanOp>(monotone<std::atan, 5>);
  table.addScalar<math::AsinhOp>(monotone<std::asinh, 4>);
  table.addScalar<math::AcoshOp>(monotone<std::acosh, 4>);
  table.addScalar<math::AtanhOp>(monotone<std::atanh, 4>);
  table.addScalar<math::ErfOp>(monotone<std::erf, 16>);
  table.addScalar<math::ErfcOp>(monotone<std::erfc, 16>);
  table.addScalar<math::Atan2Op>(atan2Of);
  table.addScalar<math::PowFOp>(binary<std::pow, 16>);
  table.addScalar<math::FPowIOp>(floatPower);
  table.addScalar<math::IPowIOp>(integerPower);
  table.addScalar<math::FmaOp>(fusedMultiplyAdd);
  table.addScalar<math::FloorOp>(integral<std::floor>);
  table.addScalar<math::CeilOp>(integral<std::ceil>);
  table.addScalar<math::TruncOp>(integral<std::trunc>);
  table.addScalar<math::RoundOp>(integral<roundAway>);
  table.addScalar<math::RoundEvenOp>(integral<roundEven>);
  table.addScalar<math::CopySignOp>([](Interpreter &, Operation *, Numbers in) {
    double v = std::copysign(in[0].re, in[1].re);
    bool certain = in[1].dev == 0 || std::fabs(in[1].re) > in[1].dev;
    return Scalar::real(v, certain ? in[0].dev : 2 * std::fabs(v) + in[0].dev);
  });
  table.addScalar<math::IsNaNOp>(classify<isNaN>);
  table.addScalar<math::IsInfOp>(classify<isInf>);
  table.addScalar<math::IsFiniteOp>(classify<isFinite>);
  table.addScalar<math::CtPopOp>(countBits<ones>);
  table.addScalar<math::CountLeadingZerosOp>(countBits<leadingZeros>);
  table.addScalar<math::CountTrailingZerosOp>(countBits<trailingZeros>);
  table.add<math::SincosOp>([](Interpreter &interp, Operation *op) {
    Scalar in[1] = {interp.number(op->getOperand(0))};
    interp.set(op->getResult(0), bounded<std::sin, 4>(interp, op, in));
    interp.set(op->getResult(1), bounded<std::cos, 4>(interp, op, in));
    return success();
  });
}
