//===- ParseStmts.cpp - Blocks and statements -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

#include <utility>

using namespace arrc;
using namespace arrc::ast;

Block *ParserImpl::blockOf(Expr *expr) {
  Stmt *stmt = context.make<ExprStmt>(expr);
  return context.make<Block>(expr->range, context.copy(ArrayRef(stmt)));
}

/// What stands behind a whole statement or declaration on its line.
void ParserImpl::reportLeftOver(diag::ID id) {
  Diagnostic &d = diags.report(id, peek().range(), describe(peek()));
  if (at(TokenKind::If) || at(TokenKind::Question))
    d.help("a choice is written 'if c { x } else { y }'");
  else if (lexer.lineBefore(peek().begin()).contains("//"))
    d.help("a comment begins with '#': '//' divides");
  else if (std::string help = structHelp(); !help.empty())
    d.help(help);
  else if (std::string help = foreignHelpHere(); !help.empty())
    d.help(help);
  else if (atClose())
    d.help("'" + peek().text + "' closes nothing");
  else if (std::string help = tupleHelp(); !help.empty())
    d.help(help);
  else
    d.label("begin a new line here");
}

/// What `line` is as one value.
static std::string inParentheses(StringRef line) {
  return ("several values stand in parentheses: '(" +
          line.split('#').first.rtrim(" \t}") + ")'")
      .str();
}

/// For `.. = x, y`.
std::string ParserImpl::tupleHelp() {
  auto [before, first] = lexer.lineBefore(peek().begin()).rsplit(" = ");
  if (!at(TokenKind::Comma) || first.empty() || first.contains('{'))
    return "";
  StringRef rest = lexer.lineFrom(peek().begin());
  return inParentheses((first + rest).str());
}

// block = "{" { stmt NL } [ stmt ] "}" ;
Block *ParserImpl::parseBlock(StringRef owner) {
  Nest nest(*this);
  if (!nest.ok)
    return nullptr;
  if (!at(TokenKind::LBrace)) {
    if (at(TokenKind::Assign)) {
      diags.report(diag::assign_in_expression, peek().range())
          .help("write '==' to compare");
      return nullptr;
    }
    if (at(TokenKind::Reserved)) {
      reportExpected("'{'");
      return nullptr;
    }
    std::string found = describe(peek());
    StringRef rest = lexer.lineFrom(here().Start).trim();
    Diagnostic &d = diags.report(diag::needs_braces, here(), owner);
    d.label("expected '{', found " + found);
    if (at(TokenKind::Colon))
      d.help("write '{' instead of ':', and '}' behind the body");
    else if (owner == "if" && rest.starts_with("then "))
      d.help("a choice is written 'if c { x } else { y }'");
    else if (!rest.empty() && rest.size() < 40 && !rest.contains('{') &&
             !rest.contains('}'))
      d.help("write '{ " + rest.split('#').first.rtrim() + " }'");
    return nullptr;
  }
  Token open = take();
  // What the lexer had read ahead may have opened or closed more, but after an
  // error only the brackets inside this block are forgotten.
  size_t bracketDepth = lexer.bracketDepth();
  for (const Token &token : ahead) {
    bool opens = token.is(TokenKind::LParen) || token.is(TokenKind::LBracket) ||
                 token.is(TokenKind::LBrace);
    bool closes = token.is(TokenKind::RParen) ||
                  token.is(TokenKind::RBracket) || token.is(TokenKind::RBrace);
    if (opens && bracketDepth)
      --bracketDepth;
    else if (closes)
      ++bracketDepth;
  }

  std::vector<Stmt *> stmts;
  bool ok = true;
  while (true) {
    while (accept(TokenKind::Newline)) {
    }
    if (accept(TokenKind::RBrace))
      break;
    if (givenUp || diags.isFull())
      return nullptr;
    bool beginsDecl = peek().startsLine && atDeclKeyword() &&
                      lexer.lineBefore(peek().begin()).empty();
    if (at(TokenKind::EndOfFile) || beginsDecl) {
      diags.report(diag::unclosed_bracket, open.range(), "{");
      return nullptr;
    }
    Token first = peek();
    Stmt *stmt = parseStmt();
    if (stmt && (at(TokenKind::Newline) || at(TokenKind::RBrace))) {
      stmts.push_back(stmt);
      continue;
    }
    if (stmt && at(TokenKind::EndOfFile))
      continue;
    if (stmt) {
      if (at(TokenKind::Assign))
        diags.report(diag::assignment_needs_place, peek().range())
            .help("write each in a line of its own");
      else if (at(TokenKind::Comma) && llvm::isa<ExprStmt>(stmt))
        diags
            .report(diag::expected, peek().range(), "the end of the statement",
                    describe(peek()))
            .help(inParentheses(lexer.lineFrom(first.begin())));
      else if (at(TokenKind::Equal) || at(TokenKind::RParen) ||
               at(TokenKind::RBracket) || at(TokenKind::Comma) ||
               at(TokenKind::Colon) || at(TokenKind::Reserved) ||
               at(TokenKind::String))
        reportExpected(
            "the end of the statement",
            atClose() ? ("'" + peek().text + "' closes nothing").str() : "");
      else
        reportLeftOver(diag::statements_on_one_line);
    }
    ok = false;
    if (peek().text.data() == first.text.data() && !at(TokenKind::RBrace))
      take();
    skipStatement(bracketDepth);
  }
  if (!ok)
    return nullptr;
  return context.make<Block>(from(open.begin()), context.copy(ArrayRef(stmts)));
}

