//===- SegmentSteps.cpp - The values of a block, tile by tile -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SegmentWriter.h"

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

SegmentWriter::Values SegmentWriter::State::get() const {
  Values all = {row, place};
  llvm::append_range(all, carry);
  return all;
}

SegmentWriter::State SegmentWriter::State::of(ValueRange values) {
  return {values[0], values[1], Values(values.drop_front(2))};
}

/// Opens `while place < stop { body }` and gives what comes behind it.
static ValueRange
createWhile(OpBuilder &b, Location loc, ValueRange start,
            function_ref<Value(ValueRange)> condition,
            function_ref<SmallVector<Value>(ValueRange)> body) {
  SmallVector<Type> types(start.getTypes());
  SmallVector<Location> locs(types.size(), loc);
  auto loop = scf::WhileOp::create(b, loc, types, start);
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&loop.getBefore(), {}, types, locs);
  scf::ConditionOp::create(b, loc, condition(before->getArguments()),
                           before->getArguments());
  Block *after = b.createBlock(&loop.getAfter(), {}, types, locs);
  scf::YieldOp::create(b, loc, body(after->getArguments()));
  return loop.getResults();
}

/// All rows of a block: as many at a time as there is room for their ends.
SegmentWriter::State SegmentWriter::createWindows(State start) {
  Values all = start.get();
  all.push_back(truth(true));
  ValueRange done = createWhile(
      b, loc, all,
      [&](ValueRange now) {
        return both(isLess(now[1], endPlace), now.back());
      },
      [&](ValueRange now) {
        State state = State::of(now.drop_back());
        Window window = openWindow(state);
        Values next(createWhile(
            b, loc, state.get(),
            [&](ValueRange now) { return isLess(now[1], window.stop); },
            [&](ValueRange now) {
              return createStep(State::of(now), window).get();
            }));
        next.push_back(window.isRight);
        return next;
      });
  return State::of(done.drop_back());
}

/// Brings the ends of the next rows on chip. What depends on their values, and
/// that they do not fall, is asked here; nothing is computed if it is not so.
SegmentWriter::Window SegmentWriter::openWindow(const State &state) {
  Window window;
  Value left = sub(endRow, state.row);
  window.base = state.place;
  window.firstRow = state.row;
  window.rows = least(left, word(rowTile));
  Value limit = word(int64_t(1) << 30);
  Value isRight = allThreads("_rows", [&](Value x) {
    auto isRow = [&](Value k) -> Value {
      Value number = add(mul(k, index(threads)), x);
      Value own = toWord(number), row = add(state.row, own);
      Value isAsked = both(isAtMost(own, window.rows), isLess(row, rowCount));
      row = most(least(row, sub(rowCount, word(1))), word(0));
      IRMapping mapping;
      Value low = sub(toWord(at(segments.low, toIndex(row), mapping)), begin);
      Value high = sub(toWord(at(segments.high, toIndex(row), mapping)), begin);
      Value end = add(high, row);
      Value isIn = isLess(own, window.rows);
      Value rest = sub(high, sub(state.place, state.row));
      rest = select(isIn, least(rest, limit), limit);
      put(toHalf(rest), ends, number);
      // The first row may have begun before, the last one go on behind.
      Value begun =
          either(isLess(word(0), own), isAtMost(add(low, row), state.place));
      Value holds = both(isAtMost(low, high), begun);
      holds = both(holds, isAtMost(state.place, end));
      holds = both(
          holds, select(isIn, isLess(end, endPlace), isAtMost(endPlace, end)));
      if (!segments.areConsecutive) {
        Value next = add(row, word(1));
        Value hasNext = isLess(next, rowCount);
        next = least(next, sub(rowCount, word(1)));
        IRMapping ofNext;
        Value nextLow =
            sub(toWord(at(segments.low, toIndex(most(next, word(0))), ofNext)),
                begin);
        holds =
            both(holds, select(hasNext, isEqual(nextLow, high), truth(true)));
      }
      for (CheckOp check : segments.rowChecks)
        holds = both(holds, at(check.getCondition(), toIndex(row), mapping));
      return select(isAsked, holds, truth(true));
    };
    return createAll(name + "_ends", rowTile / threads, LevelKind::Unroll,
                     isRow)
        .getResult(0);
  });
  Value lastRow = sub(add(state.row, window.rows), word(1));
  Value rowEnd = add(endAt(most(lastRow, word(0))), word(1));
  Value isLast = isLess(left, word(rowTile));
  Value stop = select(isLast, endPlace, rowEnd);
  window.valuesEnd = sub(sub(stop, state.row), window.rows);
  // Places within the window have 32 bits.
  isRight = both(isRight, isLess(sub(endPlace, state.place), limit));
  isRight = both(isRight, isAtMost(word(0), left));
  Value first = sub(state.place, state.row);
  Value hasValues = isLess(first, window.valuesEnd);
  Value atEnds =
      both(endConditionsAt(add(begin, first)),
           endConditionsAt(add(begin, sub(window.valuesEnd, word(1)))));
  isRight = both(isRight, select(hasValues, atEnds, truth(true)));
  window.isRight = isRight;
  window.stop = select(isRight, stop, state.place);
  return window;
}

