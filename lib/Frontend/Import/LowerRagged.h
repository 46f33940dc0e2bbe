//===- LowerRagged.h - Rows of different sizes as two arrays ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A value of type `T[n, ?]` is two arrays: `offsets: int[n + 1]`, which begins
// with 0 and never falls, and `values: T[offsets[n]]`; row `i` is
// `values[offsets[i]:offsets[i + 1]]`. This rewrites the checked tree so that
// nothing of it has rows of different sizes any more: the importer and all
// that comes after it see arrays, slices and scans.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_FRONTEND_IMPORT_LOWERRAGGED_H
#define ARRC_LIB_FRONTEND_IMPORT_LOWERRAGGED_H

#include "arrc/Frontend/Diagnostics.h"
#include "arrc/Frontend/HIR.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace arrc {

/// Whether a part of the type has rows of different sizes.
bool hasRagged(const Type &type);
/// Whether it is an array of such rows.
bool isRaggedArray(const Type &type);
/// The number of dimensions before the one whose size differs.
unsigned leadOf(const Type &type);

/// Rewrites one export in place.
class RaggedLowering {
public:
  RaggedLowering(hir::Program &program, DiagnosticEngine &diags)
      : program(program), diags(diags) {}

  /// Whether all of it could be; if not, the rest has been reported.
  bool run(hir::Def &def);

private:
  using Stmts = std::vector<hir::Stmt *>;

  /// A value with rows of different sizes, in variables.
  struct Rows {
    /// `int[n + 1]` for `n` rows, the product of the leading dimensions.
    hir::Variable *offsets = nullptr;
    hir::Variable *values = nullptr;
    /// The number of values; null if the variables are assigned.
    hir::Variable *total = nullptr;
    /// The type as it was.
    Type type;
  };
  /// One row: of the rows with these offsets, at these leading subscripts.
  struct RowKey {
    hir::Variable *offsets;
    std::vector<hir::Expr *> points;
    /// Of a variable that is the row itself: where its values are.
    hir::Variable *values = nullptr;
  };
  /// Where a row lies.
  struct Row {
    hir::Variable *lo, *hi;
    bool inBounds;
  };

  //===- The tree (LowerRagged.cpp) ---------------------------------------===//

  void lowerBlock(hir::Block *block);
  void lowerStmt(hir::Stmt *stmt);
  void lowerLet(hir::LetStmt *let);
  void lowerAssign(hir::AssignStmt *assign);
  /// Rewrites an expression that has no such rows itself.
  void lowerExpr(hir::Expr *&e);
  void lowerComp(hir::CompExpr *comp);
  /// Variables that nothing in the comprehension assigns, as they are now.
  using Frozen = std::vector<std::pair<const hir::Variable *, Rows>>;
  Frozen freeze(hir::CompExpr *comp);
  void thaw(const Frozen &saved);
  hir::Expr *lowerIndex(hir::IndexExpr *e);
  hir::Expr *lowerDimOf(hir::DimOfExpr *e);
  /// The value of an expression with such rows, in variables.
  Rows lowerRows(hir::Expr *e);
  Rows lowerIf(hir::IfExpr *e);
  /// The same rows, whose values nothing that reads them is fused with.
  Rows fenceRows(Rows rows, llvm::SMRange loc);
  hir::TupleExpr *unzip(hir::Expr *e, const Type &type);
  Rows fieldOf(const Rows &rows, const hir::FieldExpr *e);
  Rows snapshot(const Rows &rows, llvm::SMRange loc);
  /// Looks one row up; checks the leading subscripts.
  Row rowAt(const Rows &rows, llvm::ArrayRef<hir::Sub> points,
            llvm::SMRange loc);
  /// The place of an element among the values; checks the subscript.
  hir::Sub elementOf(const Rows &rows, const Row &row,
                     llvm::ArrayRef<hir::Sub> points, const hir::Sub &sub);
  std::optional<RowKey> keyOf(const Rows &rows,
                              llvm::ArrayRef<hir::Sub> points) const;
  bool isWithinRow(const RowKey &key, hir::Expr *index) const;
  static bool sameRow(const RowKey &a, const RowKey &b);
  static std::vector<hir::Expr *> exprsOf(llvm::ArrayRef<hir::Sub> points);
  bool isTrivial(const hir::CheckStmt *check) const;
  Rows refuse(llvm::SMRange loc);

  //===- Making rows (LowerRaggedMaps.cpp) --------------------------------===//

