//===- LowerRaggedAccess.cpp - Rows of different sizes: reads -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LowerRagged.h"

#include "llvm/ADT/STLExtras.h"

using namespace arrc;
using namespace arrc::hir;
using llvm::ArrayRef;
using llvm::dyn_cast;
using llvm::SMRange;

RaggedLowering::Row RaggedLowering::rowAt(const Rows &rows,
                                          ArrayRef<Sub> points, SMRange loc) {
  Expr *number = nullptr;
  bool inBounds = true;
  for (auto [k, sub] : llvm::enumerate(points)) {
    Expr *index = sub.index;
    if (!index->type.isScalar(ScalarKind::I64))
      index = make<ConvertExpr>(index, Type::integer(), index->loc);
    const Size &size = rows.type.dims()[k].size;
    if (!sub.inBounds) {
      inBounds = false;
      index = ref(let(*out, "%row", index), sub.loc);
      Expr *low = binary(BinaryOp::Ge, index, sizeExpr(0, sub.loc));
      Expr *high = binary(BinaryOp::Lt, index, sizeExpr(size, sub.loc));
      Expr *ok = binary(BinaryOp::And, low, high);
      out->push_back(make<CheckStmt>(
          CheckKind::Index, ok,
          "index {0} is outside of a dimension of size {1}",
          std::vector<Expr *>{index, sizeExpr(size, sub.loc)}, sub.loc));
      // What goes on where that fails reads row 0, if there is one.
      index = ref(let(*out, "%row",
                      make<IfExpr>(ok, newBlock({}, index),
                                   newBlock({}, sizeExpr(0, sub.loc)),
                                   Type::integer(), sub.loc)),
                  sub.loc);
    }
    number =
        number ? binary(BinaryOp::Add,
                        binary(BinaryOp::Mul, number, sizeExpr(size, sub.loc)),
                        index)
               : index;
  }
  if (!number)
    number = sizeExpr(0, loc);
  Expr *offsets = ref(rows.offsets, loc);
  Row row;
  row.lo = let(*out, "%lo", at(offsets, {number}, inBounds));
  Expr *next = binary(BinaryOp::Add, number, sizeExpr(1, loc));
  row.hi = let(*out, "%hi", at(offsets, {next}, inBounds));
  row.inBounds = inBounds;
  return row;
}

bool RaggedLowering::sameRow(const RowKey &a, const RowKey &b) {
  if (a.offsets != b.offsets || a.points.size() != b.points.size())
    return false;
  return llvm::all_of(llvm::zip(a.points, b.points), [](auto pair) {
    auto [x, y] = pair;
    if (auto *v = dyn_cast<VarRefExpr>(x)) {
      auto *w = dyn_cast<VarRefExpr>(y);
      return w && v->var == w->var && v->var->kind != Variable::Kind::Var;
    }
    if (auto *c = dyn_cast<ConstExpr>(x)) {
      auto *d = dyn_cast<ConstExpr>(y);
      return d && c->intValue == d->intValue;
    }
    return false;
  });
}

std::optional<RaggedLowering::RowKey>
RaggedLowering::keyOf(const Rows &rows, ArrayRef<Sub> points) const {
  // What is assigned has other rows later.
  if (!rows.total)
    return std::nullopt;
  return RowKey{rows.offsets, exprsOf(points), nullptr};
}

std::vector<Expr *> RaggedLowering::exprsOf(ArrayRef<Sub> points) {
  std::vector<Expr *> list;
  for (const Sub &sub : points)
    list.push_back(sub.index);
  return list;
}

/// Whether the index runs over the row and nothing else.
bool RaggedLowering::isWithinRow(const RowKey &key, Expr *index) const {
  auto *v = dyn_cast<VarRefExpr>(index);
  auto found = v ? ranges.find(v->var) : ranges.end();
  if (found == ranges.end() || found->second.lo != Size() ||
      found->second.step != Size(1))
    return false;
  Variable *size = found->second.size.asVariable();
  auto of = size ? keys.find(size) : keys.end();
  return of != keys.end() && sameRow(of->second, key);
}

