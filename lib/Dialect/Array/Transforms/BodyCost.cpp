//===- BodyCost.cpp - What a body costs -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "BodyCost.h"

#include "arrc/Analysis/CostModel.h"
#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

void BodyCost::add(Operation *op) {
  work += getWork(op);
  reads += isa<AtOp>(op);
  loops |= op->getNumRegions() != 0 && !isa<scf::IfOp>(op);
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      add(&inner);
}

BodyCost BodyCost::of(Block &block) {
  BodyCost cost;
  for (Operation &op : block.without_terminator())
    cost.add(&op);
  return cost;
}
