//===- TuneProcess.cpp - Who measures for a tuner -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "TuneProcess.h"

#include "Compiler.h"

#include <csignal>
#include <cstdlib>
#include <string>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

using namespace arrc::tool;

static constexpr const char *variable = "ARRC_TUNER";

void arrc::tool::nameTuner() {
  ::setenv(variable, std::to_string(::getpid()).c_str(), 1);
}

void arrc::tool::endWithTuner() {
  const char *tuner = std::getenv(variable);
  if (!tuner)
    return;
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // It may be gone already.
  if (std::to_string(::getppid()) != tuner)
    ::_exit(InternalError);
#endif
}
