//===- Convert.cpp - elements to another type -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The conversions of the language: float to integer toward zero, saturating,
// NaN is 0; integer to integer by the low bits; to float to nearest even;
// `bool(x)` is `x != 0`. Complex to real is no conversion: `re`, `im`, `abs`.
//
//===----------------------------------------------------------------------===//

#include "Core/Array.h"
#include "IO/Stored.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace arrt;

namespace {

/// A double that rounds to the same 16-bit float as the integer: inexact
/// results get an odd last bit, which no tie of a shorter format has.
template <typename T> double toOdd(T value) {
  double near = double(value);
  if constexpr (sizeof(T) == 8) {
    __int128 exact = value, rounded = __int128(near);
    if (exact != rounded) {
      uint64_t bits;
      std::memcpy(&bits, &near, sizeof bits);
      if (!(bits & 1)) {
        bool away = rounded < 0 ? exact < rounded : exact > rounded;
        bits += away ? 1 : -1;
      }
      std::memcpy(&near, &bits, sizeof near);
    }
  }
  return near;
}

template <typename To, typename From> To convertReal(From value) {
  if constexpr (std::is_same_v<To, Bool>) {
    return Bool{uint8_t(value != From(0))};
  } else if constexpr (std::is_same_v<To, F16> || std::is_same_v<To, BF16>) {
    double exact;
    if constexpr (std::is_integral_v<From>)
      exact = toOdd(value);
    else
      exact = double(value);
    return To{std::is_same_v<To, F16> ? toF16(exact) : toBF16(exact)};
  } else if constexpr (std::is_floating_point_v<From> &&
                       std::is_integral_v<To>) {
    if (std::isnan(value))
      return 0;
    // The largest value plus one is a power of two, hence exact.
    constexpr To least = std::numeric_limits<To>::min();
    constexpr To most = std::numeric_limits<To>::max();
    if (value <= From(least))
      return least;
    if (value >= From(most / 2 + 1) * 2)
      return most;
    return To(value);
  } else {
    return static_cast<To>(value);
  }
}

template <typename To, typename From> To convertOne(From value) {
  if constexpr (IsComplex<To>::value) {
    using Part = decltype(To::re);
    if constexpr (IsComplex<From>::value)
      return To{static_cast<Part>(value.re), static_cast<Part>(value.im)};
    else
      return To{convertReal<Part>(load(value)), Part(0)};
  } else if constexpr (std::is_same_v<To, Bool> && IsComplex<From>::value) {
    return Bool{uint8_t(value.re != 0 || value.im != 0)};
  } else {
    return convertReal<To>(load(value));
  }
}

struct Job {
  const void *from;
  void *to;
};

template <typename To, typename From>
void task(void *env, int64_t begin, int64_t end, int64_t) {
  auto &job = *static_cast<Job *>(env);
  auto *from = static_cast<const From *>(job.from);
  auto *to = static_cast<To *>(job.to);
  for (int64_t i = begin; i < end; ++i)
    to[i] = convertOne<To>(from[i]);
}

arrt_task_fn taskFor(int32_t to, int32_t from) {
  return dispatch(to, [from](auto target) {
    return dispatch(from, [](auto source) -> arrt_task_fn {
      using To = decltype(target);
      using From = decltype(source);
      if constexpr (IsComplex<From>::value && !IsComplex<To>::value &&
                    !std::is_same_v<To, Bool>)
        return nullptr;
      else
        return task<To, From>;
    });
  });
}

} // namespace

arrt_array *arrt_array_convert(arrt_context *ctx, const arrt_array *array,
                               int32_t element) {
  arrt_task_fn fn = taskFor(element, array->element);
  if (!fn) {
    arrt_fail(ctx, ARRT_STATUS_INPUT,
              "error: there is no conversion from %s to %s; take 're', 'im' or "
              "'abs'",
              arrt_element_name(array->element),
              arrt_element_name(element) ? arrt_element_name(element) : "?");
    return nullptr;
  }
  HostView from(ctx, array);
  if (!from)
    return nullptr;
  arrt_array *result =
      arrt_array_alloc_host(ctx, element, array->rank, array->sizes);
  if (!result)
    return nullptr;
  Job job{from.data(), result->data};
  arrt_parallel(ctx, fn, &job, arrt_array_count(array), 1 << 15);
  return result;
}
