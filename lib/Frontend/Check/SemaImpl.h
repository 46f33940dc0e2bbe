//===- SemaImpl.h - The checker's working state -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// One `Checker` walks the AST and writes HIR as it goes. A call of a user's
// function is expanded where it stands, so the walk visits a function once for
// each call and once by itself.
//
// Where things are:
//   SemaState.h           values, bindings, scopes, what is known of variables
//   Sema.cpp              entry, declarations, constants, attributes
//   SemaDefs.cpp          a function by itself: parameters, sizes, results
//   SemaSizeNames.cpp     names of sizes that parameters bind
//   SemaWhere.cpp         what `where` promises
//   SemaTypes.cpp         written types
//   SemaSizes.cpp         values as sizes, size checks
//   SemaTemporaries.cpp   names for values that are no names
//   SemaStmts.cpp         blocks and statements
//   SemaAssign.cpp        places, assignments, versions of a `var`
//   SemaExprs.cpp         literals, `if`, tuples, fields
//   SemaNames.cpp         scopes, what a name stands for
//   SemaElements.cpp      elementwise operations
//   SemaOperators.cpp     operators, `@`
//   SemaConversions.cpp   meeting, conversion to a type
//   SemaOpenTypes.cpp     open values take a type
//   SemaIndexing.cpp      subscripts, slices, places
//   SemaViews.cpp         `extend`
//   SemaFor.cpp           `for` and `stencil`
//   SemaCombinators.cpp   `sum for` and its kin
//   SemaFolds.cpp         the three steps of a fold
//   SemaCombinatorCalls.cpp  the same in the call form
//   SemaCalls.cpp         arguments, calls of lambdas and structs
//   SemaDefCalls.cpp      calls of functions of the program
//   SemaGenerics.cpp      type parameters; structs by call
//   SemaBuiltins.cpp      built-in functions
//   SemaArrayFunctions.cpp  those of arrays
//   SemaConstants.cpp     evaluation at compile time
//   SemaConstantArrays.cpp  that of folds and arrays
//   SemaStencils.cpp      the promise of `stencil`
//   SemaBounds.cpp        which subscripts are proved to be inside
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_FRONTEND_CHECK_SEMAIMPL_H
#define ARRC_LIB_FRONTEND_CHECK_SEMAIMPL_H

#include "SemaState.h"

#include "arrc/Frontend/Diagnostics.h"
#include "arrc/Frontend/Sema.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

#include <functional>

namespace arrc::sema {

class Checker {
public:
  Checker(const ast::Program &ast, DiagnosticEngine &diags,
          const SemaOptions &options);
  std::unique_ptr<hir::Program> run();

  //===--- Declarations (Sema.cpp, SemaDefs.cpp) --------------------------===//
private:
  void collect(ast::Module *module);
  void resolveType(TopDecl &decl);
  void resolveConst(TopDecl &decl);
  struct ContextScope;
  /// The names in a written size, in order.
  static void collectSizeNames(const ast::Expr *e,
                               std::vector<const ast::NameExpr *> &names);
  void unboundNames(const ast::Expr *e,
                    std::vector<const ast::NameExpr *> &names);
  /// Binds the sizes of a type that is in error, so that none of their uses is
  /// an error of its own.
  void excuseSizes(const ast::TypeExpr *t);
  Type settleOwnDims(const ast::Param &p, const Type &declared,
                     const Type &raw);
  static bool isExportable(const Type &t);
  void checkExportHead(const ast::DefDecl *def);
  /// Reports types that no function of C can take or give.
  void checkExternTypes(const ast::DefDecl *def, const hir::Def &own,
                        const Type &result);
  void checkDef(TopDecl &decl);
  void warnUnusedImports(ModuleInfo &module);
  /// Validates attributes; gives those that go into the tree.
  std::vector<hir::Attr> checkAttrs(ArrayRef<ast::Attr> attrs, StringRef place,
                                    unsigned numIndices = 0);
  /// Binds the parameters of a function that is checked by itself.
  void bindOwnParams(const ast::DefDecl *def, hir::Def &out);
  std::optional<bool> prove(Expr *condition);
  void addWhere(const ast::DefDecl *def, bool isEntry);
  /// Tells the prover what a `bool` says that is known to be true.
  void addFacts(Expr *condition, SizeFacts &facts);
  std::vector<hir::Result> describeResults(const ast::DefDecl *def, Type type);
  std::string sourceText(SMRange range) const;
  /// The same if it is short and in one line, else "..".
  std::string shortText(SMRange range) const;

