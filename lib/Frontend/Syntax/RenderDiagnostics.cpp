//===- RenderDiagnostics.cpp - Messages with their source lines -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A message looks like this:
//
//   error[E0217]: the sizes of 'u' and 'k' differ
//     --> heat.arr:14:9
//      |
//   12 | def f(u: f32[n, m], k: f32[3, 3]) -> f32[n, m] {
//      |       - 'u' is n x m
//   14 |   u * k
//      |     ^ elementwise '*' needs equal sizes, or a scalar
//   help: to slide 'k' over 'u', use 'stencil'
//
// Source text is untrusted: tabs become blanks, bytes that are no text become
// U+FFFD, and of a very long line only the part around the mark is shown.
//
//===----------------------------------------------------------------------===//

#include "arrc/Frontend/Diagnostics.h"
#include "arrc/Support/Printable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <tuple>

using namespace arrc;
using llvm::raw_ostream;
using llvm::StringRef;

/// More than this of one line is not shown.
static constexpr unsigned maxWidth = 160;

namespace {
/// One underlined piece of one line.
struct Mark {
  unsigned line;
  bool isMain;
  llvm::SMRange range;
  StringRef label;
};

/// A character of a source line: its bytes as shown, and its place.
struct Cell {
  const char *source;
  std::string text;
  unsigned column;
  unsigned width;
};

class Renderer {
public:
  Renderer(const llvm::SourceMgr &sources, raw_ostream &os, bool colors)
      : sources(sources), os(os), colors(colors) {}

  void render(const Diagnostic &d);
  /// One line of a text with a mark below it.
  void mark(llvm::SMRange range, raw_ostream::Colors color);

private:
  void paint(raw_ostream::Colors color, const llvm::Twine &text);
  void picture(llvm::SMRange range, StringRef label,
               llvm::ArrayRef<Diagnostic::Place> places,
               raw_ostream::Colors mainColor);
  void pictureOfFile(StringRef arrow, llvm::SMLoc head, std::vector<Mark> marks,
                     raw_ostream::Colors mainColor);
  void sourceLine(unsigned gutter, llvm::ArrayRef<Mark> marks,
                  raw_ostream::Colors mainColor);

  const llvm::SourceMgr &sources;
  raw_ostream &os;
  bool colors;
};
} // namespace

void Renderer::paint(raw_ostream::Colors color, const llvm::Twine &text) {
  if (colors)
    os.changeColor(color, /*Bold=*/true);
  os << text;
  if (colors)
    os.resetColor();
}

/// The line around a place, without its end.
static StringRef lineAround(const llvm::SourceMgr &sources, llvm::SMLoc loc) {
  unsigned buffer = sources.FindBufferContainingLoc(loc);
  const llvm::MemoryBuffer *memory = sources.getMemoryBuffer(buffer);
  const char *begin = loc.getPointer(), *end = begin;
  while (begin > memory->getBufferStart() && begin[-1] != '\n')
    --begin;
  while (end < memory->getBufferEnd() && *end != '\n')
    ++end;
  if (end > begin && end[-1] == '\r')
    --end;
  return {begin, size_t(end - begin)};
}

