//===- Text.cpp - words for people ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Run/Text.h"
#include "IO/Stored.h"

#include <algorithm>
#include <charconv>
#include <cstring>

using namespace arrt;

template <typename T> static std::string shortest(T value) {
  if (value != value)
    return "nan";
  char text[40];
  auto end = std::to_chars(text, text + sizeof text, value).ptr;
  std::string result(text, end);
  if (result.find_first_of(".en") == std::string::npos)
    result += ".0";
  return result;
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
      return "complex(" + floatText(value.re) + ", " + floatText(value.im) +
             ")";
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

static std::string bracket(int32_t rank, const int64_t *sizes) {
  std::string text;
  for (int32_t d = 0; d < rank; ++d)
    text += (d ? ", " : "[") + std::to_string(sizes[d]);
  return rank ? text + "]" : text;
}

std::string arrt::shapeText(int32_t element, int32_t rank,
                            const int64_t *sizes) {
  const char *name = arrt_element_name(element);
  return (name ? name : "?") + bracket(rank, sizes);
}

std::string arrt::filledType(const arrt_param &param, const arrt_array *array) {
  std::string declared = param.type ? param.type : "";
  bool isInt = declared.compare(0, 4, "int[") == 0;
  int64_t sizes[ARRT_MAX_RANK];
  for (int32_t d = 0; d < param.rank; ++d)
    sizes[d] = arrt_array_size(array, d);
  if (isInt)
    return "int" + bracket(param.rank, sizes);
  return shapeText(param.element, param.rank, sizes);
}

/// Insertions, deletions, replacements and exchanges of neighbours.
static size_t distance(const std::string &a, const std::string &b) {
  std::vector<std::vector<size_t>> d(a.size() + 1,
                                     std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i)
    for (size_t j = 0; j <= b.size(); ++j) {
      if (!i || !j) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1,
                          d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
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
