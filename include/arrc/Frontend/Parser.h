//===- Parser.h - Tokens to a tree ------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_FRONTEND_PARSER_H
#define ARRC_FRONTEND_PARSER_H

#include "arrc/Frontend/AST.h"
#include "arrc/Frontend/Diagnostics.h"

#include "llvm/Support/VirtualFileSystem.h"

#include <optional>
#include <string>
#include <vector>

namespace arrc {

/// Parses one file that is a buffer of `diags.sourceMgr()`. What could not be
/// parsed is left out of the module; the errors are in `diags`.
void parseModule(llvm::StringRef text, ast::Context &context,
                 ast::Module &module, DiagnosticEngine &diags);

/// Parses one expression that is the whole text; null after an error.
ast::Expr *parseExpression(llvm::StringRef text, ast::Context &context,
                           DiagnosticEngine &diags);

/// Parses one type that is the whole text; null after an error.
ast::TypeExpr *parseType(llvm::StringRef text, ast::Context &context,
                         DiagnosticEngine &diags);

/// Where files come from, and what replaces constants.
struct LoadOptions {
  /// Folders for imports that are not beside the importing file.
  std::vector<std::string> libraryPaths;
  /// `NAME=VALUE`: replace a const or type of the main file.
  std::vector<std::string> defines;
  /// Null for the real one.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fileSystem;
};

/// Reads and parses a file and all that it imports, applies the defines, and
/// links the imports. Nothing if there was an error.
std::optional<ast::Program> loadProgram(llvm::StringRef path,
                                        const LoadOptions &options,
                                        ast::Context &context,
                                        DiagnosticEngine &diags);

} // namespace arrc

#endif // ARRC_FRONTEND_PARSER_H
