//===- BufferDistinctness.cpp - Which buffers never overlap ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/BufferDistinctness.h"

#include "arrc/Analysis/SourceNames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace arrc;

Value arrc::getBuffer(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (!isa<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp,
             memref::SubViewOp, memref::ReinterpretCastOp>(def))
      break;
    value = def->getOperand(0);
  }
  return value;
}

Value arrc::getSameElements(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (!isa<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp>(
            def))
      break;
    value = def->getOperand(0);
  }
  return value;
}

std::optional<Plane> arrc::getPlane(Value memref) {
  auto view = memref.getDefiningOp<memref::ViewOp>();
  auto units =
      view ? view->getAttrOfType<DenseI64ArrayAttr>(kPlaneAttr) : nullptr;
  if (!units || units.size() != 2)
    return std::nullopt;
  Plane plane;
  plane.pack = view.getSource();
  plane.first = units[0];
  plane.width = units[1];
  Value shift = view.getByteShift();
  APInt number;
  if (matchPattern(shift, m_ConstantInt(&number)))
    return number == plane.first ? std::optional(plane) : std::nullopt;
  auto product = shift.getDefiningOp<arith::MulIOp>();
  if (!product || !matchPattern(product.getRhs(), m_ConstantInt(&number)) ||
      number != plane.first)
    return std::nullopt;
  plane.pitch = product.getLhs();
  return plane;
}

bool arrc::areDistinctBuffers(Value lhs, Value rhs) {
  if (lhs == rhs)
    return false;
  // Arrays beside each other, or of allocations that are.
  if (std::optional<Plane> left = getPlane(lhs)) {
    std::optional<Plane> right = getPlane(rhs);
    return (right && left->isBeside(*right)) ||
           areDistinctBuffers(left->pack, right ? right->pack : rhs);
  }
  if (std::optional<Plane> right = getPlane(rhs))
    return areDistinctBuffers(lhs, right->pack);
  // A result of a branch is what one of its sides yields.
  auto branchOf = [](Value value) { return value.getDefiningOp<scf::IfOp>(); };
  if (scf::IfOp branch = branchOf(lhs) ? branchOf(lhs) : branchOf(rhs)) {
    Value mine = branchOf(lhs) ? lhs : rhs, other = branchOf(lhs) ? rhs : lhs;
    unsigned number = cast<OpResult>(mine).getResultNumber();
    return llvm::all_of(branch->getRegions(), [&](Region &side) {
      Value yielded = side.front().getTerminator()->getOperand(number);
      return areDistinctBuffers(getBuffer(yielded), other);
    });
  }
  // The results of a time loop are its operands in some order.
  auto loopOf = [](Value value) {
    return value.getDefiningOp<kernel::IterateOp>();
  };
  if (kernel::IterateOp loop = loopOf(lhs) ? loopOf(lhs) : loopOf(rhs)) {
    Value other = loopOf(lhs) ? rhs : lhs;
    return loopOf(other) == loop ||
           llvm::none_of(loop->getOperands(), [&](Value operand) {
             return isa<MemRefType>(operand.getType()) &&
                    !areDistinctBuffers(getBuffer(operand), other);
           });
  }
  auto iterateOf = [](Value value) -> kernel::IterateOp {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument
               ? dyn_cast<kernel::IterateOp>(argument.getOwner()->getParentOp())
               : kernel::IterateOp();
  };
  // All buffers that a time loop carries are different ones.
  kernel::IterateOp left = iterateOf(lhs), right = iterateOf(rhs);
  if (left && left == right)
    return true;
  if (left || right) {
    // A carried buffer against one from outside of its loop that is none of
    // the loop's.
    kernel::IterateOp loop = left ? left : right;
    Value other = left ? rhs : lhs;
    if (left && right)
      return false;
    if (Operation *def = other.getDefiningOp())
      if (loop->isAncestor(def))
        return isa<memref::AllocOp>(def);
    return (other.getDefiningOp<memref::AllocOp>() ||
            isa<BlockArgument>(other)) &&
           llvm::none_of(loop->getOperands(), [&](Value operand) {
             return isa<MemRefType>(operand.getType()) &&
                    !areDistinctBuffers(getBuffer(operand), other);
           });
  }
  auto isAlloc = [](Value v) {
    return static_cast<bool>(v.getDefiningOp<memref::AllocOp>());
  };
  return (isAlloc(lhs) && (isAlloc(rhs) || getParameter(rhs))) ||
         (getParameter(lhs) && isAlloc(rhs));
}

bool arrc::buffersAreDistinct(kernel::LaunchOp launch) {
  SmallVector<Value> read, written;
  for (Value input : launch.getInputs())
    if (isa<MemRefType>(input.getType()))
      read.push_back(getBuffer(input));
  for (Value out : launch.getOuts())
    written.push_back(getBuffer(out));
  for (auto [position, out] : llvm::enumerate(written)) {
    for (Value other : read)
      if (!areDistinctBuffers(out, other))
        return false;
    for (Value other : ArrayRef(written).drop_front(position + 1))
      if (!areDistinctBuffers(out, other))
        return false;
  }
  return true;
}
