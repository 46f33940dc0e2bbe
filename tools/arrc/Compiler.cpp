//===- Compiler.cpp - From a file to a level ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"

#include "Console.h"
#include "Messages.h"

#include "arrc/Dialect/Array/Transforms/Passes.h"
#include "arrc/Dialect/Kernel/Transforms/Strategies.h"
#include "arrc/Frontend/Frontend.h"
#include "arrc/InitAll.h"
#include "arrc/Pipelines/Optimizations.h"
#include "arrc/Pipelines/Plugin.h"
#include "arrc/Support/Printable.h"
#include "arrc/Support/SourceFile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <set>

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

int arrc::tool::complain(int code, const Twine &text, const Twine &help) {
  if (messageFormat() != MessageFormat::Full) {
    std::string message = text.str(), advice = help.str();
    printMessage({"error", message, advice, ""}, messageFormat(), console());
    return code;
  }
  console() << "error: " << printable(text.str()) << '\n';
  if (!help.isTriviallyEmpty())
    if (std::string line = help.str(); !line.empty())
      console() << "help: " << printable(line) << '\n';
  return code;
}

std::string arrc::tool::digestOf(StringRef text) {
  XXH128_hash_t hash = xxh3_128bits(arrayRefFromStringRef(text));
  std::string digest(16, '\0');
  support::endian::write64le(digest.data(), hash.low64);
  support::endian::write64le(digest.data() + 8, hash.high64);
  return digest;
}

void Said::print() const {
  console() << (wantColors() && !isCaptured() ? colored : plain);
}

void Compiler::showLine(StringRef file, unsigned row, unsigned column,
                        Said &message) {
  std::optional<std::string> text;
  if (line.text && file == line.file)
    text = line.text;
  addSourceLine(file, text, row, column, message);
}

void arrc::tool::addSourceLine(StringRef file,
                               const std::optional<std::string> &given,
                               unsigned row, unsigned column, Said &message) {
  if (!file.ends_with(".arr"))
    return;
  std::string text;
  if (given) {
    text = *given;
  } else {
    auto buffer = readSourceFile(file);
    if (!buffer)
      return;
    text = (*buffer)->getBuffer().str();
  }
  raw_string_ostream plain(message.plain), colored(message.colored);
  printSourceLine(text, row, column, plain, /*colors=*/false);
  printSourceLine(text, row, column, colored, /*colors=*/true);
}

void arrc::tool::showPlaceOf(StringRef message) {
  // FILE:LINE:COLUMN: error: ..
  StringRef head = message.take_front(message.find(": error: "));
  auto [rest, column] = head.rsplit(':');
  auto [file, row] = rest.rsplit(':');
  unsigned atRow = 0, atColumn = 0;
  if (row.getAsInteger(10, atRow) || column.getAsInteger(10, atColumn))
    return;
  Said line;
  addSourceLine(file, std::nullopt, atRow, atColumn, line);
  line.print();
}

void Compiler::say(const Said &messages) {
  said.colored += messages.colored;
  said.plain += messages.plain;
  if (!isQuiet)
    messages.print();
}

//===----------------------------------------------------------------------===//
// Messages of passes
//===----------------------------------------------------------------------===//

/// Prints what passes report as `file:line:col: error: text`, and tells a
/// refusal, which speaks to the user, from the failure of an op.
struct Compiler::Diagnostics {
  Diagnostics(mlir::MLIRContext &context, Compiler &compiler)
      : compiler(compiler), plugins(context, namesOf(compiler.line.plugins)),
        handler(&context, [this](mlir::Diagnostic &diagnostic) {
          return handle(diagnostic);
        }) {}

  /// Whether a verifier or a lowering speaks of an op (`emitOpError`). That is
  /// how the message was put together: its words may be a person's.
  static bool isOfOp(mlir::Diagnostic &diagnostic) {
    auto parts = diagnostic.getArguments();
    auto is = [&](size_t i, StringRef text) {
      return parts[i].getKind() ==
                 mlir::DiagnosticArgument::DiagnosticArgumentKind::String &&
             parts[i].getAsString() == text;
    };
    return parts.size() > 2 && is(0, "'") && is(2, "' op ");
  }

  /// Takes the code of a message that is explained off its text: it stands in
  /// brackets in front.
  static std::string takeCode(std::string &text) {
    StringRef rest = text, code;
    if (!rest.consume_front("["))
      return "";
    std::tie(code, rest) = rest.split("] ");
    std::string found = code.str();
    text = rest.str();
    return found;
  }

