//===- SemaArrayFunctions.cpp - Built-in functions of arrays --------------===//
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

std::string Checker::restOfReshape(ArrayRef<Given> args, SMRange one) {
  std::string array = shortText(args[0].loc), others;
  for (const Given &g : args.drop_front())
    if (g.loc.Start != one.Start)
      others += (others.empty() ? "" : " * ") + shortText(g.loc);
  if (others.empty())
    return "flatten(" + array + ")";
  return "size(" + array + ") // " +
         (args.size() > 3 ? "(" + others + ")" : others);
}

/// Sizes given as arguments, behind a value or an array where there is one.
bool Checker::sizeArgs(StringRef name, ArrayRef<Given> args,
                       std::vector<Dim> &dims, SMRange loc) {
  bool hasFirst = name == "full" || name == "reshape";
  ArrayRef<Given> sizes = args.drop_front(hasFirst);
  if (sizes.empty() || sizes.size() > 8) {
    report(diag::argument_count, loc, name, "1 to 8 sizes",
           std::to_string(sizes.size()));
    return false;
  }
  for (const Given &g : sizes) {
    if (!g.value.expr || !isIntScalar(g.value.expr->type)) {
      Type type = g.value.expr ? g.value.expr->type : Type::none();
      Diagnostic &d = report(diag::size_not_int, g.loc,
                             g.value.expr ? type.str() : "a function");
      std::string text = sourceText(g.loc);
      bool isShort = text.size() < 24;
      if (type.isTuple() && text.size() > 2 && text.front() == '(')
        d.help("the sizes are arguments of their own: '" + name.str() + "(" +
               text.substr(1, text.size() - 2) + ")'");
      else if (type.isArray())
        d.help(name == "reshape"
                   ? "the array comes first, 'reshape(a, n, m)', and '|>' puts "
                     "its value last"
                   : "its size is 'size(" + (isShort ? text : "a") + ")'");
      else if (type.isScalar())
        d.help("convert it: 'int(" + (isShort ? text : "..") + ")'");
      return false;
    }
    Size s = toSize(g.value.expr);
    if (!requireNonNegative(s, g.loc, "a negative size")) {
      Diagnostic &d = report(diag::negative_size, g.loc, s.str());
      if (name == "reshape")
        d.help("no size is worked out: write '" + restOfReshape(args, g.loc) +
               "'");
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
    if (plain.empty() || !sizeArgs(name, plain, dims, loc))
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
      Diagnostic &d =
          report(diag::needs_array, plain[k].loc, "'" + name.str() + "'",
                 plain[k].value.expr->type.str());
      if (name == "concat")
        d.help("an array of one element is written '[x]'");
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
  // A product that is too long to reason about is a value of its own.
  auto times = [&](const Size &x, const Size &y) {
    if (x.hasShortProduct(y))
      return x * y;
    Expr *product = make<hir::BinaryExpr>(
        hir::BinaryOp::Mul, sizeExpr(integerSize(x, loc), loc),
        sizeExpr(integerSize(y, loc), loc), Type::integer(), loc);
    std::vector<Size> fits;
    if (Expr *ok = fitsCondition(product, facts(), fits))
      emitCheck(hir::CheckKind::Size, ok, "a size does not fit 64 bits", {},
                loc);
    return toSize(product);
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
    // Of rows of different sizes all elements together.
    if (ragged && plain.size() == 1) {
      Expr *flat = bindUnknowns(make<hir::ArrayOpExpr>(
          hir::ArrayOpExpr::Op::Reshape, std::vector<Expr *>{reference(a)},
          Type::array(type.element(), {Dim(Size(unknown))}), loc));
      return sizeExpr(flat->type.dims()[0].size, loc);
    }
    Size s(1);
    for (const Dim &d : dims) {
      if (d.ragged) {
        report(diag::ragged_argument, loc, name);
        return error(loc);
      }
      s = times(s, d.size);
    }
    return sizeExpr(facts().exact(s), loc);
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
      total = times(total, d.size);
    if (!ragged)
      total = integerSize(total, loc);
    if (name == "flatten") {
      if (!count(1, 1))
        return error(loc);
      dims = {ragged ? Dim(Size(unknown)) : Dim(total)};
    } else {
      if (!sizeArgs(name, plain, dims, loc))
        return error(loc);
      Size wanted(1);
      for (const Dim &d : dims)
        wanted = times(wanted, d.size);
      wanted = integerSize(wanted, loc);
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
    dims[d] = integerSize(total, loc);
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
