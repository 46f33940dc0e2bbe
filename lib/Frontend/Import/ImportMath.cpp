//===- ImportMath.cpp - Built-in functions of scalars ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ImportImpl.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace arrc;
using namespace mlir;
using hir::BinaryOp;
using hir::Function;

Value Importer::emitCall(hir::CallExpr *e) {
  switch (e->function) {
  case Function::Philox:
  case Function::Uniform:
  case Function::Normal:
  case Function::RandInt:
    return emitRandom(e);
  default:
    break;
  }
  Values args;
  for (hir::Expr *arg : e->args)
    args.push_back(emitScalar(arg));
  return function(e->function, e->args.front()->type.scalar(), args, e);
}

Value Importer::function(Function f, ScalarKind kind, ArrayRef<Value> args,
                         hir::CallExpr *e) {
  auto sameAs = [&](Value x, double v) {
    return isFloat(kind) ? floatConstant(kind, v) : constant(kind, int64_t(v));
  };
  Value x = args[0];
  switch (f) {
  case Function::Select:
    return arith::SelectOp::create(b, loc, x, args[1], args[2]);
  case Function::Min:
  case Function::Max: {
    Value result = x;
    for (Value y : args.drop_front()) {
      bool isMin = f == Function::Min;
      if (isFloat(kind))
        result = isMin ? make<arith::MinimumFOp>(result, y)
                       : make<arith::MaximumFOp>(result, y);
      else if (isSignedInt(kind))
        result = isMin ? make<arith::MinSIOp>(result, y)
                       : make<arith::MaxSIOp>(result, y);
      else
        result = isMin ? make<arith::MinUIOp>(result, y)
                       : make<arith::MaxUIOp>(result, y);
    }
    return result;
  }
  case Function::Clamp:
    return function(Function::Min, kind,
                    {function(Function::Max, kind, {x, args[1]}, e), args[2]},
                    e);
  case Function::Abs:
    if (isComplex(kind))
      return hypot(realPart(kind), re(x), im(x));
    if (isFloat(kind))
      return make<math::AbsFOp>(x);
    if (!isSignedInt(kind))
      return x;
    return make<arith::SelectOp>(
        compare(BinaryOp::Lt, kind, x, constant(kind, 0)), negate(kind, x), x);
  case Function::Sign: {
    Value zero = sameAs(x, 0);
    Value above = compare(BinaryOp::Gt, kind, x, zero);
    // Zeros and NaN are themselves.
    Value rest = x;
    if (isFloat(kind) || isSignedInt(kind))
      rest = make<arith::SelectOp>(compare(BinaryOp::Lt, kind, x, zero),
                                   sameAs(x, -1), x);
    return make<arith::SelectOp>(above, sameAs(x, 1), rest);
  }
  case Function::BitAnd:
    return make<arith::AndIOp>(x, args[1]);
  case Function::BitOr:
    return make<arith::OrIOp>(x, args[1]);
  case Function::BitXor:
    return make<arith::XOrIOp>(x, args[1]);
  case Function::BitNot:
    return make<arith::XOrIOp>(x, constant(kind, -1));
  case Function::Shl:
  case Function::Shr:
    return shift(f, kind, x, args[1], e->args[1]->type.scalar());
  case Function::Popcount:
  case Function::Clz:
  case Function::Ctz: {
    Value bits;
    if (f == Function::Popcount)
      bits = math::CtPopOp::create(b, loc, x);
    else if (f == Function::Clz)
      bits = math::CountLeadingZerosOp::create(b, loc, x);
    else
      bits = math::CountTrailingZerosOp::create(b, loc, x);
    if (bitWidth(kind) == 64)
      return bits;
    return make<arith::ExtUIOp>(b.getI64Type(), bits);
  }
  case Function::Complex:
    return complexOf(x, args[1]);
  case Function::Re:
    return re(x);
  case Function::Im:
    return im(x);
  case Function::Arg:
    return math::Atan2Op::create(b, loc, im(x), re(x));
  case Function::Conj:
    return complexOf(re(x), negate(realPart(kind), im(x)));
  case Function::IsNan:
  case Function::IsInf:
  case Function::IsFinite: {
    if (isComplex(kind)) {
      Value first = function(f, realPart(kind), re(x), e);
      Value second = function(f, realPart(kind), im(x), e);
      if (f == Function::IsFinite)
        return make<arith::AndIOp>(first, second);
      return make<arith::OrIOp>(first, second);
    }
    if (f == Function::IsNan)
      return make<arith::CmpFOp>(arith::CmpFPredicate::UNO, x, x);
    Value size = math::AbsFOp::create(b, loc, x);
    Value inf = floatConstant(kind, std::numeric_limits<double>::infinity());
    return make<arith::CmpFOp>(f == Function::IsInf ? arith::CmpFPredicate::OEQ
                                                    : arith::CmpFPredicate::OLT,
                               size, inf);
  }
  default:
    break;
  }
  if (isComplex(kind))
    return complexFunction(f, kind, args);
  if (isHalf(kind)) {
    // Computed in f32 and rounded, as every operation.
    Values wide;
    for (Value arg : args)
      wide.push_back(convert(kind, ScalarKind::F32, arg));
    return convert(ScalarKind::F32, kind,
                   floatFunction(f, ScalarKind::F32, wide));
  }
  return floatFunction(f, kind, args);
}

