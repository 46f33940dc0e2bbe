//===- Match.cpp - Find launches and loops --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/TransformOps/KernelTransformOps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace arrc::kernel;
using namespace arrc::kernel::script;

/// Whether something in `loc` is on this line of a program.
static bool isOnLine(Location loc, int64_t line) {
  return loc
      ->walk([&](Location part) {
        auto place = dyn_cast<FileLineColLoc>(part);
        return place && place.getLine() == line ? WalkResult::interrupt()
                                                : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `test` is true of the operation or of one below it.
static bool hasAny(Operation *root, function_ref<bool(Operation *)> test) {
  return root
      ->walk([&](Operation *op) {
        return test(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool fitsKind(ForOp loop, StringRef kind) {
  return stringifyForKind(loop.getKind()) == kind;
}

static std::string spell(LevelAttr level) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << Attribute(level);
  // `#kernel.level<block.0>`
  return StringRef(text).split('<').second.drop_back().str();
}

/// Whether the words that both steps take are true of `op`.
template <typename Step> static bool fitsText(Step step, Operation *op) {
  if (std::optional<uint64_t> line = step.getLine();
      line && !hasAny(op, [&](Operation *inner) {
        return isOnLine(inner->getLoc(), *line);
      }))
    return false;
  std::optional<StringRef> name = step.getOp();
  return !name || hasAny(op, [&](Operation *inner) {
    return inner->getName().getStringRef() == *name;
  });
}

/// The end of a search: what was found, or an error that says what there is.
template <typename Step>
static DiagnosedSilenceableFailure
finish(Step step, transform::TransformResults &results, Value handle,
       ArrayRef<Operation *> found, StringRef what,
       const llvm::SetVector<StringRef> &names) {
  if (found.empty() && !step.getOptional()) {
    auto error = step.emitSilenceableError();
    error << "no " << what << " is like that";
    if (!names.empty())
      error << "; there " << (names.size() == 1 ? "is " : "are ")
            << llvm::join(names.getArrayRef(), ", ");
    return error;
  }
  results.set(cast<OpResult>(handle), found);
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure
MatchLaunchesOp::apply(transform::TransformRewriter &,
                       transform::TransformResults &results,
                       transform::TransformState &state) {
  std::optional<llvm::GlobPattern> pattern;
  if (std::optional<StringRef> text = getKernel()) {
    llvm::Expected<llvm::GlobPattern> read = llvm::GlobPattern::create(*text);
    if (!read)
      return emitDefiniteFailure("'" + *text + "' is no name of kernels: " +
                                 llvm::toString(read.takeError()));
    pattern = std::move(*read);
  }
  SmallVector<Operation *> found;
  llvm::SetVector<StringRef> names;
  for (Operation *root : state.getPayloadOps(getRoot()))
    root->walk([&](LaunchOp launch) {
      names.insert(launch.getKernelName());
      if (pattern && !pattern->match(launch.getKernelName()))
        return;
      if (std::optional<StringRef> kind = getKind();
          kind && !hasAny(launch, [&](Operation *op) {
            auto loop = dyn_cast<ForOp>(op);
            return loop && fitsKind(loop, *kind);
          }))
        return;
      if (fitsText(*this, launch))
        found.push_back(launch);
    });
  return finish(*this, results, getLaunches(), found, "kernel", names);
}

DiagnosedSilenceableFailure
MatchLoopsOp::apply(transform::TransformRewriter &,
                    transform::TransformResults &results,
                    transform::TransformState &state) {
  SmallVector<Operation *> found;
  llvm::SetVector<StringRef> names;
  for (Operation *root : state.getPayloadOps(getRoot()))
    root->walk<WalkOrder::PreOrder>([&](ForOp loop) {
      names.insert(loop.getDim());
      if (getDim() && loop.getDim() != *getDim())
        return;
      if (getKind() && !fitsKind(loop, *getKind()))
        return;
      if (getLevel() &&
          (!loop.getLevelAttr() || spell(loop.getLevelAttr()) != *getLevel()))
        return;
      if (fitsText(*this, loop))
        found.push_back(loop);
    });
  return finish(*this, results, getLoops(), found, "loop", names);
}

void MatchLaunchesOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getRootMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::onlyReadsPayload(effects);
}

void MatchLoopsOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getRootMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::onlyReadsPayload(effects);
}
