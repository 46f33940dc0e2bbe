//===- BufferLifetime.h - Which buffer a memref is ------------*- C++ -*-===//
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Aliases between host memrefs: values that view one buffer, its last use, and
// the operands that hand a buffer over. Bodies of launches are not entered:
// they see buffers through operands only.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_MEMORY_BUFFERLIFETIME_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_MEMORY_BUFFERLIFETIME_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace arrc::kernel {

/// The operand of a time loop that lies where its result `memref` lies, since
/// every step hands the array on in its place, or as many as there are swap it
/// back; null for other values.
mlir::Value getUpdatedInPlace(mlir::Value memref);

/// The buffers that `memref` may be: what is left after views, casts and
/// `select` are taken off.
llvm::SmallVector<mlir::Value, 2> getBufferRoots(mlir::Value memref);

/// True if `memref` is all of the buffer `root`, a change of type aside.
bool isWholeBuffer(mlir::Value memref, mlir::Value root);

/// All values that may be (a part of) the buffer `root`, itself first. Results
/// of branches and loops are buffers of their own.
llvm::SmallVector<mlir::Value> getBufferAliases(mlir::Value root);

/// True if `value` is a buffer that its block owns: allocated in it, received
/// from a branch, a loop or a call, or carried into the body of an `scf` loop.
bool isOwnedBuffer(mlir::Value value);

/// True if the operand hands its buffer over: to the parent of a terminator, or
/// into a loop.
bool isBufferMove(mlir::OpOperand &use);

/// The last operation of the block of `root` that uses it or an alias of it,
/// maybe in a nested region; null if there is none.
mlir::Operation *getLastBufferUse(mlir::Value root);

/// True if some alias of `root` is handed over.
bool isBufferMoved(mlir::Value root);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_MEMORY_BUFFERLIFETIME_H
