//===- HostValue.h - Results that are compared ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_HOSTVALUE_H
#define ARRC_TOOLS_ARRC_HOSTVALUE_H

#include "arrt/arrt.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace arrc::tool {

/// A result of a call, on the host.
struct HostValue {
  std::string name;
  int32_t element = 0;
  std::vector<int64_t> shape;
  bool isScalar = false;
  std::vector<char> bytes;

  int64_t count() const {
    return int64_t(bytes.size()) / arrt_element_bytes(element);
  }
  /// Element `k`: the real part, and the other one of complex numbers.
  double real(int64_t k) const;
  double imaginary(int64_t k) const;
};

/// Copies a result of a call to the host: `place` is what the packed form has
/// for it. Returns a status with its message in the context.
int32_t takeValue(arrt_context *ctx, const arrt_param &about, void *place,
                  HostValue &value);

/// How two results compare.
struct Difference {
  bool isSame = true; ///< every bit, but for which NaN it is
  /// What differs but for numbers: type, shape, NaN against a number; or "".
  std::string mismatch;
  double worst = 0;  ///< largest difference, over the largest magnitude
  int64_t where = 0; ///< its linear index
};
Difference compare(const HostValue &expected, const HostValue &actual);
/// How far results of this type may be apart by rounding, over the largest.
double roundingOf(int32_t element);
/// The largest magnitude that is finite; 1 if that is 0.
double largestOf(const HostValue &value);
/// Whether two elements are at most so far apart; NaN is as NaN.
bool isWithin(const HostValue &expected, const HostValue &actual, int64_t k,
              double allowed);
/// An element as a person writes it.
std::string elementText(const HostValue &value, int64_t k);
/// Reads a file of NumPy's. Returns "" or what is wrong.
std::string loadValue(llvm::StringRef file, HostValue &value);
/// `[3, 4]` of a linear index.
std::string placeIn(const HostValue &value, int64_t index);

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_HOSTVALUE_H
