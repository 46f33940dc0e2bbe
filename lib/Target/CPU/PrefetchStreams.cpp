//===- PrefetchStreams.cpp - Lines of long arrays are asked for ahead -----===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A core keeps only so many reads on their way, and fewer the more operations
// wait for each; what the processor fetches on its own ends at a page. A loop
// that folds a long array therefore asks for lines before it needs them:
//
//   scf.for %i = %c0 to %n step %c1 iter_args(..) {
//     %j = arith.muli %i, %c16
//     %x = vector.load %a[%j]   ..
//     scf.if %long {                        // `a` does not fit the caches
//       %k = arith.addi %j, %c1024          // 4096 bytes from here
//       memref.prefetch %a[%k], read, locality<1>, data } }
//
// What is ahead follows from the loops around a load. Where the innermost loop
// is too short for the distance, the place is that of the next iterations of
// the loop around it: the next group in sums of short rows. Loops of which each
// starts where the one before ended are one walk.
//
// A row that is swept again is asked for in the second sweep, for the next
// task: the memory works while the exponentials of this row are computed.
//
// On 16 threads of a Xeon (Emerald Rapids) largest values of everything are 1.2
// to 1.4 times as fast, of rows of 64 elements 1.4; sums of rows of 2 to 64
// elements 1.2; softmax of 8192 elements 1.24. Sums of long rows and down
// columns gained nothing or lost, to 0.92, and are left alone. On a Zen 4
// streams lost, to 0.9, and softmax gained 1.2: its code leaves out streams.
//
// Places ahead may lie outside of the array: a prefetch reads nothing.
//
//===----------------------------------------------------------------------===//

#include "Streams.h"
#include "arrc/Support/StoredBytes.h"
#include "arrc/Target/CPU/CPU.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Remarks.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace arrc::cpu {
#define GEN_PASS_DEF_PREFETCHSTREAMSPASS
#include "arrc/Target/CPU/Passes.h.inc"
} // namespace arrc::cpu

using namespace mlir;
using namespace arrc::cpu;

/// Of rows that are swept several times; others have `streamLocality`.
static constexpr int64_t kRowLocality = 2;
/// Rows of up to so many bytes stay in a core's own cache beside what is
/// computed of them.
static constexpr int64_t kKeptRowBytes = 128 << 10;
/// Operations for a line from which on reads wait for them.
static constexpr double kLeastWork = 2;
/// Loops that store a byte for fewer that they read are not bound by reads.
static constexpr int64_t kReadsForAStore = 2;

namespace {
/// Reads of an array that move the same way are asked for as far ahead.
struct Group {
  Value array;
  SmallVector<Walk> walks;
  Value condition, offset;
  int64_t locality;
};

/// The prefetches of one outermost parallel loop.
class TaskStreams {
public:
  TaskStreams(scf::ParallelOp tasks, int64_t distance, int64_t leastBytes)
      : tasks(tasks), distance(distance), leastBytes(leastBytes), b(tasks) {}

  /// Adds to `told` where it says so: code has several versions.
  void run(llvm::SmallDenseSet<Location> &told);

private:
  bool collect(Block &block, SmallVectorImpl<Read> &reads);
  Group makeGroup(Block &block, const Read &read, ArrayRef<Walk> walks,
                  int64_t bytes);
  Value createElements(Location loc, Value array, ArrayRef<int64_t> advance);
  Value createOffset(const Read &read, ArrayRef<Walk> walks, int64_t bytes);
  Value createNextTask(const Read &read, ArrayRef<Walk> walks, int64_t bytes,
                       Value &isKept);
  Value createIterations(const Read &read, Value size, const Walk &walk);
  Value createIsLong(Value array);
  void createPrefetch(const Read &read, const Group &group);

