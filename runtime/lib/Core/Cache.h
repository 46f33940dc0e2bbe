//===- Cache.h - compiled code on the disk ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What compilers and drivers made is kept in files named by a hash of all that
/// it depends on. A file appears whole, by a rename, so any number of processes
/// share a folder; one that is damaged counts as missing and is replaced.
///
/// An entry is code that runs. Only a folder that nobody else can change is
/// used: it and all entries are the user's own, and no folder or link on the
/// way to it may be changed by others, as OpenSSH wants of its keys.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_CORE_CACHE_H
#define ARRT_CORE_CACHE_H

#include <cstddef>
#include <string>
#include <vector>

namespace arrt {

/// The folder of the cache: ARRC_CACHE ("off": none), else arrc in
/// XDG_CACHE_HOME or ~/.cache. "" if there is none.
std::string cacheFolder();

/// An open folder of entries. A folder that others may change is refused with
/// one warning a process, and has then no entries.
class Cache {
public:
  /// Opens the folder; "" is no cache. It need not be there yet.
  explicit Cache(std::string folder);
  ~Cache();
  Cache(const Cache &) = delete;
  Cache &operator=(const Cache &) = delete;

  /// Whether entries may be read and written.
  bool isUsable() const { return usable; }
  /// Reads an entry. False if there is none that is sound.
  bool read(const std::string &name, std::string &bytes) const;
  /// Keeps an entry, or does nothing where that fails: a cache is a wish.
  void write(const std::string &name, const std::string &bytes);

private:
  /// Opens the folder, and makes it if that is wanted.
  void open(bool make);
  /// Removes temporary files whose writers are gone.
  void removeLeftovers() const;
  /// Removes the oldest entries if there are too many.
  void makeRoom() const;
  /// The names in the folder.
  std::vector<std::string> list() const;

  std::string folder;
  bool usable = false;
  int descriptor = -1; ///< -1: it is not there
};

/// One entry of the cache of kernels.
class CacheEntry {
public:
  /// The entry for `code` in the circumstances that `key` spells out: options,
  /// device, version of the driver.
  CacheEntry(const std::string &key, const void *code, size_t bytes);

  /// Reads the entry. False if there is none that is sound.
  bool read(std::vector<char> &data) const;
  /// Writes the entry, or does nothing where that fails.
  void write(const void *data, size_t bytes);

private:
  Cache cache;
  std::string front; ///< what the entry starts with
  std::string name;
};

} // namespace arrt

#endif // ARRT_CORE_CACHE_H
