//===- SortNetwork.cpp - Rows sorted by comparisons in registers ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SortNetwork.h"

#include "arrc/Support/MergeExchange.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace arrc;

SortNetwork::SortNetwork(SortWriter &writer, Shape shape, Value rowBits,
                         ArrayRef<Type> parts)
    : w(writer), shape(shape), rowBits(rowBits) {
  for (Type part : parts) {
    chips.push_back(w.createLocal({shape.getRoom()}, part));
    keeps.push_back(
        w.createLocal({shape.getThreads(), int64_t(1) << shape.ownBits}, part));
  }
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

void SortNetwork::forSlots(function_ref<void(ArrayRef<Slot>)> body) {
  // Slots x, x + threads, ..: which row they are in, and where it begins, is
  // the same for all threads.
  Type i32 = w.b.getI32Type(), indexType = w.b.getIndexType();
  Value bits = w.sub(rowBits, w.number(i32, shape.threadBits));
  Value ones = w.number(i32, 1);
  ones = w.sub(arith::ShLIOp::create(w.b, w.loc, ones, bits), ones);
  w.forThreads(shape.getThreads(), [&](Value x) {
    Value first = w.add(x, w.shiftRight(x, shape.ownBits));
    SmallVector<Slot> slots;
    for (int64_t step = 0; step < int64_t(1) << shape.ownBits; ++step) {
      Value number = w.number(i32, step);
      Value row = arith::ShRUIOp::create(w.b, w.loc, number, bits);
      Value start = w.shiftLeft(w.both(number, ones), shape.threadBits);
      // The thread and the step have different bits of the slot.
      int64_t offset = pad(step << shape.threadBits);
      slots.push_back({row, w.add(x, w.convert(start, indexType)),
                       w.add(first, w.index(offset))});
    }
    body(slots);
  });
}

SortNetwork::Number SortNetwork::get(Value at) {
  Number number;
  for (Value chip : chips)
    number.push_back(w.get(chip, at));
  return number;
}

void SortNetwork::put(ArrayRef<Value> number, Value at) {
  for (auto [part, chip] : llvm::zip(number, chips))
    w.put(part, chip, at);
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

void SortNetwork::exchange(Number &low, Number &high) {
  if (low.size() == 1) {
    Value x = low[0], y = high[0];
    // A comparison and a choice of 64 bits are one each; of 32 bits the lesser
    // and the greater number are.
    if (x.getType().isInteger(32)) {
      low[0] = arith::MinUIOp::create(w.b, w.loc, x, y);
      high[0] = arith::MaxUIOp::create(w.b, w.loc, x, y);
      return;
    }
  }
  Value swap;
  for (auto [x, y] : llvm::reverse(llvm::zip_equal(low, high))) {
    Value less = w.isLess(y, x);
    swap = swap ? w.either(less, w.both(w.isEqual(x, y), swap)) : less;
  }
  for (auto [x, y] : llvm::zip_equal(low, high)) {
    Value least = w.select(swap, y, x);
    y = w.select(swap, x, y);
    x = least;
  }
}

void SortNetwork::compareByBit(Numbers &numbers, unsigned bit) {
  size_t distance = size_t(1) << bit;
  for (size_t i = 0; i < numbers.size(); ++i)
    if (!(i & distance))
      exchange(numbers[i], numbers[i + distance]);
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

void SortNetwork::forOwn(unsigned lowest, bool turns,
                         function_ref<void(Numbers &)> body) {
  int64_t count = int64_t(1) << shape.ownBits;
  int64_t below = (int64_t(1) << lowest) - 1;
  // Where the thread's slot is whose own bits are 0.
  auto getFirst = [&](Value x, Value low) {
    Value high = w.shiftLeft(w.shiftRight(x, lowest), lowest + shape.ownBits);
    Value slot = w.add(low, high);
    return w.add(slot, w.shiftRight(slot, shape.ownBits));
  };
  auto getPlace = [&](Value first, int64_t own) {
    return w.add(first, w.index(pad(own << lowest)));
  };
  auto putAll = [&](Value first, Numbers &numbers) {
    for (auto [own, number] : llvm::enumerate(numbers))
      put(number, getPlace(first, own));
  };
  w.forThreads(shape.getThreads(), [&](Value x) {
    Value low = w.both(x, w.index(below));
    Value first = getFirst(x, low), second = first;
    if (turns)
      second =
          getFirst(x, arith::XOrIOp::create(w.b, w.loc, low, w.index(below)));
    Numbers numbers;
    for (int64_t own = 0; own < count; ++own) {
      bool isSecond = turns && own >= count / 2;
      numbers.push_back(get(getPlace(isSecond ? second : first,
                                     isSecond ? own ^ (count / 2 - 1) : own)));
    }
    body(numbers);
    if (!turns)
      return putAll(first, numbers);
    for (auto [own, number] : llvm::enumerate(numbers))
      for (auto [part, kept] : llvm::zip(number, keeps))
        w.put(part, kept, {x, w.index(own)});
  });
  if (!turns)
    return;
  w.forThreads(shape.getThreads(), [&](Value x) {
    Numbers numbers(count);
    for (auto [own, number] : llvm::enumerate(numbers))
      for (Value kept : keeps)
        number.push_back(w.get(kept, {x, w.index(own)}));
    putAll(getFirst(x, w.both(x, w.index(below))), numbers);
  });
}

void SortNetwork::merge(unsigned bits) {
  unsigned own = shape.ownBits, high = bits;
  for (; high > own; high -= own)
    forOwn(high - own, /*turns=*/high == bits, [&](Numbers &numbers) {
      for (unsigned bit = own; bit-- > 0;)
        compareByBit(numbers, bit);
    });
  forOwn(0, /*turns=*/false, [&](Numbers &numbers) {
    for (unsigned bit = high; bit-- > 0;)
      compareByBit(numbers, bit);
  });
}

void SortNetwork::run() {
  forOwn(0, /*turns=*/false, [&](Numbers &numbers) {
    forMergeExchange(numbers.size(), [&](size_t low, size_t high) {
      exchange(numbers[low], numbers[high]);
    });
  });
  std::optional<int64_t> known = getConstantIntValue(rowBits);
  for (unsigned bits = shape.ownBits + 1; bits <= shape.mostBits; ++bits) {
    OpBuilder::InsertionGuard guard(w.b);
    if (known ? bits > *known : bits > shape.getLeastBits()) {
      if (known)
        break;
      Value isLong =
          arith::CmpIOp::create(w.b, w.loc, arith::CmpIPredicate::sge, rowBits,
                                w.number(rowBits.getType(), bits));
      auto branch = scf::IfOp::create(w.b, w.loc, isLong);
      w.b.setInsertionPointToStart(branch.thenBlock());
    }
    merge(bits);
  }
}
