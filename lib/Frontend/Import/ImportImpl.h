//===- ImportImpl.h - From the checked program to `array` -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// One `Importer` a function. A value of the language is a list of MLIR values,
// one for each leaf of its type: structs, tuples and arrays of them are taken
// apart here and never put together again. Variables are SSA values: a `var` is
// whatever was assigned last, and regions that assign outer variables return
// them.
//
// Ints that index or measure arrays are built in `index`, with `affine.apply`
// where they are affine; as values they are i64. A variable may have both.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_FRONTEND_IMPORT_IMPORTIMPL_H
#define ARRC_LIB_FRONTEND_IMPORT_IMPORTIMPL_H

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Frontend/Diagnostics.h"
#include "arrc/Frontend/HIR.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <functional>

#include <map>

namespace arrc {

using mlir::Location;
using mlir::OpFoldResult;
using mlir::Value;
using Values = llvm::SmallVector<Value, 2>;

/// Whether a fold can hold the leaf in an accumulator: one of constant size, of
/// 64 elements at most.
bool fitsAccumulator(const Type::Leaf &leaf);

/// Whether a range depends on an index to its left.
bool hasDependent(const hir::CompExpr *e);

/// Whether dimension `dim` of a view may be read outside of it.
bool hasBoundary(Value array, unsigned dim);

inline bool isHalf(ScalarKind kind) {
  return kind == ScalarKind::F16 || kind == ScalarKind::BF16;
}

class Importer {
public:
  Importer(mlir::ModuleOp module, const llvm::SourceMgr &sources);

  /// Makes the function of an export.
  void importDef(const hir::Def &def);
  /// What a function of C takes and gives, for the headers of programs.
  mlir::DictionaryAttr describeExtern(const hir::Def &def);

private:
  mlir::ArrayAttr describeParams(const hir::Def &def);
  mlir::ArrayAttr describeResults(const hir::Def &def);

  //===- Places, types, sizes ---------------------------------------------===//

  Location location(llvm::SMRange range) const;

  /// Sets the location and flags of what is built while it lives.
  struct At {
    At(Importer &im, llvm::SMRange range);
    At(Importer &im, const hir::Expr *e);
    ~At();
    Importer &im;
    Location loc;
    bool fast, unsafe, exact;
  };

  /// While it lives, the regions of `op` are being built.
  struct Branching {
    Branching(Importer &im, mlir::Operation *op);
    ~Branching() {
      im.topOp = saved;
      --im.branchDepth;
      im.ifDepth -= isIf;
    }
    Importer &im;
    mlir::Operation *saved;
    bool isIf;
  };

  mlir::Type scalarType(ScalarKind kind);
  mlir::Type leafType(const Type::Leaf &leaf);
  llvm::SmallVector<mlir::Type> leafTypes(const Type &type);
  /// The number of leaves before component `k` of the element, and of it.
  std::pair<unsigned, unsigned> leafRange(const Type &type, unsigned k);

  /// A size as a number, or as an `index` value.
  OpFoldResult sizeOf(const Size &size);
  Value sizeValue(const Size &size);
  llvm::SmallVector<OpFoldResult> sizesOf(llvm::ArrayRef<Dim> dims);
  /// The size of one dimension of a tensor.
  Value dimOf(Value tensor, unsigned dim);
  /// The tensor with its static and dynamic sizes as the type wants them, bound
  /// to the sizes by their names.
  Value bind(Value value, const Type::Leaf &leaf);
  /// The value with the leaf's exact MLIR type.
  Value coerce(Value value, mlir::Type type);
  Values coerce(Values values, const Type &type);

  Value indexConstant(int64_t value);
  Value asIndex(OpFoldResult v);
  Value materialize(mlir::AffineExpr expr, llvm::ArrayRef<Value> operands);

  //===- Variables --------------------------------------------------------===//

