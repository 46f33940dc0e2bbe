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

#include "KernelImages.h"
#include "MemoryReport.h"
#include "ObjectCache.h"
#include "Output.h"
#include "ReferenceCheck.h"
#include "Target.h"
#include "Verbs.h"

#include "arrc/Target/CPU/CPU.h"
#include "arrt/arrt.h"

#include "llvm/Support/raw_ostream.h"

#include <optional>

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

/// Every function of the runtime that compiled code calls.
static const cpu::Symbol runtimeSymbols[] = {
#define ARRT_ENTRY(result, name, parameters, doc)                              \
  {#name, reinterpret_cast<void *>(&name)},
#include "arrt/EntryPoints.def"
};

namespace {
/// What a run in memory consists of.
struct Session {
  Session(const CommandLine &line, const Target &target)
      : line(line), target(target),
        cache(line, target, cpu::describeMachine(options())),
        images(line, target, cache) {}

  cpu::CodeGenOptions options() const {
    cpu::CodeGenOptions options;
    options.optLevel = line.optLevel;
    options.isGlue = target.options.isDevice();
    options.cpu = line.cpu;
    return options;
  }
  /// Compiles the program to an object file, or takes what the cache has.
  /// Returns the exit code.
  int makeObject(Timer &timer, SmallVectorImpl<char> &object);
  /// Takes what the cache has, the program itself with it where the evaluator
  /// wants that. Nothing if there is none; else the exit code.
  std::optional<int> takeKept(Timer &timer, SmallVectorImpl<char> &object);
  /// Keeps the program for the evaluator. Returns the exit code.
  int keepReference();
  arrt_run_hooks hooks();
  /// What the program is made of.
  const std::vector<SourceText> &texts() const {
    return compiler ? compiler->texts() : cache.texts();
  }

  const CommandLine &line;
  const Target &target;
  ObjectCache cache;
  /// It stays for the evaluator and for the kernels, which are of its context.
  std::unique_ptr<Compiler> compiler;
  ReferenceCheck reference;
  MemoryReport memory;
  KernelImages images;
};
} // namespace

int Session::keepReference() {
  if (!compiler->isAtArrays())
    return complain(WrongUse, "'" + line.file +
                                  "' is below the arrays, where the "
                                  "evaluator runs it");
  // It runs the program as it was written.
  reference.keep(compiler->module());
  return Done;
}

std::optional<int> Session::takeKept(Timer &timer,
                                     SmallVectorImpl<char> &object) {
  // Plans and remarks are made on the way down.
  Said warnings;
  if (line.memory || line.remarks || !cache.read(object, warnings) ||
      (!warnings.empty() && line.warningsAreErrors))
    return std::nullopt;
  warnings.print();
  timer.stop("cache");
  if (!line.check)
    return Done;
  compiler = std::make_unique<Compiler>(line, target.options, timer);
  compiler->beQuiet();
  if (int code = compiler->load())
    return code;
  if (!cache.isMadeOf(compiler->texts()))
    return complain(CannotReadOrWrite, "the files of '" + line.file +
                                           "' were changed while it ran");
  return keepReference();
}

int Session::makeObject(Timer &timer, SmallVectorImpl<char> &object) {
  if (std::optional<int> code = takeKept(timer, object))
    return *code;
  object.clear();
  compiler = std::make_unique<Compiler>(line, target.options, timer);
  if (int code = compiler->load())
    return code;
  if (line.check)
    if (int code = keepReference())
      return code;
  if (line.memory && getStage(compiler->module()) < Stage::Scheduled) {
    if (int code = compiler->lowerTo(Level::Scheduled))
      return code;
    memory.keep(compiler->module());
  }
  if (KernelImages::isLazy(target.options) &&
      getStage(compiler->module()) <= Stage::GPU) {
    if (int code = compiler->lowerTo(Level::GPU))
      return code;
    images.take(compiler->module());
  }
  if (int code = compiler->lowerTo(Level::LLVM))
    return code;
  SmallVector<char, 0> made;
  if (mlir::failed(cpu::compile(compiler->module(), options(),
                                cpu::OutputKind::Object, made)))
    return InternalError;
  object.assign(made.begin(), made.end());
  timer.stop("native code");
  if (!compiler->hasErrors())
    cache.write(StringRef(object.data(), object.size()), compiler->warnings(),
                compiler->texts());
  timer.stop("keep");
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
      return session.line.check ? session.reference.compare(ctx, *entry, args)
                                : int32_t(ARRT_STATUS_OK);
    };
  hooks.image = [](void *user, arrt_context *ctx, const arrt_program *,
                   int32_t number, arrt_image *made) {
    return static_cast<Session *>(user)->images.make(ctx, number, *made);
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
  std::optional<Target> target = findRunTarget(line);
  if (!target)
    return NoDevice;
  timer.stop("device");
  Session session(line, *target);
  SmallVector<char, 0> object;
  if (int code = session.makeObject(timer, object))
    return code;
  if (int code = checkOutputs(line, session.texts()))
    return code;
  std::string problem;
  std::unique_ptr<cpu::JIT> jit = cpu::JIT::load(
      StringRef(object.data(), object.size()), runtimeSymbols, problem);
  if (!jit)
    return complain(InternalError,
                    "the program's code cannot be loaded: " + problem);
  auto *program =
      static_cast<const arrt_program *>(jit->lookup("arrt_program_table"));
  if (!program)
    return complainOfNoExport(line);
  timer.stop("link");

  std::string self = "arrc run " + line.file;
  std::vector<std::string> words = line.rest;
  if (program->target != ARRT_TARGET_CPU && !target->device.empty())
    words.push_back("--target=" + target->device);
  std::vector<char *> arguments = {self.data()};
  for (std::string &word : words)
    arguments.push_back(word.data());
  arrt_run_hooks hooks = session.hooks();
  if (line.time)
    timer.print(errs());
  errs().flush();
  outs().flush();
  int code = arrt_run(int(arguments.size()), arguments.data(), program, &hooks);
  if (line.time && session.images.getMilliseconds() > 0)
    errs() << "of module load, compiling kernels took "
           << format("%.3f ms\n", session.images.getMilliseconds());
  return code;
}
