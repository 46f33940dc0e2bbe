//===- Lexer.cpp - Text to tokens -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Frontend/Lexer.h"
#include "arrc/Support/SourceFile.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Error.h"

#include <algorithm>
#include <cstring>

using namespace arrc;
using llvm::StringRef;

static constexpr size_t maxNameLength = 255;

std::string arrc::describe(TokenKind kind) {
  switch (kind) {
#define TOKEN(name, text)                                                      \
  case TokenKind::name:                                                        \
    return text;
#define KEYWORD(name, text)                                                    \
  case TokenKind::name:                                                        \
    return "'" text "'";
#define PUNCT(name, text)                                                      \
  case TokenKind::name:                                                        \
    return "'" text "'";
#include "arrc/Frontend/Token.def"
  }
  llvm_unreachable("no such token");
}

std::string arrc::describe(const Token &token) {
  switch (token.kind) {
  case TokenKind::Name:
  case TokenKind::Int:
  case TokenKind::Float:
  case TokenKind::Reserved:
    if (token.text.size() <= 40)
      return ("'" + token.text + "'").str();
    return describe(token.kind);
  default:
    return describe(token.kind);
  }
}

StringRef arrc::reservedHelp(StringRef word) {
  return llvm::StringSwitch<StringRef>(word)
#define RESERVED(text, help) .Case(text, help)
#include "arrc/Frontend/Token.def"
      .Default("");
}

static TokenKind keywordKind(StringRef text) {
  return llvm::StringSwitch<TokenKind>(text)
#define KEYWORD(name, text) .Case(text, TokenKind::name)
#define RESERVED(text, help) .Case(text, TokenKind::Reserved)
#include "arrc/Frontend/Token.def"
      .Default(TokenKind::Name);
}

static bool startsName(char c) { return llvm::isAlpha(c) || c == '_'; }
static bool continuesName(char c) { return llvm::isAlnum(c) || c == '_'; }

/// Whether `name` behind a number says its type somewhere.
static bool isTypeSuffix(StringRef name) {
  static constexpr StringRef known[] = {
      "f",   "l",   "u",     "d",     "h",   "n",   "lf",  "ul",
      "ll",  "ull", "i8",    "u8",    "i16", "u16", "i32", "u32",
      "i64", "u64", "usize", "isize", "f16", "f32", "f64"};
  // Doubles of Fortran are `1.0d0`.
  bool isExponent =
      name.size() > 1 && llvm::all_of(name.drop_front(), llvm::isDigit);
  return isExponent || llvm::is_contained(known, StringRef(name.lower()));
}

bool arrc::isName(StringRef text) {
  return !text.empty() && text.size() <= maxNameLength && startsName(text[0]) &&
         llvm::all_of(text, continuesName) &&
         keywordKind(text) == TokenKind::Name;
}

Lexer::Lexer(StringRef text, DiagnosticEngine &diags)
    : text(text), diags(diags), cur(text.begin()), end(text.end()) {
  if (!checkText()) {
    cur = end;
    return;
  }
  if (text.starts_with("\xEF\xBB\xBF"))
    cur += 3;
}

void Lexer::error(diag::ID id, const char *begin, const char *end,
                  const llvm::Twine &arg, StringRef help) {
  if (isQuiet)
    return;
  Diagnostic &d = diags.report(id,
                               llvm::SMRange(llvm::SMLoc::getFromPointer(begin),
                                             llvm::SMLoc::getFromPointer(end)),
                               arg.str());
  if (!help.empty())
    d.help(help);
}

bool Lexer::checkText() {
  if (text.size() > mostSourceBytes) {
    error(diag::file_too_large, text.begin(), text.begin());
    return false;
  }
  if (size_t nul = text.find('\0'); nul != StringRef::npos) {
    error(diag::nul_character, text.begin() + nul, text.begin() + nul + 1);
    return false;
  }
  const auto *p = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  const auto *last = reinterpret_cast<const llvm::UTF8 *>(text.end());
  if (!llvm::isLegalUTF8String(&p, last)) {
    const char *bad = reinterpret_cast<const char *>(p);
    error(diag::bad_utf8, bad, bad + 1);
    return false;
  }
  return true;
}

