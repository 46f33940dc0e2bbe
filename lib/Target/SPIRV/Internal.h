//===- Internal.h - Parts of the SPIR-V target ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_TARGET_SPIRV_INTERNAL_H
#define ARRC_LIB_TARGET_SPIRV_INTERNAL_H

#include "arrc/Target/GPU/GPU.h"

namespace llvm {
class Function;
class Instruction;
class Triple;
} // namespace llvm

namespace arrc::target::opencl {

/// What the device row says, as far as code for OpenCL depends on it.
struct Facts {
  explicit Facts(mlir::Operation *op);

  /// The row's name, for messages.
  std::string name;
  bool hasF64, hasF16, hasInt64Atomics;
  /// True if the driver divides and takes roots in f32 as IEEE 754 says.
  bool isExactF32;
  /// Lanes that can shuffle; 0: none.
  unsigned subgroup;
};

/// Gives kernels that use dynamic work-group memory a trailing argument for it,
/// and its letter.
void passWorkgroupMemory(mlir::gpu::GPUModuleOp module);

/// Computes f16 in f32, rounded after every operation, by integer operations on
/// its bits. Expects that `addFloatAsBits` follows in the conversion.
mlir::LogicalResult expandHalf(mlir::gpu::GPUModuleOp module);

/// Reports and fails at what the device does not have.
mlir::LogicalResult checkFacts(mlir::gpu::GPUModuleOp module,
                               const Facts &facts);

/// Adds OpenCL's form of `gpu` operations, and of those on numbers that LLVM's
/// backend gets wrong.
void populatePatterns(mlir::LLVMTypeConverter &converter,
                      mlir::RewritePatternSet &patterns, const Facts &facts);

/// The mangled name of an OpenCL builtin on f32 or f64; empty where LLVM's own
/// intrinsic will do.
std::string getBuiltinName(llvm::StringRef stem, mlir::FloatType type);

/// Makes phis and selects of structs those of their members, before LLVM's
/// passes.
void splitAggregates(llvm::Module &module);

/// How many of LLVM's passes run.
enum class Effort {
  All,  ///< as for every target
  Some, ///< none that rewrites loops: those make integers of odd widths
  Least ///< only what removes memory and structs
};

/// Runs `Some` or the `Least` of LLVM's passes.
void simplify(llvm::Module &module, Effort effort);

/// The last changes before the backend: arithmetic that OpenCL rounds less
/// exactly than the language, and what the backend cannot take.
void legalize(llvm::Module &module, const Facts &facts);

/// Replaces a division or square root of f32 by one of integers that is rounded
/// right.
void computeByIntegers(llvm::Instruction &inst);

/// Replaces arithmetic on truth values, and conversions of them to floats.
void expandBooleans(llvm::Function &function);

/// What in `module` the backend cannot take, in words; empty if nothing.
std::string findIllegal(const llvm::Module &module);

/// Writes a module as a SPIR-V image by LLVM's backend. False with why in
/// `problem`. The backend must have no other caller in this process.
bool emit(llvm::Module &module, const llvm::Triple &triple, std::string &image,
          std::string &problem);

} // namespace arrc::target::opencl

#endif // ARRC_LIB_TARGET_SPIRV_INTERNAL_H
