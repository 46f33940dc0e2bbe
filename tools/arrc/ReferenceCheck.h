//===- ReferenceCheck.h - arrc run --check ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_REFERENCECHECK_H
#define ARRC_TOOLS_ARRC_REFERENCECHECK_H

#include "arrc/Target/CPU/CPU.h"
#include "arrt/arrt.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>

namespace arrc::tool {

/// Compares what a compiled program gave with the reference evaluator.
class ReferenceCheck {
public:
  /// Keeps a copy of the module at the array level.
  void keep(mlir::ModuleOp module);
  /// Compares after a call, as arrt_run_hooks wants it: a status. Says on `os`
  /// how results differ.
  int32_t compare(arrt_context *ctx, const arrt_entry &entry, void **args,
                  llvm::raw_ostream &os);

private:
  /// What calls an extern function; null with the reason.
  void *getAdapter(llvm::StringRef callee, std::string &problem);

  std::unique_ptr<cpu::JIT> adapters;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_REFERENCECHECK_H
