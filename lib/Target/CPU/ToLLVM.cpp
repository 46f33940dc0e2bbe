//===- ToLLVM.cpp - Upstream host dialects to the LLVM dialect ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// The list of passes is `buildToLLVMPipeline`; its last step is one conversion
// with every pattern set and one type converter.
//
// Order of the list: small floats first, while they are still arith and math
// ops (bf16 has no instructions on most machines, and the library that would
// emulate it is not there on older systems); then structured control flow and
// address arithmetic, which the conversion does not know.
//
//===----------------------------------------------------------------------===//

#include "arrc/Conversion/KernelToHost/Attributes.h"
#include "arrc/Target/CPU/CPU.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/Passes.h"

namespace arrc::cpu {
#define GEN_PASS_DEF_CONVERTCPUTOLLVMPASS
#include "arrc/Target/CPU/Passes.h.inc"
} // namespace arrc::cpu

using namespace mlir;

/// The numbers of the arguments that will be the data pointers of arrays, when
/// a memref is passed as its parts: two pointers, an offset, sizes, strides.
static SmallVector<unsigned> getDataPointers(func::FuncOp function) {
  SmallVector<unsigned> pointers;
  unsigned number = 0;
  for (Type type : function.getArgumentTypes()) {
    auto memref = dyn_cast<MemRefType>(type);
    if (memref)
      pointers.push_back(number + 1);
    number += memref ? MemRefDescriptor::getNumUnpackedValues(memref) : 1;
  }
  return pointers;
}

/// The bits of a bf16 constant as i16.
static TypedAttr getBits(TypedAttr value) {
  Type i16 = IntegerType::get(value.getContext(), 16);
  if (auto number = dyn_cast<FloatAttr>(value))
    return IntegerAttr::get(i16, number.getValue().bitcastToAPInt());
  return cast<DenseElementsAttr>(value).bitcast(i16);
}

namespace {
/// Constants are what the type converter alone does not turn into i16.
struct ConvertBFloatConstant : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::ConstantOp constant, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = constant.getType();
    if (!getElementTypeOrSelf(type).isBF16() ||
        !isa<FloatAttr, DenseElementsAttr>(constant.getValue()))
      return failure();
    rewriter.replaceOpWithNewOp<LLVM::ConstantOp>(
        constant, getTypeConverter()->convertType(type),
        getBits(constant.getValue()));
    return success();
  }
};

struct ConvertCPUToLLVMPass
    : arrc::cpu::impl::ConvertCPUToLLVMPassBase<ConvertCPUToLLVMPass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    LowerToLLVMOptions options(context);
    options.overrideIndexBitwidth(64);
    LLVMTypeConverter converter(context, options);
    // All that is left of bf16 is moved: as bits. Back ends without it would
    // move it by way of f32, with calls that older libraries do not have.
    Type i16 = IntegerType::get(context, 16);
    converter.addConversion([i16](BFloat16Type) { return i16; });
    converter.addConversion(
        [&converter, i16](VectorType type) -> std::optional<Type> {
          if (!type.getElementType().isBF16())
            return std::nullopt;
          return converter.convertType(type.clone(i16));
        });
    LLVMConversionTarget target(*context);
    target.addLegalOp<ModuleOp>();

    SmallVector<std::pair<StringAttr, SmallVector<unsigned>>> unaliased;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(arrc::noaliasAttrName))
        unaliased.emplace_back(function.getNameAttr(),
                               getDataPointers(function));

    SymbolTableCollection symbols;
    RewritePatternSet patterns(context);
    patterns.add<ConvertBFloatConstant>(converter, context, /*benefit=*/2);
    // What an intrinsic covers goes to it; libm takes the rest.
    populateMathToLLVMConversionPatterns(converter, patterns,
                                         /*approximateLog1p=*/false,
                                         /*benefit=*/2);
    populateMathToLibmConversionPatterns(patterns, /*benefit=*/1);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    populateComplexToLLVMConversionPatterns(
        converter, patterns, complex::ComplexRangeFlags::improved);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    populateFuncToLLVMConversionPatterns(converter, patterns, &symbols);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns,
                                                   &symbols);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);
    vector::populateVectorBroadcastLoweringPatterns(patterns);
    vector::populateVectorStepLoweringPatterns(patterns);
    vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns,
                                           /*reassociateFPReductions=*/false,
                                           /*force32BitVectorIndices=*/false);

    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      return signalPassFailure();
    // What is in the LLVM dialect already has its bf16: arguments and results
    // of entry points.
    getOperation().walk([](UnrealizedConversionCastOp cast) {
      if (cast.getNumOperands() != 1 || cast.getNumResults() != 1)
        return;
      Value from = cast.getOperand(0), to = cast.getResult(0);
      if (!from.getType().isBF16() && !to.getType().isBF16())
        return;
      OpBuilder b(cast);
      // Memory takes the bits: a bf16 in between is one to the back end.
      for (Operation *user : llvm::make_early_inc_range(to.getUsers()))
        if (auto store = dyn_cast<LLVM::StoreOp>(user);
            store && store.getValue() == to && !to.getType().isInteger())
          store.getValueMutable().assign(from);
      if (auto load = from.getDefiningOp<LLVM::LoadOp>();
          load && from.hasOneUse()) {
        from.setType(to.getType());
        to.replaceAllUsesWith(from);
      } else if (!to.use_empty()) {
        to.replaceAllUsesWith(
            LLVM::BitcastOp::create(b, cast.getLoc(), to.getType(), from));
      }
      cast.erase();
    });
    for (auto global : getOperation().getOps<LLVM::GlobalOp>())
      if (auto value =
              dyn_cast_if_present<DenseElementsAttr>(global.getValueOrNull()))
        if (value.getElementType().isBF16())
          global.setValueAttr(getBits(value));
    for (auto &[name, pointers] : unaliased)
      if (auto function = getOperation().lookupSymbol<LLVM::LLVMFuncOp>(name))
        for (unsigned pointer : pointers)
          function.setArgAttr(pointer, LLVM::LLVMDialect::getNoAliasAttrName(),
                              UnitAttr::get(context));
  }
};
} // namespace

void arrc::cpu::buildToLLVMPipeline(OpPassManager &pm) {
  // math on f16 and bf16 is computed in f32 and rounded once.
  pm.addPass(math::createMathExtendToSupportedTypes());
  pm.addPass(createExpandSmallFloatsPass());
  // On f32 and f64 only, now.
  pm.addPass(createExpandFunctionsPass());
  // Complex functions become real ones before those become calls.
  ConvertComplexToStandardPassOptions complex;
  complex.complexRange = complex::ComplexRangeFlags::improved;
  pm.addPass(createConvertComplexToStandardPass(complex));
  // Strided views become plain address arithmetic, in affine maps.
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createConvertCPUToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCSEPass());
}
