//===- EmitSort.cpp - Launches for sorts ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What runs follows from the length of the rows:
//
//   up to 32     each element counts how many come before it: one launch, which
//                is planned like any other
//   some 1000    a row is a block's (a task's): it stays there for all passes
//   longer       radix sort, least significant digit first, eight bits a pass,
//                each of three launches:
//
//     count      tile t counts its elements of each digit: counts[d][t]
//     scan       starts = exclusive scan of counts, digit by digit
//     scatter    element e of tile t, the r-th with digit d in it, goes to
//                starts[d][t] + r
//
// A pass reads from one buffer and writes to another: the result, or room for
// one more. Keys keep their type in memory; what is compared is a word of each
// whose unsigned order is that of the keys (SortWriter::getWord).
//
// On a device a tile is 4096 elements. Its block sorts pairs of digit and place
// on chip (SortBlock.h), so that elements with one digit are neighbours, and
// writes them in that order: runs in memory. On the CPU a task goes through its
// tile in order and counts.
//
// Reference: Zagha, Blelloch, Radix sort for vector multiprocessors, 1991.
//
//===----------------------------------------------------------------------===//

#include "EmitSort.h"

#include "SortBlock.h"

#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc;

/// Rows in which each element is compared with all others.
static constexpr int64_t kShortRow = 32;
/// Bits and values of a digit.
static constexpr unsigned kDigitBits = 8;
static constexpr int64_t kDigits = int64_t(1) << kDigitBits;
/// Threads of a block, and elements of each in a tile of a long row and in a
/// row of its own.
static constexpr int64_t kThreads = 256, kTileSteps = 16, kRowSteps = 8;
/// Fewer threads, for rows that do not need more.
static constexpr int64_t kFewThreads = 64;
/// Elements that a task of the CPU takes.
static constexpr int64_t kTaskElements = 65536;

namespace {

/// The launches of one sort.
class SortEmitter {
public:
  SortEmitter(array::SortOp sort, HostSizes &sizes);
  void run();

private:
  using Emit = void (SortEmitter::*)(Operation *);
  struct Choice {
    int64_t longest;
    Emit emit;
  };

  void choose(ArrayRef<Choice> choices, Operation *anchor);
  SortWriter createWriter(Operation *anchor) {
    return SortWriter(anchor, sizes, order, extents);
  }
  Value getSize(OpBuilder &b, OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(b, loc, size);
  }
  Value createEmpty(Operation *anchor, Type element,
                    ArrayRef<OpFoldResult> shape);
  /// Makes the launch.
  void finish(SortWriter &w) {
    llvm::append_range(made, w.finish().getResults());
  }

  void emitByRank(Operation *anchor);
  void emitBlockRows(Operation *anchor, int64_t threads);
  void emitFewThreadRows(Operation *anchor) {
    emitBlockRows(anchor, kFewThreads);
  }
  void emitAllThreadRows(Operation *anchor) { emitBlockRows(anchor, kThreads); }
  void emitTaskRows(Operation *anchor);
  void emitPasses(Operation *anchor);
  void moveInOrder(SortWriter &w, Value starts,
                   function_ref<Value(Value)> getDigit, Value begin, Value end,
                   ArrayRef<std::pair<Value, Value>> moves);

  /// What a pass of a long row is about.
  struct Pass {
    Operation *anchor;
    /// Tiles of a row, and all counts of it.
    Value tiles, total;
    /// The bit at which the digit begins, a word.
    Value shift;
    /// What is read, keys first, and where it goes, null for what does not.
    SmallVector<Value> from, to;
  };
  Value emitCount(Pass &pass);
  Value emitScan(Pass &pass, Value counts);
  void emitScatter(Pass &pass, Value starts);
  /// A tile of a row: its number, its first element, and how many there are
  /// from there on.
  struct Tile {
    Value number, first, rest;
    int64_t elements;

