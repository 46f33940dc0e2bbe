//===- SemaBuiltins.cpp - Built-in functions ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "HIRWalk.h"
#include "SemaImpl.h"

#include "llvm/ADT/StringSwitch.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {
/// The typing rules of Builtins.def.
enum class Rule {
  FloatComplex,
  Float,
  KeepFloat,
  FloatTest,
  Real,
  Abs,
  Integer,
  Shift,
  BitCount,
  Select,
  Complex,
  ComplexPart,
  Conj,
  Random
};

struct Row {
  hir::Function id;
  StringRef name;
  unsigned minArgs, maxArgs;
  Rule rule;
};

const Row rows[] = {
#define FUNCTION(id, name, minArgs, maxArgs, rule)                             \
  {hir::Function::id, name, minArgs, maxArgs, Rule::rule},
#include "arrc/Frontend/Builtins.def"
};
} // namespace

StringRef hir::name(Function f) { return rows[unsigned(f)].name; }

std::optional<hir::Function> Checker::functionByName(StringRef name) {
  for (const Row &r : rows)
    if (r.name == name)
      return r.id;
  return std::nullopt;
}

static bool isArrayFunction(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"zeros", "ones", "full", "iota", "size"}, true)
      .Cases({"transpose", "reshape", "flatten", "zip"}, true)
      .Cases({"concat", "reverse", "roll", "sort", "argsort"}, true)
      .Default(false);
}

bool Checker::isBuiltinName(StringRef name) {
  return name == "extend" || isCombinator(name) || isArrayFunction(name) ||
         functionByName(name).has_value();
}

//===----------------------------------------------------------------------===//
// Scalar functions
//===----------------------------------------------------------------------===//

