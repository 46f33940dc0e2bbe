//===- CountLookBack.cpp - Look-backs of what is counted ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Counts have no order to keep: a block may take whichever sums of earlier
// tiles it finds. Tile t has one word of 64 bits, of which the uppermost two
// say what the others are:
//
//   A  the count of tile t          stored before the block looks back
//   P  that of all tiles up to t    stored once it knows what is before
//
// The first sub-group of the block looks at the 32 tiles before its own, a lane
// each and the nearest first, waits until they have words, and adds up those
// from the nearest to the first that has P; where none has, it goes on with the
// 32 tiles before. The other threads wait for what it finds.
//
//   w = word of tile t - 1 - lane, P of nothing in front of the first
//   fold of w over the lanes by near o far = near if it is P, else near + far
//
// so that P, as the sign of a sum, comes with the first one that has it.
//
// It ends. P is in front of the first tile, and a block that waits, waits for A
// of tiles with smaller numbers, which their blocks store before they wait.
//
// Counts of a tile have 32 bits, and so all of them stay below 2^62.
//
// Reference: Merrill and Garland, Single-pass parallel prefix scan with
// decoupled look-back, 2016.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "arrc/Support/Combiner.h"

#include <limits>

using namespace mlir;
using namespace arrc;

/// Lanes that look back together.
static constexpr int64_t kWindow = 32;
/// What the words hold.
static constexpr int64_t kIsCount = int64_t(1) << 62,
                         kIsPrefix = std::numeric_limits<int64_t>::min();

bool KernelEmitter::countsBlocks(kernel::PrefixOp prefix) {
  if (!plan.nest.empty() || !plan.between.empty() || plan.subgroup != kWindow ||
      plan.getThreads() % kWindow != 0 || prefix.getValues().size() != 1 ||
      !prefix.getValues().front().getType().isInteger(64))
    return false;
  auto one = prefix.getValues().front().getDefiningOp<arith::ExtUIOp>();
  auto loop = cast<kernel::ForOp>(prefix->getParentOp());
  return one && one.getIn().getType().getIntOrFloatBitWidth() <= 32 &&
         isa_and_present<arith::AddIOp>(getCombinerOp(loop.getCombiner(), 0));
}

/// The word of tile `at`, once it has one.
Value KernelEmitter::awaitCount(Location loc, Value at) {
  auto loop =
      scf::WhileOp::create(b, loc, TypeRange(b.getI64Type()), ValueRange());
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&loop.getAfter(), {}, b.getI64Type(), loc);
  scf::YieldOp::create(b, loc);
  b.createBlock(&loop.getBefore());
  auto word = memref::LoadOp::create(b, loc, state, at);
  makeVisible(word);
  Value none = arith::ConstantIntOp::create(b, loc, 0, 64);
  Value waits =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, word, none);
  scf::ConditionOp::create(b, loc, waits, word.getResult());
  return loop.getResult(0);
}

