//===- MemoryReport.h - arrc run --memory -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_MEMORYREPORT_H
#define ARRC_TOOLS_ARRC_MEMORYREPORT_H

#include "arrc/Analysis/MemoryPlan.h"
#include "arrt/arrt.h"

#include "mlir/IR/BuiltinOps.h"

namespace arrc::tool {

/// The buffers that a program was planned with, printed with the bytes of a
/// run.
class MemoryReport {
public:
  /// Reads the plans of a module whose launches are scheduled.
  void keep(mlir::ModuleOp scheduled);
  /// Prints the plan of the function that has run to standard error, with what
  /// the pool held at most.
  void print(const arrt_context *ctx, const arrt_entry &entry,
             void *const *args) const;

private:
  std::vector<MemoryPlan> plans;
};

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_MEMORYREPORT_H
