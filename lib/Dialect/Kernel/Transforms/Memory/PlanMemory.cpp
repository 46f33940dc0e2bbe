//===- PlanMemory.cpp - Hoist, share and free every buffer ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Every buffer has one owner at a time: the block that allocated it, or that
// received it from a branch, a loop or a call. A buffer that leaves its block
// through a terminator, or enters a loop, is moved if nothing else can see it
// afterwards, and copied otherwise; what is never moved is freed after its
// last use. No flag and no count travels at run time, so the plan can be
// printed.
//
//   %a = memref.alloc(%n)                     %a = memref.alloc(%n)
//   kernel.launch .. outs(%a)                 kernel.launch .. outs(%a)
//   kernel.launch (%a) outs(%r)         =>    kernel.launch (%a) outs(%r)
//   %b = memref.alloc(%n)                     kernel.launch .. outs(%a)
//   kernel.launch .. outs(%b)                 memref.dealloc %a
//
// In order: copies of a part onto itself and what else need not be written go,
// launches write the parts of arrays that their results would be copied to
// (SliceStores.cpp), allocations that a loop would repeat move in front of it,
// ownership is settled, buffers of equal type and sizes that do not live at the
// same time become one, the rest is freed.
//
// With `workspaces` only buffers that kernels need for themselves are planned:
// each has been allocated and freed around its launch.
//
// Legal because a function sees memory through memrefs alone, and aliases are
// made only by views and `select`, all of which are followed. The arguments of
// a function belong to its caller: one that is returned is copied.
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"
#include "arrc/Support/DimNumber.h"

#include "../Shared/HostSlice.h"
#include "../Shared/LaunchAccess.h"
#include "BranchBuffers.h"
#include "BufferLifetime.h"
#include "DeadWrites.h"
#include "HoistAllocation.h"
#include "InPlaceAssignments.h"
#include "SliceStores.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/raw_ostream.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_PLANMEMORYPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Visits the operations of the host: those outside bodies of launches.
static void walkHost(Operation *root, function_ref<void(Operation *)> visit) {
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    visit(op);
    return isa<LaunchOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
}

/// Visits the blocks of the host, inner ones first.
static void walkHostBlocks(Operation *root, function_ref<void(Block &)> visit) {
  if (isa<LaunchOp>(root))
    return;
  for (Region &region : root->getRegions())
    for (Block &block : region) {
      for (Operation &op : block)
        walkHostBlocks(&op, visit);
      visit(block);
    }
}

/// The dynamic sizes of a buffer that is handed over. A time loop names them,
/// so that an allocation can leave the loops around it.
static SmallVector<Value> getSizes(OpOperand &use) {
  SmallVector<Value> sizes;
  Operation *user = use.getOwner();
  OpBuilder builder(user);
  auto type = cast<MemRefType>(use.get().getType());
  auto loop = dyn_cast<IterateOp>(user);
  unsigned first = loop ? loop.getCarried().getBeginOperandIndex() : 0;
  unsigned k = use.getOperandNumber() - first;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (!type.isDynamicDim(d))
      continue;
    if (loop && k < loop.getCarried().size())
      sizes.push_back(cast<Value>(loop.getMixedSizes(k)[d]));
    else
      sizes.push_back(
          memref::DimOp::create(builder, user->getLoc(), use.get(), d));
  }
  return sizes;
}

/// Gives `use` a buffer of its own with the same contents.
static void copyBeforeMove(OpOperand &use) {
  Operation *user = use.getOwner();
  OpBuilder builder(user);
  Location loc = user->getLoc();
  Value source = use.get();
  auto type = cast<MemRefType>(source.getType());
  SmallVector<Value> sizes = getSizes(use);
  auto plain = MemRefType::get(type.getShape(), type.getElementType());
  Value copy = memref::AllocOp::create(builder, loc, plain, sizes);
  memref::CopyOp::create(builder, loc, source, copy);
  if (plain != type)
    copy = memref::CastOp::create(builder, loc, type, copy);
  use.set(copy);
  remark::missed(
      loc, remark::RemarkOpts::name("CopiedBuffer").category("plan-memory"))
      << remark::reason("the array is still needed under another name");
}

//===----------------------------------------------------------------------===//
// What time loops hand on
//===----------------------------------------------------------------------===//

