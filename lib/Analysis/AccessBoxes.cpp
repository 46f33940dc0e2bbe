//===- AccessBoxes.cpp - What a part of a launch reads and writes ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/AccessBoxes.h"

#include "IndexSet.h"
#include "arrc/Analysis/Dependence.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace arrc;
using Kind = AccessBox::Kind;

bool Interval::isCut() const {
  if (starts)
    return true;
  auto is = [](const Bound &bound) {
    return bound.expr.isFunctionOfDim(0) || bound.expr.isFunctionOfDim(1);
  };
  return llvm::any_of(lowers, is) && llvm::any_of(uppers, is);
}

int AccessBox::getCutDim() const {
  for (auto [dim, interval] : llvm::enumerate(dims))
    if (interval.isCut())
      return dim;
  return -1;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Only computes; or checks, which every block may repeat: of failures that are
/// one the first counts.
static bool isPlain(Operation &op) {
  return isa<kernel::CheckOp>(op) ||
         (op.getNumRegions() == 0 && isMemoryEffectFree(&op));
}

SmallVector<kernel::ForOp> arrc::getCutLoops(kernel::LaunchOp launch,
                                             std::string &reason) {
  bool isScheduled = launch.isScheduled();
  auto canBeCut = [&](kernel::ForOp loop) {
    return loop.isParallel() &&
           (!isScheduled || loop.getLevelKind() == kernel::LevelKind::Block);
  };
  SmallVector<kernel::ForOp> loops;
  kernel::ForOp root;
  const char *beside = nullptr;
  for (Operation &op : launch.getBodyBlock()->without_terminator()) {
    auto loop = dyn_cast<kernel::ForOp>(op);
    if (loop && !root)
      root = loop;
    else if (root && !isPlain(op))
      beside = "something is left to do when all its blocks are done";
    else if (!root && !isPlain(op) && !isa<kernel::LoadOp>(op))
      beside = "something is done before its first loop";
  }
  if (!root)
    reason = "it has no loop";
  else if (!canBeCut(root))
    reason = root.isReduce() ? "it folds into one value"
             : root.isScan()
                 ? "each iteration of its scan waits for the ones before"
                 : "it runs in one block";
  else if (beside)
    reason = beside;
  if (!reason.empty())
    return {};
  for (kernel::ForOp loop = root; loop;) {
    loops.push_back(loop);
    kernel::ForOp inner;
    for (Operation &op : loop.getBodyBlock()->without_terminator()) {
      auto each = dyn_cast<kernel::ForOp>(op);
      if (each && !inner && canBeCut(each)) {
        inner = each;
      } else if (!isPlain(op)) {
        inner = nullptr;
        break;
      }
    }
    loop = inner;
  }
  return loops;
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// The box around both, if they differ by constants.
static bool join(AccessBox &box, const AccessBox &other) {
  if (box.argument != other.argument || box.kind != other.kind ||
      box.combiner != other.combiner)
    return false;
  auto haveSameForm = [](ArrayRef<Bound> a, ArrayRef<Bound> b) {
    return llvm::equal(
        a, b, [](const Bound &x, const Bound &y) { return x.expr == y.expr; });
  };
  for (auto [mine, theirs] : llvm::zip_equal(box.dims, other.dims))
    if (mine.edge != theirs.edge || mine.carries != theirs.carries ||
        !haveSameForm(mine.lowers, theirs.lowers) ||
        !haveSameForm(mine.uppers, theirs.uppers))
      return false;
  for (auto [mine, theirs] : llvm::zip_equal(box.dims, other.dims)) {
    for (auto [bound, its] : llvm::zip(mine.lowers, theirs.lowers))
      bound.constant = std::min(bound.constant, its.constant);
    for (auto [bound, its] : llvm::zip(mine.uppers, theirs.uppers))
      bound.constant = std::max(bound.constant, its.constant);
  }
  return true;
}

/// More are one that holds all of the array.
static constexpr size_t mostBoxes = 24;

static void add(SmallVectorImpl<AccessBox> &boxes, const AccessBox &box) {
  size_t same = 0;
  for (AccessBox &other : boxes) {
    if (join(other, box))
      return;
    same += other.argument == box.argument && other.kind == box.kind;
  }
  boxes.push_back(box);
  if (same < mostBoxes)
    return;
  llvm::erase_if(boxes, [&](const AccessBox &other) {
    return other.argument == box.argument && other.kind == box.kind;
  });
  AccessBox all = box;
  for (Interval &interval : all.dims)
    interval = {};
  boxes.push_back(all);
}

/// Ends in their simplest form, so that equal ones are equal.
static void simplify(AccessBox &box, unsigned numSymbols) {
  for (Interval &interval : box.dims)
    for (auto *bounds : {&interval.lowers, &interval.uppers}) {
      for (Bound &bound : *bounds)
        bound.expr = simplifyAffineExpr(bound.expr, 2, numSymbols);
      llvm::sort(*bounds, [](const Bound &a, const Bound &b) {
        auto rank = [](AffineExpr expr) {
          return (expr.isFunctionOfDim(0) || expr.isFunctionOfDim(1) ? 0 : 2) +
                 (isa<AffineConstantExpr>(expr) ? 1 : 0);
        };
        return rank(a.expr) < rank(b.expr);
      });
    }
}

/// The size of a dimension of an array.
static AffineExpr getEnd(kernel::LaunchOp launch, BlockArgument argument,
                         unsigned dim) {
  OpFoldResult size = launch.getSize(argument, dim);
  if (auto value = dyn_cast<Value>(size))
    return getAffineSymbolExpr(cast<BlockArgument>(value).getArgNumber(),
                               launch.getContext());
  return getAffineConstantExpr(*getConstantIntValue(size), launch.getContext());
}

bool arrc::isInside(const Interval &interval, kernel::LaunchOp launch,
                    BlockArgument argument, unsigned dim) {
  AffineExpr end = getEnd(launch, argument, dim);
  unsigned numSymbols = launch.getBodyBlock()->getNumArguments();
  return llvm::any_of(interval.uppers, [&](const Bound &bound) {
    auto over = dyn_cast<AffineConstantExpr>(
        simplifyAffineExpr(bound.get() - end, 2, numSymbols));
    return over && over.getValue() <= 0;
  });
}

/// Takes away what lies outside of the array, where something else is said. In
/// an inner dimension where nothing says so it may be elements of other rows.
static void dropImplied(AccessBox &box, kernel::LaunchOp launch) {
  BlockArgument argument = launch.getArgument(box.argument);
  for (auto [dim, interval] : llvm::enumerate(box.dims)) {
    if (interval.edge != kernel::EdgeMode::None)
      continue;
    AffineExpr end = getEnd(launch, argument, dim);
    interval.carries = dim > 0 && !isInside(interval, launch, argument, dim);
    auto drop = [](SmallVectorImpl<Bound> &bounds, auto isImplied) {
      size_t implied = llvm::count_if(bounds, isImplied);
      if (implied < bounds.size())
        llvm::erase_if(bounds, isImplied);
    };
    drop(interval.lowers, [](const Bound &bound) {
      auto number = dyn_cast<AffineConstantExpr>(bound.get());
      return number && number.getValue() <= 0;
    });
    drop(interval.uppers,
         [&](const Bound &bound) { return bound.get() == end; });
  }
}

/// What `index` is but for being at most that of the last element; null where
/// it is something else.
static Value findClamped(Value index, IndexSet &set, kernel::LaunchOp launch,
                         BlockArgument argument, unsigned dim) {
  auto least = index.getDefiningOp<arith::MinSIOp>();
  if (!least)
    return {};
  IndexSet::Linear last;
  OpFoldResult size = launch.getSize(argument, dim);
  if (auto value = dyn_cast<Value>(size))
    last = set.get(value);
  else
    last.constant = *getConstantIntValue(size);
  --last.constant;
  if (set.get(least.getRhs()) == last)
    return least.getLhs();
  return set.get(least.getLhs()) == last ? least.getRhs() : Value();
}

/// What all accesses to `argument` combine its elements by; nothing where some
/// do something else.
static std::optional<arith::AtomicRMWKind>
findCombiner(BlockArgument argument) {
  std::optional<arith::AtomicRMWKind> combiner;
  Type element = cast<MemRefType>(argument.getType()).getElementType();
  if (!element.isIndex() && !element.isInteger(32) && !element.isInteger(64) &&
      !element.isF32() && !element.isF64())
    return std::nullopt;
  for (Operation *user : argument.getUsers()) {
    auto update = dyn_cast<kernel::UpdateOp>(user);
    if (!update)
      return std::nullopt;
    SmallVector<Operation *> ops = getCombinerOps(update.getCombiner());
    auto mine = ops.size() == 1 ? getAtomicKind(ops.front()) : std::nullopt;
    if (!mine || (combiner && combiner != mine))
      return std::nullopt;
    combiner = mine;
  }
  return combiner;
}

/// The argument from which iterations of `cut` load where their stretch of the
/// row `argument` starts, if they store there in no other way.
static std::optional<unsigned>
findStarts(kernel::LaunchOp launch, kernel::ForOp cut, BlockArgument argument) {
  std::optional<unsigned> starts;
  for (Operation *user : argument.getUsers()) {
    auto store = dyn_cast<kernel::StoreOp>(user);
    if (!cut || !store || !store->hasAttr(kStretchAttr) ||
        store.getIndices().size() != 1)
      return std::nullopt;
    auto sum = store.getIndices().front().getDefiningOp<arith::AddIOp>();
    if (!sum)
      return std::nullopt;
    std::optional<unsigned> mine;
    for (Value term : sum->getOperands()) {
      if (auto cast = term.getDefiningOp<arith::IndexCastOp>())
        term = cast.getIn();
      auto load = term.getDefiningOp<kernel::LoadOp>();
      if (!load || load.getIndices().size() != 1 ||
          load.getIndices().front() != cut.getInductionVar())
        continue;
      auto source = dyn_cast<BlockArgument>(load.getSource());
      Type element = load.getType();
      if (source && source.getOwner() == launch.getBodyBlock() &&
          (element.isIndex() || element.isInteger(64)) &&
          llvm::all_of(source.getUsers(), llvm::IsaPred<kernel::LoadOp>))
        mine = source.getArgNumber();
    }
    if (!mine || (starts && starts != mine))
      return std::nullopt;
    starts = mine;
  }
  return starts;
}

SmallVector<AccessBox> arrc::getAccessBoxes(kernel::LaunchOp launch,
                                            kernel::ForOp cut) {
  SmallVector<AccessBox> boxes;
  IndexSet set(launch, cut);
  unsigned numSymbols = launch.getBodyBlock()->getNumArguments();
  for (BlockArgument argument : launch.getBodyBlock()->getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type)
      continue;
    AccessBox whole;
    whole.argument = argument.getArgNumber();
    whole.dims.resize(type.getRank());
    bool isStored = false, isLeft = false;
    for (Operation *user : argument.getUsers()) {
      isStored |= isa<kernel::StoreOp>(user);
      isLeft |= !isa<kernel::LoadOp, kernel::StoreOp, kernel::UpdateOp>(user);
    }
    if (isLeft) {
      whole.kind = Kind::Touch;
      add(boxes, whole);
      continue;
    }
    if (std::optional<unsigned> starts = findStarts(launch, cut, argument)) {
      whole.kind = launch.getFlag() ? Kind::Touch : Kind::Write;
      whole.dims.front().starts = starts;
      boxes.push_back(whole);
      continue;
    }
    bool isFilled = false;
    if (isStored)
      if (auto filled = getFilledBoxes(launch, cut, argument)) {
        isFilled = true;
        for (AccessBox &box : *filled) {
          simplify(box, numSymbols);
          // Not joined: between two boxes nothing need be written.
          if (!llvm::is_contained(boxes, box))
            boxes.push_back(box);
        }
      }
    auto combiner = findCombiner(argument);
    // In the order of the text.
    SmallVector<Operation *> users(argument.getUsers());
    for (Operation *user : llvm::reverse(users)) {
      AccessBox box = whole;
      ValueRange indices;
      if (auto load = dyn_cast<kernel::LoadOp>(user)) {
        indices = load.getIndices();
        if (kernel::EdgesAttr edges = load.getEdgeAttr())
          for (auto [interval, mode] : llvm::zip(box.dims, edges.getModes()))
            interval.edge = mode;
      } else if (auto store = dyn_cast<kernel::StoreOp>(user)) {
        if (isFilled)
          continue;
        box.kind = Kind::Touch;
        indices = store.getIndices();
      } else {
        box.kind = combiner ? Kind::Update : Kind::Touch;
        box.combiner = combiner;
        indices = cast<kernel::UpdateOp>(user).getIndices();
      }
      for (auto [dim, index] : llvm::enumerate(indices)) {
        Interval &interval = box.dims[dim];
        kernel::EdgeMode edge = interval.edge;
        Value free = findClamped(index, set, launch, argument, dim);
        if (free && edge == kernel::EdgeMode::None)
          edge = kernel::EdgeMode::Clamp;
        else
          free = index;
        interval = set.getInterval(set.get(free), user);
        interval.edge = edge;
      }
      dropImplied(box, launch);
      simplify(box, numSymbols);
      add(boxes, box);
    }
  }
  return boxes;
}

std::string arrc::findCutProblem(kernel::LaunchOp launch,
                                 ArrayRef<AccessBox> boxes) {
  for (const AccessBox &box : boxes)
    if (box.kind != Kind::Read && box.kind != Kind::Update &&
        box.getCutDim() < 0)
      return llvm::formatv("every part would write {0}, at the same places or "
                           "at places that depend on data",
                           getArrayName(launch.getArgument(box.argument)));
  return {};
}
