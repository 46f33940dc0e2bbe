//===- TransposeReductions.cpp - Reductions as one nest in memory order ---===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Idea. However a reduction over several axes is written, it is one reduction
// with one index a folded axis, in the order in which its arrays lie in memory.
// Import makes maps of reductions of reductions of arrays already; here
//
// a reduction of reductions by the same operator becomes one:
//
//   %s = array.reduce (%l) in (%m) {          %s = array.reduce (%l, %k)
//     %t = array.reduce (%k) in (%n) {    ->      in (%m, %n) {
//       %x = array.at %a[%k, %l, %i] ..         %x = array.at %a[%k, %l, %i] ..
//       array.yield %x } by arith.addf          array.yield %x
//     array.yield %t } by arith.addf          } by arith.addf
//
// its indices take the order of the dimensions that they read (%k before %l
// here), so that neighbours can be walked as one and the innermost one is the
// contiguous one; and a reduction in its body that is the same for all points
// of the map around is computed before it, once a point of the reduction:
//
//   %r = array.map (%j) in (%m) {             %q = array.map (%i) in (%n) {
//     %s = array.reduce (%i) in (%n) {          %t = array.reduce (%l) ..
//       %t = array.reduce (%l) .. %a[%i, %l]    array.yield %t }
//       .. %t, %a[%i, %j] ..                  %r = array.map (%j) in (%m) {
//                                         ->    .. array.at %q[%i] ..
//
// No data is moved: only the order in which elements are met changes.
//
// Legal if the operator is the same and work between the two reductions is
// cheap and cannot fail; in another order if the operator commutes and nothing
// in the body may fail (the first error is the first in index order). What is
// computed before must not fail either. Sums are rounded in another tree, which
// follows from the program alone: the results are the same in every run.
//
// Pays always. Where an intermediate reduction is needed by itself and another
// reduction takes it in an order that its kernel does not walk in, two kernels
// are left, and a remark says so.
//
// Source: interchange and collapsing of loops (Allen and Kennedy, "Optimizing
// Compilers for Modern Architectures", 5).
//
//===----------------------------------------------------------------------===//

#include "BodyCost.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/IR/Binds.h"
#include "arrc/Dialect/Array/IR/WrittenSchedule.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"
#include "arrc/Support/Combiner.h"
#include "arrc/Support/StoredBytes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

#include "llvm/ADT/SetVector.h"

