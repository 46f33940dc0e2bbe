//===- SemaState.h - What the checker works with ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Values, functions, names and their scopes, declarations, and the blocks that
/// are being written, with what is known in them.
///
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_FRONTEND_CHECK_SEMASTATE_H
#define ARRC_LIB_FRONTEND_CHECK_SEMASTATE_H

#include "arrc/Frontend/AST.h"
#include "arrc/Frontend/HIR.h"
#include "arrc/Frontend/SizeFacts.h"

#include "llvm/ADT/StringMap.h"

namespace arrc::sema {

using hir::Expr;
using hir::Variable;
using llvm::ArrayRef;
using llvm::SMRange;
using llvm::StringRef;

struct Scope;
struct ModuleInfo;
struct TopDecl;

/// Whether constants of the kind are held as integers.
bool isIntLike(ScalarKind k);

/// A function value; known while checking, never at run time.
struct FnValue {
  enum class Kind : uint8_t {
    /// A `def` of the program.
    Def,
    Lambda,
    /// A built-in function or combinator, by name.
    Builtin,
    /// `(+)`
    Section,
    /// A parameter of a function that is checked by itself.
    Opaque,
  };

  Kind kind;
  SMRange loc;
  std::string name;
  /// Of a Def.
  TopDecl *decl = nullptr;
  /// Of a Lambda: itself and the scope that it was written in.
  const ast::LambdaExpr *lambda = nullptr;
  Scope *scope = nullptr;
  const ModuleInfo *module = nullptr;
  /// Of a Lambda: how many bindings there were where it was written. It sees
  /// no later ones.
  unsigned numBindings = ~0u;
  /// Of a Def or Lambda: how many functions were being expanded where it was
  /// named or written. What it calls is called from there.
  size_t numExpanding = ~size_t(0);
  /// Of a Section.
  ast::BinaryOp op = ast::BinaryOp::Add;
  /// Of an Opaque one, and of a Lambda given to a parameter of `fn` type.
  Type type;
};

/// What an expression is: a value, or a function.
struct Value {
  /// The value; null for a function. Of a view it is the array inside.
  Expr *expr = nullptr;
  /// Of a view: its `Extend`, the variable that holds it, or a field of it.
  Expr *view = nullptr;
  /// Of a function.
  FnValue *fn = nullptr;

  Value() = default;
  /*implicit*/ Value(Expr *expr) : expr(expr) {}
  explicit Value(FnValue *fn) : fn(fn) {}
};

/// What a local name stands for.
struct Binding {
  enum class Kind : uint8_t {
    Variable,
    /// A `let` whose value is open: each use gets a copy of `expr`.
    Open,
    /// A size of an expanded function, or a constant.
    Size,
    Function,
    /// A type parameter.
    Type,
    /// Reported already.
    Error,
  };

  Kind kind = Kind::Error;
  /// Numbered in order of creation.
  unsigned id = 0;
  std::string name;
  SMRange loc;
  Variable *var = nullptr;
  Expr *expr = nullptr;
  Expr *view = nullptr;
  arrc::Size size;
  FnValue *fn = nullptr;
  arrc::Type type;
  /// Warn if it is never used.
  bool warnUnused = false;
  bool used = false;
  /// The `end` of a subscript, which gives way to any other meaning.
  bool isEnd = false;
};

/// Names of a block. Scopes live as long as the checker, for lambdas.
struct Scope {
  enum class Kind : uint8_t {
    Block,
    /// The outermost of a function.
    Function,
    /// The body of a `for`, combinator or lambda: outer `var`s cannot be
    /// assigned in it.
    Body,
  };

  Kind kind;
  Scope *parent;
  const ModuleInfo *module;
  /// Of a lambda: the first binding that it does not see in the scopes around.
  unsigned limit = ~0u;
  llvm::StringMap<Binding *> names;
};

/// A declaration at the top of a file.
struct TopDecl {
  enum class State : uint8_t { New, Working, Done, Bad };

  ast::Decl *decl;
  ModuleInfo *module;
  State state = State::New;
  bool used = false;
  /// Of a type or struct, once done.
  Type type;
  /// Of a const: its value as the expression is first made, and the type that
  /// was declared for it.
  Expr *value = nullptr;
  /// Of a def: what its own check made, if there was no error.
  hir::Def *hir = nullptr;
  /// Of a def: whether its own check found errors.
  bool bad = false;
};

/// The declarations of a file.
struct ModuleInfo {
  ast::Module *ast;
  bool isMain = false;
  llvm::StringMap<TopDecl *> names;
  std::vector<TopDecl *> order;
};

/// A block that is being written.
struct Builder {
  hir::Block *block;
  /// Whether it may be skipped though the block around it runs: things that may
  /// fail are not moved out of it.
  bool conditional = false;
  /// Known here.
  SizeFacts facts;
  /// Temporaries by what they hold.
  llvm::StringMap<Variable *> temporaries;

  Builder(hir::Block *block, const SizeFacts *outer, bool conditional)
      : block(block), conditional(conditional), facts(outer) {}
};

/// A dimension that a bare index was used for.
struct BareUse {
  Size size;
  std::string array;
  SMRange loc;
};

/// What the checker knows of a variable beside its type.
struct VarInfo {
  /// Of an immutable int: its value in other variables.
  std::optional<Size> value;
  /// Of a `let`: what it holds.
  Expr *init = nullptr;
  /// Which builder, counted from outside, has its `Let`; of a `var`, its last
  /// assignment.
  unsigned level = 0;
  /// Of a `var`: how often it was assigned.
  unsigned version = 0;
  /// Of a `var` whose size changes: the sizes of this version.
  std::vector<Dim> dims;
  /// A temporary with an open value may still be closed.
  bool openTemporary = false;
  /// Of an index: where it stood bare.
  std::vector<BareUse> bare;
  /// Of an index: whether its range is to be found from where it stands.
  bool bareable = false;
  /// Of an index: its range, once known.
  std::optional<hir::Range> range;
};

/// What a typed place wants of the value that is written for it.
enum class Purpose : uint8_t {
  Let,
  Argument,
  Result,
  Assign,
  Element,
  Field,
  Other
};

} // namespace arrc::sema

#endif // ARRC_LIB_FRONTEND_CHECK_SEMASTATE_H
