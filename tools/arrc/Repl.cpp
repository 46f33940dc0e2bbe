//===- Repl.cpp - arrc repl -----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Each line is a declaration, a statement or an expression. What was said
// before is text: an expression is the result of a program of all declarations
// and statements so far, which is compiled and run as any other. The front end
// says the type of the result, as exports have to.
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "Console.h"
#include "LspDocument.h"
#include "Verbs.h"
#include "Words.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <iostream>
#include <unistd.h>

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

namespace {
class Repl {
public:
  explicit Repl(CommandLine options) : options(std::move(options)) {}
  /// Answers lines of the standard input to its end. Returns an exit code.
  int run();

private:
  enum class Kind { Declaration, Statement, Expression };
  static Kind kindOf(StringRef entry);
  bool readEntry(std::string &entry) const;
  void answer(StringRef entry);
  /// A program of which `last` ends the body of a function with this head.
  std::string makeText(StringRef head, StringRef last) const;
  /// The type of `it` in `text`, which says `let it = ..`; nothing, with its
  /// messages, if the text has errors.
  std::optional<std::string> check(const std::string &text) const;
  void evaluate(StringRef expression);

  CommandLine options;
  std::vector<std::string> declarations, statements;
  bool isTerminal = ::isatty(0) && ::isatty(1);
};
} // namespace

/// A name that programs have no reason to use.
static constexpr StringLiteral resultName = "it__";

Repl::Kind Repl::kindOf(StringRef entry) {
  StringRef word = entry.take_while(
      [](char c) { return isAlnum(c) || c == '_' || c == '@'; });
  StringRef behind = entry.drop_front(word.size()).ltrim();
  bool isDeclaration = StringSwitch<bool>(word)
                           .Cases({"def", "const", "type", "import", "export",
                                   "struct", "extern"},
                                  true)
                           .Default(false);
  if (isDeclaration)
    return Kind::Declaration;
  if (StringSwitch<bool>(word)
          .Cases({"let", "var", "loop", "while", "assert"}, true)
          .Default(false))
    return Kind::Statement;
  // `x = 1`, `x += 1`, `x[i] = 1`: what is behind a name and its index.
  while (!word.empty() &&
         (behind.starts_with("[") || behind.starts_with("."))) {
    unsigned depth = 0;
    size_t end = 0;
    for (; end < behind.size(); ++end) {
      depth += behind[end] == '[';
      depth -= behind[end] == ']';
      if (depth == 0 && !isAlnum(behind[end]) && behind[end] != '.' &&
          behind[end] != '_')
        break;
    }
    behind = behind.drop_front(std::min(end + 1, behind.size())).ltrim();
    if (depth)
      break;
  }
  bool isAssignment =
      !word.empty() &&
      ((behind.starts_with("=") && !behind.starts_with("==")) ||
       (behind.size() > 1 && StringRef("+-*/%").contains(behind[0]) &&
        behind[1] == '='));
  return isAssignment ? Kind::Statement : Kind::Expression;
}

/// Whether more lines belong to a text: a bracket of it is open.
static bool isOpen(StringRef text) {
  int depth = 0;
  bool isComment = false;
  for (char c : text) {
    isComment = c != '\n' && (isComment || c == '#');
    if (!isComment)
      depth += (c == '(' || c == '[' || c == '{') -
               (c == ')' || c == ']' || c == '}');
  }
  return depth > 0;
}

bool Repl::readEntry(std::string &entry) const {
  entry.clear();
  do {
    if (isTerminal)
      outs() << (entry.empty() ? "> " : ". ");
    outs().flush();
    std::string row;
    if (!std::getline(std::cin, row))
      return !entry.empty();
    entry += (entry.empty() ? "" : "\n") + row;
  } while (isOpen(entry));
  return true;
}

std::string Repl::makeText(StringRef head, StringRef last) const {
  std::string text = join(declarations, "\n");
  text += (text.empty() ? "" : "\n") + head.str() + " {\n";
  for (const std::string &statement : statements)
    text += statement + "\n";
  return text + last.str() + "\n}\n";
}

std::optional<std::string> Repl::check(const std::string &text) const {
  Document document("line", text, {});
  bool hasErrors = false;
  for (const Diagnostic &message : document.messages().all())
    hasErrors |= message.severity == Severity::Error;
  if (hasErrors) {
    // Says them as always.
    CommandLine line = options;
    line.verb = Verb::Check;
    line.file = "line.arr";
    line.text = text;
    tool::check(line);
    return std::nullopt;
  }
  size_t at = text.find(("let " + resultName).str());
  if (at == std::string::npos)
    return "";
  auto described = document.describe(at + 4);
  StringRef type =
      described ? StringRef(described->first).split(": ").second : "";
  // Numbers that are written have no type yet.
  return type == "an integer literal" ? "int"
         : type == "a float literal"  ? "f32"
                                      : type.str();
}

/// The sizes of a type that an export can declare: numbers, and `?` for those
/// that are computed.
static std::string declarable(StringRef type) {
  std::string text;
  for (size_t i = 0; i < type.size(); ++i) {
    text += type[i];
    if (type[i] != '[')
      continue;
    StringRef dims = type.substr(i + 1, type.find(']', i) - i - 1);
    SmallVector<std::string> sizes;
    for (StringRef dim : split(dims, ',')) {
      dim = dim.trim();
      sizes.push_back(!dim.empty() && all_of(dim, isDigit) ? dim.str() : "?");
    }
    text += join(sizes, ", ");
    i += dims.size();
  }
  return text;
}

void Repl::evaluate(StringRef expression) {
  std::string value = ("let " + resultName + " = " + expression).str();
  std::optional<std::string> type =
      check(makeText("def line()", value + "\n" + resultName.str()));
  if (!type)
    return;
  CommandLine line = options;
  line.verb = Verb::Run;
  line.file = "line.arr";
  line.text = makeText("export def line() -> " + declarable(*type), expression);
  // The values of the line have no name but this.
  tool::run(line);
}

void Repl::answer(StringRef entry) {
  entry = entry.trim();
  switch (kindOf(entry)) {
  case Kind::Declaration:
    declarations.push_back(entry.str());
    if (!check(makeText("def line() -> int", "0")))
      declarations.pop_back();
    return;
  case Kind::Statement:
    statements.push_back(entry.str());
    if (!check(makeText("def line() -> int", "0")))
      statements.pop_back();
    return;
  case Kind::Expression:
    evaluate(entry);
  }
}

int Repl::run() {
  if (isTerminal)
    outs() << "a line is a declaration, a statement or an expression; 'quit' "
              "ends\n";
  std::string entry;
  while (readEntry(entry)) {
    StringRef text = StringRef(entry).split('#').first.trim();
    if (text == "quit" || text == "exit")
      break;
    if (!text.empty())
      answer(entry);
    outs().flush();
    console().flush();
  }
  if (isTerminal)
    outs() << '\n';
  return Done;
}

int arrc::tool::repl(const CommandLine &line) {
  CommandLine options;
  std::vector<std::string> words = line.rest;
  if (int code = parseWords("run", "line.arr", words, options))
    return code;
  if (!options.rest.empty() || options.isStepped() || options.check)
    return complain(WrongUse, "'arrc repl' takes what says how programs are "
                              "compiled: --target, -O, -I, -D, ..");
  if (!options.targetIsFlag)
    options.target = "cpu";
  // What is not used yet may be later.
  options.isQuiet = true;
  return Repl(std::move(options)).run();
}
