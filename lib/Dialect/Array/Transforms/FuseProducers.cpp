//===- FuseProducers.cpp - Elements are computed where they are read ------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Idea. A map whose elements are read by other bodies need not be an array: the
// body is put in the place of the read, with the subscripts for its indices.
//
//   %t = array.map (%i) in (%n) {           %r = array.map (%i) in (%n) {
//     %x = array.at %a[%i] ..                 %x = array.at %a[%i] ..
//     %y = arith.mulf %x, %c           ->     %y = arith.mulf %x, %c
//     array.yield %y }                        %z = math.exp %y
//   %r = array.map (%i) in (%n) {             array.yield %z }
//     %u = array.at %t[%i] ..
//     %z = math.exp %u
//     array.yield %z }
//
// Reads at one place of one element share a copy of the body. A read through
// `array.extend` takes the boundary along: where the producer reads arrays of
// its own shape at its own index only, these are extended instead; else the
// index is resolved first. A read through a reshape reads reshaped arrays.
//
// Legal if every read is proved inside, the array itself is not needed (it is
// not returned, carried or stored), and no `assert` goes with its elements.
//
// Pays if nothing is computed twice: no two points of the places that read it
// read the same element (DistinctReads.h), as in `e[::2] + e[1::2]`. A body
// that is computed again must be cheap: a few operations and reads where a
// known number of places read it, hardly more than a read where a loop repeats
// it, and no loop: reductions are never repeated. On a device a stencil is
// computed again for each neighbour that reads it while that costs less than to
// write it to memory and to read it: threads that take several results share
// most of it again (kernel-jam-loops).
//
// Source: deforestation; Futhark's producer-consumer fusion (Henriksen et al.,
// FHPC 2013); Halide's `inline` schedule.
//
//===----------------------------------------------------------------------===//

#include "FuseProducers.h"

#include "Backwards.h"
#include "BodyCost.h"
#include "DistinctReads.h"
#include "Readers.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Array/IR/GuardedRead.h"
#include "arrc/Dialect/Array/IR/WrittenSchedule.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "llvm/ADT/SetVector.h"

