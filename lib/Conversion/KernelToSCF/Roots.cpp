//===- Roots.cpp - Launches and what becomes tasks of the pool ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A root loop becomes an `scf.parallel`, whose iterations become tasks:
//
//   parallel, at block      a task an iteration (nested block loops together)
//   at another level        one task
//   no levels, parallel     a task an outer iteration; a flat loop in chunks
//   fold                    the same with a partial result a task, combined in
//                           order by the host
//   scan, at block          tasks that fold, a scan of their results by the
//                           host, tasks that scan from there
//   updates of what others  see Updates.cpp
//   see
//   anything else           one task: other scans
//
// Chunks have a fixed size and partials a fixed order: neither depends on the
// number of workers, so the results do not either.
//
//===----------------------------------------------------------------------===//

#include "LaunchEmitter.h"
#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Analysis/BufferDistinctness.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/SplitScans.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace arrc;

/// Iterations of one task of a loop without a schedule: of a flat loop, and of
/// one that folds with loops in it.
static constexpr int64_t flatChunk = 8192, nestedFoldChunk = 16;

LaunchEmitter::LaunchEmitter(kernel::LaunchOp launch, RuntimeCalls &calls,
                             int64_t streamBytes)
    : launch(launch), calls(calls), streamBytes(streamBytes),
      host(launch->getParentOfType<func::FuncOp>()), b(launch) {}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

