//===- Size.h - Sizes as polynomials ----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A size is an integer polynomial over atoms: immutable int variables (size
// names, parameters, `let`s, indices), floors of a division by a positive
// constant, and results of arithmetic that may have wrapped. Every polynomial
// is kept in normal form, so two sizes are equal if and only if their
// difference is the empty sum; it is a non-zero constant if they certainly
// differ, and anything else is undecided.
//
// A polynomial is over the integers, the arithmetic of a program wraps at 64
// bits. Both agree modulo 2^64, and so they agree where the integer is known
// to fit 64 bits. Where it is not, `Size::wrapped` makes an atom of the
// polynomial: its value is what the machine computes, of which nothing is known
// but that it fits.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_FRONTEND_SIZE_H
#define ARRC_FRONTEND_SIZE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace arrc {

class Size;
namespace hir {
struct Variable;
} // namespace hir

/// What a size is built from: an immutable int variable, the floor of a size
/// divided by a constant of at least 2, or a size modulo 2^64 as a signed
/// number.
class SizeAtom {
public:
  explicit SizeAtom(hir::Variable *var) : var(var) {}
  /// The floor of a division.
  SizeAtom(Size dividend, int64_t divisor);
  /// What 64-bit arithmetic makes of a polynomial.
  static SizeAtom wrapped(Size polynomial);

  bool isVariable() const { return var != nullptr; }
  bool isFloor() const { return den != 0; }
  bool isWrapped() const { return !var && !den; }
  /// The variable, or null.
  hir::Variable *variable() const { return var; }
  /// Of a floor or of what is wrapped: the polynomial inside.
  const Size &inner() const { return *num; }
  /// Of a floor: what is divided.
  const Size &dividend() const { return *num; }
  /// Of a floor: by what, at least 2.
  int64_t divisor() const { return den; }

  /// A total order that does not depend on addresses.
  static int compare(const SizeAtom &a, const SizeAtom &b);
  bool operator==(const SizeAtom &o) const { return compare(*this, o) == 0; }

private:
  SizeAtom() = default;
  hir::Variable *var = nullptr;
  std::shared_ptr<const Size> num;
  int64_t den = 0;
};

/// A polynomial in normal form.
class Size {
public:
  /// A product of atoms, sorted; an atom to the power 2 stands twice. Empty for
  /// the constant term.
  using Monomial = std::vector<SizeAtom>;
  /// A monomial with its factor, which is not 0.
  using Term = std::pair<Monomial, int64_t>;

  Size() = default;
  /*implicit*/ Size(int64_t constant);
  /*implicit*/ Size(int constant) : Size(int64_t(constant)) {}
  /*implicit*/ Size(hir::Variable *var);

  /// The terms: products of higher degree first, the constant last.
  const std::vector<Term> &terms() const { return list; }
  /// The constant term, 0 if there is none.
  int64_t constantTerm() const;
  /// Whether it is a number that fits 64 bits.
  bool isConstant() const {
    return !lostDigits && (list.empty() || isOnlyConstant());
  }
  std::optional<int64_t> constant() const;
  /// The variable if the size is just that, else null.
  hir::Variable *asVariable() const;

  Size operator+(const Size &o) const;
  Size operator-(const Size &o) const;
  Size operator*(const Size &o) const;
  Size operator-() const { return Size() - *this; }
  /// Whether the product is worth reasoning about. One of more terms is as good
  /// as a variable, which says nothing of how its value was made; without a
  /// bound every line of `let b = a * a + c`, `let d = b * b + c` .. squares
  /// the number of terms.
  bool hasShortProduct(const Size &o) const;
  /// The same of `floorDiv`, which keeps all of this inside.
  bool hasShortFloor() const;
  bool operator==(const Size &o) const;
  bool operator!=(const Size &o) const { return !(*this == o); }

  /// Whether a factor did not fit 64 bits: the factors are right modulo 2^64
  /// alone.
  bool hasLostDigits() const { return lostDigits; }
  /// The atom that is what 64-bit arithmetic makes of this.
  Size wrapped() const;
  /// What a polynomial without such atoms would be, but for those in floors;
  /// equal to this modulo 2^64.
  Size unwrapped() const;
  /// Whether there is such an atom, inside floors too.
  bool mentionsWrapped() const;

  /// floor(this / divisor) in normal form; `divisor` is positive.
  Size floorDiv(int64_t divisor) const;
  /// ceil(this / divisor); `divisor` is positive.
  Size ceilDiv(int64_t divisor) const;

  /// Whether a variable occurs, inside floors too.
  bool mentions(const hir::Variable *var) const;
  /// Calls the function for every variable that occurs, possibly repeatedly.
  void forEachVariable(llvm::function_ref<void(hir::Variable *)> fn) const;
  /// Every variable replaced by what the function says; a null optional keeps
  /// it.
  Size
  substitute(llvm::function_ref<std::optional<Size>(hir::Variable *)> fn) const;
  /// The value, if the function knows every variable.
  std::optional<int64_t> evaluate(
      llvm::function_ref<std::optional<int64_t>(hir::Variable *)> fn) const;
  /// The sum split into what `atom` is multiplied with (once) and the rest:
  /// this = factor * atom + rest. Nothing if the atom occurs in a higher power
  /// or inside a floor.
  std::optional<std::pair<Size, Size>> splitLinear(const SizeAtom &atom) const;

  /// As a person writes it, in the variables' own names: `2*n - 1`.
  std::string str() const;

  /// Adds a term; keeps the normal form.
  void add(const Monomial &monomial, int64_t factor);

private:
  bool isOnlyConstant() const {
    return list.size() == 1 && list.front().first.empty();
  }
  std::vector<Term> list;
  bool lostDigits = false;
};

} // namespace arrc

#endif // ARRC_FRONTEND_SIZE_H
