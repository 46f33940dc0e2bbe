//===- Size.cpp - Sizes as polynomials ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Frontend/Size.h"

#include "arrc/Frontend/HIR.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace arrc;

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

static int compareMonomials(const Size::Monomial &a, const Size::Monomial &b) {
  // Higher degrees first, so that the constant is last.
  if (a.size() != b.size())
    return a.size() > b.size() ? -1 : 1;
  for (auto [x, y] : llvm::zip(a, b))
    if (int c = SizeAtom::compare(x, y))
      return c;
  return 0;
}

static int compareSizes(const Size &a, const Size &b) {
  size_t n = std::min(a.terms().size(), b.terms().size());
  for (size_t i = 0; i < n; ++i) {
    const Size::Term &x = a.terms()[i], &y = b.terms()[i];
    if (int c = compareMonomials(x.first, y.first))
      return c;
    if (x.second != y.second)
      return x.second < y.second ? -1 : 1;
  }
  if (a.terms().size() == b.terms().size())
    return 0;
  return a.terms().size() < b.terms().size() ? -1 : 1;
}

SizeAtom::SizeAtom(Size dividend, int64_t divisor)
    : num(std::make_shared<const Size>(std::move(dividend))), den(divisor) {}

SizeAtom SizeAtom::wrapped(Size polynomial) {
  SizeAtom atom;
  atom.num = std::make_shared<const Size>(std::move(polynomial));
  return atom;
}

int SizeAtom::compare(const SizeAtom &a, const SizeAtom &b) {
  if (a.isVariable() != b.isVariable())
    return a.isVariable() ? -1 : 1;
  if (a.isVariable()) {
    if (a.var == b.var)
      return 0;
    return a.var->id < b.var->id ? -1 : 1;
  }
  if (a.den != b.den)
    return a.den < b.den ? -1 : 1;
  return compareSizes(*a.num, *b.num);
}

//===----------------------------------------------------------------------===//
// Arithmetic; factors wrap, and the size remembers it
//===----------------------------------------------------------------------===//

static int64_t floorDivide(int64_t a, int64_t b) {
  int64_t q = a / b;
  return q * b > a ? q - 1 : q;
}

Size::Size(int64_t constant) { add({}, constant); }

Size::Size(hir::Variable *var) { add({SizeAtom(var)}, 1); }

void Size::add(const Monomial &monomial, int64_t factor) {
  if (!factor)
    return;
  auto it = std::lower_bound(list.begin(), list.end(), monomial,
                             [](const Term &t, const Monomial &m) {
                               return compareMonomials(t.first, m) < 0;
                             });
  if (it == list.end() || compareMonomials(it->first, monomial) != 0) {
    list.insert(it, {monomial, factor});
    return;
  }
  lostDigits |= llvm::AddOverflow(it->second, factor, it->second);
  if (!it->second)
    list.erase(it);
}

int64_t Size::constantTerm() const {
  return !list.empty() && list.back().first.empty() ? list.back().second : 0;
}

std::optional<int64_t> Size::constant() const {
  if (!isConstant())
    return std::nullopt;
  return constantTerm();
}

hir::Variable *Size::asVariable() const {
  if (list.size() != 1 || list[0].second != 1 || list[0].first.size() != 1)
    return nullptr;
  return list[0].first[0].variable();
}

Size Size::operator+(const Size &o) const {
  Size r = *this;
  r.lostDigits |= o.lostDigits;
  for (const Term &t : o.list)
    r.add(t.first, t.second);
  return r;
}

Size Size::operator-(const Size &o) const {
  Size r = *this;
  r.lostDigits |= o.lostDigits;
  for (const Term &t : o.list) {
    int64_t factor;
    r.lostDigits |= llvm::SubOverflow(int64_t(0), t.second, factor);
    r.add(t.first, factor);
  }
  return r;
}

Size Size::operator*(const Size &o) const {
  Size r;
  r.lostDigits = lostDigits || o.lostDigits;
  for (const Term &a : list)
    for (const Term &b : o.list) {
      Monomial m = a.first;
      m.insert(m.end(), b.first.begin(), b.first.end());
      llvm::sort(m, [](const SizeAtom &x, const SizeAtom &y) {
        return SizeAtom::compare(x, y) < 0;
      });
      int64_t factor;
      r.lostDigits |= llvm::MulOverflow(a.second, b.second, factor);
      r.add(m, factor);
    }
  return r;
}

