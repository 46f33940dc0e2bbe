//===- Program.cpp - A program in this process ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "Verbs.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

// What LLVM calls for conversions that the processor does not have. It is of
// the compiler's own library, which is linked into this file and shows its
// symbols to nobody.
extern "C" {
void __truncdfhf2();
void __truncsfhf2();
void __extendhfsf2();
}

ArrayRef<cpu::Symbol> arrc::tool::getRuntimeSymbols() {
  static const cpu::Symbol symbols[] = {
      {"__truncdfhf2", reinterpret_cast<void *>(&__truncdfhf2)},
      {"__truncsfhf2", reinterpret_cast<void *>(&__truncsfhf2)},
      {"__extendhfsf2", reinterpret_cast<void *>(&__extendhfsf2)},
#define ARRT_ENTRY(result, name, parameters, doc)                              \
  {#name, reinterpret_cast<void *>(&name)},
#include "arrt/EntryPoints.def"
  };
  return symbols;
}

Program::Program(const CommandLine &line, const Target &target)
    : line(line), target(target),
      cache(line, target, cpu::describeMachine(options())),
      images(line, target, cache), tasks(cache) {}

cpu::CodeGenOptions Program::options() const {
  cpu::CodeGenOptions options;
  options.optLevel = line.optLevel;
  options.isGlue = target.options.isDevice();
  options.cpu = line.cpu;
  return options;
}

std::optional<int> Program::takeKept(Timer &timer, Look look,
                                     SmallVectorImpl<char> &object) {
  // Remarks are made on the way down.
  Said warnings;
  if (line.remarks || !cache.read(object, tasks.code, warnings) ||
      (!warnings.empty() && line.warningsAreErrors))
    return std::nullopt;
  warnings.print();
  timer.stop("cache");
  if (!look)
    return Done;
  compiler = std::make_unique<Compiler>(line, target.options, timer);
  compiler->beQuiet();
  if (int code = compiler->load())
    return code;
  if (!cache.isMadeOf(compiler->texts()))
    return complain(CannotReadOrWrite, "the files of '" + line.file +
                                           "' were changed while it ran");
  return look(*compiler);
}

int Program::makeObject(Timer &timer, Look look, bool lowers,
                        SmallVectorImpl<char> &object) {
  if (!lowers)
    if (std::optional<int> code = takeKept(timer, look, object))
      return *code;
  object.clear();
  compiler = std::make_unique<Compiler>(line, target.options, timer);
  if (int code = compiler->load())
    return code;
  if (look)
    if (int code = look(*compiler))
      return code;
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
                                cpu::OutputKind::Object, made, &tasks.code)))
    return line.passes.isGiven() ? ProgramError : InternalError;
  object.assign(made.begin(), made.end());
  timer.stop("native code");
  if (!compiler->hasErrors())
    cache.write(StringRef(object.data(), object.size()), tasks.code,
                compiler->warnings(), compiler->texts());
  timer.stop("keep");
  return Done;
}

int Program::load(Timer &timer, Look look, bool lowers,
                  function_ref<int()> accept) {
  SmallVector<char, 0> object;
  if (int code = makeObject(timer, look, lowers, object))
    return code;
  if (accept)
    if (int code = accept())
      return code;
  if (int code = loadLinks(line.links))
    return code;
  std::string problem;
  SmallVector<cpu::Symbol> symbols(getRuntimeSymbols());
  llvm::append_range(symbols, tasks.getSymbols());
  jit =
      cpu::JIT::load(StringRef(object.data(), object.size()), symbols, problem);
  if (!jit)
    return complain(InternalError,
                    "the program's code cannot be loaded: " + problem);
  tasks.start(*jit, options());
  program =
      static_cast<const arrt_program *>(jit->lookup("arrt_program_table"));
  if (!jit->problem().empty())
    return complain(ProgramError,
                    "the program cannot be linked: " + jit->problem(),
                    "name what has its extern functions by --link FILE");
  timer.stop("link");
  return Done;
}
