//===- AssignStorage.cpp - Where the locals of a launch live --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A local that only one thread sees is a matter of its registers; one
// that the threads of a block hand to each other lies in shared memory, as far
// as that reaches; the rest goes to a workspace that the host allocates, with
// a part for each block (and thread, where the local is a thread's own).
//
// Before   for b in %B at block { %e = local : 8x256, used at [%k, %t]
//                                 %f = local(%M) : ? }
// After    %w = alloc(%B, %M)                          // on the host
//          launch (outs %w) { for b in %B at block {
//            %e = local {kernel.thread_dims = [-1, 0]} : 8x256, register
//            %f is %w[%b] } }
//
// A local in registers keeps its shape: `kernel.thread_dims` names the
// dimensions that are always indexed by the thread itself, which a target
// leaves out. One without such dimensions is a copy in every thread, which all
// of them fill alike. A local that stands inside of thread loops and is not in
// registers moves in front of them and gets a dimension for each.
//
// Legal: a local is alive for one iteration of the loop around it, and starts
// undefined; two iterations that run at the same time have different indices in
// the new dimensions.
//
//===----------------------------------------------------------------------===//

#include "../Shared/HostSlice.h"
#include "../Shared/LaunchAccess.h"
#include "../Shared/RowReuse.h"
#include "LocalSizes.h"
#include "Workspaces.h"

#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/Transforms/CooperativeRows.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"
#include "arrc/Support/StoredBytes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/PatternMatch.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_ASSIGNSTORAGEPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Bytes of one local that a thread may keep to itself.
static constexpr int64_t kRegisterBytes = 1024;

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

static bool isAtLevel(Operation *op, LevelKind kind) {
  auto loop = dyn_cast<ForOp>(op);
  return loop && loop.getLevelAttr() && loop.getLevelKind() == kind;
}

/// The loops of one kind around `op`, outermost first, up to `end`.
static SmallVector<ForOp> getLoopsAround(Operation *op, Operation *end,
                                         ArrayRef<LevelKind> kinds) {
  SmallVector<ForOp> loops;
  for (op = op->getParentOp(); op && op != end; op = op->getParentOp())
    if (llvm::any_of(kinds, [&](LevelKind k) { return isAtLevel(op, k); }))
      loops.insert(loops.begin(), cast<ForOp>(op));
  return loops;
}

namespace {

/// What one local needs.
class LocalUse {
public:
  explicit LocalUse(LocalOp local)
      : local(local), type(local.getType()),
        launch(local->getParentOfType<LaunchOp>()),
        accesses(local->getUsers()) {}

  /// Finds out whether each thread can have its own copy; `threadDims` are
  /// then set, and `privateBytes` is its size.
  bool isPrivate();
  /// Moves the local in front of the loops around it whose iterations run at
  /// the same time in one block; false if it stays where it is.
  void hoist(IRRewriter &rewriter);

  LocalOp local;
  MemRefType type;
  LaunchOp launch;
  SmallVector<Operation *> accesses;
  SmallVector<int64_t> threadDims;
  int64_t privateBytes = 0;
};

} // namespace

bool LocalUse::isPrivate() {
  threadDims.assign(type.getRank(), -1);
  if (!type.hasStaticShape())
    return false;
  bool inThreads = false, writtenInThreads = false;
  for (Operation *access : accesses) {
    Operation *scope = local->getParentOp();
    bool below = !getLoopsAround(access, scope, {LevelKind::Thread}).empty();
    inThreads |= below;
    writtenInThreads |= below && !isa<LoadOp>(access);
  }
  // All threads do the same where they write.
  if (inThreads && writtenInThreads) {
    llvm::SmallVector<int64_t, 3> dimOfAxis(3, -1);
    for (auto [number, access] : llvm::enumerate(accesses)) {
      SmallVector<ForOp> loops =
          getLoopsAround(access, local->getParentOp(), {LevelKind::Thread});
      SmallVector<int64_t, 3> found(3, -1);
      for (ForOp loop : loops) {
        unsigned axis = loop.getLevelAttr().getAxis();
        for (auto [dim, index] : llvm::enumerate(getIndicesOf(access)))
          if (index == loop.getInductionVar())
            found[axis] = dim;
        if (found[axis] < 0)
          return false;
      }
      if (number && found != dimOfAxis)
        return false;
      dimOfAxis = found;
    }
    for (auto [axis, dim] : llvm::enumerate(dimOfAxis))
      if (dim >= 0)
        threadDims[dim] = axis;
  }
  privateBytes = getStoredBytes(type.getElementType());
  for (auto [dim, axis] : llvm::enumerate(threadDims))
    if (axis < 0)
      privateBytes *= type.getDimSize(dim);
  return true;
}

