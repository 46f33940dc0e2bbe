//===- Pairs.cpp - Folds over what outputs share --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A fold over what does not depend on the output (all pairs) shares it between
// the threads of a block and between the outputs of a thread:
//
//   y[i] = sum for j { f(x[i], x[j]) }
//   i = [block.0, unroll 4, thread.x 128], j = [seq, seq 128],
//   order = [i.0, j.0, i.2, i.1, j.1], stage = [X at j.0 shared ahead]
//
// A fold over some rows of a fold over the elements of pairs (the nearest of a
// few points, and which it is) reads the same short row again for each term:
//
//   y[i] = min for j { sum for l { (a[i, l] - b[j, l]) ** 2 } }
//   i = [block.0, thread.x 128, unroll 2], j = [seq, unroll 8], l = [seq 16],
//   order = [i.0, i.1, i.2, j.1, j.0, l.0], stage = [A at i.0 shared turned]
//
// The rows of a block lie on chip, turned, so that a thread takes several of
// them by one access; the other operand is the same for all threads, and on
// chip as well where its rows are few. Pairs of some rows and some terms take
// each step together: a load is used several times. Rows that are too long for
// that are walked by threads.
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "../Shared/NestScalars.h"

#include "arrc/Support/Combiner.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Threads of a block, rows of each, and rows from which on blocks are enough.
static constexpr int64_t kFewestThreads = 64, kThreads = 128, kCopies = 2;
static constexpr int64_t kFewestRows = 1 << 14;
/// Bytes of a block's rows on chip.
static constexpr int64_t kBytes = 36 << 10;
/// Pairs that a thread takes together.
static constexpr int64_t kPairs = 16;
/// Lengths of rows up to which versions are made.
static constexpr int64_t kLengths[] = {16, 32, 64};
/// Terms that lie on chip as well, and their bytes at most.
static constexpr int64_t kFewTerms = 32, kTermBytes = 8 << 10;

//===----------------------------------------------------------------------===//
// Distances
//===----------------------------------------------------------------------===//

/// The only loop in the body of `loop`, beside scalars and loads; stores may
/// stand behind it if `stores`.
static ForOp getFold(ForOp loop, bool stores) {
  ForOp fold;
  for (Operation &op : loop.getBodyBlock()->without_terminator()) {
    if (auto inner = dyn_cast<ForOp>(op)) {
      if (fold)
        return {};
      fold = inner;
    } else if (!isScalarOp(&op) && !isa<LoadOp>(op) &&
               !(stores && fold && isa<StoreOp>(op))) {
      return {};
    }
  }
  if (!fold || !fold.isReduce() || !isCommutativeCombiner(fold.getCombiner()) ||
      !isHostExtent(fold))
    return {};
  return fold;
}

/// Arrays that `inner` reads along `rows` and along itself, contiguously, and
/// not along `beside`. Nothing if it reads them in another way as well, or
/// something else does.
static SmallVector<Value> findRows(ArrayRef<ForOp> all, ForOp rows,
                                   ForOp beside) {
  ForOp inner = all.back();
  llvm::MapVector<Value, SmallVector<LinearIndex>> found;
  llvm::SmallDenseSet<Value> others;
  AccessPattern pattern(inner);
  for (const Access &access : pattern.getAccesses()) {
    auto load = dyn_cast<LoadOp>(access.op);
    if (!load)
      return {};
    if (!Product::moves(access.indices, rows) ||
        !Product::moves(access.indices, inner)) {
      others.insert(access.array);
      continue;
    }
    if (!isa<BlockArgument>(access.array) || load.getEdge() || load.getMask() ||
        Product::moves(access.indices, beside) || access.indices.size() < 2 ||
        getContiguous(all, access.indices.back()) != inner)
      return {};
    for (const LinearIndex &index : access.indices)
      if (!isRegular(all, index, rows, inner))
        return {};
    auto [known, isNew] = found.insert(
        {access.array, SmallVector<LinearIndex>(ArrayRef(access.indices))});
    if (!isNew && !llvm::equal(known->second, access.indices))
      return {};
  }
  SmallVector<Value> arrays;
  for (auto &[array, indices] : found) {
    if (others.contains(array))
      return {};
    for (Operation *user : array.getUsers())
      if (!isa<LoadOp>(user) || user->getParentOp() != inner)
        return {};
    arrays.push_back(array);
  }
  return arrays;
}