  //===--- Types (SemaTypes.cpp) ------------------------------------------===//
  /// What `?` and unbound names do in a written type.
  enum class TypeUse : uint8_t {
    /// All names are bound; `?` is an error.
    Plain,
    /// `?` is unknown, `?k` binds k to what the value has.
    Declared,
    /// Sizes are constants.
    Constant,
  };
  Type typeOf(const ast::TypeExpr *t, TypeUse use);
  /// The type, or an error if it has too many scalars.
  Type withinLimit(Type type, SMRange range);
  std::optional<Size> dimOf(const ast::Dim &dim, TypeUse use);
  /// Whether a size is written in numbers and constants of the file alone.
  bool namesConstants(const ast::Dim &dim);
  /// The type with a name for each `?` behind the first dimension.
  std::string boxText(const ast::ArrayType *t);
  void requireSame(const Size &declared, const Size &have, SMRange loc,
                   StringRef name);
  /// A type of that name, or an empty type.
  Type lookupType(const ast::Name &module, const ast::Name &name, bool report);
  bool isTypeName(const ast::Expr *e);
  /// Whether a size is the placeholder for `?` or `?k`.
  bool isUnknown(const Size &s) const;
  bool hasUnknown(const Type &t) const;

  //===--- Sizes (SemaSizes.cpp) ------------------------------------------===//
  Size toSize(Expr *e);
  /// The same, but nothing if that takes a temporary.
  std::optional<Size> polynomial(Expr *e, const SizeFacts &facts);
  std::optional<Size> polynomial(Expr *e) { return polynomial(e, facts()); }
  /// A polynomial that is equal to the value modulo 2^64.
  std::optional<Size> ringPolynomial(Expr *e, const SizeFacts &facts);
  std::optional<int64_t> constantInt(Expr *e);
  Expr *sizeExpr(const Size &s, SMRange loc);
  /// The largest level of the variables, 0 without any.
  unsigned levelOf(const Size &s);
  /// Text that two expressions share only if they have one value; empty if
  /// there is no such text.
  std::string keyOf(Expr *e);
  /// A variable with the value of the expression, in the current block.
  Variable *temporary(Expr *e, StringRef name = "");
  /// The same as an expression; simple expressions stay as they are.
  Expr *reference(Expr *e, StringRef name = "");
  Builder &earliestBuilder(unsigned level);
  Type nameUnknowns(const Type &t, Expr *access, SMRange loc);
  /// Whether two sizes are equal; emits a check if that is undecided, and
  /// returns false if they differ.
  bool requireEqual(const Size &a, const Size &b, SMRange loc,
                    const std::string &what);
  /// Emits a check that a size is not negative unless that is proved. Returns
  /// false if it certainly is.
  bool requireNonNegative(const Size &s, SMRange loc, const std::string &what);
  void emitCheck(hir::CheckKind kind, Expr *condition, std::string message,
                 std::vector<Expr *> values, SMRange loc);
  bool equalShapes(const Type &a, const Type &b, SMRange loc,
                   const std::string &what);
  /// Replaces every unknown size in the type by a variable that is bound from
  /// the value.
  Expr *bindUnknowns(Expr *e);
  static bool isIntScalar(const Type &t) {
    return t.isScalar() &&
           (isInteger(t.scalar()) || t.scalar() == ScalarKind::OpenInt);
  }
  /// `lo:hi:step`, all ints.
  std::optional<hir::Range> checkRange(const ast::Range &r);
  hir::Range makeRange(Expr *lo, Expr *hi, Expr *step, SMRange loc);

  //===--- Ranges (SemaRanges.cpp) ----------------------------------------===//
  /// The same of ends that are sizes; what is known decides whether the size is
  /// a polynomial.
  hir::Range rangeBetween(const Size &lo, const Size &end, Expr *step,
                          const SizeFacts &known, SMRange loc);
  /// A range whose size is counted from the values of its ends.
  hir::Range countedRange(const Size &lo, const Size &end, const Size &step,
                          SMRange loc);
  /// How many steps of `by` > 0 lead from `from` to `to`; 0 if that is before.
  Expr *countSteps(Expr *from, Expr *to, Expr *by, SMRange loc);
  /// What holds for an index inside the body.
  void addIndexFacts(Variable *var, const hir::Range &range, SizeFacts &facts);

