//===- LowerRaggedMaps.cpp - Making rows of different sizes ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
//   let r: int[n, ?] = for i in n { for j in i { f(i, j) } }
//
// becomes
//
//   sizes = for i in n { i }
//   offsets = exscan((+), 0) for k in n + 1 { if k < n { sizes[k] } else { 0 }
//   } values = for p in offsets[n] {
//     let i = the row of p
//     f(i, p - offsets[i]) }
//
// so that the work is that of the values, however unequal the rows are. Where
// the size is that of a row that exists the offsets are its own. Rows that are
// filtered are counted first, and all of them are one filter. What a body
// computes before its row is taken apart statement by statement: a number is
// an array with one for each row, a row is rows of different sizes itself. A
// row that fits none of this is made whole, one after the other.
//
// Reference: G. Blelloch, "Programming parallel algorithms", CACM 39(3), 1996
// (nested parallelism by flattening).
//
//===----------------------------------------------------------------------===//

#include "LowerRagged.h"

#include "../Check/HIRWalk.h"

#include "llvm/ADT/STLExtras.h"

#include <functional>

using namespace arrc;
using namespace arrc::hir;
using llvm::ArrayRef;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;
using llvm::SMRange;
using CompKind = CompExpr::CompKind;

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

Expr *RaggedLowering::constant(int64_t value, SMRange loc) {
  auto *c = make<ConstExpr>(Type::integer(), loc);
  c->intValue = value;
  return c;
}

CompExpr *RaggedLowering::makeComp(const Frame &frame, CompKind kind,
                                   Type type) {
  auto *comp = make<CompExpr>(kind, std::move(type), frame.map->loc);
  comp->site = frame.map->site;
  comp->fast = frame.map->fast;
  comp->unsafe = frame.map->unsafe;
  comp->exact = frame.map->exact;
  return comp;
}

CompIndex RaggedLowering::indexOver(const Size &size, std::string name,
                                    SMRange loc) {
  CompIndex index;
  index.var =
      newVariable(Variable::Kind::Index, std::move(name), Type::integer(), loc);
  index.range.size = size;
  index.range.nonNegative = true;
  return index;
}

/// A value of the type that nobody reads.
Expr *RaggedLowering::zeroOf(const Type &type, SMRange loc) {
  if (type.isAggregate()) {
    std::vector<Expr *> parts;
    for (const Component &c : type.components())
      parts.push_back(zeroOf(c.type, loc));
    return make<TupleExpr>(parts, type, loc);
  }
  if (type.isScalar())
    return make<ConstExpr>(type, loc);
  auto *comp = make<CompExpr>(CompKind::Map, type, loc);
  for (const Dim &d : type.dims())
    comp->indices.push_back(indexOver(d.size, "%d", loc));
  comp->body = newBlock({}, zeroOf(type.element(), loc));
  return comp;
}

//===----------------------------------------------------------------------===//
// The frame
//===----------------------------------------------------------------------===//

static bool isPlain(const CompIndex &index) {
  return index.range.lo == Size() && index.range.step == Size(1);
}

/// How often each index has stepped.
std::vector<Expr *> RaggedLowering::pointsOf(const Frame &frame) {
  std::vector<Expr *> points;
  for (const CompIndex &index : frame.map->indices) {
    Expr *point = ref(index.var, frame.map->loc);
    if (index.range.lo != Size())
      point = sizeExpr(Size(index.var) - index.range.lo, frame.map->loc);
    if (index.range.step != Size(1))
      point = binary(BinaryOp::FloorDiv, point,
                     sizeExpr(index.range.step, frame.map->loc));
    points.push_back(point);
  }
  return points;
}

Expr *RaggedLowering::numberOf(const Frame &frame) {
  Expr *number = nullptr;
  for (auto [point, dim] : llvm::zip(pointsOf(frame), frame.lead))
    number = number ? binary(BinaryOp::Add,
                             binary(BinaryOp::Mul, number,
                                    sizeExpr(dim.size, frame.map->loc)),
                             point)
                    : point;
  return number;
}

