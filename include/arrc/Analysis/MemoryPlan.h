//===- MemoryPlan.h - Which buffers a function has, and when ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What kernel-plan-memory decided, read off the code: every buffer of a host
// function with its size, the kernels between its first and its last use, and
// what lies in it. It changes nothing. Sizes are expressions over the
// parameters, so that a run can say bytes.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_ANALYSIS_MEMORYPLAN_H
#define ARRC_ANALYSIS_MEMORYPLAN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace arrc {

/// A size as the program's parameters give it.
class SizeExpression {
public:
  /// Asks for an `int` parameter (dimension -1), or for a dimension of an
  /// array parameter.
  using Parameters =
      std::function<std::optional<int64_t>(unsigned number, int64_t dim)>;

  SizeExpression() = default;
  explicit SizeExpression(int64_t number)
      : kind(Kind::Number), number(number) {}
  /// The expression that makes `size`, as far as it can be followed.
  explicit SizeExpression(mlir::Value size);

  /// Dimension `dim` of the array that is parameter `number`.
  static SizeExpression ofParameter(unsigned number, int64_t dim) {
    SizeExpression size(dim);
    size.kind = Kind::Parameter;
    size.parameter = number;
    return size;
  }

  /// The number; nothing if a part of it is made while the program runs.
  std::optional<int64_t> evaluate(const Parameters &parameters) const;

private:
  enum class Kind {
    Unknown,
    Number,
    Parameter,
    Add,
    Sub,
    Mul,
    FloorDiv,
    CeilDiv,
    Mod,
    Min,
    Max
  };
  SizeExpression(Kind kind, SizeExpression lhs, SizeExpression rhs);
  static SizeExpression ofAffine(mlir::AffineExpr expr, unsigned numDims,
                                 llvm::ArrayRef<SizeExpression> operands);

  Kind kind = Kind::Unknown;
  int64_t number = 0; ///< also the dimension of a parameter
  unsigned parameter = 0;
  std::vector<SizeExpression> operands;
};

/// One buffer.
struct PlannedBuffer {
  PlannedBuffer(std::string name, mlir::Location loc)
      : name(std::move(name)), loc(loc) {}

  /// What the program calls the array; "workspace" for what only kernels see.
  std::string name;
  mlir::Location loc;
  /// `f32`.
  std::string element;
  int64_t elementBytes = 0;
  /// As the program writes them; `?` for what has no name.
  std::vector<std::string> shape;
  std::vector<SizeExpression> sizes;
  /// The first and the last kernel that use it, from 1; 0 if none does.
  unsigned firstKernel = 0, lastKernel = 0;
  /// Where it begins and ends to live, in the order of the host's operations.
  unsigned begin = 0, end = 0;
  bool isParameter = false;
  bool isResult = false;
  bool isWorkspace = false;
  /// Whether every step of a loop makes it anew.
  bool isInLoop = false;
  /// Kernels that write arrays into it which are not its first.
  std::vector<unsigned> reusedBy;
  /// Kernels that read and write it at once.
  std::vector<unsigned> inPlace;

  /// Its bytes; nothing if they are known only while the program runs.
  std::optional<int64_t>
  getBytes(const SizeExpression::Parameters &parameters) const;
};

/// The buffers of one host function after bufferization and planning, in the
/// order in which they begin to live. Kernels are numbered in program order.
class MemoryPlan {
public:
  explicit MemoryPlan(mlir::func::FuncOp function);

  llvm::StringRef getName() const { return name; }
  llvm::ArrayRef<PlannedBuffer> getBuffers() const { return buffers; }
  unsigned getNumKernels() const { return kernels.size(); }
  /// The place of kernel `number`, from 1.
  mlir::Location getKernel(unsigned number) const {
    return kernels[number - 1];
  }
  /// How many copies between arrays the host makes.
  unsigned getNumCopies() const { return numCopies; }

  /// The most bytes that live at one time, each buffer rounded by `round`;
  /// nothing if a size is not known.
  std::optional<int64_t>
  getPeak(const SizeExpression::Parameters &parameters,
          llvm::function_ref<int64_t(int64_t)> round) const;

private:
  std::string name;
  std::vector<PlannedBuffer> buffers;
  std::vector<mlir::Location> kernels;
  unsigned numCopies = 0;
};

} // namespace arrc

#endif // ARRC_ANALYSIS_MEMORYPLAN_H
