//===- InitPasses.cpp - The only list of passes ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// What arr-opt and pipelines as text know by name.
//
//===----------------------------------------------------------------------===//

#include "arrc/InitAll.h"

#include "arrc/Conversion/Passes.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"
#include "arrc/Pipelines/Passes.h"
#include "arrc/Pipelines/Pipelines.h"
#include "arrc/Reference/Passes.h"
#include "arrc/Target/CPU/CPU.h"
#include "arrc/Target/GPU/GPU.h"
#include "arrc/Target/PTX/PTX.h"
#include "arrc/Target/SPIRV/SPIRV.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/Transforms/Passes.h"
#include "mlir/Dialect/Transform/Transforms/Passes.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

/// The upstream passes that ours are tried together with.
static void registerUpstreamPasses() {
  registerTransformsPasses();
  affine::registerAffinePasses();
  arith::registerArithPasses();
  bufferization::registerBufferizationPasses();
  registerGPUPasses();
  LLVM::registerLLVMPasses();
  math::registerMathPasses();
  memref::registerMemRefPasses();
  registerSCFPasses();
  tensor::registerTensorPasses();
  transform::registerTransformPasses();
  vector::registerVectorPasses();
  // Conversions one by one: the header of them all takes seconds to read.
  registerPass([] { return createLowerAffinePass(); });
  registerPass([] { return createConvertComplexToLLVMPass(); });
  registerPass([] { return createConvertComplexToStandardPass(); });
  registerPass([] { return createConvertGpuOpsToNVVMOps(); });
  registerPass([] { return createConvertMathToLibmPass(); });
  registerPass([] { return createConvertToLLVMPass(); });
  registerPass([] { return createFinalizeMemRefToLLVMConversionPass(); });
  registerPass([] { return createReconcileUnrealizedCastsPass(); });
  registerPass([] { return createSCFToControlFlowPass(); });
}

void arrc::registerAllPasses() {
  registerUpstreamPasses();
  array::registerArrayPasses();
  kernel::registerKernelPasses();
  registerConvertArrayToKernelPass();
  registerAdoptKernelsPass();
  registerConvertKernelToGPUPass();
  registerConvertKernelToSCFPass();
  registerConvertKernelToHostPass();
  registerCheckAccessesPass();
  registerLoadStepsPass();
  registerStripMineLoopsPass();
  registerOutlineKernelsPass();
  registerOutlineTasksPass();
  registerOutlineTimeLoopsPass();
  registerConvertHostToRuntimePass();
  cpu::registerCPUPasses();
  target::registerGPUTargetPasses();
  target::registerSPIRVTargetPasses();
  ptx::registerPTXPasses();
  registerPipelinesPasses();
  registerPipelines();
  reference::registerReferencePasses();
}
