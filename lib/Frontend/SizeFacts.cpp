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
//===----------------------------------------------------------------------===//

#include "arrc/Frontend/SizeFacts.h"

using namespace arrc;

void SizeFacts::addZero(const Size &size) {
  Size s = normalize(size);
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
    equalities.push_back({atom, value});
    return;
  }
  nonNegative.push_back(s);
  nonNegative.push_back(-s);
}

void SizeFacts::addNonNegative(const Size &size) {
  nonNegative.push_back(size);
}

void SizeFacts::addDivisible(const Size &size, int64_t divisor) {
  divisible.push_back({size, divisor});
}

bool SizeFacts::isDivisible(const Size &size, int64_t divisor) const {
  auto multiple = [&](const Size &s) {
    return llvm::all_of(s.terms(), [&](const Size::Term &t) {
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
        if (t.first != known.terms().front().first)
          continue;
        int64_t lead = known.terms().front().second;
        if (t.second % lead == 0 && multiple(size - known * (t.second / lead)))
          return true;
      }
    }
  return false;
}

Size SizeFacts::normalize(const Size &size) const {
  Size s = size;
  // Each round replaces an atom by what it equals; a cycle cannot form, as an
  // equality was normalised before it was added.
  for (int round = 0; round < 8; ++round) {
    Size before = s;
    for (const SizeFacts *f = this; f; f = f->outer)
      for (const auto &equality : f->equalities) {
        const SizeAtom &atom = equality.first;
        const Size &value = equality.second;
        if (atom.isVariable()) {
          s = s.substitute([&](hir::Variable *v) -> std::optional<Size> {
            if (v == atom.variable())
              return value;
            return std::nullopt;
          });
        } else if (auto split = s.splitLinear(atom)) {
          s = split->first * value + split->second;
        }
      }
    if (s == before)
      break;
  }
  return s;
}

/// Multiplies the size by the divisors of floors that divide without rest, and
/// removes these floors; whether the result is 0 does not change.
static Size clearExactFloors(Size s, const SizeFacts &facts) {
  for (int round = 0; round < 4; ++round) {
    bool changed = false;
    for (const Size::Term &t : s.terms()) {
      for (const SizeAtom &a : t.first) {
        if (a.isVariable() || !facts.isDivisible(a.dividend(), a.divisor()))
          continue;
        const SizeAtom atom = a;
        auto split = s.splitLinear(atom);
        if (!split)
          continue;
        s = split->first * atom.dividend() + split->second * atom.divisor();
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
  d = clearExactFloors(normalize(d), *this);
  if (std::optional<int64_t> c = d.constant())
    return *c == 0;
  // A difference that is at least 1, or at most -1, is no equality.
  if (isNonNegative(d - 1) || isNonNegative(-d - 1))
    return false;
  return std::nullopt;
}

/// Whether every term is a non-negative factor times non-negative atoms.
static bool plainlyNonNegative(const Size &s, const SizeFacts &facts) {
  for (const Size::Term &t : s.terms()) {
    if (t.second < 0)
      return false;
    for (const SizeAtom &a : t.first) {
      if (a.isVariable() ? !facts.isKnownSize(a.variable())
                         : !plainlyNonNegative(a.dividend(), facts))
        return false;
    }
  }
  return true;
}

static bool prove(const Size &s, llvm::ArrayRef<Size> known,
                  const SizeFacts &facts, unsigned depth) {
  if (plainlyNonNegative(s, facts))
    return true;
  if (!depth)
    return false;
  // s >= 0 follows from s - q * f >= 0 with f >= 0: cancel a term that is in
  // the way.
  for (const Size &f : known) {
    for (const Size::Term &t : f.terms()) {
      for (const Size::Term &u : s.terms()) {
        if (u.first != t.first || u.first.empty())
          continue;
        bool helps =
            (u.second < 0 && t.second < 0) || (u.second > 0 && t.second > 0);
        if (!helps || u.second % t.second != 0)
          continue;
        if (prove(s - f * (u.second / t.second), known, facts, depth - 1))
          return true;
      }
    }
  }
  return false;
}

bool SizeFacts::isNonNegative(const Size &size) const {
  Size s = normalize(size);
  if (std::optional<int64_t> c = s.constant())
    return *c >= 0;
  std::vector<Size> known;
  for (const SizeFacts *f = this; f; f = f->outer)
    for (const Size &n : f->nonNegative)
      known.push_back(normalize(n));
  // x // c is at most x / c: c * (x // c) <= x and > x - c.
  std::vector<SizeAtom> floors;
  auto collect = [&](const Size &from) {
    for (const Size::Term &t : from.terms())
      for (const SizeAtom &a : t.first)
        if (!a.isVariable() && !llvm::is_contained(floors, a))
          floors.push_back(a);
  };
  collect(s);
  for (const Size &k : known)
    collect(k);
  for (const SizeAtom &a : floors) {
    Size floor;
    floor.add({a}, 1);
    known.push_back(a.dividend() - floor * a.divisor());
    known.push_back(floor * a.divisor() - a.dividend() + (a.divisor() - 1));
  }
  return prove(s, known, *this, 3);
}

bool SizeFacts::isKnownSize(const hir::Variable *var) const {
  for (const SizeFacts *f = this; f; f = f->outer)
    if (f->sizes.contains(var))
      return true;
  return false;
}
