//===- File.cpp - reading and writing whole files -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "IO/File.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace arrt;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

InputFile::~InputFile() {
  if (descriptor >= 0)
    ::close(descriptor);
}

int32_t InputFile::open(arrt_context *ctx, const char *path) {
  // Without O_NONBLOCK, opening a pipe that nobody writes would wait for ever.
  descriptor = ::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return arrt_fail(ctx, ARRT_STATUS_IO, "error: cannot read '%s': %s", path,
                     std::strerror(errno));
  struct stat info;
  if (::fstat(descriptor, &info) != 0)
    return arrt_fail(ctx, ARRT_STATUS_IO, "error: cannot read '%s': %s", path,
                     std::strerror(errno));
  if (!S_ISREG(info.st_mode))
    return arrt_fail(
        ctx, ARRT_STATUS_IO, "error: cannot read '%s': it is %s", path,
        S_ISDIR(info.st_mode) ? "a directory" : "not a regular file");
  bytes = info.st_size;
  return ARRT_STATUS_OK;
}

bool InputFile::read(int64_t offset, void *to, int64_t count) const {
  auto *next = static_cast<char *>(to);
  while (count > 0) {
    ssize_t got =
        ::pread(descriptor, next, size_t(std::min<int64_t>(count, 1 << 30)),
                off_t(offset));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    next += got;
    offset += got;
    count -= got;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

OutputFile::~OutputFile() {
  if (descriptor >= 0)
    ::close(descriptor);
  if (!temporary.empty())
    ::unlink(temporary.c_str());
}

int32_t OutputFile::fail(arrt_context *ctx, const char *what) {
  return arrt_fail(ctx, ARRT_STATUS_IO, "error: cannot %s '%s': %s", what,
                   name.c_str(), std::strerror(errno));
}

int32_t OutputFile::open(arrt_context *ctx, const char *path) {
  name = target = path;
  struct stat info;
  if (::stat(path, &info) == 0) {
    if (S_ISDIR(info.st_mode))
      return errno = EISDIR, fail(ctx, "write");
    if (!S_ISREG(info.st_mode)) {
      descriptor = ::open(path, O_WRONLY | O_CLOEXEC);
      return descriptor < 0 ? fail(ctx, "write") : int32_t(ARRT_STATUS_OK);
    }
    // A link stays a link: replace what it points to.
    if (char *resolved = ::realpath(path, nullptr)) {
      target = resolved;
      std::free(resolved);
    }
  }
  std::string pattern = target + ".XXXXXX";
  descriptor = ::mkostemp(&pattern[0], O_CLOEXEC);
  if (descriptor < 0)
    return fail(ctx, "write");
  temporary = pattern;
  // mkostemp makes it private; a result is an ordinary file.
  mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(descriptor, 0666 & ~mask);
  return ARRT_STATUS_OK;
}

int32_t OutputFile::write(arrt_context *ctx, const void *from, int64_t count) {
  auto *next = static_cast<const char *>(from);
  while (count > 0) {
    ssize_t put =
        ::write(descriptor, next, size_t(std::min<int64_t>(count, 1 << 30)));
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return fail(ctx, "write");
    next += put;
    count -= put;
  }
  return ARRT_STATUS_OK;
}

int32_t OutputFile::commit(arrt_context *ctx) {
  if (!temporary.empty() && ::fsync(descriptor) != 0)
    return fail(ctx, "write");
  int closed = ::close(descriptor);
  descriptor = -1;
  if (closed != 0)
    return fail(ctx, "write");
  if (temporary.empty())
    return ARRT_STATUS_OK;
  if (::rename(temporary.c_str(), target.c_str()) != 0)
    return fail(ctx, "write");
  temporary.clear();
  // The new name must survive a crash as well; not all file systems can.
  size_t slash = target.rfind('/');
  std::string folder =
      slash == std::string::npos ? "." : target.substr(0, slash + 1);
  int handle = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle >= 0) {
    ::fsync(handle);
    ::close(handle);
  }
  return ARRT_STATUS_OK;
}
