//===- Updates.cpp - Histograms as tasks ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Iterations that update one element of an array may not run at a time. They
// are dealt out in ranges, each of which has a copy of the array:
//
//   kernel.for i in %N { update %v, %H[%bin] by addf }
//
//   scf.if %W > 1 {
//     %c = alloc(W, bins)
//     task w in W { %c[w] = 0
//                   for i = w * ceil(N / W) .. { %c[w, %bin] += %v } }
//     tasks of bins { for w in W { %H[bin] += %c[w, bin] } }
//   } else { one task, which updates %H }
//
// How many ranges follows from sizes alone: each has some thousands of updates
// and no fewer than there are elements to add up later, and all copies have a
// limit. So the sums have the same bits for any number of workers, and a range
// of a long array sums few terms one after the other.
//
// Two nested parallel loops are dealt out both: the outer one may be short.
//
// Legal: the operator commutes and has a neutral element, the same for all
// updates of an array, and nothing reads the array meanwhile. Otherwise, and
// where elements are about as many as updates, one task does everything.
//
// Arrays of integers that are hardly ever updated have no copies: tasks update
// them indivisibly.
//
//===----------------------------------------------------------------------===//

#include "LaunchEmitter.h"
#include "arrc/Dialect/Kernel/Transforms/NativeUpdates.h"

#include "mlir/IR/OperationSupport.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace arrc;

/// Copies have this many elements together, but there are no more and no fewer
/// than these if there is work for them; and bytes of them all.
static constexpr int64_t maxCopies = 1024, fewCopies = 256,
                         copyElements = 65536, maxCopyBytes = int64_t(1) << 28;
/// Elements that a task adds up: they come from the caches of all workers.
static constexpr int64_t foldChunk = 64;
/// Iterations that are worth a copy: of a flat loop, and of one with loops in
/// it; of the latter, how many elements of a copy each may cost.
static constexpr int64_t flatRange = 16384, nestedRange = 16, nestedWork = 64;

/// One array that is updated, and what copies of it are made of.
struct LaunchEmitter::Copies {
  kernel::UpdateOp model;
  Value dest, neutral, copies;
  SmallVector<Value> sizes;
};

bool arrc::isIndivisible(kernel::UpdateOp update) {
  SmallVector<Operation *> ops = getCombinerOps(update.getCombiner());
  return update->hasAttr(kernel::kRareAttr) && ops.size() == 1 &&
         isa<arith::AddIOp>(ops.front()) &&
         update.getValue().getType().isInteger(64);
}

