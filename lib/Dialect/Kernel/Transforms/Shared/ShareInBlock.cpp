//===- ShareInBlock.cpp - The loops of a block, by its threads ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ShareInBlock.h"

#include "LaunchAccess.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Support/Combiner.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

namespace {

/// The digits of the loops of a block.
class Sharing {
public:
  Sharing(MLIRContext *context, int64_t warps)
      : context(context), warps(warps) {}

  void share(ForOp loop);

  SmallVector<DimDigitsAttr> dims;

private:
  DigitAttr digit(LevelKind kind, unsigned axis, int64_t size) {
    return DigitAttr::get(context, LevelAttr::get(context, kind, axis), size);
  }
  void deal(ForOp loop, bool toWarps, bool toLanes);

  MLIRContext *context;
  int64_t warps;
};

} // namespace

bool arrc::kernel::isShareable(ForOp loop) {
  constexpr int64_t fewIterations = 4;
  if (loop.isScan() ||
      (loop.isReduce() && !isCommutativeCombiner(loop.getCombiner())))
    return false;
  return loop.getStaticExtent().value_or(fewIterations + 1) > fewIterations;
}

/// How many accesses below `loop` go to neighbours in neighbouring iterations.
static int64_t countNeighbours(ForOp loop) {
  int64_t count = 0;
  loop.getBody().walk([&](Operation *op) {
    if (!isa<LoadOp, StoreOp>(op) || getIndicesOf(op).empty())
      return;
    LinearIndex last(getIndicesOf(op).back());
    count += std::abs(last.getCoefficient(loop.getInductionVar())) == 1;
  });
  return count;
}

/// A name that no loop of the launch has.
static std::string findFreeDim(ForOp loop) {
  llvm::StringSet<> used;
  loop->getParentOfType<LaunchOp>()->walk(
      [&](ForOp other) { used.insert(other.getDim()); });
  for (unsigned k = 2;; ++k)
    if (std::string name = (loop.getDim() + "_" + Twine(k)).str();
        !used.contains(name))
      return name;
}

/// Gives the iterations of `loop` to lanes, warps, or both.
void Sharing::deal(ForOp loop, bool toWarps, bool toLanes) {
  SmallVector<DigitAttr> digits{digit(LevelKind::Seq, 0, 0)};
  if (toWarps && warps > 1)
    digits.push_back(digit(LevelKind::Thread, 1, warps));
  if (toLanes)
    digits.push_back(digit(LevelKind::Thread, 0, kLanesOfBlock));
  // A dimension that another loop deals in another way is one of its own.
  auto known = llvm::find_if(dims, [&](DimDigitsAttr dim) {
    return dim.getDim() == loop.getDimAttr();
  });
  if (known != dims.end() && known->getDigits() == ArrayRef(digits))
    return;
  if (known != dims.end())
    loop.setDim(findFreeDim(loop));
  dims.push_back(DimDigitsAttr::get(context, loop.getDimAttr(), digits));
}

void Sharing::share(ForOp loop) {
  // The loops right below.
  SmallVector<ForOp> inner;
  loop.getBody().walk<WalkOrder::PreOrder>([&](ForOp below) {
    inner.push_back(below);
    return WalkResult::skip();
  });
  if (!isShareable(loop)) {
    for (ForOp below : inner)
      share(below);
    return;
  }
  SmallVector<ForOp> shareable(llvm::make_filter_range(inner, isShareable));
  if (shareable.empty())
    return deal(loop, /*toWarps=*/true, /*toLanes=*/true);
  int64_t below = 0;
  bool parallel = true;
  for (ForOp other : shareable) {
    below = std::max(below, countNeighbours(other));
    parallel &= other.isParallel();
  }
  bool lanesBelow = below >= countNeighbours(loop);
  if (!lanesBelow && !parallel)
    return deal(loop, /*toWarps=*/true, /*toLanes=*/true);
  deal(loop, lanesBelow, !lanesBelow);
  for (ForOp other : shareable)
    deal(other, !lanesBelow, lanesBelow);
}

SmallVector<DimDigitsAttr> arrc::kernel::shareInBlock(ForOp block,
                                                      int64_t warps) {
  Sharing sharing(block.getContext(), warps);
  block.getBody().walk<WalkOrder::PreOrder>([&](ForOp loop) {
    sharing.share(loop);
    return WalkResult::skip();
  });
  return std::move(sharing.dims);
}