  /// What a variable stands for at this moment.
  struct Binding {
    Values leaves;
    /// Of an int: its value as an index; made when asked for.
    Value index;
  };
  void define(const hir::Variable *var, Values leaves);
  void defineIndex(const hir::Variable *var, Value index);
  Value indexOf(const hir::Variable *var);
  const Values &leavesOf(const hir::Variable *var);
  /// The outer variables that blocks assign, in a fixed order.
  llvm::SmallVector<hir::Variable *>
  assignedIn(llvm::ArrayRef<hir::Block *> blocks);
  /// Their values, one after the other; and the way back.
  Values carriedValues(llvm::ArrayRef<hir::Variable *> vars);
  void rebind(llvm::ArrayRef<hir::Variable *> vars, mlir::ValueRange values);

  //===- Statements (ImportStmts.cpp) -------------------------------------===//

  void emitStmts(const hir::Block &block);
  void emitStmt(hir::Stmt *stmt);
  /// Statements, then the value.
  Values emitBlock(const hir::Block &block);
  void emitLet(hir::LetStmt *s);
  void emitAssign(hir::AssignStmt *s);
  void emitIf(hir::IfStmt *s);
  void emitWhile(hir::WhileStmt *s);
  void emitLoop(hir::LoopStmt *s);
  void emitGrowingLoop(hir::LoopStmt *s, const hir::CompIndex &index,
                       llvm::ArrayRef<hir::Variable *> vars, Values inits,
                       Value size);
  void emitCheck(hir::CheckStmt *s);

  //===- Expressions (ImportExprs.cpp) ------------------------------------===//

  Values emit(hir::Expr *e);
  Value emitScalar(hir::Expr *e);
  Value emitIndex(hir::Expr *e);
  mlir::AffineExpr toAffine(hir::Expr *e, Values &operands);
  mlir::AffineExpr toAffine(const Size &size, Values &operands);
  Values emitConst(hir::ConstExpr *e);
  Values emitIfExpr(hir::IfExpr *e);
  Values emitExtend(hir::ExtendExpr *e);
  Values emitArrayLit(hir::ArrayLitExpr *e);
  Values emitArrayOp(hir::ArrayOpExpr *e);
  Values emitExtern(hir::ExternCallExpr *e);
  Values emitReshape(hir::ArrayOpExpr *e);
  Values emitConcat(hir::ArrayOpExpr *e);
  Values emitSort(hir::ArrayOpExpr *e);

  //===- Subscripts (ImportAccess.cpp) ------------------------------------===//

  /// How one dimension of an array is accessed.
  struct Selector {
    enum Kind { Whole, Point, Slice } kind = Whole;
    /// The index of a Point.
    Value point;
    bool inBounds = true;
    /// Of a Point that is not: the dimension is known not to be empty.
    bool notEmpty = true;
    /// First element, distance and number of a Slice.
    OpFoldResult lo, step, extent;
    /// Of a Slice: it may lie outside, so each element is checked.
    bool isPerhapsOutside = false;
    /// Where it is, if not null.
    Value inside;
  };
  /// Parts of arrays not yet read: leaves that share their first dimensions,
  /// with a selector for some of these.
  struct Access {
    Values leaves;
    llvm::SmallVector<Selector> selectors;
  };
  Access access(hir::Expr *e);
  void applySubs(Access &a, llvm::ArrayRef<hir::Sub> subs);
  void applyPoint(Access &a, unsigned visible, Value point, bool inBounds,
                  bool notEmpty = true);
  /// Whether what is emitted here goes on where a check has failed: bodies do,
  /// the host's part does not.
  bool isInBody();
  /// Lets the variables of a size count 0 in the rest of this body if `ok` is
  /// false. Returns whether the size is 0 then.
  bool emptyUnless(Value ok, const Size &size);
  void applySlice(Access &a, unsigned visible, const hir::Sub &sub);
  /// The number of the source dimension that is the `visible`-th still there.
  unsigned visibleDim(Access &a, unsigned visible);
  Values read(const Access &a, const Type &type);
  Value readLeaf(Value leaf, llvm::ArrayRef<Selector> selectors,
                 const Type::Leaf &result);
  /// The same as a map whose elements are each checked.
  Value readEach(Value leaf, llvm::ArrayRef<Selector> selectors,
                 const Type::Leaf &result);
  Values emitGather(hir::IndexExpr *e);
  /// One element of one leaf, without building the array if that is possible.
  Value elementAt(hir::Expr *e, unsigned leaf, llvm::ArrayRef<Value> indices);
  Value write(Value into, llvm::ArrayRef<Selector> selectors, Value value,
              const Type::Leaf &part);
  Value writeEach(Value into, llvm::ArrayRef<Selector> selectors, Value value,
                  Value inside);
  /// Checks an index; gives one that is inside also where the check fails and
  /// the body goes on, unless nothing is. Whether it holds goes to `inside`,
  /// if that may be false.
  Value checkIndex(Value index, Value size, Value *inside = nullptr);

