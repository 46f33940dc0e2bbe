//===- ExpandFunctions.cpp - Functions that upstream lowers badly ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// What the language promises of a function decides, not what is quickest:
//
//   math.expm1 x        @expm1(x), for each lane of a vector
//   math.isinf x        |x| == inf
//   complex.log z, ..   @clog(z) in double precision. Of single precision too:
//                       C passes two floats in one register, which no LLVM
//                       struct of two floats does, and the result is exact
//
//===----------------------------------------------------------------------===//

#include "arrc/Target/CPU/CPU.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/ADT/TypeSwitch.h"

namespace arrc::cpu {
#define GEN_PASS_DEF_EXPANDFUNCTIONSPASS
#include "arrc/Target/CPU/Passes.h.inc"
} // namespace arrc::cpu

using namespace mlir;

/// A call of the C library's `name`, which has no effects: LLVM may vectorise
/// it.
static Value callLibrary(OpBuilder &b, ModuleOp module, Location loc,
                         StringRef name, Value argument) {
  Type type = argument.getType();
  auto function = module.lookupSymbol<func::FuncOp>(name);
  if (!function) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    function = func::FuncOp::create(b, module.getLoc(), name,
                                    b.getFunctionType({type}, {type}));
    function.setPrivate();
    function->setAttr(LLVM::LLVMDialect::getReadnoneAttrName(),
                      b.getUnitAttr());
  }
  return func::CallOp::create(b, loc, function, argument).getResult(0);
}

static Value expandExpM1(OpBuilder &b, ModuleOp module, math::ExpM1Op op) {
  Location loc = op.getLoc();
  StringRef name =
      getElementTypeOrSelf(op.getType()).isF32() ? "expm1f" : "expm1";
  auto type = dyn_cast<VectorType>(op.getType());
  if (!type)
    return callLibrary(b, module, loc, name, op.getOperand());
  Value result = op.getOperand();
  for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
    Value x = vector::ExtractOp::create(b, loc, op.getOperand(), lane);
    result = vector::InsertOp::create(
        b, loc, callLibrary(b, module, loc, name, x), result, lane);
  }
  return result;
}

static Value expandIsInf(OpBuilder &b, math::IsInfOp op) {
  Location loc = op.getLoc();
  Type type = op.getOperand().getType();
  auto element = cast<FloatType>(getElementTypeOrSelf(type));
  TypedAttr inf = b.getFloatAttr(
      element, APFloat::getInf(element.getFloatSemantics()));
  if (auto vector = dyn_cast<VectorType>(type))
    inf = DenseElementsAttr::get(vector, Attribute(inf));
  Value size = math::AbsFOp::create(b, loc, op.getOperand());
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, size,
                               arith::ConstantOp::create(b, loc, inf));
}

static Value expandComplex(OpBuilder &b, ModuleOp module, StringRef name,
                           Location loc, Value z) {
  auto type = cast<ComplexType>(z.getType());
  auto wide = ComplexType::get(b.getF64Type());
  if (type == wide)
    return callLibrary(b, module, loc, name, z);
  Type part = type.getElementType();
  Value re = complex::ReOp::create(b, loc, part, z);
  Value im = complex::ImOp::create(b, loc, part, z);
  re = arith::ExtFOp::create(b, loc, b.getF64Type(), re);
  im = arith::ExtFOp::create(b, loc, b.getF64Type(), im);
  Value result = callLibrary(
      b, module, loc, name, complex::CreateOp::create(b, loc, wide, re, im));
  re = complex::ReOp::create(b, loc, b.getF64Type(), result);
  im = complex::ImOp::create(b, loc, b.getF64Type(), result);
  re = arith::TruncFOp::create(b, loc, part, re);
  im = arith::TruncFOp::create(b, loc, part, im);
  return complex::CreateOp::create(b, loc, type, re, im);
}

namespace {
struct ExpandFunctionsPass
    : arrc::cpu::impl::ExpandFunctionsPassBase<ExpandFunctionsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<Operation *> ops;
    module->walk([&](Operation *op) {
      if (isa<math::ExpM1Op, math::IsInfOp, complex::LogOp, complex::SinOp,
              complex::CosOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      OpBuilder b(op);
      auto ofComplex = [&](StringRef name) {
        return expandComplex(b, module, name, op->getLoc(), op->getOperand(0));
      };
      Value result =
          llvm::TypeSwitch<Operation *, Value>(op)
              .Case([&](math::ExpM1Op e) { return expandExpM1(b, module, e); })
              .Case([&](math::IsInfOp i) { return expandIsInf(b, i); })
              .Case([&](complex::LogOp) { return ofComplex("clog"); })
              .Case([&](complex::SinOp) { return ofComplex("csin"); })
              .Case([&](complex::CosOp) { return ofComplex("ccos"); });
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
    }
  }
};
} // namespace
