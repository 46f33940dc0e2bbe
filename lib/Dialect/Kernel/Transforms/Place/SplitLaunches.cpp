//===- SplitLaunches.cpp - One nest at block a launch ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A device starts blocks and cannot wait for them inside of a kernel. So
// each launch gets one nest of parallel block loops, and after it a tail: what
// runs once, when all blocks are done. Everything else becomes launches one
// after the other.
//
// Before   launch { %s = for b at block reduce { .. }   store %s, %S
//                   for c at block { .. %s .. } }
// After    %w = alloc(B)  %c = alloc()                    // workspaces
//          launch (outs %w, %c, %S) {
//            for b at block { .. store .., %w[b] }
//            %s = for t in 256 at thread reduce { .. %w .. }    // the tail
//            store %s, %S   store %s, %c }
//          launch (%c) { %s = load %c  for c at block { .. %s .. } }
//
// The tail stays with its nest where the last block may finish what the others
// began (`ordered_blocks` of the device row), and is a launch of its own
// elsewhere. Folds and scans at block are rewritten first: BlockRoots.cpp. A
// scan whose blocks look back (SplitScans.cpp) stays; its tail may only store.
//
// Legal: root operations keep their order. Scalars are repeated where they are
// used; other values, and locals of the root, pass in workspaces.
//
//===----------------------------------------------------------------------===//

#include "../Shared/LaunchAccess.h"
#include "../Shared/LaunchBuilder.h"
#include "BlockRoots.h"
#include "arrc/Dialect/Kernel/Transforms/SplitScans.h"

#include "arrc/Dialect/Kernel/IR/DeviceMemory.h"
#include "arrc/Dialect/Kernel/IR/MatrixShape.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_SPLITLAUNCHESPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc::kernel;

namespace {

/// Splits one launch whose roots are rewritten.
class LaunchSplitter {
public:
  LaunchSplitter(IRRewriter &rewriter, LaunchOp launch, bool orderedBlocks)
      : rewriter(rewriter), launch(launch), loc(launch.getLoc()),
        orderedBlocks(orderedBlocks) {}

  LogicalResult run();

private:
  /// Whether each launch makes the operation anew where it needs its value.
  bool isRepeated(Operation *op);
  void assignPieces();
  /// The launches that need what `op` gives.
  const llvm::SmallSetVector<unsigned, 4> &getUsingPieces(Operation *op);
  bool isWorkspace(LocalOp local);
  LogicalResult collectWorkspaces();
  Value allocate(MemRefType type, ValueRange sizes);
  void copyFlag();
  void createPiece(unsigned number);

  IRRewriter &rewriter;
  LaunchOp launch;
  Location loc;
  bool orderedBlocks;
  /// Operations of the root that run in one place, and the launch of each.
  llvm::MapVector<Operation *, unsigned> pieceOf;
  unsigned pieces = 1;
  llvm::DenseMap<Operation *, llvm::SmallSetVector<unsigned, 4>> usedIn;
  /// Buffers of the host: for locals, and for results of root operations.
  llvm::MapVector<Value, Value> workspaces, cells;
  /// Sizes of the dynamic dimensions of each buffer.
  llvm::DenseMap<Value, SmallVector<Value>> sizesOf;
  SmallVector<Value> buffers;
  Value flag;
};

} // namespace

//===----------------------------------------------------------------------===//
// What runs where
//===----------------------------------------------------------------------===//

bool LaunchSplitter::isRepeated(Operation *op) {
  if (isScalarOp(op))
    return true;
  auto load = dyn_cast<LoadOp>(op);
  return load && isa<BlockArgument>(load.getSource()) &&
         !mayBeWritten(launch, load.getSource());
}

/// Whether `op` may run in the last block of `nest` before others have ended:
/// it stores, and not where the nest reads or writes.
static bool isBeside(Operation *op, Operation *nest) {
  auto store = dyn_cast<StoreOp>(op);
  if (!store)
    return false;
  return !nest->walk([&](Operation *inner) {
                bool touches =
                    !isa<ForOp>(inner) &&
                    llvm::is_contained(inner->getOperands(), store.getDest());
                return touches ? WalkResult::interrupt()
                               : WalkResult::advance();
              })
              .wasInterrupted();
}

