//===- LexForeign.cpp - What other languages write ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Operators, names and characters that people know from elsewhere. The message
// names ours, and parsing goes on with the token that was meant.
//
//===----------------------------------------------------------------------===//

#include "arrc/Frontend/Lexer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace arrc;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

namespace {
/// An operator, the token that was meant, and what to write.
struct ForeignOperator {
  StringRef text;
  TokenKind meant;
  StringRef help;
};
} // namespace

static const ForeignOperator foreignOperators[] = {
    {"&&", TokenKind::And, "write 'and'"},
    {"||", TokenKind::Or, "write 'or'"},
    {"<<", TokenKind::Star, "write 'shl(x, k)'"},
    {">>", TokenKind::Star, "write 'shr(x, k)'"},
    {"//=", TokenKind::SlashAssign, "write 'x = x // y'"},
    {"%=", TokenKind::SlashAssign, "write 'x = x % y'"},
    {"**=", TokenKind::SlashAssign, "write 'x = x ** y'"},
    {":=", TokenKind::Assign,
     "a new name begins with 'let' or 'var'; '=' assigns"},
    {"..=", TokenKind::Colon,
     "write 'lo:hi + 1': a range ends before its second number"},
    {"...", TokenKind::Colon,
     "a range is written 'lo:hi', as in '0:n'; a dimension that stays whole "
     "':', as in 'a[:, 0]'"},
    {"..", TokenKind::Colon, "a range is written 'lo:hi', as in '0:n'"},
    {"&", TokenKind::Star, "write 'bitand(x, y)', or 'and' for bools"},
    {"|", TokenKind::Star, "write 'bitor(x, y)', or 'or' for bools"},
    {"^", TokenKind::Star,
     "write 'x ** y' for a power, 'bitxor(x, y)' for bits"},
    {"~", TokenKind::Not, "write 'bitnot(x)'"},
    {"!", TokenKind::Not, "write 'not'"},
};

bool Lexer::startsForeign(StringRef rest) {
  return rest.starts_with("/*") ||
         llvm::any_of(foreignOperators, [&](const ForeignOperator &row) {
           return row.text.size() > 1 && rest.starts_with(row.text);
         });
}

static bool startsName(char c) { return llvm::isAlpha(c) || c == '_'; }

/// Whether an operand, not an operator, may stand behind this token.
static bool wantsOperand(TokenKind kind) {
  switch (kind) {
  case TokenKind::Name:
  case TokenKind::Int:
  case TokenKind::Float:
  case TokenKind::RParen:
  case TokenKind::RBracket:
  case TokenKind::RBrace:
    return false;
  default:
    return true;
  }
}

/// `|x|`, and the parameters of `|x, y| x + y`, which are skipped.
bool Lexer::lexBars(Token &token) {
  const char *begin = cur;
  StringRef line = StringRef(cur, end - cur).split('\n').first;
  size_t close = line.find('|', 1);
  if (!wantsOperand(last) || close == StringRef::npos)
    return false;
  StringRef inner = line.slice(1, close).trim();
  StringRef behind = line.substr(close + 1).ltrim();
  bool isFunction = !behind.empty() && (startsName(behind.front()) ||
                                        llvm::isDigit(behind.front()) ||
                                        StringRef("({-").contains(behind[0]));
  cur += close + 1;
  error(diag::foreign_operator, begin, cur, "|",
        isFunction ? ("a function is written 'fn(" + inner + ") => ..'").str()
                   : ("write 'abs(" + inner + ")'").str());
  token = make(isFunction ? TokenKind::EndOfFile : TokenKind::Int, begin);
  return true;
}

Token Lexer::lexForeign() {
  const char *begin = cur;
  StringRef rest(cur, end - cur);
  if (Token token;
      rest.starts_with("|") && !rest.starts_with("||") && lexBars(token))
    return token;
  for (const ForeignOperator &row : foreignOperators)
    if (rest.starts_with(row.text)) {
      cur += row.text.size();
      error(diag::foreign_operator, begin, cur, row.text, row.help);
      return make(row.meant, begin);
    }
  if (rest.starts_with("/*")) {
    error(diag::foreign_operator, begin, begin + 2, "/*",
          "a comment begins with '#' and ends with its line");
    size_t stop = rest.find("*/", 2);
    cur += stop != StringRef::npos ? stop + 2
                                   : std::min(rest.find('\n'), rest.size());
  } else if (*cur == ';') {
    ++cur;
    bool inList = !brackets.empty() && brackets.back() == '[';
    bool endsLine = rest.drop_front().ltrim(" \t\r").starts_with("\n");
    error(diag::semicolon, begin, cur, "",
          inList     ? "sizes stand in the type: 'f32[n, m]'; equal elements "
                       "are 'full(v, n)', rows '[[a, b], [c, d]]'"
          : endsLine ? "delete it"
                     : "begin a new line");
  } else if (static_cast<unsigned char>(*cur) >= 0x80) {
    return isLookAlike(rest) ? lexLookAlike() : lexName();
  } else {
    ++cur;
    char c = *begin;
    std::string shown = c < 0x20 || c == 0x7f
                            ? "\\x" + llvm::toHex(StringRef(begin, 1), true)
                            : std::string(1, c);
    StringRef help;
    // Text in such quotes is one mistake; behind a value it is a transposition.
    if (c == '\'' && !wantsOperand(last)) {
      help = "write 'transpose(a)'";
    } else if (c == '\'') {
      help =
          "text stands only after 'import' and in 'assert', in double quotes";
      size_t close = rest.split('\n').first.find('\'', 1);
      if (close != StringRef::npos) {
        cur = begin + close + 1;
        error(diag::unknown_character, begin, cur, shown, help);
        return make(TokenKind::String, begin);
      }
    } else if (c == '$' || c == '`') {
      help = "names have letters, digits and '_'";
    } else if (c == '\\') {
      help = "a line goes on by itself inside of '(' and '[', and behind an "
             "operator";
    }
    error(diag::unknown_character, begin, cur, shown, help);
  }
  // Says: nothing; look again.
  return make(TokenKind::EndOfFile, begin);
}