  //===- Comprehensions (ImportComps.cpp, ImportFolds.cpp) ----------------===//

  Values emitComp(hir::CompExpr *e);
  Values emitMap(hir::CompExpr *e);
  Values emitReduce(hir::CompExpr *e);
  Values emitReduceGroup(hir::CompExpr *e, unsigned first,
                         std::optional<unsigned> leaf,
                         llvm::ArrayRef<Value> rowIndices);
  Values emitArg(hir::CompExpr *e);
  Values emitScan(hir::CompExpr *e);
  Values emitScanOf(hir::CompExpr *e, std::optional<unsigned> leaf,
                    llvm::ArrayRef<Value> rowIndices);
  Values emitInit(hir::CompExpr *e, std::optional<unsigned> leaf,
                  llvm::ArrayRef<Value> rowIndices);
  Values emitFolded(hir::CompExpr *e, std::optional<unsigned> leaf,
                    llvm::ArrayRef<Value> rowIndices);
  Value emitRowOfFolds(const Type::Leaf &leaf,
                       llvm::function_ref<Values(llvm::ArrayRef<Value>)> fold);
  Values emitScatter(hir::CompExpr *e);
  Value emitRowsOf(Value row, const Type::Leaf &leaf);
  Values emitFilter(hir::CompExpr *e);
  /// The points of indices in row-major order, as numbers from 0.
  struct PointSpace {
    Value size;
    std::string name;
    /// Binds the indices to those of a point.
    std::function<void(Value point)> bind;
  };
  /// Ranges may depend on indices to their left.
  PointSpace pointsOf(const hir::CompExpr *e);
  void addRows(PointSpace &space, const hir::CompExpr *e, unsigned number);
  /// `extent`, or what leads to the first index outside of an array that every
  /// point of index `number` reads there.
  Value endOutside(const hir::CompExpr *e, unsigned number, Value extent);
  /// How many of the first `numRows` starts, which never fall and of which the
  /// first is 0, are at most `point`, an i64.
  Value startedAt(Value starts, Value numRows, Value point);
  /// The number of the row that a place lies in.
  Value emitRowOf(hir::ArrayOpExpr *e);
  /// The indices of a point; zeros where there is none.
  Values indicesAt(const PointSpace &space,
                   llvm::ArrayRef<hir::CompIndex> indices, Value point);
  void bindIndex(const hir::CompIndex &index, Value iv);
  OpFoldResult extentOf(const hir::CompIndex &index, bool maybeEmpty);
  /// Runs the function with the builder in a region.
  void inRegion(mlir::OpBuilder &nested, llvm::function_ref<void()> body);
  /// Puts back what has been emptied since there were `before`.
  void restoreEmptied(size_t before);
  /// The values of a body, rows in the sizes that were declared. What those are
  /// made of at every point alike goes to `sizes`, to stand before the body.
  Values emitRows(const hir::Block &body,
                  llvm::SetVector<mlir::Operation *> *sizes = nullptr);
  /// Such a value of a body, which checks `mayBeEmptied`.
  mlir::Value declareRow(mlir::Value row, const Type::Leaf &leaf,
                         bool mayBeEmptied,
                         llvm::SetVector<mlir::Operation *> *sizes = nullptr);
  /// `row`, parts of whose sizes failed checks have emptied, with the sizes
  /// that were declared.
  mlir::Value padRow(mlir::Value row, const Type::Leaf &leaf);
  std::string indexName(const hir::Variable *var);
  void attachAttrs(mlir::Operation *op, llvm::ArrayRef<hir::Attr> attrs);

  /// What 64-bit arithmetic makes of a polynomial.
  Value wrappedValue(const Size &polynomial);

