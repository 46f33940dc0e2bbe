//===- ImportScalars.cpp - Operators and conversions ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Values of f16 and bf16 are widened for each operation and rounded after it:
// f32 has more than twice their digits, so that this is the operation rounded
// once.
//
//===----------------------------------------------------------------------===//

#include "ImportImpl.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace arrc;
using namespace mlir;
using hir::BinaryOp;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value Importer::constant(ScalarKind kind, int64_t value) {
  unsigned width = kind == ScalarKind::Bool ? 1 : bitWidth(kind);
  return arith::ConstantOp::create(
      b, loc,
      b.getIntegerAttr(scalarType(kind), APInt(width, value, /*isSigned=*/true,
                                               /*implicitTrunc=*/true)));
}

Value Importer::floatConstant(ScalarKind kind, double value) {
  auto type = cast<FloatType>(scalarType(kind));
  APFloat number(value);
  bool lost;
  number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &lost);
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, number));
}

arith::FastMathFlags Importer::flags() const {
  // Not nnan, ninf, nsz: `@fast` keeps special values.
  if (!fast)
    return arith::FastMathFlags::none;
  arith::FastMathFlags all = arith::FastMathFlags::reassoc |
                             arith::FastMathFlags::arcp |
                             arith::FastMathFlags::afn;
  return exact ? all : all | arith::FastMathFlags::contract;
}

