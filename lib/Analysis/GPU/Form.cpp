//===- Form.cpp - Numbers of the threads of a block -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/GPU/Form.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdlib>

using namespace arrc::lanes;

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

Lanes::Lanes(std::vector<int64_t> numbers)
    : number(numbers.empty() ? 0 : numbers.front()) {
  if (!llvm::all_equal(numbers))
    each = std::make_shared<const std::vector<int64_t>>(std::move(numbers));
}

int64_t Lanes::getMin() const {
  return each ? *llvm::min_element(*each) : number;
}

int64_t Lanes::getMax() const {
  return each ? *llvm::max_element(*each) : number;
}

bool Lanes::isUniformInWarps() const {
  for (size_t t = 0, e = each ? each->size() : 0; t < e; ++t)
    if ((*each)[t] != (*each)[t / 32 * 32])
      return false;
  return true;
}

bool Lanes::operator==(const Lanes &other) const {
  if (!each || !other.each)
    return !each && !other.each && number == other.number;
  return each == other.each || *each == *other.each;
}

Lanes Lanes::zip(const Lanes &a, const Lanes &b,
                 llvm::function_ref<int64_t(int64_t, int64_t)> f) {
  if (!a.each && !b.each)
    return Lanes(f(a.number, b.number));
  size_t count = a.each ? a.each->size() : b.each->size();
  std::vector<int64_t> numbers(count);
  for (size_t t = 0; t < count; ++t)
    numbers[t] = f(a[t], b[t]);
  return Lanes(std::move(numbers));
}

/// Arithmetic wraps around as that of a kernel does.
static int64_t wrapAdd(int64_t a, int64_t b) {
  return int64_t(uint64_t(a) + uint64_t(b));
}
static int64_t wrapMul(int64_t a, int64_t b) {
  return int64_t(uint64_t(a) * uint64_t(b));
}

//===----------------------------------------------------------------------===//
// Ranges and symbols
//===----------------------------------------------------------------------===//

static int64_t clamp(__int128 number) {
  return int64_t(
      std::clamp<__int128>(number, __int128(Span::kLow), Span::kHigh));
}

Span Span::operator+(const Span &other) const {
  return {low <= kLow || other.low <= kLow ? kLow
                                           : clamp(__int128(low) + other.low),
          high >= kHigh || other.high >= kHigh
              ? kHigh
              : clamp(__int128(high) + other.high)};
}

Span Span::operator*(const Span &other) const {
  __int128 ends[] = {__int128(low) * other.low, __int128(low) * other.high,
                     __int128(high) * other.low, __int128(high) * other.high};
  auto [least, most] = std::minmax_element(std::begin(ends), std::end(ends));
  return {clamp(*least), clamp(*most)};
}

unsigned Symbols::add(Symbol symbol) {
  list.push_back(std::move(symbol));
  return list.size() - 1;
}

