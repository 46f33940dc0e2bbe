//===- CompileKernels.cpp - One gpu.module to PTX -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// LLVM dialect, LLVM IR, the parts of libdevice that are called, LLVM's passes,
// PTX. Decisions that matter for speed and exactness:
//
//   - `.reqntid` instead of `.maxntid`: the block size is exact, so ptxas gives
//     registers for it and the driver refuses another. Not where it would make
//     ptxas spill (`loosenBlockSizes`).
//   - Dynamic shared memory is an external array: its size comes with the
//     launch.
//   - The PTX version is the least that knows the card, but 7.0: old drivers
//     take it.
//   - sqrt and division are correctly rounded, and fma only where the program
//     has one; nothing is flushed to zero.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

#include <mutex>

namespace arrc::ptx {
#define GEN_PASS_DEF_COMPILEKERNELSPASS
#include "arrc/Target/PTX/Passes.h.inc"
} // namespace arrc::ptx

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

using namespace mlir;
using arith::AtomicRMWKind;

unsigned arrc::ptx::getCapability(StringRef arch) {
  unsigned number = 0;
  if (arch.consume_front("sm_"))
    arch.take_while(llvm::isDigit).getAsInteger(10, number);
  return number;
}

/// The version of PTX that knows the architecture, ten times the number.
static unsigned getPTXVersion(StringRef arch) {
  unsigned sm = arrc::ptx::getCapability(arch);
  // A letter at the end names what only this very card has.
  bool special = !llvm::isDigit(arch.back());
  if (sm >= 121 || sm == 103)
    return 88;
  if (sm >= 120 || sm == 101)
    return special && sm == 120 ? 87 : sm >= 120 ? 87 : 86;
  if (sm >= 100)
    return 86;
  if (sm >= 90)
    return special ? 80 : 78;
  if (sm == 89)
    return 78;
  if (sm == 87)
    return 74;
  return sm == 86 ? 71 : 70;
}

/// A code generator for the card; reports at `module` if there is none.
static std::unique_ptr<llvm::TargetMachine>
createMachine(gpu::GPUModuleOp module, StringRef arch, unsigned level) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    arrc::ptx::narrowLoads();
  });
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string problem;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!target) {
    module.emitError("no code generator for CUDA cards: ") << problem;
    return nullptr;
  }
  if (arrc::ptx::getCapability(arch) < 75) {
    module.emitError("kernels cannot be compiled for '")
        << arch << "': sm_75 is the oldest";
    return nullptr;
  }
  std::string features = "+ptx" + std::to_string(getPTXVersion(arch));
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, arch, features, {}, llvm::Reloc::PIC_, {},
      static_cast<llvm::CodeGenOptLevel>(std::min(level, 3u))));
  if (!machine || !machine->getMCSubtargetInfo()->isCPUStringValid(arch)) {
    module.emitError("unknown architecture '") << arch << "'";
    return nullptr;
  }
  return machine;
}

/// What `atom` and `red` know.
static bool hasAtomic(AtomicRMWKind kind, Type type) {
  bool wide = type.isInteger(32) || type.isInteger(64) || type.isIndex();
  switch (kind) {
  case AtomicRMWKind::addi:
  case AtomicRMWKind::andi:
  case AtomicRMWKind::ori:
  case AtomicRMWKind::xori:
  case AtomicRMWKind::maxs:
  case AtomicRMWKind::maxu:
  case AtomicRMWKind::mins:
  case AtomicRMWKind::minu:
    return wide;
  case AtomicRMWKind::assign:
    return wide || type.isF32() || type.isF64();
  case AtomicRMWKind::addf:
    return type.isF32() || type.isF64();
  default:
    return false;
  }
}

/// Links what the module calls of the library; nothing of it stays visible.
static LogicalResult linkLibrary(gpu::GPUModuleOp module,
                                 llvm::Module &llvmModule,
                                 const arrc::ptx::MathLibrary &library) {
  auto lazy = llvm::getLazyBitcodeModule(library.buffer->getMemBufferRef(),
                                         llvmModule.getContext(),
                                         /*ShouldLazyLoadMetadata=*/true);
  if (!lazy) {
    llvm::consumeError(lazy.takeError());
    return module.emitError("cannot read the library '") << library.path << "'";
  }
  (*lazy)->setTargetTriple(llvmModule.getTargetTriple());
  (*lazy)->setDataLayout(llvmModule.getDataLayout());
  bool failed = llvm::Linker::linkModules(
      llvmModule, std::move(*lazy), llvm::Linker::Flags::LinkOnlyNeeded,
      [](llvm::Module &linked, const llvm::StringSet<> &names) {
        llvm::internalizeModule(linked, [&](const llvm::GlobalValue &value) {
          return !value.hasName() || !names.count(value.getName());
        });
      });
  if (failed)
    return module.emitError("cannot link the library '") << library.path << "'";
  return success();
}