Token Lexer::make(TokenKind kind, const char *begin) {
  Token token;
  token.kind = kind;
  token.text = StringRef(begin, cur - begin);
  return token;
}

bool arrc::endsValue(TokenKind kind) {
  switch (kind) {
  case TokenKind::Name:
  case TokenKind::Int:
  case TokenKind::Float:
  case TokenKind::String:
  case TokenKind::True:
  case TokenKind::False:
  case TokenKind::RParen:
  case TokenKind::RBracket:
  case TokenKind::RBrace:
  case TokenKind::Reserved:
    return true;
  default:
    return false;
  }
}

/// Whether a newline after this token can end a statement.
bool Lexer::endsStatement() const { return endsValue(last); }

/// Whether a line that begins with this token goes on with the one before.
static bool continuesStatement(TokenKind kind) {
  switch (kind) {
  case TokenKind::Plus:
  case TokenKind::Star:
  case TokenKind::Slash:
  case TokenKind::SlashSlash:
  case TokenKind::Percent:
  case TokenKind::StarStar:
  case TokenKind::Equal:
  case TokenKind::NotEqual:
  case TokenKind::Less:
  case TokenKind::LessEqual:
  case TokenKind::Greater:
  case TokenKind::GreaterEqual:
  case TokenKind::And:
  case TokenKind::Or:
  case TokenKind::Pipe:
  case TokenKind::Dot:
  case TokenKind::Comma:
  case TokenKind::Colon:
  case TokenKind::RParen:
  case TokenKind::RBracket:
  case TokenKind::RBrace:
  case TokenKind::LBrace:
  case TokenKind::Assign:
  case TokenKind::PlusAssign:
  case TokenKind::MinusAssign:
  case TokenKind::StarAssign:
  case TokenKind::SlashAssign:
  case TokenKind::Arrow:
  case TokenKind::FatArrow:
  case TokenKind::Else:
  case TokenKind::Where:
  case TokenKind::In:
  case TokenKind::As:
    return true;
  default:
    return false;
  }
}

Token Lexer::next() {
  Token token;
  if (hasHeld) {
    token = held;
    hasHeld = false;
  } else {
    const char *before = cur;
    token = lexRaw();
    bool inParens = !brackets.empty() && brackets.back() != '{';
    if (token.startsLine && !inParens && endsStatement() &&
        !continuesStatement(token.kind)) {
      held = token;
      hasHeld = true;
      Token newline;
      newline.kind = TokenKind::Newline;
      newline.text = StringRef(before, 0);
      last = TokenKind::Newline;
      return newline;
    }
  }

  switch (token.kind) {
  case TokenKind::LParen:
  case TokenKind::LBracket:
  case TokenKind::LBrace:
    brackets.push_back(token.text[0]);
    break;
  case TokenKind::RParen:
  case TokenKind::RBracket:
  case TokenKind::RBrace: {
    char open = token.is(TokenKind::RParen)     ? '('
                : token.is(TokenKind::RBracket) ? '['
                                                : '{';
    // A brace closes what was left open inside it.
    if (open == '{')
      while (!brackets.empty() && brackets.back() != '{' &&
             llvm::is_contained(brackets, '{'))
        brackets.pop_back();
    if (!brackets.empty() && brackets.back() == open)
      brackets.pop_back();
    break;
  }
  default:
    break;
  }
  lastWasIndex = last == TokenKind::Dot && token.is(TokenKind::Int);
  last = token.kind;
  return token;
}