void LaunchSplitter::assignPieces() {
  bool hasNest = false, hasTail = false;
  // The nest of the piece, if its blocks look back.
  Operation *lookBack = nullptr;
  unsigned piece = 0;
  for (Operation &op : launch.getBodyBlock()->without_terminator()) {
    if (isRepeated(&op) || isa<LocalOp>(op))
      continue;
    bool isNest = isBlockLoop(&op);
    bool starts = isNest ? hasNest || hasTail
                         : hasNest && (!orderedBlocks ||
                                       (lookBack && !isBeside(&op, lookBack)));
    if (starts) {
      ++piece;
      hasNest = hasTail = false;
      lookBack = nullptr;
    }
    if (isNest && orderedBlocks && findLookBack(launch, cast<ForOp>(op)))
      lookBack = &op;
    pieceOf[&op] = piece;
    // Every block may repeat a check in front of its nest.
    if (isa<CheckOp>(op) && !hasNest)
      continue;
    (isNest ? hasNest : hasTail) = true;
  }
  pieces = piece + 1;
}

const llvm::SmallSetVector<unsigned, 4> &
LaunchSplitter::getUsingPieces(Operation *op) {
  auto known = usedIn.find(op);
  if (known != usedIn.end())
    return known->second;
  llvm::SmallSetVector<unsigned, 4> used;
  for (Operation *user : op->getUsers()) {
    Operation *root = launch.getBodyBlock()->findAncestorOpInBlock(*user);
    auto place = pieceOf.find(root);
    if (place != pieceOf.end())
      used.insert(place->second);
    else
      used.insert_range(getUsingPieces(root));
  }
  return usedIn[op] = used;
}

/// A local of the root that blocks share, or that several launches see.
bool LaunchSplitter::isWorkspace(LocalOp local) {
  if (getUsingPieces(local).size() > 1)
    return true;
  return llvm::any_of(local->getUsers(), [&](Operation *user) {
    return isBlockLoop(launch.getBodyBlock()->findAncestorOpInBlock(*user));
  });
}

Value LaunchSplitter::allocate(MemRefType type, ValueRange sizes) {
  Value buffer = createWorkspace(rewriter, loc, type, sizes);
  buffers.push_back(buffer);
  sizesOf[buffer] = SmallVector<Value>(sizes);
  return buffer;
}

LogicalResult LaunchSplitter::collectWorkspaces() {
  rewriter.setInsertionPoint(launch);
  IRMapping host;
  for (Operation &op : launch.getBodyBlock()->without_terminator()) {
    if (auto local = dyn_cast<LocalOp>(op)) {
      if (!isWorkspace(local))
        continue;
      SmallVector<Value> sizes;
      for (Value size : local.getSizes()) {
        if (!isKnownToHost(launch, size))
          return local.emitError("an array that blocks share has a size that "
                                 "is known on the device only");
        sizes.push_back(computeOnHost(rewriter, launch, size, host));
      }
      workspaces[local] = allocate(local.getType(), sizes);
      continue;
    }
    auto place = pieceOf.find(&op);
    if (place == pieceOf.end())
      continue;
    for (Value result : op.getResults()) {
      bool crosses = llvm::any_of(result.getUsers(), [&](Operation *user) {
        Operation *root = launch.getBodyBlock()->findAncestorOpInBlock(*user);
        auto other = pieceOf.find(root);
        if (other != pieceOf.end())
          return other->second != place->second;
        return llvm::any_of(getUsingPieces(root), [&](unsigned piece) {
          return piece != place->second;
        });
      });
      if (crosses)
        cells[result] = allocate(MemRefType::get({}, result.getType()), {});
    }
  }
  return success();
}

/// All launches see the flag that the first one saw: an earlier one may write
/// where it lies.
void LaunchSplitter::copyFlag() {
  flag = launch.getFlag();
  bool written = llvm::any_of(launch.getOuts(), [](Value out) {
    auto type = cast<MemRefType>(out.getType());
    return type.getElementType().isInteger(1);
  });
  if (!flag || !written)
    return;
  Value copy = allocate(MemRefType::get({}, rewriter.getI1Type()), {});
  memref::CopyOp::create(rewriter, loc, flag, copy);
  flag = copy;
}

//===----------------------------------------------------------------------===//
// Building a launch
//===----------------------------------------------------------------------===//

static bool multipliesMatrices(LaunchOp launch) {
  return launch.getBody()
      .walk([](ForOp loop) {
        return loop.isReduce() && addsProducts(loop) ? WalkResult::interrupt()
                                                     : WalkResult::advance();
      })
      .wasInterrupted();
}

