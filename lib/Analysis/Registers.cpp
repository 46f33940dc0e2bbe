//===- Registers.cpp - How many values live at a time ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/Registers.h"

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace arrc;

/// Registers that hold `value`: none for what is an address, a constant or the
/// index of a loop.
static unsigned getWidth(Value value) {
  if (Operation *op = value.getDefiningOp())
    if (op->hasTrait<OpTrait::ConstantLike>() ||
        isa<affine::AffineApplyOp, arith::IndexCastOp>(op))
      return 0;
  Type type = value.getType();
  unsigned parts = 1;
  if (auto complex = dyn_cast<ComplexType>(type)) {
    parts = 2;
    type = complex.getElementType();
  }
  if (!type.isIntOrFloat())
    return 0;
  return parts * std::max(1u, type.getIntOrFloatBitWidth() / 32);
}

namespace {
/// Values that are needed later, and their registers.
class LiveValues {
public:
  void insert(Value value) {
    if (values.insert(value).second)
      registers += getWidth(value);
  }
  void erase(Value value) {
    if (values.erase(value))
      registers -= getWidth(value);
  }
  unsigned count() const { return registers; }

private:
  llvm::DenseSet<Value> values;
  unsigned registers = 0;
};
} // namespace

/// The most registers alive in `block`, if `live` are needed behind it. Blocks
/// are walked from their ends.
static unsigned getMostAlive(Block &block, LiveValues live) {
  unsigned most = live.count();
  for (Operation &op : llvm::reverse(block)) {
    for (Value result : op.getResults())
      live.erase(result);
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        most = std::max(most, getMostAlive(inner, live));
    // What a region uses from around it lives as long as the region.
    op.walk([&](Operation *user) {
      for (Value operand : user->getOperands())
        if (!op.isProperAncestor(operand.getParentRegion()->getParentOp()) &&
            operand.getParentRegion()->getParentOp() != &op)
          live.insert(operand);
    });
    most = std::max(most, live.count());
  }
  return most;
}

unsigned arrc::estimateRegisters(Operation *root) {
  unsigned most = 0;
  for (Region &region : root->getRegions())
    for (Block &block : region)
      most = std::max(most, getMostAlive(block, {}));
  return most;
}