    /// Behind its last element.
    Value getEnd(SortWriter &w) {
      return w.add(first, w.least(rest, w.index(elements)));
    }
    /// Element `place` of the tile, the last of the row where it ends before.
    Value getNearest(SortWriter &w, Value place) {
      return w.add(first, w.least(place, w.sub(rest, w.index(1))));
    }
  };
  Tile openTile(SortWriter &w, Value tile);
  void writeTileCount(SortWriter &w, Tile tile, Value keys, Value shift,
                      Value counts, Value tiles);
  void writeTileScatter(SortWriter &w, Tile tile, Value keys, Value shift,
                        Value starts, Value tiles,
                        ArrayRef<std::pair<Value, Value>> moves);

  array::SortOp sort;
  HostSizes &sizes;
  Location loc;
  SortOrder order;
  bool isDevice;
  int64_t tileElements;
  SmallVector<OpFoldResult> extents;
  /// The arrays whose results are used, and where these go.
  SmallVector<unsigned> used;
  SmallVector<Value> outs;
  /// The results of what was emitted last.
  SmallVector<Value> made;
};

} // namespace

SortEmitter::SortEmitter(array::SortOp sort, HostSizes &sizes)
    : sort(sort), sizes(sizes), loc(sort.getLoc()),
      order{sort.getKeyType(), sort.getIsUnsigned()},
      isDevice(kernel::isGPU(kernel::DeviceAttr::get(sort))),
      tileElements(isDevice ? kThreads * kTileSteps : kTaskElements),
      extents(sizes.getAll(sort.getKeys(), sort)) {}

Value SortEmitter::createEmpty(Operation *anchor, Type element,
                               ArrayRef<OpFoldResult> shape) {
  OpBuilder b(anchor);
  Value empty = tensor::EmptyOp::create(b, loc, shape, element);
  sizes.set(empty, shape);
  return empty;
}

//===----------------------------------------------------------------------===//
// Short rows
//===----------------------------------------------------------------------===//

void SortEmitter::emitByRank(Operation *anchor) {
  SortWriter w = createWriter(anchor);
  Value keys = w.frame.captureArray(sort.getKeys());
  SmallVector<std::pair<Value, Value>> moves;
  for (auto [number, out] : llvm::zip(used, outs))
    moves.push_back(
        {w.frame.captureArray(sort.getArrays()[number]), w.frame.addOut(out)});
  w.openRows(/*isPlanned=*/true);
  auto each = kernel::ForOp::create(w.b, loc, "element", w.length);
  w.b.setInsertionPointToStart(each.getBodyBlock());
  Value own = each.getInductionVar();
  Value word = w.getWord(w.load(keys, own));
  Type i32 = w.b.getI32Type();
  auto isBefore = [&](Value other) {
    Value otherWord = w.getWord(w.load(keys, other));
    return w.convert(
        w.either(w.isLess(otherWord, word),
                 w.both(w.isEqual(otherWord, word), w.isLess(other, own))),
        i32);
  };
  // Lanes of a CPU count together; a thread of a device goes through the row,
  // and what is planned is a map.
  Value none = w.number(i32, 0), rank;
  if (isDevice) {
    auto others =
        scf::ForOp::create(w.b, loc, w.index(0), w.length, w.index(1), none);
    OpBuilder::InsertionGuard guard(w.b);
    w.b.setInsertionPointToStart(others.getBody());
    Value next =
        w.add(others.getRegionIterArg(0), isBefore(others.getInductionVar()));
    scf::YieldOp::create(w.b, loc, next);
    rank = others.getResult(0);
  } else {
    auto others = kernel::ForOp::create(w.b, loc, "other", w.length,
                                        kernel::ForKind::Reduce, none);
    CombinerOperator by{w.b.getStringAttr("arith.addi")};
    buildCombiner(w.b, loc, others.getCombiner(), i32, by,
                  kernel::YieldOp::getOperationName());
    OpBuilder::InsertionGuard guard(w.b);
    w.b.setInsertionPointToStart(others.getBodyBlock());
    kernel::YieldOp::create(w.b, loc, isBefore(others.getInductionVar()));
    rank = others.getResult(0);
  }
  Value place = w.convert(rank, w.b.getIndexType());
  for (auto [from, to] : moves)
    w.store(w.load(from, own), to, place);
  finish(w);
}

