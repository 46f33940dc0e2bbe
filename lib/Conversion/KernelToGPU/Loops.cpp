//===- Loops.cpp - Loops, branches and plain operations -------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Where some axes are not bound all their threads do the same. What holds no
// thread loop then runs
//   - in all of them, if it writes nothing;
//   - in the first of them, if nothing after it needs its values;
//   - else in all of them, each write in the first, with barriers where it
//     reads again what was written.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/IRMapping.h"

#include <limits>

using namespace mlir;
using namespace arrc;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value KernelEmitter::lookup(Value value) {
  auto it = values.find(value);
  if (it != values.end())
    return it->second;
  // The extent of an inner block loop, computed between the loops.
  Operation *op = value.getDefiningOp();
  assert(op && isHostValue(value) && "used before it was emitted");
  emitPlain(op);
  return values[value];
}

SmallVector<Value> KernelEmitter::lookup(ValueRange range) {
  SmallVector<Value> result;
  for (Value value : range)
    result.push_back(lookup(value));
  return result;
}

Value KernelEmitter::index(Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value KernelEmitter::getValue(Location loc, OpFoldResult value) {
  if (auto known = dyn_cast<Value>(value))
    return known;
  return index(loc, *getConstantIntValue(value));
}

Value KernelEmitter::getExtent(kernel::ForOp loop) {
  if (Value extent = loop.getExtent())
    return lookup(extent);
  return index(loop.getLoc(), *loop.getStaticExtent());
}

const KernelEmitter::Place &KernelEmitter::getPlace(Value array) {
  auto it = places.find(array);
  assert(it != places.end() && "an array that is no argument and no local");
  return it->second;
}

Value KernelEmitter::emitAffine(Location loc, AffineExpr expr, ValueRange dims,
                                ValueRange symbols,
                                arith::IntegerOverflowFlags flags) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return index(loc, constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto parts = cast<AffineBinaryOpExpr>(expr);
  Value lhs = emitAffine(loc, parts.getLHS(), dims, symbols, flags);
  Value rhs = emitAffine(loc, parts.getRHS(), dims, symbols, flags);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return arith::AddIOp::create(b, loc, lhs, rhs, flags);
  case AffineExprKind::Mul:
    return arith::MulIOp::create(b, loc, lhs, rhs, flags);
  case AffineExprKind::Mod: {
    Value rest = arith::RemSIOp::create(b, loc, lhs, rhs);
    Value negative = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                           rest, index(loc, 0));
    Value moved = arith::AddIOp::create(b, loc, rest, rhs);
    return arith::SelectOp::create(b, loc, negative, moved, rest);
  }
  case AffineExprKind::FloorDiv:
    return arith::FloorDivSIOp::create(b, loc, lhs, rhs);
  case AffineExprKind::CeilDiv:
    return arith::CeilDivSIOp::create(b, loc, lhs, rhs);
  default:
    llvm_unreachable("all binary expressions are above");
  }
}

Value KernelEmitter::keepMultiple(Location loc, Value value, int64_t multiple) {
  if (multiple < 2 || !llvm::isPowerOf2_64(multiple))
    return value;
  Value mask = arith::ConstantOp::create(
      b, loc, b.getIntegerAttr(value.getType(), -multiple));
  return arith::AndIOp::create(b, loc, value, mask);
}

