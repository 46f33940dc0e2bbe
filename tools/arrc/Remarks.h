//===- Remarks.h - What the optimizer says ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_REMARKS_H
#define ARRC_TOOLS_ARRC_REMARKS_H

#include "mlir/IR/MLIRContext.h"

#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace arrc::tool {

/// Collects the remarks of passes and prints them by the places of the program:
/// `file:line:col: remark: what was done`, or what was not, why, and what to
/// do.
class Remarks {
public:
  /// From now on passes that run in `context` are listened to.
  void listen(mlir::MLIRContext &context);
  /// Prints what was said since the last time, in the order of the program, to
  /// standard error.
  void print();

private:
  class Streamer;
  /// File, line, column, text.
  using Entry = std::tuple<std::string, unsigned, unsigned, std::string>;
  std::vector<Entry> entries;
};

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_REMARKS_H
