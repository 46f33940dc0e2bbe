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
// stores the group's total, and all fold the totals of the groups before.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

using namespace mlir;
using namespace arrc;

/// Threads of a group that scans through shared memory.
static constexpr int64_t sharedGroup = 16;

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

/// Folds the values of this thread's row at `from` to `to` (excluded).
SmallVector<Value> KernelEmitter::foldRow(kernel::ForOp loop,
                                          ArrayRef<Value> scratch,
                                          int64_t length, Value from, Value to,
                                          ValueRange start) {
  Location loc = loop.getLoc();
  Value row = getOthers(loc, loop.getLevelAttr().getAxis());
  auto code = scf::ForOp::create(b, loc, from, to, index(loc, 1), start);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(code.getBody());
  Value base = arith::MulIOp::create(b, loc, row, index(loc, length));
  Value at = arith::AddIOp::create(b, loc, base, code.getInductionVar());
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
  Value row = getOthers(loc, loop.getLevelAttr().getAxis());
  Value base = arith::MulIOp::create(b, loc, row, index(loc, length));
  Value place = arith::AddIOp::create(b, loc, base, at);
  for (auto [value, memory] : llvm::zip(what, scratch))
    storeElement(loc, value, memory, place);
}

/// What the threads of the group before this one have (`before`), and with its
/// own value (`upTo`).
LogicalResult KernelEmitter::scanGroups(kernel::ForOp loop, int64_t group,
                                        SmallVectorImpl<Value> &before,
                                        SmallVectorImpl<Value> &upTo,
                                        int64_t &offset, ArrayRef<Value> values,
                                        ArrayRef<Value> neutrals) {
  Location loc = loop.getLoc();
  unsigned axis = loop.getLevelAttr().getAxis();
  int64_t threads = plan.blockSize[axis];
  Value number = threadId[axis], size = index(loc, group);
  if (group == sharedGroup) {
    SmallVector<Value> own =
        getScratch(loc, plan.getThreads(), loop.getResultTypes(), offset);
    storeRow(loop, own, threads, number, values);
    if (failed(emitBarrier(loc)))
      return failure();
    Value first = arith::DivUIOp::create(b, loc, number, size);
    first = arith::MulIOp::create(b, loc, first, size);
    before = foldRow(loop, own, threads, first, number, neutrals);
    upTo = combine(loop.getCombiner(), before, values);
    return success();
  }
  // Along x lanes are neighbours.
  Value lane = arith::RemUIOp::create(b, loc, number, size);
  upTo.assign(values.begin(), values.end());
  auto takeFrom = [&](int64_t step, ArrayRef<Value> otherwise, bool combines) {
    SmallVector<Value> result;
    Value has = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, lane,
                                      index(loc, step));
    for (Value value : upTo)
      result.push_back(shuffle(loc, value, step, gpu::ShuffleMode::UP));
    if (combines)
      result = combine(loop.getCombiner(), result, upTo);
    for (auto [value, other] : llvm::zip(result, otherwise))
      value = arith::SelectOp::create(b, loc, has, value, other);
    return result;
  };
  for (int64_t step = 1; step < group; step *= 2) {
    SmallVector<Value> next = takeFrom(step, upTo, /*combines=*/true);
    upTo.assign(next.begin(), next.end());
  }
  before = takeFrom(1, neutrals, /*combines=*/false);
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
  if (!scan.accumulators.empty()) {
    scan.next = combine(loop.getCombiner(), scan.accumulators, values);
    return finish(prefix.getExclusive() ? scan.accumulators : scan.next);
  }
  unsigned axis = loop.getLevelAttr().getAxis();
  int64_t threads = plan.blockSize[axis];
  int64_t rows = plan.getThreads() / threads;
  Value number = threadId[axis];
  SmallVector<Value> neutrals = createNeutrals(loop);
  values = maskValues(loc, scan.isIn, std::move(values), neutrals);

  int64_t group = axis == 0 ? getLaneGroup(axis) : 1;
  if (group == 1)
    group = sharedGroup;
  int64_t groups = llvm::divideCeil(threads, group), offset = 0;
  SmallVector<Value> totals =
      getScratch(loc, groups * rows, loop.getResultTypes(), offset);
  if (failed(touch(loc, &sharedBytes, /*written=*/true)))
    return failure();
  SmallVector<Value> before, upTo;
  if (failed(scanGroups(loop, group, before, upTo, offset, values, neutrals)))
    return failure();
  // The last of each group knows its total.
  Value size = index(loc, group);
  Value place = arith::DivUIOp::create(b, loc, number, size);
  Value next = arith::AddIOp::create(b, loc, number, index(loc, 1));
  Value rest = arith::RemUIOp::create(b, loc, next, size);
  Value isLast = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rest,
                                       index(loc, 0));
  if (threads % group) {
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
  SmallVector<Value> base = foldRow(loop, totals, groups, index(loc, 0), place,
                                    lookup(loop.getSeeds()));
  scan.next = base; // where nobody asks
  if (!loop.use_empty())
    scan.next = foldRow(loop, totals, groups, place, index(loc, groups), base);
  return finish(
      combine(loop.getCombiner(), base, prefix.getExclusive() ? before : upTo));
}
