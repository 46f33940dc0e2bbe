//===- Scans.cpp - Scans over the threads of a block ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A thread needs the fold of what the threads before it have. Groups of threads
// find that among themselves: a sub-group by shuffles,
//
//   o = shuffle up 1 of v;  v = op(o, v) from lane 1 on;  then up 2, 4, ..
//
// else sixteen threads through shared memory. The last thread of each group
// stores the group's total, all wait once, and each needs the totals of the
// groups before its own: the lanes of every sub-group read one total each and
// scan them by shuffles again; without shuffles each thread folds them. A loop
// with several accumulators scans all of them at once, with one barrier.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/ScanThreads.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace arrc;

/// Threads of a group that scans through shared memory.
static constexpr int64_t sharedGroup = 16;

/// Threads of scans, and of rows that a block keeps in registers, wait for each
/// other, which other warps hide: asks for registers so few that several blocks
/// share a multiprocessor.
void KernelEmitter::setBlocksPerUnit(gpu::GPUFuncOp function) {
  constexpr int64_t smallestBlock = 64;
  bool scans = false, crosses = false, keeps = false;
  llvm::SmallPtrSet<Value, 4> loaded;
  // Of 32 bits, that a thread keeps. Besides it needs about 16 registers and
  // what some of the values take twice while they are folded: 48, 64 and 80.
  // What lies in shared memory passes through those that keep much besides.
  int64_t words = 0, passing = 0, widest = 0;
  launch.getBody().walk([&](Operation *op) {
    if (auto loop = dyn_cast<kernel::ForOp>(op);
        loop && loop.isScan() &&
        loop.getLevelKind() == kernel::LevelKind::Thread) {
      scans = true;
      crosses |= loop.getLevelAttr().getAxis() > 0 ||
                 plan.blockSize[0] > plan.subgroup;
    }
    if (auto load = dyn_cast<kernel::LoadOp>(op))
      if (!load.getSource().getDefiningOp<kernel::LocalOp>())
        loaded.insert(load.getSource());
    auto local = dyn_cast<kernel::LocalOp>(op);
    if (!local || !local.getType().hasStaticShape() ||
        local->hasAttr(kernel::kHandedOnAttr))
      return;
    int64_t count = local.getType().getNumElements();
    for (auto [dim, size] : llvm::enumerate(local.getType().getShape()))
      if (kernel::isThreadDim(local, dim)) {
        count /= size;
        keeps = true;
      }
    // Flags are bits of words.
    Type element = local.getType().getElementType();
    count = element.isInteger(1)
                ? llvm::divideCeil(count, 32)
                : count * llvm::divideCeil(getStoredBytes(element), 4);
    auto space = dyn_cast_if_present<kernel::SpaceAttr>(
        local.getType().getMemorySpace());
    if (space && space.getValue() == kernel::Space::Shared)
      passing += count;
    else
      words += count;
    widest = std::max(widest, count);
  });
  int64_t threads = plan.getThreads();
  // Sub-groups that have rows to themselves wait for nobody and may be fewer.
  int64_t most = crosses ? 56 : 40;
  int64_t blocks = (words <= 30               ? kernel::kScanThreads
                    : words + passing <= most ? 1024
                                              : 768) /
                   threads;
  // Long rows are planned for 32 words a thread at a time, which leaves room
  // for 1024 threads where nothing is loaded beside them, or for 20. Elements
  // of which more than one word is kept at a time are 16 at most.
  if (!scans) {
    if (!keeps || loaded.size() != 1 || threads < 512)
      return;
    blocks = (widest > 16 && widest <= 20 ? 1536 : 1024) / threads;
  }
  if (plan.subgroup == 32 && threads >= smallestBlock)
    setBlocksPerUnit(function, blocks);
}

LogicalResult KernelEmitter::emitThreadScan(kernel::ForOp loop, Value isIn,
                                            const Context &outer) {
  scans.push_back({loop, isIn, {}, {}});
  LogicalResult done = emitBody(*loop.getBodyBlock());
  Scan scan = scans.pop_back_val();
  ctx = outer;
  if (failed(done))
    return failure();
  for (auto [from, to] : llvm::zip(loop.getResults(), scan.next))
    set(from, to);
  return success();
}

