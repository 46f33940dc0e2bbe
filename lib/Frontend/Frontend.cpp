//===- Frontend.cpp - The whole way from a file to a module ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Frontend/Frontend.h"

#include "arrc/Frontend/Sema.h"
#include "arrc/Support/LargeStack.h"

using namespace arrc;

/// Reads and checks; null after an error.
static std::unique_ptr<hir::Program>
check(llvm::StringRef path, const FrontendOptions &options,
      ast::Context &context, DiagnosticEngine &diags, bool notes = false) {
  std::optional<ast::Program> program =
      loadProgram(path, options.load, context, diags);
  if (!program)
    return nullptr;
  SemaOptions sema;
  sema.notes = notes;
  std::unique_ptr<hir::Program> checked = analyze(*program, diags, sema);
  if (diags.hasErrors())
    return nullptr;
  return checked;
}

mlir::OwningOpRef<mlir::ModuleOp>
arrc::importSource(mlir::MLIRContext &context, llvm::StringRef path,
                   const FrontendOptions &options, DiagnosticEngine &diags) {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  runOnLargeStack([&] {
    ast::Context tree;
    if (auto program = check(path, options, tree, diags))
      module = importProgram(context, *program, diags);
  });
  return module;
}

bool arrc::checkSource(llvm::StringRef path, const FrontendOptions &options,
                       DiagnosticEngine &diags) {
  runOnLargeStack([&] {
    ast::Context tree;
    check(path, options, tree, diags, /*notes=*/true);
  });
  return !diags.hasErrors();
}
