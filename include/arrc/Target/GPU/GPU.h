//===- GPU.h - What the PTX and SPIR-V targets share ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// From a gpu.module of upstream dialects (gpu, scf, cf, memref, vector, arith,
// math, complex, affine) to the LLVM dialect, LLVM IR and optimised LLVM IR.
// See lib/Target/GPU/README.md.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TARGET_GPU_GPU_H
#define ARRC_TARGET_GPU_GPU_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/LLVM.h"

#include <functional>
#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
class PassBuilder;
class TargetMachine;
} // namespace llvm

namespace mlir {
class ConversionTarget;
class LLVMTypeConverter;
} // namespace mlir

namespace arrc::target {

/// How wide `index` is in a module of kernels: attribute of gpu.module and
/// gpu.binary, 64 where it is not said.
constexpr llvm::StringLiteral indexBitsAttrName = "arrc.index_bits";
/// One letter for each argument of a kernel: attribute of gpu.func.
constexpr llvm::StringLiteral argsAttrName = "arrc.args";
/// The letters of all kernels of an image by name: attribute of gpu.binary.
constexpr llvm::StringLiteral kernelsAttrName = "arrc.kernels";
/// The kernels of a module wait for the launch before by themselves: attribute
/// of gpu.module and gpu.binary.
constexpr llvm::StringLiteral overlapsAttrName = "arrc.overlaps";
/// How many multiprocessors the kernels of a module need, as their blocks wait
/// for each other: attribute of gpu.module and gpu.binary.
constexpr llvm::StringLiteral unitsAttrName = "arrc.units";
/// On a module of one kernel: what parts of it touch, as the runtime reads it
/// (runtime/lib/Core/PartTable.h).
constexpr llvm::StringLiteral partsAttrName = "arrc.parts";
/// Marks a `memref.load` or `memref.store` that other blocks take part in: it
/// is indivisible and orders nothing, at the scope of the device.
constexpr llvm::StringLiteral deviceAccessAttrName = "arrc.device_access";

/// The attribute `arrc.index_bits`, or 64.
unsigned getIndexBits(mlir::Operation *module);

/// What one target knows when kernels become the LLVM dialect.
struct Lowering {
  /// The number of an address space.
  std::function<unsigned(mlir::gpu::AddressSpace)> addressSpace;

  /// Adds the patterns for `gpu` operations, and others with a benefit over 10
  /// where the target wants them otherwise.
  std::function<void(mlir::LLVMTypeConverter &, mlir::RewritePatternSet &,
                     mlir::ConversionTarget &)>
      populate;

  /// The library's function for `stem` ("exp", "atan2", "fmod", ..) on f32 or
  /// f64. An empty name: LLVM's intrinsic where there is one. The stems are the
  /// names of C's functions of double. `approximate`: the program takes fewer
  /// right digits for speed (the flag `afn`).
  std::function<std::string(llvm::StringRef stem, mlir::FloatType type,
                            bool approximate)>
      functionName;
  /// How library functions are called.
  mlir::LLVM::CConv callingConvention = mlir::LLVM::CConv::C;

  /// True if memory can be updated so by one instruction. What cannot is
  /// refused.
  std::function<bool(mlir::arith::AtomicRMWKind, mlir::Type)> hasAtomic;
};

/// Converts the functions of `module` at once: one type converter, index as
/// wide as the module says, arrays as bare pointers, bf16 as 16 bits. Atomic
/// updates become relaxed ones at device scope. Expects a prepared module
/// (PrepareKernelsPass). On failure reports and returns failure.
mlir::LogicalResult convertToLLVM(mlir::gpu::GPUModuleOp module,
                                  const Lowering &lowering);

/// Keeps `kept`, a float of 16 bits, as its bits in a conversion.
void addFloatAsBits(mlir::LLVMTypeConverter &converter,
                    mlir::RewritePatternSet &patterns, mlir::FloatType kept);

/// Replaces functions of numbers by calls of the target's library; what LLVM
/// has an exact intrinsic for stays. Part of `convertToLLVM`.
void callMathLibrary(mlir::gpu::GPUModuleOp module, const Lowering &lowering);

/// Replaces complex functions that upstream lowers inexactly (log, sin, cos) by
/// real ones. Part of PrepareKernelsPass.
void expandComplex(mlir::Operation *root);

/// Translates a converted module for `machine`. On failure reports and returns
/// null.
std::unique_ptr<llvm::Module> translate(mlir::gpu::GPUModuleOp module,
                                        llvm::LLVMContext &context,
                                        llvm::TargetMachine &machine);

/// Runs LLVM's passes at level 0 to 3; `extend` may add some of the target's.
void optimize(llvm::Module &module, llvm::TargetMachine &machine,
              unsigned level = 3,
              llvm::function_ref<void(llvm::PassBuilder &)> extend = {});

/// Says in an attribute of `module` which letters its kernels have, for
/// `replaceByBinary`, because the conversion drops them. Part of
/// PrepareKernelsPass.
void rememberKernels(mlir::gpu::GPUModuleOp module);

/// Replaces a module by a gpu.binary of the same name with one object.
void replaceByBinary(mlir::gpu::GPUModuleOp module, mlir::Attribute target,
                     mlir::gpu::CompilationTarget format,
                     llvm::StringRef object);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "arrc/Target/GPU/Passes.h.inc"

} // namespace arrc::target

#endif // ARRC_TARGET_GPU_GPU_H
