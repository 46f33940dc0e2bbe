//===- arrc.cpp - The compiler's command line -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Verbs.h"

#include "mlir/Support/LLVM.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;
using namespace arrc::tool;

/// The parser recurses over a program that may be 256 deep, and passes recurse
/// over what it made.
static constexpr unsigned stackBytes = 32u << 20;

int arrc::tool::version() {
  outs() << "arrc " ARRC_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
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
  if (!error.empty())
    return complain(WrongUse, error, help);

  // A broken invariant ends with exit code 70 and a message, not a signal.
  CrashRecoveryContext::Enable();
  CrashRecoveryContext recovery;
  recovery.DumpStackAndCleanupOnFailure = true;
  int code = InternalError;
  bool whole =
      recovery.RunSafelyOnThread([&] { code = dispatch(line); }, stackBytes);
  if (!whole)
    code = complain(InternalError, "internal error; please report it with '" +
                                       line.file + "'");
  outs().flush();
  errs().flush();
  // Destructors of what a crash left behind would crash again.
  if (!whole)
    std::_Exit(code);
  return code;
}
