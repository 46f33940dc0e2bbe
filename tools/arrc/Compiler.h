//===- Compiler.h - From a file to a level ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_COMPILER_H
#define ARRC_TOOLS_ARRC_COMPILER_H

#include "CommandLine.h"
#include "Remarks.h"
#include "Timer.h"

#include "arrc/Frontend/Diagnostics.h"
#include "arrc/Pipelines/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>

namespace arrc::tool {

/// What `arrc` ends with.
enum ExitCode {
  Done = 0,
  ProgramError = 1,
  WrongUse = 2,
  NoDevice = 4,
  InternalError = 70,
  CannotReadOrWrite = 74
};

/// A text that a program is made of, as it was read.
struct SourceText {
  std::string path;
  std::string digest; ///< of the text; "" if it was looked for in vain
};

/// What stands for a text.
std::string digestOf(llvm::StringRef text);

/// Messages for a terminal and for a file.
struct Said {
  std::string colored, plain;
  bool empty() const { return plain.empty(); }
  /// Prints them to the console.
  void print() const;
};

/// Adds the line of a program, read from its file unless the text is given, to
/// a message about it.
void addSourceLine(llvm::StringRef file, const std::optional<std::string> &text,
                   unsigned row, unsigned column, Said &message);
/// Prints the line that a message of the runtime names.
void showPlaceOf(llvm::StringRef message);

/// Prints `error: text` and, if there is one, `help: ..` to the console.
/// Returns the code.
int complain(int code, const llvm::Twine &text, const llvm::Twine &help = "");

/// One compilation. Messages go to the console; functions return an exit code,
/// 0 if all is well.
class Compiler {
public:
  /// What the stages take is noted in `timer`.
  Compiler(const CommandLine &line, const TargetOptions &target, Timer &timer);
  ~Compiler();

  /// Reads the file: a `.arr` program, or `.mlir` text of any level.
  int load();
  /// Checks the whole program, functions that no export calls too, and makes no
  /// code. For a device the loops that the host runs are named.
  int check();
  /// Lowers the module from where it is to a level, at most to the LLVM
  /// dialect; for PTX and SPIR-V to the images that hold them.
  int lowerTo(Level level);
  /// From now on `watcher` is given the pass managers before they run.
  void watch(std::function<void(mlir::PassManager &)> watcher) {
    this->watcher = std::move(watcher);
  }
  /// Whether the passes have the stage of a level.
  bool reaches(Level level);
  /// Prints the passes that `lowerTo` runs; before a program is loaded, those
  /// for the target.
  int printPasses(llvm::raw_ostream &os);

  /// The texts that the program is made of, and the paths that were looked for
  /// in vain.
  const std::vector<SourceText> &texts() const { return read; }
  /// What is compiled for: what the text of a stage says, else what was asked.
  const TargetOptions &getTarget() const { return target; }
  /// The warnings about the program.
  const Said &warnings() const { return said; }
  /// From now on they are not printed.
  void beQuiet() { isQuiet = true; }
  /// Whether there was an error.
  bool hasErrors() const;

  /// The module at the level that was reached.
  mlir::ModuleOp module() { return *root; }
  /// Whether it is at the level that the evaluator runs.
  bool isAtArrays();

private:
  /// Fails on a file that cannot be opened, before anyone tries to read it.
  int checkReadable();
  int loadProgramText();
  /// What the command line says of the way down.
  PipelineOptions pipelineOptions() const;
  /// Has `options` name the passes that a person chose, if that is so.
  int choosePasses(PipelineOptions &options);
  /// Settles the target of text that is at a stage.
  int chooseTarget(Stage from);
  int loadModuleText();
  /// Ends the program if a warning of a pass counts as an error.
  int refuseWarnings();
  /// Says that the compiler failed and keeps what it failed on.
  int internalError();

  const CommandLine &line;
  TargetOptions target;
  Timer &times;
  /// Prints messages and keeps them.
  void say(const Said &messages);
  /// Adds the line of a program to a message about it.
  void showLine(llvm::StringRef file, unsigned row, unsigned column,
                Said &message);
  int finishDiagnostics(DiagnosticEngine &diags);
  std::vector<SourceText> read;
  Said said;
  bool isQuiet = false;
  struct Diagnostics;
  /// Before the context, whose passes write them.
  Remarks remarks;
  std::unique_ptr<mlir::MLIRContext> context;
  std::unique_ptr<Diagnostics> diagnostics;
  mlir::OwningOpRef<mlir::ModuleOp> root;
  /// The passes that a person chose, once they are known.
  std::optional<PassList> passes;
  std::function<void(mlir::PassManager &)> watcher;
  /// The module as it was read, for a report of an internal error.
  std::string text;
};

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_COMPILER_H
