//===- ReferenceCheck.h - arrc run --check ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_REFERENCECHECK_H
#define ARRC_TOOLS_ARRC_REFERENCECHECK_H

#include "arrt/arrt.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace arrc::tool {

/// Compares what a compiled program gave with the reference evaluator.
class ReferenceCheck {
public:
  /// Keeps a copy of the module at the array level.
  void keep(mlir::ModuleOp module);
  /// Compares after a call, as arrt_run_hooks wants it: a status.
  int32_t compare(arrt_context *ctx, const arrt_entry &entry, void **args);

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_REFERENCECHECK_H
