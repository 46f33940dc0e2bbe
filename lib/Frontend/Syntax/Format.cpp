//===- Format.cpp - One style for the text of programs --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A newline means something in the language, and where lines are broken
// is the author's choice, so lines stay. What is decided is what stands between
// the tokens of a line, and before the first:
//
//   if x>0.0{                      if x > 0.0 {
//        let  y=x * 2.0     ->       let y = x * 2.0
//   }                              }
//
//  - A line of a block is two columns right of the line that opens the block.
//    The lines that go on with a statement, or stand in '(' and '[', move with
//    the line where that begins.
//  - One blank between tokens, or none, by a table. Where authors choose, as in
//    'u[i-1, j]' and 'a[2*i + 1]', an operator without blanks on both sides
//    stays so.
//  - More blanks stay where the token behind them stands in a column with one
//    of the line above or below: a table, or '=' and comments one below
//    another. Anywhere else they are one blank.
//
// Columns depend on what stands before them, so this is repeated until nothing
// changes, which a few rounds do; formatting a formatted text does nothing.
//
//===----------------------------------------------------------------------===//

#include "arrc/Frontend/Format.h"
#include "arrc/Frontend/Lexer.h"

#include <algorithm>
#include <vector>

using namespace arrc;
using llvm::StringRef;

namespace {

/// A token or a comment, and what stands before it on its line.
struct Piece {
  TokenKind kind;
  StringRef text;
  bool isComment = false;
  /// Whether it begins a statement: the lexer has ended the one before.
  bool beginsStatement = false;
  /// Blanks before it; of the first of a line its column.
  unsigned gap = 0;
  unsigned column = 0;
};

/// A line without its end.
struct Line {
  std::vector<Piece> pieces;
};

/// A bracket that is open.
struct Bracket {
  char kind;
  /// The indentation of the line where it stands: as it was and as it is.
  unsigned before, after;
  /// Whether an `in` waits for its range to end.
  bool inRange = false;
  /// Whether it holds the parameters of a `def`, or fields of a `struct`.
  bool declares = false;
};

class Formatter {
public:
  explicit Formatter(std::vector<Line> lines) : lines(std::move(lines)) {}
  std::string print();

private:
  void line(size_t number);
  unsigned indentation(const Line &line);
  unsigned gapBefore(const Line &line, size_t at);
  bool isAligned(size_t number, unsigned column) const;
  bool isUnary(const Line &line, size_t at) const;
  void follow(const Piece &piece);
  char innermost() const { return brackets.empty() ? 0 : brackets.back().kind; }

  std::vector<Line> lines;
  std::vector<Bracket> brackets;
  /// The token before this one, of this line or an earlier one.
  TokenKind last = TokenKind::Newline;
  /// The indentation of the line that begins the statement, and of this line.
  unsigned statementBefore = 0, statementAfter = 0;
  unsigned lineBefore = 0, lineAfter = 0;
  bool afterDef = false, afterStruct = false;
  /// Whether the line that was printed last is empty, or opens a block.
  bool isAtTop = true;
  unsigned empty = 0;
  std::string out;
};

} // namespace

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Takes a text apart; nothing if it has tokens that are none.
static std::optional<std::vector<Line>> readLines(StringRef text,
                                                  DiagnosticEngine &diags) {
  unsigned errors = diags.errorCount();
  std::vector<Line> lines(1);
  const char *at = text.begin(), *lineStart = text.begin();
  if (text.starts_with("\xEF\xBB\xBF"))
    at = lineStart = at + 3;
  auto columnOf = [&](const char *p) {
    unsigned column = 0;
    for (const char *q = lineStart; q < p; ++q)
      if (*q == '\t')
        column += 8 - column % 8;
      else if ((static_cast<unsigned char>(*q) & 0xC0) != 0x80)
        ++column;
    return column;
  };
  auto add = [&](TokenKind kind, StringRef piece, bool isComment) {
    unsigned blanks = 0;
    for (const char *q = piece.begin();
         q > lineStart && (q[-1] == ' ' || q[-1] == '\t'); --q)
      ++blanks;
    Piece p{kind, piece};
    p.isComment = isComment;
    p.column = columnOf(piece.begin());
    p.gap = lines.back().pieces.empty() ? p.column : blanks;
    lines.back().pieces.push_back(p);
  };
  // What stands between two tokens: blanks, comments and ends of lines.
  auto skipTo = [&](const char *end) {
    while (at < end) {
      if (*at == '\n') {
        lines.emplace_back();
        lineStart = ++at;
      } else if (*at == '#') {
        StringRef comment =
            StringRef(at, text.end() - at).split('\n').first.rtrim(" \t\r");
        add(TokenKind::EndOfFile, comment, /*isComment=*/true);
        at = comment.end();
        while (at < end && *at != '\n')
          ++at;
      } else {
        ++at;
      }
    }
  };

  Lexer lexer(text, diags);
  bool begins = true;
  while (true) {
    Token token = lexer.next();
    if (diags.errorCount() != errors)
      return std::nullopt;
    if (token.is(TokenKind::Newline)) {
      begins = true;
      continue;
    }
    skipTo(token.text.begin());
    if (token.is(TokenKind::EndOfFile))
      break;
    add(token.kind, token.text, /*isComment=*/false);
    lines.back().pieces.back().beginsStatement = begins;
    begins = token.is(TokenKind::LBrace);
    at = token.text.end();
  }
  return lines;
}