namespace arrc::array {
#define GEN_PASS_DEF_FUSEPRODUCERSPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

//===----------------------------------------------------------------------===//
// Readers
//===----------------------------------------------------------------------===//

/// Adds a read to the place that it belongs to.
static void addRead(Readers &readers, AtOp at, ExtendOp extend,
                    unsigned indices) {
  SmallVector<LinearIndex> point;
  for (Value index : at.getIndices().take_front(indices))
    point.emplace_back(index);
  for (Place &place : readers.places) {
    if (place.extend != extend || place.point != point ||
        place.reads.front()->getBlock() != at->getBlock())
      continue;
    place.reads.push_back(at);
    if (at->isBeforeInBlock(place.reads.front()))
      std::swap(place.reads.front(), place.reads.back());
    return;
  }
  readers.places.push_back({{at}, extend, point});
}

/// Follows one array, which may be bound or extended on the way.
static void addReaders(Readers &readers, IndexSpaceOpInterface producer,
                       Value array, ExtendOp extend) {
  for (Operation *user : array.getUsers()) {
    auto at = dyn_cast<AtOp>(user);
    if (at && at->getParentOfType<IndexSpaceOpInterface>()) {
      addRead(readers, at, extend, producer.getNumIndices());
    } else if (auto bind = dyn_cast<BindOp>(user)) {
      addReaders(readers, producer, bind.getResult(), extend);
    } else if (auto outer = dyn_cast<ExtendOp>(user); outer && !extend) {
      addReaders(readers, producer, outer.getResult(), outer);
    } else {
      readers.needing.push_back(user);
    }
  }
}

IndexSpaceOpInterface arrc::array::findOwnProducer(Value array) {
  for (; auto bind = array.getDefiningOp<BindOp>(); array = bind.getSource())
    if (!bind.getResult().hasOneUse())
      return {};
  auto space = array.getDefiningOp<IndexSpaceOpInterface>();
  if (!space || !isa<MapOp, StencilOp>(space.getOperation()) ||
      hasWrittenSchedule(space) || space->getNumResults() != 1 ||
      !array.hasOneUse() ||
      isa<RankedTensorType>(space.getYield().getValues().front().getType()))
    return {};
  return space;
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

static constexpr char kHasAssert[] = "an assert must run for every element";
static constexpr char kMayBeOutside[] = "a read of it may be out of bounds";

bool arrc::array::hasAssert(IndexSpaceOpInterface producer) {
  return producer.getBodyBlock()
      ->walk([](CheckOp check) {
        return check.getKind() == CheckKind::Assert ? WalkResult::interrupt()
                                                    : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Why the body cannot be copied to its reads; empty if it can.
static std::string whyNotLegal(IndexSpaceOpInterface producer,
                               const Readers &readers) {
  if (hasWrittenSchedule(producer))
    return "its schedule is written in the program";
  if (hasAssert(producer))
    return kHasAssert;
  for (const Place &place : readers.places)
    for (AtOp at : place.reads) {
      if (!at.getInbounds())
        return kMayBeOutside;
      auto space = at->getParentOfType<IndexSpaceOpInterface>();
      Region *combiner = space.getCombinerRegion();
      if (combiner && combiner->isAncestor(at->getParentRegion()))
        return "it is read by the operator of a fold";
      if (place.extend && !canExtendReads(producer, place.extend) &&
          !canResolve(producer, place.extend))
        return "its boundary is a value";
    }
  return "";
}

//===----------------------------------------------------------------------===//
// Profitability
//===----------------------------------------------------------------------===//

/// Whether a host loop stands between the producer and the place.
static bool isRepeatedByHost(Operation *producer, const Place &place) {
  bool inBody = true;
  for (Operation *op = place.reads.front()->getParentOp();
       op && !op->isAncestor(producer); op = op->getParentOp()) {
    inBody = op->getParentOfType<IndexSpaceOpInterface>() != nullptr;
    if (!inBody && isa<scf::ForOp, scf::WhileOp>(op))
      return true;
  }
  return false;
}

/// Whether no two points of the place read the same element: every index of a
/// loop between the producer and the place decides one subscript alone.
static bool readsOnce(Operation *producer, const Place &place) {
  AtOp read = place.reads.front();
  if (decidesOwnElement(producer, {read, place.point}))
    return true;
  // As many points as elements compute none twice on the whole.
  auto space = cast<IndexSpaceOpInterface>(producer);
  auto around = dyn_cast<IndexSpaceOpInterface>(
      read->getParentOfType<IndexSpaceOpInterface>().getOperation());
  bool isAsLarge =
      around->getBlock() == producer->getBlock() &&
      around.getNumIndices() == space.getNumIndices() &&
      llvm::equal(around.getMixedExtents(), space.getMixedExtents(),
                  [](OpFoldResult points, OpFoldResult elements) {
                    std::optional<int64_t> more =
                        LinearIndex::ofSize(points).distanceFrom(
                            LinearIndex::ofSize(elements));
                    return more && *more <= 0;
                  });
  auto point = llvm::map_to_vector(place.point, getMostly);
  return isAsLarge && decidesOwnElement(producer, {read, point});
}

/// Whether all places together read no element twice.
static bool allReadOnce(Operation *producer, const Readers &readers) {
  SmallVector<PlacedRead> reads;
  for (const Place &place : readers.places) {
    // Behind a boundary elements are met again.
    if (place.extend && readers.places.size() > 1)
      return false;
    reads.push_back({place.reads.front(), place.point});
  }
  return areDistinct(producer, reads);
}

/// Whether computing an element costs no more than reading it.
static bool isFree(const BodyCost &cost, int64_t maxWork) {
  return !cost.loops && cost.reads == 0 && cost.work <= maxWork / 2;
}

/// Additions in the time that an element takes to memory and back.
static constexpr int64_t kElementWork = 64;

/// Whether threads have registers for what all copies of a body read. Places of
/// a chain of stencils are as many as ways lead through it, twice as many with
/// each at least: copies that read one element inside are told from each other
/// by its edges.
static bool fitsInRegisters(const BodyCost &cost, const Readers &readers) {
  return readers.places.size() < 2 ||
         int64_t(readers.places.size()) * cost.reads <= kRegisters;
}

/// Whether a small body is no more work at all of its places than to keep the
/// array; those that are one at most points are computed once.
static bool isSmallAtAll(const BodyCost &cost, const Readers &readers) {
  SmallVector<SmallVector<LinearIndex>> points;
  for (const Place &place : readers.places) {
    auto point = llvm::map_to_vector(place.point, getMostly);
    if (!llvm::is_contained(points, point))
      points.push_back(std::move(point));
  }
  auto count = int64_t(points.size());
  int64_t moreReads = count * cost.reads - count - cost.reads;
  return (count - 1) * cost.work + kReadWork * moreReads <= kElementWork;
}

/// Why fusing does not pay; empty if it does.
static std::string whyNotWorth(IndexSpaceOpInterface producer,
                               const Readers &readers,
                               const Repetition &repetition) {
  int64_t maxWork = repetition.maxWork;
  BodyCost cost = BodyCost::of(*producer.getBodyBlock());
  bool free = isFree(cost, maxWork);
  if (!fitsInRegisters(cost, readers))
    return llvm::formatv("{0} copies of its body are too many",
                         readers.places.size())
        .str();
  if (!readers.needing.empty())
    return free || costsLessThanMemory(producer, readers, repetition)
               ? ""
               : "the array is needed anyway";
  if (readers.places.size() == 1 && readsOnce(producer, readers.places[0]))
    return "";
  // A reduction stays one: what folds elements of it would hide it.
  if (cost.loops)
    return "its reduction would be repeated";
  if (allReadOnce(producer, readers))
    return "";
  bool byHost = llvm::any_of(readers.places, [&](const Place &place) {
    return isRepeatedByHost(producer, place);
  });
  // In a loop of the host the array is read again, in place of its sources.
  if (byHost && !free && (cost.reads > 1 || cost.work > 1))
    return "it would be computed again in every step of a loop";
  // A loop around the read repeats the body any number of times: then it must
  // cost no more than the read.
  bool manyTimes = llvm::any_of(readers.places, [&](const Place &place) {
    return !readsOnce(producer, place);
  });
  if (manyTimes ? free || (cost.work <= 2 && cost.reads <= 1)
                : (cost.work <= maxWork && cost.reads <= 2 &&
                   isSmallAtAll(cost, readers)) ||
                      costsLessThanMemory(producer, readers, repetition))
    return "";
  return llvm::formatv(
      "{0} operations and {1} {2} would be repeated {3}", cost.work, cost.reads,
      cost.reads == 1 ? "read" : "reads",
      readers.places.size() == 1
          ? std::string("by a loop around its read")
          : llvm::formatv("at each of {0} reads", readers.places.size()).str());
}

bool arrc::array::vanishesInReaders(IndexSpaceOpInterface producer,
                                    const Repetition &repetition) {
  Readers readers;
  for (Value result : producer->getResults())
    addReaders(readers, producer, result, ExtendOp());
  return !readers.places.empty() && readers.needing.empty() &&
         whyNotLegal(producer, readers).empty() &&
         whyNotWorth(producer, readers, repetition).empty();
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// Clones the body in front of the first read of `place`, and gives every read
/// its value.
static void fuseInto(RewriterBase &rewriter, IndexSpaceOpInterface producer,
                     Place &place) {
  AtOp first = place.reads.front();
  Location loc = first.getLoc();
  rewriter.setInsertionPoint(first);
  unsigned count = producer.getNumIndices();
  SmallVector<Value> point(first.getIndices().take_front(count));
  bool extendReads = place.extend && canExtendReads(producer, place.extend);
  // What is inside for one read of the place is inside for all.
  bool guarded = llvm::all_of(
      place.reads, [](AtOp at) { return at->hasAttr(kGuardedAttr); });
  if (place.extend && !extendReads)
    point = resolveIndices(rewriter, loc, place.extend, producer, point);
  IRMapping mapping;
  mapping.map(producer.getIndices(), point);
  for (Operation &op : producer.getBodyBlock()->without_terminator()) {
    Operation *copy = rewriter.clone(op, mapping);
    copy->walk([&](Operation *inner) {
      inner->setLoc(CallSiteLoc::get(inner->getLoc(), loc));
      if (guarded && isa<AtOp>(inner))
        inner->setAttr(kGuardedAttr, rewriter.getUnitAttr());
    });
    // Other reads do not depend on where the producer is read.
    auto at = dyn_cast<AtOp>(op);
    if (at && extendReads &&
        llvm::equal(at.getIndices(), producer.getIndices()))
      extendRead(rewriter, cast<AtOp>(copy), place.extend);
  }
  for (AtOp at : place.reads) {
    // A read through bind or extend ends at one of the producer's results.
    Value array = at.getSource();
    while (array.getDefiningOp() != producer)
      array = array.getDefiningOp()->getOperand(0);
    Value value = mapping.lookupOrDefault(
        producer.getYield()
            .getValues()[cast<OpResult>(array).getResultNumber()]);
    if (isa<RankedTensorType>(value.getType())) {
      rewriter.setInsertionPoint(at);
      value = rewriter.createOrFold<AtOp>(at.getLoc(), value,
                                          at.getIndices().drop_front(count),
                                          /*inbounds=*/true);
      if (auto read = value.getDefiningOp<AtOp>())
        keepGuard(at, read);
    }
    rewriter.replaceOp(at, value);
  }
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct FuseProducersPass
    : arrc::array::impl::FuseProducersPassBase<FuseProducersPass> {
  using FuseProducersPassBase::FuseProducersPassBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateNormalFormPatterns(patterns);
    populateReshapePatterns(patterns);
    // Where it ends early, less is fused.
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
    // The last producer first: its readers end up in one body, where they share
    // what came before. Copies bring producers along, and change what may be
    // fused of what they are in: from there on all are asked again.
    for (Operation *op = getLast(getOperation()); op;) {
      auto producer = dyn_cast<IndexSpaceOpInterface>(op);
      Operation *changed =
          producer && isa<MapOp, StencilOp>(op) ? fuse(producer) : nullptr;
      op = changed ? changed : getBefore(op, getOperation());
    }
    report();
  }

  /// The last operation whose body changes when `op` is fused.
  static Operation *getLastChanged(IndexSpaceOpInterface op,
                                   const Readers &readers) {
    Operation *last = nullptr;
    for (const Place &place : readers.places)
      if (Operation *reader =
              op->getBlock()->findAncestorOpInBlock(*place.reads.front());
          reader && (!last || last->isBeforeInBlock(reader)))
        last = reader;
    for (Operation *outer = op->getParentOp(); outer;
         outer = outer->getParentOp())
      if (isa<IndexSpaceOpInterface>(outer))
        last = outer;
    return last ? last : getLast(op->getParentOfType<func::FuncOp>());
  }

  /// Fuses `op` into its readers, if it may and should be; what of the function
  /// to go on with, or null.
  Operation *fuse(IndexSpaceOpInterface op) {
    Readers readers;
    for (Value result : op->getResults())
      addReaders(readers, op, result, ExtendOp());
    if (readers.places.empty() || !whyNotLegal(op, readers).empty() ||
        !whyNotWorth(op, readers, {maxRepeatedWork, workPerByte}).empty())
      return nullptr;
    Operation *changed = getLastChanged(op, readers);
    remark::passed(op.getLoc(), getRemark()) << remark::add(
        "computed where it is read, {0} {1}", readers.places.size(),
        readers.places.size() == 1 ? "time" : "times");
    IRRewriter rewriter(&getContext());
    // The map of what is needed anyway has its own elements.
    bool staysThere =
        !readers.needing.empty() &&
        !isFree(BodyCost::of(*op.getBodyBlock()), maxRepeatedWork);
    for (Place &place : readers.places)
      if (!staysThere || !isOwnElement(op, place))
        fuseInto(rewriter, op, place);
    eraseIfUnused(rewriter, op);
    return changed;
  }

  /// Erases the producer and the views of it, unless it is needed.
  static void eraseIfUnused(RewriterBase &rewriter, Operation *op) {
    // A view may use an operation twice.
    llvm::SmallSetVector<Operation *, 4> users(op->user_begin(),
                                               op->user_end());
    for (Operation *user : users)
      if (isa<BindOp, ExtendOp>(user))
        eraseIfUnused(rewriter, user);
    if (op->use_empty())
      rewriter.eraseOp(op);
  }

  /// Says why what is left was not fused.
  void report() {
    getOperation().walk([&](IndexSpaceOpInterface op) {
      if (!isa<MapOp, StencilOp>(op.getOperation()))
        return;
      Readers readers;
      for (Value result : op->getResults())
        addReaders(readers, op, result, ExtendOp());
      if (readers.places.empty())
        return;
      std::string reason = whyNotLegal(op, readers);
      if (reason.empty())
        reason = whyNotWorth(op, readers, {maxRepeatedWork, workPerByte});
      auto remark = remark::missed(op.getLoc(), getRemark());
      remark << remark::add("kept as an array")
             << remark::reason("{0}", reason);
      if (std::string advice = adviseOn(reason); !advice.empty())
        remark << remark::suggest("{0}", advice);
    });
  }

  /// What a person can do about a refusal of `whyNotLegal`.
  static std::string adviseOn(StringRef reason) {
    if (reason == kMayBeOutside)
      return "say in a 'where' what keeps the index inside, or clamp it";
    if (reason == kHasAssert)
      return "assert before the 'for', or where the array is read";
    return "";
  }

  static remark::RemarkOpts getRemark() {
    return remark::RemarkOpts::name("FuseProducer").category("fuse-producers");
  }
};
} // namespace
