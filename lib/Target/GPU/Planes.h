//===- Planes.h - Arrays beside each other in one allocation ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A kernel takes one pointer for arrays that lie in one allocation. Each is a
// cast of the pointer and of its distance in bytes to an array, which becomes a
// step of the pointer. What the step is of is gone then, so accesses name their
// plane: LLVM may move those of different planes past each other.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_TARGET_GPU_PLANES_H
#define ARRC_LIB_TARGET_GPU_PLANES_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace arrc::target {

/// Whether `op` makes a plane of a pointer and an i64.
bool isPlane(mlir::UnrealizedConversionCastOp op);

/// Adds what turns planes into steps of pointers.
void populatePlanePatterns(const mlir::LLVMTypeConverter &converter,
                           mlir::RewritePatternSet &patterns);

/// Says of accesses to planes of one pointer, some of which are written, that
/// they do not meet. For each function after the conversion.
void nameScopes(mlir::LLVM::LLVMFuncOp function);

} // namespace arrc::target

#endif // ARRC_LIB_TARGET_GPU_PLANES_H