//===----------------------------------------------------------------------===//
// Rows on chip
//===----------------------------------------------------------------------===//

void SortEmitter::emitBlockRows(Operation *anchor, int64_t threads) {
  OpBuilder host(anchor);
  Value once = arith::ConstantIndexOp::create(host, loc, 1);
  SortWriter w = createWriter(anchor);
  Value keys = w.frame.captureArray(sort.getKeys());
  SmallVector<std::pair<Value, Value>> moves;
  for (auto [number, out] : llvm::zip(used, outs))
    moves.push_back(
        {w.frame.captureArray(sort.getArrays()[number]), w.frame.addOut(out)});
  w.openRows();
  // A single row is a block, too.
  w.openTiles(once);
  Type i16 = w.b.getI16Type(), indexType = w.b.getIndexType();
  Value chip = w.createLocal({threads * kRowSteps}, w.getWordType());
  SortBlock block(w, threads, kRowSteps, i16);
  Value last = w.sub(w.length, w.index(1));
  Value end = w.number(w.getWordType(), ~uint64_t(0));
  block.forPlaces([&](Value place) {
    Value word = w.getWord(w.load(keys, w.least(place, last)));
    w.put(w.select(w.isLess(place, w.length), word, end), chip, place);
    block.setWord(place, w.convert(place, i16));
  });
  unsigned digits = llvm::divideCeil(order.getBits(), SortBlock::digitBits);
  w.forOrdered(w.index(0), w.index(digits), [&](Value digit) {
    Value shift =
        w.convert(w.mul(digit, w.index(SortBlock::digitBits)), w.getWordType());
    block.sort([&](Value number) {
      return w.getDigit(w.get(chip, w.convert(number, indexType)), shift,
                        SortBlock::digitBits);
    });
  });
  block.forPlaces([&](Value place) {
    Value mask = w.isLess(place, w.length);
    Value from = w.least(w.convert(block.getWord(place), indexType), last);
    for (auto [source, dest] : moves)
      w.store(w.load(source, from), dest, place, mask);
  });
  finish(w);
}

//===----------------------------------------------------------------------===//
// Tasks of a CPU
//===----------------------------------------------------------------------===//

/// Moves elements to where the starts of their digits are, in order.
void SortEmitter::moveInOrder(SortWriter &w, Value starts,
                              function_ref<Value(Value)> getDigit, Value begin,
                              Value end,
                              ArrayRef<std::pair<Value, Value>> moves) {
  w.forOrdered(begin, end, [&](Value at) {
    Value digit = getDigit(at);
    Value to = w.get(starts, digit);
    for (auto [source, dest] : moves)
      w.store(w.load(source, at), dest, w.convert(to, w.b.getIndexType()));
    w.put(w.add(to, w.number(to.getType(), 1)), starts, digit);
  });
}

