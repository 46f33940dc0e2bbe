//===- CodeGen.cpp - LLVM dialect to LLVM IR, assembly and objects --------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LazyTasks.h"
#include "LoopHints.h"
#include "MaskedLanes.h"
#include "Native.h"
#include "Streams.h"
#include "VectorLibrary.h"
#include "WideIntegers.h"
#include "arrc/Target/CPU/CPU.h"

#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

#include <algorithm>
#include <map>
#include <mutex>

using namespace mlir;
using arrc::cpu::CodeGenOptions;

void arrc::cpu::initializeNative() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

/// The name and the features of the processor that the options mean.
static std::pair<std::string, std::string>
getProcessor(const CodeGenOptions &options) {
  llvm::SubtargetFeatures features;
  std::string cpu = options.cpu;
  if (cpu == "native") {
    cpu = llvm::sys::getHostCPUName().str();
    // In the order of the names: a map has none.
    std::map<std::string, bool> sorted;
    for (const auto &feature : llvm::sys::getHostCPUFeatures())
      sorted[feature.first().str()] = feature.second;
    for (const auto &[name, isThere] : sorted)
      features.AddFeature(name, isThere);
  }
  return {cpu, features.getString()};
}

std::string arrc::cpu::describeMachine(const CodeGenOptions &options) {
  auto [cpu, features] = getProcessor(options);
  return llvm::sys::getProcessTriple() + " " + cpu + " " + features;
}

bool arrc::cpu::isProcessor(llvm::StringRef name) {
  initializeNative();
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string problem;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!target)
    return false;
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      target->createMCSubtargetInfo(triple, "", ""));
  return info && info->isCPUStringValid(name);
}

/// A target machine for this process's triple; null with the reason in
/// `problem` if there is no such processor.
static std::unique_ptr<llvm::TargetMachine>
createMachine(const CodeGenOptions &options, std::string &problem) {
  arrc::cpu::initializeNative();
  llvm::Triple triple(llvm::sys::getProcessTriple());
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!target) {
    problem = "no code generator for this machine: " + problem;
    return nullptr;
  }
  auto [cpu, features] = getProcessor(options);
  auto level = options.isGlue
                   ? llvm::CodeGenOptLevel::None
                   : static_cast<llvm::CodeGenOptLevel>(options.optLevel);
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, cpu, features, {}, llvm::Reloc::PIC_, {}, level));
  if (!machine || !machine->getMCSubtargetInfo()->isCPUStringValid(cpu)) {
    problem = "unknown processor '" + options.cpu + "'";
    return nullptr;
  }
  return machine;
}

/// Runs LLVM's own passes at the level asked for.
static void optimize(llvm::Module &llvmModule, llvm::TargetMachine &machine,
                     const llvm::TargetLibraryInfoImpl &library,
                     unsigned optLevel) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
  llvm::PassBuilder builder(&machine, llvm::PipelineTuningOptions());
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);
  builder.registerVectorizerStartEPCallback(
      [](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(arrc::cpu::FarStridesPass());
        passes.addPass(arrc::cpu::KeepUnrollsPass());
      });
  const llvm::OptimizationLevel levels[] = {
      llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
      llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  llvm::OptimizationLevel level = levels[optLevel];
  auto pipeline = optLevel == 0 ? builder.buildO0DefaultPipeline(level)
                                : builder.buildPerModuleDefaultPipeline(level);
  pipeline.run(llvmModule, modules);
}

/// Whether a core reads faster if loops ask for what a stream reads later: the
/// processors that were measured to be, and their kin. A Zen 4 is slower.
static bool gainsFromStreamPrefetches(const llvm::TargetMachine &machine) {
  return llvm::StringSwitch<bool>(machine.getTargetCPU())
      .Cases({"sapphirerapids", "emeraldrapids", "graniterapids",
              "graniterapids-d"},
             true)
      .Default(false);
}

