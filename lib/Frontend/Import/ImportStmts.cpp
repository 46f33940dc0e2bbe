//===- ImportStmts.cpp - Statements ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ImportImpl.h"

#include "arrc/Dialect/Array/IR/InPlace.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace arrc;
using namespace mlir;

void Importer::emitStmts(const hir::Block &block) {
  for (hir::Stmt *stmt : block.stmts)
    emitStmt(stmt);
}

Values Importer::emitBlock(const hir::Block &block) {
  emitStmts(block);
  if (!block.value)
    return {};
  return coerce(emit(block.value), block.value->type);
}

void Importer::emitStmt(hir::Stmt *stmt) {
  At at(*this, stmt->loc);
  switch (stmt->kind) {
  case hir::Stmt::Kind::Let:
    return emitLet(cast<hir::LetStmt>(stmt));
  case hir::Stmt::Kind::Assign:
    return emitAssign(cast<hir::AssignStmt>(stmt));
  case hir::Stmt::Kind::If:
    return emitIf(cast<hir::IfStmt>(stmt));
  case hir::Stmt::Kind::While:
    return emitWhile(cast<hir::WhileStmt>(stmt));
  case hir::Stmt::Kind::Loop:
    return emitLoop(cast<hir::LoopStmt>(stmt));
  case hir::Stmt::Kind::Check:
    return emitCheck(cast<hir::CheckStmt>(stmt));
  case hir::Stmt::Kind::Eval:
    emit(cast<hir::EvalStmt>(stmt)->expr);
    return;
  }
}

void Importer::emitLet(hir::LetStmt *s) {
  // Sizes are indices from the start.
  if (s->var->type.isScalar(ScalarKind::I64) &&
      isa<hir::SizeExpr, hir::DimOfExpr>(s->init)) {
    defineIndex(s->var, emitIndex(s->init));
    return;
  }
  if (auto *op = dyn_cast<hir::ArrayOpExpr>(s->init);
      op && op->op == hir::ArrayOpExpr::Op::RowOf) {
    defineIndex(s->var, emitRowOf(op));
    return;
  }
  define(s->var, coerce(emit(s->init), s->init->type));
}

void Importer::emitAssign(hir::AssignStmt *s) {
  Values value = emit(s->value);
  Type placeType = s->path.empty() ? s->var->type : s->path.back().type;
  SmallVector<Type::Leaf> placeLeaves;
  for (const Type::Leaf &leaf : placeType.leaves())
    placeLeaves.push_back(leaf);
  if (s->path.empty()) {
    Values leaves;
    for (auto [v, leaf] : llvm::zip(value, placeLeaves)) {
      if (!leaf.dims.empty() && !isa<TensorType>(v.getType())) {
        leaves.push_back(write(leavesOf(s->var)[leaves.size()], {}, v, leaf));
      } else {
        leaves.push_back(coerce(v, leafType(leaf)));
      }
    }
    define(s->var, leaves);
    return;
  }

  if (s->inplace)
    loc = array::markInPlace(loc);
  // The leaves that the path reaches, and what of them.
  Values all = leavesOf(s->var);
  unsigned first = 0;
  Access place{all, {}};
  Type type = s->var->type;
  for (const hir::PlaceStep &step : s->path) {
    if (step.isField()) {
      auto [begin, count] = leafRange(type, step.field);
      first += begin;
      place.leaves = Values(ArrayRef(place.leaves).slice(begin, count));
    } else {
      applySubs(place, step.subs);
    }
    type = step.type;
  }
  for (size_t i = 0; i < place.leaves.size(); ++i) {
    if (place.selectors.empty() && !isa<TensorType>(place.leaves[i].getType()))
      all[first + i] = value[i];
    else
      all[first + i] =
          write(place.leaves[i], place.selectors, value[i], placeLeaves[i]);
  }
  define(s->var, all);
}

void Importer::emitCheck(hir::CheckStmt *s) {
  if (unsafe && s->check != hir::CheckKind::Input)
    return;
  Value ok = emitScalar(s->condition);
  Values values;
  for (hir::Expr *value : s->values)
    values.push_back(emitScalar(value));
  check(s->check, ok, s->message, values);
}

void Importer::check(hir::CheckKind kind, Value ok, StringRef message,
                     ValueRange values) {
  static const array::CheckKind kinds[] = {
      array::CheckKind::Input, array::CheckKind::Assert,
      array::CheckKind::Index, array::CheckKind::Size,
      array::CheckKind::Divide};
  if (matchPattern(ok, m_One()))
    return;
  array::CheckOp::create(b, loc, kinds[unsigned(kind)], ok, message, values);
}

