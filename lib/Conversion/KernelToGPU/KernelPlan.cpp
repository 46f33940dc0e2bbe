//===- KernelPlan.cpp - How a launch becomes a kernel ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "KernelPlan.h"

#include "arrc/Analysis/BufferDistinctness.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/Transforms/CooperativeRows.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/NativeUpdates.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace arrc;

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

Type arrc::getStoredType(Type element) {
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  if (element.isIndex())
    return IntegerType::get(element.getContext(), 64);
  return element;
}

void arrc::forEachAccess(Operation *op,
                         function_ref<void(Operation *, Value, bool)> visit) {
  op->walk([&](Operation *inner) {
    if (auto load = dyn_cast<kernel::LoadOp>(inner))
      visit(inner, load.getSource(), false);
    else if (auto store = dyn_cast<kernel::StoreOp>(inner))
      visit(inner, store.getDest(), true);
    else if (auto update = dyn_cast<kernel::UpdateOp>(inner))
      visit(inner, update.getDest(), true);
  });
}

/// Whether `op` may run anywhere: it only computes, and a quotient is one by a
/// number that is said to be 1 at least.
static bool isComputation(Operation *op) {
  if (op->getNumRegions())
    return false;
  if (!isMemoryEffectFree(op) || !kernel::dividesIntegers(op))
    return isPure(op);
  Operation *divisor = op->getOperand(1).getDefiningOp();
  return isPure(op) || (isa_and_nonnull<arith::MaxSIOp>(divisor) &&
                        getConstantIntValue(divisor->getOperand(1)) == 1);
}

bool arrc::isHostValue(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isa<kernel::LaunchOp>(argument.getOwner()->getParentOp()) &&
           !isa<MemRefType>(argument.getType());
  Operation *op = value.getDefiningOp();
  return isComputation(op) && llvm::all_of(op->getOperands(), isHostValue);
}

