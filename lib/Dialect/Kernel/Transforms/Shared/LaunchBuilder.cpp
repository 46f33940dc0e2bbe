//===- LaunchBuilder.cpp - A launch from operands of another --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LaunchBuilder.h"

#include "HostSlice.h"

using namespace mlir;
using namespace arrc::kernel;

void LaunchBuilder::use(BlockArgument argument, bool writes) {
  auto [it, isNew] = arguments.try_emplace(argument);
  it->second.writes |= writes;
  if (!isNew)
    return;
  it->second.operand = model.getOperandOf(argument).get();
  it->second.argument = argument;
  auto type = dyn_cast<MemRefType>(argument.getType());
  for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
    if (auto size = dyn_cast<Value>(model.getSize(argument, dim)))
      use(cast<BlockArgument>(size), /*writes=*/false);
}

void LaunchBuilder::useBuffer(Value buffer, ArrayRef<Value> sizes,
                              bool writes) {
  Entry &entry = extra[buffer];
  entry.operand = buffer;
  entry.sizes = SmallVector<Value>(sizes);
  entry.writes |= writes;
  for (Value size : sizes)
    extra[size].operand = size;
}

LaunchOp LaunchBuilder::create(OpBuilder &builder, StringRef name, Value flag,
                               IRMapping &mapping) {
  // Arguments keep their order, inputs first.
  SmallVector<Entry *> order;
  for (bool writes : {false, true}) {
    for (BlockArgument argument : model.getBodyBlock()->getArguments()) {
      auto *it = arguments.find(argument);
      if (it != arguments.end() && it->second.writes == writes)
        order.push_back(&it->second);
    }
    for (auto &[buffer, entry] : extra)
      if (entry.writes == writes)
        order.push_back(&entry);
  }
  SmallVector<Value> inputs, outs;
  llvm::DenseMap<Value, unsigned> numberOfArgument;
  for (auto [i, entry] : llvm::enumerate(order)) {
    (entry->writes ? outs : inputs).push_back(entry->operand);
    if (entry->argument)
      numberOfArgument[entry->argument] = i;
    else
      numberOf[entry->operand] = i;
  }
  SmallVector<SmallVector<int64_t>> sizes;
  SmallVector<StringRef> names;
  for (Entry *entry : order) {
    SmallVector<int64_t> &list = sizes.emplace_back();
    BlockArgument old = entry->argument;
    names.push_back(old ? model.getArgName(old.getArgNumber()) : "");
    Type argument = old ? old.getType() : entry->operand.getType();
    auto type = dyn_cast<MemRefType>(argument);
    unsigned next = 0;
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim) {
      if (!type.isDynamicDim(dim))
        list.push_back(type.getDimSize(dim));
      else if (old)
        list.push_back(numberOfArgument[cast<Value>(model.getSize(old, dim))]);
      else
        list.push_back(numberOf[entry->sizes[next++]]);
    }
  }
  created = LaunchOp::create(builder, model.getLoc(), name, inputs, outs, sizes,
                             flag);
  created->setDiscardableAttrs(model->getDiscardableAttrDictionary());
  created.setArgNamesAttr(builder.getStrArrayAttr(names));
  if (ScheduleAttr schedule = model.getScheduleAttr())
    created.setScheduleAttr(schedule);
  for (auto [i, entry] : llvm::enumerate(order)) {
    if (!entry->argument)
      continue;
    created.getArgument(i).setType(entry->argument.getType());
    mapping.map(entry->argument, created.getArgument(i));
  }
  return created;
}

Value arrc::kernel::createWorkspace(OpBuilder &builder, Location loc,
                                    MemRefType type, ValueRange sizes) {
  auto alloc = memref::AllocOp::create(builder, loc, type, sizes);
  alloc->setAttr(kWorkspaceAttr, builder.getUnitAttr());
  return alloc;
}
