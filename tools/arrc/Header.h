//===- Header.h - Exports as functions of C ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_HEADER_H
#define ARRC_TOOLS_ARRC_HEADER_H

#include "arrt/arrt.h"

#include "mlir/IR/BuiltinOps.h"

#include <deque>
#include <string>
#include <vector>

namespace arrc::tool {

/// The exports of a module of the array level, as the runtime's table has them.
class Exports {
public:
  /// `file` is the program's, whose comments the header takes over.
  Exports(mlir::ModuleOp module, llvm::StringRef file);

  bool empty() const { return entries.empty(); }
  /// The program's name in C.
  const std::string &name() const { return program; }
  /// The header that declares the functions.
  std::string header() const;
  /// Their definitions in C, for the program compiled for `targets`: the table
  /// of the first is `NAME_program`, of the others `NAME_TARGET_program`.
  std::string definitions(llvm::ArrayRef<std::string> targets) const;

private:
  /// Texts and lists that the entries point to.
  const char *keep(llvm::StringRef text);
  const arrt_param *params(mlir::ArrayAttr all, int32_t &count);
  std::string functionName(const arrt_entry &entry) const;

  std::string file, program, source;
  std::vector<arrt_entry> entries;
  /// What the program calls.
  std::vector<arrt_entry> externs;
  std::deque<std::string> texts;
  std::deque<std::vector<arrt_param>> lists;
  std::deque<std::vector<const char *>> dims;
};

/// The name of a program for a target among several, as in `NAME_program`.
std::string programNameFor(llvm::StringRef program, llvm::StringRef target,
                           bool isFirst);

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_HEADER_H
