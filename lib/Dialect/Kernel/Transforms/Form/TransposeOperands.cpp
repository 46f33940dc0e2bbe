//===- TransposeOperands.cpp - Operands of products in the order of lanes -===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. Lanes of a CPU run along the columns of what a product stores. An
// operand that moves along them, and whose neighbours in memory are other ones,
// is gathered element by element, as often as the product has rows: it is
// written once the other way round instead, if there are many.
//
// Before   kernel.launch @f (.., %B[%M, %K] = %b) outs (%C[%N, %M] = %c) {
//            kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
//              kernel.for "l" (%l) in %K reduce { .. %B[%j, %l] .. } } } }
// After    scf.if (%n >= 64 and %m >= 16) {
//            %t = memref.alloc(%k, %m)
//            kernel.launch @f_transpose (..) outs (%T[%K, %M] = %t) {
//              %T[%l, %j] = %B[%j, %l] }
//            kernel.launch @f (.., %T[%K, %M] = %t) { .. %T[%l, %j] .. }
//          } else { the launch as it was }
//
// On a card the tiles of products are staged on chip. Its lanes run along the
// scan of what they store side by side, and an operand whose neighbours are
// those of another loop is read a sector an element: it is written the other
// way round as well, which goes over memory once more, in tiles.
//
//===----------------------------------------------------------------------===//

#include "../Plan/CPU.h"
#include "../Shared/HostSlice.h"
#include "../Shared/LaunchBuilder.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Analysis/Coalescing.h"
#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/BitVector.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_TRANSPOSEOPERANDSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Columns that lanes pay for.
static constexpr int64_t kLeastColumns = 16;
/// How often an element is read by a product that has lanes as it is, along its
/// fold, and by one that has none, so that writing it anew costs less.
static constexpr int64_t kReadsInLanes = 64, kReadsAlone = 4;
/// Steps of a scan whose lanes read across, below which a thread has one, and
/// neighbours in memory that they leave out.
static constexpr int64_t kLeastSteps = 64, kLeastLeftOut = 16;

namespace {
/// An array that is read across the lanes.
struct Operand {
  BlockArgument array;
  /// The dimension of it along which the lanes are.
  unsigned across;
  SmallVector<LoadOp> loads;
  /// The loops around that read all of it again.
  SmallVector<ForOp> repeats;
};

/// What lanes along the columns of a launch would gather.
struct Gathered {
  /// The loop along what is stored side by side.
  ForOp columns;
  SmallVector<Operand> operands;
  /// Whether folds have lanes without copies.
  bool hasLanes = true;
};
} // namespace

/// The dimensions of an array with `across` behind the others.
static SmallVector<unsigned> turn(unsigned rank, unsigned across) {
  SmallVector<unsigned> order;
  for (unsigned dim = 0; dim < rank; ++dim)
    if (dim != across)
      order.push_back(dim);
  order.push_back(across);
  return order;
}

/// The loop around `op` whose index `index` is, displaced by a number or not;
/// null if it is something else.
static ForOp getLoopOfIndex(const LinearIndex &index, Operation *op) {
  if (index.getTerms().size() != 1 || index.getTerms()[0].second != 1)
    return {};
  for (ForOp loop : getLoopsAround(op))
    if (loop.getInductionVar() == index.getTerms()[0].first)
      return loop;
  return {};
}

/// The parallel loop, or the scan, along which all stores write neighbours;
/// null if there is none.
static ForOp findColumns(ArrayRef<Access> accesses, bool isScan) {
  ForOp columns;
  for (const Access &access : accesses) {
    if (!access.writes)
      continue;
    if (!isa<StoreOp>(access.op) || access.indices.empty())
      return {};
    ForOp along = getLoopOfIndex(access.indices.back(), access.op);
    if (!along || (isScan ? !along.isScan() : !along.isParallel()) ||
        (columns && along != columns))
      return {};
    columns = along;
  }
  return columns;
}

