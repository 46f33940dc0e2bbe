//===- DeferFolds.cpp - Fold the partial results of many steps at once ----===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. What a launch does once after its nest, the tail, waits for all blocks:
// each one makes its partial result visible and counts itself, and the last one
// reads them all. In a time loop that is a round trip to memory in every step,
// and thousands of blocks wait for one counter. Where no step needs what the
// tail stores, the partial results get a row in a workspace, and a launch over
// rows does the tails of many steps.
//
// Before   iterate times (%t in %n) {
//            launch { %w = local(B)   for b at block { .. store .., %w[b] }
//                     tail(%w, %t) } }
// After    %rows = max(1, min(%n, kRowBytes / bytes of a row))
//          %W = alloc(%rows x B)
//          iterate times (%t in %n) { %row = %t mod %rows
//            launch (outs %W) { for b at block { .. store .., %W[%row, b] } }
//            if (%t + 1) mod %rows == 0 or %t + 1 == %n {
//              launch (%W) { for k in %row + 1 at block {
//                tail(%W[k], %t - %row + k) } } } }
//
// All versions of a launch have one workspace, as one of them runs.
//
// Pays where blocks meet often. Threads that walk many elements meet late:
// there the last block does the tail (on an H200, windows whose threads walk 64
// and more elements took a tenth longer without; why is not known).
//
// Legal: TailReader::read. The tails of different steps store different
// elements, so that they may run side by side.
//
//===----------------------------------------------------------------------===//

#include "../Memory/HoistAllocation.h"
#include "../Shared/HostSlice.h"
#include "../Shared/LaunchAccess.h"
#include "../Shared/LaunchBuilder.h"
#include "BlockRoots.h"
#include "LaunchTail.h"

#include "arrc/Analysis/BufferDistinctness.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/IR/DeviceMemory.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"
#include "arrc/Support/StoredBytes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_DEFERFOLDSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Bytes of the workspace of a launch: thousands of steps of the usual grids,
/// and little beside the memory of a device.
static constexpr int64_t kRowBytes = int64_t(64) << 20;

/// As many elements as a thread walks at least where blocks may meet.
static constexpr int64_t kLongWalk = 64;

/// Whether a thread of the launch walks many elements, by its schedule.
static bool walksLong(LaunchOp launch) {
  ScheduleAttr schedule = launch.getScheduleAttr();
  if (!schedule)
    return false;
  int64_t elements = 1;
  for (DimDigitsAttr dim : schedule.getDims())
    for (DigitAttr digit : dim.getDigits())
      if (LevelAttr level = digit.getLevel();
          digit.getSize() && !level.isThread() && !level.isBlock())
        elements *= digit.getSize();
  return elements >= kLongWalk;
}

namespace {

/// The workspace of one launch in all its versions: one array for each fold.
struct Workspace {
  SmallVector<LaunchTail *> tails;
  /// On the host: bytes of the largest row of each array, the arrays.
  SmallVector<Value> rowBytes, arrays;
};

/// Defers the tails of one time loop.
class Deferrer {
public:
  Deferrer(IRRewriter &rewriter, IterateOp loop)
      : rewriter(rewriter), loop(loop), loc(loop.getLoc()), hoister(loop) {}

  void run(MutableArrayRef<LaunchTail> tails);

private:
  Value constant(int64_t number) {
    return arith::ConstantIndexOp::create(rewriter, loc, number);
  }
  void assign(MutableArrayRef<LaunchTail> tails);
  void countRowBytes();
  void allocate();
  void defer(Workspace &workspace, LaunchTail &tail);
  LaunchOp createNest(LaunchTail &tail, ArrayRef<Value> views);
  void createTails(LaunchTail &tail, ArrayRef<Value> views);
  SmallVector<Value> getSizes(LaunchTail &tail, unsigned number);

  IRRewriter &rewriter;
  IterateOp loop;
  Location loc;
  HostHoister hoister;
  SmallVector<Workspace, 0> workspaces;
  /// How many rows there are, and the row of the step at hand.
  Value rows, row;
};

} // namespace

//===----------------------------------------------------------------------===//
// Workspaces
//===----------------------------------------------------------------------===//

/// Launches of which one runs in a step share a workspace.
void Deferrer::assign(MutableArrayRef<LaunchTail> tails) {
  for (LaunchTail &tail : tails) {
    auto fits = [&](const Workspace &workspace) {
      return llvm::all_of(workspace.tails, [&](LaunchTail *other) {
        return scf::insideMutuallyExclusiveBranches(other->launch, tail.launch);
      });
    };
    auto *found = llvm::find_if(workspaces, fits);
    if (found == workspaces.end()) {
      workspaces.emplace_back();
      found = &workspaces.back();
    }
    found->tails.push_back(&tail);
  }
}

