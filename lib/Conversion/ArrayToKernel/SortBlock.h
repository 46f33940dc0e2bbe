//===- SortBlock.h - Sorts within a block of threads ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The threads of a block sort words on chip by four bits at a time. Thread x
// owns the words x*k .. x*k+k-1. It counts how often each of the 16 digits
// occurs among them; counts of digit 0 of all threads, then those of digit 1,
// .. are scanned; where a word goes is what its thread found there, plus how
// many of its digit came before it in the thread. The order is stable.
//
//   counts[d][x] = words of thread x with digit d
//   start[d][x]  = exclusive scan of counts, d first
//   words'[start[d][x] + number of d before it in x] = word
//
// Digits d and d+8 share a number of 32 bits, the latter in its upper half:
// both halves are scanned at once, and the upper one begins with the total of
// the lower one. Gaps keep threads next to each other in different banks: where
// they count (one digit or another, always bank x), where they scan eight
// numbers in a row each, and where they read what they own.
//
// Reference: Satish, Harris, Garland, Designing efficient sorting algorithms
// for manycore GPUs, 2009.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_ARRAYTOKERNEL_SORTBLOCK_H
#define ARRC_LIB_CONVERSION_ARRAYTOKERNEL_SORTBLOCK_H

#include "SortWriter.h"

namespace arrc {

/// See the head of the file.
class SortBlock {
public:
  /// `steps` words each of type `word` for `threads` threads; a power of two.
  /// To be made in the loop of blocks.
  SortBlock(SortWriter &writer, int64_t threads, int64_t steps,
            mlir::Type word);

  /// Calls `body` with the place of each word; neighbouring threads have
  /// neighbouring places.
  void forPlaces(llvm::function_ref<void(mlir::Value)> body);
  /// The word at a place.
  mlir::Value getWord(mlir::Value place, mlir::Value mask = {});
  void setWord(mlir::Value place, mlir::Value word);
  /// Sorts by the digit from 0 to 15 (an index) that `getDigit` finds.
  void sort(llvm::function_ref<mlir::Value(mlir::Value)> getDigit);

  static constexpr unsigned digitBits = 4;

private:
  /// Where the word at `place` is, with the gaps before it.
  mlir::Value pad(mlir::Value place);
  /// Where column `x` of the counts is, likewise.
  mlir::Value padColumn(mlir::Value x);

  SortWriter &w;
  int64_t threads, steps;
  mlir::Value words, counts, ownWords, ownPlaces;
};

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_ARRAYTOKERNEL_SORTBLOCK_H
