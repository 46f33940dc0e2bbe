//===- PackFields.cpp - Arrays of one struct in one allocation ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. An array of structs is one array a field, and a carried array of small
// vectors one a component. Those that are made together, are as large and die
// together become planes of one allocation, which kernels take as one argument:
//
//   %x = memref.alloc(%n)  %y = memref.alloc(%n)
//   kernel.launch .. outs (%x, %y)
//   %r:4 = kernel.iterate carry (%a = %x rotate %c, %b = %y rotate %d) {
//     ..  kernel.continue carry %c, %d }
//   // becomes
//   %p = memref.alloc(%bytes)
//   %x = memref.view %p[%c0][%n]   %y = memref.view %p[%pitch * 4][%n]
//   kernel.launch .. outs (%x, %y)
//   %r:2 = kernel.iterate carry (%a_b = %p rotate %c_d) {
//     %a = memref.view %a_b ..  ..  kernel.continue carry %c_d }
//
// Every plane is dense and begins where memory of its own could (PackLayout.h),
// and that planes are beside each other stays known (`kernel.plane`), so
// accesses are what they were.
//
// Legal because buffers are seen through memrefs alone. A time loop hands on
// packs in the place of their arrays where it hands on all arrays of a pack to
// the same pack, in order, and none of them to an array that is carried alone.
//
// Pays in arguments and allocations. It never copies, and never holds memory
// longer: arrays are packed only if nothing is freed between their allocations
// and nothing allocated between their ends. So parameters stay where the caller
// put them, and a result is packed with fields of the same result only.
//
// Late, as everything before it asks about arrays one at a time.
//
// Source: structure of arrays; padded planes of lattice Boltzmann codes
// (Wellein et al., Computers & Fluids 2006).
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "../Shared/HostSlice.h"
#include "BufferLifetime.h"
#include "PackFields.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "llvm/ADT/MapVector.h"

#include <map>
#include <tuple>

namespace arrc::kernel {
#define GEN_PASS_DEF_PACKFIELDSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Lives
//===----------------------------------------------------------------------===//

/// How many operations of the block before `op` are, or hold, an `Op`.
template <typename Op> static int64_t countBefore(Operation *op) {
  int64_t count = 0;
  for (Operation &before : *op->getBlock()) {
    if (&before == op)
      break;
    count += before.walk([](Op) { return WalkResult::interrupt(); })
                 .wasInterrupted();
  }
  return count;
}

namespace {
/// How a buffer ends. Arrays that end alike can end as one.
struct Fate {
  /// Where it is freed, and how much has been allocated by then.
  Block *block = nullptr;
  int64_t allocated = -1;
  /// The result of an export whose field it is.
  StringAttr result;

  bool operator<(const Fate &other) const {
    auto key = [](const Fate &fate) {
      return std::make_tuple(fate.block, fate.allocated,
                             fate.result.getAsOpaquePointer());
    };
    return key(*this) < key(other);
  }
};
} // namespace

/// The struct whose field result `number` is; null if it is no field.
static StringAttr getStructOf(func::FuncOp function, unsigned number) {
  auto results = function->getAttrOfType<ArrayAttr>("arrc.results");
  if (!results || number >= results.size())
    return {};
  auto name = cast<DictionaryAttr>(results[number]).getAs<StringAttr>("name");
  if (!name || !name.getValue().contains('.'))
    return {};
  return StringAttr::get(function.getContext(),
                         name.getValue().split('.').first);
}

/// How the buffer `root` ends, if it is handed to nothing but `taker` and the
/// caller.
static std::optional<Fate> getFate(Value root, Operation *taker) {
  Fate fate;
  for (Value alias : getBufferAliases(root))
    for (OpOperand &use : alias.getUses()) {
      Operation *user = use.getOwner();
      if (isa<memref::DeallocOp>(user)) {
        fate.block = user->getBlock();
        fate.allocated = countBefore<memref::AllocOp>(user);
      } else if (isa<func::ReturnOp>(user)) {
        StringAttr name = getStructOf(user->getParentOfType<func::FuncOp>(),
                                      use.getOperandNumber());
        if (!name || (fate.result && fate.result != name))
          return std::nullopt;
        fate.result = name;
      } else if (isBufferMove(use) && user != taker) {
        return std::nullopt;
      }
    }
  return fate;
}

/// The first operation of its block that does something with `buffer`.
static Operation *getFirstUse(Value buffer) {
  Block *block = buffer.getParentBlock();
  Operation *first = nullptr;
  for (Value alias : getBufferAliases(buffer))
    for (Operation *user : alias.getUsers()) {
      if (isa<ViewLikeOpInterface, memref::DimOp, memref::DeallocOp>(user))
        continue;
      Operation *here = block->findAncestorOpInBlock(*user);
      if (here && (!first || here->isBeforeInBlock(first)))
        first = here;
    }
  return first;
}

namespace {
/// What allocations that can be one have in common.
struct Birth {
  Block *block = nullptr;
  std::vector<const void *> sizes;
  int64_t freed = 0;

