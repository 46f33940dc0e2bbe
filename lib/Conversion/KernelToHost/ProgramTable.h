//===- ProgramTable.h - What the runtime knows of a program -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_KERNELTOHOST_PROGRAMTABLE_H
#define ARRC_LIB_CONVERSION_KERNELTOHOST_PROGRAMTABLE_H

#include "KernelTable.h"
#include "RuntimeCalls.h"

namespace arrc {

/// The runtime's number of an element type of the language, by its name.
std::optional<int32_t> getElementNumber(llvm::StringRef name);

/// Collects the exports of a module and writes the constant `NAME_program`
/// (struct arrt_program of arrt.h) into it, NAME being that of the program, and
/// the weak alias `arrt_program_table` of it.
class ProgramTable {
public:
  explicit ProgramTable(mlir::ModuleOp module) : module(module) {}

  /// Adds an export, before it is converted. Fails, with a message, if what it
  /// says of its parameters and results is not what they are: the runtime goes
  /// by it.
  mlir::LogicalResult addEntry(mlir::func::FuncOp function);

  /// Writes the table: entries, parameters, results, the sites that the
  /// module's attribute lists, and the kernels. A module without exports has
  /// none.
  mlir::LogicalResult emit(RuntimeCalls &calls, const KernelTable &kernels);

private:
  struct Entry {
    std::string name;
    mlir::ArrayAttr params, results;
    mlir::Location loc;
  };
  mlir::ModuleOp module;
  llvm::SmallVector<Entry> entries;
};

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_KERNELTOHOST_PROGRAMTABLE_H
