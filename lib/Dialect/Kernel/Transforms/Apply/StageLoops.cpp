//===- StageLoops.cpp - Loops of copies to the chip -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "StageLoops.h"

using namespace mlir;
using namespace arrc::kernel;

bool arrc::kernel::isBelowThreads(ForOp at) {
  for (ForOp loop = at; loop; loop = loop->getParentOfType<ForOp>())
    if (loop.getLevelKind() == LevelKind::Thread)
      return true;
  return false;
}

std::array<int64_t, 3> arrc::kernel::countThreads(ForOp at) {
  std::array<int64_t, 3> threads = {1, 1, 1};
  at.getBody().walk([&](ForOp loop) {
    if (loop.getLevelKind() == LevelKind::Thread) {
      int64_t &most = threads[loop.getLevelAttr().getAxis() % 3];
      most = std::max<int64_t>(most, loop.getStaticExtent().value_or(1));
    }
  });
  return threads;
}

ForOp arrc::kernel::openCopyLoop(IRRewriter &rewriter, ForOp at,
                                 BlockArgument array, StringRef suffix,
                                 int64_t extent, LevelAttr level) {
  auto launch = cast<LaunchOp>(array.getOwner()->getParentOp());
  std::string name =
      (at.getDim() + "." + launch.getArgName(array.getArgNumber()) + suffix)
          .str();
  ForOp loop =
      ForOp::create(rewriter, at.getLoc(), name, rewriter.getIndexAttr(extent),
                    ForKind::Parallel, ValueRange(), level);
  rewriter.setInsertionPoint(loop.getBodyBlock()->getTerminator());
  return loop;
}
