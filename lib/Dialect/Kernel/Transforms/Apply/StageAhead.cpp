//===- StageAhead.cpp - Copies that run a step ahead ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A step that copies, waits, computes and waits leaves the memory idle
// while it computes and the arithmetic while it copies. So each thread loads
// its part of the next box into registers before it works on this one, and
// stores it on chip when all have done with this one.
//
// Before   for l.0 in n { tile = box(l.0)  work(tile) }
// After    if n > 0 { tile = box(0) }
//          for l.0 in n { next = box(min(l.0 + 1, n - 1))  work(tile)
//                         tile = next }
//
// The loads have no branches around them: past the end of a dimension they read
// its last elements instead. Elements of the last dimension go together where
// rows of the array and of the box are known to start at aligned places.
//
// Legal where the box is read unconditionally: then the array has elements, and
// what a copy holds past the end is never looked at.
//
//===----------------------------------------------------------------------===//

#include "StageBox.h"

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Bytes of the widest access.
static constexpr int64_t kVectorBytes = 16;
/// Bytes that memory reads at least.
static constexpr int64_t kSectorBytes = 32;

int64_t StageBox::getVectorWidth() {
  Type element = cast<MemRefType>(array.getType()).getElementType();
  if (!element.isIntOrFloat() ||
      !cast<MemRefType>(array.getType()).getLayout().isIdentity())
    return 1;
  int64_t width = kVectorBytes * 8 / element.getIntOrFloatBitWidth();
  const Dim &last = dims.back();
  if (width < 2 || last.lowest % width || last.size() % width ||
      !isMultiple(launch.getSize(array, dims.size() - 1), width) ||
      llvm::any_of(
          last.base.getTerms(),
          [&](LinearIndex::Term term) { return term.second % width != 0; }))
    return 1;
  return width;
}

/// Where elements of a fold of matrices are stored across the rows that they
/// are read along, threads take rows first, which are side by side on chip, and
/// of each no more pieces than memory gives together. That number; 0 elsewhere.
int64_t StageBox::getPiecesTogether(int64_t width, int64_t pieces) {
  if (!clause.getTurned() || !launch.getScheduleAttr().getMultiplies())
    return 0;
  Type element = cast<MemRefType>(array.getType()).getElementType();
  int64_t together = kSectorBytes * 8 / element.getIntOrFloatBitWidth() / width;
  return together && pieces % together == 0 ? together : 0;
}

/// All threads of the block take neighbouring pieces of the rows, then the next
/// ones.
void StageBox::copyBoxAhead(Value tile) {
  auto [x, y, z] = countThreads(at);
  int64_t width = getVectorWidth();
  int64_t pieces = dims.back().size() / width;
  int64_t count = countRows() * pieces;
  int64_t threads = x * y * z;
  int64_t steps = llvm::divideCeil(count, threads);
  OpBuilder::InsertionGuard guard(rewriter);
  Terms terms;
  if (steps > 1)
    terms.push_back({Value(), threads});
  if (z > 1)
    terms.push_back(
        {open(".z", z, getLevel(LevelKind::Thread, 2)).getInductionVar(),
         x * y});
  if (y > 1)
    terms.push_back(
        {open(".y", y, getLevel(LevelKind::Thread, 1)).getInductionVar(), x});
  if (x > 1)
    terms.push_back(
        {open(".x", x, getLevel(LevelKind::Thread)).getInductionVar(), 1});
  if (steps > 1)
    terms.front().first =
        open(".s", steps, getLevel(LevelKind::Unroll)).getInductionVar();
  Value lane;
  if (width > 1)
    lane = open(".v", width, getLevel(LevelKind::Vector)).getInductionVar();
  Value number = materialize(LinearIndex(), 0, terms), inBox;
  if (count % threads) {
    Value all = arith::ConstantIndexOp::create(rewriter, loc, count);
    inBox = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                  number, all);
    Value last = arith::ConstantIndexOp::create(rewriter, loc, count - 1);
    number = arith::MinSIOp::create(rewriter, loc, number, last);
  }
  AffineExpr d0 = rewriter.getAffineDimExpr(0);
  auto apply = [&](AffineExpr expr, Value value) {
    return toValue(rewriter, loc,
                   affine::makeComposedFoldedAffineApply(
                       rewriter, loc, AffineMap::get(1, 0, expr), {value}));
  };
  Value row = apply(d0.floorDiv(pieces), number);
  Value piece = apply(d0 % pieces, number);
  if (int64_t together = getPiecesTogether(width, pieces)) {
    int64_t rows = countRows();
    row = apply(d0.floorDiv(together) % rows, number);
    piece =
        apply(d0 % together + d0.floorDiv(together * rows) * together, number);
  }
  SmallVector<Value> place = getPlace(row, piece), indices;
  for (auto [d, dim] : llvm::enumerate(dims)) {
    // The last dimension is counted in pieces, which are scaled last: that
    // their places are aligned is then easy to see.
    int64_t scale = d + 1 == dims.size() ? width : 1;
    LinearIndex base;
    for (auto [value, factor] : dim.base.getTerms())
      base.add(LinearIndex::ofValue(value), factor / scale);
    Value index = materialize(base, dim.lowest / scale, {{place[d], 1}});
    // Past the end the last elements, all of them inside.
    Value size = toValue(rewriter, loc, launch.getSize(array, d));
    Value most = apply(d0.floorDiv(scale) - 1, size);
    index = arith::MinSIOp::create(rewriter, loc, index, most);
    if (dim.mayBeNegative) {
      Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
      index = arith::MaxSIOp::create(rewriter, loc, index, zero);
    }
    indices.push_back(index);
  }
  if (lane) {
    indices.back() =
        materialize(LinearIndex(), 0, {{indices.back(), width}, {lane, 1}});
    place.back() = materialize(LinearIndex(), 0, {{piece, width}, {lane, 1}});
  }
  Value value = LoadOp::create(rewriter, loc, array, indices);
  StoreOp::create(rewriter, loc, value, tile, getPlaceInTile(place), inBox);
}