/// What `access` reads across the lanes along `columns`, if it reads all of an
/// array that is not written, an element a point.
static std::optional<Operand>
matchOperand(LaunchOp launch, const Access &access, ForOp columns) {
  auto load = dyn_cast<LoadOp>(access.op);
  auto array = dyn_cast<BlockArgument>(access.array);
  if (!load || load.getMask() || load.getEdge() || !array ||
      array.getArgNumber() >= launch.getNumInputs() ||
      !llvm::all_of(array.getUsers(), llvm::IsaPred<LoadOp>) ||
      llvm::is_contained(launch.getOuts(), launch.getOperandOf(array).get()))
    return std::nullopt;
  Operand operand{array, 0, {load}, {}};
  llvm::SmallDenseSet<Operation *> used;
  for (auto [dim, index] : llvm::enumerate(access.indices)) {
    ForOp loop = getLoopOfIndex(index, load);
    if (!loop || !used.insert(loop).second)
      return std::nullopt;
    // Extents that other loops decide are about half of the size.
    if (loop.getMixedExtent() != launch.getSize(array, dim) &&
        isKnownToHost(launch, loop.getMixedExtent()))
      return std::nullopt;
    if (loop == columns)
      operand.across = dim;
  }
  for (ForOp loop : getLoopsAround(load))
    if (loop.isParallel() && !used.contains(loop) &&
        isKnownToHost(launch, loop.getMixedExtent()))
      operand.repeats.push_back(loop);
  return operand;
}

/// Adds `found`, or its load to those of an operand that is known.
static void add(const Operand &found, SmallVectorImpl<Operand> &operands) {
  auto *known = llvm::find_if(operands, [&](const Operand &other) {
    return other.array == found.array && other.across == found.across;
  });
  if (known == operands.end())
    operands.push_back(found);
  else
    known->loads.push_back(found.loads.front());
}

/// Whether lanes along `fold` read neighbours, or what stays.
static bool foldsInLanes(ForOp fold) {
  Variation variation(fold);
  AccessScore score = scoreAccesses(fold, variation);
  return mayRunInLanes(fold, variation) && score.contiguous > 0 &&
         score.gathers + score.chained == 0;
}

static bool isPlanned(LaunchOp launch) {
  return launch.getScheduleAttr() || launch.getVersionsAttr() ||
         launch.isScheduled();
}

/// What lanes along the scan of a launch read across.
static std::optional<Gathered> matchScan(LaunchOp launch) {
  // Loops on the device have no branches, and keep what they allocate.
  if (isPlanned(launch) || launch->getParentOfType<LoopLikeOpInterface>())
    return std::nullopt;
  AccessPattern pattern(launch);
  Gathered gathered;
  gathered.columns = findColumns(pattern.getAccesses(), /*isScan=*/true);
  if (!gathered.columns || hasInnerLoop(gathered.columns) ||
      !isKnownToHost(launch, gathered.columns.getMixedExtent()))
    return std::nullopt;
  Value step = gathered.columns.getInductionVar();
  for (const Access &access : pattern.getAccesses()) {
    auto moves = [&](const LinearIndex &index) {
      return index.getCoefficient(step) != 0;
    };
    if (access.writes || llvm::none_of(access.getRow(), moves))
      continue;
    std::optional<Operand> found =
        matchOperand(launch, access, gathered.columns);
    if (!found)
      return std::nullopt;
    add(*found, gathered.operands);
  }
  if (gathered.operands.empty())
    return std::nullopt;
  return gathered;
}