Expr *Checker::scalarFunction(hir::Function f, std::vector<Expr *> args,
                              SMRange loc) {
  const Row &row = rows[unsigned(f)];
  for (Expr *a : args) {
    if (a->type.isError())
      return error(loc);
    if (!a->type.isScalar()) {
      report(diag::function_argument, a->loc, row.name, a->type.str());
      return error(loc);
    }
  }
  auto wrong = [&](Expr *a, StringRef wanted) -> Expr * {
    report(diag::function_argument_kind, a->loc, row.name, wanted,
           a->type.str());
    return error(loc);
  };
  auto isInt = [](ScalarKind k) {
    return isInteger(k) || k == ScalarKind::OpenInt;
  };
  auto call = [&](Type t) -> Expr * {
    return make<hir::CallExpr>(f, args, t, loc);
  };
  /// What all arguments from `first` on meet in.
  auto meetAll = [&](unsigned first) -> std::optional<ScalarKind> {
    std::optional<ScalarKind> k = args[first]->type.scalar();
    for (unsigned i = first + 1; i < args.size(); ++i) {
      auto next = meet(*k, args[i]->type.scalar());
      if (!next) {
        reportNoMeet(Type(*k), args[i]->type, loc,
                     "the arguments of '" + row.name.str() + "'");
        return std::nullopt;
      }
      k = next;
    }
    return k;
  };
  auto bringAll = [&](unsigned first, ScalarKind k) {
    if (arrc::isOpen(k))
      return;
    for (unsigned i = first; i < args.size(); ++i)
      args[i] = args[i]->type.isOpen()
                    ? close(args[i], k)
                    : convertScalar(args[i], k, args[i]->loc);
  };
  ScalarKind k = args[0]->type.scalar();
  switch (row.rule) {
  case Rule::FloatComplex:
    if (k == ScalarKind::Bool)
      return wrong(args[0], "a float or complex number");
    return call(isInt(k) || k == ScalarKind::OpenAny ? ScalarKind::OpenFloat
                                                     : k);
  case Rule::Float: {
    auto met = meetAll(0);
    if (!met)
      return error(loc);
    if (*met == ScalarKind::Bool || isComplex(*met))
      return wrong(args[0], "a float");
    if (isInt(*met) || *met == ScalarKind::OpenAny)
      met = ScalarKind::OpenFloat;
    bringAll(0, *met);
    return call(*met);
  }
  case Rule::KeepFloat:
    if (!isFloat(k) && k != ScalarKind::OpenFloat)
      return wrong(args[0], "a float");
    return call(k);
  case Rule::FloatTest:
    if (k == ScalarKind::Bool || isInt(k))
      return wrong(args[0], "a float or complex number");
    args[0] = fix(args[0]);
    return call(Type::boolean());
  case Rule::Abs:
    if (k == ScalarKind::Bool)
      return wrong(args[0], "a number");
    return call(realPart(k));
  case Rule::Real: {
    auto met = meetAll(0);
    if (!met)
      return error(loc);
    if (*met == ScalarKind::Bool || isComplex(*met))
      return wrong(args[0], "real numbers");
    bringAll(0, *met);
    if ((f == hir::Function::Min || f == hir::Function::Max) &&
        args.size() > 2) {
      Expr *r = args[0];
      for (unsigned i = 1; i < args.size(); ++i)
        r = make<hir::CallExpr>(f, std::vector<Expr *>{r, args[i]}, Type(*met),
                                loc);
      return r;
    }
    return call(*met);
  }
  case Rule::Integer: {
    auto met = meetAll(0);
    if (!met)
      return error(loc);
    if (!isInt(*met))
      return wrong(args[0], "integers");
    bringAll(0, *met);
    return call(*met);
  }
  case Rule::Shift:
    for (Expr *a : args)
      if (!isInt(a->type.scalar()))
        return wrong(a, "integers");
    args[1] = fix(args[1]);
    return call(k);
  case Rule::BitCount:
    if (!isInt(k))
      return wrong(args[0], "an integer");
    args[0] = fix(args[0]);
    return call(Type::integer());
  case Rule::Select: {
    if (k != ScalarKind::Bool)
      return wrong(args[0], "a bool first");
    auto met = meetAll(1);
    if (!met)
      return error(loc);
    bringAll(1, *met);
    return call(*met);
  }
  case Rule::Complex: {
    auto met = meetAll(0);
    if (!met)
      return error(loc);
    bool open = arrc::isOpen(*met) || isInteger(*met);
    if (*met == ScalarKind::Bool || isComplex(*met) ||
        (!open && *met != ScalarKind::F32 && *met != ScalarKind::F64))
      return wrong(args[0], "two f32 or two f64");
    bringAll(0, *met);
    return call(open                      ? ScalarKind::OpenComplex
                : *met == ScalarKind::F32 ? ScalarKind::C64
                                          : ScalarKind::C128);
  }
  case Rule::ComplexPart:
  case Rule::Conj:
    if (!isComplex(k))
      return wrong(args[0], "a complex number");
    return call(row.rule == Rule::Conj ? k : realPart(k));
  case Rule::Random:
    break;
  }
  llvm_unreachable("random functions are made elsewhere");
}

