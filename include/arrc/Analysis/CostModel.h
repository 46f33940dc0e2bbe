//===- CostModel.h - What a kernel costs ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The one cost model of the project: work of operations, bytes of arrays,
// registers (Registers.h) and the way lanes walk memory (Coalescing.h). It
// changes nothing. Counts are sums of products of sizes, so that they hold for
// all calls; entries keep the places and names of the program for reports.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_ANALYSIS_COSTMODEL_H
#define ARRC_ANALYSIS_COSTMODEL_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include <map>
#include <string>
#include <vector>

namespace arrc {

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Additions that running `op` once is worth, what its regions hold apart; 0
/// for what is no arithmetic. Divisions and roots are 8, functions 16.
int64_t getWork(mlir::Operation *op);

/// Whether `op` runs on the units for special functions, 16 of which there are
/// a clock and multiprocessor.
bool isSpecialFunction(mlir::Operation *op);

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

/// What a size that is an argument of a launch is called in counts.
std::string getSizeName(kernel::LaunchOp launch, mlir::BlockArgument argument);

/// A number of things: a sum of products of sizes. Sizes have the names of the
/// program, or `s3` for argument 3 of the launch.
class Count {
public:
  Count() = default;
  explicit Count(int64_t number) { *this += Product{number, {}}; }
  /// A size of `launch`, or the extent of a loop in it.
  static Count ofSize(kernel::LaunchOp launch, mlir::OpFoldResult size);

  Count operator*(const Count &other) const;
  Count operator*(int64_t factor) const { return *this * Count(factor); }
  Count &operator+=(const Count &other);
  bool operator==(const Count &other) const { return terms == other.terms; }

  bool isZero() const { return terms.empty(); }
  /// How many times `other` it is, if that is a number.
  std::optional<int64_t> divide(const Count &other) const;
  /// `5*n*m + 2*n`
  std::string str() const;
  /// The number, where that of each of its sizes is known.
  std::optional<double> evaluate(
      llvm::function_ref<std::optional<int64_t>(llvm::StringRef size)> sizes)
      const;

private:
  struct Product {
    int64_t factor;
    std::vector<std::string> sizes;
  };
  Count &operator+=(const Product &product);

  /// The factor of each product of sizes, which are in order.
  std::map<std::vector<std::string>, int64_t> terms;
};

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// One array of a launch in memory.
struct ArrayCost {
  /// Its argument in the launch.
  mlir::BlockArgument argument;
  /// What the program calls it.
  std::string name;
  int64_t elementBytes = 0;
  /// Elements that are read and written at least once: of the box around the
  /// accesses, where their indices are those of loops, else of the array.
  Count read, written;
  /// Elements that are loaded and stored, repetitions counted.
  Count loads, stores;
};

/// What a launch reads, writes and computes.
class LaunchCost {
public:
  explicit LaunchCost(kernel::LaunchOp launch);

  llvm::ArrayRef<ArrayCost> getArrays() const { return arrays; }
  /// Bytes that must go over memory once.
  Count getBytesRead() const;
  Count getBytesWritten() const;
  /// Additions, as `getWork` counts, and how many special functions.
  const Count &getWork() const { return work; }
  const Count &getSpecialFunctions() const { return special; }
  /// See estimateRegisters.
  unsigned getRegisters() const { return registers; }

private:
  std::vector<ArrayCost> arrays;
  Count work, special;
  unsigned registers = 0;
};

} // namespace arrc

#endif // ARRC_ANALYSIS_COSTMODEL_H