/// The code generator knows few scopes of memory, and ends the process at
/// others.
static LogicalResult checkScopes(gpu::GPUModuleOp module) {
  WalkResult result = module->walk([](Operation *op) {
    std::optional<StringRef> scope;
    llvm::TypeSwitch<Operation *>(op)
        .Case<LLVM::FenceOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp,
              LLVM::LoadOp, LLVM::StoreOp>(
            [&](auto memory) { scope = memory.getSyncscope(); });
    if (!scope ||
        llvm::is_contained({"", "singlethread", "block", "cluster", "device"},
                           *scope))
      return WalkResult::advance();
    op->emitError("'") << *scope
                       << "' is no scope of CUDA: it is 'singlethread', "
                          "'block', 'cluster', 'device' or none for all";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// The driver links nothing: every function has to be there.
static LogicalResult checkComplete(gpu::GPUModuleOp module,
                                   const llvm::Module &llvmModule) {
  for (const llvm::Function &function : llvmModule)
    if (function.isDeclaration() && !function.isIntrinsic() &&
        !function.use_empty() && !function.getName().starts_with("__nvvm_"))
      return module.emitError("there is no function '")
             << function.getName() << "' for kernels";
  return success();
}

/// Low bits of `value` that are surely zero. LLVM's own answer stops after a
/// few operations, and indices are sums of many products.
static unsigned countLowZeros(const llvm::Value *value, unsigned depth = 0) {
  constexpr unsigned all = 32, deepest = 24;
  if (auto *constant = dyn_cast<llvm::ConstantInt>(value))
    return std::min(all, constant->getValue().countr_zero());
  auto *op = dyn_cast<llvm::Instruction>(value);
  if (!op || depth > deepest)
    return 0;
  auto of = [&](unsigned operand) {
    return countLowZeros(op->getOperand(operand), depth + 1);
  };
  switch (op->getOpcode()) {
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
  case llvm::Instruction::Or:
    return std::min(of(0), of(1));
  case llvm::Instruction::Mul:
    return std::min(all, of(0) + of(1));
  case llvm::Instruction::And:
    return std::max(of(0), of(1));
  case llvm::Instruction::SExt:
  case llvm::Instruction::ZExt:
  case llvm::Instruction::Trunc:
    return of(0);
  case llvm::Instruction::Shl:
    if (auto *by = dyn_cast<llvm::ConstantInt>(op->getOperand(1)))
      return std::min<uint64_t>(all, of(0) + by->getZExtValue());
    return of(0);
  default:
    return 0;
  }
}

/// Tells the accesses through `address` how it is aligned.
static void alignAccesses(llvm::GetElementPtrInst *address,
                          const llvm::DataLayout &layout) {
  if (address->getNumIndices() != 1)
    return;
  uint64_t bytes =
      layout.getTypeAllocSize(address->getSourceElementType()).getFixedValue();
  unsigned zeros = countLowZeros(address->getOperand(1));
  llvm::Align align = std::min(
      address->getPointerOperand()->getPointerAlignment(layout),
      llvm::Align(uint64_t(1) << std::min(
                      16u, unsigned(llvm::countr_zero(bytes)) + zeros)));
  for (llvm::User *user : address->users())
    if (auto *load = dyn_cast<llvm::LoadInst>(user))
      load->setAlignment(std::max(load->getAlign(), align));
    else if (auto *store = dyn_cast<llvm::StoreInst>(user);
             store && store->getPointerOperand() == address)
      store->setAlignment(std::max(store->getAlign(), align));
}

namespace {
/// `alignAccesses` of a function, once its pointers are plain arguments.
struct AlignAccesses : llvm::PassInfoMixin<AlignAccesses> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &) {
    for (llvm::Instruction &op : llvm::instructions(function))
      if (auto *address = dyn_cast<llvm::GetElementPtrInst>(&op))
        alignAccesses(address, function.getDataLayout());
    return llvm::PreservedAnalyses::all();
  }
};
} // namespace

/// Extends indices of 32 bits where they stand, with their sign. LLVM would do
/// so later, and differently for neighbours: what it knows to be positive it
/// extends by zeros, and `x[i]` is no neighbour of `x[i + 1]` any more.
static void extendIndices(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &op : llvm::instructions(function)) {
      auto *address = dyn_cast<llvm::GetElementPtrInst>(&op);
      if (!address)
        continue;
      llvm::Type *wide =
          module.getDataLayout().getIndexType(address->getPointerOperandType());
      for (llvm::Use &index : address->indices()) {
        auto *type = dyn_cast<llvm::IntegerType>(index->getType());
        if (!type || isa<llvm::Constant>(index) ||
            type->getBitWidth() >= wide->getScalarSizeInBits())
          continue;
        // What differs between neighbours stays outside of the extension.
        llvm::Value *base = index;
        int64_t constant = 0;
        while (auto *sum = dyn_cast<llvm::BinaryOperator>(base)) {
          auto *term = dyn_cast<llvm::ConstantInt>(sum->getOperand(1));
          if (sum->getOpcode() != llvm::Instruction::Add || !term ||
              !sum->hasNoSignedWrap())
            break;
          constant += term->getSExtValue();
          base = sum->getOperand(0);
        }
        llvm::IRBuilder<> builder(address);
        llvm::Value *extended = builder.CreateSExt(base, wide);
        if (constant)
          extended = builder.CreateNSWAdd(
              extended, llvm::ConstantInt::getSigned(wide, constant));
        index.set(extended);
      }
      if (address->isInBounds())
        address->setNoWrapFlags(llvm::GEPNoWrapFlags::inBounds());
    }
}