namespace {
/// How large a polynomial is without atoms that wrap.
struct Extent {
  size_t terms = 0, degree = 0;
};
} // namespace

static Extent extentOf(const Size &size) {
  Extent all;
  for (const Size::Term &t : size.terms()) {
    Extent product{1, 0};
    for (const SizeAtom &a : t.first) {
      Extent factor =
          !a.isVariable() && a.isWrapped() ? extentOf(a.inner()) : Extent{1, 1};
      product.terms = llvm::SaturatingMultiply(product.terms, factor.terms);
      product.degree += factor.degree;
    }
    all.terms = llvm::SaturatingAdd(all.terms, product.terms);
    all.degree = std::max(all.degree, product.degree);
  }
  return all;
}

bool Size::hasShortProduct(const Size &o) const {
  constexpr size_t maxTerms = 64, maxDegree = 8;
  Extent x = extentOf(*this), y = extentOf(o);
  return llvm::SaturatingMultiply(x.terms, y.terms) <= maxTerms &&
         x.degree + y.degree <= maxDegree;
}

/// How many variables and numbers one reads, inside floors too.
static size_t length(const Size &size) {
  size_t sum = 0;
  for (const Size::Term &t : size.terms()) {
    ++sum;
    for (const SizeAtom &a : t.first)
      sum += a.isVariable() ? 1 : length(a.inner());
  }
  return sum;
}

bool Size::hasShortFloor() const {
  constexpr size_t maxLength = 256;
  return length(*this) <= maxLength;
}

bool Size::operator==(const Size &o) const {
  return compareSizes(*this, o) == 0;
}

Size Size::wrapped() const {
  Size p = unwrapped();
  // Digits above the 64th make no difference.
  p.lostDigits = false;
  Size r;
  if (p.isConstant() || p.asVariable())
    return p;
  r.add({SizeAtom::wrapped(std::move(p))}, 1);
  return r;
}

Size Size::unwrapped() const {
  Size r;
  r.lostDigits = lostDigits;
  for (const Term &t : list) {
    Size product(t.second);
    for (const SizeAtom &a : t.first) {
      if (a.isWrapped()) {
        product = product * a.inner();
      } else {
        Size atom;
        atom.add({a}, 1);
        product = product * atom;
      }
    }
    r = r + product;
  }
  return r;
}

bool Size::mentionsWrapped() const {
  return llvm::any_of(list, [](const Term &t) {
    return llvm::any_of(t.first, [](const SizeAtom &a) {
      return !a.isVariable() && (a.isWrapped() || a.inner().mentionsWrapped());
    });
  });
}

Size Size::floorDiv(int64_t divisor) const {
  if (divisor == 1)
    return *this;
  // Multiples of the divisor come out: (c*q*m + r*m) // c = q*m + (r*m) // c.
  Size outside, inside;
  outside.lostDigits = lostDigits;
  for (const Term &t : list) {
    int64_t q = floorDivide(t.second, divisor);
    outside.add(t.first, q);
    inside.add(t.first, t.second - q * divisor);
  }
  // (x // a + k) // c = (x + a*k) // (a*c).
  if (!inside.isConstant() && inside.list.front().second == 1 &&
      inside.list.front().first.size() == 1 &&
      inside.list.front().first[0].isFloor() &&
      (inside.list.size() == 1 || inside.list[1].first.empty())) {
    const SizeAtom &atom = inside.list.front().first[0];
    Size combined =
        atom.dividend() + Size(atom.divisor()) * Size(inside.constantTerm());
    int64_t product;
    if (!combined.lostDigits &&
        !llvm::MulOverflow(atom.divisor(), divisor, product))
      return outside + combined.floorDiv(product);
  }
  if (inside.isConstant())
    return outside; // 0 <= r < divisor
  // (g*p + r) // (g*c) = (p + r // g) // c.
  int64_t g = divisor;
  for (const Term &t : inside.list)
    if (!t.first.empty())
      g = std::gcd(g, t.second);
  if (g > 1) {
    Size reduced;
    for (const Term &t : inside.list)
      reduced.add(t.first, floorDivide(t.second, g));
    return outside + reduced.floorDiv(divisor / g);
  }
  outside.add({SizeAtom(inside, divisor)}, 1);
  return outside;
}

