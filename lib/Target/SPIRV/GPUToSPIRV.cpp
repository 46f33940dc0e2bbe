//===- GPUToSPIRV.cpp - Each gpu.module to one SPIR-V image ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// gpu.module -> LLVM dialect -> LLVM IR -> LLVM's passes -> legalize -> SPIR-V.
// LLVM's passes may make what the backend has no words for (integers of 128
// bits, intrinsics): then the module is made again with fewer of them.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"
#include "arrc/Target/SPIRV/SPIRV.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVAttributes.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/Dialect/SPIRV/IR/TargetAndABI.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>

namespace arrc::target {
#define GEN_PASS_DEF_ARRCGPUTOSPIRVPASS
#include "arrc/Target/SPIRV/Passes.h.inc"
} // namespace arrc::target

using namespace mlir;
using namespace arrc::target;
using opencl::Facts;

extern "C" void LLVMInitializeSPIRVTargetInfo();
extern "C" void LLVMInitializeSPIRVTarget();
extern "C" void LLVMInitializeSPIRVTargetMC();
extern "C" void LLVMInitializeSPIRVAsmPrinter();

/// Sub-group operations came with SPIR-V 1.3; everything else is of 1.2.
static llvm::Triple getTriple(const Facts &facts) {
  return llvm::Triple(facts.subgroup ? "spirv64v1.3-unknown-unknown"
                                     : "spirv64v1.2-unknown-unknown");
}

static std::unique_ptr<llvm::TargetMachine>
createMachine(gpu::GPUModuleOp module, const llvm::Triple &triple) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeSPIRVTargetInfo();
    LLVMInitializeSPIRVTarget();
    LLVMInitializeSPIRVTargetMC();
    LLVMInitializeSPIRVAsmPrinter();
  });
  std::string problem;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!target) {
    module.emitError("this LLVM has no code generator for SPIR-V: ") << problem;
    return nullptr;
  }
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, "", "", {}, {}, {}, llvm::CodeGenOptLevel::Default));
}

static bool hasAtomic(const Facts &facts, arith::AtomicRMWKind kind,
                      Type type) {
  bool isWord =
      type.isInteger(32) || (type.isInteger(64) && facts.hasInt64Atomics);
  switch (kind) {
  case arith::AtomicRMWKind::assign:
    return isWord || type.isF32();
  case arith::AtomicRMWKind::addi:
  case arith::AtomicRMWKind::maxs:
  case arith::AtomicRMWKind::maxu:
  case arith::AtomicRMWKind::mins:
  case arith::AtomicRMWKind::minu:
  case arith::AtomicRMWKind::andi:
  case arith::AtomicRMWKind::ori:
  case arith::AtomicRMWKind::xori:
    return isWord;
  default:
    return false;
  }
}

static LogicalResult toLLVMDialect(gpu::GPUModuleOp module,
                                   const Facts &facts) {
  Lowering lowering;
  // The backend's numbers: Function, CrossWorkgroup, Workgroup.
  lowering.addressSpace = [](gpu::AddressSpace space) -> unsigned {
    return space == gpu::AddressSpace::Global      ? 1
           : space == gpu::AddressSpace::Workgroup ? 3
                                                   : 0;
  };
  auto populate = [&](LLVMTypeConverter &converter, RewritePatternSet &patterns,
                      ConversionTarget &) {
    opencl::populatePatterns(converter, patterns, facts);
  };
  lowering.populate = populate;
  lowering.functionName = [](StringRef stem, FloatType type, bool) {
    return opencl::getBuiltinName(stem, type);
  };
  lowering.callingConvention = LLVM::CConv::SPIR_FUNC;
  auto canUpdate = [&](arith::AtomicRMWKind kind, Type type) {
    return hasAtomic(facts, kind, type);
  };
  lowering.hasAtomic = canUpdate;
  return convertToLLVM(module, lowering);
}

/// Optimised LLVM IR that the backend takes; null after an error.
static std::unique_ptr<llvm::Module> toLLVMIR(gpu::GPUModuleOp module,
                                              llvm::LLVMContext &context,
                                              llvm::TargetMachine &machine,
                                              const Facts &facts) {
  std::string problem;
  using opencl::Effort;
  for (Effort effort : {Effort::All, Effort::Some, Effort::Least}) {
    std::unique_ptr<llvm::Module> result = translate(module, context, machine);
    if (!result)
      return nullptr;
    opencl::splitAggregates(*result);
    if (effort == Effort::All)
      optimize(*result, machine);
    else
      opencl::simplify(*result, effort);
    opencl::legalize(*result, facts);
    problem = opencl::findIllegal(*result);
    if (problem.empty())
      return result;
  }
  module.emitError("the kernels cannot be written as SPIR-V: ") << problem;
  return nullptr;
}

/// What the image is made for, for whoever reads the binary.
static Attribute getTargetAttribute(MLIRContext *context, const Facts &facts) {
  auto triple = spirv::VerCapExtAttr::get(
      facts.subgroup ? spirv::Version::V_1_3 : spirv::Version::V_1_2,
      {spirv::Capability::Kernel}, {}, context);
  return spirv::TargetEnvAttr::get(triple,
                                   spirv::getDefaultResourceLimits(context),
                                   spirv::ClientAPI::OpenCL);
}

static LogicalResult compile(gpu::GPUModuleOp module, const Facts &facts,
                             bool emitLLVM) {
  llvm::Triple triple = getTriple(facts);
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(module, triple);
  if (!machine || failed(toLLVMDialect(module, facts)))
    return failure();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> llvmModule =
      toLLVMIR(module, context, *machine, facts);
  if (!llvmModule)
    return failure();
  Attribute target = getTargetAttribute(module.getContext(), facts);
  std::string image, problem;
  if (emitLLVM) {
    llvm::raw_string_ostream(image) << *llvmModule;
    replaceByBinary(module, target, gpu::CompilationTarget::Assembly, image);
    return success();
  }
  if (!opencl::emit(*llvmModule, triple, image, problem))
    return module.emitError("the kernels cannot be written as SPIR-V: ")
           << problem;
  replaceByBinary(module, target, gpu::CompilationTarget::Binary, image);
  return success();
}

namespace {
struct ArrcGPUToSPIRVPass
    : arrc::target::impl::ArrcGPUToSPIRVPassBase<ArrcGPUToSPIRVPass> {
  using Base::Base;

  void runOnOperation() override {
    Facts facts(getOperation());
    for (auto module :
         llvm::make_early_inc_range(getOperation().getOps<gpu::GPUModuleOp>()))
      if (failed(run(module, facts)))
        return signalPassFailure();
  }

  LogicalResult run(gpu::GPUModuleOp module, const Facts &facts) {
    opencl::passWorkgroupMemory(module);
    if (!facts.hasF16 && failed(opencl::expandHalf(module)))
      return failure();
    OpPassManager pm(gpu::GPUModuleOp::getOperationName());
    pm.addPass(createPrepareKernelsPass());
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createCSEPass());
    if (failed(runPipeline(pm, module)) ||
        failed(opencl::checkFacts(module, facts)))
      return failure();
    return compile(module, facts, emitLLVM);
  }
};
} // namespace
