//===- ObjectCache.cpp - Compiled programs on the disk --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// An entry is one file: the key, the files that the program came from with
// their hashes, the object, and a hash of all of it, so that a damaged entry is
// known. It appears whole, by a rename. The folder is that of the runtime's
// cache: ARRC_CACHE (`off`: none), else arrc in XDG_CACHE_HOME or ~/.cache.
//
//===----------------------------------------------------------------------===//

#include "ObjectCache.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <cstdlib>

using namespace llvm;
using namespace arrc::tool;

static constexpr StringLiteral magic = "arrc object 1\n";
/// Entries that are kept; the oldest make room.
static constexpr size_t mostEntries = 1000;

static std::string hashOf(StringRef bytes) {
  XXH128_hash_t hash = xxh3_128bits(arrayRefFromStringRef(bytes));
  std::string text(16, '\0');
  support::endian::write64le(text.data(), hash.low64);
  support::endian::write64le(text.data() + 8, hash.high64);
  return text;
}

static std::string findFolder() {
  auto variable = [](const char *name) {
    const char *value = std::getenv(name);
    return StringRef(value ? value : "");
  };
  if (StringRef folder = variable("ARRC_CACHE"); !folder.empty())
    return folder == "off" ? "" : folder.str();
  SmallString<128> folder(variable("XDG_CACHE_HOME"));
  if (folder.empty()) {
    folder = variable("HOME");
    if (folder.empty())
      return "";
    sys::path::append(folder, ".cache");
  }
  sys::path::append(folder, "arrc");
  return folder.str().str();
}

/// This very compiler: its file, by size and time.
static std::string describeSelf() {
  static int anchor;
  std::string self = sys::fs::getMainExecutable("arrc", &anchor);
  sys::fs::file_status status;
  std::string text = ARRC_VERSION " " + self;
  if (!sys::fs::status(self, status))
    text += " " + std::to_string(status.getSize()) + " " +
            std::to_string(
                status.getLastModificationTime().time_since_epoch().count());
  return text;
}

//===----------------------------------------------------------------------===//
// The file
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

/// What stands for the content of a file; "" if it cannot be read.
static std::string hashOfFile(StringRef file) {
  auto buffer = MemoryBuffer::getFile(file, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  return buffer ? hashOf((*buffer)->getBuffer()) : "";
}

ObjectCache::ObjectCache(const CommandLine &line, const Target &target,
                         StringRef machine)
    : folder(findFolder()) {
  if (folder.empty())
    return;
  Writer all;
  all.add(describeSelf());
  all.add(machine);
  all.add(target.getKey());
  all.add(std::to_string(line.optLevel));
  if (line.sanitize)
    all.add("--sanitize");
  for (const std::string &name : line.without)
    all.add("--without=" + name);
  all.add(line.file);
  for (const std::string &define : line.defines)
    all.add("-D" + define);
  for (const std::string &library : line.libraryPaths)
    all.add("-I" + library);
  key = std::move(all.bytes);
  SmallString<128> file(folder);
  sys::path::append(file, "object-" + toHex(hashOf(key), /*LowerCase=*/true));
  path = file.str().str();
}

/// The bytes of an entry without the hash behind them; nothing if there is no
/// sound one. They live as long as `buffer`.
static std::optional<StringRef>
readFile(StringRef path, std::unique_ptr<MemoryBuffer> &buffer) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  if (!file || (*file)->getBufferSize() < magic.size() + 16)
    return std::nullopt;
  buffer = std::move(*file);
  StringRef bytes = buffer->getBuffer();
  StringRef hash = bytes.take_back(16);
  bytes = bytes.drop_back(16);
  if (hashOf(bytes) != hash || !bytes.consume_front(magic))
    return std::nullopt;
  return bytes;
}

bool ObjectCache::read(SmallVectorImpl<char> &object) const {
  std::unique_ptr<MemoryBuffer> buffer;
  std::optional<StringRef> bytes;
  if (path.empty() || !(bytes = readFile(path, buffer)))
    return false;
  Reader reader(*bytes);
  if (reader.next() != key)
    return false;
  uint64_t files = 0;
  if (reader.next().getAsInteger(10, files))
    return false;
  Writer all;
  for (uint64_t i = 0; i < files && reader.isGood(); ++i) {
    StringRef file = reader.next(), hash = reader.next();
    if (hash.empty() ? sys::fs::exists(file) : hashOfFile(file) != hash)
      return false;
    all.add(file);
    all.add(hash);
  }
  StringRef code = reader.next();
  if (!reader.isGood())
    return false;
  content = std::move(all.bytes);
  object.assign(code.begin(), code.end());
  return true;
}

/// Removes the oldest entries if there are too many.
static void makeRoom(StringRef folder) {
  std::vector<std::pair<sys::TimePoint<>, std::string>> entries;
  std::error_code error;
  for (sys::fs::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    StringRef name = sys::path::filename(it->path());
    if (!name.starts_with("object-") && !name.starts_with("image-"))
      continue;
    if (auto status = it->status())
      entries.emplace_back(status->getLastModificationTime(), it->path());
  }
  if (entries.size() <= mostEntries)
    return;
  llvm::sort(entries);
  for (size_t i = 0; i < entries.size() - mostEntries / 2; ++i)
    sys::fs::remove(entries[i].second);
}

void ObjectCache::writeFile(StringRef file, std::string bytes) const {
  bytes += hashOf(bytes);
  if (sys::fs::create_directories(folder))
    return;
  SmallString<128> temporary;
  int descriptor = -1;
  if (sys::fs::createUniqueFile(folder + "/new-%%%%%%%%", descriptor,
                                temporary))
    return;
  raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  os << bytes;
  os.close();
  if (os.has_error()) {
    os.clear_error();
    sys::fs::remove(temporary);
  } else if (sys::fs::rename(temporary, file)) {
    sys::fs::remove(temporary);
  }
  makeRoom(folder);
}

void ObjectCache::write(StringRef object, const std::vector<std::string> &files,
                        const std::vector<std::string> &missing) const {
  if (path.empty())
    return;
  Writer list;
  for (const std::string &file : files) {
    std::string hash = hashOfFile(file);
    if (hash.empty())
      return;
    list.add(file);
    list.add(hash);
  }
  for (const std::string &file : missing) {
    list.add(file);
    list.add("");
  }
  Writer all;
  all.bytes = magic.str();
  all.add(key);
  all.add(std::to_string(files.size() + missing.size()));
  all.bytes += list.bytes;
  all.add(object);
  writeFile(path, std::move(all.bytes));
  content = std::move(list.bytes);
}

std::string ObjectCache::imagePath(int32_t number) const {
  Writer all;
  all.add(key);
  all.add(content);
  all.add(std::to_string(number));
  SmallString<128> file(folder);
  sys::path::append(file,
                    "image-" + toHex(hashOf(all.bytes), /*LowerCase=*/true));
  return file.str().str();
}

bool ObjectCache::readImage(int32_t number, std::string &text) const {
  if (content.empty())
    return false;
  std::unique_ptr<MemoryBuffer> buffer;
  std::optional<StringRef> bytes = readFile(imagePath(number), buffer);
  if (!bytes)
    return false;
  text = bytes->str();
  return true;
}

void ObjectCache::writeImage(int32_t number, StringRef text) const {
  if (!content.empty())
    writeFile(imagePath(number), (magic + text).str());
}