/// Whether all updates of `array` in `loop` are indivisible.
static bool hasIndivisible(kernel::ForOp loop, Value array) {
  return !loop.getBody()
              .walk([&](kernel::UpdateOp update) {
                return update.getDest() == array && !isIndivisible(update)
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Whether iterations of `loop` may run at a time though they update arrays of
/// the launch, each indivisibly: nothing else is done with these.
static bool mayShareUpdates(kernel::ForOp loop) {
  llvm::SmallPtrSet<Value, 4> updated;
  loop.getBody().walk(
      [&](kernel::UpdateOp update) { updated.insert(update.getDest()); });
  return loop.isParallel() &&
         !loop.getBody()
              .walk([&](Operation *op) {
                auto load = dyn_cast<kernel::LoadOp>(op);
                bool touches = isa<kernel::StoreOp>(op) ||
                               (load && updated.contains(load.getSource()));
                return touches ? WalkResult::interrupt()
                               : WalkResult::advance();
              })
              .wasInterrupted();
}

/// The parallel loop that is all of `loop` but for operations without effects
/// that do not update anything; null if there is none.
static kernel::ForOp getOnlyLoop(kernel::ForOp loop) {
  kernel::ForOp only;
  if (!loop.isParallel())
    return only;
  for (Operation &op : loop.getBodyBlock()->without_terminator()) {
    auto inner = dyn_cast<kernel::ForOp>(op);
    if (inner && !only && inner.isParallel() &&
        inner.getLevelKind() != kernel::LevelKind::Vector)
      only = inner;
    else if (inner || op.getNumRegions() ||
             isa<kernel::StoreOp, kernel::UpdateOp, kernel::LocalOp>(op))
      return {};
  }
  return only;
}

/// The arrays that iterations of `loop` update together; false if one of them
/// may not have copies.
bool LaunchEmitter::collectCopies(kernel::ForOp loop,
                                  SmallVectorImpl<Copies> &all) {
  auto find = [&](Value array) -> Copies * {
    auto *at = llvm::find_if(all, [&](const Copies &entry) {
      return entry.dest == array ||
             (values.contains(array) &&
              lookupScalar(entry.dest) == lookupScalar(array));
    });
    return at == all.end() ? nullptr : at;
  };
  bool possible = true;
  loop.getBody().walk([&](kernel::UpdateOp update) {
    Operation *def = update.getDest().getDefiningOp();
    if (!possible || (def && loop->isAncestor(def)) ||
        hasIndivisible(loop, update.getDest()))
      return;
    if (Copies *entry = find(update.getDest())) {
      possible = entry->dest == update.getDest() &&
                 OperationEquivalence::isRegionEquivalentTo(
                     &entry->model.getCombiner(), &update.getCombiner(),
                     OperationEquivalence::IgnoreLocations);
      return;
    }
    Copies entry;
    entry.model = update;
    entry.dest = update.getDest();
    entry.neutral = kernel::createNeutral(b, update);
    possible = static_cast<bool>(entry.neutral);
    Value array = lookupScalar(entry.dest);
    int64_t rank = cast<MemRefType>(array.getType()).getRank();
    for (int64_t dim = 0; dim < rank; ++dim)
      entry.sizes.push_back(
          b.createOrFold<memref::DimOp>(update.getLoc(), array, dim));
    all.push_back(entry);
  });
  loop.getBody().walk([&](Operation *op) {
    if (auto load = dyn_cast<kernel::LoadOp>(op))
      possible &= !find(load.getSource());
    if (auto store = dyn_cast<kernel::StoreOp>(op))
      possible &= !find(store.getDest());
  });
  return possible;
}

/// Adds `count` copies to the array, in their order.
void LaunchEmitter::foldCopies(const Copies &entry, Value count) {
  kernel::UpdateOp update = entry.model;
  Location loc = update.getLoc();
  Value array = lookupScalar(entry.dest);
  Value zero = constantIndex(loc, 0).value, one = constantIndex(loc, 1).value;
  Value chunk = constantIndex(loc, foldChunk).value;
  SmallVector<Value> counts(entry.sizes);
  if (counts.empty())
    counts.push_back(one);
  Value last = counts.back();
  counts.back() = arith::CeilDivSIOp::create(b, loc, last, chunk);
  (void)emitTasks(loc, counts, [&](ValueRange ids) {
    Value begin = arith::MulIOp::create(b, loc, ids.back(), chunk);
    Value end = arith::AddIOp::create(b, loc, begin, chunk);
    end = arith::MinSIOp::create(b, loc, end, last);
    auto copies = scf::ForOp::create(b, loc, zero, count, one);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(copies.getBody());
    auto elements = scf::ForOp::create(b, loc, begin, end, one);
    b.setInsertionPointToStart(elements.getBody());
    SmallVector<Value> place;
    if (!entry.sizes.empty()) {
      llvm::append_range(place, ids.drop_back());
      place.push_back(elements.getInductionVar());
    }
    SmallVector<Value> from{copies.getInductionVar()};
    llvm::append_range(from, place);
    LaneValue old{memref::LoadOp::create(b, loc, array, place)};
    LaneValue own{memref::LoadOp::create(b, loc, entry.copies, from)};
    SmallVector<LaneValue> sum = combine(update.getCombiner(), {old}, {own});
    memref::StoreOp::create(b, loc, sum.front().value, array, place);
    return success();
  });
}

/// Each range into its copy, then all copies into the arrays.
LogicalResult LaunchEmitter::emitDealt(ArrayRef<kernel::ForOp> nest,
                                       MutableArrayRef<Copies> all,
                                       ArrayRef<Value> counts,
                                       SmallVectorImpl<Value> &results) {
  kernel::ForOp root = nest.front();
  Location loc = root.getLoc();
  Value zero = constantIndex(loc, 0).value, one = constantIndex(loc, 1).value;
  Value count = counts.front();
  for (Value more : counts.drop_front())
    count = arith::MulIOp::create(b, loc, count, more);
  SmallVector<Value> chunks, firsts, extents, partials, buffersHere;
  for (auto [loop, number] : llvm::zip(nest, counts)) {
    auto [first, extent] = getRange(loop);
    firsts.push_back(first);
    extents.push_back(extent);
    chunks.push_back(
        arith::CeilDivSIOp::create(b, loc, extents.back(), number));
  }
  auto createRange = [&](unsigned position, Value number) {
    auto [begin, end] =
        createPart(loc, extents[position], number, chunks[position]);
    if (nest[position]->hasAttr(partAttrName)) {
      begin = arith::AddIOp::create(b, loc, begin, firsts[position]);
      end = arith::AddIOp::create(b, loc, end, firsts[position]);
    }
    return std::pair(begin, end);
  };
  auto take = [&](Type element, ArrayRef<Value> sizes) {
    SmallVector<Value> all{count};
    llvm::append_range(all, sizes);
    SmallVector<int64_t> shape(all.size(), ShapedType::kDynamic);
    Value buffer =
        memref::AllocOp::create(b, loc, MemRefType::get(shape, element), all);
    buffersHere.push_back(buffer);
    return buffer;
  };
  for (Copies &entry : all)
    entry.copies = take(cast<MemRefType>(entry.dest.getType()).getElementType(),
                        entry.sizes);
  for (Type type : root.getResultTypes())
    partials.push_back(take(type, {}));

  LogicalResult done = emitTasks(loc, counts, [&](ValueRange ids) {
    copyNumber = ids.front();
    if (ids.size() > 1) {
      copyNumber = arith::MulIOp::create(b, loc, copyNumber, counts[1]);
      copyNumber = arith::AddIOp::create(b, loc, copyNumber, ids[1]);
    }
    for (Copies &entry : all) {
      copyOf[entry.dest] = entry.copies;
      OpBuilder::InsertionGuard guard(b);
      SmallVector<Value> place{copyNumber};
      for (Value size : entry.sizes) {
        auto each = scf::ForOp::create(b, loc, zero, size, one);
        b.setInsertionPointToStart(each.getBody());
        place.push_back(each.getInductionVar());
      }
      memref::StoreOp::create(b, loc, entry.neutral, entry.copies, place);
    }
    auto [begin, end] = createRange(0, ids[0]);
    if (ids.size() > 1)
      ranges[nest[1]] = createRange(1, ids[1]);
    SmallVector<LaneValue> starts, own;
    if (root.isReduce())
      for (Value neutral : neutrals(root))
        starts.push_back({neutral});
    LogicalResult done = emitSerialFor(root, begin, end, starts, own);
    for (auto [partial, value] : llvm::zip(partials, own))
      memref::StoreOp::create(b, loc, value.value, partial, copyNumber);
    return done;
  });
  copyOf.clear();
  ranges.clear();
  if (failed(done))
    return failure();
  for (const Copies &entry : all)
    foldCopies(entry, count);
  if (root.isReduce())
    results = emitPartialFold(root, partials, count);
  for (Value buffer : buffersHere)
    memref::DeallocOp::create(b, loc, buffer);
  return success();
}

LogicalResult LaunchEmitter::emitUpdateRoot(kernel::ForOp loop) {
  Location loc = loop.getLoc();
  SmallVector<Copies> all;
  bool possible = collectCopies(loop, all);
  // Indivisible updates alone, of an array that nothing else touches.
  if (possible && all.empty() && mayShareUpdates(loop)) {
    llvm::SaveAndRestore shared(sharesUpdates, true);
    return emitParallelRoot(loop);
  }
  if (!possible || all.empty())
    return emitSequentialRoot(loop);
  SmallVector<kernel::ForOp> nest{loop};
  if (kernel::ForOp inner = getOnlyLoop(loop);
      inner && (!inner.getExtent() || values.contains(inner.getExtent())))
    nest.push_back(inner);

  auto index = [&](int64_t number) { return constantIndex(loc, number).value; };
  auto least = [&](Value lhs, Value rhs) -> Value {
    return arith::MinSIOp::create(b, loc, lhs, rhs);
  };
  // As many ranges as there is work for and memory.
  Value extent = getRange(loop).second;
  Value updates = extent, elements = index(0), bytes = index(1);
  if (nest.size() > 1)
    updates = arith::MulIOp::create(b, loc, updates, getRange(nest[1]).second);
  for (const Copies &entry : all) {
    Type element = cast<MemRefType>(entry.dest.getType()).getElementType();
    Value size = index(1);
    for (Value each : entry.sizes)
      size = arith::MulIOp::create(b, loc, size, each);
    elements = arith::AddIOp::create(b, loc, elements, size);
    size = arith::MulIOp::create(b, loc, size, index(getElementBytes(element)));
    bytes = arith::AddIOp::create(b, loc, bytes, size);
  }
  elements = arith::MaxSIOp::create(b, loc, elements, index(1));
  bool isFlat = !isNested(nest.back());
  int64_t range = isFlat ? flatRange : nestedRange;
  Value work =
      arith::MulIOp::create(b, loc, updates, index(isFlat ? 1 : nestedWork));
  // Many copies make short sums, and long ones of the copies.
  Value most = arith::DivSIOp::create(b, loc, index(copyElements), elements);
  most = arith::MaxSIOp::create(b, loc, most, index(fewCopies));
  most = least(most, index(maxCopies));
  Value count =
      least(most, arith::DivSIOp::create(b, loc, updates, index(range)));
  count = least(count, arith::DivSIOp::create(b, loc, work, elements));
  count =
      least(count, arith::DivSIOp::create(b, loc, index(maxCopyBytes), bytes));
  SmallVector<Value> counts{least(count, extent)};
  if (nest.size() > 1) {
    Value outer = arith::MaxSIOp::create(b, loc, counts[0], index(1));
    counts.push_back(arith::DivSIOp::create(b, loc, count, outer));
  }

  Value several =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, count, index(1));
  auto branch = scf::IfOp::create(b, loc, loop.getResultTypes(), several,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  // Without results the builder has made the terminators.
  auto close = [&](ValueRange results) {
    if (!results.empty())
      scf::YieldOp::create(b, loc, results);
  };
  b.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> results;
  if (failed(emitDealt(nest, all, counts, results)))
    return failure();
  close(results);
  b.setInsertionPointToStart(branch.elseBlock());
  if (failed(emitSequentialRoot(loop)))
    return failure();
  results.clear();
  for (Value result : loop.getResults())
    results.push_back(lookupScalar(result));
  close(results);
  for (auto [result, value] : llvm::zip(loop.getResults(), branch.getResults()))
    set(result, value);
  return success();
}
