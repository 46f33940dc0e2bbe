//===- Diagnostics.h - Messages about a program -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// All messages of the front end are rows of Diagnostics.def. Report one with
//
//   diags.report(diag::sizes_differ, op->opRange, "u", "k")
//       .label("elementwise '*' needs equal sizes, or a scalar")
//       .place(param->range, "'u' is n x m")
//       .help("to slide 'k' over 'u', use 'stencil'");
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_FRONTEND_DIAGNOSTICS_H
#define ARRC_FRONTEND_DIAGNOSTICS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/SMLoc.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <deque>
#include <string>
#include <vector>

namespace arrc {

/// How bad a message is.
enum class Severity : uint8_t { Error, Warning, Remark };

namespace diag {
/// One name for each row of Diagnostics.def.
enum ID : uint16_t {
#define DIAG(severity, code, name, text) name,
#include "arrc/Frontend/Diagnostics.def"
  num_diagnostics
};
} // namespace diag

/// One message: its place, other places, notes and help.
class Diagnostic {
public:
  /// A second place in the source, underlined with its own words.
  struct Place {
    llvm::SMRange range;
    std::string label;
  };
  /// A line below the source.
  struct Line {
    /// "note" or "help".
    llvm::StringRef kind;
    std::string text;
    /// Where the note points to; invalid without a place.
    llvm::SMRange range;
  };

  /// Words behind the underline of the main place.
  Diagnostic &label(const llvm::Twine &text) {
    mainLabel = text.str();
    return *this;
  }
  /// Another place that matters, shown in the same picture if it is in the
  /// same file.
  Diagnostic &place(llvm::SMRange range, const llvm::Twine &text) {
    if (range.isValid())
      places.push_back({range, text.str()});
    return *this;
  }
  /// A `note:` line, with a place of its own or without.
  Diagnostic &note(const llvm::Twine &text, llvm::SMRange range = {}) {
    lines.push_back({"note", text.str(), range});
    return *this;
  }
  /// A `help:` line: what to write instead.
  Diagnostic &help(const llvm::Twine &text) {
    lines.push_back({"help", text.str(), {}});
    return *this;
  }

  diag::ID id = diag::num_diagnostics;
  Severity severity = Severity::Error;
  std::string text;
  llvm::SMRange range;
  std::string mainLabel;
  llvm::SmallVector<Place, 1> places;
  llvm::SmallVector<Line, 1> lines;
};

/// The code of a message, such as "E0217".
llvm::StringRef code(diag::ID id);

/// Collects messages and prints them. At most 20 errors are kept; a second
/// error at one place is a consequence of the first and dropped.
class DiagnosticEngine {
public:
  explicit DiagnosticEngine(llvm::SourceMgr &sources) : sources(sources) {}

  /// Reports a message; the arguments (text or integers) replace {0}, {1}, ...
  /// The reference is good until the next report.
  template <typename... Args>
  Diagnostic &report(diag::ID id, llvm::SMRange range, const Args &...args) {
    return add(id, range, {llvm::Twine(args).str()...});
  }
  /// The same at a point.
  template <typename... Args>
  Diagnostic &report(diag::ID id, llvm::SMLoc loc, const Args &...args) {
    return add(id, {loc, loc}, {llvm::Twine(args).str()...});
  }

  /// Whether there was an error.
  bool hasErrors() const { return numErrors != 0; }
  /// The number of errors, those beyond the limit included.
  unsigned errorCount() const { return numErrors; }
  /// Whether so many errors came that looking for more is in vain.
  bool isFull() const { return numErrors >= maxErrors; }
  /// Errors are kept up to this number.
  static constexpr unsigned maxErrors = 20;

  /// Everything that was reported, in order.
  const std::deque<Diagnostic> &all() const { return diagnostics; }
  llvm::SourceMgr &sourceMgr() const { return sources; }

  /// Prints what was not printed yet, in order of appearance.
  void print(llvm::raw_ostream &os, bool colors = false);

private:
  Diagnostic &add(diag::ID id, llvm::SMRange range,
                  std::vector<std::string> args);

  llvm::SourceMgr &sources;
  std::deque<Diagnostic> diagnostics;
  /// Takes what is dropped.
  Diagnostic dropped;
  size_t numPrinted = 0;
  unsigned numErrors = 0;
  bool saidTooMany = false;
};

/// Whether colour belongs on standard error: it is a terminal, and NO_COLOR is
/// not set.
bool wantColors();

/// Prints one line of a text with a mark below a column (both from 1), as
/// messages show it.
void printSourceLine(llvm::StringRef text, unsigned line, unsigned column,
                     llvm::raw_ostream &os, bool colors);

/// Line and column (from 1, in characters, not bytes) of a place, and the name
/// of its file.
struct LineColumn {
  llvm::StringRef file;
  unsigned line = 0;
  unsigned column = 0;
};
LineColumn lineColumn(const llvm::SourceMgr &sources, llvm::SMLoc loc);

} // namespace arrc

#endif // ARRC_FRONTEND_DIAGNOSTICS_H
