//===- Sizes.cpp - the sizes that arguments agree on ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Sizes.h"
#include "Core/Array.h"

#include <cstring>

using namespace arrt;

static bool isDigit(char c) { return c >= '0' && c <= '9'; }

static bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool isName(std::string_view text) {
  if (text.empty() || !isLetter(text[0]))
    return false;
  for (char c : text)
    if (!isLetter(c) && !isDigit(c))
      return false;
  return true;
}

static std::string textOf(__int128 value) {
  if (value < 0)
    return "-" + textOf(-value);
  std::string rest = value > 9 ? textOf(value / 10) : "";
  return rest + char('0' + int(value % 10));
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

/// Reads `2*n - m`, `(n + 1) // 2`. Gives up at what is not known.
class Sizes::Reader {
public:
  Reader(const Sizes &sizes, const char *at) : sizes(sizes), at(at) {}

  /// The value of the whole text; false if it has none that is known, and if
  /// it is larger than 128 bits hold.
  bool read(__int128 &value) { return sum(value) && (skip(), !*at); }
  /// True if all was known, but for the result.
  bool isTooLarge = false;
  /// The names that were read, with what they are: " with n = 2".
  std::string names;

private:
  void skip() {
    while (*at == ' ')
      ++at;
  }
  bool take(char c) {
    skip();
    bool is = *at == c;
    at += is;
    return is;
  }
  bool sum(__int128 &value);
  bool product(__int128 &value);
  bool factor(__int128 &value);
  bool name(__int128 &value);

  const Sizes &sizes;
  const char *at;
  int depth = 0;
};

bool Sizes::Reader::sum(__int128 &value) {
  bool isNegative = take('-');
  if (!product(value))
    return false;
  if (isNegative)
    value = -value;
  for (;;) {
    bool isPlus = take('+');
    if (!isPlus && !take('-'))
      return true;
    __int128 other;
    if (!product(other))
      return false;
    if (isPlus ? __builtin_add_overflow(value, other, &value)
               : __builtin_sub_overflow(value, other, &value))
      return !(isTooLarge = true);
  }
}

bool Sizes::Reader::product(__int128 &value) {
  if (!factor(value))
    return false;
  for (;;) {
    __int128 other;
    if (take('*')) {
      if (!factor(other))
        return false;
      if (__builtin_mul_overflow(value, other, &value))
        return !(isTooLarge = true);
    } else if (take('/')) {
      if (!take('/') || !factor(other) || other <= 0)
        return false;
      __int128 rest = value % other;
      value = value / other - (rest < 0);
    } else {
      return true;
    }
  }
}

bool Sizes::Reader::factor(__int128 &value) {
  if (take('(')) {
    bool isFine = ++depth < 100 && sum(value) && take(')');
    --depth;
    return isFine;
  }
  if (!isDigit(*at))
    return name(value);
  for (value = 0; isDigit(*at); ++at)
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, *at - '0', &value))
      return !(isTooLarge = true);
  return true;
}

bool Sizes::Reader::name(__int128 &value) {
  const char *begin = at;
  while (isLetter(*at) || isDigit(*at))
    ++at;
  std::string_view text(begin, size_t(at - begin));
  auto it = sizes.known.find(text);
  if (it == sizes.known.end())
    return false;
  auto &[known, param, dim] = it->second;
  value = known;
  std::string is = std::string(text) + " = " + textOf(value);
  if (dim >= 0)
    is += " (dimension " + std::to_string(dim) + " of '" + param->name + "')";
  if (names.find(is) == std::string::npos)
    names += (names.empty() ? " with " : ", ") + is;
  return true;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

template <typename T> static __int128 load(const void *data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

void Sizes::addScalar(const arrt_param &param, const void *data) {
  if (param.rank)
    return;
  __int128 value;
  switch (param.element) {
  case ARRT_I8:
    value = load<int8_t>(data);
    break;
  case ARRT_I16:
    value = load<int16_t>(data);
    break;
  case ARRT_I32:
    value = load<int32_t>(data);
    break;
  case ARRT_I64:
    value = load<int64_t>(data);
    break;
  case ARRT_U8:
    value = load<uint8_t>(data);
    break;
  case ARRT_U16:
    value = load<uint16_t>(data);
    break;
  case ARRT_U32:
    value = load<uint32_t>(data);
    break;
  case ARRT_U64:
    value = load<uint64_t>(data);
    break;
  default:
    return;
  }
  known[param.name] = {value, &param, -1};
}

void Sizes::bind(const arrt_param &param, const arrt_array *array) {
  for (int32_t d = 0; param.dims && d < param.rank; ++d)
    if (isName(param.dims[d]))
      known.insert({param.dims[d], {array->sizes[d], &param, d}});
}

bool Sizes::evaluate(const char *text, int64_t &value) const {
  Reader reader(*this, text);
  __int128 wide;
  if (!reader.read(wide) || wide != int64_t(wide))
    return false;
  value = int64_t(wide);
  return true;
}

std::string Sizes::check(const arrt_param &param,
                         const arrt_array *array) const {
  for (int32_t d = 0; param.dims && d < param.rank; ++d) {
    const char *text = param.dims[d];
    int64_t size = array->sizes[d];
    // By far the most are names of their own first use.
    auto it = known.find(text);
    if (it != known.end() && it->second.value == size)
      continue;
    Reader reader(*this, text);
    __int128 value;
    // Too large for 128 bits is no size of an array either.
    if (reader.read(value) ? value == size : !reader.isTooLarge)
      continue;
    return "its dimension " + std::to_string(d) + " is " +
           std::to_string(size) + ", not " + text + reader.names;
  }
  return "";
}
