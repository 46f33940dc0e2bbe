//===- Lexer.h - words of PTX ----------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_EMULATOR_LEXER_H
#define ARRT_TEST_EMULATOR_LEXER_H

#include <cstdint>
#include <string>
#include <vector>

namespace emulator {

/// A word (names, numbers, opcodes with their dots), a quoted text or a sign.
struct Token {
  std::string text; ///< "" at the end
  int32_t line;
  bool is(const char *what) const { return text == what; }
};

/// The words of a text without its comments; the last one is empty.
std::vector<Token> lex(const std::string &text);
/// The text's lines, without blanks around them.
std::vector<std::string> linesOf(const std::string &text);

} // namespace emulator

#endif // ARRT_TEST_EMULATOR_LEXER_H
