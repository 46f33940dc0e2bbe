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

/// The shortest text that reads back as this double, with a point or exponent.
std::string floatText(double value);
/// The same for a float.
std::string floatText(float value);
/// An element at this address, as the language writes it: `true`, `-3`, `0.5`,
/// `complex(1.0, 2.0)`.
std::string elementText(int32_t element, const void *data);
/// `f32[3, 4]`; with rank 0 the element's name alone.
std::string shapeText(int32_t element, int32_t rank, const int64_t *sizes);
/// As shapeText of an array, written as its declaration writes the element
/// (`int`, not `i64`).
std::string filledType(const arrt_param &param, const arrt_array *array);
/// The name nearest to `word` if it is near enough to be meant, else "".
std::string nearest(const std::string &word,
                    const std::vector<std::string> &names);

} // namespace arrt

#endif // ARRT_RUN_TEXT_H
