//===- ToLLVM.cpp - Kernels to the LLVM dialect, at once ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// One type converter and one set of patterns; the target adds its own, which
// win by their benefit. What no pattern takes is an error here, at its place in
// the program, not in the code generator.
//
//===----------------------------------------------------------------------===//

#include "Planes.h"
#include "arrc/Target/GPU/GPU.h"

#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/LLVMCommon/VectorPattern.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using arrc::target::Lowering;

namespace {
/// A constant of a float that is kept as its bits.
struct ConvertToBits : ConvertOpToLLVMPattern<arith::ConstantOp> {
  ConvertToBits(const LLVMTypeConverter &converter, FloatType kept,
                PatternBenefit benefit)
      : ConvertOpToLLVMPattern(converter, benefit), kept(kept) {}

  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (getElementTypeOrSelf(op.getType()) != kept)
      return failure();
    Type type = getTypeConverter()->convertType(op.getType());
    Attribute bits;
    if (auto number = dyn_cast<FloatAttr>(op.getValue()))
      bits = rewriter.getIntegerAttr(type, number.getValue().bitcastToAPInt());
    else if (auto lanes = dyn_cast<DenseFPElementsAttr>(op.getValue()))
      bits = lanes.mapValues(rewriter.getI16Type(), [](const APFloat &number) {
        return number.bitcastToAPInt();
      });
    if (!bits)
      return failure();
    rewriter.replaceOpWithNewOp<LLVM::ConstantOp>(op, type,
                                                  cast<TypedAttr>(bits));
    return success();
  }

private:
  FloatType kept;
};

/// An array seen with another element type is the same pointer.
struct ConvertArrayCast : ConvertOpToLLVMPattern<UnrealizedConversionCastOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(UnrealizedConversionCastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value pointer = adaptor.getOperands().front();
    if (!isBetweenArrays(op) ||
        getTypeConverter()->convertType(op.getType(0)) != pointer.getType())
      return failure();
    rewriter.replaceOp(op, pointer);
    return success();
  }

  static bool isBetweenArrays(UnrealizedConversionCastOp op) {
    return op.getNumOperands() == 1 && op.getNumResults() == 1 &&
           isa<MemRefType>(op.getOperand(0).getType()) &&
           isa<MemRefType>(op.getType(0));
  }
};

/// Accesses that other blocks take part in: indivisible, at the scope of the
/// device.
template <typename AccessOp>
struct ConvertDeviceAccess : ConvertOpToLLVMPattern<AccessOp> {
  using ConvertOpToLLVMPattern<AccessOp>::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(AccessOp op, typename AccessOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op->hasAttr(arrc::target::deviceAccessAttrName))
      return failure();
    Location loc = op.getLoc();
    Type type = op.getMemRefType().getElementType();
    Value place =
        this->getStridedElementPtr(rewriter, loc, op.getMemRefType(),
                                   adaptor.getMemref(), adaptor.getIndices());
    auto replace = [&](auto access) {
      access.setAlignment(type.getIntOrFloatBitWidth() / 8);
      access.setOrdering(LLVM::AtomicOrdering::monotonic);
      access.setSyncscope(StringRef("device"));
      rewriter.replaceOp(op, access);
    };
    if constexpr (std::is_same_v<AccessOp, memref::LoadOp>)
      replace(LLVM::LoadOp::create(
          rewriter, loc, this->typeConverter->convertType(type), place));
    else
      replace(LLVM::StoreOp::create(rewriter, loc, adaptor.getValue(), place));
    return success();
  }
};
} // namespace