  //===--- Overflow (SemaOverflow.cpp) ------------------------------------===//
  /// Whether the arithmetic of an int expression fits 64 bits, as a condition;
  /// null if that is proved. What then fits is added to the list.
  Expr *fitsCondition(Expr *e, const SizeFacts &facts, std::vector<Size> &fits);
  /// The same of all comparisons that a condition evaluates.
  Expr *comparisonsFit(Expr *condition, const SizeFacts &facts,
                       std::vector<Size> &fits);
  /// Emits a check that a size fits 64 bits unless that is proved.
  void requireFits(Builder &at, const Size &size, SMRange loc,
                   hir::CheckKind kind = hir::CheckKind::Size);
  /// A size over the integers, which is the sum or product of what may have
  /// wrapped: checked here to fit 64 bits.
  Size integerSize(const Size &size, SMRange loc);
  /// floor(size / divisor), where the dividend is what it is at run time.
  Size floorOf(const Size &size, int64_t divisor, SMRange loc);
  /// Emits the check of a condition over the integers: one whose arithmetic
  /// overflows does not hold. `values` fills what the message says after
  /// `text`.
  void emitIntegerCheck(hir::CheckKind kind, Expr *condition,
                        const std::string &text, const std::string &rest,
                        std::vector<Expr *> values, SMRange loc);
  const SizeFacts &facts() const { return builder().facts; }

  //===--- Builders -------------------------------------------------------===//
  Builder &builder() const { return *builders.back(); }
  unsigned level() const { return builders.size() - 1; }
  void emit(hir::Stmt *s);
  hir::Block *newBlock() { return program->make<hir::Block>(); }
  template <typename T, typename... Args> T *make(Args &&...args) {
    T *node = program->make<T>(std::forward<Args>(args)...);
    if constexpr (std::is_base_of_v<Expr, T>) {
      node->fast = fast;
      node->unsafe = unsafe;
      node->exact = exact;
    }
    node->site = site;
    countNode(node->loc);
    return node;
  }
  void countNode(SMRange loc);
  Variable *newVariable(Variable::Kind kind, StringRef name, Type type,
                        SMRange loc);
  Variable *emitLet(StringRef name, Expr *init, SMRange loc);
  VarInfo &info(const Variable *v) { return infos[v->id]; }
  Expr *ref(Variable *v, SMRange loc);

  struct BuilderScope {
    Checker &c;
    Builder b;
    BuilderScope(Checker &c, hir::Block *block, bool conditional)
        : c(c),
          b(block, c.builders.empty() ? nullptr : &c.builders.back()->facts,
            conditional) {
      c.builders.push_back(&b);
    }
    ~BuilderScope() { c.builders.pop_back(); }
  };
  /// Counts one level of what needs what; past the limit reports it and gives
  /// the program up.
  struct DepthScope {
    Checker &c;
    DepthScope(Checker &c, SMRange loc) : c(c) {
      if (++c.depth <= c.options.maxDepth || c.gaveUp)
        return;
      c.gaveUp = true;
      c.report(diag::declarations_too_deep, loc,
               std::to_string(c.options.maxDepth))
          .help("declare what is needed before it is used, and split deep "
                "chains of calls");
    }
    ~DepthScope() { --c.depth; }
  };
  struct NameScope {
    Checker &c;
    Scope *saved;
    NameScope(Checker &c, Scope::Kind kind) : c(c), saved(c.scope) {
      c.pushScope(kind, saved, saved ? saved->module : nullptr);
    }
    NameScope(Checker &c, Scope::Kind kind, Scope *parent,
              const ModuleInfo *module)
        : c(c), saved(c.scope) {
      c.pushScope(kind, parent, module);
    }
    ~NameScope() {
      c.closeScope();
      c.scope = saved;
    }
  };
  void pushScope(Scope::Kind kind, Scope *parent, const ModuleInfo *module);
  void closeScope();
  /// Tells the one who asked where a name that is used is declared.
  void tellUse(SMRange use, SMRange declaration) {
    if (options.resolved)
      options.resolved(use, declaration);
  }
  /// Tells the one who asked of the names of the scope.
  void tellNames();
  /// Tells of an index whose range is known by now.
  void tellIndex(Variable *index);

  //===--- Names ----------------------------------------------------------===//
  Binding *lookupLocal(StringRef name);
  /// Calls `fn` for the scopes from the inside out, with the number of the
  /// first binding that is not seen there, until it returns true.
  void forEachScope(llvm::function_ref<bool(Scope &, unsigned)> fn);
  TopDecl *lookupTop(StringRef name);
  /// Binds a name in the innermost scope; reports one that is taken.
  Binding *declare(StringRef name, SMRange loc, Binding::Kind kind);
  /// A name that nobody declared; as what `call` calls, if there is one.
  void reportUnknown(const ast::NameExpr *e, const ast::CallExpr *call);
  /// How `text`, which begins with the name, is written by an imported file
  /// that has it; "" if none has. The import then counts as used.
  std::string moduleHelp(StringRef name, StringRef text);
  /// Whether the name was declared in a block that has ended: says so in `d`.
  bool explainEnded(Diagnostic &d, StringRef name);
  /// The known name that is most like this one, or nothing.
  std::string suggestion(StringRef name, bool types = false);

