//===- SortBlock.cpp - Sorts within a block of threads --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SortBlock.h"

#include "arrc/Support/Combiner.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc;

/// Rows of counts: digit d and digit d + kRows are in row d.
static constexpr int64_t kRows = int64_t(1) << (SortBlock::digitBits - 1);
/// Banks of memory on chip.
static constexpr int64_t kBanks = 32;

/// Numbers of a row of counts, with gaps: a multiple of the banks.
static int64_t getPitch(int64_t threads) {
  return llvm::alignTo(threads + threads / kBanks, kBanks);
}

SortBlock::SortBlock(SortWriter &writer, int64_t threads, int64_t steps,
                     Type word)
    : w(writer), threads(threads), steps(steps) {
  Type i32 = w.b.getI32Type();
  words = w.createLocal({threads * (steps + 1)}, word);
  counts = w.createLocal({kRows * getPitch(threads)}, i32);
  ownWords = w.createLocal({threads, steps}, word);
  ownPlaces = w.createLocal({threads, steps}, i32);
}

Value SortBlock::pad(Value place) {
  return w.add(place, w.shiftRight(place, llvm::Log2_64(steps)));
}

Value SortBlock::padColumn(Value x) {
  return w.add(x, w.shiftRight(x, llvm::Log2_64(kBanks)));
}

void SortBlock::forPlaces(function_ref<void(Value)> body) {
  w.forThreads(threads, [&](Value x) {
    w.forSteps(steps,
               [&](Value k) { body(w.add(w.mul(k, w.index(threads)), x)); });
  });
}

Value SortBlock::getWord(Value place, Value mask) {
  return w.get(words, pad(place), mask);
}

void SortBlock::setWord(Value place, Value word) {
  w.put(word, words, pad(place));
}

void SortBlock::sort(function_ref<Value(Value)> getDigit) {
  Type i32 = w.b.getI32Type(), indexType = w.b.getIndexType();
  int64_t pitch = getPitch(threads);
  auto mask = [&](Value x, int64_t ones) {
    return arith::AndIOp::create(w.b, w.loc, x, w.number(i32, ones));
  };
  auto shift = [&](Value x, Value by) {
    return arith::ShRUIOp::create(w.b, w.loc, x, by);
  };
  // The bit at which the half of a digit begins.
  auto getHalf = [&](Value upper) { return w.mul(upper, w.number(i32, 16)); };
  w.forThreads(threads, [&](Value x) {
    Value column = padColumn(x);
    for (int64_t row = 0; row < kRows; ++row)
      w.put(w.number(i32, 0), counts, w.add(w.index(row * pitch), column));
    Value first = w.mul(x, w.index(steps + 1));
    for (int64_t k = 0; k < steps; ++k) {
      Value word = w.get(words, w.add(first, w.index(k)));
      Value digit = w.convert(getDigit(word), i32);
      Value upper = w.shiftRight(digit, SortBlock::digitBits - 1);
      Value half = getHalf(upper);
      Value at = w.add(
          w.mul(w.convert(mask(digit, kRows - 1), indexType), w.index(pitch)),
          column);
      Value count = w.get(counts, at);
      Value one = arith::ShLIOp::create(w.b, w.loc, w.number(i32, 1), half);
      w.put(w.add(count, one), counts, at);
      Value before = mask(shift(count, half), 0xffff);
      w.put(word, ownWords, {x, w.index(k)});
      // All in one number.
      Value own = w.add(w.mul(w.convert(at, i32), w.number(i32, 2)), upper);
      own = w.add(w.mul(own, w.number(i32, steps)), before);
      w.put(own, ownPlaces, {x, w.index(k)});
    }
  });
  Value zero = w.number(i32, 0), total;
  {
    OpBuilder::InsertionGuard guard(w.b);
    auto scan = kernel::ForOp::create(
        w.b, w.loc, "scan", w.b.getIndexAttr(threads), kernel::ForKind::Scan,
        zero,
        kernel::LevelAttr::get(w.b.getContext(), kernel::LevelKind::Thread, 0));
    total = scan.getResult(0);
    CombinerOperator by{w.b.getStringAttr("arith.addi")};
    buildCombiner(w.b, w.loc, scan.getCombiner(), i32, by,
                  kernel::YieldOp::getOperationName());
    w.b.setInsertionPointToStart(scan.getBodyBlock());
    // Eight numbers of one row.
    Value first = w.mul(scan.getInductionVar(), w.index(kRows));
    Value row = w.shiftRight(first, llvm::Log2_64(threads));
    Value column =
        arith::AndIOp::create(w.b, w.loc, first, w.index(threads - 1));
    first = w.add(w.mul(row, w.index(pitch)), padColumn(column));
    SmallVector<Value> own;
    Value sum = zero;
    for (int64_t k = 0; k < kRows; ++k) {
      own.push_back(w.get(counts, w.add(first, w.index(k))));
      sum = w.add(sum, own.back());
    }
    Value running =
        kernel::PrefixOp::create(w.b, w.loc, i32, sum, /*exclusive=*/true)
            .getResult(0);
    for (int64_t k = 0; k < kRows; ++k) {
      w.put(running, counts, w.add(first, w.index(k)));
      running = w.add(running, own[k]);
    }
  }
  Value offset = arith::ShLIOp::create(w.b, w.loc, total, w.number(i32, 16));
  w.forThreads(threads, [&](Value x) {
    for (int64_t k = 0; k < steps; ++k) {
      Value own = w.get(ownPlaces, {x, w.index(k)});
      Value before = mask(own, steps - 1);
      own = w.shiftRight(own, llvm::Log2_64(steps));
      Value half = getHalf(mask(own, 1));
      Value start = w.get(counts, w.convert(w.shiftRight(own, 1), indexType));
      start = mask(shift(w.add(start, offset), half), 0xffff);
      setWord(w.convert(w.add(start, before), indexType),
              w.get(ownWords, {x, w.index(k)}));
    }
  });
}