/// A step hands on buffers of its loop, each once. Anything else is copied into
/// one that is free.
static void handOnOwnBuffers(IterateOp loop) {
  ContinueOp next = loop.getContinue();
  DenseSet<Value> named;
  SmallVector<OpOperand *> strays;
  auto carried = loop.getCarriedArgs(), second = loop.getRotateArgs();
  for (OpOperand &use : next.getCarriedMutable()) {
    Value buffer = use.get();
    SmallVector<Value, 2> roots = getBufferRoots(buffer);
    if (roots.size() == 1 && isWholeBuffer(buffer, roots[0]))
      buffer = roots[0];
    if ((llvm::is_contained(carried, buffer) ||
         llvm::is_contained(second, buffer)) &&
        named.insert(buffer).second)
      use.set(buffer);
    else
      strays.push_back(&use);
  }
  OpBuilder builder(next);
  // What is copied must not be written before: read all, then write all.
  SmallVector<std::pair<Value, OpOperand *>> copies;
  for (OpOperand *use : strays) {
    auto isFree = [&](Value buffer) {
      return buffer.getType() == use->get().getType() &&
             !named.contains(buffer);
    };
    Value target;
    for (Value buffer : loop.getBodyBlock()->getArguments())
      if (!target && buffer != loop.getFlagArg() && isFree(buffer))
        target = buffer;
    assert(target && "each array has a buffer");
    named.insert(target);
    copies.push_back({target, use});
  }
  for (auto &[target, use] : copies) {
    // A target that a later copy reads is saved first.
    for (auto &[other, later] : copies)
      if (later != use &&
          llvm::is_contained(getBufferRoots(later->get()), target))
        copyBeforeMove(*later);
    memref::CopyOp::create(builder, loop.getLoc(), use->get(), target);
    use->set(target);
  }
}

//===----------------------------------------------------------------------===//
// Allocations out of loops
//===----------------------------------------------------------------------===//

/// Time loops name the sizes of what they carry: who asks for them in a step
/// gets values from outside.
static void nameCarriedSizes(IterateOp loop) {
  auto arguments = loop.getCarriedArgs();
  for (auto [k, argument] : llvm::enumerate(arguments))
    for (Operation *user : llvm::make_early_inc_range(argument.getUsers())) {
      auto dim = dyn_cast<memref::DimOp>(user);
      std::optional<int64_t> number = dim ? getDimNumber(dim) : std::nullopt;
      if (!number)
        continue;
      if (auto size = dyn_cast<Value>(loop.getMixedSizes(k)[*number])) {
        dim.replaceAllUsesWith(size);
        dim.erase();
      }
    }
}

/// Moves `alloc` in front of the outermost loop that it can leave.
static void leaveLoops(memref::AllocOp alloc) {
  if (isBufferMoved(alloc.getResult()))
    return;
  Operation *before = nullptr;
  for (Operation *parent = alloc->getParentOp();
       parent && !isa<func::FuncOp>(parent); parent = parent->getParentOp()) {
    auto isOutside = [&](Value size) {
      Operation *owner = size.getParentBlock()->getParentOp();
      return !parent->isAncestor(owner);
    };
    if (!llvm::all_of(alloc->getOperands(), isOutside))
      break;
    if (isa<LoopLikeOpInterface>(parent))
      before = parent;
  }
  if (before)
    hoistAllocation(alloc, before);
}

//===----------------------------------------------------------------------===//
// Ownership
//===----------------------------------------------------------------------===//

/// Whether `memref` shows the front of `root`, of one dimension: the caller of
/// an export gets it with the size that it has, and frees all of it.
static bool isFrontOfBuffer(Value memref, Value root) {
  while (memref != root) {
    if (auto cast = memref.getDefiningOp<memref::CastOp>()) {
      memref = cast.getSource();
      continue;
    }
    auto view = memref.getDefiningOp<memref::SubViewOp>();
    if (!view || view.getType().getRank() != 1 ||
        view.getSourceType().getRank() != 1 ||
        getConstantIntValue(view.getMixedOffsets().front()) != 0 ||
        getConstantIntValue(view.getMixedStrides().front()) != 1)
      return false;
    memref = view.getSource();
  }
  return true;
}

/// True if handing over `use` leaves no one with the buffer.
static bool canMove(OpOperand &use, const DenseSet<Value> &moved) {
  SmallVector<Value, 2> roots = getBufferRoots(use.get());
  Operation *user = use.getOwner();
  if (roots.size() != 1 || !isOwnedBuffer(roots[0]) ||
      moved.contains(roots[0]) ||
      !(isWholeBuffer(use.get(), roots[0]) ||
        (isa<func::ReturnOp>(user) && isFrontOfBuffer(use.get(), roots[0]))))
    return false;
  if (roots[0].getParentBlock() != user->getBlock() ||
      getLastBufferUse(roots[0]) != user)
    return false;
  // A loop that takes the buffer must not see it under its outer name, too.
  for (Value alias : getBufferAliases(roots[0]))
    for (Operation *other : alias.getUsers())
      if (other != user && user->isAncestor(other))
        return false;
  return true;
}