Value Importer::re(Value z) { return make<complex::ReOp>(z); }
Value Importer::im(Value z) { return make<complex::ImOp>(z); }
Value Importer::complexOf(Value re, Value im) {
  return make<complex::CreateOp>(ComplexType::get(re.getType()), re, im);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Value Importer::negate(ScalarKind kind, Value a) {
  if (isComplex(kind))
    return complexOf(negate(realPart(kind), re(a)),
                     negate(realPart(kind), im(a)));
  if (isFloat(kind))
    return make<arith::NegFOp>(a, flags());
  return make<arith::SubIOp>(constant(kind, 0), a);
}

Value Importer::emitUnary(hir::UnaryExpr *e) {
  Value operand = emitScalar(e->operand);
  if (e->op == hir::UnaryOp::Not)
    return make<arith::XOrIOp>(operand, constant(ScalarKind::Bool, 1));
  return negate(e->type.scalar(), operand);
}

/// The factors, if the expression is written as a product: `a * b`, `a ** 2`.
static std::optional<std::pair<hir::Expr *, hir::Expr *>>
productOf(hir::Expr *e) {
  auto *binary = dyn_cast<hir::BinaryExpr>(e);
  if (!binary)
    return std::nullopt;
  if (binary->op == BinaryOp::Mul)
    return std::pair(binary->lhs, binary->rhs);
  auto *exponent = dyn_cast<hir::ConstExpr>(binary->rhs);
  if (binary->op == BinaryOp::Pow && exponent &&
      isInteger(exponent->type.scalar()) && exponent->intValue == 2)
    return std::pair(binary->lhs, nullptr);
  return std::nullopt;
}

Value Importer::emitFma(hir::BinaryExpr *e) {
  auto factors = [&](std::pair<hir::Expr *, hir::Expr *> product) {
    Value x = emitScalar(product.first);
    return std::pair(x, product.second ? emitScalar(product.second) : x);
  };
  bool isSub = e->op == BinaryOp::Sub;
  ScalarKind kind = e->type.scalar();
  if (auto product = productOf(e->lhs)) {
    auto [x, y] = factors(*product);
    Value z = emitScalar(e->rhs);
    if (isSub)
      z = negate(kind, z);
    return math::FmaOp::create(b, loc, x, y, z, flags());
  }
  if (auto product = productOf(e->rhs)) {
    Value z = emitScalar(e->lhs);
    auto [x, y] = factors(*product);
    if (isSub)
      x = negate(kind, x);
    return math::FmaOp::create(b, loc, x, y, z, flags());
  }
  return {};
}

Value Importer::emitBinary(hir::BinaryExpr *e) {
  ScalarKind kind = e->lhs->type.scalar();
  if (e->op == BinaryOp::Pow)
    return power(e);
  bool isSum = e->op == BinaryOp::Add || e->op == BinaryOp::Sub;
  bool fuses = kind == ScalarKind::F32 || kind == ScalarKind::F64;
  if (isSum && fuses && !exact)
    if (Value fma = emitFma(e))
      return fma;
  Value lhs = emitScalar(e->lhs);
  Value rhs = emitScalar(e->rhs);
  switch (e->op) {
  case BinaryOp::Eq:
  case BinaryOp::Ne:
  case BinaryOp::Lt:
  case BinaryOp::Le:
  case BinaryOp::Gt:
  case BinaryOp::Ge:
    return compare(e->op, kind, lhs, rhs);
  case BinaryOp::And:
    return make<arith::AndIOp>(lhs, rhs);
  case BinaryOp::Or:
    return make<arith::OrIOp>(lhs, rhs);
  default:
    return arithmetic(e->op, kind, lhs, rhs, e->nonZero || unsafe);
  }
}

Value Importer::arithmetic(BinaryOp op, ScalarKind kind, Value x, Value y,
                           bool nonZero) {
  if (isHalf(kind)) {
    x = convert(kind, ScalarKind::F32, x);
    y = convert(kind, ScalarKind::F32, y);
    return convert(ScalarKind::F32, kind,
                   arithmetic(op, ScalarKind::F32, x, y, nonZero));
  }
  arith::FastMathFlags fm = flags();
  switch (op) {
  case BinaryOp::Add:
    if (isComplex(kind))
      return make<complex::AddOp>(x, y);
    if (isFloat(kind))
      return arith::AddFOp::create(b, loc, x, y, fm);
    return make<arith::AddIOp>(x, y);
  case BinaryOp::Sub:
    if (isComplex(kind))
      return make<complex::SubOp>(x, y);
    if (isFloat(kind))
      return arith::SubFOp::create(b, loc, x, y, fm);
    return make<arith::SubIOp>(x, y);
  case BinaryOp::Mul:
    if (isComplex(kind))
      return complexMul(kind, x, y);
    if (isFloat(kind))
      return arith::MulFOp::create(b, loc, x, y, fm);
    return make<arith::MulIOp>(x, y);
  case BinaryOp::Div:
    if (isComplex(kind))
      return complexDiv(kind, x, y);
    return arith::DivFOp::create(b, loc, x, y, fm);
  case BinaryOp::FloorDiv:
  case BinaryOp::Mod: {
    bool wantRemainder = op == BinaryOp::Mod;
    if (isFloat(kind))
      return floatDivision(wantRemainder, kind, x, y);
    return intDivision(wantRemainder, kind, x, y, nonZero);
  }
  default:
    llvm_unreachable("handled before");
  }
}

Value Importer::compare(BinaryOp op, ScalarKind kind, Value x, Value y) {
  if (isComplex(kind)) {
    ScalarKind part = realPart(kind);
    Value sameRe = compare(op, part, re(x), re(y));
    Value sameIm = compare(op, part, im(x), im(y));
    if (op == BinaryOp::Eq)
      return make<arith::AndIOp>(sameRe, sameIm);
    return make<arith::OrIOp>(sameRe, sameIm);
  }
  if (isFloat(kind)) {
    static const arith::CmpFPredicate predicates[] = {
        arith::CmpFPredicate::OEQ, arith::CmpFPredicate::UNE,
        arith::CmpFPredicate::OLT, arith::CmpFPredicate::OLE,
        arith::CmpFPredicate::OGT, arith::CmpFPredicate::OGE};
    return make<arith::CmpFOp>(
        predicates[unsigned(op) - unsigned(BinaryOp::Eq)], x, y);
  }
  static const arith::CmpIPredicate sign[] = {
      arith::CmpIPredicate::eq,  arith::CmpIPredicate::ne,
      arith::CmpIPredicate::slt, arith::CmpIPredicate::sle,
      arith::CmpIPredicate::sgt, arith::CmpIPredicate::sge};
  static const arith::CmpIPredicate noSign[] = {
      arith::CmpIPredicate::eq,  arith::CmpIPredicate::ne,
      arith::CmpIPredicate::ult, arith::CmpIPredicate::ule,
      arith::CmpIPredicate::ugt, arith::CmpIPredicate::uge};
  unsigned row = unsigned(op) - unsigned(BinaryOp::Eq);
  return make<arith::CmpIOp>(isSignedInt(kind) ? sign[row] : noSign[row], x, y);
}

Value Importer::complexMul(ScalarKind kind, Value x, Value y) {
  ScalarKind part = realPart(kind);
  Value p = re(x), q = im(x), r = re(y), s = im(y);
  auto op = [&](BinaryOp o, Value u, Value v) {
    return arithmetic(o, part, u, v, false);
  };
  return complexOf(
      op(BinaryOp::Sub, op(BinaryOp::Mul, p, r), op(BinaryOp::Mul, q, s)),
      op(BinaryOp::Add, op(BinaryOp::Mul, p, s), op(BinaryOp::Mul, q, r)));
}

/// Smith's: dividing by the larger component keeps everything in range.
Value Importer::complexDiv(ScalarKind kind, Value x, Value y) {
  ScalarKind part = realPart(kind);
  auto op = [&](BinaryOp o, Value u, Value v) {
    return arithmetic(o, part, u, v, false);
  };
  auto select = [&](Value c, Value u, Value v) {
    return make<arith::SelectOp>(c, u, v);
  };
  Value a = re(x), bb = im(x), c = re(y), d = im(y);
  Value wide =
      compare(BinaryOp::Ge, part, make<math::AbsFOp>(c), make<math::AbsFOp>(d));
  // abs(c) >= abs(d): r = d/c, s = c + d*r, ((a + b*r)/s, (b - a*r)/s); else
  // r = c/d, s = d + c*r, ((b + a*r)/s, (b*r - a)/s).
  Value big = select(wide, c, d), small = select(wide, d, c);
  Value first = select(wide, a, bb), second = select(wide, bb, a);
  Value r = op(BinaryOp::Div, small, big);
  Value s = op(BinaryOp::Add, big, op(BinaryOp::Mul, small, r));
  Value real = op(BinaryOp::Add, first, op(BinaryOp::Mul, second, r));
  Value left = select(wide, bb, op(BinaryOp::Mul, bb, r));
  Value right = select(wide, op(BinaryOp::Mul, a, r), a);
  Value imag = op(BinaryOp::Sub, left, right);
  return complexOf(op(BinaryOp::Div, real, s), op(BinaryOp::Div, imag, s));
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

Value Importer::power(hir::BinaryExpr *e) {
  ScalarKind kind = e->lhs->type.scalar();
  ScalarKind exponentKind = e->rhs->type.scalar();
  Value base = emitScalar(e->lhs);
  auto *written = dyn_cast<hir::ConstExpr>(e->rhs);
  if (isInteger(kind))
    return intPower(kind, base, e->rhs);
  if (written && isInteger(exponentKind) && written->intValue >= 2 &&
      written->intValue <= 4) {
    auto mul = [&](Value x, Value y) {
      return arithmetic(BinaryOp::Mul, kind, x, y, false);
    };
    Value square = mul(base, base);
    if (written->intValue == 2)
      return square;
    return written->intValue == 3 ? mul(square, base) : mul(square, square);
  }
  Value exponent = convert(exponentKind, kind, emitScalar(e->rhs));
  if (isComplex(kind))
    return complex::PowOp::create(b, loc, base, exponent);
  if (isHalf(kind)) {
    Value wide =
        math::PowFOp::create(b, loc, convert(kind, ScalarKind::F32, base),
                             convert(kind, ScalarKind::F32, exponent), flags());
    return convert(ScalarKind::F32, kind, wide);
  }
  return math::PowFOp::create(b, loc, base, exponent, flags());
}

Value Importer::intPower(ScalarKind kind, Value base, hir::Expr *exponent) {
  auto mul = [&](Value x, Value y) { return make<arith::MulIOp>(x, y); };
  auto *written = dyn_cast<hir::ConstExpr>(exponent);
  if (written && written->intValue >= 0) {
    uint64_t n = written->intValue;
    Value result = constant(kind, 1);
    for (Value square = base; n != 0; n >>= 1) {
      if (n & 1)
        result = mul(result, square);
      if (n > 1)
        square = mul(square, square);
    }
    return result;
  }
  ScalarKind expKind = exponent->type.scalar();
  Value n = emitScalar(exponent);
  if (isSignedInt(expKind) && !unsafe) {
    Value ok = compare(BinaryOp::Ge, expKind, n, constant(expKind, 0));
    check(hir::CheckKind::Assert, ok, "negative exponent {0}", {n});
  }
  // Square and multiply; the bits of the exponent are used up.
  mlir::Type type = scalarType(kind), expType = scalarType(expKind);
  SmallVector<mlir::Type> types{expType, type, type};
  SmallVector<Location> locs(3, loc);
  auto loop = scf::WhileOp::create(b, loc, types,
                                   ValueRange{n, base, constant(kind, 1)});
  Branching branching(*this, loop);
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&loop.getBefore(), {}, types, locs);
  Value more = compare(BinaryOp::Ne, expKind, before->getArgument(0),
                       constant(expKind, 0));
  if (isSignedInt(expKind))
    more = compare(BinaryOp::Gt, expKind, before->getArgument(0),
                   constant(expKind, 0));
  scf::ConditionOp::create(b, loc, more, before->getArguments());
  Block *after = b.createBlock(&loop.getAfter(), {}, types, locs);
  Value left = after->getArgument(0), square = after->getArgument(1),
        result = after->getArgument(2);
  Value one = constant(expKind, 1);
  Value odd =
      make<arith::CmpIOp>(arith::CmpIPredicate::ne,
                          make<arith::AndIOp>(left, one), constant(expKind, 0));
  Value next = make<arith::SelectOp>(odd, mul(result, square), result);
  scf::YieldOp::create(
      b, loc,
      ValueRange{make<arith::ShRUIOp>(left, one), mul(square, square), next});
  return loop.getResult(2);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Value Importer::convert(ScalarKind from, ScalarKind to, Value v) {
  if (from == to)
    return v;
  mlir::Type type = scalarType(to);
  if (isComplex(to)) {
    ScalarKind part = realPart(to);
    if (isComplex(from))
      return complexOf(convert(realPart(from), part, re(v)),
                       convert(realPart(from), part, im(v)));
    return complexOf(convert(from, part, v), floatConstant(part, 0));
  }
  if (to == ScalarKind::Bool) {
    if (isComplex(from)) {
      Value zero = floatConstant(realPart(from), 0);
      return make<arith::OrIOp>(
          compare(BinaryOp::Ne, realPart(from), re(v), zero),
          compare(BinaryOp::Ne, realPart(from), im(v), zero));
    }
    return compare(BinaryOp::Ne, from, v,
                   isFloat(from) ? floatConstant(from, 0) : constant(from, 0));
  }
  if (isFloat(from) && isFloat(to)) {
    if (isHalf(from) && isHalf(to))
      return convert(ScalarKind::F32, to, convert(from, ScalarKind::F32, v));
    if (bitWidth(to) > bitWidth(from))
      return make<arith::ExtFOp>(type, v);
    return make<arith::TruncFOp>(type, v);
  }
  if (isFloat(from))
    return floatToInt(from, to, v);
  bool isSigned = isSignedInt(from);
  if (isFloat(to))
    return isSigned ? make<arith::SIToFPOp>(type, v)
                    : make<arith::UIToFPOp>(type, v);
  unsigned fromWidth = from == ScalarKind::Bool ? 1 : bitWidth(from);
  if (bitWidth(to) < fromWidth)
    return make<arith::TruncIOp>(type, v);
  if (bitWidth(to) == fromWidth)
    return v;
  return isSigned ? make<arith::ExtSIOp>(type, v)
                  : make<arith::ExtUIOp>(type, v);
}

/// Toward zero, saturating, NaN to 0. The conversion itself sees only values
/// that fit; the limits are powers of two, exact in every float.
Value Importer::floatToInt(ScalarKind from, ScalarKind to, Value v) {
  if (isHalf(from)) {
    v = convert(from, ScalarKind::F32, v);
    from = ScalarKind::F32;
  }
  bool isSigned = isSignedInt(to);
  unsigned width = bitWidth(to);
  double limit = std::ldexp(1.0, isSigned ? width - 1 : width);
  APInt least =
      isSigned ? APInt::getSignedMinValue(width) : APInt::getMinValue(width);
  APInt largest =
      isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
  Value high = floatConstant(from, limit);
  Value low = floatConstant(from, isSigned ? -limit : 0.0);
  Value tooHigh = make<arith::CmpFOp>(arith::CmpFPredicate::OGE, v, high);
  // Everything but the numbers from `low` on: NaN too.
  Value inside = make<arith::CmpFOp>(arith::CmpFPredicate::OGE, v, low);
  Value tooLow = make<arith::CmpFOp>(arith::CmpFPredicate::OLT, v, low);
  Value fits = make<arith::AndIOp>(
      inside, make<arith::XOrIOp>(tooHigh, constant(ScalarKind::Bool, 1)));
  Value safe = make<arith::SelectOp>(fits, v, floatConstant(from, 0));
  mlir::Type type = scalarType(to);
  Value result = isSigned ? make<arith::FPToSIOp>(type, safe)
                          : make<arith::FPToUIOp>(type, safe);
  result = make<arith::SelectOp>(tooHigh, constant(to, largest.getSExtValue()),
                                 result);
  // -inf and below: the least; NaN stays 0.
  return make<arith::SelectOp>(tooLow, constant(to, least.getSExtValue()),
                               result);
}
