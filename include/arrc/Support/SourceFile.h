//===- SourceFile.h - Reading the text of a program -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_SUPPORT_SOURCEFILE_H
#define ARRC_SUPPORT_SOURCEFILE_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ErrorOr.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <functional>

namespace arrc {

/// The largest program, and the largest text of a level.
constexpr uint64_t mostSourceBytes = uint64_t(16) << 20;
constexpr uint64_t mostModuleBytes = uint64_t(256) << 20;

/// What keeps a file from being read as text, apart from the system's errors.
enum class SourceError { IsFolder = 1, NotRegular, TooLarge };
std::error_code make_error_code(SourceError error);

/// Reads a regular file of at most `limit` bytes into memory of its own, so
/// that the text stays what it is when the file is written to. A pipe or a
/// device is refused at once and never waited for.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
readSourceFile(const llvm::Twine &path, uint64_t limit = mostSourceBytes);

/// Why `readSourceFile` would not even begin, or nothing.
std::error_code checkSourceFile(const llvm::Twine &path);

/// Reads the standard input to its end.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
readStandardInput(uint64_t limit);

/// The files of this machine as `readSourceFile` reads them.
class SourceFileSystem : public llvm::vfs::ProxyFileSystem {
public:
  /// `noteRead` is told each text that was read, `noteMissing` each path that
  /// was looked for in vain.
  using NoteRead =
      std::function<void(llvm::StringRef path, llvm::StringRef text)>;
  using NoteMissing = std::function<void(llvm::StringRef path)>;
  explicit SourceFileSystem(NoteRead noteRead = {},
                            NoteMissing noteMissing = {});

  /// A text that is read at a path, whatever is there.
  void give(llvm::StringRef path, llvm::StringRef text) {
    given[path] = text.str();
  }

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &path) override;
  bool exists(const llvm::Twine &path) override;

private:
  NoteRead noteRead;
  NoteMissing noteMissing;
  llvm::StringMap<std::string> given;
};

} // namespace arrc

template <>
struct std::is_error_code_enum<arrc::SourceError> : std::true_type {};

#endif // ARRC_SUPPORT_SOURCEFILE_H
