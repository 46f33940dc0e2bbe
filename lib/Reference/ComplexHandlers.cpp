//===- ComplexHandlers.cpp - complex operations of the evaluator ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// `*` and `/` are the language's formulas, every step rounded to the type of
// the parts; other functions are computed in double. A deviation bounds both
// parts of a number.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

#include <cmath>
#include <complex>

using namespace mlir;
using namespace arrc::reference;

using Numbers = llvm::ArrayRef<Scalar>;
using Pair = std::complex<double>;

/// The larger part.
static double magnitude(const Scalar &s) {
  return std::max(std::fabs(s.re), std::fabs(s.im));
}

/// A complex result of parts that are rounded here; deviations as for floats.
static Scalar make(Interpreter &interp, Element element, double re, double im,
                   double carried, double ulps = 0) {
  Element part = partOf(element);
  Scalar a = interp.makeFloat(part, re, carried, ulps);
  Scalar b = interp.makeFloat(part, im, carried, ulps);
  return Scalar::complex(a.re, b.re, std::max(a.dev, b.dev));
}

/// Rounds a step between; exact mode does not.
static double step(Interpreter &interp, Element element, double value) {
  return interp.isExact() ? value : roundTo(element, value);
}

template <int sign>
static Scalar add(Interpreter &interp, Operation *op, Numbers in) {
  return make(interp, resultElement(op), in[0].re + sign * in[1].re,
              in[0].im + sign * in[1].im, in[0].dev + in[1].dev);
}

static Scalar multiply(Interpreter &interp, Operation *op, Numbers in) {
  Element e = resultElement(op);
  const Scalar &x = in[0], &y = in[1];
  auto product = [&](double a, double b) { return step(interp, e, a * b); };
  double dev = 0;
  if (x.dev > 0 || y.dev > 0) {
    // Two products a part, and their roundings of other numbers.
    dev = 2 * (magnitude(x) * y.dev + magnitude(y) * x.dev + x.dev * y.dev);
    if (!interp.isExact())
      dev += 2 * ulpOf(e, magnitude(x) * magnitude(y));
  }
  return make(interp, e, product(x.re, y.re) - product(x.im, y.im),
              product(x.re, y.im) + product(x.im, y.re), dev);
}

static Scalar divide(Interpreter &interp, Operation *op, Numbers in) {
  Element e = resultElement(op);
  double a = in[0].re, b = in[0].im, c = in[1].re, d = in[1].im;
  auto r = [&](double v) { return step(interp, e, v); };
  double re, im;
  if (std::fabs(c) >= std::fabs(d)) {
    double q = r(d / c), s = r(c + r(d * q));
    re = r(a + r(b * q)) / s;
    im = r(b - r(a * q)) / s;
  } else {
    double q = r(c / d), s = r(d + r(c * q));
    re = r(r(a * q) + b) / s;
    im = r(r(b * q) - a) / s;
  }
  double dev = 0;
  if (in[0].dev > 0 || in[1].dev > 0) {
    double size = std::hypot(c, d), move = M_SQRT2 * in[1].dev;
    double value = std::hypot(re, im);
    dev = size <= move ? unbounded
                       : (M_SQRT2 * in[0].dev + value * move) / (size - move);
    if (!interp.isExact())
      dev += 4 * ulpOf(e, value);
  }
  return make(interp, e, re, im, dev);
}

/// A function of one complex number. The bound of what a moved operand does
/// comes from its value at four moved points, doubled.
template <Pair (*f)(const Pair &), int ulps>
static Scalar function(Interpreter &interp, Operation *op, Numbers in) {
  Element e = resultElement(op);
  Pair x(in[0].re, in[0].im), v = f(x);
  double d = in[0].dev, dev = 0;
  if (d == unbounded)
    dev = unbounded;
  else if (d > 0)
    for (Pair move : {Pair(d, 0), Pair(-d, 0), Pair(0, d), Pair(0, -d)}) {
      Pair w = f(x + move);
      dev = std::max({dev, 2 * distance(w.real(), v.real()),
                      2 * distance(w.imag(), v.imag())});
    }
  // Units of the larger part: the language bounds the number, not its parts.
  if (!interp.isExact())
    dev += (ulps + 1) *
           ulpOf(e, std::max(std::fabs(v.real()), std::fabs(v.imag())));
  return make(interp, e, v.real(), v.imag(), std::isnan(dev) ? unbounded : dev);
}

