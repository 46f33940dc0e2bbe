//===- LowerRaggedStmts.cpp - Rows of different sizes: statements ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LowerRagged.h"

#include "../Check/HIRWalk.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace arrc;
using namespace arrc::hir;
using llvm::ArrayRef;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;
using llvm::SMRange;

void RaggedLowering::lowerBlock(Block *block) {
  Stmts list;
  {
    llvm::SaveAndRestore<Stmts *> here(out, &list);
    for (Stmt *stmt : block->stmts)
      if (!failed)
        lowerStmt(stmt);
    // The parent takes care of rows as the value.
    if (block->value && !failed && !hasRagged(block->value->type))
      lowerExpr(block->value);
  }
  block->stmts = std::move(list);
}

/// Whether a check compares the sizes of one row.
bool RaggedLowering::isTrivial(const CheckStmt *check) const {
  auto *same = dyn_cast<BinaryExpr>(check->condition);
  if (!same || same->op != BinaryOp::Eq)
    return false;
  auto keyOf = [&](Expr *e) -> const RowKey * {
    auto *size = dyn_cast<SizeExpr>(e);
    auto *v = dyn_cast<VarRefExpr>(e);
    return this->keyOf(size ? size->size.asVariable() : v ? v->var : nullptr);
  };
  const RowKey *a = keyOf(same->lhs), *b = keyOf(same->rhs);
  return a && b && sameRow(*a, *b);
}

static std::vector<Type> typesOf(ArrayRef<Expr *> list) {
  std::vector<Type> types;
  for (Expr *e : list)
    types.push_back(e->type);
  return types;
}

/// A `for` whose values are tuples, as a tuple of `for`s; else null.
TupleExpr *RaggedLowering::unzip(Expr *e, const Type &type) {
  auto *comp = dyn_cast<CompExpr>(e);
  auto *body = comp && comp->compKind == CompExpr::CompKind::Map
                   ? dyn_cast<TupleExpr>(comp->body->value)
                   : nullptr;
  if (!body || hasRagged(Type::tuple(typesOf(body->elements))))
    return nullptr;
  Frozen saved = freeze(comp);
  for (CompIndex &index : comp->indices)
    ranges[index.var] = index.range;
  lowerBlock(comp->body);
  {
    llvm::SaveAndRestore<Stmts *> here(out, &comp->body->stmts);
    for (Expr *&element : body->elements)
      lowerExpr(element);
  }
  thaw(saved);
  std::vector<Expr *> parts;
  for (auto [k, element] : llvm::enumerate(body->elements)) {
    auto *part =
        make<CompExpr>(CompExpr::CompKind::Map, type.component(k), comp->loc);
    part->site = comp->site;
    part->fast = comp->fast;
    part->unsafe = comp->unsafe;
    part->exact = comp->exact;
    part->attrs = comp->attrs;
    part->indices = comp->indices;
    part->body = newBlock(comp->body->stmts, element);
    parts.push_back(part);
  }
  return make<TupleExpr>(parts, type, comp->loc);
}

void RaggedLowering::lowerLet(LetStmt *stmt) {
  Variable *var = stmt->var;
  // It stands in front of the row already.
  if (early.contains(var) && isa<DimOfExpr>(stmt->init))
    return;
  if (isRaggedArray(var->type)) {
    Rows rows = lowerRows(stmt->init);
    if (failed)
      return;
    if (var->kind != Variable::Kind::Var) {
      rowsOf[var] = rows;
      return;
    }
    Rows parts;
    parts.type = var->type;
    parts.offsets = newVariable(Variable::Kind::Var, var->name + ".offsets",
                                rows.offsets->type, var->loc);
    Variable *size =
        newVariable(Variable::Kind::Let, "?", Type::integer(), var->loc);
    parts.values = newVariable(
        Variable::Kind::Var, var->name + ".values",
        rows.values->type.dropDims(1).withDims({Dim(Size(size))}), var->loc);
    parts.values->changesSize = true;
    addLet(*out, parts.offsets, ref(rows.offsets, stmt->loc), stmt->loc);
    addLet(*out, parts.values, ref(rows.values, stmt->loc), stmt->loc);
    rowsOf[var] = parts;
    return;
  }
  if (hasRagged(var->type)) {
    auto *tuple = dyn_cast<TupleExpr>(stmt->init);
    if (auto *other = dyn_cast<VarRefExpr>(stmt->init))
      if (auto found = tuples.find(other->var); found != tuples.end())
        tuple = found->second;
    if (!tuple)
      tuple = unzip(stmt->init, var->type);
    if (!tuple || var->kind == Variable::Kind::Var) {
      refuse(stmt->loc);
      return;
    }
    // Each part in a variable.
    std::vector<Expr *> parts;
    for (Expr *e : tuple->elements) {
      Variable *part =
          newVariable(Variable::Kind::Let, "%part", e->type, e->loc);
      lowerLet(make<LetStmt>(part, e, e->loc));
      if (failed)
        return;
      parts.push_back(ref(part, e->loc));
    }
    tuples[var] = make<TupleExpr>(parts, var->type, stmt->loc);
    return;
  }
  rowRead.reset();
  lowerExpr(stmt->init);
  if (failed)
    return;
  // A name for a row or for its size.
  if (auto *other = dyn_cast<VarRefExpr>(stmt->init);
      other && var->kind == Variable::Kind::Let)
    if (auto found = keys.find(other->var); found != keys.end()) {
      RowKey key = found->second;
      keys[var] = key;
    }
  if (rowRead && rowRead->first == stmt->init)
    keys[var] = rowRead->second;
  out->push_back(stmt);
}

