//===- SizeFacts.cpp - What is known about sizes --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A small prover, enough for what programs write: `where n % 512 == 0` makes
// 512 * (n // 512) equal to n, and `where n >= 3` makes n - 2 non-negative.
// Everything it says is right; it may fail to see something, and then a check
// stays for run time.
//
// That p >= 0 follows in two ways: from the bounds of each term, or from
// p - q * f >= 0 for a fact f >= 0 and a whole q > 0 that cancels a term. Facts
// are found by the monomials in them, and the search is bounded.
//
//===----------------------------------------------------------------------===//

#include "arrc/Frontend/SizeFacts.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>

using namespace arrc;

static constexpr int64_t least = std::numeric_limits<int64_t>::min();
static constexpr int64_t greatest = std::numeric_limits<int64_t>::max();

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

void SizeFacts::addZero(const Size &size) {
  ++changes;
  Size s = normalize(size);
  if (s.hasLostDigits())
    return;
  // Solve for an atom that stands alone with the factor 1 or -1. The last one
  // declared is the best name to lose.
  for (auto it = s.terms().rbegin(); it != s.terms().rend(); ++it) {
    if (it->first.size() != 1 || (it->second != 1 && it->second != -1))
      continue;
    const SizeAtom atom = it->first[0];
    auto split = s.splitLinear(atom);
    if (!split || !split->first.isConstant())
      continue;
    Size value = it->second == 1 ? -split->second : split->second;
    if (value.hasLostDigits())
      continue;
    equalities.push_back({atom, value});
    // What is known of the atom holds for its value.
    if (atom.isVariable())
      if (std::optional<int64_t> max = sizeLimit(atom.variable())) {
        addNonNegative(value);
        addNonNegative(Size(*max) - value);
      }
    addFits(value);
    return;
  }
  addNonNegative(s);
  addNonNegative(-s);
}

void SizeFacts::define(hir::Variable *var, const Size &size) {
  ++changes;
  equalities.push_back({SizeAtom(var), size});
  if (std::optional<int64_t> max = sizeLimit(var)) {
    addNonNegative(size);
    addNonNegative(Size(*max) - size);
  }
  addFits(size);
}

void SizeFacts::add(const Size &size, Wide extra) {
  if (size.hasLostDigits() || size.isConstant())
    return;
  ++changes;
  nonNegative.push_back({size, extra});
}

void SizeFacts::addNonNegative(const Size &size) { add(size, 0); }

void SizeFacts::addDivisible(const Size &size, int64_t divisor) {
  if (size.hasLostDigits())
    return;
  ++changes;
  divisible.push_back({size, divisor});
}

void SizeFacts::addFits(const Size &size) {
  if (size.asVariable())
    return;
  add(-size, greatest);
  add(size, -Wide(least));
}

void SizeFacts::addSize(const hir::Variable *var, int64_t max) {
  ++changes;
  auto [it, isNew] = sizes.try_emplace(var, max);
  if (!isNew)
    it->second = std::min(it->second, max);
}

std::optional<int64_t> SizeFacts::sizeLimit(const hir::Variable *var) const {
  std::optional<int64_t> max;
  for (const SizeFacts *f = this; f; f = f->outer)
    if (auto it = f->sizes.find(var); it != f->sizes.end())
      max = std::min(max.value_or(it->second), it->second);
  return max;
}

//===----------------------------------------------------------------------===//
// Equality
//===----------------------------------------------------------------------===//

bool SizeFacts::isDivisible(const Size &size, int64_t divisor) const {
  auto multiple = [&](const Size &s) {
    return !s.hasLostDigits() &&
           llvm::all_of(s.terms(), [&](const Size::Term &t) {
             return t.second % divisor == 0;
           });
  };
  if (multiple(size))
    return true;
  for (const SizeFacts *f = this; f; f = f->outer)
    for (const auto &[known, by] : f->divisible) {
      if (known.terms().empty() || by % divisor != 0)
        continue;
      // size - q * known is a multiple for some whole q.
      for (const Size::Term &t : size.terms()) {
        int64_t lead = known.terms().front().second;
        if (t.first != known.terms().front().first || t.second == least)
          continue;
        if (t.second % lead == 0 && multiple(size - known * (t.second / lead)))
          return true;
      }
    }
  return false;
}

Size SizeFacts::applyEqualities(const Size &size) const {
  Size s = size;
  // Each round replaces an atom by what it equals; a cycle cannot form, as an
  // equality was normalised before it was added.
  for (int round = 0; round < 8; ++round) {
    Size before = s;
    for (const SizeFacts *f = this; f; f = f->outer)
      for (const auto &equality : f->equalities) {
        const SizeAtom &atom = equality.first;
        const Size &value = equality.second;
        Size next = s;
        if (atom.isVariable()) {
          if (!s.mentions(atom.variable()))
            continue;
          next = s.substitute([&](hir::Variable *v) -> std::optional<Size> {
            if (v == atom.variable())
              return value;
            return std::nullopt;
          });
        } else if (auto split = s.splitLinear(atom)) {
          next = split->first * value + split->second;
        }
        if (!next.hasLostDigits())
          s = std::move(next);
      }
    if (s == before)
      break;
  }
  return s;
}

