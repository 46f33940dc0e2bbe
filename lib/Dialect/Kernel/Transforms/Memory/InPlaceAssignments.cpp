//===- InPlaceAssignments.cpp - No copy under '@inplace' ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Where the old array is still needed, bufferization lets an assignment work
// on a copy:
//
//   %b = memref.alloc(%n)            at the assignment
//   memref.copy %a, %b               at the assignment
//   ..                               %b is changed, %a is read
//
// What is put into the array may be copied as well, but not into an allocation:
// the target is a part of one that is there.
//
//===----------------------------------------------------------------------===//

#include "InPlaceAssignments.h"

#include "BufferLifetime.h"

#include "arrc/Dialect/Array/IR/InPlace.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace arrc;

/// The first operation behind `copy`, in a run of the block, that reads what
/// was copied under another name than the copy's; null if none is found.
static Operation *findLaterUse(memref::CopyOp copy) {
  Operation *first = nullptr;
  Block *block = copy->getBlock();
  for (Value root : kernel::getBufferRoots(copy.getSource()))
    for (Value alias : kernel::getBufferAliases(root))
      for (Operation *user : alias.getUsers()) {
        Operation *here = block->findAncestorOpInBlock(*user);
        bool isLater = here && copy->isBeforeInBlock(here) &&
                       !array::isMarkedInPlace(user->getLoc());
        Operation *known =
            first ? block->findAncestorOpInBlock(*first) : nullptr;
        if (isLater && (!known || here->isBeforeInBlock(known)))
          first = user;
      }
  return first;
}

LogicalResult kernel::checkInPlaceAssignments(func::FuncOp func) {
  bool failed = false;
  func.walk([&](memref::CopyOp copy) {
    if (!array::isMarkedInPlace(copy.getLoc()) ||
        !copy.getTarget().getDefiningOp<memref::AllocOp>())
      return;
    failed = true;
    InFlightDiagnostic error = emitError(copy.getLoc(), array::kCopiedInPlace);
    auto argument = dyn_cast<BlockArgument>(copy.getSource());
    bool isOfCaller =
        argument && argument.getOwner() == &func.getBody().front();
    if (isOfCaller)
      error.attachNote(argument.getLoc())
          << "the array is the caller's, which nothing may change";
    else if (Operation *use = findLaterUse(copy))
      error.attachNote(use->getLoc()) << "the old array is needed here";
  });
  return failure(failed);
}
