//===- Passes.cpp - Passes that a person chose ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "Compiler.h"

#include "arrc/Pipelines/Plugin.h"
#include "arrc/Support/SourceFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

std::string PassChoice::setPipeline(StringRef value) {
  if (value.contains('(')) {
    pipeline = value.str();
    name = "--pipeline";
    return "";
  }
  auto text = readSourceFile(value, mostSourceBytes);
  if (!text)
    return "cannot read the pipeline '" + value.str() +
           "': " + text.getError().message();
  pipeline = (*text)->getBuffer().str();
  name = value.str();
  return "";
}

std::string PassChoice::addEdit(PassList::Place place, StringRef value) {
  auto [pass, passes] = value.split(':');
  if (pass.empty() || !value.contains(':'))
    return "'" + value.str() + "' is not PASS:PASSES";
  edits.push_back({place, pass.str(), passes.str()});
  return "";
}

std::string PassChoice::addSchedules(StringRef file) {
  std::string text;
  if (std::string wrong = readFile("schedules", file, text); !wrong.empty())
    return wrong;
  edits.push_back({PassList::Place::Behind, "kernel-plan-schedules",
                   "arrc-set-schedules{file=" + file.str() + "}"});
  return "";
}

std::string PassChoice::readFile(StringRef what, StringRef file,
                                 std::string &text) {
  auto read = readSourceFile(file, mostSourceBytes);
  if (!read)
    return "cannot read the " + what.str() + " '" + file.str() +
           "': " + read.getError().message();
  if (file.find_first_of(" \t{}'\"") != StringRef::npos)
    return "the name '" + file.str() + "' cannot stand in a pipeline";
  text = (*read)->getBuffer().str();
  files += text;
  return "";
}

/// The sequences of a script, as its text has them.
static StringSet<> namesOfSequences(StringRef text) {
  constexpr StringLiteral word = "transform.named_sequence";
  StringSet<> names;
  for (StringRef line : split(text, '\n')) {
    line = line.split("//").first;
    size_t at = line.find(word);
    if (at == StringRef::npos)
      continue;
    line = line.drop_front(at + word.size()).ltrim();
    line.consume_front("private ");
    if (line.ltrim().consume_front("@"))
      names.insert(line.ltrim().drop_front().take_until(
          [](char c) { return c == '(' || isSpace(c); }));
  }
  return names;
}

std::string PassChoice::addScript(StringRef file) {
  std::string text;
  if (std::string wrong = readFile("script", file, text); !wrong.empty())
    return wrong;
  struct Row {
    StringLiteral sequence;
    PassList::Place place;
    StringLiteral pass;
  };
  // Those with one pass: the later stands in front.
  constexpr Row rows[] = {
      {"array", PassList::Place::Behind, "arrc-set-target"},
      {"kernel", PassList::Place::Before, "arrc-reach-stage{stage=kernel}"},
      {"buffers", PassList::Place::Before, "arrc-reach-stage{stage=buffers}"},
      {"planned", PassList::Place::Behind, "kernel-plan-schedules"},
      {"__transform_main", PassList::Place::Behind, "kernel-plan-schedules"},
      {"scheduled", PassList::Place::Before,
       "arrc-reach-stage{stage=scheduled}"}};
  StringSet<> names = namesOfSequences(text);
  size_t before = edits.size();
  for (const Row &row : rows)
    if (names.contains(row.sequence))
      edits.push_back({row.place, row.pass.str(),
                       "builtin.module(arrc-transform{entry=" +
                           row.sequence.str() + " file=" + file.str() + "})"});
  if (edits.size() == before)
    return "the script '" + file.str() +
           "' has no sequence that is called as a level: array, kernel, "
           "buffers, planned or scheduled";
  return "";
}

std::string PassChoice::getKey() const {
  std::string key = pipeline ? "pipeline " + *pipeline + "\n" : "";
  for (const Edit &edit : edits)
    key += std::to_string(int(edit.place)) + " " + edit.pass + ":" +
           edit.passes + "\n";
  return key + files;
}

int PassChoice::choose(const PipelineOptions &options, PassList &passes) const {
  PassProblem problem;
  if (pipeline) {
    auto read = PassList::parse(*pipeline, problem);
    if (!read)
      return complain(WrongUse, name + ": " + problem.text, problem.help);
    passes = std::move(*read);
  } else {
    passes = PassList::builtIn(options);
  }
  for (const Edit &edit : edits)
    if (!passes.edit(edit.place, edit.pass, edit.passes, problem))
      return complain(WrongUse, problem.text, problem.help);
  return Done;
}

int arrc::tool::loadPlugins(ArrayRef<std::string> files) {
  for (const std::string &file : files)
    if (std::string problem = loadPlugin(file); !problem.empty())
      return complain(WrongUse, problem);
  return Done;
}
