//===- StageUpdates.cpp - Update copies on chip ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. Updates of memory wait for each other where many have one element, and
// cost a request each where they have not. A block updates copies of its own on
// chip, neighbouring threads different ones, and then each element in memory
// once.
//
// Before   for i.0 at block {                // private = [H at i.0 shared ..]
//            for i.1 in 256 at thread.x { .. update %v, %H[%b] by addi } }
// After    for i.0 at block {
//            %c = local : bins * R
//            for t in 256 at thread.x { for k { %c[256 k + t] = 0 } }
//            for i.1 in 256 at thread.x {
//              .. update %v, %c[R %b + i.1 & (R - 1)] by addi }
//            for t in 256 at thread.x { for k {
//              %s = for r in R reduce { %c[R (256 k + t) + (r + t) & (R - 1)] }
//              update %s, %H[256 k + t] if %s != 0 by addi } } }
//
// Where all updates add one number, copies count in 32 bits how often. Of an
// array whose size is not a number, or that does not fit, the first elements
// have copies; the others are updated in memory.
//
// A block of `ranges` has the elements of its range, and passes over updates of
// others: a loop at block below i.0 goes over the ranges.
//
// Legal: in the block nothing but updates by one native operator (of integers,
// or sums of floats in any order) touches the array; a block counts up to 2^32.
// Pays where an element gets several updates of a block. Reference: Gomez-Luna
// et al., "An optimized approach to histogram computation on GPU" (2013).
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/NativeUpdates.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_STAGEUPDATESPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// One array
//===----------------------------------------------------------------------===//

namespace {

/// Gives one array of a launch copies in each iteration of `at`.
class UpdateStager {
public:
  UpdateStager(IRRewriter &rewriter, LaunchOp launch, ForOp at,
               PrivateCopies found, int64_t copies, int64_t bytes,
               bool inRanges)
      : b(rewriter), launch(launch), at(at), loc(at.getLoc()),
        found(std::move(found)), model(this->found.updates.front()),
        copies(copies), inRanges(inRanges) {
    int64_t most = bytes / (copies * this->found.getElementBytes());
    covered = std::min(this->found.size.value_or(most), most);
    auto type = cast<MemRefType>(this->found.array.getType());
    auto argument = dyn_cast<BlockArgument>(this->found.array);
    auto outer = this->found.array.getDefiningOp<LocalOp>();
    unsigned next = 0;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      sizes.push_back(argument ? launch.getSize(argument, dim)
                      : type.isDynamicDim(dim)
                          ? OpFoldResult(outer.getSizes()[next++])
                          : b.getIndexAttr(type.getDimSize(dim)));
  }

  /// The innermost thread loops below `at`, one an axis; false if threads could
  /// not be told apart.
  bool findThreads();
  void run();

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value multiply(Value x, Value y) {
    return arith::MulIOp::create(b, loc, x, y);
  }
  Value isBelow(Value x, Value y) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, x, y);
  }
  /// Loops over all threads of the block, and in each over its share of `count`
  /// elements: `body` gets the element, the thread and whether there is one.
  void forEachElement(Value count, StringRef suffix,
                      function_ref<void(Value, Value, Value)> body);
  /// Makes each iteration of `at` one for each range of the elements.
  void addRanges();
  void initialize();
  void replace(UpdateOp update);
  void merge();
  SmallVector<Value> split(Value element);
  UpdateOp createUpdate(Value value, Value dest, ValueRange place, Value mask);

  IRRewriter &b;
  LaunchOp launch;
  ForOp at;
  Location loc;
  PrivateCopies found;
  UpdateOp model;
  int64_t copies, covered = 0;
  bool inRanges;
  SmallVector<OpFoldResult> sizes;
  /// Threads along each axis, 1 where there are none.
  int64_t threads[3] = {1, 1, 1};
  Value local, neutral;
  /// Elements that have copies, the first of them where there are several
  /// ranges (else null), and all.
  Value count, base, size;
};

} // namespace

