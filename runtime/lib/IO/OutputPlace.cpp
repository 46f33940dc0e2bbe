//===- OutputPlace.cpp - where the bytes of an output go ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Links are followed by hand, for two ends that realpath does not know: a file
// that is not there yet, and a link of /proc/self/fd, which leads to an open
// file whatever its name. A standard output that goes to a file must not be
// replaced under the one who reads it.
//
//===----------------------------------------------------------------------===//

#include "IO/OutputPlace.h"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

using namespace arrt;

static constexpr int mostLinks = 40;

std::string arrt::folderOf(const std::string &path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "./" : path.substr(0, slash + 1);
}

static std::string lastName(const std::string &path) {
  return path.substr(path.rfind('/') + 1);
}

/// Whether `folder` lists the open files of this process.
static bool listsDescriptors(const std::string &folder) {
  struct statfs system;
  struct stat here, own;
  return ::statfs(folder.c_str(), &system) == 0 &&
         system.f_type == PROC_SUPER_MAGIC &&
         ::stat(folder.c_str(), &here) == 0 &&
         ::stat("/proc/self/fd", &own) == 0 && here.st_dev == own.st_dev &&
         here.st_ino == own.st_ino;
}

bool OutputPlace::isSame(const OutputPlace &other) const {
  if (kind != File || other.kind != File || exists != other.exists ||
      device != other.device || number != other.number)
    return false;
  return exists || lastName(path) == lastName(other.path);
}

OutputPlace arrt::findOutputPlace(const std::string &asked) {
  OutputPlace place;
  auto refuse = [&](int error) {
    place.kind = OutputPlace::Refused;
    place.problem = std::strerror(error);
    return place;
  };
  std::string path = asked;
  struct stat info;
  for (int links = 0;; ++links) {
    if (::lstat(path.c_str(), &info) != 0) {
      if (errno != ENOENT)
        return refuse(errno);
      break;
    }
    if (!S_ISLNK(info.st_mode))
      break;
    if (links == mostLinks)
      return refuse(ELOOP);
    std::string folder = folderOf(path);
    if (listsDescriptors(folder)) {
      place.kind = OutputPlace::Descriptor;
      place.descriptor = std::atoi(lastName(path).c_str());
      int flags = ::fcntl(place.descriptor, F_GETFL);
      if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
        return refuse(EBADF);
      return place;
    }
    char to[PATH_MAX];
    ssize_t length = ::readlink(path.c_str(), to, sizeof to);
    if (length < 0 || length == PATH_MAX)
      return refuse(length < 0 ? errno : ENAMETOOLONG);
    std::string target(to, size_t(length));
    path = target[0] == '/' ? target : folder + target;
  }
  place.path = path;
  place.exists = ::stat(path.c_str(), &info) == 0;
  if (place.exists && S_ISDIR(info.st_mode))
    return refuse(EISDIR);
  if (place.exists && ::access(path.c_str(), W_OK) != 0)
    return refuse(errno);
  if (place.exists && !S_ISREG(info.st_mode)) {
    place.kind = OutputPlace::InPlace;
    return place;
  }
  std::string folder = folderOf(path);
  if (lastName(path).empty())
    return refuse(ENOENT);
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    return refuse(errno);
  if (!place.exists && ::stat(folder.c_str(), &info) != 0)
    return refuse(errno);
  if (!place.exists && !S_ISDIR(info.st_mode))
    return refuse(ENOTDIR);
  place.kind = OutputPlace::File;
  place.mode = info.st_mode & 0777;
  place.device = info.st_dev;
  place.number = info.st_ino;
  return place;
}
