//===- Messages.h - Messages for people and programs ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_MESSAGES_H
#define ARRC_TOOLS_ARRC_MESSAGES_H

#include "arrc/Frontend/Diagnostics.h"

#include "llvm/Support/raw_ostream.h"

namespace arrc::tool {

/// How messages look: `--message-format`.
enum class MessageFormat {
  Full,  ///< with their source lines
  Short, ///< a line each: FILE:LINE:COLUMN: error[CODE]: text
  JSON   ///< an object a line
};

/// The format of this process.
MessageFormat messageFormat();
void setMessageFormat(MessageFormat format);

/// A message that is not one of the front end's.
struct PlainMessage {
  llvm::StringRef severity, text, help;
  llvm::StringRef file; ///< "" without a place
  unsigned line = 0, column = 0;
  llvm::StringRef code = {}; ///< "" if it has none
};

/// Prints messages in a format that is not Full.
void printMessages(const DiagnosticEngine &diags, MessageFormat format,
                   llvm::raw_ostream &os);
void printMessage(const PlainMessage &message, MessageFormat format,
                  llvm::raw_ostream &os);

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_MESSAGES_H
