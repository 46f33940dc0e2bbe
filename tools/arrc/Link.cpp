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

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

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

int arrc::tool::linkExecutable(StringRef object, StringRef output) {
  std::string runtimeMain = findLibrary("libarrt_main.a");
  std::string runtime = findLibrary("libarrt.a");
  if (runtime.empty() || runtimeMain.empty())
    return complain(4, "the runtime library libarrt.a is not beside arrc",
                    "install arrc, or build the targets arrt and arrt_main");
  std::string driver;
  for (StringRef name : {"c++", "g++", "clang++", "clang++-22"})
    if (auto found = sys::findProgramByName(name)) {
      driver = *found;
      break;
    }
  if (driver.empty())
    return complain(4, "no linker was found",
                    "install g++, or build --emit=obj and link it yourself "
                    "with libarrt_main.a and libarrt.a");

  // The program appears when it is complete.
  OutputPlace place = findPlace(output);
  SmallString<128> temporary;
  if (std::error_code error =
          place.inPlace
              ? sys::fs::createTemporaryFile("arrc", "exe", temporary)
              : sys::fs::createUniqueFile(place.path + ".%%%%%%", temporary,
                                          sys::fs::OF_None))
    return complain(CannotReadOrWrite,
                    "cannot write '" + output + "': " + error.message());
  FileRemover remover(temporary);
  SmallString<128> messages;
  if (sys::fs::createTemporaryFile("arrc-link", "txt", messages))
    return complain(CannotReadOrWrite, "cannot write a temporary file");
  FileRemover messagesRemover(messages);

  StringRef arguments[] = {driver,
                           "-static-libstdc++",
                           "-static-libgcc",
                           object,
                           runtimeMain,
                           runtime,
                           "-lpthread",
                           "-lm",
                           "-o",
                           temporary};
  std::optional<StringRef> redirects[] = {std::nullopt, messages.str(),
                                          messages.str()};
  std::string why;
  int code = sys::ExecuteAndWait(driver, arguments, std::nullopt, redirects, 0,
                                 0, &why);
  if (code != 0) {
    if (auto text = MemoryBuffer::getFile(messages))
      errs() << (*text)->getBuffer();
    return complain(InternalError,
                    "linking failed" + (why.empty() ? "" : ": " + why));
  }
  // The temporary file was made for this user alone.
  auto permissions = sys::fs::perms(sys::fs::all_all & ~sys::fs::getUmask());
  if (place.inPlace) {
    auto program = MemoryBuffer::getFile(temporary);
    if (!program)
      return complain(CannotReadOrWrite, "cannot read a temporary file");
    if (int code = writeOutput(place.path, (*program)->getBuffer()))
      return code;
    if (sys::fs::is_regular_file(place.path))
      sys::fs::setPermissions(place.path, permissions);
    return Done;
  }
  sys::fs::setPermissions(temporary, permissions);
  if (std::error_code error = sys::fs::rename(temporary, place.path))
    return complain(CannotReadOrWrite,
                    "cannot write '" + output + "': " + error.message());
  remover.releaseFile();
  return Done;
}
