//===- SizeFacts.h - What is known about sizes ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_FRONTEND_SIZEFACTS_H
#define ARRC_FRONTEND_SIZEFACTS_H

#include "arrc/Frontend/Size.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace arrc {

/// What is known about sizes: equalities, divisibilities and lower bounds from
/// `where`, ranges and shapes. Facts of an outer scope hold inside.
class SizeFacts {
public:
  explicit SizeFacts(const SizeFacts *outer = nullptr) : outer(outer) {}

  /// `size` is 0.
  void addZero(const Size &size);
  /// A variable is defined to be `size`, which does not mention it.
  void define(hir::Variable *var, const Size &size) {
    equalities.push_back({SizeAtom(var), size});
  }
  /// `size` is at least 0.
  void addNonNegative(const Size &size);
  /// `size` is divisible by `divisor`.
  void addDivisible(const Size &size, int64_t divisor);

  /// The size with the known equalities and divisibilities applied.
  Size normalize(const Size &size) const;
  /// Whether two sizes are known to be equal (true), to differ (false), or
  /// neither.
  std::optional<bool> equal(const Size &a, const Size &b) const;
  /// Whether the size is proved to be at least 0.
  bool isNonNegative(const Size &size) const;
  /// Marks a variable that is never negative.
  void addSize(const hir::Variable *var) { sizes.insert(var); }
  /// Whether the variable is known never to be negative.
  bool isKnownSize(const hir::Variable *var) const;
  /// Whether the size is proved to be divisible.
  bool isDivisible(const Size &size, int64_t divisor) const;

private:
  const SizeFacts *outer;
  /// An atom and the size that it equals.
  std::vector<std::pair<SizeAtom, Size>> equalities;
  std::vector<Size> nonNegative;
  std::vector<std::pair<Size, int64_t>> divisible;
  llvm::SmallPtrSet<const hir::Variable *, 8> sizes;
};

} // namespace arrc

#endif // ARRC_FRONTEND_SIZEFACTS_H