Expr *Checker::randomCall(hir::Function f, std::vector<Given> args,
                          SMRange loc) {
  const Row &row = rows[unsigned(f)];
  Expr *lo = nullptr, *hi = nullptr;
  std::vector<Expr *> ints;
  for (Given &g : args) {
    Expr *x = g.value.expr;
    if (!x || x->type.isError())
      return error(loc);
    if (!isIntScalar(x->type)) {
      Diagnostic &d = report(diag::function_argument_kind, g.loc, row.name,
                             "ints", x->type.str());
      if (x->type.isArray())
        d.help("call it in a 'for', with the index as a counter");
      return error(loc);
    }
    x = x->type.isOpen() ? close(x, ScalarKind::I64)
                         : convertScalar(x, ScalarKind::I64, g.loc);
    bool bounded = f == hir::Function::RandInt;
    if (bounded && g.name == "lo") {
      lo = x;
    } else if (bounded && g.name == "hi") {
      hi = x;
    } else if (!g.name.empty()) {
      report(diag::no_such_argument, g.loc, row.name, g.name);
      return error(loc);
    } else {
      ints.push_back(x);
    }
  }
  if (ints.size() < row.minArgs || ints.size() > row.maxArgs) {
    report(diag::argument_count, loc, row.name,
           "a key and one to four counters", std::to_string(ints.size()));
    return error(loc);
  }
  if (f == hir::Function::RandInt && !hi) {
    report(diag::argument_missing, loc, row.name, "hi")
        .help("write 'randint(key, i, hi = n)'");
    return error(loc);
  }
  unsigned counters = ints.size() - 1;
  unsigned total = f == hir::Function::Philox ? 3 : 5;
  while (ints.size() < total)
    ints.push_back(constInt(0, loc));
  if (f == hir::Function::RandInt) {
    ints.push_back(lo ? lo : constInt(0, loc));
    ints.push_back(hi);
  }
  Type type = f == hir::Function::Philox
                  ? Type::array(ScalarKind::U32, {Size(4)})
              : f == hir::Function::RandInt ? Type::integer()
                                            : Type(ScalarKind::OpenFloat);
  auto *c = make<hir::CallExpr>(f, ints, type, loc);
  c->numCounters = counters;
  // One key and one tuple of counters are one number.
  std::string bits;
  for (Expr *x : ArrayRef(ints).take_front(total)) {
    std::string k = keyOf(x);
    if (k.empty())
      return c;
    bits += k + ";";
  }
  auto [it, fresh] = randomCalls.try_emplace(bits, loc, builder().block);
  SMRange first = it->second.first;
  const hir::Block *block = it->second.second;
  if (!fresh && first.Start != loc.Start) {
    if (llvm::any_of(builders, [&](Builder *b) { return b->block == block; }))
      warn(diag::random_repeated, loc, row.name,
           {{first, "the same key and counters"}});
    it->second = {loc, builder().block};
  }
  return c;
}

Value Checker::builtinCall(StringRef name, std::vector<Given> args, SMRange loc,
                           Type expected) {
  bool bad = false;
  for (const Given &g : args) {
    if (g.value.fn && g.name != "by") {
      report(diag::function_as_value, g.loc, g.value.fn->name);
      bad = true;
    } else if (g.value.expr) {
      bad |= g.value.expr->type.isError();
    }
  }
  if (bad)
    return error(loc);
  auto f = functionByName(name);
  if (!f)
    return arrayFunction(name, args, loc, expected);
  const Row &row = rows[unsigned(*f)];
  if (row.rule == Rule::Random)
    return randomCall(*f, std::move(args), loc);
  std::vector<Expr *> values;
  for (const Given &g : args) {
    if (!g.name.empty()) {
      report(diag::no_such_argument, g.loc, name, g.name);
      return error(loc);
    }
    values.push_back(g.value.expr);
  }
  if (values.size() < row.minArgs || values.size() > row.maxArgs) {
    report(diag::argument_count, loc, name, std::to_string(row.minArgs),
           std::to_string(values.size()));
    return error(loc);
  }
  return elementwise(
      values, [&](std::vector<Expr *> x) { return scalarFunction(*f, x, loc); },
      loc, "'" + name.str() + "'");
}

//===----------------------------------------------------------------------===//
// Array functions
//===----------------------------------------------------------------------===//

/// Sizes given as arguments.
bool Checker::sizeArgs(StringRef name, ArrayRef<Given> args,
                       std::vector<Dim> &dims, SMRange loc) {
  if (args.empty() || args.size() > 8) {
    report(diag::argument_count, loc, name, "1 to 8 sizes",
           std::to_string(args.size()));
    return false;
  }
  for (const Given &g : args) {
    if (!g.value.expr || !isIntScalar(g.value.expr->type)) {
      report(diag::size_not_int, g.loc,
             g.value.expr ? g.value.expr->type.str() : "a function");
      return false;
    }
    Size s = toSize(g.value.expr);
    if (!requireNonNegative(s, g.loc, "a negative size")) {
      report(diag::negative_size, g.loc, s.str());
      return false;
    }
    dims.push_back(s);
  }
  return true;
}