void SortEmitter::emitTaskRows(Operation *anchor) {
  unsigned passes = llvm::divideCeil(order.getBits(), kDigitBits);
  OpBuilder host(anchor);
  Value once = arith::ConstantIndexOp::create(host, loc, 1);
  SortWriter w = createWriter(anchor);
  SmallVector<Value> results(sort.getArrays().size()), spares(results);
  SmallVector<unsigned> moved(used);
  for (auto [number, out] : llvm::zip(used, outs))
    results[number] = w.frame.addOut(out);
  bool carriesKeys = !results.front() && passes > 1;
  if (carriesKeys)
    moved.insert(moved.begin(), 0);
  auto addRoom = [&](unsigned number) {
    Value array = sort.getArrays()[number];
    return w.frame.addOut(createEmpty(
        anchor, cast<RankedTensorType>(array.getType()).getElementType(),
        extents));
  };
  if (carriesKeys)
    results.front() = addRoom(0);
  SmallVector<Value> from;
  for (Value array : sort.getArrays())
    from.push_back(w.frame.captureArray(array));
  if (passes > 1)
    for (unsigned number : moved)
      spares[number] = addRoom(number);
  w.openRows();
  w.openTiles(once);
  Type i64 = w.b.getI64Type();
  Value starts = w.createLocal({kDigits}, i64);
  Value zero = w.index(0), none = w.number(i64, 0), one = w.number(i64, 1);
  for (unsigned pass = 0; pass < passes; ++pass) {
    ArrayRef<Value> to = (passes - 1 - pass) % 2 ? spares : results;
    Value shift = w.number(w.getWordType(), pass * kDigitBits);
    auto getDigit = [&](Value at) {
      return w.getDigit(w.getWord(w.load(from.front(), at)), shift, kDigitBits);
    };
    w.forOrdered(zero, w.index(kDigits),
                 [&](Value digit) { w.put(none, starts, digit); });
    w.forOrdered(zero, w.length, [&](Value at) {
      Value digit = getDigit(at);
      w.put(w.add(w.get(starts, digit), one), starts, digit);
    });
    auto scan =
        scf::ForOp::create(w.b, loc, zero, w.index(kDigits), w.index(1), none);
    {
      OpBuilder::InsertionGuard guard(w.b);
      w.b.setInsertionPointToStart(scan.getBody());
      Value digit = scan.getInductionVar(), start = scan.getRegionIterArg(0);
      Value next = w.add(start, w.get(starts, digit));
      w.put(start, starts, digit);
      scf::YieldOp::create(w.b, loc, next);
    }
    SmallVector<std::pair<Value, Value>> moves;
    for (unsigned number : moved)
      if (pass + 1 < passes || number || !carriesKeys)
        moves.push_back({from[number], to[number]});
    moveInOrder(w, starts, getDigit, zero, w.length, moves);
    for (unsigned number : moved)
      from[number] = to[number];
  }
  // Outs come first.
  finish(w);
  made.resize(used.size());
}

//===----------------------------------------------------------------------===//
// Long rows
//===----------------------------------------------------------------------===//

/// Bytes of each element of a tile that there is room for on chip besides what
/// sorting takes: 28 KiB, and some for the scan.
static int64_t getStagedBytes(kernel::DeviceAttr device) {
  constexpr int64_t taken = 31 << 10;
  int64_t room = device.getInteger("shared_bytes", 0) - taken;
  return std::max<int64_t>(room, 0) / (kThreads * kTileSteps);
}

SortEmitter::Tile SortEmitter::openTile(SortWriter &w, Value tile) {
  // Below the length in any case, so that 32 bits are enough where they are for
  // the length.
  Type i64 = w.b.getI64Type();
  Value first = w.mul(w.convert(tile, i64), w.number(i64, tileElements));
  first = arith::MinUIOp::create(w.b, loc, first, w.convert(w.length, i64));
  first = w.convert(first, w.b.getIndexType());
  return {tile, first, w.sub(w.length, first), tileElements};
}