/// What lanes along the columns of a launch would gather for its folds.
static std::optional<Gathered> match(LaunchOp launch) {
  if (isPlanned(launch))
    return std::nullopt;
  AccessPattern pattern(launch);
  Gathered gathered;
  gathered.columns = findColumns(pattern.getAccesses(), /*isScan=*/false);
  if (!gathered.columns || !mayRunInLanes(gathered.columns) ||
      !isKnownToHost(launch, gathered.columns.getMixedExtent()))
    return std::nullopt;
  Variation variation(gathered.columns);
  for (const Access &access : pattern.getAccesses()) {
    auto moves = [&](const LinearIndex &index) {
      return llvm::any_of(index.getTerms(), [&](const LinearIndex::Term &term) {
        return variation.contains(term.first);
      });
    };
    if (access.writes || llvm::none_of(access.indices, moves))
      continue;
    // Neighbours for neighbouring lanes.
    if (access.indices.back().getCoefficient(
            gathered.columns.getInductionVar()) == 1 &&
        llvm::none_of(access.getRow(), moves))
      continue;
    auto fold = access.op->getParentOfType<ForOp>();
    if (!fold || !fold.isReduce() || hasInnerLoop(fold))
      return std::nullopt;
    std::optional<Operand> found =
        matchOperand(launch, access, gathered.columns);
    if (!found || found->repeats.empty())
      return std::nullopt;
    gathered.hasLanes &= foldsInLanes(fold);
    add(*found, gathered.operands);
  }
  if (gathered.operands.empty())
    return std::nullopt;
  return gathered;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {
class OperandTransposer {
public:
  OperandTransposer(IRRewriter &rewriter, LaunchOp launch, Gathered &gathered)
      : rewriter(rewriter), launch(launch), gathered(gathered),
        loc(launch.getLoc()) {}

  void run();

private:
  /// Whether columns are many and every operand is read often enough.
  Value createCondition();
  /// Whether a scan is long, and lanes leave out much of its operands.
  Value createScanCondition();
  Value createSize(OpFoldResult extent) {
    return getValueOrCreateConstantIndexOp(
        rewriter, loc, computeOnHost(rewriter, launch, extent, host));
  }
  Value createNumber(int64_t number) {
    return arith::ConstantIndexOp::create(rewriter, loc, number);
  }
  Value isAtLeast(Value value, int64_t least) {
    return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::uge,
                                 value, createNumber(least));
  }
  /// A buffer with the operand the other way round, and the launch that writes
  /// it.
  Value createTransposed(const Operand &operand, StringRef name);
  /// Has the loads of `operand` read it.
  void read(const Operand &operand, Value transposed);

  IRRewriter &rewriter;
  LaunchOp launch;
  Gathered &gathered;
  Location loc;
  IRMapping host;
};
} // namespace

Value OperandTransposer::createScanCondition() {
  Value all =
      isAtLeast(createSize(gathered.columns.getMixedExtent()), kLeastSteps);
  for (const Operand &operand : gathered.operands) {
    unsigned last = cast<MemRefType>(operand.array.getType()).getRank() - 1;
    Value size = getValueOrCreateConstantIndexOp(
        rewriter, loc, launch.getOuterSize(operand.array.getArgNumber(), last));
    all = arith::AndIOp::create(rewriter, loc, all,
                                isAtLeast(size, kLeastLeftOut));
  }
  return all;
}

Value OperandTransposer::createCondition() {
  Value all =
      isAtLeast(createSize(gathered.columns.getMixedExtent()), kLeastColumns);
  int64_t least = gathered.hasLanes ? kReadsInLanes : kReadsAlone;
  for (const Operand &operand : gathered.operands) {
    // Factors above the least are as good as the least: nothing overflows.
    auto atMost = [&](Value factor) -> Value {
      return arith::MinUIOp::create(rewriter, loc, factor, createNumber(least));
    };
    Value reads;
    for (ForOp loop : operand.repeats) {
      Value factor = atMost(createSize(loop.getMixedExtent()));
      reads = reads
                  ? atMost(arith::MulIOp::create(rewriter, loc, reads, factor))
                  : factor;
    }
    all = arith::AndIOp::create(rewriter, loc, all, isAtLeast(reads, least));
  }
  return all;
}

