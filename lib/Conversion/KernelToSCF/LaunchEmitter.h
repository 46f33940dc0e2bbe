//===- LaunchEmitter.h - Code for the body of a launch ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Emits upstream operations for what a launch holds. In lanes (inside of a
// `vector` loop) a value of the kernel stands for one value a lane:
//
//   uniform   all lanes have it; it stays a scalar
//   strided   lane l has value + l * stride; only lane 0's scalar is computed
//   vector    anything else
//
// Outside of lanes everything is uniform, so that scalar code is the special
// case and there is one emitter.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_KERNELTOSCF_LAUNCHEMITTER_H
#define ARRC_LIB_CONVERSION_KERNELTOSCF_LAUNCHEMITTER_H

#include "../KernelToHost/RuntimeCalls.h"
#include "arrc/Analysis/Coalescing.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace arrc {

/// What a value of the kernel is in the code that is emitted.
struct LaneValue {
  mlir::Value value;
  /// Lane l has `value + l * stride`; integers and indices only.
  int64_t stride = 0;
  /// `value` is a vector with one element a lane.
  bool isVector = false;
  /// Of a complex number that is a vector: the imaginary parts, and `value`
  /// holds the real ones. If it is in pairs, they take turns in `value` and
  /// then here, as they do in memory.
  mlir::Value imaginary = {};
  bool isInPairs = false;

  bool isUniform() const { return !isVector && stride == 0; }
};

/// Emits the code of one launch where the launch stands.
class LaunchEmitter {
public:
  /// Arrays of `streamBytes` or more do not stay in the caches.
  LaunchEmitter(kernel::LaunchOp launch, RuntimeCalls &calls,
                int64_t streamBytes);

  /// Emits everything and erases the launch.
  mlir::LogicalResult run();

  /// How the lanes of an access lie in memory.
  enum class Access { Uniform, Forward, Backward, Scattered };

private:
  // Roots.cpp: the launch as a whole, and what becomes tasks.
  mlir::LogicalResult emitLaunch();
  void findStreams();
  mlir::LogicalResult emitRoot(kernel::ForOp loop);
  mlir::LogicalResult emitParallelRoot(kernel::ForOp loop);
  mlir::LogicalResult emitFoldRoot(kernel::ForOp loop);
  mlir::LogicalResult emitSequentialRoot(kernel::ForOp loop);
  /// A parallel loop in tasks of `size` iterations.
  mlir::LogicalResult emitChunks(kernel::ForOp loop, int64_t size);
  /// The bounds of part `number` of `extent` iterations, `chunk` each.
  std::pair<mlir::Value, mlir::Value> createPart(mlir::Location loc,
                                                 mlir::Value extent,
                                                 mlir::Value number,
                                                 mlir::Value chunk);
  /// What `count` partial results of the fold `loop` come to, in order.
  llvm::SmallVector<mlir::Value>
  emitPartialFold(kernel::ForOp loop, llvm::ArrayRef<mlir::Value> partials,
                  mlir::Value count);
  // Updates.cpp: updates of arrays that other iterations see.
  struct Copies;
  bool collectCopies(kernel::ForOp loop, llvm::SmallVectorImpl<Copies> &all);
  mlir::LogicalResult emitUpdateRoot(kernel::ForOp loop);
  mlir::LogicalResult emitDealt(llvm::ArrayRef<kernel::ForOp> nest,
                                llvm::MutableArrayRef<Copies> all,
                                llvm::ArrayRef<mlir::Value> counts,
                                llvm::SmallVectorImpl<mlir::Value> &results);
  void foldCopies(const Copies &copies, mlir::Value count);
  // Scans.cpp
  mlir::LogicalResult emitScanRoot(kernel::ForOp loop);
  mlir::Value countBlocksInCache(kernel::ForOp loop, mlir::Value extent);
  mlir::LogicalResult emitBlockTotal(kernel::ForOp loop, mlir::Value block,
                                     mlir::Value extent,
                                     llvm::ArrayRef<mlir::Value> partials);
  mlir::LogicalResult emitIf(mlir::Location loc, mlir::Value condition,
                             llvm::function_ref<mlir::LogicalResult()> body);
  void emitPrefix(kernel::PrefixOp prefix);
  void emitLanePrefix(kernel::PrefixOp prefix);
  mlir::LogicalResult
  emitTasks(mlir::Location loc, mlir::ValueRange counts,
            llvm::function_ref<mlir::LogicalResult(mlir::ValueRange)> body);
  mlir::Value allocate(mlir::Location loc, mlir::Type element,
                       mlir::ValueRange sizes);

