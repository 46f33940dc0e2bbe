//===- Console.h - Where messages go ----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_CONSOLE_H
#define ARRC_TOOLS_ARRC_CONSOLE_H

#include "llvm/Support/raw_ostream.h"

namespace arrc::tool {

/// Where messages for the user go: the standard error of the process, or what
/// has this thread's messages captured.
llvm::raw_ostream &console();

/// Whether someone captures the messages of this thread.
bool isCaptured();

/// As long as it lives, messages of this thread go to a stream.
class ConsoleCapture {
public:
  explicit ConsoleCapture(llvm::raw_ostream &os);
  ~ConsoleCapture();
  ConsoleCapture(const ConsoleCapture &) = delete;
  ConsoleCapture &operator=(const ConsoleCapture &) = delete;

private:
  llvm::raw_ostream *outer;
};

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_CONSOLE_H