Size Size::ceilDiv(int64_t divisor) const {
  return (*this + Size(divisor - 1)).floorDiv(divisor);
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

void Size::forEachVariable(llvm::function_ref<void(hir::Variable *)> fn) const {
  for (const Term &t : list)
    for (const SizeAtom &a : t.first) {
      if (a.isVariable())
        fn(a.variable());
      else
        a.inner().forEachVariable(fn);
    }
}

bool Size::mentions(const hir::Variable *var) const {
  bool found = false;
  forEachVariable([&](hir::Variable *v) { found |= v == var; });
  return found;
}

Size Size::substitute(
    llvm::function_ref<std::optional<Size>(hir::Variable *)> fn) const {
  Size r;
  r.lostDigits = lostDigits;
  for (const Term &t : list) {
    Size product(t.second);
    for (const SizeAtom &a : t.first) {
      if (a.isFloor())
        product = product * a.dividend().substitute(fn).floorDiv(a.divisor());
      else if (a.isWrapped())
        product = product * a.inner().substitute(fn).wrapped();
      else if (std::optional<Size> s = fn(a.variable()))
        product = product * *s;
      else
        product = product * Size(a.variable());
    }
    r = r + product;
  }
  return r;
}

std::optional<int64_t> Size::evaluate(
    llvm::function_ref<std::optional<int64_t>(hir::Variable *)> fn) const {
  Size value = substitute([&](hir::Variable *v) -> std::optional<Size> {
    if (std::optional<int64_t> c = fn(v))
      return Size(*c);
    return std::nullopt;
  });
  if (value.hasLostDigits())
    return std::nullopt;
  return value.constant();
}

static bool occursIn(const SizeAtom &atom, const Size &size) {
  for (const Size::Term &t : size.terms())
    for (const SizeAtom &a : t.first)
      if (a == atom || (!a.isVariable() && occursIn(atom, a.inner())))
        return true;
  return false;
}

std::optional<std::pair<Size, Size>>
Size::splitLinear(const SizeAtom &atom) const {
  if (lostDigits)
    return std::nullopt;
  Size factor, rest;
  for (const Term &t : list) {
    Monomial others;
    unsigned count = 0;
    for (const SizeAtom &a : t.first) {
      if (a == atom) {
        ++count;
        continue;
      }
      if (!a.isVariable() && occursIn(atom, a.inner()))
        return std::nullopt;
      others.push_back(a);
    }
    if (count > 1)
      return std::nullopt;
    (count ? factor : rest).add(others, t.second);
  }
  return std::make_pair(factor, rest);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string Size::str() const {
  if (list.empty())
    return "0";
  // What is added before what is taken away, the constant last.
  // A constant leads only where nothing else is positive.
  std::vector<Term> ordered;
  for (int pass = 0; pass < 4; ++pass)
    for (const Term &t : list) {
      bool constant = t.first.empty(), negative = t.second < 0;
      if (pass == (constant ? 1 + 2 * negative : 2 * negative))
        ordered.push_back(t);
    }
  bool alone =
      list.size() == 1 && list[0].second == 1 && list[0].first.size() == 1;
  std::string s;
  for (const Term &t : ordered) {
    int64_t f = t.second;
    if (s.empty())
      s += f < 0 && !t.first.empty() ? "-" : "";
    else
      s += f < 0 ? " - " : " + ";
    uint64_t magnitude = f < 0 ? -static_cast<uint64_t>(f) : f;
    if (t.first.empty()) {
      s += (f < 0 && list.size() == 1 ? "-" : "") + std::to_string(magnitude);
      continue;
    }
    bool first = true;
    if (magnitude != 1) {
      s += std::to_string(magnitude);
      first = false;
    }
    for (const SizeAtom &a : t.first) {
      if (!first)
        s += "*";
      first = false;
      if (a.isVariable()) {
        s += a.variable()->name;
        continue;
      }
      std::string inner = a.inner().str();
      if (a.isWrapped()) {
        s += alone ? inner : "(" + inner + ")";
        continue;
      }
      bool simple = a.dividend().asVariable();
      s += "(" + (simple ? inner : "(" + inner + ")") + " // " +
           std::to_string(a.divisor()) + ")";
    }
  }
  // A floor alone needs no parentheses.
  if (alone && list[0].first[0].isFloor())
    return s.substr(1, s.size() - 2);
  return s;
}
