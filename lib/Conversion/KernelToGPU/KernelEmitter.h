//===- KernelEmitter.h - Code for the kernel of a launch --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Emits one gpu.func. Every thread of a block runs the code; where it stands is
// a context:
//
//   bound     the axes whose thread loops are around: along the others all
//             threads do the same, and only the first of them writes
//   active    whether this thread has an iteration (blocks can be larger than a
//             loop); idle threads repeat the last iteration and do not write
//   uniform   all threads of the block get here: a barrier may stand here
//   leaf      what runs here touches nothing that other threads write before
//             the next barrier: no barrier is looked for
//   single    only the first thread of the block gets here
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_KERNELTOGPU_KERNELEMITTER_H
#define ARRC_LIB_CONVERSION_KERNELTOGPU_KERNELEMITTER_H

#include "IndexWidth.h"
#include "KernelPlan.h"
#include "MatrixSteps.h"
#include "Uniformity.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <string>

namespace arrc {

/// What the threads of a block have touched since the last barrier.
struct BarrierState {
  struct Touch {
    const void *array;
    bool written;
    /// One thread of the block did it, the same for all touches so marked.
    bool single;
  };
  /// Since the last barrier, on some path.
  llvm::SmallVector<Touch> open;
  /// Since the body of the loop around began and before any barrier in it, on
  /// some path.
  llvm::SmallVector<Touch> first;
  /// On every path since then there was a barrier.
  bool seen = false;
};

/// Emits the kernel of one plan.
class KernelEmitter {
public:
  /// Sums and products of places overflow in those that are `wrapping` alone.
  KernelEmitter(const KernelPlan &plan, unsigned indexBits,
                const WrappingPlaces &wrapping);

  /// Emits a function called `name` at the end of `module`. Fails where the
  /// mode of the plan is not possible; `getReason` says why.
  mlir::FailureOr<mlir::gpu::GPUFuncOp> run(mlir::gpu::GPUModuleOp module,
                                            llvm::StringRef name);
  llvm::StringRef getReason() const { return reason; }
  mlir::Location getReasonLoc() const { return reasonLoc; }
  /// Bytes of dynamic shared memory.
  int64_t getSharedBytes() const { return sharedBytes; }

private:
  struct Context {
    unsigned bound = 0;
    mlir::Value active;
    bool uniform = true;
    /// All threads of a sub-group get here.
    bool subgroupUniform = true;
    bool leaf = false;
    bool single = false;
  };
  /// Where the elements of an array or local are.
  struct Place {
    mlir::Value memory;
    /// Of the first element; null for 0.
    mlir::Value offset;
    mlir::Type element;
    llvm::SmallVector<mlir::OpFoldResult> sizes;
    /// Empty: dense in the order of the dimensions.
    llvm::SmallVector<mlir::OpFoldResult> strides;
    /// Dimensions whose index is the thread's own.
    llvm::SmallVector<bool> dropped;
    bool isPrivate = false;
    const void *key = nullptr;
  };
  /// A digit of the index of a failing check.
  struct Digit {
    llvm::StringRef dim;
    mlir::Value index, extent;
  };
  using Body = llvm::function_ref<mlir::LogicalResult()>;

  // Frame.cpp: the function, its arguments, blocks, the tail.
  mlir::gpu::GPUFuncOp createFunction(mlir::gpu::GPUModuleOp module,
                                      llvm::StringRef name);
  void setBlocksPerUnit(mlir::gpu::GPUFuncOp function);
  void admitOtherThreads(mlir::gpu::GPUFuncOp function);
  void bindArguments(mlir::gpu::GPUFuncOp function);
  void createLocals();
  mlir::LogicalResult emitBlocks();
  mlir::LogicalResult emitInside(mlir::Location loc, mlir::Value inside);
  mlir::LogicalResult emitNestBody();
  mlir::LogicalResult emitTail(mlir::Location loc, mlir::Value isFirst);
  mlir::Value createView(mlir::Value argument, mlir::Type element);
  mlir::Value movePointer(mlir::Value pointer, const KernelPlan::Array &array,
                          mlir::Value pitch);

