//===- Accesses.cpp - Elements and checks ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "../KernelToHost/CheckSites.h"
#include "KernelEmitter.h"

#include "arrc/Dialect/Kernel/IR/NearEdges.h"
#include "arrc/Dialect/Kernel/Transforms/ElementAccess.h"

using namespace mlir;
using namespace arrc;

namespace {
/// The layout of the error record, as the runtime reads it.
enum Record : int64_t {
#define ARRT_RECORD(Enum, value) Enum = value,
#include "arrt/EntryPoints.def"
};
} // namespace

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

Value KernelEmitter::both(Location loc, Value a, Value b2) {
  if (!a || !b2)
    return a ? a : b2;
  return arith::AndIOp::create(b, loc, a, b2);
}

LogicalResult KernelEmitter::emitIfTrue(Location loc, Value condition,
                                        Body body) {
  if (!condition)
    return body();
  auto branch = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  BarrierState before = barriers;
  LogicalResult done = body();
  barriers = join(before, barriers);
  return done;
}

Value KernelEmitter::getWriter(Location loc) {
  Value condition = ctx.active;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (getUnbound() & (1u << axis))
      condition = both(loc, condition, isFirst[axis]);
  return condition;
}

Value KernelEmitter::getLead(Location loc) {
  Value lead;
  for (Value isZero : isFirst)
    if (isZero)
      lead = both(loc, lead, isZero);
  return lead;
}

FailureOr<Value> KernelEmitter::enterWrite(Location loc, const Place &place,
                                           Value mask) {
  Value condition;
  if (!place.isPrivate) {
    if (failed(access(loc, place, /*written=*/true)))
      return failure();
    condition = getWriter(loc);
  }
  if (mask)
    condition = both(loc, condition, lookup(mask));
  return condition;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

Value KernelEmitter::linearize(Location loc, const Place &place,
                               ValueRange indices) {
  constexpr auto nsw = arith::IntegerOverflowFlags::nsw;
  auto multiply = [&](Value value, OpFoldResult by) -> Value {
    if (isConstantIntValue(by, 1))
      return value;
    return arith::MulIOp::create(b, loc, value, getValue(loc, by), nsw);
  };
  Value result;
  for (auto [dim, i] : llvm::enumerate(indices)) {
    if (place.dropped[dim])
      continue;
    Value part = i;
    if (!place.strides.empty())
      part = multiply(part, place.strides[dim]);
    else if (result)
      result = multiply(result, place.sizes[dim]);
    result =
        result ? Value(arith::AddIOp::create(b, loc, result, part, nsw)) : part;
  }
  if (place.offset)
    return result
               ? Value(arith::AddIOp::create(b, loc, result, place.offset, nsw))
               : place.offset;
  return result ? result : index(loc, 0);
}

Value KernelEmitter::loadElement(Location loc, Value memory, Value at,
                                 Type element) {
  Value value = memref::LoadOp::create(b, loc, memory, at);
  if (value.getType() == element)
    return value;
  if (element.isInteger(1)) {
    Value none = arith::ConstantIntOp::create(b, loc, 0, 8);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, value, none);
  }
  return arith::IndexCastOp::create(b, loc, element, value);
}

void KernelEmitter::storeElement(Location loc, Value value, Value memory,
                                 Value at) {
  Type stored = cast<MemRefType>(memory.getType()).getElementType();
  if (value.getType().isInteger(1) && stored != value.getType())
    value = arith::ExtUIOp::create(b, loc, stored, value);
  else if (value.getType() != stored)
    value = arith::IndexCastOp::create(b, loc, stored, value);
  memref::StoreOp::create(b, loc, value, memory, at);
}

