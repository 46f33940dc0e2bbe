//===- Compiler.cpp - From a file to a level ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"

#include "arrc/Frontend/Frontend.h"
#include "arrc/InitAll.h"
#include "arrc/Pipelines/Pipelines.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

int arrc::tool::complain(int code, const Twine &text, const Twine &help) {
  errs() << "error: " << text << '\n';
  if (!help.isTriviallyEmpty())
    if (std::string line = help.str(); !line.empty())
      errs() << "help: " << line << '\n';
  return code;
}

//===----------------------------------------------------------------------===//
// Messages of passes
//===----------------------------------------------------------------------===//

/// Prints what passes report as `file:line:col: error: text`, and tells a
/// refusal, which speaks to the user, from the failure of an op.
struct Compiler::Diagnostics {
  explicit Diagnostics(mlir::MLIRContext &context)
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          return handle(diagnostic);
        }) {}

  mlir::LogicalResult handle(mlir::Diagnostic &diagnostic) {
    StringRef kind;
    switch (diagnostic.getSeverity()) {
    case mlir::DiagnosticSeverity::Error:
      kind = "error";
      ++errors;
      break;
    case mlir::DiagnosticSeverity::Warning:
      kind = "warning";
      ++warnings;
      break;
    case mlir::DiagnosticSeverity::Note:
      kind = "note";
      break;
    case mlir::DiagnosticSeverity::Remark:
      return mlir::success();
    }
    std::string text = diagnostic.str();
    // `'dialect.op' op ..` is what verifiers and lowerings say of an op.
    if (kind == "error" && text.size() > 1 && text[0] == '\'' &&
        StringRef(text).drop_front().split('\'').first.contains('.'))
      ++opErrors;
    print(diagnostic.getLocation(), kind, text);
    for (mlir::Diagnostic &note : diagnostic.getNotes())
      print(note.getLocation(), "note", note.str());
    return mlir::success();
  }

  void print(mlir::Location location, StringRef kind, StringRef text) {
    mlir::FileLineColLoc place;
    location->walk([&](mlir::Location inner) {
      place = dyn_cast<mlir::FileLineColLoc>(inner);
      return place ? mlir::WalkResult::interrupt()
                   : mlir::WalkResult::advance();
    });
    if (place)
      errs() << place.getFilename().getValue() << ':' << place.getLine() << ':'
             << place.getColumn() << ": ";
    errs() << kind << ": " << text << '\n';
  }

  unsigned errors = 0, warnings = 0, opErrors = 0;
  mlir::ScopedDiagnosticHandler handler;
};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

Compiler::Compiler(const CommandLine &line) : line(line) {
  mlir::DialectRegistry registry;
  arrc::registerAllDialects(registry);
  context = std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
  diagnostics = std::make_unique<Diagnostics>(*context);
}

Compiler::~Compiler() = default;

int Compiler::checkReadable() {
  StringRef file = line.file;
  // What cannot be opened is no error of the program.
  auto opened = sys::fs::openNativeFileForRead(file);
  if (!opened) {
    std::string why = toString(opened.takeError());
    return complain(CannotReadOrWrite, "cannot read '" + file + "': " + why);
  }
  sys::fs::closeFile(*opened);
  bool isFolder = false;
  if (!sys::fs::is_directory(file, isFolder) && isFolder)
    return complain(CannotReadOrWrite,
                    "cannot read '" + file + "': it is a directory");
  return Done;
}

int Compiler::load() {
  if (int code = checkReadable())
    return code;
  if (int code = StringRef(line.file).ends_with(".mlir") ? loadModuleText()
                                                         : loadProgramText())
    return code;
  raw_string_ostream os(text);
  root->print(os, mlir::OpPrintingFlags().enableDebugInfo());
  return Done;
}

static FrontendOptions frontendOptions(const CommandLine &line) {
  FrontendOptions options;
  options.load.libraryPaths = line.libraryPaths;
  options.load.defines = line.defines;
  return options;
}

/// Prints what the front end found. Returns the exit code.
static int finishDiagnostics(const CommandLine &line, DiagnosticEngine &diags) {
  diags.print(errs(), wantColors());
  if (diags.hasErrors())
    return ProgramError;
  if (line.warningsAreErrors)
    for (const Diagnostic &diagnostic : diags.all())
      if (diagnostic.severity == Severity::Warning)
        return complain(ProgramError, "a warning counts as an error (-Werror)");
  return Done;
}

int Compiler::check() {
  if (StringRef(line.file).ends_with(".mlir"))
    return load();
  if (int code = checkReadable())
    return code;
  SourceMgr sources;
  DiagnosticEngine diags(sources);
  checkSource(line.file, frontendOptions(line), diags);
  if (int code = finishDiagnostics(line, diags))
    return code;
  // Stencils and bounds are checked on what the exports are made of. Where that
  // cannot be made yet, the program is right as far as anyone can say.
  SourceMgr again;
  DiagnosticEngine unsupported(again);
  root = importSource(*context, line.file, frontendOptions(line), unsupported);
  if (!root || unsupported.hasErrors())
    return Done;
  mlir::PassManager pm(context.get());
  buildArrayPipeline(pm);
  if (mlir::succeeded(pm.run(*root)))
    return Done;
  return diagnostics->errors && !diagnostics->opErrors ? int(ProgramError)
                                                       : internalError();
}

int Compiler::loadProgramText() {
  SourceMgr sources;
  DiagnosticEngine diags(sources);
  root = importSource(*context, line.file, frontendOptions(line), diags);
  if (int code = finishDiagnostics(line, diags))
    return code;
  if (!root || mlir::failed(mlir::verify(*root)))
    return internalError();
  return Done;
}

int Compiler::loadModuleText() {
  if (!line.defines.empty())
    return complain(WrongUse, "'-D' goes with a .arr file");
  root = mlir::parseSourceFile<mlir::ModuleOp>(line.file, context.get());
  return root ? Done : ProgramError;
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

static Stage stageOf(Level level) {
  switch (level) {
  case Level::Array:
    return Stage::Array;
  case Level::Kernel:
    return Stage::Kernel;
  case Level::Buffers:
    return Stage::Buffers;
  case Level::Scheduled:
    return Stage::Scheduled;
  case Level::SCF:
    return Stage::SCF;
  default:
    return Stage::LLVM;
  }
}

bool Compiler::isAtArrays() { return getStage(*root) == Stage::Array; }

int Compiler::lowerTo(Level level) {
  if (getStage(*root) > stageOf(level))
    return complain(WrongUse, "'" + line.file +
                                  "' is already below the level '" +
                                  nameOf(level) + "'");
  PipelineOptions options;
  options.optLevel = line.optLevel;
  if (mlir::succeeded(arrc::lowerTo(*root, stageOf(level), options)))
    return Done;
  // A pass that says in the user's words what cannot be done has refused the
  // program; anything else is our fault.
  if (diagnostics->errors && !diagnostics->opErrors)
    return ProgramError;
  return internalError();
}

int Compiler::internalError() {
  SmallString<128> path;
  int file = -1;
  std::string kept;
  if (!text.empty() &&
      !sys::fs::createTemporaryFile("arrc-error", "mlir", file, path)) {
    raw_fd_ostream os(file, /*shouldClose=*/true);
    os << text;
    kept = ("the program is kept in " + path).str();
  }
  return complain(InternalError,
                  "internal error while compiling '" + line.file +
                      "'; please report it",
                  kept);
}
