//===- HIR.h - The checked program ------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What the checker makes of each export, and what the importer walks: a typed,
// monomorphic tree in which nothing is left to decide.
//
//  - Calls of functions and lambdas are expanded in place; a node keeps the
//    place in the callee and the chain of calls (`CallSite`).
//  - No open type is left, every conversion is a node, and operands of one
//    `Binary` have one scalar type. Operators and functions take scalars: an
//    elementwise operation on arrays is a `Comp` of kind Map, and a whole
//    expression of them is one `Comp`.
//  - Each dimension has a `Size` over variables that are in scope. A size that
//    is known only at run time is a variable too, bound by a `Let` of a `DimOf`
//    right behind the value that has it. Variables are unique objects: no
//    names need to be resolved, and nothing is ever used before its `Let`.
//  - Sizes that are not proved to be equal are compared by a `Check`.
//  - Bodies are `Block`s: statements and a value. Evaluation order is the order
//    of the text; expressions assign nothing, but for a `Block` of an `If`.
//
// Structs and tuples are trees of components. `Type::leaves` gives the flat
// list that the importer makes tensors of.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_FRONTEND_HIR_H
#define ARRC_FRONTEND_HIR_H

#include "arrc/Frontend/Type.h"

#include "llvm/Support/Casting.h"
#include "llvm/Support/SMLoc.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace arrc::hir {

struct Expr;
struct Stmt;

/// A call that was expanded: nodes inside point to it, and it to the call
/// around it.
struct CallSite {
  llvm::SMRange call;
  const CallSite *outer;
  std::string callee;
  /// What an error in the function may come from, and the argument that says
  /// it.
  std::string remark = {};
  llvm::SMRange argument = {};
};

/// A variable; every binding has its own.
struct Variable {
  enum class Kind : uint8_t {
    /// A parameter of the export.
    Param,
    /// Fixed by its `Let`: the user's `let`, a size name, a temporary.
    Let,
    /// The user's `var`: changed by `Assign`.
    Var,
    /// An index of a `Comp` or `Loop`; type int.
    Index,
    /// An argument of the operator of a `Comp`.
    Arg,
  };

  Kind kind;
  /// As the user wrote it. Of a temporary: the text of its value, a number
  /// after '%', or after '?' for a size without a name.
  std::string name;
  Type type;
  llvm::SMRange loc;
  /// Numbered in order of creation.
  unsigned id = 0;
  /// Of a `var` with a declared `?` dimension: its size may change; each use
  /// has the size of that moment.
  bool changesSize = false;
};

/// A sequence of statements, then the value.
struct Block {
  std::vector<Stmt *> stmts;
  /// Null if the block has none.
  Expr *value = nullptr;
};

/// The values `lo`, `lo + step`, .. : `size` many.
struct Range {
  Size lo;
  Size size;
  /// May be negative; a constant unless it is a variable.
  Size step = 1;
  /// Whether `size` is proved to be at least 0. If not: where the range makes a
  /// dimension a `Check` stands before it; elsewhere a negative size means no
  /// iterations.
  bool nonNegative = false;
  /// Of a slice, and of a range whose `size` is no polynomial: where it ends,
  /// exclusive.
  std::optional<Size> end;
};

/// `@tile(32, 8)`: a checked attribute.
struct Attr {
  std::string name;
  std::vector<int64_t> args;
};

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

struct Expr {
  enum class Kind : uint8_t {
    Const,
    VarRef,
    SizeValue,
    DimOf,
    Unary,
    Binary,
    Call,
    Convert,
    If,
    Index,
    Extend,
    ArrayLit,
    Tuple,
    Field,
    Comp,
    ArrayOp,
    ExternCall,
    /// A call of a function parameter, while a function is checked by itself.
    /// Never in an export.
    Opaque,
    /// Reported; never in a program without errors.
    Error,
  };