  //===--- Statements (SemaStmts.cpp) -------------------------------------===//
  Value checkBlock(const ast::Block *block, bool wantValue, Type expected);
  void checkStmt(const ast::Stmt *s);
  void checkLet(const ast::LetStmt *s);
  void bindPattern(const ast::Pattern *p, Value v, bool isVar);
  void bindLet(const ast::Name &name, Value v);
  Expr *snapshot(Expr *e);
  /// Binds the `?k` of a declared type to the sizes of its value, and checks
  /// the dimensions that mention them.
  void bindDeclaredNames(const ast::TypeExpr *t, const Type &actual);
  void bindDeclaredNames(ArrayRef<std::pair<const ast::TypeExpr *, Type>> list);
  void bindResultNames(const ast::DefDecl *def, const Type &actual);
  Type namedResultTypes(ArrayRef<ast::NamedResult> results);
  void bindVar(const ast::Name &name, Expr *init, Type declared);
  void checkAssign(const ast::AssignStmt *s);
  void checkTupleAssign(const ast::TupleAssignStmt *s);
  void checkWhile(const ast::WhileStmt *s);
  void checkLoop(const ast::LoopStmt *s);
  void checkIfStmt(const ast::IfExpr *e);
  void checkAssert(const ast::AssertStmt *s);
  void unusedValue(const ast::Expr *e);
  /// A new moment for variables that may have been assigned.
  void bumpVersion(Variable *v, SMRange loc);
  void bumpAssigned(ArrayRef<Variable *> vars, SMRange loc);
  /// What is known of variables now, for the second branch of an `if`, which
  /// begins where the first one did.
  std::vector<VarInfo> momentOf(ArrayRef<Variable *> vars);
  void returnTo(ArrayRef<Variable *> vars, ArrayRef<VarInfo> moment);
  /// The `var`s that a block assigns and that exist outside it.
  void collectAssigned(const ast::Block *b, std::vector<Variable *> &vars);
  Expr *checkCondition(const ast::Expr *e);

  struct Place {
    Variable *var = nullptr;
    std::vector<hir::PlaceStep> path;
    Type type;
  };
  std::optional<Place> checkPlace(const ast::Expr *e);
  Expr *readPlace(const Place &p, SMRange loc);
  void assign(Place &p, Expr *value, SMRange loc, bool inplace);
  /// How a `var` is declared whose size may change along dimension `dim`.
  std::string growHelp(const Variable *var, unsigned dim);

  //===--- Expressions (SemaExprs.cpp) ------------------------------------===//
public:
  Value check(const ast::Expr *e, Type expected = {});
  /// The same where only a value will do.
  Expr *checkValue(const ast::Expr *e, Type expected = {});

private:
  /// Says that a function stands where a value is needed.
  Expr *functionAsValue(const Value &v, SMRange range);
  /// The array of `v`; an error if it is a view that `what` would lose.
  Expr *withoutView(const Value &v, SMRange range, llvm::StringRef what);
  Value checkName(const ast::NameExpr *e);
  Value useBinding(Binding *b, SMRange loc);
  Value useTop(TopDecl *d, SMRange loc);
  Expr *useConst(TopDecl *d, SMRange loc);
  Expr *checkInt(const ast::IntExpr *e);
  Expr *checkFloat(const ast::FloatExpr *e);
  Expr *checkIf(const ast::IfExpr *e, Type expected);
  Expr *checkArrayLit(const ast::ArrayExpr *e, Type expected);
  Type joinSizes(const Type &a, const Type &b, unsigned outer, SMRange loc,
                 bool &differ);
  Value checkField(const ast::FieldExpr *e);
  Value checkTupleField(const ast::TupleFieldExpr *e);
  Expr *field(Expr *base, unsigned number, SMRange loc);
  Value checkUnary(const ast::UnaryExpr *e, Type expected);
  Expr *error(SMRange loc) { return make<hir::ErrorExpr>(loc); }
  Expr *constInt(int64_t v, SMRange loc, ScalarKind k = ScalarKind::I64);
  Expr *constBool(bool v, SMRange loc);
  Expr *constOpenFloat(double v, SMRange loc);
  Expr *clone(Expr *e);

