//===- ParseExprs.cpp - Expressions ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

#include <optional>

using namespace arrc;
using namespace arrc::ast;

Expr *ParserImpl::binary(BinaryOp op, SMRange opRange, Expr *lhs, Expr *rhs) {
  SMRange range(lhs->range.Start, lastEnd);
  return context.make<BinaryExpr>(range, op, opRange, lhs, rhs);
}

// expr = or { "|>" or } ;
Expr *ParserImpl::parseExpr() {
  Chain chain(*this);
  SMLoc begin = peek().begin();
  Expr *value = parseOr();
  while (value && at(TokenKind::Pipe)) {
    take();
    Expr *target = parseOr();
    if (!target || !chain.grow())
      return nullptr;
    if (auto *call = llvm::dyn_cast<CallExpr>(target)) {
      // The value is the last positional argument.
      std::vector<Arg> args(call->args.begin(), call->args.end());
      auto named =
          llvm::find_if(args, [](const Arg &arg) { return bool(arg.name); });
      args.insert(named, Arg{{}, value});
      value = context.make<CallExpr>(from(begin), call->callee,
                                     context.copy(ArrayRef(args)), true);
    } else if (llvm::isa<NameExpr, FieldExpr, LambdaExpr>(target)) {
      Arg arg{{}, value};
      value = context.make<CallExpr>(from(begin), target,
                                     context.copy(ArrayRef(arg)), true);
    } else {
      diags.report(diag::pipe_target, target->range);
      return nullptr;
    }
  }
  return value;
}

// or = and { "or" and } ;
Expr *ParserImpl::parseOr() {
  Chain chain(*this);
  Expr *lhs = parseAnd();
  while (lhs && at(TokenKind::Or)) {
    SMRange op = take().range();
    Expr *rhs = parseAnd();
    if (!rhs || !chain.grow())
      return nullptr;
    lhs = binary(BinaryOp::Or, op, lhs, rhs);
  }
  return lhs;
}

// and = not { "and" not } ;
Expr *ParserImpl::parseAnd() {
  Chain chain(*this);
  Expr *lhs = parseNot();
  while (lhs && at(TokenKind::And)) {
    SMRange op = take().range();
    Expr *rhs = parseNot();
    if (!rhs || !chain.grow())
      return nullptr;
    lhs = binary(BinaryOp::And, op, lhs, rhs);
  }
  return lhs;
}

// not = "not" not | cmp ;
Expr *ParserImpl::parseNot() {
  if (!at(TokenKind::Not))
    return parseCmp();
  Nest nest(*this);
  if (!nest.ok)
    return nullptr;
  SMRange op = take().range();
  Expr *operand = parseNot();
  if (!operand)
    return nullptr;
  return context.make<UnaryExpr>(from(op), UnaryOp::Not, op, operand);
}

static std::optional<BinaryOp> comparison(TokenKind kind) {
  switch (kind) {
  case TokenKind::Equal:
    return BinaryOp::Eq;
  case TokenKind::NotEqual:
    return BinaryOp::Ne;
  case TokenKind::Less:
    return BinaryOp::Lt;
  case TokenKind::LessEqual:
    return BinaryOp::Le;
  case TokenKind::Greater:
    return BinaryOp::Gt;
  case TokenKind::GreaterEqual:
    return BinaryOp::Ge;
  default:
    return std::nullopt;
  }
}

// cmp = sum [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) sum ] ;
Expr *ParserImpl::parseCmp() {
  Chain chain(*this);
  Expr *lhs = parseSum();
  if (!lhs)
    return nullptr;
  std::optional<BinaryOp> op = comparison(peek().kind);
  if (!op)
    return lhs;
  SMRange opRange = take().range();
  Expr *rhs = parseSum();
  if (!rhs || !chain.grow())
    return nullptr;
  if (comparison(peek().kind)) {
    diags.report(diag::comparison_chain, peek().range())
        .place(opRange, "the first comparison")
        .help("write 'a < b and b < c'");
    return nullptr;
  }
  return binary(*op, opRange, lhs, rhs);
}

// sum = term { ( "+" | "-" ) term } ;
Expr *ParserImpl::parseSum() {
  Chain chain(*this);
  Expr *lhs = parseTerm();
  while (lhs && (at(TokenKind::Plus) || at(TokenKind::Minus))) {
    Token op = take();
    Expr *rhs = parseTerm();
    if (!rhs || !chain.grow())
      return nullptr;
    lhs = binary(op.is(TokenKind::Plus) ? BinaryOp::Add : BinaryOp::Sub,
                 op.range(), lhs, rhs);
  }
  return lhs;
}

static std::optional<BinaryOp> termOp(TokenKind kind) {
  switch (kind) {
  case TokenKind::Star:
    return BinaryOp::Mul;
  case TokenKind::Slash:
    return BinaryOp::Div;
  case TokenKind::SlashSlash:
    return BinaryOp::FloorDiv;
  case TokenKind::Percent:
    return BinaryOp::Mod;
  case TokenKind::At:
    return BinaryOp::MatMul;
  default:
    return std::nullopt;
  }
}