/// The counts of a tile, by the threads of a block.
void SortEmitter::writeTileCount(SortWriter &w, Tile tile, Value keys,
                                 Value shift, Value counts, Value tiles) {
  Type i32 = w.b.getI32Type(), i64 = w.b.getI64Type();
  Type type = isDevice ? i32 : i64;
  Value own = w.createLocal({kDigits}, type);
  auto getDigit = [&](Value at) {
    return w.getDigit(w.getWord(w.load(keys, at)), shift, kDigitBits);
  };
  auto write = [&](Value digit) {
    w.store(w.convert(w.get(own, digit), i64), counts,
            w.add(w.mul(digit, tiles), tile.number));
  };
  Value none = w.number(type, 0), one = w.number(type, 1);
  if (!isDevice) {
    w.forOrdered(w.index(0), w.index(kDigits),
                 [&](Value digit) { w.put(none, own, digit); });
    w.forOrdered(tile.first, tile.getEnd(w), [&](Value at) {
      Value digit = getDigit(at);
      w.put(w.add(w.get(own, digit), one), own, digit);
    });
    w.forOrdered(w.index(0), w.index(kDigits), write);
    return;
  }
  w.forThreads(kThreads, [&](Value digit) { w.put(none, own, digit); });
  w.forThreads(kThreads, [&](Value x) {
    w.forSteps(kTileSteps, [&](Value k) {
      Value place = w.add(w.mul(k, w.index(kThreads)), x);
      Value digit = getDigit(tile.getNearest(w, place));
      auto update = kernel::UpdateOp::create(w.b, loc, one, own, digit,
                                             w.isLess(place, tile.rest));
      CombinerOperator by{w.b.getStringAttr("arith.addi")};
      buildCombiner(w.b, loc, update.getCombiner(), i32, by,
                    kernel::YieldOp::getOperationName());
    });
  });
  w.forThreads(kThreads, write);
}

Value SortEmitter::emitCount(Pass &pass) {
  SmallVector<OpFoldResult> shape(extents);
  shape.back() = pass.total;
  OpBuilder host(pass.anchor);
  SortWriter w = createWriter(pass.anchor);
  Value keys = w.frame.captureArray(pass.from.front());
  Value shift = w.frame.captureOperand(pass.shift);
  Value tiles = w.frame.captureScalar(pass.tiles);
  Value counts =
      w.frame.addOut(createEmpty(pass.anchor, host.getI64Type(), shape));
  w.openRows();
  Tile tile = openTile(w, w.openTiles(pass.tiles));
  writeTileCount(w, tile, keys, shift, counts, tiles);
  return w.finish().getResult(0);
}

Value SortEmitter::emitScan(Pass &pass, Value counts) {
  SmallVector<OpFoldResult> shape(extents);
  shape.back() = pass.total;
  SortWriter w = createWriter(pass.anchor);
  Value from = w.frame.captureArray(counts);
  Type i64 = w.b.getI64Type();
  Value to = w.frame.addOut(createEmpty(pass.anchor, i64, shape));
  Value total = w.frame.captureScalar(pass.total);
  w.openRows(/*isPlanned=*/true);
  auto scan = kernel::ForOp::create(w.b, loc, "count", total,
                                    kernel::ForKind::Scan, w.number(i64, 0));
  CombinerOperator by{w.b.getStringAttr("arith.addi")};
  buildCombiner(w.b, loc, scan.getCombiner(), i64, by,
                kernel::YieldOp::getOperationName());
  w.b.setInsertionPointToStart(scan.getBodyBlock());
  Value at = scan.getInductionVar();
  Value start = kernel::PrefixOp::create(w.b, loc, i64, w.load(from, at),
                                         /*exclusive=*/true)
                    .getResult(0);
  w.store(start, to, at);
  return w.finish().getResult(0);
}