/// Makes every operand that hands over a buffer own it.
static void settleOwnership(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    DenseSet<Value> moved;
    for (OpOperand &use : op.getOpOperands()) {
      if (!isBufferMove(use))
        continue;
      if (canMove(use, moved))
        moved.insert(getBufferRoots(use.get()).front());
      else
        copyBeforeMove(use);
    }
  }
}

//===----------------------------------------------------------------------===//
// Sharing and freeing
//===----------------------------------------------------------------------===//

/// Lets an allocation of the block take the buffer of an earlier one that is
/// dead by then.
static void shareBuffers(Block &block,
                         function_ref<bool(Operation *)> isShared) {
  SmallVector<memref::AllocOp> live;
  for (auto alloc :
       llvm::make_early_inc_range(block.getOps<memref::AllocOp>())) {
    if (!isShared(alloc))
      continue;
    auto fits = [&](memref::AllocOp earlier) {
      if (earlier.getType() != alloc.getType() ||
          earlier.getOperands() != alloc.getOperands() ||
          isBufferMoved(earlier))
        return false;
      Operation *last = getLastBufferUse(earlier);
      return last && last->isBeforeInBlock(alloc);
    };
    auto *earlier = llvm::find_if(live, fits);
    if (earlier == live.end()) {
      live.push_back(alloc);
      continue;
    }
    alloc.getResult().replaceAllUsesWith(earlier->getResult());
    alloc.erase();
  }
}

/// Frees `buffer` after its last use in the block where it is made.
static void freeBuffer(Value buffer) {
  OpBuilder builder(buffer.getContext());
  Operation *last = getLastBufferUse(buffer);
  if (last && last->hasTrait<OpTrait::IsTerminator>())
    builder.setInsertionPoint(last);
  else if (last)
    builder.setInsertionPointAfter(last);
  else
    builder.setInsertionPointAfterValue(buffer);
  memref::DeallocOp::create(builder, buffer.getLoc(), buffer);
}

/// Frees what the block owns and does not hand over.
static void freeBuffers(Block &block) {
  SmallVector<Value> owned;
  for (BlockArgument arg : block.getArguments())
    if (isOwnedBuffer(arg))
      owned.push_back(arg);
  for (Operation &op : block)
    for (Value result : op.getResults())
      if (isOwnedBuffer(result))
        owned.push_back(result);
  for (Value buffer : owned)
    if (!isBufferMoved(buffer))
      freeBuffer(buffer);
}

/// The operation that frees `buffer` in the block where it is made, or null.
static memref::DeallocOp getDealloc(Value buffer) {
  for (Operation *user : buffer.getUsers())
    if (auto dealloc = dyn_cast<memref::DeallocOp>(user);
        dealloc && dealloc->getBlock() == buffer.getParentBlock())
      return dealloc;
  return nullptr;
}

/// A time loop in a loop that gets new buffers in every step and frees what
/// comes back uses the same ones in every step.
static void hoistTimeLoopBuffers(IterateOp inner) {
  auto outer = dyn_cast<LoopLikeOpInterface>(inner->getParentOp());
  if (!outer)
    return;
  SmallVector<memref::AllocOp> allocations;
  SmallVector<memref::DeallocOp> frees;
  for (auto [operand, result] :
       llvm::zip(llvm::concat<Value>(SmallVector<Value>(inner.getCarried()),
                                     SmallVector<Value>(inner.getSpares())),
                 inner.getResults())) {
    if (getUpdatedInPlace(result))
      continue;
    auto alloc = operand.getDefiningOp<memref::AllocOp>();
    memref::DeallocOp dealloc = getDealloc(result);
    if (!alloc || !dealloc || alloc->getBlock() != inner->getBlock() ||
        !llvm::all_of(alloc->getOperands(), [&](Value size) {
          return !outer->isAncestor(size.getParentBlock()->getParentOp());
        }))
      return;
    allocations.push_back(alloc);
    frees.push_back(dealloc);
  }
  OpBuilder after(inner.getContext());
  after.setInsertionPointAfter(outer);
  for (auto [alloc, dealloc] : llvm::zip(allocations, frees)) {
    dealloc.erase();
    hoistAllocation(alloc, outer);
    memref::DeallocOp::create(after, alloc.getLoc(), alloc);
  }
}

//===----------------------------------------------------------------------===//
// Workspaces
//===----------------------------------------------------------------------===//

/// Moves what computes `value` in front of `before`; false if some of it stays
/// behind.
static bool hoistScalars(Value value, Operation *before) {
  if (!before->isAncestor(value.getParentBlock()->getParentOp()))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || !isScalarOp(op))
    return false;
  for (Value operand : op->getOperands())
    if (!hoistScalars(operand, before))
      return false;
  op->moveBefore(before);
  return true;
}

