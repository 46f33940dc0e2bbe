//===- File.cpp - reading and writing whole files -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "IO/File.h"
#include "Core/Printable.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <random>
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
  auto fail = [&](const char *why) {
    return arrt_fail(ctx, ARRT_STATUS_IO, "error: cannot read '%s': %s",
                     printable(path).c_str(), why);
  };
  // Without O_NONBLOCK, opening a pipe that nobody writes would wait for ever.
  descriptor = ::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat info;
  if (descriptor < 0 || ::fstat(descriptor, &info) != 0)
    return fail(std::strerror(errno));
  if (S_ISDIR(info.st_mode))
    return fail("it is a directory");
  if (!S_ISREG(info.st_mode))
    return fail("it is not a regular file");
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

bool OutputFile::fail() {
  reason = std::strerror(errno);
  return false;
}

/// The path of an open file that has no name.
static std::string pathOf(int descriptor) {
  return "/proc/self/fd/" + std::to_string(descriptor);
}

std::string OutputFile::makeName() const {
  std::random_device random;
  char name[32];
  std::snprintf(name, sizeof name, ".arrc-%08x%08x", random(), random());
  return folderOf(place.path) + name;
}

bool OutputFile::openBeside(mode_t mode, bool isNamed) {
  if (!isNamed)
    descriptor = ::open(folderOf(place.path).c_str(),
                        O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  // Its way to a name leads through /proc.
  if (descriptor >= 0 && ::access(pathOf(descriptor).c_str(), F_OK) == 0)
    return true;
  if (descriptor >= 0)
    ::close(descriptor);
  std::string name = makeName();
  descriptor =
      ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode);
  if (descriptor < 0)
    return fail();
  temporary = name;
  return true;
}

bool OutputFile::openShare(const std::string &name) {
  place.kind = OutputPlace::File;
  isShare = true;
  descriptor = ::open(name.c_str(), O_WRONLY | O_CLOEXEC);
  return descriptor >= 0 || fail();
}

bool OutputFile::open(const std::string &path, bool isProgram, bool isNamed) {
  place = findOutputPlace(path);
  switch (place.kind) {
  case OutputPlace::Refused:
    reason = place.problem;
    return false;
  case OutputPlace::InPlace:
    descriptor = ::open(place.path.c_str(), O_WRONLY | O_CLOEXEC);
    return descriptor >= 0 || fail();
  case OutputPlace::Descriptor:
    // What was printed before stands before it.
    std::fflush(stdout);
    descriptor = ::fcntl(place.descriptor, F_DUPFD_CLOEXEC, 0);
    return descriptor >= 0 || fail();
  case OutputPlace::File:
    break;
  }
  mode_t programs = isProgram ? 0111 : 0;
  if (!openBeside(0666 | programs, isNamed))
    return false;
  struct stat made;
  // A file that was there keeps its rights.
  if (place.exists && ::fstat(descriptor, &made) == 0)
    ::fchmod(descriptor, place.mode | (made.st_mode & programs));
  return true;
}

bool OutputFile::write(const void *from, int64_t count) {
  auto *next = static_cast<const char *>(from);
  while (count > 0) {
    ssize_t put =
        ::write(descriptor, next, size_t(std::min<int64_t>(count, 1 << 30)));
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return fail();
    next += put;
    count -= put;
  }
  return true;
}

bool OutputFile::writeAt(int64_t offset, const void *from, int64_t count) {
  auto *next = static_cast<const char *>(from);
  while (count > 0) {
    ssize_t put =
        ::pwrite(descriptor, next, size_t(std::min<int64_t>(count, 1 << 30)),
                 off_t(offset));
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return fail();
    next += put;
    offset += put;
    count -= put;
  }
  return true;
}

bool OutputFile::finish() {
  if (place.kind == OutputPlace::File)
    return ::fsync(descriptor) == 0 || fail();
  int closed = ::close(descriptor);
  descriptor = -1;
  return closed == 0 || fail();
}

/// Lets the new name survive a crash of the machine; not all file systems can.
static void keepName(const std::string &path) {
  int folder =
      ::open(folderOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return;
  ::fsync(folder);
  ::close(folder);
}

bool OutputFile::publish() {
  if (place.kind != OutputPlace::File || isShare)
    return true;
  if (temporary.empty()) {
    // Without another name in between where there is nothing to replace.
    std::string from = pathOf(descriptor);
    if (!place.exists && ::linkat(AT_FDCWD, from.c_str(), AT_FDCWD,
                                  place.path.c_str(), AT_SYMLINK_FOLLOW) == 0)
      return keepName(place.path), true;
    std::string name = makeName();
    if (::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, name.c_str(),
                 AT_SYMLINK_FOLLOW) != 0)
      return fail();
    temporary = name;
  }
  if (::rename(temporary.c_str(), place.path.c_str()) != 0)
    return fail();
  temporary.clear();
  keepName(place.path);
  return true;
}
