//===- Messages.cpp - Messages for people and programs --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Messages.h"

#include "arrc/Support/Printable.h"

#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

static MessageFormat chosen = MessageFormat::Full;

MessageFormat arrc::tool::messageFormat() { return chosen; }

void arrc::tool::setMessageFormat(MessageFormat format) { chosen = format; }

static StringRef nameOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Remark:
    return "remark";
  }
  return "";
}

/// The members of an object that say where a range is; none without a place.
static json::Object placeOf(const SourceMgr &sources, SMRange range) {
  json::Object object;
  if (!range.isValid() || !sources.FindBufferContainingLoc(range.Start))
    return object;
  LineColumn begin = lineColumn(sources, range.Start);
  LineColumn end = lineColumn(sources, range.End);
  object["file"] = json::fixUTF8(begin.file);
  object["line"] = begin.line;
  object["column"] = begin.column;
  object["endLine"] = end.line;
  object["endColumn"] = end.column;
  return object;
}

static void write(json::Object object, raw_ostream &os) {
  os << json::Value(std::move(object)) << '\n';
}

static void printJSON(const arrc::Diagnostic &d, const SourceMgr &sources,
                      raw_ostream &os) {
  json::Object object = placeOf(sources, d.range);
  object["severity"] = nameOf(d.severity);
  object["code"] = code(d.id);
  object["message"] = json::fixUTF8(d.text);
  if (!d.mainLabel.empty())
    object["label"] = json::fixUTF8(d.mainLabel);
  json::Array places, notes, help;
  for (const auto &place : d.places) {
    json::Object other = placeOf(sources, place.range);
    other["label"] = json::fixUTF8(place.label);
    places.push_back(std::move(other));
  }
  for (const auto &line : d.lines) {
    if (line.kind == "help") {
      help.push_back(json::fixUTF8(line.text));
      continue;
    }
    json::Object note = placeOf(sources, line.range);
    note["message"] = json::fixUTF8(line.text);
    notes.push_back(std::move(note));
  }
  if (!places.empty())
    object["places"] = std::move(places);
  if (!notes.empty())
    object["notes"] = std::move(notes);
  if (!help.empty())
    object["help"] = std::move(help);
  write(std::move(object), os);
}

void arrc::tool::printMessages(const DiagnosticEngine &diags,
                               MessageFormat format, raw_ostream &os) {
  const SourceMgr &sources = diags.sourceMgr();
  for (const arrc::Diagnostic &d : diags.all()) {
    if (format == MessageFormat::JSON) {
      printJSON(d, sources, os);
      continue;
    }
    if (d.range.isValid() && sources.FindBufferContainingLoc(d.range.Start)) {
      LineColumn at = lineColumn(sources, d.range.Start);
      os << printable(at.file) << ':' << at.line << ':' << at.column << ": ";
    }
    os << nameOf(d.severity) << '[' << code(d.id) << "]: " << printable(d.text)
       << '\n';
  }
}

void arrc::tool::printMessage(const PlainMessage &message, MessageFormat format,
                              raw_ostream &os) {
  if (format == MessageFormat::JSON) {
    json::Object object;
    if (!message.file.empty()) {
      object["file"] = json::fixUTF8(message.file);
      object["line"] = message.line;
      object["column"] = message.column;
    }
    object["severity"] = message.severity;
    if (!message.code.empty())
      object["code"] = message.code;
    object["message"] = json::fixUTF8(message.text);
    if (!message.help.empty())
      object["help"] = json::Array{json::fixUTF8(message.help)};
    write(std::move(object), os);
    return;
  }
  if (!message.file.empty())
    os << printable(message.file) << ':' << message.line << ':'
       << message.column << ": ";
  os << message.severity;
  if (!message.code.empty())
    os << '[' << message.code << ']';
  os << ": " << printable(message.text, /*keepLines=*/true) << '\n';
}
