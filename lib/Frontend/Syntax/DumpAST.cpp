//===- DumpAST.cpp - The tree as text, for tests --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Prints the program back with every operation in parentheses and one statement
// a line, so that a test sees how the text was understood.
//
//===----------------------------------------------------------------------===//

#include "arrc/Frontend/AST.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace arrc::ast;
using llvm::raw_ostream;

StringRef arrc::ast::spelling(BinaryOp op) {
  switch (op) {
  case BinaryOp::Add:
    return "+";
  case BinaryOp::Sub:
    return "-";
  case BinaryOp::Mul:
    return "*";
  case BinaryOp::Div:
    return "/";
  case BinaryOp::FloorDiv:
    return "//";
  case BinaryOp::Mod:
    return "%";
  case BinaryOp::Pow:
    return "**";
  case BinaryOp::MatMul:
    return "@";
  case BinaryOp::Eq:
    return "==";
  case BinaryOp::Ne:
    return "!=";
  case BinaryOp::Lt:
    return "<";
  case BinaryOp::Le:
    return "<=";
  case BinaryOp::Gt:
    return ">";
  case BinaryOp::Ge:
    return ">=";
  case BinaryOp::And:
    return "and";
  case BinaryOp::Or:
    return "or";
  }
  llvm_unreachable("no such operator");
}

StringRef arrc::ast::spelling(UnaryOp op) {
  return op == UnaryOp::Neg ? "-" : "not";
}

namespace {
class Dumper {
public:
  explicit Dumper(raw_ostream &os) : os(os) {}

  void dump(const Decl &decl);
  void dump(const Stmt &stmt);
  void dump(const Block &block);
  void dump(const Expr &expr);
  void dump(const TypeExpr &type);
  void dump(const Pattern &pattern);
  void dump(const Range &range);
  void dump(const Param &param);
  void dump(ArrayRef<Attr> attrs);
  void dump(ArrayRef<Arg> args);

private:
  /// Calls the function for each element, with commas between.
  template <typename T, typename Fn> void list(ArrayRef<T> elements, Fn fn) {
    bool first = true;
    for (const T &element : elements) {
      if (!first)
        os << ", ";
      first = false;
      fn(element);
    }
  }
  raw_ostream &line() { return os.indent(2 * depth); }

  raw_ostream &os;
  unsigned depth = 0;
};
} // namespace

void Dumper::dump(ArrayRef<Arg> args) {
  os << '(';
  list(args, [&](const Arg &arg) {
    if (arg.name)
      os << arg.name.text << " = ";
    dump(*arg.value);
  });
  os << ')';
}

void Dumper::dump(ArrayRef<Attr> attrs) {
  for (const Attr &attr : attrs) {
    os << '@' << attr.name.text;
    if (!attr.args.empty())
      dump(attr.args);
    os << ' ';
  }
}

void Dumper::dump(const TypeExpr &type) {
  if (auto *named = llvm::dyn_cast<NamedType>(&type)) {
    if (named->module)
      os << named->module.text << '.';
    os << named->name.text;
  } else if (auto *tuple = llvm::dyn_cast<TupleType>(&type)) {
    os << '(';
    list(tuple->elements, [&](TypeExpr *t) { dump(*t); });
    os << ')';
  } else if (auto *fn = llvm::dyn_cast<FnType>(&type)) {
    os << "fn(";
    list(fn->params, [&](TypeExpr *t) { dump(*t); });
    os << ") -> ";
    dump(*fn->result);
  } else {
    auto *array = llvm::cast<ArrayType>(&type);
    dump(*array->element);
    os << '[';
    list(array->dims, [&](const Dim &dim) {
      if (dim.kind == Dim::Kind::Size)
        dump(*dim.expr);
      else
        os << '?' << dim.name.text;
    });
    os << ']';
  }
}

void Dumper::dump(const Pattern &pattern) {
  if (auto *name = llvm::dyn_cast<NamePattern>(&pattern)) {
    os << name->name.text;
    return;
  }
  os << '(';
  list(llvm::cast<TuplePattern>(&pattern)->elements,
       [&](Pattern *p) { dump(*p); });
  os << ')';
}

void Dumper::dump(const Range &range) {
  if (range.lo) {
    dump(*range.lo);
    os << ':';
  }
  dump(*range.hi);
  if (range.step) {
    os << ':';
    dump(*range.step);
  }
}

