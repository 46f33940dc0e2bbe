//===- Pipelines.cpp - Every pipeline of the project ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// One line a pass, with the reason where the order matters.
//
//===----------------------------------------------------------------------===//

#include "arrc/Pipelines/Pipelines.h"

#include "arrc/Conversion/Passes.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"
#include "arrc/Pipelines/PassList.h"
#include "arrc/Pipelines/Passes.h"
#include "arrc/Target/CPU/CPU.h"
#include "arrc/Target/PTX/PTX.h"
#include "arrc/Target/SPIRV/SPIRV.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace arrc;

static void addCleanup(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// While what is merged are maps and launches, of which there may be thousands.
static void addArrayCleanup(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(array::createMergeEqualPass());
}

void arrc::buildArrayPipeline(OpPassManager &pm, bool isDevice,
                              bool reproducible, bool inParts) {
  // Threads that read rows of their own do not coalesce; lanes of a CPU take
  // rows of a few elements apart.
  array::UnrollSmallArraysPassOptions unroll;
  unroll.scalarRow = isDevice ? 4 : 8;
  // Threads select among their registers as fast as they find an element of
  // theirs in memory, or faster.
  if (isDevice)
    unroll.mostSelected = 64;
  // Cards do eight additions, or nearly so and up to fifty, a byte of memory.
  array::FuseProducersPassOptions fuse;
  fuse.workPerByte = isDevice ? 8 : 0;
  array::FuseSlicesPassOptions slices;
  slices.withPartners = true;
  slices.workPerByte = fuse.workPerByte;
  array::FuseSlicesPassOptions components;
  components.withPartners = true;
  pm.addPass(createInlinerPass());
  addArrayCleanup(pm);
  // Before anything asks what a body costs.
  pm.addNestedPass<func::FuncOp>(array::createExpandPowersPass());
  // First: no other pass knows accumulators that are rows of any size.
  pm.addNestedPass<func::FuncOp>(array::createExpandRowFoldsPass());
  pm.addPass(createCanonicalizerPass());
  // Before arrays that are only folded seem to be needed.
  pm.addNestedPass<func::FuncOp>(array::createFuseFiltersPass());
  pm.addPass(createCanonicalizerPass());
  // Before bodies are looked at: what is in them are maps and loops.
  pm.addNestedPass<func::FuncOp>(array::createExpandFiltersPass());
  pm.addNestedPass<func::FuncOp>(array::createBatchSortsPass());
  if (isDevice)
    pm.addNestedPass<func::FuncOp>(array::createBatchUpdatesPass());
  pm.addNestedPass<func::FuncOp>(array::createExpandSortsPass());
  // While names of sizes still tell the arrays that keep theirs.
  pm.addNestedPass<func::FuncOp>(array::createSerializeBodiesPass());
  // Before all that targets do in ways of their own.
  if (reproducible) {
    pm.addNestedPass<func::FuncOp>(array::createBracketFoldsPass());
    addArrayCleanup(pm);
  }
  // Constant-extent bodies become scalars before anything looks at indices.
  pm.addNestedPass<func::FuncOp>(array::createUnrollSmallArraysPass(unroll));
  addArrayCleanup(pm);
  // What is surely wrong is said here, at the places of the program; what is
  // surely right needs no check further down.
  pm.addNestedPass<func::FuncOp>(array::createCheckStencilsPass());
  // Before the proofs: conditions of slices are facts like others.
  pm.addNestedPass<func::FuncOp>(array::createFuseSlicesPass());
  pm.addNestedPass<func::FuncOp>(array::createProveBoundsPass());
  pm.addPass(createCanonicalizerPass());
  // Of reads that are proved to be inside; before all that asks for neighbours.
  pm.addNestedPass<func::FuncOp>(array::createFindBoundariesPass());
  // Before branches are flattened: what is the same in all iterations is no
  // reason to keep one.
  pm.addNestedPass<func::FuncOp>(array::createHoistInvariantsPass());
  pm.addNestedPass<func::FuncOp>(array::createFlattenBranchesPass());
  pm.addNestedPass<func::FuncOp>(array::createFuseProducersPass(fuse));
  // Again: what a slice is computed from shows where its producers are fused,
  // and so does what may go to the end of a step.
  pm.addNestedPass<func::FuncOp>(array::createRotateLoopsPass());
  // What is left now are the loops of a step, which may be one.
  pm.addNestedPass<func::FuncOp>(array::createFuseSlicesPass(slices));
  pm.addNestedPass<func::FuncOp>(array::createProveBoundsPass());
  pm.addPass(createCanonicalizerPass());
  // Again: who reads an array with slices at places that are proved can compute
  // them.
  pm.addNestedPass<func::FuncOp>(array::createFuseSlicesPass(slices));
  pm.addNestedPass<func::FuncOp>(array::createProveBoundsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(array::createFlattenBranchesPass());
  pm.addNestedPass<func::FuncOp>(array::createFuseProducersPass(fuse));
  // Of steps that are as few loops as can be, before two of them are joined.
  pm.addNestedPass<func::FuncOp>(array::createSinkLoopsPass());
  // Of parts each would need the other's elements two deep, which boundaries
  // within boundaries do not tell.
  if (isDevice && !inParts) {
    // Of steps that are as few loops as can be.
    pm.addNestedPass<func::FuncOp>(array::createJoinStepsPass());
    pm.addNestedPass<func::FuncOp>(array::createFuseProducersPass(fuse));
  }
  // Fusing brings small arrays into other bodies, and reads next to each other.
  pm.addNestedPass<func::FuncOp>(array::createUnrollSmallArraysPass(unroll));
  addArrayCleanup(pm);
  // Behind fusing, which would undo it; before the loops become one nest.
  pm.addNestedPass<func::FuncOp>(array::createSplitScansPass());
  // Reductions of reductions show when what they read has been fused.
  if (!reproducible)
    pm.addNestedPass<func::FuncOp>(array::createTransposeReductionsPass());
  // Last, when every read of a component says which one.
  pm.addNestedPass<func::FuncOp>(array::createChooseLayoutsPass());
  // Again: components that slices are put into are arrays now.
  pm.addNestedPass<func::FuncOp>(array::createFuseSlicesPass(components));
  pm.addNestedPass<func::FuncOp>(array::createProveBoundsPass());
}

void arrc::buildFormPipeline(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createConvertArrayToKernelPass());
  addArrayCleanup(pm);
  // Before launches join: what only turned a result goes.
  pm.addNestedPass<func::FuncOp>(kernel::createPermuteResultsPass());
  // Launches that share data join; their loops then run together, and what
  // passed between them needs no array.
  pm.addNestedPass<func::FuncOp>(kernel::createFuseLaunchesPass());
  pm.addNestedPass<func::FuncOp>(kernel::createMergeLoopsPass());
  pm.addNestedPass<func::FuncOp>(kernel::createContractLocalsPass());
  addArrayCleanup(pm);
  // One launch a step where the fusion found one.
  pm.addNestedPass<func::FuncOp>(kernel::createFormIterationsPass());
  addArrayCleanup(pm);
}

void arrc::buildDeviceFormPipeline(OpPassManager &pm) {
  buildFormPipeline(pm);
  // Elements and scalars between launches stay on the device.
  pm.addNestedPass<func::FuncOp>(kernel::createLoadElementsPass());
  pm.addNestedPass<func::FuncOp>(kernel::createSinkElementsPass());
  pm.addNestedPass<func::FuncOp>(kernel::createSinkScalarsPass());
  addArrayCleanup(pm);
  // What is computed of the results of a fold ends its launch.
  kernel::FuseLaunchesPassOptions fuse;
  fuse.scalars = true;
  pm.addNestedPass<func::FuncOp>(kernel::createFuseLaunchesPass(fuse));
  pm.addNestedPass<func::FuncOp>(kernel::createContractLocalsPass());
  addArrayCleanup(pm);
  // Of the locals that are left.
  pm.addNestedPass<func::FuncOp>(kernel::createBoundLocalsPass());
  addArrayCleanup(pm);
}

void arrc::buildBufferPipeline(OpPassManager &pm) {
  // Advice that bufferization checks, so it comes right before.
  pm.addNestedPass<func::FuncOp>(kernel::createPlanDestinationsPass());
  pm.addPass(bufferization::createEmptyTensorToAllocTensorPass());
  bufferization::OneShotBufferizePassOptions options;
  kernel::PlaceConstantsPassOptions constants;
  constants.alignment = options.bufferAlignment;
  pm.addPass(kernel::createPlaceConstantsPass(constants));
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  options.allowReturnAllocsFromLoops = true;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  addCleanup(pm);
  // Before buffers are shared: those of equal sizes are.
  pm.addNestedPass<func::FuncOp>(kernel::createUnifySizesPass());
  pm.addNestedPass<func::FuncOp>(kernel::createPlanMemoryPass());
  addCleanup(pm);
}

/// Buffers to Scheduled of a CPU; `inParts`: launches say what their parts
/// touch, for several devices.
static void addSchedulePasses(OpPassManager &pm, bool reproducible,
                              bool inParts) {
  kernel::PlanSchedulesPassOptions plan;
  plan.device = "cpu";
  plan.inOrder = reproducible;
  // Everything that touches memory of parts is a launch from here on.
  if (inParts)
    pm.addNestedPass<func::FuncOp>(kernel::createFormCopiesPass());
  if (reproducible)
    pm.addNestedPass<func::FuncOp>(kernel::createEncodeUpdatesPass());
  pm.addNestedPass<func::FuncOp>(kernel::createHoistChecksPass());
  pm.addNestedPass<func::FuncOp>(kernel::createSpreadStepsPass());
  pm.addNestedPass<func::FuncOp>(kernel::createSinkStepsPass());
  pm.addNestedPass<func::FuncOp>(kernel::createMergeDimsPass());
  pm.addNestedPass<func::FuncOp>(kernel::createSplitColumnsPass());
  pm.addNestedPass<func::FuncOp>(kernel::createTransposeOperandsPass());
  pm.addNestedPass<func::FuncOp>(kernel::createPlanSchedulesPass(plan));
  pm.addNestedPass<func::FuncOp>(kernel::createExpandVersionsPass());
  pm.addNestedPass<func::FuncOp>(kernel::createSplitLoopsPass());
  pm.addNestedPass<func::FuncOp>(kernel::createOrderLoopsPass());
  pm.addNestedPass<func::FuncOp>(kernel::createMaskTailsPass());
  // Bounds of the interior are read off indices in their simplest form.
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(kernel::createSplitBoundaryPass());
  addCleanup(pm);
  // A launch is cut along one nest of blocks.
  if (inParts)
    pm.addNestedPass<func::FuncOp>(kernel::createSplitLaunchesPass());
  // Late: what is expanded costs time in every pass behind it.
  pm.addNestedPass<func::FuncOp>(kernel::createJamLoopsPass());
  addCleanup(pm);
  // Last: all that is asked about arrays is asked of arrays by themselves.
  if (!inParts) {
    pm.addNestedPass<func::FuncOp>(kernel::createPackFieldsPass());
    return;
  }
  // Workspaces leave time loops.
  kernel::PlanMemoryPassOptions memory;
  memory.workspaces = true;
  pm.addNestedPass<func::FuncOp>(kernel::createPlanMemoryPass(memory));
  pm.addNestedPass<func::FuncOp>(kernel::createPlanPartitionPass());
}

void arrc::buildSchedulePipeline(OpPassManager &pm, bool reproducible) {
  addSchedulePasses(pm, reproducible, /*inParts=*/false);
}

/// Makes kernels of loops, and says which ones the host runs.
static void addLoopPasses(OpPassManager &pm, bool reproducible) {
  // Loops that check nothing can be one kernel, or the runtime's.
  pm.addNestedPass<func::FuncOp>(kernel::createHoistChecksPass());
  pm.addNestedPass<func::FuncOp>(kernel::createSpreadStepsPass());
  pm.addNestedPass<func::FuncOp>(kernel::createSinkStepsPass());
  // Loops of small steps first: they bring their schedules, which cut folds as
  // suits them.
  if (!reproducible)
    pm.addNestedPass<func::FuncOp>(kernel::createEncloseLoopsPass());
}

void arrc::buildLoopPipeline(OpPassManager &pm, bool reproducible) {
  buildDeviceFormPipeline(pm);
  buildBufferPipeline(pm);
  pm.addNestedPass<func::FuncOp>(kernel::createFormCopiesPass());
  addLoopPasses(pm, reproducible);
}

void arrc::buildDeviceSchedulePipeline(OpPassManager &pm, unsigned optLevel,
                                       bool inParts, bool reproducible) {
  // Everything that touches memory of the device is a launch from here on.
  pm.addNestedPass<func::FuncOp>(kernel::createFormCopiesPass());
  // Before anything plans: shapes are what counts then, not ranks.
  if (optLevel > 0) {
    addLoopPasses(pm, reproducible);
    pm.addPass(createCSEPass());
    // While what all values of a row share still stands beside their loop.
    if (!reproducible)
      pm.addNestedPass<func::FuncOp>(kernel::createSplitSegmentsPass());
    pm.addNestedPass<func::FuncOp>(kernel::createPerfectNestsPass());
    pm.addNestedPass<func::FuncOp>(kernel::createMergeDimsPass());
  }
  // Before the plan: what they make is loops as any others.
  pm.addNestedPass<func::FuncOp>(kernel::createEncodeUpdatesPass());
  pm.addNestedPass<func::FuncOp>(kernel::createPrivatizeUpdatesPass());
  if (optLevel > 0) {
    pm.addNestedPass<func::FuncOp>(kernel::createSplitColumnsPass());
    // Parts may not need the indices that kept dimensions of the whole apart,
    // and read what parts before them have left.
    pm.addNestedPass<func::FuncOp>(kernel::createPerfectNestsPass());
    pm.addNestedPass<func::FuncOp>(kernel::createMergeDimsPass());
    if (!inParts)
      pm.addNestedPass<func::FuncOp>(kernel::createTransposeOperandsPass());
    kernel::PlanSchedulesPassOptions plan;
    plan.inOrder = reproducible;
    pm.addNestedPass<func::FuncOp>(kernel::createPlanSchedulesPass(plan));
    pm.addNestedPass<func::FuncOp>(kernel::createExpandVersionsPass());
    pm.addNestedPass<func::FuncOp>(kernel::createKeepRowsPass());
    pm.addNestedPass<func::FuncOp>(kernel::createSplitLoopsPass());
    pm.addNestedPass<func::FuncOp>(kernel::createOrderLoopsPass());
    pm.addNestedPass<func::FuncOp>(kernel::createStageOperandsPass());
  } else {
    // Without schedules it ends loops behind checks that fail.
    pm.addNestedPass<func::FuncOp>(kernel::createSplitLoopsPass());
  }
  if (optLevel > 0) {
    pm.addNestedPass<func::FuncOp>(kernel::createMaskTailsPass());
    addCleanup(pm);
    pm.addNestedPass<func::FuncOp>(kernel::createSplitBoundaryPass());
    addCleanup(pm);
    // Behind the interior and what is left over, which have the same copies.
    pm.addNestedPass<func::FuncOp>(kernel::createStageUpdatesPass());
    pm.addNestedPass<func::FuncOp>(kernel::createDeferFoldsPass());
  }
  pm.addNestedPass<func::FuncOp>(kernel::createSplitLaunchesPass());
  // Every local has its place before loops are expanded: what each thread keeps
  // is decided on loops.
  pm.addNestedPass<func::FuncOp>(kernel::createAssignStoragePass());
  if (optLevel > 0)
    pm.addNestedPass<func::FuncOp>(kernel::createJamLoopsPass());
  addCleanup(pm);
  // Workspaces leave time loops.
  kernel::PlanMemoryPassOptions plan;
  plan.workspaces = true;
  pm.addNestedPass<func::FuncOp>(kernel::createPlanMemoryPass(plan));
  // Last: all that is asked about arrays is asked of arrays by themselves, and
  // so are parts for several devices, of kernels as they are.
  if (inParts)
    pm.addNestedPass<func::FuncOp>(kernel::createPlanPartitionPass());
  else if (optLevel > 0)
    pm.addNestedPass<func::FuncOp>(kernel::createPackFieldsPass());
}

void arrc::buildGPUPipeline(OpPassManager &pm) {
  pm.addPass(createConvertKernelToGPUPass());
  // While kernels and their launches stand together.
  addCleanup(pm.nest<func::FuncOp>());
  pm.addPass(createStripMineLoopsPass());
  pm.addPass(createLoadStepsPass());
  // Before kernels may part from the host's code, which launches them so.
  pm.addPass(ptx::createOverlapLaunchesPass());
  addCleanup(pm.nest<func::FuncOp>());
}

void arrc::buildKernelCleanup(OpPassManager &pm) {
  auto &kernels = pm.nest<gpu::GPUModuleOp>();
  // First, as jammed loops repeat what is cheap to find equal.
  kernels.addPass(createCSEPass());
  addCleanup(kernels);
}

void arrc::buildImagePipeline(OpPassManager &pm, StringRef target,
                              unsigned optLevel) {
  buildKernelCleanup(pm);
  if (target == "opencl") {
    pm.addPass(target::createArrcGPUToSPIRVPass());
    return;
  }
  ptx::GPUToPTXPassOptions options;
  options.optLevel = optLevel;
  pm.addPass(ptx::createGPUToPTXPass(options));
}

void arrc::buildSCFPipeline(OpPassManager &pm) {
  // Of a CPU in parts; their loops are those of any other launch then.
  pm.addPass(createOutlineKernelsPass());
  pm.addPass(createConvertKernelToSCFPass());
  // First: lanes and jammed loops repeat what is cheap to find equal, and the
  // canonicalizer asks an operation's whole region whether it is dead each time
  // something in it has changed.
  pm.addPass(createCSEPass());
  addCleanup(pm);
  // Indices are sums by now.
  pm.addNestedPass<func::FuncOp>(cpu::createPrefetchStreamsPass());
}

void arrc::buildHostPipeline(OpPassManager &pm, bool checkAccesses) {
  // Time loops of devices are still there; on the CPU they became loops with
  // their launches.
  pm.addPass(createConvertKernelToHostPass());
  addCleanup(pm);
  pm.addPass(createOutlineTimeLoopsPass());
  pm.addPass(createOutlineTasksPass());
  addCleanup(pm);
  // Behind all that rewrites accesses, where allocations still are arrays.
  if (checkAccesses)
    pm.addPass(createCheckAccessesPass());
  // A failing call leaves its function at once: no loops around it any more.
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertHostToRuntimePass());
  cpu::buildToLLVMPipeline(pm);
}

