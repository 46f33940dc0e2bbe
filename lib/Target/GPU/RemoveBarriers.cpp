//===- RemoveBarriers.cpp - Barriers that no two threads need -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A barrier orders what threads do in memory. If no thread touches behind
// it what another one touched before it, it orders nothing.
//
// Before   s[t] = x[t]              After   s[t] = x[t]
//          barrier                          y[t] = s[t]
//          y[t] = s[t]
//
// Legal. Accesses of both sides, as far as the barriers around reach, are
// compared pair by pair (Analysis/GPU/Dependences.h), with those of the
// barriers that went before: all that is left are ordered by those that stay. A
// kernel in which something is not followed, or whose number of threads is not
// known, keeps all of its barriers; so do places next to indivisible updates.
//
// Source: Svensson, "Obsidian: GPU kernel programming in Haskell" (thesis,
// 2014).
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/GPU/Dependences.h"
#include "arrc/Target/GPU/GPU.h"

namespace arrc::target {
#define GEN_PASS_DEF_REMOVEBARRIERSPASS
#include "arrc/Target/GPU/Passes.h.inc"
} // namespace arrc::target

using namespace mlir;
using namespace arrc;

namespace {
struct RemoveBarriersPass
    : target::impl::RemoveBarriersPassBase<RemoveBarriersPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      if (!kernel.isKernel() || !kernel.getKnownBlockSize())
        continue;
      lanes::Trace trace(kernel, lanes::LaunchFacts::of(kernel));
      for (const lanes::BarrierVerdict &verdict :
           lanes::getBarrierVerdicts(trace))
        if (verdict.isNeedless && !verdict.isDivergent)
          verdict.op->erase();
    }
  }
};
} // namespace
