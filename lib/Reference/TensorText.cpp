//===- TensorText.cpp - Arrays from text and from random numbers ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Reference/Tensor.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cmath>
#include <cstdlib>

using namespace arrc::reference;

namespace {
/// Reads `[[1, 2], [3, 4]]`, `1.5`, `true`, `(0, 1)`.
class Reader {
public:
  Reader(llvm::StringRef text, Element element)
      : text(text), element(element) {}

  std::optional<Tensor> read() {
    if (!readValue(0) || !skip().empty() ||
        elementCount(shape) != int64_t(values.size()))
      return std::nullopt;
    Tensor result(element, shape);
    for (size_t k = 0; k < values.size(); ++k)
      result.set(k, values[k]);
    return result;
  }

private:
  llvm::StringRef skip() { return text = text.ltrim(); }
  bool eat(char c) { return skip().starts_with(c) && take(1); }
  bool take(size_t n) {
    text = text.drop_front(n);
    return true;
  }

  bool readValue(size_t depth) {
    // The limit keeps hostile text from using up the stack.
    if (depth > 8)
      return false;
    if (!eat('['))
      return shape.size() <= depth && readNumber();
    // Below the first number there are no more brackets.
    bool first = shape.size() <= depth;
    if (first && !values.empty())
      return false;
    if (first)
      shape.push_back(0);
    int64_t count = 0;
    if (!eat(']')) {
      do {
        if (!readValue(depth + 1))
          return false;
        ++count;
      } while (eat(','));
      if (!eat(']'))
        return false;
    }
    if (first)
      shape[depth] = count;
    return shape[depth] == count;
  }

  bool readReal(double &value) {
    llvm::StringRef word = skip().take_while([](char c) {
      return llvm::isAlnum(c) || c == '.' || c == '-' || c == '+';
    });
    std::string copy = word.str();
    char *end;
    value = std::strtod(copy.c_str(), &end);
    return !word.empty() && *end == 0 && take(word.size());
  }

  bool readNumber() {
    Scalar s;
    if (isComplex(element)) {
      if (!eat('(') || !readReal(s.re) || !eat(',') || !readReal(s.im) ||
          !eat(')'))
        return false;
    } else if (isFloat(element)) {
      if (!readReal(s.re))
        return false;
    } else if (skip().starts_with("true")) {
      take(4);
      s.i = 1;
    } else if (skip().starts_with("false")) {
      take(5);
    } else {
      llvm::StringRef word = skip().take_while(
          [](char c) { return llvm::isDigit(c) || c == '-'; });
      if (word.getAsInteger(10, s.i))
        return false;
      take(word.size());
    }
    values.push_back(s);
    return true;
  }

  llvm::StringRef text;
  Element element;
  llvm::SmallVector<int64_t> shape;
  std::vector<Scalar> values;
};
} // namespace

std::optional<Tensor> arrc::reference::parseTensor(llvm::StringRef text,
                                                   Element element) {
  return Reader(text, element).read();
}

uint64_t RandomSource::next() {
  // SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
  // generators, 2014).
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

int64_t RandomSource::integer(int64_t lowest, int64_t highest) {
  uint64_t count = uint64_t(highest) - uint64_t(lowest) + 1;
  return int64_t(uint64_t(lowest) + (count ? next() % count : next()));
}

Scalar RandomSource::scalar(Element element, int64_t lowest, int64_t highest,
                            bool wholeFloats) {
  auto real = [&]() -> double {
    if (wholeFloats)
      return double(integer(lowest, highest));
    return double(next() >> 11) * std::ldexp(1.0, -52) - 1.0;
  };
  if (element == Element::Bool)
    return Scalar::integer(int64_t(next() >> 63));
  if (isInteger(element))
    return Scalar::integer(integer(lowest, highest));
  Scalar s = Scalar::real(roundTo(element, real()));
  if (isComplex(element))
    s.im = roundTo(element, real());
  return s;
}
