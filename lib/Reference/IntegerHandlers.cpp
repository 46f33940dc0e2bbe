//===- IntegerHandlers.cpp - integers of arith in the evaluator -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Integers wrap and live sign-extended in 64 bits. A result is uncertain if an
// operand is.
//
//===----------------------------------------------------------------------===//

#include "Integers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>

using namespace mlir;
using namespace arrc::reference;

namespace {
/// The operands of an integer operation, in all readings.
struct Integers {
  Element e;
  int64_t a, b;
  uint64_t ua, ub;
  unsigned bits;
  Integers(Operation *op, Numbers in)
      : e(resultElement(op)), a(asSigned(e, in[0].i)), b(asSigned(e, in[1].i)),
        ua(asUnsigned(e, in[0].i)), ub(asUnsigned(e, in[1].i)),
        bits(bitsOf(e)) {}
};
} // namespace

/// Operations that no operand makes fail.
#define INTEGER_OP(OP, EXPR)                                                   \
  table.addScalar<arith::OP>(                                                  \
      [](Interpreter &, Operation *op, Numbers in) -> Scalar {                 \
        Integers x(op, in);                                                    \
        (void)x;                                                               \
        return integer(x.e, int64_t(EXPR), in);                                \
      })
/// Divisions: by zero nothing may happen, import checks the divisor first.
#define DIVISION_OP(OP, EXPR)                                                  \
  table.addScalar<arith::OP>(                                                  \
      [](Interpreter &interp, Operation *op, Numbers in) -> Scalar {           \
        Integers x(op, in);                                                    \
        if (x.ub == 0) {                                                       \
          if (in[1].dev == 0)                                                  \
            (void)interp.fail(op->getLoc(), "divide",                          \
                              "an integer is divided by zero");                \
          return integer(x.e, 0, in);                                          \
        }                                                                      \
        return integer(x.e, int64_t(EXPR), in);                                \
      })

/// Quotients that do not trap for the least integer by -1.
static int64_t quotient(int64_t a, int64_t b) {
  return b == -1 ? int64_t(0 - uint64_t(a)) : a / b;
}
static int64_t remainder(int64_t a, int64_t b) { return b == -1 ? 0 : a % b; }
static int64_t floorQuotient(int64_t a, int64_t b) {
  return quotient(a, b) - (remainder(a, b) != 0 && (a < 0) != (b < 0));
}
static int64_t ceilQuotient(int64_t a, int64_t b) {
  return quotient(a, b) + (remainder(a, b) != 0 && (a < 0) == (b < 0));
}

/// The two halves of a product.
template <bool isSigned>
static LogicalResult multiplyExtended(Interpreter &interp, Operation *op) {
  Scalar in[2] = {interp.number(op->getOperand(0)),
                  interp.number(op->getOperand(1))};
  Integers x(op, in);
  __int128 product =
      isSigned ? __int128(x.a) * x.b : __int128((unsigned __int128)x.ua * x.ub);
  interp.set(op->getResult(0), integer(x.e, int64_t(product), in));
  interp.set(op->getResult(1),
             integer(x.e, int64_t((unsigned __int128)product >> x.bits), in));
  return success();
}

static Scalar compareIntegers(Interpreter &interp, Operation *op, Numbers in) {
  Element e = operandElement(op);
  int64_t a = asSigned(e, in[0].i), b = asSigned(e, in[1].i);
  uint64_t ua = asUnsigned(e, in[0].i), ub = asUnsigned(e, in[1].i);
  using P = arith::CmpIPredicate;
  bool value = false;
  switch (cast<arith::CmpIOp>(op).getPredicate()) {
  case P::eq:
    value = ua == ub;
    break;
  case P::ne:
    value = ua != ub;
    break;
  case P::slt:
    value = a < b;
    break;
  case P::sle:
    value = a <= b;
    break;
  case P::sgt:
    value = a > b;
    break;
  case P::sge:
    value = a >= b;
    break;
  case P::ult:
    value = ua < ub;
    break;
  case P::ule:
    value = ua <= ub;
    break;
  case P::ugt:
    value = ua > ub;
    break;
  case P::uge:
    value = ua >= ub;
    break;
  }
  return interp.makeDecision(op, value, in[0].dev == 0 && in[1].dev == 0);
}

void arrc::reference::addIntegerHandlers(HandlerTable &table) {
  INTEGER_OP(AddIOp, x.ua + x.ub);
  INTEGER_OP(SubIOp, x.ua - x.ub);
  INTEGER_OP(MulIOp, x.ua * x.ub);
  // One certain operand may settle these.
  table.addScalar<arith::AndIOp>([](Interpreter &, Operation *op, Numbers in) {
    Integers x(op, in);
    bool settled = (in[0].dev == 0 && x.ua == 0) || (in[1].dev == 0 && !x.ub);
    return integer(x.e, x.ua & x.ub, settled ? Numbers() : in);
  });
  table.addScalar<arith::OrIOp>([](Interpreter &, Operation *op, Numbers in) {
    Integers x(op, in);
    bool settled = x.e == Element::Bool &&
                   ((in[0].dev == 0 && x.ua) || (in[1].dev == 0 && x.ub));
    return integer(x.e, x.ua | x.ub, settled ? Numbers() : in);
  });
  INTEGER_OP(XOrIOp, x.ua ^ x.ub);
  INTEGER_OP(MinSIOp, std::min(x.a, x.b));
  INTEGER_OP(MaxSIOp, std::max(x.a, x.b));
  INTEGER_OP(MinUIOp, std::min(x.ua, x.ub));
  INTEGER_OP(MaxUIOp, std::max(x.ua, x.ub));
  // Shifts by the width or more have no value in arith; the language wants
  // those of an infinitely wide number.
  INTEGER_OP(ShLIOp, x.ub >= x.bits ? 0 : x.ua << x.ub);
  INTEGER_OP(ShRUIOp, x.ub >= x.bits ? 0 : x.ua >> x.ub);
  INTEGER_OP(ShRSIOp, x.ub >= x.bits ? (x.a < 0 ? -1 : 0) : x.a >> x.ub);
  DIVISION_OP(DivSIOp, quotient(x.a, x.b));
  DIVISION_OP(RemSIOp, remainder(x.a, x.b));
  DIVISION_OP(DivUIOp, x.ua / x.ub);
  DIVISION_OP(RemUIOp, x.ua % x.ub);
  DIVISION_OP(FloorDivSIOp, floorQuotient(x.a, x.b));
  DIVISION_OP(CeilDivSIOp, ceilQuotient(x.a, x.b));
  DIVISION_OP(CeilDivUIOp, x.ua / x.ub + (x.ua % x.ub != 0));

  table.add<arith::AddUIExtendedOp>([](Interpreter &interp, Operation *op) {
    Scalar in[2] = {interp.number(op->getOperand(0)),
                    interp.number(op->getOperand(1))};
    Integers x(op, in);
    Scalar sum = integer(x.e, x.ua + x.ub, in);
    interp.set(op->getResult(1),
               integer(Element::Bool, asUnsigned(x.e, sum.i) < x.ua, in));
    interp.set(op->getResult(0), sum);
    return success();
  });
  table.add<arith::MulUIExtendedOp>(multiplyExtended<false>);
  table.add<arith::MulSIExtendedOp>(multiplyExtended<true>);
  table.addScalar<arith::CmpIOp>(compareIntegers);
}
