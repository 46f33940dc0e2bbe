//===- FormSteps.cpp - Steps that change loops and launches ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Merging and fusing ask what kernel-merge-loops and kernel-fuse-launches ask.
//
// Splitting is their inverse:
//
// Before   for i { %a = f(i)  x[i] = %a  y[i] = g(%a) }
// After    for i { %a = f(i)  x[i] = %a }   for i { %a = f(i)  y[i] = g(%a) }
//
// Legal where the iterations are independent: then all that can go wrong is in
// one iteration, where what is computed again must not read what was written in
// between, and an array of the iteration would not be seen by the other loop.
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/Dependence.h"
#include "arrc/Dialect/Kernel/TransformOps/KernelTransformOps.h"
#include "arrc/Dialect/Kernel/Transforms/LoopMerging.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;
using namespace arrc::kernel::script;

/// The error of a step, with the place of the program that it is about.
template <typename Step>
static DiagnosedSilenceableFailure fail(Step step, const Twine &why,
                                        Operation *about) {
  auto error = step.emitSilenceableError();
  error << why;
  auto launch = dyn_cast<LaunchOp>(about);
  if (!launch)
    launch = about->getParentOfType<LaunchOp>();
  if (launch)
    error.attachNote(about->getLoc())
        << "in kernel '" << launch.getKernelName() << "'";
  return error;
}

template <typename Step>
static DiagnosedSilenceableFailure failNoLoop(Step step, Operation *target) {
  return fail(
      step, "'" + target->getName().getStringRef() + "' is no loop of a kernel",
      target);
}

