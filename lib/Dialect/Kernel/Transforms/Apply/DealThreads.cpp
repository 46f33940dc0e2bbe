//===- DealThreads.cpp - Launches that say who the threads are ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. How many threads of a block walk which dimension is the best answer to
// the sizes of a call, and nothing that code depends on: a block has as many
// threads in any case. A schedule says how many there are at most along each
// dimension, and the host what that is at these sizes (Shared/EvenThreads.h).
// The kernel takes for each dimension how many there are, T, and how far apart
// they stand, S; threads past the product of all T leave. A quotient of numbers
// below 2^10 is a product: n / S = (n * ceil(2^20 / S)) >> 20.
//
// Before   kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M { body } }
//          i = [block.1, unroll 4, thread.y 8], j = [block.0, thread.x 32]
//          or i = [block.1, unroll 4, thread.y 64], j = [block.0, thread.x 4]
// After    kernel.for "i.0" (%a) in (N ceildiv 4 + Ti - 1) / Ti at block.1 {
//            kernel.for "j.0" (%b) in (M + Tj - 1) / Tj at block.0 {
//              kernel.for "threads" (%t) in 256 at thread.x {
//                %p = (%t / Si) mod Ti   %q = (%t / Sj) mod Tj
//                %j = b Tj + q
//                scf.if %t < Ti Tj and %j < %M {
//                  scf.if 4 a Ti + p + 3 Ti < %N {
//                    kernel.for "i.1" (%k) in 4 at unroll { body }
//                  } else { the same, each with a mask, as many at a time as
//                           registers allow (TailParts.h) } } } } }
//
// A fold in the body is done by each thread alone, by the digits that it has.
//
// Legal: the nest is parallel, so that any order of its iterations is right,
// and each of them is one of exactly one thread: the shares are disjoint and
// complete.
//
//===----------------------------------------------------------------------===//

#include "DealThreads.h"

#include "TailParts.h"

#include "../Shared/NestScalars.h"

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

/// The digit of `dim` at `kind`; null if it has none.
static DigitAttr findDigit(DimDigitsAttr dim, LevelKind kind) {
  for (DigitAttr digit : dim.getDigits())
    if (digit.getLevel().getKind() == kind)
      return digit;
  return {};
}

ScheduleAttr arrc::kernel::dropThreads(ScheduleAttr schedule) {
  SmallVector<DimDigitsAttr> dims;
  for (DimDigitsAttr dim : schedule.getDims()) {
    SmallVector<DigitAttr> digits;
    llvm::copy_if(dim.getDigits(), std::back_inserter(digits),
                  [](DigitAttr digit) { return !digit.getLevel().isThread(); });
    dims.push_back(
        DimDigitsAttr::get(schedule.getContext(), dim.getDim(), digits));
  }
  return schedule.withClauses(dims, schedule.getStage(), schedule.getKeep(),
                              schedule.getPrivates());
}

/// The only loop of the body of `launch`; null if there are others.
static ForOp getRoot(LaunchOp launch) {
  ForOp root;
  for (Operation &op : launch.getBodyBlock()->without_terminator()) {
    if (!op.getNumRegions())
      continue;
    if (root || !isa<ForOp>(op))
      return {};
    root = cast<ForOp>(op);
  }
  return root;
}

