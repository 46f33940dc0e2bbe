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

static constexpr int64_t kDigits = int64_t(1) << SortBlock::digitBits;

SortBlock::SortBlock(SortWriter &writer, int64_t threads, int64_t steps,
                     Type word)
    : w(writer), threads(threads), steps(steps) {
  words = w.createLocal({threads * (steps + 1)}, word);
  // A place among the counts and a number below `steps` fit 32 bits.
  counts = w.createLocal({threads * (kDigits + 1)}, w.b.getI16Type());
  ownWords = w.createLocal({threads, steps}, word);
  ownPlaces = w.createLocal({threads, steps}, w.b.getI32Type());
}

Value SortBlock::pad(Value place, int64_t part) {
  Value gaps =
      arith::ShRUIOp::create(w.b, w.loc, place, w.index(llvm::Log2_64(part)));
  return w.add(place, gaps);
}

void SortBlock::forPlaces(function_ref<void(Value)> body) {
  w.forThreads(threads, [&](Value x) {
    w.forSteps(steps,
               [&](Value k) { body(w.add(w.mul(k, w.index(threads)), x)); });
  });
}

Value SortBlock::getWord(Value place, Value mask) {
  return w.get(words, pad(place, steps), mask);
}

void SortBlock::setWord(Value place, Value word) {
  w.put(word, words, pad(place, steps));
}

void SortBlock::sort(function_ref<Value(Value)> getDigit) {
  Type i16 = w.b.getI16Type(), i32 = w.b.getI32Type();
  Type indexType = w.b.getIndexType();
  Value one = w.number(i16, 1);
  w.forThreads(threads, [&](Value x) {
    for (int64_t d = 0; d < kDigits; ++d)
      w.put(w.number(i16, 0), counts,
            pad(w.add(w.index(d * threads), x), kDigits));
    Value first = w.mul(x, w.index(steps + 1));
    for (int64_t k = 0; k < steps; ++k) {
      Value word = w.get(words, w.add(first, w.index(k)));
      Value place = w.mul(getDigit(word), w.index(threads));
      place = pad(w.add(place, x), kDigits);
      Value before = w.get(counts, place);
      w.put(w.add(before, one), counts, place);
      w.put(word, ownWords, {x, w.index(k)});
      // Both in one number.
      Value own = w.mul(w.convert(place, i32), w.number(i32, steps));
      w.put(w.add(own, w.convert(before, i32)), ownPlaces, {x, w.index(k)});
    }
  });
  Value zero = w.number(i32, 0);
  {
    OpBuilder::InsertionGuard guard(w.b);
    auto scan = kernel::ForOp::create(
        w.b, w.loc, "scan", w.b.getIndexAttr(threads), kernel::ForKind::Scan,
        zero,
        kernel::LevelAttr::get(w.b.getContext(), kernel::LevelKind::Thread, 0));
    CombinerOperator by{w.b.getStringAttr("arith.addi")};
    buildCombiner(w.b, w.loc, scan.getCombiner(), i32, by,
                  kernel::YieldOp::getOperationName());
    w.b.setInsertionPointToStart(scan.getBodyBlock());
    Value first = w.mul(scan.getInductionVar(), w.index(kDigits + 1));
    SmallVector<Value> own;
    Value sum = zero;
    for (int64_t d = 0; d < kDigits; ++d) {
      own.push_back(w.convert(w.get(counts, w.add(first, w.index(d))), i32));
      sum = w.add(sum, own.back());
    }
    Value running =
        kernel::PrefixOp::create(w.b, w.loc, i32, sum, /*exclusive=*/true)
            .getResult(0);
    for (int64_t d = 0; d < kDigits; ++d) {
      w.put(w.convert(running, i16), counts, w.add(first, w.index(d)));
      running = w.add(running, own[d]);
    }
  }
  w.forThreads(threads, [&](Value x) {
    for (int64_t k = 0; k < steps; ++k) {
      Value own = w.get(ownPlaces, {x, w.index(k)});
      Value before =
          arith::AndIOp::create(w.b, w.loc, own, w.number(i32, steps - 1));
      Value place = arith::ShRUIOp::create(w.b, w.loc, own,
                                           w.number(i32, llvm::Log2_64(steps)));
      Value start = w.get(counts, w.convert(place, indexType));
      Value to = w.add(w.convert(start, i32), before);
      setWord(w.convert(to, indexType), w.get(ownWords, {x, w.index(k)}));
    }
  });
}
