//===- Text.cpp - words for people ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Run/Text.h"
#include "IO/Stored.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace arrt;

/// The fewest digits that read back; without an exponent from 1e-5 to 1e16.
template <typename T> static std::string shortest(T value) {
  if (value != value)
    return "nan";
  char text[64];
  auto end = std::to_chars(text, text + sizeof text, value,
                           std::chars_format::scientific)
                 .ptr;
  std::string result(text, end);
  size_t e = result.find('e');
  if (e == std::string::npos)
    return result; // an infinity
  int exponent = std::atoi(result.c_str() + e + 1);
  if (exponent < -5 || exponent >= 16)
    return result;
  int digits = 0;
  for (char c : result.substr(0, e))
    digits += c >= '0' && c <= '9';
  std::snprintf(text, sizeof text, "%.*f", std::max(0, digits - 1 - exponent),
                double(value));
  return text;
}

std::string arrt::floatText(double value) { return shortest(value); }
std::string arrt::floatText(float value) { return shortest(value); }

namespace {
struct Printer {
  const void *data;

  template <typename T> std::string operator()(T) const {
    T value;
    std::memcpy(&value, data, sizeof value);
    if constexpr (std::is_same_v<T, Bool>)
      return value.value ? "true" : "false";
    else if constexpr (IsComplex<T>::value)
      return "(" + floatText(value.re) + ", " + floatText(value.im) + ")";
    else if constexpr (isHalf<T>)
      return floatText(float(load(value)));
    else if constexpr (std::is_floating_point_v<T>)
      return floatText(value);
    else
      return std::to_string(value);
  }
};
} // namespace

std::string arrt::elementText(int32_t element, const void *data) {
  return dispatch(element, Printer{data});
}

/// Insertions, deletions, replacements and exchanges of neighbours; letters
/// of either case are the same.
static size_t distance(const std::string &a, const std::string &b) {
  auto same = [&](size_t i, size_t j) {
    return std::tolower(static_cast<unsigned char>(a[i])) ==
           std::tolower(static_cast<unsigned char>(b[j]));
  };
  std::vector<std::vector<size_t>> d(a.size() + 1,
                                     std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i)
    for (size_t j = 0; j <= b.size(); ++j) {
      if (!i || !j) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1,
                          d[i - 1][j - 1] + !same(i - 1, j - 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

std::string arrt::nearest(const std::string &word,
                          const std::vector<std::string> &names) {
  std::string best;
  size_t least = SIZE_MAX;
  if (word.size() > 64)
    return best;
  for (const std::string &name : names) {
    if (name.size() > 64)
      continue;
    size_t far = distance(word, name);
    if (far < least) {
      least = far;
      best = name;
    }
  }
  return least <= std::max<size_t>(1, word.size() / 3) ? best : "";
}
