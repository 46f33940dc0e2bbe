//===- DigitText.h - Digits as schedules write them -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_IR_DIGITTEXT_H
#define ARRC_DIALECT_KERNEL_IR_DIGITTEXT_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

namespace arrc::kernel {

/// Reads `thread.x 32`.
llvm::FailureOr<DigitAttr> parseDigit(mlir::AsmParser &parser);
/// Prints the same.
void printDigit(mlir::AsmPrinter &printer, DigitAttr digit);

} // namespace arrc::kernel

#endif // ARRC_DIALECT_KERNEL_IR_DIGITTEXT_H
