//===- ParseComps.cpp - for, if, fn and what stands in brackets -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

#include "llvm/ADT/StringSwitch.h"

using namespace arrc;
using namespace arrc::ast;

// comp = ( "for" | "stencil" ) index { "," index } [ "if" expr ] block ;
ForExpr *ParserImpl::parseComp(ArrayRef<Attr> attrs, SMLoc begin) {
  Nest nest(*this);
  if (!nest.ok)
    return nullptr;
  Token keyword = take();
  if (reportLoopOfC())
    return nullptr;
  std::vector<ForIndex> indices;
  do {
    ForIndex index;
    if (!parseIndex(index))
      return nullptr;
    indices.push_back(index);
  } while (accept(TokenKind::Comma));
  if (reportUnpacking(indices))
    return nullptr;
  Expr *condition = nullptr;
  if (accept(TokenKind::If)) {
    condition = parseExpr();
    if (!condition)
      return nullptr;
  }
  Block *body = parseBlock(keyword.text);
  if (!body)
    return nullptr;
  return context.make<ForExpr>(
      from(begin), attrs, keyword.is(TokenKind::Stencil), keyword.range(),
      context.copy(ArrayRef(indices)), condition, body);
}

/// The names that a trailing `for` may follow.
static bool isCombinator(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"sum", "prod", "min", "max", "any", "all"}, true)
      .Cases({"count", "mean", "argmin", "argmax"}, true)
      .Cases({"reduce", "scan", "exscan", "hist", "scatter"}, true)
      .Default(false);
}

Expr *ParserImpl::parseTrailingComp(Expr *head, ArrayRef<Attr> attrs,
                                    SMLoc begin) {
  auto *call = llvm::dyn_cast<CallExpr>(head);
  auto *name = llvm::dyn_cast<NameExpr>(call ? call->callee : head);
  if (!name || !isCombinator(name->name)) {
    if (at(TokenKind::For) && reportComprehension())
      return nullptr;
    if (name) {
      diags.report(diag::for_after_non_combinator, name->range, name->name)
          .note("the combinators are sum, prod, min, max, any, all, count, "
                "mean, argmin, argmax, reduce, scan, exscan, hist and scatter");
      return nullptr;
    }
    diags.report(diag::statements_on_one_line, peek().range(), describe(peek()))
        .label("begin a new line here");
    return nullptr;
  }
  if (call && reportForBehind(*call, name->name))
    return nullptr;
  ForExpr *loop = parseComp({}, peek().begin());
  if (!loop)
    return nullptr;
  return context.make<CombinatorExpr>(
      from(begin), attrs, Name{name->name, name->range},
      call ? call->args : ArrayRef<Arg>(), call != nullptr, loop);
}

// index = pattern [ "in" range ] ;
bool ParserImpl::parseIndex(ForIndex &index) {
  SMLoc begin = peek().begin();
  index = {};
  index.pattern = parsePattern();
  if (!index.pattern)
    return false;
  if (accept(TokenKind::In)) {
    index.hasRange = true;
    if (!parseRange(index.range))
      return false;
  } else if (!at(TokenKind::Comma) && !at(TokenKind::If) &&
             !at(TokenKind::LBrace) &&
             (atExprStart() || at(TokenKind::Colon) || at(TokenKind::Assign))) {
    auto *name = llvm::dyn_cast<NamePattern>(index.pattern);
    diags.report(diag::missing_in, here())
        .help(name ? "write '" + name->name.text + " in n' or '" +
                         name->name.text + " in lo:hi'"
                   : llvm::Twine("write '(x, y) in a'"));
    return false;
  }
  index.whole = from(begin);
  return true;
}

// range = expr [ ":" expr [ ":" expr ] ] ;
bool ParserImpl::parseRange(Range &range) {
  SMLoc begin = peek().begin();
  range = {};
  range.hi = parseExpr();
  if (!range.hi)
    return false;
  if (at(TokenKind::Colon) && peek(1).startsLine) {
    diags.report(diag::needs_braces, peek().range(), "for")
        .label("expected '{', found ':'")
        .help("write '{' instead of ':', and '}' behind the body");
    return false;
  }
  if (accept(TokenKind::Colon)) {
    range.lo = range.hi;
    range.hi = parseExpr();
    if (!range.hi)
      return false;
    if (accept(TokenKind::Colon)) {
      range.step = parseExpr();
      if (!range.step)
        return false;
    }
  }
  range.range = from(begin);
  return true;
}

