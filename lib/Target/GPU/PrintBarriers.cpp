//===- PrintBarriers.cpp - Which barriers are needed, printed ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PrintKernels.h"

#include "arrc/Target/GPU/GPU.h"

namespace arrc::target {
#define GEN_PASS_DEF_PRINTBARRIERSPASS
#include "arrc/Target/GPU/Passes.h.inc"
} // namespace arrc::target

namespace {
struct PrintBarriersPass
    : arrc::target::impl::PrintBarriersPassBase<PrintBarriersPass> {
  using PrintBarriersPassBase::PrintBarriersPassBase;

  void runOnOperation() override {
    arrc::target::printKernels(getOperation(),
                               {block, grid, at, values, kernel},
                               arrc::lanes::printBarriers);
    markAllAnalysesPreserved();
  }
};
} // namespace