  Value index(Location loc, int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value multiply(Location loc, Value value, int64_t factor) {
    return arith::MulIOp::create(b, loc, value, index(loc, factor));
  }

  scf::ParallelOp tasks;
  int64_t distance, leastBytes;
  OpBuilder b;
  /// What was read before in a task.
  SmallVector<Read> swept;
  llvm::SmallDenseMap<Value, Value> isLong;
};

struct PrefetchStreamsPass
    : arrc::cpu::impl::PrefetchStreamsPassBase<PrefetchStreamsPass> {
  using PrefetchStreamsPassBase::PrefetchStreamsPassBase;
  void runOnOperation() override {
    SmallVector<scf::ParallelOp> outermost;
    getOperation()->walk<WalkOrder::PreOrder>([&](scf::ParallelOp tasks) {
      outermost.push_back(tasks);
      return WalkResult::skip();
    });
    llvm::SmallDenseSet<Location> told;
    for (scf::ParallelOp tasks : outermost)
      TaskStreams(tasks, distance, leastBytes).run(told);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Which reads
//===----------------------------------------------------------------------===//

/// What `array` is the elements of, in one dimension; else itself.
static Value getRoot(Value array) {
  auto flat = array.getDefiningOp<memref::CollapseShapeOp>();
  return flat && flat.getType().getRank() == 1 ? flat.getSrc() : array;
}

/// The vectors that `block` reads by itself from arrays from outside of the
/// tasks, if reads are what it mostly does.
bool TaskStreams::collect(Block &block, SmallVectorImpl<Read> &reads) {
  auto isOutside = [&](Value array) {
    return !tasks.getRegion().isAncestor(getRoot(array).getParentRegion());
  };
  SmallVector<Read> all;
  for (auto load : block.getOps<vector::LoadOp>())
    if (isOutside(load.getBase()))
      all.emplace_back(load, tasks);
  int64_t read = 0, stored = 0;
  for (const Read &each : all) {
    // What one read finds, another one asks for.
    if (llvm::any_of(all,
                     [&](const Read &other) { return each.wasReadBy(other); }))
      continue;
    reads.push_back(each);
    read += each.getSize();
  }
  block.walk([&](Operation *op) {
    if (auto store = dyn_cast<vector::StoreOp>(op))
      // Beside a store past the caches there is an ordinary one.
      if (isOutside(store.getBase()) && !store.getNontemporal())
        stored += arrc::getStoredBytes(store.getValueToStore().getType());
    if (auto store = dyn_cast<memref::StoreOp>(op))
      if (isOutside(store.getMemRef()))
        stored += arrc::getStoredBytes(store.getValueToStore().getType());
  });
  return !reads.empty() && read >= kReadsForAStore * stored;
}

/// Operations on vectors that `block` does for each line it reads.
static double getWorkForALine(Block &block, ArrayRef<Read> reads) {
  int64_t bytes = 0;
  for (const Read &read : reads)
    bytes += read.getSize();
  auto work = llvm::count_if(block.getOperations(), [](Operation &op) {
    return op.getNumResults() && isa<VectorType>(op.getResult(0).getType()) &&
           !isa<vector::LoadOp>(op);
  });
  return double(work) * lineBytes / double(bytes);
}

/// A sum of a long row has its reads on their way anyway; what does more for
/// each line, or stops at the end of a short row, has not. Down columns every
/// row is a stream of its own.
static bool isWorthIt(ArrayRef<Walk> walks, double work) {
  if (walks.empty() || walks.front().advance.back() == 0)
    return false;
  bool mayBeShort = walks.size() > 1 && walks.front().factor == 1;
  return work >= kLeastWork || mayBeShort;
}

//===----------------------------------------------------------------------===//
// How far
//===----------------------------------------------------------------------===//

/// `advance` as elements of memory.
Value TaskStreams::createElements(Location loc, Value array,
                                  ArrayRef<int64_t> advance) {
  if (isNothing(advance.drop_back()))
    return index(loc, advance.back());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(tasks);
  auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, array);
  Value result;
  for (auto [elements, stride] : llvm::zip(advance, metadata.getStrides())) {
    if (!elements)
      continue;
    Value part = multiply(loc, stride, elements);
    result = result ? arith::AddIOp::create(b, loc, result, part) : part;
  }
  return result;
}

/// The elements that so many iterations of `walk` move by that what is read in
/// them, `size` bytes each, is `distance` bytes.
Value TaskStreams::createIterations(const Read &read, Value size,
                                    const Walk &walk) {
  Location loc = read.getLoc();
  Value some = arith::MaxSIOp::create(b, loc, size, index(loc, 1));
  Value times = arith::CeilDivSIOp::create(b, loc, index(loc, distance), some);
  return arith::MulIOp::create(
      b, loc, times, createElements(loc, read.getArray(), walk.advance));
}

/// The elements from a place of `read` to what is read `distance` bytes later:
/// along its walk if that is long enough, else along the one around it. An
/// iteration reads `bytes`.
Value TaskStreams::createOffset(const Read &read, ArrayRef<Walk> walks,
                                int64_t bytes) {
  Location loc = read.getLoc();
  const Walk &walk = walks.front();
  Way way(walk.advance);
  for (int64_t &each : way)
    each *= llvm::divideCeil(distance, bytes);
  Value offset = createElements(loc, read.getArray(), way);
  if (walks.size() == 1 || !walk.trips)
    return offset;
  Value size = multiply(loc, walk.trips, walk.factor * bytes);
  Value isEnough = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge,
                                         size, index(loc, 2 * distance));
  return arith::SelectOp::create(b, loc, isEnough, offset,
                                 createIterations(read, size, walks[1]));
}

/// The elements to the place of the next tasks, and whether this task's row is
/// short enough to be kept beside theirs.
Value TaskStreams::createNextTask(const Read &read, ArrayRef<Walk> walks,
                                  int64_t bytes, Value &isKept) {
  Location loc = read.getLoc();
  const Walk &row = walks.front();
  Value size = multiply(loc, row.trips, row.factor * bytes);
  isKept = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, size,
                                 index(loc, kKeptRowBytes));
  return createIterations(read, size, walks.back());
}

/// Whether `array` is too large for the caches.
Value TaskStreams::createIsLong(Value array) {
  array = getRoot(array);
  if (Value known = isLong.lookup(array))
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(tasks);
  Location loc = tasks.getLoc();
  auto type = cast<MemRefType>(array.getType());
  Value bytes = index(loc, arrc::getStoredBytes(type.getElementType()));
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    bytes = arith::MulIOp::create(b, loc, bytes,
                                  memref::DimOp::create(b, loc, array, dim));
  return isLong[array] = arith::CmpIOp::create(
             b, loc, arith::CmpIPredicate::sge, bytes, index(loc, leastBytes));
}

//===----------------------------------------------------------------------===//
// The loops
//===----------------------------------------------------------------------===//

/// A group for `read` and all that moves as it does; an iteration of `block`
/// reads `bytes` of its array.
Group TaskStreams::makeGroup(Block &block, const Read &read,
                             ArrayRef<Walk> walks, int64_t bytes) {
  Group group{read.getArray(), llvm::to_vector(walks), {}, {}, streamLocality};
  b.setInsertionPoint(block.getParentOp());
  group.condition = createIsLong(read.getArray());
  bool isSwept = llvm::any_of(
      swept, [&](const Read &before) { return read.isWhereSweeps(before); });
  if (isSwept && walks.size() == 2) {
    Value isKept;
    group.offset = createNextTask(read, walks, bytes, isKept);
    group.condition =
        arith::AndIOp::create(b, read.getLoc(), group.condition, isKept);
    group.locality = kRowLocality;
  } else {
    group.offset = createOffset(read, walks, bytes);
  }
  return group;
}

void TaskStreams::createPrefetch(const Read &read, const Group &group) {
  Location loc = read.getLoc();
  for (int64_t at = 0; at < read.getSize(); at += lineBytes) {
    SmallVector<Value> indices(read.getLoad().getIndices());
    Value way = group.offset;
    if (at)
      way = arith::AddIOp::create(
          b, loc, way, index(loc, at * read.getLanes() / read.getSize()));
    indices.back() = arith::AddIOp::create(b, loc, indices.back(), way);
    memref::PrefetchOp::create(b, loc, read.getArray(), indices,
                               /*isWrite=*/false, group.locality,
                               /*isDataCache=*/true);
  }
}

void TaskStreams::run(llvm::SmallDenseSet<Location> &told) {
  SmallVector<Block *> blocks;
  tasks->walk([&](Operation *op) {
    if (isa<scf::ForOp, scf::ParallelOp>(op))
      blocks.push_back(&op->getRegion(0).front());
  });
  for (Block *block : blocks) {
    SmallVector<Read> reads;
    if (!collect(*block, reads))
      continue;
    double work = getWorkForALine(*block, reads);
    llvm::SmallDenseMap<Value, int64_t> bytes;
    for (const Read &read : reads)
      bytes[read.getArray()] += read.getSize();
    SmallVector<Group> groups;
    /// What is asked for under one condition.
    llvm::MapVector<Value, SmallVector<std::pair<const Read *, size_t>>> asked;
    for (const Read &read : reads) {
      SmallVector<Walk> walks = read.getWalks();
      if (!isWorthIt(walks, work) ||
          llvm::any_of(reads, [&](const Read &other) {
            return read.sharesLineOf(other);
          }))
        continue;
      size_t number = 0;
      while (number < groups.size() &&
             (groups[number].array != read.getArray() ||
              groups[number].walks != walks))
        ++number;
      if (number == groups.size())
        groups.push_back(
            makeGroup(*block, read, walks, bytes[read.getArray()]));
      asked[groups[number].condition].push_back({&read, number});
    }
    for (auto &[condition, places] : asked) {
      b.setInsertionPoint(block->getTerminator());
      Location loc = places.front().first->getLoc();
      auto branch =
          scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
      b.setInsertionPoint(branch.thenYield());
      for (auto [read, number] : places)
        createPrefetch(*read, groups[number]);
      if (told.insert(loc).second)
        remark::passed(loc, remark::RemarkOpts::name("Prefetch")
                                .category("cpu-prefetch-streams"))
            << remark::add("lines of a long array are asked for {0} bytes "
                           "ahead",
                           distance);
    }
    llvm::append_range(swept, reads);
  }
}
