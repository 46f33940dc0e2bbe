//===- WideIntegers.h - Integers of 64 bits to floats in lanes --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_TARGET_CPU_WIDEINTEGERS_H
#define ARRC_LIB_TARGET_CPU_WIDEINTEGERS_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace arrc::cpu {

/// Converts vectors of 64-bit integers to floats and back by operations on
/// whole vectors where `machine` has no instruction for it.
void convertWideIntegers(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace arrc::cpu

#endif // ARRC_LIB_TARGET_CPU_WIDEINTEGERS_H