  //===--- Operators (SemaOperators.cpp) ----------------------------------===//
  Expr *checkBinary(const ast::BinaryExpr *e, Type expected);
  void warnOfRepetition(const ast::BinaryExpr *e, Expr *lhs, Expr *rhs);
  Expr *checkLogical(const ast::BinaryExpr *e);
  /// A binary operator on any operands.
  /// A named argument that a built-in function does not have.
  void reportArgument(const ast::Name &argument, StringRef function);
  /// A lambda whose parameters are not as many as the values that it is given.
  void reportLambda(const ast::LambdaExpr *lambda, size_t wanted);
  std::string divisionHelp(Expr *a, Expr *b);
  /// What to write instead of an assignment in the body of a `for`.
  std::string helpForBody(const std::string &name);
  Expr *binary(ast::BinaryOp op, Expr *a, Expr *b, SMRange loc);
  Expr *scalarBinary(ast::BinaryOp op, Expr *a, Expr *b, SMRange loc);
  Expr *scalarUnary(ast::UnaryOp op, Expr *a, SMRange loc);
  Expr *matmul(Expr *a, Expr *b, SMRange loc, const Type &expected);
  using ScalarFn = std::function<Expr *(std::vector<Expr *>)>;
  /// Applies a scalar operation to arrays of one shape and scalars.
  Expr *elementwise(std::vector<Expr *> args, const ScalarFn &fn, SMRange loc,
                    const std::string &what);
  /// Gives `comp` an index over each whole dimension, called by `names` in
  /// turn; returns the references to them.
  std::vector<Expr *> addIndices(hir::CompExpr &comp, ArrayRef<Dim> dims,
                                 ArrayRef<const char *> names, SMRange loc);
  /// An array from its element: `fn` gives the element at the indices.
  Expr *generate(ArrayRef<Dim> dims,
                 llvm::function_ref<Expr *(ArrayRef<Expr *>)> fn, SMRange loc);
  /// The element of an array at ints; looks into elementwise operations.
  Expr *elementAt(Expr *array, ArrayRef<Expr *> at, SMRange loc);
  bool isSafeAndShort(Expr *e, unsigned &budget);
  std::string describe(Expr *e);
  std::string shapeText(const Type &t);
  void reportShapes(Expr *a, Expr *b, SMRange loc, const std::string &what);

  //===--- Conversions (SemaConversions.cpp) ------------------------------===//
  std::optional<ScalarKind> meet(ScalarKind a, ScalarKind b);
  /// What two types meet in, sizes of the first; empty if they do not.
  Type meetTypes(const Type &a, const Type &b);
  /// Gives an open expression its scalar.
  Expr *close(Expr *e, ScalarKind to);
  /// Makes an int of an open one; false if it does not fit: 2^63 does not.
  bool closeInt(Expr *&e);
  void closeBlock(hir::Block *b, ScalarKind to);
  void closeBlock(hir::Block *b, llvm::function_ref<Expr *(Expr *)> closed);
  /// The same for each scalar of a type of the same build.
  Expr *closeTo(Expr *e, const Type &to);
  void closeField(hir::FieldExpr *f, const Type &element);
  /// Gives everything that is still open its default.
  Expr *fix(Expr *e);
  Value fix(Value v);
  Type fixedType(const Type &t);
  Expr *closeConst(hir::ConstExpr *c, ScalarKind to);
  /// Converts to a declared type, or reports.
  Expr *coerce(Expr *e, const Type &to, Purpose purpose, SMRange loc,
               const std::string &name = "", SMRange declared = {});
  /// A scalar to another scalar without question.
  Expr *convertScalar(Expr *e, ScalarKind to, SMRange loc);
  /// A conversion call on scalars or arrays.
  Expr *convertCall(Expr *e, ScalarKind to, SMRange loc);
  void reportNoMeet(const Type &a, const Type &b, SMRange loc,
                    const std::string &what);
  void reportNoMeet(Expr *a, Expr *b, SMRange loc, const std::string &what);
  /// Whether `e` has its type only because nothing declared one for the open
  /// value of a variable: says so in `d`, and what to declare for `wanted`.
  bool explainClosed(Diagnostic &d, Expr *e, const Type &wanted);
  bool explainClosed(Diagnostic &d, const Variable *var, const Type &wanted);
  /// Whether an open `let` of this may be copied to each use.
  bool isPureOpen(Expr *e);
  void closeInit(Variable *v, llvm::function_ref<Expr *(Expr *)> closed);
  /// The same value with dimensions that are known to be equal.
  Expr *withDims(Expr *e, ArrayRef<Dim> dims);

  //===--- Indexing (SemaIndexing.cpp) ------------------------------------===//
  Value checkIndex(const ast::IndexExpr *e);
  /// Within it `end` is the size of the dimension that a subscript is of, if
  /// the program declares no `end` of its own.
  struct EndScope;
  /// The subscripts as they count from the end where they now begin with a
  /// minus; empty if none does.
  std::string countedFromEnd(ArrayRef<ast::Sub> subs, const std::string &name);
  /// `a[-k]` is legal for a `k` that is not positive, and hardly ever meant so.
  void warnOfMinus(const ast::Expr *written, Expr *index);
  bool checkSubs(const Type &base, ArrayRef<ast::Sub> subs, SMRange loc,
                 const std::string &name, bool isPlace, bool isView,
                 Expr *baseExpr, std::vector<hir::Sub> &out,
                 std::vector<Dim> &dims);
  Expr *index(Expr *base, std::vector<hir::Sub> subs, std::vector<Dim> dims,
              SMRange loc);
  Expr *indexPoints(Expr *base, ArrayRef<Expr *> points, SMRange loc);
  Size rowSize(Expr *base, ArrayRef<hir::Sub> before, SMRange loc);
  hir::ExtendExpr *extendOf(Expr *view);
  Value extendCall(const ast::CallExpr *e);

