//===- File.h - reading and writing whole files ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_IO_FILE_H
#define ARRT_IO_FILE_H

#include "arrt/arrt.h"

#include <cstdint>
#include <string>

namespace arrt {

/// A regular file that is open for reading.
class InputFile {
public:
  InputFile() = default;
  ~InputFile();
  InputFile(const InputFile &) = delete;
  InputFile &operator=(const InputFile &) = delete;

  /// Opens; returns a status with a message in `ctx`.
  int32_t open(arrt_context *ctx, const char *path);
  /// The bytes of the file when it was opened.
  int64_t size() const { return bytes; }
  /// Reads exactly these bytes; false on an error or if the file is shorter.
  /// From any thread.
  bool read(int64_t offset, void *to, int64_t count) const;

private:
  int descriptor = -1;
  int64_t bytes = 0;
};

/// A file that appears under its name when it is complete, or not at all. What
/// is no regular file (a pipe, /dev/null) is written directly.
class OutputFile {
public:
  OutputFile() = default;
  /// Removes what was not committed.
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  /// Begins; returns a status with a message in `ctx`.
  int32_t open(arrt_context *ctx, const char *path);
  /// Writes on; returns a status with a message.
  int32_t write(arrt_context *ctx, const void *from, int64_t count);
  /// Makes the file durable and visible; returns a status with a message.
  int32_t commit(arrt_context *ctx);

private:
  int32_t fail(arrt_context *ctx, const char *what);
  int descriptor = -1;
  std::string name;      ///< as the caller gave it
  std::string target;    ///< with links resolved
  std::string temporary; ///< "" when written directly
};

} // namespace arrt

#endif // ARRT_IO_FILE_H