  Kind kind;
  Type type;
  llvm::SMRange loc;
  /// The expanded call that this stands in, or null.
  const CallSite *site = nullptr;
  /// Under `@fast`, under `@unsafe`, under `@exact`.
  bool fast = false;
  bool unsafe = false;
  bool exact = false;

  virtual ~Expr() = default;

protected:
  Expr(Kind kind, Type type, llvm::SMRange loc)
      : kind(kind), type(std::move(type)), loc(loc) {}
};

/// A scalar constant of its type, already rounded to it.
struct ConstExpr : Expr {
  /// Of an integer: two's complement, sign extended for signed types; of a
  /// bool 0 or 1.
  int64_t intValue = 0;
  /// Of a float: exactly the value (f16, bf16, f32 are exact in a double); of
  /// a complex number its real part.
  double floatValue = 0;
  double imagValue = 0;
  /// While open: an integer beyond int64 (up to 2^64-1), and the literal's
  /// digits.
  bool isLargeUnsigned = false;
  std::string text;

  ConstExpr(Type type, llvm::SMRange loc)
      : Expr(Kind::Const, std::move(type), loc) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Const; }
};

/// The value of a variable (of a `var`: at this moment).
struct VarRefExpr : Expr {
  Variable *var;

  VarRefExpr(Variable *var, Type type, llvm::SMRange loc)
      : Expr(Kind::VarRef, std::move(type), loc), var(var) {}
  static bool classof(const Expr *e) { return e->kind == Kind::VarRef; }
};

/// A size as an int.
struct SizeExpr : Expr {
  Size size;

  SizeExpr(Size size, llvm::SMRange loc)
      : Expr(Kind::SizeValue, Type::integer(), loc), size(std::move(size)) {}
  static bool classof(const Expr *e) { return e->kind == Kind::SizeValue; }
};

/// The size of one dimension of an array, asked at run time (`tensor.dim`). Of
/// a struct or tuple: of its first leaf. The array may be a row of a ragged
/// one.
struct DimOfExpr : Expr {
  Expr *array;
  unsigned dim;

  DimOfExpr(Expr *array, unsigned dim, llvm::SMRange loc)
      : Expr(Kind::DimOf, Type::integer(), loc), array(array), dim(dim) {}
  static bool classof(const Expr *e) { return e->kind == Kind::DimOf; }
};

enum class UnaryOp : uint8_t { Neg, Not };

/// A scalar operation of one operand, of the operand's type.
struct UnaryExpr : Expr {
  UnaryOp op;
  Expr *operand;

  UnaryExpr(UnaryOp op, Expr *operand, Type type, llvm::SMRange loc)
      : Expr(Kind::Unary, std::move(type), loc), op(op), operand(operand) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Unary; }
};

enum class BinaryOp : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  FloorDiv,
  Mod,
  Pow,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  /// Both sides are computed: the checker makes an `If` where the right side
  /// may fail or is long.
  And,
  Or,
};

/// A scalar operation of two operands of one type; comparisons give bool. Of
/// Pow with an integer exponent and a float base the exponent keeps its integer
/// type.
struct BinaryExpr : Expr {
  BinaryOp op;
  Expr *lhs;
  Expr *rhs;
  /// Of an integer // and %: the divisor is proved not to be 0.
  bool nonZero = false;

  BinaryExpr(BinaryOp op, Expr *lhs, Expr *rhs, Type type, llvm::SMRange loc)
      : Expr(Kind::Binary, std::move(type), loc), op(op), lhs(lhs), rhs(rhs) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Binary; }
};

/// Built-in scalar functions: rows `FUNCTION(enumerator, name, ...)` of
/// Builtins.def.
enum class Function : uint8_t {
#define FUNCTION(id, name, minArgs, maxArgs, rule) id,
#include "arrc/Frontend/Builtins.def"
};
/// The name in the language.
llvm::StringRef name(Function function);

