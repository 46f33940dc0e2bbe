//===- MadeArrays.h - Arrays for trying a program ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_MADEARRAYS_H
#define ARRC_TOOLS_ARRC_MADEARRAYS_H

#include "Core/Sizes.h"
#include "arrt/arrt.h"

#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>

namespace arrc::tool {

/// Makes arrays of known sizes: by a recipe, else of random numbers, which are
/// the same in every run. `random(LOW, HIGH)` is below HIGH (of integers: up to
/// it), `fill(VALUE)` one value, `range()` counts elements from 0.
class ArrayMaker {
public:
  static bool isRecipe(llvm::StringRef text);
  /// Notes how a parameter is made. Returns "" or what is wrong.
  std::string add(llvm::StringRef parameter, llvm::StringRef recipe);
  /// Makes an array on the host; null if a size is not known, or with the
  /// context's error.
  arrt_array *make(arrt_context *ctx, const arrt_param &param,
                   const arrt::Sizes &sizes) const;

private:
  struct Recipe {
    enum Kind { Random, Fill, Range } kind = Random;
    double low = 0, high = 1;
  };
  std::map<std::string, Recipe> recipes;
};

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_MADEARRAYS_H
