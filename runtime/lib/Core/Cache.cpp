//===- Cache.cpp - compiled code on the disk ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A file ends in a hash of what stands before it. While it is written it has
// another name and is locked: a name of that kind whose lock is free was left
// by a process that was killed.
//
//===----------------------------------------------------------------------===//

#include "Core/Cache.h"
#include "Core/Printable.h"
#include "Core/TrustedFolder.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <random>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace arrt;

namespace {
/// Entries that are kept; the oldest make room.
constexpr size_t mostEntries = 1000;
/// No code is that large.
constexpr off_t mostBytes = off_t(1) << 30;
constexpr size_t hashBytes = 32;
constexpr char temporaryFront[] = "new-";
constexpr const char *entryFronts[] = {"object-", "image-", "kernels-"};

/// Two FNV-1a hashes with different starts and a final mix: nobody else can
/// write the cache, it must only keep programs apart and tell damage.
struct Hash {
  uint64_t a = 0xcbf29ce484222325u, b = 0x6c62272e07bb0142u;
  void add(const void *data, size_t bytes) {
    auto *p = static_cast<const unsigned char *>(data);
    for (size_t i = 0; i < bytes; ++i) {
      a = (a ^ p[i]) * 0x100000001b3u;
      b = (b ^ p[i]) * 0x9e3779b97f4a7c15u;
      b ^= b >> 29;
    }
  }
  std::string text() const {
    char hex[hashBytes + 1];
    std::snprintf(hex, sizeof hex, "%016llx%016llx", (unsigned long long)a,
                  (unsigned long long)b);
    return hex;
  }
};

std::string hashOf(const std::string &bytes) {
  Hash hash;
  hash.add(bytes.data(), bytes.size());
  return hash.text();
}

bool startsWith(const std::string &name, const char *front) {
  return !name.compare(0, std::strlen(front), front);
}

bool isEntry(const std::string &name) {
  return std::any_of(
      std::begin(entryFronts), std::end(entryFronts),
      [&](const char *front) { return startsWith(name, front); });
}

/// Says once in a process that the cache is not used.
void warn(const std::string &what, const std::string &why) {
  static std::atomic<bool> said{false};
  if (said.exchange(true))
    return;
  std::fprintf(stderr,
               "warning: %s is not used: %s\n"
               "help: let ARRC_CACHE be a folder that only you can write, or "
               "'off'\n",
               what.c_str(), why.c_str());
}

bool readAll(int descriptor, std::string &bytes, size_t size) {
  bytes.resize(size);
  size_t have = 0;
  while (have < size) {
    ssize_t got = ::read(descriptor, &bytes[have], size - have);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    have += size_t(got);
  }
  return true;
}

bool writeAll(int descriptor, const std::string &bytes) {
  for (size_t done = 0; done < bytes.size();) {
    ssize_t put = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return false;
    done += size_t(put);
  }
  return true;
}
} // namespace

std::string arrt::cacheFolder() {
  auto variable = [](const char *name) -> std::string {
    const char *value = std::getenv(name);
    return value ? value : "";
  };
  if (std::string folder = variable("ARRC_CACHE"); !folder.empty())
    return folder == "off" ? "" : folder;
  if (std::string folder = variable("XDG_CACHE_HOME"); !folder.empty())
    return folder + "/arrc";
  std::string home = variable("HOME");
  return home.empty() ? "" : home + "/.cache/arrc";
}

//===----------------------------------------------------------------------===//
// The folder
//===----------------------------------------------------------------------===//

Cache::Cache(std::string name) : folder(std::move(name)) {
  usable = !folder.empty();
  if (usable)
    open(/*make=*/false);
}

Cache::~Cache() {
  if (descriptor >= 0)
    ::close(descriptor);
}

void Cache::open(bool make) {
  std::string danger;
  descriptor = openTrustedFolder(folder, make, danger);
  static std::atomic<bool> cleaned{false};
  if (descriptor >= 0 && !cleaned.exchange(true))
    removeLeftovers();
  if (danger.empty())
    return;
  usable = false;
  warn("the cache '" + printable(folder) + "'", danger);
}