/// A built-in function of scalars. Arguments that meet have the type of the
/// result (of `isnan` and its like: of each other). Of `philox` the result is
/// u32[4]. `uniform` and `normal` have the key and four int counters (0 where
/// none was written; `numCounters` says how many were), `randint` then lo and
/// hi.
struct CallExpr : Expr {
  Function function;
  std::vector<Expr *> args;
  /// Of the random functions: how many counters were written, 1 to 4.
  unsigned numCounters = 0;

  CallExpr(Function function, std::vector<Expr *> args, Type type,
           llvm::SMRange loc)
      : Expr(Kind::Call, std::move(type), loc), function(function),
        args(std::move(args)) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Call; }
};

/// A scalar converted to `type`, by the rules of a conversion call: float to
/// integer toward zero, saturating, NaN to 0; to bool `x != 0`.
struct ConvertExpr : Expr {
  Expr *operand;

  ConvertExpr(Expr *operand, Type type, llvm::SMRange loc)
      : Expr(Kind::Convert, std::move(type), loc), operand(operand) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Convert; }
};

/// A value by condition, of any type; only the branch that is taken counts.
/// The blocks may assign outer variables.
struct IfExpr : Expr {
  Expr *condition;
  Block *thenBlock;
  Block *elseBlock;

  IfExpr(Expr *condition, Block *thenBlock, Block *elseBlock, Type type,
         llvm::SMRange loc)
      : Expr(Kind::If, std::move(type), loc), condition(condition),
        thenBlock(thenBlock), elseBlock(elseBlock) {}
  static bool classof(const Expr *e) { return e->kind == Kind::If; }
};

/// One subscript.
struct Sub {
  enum class Kind : uint8_t {
    /// `index` is an integer scalar of any integer type.
    Point,
    /// `range` is what is taken; its size is the dimension of the result.
    Slice,
    /// `index` is an array of integers; its dimensions stand in the result
    /// where the subscript stood.
    Gather,
  };

  Kind kind;
  Expr *index = nullptr;
  Range range;
  /// Proved to lie inside; else it is an error at run time if it does not. Of
  /// an extended dimension: proved not to be empty.
  bool inBounds = false;
  /// Of a point: the dimension is proved not to be empty.
  bool notEmpty = false;
  llvm::SMRange loc;
};

/// Some of an array, a view (`Extend`), or an array of structs; dimensions
/// without a subscript stay whole. All subscripts of a view are points.
struct IndexExpr : Expr {
  Expr *base;
  std::vector<Sub> subs;

  IndexExpr(Expr *base, std::vector<Sub> subs, Type type, llvm::SMRange loc)
      : Expr(Kind::Index, std::move(type), loc), base(base),
        subs(std::move(subs)) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Index; }
};

enum class Boundary : uint8_t { None, Clamp, Wrap, Mirror, Reflect, Fill };

/// `extend(a, modes)`: an array that is read beyond its edges. It is the value
/// of a `Let`, or the base of an `Index` (possibly through `Field`s), and
/// nothing else.
struct ExtendExpr : Expr {
  Expr *array;
  /// One a dimension.
  std::vector<Boundary> modes;
  /// One a dimension: the value of Fill, of the element's type; else null.
  std::vector<Expr *> fills;

  ExtendExpr(Expr *array, std::vector<Boundary> modes,
             std::vector<Expr *> fills, Type type, llvm::SMRange loc)
      : Expr(Kind::Extend, std::move(type), loc), array(array),
        modes(std::move(modes)), fills(std::move(fills)) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Extend; }
};

/// `[a, b]`: elements, or arrays of one shape that are stacked.
struct ArrayLitExpr : Expr {
  std::vector<Expr *> elements;

  ArrayLitExpr(std::vector<Expr *> elements, Type type, llvm::SMRange loc)
      : Expr(Kind::ArrayLit, std::move(type), loc),
        elements(std::move(elements)) {}
  static bool classof(const Expr *e) { return e->kind == Kind::ArrayLit; }
};

/// A tuple, or a struct with its fields in declared order. Its type may also be
/// an array of structs: then the elements are arrays, one a component.
struct TupleExpr : Expr {
  std::vector<Expr *> elements;

