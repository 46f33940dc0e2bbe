//===- KernelToSCF.cpp - Launches to parallel loops, scf and vector -------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A launch becomes code where it stands: its root loops `scf.parallel` loops,
// all others ordered loops, `vector` loops operations on vectors. What runs
// between root loops, the fold of partial results and the epilogue run on the
// host.
//
//   kernel.for "i.0" (%b) in %nb at block.0 {
//     kernel.for "i.1" (%v) in 16 at vector {
//       %i = affine.apply (b * 16 + v)
//       %x = kernel.load %X[%i]   kernel.store %x, %Y[%i] } }
//
//   scf.parallel (%b) = (%c0) to (%nb) step (%c1) {
//     %i = arith.muli %b, %c16
//     %x = vector.load %X[%i] : vector<16xf32>   vector.store %x, %Y[%i] }
//
// The loops decide, this pass obeys: a level is never chosen here. Loops of a
// launch without levels run in order, the outermost as tasks.
//
//===----------------------------------------------------------------------===//

#include "../KernelToHost/CheckSites.h"
#include "../KernelToHost/TimeLoops.h"
#include "LaunchEmitter.h"
#include "arrc/Conversion/Passes.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace arrc {
#define GEN_PASS_DEF_CONVERTKERNELTOSCFPASS
#include "arrc/Conversion/Passes.h.inc"
} // namespace arrc

using namespace mlir;
using namespace arrc;

namespace {
struct ConvertKernelToSCFPass
    : arrc::impl::ConvertKernelToSCFPassBase<ConvertKernelToSCFPass> {
  using ConvertKernelToSCFPassBase::ConvertKernelToSCFPassBase;
  void runOnOperation() override {
    numberChecks(getOperation());
    RuntimeCalls calls(getOperation());
    SmallVector<kernel::LaunchOp> launches;
    getOperation()->walk(
        [&](kernel::LaunchOp launch) { launches.push_back(launch); });
    for (kernel::LaunchOp launch : launches)
      if (failed(LaunchEmitter(launch, calls, streamBytes).run()))
        return signalPassFailure();
    // With what their launches have become time loops hold more than they may;
    // and the launches asked which buffers of theirs differ.
    if (failed(convertTimeLoops(getOperation())))
      signalPassFailure();
  }
};
} // namespace
