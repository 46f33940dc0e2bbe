//===- LowerRagged.cpp - Rows of different sizes: uses --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
//   let r: f32[n, ?] = ..      r.offsets: int[n + 1], r.values: f32[total]
//   r[i, j]                    r.values[r.offsets[i] + j]
//   let row = r[i]             r.values[r.offsets[i]:r.offsets[i + 1]]
//   size(r[i])                 r.offsets[i + 1] - r.offsets[i]
//   var p = r                  var p.offsets, var p.values
//
// Statements that an expression needs go in front of the statement that it
// stands in; nothing is evaluated there that the expression would not.
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

bool arrc::isRaggedArray(const Type &type) {
  return type && type.isArray() &&
         llvm::any_of(type.dims(), [](const Dim &d) { return d.ragged; });
}

bool arrc::hasRagged(const Type &type) {
  if (!type || type.isError() || type.isNone() || type.isFunction())
    return false;
  for (const Type::Leaf &leaf : type.leaves())
    if (llvm::any_of(leaf.dims, [](const Dim &d) { return d.ragged; }))
      return true;
  return false;
}

unsigned arrc::leadOf(const Type &type) {
  return llvm::find_if(type.dims(), [](const Dim &d) { return d.ragged; }) -
         type.dims().begin();
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

Variable *RaggedLowering::newVariable(Variable::Kind kind, std::string name,
                                      Type type, SMRange loc) {
  auto *var = program.make<Variable>();
  var->kind = kind;
  var->name = std::move(name);
  var->type = std::move(type);
  var->loc = loc;
  // Behind all that the checker has numbered.
  var->id = (1u << 30) + nextId++;
  return var;
}

Expr *RaggedLowering::ref(Variable *var, SMRange loc) {
  return make<VarRefExpr>(var, var->type, loc);
}

Expr *RaggedLowering::sizeExpr(const Size &size, SMRange loc) {
  return make<SizeExpr>(size, loc);
}

Expr *RaggedLowering::binary(BinaryOp op, Expr *a, Expr *b) {
  bool isTruth = op >= BinaryOp::Eq;
  auto *e =
      make<BinaryExpr>(op, a, b, isTruth ? Type::boolean() : a->type, a->loc);
  e->nonZero = true;
  return e;
}

Sub RaggedLowering::point(Expr *index, bool inBounds) {
  Sub sub;
  sub.kind = Sub::Kind::Point;
  sub.index = index;
  sub.inBounds = sub.notEmpty = inBounds;
  sub.loc = index->loc;
  return sub;
}

Expr *RaggedLowering::at(Expr *array, ArrayRef<Expr *> points, bool inBounds) {
  std::vector<Sub> subs;
  for (Expr *p : points)
    subs.push_back(point(p, inBounds));
  return make<IndexExpr>(array, std::move(subs),
                         array->type.dropDims(points.size()), array->loc);
}

Expr *RaggedLowering::field(Expr *base, unsigned number) {
  return make<FieldExpr>(base, number, base->type.component(number), base->loc);
}

Block *RaggedLowering::newBlock(Stmts stmts, Expr *value) {
  auto *block = program.make<Block>();
  block->stmts = std::move(stmts);
  block->value = value;
  return block;
}

void RaggedLowering::addLet(Stmts &to, Variable *var, Expr *init, SMRange loc) {
  to.push_back(make<LetStmt>(var, init, loc));
}

Variable *RaggedLowering::let(Stmts &to, std::string name, Expr *init) {
  Variable *var =
      newVariable(Variable::Kind::Let, std::move(name), init->type, init->loc);
  addLet(to, var, init, init->loc);
  return var;
}

Size RaggedLowering::productOf(ArrayRef<Dim> dims) const {
  Size product = 1;
  for (const Dim &d : dims)
    product = product * d.size;
  return product;
}

RaggedLowering::Rows RaggedLowering::refuse(SMRange loc) {
  if (!failed)
    diags.report(diag::unsupported_ragged, loc);
  failed = true;
  return {};
}

//===----------------------------------------------------------------------===//
// Values with such rows
//===----------------------------------------------------------------------===//

RaggedLowering::Rows RaggedLowering::snapshot(const Rows &rows, SMRange loc) {
  Rows now;
  now.type = rows.type;
  now.offsets = let(*out, rows.offsets->name, ref(rows.offsets, loc));
  Expr *values = ref(rows.values, loc);
  now.total = let(*out, "%total", make<DimOfExpr>(values, 0u, loc));
  Type type = values->type.dropDims(1).withDims({Dim(Size(now.total))});
  now.values = newVariable(Variable::Kind::Let, rows.values->name, type, loc);
  addLet(*out, now.values, make<VarRefExpr>(rows.values, type, loc), loc);
  byOffsets[now.offsets] = now;
  return now;
}

RaggedLowering::Rows RaggedLowering::fieldOf(const Rows &rows,
                                             const FieldExpr *e) {
  Rows part = rows;
  part.type = e->type;
  part.values = let(*out, "%field", field(ref(rows.values, e->loc), e->number));
  return part;
}

RaggedLowering::Rows RaggedLowering::lowerIf(IfExpr *e) {
  lowerExpr(e->condition);
  Type element, type;
  auto branch = [&](Block *block) {
    lowerBlock(block);
    if (failed)
      return;
    llvm::SaveAndRestore<Stmts *> here(out, &block->stmts);
    Rows rows = lowerRows(block->value);
    if (failed)
      return;
    Expr *offsets = ref(rows.offsets, e->loc),
         *values = ref(rows.values, e->loc);
    type = Type::tuple({offsets->type, values->type});
    block->value = make<TupleExpr>(std::vector<Expr *>{offsets, values}, type,
                                   block->value->loc);
  };
  branch(e->thenBlock);
  branch(e->elseBlock);
  if (failed)
    return {};
  // How many values there are is known behind the branches.
  Variable *size =
      newVariable(Variable::Kind::Let, "?", Type::integer(), e->loc);
  Type values = type.component(1).dropDims(1).withDims({Dim(Size(size))});
  Type whole = Type::tuple({type.component(0), values});
  for (Block *block : {e->thenBlock, e->elseBlock})
    block->value->type = whole;
  auto *both =
      make<IfExpr>(e->condition, e->thenBlock, e->elseBlock, whole, e->loc);
  both->site = e->site;
  Variable *pair = let(*out, "%rows", both);
  Rows rows;
  rows.type = e->type;
  rows.offsets = let(*out, "%offsets", field(ref(pair, e->loc), 0));
  Expr *all = field(ref(pair, e->loc), 1);
  addLet(*out, size, make<DimOfExpr>(all, 0u, e->loc), e->loc);
  rows.total = size;
  rows.values = let(*out, "%values", all);
  byOffsets[rows.offsets] = rows;
  return rows;
}

RaggedLowering::Rows RaggedLowering::lowerRows(Expr *e) {
  if (failed)
    return {};
  switch (e->kind) {
  case Expr::Kind::VarRef: {
    auto found = rowsOf.find(cast<VarRefExpr>(e)->var);
    if (found == rowsOf.end())
      return refuse(e->loc);
    Rows rows = found->second;
    return rows.total ? rows : snapshot(rows, e->loc);
  }
  case Expr::Kind::Field: {
    auto *f = cast<FieldExpr>(e);
    if (isRaggedArray(f->base->type)) {
      Rows rows = lowerRows(f->base);
      return failed ? rows : fieldOf(rows, f);
    }
    auto *var = dyn_cast<VarRefExpr>(f->base);
    auto found = var ? tuples.find(var->var) : tuples.end();
    auto *tuple =
        found != tuples.end() ? found->second : dyn_cast<TupleExpr>(f->base);
    if (!tuple)
      return refuse(e->loc);
    return lowerRows(tuple->elements[f->number]);
  }
  case Expr::Kind::Comp: {
    auto *comp = cast<CompExpr>(e);
    bool isMap = comp->compKind == CompExpr::CompKind::Map ||
                 comp->compKind == CompExpr::CompKind::Stencil;
    return isMap ? lowerMap(comp) : refuse(e->loc);
  }
  case Expr::Kind::If:
    return lowerIf(cast<IfExpr>(e));
  case Expr::Kind::ArrayOp: {
    auto *op = cast<ArrayOpExpr>(e);
    return op->op == ArrayOpExpr::Op::Fence
               ? fenceRows(lowerRows(op->args.front()), e->loc)
               : refuse(e->loc);
  }
  default:
    return refuse(e->loc);
  }
}

RaggedLowering::Rows RaggedLowering::fenceRows(Rows rows, SMRange loc) {
  if (failed)
    return rows;
  // The offsets stay what they are: they are made before the values anyway, and
  // what is proved of one name is not of another.
  Expr *all = ref(rows.values, loc);
  rows.values =
      let(*out, "%values",
          make<ArrayOpExpr>(ArrayOpExpr::Op::Fence, std::vector<Expr *>{all},
                            all->type, loc));
  return rows;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

RaggedLowering::Frozen RaggedLowering::freeze(CompExpr *comp) {
  Frozen saved;
  walk(comp, [&](Expr *x) {
    auto *v = dyn_cast<VarRefExpr>(x);
    auto found = v ? rowsOf.find(v->var) : rowsOf.end();
    if (found == rowsOf.end() || found->second.total)
      return;
    saved.push_back({v->var, found->second});
    Rows now = snapshot(saved.back().second, comp->loc);
    rowsOf[v->var] = now;
  });
  return saved;
}

void RaggedLowering::thaw(const Frozen &saved) {
  for (auto &[var, rows] : saved)
    rowsOf[var] = rows;
}

void RaggedLowering::lowerComp(CompExpr *comp) {
  Frozen saved = freeze(comp);
  for (CompIndex &index : comp->indices) {
    if (index.prelude)
      lowerBlock(index.prelude);
    ranges[index.var] = index.range;
  }
  for (Block *block : {comp->condition, comp->body, comp->op})
    if (block && !failed)
      lowerBlock(block);
  thaw(saved);
}

void RaggedLowering::lowerExpr(Expr *&e) {
  if (failed || !e)
    return;
  if (hasRagged(e->type)) {
    refuse(e->loc);
    return;
  }
  switch (e->kind) {
  case Expr::Kind::Index:
    if (isRaggedArray(cast<IndexExpr>(e)->base->type)) {
      e = lowerIndex(cast<IndexExpr>(e));
      return;
    }
    break;
  case Expr::Kind::DimOf:
    if (Expr *size = lowerDimOf(cast<DimOfExpr>(e))) {
      e = size;
      return;
    }
    break;
  case Expr::Kind::Field: {
    auto *f = cast<FieldExpr>(e);
    if (!hasRagged(f->base->type))
      break;
    auto *var = dyn_cast<VarRefExpr>(f->base);
    auto found = var ? tuples.find(var->var) : tuples.end();
    auto *tuple =
        found != tuples.end() ? found->second : dyn_cast<TupleExpr>(f->base);
    if (!tuple) {
      refuse(e->loc);
      return;
    }
    e = tuple->elements[f->number];
    if (found == tuples.end())
      lowerExpr(e);
    return;
  }
  case Expr::Kind::ArrayOp: {
    auto *op = cast<ArrayOpExpr>(e);
    if (op->op != ArrayOpExpr::Op::Reshape ||
        !isRaggedArray(op->args.front()->type))
      break;
    Rows rows = lowerRows(op->args.front());
    if (failed)
      return;
    e = make<VarRefExpr>(rows.values, op->type, op->loc);
    // Dimensions behind the rows are a part of the flat array.
    if (rows.values->type.rank() > 1) {
      Expr *all = ref(rows.values, op->loc);
      Variable *size = op->type.dims().front().size.asVariable();
      if (size && early.insert(size).second)
        addLet(*out, size,
               sizeExpr(productOf(rows.values->type.dims()), op->loc), op->loc);
      e = make<ArrayOpExpr>(ArrayOpExpr::Op::Reshape, std::vector<Expr *>{all},
                            op->type, op->loc);
    }
    return;
  }
  case Expr::Kind::Comp:
    forEachOperand(e, [&](Expr *&x) { lowerExpr(x); });
    lowerComp(cast<CompExpr>(e));
    return;
  default:
    break;
  }
  forEachOperand(e, [&](Expr *&x) { lowerExpr(x); });
  forEachBlock(e, [&](Block *block) {
    if (!failed)
      lowerBlock(block);
  });
}
