//===- Folds.cpp - Schedules of folds on devices --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Folds that are all that a launch does; those of rows are planned in
// RowFolds.cpp, those of columns in FoldColumns.cpp. They wait for memory
// alone: a thread asks for 64 to 128 bytes before it waits, in pieces of 16
// where rows are known to be aligned, and folds what came as one tree: it needs
// one accumulator, and many threads fit. Which version runs is decided by
// sizes, of which there are classes only.
//
//   root      blocks take spans of neighbours and are many; the last one folds
//             their results.
//             i = [block.0, seq 8, unroll 4, thread.x 256, vector 4]
//             Long arrays: seq 4, unroll 16, which asks for 256 bytes a thread
//             (1 to 2 % on an H200, where fewer threads then fit)
//             Neighbours that share what is computed of a quotient of their
//             index (four random numbers are one block of words) are one
//             thread's: i = [block.0, seq 8, unroll 2, thread.x 256, unroll 4]
//
// Sums of floats run in two levels: a thread adds 16 steps before it adds their
// sum to what it has, as pairwise sums of arrays do.
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Judge.h"

#include "../Shared/NestScalars.h"

#include "arrc/Support/Combiner.h"
#include "arrc/Support/StoredBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Steps of a thread in a fold at the root, and in one of a long array.
static constexpr int64_t kSpan = 8, kLongSpan = 4;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

ForOp DevicePlanner::findRaisableFold(ArrayRef<ForOp> nest, bool jams) {
  ForOp fold;
  Block *body = ForOp(nest.back()).getBodyBlock();
  for (Operation &op : body->without_terminator()) {
    if (auto loop = dyn_cast<ForOp>(op)) {
      if (fold || !loop.isReduce())
        return {};
      fold = loop;
    } else if (op.getNumRegions() && !isa<UpdateOp>(op)) {
      return {};
    }
  }
  if (!fold || !isCommutativeCombiner(fold.getCombiner()) ||
      (jams && !mayBeJammed(fold)) ||
      !llvm::all_of(llvm::make_range(body->begin(), fold->getIterator()),
                    [&](Operation &op) { return mayBeRepeated(&op, fold); }))
    return {};
  SmallVector<ForOp> folds = getNest(fold);
  if (hasInnerLoop(folds.back()))
    return {};
  for (Type type : fold.getResultTypes())
    if (!type.isIntOrIndexOrFloat())
      return {};
  for (ForOp loop : folds)
    if (!isHostExtent(loop))
      return {};
  for (ForOp loop : nest)
    if (!isHostExtent(loop) || !loop.isParallel())
      return {};
  return fold;
}

//===----------------------------------------------------------------------===//
// Profitability
//===----------------------------------------------------------------------===//

/// Bytes that a thread asks for before it waits: a multiprocessor that holds
/// 1536 threads then has about 96 KB under way.
static constexpr int64_t kFlightBytes = 64;
/// The same where an array is so long that blocks of this many bytes a thread
/// are many.
static constexpr int64_t kManyFlightBytes = 256;
static constexpr int64_t kManyBlocks = 1024;
/// Elements that a thread takes together at most.
static constexpr int64_t kMostCopies = 16;

/// Bytes that `load` reads from an array; 0 if it reads something else.
static int64_t getArrayBytes(LoadOp load) {
  auto type = cast<MemRefType>(load.getSource().getType());
  bool isArray = type.getRank() && !load.getSource().getDefiningOp<LocalOp>();
  return isArray ? getStoredBytes(type.getElementType()) : 0;
}

int64_t arrc::kernel::getLoadBytes(ForOp loop) {
  int64_t bytes = 0;
  loop.getBody().walk([&](LoadOp load) { bytes += getArrayBytes(load); });
  return std::max<int64_t>(bytes, 1);
}

bool arrc::kernel::readsNarrow(ForOp loop) {
  bool isNarrow = false;
  loop.getBody().walk([&](LoadOp load) {
    int64_t bytes = getArrayBytes(load);
    isNarrow |= bytes > 0 && bytes < kWordBytes;
  });
  return isNarrow;
}

