//===- Output.h - Files that arrc writes ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_OUTPUT_H
#define ARRC_TOOLS_ARRC_OUTPUT_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace arrc::tool {

/// Where the bytes of an output go.
struct OutputPlace {
  /// The file itself: symbolic links are followed, and stay.
  std::string path;
  /// Whether bytes are written into what is there. A device or a pipe is never
  /// replaced by a file.
  bool inPlace = false;
};
OutputPlace findPlace(llvm::StringRef path);

/// Writes a file, a regular one whole or not at all; "-" is the standard
/// output. Returns the exit code.
int writeOutput(llvm::StringRef path, llvm::StringRef bytes);

/// Flushes the standard output; complains if it could not be written. Returns
/// the exit code.
int finishStandardOutput();

/// Whether both name one file that exists.
bool isSameFile(llvm::StringRef a, llvm::StringRef b);

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_OUTPUT_H