/// Removes the prefetches of what is read once.
static void dropStreamPrefetches(llvm::Module &llvmModule) {
  for (llvm::Function &function : llvmModule)
    for (llvm::Instruction &each :
         llvm::make_early_inc_range(llvm::instructions(function)))
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&each))
        if (call->getIntrinsicID() == llvm::Intrinsic::prefetch &&
            llvm::cast<llvm::ConstantInt>(call->getArgOperand(2))
                ->equalsInt(arrc::cpu::streamLocality))
          call->eraseFromParent();
}

/// Makes code of a module whose functions know their processor. False if there
/// is no such kind of file.
static bool generate(llvm::Module &llvmModule, llvm::TargetMachine &machine,
                     const llvm::TargetLibraryInfoImpl &library,
                     const CodeGenOptions &options, arrc::cpu::OutputKind kind,
                     llvm::SmallVectorImpl<char> &buffer) {
  optimize(llvmModule, machine, library,
           options.isGlue ? std::min(options.optLevel, 1u) : options.optLevel);
  arrc::cpu::loopOverMaskedLanes(llvmModule, machine);
  arrc::cpu::widenMasks(llvmModule, machine);
  arrc::cpu::convertWideIntegers(llvmModule, machine);

  llvm::raw_svector_ostream stream(buffer);
  if (kind == arrc::cpu::OutputKind::LLVMIR) {
    llvmModule.print(stream, nullptr);
    return true;
  }
  llvm::legacy::PassManager emit;
  emit.add(new llvm::TargetLibraryInfoWrapperPass(library));
  auto file = kind == arrc::cpu::OutputKind::Object
                  ? llvm::CodeGenFileType::ObjectFile
                  : llvm::CodeGenFileType::AssemblyFile;
  if (machine.addPassesToEmitFile(emit, stream, nullptr, file))
    return false;
  emit.run(llvmModule);
  return true;
}

LogicalResult arrc::cpu::compile(ModuleOp module, const CodeGenOptions &options,
                                 OutputKind kind,
                                 llvm::SmallVectorImpl<char> &buffer,
                                 std::string *tasks) {
  if (options.optLevel > 3)
    return module.emitError("the optimisation level is 0, 1, 2 or 3");
  std::string problem;
  std::unique_ptr<llvm::TargetMachine> machine =
      createMachine(options, problem);
  if (!machine)
    return module.emitError(problem);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(module, context, "arr");
  if (!llvmModule)
    return module.emitError("cannot be translated to LLVM IR");
  llvmModule->setTargetTriple(machine->getTargetTriple());
  llvmModule->setDataLayout(machine->createDataLayout());
  for (llvm::Function &function : *llvmModule) {
    if (function.isDeclaration())
      continue;
    // What the optimiser is allowed to use; the code generator alone would
    // know it from the machine.
    function.addFnAttr("target-cpu", machine->getTargetCPU());
    function.addFnAttr("target-features", machine->getTargetFeatureString());
  }
  auto library = createLibraryInfo(*machine);
  useVectorLibrary(*llvmModule, *library, *machine);
  if (!gainsFromStreamPrefetches(*machine))
    dropStreamPrefetches(*llvmModule);
  if (tasks)
    *tasks = detachTasks(*llvmModule);
  if (!generate(*llvmModule, *machine, *library, options, kind, buffer))
    return module.emitError("cannot be written as native code");
  return success();
}

std::string arrc::cpu::getTaskName(int32_t number) {
  return (lazyTaskPrefix + llvm::Twine(number)).str();
}

bool arrc::cpu::compileTask(StringRef tasks, int32_t number,
                            const CodeGenOptions &options,
                            llvm::SmallVectorImpl<char> &buffer,
                            std::string &problem) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::TargetMachine> machine =
      createMachine(options, problem);
  std::unique_ptr<llvm::Module> llvmModule =
      machine ? extractTask(tasks, number, context, problem) : nullptr;
  if (!llvmModule)
    return false;
  auto library = createLibraryInfo(*machine);
  if (generate(*llvmModule, *machine, *library, options, OutputKind::Object,
               buffer))
    return true;
  problem = "cannot be written as native code";
  return false;
}
