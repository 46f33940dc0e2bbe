//===- AdoptHost.h - Hosts as people write them -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_CONVERSION_KERNELTOGPU_ADOPTHOST_H
#define ARRC_CONVERSION_KERNELTOGPU_ADOPTHOST_H

#include "mlir/IR/BuiltinOps.h"

namespace arrc {

/// Says what functions of the host do as the runtime does it: those that are
/// written for MLIR's own runtimes and runner. Fails with a message.
mlir::LogicalResult adoptHost(mlir::ModuleOp module);

} // namespace arrc

#endif // ARRC_CONVERSION_KERNELTOGPU_ADOPTHOST_H
