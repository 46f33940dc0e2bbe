//===- TunePredictor.h - What schedules should take -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_TUNEPREDICTOR_H
#define ARRC_TOOLS_ARRC_TUNEPREDICTOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace arrc::tool {

/// Predicts what a program takes with schedules of `arrc tune`, by the rates
/// that the planner judges schedules by, at the sizes of its arguments.
class TunePredictor {
public:
  /// `words` are those of `arrc run` behind the file: options and arguments.
  TunePredictor(llvm::StringRef file, llvm::ArrayRef<std::string> words);

  /// Seconds of all kernels, each once. Nothing where the schedules cannot be
  /// applied, a kernel cannot be followed, or the target is no device.
  std::optional<double> predict(llvm::StringRef schedules);

private:
  void noteSizes(mlir::ModuleOp module);

  std::string file, entry;
  std::vector<std::string> words;
  std::map<std::string, std::string> arguments;
  std::map<std::string, int64_t> sizes;
  bool isNoted = false;
};

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_TUNEPREDICTOR_H