//===----------------------------------------------------------------------===//
// Pipeline
//===----------------------------------------------------------------------===//

/// The loops of a copy, outermost first.
static SmallVector<ForOp> getLoops(ForOp copy) {
  SmallVector<ForOp> loops;
  for (ForOp loop = copy; loop;) {
    loops.push_back(loop);
    auto inner = loop.getBodyBlock()->getOps<ForOp>();
    loop = inner.empty() ? ForOp() : *inner.begin();
  }
  return loops;
}

/// The only operation of a kind in the innermost of `loops`.
template <typename Op> static Op getOnly(ArrayRef<ForOp> loops) {
  auto ops = ForOp(loops.back()).getBodyBlock()->getOps<Op>();
  return *ops.begin();
}

static SmallVector<Value> getIndices(ArrayRef<ForOp> loops) {
  SmallVector<Value> indices;
  for (ForOp loop : loops)
    indices.push_back(loop.getInductionVar());
  return indices;
}

void arrc::kernel::runAhead(IRRewriter &rewriter, ForOp at,
                            ArrayRef<ForOp> copies) {
  Location loc = at.getLoc();
  rewriter.setInsertionPoint(at);
  Value count = toValue(rewriter, loc, at.getMixedExtent());
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  Value lastStep = arith::SubIOp::create(rewriter, loc, count, one);
  Value any = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sgt,
                                    count, zero);
  SmallVector<Value> parts;
  for (ForOp copy : copies) {
    SmallVector<int64_t> shape;
    for (ForOp loop : getLoops(copy))
      shape.push_back(*loop.getStaticExtent());
    Type element = getOnly<LoadOp>(getLoops(copy)).getType();
    parts.push_back(LocalOp::create(rewriter, loc,
                                    MemRefType::get(shape, element),
                                    ValueRange(), StringAttr()));
  }
  // The first step.
  auto first = scf::IfOp::create(rewriter, loc, any, /*withElseRegion=*/false);
  rewriter.setInsertionPoint(first.thenYield());
  for (ForOp copy : copies) {
    IRMapping mapping;
    mapping.map(at.getInductionVar(), zero);
    rewriter.clone(*copy, mapping);
  }
  // The next step, before the work.
  rewriter.setInsertionPointToStart(at.getBodyBlock());
  Value next = arith::AddIOp::create(rewriter, loc, at.getInductionVar(), one);
  next = arith::MinSIOp::create(rewriter, loc, next, lastStep);
  for (auto [copy, part] : llvm::zip(copies, parts)) {
    IRMapping mapping;
    mapping.map(at.getInductionVar(), next);
    SmallVector<ForOp> loops =
        getLoops(cast<ForOp>(rewriter.clone(*copy, mapping)));
    auto store = getOnly<StoreOp>(loops);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(store);
    StoreOp::create(rewriter, loc, store.getValue(), part, getIndices(loops));
    rewriter.eraseOp(store);
  }
  // Its turn on chip, behind the work.
  for (auto [copy, part] : llvm::zip(copies, parts)) {
    rewriter.moveOpBefore(copy, at.getBodyBlock()->getTerminator());
    SmallVector<ForOp> loops = getLoops(copy);
    auto load = getOnly<LoadOp>(loops);
    rewriter.setInsertionPoint(load);
    rewriter.replaceOpWithNewOp<LoadOp>(load, part, getIndices(loops));
  }
}
