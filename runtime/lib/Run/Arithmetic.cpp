//===- Arithmetic.cpp - operators on constant values ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Run/Arithmetic.h"
#include "IO/Stored.h"
#include "Run/Text.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

using namespace arrt;

double Arithmetic::round(double value) const {
  switch (element) {
  case ARRT_F32:
  case ARRT_C64:
    return float(value);
  case ARRT_F16: // each operation in f32, then rounded
    return fromF16(toF16(float(value)));
  case ARRT_BF16:
    return fromBF16(toBF16(float(value)));
  default:
    return value;
  }
}

/// from_chars leaves the value as it was when it is out of range.
template <typename T> static double parse(const std::string &text) {
  T value = 0;
  auto end = text.data() + text.size();
  if (std::from_chars(text.data(), end, value).ec != std::errc())
    value = std::strtold(text.c_str(), nullptr) > 1
                ? std::numeric_limits<T>::infinity()
                : T(0);
  return double(value);
}

const char *Arithmetic::typeName() const {
  switch (element) {
  case ARRT_F16:
  case ARRT_BF16:
  case ARRT_F32:
  case ARRT_C64:
  case ARRT_C128:
    return arrt_element_name(element);
  default:
    return "f64";
  }
}

double Arithmetic::literal(const std::string &text) const {
  if (element == ARRT_F32 || element == ARRT_C64)
    return parse<float>(text);
  double value = parse<double>(text);
  if (element == ARRT_F16)
    return fromF16(toF16(value));
  if (element == ARRT_BF16)
    return fromBF16(toBF16(value));
  return value;
}

bool Arithmetic::constant(const std::string &name, Value &value) const {
  value.kind = Value::Float;
  if (name == "pi")
    value.re = round(3.141592653589793);
  else if (name == "inf")
    value.re = std::numeric_limits<double>::infinity();
  else if (name == "nan")
    value.re = std::numeric_limits<double>::quiet_NaN();
  else
    return value = Value(), false;
  return true;
}

double Arithmetic::asFloat(const Value &value) const {
  return value.kind == Value::Int ? round(double(value.integer)) : value.re;
}

std::string Arithmetic::integers(char op, __int128 a, __int128 b,
                                 __int128 &result) const {
  bool wide = false;
  switch (op) {
  case '+':
    result = a + b;
    break;
  case '-':
    result = a - b;
    break;
  case '*':
    wide = __builtin_mul_overflow(a, b, &result);
    break;
  case '/':
    return "'/' of two integers: write '//', or one of them with a point";
  case 'f':
  case '%': {
    if (b == 0)
      return "division by zero";
    __int128 quotient = a / b, remainder = a % b;
    if (remainder != 0 && (remainder < 0) != (b < 0)) {
      --quotient;
      remainder += b;
    }
    result = op == 'f' ? quotient : remainder;
    break;
  }
  case '^': {
    if (b < 0)
      return "an integer to a negative power";
    result = 1;
    // Beyond 64 factors only -1, 0 and 1 stay small.
    if (b > 64 && a >= -1 && a <= 1)
      b = 2 + b % 2;
    for (__int128 i = 0; i < b && !wide; ++i) {
      wide = __builtin_mul_overflow(result, a, &result);
      wide =
          wide || result > (__int128(1) << 64) || result < -(__int128(1) << 64);
    }
    break;
  }
  }
  // Every 64-bit integer, signed or not, is inside.
  __int128 limit = __int128(1) << 64;
  if (wide || result >= limit || result <= -limit)
    return "an integer that does not fit 64 bits";
  return "";
}

double Arithmetic::floats(char op, double a, double b) const {
  switch (op) {
  case '+':
    return round(a + b);
  case '-':
    return round(a - b);
  case '*':
    return round(a * b);
  case '/':
    return round(a / b);
  case '%':
  case 'f': { // as in Python
    double rest = std::fmod(a, b);
    if (rest != 0 && (rest < 0) != (b < 0))
      rest += b;
    return round(op == '%' ? rest : std::floor(a / b));
  }
  case '^':
    if (b == 2)
      return round(a * a);
    if (b == 3)
      return round(round(a * a) * a);
    if (b == 4) {
      double square = round(a * a);
      return round(square * square);
    }
    return round(std::pow(a, b));
  }
  return 0;
}

std::string Arithmetic::binary(char op, const Value &a, const Value &b,
                               Value &result) const {
  for (const Value *side : {&a, &b})
    if (side->kind == Value::Bool || side->kind == Value::List)
      return "an operator on " + describe(*side);
  if (a.kind == Value::Int && b.kind == Value::Int) {
    result.kind = Value::Int;
    return integers(op, a.integer, b.integer, result.integer);
  }
  if (a.kind != Value::Complex && b.kind != Value::Complex) {
    result.kind = Value::Float;
    result.re = floats(op, asFloat(a), asFloat(b));
    return "";
  }
  result.kind = Value::Complex;
  double x = asFloat(a), y = a.im, u = asFloat(b), v = b.im;
  switch (op) {
  case '+':
    result.re = round(x + u);
    result.im = round(y + v);
    return "";
  case '-':
    result.re = round(x - u);
    result.im = round(y - v);
    return "";
  case '*':
    result.re = round(round(x * u) - round(y * v));
    result.im = round(round(x * v) + round(y * u));
    return "";
  }
  return "of the operators only + - * take complex numbers here";
}