// if = "if" expr block [ "else" ( if | block ) ] ;
Expr *ParserImpl::parseIf() {
  Nest nest(*this);
  if (!nest.ok)
    return nullptr;
  SMLoc begin = take().begin();
  Expr *condition = parseExpr();
  if (!condition)
    return nullptr;
  Block *thenBlock = parseBlock("if");
  if (!thenBlock)
    return nullptr;
  Block *elseBlock = nullptr;
  if (accept(TokenKind::Else)) {
    if (at(TokenKind::If)) {
      Expr *inner = parseIf();
      if (!inner)
        return nullptr;
      elseBlock = blockOf(inner);
    } else {
      elseBlock = parseBlock("else");
      if (!elseBlock)
        return nullptr;
    }
  } else if (peek(at(TokenKind::Newline)).is(TokenKind::Name) &&
             (peek(at(TokenKind::Newline)).text == "elif" ||
              peek(at(TokenKind::Newline)).text == "elsif" ||
              peek(at(TokenKind::Newline)).text == "elseif")) {
    accept(TokenKind::Newline);
    diags.report(diag::expected, peek().range(), "'else if'", describe(peek()))
        .help("write 'else if'");
    return nullptr;
  }
  return context.make<IfExpr>(from(begin), condition, thenBlock, elseBlock);
}

// lambda = "fn" "(" [ ID [ ":" type ] { "," ID [ ":" type ] } ] ")"
//          ( "=>" expr | block ) ;
Expr *ParserImpl::parseLambda() {
  Nest nest(*this);
  if (!nest.ok)
    return nullptr;
  SMLoc begin = take().begin();
  Token open = peek();
  if (!expect(TokenKind::LParen, "'(' and the parameters"))
    return nullptr;
  std::vector<LambdaParam> params;
  bool goesOn = !accept(TokenKind::RParen);
  while (goesOn) {
    LambdaParam param{};
    if (!expectName(param.name, "the name of a parameter"))
      return nullptr;
    if (accept(TokenKind::Colon)) {
      param.type = parseType();
      if (!param.type)
        return nullptr;
    }
    params.push_back(param);
    if (!listGoesOn(TokenKind::RParen, open, goesOn))
      return nullptr;
  }
  Block *body;
  if (accept(TokenKind::FatArrow)) {
    Expr *value = parseExpr();
    if (!value)
      return nullptr;
    body = blockOf(value);
  } else if (at(TokenKind::LBrace)) {
    body = parseBlock("fn");
    if (!body)
      return nullptr;
  } else {
    reportExpected("'=>' or '{' and the body of the function");
    return nullptr;
  }
  return context.make<LambdaExpr>(from(begin), context.copy(ArrayRef(params)),
                                  body);
}

// args = arg { "," arg } ;   arg = [ ID "=" ] expr ;
bool ParserImpl::parseArgs(std::vector<Arg> &args, const Token &open) {
  Nest nest(*this);
  if (!nest.ok)
    return false;
  bool named = false;
  bool goesOn = !accept(TokenKind::RParen);
  while (goesOn) {
    Arg arg{};
    if (at(TokenKind::Name) && nextIs(TokenKind::Assign)) {
      if (!expectName(arg.name))
        return false;
      take();
      named = true;
    } else if (named) {
      diags.report(diag::positional_after_named, here());
      return false;
    }
    arg.value = parseExpr();
    if (!arg.value || !listGoesOn(TokenKind::RParen, open, goesOn))
      return false;
    args.push_back(arg);
  }
  return true;
}

// sub = expr | [ expr ] ":" [ expr ] [ ":" expr ] ;
bool ParserImpl::parseSubs(std::vector<Sub> &subs, const Token &open) {
  Nest nest(*this);
  if (!nest.ok)
    return false;
  bool goesOn = true;
  while (goesOn) {
    SMLoc begin = peek().begin();
    Sub sub{};
    size_t endsBefore = numEnds;
    Expr *first = nullptr;
    if (!at(TokenKind::Colon)) {
      first = parseExpr();
      if (!first)
        return false;
    }
    if (accept(TokenKind::Colon)) {
      sub.isSlice = true;
      sub.lo = first;
      if (!at(TokenKind::Colon) && !at(TokenKind::Comma) &&
          !at(TokenKind::RBracket)) {
        sub.hi = parseExpr();
        if (!sub.hi)
          return false;
      }
      if (accept(TokenKind::Colon)) {
        sub.step = parseExpr();
        if (!sub.step)
          return false;
      }
    } else {
      sub.index = first;
    }
    sub.range = from(begin);
    sub.namesEnd = numEnds != endsBefore;
    subs.push_back(sub);
    if (!listGoesOn(TokenKind::RBracket, open, goesOn))
      return false;
  }
  return true;
}
