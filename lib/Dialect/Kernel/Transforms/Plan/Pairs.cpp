//===- Pairs.cpp - Folds over what outputs share --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A fold over what does not depend on the output (all pairs) shares it between
// the lanes of a warp, which read the same term at once, and between the
// outputs of a thread, which takes several terms in a row; the warps of a block
// share the terms:
//
//   y[i] = sum for j { f(x[i], x[j]) }
//   i = [block.0, unroll 4, thread.x 32], j = [seq, seq 16, thread.y 16, unroll
//   4], order = [i.0, i.2, i.1, j.2, j.0, j.1, j.3]
//
// The fewer outputs there are, the fewer has a thread, so that no
// multiprocessor is left without a block. Terms come from the first cache: a
// warp's load of a term is one request there as on chip, without barriers.
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
  ForOp terms = findOnlyFold(row, /*stores=*/true);
  ForOp inner = terms ? findOnlyFold(terms, /*stores=*/false) : ForOp();
  if (!inner || !isHostExtent(terms) || !isHostExtent(inner) ||
      hasInnerLoop(inner) || !mayBeJammed(row) || holds<scf::IfOp>(row))
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

/// Lanes that read a term at once, and outputs of a thread where blocks are
/// enough.
static constexpr int64_t kPairLanes = 32, kPairOutputs = 2;
/// Terms that a thread takes in a row, and threads that share the terms of some
/// outputs of a thread or of one. What is under way of each pair has registers
/// of its own: outputs of many words have half as many of both, and a block of
/// all threads half as many terms.
static constexpr int64_t kPairTerms = 8, kPairShares = 16, kMorePairShares = 32;
static constexpr int64_t kFewPairWords = 8;

static int64_t countWords(Type type) {
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 32);
}

/// Words that an output along `row` has for itself: its operands, and the
/// results of `fold`. Nothing if what `fold` reads moves along both, or
/// something else stands in the way.
static std::optional<int64_t> countOwnWords(ForOp row, ForOp fold) {
  int64_t words = 0;
  bool readsTerms = false;
  SmallVector<ForOp> both = {row, fold};
  AccessPattern pattern(fold);
  for (const Access &access : pattern.getAccesses()) {
    auto load = dyn_cast<LoadOp>(access.op);
    if (!load || !isa<BlockArgument>(access.array) || load.getEdge() ||
        load.getMask() || access.indices.empty())
      return std::nullopt;
    if (!Product::moves(access.indices, fold)) {
      words += countWords(load.getType());
      continue;
    }
    for (const LinearIndex &index : access.indices)
      if (index.getCoefficient(row.getInductionVar()) != 0 ||
          !isRegular(both, index, fold, fold))
        return std::nullopt;
    readsTerms = true;
  }
  if (!readsTerms)
    return std::nullopt;
  for (auto load : row.getBodyBlock()->getOps<LoadOp>())
    words += countWords(load.getType());
  for (Type type : fold.getResultTypes())
    words += countWords(type);
  return words;
}

bool DevicePlanner::planAllPairs(ArrayRef<ForOp> nest) {
  ForOp row = nest.back();
  if (!hasOneRoot || nest.size() != 1 || !row.isParallel() ||
      !isHostExtent(row))
    return false;
  ForOp fold = findOnlyFold(row, /*stores=*/true);
  if (!fold || hasInnerLoop(fold) || !mayBeJammed(fold) ||
      holds<scf::IfOp>(fold) || !isHostExtent(fold) ||
      !llvm::all_of(fold.getResultTypes(),
                    [](Type type) { return type.isIntOrFloat(); }))
    return false;
  std::optional<int64_t> words = countOwnWords(row, fold);
  AffineExpr rows = getSize(row), depth = getSize(fold);
  if (!words || !rows || !depth || maxThreads < 2 * kPairLanes)
    return false;
  int64_t part = *words > kFewPairWords ? 2 : 1;
  int64_t shares = 0, terms = 0;
  auto plan = [&](int64_t outputs) {
    shares = std::min((outputs > 1 ? kPairShares : kMorePairShares) / part,
                      maxThreads / kPairLanes);
    terms = kPairTerms / (outputs > 1 ? part : 2);
    SmallVector<std::pair<LevelKind, int64_t>> digits = {
        {LevelKind::Block, 0}, {LevelKind::Thread, kPairLanes}};
    if (outputs > 1)
      digits.insert(digits.begin() + 1, {LevelKind::Unroll, outputs});
    setDigits(row, digits);
    int64_t run = rounds(fold) ? kRun : 1;
    setDigits(fold,
              {{LevelKind::Seq, 0},
               {LevelKind::Seq, run},
               {LevelKind::Thread, shares},
               {LevelKind::Unroll, terms}},
              0, 1);
    unsigned thread = run > 1 ? 2 : 1;
    wholeOrder = {getDigitName(row, 0)};
    for (unsigned digit : llvm::reverse(llvm::seq<unsigned>(1, digits.size())))
      wholeOrder.push_back(getDigitName(row, digit));
    wholeOrder.push_back(getDigitName(fold, thread));
    for (unsigned digit : llvm::seq<unsigned>(0, thread))
      wholeOrder.push_back(getDigitName(fold, digit));
    wholeOrder.push_back(getDigitName(fold, thread + 1));
    splitsOrdered = true;
  };
  plan(kPairOutputs);
  // Outputs of a round, in which each multiprocessor has a block: the last one
  // is nearly full, or one of many. Blocks of one output even out.
  int64_t round = units * kPairOutputs * kPairLanes;
  AffineExpr isLong = depth - shares * terms;
  if (addVersion({isLong, (rows - 1) % round - round * 7 / 8}) ||
      addVersion({isLong, rows - round * 7 / 2}))
    return true;
  plan(1);
  if (addVersion({depth - shares * terms}))
    return true;
  splitsOrdered = false;
  wholeOrder.clear();
  dropDigits({row, fold});
  return false;
}