/// In front of the loop, what a row of each array takes at most.
void Deferrer::countRowBytes() {
  for (Workspace &workspace : workspaces)
    for (LaunchTail *tail : workspace.tails)
      for (auto [number, partial] : llvm::enumerate(tail->partials)) {
        Value bytes =
            constant(getStoredBytes(partial.getType().getElementType()));
        for (auto [dim, size] : llvm::enumerate(partial.getType().getShape())) {
          if (!ShapedType::isDynamic(size)) {
            bytes = rewriter.createOrFold<arith::MulIOp>(loc, bytes,
                                                         constant(size));
            continue;
          }
          // One of a version that is not taken may be negative.
          Value most = takeNegativeForZero(
              rewriter, loc,
              hoister.hoist(
                  rewriter, tail->launch,
                  partial
                      .getSizes()[partial.getType().getDynamicDimIndex(dim)]),
              loop);
          tail->sizes[number].push_back(most);
          bytes = rewriter.createOrFold<arith::MulIOp>(loc, bytes, most);
        }
        if (number < workspace.rowBytes.size())
          bytes = rewriter.createOrFold<arith::MaxSIOp>(
              loc, workspace.rowBytes[number], bytes);
        else
          workspace.rowBytes.emplace_back();
        workspace.rowBytes[number] = bytes;
      }
}

