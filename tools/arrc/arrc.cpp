//===- arrc.cpp - The compiler's command line -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Output.h"
#include "Verbs.h"

#include "Ranks/MPI.h"

#include "arrc/Support/LargeStack.h"
#include "arrc/Support/Printable.h"
#include "arrc/Version.h"

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>

using namespace llvm;
using namespace arrc::tool;

static std::string crashedProgram;

/// A broken invariant, here or in code that was compiled, ends with exit code
/// 70 and a message, not by a signal. Runs inside the signal handler.
static void crashed(void *) {
  auto say = [](const char *text) {
    [[maybe_unused]] auto ignored = ::write(2, text, std::strlen(text));
  };
  say("error: internal error; please report it with '");
  say(crashedProgram.c_str());
  say("'\n");
  ::_exit(InternalError);
}

int arrc::tool::version() {
  outs() << ARRC_COMPILER "\n";
  return Done;
}

static int dispatch(const CommandLine &line) {
  switch (line.verb) {
  case Verb::Run:
    return run(line);
  case Verb::Build:
    return build(line);
  case Verb::Check:
    return check(line);
  case Verb::Bench:
    return bench(line);
  case Verb::Test:
    return test(line);
  case Verb::Diff:
    return diff(line);
  case Verb::Profile:
    return profile(line);
  case Verb::Tune:
    return tune(line);
  case Verb::Analyze:
    return analyze(line);
  case Verb::Explain:
    return explain(line);
  case Verb::Fmt:
    return fmt(line);
  case Verb::Lsp:
    return lsp(line);
  case Verb::New:
    return newProgram(line);
  case Verb::Repl:
    return repl(line);
  case Verb::Doctor:
    return doctor(line);
  case Verb::Completion:
    return completion(line);
  case Verb::Devices:
    return devices();
  case Verb::Version:
    return version();
  case Verb::Help: {
    StringRef about = line.rest.empty() ? "" : StringRef(line.rest.front());
    if (line.rest.size() > 1 || !printHelp(about))
      return complain(WrongUse, "there is no help about '" + about + "'",
                      "see 'arrc help'");
    return Done;
  }
  }
  return InternalError;
}

int main(int argc, char **argv) {
  CommandLine line;
  std::string help;
  std::string error =
      parseCommandLine(ArrayRef<const char *>(argv + 1, argc - 1), line, help);
  // Of several processes with one command line the first says what is wrong
  // with it. The others are silent and succeed: one that failed earlier would
  // have it killed by the launcher before it speaks.
  if (!error.empty())
    return arrt::mpi::findLaunched().rank > 0 ? int(Done)
                                              : complain(WrongUse, error, help);

  crashedProgram = line.file.empty() ? "arrc" : arrc::printable(line.file);
  // For those who work on the compiler: where it crashed.
  if (std::getenv("ARRC_STACK_TRACE"))
    sys::PrintStackTraceOnErrorSignal(argv[0]);
  sys::AddSignalHandler(crashed, nullptr);
  // What cannot be written is an error and no reason to be killed.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  setMessageFormat(line.messageFormat);
  int code = InternalError;
  arrc::runOnLargeStack([&] { code = dispatch(line); });
  int written = finishStandardOutput();
  errs().flush();
  // Nobody can be told that the messages were not written.
  errs().clear_error();
  return code ? code : written;
}