/// What stands before `tile`, for the lanes of one sub-group.
Value KernelEmitter::sumWindows(Location loc, Value tile, Value lane) {
  Type i64 = b.getI64Type();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, loc, value, 64);
  };
  auto add = [&](Value x, Value y) -> Value {
    return arith::AddIOp::create(b, loc, x, y);
  };
  auto compare = [&](arith::CmpIPredicate predicate, Value x,
                     Value y) -> Value {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  };
  Value zero = constant(0), ends = constant(kIsPrefix);
  Value start = arith::SubIOp::create(
      b, loc, arith::SubIOp::create(b, loc, tile, constant(1)), lane);
  auto loop = scf::WhileOp::create(b, loc, TypeRange{i64, i64},
                                   ValueRange{start, zero});
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&loop.getBefore(), {}, {i64, i64}, {loc, loc});
  Value at = before->getArgument(0), sum = before->getArgument(1);
  auto read = scf::IfOp::create(b, loc, i64,
                                compare(arith::CmpIPredicate::sge, at, zero),
                                /*withElseRegion=*/true);
  b.setInsertionPointToStart(read.thenBlock());
  Value place = arith::IndexCastOp::create(b, loc, b.getIndexType(), at);
  Value word =
      awaitCount(loc, arith::AddIOp::create(b, loc, place,
                                            index(loc, KernelPlan::stateHead)));
  word = arith::AndIOp::create(b, loc, word, constant(~kIsCount));
  scf::YieldOp::create(b, loc, word);
  b.setInsertionPointToStart(read.elseBlock());
  scf::YieldOp::create(b, loc, ends);
  b.setInsertionPointAfter(read);
  Value near = read.getResult(0);
  for (int64_t step = 1; step < kWindow; step *= 2) {
    Value far = shuffle(loc, near, step, gpu::ShuffleMode::DOWN);
    Value takes = arith::AndIOp::create(
        b, loc, compare(arith::CmpIPredicate::sge, near, zero),
        compare(arith::CmpIPredicate::slt, lane, constant(kWindow - step)));
    far = arith::SelectOp::create(b, loc, takes, far, zero);
    near = add(near, far);
  }
  near = shuffle(loc, near, 0, gpu::ShuffleMode::IDX);
  Value goesOn = compare(arith::CmpIPredicate::sge, near, zero);
  sum = add(sum, arith::AndIOp::create(b, loc, near, constant(~kIsPrefix)));
  Value next = arith::SubIOp::create(b, loc, at, constant(kWindow));
  scf::ConditionOp::create(b, loc, goesOn, ValueRange{next, sum});
  b.createBlock(&loop.getAfter(), {}, {i64, i64}, {loc, loc});
  scf::YieldOp::create(b, loc, loop.getAfterArguments());
  return loop.getResult(1);
}

LogicalResult KernelEmitter::emitCountLookBack(kernel::PrefixOp prefix,
                                               Scan &scan) {
  Location loc = prefix.getLoc();
  kernel::ForOp loop = scan.loop;
  Value own = lookup(prefix.getValues()).front();
  Value seed = lookup(loop.getSeeds()).front();
  Type i64 = b.getI64Type();
  Value number = lookup(loop.getInductionVar());
  Value tile = arith::IndexCastOp::create(b, loc, i64, number);
  Value place =
      arith::AddIOp::create(b, loc, number, index(loc, KernelPlan::stateHead));
  Value thread = arith::IndexCastOp::create(b, loc, i64, linearId);
  Value zero = arith::ConstantIntOp::create(b, loc, 0, 64);
  auto isLead = [&]() -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, thread,
                                 zero);
  };
  auto publish = [&](Value condition, Value count, int64_t kind) {
    (void)emitIfTrue(loc, condition, [&] {
      Value word = arith::OrIOp::create(
          b, loc, count, arith::ConstantIntOp::create(b, loc, kind, 64));
      makeVisible(memref::StoreOp::create(b, loc, word, state, place));
      return success();
    });
  };
  // The first tile's count is the sum up to it.
  Value isFirst =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, tile, zero);
  Value isLater =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, tile, zero);
  publish(both(loc, isLead(), isFirst), own, kIsPrefix);
  publish(both(loc, isLead(), isLater), own, kIsCount);
  int64_t offset = 0;
  Value shared = getScratch(loc, 1, i64, offset)[0];
  if (failed(touch(loc, &sharedBytes, /*written=*/true)))
    return failure();
  Value looks =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, thread,
                            arith::ConstantIntOp::create(b, loc, kWindow, 64));
  (void)emitIfTrue(loc, looks, [&] {
    Value sum = sumWindows(loc, tile, thread);
    (void)emitIfTrue(loc, isLead(), [&] {
      memref::StoreOp::create(b, loc, sum, shared, index(loc, 0));
      return success();
    });
    publish(both(loc, isLead(), isLater),
            arith::AddIOp::create(b, loc, sum, own), kIsPrefix);
    return success();
  });
  if (failed(emitBarrier(loc)))
    return failure();
  Value before = memref::LoadOp::create(b, loc, shared, index(loc, 0));
  if (failed(touch(loc, &sharedBytes, /*written=*/false)))
    return failure();
  before = arith::AddIOp::create(b, loc, seed, before);
  Value upTo = arith::AddIOp::create(b, loc, before, own);
  scan.next = {upTo};
  set(prefix.getResult(0), prefix.getExclusive() ? before : upTo);
  return success();
}