void Deferrer::allocate() {
  rewriter.setInsertionPoint(loop);
  countRowBytes();
  Value largest;
  for (Workspace &workspace : workspaces)
    for (Value bytes : workspace.rowBytes)
      largest = largest
                    ? rewriter.createOrFold<arith::MaxSIOp>(loc, largest, bytes)
                    : bytes;
  Value one = constant(1);
  largest = rewriter.createOrFold<arith::MaxSIOp>(loc, largest, one);
  rows =
      rewriter.createOrFold<arith::DivUIOp>(loc, constant(kRowBytes), largest);
  rows = rewriter.createOrFold<arith::MinSIOp>(loc, rows, loop.getTimes());
  rows = rewriter.createOrFold<arith::MaxSIOp>(loc, rows, one);
  auto type =
      MemRefType::get({ShapedType::kDynamic}, rewriter.getIntegerType(8));
  for (Workspace &workspace : workspaces)
    for (Value bytes : workspace.rowBytes) {
      Value all = rewriter.createOrFold<arith::MulIOp>(loc, rows, bytes);
      workspace.arrays.push_back(memref::AllocOp::create(
          rewriter, loc, type, all, rewriter.getI64IntegerAttr(64)));
    }
  rewriter.setInsertionPointAfter(loop);
  for (Workspace &workspace : workspaces)
    for (Value array : workspace.arrays)
      memref::DeallocOp::create(rewriter, loc, array);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// The sizes of the dynamic dimensions of partial `number` with its rows.
SmallVector<Value> Deferrer::getSizes(LaunchTail &tail, unsigned number) {
  SmallVector<Value> sizes{rows};
  llvm::append_range(sizes, tail.sizes[number]);
  return sizes;
}

/// Asks for what `op` needs of its launch, but for what `isLeftOut`.
static void useArguments(LaunchBuilder &builder, LaunchOp launch, Operation *op,
                         function_ref<bool(BlockArgument)> isLeftOut) {
  op->walk([&](Operation *inner) {
    Value dest = getWrittenArray(inner);
    for (Value operand : inner->getOperands())
      if (auto argument = dyn_cast<BlockArgument>(operand))
        if (argument.getOwner() == launch.getBodyBlock() &&
            !isLeftOut(argument))
          builder.use(argument, operand == dest);
  });
}

/// Puts `row` in front of the indices of all accesses of `array`.
static void addRow(IRRewriter &rewriter, Value array, Value row) {
  for (Operation *access : llvm::to_vector(array.getUsers()))
    addIndices(rewriter, access, row);
}

/// The launch without its tail.
LaunchOp Deferrer::createNest(LaunchTail &tail, ArrayRef<Value> views) {
  LaunchOp launch = tail.launch;
  LaunchBuilder builder(launch);
  SmallVector<Operation *> held;
  for (Operation &op : launch.getBodyBlock()->without_terminator()) {
    if (llvm::is_contained(tail.ops, &op) ||
        llvm::is_contained(tail.partials, dyn_cast<LocalOp>(op)))
      continue;
    held.push_back(&op);
    useArguments(builder, launch, &op, [](BlockArgument) { return false; });
  }
  for (auto [number, view] : llvm::enumerate(views))
    builder.useBuffer(view, getSizes(tail, number), /*writes=*/true);
  builder.useScalar(row);
  IRMapping mapping;
  LaunchOp created = builder.create(rewriter, launch.getKernelName(),
                                    /*flag=*/Value(), mapping);
  rewriter.setInsertionPoint(created.getBodyBlock()->getTerminator());
  for (auto [partial, view] : llvm::zip(tail.partials, views))
    mapping.map(partial, builder.getBuffer(view));
  for (Operation *op : held)
    rewriter.clone(*op, mapping);
  for (Value view : views)
    addRow(rewriter, builder.getBuffer(view), builder.getScalar(row));
  return created;
}

/// The launch that does the tails of the steps whose rows are filled.
void Deferrer::createTails(LaunchTail &tail, ArrayRef<Value> views) {
  LaunchOp launch = tail.launch;
  LaunchBuilder builder(launch);
  auto isLeftOut = [&](BlockArgument argument) {
    return tail.ofStep.contains(argument);
  };
  for (Operation *op : tail.needed)
    useArguments(builder, launch, op, isLeftOut);
  for (auto [number, view] : llvm::enumerate(views))
    builder.useBuffer(view, getSizes(tail, number), /*writes=*/false);
  Value first = arith::SubIOp::create(rewriter, loc, loop.getStepArg(), row);
  Value count = arith::AddIOp::create(rewriter, loc, row, constant(1));
  builder.useScalar(first);
  builder.useScalar(count);
  for (Value scalar : tail.hostScalars)
    builder.useScalar(scalar);
  IRMapping mapping;
  LaunchOp created =
      builder.create(rewriter, (launch.getKernelName() + "_steps").str(),
                     /*flag=*/Value(), mapping);
  rewriter.setInsertionPoint(created.getBodyBlock()->getTerminator());
  auto level = LevelAttr::get(rewriter.getContext(), LevelKind::Block, 0);
  auto steps = ForOp::create(rewriter, loc, "steps",
                             OpFoldResult(builder.getScalar(count)),
                             ForKind::Parallel, ValueRange(), level);
  rewriter.setInsertionPoint(steps.getBodyBlock()->getTerminator());
  // What the host made of the number of the step.
  IRMapping ofStep;
  ofStep.map(loop.getStepArg(),
             arith::AddIOp::create(rewriter, loc, builder.getScalar(first),
                                   steps.getInductionVar()));
  for (Value scalar : tail.hostScalars)
    ofStep.map(scalar, builder.getScalar(scalar));
  for (Operation *op : tail.hostWork)
    if (auto fact = dyn_cast<array::AssumeOp>(op))
      ofStep.map(fact, ofStep.lookup(fact.getValue()));
    else
      rewriter.clone(*op, ofStep);
  for (BlockArgument argument : tail.ofStep)
    mapping.map(argument, ofStep.lookup(launch.getOperandOf(argument).get()));
  for (auto [partial, view] : llvm::zip(tail.partials, views))
    mapping.map(partial, builder.getBuffer(view));
  for (Operation *op : tail.needed)
    rewriter.clone(*op, mapping);
  for (Value view : views)
    addRow(rewriter, builder.getBuffer(view), steps.getInductionVar());
}

void Deferrer::defer(Workspace &workspace, LaunchTail &tail) {
  LaunchOp launch = tail.launch;
  rewriter.setInsertionPoint(launch);
  Value zero = constant(0), step = loop.getStepArg();
  row = arith::RemUIOp::create(rewriter, loc, step, rows);
  SmallVector<Value> views;
  for (auto [number, partial] : llvm::enumerate(tail.partials)) {
    SmallVector<int64_t> shape{ShapedType::kDynamic};
    llvm::append_range(shape, partial.getType().getShape());
    auto view = memref::ViewOp::create(
        rewriter, loc,
        MemRefType::get(shape, partial.getType().getElementType()),
        workspace.arrays[number], zero, getSizes(tail, number));
    // The array is all of its allocation.
    view->setAttr(kPlaneAttr, rewriter.getDenseI64ArrayAttr({0, 1}));
    views.push_back(view);
  }
  rewriter.setInsertionPointAfter(createNest(tail, views));
  Value next = arith::AddIOp::create(rewriter, loc, step, constant(1));
  Value rest = arith::RemUIOp::create(rewriter, loc, next, rows);
  auto isEqual = [&](Value a, Value b) -> Value {
    return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, a, b);
  };
  Value isFull = isEqual(rest, zero), isLast = isEqual(next, loop.getTimes());
  Value ends = arith::OrIOp::create(rewriter, loc, isFull, isLast);
  auto branch =
      scf::IfOp::create(rewriter, loc, ends, /*withElseRegion=*/false);
  rewriter.setInsertionPoint(branch.thenYield());
  createTails(tail, views);
  rewriter.eraseOp(launch);
}

void Deferrer::run(MutableArrayRef<LaunchTail> tails) {
  assign(tails);
  allocate();
  for (Workspace &workspace : workspaces)
    for (LaunchTail *tail : workspace.tails)
      defer(workspace, *tail);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct DeferFoldsPass
    : public arrc::kernel::impl::DeferFoldsPassBase<DeferFoldsPass> {
  void runOnOperation() override {
    DeviceAttr device = DeviceAttr::get(getOperation());
    if (!hasOwnMemory(device) || device.getInteger("parts", 0))
      return;
    IRRewriter rewriter(&getContext());
    SmallVector<IterateOp> loops;
    getOperation().walk([&](IterateOp loop) { loops.push_back(loop); });
    for (IterateOp loop : loops) {
      SmallVector<LaunchTail, 0> tails;
      for (LaunchOp launch : getLaunchesOfSteps(loop)) {
        if (launch->getNumResults() || walksLong(launch))
          continue;
        rewriteBlockRoots(rewriter, launch, device);
        if (std::optional<LaunchTail> tail = LaunchTail::read(loop, launch))
          tails.push_back(std::move(*tail));
      }
      if (!tails.empty())
        Deferrer(rewriter, loop).run(tails);
    }
  }
};

} // namespace
