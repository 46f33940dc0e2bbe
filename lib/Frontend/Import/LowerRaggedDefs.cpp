//===- LowerRaggedDefs.cpp - Rows of different sizes in exports -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
//   export def f(r: f32[n, ?]) -> (s: f32[n, ?])
//
// takes `r.offsets: i64[n + 1]` and `r.values: f32[?]` and gives `s.offsets`
// and `s.values`. What comes in is checked: it begins with 0, never falls, and
// ends at the number of values.
//
//===----------------------------------------------------------------------===//

#include "LowerRagged.h"

#include "../Check/HIRWalk.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace arrc;
using namespace arrc::hir;
using llvm::cast;
using llvm::dyn_cast;
using llvm::SMRange;

/// The texts of the dimensions of the offsets, of the values.
static std::vector<std::string> offsetTexts(const Type &type,
                                            llvm::ArrayRef<std::string> texts) {
  std::string first = texts.empty() ? type.dims()[0].size.str() : texts[0];
  return {llvm::StringRef(first).starts_with("?") ? "?" : first + " + 1"};
}

static std::vector<std::string> valueTexts(const Type &type) {
  std::vector<std::string> texts = {"?"};
  for (const Dim &d : type.dims().drop_front(2))
    texts.push_back(d.size.str());
  return texts;
}

static std::string typeText(std::string element,
                            llvm::ArrayRef<std::string> dims) {
  return element + "[" + llvm::join(dims, ", ") + "]";
}

void RaggedLowering::lowerParams(Def &def, Stmts &checks) {
  std::vector<Param> params;
  Stmts first;
  for (Param &param : def.params) {
    Variable *var = param.var;
    if (!isRaggedArray(var->type)) {
      if (hasRagged(var->type))
        refuse(var->loc);
      params.push_back(param);
      continue;
    }
    SMRange loc = var->loc;
    Type type = var->type;
    const Size &number = type.dims()[0].size;
    Rows rows;
    rows.type = type;
    rows.offsets =
        newVariable(Variable::Kind::Param, var->name + ".offsets",
                    Type::array(Type::integer(), {Dim(number + 1)}), loc);
    rows.total = newVariable(Variable::Kind::Let, "?", Type::integer(), loc);
    rows.values =
        newVariable(Variable::Kind::Param, var->name + ".values",
                    type.dropDims(2).withDims({Dim(Size(rows.total))}), loc);
    auto add = [&](Variable *part, std::vector<std::string> dims,
                   std::string element) {
      Param p;
      p.var = part;
      p.dimTexts = std::move(dims);
      if (!element.empty())
        p.typeText = typeText(std::move(element), p.dimTexts);
      params.push_back(p);
    };
    add(rows.offsets, offsetTexts(type, param.dimTexts), "i64");
    std::string written = param.typeText;
    add(rows.values, valueTexts(type), written.substr(0, written.find('[')));
    rowsOf[var] = rows;
    byOffsets[rows.offsets] = rows;

    auto check = [&](Stmts &to, Expr *ok, std::string message,
                     std::vector<Expr *> values) {
      to.push_back(make<CheckStmt>(CheckKind::Input, ok, std::move(message),
                                   std::move(values), loc));
    };
    auto dim = [&](Variable *of) -> Expr * {
      return make<DimOfExpr>(ref(of, loc), 0u, loc);
    };
    std::string name = "'" + var->name + ".offsets'";
    check(first, binary(BinaryOp::Ge, dim(rows.offsets), constant(1, loc)),
          name + " is empty: it has one number more than there are rows", {});
    addLet(first, rows.total, dim(rows.values), loc);
    auto offset = [&](Expr *k) {
      return at(ref(rows.offsets, loc), {k}, true);
    };
    Variable *begin = let(checks, "%begin", offset(constant(0, loc)));
    check(checks, binary(BinaryOp::Eq, ref(begin, loc), constant(0, loc)),
          name + " begins with {0}, not 0", {ref(begin, loc)});
    Variable *end = let(checks, "%end", offset(sizeExpr(number, loc)));
    check(checks,
          binary(BinaryOp::Eq, ref(end, loc), sizeExpr(rows.total, loc)),
          name + " ends with {0}, and there are {1} values",
          {ref(end, loc), sizeExpr(rows.total, loc)});
    auto *rise =
        make<CompExpr>(CompExpr::CompKind::Reduce, Type::boolean(), loc);
    CompIndex k = indexOver(number, "%k", loc);
    rise->indices = {k};
    rise->combiner = Combiner::And;
    Expr *next = binary(BinaryOp::Add, ref(k.var, loc), constant(1, loc));
    rise->body = newBlock(
        {}, binary(BinaryOp::Le, offset(ref(k.var, loc)), offset(next)));
    check(checks, rise, name + " falls: a row ends before it begins", {});
  }
  def.params = std::move(params);
  if (def.entry) {
    first.insert(first.end(), def.entry->stmts.begin(), def.entry->stmts.end());
    def.entry->stmts = std::move(first);
  }
}

void RaggedLowering::lowerResults(Def &def) {
  bool any = llvm::any_of(def.results,
                          [](const Result &r) { return hasRagged(r.type); });
  llvm::SaveAndRestore<Stmts *> here(out, &def.body->stmts);
  if (!any) {
    if (def.body->value && hasRagged(def.body->value->type))
      refuse(def.body->value->loc);
    return;
  }
  // Each result by itself.
  std::vector<Expr *> values;
  Expr *value = def.body->value;
  if (def.results.size() == 1) {
    values = {value};
  } else {
    auto *var = dyn_cast<VarRefExpr>(value);
    auto found = var ? tuples.find(var->var) : tuples.end();
    auto *tuple =
        found != tuples.end() ? found->second : dyn_cast<TupleExpr>(value);
    if (!tuple || tuple->elements.size() != def.results.size()) {
      refuse(value->loc);
      return;
    }
    values = tuple->elements;
  }
  std::vector<Result> results;
  std::vector<Expr *> parts;
  std::vector<Type> types;
  for (auto [result, e] : llvm::zip(def.results, values)) {
    if (!isRaggedArray(result.type)) {
      lowerExpr(e);
      if (failed)
        return;
      results.push_back(result);
      parts.push_back(e);
      types.push_back(e->type);
      continue;
    }
    Rows rows = lowerRows(e);
    if (failed)
      return;
    auto add = [&](llvm::StringRef name, Variable *var,
                   std::vector<std::string> dims, std::string element) {
      Result r;
      r.name = result.name + "." + name.str();
      r.type = var->type;
      r.dimTexts = std::move(dims);
      if (!element.empty())
        r.typeText = typeText(std::move(element), r.dimTexts);
      results.push_back(r);
      parts.push_back(ref(var, e->loc));
      types.push_back(var->type);
    };
    add("offsets", rows.offsets, offsetTexts(result.type, result.dimTexts),
        "i64");
    add("values", rows.values, valueTexts(result.type),
        result.typeText.substr(0, result.typeText.find('[')));
  }
  def.results = std::move(results);
  def.body->value =
      make<TupleExpr>(std::move(parts), Type::tuple(types), value->loc);
}

bool RaggedLowering::run(Def &def) {
  Stmts checks;
  lowerParams(def, checks);
  if (def.entry && !failed)
    lowerBlock(def.entry);
  if (def.entry)
    llvm::append_range(def.entry->stmts, checks);
  if (def.body && !failed)
    lowerBlock(def.body);
  if (def.body && !failed)
    lowerResults(def);
  return !failed;
}
