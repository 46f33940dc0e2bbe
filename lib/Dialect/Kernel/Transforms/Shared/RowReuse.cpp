//===- RowReuse.cpp - What the loops of one row read again ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "RowReuse.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Kernel/Transforms/CooperativeRows.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Writes between two places
//===----------------------------------------------------------------------===//

/// The operation in the body of `row` that `op` stands in.
static Operation *getPart(ForOp row, Operation *op) {
  return row.getBodyBlock()->findAncestorOpInBlock(*op);
}

/// Whether something in `row` writes to `array` before the part `last` is
/// through, other than what follows `load`, which is in `last`, at its index.
static bool isWrittenBefore(ForOp row, Value array, Operation *last,
                            LoadOp load) {
  bool written = false;
  row.getBody().walk([&](Operation *op) {
    if (!Access::isAccess(op))
      return;
    Access access(op);
    if (!access.writes || access.array != array)
      return;
    Operation *part = getPart(row, op);
    if (part != last) {
      written |= part->isBeforeInBlock(last);
      return;
    }
    auto store = dyn_cast<StoreOp>(op);
    written |= !load || !store || store->getBlock() != load->getBlock() ||
               !load->isBeforeInBlock(store) ||
               !llvm::equal(load.getIndices(), store.getIndices());
  });
  return written;
}

//===----------------------------------------------------------------------===//
// Places that lanes share
//===----------------------------------------------------------------------===//

SmallVector<RowLoads> arrc::kernel::collectRowLoads(ForOp row, Value array) {
  SmallVector<RowLoads> groups;
  for (auto lane : row.getBodyBlock()->getOps<ForOp>()) {
    if (lane.isScan())
      continue;
    for (auto load : lane.getBodyBlock()->getOps<LoadOp>()) {
      if (load.getEdge() || load.getMask() ||
          !isa<BlockArgument>(load.getSource()) ||
          (array && load.getSource() != array))
        continue;
      std::optional<unsigned> along;
      bool fits = true;
      for (auto [dim, index] : llvm::enumerate(load.getIndices())) {
        if (index == lane.getInductionVar()) {
          fits &= !along;
          along = dim;
        } else {
          fits &= lane.isDefinedOutsideOfLoop(index);
        }
      }
      if (!fits || !along)
        continue;
      auto isSame = [&](const RowLoads &group) {
        LoadOp first = group.loads.front();
        auto other = cast<ForOp>(first->getParentOp());
        if (group.array != load.getSource() || group.dim != *along ||
            other.getDimAttr() != lane.getDimAttr() ||
            other.getMixedExtent() != lane.getMixedExtent())
          return false;
        return llvm::all_of(
            llvm::enumerate(llvm::zip(first.getIndices(), load.getIndices())),
            [&](auto item) {
              auto [a, b] = item.value();
              return item.index() == *along || LinearIndex(a) == LinearIndex(b);
            });
      };
      auto *known = llvm::find_if(groups, isSame);
      if (known == groups.end())
        groups.push_back({load.getSource(), {load}, *along});
      else
        known->loads.push_back(load);
    }
  }
  llvm::erase_if(groups, [&](const RowLoads &group) {
    LoadOp first = group.loads.front(), last = group.loads.back();
    return first->getParentOp() == last->getParentOp() ||
           llvm::any_of(group.loads, [&](LoadOp load) {
             return isWrittenBefore(row, Access(load).array,
                                    load->getParentOp(), load);
           });
  });
  return groups;
}

SmallVector<ForOp> arrc::kernel::getRowLanes(LocalOp local) {
  SmallVector<ForOp> lanes;
  if (cast<MemRefType>(local.getType()).getRank() != 1)
    return lanes;
  for (Operation *user : local->getUsers()) {
    ValueRange indices;
    if (auto load = dyn_cast<LoadOp>(user); load && !load.getEdge())
      indices = load.getIndices();
    else if (auto store = dyn_cast<StoreOp>(user))
      indices = store.getIndices();
    else
      return {};
    ForOp lane = getLoopOf(indices.front());
    if (!lane || lane->getBlock() != local->getBlock())
      return {};
    lanes.push_back(lane);
  }
  return lanes;
}

int64_t arrc::kernel::getWords(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * getWords(complex.getElementType());
  return type.isIndex() ? 2
                        : llvm::divideCeil(type.getIntOrFloatBitWidth(), 32);
}

