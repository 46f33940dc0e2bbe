//===- arr-opt.cpp - Try passes alone -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/InitAll.h"
#include "arrc/Pipelines/Plugin.h"
#include "arrc/Support/LargeStack.h"
#include "arrc/Support/Printable.h"
#include "arrc/Support/SourceFile.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <string>
#include <vector>

using namespace llvm;

/// What it ends with where it cannot read or write, as arrc does.
static constexpr int cannotReadOrWrite = 74;

static int complain(StringRef what, StringRef name, const Twine &why) {
  errs() << "error: cannot " << what << " '" << arrc::printable(name)
         << "': " << why << '\n';
  return cannotReadOrWrite;
}

/// Writes the text to its file, or to the standard output for "-".
static int write(StringRef name, StringRef text) {
  std::error_code error;
  raw_fd_ostream os(name, error);
  if (!error) {
    os << text;
    os.flush();
    error = os.error();
    os.clear_error();
  }
  return error ? complain("write", name, error.message()) : 0;
}

/// Looks at plugins that are named before any of their code runs. One of MLIR
/// alone names no compiler.
static bool checkPlugins(ArrayRef<char *> words) {
  for (size_t i = 0; i < words.size(); ++i) {
    auto [flag, file] = StringRef(words[i]).split('=');
    if (flag.ltrim('-') != "load-pass-plugin" || !flag.starts_with("-"))
      continue;
    if (file.empty() && i + 1 < words.size())
      file = words[i + 1];
    std::string compiler, problem;
    if (!arrc::readPluginCompiler(file, compiler, problem) ||
        compiler.empty() || compiler == ARRC_COMPILER)
      continue;
    errs() << "error: the plugin '" << arrc::printable(file) << "' is for "
           << arrc::printable(compiler) << ", this is " << ARRC_COMPILER
           << '\n';
    return false;
  }
  return true;
}

/// `--transform=FILE` is short for the pass that runs a script.
static void expandScript(std::vector<std::string> &words) {
  for (std::string &word : words)
    if (StringRef text(word);
        text.consume_front("--transform=") || text.consume_front("-transform="))
      word = ("--arrc-transform=file=" + text).str();
}

int main(int argc, char **argv) {
  // What cannot be written is an error and no reason to be killed.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  if (!checkPlugins(ArrayRef(argv, argc).drop_front()))
    return 1;
  // For the list of options; it is expanded before they are read.
  cl::opt<std::string> script("transform", cl::value_desc("file"),
                              cl::desc("Run a script of the transform dialect: "
                                       "short for --arrc-transform=file="));
  std::vector<std::string> words(argv, argv + argc);
  expandScript(words);
  std::vector<char *> pointers;
  for (std::string &word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  argv = pointers.data();
  arrc::registerAllPasses();
  mlir::DialectRegistry registry;
  arrc::registerAllDialects(registry);
  auto [inputName, outputName] = mlir::registerAndParseCLIOptions(
      argc, argv, "arr-opt: passes of the arrc compiler, one by one\n",
      registry);
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(
        mlir::MlirOptMain(argc, argv, inputName, outputName, registry));

  InitLLVM start(argc, argv);
  auto input = inputName == "-"
                   ? arrc::readStandardInput(arrc::mostModuleBytes)
                   : arrc::readSourceFile(inputName, arrc::mostModuleBytes);
  if (!input)
    return complain("read", inputName, input.getError().message());
  std::string text;
  raw_string_ostream os(text);
  bool failed = true;
  arrc::runOnLargeStack([&] {
    failed = mlir::failed(
        mlir::MlirOptMain(os, std::move(*input), registry, config));
  });
  // Without -o, what was printed before the failure is shown.
  if (failed && outputName != "-")
    return 1;
  int written = write(outputName, text);
  return failed ? 1 : written;
}