/// Moves an allocation out of the loops around it, with its sizes.
static void hoistWorkspace(memref::AllocOp alloc) {
  while (true) {
    Operation *loop = alloc->getParentOp();
    while (loop && !isa<LoopLikeOpInterface>(loop))
      loop = loop->getParentOp();
    if (!loop || !llvm::all_of(alloc->getOperands(), [&](Value size) {
          return hoistScalars(size, loop);
        }))
      return;
    hoistAllocation(alloc, loop);
  }
}

/// What kernels need between blocks and launches has been allocated and freed
/// around each of them: places are shared, leave the loops, and are freed after
/// the last use.
static void planWorkspaces(func::FuncOp func) {
  SmallVector<memref::AllocOp> workspaces;
  SmallVector<Block *> blocks;
  walkHost(func, [&](Operation *op) {
    auto alloc = dyn_cast<memref::AllocOp>(op);
    if (!alloc || !alloc->hasAttr(kWorkspaceAttr))
      return;
    workspaces.push_back(alloc);
    if (!llvm::is_contained(blocks, op->getBlock()))
      blocks.push_back(op->getBlock());
  });
  for (memref::AllocOp alloc : workspaces)
    for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
      if (isa<memref::DeallocOp>(user))
        user->erase();
  auto isWorkspace = [](Operation *op) { return op->hasAttr(kWorkspaceAttr); };
  for (Block *block : blocks)
    shareBuffers(*block, isWorkspace);
  blocks.clear();
  workspaces.clear();
  walkHost(func, [&](Operation *op) {
    if (isa<memref::AllocOp>(op) && isWorkspace(op))
      workspaces.push_back(cast<memref::AllocOp>(op));
  });
  llvm::for_each(workspaces, hoistWorkspace);
  for (memref::AllocOp alloc : workspaces)
    freeBuffer(alloc);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Whether launches or time loops are still on tensors, which have no buffers.
static bool hasTensors(func::FuncOp func) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return func
      .walk([&](Operation *op) {
        return isa<LaunchOp, IterateOp>(op) &&
                       llvm::any_of(op->getOperandTypes(), isTensor)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct PlanMemoryPass
    : public kernel::impl::PlanMemoryPassBase<PlanMemoryPass> {
  using PlanMemoryPassBase::PlanMemoryPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal() || hasTensors(func))
      return;
    if (workspaces) {
      planWorkspaces(func);
      if (print)
        printPlan(func);
      return;
    }
    if (failed(checkInPlaceAssignments(func)))
      return signalPassFailure();
    forwardBranches(func);
    // Inner loops first: outer ones ask what they do with their buffers.
    func.walk<WalkOrder::PostOrder>([](IterateOp loop) {
      nameCarriedSizes(loop);
      handOnOwnBuffers(loop);
    });
    handOnThroughConditions(func);
    dropSelfCopies(func);
    dropCoveredFills(func);
    storeSlicesInPlace(func);
    SmallVector<memref::AllocOp> allocations;
    walkHost(func, [&](Operation *op) {
      if (auto alloc = dyn_cast<memref::AllocOp>(op))
        allocations.push_back(alloc);
    });
    llvm::for_each(allocations, leaveLoops);
    walkHostBlocks(func, settleOwnership);
    walkHostBlocks(func, [](Block &block) {
      shareBuffers(block, [](Operation *) { return true; });
    });
    walkHostBlocks(func, freeBuffers);
    SmallVector<IterateOp> loops;
    func.walk<WalkOrder::PostOrder>(
        [&](IterateOp loop) { loops.push_back(loop); });
    llvm::for_each(loops, hoistTimeLoopBuffers);
    // Different arguments are different memory then.
    walkHost(func, [](Operation *op) {
      if (auto launch = dyn_cast<LaunchOp>(op))
        mergeEqualArguments(launch);
    });
    if (print)
      printPlan(func);
  }

  /// One line a buffer: its type, where it is made and how it ends.
  void printPlan(func::FuncOp func) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "memory plan of " << func.getName() << ":\n";
    walkHost(func, [&](Operation *op) {
      auto alloc = dyn_cast<memref::AllocOp>(op);
      if (!alloc)
        return;
      unsigned depth = 0;
      for (Operation *p = op->getParentOp(); p; p = p->getParentOp())
        depth += isa<LoopLikeOpInterface>(p);
      os << "  " << alloc.getType() << (depth ? ", in every step" : "")
         << (isBufferMoved(alloc) ? ", handed on" : ", freed after last use")
         << ", for " << llvm::range_size(alloc->getUsers()) << " uses\n";
    });
    llvm::errs() << text;
  }
};
} // namespace