  // Loops.cpp
  /// The first iteration of a loop that is run, and how many are: all but where
  /// it says otherwise (partAttrName).
  std::pair<mlir::Value, mlir::Value> getRange(kernel::ForOp loop);
  mlir::LogicalResult emitBody(mlir::Block &block);
  mlir::LogicalResult emitOp(mlir::Operation &op);
  mlir::LogicalResult emitFor(kernel::ForOp loop);
  /// Runs iterations `begin` to `end` one after the other; `seeds` and
  /// `results` are those of a fold or scan.
  mlir::LogicalResult emitSerialFor(kernel::ForOp loop, mlir::Value begin,
                                    mlir::Value end,
                                    llvm::ArrayRef<LaneValue> seeds,
                                    llvm::SmallVectorImpl<LaneValue> &results);
  // Extrema.cpp: the same for folds to the largest or smallest value.
  /// Says of maxima whether zeros of both signs can meet in them.
  void markZeros();
  bool isExtremumFor(kernel::ForOp loop);
  /// The loop of such a fold; `getNext` makes what an iteration hands on of
  /// what it was given, behind the body.
  mlir::FailureOr<mlir::scf::ForOp> emitFoldLoop(
      kernel::ForOp loop, mlir::Value begin, mlir::Value end,
      mlir::ValueRange initial,
      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange)>
          getNext);
  mlir::LogicalResult
  emitExtremumFor(kernel::ForOp loop, mlir::Value begin, mlir::Value end,
                  llvm::ArrayRef<LaneValue> seeds,
                  llvm::SmallVectorImpl<LaneValue> &results);
  mlir::LogicalResult
  emitWideExtremumFor(kernel::ForOp loop, mlir::Value begin, mlir::Value end,
                      llvm::ArrayRef<LaneValue> seeds, bool isMaximum,
                      bool ignoresSigns,
                      llvm::SmallVectorImpl<LaneValue> &results);
  /// What is known of the largest or smallest value so far: three vectors of
  /// integers, or one for values without a sign.
  struct Extremum {
    llvm::SmallVector<mlir::Value> parts;
    bool isMaximum;
  };
  /// That of `value`, which may be one so far or stand for itself.
  Extremum getExtremum(mlir::Location loc, mlir::Value value, bool isMaximum,
                       bool isSigned);
  Extremum joinExtrema(mlir::Location loc, const Extremum &a,
                       const Extremum &c);
  /// The value that it comes to, which is remembered to be one.
  mlir::Value setExtremum(mlir::Location loc, const Extremum &extremum);
  /// A maximum or minimum of two of them; false for any other operation.
  bool emitExtremum(mlir::Operation &op);
  /// Folds the lanes of all values; false if they are something else.
  bool foldExtremumLanes(kernel::ForOp loop,
                         llvm::SmallVectorImpl<LaneValue> &folded);
  // ArgFolds.cpp: the same for folds to the place of such a value, which may
  // have other accumulators as well; nothing for other loops.
  std::optional<mlir::LogicalResult>
  emitArgFor(kernel::ForOp loop, mlir::Value begin, mlir::Value end,
             llvm::ArrayRef<LaneValue> seeds,
             llvm::SmallVectorImpl<LaneValue> &results);
  /// Folds the lanes of all values; false if none is the place of an extremum.
  bool foldArgLanes(kernel::ForOp loop,
                    llvm::SmallVectorImpl<LaneValue> &folded);
  mlir::LogicalResult emitRegionOp(mlir::Operation &op);
  // LaneRegions.cpp: the same in lanes, which may go different ways.
  struct Carried;
  mlir::LogicalResult emitRegionInLanes(mlir::Operation &op);
  mlir::LogicalResult emitBranchInLanes(mlir::scf::IfOp op);
  mlir::LogicalResult emitSide(mlir::scf::IfOp op, mlir::Region &side,
                               const Carried &results);
  mlir::LogicalResult emitCountedInLanes(mlir::scf::ForOp op);
  mlir::LogicalResult emitWhileInLanes(mlir::scf::WhileOp op);
  /// Whether one lane at least has something to do.
  mlir::Value createAny(mlir::Location loc, mlir::Value mask);
  void emitLocal(kernel::LocalOp local);
  void emitCheck(kernel::CheckOp check);
  /// Records that lane `lane` fails a check: `function` is the check's own.
  void emitFailure(kernel::CheckOp check, mlir::func::FuncOp function,
                   llvm::ArrayRef<LaneValue> values, mlir::Value lane);

  // Accesses.cpp
  /// One element for the lanes of `mask`, zero for the others; it is read if
  /// there is such a lane.
  mlir::Value loadForSome(mlir::Location loc, mlir::Value array,
                          llvm::ArrayRef<LaneValue> indices, mlir::Value mask);
  void emitLoad(kernel::LoadOp load);
  /// Lanes along a row that wraps: those that no end lies between are one
  /// access. All indices but the last are inside; `mask` may be null.
  mlir::Value loadWrapped(mlir::Location loc, mlir::Value array,
                          llvm::ArrayRef<LaneValue> indices, mlir::Value mask);
  void emitStore(kernel::StoreOp store);
  void emitUpdate(kernel::UpdateOp update);
  mlir::Value loadLanes(mlir::Location loc, mlir::Value array,
                        llvm::ArrayRef<LaneValue> indices, Access pattern,
                        mlir::Value mask);
  void storeLanes(mlir::Location loc, mlir::Value array, LaneValue value,
                  llvm::ArrayRef<LaneValue> indices, Access pattern,
                  mlir::Value mask);
  /// StridedLoads.cpp: lanes along rows of a few elements, of which each reads
  /// the same column; null if they do something else.
  mlir::Value loadColumn(mlir::Location loc, mlir::Value argument,
                         mlir::Value array, llvm::ArrayRef<LaneValue> indices);
  /// The same for lanes along rows of any length, with the loads behind `load`
  /// that read the elements beside its own.
  mlir::Value loadSquare(kernel::LoadOp load, mlir::Value array,
                         llvm::ArrayRef<LaneValue> indices);
  mlir::Value getsPastCaches(mlir::Location loc, mlir::Value array,
                             mlir::Value bytes,
                             llvm::ArrayRef<mlir::Value> first);
  std::pair<llvm::SmallVector<mlir::Value>, mlir::Value>
  scatterOffsets(mlir::Location loc, mlir::Value array,
                 llvm::ArrayRef<LaneValue> indices, bool masked);
  // ComplexLanes.cpp
  /// Real and imaginary parts of a complex number, as vectors.
  std::pair<mlir::Value, mlir::Value> getParts(mlir::Location loc,
                                               LaneValue value);
  /// The same in pairs.
  std::pair<mlir::Value, mlir::Value> getPairs(mlir::Location loc,
                                               LaneValue value);
  /// An operation on complex numbers in lanes; false for any other one.
  bool emitComplex(mlir::Operation &op);
  /// The parts of an array of complex numbers one after the other, and where
  /// the real part of each lane is.
  struct PartsInMemory {
    mlir::Value parts;
    LaneValue at;
  };
  PartsInMemory findParts(mlir::Location loc, mlir::Value array,
                          llvm::ArrayRef<LaneValue> indices);
  LaneValue loadComplex(mlir::Location loc, mlir::Value array,
                        llvm::ArrayRef<LaneValue> indices, mlir::Value mask);
  void storeComplex(mlir::Location loc, mlir::Value array, LaneValue value,
                    llvm::ArrayRef<LaneValue> indices, mlir::Value mask);
  LaneValue resolveEdge(mlir::Location loc, LaneValue index, mlir::Value size,
                        kernel::EdgeMode mode);

  // Lanes.cpp
  mlir::LogicalResult emitVectorFor(kernel::ForOp loop);
  // LaneFolds.cpp:
  /// What the lanes of each accumulator of `loop` come to.
  llvm::SmallVector<LaneValue> foldLanes(kernel::ForOp loop,
                                         llvm::SmallVector<LaneValue> folded);
  /// A fold each step of which folds a vector: with a vector of accumulators.
  mlir::LogicalResult emitFoldInLanes(kernel::ForOp loop);
  /// What the lanes of each vector come to by the operation called `op`; steps
  /// are shared between vectors.
  llvm::SmallVector<mlir::Value>
  foldTogether(mlir::Location loc, llvm::StringRef op,
               llvm::ArrayRef<mlir::NamedAttribute> attributes,
               llvm::ArrayRef<mlir::Value> vectors);
  llvm::SmallVector<mlir::Value>
  foldGroup(mlir::Location loc, llvm::StringRef op,
            llvm::ArrayRef<mlir::NamedAttribute> attributes,
            llvm::ArrayRef<mlir::Value> group);
  void emitPlainOp(mlir::Operation &op);
  LaneValue emitAffine(mlir::Location loc, mlir::AffineExpr expr,
                       llvm::ArrayRef<LaneValue> dims,
                       llvm::ArrayRef<LaneValue> symbols);
  /// An elementwise operation called `name` on all lanes.
  LaneValue make(mlir::Location loc, llvm::StringRef name,
                 llvm::ArrayRef<LaneValue> operands, mlir::Type scalarResult,
                 llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  /// The same for operations on two integers; keeps strides where it can.
  LaneValue binary(mlir::Location loc, llvm::StringRef name, LaneValue lhs,
                   LaneValue rhs);
  LaneValue compare(mlir::Location loc, mlir::arith::CmpIPredicate predicate,
                    LaneValue lhs, LaneValue rhs);
  LaneValue select(mlir::Location loc, LaneValue condition, LaneValue yes,
                   LaneValue no);
  LaneValue constantIndex(mlir::Location loc, int64_t value);
  /// `mask` and those lanes of an access that do something; `differs` says
  /// whether lanes have elements of their own.
  std::optional<LaneValue> getMask(mlir::Location loc, mlir::Value mask,
                                   bool differs);
  /// `value` as a vector of the lanes; as it is outside of lanes.
  mlir::Value toVector(mlir::Location loc, LaneValue value);
  mlir::Type laneType(mlir::Type scalar);
  /// A mask with every lane on.
  mlir::Value allOn(mlir::Location loc);
  llvm::SmallVector<LaneValue> combine(mlir::Region &combiner,
                                       llvm::ArrayRef<LaneValue> lhs,
                                       llvm::ArrayRef<LaneValue> rhs);

  // Values
  LaneValue lookup(mlir::Value value);
  llvm::SmallVector<LaneValue> lookup(mlir::ValueRange range);
  /// The scalar of a uniform value.
  mlir::Value lookupScalar(mlir::Value value);
  void set(mlir::Value from, LaneValue to) { values[from] = to; }
  void set(mlir::Value from, mlir::Value to) { values[from] = {to, 0, false}; }
  mlir::Value getExtent(kernel::ForOp loop);
  mlir::Value zero(mlir::Location loc, mlir::Type type);
  llvm::SmallVector<mlir::Value> neutrals(kernel::ForOp loop);

  kernel::LaunchOp launch;
  RuntimeCalls &calls;
  int64_t streamBytes;
  mlir::func::FuncOp host;
  mlir::OpBuilder b;
  llvm::DenseMap<mlir::Value, LaneValue> values;
  /// Inside of a `vector` loop the number of its lanes, else 0.
  int64_t lanes = 0;
  /// What differs between these lanes.
  std::optional<Variation> varying;
  /// Of the lanes those that do something, inside of loops and branches that
  /// others have left or not entered; null: all.
  mlir::Value active;
  /// Inside of a task.
  bool inTask = false;
  /// Whether parallel loops become tasks where they stand.
  bool spreads = false;
  /// The launch's result arrays do not overlap anything else.
  bool distinct = false;
  /// Result arrays that the launch does not read, and whether each is too large
  /// for the caches.
  llvm::DenseMap<mlir::Value, mlir::Value> streams;
  /// The launch can leave an error for the host to find.
  bool mayFail = false;
  llvm::DenseMap<mlir::Value, Extremum> extrema;
  /// Of the scan loops around, innermost last: accumulators, then what the
  /// prefix made of them.
  struct ScanState {
    llvm::SmallVector<LaneValue> accumulators, next;
    kernel::ForOp loop;
    /// The scan that has the total of one iteration, if a digit inside has it.
    kernel::ForOp inner;
  };
  void enterScan(kernel::ForOp loop, llvm::ArrayRef<LaneValue> accumulators);
  /// Closes the innermost one; gives what the next iteration starts from.
  llvm::SmallVector<LaneValue> leaveScan();
  llvm::SmallVector<ScanState> scans;
  /// Arrays of which the task at work has a copy: the array of all copies, and
  /// which one it is.
  llvm::DenseMap<mlir::Value, mlir::Value> copyOf;
  /// Whether tasks update arrays of the launch that have no copies.
  bool sharesUpdates = false;
  mlir::Value copyNumber;
  /// Loops of which the task at work does a part.
  llvm::DenseMap<mlir::Operation *, std::pair<mlir::Value, mlir::Value>> ranges;
  /// Folds whose results a scan behind them has as well.
  llvm::DenseSet<mlir::Operation *> skipped;
  /// Locals to free at the end of the bodies around, innermost last.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> locals;
  /// Of launches on the host: buffers to free behind the launch.
  llvm::SmallVector<mlir::Value> buffers;
  /// All columns of the rows that the lanes read from `first` on, in a block
  /// that has not stored anything since.
  struct Columns {
    mlir::Block *block;
    mlir::Value array;
    llvm::SmallVector<mlir::Value> first;
    int64_t lanes;
    llvm::SmallVector<mlir::Value> values;
  };
  llvm::SmallVector<Columns> columns;
  /// What loads further down the block give, of squares that a load before them
  /// has transposed.
  llvm::DenseMap<mlir::Operation *, mlir::Value> squares;
  /// The loops around, for the index of a failing check.
  struct Digit {
    llvm::StringRef dim;
    LaneValue index;
    mlir::Value extent;
  };
  llvm::SmallVector<Digit> digits;
  void enterLoop(kernel::ForOp loop, LaneValue index) {
    digits.push_back({loop.getDim(), index, getExtent(loop)});
  }
};

/// What differs between the lanes of a vector loop, if `emitVectorFor` knows
/// all that the loop holds; else it runs as a scalar loop.
std::optional<Variation> findVariation(kernel::ForOp loop);
inline bool canRunInLanes(kernel::ForOp loop) {
  return findVariation(loop).has_value();
}

/// Whether the loop holds other loops.
bool isNested(kernel::ForOp loop);

/// Whether several tasks may run `update` on one array: a sum of integers that
/// hardly ever runs.
bool isIndivisible(kernel::UpdateOp update);

/// Whether each step of the fold `loop` only folds a vector, in any order.
bool canFoldInLanes(kernel::ForOp loop);

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_KERNELTOSCF_LAUNCHEMITTER_H
