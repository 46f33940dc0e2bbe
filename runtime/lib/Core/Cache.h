//===- Cache.h - compiled kernels on the disk ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Drivers compile kernels for their device when they are loaded, which takes
/// longer than many programs run. What they made is kept in files named by a
/// hash of all that it depends on. A file appears whole, by a rename, so any
/// number of processes share a folder; one that is damaged counts as missing
/// and is replaced.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_CORE_CACHE_H
#define ARRT_CORE_CACHE_H

#include <cstddef>
#include <string>
#include <vector>

namespace arrt {

/// One entry of the cache.
class CacheEntry {
public:
  /// The entry for `code` in the circumstances that `key` spells out: options,
  /// device, version of the driver.
  CacheEntry(const std::string &key, const void *code, size_t bytes);

  /// Reads the entry. False if there is none that is sound.
  bool read(std::vector<char> &data) const;
  /// Writes the entry, or does nothing where that fails: a cache is a wish.
  void write(const void *data, size_t bytes) const;
  /// The file; "" if nothing is cached.
  const std::string &path() const { return file; }

private:
  std::string front; ///< what the file starts with
  std::string file;
};

/// The folder of the cache: ARRC_CACHE ("off": none), else arrc in
/// XDG_CACHE_HOME or ~/.cache. "" if there is none.
std::string cacheFolder();

} // namespace arrt

#endif // ARRT_CORE_CACHE_H
