//===- Output.h - Files that arrc writes ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_OUTPUT_H
#define ARRC_TOOLS_ARRC_OUTPUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <utility>

namespace arrc::tool {

/// Whether a path names no file but a device, a pipe or what is already open: a
/// single stream of bytes.
bool isStream(llvm::StringRef path);

/// Writes files, each whole, or none of them; "-" is the standard output.
/// Returns the exit code.
int writeOutputs(
    llvm::ArrayRef<std::pair<std::string, llvm::StringRef>> outputs,
    bool isProgram = false);
int writeOutput(llvm::StringRef path, llvm::StringRef bytes,
                bool isProgram = false);

/// Flushes the standard output; complains if it could not be written. Returns
/// the exit code.
int finishStandardOutput();

/// Whether both name one file that exists.
bool isSameFile(llvm::StringRef a, llvm::StringRef b);

/// A file among the system's temporary ones, which goes with this object or
/// with the signal that ends the process.
class TemporaryFile {
public:
  explicit TemporaryFile(llvm::StringRef ending);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;

  llvm::StringRef getPath() const { return path; }
  /// Whether there is no such file; complains then.
  bool isMissing() const;
  /// Writes all of it. Returns the exit code.
  int write(llvm::StringRef bytes) const;

private:
  llvm::SmallString<128> path;
  std::error_code error;
};

/// A file without a name, which processes that this one starts see under
/// `getPath`. However they end, nothing is left behind.
class UnnamedFile {
public:
  UnnamedFile();
  ~UnnamedFile();
  UnnamedFile(const UnnamedFile &) = delete;
  UnnamedFile &operator=(const UnnamedFile &) = delete;

  llvm::StringRef getPath() const { return path; }
  /// Whether there is no such file; complains then.
  bool isMissing() const;
  /// Writes all of it. Returns the exit code.
  int write(llvm::StringRef bytes) const;

private:
  int file;
  std::error_code error;
  std::string path;
};

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_OUTPUT_H