Expr *Checker::arrayFunction(StringRef name, std::vector<Given> &args,
                             SMRange loc, Type expected) {
  // Named arguments first.
  std::optional<int64_t> axis;
  FnValue *by = nullptr;
  bool takesAxis = llvm::StringSwitch<bool>(name)
                       .Cases({"concat", "reverse", "roll", "sort"}, true)
                       .Case("argsort", true)
                       .Default(false);
  std::vector<Given> plain;
  for (Given &g : args) {
    if (g.name.empty()) {
      plain.push_back(g);
    } else if (g.name == "axis" && takesAxis) {
      auto c = constantInt(g.value.expr);
      if (!c || *c < 0) {
        report(diag::axis_constant, g.loc);
        return error(loc);
      }
      axis = *c;
    } else if (g.name == "by" && name.ends_with("sort") && g.value.fn) {
      by = g.value.fn;
    } else {
      report(diag::no_such_argument, g.loc, name, g.name);
      return error(loc);
    }
  }
  auto constant = [&](int64_t v) {
    auto *c = make<hir::ConstExpr>(Type(ScalarKind::OpenAny), loc);
    c->intValue = v;
    c->floatValue = static_cast<double>(v);
    return c;
  };
  std::vector<Dim> dims;
  if (name == "zeros" || name == "ones") {
    if (!sizeArgs(name, plain, dims, loc))
      return error(loc);
    return generate(
        dims, [&](ArrayRef<Expr *>) { return constant(name == "ones"); }, loc);
  }
  if (name == "full") {
    if (plain.empty() ||
        !sizeArgs(name, ArrayRef(plain).drop_front(), dims, loc))
      return error(loc);
    Expr *v = plain[0].value.expr;
    if (!isPureOpen(v))
      v = reference(v);
    return generate(dims, [&](ArrayRef<Expr *>) { return v; }, loc);
  }
  if (name == "iota") {
    if (!sizeArgs(name, plain, dims, loc))
      return error(loc);
    if (dims.size() != 1) {
      report(diag::argument_count, loc, name, "1", std::to_string(dims.size()));
      return error(loc);
    }
    return generate(dims, [&](ArrayRef<Expr *> at) { return at[0]; }, loc);
  }

  // All others take an array first.
  if (plain.empty()) {
    report(diag::needs_array_argument, loc, name);
    return error(loc);
  }
  unsigned arrays = name == "concat" || name == "zip" ? plain.size() : 1;
  for (unsigned k = 0; k < arrays; ++k)
    if (!plain[k].value.expr->type.isArray()) {
      report(diag::needs_array, plain[k].loc, "'" + name.str() + "'",
             plain[k].value.expr->type.str());
      return error(loc);
    }
  Expr *a = plain[0].value.expr;
  const Type type = a->type;
  unsigned rank = type.rank();
  auto ragged =
      llvm::any_of(type.dims(), [](const Dim &d) { return d.ragged; });
  auto count = [&](unsigned least, unsigned most) {
    if (plain.size() >= least && plain.size() <= most)
      return true;
    report(diag::argument_count, loc, name,
           least == most
               ? std::to_string(least)
               : std::to_string(least) + " to " + std::to_string(most),
           std::to_string(plain.size()));
    return false;
  };
  if (ragged && name != "size" && name != "flatten") {
    report(diag::ragged_argument, loc, name);
    return error(loc);
  }
  if (name == "size") {
    if (!count(1, 2))
      return error(loc);
    if (plain.size() == 2) {
      auto d = constantInt(plain[1].value.expr);
      if (!d || *d < 0 || *d >= int64_t(rank)) {
        report(diag::bad_axis, plain[1].loc, std::to_string(rank));
        return error(loc);
      }
      dims = {type.dims()[*d]};
    } else {
      dims = type.dims().vec();
    }
    Size s(1);
    for (const Dim &d : dims) {
      if (d.ragged) {
        report(diag::ragged_argument, loc, name);
        return error(loc);
      }
      s = s * d.size;
    }
    return sizeExpr(s, loc);
  }
  if (name == "transpose") {
    if (!count(1, 9))
      return error(loc);
    std::vector<int64_t> order;
    for (const Given &g : ArrayRef(plain).drop_front()) {
      auto c = constantInt(g.value.expr);
      if (!c || *c < 0 || *c >= int64_t(rank) ||
          llvm::is_contained(order, *c)) {
        report(diag::transpose_order, g.loc, std::to_string(rank));
        return error(loc);
      }
      order.push_back(*c);
    }
    if (order.empty() && rank <= 2)
      for (unsigned k = 0; k < rank; ++k)
        order.push_back(rank - 1 - k);
    if (order.size() != rank) {
      report(diag::transpose_order, loc, std::to_string(rank))
          .help("name every dimension: dimension k of the result is the k-th "
                "named");
      return error(loc);
    }
    for (int64_t k : order)
      dims.push_back(type.dims()[k]);
    a = keepOrReference(a);
    return generate(
        dims,
        [&](ArrayRef<Expr *> at) {
          std::vector<Expr *> from(rank);
          for (unsigned k = 0; k < rank; ++k)
            from[order[k]] = clone(at[k]);
          return elementAt(a, from, loc);
        },
        loc);
  }
  if (name == "reshape" || name == "flatten") {
    Size total(1);
    for (const Dim &d : type.dims())
      total = total * d.size;
    if (name == "flatten") {
      if (!count(1, 1))
        return error(loc);
      dims = {ragged ? Dim(Size(unknown)) : Dim(total)};
    } else {
      if (!sizeArgs(name, ArrayRef(plain).drop_front(), dims, loc))
        return error(loc);
      Size wanted(1);
      for (const Dim &d : dims)
        wanted = wanted * d.size;
      if (!requireEqual(total, wanted, loc,
                        "'reshape' keeps the number of elements")) {
        report(diag::reshape_sizes, loc, total.str(), wanted.str());
        return error(loc);
      }
    }
    return bindUnknowns(make<hir::ArrayOpExpr>(
        hir::ArrayOpExpr::Op::Reshape, std::vector<Expr *>{reference(a)},
        Type::array(type.element(), dims), loc));
  }
  if (name == "zip") {
    std::vector<Expr *> values;
    for (const Given &g : plain)
      values.push_back(g.value.expr);
    if (values.size() < 2) {
      report(diag::argument_count, loc, name, "2", "1");
      return error(loc);
    }
    return elementwise(
        values,
        [&](std::vector<Expr *> x) -> Expr * {
          std::vector<Type> types;
          for (Expr *e : x)
            types.push_back(e->type);
          return make<hir::TupleExpr>(x, Type::tuple(types), loc);
        },
        loc, "'zip'");
  }
  if (takesAxis && rank > 1 && !axis) {
    report(diag::axis_needed, loc, name).help("add 'axis = 0'");
    return error(loc);
  }
  unsigned d = axis.value_or(0);
  if (d >= rank) {
    report(diag::bad_axis, loc, std::to_string(rank));
    return error(loc);
  }
  if (name == "concat") {
    std::vector<Expr *> values;
    for (const Given &g : plain)
      values.push_back(g.value.expr);
    Type met = values[0]->type;
    Size total;
    dims = met.dims().vec();
    for (Expr *&v : values) {
      Type next = meetTypes(met, v->type);
      if (!next) {
        reportNoMeet(met, v->type, v->loc, "'concat'");
        return error(loc);
      }
      met = next;
      for (unsigned k = 0; k < rank; ++k) {
        const Size &s = v->type.dims()[k].size;
        if (k == d) {
          total = total + s;
        } else if (!requireEqual(dims[k].size, s, v->loc,
                                 "sizes differ in 'concat'")) {
          reportShapes(values[0], v, v->loc,
                       "'concat' along another dimension");
          return error(loc);
        }
      }
    }
    dims[d] = total;
    for (Expr *&v : values) {
      if (!met.isOpen() && v->type.isOpen())
        v = closeTo(v, met.element().withDims(v->type.dims()));
      v = reference(v);
    }
    auto *op = make<hir::ArrayOpExpr>(hir::ArrayOpExpr::Op::Concat, values,
                                      Type::array(met.element(), dims), loc);
    op->axis = d;
    return op;
  }
  if (name == "reverse" || name == "roll") {
    if (!count(name == "roll" ? 2 : 1, name == "roll" ? 2 : 1))
      return error(loc);
    Expr *shift = nullptr;
    if (name == "roll") {
      shift = plain[1].value.expr;
      if (!isIntScalar(shift->type)) {
        report(diag::index_not_int, plain[1].loc, shift->type.str());
        return error(loc);
      }
      shift = shift->type.isOpen()
                  ? close(shift, ScalarKind::I64)
                  : reference(convertScalar(shift, ScalarKind::I64, loc));
    }
    a = shift ? reference(a) : keepOrReference(a);
    Size n = type.dims()[d].size;
    // `roll(a, k)` is `extend(a, wrap)` read at `i - k`.
    std::vector<hir::Boundary> modes(rank, hir::Boundary::None);
    modes[d] = hir::Boundary::Wrap;
    return generate(
        type.dims(),
        [&](ArrayRef<Expr *> at) {
          std::vector<Expr *> from;
          for (Expr *p : at)
            from.push_back(clone(p));
          from[d] = make<hir::BinaryExpr>(
              hir::BinaryOp::Sub, shift ? from[d] : sizeExpr(n - 1, loc),
              shift ? clone(shift) : from[d], Type::integer(), loc);
          if (!shift)
            return elementAt(a, from, loc);
          auto *view = make<hir::ExtendExpr>(clone(a), modes,
                                             std::vector<Expr *>(rank, nullptr),
                                             a->type, loc);
          return indexPoints(view, from, loc);
        },
        loc);
  }
  // sort, argsort
  if (!count(1, 1))
    return error(loc);
  a = fix(a);
  auto *op = make<hir::ArrayOpExpr>(
      name == "sort" ? hir::ArrayOpExpr::Op::Sort
                     : hir::ArrayOpExpr::Op::ArgSort,
      std::vector<Expr *>{reference(a)},
      name == "sort" ? a->type
                     : Type::array(Type::integer(), a->type.dims().vec()),
      loc);
  op->axis = d;
  Type key = a->type.element();
  if (by) {
    op->key = newBlock();
    BuilderScope body(*this, op->key, false);
    NameScope names(*this, Scope::Kind::Body);
    op->keyArg = newVariable(Variable::Kind::Arg, "x", key, loc);
    Expr *k = applyFn(by, {ref(op->keyArg, loc)}, loc);
    if (k->type.isError())
      return error(loc);
    k = fix(k);
    op->key->value = k;
    key = k->type;
  }
  if (!key.isScalar() || key.isScalar(ScalarKind::Bool) ||
      isComplex(key.scalar())) {
    report(diag::sort_key, loc, key.str())
        .help("give the key: 'by = fn(x) => x.h'");
    return error(loc);
  }
  return op;
}

/// Elementwise operations are merged; anything else gets a name.
Expr *Checker::keepOrReference(Expr *a) {
  auto *c = dyn_cast<hir::CompExpr>(a);
  if (c && !c->written && c->indices.size() == a->type.rank() &&
      c->compKind == hir::CompExpr::CompKind::Map)
    return a;
  return reference(a);
}