bool arrc::hasThreadLoops(Operation *op) {
  return op
      ->walk([](kernel::ForOp loop) {
        return loop.getLevelKind() == kernel::LevelKind::Thread
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

unsigned arrc::getThreadAxes(Operation *op) {
  unsigned axes = 0;
  while ((op = op->getParentOp()) && !isa<kernel::LaunchOp>(op))
    if (auto loop = dyn_cast<kernel::ForOp>(op))
      if (loop.getLevelKind() == kernel::LevelKind::Thread)
        axes |= 1u << loop.getLevelAttr().getAxis();
  return axes;
}

static bool isBlock(kernel::ForOp loop) {
  return loop.getLevelKind() == kernel::LevelKind::Block && loop.isParallel();
}

static bool hasHostExtent(kernel::ForOp loop) {
  return !loop.getExtent() || isHostValue(loop.getExtent());
}

static bool isBlockScan(kernel::ForOp loop) {
  return loop.getLevelKind() == kernel::LevelKind::Block && loop.isScan();
}

int64_t KernelPlan::countWords(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * countWords(complex.getElementType());
  return type.isIndex() || type.getIntOrFloatBitWidth() > 32 ? 2 : 1;
}

SmallVector<kernel::ForOp> KernelPlan::getGrid() const {
  SmallVector<kernel::ForOp> grid;
  if (lookBack)
    grid.push_back(lookBack);
  llvm::append_range(grid, nest);
  if (!cooperative.empty())
    grid.push_back(cooperative.front());
  return grid;
}

int64_t KernelPlan::countRowBarrierWords() const {
  int64_t words = 0;
  for (kernel::ForOp loop : cooperative)
    for (Type type : loop.getResultTypes())
      words += countWords(type);
  return words;
}

SmallVector<unsigned> KernelPlan::getLookBackAxes() const {
  bool taken[3] = {false, false, false}, any = false;
  for (kernel::ForOp loop : between)
    if (loop.getLevelKind() == kernel::LevelKind::Thread)
      any = taken[loop.getLevelAttr().getAxis()] = true;
  if (!any)
    return {0, 1, 2};
  SmallVector<unsigned> axes;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (!taken[axis] && blockSize[axis] > 1)
      axes.push_back(axis);
  if (axes.empty())
    axes.push_back(!taken[0] ? 0 : !taken[1] ? 1 : 2);
  return axes;
}

int64_t KernelPlan::getLookBackThreads() const {
  int64_t threads = 1;
  for (unsigned axis : getLookBackAxes())
    threads *= blockSize[axis];
  return threads;
}

std::pair<int64_t, int64_t> KernelPlan::getLookBackGroups() const {
  // Few threads are those of scans with many lanes, of which many columns are
  // under way: none of their chains has many tiles at a time. With many threads
  // a hop goes far enough.
  constexpr int64_t kFew = 8, kMany = 128;
  int64_t threads = getLookBackThreads();
  // One waits for what is before the group.
  if (threads > kFew && threads <= kMany)
    return {threads, threads - 1};
  return {std::max<int64_t>(threads - 1, 1), 0};
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

KernelPlan::KernelPlan(kernel::LaunchOp launch) : launch(launch) {
  if (auto device = kernel::DeviceAttr::get(launch)) {
    subgroup = device.getInteger("subgroup", 0);
    maxThreads = device.getInteger("max_threads", maxThreads);
    sharedBytes = device.getInteger("shared_bytes", sharedBytes);
    // Cooperating blocks may keep more.
    sharedBytes = std::max(sharedBytes + kernel::getCooperativeBytes(device),
                           kernel::getRangeBytes(device));
    orderedBlocks = device.getInteger("ordered_blocks", 0);
    int64Atomics = device.getInteger("int64_atomics", 1);
    floatAtomics = device.getInteger("float_atomics", 0);
    unitThreads = device.getInteger("unit_threads", unitThreads);
  }
  collectArguments();
}

unsigned KernelPlan::addArray(Value operand) {
  Value elements = getSameElements(operand);
  for (auto [number, array] : llvm::enumerate(arrays))
    if (getSameElements(array.operand) == elements)
      return number;
  Array array;
  array.operand = operand;
  array.element =
      getStoredType(cast<MemRefType>(operand.getType()).getElementType());
  auto [steps, offset] =
      cast<MemRefType>(operand.getType()).getStridesAndOffset();
  array.hasOffset = offset != 0;
  arrays.push_back(array);
  return arrays.size() - 1;
}

void KernelPlan::collectArguments() {
  for (BlockArgument argument : launch.getBodyBlock()->getArguments()) {
    unsigned number = argument.getArgNumber();
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type) {
      scalars.push_back(number);
      continue;
    }
    arrayOf[number] = addArray(launch.getOperandOf(argument).get());
    auto [inner, offset] = type.getStridesAndOffset();
    if (!type.getLayout().isIdentity())
      for (auto [dim, stride] : llvm::enumerate(inner))
        if (ShapedType::isDynamic(stride))
          strides.emplace_back(number, dim);
  }
  if (Value flag = launch.getFlag())
    flagArray = addArray(flag);
  forEachAccess(launch, [&](Operation *, Value array, bool writes) {
    if (auto argument = dyn_cast<BlockArgument>(array); argument && writes)
      arrays[getArray(argument)].written = true;
  });
  for (Array &array : arrays)
    array.distinct = llvm::all_of(arrays, [&](const Array &other) {
      return &other == &array || (!array.written && !other.written) ||
             areDistinctBuffers(getBuffer(array.operand),
                                getBuffer(other.operand));
    });
  collectPointers();
  launch->walk([&](kernel::CheckOp) { hasChecks = true; });
}

/// Planes of one allocation share a pointer, those that are written one and the
/// others one: so each says what all that it reaches is.
void KernelPlan::collectPointers() {
  llvm::DenseMap<Value, SmallVector<unsigned>> packs[2];
  for (auto [number, array] : llvm::enumerate(arrays))
    if (std::optional<Plane> plane = getPlane(getSameElements(array.operand));
        plane && array.distinct && !array.hasOffset)
      packs[array.written][plane->pack].push_back(number);
  for (auto [number, array] : llvm::enumerate(arrays)) {
    array.pointer = pointers.size();
    std::optional<Plane> plane = getPlane(getSameElements(array.operand));
    ArrayRef<unsigned> members;
    if (plane && array.distinct && !array.hasOffset)
      members = packs[array.written].find(plane->pack)->second;
    if (members.size() < 2) {
      pointers.push_back(
          {array.operand, array.element, array.written, array.distinct});
      continue;
    }
    array.isPlane = true;
    array.first = plane->first;
    if (members.front() == number)
      pointers.push_back(
          {plane->pack, array.element, array.written, /*distinct=*/true});
    else
      array.pointer = arrays[members.front()].pointer;
    if (!plane->pitch)
      continue;
    auto *it = llvm::find(pitches, plane->pitch);
    array.pitch = it - pitches.begin();
    if (it == pitches.end())
      pitches.push_back(plane->pitch);
  }
}

//===----------------------------------------------------------------------===//
// Grid and block
//===----------------------------------------------------------------------===//

/// Finds the block loops that become the grid: the one at the root and the
/// ones that stand alone, but for plain operations, in the one before.
void KernelPlan::findNest() {
  nest.clear();
  between.clear();
  cooperative.clear();
  lookBack = nullptr;
  head.clear();
  tail.clear();
  needsTicket = false;
  kernel::ForOp root;
  for (Operation &op : launch.getBodyBlock()->without_terminator()) {
    auto loop = dyn_cast<kernel::ForOp>(op);
    if (!root && loop &&
        (isBlock(loop) || (isBlockScan(loop) && orderedBlocks)) &&
        hasHostExtent(loop) && mode != KernelMode::OneBlock)
      root = loop;
    else
      (root ? tail : head).push_back(&op);
  }
  if (!root)
    return;
  // What comes first must not write, and what it reads must not change under
  // other blocks.
  llvm::SmallDenseSet<unsigned> read;
  if (flagArray)
    read.insert(*flagArray);
  bool first = true;
  auto use = [&](Value array, bool writes) {
    auto argument = dyn_cast<BlockArgument>(array);
    if (writes)
      first = false;
    else if (argument)
      read.insert(getArray(argument));
  };
  for (Operation *op : head)
    forEachAccess(
        op, [&](Operation *, Value array, bool writes) { use(array, writes); });
  forEachAccess(root, [&](Operation *, Value array, bool writes) {
    auto argument = dyn_cast<BlockArgument>(array);
    if (!writes || !argument)
      return;
    unsigned number = getArray(argument);
    for (unsigned other : read)
      if (other == number || !arrays[number].distinct)
        first = false;
  });
  // Locals at the root cannot be shared by blocks.
  for (Operation *op : head)
    first &= !isa<kernel::LocalOp>(op);
  // One nest: another one behind it would be a tail.
  if (first && root.isScan())
    lookBack = root;
  if (first && root.isParallel())
    for (kernel::ForOp loop = root; loop;) {
      nest.push_back(loop);
      kernel::ForOp inner;
      for (Operation &op : loop.getBodyBlock()->without_terminator()) {
        auto each = dyn_cast<kernel::ForOp>(op);
        if (each && !inner && isBlock(each) && hasHostExtent(each)) {
          inner = each;
        } else if (!isComputation(&op)) {
          inner = nullptr;
          break;
        }
      }
      loop = inner;
    }
  if (llvm::all_of(tail, [](Operation *op) { return isComputation(op); }))
    tail.clear();
  if (!nest.empty() && orderedBlocks)
    findLookBack();
  if (!nest.empty() && orderedBlocks && !lookBack && !hasTail())
    findCooperative();
  if (!getGrid().empty())
    findTicket();
  if (getGrid().empty() || (needsTicket && (!orderedBlocks || lookBack))) {
    // One block does everything, in order.
    nest.clear();
    between.clear();
    cooperative.clear();
    lookBack = nullptr;
    head.clear();
    tail.clear();
    needsTicket = false;
    for (Operation &op : launch.getBodyBlock()->without_terminator())
      head.push_back(&op);
  }
}

/// A scan over blocks below the nest: parallel loops of constant extents stand
/// around it, and beside it only what every block can repeat.
void KernelPlan::findLookBack() {
  SmallVector<kernel::ForOp> around;
  kernel::ForOp loop = nest.back();
  while (loop) {
    kernel::ForOp inner;
    for (Operation &op : loop.getBodyBlock()->without_terminator()) {
      auto each = dyn_cast<kernel::ForOp>(op);
      if (each && !inner)
        inner = each;
      else if (!isComputation(&op))
        return;
    }
    if (inner && isBlockScan(inner)) {
      if (!hasHostExtent(inner) || !inner.use_empty())
        return;
      lookBack = inner;
      between = around;
      // Threads of their own must be left to look back.
      if (getLookBackThreads() > 1)
        for (kernel::ForOp other : around)
          if (other.getLevelKind() == kernel::LevelKind::Thread &&
              llvm::is_contained(getLookBackAxes(),
                                 other.getLevelAttr().getAxis()))
            lookBack = nullptr;
      if (!lookBack)
        between.clear();
      return;
    }
    if (inner && (!inner.isParallel() || !inner.getStaticExtent() ||
                  inner.getLevelKind() == kernel::LevelKind::Seq))
      return;
    if (inner)
      around.push_back(inner);
    loop = inner;
  }
}

/// Whether the loops have one extent: values that are computed alike.
static bool haveSameExtent(kernel::ForOp a, kernel::ForOp b) {
  if (a.getMixedExtent() == b.getMixedExtent())
    return true;
  Operation *x = a.getExtent() ? a.getExtent().getDefiningOp() : nullptr;
  Operation *y = b.getExtent() ? b.getExtent().getDefiningOp() : nullptr;
  return x && y &&
         OperationEquivalence::isEquivalentTo(
             x, y, OperationEquivalence::Flags::IgnoreLocations);
}

/// Loops at block side by side in the nest, where one says that they cooperate.
void KernelPlan::findCooperative() {
  SmallVector<kernel::ForOp> loops;
  for (Operation &op : nest.back().getBodyBlock()->without_terminator()) {
    if (isa<kernel::LocalOp, kernel::LoadOp>(op) || isComputation(&op))
      continue;
    auto loop = dyn_cast<kernel::ForOp>(op);
    if (!loop || loop.isScan() ||
        loop.getLevelKind() != kernel::LevelKind::Block ||
        !hasHostExtent(loop) ||
        (!loops.empty() && !haveSameExtent(loops.front(), loop)))
      return;
    loops.push_back(loop);
  }
  if (!loops.empty() && kernel::isCooperative(loops.front()))
    cooperative = loops;
}

/// Whether the tail depends on what the blocks do, or they on what it does.
void KernelPlan::findTicket() {
  llvm::SmallDenseSet<unsigned> read, written;
  auto collect = [&](Operation *op) {
    forEachAccess(op, [&](Operation *, Value array, bool writes) {
      if (auto argument = dyn_cast<BlockArgument>(array))
        (writes ? written : read).insert(getArray(argument));
    });
  };
  for (Operation *op : head)
    collect(op);
  collect(getGrid().back());
  collect(getGrid().front());
  if (flagArray)
    read.insert(*flagArray);
  for (Operation *op : tail)
    forEachAccess(op, [&](Operation *, Value array, bool writes) {
      auto argument = dyn_cast<BlockArgument>(array);
      if (!argument)
        return;
      unsigned number = getArray(argument);
      bool crosses = !arrays[number].distinct || written.contains(number) ||
                     (writes && read.contains(number));
      needsTicket |= crosses;
    });
}

LogicalResult KernelPlan::setMode(KernelMode newMode) {
  mode = newMode;
  std::fill(blockSize, blockSize + 3, 1);
  LogicalResult result = success();
  if (mode == KernelMode::Parallel)
    launch->walk([&](kernel::ForOp loop) {
      if (loop.getLevelKind() != kernel::LevelKind::Thread)
        return;
      if (loop.getExtent()) {
        loop.emitOpError("at a thread level needs a constant extent");
        result = failure();
        return;
      }
      int64_t &size = blockSize[loop.getLevelAttr().getAxis()];
      size = std::max<int64_t>(size, *loop.getStaticExtent());
    });
  findNest();
  return result;
}