OwningOpRef<ModuleOp> arrc::detachKernels(ModuleOp module) {
  module->getContext()->loadDialect<gpu::GPUDialect, NVVM::NVVMDialect>();
  OwningOpRef<ModuleOp> kernels(cast<ModuleOp>(module->cloneWithoutRegions()));
  kernels->getRegion().emplaceBlock();
  Builder b(module.getContext());
  for (auto kernelModule :
       llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>())) {
    NamedAttrList letters;
    for (auto kernel : kernelModule.getOps<gpu::GPUFuncOp>())
      if (Attribute args = kernel->getAttr("arrc.args"))
        letters.set(kernel.getName(), args);
    OpBuilder place(kernelModule);
    auto object = gpu::ObjectAttr::get(
        b.getContext(), NVVM::NVVMTargetAttr::get(b.getContext()),
        gpu::CompilationTarget::Assembly, b.getStringAttr(""),
        /*properties=*/nullptr, /*kernels=*/nullptr);
    auto image = gpu::BinaryOp::create(place, kernelModule.getLoc(),
                                       kernelModule.getName(), nullptr,
                                       b.getArrayAttr(object));
    image->setAttr("arrc.kernels", letters.getDictionary(b.getContext()));
    for (StringRef fact :
         {"arrc.index_bits", "arrc.overlaps", "arrc.parts", "arrc.units"})
      if (Attribute value = kernelModule->getAttr(fact))
        image->setAttr(fact, value);
    kernelModule->remove();
    kernels->getBody()->push_back(kernelModule);
  }
  return kernels;
}