void LocalUse::hoist(IRRewriter &rewriter) {
  SmallVector<ForOp> loops = getLoopsAround(
      local, launch, {LevelKind::Thread, LevelKind::Unroll, LevelKind::Vector});
  if (loops.empty())
    return;
  // A thread's own elements lie apart, so that neighbours read neighbours; what
  // threads along x share lies together.
  bool shared = llvm::any_of(accesses, [&](Operation *access) {
    return !getLoopsAround(access, local->getParentOp(), {LevelKind::Thread})
                .empty();
  });
  SmallVector<int64_t> shape, extents;
  for (ForOp loop : loops)
    extents.push_back(*loop.getStaticExtent());
  if (shared)
    llvm::append_range(shape, extents);
  llvm::append_range(shape, type.getShape());
  if (!shared)
    llvm::append_range(shape, extents);
  rewriter.setInsertionPoint(loops.front());
  IRMapping mapping;
  for (BlockArgument argument : launch.getBodyBlock()->getArguments())
    mapping.map(argument, argument);
  SmallVector<Value> sizes;
  for (Value size : local.getSizes())
    sizes.push_back(computeOnHost(rewriter, launch, size, mapping));
  type = MemRefType::get(shape, type.getElementType());
  LocalOp moved = LocalOp::create(rewriter, local.getLoc(), type, sizes,
                                  local.getLocalNameAttr());
  SmallVector<Value> digits;
  for (ForOp loop : loops)
    digits.push_back(loop.getInductionVar());
  for (Operation *access : accesses)
    if (shared)
      addIndices(rewriter, access, digits);
    else
      addIndices(rewriter, access, {}, digits);
  rewriter.replaceOp(local, moved);
  local = moved;
  threadDims.assign(type.getRank(), -1);
}

//===----------------------------------------------------------------------===//
// One launch
//===----------------------------------------------------------------------===//

namespace {

/// Gives each local of a launch its space.
class StorageAssigner {
public:
  StorageAssigner(IRRewriter &rewriter, LaunchOp launch, DeviceAttr device)
      : rewriter(rewriter), launch(launch), device(device),
        sharedBytes(device.getInteger("shared_bytes", 0) -
                    getScratchBytes(launch)),
        locals(collectLocals(launch)),
        workspaces(rewriter, launch, device, locals) {}

  LogicalResult run();

private:
  static SmallVector<LocalOp> collectLocals(LaunchOp launch);
  static int64_t getScratchBytes(LaunchOp launch);
  LogicalResult assign(LocalOp local, unsigned number);
  void setSpace(LocalUse &use, Space space);
  bool takeCooperative(LocalUse &use);

  IRRewriter &rewriter;
  LaunchOp launch;
  DeviceAttr device;
  int64_t sharedBytes, cooperativeBytes = getCooperativeBytes(device);
  SmallVector<LocalOp> locals;
  Workspaces workspaces;
};

} // namespace

SmallVector<LocalOp> StorageAssigner::collectLocals(LaunchOp launch) {
  SmallVector<LocalOp> locals;
  launch.getBody().walk([&](LocalOp local) {
    if (!local.getType().getMemorySpace())
      locals.push_back(local);
  });
  return locals;
}

/// What folds and scans across threads need for themselves, at most.
int64_t StorageAssigner::getScratchBytes(LaunchOp launch) {
  int64_t most[3] = {1, 1, 1}, widest = 0;
  launch.getBody().walk([&](ForOp loop) {
    if (!isAtLevel(loop, LevelKind::Thread))
      return;
    int64_t &extent = most[loop.getLevelAttr().getAxis() % 3];
    extent = std::max<int64_t>(extent, loop.getStaticExtent().value_or(1));
    if (loop.isParallel())
      return;
    int64_t bytes = 0;
    for (Type type : loop.getResultTypes())
      bytes += llvm::alignTo(getStoredBytes(type), 8);
    for (ForOp jammed :
         getLoopsAround(loop, launch, {LevelKind::Unroll, LevelKind::Vector}))
      bytes *= jammed.getStaticExtent().value_or(1);
    widest = std::max(widest, bytes);
  });
  return most[0] * most[1] * most[2] * widest;
}

