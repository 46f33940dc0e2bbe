//===- ParseDecls.cpp - Declarations --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

#include "llvm/Support/Path.h"

using namespace arrc;
using namespace arrc::ast;

static constexpr size_t maxComponents = 64;

// program = { decl NL } ;
void ParserImpl::parseProgram(Module &module) {
  while (!givenUp && !diags.isFull()) {
    while (accept(TokenKind::Newline)) {
    }
    if (at(TokenKind::EndOfFile))
      return;
    Token first = peek();
    Decl *decl = parseDecl();
    if (decl) {
      module.decls.push_back(decl);
      if (at(TokenKind::Newline) || at(TokenKind::EndOfFile))
        continue;
      reportLeftOver(diag::statements_on_one_line);
    }
    // Never stay at the token that failed.
    if (peek().text.data() == first.text.data())
      take();
    skipDecl();
  }
}

// attr = "@" ID [ "(" [ args ] ")" ] [ NL ] ;
bool ParserImpl::parseAttrs(std::vector<Attr> &attrs) {
  while (at(TokenKind::At)) {
    SMLoc begin = take().begin();
    Attr attr;
    if (!expectName(attr.name, "the name of an attribute"))
      return false;
    if (at(TokenKind::LParen)) {
      Token open = take();
      std::vector<Arg> args;
      if (!parseArgs(args, open))
        return false;
      attr.args = context.copy(ArrayRef(args));
    }
    attr.range = from(begin);
    attrs.push_back(attr);
    accept(TokenKind::Newline);
  }
  return true;
}

// decl = { attr } ( import | def | struct | alias | const ) ;
Decl *ParserImpl::parseDecl() {
  SMLoc begin = peek().begin();
  std::vector<Attr> list;
  if (!parseAttrs(list))
    return nullptr;
  ArrayRef<Attr> attrs = context.copy(ArrayRef(list));
  switch (peek().kind) {
  case TokenKind::Import:
    return parseImport(begin, attrs);
  case TokenKind::Def:
  case TokenKind::Export:
  case TokenKind::Extern:
    return parseDef(begin, attrs);
  case TokenKind::Struct:
    return parseStruct(begin, attrs);
  case TokenKind::Type:
    return parseAlias(begin, attrs);
  case TokenKind::Const:
    return parseConst(begin, attrs);
  case TokenKind::Let:
  case TokenKind::Var:
  case TokenKind::While:
  case TokenKind::Loop:
  case TokenKind::Assert:
  case TokenKind::For:
  case TokenKind::If: {
    Diagnostic &d = diags.report(diag::statement_at_top, peek().range());
    if (at(TokenKind::Let) && nextIs(TokenKind::Name) &&
        peek(2).is(TokenKind::LParen))
      d.help("a function begins with 'def': 'def f(x: f32) -> f32 = ..'");
    else if (at(TokenKind::Let) || at(TokenKind::Var))
      d.help("at the top of a file write 'const'");
    return nullptr;
  }
  case TokenKind::Minus:
    diags.report(diag::line_starts_with_minus, peek().range())
        .help("to go on with the line before, put '-' at its end");
    return nullptr;
  case TokenKind::RBrace:
    diags.report(diag::expected_declaration, peek().range(), describe(peek()))
        .note("there are more '}' than '{' before it");
    return nullptr;
  case TokenKind::RParen:
  case TokenKind::RBracket:
    diags.report(diag::expected_declaration, peek().range(), describe(peek()))
        .help("'" + peek().text + "' closes nothing");
    return nullptr;
  case TokenKind::SlashSlash:
    diags.report(diag::expected_declaration, peek().range(), describe(peek()))
        .help("a comment begins with '#'");
    return nullptr;
  default:
    if (at(TokenKind::Reserved)) {
      reportExpected("a declaration");
      return nullptr;
    }
    Diagnostic &d =
        diags.report(diag::expected_declaration, here(), describe(peek()));
    StringRef word = peek().text;
    if (StringRef help = foreignDeclarationHelp(word); !help.empty())
      d.help(help);
    else if (nextIs(TokenKind::Assign))
      d.help("write 'const " + word + " = ...'");
    else
      for (StringRef known :
           {"export", "def", "struct", "const", "type", "import", "extern"})
        if (word.size() > 2 && word.edit_distance(known, true, 2) <= 2) {
          d.help("did you mean '" + known + "'?");
          break;
        }
    return nullptr;
  }
}

/// The name that an import has without `as`: the file's, without folder and
/// ending.
static StringRef moduleName(StringRef path) {
  return llvm::sys::path::stem(path, llvm::sys::path::Style::posix);
}

