//===- ThreadShares.cpp - Threads that dimensions get ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ThreadShares.h"

#include "../Shared/EvenThreads.h"
#include "../Shared/HostSlice.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Analysis/Coalescing.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

SmallVector<ThreadShare> arrc::kernel::getThreadShares(ScheduleAttr schedule) {
  // Threads along x are neighbours; those along y are as far apart as there are
  // threads along x.
  SmallVector<ThreadShare> shares(schedule.getDims().size());
  unsigned rank = 0;
  for (unsigned axis = 0; axis < 3; ++axis)
    for (auto [share, dim] : llvm::zip(shares, schedule.getDims()))
      for (DigitAttr digit : dim.getDigits())
        if (digit.getLevel().isThread() && digit.getSize() > 1 &&
            digit.getLevel().getAxis() == axis)
          share = {llvm::Log2_64(digit.getSize()), rank++};
  return shares;
}

/// Iterations of a dimension that one thread takes together.
static int64_t getOwnIterations(DimDigitsAttr dim) {
  int64_t own = 1;
  for (DigitAttr digit : dim.getDigits())
    if (LevelKind kind = digit.getLevel().getKind();
        kind == LevelKind::Unroll || kind == LevelKind::Vector)
      own *= digit.getSize();
  return own;
}

//===----------------------------------------------------------------------===//
// The host
//===----------------------------------------------------------------------===//

/// The loop of dimension `dim`; null if there is none.
static ForOp findLoop(LaunchOp launch, StringAttr dim) {
  ForOp loop;
  launch.getBody().walk([&](ForOp found) {
    if (found.getDimAttr() == dim)
      loop = found;
  });
  return loop;
}

/// Whether some access goes to the next element along `loop`.
static bool goesOnAlong(ForOp loop) {
  Variation variation(loop);
  AccessPattern pattern = AccessPattern::getMostly(loop);
  return llvm::any_of(pattern.getAccesses(), [&](const Access &access) {
    return isa<BlockArgument>(access.array) &&
           getLaneStep(access, loop, variation).kind == LaneStep::Next;
  });
}

Value HostShares::getNumber(int64_t value) {
  return arith::ConstantIndexOp::create(rewriter, loc, value);
}

/// The factor that stands for division by `divisor`.
Value HostShares::createReciprocal(Value divisor) {
  return rewriter.createOrFold<arith::CeilDivUIOp>(loc, getNumber(kReciprocal),
                                                   divisor);
}

LogicalResult HostShares::add(unsigned number, DimDigitsAttr digits, Value log,
                              Value rank) {
  ForOp loop = findLoop(launch, digits.getDim());
  if (!loop || !isKnownToHost(launch, loop.getMixedExtent()))
    return launch.emitOpError("has a schedule that deals threads, and no host "
                              "knows how long '")
           << digits.getDim().getValue() << "' is";
  OpFoldResult extent =
      computeOnHost(rewriter, launch, loop.getMixedExtent(), host);
  Value items =
      toValue(rewriter, loc,
              createCeilDiv(rewriter, loc, extent, getOwnIterations(digits)));
  Value unit = getNumber(goesOnAlong(loop) ? kEvenUnit : 1);
  shared.push_back(
      {number, log, rank, items, unit, getNumber(1), getNumber(1)});
  return success();
}

SmallVector<ShareValues> HostShares::compute(unsigned count, unsigned ranks) {
  // What the ranks before have taken, and what there was for them.
  Value taken = getNumber(1), room = getNumber(1);
  for (unsigned rank = 0; rank < ranks; ++rank) {
    Value items = getNumber(1), log = getNumber(0), unit = getNumber(1);
    SmallVector<Value> isMine;
    for (const Shared &dim : shared) {
      isMine.push_back(rewriter.createOrFold<arith::CmpIOp>(
          loc, arith::CmpIPredicate::eq, dim.rank, getNumber(rank)));
      auto choose = [&](Value mine, Value other) {
        return rewriter.createOrFold<arith::SelectOp>(loc, isMine.back(), mine,
                                                      other);
      };
      items = choose(dim.items, items);
      log = choose(dim.log, log);
      unit = choose(dim.unit, unit);
    }
    room = rewriter.createOrFold<arith::ShLIOp>(loc, room, log);
    Value most = rewriter.createOrFold<arith::DivUIOp>(loc, room, taken);
    Value threads = createDealEvenly(rewriter, loc, items, most, unit);
    for (auto [dim, mine] : llvm::zip(shared, isMine)) {
      dim.threads = rewriter.createOrFold<arith::SelectOp>(loc, mine, threads,
                                                           dim.threads);
      dim.apart =
          rewriter.createOrFold<arith::SelectOp>(loc, mine, taken, dim.apart);
    }
    taken = rewriter.createOrFold<arith::MulIOp>(loc, taken, threads);
  }
  SmallVector<ShareValues> shares(count);
  for (const Shared &dim : shared)
    shares[dim.number] = {dim.threads, createReciprocal(dim.threads),
                          createReciprocal(dim.apart)};
  return shares;
}