  // Loops.cpp
  mlir::LogicalResult emitOps(llvm::ArrayRef<mlir::Operation *> ops);
  mlir::LogicalResult emitBody(mlir::Block &block);
  mlir::LogicalResult emitOp(mlir::Operation *op);
  mlir::LogicalResult emitInContext(mlir::Operation *op);
  mlir::LogicalResult emitFor(kernel::ForOp loop);
  mlir::LogicalResult emitSerialFor(kernel::ForOp loop);
  std::optional<int64_t> getUnrolledExtent(kernel::ForOp loop);
  int64_t countTileSteps(kernel::ForOp loop);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> emitCountedLoop(
      kernel::ForOp loop, mlir::Value extent, mlir::ValueRange seeds,
      llvm::function_ref<mlir::LogicalResult(mlir::Value, mlir::ValueRange,
                                             llvm::SmallVector<mlir::Value> &)>
          run);
  mlir::LogicalResult emitThreadFor(kernel::ForOp loop);

  // MatrixSteps.cpp
  /// Whether the schedule asks for matrix instructions.
  bool multipliesMatrices();
  mlir::LogicalResult emitMatrixSteps(kernel::ForOp loop,
                                      const MatrixSteps &steps);
  llvm::SmallVector<mlir::Value>
  loadFragments(kernel::LoadOp load, const MatrixSteps &steps,
                kernel::ForOp loop, mlir::Value first, int64_t count,
                mlir::Value extent, mlir::Value column);
  void multiplyMatrix(mlir::Location loc, const MatrixSteps &steps, size_t row,
                      size_t column, llvm::ArrayRef<mlir::Value> operands,
                      llvm::MutableArrayRef<mlir::Value> accumulators);
  mlir::Value loadFragment(kernel::LoadOp load, const MatrixSteps &steps,
                           kernel::ForOp loop, mlir::Value step,
                           mlir::Value column);

  mlir::LogicalResult emitIf(mlir::scf::IfOp branch);
  mlir::LogicalResult emitScfFor(mlir::scf::ForOp loop);
  mlir::LogicalResult emitWhile(mlir::scf::WhileOp loop);
  void emitPlain(mlir::Operation *op);
  /// `value`, its low bits cleared: known to be a multiple of a power of two,
  /// which proves alignment further down.
  mlir::Value keepMultiple(mlir::Location loc, mlir::Value value,
                           int64_t multiple);
  mlir::Value emitAffine(mlir::Location loc, mlir::AffineExpr expr,
                         mlir::ValueRange dims, mlir::ValueRange symbols,
                         mlir::arith::IntegerOverflowFlags flags);
  /// The context inside of control flow that depends on `condition`.
  void enterBranch(mlir::ValueRange condition);
  /// The same before the regions of `op`; if threads part there, all that they
  /// touch inside is looked at now.
  mlir::LogicalResult enterRegions(mlir::Operation *op,
                                   mlir::ValueRange condition);

