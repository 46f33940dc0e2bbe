//===- SortRows.cpp - Rows that a network sorts ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Rows are neighbours in the last dimension in front of the sorted one. A group
// has as many as a tile has room for of the shortest ones; one of longer rows
// takes several tiles, a block each. So which rows a group has follows from its
// number alone, and several devices have groups of their own.
//
//===----------------------------------------------------------------------===//

#include "SortEmitter.h"

#include "arrc/Dialect/Kernel/IR/DeviceTable.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc;

/// Keys that a thread asks for before it waits.
static constexpr size_t kLoadsAtOnce = 16;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

SmallVector<Type, 2> RowNumbers::getParts(MLIRContext *context) const {
  auto integer = [&](unsigned bits) { return IntegerType::get(context, bits); };
  if (isOneInteger())
    return {integer(getBits() <= 32 ? 32 : 64)};
  return {integer(order.getWordBits()), integer(32)};
}

SortNetwork::Number RowNumbers::get(SortWriter &w, Value key, Value place,
                                    Value isIn) const {
  Value word = w.getWord(key, /*exact=*/!hasPlaces());
  word = w.select(isIn, word, w.number(word.getType(), ~uint64_t(0)));
  SmallVector<Type, 2> parts = getParts(w.b.getContext());
  if (!isOneInteger())
    return {word, w.convert(place, parts.back())};
  word = w.convert(word, parts.front());
  if (!hasPlaces())
    return {word};
  return {
      w.either(w.shiftLeft(word, placeBits), w.convert(place, parts.front()))};
}

Value RowNumbers::getPlace(SortWriter &w,
                           const SortNetwork::Number &number) const {
  Value place = number.back();
  if (isOneInteger())
    place = w.both(place,
                   w.number(place.getType(), (uint64_t(1) << placeBits) - 1));
  return w.convert(place, w.b.getIndexType());
}

Value RowNumbers::getKey(SortWriter &w,
                         const SortNetwork::Number &number) const {
  Value word = number.front();
  if (hasPlaces() && isOneInteger())
    word = w.shiftRight(word, placeBits);
  return w.getKey(word);
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

SmallVector<SortEmitter::RowNetwork, 2> SortEmitter::getNetworks() const {
  auto getNumbers = [&](unsigned mostBits) {
    return RowNumbers(order, carriesKeysAlone() ? 0 : mostBits);
  };
  // Up to 512 elements a warp sorts a tile, which waits for nobody else. Of 32
  // bits a thread keeps 32 numbers: for 512 elements these pass through memory
  // on chip 10 times, 13 with 16 numbers a thread, which takes 2 turns of the
  // memory for a warp; 42 comparisons at half rate are as many beside 20 turns
  // as both units do in the same time. There is no room for so many wider ones.
  constexpr unsigned shortBits = 9, longBits = 12;
  RowNumbers few = getNumbers(shortBits), many = getNumbers(longBits);
  SmallVector<RowNetwork, 2> networks;
  if (!few.isOneInteger()) {
    networks.push_back({{6, 3, shortBits}, few});
  } else if (few.getBits() > 32) {
    networks.push_back({{5, 4, shortBits}, few});
  } else {
    networks.push_back({{5, 5, shortBits}, few});
  }
  // Above that a block does. A comparison of two numbers in two parts takes 11
  // instructions, 363 for each of 2048: digits of four bits are no slower.
  RowNetwork large{{8, 4, longBits}, many};
  int64_t bytes = large.shape.getRoom() * (many.getBits() <= 32 ? 4 : 8);
  int64_t room = kernel::DeviceAttr::get(sort).getInteger("shared_bytes", 0);
  if (many.isOneInteger() && bytes <= room)
    networks.push_back(large);
  return networks;
}

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

/// The bits of the slots that a row of `length` takes.
static Value getRowBits(OpBuilder &b, Location loc, OpFoldResult length,
                        SortNetwork::Shape shape) {
  unsigned least = shape.getLeastBits();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, loc, value, 32);
  };
  if (std::optional<int64_t> known = getConstantIntValue(length))
    return number(std::max(least, llvm::Log2_64_Ceil(*known)));
  Value bits = number(least);
  for (unsigned k = least; k < shape.mostBits; ++k) {
    Value isLonger = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::sgt, cast<Value>(length),
        arith::ConstantIndexOp::create(b, loc, int64_t(1) << k));
    Value more = arith::ExtUIOp::create(b, loc, b.getI32Type(), isLonger);
    bits = arith::AddIOp::create(b, loc, bits, more);
  }
  return bits;
}

