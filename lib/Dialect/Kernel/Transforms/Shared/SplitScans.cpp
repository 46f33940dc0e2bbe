//===- SplitScans.cpp - What a scan folds, apart from the rest ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/Transforms/SplitScans.h"

#include "HostSlice.h"

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Support/Combiner.h"
#include "arrc/Support/StoredBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

namespace {

/// One array from outside of the scan that the body touches.
struct Touch {
  Operation *root;
  Value array;
  OperandRange indices;
  bool hasEdge, writes, updates;
};

} // namespace

/// What `op`, which stands in the body of `scan`, does with arrays from
/// outside.
static void collectTouches(ForOp scan, Operation *op,
                           SmallVectorImpl<Touch> &touches) {
  op->walk([&](Operation *inner) {
    auto add = [&](Value array, OperandRange indices, bool edge, bool writes) {
      Operation *def = array.getDefiningOp();
      if (!def || !scan->isAncestor(def))
        touches.push_back(
            {op, array, indices, edge, writes, isa<UpdateOp>(inner)});
    };
    if (auto load = dyn_cast<LoadOp>(inner))
      add(load.getSource(), load.getIndices(), load.getEdge().has_value(),
          false);
    if (auto store = dyn_cast<StoreOp>(inner))
      add(store.getDest(), store.getIndices(), false, true);
    if (auto update = dyn_cast<UpdateOp>(inner))
      add(update.getDest(), update.getIndices(), false, true);
  });
}

SmallVector<Operation *> arrc::kernel::getContribution(ForOp scan) {
  Block *body = scan.getBodyBlock();
  PrefixOp prefix = scan.getPrefix();
  llvm::SmallPtrSet<Operation *, 16> needed;
  SmallVector<Operation *> work;
  auto need = [&](Value value) {
    Operation *def = value.getDefiningOp();
    def = def ? body->findAncestorOpInBlock(*def) : nullptr;
    if (def && needed.insert(def).second)
      work.push_back(def);
  };
  for (Value value : prefix.getValues())
    need(value);
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        need(operand);
    });
    // What fills a local comes along.
    if (!isa<LocalOp>(op))
      continue;
    for (Operation *user : op->getUsers()) {
      Operation *root = body->findAncestorOpInBlock(*user);
      if (root->isBeforeInBlock(prefix) && needed.insert(root).second)
        work.push_back(root);
    }
  }
  SmallVector<Operation *> order;
  for (Operation &op : *body)
    if (needed.contains(&op))
      order.push_back(&op);
  return order;
}

void arrc::kernel::collectKept(ForOp scan, SmallVectorImpl<Value> &kept,
                               SmallVectorImpl<Operation *> &cheap) {
  SmallVector<Operation *> contribution = getContribution(scan);
  llvm::SmallPtrSet<Operation *, 16> contributes(contribution.begin(),
                                                 contribution.end());
  llvm::SmallPtrSet<Operation *, 16> plain;
  for (Operation *op : contribution)
    if (isScalarOp(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
          Operation *def = operand.getDefiningOp();
          return !def || !contributes.contains(def) || plain.contains(def);
        }))
      plain.insert(op);
  PrefixOp prefix = scan.getPrefix();
  llvm::SmallPtrSet<Operation *, 16> again;
  for (Operation *op : llvm::reverse(contribution)) {
    bool needed = false;
    for (Value result : op->getResults()) {
      bool outside = false, inside = false;
      for (Operation *user : result.getUsers()) {
        user = scan.getBodyBlock()->findAncestorOpInBlock(*user);
        outside |= user != prefix && !contributes.contains(user);
        inside |= again.contains(user);
      }
      needed |= outside || inside;
      if (outside && !plain.contains(op))
        kept.push_back(result);
    }
    if (needed && plain.contains(op))
      again.insert(op);
  }
  for (Operation *op : contribution)
    if (again.contains(op))
      cheap.push_back(op);
}