/// Where value `at` of this thread's row of `length` lies: rows along x one
/// after the other, others so that neighbouring threads have neighbours.
Value KernelEmitter::locateInRow(kernel::ForOp loop, int64_t length, Value at) {
  Location loc = loop.getLoc();
  unsigned axis = loop.getLevelAttr().getAxis();
  Value row = getOthers(loc, axis);
  Value base, rest = at;
  if (axis == 0) {
    base = arith::MulIOp::create(b, loc, row, index(loc, length));
  } else {
    int64_t rows = plan.getThreads() / plan.blockSize[axis];
    base = arith::MulIOp::create(b, loc, at, index(loc, rows));
    rest = row;
  }
  return arith::AddIOp::create(b, loc, base, rest);
}

/// Folds the values of this thread's row at `from` to `to` (excluded).
SmallVector<Value> KernelEmitter::foldRow(kernel::ForOp loop,
                                          ArrayRef<Value> scratch,
                                          int64_t length, Value from, Value to,
                                          ValueRange start) {
  Location loc = loop.getLoc();
  auto code = scf::ForOp::create(b, loc, from, to, index(loc, 1), start);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(code.getBody());
  Value at = locateInRow(loop, length, code.getInductionVar());
  SmallVector<Value> read;
  for (auto [type, memory] : llvm::zip(loop.getResultTypes(), scratch))
    read.push_back(loadElement(loc, memory, at, type));
  scf::YieldOp::create(
      b, loc, combine(loop.getCombiner(), code.getRegionIterArgs(), read));
  return SmallVector<Value>(code.getResults());
}

void KernelEmitter::storeRow(kernel::ForOp loop, ArrayRef<Value> scratch,
                             int64_t length, Value at, ValueRange what) {
  Location loc = loop.getLoc();
  Value place = locateInRow(loop, length, at);
  for (auto [value, memory] : llvm::zip(what, scratch))
    storeElement(loc, value, memory, place);
}

/// The values of the first `count` threads of the row, which lie in `scratch`,
/// one after the other: what comes before thread `number`, and all of them.
void KernelEmitter::scanInOrder(kernel::ForOp loop, ArrayRef<Value> scratch,
                                int64_t count, Value number,
                                SmallVectorImpl<Value> &before,
                                SmallVectorImpl<Value> &total,
                                ArrayRef<Value> neutrals) {
  Location loc = loop.getLoc();
  for (int64_t k = 0; k < count; ++k) {
    Value at = locateInRow(loop, count, index(loc, k));
    SmallVector<Value> read;
    for (auto [type, memory] : llvm::zip(loop.getResultTypes(), scratch))
      read.push_back(loadElement(loc, memory, at, type));
    if (k == 0) {
      before.assign(neutrals.begin(), neutrals.end());
      total = read;
      continue;
    }
    Value isMine = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                         number, index(loc, k));
    for (auto [value, mine] : llvm::zip(before, total))
      value = arith::SelectOp::create(b, loc, isMine, mine, value);
    total = combine(loop.getCombiner(), total, read);
  }
}

/// Scans over groups of `count` lanes that are `stride` apart: a lane's own
/// values become the fold up to it.
void KernelEmitter::scanLanes(kernel::ForOp loop, int64_t count, int64_t stride,
                              Value lane, SmallVectorImpl<Value> &values) {
  Location loc = loop.getLoc();
  for (int64_t step = 1; step < count; step *= 2) {
    Value has = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, lane,
                                      index(loc, step));
    SmallVector<Value> others;
    for (Value value : values)
      others.push_back(
          shuffle(loc, value, step * stride, gpu::ShuffleMode::UP));
    others = combine(loop.getCombiner(), others, values);
    for (auto [value, other] : llvm::zip(values, others))
      value = arith::SelectOp::create(b, loc, has, other, value);
  }
}

/// The values of lane `source` of each sub-group.
SmallVector<Value> KernelEmitter::readLane(Location loc, ArrayRef<Value> values,
                                           Value source) {
  Value lane = arith::IndexCastOp::create(b, loc, b.getI32Type(), source);
  SmallVector<Value> result;
  for (Value value : values)
    result.push_back(shuffle(loc, value, lane, gpu::ShuffleMode::IDX));
  return result;
}

