//===- Internal.h - Inside of the PTX target --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_TARGET_PTX_INTERNAL_H
#define ARRC_LIB_TARGET_PTX_INTERNAL_H

#include "arrc/Target/PTX/PTX.h"

namespace mlir {
class LLVMTypeConverter;
class RewritePatternSet;
} // namespace mlir

namespace arrc::ptx {

/// Patterns for minima and maxima of f64.
void populateExtrema(mlir::LLVMTypeConverter &converter,
                     mlir::RewritePatternSet &patterns);

} // namespace arrc::ptx

#endif // ARRC_LIB_TARGET_PTX_INTERNAL_H
