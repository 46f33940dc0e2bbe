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

#include <deque>

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

int TemporaryFile::complainOf(std::error_code why) const {
  return complain(CannotReadOrWrite,
                  "cannot write a temporary file: " + why.message());
}

bool TemporaryFile::isMissing() const {
  if (error)
    complainOf(error);
  return bool(error);
}

int TemporaryFile::write(StringRef bytes) const {
  std::error_code opening;
  raw_fd_ostream os(path, opening);
  if (opening)
    return complainOf(opening);
  os << bytes;
  os.close();
  std::error_code writing = os.error();
  os.clear_error();
  return writing ? complainOf(writing) : int(Done);
}
