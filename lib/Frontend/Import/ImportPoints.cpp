//===- ImportPoints.cpp - Several indices as one range --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A box of points is numbered by products. Where a range depends on an index,
//
//   hist((+), 0, k) for r in n, e in off[r]:off[r + 1] { (col[e], 1) }
//
// a scan counts the points before each r, and a point finds its r by binary
// search among these counts:
//
//   %starts, %total = array.scan (%r) in (%n) init (%c0) exclusive {
//     .. array.yield %size_of_the_range } by arith.addi
//   array.scatter (%p) in (%total) .. {
//     %r = the last one with %starts[%r] <= %p
//     %e = off[%r] + (%p - %starts[%r]) }
//
// So the work is that of the points, however unequal the ranges are. What an
// array gives may be anything: of an offset of 2^62 each point behind the first
// one outside of `col` fails as well, and sums of such sizes wrap. A range ends
// with the first point whose read is outside.
//
//===----------------------------------------------------------------------===//

#include "../Check/HIRWalk.h"
#include "ImportImpl.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace arrc;
using namespace mlir;

Importer::PointSpace Importer::pointsOf(const hir::CompExpr *e) {
  PointSpace space;
  for (auto [number, index] : llvm::enumerate(e->indices)) {
    space.name += (space.name.empty() ? "" : "_") + indexName(index.var);
    if (index.dependent) {
      addRows(space, e, number);
      continue;
    }
    if (index.prelude)
      emitStmts(*index.prelude);
    Value extent = asIndex(extentOf(index, /*maybeEmpty=*/true));
    if (!space.size) {
      space.size = extent;
      space.bind = [this, at = &index](Value point) { bindIndex(*at, point); };
      continue;
    }
    space.size = make<arith::MulIOp>(space.size, extent);
    space.bind = [this, at = &index, extent, before = space.bind](Value point) {
      bindIndex(*at, make<arith::RemUIOp>(point, extent));
      before(make<arith::DivUIOp>(point, extent));
    };
  }
  return space;
}

Value Importer::startedAt(Value starts, Value numRows, Value point) {
  SmallVector<mlir::Type> types(2, b.getIndexType());
  SmallVector<Location> locs(2, loc);
  Values inits{indexConstant(0), numRows};
  auto op = scf::WhileOp::create(b, loc, types, inits);
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&op.getBefore(), {}, types, locs);
  Value more =
      make<arith::CmpIOp>(arith::CmpIPredicate::slt, before->getArgument(0),
                          before->getArgument(1));
  scf::ConditionOp::create(b, loc, more, before->getArguments());
  Block *after = b.createBlock(&op.getAfter(), {}, types, locs);
  Value lo = after->getArgument(0), hi = after->getArgument(1);
  Value middle =
      make<arith::ShRUIOp>(make<arith::AddIOp>(lo, hi), indexConstant(1));
  Value start = array::AtOp::create(b, loc, starts, middle, true);
  Value started = make<arith::CmpIOp>(arith::CmpIPredicate::sle, start, point);
  Value next = make<arith::AddIOp>(middle, indexConstant(1));
  scf::YieldOp::create(
      b, loc,
      Values{arith::SelectOp::create(b, loc, started, next, lo),
             arith::SelectOp::create(b, loc, started, hi, middle)});
  return op.getResult(0);
}

Value Importer::emitRowOf(hir::ArrayOpExpr *e) {
  Value starts = emit(e->args[0]).front();
  Value point = emitScalar(e->args[1]);
  Value one = indexConstant(1);
  Value numRows = make<arith::SubIOp>(dimOf(starts, 0), one);
  return make<arith::SubIOp>(startedAt(starts, numRows, point), one);
}

namespace {
/// An array that is read at an index, the index in dimension `dim`.
struct Read {
  const hir::Variable *array;
  unsigned dim;
};
} // namespace

/// Reads of `e` at `index`, but for those that only some of its values lead to.
static void collectReads(hir::Expr *e, const hir::Variable *index,
                         llvm::SmallVectorImpl<Read> &reads) {
  if (auto *read = dyn_cast<hir::IndexExpr>(e)) {
    auto *array = dyn_cast<hir::VarRefExpr>(read->base);
    for (auto [dim, sub] : llvm::enumerate(read->subs)) {
      auto *at = sub.kind == hir::Sub::Kind::Point
                     ? dyn_cast<hir::VarRefExpr>(sub.index)
                     : nullptr;
      if (array && at && at->var == index && !sub.inBounds)
        reads.push_back({array->var, unsigned(dim)});
    }
  }
  auto *binary = dyn_cast<hir::BinaryExpr>(e);
  if (binary &&
      (binary->op == hir::BinaryOp::And || binary->op == hir::BinaryOp::Or))
    return collectReads(binary->lhs, index, reads);
  hir::forEachOperand(
      e, [&](hir::Expr *&part) { collectReads(part, index, reads); });
}

