//===- IndicesFit.h - The question for index widths -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_IR_INDICESFIT_H
#define ARRC_DIALECT_KERNEL_IR_INDICESFIT_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#define GET_OP_CLASSES
#include "arrc/Dialect/Kernel/IR/IndicesFit.h.inc"

#endif // ARRC_DIALECT_KERNEL_IR_INDICESFIT_H