  TupleExpr(std::vector<Expr *> elements, Type type, llvm::SMRange loc)
      : Expr(Kind::Tuple, std::move(type), loc), elements(std::move(elements)) {
  }
  static bool classof(const Expr *e) { return e->kind == Kind::Tuple; }
};

/// Component `number` of a tuple, a struct, or an array or view of them.
struct FieldExpr : Expr {
  Expr *base;
  unsigned number;

  FieldExpr(Expr *base, unsigned number, Type type, llvm::SMRange loc)
      : Expr(Kind::Field, std::move(type), loc), base(base), number(number) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Field; }
};

/// The operator of a reduction, scan or histogram. All but Lambda work
/// component by component and, on arrays, element by element.
enum class Combiner : uint8_t {
  Add,
  Mul,
  /// NaN propagates, -0 is less than 0.
  Min,
  Max,
  And,
  Or,
  /// Of a body (value): the result is the position, an int, or a tuple of ints
  /// if there are several indices; the first of equals, the first NaN wins.
  ArgMin,
  ArgMax,
  /// `op` of the comprehension.
  Lambda,
};

/// One index of a comprehension.
struct CompIndex {
  /// An int that runs over the values of `range`.
  Variable *var;
  Range range;
  /// Whether the range depends on an index to the left; then `prelude` is
  /// evaluated for each value of those, and the range may use its variables.
  bool dependent = false;
  Block *prelude = nullptr;
};

/// `for`, `stencil` and the combinators.
///
/// | kind | value of the body | result |
/// |---|---|---|
/// | Map, Stencil | any | array: sizes of the indices, then the body's shape |
/// | Filter | any | one dimension of unknown size, row-major order |
/// | Reduce | any | folded by `combiner`, starting with `init` |
/// | Scan | any, one index | array; `exclusive` begins with `init` |
/// | Hist | tuple (bin, value) | `into` with `combiner` applied |
/// | Scatter | tuple (index, value) | `into` with elements or rows replaced |
///
/// Map and Stencil have no condition. Reduce, Scan: `init` is null where the
/// combiner is built in and the neutral element meant. A Map whose body makes
/// rows of different sizes has a ragged type; the importer lowers it first.
struct CompExpr : Expr {
  enum class CompKind : uint8_t {
    Map,
    Stencil,
    Filter,
    Reduce,
    Scan,
    Hist,
    Scatter
  };
  enum class OutOfBounds : uint8_t { Error, Drop, Clamp };

  CompKind compKind;
  std::vector<CompIndex> indices;
  /// After `if`: a bool; null without. Its statements run for every index, and
  /// the body may use what they bind (so may ranges to the right, the condition
  /// and the body use what a prelude binds).
  Block *condition = nullptr;
  Block *body = nullptr;

  Combiner combiner = Combiner::Add;
  /// Of Combiner::Lambda: two arguments and the value.
  Variable *lhs = nullptr;
  Variable *rhs = nullptr;
  Block *op = nullptr;
  /// The first value of a fold; of ExScan and Hist the neutral element `e`.
  Expr *init = nullptr;
  bool exclusive = false;

  /// Of Hist: how many bins, one a dimension; every bin starts as `init`.
  std::vector<Size> bins;
  /// Of Scatter: the array.
  Expr *into = nullptr;
  OutOfBounds oob = OutOfBounds::Error;

  std::vector<Attr> attrs;
  /// Whether the user wrote it; else it is an elementwise operation.
  bool written = true;

  CompExpr(CompKind compKind, Type type, llvm::SMRange loc)
      : Expr(Kind::Comp, std::move(type), loc), compKind(compKind) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Comp; }
};