/// What launches of a CPU need that keep the sequential reading.
static void addUnscheduled(OpPassManager &pm, const PipelineOptions &options) {
  if (options.target.isInParts())
    pm.addNestedPass<func::FuncOp>(kernel::createFormCopiesPass());
  if (options.reproducible)
    pm.addNestedPass<func::FuncOp>(kernel::createEncodeUpdatesPass());
  // Without schedules it ends loops behind checks that fail.
  pm.addNestedPass<func::FuncOp>(kernel::createSplitLoopsPass());
  if (options.target.isInParts())
    pm.addNestedPass<func::FuncOp>(kernel::createPlanPartitionPass());
}

void arrc::buildPipeline(OpPassManager &pm, Stage from, Stage to,
                         const PipelineOptions &options) {
  if (options.passes)
    return options.passes->addTo(pm, from, to, options.simplifyKernels);
  bool isDevice = options.target.isDevice();
  auto passes = [&](Stage stage) { return from < stage && stage <= to; };
  if (passes(Stage::Kernel)) {
    buildArrayPipeline(pm, isDevice, options.reproducible,
                       options.target.isInParts());
    // Without optimizations nobody makes `fma` of what a fold adds.
    if (options.reproducible && options.optLevel == 0) {
      array::BracketFoldsPassOptions bracket;
      bracket.products = false;
      pm.addNestedPass<func::FuncOp>(array::createBracketFoldsPass(bracket));
    }
    if (isDevice || options.target.isInParts())
      buildDeviceFormPipeline(pm);
    else
      buildFormPipeline(pm);
  }
  if (passes(Stage::Buffers))
    buildBufferPipeline(pm);
  if (passes(Stage::Scheduled)) {
    if (isDevice)
      buildDeviceSchedulePipeline(pm, options.optLevel,
                                  options.target.isInParts(),
                                  options.reproducible);
    else if (options.optLevel > 0)
      addSchedulePasses(pm, options.reproducible, options.target.isInParts());
    else
      addUnscheduled(pm, options);
  }
  if (passes(Stage::SCF) && !isDevice)
    buildSCFPipeline(pm);
  if (passes(Stage::GPU) && isDevice) {
    buildGPUPipeline(pm);
    if (to == Stage::GPU && options.simplifyKernels)
      buildKernelCleanup(pm);
  }
  if (passes(Stage::Images) && isDevice)
    buildImagePipeline(pm, options.target.name, options.optLevel);
  if (passes(Stage::LLVM))
    buildHostPipeline(pm, options.checkAccesses && !isDevice);
}

