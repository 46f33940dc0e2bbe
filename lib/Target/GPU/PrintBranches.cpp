//===- PrintBranches.cpp - Which branches diverge, printed ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PrintKernels.h"

#include "arrc/Target/GPU/GPU.h"

namespace arrc::target {
#define GEN_PASS_DEF_PRINTBRANCHESPASS
#include "arrc/Target/GPU/Passes.h.inc"
} // namespace arrc::target

namespace {
struct PrintBranchesPass
    : arrc::target::impl::PrintBranchesPassBase<PrintBranchesPass> {
  using PrintBranchesPassBase::PrintBranchesPassBase;

  void runOnOperation() override {
    arrc::target::printKernels(getOperation(),
                               {block, grid, at, values, kernel},
                               arrc::lanes::printBranches);
    markAllAnalysesPreserved();
  }
};
} // namespace
