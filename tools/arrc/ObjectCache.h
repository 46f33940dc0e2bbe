//===- ObjectCache.h - Compiled programs on the disk ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_OBJECTCACHE_H
#define ARRC_TOOLS_ARRC_OBJECTCACHE_H

#include "CommandLine.h"
#include "Compiler.h"
#include "Target.h"

#include "Core/Cache.h"

#include "llvm/ADT/SmallVector.h"

#include <string>
#include <vector>

namespace arrc::tool {

/// The object file of a program, with the images of its kernels in it, as it
/// was compiled the last time, and the warnings that were given. An entry is
/// named by all that the compiler looks at but the texts of the program, whose
/// names and digests stand in it: those that were read, and those that were
/// looked for and not there.
class ObjectCache {
public:
  /// The entry for a command line; `machine` describes the processor.
  ObjectCache(const CommandLine &line, const Target &target,
              llvm::StringRef machine);

  /// Gets the object and its tasks (TaskCode.h). False if there is no entry
  /// that is sound and whose files hold the same texts.
  bool read(llvm::SmallVectorImpl<char> &object, std::string &tasks,
            Said &warnings);
  /// The same for image, or object of a task, `number` of the object that was
  /// read or written last.
  bool readImage(int32_t number, std::string &text) const;
  void writeImage(int32_t number, llvm::StringRef text);
  /// Keeps an object and its tasks, or does nothing where that fails.
  void write(llvm::StringRef object, llvm::StringRef tasks,
             const Said &warnings, const std::vector<SourceText> &texts);

  /// Whether the object that was read or written last is made of these texts.
  bool isMadeOf(const std::vector<SourceText> &texts) const;
  /// The texts that the object is made of.
  const std::vector<SourceText> &texts() const { return known; }

private:
  bool isUpToDate(const SourceText &text) const;
  std::string imageName(int32_t number) const;

  arrt::Cache cache;
  std::string file;
  bool isGiven;      ///< whether the text of `file` is the caller's
  std::string given; ///< its digest
  std::string key;
  std::vector<SourceText> known; ///< of the object; none: it is not kept
};

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_OBJECTCACHE_H
