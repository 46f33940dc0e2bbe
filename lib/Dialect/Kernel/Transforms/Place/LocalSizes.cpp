//===- LocalSizes.cpp - Locals with more room than elements ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LocalSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// The element of `size` ones that is read at `at`.
static Value resolveEdge(OpBuilder &b, Location loc, Value at, Value size,
                         EdgeMode mode) {
  using arith::CmpIPredicate;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value zero = constant(0), one = constant(1);
  if (mode == EdgeMode::Clamp) {
    Value last = arith::SubIOp::create(b, loc, size, one);
    Value low = arith::MinSIOp::create(b, loc, at, last);
    return arith::MaxSIOp::create(b, loc, low, zero);
  }
  // The others repeat with a period; that of one element, turned, is 0. Loads
  // of an empty array are masked, and look for their place all the same.
  Value period = size;
  if (mode != EdgeMode::Wrap)
    period = arith::AddIOp::create(b, loc, size, size);
  if (mode == EdgeMode::Reflect)
    period = arith::SubIOp::create(b, loc, period, constant(2));
  period = arith::MaxSIOp::create(b, loc, period, one);
  Value rest = arith::RemSIOp::create(b, loc, at, period);
  Value moved = arith::AddIOp::create(b, loc, rest, period);
  Value isNegative =
      arith::CmpIOp::create(b, loc, CmpIPredicate::slt, rest, zero);
  Value turned = arith::SelectOp::create(b, loc, isNegative, moved, rest);
  if (mode == EdgeMode::Wrap)
    return turned;
  Value top = mode == EdgeMode::Mirror
                  ? arith::SubIOp::create(b, loc, period, one).getResult()
                  : period;
  Value back = arith::SubIOp::create(b, loc, top, turned);
  Value isInside =
      arith::CmpIOp::create(b, loc, CmpIPredicate::slt, turned, size);
  return arith::SelectOp::create(b, loc, isInside, turned, back);
}

/// Has `load` find its edge in dimension `dim`, of `size` elements.
static void expandEdge(RewriterBase &rewriter, LoadOp load, unsigned dim,
                       Value size) {
  std::optional<EdgesAttr> edges = load.getEdge();
  if (!edges || edges->getModes()[dim] == EdgeMode::None)
    return;
  SmallVector<EdgeMode> modes(edges->getModes());
  rewriter.setInsertionPoint(load);
  Value at = resolveEdge(rewriter, load.getLoc(), load.getIndices()[dim], size,
                         modes[dim]);
  modes[dim] = EdgeMode::None;
  rewriter.modifyOpInPlace(load, [&] {
    load.getIndicesMutable()[dim].set(at);
    bool isPlain =
        llvm::all_of(modes, [](EdgeMode m) { return m == EdgeMode::None; });
    load.setEdgeAttr(isPlain ? EdgesAttr()
                             : EdgesAttr::get(load.getContext(), modes));
  });
}

void arrc::kernel::setRoom(RewriterBase &rewriter, LocalOp local,
                           unsigned number, Value most) {
  OpBuilder::InsertionGuard guard(rewriter);
  OpOperand &operand = local.getSizesMutable()[number];
  Value size = operand.get();
  if (size == most)
    return;
  MemRefType type = local.getType();
  unsigned dim = 0;
  for (unsigned left = number; !type.isDynamicDim(dim) || left-- > 0; ++dim) {
  }
  for (Operation *user : local->getUsers())
    if (auto load = dyn_cast<LoadOp>(user))
      expandEdge(rewriter, load, dim, size);
  rewriter.modifyOpInPlace(local, [&] { operand.set(most); });
}