int64_t arrc::kernel::getFoldCopies(ForOp loop, int64_t width) {
  if (!mayBeJammed(loop) || hasInnerLoop(loop) || isExpensive(loop))
    return 1;
  int64_t wanted = kFlightBytes / (getLoadBytes(loop) * width);
  int64_t most = std::min<int64_t>(kMostCopies / width, 8);
  return std::max<int64_t>(llvm::bit_floor<uint64_t>(std::min(wanted, most)),
                           1);
}

/// Consecutive iterations of `loop` that share what the body of `last` computes
/// of a quotient of its index, if a thread can take them together and memory
/// does not want them to be neighbouring threads'; else 1.
static int64_t getSharingNeighbours(ForOp loop, ForOp last) {
  int64_t group = 1;
  if (countLoads(last))
    return group;
  auto join = [&](Value index, int64_t divisor) {
    if (divisor > group && divisor <= 8 &&
        std::abs(LinearIndex(index).getCoefficient(loop.getInductionVar())) ==
            1)
      group = divisor;
  };
  last.getBody().walk([&](Operation *op) {
    APInt number;
    if (op->getNumOperands() != 2 ||
        !matchPattern(op->getOperand(1), m_ConstantInt(&number)) ||
        number.getActiveBits() > 32)
      return;
    int64_t right = number.getZExtValue();
    if (isa<arith::ShRSIOp, arith::ShRUIOp>(op) && right < 4)
      join(op->getOperand(0), int64_t(1) << right);
    else if (isa<arith::FloorDivSIOp, arith::DivSIOp, arith::DivUIOp>(op) &&
             llvm::isPowerOf2_64(right))
      join(op->getOperand(0), right);
  });
  return group;
}

void DevicePlanner::setFold(ForOp fold, DigitList list, unsigned blockAxis,
                            unsigned threadAxis) {
  SmallVector<std::pair<LevelKind, int64_t>> used(list);
  llvm::erase(used, std::make_pair(LevelKind::Block, int64_t(1)));
  setDigits(fold, used, blockAxis, threadAxis);
  raiseFolds(fold);
}

void DevicePlanner::raiseFolds(ArrayRef<ForOp> nest) {
  for (ForOp loop : nest) {
    if (!loop.isReduce())
      continue;
    trees.insert(loop.getDim());
    for (auto [k, digit] : llvm::enumerate(dims[loop.getDimAttr()]))
      if (digit.getLevel().getKind() == LevelKind::Block)
        raised.insert(getDigitName(loop, k));
  }
}

//===----------------------------------------------------------------------===//
// Folds of single threads
//===----------------------------------------------------------------------===//

void DevicePlanner::unrollInnerFolds(ForOp around) {
  around.getBody().walk([&](ForOp loop) {
    bool simple = loop.isReduce() && !hasInnerLoop(loop) && mayBeJammed(loop) &&
                  !isExpensive(loop) && countLoads(loop) <= 4 &&
                  isCommutativeCombiner(loop.getCombiner()) &&
                  loop->getParentOp() == around &&
                  !dims.count(loop.getDimAttr());
    unsigned sharing = 0;
    launch.getBody().walk([&](ForOp other) {
      sharing += other.getDimAttr() == loop.getDimAttr();
    });
    std::optional<int64_t> extent = loop.getStaticExtent();
    bool isLong = !extent || *extent > 16 * kRun;
    if (simple && sharing == 1 && (!extent || *extent >= 16))
      setDigits(loop, {{LevelKind::Seq, 0},
                       {LevelKind::Seq, isLong && rounds(loop) ? kRun : 1},
                       {LevelKind::Unroll, 4}});
  });
}

//===----------------------------------------------------------------------===//
// Folds at the root
//===----------------------------------------------------------------------===//