/// Shifts as if integers were infinitely wide: far shifts leave 0, or the sign.
Value Importer::shift(Function f, ScalarKind kind, Value x, Value k,
                      ScalarKind countKind) {
  unsigned width = bitWidth(kind);
  Value limit = constant(countKind, width);
  Value far = make<arith::CmpIOp>(arith::CmpIPredicate::uge, k, limit);
  bool keepsSign = f == Function::Shr && isSignedInt(kind);
  // LLVM 22 makes a clamped shift of a count that a select guards, for PTX, and
  // looks at the low 32 bits only of one with 64; a minimum it leaves alone.
  Value safe =
      bitWidth(countKind) == 64
          ? make<arith::MinUIOp>(k, constant(countKind, width - 1))
          : make<arith::SelectOp>(
                far, constant(countKind, keepsSign ? width - 1 : 0), k);
  // Below 64 now: no type is too narrow for it.
  if (bitWidth(countKind) > width)
    safe = make<arith::TruncIOp>(scalarType(kind), safe);
  else if (bitWidth(countKind) < width)
    safe = make<arith::ExtUIOp>(scalarType(kind), safe);
  if (keepsSign)
    return make<arith::ShRSIOp>(x, safe);
  Value shifted = f == Function::Shl ? make<arith::ShLIOp>(x, safe)
                                     : make<arith::ShRUIOp>(x, safe);
  return make<arith::SelectOp>(far, constant(kind, 0), shifted);
}

/// sqrt(x*x + y*y) without overflow. In f32 the squares fit a double; in f64
/// both are scaled by the larger one.
Value Importer::hypot(ScalarKind kind, Value x, Value y) {
  if (kind == ScalarKind::F32) {
    auto square = [&](Value v) {
      v = convert(ScalarKind::F32, ScalarKind::F64, v);
      return Value(arith::MulFOp::create(b, loc, v, v));
    };
    Value sum = arith::AddFOp::create(b, loc, square(x), square(y));
    Value root = convert(ScalarKind::F64, ScalarKind::F32,
                         math::SqrtOp::create(b, loc, sum));
    // inf wins over NaN.
    Value inf = floatConstant(kind, std::numeric_limits<double>::infinity());
    auto isInf = [&](Value v) {
      return make<arith::CmpFOp>(arith::CmpFPredicate::OEQ,
                                 make<math::AbsFOp>(v), inf);
    };
    return make<arith::SelectOp>(make<arith::OrIOp>(isInf(x), isInf(y)), inf,
                                 root);
  }
  Value inf = floatConstant(kind, std::numeric_limits<double>::infinity());
  Value p = math::AbsFOp::create(b, loc, x),
        q = math::AbsFOp::create(b, loc, y);
  Value big = arith::MaxNumFOp::create(b, loc, p, q);
  Value small = arith::MinNumFOp::create(b, loc, p, q);
  Value one = floatConstant(kind, 1), zero = floatConstant(kind, 0);
  Value isZero = compare(BinaryOp::Eq, kind, big, zero);
  Value ratio = arith::DivFOp::create(b, loc, small,
                                      make<arith::SelectOp>(isZero, one, big));
  Value root = math::SqrtOp::create(
      b, loc, math::FmaOp::create(b, loc, ratio, ratio, one));
  Value result = arith::MulFOp::create(b, loc, big, root);
  Value isInf = compare(BinaryOp::Eq, kind, big, inf);
  Value isNan = make<arith::CmpFOp>(arith::CmpFPredicate::UNO, x, y);
  Value nan = arith::AddFOp::create(b, loc, x, y);
  result = make<arith::SelectOp>(isNan, nan, result);
  return make<arith::SelectOp>(isInf, inf, result);
}