/// Reports the first kernel of text that is not of the form that launches have:
/// pointers to global memory and scalars, each with its letter.
static LogicalResult checkKernels(ModuleOp module) {
  Attribute global = gpu::AddressSpaceAttr::get(module.getContext(),
                                                gpu::AddressSpace::Global);
  auto refuse = [](gpu::GPUFuncOp kernel) {
    return kernel.emitError("kernel '") << kernel.getName() << "' ";
  };
  for (auto kernels : module.getOps<gpu::GPUModuleOp>())
    for (auto kernel : kernels.getOps<gpu::GPUFuncOp>()) {
      if (!kernel.isKernel())
        continue;
      for (Type type : kernel.getArgumentTypes())
        if (auto memref = dyn_cast<MemRefType>(type);
            memref &&
            (!memref.hasStaticShape() || !memref.getLayout().isIdentity() ||
             memref.getMemorySpace() != global))
          return refuse(kernel)
                 << "takes " << type
                 << "; kernels take pointers, as memref<1xf32, "
                    "#gpu.address_space<global>>, and sizes as scalars";
      if (kernel.getNumWorkgroupAttributions() > 0)
        return refuse(kernel)
               << "has workgroup memory of its own; take it from "
                  "gpu.dynamic_shared_memory";
      if (!kernel->getAttrOfType<StringAttr>("arrc.args"))
        return refuse(kernel)
               << "lacks the letters of its arguments, arrc.args";
    }
  return success();
}

