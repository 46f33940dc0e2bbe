//===- SortWriter.h - One launch of a sort while it is written --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What the launches of a sort have in common: loops over the rows, words whose
// unsigned order is that of the keys, and short names for scalar operations.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_ARRAYTOKERNEL_SORTWRITER_H
#define ARRC_LIB_CONVERSION_ARRAYTOKERNEL_SORTWRITER_H

#include "LaunchFrame.h"

#include "arrc/Support/ScalarWriter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace arrc {

/// How keys are compared.
struct SortOrder {
  mlir::Type key;
  bool isUnsigned = false;
  /// All keys less the least one are unsigned and below 2^this, where it is not
  /// 0.
  unsigned knownBits = 0;
  int64_t least = 0;

  unsigned getKeyBits() const { return key.getIntOrFloatBitWidth(); }
  /// Bits that tell keys apart.
  unsigned getBits() const { return knownBits ? knownBits : getKeyBits(); }
  /// Bits of the word that stands for a key: 32 or 64.
  unsigned getWordBits() const { return getKeyBits() > 32 ? 64 : 32; }
};

/// See the head of the file.
class SortWriter : public ScalarWriter {
public:
  /// A launch in front of `anchor`; `extents` are those of the sorted arrays.
  SortWriter(mlir::Operation *anchor, HostSizes &sizes, SortOrder order,
             llvm::ArrayRef<mlir::OpFoldResult> extents);

  /// Loops over the rows; they are blocks unless `isPlanned`.
  void openRows(bool isPlanned = false);
  /// Loops of blocks over groups of `size` rows: of neighbours of the last
  /// dimension, the first of which is given. Null where there is one row.
  mlir::Value openRowGroups(int64_t size);
  /// A loop of blocks within a row; `extent` is a value of the host.
  mlir::Value openTiles(mlir::Value extent);
  /// Makes the launch; its results are the outs.
  kernel::LaunchOp finish() { return frame.finish(); }

  /// The place `at` of the row: its indices behind those of the loops.
  llvm::SmallVector<mlir::Value> inRow(mlir::ValueRange at);
  /// Element `at` of the row of `array`, an argument.
  mlir::Value load(mlir::Value array, mlir::ValueRange at,
                   mlir::Value mask = {});
  void store(mlir::Value value, mlir::Value array, mlir::ValueRange at,
             mlir::Value mask = {});
  /// The same of an array on chip.
  mlir::Value get(mlir::Value local, mlir::ValueRange at,
                  mlir::Value mask = {});
  void put(mlir::Value value, mlir::Value local, mlir::ValueRange at,
           mlir::Value mask = {});
  mlir::Value createLocal(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  /// The word of a key, of type `getWordType`; one that tells all keys apart if
  /// it is `exact` (SortWords.h).
  mlir::Value getWord(mlir::Value key, bool exact = false);
  /// The key of an exact word.
  mlir::Value getKey(mlir::Value word);
  mlir::Type getWordType() { return b.getIntegerType(order.getWordBits()); }
  /// Bits `shift` and up of a word, under a mask of `bits` ones, as an index.
  mlir::Value getDigit(mlir::Value word, mlir::Value shift, unsigned bits);

  using Body = llvm::function_ref<void(mlir::Value)>;
  /// Iterations by the threads of a block.
  void forThreads(int64_t count, Body body);
  /// Independent steps of a thread, all under way at once.
  void forSteps(int64_t count, Body body);
  /// Steps in order, up to `end`.
  void forOrdered(mlir::Value begin, mlir::Value end, Body body);

  /// Of an integer or an index.
  mlir::Value number(mlir::Type type, uint64_t value);
  mlir::Value shiftLeft(mlir::Value x, int64_t bits);
  mlir::Value shiftRight(mlir::Value x, int64_t bits);
  mlir::Value isLess(mlir::Value x, mlir::Value y);
  /// A number as another type of integers or indices; never negative.
  mlir::Value convert(mlir::Value value, mlir::Type type);

  LaunchFrame frame;
  mlir::OpBuilder b;
  mlir::Location loc;
  /// Elements of a row.
  mlir::Value length;
  /// The size of dimension `dim` of the sorted arrays.
  mlir::Value getExtent(unsigned dim);

private:
  mlir::Value openRow(unsigned dim, mlir::OpFoldResult extent,
                      kernel::LevelAttr level);
  kernel::LevelAttr getLevel(kernel::LevelKind kind, unsigned axis = 0) {
    return kernel::LevelAttr::get(b.getContext(), kind, axis);
  }

  SortOrder order;
  llvm::SmallVector<mlir::OpFoldResult> extents;
  llvm::SmallVector<mlir::Value> rows;
};

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_ARRAYTOKERNEL_SORTWRITER_H