Size SizeFacts::resolveWrapped(const Size &size, const Known &k) const {
  if (!size.mentionsWrapped())
    return size;
  Size r;
  for (const Size::Term &t : size.terms()) {
    Size product(t.second);
    for (const SizeAtom &a : t.first) {
      Size atom;
      if (a.isWrapped() && fits(a.inner(), k))
        atom = a.inner();
      else
        atom.add({a}, 1);
      product = product * atom;
    }
    r = r + product;
  }
  return r.hasLostDigits() ? size : r;
}

Size SizeFacts::normalize(const Size &size) const {
  Size s = applyEqualities(size);
  if (!s.mentionsWrapped())
    return s;
  return applyEqualities(resolveWrapped(s, known()));
}

/// Multiplies the size by the divisors of floors that divide without rest, and
/// removes these floors; whether the result is 0 does not change.
static Size clearExactFloors(Size s, const SizeFacts &facts) {
  for (int round = 0; round < 4; ++round) {
    bool changed = false;
    for (const Size::Term &t : s.terms()) {
      for (const SizeAtom &a : t.first) {
        if (!a.isFloor() || !facts.isDivisible(a.dividend(), a.divisor()))
          continue;
        const SizeAtom atom = a;
        auto split = s.splitLinear(atom);
        if (!split)
          continue;
        Size next =
            split->first * atom.dividend() + split->second * atom.divisor();
        if (next.hasLostDigits())
          continue;
        s = std::move(next);
        changed = true;
        break;
      }
      if (changed)
        break;
    }
    if (!changed)
      break;
  }
  return s;
}

