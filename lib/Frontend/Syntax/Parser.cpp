//===- Parser.cpp - Tokens, recovery and types ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

#include "llvm/ADT/StringExtras.h"

using namespace arrc;
using namespace arrc::ast;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

Token ParserImpl::take() {
  Token token = ahead[0];
  if (!token.is(TokenKind::Newline))
    lastEnd = token.end();
  ahead[0] = ahead[1];
  ahead[1] = ahead[2];
  ahead[2] = lexer.next();
  return token;
}

bool ParserImpl::accept(TokenKind kind) {
  if (!at(kind))
    return false;
  take();
  return true;
}

SMRange ParserImpl::here() const {
  const Token &token = ahead[0];
  // What lacks at the end of a line is reported there, not on the next line.
  if (lastEnd.isValid() &&
      (token.is(TokenKind::Newline) || token.is(TokenKind::EndOfFile)))
    return {lastEnd, lastEnd};
  return token.range();
}

static bool isKeyword(TokenKind kind) {
  switch (kind) {
#define KEYWORD(name, text) case TokenKind::name:
#include "arrc/Frontend/Token.def"
    return true;
  default:
    return false;
  }
}

void ParserImpl::reportExpected(StringRef what, StringRef help) {
  const Token &token = peek();
  if (token.is(TokenKind::Reserved)) {
    diags.report(diag::reserved_word, token.range(), token.text)
        .help(reservedHelp(token.text));
    return;
  }
  if (token.is(TokenKind::String)) {
    Diagnostic &d = diags.report(diag::string_in_expression, token.range());
    if (inAssertParens)
      d.help("write 'assert c, \"text\"', without parentheses");
    return;
  }
  std::string foreign = help.empty() ? foreignHelpHere() : help.str();
  Diagnostic &d = diags.report(diag::expected, here(), what, describe(token));
  if (!foreign.empty())
    d.help(foreign);
}

bool ParserImpl::expect(TokenKind kind, StringRef what, StringRef help) {
  if (accept(kind))
    return true;
  reportExpected(what.empty() ? StringRef(describe(kind)) : what, help);
  return false;
}

bool ParserImpl::expectClose(TokenKind kind, const Token &open) {
  if (accept(kind))
    return true;
  if (at(TokenKind::EndOfFile) || (peek().startsLine && atDeclKeyword())) {
    diags.report(diag::unclosed_bracket, open.range(), open.text);
    return false;
  }
  if (at(TokenKind::Assign)) {
    diags.report(diag::assign_in_expression, peek().range())
        .help("write '==' to compare");
    return false;
  }
  std::string what =
      (kind == TokenKind::RBrace ? describe(kind) : "',' or " + describe(kind));
  if (peek().is(TokenKind::Reserved) || peek().is(TokenKind::String)) {
    reportExpected(what);
    return false;
  }
  std::string help = foreignHelpHere();
  Diagnostic &d = diags.report(diag::expected, here(), what, describe(peek()));
  d.place(open.range(), llvm::Twine("'") + open.text + "' opened here");
  if (!help.empty())
    d.help(help);
  return false;
}

bool ParserImpl::expectName(Name &name, StringRef what) {
  if (at(TokenKind::Name)) {
    Token token = take();
    name = {token.text, token.range()};
    return true;
  }
  if (isKeyword(peek().kind)) {
    diags.report(diag::keyword_as_name, peek().range(), peek().text);
    return false;
  }
  if (at(TokenKind::Reserved) && what != "a type") {
    diags.report(diag::reserved_word, peek().range(), peek().text)
        .help("as a name choose another word");
    return false;
  }
  reportExpected(what);
  return false;
}

bool ParserImpl::listGoesOn(TokenKind close, const Token &open, bool &goesOn) {
  if (accept(TokenKind::Comma)) {
    if (accept(close)) {
      goesOn = false;
      return true;
    }
    goesOn = true;
    return true;
  }
  goesOn = false;
  return expectClose(close, open);
}

//===----------------------------------------------------------------------===//
// After an error
//===----------------------------------------------------------------------===//

bool ParserImpl::tooDeep() {
  if (!givenUp)
    diags.report(diag::nesting_too_deep, peek().range());
  // Skipping such a program piece by piece would report it again and again.
  givenUp = true;
  return false;
}

bool ParserImpl::atDeclKeyword() const {
  switch (peek().kind) {
  case TokenKind::Import:
  case TokenKind::Def:
  case TokenKind::Export:
  case TokenKind::Extern:
  case TokenKind::Struct:
  case TokenKind::Type:
  case TokenKind::Const:
    return true;
  default:
    return false;
  }
}

static bool beginsStatement(TokenKind kind) {
  return kind == TokenKind::Let || kind == TokenKind::Var ||
         kind == TokenKind::While || kind == TokenKind::Loop ||
         kind == TokenKind::Assert;
}

void ParserImpl::skipStatement(size_t bracketDepth) {
  // Brackets that the error left open would swallow the newlines.
  lexer.closeBracketsTo(bracketDepth);
  unsigned braces = 0;
  while (!at(TokenKind::EndOfFile) && !givenUp) {
    if (peek().startsLine && atDeclKeyword())
      return;
    if (braces == 0 && (at(TokenKind::Newline) || at(TokenKind::RBrace) ||
                        (peek().startsLine && beginsStatement(peek().kind))))
      return;
    if (at(TokenKind::LBrace))
      ++braces;
    else if (at(TokenKind::RBrace))
      --braces;
    take();
  }
}

