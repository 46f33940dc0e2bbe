//===- LargeStack.h - Room for recursion ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_SUPPORT_LARGESTACK_H
#define ARRC_SUPPORT_LARGESTACK_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace arrc {

/// Runs the function in a thread of its own, on a stack with room for programs
/// and IR that are nested deep. Handlers of signals have a stack besides, so
/// that they run if that one is used up, too.
void runOnLargeStack(llvm::function_ref<void()> fn);

} // namespace arrc

#endif // ARRC_SUPPORT_LARGESTACK_H
