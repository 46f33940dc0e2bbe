//===- SegmentValues.cpp - Numbers, copies and loops of segments ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SegmentWriter.h"

#include "arrc/Support/Combiner.h"
#include "arrc/Support/StoredBytes.h"

#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

int64_t arrc::kernel::getSegmentItems(const Segments &segments, int64_t threads,
                                      DeviceAttr device) {
  // Several blocks share a multiprocessor, and scans need some memory, too. Odd
  // numbers of neighbours lie in different banks.
  int64_t mostBytes = std::min<int64_t>(
      device.getInteger("shared_bytes", 0) - (8 << 10), 40 << 10);
  // All values of a thread are on their way together.
  constexpr int64_t mostLoads = 40;
  ForOp fold = segments.fold;
  TypeRange types = fold.getResultTypes();
  int64_t loads = 0;
  fold.getBody().walk([&](LoadOp) { ++loads; });
  int64_t own = 0;
  for (Type type : types)
    own += llvm::alignTo(getStoredBytes(type), 4);
  int64_t rows = kSegmentRows * 4 + 8 + own;
  for (int64_t items : {21, 13, 9, 7, 5, 3})
    if (threads * (items * own + rows) <= mostBytes &&
        (items * loads <= mostLoads || items == 3))
      return items;
  return 0;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

Value SegmentWriter::copy(Value value, IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || !rows->isProperAncestor(op))
    return value;
  for (Value operand : op->getOperands())
    (void)copy(operand, mapping);
  b.clone(*op, mapping);
  return mapping.lookup(value);
}

Value SegmentWriter::at(Value value, Value row, IRMapping &mapping) {
  mapping.map(rows.getInductionVar(), row);
  return copy(value, mapping);
}

Value SegmentWriter::wordAt(Value value, Value row) {
  IRMapping mapping;
  return toWord(at(value, toIndex(row), mapping));
}

Value SegmentWriter::endAt(Value row) {
  return add(sub(wordAt(segments.high, row), begin), row);
}

void SegmentWriter::mapPosition(Value position, IRMapping &mapping) {
  // Only the sum of both matters.
  mapping.map(fold.getInductionVar(), position);
  for (Value low : segments.lows)
    mapping.map(low, low.getType().isIndex() ? index(0)
                                             : arith::ConstantIntOp::create(
                                                   b, loc, low.getType(), 0)
                                                   .getResult());
  // What is computed for each row and is the same for all.
  mapping.map(rows.getInductionVar(), index(0));
}

SegmentWriter::Values SegmentWriter::valuesAt(Value position, Value &isRight) {
  IRMapping mapping;
  mapPosition(position, mapping);
  for (Value condition : segments.endConditions)
    mapping.map(condition, truth(true));
  for (Operation &op : fold.getBodyBlock()->without_terminator()) {
    if (isa<CheckOp>(op) || (op.getNumResults() == 1 &&
                             segments.endConditions.contains(op.getResult(0))))
      continue;
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!fold->isProperAncestor(operand.getParentRegion()->getParentOp()) &&
            operand.getParentRegion()->getParentOp() != fold)
          (void)copy(operand, mapping);
    });
    b.clone(op, mapping);
  }
  isRight = truth(true);
  for (Value condition : segments.conditions)
    isRight = both(isRight, copy(condition, mapping));
  Values own;
  for (Value value : fold.getYield().getValues())
    own.push_back(copy(value, mapping));
  return own;
}

Value SegmentWriter::endConditionsAt(Value position) {
  IRMapping mapping;
  mapPosition(toIndex(position), mapping);
  Value all = truth(true);
  for (Value condition : segments.endConditions)
    all = both(all, copy(condition, mapping));
  return all;
}

void SegmentWriter::cloneRest(Value row, ValueRange values) {
  IRMapping mapping;
  mapping.map(rows.getInductionVar(), toIndex(row));
  for (Operation &op : rows.getBodyBlock()->without_terminator()) {
    if (isa<CheckOp>(op))
      continue;
    if (&op != fold) {
      b.clone(op, mapping);
      continue;
    }
    Values seeds;
    for (Value seed : fold.getSeeds())
      seeds.push_back(copy(seed, mapping));
    Values all = startsNeutral ? Values(values) : join(seeds, values);
    mapping.map(fold.getResults(), all);
  }
}

SegmentWriter::Values SegmentWriter::join(ValueRange x, ValueRange y) {
  return inlineCombiner(b, fold.getCombiner(), x, y);
}

SegmentWriter::Values SegmentWriter::joinParts(ValueRange x, Value hasEnd,
                                               ValueRange y) {
  return select(hasEnd, y, join(x, y));
}

void SegmentWriter::buildPartCombiner(ForOp scan, int64_t none) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Type> all(scan.getResultTypes());
  llvm::append_range(all, scan.getResultTypes());
  Block *operation = b.createBlock(&scan.getCombiner(), {}, all,
                                   SmallVector<Location>(all.size(), loc));
  size_t count = types.size() + 1;
  ValueRange x = operation->getArguments().take_front(count),
             y = operation->getArguments().drop_front(count);
  Values next = {add(x[0], y[0])};
  llvm::append_range(next, joinParts(x.drop_front(), isLess(half(none), y[0]),
                                     y.drop_front()));
  YieldOp::create(b, loc, next);
}

