//===- Parser.h - the statements of PTX ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_EMULATOR_PARSER_H
#define ARRT_TEST_EMULATOR_PARSER_H

#include "emulator/Decoder.h"
#include "emulator/Lexer.h"

namespace emulator {

/// Reads a text into a module, statement after statement: operands are looked
/// up here, the Decoder makes the instruction.
class Parser {
public:
  Parser(Module &module, const std::string &text)
      : module(module), tokens(lex(text)) {}
  void run();

private:
  /// What a name of a function stands for.
  struct Symbol {
    enum Kind { reg, predicate, memory } kind;
    int32_t slot = -1;
    int32_t bytes = 0;
    Variable variable;
  };
  using Scope = std::map<std::string, Symbol>;

  // Words.
  const Token &peek(size_t ahead = 0) const {
    return tokens[std::min(at + ahead, tokens.size() - 1)];
  }
  Token next() { return tokens[at + 1 < tokens.size() ? at++ : at]; }
  bool accept(const char *what);
  void expect(const char *what);
  [[noreturn]] void fail(const std::string &why) const;
  uint64_t number();

  // Directives.
  void parseModuleDirective();
  void parseVariable(Space space, bool isInFunction);
  void parseInitial(const Variable &variable, Type type);
  void parseFunction(bool isEntry);
  Variable parseParameter(uint64_t &size, Space space, std::string &name);
  void skipFunctionDirectives();
  void parseRegisters();

  // Bodies.
  void parseBody();
  void parseStatement();
  void parseTargets(const std::string &label);
  void resolveTargets();
  Operand parseOperand();
  Operand parseName();
  Operand parseLiteral(bool isNegative);
  Operand parsePlace();
  const Symbol *find(const std::string &name) const;
  bool isSpecial(const std::string &name, Source &source, uint64_t &value);

  Module &module;
  std::vector<Token> tokens;
  size_t at = 0;
  Function *function = nullptr;
  std::vector<Scope> scopes;
  std::map<std::string, int32_t> labels;
  std::map<std::string, std::vector<std::string>> targetLists;
  /// Branches whose target is a name so far: instruction, name.
  std::vector<std::pair<size_t, std::string>> unresolved;
};

} // namespace emulator

#endif // ARRT_TEST_EMULATOR_PARSER_H