  // Accesses.cpp
  /// Emits `op` and the accesses behind it to the same array under the same
  /// mask, or stores by one thread, in one branch; gives their number, 0 where
  /// there is no such run.
  unsigned emitMaskedRun(mlir::Operation *op);
  mlir::LogicalResult emitLoad(kernel::LoadOp load);
  mlir::LogicalResult emitStore(kernel::StoreOp store);
  void emitCheck(kernel::CheckOp check);
  mlir::Value linearize(mlir::Location loc, const Place &place,
                        mlir::ValueRange indices);
  mlir::Value resolveEdge(mlir::Location loc, mlir::Value index,
                          mlir::Value size, kernel::EdgeMode mode, bool isNear);
  mlir::Value loadElement(mlir::Location loc, mlir::Value memory,
                          mlir::Value index, mlir::Type element);
  void storeElement(mlir::Location loc, mlir::Value value, mlir::Value memory,
                    mlir::Value index);
  /// Runs `body` under `condition`, which may be null for always.
  mlir::LogicalResult emitIfTrue(mlir::Location loc, mlir::Value condition,
                                 Body body);
  /// What decides that this thread writes here; null for always.
  mlir::Value getWriter(mlir::Location loc);
  /// Whether this is the first thread of the block; null if there is only one.
  mlir::Value getLead(mlir::Location loc);
  /// What decides that this thread writes to `place` under `mask`, which may be
  /// null; waits for those that touch it before.
  mlir::FailureOr<mlir::Value> enterWrite(mlir::Location loc,
                                          const Place &place, mlir::Value mask);
  mlir::Value getCheckIndex(kernel::CheckOp check);

  // Updates.cpp
  /// Emits `op` and the updates behind it of the same array by the same
  /// operator, those of equal elements together; gives their number, 0 where
  /// that does not pay.
  unsigned emitUpdateRun(mlir::Operation *op);
  mlir::LogicalResult emitUpdate(kernel::UpdateOp update);
  /// Whether nobody else touches the array while the update runs.
  bool isAlone(kernel::UpdateOp update);
  std::optional<mlir::arith::AtomicRMWKind>
  getAtomicKind(kernel::UpdateOp update);
  void emitAtomic(kernel::UpdateOp update, mlir::Value value, mlir::Value at);
  /// `values` of elements `at`, negative where there is none.
  void updateInThread(kernel::UpdateOp update, mlir::ValueRange values,
                      mlir::ValueRange at);
  void updateInSubgroup(kernel::UpdateOp update, mlir::ValueRange values,
                        mlir::ValueRange at);

  // Folds.cpp
  /// In the context of the body, whose index is bound; `isIn` is null if every
  /// thread has an iteration, `outer` the context of the loop.
  mlir::LogicalResult emitThreadFold(kernel::ForOp loop, mlir::Value isIn,
                                     const Context &outer);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  foldAxis(kernel::ForOp loop, unsigned axis,
           llvm::SmallVector<mlir::Value> values,
           llvm::ArrayRef<mlir::Value> neutrals);
  mlir::LogicalResult foldShared(kernel::ForOp loop, unsigned axis,
                                 int64_t group,
                                 llvm::SmallVectorImpl<mlir::Value> &values,
                                 llvm::ArrayRef<mlir::Value> neutrals);
  void foldLanes(kernel::ForOp loop, int64_t count, int64_t stride,
                 llvm::SmallVectorImpl<mlir::Value> &values);
  mlir::Value shuffle(mlir::Location loc, mlir::Value value, mlir::Value offset,
                      mlir::gpu::ShuffleMode mode);
  mlir::Value shuffle(mlir::Location loc, mlir::Value value, int64_t offset,
                      mlir::gpu::ShuffleMode mode);
  /// What the threads without an iteration contribute is neutral.
  llvm::SmallVector<mlir::Value>
  maskValues(mlir::Location loc, mlir::Value isIn,
             llvm::SmallVector<mlir::Value> values,
             llvm::ArrayRef<mlir::Value> neutrals);
  /// How many threads along the axis fold by shuffles; 1 if none may.
  int64_t getLaneGroup(unsigned axis);
  llvm::SmallVector<mlir::Value> createNeutrals(kernel::ForOp loop);
  llvm::SmallVector<mlir::Value>
  combine(mlir::Region &combiner, mlir::ValueRange lhs, mlir::ValueRange rhs);
  /// Arrays of `count` elements of the values' types for one collective.
  llvm::SmallVector<mlir::Value> getScratch(mlir::Location loc, int64_t count,
                                            mlir::TypeRange types,
                                            int64_t &offset);
  /// The number of this thread among those with the same index of `axis`.
  mlir::Value getOthers(mlir::Location loc, unsigned axis);
  int64_t getAxisStride(unsigned axis) const;

