//===- Diagnostics.cpp - Collecting messages ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Frontend/Diagnostics.h"

#include "llvm/Support/Process.h"

#include <cassert>

using namespace arrc;

namespace {
struct Row {
  Severity severity;
  const char *code;
  const char *text;
};
} // namespace

static const Row rows[] = {
#define DIAG(severity, code, name, text) {Severity::severity, code, text},
#include "arrc/Frontend/Diagnostics.def"
};

llvm::StringRef arrc::code(diag::ID id) { return rows[id].code; }

/// Puts the arguments into the places {0}, {1}, ...
static std::string fill(llvm::StringRef text,
                        llvm::ArrayRef<std::string> args) {
  std::string result;
  while (!text.empty()) {
    size_t open = text.find('{');
    result += text.substr(0, open);
    if (open == llvm::StringRef::npos)
      break;
    text = text.substr(open);
    // One digit in braces; any other brace is a brace.
    if (text.size() >= 3 && text[1] >= '0' && text[1] <= '9' &&
        text[2] == '}') {
      size_t index = text[1] - '0';
      assert(index < args.size() && "a message lacks an argument");
      if (index < args.size())
        result += args[index];
      text = text.substr(3);
    } else {
      result += '{';
      text = text.substr(1);
    }
  }
  return result;
}

Diagnostic &DiagnosticEngine::add(diag::ID id, llvm::SMRange range,
                                  std::vector<std::string> args) {
  const Row &row = rows[id];
  Diagnostic d;
  d.id = id;
  d.severity = row.severity;
  d.text = fill(row.text, args);
  d.range = range;

  bool drop = false;
  if (row.severity == Severity::Error) {
    // A second error at the same place is nearly always a consequence.
    for (const Diagnostic &other : diagnostics)
      if (other.severity == Severity::Error && range.isValid() &&
          other.range.Start == range.Start)
        drop = true;
    if (!drop && ++numErrors > maxErrors)
      drop = true;
  } else {
    for (const Diagnostic &other : diagnostics)
      if (other.id == id && other.range.Start == range.Start &&
          other.text == d.text)
        drop = true;
  }
  if (drop) {
    dropped = std::move(d);
    return dropped;
  }
  diagnostics.push_back(std::move(d));
  return diagnostics.back();
}

bool arrc::wantColors() {
  return llvm::sys::Process::StandardErrHasColors() &&
         !llvm::sys::Process::GetEnv("NO_COLOR");
}

LineColumn arrc::lineColumn(const llvm::SourceMgr &sources, llvm::SMLoc loc) {
  LineColumn result;
  if (!loc.isValid())
    return result;
  unsigned buffer = sources.FindBufferContainingLoc(loc);
  if (!buffer)
    return result;
  auto [line, byteColumn] = sources.getLineAndColumn(loc, buffer);
  result.file = sources.getMemoryBuffer(buffer)->getBufferIdentifier();
  result.line = line;
  // Count characters: all bytes that do not continue one.
  const char *p = loc.getPointer() - (byteColumn - 1);
  result.column = 1;
  for (; p < loc.getPointer(); ++p)
    if ((static_cast<unsigned char>(*p) & 0xC0) != 0x80)
      ++result.column;
  return result;
}