/// Whether the passes are others than those of the compiler in its order.
/// Schedules and scripts between them look at what they do themselves, and
/// verifying each pass takes a tenth of the time.
static bool hasForeignPasses(const PipelineOptions &options) {
  if (!options.passes)
    return false;
  std::string given, own;
  llvm::raw_string_ostream givenStream(given), ownStream(own);
  options.passes->print(givenStream);
  PassList::builtIn(options).print(ownStream);
  SmallVector<StringRef> givenRows, ownRows;
  StringRef(given).split(givenRows, '\n');
  StringRef(own).split(ownRows, '\n');
  llvm::erase_if(givenRows, [](StringRef row) {
    return row.contains("arrc-transform{") ||
           row.contains("arrc-set-schedules{");
  });
  return givenRows != ownRows;
}

LogicalResult arrc::lower(ModuleOp module, Stage from, Stage to,
                          const PipelineOptions &options) {
  if (from == Stage::GPU) {
    // Text may hold kernels as people write them.
    auto adopt = PassManager::on<ModuleOp>(module.getContext());
    adopt.addPass(createAdoptKernelsPass());
    if (failed(adopt.run(module)) || failed(checkKernels(module)))
      return failure();
  }
  setTarget(module, options.target);
  PipelineOptions actual = options;
  actual.target.name = getTargetName(module);
  auto pm = PassManager::on<ModuleOp>(module.getContext());
  // Behind every pass it takes a quarter of the time of all; arr-opt does so,
  // and a pipeline that is not ours.
  pm.enableVerifier(hasForeignPasses(options));
  buildPipeline(pm, from, to, actual);
  if (options.watch)
    options.watch(pm);
  if (failed(pm.run(module)) || failed(verify(module)))
    return failure();
  setStage(module, to);
  return success();
}

