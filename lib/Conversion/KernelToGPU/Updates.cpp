//===- Updates.cpp - Elements that many threads combine with --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Atomic operations on one element wait for each other, so that equal elements
// are combined before: neighbouring updates of a thread one after the other,
// and if all that the threads of a sub-group update is one element, across
// them:
//
//   first = shuffle at[0] from lane 0
//   if all lanes (at[0] == first and at[1] == first ..)
//     total = v[0] + v[1] + ..; total += shuffle xor 1 of total, then 2, 4, ..
//     if lane is 0: atomic total, first
//   else
//     sum = v[0]
//     if at[1] != at[0]: atomic sum, at[0]; sum = v[1] else sum += v[1] ..
//     atomic sum, at[last]
//
// What is masked off has no element, -1. Copies of an element are one, so that
// any of them takes the total. Random elements cost some ten instructions each,
// far less than their atomic. Integers of 32 bits in shared memory are left
// alone: it combines them by itself.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "arrc/Dialect/Kernel/Transforms/NativeUpdates.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OperationSupport.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc;

/// Updates that one thread brings together at most.
static constexpr size_t kMostUpdates = 16;

/// The native atomic that `op` is on elements of type `type`.
static std::optional<arith::AtomicRMWKind> getKind(Operation *op, Type type,
                                                   const KernelPlan &plan) {
  bool isNative =
      isa<FloatType>(type)
          ? plan.floatAtomics && (type.isF32() || type.isF64())
          : type.isInteger(32) || (type.isInteger(64) && plan.int64Atomics);
  return isNative ? getAtomicKind(op) : std::nullopt;
}

static Type getStored(Value memory) {
  return cast<MemRefType>(memory.getType()).getElementType();
}

std::optional<arith::AtomicRMWKind>
KernelEmitter::getAtomicKind(kernel::UpdateOp update) {
  SmallVector<Operation *> ops = getCombinerOps(update.getCombiner());
  if (ops.size() != 1)
    return std::nullopt;
  return getKind(ops.front(), getStored(getPlace(update.getDest()).memory),
                 plan);
}

/// One thread of the only block has it, or of the block that has the local.
bool KernelEmitter::isAlone(kernel::UpdateOp update) {
  if (getPlace(update.getDest()).isPrivate)
    return true;
  Operation *local = update.getDest().getDefiningOp();
  if (!local && !plan.getGrid().empty())
    return false;
  return !plan.hasThreads() ||
         getThreadAxes(update) == (local ? getThreadAxes(local) : 0);
}

void KernelEmitter::emitAtomic(kernel::UpdateOp update, Value value, Value at) {
  Location loc = update.getLoc();
  const Place &place = getPlace(update.getDest());
  Type stored = getStored(place.memory);
  if (value.getType() != stored)
    value = arith::IndexCastOp::create(b, loc, stored, value);
  if (!at.getType().isIndex())
    at = arith::IndexCastOp::create(b, loc, b.getIndexType(), at);
  memref::AtomicRMWOp::create(b, loc, *getAtomicKind(update), value,
                              place.memory, at);
}

