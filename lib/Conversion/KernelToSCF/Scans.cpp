//===- Scans.cpp - Scans as tasks, in order and in lanes ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A scan over digits folds its inner digits, takes the prefix and scans the
// inner digits from there. Run in order the fold is not needed: the inner scan
// ends at the same total, and nothing is read twice.
//
//   at block    a task a block folds; the host scans the totals; a task a block
//               scans from its own. As many blocks at a time as the caches of
//               the workers hold, who get the same ones again: elements come
//               from memory once. Tasks that scan a group fold the next one:
//               all wait for each other once a group. Totals are added one
//               after the other, so how many blocks that are makes no
//               difference
//   at vector   lane l takes in lane l - 1, then what that has taken in, two,
//               four, .. lanes away; the carry comes last, so that from one
//               vector to the next there is one operation
//
//===----------------------------------------------------------------------===//

#include "LaunchEmitter.h"

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/SplitScans.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace arrc;

/// Bytes of a worker that its cache holds from their fold to their scan, about
/// half of a second cache, and blocks that these are at most. A pause between
/// two runs of tasks has to be short against them.
static constexpr int64_t bytesInCache = 512 * 1024, maxBlocksInCache = 256;

/// Whether a pass has split the scan, or one around it, into digits.
static bool isSplit(kernel::ForOp loop) {
  for (Operation *op = loop; op; op = op->getParentOp())
    if (op->hasAttr(kernel::kRepeatsAttr))
      return true;
  return false;
}

/// The scan in `loop`'s body that starts from `seeds`.
static kernel::ForOp findScanFrom(kernel::ForOp loop, StringRef dim,
                                  ValueRange seeds) {
  for (auto inner : loop.getBodyBlock()->getOps<kernel::ForOp>())
    if (inner.isScan() && inner.getDim() == dim &&
        llvm::equal(inner.getSeeds(), seeds))
      return inner;
  return {};
}

/// The scan below `loop` that goes on from its prefix over the contributions
/// which the fold in front of the prefix has folded; none if there is no such.
/// Where it comes in ranges, one behind the other, the last of them.
static kernel::ForOp getInnerScan(kernel::ForOp loop) {
  kernel::PrefixOp prefix = loop.getPrefix();
  auto fold = prefix.getValues().front().getDefiningOp<kernel::ForOp>();
  if (!isSplit(loop) || !prefix.getExclusive() || !fold || !fold.isReduce() ||
      fold->getParentOp() != loop ||
      !llvm::equal(prefix.getValues(), fold.getResults()))
    return {};
  kernel::ForOp last;
  for (kernel::ForOp next =
           findScanFrom(loop, fold.getDim(), prefix.getResults());
       next; next = findScanFrom(loop, fold.getDim(), next.getResults()))
    last = next;
  return last;
}

void LaunchEmitter::enterScan(kernel::ForOp loop,
                              ArrayRef<LaneValue> accumulators) {
  ScanState state{SmallVector<LaneValue>(accumulators),
                  SmallVector<LaneValue>(accumulators), loop,
                  getInnerScan(loop)};
  // The fold, and the ranges of it that only go on in it.
  Operation *fold = loop.getPrefix().getValues().front().getDefiningOp();
  while (state.inner && fold && skipped.insert(fold).second) {
    auto before = cast<kernel::ForOp>(fold)
                      .getSeeds()
                      .front()
                      .getDefiningOp<kernel::ForOp>();
    bool only = before && before->getParentOp() == loop && before.isReduce() &&
                llvm::all_of(before->getUsers(),
                             [&](Operation *user) { return user == fold; });
    fold = only ? before : kernel::ForOp();
  }
  scans.push_back(state);
}

SmallVector<LaneValue> LaunchEmitter::leaveScan() {
  ScanState state = scans.pop_back_val();
  return state.inner ? lookup(state.inner.getResults()) : state.next;
}

void LaunchEmitter::emitPrefix(kernel::PrefixOp prefix) {
  ScanState &scan = scans.back();
  SmallVector<LaneValue> before = scan.accumulators;
  if (scan.inner) {
    for (auto [result, value] : llvm::zip(prefix.getResults(), before))
      set(result, value);
    return;
  }
  if (lanes != 0 && scan.loop.getLevelKind() == kernel::LevelKind::Vector)
    return emitLanePrefix(prefix);
  SmallVector<LaneValue> next =
      combine(scan.loop.getCombiner(), before, lookup(prefix.getValues()));
  scans.back().next = next;
  for (auto [result, value] :
       llvm::zip(prefix.getResults(), prefix.getExclusive() ? before : next))
    set(result, value);
}

