//===- AccessPattern.cpp - What a loop nest reads and writes --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/AccessPattern.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace arrc;

//===----------------------------------------------------------------------===//
// LinearIndex
//===----------------------------------------------------------------------===//

void LinearIndex::addTerm(Value value, int64_t coefficient) {
  auto *it = llvm::find_if(
      terms, [&](const Term &term) { return term.first == value; });
  if (it == terms.end())
    it = terms.insert(it, {value, 0});
  it->second += coefficient;
  if (it->second == 0)
    terms.erase(it);
}

bool LinearIndex::hasTermsOf(const LinearIndex &other) const {
  return terms.size() == other.terms.size() &&
         llvm::all_of(terms, [&](const Term &term) {
           return other.getCoefficient(term.first) == term.second;
         });
}

void LinearIndex::add(const LinearIndex &other, int64_t factor) {
  if (factor == 0)
    return;
  for (const Term &term : other.terms)
    addTerm(term.first, term.second * factor);
  constant += other.constant * factor;
}

std::optional<LinearIndex> LinearIndex::ofExpr(AffineExpr expr,
                                               unsigned numDims,
                                               ArrayRef<LinearIndex> operands) {
  if (auto number = dyn_cast<AffineConstantExpr>(expr))
    return LinearIndex(number.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto lhs = ofExpr(binary.getLHS(), numDims, operands);
  auto rhs = ofExpr(binary.getRHS(), numDims, operands);
  if (!lhs || !rhs)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add) {
    lhs->add(*rhs, 1);
    return lhs;
  }
  if (expr.getKind() != AffineExprKind::Mul || !rhs->getTerms().empty())
    return std::nullopt;
  LinearIndex product;
  product.add(*lhs, rhs->getConstant());
  return product;
}

LinearIndex::LinearIndex(Value index) {
  APInt number;
  if (matchPattern(index, m_ConstantInt(&number))) {
    constant = number.getSExtValue();
    return;
  }
  Operation *op = index.getDefiningOp();
  if (auto apply = dyn_cast_if_present<affine::AffineApplyOp>(op)) {
    SmallVector<LinearIndex> operands;
    for (Value operand : apply.getMapOperands())
      operands.emplace_back(operand);
    AffineMap map = apply.getAffineMap();
    if (auto form = ofExpr(map.getResult(0), map.getNumDims(), operands)) {
      *this = *form;
      return;
    }
  } else if (isa_and_present<arith::AddIOp, arith::SubIOp>(op)) {
    *this = LinearIndex(op->getOperand(0));
    add(LinearIndex(op->getOperand(1)), isa<arith::AddIOp>(op) ? 1 : -1);
    return;
  } else if (isa_and_present<arith::MulIOp>(op)) {
    for (unsigned side : {0, 1})
      if (matchPattern(op->getOperand(side), m_ConstantInt(&number))) {
        add(LinearIndex(op->getOperand(1 - side)), number.getSExtValue());
        return;
      }
  }
  // Between `index` and `i64` a cast keeps every bit.
  if (auto cast = dyn_cast_if_present<arith::IndexCastOp>(op)) {
    Type other = cast.getIn().getType().isIndex() ? cast.getType()
                                                  : cast.getIn().getType();
    if (other.isInteger(64)) {
      *this = LinearIndex(cast.getIn());
      return;
    }
  }
  addTerm(index, 1);
}

LinearIndex LinearIndex::ofSize(OpFoldResult size) {
  if (auto value = dyn_cast<Value>(size))
    return LinearIndex(value);
  return LinearIndex(cast<IntegerAttr>(cast<Attribute>(size)).getInt());
}

LinearIndex LinearIndex::ofValue(Value value) {
  LinearIndex form;
  form.addTerm(value, 1);
  return form;
}

int64_t LinearIndex::getCoefficient(Value value) const {
  for (const Term &term : terms)
    if (term.first == value)
      return term.second;
  return 0;
}

LinearIndex LinearIndex::replace(Value from, Value to) const {
  LinearIndex result(constant);
  for (const Term &term : terms)
    result.addTerm(term.first == from ? to : term.first, term.second);
  return result;
}

std::optional<int64_t>
LinearIndex::distanceFrom(const LinearIndex &other) const {
  if (!hasTermsOf(other))
    return std::nullopt;
  return constant - other.constant;
}

/// Whether the index of a loop over elements is in `form`.
static bool walks(const LinearIndex &form) {
  return llvm::any_of(form.getTerms(), [](const LinearIndex::Term &term) {
    auto argument = dyn_cast<BlockArgument>(term.first);
    return argument && isa<array::IndexSpaceOpInterface, kernel::ForOp>(
                           argument.getOwner()->getParentOp());
  });
}

LinearIndex arrc::getMostly(const LinearIndex &index) {
  LinearIndex mostly(index.getConstant());
  for (auto [value, factor] : index.getTerms()) {
    LinearIndex form = LinearIndex::ofValue(value);
    Operation *op = value.getDefiningOp();
    if (auto choice = dyn_cast_if_present<arith::SelectOp>(op)) {
      form = getMostly(LinearIndex(choice.getFalseValue()));
    } else if (isa_and_present<arith::MinSIOp, arith::MaxSIOp>(op)) {
      LinearIndex lhs = getMostly(LinearIndex(op->getOperand(0))),
                  rhs = getMostly(LinearIndex(op->getOperand(1)));
      if (walks(lhs) != walks(rhs))
        form = walks(lhs) ? lhs : rhs;
    }
    mostly.add(form, factor);
  }
  return mostly;
}

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

/// The first argument of the launch that is the same buffer as `array`: after
/// bufferization two operands may be one.
static Value getRepresentative(Value array) {
  auto argument = dyn_cast<BlockArgument>(array);
  if (!argument)
    return array;
  auto launch = dyn_cast<kernel::LaunchOp>(argument.getOwner()->getParentOp());
  if (!launch)
    return array;
  Value operand = launch.getOperandOf(argument).get();
  if (!isa<MemRefType>(operand.getType()))
    return array;
  for (BlockArgument other : launch.getBodyBlock()->getArguments())
    if (launch.getOperandOf(other).get() == operand)
      return other;
  return array;
}

bool Access::isAccess(Operation *op) {
  return isa<kernel::LoadOp, kernel::StoreOp, kernel::UpdateOp>(op);
}

Access::Access(Operation *op) : op(op) {
  auto take = [&](Value from, ValueRange at) {
    array = getRepresentative(from);
    for (Value index : at)
      indices.emplace_back(index);
  };
  reads = !isa<kernel::StoreOp>(op);
  writes = !isa<kernel::LoadOp>(op);
  if (auto load = dyn_cast<kernel::LoadOp>(op))
    take(load.getSource(), load.getIndices());
  else if (auto store = dyn_cast<kernel::StoreOp>(op))
    take(store.getDest(), store.getIndices());
  else
    take(cast<kernel::UpdateOp>(op).getDest(),
         cast<kernel::UpdateOp>(op).getIndices());
}

AccessPattern::AccessPattern(Operation *root) {
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (Access::isAccess(op))
      accesses.emplace_back(op);
  });
}

AccessPattern AccessPattern::getMostly(Operation *root) {
  AccessPattern pattern(root);
  for (Access &access : pattern.accesses)
    for (LinearIndex &index : access.indices)
      index = arrc::getMostly(index);
  return pattern;
}
