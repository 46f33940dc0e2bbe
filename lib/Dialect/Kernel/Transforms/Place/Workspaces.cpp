//===- Workspaces.cpp - Locals in memory that the host gives --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Workspaces.h"

#include "../Memory/HoistAllocation.h"
#include "../Shared/HostSlice.h"
#include "../Shared/LaunchAccess.h"
#include "../Shared/LocalLifetime.h"
#include "BlockRoots.h"

#include "arrc/Support/StoredBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

Workspaces::Workspaces(IRRewriter &rewriter, LaunchOp launch, DeviceAttr device,
                       ArrayRef<LocalOp> locals)
    : rewriter(rewriter), launch(launch), device(device) {
  for (LocalOp a : locals) {
    llvm::SmallBitVector &others = apart.emplace_back(locals.size());
    for (auto [number, b] : llvm::enumerate(locals))
      others[number] = a != b && areApart(a, b);
  }
}

//===----------------------------------------------------------------------===//
// What a local needs
//===----------------------------------------------------------------------===//

/// The loops whose index is that of dimension `dim` in all accesses of `local`.
static SmallVector<DigitUse> getDigitUses(LocalOp local, unsigned dim) {
  SmallVector<DigitUse> uses;
  for (Operation *access : local->getUsers()) {
    Value index = getIndicesOf(access)[dim];
    ForOp loop = getLoopOf(index);
    if (!loop || loop.getInductionVar() != index ||
        loop.getStaticExtent() != local.getType().getDimSize(dim))
      return {};
    uses.push_back({access, loop});
  }
  return uses;
}

static SmallVector<DigitUse> getDigitUses(LocalOp local, ForOp block) {
  SmallVector<DigitUse> uses;
  for (Operation *access : local->getUsers())
    uses.push_back({access, block});
  return uses;
}

/// On the host, the size of a dimension of a local, which may stand in a branch
/// that no iteration takes.
Value Workspaces::allocatedSize(Value size) {
  Value meant = computeOnHost(rewriter, launch, size, host);
  Value &known = sizes[meant];
  if (!known)
    known = takeNegativeForZero(rewriter, launch.getLoc(), meant, launch);
  return known;
}

LogicalResult Workspaces::add(LocalOp local, unsigned number) {
  rewriter.setInsertionPoint(launch);
  Global global{local, number, {}, {}, {}, {}};
  for (Operation *op = local->getParentOp(); op != launch;
       op = op->getParentOp())
    if (isBlockLoop(op))
      global.nest.insert(global.nest.begin(), cast<ForOp>(op));
  for (ForOp loop : global.nest) {
    if (!isKnownToHost(launch, loop.getMixedExtent()))
      return loop.emitError("a block loop has an extent that is known on the "
                            "device only");
    global.extents.push_back(
        computeOnHost(rewriter, launch, loop.getMixedExtent(), host));
    collectBounds(launch, getDigitUses(local, loop), bounds);
  }
  ValueRange left = local.getSizes();
  for (int64_t dim = 0; dim < local.getType().getRank(); ++dim) {
    if (!local.getType().isDynamicDim(dim)) {
      global.dims.push_back(
          rewriter.getIndexAttr(local.getType().getDimSize(dim)));
      collectBounds(launch, getDigitUses(local, dim), bounds);
      continue;
    }
    global.dims.push_back(getAsOpFoldResult(allocatedSize(left.front())));
    left = left.drop_front();
  }
  globals.push_back(global);
  return success();
}

/// On the host, how far digits of `extent` get.
OpFoldResult Workspaces::boundDigit(OpFoldResult extent,
                                    ArrayRef<DigitUse> uses) {
  std::optional<int64_t> most = getConstantIntValue(extent);
  if (!most || *most <= 1 || uses.empty())
    return extent;
  std::optional<DigitBound> bound = findBound(launch, uses, *most, bounds);
  if (!bound)
    return extent;
  Value &known = reached[{bound->size, bound->step, *most}];
  if (!known) {
    Location loc = launch.getLoc();
    Value size = computeOnHost(rewriter, launch, bound->size, host);
    OpFoldResult parts =
        createCeilDiv(rewriter, loc, getAsOpFoldResult(size), bound->step);
    known = rewriter.createOrFold<arith::MinSIOp>(
        loc, toValue(rewriter, loc, parts), toValue(rewriter, loc, extent));
  }
  return getAsOpFoldResult(known);
}

