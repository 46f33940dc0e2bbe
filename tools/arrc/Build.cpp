//===- Build.cpp - arrc build ---------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Verbs.h"

#include "arrc/Target/CPU/CPU.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
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
  case Level::Executable:
    return stem.str();
  default:
    return "-";
  }
}

/// Writes a file whole or not at all; "-" is the standard output.
static int writeOutput(StringRef path, StringRef bytes) {
  if (path == "-") {
    outs() << bytes;
    outs().flush();
    if (!outs().has_error())
      return Done;
    outs().clear_error();
    return complain(CannotReadOrWrite, "cannot write to the standard output");
  }
  Error error = writeToOutput(path, [&](raw_ostream &os) {
    os << bytes;
    return Error::success();
  });
  if (!error)
    return Done;
  return complain(CannotReadOrWrite,
                  "cannot write '" + path + "': " + toString(std::move(error)));
}

int arrc::tool::build(const CommandLine &line) {
  std::string output = line.output.empty() ? defaultOutput(line) : line.output;
  if (output == "-" && line.level == Level::Executable)
    return complain(WrongUse, "a program cannot go to the standard output",
                    "name a file by -o");
  if (output == line.file)
    return complain(WrongUse, "'-o' names the program's own file");
  Compiler compiler(line);
  if (int code = compiler.load())
    return code;
  if (int code = compiler.lowerTo(line.level))
    return code;

  if (line.level <= Level::LLVM) {
    std::string text;
    raw_string_ostream os(text);
    mlir::OpPrintingFlags flags;
    flags.enableDebugInfo(line.locations);
    compiler.module()->print(os, flags);
    return writeOutput(output, text);
  }

  cpu::CodeGenOptions options;
  options.optLevel = line.optLevel;
  options.cpu = line.cpu;
  cpu::OutputKind kind = line.level == Level::LLVMIR ? cpu::OutputKind::LLVMIR
                         : line.level == Level::Assembly
                             ? cpu::OutputKind::Assembly
                             : cpu::OutputKind::Object;
  SmallVector<char, 0> bytes;
  if (mlir::failed(cpu::compile(compiler.module(), options, kind, bytes)))
    return InternalError;
  StringRef data(bytes.data(), bytes.size());
  if (line.level != Level::Executable)
    return writeOutput(output, data);

  SmallString<128> object;
  if (std::error_code error = sys::fs::createTemporaryFile("arrc", "o", object))
    return complain(CannotReadOrWrite,
                    "cannot write a temporary file: " + error.message());
  FileRemover remover(object);
  if (int code = writeOutput(object, data))
    return code;
  return linkExecutable(object, output);
}

int arrc::tool::check(const CommandLine &line) {
  Compiler compiler(line);
  if (int code = compiler.check())
    return code;
  errs() << line.file << ": no errors\n";
  return Done;
}
