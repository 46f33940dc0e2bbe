//===- ImportDivision.cpp - `//` and `%` ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Both floor. Integer divisors are checked, then replaced where a machine
// would trap: 0 by 1 (the check has failed already), and -1 by 1 with the
// quotient negated, which wraps for the least integer as the language says.
// Floats follow Python and NumPy: `%` is exact, and `//` is the quotient of
// what is left.
//
//===----------------------------------------------------------------------===//

#include "ImportImpl.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace arrc;
using namespace mlir;
using hir::BinaryOp;

Value Importer::intDivision(bool wantRemainder, ScalarKind kind, Value x,
                            Value y, bool nonZero) {
  Value zero = constant(kind, 0), one = constant(kind, 1);
  APInt divisor;
  bool isConstant = matchPattern(y, m_ConstantInt(&divisor));
  if (isConstant && !divisor.isZero())
    nonZero = true;
  if (!nonZero || (!isConstant && branchDepth)) {
    // Proved by the branch that it stands in, a divisor is not 0 there; the
    // guard stays, for whoever computes both branches.
    Value ok = compare(BinaryOp::Ne, kind, y, zero);
    if (!nonZero)
      check(hir::CheckKind::Divide, ok,
            wantRemainder ? "remainder of a division by zero"
                          : "division by zero",
            {});
    y = make<arith::SelectOp>(ok, y, one);
  }
  if (!isSignedInt(kind)) {
    if (wantRemainder)
      return make<arith::RemUIOp>(x, y);
    return make<arith::DivUIOp>(x, y);
  }

  bool maybeMinusOne = !isConstant || divisor.isAllOnes();
  Value isMinusOne;
  if (maybeMinusOne) {
    isMinusOne = compare(BinaryOp::Eq, kind, y, constant(kind, -1));
    y = make<arith::SelectOp>(isMinusOne, one, y);
  }
  if (wantRemainder) {
    // The machine's remainder has the sign of x; the language's that of y.
    Value rest = make<arith::RemSIOp>(x, y);
    Value wrong =
        compare(BinaryOp::Lt, kind, make<arith::XOrIOp>(rest, y), zero);
    if (isConstant && divisor.isStrictlyPositive())
      wrong = compare(BinaryOp::Lt, kind, rest, zero);
    Value some = compare(BinaryOp::Ne, kind, rest, zero);
    Value moved = make<arith::AddIOp>(rest, y);
    return make<arith::SelectOp>(make<arith::AndIOp>(wrong, some), moved, rest);
  }
  Value quotient = make<arith::FloorDivSIOp>(x, y);
  if (!maybeMinusOne)
    return quotient;
  return make<arith::SelectOp>(isMinusOne, make<arith::SubIOp>(zero, x),
                               quotient);
}

Value Importer::floatDivision(bool wantRemainder, ScalarKind kind, Value x,
                              Value y) {
  Value zero = floatConstant(kind, 0);
  auto lt = [&](Value u, Value v) { return compare(BinaryOp::Lt, kind, u, v); };
  auto isNot0 = [&](Value u) { return compare(BinaryOp::Ne, kind, u, zero); };
  auto op = [&](BinaryOp o, Value u, Value v) {
    return arithmetic(o, kind, u, v, false);
  };
  auto select = [&](Value c, Value u, Value v) -> Value {
    return arith::SelectOp::create(b, loc, c, u, v);
  };

  Value rest = arith::RemFOp::create(b, loc, x, y);
  Value some = isNot0(rest);
  Value otherSign = make<arith::XOrIOp>(lt(y, zero), lt(rest, zero));
  Value moves = make<arith::AndIOp>(some, otherSign);
  Value moved = op(BinaryOp::Add, rest, y);
  if (wantRemainder) {
    Value signedZero = math::CopySignOp::create(b, loc, zero, y);
    return select(some, select(moves, moved, rest), signedZero);
  }
  Value quotient = op(BinaryOp::Div, op(BinaryOp::Sub, x, rest), y);
  Value less = op(BinaryOp::Sub, quotient, floatConstant(kind, 1));
  quotient = select(moves, less, quotient);
  // Nearly an integer: to the nearest one.
  Value down = math::FloorOp::create(b, loc, quotient);
  Value far = lt(floatConstant(kind, 0.5), op(BinaryOp::Sub, quotient, down));
  Value nearest =
      select(far, op(BinaryOp::Add, down, floatConstant(kind, 1)), down);
  Value plain = op(BinaryOp::Div, x, y);
  Value signedZero = math::CopySignOp::create(b, loc, zero, plain);
  Value result = select(isNot0(quotient), nearest, signedZero);
  return select(isNot0(y), result, plain);
}
