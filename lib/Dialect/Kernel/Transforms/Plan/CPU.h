//===- CPU.h - The planner of a CPU -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// One launch and what has been decided of it. What schedules look like is told
// in CPU.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_CPU_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_CPU_H

#include "PlanSchedules.h"

#include "llvm/ADT/SetVector.h"

namespace arrc::kernel {

/// Whether lanes along `loop` are possible at all.
bool mayRunInLanes(ForOp loop, const Variation &variation);
inline bool mayRunInLanes(ForOp loop) {
  return mayRunInLanes(loop, Variation(loop));
}

/// The name of a digit in the order of a schedule.
inline std::string nameDigit(llvm::StringRef dim, size_t number) {
  return (dim + "." + llvm::Twine(number)).str();
}

/// Accumulators of a fold, in vectors.
inline constexpr int64_t kFoldVectors = 4;
/// Blocks of a fold that is cut: several for each of many workers, as some wake
/// late and leave theirs to others.
inline constexpr int64_t kFoldBlocks = 128;
/// Tasks that are enough for all workers.
inline constexpr int64_t kManyTasks = 32;
/// Rows that are too few for blocks of rows, and from how many elements on they
/// are cut.
inline constexpr int64_t kFewLongRows = 32, kCutRow = 1 << 18;
/// Columns or elements of rows that have a version of their own.
inline constexpr int64_t kKnownElements[] = {2, 3, 4, 8};
/// Whether `fold` looks for largest or smallest floats alone.
bool isExtremum(ForOp fold);
/// Whether the elements of `loop` keep their order: those of a scan, and of a
/// fold that does not commute.
bool isInOrder(ForOp loop);
/// Vectors of accumulators of a fold of extrema, which keeps more on the way.
inline constexpr int64_t kExtremumVectors = 2;
/// Values that `fold` keeps on the way.
int64_t countParts(ForOp fold);
/// What an iteration of `loop` computes besides places, at least 1.
int64_t countOperations(ForOp loop);
/// Vectors of accumulators that a fold by `loop` needs beside each other, so
/// that none waits for the addition before: fewer where a step computes more.
int64_t getFoldVectors(ForOp loop);
/// The fewest lanes of a fold.
inline constexpr int64_t kNarrowLanes = 4;
/// Vectors of rows whose lines stay in the first cache while lanes along the
/// rows fold them.
inline constexpr int64_t kNarrowSteps = 32;

/// Plans one launch for a CPU.
class CPUPlanner {
public:
  CPUPlanner(LaunchOp launch, DeviceAttr device);

  /// Writes the schedule, unless the launch is better left to the lowering.
  void run();

private:
  enum class Bound { Least, Most, Equal };
  /// `size` is at least, at most, or just `limit`.
  struct Condition {
    mlir::BlockArgument size;
    Bound bound;
    int64_t limit;
  };
  using Digits = mlir::SmallVector<DigitAttr>;

  // CPU.cpp
  /// The one loop at the root.
  bool findRoot();
  /// The parallel loops that make up the root, or its fold.
  void findBlocks();
  /// Whether all extents are numbers whose product is too small for blocks.
  bool isSmall();
  /// The first loop of each dimension, outer dimensions first; none if some
  /// have no order.
  mlir::SmallVector<ForOp> sortDims();
  void chooseDigits();
  /// One sequential digit.
  void keepWhole(ForOp loop, mlir::SmallVectorImpl<mlir::StringAttr> &names,
                 mlir::SmallVectorImpl<DigitAttr> &digits);
  /// The digits of a dimension with lanes; `axis` is -1 without blocks.
  void addLanes(ForOp loop, int axis, int64_t width,
                llvm::function_ref<void(LevelAttr, int64_t)> add);
  /// Within each dimension: unroll, vector, then seq; dimensions that share a
  /// nest keep their jammed digits outside of its sequential ones.
  void sortInner(size_t first);

  // CPULanes.cpp
  /// For each innermost loop the best of it and the parallel loops around it.
  void chooseLanes();
  /// Whether `loop` is around lanes that fold: then one operand of the fold may
  /// stay while `loop` goes on, and another while the lanes do.
  bool isTiled(ForOp loop, ForOp along);
  bool isTileOfSome(ForOp along);

  // CPUFolds.cpp, of columns
  /// The fold inside the lanes that walks whole rows: it reads along the lanes,
  /// and with each step another row. Nothing else may stand in the launch.
  ForOp findColumnFold(ForOp along);
  /// Sums of columns: see there.
  bool planColumnFold();
  /// Lanes along the rows, of which `columns` are folded side by side; in
  /// blocks of rows or, where there are few, not.
  ScheduleAttr makeKnownColumns(llvm::StringRef dim, llvm::StringRef rows,
                                int64_t columns, bool inBlocks);
  /// Blocks of rows of so many vectors, `several` rows at a time.
  ScheduleAttr makeWholeRows(llvm::StringRef dim, llvm::StringRef rows,
                             int64_t vectors, DigitAttr several);
  /// A loop at the root over a few columns, whose number is known, in each of
  /// which a fold walks the rows: lanes are not along it, but it is planned so.
  bool chooseKnownColumns();
  /// Whether all loads of `loop` are from rows that it walks from end to end,
  /// one for each iteration of `row` or the same for all.
  bool readsWholeRows(ForOp loop, ForOp row);

