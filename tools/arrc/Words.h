//===- Words.h - The words of a command that has its own --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_WORDS_H
#define ARRC_TOOLS_ARRC_WORDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace arrc::tool {

/// Whether a word names a program, or text of a level.
inline bool looksLikeFile(llvm::StringRef word) {
  return word.ends_with(".arr") || word.ends_with(".mlir");
}

/// Takes the words of a command line one by one.
class WordReader {
public:
  explicit WordReader(llvm::ArrayRef<std::string> words) : words(words) {}

  /// Goes to the next word; false behind the last one.
  bool next();
  llvm::StringRef word() const { return current; }
  /// Whether the word is this option, which has no value.
  bool is(llvm::StringRef option) const { return current == option; }
  /// The value of this option, a word of its own or joined by '='.
  std::optional<llvm::StringRef> value(llvm::StringRef option);
  /// The same as a number that is at least `least`.
  std::optional<double> number(llvm::StringRef option, double least);
  /// "" or what is wrong.
  const std::string &error() const { return problem; }

private:
  llvm::ArrayRef<std::string> words;
  /// The word, with its value where that is one of its own.
  std::string joined;
  llvm::StringRef current;
  std::string problem;
};

/// What is tried: a program with options of the compiler.
struct Variant {
  std::string label;
  std::string file;
  std::vector<std::string> words; ///< as behind `arrc run FILE`
};

struct CommandLine;

/// Takes apart `words`, which another command makes up for `arrc`; complains of
/// what is wrong. Returns an exit code.
int parseWords(llvm::ArrayRef<std::string> words, CommandLine &line);
/// `verb FILE WORDS..` of a variant.
int parseWords(llvm::StringRef verb, llvm::StringRef file,
               llvm::ArrayRef<std::string> words, CommandLine &line);

/// The words that several commands have in common: programs, options and
/// arguments for all of them, and variants.
class VariantWords {
public:
  /// Takes a word that is no option of the command.
  void add(llvm::StringRef word);
  /// Takes `--variant=TEXT`: words, with a `NAME:` in front of them that it is
  /// called by. Quotes keep words together, as in a shell.
  void addVariant(llvm::StringRef text);
  /// Each program by itself, then the variants, of the first one unless they
  /// name another. Returns "" or what is wrong.
  std::string finish(std::vector<Variant> &variants) const;

  std::vector<std::string> files;
  /// `NAME=VALUE`, for all.
  std::vector<std::string> arguments;

private:
  std::vector<std::string> common, texts;
};

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_WORDS_H
