//===- HIRPrinter.cpp - The checked tree as text --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Frontend/HIR.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace arrc;
using namespace arrc::hir;
using llvm::cast;
using llvm::dyn_cast;

namespace {

class Printer {
public:
  explicit Printer(llvm::raw_ostream &os) : os(os) {}

  void def(const Def &d) {
    for (const Attr &a : d.attrs)
      attr(a);
    os << "export " << d.name << "(";
    for (auto [k, p] : llvm::enumerate(d.params)) {
      os << (k ? ", " : "") << p.var->name << ": " << p.var->type.str();
      if (p.defaultValue) {
        os << " = ";
        expr(p.defaultValue);
      }
    }
    os << ") -> (";
    for (auto [k, r] : llvm::enumerate(d.results))
      os << (k ? ", " : "") << r.name << ": " << r.type.str();
    os << ") {\n";
    ++depth;
    if (d.entry)
      stmts(d.entry);
    indent() << "body\n";
    if (d.body)
      contents(d.body);
    --depth;
    os << "}\n";
  }

  void expr(const Expr *e) {
    switch (e->kind) {
    case Expr::Kind::Const:
      return constant(cast<ConstExpr>(e));
    case Expr::Kind::VarRef:
      os << cast<VarRefExpr>(e)->var->name;
      return;
    case Expr::Kind::SizeValue:
      os << "[" << cast<SizeExpr>(e)->size.str() << "]";
      return;
    case Expr::Kind::DimOf:
      os << "dim(";
      expr(cast<DimOfExpr>(e)->array);
      os << ", " << cast<DimOfExpr>(e)->dim << ")";
      return;
    case Expr::Kind::Unary: {
      auto *u = cast<UnaryExpr>(e);
      os << (u->op == UnaryOp::Neg ? "-" : "not ");
      return expr(u->operand);
    }
    case Expr::Kind::Binary: {
      static const char *const signs[] = {"+",  "-",  "*",  "/",   "//",
                                          "%",  "**", "==", "!=",  "<",
                                          "<=", ">",  ">=", "and", "or"};
      auto *b = cast<BinaryExpr>(e);
      os << "(";
      expr(b->lhs);
      os << " " << signs[unsigned(b->op)] << " ";
      expr(b->rhs);
      os << ")";
      return;
    }
    case Expr::Kind::Call: {
      auto *c = cast<CallExpr>(e);
      os << name(c->function);
      return list("(", c->args, ")");
    }
    case Expr::Kind::Convert:
      os << e->type.str() << "(";
      expr(cast<ConvertExpr>(e)->operand);
      os << ")";
      return;
    case Expr::Kind::If: {
      auto *i = cast<IfExpr>(e);
      os << "if ";
      expr(i->condition);
      os << " ";
      block(i->thenBlock);
      os << " else ";
      return block(i->elseBlock);
    }
    case Expr::Kind::Index: {
      auto *i = cast<IndexExpr>(e);
      expr(i->base);
      return subs(i->subs);
    }
    case Expr::Kind::Extend: {
      auto *x = cast<ExtendExpr>(e);
      static const char *const modes[] = {"none",   "clamp",   "wrap",
                                          "mirror", "reflect", "fill "};
      os << "extend(";
      expr(x->array);
      for (auto [m, f] : llvm::zip(x->modes, x->fills)) {
        os << ", " << modes[unsigned(m)];
        if (f)
          expr(f);
      }
      os << ")";
      return;
    }
    case Expr::Kind::ArrayLit:
      return list("[", cast<ArrayLitExpr>(e)->elements, "]");
    case Expr::Kind::Tuple:
      if (e->type.element().isStruct())
        os << e->type.element().structName();
      return list("(", cast<TupleExpr>(e)->elements, ")");
    case Expr::Kind::Field: {
      auto *f = cast<FieldExpr>(e);
      expr(f->base);
      const Component &c = f->base->type.element().components()[f->number];
      os << "." << (c.name.empty() ? std::to_string(f->number) : c.name);
      return;
    }
    case Expr::Kind::Comp:
      return comp(cast<CompExpr>(e));
    case Expr::Kind::ArrayOp: {
      auto *a = cast<ArrayOpExpr>(e);
      static const char *const names[] = {"reshape", "concat", "sort",
                                          "argsort", "row_of", "fence"};
      os << names[unsigned(a->op)];
      list("(", a->args, "");
      if (a->op == ArrayOpExpr::Op::Reshape)
        os << " -> " << a->type.str();
      else if (a->op != ArrayOpExpr::Op::Fence)
        os << ", axis = " << a->axis;
      if (a->key) {
        os << ", by = fn(" << a->keyArg->name << ") ";
        block(a->key);
      }
      os << ")";
      return;
    }
    case Expr::Kind::ExternCall:
      os << "extern " << cast<ExternCallExpr>(e)->callee;
      return list("(", cast<ExternCallExpr>(e)->args, ")");
    case Expr::Kind::Opaque:
      os << "opaque";
      return list("(", cast<OpaqueExpr>(e)->args, ")");
    case Expr::Kind::Error:
      os << "<error>";
      return;
    }
  }

private:
  llvm::raw_ostream &indent() { return os.indent(2 * depth); }