void RaggedLowering::bindIndices(const Frame &frame, Variable *row, Stmts &to) {
  SMRange loc = frame.map->loc;
  ArrayRef<CompIndex> indices = frame.map->indices;
  for (size_t k = indices.size(); k-- > 0;) {
    Variable *digit = row;
    if (k) {
      Expr *size = sizeExpr(frame.lead[k].size, loc);
      digit = let(to, "%digit", binary(BinaryOp::Mod, ref(row, loc), size));
      row = let(to, "%row", binary(BinaryOp::FloorDiv, ref(row, loc), size));
    }
    const Range &range = indices[k].range;
    addLet(to, indices[k].var,
           sizeExpr(range.lo + range.step * Size(digit), loc), loc);
  }
}

bool RaggedLowering::varies(const Frame &frame, const Size &size) const {
  bool inside = false;
  size.forEachVariable(
      [&](Variable *var) { inside |= frame.inner.contains(var); });
  return inside;
}

bool RaggedLowering::varies(const Frame &frame, const Type &type) const {
  for (const Type::Leaf &leaf : type.leaves())
    for (const Dim &d : leaf.dims)
      if (varies(frame, d.size))
        return true;
  return false;
}

const RaggedLowering::RowKey *RaggedLowering::keyOf(const Variable *var) const {
  auto found = var ? keys.find(var) : keys.end();
  return found == keys.end() ? nullptr : &found->second;
}

bool RaggedLowering::isRowOf(const Frame &frame, const RowKey &key) const {
  ArrayRef<CompIndex> indices = frame.map->indices;
  auto rows = byOffsets.find(key.offsets);
  if (key.points.size() != indices.size() || rows == byOffsets.end())
    return false;
  for (auto [k, index] : llvm::enumerate(indices)) {
    auto *v = dyn_cast<VarRefExpr>(key.points[k]);
    if (!v || v->var != index.var || !isPlain(index) ||
        rows->second.type.dims()[k].size != frame.lead[k].size)
      return false;
  }
  return true;
}

/// Whether an expression may be computed once for each value of a row.
static bool isCheap(Expr *e) {
  if (e->type.isArray() && !isa<IndexExpr, VarRefExpr, FieldExpr>(e))
    return false;
  bool cheap = true;
  std::function<void(Expr *)> look = [&](Expr *x) {
    switch (x->kind) {
    case Expr::Kind::Comp:
    case Expr::Kind::ArrayOp:
    case Expr::Kind::ExternCall:
    case Expr::Kind::Opaque:
    case Expr::Kind::Extend:
      cheap = false;
      return;
    case Expr::Kind::Index:
      for (const Sub &sub : cast<IndexExpr>(x)->subs)
        cheap &= sub.kind != Sub::Kind::Gather;
      return;
    case Expr::Kind::If:
      for (Block *block :
           {cast<IfExpr>(x)->thenBlock, cast<IfExpr>(x)->elseBlock})
        for (Stmt *stmt : block->stmts)
          cheap &= isa<LetStmt, CheckStmt>(stmt);
      return;
    default:
      return;
    }
  };
  walk(e, look);
  return cheap;
}

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

