//===- SliceMap.cpp - A slice update as a map of one read -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SliceMap.h"

#include "FuseProducers.h"
#include "SliceUpdate.h"

#include "arrc/Dialect/Array/IR/Binds.h"
#include "arrc/Dialect/Array/IR/GuardedRead.h"
#include "arrc/Dialect/Array/IR/WrittenSchedule.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Whether an index of the body can be computed in front of its branch.
static bool isPlainIndex(Value index, IndexSpaceOpInterface space) {
  Operation *op = index.getDefiningOp();
  if (!op || !space->isAncestor(op))
    return true;
  return isa<affine::AffineApplyOp, arith::AddIOp, arith::SubIOp, arith::MulIOp,
             arith::ConstantOp>(op) &&
         op->getBlock() == space.getBodyBlock() &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isPlainIndex(operand, space);
         });
}

bool SliceMap::takeView(ViewOp made) {
  Value source = skipBinds(made.getSource());
  // Boundaries of the array itself are not its elements.
  if (source != skipViews(source) &&
      skipViews(source) == skipBinds(insert.getDest()))
    return false;
  view = made;
  return true;
}

bool SliceMap::takeSpace(IndexSpaceOpInterface made) {
  if (made->getBlock() != insert->getBlock() || !isStraight(made))
    return false;
  Value array = skipBinds(insert.getDest());
  WalkResult walked = made->walk([&](Operation *op) {
    if (isa<CheckOp>(op))
      return WalkResult::interrupt();
    bool isRead = llvm::any_of(op->getOperands(), [&](Value operand) {
      return skipViews(operand) == array;
    });
    if (!isRead)
      return WalkResult::advance();
    auto at = dyn_cast<AtOp>(op);
    if (!at || skipBinds(at.getSource()) != array || !at.getInbounds() ||
        at->getBlock() != made.getBodyBlock() ||
        !llvm::all_of(at.getIndices(),
                      [&](Value index) { return isPlainIndex(index, made); }))
      return WalkResult::interrupt();
    if (!reads.empty() && !llvm::equal(reads.front().getIndices(),
                                       at.getIndices(), [](Value a, Value b) {
                                         return LinearIndex(a) ==
                                                LinearIndex(b);
                                       }))
      return WalkResult::interrupt();
    reads.push_back(at);
    return WalkResult::advance();
  });
  space = made;
  return !walked.wasInterrupted();
}

std::optional<SliceMap> SliceMap::get(tensor::InsertSliceOp insert) {
  if (insert->getParentOfType<IndexSpaceOpInterface>() ||
      !llvm::all_of(insert.getMixedStrides(), [](OpFoldResult stride) {
        return getConstantIntValue(stride) == 1;
      }))
    return std::nullopt;
  SliceMap update(insert);
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  unsigned next = 0;
  for (int64_t d = 0; d < insert.getType().getRank(); ++d) {
    OpFoldResult size = getKnownSize(insert.getDest(), d);
    if (!size)
      return std::nullopt;
    update.extents.push_back(size);
    update.walks.push_back(dropped.test(d) ? std::nullopt
                                           : std::optional(next++));
  }
  Value source = insert.getSource();
  if (IndexSpaceOpInterface made = findOwnProducer(source)) {
    if (made.getNumIndices() != next || !update.takeSpace(made))
      return std::nullopt;
    return update;
  }
  Operation *made = skipBinds(source).getDefiningOp();
  if (auto splat = dyn_cast_if_present<tensor::SplatOp>(made))
    update.number = splat.getInput();
  else if (auto view = dyn_cast_if_present<ViewOp>(made);
           !view || !view->hasOneUse() || !source.hasOneUse() ||
           !update.takeView(view))
    return std::nullopt;
  return update;
}

bool SliceMap::isOwn(Operation *op) const {
  return op == insert || (view && op == view) ||
         (space && space->isAncestor(op));
}

