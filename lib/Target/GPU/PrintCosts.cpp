//===- PrintCosts.cpp - What a block does, printed -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PrintKernels.h"

#include "arrc/Target/GPU/GPU.h"

namespace arrc::target {
#define GEN_PASS_DEF_PRINTCOSTSPASS
#include "arrc/Target/GPU/Passes.h.inc"
} // namespace arrc::target

namespace {
struct PrintCostsPass : arrc::target::impl::PrintCostsPassBase<PrintCostsPass> {
  using PrintCostsPassBase::PrintCostsPassBase;

  void runOnOperation() override {
    arrc::target::printKernels(getOperation(),
                               {block, grid, at, values, kernel},
                               arrc::lanes::printCosts);
    markAllAnalysesPreserved();
  }
};
} // namespace
