//===- SplitColumns.cpp - Long columns or rows: a launch for each loop ----===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. Several loops over a column in one kernel read it once, but a block has
// whole columns: where these are few and long, most of the device has nothing
// to do. Apart, each loop is spread over all of it. So it is with rows, which a
// block does not keep if they are that long.
//
// Before   launch { for j in %m { %s = for i in %n reduce { .. }
//                                for i in %n { .. %s .. } } }
// After    scf.if (%m is small, %n large) {
//            launch (outs %w) { for j { %s = for i reduce { .. }
//                                       store %s, %w[j] } }
//            launch (%w) { for j { for i { .. (load %w[j]) .. } } }
//          } else { launch as it was }
//
// Where what is computed of columns is folded in turn (a sum of everything
// beside those of rows), the fold around them is the last launch:
//
// Before   launch { %t = for j in %m reduce { %s = for i in %n reduce { .. } }
// } After    launch (outs %w) { for j { %s = for i reduce { .. }
//                                     store %s, %w[j] } }
//          launch (%w) { %t = for j in %m reduce { load %w[j] } }
//
// Only numbers pass from one launch to the next, an element a column: what a
// loop computes for another along the column is computed again. What follows
// from numbers of folds alone (a mean of a sum, the reciprocal of a root) is
// computed once a column, by the launch of the last of these folds, instead of
// once an element. A launch without a fold walks columns in the order of
// memory, row by row.
//
// Legal as the loops around are parallel: of two columns neither waits for the
// other. Pays for columns that a device does not keep on chip, and on a CPU
// where tasks of whole columns are less than half of the workers; for rows less
// than two of each multiprocessor, if a block has so much to do that further
// launches are nothing beside it.
//
// Source: loop distribution (Allen and Kennedy, "Optimizing Compilers for
// Modern Architectures", 5.6).
//
//===----------------------------------------------------------------------===//

#include "../Shared/HostSlice.h"
#include "../Shared/LaunchBuilder.h"
#include "../Shared/NestScalars.h"
#include "../Shared/RowReuse.h"
#include "Columns.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/SetVector.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_SPLITCOLUMNSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Whether some operation of the launch writes `array`.
static bool isWritten(LaunchOp launch, Value array) {
  bool written = false;
  launch.getBody().walk([&](Operation *op) {
    if (!Access::isAccess(op))
      return;
    Access access(op);
    written |= access.writes && access.array == array;
  });
  return written;
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

namespace {
/// Makes a launch of each loop of a column.
class ColumnSplitter {
public:
  ColumnSplitter(IRRewriter &rewriter, LaunchOp launch, Columns columns)
      : rewriter(rewriter), launch(launch), columns(std::move(columns)) {}

  /// Whether every number that passes between loops is one of a fold, or can be
  /// computed or loaded again.
  bool canSplit();
  void run();

private:
  /// What the launch of loop `part` holds, besides the loops around it.
  llvm::SetVector<Operation *> collect(unsigned part);
  bool collectOf(Operation *op, unsigned part,
                 llvm::SetVector<Operation *> &needed);
  void createPart(unsigned part);
  /// Numbers in buffers that the launch of loop `part` makes.
  SmallVector<Value> getNumbers(unsigned part);
  /// Clones what is needed of the body of loop `depth` of the nest.
  void cloneBody(unsigned depth, unsigned part,
                 const llvm::SetVector<Operation *> &needed,
                 LaunchBuilder &builder, IRMapping &mapping);
  /// The operation of the innermost body that goes with loop `part`: the loop
  /// itself, and stores behind it.
  unsigned getPart(Operation *op);
  /// Behind those of its loops, one launch folds the columns if that is done.
  unsigned getNumParts() const { return columns.walks.size() + columns.folded; }
  bool isFold(unsigned part) const { return part == columns.walks.size(); }
  /// Takes what the loops do not change of numbers of folds out of them.
  void hoistNumbers();
  /// The last loop whose numbers `value` follows from by scalar operations
  /// alone, if there is one.
  std::optional<unsigned> findOrigin(Value value);
  /// Whether the launch of an earlier loop than `part` computes `op`.
  bool isComputedBefore(Operation *op, unsigned part);
  /// The loop around columns for `part`, at the insertion point.
  ForOp createAround(ForOp old, unsigned part, IRMapping &mapping);

  IRRewriter &rewriter;
  LaunchOp launch;
  Columns columns;
  /// A buffer for each number that later launches need.
  llvm::MapVector<Value, Value> buffers;
  /// Numbers that launches of loops compute for later ones behind their folds.
  llvm::SmallVector<llvm::SetVector<Operation *>> derived;
  SmallVector<Value> sizes;
};
} // namespace

unsigned ColumnSplitter::getPart(Operation *op) {
  unsigned part = 0;
  for (auto [number, walk] : llvm::enumerate(columns.walks))
    if (op == walk || walk->isBeforeInBlock(op))
      part = number;
  return part;
}

void ColumnSplitter::hoistNumbers() {
  for (ForOp walk : columns.walks)
    walk.getBody().walk([&](Operation *op) {
      bool follows = false, stays = isScalarOp(op) && isSpeculatable(op);
      for (Value operand : op->getOperands()) {
        stays &= walk.isDefinedOutsideOfLoop(operand);
        follows |= findOrigin(operand).has_value();
      }
      if (stays && follows)
        rewriter.moveOpBefore(op, walk);
    });
}

std::optional<unsigned> ColumnSplitter::findOrigin(Value value) {
  Operation *def = value.getDefiningOp();
  if (!def || def->getBlock() != ForOp(columns.nest.back()).getBodyBlock())
    return std::nullopt;
  if (auto walk = dyn_cast<ForOp>(def))
    return getPart(walk);
  if (!isScalarOp(def))
    return std::nullopt;
  std::optional<unsigned> last;
  for (Value operand : def->getOperands())
    if (std::optional<unsigned> part = findOrigin(operand))
      last = std::max(last.value_or(0), *part);
  return last;
}

bool ColumnSplitter::isComputedBefore(Operation *op, unsigned part) {
  if (isFold(part) || isa<ForOp>(op) || op->getNumResults() != 1 ||
      !op->getResult(0).getType().isIntOrFloat())
    return false;
  std::optional<unsigned> origin = findOrigin(op->getResult(0));
  return origin && *origin < part && ForOp(columns.walks[*origin]).isReduce();
}

bool ColumnSplitter::collectOf(Operation *op, unsigned part,
                               llvm::SetVector<Operation *> &needed) {
  bool known = true;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      Operation *def = operand.getDefiningOp();
      // Arguments, indices, and what is inside of `op`.
      if (!def || op->isAncestor(def) || needed.contains(def))
        continue;
      if (llvm::is_contained(columns.nest, def))
        continue;
      if (auto walk = dyn_cast<ForOp>(def)) {
        // A fold before: its result comes from a buffer.
        known &= walk.isReduce() && getPart(walk) < part;
        needed.insert(def);
        continue;
      }
      if (isComputedBefore(def, part)) {
        needed.insert(def);
        continue;
      }
      auto load = dyn_cast<LoadOp>(def);
      known &=
          isScalarOp(def) || (load && !isWritten(launch, Access(load).array));
      known = known && collectOf(def, part, needed);
    }
  });
  needed.insert(op);
  return known;
}