Value Importer::floatFunction(Function f, ScalarKind kind,
                              ArrayRef<Value> args) {
  Value x = args[0];
  arith::FastMathFlags fm = flags();
  switch (f) {
#define SIMPLE(name, op)                                                       \
  case Function::name:                                                         \
    return math::op::create(b, loc, x, fm);
    SIMPLE(Sqrt, SqrtOp)
    SIMPLE(Exp, ExpOp)
    SIMPLE(Log, LogOp)
    SIMPLE(Sin, SinOp)
    SIMPLE(Cos, CosOp)
    SIMPLE(Tan, TanOp)
    SIMPLE(Sinh, SinhOp)
    SIMPLE(Cosh, CoshOp)
    SIMPLE(Tanh, TanhOp)
    SIMPLE(Cbrt, CbrtOp)
    SIMPLE(Exp2, Exp2Op)
    SIMPLE(Expm1, ExpM1Op)
    SIMPLE(Log2, Log2Op)
    SIMPLE(Log10, Log10Op)
    SIMPLE(Log1p, Log1pOp)
    SIMPLE(Asin, AsinOp)
    SIMPLE(Acos, AcosOp)
    SIMPLE(Atan, AtanOp)
    SIMPLE(Asinh, AsinhOp)
    SIMPLE(Acosh, AcoshOp)
    SIMPLE(Atanh, AtanhOp)
    SIMPLE(Erf, ErfOp)
    SIMPLE(Erfc, ErfcOp)
    SIMPLE(Floor, FloorOp)
    SIMPLE(Ceil, CeilOp)
    SIMPLE(Round, RoundEvenOp)
    SIMPLE(Trunc, TruncOp)
#undef SIMPLE
  case Function::Rsqrt:
    // Two operations, each rounded right: within one unit in the last place.
    if (!fast)
      return arith::DivFOp::create(b, loc, floatConstant(kind, 1),
                                   math::SqrtOp::create(b, loc, x));
    return math::RsqrtOp::create(b, loc, x, fm);
  case Function::Atan2:
    return math::Atan2Op::create(b, loc, x, args[1], fm);
  case Function::Hypot:
    return hypot(kind, x, args[1]);
  case Function::Copysign:
    return math::CopySignOp::create(b, loc, x, args[1]);
  case Function::Fmin:
    return arith::MinNumFOp::create(b, loc, x, args[1]);
  case Function::Fmax:
    return arith::MaxNumFOp::create(b, loc, x, args[1]);
  case Function::Fma:
    return math::FmaOp::create(b, loc, x, args[1], args[2]);
  default:
    llvm_unreachable("handled before");
  }
}

Value Importer::complexFunction(Function f, ScalarKind kind,
                                ArrayRef<Value> args) {
  ScalarKind part = realPart(kind);
  Value x = re(args[0]), y = im(args[0]);
  auto fn = [&](Function g, Value v) { return floatFunction(g, part, {v}); };
  auto mul = [&](Value u, Value v) {
    return arithmetic(BinaryOp::Mul, part, u, v, false);
  };
  switch (f) {
  case Function::Exp: {
    Value size = fn(Function::Exp, x);
    return complexOf(mul(size, fn(Function::Cos, y)),
                     mul(size, fn(Function::Sin, y)));
  }
  case Function::Log:
    return complexOf(fn(Function::Log, hypot(part, x, y)),
                     math::Atan2Op::create(b, loc, y, x));
  case Function::Sin:
    return complexOf(mul(fn(Function::Sin, x), fn(Function::Cosh, y)),
                     mul(fn(Function::Cos, x), fn(Function::Sinh, y)));
  case Function::Cos:
    return complexOf(
        mul(fn(Function::Cos, x), fn(Function::Cosh, y)),
        negate(part, mul(fn(Function::Sin, x), fn(Function::Sinh, y))));
  case Function::Sinh:
    return complexOf(mul(fn(Function::Sinh, x), fn(Function::Cos, y)),
                     mul(fn(Function::Cosh, x), fn(Function::Sin, y)));
  case Function::Cosh:
    return complexOf(mul(fn(Function::Cosh, x), fn(Function::Cos, y)),
                     mul(fn(Function::Sinh, x), fn(Function::Sin, y)));
  case Function::Sqrt:
    return complex::SqrtOp::create(b, loc, args[0]);
  case Function::Tan:
    return complex::TanOp::create(b, loc, args[0]);
  case Function::Tanh:
    return complex::TanhOp::create(b, loc, args[0]);
  default:
    llvm_unreachable("a function of complex numbers");
  }
}
