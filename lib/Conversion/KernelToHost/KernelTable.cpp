//===- KernelTable.cpp - The kernels of a program -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "KernelTable.h"

#include "arrc/Dialect/Kernel/IR/DeviceMemory.h"

using namespace mlir;
using namespace arrc;

static constexpr int32_t overlapsFlag = 1;    // ARRT_KERNEL_OVERLAPS
static constexpr int32_t unitsFlag = 1 << 16; // ARRT_KERNEL_UNITS

/// Numbers of the runtime by their names in EntryPoints.def.
static int32_t getTargetNumber(StringRef name) {
  static constexpr StringLiteral names[] = {
#define ARRT_TARGET(Enum, name) name,
#include "arrt/EntryPoints.def"
  };
  for (auto [number, known] : llvm::enumerate(names))
    if (known == name)
      return number;
  return -1;
}

static int32_t getImageFormat(StringRef name) {
  static constexpr StringLiteral names[] = {
#define ARRT_IMAGE(Enum, name) name,
#include "arrt/EntryPoints.def"
  };
  for (auto [number, known] : llvm::enumerate(names))
    if (known == name)
      return number;
  return -1;
}

std::optional<KernelTable> KernelTable::read(ModuleOp module) {
  KernelTable table;
  if (auto row = kernel::DeviceAttr::get(module)) {
    table.target = getTargetNumber(row.getName());
    if (table.target < 0) {
      module.emitError("there is no target '") << row.getName().str() << "'";
      return std::nullopt;
    }
    table.startsKernels = kernel::hasOwnMemory(row);
    auto arch = row.getFacts() ? row.getFacts().getAs<StringAttr>("arch")
                               : StringAttr();
    // By its images a program for the CPU says that the runtime starts them,
    // even if there is none.
    if (row.getName() == "cpu" && module.getOps<gpu::BinaryOp>().empty() &&
        table.startsKernels)
      table.images.push_back({getImageFormat("host"),
                              StringAttr::get(module.getContext()), "",
                              /*isHost=*/true});
    for (auto binary : module.getOps<gpu::BinaryOp>()) {
      auto letters = binary->getAttrOfType<DictionaryAttr>("arrc.kernels");
      if (!letters || binary.getObjects().size() != 1) {
        binary.emitOpError("lacks the arguments of its kernels, or is not one "
                           "image");
        return std::nullopt;
      }
      auto object = cast<gpu::ObjectAttr>(binary.getObjects()[0]);
      bool isHost = row.getName() == "cpu";
      StringRef format =
          isHost                                                   ? "host"
          : row.getName() == "opencl"                              ? "spirv"
          : object.getFormat() == gpu::CompilationTarget::Assembly ? "ptx"
                                                                   : "cubin";
      auto image = static_cast<int32_t>(table.images.size());
      table.images.push_back({getImageFormat(format), object.getObject(),
                              arch ? arch.str() : "", isHost});
      auto bits = binary->getAttrOfType<IntegerAttr>("arrc.index_bits");
      int32_t flags = binary->hasAttr("arrc.overlaps") ? overlapsFlag : 0;
      if (auto units = binary->getAttrOfType<IntegerAttr>("arrc.units"))
        flags += unitsFlag * static_cast<int32_t>(units.getInt());
      auto parts = binary->getAttrOfType<StringAttr>("arrc.parts");
      for (NamedAttribute kernel : letters) {
        table.numbers[{binary.getName().str(), kernel.getName().str()}] =
            table.kernels.size();
        table.kernels.push_back(
            {kernel.getName().str(), image,
             bits ? static_cast<int32_t>(bits.getInt()) : 64,
             cast<StringAttr>(kernel.getValue()).str(), flags,
             parts ? parts.str() : std::string()});
      }
    }
  }
  return table;
}

int32_t KernelTable::find(StringAttr module, StringAttr kernel) const {
  auto found = numbers.find({module.str(), kernel.str()});
  return found == numbers.end() ? -1 : found->second;
}
