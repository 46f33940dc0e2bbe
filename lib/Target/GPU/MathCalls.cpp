//===- MathCalls.cpp - Functions of numbers as calls of a library ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Which functions a target's library is asked for, in one table: libdevice,
// OpenCL's builtins and libclc differ in names only. Operands are f32 or f64
// here, smaller floats were extended before.
//
//   math.erf x : f32          llvm.call @__nv_erff(x), or @_Z3erff(x)
//   math.sqrt x               stays: the code generators round it correctly
//   math.isinf x              |x| == inf
//
//===----------------------------------------------------------------------===//

#include "arrc/Target/CPU/CPU.h"
#include "arrc/Target/GPU/GPU.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using arrc::target::Lowering;

/// C's name of the function; empty for operations that are none.
static StringRef getStem(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](math::AbsFOp) { return "fabs"; })
      .Case([](math::AcosOp) { return "acos"; })
      .Case([](math::AcoshOp) { return "acosh"; })
      .Case([](math::AsinOp) { return "asin"; })
      .Case([](math::AsinhOp) { return "asinh"; })
      .Case([](math::AtanOp) { return "atan"; })
      .Case([](math::Atan2Op) { return "atan2"; })
      .Case([](math::AtanhOp) { return "atanh"; })
      .Case([](math::CbrtOp) { return "cbrt"; })
      .Case([](math::CeilOp) { return "ceil"; })
      .Case([](math::CopySignOp) { return "copysign"; })
      .Case([](math::CosOp) { return "cos"; })
      .Case([](math::CoshOp) { return "cosh"; })
      .Case([](math::ErfOp) { return "erf"; })
      .Case([](math::ErfcOp) { return "erfc"; })
      .Case([](math::ExpOp) { return "exp"; })
      .Case([](math::Exp2Op) { return "exp2"; })
      .Case([](math::ExpM1Op) { return "expm1"; })
      .Case([](math::FloorOp) { return "floor"; })
      .Case([](math::FmaOp) { return "fma"; })
      .Case([](math::LogOp) { return "log"; })
      .Case([](math::Log10Op) { return "log10"; })
      .Case([](math::Log1pOp) { return "log1p"; })
      .Case([](math::Log2Op) { return "log2"; })
      .Case([](math::PowFOp) { return "pow"; })
      .Case([](math::RoundOp) { return "round"; })
      .Case([](math::RoundEvenOp) { return "rint"; })
      .Case([](math::RsqrtOp) { return "rsqrt"; })
      .Case([](math::SinOp) { return "sin"; })
      .Case([](math::SinhOp) { return "sinh"; })
      .Case([](math::SqrtOp) { return "sqrt"; })
      .Case([](math::TanOp) { return "tan"; })
      .Case([](math::TanhOp) { return "tanh"; })
      .Case([](math::TruncOp) { return "trunc"; })
      .Case([](arith::RemFOp) { return "fmod"; })
      .Default([](Operation *) { return ""; });
}

/// A call of `name` on scalars. It has no effects, so LLVM may move it.
static Value call(OpBuilder &b, gpu::GPUModuleOp module, Location loc,
                  StringRef name, Type type, ValueRange operands,
                  const Lowering &lowering) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    SmallVector<Type> types(operands.getTypes());
    function = LLVM::LLVMFuncOp::create(
        b, module.getLoc(), name, LLVM::LLVMFunctionType::get(type, types));
    function.setCConv(lowering.callingConvention);
    auto none = LLVM::ModRefInfo::NoModRef;
    function.setMemoryEffectsAttr(
        b.getAttr<LLVM::MemoryEffectsAttr>(none, none, none, none, none, none));
    function.setNoUnwind(true);
    function.setWillReturn(true);
  }
  auto op = LLVM::CallOp::create(b, loc, function, operands);
  op.setCConv(lowering.callingConvention);
  return op.getResult();
}

/// The same on every lane of a vector.
static Value callLanes(OpBuilder &b, gpu::GPUModuleOp module, Location loc,
                       StringRef name, VectorType type, ValueRange operands,
                       const Lowering &lowering) {
  Value result = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
    SmallVector<Value> scalars;
    for (Value operand : operands)
      scalars.push_back(vector::ExtractOp::create(b, loc, operand, lane));
    Value value =
        call(b, module, loc, name, type.getElementType(), scalars, lowering);
    result = vector::InsertOp::create(b, loc, value, result, lane);
  }
  return result;
}

void arrc::target::callMathLibrary(gpu::GPUModuleOp module,
                                   const Lowering &lowering) {
  SmallVector<std::pair<Operation *, std::string>> calls;
  SmallVector<math::IsInfOp> tests;
  module->walk([&](Operation *op) {
    if (auto test = dyn_cast<math::IsInfOp>(op)) {
      tests.push_back(test);
      return;
    }
    StringRef stem = getStem(op);
    if (stem.empty())
      return;
    Type type = op->getResult(0).getType();
    Type element = getElementTypeOrSelf(type);
    auto vector = dyn_cast<VectorType>(type);
    if ((!element.isF32() && !element.isF64()) ||
        (vector && (vector.getRank() != 1 || vector.isScalable())))
      return;
    auto flags = dyn_cast<arith::ArithFastMathInterface>(op);
    std::string name = lowering.functionName(
        stem, cast<FloatType>(element),
        flags && bitEnumContainsAll(flags.getFastMathFlagsAttr().getValue(),
                                    arith::FastMathFlags::afn));
    if (!name.empty())
      calls.emplace_back(op, std::move(name));
  });
  for (auto &[op, name] : calls) {
    OpBuilder b(op);
    Type type = op->getResult(0).getType();
    auto vector = dyn_cast<VectorType>(type);
    Value result = vector ? callLanes(b, module, op->getLoc(), name, vector,
                                      op->getOperands(), lowering)
                          : call(b, module, op->getLoc(), name, type,
                                 op->getOperands(), lowering);
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }
  for (math::IsInfOp test : tests) {
    OpBuilder b(test);
    test.getResult().replaceAllUsesWith(arrc::cpu::expandIsInf(b, test));
    test.erase();
  }
}
