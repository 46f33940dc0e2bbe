//===- BodyCost.cpp - What a body costs -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "BodyCost.h"

#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace arrc::array;

/// Additions that one operation is worth; regions are counted apart.
static int64_t workOf(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      op->hasTrait<OpTrait::IsTerminator>() ||
      isa<affine::AffineApplyOp, arith::IndexCastOp, arith::IndexCastUIOp,
          tensor::FromElementsOp, tensor::DimOp, AtOp, ViewOp, ExtendOp, BindOp,
          AssumeOp, scf::IfOp>(op))
    return 0;
  if (isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp,
          arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
          arith::FloorDivSIOp, math::SqrtOp, math::RsqrtOp>(op))
    return 8;
  if (isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::CopySignOp,
          math::FloorOp, math::CeilOp, math::TruncOp, math::RoundEvenOp,
          math::IsNaNOp, math::IsInfOp, math::IsFiniteOp>(op) ||
      isa<arith::ArithDialect>(op->getDialect()))
    return 1;
  return 16;
}

void BodyCost::add(Operation *op) {
  work += workOf(op);
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