// import = "import" STRING [ "as" ID ] ;
Decl *ParserImpl::parseImport(SMLoc begin, ArrayRef<Attr> attrs) {
  take();
  if (!at(TokenKind::String)) {
    diags.report(diag::string_expected, here(), describe(peek()))
        .help(importHelp());
    return nullptr;
  }
  SMRange pathRange = peek().range();
  StringRef path;
  if (!parseString(path))
    return nullptr;
  Name name{moduleName(path), pathRange};
  if (accept(TokenKind::As)) {
    if (!expectName(name))
      return nullptr;
  } else if (!isName(name.text)) {
    diags.report(diag::import_name, pathRange, name.text)
        .help("write 'import \"...\" as name'");
    return nullptr;
  }
  return context.make<ImportDecl>(from(begin), attrs, name, path, pathRange);
}

// def = [ "export" ] "def" ID [ tparams ] "(" [ params ] ")" [ "->" result ]
//       [ "where" expr { "," expr } ] ( "=" expr | block )
//     | "extern" "def" ID "(" [ params ] ")" "->" result ;
Decl *ParserImpl::parseDef(SMLoc begin, ArrayRef<Attr> attrs) {
  bool isExport = accept(TokenKind::Export);
  bool isExtern = !isExport && accept(TokenKind::Extern);
  if (!expect(TokenKind::Def))
    return nullptr;
  Name name;
  if (!expectName(name, "the name of the function"))
    return nullptr;
  auto *def = context.make<DefDecl>(SMRange(), attrs, name);
  def->isExport = isExport;
  def->isExtern = isExtern;

  if (at(TokenKind::LBracket) && !isExtern) {
    std::vector<TypeParam> params;
    if (!parseTypeParams(params))
      return nullptr;
    def->typeParams = context.copy(ArrayRef(params));
  }

  Token open = peek();
  if (!expect(TokenKind::LParen, "'(' and the parameters"))
    return nullptr;
  std::vector<Param> params;
  bool goesOn = !accept(TokenKind::RParen);
  while (goesOn) {
    Param param;
    if (!parseParam(param, "parameter"))
      return nullptr;
    params.push_back(param);
    if (!listGoesOn(TokenKind::RParen, open, goesOn))
      return nullptr;
  }
  if (params.size() > maxComponents) {
    diags.report(diag::too_many, params[maxComponents].range, "parameters");
    return nullptr;
  }
  def->params = context.copy(ArrayRef(params));

  if (accept(TokenKind::Arrow)) {
    if (!parseResult(*def))
      return nullptr;
  } else if (at(TokenKind::Colon)) {
    reportExpected("'->' before the type of the result");
    return nullptr;
  } else if (isExtern) {
    diags.report(diag::extern_needs_result, here());
    return nullptr;
  }

  if (isExtern) {
    if (at(TokenKind::LBrace) || at(TokenKind::Assign)) {
      diags.report(diag::extern_with_body, peek().range());
      return nullptr;
    }
    def->range = from(begin);
    return def;
  }

  if (accept(TokenKind::Where)) {
    std::vector<Expr *> conditions;
    do {
      Expr *condition = parseExpr();
      if (!condition)
        return nullptr;
      conditions.push_back(condition);
    } while (accept(TokenKind::Comma));
    def->where = context.copy(ArrayRef(conditions));
  }

  if (accept(TokenKind::Assign)) {
    Nest nest(*this);
    Expr *body = parseExpr();
    if (!body)
      return nullptr;
    if (at(TokenKind::Assign)) {
      diags.report(diag::assign_in_expression, peek().range())
          .help("write '==' to compare");
      return nullptr;
    }
    def->body = blockOf(body);
  } else if (at(TokenKind::LBrace)) {
    def->body = parseBlock(name.text);
    if (!def->body)
      return nullptr;
  } else {
    if (at(TokenKind::Newline) || at(TokenKind::EndOfFile))
      diags.report(diag::missing_body, name.range, name.text)
          .help("write '= e' or a block in braces");
    else
      reportExpected("'=' or '{' and the body of the function",
                     at(TokenKind::Comma)
                         ? "several results stand in parentheses: '-> (f32, "
                           "int)', with names '-> (low: f32, high: f32)'"
                     : at(TokenKind::Name)
                         ? ("the type of the result stands behind '->': '-> " +
                            peek().text + "'")
                               .str()
                         : "");
    return nullptr;
  }
  def->range = from(begin);
  return def;
}

// tparams = "[" ID [ ":" ID ] { "," ID [ ":" ID ] } "]" ;
bool ParserImpl::parseTypeParams(std::vector<TypeParam> &params) {
  Token open = take();
  bool goesOn = true;
  while (goesOn) {
    TypeParam param;
    if (!expectName(param.name, "the name of a type parameter"))
      return false;
    if (accept(TokenKind::Colon)) {
      if (!at(TokenKind::Name)) {
        diags.report(diag::type_params_need_kind, here(), param.name.text)
            .help("the kinds are 'num', 'real', 'float' and 'integer'");
        return false;
      }
      if (!expectName(param.kind))
        return false;
    }
    params.push_back(param);
    if (!listGoesOn(TokenKind::RBracket, open, goesOn))
      return false;
  }
  return true;
}