std::string Arithmetic::negate(const Value &a, bool minus,
                               Value &result) const {
  if (a.kind == Value::Bool || a.kind == Value::List)
    return "a minus before " + describe(a);
  result = a;
  if (!minus)
    return "";
  result.integer = -a.integer;
  result.re = -a.re;
  result.im = -a.im;
  return "";
}

std::string Arithmetic::call(const std::string &name,
                             const std::vector<Value> &arguments,
                             Value &result) const {
  for (const Value &argument : arguments)
    if (argument.kind != Value::Int && argument.kind != Value::Float)
      return "'" + name + "' of " + describe(argument);
  if (name == "complex") {
    if (arguments.size() != 2)
      return "'complex' wants two numbers";
    result.kind = Value::Complex;
    result.re = asFloat(arguments[0]);
    result.im = asFloat(arguments[1]);
    return "";
  }
  static const struct {
    const char *name;
    double (*function)(double);
  } functions[] = {{"sqrt", std::sqrt},   {"exp", std::exp},
                   {"log", std::log},     {"log2", std::log2},
                   {"log10", std::log10}, {"sin", std::sin},
                   {"cos", std::cos},     {"tan", std::tan}};
  for (auto &entry : functions)
    if (name == entry.name) {
      if (arguments.size() != 1)
        return "'" + name + "' wants one number";
      result.kind = Value::Float;
      result.re = round(entry.function(asFloat(arguments[0])));
      return "";
    }
  return "there is no constant function '" + name + "' here";
}

//===----------------------------------------------------------------------===//
// Storing
//===----------------------------------------------------------------------===//

namespace {
struct Store {
  const Value &value;
  int32_t element;
  void *data;

  std::string wrong() const {
    return describe(value) + ", not " + arrt_element_name(element);
  }

  template <typename T> std::string operator()(T) const {
    T stored{};
    if constexpr (std::is_same_v<T, Bool>) {
      if (value.kind != Value::Bool)
        return wrong();
      stored.value = uint8_t(value.integer);
    } else if constexpr (std::is_integral_v<T>) {
      if (value.kind != Value::Int)
        return wrong();
      if (value.integer < __int128(std::numeric_limits<T>::min()) ||
          value.integer > __int128(std::numeric_limits<T>::max()))
        return std::string("an integer that does not fit ") +
               arrt_element_name(element);
      stored = T(value.integer);
    } else if constexpr (IsComplex<T>::value) {
      if (value.kind == Value::Bool || value.kind == Value::List)
        return wrong();
      using Part = decltype(stored.re);
      stored.re =
          value.kind == Value::Int ? Part(value.integer) : Part(value.re);
      stored.im = Part(value.kind == Value::Complex ? value.im : 0);
    } else {
      if (value.kind != Value::Int && value.kind != Value::Float)
        return wrong();
      double number =
          value.kind == Value::Int ? double(value.integer) : value.re;
      if constexpr (std::is_same_v<T, F16>)
        stored.bits = toF16(number);
      else if constexpr (std::is_same_v<T, BF16>)
        stored.bits = toBF16(number);
      else
        stored = value.kind == Value::Int ? T(value.integer) : T(value.re);
      Arithmetic numbers{element};
      if (value.kind == Value::Int && std::isinf(numbers.round(number)))
        return std::string("an integer that does not fit ") +
               arrt_element_name(element);
    }
    std::memcpy(data, &stored, sizeof stored);
    return "";
  }
};
} // namespace

static std::string storeAll(const Value &value, int32_t element, char *&next) {
  if (value.kind != Value::List) {
    std::string error = dispatch(element, Store{value, element, next});
    next += arrt_element_bytes(element);
    return error;
  }
  for (const Value &item : value.list) {
    std::string error = storeAll(item, element, next);
    if (!error.empty())
      return error;
  }
  return "";
}

std::string arrt::storeValue(const Value &value, int32_t element, void *data) {
  char *next = static_cast<char *>(data);
  return storeAll(value, element, next);
}

std::string arrt::describe(const Value &value) {
  switch (value.kind) {
  case Value::Bool:
    return "a bool";
  case Value::Int:
    return "an integer";
  case Value::Float:
    return "a float";
  case Value::Complex:
    return "a complex number";
  case Value::List:
    break;
  }
  std::vector<int64_t> sizes;
  listSizes(value, sizes);
  std::string text = "a list of ";
  for (size_t d = 0; d < sizes.size(); ++d)
    text += (d ? " x " : "") + std::to_string(sizes[d]);
  return text;
}

std::string arrt::listSizes(const Value &value, std::vector<int64_t> &sizes) {
  sizes.clear();
  if (value.kind != Value::List)
    return "";
  sizes.push_back(int64_t(value.list.size()));
  std::vector<int64_t> first, other;
  for (size_t i = 0; i < value.list.size(); ++i) {
    std::string error = listSizes(value.list[i], i ? other : first);
    if (!error.empty())
      return error;
    if (i && other != first)
      return "its rows have different sizes";
  }
  sizes.insert(sizes.end(), first.begin(), first.end());
  if (sizes.size() > ARRT_MAX_RANK)
    return "it has more than 8 dimensions";
  return "";
}
