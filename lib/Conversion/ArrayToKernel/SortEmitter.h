//===- SortEmitter.h - The launches of one sort -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// EmitSort.cpp chooses by the length of the rows and writes launches for short
// ones; SortPasses.cpp writes those of long ones.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_ARRAYTOKERNEL_SORTEMITTER_H
#define ARRC_LIB_CONVERSION_ARRAYTOKERNEL_SORTEMITTER_H

#include "EmitSort.h"
#include "RowNumbers.h"
#include "SortNetwork.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

namespace arrc {

/// Rows in which each element is compared with all others.
inline constexpr int64_t kShortRow = 32;
/// The same on a device: networks take the others.
inline constexpr int64_t kShortDeviceRow = 5;
/// Threads of a block, and elements of each in a tile of a long row and in a
/// row of its own.
inline constexpr int64_t kThreads = 256, kTileSteps = 16, kRowSteps = 8;
/// Elements that a task of the CPU takes.
inline constexpr int64_t kTaskElements = 65536;

/// The launches of one sort.
class SortEmitter {
public:
  SortEmitter(array::SortOp sort, HostSizes &sizes);
  /// Puts launches in the place of the sort.
  void run();

private:
  /// Writes launches in front of an operation, into `made`.
  using Emit = std::function<void(mlir::Operation *)>;
  /// A network, and what it compares.
  struct RowNetwork {
    SortNetwork::Shape shape;
    RowNumbers numbers;

    int64_t getLongest() const { return int64_t(1) << shape.mostBits; }
  };
  /// What is emitted for rows up to `longest`.
  struct Choice {
    int64_t longest;
    Emit emit;
  };

  /// Emits the first choice that is long enough; the last one always is.
  void emitChoice(llvm::ArrayRef<Choice> choices, mlir::Operation *anchor);
  SortWriter createWriter(mlir::Operation *anchor) {
    return SortWriter(anchor, sizes, order, extents);
  }
  mlir::Value getSize(mlir::OpBuilder &b, mlir::OpFoldResult size) {
    return mlir::getValueOrCreateConstantIndexOp(b, loc, size);
  }
  mlir::Value createEmpty(mlir::Operation *anchor, mlir::Type element,
                          llvm::ArrayRef<mlir::OpFoldResult> shape);
  /// The arrays whose results are used, as a launch has them, and where each
  /// goes.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>>
  captureMoves(SortWriter &w);
  /// Makes the launch.
  void finish(SortWriter &w) {
    llvm::append_range(made, w.finish().getResults());
  }

  /// Short rows: each element counts those before it.
  void emitByRank(mlir::Operation *anchor);
  /// Rows that a block, or a task, keeps for all passes.
  void emitBlockRows(mlir::Operation *anchor);
  void emitTaskRows(mlir::Operation *anchor);
  /// Rows that threads keep in registers: as long as the network takes.
  void emitNetworkRows(mlir::Operation *anchor, const RowNetwork &network);
  /// The networks for this sort, shortest rows first.
  llvm::SmallVector<RowNetwork, 2> getNetworks() const;
  bool carriesKeysAlone() const { return used == llvm::ArrayRef<unsigned>{0}; }
  /// Bits of the digit of each pass over a long row or that of a task.
  llvm::SmallVector<unsigned> getDigitBits() const;
  /// Long rows.
  void emitPasses(mlir::Operation *anchor);
  /// Moves elements to where the starts of their digits are, in order.
  void moveInOrder(SortWriter &w, mlir::Value starts,
                   llvm::function_ref<mlir::Value(mlir::Value)> getDigit,
                   mlir::Value begin, mlir::Value end,
                   llvm::ArrayRef<std::pair<mlir::Value, mlir::Value>> moves);

  /// What a pass of a long row is about.
  struct Pass {
    mlir::Operation *anchor;
    /// Tiles of a row, and all counts of it.
    mlir::Value tiles, total;
    /// The bit at which the digit begins, a word, and bits of it.
    mlir::Value shift;
    unsigned bits = 0;
    /// What is read, keys first, and where it goes, null for what does not.
    llvm::SmallVector<mlir::Value> from, to;

    int64_t getDigits() const { return int64_t(1) << bits; }
  };
  /// The launches of a pass: each gives what the next one reads.
  mlir::Value emitCount(Pass &pass);
  mlir::Value emitScan(Pass &pass, mlir::Value counts);
  void emitScatter(Pass &pass, mlir::Value starts);
  /// A tile of a row: its number, its first element, and how many there are
  /// from there on.
  struct Tile {
    mlir::Value number, first, rest;
    int64_t elements;

    /// Behind its last element.
    mlir::Value getEnd(SortWriter &w) {
      return w.add(first, w.least(rest, w.index(elements)));
    }
    /// Element `place` of the tile, the last of the row where it ends before.
    mlir::Value getNearest(SortWriter &w, mlir::Value place) {
      return w.add(first, w.least(place, w.sub(rest, w.index(1))));
    }
  };
  Tile openTile(SortWriter &w, mlir::Value tile);
  /// A digit to sort by in a launch: the bit at which it begins, and its bits.
  struct Digit {
    mlir::Value shift;
    unsigned bits;

    int64_t getCount() const { return int64_t(1) << bits; }
    mlir::Value get(SortWriter &w, mlir::Value word) const {
      return w.getDigit(word, shift, bits);
    }
  };
  /// Calls `body` for each digit, by the threads of a block.
  void forDigits(SortWriter &w, int64_t digits,
                 llvm::function_ref<void(mlir::Value)> body);
  /// What a block, or a task, does with a tile.
  void writeTileCount(SortWriter &w, Tile tile, mlir::Value keys, Digit by,
                      mlir::Value counts, mlir::Value tiles);
  void
  writeTileScatter(SortWriter &w, Tile tile, mlir::Value keys, Digit by,
                   mlir::Value starts, mlir::Value tiles,
                   llvm::ArrayRef<std::pair<mlir::Value, mlir::Value>> moves);

  array::SortOp sort;
  HostSizes &sizes;
  mlir::Location loc;
  SortOrder order;
  bool isDevice;
  int64_t tileElements;
  llvm::SmallVector<mlir::OpFoldResult> extents;
  /// The arrays whose results are used, and where these go.
  llvm::SmallVector<unsigned> used;
  llvm::SmallVector<mlir::Value> outs;
  /// The results of what was emitted last.
  llvm::SmallVector<mlir::Value> made;
};

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_ARRAYTOKERNEL_SORTEMITTER_H
