//===- Link.cpp - An object and the runtime become a program --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Calls the system's compiler driver, which knows where the C library is. The
// runtime goes in statically, libstdc++ too where it is there as an archive:
// the program needs nothing of this project and nothing of LLVM.
//
//===----------------------------------------------------------------------===//

#include "Output.h"
#include "Verbs.h"

#include "arrc/Support/Printable.h"

#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <unistd.h>

using namespace llvm;
using namespace arrc::tool;

/// A file of the runtime: in `lib` beside the folder of this program, in the
/// build folder as after installation.
static std::string findLibrary(StringRef name) {
  static int anchor;
  std::string self = sys::fs::getMainExecutable("arrc", &anchor);
  StringRef root = sys::path::parent_path(sys::path::parent_path(self));
  for (StringRef folder :
       {"lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"}) {
    SmallString<128> path(root);
    sys::path::append(path, folder, name);
    if (sys::fs::exists(path))
      return path.str().str();
  }
  return "";
}

/// What keeps the disk from taking as many bytes as the runtime has, of which
/// a program is made: a linker says nothing that could be asked.
static std::error_code tryRoom(StringRef path, StringRef runtime) {
  uint64_t bytes = 0;
  int file = -1;
  if (std::error_code error = sys::fs::file_size(runtime, bytes))
    return error;
  if (std::error_code error = sys::fs::openFileForWrite(path, file))
    return error;
  int failed = ::posix_fallocate(file, 0, off_t(bytes));
  ::close(file);
  return {failed, std::generic_category()};
}

/// The system's compiler driver; "" if there is none.
static std::string findDriver() {
#ifdef ARRC_LINK_DRIVER
  return ARRC_LINK_DRIVER;
#else
  for (StringRef name : {"c++", "g++", "clang++", "clang++-22"})
    if (auto found = sys::findProgramByName(name))
      return *found;
  return "";
#endif
}

static int complainOfNoDriver() {
  return complain(NoDevice, "no linker was found",
                  "install g++, or build --emit=obj and link it yourself "
                  "with libarrt_main.a and libarrt.a");
}

static int complainOfNoRuntime(StringRef name) {
  return complain(NoDevice,
                  "the runtime library " + name + " is not beside arrc",
                  "install arrc, or build the targets arrt, arrt_main and "
                  "arrt_shared");
}

/// Runs the driver, which writes `made`; as large as `runtime` is what it makes
/// of that. Its messages are out if it fails.
static int runDriver(std::vector<StringRef> arguments, StringRef made,
                     StringRef runtime) {
  std::string driver = findDriver();
  if (driver.empty())
    return complainOfNoDriver();
  TemporaryFile messages("txt");
  if (messages.isMissing())
    return CannotReadOrWrite;
#ifdef ARRC_LINK_FLAG
  arguments.insert(arguments.begin(), ARRC_LINK_FLAG);
#endif
  arguments.insert(arguments.begin(), driver);
  arguments.insert(arguments.end(), {"-o", made});
  std::optional<StringRef> redirects[] = {std::nullopt, messages.getPath(),
                                          messages.getPath()};
  std::string why;
  int code = sys::ExecuteAndWait(driver, arguments, std::nullopt, redirects, 0,
                                 0, &why);
  if (code == 0)
    return Done;
  if (!runtime.empty())
    if (std::error_code full = tryRoom(made, runtime))
      return complain(CannotReadOrWrite,
                      "cannot write a temporary file: " + full.message());
  if (auto text = MemoryBuffer::getFile(messages.getPath()))
    errs() << arrc::printable((*text)->getBuffer(), /*keepLines=*/true);
  return complain(NoDevice, "linking failed" + (why.empty() ? "" : ": " + why),
                  "the compiler driver was " + driver);
}

/// Puts what was linked where it belongs, when it is complete.
static int moveTo(StringRef output, StringRef made) {
  auto bytes = MemoryBuffer::getFile(made);
  if (!bytes)
    return complain(CannotReadOrWrite, "cannot read a temporary file: " +
                                           bytes.getError().message());
  return writeOutput(output, (*bytes)->getBuffer(), /*isProgram=*/true);
}

/// Complains of files of `--link` that are not there.
static int checkLinks(ArrayRef<std::string> links) {
  for (StringRef link : links)
    if (!link.starts_with("-") && !sys::fs::exists(link))
      return complain(CannotReadOrWrite,
                      "there is no '" + link + "', which --link names");
  return Done;
}

