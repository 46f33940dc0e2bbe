//===- Frontend.h - From an .arr file to the array dialect ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// The one header that tools include.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_FRONTEND_FRONTEND_H
#define ARRC_FRONTEND_FRONTEND_H

#include "arrc/Frontend/Diagnostics.h"
#include "arrc/Frontend/HIR.h"
#include "arrc/Frontend/Parser.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace arrc {

/// What the command line says about the source.
struct FrontendOptions {
  /// Library folders and `-D NAME=VALUE`.
  LoadOptions load;
};

/// Reads, checks and imports a file: a module with one `func.func` for each
/// export of it, in the order of the text. Null after an error; errors and
/// warnings are in `diags`. Loads the dialects that it needs.
///
///   llvm::SourceMgr sources;
///   arrc::DiagnosticEngine diags(sources);
///   auto module = arrc::importSource(context, "heat.arr", {}, diags);
///   diags.print(llvm::errs(), arrc::wantColors());
mlir::OwningOpRef<mlir::ModuleOp> importSource(mlir::MLIRContext &context,
                                               llvm::StringRef path,
                                               const FrontendOptions &options,
                                               DiagnosticEngine &diags);

/// Reads and checks a file, all of it, and imports nothing. Whether it has no
/// errors.
bool checkSource(llvm::StringRef path, const FrontendOptions &options,
                 DiagnosticEngine &diags);

/// Imports a checked program; part of `importSource`.
mlir::OwningOpRef<mlir::ModuleOp> importProgram(mlir::MLIRContext &context,
                                                hir::Program &program,
                                                DiagnosticEngine &diags);

} // namespace arrc

#endif // ARRC_FRONTEND_FRONTEND_H
