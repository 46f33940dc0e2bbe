//===- AST.h - The tree of an .arr file -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What the parser makes: one node a grammar rule, nothing resolved. Nodes live
// in the arena of an `ast::Context`, are never freed one by one and never
// change after the parser has built them; lists are `ArrayRef`s into the arena
// and names point into the source text. Every node has the range of text it was
// written as. Use `isa`, `cast` and `dyn_cast` on them.
//
// The parser simplifies three things: parentheses are dropped, `x |> f(a)` is
// the call `f(a, x)`, and a minus before a number belongs to the literal.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_FRONTEND_AST_H
#define ARRC_FRONTEND_AST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/SMLoc.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
class SourceMgr;
} // namespace llvm

namespace arrc::ast {

using llvm::ArrayRef;
using llvm::SMLoc;
using llvm::SMRange;
using llvm::StringRef;

struct Block;
struct Expr;
struct Module;
struct TypeExpr;

/// A name and where it stands. Empty where an optional name is missing.
struct Name {
  StringRef text;
  SMRange range;

  explicit operator bool() const { return !text.empty(); }
};

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// Every operator of two operands; the ones of a section are among them.
enum class BinaryOp : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  FloorDiv,
  Mod,
  Pow,
  MatMul,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  And,
  Or,
};

/// Operators of one operand.
enum class UnaryOp : uint8_t { Neg, Not };

/// The operator as it is written, such as "//".
StringRef spelling(BinaryOp op);
/// The operator as it is written: "-" or "not".
StringRef spelling(UnaryOp op);

//===----------------------------------------------------------------------===//
// Attributes and arguments
//===----------------------------------------------------------------------===//

/// `[name =] value` in a call, or in the parentheses of an attribute.
struct Arg {
  Name name;
  Expr *value;
};

/// `@name(args)`.
struct Attr {
  Name name;
  ArrayRef<Arg> args;
  SMRange range;
};

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// One dimension of a written type.
struct Dim {
  enum class Kind : uint8_t {
    /// `?`
    Unknown,
    /// `?k`; the name is set.
    NamedUnknown,
    /// Anything else; the expression is set.
    Size,
  };

  Kind kind;
  Name name;
  Expr *expr;
  SMRange range;
};

/// A written type.
struct TypeExpr {
  enum class Kind : uint8_t { Named, Tuple, Fn, Array };

  Kind kind;
  SMRange range;

protected:
  TypeExpr(Kind kind, SMRange range) : kind(kind), range(range) {}
};

/// `f32`, `Body`, `vec.Ray`.
struct NamedType : TypeExpr {
  /// The module before the point; empty without one.
  Name module;
  Name name;

  NamedType(SMRange range, Name module, Name name)
      : TypeExpr(Kind::Named, range), module(module), name(name) {}
  static bool classof(const TypeExpr *t) { return t->kind == Kind::Named; }
};

/// `(f32, int)`, two components at least.
struct TupleType : TypeExpr {
  ArrayRef<TypeExpr *> elements;

  TupleType(SMRange range, ArrayRef<TypeExpr *> elements)
      : TypeExpr(Kind::Tuple, range), elements(elements) {}
  static bool classof(const TypeExpr *t) { return t->kind == Kind::Tuple; }
};

/// `fn(f32, f32) -> f32`.
struct FnType : TypeExpr {
  ArrayRef<TypeExpr *> params;
  TypeExpr *result;

  FnType(SMRange range, ArrayRef<TypeExpr *> params, TypeExpr *result)
      : TypeExpr(Kind::Fn, range), params(params), result(result) {}
  static bool classof(const TypeExpr *t) { return t->kind == Kind::Fn; }
};

/// `element[dims]`, one dimension at least.
struct ArrayType : TypeExpr {
  TypeExpr *element;
  ArrayRef<Dim> dims;

  ArrayType(SMRange range, TypeExpr *element, ArrayRef<Dim> dims)
      : TypeExpr(Kind::Array, range), element(element), dims(dims) {}
  static bool classof(const TypeExpr *t) { return t->kind == Kind::Array; }
};

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// What `let`, `var` and an index of a `for` bind.
struct Pattern {
  enum class Kind : uint8_t { Name, Tuple };

  Kind kind;
  SMRange range;

protected:
  Pattern(Kind kind, SMRange range) : kind(kind), range(range) {}
};

