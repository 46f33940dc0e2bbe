//===- Sizes.h - the sizes that arguments agree on -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Checks the sizes of arrays against their declarations before the program
/// runs. Sizes are polynomials, with divisions by constants, of names that
/// other sizes and integer parameters bind; they are evaluated exactly, in 128
/// bits. What has a name that nothing binds is left to the program, which
/// checks its sizes once more.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_CORE_SIZES_H
#define ARRT_CORE_SIZES_H

#include "arrt/arrt.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace arrt {

/// The size names of one call.
class Sizes {
public:
  /// Makes a scalar parameter known, where it is an integer.
  void addScalar(const arrt_param &param, const void *data);
  /// Binds the dimensions of an array that are bare new names.
  void bind(const arrt_param &param, const arrt_array *array);
  /// Compares all dimensions whose values are known, after all binding.
  /// Returns "" or what is wrong: "its dimension 1 is 5, not m with m = 4
  /// (dimension 0 of 'x')".
  std::string check(const arrt_param &param, const arrt_array *array) const;

  /// Makes a size known that the caller names.
  void add(std::string_view name, const arrt_param &param, int32_t dim,
           int64_t size) {
    known[name] = {size, &param, dim};
  }
  /// The value of a size's text; false if it is not known, or no int64_t.
  bool evaluate(const char *text, int64_t &value) const;

private:
  /// A value and where it comes from: a dimension of an array, or a scalar.
  struct Known {
    __int128 value;
    const arrt_param *param;
    int32_t dim;
  };
  class Reader;
  std::unordered_map<std::string_view, Known> known;
};

} // namespace arrt

#endif // ARRT_CORE_SIZES_H
