//===- Optimizations.cpp - Passes that a compilation may leave out --------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What a pass is worth is seen by leaving it out. Passes run as actions of the
// context, so the pipelines need not know: the handler does not carry out what
// is not wanted.
//
//===----------------------------------------------------------------------===//

#include "arrc/Pipelines/Optimizations.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/Pass.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include <memory>

using namespace mlir;
using namespace arrc;

static constexpr Optimization optimizations[] = {
    {"arr-find-boundaries", "indices that wrap or are held are boundaries"},
    {"arr-expand-powers", "powers with written exponents are products"},
    {"arr-hoist-invariants", "values that stay leave their loops"},
    {"arr-batch-updates", "histograms of all points are one"},
    {"arr-flatten-branches", "cheap branches become selects"},
    {"arr-fuse-filters", "what is filtered and folded is not stored"},
    {"arr-fuse-producers", "bodies are inlined where they are read"},
    {"arr-fuse-slices", "slices are written where they belong"},
    {"arr-rotate-loops", "slices are assigned when steps begin"},
    {"arr-sink-loops", "elements that are alone take their steps one by one"},
    {"arr-split-scans", "loops in scans run before them"},
    {"arr-transpose-reductions", "reductions are one nest in memory order"},
    {"arr-choose-layouts", "small dimensions outermost in time loops"},
    {"kernel-fuse-launches", "launches that share data become one"},
    {"kernel-merge-loops", "adjacent loops of a dimension become one"},
    {"kernel-contract-locals", "locals lose the dimensions around them"},
    {"kernel-permute-results", "results are stored in the order asked for"},
    {"kernel-plan-destinations", "results are written where they belong"},
    {"kernel-spread-steps", "independent steps of a loop are one kernel"},
    {"kernel-sink-steps", "steps without neighbours run point by point"},
    {"kernel-enclose-loops", "loops of small steps are one kernel"},
    {"kernel-split-segments", "rows of different lengths are split by values"},
    {"kernel-merge-dims", "dimensions walked together become one"},
    {"kernel-stage-operands", "tiles go through shared memory"},
    {"kernel-split-boundary", "the interior runs without masks"},
    {"kernel-defer-folds", "numbers of steps are folded for many steps"},
    {"cpu-prefetch-streams", "lines of long arrays are asked for ahead"},
    {"kernel-pack-fields", "the arrays of a struct are one allocation"},
    {"gpu-overlap-launches", "a launch starts while the one before ends"},
};

llvm::ArrayRef<Optimization> arrc::getOptimizations() { return optimizations; }

void arrc::leaveOut(MLIRContext &context, llvm::ArrayRef<std::string> names) {
  if (names.empty())
    return;
  auto unwanted = std::make_shared<llvm::StringSet<>>();
  for (const std::string &name : names) {
    assert(llvm::any_of(
               optimizations,
               [&](const Optimization &known) { return known.name == name; }) &&
           "not an optimization");
    unwanted->insert(name);
  }
  context.registerActionHandler([unwanted](llvm::function_ref<void()> carryOut,
                                           const tracing::Action &action) {
    if (auto *run = dyn_cast<PassExecutionAction>(&action))
      if (unwanted->contains(run->getPass().getArgument()))
        return;
    carryOut();
  });
}
