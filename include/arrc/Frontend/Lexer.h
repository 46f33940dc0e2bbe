//===- Lexer.h - Text to tokens ---------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_FRONTEND_LEXER_H
#define ARRC_FRONTEND_LEXER_H

#include "arrc/Frontend/Diagnostics.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SMLoc.h"

#include <cstdint>
#include <string>

namespace arrc {

/// What a token is.
enum class TokenKind : uint8_t {
#define TOKEN(name, text) name,
#include "arrc/Frontend/Token.def"
};

/// Whether a value ends with this token: it may be the last of a statement.
bool endsValue(TokenKind kind);

/// A token; the text is the source's.
struct Token {
  TokenKind kind = TokenKind::EndOfFile;
  /// Whether it is the first on its line.
  bool startsLine = false;
  llvm::StringRef text;
  /// The value of an Int.
  uint64_t value = 0;

  bool is(TokenKind k) const { return kind == k; }
  llvm::SMLoc begin() const { return llvm::SMLoc::getFromPointer(text.data()); }
  llvm::SMLoc end() const {
    return llvm::SMLoc::getFromPointer(text.data() + text.size());
  }
  llvm::SMRange range() const { return {begin(), end()}; }
};

/// A kind of token as messages call it: "a name", "')'", "the end of the line".
std::string describe(TokenKind kind);
/// A token as messages call it: like its kind, but names and numbers are shown.
std::string describe(const Token &token);
/// What to write instead of a reserved word.
llvm::StringRef reservedHelp(llvm::StringRef word);
/// What to write instead of a name of other languages that nobody declared; ""
/// if there is nothing to say. The same of what follows a point.
llvm::StringRef foreignHelp(llvm::StringRef word);
llvm::StringRef foreignFieldHelp(llvm::StringRef word);
/// The same of types, of named arguments, and of words that begin a statement
/// or a declaration.
llvm::StringRef foreignTypeHelp(llvm::StringRef word);
llvm::StringRef foreignArgumentHelp(llvm::StringRef word);
llvm::StringRef foreignStatementHelp(llvm::StringRef word);
llvm::StringRef foreignDeclarationHelp(llvm::StringRef word);
/// The file of the standard library that declares the function, as
/// "std/fft.arr"; "" if none does.
std::string standardFileOf(llvm::StringRef function);
/// Whether the text is a name: not empty, ASCII, no keyword.
bool isName(llvm::StringRef text);

/// Makes tokens one at a time. Newlines that end a statement are tokens, all
/// others are dropped; the end of the file is a newline before it is the end.
class Lexer {
public:
  /// The text must be followed by a NUL, as in a memory buffer. Anything that
  /// makes the whole text unfit (size, NULs, bad UTF-8) is reported here, and
  /// the text then reads as empty.
  Lexer(llvm::StringRef text, DiagnosticEngine &diags);

  /// The next token.
  Token next();

  /// What stands before a place on its line.
  llvm::StringRef lineBefore(llvm::SMLoc place) const {
    llvm::StringRef before = text.take_front(place.getPointer() - text.begin());
    return before.drop_front(before.rfind('\n') + 1);
  }

  /// What stands between two places, and behind one on its line.
  llvm::StringRef between(llvm::SMLoc from, llvm::SMLoc to) const {
    return text.slice(from.getPointer() - text.begin(),
                      to.getPointer() - text.begin());
  }
  llvm::StringRef lineFrom(llvm::SMLoc place) const {
    return text.drop_front(place.getPointer() - text.begin())
        .split('\n')
        .first.rtrim('\r');
  }
  /// Whether nothing is reported: of text that a message speaks of already.
  void beQuiet(bool quiet) { isQuiet = quiet; }

  /// How many brackets are open.
  size_t bracketDepth() const { return brackets.size(); }
  /// Forgets the innermost brackets, after an error.
  void closeBracketsTo(size_t depth) {
    if (brackets.size() > depth)
      brackets.truncate(depth);
  }

private:
  bool checkText();
  Token lexRaw();
  Token make(TokenKind kind, const char *begin);
  Token lexNumber();
  Token lexName();
  Token lexString();
  /// Operators, comments and characters of other languages.
  Token lexForeign();
  bool lexBars(Token &token);
  Token lexLookAlike();
  static bool startsForeign(llvm::StringRef rest);
  static bool isLookAlike(llvm::StringRef rest);
  void reportName(const char *begin);
  bool endsStatement() const;
  void error(diag::ID id, const char *begin, const char *end,
             const llvm::Twine &arg = "", llvm::StringRef help = "");

  llvm::StringRef text;
  DiagnosticEngine &diags;
  const char *cur;
  const char *end;
  /// The kind and text of the token before, and whether it was an index after
  /// a point.
  TokenKind last = TokenKind::Newline;
  bool lastWasIndex = false;
  bool isQuiet = false;
  /// Whether a name was found that is not ASCII.
  bool saidAscii = false;
  /// A token that waits behind a Newline.
  Token held;
  bool hasHeld = false;
  /// The open brackets: '(', '[' or '{'.
  llvm::SmallVector<char, 32> brackets;
};

} // namespace arrc

#endif // ARRC_FRONTEND_LEXER_H