std::optional<int64_t> arrc::kernel::countKeptWords(ForOp row) {
  // What is kept, from which lane to which.
  llvm::DenseMap<Operation *, unsigned> place;
  for (auto lane : row.getBodyBlock()->getOps<ForOp>())
    place[lane] = place.size();
  SmallVector<int64_t> words(place.size(), 0);
  bool keeps = false;
  auto keep = [&](unsigned first, unsigned last, Type type) {
    for (unsigned k = first; k < last; ++k)
      words[k] += getWords(type);
    keeps = true;
  };
  for (const RowLoads &group : collectRowLoads(row)) {
    LoadOp first = group.loads.front(), last = group.loads.back();
    keep(place[first->getParentOp()], place[last->getParentOp()],
         first.getType());
  }
  for (auto local : row.getBodyBlock()->getOps<LocalOp>()) {
    SmallVector<ForOp> users = getRowLanes(local);
    if (users.empty())
      return std::nullopt;
    unsigned first = words.size(), last = 0;
    for (ForOp lane : users) {
      first = std::min(first, place[lane]);
      last = std::max(last, place[lane]);
    }
    keep(first, last, cast<MemRefType>(local.getType()).getElementType());
  }
  if (!keeps)
    return std::nullopt;
  return std::max<int64_t>(*llvm::max_element(words), 1);
}

//===----------------------------------------------------------------------===//
// Computing again
//===----------------------------------------------------------------------===//

/// The only store to `local`; null if there are several.
static StoreOp getOnlyStore(LocalOp local) {
  StoreOp only;
  for (Operation *user : local->getUsers()) {
    auto store = dyn_cast<StoreOp>(user);
    if (!store)
      continue;
    if (only)
      return {};
    only = store;
  }
  return only;
}

/// What the stored value is computed by in the body of its lane, in order.
static SmallVector<Operation *> getSlice(StoreOp store) {
  llvm::SetVector<Operation *> needed;
  Block *body = store->getBlock();
  SmallVector<Value> work{store.getValue()};
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (!op || op->getBlock() != body || !needed.insert(op))
      continue;
    llvm::append_range(work, op->getOperands());
  }
  SmallVector<Operation *> order;
  for (Operation &op : *body)
    if (needed.contains(&op))
      order.push_back(&op);
  return order;
}

std::string arrc::kernel::whyNotRecompute(LocalOp local) {
  SmallVector<ForOp> lanes = getRowLanes(local);
  auto row = dyn_cast<ForOp>(local->getParentOp());
  StoreOp store = getOnlyStore(local);
  if (lanes.empty() || !row || !store || store.getMask())
    return "it is no row that one loop fills";
  auto from = dyn_cast<ForOp>(store->getParentOp());
  if (!from || from->getParentOp() != row || from.isScan())
    return "it is no row that one loop fills";
  SmallVector<Operation *> slice = getSlice(store);
  for (Operation *op : slice)
    if (!isa<LoadOp>(op) && !isScalarOp(op))
      return "its elements are not computed by scalar operations";
  for (Operation *user : local->getUsers()) {
    auto load = dyn_cast<LoadOp>(user);
    if (!load)
      continue;
    Operation *part = getPart(row, load);
    if (load.getMask())
      return "it is read under a mask";
    if (part == from || part->isBeforeInBlock(from))
      return "it is read where it is filled";
    auto to = dyn_cast<ForOp>(part);
    if (!to || to.getMixedExtent() != from.getMixedExtent())
      return "it is read over another range";
    for (Operation *op : slice) {
      auto source = dyn_cast<LoadOp>(op);
      if (!source)
        continue;
      // Only what follows in the same iteration may write there.
      bool written = false;
      row.getBody().walk([&](Operation *inner) {
        if (!Access::isAccess(inner))
          return;
        Access access(inner);
        Operation *place = getPart(row, inner);
        if (!access.writes || access.array != Access(source).array ||
            (place != from && place->isBeforeInBlock(from)) ||
            (place != part && part->isBeforeInBlock(place)))
          return;
        // The local that the source is was filled before.
        bool own = false;
        if (auto other = dyn_cast<StoreOp>(inner);
            other && place == part && other->getBlock() == load->getBlock() &&
            load->isBeforeInBlock(other) &&
            other.getIndices().size() == source.getIndices().size()) {
          own = true;
          for (auto [a, b] : llvm::zip(source.getIndices(), other.getIndices()))
            own &= a == b ||
                   (a == from.getInductionVar() && b == to.getInductionVar());
        }
        written |= !own;
      });
      if (written)
        return "what it is computed from has changed by then";
    }
  }
  return "";
}