Value OperandTransposer::createTransposed(const Operand &operand,
                                          StringRef name) {
  unsigned from = operand.array.getArgNumber();
  auto type = cast<MemRefType>(operand.array.getType());
  SmallVector<unsigned> order = turn(type.getRank(), operand.across);
  SmallVector<int64_t> shape;
  SmallVector<Value> sizes, inputs;
  SmallVector<int64_t> source(type.getRank()), target;
  SmallVector<SmallVector<int64_t>> lists;
  for (unsigned dim : order) {
    OpFoldResult size = launch.getOuterSize(from, dim);
    if (std::optional<int64_t> known = getConstantIntValue(size)) {
      shape.push_back(*known);
      target.push_back(*known);
    } else {
      shape.push_back(ShapedType::kDynamic);
      sizes.push_back(cast<Value>(size));
      target.push_back(inputs.size());
      inputs.push_back(sizes.back());
      lists.emplace_back();
    }
    source[dim] = target.back();
  }
  Value buffer = createWorkspace(
      rewriter, loc, MemRefType::get(shape, type.getElementType()), sizes);
  inputs.push_back(launch.getInputs()[from]);
  lists.push_back(source);
  lists.push_back(target);
  auto copy = LaunchOp::create(rewriter, loc, name, inputs, buffer, lists);
  OpBuilder::InsertionGuard guard(rewriter);
  BlockArgument old = copy.getArgument(inputs.size() - 1);
  BlockArgument made = copy.getArgument(inputs.size());
  rewriter.setInsertionPoint(copy.getBodyBlock()->getTerminator());
  SmallVector<Value> read(type.getRank()), written;
  for (auto [place, dim] : llvm::enumerate(order)) {
    auto loop = ForOp::create(rewriter, loc, ("d" + Twine(dim)).str(),
                              copy.getSize(made, place));
    written.push_back(read[dim] = loop.getInductionVar());
    rewriter.setInsertionPoint(loop.getBodyBlock()->getTerminator());
  }
  Value value = LoadOp::create(rewriter, loc, old, read);
  StoreOp::create(rewriter, loc, value, made, written);
  return buffer;
}

void OperandTransposer::read(const Operand &operand, Value transposed) {
  SmallVector<unsigned> order =
      turn(cast<MemRefType>(operand.array.getType()).getRank(), operand.across);
  SmallVector<int64_t> sizes;
  for (unsigned dim : order)
    sizes.push_back(launch.getSizesOf(operand.array.getArgNumber())[dim]);
  BlockArgument argument = launch.addInput(transposed, sizes);
  for (LoadOp load : operand.loads) {
    SmallVector<Value> indices;
    for (unsigned dim : order)
      indices.push_back(load.getIndices()[dim]);
    rewriter.modifyOpInPlace(load, [&] {
      load.getSourceMutable().assign(argument);
      load.getIndicesMutable().assign(indices);
    });
  }
}

void OperandTransposer::run() {
  rewriter.setInsertionPoint(launch);
  Value pays =
      gathered.columns.isScan() ? createScanCondition() : createCondition();
  auto branch = scf::IfOp::create(rewriter, loc, pays,
                                  /*withElseRegion=*/true);
  rewriter.setInsertionPoint(branch.elseYield());
  rewriter.clone(*launch);
  rewriter.moveOpBefore(launch, branch.thenYield());
  rewriter.setInsertionPoint(launch);
  SmallVector<Value> buffers;
  for (auto [number, operand] : llvm::enumerate(gathered.operands)) {
    std::string name = launch.getKernelName().str();
    name += ("_transpose" + (number ? Twine(number + 1) : Twine())).str();
    buffers.push_back(createTransposed(operand, name));
  }
  for (auto [operand, buffer] : llvm::zip(gathered.operands, buffers))
    read(operand, buffer);
  llvm::BitVector unused(launch.getBodyBlock()->getNumArguments());
  for (const Operand &operand : gathered.operands)
    if (operand.array.use_empty())
      unused.set(operand.array.getArgNumber());
  launch.eraseArguments(unused);
  rewriter.setInsertionPointAfter(launch);
  for (Value buffer : buffers)
    memref::DeallocOp::create(rewriter, loc, buffer);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct TransposeOperandsPass
    : public arrc::kernel::impl::TransposeOperandsPassBase<
          TransposeOperandsPass> {
  void runOnOperation() override {
    bool isCard = isGPU(DeviceAttr::get(getOperation()));
    SmallVector<LaunchOp> launches;
    getOperation().walk([&](LaunchOp launch) { launches.push_back(launch); });
    IRRewriter rewriter(&getContext());
    for (LaunchOp launch : launches)
      if (std::optional<Gathered> gathered =
              isCard ? matchScan(launch) : match(launch))
        OperandTransposer(rewriter, launch, *gathered).run();
  }
};
} // namespace
