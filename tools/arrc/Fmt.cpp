//===- Fmt.cpp - arrc fmt -------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "Console.h"
#include "Verbs.h"
#include "Words.h"

#include "arrc/Frontend/Format.h"
#include "arrc/Support/SourceFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

/// Writes a file whole or not at all, with the rights that it had.
static std::error_code rewrite(StringRef path, StringRef text) {
  SmallString<128> beside;
  int descriptor = -1;
  if (std::error_code error = sys::fs::createUniqueFile(
          path + ".%%%%%%", descriptor, beside, sys::fs::OF_None))
    return error;
  raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  os << text;
  os.close();
  std::error_code error = os.error();
  os.clear_error();
  if (!error)
    if (auto rights = sys::fs::getPermissions(path))
      error = sys::fs::setPermissions(beside, *rights);
  if (!error)
    error = sys::fs::rename(beside, path);
  if (error)
    sys::fs::remove(beside);
  return error;
}

/// Formats one file, `-` the standard input. Returns the exit code.
static int formatFile(StringRef path, bool onlyCheck, unsigned &different) {
  bool isStream = path == "-";
  auto read = isStream ? MemoryBuffer::getSTDIN() : readSourceFile(path);
  if (!read)
    return complain(CannotReadOrWrite,
                    "cannot read '" + path + "': " + read.getError().message());
  std::string before = (*read)->getBuffer().str();
  SourceMgr sources;
  unsigned buffer = sources.AddNewSourceBuffer(
      MemoryBuffer::getMemBufferCopy(before, isStream ? "<stdin>" : path),
      SMLoc());
  DiagnosticEngine diags(sources);
  std::optional<std::string> after =
      formatText(sources.getMemoryBuffer(buffer)->getBuffer(), diags);
  if (!after) {
    diags.print(console(), wantColors() && !isCaptured());
    return ProgramError;
  }
  bool isSame = *after == before;
  different += !isSame;
  if (onlyCheck) {
    if (!isSame)
      outs() << path << '\n';
    return Done;
  }
  if (isStream) {
    outs() << *after;
    return Done;
  }
  if (isSame)
    return Done;
  if (std::error_code error = rewrite(path, *after))
    return complain(CannotReadOrWrite,
                    "cannot write '" + path + "': " + error.message());
  return Done;
}

int arrc::tool::fmt(const CommandLine &line) {
  std::vector<StringRef> files;
  bool onlyCheck = false;
  WordReader words(line.rest);
  while (words.next()) {
    if (words.is("--check"))
      onlyCheck = true;
    else if (words.word() != "-" && words.word().starts_with("-"))
      return complain(WrongUse, "unknown option '" + words.word() + "'",
                      "see 'arrc help fmt'");
    else
      files.push_back(words.word());
  }
  if (files.empty())
    return complain(WrongUse, "no program is given",
                    "name .arr files, or '-' for the standard input");
  int code = Done;
  unsigned different = 0;
  for (StringRef file : files)
    code = std::max(code, formatFile(file, onlyCheck, different));
  // The names come in front of what is said of them.
  outs().flush();
  if (!code && onlyCheck && different)
    return complain(ProgramError,
                    Twine(different) +
                        (different == 1 ? " file is" : " files are") +
                        " not in the one style",
                    "'arrc fmt FILE..' rewrites them");
  return code;
}