//===----------------------------------------------------------------------===//
// Loops and arrays on chip
//===----------------------------------------------------------------------===//

ForOp SegmentWriter::createLoop(const Twine &dim, OpFoldResult extent,
                                ForKind kind, ValueRange seeds,
                                LevelKind level) {
  return ForOp::create(b, loc, dim.str(), extent, kind, seeds,
                       LevelAttr::get(b.getContext(), level, 0));
}

void SegmentWriter::forThreads(StringRef suffix, Body body) {
  OpBuilder::InsertionGuard guard(b);
  ForOp loop = createLoop(name + suffix, b.getIndexAttr(threads),
                          ForKind::Parallel, {}, LevelKind::Thread);
  b.setInsertionPoint(loop.getBodyBlock()->getTerminator());
  body(loop.getInductionVar());
}

ForOp SegmentWriter::createAll(const Twine &dim, int64_t extent,
                               LevelKind level,
                               function_ref<Value(Value)> body) {
  ForOp loop = createLoop(dim, b.getIndexAttr(extent), ForKind::Reduce,
                          truth(true), level);
  CombinerOperator all{b.getStringAttr("arith.andi")};
  buildCombiner(b, loc, loop.getCombiner(), b.getI1Type(), all,
                YieldOp::getOperationName());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(loop.getBodyBlock());
  Value holds = body(loop.getInductionVar());
  YieldOp::create(b, loc, holds);
  return loop;
}

Value SegmentWriter::allThreads(StringRef suffix,
                                function_ref<Value(Value)> body) {
  return createAll(name + suffix, threads, LevelKind::Thread, body)
      .getResult(0);
}

void SegmentWriter::ifTrue(Value condition, function_ref<void()> body) {
  OpBuilder::InsertionGuard guard(b);
  auto branch = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  b.setInsertionPoint(branch.thenYield());
  body();
}

void SegmentWriter::ifElse(Value condition, function_ref<void()> yes,
                           function_ref<void()> no) {
  OpBuilder::InsertionGuard guard(b);
  auto branch = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/true);
  b.setInsertionPoint(branch.thenYield());
  yes();
  b.setInsertionPoint(branch.elseYield());
  no();
}

Value SegmentWriter::createLocal(int64_t count, Type type) {
  return LocalOp::create(b, loc, MemRefType::get({count}, type), ValueRange(),
                         StringAttr());
}

SegmentWriter::Values SegmentWriter::createLocals(int64_t count) {
  Values locals;
  for (Type type : types)
    locals.push_back(createLocal(count, type));
  return locals;
}

Value SegmentWriter::get(Value local, Value index) {
  return LoadOp::create(b, loc, local, index);
}

SegmentWriter::Values SegmentWriter::get(ArrayRef<Value> locals, Value index) {
  Values all;
  for (Value local : locals)
    all.push_back(get(local, index));
  return all;
}

void SegmentWriter::put(Value value, Value local, Value index, Value mask) {
  StoreOp::create(b, loc, value, local, index, mask);
}

void SegmentWriter::put(ValueRange values, ArrayRef<Value> locals, Value index,
                        Value mask) {
  for (auto [value, local] : llvm::zip(values, locals))
    put(value, local, index, mask);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value SegmentWriter::word(int64_t value) {
  return arith::ConstantIntOp::create(b, loc, value, 64);
}

Value SegmentWriter::half(int64_t value) {
  return arith::ConstantIntOp::create(b, loc, value, 32);
}

Value SegmentWriter::truth(bool value) {
  return arith::ConstantIntOp::create(b, loc, value, 1);
}

Value SegmentWriter::toIndex(Value value) {
  return value.getType().isIndex()
             ? value
             : arith::IndexCastOp::create(b, loc, b.getIndexType(), value)
                   .getResult();
}

Value SegmentWriter::toWord(Value value) {
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), value);
  return value.getType().isInteger(64)
             ? value
             : arith::ExtSIOp::create(b, loc, b.getI64Type(), value)
                   .getResult();
}

Value SegmentWriter::toHalf(Value value) {
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(b, loc, b.getI32Type(), value);
  return value.getType().isInteger(32)
             ? value
             : arith::TruncIOp::create(b, loc, b.getI32Type(), value)
                   .getResult();
}

Value SegmentWriter::most(Value x, Value y) {
  return arith::MaxSIOp::create(b, loc, x, y);
}

Value SegmentWriter::ceilDiv(Value x, Value y) {
  return arith::CeilDivUIOp::create(b, loc, x, y);
}

Value SegmentWriter::isLess(Value x, Value y) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, x, y);
}

Value SegmentWriter::isAtMost(Value x, Value y) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, x, y);
}

SegmentWriter::Values SegmentWriter::select(Value condition, ValueRange x,
                                            ValueRange y) {
  Values all;
  for (auto [first, second] : llvm::zip(x, y))
    all.push_back(select(condition, first, second));
  return all;
}
