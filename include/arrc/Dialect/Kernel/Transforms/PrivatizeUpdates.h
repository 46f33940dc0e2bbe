//===- PrivatizeUpdates.h - What copies of an array start from --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_TRANSFORMS_PRIVATIZEUPDATES_H
#define ARRC_DIALECT_KERNEL_TRANSFORMS_PRIVATIZEUPDATES_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

namespace arrc::kernel {

/// Creates the neutral element of the operator of `update`; null if it is not
/// known, so that the array may have no copies.
mlir::Value createNeutral(mlir::OpBuilder &builder, UpdateOp update);

} // namespace arrc::kernel

#endif // ARRC_DIALECT_KERNEL_TRANSFORMS_PRIVATIZEUPDATES_H