void RaggedLowering::lowerAssign(AssignStmt *assign) {
  Variable *var = assign->var;
  if (!isRaggedArray(var->type)) {
    if (hasRagged(var->type)) {
      refuse(assign->loc);
      return;
    }
    forEachOperand(assign, [&](Expr *&x) { lowerExpr(x); });
    out->push_back(assign);
    return;
  }
  Rows place = rowsOf[var];
  if (assign->path.empty()) {
    Rows rows = lowerRows(assign->value);
    if (failed)
      return;
    auto set = [&](Variable *to, Variable *from) {
      out->push_back(make<AssignStmt>(to, std::vector<PlaceStep>{},
                                      ref(from, assign->loc), assign->loc));
    };
    set(place.offsets, rows.offsets);
    set(place.values, rows.values);
    return;
  }
  // The right side first.
  lowerExpr(assign->value);
  for (PlaceStep &step : assign->path)
    for (Sub &sub : step.subs)
      if (sub.index)
        lowerExpr(sub.index);
  if (failed)
    return;
  PlaceStep &step = assign->path.front();
  unsigned lead = leadOf(place.type);
  auto isPoint = [](const Sub &sub) { return sub.kind == Sub::Kind::Point; };
  ArrayRef<Sub> subs = step.subs;
  if (step.isField() || subs.size() < lead ||
      !llvm::all_of(subs.take_front(lead + 1), isPoint)) {
    refuse(assign->loc);
    return;
  }
  std::vector<PlaceStep> path = assign->path;
  Row row = rowAt(place, subs.take_front(lead), assign->loc);
  std::vector<Sub> places;
  if (subs.size() > lead) {
    places.push_back(elementOf(place, row, subs.take_front(lead), subs[lead]));
    llvm::append_range(places, subs.drop_front(lead + 1));
  } else {
    Variable *size =
        let(*out, "%size", sizeExpr(Size(row.hi) - Size(row.lo), assign->loc));
    Sub sub;
    sub.kind = Sub::Kind::Slice;
    sub.loc = assign->loc;
    sub.inBounds = row.inBounds;
    sub.range.lo = Size(row.lo);
    sub.range.size = Size(size);
    sub.range.nonNegative = true;
    sub.range.end = Size(row.hi);
    places.push_back(sub);
    Type part = place.values->type.dropDims(1).withDims({Dim(Size(size))});
    path.front().type = part;
    if (assign->value->type.isArray()) {
      Expr *value = ref(let(*out, "%new", assign->value), assign->loc);
      Variable *have =
          let(*out, "%have", make<DimOfExpr>(value, 0u, assign->loc));
      out->push_back(make<CheckStmt>(
          CheckKind::Size,
          binary(BinaryOp::Eq, ref(have, assign->loc), ref(size, assign->loc)),
          "a row keeps its size: it is {1}, and {0} are assigned",
          std::vector<Expr *>{ref(have, assign->loc), ref(size, assign->loc)},
          assign->loc));
      assign->value = value;
    }
  }
  path.front().subs = std::move(places);
  auto *set = make<AssignStmt>(place.values, std::move(path), assign->value,
                               assign->loc);
  set->inplace = assign->inplace;
  set->site = assign->site;
  out->push_back(set);
}

void RaggedLowering::lowerStmt(Stmt *stmt) {
  switch (stmt->kind) {
  case Stmt::Kind::Let:
    return lowerLet(cast<LetStmt>(stmt));
  case Stmt::Kind::Assign:
    return lowerAssign(cast<AssignStmt>(stmt));
  case Stmt::Kind::Eval:
    if (hasRagged(cast<EvalStmt>(stmt)->expr->type)) {
      (void)lowerRows(cast<EvalStmt>(stmt)->expr);
      return;
    }
    break;
  case Stmt::Kind::Check:
    if (isTrivial(cast<CheckStmt>(stmt)))
      return;
    break;
  default:
    break;
  }
  forEachOperand(stmt, [&](Expr *&x) { lowerExpr(x); });
  if (auto *loop = dyn_cast<LoopStmt>(stmt))
    ranges[loop->index] = loop->range;
  forEachBlock(stmt, [&](Block *block) {
    if (!failed)
      lowerBlock(block);
  });
  out->push_back(stmt);
}
