//===- BranchedProduct.cpp - Products that a branch guards ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "BranchedProduct.h"

#include "arrc/Analysis/AccessPattern.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

//===----------------------------------------------------------------------===//
// The condition
//===----------------------------------------------------------------------===//

/// Whether `value` is known in front of `map`.
static bool isOutside(Value value, MapOp map) {
  return !map->isAncestor(value.getParentRegion()->getParentOp());
}

namespace {
/// What a condition says of the indices of a map.
class Part {
public:
  explicit Part(MapOp map) : map(map) {}

  /// Whether `condition` is `truth` at a good part of the points.
  bool isLarge(Value condition, bool truth);

private:
  bool isLargeBound(const LinearIndex &bound);
  bool isIndex(Value value) {
    return llvm::is_contained(map.getIndices(), value);
  }
  /// The terms of `form` that are indices.
  LinearIndex getSlope(const LinearIndex &form);

  MapOp map;
  /// The slopes of what is to be 0 or more, all at once.
  SmallVector<LinearIndex> slopes;
};
} // namespace

LinearIndex Part::getSlope(const LinearIndex &form) {
  LinearIndex slope;
  for (const LinearIndex::Term &term : form.getTerms())
    if (isIndex(term.first))
      slope.add(LinearIndex::ofValue(term.first), term.second);
  return slope;
}

/// Whether `bound`, which must be 0 or more, leaves a good part.
bool Part::isLargeBound(const LinearIndex &bound) {
  LinearIndex slope = getSlope(bound);
  ArrayRef<LinearIndex::Term> terms = bound.getTerms();
  // The same for all points, or a few of an index; what an array says.
  if (slope.getTerms().empty() ||
      (terms.size() == 1 && terms.front().second < 0) ||
      !llvm::all_of(terms, [&](LinearIndex::Term term) {
        return isIndex(term.first) || isOutside(term.first, map);
      }))
    return false;
  // Between two bounds that are parallel there may be little.
  LinearIndex opposite;
  opposite.add(slope, -1);
  if (llvm::is_contained(slopes, opposite))
    return false;
  slopes.push_back(slope);
  return true;
}

bool Part::isLarge(Value condition, bool truth) {
  Operation *op = condition.getDefiningOp();
  if (!op)
    return false;
  if (isa<arith::AndIOp, arith::OrIOp>(op)) {
    Value lhs = op->getOperand(0), rhs = op->getOperand(1);
    if (isa<arith::AndIOp>(op) == truth)
      return isLarge(lhs, truth) && isLarge(rhs, truth);
    return Part(map).isLarge(lhs, truth) || Part(map).isLarge(rhs, truth);
  }
  if (isa<arith::XOrIOp>(op) && matchPattern(op->getOperand(1), m_One()))
    return isLarge(op->getOperand(0), !truth);
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare)
    return false;
  arith::CmpIPredicate predicate = compare.getPredicate();
  if (!truth)
    predicate = arith::invertPredicate(predicate);
  // What is left from the smaller side to the larger one.
  LinearIndex room(compare.getRhs());
  room.add(LinearIndex(compare.getLhs()), -1);
  switch (predicate) {
  case arith::CmpIPredicate::ne:
    return !getSlope(room).getTerms().empty();
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::sle:
    return isLargeBound(room);
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::sge: {
    LinearIndex back;
    back.add(room, -1);
    return isLargeBound(back);
  }
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

/// The indices of `map` that `value` is computed of.
static void addIndices(Value value, MapOp map,
                       llvm::SmallSetVector<Value, 4> &indices) {
  if (llvm::is_contained(map.getIndices(), value)) {
    indices.insert(value);
    return;
  }
  if (Operation *op = value.getDefiningOp(); op && map->isProperAncestor(op))
    for (Value operand : op->getOperands())
      addIndices(operand, map, indices);
}

/// Whether points of `map` share all that `fold` reads, each read along some
/// index, and the whole along none.
static bool isShared(ReduceOp fold, MapOp map) {
  llvm::SmallSetVector<Value, 4> all;
  bool shared = true;
  unsigned reads = 0;
  fold.getBody().walk([&](AtOp read) {
    llvm::SmallSetVector<Value, 4> own;
    for (Value index : read.getIndices())
      addIndices(index, map, own);
    shared &= own.size() < map.getIndices().size();
    all.insert(own.begin(), own.end());
    ++reads;
  });
  return shared && reads > 1 && all.size() == map.getIndices().size();
}

ReduceOp arrc::array::getBranchedProduct(scf::IfOp branch) {
  auto map = dyn_cast<MapOp>(branch->getParentOp());
  if (!map || map->getParentOfType<IndexSpaceOpInterface>())
    return {};
  ReduceOp product;
  for (Region *side : branch.getRegions())
    for (Operation &op : side->getOps()) {
      if (!op.getNumRegions())
        continue;
      // What has several folds is no product.
      auto fold = dyn_cast<ReduceOp>(op);
      if (!fold || product)
        return {};
      product = fold;
    }
  if (!product || product->getNumResults() != 1 || !isShared(product, map) ||
      !llvm::all_of(product.getDynamicExtents(),
                    [&](Value extent) { return isOutside(extent, map); }))
    return {};
  bool truth = product->getParentRegion() == &branch.getThenRegion();
  return Part(map).isLarge(branch.getCondition(), truth) ? product : ReduceOp();
}
