//===- Compiler.cpp - From a file to a level ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"

#include "arrc/Frontend/Frontend.h"
#include "arrc/InitAll.h"
#include "arrc/Pipelines/Optimizations.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/VirtualFileSystem.h"
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

Compiler::Compiler(const CommandLine &line, const TargetOptions &target,
                   Timer &timer)
    : line(line), target(target), times(timer) {
  mlir::DialectRegistry registry;
  arrc::registerAllDialects(registry);
  context = std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
  // Messages speak of the program; an internal error keeps it.
  context->printOpOnDiagnostic(false);
  leaveOut(*context, line.without);
  if (line.remarks)
    remarks.listen(*context);
  diagnostics = std::make_unique<Diagnostics>(*context);
  times.stop("compiler");
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
  times.stop("front end");
  return Done;
}

namespace {
/// Notes which files are read and which are looked for in vain.
class NotingFileSystem : public vfs::ProxyFileSystem {
public:
  NotingFileSystem(std::vector<std::string> &read,
                   std::vector<std::string> &missing)
      : ProxyFileSystem(vfs::getRealFileSystem()), read(read),
        missing(missing) {}
  ErrorOr<std::unique_ptr<vfs::File>>
  openFileForRead(const Twine &path) override {
    read.push_back(path.str());
    return ProxyFileSystem::openFileForRead(path);
  }
  bool exists(const Twine &path) override {
    bool is = ProxyFileSystem::exists(path);
    if (!is)
      missing.push_back(path.str());
    return is;
  }

private:
  std::vector<std::string> &read, &missing;
};
} // namespace

static FrontendOptions frontendOptions(const CommandLine &line) {
  FrontendOptions options;
  options.load.libraryPaths = line.libraryPaths;
  options.load.defines = line.defines;
  return options;
}

/// Whether the front end failed on its own, not on the program.
static bool isBroken(const DiagnosticEngine &diags) {
  return llvm::any_of(diags.all(), [](const Diagnostic &diagnostic) {
    return diagnostic.id == diag::import_broken;
  });
}

/// Prints what the front end found. Returns the exit code.
static int finishDiagnostics(const CommandLine &line, DiagnosticEngine &diags) {
  diags.print(errs(), wantColors());
  if (isBroken(diags))
    return InternalError;
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
  bool isNotThereYet = llvm::all_of(unsupported.all(), [](const Diagnostic &d) {
    return d.severity != Severity::Error || code(d.id).starts_with("E05");
  });
  if (isBroken(unsupported) || !isNotThereYet)
    return finishDiagnostics(line, unsupported);
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
  FrontendOptions options = frontendOptions(line);
  options.load.fileSystem =
      llvm::makeIntrusiveRefCnt<NotingFileSystem>(read, missing);
  root = importSource(*context, line.file, options, diags);
  saidNothing = diags.all().empty();
  if (int code = finishDiagnostics(line, diags))
    return code;
  if (!root || mlir::failed(mlir::verify(*root)))
    return internalError();
  return Done;
}

int Compiler::loadModuleText() {
  if (!line.defines.empty())
    return complain(WrongUse, "'-D' goes with a .arr file");
  read.push_back(line.file);
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
  case Level::GPU:
    return Stage::GPU;
  case Level::PTX:
  case Level::SPIRV:
    return Stage::Images;
  default:
    return Stage::LLVM;
  }
}

bool Compiler::isAtArrays() { return getStage(*root) == Stage::Array; }

bool Compiler::isSilent() const {
  return saidNothing && !diagnostics->warnings && !diagnostics->errors;
}

int Compiler::chooseTarget(Stage from) {
  // Text may say what it is for; from the schedules on, the CPU's says nothing.
  std::string written = getTargetName(*root);
  bool isDecided = written != "cpu" || from >= Stage::Scheduled;
  if (!isDecided || written == target.name)
    return Done;
  if (line.targetIsFlag)
    return complain(WrongUse, "'" + line.file + "' is text for " + written +
                                  ", not for " + target.name);
  target = TargetOptions();
  target.name = written;
  return Done;
}

/// The steps on the way that are worth a time of their own.
static constexpr std::pair<Stage, StringLiteral>
    cpuSteps[] = {{Stage::Kernel, "array"},
                  {Stage::Scheduled, "kernel"},
                  {Stage::SCF, "loops"},
                  {Stage::LLVM, "host"}},
    deviceSteps[] = {{Stage::Kernel, "array"},
                     {Stage::Scheduled, "kernel"},
                     {Stage::GPU, "gpu"},
                     {Stage::Images, "images"},
                     {Stage::LLVM, "host"}};

int Compiler::lowerTo(Level level) {
  Stage from = getStage(*root), to = stageOf(level);
  if (from > to)
    return complain(WrongUse, "'" + line.file +
                                  "' is already below the level '" +
                                  nameOf(level) + "'");
  if (int code = chooseTarget(from))
    return code;
  PipelineOptions options;
  options.optLevel = line.optLevel;
  options.target = target;
  options.simplifyKernels = line.level == Level::GPU;
  options.checkAccesses = line.sanitize;
  bool done = true;
  using Steps = ArrayRef<std::pair<Stage, StringLiteral>>;
  for (auto [stage, name] :
       target.isDevice() ? Steps(deviceSteps) : Steps(cpuSteps)) {
    // A level between two steps ends the second.
    Stage next = std::min(stage, to);
    if (!done || next <= from)
      continue;
    // The kernels are compiled side by side; LLVM's SPIR-V has state that it
    // shares between threads.
    if (next == Stage::Images && target.name == "cuda")
      context->enableMultithreading();
    done = mlir::succeeded(arrc::lower(*root, from, next, options));
    context->disableMultithreading();
    from = next;
    times.stop(name);
  }
  remarks.print();
  if (done)
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