llvm::SetVector<Operation *> ColumnSplitter::collect(unsigned part) {
  llvm::SetVector<Operation *> needed;
  bool known = true;
  for (Operation &op :
       ForOp(columns.nest.back()).getBodyBlock()->without_terminator())
    if ((isa<ForOp>(op) || isa<StoreOp>(op)) && getPart(&op) == part)
      known &= collectOf(&op, part, needed);
  if (part < derived.size())
    for (Operation *op : derived[part])
      known &= collectOf(op, part, needed);
  if (isFold(part)) {
    for (ForOp loop : columns.nest) {
      known &= collectOf(loop.getYield(), part, needed);
      for (Value seed : loop.getSeeds())
        if (Operation *def = seed.getDefiningOp())
          known = known && isScalarOp(def) && collectOf(def, part, needed);
    }
    // What is done with the results; those are known there.
    for (Operation &op : launch.getBodyBlock()->without_terminator())
      if (isa<StoreOp>(op))
        known = known && collectOf(&op, part, needed);
  }
  // Extents of the loops around.
  for (ForOp loop : columns.nest)
    if (Value extent = loop.getExtent())
      if (Operation *def = extent.getDefiningOp())
        known = known && collectOf(def, part, needed);
  if (!known)
    needed.clear();
  return needed;
}

bool ColumnSplitter::canSplit() {
  hoistNumbers();
  derived.resize(columns.walks.size());
  // Later launches say what earlier ones compute for them.
  for (unsigned part = getNumParts(); part-- > 0;) {
    llvm::SetVector<Operation *> needed = collect(part);
    if (needed.empty())
      return false;
    for (Operation *op : needed)
      if (isComputedBefore(op, part))
        derived[*findOrigin(op->getResult(0))].insert(op);
  }
  return true;
}

/// Moves what only the loop of `index` uses from in front of it into it: the
/// loops around then hold nothing else.
static void sinkInto(IRRewriter &rewriter, Value index) {
  ForOp loop = getLoopOf(index);
  SmallVector<Operation *> before;
  for (Operation *op = loop->getPrevNode(); op; op = op->getPrevNode())
    before.push_back(op);
  for (Operation *op : before)
    if (llvm::all_of(op->getUsers(), [&](Operation *user) {
          return loop->isProperAncestor(user);
        }))
      rewriter.moveOpBefore(op, loop.getBodyBlock(),
                            loop.getBodyBlock()->begin());
}