bool UpdateStager::findThreads() {
  at.getBody().walk([&](ForOp loop) {
    if (loop.getLevelKind() == LevelKind::Thread)
      threads[loop.getLevelAttr().getAxis()] =
          std::max<int64_t>(threads[loop.getLevelAttr().getAxis()],
                            loop.getStaticExtent().value_or(1));
  });
  return llvm::all_of(found.updates, [](UpdateOp update) {
    for (Operation *op = update; op; op = op->getParentOp())
      if (auto loop = dyn_cast<ForOp>(op);
          loop && loop.getLevelKind() == LevelKind::Thread)
        return true;
    return false;
  });
}

void UpdateStager::forEachElement(
    Value count, StringRef suffix,
    function_ref<void(Value, Value, Value)> body) {
  OpBuilder::InsertionGuard guard(b);
  std::string name = (at.getDim() + suffix).str();
  Value thread;
  int64_t all = 1;
  for (int axis = 2; axis >= 0; --axis) {
    if (threads[axis] == 1)
      continue;
    auto loop = ForOp::create(
        b, loc, name + std::to_string(axis), b.getIndexAttr(threads[axis]),
        ForKind::Parallel, ValueRange(),
        LevelAttr::get(b.getContext(), LevelKind::Thread, axis));
    b.setInsertionPoint(loop.getBodyBlock()->getTerminator());
    Value mine = loop.getInductionVar();
    thread = thread ? add(multiply(thread, index(threads[axis])), mine) : mine;
    all *= threads[axis];
  }
  OpFoldResult steps = createCeilDiv(b, loc, getAsOpFoldResult(count), all);
  auto loop =
      ForOp::create(b, loc, name, steps, ForKind::Parallel, ValueRange(),
                    LevelAttr::get(b.getContext(), LevelKind::Seq, 0));
  b.setInsertionPoint(loop.getBodyBlock()->getTerminator());
  Value element = loop.getInductionVar();
  if (!thread)
    thread = index(0);
  element = add(multiply(element, index(all)), thread);
  body(element, thread, isBelow(element, count));
}

void UpdateStager::addRanges() {
  b.setInsertionPoint(at);
  size = index(1);
  for (OpFoldResult extent : sizes)
    size = multiply(size, toValue(b, loc, extent));
  OpFoldResult all = getAsOpFoldResult(size);
  Value ranges = arith::MaxSIOp::create(
      b, loc, toValue(b, loc, createCeilDiv(b, loc, all, covered)), index(1));
  // As many in each.
  count = arith::CeilDivSIOp::create(b, loc, size, ranges);
  // Those that read the same run at the same time.
  at.setLevelAttr(LevelAttr::get(b.getContext(), LevelKind::Block, 1));
  b.setInsertionPointToStart(at.getBodyBlock());
  auto inner =
      ForOp::create(b, loc, (at.getDim() + "_v").str(), OpFoldResult(ranges),
                    ForKind::Parallel, ValueRange(),
                    LevelAttr::get(b.getContext(), LevelKind::Block, 0));
  Operation *end = inner.getBodyBlock()->getTerminator();
  while (inner->getNextNode() != at.getBodyBlock()->getTerminator())
    b.moveOpBefore(inner->getNextNode(), end);
  b.setInsertionPointToStart(inner.getBodyBlock());
  base = multiply(inner.getInductionVar(), count);
  at = inner;
}

void UpdateStager::initialize() {
  if (inRanges)
    addRanges();
  else
    b.setInsertionPointToStart(at.getBodyBlock());
  Type type = found.element;
  if (found.factor)
    neutral = arith::ConstantIntOp::create(b, loc, type, 0);
  else
    neutral = createNeutral(b, model);
  auto memory = MemRefType::get({covered * copies}, type);
  // A range takes what no other array may.
  if (inRanges)
    memory =
        MemRefType::get(memory.getShape(), type, MemRefLayoutAttrInterface(),
                        SpaceAttr::get(b.getContext(), Space::Shared));
  local = LocalOp::create(b, loc, memory, ValueRange(), StringAttr());
  if (!inRanges)
    count = index(covered);
  if (!inRanges && !found.size) {
    Value size = index(1);
    for (OpFoldResult extent : sizes)
      size = multiply(size, toValue(b, loc, extent));
    count = arith::MinSIOp::create(b, loc, size, count);
  }
  forEachElement(multiply(count, index(copies)), "_p",
                 [&](Value element, Value, Value inside) {
                   StoreOp::create(b, loc, neutral, local, element, inside);
                 });
}