  Birth(memref::AllocOp alloc, ValueRange dynamicSizes)
      : block(alloc->getBlock()), freed(countBefore<memref::DeallocOp>(alloc)) {
    for (Value size : dynamicSizes)
      sizes.push_back(size.getAsOpaquePointer());
  }
  bool operator<(const Birth &other) const {
    return std::tie(block, sizes, freed) <
           std::tie(other.block, other.sizes, other.freed);
  }
};
} // namespace

/// The allocation that is `value`, if it can be a plane.
static memref::AllocOp getPlainAlloc(Value value) {
  auto alloc = value.getDefiningOp<memref::AllocOp>();
  if (!alloc || alloc->hasAttr(kWorkspaceAttr) ||
      !getPointBytes(alloc.getType()))
    return nullptr;
  // A few numbers need no room of their own.
  if (alloc.getType().hasStaticShape() && alloc.getType().getNumElements() < 2)
    return nullptr;
  return alloc;
}

//===----------------------------------------------------------------------===//
// Which arrays
//===----------------------------------------------------------------------===//

namespace {
/// Finds what can be one.
class Chooser {
public:
  explicit Chooser(func::FuncOp function)
      : function(function), dominance(function) {}
  void run();

private:
  void chooseInLoop(IterateOp loop);
  void chooseInBlock(Block &block);
  void accept(ValueRange arrays, ValueRange sizes);

  func::FuncOp function;
  DominanceInfo dominance;
  /// Allocations that become one and the sizes of all, by the first of them.
  llvm::MapVector<Value, std::pair<SmallVector<Value>, SmallVector<Value>>>
      packs;
  DenseSet<Value> taken;
  SmallVector<PackedLoop> loops;
};
} // namespace

void Chooser::accept(ValueRange arrays, ValueRange sizes) {
  // The first in the text is where the pack is made.
  Value first = arrays.front();
  for (Value array : arrays)
    if (array.getDefiningOp()->isBeforeInBlock(first.getDefiningOp()))
      first = array;
  taken.insert(arrays.begin(), arrays.end());
  packs[first] = {SmallVector<Value>(arrays), SmallVector<Value>(sizes)};
}

/// The dynamic sizes of carried array `k`: arrays that loops swap have others'
/// names for theirs.
static SmallVector<Value> getSizes(IterateOp loop, unsigned k) {
  SmallVector<Value> sizes;
  for (OpFoldResult size : loop.getMixedSizes(k))
    if (auto value = dyn_cast<Value>(size))
      sizes.push_back(value);
  return sizes;
}

/// What each carried array is in the next step, if the loop only permutes its
/// buffers.
static std::optional<SmallVector<std::pair<unsigned, bool>>>
readNext(IterateOp loop) {
  SmallVector<std::pair<unsigned, bool>> next;
  auto carried = loop.getCarriedArgs(), second = loop.getRotateArgs();
  for (Value value : loop.getContinue().getCarried()) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (auto *it = llvm::find(carried, argument); it != carried.end()) {
      next.emplace_back(it - carried.begin(), false);
      continue;
    }
    auto *it = llvm::find(second, argument);
    if (!argument || it == second.end())
      return std::nullopt;
    for (unsigned k = 0; k < carried.size(); ++k)
      if (loop.getRotateOf(k) == it - second.begin())
        next.emplace_back(k, true);
  }
  return next;
}