void ParserImpl::skipDecl() {
  lexer.closeBracketsTo(0);
  // At least one token, unless a declaration begins right here.
  while (!at(TokenKind::EndOfFile) && !givenUp) {
    if (peek().startsLine && (atDeclKeyword() || at(TokenKind::At)))
      return;
    take();
  }
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

// type = tbase [ "[" dim { "," dim } "]" ] ;
TypeExpr *ParserImpl::parseType() {
  Nest nest(*this);
  if (!nest.ok)
    return nullptr;
  SMLoc begin = peek().begin();
  TypeExpr *base = parseTypeBase();
  if (!base || !at(TokenKind::LBracket))
    return base;
  Token open = take();
  if (at(TokenKind::RBracket)) {
    reportExpected("a size",
                   "an array is declared with its sizes: 'f32[n]', of sizes "
                   "that nobody names 'f32[?]'");
    return nullptr;
  }
  std::vector<Dim> dims;
  bool goesOn = true;
  while (goesOn) {
    Dim dim;
    if (!parseDim(dim))
      return nullptr;
    dims.push_back(dim);
    if (!listGoesOn(TokenKind::RBracket, open, goesOn))
      return nullptr;
  }
  if (dims.size() > 8) {
    diags.report(diag::rank_too_large, from(begin));
    return nullptr;
  }
  return context.make<ArrayType>(from(begin), base,
                                 context.copy(ArrayRef(dims)));
}

// tbase = ID [ "." ID ] | "(" type "," type { "," type } ")"
//       | "fn" "(" [ type { "," type } ] ")" "->" type ;
TypeExpr *ParserImpl::parseTypeBase() {
  SMLoc begin = peek().begin();
  if (at(TokenKind::LParen) || at(TokenKind::Fn)) {
    bool isFn = accept(TokenKind::Fn);
    Token open = peek();
    if (!expect(TokenKind::LParen))
      return nullptr;
    std::vector<TypeExpr *> types;
    bool goesOn = !(isFn && accept(TokenKind::RParen));
    while (goesOn) {
      TypeExpr *type = parseType();
      if (!type)
        return nullptr;
      types.push_back(type);
      if (!listGoesOn(TokenKind::RParen, open, goesOn))
        return nullptr;
    }
    if (types.size() > 64) {
      diags.report(diag::too_many, from(begin), "components");
      return nullptr;
    }
    ArrayRef<TypeExpr *> list = context.copy(ArrayRef(types));
    if (!isFn) {
      if (types.size() < 2) {
        diags.report(diag::one_tuple, from(begin));
        return nullptr;
      }
      return context.make<TupleType>(from(begin), list);
    }
    if (!expect(TokenKind::Arrow, "'->' and the type of the result"))
      return nullptr;
    TypeExpr *result = parseType();
    if (!result)
      return nullptr;
    return context.make<FnType>(from(begin), list, result);
  }
  if (at(TokenKind::LBracket)) {
    reportExpected("a type", "the sizes stand behind the type of the elements: "
                             "'f32[n, m]'");
    return nullptr;
  }
  Name module, name;
  if (!expectName(name, "a type"))
    return nullptr;
  if (accept(TokenKind::Dot)) {
    module = name;
    if (!expectName(name, "the name of a type"))
      return nullptr;
  }
  return context.make<NamedType>(from(begin), module, name);
}

// dim = "?" [ ID ] | sum ;
bool ParserImpl::parseDim(Dim &dim) {
  SMLoc begin = peek().begin();
  dim = {Dim::Kind::Size, {}, nullptr, {}};
  if (accept(TokenKind::Question)) {
    dim.kind = Dim::Kind::Unknown;
    if (at(TokenKind::Name)) {
      dim.kind = Dim::Kind::NamedUnknown;
      if (!expectName(dim.name))
        return false;
    }
  } else if (at(TokenKind::Colon)) {
    reportExpected("a size", "name the sizes: 'f32[n, m]'; a size without a "
                             "name is '?'");
    return false;
  } else {
    dim.expr = parseSum();
    if (!dim.expr)
      return false;
  }
  dim.range = from(begin);
  return true;
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

Expr *ParserImpl::parseWholeExpr() {
  Expr *expr = parseExpr();
  accept(TokenKind::Newline);
  if (expr && !at(TokenKind::EndOfFile)) {
    reportExpected("the end of the expression");
    return nullptr;
  }
  return expr;
}

TypeExpr *ParserImpl::parseWholeType() {
  TypeExpr *type = parseType();
  accept(TokenKind::Newline);
  if (type && !at(TokenKind::EndOfFile)) {
    reportExpected("the end of the type");
    return nullptr;
  }
  return type;
}

void arrc::parseModule(StringRef text, Context &context, Module &module,
                       DiagnosticEngine &diags) {
  ParserImpl(text, context, diags).parseProgram(module);
}

Expr *arrc::parseExpression(StringRef text, Context &context,
                            DiagnosticEngine &diags) {
  return ParserImpl(text, context, diags).parseWholeExpr();
}

TypeExpr *arrc::parseType(StringRef text, Context &context,
                          DiagnosticEngine &diags) {
  return ParserImpl(text, context, diags).parseWholeType();
}