  //===--- `for` and combinators ------------------------------------------===//
  Expr *checkFor(const ast::ForExpr *e, Type expected);
  Expr *checkCombinator(const ast::CombinatorExpr *e, Type expected);
  struct Loop;
  struct FastScope;
  void openLoop(const ast::ForExpr *f, hir::CompExpr::CompKind kind,
                Loop &loop);
  bool openIndex(const ast::ForExpr *f, unsigned k, Loop &loop);
  void bindElements(Loop &loop);
  void addIndexFacts(const hir::CompIndex &ci);
  bool closeLoop(const ast::ForExpr *f, Loop &loop);
  bool resolveBare(const ast::ForExpr *f, unsigned k, hir::CompIndex &ci,
                   unsigned outer);
  Type settleRows(const Type &t, const Type &wanted, const Loop &loop,
                  SMRange loc, bool &bad);
  /// The type of rows of different sizes, one for each point of the loop.
  std::string raggedText(const Type &row, const Loop &loop);
  /// `for i, x in a { .. }`, whose `i` was to count the elements: how that is
  /// written; "" if the index `k` of the `for` is no such `i`.
  std::string countedHelp(const ast::ForExpr *f, unsigned k);

  struct Operator {
    hir::Combiner combiner = hir::Combiner::Lambda;
    FnValue *fn = nullptr;
  };
  /// A combinator that is being checked.
  struct Fold {
    StringRef name;
    hir::CompExpr *comp = nullptr;
    Operator op;
    SMRange opLoc;
    Expr *init = nullptr;
    Expr *into = nullptr;
    std::vector<Size> bins;
    hir::CompExpr::OutOfBounds oob = hir::CompExpr::OutOfBounds::Error;
    /// f16 and bf16 are added in f32 and rounded once.
    std::optional<ScalarKind> roundTo;
  };
  static bool isCombinator(StringRef name);
  std::optional<Operator> checkOperator(const ast::Expr *e);
  bool applyOperator(const Operator &op, hir::CompExpr *comp, const Type &type,
                     SMRange loc);
  bool beginFold(Fold &fold, ArrayRef<ast::Arg> args, SMRange loc);
  Expr *foldBody(Fold &fold, Expr *value, SMRange loc, Type expected);
  Expr *endFold(Fold &fold, SMRange loc);
  Expr *convertLeaves(Expr *e, llvm::function_ref<ScalarKind(ScalarKind)> fn,
                      SMRange loc);
  Expr *divideLeaves(Expr *e, Expr *n, SMRange loc);
  Expr *rowsOfFolds(hir::CompExpr *comp, SMRange loc);
  Type wantedElement(const Fold &fold, const Type &met, const Type &expected);
  Expr *closeInto(const Fold &fold, const Type &values, const Type &expected);
  /// A bin or index of the value of a fold, `pair`: an int, or a tuple of ints.
  Expr *binIndex(const Fold &fold, Expr *pair, SMRange loc);
  /// The combinator over ranges from 0, of a body made by `fn`.
  Expr *foldOver(StringRef name, ArrayRef<Dim> dims, SMRange loc, Type expected,
                 llvm::function_ref<Expr *(ArrayRef<Expr *>)> fn,
                 ArrayRef<ast::Arg> args = {});
  Expr *foldOver(Fold &fold, ArrayRef<Dim> dims, SMRange loc, Type expected,
                 llvm::function_ref<Expr *(ArrayRef<Expr *>)> fn);
  Expr *foldAxes(Fold &fold, Expr *a, ArrayRef<int64_t> axes, SMRange loc,
                 Type expected);
  std::optional<std::vector<int64_t>> checkAxes(const ast::Expr *e,
                                                unsigned rank);
  Expr *combinatorCall(const ast::CallExpr *e, StringRef name, Type expected);
  /// `reduce(op, a)`: says that the neutral element is missing if `a` is an
  /// array; false if it is none.
  bool reportNoNeutral(ArrayRef<ast::Arg> args, StringRef name, SMRange loc);

