//===- ParserImpl.h - The recursive descent parser --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// One function a rule of the grammar, named after it. A function that fails has
// reported why and returns null (or false); the callers pass that on up to the
// nearest statement or declaration, which skips to the next one.
//
// Depth is bounded twice: `Nest` counts what is nested in the text (at most
// 256), and `height` bounds the height of the tree, which chains such as
// `a + b + c` build without nesting.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_FRONTEND_SYNTAX_PARSERIMPL_H
#define ARRC_LIB_FRONTEND_SYNTAX_PARSERIMPL_H

#include "arrc/Frontend/AST.h"
#include "arrc/Frontend/Lexer.h"
#include "arrc/Frontend/Parser.h"

#include <algorithm>

namespace arrc {

class ParserImpl {
public:
  ParserImpl(llvm::StringRef text, ast::Context &context,
             DiagnosticEngine &diags)
      : context(context), diags(diags), lexer(text, diags) {
    for (Token &token : ahead)
      token = lexer.next();
  }

  void parseProgram(ast::Module &module);
  ast::Expr *parseWholeExpr();
  ast::TypeExpr *parseWholeType();

private:
  //===- Tokens -----------------------------------------------------------===//

  const Token &peek(unsigned n = 0) const { return ahead[n]; }
  bool at(TokenKind kind) const { return ahead[0].is(kind); }
  bool nextIs(TokenKind kind) const { return ahead[1].is(kind); }
  Token take();
  /// Takes the token if it is there.
  bool accept(TokenKind kind);
  /// Takes the token, or reports that `what` (or the token) was expected.
  bool expect(TokenKind kind, llvm::StringRef what = "",
              llvm::StringRef help = "");
  /// The closing bracket of `open`.
  bool expectClose(TokenKind kind, const Token &open);
  /// A name that may be declared or used; `what` says which.
  bool expectName(ast::Name &name, llvm::StringRef what = "a name");
  /// Where something is missing: the token, or behind the last one if the line
  /// is at its end.
  llvm::SMRange here() const;
  /// Reports "expected .., found .."; for words that can never be right says
  /// what to write instead.
  void reportExpected(llvm::StringRef what, llvm::StringRef help = "");
  /// From a place to the end of the last token.
  llvm::SMRange from(llvm::SMLoc begin) const { return {begin, lastEnd}; }
  llvm::SMRange from(llvm::SMRange begin) const {
    return {begin.Start, lastEnd};
  }

  //===- Depth ------------------------------------------------------------===//

  /// Counts one level while it lives; `ok` is false if it is too many.
  struct Nest {
    explicit Nest(ParserImpl &p) : p(p), saved(p.height) {
      p.height = 0;
      ok = ++p.depth <= maxDepth || p.tooDeep();
    }
    ~Nest() {
      --p.depth;
      p.height = std::max(saved, p.height + 1);
    }
    ParserImpl &p;
    unsigned saved;
    bool ok;
  };
  /// Keeps the heights of siblings apart, without a level of its own.
  struct Chain {
    explicit Chain(ParserImpl &p) : p(p), saved(p.height) { p.height = 0; }
    ~Chain() { p.height = std::max(saved, p.height); }
    /// One more link: what was parsed so far is its child.
    bool grow() { return ++p.height <= maxHeight || p.tooDeep(); }
    ParserImpl &p;
    unsigned saved;
  };
  static constexpr unsigned maxDepth = 256;
  static constexpr unsigned maxHeight = 1024;
  bool tooDeep();

  //===- After an error ---------------------------------------------------===//

  void reportLeftOver(diag::ID id);
  void skipStatement(size_t bracketDepth);
  void skipDecl();
  bool atDeclKeyword() const;
  /// Whether a bracket is closed here.
  bool atClose() const {
    return at(TokenKind::RParen) || at(TokenKind::RBracket) ||
           at(TokenKind::RBrace);
  }

  //===- Forms of other languages (ParseForeign.cpp) ----------------------===//

  /// Report what stands here if it is such a form; false if it is none.
  bool reportComprehension();
  bool reportForBehind(const ast::CallExpr &call, llvm::StringRef combinator);
  bool reportParameterOfC(const ast::Name &type, llvm::StringRef what);
  bool reportLoopOfC();
  bool reportLoopOfCount();
  bool reportUnpacking(ast::ArrayRef<ast::ForIndex> indices);
  bool reportForeignExpr();
  bool reportForeignStatement();
  bool reportAfterDot();
  /// What to write instead of what stands here; "" if nobody knows.
  std::string foreignHelpHere();
  std::string tupleHelp();
  /// The path that stands here without quotes, as it is imported.
  std::string importHelp();
  std::string structHelp();