  // Scans.cpp
  mlir::LogicalResult emitThreadScan(kernel::ForOp loop, mlir::Value isIn,
                                     const Context &outer);
  mlir::LogicalResult emitPrefix(kernel::PrefixOp prefix);
  mlir::LogicalResult scanSubgroups(kernel::ForOp loop, int64_t group,
                                    llvm::ArrayRef<mlir::Value> values,
                                    llvm::ArrayRef<mlir::Value> neutrals,
                                    llvm::SmallVectorImpl<mlir::Value> &before,
                                    llvm::SmallVectorImpl<mlir::Value> &total,
                                    llvm::SmallVectorImpl<mlir::Value> *upTo);
  mlir::LogicalResult scanShared(kernel::ForOp loop,
                                 llvm::ArrayRef<mlir::Value> values,
                                 llvm::ArrayRef<mlir::Value> neutrals,
                                 llvm::SmallVectorImpl<mlir::Value> &before,
                                 llvm::SmallVectorImpl<mlir::Value> &total);
  void scanInOrder(kernel::ForOp loop, llvm::ArrayRef<mlir::Value> scratch,
                   int64_t count, mlir::Value number,
                   llvm::SmallVectorImpl<mlir::Value> &before,
                   llvm::SmallVectorImpl<mlir::Value> &total,
                   llvm::ArrayRef<mlir::Value> neutrals);
  void scanLanes(kernel::ForOp loop, int64_t count, int64_t stride,
                 mlir::Value lane, llvm::SmallVectorImpl<mlir::Value> &values);
  llvm::SmallVector<mlir::Value> readLane(mlir::Location loc,
                                          llvm::ArrayRef<mlir::Value> values,
                                          mlir::Value source);
  mlir::Value locateInRow(kernel::ForOp loop, int64_t length, mlir::Value at);
  llvm::SmallVector<mlir::Value> foldRow(kernel::ForOp loop,
                                         llvm::ArrayRef<mlir::Value> scratch,
                                         int64_t length, mlir::Value from,
                                         mlir::Value to,
                                         mlir::ValueRange start);
  void storeRow(kernel::ForOp loop, llvm::ArrayRef<mlir::Value> scratch,
                int64_t length, mlir::Value at, mlir::ValueRange values);

  // LookBack.cpp
  struct Scan;
  mlir::FailureOr<mlir::Value> takeNumber(mlir::Location loc);
  mlir::LogicalResult emitLookBackLoop(kernel::ForOp loop);
  mlir::LogicalResult emitLookBack(kernel::PrefixOp prefix, Scan &scan);
  /// Marks an access that other blocks take part in.
  static void makeVisible(mlir::Operation *access);
  mlir::Value getLookBackNumber(mlir::Location loc);
  // CountLookBack.cpp
  /// Whether blocks look back for counts, which need no order.
  bool countsBlocks(kernel::PrefixOp prefix);
  mlir::Value awaitCount(mlir::Location loc, mlir::Value at);
  mlir::Value sumWindows(mlir::Location loc, mlir::Value tile,
                         mlir::Value lane);
  mlir::LogicalResult emitCountLookBack(kernel::PrefixOp prefix, Scan &scan);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  collectWords(kernel::ForOp loop, mlir::Value waits, mlir::Value place,
               int64_t stride, llvm::ArrayRef<mlir::Value> otherwise,
               llvm::ArrayRef<mlir::Value> neutrals);
  void toWords(mlir::Location loc, mlir::Value value,
               llvm::SmallVectorImpl<mlir::Value> &words);
  mlir::Value fromWords(mlir::Location loc, mlir::Type type,
                        llvm::ArrayRef<mlir::Value> &words);
  void publish(mlir::Location loc, llvm::ArrayRef<mlir::Value> values,
               mlir::Value at, int64_t stride);
  llvm::SmallVector<mlir::Value> await(mlir::Location loc,
                                       mlir::TypeRange types, mlir::Value at,
                                       int64_t stride);

