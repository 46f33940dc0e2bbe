//===- SizeExpression.cpp - Sizes over the parameters ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/MemoryPlan.h"

#include "arrc/Analysis/SourceNames.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Support/DimNumber.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc;

SizeExpression::SizeExpression(Kind kind, SizeExpression lhs,
                               SizeExpression rhs)
    : kind(kind), operands{std::move(lhs), std::move(rhs)} {}

SizeExpression SizeExpression::ofAffine(AffineExpr expr, unsigned numDims,
                                        ArrayRef<SizeExpression> operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return SizeExpression(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Kind kind = Kind::Unknown;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    kind = Kind::Add;
    break;
  case AffineExprKind::Mul:
    kind = Kind::Mul;
    break;
  case AffineExprKind::FloorDiv:
    kind = Kind::FloorDiv;
    break;
  case AffineExprKind::CeilDiv:
    kind = Kind::CeilDiv;
    break;
  default:
    kind = Kind::Mod;
    break;
  }
  return {kind, ofAffine(binary.getLHS(), numDims, operands),
          ofAffine(binary.getRHS(), numDims, operands)};
}

SizeExpression::SizeExpression(Value size) {
  APInt constant;
  if (matchPattern(size, m_ConstantInt(&constant))) {
    *this = SizeExpression(constant.getSExtValue());
    return;
  }
  if (BlockArgument found = getParameter(size)) {
    kind = Kind::Parameter;
    parameter = found.getArgNumber();
    number = -1;
    return;
  }
  Operation *op = size.getDefiningOp();
  if (!op)
    return;
  if (isa<arith::IndexCastOp, array::AssumeOp>(op)) {
    *this = SizeExpression(op->getOperand(0));
    return;
  }
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    BlockArgument found = getParameter(dim.getSource());
    std::optional<int64_t> index = getDimNumber(dim);
    if (found && index)
      *this = ofParameter(found.getArgNumber(), *index);
    return;
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<SizeExpression> parts;
    for (Value operand : apply.getMapOperands())
      parts.emplace_back(operand);
    AffineMap map = apply.getAffineMap();
    *this = ofAffine(map.getResult(0), map.getNumDims(), parts);
    return;
  }
  // A size of which a wrong one becomes -1.
  if (auto select = dyn_cast<arith::SelectOp>(op);
      select && matchPattern(select.getTrueValue(), m_ConstantInt(&constant)) &&
      constant.isAllOnes()) {
    *this = SizeExpression(select.getFalseValue());
    return;
  }
  // The high half of a product is looked at where it is not 0.
  if (isa<arith::MulUIExtendedOp>(op) && size != op->getResult(0))
    return;
  Kind found =
      llvm::TypeSwitch<Operation *, Kind>(op)
          .Case([](arith::AddIOp) { return Kind::Add; })
          .Case([](arith::SubIOp) { return Kind::Sub; })
          .Case<arith::MulIOp, arith::MulUIExtendedOp>(
              [](auto) { return Kind::Mul; })
          .Case<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(
              [](auto) { return Kind::FloorDiv; })
          .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>(
              [](auto) { return Kind::CeilDiv; })
          .Case<arith::RemSIOp, arith::RemUIOp>([](auto) { return Kind::Mod; })
          .Case([](arith::MinSIOp) { return Kind::Min; })
          .Case([](arith::MaxSIOp) { return Kind::Max; })
          .Default(Kind::Unknown);
  if (found != Kind::Unknown)
    *this = SizeExpression(found, SizeExpression(op->getOperand(0)),
                           SizeExpression(op->getOperand(1)));
}

std::optional<int64_t>
SizeExpression::evaluate(const Parameters &parameters) const {
  if (kind == Kind::Unknown)
    return std::nullopt;
  if (kind == Kind::Number)
    return number;
  if (kind == Kind::Parameter)
    return parameters(parameter, number);
  std::optional<int64_t> lhs = operands[0].evaluate(parameters);
  std::optional<int64_t> rhs = operands[1].evaluate(parameters);
  if (!lhs || !rhs)
    return std::nullopt;
  bool divides =
      kind == Kind::FloorDiv || kind == Kind::CeilDiv || kind == Kind::Mod;
  if (divides && *rhs <= 0)
    return std::nullopt;
  switch (kind) {
  case Kind::Add:
    return *lhs + *rhs;
  case Kind::Sub:
    return *lhs - *rhs;
  case Kind::Mul:
    return *lhs * *rhs;
  case Kind::FloorDiv:
    return llvm::divideFloorSigned(*lhs, *rhs);
  case Kind::CeilDiv:
    return llvm::divideCeilSigned(*lhs, *rhs);
  case Kind::Mod:
    return ((*lhs % *rhs) + *rhs) % *rhs;
  case Kind::Min:
    return std::min(*lhs, *rhs);
  case Kind::Max:
    return std::max(*lhs, *rhs);
  default:
    return std::nullopt;
  }
}
