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

int arrc::tool::linkExecutable(StringRef object, StringRef output) {
  std::string runtimeMain = findLibrary("libarrt_main.a");
  std::string runtime = findLibrary("libarrt.a");
  if (runtime.empty() || runtimeMain.empty())
    return complain(NoDevice,
                    "the runtime library libarrt.a is not beside arrc",
                    "install arrc, or build the targets arrt and arrt_main");
  std::string driver;
#ifdef ARRC_LINK_DRIVER
  driver = ARRC_LINK_DRIVER;
#else
  for (StringRef name : {"c++", "g++", "clang++", "clang++-22"})
    if (auto found = sys::findProgramByName(name)) {
      driver = *found;
      break;
    }
#endif
  if (driver.empty())
    return complain(NoDevice, "no linker was found",
                    "install g++, or build --emit=obj and link it yourself "
                    "with libarrt_main.a and libarrt.a");

  // The program appears when it is complete.
  TemporaryFile program("exe"), messages("txt");
  if (program.isMissing() || messages.isMissing())
    return CannotReadOrWrite;
  StringRef arguments[] = {driver,
#ifdef ARRC_LINK_FLAG
                           ARRC_LINK_FLAG,
#endif
                           "-static-libstdc++",
                           "-static-libgcc",
                           object,
                           runtimeMain,
                           runtime,
                           "-lpthread",
                           "-lm",
                           "-o",
                           program.getPath()};
  std::optional<StringRef> redirects[] = {std::nullopt, messages.getPath(),
                                          messages.getPath()};
  std::string why;
  int code = sys::ExecuteAndWait(driver, arguments, std::nullopt, redirects, 0,
                                 0, &why);
  if (code != 0) {
    if (std::error_code full = tryRoom(program.getPath(), runtime))
      return complain(CannotReadOrWrite,
                      "cannot write a temporary file: " + full.message());
    if (auto text = MemoryBuffer::getFile(messages.getPath()))
      errs() << printable((*text)->getBuffer(), /*keepLines=*/true);
    return complain(NoDevice,
                    "linking failed" + (why.empty() ? "" : ": " + why),
                    "the compiler driver was " + driver);
  }
  auto bytes = MemoryBuffer::getFile(program.getPath());
  if (!bytes)
    return complain(CannotReadOrWrite, "cannot read a temporary file: " +
                                           bytes.getError().message());
  return writeOutput(output, (*bytes)->getBuffer(), /*isProgram=*/true);
}
