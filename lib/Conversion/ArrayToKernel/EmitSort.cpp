//===- EmitSort.cpp - Launches for sorts ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What runs follows from the length of the rows:
//
//   up to 32     each element counts how many come before it: one launch, which
//                is planned like any other; on a device rows of up to 5
//   some 1000    on a device a network sorts rows in registers (SortNetwork.h);
//                on the CPU a row is a task's, for all passes
//   longer       radix sort, least significant digit first, eight bits a pass
//                (nine where these are fewer), each of three launches:
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
// writes them in that order: runs in memory. A block sorts a row so where a
// network would need two integers for an element. On the CPU a task goes
// through its tile in order and counts.
//
// Reference: Zagha, Blelloch, Radix sort for vector multiprocessors, 1991.
//
//===----------------------------------------------------------------------===//

#include "EmitSort.h"

#include "SortBlock.h"
#include "SortEmitter.h"

#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc;

/// What is known of the keys of `sort`.
static SortOrder getOrder(array::SortOp sort) {
  SortOrder order{sort.getKeyType(), sort.getIsUnsigned()};
  if (auto bits = sort->getAttrOfType<IntegerAttr>(kKeyBitsAttr))
    order.knownBits = bits.getInt();
  if (auto least = sort->getAttrOfType<IntegerAttr>(kLeastKeyAttr))
    order.least = least.getValue().getSExtValue();
  return order;
}

SortEmitter::SortEmitter(array::SortOp sort, HostSizes &sizes)
    : sort(sort), sizes(sizes), loc(sort.getLoc()), order(getOrder(sort)),
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

SmallVector<std::pair<Value, Value>> SortEmitter::captureMoves(SortWriter &w) {
  SmallVector<std::pair<Value, Value>> moves;
  for (auto [number, out] : llvm::zip(used, outs))
    moves.push_back(
        {w.frame.captureArray(sort.getArrays()[number]), w.frame.addOut(out)});
  return moves;
}

//===----------------------------------------------------------------------===//
// Short rows
//===----------------------------------------------------------------------===//

void SortEmitter::emitByRank(Operation *anchor) {
  SortWriter w = createWriter(anchor);
  Value keys = w.frame.captureArray(sort.getKeys());
  SmallVector<std::pair<Value, Value>> moves = captureMoves(w);
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

void SortEmitter::emitBlockRows(Operation *anchor) {
  OpBuilder host(anchor);
  Value once = arith::ConstantIndexOp::create(host, loc, 1);
  SortWriter w = createWriter(anchor);
  Value keys = w.frame.captureArray(sort.getKeys());
  SmallVector<std::pair<Value, Value>> moves = captureMoves(w);
  w.openRows();
  // A single row is a block, too.
  w.openTiles(once);
  Type i16 = w.b.getI16Type(), indexType = w.b.getIndexType();
  Value chip = w.createLocal({kThreads * kRowSteps}, w.getWordType());
  SortBlock block(w, kThreads, kRowSteps, i16);
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

SmallVector<unsigned> SortEmitter::getDigitBits() const {
  unsigned bits = order.getBits();
  unsigned passes = llvm::divideCeil(bits, kMostDigitBits);
  SmallVector<unsigned> all;
  for (unsigned pass = 0; pass < passes; ++pass)
    all.push_back(bits * (pass + 1) / passes - bits * pass / passes);
  return all;
}

void SortEmitter::emitTaskRows(Operation *anchor) {
  SmallVector<unsigned> digitBits = getDigitBits();
  unsigned passes = digitBits.size();
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
  // All passes have about as many digits.
  unsigned most = *llvm::max_element(digitBits);
  Value starts = w.createLocal({int64_t(1) << most}, i64);
  Value zero = w.index(0), none = w.number(i64, 0), one = w.number(i64, 1);
  unsigned firstBit = 0;
  for (unsigned pass = 0; pass < passes; ++pass) {
    Digit by{w.number(w.getWordType(), firstBit), digitBits[pass]};
    firstBit += by.bits;
    ArrayRef<Value> to = (passes - 1 - pass) % 2 ? spares : results;
    auto getDigit = [&](Value at) {
      return by.get(w, w.getWord(w.load(from.front(), at)));
    };
    w.forOrdered(zero, w.index(by.getCount()),
                 [&](Value digit) { w.put(none, starts, digit); });
    w.forOrdered(zero, w.length, [&](Value at) {
      Value digit = getDigit(at);
      w.put(w.add(w.get(starts, digit), one), starts, digit);
    });
    auto scan = scf::ForOp::create(w.b, loc, zero, w.index(by.getCount()),
                                   w.index(1), none);
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
// The choice
//===----------------------------------------------------------------------===//

void SortEmitter::emitChoice(ArrayRef<Choice> choices, Operation *anchor) {
  OpBuilder b(anchor);
  const Choice &first = choices.front();
  std::optional<int64_t> length = getConstantIntValue(extents.back());
  if (choices.size() == 1 || (length && *length <= first.longest)) {
    return first.emit(anchor);
  }
  if (length)
    return emitChoice(choices.drop_front(), anchor);
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
  emitInto(branch.thenBlock(), first.emit);
  emitInto(branch.elseBlock(),
           [&](Operation *yield) { emitChoice(choices.drop_front(), yield); });
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
  SmallVector<Choice> choices;
  auto choose = [&](int64_t longest, auto emit) {
    choices.push_back(
        {longest, [this, emit](Operation *at) { (this->*emit)(at); }});
  };
  choose(isDevice ? kShortDeviceRow : kShortRow, &SortEmitter::emitByRank);
  if (isDevice) {
    for (const RowNetwork &network : getNetworks())
      choices.push_back({network.getLongest(), [this, network](Operation *at) {
                           emitNetworkRows(at, network);
                         }});
    if (choices.back().longest < kThreads * kRowSteps)
      choose(kThreads * kRowSteps, &SortEmitter::emitBlockRows);
  } else {
    choose(kTaskElements, &SortEmitter::emitTaskRows);
  }
  choose(any, &SortEmitter::emitPasses);
  emitChoice(choices, sort);
  for (auto [number, result] : llvm::zip(used, made)) {
    sizes.set(result, extents);
    Value old = sort.getResults()[number], sorted = result;
    // More may be known of the size than its type says.
    if (old.getType() != sorted.getType()) {
      OpBuilder at(sort);
      sorted = tensor::CastOp::create(at, sort.getLoc(), old.getType(), sorted);
      sizes.set(sorted, extents);
    }
    old.replaceAllUsesWith(sorted);
  }
  sort.erase();
}

void arrc::convertSort(array::SortOp sort, HostSizes &sizes) {
  SortEmitter(sort, sizes).run();
}
