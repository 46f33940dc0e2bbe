//===- Verbs.h - What each command does -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_VERBS_H
#define ARRC_TOOLS_ARRC_VERBS_H

#include "CommandLine.h"
#include "Compiler.h"

#include "llvm/ADT/ArrayRef.h"

namespace arrc::tool {

/// `arrc run`: compiles in memory and runs. Returns the exit code, as all do.
int run(const CommandLine &line);
/// `arrc build`, `arrc FILE -o OUT`.
int build(const CommandLine &line);
/// `arrc explain`: why a message comes.
int explain(const CommandLine &line);
/// `arrc fmt`: one style.
int fmt(const CommandLine &line);
/// `arrc lsp`: answers an editor.
int lsp(const CommandLine &line);
/// `arrc new`: a program to begin with.
int newProgram(const CommandLine &line);
/// `arrc repl`: answers lines.
int repl(const CommandLine &line);
/// `arrc doctor`: what is there, and how to mend what is missing.
int doctor(const CommandLine &line);
/// `arrc completion`: scripts for shells, and the manual.
int completion(const CommandLine &line);
/// `arrc check`.
int check(const CommandLine &line);
/// `arrc bench`: variants side by side.
int bench(const CommandLine &line);
/// `arrc test`: runs the tests that stand in programs.
int test(const CommandLine &line);
/// `arrc diff`: where the ways of two variants part.
int diff(const CommandLine &line);
/// `arrc profile`: what each kernel and copy of a run takes.
int profile(const CommandLine &line);
/// `arrc tune`: measures other schedules and keeps the best.
int tune(const CommandLine &line);
/// `arrc analyze`: where a program loses time on a device, before it runs.
int analyze(const CommandLine &line);
/// `arrc devices`: what programs can run on here, and why not on the rest.
int devices();
/// `arrc version`.
int version();

/// Says that nothing of the program can be run. Returns the exit code.
int complainOfNoExport(const CommandLine &line);

/// Links an object file with the runtime, and with what `--link` names.
int linkExecutable(llvm::StringRef object, llvm::StringRef output,
                   llvm::ArrayRef<std::string> links);
/// Loads what `--link` names into this process.
int loadLinks(llvm::ArrayRef<std::string> links);

/// `arrc build --emit=header` and `--emit=lib`.
int buildHeader(const CommandLine &line, llvm::StringRef output);
int buildLibrary(const CommandLine &line, llvm::StringRef output);
/// Compiles the text of a file of C to an object file.
int compileC(llvm::StringRef text, llvm::StringRef object);
/// Links object files to a shared library, which needs that of the runtime.
int linkLibrary(llvm::ArrayRef<std::string> objects, llvm::StringRef output,
                llvm::ArrayRef<std::string> links);

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_VERBS_H
