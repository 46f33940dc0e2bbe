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

#include "ReferenceCheck.h"
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

int arrc::tool::run(const CommandLine &line) {
  Compiler compiler(line);
  if (int code = compiler.load())
    return code;
  // The evaluator runs the program as it was written.
  ReferenceCheck reference;
  if (line.check) {
    if (!compiler.isAtArrays())
      return complain(WrongUse, "'" + line.file +
                                    "' is below the arrays, where the "
                                    "evaluator runs it");
    reference.keep(compiler.module());
  }
  if (int code = compiler.lowerTo(Level::LLVM))
    return code;

  cpu::CodeGenOptions options;
  options.optLevel = line.optLevel;
  options.cpu = line.cpu;
  std::unique_ptr<cpu::JIT> jit =
      cpu::JIT::create(compiler.module(), options, runtimeSymbols);
  if (!jit)
    return InternalError;
  auto *program =
      static_cast<const arrt_program *>(jit->lookup("arrt_program_table"));
  if (!program)
    return complain(ProgramError,
                    "'" + line.file + "' has no 'export def' to run");

  std::string self = "arrc run " + line.file;
  std::vector<std::string> words = line.rest;
  std::vector<char *> arguments = {self.data()};
  for (std::string &word : words)
    arguments.push_back(word.data());
  arrt_run_hooks hooks = reference.hooks();
  errs().flush();
  outs().flush();
  return arrt_run(int(arguments.size()), arguments.data(), program,
                  line.check ? &hooks : nullptr);
}