  /// What stands around a row that is made: the indices that count the rows and
  /// what their values give.
  struct Frame {
    const hir::CompExpr *map;
    std::vector<Dim> lead;
    /// What is evaluated before the row; cheap, as it is done for each value.
    Stmts before;
    /// What `before` and the indices bind.
    llvm::DenseSet<const hir::Variable *> bound;
    /// What the body binds anywhere.
    llvm::DenseSet<const hir::Variable *> inner;
  };
  Rows lowerMap(hir::CompExpr *map);
  Rows lowerBody(Frame &frame, hir::Block *body);
  Rows makeRows(Frame &frame, hir::Expr *row);
  Rows makeByPlace(Frame &frame, hir::Expr *row);
  Rows makeFiltered(Frame &frame, hir::CompExpr *filter);
  Rows makeInOrder(Frame &frame, llvm::ArrayRef<hir::Stmt *> body,
                   hir::Expr *row);
  /// Whether a key is that of the row that the frame makes.
  bool isRowOf(const Frame &frame, const RowKey &key) const;
  const RowKey *keyOf(const hir::Variable *var) const;
  /// The number of the row, from the indices.
  hir::Expr *numberOf(const Frame &frame);
  std::vector<hir::Expr *> pointsOf(const Frame &frame);
  /// Binds the indices of the frame to those of row number `row`.
  void bindIndices(const Frame &frame, hir::Variable *row, Stmts &to);
  /// Has checks of a size that is negative say in which row.
  void nameRows(hir::CompExpr *map);
  /// Offsets from the size of each row, which `before` is evaluated for.
  void addOffsets(Frame &frame, Rows &rows, const Stmts &before,
                  hir::Expr *size, bool mayBeHuge);
  bool varies(const Frame &frame, const Type &type) const;
  bool varies(const Frame &frame, const Size &size) const;
  void hoist(Frame &frame, hir::LetStmt *let);
  void bindRow(Frame &frame, const Rows &rows, hir::Variable *var);
  /// Element `place` of a row.
  hir::Expr *elementAt(hir::Expr *row, const Size &place, Stmts &to);
  hir::Expr *zeroOf(const Type &type, llvm::SMRange loc);
  hir::Expr *constant(int64_t value, llvm::SMRange loc);
  hir::CompExpr *makeComp(const Frame &frame, hir::CompExpr::CompKind kind,
                          Type type);
  hir::CompIndex indexOver(const Size &size, std::string name,
                           llvm::SMRange loc);

  //===- The head of a function (LowerRaggedDefs.cpp) ---------------------===//

  void lowerParams(hir::Def &def, Stmts &checks);
  void lowerResults(hir::Def &def);

  //===- Nodes ------------------------------------------------------------===//

  hir::Variable *newVariable(hir::Variable::Kind kind, std::string name,
                             Type type, llvm::SMRange loc);
  hir::Expr *ref(hir::Variable *var, llvm::SMRange loc);
  hir::Expr *sizeExpr(const Size &size, llvm::SMRange loc);
  hir::Expr *binary(hir::BinaryOp op, hir::Expr *a, hir::Expr *b);
  hir::Expr *at(hir::Expr *array, llvm::ArrayRef<hir::Expr *> points,
                bool inBounds);
  hir::Expr *field(hir::Expr *base, unsigned number);
  hir::Block *newBlock(Stmts stmts, hir::Expr *value);
  void addLet(Stmts &to, hir::Variable *var, hir::Expr *init,
              llvm::SMRange loc);
  hir::Variable *let(Stmts &to, std::string name, hir::Expr *init);
  static hir::Sub point(hir::Expr *index, bool inBounds);
  Size productOf(llvm::ArrayRef<Dim> dims) const;
  template <typename T, typename... Args> T *make(Args &&...args) {
    T *node = program.make<T>(std::forward<Args>(args)...);
    return node;
  }

  hir::Program &program;
  DiagnosticEngine &diags;
  bool failed = false;
  unsigned nextId = 0;
  /// Where statements go that an expression needs before it.
  Stmts *out = nullptr;
  llvm::DenseMap<const hir::Variable *, Rows> rowsOf;
  /// Tuples with such rows in them, taken apart.
  llvm::DenseMap<const hir::Variable *, hir::TupleExpr *> tuples;
  /// Of sizes and of arrays that are a row: which.
  llvm::DenseMap<const hir::Variable *, RowKey> keys;
  /// Some rows with these offsets.
  llvm::DenseMap<const hir::Variable *, Rows> byOffsets;
  /// The ranges of indices that are being walked.
  llvm::DenseMap<const hir::Variable *, hir::Range> ranges;
  /// The last row that was read whole.
  std::optional<std::pair<hir::Expr *, RowKey>> rowRead;
  /// Sizes that are bound earlier than the tree says.
  llvm::DenseSet<const hir::Variable *> early;
};

} // namespace arrc

#endif // ARRC_LIB_FRONTEND_IMPORT_LOWERRAGGED_H