/// Reports updates of memory for which the device has no instruction.
static LogicalResult checkAtomics(gpu::GPUModuleOp module,
                                  const Lowering &lowering) {
  WalkResult result = module->walk([&](memref::AtomicRMWOp op) {
    if (lowering.hasAtomic(op.getKind(), op.getValue().getType()))
      return WalkResult::advance();
    op.emitError("the device has no atomic '")
        << arith::stringifyAtomicRMWKind(op.getKind()) << "' of "
        << op.getValue().getType();
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Arrays are handed over as bare pointers, so their types say all the rest.
static LogicalResult checkSignatures(gpu::GPUModuleOp module,
                                     const LLVMTypeConverter &converter) {
  for (auto kernel : module.getOps<gpu::GPUFuncOp>())
    for (auto [k, type] : llvm::enumerate(kernel.getArgumentTypes())) {
      auto array = dyn_cast<MemRefType>(type);
      bool hasPointer = array && LLVMTypeConverter::canConvertToBarePtr(array);
      if (array ? !hasPointer : !converter.convertType(type))
        return kernel.emitError("argument ")
               << k << " is " << type
               << ", and a kernel takes scalars and arrays of known sizes";
    }
  return success();
}

void arrc::target::addFloatAsBits(LLVMTypeConverter &converter,
                                  RewritePatternSet &patterns, FloatType kept) {
  converter.addConversion([kept](FloatType type) -> std::optional<Type> {
    if (type != kept)
      return std::nullopt;
    return IntegerType::get(type.getContext(), 16);
  });
  patterns.add<ConvertToBits>(converter, kept, PatternBenefit(20));
}

LogicalResult arrc::target::convertToLLVM(gpu::GPUModuleOp module,
                                          const Lowering &lowering) {
  if (failed(checkAtomics(module, lowering)))
    return failure();
  callMathLibrary(module, lowering);

  MLIRContext *context = module.getContext();
  LowerToLLVMOptions options(context);
  options.overrideIndexBitwidth(getIndexBits(module));
  options.useBarePtrCallConv = true;
  LLVMTypeConverter converter(context, options);
  populateGpuMemorySpaceAttributeConversions(converter, lowering.addressSpace);
  if (failed(checkSignatures(module, converter)))
    return failure();
  LLVMConversionTarget target(*context);
  target.addIllegalDialect<
      arith::ArithDialect, cf::ControlFlowDialect, complex::ComplexDialect,
      gpu::GPUDialect, index::IndexDialect, math::MathDialect,
      memref::MemRefDialect, ub::UBDialect, vector::VectorDialect>();
  target.addLegalOp<gpu::GPUModuleOp>();
  target.addDynamicallyLegalOp<UnrealizedConversionCastOp>(
      [](UnrealizedConversionCastOp op) {
        return !ConvertArrayCast::isBetweenArrays(op) && !isPlane(op);
      });

  RewritePatternSet patterns(context);
  patterns.add<ConvertArrayCast, ConvertDeviceAccess<memref::LoadOp>,
               ConvertDeviceAccess<memref::StoreOp>>(converter,
                                                     PatternBenefit(20));
  populatePlanePatterns(converter, patterns);
  addFloatAsBits(converter, patterns, BFloat16Type::get(context));
  // Over a target's own patterns, which may call libraries for the same.
  populateMathToLLVMConversionPatterns(converter, patterns,
                                       /*approximateLog1p=*/false,
                                       /*benefit=*/2);
  patterns.add<VectorConvertToLLVMPattern<arith::MinNumFOp, LLVM::MinNumOp,
                                          arith::AttrConvertFastMathToLLVM>,
               VectorConvertToLLVMPattern<arith::MaxNumFOp, LLVM::MaxNumOp,
                                          arith::AttrConvertFastMathToLLVM>>(
      converter, PatternBenefit(2));
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  populateComplexToLLVMConversionPatterns(converter, patterns,
                                          complex::ComplexRangeFlags::improved);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  vector::populateVectorBroadcastLoweringPatterns(patterns);
  vector::populateVectorStepLoweringPatterns(patterns);
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns,
                                         /*reassociateFPReductions=*/false,
                                         /*force32BitVectorIndices=*/false);
  lowering.populate(converter, patterns, target);

  if (failed(applyPartialConversion(module, target, std::move(patterns))))
    return failure();
  module->walk(nameScopes);
  // What loops carried on their branches.
  module->walk([](Operation *op) {
    auto loop =
        op->getAttrOfType<LLVM::LoopAnnotationAttr>("llvm.loop_annotation");
    if (auto branch = dyn_cast<LLVM::BrOp>(op); branch && loop)
      branch.setLoopAnnotationAttr(loop);
    if (auto branch = dyn_cast<LLVM::CondBrOp>(op); branch && loop)
      branch.setLoopAnnotationAttr(loop);
    op->removeAttr("llvm.loop_annotation");
  });
  // Nothing is ordered by an update: where something is, fences stand around
  // it.
  module->walk([](LLVM::AtomicRMWOp op) {
    op.setOrdering(LLVM::AtomicOrdering::monotonic);
    op.setSyncscope(StringRef("device"));
  });
  return success();
}
