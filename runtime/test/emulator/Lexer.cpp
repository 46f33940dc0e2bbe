//===- Lexer.cpp - words of PTX -------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "emulator/Lexer.h"

#include <cctype>
#include <cstring>

using namespace emulator;

static bool isWord(char c) {
  return c && (std::isalnum(static_cast<unsigned char>(c)) ||
               std::strchr("_$%.", c));
}

std::vector<Token> emulator::lex(const std::string &text) {
  std::vector<Token> tokens;
  int32_t line = 1;
  size_t i = 0, n = text.size();
  auto startsWith = [&](const char *what) {
    return text.compare(i, std::strlen(what), what) == 0;
  };
  while (i < n && text[i]) {
    char c = text[i];
    if (c == '\n')
      ++line;
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++i;
    } else if (startsWith("//")) {
      while (i < n && text[i] != '\n')
        ++i;
    } else if (startsWith("/*")) {
      for (; i < n && !startsWith("*/"); ++i)
        line += text[i] == '\n';
      i += 2;
    } else if (c == '"') {
      size_t end = text.find('"', i + 1);
      end = end == std::string::npos ? n : end + 1;
      tokens.push_back({text.substr(i, end - i), line});
      i = end;
    } else if (isWord(c)) {
      size_t end = i;
      // `::` is part of an opcode: shared::cta.
      while (end < n && (isWord(text[end]) || text.compare(end, 2, "::") == 0))
        end += text[end] == ':' ? 2 : 1;
      tokens.push_back({text.substr(i, end - i), line});
      i = end;
    } else {
      tokens.push_back({std::string(1, c), line});
      ++i;
    }
  }
  tokens.push_back({"", line});
  return tokens;
}

std::vector<std::string> emulator::linesOf(const std::string &text) {
  std::vector<std::string> lines;
  size_t begin = 0;
  while (begin < text.size()) {
    size_t end = text.find('\n', begin);
    if (end == std::string::npos)
      end = text.size();
    size_t first = text.find_first_not_of(" \t\r", begin);
    size_t last = text.find_last_not_of(" \t\r", end ? end - 1 : 0);
    lines.push_back(first < end && last >= first && last != std::string::npos
                        ? text.substr(first, last - first + 1)
                        : "");
    for (char &c : lines.back())
      c = c == '\t' ? ' ' : c;
    begin = end + 1;
  }
  return lines;
}
