//===- Native.h - The code generator of this machine ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_TARGET_CPU_NATIVE_H
#define ARRC_LIB_TARGET_CPU_NATIVE_H

namespace arrc::cpu {

/// Makes LLVM's code generator for this machine known to it.
void initializeNative();

} // namespace arrc::cpu

#endif // ARRC_LIB_TARGET_CPU_NATIVE_H