/// The fold's values at the next places, each by one thread, in the order of
/// memory; neutral elements where the window has no more.
void SegmentWriter::computeValues(const State &state, const Window &window) {
  Value first = sub(state.place, state.row);
  Value count = sub(window.valuesEnd, first);
  Value from = toIndex(add(begin, first));
  ifElse(
      isAtMost(word(tile), count), [&] { computeTile(from, Value()); },
      [&] {
        ifElse(
            isLess(word(0), count), [&] { computeTile(from, toHalf(count)); },
            [&] {
              forTile("_none", [&](Value, Value number) {
                put(neutrals, values, number);
                return Value();
              });
            });
      });
}

/// The values of a tile from `from` on; neutral elements behind the first
/// `count` where that is given.
void SegmentWriter::computeTile(Value from, Value count) {
  forTile("_values", [&](Value x, Value number) {
    Value at = number, isIn, isRight;
    if (count) {
      // Behind the last one it is asked for again, and not taken.
      isIn = isLess(toHalf(number), count);
      at = toIndex(least(toHalf(number), sub(count, half(1))));
    }
    Values own = valuesAt(add(from, at), isRight);
    put(count ? select(isIn, own, neutrals) : own, values, number);
    return segments.conditions.empty() ? Value() : isRight;
  });
}

/// The places of a tile, several of each thread at a time. What `body` gives
/// is asked of all of them.
void SegmentWriter::forTile(StringRef suffix,
                            function_ref<Value(Value, Value)> body) {
  forThreads(suffix, [&](Value x) {
    auto getNumber = [&](Value k) { return add(mul(k, index(threads)), x); };
    if (suffix == "_values" && !segments.conditions.empty()) {
      Value isRight =
          createAll(name + "_value", items, LevelKind::Unroll, [&](Value k) {
            return body(x, getNumber(k));
          }).getResult(0);
      put(both(get(threadsRight, x), isRight), threadsRight, x);
      return;
    }
    ForOp steps = createLoop(name + "_value", b.getIndexAttr(items),
                             ForKind::Parallel, {}, LevelKind::Unroll);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(steps.getBodyBlock()->getTerminator());
    (void)body(x, getNumber(steps.getInductionVar()));
  });
}

/// Marks the values of the tile that rows end behind, a bit a value in a word a
/// thread. Each thread asks for rows from its own on; gives how many of them
/// end there.
Value SegmentWriter::markEnds(Value x, const Tile &now) {
  Value first = add(now.firstRow, toHalf(x));
  auto getEnd = [&](Value row) {
    // Behind the last row the end is far.
    Value number = toIndex(least(row, half(rowTile)));
    return sub(get(ends, number), now.base);
  };
  ValueRange found = createWhile(
      b, loc, {first, getEnd(first), half(0)},
      [&](ValueRange state) { return isAtMost(state[1], now.count); },
      [&](ValueRange state) {
        // Rows that ended with the values before have none of these.
        Value last = sub(state[1], half(1));
        Value thread = arith::DivUIOp::create(b, loc, last, half(items));
        Value bit = arith::ShLIOp::create(b, loc, half(1),
                                          sub(last, mul(thread, half(items))));
        auto mark = UpdateOp::create(b, loc, bit, marks, toIndex(thread),
                                     isLess(half(0), state[1]));
        CombinerOperator both{b.getStringAttr("arith.ori")};
        buildCombiner(b, loc, mark.getCombiner(), b.getI32Type(), both,
                      YieldOp::getOperationName());
        Value next = add(state[0], half(threads));
        return Values{next, getEnd(next), add(state[2], half(1))};
      });
  return found[2];
}