  //===- Declarations -----------------------------------------------------===//

  ast::Decl *parseDecl();
  bool parseAttrs(std::vector<ast::Attr> &attrs);
  ast::Decl *parseImport(llvm::SMLoc begin, ast::ArrayRef<ast::Attr> attrs);
  ast::Decl *parseDef(llvm::SMLoc begin, ast::ArrayRef<ast::Attr> attrs);
  bool parseTypeParams(std::vector<ast::TypeParam> &params);
  bool parseParam(ast::Param &param, llvm::StringRef what);
  bool parseResult(ast::DefDecl &def);
  ast::Decl *parseStruct(llvm::SMLoc begin, ast::ArrayRef<ast::Attr> attrs);
  ast::Decl *parseAlias(llvm::SMLoc begin, ast::ArrayRef<ast::Attr> attrs);
  ast::Decl *parseConst(llvm::SMLoc begin, ast::ArrayRef<ast::Attr> attrs);

  //===- Types ------------------------------------------------------------===//

  ast::TypeExpr *parseType();
  ast::TypeExpr *parseTypeBase();
  bool parseDim(ast::Dim &dim);

  //===- Statements -------------------------------------------------------===//

  ast::Block *parseBlock(llvm::StringRef owner);
  /// `= e` and `=> e` as a block.
  ast::Block *blockOf(ast::Expr *expr);
  ast::Stmt *parseStmt();
  ast::Stmt *parseLet();
  ast::Stmt *parseWhile();
  ast::Stmt *parseLoop(llvm::SMLoc begin, ast::ArrayRef<ast::Attr> attrs);
  ast::Stmt *parseAssert();
  ast::Stmt *parseAssignOrExpr(llvm::SMLoc begin,
                               ast::ArrayRef<ast::Attr> attrs);
  ast::Pattern *parsePattern();
  bool checkPlace(ast::Expr *expr);
  bool parseString(llvm::StringRef &value);

  //===- Expressions ------------------------------------------------------===//

  ast::Expr *parseExpr();
  ast::Expr *parseOr();
  ast::Expr *parseAnd();
  ast::Expr *parseNot();
  ast::Expr *parseCmp();
  ast::Expr *parseSum();
  ast::Expr *parseTerm();
  ast::Expr *parseUnary();
  ast::Expr *parsePower();
  ast::Expr *parsePostfix();
  ast::Expr *parseTrailingComp(ast::Expr *head, ast::ArrayRef<ast::Attr> attrs,
                               llvm::SMLoc begin);
  ast::Expr *parsePrimary();
  ast::Expr *parseParens();
  ast::ForExpr *parseComp(ast::ArrayRef<ast::Attr> attrs, llvm::SMLoc begin);
  bool parseIndex(ast::ForIndex &index);
  bool parseRange(ast::Range &range);
  ast::Expr *parseIf();
  ast::Expr *parseLambda();
  bool parseArgs(std::vector<ast::Arg> &args, const Token &open);
  bool parseSubs(std::vector<ast::Sub> &subs, const Token &open);
  ast::Expr *binary(ast::BinaryOp op, llvm::SMRange opRange, ast::Expr *lhs,
                    ast::Expr *rhs);
  /// A comma, or the closing bracket: whether the list goes on. Fails if it is
  /// neither.
  bool listGoesOn(TokenKind close, const Token &open, bool &goesOn);
  /// Whether an expression can begin here.
  bool atExprStart() const;

  ast::Context &context;
  DiagnosticEngine &diags;
  Lexer lexer;
  Token ahead[3];
  llvm::SMLoc lastEnd;
  unsigned depth = 0;
  unsigned height = 0;
  /// Set when the rest of the file is not worth parsing.
  bool givenUp = false;
  /// Whether the condition of an `assert` begins with a parenthesis.
  bool inAssertParens = false;
  /// Attributes before a statement, on their way to the `for` that it begins
  /// with, or back to the assignment.
  ast::ArrayRef<ast::Attr> pendingAttrs;
  /// How often the name `end` has been read.
  size_t numEnds = 0;
};

} // namespace arrc

#endif // ARRC_LIB_FRONTEND_SYNTAX_PARSERIMPL_H
