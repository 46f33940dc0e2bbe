//===- ObjectCache.cpp - Compiled programs on the disk --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// An entry is the key, the texts that the program was made of by their paths
// and digests, the warnings, the object and the tasks of it that are not
// compiled yet. The digests are those of what was
// compiled, not of what the files hold when it is done. It stands in the
// runtime's cache, which knows whom to trust and what is damaged.
//
//===----------------------------------------------------------------------===//

#include "ObjectCache.h"

#include "arrc/InitAll.h"
#include "arrc/Pipelines/Plugin.h"
#include "arrc/Support/SourceFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"

#include <dlfcn.h>

using namespace llvm;
using namespace arrc::tool;

static constexpr StringLiteral magic = "arrc object 3\n";

/// The file that holds the code at `anchor`: the tool, or a library.
static std::string findFileOf(void *anchor) {
  Dl_info info = {};
  if (::dladdr(anchor, &info) && info.dli_fname &&
      StringRef(info.dli_fname).contains(".so"))
    return info.dli_fname;
  return sys::fs::getMainExecutable("arrc", anchor);
}

/// This very compiler: the files of the driver and of the passes, by size and
/// time.
static std::string describeSelf() {
  static int driver;
  std::string text = ARRC_VERSION;
  for (void *anchor : {static_cast<void *>(&driver),
                       reinterpret_cast<void *>(&arrc::registerAllPasses)}) {
    std::string file = findFileOf(anchor);
    text += " " + file;
    sys::fs::file_status status;
    if (!sys::fs::status(file, status))
      text += " " + std::to_string(status.getSize()) + " " +
              std::to_string(
                  status.getLastModificationTime().time_since_epoch().count());
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

namespace {
/// Texts with their lengths before them.
class Writer {
public:
  void add(StringRef text) {
    char length[8];
    support::endian::write64le(length, text.size());
    bytes.append(length, 8);
    bytes += text;
  }
  std::string bytes;
};

class Reader {
public:
  explicit Reader(StringRef bytes) : rest(bytes) {}
  /// The next text; ends everything where there is none.
  StringRef next() {
    if (rest.size() < 8)
      return fail();
    uint64_t length = support::endian::read64le(rest.data());
    rest = rest.drop_front(8);
    if (length > rest.size())
      return fail();
    StringRef text = rest.take_front(length);
    rest = rest.drop_front(length);
    return text;
  }
  bool isGood() const { return good; }

private:
  StringRef fail() {
    good = false;
    rest = "";
    return "";
  }
  StringRef rest;
  bool good = true;
};
} // namespace

/// What a file that is there holds; "" if it cannot be read.
static std::string digestOfFile(StringRef path) {
  bool isModule = path.ends_with(".mlir");
  auto text = arrc::readSourceFile(path, isModule ? arrc::mostModuleBytes
                                                  : arrc::mostSourceBytes);
  return text ? digestOf((*text)->getBuffer()) : "";
}

/// Whether a path still is what it was when the program was compiled.
bool ObjectCache::isUpToDate(const SourceText &text) const {
  if (isGiven && text.path == file)
    return text.digest == given;
  return text.digest.empty() ? !sys::fs::exists(text.path)
                             : digestOfFile(text.path) == text.digest;
}

static std::string listOf(const std::vector<SourceText> &texts) {
  Writer list;
  for (const SourceText &text : texts) {
    list.add(text.path);
    list.add(text.digest);
  }
  return std::move(list.bytes);
}

ObjectCache::ObjectCache(const CommandLine &line, const Target &target,
                         StringRef machine)
    : cache(arrt::cacheFolder()), file(line.file),
      isGiven(line.text.has_value()) {
  if (isGiven)
    given = digestOf(*line.text);
  if (!cache.isUsable())
    return;
  Writer all;
  all.add(describeSelf());
  all.add(machine);
  all.add(target.getKey());
  all.add(std::to_string(line.optLevel));
  if (line.sanitize)
    all.add("--sanitize");
  if (line.reproducible)
    all.add("--reproducible");
  // The warnings that are kept have one form.
  if (line.messageFormat != MessageFormat::Full)
    all.add("messages " + std::to_string(int(line.messageFormat)));
  if (line.observed)
    all.add("observed");
  if (line.isStepped())
    all.add("stepped");
  for (const std::string &name : line.without)
    all.add("--without=" + name);
  if (line.passes.isGiven())
    all.add(line.passes.getKey());
  for (const std::string &plugin : getLoadedPlugins())
    all.add("plugin " + plugin);
  all.add(line.file);
  if (isGiven)
    all.add("text " + given);
  if (!line.entry.empty())
    all.add("--entry=" + line.entry);
  for (const std::string &define : line.defines)
    all.add("-D" + define);
  for (const std::string &library : line.libraryPaths)
    all.add("-I" + library);
  key = std::move(all.bytes);
}

static std::string entryName(StringRef kind, StringRef content) {
  return kind.str() + toHex(digestOf(content), /*LowerCase=*/true);
}

bool ObjectCache::read(SmallVectorImpl<char> &object, std::string &tasks,
                       Said &warnings) {
  std::string bytes;
  if (!cache.isUsable() || !cache.read(entryName("object-", key), bytes))
    return false;
  StringRef rest = bytes;
  if (!rest.consume_front(magic))
    return false;
  Reader reader(rest);
  uint64_t count = 0;
  if (reader.next() != key || reader.next().getAsInteger(10, count))
    return false;
  std::vector<SourceText> texts;
  for (uint64_t i = 0; i < count && reader.isGood(); ++i) {
    std::string path = reader.next().str();
    texts.push_back({path, reader.next().str()});
    if (!isUpToDate(texts.back()))
      return false;
  }
  warnings.colored = reader.next();
  warnings.plain = reader.next();
  StringRef code = reader.next();
  StringRef later = reader.next();
  if (!reader.isGood())
    return false;
  known = std::move(texts);
  object.assign(code.begin(), code.end());
  tasks = later.str();
  return true;
}

void ObjectCache::write(StringRef object, StringRef tasks, const Said &warnings,
                        const std::vector<SourceText> &texts) {
  if (!cache.isUsable())
    return;
  Writer all;
  all.bytes = magic.str();
  all.add(key);
  all.add(std::to_string(texts.size()));
  all.bytes += listOf(texts);
  all.add(warnings.colored);
  all.add(warnings.plain);
  all.add(object);
  all.add(tasks);
  cache.write(entryName("object-", key), all.bytes);
  known = texts;
}

bool ObjectCache::isMadeOf(const std::vector<SourceText> &texts) const {
  return listOf(known) == listOf(texts);
}

std::string ObjectCache::imageName(int32_t number) const {
  Writer all;
  all.add(key);
  all.add(listOf(known));
  all.add(std::to_string(number));
  return entryName("image-", all.bytes);
}

bool ObjectCache::readImage(int32_t number, std::string &text) const {
  return !known.empty() && cache.read(imageName(number), text);
}

void ObjectCache::writeImage(int32_t number, StringRef text) {
  if (!known.empty())
    cache.write(imageName(number), text.str());
}