/// As many values as the threads take at a time, and the rows that end by then.
/// Each thread goes over neighbours; what rows came to before its own is found
/// by a scan.
SegmentWriter::State SegmentWriter::createStep(const State &state,
                                               const Window &window) {
  computeValues(state, window);
  Value first = sub(state.place, state.row);
  Value count = least(sub(window.valuesEnd, first), word(tile));
  // Numbers within the window are small.
  Tile now;
  now.base = toHalf(sub(first, sub(window.base, window.firstRow)));
  now.firstRow = toHalf(sub(state.row, window.firstRow));
  now.count = toHalf(count);
  forThreads("_mark", [&](Value x) { put(markEnds(x, now), ended, x); });
  Values seeds = {half(0)};
  llvm::append_range(seeds, neutrals);
  ForOp scan = createLoop(name + "_fold", b.getIndexAttr(threads),
                          ForKind::Scan, seeds, LevelKind::Thread);
  buildPartCombiner(scan, kEndsHere - 1);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(scan.getBodyBlock()->getTerminator());
    Value x = scan.getInductionVar();
    Value mark = get(marks, x);
    put(half(0), marks, x);
    Value from = mul(x, index(items));
    Values part = walkValues(from, mark);
    Value endsHere =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, mark, half(0));
    // Nothing goes on from a row that ended with the values before.
    Value isNew = isAtMost(get(ends, toIndex(now.firstRow)), now.base);
    Value endsBy = either(endsHere, both(isNew, isEqual(x, index(0))));
    part.insert(part.begin(),
                add(get(ended, x), select(endsBy, half(kEndsHere), half(0))));
    auto prefix = PrefixOp::create(b, loc, ValueRange(part).getTypes(), part,
                                   /*exclusive=*/true);
    Values before = joinParts(select(isNew, neutrals, state.carry),
                              isLess(half(kEndsHere - 1), prefix.getResult(0)),
                              prefix.getResults().drop_front());
    put(before, befores, x);
  }
  Value all = scan.getResult(0);
  Value rows = arith::AndIOp::create(b, loc, all, half(kEndsHere - 1));
  finishRows(state, now, toIndex(rows));
  State next;
  next.row = add(state.row, toWord(rows));
  next.place = add(add(state.place, count), toWord(rows));
  next.carry = joinParts(state.carry, isLess(half(kEndsHere - 1), all),
                         scan.getResults().drop_front());
  return next;
}

/// Folds the values of a thread from `from` on, anew behind those that `marks`
/// has a bit for: these are replaced by what the row came to in the thread.
/// Gives what came behind the last row that ends.
SegmentWriter::Values SegmentWriter::walkValues(Value from, Value mark) {
  // All are asked for before one is written.
  SmallVector<Values> own;
  for (int64_t k = 0; k < items; ++k)
    own.push_back(get(values, add(from, index(k))));
  Values part = neutrals;
  for (int64_t k = 0; k < items; ++k) {
    part = join(part, own[k]);
    Value bit = arith::AndIOp::create(b, loc, mark, half(int64_t(1) << k));
    Value endsHere =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, bit, half(0));
    put(part, values, add(from, index(k)), endsHere);
    part = select(endsHere, neutrals, part);
  }
  return part;
}

/// Stores what rows came to, each by one thread.
void SegmentWriter::finishRows(const State &state, const Tile &now,
                               Value count) {
  auto loop = scf::ForOp::create(b, loc, index(0),
                                 ceilDiv(count, index(threads)), index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(loop.getBody()->getTerminator());
  forThreads("_rest", [&](Value x) {
    Value number = add(mul(loop.getInductionVar(), index(threads)), x);
    ifTrue(isLess(number, count), [&] {
      Value row = add(state.row, toWord(number));
      Value inWindow = add(now.firstRow, toHalf(number));
      Value end = sub(get(ends, toIndex(inWindow)), now.base);
      Value isFirst = isEqual(number, index(0));
      Value before = select(isFirst, inWindow, sub(inWindow, half(1)));
      before = sub(get(ends, toIndex(before)), now.base);
      Value last = most(sub(end, half(1)), half(0));
      Value thread = arith::DivUIOp::create(b, loc, last, half(items));
      Value goesOn =
          either(isFirst, isAtMost(before, mul(thread, half(items))));
      Values part = get(values, toIndex(last));
      part = select(goesOn, join(get(befores, toIndex(thread)), part), part);
      // All values of the first one may be those of the tile before.
      Values none = select(isFirst, state.carry, neutrals);
      Value hasValues =
          select(isFirst, isLess(half(0), end), isLess(before, end));
      Values own = select(hasValues, part, none);
      // Blocks before may have a part of the first one.
      auto branch = scf::IfOp::create(b, loc, isEqual(row, headRow),
                                      /*withElseRegion=*/true);
      OpBuilder::InsertionGuard inside(b);
      b.setInsertionPoint(branch.thenYield());
      put(own, heads, block);
      b.setInsertionPoint(branch.elseYield());
      cloneRest(row, own);
    });
  });
}
