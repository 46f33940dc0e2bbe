//===- PackFieldsRewrite.cpp - Arrays into packs --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PackFields.h"

#include "arrc/Analysis/BufferDistinctness.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Lets `arrays` be planes of `pack`: what frees them frees it, once, where the
/// last one was.
void FieldPacker::replaceAll(ArrayRef<Value> arrays, Value pack, OpBuilder &b) {
  const PackLayout &layout = *layouts[pack];
  memref::DeallocOp last;
  for (auto [k, array] : llvm::enumerate(arrays)) {
    for (Operation *user : llvm::make_early_inc_range(array.getUsers())) {
      auto dealloc = dyn_cast<memref::DeallocOp>(user);
      if (!dealloc)
        continue;
      if (last && dealloc->isBeforeInBlock(last)) {
        dealloc.erase();
        continue;
      }
      if (last)
        last.erase();
      last = dealloc;
    }
    if (array.use_empty() ||
        (last && array.hasOneUse() && *array.getUsers().begin() == last))
      continue;
    Value view = layout.show(b, array.getLoc(), pack, k);
    Value(array).replaceUsesWithIf(
        view, [&](OpOperand &use) { return use.getOwner() != last; });
  }
  if (last)
    last->setOperands(pack);
}

void FieldPacker::packAllocations(ArrayRef<Value> arrays, ValueRange sizes) {
  Operation *place = arrays.front().getDefiningOp();
  for (Value array : arrays)
    if (array.getDefiningOp()->isBeforeInBlock(place))
      place = array.getDefiningOp();
  OpBuilder b(place);
  SmallVector<MemRefType> types;
  std::vector<const void *> key;
  for (Value size : sizes)
    key.push_back(size.getAsOpaquePointer());
  for (Value array : arrays) {
    types.push_back(cast<MemRefType>(array.getType()));
    key.push_back(array.getType().getAsOpaquePointer());
  }
  // Packs that change places have one size.
  auto &layout = known[{place->getBlock(), key}];
  if (!layout)
    layout = std::make_shared<PackLayout>(b, place->getLoc(), sizes, types);
  auto pack = memref::AllocOp::create(b, place->getLoc(), layout->getType(),
                                      layout->getSizes());
  layouts[pack] = layout;
  replaceAll(arrays, pack, b);
  for (Value array : arrays)
    array.getDefiningOp()->erase();
  remark::passed(
      pack.getLoc(),
      remark::RemarkOpts::name("PackedFields").category("pack-fields"))
      << remark::add("{0} arrays lie in one allocation",
                     int64_t(arrays.size()));
}

void FieldPacker::packLoop(const PackedLoop &packed) {
  IterateOp loop = packed.loop;
  OpBuilder b(loop);
  unsigned count = loop.getCarried().size();
  auto getPack = [](Value plane) { return getPlane(plane)->pack; };

  SmallVector<Value> carried, spares, sizes;
  SmallVector<bool> rotates;
  // The new number of each array, or of its pack, and of its second buffer.
  SmallVector<unsigned> number(count), second(count);
  for (unsigned k = 0; k < count; ++k) {
    auto [group, place] = packed.find(k);
    if (group && place > 0) {
      number[k] = number[group->front()];
      second[k] = second[group->front()];
      continue;
    }
    number[k] = carried.size();
    second[k] = spares.size();
    int64_t spare = loop.getRotateOf(k);
    rotates.push_back(spare >= 0);
    Value array = loop.getCarried()[k];
    carried.push_back(group ? getPack(array) : array);
    if (spare >= 0) {
      Value other = loop.getSpares()[spare];
      spares.push_back(group ? getPack(other) : other);
    }
    if (group) {
      llvm::append_range(sizes, layouts[carried.back()]->getSizes());
      continue;
    }
    for (OpFoldResult size : loop.getMixedSizes(k))
      if (auto value = dyn_cast<Value>(size))
        sizes.push_back(value);
  }
  auto copy =
      IterateOp::create(b, loop.getLoc(), loop.getTimes(), loop.getFlag(),
                        carried, rotates, sizes, spares);
  copy.setStrategyAttr(loop.getStrategyAttr());
  copy.setBatchAttr(loop.getBatchAttr());
  copy->setDiscardableAttrs(loop->getDiscardableAttrDictionary());

  // What arrays are now: arguments of the body, results.
  auto replace = [&](OpBuilder &at, ValueRange arrays, ValueRange seconds,
                     ValueRange newArrays, ValueRange newSeconds) {
    for (unsigned k = 0; k < count; ++k) {
      auto [group, place] = packed.find(k);
      int64_t spare = loop.getRotateOf(k);
      if (!group) {
        Value(arrays[k]).replaceAllUsesWith(newArrays[number[k]]);
        if (spare >= 0)
          Value(seconds[spare]).replaceAllUsesWith(newSeconds[second[k]]);
        continue;
      }
      if (place > 0)
        continue;
      SmallVector<Value> members, others;
      for (unsigned j : *group) {
        members.push_back(arrays[j]);
        if (spare >= 0)
          others.push_back(seconds[loop.getRotateOf(j)]);
      }
      Value pack = newArrays[number[k]];
      layouts[pack] = layouts[carried[number[k]]];
      replaceAll(members, pack, at);
      if (spare < 0)
        continue;
      Value other = newSeconds[second[k]];
      layouts[other] = layouts[pack];
      replaceAll(others, other, at);
    }
  };

  // What the step hands on is known by number.
  ContinueOp end = loop.getContinue();
  SmallVector<Value> handedOn;
  for (unsigned k = 0; k < count; ++k) {
    auto [group, place] = packed.find(k);
    if (group && place > 0)
      continue;
    auto [target, isSecond] = packed.next[k];
    handedOn.push_back(isSecond ? copy.getRotateArgs()[second[target]]
                                : copy.getCarriedArgs()[number[target]]);
  }
  OpBuilder inside(end);
  ContinueOp::create(inside, end.getLoc(), end.getFlag(), handedOn);
  end.erase();
  Block *from = loop.getBodyBlock(), *to = copy.getBodyBlock();
  to->getOperations().splice(to->end(), from->getOperations());
  inside.setInsertionPointToStart(to);
  replace(inside, ValueRange(loop.getCarriedArgs()),
          ValueRange(loop.getRotateArgs()), ValueRange(copy.getCarriedArgs()),
          ValueRange(copy.getRotateArgs()));
  if (BlockArgument step = loop.getStepArg())
    step.replaceAllUsesWith(copy.getStepArg());
  if (BlockArgument flag = loop.getFlagArg())
    flag.replaceAllUsesWith(copy.getFlagArg());

  b.setInsertionPointAfter(copy);
  unsigned packedCount = carried.size();
  replace(b, loop.getResults().take_front(count),
          loop.getResults().drop_front(count),
          copy.getResults().take_front(packedCount),
          copy.getResults().drop_front(packedCount));
  SmallVector<Value> views(loop.getCarried());
  llvm::append_range(views, loop.getSpares());
  loop.erase();
  // Views that only the loop took.
  for (Value view : views)
    if (Operation *def = view.getDefiningOp();
        isa_and_present<memref::ViewOp>(def) && def->use_empty())
      def->erase();
}
