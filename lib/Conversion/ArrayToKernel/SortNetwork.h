//===- SortNetwork.h - Rows sorted by comparisons in registers --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The threads of a block sort a tile of rows. A row has 2^q slots in it, q not
// known before the launch; thread x keeps the numbers of 2^e slots. Those that
// are neighbours it sorts alone (Batcher's merge exchange); then runs are
// merged, two to one of 2^k, for k = e+1 .. q. A merge compares slots whose
// numbers differ in bit k-1, then those that differ in k-2, .. 0, and so needs
// each of these bits in turn to tell registers of one thread apart:
//
//   k = 7, e = 3   slots of a thread differ in bits 6 5 4   compared by 6, 5, 4
//                                                   3 2 1               3, 2, 1
//                                                   2 1 0                     0
//
// Between two such phases numbers pass through memory on chip.
//
// A merge is of one run up and one down (Batcher's bitonic sorter). All runs go
// up: the first phase of a merge reads the second run from its end, which
// changes the places that its threads read and takes no instruction. In the
// other phases a thread writes where it has read, so that the threads wait once
// for each; in this one they wait before they write.
//
// Slot p is at p + p / 2^e: 32 threads that read slots of one phase are in
// different banks, but for those of the highest phases where e < 5.
//
// Reference: Batcher, Sorting networks and their applications, 1968.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_ARRAYTOKERNEL_SORTNETWORK_H
#define ARRC_LIB_CONVERSION_ARRAYTOKERNEL_SORTNETWORK_H

#include "SortWriter.h"

namespace arrc {

/// See the head of the file.
class SortNetwork {
public:
  /// Bits of numbers of slots.
  struct Shape {
    /// Threads of a block are 2^this.
    unsigned threadBits;
    /// Slots of a thread.
    unsigned ownBits;
    /// The most slots of a row.
    unsigned mostBits;

    int64_t getThreads() const { return int64_t(1) << threadBits; }
    unsigned getTileBits() const { return threadBits + ownBits; }
    /// The fewest slots of a row: it has no less than the threads, which write
    /// it side by side, nor less than a thread sorts.
    unsigned getLeastBits() const { return std::max(threadBits, ownBits); }
    /// Numbers on chip, with gaps.
    int64_t getRoom() const {
      int64_t slots = int64_t(1) << getTileBits();
      return slots + (slots >> ownBits);
    }
  };
  /// What is compared: its parts, the first of which count most.
  using Number = llvm::SmallVector<mlir::Value, 2>;

  /// To be made in the loop of blocks. `rowBits` is q, of 32 bits.
  SortNetwork(SortWriter &writer, Shape shape, mlir::Value rowBits,
              llvm::ArrayRef<mlir::Type> parts);

  /// One of the slots of a thread where neighbouring threads have neighbours of
  /// a row: the row of the tile (of 32 bits), the place, where its number is.
  struct Slot {
    mlir::Value row, place, at;
  };
  void forSlots(llvm::function_ref<void(llvm::ArrayRef<Slot>)> body);
  Number get(mlir::Value at);
  void put(llvm::ArrayRef<mlir::Value> number, mlir::Value at);

  /// Sorts the numbers of each row.
  void run();

private:
  using Numbers = llvm::SmallVector<Number>;

  int64_t pad(int64_t slot) const { return slot + (slot >> shape.ownBits); }
  /// What each thread does with its numbers, whose slots differ in `ownBits`
  /// bits from `lowest` on. Of two runs the second one `turns`: it is read from
  /// its end.
  void forOwn(unsigned lowest, bool turns,
              llvm::function_ref<void(Numbers &)> body);
  /// Merges two runs to one of 2^`bits`.
  void merge(unsigned bits);
  void compareByBit(Numbers &numbers, unsigned bit);
  void exchange(Number &low, Number &high);

  SortWriter &w;
  Shape shape;
  mlir::Value rowBits;
  /// Numbers on chip, and in registers.
  llvm::SmallVector<mlir::Value, 2> chips, keeps;
};

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_ARRAYTOKERNEL_SORTNETWORK_H
