//===- LaneRegions.cpp - Loops and branches of lanes ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. Lanes that go different ways run all of them together: a side of a
// branch while one lane takes it, a loop until the last lane has left it. Those
// that have nothing to do are masked: they load and store nothing, divide by 1,
// and keep what they came to. Loops and branches that all lanes take alike stay
// as they are, and so does what they hand on, if it is the same for all lanes.
//
// Before   %n = scf.while (%k = %c0, %x = %x0) {    // %x0 differs
//            %go = arith.cmpf olt, %x, %limit
//            scf.condition(%go) %k, %x
//          } do { .. scf.yield %k1, %x1 }
// After    %n = scf.while (%on = %all, %k = %c0, %xs = %xs0, %ns = ..) {
//            %go = arith.cmpf olt, %xs, %limits : vector
//            %ns1 = arith.select %on, %k, %ns           // for those that end
//            %on1 = arith.andi %on, %go
//            scf.condition(any of %on1) %on1, %k, %xs, %ns1
//          } do { .. under the mask %on1 .. }
//
//===----------------------------------------------------------------------===//

#include "LaunchEmitter.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace arrc;

//===----------------------------------------------------------------------===//
// What loops and branches hand on
//===----------------------------------------------------------------------===//

/// Values that an operation of `scf` hands on in lanes: a scalar if all lanes
/// have it, else a vector, of a complex number two.
struct LaunchEmitter::Carried {
  Carried(LaunchEmitter &emitter, ValueRange values, bool asVectors = false)
      : emitter(emitter) {
    for (Value value : values)
      slots.push_back(
          {value.getType(), asVectors || emitter.varying->contains(value)});
  }

  SmallVector<Type> getTypes() const {
    SmallVector<Type> types;
    for (Slot slot : slots)
      if (auto complex = dyn_cast<ComplexType>(slot.type);
          complex && slot.isVector)
        types.append(2, emitter.laneType(complex.getElementType()));
      else
        types.push_back(slot.isVector ? emitter.laneType(slot.type)
                                      : slot.type);
    return types;
  }

  /// What stands for `values`, one for each slot.
  SmallVector<Value> pack(Location loc, ValueRange values) const {
    SmallVector<Value> packed;
    for (auto [slot, value] : llvm::zip_equal(slots, values)) {
      LaneValue lane = emitter.lookup(value);
      if (!slot.isVector) {
        assert(lane.isUniform() && "differs between lanes");
        packed.push_back(lane.value);
      } else if (isa<ComplexType>(slot.type)) {
        auto [re, im] = emitter.getParts(loc, lane);
        packed.append({re, im});
      } else {
        packed.push_back(emitter.toVector(loc, lane));
      }
    }
    return packed;
  }

  /// Gives `values` what stands for them.
  void unpack(ValueRange values, ValueRange packed) const {
    for (auto [slot, value] : llvm::zip_equal(slots, values)) {
      LaneValue lane{packed.front(), 0, slot.isVector};
      packed = packed.drop_front();
      if (slot.isVector && isa<ComplexType>(slot.type)) {
        lane.imaginary = packed.front();
        packed = packed.drop_front();
      }
      emitter.set(value, lane);
    }
    assert(packed.empty() && "more values than slots");
  }

  /// The same of `yes` for lanes of `mask`, of `no` for the others; all slots
  /// are vectors.
  SmallVector<Value> select(Location loc, Value mask, ValueRange yes,
                            ValueRange no) const {
    SmallVector<Value> chosen;
    for (auto [a, c] : llvm::zip_equal(yes, no))
      chosen.push_back(
          a == c ? a : arith::SelectOp::create(emitter.b, loc, mask, a, c));
    return chosen;
  }

  /// Something for lanes that have nothing.
  SmallVector<Value> zeros(Location loc) const {
    SmallVector<Value> made;
    for (Type type : getTypes()) {
      LaneValue none{emitter.zero(loc, getElementTypeOrSelf(type))};
      made.push_back(isa<VectorType>(type) ? emitter.toVector(loc, none)
                                           : none.value);
    }
    return made;
  }

private:
  struct Slot {
    Type type;
    bool isVector;
  };
  LaunchEmitter &emitter;
  SmallVector<Slot> slots;
};

/// The positions of results that something reads.
static SmallVector<unsigned> findUsed(Operation *op) {
  SmallVector<unsigned> used;
  for (OpResult result : op->getResults())
    if (!result.use_empty())
      used.push_back(result.getResultNumber());
  return used;
}

static SmallVector<Value> pick(ValueRange values, ArrayRef<unsigned> which) {
  return llvm::map_to_vector(which,
                             [&](unsigned number) { return values[number]; });
}

