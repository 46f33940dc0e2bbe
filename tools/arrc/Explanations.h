//===- Explanations.h - What messages mean ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_EXPLANATIONS_H
#define ARRC_TOOLS_ARRC_EXPLANATIONS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace arrc::tool {

/// Why a message comes, and what to write.
struct Explanation {
  llvm::StringRef why;
  /// A program that gets the message, and one that is right; "" if there is
  /// none to show.
  std::string wrong, right;
  /// Words that the command line needs for it.
  llvm::StringRef words;
  llvm::StringRef notShown;
};

/// The text of a message, `..` for its arguments; "" if no message has the
/// code.
std::string messageOf(llvm::StringRef code);
/// What is said of a message.
Explanation explanationOf(llvm::StringRef code);

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_EXPLANATIONS_H
