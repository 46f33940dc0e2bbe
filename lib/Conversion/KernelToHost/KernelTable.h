//===- KernelTable.h - The kernels of a program -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_KERNELTOHOST_KERNELTABLE_H
#define ARRC_LIB_CONVERSION_KERNELTOHOST_KERNELTABLE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <optional>

namespace arrc {

/// The images and kernels of a program for a device, read from the module's
/// `gpu.binary`s, which say the letters of their kernels' arguments in
/// `arrc.kernels`, the width of `index` in `arrc.index_bits`, and by
/// `arrc.overlaps` that their kernels wait for the launches before; in
/// `arrc.parts` what parts of a kernel touch, and in
/// `arrc.units` how many multiprocessors a kernel needs whose blocks wait for
/// each other.
class KernelTable {
public:
  struct Kernel {
    std::string name;
    int32_t image;
    int32_t indexBits;
    /// A letter an argument, as in `arrt_kernel`.
    std::string letters;
    /// As in `arrt_kernel`.
    int32_t flags;
    /// What parts of it touch, as in `arrt_kernel`; may be empty.
    std::string parts;
  };
  struct Image {
    int32_t format;
    mlir::StringAttr data;
    /// What it was compiled for, `sm_90`.
    std::string options;
    /// Its kernels are functions of the program.
    bool isHost = false;
  };

  /// Reads the module; null after an error at one of its ops.
  static std::optional<KernelTable> read(mlir::ModuleOp module);

  /// Whether the runtime starts the program's launches.
  bool isDevice() const { return startsKernels; }
  /// The runtime's number of the target.
  int32_t getTarget() const { return target; }
  llvm::ArrayRef<Image> getImages() const { return images; }
  llvm::ArrayRef<Kernel> getKernels() const { return kernels; }
  /// The number of a kernel; -1 if there is none.
  int32_t find(mlir::StringAttr module, mlir::StringAttr kernel) const;

private:
  int32_t target = 0;
  bool startsKernels = false;
  llvm::SmallVector<Image> images;
  llvm::SmallVector<Kernel> kernels;
  std::map<std::pair<std::string, std::string>, int32_t> numbers;
};

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_KERNELTOHOST_KERNELTABLE_H
