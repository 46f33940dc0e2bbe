//===- SizeFacts.h - What is known about sizes ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_FRONTEND_SIZEFACTS_H
#define ARRC_FRONTEND_SIZEFACTS_H

#include "arrc/Frontend/Size.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include <limits>
#include <map>
#include <memory>
#include <vector>

namespace arrc {

/// What is known about sizes: equalities, divisibilities and lower bounds from
/// `where`, ranges and shapes. Facts of an outer scope hold inside.
///
/// Facts and questions are about integers, not about what 64-bit arithmetic
/// makes of them; every atom fits 64 bits. `exact` leads from the one to the
/// other.
class SizeFacts {
public:
  explicit SizeFacts(const SizeFacts *outer = nullptr) : outer(outer) {}

  /// `size` is 0.
  void addZero(const Size &size);
  /// A variable is defined to be `size`, which does not mention it.
  void define(hir::Variable *var, const Size &size);
  /// `size` is at least 0.
  void addNonNegative(const Size &size);
  /// `size` is divisible by `divisor`.
  void addDivisible(const Size &size, int64_t divisor);
  /// `size` fits 64 bits.
  void addFits(const Size &size);
  /// Marks a variable that is never negative, and at most `max`.
  void addSize(const hir::Variable *var,
               int64_t max = std::numeric_limits<int64_t>::max());

  /// The size with the known equalities and divisibilities applied.
  Size normalize(const Size &size) const;
  /// Whether two sizes are known to be equal (true), to differ (false), or
  /// neither.
  std::optional<bool> equal(const Size &a, const Size &b) const;
  /// Whether the size is proved to be at least 0.
  bool isNonNegative(const Size &size) const;
  /// Whether the size is proved to fit 64 bits.
  bool fits(const Size &size) const;
  /// Whether what is divided in the size is proved to fit 64 bits.
  bool floorsFit(const Size &size) const;
  /// The integer that 64-bit arithmetic makes of a polynomial: the polynomial
  /// itself if that is proved to fit, else an atom.
  Size exact(const Size &polynomial) const;
  /// Whether what 64-bit arithmetic makes of a polynomial is proved to be an
  /// index of a dimension of that size.
  bool isIndex(const Size &polynomial, const Size &size) const;
  /// Whether the size is proved to be divisible.
  bool isDivisible(const Size &size, int64_t divisor) const;

  /// The largest value of a variable that is never negative.
  std::optional<int64_t> sizeLimit(const hir::Variable *var) const;

private:
  __extension__ using Wide = __int128;
  /// Two ends, both inclusive; what is beyond `unbounded` is no bound.
  struct Interval {
    Wide lo, hi;
  };
  /// size + extra >= 0, where the constant may have no room in the size.
  struct Fact {
    Size size;
    Wide extra;
  };
  struct MonomialOrder {
    bool operator()(const Size::Monomial &a, const Size::Monomial &b) const;
  };
  struct TermsOrder {
    bool operator()(llvm::ArrayRef<Size::Term> a,
                    llvm::ArrayRef<Size::Term> b) const;
  };
  /// Facts, ready for questions.
  struct Known {
    /// What they were made of: the stamp, and of it how much is own facts.
    uint64_t stamp = 0, own = 0;
    std::vector<Fact> nonNegative;
    /// Facts by their terms but the constant: the strongest alone is kept.
    std::map<std::vector<Size::Term>, unsigned, TermsOrder> numbers;
    /// The facts with a monomial, and its factor there.
    std::map<Size::Monomial, std::vector<std::pair<unsigned, int64_t>>,
             MonomialOrder>
        uses;
    /// Of monomials that stand alone in a fact.
    std::map<Size::Monomial, Interval, MonomialOrder> bounds;
    /// Floors and what may have wrapped, as far as they occur.
    std::vector<SizeAtom> floors, wrapped;
  };
  struct Search;

  uint64_t stamp() const;
  const Known &known() const;
  void add(const Size &size, Wide extra);
  /// Makes `k` of all facts.
  void gather(Known &k) const;
  /// Adds the own facts that came since `k` was made; false if that changes
  /// what was made of others.
  bool extend(Known &k) const;
  static void note(Known &k, const Fact &fact);
  /// x // c is at most x / c: c * (x // c) <= x and > x - c.
  static void noteFloors(Known &k, const Size &from);
  Interval boundsOf(const SizeAtom &atom, const Known &k) const;
  Interval boundsOf(const Size::Term &term, const Known &k) const;
  Interval boundsOf(const Size &size, const Known &k) const;
  Size applyEqualities(const Size &size) const;
  Size resolveWrapped(const Size &size, const Known &k) const;
  bool prove(const Size &size, Wide extra, const Known &k) const;
  bool fits(const Size &size, const Known &k) const;
  /// Polynomials that are equal to this one modulo 2^64.
  std::vector<Size> readings(const Size &polynomial) const;

  const SizeFacts *outer;
  /// How often something was added.
  uint64_t changes = 0;
  /// An atom and the size that it equals.
  std::vector<std::pair<SizeAtom, Size>> equalities;
  std::vector<Fact> nonNegative;
  std::vector<std::pair<Size, int64_t>> divisible;
  llvm::DenseMap<const hir::Variable *, int64_t> sizes;
  /// What was last made of the facts.
  mutable std::shared_ptr<Known> cache;
};

} // namespace arrc

#endif // ARRC_FRONTEND_SIZEFACTS_H