void KernelEmitter::emitPlain(Operation *op) {
  Location loc = op->getLoc();
  if (auto assume = dyn_cast<array::AssumeOp>(op)) {
    return set(assume.getResult(),
               keepMultiple(loc, lookup(assume.getValue()),
                            assume.getMultiple().value_or(1)));
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getAffineMap();
    SmallVector<Value> operands = lookup(op->getOperands());
    ValueRange all(operands);
    auto flags = wrapping.contains(op) ? arith::IntegerOverflowFlags::none
                                       : arith::IntegerOverflowFlags::nsw;
    return set(apply.getResult(),
               emitAffine(loc, map.getResult(0),
                          all.take_front(map.getNumDims()),
                          all.drop_front(map.getNumDims()), flags));
  }
  IRMapping map;
  for (Value operand : op->getOperands())
    map.map(operand, lookup(operand));
  Operation *copy = b.clone(*op, map);
  for (auto [from, to] : llvm::zip(op->getResults(), copy->getResults()))
    set(from, to);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult KernelEmitter::emitOps(ArrayRef<Operation *> ops) {
  for (Operation *op : ops)
    if (failed(emitOp(op)))
      return failure();
  return success();
}

LogicalResult KernelEmitter::emitBody(Block &block) {
  unsigned done = 0;
  for (Operation &op : block.without_terminator()) {
    // Neighbours under one mask share a branch, and so an access to memory.
    if (done == 0)
      done = emitMaskedRun(&op);
    if (done == 0)
      done = emitUpdateRun(&op);
    if (done > 0)
      --done;
    else if (failed(emitOp(&op)))
      return failure();
  }
  return success();
}

/// Whether the operation writes memory of others or leaves errors.
static bool hasSharedWrites(Operation *op,
                            function_ref<bool(Value)> isPrivate) {
  bool found = false;
  forEachAccess(op, [&](Operation *, Value array, bool writes) {
    found |= writes && !isPrivate(array);
  });
  op->walk([&](kernel::CheckOp) { found = true; });
  return found;
}

/// Whether the operation writes private memory that outlives it.
static bool hasPrivateWrites(Operation *op,
                             function_ref<bool(Value)> isPrivate) {
  bool found = false;
  forEachAccess(op, [&](Operation *, Value array, bool writes) {
    found |= writes && isPrivate(array) &&
             !op->isProperAncestor(array.getDefiningOp());
  });
  return found;
}

LogicalResult KernelEmitter::emitOp(Operation *op) {
  bool nested = op->getNumRegions() != 0 && !isa<kernel::UpdateOp>(op);
  if (!nested || ctx.leaf || !plan.hasThreads() || hasThreadLoops(op))
    return emitInContext(op);
  auto isPrivate = [&](Value array) { return getPlace(array).isPrivate; };
  bool writes = hasSharedWrites(op, isPrivate);
  bool once = writes && getUnbound() && op->getNumResults() == 0 &&
              !hasPrivateWrites(op, isPrivate);
  if (writes && getUnbound() && !once)
    return emitInContext(op);
  Context saved = ctx;
  bool single = once && ctx.bound == 0;
  if (failed(waitFor(op, single)))
    return failure();
  ctx.leaf = true;
  ctx.single = single;
  LogicalResult done = success();
  if (once) {
    Value writer = getWriter(op->getLoc());
    ctx.bound = used;
    ctx.active = nullptr;
    ctx.uniform = ctx.subgroupUniform = false;
    done = emitIfTrue(op->getLoc(), writer, [&] { return emitInContext(op); });
  } else {
    done = emitInContext(op);
  }
  ctx = saved;
  return done;
}

LogicalResult KernelEmitter::emitInContext(Operation *op) {
  if (auto loop = dyn_cast<kernel::ForOp>(op))
    return emitFor(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return emitIf(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return emitScfFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return emitWhile(loop);
  if (auto load = dyn_cast<kernel::LoadOp>(op))
    return emitLoad(load);
  if (auto store = dyn_cast<kernel::StoreOp>(op))
    return emitStore(store);
  if (auto update = dyn_cast<kernel::UpdateOp>(op))
    return emitUpdate(update);
  if (auto prefix = dyn_cast<kernel::PrefixOp>(op))
    return emitPrefix(prefix);
  if (auto check = dyn_cast<kernel::CheckOp>(op)) {
    emitCheck(check);
    return success();
  }
  if (isa<kernel::LocalOp>(op))
    return success();
  if (isa<kernel::KernelDialect>(op->getDialect()) || op->getNumRegions())
    return refuse(op->getLoc(), "'" + op->getName().getStringRef().str() +
                                    "' cannot run on a device");
  emitPlain(op);
  return success();
}

//===----------------------------------------------------------------------===//
// Loops of the kernel
//===----------------------------------------------------------------------===//

LogicalResult KernelEmitter::emitFor(kernel::ForOp loop) {
  if (loop == plan.lookBack)
    return emitLookBackLoop(loop);
  if (llvm::is_contained(plan.cooperative, loop))
    return emitCooperative(loop);
  bool threads = plan.mode == KernelMode::Parallel &&
                 loop.getLevelKind() == kernel::LevelKind::Thread &&
                 loop.getStaticExtent().value_or(0) > 1;
  return threads ? emitThreadFor(loop) : emitSerialFor(loop);
}

/// The steps of a fold of what lies in tiles on chip that are written out, so
/// that reads of the next ones run beside the arithmetic of one; 1 for others.
int64_t KernelEmitter::countTileSteps(kernel::ForOp loop) {
  constexpr int64_t mostSteps = 16, fewSteps = 8, mostOperations = 4096;
  if (!loop.isReduce() || !loop.getStaticExtent() || !ctx.leaf)
    return 1;
  int64_t operations = 0;
  bool reads = false, others = false;
  loop.getBody().walk([&](Operation *op) {
    ++operations;
    if (auto load = dyn_cast<kernel::LoadOp>(op)) {
      bool shared = load.getSource().getDefiningOp<kernel::LocalOp>() &&
                    !getPlace(load.getSource()).isPrivate;
      (shared ? reads : others) = true;
    }
    others |= op->getNumRegions() != 0 ||
              isa<kernel::StoreOp, kernel::UpdateOp, kernel::CheckOp>(op);
  });
  int64_t extent = *loop.getStaticExtent();
  int64_t steps = extent <= mostSteps      ? extent
                  : extent % fewSteps == 0 ? fewSteps
                                           : 1;
  return reads && !others && operations * steps <= mostOperations ? steps : 1;
}

/// The number of iterations that a short loop without threads nearly always
/// has, where only the end of the data cuts it (`min(n - i, 8)`).
std::optional<int64_t> KernelEmitter::getUnrolledExtent(kernel::ForOp loop) {
  constexpr int64_t mostIterations = 16, mostOperations = 400;
  auto least = loop.getExtent()
                   ? loop.getExtent().getDefiningOp<arith::MinSIOp>()
                   : arith::MinSIOp();
  if (!least || !(ctx.leaf || !plan.hasThreads()))
    return std::nullopt;
  std::optional<int64_t> most = getConstantIntValue(least.getRhs());
  if (!most)
    most = getConstantIntValue(least.getLhs());
  if (!most || *most < 2 || *most > mostIterations)
    return std::nullopt;
  int64_t operations = 0;
  bool nested = false, masked = false;
  loop.getBody().walk([&](Operation *op) {
    ++operations;
    nested |= op->getNumRegions() != 0 && !isa<scf::IfOp>(op);
    // Branches that join nothing; a step asks for several elements already.
    auto load = dyn_cast<kernel::LoadOp>(op);
    masked |= load && load.getMask();
  });
  if (nested || masked || operations * *most > mostOperations)
    return std::nullopt;
  return most;
}

/// A loop over `extent` iterations of `run`, which takes the index and the
/// accumulators and gives the next ones.
FailureOr<SmallVector<Value>> KernelEmitter::emitCountedLoop(
    kernel::ForOp loop, Value extent, ValueRange seeds,
    function_ref<LogicalResult(Value, ValueRange, SmallVector<Value> &)> run) {
  Location loc = loop.getLoc();
  auto copy =
      scf::ForOp::create(b, loc, index(loc, 0), extent, index(loc, 1), seeds);
  OpBuilder::InsertionGuard guard(b);
  Block *block = copy.getBody();
  if (!block->empty())
    block->back().erase();
  b.setInsertionPointToEnd(block);
  SmallVector<Value> next;
  if (failed(emitLoopBody(loc, [&] {
        return run(copy.getInductionVar(), copy.getRegionIterArgs(), next);
      })))
    return failure();
  scf::YieldOp::create(b, loc, next);
  return SmallVector<Value>(copy.getResults());
}

/// The iterations one after the other.
LogicalResult KernelEmitter::emitSerialFor(kernel::ForOp loop) {
  Location loc = loop.getLoc();
  if (multipliesMatrices() && loop.isReduce())
    if (std::optional<MatrixSteps> steps = findMatrixSteps(loop, whyNoMatrices))
      return emitMatrixSteps(loop, *steps);
  Context saved = ctx;
  Value extent = getExtent(loop);
  SmallVector<Value> seeds = lookup(loop.getSeeds());
  auto run = [&](Value iv, ValueRange accumulators,
                 SmallVector<Value> &next) -> LogicalResult {
    set(loop.getInductionVar(), iv);
    digits.push_back({loop.getDim(), iv, extent});
    if (loop.isScan())
      scans.push_back({loop, Value(), SmallVector<Value>(accumulators), {}});
    if (failed(emitBody(*loop.getBodyBlock())))
      return failure();
    if (loop.isReduce())
      next = combine(loop.getCombiner(), accumulators,
                     lookup(loop.getYield().getValues()));
    if (loop.isScan())
      next = scans.pop_back_val().next;
    digits.pop_back();
    return success();
  };
  int64_t steps = countTileSteps(loop);
  auto runSteps = [&](Value first, ValueRange accumulators,
                      SmallVector<Value> &next) -> LogicalResult {
    next = SmallVector<Value>(accumulators);
    for (int64_t k = 0; k < steps; ++k) {
      SmallVector<Value> before = next;
      Value iv = index(loc, k);
      if (first)
        iv = arith::AddIOp::create(b, loc, first, iv,
                                   arith::IntegerOverflowFlags::nsw);
      if (failed(run(iv, before, next)))
        return failure();
    }
    return success();
  };
  if (loop.getStaticExtent() == steps) {
    SmallVector<Value> results;
    if (failed(runSteps(Value(), seeds, results)))
      return failure();
    for (auto [from, to] : llvm::zip(loop.getResults(), results))
      set(from, to);
    return success();
  }
  if (steps > 1) {
    Value groups = index(loc, *loop.getStaticExtent() / steps);
    FailureOr<SmallVector<Value>> results = emitCountedLoop(
        loop, groups, seeds,
        [&](Value group, ValueRange accumulators, SmallVector<Value> &next) {
          Value first = arith::MulIOp::create(b, loc, group, index(loc, steps),
                                              arith::IntegerOverflowFlags::nsw);
          return runSteps(first, accumulators, next);
        });
    if (failed(results))
      return failure();
    for (auto [from, to] : llvm::zip(loop.getResults(), *results))
      set(from, to);
    return success();
  }
  if (std::optional<int64_t> most = getUnrolledExtent(loop)) {
    // Mostly all of them: straight code, whose accesses can be joined.
    if (failed(enterRegions(loop, loop.getExtent())))
      return failure();
    Value limit = index(loc, *most);
    Value full =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, extent, limit);
    auto branch = scf::IfOp::create(b, loc, loop.getResultTypes(), full,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    if (!branch.thenBlock()->empty())
      branch.thenBlock()->back().erase();
    if (!branch.elseBlock()->empty())
      branch.elseBlock()->back().erase();
    b.setInsertionPointToEnd(branch.thenBlock());
    SmallVector<Value> results = seeds;
    for (int64_t k = 0; k < *most; ++k) {
      SmallVector<Value> next;
      if (failed(run(index(loc, k), results, next)))
        return failure();
      results = next;
    }
    scf::YieldOp::create(b, loc, results);
    b.setInsertionPointToEnd(branch.elseBlock());
    FailureOr<SmallVector<Value>> rest =
        emitCountedLoop(loop, extent, seeds, run);
    if (failed(rest))
      return failure();
    scf::YieldOp::create(b, loc, *rest);
    for (auto [from, to] : llvm::zip(loop.getResults(), branch.getResults()))
      set(from, to);
    ctx = saved;
    return success();
  }
  if (failed(enterRegions(loop, loop.getExtent() ? ValueRange(loop.getExtent())
                                                 : ValueRange())))
    return failure();
  FailureOr<SmallVector<Value>> results =
      emitCountedLoop(loop, extent, seeds, run);
  if (failed(results))
    return failure();
  for (auto [from, to] : llvm::zip(loop.getResults(), *results))
    set(from, to);
  ctx = saved;
  return success();
}

/// Whether some array is both read and written below the loop.
static bool rereads(kernel::ForOp loop) {
  llvm::SmallDenseSet<Value> read, written;
  forEachAccess(loop, [&](Operation *op, Value array, bool writes) {
    (writes ? written : read).insert(array);
  });
  return llvm::any_of(read,
                      [&](Value array) { return written.contains(array); });
}

/// One iteration a thread.
LogicalResult KernelEmitter::emitThreadFor(kernel::ForOp loop) {
  Location loc = loop.getLoc();
  unsigned axis = loop.getLevelAttr().getAxis(), bit = 1u << axis;
  if (ctx.bound & bit)
    return refuse(loc, "two thread loops on one axis are nested");
  int64_t count = *loop.getStaticExtent();
  Value number = threadId[axis], isIn;
  if (count < plan.blockSize[axis])
    isIn = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, number,
                                 index(loc, count));
  bool leaf = !loop.getBody()
                   .walk([&](kernel::ForOp inner) {
                     return inner.getLevelKind() == kernel::LevelKind::Thread
                                ? WalkResult::interrupt()
                                : WalkResult::advance();
                   })
                   .wasInterrupted();
  Context saved = ctx;
  digits.push_back({loop.getDim(), number, index(loc, count)});
  auto isPrivate = [&](Value array) { return getPlace(array).isPrivate; };
  if (leaf && !ctx.leaf && failed(waitFor(loop)))
    return failure();
  LogicalResult done = success();
  if (leaf && loop.isParallel()) {
    // Nobody waits in here, so that idle threads skip it.
    Value condition = both(loc, ctx.active, isIn);
    ctx.bound |= bit;
    ctx.active = nullptr;
    ctx.leaf = true;
    ctx.uniform = false;
    if (getUnbound() && !hasPrivateWrites(loop, isPrivate)) {
      condition = both(loc, condition, getWriter(loc));
      ctx.bound = used;
    }
    if (condition)
      ctx.subgroupUniform = false;
    if (getUnbound() && rereads(loop))
      return refuse(loc, "threads would read what another writes");
    set(loop.getInductionVar(), number);
    done = emitIfTrue(loc, condition,
                      [&] { return emitBody(*loop.getBodyBlock()); });
  } else {
    if (leaf && getUnbound() != bit && rereads(loop))
      return refuse(loc, "threads would read what another writes");
    ctx.bound |= bit;
    ctx.active = both(loc, ctx.active, isIn);
    ctx.leaf |= leaf;
    if (isIn)
      number = arith::MinSIOp::create(b, loc, number, index(loc, count - 1));
    set(loop.getInductionVar(), number);
    digits.back().index = number;
    if (loop.isParallel())
      done = emitBody(*loop.getBodyBlock());
    else
      done = loop.isReduce() ? emitThreadFold(loop, isIn, saved)
                             : emitThreadScan(loop, isIn, saved);
  }
  digits.pop_back();
  ctx = saved;
  return done;
}
