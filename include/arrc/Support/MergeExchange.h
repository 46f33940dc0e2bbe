//===- MergeExchange.h - A network of comparisons ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Batcher's merge exchange, for any number of elements: 5 comparisons of 4, 63
// of 16, 191 of 32.
//
// Reference: Knuth, The Art of Computer Programming, volume 3, 5.2.2,
// algorithm M.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_SUPPORT_MERGEEXCHANGE_H
#define ARRC_SUPPORT_MERGEEXCHANGE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"

namespace arrc {

/// Calls `compare` for the comparators of `size` elements, in order; each puts
/// the lesser of two elements at its first place.
inline void forMergeExchange(size_t size,
                             llvm::function_ref<void(size_t, size_t)> compare) {
  if (size < 2)
    return;
  size_t half = llvm::PowerOf2Ceil(size) / 2;
  for (size_t p = half; p; p /= 2) {
    size_t rest = 0, distance = p;
    for (size_t q = half;; q /= 2) {
      for (size_t i = 0; i + distance < size; ++i)
        if ((i & p) == rest)
          compare(i, i + distance);
      if (q == p)
        break;
      distance = q - p;
      rest = p;
    }
  }
}

} // namespace arrc

#endif // ARRC_SUPPORT_MERGEEXCHANGE_H
