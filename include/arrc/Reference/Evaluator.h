//===- Evaluator.h - The reference evaluator of array programs --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Runs a function in the form that import makes (array, arith, math, complex,
// tensor, scf, affine.apply and func ops): slow, obvious, and with nothing in
// common with any lowering. It is the oracle of `arrc run --check`, of the
// end-to-end tests and of the tests of array passes.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_REFERENCE_EVALUATOR_H
#define ARRC_REFERENCE_EVALUATOR_H

#include "arrc/Reference/Tensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <functional>
#include <string>
#include <vector>

namespace arrc::reference {

/// How numbers are computed.
enum class Mode {
  /// In the program's own types, each operation rounded; deviations tracked.
  Own,
  /// Floats of every type in double, sums in more; results are f64 or c128.
  /// Says how far rounding carried a program.
  Exact
};

struct Options {
  Mode mode = Mode::Own;
  /// All arrays alive at one time may take this many bytes.
  int64_t maxBytes = int64_t(4) << 30;
  /// The evaluator gives up after this many operations; 0 is without limit.
  uint64_t maxSteps = 0;
  /// A scatter that writes an element twice is an error.
  bool checkDuplicates = true;
  /// The largest depth of a reduction tree that a target may use, in the bound
  /// `2 * k * u * sum|x|`.
  int64_t maxDepth = 200;
  /// Calls a function from outside: pointers to its numbers and arrays, then to
  /// what it writes. Gives what it returned, or why it cannot be called.
  std::function<std::string(llvm::StringRef callee, llvm::ArrayRef<void *> args,
                            int32_t &returned)>
      callExtern;
};

/// Why an evaluation ended without results.
struct Failure {
  /// `input`, `assert`, `index`, `size`, `divide` (the kinds of checks), or
  /// `memory`, `steps`, `unsupported` for limits of the evaluator itself.
  std::string kind;
  /// The message, with values filled in.
  std::string message;
  /// The place in the program.
  mlir::Location location;

  /// True if the program is at fault, false for limits of the evaluator.
  bool isProgramError() const {
    return kind != "memory" && kind != "steps" && kind != "unsupported";
  }
};

/// What an evaluation gives.
struct Outcome {
  /// One array for each result of the function; empty after a failure.
  std::vector<Tensor> results;
  /// Where each result was computed, for reports.
  std::vector<mlir::Location> origins;
  std::optional<Failure> failure;
  /// The first decision (`if`, `while`, comparison) that rounding may turn, so
  /// that what hangs on it cannot be compared.
  std::optional<mlir::Location> uncertainAt;

  bool succeeded() const { return !failure; }
};

/// Runs `function` on `arguments`: one array (rank 0 for scalars) for each
/// argument, of its element type and rank.
Outcome evaluate(mlir::func::FuncOp function, llvm::ArrayRef<Tensor> arguments,
                 const Options &options = {});

/// `file:line:col: message` of a location, looking through call sites, fused
/// and named locations for a place in a file.
std::string describeLocation(mlir::Location location);

} // namespace arrc::reference

#endif // ARRC_REFERENCE_EVALUATOR_H
