//===- ShareKernels.cpp - One kernel for launches that are alike ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Launches that differ in their operands alone (the passes of a sort, steps
// that were written out) have equal kernels. The first stays, the launches of
// the others take it: what is compiled and loaded once is there for all.
//
//===----------------------------------------------------------------------===//

#include "HostCode.h"

#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace arrc;

/// The only kernel of a module; null if there are several.
static gpu::GPUFuncOp getKernel(gpu::GPUModuleOp module) {
  auto kernels = module.getOps<gpu::GPUFuncOp>();
  return llvm::hasSingleElement(kernels) ? *kernels.begin() : gpu::GPUFuncOp();
}

/// The attributes of an operation but its name.
static DictionaryAttr getFacts(Operation *op) {
  NamedAttrList facts(op->getAttrDictionary());
  facts.erase(SymbolTable::getSymbolAttrName());
  return facts.getDictionary(op->getContext());
}

static bool areAlike(gpu::GPUFuncOp a, gpu::GPUFuncOp b) {
  return getFacts(a) == getFacts(b) &&
         getFacts(a->getParentOp()) == getFacts(b->getParentOp()) &&
         OperationEquivalence::isRegionEquivalentTo(
             &a.getBody(), &b.getBody(), OperationEquivalence::IgnoreLocations);
}

void arrc::shareKernels(ModuleOp module) {
  // By what can be compared at once.
  llvm::DenseMap<std::pair<Attribute, int64_t>, SmallVector<gpu::GPUFuncOp>>
      known;
  llvm::DenseMap<Attribute, SymbolRefAttr> replaced;
  for (auto each :
       llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>())) {
    gpu::GPUFuncOp kernel = getKernel(each);
    if (!kernel)
      continue;
    int64_t size = 0;
    kernel.walk([&](Operation *) { ++size; });
    auto getName = [](gpu::GPUFuncOp of) {
      return SymbolRefAttr::get(
          of->getParentOfType<gpu::GPUModuleOp>().getNameAttr(),
          FlatSymbolRefAttr::get(of.getNameAttr()));
    };
    SmallVector<gpu::GPUFuncOp> &others = known[{getFacts(kernel), size}];
    auto *it = llvm::find_if(
        others, [&](gpu::GPUFuncOp other) { return areAlike(other, kernel); });
    if (it == others.end()) {
      others.push_back(kernel);
      continue;
    }
    replaced[getName(kernel)] = getName(*it);
    each.erase();
  }
  module.walk([&](gpu::LaunchFuncOp launch) {
    if (SymbolRefAttr other = replaced.lookup(launch.getKernel()))
      launch.setKernelAttr(other);
  });
}