  void attr(const Attr &a) {
    os << "@" << a.name;
    if (!a.args.empty()) {
      os << "(";
      for (auto [k, v] : llvm::enumerate(a.args))
        os << (k ? ", " : "") << v;
      os << ")";
    }
    os << " ";
  }

  void list(const char *open, llvm::ArrayRef<Expr *> all, const char *close) {
    os << open;
    for (auto [k, e] : llvm::enumerate(all)) {
      os << (k ? ", " : "");
      expr(e);
    }
    os << close;
  }

  void number(double v, ScalarKind k) {
    bool single = k == ScalarKind::F32 || k == ScalarKind::C64 ||
                  k == ScalarKind::F16 || k == ScalarKind::BF16;
    std::string s;
    llvm::raw_string_ostream text(s);
    text << llvm::format(single ? "%.9g" : "%.17g", v);
    // The shortest digits that read back.
    for (int digits = 1; digits < 17; ++digits) {
      char buffer[40];
      snprintf(buffer, sizeof buffer, "%.*g", digits, v);
      double back = strtod(buffer, nullptr);
      if (single ? float(back) == float(v) : back == v) {
        s = buffer;
        break;
      }
    }
    os << s;
    if (s.find_first_of(".en") == std::string::npos)
      os << ".0";
  }

  void constant(const ConstExpr *c) {
    ScalarKind k = c->type.scalar();
    if (k == ScalarKind::Bool)
      os << (c->intValue ? "true" : "false");
    else if (k == ScalarKind::U64)
      os << static_cast<uint64_t>(c->intValue);
    else if (isInteger(k) || k == ScalarKind::OpenInt)
      os << c->intValue;
    else
      number(c->floatValue, k);
    if (c->imagValue != 0) {
      os << " + i*";
      number(c->imagValue, k);
    }
    if (k != ScalarKind::I64 && k != ScalarKind::Bool)
      os << ":" << elementName(k);
  }

  void range(const Range &r) {
    os << r.lo.str() << " by " << r.step.str() << " times " << r.size.str();
  }

  void subs(llvm::ArrayRef<Sub> all) {
    os << "[";
    for (auto [k, s] : llvm::enumerate(all)) {
      os << (k ? ", " : "");
      if (s.kind == Sub::Kind::Slice)
        range(s.range);
      else
        expr(s.index);
      // What stays to be checked.
      if (!s.inBounds)
        os << "!";
    }
    os << "]";
  }

  void stmts(const Block *b) {
    for (const Stmt *s : b->stmts)
      stmt(s);
  }

  void contents(const Block *b) {
    stmts(b);
    if (b->value) {
      indent();
      expr(b->value);
      os << "\n";
    }
  }

  void block(const Block *b) {
    if (b->stmts.empty() && b->value) {
      os << "{ ";
      expr(b->value);
      os << " }";
      return;
    }
    os << "{\n";
    ++depth;
    contents(b);
    --depth;
    indent() << "}";
  }