Stmt *ParserImpl::parseStmt() {
  SMLoc begin = peek().begin();
  if (reportForeignStatement())
    return nullptr;
  switch (peek().kind) {
  case TokenKind::Let:
  case TokenKind::Var:
    return parseLet();
  case TokenKind::While:
    return parseWhile();
  case TokenKind::Loop:
    return parseLoop(begin, {});
  case TokenKind::Assert:
    return parseAssert();
  case TokenKind::Import:
  case TokenKind::Def:
  case TokenKind::Export:
  case TokenKind::Extern:
  case TokenKind::Struct:
  case TokenKind::Type:
  case TokenKind::Const: {
    Diagnostic &d =
        diags.report(diag::declaration_in_block, peek().range(), peek().text);
    if (at(TokenKind::Const))
      d.help("inside a block write 'let'");
    else if (at(TokenKind::Def))
      d.help("inside a block write 'let f = fn(x) => ...'");
    return nullptr;
  }
  case TokenKind::Minus:
    // Only a line that is not the first of its block: `{ -x }` is fine.
    if (peek().startsLine && lastEnd.isValid() &&
        lastEnd.getPointer()[-1] != '{') {
      diags.report(diag::line_starts_with_minus, peek().range())
          .help("to go on with the line before, put '-' at its end; to begin "
                "a statement, write '0 - ...' or parentheses");
      return nullptr;
    }
    break;
  case TokenKind::At: {
    std::vector<Attr> list;
    if (!parseAttrs(list))
      return nullptr;
    ArrayRef<Attr> attrs = context.copy(ArrayRef(list));
    if (at(TokenKind::Loop))
      return parseLoop(begin, attrs);
    if (at(TokenKind::Let) || at(TokenKind::Var) || at(TokenKind::While) ||
        at(TokenKind::Assert)) {
      diags.report(diag::attributes_here, attrs.front().range);
      return nullptr;
    }
    return parseAssignOrExpr(begin, attrs);
  }
  default:
    break;
  }
  return parseAssignOrExpr(begin, {});
}

// ( "let" | "var" ) pattern [ ":" type ] "=" expr
Stmt *ParserImpl::parseLet() {
  Token keyword = take();
  if (at(TokenKind::Name) && peek().text == "mut" && nextIs(TokenKind::Name)) {
    diags.report(diag::foreign_form, peek().range(), "a 'let mut' of Rust")
        .help("write 'var " + peek(1).text + " = ..'");
    return nullptr;
  }
  Pattern *pattern = parsePattern();
  if (!pattern)
    return nullptr;
  TypeExpr *type = nullptr;
  if (accept(TokenKind::Colon)) {
    type = parseType();
    if (!type)
      return nullptr;
  }
  if (!at(TokenKind::Assign)) {
    if (at(TokenKind::Newline) || at(TokenKind::RBrace) ||
        at(TokenKind::EndOfFile)) {
      StringRef what(pattern->range.Start.getPointer(),
                     pattern->range.End.getPointer() -
                         pattern->range.Start.getPointer());
      diags.report(diag::var_needs_value, pattern->range, what);
    } else {
      reportExpected("'='");
    }
    return nullptr;
  }
  take();
  Expr *init = parseExpr();
  if (!init)
    return nullptr;
  return context.make<LetStmt>(from(keyword.begin()),
                               keyword.is(TokenKind::Var), pattern, type, init);
}

// pattern = ID | "(" pattern "," pattern { "," pattern } ")" ;
Pattern *ParserImpl::parsePattern() {
  if (!at(TokenKind::LParen)) {
    Name name;
    if (!expectName(name))
      return nullptr;
    return context.make<NamePattern>(name);
  }
  Nest nest(*this);
  if (!nest.ok)
    return nullptr;
  Token open = take();
  std::vector<Pattern *> elements;
  bool goesOn = true;
  while (goesOn) {
    Pattern *element = parsePattern();
    if (!element)
      return nullptr;
    elements.push_back(element);
    if (!listGoesOn(TokenKind::RParen, open, goesOn))
      return nullptr;
  }
  if (elements.size() < 2) {
    diags.report(diag::one_tuple, from(open.begin()));
    return nullptr;
  }
  return context.make<TuplePattern>(from(open.begin()),
                                    context.copy(ArrayRef(elements)));
}

// "while" expr block
Stmt *ParserImpl::parseWhile() {
  SMLoc begin = take().begin();
  Expr *condition = parseExpr();
  if (!condition)
    return nullptr;
  Block *body = parseBlock("while");
  if (!body)
    return nullptr;
  return context.make<WhileStmt>(from(begin), condition, body);
}

