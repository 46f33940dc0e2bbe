//===- ParseForeign.cpp - Forms of other languages ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What people write by the habits of C, Python, Julia, Fortran or Rust. Each
// form is one message that shows the same thing in this language, made from
// the words that were written.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"
#include "StandardLibrary.h"

#include "llvm/ADT/StringExtras.h"

using namespace arrc;
using namespace arrc::ast;

/// Where the bracket that `text` leaves open is closed in it, or npos.
static size_t findClose(StringRef text) {
  unsigned depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (StringRef("([{").contains(text[i]))
      ++depth;
    else if (StringRef(")]}").contains(text[i]) && depth-- == 0)
      return i;
  }
  return StringRef::npos;
}

/// Where the bracket stands that `text` leaves open, or npos.
static size_t findOpen(StringRef text) {
  unsigned depth = 0;
  for (size_t i = text.size(); i-- > 0;) {
    if (StringRef(")]}").contains(text[i]))
      ++depth;
    else if (StringRef("([{").contains(text[i]) && depth-- == 0)
      return i;
  }
  return StringRef::npos;
}

/// `range(n)` as `n`, `range(lo, hi)` as `lo:hi`.
static std::string withoutRange(StringRef text) {
  size_t at = text.find("range(");
  if (at == StringRef::npos)
    return text.str();
  StringRef inner = text.substr(at + 6);
  size_t close = findClose(inner);
  if (close == StringRef::npos)
    return text.str();
  std::string range;
  for (char c : inner.take_front(close))
    range += c == ',' ? ':' : c;
  size_t blank;
  while ((blank = range.find(": ")) != std::string::npos)
    range.erase(blank + 1, 1);
  return (text.take_front(at) + range + inner.drop_front(close + 1)).str();
}

/// Whether the text behind a `for` has an index with a range, or bare ones.
static bool hasIndices(StringRef behind) {
  StringRef bare = behind.take_front(behind.find(" if "));
  return behind.contains(" in ") || llvm::all_of(bare, [](char c) {
           return llvm::isAlnum(c) || StringRef("_, ").contains(c);
         });
}

