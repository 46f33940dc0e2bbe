//===- Binary.cpp - Modules of kernels that became images -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Target/GPU/GPU.h"

using namespace mlir;

unsigned arrc::target::getIndexBits(Operation *module) {
  auto bits = module->getAttrOfType<IntegerAttr>(indexBitsAttrName);
  return bits ? bits.getInt() : 64;
}

void arrc::target::rememberKernels(gpu::GPUModuleOp module) {
  if (module->hasAttr(kernelsAttrName))
    return;
  SmallVector<NamedAttribute> kernels;
  for (auto function : module.getOps<gpu::GPUFuncOp>())
    if (auto letters = function->getAttr(argsAttrName);
        letters && function.isKernel())
      kernels.emplace_back(function.getNameAttr(), letters);
  module->setAttr(kernelsAttrName,
                  DictionaryAttr::get(module.getContext(), kernels));
}

void arrc::target::replaceByBinary(gpu::GPUModuleOp module, Attribute target,
                                   gpu::CompilationTarget format,
                                   StringRef object) {
  OpBuilder b(module);
  Attribute image =
      gpu::ObjectAttr::get(target, format, b.getStringAttr(object));
  auto binary = gpu::BinaryOp::create(b, module.getLoc(), module.getName(),
                                      Attribute(), ArrayRef<Attribute>(image));
  for (StringRef name :
       {StringRef(indexBitsAttrName), StringRef(kernelsAttrName),
        StringRef(overlapsAttrName), StringRef(unitsAttrName),
        StringRef(partsAttrName)})
    if (Attribute value = module->getAttr(name))
      binary->setAttr(name, value);
  module.erase();
}