//===----------------------------------------------------------------------===//
// Characters
//===----------------------------------------------------------------------===//

namespace {
/// A character that editors and typesetting put where one of ours was meant.
struct LookAlike {
  uint32_t code;
  StringRef name;
  StringRef help;
  /// What it stands for; EndOfFile if it is only in the way.
  TokenKind meant = TokenKind::EndOfFile;
};
} // namespace

static constexpr StringRef writeSpace = "write a space";
static constexpr StringRef deleteIt = "delete it: it cannot be seen";
static constexpr StringRef writeQuote = "write '\"'";

static const LookAlike lookAlikes[] = {
    {0x00A0, "no-break space", writeSpace},
    {0x2002, "en space", writeSpace},
    {0x2003, "em space", writeSpace},
    {0x2007, "figure space", writeSpace},
    {0x2009, "thin space", writeSpace},
    {0x202F, "narrow no-break space", writeSpace},
    {0x3000, "ideographic space", writeSpace},
    {0x00AD, "soft hyphen", deleteIt},
    {0x200B, "zero-width space", deleteIt},
    {0x200C, "zero-width non-joiner", deleteIt},
    {0x200D, "zero-width joiner", deleteIt},
    {0x2060, "word joiner", deleteIt},
    {0xFEFF, "zero-width no-break space", deleteIt},
    {0x2010, "hyphen", "write '-'", TokenKind::Minus},
    {0x2011, "non-breaking hyphen", "write '-'", TokenKind::Minus},
    {0x2013, "en dash", "write '-'", TokenKind::Minus},
    {0x2014, "em dash", "write '-'", TokenKind::Minus},
    {0x2212, "minus sign", "write '-'", TokenKind::Minus},
    {0x00B7, "middle dot", "write '*'", TokenKind::Star},
    {0x00D7, "multiplication sign", "write '*'", TokenKind::Star},
    {0x2217, "asterisk operator", "write '*'", TokenKind::Star},
    {0x22C5, "dot operator", "write '*'", TokenKind::Star},
    {0x00F7, "division sign", "write '/'", TokenKind::Slash},
    {0x2044, "fraction slash", "write '/'", TokenKind::Slash},
    {0x2215, "division slash", "write '/'", TokenKind::Slash},
    {0x2264, "less-than or equal to", "write '<='", TokenKind::LessEqual},
    {0x2265, "greater-than or equal to", "write '>='", TokenKind::GreaterEqual},
    {0x2260, "not equal to", "write '!='", TokenKind::NotEqual},
    {0x2192, "rightwards arrow", "write '->'", TokenKind::Arrow},
    {0x21D2, "rightwards double arrow", "write '=>'", TokenKind::FatArrow},
    {0x2026, "horizontal ellipsis", "a range is written 'lo:hi'",
     TokenKind::Colon},
    {0x00AC, "not sign", "write 'not'", TokenKind::Not},
    {0x2227, "logical and", "write 'and'", TokenKind::And},
    {0x2228, "logical or", "write 'or'", TokenKind::Or},
    {0x2208, "element of", "write 'in'", TokenKind::In},
    {0x00B2, "superscript two", "write '** 2'"},
    {0x00B3, "superscript three", "write '** 3'"},
    {0x2018, "left single quotation mark", writeQuote},
    {0x2019, "right single quotation mark", writeQuote},
    {0x201C, "left double quotation mark", writeQuote, TokenKind::String},
    {0x201D, "right double quotation mark", writeQuote, TokenKind::String},
};

/// The row of the character that the text begins with, and its length.
static std::pair<const LookAlike *, size_t> findLookAlike(StringRef rest) {
  const auto *first = reinterpret_cast<const llvm::UTF8 *>(rest.begin());
  const auto *from = first;
  llvm::UTF32 code = 0;
  if (llvm::convertUTF8Sequence(
          &from, reinterpret_cast<const llvm::UTF8 *>(rest.end()), &code,
          llvm::strictConversion) != llvm::conversionOK)
    return {nullptr, 0};
  for (const LookAlike &row : lookAlikes)
    if (row.code == code)
      return {&row, size_t(from - first)};
  return {nullptr, 0};
}

bool Lexer::isLookAlike(StringRef rest) { return findLookAlike(rest).first; }

Token Lexer::lexLookAlike() {
  const char *begin = cur;
  StringRef rest(cur, end - cur);
  auto [row, length] = findLookAlike(rest);
  std::string shown;
  llvm::raw_string_ostream(shown)
      << llvm::format("U+%04X (", row->code) << row->name << ')';
  error(diag::look_alike, begin, begin + length, shown, row->help);
  cur += length;
  // The text in such quotes is not looked at.
  if (row->meant == TokenKind::String) {
    size_t close = rest.find("\xE2\x80\x9D", length);
    size_t newline = std::min(rest.find('\n'), rest.size());
    cur = begin + (close < newline ? close + 3 : newline);
  }
  return make(row->meant, begin);
}
