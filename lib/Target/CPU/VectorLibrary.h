//===- VectorLibrary.h - Math functions on SIMD registers -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_TARGET_CPU_VECTORLIBRARY_H
#define ARRC_LIB_TARGET_CPU_VECTORLIBRARY_H

#include <memory>

namespace llvm {
class IRBuilderBase;
class Module;
class TargetLibraryInfoImpl;
class TargetMachine;
class Value;
} // namespace llvm

namespace arrc::cpu {

/// What LLVM may assume about the C library of `machine`'s target, with
/// libmvec's functions at the widths that the processor has.
std::unique_ptr<llvm::TargetLibraryInfoImpl>
createLibraryInfo(const llvm::TargetMachine &machine);

/// Turns functions on whole vectors, intrinsics and those of `lanesPrefix`,
/// into calls of the library at the widths that it has: a vector of 16 may
/// become two calls for 8. Where it has none the lanes are computed one by one.
void useVectorLibrary(llvm::Module &module,
                      const llvm::TargetLibraryInfoImpl &library,
                      const llvm::TargetMachine &machine);

/// `arrc.lanes.erff.16`: libm's erff on each lane of a vector of 16.
inline constexpr char lanesPrefix[] = "arrc.lanes.";

/// The exponential of a vector of floats, for processors that multiply and add
/// at once; with `scalesPowers` of 16, with AVX-512's instruction for powers.
llvm::Value *createInlineExp(llvm::IRBuilderBase &b, llvm::Value *x,
                             bool scalesPowers);

} // namespace arrc::cpu

#endif // ARRC_LIB_TARGET_CPU_VECTORLIBRARY_H
