//===- Externs.h - Functions from outside -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For callers of a program's `array.extern` functions that are not compiled
/// with it, as the evaluator: the functions that take their arguments apart.
///
//===----------------------------------------------------------------------===//

#ifndef ARRC_CONVERSION_KERNELTOHOST_EXTERNS_H
#define ARRC_CONVERSION_KERNELTOHOST_EXTERNS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace arrc {

/// A module of the LLVM dialect with the adapter of every function that an
/// `array.extern` of `program` calls: `int32_t (arrt_context *, void **args)`,
/// args[i] the address of number or array i. Null, with an error at the call,
/// if one function is called in two ways.
mlir::OwningOpRef<mlir::ModuleOp> makeExternAdapters(mlir::ModuleOp program);

/// The name of the adapter of a function.
std::string getExternAdapterName(llvm::StringRef callee);

} // namespace arrc

#endif // ARRC_CONVERSION_KERNELTOHOST_EXTERNS_H
