//===- Updates.cpp - Schedules of loops that update arrays ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Histograms and their kin. Bins that fit on chip have copies there: as many
// blocks as are at work at a time, each with its own, walk the iterations, and
// threads next to each other update different copies. An element in memory then
// gets one update a block in place of one an iteration.
//
//   i = [seq, block.0 528, thread.x 512, vector 4]
//   private = [H at i.1 shared copies 16]
//
// Where a few times as many bins fit, blocks have ranges of them, and as many
// blocks read the same keys, which come from a cache for all but one:
//
//   i = [seq, block.0 66, unroll 4, thread.x 1024, vector 4]
//   private = [H at i.1 ranges]
//
// Of bins whose number no version can ask for the first have copies. Where bins
// are more, memory is updated:
//
//   i = [block.0, thread.x 256, vector 4]
//
// Devices that share a launch take stretches of neighbours: there blocks are
// the outermost digit, so that a device reads its share of the keys, and as
// many as there is work for, whatever the number of devices is.
//
//   i = [block.0, seq 32, thread.x 512, vector 4]
//
// What a block costs is a store and a load of each of its elements on chip and,
// at most, an update of each bin; what it saves is an update of memory an
// iteration. Updates of different elements go on at about the same rate in
// both, those of one in memory at a 64th of that.
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/NativeUpdates.h"

#include "mlir/IR/Remarks.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Threads of a block that has copies, and of one that has none.
static constexpr int64_t kThreads = 512, kPlainThreads = 256;
/// Copies that versions have, by the number of bins.
static constexpr int64_t kVersionCopies[] = {32, 4, 1};
/// Ranges of bins that versions have at most, and updates that repay one of a
/// merge.
static constexpr int64_t kVersionRanges[] = {2, 6, 16}, kRepays = 4;
/// Threads of a block that has a range, and groups of keys that each takes
/// together: with one block on a multiprocessor, few others hide latency.
static constexpr int64_t kRangeThreads = 1024, kRangeUnroll = 4;
/// Groups of keys that each thread of a block takes one after the other where
/// several devices share the blocks.
static constexpr int64_t kPartSteps = 32;
/// Copies from which on they are worth it however few iterations there are, and
/// that arrays have which no version can ask for their size.
static constexpr int64_t kSafeCopies = 4;

/// Whether iterations of `loop` may be taken together by a thread: updates and
/// checks stand in no order.
static bool isFlat(ForOp loop) {
  return !holds<scf::WhileOp, scf::ForOp, ForOp, LocalOp, PrefixOp>(loop);
}

/// Whether ranges pay: copies of 64 bits are updated by a loop.
static bool isCheap(const PrivateCopies &copies) {
  return copies.getElementBytes() <= 4;
}

/// Where `privates` let bins be updated.
static std::string describe(ArrayRef<ClauseAttr> privates) {
  if (privates.empty())
    return "in memory";
  ClauseAttr clause = privates.front();
  if (clause.getSpace() == "ranges")
    return "in ranges of them in shared memory";
  return clause.getAmount() > 1
             ? llvm::formatv("in {0} copies in shared memory",
                             clause.getAmount())
             : std::string("in a copy in shared memory");
}

/// Says at the first update of `loop` where bins are updated: as the first of
/// `ways` whose condition holds.
static void explain(ForOp loop, ArrayRef<std::string> ways) {
  UpdateOp first;
  loop.getBody().walk([&](UpdateOp update) {
    first = update;
    return WalkResult::interrupt();
  });
  remark::passed(first.getLoc(), remark::RemarkOpts::name("Updates").category(
                                     "kernel-plan-updates"))
      << remark::add("bins are updated {0}", llvm::join(ways, "; else "));
}

