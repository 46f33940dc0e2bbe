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

#include "ObjectCache.h"
#include "ReferenceCheck.h"
#include "Target.h"
#include "Verbs.h"

#include "arrc/Target/CPU/CPU.h"
#include "arrt/arrt.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

/// Every function of the runtime that compiled code calls.
static const cpu::Symbol runtimeSymbols[] = {
#define ARRT_ENTRY(result, name, parameters, doc)                              \
  {#name, reinterpret_cast<void *>(&name)},
#include "arrt/EntryPoints.def"
};

/// Compiles the program to an object file, or takes what the cache has.
/// The compiler stays for the evaluator. Returns the exit code.
static int makeObject(const CommandLine &line, const Target &target,
                      Timer &timer, std::unique_ptr<Compiler> &compiler,
                      ReferenceCheck &reference,
                      SmallVectorImpl<char> &object) {
  cpu::CodeGenOptions options;
  options.optLevel = line.optLevel;
  options.cpu = line.cpu;
  ObjectCache cache(line, target, cpu::describeMachine(options));
  // The evaluator wants the program, not its code.
  if (!line.check && cache.read(object)) {
    timer.stop("cache");
    return Done;
  }
  compiler = std::make_unique<Compiler>(line, target.options, timer);
  if (int code = compiler->load())
    return code;
  if (line.check) {
    if (!compiler->isAtArrays())
      return complain(WrongUse, "'" + line.file +
                                    "' is below the arrays, where the "
                                    "evaluator runs it");
    // It runs the program as it was written.
    reference.keep(compiler->module());
  }
  if (int code = compiler->lowerTo(Level::LLVM))
    return code;
  SmallVector<char, 0> made;
  if (mlir::failed(cpu::compile(compiler->module(), options,
                                cpu::OutputKind::Object, made)))
    return InternalError;
  object.assign(made.begin(), made.end());
  timer.stop("native code");
  // What was said would not be said again.
  if (compiler->isSilent())
    cache.write(StringRef(object.data(), object.size()), compiler->files(),
                compiler->missingFiles());
  timer.stop("keep");
  return Done;
}

int arrc::tool::run(const CommandLine &line) {
  Timer timer;
  std::optional<Target> target = findRunTarget(line);
  if (!target)
    return NoDevice;
  timer.stop("device");
  SmallVector<char, 0> object;
  std::unique_ptr<Compiler> compiler;
  ReferenceCheck reference;
  if (int code = makeObject(line, *target, timer, compiler, reference, object))
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
    return complain(ProgramError,
                    "'" + line.file + "' has no 'export def' to run");
  timer.stop("link");

  std::string self = "arrc run " + line.file;
  std::vector<std::string> words = line.rest;
  if (program->target != ARRT_TARGET_CPU && !target->device.empty())
    words.push_back("--target=" + target->device);
  std::vector<char *> arguments = {self.data()};
  for (std::string &word : words)
    arguments.push_back(word.data());
  arrt_run_hooks hooks = reference.hooks();
  if (line.time)
    timer.print(errs());
  errs().flush();
  outs().flush();
  return arrt_run(int(arguments.size()), arguments.data(), program,
                  line.check ? &hooks : nullptr);
}
