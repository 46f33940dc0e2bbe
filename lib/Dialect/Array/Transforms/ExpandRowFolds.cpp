//===- ExpandRowFolds.cpp - Folds, scans and histograms of rows -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. An operator on rows that works element by element folds each element of
// the row by itself: the dimensions of the row become indices, around a fold or
// a scan, behind those of a histogram.
//
//   Before   %h = array.scatter (%i) in (%n) into (%h0 : tensor<?x?xf32>) {
//              array.yield %row : tensor<?xf32> at [%b] } by arith.addf
//   After    %bins = array.map (%i) in (%n) { array.yield %b }
//            %rows = array.map (%i, %e) in (%n, %m) { %x = array.at %row[%e] ..
//            } %h = array.scatter (%i, %e) in (%n, %m) into (%h0 : ..) {
//              %x = array.at %rows[%i, %e]   %k = array.at %bins[%i]
//              array.yield %x : f32 at [%k, %e] } by arith.addf
//
// What the rows are made of is computed before, for each element alone where
// that repeats no loop, so that fusing decides whether it is ever stored.
//
// Accumulators that one element depends on (another row, a count) are folded
// with it. An operator that mixes elements (a product of matrices) combines
// whole rows, one point after the other, and computes the elements of a row in
// parallel.
//
// Legal: the elements of a row are combined in the order in which the rows are.
// It is the only way to have such programs: no accumulator holds a row.
//
// Reference: Henriksen et al., Futhark, PLDI 2017 (interchange of reductions
// with vectorised operators).
//
//===----------------------------------------------------------------------===//

#include "RowFold.h"

#include "ElementOperator.h"
#include "UnrollPatterns.h"

#include "arrc/Dialect/Array/Transforms/Passes.h"
#include "arrc/Support/BuildInside.h"
#include "arrc/Support/Combiner.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace arrc::array {
#define GEN_PASS_DEF_EXPANDROWFOLDSPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

static bool isRow(Value value) {
  return isa<RankedTensorType>(value.getType());
}

