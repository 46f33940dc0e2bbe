//===- Cache.cpp - compiled kernels on the disk ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Cache.h"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

using namespace arrt;

namespace {
/// Two FNV-1a hashes with different starts and a final mix: nobody attacks a
/// cache in one's own home, it must only keep programs apart.
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
    char hex[33];
    std::snprintf(hex, sizeof hex, "%016llx%016llx", (unsigned long long)a,
                  (unsigned long long)b);
    return hex;
  }
};

std::string hashOf(const void *data, size_t bytes) {
  Hash hash;
  hash.add(data, bytes);
  return hash.text();
}
} // namespace

std::string arrt::cacheFolder() {
  if (const char *folder = std::getenv("ARRC_CACHE"))
    return std::strcmp(folder, "off") ? folder : "";
  if (const char *folder = std::getenv("XDG_CACHE_HOME"); folder && *folder)
    return std::string(folder) + "/arrc";
  if (const char *home = std::getenv("HOME"); home && *home)
    return std::string(home) + "/.cache/arrc";
  return "";
}

CacheEntry::CacheEntry(const std::string &key, const void *code, size_t bytes) {
  std::string folder = cacheFolder();
  if (folder.empty())
    return;
  Hash hash;
  hash.add(key.data(), key.size() + 1);
  hash.add(code, bytes);
  file = folder + "/" + hash.text() + ".kernels";
  // The key in full: two programs of one hash still are told apart by it.
  front = "arrt cache 1\n" + key + "\n" + std::to_string(bytes) + "\n";
}

bool CacheEntry::read(std::vector<char> &data) const {
  if (file.empty())
    return false;
  FILE *stream = std::fopen(file.c_str(), "rb");
  if (!stream)
    return false;
  std::string all;
  char piece[1 << 14];
  while (size_t got = std::fread(piece, 1, sizeof piece, stream))
    all.append(piece, got);
  bool failed = std::ferror(stream);
  std::fclose(stream);
  constexpr size_t hashBytes = 32;
  size_t start = front.size() + hashBytes;
  if (failed || all.size() <= start || all.compare(0, front.size(), front))
    return false;
  if (all.compare(front.size(), hashBytes,
                  hashOf(all.data() + start, all.size() - start)))
    return false;
  data.assign(all.begin() + std::ptrdiff_t(start), all.end());
  return true;
}

void CacheEntry::write(const void *data, size_t bytes) const {
  if (file.empty() || bytes == 0)
    return;
  // The folders on the way, for this user alone.
  for (size_t at = file.find('/', 1); at != std::string::npos;
       at = file.find('/', at + 1))
    if (::mkdir(file.substr(0, at).c_str(), 0700) && errno != EEXIST)
      return;
  std::string temporary = file + ".XXXXXX";
  int descriptor = ::mkstemp(&temporary[0]);
  if (descriptor < 0)
    return;
  FILE *stream = ::fdopen(descriptor, "wb");
  if (!stream) {
    ::close(descriptor);
    ::unlink(temporary.c_str());
    return;
  }
  std::string head = front + hashOf(data, bytes);
  bool good = std::fwrite(head.data(), 1, head.size(), stream) == head.size() &&
              std::fwrite(data, 1, bytes, stream) == bytes;
  good = std::fclose(stream) == 0 && good;
  if (!good || std::rename(temporary.c_str(), file.c_str()))
    ::unlink(temporary.c_str());
}