Token Lexer::lexRaw() {
  bool startsLine = cur == text.begin();
again:
  // Nobody reads on behind so many errors.
  if (diags.isFull())
    cur = end;
  for (; cur != end; ++cur) {
    if (*cur == '\n')
      startsLine = true;
    else if (*cur == '#')
      cur = std::find(cur, end, '\n') - 1;
    else if (*cur != ' ' && *cur != '\t' && *cur != '\r')
      break;
  }

  Token token;
  if (cur == end) {
    token = make(TokenKind::EndOfFile, cur);
    startsLine = true;
  } else if (startsName(*cur)) {
    token = lexName();
  } else if (llvm::isDigit(*cur)) {
    token = lexNumber();
  } else if (*cur == '"') {
    token = lexString();
  } else {
    const char *begin = cur;
    StringRef rest(cur, end - cur);
    // Some that are not ours begin with an operator of ours.
    bool found = false, isForeign = startsForeign(rest);
#define PUNCT(name, spelling)                                                  \
  if (!found && !isForeign && rest.starts_with(spelling)) {                    \
    cur += sizeof(spelling) - 1;                                               \
    token = make(TokenKind::name, begin);                                      \
    found = true;                                                              \
  }
#include "arrc/Frontend/Token.def"
    if (!found) {
      token = lexForeign();
      // What means nothing is skipped, after its message; a semicolon was meant
      // to end a statement.
      if (token.is(TokenKind::EndOfFile)) {
        startsLine |= token.text == ";" || token.text.contains('\n');
        goto again;
      }
    } else if (token.is(TokenKind::Dot) && cur != end && llvm::isDigit(*cur)) {
      bool afterValue = last == TokenKind::Name || last == TokenKind::RParen ||
                        last == TokenKind::RBracket ||
                        last == TokenKind::RBrace ||
                        (last == TokenKind::Int && lastWasIndex);
      if (!afterValue) {
        const char *digits = cur;
        while (cur != end && llvm::isDigit(*cur))
          ++cur;
        error(diag::float_needs_digits, begin, cur, "",
              ("write '0." + StringRef(digits, cur - digits) + "'").str());
        token = make(TokenKind::Float, begin);
      }
    }
  }
  token.startsLine = startsLine;
  return token;
}

/// Once a file: who writes one such name writes it again.
void Lexer::reportName(const char *begin) {
  if (!saidAscii)
    error(diag::name_not_ascii, begin, cur);
  saidAscii = true;
}

Token Lexer::lexName() {
  const char *begin = cur;
  while (cur != end && continuesName(*cur))
    ++cur;
  auto isForeignLetter = [&] {
    return static_cast<unsigned char>(*cur) >= 0x80 &&
           !isLookAlike(StringRef(cur, end - cur));
  };
  if (cur != end && isForeignLetter()) {
    while (cur != end && (continuesName(*cur) || isForeignLetter()))
      ++cur;
    reportName(begin);
    return make(TokenKind::Name, begin);
  }
  StringRef name(begin, cur - begin);
  if (name.size() > maxNameLength)
    error(diag::name_too_long, begin, cur);
  return make(keywordKind(name), begin);
}

