//===- SourceFile.cpp - Reading the text of a program ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Support/SourceFile.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Errno.h"

#include <limits>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace arrc;

namespace {
class SourceErrors : public std::error_category {
public:
  const char *name() const noexcept override { return "arrc.source"; }
  std::string message(int error) const override {
    switch (SourceError(error)) {
    case SourceError::IsFolder:
      return "it is a directory";
    case SourceError::NotRegular:
      return "it is not a regular file";
    case SourceError::TooLarge:
      return "it is too large";
    }
    return "";
  }
};

/// A text that was read, in the place of its file.
class ReadFile : public vfs::File {
public:
  ReadFile(vfs::Status status, std::unique_ptr<MemoryBuffer> text)
      : known(std::move(status)), text(std::move(text)) {}
  ErrorOr<vfs::Status> status() override { return known; }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &, int64_t, bool,
                                                   bool) override {
    return std::move(text);
  }
  std::error_code close() override { return {}; }

private:
  vfs::Status known;
  std::unique_ptr<MemoryBuffer> text;
};
} // namespace

std::error_code arrc::make_error_code(SourceError error) {
  static const SourceErrors category;
  return {int(error), category};
}

static std::error_code lastError() { return {errno, std::generic_category()}; }

/// Reads an open file to its end.
static ErrorOr<std::unique_ptr<MemoryBuffer>> readAll(int file, StringRef name,
                                                      uint64_t limit) {
  SmallVector<char, 0> bytes;
  constexpr size_t piece = 1 << 16;
  for (;;) {
    size_t have = bytes.size();
    if (have > limit)
      return SourceError::TooLarge;
    bytes.resize_for_overwrite(have + piece);
    ssize_t got =
        sys::RetryAfterSignal(-1, ::read, file, bytes.data() + have, piece);
    if (got < 0)
      return lastError();
    bytes.truncate(have + got);
    if (got == 0)
      return MemoryBuffer::getMemBufferCopy(StringRef(bytes.data(), have),
                                            name);
  }
}

/// Opens a regular file of at most `limit` bytes.
static ErrorOr<int> openSource(const char *path, uint64_t limit) {
  // Without O_NONBLOCK, opening a pipe that nobody writes would wait for ever.
  int file = sys::RetryAfterSignal(-1, ::open, path,
                                   O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return lastError();
  struct stat info;
  std::error_code error;
  if (::fstat(file, &info) != 0)
    error = lastError();
  else if (S_ISDIR(info.st_mode))
    error = SourceError::IsFolder;
  else if (!S_ISREG(info.st_mode))
    error = SourceError::NotRegular;
  else if (uint64_t(info.st_size) > limit)
    error = SourceError::TooLarge;
  if (!error)
    return file;
  ::close(file);
  return error;
}

std::error_code arrc::checkSourceFile(const Twine &path) {
  ErrorOr<int> file =
      openSource(path.str().c_str(), std::numeric_limits<uint64_t>::max());
  if (file)
    ::close(*file);
  return file.getError();
}

ErrorOr<std::unique_ptr<MemoryBuffer>> arrc::readSourceFile(const Twine &path,
                                                            uint64_t limit) {
  std::string name = path.str();
  ErrorOr<int> file = openSource(name.c_str(), limit);
  if (!file)
    return file.getError();
  llvm::scope_exit done([&] { ::close(*file); });
  return readAll(*file, name, limit);
}

ErrorOr<std::unique_ptr<MemoryBuffer>> arrc::readStandardInput(uint64_t limit) {
  return readAll(STDIN_FILENO, "<stdin>", limit);
}

SourceFileSystem::SourceFileSystem(NoteRead noteRead, NoteMissing noteMissing)
    : ProxyFileSystem(vfs::getRealFileSystem()), noteRead(std::move(noteRead)),
      noteMissing(std::move(noteMissing)) {}

ErrorOr<std::unique_ptr<vfs::File>>
SourceFileSystem::openFileForRead(const Twine &path) {
  std::string name = path.str();
  auto own = given.find(name);
  ErrorOr<std::unique_ptr<MemoryBuffer>> text =
      own == given.end() ? readSourceFile(name)
      : own->second.size() > mostSourceBytes
          ? ErrorOr<std::unique_ptr<MemoryBuffer>>(SourceError::TooLarge)
          : MemoryBuffer::getMemBufferCopy(own->second, name);
  if (!text)
    return text.getError();
  if (noteRead)
    noteRead(name, (*text)->getBuffer());
  vfs::Status status(name, sys::fs::UniqueID(), sys::TimePoint<>(), 0, 0,
                     (*text)->getBufferSize(), sys::fs::file_type::regular_file,
                     sys::fs::all_read);
  return std::make_unique<ReadFile>(std::move(status), std::move(*text));
}

bool SourceFileSystem::exists(const Twine &path) {
  bool is = ProxyFileSystem::exists(path);
  if (!is && noteMissing)
    noteMissing(path.str());
  return is;
}