  mlir::LogicalResult handle(mlir::Diagnostic &diagnostic) {
    StringRef kind;
    switch (diagnostic.getSeverity()) {
    case mlir::DiagnosticSeverity::Error:
      kind = "error";
      ++errors;
      break;
    case mlir::DiagnosticSeverity::Warning:
      kind = "warning";
      break;
    case mlir::DiagnosticSeverity::Note:
      kind = "note";
      break;
    case mlir::DiagnosticSeverity::Remark:
      kind = "remark";
      break;
    }
    std::string text = diagnostic.str();
    if (kind == "error" && isOfOp(diagnostic))
      ++opErrors;
    std::string code = takeCode(text);
    if (kind == "remark" && (code.empty() || !printsRemarks))
      return mlir::success();
    // What is inlined several times, or has versions, is said once.
    std::string place;
    raw_string_ostream(place) << placeOf(diagnostic.getLocation());
    if (!code.empty() && !saidBefore.insert(place + code).second)
      return mlir::success();
    warnings += kind == "warning" && !code.empty();
    print(diagnostic.getLocation(), kind, text, code);
    for (mlir::Diagnostic &note : diagnostic.getNotes()) {
      std::string line = note.str();
      bool isHelp = StringRef(line).starts_with("help: ");
      print(note.getLocation(), isHelp ? "help" : "note",
            StringRef(line).drop_front(isHelp ? 6 : 0));
    }
    return mlir::success();
  }

  static mlir::FileLineColLoc placeOf(mlir::Location location) {
    mlir::FileLineColLoc place;
    location->walk([&](mlir::Location inner) {
      place = dyn_cast<mlir::FileLineColLoc>(inner);
      return place ? mlir::WalkResult::interrupt()
                   : mlir::WalkResult::advance();
    });
    return place;
  }

  void print(mlir::Location location, StringRef kind, StringRef text,
             StringRef code = "") {
    mlir::FileLineColLoc place;
    if (kind != "help" || messageFormat() != MessageFormat::Full)
      place = placeOf(location);
    Said message;
    raw_string_ostream os(message.plain);
    if (messageFormat() != MessageFormat::Full) {
      PlainMessage plain{kind, text, "", ""};
      plain.code = code;
      if (place) {
        plain.file = place.getFilename().getValue();
        plain.line = place.getLine();
        plain.column = place.getColumn();
      }
      printMessage(plain, messageFormat(), os);
      message.colored = message.plain;
      compiler.say(message);
      return;
    }
    if (place)
      os << printable(place.getFilename().getValue()) << ':' << place.getLine()
         << ':' << place.getColumn() << ": ";
    os << kind << (code.empty() ? "" : ("[" + code + "]").str()) << ": "
       << printable(text, /*keepLines=*/true) << '\n';
    message.colored = message.plain;
    if (place && kind != "note")
      compiler.showLine(place.getFilename().getValue(), place.getLine(),
                        place.getColumn(), message);
    compiler.say(message);
  }

  static std::vector<std::string> namesOf(ArrayRef<std::string> plugins) {
    std::vector<std::string> names;
    for (const std::string &plugin : plugins)
      names.push_back(nameOfPlugin(plugin));
    return names;
  }

  Compiler &compiler;
  /// The context's strategies, as long as it is heard.
  kernel::PluginsInUse plugins;
  /// Whether remarks with a code are printed.
  bool printsRemarks = false;
  std::set<std::string> saidBefore;
  /// Warnings that have a code.
  unsigned warnings = 0;
  unsigned errors = 0, opErrors = 0;
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
  diagnostics = std::make_unique<Diagnostics>(*context, *this);
  times.stop("compiler");
}

Compiler::~Compiler() = default;

/// What cannot be opened is no error of the program.
static int complainOfReading(StringRef file, std::error_code why) {
  return complain(CannotReadOrWrite,
                  "cannot read '" + file + "': " + why.message());
}

int Compiler::checkReadable() {
  if (line.text)
    return Done;
  if (std::error_code error = checkSourceFile(line.file))
    return complainOfReading(line.file, error);
  return Done;
}

