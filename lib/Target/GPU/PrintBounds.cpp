//===- PrintBounds.cpp - Which indices are inside, printed ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PrintKernels.h"

#include "arrc/Target/GPU/GPU.h"

namespace arrc::target {
#define GEN_PASS_DEF_PRINTBOUNDSPASS
#include "arrc/Target/GPU/Passes.h.inc"
} // namespace arrc::target

namespace {
struct PrintBoundsPass
    : arrc::target::impl::PrintBoundsPassBase<PrintBoundsPass> {
  using PrintBoundsPassBase::PrintBoundsPassBase;

  void runOnOperation() override {
    arrc::target::printKernels(getOperation(),
                               {block, grid, at, values, kernel},
                               arrc::lanes::printBounds);
    markAllAnalysesPreserved();
  }
};
} // namespace
