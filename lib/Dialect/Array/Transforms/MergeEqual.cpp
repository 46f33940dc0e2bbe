//===- MergeEqual.cpp - Common subexpressions with bodies -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// MLIR's elimination of common subexpressions finds candidates by a hash of an
// operation's name, operands, attributes and types. What is in its regions is
// compared, and no part of the hash: maps of one size and no operand besides
// have one hash, and each is compared with all before it.
//
// So every operation with regions is given a number of what it computes first,
// an attribute, which the hash takes in. Operations that are equal, or become
// so while others are merged, must have one number; others may. It is therefore
// a number of values, not of operations:
//
//   number(op)  = (name, attributes, types, number(operand)..,
//                  number(terminator) of each region)
//   number(arg) = (how deep, which, type)
//
// Operations in a region count as far as something is made of their results, or
// they do something. Numbers are made of addresses and gone in the end: the
// order of operations alone decides what stays.
//
// Reference: value numbering; mlir/lib/Transforms/CSE.cpp.
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Array/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"

namespace arrc::array {
#define GEN_PASS_DEF_MERGEEQUALPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;

static constexpr llvm::StringLiteral numberAttrName = "arrc.number";

/// Whether equal ones of it are merged, as far as regions can tell.
static bool isCandidate(Operation *op) {
  return op->getNumRegions() && op->getNumResults();
}

namespace {
/// Numbers what operations compute.
class ValueNumbers {
public:
  void number(Region &region, unsigned depth) {
    for (Block &block : region) {
      depths[&block] = depth;
      for (Operation &op : block)
        number(op, depth);
    }
  }

private:
  void number(Operation &op, unsigned depth) {
    llvm::hash_code hash = llvm::hash_combine(
        op.getName(), op.getRawDictionaryAttrs(), op.hashProperties());
    for (Type type : op.getResultTypes())
      hash = llvm::hash_combine(hash, type);
    if (op.hasTrait<OpTrait::IsCommutative>()) {
      size_t sum = 0;
      for (Value operand : op.getOperands())
        sum += get(operand);
      hash = llvm::hash_combine(hash, sum);
    } else {
      for (Value operand : op.getOperands())
        hash = llvm::hash_combine(hash, get(operand));
    }
    for (Region &region : op.getRegions()) {
      number(region, depth + 1);
      for (Block &block : region)
        for (Operation &inner : block)
          if (inner.use_empty() && !isOpTriviallyDead(&inner))
            hash = llvm::hash_combine(hash, numbers.lookup(&inner));
    }
    numbers[&op] = hash;
    if (isCandidate(&op))
      op.setDiscardableAttr(
          numberAttrName,
          Builder(op.getContext()).getI64IntegerAttr(int64_t(size_t(hash))));
  }

  size_t get(Value value) const {
    if (auto result = dyn_cast<OpResult>(value))
      return llvm::hash_combine(numbers.lookup(result.getOwner()),
                                result.getResultNumber());
    auto argument = cast<BlockArgument>(value);
    return llvm::hash_combine(depths.lookup(argument.getOwner()),
                              argument.getArgNumber(), argument.getType());
  }

  llvm::DenseMap<Operation *, size_t> numbers;
  llvm::DenseMap<Block *, unsigned> depths;
};

struct MergeEqualPass : arrc::array::impl::MergeEqualPassBase<MergeEqualPass> {
  using MergeEqualPassBase::MergeEqualPassBase;

  void runOnOperation() override {
    Operation *root = getOperation();
    unsigned candidates = 0;
    root->walk([&](Operation *op) { candidates += isCandidate(op); });
    bool isNumbered = candidates > few;
    if (isNumbered) {
      ValueNumbers numbers;
      for (Region &region : root->getRegions())
        numbers.number(region, 0);
    }
    bool changed = false;
    IRRewriter rewriter(&getContext());
    eliminateCommonSubExpressions(rewriter, getAnalysis<DominanceInfo>(), root,
                                  &changed);
    if (isNumbered)
      root->walk(
          [](Operation *op) { op->removeDiscardableAttr(numberAttrName); });
    if (!changed)
      markAllAnalysesPreserved();
    else
      markAnalysesPreserved<DominanceInfo, PostDominanceInfo>();
  }
};
} // namespace