UpdateOp UpdateStager::createUpdate(Value value, Value dest, ValueRange place,
                                    Value mask) {
  auto update = UpdateOp::create(b, loc, value, dest, place, mask);
  OpBuilder::InsertionGuard guard(b);
  buildCombiner(b, loc, update.getCombiner(), value.getType(),
                getOperator(model), YieldOp::getOperationName());
  return update;
}

void UpdateStager::replace(UpdateOp update) {
  loc = update.getLoc();
  b.setInsertionPoint(update);
  Value element;
  for (auto [size, place] : llvm::zip_equal(sizes, update.getIndices()))
    element = element ? add(multiply(element, toValue(b, loc, size)), place)
                      : Value(place);
  if (!element)
    element = index(0);
  Value mask = update.getMask(), mine = mask;
  if (inRanges) {
    element = arith::SubIOp::create(b, loc, element, base);
    Value near = isBelow(element, count);
    mine = mask ? arith::AndIOp::create(b, loc, mask, near) : near;
  } else if (found.size != covered) {
    Value near = isBelow(element, count);
    mine = mask ? arith::AndIOp::create(b, loc, mask, near) : near;
    Value far = arith::XOrIOp::create(
        b, loc, near, arith::ConstantIntOp::create(b, loc, 1, 1));
    if (mask)
      far = arith::AndIOp::create(b, loc, mask, far);
    createUpdate(update.getValue(), found.array,
                 SmallVector<Value>(update.getIndices()), far);
  }
  Value copy;
  for (Operation *op = update->getParentOp(); op != at; op = op->getParentOp())
    if (auto loop = dyn_cast<ForOp>(op);
        loop && loop.getLevelKind() == LevelKind::Thread && !copy)
      copy = loop.getInductionVar();
  copy = arith::AndIOp::create(b, loc, copy, index(copies - 1));
  Value place = add(multiply(element, index(copies)), copy);
  Value value = update.getValue();
  if (found.factor)
    value = arith::ConstantIntOp::create(b, loc, found.element, 1);
  createUpdate(value, local, place, mine)
      ->setAttr(kCopiesAttr, b.getI64IntegerAttr(copies));
  b.eraseOp(update);
}

/// The place of an element in the array.
SmallVector<Value> UpdateStager::split(Value element) {
  SmallVector<Value> place;
  for (OpFoldResult size : llvm::reverse(ArrayRef(sizes).drop_front())) {
    Value extent = toValue(b, loc, size);
    place.push_back(arith::RemUIOp::create(b, loc, element, extent));
    element = arith::DivUIOp::create(b, loc, element, extent);
  }
  place.push_back(element);
  std::reverse(place.begin(), place.end());
  return place;
}

void UpdateStager::merge() {
  loc = at.getLoc();
  b.setInsertionPoint(at.getBodyBlock()->getTerminator());
  forEachElement(count, "_q", [&](Value element, Value thread, Value inside) {
    Value first = multiply(element, index(copies)), total;
    if (copies == 1) {
      total = LoadOp::create(b, loc, local, first, EdgesAttr(), inside);
    } else {
      auto fold = ForOp::create(
          b, loc, (at.getDim() + "_r").str(), b.getIndexAttr(copies),
          ForKind::Reduce, ValueRange(neutral),
          LevelAttr::get(b.getContext(), LevelKind::Seq, 0));
      OpBuilder::InsertionGuard guard(b);
      buildCombiner(b, loc, fold.getCombiner(), found.element,
                    getOperator(model), YieldOp::getOperationName());
      b.setInsertionPointToEnd(fold.getBodyBlock());
      // Threads begin at different copies, which lie in different banks.
      Value copy = arith::AndIOp::create(
          b, loc, add(fold.getInductionVar(), thread), index(copies - 1));
      Value part =
          LoadOp::create(b, loc, local, add(first, copy), EdgesAttr(), inside);
      YieldOp::create(b, loc, ValueRange(part));
      total = fold.getResult(0);
    }
    if (Operation *fold = total.getDefiningOp())
      b.setInsertionPointAfter(fold);
    Value isNew;
    if (isa<FloatType>(found.element))
      isNew = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, total,
                                    neutral);
    else
      isNew = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, total,
                                    neutral);
    Value mask = arith::AndIOp::create(b, loc, inside, isNew);
    if (inRanges) {
      element = add(element, base);
      mask = arith::AndIOp::create(b, loc, mask, isBelow(element, size));
    }
    Type type = model.getValue().getType();
    if (found.factor) {
      if (type.isIndex())
        total = arith::IndexCastUIOp::create(b, loc, type, total);
      else if (type != found.element)
        total = arith::ExtUIOp::create(b, loc, type, total);
      total = multiply(total, arith::ConstantOp::create(b, loc, found.factor));
    }
    createUpdate(total, found.array, split(element), mask);
  });
}