void StorageAssigner::setSpace(LocalUse &use, Space space) {
  auto attr = SpaceAttr::get(rewriter.getContext(), space);
  auto type = MemRefType::get(use.type.getShape(), use.type.getElementType(),
                              MemRefLayoutAttrInterface(), attr);
  rewriter.modifyOpInPlace(use.local,
                           [&] { use.local.getResult().setType(type); });
  if (space == Space::Register &&
      llvm::any_of(use.threadDims, [](int64_t axis) { return axis >= 0; }))
    use.local->setAttr(kThreadDimsAttr,
                       rewriter.getDenseI64ArrayAttr(use.threadDims));
}

/// Gives what a block keeps of a row that it shares with others its place;
/// false if that is too large.
bool StorageAssigner::takeCooperative(LocalUse &use) {
  int64_t bytes = llvm::alignTo(use.type.getNumElements() *
                                    getStoredBytes(use.type.getElementType()),
                                16);
  if (bytes > cooperativeBytes)
    return false;
  cooperativeBytes -= bytes;
  use.threadDims.assign(use.type.getRank(), -1);
  setSpace(use, Space::Shared);
  return true;
}

LogicalResult StorageAssigner::assign(LocalOp local, unsigned number) {
  LocalUse use(local);
  for (Operation *access : use.accesses)
    if (!isa<LoadOp, StoreOp, UpdateOp>(access))
      return access->emitOpError("uses a local as a whole");
  if (use.accesses.empty()) {
    rewriter.eraseOp(local);
    return success();
  }
  bool atRoot = local->getParentOp() == launch;
  // Of what threads keep every block has its own.
  bool betweenBlocks =
      isBelowBlocks(local) && !local->hasAttr(kOwnElementsAttr);
  if (betweenBlocks && !atRoot)
    return local.emitError("an array that blocks share stands inside of them");
  // Too many for registers: shared memory has room for these and nothing else.
  bool inSteps =
      isBelowBlocks(local) && !betweenBlocks &&
      llvm::any_of(use.accesses, [&](Operation *access) {
        return !getLoopsAround(access, local->getParentOp(), {LevelKind::Seq})
                    .empty();
      });
  if (inSteps && use.type.hasStaticShape() && takeCooperative(use))
    return success();
  if (!betweenBlocks && !inSteps && use.isPrivate() &&
      use.privateBytes <= kRegisterBytes) {
    setSpace(use, Space::Register);
    return success();
  }
  if (local->hasAttr(kOwnElementsAttr))
    return local.emitError("the schedule keeps an array in registers that the "
                           "threads of a block share, or that is too large");
  // A size that depends on indices (the row of a triangle): the largest.
  rewriter.setInsertionPoint(local);
  for (auto [number, size] : llvm::enumerate(local.getSizes()))
    if (Value bound = boundForHost(rewriter, launch, size))
      setRoom(rewriter, local, number, bound);
  for (Value size : local.getSizes())
    if (!isKnownToHost(launch, size))
      return local.emitError("an array inside of the kernel has a size that is "
                             "known there only, and the device gives out no "
                             "memory while it runs");
  use.hoist(rewriter);
  if (!betweenBlocks && use.type.hasStaticShape()) {
    int64_t bytes = llvm::alignTo(use.type.getNumElements() *
                                      getStoredBytes(use.type.getElementType()),
                                  16);
    if (bytes <= sharedBytes) {
      sharedBytes -= bytes;
      setSpace(use, Space::Shared);
      return success();
    }
  }
  return workspaces.add(use.local, number);
}

LogicalResult StorageAssigner::run() {
  for (auto [number, local] : llvm::enumerate(locals))
    if (failed(assign(local, number)))
      return failure();
  workspaces.create();
  return success();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct AssignStoragePass
    : public arrc::kernel::impl::AssignStoragePassBase<AssignStoragePass> {
  void runOnOperation() override {
    DeviceAttr device = DeviceAttr::get(getOperation());
    if (!isGPU(device))
      return;
    IRRewriter rewriter(&getContext());
    SmallVector<LaunchOp> launches;
    // Workspaces are memory, which launches on tensors are not on yet.
    getOperation().walk([&](LaunchOp launch) {
      if (launch->getNumResults() == 0)
        launches.push_back(launch);
    });
    for (LaunchOp launch : launches)
      if (failed(StorageAssigner(rewriter, launch, device).run()))
        return signalPassFailure();
  }
};

} // namespace