/// Takes a line apart into what is shown and where.
static std::vector<Cell> cellsOf(StringRef line, const char *focus) {
  // Far from the mark there is nothing to see; the window bounds the work, too.
  const char *begin = line.begin(), *end = line.end();
  constexpr size_t window = maxWidth * 4;
  if (size_t(focus - begin) > window)
    begin = focus - window;
  if (size_t(end - focus) > window && end > focus)
    end = focus + window;
  while (begin > line.begin() && begin < focus &&
         (static_cast<unsigned char>(*begin) & 0xC0) == 0x80)
    ++begin;

  std::vector<Cell> cells;
  unsigned column = 0;
  for (const char *p = begin; p < end;) {
    Cell cell{p, "", column, 1};
    unsigned length = 1;
    if (*p == '\t') {
      cell.width = 4 - column % 4;
      cell.text.assign(cell.width, ' ');
    } else if (static_cast<unsigned char>(*p) < 0x20 || *p == 0x7f) {
      cell.text = "\xEF\xBF\xBD";
    } else if (static_cast<unsigned char>(*p) < 0x80) {
      cell.text.assign(1, *p);
    } else {
      length = llvm::getNumBytesForUTF8(static_cast<llvm::UTF8>(*p));
      const auto *u = reinterpret_cast<const llvm::UTF8 *>(p);
      if (p + length <= line.end() &&
          llvm::isLegalUTF8Sequence(u, u + length)) {
        cell.text.assign(p, length);
        int width = llvm::sys::unicode::columnWidthUTF8(cell.text);
        cell.width = width < 0 ? 1 : width;
        if (width < 0)
          cell.text = "\xEF\xBF\xBD";
      } else {
        length = 1;
        cell.text = "\xEF\xBF\xBD";
      }
    }
    column += cell.width;
    p += length;
    cells.push_back(std::move(cell));
  }
  return cells;
}

void Renderer::sourceLine(unsigned gutter, llvm::ArrayRef<Mark> marks,
                          raw_ostream::Colors mainColor) {
  const Mark *focus = &marks.front();
  for (const Mark &mark : marks)
    if (mark.isMain)
      focus = &mark;
  StringRef line = lineAround(sources, focus->range.Start);
  std::vector<Cell> cells = cellsOf(line, focus->range.Start.getPointer());

  // The column of a place; behind the line for its end.
  auto columnOf = [&](const char *p) -> unsigned {
    for (const Cell &cell : cells)
      if (cell.source >= p)
        return cell.column;
    return cells.empty() ? 0 : cells.back().column + cells.back().width;
  };

  // Cut a wide line down to what is around the mark.
  unsigned from = 0, to = columnOf(line.end());
  unsigned at = columnOf(focus->range.Start.getPointer());
  if (to > maxWidth) {
    from = at > maxWidth / 2 ? at - maxWidth / 2 : 0;
    to = std::min(to, from + maxWidth);
  }
  std::string shown;
  for (const Cell &cell : cells)
    if (cell.column >= from && cell.column < to)
      shown += cell.text;
  bool cutLeft =
      from > 0 || (!cells.empty() && cells[0].source != line.begin());

  std::string number = llvm::utostr(focus->line);
  paint(raw_ostream::BLUE,
        std::string(gutter - number.size(), ' ') + number + " |");
  StringRef visible = StringRef(shown).rtrim();
  if (!visible.empty())
    os << ' ' << (cutLeft ? "..." : "") << visible;
  os << '\n';

  for (const Mark &mark : marks) {
    const char *begin = mark.range.Start.getPointer();
    const char *end = std::min(mark.range.End.getPointer(), line.end());
    unsigned first = columnOf(begin), last = columnOf(end);
    last = std::min(std::max(last, first + 1), std::max(to, first + 1));
    if (first < from || first > to)
      continue;
    paint(raw_ostream::BLUE, std::string(gutter, ' ') + " |");
    os << std::string(first - from + 1 + (cutLeft ? 3 : 0), ' ');
    std::string under(last - first, mark.isMain ? '^' : '-');
    if (!mark.label.empty())
      under += " " + printable(mark.label);
    paint(mark.isMain ? mainColor : raw_ostream::BLUE, under);
    os << '\n';
  }
}

void Renderer::pictureOfFile(StringRef arrow, llvm::SMLoc head,
                             std::vector<Mark> marks,
                             raw_ostream::Colors mainColor) {
  unsigned last = 0;
  for (const Mark &mark : marks)
    last = std::max(last, mark.line);
  unsigned gutter = llvm::utostr(last).size();
  LineColumn place = lineColumn(sources, head);
  paint(raw_ostream::BLUE, std::string(gutter, ' ') + arrow);
  os << ' ' << printable(place.file) << ':' << place.line << ':' << place.column
     << '\n';
  paint(raw_ostream::BLUE, std::string(gutter, ' ') + " |");
  os << '\n';

  // Lines in order; within a line from left to right.
  llvm::sort(marks, [](const Mark &a, const Mark &b) {
    return std::make_tuple(a.line, a.range.Start.getPointer(), !a.isMain) <
           std::make_tuple(b.line, b.range.Start.getPointer(), !b.isMain);
  });
  for (size_t i = 0; i < marks.size();) {
    size_t j = i;
    while (j < marks.size() && marks[j].line == marks[i].line)
      ++j;
    sourceLine(gutter, llvm::ArrayRef(marks).slice(i, j - i), mainColor);
    i = j;
  }
}

