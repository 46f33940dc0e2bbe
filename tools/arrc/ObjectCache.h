//===- ObjectCache.h - Compiled programs on the disk ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_OBJECTCACHE_H
#define ARRC_TOOLS_ARRC_OBJECTCACHE_H

#include "CommandLine.h"
#include "Target.h"

#include "llvm/ADT/SmallVector.h"

#include <string>
#include <vector>

namespace arrc::tool {

/// The object file of a program, with the images of its kernels in it, as it
/// was compiled the last time. An entry is named by all that the compiler looks
/// at but the files of the program, whose names and hashes stand in it: those
/// that were read, and those that were looked for and not there.
class ObjectCache {
public:
  /// The entry for a command line; `machine` describes the processor.
  ObjectCache(const CommandLine &line, const Target &target,
              llvm::StringRef machine);

  /// Gets the object. False if there is no entry that is sound and up to date.
  bool read(llvm::SmallVectorImpl<char> &object) const;
  /// The same for image `number` of the object that was read or written last.
  bool readImage(int32_t number, std::string &text) const;
  void writeImage(int32_t number, llvm::StringRef text) const;
  /// Keeps an object, or does nothing where that fails.
  void write(llvm::StringRef object, const std::vector<std::string> &files,
             const std::vector<std::string> &missing) const;

private:
  std::string imagePath(int32_t number) const;
  /// Writes a file with its hash behind it.
  void writeFile(llvm::StringRef file, std::string bytes) const;

  /// What the files of the object hold, as text; "": it is not in the cache.
  mutable std::string content;
  std::string key;
  std::string folder;
  std::string path; ///< "": nothing is cached
};

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_OBJECTCACHE_H
