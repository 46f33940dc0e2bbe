//===- InitAll.cpp - The only list of dialects and passes -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/InitAll.h"

#include "arrc/Conversion/Passes.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Dialect/Kernel/Transforms/BufferizableOpInterfaceImpl.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"
#include "arrc/Pipelines/Pipelines.h"
#include "arrc/Reference/Passes.h"
#include "arrc/Target/CPU/CPU.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

void arrc::registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  registry.insert<array::ArrayDialect, kernel::KernelDialect>();
  kernel::registerBufferizableOpInterfaceExternalModels(registry);
}

void arrc::registerAllPasses() {
  mlir::registerAllPasses();
  array::registerArrayPasses();
  kernel::registerKernelPasses();
  registerConvertArrayToKernelPass();
  registerConvertKernelToSCFPass();
  registerConvertKernelToHostPass();
  registerOutlineTasksPass();
  registerConvertHostToRuntimePass();
  cpu::registerCPUPasses();
  registerPipelines();
  reference::registerReferencePasses();
}
