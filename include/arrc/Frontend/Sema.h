//===- Sema.h - From the tree to the checked program ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_FRONTEND_SEMA_H
#define ARRC_FRONTEND_SEMA_H

#include "arrc/Frontend/AST.h"
#include "arrc/Frontend/Diagnostics.h"
#include "arrc/Frontend/HIR.h"

#include <functional>
#include <memory>
#include <string>

namespace arrc {

/// What the checker may be told.
/// A local name, as an editor shows it.
struct SeenName {
  llvm::SMRange loc;
  llvm::StringRef name;
  /// `f32[n, m]`; `size` of the name of a size; "" of a function.
  std::string type;
  /// Of an index without `in` or with one: what it ranges over, `0:n`.
  std::string range;
};

struct SemaOptions {
  /// The most nodes that a function may have after all calls are expanded, and
  /// the most for all functions.
  size_t maxNodes = 1u << 18;
  size_t maxNodesInAll = 1u << 20;
  /// How deep calls may be nested.
  unsigned maxCallDepth = 200;
  /// How deep expressions may be nested with the constants, types and calls
  /// that they need.
  unsigned maxDepth = 4096;
  /// The most expressions that are evaluated for the constants of a program.
  size_t maxEvaluationSteps = 1u << 25;
  /// Whether to remark on sizes that are compared when the program runs.
  bool notes = false;
  /// Told of each local name when its scope ends, once for every call that is
  /// expanded.
  std::function<void(const SeenName &)> seen;
  /// Told of each use of a name that is declared in the program, with the place
  /// where it is declared.
  std::function<void(llvm::SMRange use, llvm::SMRange declaration)> resolved;
};

/// Checks all functions of all files and elaborates the exports of the main
/// one. Reports to `diags`; the program is whole if no error was reported.
std::unique_ptr<hir::Program> analyze(const ast::Program &program,
                                      DiagnosticEngine &diags,
                                      const SemaOptions &options = {});

} // namespace arrc

#endif // ARRC_FRONTEND_SEMA_H
