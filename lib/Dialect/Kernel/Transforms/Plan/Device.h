//===- Device.h - The planner of devices ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Device.cpp tells how the parts fit together; the others plan one
// kind of launch each: maps (Maps), maps that turn arrays (Staging), matrix
// products (Products), folds over what outputs share (Pairs), folds (Folds,
// RowFolds), scans (Scans), what else is inside of parallel loops (Rows,
// PersistentRows, ShortRows).
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_DEVICE_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_DEVICE_H

#include "PlanSchedules.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Kernel/IR/MatrixShape.h"

#include "mlir/IR/AffineExpr.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

namespace arrc::kernel {

/// Whether the host can compute the extent of `loop`: it follows from scalar
/// operands of the launch.
bool isHostExtent(ForOp loop);

/// The fold that is the only loop in the body of `loop`, beside scalars and
/// loads, and whose operator is commutative; stores may stand behind it if
/// `stores`. Null if there is none.
ForOp findOnlyFold(ForOp loop, bool stores);

/// Whether operations of these kinds stand in the body of `loop`.
template <typename... Ops> bool holds(ForOp loop) {
  return loop.getBody()
      .walk([](mlir::Operation *op) {
        return mlir::isa<Ops...>(op) ? mlir::WalkResult::interrupt()
                                     : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether several iterations of `loop` may take each step together in one
/// thread: nothing is repeated an unknown number of times. Errors may be found
/// in any order: the one whose iteration comes first is kept.
bool mayBeJammed(ForOp loop);

/// Whether iterations of `nest` that one thread takes may take the sequences of
/// steps in their body together: these have the same number of steps in all of
/// them, do little in each, and carry few values.
bool mayStepTogether(llvm::ArrayRef<ForOp> nest);

/// Terms that a thread adds in a row: errors of sums grow with this number and
/// the number of such runs, not with their product.
inline constexpr int64_t kRun = 16;

/// Threads of a block, and those along a row, where each takes a vector.
inline constexpr int64_t kWideThreads = 256, kWideLanes = 32;

/// Loads below `loop` that are not from on-chip arrays.
unsigned countLoads(ForOp loop);
/// Whether `loop` loads elements of less than a word from arrays: how many of
/// them one access takes decides, and where rows begin.
bool readsNarrow(ForOp loop);

/// Bytes that one iteration of `loop` loads.
int64_t getLoadBytes(ForOp loop);

/// Iterations of `loop`, beside `width` elements of each, that a thread takes
/// together.
int64_t getFoldCopies(ForOp loop, int64_t width);

/// The power of two from `number` on.
int64_t ceilPower(int64_t number);

/// The number of threads that `loop` can use, at most `limit`.
int64_t getUsefulThreads(ForOp loop, int64_t limit);

/// Whether some array is read at several places along `loop`, a few elements
/// apart, in the body of `last`.
bool readsNeighbours(ForOp last, ForOp loop);

/// The length of the longest column that stays on chip from one loop to the
/// next, `words` registers an element.
int64_t getLongestPersistentColumn(int64_t words);

/// Consecutive iterations of `along` that a thread should take together because
/// their windows overlap, if each is `width` results wide; 1 if they do not.
int64_t getWindowCopies(ForOp last, ForOp along, int64_t width);

/// Consecutive iterations of `lane` that a thread should take together where
/// rows begin anywhere: a window's neighbours share what they load, but the
/// lanes' accesses lie apart. As many as ask the caches for least.
int64_t getLaneCopies(ForOp last, ForOp lane);

/// Consecutive iterations of `lane` that make a word of each array, where all
/// elements are narrower and go to the next one with `lane`, and bodies do not
/// branch; else 1.
int64_t getWordCopies(ForOp last, ForOp lane);

/// The loop of `nest`, not `lane`, of which a thread should take several
/// iterations as windows overlap along it: the one by which blocks with `y`
/// threads along `beside` ask the caches for least. Null if there is none.
ForOp findWindowLoop(llvm::ArrayRef<ForOp> nest, ForOp lane, int64_t width,
                     ForOp beside, int64_t y);

/// Whether vectors of `width` elements along `lane` serve several taps of what
/// is read: fewer accesses of that width than there are taps.
bool isWindowWorthVectors(ForOp lane, int64_t width);

/// How often `op` runs what it holds, for weights of accesses: a loop of many
/// iterations counts as a few.
int64_t getIterations(mlir::Operation *op);

/// Whether iterations of `last` only stream elements by, and few of them: what
/// is computed, or read again as a neighbour, asks for other shapes.
bool isStream(ForOp last, ForOp lane, ForOp next);

/// Iterations of `last` that a thread should take together along `next`, lanes
/// along `lane`, if all they do is to stream elements by; else 1.
int64_t getStreamCopies(ForOp last, ForOp lane, ForOp next);

/// The number of groups of `size` iterations that `loop` can use, at most
/// `limit` or a half, a quarter of it.
int64_t getUsefulGroups(ForOp loop, int64_t size, int64_t limit);

/// The loop of `nest` along which `index` is contiguous; null if there is none.
ForOp getContiguous(llvm::ArrayRef<ForOp> nest, const LinearIndex &index);

/// Whether the index is made of the nest's digits and of what is known before
/// the nest, and steps by one along `lane` and `cross`.
bool isRegular(llvm::ArrayRef<ForOp> nest, const LinearIndex &index, ForOp lane,
               ForOp cross);

/// Outputs of a thread along one dimension of a tile: groups of neighbours.
struct ThreadTile {
  int64_t groups, neighbours;
  int64_t size() const { return groups * neighbours; }
};

/// A fold whose operands each stay along one of two dimensions.
struct Product {
  /// Threads along both dimensions of a tile.
  static constexpr int64_t threads = 16;

  ForOp row, column;
  /// The fold's loops, outermost first.
  llvm::SmallVector<ForOp> folds;
  /// What is read, and where.
  llvm::SmallVector<std::pair<mlir::Value, llvm::SmallVector<LinearIndex>>>
      operands;
  /// Registers of an output, bytes of the widest operand.
  int64_t registers = 0, bytes = 0;
  bool branches = false;
  /// What a warp of the device multiplies at once, if it does.
  std::optional<MatrixShape> matrix;

  /// Whether an access at `indices` goes elsewhere as `loop` goes on.
  static bool moves(llvm::ArrayRef<LinearIndex> indices, ForOp loop);
};

struct PrivateCopies;
struct ProductShape;
struct MostVersions;
struct NestFacts;
struct NestShares;
struct NestWidths;
struct ScanFacts;
struct ScanShape;

/// Plans one launch.
class DevicePlanner {
public:
  DevicePlanner(LaunchOp launch, DeviceAttr device)
      : launch(launch), device(device), context(launch.getContext()),
        units(device.getInteger("units", 32)),
        maxThreads(device.getInteger("max_threads", 256)),
        vectorBytes(device.getInteger("vector_bytes", 16)),
        sharedBytes(device.getInteger("shared_bytes", 0)),
        unitThreads(device.getInteger("unit_threads", 1024)),
        subgroup(device.getInteger("subgroup", 0)),
        canWait(device.getInteger("ordered_blocks", 0)),
        hasParts(device.getInteger("parts", 0)) {}

  /// Writes the schedule or the versions of the launch.
  void run();

private:
  using Digits = llvm::SmallVector<DigitAttr, 4>;
  using DigitList = llvm::ArrayRef<std::pair<LevelKind, int64_t>>;

  /// Gives loops names of their own where one name would mean two things.
  void separateDims();
  void planRoot(ForOp root);
  void planMap(llvm::ArrayRef<ForOp> nest);
  /// Loops that update arrays at places that they find out (histograms): copies
  /// on chip where they are few. False if the launch is none.
  bool planUpdates(llvm::ArrayRef<ForOp> nest);
  bool planBins(ForOp loop);
  /// Digits and clauses of such a loop whose blocks have `number` copies of
  /// `arrays`.
  void setUpdates(ForOp loop, llvm::ArrayRef<PrivateCopies> arrays,
                  int64_t number, int64_t blocks, int64_t width);
  /// Whether blocks take stretches of neighbours: several devices share them.
  bool hasStretches(ForOp loop) const;
  /// The outer digits of such a loop: those of `blocks` that stay, or
  /// stretches.
  llvm::SmallVector<std::pair<LevelKind, int64_t>>
  getUpdateBlocks(ForOp loop, int64_t blocks) const;
  /// Not negative where all blocks save more updates of memory than the merges
  /// of `elements` by each cost, which takes `taken` iterations at a time; null
  /// if that cannot be told.
  mlir::AffineExpr getUpdateGain(ForOp loop, mlir::AffineExpr elements,
                                 int64_t blocks, int64_t taken);
  /// The same of blocks that have ranges of `array`, which are several:
  /// versions. True if no other one is needed.
  bool planRanges(ForOp loop, const PrivateCopies &array, int64_t width);
  /// Elements of an argument of the launch, for conditions; null if they are
  /// no such expression.
  mlir::AffineExpr getNumElements(mlir::Value array);
  /// Gives an array that is updated a name, for clauses.
  mlir::StringAttr nameUpdated(mlir::Value array);
  /// Maps over aligned rows whose numbers are read: versions. True if no other
  /// one is needed.
  bool planGatheredRows(llvm::ArrayRef<ForOp> nest);
  /// Folds as long as an array says (RaggedFolds.cpp).
  bool planRaggedFold(llvm::ArrayRef<ForOp> nest);
  /// Blocks of threads along the lanes and the dimension beside them; a thread
  /// takes several iterations together if it `jams`.
  void setMapGrid(llvm::ArrayRef<ForOp> nest, bool jams);
  /// Adds to `conditions` that `next` has as many `iterations` as a block takes
  /// of it: other dimensions may be what is long. False if that cannot be told.
  bool fillsBlocks(llvm::ArrayRef<ForOp> nest, ForOp next, int64_t iterations,
                   llvm::SmallVectorImpl<mlir::AffineExpr> &conditions);
  /// Maps over rows of which each starts at an aligned place: a version. True
  /// if no other one is needed.
  bool planWideMap(llvm::ArrayRef<ForOp> nest);
  /// Adds what is planned for up to `most` iterations of `rows`, and for
  /// `least` and more of `lane`. True if no other version is needed.
  bool addFewRows(ForOp rows, int64_t most, ForOp lane, int64_t least);
  /// Maps over windows, of which a thread takes several along `window`: blocks
  /// of `x` threads along `lane` and `y` along `beside`, and a version for few
  /// rows of `beside`.
  void planWindow(llvm::ArrayRef<ForOp> nest, ForOp lane, int64_t x,
                  int64_t width, ForOp window, ForOp beside, int64_t y);
  /// Maps over a few long rows: a version whose blocks have one each. True if
  /// no other one is needed.
  bool planFewRows(llvm::ArrayRef<ForOp> nest, ForOp lane);
  /// Maps over rows that are short, or that start anywhere: versions. True if
  /// no other one is needed.
  bool planNarrowMap(llvm::ArrayRef<ForOp> nest);
  /// The same of windows, of which a thread takes several along `window`, over
  /// rows of `columns`.
  bool planNarrowWindow(llvm::ArrayRef<ForOp> nest, ForOp window,
                        mlir::AffineExpr columns);
  /// The same of maps that write along `lane`, of `columns`, and read along
  /// `cross`, of `rows`; null for the one that should not decide.
  bool planNarrowTransposed(llvm::ArrayRef<ForOp> nest, ForOp lane, ForOp cross,
                            mlir::AffineExpr columns, mlir::AffineExpr rows);
  /// Blocks along all loops of `nest` but `lane`, which is no longer than its
  /// `x` threads; `y` threads and `copies` of their rows along `next`.
  void setNarrow(llvm::ArrayRef<ForOp> nest, ForOp lane, int64_t x, ForOp next,
                 int64_t y, int64_t copies);
  /// Maps that read along one dimension and write along another, by tiles on
  /// chip. False if the launch is none.
  bool planTransposed(llvm::ArrayRef<ForOp> nest);
  /// Folds whose operands each stay along one dimension of `nest` (matrix
  /// products), by tiles on chip: versions. True if no other one is needed.
  bool planProduct(llvm::ArrayRef<ForOp> nest);
  std::optional<Product> findProduct(llvm::ArrayRef<ForOp> nest);
  /// Of few columns and steps, and many of a few rows and columns: the same.
  /// What warps would multiply at once, if the device and the product allow it.
  std::optional<MatrixShape> findMatrix(const Product &product);
  bool planTinyProduct(llvm::ArrayRef<ForOp> nest, const Product &product);
  bool planSmallProducts(llvm::ArrayRef<ForOp> nest, const Product &product);
  /// Folds over what does not depend on the output: versions in the same way.
  bool planAllPairs(llvm::ArrayRef<ForOp> nest);
  /// Folds of folds of pairs of rows: versions that have these on chip. True if
  /// no other one is needed.
  bool planDistances(llvm::ArrayRef<ForOp> nest);
  /// Digits and clauses of one shape of tiles; `wide` where rows are aligned.
  void setProduct(llvm::ArrayRef<ForOp> nest, const Product &product,
                  const ProductShape &shape, bool wide);
  /// Adds to `conditions` that rows of all operands may be read by wide
  /// accesses. False if that cannot be told.
  bool addAlignment(const Product &product, bool multiplies,
                    llvm::SmallVectorImpl<mlir::AffineExpr> &conditions);
  void planFold(llvm::ArrayRef<ForOp> nest);
  void planScan(ForOp scan);
  /// A scan of tiles that `threads` keep in registers, `copies` times `width`
  /// elements each; the tiles are at `level`.
  void setTiles(ForOp scan, LevelKind level, int64_t threads, int64_t copies,
                int64_t width);
  /// Scans across rows: threads along the columns. False if the launch is none.
  bool planScanColumns(llvm::ArrayRef<ForOp> nest);
  /// Maps whose bodies rewrite arrays step by step: a block each. False if the
  /// body has none, or where another schedule is needed for other sizes.
  bool planChunks(llvm::ArrayRef<ForOp> nest);
  /// Folds over rows that are short, `lanes` along them: a thread a row. False
  /// where another schedule is needed for longer ones.
  bool planShortRows(llvm::ArrayRef<ForOp> nest, llvm::ArrayRef<ForOp> lanes);
  /// Gives such a scan the digits of `shape`.
  void setScanShape(llvm::ArrayRef<ForOp> nest, ForOp scan,
                    const ScanFacts &facts, const ScanShape &shape);
  /// Versions of such a scan: the shapes that are best at sample sizes.
  bool addScanVersions(llvm::ArrayRef<ForOp> nest, ForOp scan,
                       const NestFacts &facts, const ScanFacts &shared);
  /// Scans of rows: threads along each. False if the launch is none.
  bool planScanRows(llvm::ArrayRef<ForOp> nest, llvm::ArrayRef<ForOp> lanes);
  /// The same where one array lies along the rows and another across: whichever
  /// the threads walk, half of the accesses jump, and only along the rows there
  /// are enough of them if rows are few.
  bool planScanRows(llvm::ArrayRef<ForOp> nest);
  /// Who takes what in a scan of rows.
  struct ScanRowShape {
    /// Threads of a row, and rows of a block.
    int64_t threads = 1, together = 1;
    /// Groups of neighbours that a thread keeps, and how many these are.
    int64_t copies = 1, width = 1;
    /// Where the tiles of a row are: in one block, or in one each.
    LevelKind rows = LevelKind::Seq;
    /// A row has no more than one tile.
    bool whole = false;
  };
  void planScanRows(llvm::ArrayRef<ForOp> nest, ForOp scan,
                    const ScanRowShape &shape);

  /// Loops inside of `nest` that threads should walk; empty if they should not.
  llvm::SmallVector<ForOp> chooseLanes(llvm::ArrayRef<ForOp> nest);
  void planRows(llvm::ArrayRef<ForOp> nest, llvm::ArrayRef<ForOp> lanes);
  /// Rows of `length` that several lanes read: versions that keep them on chip.
  /// False if there is nothing to keep.
  bool planPersistentRows(llvm::ArrayRef<ForOp> nest,
                          llvm::ArrayRef<ForOp> lanes, mlir::AffineExpr length);
  /// The same of columns, threads next to each other along `nest`. False if the
  /// launch is none.
  bool planPersistentColumns(llvm::ArrayRef<ForOp> nest);
  /// What the loops in a row or a column keep for each other.
  struct KeptRow {
    llvm::SmallVector<LocalOp> locals;
    llvm::SmallVector<mlir::StringAttr> arrayNames, localNames;
    /// Registers that an element takes at most.
    int64_t words = 1;
  };
  /// Finds it, and names arrays and locals. Nothing if nothing is kept, or it
  /// is used in another way.
  std::optional<KeptRow> findKeptRow(ForOp row);
  /// It stays in registers at `digit`, but for locals that are computed again
  /// where room is dear; or all of these are.
  void addKeptClauses(const KeptRow &kept, mlir::StringAttr digit,
                      bool isDear = false);
  void addRecomputeClauses(const KeptRow &kept);
  /// Adds what has been planned as a version that keeps `row` in registers, as
  /// addVersion does.
  bool addKeptVersion(llvm::ArrayRef<mlir::AffineExpr> conditions,
                      const KeptRow &kept, ForOp row, bool isDear = false);
  /// The same of rows that several blocks share, where the device is known to
  /// have room for all that wait for each other; `width` elements of an access
  /// where rows are `aligned`.
  bool planCooperativeRows(llvm::ArrayRef<ForOp> nest,
                           llvm::ArrayRef<ForOp> lanes, const KeptRow &kept,
                           mlir::AffineExpr length, int64_t width,
                           llvm::ArrayRef<mlir::AffineExpr> aligned);
  /// An array whose first index is the row's everywhere.
  struct OwnRows {
    mlir::Value array;
    /// Elements of a row if they are a number, and bytes of each.
    int64_t length = 0, bytes = 0;
    bool isWritten = false;
  };
  /// All of these. Rows are of a number of elements or as long as `lane`.
  llvm::SmallVector<OwnRows> findOwnRows(ForOp row, ForOp lane);
  /// A thread a row, and clauses that copy the rows of a block as a whole; they
  /// have `most` elements at most. False if they do not fit.
  bool setOwnRows(ForOp row, llvm::ArrayRef<OwnRows> list, int64_t most);
  /// Maps that write several elements of a row each. False if the launch is
  /// none.
  bool planOwnRowMap(ForOp row);
  /// Elements of one access along the lanes of a row, where `conditions` hold.
  int64_t getKeptWidth(llvm::ArrayRef<ForOp> lanes, mlir::AffineExpr length,
                       llvm::SmallVectorImpl<mlir::AffineExpr> &conditions);
  /// A fold that is all that `nest` holds, whose blocks may stand outside of
  /// the nest; null if there is none. Terms can be computed together where it
  /// `jams`.
  ForOp findRaisableFold(llvm::ArrayRef<ForOp> nest, bool jams = true);
  /// Folds over rows whose columns stay: threads along both. False if the
  /// launch is none.
  bool planColumns(llvm::ArrayRef<ForOp> nest);
  /// Who takes what in a fold of columns.
  struct ColumnShape {
    /// Threads along the columns, elements of each, and threads along the rows.
    int64_t x = 32, width = 1, y = 1;
    /// Threads along the loop around, blocks along the rows, and rows that a
    /// thread takes together.
    int64_t outputs = 1, blocks = 1, unroll = 1;
    /// One block has all columns.
    bool whole = false;
  };
  void planColumns(llvm::ArrayRef<ForOp> nest, ForOp fold,
                   const ColumnShape &shape);
  /// Folds that read nothing which lies side by side for the loops around:
  /// threads along the fold where these are few. False if the launch is none.
  bool planComputedFold(llvm::ArrayRef<ForOp> nest);
  /// Folds of several arrays over any dimensions, by what the judge says of the
  /// ways to run them: versions. False if the launch is none.
  bool planNestFold(llvm::ArrayRef<ForOp> nest, ForOp fold);
  /// The same with as many versions as `most` allows.
  bool planNestFold(llvm::ArrayRef<ForOp> nest, ForOp fold,
                    const MostVersions &most);
  /// Elementwise work over several dimensions, in the same way, where all
  /// expressions of `when` are at least 0. True if no other version is needed.
  bool planNestMap(llvm::ArrayRef<ForOp> nest,
                   llvm::ArrayRef<mlir::AffineExpr> when = {});
  /// Versions of `nest` around `folds`, where all expressions of `when` are at
  /// least 0: those of `candidates` that the judge finds best at sample sizes.
  /// True if no other version is needed.
  bool addJudged(llvm::ArrayRef<ForOp> nest, llvm::ArrayRef<ForOp> folds,
                 const NestFacts &facts, llvm::ArrayRef<NestShares> candidates,
                 const NestWidths &widths,
                 llvm::ArrayRef<mlir::AffineExpr> when,
                 const MostVersions &most);
  /// Whether schedules of `nest`, in which each thread does all of an
  /// iteration, can be one kernel if they differ in who the threads are alone.
  /// Neighbours that a thread has side by side would not be.
  bool mayDeal(llvm::ArrayRef<ForOp> nest, const NestFacts &facts);
  /// What one access may take of each dimension of a nest.
  NestWidths getWidths(const NestFacts &facts);
  /// Prints what the judge says of `candidates` where that was asked for
  /// (kPricesAttr).
  void printPrices(llvm::ArrayRef<ForOp> nest, llvm::ArrayRef<ForOp> folds,
                   const NestFacts &facts,
                   llvm::ArrayRef<NestShares> candidates,
                   const NestWidths &widths, bool mayDealOut);
  void setShares(llvm::ArrayRef<ForOp> nest, llvm::ArrayRef<ForOp> folds,
                 const NestShares &shares);
  /// The product of the extents of `nest`; null if one is not known.
  mlir::AffineExpr getSize(llvm::ArrayRef<ForOp> nest);
  /// Who takes what in a fold of rows.
  struct RowShape {
    /// Threads along a row, rows of a block, and elements that a thread takes
    /// together.
    int64_t x = 1, y = 1, unroll = 1;
    /// Threads along the fold around, if there is one.
    int64_t outerY = 1;
    /// Steps of each of the blocks that share a row.
    int64_t span = 0;
  };
  void planRowFold(llvm::ArrayRef<ForOp> nest, ForOp fold,
                   const RowShape &shape);
  /// Folds of single threads get several accumulators.
  void unrollInnerFolds(ForOp around);

  int64_t score(ForOp loop);
  /// The dimension of `nest` that threads next to each other walk.
  unsigned findLane(llvm::ArrayRef<ForOp> nest);
  /// Elements of one access that the base of every array allows; 1 if there is
  /// none, or some array would be misaligned.
  int64_t getVectorWidth(ForOp along);
  /// Elements of one access along rows of arrays of any rank, in versions where
  /// `conditions` hold: the pitch of each array that is contiguous along
  /// `along` is a multiple of it. 1 where it cannot be told.
  int64_t getRowWidth(ForOp along,
                      llvm::SmallVectorImpl<mlir::AffineExpr> &conditions,
                      bool needsStores = true);
  /// Adds to `conditions` that rows of `arrays` are multiples of `width` long.
  /// False if some are not, or it cannot be told.
  bool alignRows(llvm::ArrayRef<mlir::Value> arrays, int64_t width,
                 llvm::SmallVectorImpl<mlir::AffineExpr> &conditions);

  void setDigits(ForOp loop, DigitList list, unsigned blockAxis = 0,
                 unsigned threadAxis = 0);
  /// Blocks along all loops of `nest`: `x` threads with `width` elements each
  /// along `lane`, and `y` threads with `copies` elements along `beside`, if
  /// there is one.
  void setGrid(llvm::ArrayRef<ForOp> nest, ForOp lane, int64_t x, int64_t width,
               ForOp beside = {}, int64_t y = 1, int64_t copies = 1);
  /// The same of a map whose windows overlap along `window`, of which a thread
  /// takes as many iterations as are worth it, `steps` times one after the
  /// other; `beside` has `y` threads.
  void setWindowGrid(llvm::ArrayRef<ForOp> nest, ForOp lane, int64_t x,
                     int64_t width, ForOp window, ForOp beside, int64_t y,
                     int64_t steps = 1);
  /// Asks that `nest` has a block of `tile` iterations for each multiprocessor:
  /// of less, threads that do less each are done sooner.
  void requireBlocks(llvm::ArrayRef<ForOp> nest, int64_t tile,
                     llvm::SmallVectorImpl<mlir::AffineExpr> &conditions);
  /// Folds of everything that windows are read for: the shapes of maps, whose
  /// threads fold what they take together. True if no other version is needed.
  bool planWindowFold(llvm::ArrayRef<ForOp> nest);
  /// Folds of everything beside what is stored, of few elements: a version in
  /// which each has a thread. True if no other one is needed.
  bool planSmallFold(llvm::ArrayRef<ForOp> nest);
  /// Forgets the digits of `loops`.
  void dropDigits(llvm::ArrayRef<ForOp> loops) {
    for (ForOp loop : loops)
      dims.erase(loop.getDimAttr());
  }
  /// Forgets what was planned of `nest`, and which of it were folds.
  void dropFolds(llvm::ArrayRef<ForOp> nest);
  /// The loop that is `window` in these; null if windows overlap along none.
  /// Where another loop than `beside` is best while it has many planes, these
  /// get a version under `conditions`, and the rest is for `beside`.
  ForOp chooseWindow(llvm::ArrayRef<ForOp> nest, ForOp lane, int64_t x,
                     int64_t width, ForOp beside, int64_t y,
                     llvm::ArrayRef<mlir::AffineExpr> conditions,
                     int64_t steps = 1);
  /// The same of a `window` that was found, null if there is none.
  ForOp takeWhereLong(llvm::ArrayRef<ForOp> nest, ForOp lane, int64_t x,
                      int64_t width, ForOp window, ForOp beside, int64_t y,
                      llvm::ArrayRef<mlir::AffineExpr> conditions,
                      int64_t steps = 1);
  /// The same of a fold whose digits at block stand outside of parallel loops,
  /// and whose threads add what they take together before anything else.
  void setFold(ForOp fold, DigitList list, unsigned blockAxis,
               unsigned threadAxis);
  /// Has the digits of the folds of `nest` that stand at block do so, too.
  void raiseFolds(llvm::ArrayRef<ForOp> nest);
  /// The extent of `loop` in a condition: a number or a symbol for an argument
  /// of the launch; null if it is neither, or versions cannot be told apart.
  mlir::AffineExpr getSize(ForOp loop);
  /// The same of a value, and of one that may be a number.
  mlir::AffineExpr getSize(mlir::Value size);
  mlir::AffineExpr getSize(mlir::OpFoldResult size);
  /// Whether `condition` is at least 0, if facts about the sizes tell.
  std::optional<bool> isKnown(mlir::AffineExpr condition) const;
  /// What has been planned is a version, taken where all expressions are at
  /// least 0. True if they are numbers, and all are: no further one is needed.
  bool addVersion(llvm::ArrayRef<mlir::AffineExpr> conditions);
  /// Takes sizes out that no condition of a version names.
  void dropUnusedSizes();
  /// The name of a digit of `loop` in orders and clauses.
  mlir::StringAttr getDigitName(ForOp loop, unsigned digit);
  /// Gives an argument of the launch a name of its own, for clauses.
  mlir::StringAttr nameArray(mlir::Value array);
  llvm::SmallVector<mlir::StringAttr> makeOrder();
  ScheduleAttr makeSchedule();

  int64_t getFixedBlocks() const;
  int64_t getThreads() const;

  LaunchOp launch;
  DeviceAttr device;
  mlir::MLIRContext *context;
  int64_t units, maxThreads, vectorBytes, sharedBytes, unitThreads, subgroup;
  /// Blocks may wait for others that have started.
  bool canWait;
  /// Launches are cut for several devices.
  bool hasParts;
  llvm::MapVector<mlir::StringAttr, Digits> dims;
  /// Digits of folds that stand outside of the parallel loops around them.
  llvm::SmallSetVector<mlir::StringAttr, 2> raised;
  /// Loops whose jammed iterations are taken in each step: folds, one tree for
  /// each, and updates.
  llvm::StringSet<> trees;
  llvm::SmallVector<
      std::pair<llvm::SmallVector<mlir::AffineExpr>, ScheduleAttr>>
      versions;
  llvm::SmallVector<int64_t> versionSizes;
  llvm::SmallVector<ClauseAttr> stages, keeps, privates;
  /// Threads keep elements of rows: the copy with masks is expanded too, so one
  /// of them is enough.
  bool keepsRows = false;
  /// The order of all digits, where a plan wants another one than its levels
  /// give; such a plan has no boundary apart unless it says so.
  llvm::SmallVector<mlir::StringAttr> wholeOrder;
  bool splitsOrdered = false;
  bool hasOneRoot = false;
  /// The root that is planned may have versions, whose conditions ask for
  /// sizes.
  bool mayAsk = false;
  /// Some scan keeps elements in registers, which has its own boundary.
  bool keepsTiles = false;
  /// The launch says which threads walk which dimension.
  bool deals = false;
  /// Whether the launch multiplies matrices.
  bool multiplies = false;
};

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_DEVICE_H