unsigned arrc::kernel::countRecomputed(LocalOp local) {
  StoreOp store = getOnlyStore(local);
  return store ? getSlice(store).size() : 0;
}

bool arrc::kernel::isCheapAgain(LocalOp local) {
  constexpr unsigned kRecomputed = 40;
  return whyNotRecompute(local).empty() &&
         countRecomputed(local) <= kRecomputed;
}

void arrc::kernel::recomputeLocal(RewriterBase &rewriter, LocalOp local) {
  StoreOp store = getOnlyStore(local);
  auto from = cast<ForOp>(store->getParentOp());
  auto row = cast<ForOp>(local->getParentOp());
  SmallVector<Operation *> slice = getSlice(store);
  for (Operation *user : llvm::make_early_inc_range(local->getUsers())) {
    auto load = dyn_cast<LoadOp>(user);
    if (!load)
      continue;
    auto to = cast<ForOp>(getPart(row, load));
    rewriter.setInsertionPoint(load);
    IRMapping mapping;
    mapping.map(from.getInductionVar(), to.getInductionVar());
    for (Operation *op : slice)
      rewriter.clone(*op, mapping);
    rewriter.replaceOp(load, mapping.lookupOrDefault(store.getValue()));
  }
  rewriter.eraseOp(store);
  rewriter.eraseOp(local);
}

//===----------------------------------------------------------------------===//
// Digits of locals
//===----------------------------------------------------------------------===//

LogicalResult arrc::kernel::splitKeptLocal(LaunchOp launch, ClauseAttr clause,
                                           ScheduleAttr schedule,
                                           llvm::DenseSet<Value> &split) {
  StringRef name = clause.getArray();
  auto refuse = [&](const Twine &reason) {
    return launch.emitOpError("cannot keep '")
           << name << "' in registers: " << reason;
  };
  LocalOp local;
  launch.getBody().walk([&](LocalOp other) {
    if (other.getLocalName() == name)
      local = other;
  });
  if (!local)
    return refuse("the launch has no such local");
  auto type = cast<MemRefType>(local.getType());
  SmallVector<ForOp> lanes = getRowLanes(local);
  if (lanes.empty())
    return refuse("it is no row that loops beside it walk");
  DimDigitsAttr digits = schedule.lookup(lanes.front().getDim());
  OpFoldResult size =
      type.isDynamicDim(0)
          ? OpFoldResult(local.getSizes().front())
          : OpFoldResult(IntegerAttr::get(IndexType::get(launch.getContext()),
                                          type.getDimSize(0)));
  for (ForOp lane : lanes) {
    if (lane.isScan())
      return refuse("a scan walks it");
    if (!digits || schedule.lookup(lane.getDim()) != digits)
      return refuse("loops with other digits walk it");
    if (lane.getMixedExtent() != size)
      return refuse("loops over a part of it walk it");
  }
  SmallVector<int64_t> shape;
  // Blocks that share the row have elements of their own each.
  auto row = dyn_cast<ForOp>(local->getParentOp());
  bool cooperates = row && canCooperate(launch, row);
  for (DigitAttr digit : digits.getDigits()) {
    if (digit.getLevel().isBlock() && cooperates)
      continue;
    int64_t steps = digit.getSize();
    if (!steps && !type.isDynamicDim(0)) {
      int64_t others = 1;
      for (DigitAttr other : digits.getDigits())
        others *= other.getSize() ? other.getSize() : 1;
      steps = llvm::divideCeil(type.getDimSize(0), others);
    }
    if (!steps)
      return refuse("a digit has no size");
    if (digit.getLevel().getKind() == LevelKind::Block)
      return refuse("blocks share it");
    shape.push_back(steps);
  }
  local.getSizesMutable().clear();
  local.getResult().setType(MemRefType::get(shape, type.getElementType()));
  local->setAttr(kOwnElementsAttr, UnitAttr::get(launch.getContext()));
  split.insert(local.getResult());
  return success();
}

void arrc::kernel::indexByDigits(Block *body, Value index, ValueRange digits,
                                 const llvm::DenseSet<Value> &split) {
  if (split.empty())
    return;
  body->walk([&](Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op)) {
      if (split.contains(load.getSource()) &&
          load.getIndices().front() == index)
        load.getIndicesMutable().assign(digits);
    } else if (auto store = dyn_cast<StoreOp>(op)) {
      if (split.contains(store.getDest()) &&
          store.getIndices().front() == index)
        store.getIndicesMutable().assign(digits);
    }
  });
}
