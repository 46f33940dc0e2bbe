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

/// The first of `count` rows from `from` on that ends behind `place`.
Value SegmentWriter::findRow(Value from, Value count, Value place) {
  ValueRange found = createWhile(
      b, loc, {from, count},
      [&](ValueRange now) { return isLess(half(0), now[1]); },
      [&](ValueRange now) {
        Value part = arith::ShRUIOp::create(b, loc, now[1], half(1));
        Value middle = add(now[0], part);
        Value isBefore = isAtMost(get(ends, toIndex(middle)), place);
        Value next = add(middle, half(1));
        return Values{select(isBefore, next, now[0]),
                      select(isBefore, sub(sub(now[1], part), half(1)), part)};
      });
  return found[0];
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
  Value base = toHalf(sub(first, sub(window.base, window.firstRow)));
  Value firstRow = toHalf(sub(state.row, window.firstRow));
  Value rowsLeft = sub(toHalf(window.rows), firstRow);
  Values seeds = {half(0)};
  llvm::append_range(seeds, neutrals);
  ForOp scan = createLoop(name + "_fold", b.getIndexAttr(threads),
                          ForKind::Scan, seeds, LevelKind::Thread);
  buildPartCombiner(scan);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(scan.getBodyBlock()->getTerminator());
    Value x = scan.getInductionVar();
    Value from = mul(toHalf(x), half(items));
    // Rows that ended with the values before are the first thread's.
    Value rows = select(isEqual(x, index(0)), half(0), rowsLeft);
    Value ownRow = findRow(firstRow, rows, add(base, from));
    Values part = walkValues({from, base, firstRow, ownRow});
    auto prefix = PrefixOp::create(b, loc, ValueRange(part).getTypes(), part,
                                   /*exclusive=*/true);
    Values before = joinParts(state.carry, prefix.getResult(0),
                              prefix.getResults().drop_front());
    ifTrue(isLess(half(0), part.front()), [&] {
      Value first = toIndex(sub(ownRow, firstRow));
      put(join(before, get(results, first)), results, first);
    });
  }
  finishRows(state, toIndex(scan.getResult(0)));
  Value ended = toWord(scan.getResult(0));
  State next;
  next.row = add(state.row, ended);
  next.place = add(add(state.place, count), ended);
  next.carry =
      joinParts(state.carry, scan.getResult(0), scan.getResults().drop_front());
  return next;
}

/// Goes over the values of a thread and keeps what rows come to that end there.
/// Gives how many do, and what came behind the last of them.
SegmentWriter::Values SegmentWriter::walkValues(const Walk &own) {
  Value start = add(own.base, own.from);
  // Where a row ends, as a number of values of this thread.
  auto getEnd = [&](Value row) { return sub(get(ends, toIndex(row)), start); };
  // Rows from `row` on that end by step k; all but the first have no values.
  auto endRows = [&](Value row, Value end, int64_t k, ValueRange part) {
    Values all = {row, end};
    llvm::append_range(all, part);
    ValueRange done = createWhile(
        b, loc, all, [&](ValueRange now) { return isAtMost(now[1], half(k)); },
        [&](ValueRange now) {
          put(now.drop_front(2), results, toIndex(sub(now[0], own.firstRow)));
          Value next = add(now[0], half(1));
          Values all = {next, getEnd(next)};
          llvm::append_range(all, neutrals);
          return all;
        });
    return Values(done);
  };
  Values state = endRows(own.row, getEnd(own.row), 0, neutrals);
  Value first = toIndex(own.from);
  for (int64_t k = 0; k < items; ++k) {
    Values part = join(ValueRange(state).drop_front(2),
                       get(values, add(first, index(k))));
    state = endRows(state[0], state[1], k + 1, part);
  }
  Values done = {sub(state[0], own.row)};
  llvm::append_range(done, ValueRange(state).drop_front(2));
  return done;
}

/// Stores what rows came to, each by one thread.
void SegmentWriter::finishRows(const State &state, Value count) {
  auto loop = scf::ForOp::create(b, loc, index(0),
                                 ceilDiv(count, index(threads)), index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(loop.getBody()->getTerminator());
  forThreads("_rest", [&](Value x) {
    Value number = add(mul(loop.getInductionVar(), index(threads)), x);
    ifTrue(isLess(number, count), [&] {
      Value row = add(state.row, toWord(number));
      Values own = get(results, number);
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
