//===- File.h - reading and writing whole files ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_IO_FILE_H
#define ARRT_IO_FILE_H

#include "IO/OutputPlace.h"
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

/// A file that appears under its name when it is complete, or not at all; while
/// it is written it has no name where the file system can do that, so that
/// nothing is left of it whatever happens. What is no regular file (a pipe,
/// /dev/null, the standard output) is written directly. The functions return
/// false on failure, with the reason in `problem`.
class OutputFile {
public:
  OutputFile() = default;
  /// Removes what was not published.
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  /// Begins; a program gets the right to be run. With `isNamed` other processes
  /// can open what is written, by `name`.
  bool open(const std::string &path, bool isProgram = false,
            bool isNamed = false);
  /// Its name while it is written; "" if it has none.
  const std::string &name() const { return temporary; }
  /// Opens what another process has begun under this name, to write a share.
  bool openShare(const std::string &name);
  /// Writes on.
  bool write(const void *from, int64_t count);
  /// Writes over what was written: not where the place is no regular file.
  bool writeAt(int64_t offset, const void *from, int64_t count);
  /// Waits until everything is on the disk: what can fail has failed then.
  bool finish();
  /// Makes the file visible.
  bool publish();
  const std::string &problem() const { return reason; }

private:
  /// Begins a file beside its place, without a name or with one.
  bool openBeside(mode_t mode, bool isNamed);
  /// A new name in the folder of the place.
  std::string makeName() const;
  bool fail();
  OutputPlace place;
  int descriptor = -1;
  std::string temporary; ///< its name; "" if it has none
  bool isShare = false;  ///< another process has begun it
  std::string reason;
};

} // namespace arrt

#endif // ARRT_IO_FILE_H
