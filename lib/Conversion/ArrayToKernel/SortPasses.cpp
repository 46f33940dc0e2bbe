//===- SortPasses.cpp - Passes over long rows -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Count, scan and scatter: see EmitSort.cpp.
//
//===----------------------------------------------------------------------===//

#include "SortBlock.h"
#include "SortEmitter.h"

#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Support/Combiner.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc;

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

void SortEmitter::forDigits(SortWriter &w, int64_t digits,
                            function_ref<void(Value)> body) {
  int64_t threads = std::min(digits, kThreads);
  w.forThreads(threads, [&](Value x) {
    for (int64_t first = 0; first < digits; first += threads)
      body(first ? w.add(x, w.index(first)) : x);
  });
}

/// The counts of a tile, by the threads of a block.
void SortEmitter::writeTileCount(SortWriter &w, Tile tile, Value keys, Digit by,
                                 Value counts, Value tiles) {
  Type i32 = w.b.getI32Type(), i64 = w.b.getI64Type();
  Type type = isDevice ? i32 : i64;
  Value own = w.createLocal({by.getCount()}, type);
  auto getDigit = [&](Value at) {
    return by.get(w, w.getWord(w.load(keys, at)));
  };
  auto write = [&](Value digit) {
    w.store(w.convert(w.get(own, digit), i64), counts,
            w.add(w.mul(digit, tiles), tile.number));
  };
  Value none = w.number(type, 0), one = w.number(type, 1);
  if (!isDevice) {
    w.forOrdered(w.index(0), w.index(by.getCount()),
                 [&](Value digit) { w.put(none, own, digit); });
    w.forOrdered(tile.first, tile.getEnd(w), [&](Value at) {
      Value digit = getDigit(at);
      w.put(w.add(w.get(own, digit), one), own, digit);
    });
    w.forOrdered(w.index(0), w.index(by.getCount()), write);
    return;
  }
  forDigits(w, by.getCount(), [&](Value digit) { w.put(none, own, digit); });
  w.forThreads(kThreads, [&](Value x) {
    w.forSteps(kTileSteps, [&](Value k) {
      Value place = w.add(w.mul(k, w.index(kThreads)), x);
      Value digit = getDigit(tile.getNearest(w, place));
      auto update = kernel::UpdateOp::create(w.b, loc, one, own, digit,
                                             w.isLess(place, tile.rest));
      CombinerOperator sum{w.b.getStringAttr("arith.addi")};
      buildCombiner(w.b, loc, update.getCombiner(), i32, sum,
                    kernel::YieldOp::getOperationName());
    });
  });
  forDigits(w, by.getCount(), write);
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
  writeTileCount(w, tile, keys, {shift, pass.bits}, counts, tiles);
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
                                   Digit by, Value starts, Value tiles,
                                   ArrayRef<std::pair<Value, Value>> moves) {
  constexpr unsigned placeBits = 16;
  Type i32 = w.b.getI32Type(), i64 = w.b.getI64Type();
  Type indexType = w.b.getIndexType();
  SortBlock block(w, kThreads, kTileSteps, i32);
  // Keys are asked for twice, the second time in another order.
  Value chip;
  if (order.getKeyBits() > 1 &&
      order.getKeyBits() <= 8 * getStagedBytes(kernel::DeviceAttr::get(sort)))
    chip = w.createLocal({tileElements}, order.key);
  // Where an element goes, less its place in the sorted tile.
  Value offsets = w.createLocal({by.getCount()}, i64);
  // What is beyond the end stays there: its digit is the last one.
  block.forPlaces([&](Value place) {
    Value key = w.load(keys, tile.getNearest(w, place));
    if (chip)
      w.put(key, chip, place);
    Value word = w.getWord(key);
    Value digit = by.get(w, word);
    digit =
        w.select(w.isLess(place, tile.rest), digit, w.index(by.getCount() - 1));
    Value upper =
        w.mul(w.convert(digit, i32), w.number(i32, int64_t(1) << placeBits));
    block.setWord(place, w.add(upper, w.convert(place, i32)));
  });
  for (unsigned bit = 0; bit < by.bits; bit += SortBlock::digitBits)
    block.sort([&](Value word) {
      return w.getDigit(word, w.number(i32, placeBits + bit),
                        SortBlock::digitBits);
    });
  auto getDigit = [&](Value word) {
    return w.getDigit(word, w.number(i32, placeBits), by.bits);
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
  Digit by{shift, pass.bits};
  if (isDevice) {
    writeTileScatter(w, tile, keys, by, from, tiles, moves);
  } else {
    Value own = w.createLocal({by.getCount()}, w.b.getI64Type());
    w.forOrdered(w.index(0), w.index(by.getCount()), [&](Value digit) {
      w.put(w.load(from, w.add(w.mul(digit, tiles), tile.number)), own, digit);
    });
    moveInOrder(
        w, own,
        [&](Value at) { return by.get(w, w.getWord(w.load(keys, at))); },
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
  SmallVector<unsigned> digitBits = getDigitBits();
  unsigned passes = digitBits.size(), firstBit = 0;
  auto index = [&](int64_t value) {
    return arith::ConstantIndexOp::create(host, loc, value).getResult();
  };
  Pass pass;
  pass.anchor = anchor;
  pass.tiles = host.createOrFold<arith::CeilDivUIOp>(
      loc, getSize(host, extents.back()), index(tileElements));
  pass.from = SmallVector<Value>(sort.getArrays());
  for (unsigned number = 0; number < passes; ++number) {
    pass.bits = digitBits[number];
    pass.total = host.createOrFold<arith::MulIOp>(loc, pass.tiles,
                                                  index(pass.getDigits()));
    pass.shift =
        arith::ConstantIntOp::create(host, loc, firstBit, order.getWordBits());
    firstBit += pass.bits;
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