Token Lexer::lexNumber() {
  const char *begin = cur;
  auto digits = [&](auto isDigit) {
    const char *first = cur;
    while (cur != end && (isDigit(*cur) || *cur == '_'))
      ++cur;
    return StringRef(first, cur - first);
  };
  auto decimal = [](char c) { return llvm::isDigit(c); };
  auto badUnderscore = [&](StringRef part) {
    return part.starts_with("_") || part.ends_with("_") || part.contains("__");
  };
  // Everything that a reader would take for the number, after an error.
  auto skip = [&] {
    while (cur != end && continuesName(*cur))
      ++cur;
  };
  auto fail = [&](diag::ID id, const llvm::Twine &arg = "",
                  StringRef help = "") {
    std::string text = arg.str();
    skip();
    error(id, begin, cur, text, help);
    return make(TokenKind::Int, begin);
  };

  // The number of a component, `a.0.1`: digits and no point.
  if (last == TokenKind::Dot) {
    StringRef part = digits(decimal);
    Token token = make(TokenKind::Int, begin);
    if (part.size() > 1 && part[0] == '0')
      return fail(diag::leading_zero);
    if (cur != end && startsName(*cur))
      return fail(diag::number_suffix);
    if (part.getAsInteger(10, token.value))
      return fail(part.contains('_') ? diag::bad_underscore
                                     : diag::int_too_large);
    return token;
  }

  unsigned radix = 10;
  if (*cur == '0' && cur + 1 != end) {
    char c = cur[1];
    radix = c == 'x' || c == 'X' ? 16 : c == 'b' || c == 'B' ? 2 : 10;
  }
  if (radix != 10) {
    StringRef prefix(cur, 2);
    cur += 2;
    StringRef part = digits([&](char c) {
      return radix == 16 ? llvm::isHexDigit(c) : c == '0' || c == '1';
    });
    if (cur != end && continuesName(*cur))
      return fail(diag::bad_digit, llvm::Twine(*cur));
    if (part.empty())
      return fail(diag::no_digits, prefix);
    if (badUnderscore(part))
      return fail(diag::bad_underscore);
    std::string clean = part.str();
    llvm::erase(clean, '_');
    Token token = make(TokenKind::Int, begin);
    // Leading zeros of a bit pattern are fine.
    StringRef value = StringRef(clean).ltrim('0');
    if (!value.empty() && value.getAsInteger(radix, token.value))
      return fail(diag::int_too_large);
    return token;
  }

  StringRef whole = digits(decimal), fraction = "0", exponent = "0";
  bool isFloat = false;
  if (cur != end && *cur == '.' &&
      !StringRef(cur, end - cur).starts_with("..")) {
    // `1.x` is no float, but nobody means a field of a number.
    ++cur;
    fraction = digits(decimal);
    isFloat = true;
    if (fraction.empty())
      return fail(diag::float_needs_digits, "",
                  ("write '" + whole + ".0'").str());
  }
  if (cur != end && (*cur == 'e' || *cur == 'E')) {
    const char *e = cur++;
    if (cur != end && (*cur == '+' || *cur == '-'))
      ++cur;
    exponent = digits(decimal);
    isFloat = true;
    if (exponent.empty()) {
      StringRef written(e, cur - e);
      return fail(diag::no_digits, written);
    }
  }
  // An imaginary number; the parser looks at its last character.
  bool isImaginary =
      cur != end && *cur == 'j' && (cur + 1 == end || !continuesName(cur[1]));
  StringRef written(begin, cur - begin);
  if (isImaginary) {
    ++cur;
    isFloat = true;
  }
  if (cur != end && startsName(*cur)) {
    StringRef suffix(cur, 1);
    std::string help;
    if (whole == "0" && !isFloat && (suffix == "o" || suffix == "O"))
      help = "there are decimal, '0x' and '0b' numbers";
    else if ((suffix == "i" || suffix == "I" || suffix == "J") &&
             (cur + 1 == end || !continuesName(cur[1])))
      help = ("an imaginary number is written '" + written +
              "j', a product with a variable '" + written + "*" + suffix + "'")
                 .str();
    else if (StringRef name =
                 StringRef(cur, end - cur).take_while(continuesName);
             !isTypeSuffix(name))
      help = ("a product is written '" + written + "*" + name + "'").str();
    else
      help = "a literal takes the type that it meets; 'f64(0.1)' converts";
    return fail(diag::number_suffix, "", help);
  }
  if (badUnderscore(whole) || badUnderscore(fraction) ||
      badUnderscore(exponent))
    return fail(diag::bad_underscore);
  if (whole.size() > 1 && whole[0] == '0')
    return fail(diag::leading_zero);

  if (isFloat) {
    Token token = make(TokenKind::Float, begin);
    if (token.text.size() > maxNameLength)
      return fail(diag::number_too_long);
    std::string clean = written.str();
    llvm::erase(clean, '_');
    llvm::APFloat value(llvm::APFloat::IEEEdouble());
    auto status =
        value.convertFromString(clean, llvm::APFloat::rmNearestTiesToEven);
    if (!status)
      llvm::consumeError(status.takeError());
    if (!value.isFinite())
      return fail(diag::float_too_large);
    return token;
  }
  std::string clean = whole.str();
  llvm::erase(clean, '_');
  Token token = make(TokenKind::Int, begin);
  if (StringRef(clean).getAsInteger(10, token.value))
    return fail(diag::int_too_large);
  return token;
}

Token Lexer::lexString() {
  const char *begin = cur++;
  while (cur != end && *cur != '"' && *cur != '\n') {
    if (*cur == '\\' && cur + 1 != end && cur[1] != '\n') {
      if (!StringRef("nt\"\\").contains(cur[1]))
        error(diag::bad_escape, cur, cur + 2, llvm::Twine(cur[1]),
              R"(the escapes are \n, \t, \" and \\)");
      ++cur;
    }
    ++cur;
  }
  if (cur == end || *cur == '\n') {
    const char *stop = cur;
    if (stop > begin + 1 && stop[-1] == '\r')
      --stop;
    error(diag::unterminated_string, begin, stop);
  } else {
    ++cur;
  }
  return make(TokenKind::String, begin);
}