void Importer::emitIf(hir::IfStmt *s) {
  SmallVector<hir::Variable *> vars = assignedIn({s->thenBlock, s->elseBlock});
  Value condition = emitScalar(s->condition);
  Values before = carriedValues(vars);
  bool hasElse = s->elseBlock || !vars.empty();
  auto op = scf::IfOp::create(b, loc, ValueRange(before).getTypes(), condition,
                              /*addThenBlock=*/true, /*addElseBlock=*/hasElse);
  Branching branching(*this, op);
  auto branch = [&](hir::Block *block, Region &region) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&region.front());
    // Both branches begin with the values of before.
    auto saved = env;
    if (block)
      emitStmts(*block);
    scf::YieldOp::create(b, loc, carriedValues(vars));
    env = std::move(saved);
  };
  branch(s->thenBlock, op.getThenRegion());
  if (hasElse)
    branch(s->elseBlock, op.getElseRegion());
  rebind(vars, op.getResults());
}

void Importer::emitWhile(hir::WhileStmt *s) {
  SmallVector<hir::Variable *> vars = assignedIn({s->condition, s->body});
  Values inits = carriedValues(vars);
  SmallVector<mlir::Type> types(ValueRange(inits).getTypes());
  SmallVector<Location> locs(types.size(), loc);
  auto op = scf::WhileOp::create(b, loc, types, inits);
  Branching branching(*this, op);
  {
    OpBuilder::InsertionGuard guard(b);
    Block *before = b.createBlock(&op.getBefore(), {}, types, locs);
    auto saved = env;
    rebind(vars, before->getArguments());
    Value condition = emitBlock(*s->condition).front();
    scf::ConditionOp::create(b, loc, condition, before->getArguments());
    env = saved;

    Block *after = b.createBlock(&op.getAfter(), {}, types, locs);
    rebind(vars, after->getArguments());
    emitStmts(*s->body);
    scf::YieldOp::create(b, loc, carriedValues(vars));
    env = std::move(saved);
  }
  rebind(vars, op.getResults());
}

void Importer::emitLoop(hir::LoopStmt *s) {
  SmallVector<hir::Variable *> vars = assignedIn({s->body});
  Values inits = carriedValues(vars);
  Value size = asIndex(sizeOf(s->range.size));
  hir::CompIndex index;
  index.var = s->index;
  index.range = s->range;
  if (llvm::any_of(vars, [](hir::Variable *v) { return v->changesSize; }))
    return emitGrowingLoop(s, index, vars, inits, size);
  auto op = scf::ForOp::create(b, loc, indexConstant(0), size, indexConstant(1),
                               inits);
  Branching branching(*this, op);
  {
    OpBuilder::InsertionGuard guard(b);
    Block *body = op.getBody();
    if (!body->empty())
      body->back().erase();
    b.setInsertionPointToStart(body);
    auto saved = env;
    bindIndex(index, op.getInductionVar());
    rebind(vars, op.getRegionIterArgs());
    emitStmts(*s->body);
    scf::YieldOp::create(b, loc, carriedValues(vars));
    env = std::move(saved);
  }
  attachAttrs(op, s->attrs);
  rebind(vars, op.getResults());
}

/// A `loop` that carries arrays whose size changes: upstream takes the size of
/// the first for all of an `scf.for`, so it is an `scf.while` that counts.
void Importer::emitGrowingLoop(hir::LoopStmt *s, const hir::CompIndex &index,
                               ArrayRef<hir::Variable *> vars, Values inits,
                               Value size) {
  inits.insert(inits.begin(), indexConstant(0));
  SmallVector<mlir::Type> types(ValueRange(inits).getTypes());
  SmallVector<Location> locs(types.size(), loc);
  auto op = scf::WhileOp::create(b, loc, types, inits);
  Branching branching(*this, op);
  {
    OpBuilder::InsertionGuard guard(b);
    auto saved = env;
    Block *before = b.createBlock(&op.getBefore(), {}, types, locs);
    Value more = make<arith::CmpIOp>(arith::CmpIPredicate::slt,
                                     before->getArgument(0), size);
    scf::ConditionOp::create(b, loc, more, before->getArguments());

    Block *after = b.createBlock(&op.getAfter(), {}, types, locs);
    Value counter = after->getArgument(0);
    bindIndex(index, counter);
    rebind(vars, after->getArguments().drop_front());
    emitStmts(*s->body);
    Values next{make<arith::AddIOp>(counter, indexConstant(1))};
    llvm::append_range(next, carriedValues(vars));
    scf::YieldOp::create(b, loc, next);
    env = std::move(saved);
  }
  attachAttrs(op, s->attrs);
  rebind(vars, op.getResults().drop_front());
}
