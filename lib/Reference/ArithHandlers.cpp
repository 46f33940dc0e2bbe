//===- ArithHandlers.cpp - arith operations of the evaluator --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Integers: IntegerHandlers.cpp. Floats are computed in double and rounded to
// their type, which for + - * / is the right rounding (53 bits are at least
// twice 24 and two more).
//
// Deviations: a result computed from operands that are exact is exact, since
// the language fixes the rounding of these operations. Operands that may be
// away by da and db move a sum by at most da + db, a product by
// |a| db + |b| da + da db, and so on; one more unit in the last place covers
// that the target rounds another number.
//
//===----------------------------------------------------------------------===//

#include "Integers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/APInt.h"

#include <cmath>

using namespace mlir;
using namespace arrc::reference;

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// What operands that are not finite leave of a deviation: such an operand is
/// certain, and so is what it makes of a sum or product.
static double carried(double value, double dev, Numbers in) {
  bool finite = true;
  for (const Scalar &s : in) {
    if (s.dev == unbounded)
      return unbounded;
    finite &= std::isfinite(s.re);
  }
  if (dev == 0 || !finite)
    return 0;
  return std::isfinite(value) && !std::isnan(dev) ? dev : unbounded;
}

/// Extra freedom that flags on the operation give: a product that may or may
/// not be rounded before it is added, or all of `fastmath<fast>`.
static double flagFreedom(Operation *op, double a, double b, double exact) {
  auto flags = cast<arith::ArithFastMathInterface>(op).getFastMathFlagsAttr();
  if (!flags)
    return 0;
  if (bitEnumContainsAny(flags.getValue(), arith::FastMathFlags::reassoc |
                                               arith::FastMathFlags::afn |
                                               arith::FastMathFlags::arcp))
    return 2;
  if (isa<arith::MulFOp>(op) &&
      bitEnumContainsAny(flags.getValue(), arith::FastMathFlags::contract)) {
    // Nothing is lost where the product has no more digits than the type.
    Element e = resultElement(op);
    double product = roundTo(e, exact);
    return std::fma(a, b, -product) == 0 ? 0 : 0.5;
  }
  return 0;
}

static Scalar add(Interpreter &interp, Operation *op, const Scalar &a,
                  const Scalar &b) {
  double v = a.re + b.re;
  return interp.makeFloat(resultElement(op), v,
                          carried(v, a.dev + b.dev, {a, b}),
                          flagFreedom(op, a.re, b.re, v));
}

static Scalar multiply(Interpreter &interp, Operation *op, Numbers in) {
  const Scalar &a = in[0], &b = in[1];
  double v = a.re * b.re;
  double dev = 0;
  if (a.dev > 0 || b.dev > 0) {
    dev = std::fabs(a.re) * b.dev + std::fabs(b.re) * a.dev + a.dev * b.dev;
    // Zero times infinity or not: the class of the result is open.
    bool open = (std::isinf(a.re) && std::fabs(b.re) <= b.dev) ||
                (std::isinf(b.re) && std::fabs(a.re) <= a.dev);
    dev = open ? unbounded : carried(v, dev, in);
  }
  return interp.makeFloat(resultElement(op), v, dev,
                          flagFreedom(op, a.re, b.re, v));
}

static Scalar divide(Interpreter &interp, Operation *op, Numbers in) {
  const Scalar &a = in[0], &b = in[1];
  double v = a.re / b.re;
  double dev = 0;
  if (a.dev > 0 || b.dev > 0) {
    if (std::fabs(b.re) <= b.dev)
      dev = unbounded;
    else
      dev = carried(
          v, (a.dev + std::fabs(v) * b.dev) / (std::fabs(b.re) - b.dev), in);
  }
  return interp.makeFloat(resultElement(op), v, dev,
                          flagFreedom(op, a.re, b.re, v));
}

/// The remainder with the sign of the dividend, exact.
static Scalar remainderFloat(Interpreter &interp, Operation *op, Numbers in) {
  double v = std::fmod(in[0].re, in[1].re);
  bool moved = in[0].dev > 0 || in[1].dev > 0;
  double dev = 0;
  if (moved) {
    // Within one period the remainder follows the dividend; across its end it
    // jumps.
    double d = in[0].dev;
    bool jumps =
        in[1].dev > 0 || distance(std::trunc((in[0].re - d) / in[1].re),
                                  std::trunc((in[0].re + d) / in[1].re)) != 0;
    dev = jumps ? unbounded : d;
  }
  return interp.makeFloat(resultElement(op), v, dev);
}