void Dumper::dump(const Block &block) {
  os << "{\n";
  ++depth;
  for (const Stmt *stmt : block.stmts) {
    line();
    dump(*stmt);
    os << '\n';
  }
  --depth;
  line() << '}';
}

void Dumper::dump(const Expr &expr) {
  switch (expr.kind) {
  case Expr::Kind::Int: {
    auto &e = llvm::cast<IntExpr>(expr);
    os << (e.negative ? "-" : "") << e.magnitude;
    return;
  }
  case Expr::Kind::Float:
    os << llvm::cast<FloatExpr>(expr).text
       << (llvm::cast<FloatExpr>(expr).imaginary ? "j" : "");
    return;
  case Expr::Kind::Bool:
    os << (llvm::cast<BoolExpr>(expr).value ? "true" : "false");
    return;
  case Expr::Kind::NameRef:
    os << llvm::cast<NameExpr>(expr).name;
    return;
  case Expr::Kind::Tuple:
    os << '(';
    list(llvm::cast<TupleExpr>(expr).elements, [&](Expr *e) { dump(*e); });
    os << ')';
    return;
  case Expr::Kind::Array:
    os << '[';
    list(llvm::cast<ArrayExpr>(expr).elements, [&](Expr *e) { dump(*e); });
    os << ']';
    return;
  case Expr::Kind::Section:
    os << '(' << spelling(llvm::cast<SectionExpr>(expr).op) << ')';
    return;
  case Expr::Kind::Unary: {
    auto &e = llvm::cast<UnaryExpr>(expr);
    os << '(' << spelling(e.op) << (e.op == UnaryOp::Not ? " " : "");
    dump(*e.operand);
    os << ')';
    return;
  }
  case Expr::Kind::Binary: {
    auto &e = llvm::cast<BinaryExpr>(expr);
    os << '(';
    dump(*e.lhs);
    os << ' ' << spelling(e.op) << ' ';
    dump(*e.rhs);
    os << ')';
    return;
  }
  case Expr::Kind::Call: {
    auto &e = llvm::cast<CallExpr>(expr);
    dump(*e.callee);
    dump(e.args);
    return;
  }
  case Expr::Kind::Index: {
    auto &e = llvm::cast<IndexExpr>(expr);
    dump(*e.base);
    os << '[';
    list(e.subs, [&](const Sub &sub) {
      if (!sub.isSlice)
        return dump(*sub.index);
      if (sub.lo)
        dump(*sub.lo);
      os << ':';
      if (sub.hi)
        dump(*sub.hi);
      if (sub.step) {
        os << ':';
        dump(*sub.step);
      }
    });
    os << ']';
    return;
  }
  case Expr::Kind::Field: {
    auto &e = llvm::cast<FieldExpr>(expr);
    dump(*e.base);
    os << '.' << e.name.text;
    return;
  }
  case Expr::Kind::TupleField: {
    auto &e = llvm::cast<TupleFieldExpr>(expr);
    dump(*e.base);
    os << '.' << e.index;
    return;
  }
  case Expr::Kind::For: {
    auto &e = llvm::cast<ForExpr>(expr);
    dump(e.attrs);
    os << (e.isStencil ? "stencil " : "for ");
    list(e.indices, [&](const ForIndex &index) {
      dump(*index.pattern);
      if (index.hasRange) {
        os << " in ";
        dump(index.range);
      }
    });
    if (e.condition) {
      os << " if ";
      dump(*e.condition);
    }
    os << ' ';
    dump(*e.body);
    return;
  }
  case Expr::Kind::Combinator: {
    auto &e = llvm::cast<CombinatorExpr>(expr);
    dump(e.attrs);
    os << e.name.text;
    if (e.hasArgs)
      dump(e.args);
    os << ' ';
    dump(*e.loop);
    return;
  }
  case Expr::Kind::If: {
    auto &e = llvm::cast<IfExpr>(expr);
    os << "if ";
    dump(*e.condition);
    os << ' ';
    dump(*e.thenBlock);
    if (e.elseBlock) {
      os << " else ";
      dump(*e.elseBlock);
    }
    return;
  }
  case Expr::Kind::Lambda: {
    auto &e = llvm::cast<LambdaExpr>(expr);
    os << "fn(";
    list(e.params, [&](const LambdaParam &param) {
      os << param.name.text;
      if (param.type) {
        os << ": ";
        dump(*param.type);
      }
    });
    os << ") ";
    dump(*e.body);
    return;
  }
  }
}

