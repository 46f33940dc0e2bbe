//===- Format.h - One style for the text of programs ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_FRONTEND_FORMAT_H
#define ARRC_FRONTEND_FORMAT_H

#include "arrc/Frontend/Diagnostics.h"

#include <optional>
#include <string>

namespace arrc {

/// The text of a program in the one style: indentation by brackets, blanks
/// between tokens, no blanks at the ends of lines. No line is joined or split,
/// no token changes, comments stay, and what stands in columns on neighbouring
/// lines keeps them. Nothing, after a message, if the text has tokens that are
/// none of the language. `text` must be followed by a NUL.
std::optional<std::string> formatText(llvm::StringRef text,
                                      DiagnosticEngine &diags);

} // namespace arrc

#endif // ARRC_FRONTEND_FORMAT_H