static int64_t countBytes(ArrayRef<Value> arrays) {
  int64_t bytes = 0;
  for (Value array : arrays)
    bytes += kernel::getElementBytes(array);
  return bytes;
}

/// Iterations of `loop` in a version for at most that many.
static int64_t getLimit(ForOp loop, int64_t most) {
  std::optional<int64_t> extent = loop.getStaticExtent();
  return extent ? std::clamp<int64_t>(*extent, 2, most) : most;
}

bool DevicePlanner::planDistances(ArrayRef<ForOp> nest) {
  ForOp row = nest.back();
  if (!hasOneRoot || maxThreads < kThreads ||
      !llvm::all_of(
          nest,
          [](ForOp loop) { return loop.isParallel() && isHostExtent(loop); }))
    return false;
  ForOp terms = getFold(row, /*stores=*/true);
  ForOp inner = terms ? getFold(terms, /*stores=*/false) : ForOp();
  if (!inner || hasInnerLoop(inner) || !mayBeJammed(row) ||
      holds<scf::IfOp>(row))
    return false;
  int64_t registers = 0;
  for (Type type : inner.getResultTypes()) {
    if (!type.isIntOrFloat())
      return false;
    registers += llvm::divideCeil(type.getIntOrFloatBitWidth(), 32);
  }
  SmallVector<ForOp> all(nest);
  all.append({terms, inner});
  SmallVector<Value> ofRows = findRows(all, row, terms);
  SmallVector<Value> ofTerms = findRows(all, terms, row);
  AffineExpr rows = getSize(row), length = getSize(inner),
             count = getSize(terms);
  if (ofRows.empty() || registers > 2 || !rows || !length)
    return false;
  auto stage = [&](ArrayRef<Value> arrays, int64_t together) {
    for (Value array : arrays) {
      int64_t width = vectorBytes / kernel::getElementBytes(array);
      stages.push_back(
          ClauseAttr::get(context, nameArray(array), getDigitName(row, 0),
                          StringAttr::get(context, "shared"),
                          std::max<int64_t>(std::min(width, together), 1),
                          /*turned=*/true, /*ahead=*/false));
    }
  };
  for (int64_t most : kLengths)
    // Few terms lie on chip as well.
    for (bool isFew : {true, false}) {
      // The next length will do for many terms.
      if (!isFew && most == kLengths[0] && !inner.getStaticExtent())
        continue;
      int64_t depth = getLimit(inner, most);
      int64_t room =
          llvm::bit_floor<uint64_t>(kBytes / (depth * countBytes(ofRows)));
      int64_t shared = kFewTerms * depth * countBytes(ofTerms);
      if (room < kFewestThreads ||
          (isFew && (ofTerms.empty() || !count || shared > kTermBytes)))
        continue;
      int64_t threads = std::clamp(room / kCopies, kFewestThreads, kThreads);
      int64_t copies = std::min(room / threads, kCopies);
      unsigned axis = nest.size();
      for (ForOp loop : nest) {
        --axis;
        if (loop == row)
          setDigits(loop,
                    {{LevelKind::Block, 0},
                     {LevelKind::Thread, threads},
                     {LevelKind::Unroll, copies}},
                    axis);
        else
          setDigits(loop, {{LevelKind::Block, 0}}, axis);
      }
      int64_t together = getUsefulThreads(
          terms, std::min<int64_t>(kPairs / (copies * registers), 8));
      setDigits(
          terms,
          {{LevelKind::Seq,
            isFew ? llvm::divideCeil(getLimit(terms, kFewTerms), together) : 0},
           {LevelKind::Unroll, together}});
      setDigits(inner, {{LevelKind::Seq, depth}});
      stage(ofRows, copies);
      SmallVector<AffineExpr> conditions = {rows - kFewestRows, most - length};
      if (isFew) {
        stage(ofTerms, together);
        conditions.push_back(kFewTerms - count);
      }
      if (addVersion(conditions))
        return true;
      stages.clear();
      dropDigits(all);
      // The others are for sizes that this one is for as well.
      auto isKnown = [](ForOp loop, int64_t limit) {
        std::optional<int64_t> extent = loop.getStaticExtent();
        return extent && *extent <= limit;
      };
      if (isKnown(inner, most) && (!isFew || isKnown(terms, kFewTerms)))
        return false;
    }
  return false;
}

