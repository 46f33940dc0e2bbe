//===- SpreadPieces.cpp - A launch for each statement of a step -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Schedules are made for launches of one nest. A fold over a column and an
// update of the column by what it came to are two of them, each over all steps.
// Scalars are computed anew where they are needed, and so are loads of what no
// step writes; a value that a step stores is read again from there.
//
// Legal as iterations are independent: what stands later in one may run after
// all others have come as far.
//
//===----------------------------------------------------------------------===//

#include "SpreadPieces.h"

#include "../Shared/LaunchAccess.h"
#include "../Shared/LaunchBuilder.h"

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

namespace {

struct Piece {
  /// What stands in the piece; the launch has its arguments in this order.
  llvm::SmallSetVector<Operation *, 8> ops;
  /// Stores of other pieces whose values are read again.
  llvm::SmallSetVector<Operation *, 4> reloads;
};

class Splitter {
public:
  Splitter(LaunchOp launch, ForOp steps) : launch(launch), steps(steps) {}
  void run();

private:
  void divide();
  bool complete(unsigned number);
  bool bring(Value value, unsigned number);
  StoreOp findStoreOf(Operation *def, Value value, unsigned number);
  bool canRepeat(Operation *op);
  void write(const Piece &piece, unsigned number);

  LaunchOp launch;
  ForOp steps;
  SmallVector<Piece> pieces;
  /// The piece of everything that is not repeated.
  llvm::MapVector<Operation *, unsigned> pieceOf;
};

} // namespace

static bool isMap(Operation &op) {
  auto loop = dyn_cast<ForOp>(op);
  return loop && loop.isParallel();
}

/// Whether `op` or what is in it stores something.
static bool stores(Operation *op) {
  return op->walk([](StoreOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

bool Splitter::canRepeat(Operation *op) {
  if (isScalarOp(op))
    return true;
  auto load = dyn_cast<LoadOp>(op);
  auto argument =
      load ? dyn_cast<BlockArgument>(load.getSource()) : BlockArgument();
  return argument && argument.getArgNumber() < launch.getNumInputs();
}

/// Gives everything that is not repeated to a piece: a map stands alone.
void Splitter::divide() {
  unsigned number = 0;
  for (Operation &op : steps.getBodyBlock()->without_terminator()) {
    if (isMap(op)) {
      pieceOf[&op] = number + 1;
      number += 2;
    } else if (!canRepeat(&op)) {
      pieceOf[&op] = number;
    }
  }
  pieces.resize(number + 1);
  for (auto [op, piece] : pieceOf)
    if (stores(op))
      pieces[piece].ops.insert(op);
}

/// The store that leaves `value`, a result of `def`, where piece `number` can
/// read it.
StoreOp Splitter::findStoreOf(Operation *def, Value value, unsigned number) {
  for (Operation *user : value.getUsers()) {
    auto store = dyn_cast<StoreOp>(user);
    if (!store || store.getValue() != value || store.getMask() ||
        store->getParentOp() != steps || pieceOf.lookup(store) >= number)
      continue;
    bool stays = llvm::all_of(store.getDest().getUsers(), [&](Operation *op) {
      if (!isa<StoreOp>(op) || op == store)
        return true;
      Operation *top = steps.getBodyBlock()->findAncestorOpInBlock(*op);
      return top->isBeforeInBlock(store) || pieceOf.lookup(top) > number;
    });
    if (stays)
      return store;
  }
  return {};
}

/// Makes `value` known in a piece.
bool Splitter::bring(Value value, unsigned number) {
  Piece &piece = pieces[number];
  Operation *def = value.getDefiningOp();
  if (!def || piece.ops.contains(def) ||
      (def->getParentOp() != steps && def->getParentOp() != launch))
    return true;
  if (canRepeat(def) || pieceOf.lookup(def) == number) {
    piece.ops.insert(def);
    return true;
  }
  StoreOp store = findStoreOf(def, value, number);
  if (!store)
    return false;
  if (!piece.reloads.insert(store))
    return true;
  return llvm::all_of(store.getIndices(),
                      [&](Value index) { return bring(index, number); });
}

bool Splitter::complete(unsigned number) {
  // Grows while it is walked.
  for (size_t k = 0; k < pieces[number].ops.size(); ++k) {
    bool known = true;
    pieces[number].ops[k]->walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        known &= bring(operand, number);
    });
    if (!known)
      return false;
  }
  return true;
}

void Splitter::write(const Piece &piece, unsigned number) {
  OpBuilder b(launch);
  LaunchBuilder builder(launch);
  auto use = [&](Value value, bool writes) {
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == launch.getBodyBlock())
      builder.use(argument, writes);
  };
  if (Value extent = steps.getExtent())
    use(extent, false);
  for (Operation *top : piece.ops)
    top->walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        use(operand, isa<StoreOp>(op) && operand == getAccessedArray(op));
    });
  for (Operation *store : piece.reloads)
    for (Value operand : store->getOperands())
      use(operand, false);
  IRMapping map;
  LaunchOp made = builder.create(
      b, (launch.getKernelName() + "_" + Twine(number)).str(), {}, map);
  b.setInsertionPoint(made.getBodyBlock()->getTerminator());
  for (Operation &op : launch.getBodyBlock()->without_terminator())
    if (piece.ops.contains(&op))
      b.clone(op, map);
  OpFoldResult extent = steps.getMixedExtent();
  if (auto value = dyn_cast<Value>(extent))
    extent = map.lookupOrDefault(value);
  auto loop = ForOp::create(b, steps.getLoc(), steps.getDim(), extent);
  map.map(steps.getInductionVar(), loop.getInductionVar());
  b.setInsertionPoint(loop.getBodyBlock()->getTerminator());
  for (Operation &op : steps.getBodyBlock()->without_terminator()) {
    if (piece.ops.contains(&op))
      b.clone(op, map);
    if (!piece.reloads.contains(&op))
      continue;
    auto store = cast<StoreOp>(op);
    SmallVector<Value> indices = llvm::map_to_vector(
        store.getIndices(), [&](Value v) { return map.lookupOrDefault(v); });
    map.map(
        store.getValue(),
        LoadOp::create(b, store.getLoc(), map.lookup(store.getDest()), indices)
            .getResult());
  }
}

void Splitter::run() {
  bool inOrder =
      steps
          .walk([&](Operation *op) {
            bool known = op == steps || isa<ForOp>(op) || isScalarOp(op) ||
                         isa<LoadOp, StoreOp, YieldOp>(op);
            return known ? WalkResult::advance() : WalkResult::interrupt();
          })
          .wasInterrupted();
  if (inOrder)
    return;
  divide();
  if (llvm::count_if(pieces, [](const Piece &p) { return !p.ops.empty(); }) < 2)
    return;
  for (unsigned number = 0; number < pieces.size(); ++number)
    if (!complete(number))
      return;
  unsigned number = 0;
  for (const Piece &piece : pieces)
    if (!piece.ops.empty())
      write(piece, number++);
  launch->erase();
}

void arrc::kernel::splitIntoPieces(LaunchOp launch, ForOp steps) {
  Splitter(launch, steps).run();
}
