//===- PrintRaces.cpp - Which accesses meet, printed ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PrintKernels.h"

#include "arrc/Target/GPU/GPU.h"

namespace arrc::target {
#define GEN_PASS_DEF_PRINTRACESPASS
#include "arrc/Target/GPU/Passes.h.inc"
} // namespace arrc::target

namespace {
struct PrintRacesPass : arrc::target::impl::PrintRacesPassBase<PrintRacesPass> {
  using PrintRacesPassBase::PrintRacesPassBase;

  void runOnOperation() override {
    arrc::target::printKernels(getOperation(),
                               {block, grid, at, values, kernel},
                               arrc::lanes::printRaces);
    markAllAnalysesPreserved();
  }
};
} // namespace