/// Puts the loop around `inner`, both parallel, inside of it, if it holds
/// nothing else.
static void interchange(IRRewriter &rewriter, ForOp inner) {
  auto outer = cast<ForOp>(inner->getParentOp());
  if (!llvm::hasSingleElement(outer.getBodyBlock()->without_terminator()) ||
      (inner.getExtent() && !outer.isDefinedOutsideOfLoop(inner.getExtent())))
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  auto create = [&](ForOp old) {
    return ForOp::create(rewriter, old.getLoc(), old.getDim(),
                         old.getMixedExtent(), ForKind::Parallel, ValueRange(),
                         old.getLevelAttr());
  };
  rewriter.setInsertionPoint(outer);
  ForOp first = create(inner);
  rewriter.setInsertionPoint(first.getBodyBlock()->getTerminator());
  ForOp second = create(outer);
  rewriter.inlineBlockBefore(inner.getBodyBlock(), second.getBodyBlock(),
                             second.getBodyBlock()->begin(),
                             {first.getInductionVar()});
  // Two ends: that of the body came along.
  rewriter.eraseOp(second.getBodyBlock()->getTerminator());
  rewriter.replaceAllUsesWith(outer.getInductionVar(),
                              second.getInductionVar());
  rewriter.eraseOp(outer);
}

ForOp ColumnSplitter::createAround(ForOp old, unsigned part,
                                   IRMapping &mapping) {
  OpFoldResult extent = old.getMixedExtent();
  if (auto value = dyn_cast<Value>(extent))
    extent = mapping.lookupOrDefault(value);
  ForOp loop;
  if (!isFold(part)) {
    loop = ForOp::create(rewriter, old.getLoc(), old.getDim(), extent,
                         ForKind::Parallel, ValueRange(), old.getLevelAttr());
  } else {
    SmallVector<Value> seeds;
    for (Value seed : old.getSeeds())
      seeds.push_back(mapping.lookupOrDefault(seed));
    loop = createLoopLike(rewriter, old, old.getDim(), extent, seeds,
                          old.getLevelAttr());
    mapping.map(old.getResults(), loop.getResults());
  }
  mapping.map(old.getInductionVar(), loop.getInductionVar());
  return loop;
}

void ColumnSplitter::cloneBody(unsigned depth, unsigned part,
                               const llvm::SetVector<Operation *> &needed,
                               LaunchBuilder &builder, IRMapping &mapping) {
  Block *block = depth ? ForOp(columns.nest[depth - 1]).getBodyBlock()
                       : launch.getBodyBlock();
  SmallVector<Value> point;
  if (depth == columns.nest.size())
    for (ForOp loop : columns.nest)
      point.push_back(mapping.lookup(loop.getInductionVar()));
  for (Operation &op : block->without_terminator()) {
    if (depth < columns.nest.size() && &op == columns.nest[depth]) {
      ForOp old = columns.nest[depth];
      ForOp loop = createAround(old, part, mapping);
      OpBuilder::InsertionGuard guard(rewriter);
      if (isFold(part))
        rewriter.setInsertionPointToEnd(loop.getBodyBlock());
      else
        rewriter.setInsertionPoint(loop.getBodyBlock()->getTerminator());
      cloneBody(depth + 1, part, needed, builder, mapping);
      if (isFold(part))
        rewriter.clone(*old.getYield(), mapping);
      continue;
    }
    if (!needed.contains(&op))
      continue;
    auto walk = dyn_cast<ForOp>(op);
    if (walk ? getPart(walk) == part : !isComputedBefore(&op, part)) {
      rewriter.clone(op, mapping);
      continue;
    }
    for (Value result : op.getResults())
      if (buffers.contains(result) && builder.hasBuffer(buffers[result]))
        mapping.map(result, Value(LoadOp::create(
                                rewriter, op.getLoc(),
                                builder.getBuffer(buffers[result]), point)));
  }
  if (depth < columns.nest.size() || isFold(part))
    return;
  ForOp walk = columns.walks[part];
  sinkInto(rewriter, mapping.lookup(walk.getInductionVar()));
  for (Value result : getNumbers(part))
    StoreOp::create(rewriter, result.getLoc(), mapping.lookup(result),
                    builder.getBuffer(buffers[result]), point, Value());
  if (walk.isParallel() && !columns.along)
    interchange(rewriter, getLoopOf(mapping.lookup(walk.getInductionVar())));
}

SmallVector<Value> ColumnSplitter::getNumbers(unsigned part) {
  SmallVector<Value> numbers;
  for (auto &[number, buffer] : buffers)
    if (findOrigin(number) == part)
      numbers.push_back(number);
  return numbers;
}

