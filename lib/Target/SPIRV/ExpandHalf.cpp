//===- ExpandHalf.cpp - f16 on devices that have none ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Memory holds 16 bits, arithmetic is of f32, and each result is rounded to
// f16 as the language asks for. Both conversions are integer operations, so
// that they are exact on devices that flush small numbers to zero:
//
//   to f32     normal: the bits moved up and the exponent moved by 112;
//              subnormal: their number times 2^-24
//   from f32   normal: half of the dropped bits added, ties to even;
//              subnormal: 0.5 added, which leaves the rounded bits at the end
//   from f64   to f32 with the last bit set if anything was lost (rounding to
//              odd), then from f32: rounded once
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace arrc::target;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace {
/// Writes operations on i32 and f32, or on vectors of them.
struct Writer : OpBuilder {
  Writer(Operation *op)
      : OpBuilder(op), loc(op->getLoc()),
        vector(dyn_cast<VectorType>(op->getResult(0).getType())) {}

  template <typename Op, typename... Args> Value make(Args &&...args) {
    return Op::create(*this, loc, std::forward<Args>(args)...);
  }
  Type shaped(Type type) { return vector ? Type(vector.clone(type)) : type; }
  Type i16() { return shaped(getI16Type()); }
  Type i32() { return shaped(getI32Type()); }
  Type f32() { return shaped(getF32Type()); }
  Value constant(Type type, TypedAttr value) {
    if (vector)
      value = DenseElementsAttr::get(cast<ShapedType>(type), Attribute(value));
    return make<arith::ConstantOp>(value);
  }
  Value bits(uint32_t value) {
    return constant(i32(), getI32IntegerAttr(int32_t(value)));
  }
  Value number(float value) { return constant(f32(), getF32FloatAttr(value)); }
  Value compare(CmpIPredicate predicate, Value a, Value b) {
    return make<arith::CmpIOp>(predicate, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return make<arith::SelectOp>(condition, a, b);
  }

  Value fromHalf(Value half);
  Value toHalf(Value number);
  Value toOdd(Value wide);

  Location loc;
  VectorType vector;
};
} // namespace

Value Writer::fromHalf(Value half) {
  Value h = make<arith::ExtUIOp>(i32(), make<arith::BitcastOp>(i16(), half));
  Value size = make<arith::AndIOp>(h, bits(0x7fff));
  Value sign =
      make<arith::ShLIOp>(make<arith::AndIOp>(h, bits(0x8000)), bits(16));
  Value moved = make<arith::ShLIOp>(size, bits(13));
  Value normal = make<arith::AddIOp>(moved, bits(0x38000000));
  Value special = make<arith::AddIOp>(moved, bits(0x70000000));
  Value small = make<arith::BitcastOp>(
      i32(), make<arith::MulFOp>(make<arith::UIToFPOp>(f32(), size),
                                 number(0x1p-24f)));
  Value isSmall = compare(CmpIPredicate::ult, size, bits(0x0400));
  Value isSpecial = compare(CmpIPredicate::uge, size, bits(0x7c00));
  Value result = select(isSmall, small, select(isSpecial, special, normal));
  return make<arith::BitcastOp>(f32(), make<arith::OrIOp>(sign, result));
}

Value Writer::toHalf(Value x) {
  Value all = make<arith::BitcastOp>(i32(), x);
  Value size = make<arith::AndIOp>(all, bits(0x7fffffff));
  Value sign =
      make<arith::AndIOp>(make<arith::ShRUIOp>(all, bits(16)), bits(0x8000));
  Value isOdd =
      make<arith::AndIOp>(make<arith::ShRUIOp>(size, bits(13)), bits(1));
  Value up = make<arith::AddIOp>(make<arith::AddIOp>(size, bits(0xfff)), isOdd);
  Value normal =
      make<arith::ShRUIOp>(make<arith::SubIOp>(up, bits(0x38000000)), bits(13));
  Value sum =
      make<arith::AddFOp>(make<arith::BitcastOp>(f32(), size), number(0.5f));
  Value small =
      make<arith::SubIOp>(make<arith::BitcastOp>(i32(), sum), bits(0x3f000000));
  Value isNaN = compare(CmpIPredicate::ugt, size, bits(0x7f800000));
  Value special = select(isNaN, bits(0x7e00), bits(0x7c00));
  Value isSmall = compare(CmpIPredicate::ult, size, bits(0x38800000));
  Value isSpecial = compare(CmpIPredicate::uge, size, bits(0x47800000));
  Value result = select(isSmall, small, select(isSpecial, special, normal));
  result = make<arith::OrIOp>(sign, result);
  return make<arith::BitcastOp>(shaped(getF16Type()),
                                make<arith::TruncIOp>(i16(), result));
}

Value Writer::toOdd(Value wide) {
  Value near = make<arith::TruncFOp>(f32(), wide);
  Value back = make<arith::ExtFOp>(wide.getType(), near);
  Value all = make<arith::BitcastOp>(i32(), near);
  Value isBeyond =
      make<arith::CmpFOp>(CmpFPredicate::OGT, Value(make<math::AbsFOp>(back)),
                          Value(make<math::AbsFOp>(wide)));
  Value toZero = select(isBeyond, make<arith::SubIOp>(all, bits(1)), all);
  Value isLossy = make<arith::CmpFOp>(CmpFPredicate::UNE, back, wide);
  Value odd = select(isLossy, make<arith::OrIOp>(toZero, bits(1)), all);
  return make<arith::BitcastOp>(f32(), odd);
}

/// The two conversions, by integers.
static void expandConversions(gpu::GPUModuleOp module) {
  SmallVector<Operation *> ops;
  module->walk([&](Operation *op) {
    if ((isa<arith::ExtFOp>(op) &&
         getElementTypeOrSelf(op->getOperand(0)).isF16()) ||
        (isa<arith::TruncFOp>(op) &&
         getElementTypeOrSelf(op->getResult(0)).isF16()))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    Writer w(op);
    Value in = op->getOperand(0), result;
    if (isa<arith::ExtFOp>(op)) {
      result = w.fromHalf(in);
      if (op->getResult(0).getType() != result.getType())
        result = w.make<arith::ExtFOp>(op->getResult(0).getType(), result);
    } else {
      bool isWide = getElementTypeOrSelf(in).isF64();
      result = w.toHalf(isWide ? w.toOdd(in) : in);
    }
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }
}

LogicalResult opencl::expandHalf(gpu::GPUModuleOp module) {
  bool hasHalf = false;
  module->walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      hasHalf |= getElementTypeOrSelf(type).isF16();
    for (Type type : op->getOperandTypes())
      hasHalf |= getElementTypeOrSelf(type).isF16();
  });
  if (!hasHalf)
    return success();
  MLIRContext *context = module.getContext();
  {
    TypeConverter converter;
    llvm::SetVector<Type> supported;
    supported.insert(Float32Type::get(context));
    supported.insert(Float64Type::get(context));
    math::populateExtendToSupportedTypesTypeConverter(
        converter, supported, Float32Type::get(context));
    ConversionTarget target(*context);
    math::populateExtendToSupportedTypesConversionTarget(target, converter);
    RewritePatternSet patterns(context);
    math::populateExtendToSupportedTypesPatterns(patterns, converter);
    if (failed(applyPartialConversion(module, target, std::move(patterns))))
      return failure();
  }
  TypeConverter converter;
  arith::populateEmulateUnsupportedFloatsConversions(
      converter, {Float16Type::get(context)}, Float32Type::get(context));
  RewritePatternSet patterns(context);
  arith::populateEmulateUnsupportedFloatsPatterns(patterns, converter);
  ConversionTarget target(*context);
  arith::populateEmulateUnsupportedFloatsLegality(target, converter);
  if (failed(applyPartialConversion(module, target, std::move(patterns))))
    return failure();
  expandConversions(module);
  return success();
}