LogicalResult KernelEmitter::emitUpdate(kernel::UpdateOp update) {
  Location loc = update.getLoc();
  const Place &place = getPlace(update.getDest());
  bool alone = isAlone(update);
  if (!alone && !getAtomicKind(update))
    return refuse(loc, "the device has no atomic operation for this update");
  // Updates do not disturb each other, but loads before and after.
  FailureOr<Value> condition = enterWrite(loc, place, update.getMask());
  if (failed(condition))
    return failure();
  return emitIfTrue(loc, *condition, [&] {
    Value at = linearize(loc, place, lookup(update.getIndices()));
    Value value = lookup(update.getValue());
    if (!alone) {
      emitAtomic(update, value, at);
      return success();
    }
    Value old = loadElement(loc, place.memory, at, place.element);
    Value next = combine(update.getCombiner(), old, value).front();
    storeElement(loc, next, place.memory, at);
    return success();
  });
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// The updates from `op` on that stand next to each other and are of one array
/// by one operator.
static SmallVector<kernel::UpdateOp> getUpdates(Operation *op) {
  SmallVector<kernel::UpdateOp> run;
  auto first = dyn_cast<kernel::UpdateOp>(op);
  for (; op && run.size() < kMostUpdates; op = op->getNextNode()) {
    auto next = dyn_cast<kernel::UpdateOp>(op);
    if (!next || next.getDest() != first.getDest() ||
        !OperationEquivalence::isRegionEquivalentTo(
            &first.getCombiner(), &next.getCombiner(),
            OperationEquivalence::IgnoreLocations))
      break;
    run.push_back(next);
  }
  return run;
}

static Value createNumber(OpBuilder &b, Location loc, Type type,
                          int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
}

unsigned KernelEmitter::emitUpdateRun(Operation *op) {
  SmallVector<kernel::UpdateOp> run = getUpdates(op);
  bool together = plan.subgroup > 1 && ctx.subgroupUniform &&
                  plan.getThreads() % plan.subgroup == 0;
  if (!ctx.leaf || run.size() < (together ? 1 : 2))
    return 0;
  kernel::UpdateOp model = run.front();
  const Place &place = getPlace(model.getDest());
  if (isAlone(model) || !getAtomicKind(model) ||
      model->hasAttr(kernel::kRareAttr))
    return 0;
  Value neutral = kernel::createNeutral(b, model);
  bool isShared = gpu::GPUDialect::isWorkgroupMemoryAddressSpace(
      cast<MemRefType>(place.memory.getType()).getMemorySpace());
  if (!neutral || (isShared && getStored(place.memory).isInteger(32)))
    return 0;
  // 32 bits number what is on chip.
  Type number = isShared ? Type(b.getI32Type()) : Type(b.getIndexType());
  Value none = createNumber(b, model.getLoc(), number, -1);
  SmallVector<Value> values, at;
  for (kernel::UpdateOp update : run) {
    Location loc = update.getLoc();
    // In a leaf this emits no barrier.
    FailureOr<Value> condition = enterWrite(loc, place, update.getMask());
    if (failed(condition))
      return 0;
    Value value = lookup(update.getValue());
    Value element = linearize(loc, place, lookup(update.getIndices()));
    if (isShared)
      element = arith::IndexCastOp::create(b, loc, number, element);
    if (*condition) {
      value = arith::SelectOp::create(b, loc, *condition, value, neutral);
      element = arith::SelectOp::create(b, loc, *condition, element, none);
    }
    values.push_back(value);
    at.push_back(element);
  }
  if (together)
    updateInSubgroup(model, values, at);
  else
    updateInThread(model, values, at);
  return run.size();
}

/// Whether `at` is an element.
static Value isElement(OpBuilder &b, Location loc, Value at) {
  Value zero = createNumber(b, loc, at.getType(), 0);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, at, zero);
}

/// The element of which `at` is a copy.
static Value getElement(OpBuilder &b, kernel::UpdateOp update, Value at) {
  auto copies = update->getAttrOfType<IntegerAttr>(kernel::kCopiesAttr);
  if (!copies || copies.getInt() == 1)
    return at;
  // None stays none.
  Value by = createNumber(b, update.getLoc(), at.getType(),
                          llvm::Log2_64(copies.getInt()));
  return arith::ShRSIOp::create(b, update.getLoc(), at, by);
}

void KernelEmitter::updateInThread(kernel::UpdateOp update, ValueRange values,
                                   ValueRange at) {
  Location loc = update.getLoc();
  auto flush = [&](Value condition, Value value, Value element) {
    (void)emitIfTrue(loc, condition, [&] {
      emitAtomic(update, value, element);
      return success();
    });
  };
  Value sum = values.front();
  for (size_t k = 1; k < values.size(); ++k) {
    Value parts = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                        at[k - 1], at[k]);
    flush(both(loc, parts, isElement(b, loc, at[k - 1])), sum, at[k - 1]);
    Value more = combine(update.getCombiner(), sum, values[k]).front();
    sum = arith::SelectOp::create(b, loc, parts, values[k], more);
  }
  flush(isElement(b, loc, at.back()), sum, at.back());
}

void KernelEmitter::updateInSubgroup(kernel::UpdateOp update, ValueRange values,
                                     ValueRange at) {
  Location loc = update.getLoc();
  Value first =
      shuffle(loc, getElement(b, update, at.front()), 0, gpu::ShuffleMode::IDX);
  Value same = isElement(b, loc, first);
  Value none = createNumber(b, loc, first.getType(), -1);
  for (Value place : at) {
    Value element = getElement(b, update, place);
    Value mine =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, element, first);
    if (place.getDefiningOp<arith::SelectOp>()) {
      Value off =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, place, none);
      mine = arith::OrIOp::create(b, loc, mine, off);
    }
    same = both(loc, same, mine);
  }
  Value all = gpu::SubgroupReduceOp::create(
      b, loc, same, gpu::AllReduceOperation::AND, /*uniform=*/true);
  auto branch = scf::IfOp::create(b, loc, all, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.elseBlock());
  updateInThread(update, values, at);
  b.setInsertionPointToStart(branch.thenBlock());
  Value total = values.front();
  for (Value value : values.drop_front())
    total = combine(update.getCombiner(), total, value).front();
  for (int64_t step = 1; step < plan.subgroup; step *= 2) {
    Value other = shuffle(loc, total, step, gpu::ShuffleMode::XOR);
    total = combine(update.getCombiner(), total, other).front();
  }
  Value lane =
      arith::RemUIOp::create(b, loc, linearId, index(loc, plan.subgroup));
  Value leads = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lane,
                                      index(loc, 0));
  (void)emitIfTrue(loc, leads, [&] {
    emitAtomic(update, total, at.front());
    return success();
  });
}