void UpdateStager::run() {
  // The operator is needed after the updates are gone.
  SmallVector<UpdateOp> updates = found.updates;
  model = cast<UpdateOp>(model->clone());
  initialize();
  for (UpdateOp update : updates)
    replace(update);
  merge();
  model->erase();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct StageUpdatesPass
    : public arrc::kernel::impl::StageUpdatesPassBase<StageUpdatesPass> {
  void runOnOperation() override {
    DeviceAttr device = DeviceAttr::get(getOperation());
    int64_t bytes = device ? device.getInteger("shared_bytes", 0) : 0;
    IRRewriter rewriter(&getContext());
    SmallVector<LaunchOp> launches;
    getOperation().walk([&](LaunchOp launch) {
      ScheduleAttr schedule = launch.getScheduleAttr();
      if (schedule && !schedule.getPrivates().empty() && launch.isScheduled())
        launches.push_back(launch);
    });
    for (LaunchOp launch : launches) {
      ScheduleAttr schedule = launch.getScheduleAttr();
      ArrayRef<ClauseAttr> clauses = schedule.getPrivates();
      for (ClauseAttr clause : clauses)
        if (failed(stage(rewriter, launch, clause,
                         clause.getSpace() == "ranges"
                             ? getRangeBytes(device)
                             : bytes / int64_t(clauses.size()))))
          return signalPassFailure();
      launch.setScheduleAttr(schedule.withClauses(
          schedule.getDims(), schedule.getStage(), schedule.getKeep(), {}));
    }
  }

  static LogicalResult stage(IRRewriter &rewriter, LaunchOp launch,
                             ClauseAttr clause, int64_t bytes) {
    auto refuse = [&](const Twine &reason) {
      return launch.emitOpError("cannot give '")
             << clause.getArray().getValue() << "' copies at '"
             << clause.getDigit().getValue() << "': " << reason;
    };
    Value array = findArray(launch, clause.getArray());
    for (auto local : launch.getBody().getOps<LocalOp>())
      if (local.getLocalName() == clause.getArray().getValue())
        array = local;
    if (!array)
      return refuse("the launch has no such array");
    int64_t copies = std::max<int64_t>(clause.getAmount(), 1);
    if (!llvm::isPowerOf2_64(copies))
      return refuse("their number is a power of two");
    SmallVector<ForOp> loops;
    launch.getBody().walk([&](ForOp loop) {
      if (loop.getDim() == clause.getDigit().getValue())
        loops.push_back(loop);
    });
    if (loops.empty())
      return refuse("there is no such digit");
    for (ForOp loop : loops) {
      std::optional<PrivateCopies> found = findPrivateCopies(loop, array);
      if (!loop.isParallel() || loop.getLevelKind() != LevelKind::Block)
        return refuse("the digit is not at block");
      if (!found)
        return refuse("below the digit it is not only updated, by one atomic "
                      "operation of the device");
      bool inRanges = clause.getSpace() == "ranges";
      if (inRanges &&
          (loop->getParentOp() != launch ||
           loop.getLevelAttr().getAxis() != 0 || !mayRepeat(loop, array)))
        return refuse("blocks for ranges would repeat what else it does");
      if (bytes < copies * found->getElementBytes())
        return refuse("they do not fit on chip");
      UpdateStager stager(rewriter, launch, loop, *found, copies, bytes,
                          inRanges);
      if (!stager.findThreads())
        return refuse("no thread loops stand around its updates");
      stager.run();
    }
    return success();
  }
};

} // namespace