  //===--- Calls (SemaCalls.cpp, SemaBuiltins.cpp) ------------------------===//
  Value checkCall(const ast::CallExpr *e, Type expected);
  struct Given {
    Value value;
    SMRange loc;
    std::string name;
    SMRange nameLoc;
  };
  static bool givesArray(ArrayRef<Given> args);
  Value callFunction(FnValue *fn, std::vector<Given> args, SMRange loc,
                     Type expected);
  Value callDef(TopDecl &decl, std::vector<Given> args, SMRange loc);
  Value callLambda(FnValue *fn, std::vector<Given> args, SMRange loc);
  /// A written dimension and the size that it meets.
  struct SizeUse {
    /// Null for `?`.
    const ast::Expr *dim;
    Size size;
    SMRange range;
  };
  void collectSizes(const ast::TypeExpr *t, const Type &actual,
                    std::vector<SizeUse> &uses);
  /// Binds the names that stand in written dimensions. `own`: the function is
  /// checked by itself, and the names become variables.
  bool bindSizeNames(ArrayRef<SizeUse> uses, SMRange loc, bool own);
  Value callExtern(TopDecl &decl, ArrayRef<Value> values, SMRange loc);
  Expr *callStruct(const Type &type, std::vector<Given> args, SMRange loc);
  Value convertOrBuild(const Type &type, const ast::CallExpr *e);
  void bindParam(const ast::Name &name, Value v);
  Type namedType(const ast::TypeExpr *t, const ast::DefDecl *def);
  bool isArrayParam(const ast::TypeExpr *t, const ast::DefDecl *def);
  bool isFunctionParam(const ast::TypeExpr *t, const ast::DefDecl *def);
  bool checkShapeOf(const ast::Param &p, const Given &given);
  Type declaredResult(const ast::DefDecl *def);
  std::vector<hir::Attr> defAttrs(const ast::DefDecl *def);
  Expr *forgetSizesOf(Expr *e, const Type &declared);
  /// The arrays of a value, with nothing that makes them fused into what reads
  /// them: what `@noinline` asks for.
  Expr *fenceArrays(Expr *e);
  Value fenceValue(const Value &value);
  bool bindTypeParams(const ast::DefDecl *def, ArrayRef<Given> args,
                      hir::CallSite &call, SMRange loc);
  void inferType(const ast::TypeExpr *t, const Type &given,
                 llvm::StringMap<Type> &bound, ArrayRef<ast::TypeParam> names,
                 bool &conflict);
  bool orderArgs(ArrayRef<ast::Param> params, StringRef callee,
                 std::vector<Given> &args, SMRange loc, SMRange declLoc,
                 const ModuleInfo *module);
  Expr *mapCall(FnValue *fn, std::vector<Given> args, SMRange loc);
  std::vector<Given> checkArgs(ArrayRef<ast::Arg> args);
  /// Applies a function of values to scalars or elements.
  Expr *applyFn(FnValue *fn, std::vector<Expr *> args, SMRange loc);

  Value builtinCall(StringRef name, std::vector<Given> args, SMRange loc,
                    Type expected);
  Expr *scalarFunction(hir::Function f, std::vector<Expr *> args, SMRange loc);
  Expr *randomCall(hir::Function f, std::vector<Given> args, SMRange loc);
  Expr *arrayFunction(StringRef name, std::vector<Given> &args, SMRange loc,
                      Type expected);
  /// What the size `one` of a reshape is by all others, as text.
  std::string restOfReshape(ArrayRef<Given> args, SMRange one);
  bool sizeArgs(StringRef name, ArrayRef<Given> args, std::vector<Dim> &dims,
                SMRange loc);
  Expr *keepOrReference(Expr *a);
  std::optional<hir::Function> functionByName(StringRef name);
  bool isBuiltinName(StringRef name);

  //===--- Constants (SemaConstants.cpp) ----------------------------------===//
public:
  /// A scalar that is known while compiling.
  struct Const {
    ScalarKind kind;
    int64_t i = 0;
    double re = 0, im = 0;
  };

private:
  std::optional<Const> evaluate(Expr *e);
  /// A sum one side of which is a product: rounded once.
  std::optional<Const> evaluateFused(const hir::BinaryExpr *b,
                                     const hir::BinaryExpr *product);
  std::optional<Const> evaluateLet(Variable *v);
  std::optional<Const> evaluateFold(hir::CompExpr *c);
  std::optional<int64_t> constantOfVariable(Variable *v);
  Expr *fromConst(const Const &c, Type type, SMRange loc);
  /// Evaluates with indices bound, for the elements of a constant array.
  std::optional<Const> evaluateAt(Expr *array, ArrayRef<int64_t> at);
  Expr *foldInt(Expr *e);
  /// Turns a scalar expression into its value; reports if it has none.
  Expr *constantOf(Expr *e, SMRange loc, const std::string &what);
  /// Reports that the value is not known while compiling.
  Expr *notConstant(SMRange loc, const std::string &what);
  static bool fitsInt(const hir::ConstExpr *c, ScalarKind k);
  static void roundConst(Const &c);
  llvm::DenseMap<const Variable *, int64_t> constantEnv;
  /// Values of `let`s that depend on no index, by what they start with.
  llvm::DenseMap<const Expr *, Const> letConstants;
  /// Expressions that were evaluated, of the whole program.
  size_t evaluationSteps = 0;