void Renderer::picture(llvm::SMRange range, StringRef label,
                       llvm::ArrayRef<Diagnostic::Place> places,
                       raw_ostream::Colors mainColor) {
  if (!range.isValid() || !sources.FindBufferContainingLoc(range.Start))
    return;
  // One picture a file, the one of the main place first.
  unsigned mainFile = sources.FindBufferContainingLoc(range.Start);
  std::vector<Mark> here{
      {lineColumn(sources, range.Start).line, true, range, label}};
  std::vector<std::pair<unsigned, Mark>> elsewhere;
  for (const Diagnostic::Place &place : places) {
    unsigned file = sources.FindBufferContainingLoc(place.range.Start);
    Mark mark{lineColumn(sources, place.range.Start).line, false, place.range,
              place.label};
    if (file == mainFile)
      here.push_back(mark);
    else
      elsewhere.emplace_back(file, mark);
  }
  pictureOfFile("-->", range.Start, std::move(here), mainColor);
  for (auto &[file, mark] : elsewhere)
    pictureOfFile(":::", mark.range.Start, {mark}, mainColor);
}

void Renderer::mark(llvm::SMRange range, raw_ostream::Colors color) {
  unsigned line = lineColumn(sources, range.Start).line;
  unsigned gutter = llvm::utostr(line).size();
  paint(raw_ostream::BLUE, std::string(gutter, ' ') + " |");
  os << '\n';
  sourceLine(gutter, {Mark{line, true, range, ""}}, color);
}

void arrc::printSourceLine(StringRef text, unsigned line, unsigned column,
                           raw_ostream &os, bool colors) {
  llvm::SourceMgr sources;
  unsigned buffer = sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text), llvm::SMLoc());
  llvm::SMLoc loc = sources.FindLocForLineAndColumn(buffer, line, 1);
  if (!loc.isValid() || column == 0)
    return;
  // Columns are characters.
  const char *p = loc.getPointer();
  const char *end = sources.getMemoryBuffer(buffer)->getBufferEnd();
  auto continues = [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
  };
  for (; column > 1 && p < end && *p != '\n'; --column)
    do
      ++p;
    while (p < end && continues(*p));
  loc = llvm::SMLoc::getFromPointer(p);
  Renderer(sources, os, colors).mark({loc, loc}, raw_ostream::RED);
}

void Renderer::render(const Diagnostic &d) {
  StringRef word;
  raw_ostream::Colors color = raw_ostream::RED;
  switch (d.severity) {
  case Severity::Error:
    word = "error";
    break;
  case Severity::Warning:
    word = "warning";
    color = raw_ostream::YELLOW;
    break;
  case Severity::Remark:
    word = "remark";
    color = raw_ostream::GREEN;
    break;
  }
  paint(color, word + "[" + code(d.id) + "]");
  os << ": " << printable(d.text) << '\n';
  picture(d.range, d.mainLabel, d.places, color);
  for (const Diagnostic::Line &line : d.lines) {
    paint(raw_ostream::CYAN, line.kind);
    os << ": " << printable(line.text) << '\n';
    picture(line.range, "", {}, raw_ostream::CYAN);
  }
}

void DiagnosticEngine::print(raw_ostream &os, bool colors) {
  Renderer renderer(sources, os, colors);
  for (; numPrinted < diagnostics.size(); ++numPrinted)
    renderer.render(diagnostics[numPrinted]);
  if (numErrors > maxErrors && !saidTooMany) {
    os << "error: " << numErrors - maxErrors << " more errors are not shown\n";
    saidTooMany = true;
  }
}