void RaggedLowering::addOffsets(Frame &frame, Rows &rows, const Stmts &before,
                                Expr *size, bool mayBeHuge) {
  SMRange loc = frame.map->loc;
  Size number = productOf(frame.lead);
  CompExpr *sizes =
      makeComp(frame, CompKind::Map, Type::array(Type::integer(), frame.lead));
  sizes->indices = frame.map->indices;
  Stmts stmts = frame.before;
  llvm::append_range(stmts, before);
  if (mayBeHuge) {
    // The sum fits 64 bits if no size is beyond its part.
    Variable *one = let(stmts, "%size", size);
    Expr *most = binary(BinaryOp::FloorDiv, constant(int64_t(1) << 62, loc),
                        sizeExpr(number + 1, loc));
    stmts.push_back(make<CheckStmt>(
        CheckKind::Size, binary(BinaryOp::Le, ref(one, loc), most),
        "rows of different sizes have too many elements: {0} in one row",
        std::vector<Expr *>{ref(one, loc)}, loc));
    size = ref(one, loc);
  }
  sizes->body = newBlock(stmts, size);
  Variable *counts = let(*out, "%sizes", sizes);
  Expr *flat = ref(counts, loc);
  if (frame.lead.size() > 1)
    flat = ref(let(*out, "%sizes",
                   make<ArrayOpExpr>(
                       ArrayOpExpr::Op::Reshape, std::vector<Expr *>{flat},
                       Type::array(Type::integer(), {number}), loc)),
               loc);

  CompExpr *scan = makeComp(frame, CompKind::Scan,
                            Type::array(Type::integer(), {number + 1}));
  CompIndex k = indexOver(number + 1, "%k", loc);
  scan->indices = {k};
  scan->combiner = Combiner::Add;
  scan->init = constant(0, loc);
  scan->exclusive = true;
  scan->body = newBlock(
      {},
      make<IfExpr>(binary(BinaryOp::Lt, ref(k.var, loc), sizeExpr(number, loc)),
                   newBlock({}, at(flat, {ref(k.var, loc)}, true)),
                   newBlock({}, constant(0, loc)), Type::integer(), loc));
  rows.offsets = let(*out, "%offsets", scan);
  rows.total = let(*out, "%total",
                   at(ref(rows.offsets, loc), {sizeExpr(number, loc)}, true));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Expr *RaggedLowering::elementAt(Expr *row, const Size &place, Stmts &to) {
  if (auto *comp = dyn_cast<CompExpr>(row);
      comp && (comp->compKind == CompKind::Map ||
               comp->compKind == CompKind::Stencil)) {
    const CompIndex &first = comp->indices.front();
    addLet(to, first.var,
           sizeExpr(first.range.lo + first.range.step * place, comp->loc),
           comp->loc);
    if (comp->indices.size() > 1) {
      auto *rest =
          make<CompExpr>(CompKind::Map, comp->type.dropDims(1), comp->loc);
      rest->indices.assign(comp->indices.begin() + 1, comp->indices.end());
      rest->body = comp->body;
      return rest;
    }
    llvm::append_range(to, comp->body->stmts);
    return comp->body->value;
  }
  Expr *point = sizeExpr(place, row->loc);
  if (isa<VarRefExpr>(row))
    return at(row, {point}, true);
  // Of what is gathered, one element.
  auto *index = cast<IndexExpr>(row);
  auto part = llvm::find_if(
      index->subs, [](const Sub &sub) { return sub.kind != Sub::Kind::Point; });
  if (part == index->subs.end() || part->kind != Sub::Kind::Gather)
    return at(ref(let(to, "%part", row), row->loc), {point}, true);
  std::vector<Sub> subs = index->subs;
  Sub &sub = subs[part - index->subs.begin()];
  sub.kind = Sub::Kind::Point;
  sub.index = at(ref(let(to, "%part", sub.index), row->loc), {point}, true);
  return make<IndexExpr>(index->base, std::move(subs), row->type.dropDims(1),
                         row->loc);
}

/// Whether one element of the row is computed without the others.
static bool isByPlace(Expr *row) {
  if (auto *comp = dyn_cast<CompExpr>(row))
    return comp->compKind == CompKind::Map ||
           comp->compKind == CompKind::Stencil;
  if (isa<VarRefExpr>(row))
    return true;
  auto *index = dyn_cast<IndexExpr>(row);
  if (!index)
    return false;
  for (const Sub &sub : index->subs)
    if (sub.kind == Sub::Kind::Gather &&
        (sub.index->type.rank() != 1 || !isCheap(sub.index)))
      return false;
  return true;
}

RaggedLowering::Rows RaggedLowering::makeByPlace(Frame &frame, Expr *row) {
  SMRange loc = frame.map->loc;
  Rows rows;
  rows.type = frame.map->type;
  const Size &size = row->type.dims().front().size;
  const RowKey *key = keyOf(size.asVariable());
  if (key && isRowOf(frame, *key)) {
    rows.offsets = key->offsets;
    rows.total = byOffsets[key->offsets].total;
  } else {
    addOffsets(frame, rows, {}, sizeExpr(size, loc), !size.isConstant());
  }

  Type element = row->type.dropDims(1);
  CompExpr *all =
      makeComp(frame, CompKind::Map, element.withDims({Dim(Size(rows.total))}));
  CompIndex p = indexOver(Size(rows.total), "%p", loc);
  all->indices = {p};
  Stmts stmts;
  auto *find = make<ArrayOpExpr>(
      ArrayOpExpr::Op::RowOf,
      std::vector<Expr *>{ref(rows.offsets, loc), ref(p.var, loc)},
      Type::integer(), loc);
  Variable *number = let(stmts, "%row", find);
  bindIndices(frame, number, stmts);
  Variable *lo =
      let(stmts, "%lo", at(ref(rows.offsets, loc), {ref(number, loc)}, true));
  llvm::append_range(stmts, frame.before);
  Expr *value = elementAt(row, Size(p.var) - Size(lo), stmts);
  all->body = newBlock(stmts, value);
  rows.values = let(*out, "%values", all);
  byOffsets.try_emplace(rows.offsets, rows);
  return rows;
}

RaggedLowering::Rows RaggedLowering::makeFiltered(Frame &frame,
                                                  CompExpr *filter) {
  Rows rows;
  rows.type = frame.map->type;
  auto *count = make<CompExpr>(CompKind::Reduce, Type::integer(), filter->loc);
  count->indices = filter->indices;
  count->condition = filter->condition;
  count->combiner = Combiner::Add;
  count->body = newBlock({}, constant(1, filter->loc));
  addOffsets(frame, rows, {}, count, /*mayBeHuge=*/false);

  Type element = filter->type.dropDims(1);
  CompExpr *all = makeComp(frame, CompKind::Filter,
                           element.withDims({Dim(Size(rows.total))}));
  all->indices = frame.map->indices;
  bool dependent = false;
  for (const CompIndex &index : filter->indices) {
    CompIndex inner = index;
    dependent |= inner.dependent;
    for (const Size &size :
         {index.range.lo, index.range.size, index.range.step})
      dependent |= varies(frame, size);
    all->indices.push_back(inner);
  }
  all->body = filter->body;
  if (!dependent) {
    Stmts stmts = frame.before;
    llvm::append_range(stmts, filter->condition->stmts);
    all->condition = newBlock(stmts, filter->condition->value);
  } else {
    size_t lead = frame.map->indices.size();
    CompIndex &first = all->indices[lead];
    Stmts stmts = frame.before;
    if (first.prelude)
      llvm::append_range(stmts, first.prelude->stmts);
    first.dependent = true;
    first.prelude = newBlock(stmts, nullptr);
    for (CompIndex &index : llvm::drop_begin(all->indices, lead + 1))
      index.dependent |= varies(frame, index.range.size) ||
                         varies(frame, index.range.lo) ||
                         varies(frame, index.range.step);
    all->condition = filter->condition;
  }
  rows.values = let(*out, "%values", all);
  byOffsets.try_emplace(rows.offsets, rows);
  return rows;
}

RaggedLowering::Rows
RaggedLowering::makeInOrder(Frame &frame, ArrayRef<Stmt *> body, Expr *row) {
  SMRange loc = frame.map->loc;
  Rows rows;
  rows.type = frame.map->type;
  Stmts whole(body.begin(), body.end());
  Variable *one = let(whole, "%one", row);
  Variable *have = let(whole, "%have", make<DimOfExpr>(ref(one, loc), 0u, loc));
  addOffsets(frame, rows, whole, ref(have, loc), /*mayBeHuge=*/true);

  Type type = row->type.dropDims(1).withDims({Dim(Size(rows.total))});
  Variable *values = newVariable(Variable::Kind::Var, "%values", type, loc);
  addLet(*out, values, zeroOf(type, loc), loc);
  Size number = productOf(frame.lead);
  CompIndex k = indexOver(number, "%k", loc);
  Stmts stmts;
  bindIndices(frame, k.var, stmts);
  llvm::append_range(stmts, frame.before);
  llvm::append_range(stmts, whole);
  Variable *lo =
      let(stmts, "%lo", at(ref(rows.offsets, loc), {ref(k.var, loc)}, true));
  PlaceStep step;
  Sub sub;
  sub.kind = Sub::Kind::Slice;
  sub.loc = loc;
  sub.inBounds = true;
  sub.range.lo = Size(lo);
  sub.range.size = Size(have);
  sub.range.nonNegative = true;
  sub.range.end = Size(lo) + Size(have);
  step.subs = {sub};
  step.type = row->type.dropDims(1).withDims({Dim(Size(have))});
  stmts.push_back(make<AssignStmt>(values, std::vector<PlaceStep>{step},
                                   ref(one, loc), loc));
  out->push_back(make<LoopStmt>(k.var, k.range, newBlock(stmts, nullptr), loc));
  rows.values = let(*out, "%values", ref(values, loc));
  byOffsets.try_emplace(rows.offsets, rows);
  return rows;
}

RaggedLowering::Rows RaggedLowering::makeRows(Frame &frame, Expr *row) {
  if (auto *v = dyn_cast<VarRefExpr>(row))
    if (const RowKey *key = keyOf(v->var);
        key && key->values && isRowOf(frame, *key)) {
      Rows rows = byOffsets[key->offsets];
      rows.values = key->values;
      rows.type = frame.map->type;
      return rows;
    }
  if (isByPlace(row))
    return makeByPlace(frame, row);
  if (auto *comp = dyn_cast<CompExpr>(row);
      comp && comp->compKind == CompKind::Filter)
    return makeFiltered(frame, comp);
  return makeInOrder(frame, {}, row);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// `let v = e`, the same size for each row: an array of all, and `v` is read.
void RaggedLowering::hoist(Frame &frame, LetStmt *stmt) {
  CompExpr *all =
      makeComp(frame, CompKind::Map, stmt->init->type.withDims(frame.lead));
  all->indices = frame.map->indices;
  all->body = newBlock(frame.before, stmt->init);
  Variable *values = let(*out, stmt->var->name, all);
  Expr *one = at(ref(values, stmt->loc), pointsOf(frame), true);
  one->type = stmt->init->type;
  addLet(frame.before, stmt->var, one, stmt->loc);
}

/// `let v = row`, a row of those.
void RaggedLowering::bindRow(Frame &frame, const Rows &rows, Variable *var) {
  SMRange loc = var->loc;
  Expr *number = numberOf(frame);
  Variable *lo =
      let(frame.before, "%lo", at(ref(rows.offsets, loc), {number}, true));
  Expr *next = binary(BinaryOp::Add, number, constant(1, loc));
  Variable *hi =
      let(frame.before, "%hi", at(ref(rows.offsets, loc), {next}, true));
  const Size &size = var->type.dims().front().size;
  RowKey key{rows.offsets, pointsOf(frame), nullptr};
  if (Variable *bound = size.asVariable();
      bound && !frame.bound.contains(bound) && frame.inner.contains(bound)) {
    addLet(frame.before, bound, sizeExpr(Size(hi) - Size(lo), loc), loc);
    frame.bound.insert(bound);
    keys[bound] = key;
  }
  Sub sub;
  sub.kind = Sub::Kind::Slice;
  sub.loc = loc;
  sub.inBounds = true;
  sub.range.lo = Size(lo);
  sub.range.size = size;
  sub.range.nonNegative = true;
  sub.range.end = Size(hi);
  addLet(frame.before, var,
         make<IndexExpr>(ref(rows.values, loc), std::vector<Sub>{sub},
                         var->type, loc),
         loc);
  key.values = rows.values;
  keys[var] = key;
}

RaggedLowering::Rows RaggedLowering::lowerBody(Frame &frame, Block *body) {
  ArrayRef<Stmt *> rest = body->stmts;
  while (!rest.empty()) {
    Stmt *stmt = rest.front();
    if (isa<CheckStmt>(stmt)) {
      auto *check = cast<CheckStmt>(stmt);
      if (!isCheap(check->condition) || !llvm::all_of(check->values, isCheap))
        return makeInOrder(frame, rest, body->value);
      frame.before.push_back(stmt);
      rest = rest.drop_front();
      continue;
    }
    auto *one = dyn_cast<LetStmt>(stmt);
    if (!one || one->var->kind == Variable::Kind::Var)
      return makeInOrder(frame, rest, body->value);
    ArrayRef<Stmt *> here = rest;
    rest = rest.drop_front();
    // The size of a row that has been taken out.
    if (frame.bound.contains(one->var))
      continue;
    frame.bound.insert(one->var);
    // A view of what is there costs nothing, and is no array to be kept.
    if (auto *view = dyn_cast<ExtendExpr>(one->init)) {
      if (!isCheap(view->array) || !llvm::all_of(view->fills, [](Expr *fill) {
            return !fill || isCheap(fill);
          }))
        return makeInOrder(frame, here, body->value);
      frame.before.push_back(stmt);
      continue;
    }
    if (isCheap(one->init)) {
      frame.before.push_back(stmt);
      continue;
    }
    if (!varies(frame, one->init->type)) {
      hoist(frame, one);
      continue;
    }
    if (!one->init->type.isArray() ||
        llvm::any_of(one->init->type.dims().drop_front(),
                     [&](const Dim &d) { return varies(frame, d.size); }))
      return makeInOrder(frame, here, body->value);
    Rows rows = makeRows(frame, one->init);
    bindRow(frame, rows, one->var);
  }
  return makeRows(frame, body->value);
}

void RaggedLowering::nameRows(CompExpr *map) {
  for (Stmt *stmt : map->body->stmts) {
    auto *check = dyn_cast<CheckStmt>(stmt);
    if (!check || check->check != CheckKind::Size ||
        !llvm::StringRef(check->message).starts_with("a negative size"))
      continue;
    llvm::StringRef separator = ", in row ";
    for (const CompIndex &index : map->indices) {
      check->message +=
          (separator + "{" + llvm::Twine(check->values.size()) + "}").str();
      check->values.push_back(ref(index.var, check->loc));
      separator = ", ";
    }
  }
}

RaggedLowering::Rows RaggedLowering::lowerMap(CompExpr *map) {
  size_t lead = map->indices.size();
  ArrayRef<Dim> dims = map->type.dims();
  if (lead >= dims.size() || !dims[lead].ragged || map->condition ||
      hasRagged(map->body->value->type))
    return refuse(map->loc);
  Frozen saved = freeze(map);
  Frame frame;
  frame.map = map;
  frame.lead = dims.take_front(lead).vec();
  for (const CompIndex &index : map->indices) {
    ranges[index.var] = index.range;
    frame.bound.insert(index.var);
    frame.inner.insert(index.var);
  }
  nameRows(map);
  lowerBlock(map->body);
  thaw(saved);
  if (failed)
    return {};
  for (Stmt *stmt : map->body->stmts)
    if (auto *one = dyn_cast<LetStmt>(stmt))
      frame.inner.insert(one->var);
  return lowerBody(frame, map->body);
}
