//===- Build.cpp - arrc build ---------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "JoinPTX.h"
#include "Output.h"
#include "Target.h"
#include "Verbs.h"

#include "arrc/Support/Printable.h"
#include "arrc/Target/CPU/CPU.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

/// Where a level goes without `-o`: text to the standard output, files beside
/// the working folder under the program's name.
static std::string defaultOutput(const CommandLine &line) {
  StringRef stem = sys::path::stem(line.file);
  switch (line.level) {
  case Level::Object:
    return (stem + ".o").str();
  case Level::SPIRV:
    return (stem + ".spv").str();
  case Level::Executable:
    return stem.str();
  case Level::Library:
    return ("lib" + stem + ".so").str();
  default:
    return "-";
  }
}

/// Writes the images of the kernels. Those of PTX are one module; several of
/// SPIR-V are one after the other on the standard output and in what is no
/// file, or files whose names say which they are.
static int writeImages(mlir::ModuleOp module, StringRef output, bool isPTX) {
  SmallVector<std::pair<StringRef, StringRef>> images;
  for (auto binary : module.getOps<mlir::gpu::BinaryOp>())
    for (mlir::Attribute object : binary.getObjects())
      images.emplace_back(
          binary.getName(),
          cast<mlir::gpu::ObjectAttr>(object).getObject().getValue());
  if (isPTX)
    return writeOutput(output, joinPTX(images));
  if (images.size() == 1)
    return writeOutput(output, images.front().second);
  if (isStream(output)) {
    std::string text;
    for (auto [name, image] : images)
      text += ("// " + name + "\n" + image + "\n").str();
    return writeOutput(output, text);
  }
  SmallVector<std::pair<std::string, StringRef>> files;
  for (auto [name, image] : images) {
    SmallString<128> file(output);
    StringRef ending = sys::path::extension(output);
    sys::path::replace_extension(file, name + ending);
    files.emplace_back(file.str().str(), image);
  }
  if (int code = writeOutputs(files))
    return code;
  for (auto &[file, image] : files)
    errs() << "note: wrote " << printable(file) << '\n';
  return Done;
}

int arrc::tool::build(const CommandLine &line) {
  std::string output = line.output.empty() ? defaultOutput(line) : line.output;
  bool isLinked =
      line.level == Level::Executable || line.level == Level::Library;
  if (output == "-" && isLinked)
    return complain(WrongUse, "a program cannot go to the standard output",
                    "name a file by -o");
  if (isSameFile(output, line.file))
    return complain(WrongUse, "'-o' names the program's own file");
  if (int code = loadPlugins(line.plugins))
    return code;
  if (line.level == Level::Header)
    return buildHeader(line, output);
  if (line.level == Level::Library)
    return buildLibrary(line, output);
  std::optional<Target> target = findBuildTarget(line);
  if (!target)
    return NoDevice;
  Timer timer;
  Compiler compiler(line, target->options, timer);
  if (!line.file.empty())
    if (int code = compiler.load())
      return code;
  if (llvm::any_of(compiler.texts(), [&](const SourceText &text) {
        return isSameFile(output, text.path);
      }))
    return complain(WrongUse, "'-o' names a file that the program imports");
  if (line.level == Level::Pipeline) {
    std::string text;
    raw_string_ostream os(text);
    if (int code = compiler.printPasses(os))
      return code;
    return writeOutput(output, text);
  }
  if (int code = compiler.lowerTo(line.level))
    return code;
  if (line.level == Level::Executable &&
      !compiler.module().lookupSymbol("arrt_program_table"))
    return complainOfNoExport(line);

  if (line.level <= Level::LLVM) {
    std::string text;
    raw_string_ostream os(text);
    mlir::OpPrintingFlags flags;
    flags.enableDebugInfo(line.locations);
    compiler.module()->print(os, flags);
    return writeOutput(output, text);
  }

  if (line.level == Level::PTX || line.level == Level::SPIRV)
    return writeImages(compiler.module(), output, line.level == Level::PTX);

  cpu::CodeGenOptions options;
  options.optLevel = line.optLevel;
  options.isGlue = compiler.getTarget().isDevice();
  options.cpu = line.cpu;
  cpu::OutputKind kind = line.level == Level::LLVMIR ? cpu::OutputKind::LLVMIR
                         : line.level == Level::Assembly
                             ? cpu::OutputKind::Assembly
                             : cpu::OutputKind::Object;
  SmallVector<char, 0> bytes;
  if (mlir::failed(cpu::compile(compiler.module(), options, kind, bytes)))
    return line.passes.isGiven() ? ProgramError : InternalError;
  StringRef data(bytes.data(), bytes.size());
  if (line.level != Level::Executable)
    return writeOutput(output, data);

  TemporaryFile object("o");
  if (object.isMissing())
    return CannotReadOrWrite;
  if (int code = object.write(data))
    return code;
  return linkExecutable(object.getPath(), output, line.links);
}

int arrc::tool::check(const CommandLine &line) {
  std::optional<Target> target = findBuildTarget(line);
  if (!target)
    return NoDevice;
  Timer timer;
  Compiler compiler(line, target->options, timer);
  if (int code = compiler.check())
    return code;
  errs() << printable(line.file) << ": no errors\n";
  return Done;
}