/// The words for what `--link` names: shared libraries are found again where
/// they are.
static std::vector<std::string> wordsOf(ArrayRef<std::string> links) {
  std::vector<std::string> words;
  for (StringRef link : links) {
    words.push_back(link.str());
    bool isFolder = link.consume_front("-L");
    if (!isFolder && !link.ends_with(".so"))
      continue;
    SmallString<128> folder(isFolder ? link : sys::path::parent_path(link));
    sys::fs::make_absolute(folder);
    words.push_back(("-Wl,-rpath," + folder).str());
  }
  return words;
}

int arrc::tool::loadLinks(ArrayRef<std::string> links) {
  if (links.empty())
    return Done;
  if (int code = checkLinks(links))
    return code;
  auto load = [](StringRef path, StringRef name) {
    std::string why;
    if (sys::DynamicLibrary::LoadLibraryPermanently(path.str().c_str(), &why))
      return complain(CannotReadOrWrite,
                      "'" + name + "' cannot be loaded: " + why);
    return int(Done);
  };
  auto isShared = [](StringRef link) {
    return link.ends_with(".so") && !link.starts_with("-");
  };
  if (llvm::all_of(links, isShared)) {
    for (StringRef link : links) {
      SmallString<128> path(link);
      sys::fs::make_absolute(path);
      if (int code = load(path, link))
        return code;
    }
    return Done;
  }
  // Objects and archives become a library first, whole: nobody knows here what
  // the program needs of them.
  TemporaryFile library("so");
  if (library.isMissing())
    return CannotReadOrWrite;
  std::vector<std::string> words = wordsOf(links);
  std::vector<StringRef> arguments = {"-shared", "-Wl,--no-as-needed",
                                      "-Wl,--whole-archive"};
  for (StringRef word : words)
    if (!word.starts_with("-l"))
      arguments.push_back(word);
  arguments.push_back("-Wl,--no-whole-archive");
  for (StringRef word : words)
    if (word.starts_with("-l"))
      arguments.push_back(word);
  // For functions that say by themselves why they fail.
  std::string runtime = findLibrary("libarrt.so");
  std::string folder = ("-Wl,-rpath," + sys::path::parent_path(runtime)).str();
  if (!runtime.empty())
    arguments.insert(arguments.end(), {"-Wl,--as-needed", runtime, folder});
  if (int code = runDriver(arguments, library.getPath(), ""))
    return code;
  return load(library.getPath(), links.front());
}

int arrc::tool::linkExecutable(StringRef object, StringRef output,
                               ArrayRef<std::string> links) {
  if (int code = checkLinks(links))
    return code;
  std::string runtimeMain = findLibrary("libarrt_main.a");
  std::string runtime = findLibrary("libarrt.a");
  if (runtime.empty() || runtimeMain.empty())
    return complainOfNoRuntime("libarrt.a");
  TemporaryFile program("exe");
  if (program.isMissing())
    return CannotReadOrWrite;
  std::vector<std::string> words = wordsOf(links);
  std::vector<StringRef> arguments = {"-static-libstdc++", "-static-libgcc",
                                      object, runtimeMain};
  llvm::append_range(arguments, words);
  arguments.insert(arguments.end(), {runtime, "-lpthread", "-lm"});
  if (int code = runDriver(arguments, program.getPath(), runtime))
    return code;
  return moveTo(output, program.getPath());
}

int arrc::tool::compileC(StringRef text, StringRef object) {
  TemporaryFile source("c");
  if (source.isMissing())
    return CannotReadOrWrite;
  if (int code = source.write(text))
    return code;
  return runDriver(
      {"-x", "c", "-std=c11", "-O2", "-fPIC", "-c", source.getPath()}, object,
      "");
}

int arrc::tool::linkLibrary(ArrayRef<std::string> objects, StringRef output,
                            ArrayRef<std::string> links) {
  if (int code = checkLinks(links))
    return code;
  std::string runtime = findLibrary("libarrt.so");
  if (runtime.empty())
    return complainOfNoRuntime("libarrt.so");
  TemporaryFile library("so");
  if (library.isMissing())
    return CannotReadOrWrite;
  // The name by which programs that are linked with it look for it.
  std::string name = ("-Wl,-soname," + sys::path::filename(output)).str();
  std::string folder = ("-Wl,-rpath," + sys::path::parent_path(runtime)).str();
  std::vector<StringRef> arguments = {"-shared", name, folder};
  for (const std::string &object : objects)
    arguments.push_back(object);
  std::vector<std::string> words = wordsOf(links);
  llvm::append_range(arguments, words);
  arguments.insert(arguments.end(), {runtime, "-lm"});
  if (int code = runDriver(arguments, library.getPath(), ""))
    return code;
  return moveTo(output, library.getPath());
}