bool ParserImpl::reportComprehension() {
  StringRef before = lexer.lineBefore(peek().begin());
  StringRef behind = lexer.lineFrom(peek().begin());
  size_t open = findOpen(before), close = findClose(behind);
  if (open == StringRef::npos || close == StringRef::npos ||
      !hasIndices(behind.take_front(close)))
    return false;
  StringRef element = before.drop_front(open + 1).trim();
  StringRef head = before.take_front(open);
  // `sum(x for ..)` is `sum for ..`; of a list alone there is no name.
  size_t name = head.find_last_not_of(
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  StringRef called =
      before[open] == '('
          ? head.drop_front(name == StringRef::npos ? 0 : name + 1)
          : "";
  diags.report(diag::foreign_form, peek().range(), "a comprehension of Python")
      .help("write '" + called + (called.empty() ? "" : " ") +
            withoutRange(behind.take_front(close).rtrim()) + " { " + element +
            " }'");
  return true;
}

/// The indices at the beginning of what stands behind a `for`, with a
/// condition: a comma may also belong to what is around.
static StringRef indicesIn(StringRef behind) {
  for (size_t at = behind.find(','); at != StringRef::npos;
       at = behind.find(',', at + 1)) {
    StringRef next = behind.drop_front(at + 1);
    next = next.take_front(next.find(','));
    bool inBrackets = findClose(behind.take_front(at)) != StringRef::npos ||
                      findOpen(behind.take_front(at)) != StringRef::npos;
    if (!inBrackets && !next.contains(" in ") &&
        !isName(next.take_front(next.find(" if ")).trim()))
      return behind.take_front(at);
  }
  return behind;
}

/// `sum(e) for i in n`, at the `for`.
bool ParserImpl::reportForBehind(const CallExpr &call, StringRef combinator) {
  StringRef behind = lexer.lineFrom(peek().begin());
  behind = behind.take_front(behind.find('#'));
  behind = indicesIn(behind.take_front(findClose(behind)).rtrim());
  // An operator and what else stands before the `for` is in parentheses.
  bool takesMore = combinator == "reduce" || combinator.ends_with("scan") ||
                   combinator == "hist" || combinator == "scatter";
  if (takesMore || call.args.size() != 1 || call.args[0].name ||
      behind.contains('{') || !hasIndices(behind))
    return false;
  SMRange body = call.args[0].value->range;
  diags.report(diag::needs_braces, peek().range(), peek().text)
      .help("write '" + combinator + " " + behind + " { " +
            lexer.between(body.Start, body.End) + " }'");
  return true;
}

/// `for (int i = 0; i < n; i++)`, at the parenthesis.
bool ParserImpl::reportLoopOfC() {
  bool declares = peek(1).is(TokenKind::Name) && peek(2).is(TokenKind::Name);
  bool assigns = peek(1).is(TokenKind::Name) && peek(2).is(TokenKind::Assign);
  StringRef behind = lexer.lineFrom(peek().begin());
  if (!at(TokenKind::LParen) || !(declares || assigns) || !behind.contains(';'))
    return false;
  StringRef index = peek(declares ? 2 : 1).text;
  diags.report(diag::foreign_form, peek().range(), "the 'for' of C")
      .help("write 'loop " + index +
            " in lo:hi { .. }' for steps in order, 'for " + index +
            " in lo:hi { .. }' for the values of an array");
  // Its semicolons are no mistakes of their own.
  lexer.beQuiet(true);
  unsigned depth = 0;
  while (!at(TokenKind::EndOfFile)) {
    if (at(TokenKind::LParen))
      ++depth;
    if (take().is(TokenKind::RParen) && --depth == 0)
      break;
    if (peek().startsLine && depth == 0)
      break;
  }
  lexer.beQuiet(false);
  return true;
}

/// Whether a name is what people call an index.
static bool isIndexName(StringRef name) {
  return name.size() == 1 && StringRef("_ijkqst").contains(name[0]);
}

/// `loop rounds {`, `loop 10 {`, `loop k = 0:n {`: a `loop` without `in`, at
/// what stands behind the word.
bool ParserImpl::reportLoopOfCount() {
  bool isName = at(TokenKind::Name);
  if (isName && nextIs(TokenKind::In) && !peek().startsLine)
    return false;
  if (at(TokenKind::LBrace) || peek().startsLine) {
    diags.report(diag::missing_in, here())
        .help("write 'loop k in n { }' for n steps, 'while c { }' for as long "
              "as a condition holds");
    return true;
  }
  StringRef over = lexer.lineFrom(peek().begin());
  over = over.take_front(over.find('#')).rtrim();
  over = over.take_until([](char c) { return c == '{'; }).rtrim(" :");
  if (over.consume_front("while ") || over.consume_front("until ")) {
    std::string condition = over.trim().str();
    diags.report(diag::missing_in, peek().range())
        .help(peek().text == "while"
                  ? "write 'while " + condition + " { }', without 'loop'"
                  : "write 'while not (" + condition + ") { }'");
    return true;
  }
  bool isCount = over.consume_back(" times");
  // `(k in n)`, `(10)`.
  if (over.starts_with("(") && findClose(over.drop_front()) + 2 == over.size())
    over = over.drop_front().drop_back().trim();
  if (at(TokenKind::LParen) && over.contains(" in ")) {
    diags.report(diag::missing_in, peek().range())
        .help("write 'loop " + over + " { }', without parentheses");
    return true;
  }
  if (isName && nextIs(TokenKind::Comma) && over.contains(" in ")) {
    diags.report(diag::missing_in, peek(1).range())
        .help(
            "a 'loop' has one index: write 'loop i in n { loop j in m { } }'");
    return true;
  }
  std::string index = "k";
  bool isIndex = isName && !isCount &&
                 (isIndexName(peek().text) || nextIs(TokenKind::Assign) ||
                  nextIs(TokenKind::Comma) || nextIs(TokenKind::Name));
  if (isIndex) {
    // `k = 0:n`, `k of n`: the index, then what it goes over.
    index = peek().text.str();
    over = over.drop_front(index.size()).ltrim(" =,:");
    for (StringRef word : {"of ", "over ", "from "})
      if (over.consume_front(word))
        break;
  }
  if (over.empty())
    over = "lo:hi";
  diags.report(diag::missing_in, isIndex ? peek(1).range() : peek().range())
      .help("write 'loop " + index + " in " + over + " { }'");
  return true;
}

bool ParserImpl::reportUnpacking(ArrayRef<ForIndex> indices) {
  if (indices.size() < 2 || !indices.back().hasRange ||
      indices.front().hasRange)
    return false;
  auto *call = llvm::dyn_cast_or_null<CallExpr>(indices.back().range.hi);
  auto *callee = call ? llvm::dyn_cast<NameExpr>(call->callee) : nullptr;
  if (!callee || (callee->name != "zip" && callee->name != "enumerate"))
    return false;
  StringRef names = lexer.between(indices.front().whole.Start,
                                  indices.back().pattern->range.End);
  StringRef over = lexer.between(call->range.Start, call->range.End);
  Diagnostic &d = diags.report(diag::foreign_form, indices.front().whole,
                               "an unpacking of Python");
  if (callee->name == "zip")
    d.help("write '(" + names + ") in " + over + "'");
  else
    d.help("an index has a name already: 'for i { f(i, a[i]) }'");
  return true;
}

/// What the lambda at `word` would be here; `arrow` ends its parameters.
static std::string lambdaHelp(StringRef params, StringRef body) {
  size_t stop = findClose(body);
  // A comma ends it, unless it stands in brackets.
  unsigned depth = 0;
  for (size_t i = 0; i < body.size(); ++i) {
    if (StringRef("([{").contains(body[i]))
      ++depth;
    else if (StringRef(")]}").contains(body[i]))
      --depth;
    else if (body[i] == ',' && depth == 0) {
      stop = std::min(stop, i);
      break;
    }
  }
  return ("write 'fn(" + params.trim() + ") => " +
          body.take_front(stop).trim() + "'")
      .str();
}

bool ParserImpl::reportForeignExpr() {
  if (peek(1).startsLine)
    return false;
  StringRef word = peek().text;
  if ((word == "lambda" || word == "function") &&
      (nextIs(TokenKind::Name) || nextIs(TokenKind::Colon))) {
    auto [params, body] =
        lexer.lineFrom(peek().begin()).drop_front(word.size()).split(':');
    diags.report(diag::foreign_form, peek().range(), "a function of Python")
        .help(lambdaHelp(params, body));
    return true;
  }
  if (word == "new" && nextIs(TokenKind::Name)) {
    diags.report(diag::foreign_form, peek().range(), "a 'new' of C++")
        .help("a struct is built by a call: leave out 'new'");
    return true;
  }
  // einsum("..") and the like say more than that there are no strings.
  if (nextIs(TokenKind::LParen) && peek(2).is(TokenKind::String)) {
    StringRef help = foreignHelp(word);
    if (help.empty())
      return false;
    diags.report(diag::unknown_name, peek().range(), word).help(help);
    return true;
  }
  return false;
}

/// Names that are types somewhere.
static bool isTypeWord(StringRef word) {
  static constexpr StringRef own[] = {
      "int", "bool", "i8",  "i16",  "i32", "i64", "u8",  "u16",
      "u32", "u64",  "f16", "bf16", "f32", "f64", "c64", "c128"};
  return llvm::is_contained(own, word) || !foreignTypeHelp(word).empty();
}

bool ParserImpl::reportParameterOfC(const Name &type, StringRef what) {
  if (!at(TokenKind::Name) || !isTypeWord(type.text))
    return false;
  StringRef own = type.text, help = foreignTypeHelp(own);
  if (help.consume_front("write '"))
    own = help.take_until([](char c) { return c == '\''; });
  else if (!help.empty())
    own = "f32";
  diags.report(diag::foreign_form, type.range, ("a " + what + " of C").str())
      .help("the type stands behind the name: '" + peek().text + ": " + own +
            (nextIs(TokenKind::LBracket) ? "[n]'" : "'"));
  return true;
}

std::string ParserImpl::importHelp() {
  StringRef path = lexer.lineFrom(peek().begin()).take_until([](char c) {
    return c == ' ' || c == '\t' || c == '#';
  });
  std::string file = nearStandardFile(path);
  if (file.empty() && path.contains('/'))
    file = path.ends_with(".arr") ? path.str() : (path + ".arr").str();
  return "write 'import \"" + (file.empty() ? "vec.arr" : file) + "\"'";
}

bool ParserImpl::reportForeignStatement() {
  if (!at(TokenKind::Name) || peek(1).startsLine ||
      !(nextIs(TokenKind::Name) || nextIs(TokenKind::LBrace) ||
        nextIs(TokenKind::LParen) || nextIs(TokenKind::If) ||
        nextIs(TokenKind::Fn) || nextIs(TokenKind::Int) ||
        nextIs(TokenKind::Colon)))
    return false;
  StringRef word = peek().text;
  if (nextIs(TokenKind::Name) && isTypeWord(word)) {
    StringRef name = peek(1).text;
    StringRef line = lexer.lineFrom(peek(1).begin());
    StringRef value = line.split('=').second.split(';').first.split('#').first;
    diags.report(diag::foreign_form, peek().range(), "a declaration of C")
        .help("write 'var " + name + " = " +
              (value.trim().empty() ? StringRef("..") : value.trim()) +
              "', or 'let' if it stays as it is");
    return true;
  }
  StringRef help = foreignStatementHelp(word);
  // A call may be a function of theirs.
  if (help.empty() || (nextIs(TokenKind::LParen) && word != "switch") ||
      nextIs(TokenKind::Colon))
    return false;
  diags.report(diag::foreign_word, peek().range(), word).help(help);
  return true;
}

std::string ParserImpl::foreignHelpHere() {
  const Token &token = peek();
  StringRef before = lexer.lineBefore(token.begin());
  switch (token.kind) {
  case TokenKind::Arrow:
  case TokenKind::FatArrow: {
    StringRef params = before.rtrim();
    if (params.consume_back(")")) {
      size_t open = findOpen(params);
      params = open == StringRef::npos ? "" : params.drop_front(open + 1);
    } else {
      params = params.rsplit(' ').second;
      params = params.drop_front(params.find_last_of("([,") + 1);
    }
    StringRef body = lexer.lineFrom(token.begin()).drop_front(2);
    StringRef type = body.trim().take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (isTypeWord(params) && isTypeWord(type))
      return ("a type of functions is written 'fn(" + params + ") -> " + type +
              "'")
          .str();
    return params.empty() ? "" : lambdaHelp(params, body);
  }
  case TokenKind::LBracket: {
    // `f32[n][m]`
    size_t open = before.rfind('[');
    StringRef sizes = before.drop_front(std::min(open, before.size()));
    if (!sizes.consume_back("]"))
      return "";
    StringRef type = before.take_front(open);
    type = type.drop_front(type.find_last_of(" (,:") + 1);
    StringRef rest = lexer.lineFrom(token.begin()).drop_front(1);
    rest = rest.take_front(rest.find(']'));
    return isTypeWord(type) ? ("all sizes stand in one pair of brackets: '" +
                               type + sizes + ", " + rest.trim() + "]'")
                                  .str()
                            : "";
  }
  case TokenKind::Plus:
    // `i++`, `++i`
    if (before.ends_with("+") ||
        lexer.lineFrom(token.begin()).starts_with("++"))
      return "write 'i += 1'";
    return "";
  case TokenKind::Newline:
  case TokenKind::RBrace:
    if (lexer.lineBefore(here().Start).ends_with("--"))
      return "write 'i -= 1'";
    return "";
  case TokenKind::As:
    if (nextIs(TokenKind::Name))
      return ("a conversion is a call of the type: '" + peek(1).text + "(..)'")
          .str();
    return "";
  case TokenKind::Name:
    // `(float) x`
    if (before.rtrim().ends_with(")")) {
      StringRef type = before.rtrim().drop_back();
      size_t open = findOpen(type);
      if (open != StringRef::npos && isTypeWord(type.drop_front(open + 1)))
        return ("a conversion is a call of the type: 'f32(" + token.text + ")'")
            .str();
    }
    return "";
  case TokenKind::Star:
    // `float*`
    if (isTypeWord(before.drop_front(before.find_last_of(" :(") + 1)))
      return "an array is declared with its sizes: 'f32[n]'";
    return "";
  default:
    return "";
  }
}

bool ParserImpl::reportAfterDot() {
  static constexpr std::pair<TokenKind, StringRef> operators[] = {
      {TokenKind::Star, "*"},       {TokenKind::Plus, "+"},
      {TokenKind::Minus, "-"},      {TokenKind::Slash, "/"},
      {TokenKind::StarStar, "**"},  {TokenKind::Less, "<"},
      {TokenKind::Greater, ">"},    {TokenKind::Equal, "=="},
      {TokenKind::LessEqual, "<="}, {TokenKind::GreaterEqual, ">="},
      {TokenKind::NotEqual, "!="},  {TokenKind::Percent, "%"}};
  SMRange range = peek().range();
  for (auto [kind, text] : operators)
    if (at(kind)) {
      diags
          .report(diag::foreign_form, range,
                  "an operator of Julia, '." + text + "'")
          .help("operators work on arrays element by element: write 'a " +
                text + " b'");
      return true;
    }
  if (at(TokenKind::LParen)) {
    diags.report(diag::foreign_form, range, "a call of Julia, 'f.(x)'")
        .help("a function of scalars maps over arrays by itself: write 'f(x)'");
    return true;
  }
  if (at(TokenKind::And) || at(TokenKind::Or) || at(TokenKind::Not)) {
    diags.report(diag::foreign_form, range, "an operator of Fortran")
        .help("write '" + peek().text + "'");
    return true;
  }
  if (at(TokenKind::Where)) {
    diags.report(diag::keyword_as_name, range, "where")
        .help("a choice is written 'select(c, x, y)' or 'if c { x } else { y "
              "}'");
    return true;
  }
  return false;
}

/// `P { x: a, y: b }` at the brace, or "".
std::string ParserImpl::structHelp() {
  if (!at(TokenKind::LBrace) || !peek(1).is(TokenKind::Name) ||
      !peek(2).is(TokenKind::Colon))
    return "";
  StringRef before = lexer.lineBefore(peek().begin()).rtrim();
  StringRef name = before.drop_front(before.find_last_of(" (=,") + 1);
  StringRef inner = lexer.lineFrom(peek().begin()).drop_front(1);
  size_t close = findClose(inner);
  if (name.empty() || close == StringRef::npos)
    return "";
  std::string fields;
  for (char c : inner.take_front(close).trim())
    fields += c == ':' ? std::string(" =") : std::string(1, c);
  return ("a struct is built by a call: '" + name + "(" + fields + ")'").str();
}