Sub RaggedLowering::elementOf(const Rows &rows, const Row &row,
                              ArrayRef<Sub> points, const Sub &sub) {
  Expr *index = sub.index;
  std::optional<RowKey> key = keyOf(rows, points);
  bool inside =
      row.inBounds && (sub.inBounds || (key && isWithinRow(*key, index)));
  if (!index->type.isScalar(ScalarKind::I64))
    index = make<ConvertExpr>(index, Type::integer(), index->loc);
  Expr *lo = ref(row.lo, sub.loc);
  if (inside)
    return point(binary(BinaryOp::Add, lo, index), true);
  index = ref(let(*out, "%place", index), sub.loc);
  Variable *size =
      let(*out, "%size", sizeExpr(Size(row.hi) - Size(row.lo), sub.loc));
  Expr *low = binary(BinaryOp::Ge, index, sizeExpr(0, sub.loc));
  Expr *high = binary(BinaryOp::Lt, index, ref(size, sub.loc));
  Expr *ok = binary(BinaryOp::And, low, high);
  out->push_back(make<CheckStmt>(
      CheckKind::Index, ok, "index {0} is outside of a row of size {1}",
      std::vector<Expr *>{index, ref(size, sub.loc)}, sub.loc));
  Expr *place = make<IfExpr>(ok, newBlock({}, binary(BinaryOp::Add, lo, index)),
                             newBlock({}, sizeExpr(0, sub.loc)),
                             Type::integer(), sub.loc);
  return point(ref(let(*out, "%place", place), sub.loc), false);
}

Expr *RaggedLowering::lowerIndex(IndexExpr *e) {
  Rows rows = lowerRows(e->base);
  if (failed)
    return e;
  unsigned lead = leadOf(rows.type);
  if (e->subs.size() < lead) {
    refuse(e->loc);
    return e;
  }
  for (Sub &sub : e->subs)
    if (sub.index)
      lowerExpr(sub.index);
  ArrayRef<Sub> subs = e->subs;
  for (const Sub &sub : subs.take_front(lead + 1))
    if (sub.kind != Sub::Kind::Point) {
      refuse(sub.loc);
      return e;
    }
  ArrayRef<Sub> points = subs.take_front(lead);
  Row row = rowAt(rows, points, e->loc);
  Expr *values = ref(rows.values, e->loc);
  std::vector<Sub> places;
  if (subs.size() > lead) {
    places.push_back(elementOf(rows, row, points, subs[lead]));
    llvm::append_range(places, subs.drop_front(lead + 1));
  } else {
    // A row: a slice.
    Sub sub;
    sub.kind = Sub::Kind::Slice;
    sub.loc = e->loc;
    sub.inBounds = row.inBounds;
    sub.range.lo = Size(row.lo);
    sub.range.size = e->type.dims().front().size;
    sub.range.nonNegative = true;
    sub.range.end = Size(row.hi);
    Variable *size = sub.range.size.asVariable();
    if (size && early.insert(size).second) {
      addLet(*out, size, sizeExpr(Size(row.hi) - Size(row.lo), e->loc), e->loc);
      if (std::optional<RowKey> key = keyOf(rows, points))
        keys[size] = *key;
    }
    places.push_back(sub);
  }
  auto *read = make<IndexExpr>(values, std::move(places), e->type, e->loc);
  read->site = e->site;
  read->unsafe = e->unsafe;
  if (subs.size() == lead) {
    RowKey key{rows.offsets, exprsOf(points), rows.values};
    rowRead = {read, key};
  }
  return read;
}

Expr *RaggedLowering::lowerDimOf(DimOfExpr *e) {
  if (isRaggedArray(e->array->type)) {
    const Dim &dim = e->array->type.dims()[e->dim];
    // Of a parameter it is what binds the size.
    auto *v = dyn_cast<VarRefExpr>(e->array);
    auto found = v ? rowsOf.find(v->var) : rowsOf.end();
    if (!e->dim && found != rowsOf.end() &&
        found->second.offsets->kind == Variable::Kind::Param) {
      Variable *count =
          let(*out, "%count",
              make<DimOfExpr>(ref(found->second.offsets, e->loc), 0u, e->loc));
      return sizeExpr(Size(count) - 1, e->loc);
    }
    if (!dim.ragged)
      return sizeExpr(dim.size, e->loc);
    refuse(e->loc);
    return e;
  }
  auto *index = dyn_cast<IndexExpr>(e->array);
  if (!index || !isRaggedArray(index->base->type) || e->dim)
    return nullptr;
  Rows rows = lowerRows(index->base);
  if (failed)
    return e;
  unsigned lead = leadOf(rows.type);
  if (index->subs.size() != lead)
    return nullptr;
  for (Sub &sub : index->subs)
    lowerExpr(sub.index);
  Row row = rowAt(rows, index->subs, e->loc);
  return sizeExpr(Size(row.hi) - Size(row.lo), e->loc);
}
