//===- JoinPTX.cpp - Several images of PTX as one text --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Each kernel is an image of its own, so that none is loaded that is not
// launched. People read, and `ptxas` takes, one module: with one header, and
// with names that are said once. Names stand in the first column, behind a
// directive:
//
//   .visible .entry sums(            .extern .shared .align 16 .b8 dynamic[];
//   .func  (.param .b32 r) slow(     .global .align 4 .b8 table[24] = {
//
//===----------------------------------------------------------------------===//

#include "JoinPTX.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
using namespace arrc::tool;

static bool isOfName(char c) { return isAlnum(c) || c == '_' || c == '$'; }

/// The name that a line of the first column says; "" if it says none.
static StringRef getDefined(StringRef line) {
  static const Regex function(
      "^(\\.[a-z]+ +)*\\.(entry|func) +(\\([^)]*\\) *)?([A-Za-z0-9_$]+)");
  static const Regex variable(
      "^(\\.[a-z]+ +)*\\.(global|const|shared) [^=]*[ ]([A-Za-z0-9_$]+)"
      "(\\[[0-9]*\\])*( = .*|;)");
  SmallVector<StringRef> found;
  if (function.match(line, &found))
    return found[4];
  if (variable.match(line, &found))
    return found[3];
  return "";
}

/// `text` with other names for those in `names`.
static std::string rename(StringRef text, const StringMap<std::string> &names) {
  if (names.empty())
    return text.str();
  std::string result;
  while (!text.empty()) {
    StringRef word = text.take_while(isOfName);
    if (word.empty()) {
      result += text.front();
      text = text.drop_front();
      continue;
    }
    auto it = names.find(word);
    result += it == names.end() ? word : StringRef(it->second);
    text = text.drop_front(word.size());
  }
  return result;
}

std::string
arrc::tool::joinPTX(ArrayRef<std::pair<StringRef, StringRef>> images) {
  if (images.size() == 1)
    return images.front().second.str();
  // How many images say a name in the first column.
  StringMap<unsigned> count;
  for (auto [image, text] : images)
    for (StringRef line : split(text, '\n'))
      if (StringRef name = getDefined(line); !name.empty())
        ++count[name];
  StringSet<> declared;
  std::string result;
  for (auto [number, image] : enumerate(images)) {
    auto [name, text] = image;
    StringMap<std::string> names;
    std::string body;
    for (StringRef line : split(text, '\n')) {
      bool isHeader = line.starts_with(".version") ||
                      line.starts_with(".target") ||
                      line.starts_with(".address_size");
      if (isHeader && number > 0)
        continue;
      StringRef own = getDefined(line);
      if (!own.empty() && line.starts_with(".extern")) {
        // Memory that has its size from the launch is one array.
        if (!declared.insert(line).second)
          continue;
      } else if (!own.empty() && count[own] > 1) {
        bool isEntry = line.contains(".entry ");
        names[own] = (isEntry ? name : own + "_" + name).str();
      }
      // What LLVM says of itself, once.
      if (number > 0 && line.starts_with("//"))
        continue;
      body += (line + "\n").str();
    }
    result += ("// " + name + "\n" + rename(body, names)).str();
  }
  return result;
}