Value Importer::endOutside(const hir::CompExpr *e, unsigned number,
                           Value extent) {
  const hir::CompIndex &index = e->indices[number];
  std::optional<int64_t> step = index.range.step.constant();
  if (unsafe || !step || *step < 1)
    return extent;
  // What each of its points is asked first: for another range, or for itself.
  const hir::Block *asked = e->condition ? e->condition : e->body;
  for (const hir::CompIndex &right :
       llvm::reverse(ArrayRef(e->indices).drop_front(number + 1)))
    if (right.dependent)
      asked = right.prelude;
  if (!asked)
    return extent;
  llvm::SmallVector<Read> reads;
  llvm::SmallPtrSet<const hir::Variable *, 8> own;
  auto collect = [&](hir::Expr *part) { collectReads(part, index.var, reads); };
  for (hir::Stmt *stmt : asked->stmts) {
    if (auto *let = dyn_cast<hir::LetStmt>(stmt))
      own.insert(let->var);
    hir::forEachOperand(stmt, [&](hir::Expr *&part) { collect(part); });
  }
  if (asked->value)
    collect(asked->value);

  Value lo = asIndex(sizeOf(index.range.lo));
  Value one = indexConstant(1), zero = indexConstant(0);
  for (const Read &read : reads) {
    if (own.contains(read.array))
      continue;
    Value array = leavesOf(read.array).front();
    if (!isa<RankedTensorType>(array.getType()) || hasBoundary(array, read.dim))
      continue;
    Value size = dimOf(array, read.dim);
    Value last = make<arith::SubIOp>(make<arith::SubIOp>(size, one), lo);
    Value inside = make<arith::AddIOp>(
        make<arith::DivUIOp>(last, indexConstant(*step)), one);
    Value starts = make<arith::CmpIOp>(arith::CmpIPredicate::ult, lo, size);
    Value room = make<arith::SelectOp>(starts, inside, zero);
    extent = make<arith::MinSIOp>(extent, make<arith::AddIOp>(room, one));
  }
  return extent;
}

/// Each point of the space becomes those of the index's range there.
void Importer::addRows(PointSpace &space, const hir::CompExpr *e,
                       unsigned number) {
  const hir::CompIndex &index = e->indices[number];
  auto bindRow = [this, at = &index, before = space.bind](Value row) {
    before(row);
    if (at->prelude)
      emitStmts(*at->prelude);
  };
  auto count = [&](OpBuilder &nested, Location, ValueRange ivs) {
    inRegion(nested, [&] {
      bindRow(ivs.front());
      Value extent = asIndex(extentOf(index, /*maybeEmpty=*/true));
      extent = endOutside(e, number, extent);
      array::YieldOp::create(b, loc,
                             make<arith::IndexCastOp>(b.getI64Type(), extent));
    });
  };
  auto add = [&](OpBuilder &nested, Location, ValueRange args) {
    inRegion(nested, [&] {
      Value sum = arith::AddIOp::create(b, loc, args[0], args[1]);
      array::YieldOp::create(b, loc, sum);
    });
  };
  OpFoldResult rows = space.size;
  if (std::optional<int64_t> n = getConstantIntValue(space.size))
    rows = b.getIndexAttr(*n);
  auto scan = array::ScanOp::create(b, loc, rows, space.name,
                                    constant(ScalarKind::I64, 0),
                                    /*exclusive=*/true, count, add);
  Value starts = scan.getPrefixes().front();

  space.size =
      make<arith::IndexCastOp>(b.getIndexType(), scan.getTotals().front());
  space.bind = [this, at = &index, bindRow, starts,
                numRows = asIndex(rows)](Value point) {
    Value number = make<arith::IndexCastOp>(b.getI64Type(), point);
    Value row = make<arith::SubIOp>(startedAt(starts, numRows, number),
                                    indexConstant(1));
    Value start = array::AtOp::create(b, loc, starts, row, true);
    Value within = make<arith::SubIOp>(
        point, make<arith::IndexCastOp>(b.getIndexType(), start));
    bindRow(row);
    bindIndex(*at, within);
  };
}

Values Importer::indicesAt(const PointSpace &space,
                           llvm::ArrayRef<hir::CompIndex> indices,
                           Value point) {
  Value some =
      make<arith::CmpIOp>(arith::CmpIPredicate::sge, point, indexConstant(0));
  SmallVector<mlir::Type> types(indices.size(), b.getI64Type());
  auto op = scf::IfOp::create(b, loc, types, some, true, true);
  Branching branching(*this, op);
  inRegion(b, [&] {
    b.setInsertionPointToStart(&op.getThenRegion().front());
    space.bind(point);
    Values found;
    for (const hir::CompIndex &index : indices)
      found.push_back(leavesOf(index.var).front());
    scf::YieldOp::create(b, loc, found);
    b.setInsertionPointToStart(&op.getElseRegion().front());
    scf::YieldOp::create(b, loc,
                         Values(indices.size(), constant(ScalarKind::I64, 0)));
  });
  return Values(op.getResults());
}