bool arrc::isNested(kernel::ForOp loop) {
  return loop.getBody()
      .walk([](Operation *op) {
        return isa<kernel::ForOp, scf::ForOp, scf::WhileOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool isBlock(kernel::ForOp loop) {
  return loop.getLevelKind() == kernel::LevelKind::Block;
}

/// `loop` and the parallel block loops that it holds with nothing beside them
/// but operations without effects: one space of tasks.
static SmallVector<kernel::ForOp> getBlockNest(kernel::ForOp loop) {
  SmallVector<kernel::ForOp> nest{loop};
  while (isBlock(nest.back())) {
    kernel::ForOp inner;
    for (Operation &op : nest.back().getBodyBlock()->without_terminator()) {
      auto each = dyn_cast<kernel::ForOp>(op);
      if (each ? static_cast<bool>(inner) : !isPure(&op) || op.getNumRegions())
        return nest;
      if (each)
        inner = each;
    }
    if (!inner || !isBlock(inner) || !inner.isParallel())
      return nest;
    nest.push_back(inner);
  }
  return nest;
}

/// Whether two iterations may write one element: an update of an array from
/// outside of the loop.
static bool hasSharedUpdates(kernel::ForOp loop) {
  return loop.getBody()
      .walk([&](kernel::UpdateOp update) {
        Operation *def = update.getDest().getDefiningOp();
        return def && loop->isAncestor(def) ? WalkResult::advance()
                                            : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// What a part of a fold starts from: the operator's neutral element, which
/// the seed of an operator that upstream does not know has to be.
SmallVector<Value> LaunchEmitter::neutrals(kernel::ForOp loop) {
  SmallVector<Value> result = kernel::createNeutrals(b, loop);
  for (auto [value, seed] : llvm::zip(result, kernel::getFirstSeeds(loop)))
    if (value == seed)
      value = lookupScalar(seed);
  return result;
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

Value LaunchEmitter::allocate(Location loc, Type element, ValueRange sizes) {
  SmallVector<int64_t> shape(sizes.size(), ShapedType::kDynamic);
  Value buffer =
      memref::AllocOp::create(b, loc, MemRefType::get(shape, element), sizes);
  buffers.push_back(buffer);
  return buffer;
}

LogicalResult
LaunchEmitter::emitTasks(Location loc, ValueRange counts,
                         llvm::function_ref<LogicalResult(ValueRange)> body) {
  SmallVector<Value> lower(counts.size(), constantIndex(loc, 0).value);
  SmallVector<Value> step(counts.size(), constantIndex(loc, 1).value);
  auto loop = scf::ParallelOp::create(b, loc, lower, counts, step);
  if (distinct)
    loop->setAttr(noaliasAttrName, b.getUnitAttr());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(loop.getBody()->getTerminator());
  inTask = true;
  locals.emplace_back();
  if (failed(body(loop.getInductionVars())))
    return failure();
  for (Value local : locals.back())
    memref::DeallocOp::create(b, loc, local);
  locals.pop_back();
  inTask = false;
  return success();
}

std::pair<Value, Value> LaunchEmitter::createPart(Location loc, Value extent,
                                                  Value number, Value chunk) {
  Value begin = arith::MulIOp::create(b, loc, number, chunk);
  Value end = arith::AddIOp::create(b, loc, begin, chunk);
  return {begin, arith::MinSIOp::create(b, loc, end, extent)};
}

LogicalResult LaunchEmitter::emitChunks(kernel::ForOp loop, int64_t size) {
  Location loc = loop.getLoc();
  llvm::SaveAndRestore inside(spreads, false);
  auto [first, extent] = getRange(loop);
  Value chunk = constantIndex(loc, size).value;
  Value count = arith::CeilDivSIOp::create(b, loc, extent, chunk);
  return emitTasks(loc, {count},
                   [&, first = first, extent = extent](ValueRange ids) {
                     auto [begin, end] = createPart(loc, extent, ids[0], chunk);
                     if (loop->hasAttr(partAttrName)) {
                       begin = arith::AddIOp::create(b, loc, first, begin);
                       end = arith::AddIOp::create(b, loc, first, end);
                     }
                     SmallVector<LaneValue> none;
                     return emitSerialFor(loop, begin, end, {}, none);
                   });
}

LogicalResult LaunchEmitter::emitSequentialRoot(kernel::ForOp loop) {
  Location loc = loop.getLoc();
  Value one = constantIndex(loc, 1).value, zero = constantIndex(loc, 0).value;
  SmallVector<Value> totals;
  for (Type type : loop.getResultTypes())
    totals.push_back(memref::AllocOp::create(
        b, loc, MemRefType::get(ShapedType::kDynamic, type), one));
  LogicalResult done = emitTasks(loc, {one}, [&](ValueRange) {
    if (failed(emitFor(loop)))
      return failure();
    for (auto [total, result] : llvm::zip(totals, loop.getResults()))
      memref::StoreOp::create(b, loc, lookupScalar(result), total, zero);
    return success();
  });
  for (auto [result, total] : llvm::zip(loop.getResults(), totals)) {
    set(result, Value(memref::LoadOp::create(b, loc, total, zero)));
    memref::DeallocOp::create(b, loc, total);
  }
  return done;
}

LogicalResult LaunchEmitter::emitParallelRoot(kernel::ForOp loop) {
  Location loc = loop.getLoc();
  if (!isBlock(loop) && !isNested(loop))
    return emitChunks(loop, flatChunk);
  SmallVector<kernel::ForOp> nest = getBlockNest(loop);
  // What stands between the loops and is known here may be a bound of theirs.
  for (kernel::ForOp outer : ArrayRef(nest).drop_back())
    for (Operation &op : outer.getBodyBlock()->without_terminator())
      if (!isa<kernel::ForOp>(op) &&
          llvm::all_of(op.getOperands(),
                       [&](Value v) { return values.contains(v); }))
        emitPlainOp(op);
  SmallVector<Value> firsts, counts;
  for (auto [number, each] : llvm::enumerate(nest)) {
    if (each.getExtent() && !values.contains(each.getExtent())) {
      nest.truncate(number); // depends on an outer loop: runs inside of it
      break;
    }
    auto [first, count] = getRange(each);
    firsts.push_back(first);
    counts.push_back(count);
  }
  return emitTasks(loc, counts, [&](ValueRange ids) {
    for (auto [each, first, id] : llvm::zip(nest, firsts, ids)) {
      Value index = id;
      if (each->hasAttr(partAttrName))
        index = arith::AddIOp::create(b, loc, first, id);
      set(each.getInductionVar(), index);
      enterLoop(each, {index});
    }
    for (kernel::ForOp outer : ArrayRef(nest).drop_back())
      for (Operation &op : outer.getBodyBlock()->without_terminator())
        if (!isa<kernel::ForOp>(op))
          emitPlainOp(op);
    LogicalResult done = emitBody(*nest.back().getBodyBlock());
    digits.pop_back_n(nest.size());
    return done;
  });
}

LogicalResult LaunchEmitter::emitFoldRoot(kernel::ForOp loop) {
  Location loc = loop.getLoc();
  bool whole = isBlock(loop);
  Value extent = getExtent(loop), count = extent, chunk;
  if (!whole) {
    chunk =
        constantIndex(loc, isNested(loop) ? nestedFoldChunk : flatChunk).value;
    count = arith::CeilDivSIOp::create(b, loc, extent, chunk);
  }
  SmallVector<Value> partials;
  for (Type type : loop.getResultTypes())
    partials.push_back(allocate(loc, type, {count}));
  SmallVector<LaneValue> starts;
  for (Value neutral : neutrals(loop))
    starts.push_back({neutral});

  LogicalResult done = emitTasks(loc, {count}, [&](ValueRange ids) {
    SmallVector<LaneValue> results;
    if (whole) {
      set(loop.getInductionVar(), ids[0]);
      enterLoop(loop, {ids[0]});
      LogicalResult done = emitBody(*loop.getBodyBlock());
      digits.pop_back();
      if (failed(done))
        return failure();
      results = lookup(loop.getYield().getValues());
    } else {
      auto [begin, end] = createPart(loc, extent, ids[0], chunk);
      if (failed(emitSerialFor(loop, begin, end, starts, results)))
        return failure();
    }
    for (auto [partial, result] : llvm::zip(partials, results))
      memref::StoreOp::create(b, loc, result.value, partial, ids[0]);
    return success();
  });
  if (failed(done))
    return failure();
  for (auto [result, value] :
       llvm::zip(loop.getResults(), emitPartialFold(loop, partials, count)))
    set(result, value);
  return success();
}

SmallVector<Value> LaunchEmitter::emitPartialFold(kernel::ForOp loop,
                                                  ArrayRef<Value> partials,
                                                  Value count) {
  Location loc = loop.getLoc();
  SmallVector<Value> seeds;
  for (Value seed : loop.getSeeds())
    seeds.push_back(lookupScalar(seed));
  Value zero = constantIndex(loc, 0).value, one = constantIndex(loc, 1).value;
  Value two = constantIndex(loc, 2).value;
  // Neighbours in pairs, pairs of pairs, ..: as many levels as a sum of many
  // terms needs, in index order.
  scf::WhileOp::create(
      b, loc, TypeRange{b.getIndexType()}, ValueRange{count},
      [&](OpBuilder &, Location, ValueRange left) {
        Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt,
                                           left[0], one);
        scf::ConditionOp::create(b, loc, more, left);
      },
      [&](OpBuilder &, Location, ValueRange left) {
        Value half = arith::DivUIOp::create(b, loc, left[0], two);
        auto pairs = scf::ForOp::create(b, loc, zero, half, one);
        {
          OpBuilder::InsertionGuard guard(b);
          b.setInsertionPointToStart(pairs.getBody());
          Value first =
              arith::MulIOp::create(b, loc, pairs.getInductionVar(), two);
          Value second = arith::AddIOp::create(b, loc, first, one);
          SmallVector<LaneValue> lhs, rhs;
          for (Value partial : partials) {
            lhs.push_back({memref::LoadOp::create(b, loc, partial, first)});
            rhs.push_back({memref::LoadOp::create(b, loc, partial, second)});
          }
          for (auto [partial, value] :
               llvm::zip(partials, combine(loop.getCombiner(), lhs, rhs)))
            memref::StoreOp::create(b, loc, value.value, partial,
                                    pairs.getInductionVar());
        }
        Value rest = arith::RemUIOp::create(b, loc, left[0], two);
        auto odd = scf::ForOp::create(b, loc, zero, rest, one);
        {
          OpBuilder::InsertionGuard guard(b);
          b.setInsertionPointToStart(odd.getBody());
          Value last = arith::SubIOp::create(b, loc, left[0], one);
          for (Value partial : partials)
            memref::StoreOp::create(
                b, loc, memref::LoadOp::create(b, loc, partial, last), partial,
                half);
        }
        Value next = arith::AddIOp::create(b, loc, half, rest);
        scf::YieldOp::create(b, loc, next);
      });
  Value any = arith::MinSIOp::create(b, loc, count, one);
  auto fold = scf::ForOp::create(b, loc, zero, any, one, seeds);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(fold.getBody());
    SmallVector<LaneValue> lhs, rhs;
    for (auto [argument, partial] :
         llvm::zip(fold.getRegionIterArgs(), partials)) {
      lhs.push_back({argument});
      rhs.push_back(
          {memref::LoadOp::create(b, loc, partial, fold.getInductionVar())});
    }
    SmallVector<Value> next;
    for (LaneValue value : combine(loop.getCombiner(), lhs, rhs))
      next.push_back(value.value);
    scf::YieldOp::create(b, loc, next);
  }
  return SmallVector<Value>(fold.getResults());
}

LogicalResult LaunchEmitter::emitRoot(kernel::ForOp loop) {
  // A schedule without blocks asks for one worker.
  bool serial = launch.isScheduled() && !isBlock(loop);
  // What blocks before have left for each of many columns, its loop folds.
  if (serial && loop.isParallel() && isNested(loop) &&
      !hasSharedUpdates(loop) &&
      llvm::any_of(launch.getBodyBlock()->getOps<kernel::ForOp>(), isBlock)) {
    llvm::SaveAndRestore inside(spreads, true);
    return emitFor(loop);
  }
  if (!serial && loop.isScan() && isBlock(loop) && !hasSharedUpdates(loop) &&
      (loop->hasAttr(kernel::kRepeatsAttr) || kernel::canSplitScan(loop)))
    return emitScanRoot(loop);
  if (!serial && !loop.isScan() && hasSharedUpdates(loop))
    return emitUpdateRoot(loop);
  if (serial || loop.isScan())
    return emitSequentialRoot(loop);
  return loop.isReduce() ? emitFoldRoot(loop) : emitParallelRoot(loop);
}

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

void LaunchEmitter::findStreams() {
  Location loc = launch.getLoc();
  llvm::DenseSet<Value> read;
  AccessPattern pattern(launch);
  for (const arrc::Access &access : pattern.getAccesses())
    if (access.reads && values.contains(access.array))
      read.insert(lookupScalar(access.array));
  for (BlockArgument argument : launch.getBodyBlock()->getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    bool isOut = llvm::is_contained(launch.getOuts(),
                                    launch.getOperandOf(argument).get());
    if (!type || type.getRank() == 0 || !isOut)
      continue;
    Value array = lookupScalar(argument);
    if (read.contains(array))
      continue;
    Value bytes =
        constantIndex(loc, getElementBytes(type.getElementType())).value;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      bytes = arith::MulIOp::create(b, loc, bytes,
                                    memref::DimOp::create(b, loc, array, dim));
    streams[array] =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, bytes,
                              constantIndex(loc, streamBytes).value);
  }
}

/// `operand` as an argument of `type`. Where that makes strides known it is no
/// cast: upstream folds casts into the accesses of vectors, which want to know
/// that elements lie without gaps.
static Value asArgument(OpBuilder &b, Location loc, Value operand, Type type) {
  auto wanted = dyn_cast<MemRefType>(type);
  auto cast = operand.getDefiningOp<memref::CastOp>();
  Value source = cast ? cast.getSource() : operand;
  auto given = dyn_cast<MemRefType>(source.getType());
  if (!wanted || !given || given.getLayout() == wanted.getLayout())
    return operand.getType() == type
               ? operand
               : memref::CastOp::create(b, loc, type, operand).getResult();
  auto layout = memref::ExtractStridedMetadataOp::create(b, loc, source);
  auto [strides, offset] = wanted.getStridesAndOffset();
  auto mixed = [&](ArrayRef<int64_t> known, ValueRange values) {
    SmallVector<OpFoldResult> all;
    for (auto [number, value] : llvm::zip(known, values))
      all.push_back(ShapedType::isDynamic(number)
                        ? OpFoldResult(value)
                        : OpFoldResult(b.getIndexAttr(number)));
    return all;
  };
  return memref::ReinterpretCastOp::create(
      b, loc, wanted, layout.getBaseBuffer(),
      mixed(offset, layout.getOffset()).front(),
      mixed(wanted.getShape(), layout.getSizes()),
      mixed(strides, layout.getStrides()));
}

LogicalResult LaunchEmitter::emitLaunch() {
  Location loc = launch.getLoc();
  for (BlockArgument argument : launch.getBodyBlock()->getArguments())
    set(argument, asArgument(b, loc, launch.getOperandOf(argument).get(),
                             argument.getType()));
  distinct = launch->hasAttr(distinctAttrName) || buffersAreDistinct(launch);
  if (launch.isScheduled())
    findStreams();
  markZeros();
  for (Operation &op : launch.getBodyBlock()->without_terminator()) {
    auto loop = dyn_cast<kernel::ForOp>(op);
    if (failed(loop ? emitRoot(loop) : emitOp(op)))
      return failure();
  }
  for (Value buffer : buffers)
    memref::DeallocOp::create(b, loc, buffer);
  // Errors are found before anything that follows can depend on the results.
  if (mayFail)
    calls.call(b, loc, "arrt_poll_error", {calls.getContext(host)});
  return success();
}

LogicalResult LaunchEmitter::run() {
  Location loc = launch.getLoc();
  for (Value operand : launch->getOperands())
    if (isa<TensorType>(operand.getType()))
      return launch.emitOpError("is on tensors; bufferize it first");
  OpBuilder::InsertionGuard guard(b);
  if (Value flag = launch.getFlag()) {
    Value go = memref::LoadOp::create(b, loc, flag, ValueRange());
    auto branch = scf::IfOp::create(b, loc, go, /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
  }
  if (failed(emitLaunch()))
    return failure();
  launch.erase();
  return success();
}
