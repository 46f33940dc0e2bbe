//===- ExpandComplex.cpp - Complex functions by careful real ones ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Upstream's formulas for three functions cancel or overflow; on the CPU they
// are libm's, here they are written out (z = x + iy, b and s the larger and the
// smaller of |x| and |y|):
//
//   log z   b far from 1:  log b + log1p((s / b)^2) / 2
//           b near 1:      log1p((b - 1)(b + 1) + s^2) / 2, which keeps what
//                          the logarithm of a number near 1 would lose
//   sin z   sin x cosh y + i cos x sinh y
//   cos z   cos x cosh y - i sin x sinh y
//
// Of single precision they are computed in double where the device has it, so
// that nothing overflows on the way.
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Target/GPU/GPU.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

#include <limits>

using namespace mlir;
using arith::CmpFPredicate;

namespace {
/// Real and imaginary part.
struct Parts {
  Value re, im;
};

/// Writes functions of one number whose parts are of one float type.
struct Writer : OpBuilder {
  Writer(Operation *op, FloatType type)
      : OpBuilder(op), loc(op->getLoc()), type(type) {}

  template <typename Op, typename... Args> Value make(Args &&...args) {
    return Op::create(*this, loc, std::forward<Args>(args)...);
  }

  Value number(double value) {
    APFloat v(value);
    bool isInexact;
    v.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
              &isInexact);
    return make<arith::ConstantOp>(FloatAttr::get(type, v));
  }
  Value compare(CmpFPredicate predicate, Value a, Value b) {
    return make<arith::CmpFOp>(predicate, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return make<arith::SelectOp>(condition, a, b);
  }
  Value mul(Value a, Value b) { return make<arith::MulFOp>(a, b); }
  Value halfLog1p(Value v) { return mul(number(0.5), make<math::Log1pOp>(v)); }

  Parts log(Parts z);
  Parts sin(Parts z);
  Parts cos(Parts z);

  Location loc;
  FloatType type;
};
} // namespace

Parts Writer::log(Parts z) {
  Value inf = number(std::numeric_limits<double>::infinity());
  Value p = make<math::AbsFOp>(z.re), q = make<math::AbsFOp>(z.im);
  Value isLess = compare(CmpFPredicate::OLT, p, q);
  Value big = select(isLess, q, p), small = select(isLess, p, q);
  Value isInf = make<arith::OrIOp>(compare(CmpFPredicate::OEQ, p, inf),
                                   compare(CmpFPredicate::OEQ, q, inf));
  // Of 0 the quotient would be 0 / 0.
  Value isZero = compare(CmpFPredicate::OEQ, big, number(0));
  Value ratio = make<arith::DivFOp>(small, select(isZero, number(1), big));
  Value far =
      make<arith::AddFOp>(make<math::LogOp>(big), halfLog1p(mul(ratio, ratio)));
  Value less = make<arith::SubFOp>(big, number(1));
  Value more = make<arith::AddFOp>(big, number(1));
  Value near = halfLog1p(make<math::FmaOp>(less, more, mul(small, small)));
  Value isNear =
      make<arith::AndIOp>(compare(CmpFPredicate::OGT, big, number(0.5)),
                          compare(CmpFPredicate::OLT, big, number(2)));
  Value size = select(isNear, near, far);
  size = select(isInf, inf, size);
  return {size, make<math::Atan2Op>(z.im, z.re)};
}

Parts Writer::sin(Parts z) {
  return {mul(make<math::SinOp>(z.re), make<math::CoshOp>(z.im)),
          mul(make<math::CosOp>(z.re), make<math::SinhOp>(z.im))};
}

Parts Writer::cos(Parts z) {
  Value im = mul(make<math::SinOp>(z.re), make<math::SinhOp>(z.im));
  return {mul(make<math::CosOp>(z.re), make<math::CoshOp>(z.im)),
          make<arith::NegFOp>(im)};
}

static void expand(Operation *op, bool hasF64) {
  Value z = op->getOperand(0);
  auto type = cast<ComplexType>(z.getType());
  auto part = cast<FloatType>(type.getElementType());
  bool isWidened = part.getWidth() < 64 && hasF64;
  Writer w(op,
           isWidened ? FloatType(Float64Type::get(op->getContext())) : part);
  Parts in = {w.make<complex::ReOp>(part, z), w.make<complex::ImOp>(part, z)};
  if (isWidened)
    in = {w.make<arith::ExtFOp>(w.type, in.re),
          w.make<arith::ExtFOp>(w.type, in.im)};
  Parts out = isa<complex::LogOp>(op)   ? w.log(in)
              : isa<complex::SinOp>(op) ? w.sin(in)
                                        : w.cos(in);
  if (isWidened)
    out = {w.make<arith::TruncFOp>(part, out.re),
           w.make<arith::TruncFOp>(part, out.im)};
  op->getResult(0).replaceAllUsesWith(
      w.make<complex::CreateOp>(type, out.re, out.im));
  op->erase();
}

void arrc::target::expandComplex(Operation *root) {
  auto row = kernel::DeviceAttr::get(root);
  bool hasF64 = !row || row.getInteger("f64", 1);
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (isa<complex::LogOp, complex::SinOp, complex::CosOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops)
    expand(op, hasF64);
}