bool SliceMap::isViewOfOwnPoint() const {
  if (!view || view.getMap().getNumResults() != extents.size())
    return false;
  AffineMap map = view.getMap();
  for (auto [d, extent] : llvm::enumerate(extents)) {
    OpFoldResult size = getKnownSize(view.getSource(), d);
    if (!size || !isEqualConstantIntOrValue(size, extent))
      return false;
    // Where the slice begins, and for a step of each of its indices.
    for (unsigned step = 0; step <= map.getNumDims(); ++step) {
      SmallVector<LinearIndex> operands;
      for (unsigned k = 0; k < map.getNumDims(); ++k)
        operands.push_back(LinearIndex(k + 1 == step ? 1 : 0));
      for (Value symbol : view.getSymbols())
        operands.push_back(LinearIndex(symbol));
      std::optional<LinearIndex> place =
          LinearIndex::ofExpr(map.getResult(d), map.getNumDims(), operands);
      LinearIndex own = LinearIndex::ofSize(insert.getMixedOffsets()[d]);
      own.add(LinearIndex(1), walks[d] && *walks[d] + 1 == step);
      if (!place || *place != own)
        return false;
    }
  }
  return true;
}

bool SliceMap::readsOwnPoint() const {
  if (view)
    return isViewOfOwnPoint();
  return llvm::all_of(reads, [&](AtOp at) {
    for (auto [d, index] : llvm::enumerate(at.getIndices())) {
      LinearIndex own = LinearIndex::ofSize(insert.getMixedOffsets()[d]);
      if (walks[d])
        own.add(LinearIndex::ofValue(space.getIndices()[*walks[d]]), 1);
      if (LinearIndex(index) != own)
        return false;
    }
    return true;
  });
}