std::optional<NarrowSum> arrc::kernel::getNarrowSum(ForOp scan) {
  // The sum of a tile of 2^15 elements has room in 32 bits.
  constexpr unsigned kNarrow = 16;
  if (!scan.isScan() || scan.getNumResults() != 1 ||
      !scan.getResult(0).getType().isInteger(64) ||
      !isa_and_present<arith::AddIOp>(getCombinerOp(scan.getCombiner(), 0)))
    return std::nullopt;
  Operation *def = scan.getPrefix().getValues().front().getDefiningOp();
  if (!isa_and_present<arith::ExtUIOp, arith::ExtSIOp>(def) ||
      def->getBlock() != scan.getBodyBlock())
    return std::nullopt;
  Value value = def->getOperand(0);
  if (!value.getType().isSignlessInteger() ||
      value.getType().getIntOrFloatBitWidth() > kNarrow)
    return std::nullopt;
  return NarrowSum{value, isa<arith::ExtSIOp>(def)};
}

std::optional<Compaction> arrc::kernel::getCompaction(ForOp scan) {
  std::optional<NarrowSum> sum = getNarrowSum(scan);
  if (!sum || sum->isSigned || !sum->value.getType().isInteger(1))
    return std::nullopt;
  PrefixOp prefix = scan.getPrefix();
  Compaction found{sum->value, {}};
  SmallVector<Operation *> contribution = getContribution(scan);
  for (Operation &op : scan.getBodyBlock()->without_terminator()) {
    if (&op == prefix || llvm::is_contained(contribution, &op))
      continue;
    if (auto store = dyn_cast<StoreOp>(op))
      found.stores.push_back(store);
    else if (!isScalarOp(&op) && !isa<LoadOp>(op))
      return std::nullopt;
  }
  if (found.stores.empty() || !prefix.getExclusive())
    return std::nullopt;
  // The number is where what is kept is stored, and nothing else.
  llvm::SmallPtrSet<Operation *, 4> places;
  for (Operation *user : prefix.getResult(0).getUsers()) {
    auto place = dyn_cast<arith::IndexCastOp>(user);
    if (!place)
      return std::nullopt;
    for (OpOperand &use : place.getResult().getUses()) {
      auto store = dyn_cast<StoreOp>(use.getOwner());
      if (!store || store->getBlock() != scan.getBodyBlock() ||
          store.getIndices().size() != 1 ||
          !cast<MemRefType>(store.getDest().getType())
               .getElementType()
               .isIntOrIndexOrFloat())
        return std::nullopt;
      places.insert(store);
    }
  }
  for (StoreOp store : found.stores) {
    if (!places.contains(store) || store.getMask() != found.keep ||
        !isa<BlockArgument>(store.getDest()))
      return std::nullopt;
    // What is read is read before anything is stored.
    for (LoadOp load : scan.getBodyBlock()->getOps<LoadOp>())
      if (load.getSource() == store.getDest())
        return std::nullopt;
  }
  return found;
}

int64_t arrc::kernel::getBytes(const Compaction &compaction) {
  int64_t bytes = 0;
  for (StoreOp store : compaction.stores)
    bytes += getStoredBytes(store.getValue().getType());
  return bytes;
}

Value arrc::kernel::getStoredValue(StoreOp store) {
  auto choice = store.getValue().getDefiningOp<arith::SelectOp>();
  return choice && store.getMask() && choice.getCondition() == store.getMask()
             ? choice.getTrueValue()
             : store.getValue();
}

std::string arrc::kernel::whyNotSplitScan(ForOp scan) {
  SmallVector<Operation *> contribution = getContribution(scan);
  llvm::SmallPtrSet<Operation *, 16> contributes(contribution.begin(),
                                                 contribution.end());
  SmallVector<Touch> touches;
  for (Operation &op : scan.getBodyBlock()->without_terminator())
    collectTouches(scan, &op, touches);
  Value index = scan.getInductionVar();
  for (const Touch &write : touches) {
    if (!write.writes)
      continue;
    if (write.updates)
      return "it updates an array";
    if (contributes.contains(write.root))
      return "it writes where its prefix comes from";
    for (const Touch &read : touches) {
      if (read.writes || read.array != write.array ||
          !contributes.contains(read.root))
        continue;
      // Each iteration reads its own element before it writes it.
      bool own = !read.hasEdge && llvm::equal(read.indices, write.indices) &&
                 llvm::is_contained(read.indices, index) &&
                 read.root->isBeforeInBlock(write.root);
      if (!own)
        return "it reads what other iterations write";
    }
  }
  for (Operation *op : contribution)
    if (isa<LocalOp>(op))
      for (Operation *user : op->getUsers())
        if (!contributes.contains(
                scan.getBodyBlock()->findAncestorOpInBlock(*user)))
          return "an array of the iteration is used before and after the "
                 "prefix";
  return "";
}

