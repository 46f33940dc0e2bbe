//===- Words.cpp - The words of a command that has its own ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Words.h"

#include "Compiler.h"
#include "Options.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/ScopedPrinter.h"
#include "llvm/Support/StringSaver.h"

#include <cmath>

using namespace llvm;
using namespace arrc::tool;

int arrc::tool::parseWords(ArrayRef<std::string> words, CommandLine &line) {
  SmallVector<const char *> pointers;
  for (const std::string &word : words)
    pointers.push_back(word.c_str());
  std::string help, error = parseCommandLine(pointers, line, help);
  return error.empty() ? Done : complain(WrongUse, error, help);
}

int arrc::tool::parseWords(StringRef verb, StringRef file,
                           ArrayRef<std::string> words, CommandLine &line) {
  std::vector<std::string> all = {verb.str(), file.str()};
  append_range(all, words);
  return parseWords(all, line);
}

/// Whether `word` is an option of the compiler whose value is not in it. That
/// of `-o` is asked for by those who have it.
static bool takesValue(StringRef word) {
  return word != "-o" && llvm::any_of(getOptions(), [&](const OptionRow &row) {
           return row.name == word && !row.value.empty();
         });
}

bool WordReader::next() {
  if (words.empty() || !problem.empty())
    return false;
  current = words.front();
  words = words.drop_front();
  // What is handed on must not be taken for a file or an argument: the value
  // goes with its option.
  if (!words.empty() && takesValue(current)) {
    joined = (current + (current.starts_with("--") ? "=" : "") + words.front())
                 .str();
    current = joined;
    words = words.drop_front();
  }
  return true;
}

std::optional<StringRef> WordReader::value(StringRef option) {
  StringRef rest = current;
  if (!rest.consume_front(option))
    return std::nullopt;
  if (rest.consume_front("="))
    return rest;
  if (!rest.empty())
    return std::nullopt;
  if (words.empty()) {
    problem = ("'" + option + "' wants a value").str();
    return StringRef();
  }
  StringRef text = words.front();
  words = words.drop_front();
  return text;
}

std::optional<double> WordReader::number(StringRef option, double least) {
  std::optional<StringRef> text = value(option);
  if (!text)
    return std::nullopt;
  double number = 0;
  if (text->getAsDouble(number) || !(number >= least) || !std::isfinite(number))
    if (problem.empty())
      problem =
          ("'" + option + "' wants a number from " +
           Twine(to_string(format("%g", least))) + ", not '" + *text + "'")
              .str();
  return number;
}

void VariantWords::add(StringRef word) {
  if (looksLikeFile(word) && !word.starts_with("-") && !word.contains('='))
    files.push_back(word.str());
  else if (!word.starts_with("-") && word.contains('='))
    arguments.push_back(word.str());
  else
    common.push_back(word.str());
}

void VariantWords::addVariant(StringRef text) { texts.push_back(text.str()); }

std::string VariantWords::finish(std::vector<Variant> &variants) const {
  for (const std::string &file : files)
    variants.push_back({file, file, common});
  for (StringRef text : texts) {
    Variant variant;
    variant.label = text.trim().str();
    auto [name, rest] = text.split(':');
    // `NAME: WORDS`; options have a ':' of their own.
    if (text.contains(": ") && !name.empty() &&
        name.find_first_of(" =-") != 0 && !name.contains('=') &&
        rest.starts_with(" ")) {
      variant.label = name.str();
      text = rest;
    }
    BumpPtrAllocator memory;
    StringSaver saver(memory);
    SmallVector<const char *> words;
    cl::TokenizeGNUCommandLine(text, saver, words);
    variant.words = common;
    for (StringRef word : words) {
      if (looksLikeFile(word) && !word.starts_with("-") &&
          !word.contains('=') && variant.file.empty())
        variant.file = word.str();
      else
        variant.words.push_back(word.str());
    }
    if (variant.file.empty() && !files.empty())
      variant.file = files.front();
    if (variant.file.empty())
      return "the variant '" + variant.label + "' names no program";
    variants.push_back(std::move(variant));
  }
  if (variants.empty())
    return "no program is given";
  StringSet<> labels;
  for (const Variant &variant : variants)
    if (!labels.insert(variant.label).second)
      return "two variants are called '" + variant.label + "'";
  return "";
}
