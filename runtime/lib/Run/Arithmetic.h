//===- Arithmetic.h - operators on constant values -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_RUN_ARITHMETIC_H
#define ARRT_RUN_ARITHMETIC_H

#include "Run/Expression.h"

namespace arrt {

/// The language's operators on values whose floats are those of one type.
/// Functions return "" or an error text.
class Arithmetic {
public:
  /// Floats are those of `element`; f64 where that is no float or complex.
  explicit Arithmetic(int32_t element) : element(element) {}

  /// The name of the type of its floats.
  const char *typeName() const;
  /// A float literal without underscores, rounded once to the type.
  double literal(const std::string &text) const;
  /// `pi`, `inf`, `nan`; false for other names.
  bool constant(const std::string &name, Value &value) const;
  /// `+ - * / %`, `f` for `//`, `^` for `**`.
  std::string binary(char op, const Value &a, const Value &b,
                     Value &result) const;
  /// Minus if `minus`, else the number itself.
  std::string negate(const Value &a, bool minus, Value &result) const;
  /// `complex`, `sqrt`, `exp`, ..
  std::string call(const std::string &name, const std::vector<Value> &arguments,
                   Value &result) const;
  /// Rounds to the type.
  double round(double value) const;

private:
  std::string integers(char op, __int128 a, __int128 b, __int128 &result) const;
  double floats(char op, double a, double b) const;
  double asFloat(const Value &value) const;
  int32_t element;
};

} // namespace arrt

#endif // ARRT_RUN_ARITHMETIC_H
