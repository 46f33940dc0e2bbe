//===- LineDiff.h - Two texts as a unified diff -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_LINEDIFF_H
#define ARRC_TOOLS_ARRC_LINEDIFF_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace arrc::tool {

/// Prints how two texts differ, with three lines around each change. Lines are
/// the same if `key` makes the same of them; those of the first text are shown.
/// Returns whether there was a change.
bool printDiff(llvm::StringRef a, llvm::StringRef b, llvm::raw_ostream &os,
               llvm::function_ref<std::string(llvm::StringRef line)> key);

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_LINEDIFF_H
