//===- ExpandFunctions.cpp - Functions that upstream lowers badly ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// What the language promises of a function decides, not what is quickest:
//
//   math.expm1 x, ..    @expm1(x); on lanes @arrc.lanes.expm1.8(x), which the
//                       code generator turns into calls of the vector library
//   math.isinf x        |x| == inf
//   complex.log z, ..   @clog(z) in double precision. Of single precision too:
//                       C passes two floats in one register, which no LLVM
//                       struct of two floats does, and the result is exact
//
//===----------------------------------------------------------------------===//

#include "VectorLibrary.h"
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
using arrc::cpu::lanesPrefix;

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

/// libm's name of a function that LLVM has no intrinsic for, as double; empty
/// for others.
static StringRef getLibraryName(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](math::ErfOp) { return "erf"; })
      .Case([](math::ErfcOp) { return "erfc"; })
      .Case([](math::CbrtOp) { return "cbrt"; })
      .Case([](math::ExpM1Op) { return "expm1"; })
      .Case([](math::Log1pOp) { return "log1p"; })
      .Case([](math::AcoshOp) { return "acosh"; })
      .Case([](math::AsinhOp) { return "asinh"; })
      .Case([](math::AtanhOp) { return "atanh"; })
      .Default([](Operation *) { return ""; });
}

static Value expandLibrary(OpBuilder &b, ModuleOp module, Operation *op) {
  Type type = op->getResult(0).getType();
  std::string name = getLibraryName(op).str();
  if (getElementTypeOrSelf(type).isF32())
    name += "f";
  // On lanes a name that the code generator resolves, which knows the widths
  // of the vector library.
  if (auto vector = dyn_cast<VectorType>(type))
    name = lanesPrefix + name + "." + std::to_string(vector.getNumElements());
  return callLibrary(b, module, op->getLoc(), name, op->getOperand(0));
}

Value arrc::cpu::expandIsInf(OpBuilder &b, math::IsInfOp op) {
  Location loc = op.getLoc();
  Type type = op.getOperand().getType();
  auto element = cast<FloatType>(getElementTypeOrSelf(type));
  TypedAttr inf =
      b.getFloatAttr(element, APFloat::getInf(element.getFloatSemantics()));
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
  Value result = callLibrary(b, module, loc, name,
                             complex::CreateOp::create(b, loc, wide, re, im));
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
      if (isa<math::IsInfOp, complex::LogOp, complex::SinOp, complex::CosOp>(
              op) ||
          !getLibraryName(op).empty())
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      OpBuilder b(op);
      auto ofComplex = [&](StringRef name) {
        return expandComplex(b, module, name, op->getLoc(), op->getOperand(0));
      };
      Value result =
          llvm::TypeSwitch<Operation *, Value>(op)
              .Case(
                  [&](math::IsInfOp i) { return arrc::cpu::expandIsInf(b, i); })
              .Case([&](complex::LogOp) { return ofComplex("clog"); })
              .Case([&](complex::SinOp) { return ofComplex("csin"); })
              .Case([&](complex::CosOp) { return ofComplex("ccos"); })
              .Default(
                  [&](Operation *) { return expandLibrary(b, module, op); });
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
    }
  }
};
} // namespace