unsigned Symbols::get(const std::string &key,
                      llvm::function_ref<Symbol()> make) {
  auto found = known.find(key);
  if (found != known.end())
    return found->second;
  unsigned symbol = add(make());
  known.emplace(key, symbol);
  return symbol;
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

Form Form::ofSorted(Terms terms) {
  llvm::erase_if(terms, [](const Term &term) { return term.second.isZero(); });
  Form form;
  if (!terms.empty())
    form.terms = std::make_shared<const Terms>(std::move(terms));
  return form;
}

Form::Form(Lanes numbers) : Form(ofSorted({{Product(), numbers}})) {}

Form Form::ofSymbol(unsigned symbol) {
  return ofSorted({{Product{symbol}, Lanes(1)}});
}

Lanes Form::getConstant() const {
  // The empty product is the first in order.
  if (getTerms().empty() || !getTerms().front().first.empty())
    return Lanes(0);
  return getTerms().front().second;
}

Form Form::getSymbolic() const {
  if (getTerms().empty() || !getTerms().front().first.empty())
    return *this;
  llvm::ArrayRef<Term> rest = getTerms().drop_front();
  return ofSorted(Terms(rest.begin(), rest.end()));
}

Form Form::plus(const Form &other, int64_t factor) const {
  llvm::ArrayRef<Term> left = getTerms(), right = other.getTerms();
  if (right.empty())
    return *this;
  if (left.empty() && factor == 1)
    return other;
  Terms sum;
  sum.reserve(left.size() + right.size());
  while (!left.empty() || !right.empty()) {
    bool fromLeft = !left.empty() && (right.empty() || left.front().first <=
                                                           right.front().first);
    bool fromRight = !right.empty() && (left.empty() || right.front().first <=
                                                            left.front().first);
    const Term &term = fromLeft ? left.front() : right.front();
    Lanes lanes = fromLeft ? left.front().second : Lanes(0);
    if (fromRight) {
      const Lanes &added = right.front().second;
      Lanes scaled = factor == 1 ? added : Lanes::zip(added, factor, wrapMul);
      lanes = fromLeft ? Lanes::zip(lanes, scaled, wrapAdd) : scaled;
    }
    sum.emplace_back(term.first, lanes);
    left = left.drop_front(fromLeft);
    right = right.drop_front(fromRight);
  }
  return ofSorted(std::move(sum));
}

Form Form::operator*(const Form &other) const {
  Terms products;
  products.reserve(getTerms().size() * other.getTerms().size());
  for (auto &[a, x] : getTerms())
    for (auto &[b, y] : other.getTerms()) {
      Product product = a;
      product.append(b.begin(), b.end());
      llvm::sort(product);
      products.emplace_back(std::move(product), Lanes::zip(x, y, wrapMul));
    }
  llvm::sort(products, llvm::less_first());
  Terms sum;
  for (Term &term : products) {
    if (!sum.empty() && sum.back().first == term.first)
      sum.back().second = Lanes::zip(sum.back().second, term.second, wrapAdd);
    else
      sum.push_back(std::move(term));
  }
  return ofSorted(std::move(sum));
}

bool Form::isNumbers() const {
  return getTerms().empty() ||
         (getTerms().size() == 1 && getTerms().front().first.empty());
}

std::optional<int64_t> Form::getNumber() const {
  if (!isNumbers() || !getConstant().isUniform())
    return std::nullopt;
  return getConstant()[0];
}

bool Form::isUniform() const {
  return llvm::all_of(getTerms(),
                      [](auto &term) { return term.second.isUniform(); });
}

bool Form::isUniformInWarps() const {
  return llvm::all_of(
      getTerms(), [](auto &term) { return term.second.isUniformInWarps(); });
}

bool Form::hasUniformSymbols() const {
  return llvm::all_of(getTerms(), [](auto &term) {
    return term.first.empty() || term.second.isUniform();
  });
}

bool Form::hasData(const Symbols &symbols) const {
  for (auto &[product, lanes] : getTerms())
    for (unsigned symbol : product)
      if (symbols[symbol].isData)
        return true;
  return false;
}

bool Form::differsBetweenBlocks(const Symbols &symbols) const {
  for (auto &[product, lanes] : getTerms())
    for (unsigned symbol : product)
      if (symbols[symbol].isOfBlock)
        return true;
  return false;
}

Span Form::getRange(const Symbols &symbols) const {
  Span sum{0, 0};
  for (auto &[product, lanes] : getTerms()) {
    Span range{lanes.getMin(), lanes.getMax()};
    for (unsigned symbol : product)
      range = range * symbols[symbol].range;
    sum = sum + range;
  }
  return sum;
}

int64_t Form::getSymbolicAlignment() const {
  int64_t bits = int64_t(1) << 62;
  for (auto &[product, lanes] : getTerms()) {
    if (product.empty())
      continue;
    Lanes low = Lanes::zip(lanes, 0, [](int64_t x, int64_t) {
      return x ? x & -x : int64_t(1) << 62;
    });
    // The lowest bit of -2^63 is negative.
    bits = std::min(bits, std::abs(low.getMin()));
  }
  return bits;
}

std::optional<Form> Form::divideSymbolic(int64_t divisor) const {
  Terms quotients;
  for (auto &[product, lanes] : getTerms()) {
    if (product.empty())
      continue;
    bool divides = true;
    Lanes quotient = Lanes::zip(lanes, divisor, [&](int64_t x, int64_t d) {
      divides &= x % d == 0;
      return x / d;
    });
    if (!divides)
      return std::nullopt;
    quotients.emplace_back(product, quotient);
  }
  return ofSorted(std::move(quotients));
}

std::optional<Lanes> Form::evaluate(const Symbols &symbols) const {
  Lanes sum(0);
  for (auto &[product, lanes] : getTerms()) {
    int64_t factor = 1;
    for (unsigned symbol : product) {
      if (!symbols[symbol].value)
        return std::nullopt;
      factor = wrapMul(factor, *symbols[symbol].value);
    }
    sum = Lanes::zip(sum, Lanes::zip(lanes, factor, wrapMul), wrapAdd);
  }
  return sum;
}

Form Form::select(const Lanes &condition, const Form &a, const Form &b) {
  if (condition.isUniform())
    return condition[0] ? a : b;
  Lanes inverse =
      Lanes::zip(condition, 0, [](int64_t x, int64_t) { return int64_t(!x); });
  return Form(condition) * a + Form(inverse) * b;
}

std::string Form::str(const Symbols &symbols) const {
  std::string text;
  // Numbers stand behind symbols.
  auto print = [&](const Product &product, const Lanes &lanes) {
    bool isNegative = lanes.isUniform() && lanes[0] < 0;
    if (!text.empty())
      text += isNegative ? " - " : " + ";
    else if (isNegative)
      text += "-";
    std::string factor =
        lanes.isUniform() ? std::to_string(std::abs(lanes[0])) : "..";
    bool isPlain = !product.empty() && factor == "1";
    if (!isPlain)
      text += factor;
    for (auto [place, symbol] : llvm::enumerate(product))
      text += (place == 0 && isPlain ? "" : "*") + symbols[symbol].name;
  };
  for (auto &[product, lanes] : getTerms())
    if (!product.empty())
      print(product, lanes);
  if (text.empty() || !getConstant().isZero())
    print({}, getConstant());
  return text;
}