void DevicePlanner::planFold(ArrayRef<ForOp> nest) {
  ForOp first = nest.front(), last = nest.back();
  int64_t threads = getThreads();
  if (!isCommutativeCombiner(first.getCombiner())) {
    setDigits(first, {{LevelKind::Block, getFixedBlocks()},
                      {LevelKind::Thread, threads},
                      {LevelKind::Seq, 0}});
    for (ForOp loop : nest.drop_front())
      setDigits(loop, {{LevelKind::Seq, 0}});
    return;
  }
  unsigned along = findLane(nest);
  bool jams = mayBeJammed(last) && !hasInnerLoop(last);
  int64_t group = 1;
  for (unsigned k = 0; jams && k < nest.size(); ++k)
    if (int64_t found = getSharingNeighbours(nest[k], last); found > group) {
      group = found;
      along = k;
    }
  ForOp lane = nest[along];
  int64_t width = jams && nest.size() == 1 ? getVectorWidth(lane) : 1;
  int64_t copies = std::max<int64_t>(getFoldCopies(last, width) / group, 1);
  // What threads take together of neighbours: by one access, or one by one.
  if (width > 1)
    group = 1;
  int64_t x = getUsefulThreads(
      lane, nest.size() == 1 ? threads : std::min<int64_t>(threads, 32));
  auto getBlocks = [&](ForOp loop, int64_t step) {
    std::optional<int64_t> extent = loop.getStaticExtent();
    if (!extent)
      return getFixedBlocks();
    return std::clamp<int64_t>(llvm::divideCeil(*extent, step), 1,
                               getFixedBlocks());
  };
  if (nest.size() == 1) {
    int64_t step = x * width * group * copies;
    trees.insert(first.getDim());
    // Blocks take spans of neighbours and are many, so that none waits long for
    // the others; short arrays spread over all of the device.
    AffineExpr length = getSize(first);
    if (length && jams && isHostExtent(first)) {
      auto plan = [&](int64_t span, int64_t copies) {
        setDigits(first, {{LevelKind::Block, 0},
                          {LevelKind::Seq, span},
                          {LevelKind::Unroll, copies},
                          {LevelKind::Thread, x},
                          {LevelKind::Unroll, group},
                          {LevelKind::Vector, width}});
      };
      plan(1, copies);
      if (addVersion(2 * getFixedBlocks() * step - length))
        return;
      plan(kSpan, copies);
      // Long arrays: fewer blocks, and few threads that ask for much hide as
      // much of the memory's latency as many that ask for little.
      int64_t many = kManyFlightBytes / (getLoadBytes(last) * width);
      if (width > 1 && many > copies && copies > 1 &&
          !addVersion(kManyBlocks * kLongSpan * many * x * width - length))
        plan(kLongSpan, many);
      return;
    }
    std::optional<int64_t> extent = first.getStaticExtent();
    bool isLong = !extent || *extent > kRun * getFixedBlocks() * step;
    setDigits(first, {{LevelKind::Seq, 0},
                      {LevelKind::Seq, rounds(first) && isLong ? kRun : 1},
                      {LevelKind::Block, getBlocks(first, step)},
                      {LevelKind::Unroll, copies},
                      {LevelKind::Thread, x},
                      {LevelKind::Unroll, group},
                      {LevelKind::Vector, width}});
    return;
  }
  // Blocks and thread.y along one other dimension, the rest in order.
  ForOp spread = along == 0 ? nest[1] : first;
  int64_t y = getUsefulThreads(spread, threads / x);
  for (ForOp loop : nest) {
    if (loop == lane)
      setDigits(loop,
                {{LevelKind::Seq, 0},
                 {LevelKind::Seq, rounds(loop) ? kRun : 1},
                 {LevelKind::Unroll, copies},
                 {LevelKind::Thread, x},
                 {LevelKind::Unroll, group}},
                0, 0);
    else if (loop == spread)
      setDigits(loop,
                {{LevelKind::Seq, 0},
                 {LevelKind::Block, getBlocks(loop, y)},
                 {LevelKind::Thread, y}},
                0, 1);
    else
      setDigits(loop, {{LevelKind::Seq, 0}});
  }
}