void LaunchEmitter::emitLanePrefix(kernel::PrefixOp prefix) {
  Location loc = prefix.getLoc();
  kernel::ForOp loop = scans.back().loop;
  Region &combiner = loop.getCombiner();
  auto shift = [&](Value front, Value vector, int64_t by) -> LaneValue {
    SmallVector<int64_t> order;
    for (int64_t l = 0; l < lanes; ++l)
      order.push_back(l < by ? l : lanes + l - by);
    return {vector::ShuffleOp::create(b, loc, front, vector, order), 0, true};
  };
  SmallVector<LaneValue> values, carry;
  for (LaneValue value : lookup(prefix.getValues()))
    values.push_back({toVector(loc, value), 0, true});
  for (LaneValue value : scans.back().accumulators)
    carry.push_back({toVector(loc, value), 0, true});
  // The first lanes have nothing in front of them: the neutral element, where
  // the operator is known to have one. Else they stay as they are, as what the
  // scan starts from may be what others came to.
  bool isKnown = kernel::hasOwnNeutrals(loop);
  SmallVector<Value> none = neutrals(loop);
  for (int64_t by = 1; by < lanes; by *= 2) {
    SmallVector<LaneValue> earlier;
    for (auto [value, neutral] : llvm::zip(values, none))
      earlier.push_back(shift(isKnown ? toVector(loc, {neutral}) : value.value,
                              value.value, by));
    SmallVector<LaneValue> combined = combine(combiner, earlier, values);
    SmallVector<int64_t> order;
    for (int64_t l = 0; l < lanes; ++l)
      order.push_back(l < by ? l : lanes + l);
    for (auto [value, both] : llvm::zip(values, combined)) {
      Value vector = toVector(loc, both);
      value.value = isKnown ? vector
                            : vector::ShuffleOp::create(b, loc, value.value,
                                                        vector, order)
                                  .getResult();
    }
  }
  // What the last lane comes to, apart: from one vector to the next there is
  // one operation on a scalar then, and no way out of a vector and back.
  SmallVector<LaneValue> last;
  for (LaneValue value : values)
    last.push_back({vector::ExtractOp::create(b, loc, value.value, lanes - 1)});
  last = combine(combiner, scans.back().accumulators, last);
  scans.back().next = last;
  values = combine(combiner, carry, values);
  for (auto [result, value, before] :
       llvm::zip(prefix.getResults(), values, carry))
    set(result,
        prefix.getExclusive() ? shift(before.value, value.value, 1) : value);
}

/// Blocks of `loop`, all of which are `extent`, whose elements a worker's cache
/// holds; at least one.
Value LaunchEmitter::countBlocksInCache(kernel::ForOp loop, Value extent) {
  Location loc = loop.getLoc();
  llvm::SmallSetVector<Value, 4> arrays;
  for (Operation *op : kernel::getContribution(loop))
    op->walk([&](kernel::LoadOp load) {
      if (values.contains(load.getSource()))
        arrays.insert(lookupScalar(load.getSource()));
    });
  Value bytes = constantIndex(loc, 0).value;
  for (Value array : arrays) {
    auto type = cast<MemRefType>(array.getType());
    Value size =
        constantIndex(loc, getElementBytes(type.getElementType())).value;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      size = arith::MulIOp::create(b, loc, size,
                                   memref::DimOp::create(b, loc, array, dim));
    bytes = arith::AddIOp::create(b, loc, bytes, size);
  }
  // Of a block, which is one byte at least.
  Value one = constantIndex(loc, 1).value;
  Value blocks = arith::MaxSIOp::create(b, loc, extent, one);
  bytes = arith::CeilDivSIOp::create(b, loc, bytes, blocks);
  bytes = arith::MaxSIOp::create(b, loc, bytes, one);
  Value fit = arith::DivSIOp::create(
      b, loc, constantIndex(loc, bytesInCache).value, bytes);
  fit = arith::MinSIOp::create(b, loc, fit,
                               constantIndex(loc, maxBlocksInCache).value);
  return arith::MaxSIOp::create(b, loc, fit, one);
}