/// minimum and maximum: NaN wins, -0 is less than 0; or NaN loses.
template <bool isMax, bool dropNaN>
static Scalar extremum(Interpreter &interp, Operation *op, Numbers in) {
  const Scalar &a = in[0], &b = in[1];
  double dev = std::max(a.dev, b.dev);
  if (std::isnan(a.re) || std::isnan(b.re)) {
    const Scalar &other = std::isnan(a.re) ? b : a;
    if (dropNaN)
      return interp.makeFloat(resultElement(op), other.re, dev);
    return interp.makeFloat(resultElement(op), NAN,
                            dev == unbounded ? unbounded : 0);
  }
  bool less = a.re < b.re ||
              (a.re == b.re && std::signbit(a.re) && !std::signbit(b.re));
  const Scalar &winner = less == isMax ? b : a;
  // Only operands in reach of the winner can matter.
  const Scalar &loser = less == isMax ? a : b;
  if (std::fabs(a.re - b.re) > a.dev + b.dev)
    dev = winner.dev;
  else
    dev = std::max(winner.dev, loser.dev);
  Scalar result = winner;
  result.dev = dev;
  // minnum and maxnum may take either of two zeros.
  if (dropNaN && a.re == 0 && b.re == 0 &&
      std::signbit(a.re) != std::signbit(b.re) && !interp.isExact())
    result.dev = std::max(dev, std::numeric_limits<double>::denorm_min());
  return result;
}

static bool compareFloats(arith::CmpFPredicate predicate, double a, double b) {
  bool unordered = std::isnan(a) || std::isnan(b);
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::OEQ:
    return a == b;
  case P::OGT:
    return a > b;
  case P::OGE:
    return a >= b;
  case P::OLT:
    return a < b;
  case P::OLE:
    return a <= b;
  case P::ONE:
    return !unordered && a != b;
  case P::ORD:
    return !unordered;
  case P::UEQ:
    return unordered || a == b;
  case P::UGT:
    return unordered || a > b;
  case P::UGE:
    return unordered || a >= b;
  case P::ULT:
    return unordered || a < b;
  case P::ULE:
    return unordered || a <= b;
  case P::UNE:
    return a != b;
  case P::UNO:
    return unordered;
  case P::AlwaysTrue:
    return true;
  }
  llvm_unreachable("unknown predicate");
}

static Scalar compareFloatOp(Interpreter &interp, Operation *op, Numbers in) {
  const Scalar &a = in[0], &b = in[1];
  bool value =
      compareFloats(cast<arith::CmpFOp>(op).getPredicate(), a.re, b.re);
  double dev = a.dev + b.dev;
  bool certain = dev == 0 || std::fabs(a.re - b.re) > dev ||
                 (dev != unbounded && (std::isnan(a.re) || std::isnan(b.re)));
  return interp.makeDecision(op, value, certain);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// Toward zero; what does not fit saturates, NaN is 0 (import clamps before,
/// so only values that a select drops come here).
template <bool isSigned>
static Scalar floatToInteger(Interpreter &interp, Operation *op, Numbers in) {
  Element e = resultElement(op);
  unsigned bits = bitsOf(e);
  auto convert = [&](double x) -> int64_t {
    if (std::isnan(x))
      return 0;
    llvm::APSInt result(bits, !isSigned);
    bool exact;
    llvm::APFloat(x).convertToInteger(result, llvm::APFloat::rmTowardZero,
                                      &exact);
    return isSigned ? result.getSExtValue() : int64_t(result.getZExtValue());
  };
  double x = in[0].re, d = in[0].dev;
  int64_t value = convert(x);
  bool certain = d == 0 || (d != unbounded && convert(x - d) == value &&
                            convert(x + d) == value);
  Scalar result = interp.makeDecision(op, value, certain);
  result.i = wrapTo(e, value);
  return result;
}

/// To nearest, ties to even, in one rounding.
template <bool isSigned>
static Scalar integerToFloat(Interpreter &interp, Operation *op, Numbers in) {
  Element from = operandElement(op), to = resultElement(op);
  int64_t value = isSigned ? asSigned(from, in[0].i) : in[0].i;
  double dev = in[0].dev > 0 ? unbounded : 0;
  // Going through double would round i64 to f32 twice.
  double v;
  if (to == Element::F32)
    v = isSigned ? float(value) : float(asUnsigned(from, value));
  else if (to == Element::F64 || isComplex(to))
    v = isSigned ? double(value) : double(asUnsigned(from, value));
  else {
    llvm::APFloat f(to == Element::F16 ? llvm::APFloat::IEEEhalf()
                                       : llvm::APFloat::BFloat());
    f.convertFromAPInt(
        llvm::APInt(64, isSigned ? uint64_t(value) : asUnsigned(from, value)),
        isSigned, llvm::APFloat::rmNearestTiesToEven);
    bool lost;
    f.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
              &lost);
    v = f.convertToDouble();
  }
  return interp.makeFloat(to, v, dev);
}

/// The bits of one type read as another.
static Scalar bitcast(Interpreter &, Operation *op, Numbers in) {
  char place[16] = {};
  store(operandElement(op), in[0], place);
  Scalar result = load(resultElement(op), place);
  result.dev = in[0].dev > 0 ? unbounded : 0;
  return result;
}

