//===- TuneSpace.h - Schedules that a tuner tries ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_TUNESPACE_H
#define ARRC_TOOLS_ARRC_TUNESPACE_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace arrc::tool {

/// What is varied: numbers of one kind, within bounds.
struct TuneDim {
  enum Kind { Threads, Shape, Coarsen, Vector, Steps } kind;
  int64_t low, high;
};

/// Reads `threads=32..1024`. Returns "" or what is wrong.
std::string readTuneDim(llvm::StringRef text, std::vector<TuneDim> &dims);

/// The other texts of a schedule that differ in one dimension, without itself.
std::vector<std::string> vary(llvm::StringRef schedule, const TuneDim &dim);

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_TUNESPACE_H