/// Joins neighbouring accesses early: LLVM sinks what the two sides of a branch
/// have in common, and when the last store of the interior and that of the
/// boundary are one, it is no longer a part of 128 bits; and it takes indices
/// apart. Once more when loops are unrolled.
static void vectorizeEarly(llvm::PassBuilder &builder) {
  builder.registerPipelineStartEPCallback([](llvm::ModulePassManager &passes,
                                             llvm::OptimizationLevel level) {
    if (level == llvm::OptimizationLevel::O0)
      return;
    llvm::FunctionPassManager early;
    early.addPass(llvm::EarlyCSEPass());
    early.addPass(AlignAccesses());
    early.addPass(llvm::InferAlignmentPass());
    early.addPass(llvm::LoadStoreVectorizerPass());
    early.addPass(arrc::ptx::MaskLoads());
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(early)));
  });
  builder.registerScalarOptimizerLateEPCallback(
      [](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(llvm::InferAlignmentPass());
        passes.addPass(llvm::LoadStoreVectorizerPass());
      });
}

/// Takes the block size from kernels with loops whose blocks are so small that
/// every number of registers will do. Knowing it, ptxas spills values that are
/// alive throughout a loop to fit one block more into a multiprocessor.
static void loosenBlockSizes(llvm::Module &module) {
  constexpr llvm::StringLiteral name = "nvvm.reqntid";
  // 65536 registers, at most 255 a thread.
  constexpr unsigned most = 256;
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || !function.hasFnAttribute(name) ||
        function.hasFnAttribute("nvvm.minctasm"))
      continue;
    unsigned threads = 1;
    SmallVector<StringRef, 3> sizes;
    function.getFnAttribute(name).getValueAsString().split(sizes, ',');
    for (StringRef size : sizes) {
      unsigned number = 1;
      size.getAsInteger(10, number);
      threads *= number;
    }
    SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>>
        loops;
    llvm::FindFunctionBackedges(function, loops);
    if (threads <= most && !loops.empty())
      function.removeFnAttr(name);
  }
}

namespace {
struct CompileKernelsPass
    : arrc::ptx::impl::CompileKernelsPassBase<CompileKernelsPass> {
  using CompileKernelsPassBase::CompileKernelsPassBase;

  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    if (failed(compile(module)))
      signalPassFailure();
  }