/// Array functions that are not comprehensions.
struct ArrayOpExpr : Expr {
  enum class Op : uint8_t {
    /// Row-major; the result's type says the sizes, which multiply to the same
    /// number (a `Check` stands before if that is not proved). `flatten` of a
    /// ragged array too.
    Reshape,
    /// Of `args`, along `axis`.
    Concat,
    /// Stable, ascending, NaN last, along `axis`.
    Sort,
    /// The permutation, as ints.
    ArgSort,
    /// Of offsets that never fall, beginning with 0, and a place below the
    /// last: the number of the row that it lies in, an int.
    RowOf,
    /// The value, of whose arrays nothing that makes them is fused into what
    /// reads them.
    Fence,
  };

  Op op;
  std::vector<Expr *> args;
  unsigned axis = 0;
  /// Of a sort with `by`: the key of the element `key`.
  Variable *keyArg = nullptr;
  Block *key = nullptr;

  ArrayOpExpr(Op op, std::vector<Expr *> args, Type type, llvm::SMRange loc)
      : Expr(Kind::ArrayOp, std::move(type), loc), op(op),
        args(std::move(args)) {}
  static bool classof(const Expr *e) { return e->kind == Kind::ArrayOp; }
};

/// A call of an `extern def`.
struct ExternCallExpr : Expr {
  std::string callee;
  std::vector<Expr *> args;
  /// The sizes that the function of C takes: of each array those that have no
  /// name, and the names that no one before it has.
  std::vector<Size> sizes;

  ExternCallExpr(std::string callee, std::vector<Expr *> args, Type type,
                 llvm::SMRange loc)
      : Expr(Kind::ExternCall, std::move(type), loc), callee(std::move(callee)),
        args(std::move(args)) {}
  static bool classof(const Expr *e) { return e->kind == Kind::ExternCall; }
};

/// See `Expr::Kind`.
struct OpaqueExpr : Expr {
  std::vector<Expr *> args;

  OpaqueExpr(std::vector<Expr *> args, Type type, llvm::SMRange loc)
      : Expr(Kind::Opaque, std::move(type), loc), args(std::move(args)) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Opaque; }
};

/// See `Expr::Kind`.
struct ErrorExpr : Expr {
  explicit ErrorExpr(llvm::SMRange loc)
      : Expr(Kind::Error, Type::error(), loc) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Error; }
};

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

struct Stmt {
  enum class Kind : uint8_t { Let, Assign, If, While, Loop, Check, Eval };

  Kind kind;
  llvm::SMRange loc;
  const CallSite *site = nullptr;

  virtual ~Stmt() = default;

protected:
  Stmt(Kind kind, llvm::SMRange loc) : kind(kind), loc(loc) {}
};

/// Binds a Let or Var variable. The value has the variable's type.
struct LetStmt : Stmt {
  Variable *var;
  Expr *init;

  LetStmt(Variable *var, Expr *init, llvm::SMRange loc)
      : Stmt(Kind::Let, loc), var(var), init(init) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Let; }
};

/// A step from a variable to a part of it.
struct PlaceStep {
  /// A component if `subs` is empty.
  unsigned field = 0;
  /// Points and slices, as in `Index`; may be fewer than the rank.
  std::vector<Sub> subs;
  /// What this step leads to.
  Type type;

  bool isField() const { return subs.empty(); }
};

/// Changes a Var, or a part of it. The value has the type of the place, or is
/// one element that fills it.
struct AssignStmt : Stmt {
  Variable *var;
  std::vector<PlaceStep> path;
  Expr *value;
  /// Under `@inplace`.
  bool inplace = false;

  AssignStmt(Variable *var, std::vector<PlaceStep> path, Expr *value,
             llvm::SMRange loc)
      : Stmt(Kind::Assign, loc), var(var), path(std::move(path)), value(value) {
  }
  static bool classof(const Stmt *s) { return s->kind == Kind::Assign; }
};

/// An `if` without a value; `elseBlock` may be null.
struct IfStmt : Stmt {
  Expr *condition;
  Block *thenBlock;
  Block *elseBlock;

  IfStmt(Expr *condition, Block *thenBlock, Block *elseBlock, llvm::SMRange loc)
      : Stmt(Kind::If, loc), condition(condition), thenBlock(thenBlock),
        elseBlock(elseBlock) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::If; }
};