// term = unary { ( "*" | "/" | "//" | "%" | "@" ) unary } ;
Expr *ParserImpl::parseTerm() {
  Chain chain(*this);
  Expr *lhs = parseUnary();
  while (lhs) {
    std::optional<BinaryOp> op = termOp(peek().kind);
    if (!op)
      break;
    SMRange opRange = take().range();
    Expr *rhs = parseUnary();
    if (!rhs || !chain.grow())
      return nullptr;
    lhs = binary(*op, opRange, lhs, rhs);
  }
  return lhs;
}

// unary = "-" unary | power ;
Expr *ParserImpl::parseUnary() {
  if (!at(TokenKind::Minus))
    return parsePower();
  Nest nest(*this);
  if (!nest.ok)
    return nullptr;
  SMRange op = take().range();
  bool isLiteral = at(TokenKind::Int) || at(TokenKind::Float);
  Expr *operand = parseUnary();
  if (!operand)
    return nullptr;
  // A minus before a literal belongs to it: -128 is an i8. Not in -2**2, where
  // the operand is the power.
  if (isLiteral) {
    if (auto *number = llvm::dyn_cast<IntExpr>(operand))
      return context.make<IntExpr>(from(op), number->magnitude, true);
    if (auto *number = llvm::dyn_cast<FloatExpr>(operand);
        number && !number->imaginary)
      return context.make<FloatExpr>(
          from(op), context.copy(StringRef(("-" + number->text).str())));
  }
  return context.make<UnaryExpr>(from(op), UnaryOp::Neg, op, operand);
}

// power = postfix [ "**" unary ] ;
Expr *ParserImpl::parsePower() {
  Expr *base = parsePostfix();
  if (!base || !at(TokenKind::StarStar))
    return base;
  Nest nest(*this);
  if (!nest.ok)
    return nullptr;
  SMRange op = take().range();
  Expr *exponent = parseUnary();
  if (!exponent)
    return nullptr;
  return binary(BinaryOp::Pow, op, base, exponent);
}

// postfix = { attr } primary { "(" [ args ] ")" | "[" subs "]"
//         | "." ( ID | INT ) } [ comp ] ;
Expr *ParserImpl::parsePostfix() {
  Chain chain(*this);
  SMLoc begin = peek().begin();
  // Attributes of the statement belong to the `for` that it begins with, or to
  // the assignment; those written here must belong to a `for`.
  ArrayRef<Attr> attrs = pendingAttrs;
  bool ofStatement = !attrs.empty();
  pendingAttrs = {};
  if (ofStatement) {
    begin = attrs.front().range.Start;
  } else if (at(TokenKind::At)) {
    std::vector<Attr> list;
    if (!parseAttrs(list))
      return nullptr;
    attrs = context.copy(ArrayRef(list));
  }

  Expr *expr;
  bool isComp = at(TokenKind::For) || at(TokenKind::Stencil);
  if (isComp)
    expr = parseComp(attrs, begin);
  else
    expr = parsePrimary();
  if (expr && isComp)
    attrs = {};

  while (expr) {
    if (at(TokenKind::LParen)) {
      Token open = take();
      std::vector<Arg> args;
      if (!parseArgs(args, open) || !chain.grow())
        return nullptr;
      expr = context.make<CallExpr>(SMRange(expr->range.Start, lastEnd), expr,
                                    context.copy(ArrayRef(args)), false);
    } else if (at(TokenKind::LBracket)) {
      Token open = take();
      std::vector<Sub> subs;
      if (!parseSubs(subs, open) || !chain.grow())
        return nullptr;
      expr = context.make<IndexExpr>(SMRange(expr->range.Start, lastEnd), expr,
                                     context.copy(ArrayRef(subs)));
    } else if (at(TokenKind::Dot)) {
      take();
      if (reportAfterDot())
        return nullptr;
      if (!chain.grow())
        return nullptr;
      SMLoc start = expr->range.Start;
      if (at(TokenKind::Int)) {
        Token index = take();
        expr = context.make<TupleFieldExpr>(SMRange(start, lastEnd), expr,
                                            index.value, index.range());
        continue;
      }
      Name name;
      if (!expectName(name, "a field or the number of a component"))
        return nullptr;
      expr = context.make<FieldExpr>(SMRange(start, lastEnd), expr, name);
    } else if (at(TokenKind::For) || at(TokenKind::Stencil)) {
      expr = parseTrailingComp(expr, attrs, begin);
      attrs = {};
      break;
    } else {
      break;
    }
  }
  if (!expr)
    return nullptr;
  if (!attrs.empty()) {
    if (!ofStatement) {
      diags.report(diag::attribute_in_expression, attrs.front().range);
      return nullptr;
    }
    // Back to the statement.
    pendingAttrs = attrs;
  }
  return expr;
}

bool ParserImpl::atExprStart() const {
  switch (peek().kind) {
  case TokenKind::Int:
  case TokenKind::Float:
  case TokenKind::Name:
  case TokenKind::True:
  case TokenKind::False:
  case TokenKind::Fn:
  case TokenKind::LParen:
  case TokenKind::LBracket:
  case TokenKind::Minus:
  case TokenKind::Not:
    return true;
  default:
    return false;
  }
}

