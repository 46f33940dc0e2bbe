//===- Expression.h - values on the command line ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Constant expressions of the language, as `tol=1e-4`, `n=2**20`,
/// `k=[1, 2, 3]`, `x=for i in 5 { 0.5 * i }`. Integers are exact; floats are
/// computed in the type that the parameter has, as open values are in a
/// program.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_RUN_EXPRESSION_H
#define ARRT_RUN_EXPRESSION_H

#include "arrt/arrt.h"

#include <functional>
#include <string>
#include <vector>

namespace arrt {

/// What an expression gives.
struct Value {
  enum Kind { Bool, Int, Float, Complex, List };
  Kind kind = Int;
  __int128 integer = 0;  ///< Int, and Bool as 0 or 1
  double re = 0, im = 0; ///< Float (re) and Complex
  std::vector<Value> list;
};

/// Finds the value of a name; false if there is none.
using Names = std::function<bool(const std::string &name, int64_t &value)>;

/// What lists may still hold: one limit for all values of a command line,
/// however they are written.
struct Room {
  size_t elements = size_t(1) << 20;
  size_t lists = size_t(1) << 20; ///< rows, and rows of rows
  size_t steps = size_t(1) << 25; ///< numbers, names and brackets that are read
};

/// Evaluates `text`; floats are those of `element` (f64 where it is no float).
/// `names` may be empty. Returns "" or an error text.
std::string evaluate(const std::string &text, int32_t element,
                     const Names &names, Value &value, Room &room);
/// The same for a value by itself.
std::string evaluate(const std::string &text, int32_t element,
                     const Names &names, Value &value);

/// "an integer", "a list of 3", .. for messages.
std::string describe(const Value &value);

/// The sizes of nested lists; a number has rank 0. Returns "" or an error.
std::string listSizes(const Value &value, std::vector<int64_t> &sizes);

/// Writes the elements of `value` (a number, or nested lists in row-major
/// order) as `element`. `data` has the room. Returns "" or an error.
std::string storeValue(const Value &value, int32_t element, void *data);

} // namespace arrt

#endif // ARRT_RUN_EXPRESSION_H