//===----------------------------------------------------------------------===//
// Blanks
//===----------------------------------------------------------------------===//

static bool opens(TokenKind kind) {
  return kind == TokenKind::LParen || kind == TokenKind::LBracket ||
         kind == TokenKind::LBrace;
}

static bool closes(TokenKind kind) {
  return kind == TokenKind::RParen || kind == TokenKind::RBracket ||
         kind == TokenKind::RBrace;
}

/// Whether authors may write this operator without blanks.
static bool mayBeTight(TokenKind kind) {
  switch (kind) {
  case TokenKind::Plus:
  case TokenKind::Minus:
  case TokenKind::Star:
  case TokenKind::Slash:
  case TokenKind::SlashSlash:
  case TokenKind::Percent:
  case TokenKind::StarStar:
  case TokenKind::At:
    return true;
  default:
    return false;
  }
}

/// Whether the piece is an operator of one operand.
bool Formatter::isUnary(const Line &line, size_t at) const {
  const Piece &piece = line.pieces[at];
  if (piece.kind != TokenKind::Minus && piece.kind != TokenKind::At)
    return false;
  if (piece.beginsStatement)
    return true;
  TokenKind before = at ? line.pieces[at - 1].kind : last;
  return !endsValue(before) && before != TokenKind::Newline;
}

unsigned Formatter::gapBefore(const Line &line, size_t at) {
  const Piece &left = line.pieces[at - 1], &right = line.pieces[at];
  TokenKind a = left.kind, b = right.kind;
  unsigned kept = std::min(right.gap, 1u);
  if (right.isComment)
    return std::max(right.gap, 1u);
  // Brackets hug what they hold; braces leave room.
  if (a == TokenKind::LParen || a == TokenKind::LBracket ||
      b == TokenKind::RParen || b == TokenKind::RBracket ||
      b == TokenKind::Comma)
    return 0;
  if (a == TokenKind::LBrace && b == TokenKind::RBrace)
    return kept;
  if (a == TokenKind::LBrace || b == TokenKind::RBrace)
    return 1;
  if (a == TokenKind::Comma)
    return 1;
  if (a == TokenKind::Dot || b == TokenKind::Dot)
    return 0;
  if (b == TokenKind::LParen || b == TokenKind::LBracket) {
    // A call and an element; elsewhere they begin a value.
    if (a == TokenKind::Name || a == TokenKind::RParen ||
        a == TokenKind::RBracket || a == TokenKind::Fn)
      return a == TokenKind::Fn || !right.beginsStatement ? 0 : kept;
    if (a == TokenKind::RBrace)
      return kept;
  }
  if (b == TokenKind::LBrace)
    return 1;
  if (a == TokenKind::Question)
    return kept;
  if (a == TokenKind::Colon || b == TokenKind::Colon) {
    bool isRange = !brackets.empty() &&
                   (brackets.back().inRange ||
                    (brackets.back().kind == '[' && !brackets.back().declares));
    // 'a[2*k : 2*k + 3]': an author may part long ends.
    if (isRange) {
      size_t colon = a == TokenKind::Colon ? at - 1 : at;
      bool isWide = colon + 1 < line.pieces.size() &&
                    line.pieces[colon].gap > 0 &&
                    line.pieces[colon + 1].gap > 0;
      return isWide ? 1 : 0;
    }
    return a == TokenKind::Colon ? 1 : 0;
  }
  if (isUnary(line, at - 1))
    return 0;
  // An operator without blanks on both sides may stay so.
  auto isTight = [&](size_t op) {
    // `f(x=1.0)`, but never `x=1.0`.
    bool isName = line.pieces[op].kind == TokenKind::Assign &&
                  innermost() == '(' && !brackets.back().declares;
    return (isName || mayBeTight(line.pieces[op].kind)) &&
           line.pieces[op].gap == 0 && op + 1 < line.pieces.size() &&
           line.pieces[op + 1].gap == 0;
  };
  if (!isUnary(line, at) && at >= 1 && isTight(at))
    return 0;
  if (at >= 2 && !isUnary(line, at - 1) && isTight(at - 1))
    return 0;
  return 1;
}

