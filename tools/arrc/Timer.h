//===- Timer.h - What the stages of a compilation take ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_TIMER_H
#define ARRC_TOOLS_ARRC_TIMER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace arrc::tool {

/// Notes how long each stage took.
class Timer {
public:
  /// The time since the last call, or since it was made, is that of `stage`.
  void stop(llvm::StringRef stage) {
    auto now = std::chrono::steady_clock::now();
    std::chrono::duration<double, std::milli> took = now - last;
    stages.emplace_back(stage.str(), took.count());
    last = now;
  }
  /// A line a stage, in milliseconds.
  void print(llvm::raw_ostream &os) const {
    for (auto &[name, milliseconds] : stages)
      os << "time: " << llvm::left_justify(name, 12)
         << llvm::format("%9.3f ms\n", milliseconds);
  }

  /// The stages in their order, with their milliseconds.
  const std::vector<std::pair<std::string, double>> &all() const {
    return stages;
  }

private:
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
  std::vector<std::pair<std::string, double>> stages;
};

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_TIMER_H
