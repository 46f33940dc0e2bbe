//===- Barriers.cpp - Where the threads of a block wait -------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A barrier stands before an access to an array that another thread has touched
// since the last one, where one of the two writes. Iterations of one parallel
// loop are independent, so within a leaf nothing is looked for: one barrier
// before it serves all of its accesses. Each is noted where it is emitted, as a
// leaf may hold barriers itself: a scan stores what it finds behind its own.
// Two leaves are taken to touch the same elements in different threads. In a
// loop the end of an iteration is checked against the start of the next.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

using namespace mlir;
using namespace arrc;

bool KernelEmitter::conflicts(const BarrierState::Touch &a,
                              const BarrierState::Touch &b) const {
  return a.array == b.array && (a.written || b.written) &&
         !(a.single && b.single);
}

/// Adds what the list does not hold yet: paths that meet again and again must
/// not double it.
static void add(SmallVectorImpl<BarrierState::Touch> &list,
                ArrayRef<BarrierState::Touch> more) {
  for (const BarrierState::Touch &mine : more)
    if (llvm::none_of(list, [&](auto &other) {
          return other.array == mine.array && other.written == mine.written &&
                 other.single == mine.single;
        }))
      list.push_back(mine);
}

LogicalResult KernelEmitter::refuse(Location loc, StringRef why) {
  if (reason.empty()) {
    reason = why.str();
    reasonLoc = loc;
  }
  return failure();
}

LogicalResult KernelEmitter::emitBarrier(Location loc) {
  if (!ctx.uniform)
    return refuse(loc, "threads would have to wait for each other where not "
                       "all of them get to");
  gpu::BarrierOp::create(b, loc);
  barriers.open.clear();
  barriers.seen = true;
  return success();
}

LogicalResult KernelEmitter::touch(Location loc, const void *array,
                                   bool written, bool single) {
  BarrierState::Touch mine{array, written, single};
  if (!plan.hasThreads())
    return success();
  if (llvm::any_of(barriers.open,
                   [&](auto &other) { return conflicts(other, mine); }))
    if (failed(emitBarrier(loc)))
      return failure();
  note(mine);
  return success();
}

void KernelEmitter::note(BarrierState::Touch mine) {
  add(barriers.open, mine);
  if (!barriers.seen)
    add(barriers.first, mine);
}

LogicalResult KernelEmitter::access(Location loc, const Place &place,
                                    bool written) {
  if (place.isPrivate || !plan.hasThreads())
    return success();
  bool single = ctx.single || (written && ctx.bound == 0);
  if (!ctx.leaf)
    return touch(loc, place.key, written, single);
  note({place.key, written, single});
  return success();
}

void KernelEmitter::forEachTouch(Operation *op,
                                 function_ref<void(const void *, bool)> visit) {
  forEachAccess(op, [&](Operation *, Value array, bool writes) {
    // A local of the operation itself is nobody else's before it.
    if (Operation *def = array.getDefiningOp(); def && op->isAncestor(def))
      return;
    const Place &place = getPlace(array);
    if (!place.isPrivate)
      visit(place.key, writes);
  });
}

LogicalResult KernelEmitter::waitFor(Operation *op, bool single) {
  if (!plan.hasThreads())
    return success();
  bool needed = false;
  forEachTouch(op, [&](const void *array, bool written) {
    BarrierState::Touch mine{array, written, single};
    needed |= llvm::any_of(barriers.open,
                           [&](auto &other) { return conflicts(other, mine); });
  });
  return needed ? emitBarrier(op->getLoc()) : success();
}

LogicalResult KernelEmitter::enterRegions(Operation *op, ValueRange condition) {
  bool wasUniform = ctx.uniform;
  Context saved = ctx;
  enterBranch(condition);
  if (!wasUniform || ctx.uniform || ctx.leaf)
    return success();
  std::swap(ctx, saved);
  LogicalResult done = waitFor(op, /*single=*/false);
  std::swap(ctx, saved);
  return done;
}

BarrierState KernelEmitter::join(const BarrierState &a, const BarrierState &b) {
  BarrierState result = a;
  add(result.open, b.open);
  add(result.first, b.first);
  result.seen = a.seen && b.seen;
  return result;
}

LogicalResult KernelEmitter::emitLoopBody(Location loc, Body body) {
  BarrierState before = barriers;
  barriers.first.clear();
  barriers.seen = false;
  if (failed(body()))
    return failure();
  if (!ctx.leaf && llvm::any_of(barriers.open, [&](auto &last) {
        return llvm::any_of(barriers.first,
                            [&](auto &next) { return conflicts(last, next); });
      }))
    if (failed(emitBarrier(loc)))
      return failure();
  // The loop may not run at all.
  BarrierState inside = barriers;
  barriers = before;
  add(barriers.open, inside.open);
  if (!barriers.seen)
    add(barriers.first, inside.first);
  return success();
}
