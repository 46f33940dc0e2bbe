//===- TrustedFolder.cpp - folders that others cannot change --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The path is followed from the root one name at a time, by descriptors, so
// that what was looked at is what is opened. A folder on the way may be root's
// or the user's and must not be writable by others, but for those where only
// the owner of a name may replace it (/tmp); a link is followed if it is root's
// or the user's.
//
//===----------------------------------------------------------------------===//

#include "Core/TrustedFolder.h"
#include "Core/Printable.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <deque>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace arrt;

namespace {
constexpr mode_t othersWrite = S_IWGRP | S_IWOTH;
constexpr int mostLinks = 40;

/// A descriptor that is closed at the end.
class Handle {
public:
  explicit Handle(int descriptor = -1) : descriptor(descriptor) {}
  Handle(Handle &&other) : descriptor(std::exchange(other.descriptor, -1)) {}
  Handle &operator=(Handle &&other) {
    std::swap(descriptor, other.descriptor);
    return *this;
  }
  ~Handle() {
    if (descriptor >= 0)
      ::close(descriptor);
  }
  operator int() const { return descriptor; }

private:
  int descriptor;
};

/// Puts the names of a path before those that are left.
void push(std::deque<std::string> &names, const std::string &path) {
  std::deque<std::string> found;
  for (size_t at = 0; at < path.size();) {
    size_t slash = std::min(path.find('/', at), path.size());
    if (slash > at)
      found.push_back(path.substr(at, slash - at));
    at = slash + 1;
  }
  names.insert(names.begin(), found.begin(), found.end());
}

Handle openRoot() { return Handle(::open("/", O_PATH | O_CLOEXEC)); }
} // namespace

bool arrt::isOwnAlone(const struct stat &info, std::string &danger) {
  if (info.st_uid != ::geteuid())
    danger = "belongs to another user";
  else if (info.st_mode & othersWrite)
    danger = "may be written by others";
  return danger.empty();
}

int arrt::openTrustedFolder(const std::string &path, bool make,
                            std::string &danger) {
  std::deque<std::string> names;
  push(names, path);
  if (path.empty() || path[0] != '/') {
    char here[PATH_MAX];
    if (!::getcwd(here, sizeof here))
      return -1;
    push(names, here);
  }
  Handle at = openRoot();
  std::string passed; // for messages
  struct stat info;
  if (at < 0 || ::fstat(at, &info))
    return -1;
  for (int links = 0; !names.empty();) {
    std::string name = names.front();
    names.pop_front();
    Handle next(::openat(at, name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (next < 0 && errno == ENOENT && make &&
        ::mkdirat(at, name.c_str(), 0700) == 0)
      next =
          Handle(::openat(at, name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (next < 0 || ::fstat(next, &info))
      return -1;
    std::string here = passed + "/" + name;
    bool isRoots = info.st_uid == 0;
    if (!isRoots && info.st_uid != ::geteuid()) {
      danger = "'" + printable(here) + "' belongs to another user";
      return -1;
    }
    if (S_ISLNK(info.st_mode)) {
      char to[PATH_MAX];
      ssize_t length = ::readlinkat(next, "", to, sizeof to);
      if (length <= 0 || length == PATH_MAX || ++links > mostLinks)
        return -1;
      push(names, std::string(to, size_t(length)));
      if (to[0] == '/') {
        at = openRoot();
        passed.clear();
      }
      continue;
    }
    if (!S_ISDIR(info.st_mode))
      return -1;
    // In a sticky folder others may add names and not replace ours.
    bool isSticky = info.st_mode & S_ISVTX;
    if ((info.st_mode & othersWrite) && !isSticky) {
      danger = "'" + printable(here) + "' may be written by others";
      return -1;
    }
    at = std::move(next);
    passed = here;
  }
  if (::fstat(at, &info))
    return -1;
  if (!isOwnAlone(info, danger)) {
    danger = "it " + danger;
    return -1;
  }
  return ::openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}