/// Whether no accumulator of a kernel can hold the operation's.
static bool needsExpansion(Operation *op) {
  auto isLarge = [](Value value) {
    return isRow(value) && !isSmallArray(value.getType());
  };
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return llvm::any_of(reduce.getInit(), isLarge);
  if (auto scan = dyn_cast<ScanOp>(op))
    return llvm::any_of(scan.getInit(), isLarge);
  auto scatter = dyn_cast<ScatterOp>(op);
  if (!scatter || scatter.getCombiner().empty())
    return false;
  ValueRange values = cast<IndexSpaceOpInterface>(op).getYield().getValues();
  return llvm::any_of(values, isRow) ||
         (values.size() > 1 && getCombinerOps(scatter.getCombiner()).empty());
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

/// Which accumulators go together; false if an operator mixes elements.
bool RowFold::findGroups() {
  auto getRank = [&](unsigned k) {
    auto row = dyn_cast<RankedTensorType>(yield.getValues()[k].getType());
    return row ? row.getRank() : 0;
  };
  for (unsigned k = 0; k < count; ++k) {
    std::optional<llvm::BitVector> needed = findElementOperator(combiner, k);
    if (!needed)
      return false;
    SmallVector<unsigned> members(needed->set_bits());
    for (unsigned other : members)
      if (getRank(other) != getRank(k) && getRank(other) != 0)
        return false;
    // A histogram has one array for each value.
    if (isa<ScatterOp>(op.getOperation()) && members.size() > 1)
      return false;
    auto *same = llvm::find_if(groups, [&](const Group &group) {
      return group.members == members &&
             getRank(group.wanted.front()) == getRank(k);
    });
    if (same == groups.end())
      same = &groups.emplace_back(Group{members, {}});
    same->wanted.push_back(k);
  }
  return true;
}

Value RowFold::getInit(unsigned k) {
  if (auto reduce = dyn_cast<ReduceOp>(op.getOperation()))
    return reduce.getInit()[k];
  if (auto scan = dyn_cast<ScanOp>(op.getOperation()))
    return scan.getInit()[k];
  return cast<ScatterOp>(op.getOperation()).getInto()[k];
}

/// The sizes of the rows of accumulator `k`, none of a scalar.
SmallVector<OpFoldResult> RowFold::getRowSizes(unsigned k) {
  auto row = dyn_cast<RankedTensorType>(yield.getValues()[k].getType());
  SmallVector<OpFoldResult> sizes;
  if (!row)
    return sizes;
  Value array = getInit(k);
  int64_t first =
      cast<RankedTensorType>(array.getType()).getRank() - row.getRank();
  for (int64_t d = 0; d < row.getRank(); ++d) {
    if (!row.isDynamicDim(d)) {
      sizes.push_back(b.getIndexAttr(row.getDimSize(d)));
      continue;
    }
    OpFoldResult size = getOrCreateSize(b, loc, array, first + d);
    sizes.push_back(getValueOrCreateConstantIndexOp(b, loc, size));
  }
  return sizes;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// A copy of the body at a point; what it yields.
SmallVector<Value> RowFold::cloneBody(ValueRange indices) {
  IRMapping mapping;
  mapping.map(op.getIndices(), indices);
  for (Operation &inner : op.getBodyBlock()->without_terminator())
    b.clone(inner, mapping);
  SmallVector<Value> values;
  for (Value value : yield.getOperands())
    values.push_back(mapping.lookupOrDefault(value));
  return values;
}

/// Whether elements of `row` can be computed alone without repeating a loop.
static bool isCheapByElement(Value row, Block *body) {
  SmallVector<Value> queue{row};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!queue.empty()) {
    Operation *made = queue.pop_back_val().getDefiningOp();
    if (!made || !body->getParent()->isAncestor(made->getParentRegion()) ||
        !seen.insert(made).second)
      continue;
    bool hasLoop =
        made->walk([&](Operation *inner) {
              bool isMap = isa<MapOp, StencilOp>(inner);
              bool loops =
                  isa<IndexSpaceOpInterface, LoopLikeOpInterface, SortOp>(
                      inner);
              if (loops && !(isMap && inner == made))
                return WalkResult::interrupt();
              llvm::append_range(queue, inner->getOperands());
              return WalkResult::advance();
            })
            .wasInterrupted();
    if (hasLoop)
      return false;
  }
  return true;
}

/// Has maps compute what the body yields at each point. Indices travel as i64.
void RowFold::computeBefore() {
  SmallVector<OpFoldResult> extents = op.getMixedExtents();
  SmallVector<std::string> names = op.getIndexNames();
  before.resize(yield.getNumOperands());
  SmallVector<unsigned> whole;
  for (auto [part, value] : llvm::enumerate(yield.getOperands())) {
    if (!isRow(value) || !isCheapByElement(value, op.getBodyBlock())) {
      whole.push_back(part);
      continue;
    }
    SmallVector<OpFoldResult> sizes(extents);
    llvm::append_range(sizes, getRowSizes(part));
    SmallVector<std::string> text(names);
    for (unsigned d = 0; d + extents.size() < sizes.size(); ++d)
      text.push_back("e" + std::to_string(d));
    SmallVector<StringRef> all(text.begin(), text.end());
    auto map =
        MapOp::create(b, loc, sizes, all,
                      [&](OpBuilder &nested, Location, ValueRange indices) {
                        buildInside(b, nested, [&] {
                          ValueRange point = indices.take_front(extents.size());
                          Value row = cloneBody(point)[part];
                          Value element = AtOp::create(
                              b, loc, row, indices.drop_front(extents.size()),
                              /*inbounds=*/true);
                          YieldOp::create(b, loc, element);
                        });
                      });
    before[part] = map->getResult(0);
  }
  if (whole.empty())
    return;
  SmallVector<StringRef> all(names.begin(), names.end());
  auto map = MapOp::create(
      b, loc, extents, all,
      [&](OpBuilder &nested, Location, ValueRange indices) {
        buildInside(b, nested, [&] {
          SmallVector<Value> values = cloneBody(indices), kept;
          for (unsigned part : whole) {
            Value value = values[part];
            if (value.getType().isIndex())
              value = arith::IndexCastOp::create(b, loc, b.getI64Type(), value);
            kept.push_back(value);
          }
          YieldOp::create(b, loc, kept);
        });
      });
  for (auto [part, result] : llvm::zip(whole, map->getResults()))
    before[part] = result;
}

/// What operand `part` of the yield is at a point, of a row an element.
Value RowFold::readBefore(unsigned part, ValueRange point, ValueRange element) {
  SmallVector<Value> indices(point);
  Value value = yield.getOperands()[part];
  if (isRow(value))
    llvm::append_range(indices, element);
  Value read = AtOp::create(b, loc, before[part], indices, /*inbounds=*/true);
  if (value.getType().isIndex())
    read = arith::IndexCastOp::create(b, loc, b.getIndexType(), read);
  return read;
}

SmallVector<Value> RowFold::readMembers(const Group &group, ValueRange point,
                                        ValueRange element) {
  SmallVector<Value> values;
  for (unsigned k : group.members)
    values.push_back(readBefore(k, point, element));
  return values;
}

/// The operator on an element of each member.
void RowFold::buildOperator(OpBuilder &nested, const Group &group,
                            ValueRange args, ValueRange element) {
  buildInside(b, nested, [&] {
    SmallVector<Value> all(2 * count);
    for (auto [i, k] : llvm::enumerate(group.members)) {
      all[k] = args[i];
      all[count + k] = args[group.members.size() + i];
    }
    YieldOp::create(
        b, loc, emitElementOperator(b, combiner, group.members, all, element));
  });
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

namespace {
/// `e0, e1, ..`.
struct ElementNames {
  explicit ElementNames(size_t number) {
    for (size_t d = 0; d < number; ++d)
      text.push_back("e" + std::to_string(d));
    names.assign(text.begin(), text.end());
  }
  SmallVector<std::string> text;
  SmallVector<StringRef> names;
};
} // namespace

SmallVector<Value> RowFold::getInits(const Group &group, ValueRange element) {
  SmallVector<Value> init;
  for (unsigned k : group.members)
    init.push_back(isRow(getInit(k)) ? AtOp::create(b, loc, getInit(k), element,
                                                    /*inbounds=*/true)
                                           .getResult()
                                     : getInit(k));
  return init;
}

/// A fold for each element of the rows, or one of scalars.
void RowFold::fold(const Group &group) {
  SmallVector<OpFoldResult> sizes = getRowSizes(group.wanted.front());
  SmallVector<OpFoldResult> extents = op.getMixedExtents();
  SmallVector<std::string> text = op.getIndexNames();
  SmallVector<StringRef> names(text.begin(), text.end());
  auto one = [&](ValueRange element) {
    SmallVector<Value> init = getInits(group, element);
    auto reduce = ReduceOp::create(
        b, loc, extents, names, init,
        [&](OpBuilder &nested, Location, ValueRange point) {
          buildInside(b, nested, [&] {
            YieldOp::create(b, loc, readMembers(group, point, element));
          });
        },
        [&](OpBuilder &nested, Location, ValueRange args) {
          buildOperator(nested, group, args, element);
        });
    SmallVector<Value> kept;
    for (unsigned k : group.wanted)
      kept.push_back(reduce->getResult(llvm::find(group.members, k) -
                                       group.members.begin()));
    return kept;
  };
  if (sizes.empty()) {
    for (auto [k, result] : llvm::zip(group.wanted, one({})))
      results[k] = result;
    return;
  }
  ElementNames elements(sizes.size());
  auto map = MapOp::create(
      b, loc, sizes, elements.names,
      [&](OpBuilder &nested, Location, ValueRange element) {
        buildInside(b, nested, [&] { YieldOp::create(b, loc, one(element)); });
      });
  for (auto [k, result] : llvm::zip(group.wanted, map->getResults()))
    results[k] = result;
}

/// A scan for each element of the rows, then the dimensions exchanged.
void RowFold::scan(const Group &group) {
  auto old = cast<ScanOp>(op.getOperation());
  SmallVector<OpFoldResult> sizes = getRowSizes(group.wanted.front());
  OpFoldResult extent = old.getMixedExtents().front();
  std::string name = op.getIndexNames().front();
  auto one = [&](ValueRange element) {
    SmallVector<Value> init = getInits(group, element);
    auto made = ScanOp::create(
        b, loc, extent, name, init, old.getExclusive(),
        [&](OpBuilder &nested, Location, ValueRange point) {
          buildInside(b, nested, [&] {
            YieldOp::create(b, loc, readMembers(group, point, element));
          });
        },
        [&](OpBuilder &nested, Location, ValueRange args) {
          buildOperator(nested, group, args, element);
        });
    SmallVector<Value> kept;
    for (ValueRange list :
         {ValueRange(made.getPrefixes()), ValueRange(made.getTotals())})
      for (unsigned k : group.wanted)
        kept.push_back(
            list[llvm::find(group.members, k) - group.members.begin()]);
    return kept;
  };
  unsigned wanted = group.wanted.size();
  if (sizes.empty()) {
    SmallVector<Value> made = one({});
    for (auto [i, k] : llvm::enumerate(group.wanted)) {
      results[k] = made[i];
      results[count + k] = made[wanted + i];
    }
    return;
  }
  unsigned rank = sizes.size();
  ElementNames elements(rank);
  auto map = MapOp::create(
      b, loc, sizes, elements.names,
      [&](OpBuilder &nested, Location, ValueRange element) {
        buildInside(b, nested, [&] { YieldOp::create(b, loc, one(element)); });
      });
  SmallVector<AffineExpr> exprs;
  for (unsigned d = 0; d < rank; ++d)
    exprs.push_back(b.getAffineDimExpr(d + 1));
  exprs.push_back(b.getAffineDimExpr(0));
  SmallVector<OpFoldResult> all{extent};
  llvm::append_range(all, sizes);
  for (auto [i, k] : llvm::enumerate(group.wanted)) {
    results[k] = ViewOp::create(
        b, loc, map->getResult(i),
        AffineMap::get(rank + 1, 0, exprs, b.getContext()), ValueRange(), all);
    results[count + k] = map->getResult(wanted + i);
  }
}

/// The dimensions of the rows are indices of the histogram.
void RowFold::update(const Group &group) {
  auto old = cast<ScatterOp>(op.getOperation());
  unsigned k = group.wanted.front();
  SmallVector<OpFoldResult> extents = op.getMixedExtents();
  unsigned numPoint = extents.size();
  SmallVector<OpFoldResult> sizes = getRowSizes(k);
  llvm::append_range(extents, sizes);
  SmallVector<std::string> text = op.getIndexNames();
  llvm::append_range(text, ElementNames(sizes.size()).text);
  SmallVector<StringRef> names(text.begin(), text.end());
  auto made = ScatterOp::create(
      b, loc, extents, names, getInit(k), old.getOob(),
      [&](OpBuilder &nested, Location, ValueRange indices) {
        buildInside(b, nested, [&] {
          ValueRange point = indices.take_front(numPoint);
          ValueRange element = indices.drop_front(numPoint);
          SmallVector<Value> at;
          for (unsigned d = 0; d < yield.getNumIndices(); ++d)
            at.push_back(readBefore(count + d, point, element));
          llvm::append_range(at, element);
          YieldOp::create(b, loc, readBefore(k, point, element), at);
        });
      },
      [&](OpBuilder &nested, Location, ValueRange args) {
        buildOperator(nested, group, args, {});
      });
  results[k] = made->getResult(0);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

void RowFold::run() {
  b.setInsertionPoint(op);
  results.resize(op->getNumResults());
  if (!findGroups()) {
    foldInOrder();
  } else {
    computeBefore();
    for (const Group &group : groups) {
      if (isa<ReduceOp>(op.getOperation()))
        fold(group);
      else if (isa<ScanOp>(op.getOperation()))
        scan(group);
      else
        update(group);
    }
  }
  for (auto [result, made] : llvm::zip(op->getResults(), results))
    if (made.getType() != result.getType())
      made = tensor::CastOp::create(b, loc, result.getType(), made);
  b.replaceOp(op, results);
}

namespace {
struct ExpandRowFoldsPass
    : public arrc::array::impl::ExpandRowFoldsPassBase<ExpandRowFoldsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    // The outer one first: its operator may hold others.
    for (bool changed = true; changed;) {
      Operation *found = nullptr;
      getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (!needsExpansion(op))
          return WalkResult::advance();
        found = op;
        return WalkResult::interrupt();
      });
      changed = found;
      if (found)
        RowFold(rewriter, cast<IndexSpaceOpInterface>(found)).run();
    }
  }
};
} // namespace