void ColumnSplitter::createPart(unsigned part) {
  llvm::SetVector<Operation *> needed = collect(part);
  LaunchBuilder builder(launch);
  auto visit = [&](Value value, bool writes) {
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == launch.getBodyBlock())
      builder.use(argument, writes);
    if (buffers.contains(value) && findOrigin(value) != part)
      builder.useBuffer(buffers[value], sizes, /*writes=*/false);
  };
  for (Operation *op : needed) {
    if (isa<ForOp>(op) ? getPart(op) != part : isComputedBefore(op, part))
      continue;
    op->walk([&](Operation *inner) {
      Value dest;
      if (auto store = dyn_cast<StoreOp>(inner))
        dest = store.getDest();
      for (Value operand : inner->getOperands())
        visit(operand, operand == dest);
    });
  }
  for (ForOp loop : columns.nest)
    if (Value extent = loop.getExtent())
      visit(extent, /*writes=*/false);
  for (Value number : getNumbers(part))
    builder.useBuffer(buffers[number], sizes, /*writes=*/true);
  std::string name = launch.getKernelName().str();
  name += ("_loop" + Twine(part + 1)).str();
  IRMapping mapping;
  LaunchOp made = builder.create(rewriter, name, Value(), mapping);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(made.getBodyBlock()->getTerminator());
  cloneBody(0, part, needed, builder, mapping);
}

void ColumnSplitter::run() {
  Location loc = launch.getLoc();
  rewriter.setInsertionPoint(launch);
  IRMapping host;
  SmallVector<int64_t> shape;
  for (ForOp loop : columns.nest) {
    shape.push_back(loop.getStaticExtent().value_or(ShapedType::kDynamic));
    if (!loop.getStaticExtent())
      sizes.push_back(computeOnHost(rewriter, launch, loop.getExtent(), host));
  }
  // Numbers that later loops use, of folds and computed of these.
  for (unsigned part = getNumParts(); part-- > 0;)
    for (Operation *op : collect(part)) {
      if (isComputedBefore(op, part) || (isa<ForOp>(op) && getPart(op) != part))
        for (Value result : op->getResults())
          buffers[result] = Value();
    }
  for (auto &[result, buffer] : buffers)
    buffer = createWorkspace(rewriter, loc,
                             MemRefType::get(shape, result.getType()), sizes);
  for (unsigned part = 0; part < getNumParts(); ++part)
    createPart(part);
  for (auto &[result, buffer] : buffers)
    memref::DeallocOp::create(rewriter, loc, buffer);
  rewriter.eraseOp(launch);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct SplitColumnsPass
    : public arrc::kernel::impl::SplitColumnsPassBase<SplitColumnsPass> {
  void runOnOperation() override {
    // The host has no row of its own.
    DeviceAttr device = DeviceAttr::get(getOperation());
    int64_t units = device ? device.getInteger("units", 32) : 0;
    IRRewriter rewriter(&getContext());
    SmallVector<LaunchOp> launches;
    getOperation().walk([&](LaunchOp launch) { launches.push_back(launch); });
    for (LaunchOp launch : launches)
      split(rewriter, launch, units);
  }

  static void split(IRRewriter &rewriter, LaunchOp launch, int64_t units) {
    std::optional<Columns> columns = findColumns(launch);
    // A CPU walks a row again from its cache.
    if (!columns || (!isGPU(DeviceAttr::get(launch)) &&
                     (columns->walks.size() > 1 || !columns->along)))
      return;
    rewriter.setInsertionPoint(launch);
    auto branch =
        scf::IfOp::create(rewriter, launch.getLoc(),
                          createFewColumns(rewriter, launch, *columns, units),
                          /*withElseRegion=*/true);
    rewriter.setInsertionPoint(branch.thenYield());
    auto copy = cast<LaunchOp>(rewriter.clone(*launch));
    if (recomputeLocals(rewriter, copy)) {
      // Only the copy is taken apart.
      ColumnSplitter splitter(rewriter, copy, *findColumns(copy));
      if (splitter.canSplit()) {
        assumeFewColumns(rewriter, copy, *findColumns(copy), units);
        splitter.run();
        rewriter.moveOpBefore(launch, branch.elseYield());
        return;
      }
    }
    rewriter.eraseOp(branch);
  }

  /// Whether no local is left.
  static bool recomputeLocals(IRRewriter &rewriter, LaunchOp launch) {
    SmallVector<LocalOp> locals;
    launch.getBody().walk([&](LocalOp local) { locals.push_back(local); });
    for (LocalOp local : locals) {
      if (!whyNotRecompute(local).empty())
        return false;
      recomputeLocal(rewriter, local);
    }
    return findColumns(launch).has_value();
  }
};
} // namespace