  void comp(const CompExpr *c) {
    for (const Attr &a : c->attrs)
      attr(a);
    static const char *const combiners[] = {
        "+", "*", "min", "max", "and", "or", "argmin", "argmax", "fn"};
    const char *op = combiners[unsigned(c->combiner)];
    auto combiner = [&] {
      os << op;
      if (c->op) {
        os << "(" << c->lhs->name << ", " << c->rhs->name << ") ";
        block(c->op);
      }
      if (c->init) {
        os << " from ";
        expr(c->init);
      }
    };
    switch (c->compKind) {
    case CompExpr::CompKind::Map:
      os << (c->written ? "for" : "map");
      break;
    case CompExpr::CompKind::Stencil:
      os << "stencil";
      break;
    case CompExpr::CompKind::Filter:
      os << "filter";
      break;
    case CompExpr::CompKind::Reduce:
      os << "reduce ";
      combiner();
      break;
    case CompExpr::CompKind::Scan:
      os << (c->exclusive ? "exscan " : "scan ");
      combiner();
      break;
    case CompExpr::CompKind::Hist:
      os << "hist ";
      combiner();
      os << " bins";
      for (const Size &s : c->bins)
        os << " " << s.str();
      break;
    case CompExpr::CompKind::Scatter:
      os << "scatter into ";
      expr(c->into);
      break;
    }
    if (c->oob != CompExpr::OutOfBounds::Error)
      os << (c->oob == CompExpr::OutOfBounds::Drop ? " drop" : " clamp");
    for (auto [k, i] : llvm::enumerate(c->indices)) {
      os << (k ? ", " : " ");
      if (i.prelude && !i.prelude->stmts.empty()) {
        os << "with ";
        block(i.prelude);
        os << " ";
      }
      os << i.var->name << " in ";
      if (i.range.lo == Size() && i.range.step == Size(1))
        os << i.range.size.str();
      else
        range(i.range);
    }
    if (c->condition) {
      os << " if ";
      block(c->condition);
    }
    os << " ";
    block(c->body);
  }

  void stmt(const Stmt *s) {
    indent();
    switch (s->kind) {
    case Stmt::Kind::Let: {
      auto *l = cast<LetStmt>(s);
      os << (l->var->kind == Variable::Kind::Var ? "var " : "let ")
         << l->var->name << ": " << l->var->type.str() << " = ";
      expr(l->init);
      break;
    }
    case Stmt::Kind::Assign: {
      auto *a = cast<AssignStmt>(s);
      if (a->inplace)
        os << "@inplace ";
      os << a->var->name;
      Type t = a->var->type;
      for (const PlaceStep &p : a->path) {
        if (p.isField()) {
          const Component &c = t.element().components()[p.field];
          os << "." << (c.name.empty() ? std::to_string(p.field) : c.name);
        } else {
          subs(p.subs);
        }
        t = p.type;
      }
      os << " = ";
      expr(a->value);
      break;
    }
    case Stmt::Kind::If: {
      auto *i = cast<IfStmt>(s);
      os << "if ";
      expr(i->condition);
      os << " ";
      block(i->thenBlock);
      if (i->elseBlock) {
        os << " else ";
        block(i->elseBlock);
      }
      break;
    }
    case Stmt::Kind::While: {
      auto *w = cast<WhileStmt>(s);
      os << "while ";
      block(w->condition);
      os << " ";
      block(w->body);
      break;
    }
    case Stmt::Kind::Loop: {
      auto *l = cast<LoopStmt>(s);
      for (const Attr &a : l->attrs)
        attr(a);
      os << "loop " << l->index->name << " in ";
      range(l->range);
      os << " ";
      block(l->body);
      break;
    }
    case Stmt::Kind::Check: {
      static const char *const kinds[] = {"input", "assert", "index", "size",
                                          "divide"};
      auto *c = cast<CheckStmt>(s);
      os << "check " << kinds[unsigned(c->check)] << " ";
      expr(c->condition);
      os << " \"" << c->message << "\"";
      break;
    }
    case Stmt::Kind::Eval:
      os << "eval ";
      expr(cast<EvalStmt>(s)->expr);
      break;
    }
    os << "\n";
  }

  llvm::raw_ostream &os;
  unsigned depth = 0;
};

} // namespace

void hir::print(const Program &program, llvm::raw_ostream &os) {
  for (auto [k, d] : llvm::enumerate(program.exports)) {
    if (k)
      os << "\n";
    print(*d, os);
  }
}

void hir::print(const Def &def, llvm::raw_ostream &os) { Printer(os).def(def); }

void hir::print(const Expr &expr, llvm::raw_ostream &os) {
  Printer(os).expr(&expr);
}