//===----------------------------------------------------------------------===//
// All pairs
//===----------------------------------------------------------------------===//

/// Threads of a block, and steps of a tile; outputs of a thread, and how many
/// there must be for that.
static constexpr int64_t kPairThreads = 128, kPairDepth = 128;
/// Shared memory of a block.
static constexpr int64_t kPairBytes = 44 << 10;
static constexpr std::pair<int64_t, int64_t> kPairShapes[] = {{4, 1 << 17},
                                                              {2, 1 << 16}};
/// Threads that share the fold of one of fewer outputs, and how many outputs
/// that are at most: all multiprocessors have as many threads as they hold.
static constexpr std::pair<int64_t, int64_t> kPairSplits[] = {{32, 1 << 13},
                                                              {8, 1 << 16}};

namespace {
/// An array that a fold reads and that does not move along the rows.
struct PairOperand {
  /// The lowest and the highest of the indices of one iteration, which differ
  /// by numbers: those of the components of a point.
  SmallVector<LinearIndex> lowest, highest;

  /// Takes another read along; false if it lies apart by more than numbers.
  bool add(ArrayRef<LinearIndex> indices) {
    if (indices.size() != lowest.size())
      return false;
    for (auto [low, high, index] : llvm::zip(lowest, highest, indices)) {
      std::optional<int64_t> above = index.distanceFrom(low);
      if (!above)
        return false;
      if (*above < 0)
        low = index;
      if (*index.distanceFrom(high) > 0)
        high = index;
    }
    return true;
  }
  /// Elements between them, which lie on chip for one iteration.
  int64_t countElements() const {
    int64_t count = 1;
    for (auto [low, high] : llvm::zip(lowest, highest))
      count *= *high.distanceFrom(low) + 1;
    return count;
  }
};
} // namespace

/// The operands of `fold` that do not move along `row`; nothing if others
/// move along both, or something else stands in the way. `own`: loads of what
/// does not move along the fold.
static std::optional<llvm::MapVector<Value, PairOperand>>
findPairs(ForOp row, ForOp fold, SmallVectorImpl<LoadOp> &own) {
  llvm::MapVector<Value, PairOperand> operands;
  SmallVector<ForOp> both = {row, fold};
  AccessPattern pattern(fold);
  for (const Access &access : pattern.getAccesses()) {
    auto load = dyn_cast<LoadOp>(access.op);
    auto array = dyn_cast<BlockArgument>(access.array);
    if (!load || !array || load.getEdge() || load.getMask() ||
        access.indices.empty())
      return std::nullopt;
    if (!Product::moves(access.indices, fold)) {
      own.push_back(load);
      continue;
    }
    for (const LinearIndex &index : access.indices)
      if (index.getCoefficient(row.getInductionVar()) != 0 ||
          !isRegular(both, index, fold, fold))
        return std::nullopt;
    for (Operation *user : array.getUsers())
      if (!isa<LoadOp>(user))
        return std::nullopt;
    SmallVector<LinearIndex> indices(ArrayRef(access.indices));
    auto [known, isNew] = operands.insert({array, {indices, indices}});
    if (!isNew && !known->second.add(indices))
      return std::nullopt;
  }
  if (operands.empty())
    return std::nullopt;
  return operands;
}