Expr *ParserImpl::parsePrimary() {
  SMRange range = peek().range();
  switch (peek().kind) {
  case TokenKind::Int: {
    Token token = take();
    return context.make<IntExpr>(range, token.value, false);
  }
  case TokenKind::Float: {
    std::string text = take().text.str();
    llvm::erase(text, '_');
    bool imaginary = StringRef(text).ends_with("j");
    if (imaginary)
      text.pop_back();
    return context.make<FloatExpr>(range, context.copy(StringRef(text)),
                                   imaginary);
  }
  case TokenKind::True:
  case TokenKind::False:
    return context.make<BoolExpr>(range, take().is(TokenKind::True));
  case TokenKind::Name:
    if (reportForeignExpr())
      return nullptr;
    numEnds += peek().text == "end";
    return context.make<NameExpr>(range, take().text);
  case TokenKind::For:
  case TokenKind::Stencil:
    return parseComp({}, range.Start);
  case TokenKind::If:
    return parseIf();
  case TokenKind::Fn:
    return parseLambda();
  case TokenKind::LParen:
    return parseParens();
  case TokenKind::LBracket: {
    Nest nest(*this);
    if (!nest.ok)
      return nullptr;
    Token open = take();
    std::vector<Expr *> elements;
    bool goesOn = !accept(TokenKind::RBracket);
    while (goesOn) {
      Expr *element = parseExpr();
      if (!element || !listGoesOn(TokenKind::RBracket, open, goesOn))
        return nullptr;
      elements.push_back(element);
    }
    return context.make<ArrayExpr>(from(range),
                                   context.copy(ArrayRef(elements)));
  }
  case TokenKind::Plus: {
    std::string foreign = foreignHelpHere();
    diags.report(diag::expected, range, "an expression", describe(peek()))
        .help(!foreign.empty() ? StringRef(foreign)
              : nextIs(TokenKind::RParen) || nextIs(TokenKind::Comma)
                  ? "an operator alone is written '(+)'"
                  : "there is no '+' before a single operand");
    return nullptr;
  }
  case TokenKind::SlashSlash:
    reportExpected("an expression", "a comment begins with '#'");
    return nullptr;
  case TokenKind::Where:
    reportExpected("an expression", "a choice is written 'select(c, x, y)' or "
                                    "'if c { x } else { y }'");
    return nullptr;
  default:
    reportExpected("an expression");
    return nullptr;
  }
}

/// The operators that stand in parentheses alone.
static std::optional<BinaryOp> sectionOp(TokenKind kind) {
  switch (kind) {
  case TokenKind::Plus:
    return BinaryOp::Add;
  case TokenKind::Minus:
    return BinaryOp::Sub;
  case TokenKind::StarStar:
    return BinaryOp::Pow;
  case TokenKind::And:
    return BinaryOp::And;
  case TokenKind::Or:
    return BinaryOp::Or;
  case TokenKind::At:
    return std::nullopt;
  default:
    return termOp(kind);
  }
}

// "(" op ")" | "(" expr { "," expr } ")"
Expr *ParserImpl::parseParens() {
  Nest nest(*this);
  if (!nest.ok)
    return nullptr;
  SMLoc begin = peek().begin();
  // A section needs a third token of look-ahead: `(-)` and `(-x)`.
  if (peek(2).is(TokenKind::RParen)) {
    TokenKind inner = peek(1).kind;
    if (std::optional<BinaryOp> op = sectionOp(inner)) {
      take();
      take();
      take();
      return context.make<SectionExpr>(from(begin), *op);
    }
    if (comparison(inner) || inner == TokenKind::At ||
        inner == TokenKind::Not) {
      StringRef text = peek(1).text;
      Diagnostic &d =
          diags.report(diag::section_needs_operator, peek(1).range(), text);
      if (inner != TokenKind::Not)
        d.help("write 'fn(x, y) => x " + text + " y'");
      return nullptr;
    }
  }
  Token open = take();
  if (at(TokenKind::RParen)) {
    take();
    diags.report(diag::empty_parentheses, from(begin));
    return nullptr;
  }
  std::vector<Expr *> elements;
  bool goesOn = true, comma = false;
  while (goesOn) {
    Expr *element = parseExpr();
    if (!element)
      return nullptr;
    elements.push_back(element);
    comma |= at(TokenKind::Comma);
    if (!listGoesOn(TokenKind::RParen, open, goesOn))
      return nullptr;
  }
  if (elements.size() > 64) {
    diags.report(diag::too_many, from(begin), "components");
    return nullptr;
  }
  if (elements.size() == 1) {
    if (comma) {
      diags.report(diag::one_tuple, from(begin))
          .help("leave the comma out; sizes are arguments of their own: "
                "'zeros(n, m)'");
      return nullptr;
    }
    return elements.front();
  }
  return context.make<TupleExpr>(from(begin), context.copy(ArrayRef(elements)));
}
