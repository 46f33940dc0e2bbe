//===- VectorLibrary.h - Math functions on SIMD registers -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_TARGET_CPU_VECTORLIBRARY_H
#define ARRC_LIB_TARGET_CPU_VECTORLIBRARY_H

#include <memory>

namespace llvm {
class TargetLibraryInfoImpl;
class TargetMachine;
} // namespace llvm

namespace arrc::cpu {

/// What LLVM may assume about the C library of `machine`'s target, with
/// libmvec's functions at the widths that the processor has.
std::unique_ptr<llvm::TargetLibraryInfoImpl>
createLibraryInfo(const llvm::TargetMachine &machine);

} // namespace arrc::cpu

#endif // ARRC_LIB_TARGET_CPU_VECTORLIBRARY_H