bool DevicePlanner::planAllPairs(ArrayRef<ForOp> nest) {
  ForOp row = nest.back(), fold;
  if (!hasOneRoot || nest.size() != 1 || !row.isParallel() ||
      !isHostExtent(row) || maxThreads < kPairThreads)
    return false;
  for (Operation &op : row.getBodyBlock()->without_terminator()) {
    if (auto loop = dyn_cast<ForOp>(op)) {
      if (fold)
        return false;
      fold = loop;
    } else if (!isScalarOp(&op) && !isa<LoadOp>(op) &&
               (!fold || !isa<StoreOp>(op))) {
      return false;
    }
  }
  if (!fold || !fold.isReduce() || !isCommutativeCombiner(fold.getCombiner()) ||
      hasInnerLoop(fold) || !mayBeJammed(fold) || holds<scf::IfOp>(fold) ||
      !isHostExtent(fold) ||
      !llvm::all_of(fold.getResultTypes(),
                    [](Type type) { return type.isIntOrFloat(); }))
    return false;
  SmallVector<LoadOp> own;
  for (auto load : row.getBodyBlock()->getOps<LoadOp>())
    if (load->isBeforeInBlock(fold))
      own.push_back(load);
  auto operands = findPairs(row, fold, own);
  AffineExpr rows = getSize(row), depth = getSize(fold);
  if (!operands || !rows || !depth)
    return false;
  // What the outputs read for themselves may be read again in each tile, and
  // comes from a tile as well if it is of the same array.
  for (LoadOp load : own) {
    // What an output makes anew, behind all of its tiles, is its own element.
    for (Operation *user : load.getSource().getUsers())
      if (!isa<BlockArgument>(load.getSource()) ||
          !(isa<LoadOp>(user) ||
            (isa<StoreOp>(user) &&
             llvm::equal(Access(user).indices, Access(load).indices))))
        return false;
    bool isRead = operands->contains(load.getSource());
    for (const LinearIndex &index : Access(load).indices)
      if (isRead && !isRegular(row, index, row, row))
        return false;
  }
  int64_t bytes = 0;
  for (auto &[array, operand] : *operands)
    bytes += (kPairDepth + 4) * operand.countElements() *
             kernel::getElementBytes(array);
  if (bytes > kPairBytes)
    return false;
  for (auto [shares, most] : kPairSplits) {
    if (shares * 32 > maxThreads)
      continue;
    // Lanes read each term at once; a thread takes four neighbours.
    setDigits(row, {{LevelKind::Block, 0}, {LevelKind::Thread, 32}});
    setDigits(fold,
              {{LevelKind::Seq, 0},
               {LevelKind::Seq, rounds(fold) ? kRun : 1},
               {LevelKind::Thread, shares},
               {LevelKind::Unroll, 4}},
              0, 1);
    if (addVersion({most - 1 - rows, depth - kPairDepth}))
      return true;
    dropDigits({row, fold});
  }
  for (auto [outputs, least] : kPairShapes) {
    setDigits(row, {{LevelKind::Block, 0},
                    {LevelKind::Unroll, outputs},
                    {LevelKind::Thread, kPairThreads}});
    setDigits(fold, {{LevelKind::Seq, 0}, {LevelKind::Seq, kPairDepth}});
    wholeOrder = {getDigitName(row, 0), getDigitName(fold, 0)};
    for (unsigned digit : {2, 1})
      if (digit < dims[row.getDimAttr()].size())
        wholeOrder.push_back(getDigitName(row, digit));
    wholeOrder.push_back(getDigitName(fold, 1));
    for (auto &[array, operand] : *operands)
      stages.push_back(
          ClauseAttr::get(context, nameArray(array), getDigitName(fold, 0),
                          StringAttr::get(context, "shared"), 0, false, true));
    if (addVersion({rows - least, depth - kPairDepth}))
      return true;
    stages.clear();
    wholeOrder.clear();
    dropDigits({row, fold});
  }
  return false;
}
