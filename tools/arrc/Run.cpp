//===- Run.cpp - arrc run -------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The JIT gives the same table that an executable has, `arrt_program_table`,
// and the runtime's own command line does the rest: what `arrc run FILE` and
// the executable of FILE accept and print is the same code.
//
//===----------------------------------------------------------------------===//

#include "MemoryReport.h"
#include "Output.h"
#include "Program.h"
#include "ReferenceCheck.h"
#include "Verbs.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

namespace {
/// What a run in memory consists of.
struct Session {
  Session(const CommandLine &line, const Target &target)
      : line(line), program(line, target) {}

  /// Keeps what comparisons and plans need of the program as it was read.
  int look(Compiler &compiler);
  arrt_run_hooks hooks();

  const CommandLine &line;
  Program program;
  ReferenceCheck reference;
  MemoryReport memory;
};
} // namespace

int Session::look(Compiler &compiler) {
  if (line.check) {
    if (!compiler.isAtArrays())
      return complain(WrongUse, "'" + line.file +
                                    "' is below the arrays, where the "
                                    "evaluator runs it");
    // It runs the program as it was written.
    reference.keep(compiler.module());
  }
  if (line.memory && getStage(compiler.module()) < Stage::Scheduled) {
    if (int code = compiler.lowerTo(Level::Scheduled))
      return code;
    memory.keep(compiler.module());
  }
  return Done;
}

arrt_run_hooks Session::hooks() {
  arrt_run_hooks hooks = {};
  hooks.user = this;
  if (line.check || line.memory)
    hooks.after = [](void *user, arrt_context *ctx, const arrt_entry *entry,
                     void **args) {
      auto &session = *static_cast<Session *>(user);
      if (session.line.memory)
        session.memory.print(ctx, *entry, args);
      return session.line.check
                 ? session.reference.compare(ctx, *entry, args, errs())
                 : int32_t(ARRT_STATUS_OK);
    };
  hooks.failed = [](void *, const char *message) { showPlaceOf(message); };
  hooks.image = [](void *user, arrt_context *ctx, const arrt_program *,
                   int32_t number, arrt_image *made) {
    return static_cast<Session *>(user)->program.makeImage(ctx, number, *made);
  };
  return hooks;
}

int arrc::tool::complainOfNoExport(const CommandLine &line) {
  return complain(ProgramError,
                  "'" + line.file + "' has no 'export def' to run");
}

/// Complains if a result is to be written over a text of the program. Returns
/// the exit code.
static int checkOutputs(const CommandLine &line,
                        ArrayRef<SourceText> texts = {}) {
  bool isOutput = false;
  for (StringRef word : line.rest) {
    bool isNext = word == "--output";
    if (!isOutput && !word.consume_front("--output=")) {
      isOutput = isNext;
      continue;
    }
    isOutput = isNext;
    auto [name, file] = word.split("=@");
    if (file.empty())
      continue;
    if (isSameFile(file, line.file))
      return complain(WrongUse, "'--output' names the program's own file");
    for (const SourceText &text : texts)
      if (isSameFile(file, text.path))
        return complain(WrongUse,
                        "'--output' names a file that the program imports");
  }
  return Done;
}

int arrc::tool::run(const CommandLine &line) {
  Timer timer;
  if (int code = checkOutputs(line))
    return code;
  if (int code = loadPlugins(line.plugins))
    return code;
  std::optional<Target> target = findRunTarget(line);
  if (!target)
    return NoDevice;
  timer.stop("device");
  Session session(line, *target);
  auto look = [&](Compiler &compiler) { return session.look(compiler); };
  auto accept = [&] { return checkOutputs(line, session.program.texts()); };
  if (int code = session.program.load(
          timer, line.check || line.memory ? Program::Look(look) : nullptr,
          /*lowers=*/line.memory, accept))
    return code;
  const arrt_program *program = session.program.table();
  if (!program)
    return complainOfNoExport(line);

  std::string self = "arrc run " + line.file;
  std::vector<std::string> words = line.rest;
  if (program->target != ARRT_TARGET_CPU && !target->device.empty())
    words.push_back("--target=" +
                    (line.hasSeveralDevices() ? line.target : target->device));
  if (program->target != ARRT_TARGET_CPU && line.parts)
    words.push_back("--parts=" + std::to_string(line.parts));
  std::vector<char *> arguments = {self.data()};
  for (std::string &word : words)
    arguments.push_back(word.data());
  arrt_run_hooks hooks = session.hooks();
  if (line.time)
    timer.print(errs());
  errs().flush();
  outs().flush();
  int code = arrt_run(int(arguments.size()), arguments.data(), program, &hooks);
  if (line.time && session.program.getImageMilliseconds() > 0)
    errs() << "of module load, compiling kernels took "
           << format("%.3f ms\n", session.program.getImageMilliseconds());
  return code;
}