  // RowBarrier.cpp
  void setCooperativeLimits(mlir::gpu::GPUFuncOp function);
  /// Asks for so few registers that this many blocks run side by side on a
  /// multiprocessor, or as many as have room for their threads.
  void setBlocksPerUnit(mlir::gpu::GPUFuncOp function, int64_t blocks);
  mlir::LogicalResult emitCooperative(kernel::ForOp loop);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  combineAcrossBlocks(kernel::ForOp loop, llvm::ArrayRef<mlir::Value> own);

  // Barriers.cpp
  mlir::LogicalResult touch(mlir::Location loc, const void *array, bool written,
                            bool single = false);
  /// What an access to `place` that is emitted next touches; in a leaf, which
  /// has waited for all of its accesses at once, without a barrier.
  mlir::LogicalResult access(mlir::Location loc, const Place &place,
                             bool written);
  /// Adds a touch that needs no barrier.
  void note(BarrierState::Touch mine);
  /// A barrier if `op` may not run before one.
  mlir::LogicalResult waitFor(mlir::Operation *op, bool single = false);
  /// The arrays that `op` touches and others see.
  void forEachTouch(mlir::Operation *op,
                    llvm::function_ref<void(const void *, bool)> visit);
  mlir::LogicalResult emitBarrier(mlir::Location loc);
  bool conflicts(const BarrierState::Touch &a,
                 const BarrierState::Touch &b) const;
  /// Runs `body` as the body of a loop: barriers keep its iterations apart.
  mlir::LogicalResult emitLoopBody(mlir::Location loc, Body body);
  static BarrierState join(const BarrierState &a, const BarrierState &b);

  // Values
  mlir::Value lookup(mlir::Value value);
  llvm::SmallVector<mlir::Value> lookup(mlir::ValueRange range);
  void set(mlir::Value from, mlir::Value to) { values[from] = to; }
  mlir::Value index(mlir::Location loc, int64_t value);
  mlir::Value getExtent(kernel::ForOp loop);
  mlir::Value getValue(mlir::Location loc, mlir::OpFoldResult value);
  mlir::Value both(mlir::Location loc, mlir::Value a, mlir::Value b);
  const Place &getPlace(mlir::Value array);
  unsigned getUnbound() const { return used & ~ctx.bound; }
  mlir::LogicalResult refuse(mlir::Location loc, llvm::StringRef why);

  const KernelPlan &plan;
  kernel::LaunchOp launch;
  unsigned indexBits;
  const WrappingPlaces &wrapping;
  Uniformity uniformity;
  mlir::OpBuilder b;
  Context ctx;
  BarrierState barriers;
  llvm::DenseMap<mlir::Value, mlir::Value> values;
  llvm::DenseMap<mlir::Value, Place> places;
  llvm::SmallVector<Digit> digits;
  /// Of the scans around, innermost last.
  struct Scan {
    kernel::ForOp loop;
    /// At thread: null if every thread has an iteration.
    mlir::Value isIn;
    llvm::SmallVector<mlir::Value> accumulators, next;
  };
  llvm::SmallVector<Scan> scans;
  /// Whether some fold was taken as matrices; why the last one was not.
  bool hasMatrices = false;
  std::string whyNoMatrices;
  /// Axes with more than one thread.
  unsigned used = 0;
  mlir::Value threadId[3], isFirst[3], linearId;
  mlir::Value record, flag, ticket, state, dynamicShared;
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> parts;
  int64_t localBytes = 0, sharedBytes = 0, privateBytes = 0;
  std::string reason;
  mlir::Location reasonLoc;
};

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_KERNELTOGPU_KERNELEMITTER_H