  //===--- After a function is whole --------------------------------------===//
  void checkStencils(hir::Block *b);
  void markBounds(hir::Def &def);

  //===--- Messages -------------------------------------------------------===//
  template <typename... Args>
  Diagnostic &report(diag::ID id, SMRange loc, const Args &...args) {
    Diagnostic &d = diags.report(id, loc, args...);
    unsigned shown = 0;
    for (const hir::CallSite *s = site; s; s = s->outer)
      if (++shown <= 4 || !s->outer) {
        d.note("in the call of '" + s->callee + "' here", s->call);
        if (!s->remark.empty())
          d.note(s->remark, s->argument);
      }
    if (piped)
      helpWithPipe(d);
    defHasErrors = true;
    return d;
  }
  /// Warnings about a function with errors would be cascades, so they wait.
  using Places = std::vector<std::pair<SMRange, std::string>>;
  /// The call by `|>` that is checked, and what to say of its arguments.
  const ast::CallExpr *piped = nullptr;
  void helpWithPipe(Diagnostic &d);
  /// The `var` that is assigned whole, for messages.
  const Variable *replaced = nullptr;
  /// The assignment that is checked, for messages.
  const ast::AssignStmt *assigning = nullptr;
  void warn(diag::ID id, SMRange loc, StringRef name, Places places = {}) {
    pendingWarnings.push_back({id, loc, name.str(), "", places, ""});
  }
  struct Warning {
    diag::ID id;
    SMRange loc;
    std::string first, second;
    Places places;
    std::string help;
  };
  std::vector<Warning> pendingWarnings;
  /// Random numbers by key and counters, and the block that they are in.
  llvm::StringMap<std::pair<SMRange, const hir::Block *>> randomCalls;
  /// Where the sizes that are being compared come from.
  Places sizePlaces;
  /// Whether the function has been told of a comparison at run time.
  bool notedSizes = false;
  void noteUndecided(const Size &a, const Size &b, SMRange loc);
  void flushWarnings() {
    for (const Warning &w : pendingWarnings) {
      if (!warned.insert({unsigned(w.id), w.loc.Start.getPointer()}).second)
        continue;
      Diagnostic &d = diags.report(w.id, w.loc, w.first, w.second);
      for (auto &[range, text] : w.places)
        d.place(range, text);
      if (!w.help.empty())
        d.help(w.help);
    }
    pendingWarnings.clear();
  }

  const ast::Program &ast;
  DiagnosticEngine &diags;
  const SemaOptions &options;
  std::unique_ptr<hir::Program> program;
  llvm::DenseMap<const ast::Module *, ModuleInfo *> modules;
  std::vector<ModuleInfo *> moduleOrder;

  std::vector<Builder *> builders;
  Scope *scope = nullptr;
  const hir::CallSite *site = nullptr;
  bool fast = false;
  bool unsafe = false;
  bool exact = false;
  /// By number of the variable; a deque, so that references stay good.
  std::deque<VarInfo> infos;
  unsigned nextTemporary = 0;
  /// Stands for `?` in a type until `bindUnknowns`.
  Variable *unknown = nullptr;
  /// The `?k` of the type that is being read.
  llvm::StringSet<> namedUnknowns;
  bool inType = false;
  llvm::DenseSet<std::pair<unsigned, const char *>> warned;
  bool defHasErrors = false;
  /// Whether the program is past a limit; nothing more is looked at.
  bool gaveUp = false;
  /// What is being checked, within all that needs it.
  unsigned depth = 0;
  size_t nodesAtDef = 0;
  unsigned callDepth = 0;
  /// The functions that are being expanded, the innermost last.
  std::vector<TopDecl *> expanding;
  unsigned numBindings = 0;
  /// How deep in bodies of `for` we are.
  unsigned bodyDepth = 0;
  /// Variables without a declared type whose first value was open.
  llvm::SetVector<const Variable *> closedVars;
  /// Names of blocks that have ended, of the function that is being checked.
  llvm::StringMap<SMRange> endedNames;
  /// Constant arrays of the function that is being checked.
  llvm::DenseMap<TopDecl *, Variable *> constVars;
  /// Whether dimensions of a written type are left open.
  bool dimsUnknown = false;

  friend class BoundsMarker;
  friend class OverflowConditions;
  friend class StencilChecker;
};

} // namespace arrc::sema

#endif // ARRC_LIB_FRONTEND_CHECK_SEMAIMPL_H