/// A scan within sub-groups of lanes, and over these. Where one group is all,
/// and `inclusive` is wanted, there is no `before`.
LogicalResult KernelEmitter::scanSubgroups(kernel::ForOp loop, int64_t group,
                                           ArrayRef<Value> values,
                                           ArrayRef<Value> neutrals,
                                           SmallVectorImpl<Value> &before,
                                           SmallVectorImpl<Value> &total,
                                           SmallVectorImpl<Value> *inclusive) {
  Location loc = loop.getLoc();
  unsigned axis = loop.getLevelAttr().getAxis();
  int64_t threads = plan.blockSize[axis], stride = getAxisStride(axis);
  int64_t rows = plan.getThreads() / threads;
  int64_t groups = threads / group;
  Value number = threadId[axis], size = index(loc, group);
  Value lane = arith::RemUIOp::create(b, loc, number, size);
  SmallVector<Value> upTo(values);
  scanLanes(loop, group, stride, lane, upTo);
  auto takeBefore = [&](ArrayRef<Value> from, Value isFirst, Value source) {
    SmallVector<Value> result = readLane(loc, from, source);
    for (auto [value, neutral] : llvm::zip(result, neutrals))
      value = arith::SelectOp::create(b, loc, isFirst, neutral, value);
    return result;
  };
  auto isZero = [&](Value value) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, value,
                                 index(loc, 0));
  };
  // Lanes of the sub-group, of which the group is a part.
  Value place =
      arith::RemUIOp::create(b, loc, linearId, index(loc, plan.subgroup));
  auto apart = [&](Value lanes) -> Value {
    if (stride == 1)
      return lanes;
    return arith::MulIOp::create(b, loc, lanes, index(loc, stride));
  };
  Value previous = arith::SubIOp::create(b, loc, place, index(loc, stride));
  Value start = arith::SubIOp::create(b, loc, place, apart(lane));
  if (groups == 1 && inclusive) {
    *inclusive = upTo;
  } else {
    Value first = isZero(lane);
    Value source = arith::SelectOp::create(b, loc, first, place, previous);
    before = takeBefore(upTo, first, source);
  }
  if (groups == 1) {
    Value last =
        arith::AddIOp::create(b, loc, start, index(loc, (group - 1) * stride));
    total = readLane(loc, upTo, last);
    return success();
  }
  int64_t offset = 0;
  SmallVector<Value> totals =
      getScratch(loc, groups * rows, loop.getResultTypes(), offset);
  if (failed(touch(loc, &sharedBytes, /*written=*/true)))
    return failure();
  // The last of each group knows its total.
  Value mine = arith::DivUIOp::create(b, loc, number, size);
  Value isLast = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lane,
                                       index(loc, group - 1));
  (void)emitIfTrue(loc, isLast, [&] {
    storeRow(loop, totals, groups, mine, upTo);
    return success();
  });
  if (failed(emitBarrier(loc)) ||
      failed(touch(loc, &sharedBytes, /*written=*/false)))
    return failure();
  // Every sub-group scans the totals.
  Value at = arith::MinUIOp::create(b, loc, lane, index(loc, groups - 1));
  at = locateInRow(loop, groups, at);
  SmallVector<Value> each;
  for (auto [type, memory] : llvm::zip(loop.getResultTypes(), totals))
    each.push_back(loadElement(loc, memory, at, type));
  scanLanes(loop, groups, stride, lane, each);
  Value firstGroup = isZero(mine);
  Value earlier = arith::SubIOp::create(b, loc, mine, index(loc, 1));
  earlier = arith::SelectOp::create(b, loc, firstGroup, mine, earlier);
  earlier = arith::AddIOp::create(b, loc, start, apart(earlier));
  SmallVector<Value> base = takeBefore(each, firstGroup, earlier);
  before = combine(loop.getCombiner(), base, before);
  Value end =
      arith::AddIOp::create(b, loc, start, index(loc, (groups - 1) * stride));
  total = readLane(loc, each, end);
  return success();
}

