//===- CommandLine.h - What a person asked for ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_COMMANDLINE_H
#define ARRC_TOOLS_ARRC_COMMANDLINE_H

#include "Messages.h"
#include "Passes.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace arrc::tool {

/// What `arrc` does.
enum class Verb {
  Build,
  Run,
  Check,
  Bench,
  Test,
  Diff,
  Profile,
  Tune,
  Explain,
  Fmt,
  Lsp,
  New,
  Repl,
  Doctor,
  Completion,
  Devices,
  Version,
  Help,
  Analyze
};

/// The name of a verb on the command line.
llvm::StringRef nameOf(Verb verb);

/// Whether the words behind a verb are its own: they are in `rest` as they are.
bool takesOwnWords(Verb verb);

/// The levels that a program can be printed at, from the program down.
enum class Level {
  Array,     ///< as imported
  Kernel,    ///< launches, on arrays
  Buffers,   ///< launches, on memory
  Scheduled, ///< launches whose loops have levels
  SCF,       ///< loops and vectors (CPU)
  GPU,       ///< kernels and their launches (devices)
  LLVM,      ///< the LLVM dialect
  LLVMIR,    ///< LLVM's own text
  PTX,       ///< the kernels as text for CUDA
  SPIRV,     ///< the kernels as a binary for OpenCL
  Assembly,
  Object,
  Executable,
  Header,  ///< the exports as functions of C
  Library, ///< those functions, to be linked
  Pipeline ///< the passes themselves
};

/// The name of a level after `--emit=`.
llvm::StringRef nameOf(Level level);

/// A command line, taken apart.
struct CommandLine {
  Verb verb = Verb::Help;
  /// The program's file.
  std::string file;
  /// The program's text, where it is in no file: `file` is then its name alone.
  std::optional<std::string> text;
  /// `-o`; "" if not given, "-" is the standard output.
  std::string output;
  Level level = Level::Executable;
  /// Whether text of a level names the places of the program.
  bool locations = true;
  unsigned optLevel = 3;
  std::string cpu = "native";
  /// `--target`, else ARRC_TARGET; "" if there is neither.
  std::string target;
  /// Of a library for several targets, those behind the first.
  std::vector<std::string> moreTargets;
  /// Whether `target` is the flag's.
  bool targetIsFlag = false;
  /// `--arch`: `sm_90`, `native`; "" if not given.
  std::string arch;
  /// `-D NAME=VALUE`.
  std::vector<std::string> defines;
  /// `-I FOLDER`.
  std::vector<std::string> libraryPaths;
  /// `--link FILE`, `-lNAME`, `-LFOLDER`: what has the extern functions.
  std::vector<std::string> links;
  /// `--without`: optimizations that are left out.
  std::vector<std::string> without;
  /// `--plugin`: libraries of passes and strategies.
  std::vector<std::string> plugins;
  /// `--pipeline`, `--insert-after`, `--insert-before`, `--replace`.
  PassChoice passes;
  /// `--fact NAME=VALUE`: facts of the device that replace what it says.
  std::vector<std::pair<std::string, int64_t>> facts;
  /// `--parts`, else ARRC_PARTS: how many parts launches are cut into; 0: not
  /// said.
  unsigned parts = 0;
  /// How many processes a launcher of MPI has started to run it.
  unsigned ranks = 1;
  /// Whether the target is several devices.
  bool hasSeveralDevices() const {
    return target.find(',') != std::string::npos ||
           target.find(":all") != std::string::npos;
  }
  /// Whether launches are made so that they can be cut.
  bool isInParts() const {
    return parts > 0 || hasSeveralDevices() || ranks > 1;
  }
  bool warningsAreErrors = false;
  /// `--entry`: the export that alone is compiled; "": all of them are.
  std::string entry;
  /// Whether a program that has warnings only is silent.
  bool isQuiet = false;
  /// `--message-format`.
  MessageFormat messageFormat = MessageFormat::Full;
  /// `--reproducible`: the same bits on every target.
  bool reproducible = false;
  /// `--sanitize`: the CPU's code checks its own accesses.
  bool sanitize = false;
  /// `run --check`.
  bool check = false;
  /// `run --memory`.
  bool memory = false;
  /// `run --every`: steps of the time loop between two outputs; 0: only the
  /// last.
  int64_t every = 0;
  /// `run --progress`: says how far the time loop is.
  bool progress = false;
  /// Whether the host stops the time loop in between.
  bool isStepped() const { return every > 0 || progress; }
  /// `run --range`: the values of the first and the last colour of pictures.
  std::optional<std::pair<double, double>> range;
  /// Whether the code tells an observer what runs.
  bool observed = false;
  /// `--remarks`: what the optimizer did and did not do.
  bool remarks = false;
  /// `run --time`.
  bool time = false;
  /// What goes on to the program (`run`), or the verb that `help` is about.
  std::vector<std::string> rest;
};

/// Takes the words behind `arrc` apart. Returns "" or an error text; `help`
/// may then hold a line that says what to write.
std::string parseCommandLine(llvm::ArrayRef<const char *> words,
                             CommandLine &line, std::string &help);

/// The text of `arrc help VERB`, or of `arrc help` for "". Returns false if
/// there is no such verb.
bool printHelp(llvm::StringRef verb);

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_COMMANDLINE_H