Value LaunchEmitter::createAny(Location loc, Value mask) {
  return vector::ReductionOp::create(b, loc, vector::CombiningKind::OR, mask);
}

LogicalResult LaunchEmitter::emitRegionInLanes(Operation &op) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return emitBranchInLanes(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return emitCountedInLanes(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return emitWhileInLanes(loop);
  return op.emitOpError("cannot be run on the CPU here");
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

LogicalResult LaunchEmitter::emitSide(scf::IfOp op, Region &side,
                                      const Carried &results) {
  Location loc = op.getLoc();
  if (!side.empty() && failed(emitBody(side.front())))
    return failure();
  if (op.getNumResults())
    scf::YieldOp::create(
        b, loc, results.pack(loc, side.front().getTerminator()->getOperands()));
  return success();
}

LogicalResult LaunchEmitter::emitBranchInLanes(scf::IfOp op) {
  Location loc = op.getLoc();
  Carried results(*this, op.getResults());
  SmallVector<Type> types = results.getTypes();
  LaneValue condition = lookup(op.getCondition());
  bool hasElse = !op.getElseRegion().empty();
  OpBuilder::InsertionGuard guard(b);
  if (condition.isUniform()) {
    auto copy = scf::IfOp::create(b, loc, types, condition.value, hasElse);
    b.setInsertionPointToStart(copy.thenBlock());
    if (failed(emitSide(op, op.getThenRegion(), results)))
      return failure();
    if (hasElse) {
      b.setInsertionPointToStart(copy.elseBlock());
      if (failed(emitSide(op, op.getElseRegion(), results)))
        return failure();
    }
    results.unpack(op.getResults(), copy.getResults());
    return success();
  }
  // One side after the other, each if there is a lane for it.
  Value around = active, taken = toVector(loc, condition);
  SmallVector<Value> sides[2];
  for (auto [number, region] : llvm::enumerate(op.getRegions())) {
    if (region->empty())
      continue;
    Value mask = taken;
    if (number == 1) {
      mask = arith::XOrIOp::create(b, loc, taken, allOn(loc));
    }
    if (around)
      mask = arith::AndIOp::create(b, loc, around, mask);
    auto copy = scf::IfOp::create(b, loc, types, createAny(loc, mask),
                                  /*withElseRegion=*/!types.empty());
    b.setInsertionPointToStart(copy.thenBlock());
    active = mask;
    LogicalResult emitted = emitSide(op, *region, results);
    active = around;
    if (failed(emitted))
      return failure();
    if (!types.empty()) {
      b.setInsertionPointToStart(copy.elseBlock());
      scf::YieldOp::create(b, loc, results.zeros(loc));
    }
    b.setInsertionPointAfter(copy);
    llvm::append_range(sides[number], copy.getResults());
  }
  results.unpack(op.getResults(),
                 results.select(loc, taken, sides[0], sides[1]));
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LogicalResult LaunchEmitter::emitCountedInLanes(scf::ForOp op) {
  Location loc = op.getLoc();
  LaneValue begin = lookup(op.getLowerBound()),
            end = lookup(op.getUpperBound()), step = lookup(op.getStep());
  Carried carried(*this, op.getRegionIterArgs());
  SmallVector<Value> inits = carried.pack(loc, op.getInitArgs());
  OpBuilder::InsertionGuard guard(b);
  if (begin.isUniform() && end.isUniform()) {
    auto loop =
        scf::ForOp::create(b, loc, begin.value, end.value, step.value, inits);
    b.setInsertionPointToStart(loop.getBody());
    set(op.getInductionVar(), loop.getInductionVar());
    carried.unpack(op.getRegionIterArgs(), loop.getRegionIterArgs());
    if (failed(emitBody(*op.getBody())))
      return failure();
    // Without results the builder has made the terminator.
    if (op.getNumResults())
      scf::YieldOp::create(b, loc, carried.pack(loc, op.getYieldedValues()));
    carried.unpack(op.getResults(), loop.getResults());
    return success();
  }
  // The steps of each lane, and those of the lane that takes most.
  Type type = op.getInductionVar().getType();
  LaneValue none{zero(loc, type)};
  Value one =
      arith::ConstantOp::create(b, loc, type, b.getIntegerAttr(type, 1));
  Value trips =
      toVector(loc, make(loc, "arith.ceildivsi",
                         {binary(loc, "arith.subi", end, begin), step}, type));
  Value around = active;
  if (around)
    trips = arith::SelectOp::create(b, loc, around, trips, toVector(loc, none));
  Value most =
      vector::ReductionOp::create(b, loc, vector::CombiningKind::MAXSI, trips);
  SmallVector<unsigned> used = findUsed(op);
  SmallVector<Value> results = pick(op.getResults(), used);
  Carried kept(*this, results, /*asVectors=*/true);
  llvm::append_range(inits, kept.pack(loc, pick(op.getInitArgs(), used)));
  auto loop = scf::ForOp::create(b, loc, none.value, most, one, inits);
  b.setInsertionPointToStart(loop.getBody());
  LaneValue number{loop.getInductionVar()};
  size_t count = carried.getTypes().size();
  ValueRange arguments = loop.getRegionIterArgs();
  carried.unpack(op.getRegionIterArgs(), arguments.take_front(count));
  set(op.getInductionVar(), binary(loc, "arith.addi", begin,
                                   binary(loc, "arith.muli", number, step)));
  active = compare(loc, arith::CmpIPredicate::slt, number,
                   {trips, 0, /*isVector=*/true})
               .value;
  if (failed(emitBody(*op.getBody())))
    return failure();
  SmallVector<Value> next = carried.pack(loc, op.getYieldedValues());
  llvm::append_range(
      next, kept.select(loc, active,
                        kept.pack(loc, pick(op.getYieldedValues(), used)),
                        arguments.drop_front(count)));
  active = around;
  if (!next.empty())
    scf::YieldOp::create(b, loc, next);
  kept.unpack(results, loop.getResults().drop_front(count));
  return success();
}

LogicalResult LaunchEmitter::emitWhileInLanes(scf::WhileOp op) {
  Location loc = op.getLoc();
  scf::ConditionOp condition = op.getConditionOp();
  bool differs = varying->contains(condition.getCondition());
  Carried before(*this, op.getBeforeArguments()),
      after(*this, op.getAfterArguments());
  SmallVector<unsigned> used;
  if (differs)
    used = findUsed(op);
  SmallVector<Value> results = pick(op.getResults(), used);
  Carried kept(*this, results, /*asVectors=*/true);
  // Both regions have the lanes that are on in front, and what those that have
  // left came to behind.
  SmallVector<Value> inits;
  SmallVector<Type> types = after.getTypes();
  Value around = active;
  if (differs) {
    inits.push_back(around ? around : allOn(loc));
    types.insert(types.begin(), inits.front().getType());
    llvm::append_range(types, kept.getTypes());
  }
  llvm::append_range(inits, before.pack(loc, op.getInits()));
  llvm::append_range(inits, kept.zeros(loc));
  auto loop = scf::WhileOp::create(b, loc, types, inits);
  OpBuilder::InsertionGuard guard(b);
  auto split = [&](ValueRange range, const Carried &carried) {
    if (differs)
      range = range.drop_front();
    size_t count = carried.getTypes().size();
    return std::pair(range.take_front(count), range.drop_front(count));
  };

  Block *block =
      b.createBlock(&loop.getBefore(), {}, ValueRange(inits).getTypes(),
                    SmallVector<Location>(inits.size(), loc));
  auto [arguments, ended] = split(block->getArguments(), before);
  before.unpack(op.getBeforeArguments(), arguments);
  if (differs)
    active = block->getArgument(0);
  if (failed(emitBody(*op.getBeforeBody())))
    return failure();
  SmallVector<Value> passed = after.pack(loc, condition.getArgs());
  Value goes;
  if (differs) {
    llvm::append_range(
        passed,
        kept.select(loc, active,
                    kept.pack(loc, pick(condition.getArgs(), used)), ended));
    Value on = arith::AndIOp::create(
        b, loc, active, toVector(loc, lookup(condition.getCondition())));
    passed.insert(passed.begin(), on);
    goes = createAny(loc, on);
  } else {
    goes = lookupScalar(condition.getCondition());
  }
  scf::ConditionOp::create(b, loc, goes, passed);

  block = b.createBlock(&loop.getAfter(), {}, types,
                        SmallVector<Location>(types.size(), loc));
  std::tie(arguments, ended) = split(block->getArguments(), after);
  after.unpack(op.getAfterArguments(), arguments);
  if (differs)
    active = block->getArgument(0);
  if (failed(emitBody(*op.getAfterBody())))
    return failure();
  SmallVector<Value> next = before.pack(loc, op.getYieldOp().getOperands());
  if (differs)
    next.insert(next.begin(), active);
  llvm::append_range(next, ended);
  scf::YieldOp::create(b, loc, next);
  active = around;
  auto [last, came] = split(loop.getResults(), after);
  if (differs)
    kept.unpack(results, came);
  else
    after.unpack(op.getResults(), last);
  return success();
}
