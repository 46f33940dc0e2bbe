//===- Scalar.h - One number of the reference evaluator ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The numbers of the reference evaluator. A number carries its value, rounded
// as the program rounds it, and how far a correct target may be away from it:
// see docs/reference.md, "Deviation".
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_REFERENCE_SCALAR_H
#define ARRC_REFERENCE_SCALAR_H

#include "mlir/IR/Types.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace arrc::reference {

/// The element types of the language, as they lie in memory.
enum class Element : uint8_t {
  Bool,
  I8,
  I16,
  I32,
  I64,
  Index,
  F16,
  BF16,
  F32,
  F64,
  C64,
  C128
};

/// The element type of an MLIR scalar or tensor type; none if the evaluator
/// has no such numbers.
std::optional<Element> elementOf(mlir::Type type);

/// The name of the element type in messages: `bool`, `i32`, `f64`, `c64`.
llvm::StringRef nameOf(Element element);

/// Bytes of one element; a `bool` is one byte.
unsigned sizeOf(Element element);

/// Bits of an integer element (1 for `bool`, 64 for `index`), 0 for others.
unsigned bitsOf(Element element);

/// True for f16, bf16, f32 and f64.
inline bool isFloat(Element e) {
  return e >= Element::F16 && e <= Element::F64;
}
/// True for c64 and c128.
inline bool isComplex(Element e) { return e >= Element::C64; }
/// True for bool, the integers and index.
inline bool isInteger(Element e) { return e <= Element::Index; }
/// The float type of the parts of a complex type; a float type itself.
Element partOf(Element element);

/// Bits of the significand of a float type, the hidden one included.
unsigned precisionOf(Element element);

/// `value` rounded to the float type, to nearest, ties to even.
double roundTo(Element element, double value);

/// The distance from |value| to the next larger number of the float type; the
/// smallest subnormal number at zero, infinity where `value` is not finite.
double ulpOf(Element element, double value);

/// The low `bits` bits of `value`, read with a sign (`bool`: 0 or 1).
int64_t wrapTo(Element element, int64_t value);

/// A number. Integers and bools live in `i` (signed), floats in `re`, complex
/// numbers in `re` and `im`.
struct Scalar {
  int64_t i = 0;
  double re = 0, im = 0;
  /// How far (absolutely; for complex numbers in each part) a correct target
  /// may be away: 0 where it must agree in every bit, infinity where the value
  /// hangs on a decision that rounding may turn.
  double dev = 0;

  static Scalar integer(int64_t value) { return {value, 0, 0, 0}; }
  static Scalar real(double value, double dev = 0) {
    return {0, value, 0, dev};
  }
  static Scalar complex(double re, double im, double dev = 0) {
    return {0, re, im, dev};
  }
};

/// A deviation that allows everything.
inline constexpr double unbounded = std::numeric_limits<double>::infinity();

/// The distance of two results: 0 if they are the same number or both NaN,
/// infinity if only one is finite.
double distance(double a, double b);

/// Reads one element at `place`.
Scalar load(Element element, const void *place);
/// Writes one element at `place`; integers wrap, floats round.
void store(Element element, const Scalar &value, void *place);

/// The number of steps from `a` to `b` over the numbers of the float type, for
/// reports; saturates, and is the largest number if one of them is NaN.
uint64_t ulpsBetween(Element element, double a, double b);

} // namespace arrc::reference

#endif // ARRC_REFERENCE_SCALAR_H
