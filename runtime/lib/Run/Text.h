//===- Text.h - words for people -------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_RUN_TEXT_H
#define ARRT_RUN_TEXT_H

#include "arrt/arrt.h"

#include <string>
#include <vector>

namespace arrt {

/// The shortest text that reads back as this double: `2`, `0.1`, `1e-09`.
std::string floatText(double value);
/// The same for a float.
std::string floatText(float value);
/// An element at this address: `true`, `-3`, `0.5`, `(1, 2)` if complex.
std::string elementText(int32_t element, const void *data);
/// The name nearest to `word` if it is near enough to be meant, else "".
std::string nearest(const std::string &word,
                    const std::vector<std::string> &names);

} // namespace arrt

#endif // ARRT_RUN_TEXT_H
