//===- Expression.cpp - values on the command line ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Run/Expression.h"
#include "Core/Printable.h"
#include "Run/Arithmetic.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

using namespace arrt;

namespace {

constexpr int deepest = 256; ///< nesting, as in the language

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Recursive descent over the `sum` level of the language's grammar. The first
/// error wins; after it everything returns at once.
class Evaluator {
public:
  Evaluator(const std::string &text, int32_t element, const Names &names,
            Room &room)
      : text(text), numbers(element), names(names), room(room) {}

  std::string run(Value &value) {
    value = sum();
    blanks();
    if (error.empty() && at != text.size())
      fail("unexpected '" + rest() + "'");
    return error;
  }

private:
  /// Says so where the literal `text` is too large for the elements.
  bool fits(double value, const std::string &text) {
    if (!std::isinf(value))
      return true;
    fail(text + " does not fit " + numbers.typeName());
    return false;
  }
  Value fail(const std::string &why) {
    if (error.empty())
      error = why;
    at = text.size();
    return Value();
  }
  std::string rest() const { return printable(text.substr(at, 12)); }
  void blanks() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t' ||
                                text[at] == '\n' || text[at] == '\r'))
      ++at;
  }
  bool take(const char *token) {
    blanks();
    size_t length = std::strlen(token);
    if (text.compare(at, length, token))
      return false;
    at += length;
    return true;
  }
  bool peek(const char *token) {
    blanks();
    return !text.compare(at, std::strlen(token), token);
  }
  Value binary(char op, const Value &a, const Value &b) {
    Value result;
    std::string why = numbers.binary(op, a, b, result);
    return why.empty() ? result : fail(why);
  }

  Value sum() {
    if (++depth > deepest)
      return --depth, fail("it is nested more than 256 deep");
    Value left = term();
    for (;;) {
      if (take("+"))
        left = binary('+', left, term());
      else if (take("-"))
        left = binary('-', left, term());
      else
        break;
    }
    --depth;
    return left;
  }
  Value term() {
    Value left = unary();
    for (;;) {
      if (peek("**"))
        return left;
      if (take("//"))
        left = binary('f', left, unary());
      else if (take("*"))
        left = binary('*', left, unary());
      else if (take("/"))
        left = binary('/', left, unary());
      else if (take("%"))
        left = binary('%', left, unary());
      else
        return left;
    }
  }
  Value unary() {
    bool minus = false, any = false;
    while (take("-"))
      minus = !minus, any = true;
    Value value = power();
    if (!any)
      return value;
    Value result;
    std::string why = numbers.negate(value, minus, result);
    return why.empty() ? result : fail(why);
  }
  Value power() {
    Value base = primary();
    if (!take("**"))
      return base;
    if (++depth > deepest)
      return --depth, fail("it is nested more than 256 deep");
    Value result = binary('^', base, unary());
    --depth;
    return result;
  }

  Value primary() {
    blanks();
    if (!room.steps)
      return fail("the values take more than 2^25 steps");
    --room.steps;
    if (at == text.size())
      return fail("the expression ends too early");
    char c = text[at];
    if (isDigit(c))
      return number();
    if (c == '.' && at + 1 < text.size() && isDigit(text[at + 1]))
      return fail("a number begins with a digit: write 0" + rest());
    if (isLetter(c))
      return name();
    if (take("(")) {
      Value inner = sum();
      return take(")") ? inner : fail("')' is missing");
    }
    if (take("["))
      return list();
    return fail("unexpected '" + rest() + "'");
  }

  Value list() {
    Value result;
    result.kind = Value::List;
    use(0, 1);
    while (error.empty() && !take("]")) {
      result.list.push_back(sum());
      if (result.list.back().kind != Value::List)
        use(1, 0);
      if (!take(",") && !peek("]"))
        return fail("']' is missing");
    }
    return result;
  }

  /// Takes room for elements and lists that are made.
  bool use(size_t elements, size_t lists) {
    if (elements > room.elements || lists > room.lists)
      return fail("the values have more than 2^20 elements or rows; save the "
                  "array as a file"),
             false;
    room.elements -= elements;
    room.lists -= lists;
    return true;
  }
  static void count(const Value &value, size_t &elements, size_t &lists) {
    ++(value.kind == Value::List ? lists : elements);
    for (const Value &part : value.list)
      count(part, elements, lists);
  }

  /// Digits of a base with single underscores between them.
  std::string digits(const char *allowed) {
    std::string found;
    while (at < text.size()) {
      if (text[at] == '_' && !found.empty() && at + 1 < text.size() &&
          std::strchr(allowed, text[at + 1]) && text[at + 1])
        ++at;
      if (!text[at] || !std::strchr(allowed, text[at]))
        break;
      found += text[at++];
    }
    return found;
  }

  Value number() {
    static const char decimal[] = "0123456789";
    Value value;
    int base = 10;
    std::string found;
    if (text[at] == '0' && at + 1 < text.size() &&
        (text[at + 1] == 'x' || text[at + 1] == 'b')) {
      base = text[at + 1] == 'x' ? 16 : 2;
      at += 2;
      found = digits(base == 16 ? "0123456789abcdefABCDEF" : "01");
      if (found.empty())
        return fail("digits are missing after '0x' or '0b'");
    } else {
      found = digits(decimal);
      bool point =
          at + 1 < text.size() && text[at] == '.' && isDigit(text[at + 1]);
      bool isFloat = point;
      if (point) {
        ++at;
        found += "." + digits(decimal);
      } else if (at < text.size() && text[at] == '.') {
        return fail("a number has digits on both sides of its point: write " +
                    found + ".0");
      }
      if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        size_t back = at++;
        std::string exponent = "e";
        if (at < text.size() && (text[at] == '+' || text[at] == '-')) {
          if (text[at] == '-')
            exponent += '-';
          ++at;
        }
        std::string power = digits(decimal);
        if (power.empty())
          return at = back, fail("digits are missing in the exponent");
        found += exponent + power;
        isFloat = true;
      }
      if (at < text.size() && text[at] == 'j') {
        ++at;
        value.kind = Value::Complex;
        value.im = numbers.literal(found);
        return fits(value.im, found) ? ended(value) : value;
      }
      if (isFloat) {
        value.kind = Value::Float;
        value.re = numbers.literal(found);
        return fits(value.re, found) ? ended(value) : value;
      }
      if (found.size() > 1 && found[0] == '0')
        return fail("an integer has no leading zeros");
    }
    uint64_t bits = 0;
    auto end = found.data() + found.size();
    if (std::from_chars(found.data(), end, bits, base).ec != std::errc())
      return fail(found + " does not fit 64 bits");
    value.integer = bits;
    return ended(value);
  }
  Value ended(const Value &value) {
    if (at < text.size() && (isLetter(text[at]) || isDigit(text[at])))
      return fail("unexpected '" + rest() + "' after a number");
    return value;
  }

  /// The name that stands here, or "".
  std::string word() {
    blanks();
    size_t begin = at;
    while (at < text.size() &&
           (isLetter(text[at]) || (at > begin && isDigit(text[at]))))
      ++at;
    return text.substr(begin, at - begin);
  }

  Value name() {
    std::string word = this->word();
    Value value;
    if (const Value *index = find(word))
      return *index;
    if (word == "for")
      return box();
    if (word == "true" || word == "false") {
      value.kind = Value::Bool;
      value.integer = word == "true";
      return value;
    }
    if (numbers.constant(word, value))
      return value;
    int64_t known;
    if (names && names(word, known)) {
      value.integer = known;
      return value;
    }
    if (!peek("("))
      return fail("'" + word + "' is no constant");
    take("(");
    std::vector<Value> arguments;
    while (error.empty() && !take(")")) {
      arguments.push_back(sum());
      if (!take(",") && !peek(")"))
        return fail("')' is missing");
    }
    if (!error.empty())
      return value;
    return call(word, arguments);
  }

  /// An index of a `for` and its integers.
  struct Index {
    std::string name;
    __int128 lo = 0, step = 1;
    size_t count = 0;
  };

  const Value *find(const std::string &name) const {
    for (const auto &[known, value] : locals)
      if (known == name)
        return &value;
    return nullptr;
  }

  /// One end of a range.
  __int128 end() {
    Value value = sum();
    if (value.kind != Value::Int ||
        value.integer != __int128(int64_t(value.integer)))
      fail("the ends of a range are integers");
    return value.integer;
  }

  /// `i in n`, `i in lo:hi:step`
  Index index() {
    Index index;
    index.name = word();
    if (index.name.empty() || word() != "in")
      fail("an index has a range: 'for i in n { .. }'");
    if (index.name != "_" && find(index.name))
      fail("'" + index.name + "' is the index of another 'for'");
    __int128 hi = end();
    if (take(":")) {
      index.lo = hi;
      hi = end();
      if (take(":"))
        index.step = end();
    }
    if (!index.step)
      return fail("the step of a range is not 0"), index;
    __int128 up = index.step > 0 ? 1 : -1;
    __int128 count = (hi - index.lo + index.step - up) / index.step;
    if (count < 0)
      fail("the size of '" + index.name + "' is negative");
    index.count = size_t(count);
    return index;
  }

  /// Where the brace is closed behind which we are.
  size_t closing() const {
    size_t depth = 1;
    for (size_t k = at; k < text.size(); ++k) {
      depth += text[k] == '{';
      depth -= text[k] == '}';
      if (!depth)
        return k;
    }
    return std::string::npos;
  }

  Value box() {
    std::vector<Index> indices;
    do
      indices.push_back(index());
    while (take(","));
    if (indices.size() > ARRT_MAX_RANK)
      return fail("a 'for' has at most 8 indices");
    if (!take("{"))
      return fail("'{' is missing; a 'for' here has no condition");
    size_t body = at, close = closing();
    if (close == std::string::npos)
      return fail("'}' is missing");
    Value result = rows(indices, 0, body, close);
    if (error.empty())
      at = close + 1;
    return result;
  }

  /// The values of the body where the first `known` indices have theirs.
  Value rows(const std::vector<Index> &indices, size_t known, size_t body,
             size_t close) {
    if (known == indices.size()) {
      at = body;
      Value value = sum();
      blanks();
      if (error.empty() && at != close)
        return fail("unexpected '" + rest() + "'");
      if (value.kind != Value::List)
        use(1, 0);
      return value;
    }
    Value result;
    result.kind = Value::List;
    use(0, 1);
    const Index &index = indices[known];
    for (size_t k = 0; k < index.count && error.empty(); ++k) {
      Value value;
      value.integer = index.lo + __int128(k) * index.step;
      locals.emplace_back(index.name, value);
      result.list.push_back(rows(indices, known + 1, body, close));
      locals.pop_back();
    }
    return result;
  }

  Value call(const std::string &word, const std::vector<Value> &arguments) {
    Value result;
    if (word == "zeros" || word == "ones" || word == "full" || word == "iota")
      return array(word, arguments);
    std::string why = numbers.call(word, arguments, result);
    return why.empty() ? result : fail(why);
  }

  Value array(const std::string &word, const std::vector<Value> &arguments) {
    Value fill;
    size_t first = 0;
    fill.integer = word == "ones";
    if (word == "full") {
      if (arguments.empty())
        return fail("'full' wants a value and sizes");
      fill = arguments[first++];
    }
    std::vector<int64_t> sizes;
    for (size_t i = first; i < arguments.size(); ++i) {
      const Value &size = arguments[i];
      if (size.kind != Value::Int || size.integer < 0)
        return fail("a size of '" + word + "' is no integer from 0");
      sizes.push_back(int64_t(std::min<__int128>(size.integer, INT64_MAX)));
    }
    if (sizes.empty() || sizes.size() > ARRT_MAX_RANK ||
        (word == "iota" && sizes.size() != 1))
      return fail("'" + word + "' has a wrong number of sizes");
    // Nothing stands below a dimension without rows.
    if (auto none = std::find(sizes.begin(), sizes.end(), 0);
        none != sizes.end())
      sizes.erase(none + 1, sizes.end());
    if (!useArray(fill, sizes))
      return Value();
    for (size_t d = sizes.size(); d-- > 0;) {
      Value row;
      row.kind = Value::List;
      row.list.assign(size_t(sizes[d]), fill);
      if (word == "iota")
        for (size_t i = 0; i < row.list.size(); ++i)
          row.list[i].integer = i;
      fill = row;
    }
    return fill;
  }

  /// Takes room for an array of these sizes, before it is made.
  bool useArray(const Value &fill, const std::vector<int64_t> &sizes) {
    size_t elements = 0, lists = 0;
    count(fill, elements, lists);
    for (size_t d = sizes.size(); d-- > 0;)
      if (__builtin_mul_overflow(elements, size_t(sizes[d]), &elements) ||
          __builtin_mul_overflow(lists, size_t(sizes[d]), &lists) ||
          __builtin_add_overflow(lists, 1, &lists))
        return use(SIZE_MAX, 0);
    return use(elements, lists);
  }

  const std::string &text;
  size_t at = 0;
  int depth = 0;
  Arithmetic numbers;
  const Names &names;
  Room &room;
  std::vector<std::pair<std::string, Value>> locals; ///< indices of `for`
  std::string error;
};

} // namespace

std::string arrt::evaluate(const std::string &text, int32_t element,
                           const Names &names, Value &value, Room &room) {
  return Evaluator(text, element, names, room).run(value);
}

std::string arrt::evaluate(const std::string &text, int32_t element,
                           const Names &names, Value &value) {
  Room room;
  return evaluate(text, element, names, value, room);
}