/// One name; `_` binds nothing.
struct NamePattern : Pattern {
  Name name;

  explicit NamePattern(Name name)
      : Pattern(Kind::Name, name.range), name(name) {}
  /// Whether this is `_`.
  bool isBlank() const { return name.text == "_"; }
  static bool classof(const Pattern *p) { return p->kind == Kind::Name; }
};

/// `(p, q)`, two components at least.
struct TuplePattern : Pattern {
  ArrayRef<Pattern *> elements;

  TuplePattern(SMRange range, ArrayRef<Pattern *> elements)
      : Pattern(Kind::Tuple, range), elements(elements) {}
  static bool classof(const Pattern *p) { return p->kind == Kind::Tuple; }
};

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// An expression.
struct Expr {
  enum class Kind : uint8_t {
    Int,
    Float,
    Bool,
    NameRef,
    Tuple,
    Array,
    Section,
    Unary,
    Binary,
    Call,
    Index,
    Field,
    TupleField,
    For,
    Combinator,
    If,
    Lambda,
  };

  Kind kind;
  SMRange range;

protected:
  Expr(Kind kind, SMRange range) : kind(kind), range(range) {}
};

/// `12`, `0xff`, `-5`. The value is `negative ? -magnitude : magnitude`, and
/// the magnitude is below 2^64; whether it fits a type is not checked here.
struct IntExpr : Expr {
  uint64_t magnitude;
  bool negative;

  IntExpr(SMRange range, uint64_t magnitude, bool negative)
      : Expr(Kind::Int, range), magnitude(magnitude), negative(negative) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Int; }
};

/// `1.5`, `-2.0e-3`. The text has the sign and no underscores: convert it to
/// the type that the literal takes, in one rounding.
struct FloatExpr : Expr {
  StringRef text;
  /// `2.0j`, `2j`: that many times the imaginary unit; the text has no `j`.
  bool imaginary;

  FloatExpr(SMRange range, StringRef text, bool imaginary = false)
      : Expr(Kind::Float, range), text(text), imaginary(imaginary) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Float; }
};

/// `true` or `false`.
struct BoolExpr : Expr {
  bool value;

  BoolExpr(SMRange range, bool value) : Expr(Kind::Bool, range), value(value) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Bool; }
};

/// A name that stands for a value, a function, a type that is called, a
/// combinator or a module.
struct NameExpr : Expr {
  StringRef name;

  NameExpr(SMRange range, StringRef name)
      : Expr(Kind::NameRef, range), name(name) {}
  static bool classof(const Expr *e) { return e->kind == Kind::NameRef; }
};

/// `(a, b)`, two components at least.
struct TupleExpr : Expr {
  ArrayRef<Expr *> elements;

  TupleExpr(SMRange range, ArrayRef<Expr *> elements)
      : Expr(Kind::Tuple, range), elements(elements) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Tuple; }
};

/// `[a, b]`, possibly empty.
struct ArrayExpr : Expr {
  ArrayRef<Expr *> elements;

  ArrayExpr(SMRange range, ArrayRef<Expr *> elements)
      : Expr(Kind::Array, range), elements(elements) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Array; }
};

/// `(+)`: an operator as a function. Never `@` or a comparison.
struct SectionExpr : Expr {
  BinaryOp op;

  SectionExpr(SMRange range, BinaryOp op)
      : Expr(Kind::Section, range), op(op) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Section; }
};

/// `-a`, `not a`.
struct UnaryExpr : Expr {
  UnaryOp op;
  /// Where the operator itself stands.
  SMRange opRange;
  Expr *operand;

  UnaryExpr(SMRange range, UnaryOp op, SMRange opRange, Expr *operand)
      : Expr(Kind::Unary, range), op(op), opRange(opRange), operand(operand) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Unary; }
};

/// `a + b`.
struct BinaryExpr : Expr {
  BinaryOp op;
  /// Where the operator itself stands.
  SMRange opRange;
  Expr *lhs;
  Expr *rhs;

  BinaryExpr(SMRange range, BinaryOp op, SMRange opRange, Expr *lhs, Expr *rhs)
      : Expr(Kind::Binary, range), op(op), opRange(opRange), lhs(lhs),
        rhs(rhs) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Binary; }
};

/// `f(a, k = b)`, positional arguments before named ones. `x |> f(a)` is a
/// call whose last positional argument is `x`.
struct CallExpr : Expr {
  Expr *callee;
  ArrayRef<Arg> args;
  /// Whether it was written with `|>`.
  bool isPipe;