static Scalar power(Interpreter &interp, Operation *op, Numbers in) {
  Element e = resultElement(op);
  Pair v = std::pow(Pair(in[0].re, in[0].im), Pair(in[1].re, in[1].im));
  double dev =
      in[0].dev > 0 || in[1].dev > 0
          ? unbounded
          : 17 * ulpOf(e, std::max(std::fabs(v.real()), std::fabs(v.imag())));
  return make(interp, e, v.real(), v.imag(), interp.isExact() ? 0 : dev);
}

/// Both parts are equal, or not.
template <bool equal>
static Scalar compareParts(Interpreter &interp, Operation *op, Numbers in) {
  bool same = in[0].re == in[1].re && in[0].im == in[1].im;
  double dev = in[0].dev + in[1].dev;
  bool certain = dev == 0 || std::fabs(in[0].re - in[1].re) > dev ||
                 std::fabs(in[0].im - in[1].im) > dev;
  return interp.makeDecision(op, same == equal, certain);
}

static Pair expOf(const Pair &x) { return std::exp(x); }
static Pair logOf(const Pair &x) { return std::log(x); }
static Pair sqrtOf(const Pair &x) { return std::sqrt(x); }
static Pair sinOf(const Pair &x) { return std::sin(x); }
static Pair cosOf(const Pair &x) { return std::cos(x); }
static Pair tanOf(const Pair &x) { return std::tan(x); }
static Pair tanhOf(const Pair &x) { return std::tanh(x); }

/// The attribute of a float as a double.
static double toDouble(Attribute attr) {
  llvm::APFloat f = cast<FloatAttr>(attr).getValue();
  bool lost;
  f.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
            &lost);
  return f.convertToDouble();
}

void arrc::reference::addComplexHandlers(HandlerTable &table) {
  table.add<complex::ConstantOp>([](Interpreter &interp, Operation *op) {
    ArrayAttr parts = cast<complex::ConstantOp>(op).getValue();
    interp.set(op->getResult(0),
               Scalar::complex(toDouble(parts[0]), toDouble(parts[1])));
    return success();
  });
  table.addScalar<complex::CreateOp>([](Interpreter &, Operation *,
                                        Numbers in) {
    return Scalar::complex(in[0].re, in[1].re, std::max(in[0].dev, in[1].dev));
  });
  table.addScalar<complex::ReOp>([](Interpreter &, Operation *, Numbers in) {
    return Scalar::real(in[0].re, in[0].dev);
  });
  table.addScalar<complex::ImOp>([](Interpreter &, Operation *, Numbers in) {
    return Scalar::real(in[0].im, in[0].dev);
  });
  table.addScalar<complex::NegOp>([](Interpreter &, Operation *, Numbers in) {
    return Scalar::complex(-in[0].re, -in[0].im, in[0].dev);
  });
  table.addScalar<complex::ConjOp>([](Interpreter &, Operation *, Numbers in) {
    return Scalar::complex(in[0].re, -in[0].im, in[0].dev);
  });
  table.addScalar<complex::AbsOp>([](Interpreter &interp, Operation *op,
                                     Numbers in) {
    return interp.makeFloat(resultElement(op), std::hypot(in[0].re, in[0].im),
                            M_SQRT2 * in[0].dev, 5);
  });
  table.addScalar<complex::AngleOp>(
      [](Interpreter &interp, Operation *op, Numbers in) {
        double v = std::atan2(in[0].im, in[0].re);
        double d = in[0].dev, size = std::hypot(in[0].re, in[0].im);
        bool jumps = d > 0 && in[0].re - d < 0 && std::fabs(in[0].im) <= d;
        double dev = d == 0                   ? 0
                     : jumps || size <= 2 * d ? unbounded
                                              : std::asin(M_SQRT2 * d / size);
        return interp.makeFloat(resultElement(op), v, dev, 7);
      });
  table.addScalar<complex::AddOp>(add<1>);
  table.addScalar<complex::SubOp>(add<-1>);
  table.addScalar<complex::MulOp>(multiply);
  table.addScalar<complex::DivOp>(divide);
  table.addScalar<complex::EqualOp>(compareParts<true>);
  table.addScalar<complex::NotEqualOp>(compareParts<false>);
  table.addScalar<complex::ExpOp>(function<expOf, 6>);
  table.addScalar<complex::LogOp>(function<logOf, 6>);
  table.addScalar<complex::SqrtOp>(function<sqrtOf, 6>);
  table.addScalar<complex::SinOp>(function<sinOf, 6>);
  table.addScalar<complex::CosOp>(function<cosOf, 6>);
  table.addScalar<complex::TanOp>(function<tanOf, 16>);
  table.addScalar<complex::TanhOp>(function<tanhOf, 16>);
  table.addScalar<complex::PowOp>(power);
}
