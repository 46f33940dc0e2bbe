//===- StandardLibrary.cpp - The files that come with the compiler --------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "StandardLibrary.h"

#include "arrc/Frontend/Lexer.h"

#include "llvm/ADT/Twine.h"

using namespace arrc;
using llvm::StringRef;

namespace {
struct StandardFile {
  StringRef path;
  StringRef text;
};
} // namespace

static const StandardFile files[] = {
#include "StandardLibrary.inc"
};

std::string arrc::findStandardFile(StringRef path) {
  for (const StandardFile &file : files)
    if (file.path == path)
      return (standardPrefix + path).str();
  return "";
}

std::optional<StringRef> arrc::standardText(StringRef path) {
  if (path.consume_front(standardPrefix))
    for (const StandardFile &file : files)
      if (file.path == path)
        return file.text;
  return std::nullopt;
}

std::string arrc::nearStandardFile(StringRef path) {
  path.consume_back(".arr");
  if (!path.consume_front("std/"))
    path.consume_front("std.");
  std::string meant = ("std/" + path + ".arr").str();
  return findStandardFile(meant).empty() ? "" : meant;
}

std::string arrc::standardFileOf(StringRef function) {
  std::string begin = ("\ndef " + function).str();
  for (const StandardFile &file : files)
    for (size_t at = 0; (at = file.text.find(begin, at)) != StringRef::npos;
         ++at)
      if (StringRef("[(").contains(file.text[at + begin.size()]))
        return file.path.str();
  return "";
}

std::string arrc::listStandardFiles() {
  std::string list;
  for (const StandardFile &file : files)
    list += (list.empty() ? "" : ", ") + file.path.str();
  return list;
}
