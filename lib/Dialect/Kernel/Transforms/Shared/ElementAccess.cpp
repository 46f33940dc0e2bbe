//===- ElementAccess.cpp - Accesses to elements, spelled out --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/Transforms/ElementAccess.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using namespace arrc::kernel;

/// Remainder in [0, divisor), for indices of either sign.
static Value positiveRemainder(OpBuilder &builder, Location loc, Value index,
                               Value divisor) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value rest = arith::RemSIOp::create(builder, loc, index, divisor);
  Value negative = arith::CmpIOp::create(builder, loc,
                                         arith::CmpIPredicate::slt, rest, zero);
  Value moved = arith::AddIOp::create(builder, loc, rest, divisor);
  return arith::SelectOp::create(builder, loc, negative, moved, rest);
}

Value arrc::kernel::resolveEdge(OpBuilder &builder, Location loc, EdgeMode mode,
                                Value index, Value size) {
  if (mode == EdgeMode::None)
    return index;
  if (mode == EdgeMode::Wrap)
    return positiveRemainder(builder, loc, index, size);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value last = arith::SubIOp::create(builder, loc, size, one);
  if (mode == EdgeMode::Clamp) {
    Value low = arith::MaxSIOp::create(builder, loc, index, zero);
    return arith::MinSIOp::create(builder, loc, low, last);
  }
  // Mirrored: up and down again. Turned at the edge the way is 2 n long and
  // the edge element comes twice; reflected it is 2 (n - 1) long, and one
  // element alone reflects into itself.
  bool twice = mode == EdgeMode::Mirror;
  Value steps = twice ? size : arith::MaxSIOp::create(builder, loc, last, one);
  Value period = arith::AddIOp::create(builder, loc, steps, steps);
  Value rest = positiveRemainder(builder, loc, index, period);
  Value end = twice ? arith::SubIOp::create(builder, loc, period, one) : period;
  Value back = arith::SubIOp::create(builder, loc, end, rest);
  Value way = arith::MinSIOp::create(builder, loc, rest, back);
  return twice ? way : arith::MinSIOp::create(builder, loc, way, last);
}

SmallVector<Value>
arrc::kernel::resolveEdges(OpBuilder &builder, Location loc,
                           std::optional<EdgesAttr> edges, ValueRange indices,
                           function_ref<Value(unsigned)> getSize) {
  SmallVector<Value> resolved(indices);
  if (!edges)
    return resolved;
  for (auto [dim, mode] : llvm::enumerate(edges->getModes()))
    if (mode != EdgeMode::None)
      resolved[dim] =
          resolveEdge(builder, loc, mode, resolved[dim], getSize(dim));
  return resolved;
}

Value arrc::kernel::createZero(OpBuilder &builder, Location loc, Type type) {
  if (auto complex = dyn_cast<ComplexType>(type)) {
    Attribute zero = builder.getZeroAttr(complex.getElementType());
    return complex::ConstantOp::create(builder, loc, type,
                                       builder.getArrayAttr({zero, zero}));
  }
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}
