//===- PrepareKernels.cpp - What the conversion to LLVM does not know -----===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Each step costs time even where it finds nothing, and most kernels need two
// of them: one walk tells which.
//
//===----------------------------------------------------------------------===//

#include "arrc/Target/CPU/CPU.h"
#include "arrc/Target/GPU/GPU.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/Passes.h"

namespace arrc::target {
#define GEN_PASS_DEF_PREPAREKERNELSPASS
#include "arrc/Target/GPU/Passes.h.inc"
} // namespace arrc::target

using namespace mlir;

namespace {
/// What a module holds.
struct Needs {
  bool smallMath = false, bf16 = false, complex = false, views = false;
  bool affine = false, control = false;
};
} // namespace

static bool isSmall(Type element) {
  return element.isF16() || element.isBF16();
}

static Needs findNeeds(gpu::GPUModuleOp module) {
  Needs needs;
  module->walk([&](Operation *op) {
    Dialect *dialect = op->getDialect();
    needs.complex |= isa_and_present<complex::ComplexDialect>(dialect);
    needs.affine |= isa_and_present<affine::AffineDialect>(dialect);
    needs.control |= isa_and_present<scf::SCFDialect>(dialect);
    needs.views |=
        isa<memref::ReinterpretCastOp, memref::SubViewOp, memref::ExpandShapeOp,
            memref::CollapseShapeOp, memref::ExtractStridedMetadataOp>(op);
    for (Type type : op->getResultTypes()) {
      Type element = getElementTypeOrSelf(type);
      needs.bf16 |= element.isBF16();
      needs.smallMath |=
          isa_and_present<math::MathDialect>(dialect) && isSmall(element);
    }
    // Tests of numbers have another type than their operands.
    for (Value operand : op->getOperands())
      needs.smallMath |= isa_and_present<math::MathDialect>(dialect) &&
                         isSmall(getElementTypeOrSelf(operand));
  });
  return needs;
}

/// A private array exists once in a thread, whatever loop it stands in: its
/// contents are undefined at first, and no two iterations are alive at a time.
static void hoistPrivateArrays(gpu::GPUModuleOp module) {
  for (auto function : module.getOps<gpu::GPUFuncOp>()) {
    if (function.getBody().empty())
      continue;
    Block &entry = function.getBody().front();
    SmallVector<memref::AllocaOp> arrays;
    function.walk([&](memref::AllocaOp array) {
      if (array->getNumOperands() == 0)
        arrays.push_back(array);
    });
    for (memref::AllocaOp array : llvm::reverse(arrays))
      array->moveBefore(&entry, entry.begin());
  }
}

/// Computes in f32 what upstream leaves on small floats: `fma`, which the
/// language rounds twice then, and the remainder, which is exact in f32 but not
/// in what LLVM makes of it.
static void computeInSingle(gpu::GPUModuleOp module) {
  module->walk([](Operation *op) {
    if (!isa<math::FmaOp, arith::RemFOp>(op))
      return;
    Type type = op->getResult(0).getType();
    if (!isSmall(getElementTypeOrSelf(type)))
      return;
    OpBuilder b(op);
    Type wide = b.getF32Type();
    if (auto vector = dyn_cast<VectorType>(type))
      wide = vector.clone(wide);
    SmallVector<Value> in;
    for (Value operand : op->getOperands())
      in.push_back(arith::ExtFOp::create(b, op->getLoc(), wide, operand));
    Value value;
    if (in.size() == 3)
      value = math::FmaOp::create(b, op->getLoc(), in[0], in[1], in[2]);
    else
      value = arith::RemFOp::create(b, op->getLoc(), in[0], in[1]);
    value = arith::TruncFOp::create(b, op->getLoc(), type, value);
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  });
}

/// True for a loop of masked iterations: what is left of a map or a fold at the
/// boundary.
static bool isMasked(scf::ForOp loop) {
  return llvm::any_of(loop.getBody()->without_terminator(), [](Operation &op) {
    auto inner = dyn_cast<scf::ForOp>(op);
    return isa<scf::IfOp>(op) || (inner && isMasked(inner));
  });
}

/// About how many instructions one iteration is; a function is a call that is
/// inlined.
static unsigned getCost(scf::ForOp loop) {
  unsigned cost = 0;
  loop.getBody()->walk([&](Operation *op) {
    bool function = isa<math::MathDialect>(op->getDialect()) &&
                    !isa<math::AbsFOp, math::FmaOp, math::SqrtOp>(op);
    cost += function ? 30 : 1;
  });
  return cost;
}

/// LLVM unrolls the loops of the boundary, which one block of many runs. That
/// is good for small bodies, whose loads then go out together, and makes large
/// ones more code than the interior is.
static void keepBoundaryLoops(gpu::GPUModuleOp module) {
  constexpr unsigned most = 60;
  MLIRContext *context = module.getContext();
  auto yes = BoolAttr::get(context, true);
  auto unroll = LLVM::LoopUnrollAttr::get(context, /*disable=*/yes, {}, {}, {},
                                          {}, {}, {});
  auto annotation = LLVM::LoopAnnotationAttr::get(
      context, {}, {}, {}, unroll, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {});
  module->walk([&](scf::IfOp branch) {
    if (Block *boundary = branch.elseBlock())
      boundary->walk([&](scf::ForOp loop) {
        if (isMasked(loop) && getCost(loop) > most)
          loop->setAttr("llvm.loop_annotation", annotation);
      });
  });
}

namespace {
struct PrepareKernelsPass
    : arrc::target::impl::PrepareKernelsPassBase<PrepareKernelsPass> {
  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    arrc::target::rememberKernels(module);
    hoistPrivateArrays(module);
    computeInSingle(module);
    keepBoundaryLoops(module);
    Needs needs = findNeeds(module);
    OpPassManager pm(gpu::GPUModuleOp::getOperationName());
    if (needs.smallMath)
      pm.addPass(math::createMathExtendToSupportedTypes());
    if (needs.bf16)
      pm.addPass(arrc::cpu::createExpandSmallFloatsPass());
    if (needs.complex) {
      arrc::target::expandComplex(module);
      ConvertComplexToStandardPassOptions options;
      options.complexRange = complex::ComplexRangeFlags::improved;
      pm.addPass(createConvertComplexToStandardPass(options));
    }
    if (needs.views)
      pm.addPass(memref::createExpandStridedMetadataPass());
    if (needs.affine || needs.views)
      pm.addPass(createLowerAffinePass());
    if (needs.control)
      pm.addPass(createSCFToControlFlowPass());
    if (failed(runPipeline(pm, module)))
      signalPassFailure();
  }
};
} // namespace
