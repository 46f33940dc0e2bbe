//===- SemaBuiltins.cpp - Built-in functions ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

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
  /// The first argument that is to blame for what all of them meet in.
  auto wrongIf = [&](llvm::function_ref<bool(ScalarKind)> isWrong,
                     StringRef wanted) -> Expr * {
    auto found =
        llvm::find_if(args, [&](Expr *a) { return isWrong(a->type.scalar()); });
    return wrong(found == args.end() ? args[0] : *found, wanted);
  };
  auto isNotReal = [](ScalarKind k) {
    return k == ScalarKind::Bool || isComplex(k);
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
    if (isNotReal(*met))
      return wrongIf(isNotReal, "a float");
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
    if (isNotReal(*met))
      return wrongIf(isNotReal, "real numbers");
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
    auto isNoInt = [&](ScalarKind k) {
      return !isInt(k) && k != ScalarKind::OpenAny;
    };
    if (!isInt(*met))
      return wrongIf(isNoInt, "integers");
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
    auto isNoPart = [&](ScalarKind k) {
      return isNotReal(k) || k == ScalarKind::F16 || k == ScalarKind::BF16;
    };
    if (isNoPart(*met))
      return wrongIf(isNoPart, "two f32 or two f64");
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
      else if (f != hir::Function::RandInt)
        d.help("a key and counters are given: '" + std::string(row.name) +
               "(seed, i)'" +
               (f == hir::Function::Normal
                    ? ", with mean and deviation 'm + s * normal(seed, i)'"
                    : ", between others 'lo + (hi - lo) * uniform(seed, i)'"));
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
