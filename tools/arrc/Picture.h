//===- Picture.h - Arrays as pictures ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_PICTURE_H
#define ARRC_TOOLS_ARRC_PICTURE_H

#include "HostValue.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <utility>

namespace arrc::tool {

/// The values of the first and the last colour.
using ValueRange = std::pair<double, double>;

/// Why results of this rank have no picture; "" if they may have one: a curve
/// of one dimension, colours of two, and red, green, blue and perhaps opacity
/// of three.
std::string findPictureProblem(int32_t rank);

/// Makes a PNG file of an array, a row of it a row of the picture; complex
/// numbers by their magnitude. `range` is what the colours mean: what is given,
/// else made of the finite values. Returns "" or what is wrong.
std::string drawPicture(const HostValue &value,
                        std::optional<ValueRange> &range, std::string &png);

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_PICTURE_H
