//===- SegmentWriter.h - Loops over the values of all rows ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A part of kernel-split-segments; its head says what is written.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_SEGMENTWRITER_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_SEGMENTWRITER_H

#include "Segments.h"

#include "arrc/Support/ScalarWriter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace arrc::kernel {

/// Writes the loops of one launch in front of its rows. "Places" count the
/// values of all rows and the ends of the rows together, in order: a row that
/// has none still has its end. Blocks have equal numbers of places.
class SegmentWriter : ScalarWriter {
public:
  SegmentWriter(mlir::IRRewriter &rewriter, LaunchOp launch,
                const Segments &segments, SegmentShape shape);
  void write();

private:
  using Values = llvm::SmallVector<mlir::Value>;
  using Body = llvm::function_ref<void(mlir::Value)>;

  /// What goes on from one step to the next; numbers have 64 bits.
  struct State {
    mlir::Value row, place;
    Values carry;
    Values get() const;
    static State of(mlir::ValueRange values);
  };
  /// Some rows whose ends are on chip, from the place `base` on.
  struct Window {
    mlir::Value base, firstRow, rows, valuesEnd, stop, isRight;
  };
  /// Values of one step: the first one and its row, by their numbers in the
  /// window, and how many there are.
  struct Tile {
    mlir::Value base, firstRow, count;
  };
  /// What a part adds to the number of rows that end, if one does in front of
  /// its values or behind some of them.
  static constexpr int64_t kEndsHere = 1 << 16;

  // SegmentWriter.cpp
  void createBlocks();
  std::pair<mlir::Value, mlir::Value> findRows(mlir::Value from,
                                               mlir::Value to);
  void createTail();
  void createRepair();
  // SegmentSteps.cpp
  State createWindows(State start);
  Window openWindow(const State &state);
  State createStep(const State &state, const Window &window);
  void computeValues(const State &state, const Window &window);
  void computeTile(mlir::Value from, mlir::Value count);
  void forTile(llvm::StringRef suffix,
               llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> body);
  mlir::Value markEnds(mlir::Value x, const Tile &now);
  Values walkValues(mlir::Value from, mlir::Value mark);
  void finishRows(const State &state, const Tile &now, mlir::Value count);

  /// A copy of `value`, computed in the body of the rows, for another row.
  mlir::Value at(mlir::Value value, mlir::Value row, mlir::IRMapping &mapping);
  mlir::Value copy(mlir::Value value, mlir::IRMapping &mapping);
  /// The same as a number.
  mlir::Value wordAt(mlir::Value value, mlir::Value row);
  /// The place at which the row ends.
  mlir::Value endAt(mlir::Value row);
  /// What the fold does with the value at `position`; its conditions are joined
  /// in `isRight`.
  Values valuesAt(mlir::Value position, mlir::Value &isRight);
  mlir::Value endConditionsAt(mlir::Value position);
  /// Maps the step of the fold to `position`, and what rows share to itself.
  void mapPosition(mlir::Value position, mlir::IRMapping &mapping);
  /// Everything but the fold, for a row that came to `values`.
  void cloneRest(mlir::Value row, mlir::ValueRange values);
  Values join(mlir::ValueRange a, mlir::ValueRange b);
  /// The second if a row ended in it, else both joined.
  Values joinParts(mlir::ValueRange a, mlir::Value hasEnd, mlir::ValueRange b);
  /// Fills the operator of a scan over (ends of rows, values behind the last);
  /// above `none` there is an end.
  void buildPartCombiner(ForOp scan, int64_t none);

  ForOp createLoop(const llvm::Twine &dim, mlir::OpFoldResult extent,
                   ForKind kind, mlir::ValueRange seeds, LevelKind level);
  void forThreads(llvm::StringRef name, Body body);
  /// The same over the threads.
  mlir::Value allThreads(llvm::StringRef name,
                         llvm::function_ref<mlir::Value(mlir::Value)> body);
  /// A fold of booleans: all hold.
  ForOp createAll(const llvm::Twine &dim, int64_t extent, LevelKind level,
                  llvm::function_ref<mlir::Value(mlir::Value)> body);
  void ifTrue(mlir::Value condition, llvm::function_ref<void()> body);
  void ifElse(mlir::Value condition, llvm::function_ref<void()> yes,
              llvm::function_ref<void()> no);
  Values createLocals(int64_t count);
  mlir::Value createLocal(int64_t count, mlir::Type type);
  Values get(llvm::ArrayRef<mlir::Value> locals, mlir::Value index);
  mlir::Value get(mlir::Value local, mlir::Value index);
  void put(mlir::ValueRange values, llvm::ArrayRef<mlir::Value> locals,
           mlir::Value index, mlir::Value mask = {});
  void put(mlir::Value value, mlir::Value local, mlir::Value index,
           mlir::Value mask = {});

  mlir::Value word(int64_t value);
  mlir::Value half(int64_t value);
  mlir::Value truth(bool value);
  mlir::Value toIndex(mlir::Value value);
  mlir::Value toWord(mlir::Value value);
  mlir::Value toHalf(mlir::Value value);
  mlir::Value most(mlir::Value x, mlir::Value y);
  mlir::Value ceilDiv(mlir::Value x, mlir::Value y);
  mlir::Value isLess(mlir::Value x, mlir::Value y);
  mlir::Value isAtMost(mlir::Value x, mlir::Value y);
  using ScalarWriter::select;
  Values select(mlir::Value condition, mlir::ValueRange x, mlir::ValueRange y);

  mlir::IRRewriter &b;
  LaunchOp launch;
  const Segments &segments;
  ForOp rows, fold;
  mlir::Location loc;
  std::string name;
  /// Values and rows that a block takes at a time are `tile` and `rowTile`.
  int64_t blocks, atWork, threads, items, tile, rowTile;
  llvm::SmallVector<mlir::Type> types;
  Values neutrals;
  /// The neutral elements are what the fold starts from.
  bool startsNeutral = true;
  /// Rows; of each block the row at its start, what that came to there, what
  /// the row at its end came to so far, and whether all was as expected.
  mlir::Value rowCount, firstRows, blocksRight, allRight;
  Values heads, tails;
  // Of a block: where values begin, its first row and the one at its end, and
  // the place at its end.
  mlir::Value begin, headRow, endRow, endPlace, block;
  /// On chip: ends of rows, values, marks of those behind which rows end, what
  /// comes to a thread from those before it; of a thread: how many rows end,
  /// whether all was as expected.
  mlir::Value ends, marks, ended, threadsRight;
  Values values, befores;
};

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_SEGMENTWRITER_H