void Chooser::chooseInLoop(IterateOp loop) {
  auto next = readNext(loop);
  if (!next || loop.getSpares().size() != loop.getRotateArgs().size())
    return;
  PackedLoop packed{loop, {}, *next};
  unsigned count = loop.getCarried().size();

  // Arrays that begin, go on and end alike.
  using Source = std::tuple<Birth, Fate>;
  using Key = std::tuple<std::vector<Source>, std::vector<Fate>, bool, int64_t>;
  std::map<Key, Group> alike;
  for (unsigned k = 0; k < count; ++k) {
    int64_t spare = loop.getRotateOf(k);
    SmallVector<Value> sizes = getSizes(loop, k);
    SmallVector<std::pair<Value, Value>> buffers{
        {loop.getCarried()[k], loop.getResult(k)}};
    if (spare >= 0)
      buffers.emplace_back(loop.getSpares()[spare],
                           loop.getResult(count + spare));
    Key key;
    bool fits = true;
    for (auto [operand, result] : buffers) {
      memref::AllocOp alloc = getPlainAlloc(operand);
      auto begin = alloc ? getFate(operand, loop) : std::nullopt;
      auto end = begin ? getFate(result, nullptr) : std::nullopt;
      fits = fits && end && !taken.contains(operand) &&
             llvm::count(loop->getOperands(), operand) == 1 &&
             llvm::all_of(sizes, [&](Value size) {
               return dominance.properlyDominates(size, alloc);
             });
      if (!fits)
        break;
      std::get<0>(key).emplace_back(Birth(alloc, sizes), *begin);
      std::get<1>(key).push_back(*end);
    }
    if (!fits || (spare >= 0 && std::get<0>(std::get<0>(key)[0]).block !=
                                    std::get<0>(std::get<0>(key)[1]).block))
      continue;
    std::tie(std::get<2>(key), std::get<3>(key)) = std::make_pair(
        (*next)[k].second, int64_t((*next)[k].first) - int64_t(k));
    alike[key].push_back(k);
  }
  for (auto &[key, group] : alike)
    if (group.size() > 1)
      packed.groups.push_back(group);

  // What becomes of a pack must be a pack of the same arrays, in order.
  auto stays = [&](const Group &group) {
    for (auto [position, k] : llvm::enumerate(group)) {
      auto [target, place] = packed.find((*next)[k].first);
      if (!target || place != position || target->size() != group.size() ||
          target != packed.find((*next)[group.front()].first).first)
        return false;
      auto block = [&](unsigned j) {
        return loop.getCarried()[j].getParentBlock();
      };
      if (loop.getMixedSizes(k) != loop.getMixedSizes((*target)[place]) ||
          block(k) != block((*target)[place]))
        return false;
    }
    return true;
  };
  // An array leaves its pack if it becomes one that is carried alone, or one
  // that is carried alone becomes it: of a pack a step hands on all or nothing.
  auto isAlone = [&](unsigned k) { return !packed.find(k).first; };
  auto leaves = [&](unsigned k) {
    return isAlone((*next)[k].first) ||
           llvm::any_of(llvm::seq(0u, count), [&](unsigned j) {
             return isAlone(j) && (*next)[j].first == k;
           });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (Group &group : packed.groups) {
      const unsigned *lone = llvm::find_if(group, leaves);
      bool splits = lone != group.end();
      if (splits)
        group.erase(lone);
      changed |= splits;
      if (group.size() > 1 && (splits || stays(group)))
        continue;
      packed.groups.erase(&group);
      changed = true;
      break;
    }
  }
  if (packed.groups.empty())
    return;
  for (const Group &group : packed.groups) {
    SmallVector<Value> first, second;
    for (unsigned k : group) {
      first.push_back(loop.getCarried()[k]);
      if (int64_t spare = loop.getRotateOf(k); spare >= 0)
        second.push_back(loop.getSpares()[spare]);
    }
    accept(first, getSizes(loop, group.front()));
    if (!second.empty())
      accept(second, getSizes(loop, group.front()));
  }
  loops.push_back(std::move(packed));
}

/// Arrays that one launch begins, and that end alike.
void Chooser::chooseInBlock(Block &block) {
  std::map<std::tuple<Birth, Fate, Operation *>, SmallVector<Value>> alike;
  SmallVector<SmallVector<Value> *> inOrder;
  for (Value array : block.getOps<memref::AllocOp>()) {
    memref::AllocOp alloc = getPlainAlloc(array);
    if (!alloc || taken.contains(array))
      continue;
    Operation *first = getFirstUse(array);
    auto fate = getFate(array, nullptr);
    if (!fate || !isa_and_present<LaunchOp, scf::IfOp>(first))
      continue;
    SmallVector<Value> &group =
        alike[{Birth(alloc, alloc.getDynamicSizes()), *fate, first}];
    if (group.empty())
      inOrder.push_back(&group);
    group.push_back(array);
  }
  for (SmallVector<Value> *group : inOrder)
    if (group->size() > 1)
      accept(*group, group->front().getDefiningOp()->getOperands());
}

void Chooser::run() {
  function.walk<WalkOrder::PreOrder>(
      [&](IterateOp loop) { chooseInLoop(loop); });
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<LaunchOp>(op))
      return WalkResult::skip();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        chooseInBlock(block);
    return WalkResult::advance();
  });
  // In the order of the text, so that sizes are known where they are shared.
  SmallVector<std::pair<SmallVector<Value>, SmallVector<Value>>> inOrder;
  function.walk<WalkOrder::PreOrder>([&](memref::AllocOp alloc) {
    if (auto *it = packs.find(alloc); it != packs.end())
      inOrder.push_back(it->second);
  });
  FieldPacker packer;
  for (auto &[arrays, sizes] : inOrder)
    packer.packAllocations(arrays, sizes);
  for (const PackedLoop &packed : loops)
    packer.packLoop(packed);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct PackFieldsPass
    : public kernel::impl::PackFieldsPassBase<PackFieldsPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!function.isExternal())
      Chooser(function).run();
  }
};
} // namespace