LogicalResult LaunchEmitter::emitIf(Location loc, Value condition,
                                    function_ref<LogicalResult()> body) {
  auto branch = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  return body();
}

/// Stores what `block` adds to the totals.
LogicalResult LaunchEmitter::emitBlockTotal(kernel::ForOp loop, Value block,
                                            Value extent,
                                            ArrayRef<Value> partials) {
  set(loop.getInductionVar(), block);
  enterLoop(loop, {block});
  for (Operation *op : kernel::getContribution(loop)) {
    auto fold = dyn_cast<kernel::ForOp>(op);
    bool inLanes = fold && canFoldInLanes(fold);
    if (failed(inLanes ? emitFoldInLanes(fold) : emitOp(*op)))
      return failure();
  }
  digits.pop_back();
  for (auto [partial, value] :
       llvm::zip(partials, lookup(loop.getPrefix().getValues())))
    memref::StoreOp::create(b, loop.getLoc(), value.value, partial, block);
  return success();
}

LogicalResult LaunchEmitter::emitScanRoot(kernel::ForOp loop) {
  Location loc = loop.getLoc();
  Value extent = getExtent(loop);
  SmallVector<Value> partials;
  for (Type type : loop.getSeeds().getTypes())
    partials.push_back(allocate(loc, type, {extent}));
  Value zero = constantIndex(loc, 0).value, one = constantIndex(loc, 1).value;
  Value workers = arith::IndexCastOp::create(
      b, loc, b.getIndexType(),
      calls.call(b, loc, "arrt_workers", {calls.getContext(host)}));
  Value group =
      arith::MulIOp::create(b, loc, workers, countBlocksInCache(loop, extent));
  SmallVector<Value> seeds;
  for (Value seed : loop.getSeeds())
    seeds.push_back(lookupScalar(seed));

  // One round more than there are groups: the first one has nothing to scan,
  // the last one nothing to fold.
  Value start = arith::SubIOp::create(b, loc, zero, group);
  auto groups = scf::ForOp::create(b, loc, start, extent, group, seeds);
  OpBuilder::InsertionGuard outside(b);
  b.setInsertionPointToStart(groups.getBody());
  Value first = groups.getInductionVar();
  Value next = arith::AddIOp::create(b, loc, first, group);
  Value from = arith::MaxSIOp::create(b, loc, first, zero);
  Value to = arith::MinSIOp::create(b, loc, next, extent);

  // What is in front of each block that has been folded.
  auto sums =
      scf::ForOp::create(b, loc, from, to, one, groups.getRegionIterArgs());
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(sums.getBody());
    SmallVector<LaneValue> before, own;
    for (auto [argument, partial] :
         llvm::zip(sums.getRegionIterArgs(), partials)) {
      Value place = sums.getInductionVar();
      before.push_back({argument});
      own.push_back({memref::LoadOp::create(b, loc, partial, place)});
      memref::StoreOp::create(b, loc, argument, partial, place);
    }
    SmallVector<Value> totals;
    for (LaneValue value : combine(loop.getCombiner(), before, own))
      totals.push_back(value.value);
    scf::YieldOp::create(b, loc, totals);
  }

  Value left = arith::SubIOp::create(b, loc, extent, from);
  Value count = arith::MinSIOp::create(b, loc, group, left);
  LogicalResult done = emitTasks(loc, {count}, [&](ValueRange ids) {
    // What a block of the next group adds.
    Value block = arith::AddIOp::create(b, loc, next, ids[0]);
    Value isBlock =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, block, extent);
    if (failed(emitIf(loc, isBlock, [&] {
          return emitBlockTotal(loop, block, extent, partials);
        })))
      return failure();
    // From what is in front of a block of this one.
    block = arith::AddIOp::create(b, loc, first, ids[0]);
    isBlock =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, block, zero);
    return emitIf(loc, isBlock, [&] {
      set(loop.getInductionVar(), block);
      enterLoop(loop, {block});
      SmallVector<LaneValue> before;
      for (Value partial : partials)
        before.push_back({memref::LoadOp::create(b, loc, partial, block)});
      enterScan(loop, before);
      LogicalResult body = emitBody(*loop.getBodyBlock());
      scans.pop_back();
      digits.pop_back();
      return body;
    });
  });
  scf::YieldOp::create(b, loc, sums.getResults());
  for (auto [result, value] : llvm::zip(loop.getResults(), groups.getResults()))
    set(result, value);
  return done;
}