/// A select whose condition is one bool may choose whole arrays.
static LogicalResult selectCell(Interpreter &interp, Operation *op) {
  auto select = cast<arith::SelectOp>(op);
  Scalar condition = interp.number(select.getCondition());
  Cell t = interp.cell(select.getTrueValue());
  Cell f = interp.cell(select.getFalseValue());
  Cell chosen = condition.i ? t : f;
  if (condition.dev > 0)
    chosen = interp.widen(op->getLoc(), select.getType(), chosen,
                          condition.i ? f : t);
  if (interp.failure)
    return failure();
  interp.set(select.getResult(), chosen);
  return success();
}

static LogicalResult constant(Interpreter &interp, Operation *op) {
  auto constant = cast<arith::ConstantOp>(op);
  Element e = *elementOf(constant.getType());
  auto asDouble = [](llvm::APFloat f) {
    bool lost;
    f.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
              &lost);
    return f.convertToDouble();
  };
  auto number = [&](Attribute attr) {
    if (auto i = dyn_cast<IntegerAttr>(attr))
      return Scalar::integer(
          wrapTo(e, e == Element::Bool ? int64_t(i.getValue().getBoolValue())
                                       : i.getValue().getSExtValue()));
    if (auto f = dyn_cast<FloatAttr>(attr))
      return Scalar::real(asDouble(f.getValue()));
    return Scalar();
  };
  auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (!elements) {
    interp.set(constant.getResult(), number(constant.getValue()));
    return success();
  }
  auto type = cast<RankedTensorType>(constant.getType());
  auto tensor = interp.allocate(op->getLoc(), type, type.getShape());
  if (!tensor)
    return failure();
  int64_t k = 0;
  if (isComplex(e)) {
    for (std::complex<llvm::APFloat> c :
         elements.getValues<std::complex<llvm::APFloat>>())
      tensor->set(k++, Scalar::complex(asDouble(c.real()), asDouble(c.imag())));
  } else {
    for (Attribute attr : elements.getValues<Attribute>())
      tensor->set(k++, number(attr));
  }
  interp.set(constant.getResult(), interp.finish(std::move(tensor)));
  return success();
}

void arrc::reference::addArithHandlers(HandlerTable &table) {
  addIntegerHandlers(table);
  table.add<arith::ConstantOp>(constant);
  table.addScalar<arith::AddFOp>(
      [](Interpreter &interp, Operation *op, Numbers in) {
        return add(interp, op, in[0], in[1]);
      });
  table.addScalar<arith::SubFOp>(
      [](Interpreter &interp, Operation *op, Numbers in) {
        Scalar negative = in[1];
        negative.re = -negative.re;
        return add(interp, op, in[0], negative);
      });
  table.addScalar<arith::MulFOp>(multiply);
  table.addScalar<arith::DivFOp>(divide);
  table.addScalar<arith::RemFOp>(remainderFloat);
  table.addScalar<arith::NegFOp>([](Interpreter &, Operation *, Numbers in) {
    return Scalar::real(-in[0].re, in[0].dev);
  });
  table.addScalar<arith::MinimumFOp>(extremum<false, false>);
  table.addScalar<arith::MaximumFOp>(extremum<true, false>);
  table.addScalar<arith::MinNumFOp>(extremum<false, true>);
  table.addScalar<arith::MaxNumFOp>(extremum<true, true>);
  table.addScalar<arith::CmpFOp>(compareFloatOp);
  table.add<arith::SelectOp>([](Interpreter &interp, Operation *op) {
    if (isa<ShapedType>(op->getOperand(0).getType()))
      return interp.fail(op->getLoc(), "unsupported",
                         "a select between elements of arrays outside a map");
    return selectCell(interp, op);
  });
  table.addScalar<arith::FPToSIOp>(floatToInteger<true>);
  table.addScalar<arith::FPToUIOp>(floatToInteger<false>);
  table.addScalar<arith::SIToFPOp>(integerToFloat<true>);
  table.addScalar<arith::UIToFPOp>(integerToFloat<false>);
  table.addScalar<arith::BitcastOp>(bitcast);
  ScalarHandler changeFloat = [](Interpreter &interp, Operation *op,
                                 Numbers in) {
    return interp.makeFloat(resultElement(op), in[0].re, in[0].dev);
  };
  table.addScalar<arith::ExtFOp>(
      [](Interpreter &, Operation *, Numbers in) { return in[0]; });
  table.addScalar<arith::TruncFOp>(changeFloat);
  ScalarHandler extendSigned = [](Interpreter &, Operation *op, Numbers in) {
    return integer(resultElement(op), asSigned(operandElement(op), in[0].i),
                   in);
  };
  ScalarHandler extendUnsigned = [](Interpreter &, Operation *op, Numbers in) {
    return integer(resultElement(op), asUnsigned(operandElement(op), in[0].i),
                   in);
  };
  table.addScalar<arith::ExtSIOp>(extendSigned);
  table.addScalar<arith::IndexCastOp>(extendSigned);
  table.addScalar<arith::ExtUIOp>(extendUnsigned);
  table.addScalar<arith::IndexCastUIOp>(extendUnsigned);
  table.addScalar<arith::TruncIOp>(
      [](Interpreter &, Operation *op, Numbers in) {
        return integer(resultElement(op), in[0].i, in);
      });
}