Value KernelEmitter::resolveEdge(Location loc, Value at, Value size,
                                 kernel::EdgeMode mode, bool isNear) {
  using Predicate = arith::CmpIPredicate;
  if (mode == kernel::EdgeMode::None)
    return at;
  Value zero = index(loc, 0), one = index(loc, 1);
  if (mode == kernel::EdgeMode::Clamp) {
    Value last = arith::SubIOp::create(b, loc, size, one);
    Value low = arith::MinSIOp::create(b, loc, at, last);
    return arith::MaxSIOp::create(b, loc, low, zero);
  }
  // The others repeat with a period.
  Value period = size;
  if (mode == kernel::EdgeMode::Mirror)
    period = arith::AddIOp::create(b, loc, size, size);
  if (mode == kernel::EdgeMode::Reflect) {
    Value twice = arith::AddIOp::create(b, loc, size, size);
    period = arith::SubIOp::create(b, loc, twice, index(loc, 2));
    period = arith::MaxSIOp::create(b, loc, period, one); // an array of one
  }
  // A division is slow, and an index is hardly ever more than one period away.
  auto compare = [&](Predicate predicate, Value lhs, Value rhs) -> Value {
    return arith::CmpIOp::create(b, loc, predicate, lhs, rhs);
  };
  Value above = arith::AddIOp::create(b, loc, at, period);
  Value below = arith::SubIOp::create(b, loc, at, period);
  Value near = arith::SelectOp::create(
      b, loc, compare(Predicate::sge, at, period), below, at);
  near = arith::SelectOp::create(b, loc, compare(Predicate::slt, at, zero),
                                 above, near);
  Value turned = near;
  // A branch in front of a load has those behind it wait.
  if (!isNear)
    turned =
        scf::IfOp::create(
            b, loc, compare(Predicate::ult, near, period),
            [&](OpBuilder &inner, Location) {
              scf::YieldOp::create(inner, loc, near);
            },
            [&](OpBuilder &inner, Location) {
              Value rest = arith::RemSIOp::create(inner, loc, at, period);
              Value moved = arith::AddIOp::create(inner, loc, rest, period);
              Value negative =
                  arith::CmpIOp::create(inner, loc, Predicate::slt, rest, zero);
              Value far =
                  arith::SelectOp::create(inner, loc, negative, moved, rest);
              scf::YieldOp::create(inner, loc, far);
            })
            .getResult(0);
  if (mode == kernel::EdgeMode::Wrap)
    return turned;
  Value top = period;
  if (mode == kernel::EdgeMode::Mirror)
    top = arith::SubIOp::create(b, loc, period, one);
  Value back = arith::SubIOp::create(b, loc, top, turned);
  return arith::SelectOp::create(b, loc, compare(Predicate::slt, turned, size),
                                 turned, back);
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// The accesses from `first` on that stand next to each other, touch one array
/// and have one mask.
template <typename AccessOp>
static SmallVector<AccessOp> getRun(Operation *op) {
  auto getArray = [](AccessOp access) -> Value {
    if constexpr (std::is_same_v<AccessOp, kernel::LoadOp>)
      return access.getSource();
    else
      return access.getDest();
  };
  SmallVector<AccessOp> run;
  auto first = dyn_cast<AccessOp>(op);
  if (!first)
    return run;
  for (; op; op = op->getNextNode()) {
    auto next = dyn_cast<AccessOp>(op);
    if (!next || next.getMask() != first.getMask() ||
        getArray(next) != getArray(first))
      break;
    // What one of them reads is an index of another.
    if (llvm::any_of(next->getOperands(), [&](Value operand) {
          Operation *def = operand.getDefiningOp();
          return def && llvm::is_contained(run, dyn_cast<AccessOp>(def));
        }))
      break;
    run.push_back(next);
  }
  return run;
}

unsigned KernelEmitter::emitMaskedRun(Operation *op) {
  bool waits = !ctx.leaf && plan.hasThreads();
  Location loc = op->getLoc();
  if (auto loads = getRun<kernel::LoadOp>(op);
      !waits && loads.size() > 1 && loads.front().getMask() &&
      llvm::none_of(loads, [](kernel::LoadOp load) {
        return load.getEdge().has_value();
      })) {
    const Place &place = getPlace(loads.front().getSource());
    // In a leaf, or where there are no threads, this emits no barrier.
    (void)access(loc, place, /*written=*/false);
    SmallVector<Type> types(loads.size(), place.element);
    auto branch =
        scf::IfOp::create(b, loc, types, lookup(loads.front().getMask()),
                          /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(
        b, loc,
        SmallVector<Value>(loads.size(),
                           kernel::createZero(b, loc, place.element)));
    b.setInsertionPointToStart(branch.thenBlock());
    SmallVector<Value> values;
    for (kernel::LoadOp load : loads)
      values.push_back(loadElement(
          loc, place.memory, linearize(loc, place, lookup(load.getIndices())),
          place.element));
    scf::YieldOp::create(b, loc, values);
    for (auto [load, value] : llvm::zip(loads, branch.getResults()))
      set(load.getResult(), value);
    return loads.size();
  }
  // One thread does all of them for an iteration, and iterations are
  // independent: nobody waits in between.
  if (auto stores = getRun<kernel::StoreOp>(op);
      stores.size() > 1 && (waits || stores.front().getMask())) {
    const Place &place = getPlace(stores.front().getDest());
    if (failed(access(loc, place, /*written=*/true)))
      return 0; // the first of them will fail alone
    Value condition = place.isPrivate ? Value() : getWriter(loc);
    if (Value mask = stores.front().getMask())
      condition = both(loc, condition, lookup(mask));
    (void)emitIfTrue(loc, condition, [&] {
      for (kernel::StoreOp store : stores)
        storeElement(loc, lookup(store.getValue()), place.memory,
                     linearize(loc, place, lookup(store.getIndices())));
      return success();
    });
    return stores.size();
  }
  return 0;
}

LogicalResult KernelEmitter::emitLoad(kernel::LoadOp load) {
  Location loc = load.getLoc();
  const Place &place = getPlace(load.getSource());
  if (failed(access(loc, place, /*written=*/false)))
    return failure();
  auto read = [&]() -> Value {
    SmallVector<Value> indices = lookup(load.getIndices());
    if (kernel::EdgesAttr edge = load.getEdgeAttr())
      for (auto [dim, mode] : llvm::enumerate(edge.getModes()))
        if (mode != kernel::EdgeMode::None)
          indices[dim] =
              resolveEdge(loc, indices[dim], getValue(loc, place.sizes[dim]),
                          mode, load->hasAttr(kernel::kNearAttr));
    return loadElement(loc, place.memory, linearize(loc, place, indices),
                       place.element);
  };
  if (!load.getMask()) {
    set(load.getResult(), read());
    return success();
  }
  auto branch = scf::IfOp::create(b, loc, place.element, lookup(load.getMask()),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, loc, kernel::createZero(b, loc, place.element));
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, loc, read());
  set(load.getResult(), branch.getResult(0));
  return success();
}

LogicalResult KernelEmitter::emitStore(kernel::StoreOp store) {
  Location loc = store.getLoc();
  const Place &place = getPlace(store.getDest());
  FailureOr<Value> condition = enterWrite(loc, place, store.getMask());
  if (failed(condition))
    return failure();
  return emitIfTrue(loc, *condition, [&] {
    storeElement(loc, lookup(store.getValue()), place.memory,
                 linearize(loc, place, lookup(store.getIndices())));
    return success();
  });
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// The index of this iteration as one number.
Value KernelEmitter::getCheckIndex(kernel::CheckOp check) {
  Location loc = check.getLoc();
  // Loops that were expanded have left their digits.
  SmallVector<Digit> digits = this->digits;
  for (ExpandedDigit digit : getExpandedDigits(check))
    digits.push_back(
        {digit.name, index(loc, digit.index), index(loc, digit.extent)});
  Value place = arith::ConstantIntOp::create(b, loc, 0, 64);
  for (unsigned number : orderDigits(llvm::map_to_vector(
           digits, [](const Digit &digit) { return digit.dim; }))) {
    const Digit &digit = digits[number];
    Value extent =
        arith::IndexCastOp::create(b, loc, b.getI64Type(), digit.extent);
    Value at = arith::IndexCastOp::create(b, loc, b.getI64Type(), digit.index);
    place = arith::MulIOp::create(b, loc, place, extent);
    place = arith::AddIOp::create(b, loc, place, at);
  }
  return place;
}

void KernelEmitter::emitCheck(kernel::CheckOp check) {
  Location loc = check.getLoc();
  auto word = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, loc, value, 64);
  };
  Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
  Value failed =
      arith::XOrIOp::create(b, loc, lookup(check.getCondition()), yes);
  OpBuilder::InsertionGuard guard(b);
  auto enter = [&](Value condition) {
    auto branch = scf::IfOp::create(b, loc, condition, /*withElse=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
  };
  enter(both(loc, getWriter(loc), failed));
  Value most = word((int64_t(1) << INDEX_BITS) - 1);
  Value place = arith::MinUIOp::create(b, loc, getCheckIndex(check), most);
  Value mine = arith::OrIOp::create(
      b, loc, place, word(int64_t(getSite(check)) << INDEX_BITS));
  Value words = createView(record, b.getI64Type());
  Value old = memref::AtomicRMWOp::create(b, loc, arith::AtomicRMWKind::minu,
                                          mine, words, index(loc, KEY / 8));
  enter(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, mine, old));
  Value counters = createView(record, b.getI32Type());
  Value one = arith::ConstantIntOp::create(b, loc, 1, 32);
  Value slot = memref::AtomicRMWOp::create(
      b, loc, arith::AtomicRMWKind::addi, one, counters, index(loc, COUNT / 4));
  Value slots = arith::ConstantIntOp::create(b, loc, SLOTS - 1, 32);
  static_assert((SLOTS & (SLOTS - 1)) == 0, "the slots are counted by a mask");
  slot = arith::AndIOp::create(b, loc, slot, slots);
  Value at = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), slot);
  at = arith::MulIOp::create(b, loc, at, index(loc, STRIDE / 8));
  at = arith::AddIOp::create(b, loc, at, index(loc, FIRST / 8));
  memref::StoreOp::create(b, loc, mine, words, at);
  for (auto [number, value] :
       llvm::enumerate(check.getValues().take_front(VALUES))) {
    Value bits = toCheckBits(b, loc, lookup(value));
    Value next = arith::AddIOp::create(b, loc, at, index(loc, number + 1));
    memref::StoreOp::create(b, loc, bits, words, next);
  }
}
