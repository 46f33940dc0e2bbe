//===- Options.h - Every option of the tool ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The one table of commands and options: suggestions for misspelt ones,
// completion in shells and the manual are made of it.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_OPTIONS_H
#define ARRC_TOOLS_ARRC_OPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace arrc::tool {

/// An option: its verbs with blanks between them, what its value is ("" without
/// one; words with '|' between them are all that it may be; 'FILE' and 'FOLDER'
/// are those), and what it does.
struct OptionRow {
  llvm::StringLiteral name, verbs, value, help;
};

/// A verb: what stands behind it, and what it does.
struct VerbRow {
  llvm::StringLiteral name, words, help;
};

llvm::ArrayRef<OptionRow> getOptions();
llvm::ArrayRef<VerbRow> getVerbs();

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_OPTIONS_H
