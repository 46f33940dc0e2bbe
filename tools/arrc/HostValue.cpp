//===- HostValue.cpp - Results that are compared --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "HostValue.h"

#include "IO/Stored.h"
#include "Run/Text.h"

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

int32_t arrc::tool::takeValue(arrt_context *ctx, const arrt_param &about,
                              void *place, HostValue &value) {
  value = HostValue();
  value.name = about.name;
  value.element = about.element;
  value.isScalar = about.rank == 0;
  const void *data = place;
  int64_t bytes = arrt_element_bytes(about.element);
  arrt_array *host = nullptr;
  if (about.rank) {
    host = arrt_array_to_host(ctx, *static_cast<arrt_array **>(place));
    if (!host)
      return arrt_last_status(ctx);
    for (int32_t d = 0; d < about.rank; ++d)
      value.shape.push_back(arrt_array_size(host, d));
    data = arrt_array_data(host);
    bytes = arrt_array_bytes(host);
  }
  auto *begin = static_cast<const char *>(data);
  value.bytes.assign(begin, begin + bytes);
  arrt_array_release(host);
  return ARRT_STATUS_OK;
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

double arrc::tool::largestOf(const HostValue &value) {
  double largest = 0;
  for (int64_t k = 0; k < value.count(); ++k) {
    double magnitude = std::hypot(value.real(k), value.imaginary(k));
    if (std::isfinite(magnitude))
      largest = std::max(largest, magnitude);
  }
  return largest > 0 ? largest : 1;
}

/// How far elements are apart: 1 for integers that doubles do not tell apart.
static double distanceAt(const HostValue &expected, const HostValue &actual,
                         int64_t k) {
  auto width = size_t(arrt_element_bytes(expected.element));
  size_t at = size_t(k) * width;
  if (!std::memcmp(&expected.bytes[at], &actual.bytes[at], width))
    return 0;
  double apart = std::max(distance(expected.real(k), actual.real(k)),
                          distance(expected.imaginary(k), actual.imaginary(k)));
  return apart == 0 && roundingOf(expected.element) == 0 ? 1 : apart;
}

bool arrc::tool::isWithin(const HostValue &expected, const HostValue &actual,
                          int64_t k, double allowed) {
  return distanceAt(expected, actual, k) <= allowed;
}

std::string arrc::tool::elementText(const HostValue &value, int64_t k) {
  return arrt::elementText(value.element,
                           value.bytes.data() +
                               k * arrt_element_bytes(value.element));
}

std::string arrc::tool::loadValue(llvm::StringRef file, HostValue &value) {
  arrt_context *ctx = arrt_context_create(nullptr);
  arrt_array *array = ctx ? arrt_load(ctx, file.str().c_str()) : nullptr;
  std::string wrong;
  if (array) {
    value.element = arrt_array_element(array);
    value.shape.clear();
    for (int32_t d = 0; d < arrt_array_rank(array); ++d)
      value.shape.push_back(arrt_array_size(array, d));
    auto *data = static_cast<const char *>(arrt_array_data(array));
    value.bytes.assign(data, data + arrt_array_bytes(array));
    arrt_array_release(array);
  } else {
    wrong = ctx ? arrt_message(ctx) : "out of memory";
  }
  if (ctx)
    arrt_context_destroy(ctx);
  return wrong;
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
  double worst = 0;
  for (int64_t k = 0; k < expected.count(); ++k) {
    double apart = distanceAt(expected, actual, k);
    bool isNaN = std::isnan(expected.real(k)) && std::isnan(actual.real(k));
    auto width = size_t(arrt_element_bytes(expected.element));
    size_t at = size_t(k) * width;
    found.isSame &=
        isNaN || !std::memcmp(&expected.bytes[at], &actual.bytes[at], width);
    if (std::isnan(apart) || std::isinf(apart)) {
      found.where = k;
      return refuse("element " + placeIn(expected, k) + " is " +
                    elementText(actual, k) + ", not " +
                    elementText(expected, k));
    }
    if (apart > worst) {
      worst = apart;
      found.where = k;
    }
  }
  if (worst > 0)
    found.worst = worst / largestOf(expected);
  return found;
}