  // CPURows.cpp
  /// Folds along the lanes of rows.
  bool planRows();
  /// The schedule with one digit at `seq` for the dimensions `rows`, with lanes
  /// or without.
  ScheduleAttr simplifyRows(const llvm::SetVector<mlir::StringAttr> &rows,
                            bool keepLanes);
  /// The same with lanes, for `count` rows at a time.
  ScheduleAttr joinRows(const llvm::SetVector<mlir::StringAttr> &rows,
                        int64_t count);
  /// Adds the digits of the blocks; the dimension of the rows.
  std::string
  startRows(llvm::SmallVectorImpl<std::pair<std::string, Digits>> &list,
            llvm::SmallVectorImpl<std::string> &names);
  /// Lanes along rows of `elements`, which are read all at once.
  ScheduleAttr makeKnownRows(const llvm::SetVector<mlir::StringAttr> &rows,
                             int64_t elements);
  ScheduleAttr makeNarrowRows(ForOp fold);
  /// Blocks of elements, in each of which all rows are folded.
  ScheduleAttr makeCutRows(ForOp fold);
  /// Tiles of results, to which the rows `dim` are added in the order of
  /// `pile`.
  ScheduleAttr makePiledRows(llvm::StringRef pile, llvm::StringRef dim,
                             int64_t count, Digits digits);
  /// Versions for rows that another fold is around.
  void addPiledRows(ForOp fold);
  ScheduleAttr makeShortRows(llvm::StringRef dim);
  // CPU.cpp
  /// A scan of everything.
  bool planRootScan();

  // CPUMaps.cpp
  /// The loops of a map that walks memory along the last one and along
  /// another; none for other launches.
  struct Square {
    mlir::SmallVector<ForOp> nest;
    ForOp across;
    /// Whether it can load rows of squares as vectors.
    bool inLanes = false;
  };
  Square findSquare();
  bool planSquares(const Square &square);
  /// A map or scan whose lanes run along a dimension that may be narrow; other
  /// digits have been chosen.
  bool planNarrow();
  /// A fold for each column of a tile, of which there may be fewer than lanes.
  bool planNarrowProduct();
  /// Versions for products of many steps: tiles of results to which some steps
  /// at a time are added.
  void addLongProducts(ForOp lane, ForOp fold);
  ScheduleAttr makeLongProduct(ForOp rows, ForOp lane, ForOp fold,
                               int64_t columnTiles);
  ScheduleAttr makeFewRows(ForOp rows, ForOp lane, ForOp fold);
  /// The schedule with one vector of `width` along `loop`.
  ScheduleAttr narrowLanes(ForOp loop, int64_t width);

  // Schedules and versions
  LevelAttr level(LevelKind kind, unsigned axis = 0) const {
    return LevelAttr::get(context, kind, axis);
  }
  DigitAttr digit(LevelKind kind, int64_t size = 0, unsigned axis = 0) const {
    return DigitAttr::get(context, level(kind, axis), size);
  }
  ScheduleAttr makeSchedule(bool splitBoundary = true) const;
  /// A schedule of these digits in this order.
  ScheduleAttr
  makeSchedule(llvm::ArrayRef<std::pair<std::string, Digits>> digits,
               llvm::ArrayRef<std::string> names);
  /// The size of the launch that `loop` runs over; null if it is none.
  mlir::BlockArgument getSize(ForOp loop);
  /// Adds a version for the case that all `conditions` hold. One that is always
  /// taken closes the list; after that nothing is added.
  void addVersion(llvm::ArrayRef<Condition> conditions, ScheduleAttr schedule);
  /// Adds one for the case that all of `given` hold and `loop` has such an
  /// extent, if that may be and can be asked for.
  void addVersionIf(llvm::ArrayRef<Condition> given, ForOp loop, Bound bound,
                    int64_t limit, llvm::function_ref<ScheduleAttr()> makeIt);
  /// Adds what asks for such an extent; false if it never holds, or cannot be
  /// asked for.
  bool require(ForOp loop, Bound bound, int64_t limit,
               mlir::SmallVectorImpl<Condition> &conditions);
  /// `schedule` with a level more for sums that would run over all their terms
  /// in order: errors grow with each run, not with all terms.
  ScheduleAttr cutSums(ScheduleAttr schedule,
                       llvm::ArrayRef<Condition> conditions);
  void writeVersions();
  /// Whether the launch looks for places of extrema.
  bool findsPlaces() const;
  /// Lanes of the widest element.
  int64_t getWidth() const;

  LaunchOp launch;
  mlir::MLIRContext *context;
  int64_t vectorBytes;
  ForOp root;
  mlir::SmallVector<ForOp> innermost, blocks;
  llvm::SetVector<ForOp> lanes;
  mlir::SmallVector<DimDigitsAttr> dims;
  mlir::SmallVector<mlir::StringAttr> order;
  mlir::SmallVector<std::pair<mlir::SmallVector<Condition>, ScheduleAttr>>
      versions;
};

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_CPU_H