/// The condition is a block with a bool as value, evaluated before each round.
struct WhileStmt : Stmt {
  Block *condition;
  Block *body;

  WhileStmt(Block *condition, Block *body, llvm::SMRange loc)
      : Stmt(Kind::While, loc), condition(condition), body(body) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::While; }
};

/// A counted loop, in order.
struct LoopStmt : Stmt {
  Variable *index;
  Range range;
  Block *body;
  std::vector<Attr> attrs;

  LoopStmt(Variable *index, Range range, Block *body, llvm::SMRange loc)
      : Stmt(Kind::Loop, loc), index(index), range(std::move(range)),
        body(body) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Loop; }
};

enum class CheckKind : uint8_t { Input, Assert, Index, Size, Divide };

/// An error at run time unless the condition holds; the values fill {0}, {1}.
struct CheckStmt : Stmt {
  CheckKind check;
  Expr *condition;
  std::string message;
  std::vector<Expr *> values;
  /// What fits 64 bits if this is passed, beside what the condition says.
  std::vector<Size> fits;

  CheckStmt(CheckKind check, Expr *condition, std::string message,
            std::vector<Expr *> values, llvm::SMRange loc)
      : Stmt(Kind::Check, loc), check(check), condition(condition),
        message(std::move(message)), values(std::move(values)) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Check; }
};

/// Evaluates an expression for its checks alone; rare.
struct EvalStmt : Stmt {
  Expr *expr;

  EvalStmt(Expr *expr, llvm::SMRange loc) : Stmt(Kind::Eval, loc), expr(expr) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Eval; }
};

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// A parameter of an export.
struct Param {
  Variable *var;
  /// The type as the user wrote it, `f32[n, m]`, and each dimension.
  std::string typeText;
  std::vector<std::string> dimTexts;
  /// A constant of the parameter's type, or null.
  Expr *defaultValue = nullptr;
};

/// A result of an export.
struct Result {
  /// The declared name, or `out`, `out0`, ..
  std::string name;
  Type type;
  std::string typeText;
  std::vector<std::string> dimTexts;
};

/// An export.
struct Def {
  std::string name;
  llvm::SMRange loc;
  std::vector<Param> params;
  /// Runs first: a `Let` for each size name (from `DimOf` of a parameter), then
  /// `Check`s of kind Input for the other dimensions and for `where`. After it
  /// every dimension of a parameter equals the `Size` of its type.
  Block *entry = nullptr;
  /// The value has the type of the result; with several results it is a tuple
  /// of them.
  Block *body = nullptr;
  std::vector<Result> results;
  std::vector<Attr> attrs;
};

/// Everything that the importer needs; owns its nodes.
class Program {
public:
  /// The exports of the main file in the order of the text.
  std::vector<Def *> exports;
  /// The functions of C that the program declares; without bodies.
  std::vector<Def *> externs;

  /// Makes a node.
  template <typename T, typename... Args> T *make(Args &&...args) {
    auto owned = std::make_unique<Holder<T>>(std::forward<Args>(args)...);
    T *node = &owned->value;
    nodes.push_back(std::move(owned));
    return node;
  }
  /// The number of nodes made so far.
  size_t size() const { return nodes.size(); }

private:
  struct HolderBase {
    virtual ~HolderBase() = default;
  };
  template <typename T> struct Holder : HolderBase {
    template <typename... Args>
    explicit Holder(Args &&...args) : value{std::forward<Args>(args)...} {}
    T value;
  };
  std::deque<std::unique_ptr<HolderBase>> nodes;
};

/// Prints the tree in a form close to the language; for tests and for people.
void print(const Program &program, llvm::raw_ostream &os);
void print(const Def &def, llvm::raw_ostream &os);
/// One expression.
void print(const Expr &expr, llvm::raw_ostream &os);

} // namespace arrc::hir

#endif // ARRC_FRONTEND_HIR_H