  CallExpr(SMRange range, Expr *callee, ArrayRef<Arg> args, bool isPipe)
      : Expr(Kind::Call, range), callee(callee), args(args), isPipe(isPipe) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Call; }
};

/// One subscript: an expression, or a slice whose three parts may be null.
struct Sub {
  bool isSlice;
  /// The index; null for a slice.
  Expr *index;
  Expr *lo;
  Expr *hi;
  Expr *step;
  SMRange range;
  /// Whether the name `end` stands in it.
  bool namesEnd;
};

/// `a[i, lo:hi]`, one subscript at least.
struct IndexExpr : Expr {
  Expr *base;
  ArrayRef<Sub> subs;

  IndexExpr(SMRange range, Expr *base, ArrayRef<Sub> subs)
      : Expr(Kind::Index, range), base(base), subs(subs) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Index; }
};

/// `base.name`: a field, or a name of an imported module.
struct FieldExpr : Expr {
  Expr *base;
  Name name;

  FieldExpr(SMRange range, Expr *base, Name name)
      : Expr(Kind::Field, range), base(base), name(name) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Field; }
};

/// `base.0`.
struct TupleFieldExpr : Expr {
  Expr *base;
  uint64_t index;
  SMRange indexRange;

  TupleFieldExpr(SMRange range, Expr *base, uint64_t index, SMRange indexRange)
      : Expr(Kind::TupleField, range), base(base), index(index),
        indexRange(indexRange) {}
  static bool classof(const Expr *e) { return e->kind == Kind::TupleField; }
};

/// `n`, an array, `lo:hi`, `lo:hi:step`. With one expression it is `hi`, and
/// `lo` and `step` are null.
struct Range {
  Expr *lo;
  Expr *hi;
  Expr *step;
  SMRange range;

  /// Whether it was written without a colon: a size or an array.
  bool isSingle() const { return !lo; }
};

/// One index of a `for`: `i`, `i in n`, `(x, y) in pairs`.
struct ForIndex {
  Pattern *pattern;
  bool hasRange;
  Range range;
  SMRange whole;
};

/// `for i in n, j in m if c { body }`, or the same with `stencil`.
struct ForExpr : Expr {
  /// Attributes before a plain `for`; before a combinator they are there.
  ArrayRef<Attr> attrs;
  bool isStencil;
  /// Where `for` or `stencil` itself stands.
  SMRange keyword;
  ArrayRef<ForIndex> indices;
  /// After `if`; may be null.
  Expr *condition;
  Block *body;

  ForExpr(SMRange range, ArrayRef<Attr> attrs, bool isStencil, SMRange keyword,
          ArrayRef<ForIndex> indices, Expr *condition, Block *body)
      : Expr(Kind::For, range), attrs(attrs), isStencil(isStencil),
        keyword(keyword), indices(indices), condition(condition), body(body) {}
  static bool classof(const Expr *e) { return e->kind == Kind::For; }
};

/// `sum for ...`, `hist((+), 0, n) for ...`. The name is always the
/// combinator's; the parser has checked that it is one of them.
struct CombinatorExpr : Expr {
  ArrayRef<Attr> attrs;
  Name name;
  /// The arguments in parentheses before the `for`.
  ArrayRef<Arg> args;
  /// Whether there were parentheses.
  bool hasArgs;
  ForExpr *loop;

  CombinatorExpr(SMRange range, ArrayRef<Attr> attrs, Name name,
                 ArrayRef<Arg> args, bool hasArgs, ForExpr *loop)
      : Expr(Kind::Combinator, range), attrs(attrs), name(name), args(args),
        hasArgs(hasArgs), loop(loop) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Combinator; }
};

/// `if c { } else { }`. An `else if` is a block whose only statement is the
/// inner `if`; without `else` the block is null.
struct IfExpr : Expr {
  Expr *condition;
  Block *thenBlock;
  Block *elseBlock;

  IfExpr(SMRange range, Expr *condition, Block *thenBlock, Block *elseBlock)
      : Expr(Kind::If, range), condition(condition), thenBlock(thenBlock),
        elseBlock(elseBlock) {}
  static bool classof(const Expr *e) { return e->kind == Kind::If; }
};

/// A parameter of a lambda; the type may be null.
struct LambdaParam {
  Name name;
  TypeExpr *type;
};