void LaunchSplitter::createPiece(unsigned number) {
  // What the launch holds: its own operations, and what it repeats of others.
  llvm::SmallPtrSet<Operation *, 16> held;
  for (Operation &op : launch.getBodyBlock()->without_terminator()) {
    auto place = pieceOf.find(&op);
    bool here = place != pieceOf.end() ? place->second == number
                                       : getUsingPieces(&op).contains(number);
    if (here &&
        !workspaces.contains(op.getNumResults() ? op.getResult(0) : Value()))
      held.insert(&op);
  }
  LaunchBuilder builder(launch);
  SmallVector<Value> loaded, stored;
  auto visit = [&](Value value, bool writes) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() == launch.getBodyBlock())
        builder.use(argument, writes);
      return;
    }
    auto workspace = workspaces.find(value);
    if (workspace != workspaces.end())
      builder.useBuffer(workspace->second, sizesOf[workspace->second], writes);
    auto cell = cells.find(value);
    if (cell != cells.end() && !held.contains(value.getDefiningOp()) &&
        !llvm::is_contained(loaded, value)) {
      loaded.push_back(value);
      builder.useBuffer(cell->second, {}, /*writes=*/false);
    }
  };
  for (Operation &op : launch.getBodyBlock()->without_terminator()) {
    if (!held.contains(&op))
      continue;
    op.walk([&](Operation *inner) {
      Value dest = getWrittenArray(inner);
      for (Value operand : inner->getOperands())
        visit(operand, operand == dest);
      // The sizes of an edge are those of its array, which come along.
    });
    for (Value result : op.getResults())
      if (cells.contains(result)) {
        stored.push_back(result);
        builder.useBuffer(cells[result], {}, /*writes=*/true);
      }
  }
  std::string name = launch.getKernelName().str();
  if (number)
    name += ("_part" + Twine(number + 1)).str();
  rewriter.setInsertionPoint(launch);
  IRMapping mapping;
  LaunchOp piece = builder.create(rewriter, name, flag, mapping);
  rewriter.setInsertionPoint(piece.getBodyBlock()->getTerminator());
  for (auto &[local, buffer] : workspaces)
    if (builder.hasBuffer(buffer))
      mapping.map(local, builder.getBuffer(buffer));
  for (Value value : loaded)
    mapping.map(value, Value(LoadOp::create(rewriter, loc,
                                            builder.getBuffer(cells[value]),
                                            ValueRange())));
  for (Operation &op : launch.getBodyBlock()->without_terminator())
    if (held.contains(&op))
      rewriter.clone(op, mapping);
  for (Value value : stored)
    StoreOp::create(rewriter, loc, mapping.lookup(value),
                    builder.getBuffer(cells[value]), ValueRange());
  // Sums of what blocks have are no products.
  ScheduleAttr schedule = piece.getScheduleAttr();
  if (schedule && schedule.getMultiplies() && !multipliesMatrices(piece))
    piece.setScheduleAttr(schedule.withoutMatrices());
}

LogicalResult LaunchSplitter::run() {
  assignPieces();
  if (failed(collectWorkspaces()))
    return failure();
  if (pieces == 1 && workspaces.empty())
    return success();
  rewriter.setInsertionPoint(launch);
  flag = launch.getFlag();
  if (pieces > 1)
    copyFlag();
  for (unsigned number = 0; number < pieces; ++number)
    createPiece(number);
  rewriter.setInsertionPoint(launch);
  for (Value buffer : buffers)
    memref::DeallocOp::create(rewriter, loc, buffer);
  rewriter.eraseOp(launch);
  return success();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct SplitLaunchesPass
    : public arrc::kernel::impl::SplitLaunchesPassBase<SplitLaunchesPass> {
  void runOnOperation() override {
    DeviceAttr device = DeviceAttr::get(getOperation());
    if (!hasOwnMemory(device))
      return;
    IRRewriter rewriter(&getContext());
    SmallVector<LaunchOp> launches;
    getOperation().walk([&](LaunchOp launch) { launches.push_back(launch); });
    for (LaunchOp launch : launches) {
      if (launch->getNumResults()) {
        launch.emitOpError("is on tensors; bufferize it first");
        return signalPassFailure();
      }
      rewriteBlockRoots(rewriter, launch, device);
      if (failed(
              LaunchSplitter(rewriter, launch, hasOrderedBlocks(device)).run()))
        return signalPassFailure();
    }
  }
};

} // namespace