// param = ID ":" type [ "=" expr ] ;
bool ParserImpl::parseParam(Param &param, StringRef what) {
  SMLoc begin = peek().begin();
  param = {};
  if (!expectName(param.name, ("the name of a " + what).str()))
    return false;
  if (reportParameterOfC(param.name, what))
    return false;
  if (!expect(TokenKind::Colon,
              ("':' and the type of '" + param.name.text + "'").str(),
              ("write '" + param.name.text + ": f32', or '" + param.name.text +
               ": f32[n]' for an array")
                  .str()))
    return false;
  param.type = parseType();
  if (!param.type)
    return false;
  if (accept(TokenKind::Assign)) {
    param.defaultValue = parseExpr();
    if (!param.defaultValue)
      return false;
  }
  param.range = from(begin);
  return true;
}

// result = type | "(" ID ":" type { "," ID ":" type } ")" ;
bool ParserImpl::parseResult(DefDecl &def) {
  if (at(TokenKind::LParen) && nextIs(TokenKind::Name) &&
      peek(2).is(TokenKind::Colon)) {
    Token open = take();
    std::vector<NamedResult> results;
    bool goesOn = true;
    while (goesOn) {
      NamedResult result;
      if (!expectName(result.name, "the name of a result") ||
          !expect(TokenKind::Colon,
                  ("':' and the type of '" + result.name.text + "'").str()))
        return false;
      result.type = parseType();
      if (!result.type)
        return false;
      results.push_back(result);
      if (!listGoesOn(TokenKind::RParen, open, goesOn))
        return false;
    }
    if (results.size() > maxComponents) {
      diags.report(diag::too_many, from(open.begin()), "results");
      return false;
    }
    def.namedResults = context.copy(ArrayRef(results));
    return true;
  }
  def.result = parseType();
  return def.result;
}

// struct = "struct" ID "{" param { ( "," | NL ) param } "}" ;
Decl *ParserImpl::parseStruct(SMLoc begin, ArrayRef<Attr> attrs) {
  take();
  Name name;
  if (!expectName(name, "the name of the struct"))
    return nullptr;
  Token open = peek();
  if (!expect(TokenKind::LBrace, "'{' and the fields"))
    return nullptr;
  std::vector<Param> fields;
  while (true) {
    if (at(TokenKind::Def)) {
      diags.report(diag::keyword_as_name, peek().range(), peek().text)
          .help("functions stand outside of structs and take them as "
                "parameters: 'def f(p: " +
                name.text + ") -> f32 = ..'");
      // What is left of the struct is no mistake of its own.
      for (unsigned depth = 1; depth && !at(TokenKind::EndOfFile);) {
        depth += at(TokenKind::LBrace);
        depth -= at(TokenKind::RBrace);
        take();
      }
      return nullptr;
    }
    Param field;
    if (!parseParam(field, "field"))
      return nullptr;
    fields.push_back(field);
    if (accept(TokenKind::RBrace))
      break;
    if (!accept(TokenKind::Comma) && !accept(TokenKind::Newline)) {
      if (at(TokenKind::EndOfFile))
        diags.report(diag::unclosed_bracket, open.range(), "{");
      else
        reportExpected("',' or a new line before the next field");
      return nullptr;
    }
    if (accept(TokenKind::RBrace))
      break;
  }
  if (fields.size() > maxComponents) {
    diags.report(diag::too_many, fields[maxComponents].range, "fields");
    return nullptr;
  }
  return context.make<StructDecl>(from(begin), attrs, name,
                                  context.copy(ArrayRef(fields)));
}

// alias = "type" ID "=" type ;
Decl *ParserImpl::parseAlias(SMLoc begin, ArrayRef<Attr> attrs) {
  take();
  Name name;
  if (!expectName(name, "the name of the type") || !expect(TokenKind::Assign))
    return nullptr;
  TypeExpr *type = parseType();
  if (!type)
    return nullptr;
  return context.make<AliasDecl>(from(begin), attrs, name, type);
}

// const = "const" ID [ ":" type ] "=" expr ;
Decl *ParserImpl::parseConst(SMLoc begin, ArrayRef<Attr> attrs) {
  take();
  Name name;
  if (!expectName(name, "the name of the const"))
    return nullptr;
  TypeExpr *type = nullptr;
  if (accept(TokenKind::Colon)) {
    type = parseType();
    if (!type)
      return nullptr;
  }
  if (!at(TokenKind::Assign)) {
    diags.report(diag::var_needs_value, here(), name.text)
        .help("write 'const " + name.text + " = ...'");
    return nullptr;
  }
  take();
  Expr *value = parseExpr();
  if (!value)
    return nullptr;
  return context.make<ConstDecl>(from(begin), attrs, name, type, value);
}
