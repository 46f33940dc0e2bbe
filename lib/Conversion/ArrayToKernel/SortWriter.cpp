//===- SortWriter.cpp - One launch of a sort while it is written ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SortWriter.h"

#include "arrc/Dialect/Array/IR/SortWords.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace arrc;

SortWriter::SortWriter(Operation *anchor, HostSizes &sizes, SortOrder order,
                       ArrayRef<OpFoldResult> extents)
    : ScalarWriter(b, anchor->getLoc()), frame(anchor, sizes),
      b(anchor->getContext()), loc(anchor->getLoc()), order(order) {
  b.setInsertionPoint(frame.getBody().getTerminator());
  for (OpFoldResult extent : extents)
    if (auto value = dyn_cast<Value>(extent))
      this->extents.push_back(frame.captureScalar(value));
    else
      this->extents.push_back(extent);
  length = getExtent(extents.size() - 1);
}

Value SortWriter::getExtent(unsigned dim) {
  if (auto value = dyn_cast<Value>(extents[dim]))
    return value;
  return index(*getConstantIntValue(extents[dim]));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Value SortWriter::openRow(unsigned dim, OpFoldResult extent,
                          kernel::LevelAttr level) {
  auto loop =
      kernel::ForOp::create(b, loc, "row" + std::to_string(dim), extent,
                            kernel::ForKind::Parallel, ValueRange(), level);
  b.setInsertionPointToStart(loop.getBodyBlock());
  return loop.getInductionVar();
}

void SortWriter::openRows(bool isPlanned) {
  unsigned count = extents.size() - 1;
  for (unsigned d = 0; d < count; ++d)
    rows.push_back(
        openRow(d, extents[d],
                isPlanned ? kernel::LevelAttr()
                          : getLevel(kernel::LevelKind::Block, count - d)));
}

Value SortWriter::openRowGroups(int64_t size) {
  unsigned count = extents.size() - 1;
  if (count == 0)
    return {};
  for (unsigned d = 0; d + 1 < count; ++d)
    rows.push_back(
        openRow(d, extents[d], getLevel(kernel::LevelKind::Block, count - d)));
  OpFoldResult groups;
  if (std::optional<int64_t> known = getConstantIntValue(extents[count - 1])) {
    groups = b.getIndexAttr(llvm::divideCeil(*known, size));
  } else {
    // Known in front of all loops.
    OpBuilder head(b.getContext());
    head.setInsertionPointToStart(&frame.getBody());
    Value by = arith::ConstantIndexOp::create(head, loc, size);
    groups = arith::CeilDivSIOp::create(head, loc, getExtent(count - 1), by)
                 .getResult();
  }
  Value group =
      openRow(count - 1, groups, getLevel(kernel::LevelKind::Block, 1));
  return mul(group, index(size));
}

Value SortWriter::openTiles(Value extent) {
  auto loop = kernel::ForOp::create(b, loc, "tile", frame.captureScalar(extent),
                                    kernel::ForKind::Parallel, ValueRange(),
                                    getLevel(kernel::LevelKind::Block));
  b.setInsertionPointToStart(loop.getBodyBlock());
  return loop.getInductionVar();
}

void SortWriter::forThreads(int64_t count, Body body) {
  OpBuilder::InsertionGuard guard(b);
  auto loop =
      kernel::ForOp::create(b, loc, "thread" + std::to_string(count),
                            b.getIndexAttr(count), kernel::ForKind::Parallel,
                            ValueRange(), getLevel(kernel::LevelKind::Thread));
  b.setInsertionPointToStart(loop.getBodyBlock());
  body(loop.getInductionVar());
}

void SortWriter::forSteps(int64_t count, Body body) {
  OpBuilder::InsertionGuard guard(b);
  auto loop =
      kernel::ForOp::create(b, loc, "step" + std::to_string(count),
                            b.getIndexAttr(count), kernel::ForKind::Parallel,
                            ValueRange(), getLevel(kernel::LevelKind::Unroll));
  b.setInsertionPointToStart(loop.getBodyBlock());
  body(loop.getInductionVar());
}

void SortWriter::forOrdered(Value begin, Value end, Body body) {
  OpBuilder::InsertionGuard guard(b);
  auto loop = scf::ForOp::create(b, loc, begin, end, index(1));
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

SmallVector<Value> SortWriter::inRow(ValueRange at) {
  SmallVector<Value> place(rows);
  llvm::append_range(place, at);
  return place;
}

Value SortWriter::load(Value array, ValueRange at, Value mask) {
  return get(array, inRow(at), mask);
}

void SortWriter::store(Value value, Value array, ValueRange at, Value mask) {
  put(value, array, inRow(at), mask);
}

Value SortWriter::get(Value local, ValueRange at, Value mask) {
  return kernel::LoadOp::create(b, loc, local, at, kernel::EdgesAttr(), mask);
}

void SortWriter::put(Value value, Value local, ValueRange at, Value mask) {
  kernel::StoreOp::create(b, loc, value, local, at, mask);
}

Value SortWriter::createLocal(ArrayRef<int64_t> shape, Type element) {
  return kernel::LocalOp::create(b, loc, MemRefType::get(shape, element),
                                 ValueRange(), StringAttr());
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

Value SortWriter::getWord(Value key, bool exact) {
  unsigned bits = order.getKeyBits();
  Value word = key;
  if (order.knownBits) {
    if (order.least)
      word = sub(word, number(key.getType(), order.least));
  } else {
    word = exact ? array::createExactWord(b, loc, key, order.isUnsigned)
                 : array::createSortWord(b, loc, key, order.isUnsigned);
  }
  return bits == order.getWordBits()
             ? word
             : arith::ExtUIOp::create(b, loc, getWordType(), word).getResult();
}

Value SortWriter::getKey(Value word) {
  word = convert(word, b.getIntegerType(order.getKeyBits()));
  if (!order.knownBits)
    return array::createExactKey(b, loc, word, order.key, order.isUnsigned);
  return order.least ? add(word, number(order.key, order.least)) : word;
}

Value SortWriter::getDigit(Value word, Value shift, unsigned bits) {
  Value digit = arith::ShRUIOp::create(b, loc, word, shift);
  digit = arith::AndIOp::create(
      b, loc, digit, number(word.getType(), (uint64_t(1) << bits) - 1));
  return convert(digit, b.getIndexType());
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

Value SortWriter::number(Type type, uint64_t value) {
  if (type.isIndex())
    return index(value);
  APInt bits(type.getIntOrFloatBitWidth(), value, /*isSigned=*/false,
             /*implicitTrunc=*/true);
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, bits));
}

Value SortWriter::shiftLeft(Value x, int64_t bits) {
  return arith::ShLIOp::create(b, loc, x, number(x.getType(), bits));
}

Value SortWriter::shiftRight(Value x, int64_t bits) {
  return arith::ShRUIOp::create(b, loc, x, number(x.getType(), bits));
}

Value SortWriter::isLess(Value x, Value y) {
  bool isIndex = x.getType().isIndex();
  return arith::CmpIOp::create(
      b, loc, isIndex ? arith::CmpIPredicate::slt : arith::CmpIPredicate::ult,
      x, y);
}

Value SortWriter::convert(Value value, Type type) {
  Type from = value.getType();
  if (from == type)
    return value;
  if (from.isIndex() || type.isIndex()) {
    // No number here is negative.
    return arith::IndexCastUIOp::create(b, loc, type, value);
  }
  if (from.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    return arith::ExtUIOp::create(b, loc, type, value);
  return arith::TruncIOp::create(b, loc, type, value);
}