std::optional<bool> SizeFacts::equal(const Size &a, const Size &b) const {
  Size d = a - b;
  if (std::optional<int64_t> c = d.constant())
    return *c == 0;
  if (d.hasLostDigits())
    return std::nullopt;
  d = clearExactFloors(normalize(d), *this);
  if (std::optional<int64_t> c = d.constant())
    return *c == 0;
  // A difference that is at least 1, or at most -1, is no equality.
  if (isNonNegative(d - 1) || isNonNegative(-d - 1))
    return false;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

__extension__ using Wide = __int128;

namespace {

/// What is as far from 0 as this has no bound.
constexpr Wide unbounded = Wide(1) << 120;

Wide clamp(Wide x) {
  return x > unbounded ? unbounded : x < -unbounded ? -unbounded : x;
}

Wide multiply(Wide a, Wide b) {
  Wide r;
  if (__builtin_mul_overflow(a, b, &r))
    return (a < 0) == (b < 0) ? unbounded : -unbounded;
  return clamp(r);
}

/// The sum of two lower ends (`side` -1) or upper ends (1).
Wide addEnds(Wide a, Wide b, int side) {
  Wide none = side * unbounded;
  return a == none || b == none ? none : clamp(a + b);
}

Wide floorDivide(Wide a, Wide b) {
  Wide q = a / b;
  return q * b > a ? q - 1 : q;
}

} // namespace

bool SizeFacts::MonomialOrder::operator()(const Size::Monomial &a,
                                          const Size::Monomial &b) const {
  if (a.size() != b.size())
    return a.size() < b.size();
  for (auto [x, y] : llvm::zip(a, b))
    if (int c = SizeAtom::compare(x, y))
      return c < 0;
  return false;
}

bool SizeFacts::TermsOrder::operator()(llvm::ArrayRef<Size::Term> a,
                                       llvm::ArrayRef<Size::Term> b) const {
  if (a.size() != b.size())
    return a.size() < b.size();
  MonomialOrder isBefore;
  for (auto [x, y] : llvm::zip(a, b)) {
    if (x.second != y.second)
      return x.second < y.second;
    if (isBefore(x.first, y.first))
      return true;
    if (isBefore(y.first, x.first))
      return false;
  }
  return false;
}

SizeFacts::Interval SizeFacts::boundsOf(const SizeAtom &atom,
                                        const Known &k) const {
  Interval i{least, greatest};
  if (atom.isVariable()) {
    if (std::optional<int64_t> max = sizeLimit(atom.variable()))
      i = {0, *max};
  } else if (atom.isFloor()) {
    Interval d = boundsOf(atom.dividend(), k);
    i.lo = d.lo == -unbounded ? d.lo : floorDivide(d.lo, atom.divisor());
    i.hi = d.hi == unbounded ? d.hi : floorDivide(d.hi, atom.divisor());
  }
  if (auto it = k.bounds.find({atom}); it != k.bounds.end()) {
    i.lo = std::max(i.lo, it->second.lo);
    i.hi = std::min(i.hi, it->second.hi);
  }
  return i;
}

SizeFacts::Interval SizeFacts::boundsOf(const Size::Term &term,
                                        const Known &k) const {
  auto times = [](const Interval &x, const Interval &y) {
    Wide ends[] = {multiply(x.lo, y.lo), multiply(x.lo, y.hi),
                   multiply(x.hi, y.lo), multiply(x.hi, y.hi)};
    return Interval{*std::min_element(ends, ends + 4),
                    *std::max_element(ends, ends + 4)};
  };
  Interval product{1, 1};
  for (const SizeAtom &a : term.first)
    product = times(product, boundsOf(a, k));
  if (term.first.size() > 1)
    if (auto it = k.bounds.find(term.first); it != k.bounds.end()) {
      product.lo = std::max(product.lo, it->second.lo);
      product.hi = std::min(product.hi, it->second.hi);
    }
  return times(product, {term.second, term.second});
}

SizeFacts::Interval SizeFacts::boundsOf(const Size &size,
                                        const Known &k) const {
  Interval sum{0, 0};
  for (const Size::Term &t : size.terms()) {
    Interval i = boundsOf(t, k);
    sum = {addEnds(sum.lo, i.lo, -1), addEnds(sum.hi, i.hi, 1)};
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// What is asked
//===----------------------------------------------------------------------===//

uint64_t SizeFacts::stamp() const {
  uint64_t sum = 1;
  for (const SizeFacts *f = this; f; f = f->outer)
    sum += f->changes;
  return sum;
}

void SizeFacts::note(Known &k, const Fact &known) {
  const Size &fact = known.size;
  if (fact.hasLostDigits() || fact.isConstant())
    return;
  size_t count = fact.terms().size();
  std::vector<Size::Term> varying(fact.terms().begin(), fact.terms().end());
  if (varying.back().first.empty())
    varying.pop_back();
  auto [entry, isNew] =
      k.numbers.try_emplace(std::move(varying), k.nonNegative.size());
  unsigned number = entry->second;
  if (isNew) {
    k.nonNegative.push_back(known);
  } else {
    Fact &before = k.nonNegative[number];
    if (before.size.constantTerm() + before.extra <=
        fact.constantTerm() + known.extra)
      return;
    before = known;
  }
  for (const auto &[monomial, factor] : fact.terms()) {
    if (monomial.empty())
      continue;
    if (isNew)
      k.uses[monomial].push_back({number, factor});
    for (const SizeAtom &a : monomial)
      if (a.isWrapped() && !llvm::is_contained(k.wrapped, a))
        k.wrapped.push_back(a);
    // f * m + c >= 0 is a bound of m.
    if (count > 2 || (count == 2 && !fact.terms().back().first.empty()))
      continue;
    Interval &i =
        k.bounds.try_emplace(monomial, Interval{-unbounded, unbounded})
            .first->second;
    Wide c = fact.constantTerm() + known.extra, f = factor;
    if (f > 0)
      i.lo = std::max(i.lo, -floorDivide(c, f));
    else
      i.hi = std::min(i.hi, floorDivide(c, -f));
  }
}

void SizeFacts::noteFloors(Known &k, const Size &from) {
  for (const Size::Term &t : from.terms())
    for (const SizeAtom &a : t.first) {
      if (!a.isFloor() || llvm::is_contained(k.floors, a))
        continue;
      k.floors.push_back(a);
      Size floor;
      floor.add({a}, 1);
      Size rest = a.dividend() - floor * a.divisor();
      note(k, {rest, 0});
      note(k, {-rest, a.divisor() - 1});
    }
}

void SizeFacts::gather(Known &k) const {
  for (const SizeFacts *f = this; f; f = f->outer)
    for (const Fact &n : f->nonNegative)
      note(k, {applyEqualities(n.size), n.extra});
  for (unsigned i = 0; i < k.nonNegative.size(); ++i)
    noteFloors(k, Size(k.nonNegative[i].size));
  if (!k.wrapped.empty())
    for (unsigned i = 0, n = k.nonNegative.size(); i < n; ++i) {
      Fact fact = k.nonNegative[i];
      if (Size s = resolveWrapped(fact.size, k); s != fact.size)
        note(k, {applyEqualities(s), fact.extra});
    }
}

bool SizeFacts::extend(Known &k) const {
  unsigned first = k.nonNegative.size();
  for (uint64_t i = k.own; i < nonNegative.size(); ++i)
    note(k, {applyEqualities(nonNegative[i].size), nonNegative[i].extra});
  for (unsigned i = first; i < k.nonNegative.size(); ++i)
    noteFloors(k, Size(k.nonNegative[i].size));
  return k.wrapped.empty();
}

const SizeFacts::Known &SizeFacts::known() const {
  uint64_t now = stamp(), own = nonNegative.size();
  if (cache && cache->stamp == now)
    return *cache;
  // Facts are mostly added and asked by turns: all would be gathered each time.
  bool isMore = cache && cache.use_count() == 1 && cache->own <= own &&
                now - cache->stamp == own - cache->own;
  if (!isMore || !extend(*cache)) {
    cache = std::make_shared<Known>();
    gather(*cache);
  }
  cache->stamp = now;
  cache->own = own;
  return *cache;
}

/// One search for a proof.
struct SizeFacts::Search {
  const SizeFacts &facts;
  const Known &known, &local;
  int steps = 256;

  bool run(const Size &s, Wide extra, unsigned depth) {
    if (--steps < 0 || s.hasLostDigits())
      return false;
    Wide low = facts.boundsOf(s, known).lo;
    if (low != -unbounded && low + extra >= 0)
      return true;
    if (!depth)
      return false;
    // Terms that are in the way first.
    llvm::SmallVector<const Size::Term *> order;
    for (bool inTheWay : {true, false})
      for (const Size::Term &u : s.terms())
        if (!u.first.empty() && u.second != least &&
            (facts.boundsOf(u, known).lo < 0) == inTheWay)
          order.push_back(&u);
    for (const Size::Term *u : order)
      for (const Known *k : {&known, &local}) {
        auto it = k->uses.find(u->first);
        if (it == k->uses.end())
          continue;
        for (auto [number, factor] : it->second) {
          if ((u->second < 0) != (factor < 0) || u->second % factor != 0)
            continue;
          const Fact &f = k->nonNegative[number];
          int64_t q = u->second / factor;
          Wide rest = clamp(extra + multiply(f.extra, -Wide(q)));
          if (rest == -unbounded || rest == unbounded)
            continue;
          if (run(s - f.size * q, rest, depth - 1))
            return true;
          if (steps < 0)
            return false;
        }
      }
    return false;
  }
};

bool SizeFacts::prove(const Size &s, Wide extra, const Known &k) const {
  Known local;
  local.floors = k.floors;
  noteFloors(local, s);
  // Short proofs first: they are what is found.
  for (unsigned depth : {1, 2, 3})
    if (Search{*this, k, local}.run(s, extra, depth))
      return true;
  return false;
}

bool SizeFacts::isNonNegative(const Size &size) const {
  if (size.hasLostDigits())
    return false;
  Size s = normalize(size);
  if (std::optional<int64_t> c = s.constant())
    return *c >= 0;
  return prove(s, 0, known());
}

bool SizeFacts::fits(const Size &size, const Known &k) const {
  if (size.hasLostDigits())
    return false;
  auto inside = [&](const Size &s) {
    Interval i = boundsOf(s, k);
    return i.lo >= least && i.hi <= greatest;
  };
  if (inside(size))
    return true;
  Size s = applyEqualities(size);
  return inside(s) || (prove(-s, greatest, k) && prove(s, -Wide(least), k));
}

bool SizeFacts::fits(const Size &size) const {
  return size.isConstant() || size.asVariable() ||
         fits(normalize(size), known());
}

bool SizeFacts::floorsFit(const Size &size) const {
  return llvm::all_of(size.terms(), [&](const Size::Term &t) {
    return llvm::all_of(t.first, [&](const SizeAtom &a) {
      return a.isVariable() ||
             (floorsFit(a.inner()) && (a.isWrapped() || fits(a.inner())));
    });
  });
}

std::vector<Size> SizeFacts::readings(const Size &polynomial) const {
  std::vector<Size> all = {polynomial};
  // The number r of a wrapped sum is the sum modulo 2^64: p is p - q*sum + q*r.
  constexpr size_t maxReadings = 16;
  for (const SizeAtom &a : known().wrapped) {
    const auto &[lead, by] = a.inner().terms().front();
    for (const Size::Term &t : polynomial.terms())
      if (t.first == lead && t.second != least && t.second % by == 0 &&
          all.size() < maxReadings) {
        Size r;
        r.add({a}, t.second / by);
        all.push_back(polynomial - a.inner() * (t.second / by) + r);
      }
  }
  all.push_back(polynomial.wrapped());
  return all;
}

Size SizeFacts::exact(const Size &polynomial) const {
  if (fits(polynomial))
    return polynomial;
  for (Size &s : readings(polynomial.unwrapped()))
    if (!s.hasLostDigits() && fits(s))
      return s;
  return polynomial.wrapped();
}

bool SizeFacts::isIndex(const Size &polynomial, const Size &size) const {
  return llvm::any_of(readings(polynomial), [&](const Size &s) {
    return isNonNegative(s) && isNonNegative(size - 1 - s);
  });
}