/// `fn(x, y) => e`, or with a block. `=> e` is a block of one statement.
struct LambdaExpr : Expr {
  ArrayRef<LambdaParam> params;
  Block *body;

  LambdaExpr(SMRange range, ArrayRef<LambdaParam> params, Block *body)
      : Expr(Kind::Lambda, range), params(params), body(body) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Lambda; }
};

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// A statement.
struct Stmt {
  enum class Kind : uint8_t {
    Let,
    While,
    Loop,
    Assert,
    Assign,
    TupleAssign,
    Expr,
  };

  Kind kind;
  SMRange range;

protected:
  Stmt(Kind kind, SMRange range) : kind(kind), range(range) {}
};

/// Statements in braces. Its value, if it has one, is the last statement if
/// that is an expression.
struct Block {
  SMRange range;
  ArrayRef<Stmt *> stmts;
};

/// `let p: type = e` or `var`; the type may be null.
struct LetStmt : Stmt {
  bool isVar;
  Pattern *pattern;
  TypeExpr *type;
  Expr *init;

  LetStmt(SMRange range, bool isVar, Pattern *pattern, TypeExpr *type,
          Expr *init)
      : Stmt(Kind::Let, range), isVar(isVar), pattern(pattern), type(type),
        init(init) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Let; }
};

/// `while c { }`.
struct WhileStmt : Stmt {
  Expr *condition;
  Block *body;

  WhileStmt(SMRange range, Expr *condition, Block *body)
      : Stmt(Kind::While, range), condition(condition), body(body) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::While; }
};

/// `loop k in lo:hi { }`; `k` may be `_`.
struct LoopStmt : Stmt {
  ArrayRef<Attr> attrs;
  Name index;
  Range over;
  Block *body;

  LoopStmt(SMRange range, ArrayRef<Attr> attrs, Name index, Range over,
           Block *body)
      : Stmt(Kind::Loop, range), attrs(attrs), index(index), over(over),
        body(body) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Loop; }
};

/// `assert c, "text"`; the text has its escapes resolved and may be empty.
struct AssertStmt : Stmt {
  Expr *condition;
  StringRef message;

  AssertStmt(SMRange range, Expr *condition, StringRef message)
      : Stmt(Kind::Assert, range), condition(condition), message(message) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Assert; }
};

/// `place = e`, `place += e`. The place is a NameExpr, FieldExpr,
/// TupleFieldExpr or IndexExpr down to a NameExpr.
struct AssignStmt : Stmt {
  ArrayRef<Attr> attrs;
  Expr *place;
  /// Whether it is `+=` and its kin; then `op` says which.
  bool isUpdate;
  BinaryOp op;
  SMRange opRange;
  Expr *value;

  AssignStmt(SMRange range, ArrayRef<Attr> attrs, Expr *place, bool isUpdate,
             BinaryOp op, SMRange opRange, Expr *value)
      : Stmt(Kind::Assign, range), attrs(attrs), place(place),
        isUpdate(isUpdate), op(op), opRange(opRange), value(value) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Assign; }
};

/// `(a, b[i]) = e`.
struct TupleAssignStmt : Stmt {
  ArrayRef<Expr *> places;
  SMRange opRange;
  Expr *value;

  TupleAssignStmt(SMRange range, ArrayRef<Expr *> places, SMRange opRange,
                  Expr *value)
      : Stmt(Kind::TupleAssign, range), places(places), opRange(opRange),
        value(value) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::TupleAssign; }
};

/// An expression as a statement: the value of a block, or an `if` that assigns.
struct ExprStmt : Stmt {
  Expr *expr;

  explicit ExprStmt(Expr *expr) : Stmt(Kind::Expr, expr->range), expr(expr) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Expr; }
};

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

/// A declaration.
struct Decl {
  enum class Kind : uint8_t { Import, Def, Struct, Alias, Const };

  Kind kind;
  SMRange range;
  ArrayRef<Attr> attrs;
  /// What it declares; for an import the name of the module.
  Name name;

protected:
  Decl(Kind kind, SMRange range, ArrayRef<Attr> attrs, Name name)
      : kind(kind), range(range), attrs(attrs), name(name) {}
};

/// `import "path" as name`; without `as` the name is the file's.
struct ImportDecl : Decl {
  StringRef path;
  SMRange pathRange;
  /// The file; filled in by the loader, null if it could not be loaded.
  Module *module = nullptr;