namespace {
/// The rows of a block.
class RowTile {
public:
  /// Opens the loops of blocks; `tiles` is how many of them a group has, a
  /// value of the host.
  RowTile(SortWriter &w, SortNetwork::Shape shape, unsigned rank, Value bits,
          Value tiles)
      : w(w), size(int64_t(1) << (shape.getTileBits() - shape.getLeastBits())) {
    first = w.openRowGroups(size);
    Value tile = w.openTiles(tiles);
    last = w.sub(w.length, w.index(1));
    if (!first)
      return;
    rows = w.getExtent(rank - 2);
    Type i32 = w.b.getI32Type();
    before =
        arith::ShLIOp::create(w.b, w.loc, w.convert(tile, i32),
                              w.sub(w.number(i32, shape.getTileBits()), bits));
  }

  Value isInRow(const SortNetwork::Slot &slot) {
    return w.isLess(slot.place, w.length);
  }
  /// What is in a slot of `array`, or next to it where that is outside.
  Value loadNearest(Value array, const SortNetwork::Slot &slot) {
    Value row = getRow(slot), place = w.least(slot.place, last);
    if (row)
      row = w.least(row, w.sub(rows, w.index(1)));
    return w.load(array, inArray(row, place));
  }
  /// Moves what `get` gives, or element `from` of the same row of `source`, to
  /// a slot of `dest`, if there is one.
  void move(const SortNetwork::Slot &slot, Value dest, Value source, Value from,
            function_ref<Value()> get) {
    Value row = getRow(slot);
    Value isThere = row ? w.isLess(row, rows)
                        : w.isEqual(slot.row, w.number(slot.row.getType(), 0));
    Value mask = w.both(isThere, isInRow(slot));
    Value moved = from ? w.load(source, inArray(row, from), mask) : get();
    w.store(moved, dest, inArray(row, slot.place), mask);
  }

private:
  /// Null where there is but one row.
  Value getRow(const SortNetwork::Slot &slot) {
    if (!first)
      return {};
    // Less than the size in any case: this says so to those who ask for the
    // width of the index, and for what parts of the groups touch.
    Value row = w.add(before, slot.row);
    row = w.both(row, w.number(row.getType(), size - 1));
    row = arith::RemUIOp::create(w.b, w.loc, w.convert(row, w.b.getIndexType()),
                                 w.index(size));
    return w.add(first, row);
  }
  SmallVector<Value, 2> inArray(Value row, Value place) {
    return row ? SmallVector<Value, 2>{row, place}
               : SmallVector<Value, 2>{place};
  }

  SortWriter &w;
  int64_t size;
  Value first, before, rows, last;
};
} // namespace

void SortEmitter::emitNetworkRows(Operation *anchor,
                                  const RowNetwork &network) {
  const SortNetwork::Shape &shape = network.shape;
  const RowNumbers &numbers = network.numbers;
  OpBuilder host(anchor);
  Value rowBits = getRowBits(host, loc, extents.back(), shape);
  Value tiles = arith::ConstantIndexOp::create(host, loc, 1);
  if (extents.size() > 1) {
    Value least =
        arith::ConstantIntOp::create(host, loc, shape.getLeastBits(), 32);
    Value more = host.createOrFold<arith::SubIOp>(loc, rowBits, least);
    tiles = host.createOrFold<arith::ShLIOp>(
        loc, tiles,
        host.createOrFold<arith::IndexCastUIOp>(loc, host.getIndexType(),
                                                more));
  }

  SortWriter w = createWriter(anchor);
  Value keys = w.frame.captureArray(sort.getKeys());
  SmallVector<std::pair<Value, Value>> moves = captureMoves(w);
  Value bits = w.frame.captureScalar(rowBits);
  RowTile tile(w, shape, extents.size(), bits, tiles);
  SortNetwork sorter(w, shape, bits, numbers.getParts(w.b.getContext()));
  sorter.forSlots([&](ArrayRef<SortNetwork::Slot> slots) {
    // Some are under way at once; all of them would take the registers of more
    // threads than they keep busy.
    for (; !slots.empty(); slots = slots.drop_front(
                               std::min<size_t>(slots.size(), kLoadsAtOnce))) {
      SmallVector<Value> own;
      for (const SortNetwork::Slot &slot : slots.take_front(kLoadsAtOnce))
        own.push_back(tile.loadNearest(keys, slot));
      for (auto [slot, key] : llvm::zip(slots, own))
        sorter.put(numbers.get(w, key, slot.place, tile.isInRow(slot)),
                   slot.at);
    }
  });
  sorter.run();
  sorter.forSlots([&](ArrayRef<SortNetwork::Slot> slots) {
    for (const SortNetwork::Slot &slot : slots) {
      SortNetwork::Number number = sorter.get(slot.at);
      Value place;
      if (numbers.hasPlaces())
        place = numbers.getPlace(w, number);
      for (auto [source, dest] : moves) {
        bool isTold = source == keys && numbers.tellsKeys();
        tile.move(slot, dest, source, isTold ? Value() : place,
                  [&] { return numbers.getKey(w, number); });
      }
    }
  });
  finish(w);
}
