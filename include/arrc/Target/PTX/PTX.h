//===- PTX.h - Code for CUDA cards ------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// From a gpu.module to PTX text, which the driver compiles for its card. See
// lib/Target/PTX/README.md.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TARGET_PTX_PTX_H
#define ARRC_TARGET_PTX_PTX_H

#include "arrc/Target/GPU/GPU.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/LLVM.h"

#include "llvm/Support/MemoryBuffer.h"

#include <string>
#include <vector>

namespace arrc::ptx {

/// Where functions like `exp` come from.
enum class LibraryKind {
  LibDevice, ///< NVIDIA's: `__nv_expf`
  LibCLC     ///< LLVM's: `_Z3expf`
};

/// A library of functions as LLVM bitcode. It is read once in a process.
struct MathLibrary {
  LibraryKind kind;
  std::string path;
  std::unique_ptr<llvm::MemoryBuffer> buffer;

  /// The library's function for C's `stem` on f32 or f64; `approximate`: the
  /// one of few instructions, where there is one.
  std::string getName(llvm::StringRef stem, bool isDouble,
                      bool approximate = false) const;
};

/// The folders of CUDA toolkits, most wanted first: CUDA_HOME and its likes,
/// the usual folder, the one of the `ptxas` on PATH, NVIDIA's packages from
/// PyPI.
std::vector<std::string> getToolkitFolders();

/// The library at `path`, or the first that is found: libdevice in a toolkit,
/// then libclc. Null, with the places in `problem`, if there is none.
const MathLibrary *getMathLibrary(llvm::StringRef path, std::string &problem);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "arrc/Target/PTX/Passes.h.inc"

} // namespace arrc::ptx

#endif // ARRC_TARGET_PTX_PTX_H
