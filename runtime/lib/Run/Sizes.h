//===- Sizes.h - the sizes that inputs agree on ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Checks the sizes of inputs against their declarations before the program is
/// called, because here it is known which file they came from. The program
/// checks them again, and what this cannot decide.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_RUN_SIZES_H
#define ARRT_RUN_SIZES_H

#include "arrt/arrt.h"

#include <map>
#include <string>

namespace arrt {

/// The size names of one call.
class Sizes {
public:
  /// Makes a scalar parameter known, where it is an integer.
  void addScalar(const arrt_param &param, const void *data);
  /// Binds the dimensions of an array that are bare new names.
  void bind(const arrt_param &param, const arrt_array *array);
  /// Compares all dimensions whose values are known, after all binding.
  /// Returns "" or what is wrong: "its dimension 1 is 5, and 'm' is 4 (from
  /// 'x')".
  std::string check(const arrt_param &param, const arrt_array *array) const;

private:
  struct Known {
    int64_t value;
    std::string from;
  };
  std::map<std::string, Known> known;
};

} // namespace arrt

#endif // ARRT_RUN_SIZES_H
