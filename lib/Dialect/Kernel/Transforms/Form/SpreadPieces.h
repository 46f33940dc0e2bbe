//===- SpreadPieces.h - A launch for each statement of a step ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_SPREADPIECES_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_SPREADPIECES_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

namespace arrc::kernel {

/// Makes a launch of each group of statements of `steps`, the only loop of
/// `launch`, whose iterations are independent: loops that fold nothing stand
/// alone. Values that pass between them are arrays with an element a step.
void splitIntoPieces(LaunchOp launch, ForOp steps);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_SPREADPIECES_H