AffineExpr DevicePlanner::getNumElements(Value array) {
  auto argument = dyn_cast<BlockArgument>(array);
  auto local = array.getDefiningOp<LocalOp>();
  auto type = cast<MemRefType>(array.getType());
  AffineExpr product = getAffineConstantExpr(1, context);
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    OpFoldResult size =
        argument ? launch.getSize(argument, dim)
        : type.isDynamicDim(dim)
            ? OpFoldResult(local.getSizes()[type.getDynamicDimIndex(dim)])
            : OpFoldResult(Builder(context).getIndexAttr(type.getDimSize(dim)));
    std::optional<int64_t> number = getConstantIntValue(size);
    AffineExpr extent = number ? getAffineConstantExpr(*number, context)
                               : getSize(cast<Value>(size));
    if (!extent ||
        (!extent.isSymbolicOrConstant() || (!isa<AffineConstantExpr>(extent) &&
                                            !isa<AffineConstantExpr>(product))))
      return {};
    product = product * extent;
  }
  return product;
}

StringAttr DevicePlanner::nameUpdated(Value array) {
  auto local = array.getDefiningOp<LocalOp>();
  if (!local)
    return nameArray(array);
  if (!local.getLocalNameAttr()) {
    unsigned number = 0;
    for (auto other : launch.getBody().getOps<LocalOp>()) {
      if (other == local)
        break;
      ++number;
    }
    local.setLocalName(("U" + Twine(number)).str());
  }
  return local.getLocalNameAttr();
}

void DevicePlanner::setUpdates(ForOp loop, ArrayRef<PrivateCopies> arrays,
                               int64_t limit, int64_t blocks, int64_t width) {
  privates.clear();
  for (const PrivateCopies &copies : arrays)
    privates.push_back(
        ClauseAttr::get(context, nameUpdated(copies.array),
                        getDigitName(loop, hasStretches(loop) ? 0 : 1),
                        StringAttr::get(context, "shared"), limit));
  int64_t threads = std::min(kThreads, maxThreads);
  SmallVector<std::pair<LevelKind, int64_t>> digits =
      getUpdateBlocks(loop, blocks);
  digits.append({{LevelKind::Thread, threads}, {LevelKind::Vector, width}});
  setDigits(loop, digits);
  trees.insert(loop.getDim());
}

bool DevicePlanner::hasStretches(ForOp loop) const {
  return hasParts && isHostExtent(loop);
}

SmallVector<std::pair<LevelKind, int64_t>>
DevicePlanner::getUpdateBlocks(ForOp loop, int64_t blocks) const {
  if (hasStretches(loop))
    return {{LevelKind::Block, 0}, {LevelKind::Seq, kPartSteps}};
  return {{LevelKind::Seq, 0}, {LevelKind::Block, blocks}};
}

AffineExpr DevicePlanner::getUpdateGain(ForOp loop, AffineExpr elements,
                                        int64_t blocks, int64_t taken) {
  if (hasStretches(loop))
    return kPartSteps * taken - elements;
  AffineExpr count = getSize(loop);
  return count ? count - elements * blocks : AffineExpr();
}

bool DevicePlanner::planRanges(ForOp loop, const PrivateCopies &array,
                               int64_t width) {
  AffineExpr count = getSize(loop);
  AffineExpr size = array.size ? getAffineConstantExpr(*array.size, context)
                               : getNumElements(array.array);
  if (!count || !size)
    return false;
  int64_t bytes = getRangeBytes(DeviceAttr::get(launch));
  int64_t threads = std::min(kRangeThreads, maxThreads);
  // Blocks that are at work at a time.
  int64_t resident = units;
  if (bytes == sharedBytes)
    resident *= std::max<int64_t>(unitThreads / threads, 1);
  for (int64_t ranges : kVersionRanges) {
    int64_t blocks = std::max<int64_t>(resident / ranges, 1);
    setUpdates(loop, {}, 1, blocks, width);
    privates.push_back(
        ClauseAttr::get(context, nameUpdated(array.array),
                        getDigitName(loop, hasStretches(loop) ? 0 : 1),
                        StringAttr::get(context, "ranges"), 0));
    SmallVector<std::pair<LevelKind, int64_t>> digits =
        getUpdateBlocks(loop, blocks);
    digits.append({{LevelKind::Unroll, kRangeUnroll},
                   {LevelKind::Thread, threads},
                   {LevelKind::Vector, width}});
    setDigits(loop, digits);
    if (addVersion({bytes / array.getElementBytes() * ranges - size,
                    getUpdateGain(loop, size * kRepays, blocks,
                                  kRangeUnroll * threads * width)}))
      return true;
    if (array.size && *array.size * array.getElementBytes() <= bytes * ranges)
      break;
  }
  return false;
}