/// Erases the exports of `module` but `entry`, and what only they called. A
/// module without that export stays as it is: what it has is then said.
static mlir::LogicalResult keepOnly(StringRef entry, mlir::ModuleOp module) {
  auto isExport = [](mlir::func::FuncOp function) {
    return function->hasAttr("arrc.export");
  };
  auto found = module.lookupSymbol<mlir::func::FuncOp>(entry);
  if (!found || !isExport(found))
    return mlir::success();
  // The others may be called by it.
  for (auto function : module.getOps<mlir::func::FuncOp>())
    if (function != found) {
      function.setPrivate();
      function->removeAttr("arrc.export");
    }
  mlir::PassManager pm(module.getContext());
  pm.addPass(mlir::createSymbolDCEPass());
  return pm.run(module);
}

int Compiler::load() {
  if (int code = checkReadable())
    return code;
  if (int code = StringRef(line.file).ends_with(".mlir") ? loadModuleText()
                                                         : loadProgramText())
    return code;
  if (!line.entry.empty() && isAtArrays() &&
      mlir::failed(keepOnly(line.entry, module())))
    return internalError();
  raw_string_ostream os(text);
  root->print(os, mlir::OpPrintingFlags().enableDebugInfo());
  times.stop("front end");
  return Done;
}

static FrontendOptions frontendOptions(const CommandLine &line) {
  FrontendOptions options;
  options.load.libraryPaths = line.libraryPaths;
  options.load.defines = line.defines;
  if (line.text) {
    auto files = llvm::makeIntrusiveRefCnt<SourceFileSystem>(
        [](StringRef path, StringRef text) {}, [](StringRef path) {});
    files->give(line.file, *line.text);
    options.load.fileSystem = files;
  }
  return options;
}

/// Whether the front end failed on its own, not on the program.
static bool isBroken(const DiagnosticEngine &diags) {
  return llvm::any_of(diags.all(), [](const Diagnostic &diagnostic) {
    return diagnostic.id == diag::import_broken;
  });
}

/// What the front end found ends with: by the kinds of its messages.
static int exitCodeOf(const DiagnosticEngine &diags) {
  if (isBroken(diags))
    return InternalError;
  if (!diags.hasErrors())
    return Done;
  bool cannotRead = llvm::any_of(diags.all(), [](const Diagnostic &d) {
    return d.id == diag::cannot_read_file;
  });
  return cannotRead ? CannotReadOrWrite : ProgramError;
}

/// Prints what the front end found. Returns the exit code.
int Compiler::finishDiagnostics(DiagnosticEngine &diags) {
  Said messages;
  raw_string_ostream colored(messages.colored), plain(messages.plain);
  if (messageFormat() != MessageFormat::Full) {
    printMessages(diags, messageFormat(), plain);
    messages.colored = messages.plain;
  } else {
    DiagnosticEngine(diags).print(plain);
    diags.print(colored, /*colors=*/true);
  }
  if (!line.isQuiet || diags.hasErrors())
    say(messages);
  if (int code = exitCodeOf(diags))
    return code;
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
  if (int code = finishDiagnostics(diags))
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
    return finishDiagnostics(unsupported);
  if (!root || unsupported.hasErrors())
    return Done;
  // Loops of a device are found where arrays have become buffers.
  bool isForDevice = target.isDevice() && line.optLevel > 0;
  if (isForDevice)
    setTarget(*root, target);
  diagnostics->printsRemarks = true;
  mlir::PassManager pm(context.get());
  buildArrayPipeline(pm, isForDevice, line.reproducible);
  if (isForDevice)
    buildLoopPipeline(pm, line.reproducible);
  if (mlir::succeeded(pm.run(*root)))
    return refuseWarnings();
  return diagnostics->errors && !diagnostics->opErrors ? int(ProgramError)
                                                       : internalError();
}

int Compiler::refuseWarnings() {
  if (!line.warningsAreErrors || !diagnostics->warnings)
    return Done;
  return complain(ProgramError, "a warning counts as an error (-Werror)");
}

int Compiler::loadProgramText() {
  SourceMgr sources;
  DiagnosticEngine diags(sources);
  FrontendOptions options = frontendOptions(line);
  auto files = llvm::makeIntrusiveRefCnt<SourceFileSystem>(
      [&](StringRef path, StringRef text) {
        read.push_back({path.str(), digestOf(text)});
      },
      [&](StringRef path) { read.push_back({path.str(), ""}); });
  if (line.text)
    files->give(line.file, *line.text);
  options.load.fileSystem = files;
  root = importSource(*context, line.file, options, diags);
  if (int code = finishDiagnostics(diags))
    return code;
  if (!root || mlir::failed(mlir::verify(*root)))
    return internalError();
  return Done;
}

