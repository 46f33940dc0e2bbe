//===- Output.cpp - Files that arrc writes --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Output.h"

#include "Compiler.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace arrc::tool;

OutputPlace arrc::tool::findPlace(StringRef path) {
  sys::fs::file_status status;
  // Through a link to nothing the file is made.
  if (sys::fs::status(path, status) || !sys::fs::exists(status))
    return {path.str(), sys::fs::is_symlink_file(path)};
  if (!sys::fs::is_regular_file(status))
    return {path.str(), true};
  SmallString<128> real;
  if (sys::fs::real_path(path, real))
    return {path.str(), false};
  return {real.str().str(), false};
}

static Error writeInPlace(StringRef path, StringRef bytes) {
  std::error_code error;
  raw_fd_ostream os(path, error);
  if (error)
    return errorCodeToError(error);
  os << bytes;
  os.close();
  error = os.error();
  os.clear_error();
  return errorCodeToError(error);
}

int arrc::tool::finishStandardOutput() {
  outs().flush();
  if (!outs().has_error())
    return Done;
  outs().clear_error();
  return complain(CannotReadOrWrite, "cannot write to the standard output");
}

int arrc::tool::writeOutput(StringRef path, StringRef bytes) {
  if (path == "-") {
    outs() << bytes;
    return finishStandardOutput();
  }
  OutputPlace place = findPlace(path);
  Error error = place.inPlace ? writeInPlace(place.path, bytes)
                              : writeToOutput(place.path, [&](raw_ostream &os) {
                                  os << bytes;
                                  return Error::success();
                                });
  if (!error)
    return Done;
  return complain(CannotReadOrWrite,
                  "cannot write '" + path + "': " + toString(std::move(error)));
}

bool arrc::tool::isSameFile(StringRef a, StringRef b) {
  return a == b || sys::fs::equivalent(a, b);
}