bool SliceMap::endsItsMaker(bool ofSeveral) const {
  Value array = skipBinds(insert.getDest());
  auto maker = array.getDefiningOp<IndexSpaceOpInterface>();
  if (!maker || !isa<MapOp, StencilOp>(maker.getOperation()) ||
      (maker->getNumResults() != 1 && !ofSeveral) ||
      hasWrittenSchedule(maker) || maker->getBlock() != insert->getBlock() ||
      maker.getNumIndices() != extents.size() || !isStraight(maker))
    return false;
  return !hasAssert(maker) && visitUses(array, [&](OpOperand &use) {
    return isOwn(use.getOwner());
  });
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// `index` of a body as a value in front of it.
static Value copyIndex(OpBuilder &b, Value index, IndexSpaceOpInterface space,
                       IRMapping &mapping) {
  Operation *op = index.getDefiningOp();
  if (!mapping.contains(index) && op && space->isAncestor(op)) {
    for (Value operand : op->getOperands())
      copyIndex(b, operand, space, mapping);
    b.clone(*op, mapping);
  }
  return mapping.lookupOrDefault(index);
}

/// The names of the array's dimensions, if a loop has just made it.
static ArrayAttr getNamesOf(Value array, unsigned rank) {
  auto maker = skipBinds(array).getDefiningOp<IndexSpaceOpInterface>();
  bool isMap = maker && isa<MapOp, StencilOp>(maker.getOperation()) &&
               maker.getNumIndices() == rank;
  return isMap ? getDimNames(maker) : ArrayAttr();
}

/// Where the view looks for its element at `indices`.
static SmallVector<Value> lookThrough(OpBuilder &b, ViewOp view,
                                      ValueRange indices) {
  SmallVector<OpFoldResult> operands(indices);
  llvm::append_range(operands, view.getSymbols());
  AffineMap map = view.getMap();
  SmallVector<Value> place;
  for (unsigned d = 0; d < map.getNumResults(); ++d)
    place.push_back(getValueOrCreateConstantIndexOp(
        b, view.getLoc(),
        affine::makeComposedFoldedAffineApply(b, view.getLoc(),
                                              map.getSubMap({d}), operands)));
  return place;
}

MapOp SliceMap::build(RewriterBase &rewriter) const {
  Location loc = insert.getLoc();
  Value array = insert.getDest();
  rewriter.setInsertionPoint(insert);
  SliceBox box(rewriter, insert, extents);
  auto map = MapOp::create(rewriter, loc, TypeRange(insert.getType()), extents,
                           getNamesOf(array, extents.size()));
  SmallVector<Type> types(extents.size(), rewriter.getIndexType());
  Block *body = rewriter.createBlock(&map.getBody(), {}, types,
                                     SmallVector<Location>(types.size(), loc));
  SmallVector<Value> point(body->getArguments());
  Value inside = box.contains(rewriter, point);
  SmallVector<Value> indices;
  for (auto [d, walk] : llvm::enumerate(walks))
    if (walk)
      indices.push_back(
          shift(rewriter, loc, point[d], insert.getMixedOffsets()[d], -1));

  IRMapping mapping;
  SmallVector<Value> from = point;
  bool readsArray = !reads.empty();
  if (view && skipBinds(view.getSource()) == skipBinds(array)) {
    from = lookThrough(rewriter, view, indices);
    readsArray = true;
  } else if (readsArray) {
    mapping.map(space.getIndices(), indices);
    for (auto [d, index] : llvm::enumerate(AtOp(reads.front()).getIndices()))
      from[d] = copyIndex(rewriter, index, space, mapping);
  }
  for (auto [place, own] : llvm::zip(from, point))
    if (LinearIndex(place) != LinearIndex(own))
      own = arith::SelectOp::create(rewriter, loc, inside, place, own);
  Value old = AtOp::create(rewriter, loc, array, point, /*inbounds=*/true);

  Value result = old;
  if (isViewOfOwnPoint()) {
    Value other = AtOp::create(rewriter, view.getLoc(), view.getSource(), point,
                               /*inbounds=*/true);
    result = arith::SelectOp::create(rewriter, loc, inside, other, old);
  } else if (number) {
    result = arith::SelectOp::create(rewriter, loc, inside, number, old);
  } else if (space || !readsArray) {
    auto branch =
        scf::IfOp::create(rewriter, loc, TypeRange(old.getType()), inside,
                          /*addThenBlock=*/true, /*addElseBlock=*/true);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    Value value;
    if (view) {
      value = AtOp::create(rewriter, view.getLoc(), view.getSource(),
                           lookThrough(rewriter, view, indices));
      value.getDefiningOp()->setAttr(kGuardedAttr, rewriter.getUnitAttr());
    } else {
      mapping.map(space.getIndices(), indices);
      for (AtOp read : reads)
        mapping.map(read.getResult(), old);
      for (Operation &op : space.getBodyBlock()->without_terminator()) {
        if (op.getNumResults() && mapping.contains(op.getResult(0)))
          continue;
        rewriter.clone(op, mapping)->walk([&](AtOp at) {
          if (!at.getInbounds())
            return;
          at.setInbounds(false);
          at->setAttr(kGuardedAttr, rewriter.getUnitAttr());
        });
      }
      value = mapping.lookupOrDefault(space.getYield().getValues().front());
    }
    scf::YieldOp::create(rewriter, loc, value);
    rewriter.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(rewriter, loc, old);
    result = branch.getResult(0);
  }
  rewriter.setInsertionPointToEnd(body);
  YieldOp::create(rewriter, loc, result);
  return map;
}

void SliceMap::replace(RewriterBase &rewriter, MapOp map) const {
  Value source = insert.getSource();
  rewriter.replaceOp(insert, map.getResults());
  // What made the slice goes, with the names of its sizes.
  while (source && source.use_empty() && source.getDefiningOp()) {
    Operation *op = source.getDefiningOp();
    bool isName = isa<BindOp>(op);
    source = isName ? op->getOperand(0) : Value();
    if (isName || isMemoryEffectFree(op) || isa<IndexSpaceOpInterface>(op))
      rewriter.eraseOp(op);
  }
}