int Compiler::loadModuleText() {
  if (!line.defines.empty())
    return complain(WrongUse, "'-D' goes with a .arr file");
  auto text = readSourceFile(line.file, mostModuleBytes);
  if (!text)
    return complainOfReading(line.file, text.getError());
  read.push_back({line.file, digestOf((*text)->getBuffer())});
  SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*text), SMLoc());
  root = mlir::parseSourceFile<mlir::ModuleOp>(sources, context.get());
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

bool Compiler::hasErrors() const { return diagnostics->errors; }

int Compiler::chooseTarget(Stage from) {
  // Text may say what it is for; from the schedules on, the CPU's says nothing.
  std::string written = getTargetName(*root);
  bool isDecided =
      written != "cpu" || (from >= Stage::Scheduled && from != Stage::GPU);
  if (!isDecided && from == Stage::GPU && !target.isDevice())
    return complain(WrongUse, "'" + line.file + "' has kernels of a device",
                    "write --target=cuda or --target=opencl");
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

PipelineOptions Compiler::pipelineOptions() const {
  PipelineOptions options;
  options.optLevel = line.optLevel;
  options.target = target;
  options.simplifyKernels = line.level == Level::GPU;
  options.checkAccesses = line.sanitize;
  options.reproducible = line.reproducible;
  options.watch = watcher;
  return options;
}

int Compiler::choosePasses(PipelineOptions &options) {
  if (!line.passes.isGiven())
    return Done;
  if (!passes) {
    PassList chosen;
    if (int code = line.passes.choose(options, chosen))
      return code;
    passes = std::move(chosen);
  }
  options.passes = &*passes;
  return Done;
}

int Compiler::printPasses(raw_ostream &os) {
  if (root)
    if (int code = chooseTarget(getStage(*root)))
      return code;
  PipelineOptions options = pipelineOptions();
  if (int code = choosePasses(options))
    return code;
  (passes ? *passes : PassList::builtIn(options)).print(os);
  return Done;
}

bool Compiler::reaches(Level level) {
  PipelineOptions options = pipelineOptions();
  return choosePasses(options) == Done &&
         (!passes || passes->reaches(stageOf(level)));
}

int Compiler::lowerTo(Level level) {
  Stage from = getStage(*root), to = stageOf(level);
  if (from > to)
    return complain(WrongUse, "'" + line.file +
                                  "' is already below the level '" +
                                  nameOf(level) + "'");
  if (int code = chooseTarget(from))
    return code;
  PipelineOptions options = pipelineOptions();
  if (int code = choosePasses(options))
    return code;
  auto isReached = [&](Stage stage) {
    return !passes || passes->reaches(stage);
  };
  for (Stage stage : {from, to})
    if (!isReached(stage))
      return complain(
          WrongUse,
          "the pipeline does not reach the level '" + arrc::nameOf(stage) + "'",
          "mark where it does: arrc-reach-stage{stage=" + arrc::nameOf(stage) +
              "}");
  if (line.isStepped() && from == Stage::Array && to > from) {
    mlir::PassManager pm(context.get());
    pm.addPass(array::createStepTimeLoopsPass());
    if (mlir::failed(pm.run(*root)))
      return internalError();
  }
  // Kernels of text are looked at even where they stay as they are.
  bool done =
      from != to || mlir::succeeded(arrc::lower(*root, from, to, options));
  using Steps = ArrayRef<std::pair<Stage, StringLiteral>>;
  for (auto [stage, name] :
       target.isDevice() ? Steps(deviceSteps) : Steps(cpuSteps)) {
    // A level between two steps ends the second.
    Stage next = std::min(stage, to);
    if (!done || next <= from || !isReached(next))
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
    return refuseWarnings();
  // Whoever chose the passes has to see to it that they get on.
  if (passes)
    return diagnostics->errors
               ? int(ProgramError)
               : complain(ProgramError, "a pass of the pipeline failed");
  // A pass that says in the user's words what cannot be done has refused the
  // program; anything else is our fault, unless the operations are the user's.
  bool isText = StringRef(line.file).ends_with(".mlir");
  if (diagnostics->errors && (!diagnostics->opErrors || isText))
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