// { attr } "loop" ID "in" range block
Stmt *ParserImpl::parseLoop(SMLoc begin, ArrayRef<Attr> attrs) {
  take();
  if (reportLoopOfCount())
    return nullptr;
  Name index;
  if (!expectName(index, "the name of the index"))
    return nullptr;
  if (!accept(TokenKind::In)) {
    diags.report(diag::missing_in, here())
        .help("write 'loop " + index.text + " in lo:hi { }'");
    return nullptr;
  }
  Range over;
  if (!parseRange(over))
    return nullptr;
  Block *body = parseBlock("loop");
  if (!body)
    return nullptr;
  return context.make<LoopStmt>(from(begin), attrs, index, over, body);
}

// "assert" expr [ "," STRING ]
Stmt *ParserImpl::parseAssert() {
  SMLoc begin = take().begin();
  bool wasInAssert = std::exchange(inAssertParens, at(TokenKind::LParen));
  Expr *condition = parseExpr();
  inAssertParens = wasInAssert;
  if (!condition)
    return nullptr;
  StringRef message;
  if (at(TokenKind::Else) || at(TokenKind::String)) {
    reportExpected(
        "',' and a message",
        "write 'assert " +
            lexer.between(condition->range.Start, condition->range.End).str() +
            ", \"text\"'");
    return nullptr;
  }
  if (accept(TokenKind::Comma)) {
    if (!at(TokenKind::String)) {
      Diagnostic &d = diags.report(diag::expected, here(),
                                   "a message in quotes", describe(peek()));
      if (nextIs(TokenKind::String))
        d.help("the text is shown as it is: leave out '" + peek().text + "'");
      return nullptr;
    }
    if (!parseString(message))
      return nullptr;
  }
  return context.make<AssertStmt>(from(begin), condition, message);
}

bool ParserImpl::parseString(StringRef &value) {
  StringRef text = take().text;
  text = text.drop_front();
  // The lexer has reported a string without an end.
  if (!text.ends_with("\""))
    return false;
  text = text.drop_back();
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      char c = text[++i];
      result += c == 'n' ? '\n' : c == 't' ? '\t' : c;
    } else {
      result += text[i];
    }
  }
  value = context.copy(StringRef(result));
  return true;
}

// place = ID { "." ( ID | INT ) | "[" subs "]" } ;
bool ParserImpl::checkPlace(Expr *expr) {
  Expr *base = expr;
  while (true) {
    if (auto *field = llvm::dyn_cast<FieldExpr>(base))
      base = field->base;
    else if (auto *component = llvm::dyn_cast<TupleFieldExpr>(base))
      base = component->base;
    else if (auto *index = llvm::dyn_cast<IndexExpr>(base))
      base = index->base;
    else
      break;
  }
  if (llvm::isa<NameExpr>(base))
    return true;
  diags.report(diag::not_a_place, expr->range)
      .note("a place is a name with fields and subscripts");
  return false;
}

// { attr } place ( "=" | "+=" | "-=" | "*=" | "/=" ) expr
// | "(" place "," place { "," place } ")" "=" expr
// | expr
Stmt *ParserImpl::parseAssignOrExpr(SMLoc begin, ArrayRef<Attr> attrs) {
  ArrayRef<Attr> saved = pendingAttrs;
  pendingAttrs = attrs;
  Expr *expr = parseExpr();
  // Attributes that no `for` has taken belong to an assignment.
  bool untaken = !pendingAttrs.empty();
  pendingAttrs = saved;
  if (!expr)
    return nullptr;

  bool isUpdate = true;
  BinaryOp op = BinaryOp::Add;
  switch (peek().kind) {
  case TokenKind::Assign:
    isUpdate = false;
    break;
  case TokenKind::PlusAssign:
    break;
  case TokenKind::MinusAssign:
    op = BinaryOp::Sub;
    break;
  case TokenKind::StarAssign:
    op = BinaryOp::Mul;
    break;
  case TokenKind::SlashAssign:
    op = BinaryOp::Div;
    break;
  default:
    if (untaken) {
      diags.report(diag::attribute_in_expression, attrs.front().range);
      return nullptr;
    }
    return context.make<ExprStmt>(expr);
  }

  auto *tuple = llvm::dyn_cast<TupleExpr>(expr);
  if (tuple && !isUpdate) {
    for (Expr *place : tuple->elements)
      if (!checkPlace(place))
        return nullptr;
    if (untaken) {
      diags.report(diag::attributes_here, attrs.front().range);
      return nullptr;
    }
  } else if (!checkPlace(expr)) {
    return nullptr;
  }
  SMRange opRange = take().range();
  Expr *value = parseExpr();
  if (!value)
    return nullptr;
  if (tuple)
    return context.make<TupleAssignStmt>(from(begin), tuple->elements, opRange,
                                         value);
  return context.make<AssignStmt>(from(begin), attrs, expr, isUpdate, op,
                                  opRange, value);
}
