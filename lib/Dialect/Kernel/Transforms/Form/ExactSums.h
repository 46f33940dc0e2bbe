//===- ExactSums.h - Sums of f32 as integers --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A finite value is m * 2^(scale - 149) for an integer m of 24 bits and a scale
// of 0 to 253. Its scale decides which integer of a sum takes it:
//
//   near        one of 64 bits for the scales of a window, [low, low + reach]:
//               m * 2^(scale - low) is added
//   far[k]      one of 64 bits for the scales 8 k to 8 k + 7: m * 2^(scale mod
//               8) is added, 2^32 times at least until it overflows
//   far[32]     counts +inf, and NaN as 2^32
//   far[33]     counts -inf
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_EXACTSUMS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_EXACTSUMS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace arrc::kernel {

/// Integers of a sum besides the near one.
inline constexpr int64_t kFarParts = 34;

/// Emits code for sums.
class ExactSums {
public:
  ExactSums(mlir::OpBuilder &builder, mlir::Location loc)
      : b(builder), loc(loc) {}

  /// What a value adds where.
  struct Parts {
    mlir::Value near, isNear;
    mlir::Value number, far, isFar;
  };
  /// Takes `value` apart for a window.
  Parts split(mlir::Value value, mlir::Value low, mlir::Value reach);
  /// The same by products of f64, for a CPU, without the far part: the window
  /// is what `scale` makes integers below `bound` of.
  Parts splitByProduct(mlir::Value value, mlir::Value scale, mlir::Value bound);
  /// The far part of `value`, where it is needed.
  void splitFar(mlir::Value value, Parts &parts);
  /// What makes integers of a window from `low` on, and what they are below.
  std::pair<mlir::Value, mlir::Value> findProduct(mlir::Value low,
                                                  mlir::Value reach);
  /// What was added in a window, and where the window begins.
  struct Window {
    mlir::Value sum, low;
  };
  /// The sum of what was added in windows, and `kFarParts` others.
  mlir::Value join(llvm::ArrayRef<Window> windows,
                   llvm::ArrayRef<mlir::Value> far, mlir::FloatType type);

  /// The sum of near alone.
  mlir::Value joinNear(mlir::Value near, mlir::Value low, mlir::FloatType type);

  /// The largest reach, at most 24, with which near does not overflow though
  /// it is added to `count` times, an index.
  mlir::Value findReach(mlir::Value count);
  /// What the scale of `value` adds to a sample; nothing if it is not finite,
  /// zero or as small.
  mlir::Value sample(mlir::Value value);
  /// The low end of a window about the scales of a sample.
  mlir::Value findLow(mlir::Value samples, mlir::Value reach);
  /// The low end of the window below that from `low` on.
  mlir::Value findLowBelow(mlir::Value low, mlir::Value reach);

private:
  struct Unpacked {
    mlir::Value bits, exponent, fraction, scale;
  };
  Unpacked unpack(mlir::Value value);
  /// The integer of 24 bits, with its sign.
  mlir::Value getMantissa(const Unpacked &unpacked);
  void splitFar(const Unpacked &unpacked, Parts &parts);
  /// The float next to `kept` times 2^(`unit` - 149) and, if `rest` is not
  /// zero, less than that more. Then `kept` has 40 bits at least, or `unit` is
  /// zero.
  mlir::Value round(mlir::Value negative, mlir::Value kept, mlir::Value unit,
                    mlir::Value rest, mlir::FloatType type);
  mlir::Value integer(int64_t value, unsigned width);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value x,
                      mlir::Value y);
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y);
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value both(mlir::Value x, mlir::Value y);
  mlir::Value either(mlir::Value x, mlir::Value y);

  mlir::OpBuilder &b;
  mlir::Location loc;
};

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_EXACTSUMS_H