StringRef arrc::kernel::whyNotDealt(LaunchOp launch, ScheduleAttr schedule) {
  ForOp root = getRoot(launch);
  if (!root)
    return "it is not one nest of loops";
  SmallVector<ForOp> nest = getNest(root);
  for (ForOp loop : nest) {
    if (!loop.isParallel())
      return "its outer loops are not all parallel";
    if (!schedule.lookup(loop.getDim()))
      return "some of its loops have no digits";
    if (Value extent = loop.getExtent())
      if (nest.front()->isAncestor(extent.getParentRegion()->getParentOp()))
        return "a loop is as long as another one says";
  }
  // Loops inside are what one thread does.
  for (DimDigitsAttr dim : schedule.getDims())
    if (llvm::none_of(
            nest,
            [&](ForOp loop) { return loop.getDimAttr() == dim.getDim(); }) &&
        (findDigit(dim, LevelKind::Block) || findDigit(dim, LevelKind::Thread)))
      return "threads or blocks share loops inside of it";
  // The index of an error is told by the indices of loops.
  WalkResult found = root->walk([](Operation *op) {
    return isa<CheckOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted() ? "it records errors" : "";
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

namespace {

/// A dimension of the nest.
struct Dim {
  ForOp loop;
  LevelAttr block;
  int64_t unroll = 1, width = 1;
  /// Vectors are inside or not as a whole.
  bool isWhole = true;
  ShareValues share;
  /// Its end, how many threads walk it, and iterations from one unrolled step
  /// to the next.
  Value extent, threads, step;
  /// The first iteration of the thread.
  Value first;

  bool isOne() const { return unroll == 1 && (width == 1 || isWhole); }
};

class Dealer {
public:
  Dealer(IRRewriter &rewriter, LaunchOp launch, ArrayRef<ShareValues> shares)
      : rewriter(rewriter), launch(launch), loc(launch.getLoc()),
        nest(getNest(getRoot(launch))), scalars(nest) {
    ScheduleAttr schedule = launch.getScheduleAttr();
    for (ForOp loop : nest)
      for (auto [digits, share] : llvm::zip(schedule.getDims(), shares))
        if (digits.getDim() == loop.getDim())
          addDim(loop, digits, share);
  }

  LogicalResult run();

private:
  void addDim(ForOp loop, DimDigitsAttr digits, ShareValues share);
  LogicalResult openBlocks();
  void openThreads();
  void emitThread();
  void emitSteps(bool masked);

  Value number(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  }
  Value multiply(Value a, int64_t factor) {
    AffineExpr d0 = rewriter.getAffineDimExpr(0);
    return toValue(rewriter, loc,
                   affine::makeComposedFoldedAffineApply(
                       rewriter, loc, AffineMap::get(1, 0, d0 * factor), {a}));
  }
  Value add(Value a, Value b) {
    AffineExpr d0 = rewriter.getAffineDimExpr(0),
               d1 = rewriter.getAffineDimExpr(1);
    return toValue(rewriter, loc,
                   affine::makeComposedFoldedAffineApply(
                       rewriter, loc, AffineMap::get(2, 0, d0 + d1), {a, b}));
  }
  /// The quotient of `value`, below kMostDealt, for which `factor` stands.
  Value divide(Value value, Value factor) {
    Value product = arith::MulIOp::create(rewriter, loc, value, factor);
    return arith::ShRUIOp::create(rewriter, loc, product,
                                  number(kReciprocalBits));
  }
  /// `value`, which is `mask` at most: the mask says so to who bounds indices.
  Value limit(Value value, int64_t mask) {
    return arith::AndIOp::create(rewriter, loc, value, number(mask));
  }
  /// Joins `condition` with that `index` is inside of `dim`.
  Value require(Value condition, const Dim &dim, Value index) {
    Value inside = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::slt, index, dim.extent);
    if (!condition)
      return inside;
    return arith::AndIOp::create(rewriter, loc, condition, inside);
  }
  scf::IfOp createGuard(Value condition, bool hasElse) {
    auto guard = scf::IfOp::create(rewriter, loc, condition, hasElse);
    if (!hasElse)
      guard->setAttr(kTailAttr, rewriter.getUnitAttr());
    return guard;
  }
  ForOp open(ForOp model, const Twine &name, OpFoldResult extent,
             LevelAttr level) {
    ForOp loop = createLoopLike(rewriter, model, name.str(), extent, {}, level);
    rewriter.setInsertionPoint(loop.getBodyBlock()->getTerminator());
    return loop;
  }
  LevelAttr getLevel(LevelKind kind) {
    return LevelAttr::get(rewriter.getContext(), kind, 0);
  }

  IRRewriter &rewriter;
  LaunchOp launch;
  Location loc;
  SmallVector<ForOp> nest;
  NestScalars scalars;
  SmallVector<Dim> dims;
  IRMapping mapping;
  /// Whether a thread has a place; null if all have.
  Value works;
};

} // namespace

void Dealer::addDim(ForOp loop, DimDigitsAttr digits, ShareValues share) {
  Dim dim;
  dim.loop = loop;
  dim.share = share;
  dim.block = findDigit(digits, LevelKind::Block).getLevel();
  if (DigitAttr digit = findDigit(digits, LevelKind::Unroll))
    dim.unroll = digit.getSize();
  if (DigitAttr digit = findDigit(digits, LevelKind::Vector))
    dim.width = digit.getSize();
  dim.isWhole = isMultiple(loop.getMixedExtent(), dim.width);
  dims.push_back(dim);
}

LogicalResult Dealer::openBlocks() {
  for (Dim &dim : dims) {
    FailureOr<OpFoldResult> extent =
        scalars.cloneExtent(rewriter, dim.loop, mapping);
    if (failed(extent))
      return failure();
    dim.extent = toValue(rewriter, loc, *extent);
    OpFoldResult count =
        createCeilDiv(rewriter, loc, *extent, dim.unroll * dim.width);
    dim.threads = number(1);
    if (dim.share.threads) {
      // Every block, and the host, may divide by it.
      dim.threads =
          arith::MaxSIOp::create(rewriter, loc, dim.share.threads, number(1));
      Value past = arith::SubIOp::create(rewriter, loc, dim.threads, number(1));
      Value sum = arith::AddIOp::create(rewriter, loc,
                                        toValue(rewriter, loc, count), past);
      count =
          arith::DivUIOp::create(rewriter, loc, sum, dim.threads).getResult();
    }
    dim.step = multiply(dim.threads, dim.width);
    // The loops around are built one in another.
    dim.first = open(dim.loop, dim.loop.getDim() + ".0", count, dim.block)
                    .getInductionVar();
  }
  return success();
}

void Dealer::openThreads() {
  int64_t count = launch.getScheduleAttr().getThreads();
  Value thread = open(nest.front(), "threads", rewriter.getIndexAttr(count),
                      getLevel(LevelKind::Thread))
                     .getInductionVar();
  Value all;
  for (Dim &dim : dims) {
    int64_t own = dim.unroll * dim.width;
    auto [shared, byThreads, byApart] = dim.share;
    Value threads = dim.threads;
    if (!shared) {
      dim.first = multiply(dim.first, own);
      continue;
    }
    Value place = divide(thread, byApart);
    Value round =
        arith::MulIOp::create(rewriter, loc, divide(place, byThreads), threads);
    Value mine = arith::SubIOp::create(rewriter, loc, place, round);
    mine = limit(mine, kMostDealt - 1);
    Value block = arith::MulIOp::create(rewriter, loc, dim.first, threads);
    dim.first = add(multiply(block, own), multiply(mine, dim.width));
    all = all ? limit(arith::MulIOp::create(rewriter, loc, all, threads),
                      2 * kMostDealt - 1)
              : threads;
  }
  if (all)
    works = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                  thread, all);
}

/// What a thread does: nothing past the end of dimensions of which it has one
/// step; the steps of the others together, or in parts.
void Dealer::emitThread() {
  Value inside = works, all;
  for (const Dim &dim : dims)
    if (dim.isOne())
      inside = require(inside, dim, dim.first);
  if (inside)
    rewriter.setInsertionPoint(createGuard(inside, false).thenYield());
  for (const Dim &dim : dims) {
    if (dim.isOne())
      continue;
    Value last =
        arith::MulIOp::create(rewriter, loc, dim.step, number(dim.unroll - 1));
    if (!dim.isWhole)
      last = add(last, number(dim.width - 1));
    all = require(all, dim, add(dim.first, last));
  }
  if (!all)
    return emitSteps(/*masked=*/false);
  scf::IfOp branch = createGuard(all, /*hasElse=*/true);
  rewriter.setInsertionPoint(branch.thenYield());
  emitSteps(/*masked=*/false);
  rewriter.setInsertionPoint(branch.elseYield());
  emitSteps(/*masked=*/true);
}

void Dealer::emitSteps(bool masked) {
  SmallVector<Value> indices;
  int64_t together = 1;
  for (const Dim &dim : dims)
    together *= dim.width;
  for (Dim &dim : dims) {
    Value index = dim.first;
    if (dim.unroll > 1) {
      int64_t part = masked ? getMaskedPart(nest.back(), dim.unroll, together)
                            : dim.unroll;
      together *= part;
      auto openStep = [&](int64_t extent, LevelKind kind) {
        return open(dim.loop, dim.loop.getDim() + ".1",
                    rewriter.getIndexAttr(extent), getLevel(kind))
            .getInductionVar();
      };
      Value step;
      if (part < dim.unroll)
        step = openStep(dim.unroll / part, LevelKind::Seq);
      if (part > 1) {
        Value inner = openStep(part, LevelKind::Unroll);
        step = step ? add(multiply(step, part), inner) : inner;
      }
      index = add(index, arith::MulIOp::create(rewriter, loc, step, dim.step));
    }
    indices.push_back(index);
  }
  Value inside;
  for (auto [dim, index] : llvm::zip(dims, indices)) {
    if (dim.width > 1) {
      bool alone = masked && !dim.isWhole;
      Value lane = open(dim.loop, dim.loop.getDim() + ".3",
                        rewriter.getIndexAttr(dim.width),
                        getLevel(alone ? LevelKind::Seq : LevelKind::Vector))
                       .getInductionVar();
      if (!alone && !dim.isOne() && masked)
        inside = require(inside, dim, index);
      index = add(index, lane);
      if (alone)
        inside = require(inside, dim, index);
    } else if (masked && !dim.isOne()) {
      inside = require(inside, dim, index);
    }
    mapping.map(dim.loop.getInductionVar(), index);
  }
  if (inside)
    rewriter.setInsertionPoint(createGuard(inside, false).thenYield());
  IRMapping copies = mapping;
  scalars.cloneAll(rewriter, copies);
  for (Operation &op : nest.back().getBodyBlock()->without_terminator())
    rewriter.clone(op, copies);
}

LogicalResult Dealer::run() {
  OpBuilder::InsertionGuard guard(rewriter);
  ForOp root = nest.front();
  rewriter.setInsertionPoint(root);
  if (failed(openBlocks()))
    return failure();
  openThreads();
  emitThread();
  rewriter.eraseOp(root);
  launch.setScheduleAttr(dropThreads(launch.getScheduleAttr()));
  return success();
}

LogicalResult arrc::kernel::dealThreads(IRRewriter &rewriter, LaunchOp launch,
                                        ArrayRef<ShareValues> shares) {
  if (StringRef reason = whyNotDealt(launch, launch.getScheduleAttr());
      !reason.empty())
    return launch.emitOpError("has a schedule that deals threads, and ")
           << reason;
  SmallVector<ShareValues> inside;
  OpBuilder::InsertionGuard guard(rewriter);
  // The mask says how large they are, which bounds all indices: it is computed
  // with by the host, too, where a fact could not be.
  auto take = [&](Value operand, int64_t most) -> Value {
    Location loc = launch.getLoc();
    BlockArgument argument = launch.addInput(operand);
    rewriter.setInsertionPointToStart(launch.getBodyBlock());
    Value mask = arith::ConstantIndexOp::create(rewriter, loc, 2 * most - 1);
    return arith::AndIOp::create(rewriter, loc, argument, mask);
  };
  for (auto [threads, byThreads, byApart] : shares)
    inside.push_back(threads ? ShareValues{take(threads, kMostDealt),
                                           take(byThreads, kReciprocal),
                                           take(byApart, kReciprocal)}
                             : ShareValues());
  return Dealer(rewriter, launch, inside).run();
}