/// Leaves out the blocks and threads that never get to a local.
void Workspaces::boundDigits() {
  for (Global &global : globals) {
    for (auto [loop, extent] : llvm::zip(global.nest, global.extents))
      global.used.push_back(
          boundDigit(extent, getDigitUses(global.local, loop)));
    for (auto [dim, size] : llvm::enumerate(global.dims))
      if (!global.local.getType().isDynamicDim(dim))
        size = boundDigit(size, getDigitUses(global.local, dim));
  }
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Whether one place does for both.
bool Workspaces::canShare(const Global &a, const Global &b) const {
  auto getElement = [](LocalOp local) {
    return local.getType().getElementType();
  };
  return getElement(a.local) == getElement(b.local) && a.nest == b.nest &&
         a.used == b.used && a.dims == b.dims && apart[a.number][b.number];
}

void Workspaces::share() {
  for (auto [number, global] : llvm::enumerate(globals)) {
    auto fits = [&](const Workspace &workspace) {
      return llvm::all_of(workspace.globals, [&](unsigned other) {
        return canShare(globals[other], global);
      });
    };
    auto *found = llvm::find_if(workspaces, fits);
    if (found == workspaces.end()) {
      workspaces.emplace_back();
      found = &workspaces.back();
    }
    found->globals.push_back(number);
  }
}

/// A local in the nest whose blocks may take turns, if all that are in blocks
/// are in that one.
const Workspaces::Global *Workspaces::findNest() const {
  const Global *one = nullptr;
  for (const Global &global : globals) {
    if (global.nest.empty())
      continue;
    if (one && one->nest != global.nest)
      return nullptr;
    one = &global;
  }
  return one && canStride(one->nest) ? one : nullptr;
}

/// Bytes of the parts of one block.
OpFoldResult Workspaces::countPartBytes() {
  Location loc = launch.getLoc();
  Value sum;
  for (const Workspace &workspace : workspaces) {
    Global &global = globals[workspace.globals.front()];
    if (global.nest.empty())
      continue;
    Value bytes = arith::ConstantIndexOp::create(
        rewriter, loc, getStoredBytes(global.local.getType().getElementType()));
    for (OpFoldResult dim : global.dims)
      bytes = rewriter.createOrFold<arith::MulIOp>(loc, bytes,
                                                   toValue(rewriter, loc, dim));
    sum = sum ? rewriter.createOrFold<arith::AddIOp>(loc, sum, bytes) : bytes;
  }
  return getAsOpFoldResult(sum);
}

/// As many parts as blocks run at the same time, and as memory holds.
void Workspaces::limitParts() {
  const Global *one = findNest();
  if (!one)
    return;
  SmallVector<OpFoldResult> extents(one->extents), used(one->used);
  for (const Global &global : globals)
    if (!global.nest.empty() && global.used != one->used)
      used = extents;
  grid = limitBlocks(rewriter, launch.getLoc(), extents, used, countPartBytes(),
                     getBlockRoom(device, launch));
  if (grid.blocks != extents)
    strided = one->nest;
  for (Global &global : globals)
    if (!global.nest.empty())
      global.used = grid.parts;
}

void Workspaces::createBuffers() {
  for (Workspace &workspace : workspaces) {
    Global &global = globals[workspace.globals.front()];
    SmallVector<OpFoldResult> dims(global.used);
    llvm::append_range(dims, global.dims);
    SmallVector<int64_t> shape;
    dispatchIndexOpFoldResults(dims, workspace.sizes, shape);
    workspace.buffer = createWorkspace(
        rewriter, global.local.getLoc(),
        MemRefType::get(shape, global.local.getType().getElementType()),
        workspace.sizes);
  }
}

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

/// The launch with buffers, and its grid, among the operands.
LaunchOp Workspaces::rebuildLaunch(LaunchBuilder &builder) {
  unsigned inputs = launch.getNumInputs();
  for (BlockArgument argument : launch.getBodyBlock()->getArguments())
    builder.use(argument, argument.getArgNumber() >= inputs);
  for (Workspace &workspace : workspaces)
    builder.useBuffer(workspace.buffer, workspace.sizes, /*writes=*/true);
  if (!strided.empty())
    for (OpFoldResult count : grid.blocks)
      if (auto value = dyn_cast<Value>(count))
        builder.useScalar(value);
  IRMapping mapping;
  LaunchOp created = builder.create(rewriter, launch.getKernelName(),
                                    launch.getFlag(), mapping);
  for (BlockArgument argument : launch.getBodyBlock()->getArguments())
    rewriter.replaceAllUsesWith(argument, mapping.lookup(argument));
  Block *body = created.getBodyBlock();
  rewriter.eraseOp(launch.getBodyBlock()->getTerminator());
  body->getOperations().splice(body->getTerminator()->getIterator(),
                               launch.getBodyBlock()->getOperations());
  return created;
}

/// The local becomes the parts of `array`.
void Workspaces::moveAccesses(const Global &global, Value array) {
  SmallVector<Value> digits;
  for (ForOp loop : global.nest)
    digits.push_back(loop.getInductionVar());
  LocalOp local = global.local;
  for (Operation *access : llvm::make_early_inc_range(local->getUsers())) {
    rewriter.modifyOpInPlace(access, [&] {
      TypeSwitch<Operation *>(access)
          .Case([&](LoadOp load) { load.getSourceMutable().assign(array); })
          .Case<StoreOp, UpdateOp>(
              [&](auto op) { op.getDestMutable().assign(array); });
    });
    addIndices(rewriter, access, digits);
  }
  rewriter.eraseOp(local);
}

void Workspaces::create() {
  if (globals.empty())
    return;
  rewriter.setInsertionPoint(launch);
  boundDigits();
  share();
  limitParts();
  createBuffers();
  LaunchBuilder builder(launch);
  LaunchOp created = rebuildLaunch(builder);
  if (!strided.empty()) {
    SmallVector<OpFoldResult> blocks;
    for (OpFoldResult count : grid.blocks) {
      auto value = dyn_cast<Value>(count);
      blocks.push_back(value ? OpFoldResult(builder.getScalar(value)) : count);
    }
    SmallVector<ForOp> loops = strideBlocks(rewriter, strided, blocks);
    for (Global &global : globals)
      if (!global.nest.empty())
        global.nest = loops;
  }
  for (Workspace &workspace : workspaces)
    for (unsigned number : workspace.globals)
      moveAccesses(globals[number], builder.getBuffer(workspace.buffer));
  rewriter.setInsertionPointAfter(created);
  for (Workspace &workspace : workspaces)
    memref::DeallocOp::create(rewriter, workspace.buffer.getLoc(),
                              workspace.buffer);
  rewriter.eraseOp(launch);
}
