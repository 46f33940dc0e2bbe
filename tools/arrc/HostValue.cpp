//===- HostValue.cpp - Results that are compared --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "HostValue.h"

#include "IO/Stored.h"

#include <cmath>
#include <cstring>

using namespace arrc::tool;

namespace {
/// A part of an element as a double; integers of 64 bits are compared as bytes.
struct PartOf {
  const char *data;
  bool isImaginary;

  template <typename T> double operator()(T value) const {
    std::memcpy(&value, data, sizeof value);
    if constexpr (arrt::IsComplex<T>::value)
      return double(isImaginary ? value.im : value.re);
    else
      return isImaginary ? 0 : double(arrt::load(value));
  }
};
} // namespace

double HostValue::real(int64_t k) const {
  return arrt::dispatch(
      element, PartOf{bytes.data() + k * arrt_element_bytes(element), false});
}

double HostValue::imaginary(int64_t k) const {
  return arrt::dispatch(
      element, PartOf{bytes.data() + k * arrt_element_bytes(element), true});
}

double arrc::tool::roundingOf(int32_t element) {
  switch (element) {
  case ARRT_F16:
    return 2e-3;
  case ARRT_BF16:
    return 2e-2;
  case ARRT_F32:
  case ARRT_C64:
    return 1e-5;
  case ARRT_F64:
  case ARRT_C128:
    return 1e-13;
  default:
    return 0;
  }
}

static std::string shapeOf(const HostValue &value) {
  std::string text = "[";
  for (size_t d = 0; d < value.shape.size(); ++d)
    text += (d ? ", " : "") + std::to_string(value.shape[d]);
  return text + "]";
}

std::string arrc::tool::placeIn(const HostValue &value, int64_t index) {
  std::string text;
  for (size_t d = value.shape.size(); d-- > 0;) {
    text = std::to_string(index % value.shape[d]) +
           (text.empty() ? "" : ", " + text);
    index /= value.shape[d];
  }
  return value.shape.empty() ? "" : "[" + text + "]";
}

/// How far two numbers are apart; NaN if just one is none.
static double distance(double a, double b) {
  if (std::isnan(a) && std::isnan(b))
    return 0;
  return a == b ? 0 : std::fabs(a - b);
}

Difference arrc::tool::compare(const HostValue &expected,
                               const HostValue &actual) {
  Difference found;
  auto refuse = [&](std::string why) {
    found.isSame = false;
    found.mismatch = std::move(why);
    return found;
  };
  if (expected.element != actual.element)
    return refuse(std::string("its elements are ") +
                  arrt_element_name(actual.element) + ", not " +
                  arrt_element_name(expected.element));
  if (expected.shape != actual.shape)
    return refuse("its shape is " + shapeOf(actual) + ", not " +
                  shapeOf(expected));
  if (expected.bytes == actual.bytes)
    return found;
  int64_t width = arrt_element_bytes(expected.element);
  double largest = 0, worst = -1;
  for (int64_t k = 0; k < expected.count(); ++k) {
    double magnitude = std::hypot(expected.real(k), expected.imaginary(k));
    if (std::isfinite(magnitude))
      largest = std::max(largest, magnitude);
    if (!std::memcmp(&expected.bytes[size_t(k * width)],
                     &actual.bytes[size_t(k * width)], size_t(width)))
      continue;
    double apart =
        std::max(distance(expected.real(k), actual.real(k)),
                 distance(expected.imaginary(k), actual.imaginary(k)));
    bool isNaN = std::isnan(expected.real(k)) && std::isnan(actual.real(k));
    if (isNaN)
      continue;
    found.isSame = false;
    if (std::isnan(apart) || std::isinf(apart)) {
      found.where = k;
      return refuse("element " + placeIn(expected, k) + " is " +
                    std::to_string(actual.real(k)) + ", not " +
                    std::to_string(expected.real(k)));
    }
    // Integers of 64 bits may differ where doubles do not.
    if (apart == 0 && roundingOf(expected.element) == 0)
      apart = 1;
    if (apart > worst) {
      worst = apart;
      found.where = k;
    }
  }
  if (worst > 0)
    found.worst = worst / (largest > 0 ? largest : 1);
  return found;
}