  /// To the LLVM dialect. Sets `used` to the library, if one is needed.
  LogicalResult convert(gpu::GPUModuleOp module,
                        const arrc::ptx::MathLibrary *&used) {
    std::string problem;
    arrc::target::Lowering lowering;
    lowering.addressSpace = [](gpu::AddressSpace space) -> unsigned {
      return space == gpu::AddressSpace::Global      ? 1
             : space == gpu::AddressSpace::Workgroup ? 3
                                                     : 0;
    };
    lowering.populate = [](LLVMTypeConverter &converter,
                           RewritePatternSet &patterns,
                           ConversionTarget &target) {
      target.addLegalDialect<NVVM::NVVMDialect>();
      populateGpuToNVVMConversionPatterns(converter, patterns);
      arrc::ptx::populateExtrema(converter, patterns);
      arrc::ptx::populateVotes(converter, patterns);
    };
    lowering.functionName = [&](StringRef stem, FloatType type,
                                bool approximate) -> std::string {
      // The instructions for these are exact.
      if (llvm::is_contained({"ceil", "copysign", "fabs", "floor", "fma",
                              "rint", "sqrt", "trunc"},
                             stem))
        return "";
      if (StringRef own = arrc::ptx::getOwnFunction(stem, type.isF64());
          !own.empty())
        return own.str();
      if (!used && problem.empty())
        used = arrc::ptx::getMathLibrary(library, problem);
      return used ? used->getName(stem, type.isF64(), approximate) : "";
    };
    lowering.hasAtomic = hasAtomic;
    if (failed(arrc::target::convertToLLVM(module, lowering)))
      return failure();
    if (!problem.empty())
      return module.emitError("a kernel needs a library of functions: ")
             << problem;
    for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
      StringRef most = NVVM::NVVMDialect::getMaxntidAttrName();
      if (Attribute size = function->removeAttr(most))
        function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(), size);
      if (Attribute blocks = function->removeAttr("arrc.blocks_per_unit"))
        function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), blocks);
    }
    for (auto global : module.getOps<LLVM::GlobalOp>())
      if (global.getSymName().starts_with("__dynamic_shmem"))
        global.setLinkage(LLVM::Linkage::External);
    return success();
  }

  LogicalResult compile(gpu::GPUModuleOp module) {
    std::unique_ptr<llvm::TargetMachine> machine =
        createMachine(module, arch, optLevel);
    if (!machine)
      return failure();
    if (module->hasAttr(arrc::target::overlapsAttrName) &&
        arrc::ptx::getCapability(arch) < arrc::ptx::leastToOverlap)
      return module.emitError("kernels of '")
             << arch << "' cannot wait for the launch before";
    const arrc::ptx::MathLibrary *used = nullptr;
    if (failed(convert(module, used)) || failed(checkScopes(module)))
      return failure();
    llvm::LLVMContext context;
    std::unique_ptr<llvm::Module> llvmModule =
        arrc::target::translate(module, context, *machine);
    if (!llvmModule)
      return failure();
    arrc::ptx::defineFunctions(*llvmModule);
    if ((used && failed(linkLibrary(module, *llvmModule, *used))) ||
        failed(checkComplete(module, *llvmModule)))
      return failure();
    extendIndices(*llvmModule);
    arrc::target::optimize(*llvmModule, *machine, optLevel, vectorizeEarly);
    arrc::ptx::unmaskLoads(*llvmModule);
    if (optLevel > 0)
      arrc::ptx::loadWords(*llvmModule, *machine);
    arrc::ptx::widenConversions(*llvmModule);
    loosenBlockSizes(*llvmModule);
    if (optLevel > 0) {
      arrc::ptx::divideTogether(*llvmModule);
      arrc::ptx::recomputeIndices(*llvmModule);
    }
    arrc::ptx::spellNegations(*llvmModule);
    if (module->hasAttr(arrc::target::overlapsAttrName))
      arrc::ptx::overlapLaunches(*llvmModule);

    llvm::SmallString<0> text;
    llvm::raw_svector_ostream stream(text);
    if (llvmText) {
      llvmModule->print(stream, nullptr);
    } else {
      llvm::legacy::PassManager emit;
      if (machine->addPassesToEmitFile(emit, stream, nullptr,
                                       llvm::CodeGenFileType::AssemblyFile))
        return module.emitError("cannot be written as PTX");
      emit.run(*llvmModule);
    }
    module->setAttr("arrc.ptx", StringAttr::get(module.getContext(), text));
    return success();
  }
};
} // namespace
