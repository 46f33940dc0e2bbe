//===- BodySlice.cpp - What part of a body computes -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "BodySlice.h"

#include "SafeAnywhere.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace arrc::array;

void BodySlice::addIndex(unsigned number) {
  auto place = llvm::lower_bound(indices, number);
  if (place == indices.end() || *place != number)
    indices.insert(place, number);
}

void BodySlice::useAllIndices() {
  for (unsigned number = 0; number < space.getNumIndices(); ++number)
    addIndex(number);
}

bool BodySlice::add(Operation *op, IndexProver &prover) {
  if (ops.contains(op))
    return true;
  if (!isMemoryEffectFree(op))
    return false;
  anywhere = anywhere && arrc::array::mayRunAnywhere(op, prover);
  for (Value value : getUsedValues(op))
    if (!add(value, prover))
      return false;
  ops.insert(op);
  return true;
}

bool BodySlice::add(Value value, IndexProver &prover) {
  if (value.getParentBlock() != space.getBodyBlock())
    return true;
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return add(value.getDefiningOp(), prover);
  auto index = llvm::find(space.getIndices(), argument);
  if (index == space.getIndices().end())
    return false;
  addIndex(index - space.getIndices().begin());
  return true;
}

void BodySlice::add(const BodySlice &other) {
  ops.insert(other.ops.begin(), other.ops.end());
  anywhere &= other.anywhere;
  for (unsigned number : other.indices)
    addIndex(number);
}

SmallVector<Value> BodySlice::getIndexValues() {
  SmallVector<Value> values;
  for (unsigned number : indices)
    values.push_back(space.getIndices()[number]);
  return values;
}

MapOp BodySlice::createMap(RewriterBase &rewriter, ValueRange values) const {
  IndexSpaceOpInterface of = space;
  SmallVector<OpFoldResult> extents;
  SmallVector<std::string> allNames = of.getIndexNames();
  SmallVector<StringRef> names;
  SmallVector<Value> old;
  for (unsigned number : indices) {
    extents.push_back(of.getMixedExtents()[number]);
    names.push_back(allNames[number]);
    old.push_back(of.getIndices()[number]);
  }
  auto build = [&](OpBuilder &body, Location loc, ValueRange points) {
    IRMapping mapping;
    mapping.map(old, points);
    for (Operation &op : *of.getBodyBlock())
      if (ops.contains(&op))
        body.clone(op, mapping);
    SmallVector<Value> results;
    for (Value value : values)
      results.push_back(mapping.lookupOrDefault(value));
    YieldOp::create(body, loc, results);
  };
  rewriter.setInsertionPoint(of);
  return MapOp::create(rewriter, values.front().getLoc(), extents, names,
                       build);
}