bool DevicePlanner::planUpdates(ArrayRef<ForOp> nest) {
  size_t before = versions.size();
  if (nest.size() != 1 || !planBins(nest.front()))
    return false;
  SmallVector<std::string> ways;
  for (const auto &version : ArrayRef(versions).drop_front(before))
    ways.push_back(describe(version.second.getPrivates()));
  ways.push_back(describe(privates));
  ways.erase(llvm::unique(ways), ways.end());
  explain(nest.front(), ways);
  return true;
}

bool DevicePlanner::planBins(ForOp loop) {
  if (!isFlat(loop))
    return false;
  llvm::SetVector<Value> arrays;
  loop.getBody().walk([&](UpdateOp update) {
    if (!update->hasAttr(kRareAttr))
      arrays.insert(update.getDest());
  });
  if (arrays.empty())
    return false;
  SmallVector<PrivateCopies> known, unknown;
  std::optional<PrivateCopies> ranged;
  for (Value array : arrays) {
    std::optional<PrivateCopies> copies = findPrivateCopies(loop, array);
    if (!copies)
      return false;
    if (copies->size && *copies->size * copies->getElementBytes() <=
                            sharedBytes / int64_t(arrays.size()))
      known.push_back(*copies);
    else if (!copies->size)
      unknown.push_back(*copies);
    if (arrays.size() == 1 && isCheap(*copies) && mayRepeat(loop, array))
      ranged = copies;
  }
  int64_t width = getVectorWidth(loop);
  int64_t threads = std::min(kThreads, maxThreads);
  int64_t blocks = units * std::max<int64_t>(unitThreads / threads, 1);
  SmallVector<PrivateCopies> all(known);
  llvm::append_range(all, unknown);
  AffineExpr count = getSize(loop);
  auto setPlain = [&] {
    privates.clear();
    trees.erase(loop.getDim());
    setDigits(loop, {{LevelKind::Block, isHostExtent(loop) ? 0 : blocks},
                     {LevelKind::Seq, isHostExtent(loop) ? 1 : 0},
                     {LevelKind::Thread, std::min(kPlainThreads, maxThreads)},
                     {LevelKind::Vector, width}});
  };
  if (all.empty()) {
    if (!ranged || !planRanges(loop, *ranged, width))
      setPlain();
    return true;
  }
  int64_t share = sharedBytes / int64_t(all.size());
  // As many copies for all as the largest array may have.
  auto countCopies = [&](int64_t limit) {
    for (const PrivateCopies &copies : known)
      limit =
          std::min(limit, countPrivateCopies(copies.size,
                                             copies.getElementBytes(), share));
    return limit;
  };
  bool asks = true;
  for (const PrivateCopies &copies : unknown)
    asks &= bool(getNumElements(copies.array));
  if (!unknown.empty() && !asks) {
    setUpdates(loop, all, countCopies(kSafeCopies), blocks, width);
    return true;
  }
  for (int64_t limit : kVersionCopies) {
    int64_t number = countCopies(limit);
    SmallVector<AffineExpr> conditions;
    for (const PrivateCopies &copies : unknown)
      conditions.push_back(share / (number * copies.getElementBytes()) -
                           getNumElements(copies.array));
    if (number < kSafeCopies) {
      if (!count)
        continue;
      for (const PrivateCopies &copies : all)
        conditions.push_back(getUpdateGain(
            loop,
            copies.size ? getAffineConstantExpr(*copies.size, context)
                        : getNumElements(copies.array),
            blocks, threads * width));
    }
    setUpdates(loop, all, number, blocks, width);
    if (addVersion(conditions))
      return true;
    // Of known sizes more would not fit.
    if (unknown.empty())
      break;
  }
  // Ranges would serve the same sizes as copies of all that fit.
  if (!known.empty() || !ranged || !planRanges(loop, *ranged, width))
    setPlain();
  return true;
}
