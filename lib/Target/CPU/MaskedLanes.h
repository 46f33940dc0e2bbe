//===- MaskedLanes.h - Masked accesses the processor lacks ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_TARGET_CPU_MASKEDLANES_H
#define ARRC_LIB_TARGET_CPU_MASKEDLANES_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace arrc::cpu {

/// Turns masked loads, stores, gathers and scatters of many lanes that
/// `machine` has no instruction for into loops over the lanes that are on.
void loopOverMaskedLanes(llvm::Module &module, llvm::TargetMachine &machine);

/// Lets masks go from block to block as vectors of bytes where `machine` would
/// pass them lane by lane.
void widenMasks(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace arrc::cpu

#endif // ARRC_LIB_TARGET_CPU_MASKEDLANES_H