  ImportDecl(SMRange range, ArrayRef<Attr> attrs, Name name, StringRef path,
             SMRange pathRange)
      : Decl(Kind::Import, range, attrs, name), path(path),
        pathRange(pathRange) {}
  static bool classof(const Decl *d) { return d->kind == Kind::Import; }
};

/// `name: type = default` of a function or struct; the default may be null.
struct Param {
  Name name;
  TypeExpr *type;
  Expr *defaultValue;
  SMRange range;
};

/// `T: num`; the kind's name is empty where there is none.
struct TypeParam {
  Name name;
  Name kind;
};

/// `name: type` of a result.
struct NamedResult {
  Name name;
  TypeExpr *type;
};

/// `def f(..) -> .. = e`, `export def`, `extern def`.
struct DefDecl : Decl {
  bool isExport = false;
  bool isExtern = false;
  ArrayRef<TypeParam> typeParams;
  ArrayRef<Param> params;
  /// The type after `->`; null without one and with named results.
  TypeExpr *result = nullptr;
  /// `-> (t: f32[n], k: int)`; empty otherwise.
  ArrayRef<NamedResult> namedResults;
  ArrayRef<Expr *> where;
  /// Null for `extern`. `= e` is a block of one statement.
  Block *body = nullptr;

  DefDecl(SMRange range, ArrayRef<Attr> attrs, Name name)
      : Decl(Kind::Def, range, attrs, name) {}
  static bool classof(const Decl *d) { return d->kind == Kind::Def; }
};

/// `struct Body { pos: f32[3], mass: f32 }`.
struct StructDecl : Decl {
  ArrayRef<Param> fields;

  StructDecl(SMRange range, ArrayRef<Attr> attrs, Name name,
             ArrayRef<Param> fields)
      : Decl(Kind::Struct, range, attrs, name), fields(fields) {}
  static bool classof(const Decl *d) { return d->kind == Kind::Struct; }
};

/// `type real = f32`. A `-D` has already replaced the type.
struct AliasDecl : Decl {
  TypeExpr *type;

  AliasDecl(SMRange range, ArrayRef<Attr> attrs, Name name, TypeExpr *type)
      : Decl(Kind::Alias, range, attrs, name), type(type) {}
  static bool classof(const Decl *d) { return d->kind == Kind::Alias; }
};

/// `const Q: int = 9`; the type may be null. A `-D` has already replaced the
/// value.
struct ConstDecl : Decl {
  TypeExpr *type;
  Expr *value;

  ConstDecl(SMRange range, ArrayRef<Attr> attrs, Name name, TypeExpr *type,
            Expr *value)
      : Decl(Kind::Const, range, attrs, name), type(type), value(value) {}
  static bool classof(const Decl *d) { return d->kind == Kind::Const; }
};

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// One parsed file.
struct Module {
  /// As it is shown in messages.
  std::string path;
  /// In the order in which they are written.
  std::vector<Decl *> decls;
};

/// A file with everything that it imports.
struct Program {
  /// Imported files before the ones that import them; the last is the main one.
  std::vector<Module *> modules;

  Module *main() const { return modules.empty() ? nullptr : modules.back(); }
};

/// Owns the nodes.
class Context {
public:
  /// Makes a node in the arena.
  template <typename T, typename... Args> T *make(Args &&...args) {
    return new (arena.Allocate<T>()) T{std::forward<Args>(args)...};
  }

  /// Copies a list into the arena.
  template <typename T> ArrayRef<T> copy(ArrayRef<T> list) {
    return list.copy(arena);
  }

  /// Copies text into the arena.
  StringRef copy(StringRef text) { return text.copy(arena); }

  /// Makes a module, freed with the context.
  Module *makeModule(std::string path) {
    modules.push_back(std::make_unique<Module>());
    modules.back()->path = std::move(path);
    return modules.back().get();
  }

private:
  llvm::BumpPtrAllocator arena;
  std::vector<std::unique_ptr<Module>> modules;
};

/// Prints the tree, one node a line, indented; for tests.
void dump(const Module &module, llvm::raw_ostream &os);
/// Prints one expression on one line, fully parenthesised; for tests.
void dump(const Expr &expr, llvm::raw_ostream &os);

} // namespace arrc::ast

#endif // ARRC_FRONTEND_AST_H