bool Cache::read(const std::string &name, std::string &bytes) const {
  if (descriptor < 0)
    return false;
  // A pipe is not waited for and a link not followed.
  int file = ::openat(descriptor, name.c_str(),
                      O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat info;
  if (file < 0)
    return false;
  bool good = ::fstat(file, &info) == 0 && S_ISREG(info.st_mode);
  std::string danger;
  if (good && !isOwnAlone(info, danger)) {
    warn("the cache's file '" + printable(folder + "/" + name) + "'",
         "it " + danger);
    good = false;
  }
  good = good && info.st_size >= off_t(hashBytes) &&
         info.st_size <= mostBytes &&
         readAll(file, bytes, size_t(info.st_size));
  ::close(file);
  if (!good)
    return false;
  std::string hash = bytes.substr(bytes.size() - hashBytes);
  bytes.resize(bytes.size() - hashBytes);
  return hashOf(bytes) == hash;
}

void Cache::write(const std::string &name, const std::string &bytes) {
  if (usable && descriptor < 0)
    open(/*make=*/true);
  if (descriptor < 0)
    return;
  makeRoom();
  std::random_device random;
  char temporary[32];
  std::snprintf(temporary, sizeof temporary, "%s%08x%08x", temporaryFront,
                random(), random());
  int file =
      ::openat(descriptor, temporary,
               O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0)
    return;
  // Without a lock it could be taken for left; then the rename fails.
  ::flock(file, LOCK_EX | LOCK_NB);
  bool good = writeAll(file, bytes) && writeAll(file, hashOf(bytes)) &&
              ::renameat(descriptor, temporary, descriptor, name.c_str()) == 0;
  if (!good)
    ::unlinkat(descriptor, temporary, 0);
  ::close(file);
}

std::vector<std::string> Cache::list() const {
  std::vector<std::string> names;
  int again = ::openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (again < 0)
    return names;
  if (DIR *folder = ::fdopendir(again)) {
    while (const dirent *found = ::readdir(folder))
      names.push_back(found->d_name);
    ::closedir(folder);
  } else {
    ::close(again);
  }
  return names;
}

void Cache::removeLeftovers() const {
  for (const std::string &name : list()) {
    if (!startsWith(name, temporaryFront))
      continue;
    int file = ::openat(descriptor, name.c_str(),
                        O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0 || ::flock(file, LOCK_EX | LOCK_NB) == 0)
      ::unlinkat(descriptor, name.c_str(), 0);
    if (file >= 0)
      ::close(file);
  }
}

void Cache::makeRoom() const {
  std::vector<std::pair<time_t, std::string>> entries;
  struct stat info;
  for (const std::string &name : list())
    if (isEntry(name) &&
        !::fstatat(descriptor, name.c_str(), &info, AT_SYMLINK_NOFOLLOW))
      entries.emplace_back(info.st_mtime, name);
  if (entries.size() < mostEntries)
    return;
  std::sort(entries.begin(), entries.end());
  for (size_t i = 0; i < entries.size() - mostEntries / 2; ++i)
    ::unlinkat(descriptor, entries[i].second.c_str(), 0);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

CacheEntry::CacheEntry(const std::string &key, const void *code, size_t bytes)
    : cache(cacheFolder()) {
  if (!cache.isUsable())
    return;
  Hash hash;
  hash.add(key.data(), key.size() + 1);
  hash.add(code, bytes);
  name = entryFronts[2] + hash.text();
  // The key in full: two programs of one hash still are told apart by it.
  front = "arrt cache 2\n" + key + "\n" + std::to_string(bytes) + "\n";
}

bool CacheEntry::read(std::vector<char> &data) const {
  std::string all;
  if (!cache.read(name, all) || all.size() <= front.size() ||
      all.compare(0, front.size(), front))
    return false;
  data.assign(all.begin() + std::ptrdiff_t(front.size()), all.end());
  return true;
}

void CacheEntry::write(const void *data, size_t bytes) {
  if (bytes != 0)
    cache.write(name,
                front + std::string(static_cast<const char *>(data), bytes));
}
