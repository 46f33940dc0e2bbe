//===- Passes.cpp - Passes that a person chose ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "Compiler.h"

#include "arrc/Pipelines/Plugin.h"
#include "arrc/Support/SourceFile.h"

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
  auto text = readSourceFile(file, mostSourceBytes);
  if (!text)
    return "cannot read the schedules '" + file.str() +
           "': " + text.getError().message();
  if (file.find_first_of(" \t{}'\"") != StringRef::npos)
    return "the name '" + file.str() + "' cannot stand in a pipeline";
  schedules += (*text)->getBuffer();
  return addEdit(PassList::Place::Behind,
                 "kernel-plan-schedules:arrc-set-schedules{file=" + file.str() +
                     "}");
}

std::string PassChoice::getKey() const {
  std::string key = pipeline ? "pipeline " + *pipeline + "\n" : "";
  for (const Edit &edit : edits)
    key += std::to_string(int(edit.place)) + " " + edit.pass + ":" +
           edit.passes + "\n";
  return key + schedules;
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