LogicalResult arrc::lowerTo(ModuleOp module, Stage stage,
                            const PipelineOptions &options) {
  return lower(module, getStage(module), stage, options);
}

//===----------------------------------------------------------------------===//
// For arr-opt
//===----------------------------------------------------------------------===//

namespace {
struct DevicePipelineOptions : PassPipelineOptions<DevicePipelineOptions> {
  Option<std::string> arch{*this, "arch",
                           llvm::cl::desc("compute capability, sm_90")};
  Option<std::string> stage{*this, "stage",
                            llvm::cl::desc("where to stop, as --emit"),
                            llvm::cl::init("llvm")};
};
} // namespace

static void registerDevicePipeline(StringRef flag, StringRef target) {
  PassPipelineRegistration<DevicePipelineOptions>(
      flag, "From the array dialect to the LLVM dialect, for a device",
      [target](OpPassManager &pm, const DevicePipelineOptions &options) {
        PipelineOptions pipeline;
        pipeline.target.name = target.str();
        pipeline.target.arch = options.arch;
        SetTargetPassOptions to;
        to.target = pipeline.target.name;
        to.arch = pipeline.target.arch;
        pm.addPass(createSetTargetPass(to));
        buildPipeline(pm, Stage::Array,
                      parseStage(options.stage).value_or(Stage::LLVM),
                      pipeline);
      });
}

