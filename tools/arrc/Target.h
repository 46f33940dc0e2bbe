//===- Target.h - Which device a program is compiled for --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_TARGET_H
#define ARRC_TOOLS_ARRC_TARGET_H

#include "CommandLine.h"

#include "arrc/Pipelines/Pipelines.h"

#include <optional>

namespace arrc::tool {

/// A target of the command line, with what is known of the device.
struct Target {
  TargetOptions options;
  /// What the runtime is told, `cuda:1`; "" leaves it to the runtime.
  std::string device;

  /// All that code for it depends on, as text.
  std::string getKey() const;
};

/// The target of `arrc run`: looks for the device. `auto` is a CUDA card if
/// there is one, else the CPU; a note says so where `auto` was asked for by
/// name. Nothing, with a message, if the device cannot be used.
std::optional<Target> findRunTarget(const CommandLine &line);

/// The target of `arrc build`, where no device need be there: the CPU unless
/// another is named. `--arch=native` and `auto` look for a device.
std::optional<Target> findBuildTarget(const CommandLine &line);

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_TARGET_H
