//===- Output.cpp - Files that arrc writes --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Output.h"

#include "Compiler.h"

#include "IO/File.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <deque>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using namespace arrc::tool;

bool arrc::tool::isStream(StringRef path) {
  using arrt::OutputPlace;
  OutputPlace place = arrt::findOutputPlace(path.str());
  return path == "-" || place.kind == OutputPlace::InPlace ||
         place.kind == OutputPlace::Descriptor;
}

int arrc::tool::finishStandardOutput() {
  outs().flush();
  if (!outs().has_error())
    return Done;
  outs().clear_error();
  return complain(CannotReadOrWrite, "cannot write to the standard output");
}

int arrc::tool::writeOutputs(
    ArrayRef<std::pair<std::string, StringRef>> outputs, bool isProgram) {
  auto fail = [](StringRef path, const arrt::OutputFile &file) {
    return complain(CannotReadOrWrite,
                    "cannot write '" + path + "': " + file.problem());
  };
  std::deque<arrt::OutputFile> files;
  for (auto &[path, bytes] : outputs) {
    arrt::OutputFile &file = files.emplace_back();
    if (path == "-") {
      outs() << bytes;
      continue;
    }
    if (!file.open(path, isProgram) ||
        !file.write(bytes.data(), bytes.size()) || !file.finish())
      return fail(path, file);
  }
  for (size_t i = 0; i < files.size(); ++i)
    if (outputs[i].first != "-" && !files[i].publish())
      return fail(outputs[i].first, files[i]);
  return finishStandardOutput();
}

int arrc::tool::writeOutput(StringRef path, StringRef bytes, bool isProgram) {
  return writeOutputs({{path.str(), bytes}}, isProgram);
}

bool arrc::tool::isSameFile(StringRef a, StringRef b) {
  return a == b || sys::fs::equivalent(a, b);
}

TemporaryFile::TemporaryFile(StringRef ending)
    : error(sys::fs::createTemporaryFile("arrc", ending, path)) {
  if (!error)
    sys::RemoveFileOnSignal(path);
}

TemporaryFile::~TemporaryFile() {
  if (error)
    return;
  sys::fs::remove(path);
  sys::DontRemoveFileOnSignal(path);
}

static int complainOfTemporary(std::error_code why) {
  return complain(CannotReadOrWrite,
                  "cannot write a temporary file: " + why.message());
}

bool TemporaryFile::isMissing() const {
  if (error)
    complainOfTemporary(error);
  return bool(error);
}

int TemporaryFile::write(StringRef bytes) const {
  std::error_code opening;
  raw_fd_ostream os(path, opening);
  if (opening)
    return complainOfTemporary(opening);
  os << bytes;
  os.close();
  std::error_code writing = os.error();
  os.clear_error();
  return writing ? complainOfTemporary(writing) : int(Done);
}

//===----------------------------------------------------------------------===//
// Files without a name
//===----------------------------------------------------------------------===//

// The descriptor is open in processes that are started, so that its path there
// is the same file.
UnnamedFile::UnnamedFile() : file(::memfd_create("arrc", 0)) {
  if (file < 0)
    error = std::error_code(errno, std::generic_category());
  path = "/proc/self/fd/" + std::to_string(file);
}

UnnamedFile::~UnnamedFile() {
  if (file >= 0)
    ::close(file);
}

bool UnnamedFile::isMissing() const {
  if (error)
    complainOfTemporary(error);
  return bool(error);
}

int UnnamedFile::write(StringRef bytes) const {
  raw_fd_ostream os(file, /*shouldClose=*/false);
  os << bytes;
  os.flush();
  std::error_code writing = os.error();
  os.clear_error();
  return writing ? complainOfTemporary(writing) : int(Done);
}