void arrc::registerPipelines() {
  PassPipelineRegistration<>("arrc-array-pipeline",
                             "Rewrites in the array dialect",
                             [](OpPassManager &pm) { buildArrayPipeline(pm); });
  PassPipelineRegistration<>("arrc-form-pipeline",
                             "Array operations to fused launches",
                             buildFormPipeline);
  PassPipelineRegistration<>("arrc-buffer-pipeline",
                             "Tensors to planned buffers", buildBufferPipeline);
  PassPipelineRegistration<>(
      "arrc-schedule-pipeline", "Schedules of launches, applied",
      [](OpPassManager &pm) { buildSchedulePipeline(pm); });
  PassPipelineRegistration<>("arrc-device-form-pipeline",
                             "Array operations to fused launches of a device",
                             buildDeviceFormPipeline);
  PassPipelineRegistration<>(
      "arrc-device-schedule-pipeline",
      "Schedules of launches of a device, applied",
      [](OpPassManager &pm) { buildDeviceSchedulePipeline(pm); });
  PassPipelineRegistration<>("arrc-gpu-pipeline", "Launches to kernels",
                             [](OpPassManager &pm) {
                               buildGPUPipeline(pm);
                               buildKernelCleanup(pm);
                             });
  registerDevicePipeline("arrc-cuda-pipeline", "cuda");
  registerDevicePipeline("arrc-opencl-pipeline", "opencl");
  PassPipelineRegistration<>("arrc-scf-pipeline", "Launches to parallel loops",
                             buildSCFPipeline);
  PassPipelineRegistration<>("arrc-host-pipeline",
                             "Host code to the LLVM dialect",
                             [](OpPassManager &pm) { buildHostPipeline(pm); });
  PassPipelineRegistration<>(
      "arrc-cpu-pipeline", "From the array dialect to the LLVM dialect",
      [](OpPassManager &pm) { buildPipeline(pm, Stage::Array, Stage::LLVM); });
}