/// Whether something begins in this column on a line beside this one.
bool Formatter::isAligned(size_t number, unsigned column) const {
  auto has = [&](size_t other) {
    for (const Piece &piece : lines[other].pieces)
      if (piece.column == column)
        return piece.gap > 0;
    return false;
  };
  return (number > 0 && has(number - 1)) ||
         (number + 1 < lines.size() && has(number + 1));
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

/// Moves what was in column `before` as its anchor has moved.
static unsigned moved(unsigned before, unsigned anchorBefore,
                      unsigned anchorAfter) {
  return before + anchorAfter > anchorBefore
             ? before + anchorAfter - anchorBefore
             : 0;
}

unsigned Formatter::indentation(const Line &line) {
  const Piece &first = line.pieces.front();
  if (brackets.empty()) {
    if (first.isComment || first.beginsStatement)
      return 0;
    return moved(first.column, statementBefore, statementAfter);
  }
  const Bracket &open = brackets.back();
  if (closes(first.kind))
    return first.kind == TokenKind::RBrace
               ? open.after
               : moved(first.column, open.before, open.after);
  if (open.kind == '{' && (first.isComment || first.beginsStatement))
    return open.after + 2;
  // A struct's fields are separated by newlines that are no tokens of a block.
  if (open.kind == '{' && open.declares)
    return open.after + 2;
  if (open.kind == '{')
    return moved(first.column, statementBefore, statementAfter);
  return moved(first.column, open.before, open.after);
}

/// Keeps account of brackets and what they are for.
void Formatter::follow(const Piece &piece) {
  if (piece.isComment)
    return;
  if (opens(piece.kind)) {
    Bracket bracket{piece.text[0], lineBefore, lineAfter};
    bracket.declares = (afterDef && (piece.text[0] != '{')) ||
                       (afterStruct && piece.text[0] == '{');
    if (piece.kind == TokenKind::LBrace) {
      afterDef = afterStruct = false;
      if (!brackets.empty())
        brackets.back().inRange = false;
    } else if (piece.kind == TokenKind::LParen) {
      // Behind the parameters a bracket is one of sizes.
      afterDef = false;
    }
    brackets.push_back(bracket);
  } else if (closes(piece.kind)) {
    if (!brackets.empty())
      brackets.pop_back();
  } else if (piece.kind == TokenKind::Def) {
    afterDef = true;
  } else if (piece.kind == TokenKind::Struct) {
    afterStruct = true;
  } else if (piece.kind == TokenKind::In) {
    if (brackets.empty())
      brackets.push_back({' ', lineBefore, lineAfter});
    brackets.back().inRange = true;
  } else if (piece.kind == TokenKind::Comma && !brackets.empty()) {
    brackets.back().inRange = false;
  }
  last = piece.kind;
}

void Formatter::line(size_t number) {
  const Line &line = lines[number];
  if (line.pieces.empty()) {
    ++empty;
    return;
  }
  const Piece &first = line.pieces.front();
  // An `in` outside of brackets had one that is not written.
  if (first.beginsStatement && innermost() == ' ')
    brackets.pop_back();
  // No empty lines at the ends of blocks and files, and none twice.
  if (empty && !isAtTop && first.kind != TokenKind::RBrace)
    out.append(std::min(empty, innermost() ? 1u : 2u), '\n');
  empty = 0;

  lineBefore = first.column;
  lineAfter = indentation(line);
  if (first.beginsStatement) {
    statementBefore = lineBefore;
    statementAfter = lineAfter;
  }
  out.append(lineAfter, ' ');
  out += first.text;
  for (size_t at = 1; at < line.pieces.size(); ++at) {
    follow(line.pieces[at - 1]);
    const Piece &piece = line.pieces[at];
    unsigned gap = gapBefore(line, at);
    if (piece.gap > 1 && gap > 0 && isAligned(number, piece.column))
      gap = piece.gap;
    if (piece.beginsStatement)
      statementBefore = lineBefore, statementAfter = lineAfter;
    out.append(gap, ' ');
    out += piece.text;
  }
  follow(line.pieces.back());
  isAtTop = line.pieces.back().kind == TokenKind::LBrace;
  out += '\n';
}

std::string Formatter::print() {
  for (size_t number = 0; number < lines.size(); ++number)
    line(number);
  return std::move(out);
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

/// Whether two texts have the same tokens and comments.
static bool sameTokens(const std::vector<Line> &a, const std::vector<Line> &b) {
  auto next = [](const std::vector<Line> &lines, size_t &line,
                 size_t &piece) -> const Piece * {
    while (line < lines.size() && piece == lines[line].pieces.size()) {
      ++line;
      piece = 0;
    }
    return line == lines.size() ? nullptr : &lines[line].pieces[piece++];
  };
  size_t lineA = 0, pieceA = 0, lineB = 0, pieceB = 0;
  while (true) {
    const Piece *x = next(a, lineA, pieceA), *y = next(b, lineB, pieceB);
    if (!x || !y)
      return !x && !y;
    if (x->kind != y->kind || x->text != y->text ||
        x->beginsStatement != y->beginsStatement)
      return false;
  }
}

std::optional<std::string> arrc::formatText(StringRef text,
                                            DiagnosticEngine &diags) {
  std::optional<std::vector<Line>> original = readLines(text, diags);
  if (!original)
    return std::nullopt;
  std::string now = text.str();
  for (unsigned round = 0; round < 8; ++round) {
    std::optional<std::vector<Line>> lines = readLines(now, diags);
    if (!lines)
      return text.str();
    // Whatever the table says, the program stays what it is.
    if (!sameTokens(*original, *lines))
      return text.str();
    std::string next = Formatter(std::move(*lines)).print();
    if (next == now)
      return now;
    now = std::move(next);
  }
  return now;
}
