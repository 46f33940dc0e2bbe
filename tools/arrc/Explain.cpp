//===- Explain.cpp - arrc explain -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Explanations.txt says of each message why it comes, and shows a program that
// is wrong and one that is right: a line 'CODE why', then lines that begin with
//   -   the wrong program          +   the right one
//   :   a file that both need      $   words for the command line
//   !   instead of programs: why it cannot be shown
//
//===----------------------------------------------------------------------===//

#include "Explanations.h"

#include "Compiler.h"
#include "Verbs.h"
#include "Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace arrc::tool;

namespace {
struct Row {
  StringLiteral code, text;
};
} // namespace

static constexpr Row rows[] = {
#define DIAG(severity, code, name, text) {code, text},
#include "arrc/Frontend/Diagnostics.def"
};

static constexpr StringLiteral explanations =
#include "Explanations.inc"
    ;

std::string arrc::tool::messageOf(StringRef code) {
  for (const Row &row : rows)
    if (row.code == code) {
      std::string text;
      for (size_t i = 0; i < row.text.size(); ++i) {
        bool isPlace = row.text[i] == '{' && i + 2 < row.text.size() &&
                       row.text[i + 2] == '}';
        text += isPlace ? StringRef("..") : row.text.substr(i, 1);
        i += isPlace ? 2 : 0;
      }
      return text;
    }
  return "";
}

Explanation arrc::tool::explanationOf(StringRef code) {
  Explanation result;
  bool inside = false;
  for (StringRef line : split(explanations, '\n')) {
    if (line.empty())
      continue;
    if (StringRef("-+:$!").contains(line[0]) && line.substr(1, 1) == " ") {
      if (!inside)
        continue;
      StringRef rest = line.drop_front(2);
      if (line[0] == '-')
        result.wrong += (rest + "\n").str();
      else if (line[0] == '+')
        result.right += (rest + "\n").str();
      else if (line[0] == '$')
        result.words = rest;
      else if (line[0] == '!')
        result.notShown = rest;
      continue;
    }
    if (inside)
      break;
    auto [name, why] = line.split(' ');
    inside = name == code;
    if (inside)
      result.why = why;
  }
  return result;
}

/// One message for a terminal.
static void print(StringRef code) {
  Explanation e = explanationOf(code);
  auto program = [](StringRef text) {
    for (StringRef line : split(text.rtrim('\n'), '\n'))
      outs() << "  " << line << '\n';
  };
  outs() << code << ": " << messageOf(code) << "\n\n" << e.why << '\n';
  if (e.wrong.empty())
    return;
  outs() << "\nwrong:\n";
  program(e.wrong);
  outs() << "\nright:\n";
  program(e.right);
}

/// All of them as a page.
static void printPage() {
  outs() << "<!-- Made by utils/make_docs.sh from tools/arrc/Explanations.txt "
            "-->\n\n# Messages\n\nEvery message of the compiler about a "
            "program, as `arrc explain CODE` tells it: why it comes, a program "
            "that is wrong,\nand one that is right. `..` stands for words of "
            "the program.\n";
  for (const Row &row : rows) {
    Explanation e = explanationOf(row.code);
    outs() << "\n## " << row.code << "\n\n*" << messageOf(row.code) << "*\n\n"
           << e.why << '\n';
    if (e.wrong.empty())
      continue;
    outs() << "\n```arr\n# wrong\n"
           << e.wrong << "```\n\n```arr\n# right\n"
           << e.right << "```\n";
  }
}

int arrc::tool::explain(const CommandLine &line) {
  std::vector<std::string> codes;
  WordReader words(line.rest);
  while (words.next()) {
    if (words.is("--markdown")) {
      printPage();
      return Done;
    }
    if (words.word().starts_with("-"))
      return complain(WrongUse, "unknown option '" + words.word() + "'",
                      "see 'arrc help explain'");
    codes.push_back(words.word().upper());
  }
  if (codes.empty())
    for (const Row &row : rows)
      outs() << row.code << "  " << messageOf(row.code) << '\n';
  for (const auto &[k, code] : enumerate(codes)) {
    if (messageOf(code).empty())
      return complain(WrongUse, "there is no message '" + code + "'",
                      "'arrc explain' lists them");
    outs() << (k ? "\n" : "");
    print(code);
  }
  return Done;
}
