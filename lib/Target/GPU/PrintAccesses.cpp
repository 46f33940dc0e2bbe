//===- PrintAccesses.cpp - How warps walk memory, printed ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PrintKernels.h"

#include "arrc/Target/GPU/GPU.h"

namespace arrc::target {
#define GEN_PASS_DEF_PRINTACCESSESPASS
#include "arrc/Target/GPU/Passes.h.inc"
} // namespace arrc::target

namespace {
struct PrintAccessesPass
    : arrc::target::impl::PrintAccessesPassBase<PrintAccessesPass> {
  using PrintAccessesPassBase::PrintAccessesPassBase;

  void runOnOperation() override {
    arrc::target::printKernels(getOperation(),
                               {block, grid, at, values, kernel},
                               arrc::lanes::printAccesses);
    markAllAnalysesPreserved();
  }
};
} // namespace