namespace arrc::array {
#define GEN_PASS_DEF_TRANSPOSEREDUCTIONSPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

static remark::RemarkOpts getRemark() {
  return remark::RemarkOpts::name("TransposeReduction")
      .category("transpose-reductions");
}

static YieldOp getYield(Operation *space) {
  return cast<IndexSpaceOpInterface>(space).getYield();
}

/// Whether `root` may be an error where it runs.
static bool mayFail(Operation *root) {
  return root
      ->walk([](Operation *op) {
        auto at = dyn_cast<AtOp>(op);
        return isa<CheckOp>(op) || (at && !at.getInbounds())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Reductions of reductions
//===----------------------------------------------------------------------===//

static bool isSameValue(Value a, Value b) {
  Attribute x, y;
  return a == b || (matchPattern(a, m_Constant(&x)) &&
                    matchPattern(b, m_Constant(&y)) && x == y);
}

/// The reduction whose results are all that `outer` folds, by the same
/// operator; null if there is none.
static ReduceOp getFoldedReduction(ReduceOp outer) {
  Block &body = outer.getBody().front();
  ValueRange yielded = getYield(outer).getValues();
  auto inner = yielded.front().getDefiningOp<ReduceOp>();
  if (!inner || inner->getBlock() != &body || hasWrittenSchedule(outer) ||
      hasWrittenSchedule(inner) || !llvm::equal(yielded, inner.getResults()) ||
      !llvm::all_of(inner.getResults(),
                    [](Value result) { return result.hasOneUse(); }) ||
      !llvm::all_of(llvm::zip(outer.getInit(), inner.getInit()),
                    [](auto pair) {
                      return isSameValue(std::get<0>(pair), std::get<1>(pair));
                    }) ||
      !OperationEquivalence::isRegionEquivalentTo(
          &outer.getCombiner(), &inner.getCombiner(),
          OperationEquivalence::IgnoreLocations) ||
      !llvm::all_of(inner.getExtents(), [&](Value extent) {
        return extent.getParentRegion()->isProperAncestor(&outer.getBody());
      }))
    return {};
  // What stands around it runs for each of its elements then.
  BodyCost between;
  for (Operation &op : body.without_terminator()) {
    if (&op == inner)
      continue;
    if (!isMemoryEffectFree(&op) || mayFail(&op))
      return {};
    between.add(&op);
  }
  return between.loops || between.work > 2 || between.reads ? ReduceOp()
                                                            : inner;
}

/// The names of the indices of both, if both have some.
static ArrayAttr joinNames(ReduceOp outer, ReduceOp inner) {
  if (!outer.getDims() || !inner.getDims())
    return {};
  SmallVector<Attribute> names(outer.getDimsAttr().getValue());
  llvm::append_range(names, inner.getDimsAttr().getValue());
  return ArrayAttr::get(outer.getContext(), names);
}

/// Makes one reduction of `outer` and the `inner` one that it folds.
static void collapse(RewriterBase &rewriter, ReduceOp outer, ReduceOp inner) {
  rewriter.setInsertionPoint(outer);
  SmallVector<OpFoldResult> extents = outer.getMixedExtents();
  llvm::append_range(extents, inner.getMixedExtents());
  auto flat = ReduceOp::create(
      rewriter, rewriter.getFusedLoc({outer.getLoc(), inner.getLoc()}), extents,
      joinNames(outer, inner), outer.getInit());
  flat->setDiscardableAttrs(llvm::to_vector(outer->getDiscardableAttrs()));
  flat.getCombiner().takeBody(outer.getCombiner());
  SmallVector<Type> types(extents.size(), rewriter.getIndexType());
  Block *block =
      rewriter.createBlock(&flat.getBody(), {}, types,
                           SmallVector<Location>(types.size(), outer.getLoc()));
  unsigned count = outer.getNumIndices();
  rewriter.eraseOp(getYield(outer));
  rewriter.inlineBlockBefore(&outer.getBody().front(), block, block->end(),
                             block->getArguments().take_front(count));
  rewriter.mergeBlocks(&inner.getBody().front(), block,
                       block->getArguments().drop_front(count));
  rewriter.eraseOp(inner);
  rewriter.replaceOp(outer, flat.getResults());
}

//===----------------------------------------------------------------------===//
// The order of indices
//===----------------------------------------------------------------------===//

/// The dimension of `at` that `index` alone decides, or nothing.
static std::optional<unsigned> getReadDim(AtOp at, Value index) {
  std::optional<unsigned> found;
  for (auto [dim, subscript] : llvm::enumerate(at.getIndices())) {
    LinearIndex form(subscript);
    if (form.getCoefficient(index) == 0)
      continue;
    if (found)
      return std::nullopt;
    found = dim;
  }
  return found;
}

/// The order of the indices of `op` in which most bytes lie in memory; numbers
/// of the indices as they are.
static SmallVector<unsigned> getMemoryOrder(ReduceOp op) {
  unsigned count = op.getNumIndices();
  // votes[a][b]: bytes of reads in which index a is of an outer dimension of b.
  SmallVector<SmallVector<int64_t>> votes(count,
                                          SmallVector<int64_t>(count, 0));
  op.getBody().walk([&](AtOp at) {
    SmallVector<std::optional<unsigned>> dims;
    for (Value index : op.getIndices())
      dims.push_back(getReadDim(at, index));
    for (unsigned a = 0; a < count; ++a)
      for (unsigned b = 0; b < count; ++b)
        if (dims[a] && dims[b] && *dims[a] < *dims[b])
          votes[a][b] += getStoredBytes(getElementTypeOrSelf(at.getType()));
  });
  // Insertion: what no read decides stays as it was written.
  SmallVector<unsigned> order;
  for (unsigned index = 0; index < count; ++index) {
    order.push_back(index);
    for (size_t k = order.size() - 1; k > 0; --k) {
      unsigned before = order[k - 1], after = order[k];
      if (votes[after][before] <= votes[before][after])
        break;
      std::swap(order[k - 1], order[k]);
    }
  }
  return order;
}

/// Gives the indices of `op` the order of memory, if that may be done.
static void order(RewriterBase &rewriter, ReduceOp op) {
  if (op.getNumIndices() < 2 || hasWrittenSchedule(op) ||
      !isCommutativeCombiner(op.getCombiner()))
    return;
  SmallVector<unsigned> order = getMemoryOrder(op);
  if (llvm::is_sorted(order))
    return;
  if (mayFail(op)) {
    remark::missed(op.getLoc(), getRemark()) << remark::reason(
        "the indices keep their order: a read in it may be out of bounds");
    return;
  }
  SmallVector<OpFoldResult> extents, old = op.getMixedExtents();
  SmallVector<Attribute> names;
  for (unsigned index : order) {
    extents.push_back(old[index]);
    if (op.getDims())
      names.push_back(op.getDimsAttr()[index]);
  }
  rewriter.setInsertionPoint(op);
  auto turned = ReduceOp::create(
      rewriter, op.getLoc(), extents,
      op.getDims() ? rewriter.getArrayAttr(names) : ArrayAttr(), op.getInit());
  turned->setDiscardableAttrs(llvm::to_vector(op->getDiscardableAttrs()));
  turned.getCombiner().takeBody(op.getCombiner());
  SmallVector<Type> types(order.size(), rewriter.getIndexType());
  SmallVector<Location> locs(order.size(), op.getLoc());
  Block *block = rewriter.createBlock(&turned.getBody(), {}, types, locs);
  SmallVector<Value> indices(order.size());
  for (auto [k, index] : llvm::enumerate(order))
    indices[index] = block->getArgument(k);
  rewriter.mergeBlocks(&op.getBody().front(), block, indices);
  rewriter.replaceOp(op, turned.getResults());
  remark::passed(turned.getLoc(), getRemark())
      << remark::add("folds in the order of memory");
}

//===----------------------------------------------------------------------===//
// Reductions that are the same for all points of a map
//===----------------------------------------------------------------------===//

/// Adds `op` and what it needs of the bodies of `fold` and `map` to `slice`, in
/// order; false if some of it differs between points of `map`, or may fail.
static bool addSlice(Operation *op, ReduceOp fold, IndexSpaceOpInterface map,
                     llvm::SetVector<Operation *> &slice) {
  if (slice.contains(op))
    return true;
  if (!isMemoryEffectFree(op) || mayFail(op))
    return false;
  bool known = true;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      Operation *owner = operand.getParentBlock()->getParentOp();
      // From inside of `op`, or from outside of the map.
      if (op->isAncestor(owner) || !map->isAncestor(owner))
        continue;
      if (auto argument = dyn_cast<BlockArgument>(operand)) {
        known &= argument.getOwner() == &fold.getBody().front();
        continue;
      }
      Operation *def = operand.getDefiningOp();
      known = known &&
              (def->getBlock() == &fold.getBody().front() ||
               def->getBlock() == map.getBodyBlock()) &&
              addSlice(def, fold, map, slice);
    }
  });
  slice.insert(op);
  return known;
}

/// Computes `inner`, a reduction in the body of `fold`, in front of the map
/// around `fold` if it is the same for all points of that.
static bool computeBefore(RewriterBase &rewriter, ReduceOp inner,
                          ReduceOp fold) {
  auto map = dyn_cast<IndexSpaceOpInterface>(fold->getParentOp());
  if (!map || !isa<MapOp, StencilOp>(map.getOperation()) ||
      fold->getBlock() != map.getBodyBlock() || hasWrittenSchedule(map) ||
      hasWrittenSchedule(fold) || hasWrittenSchedule(inner))
    return false;
  auto isOutside = [&](Value value) {
    return !map->isAncestor(value.getParentBlock()->getParentOp());
  };
  llvm::SetVector<Operation *> slice;
  if (!llvm::all_of(fold.getExtents(), isOutside) ||
      !llvm::all_of(inner.getResultTypes(),
                    [](Type type) { return !isa<ShapedType>(type); }) ||
      !addSlice(inner, fold, map, slice))
    return false;
  // The same for all points of the reduction, too: not ours to move.
  bool uses = llvm::any_of(fold.getIndices(), [&](Value index) {
    return llvm::any_of(index.getUsers(), [&](Operation *user) {
      return llvm::any_of(slice,
                          [&](Operation *op) { return op->isAncestor(user); });
    });
  });
  if (!uses)
    return false;
  rewriter.setInsertionPoint(map);
  SmallVector<StringRef> names;
  SmallVector<std::string> texts = fold.getIndexNames();
  if (fold.getDims())
    names.append(texts.begin(), texts.end());
  auto before =
      MapOp::create(rewriter, inner.getLoc(), fold.getMixedExtents(), names,
                    [&](OpBuilder &b, Location loc, ValueRange indices) {
                      IRMapping mapping;
                      mapping.map(fold.getIndices(), indices);
                      for (Operation *op : slice)
                        b.clone(*op, mapping);
                      SmallVector<Value> values;
                      for (Value result : inner.getResults())
                        values.push_back(mapping.lookup(result));
                      YieldOp::create(b, loc, values);
                    });
  rewriter.setInsertionPoint(inner);
  SmallVector<Value> values;
  for (Value array : before->getResults())
    values.push_back(AtOp::create(rewriter, inner.getLoc(), array,
                                  ValueRange(fold.getIndices()),
                                  /*inbounds=*/true));
  rewriter.replaceOp(inner, values);
  remark::passed(before.getLoc(), getRemark())
      << remark::add("computed once for all points of the array around");
  return true;
}

//===----------------------------------------------------------------------===//
// What stays apart
//===----------------------------------------------------------------------===//

/// The map of reductions that `array` is, or null.
static MapOp getMapOfReductions(Value array) {
  array = skipBinds(array);
  auto map = array.getDefiningOp<MapOp>();
  if (!map)
    return {};
  Value value =
      getYield(map).getValues()[cast<OpResult>(array).getResultNumber()];
  return value.getDefiningOp<ReduceOp>() ? map : MapOp();
}

/// Says where a reduction reads intermediate ones in an order that their kernel
/// does not have: an outer dimension folds while an inner one stays.
static void explainSplit(ReduceOp op) {
  op.getBody().walk([&](AtOp at) {
    if (!getMapOfReductions(at.getSource()))
      return;
    bool folds = false, split = false;
    for (Value subscript : at.getIndices()) {
      LinearIndex form(subscript);
      bool own = llvm::any_of(op.getIndices(), [&](Value index) {
        return form.getCoefficient(index) != 0;
      });
      split |= folds && !own && !form.getTerms().empty();
      folds |= own;
    }
    if (split)
      remark::missed(op.getLoc(), getRemark()) << remark::reason(
          "the intermediate reductions are needed by themselves, and this one "
          "takes them in another order than they are made in: a kernel of its "
          "own reads them; fold both axes at once to save the array");
  });
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct TransposeReductionsPass
    : arrc::array::impl::TransposeReductionsPassBase<TransposeReductionsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    // Inner ones first, so that nests of any depth become one.
    for (bool changed = true; changed;) {
      changed = false;
      SmallVector<ReduceOp> folds;
      getOperation().walk([&](ReduceOp op) { folds.push_back(op); });
      for (ReduceOp op : folds) {
        if (ReduceOp inner = getFoldedReduction(op)) {
          remark::passed(op.getLoc(), getRemark())
              << remark::add("a reduction of reductions is one");
          collapse(rewriter, op, inner);
          changed = true;
          break;
        }
        auto fold = dyn_cast<ReduceOp>(op->getParentOp());
        if (fold && computeBefore(rewriter, op, fold)) {
          changed = true;
          break;
        }
      }
    }
    SmallVector<ReduceOp> folds;
    getOperation().walk([&](ReduceOp op) { folds.push_back(op); });
    for (ReduceOp op : folds)
      order(rewriter, op);
    getOperation().walk([&](ReduceOp op) { explainSplit(op); });
  }
};
} // namespace