void Dumper::dump(const Stmt &stmt) {
  switch (stmt.kind) {
  case Stmt::Kind::Let: {
    auto &s = llvm::cast<LetStmt>(stmt);
    os << (s.isVar ? "var " : "let ");
    dump(*s.pattern);
    if (s.type) {
      os << ": ";
      dump(*s.type);
    }
    os << " = ";
    dump(*s.init);
    return;
  }
  case Stmt::Kind::While: {
    auto &s = llvm::cast<WhileStmt>(stmt);
    os << "while ";
    dump(*s.condition);
    os << ' ';
    dump(*s.body);
    return;
  }
  case Stmt::Kind::Loop: {
    auto &s = llvm::cast<LoopStmt>(stmt);
    dump(s.attrs);
    os << "loop " << s.index.text << " in ";
    dump(s.over);
    os << ' ';
    dump(*s.body);
    return;
  }
  case Stmt::Kind::Assert: {
    auto &s = llvm::cast<AssertStmt>(stmt);
    os << "assert ";
    dump(*s.condition);
    if (!s.message.empty())
      os << ", \"" << s.message << '"';
    return;
  }
  case Stmt::Kind::Assign: {
    auto &s = llvm::cast<AssignStmt>(stmt);
    dump(s.attrs);
    dump(*s.place);
    os << ' ' << (s.isUpdate ? spelling(s.op) : "") << "= ";
    dump(*s.value);
    return;
  }
  case Stmt::Kind::TupleAssign: {
    auto &s = llvm::cast<TupleAssignStmt>(stmt);
    os << '(';
    list(s.places, [&](Expr *e) { dump(*e); });
    os << ") = ";
    dump(*s.value);
    return;
  }
  case Stmt::Kind::Expr:
    dump(*llvm::cast<ExprStmt>(stmt).expr);
    return;
  }
}

void Dumper::dump(const Param &param) {
  os << param.name.text << ": ";
  dump(*param.type);
  if (param.defaultValue) {
    os << " = ";
    dump(*param.defaultValue);
  }
}

void Dumper::dump(const Decl &decl) {
  dump(decl.attrs);
  switch (decl.kind) {
  case Decl::Kind::Import:
    os << "import \"" << llvm::cast<ImportDecl>(decl).path << "\" as "
       << decl.name.text;
    return;
  case Decl::Kind::Struct:
    os << "struct " << decl.name.text << " { ";
    list(llvm::cast<StructDecl>(decl).fields,
         [&](const Param &field) { dump(field); });
    os << " }";
    return;
  case Decl::Kind::Alias:
    os << "type " << decl.name.text << " = ";
    dump(*llvm::cast<AliasDecl>(decl).type);
    return;
  case Decl::Kind::Const: {
    auto &d = llvm::cast<ConstDecl>(decl);
    os << "const " << decl.name.text;
    if (d.type) {
      os << ": ";
      dump(*d.type);
    }
    os << " = ";
    dump(*d.value);
    return;
  }
  case Decl::Kind::Def:
    break;
  }

  auto &def = llvm::cast<DefDecl>(decl);
  os << (def.isExport   ? "export "
         : def.isExtern ? "extern "
                        : "")
     << "def " << decl.name.text;
  if (!def.typeParams.empty()) {
    os << '[';
    list(def.typeParams, [&](const TypeParam &param) {
      os << param.name.text;
      if (param.kind)
        os << ": " << param.kind.text;
    });
    os << ']';
  }
  os << '(';
  list(def.params, [&](const Param &param) { dump(param); });
  os << ')';
  if (def.result) {
    os << " -> ";
    dump(*def.result);
  } else if (!def.namedResults.empty()) {
    os << " -> (";
    list(def.namedResults, [&](const NamedResult &result) {
      os << result.name.text << ": ";
      dump(*result.type);
    });
    os << ')';
  }
  if (!def.where.empty()) {
    os << " where ";
    list(def.where, [&](Expr *e) { dump(*e); });
  }
  if (def.body) {
    os << ' ';
    dump(*def.body);
  }
}

void arrc::ast::dump(const Module &module, raw_ostream &os) {
  for (const Decl *decl : module.decls) {
    Dumper(os).dump(*decl);
    os << '\n';
  }
}

void arrc::ast::dump(const Expr &expr, raw_ostream &os) {
  Dumper(os).dump(expr);
}