/// A scan through shared memory, in groups.
LogicalResult KernelEmitter::scanShared(kernel::ForOp loop,
                                        ArrayRef<Value> values,
                                        ArrayRef<Value> neutrals,
                                        SmallVectorImpl<Value> &before,
                                        SmallVectorImpl<Value> &total) {
  Location loc = loop.getLoc();
  unsigned axis = loop.getLevelAttr().getAxis();
  int64_t threads = plan.blockSize[axis];
  Value number = threadId[axis];
  int64_t offset = 0;
  SmallVector<Value> own =
      getScratch(loc, plan.getThreads(), loop.getResultTypes(), offset);
  if (failed(touch(loc, &sharedBytes, /*written=*/true)))
    return failure();
  storeRow(loop, own, threads, number, values);
  if (failed(emitBarrier(loc)) ||
      failed(touch(loc, &sharedBytes, /*written=*/false)))
    return failure();
  if (threads <= sharedGroup) {
    scanInOrder(loop, own, threads, number, before, total, neutrals);
    return success();
  }
  int64_t rows = plan.getThreads() / threads;
  int64_t groups = llvm::divideCeil(threads, sharedGroup);
  SmallVector<Value> totals =
      getScratch(loc, groups * rows, loop.getResultTypes(), offset);
  Value size = index(loc, sharedGroup);
  Value place = arith::DivUIOp::create(b, loc, number, size);
  Value first = arith::MulIOp::create(b, loc, place, size);
  before = foldRow(loop, own, threads, first, number, neutrals);
  SmallVector<Value> upTo = combine(loop.getCombiner(), before, values);
  Value next = arith::AddIOp::create(b, loc, number, index(loc, 1));
  Value rest = arith::RemUIOp::create(b, loc, next, size);
  Value isLast = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rest,
                                       index(loc, 0));
  if (threads % sharedGroup) {
    Value isEnd = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, next,
                                        index(loc, threads));
    isLast = arith::OrIOp::create(b, loc, isLast, isEnd);
  }
  (void)emitIfTrue(loc, isLast, [&] {
    storeRow(loop, totals, groups, place, upTo);
    return success();
  });
  if (failed(emitBarrier(loc)) ||
      failed(touch(loc, &sharedBytes, /*written=*/false)))
    return failure();
  SmallVector<Value> base =
      foldRow(loop, totals, groups, index(loc, 0), place, neutrals);
  before = combine(loop.getCombiner(), base, before);
  total = foldRow(loop, totals, groups, place, index(loc, groups), base);
  return success();
}

LogicalResult KernelEmitter::emitPrefix(kernel::PrefixOp prefix) {
  Location loc = prefix.getLoc();
  Scan &scan = scans.back();
  kernel::ForOp loop = scan.loop;
  SmallVector<Value> values = lookup(prefix.getValues());
  auto finish = [&](ValueRange results) {
    for (auto [from, to] : llvm::zip(prefix.getResults(), results))
      set(from, to);
    return success();
  };
  if (loop == plan.lookBack)
    return emitLookBack(prefix, scan);
  if (!scan.accumulators.empty()) {
    scan.next = combine(loop.getCombiner(), scan.accumulators, values);
    return finish(prefix.getExclusive() ? scan.accumulators : scan.next);
  }
  unsigned axis = loop.getLevelAttr().getAxis();
  SmallVector<Value> neutrals = createNeutrals(loop), before, total;
  values = maskValues(loc, scan.isIn, std::move(values), neutrals);
  int64_t group = getLaneGroup(axis);
  int64_t groups = plan.blockSize[axis] / std::max<int64_t>(group, 1);
  bool shuffles = group > 1 && groups <= group;
  SmallVector<Value> upTo;
  if (failed(shuffles
                 ? scanSubgroups(loop, group, values, neutrals, before, total,
                                 prefix.getExclusive() ? nullptr : &upTo)
                 : scanShared(loop, values, neutrals, before, total)))
    return failure();
  SmallVector<Value> seeds = lookup(loop.getSeeds());
  scan.next = combine(loop.getCombiner(), seeds, total);
  if (!upTo.empty())
    return finish(combine(loop.getCombiner(), seeds, upTo));
  before = combine(loop.getCombiner(), seeds, before);
  return finish(prefix.getExclusive()
                    ? before
                    : combine(loop.getCombiner(), before, values));
}