//===----------------------------------------------------------------------===//
// Merging and fusing
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure MergeOp::apply(transform::TransformRewriter &,
                                           transform::TransformResults &results,
                                           transform::TransformState &state) {
  SmallVector<Operation *> first(state.getPayloadOps(getFirst()));
  SmallVector<Operation *> second(state.getPayloadOps(getSecond()));
  if (first.size() != second.size())
    return emitSilenceableError()
           << first.size() << " loops are merged with " << second.size();
  IRRewriter rewriter(getContext());
  SmallVector<Operation *> merged;
  for (auto [a, b] : llvm::zip_equal(first, second)) {
    auto one = dyn_cast<ForOp>(a), two = dyn_cast<ForOp>(b);
    if (!one || !two)
      return failNoLoop(*this, one ? b : a);
    if (one->getBlock() != two->getBlock() || one == two ||
        !one->isBeforeInBlock(two))
      return fail(*this, "the second loop does not come behind the first", two);
    if (std::string why = whyNotMerge(one, two); !why.empty())
      return fail(*this, why, two);
    merged.push_back(mergeLoops(rewriter, one, two));
  }
  results.set(cast<OpResult>(getMerged()), merged);
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure FuseOp::apply(transform::TransformRewriter &,
                                          transform::TransformResults &results,
                                          transform::TransformState &state) {
  SmallVector<Operation *> first(state.getPayloadOps(getFirst()));
  SmallVector<Operation *> second(state.getPayloadOps(getSecond()));
  if (first.size() != 1 || second.size() != 1)
    return emitSilenceableError()
           << "one kernel is fused with one, and there are " << first.size()
           << " and " << second.size();
  auto one = dyn_cast<LaunchOp>(first.front());
  auto two = dyn_cast<LaunchOp>(second.front());
  if (!one || !two)
    return emitSilenceableError() << "only a kernel.launch is fused";
  IRRewriter rewriter(getContext());
  LaunchOp fused;
  if (std::string why = fuseLaunches(rewriter, one, two, fused); !why.empty())
    return fail(*this, why, two);
  results.set(cast<OpResult>(getFused()), {fused.getOperation()});
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// Splitting
//===----------------------------------------------------------------------===//

/// Whether `op` or something in it writes.
static bool writes(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isa<StoreOp, UpdateOp>(inner) ? WalkResult::interrupt()
                                             : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
/// How a loop is cut.
struct Cut {
  /// What ends the first loop.
  Operation *last = nullptr;
  /// Of what stands before: what the second loop computes again.
  llvm::SmallPtrSet<Operation *, 16> again;
};
} // namespace

/// Finds where the loop is cut. Returns why it may not be, "" otherwise.
static std::string findCut(ForOp loop, uint64_t store, Cut &cut) {
  if (!loop.isParallel())
    return ("the iterations of '" + loop.getDim() +
            "' depend on each other: it is a " +
            (loop.isScan() ? "scan" : "fold"))
        .str();
  Block *body = loop.getBodyBlock();
  uint64_t count = 0;
  bool hasRest = false;
  for (Operation &op : body->without_terminator())
    if (writes(&op)) {
      hasRest |= cut.last != nullptr;
      if (++count == store)
        cut.last = &op;
    }
  if (!cut.last || !hasRest)
    return "the loop has " + std::to_string(count) +
           (count == 1 ? " place" : " places") +
           " where it stores, and something is to be left on both sides";
  // What the second part uses of the first, backwards.
  SmallVector<Operation *> worklist;
  for (Operation *op = cut.last->getNextNode(); op; op = op->getNextNode())
    worklist.push_back(op);
  while (!worklist.empty()) {
    std::string why;
    worklist.pop_back_val()->walk([&](Operation *user) {
      for (Value operand : user->getOperands()) {
        Operation *made = operand.getDefiningOp();
        if (!made || made->getBlock() != body ||
            cut.last->isBeforeInBlock(made) || !cut.again.insert(made).second)
          continue;
        if (isa<LocalOp>(made))
          why = "the second part uses an array that each iteration has for "
                "itself";
        else if (writes(made))
          why = "the second part uses the result of a loop that stores";
        worklist.push_back(made);
      }
    });
    if (!why.empty())
      return why;
  }
  for (Operation *op : cut.again)
    for (Operation *passed = op; passed != cut.last->getNextNode();
         passed = passed->getNextNode())
      if (writes(passed))
        if (std::string why =
                findConflict(AccessPattern(passed), AccessPattern(op));
            !why.empty())
          return "what the second part computes again has changed: " + why;
  return "";
}

DiagnosedSilenceableFailure SplitOp::apply(transform::TransformRewriter &,
                                           transform::TransformResults &results,
                                           transform::TransformState &state) {
  IRRewriter rewriter(getContext());
  SmallVector<Operation *> firsts, seconds;
  for (Operation *target : state.getPayloadOps(getLoops())) {
    auto loop = dyn_cast<ForOp>(target);
    if (!loop)
      return failNoLoop(*this, target);
    Cut cut;
    if (std::string why = findCut(loop, getStore(), cut); !why.empty())
      return fail(*this, why, target);
    rewriter.setInsertionPointAfter(loop);
    IRMapping mapping;
    auto second = cast<ForOp>(rewriter.clone(*loop, mapping));
    // From the end: users go before what they use.
    SmallVector<Operation *> gone;
    bool isBehind = false;
    for (Operation &op : loop.getBodyBlock()->without_terminator()) {
      if (isBehind)
        gone.push_back(&op);
      else if (!cut.again.contains(&op))
        gone.push_back(mapping.lookup(&op));
      isBehind |= &op == cut.last;
    }
    for (Operation *op : llvm::reverse(gone))
      rewriter.eraseOp(op);
    firsts.push_back(loop);
    seconds.push_back(second);
  }
  results.set(cast<OpResult>(getFirst()), firsts);
  results.set(cast<OpResult>(getSecond()), seconds);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

/// What the handles of a step stand for is gone, and something else is there.
static void
replaceHandles(Operation *step,
               SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::consumesHandle(step->getOpOperands(), effects);
  transform::producesHandle(step->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

void MergeOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  replaceHandles(*this, effects);
}

void FuseOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  replaceHandles(*this, effects);
}

void SplitOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  replaceHandles(*this, effects);
}
