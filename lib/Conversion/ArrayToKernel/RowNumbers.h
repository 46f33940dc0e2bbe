//===- RowNumbers.h - What a network compares -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Keys that carry nothing along are their words, from which they come back.
// Where arrays move along, or equal keys differ, a number is a word and its
// place in the row, one integer where that has no more than 64 bits:
//
//   word << bits of places | place
//
// Then no two are equal, and the order is stable. What fills a row up to the
// slots of the network comes last: its word is the greatest; of keys that have
// that word, too, places are less.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_ARRAYTOKERNEL_ROWNUMBERS_H
#define ARRC_LIB_CONVERSION_ARRAYTOKERNEL_ROWNUMBERS_H

#include "SortNetwork.h"

namespace arrc {

/// See the head of the file.
class RowNumbers {
public:
  /// With places below 2^`placeBits`; 0 for keys alone.
  RowNumbers(SortOrder order, unsigned placeBits)
      : order(order), placeBits(placeBits) {}

  bool hasPlaces() const { return placeBits; }
  /// Bits of all parts.
  unsigned getBits() const { return order.getBits() + placeBits; }
  bool isOneInteger() const { return getBits() <= 64; }
  llvm::SmallVector<mlir::Type, 2> getParts(mlir::MLIRContext *context) const;

  /// The number of a key, of what is behind the row if not `isIn`.
  SortNetwork::Number get(SortWriter &w, mlir::Value key, mlir::Value place,
                          mlir::Value isIn) const;
  /// The place, an index.
  mlir::Value getPlace(SortWriter &w, const SortNetwork::Number &number) const;
  /// Whether a number says which key it is. Floats with places have NaN that
  /// are equal and not the same.
  bool tellsKeys() const {
    return !hasPlaces() || !llvm::isa<mlir::FloatType>(order.key);
  }
  mlir::Value getKey(SortWriter &w, const SortNetwork::Number &number) const;

private:
  SortOrder order;
  unsigned placeBits;
};

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_ARRAYTOKERNEL_ROWNUMBERS_H