  /// The kind in which a fold keeps its accumulator.
  ScalarKind foldKind(const hir::CompExpr *e, ScalarKind kind);
  Value neutral(hir::Combiner combiner, ScalarKind kind, mlir::Type type);
  /// The same for a value of any size.
  Value neutralRow(hir::Combiner combiner, const Type::Leaf &leaf);
  Value combineLeaf(const hir::CompExpr *e, ScalarKind kind, Value a, Value b);
  Values combine(const hir::CompExpr *e, mlir::ValueRange args);
  Value convertElements(Value v, ScalarKind from, ScalarKind to);
  /// Marks the product that a sum adds up.
  void markProduct(Value value, hir::Expr *e);

  //===- Scalars (ImportScalars.cpp, ImportDivision.cpp, ImportMath.cpp) --===//

  Value constant(ScalarKind kind, int64_t value);
  Value floatConstant(ScalarKind kind, double value);
  Value emitUnary(hir::UnaryExpr *e);
  Value emitBinary(hir::BinaryExpr *e);
  Value emitFma(hir::BinaryExpr *e);
  Value arithmetic(hir::BinaryOp op, ScalarKind kind, Value a, Value b,
                   bool nonZero);
  Value negate(ScalarKind kind, Value a);
  Value compare(hir::BinaryOp op, ScalarKind kind, Value a, Value b);
  Value complexMul(ScalarKind kind, Value a, Value b);
  Value complexDiv(ScalarKind kind, Value a, Value b);
  Value intDivision(bool wantRemainder, ScalarKind kind, Value a, Value b,
                    bool nonZero);
  Value floatDivision(bool wantRemainder, ScalarKind kind, Value a, Value b);
  Value power(hir::BinaryExpr *e);
  Value intPower(ScalarKind kind, Value base, hir::Expr *exponent);
  Value convert(ScalarKind from, ScalarKind to, Value v);
  Value floatToInt(ScalarKind from, ScalarKind to, Value v);
  Value emitCall(hir::CallExpr *e);
  Value function(hir::Function f, ScalarKind kind, llvm::ArrayRef<Value> args,
                 hir::CallExpr *e);
  Value floatFunction(hir::Function f, ScalarKind kind,
                      llvm::ArrayRef<Value> args);
  Value complexFunction(hir::Function f, ScalarKind kind,
                        llvm::ArrayRef<Value> args);
  Value shift(hir::Function f, ScalarKind kind, Value x, Value k,
              ScalarKind countKind);
  Value emitRandom(hir::CallExpr *e);
  Values philoxBlock(Value key, Value first, Value second);
  Value joinWords(Value low, Value high);
  Value hypot(ScalarKind kind, Value x, Value y);
  Value re(Value z);
  Value im(Value z);
  Value complexOf(Value re, Value im);
  mlir::arith::FastMathFlags flags() const;
  void check(hir::CheckKind kind, Value ok, llvm::StringRef message,
             mlir::ValueRange values);

  template <typename Op, typename... Args> Value make(Args &&...args) {
    return b.createOrFold<Op>(loc, std::forward<Args>(args)...);
  }

  mlir::MLIRContext *context;
  mlir::ModuleOp module;
  const llvm::SourceMgr &sources;
  mlir::OpBuilder b;
  Location loc;
  bool fast = false;
  bool unsafe = false;
  bool exact = false;
  mlir::func::FuncOp func;
  /// The operation at the top of the function whose regions are being built
  /// though it stands in the function already.
  mlir::Operation *topOp = nullptr;
  /// How many branches and loops of `scf` the builder stands in.
  unsigned branchDepth = 0;
  /// How many of them are branches.
  unsigned ifDepth = 0;
  /// Where a fold of rows works on one leaf: which.
  unsigned foldedLeaf = 0;
  llvm::DenseMap<const hir::Variable *, Binding> env;
  /// What `emptyUnless` has replaced, and by what, to be put back at the end of
  /// the body.
  llvm::SmallVector<std::pair<hir::Variable *, Value>> emptied;
  /// Sizes made at the top of the function, so that equal ones are one value.
  std::map<std::string, Value> topSizes;
};

} // namespace arrc

#endif // ARRC_LIB_FRONTEND_IMPORT_IMPORTIMPL_H