/// A tile to where it goes, by the threads of a block.
void SortEmitter::writeTileScatter(SortWriter &w, Tile tile, Value keys,
                                   Value shift, Value starts, Value tiles,
                                   ArrayRef<std::pair<Value, Value>> moves) {
  constexpr unsigned placeBits = 16;
  Type i32 = w.b.getI32Type(), i64 = w.b.getI64Type();
  Type indexType = w.b.getIndexType();
  SortBlock block(w, kThreads, kTileSteps, i32);
  // Keys are asked for twice, the second time in another order.
  Value chip;
  if (order.getBits() > 1 &&
      order.getBits() <= 8 * getStagedBytes(kernel::DeviceAttr::get(sort)))
    chip = w.createLocal({tileElements}, order.key);
  // Where an element goes, less its place in the sorted tile.
  Value offsets = w.createLocal({kDigits}, i64);
  // What is beyond the end stays there: its digit is the last one.
  block.forPlaces([&](Value place) {
    Value key = w.load(keys, tile.getNearest(w, place));
    if (chip)
      w.put(key, chip, place);
    Value word = w.getWord(key);
    Value digit = w.getDigit(word, shift, kDigitBits);
    digit = w.select(w.isLess(place, tile.rest), digit, w.index(kDigits - 1));
    Value upper =
        w.mul(w.convert(digit, i32), w.number(i32, int64_t(1) << placeBits));
    block.setWord(place, w.add(upper, w.convert(place, i32)));
  });
  for (unsigned bit = 0; bit < kDigitBits; bit += SortBlock::digitBits)
    block.sort([&](Value word) {
      return w.getDigit(word, w.number(i32, placeBits + bit),
                        SortBlock::digitBits);
    });
  auto getDigit = [&](Value word) {
    return w.getDigit(word, w.number(i32, placeBits), kDigitBits);
  };
  block.forPlaces([&](Value place) {
    Value digit = getDigit(block.getWord(place));
    Value isFirst = w.isEqual(place, w.index(0));
    Value before =
        arith::MaxSIOp::create(w.b, loc, w.sub(place, w.index(1)), w.index(0));
    Value isNew = w.either(
        isFirst, arith::CmpIOp::create(w.b, loc, arith::CmpIPredicate::ne,
                                       digit, getDigit(block.getWord(before))));
    Value start =
        w.load(starts, w.add(w.mul(digit, tiles), tile.number), isNew);
    w.put(w.sub(start, w.convert(place, i64)), offsets, digit, isNew);
  });
  block.forPlaces([&](Value place) {
    Value word = block.getWord(place);
    Value own = arith::AndIOp::create(
        w.b, loc, word, w.number(i32, (int64_t(1) << placeBits) - 1));
    own = w.convert(own, indexType);
    Value to = w.add(w.get(offsets, getDigit(word)), w.convert(place, i64));
    Value dest = arith::IndexCastOp::create(w.b, loc, indexType, to);
    Value mask = w.isLess(own, tile.rest);
    Value at = tile.getNearest(w, own);
    for (auto [source, target] : moves)
      w.store(chip && source == keys ? w.get(chip, own) : w.load(source, at),
              target, dest, mask);
  });
}

void SortEmitter::emitScatter(Pass &pass, Value starts) {
  SortWriter w = createWriter(pass.anchor);
  Value keys = w.frame.captureArray(pass.from.front());
  Value from = w.frame.captureArray(starts);
  Value shift = w.frame.captureOperand(pass.shift);
  Value tiles = w.frame.captureScalar(pass.tiles);
  SmallVector<std::pair<Value, Value>> moves;
  for (auto [source, dest] : llvm::zip(pass.from, pass.to))
    if (dest)
      moves.push_back({w.frame.captureArray(source), w.frame.addOut(dest)});
  w.openRows();
  Tile tile = openTile(w, w.openTiles(pass.tiles));
  if (isDevice) {
    writeTileScatter(w, tile, keys, shift, from, tiles, moves);
  } else {
    Value own = w.createLocal({kDigits}, w.b.getI64Type());
    w.forOrdered(w.index(0), w.index(kDigits), [&](Value digit) {
      w.put(w.load(from, w.add(w.mul(digit, tiles), tile.number)), own, digit);
    });
    moveInOrder(
        w, own,
        [&](Value at) {
          return w.getDigit(w.getWord(w.load(keys, at)), shift, kDigitBits);
        },
        tile.first, tile.getEnd(w), moves);
  }
  kernel::LaunchOp launch = w.finish();
  unsigned next = 0;
  for (auto [source, dest] : llvm::zip(pass.from, pass.to))
    if (dest)
      source = launch.getResult(next++);
}