bool arrc::kernel::canRepeatContribution(ForOp scan) {
  if (scan->hasAttr(kRepeatsAttr))
    return true;
  Operation *prefix = scan.getPrefix();
  auto writes = [](Operation *op) { return isa<StoreOp, UpdateOp>(op); };
  for (Operation &op : *scan.getBodyBlock())
    if (op.isBeforeInBlock(prefix) && op.walk([&](Operation *inner) {
                                          return writes(inner)
                                                     ? WalkResult::interrupt()
                                                     : WalkResult::advance();
                                        }).wasInterrupted())
      return false;
  return canSplitScan(scan);
}

bool arrc::kernel::mayRunAgain(LaunchOp launch) {
  for (Operation *op = launch->getParentOp(); op; op = op->getParentOp())
    if (isa<IterateOp, LoopLikeOpInterface>(op))
      return true;
  return false;
}

bool arrc::kernel::canLookBack(LaunchOp launch, ForOp scan) {
  if (!scan.isScan() || scan.getLevelKind() != LevelKind::Block ||
      !isKnownToHost(launch, scan.getMixedExtent()))
    return false;
  for (Type type : scan.getResultTypes())
    if (!type.isIntOrIndexOrFloat() && !isa<ComplexType>(type))
      return false;
  if (mayRunAgain(launch))
    return false;
  if (scan->getParentOp() == launch)
    return true;
  if (!scan.use_empty())
    return false;
  bool inThreads = true;
  Operation *inner = scan;
  while (inner->getParentOp() != launch) {
    auto around = dyn_cast<ForOp>(inner->getParentOp());
    if (!around || !around.isParallel())
      return false;
    bool isBlock = around.getLevelKind() == LevelKind::Block;
    // Blocks stand outside of threads.
    if (!isBlock && (!inThreads || !around.getStaticExtent() ||
                     around.getLevelKind() == LevelKind::Seq))
      return false;
    inThreads &= !isBlock;
    if (isBlock && !isKnownToHost(launch, around.getMixedExtent()))
      return false;
    for (Operation &op : around.getBodyBlock()->without_terminator())
      if (&op != inner && !isScalarOp(&op))
        return false;
    inner = around;
  }
  return true;
}

ForOp arrc::kernel::findLookBack(LaunchOp launch, ForOp root) {
  ForOp found;
  root->walk([&](ForOp loop) {
    if (!found && canLookBack(launch, loop))
      found = loop;
  });
  return found;
}

bool arrc::kernel::isTiledScan(DimDigitsAttr digits) {
  ArrayRef<DigitAttr> list = digits.getDigits();
  if (list.size() < 2 ||
      !(list[0].getLevel().isBlock() || list[0].getLevel().isSeq()) ||
      !llvm::all_of(list.drop_front(),
                    [](DigitAttr digit) { return digit.getSize() > 0; }))
    return false;
  // A thread that takes several elements at a time, alone.
  if (list.size() == 2 && list[0].getLevel().isSeq() &&
      list[1].getLevel().isUnroll())
    return true;
  // From the inside: items, threads, chunks, groups.
  list = list.drop_front();
  bool keeps = false;
  LevelAttr last = list.back().getLevel();
  if (last.isUnroll() || last.isVector()) {
    keeps = true;
    list = list.drop_back();
  }
  if (list.empty() || !list.back().getLevel().isThread())
    return false;
  unsigned axis = list.back().getLevel().getAxis();
  list = list.drop_back();
  if (!list.empty() && list.back().getLevel().isUnroll()) {
    keeps = true;
    list = list.drop_back();
  }
  if (!list.empty() && list.back().getLevel().isThread() &&
      list.back().getLevel().getAxis() != axis)
    list = list.drop_back();
  return keeps && list.empty();
}
