//===- Waits.h - How often a thread waits for memory ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Loads that need nothing of each other are under way together. Of those that
// do, of those on both sides of a barrier, and of iterations of a loop a thread
// waits for one after the other.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_ANALYSIS_GPU_WAITS_H
#define ARRC_ANALYSIS_GPU_WAITS_H

#include "arrc/Analysis/GPU/Trace.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace arrc::lanes {

/// Trips to global memory that a thread makes in a row.
struct Waits {
  /// Those that nothing else may overlap with.
  double alone = 0;
  /// Those of iterations that need nothing of the ones before them.
  double repeated = 0;
  double barriers = 0;
};

/// Of the accesses that `counts` names.
Waits getWaits(const Trace &trace,
               llvm::function_ref<bool(const Event &)> counts);

} // namespace arrc::lanes

#endif // ARRC_ANALYSIS_GPU_WAITS_H