void SortEmitter::emitPasses(Operation *anchor) {
  OpBuilder host(anchor);
  unsigned passes = llvm::divideCeil(order.getBits(), kDigitBits);
  auto index = [&](int64_t value) {
    return arith::ConstantIndexOp::create(host, loc, value).getResult();
  };
  Pass pass;
  pass.anchor = anchor;
  pass.tiles = host.createOrFold<arith::CeilDivUIOp>(
      loc, getSize(host, extents.back()), index(tileElements));
  pass.total =
      host.createOrFold<arith::MulIOp>(loc, pass.tiles, index(kDigits));
  pass.from = SmallVector<Value>(sort.getArrays());
  for (unsigned number = 0; number < passes; ++number) {
    pass.shift = arith::ConstantIntOp::create(host, loc, number * kDigitBits,
                                              order.getWordBits());
    pass.to.assign(pass.from.size(), Value());
    bool isLast = number + 1 == passes;
    for (auto [place, array] : llvm::zip(used, outs))
      pass.to[place] = array;
    for (auto [place, array] : llvm::enumerate(pass.from))
      if (!isLast && (place == 0 || pass.to[place]))
        pass.to[place] = createEmpty(
            anchor, cast<RankedTensorType>(array.getType()).getElementType(),
            extents);
    Value counts = emitCount(pass);
    emitScatter(pass, emitScan(pass, counts));
  }
  for (unsigned number : used)
    made.push_back(pass.from[number]);
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

/// Emits the first choice that is long enough; the last one always is.
void SortEmitter::choose(ArrayRef<Choice> choices, Operation *anchor) {
  OpBuilder b(anchor);
  const Choice &first = choices.front();
  std::optional<int64_t> length = getConstantIntValue(extents.back());
  if (choices.size() == 1 || (length && *length <= first.longest)) {
    return (this->*first.emit)(anchor);
  }
  if (length)
    return choose(choices.drop_front(), anchor);
  Value isShort = arith::CmpIOp::create(
      b, loc, arith::CmpIPredicate::sle, getSize(b, extents.back()),
      arith::ConstantIndexOp::create(b, loc, first.longest));
  SmallVector<Type> types;
  for (Value out : outs)
    types.push_back(out.getType());
  auto branch = scf::IfOp::create(b, loc, types, isShort, /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  auto emitInto = [&](Block *block, function_ref<void(Operation *)> emit) {
    OpBuilder inner = OpBuilder::atBlockEnd(block);
    auto yield = scf::YieldOp::create(inner, loc, outs);
    made.clear();
    emit(yield);
    yield.getResultsMutable().assign(made);
  };
  emitInto(branch.thenBlock(),
           [&](Operation *yield) { (this->*first.emit)(yield); });
  emitInto(branch.elseBlock(),
           [&](Operation *yield) { choose(choices.drop_front(), yield); });
  made.assign(branch.result_begin(), branch.result_end());
}

void SortEmitter::run() {
  for (auto [number, array] : llvm::enumerate(sort.getArrays())) {
    if (sort.getResults()[number].use_empty())
      continue;
    used.push_back(number);
    outs.push_back(createEmpty(
        sort, cast<RankedTensorType>(array.getType()).getElementType(),
        extents));
  }
  constexpr int64_t any = std::numeric_limits<int64_t>::max();
  SmallVector<Choice> choices{{kShortRow, &SortEmitter::emitByRank}};
  if (isDevice) {
    choices.push_back(
        {kFewThreads * kRowSteps, &SortEmitter::emitFewThreadRows});
    choices.push_back({kThreads * kRowSteps, &SortEmitter::emitAllThreadRows});
  } else {
    choices.push_back({kTaskElements, &SortEmitter::emitTaskRows});
  }
  choices.push_back({any, &SortEmitter::emitPasses});
  choose(choices, sort);
  for (auto [number, result] : llvm::zip(used, made)) {
    sort.getResults()[number].replaceAllUsesWith(result);
    sizes.set(result, extents);
  }
  sort.erase();
}

void arrc::convertSort(array::SortOp sort, HostSizes &sizes) {
  SortEmitter(sort, sizes).run();
}
