//===- EmitControlFlow.cpp - Branches and ordered loops in bodies ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Scalars travel as values of the `scf` operations, arrays by place: a branch
// writes its array where the result lies, a loop has one local for each array
// that it carries.
//
//===----------------------------------------------------------------------===//

#include "BodyEmitter.h"

#include "arrc/Dialect/Array/IR/ChangingSizes.h"

using namespace mlir;
using namespace arrc;

static bool isArray(Value value) {
  return isa<RankedTensorType>(value.getType());
}

/// The values that are no arrays.
static SmallVector<Value> scalarsOf(ValueRange values) {
  return llvm::filter_to_vector(values, [](Value v) { return !isArray(v); });
}

/// A place has one size.
static LogicalResult refuseChangingSizes(Operation *op) {
  if (!array::changesSizes(op))
    return success();
  return op->emitError("an array that changes its size cannot stand in a "
                       "kernel");
}

LogicalResult BodyEmitter::emitYields(ValueRange yields, ArrayRef<Place> places,
                                      SmallVectorImpl<Value> &results,
                                      Location loc) {
  for (auto [value, place] : llvm::zip(yields, places)) {
    if (isArray(value)) {
      if (failed(copyInto(value, place, loc)))
        return failure();
      continue;
    }
    results.push_back(getScalar(value));
    if (!results.back())
      return failure();
  }
  return success();
}

/// The array of `outside` that the branch hands on, updated or as it is; null
/// if it hands on another.
static Value getUpdatedArray(Value value, scf::IfOp outside) {
  while (Operation *op = value.getDefiningOp()) {
    if (!outside->isProperAncestor(op))
      break;
    unsigned k = cast<OpResult>(value).getResultNumber();
    if (auto bind = dyn_cast<array::BindOp>(op)) {
      value = bind.getSource();
    } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
      value = insert.getDest();
    } else if (auto insert = dyn_cast<tensor::InsertOp>(op)) {
      value = insert.getDest();
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      value = loop.getInitArgs()[k];
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      value = getUpdatedArray(branch.thenYield().getOperand(k), outside);
      Value other = getUpdatedArray(branch.elseYield().getOperand(k), outside);
      return value == other ? value : Value();
    } else {
      return {};
    }
  }
  while (auto bind = value.getDefiningOp<array::BindOp>())
    value = bind.getSource();
  return value;
}

/// The place of the array that both branches hand on as result `k`, updated or
/// as it is, if nothing looks at that array behind them: the result may lie
/// there. None otherwise.
Place BodyEmitter::findUpdated(scf::IfOp op, unsigned k) {
  Value array = getUpdatedArray(op.thenYield().getOperand(k), op);
  if (!array || array != getUpdatedArray(op.elseYield().getOperand(k), op) ||
      !places.contains(array) || !diesAt(array, *op, /*within=*/true))
    return {};
  // What else the branches hand on may look at it.
  for (auto [other, result] : llvm::enumerate(op.getResults()))
    if (other != k && isArray(result))
      return {};
  for (Region *branch : {&op.getThenRegion(), &op.getElseRegion()})
    updated.insert({array, &branch->front()});
  return places[array];
}

LogicalResult BodyEmitter::emitIf(scf::IfOp op) {
  Location loc = op.getLoc();
  if (failed(refuseChangingSizes(op)))
    return failure();
  Value condition = getScalar(op.getCondition());
  if (!condition)
    return failure();
  SmallVector<Place> targets;
  SmallVector<Value> scalarResults = scalarsOf(op.getResults());
  bool isUpdate = false;
  for (auto [k, result] : llvm::enumerate(op.getResults())) {
    Place target;
    if (isArray(result) && !promised.contains(result) &&
        (target = findUpdated(op, k))) {
      isUpdate = true;
      places[result] = target;
    } else if (isArray(result) && !(target = placeFor(result, loc))) {
      return failure();
    }
    targets.push_back(target);
  }
  auto made = scf::IfOp::create(builder, loc,
                                TypeRange(ValueRange(scalarResults)), condition,
                                /*withElseRegion=*/!op.getElseRegion().empty());
  for (unsigned k : {0u, 1u}) {
    Region *from = &op->getRegion(k), *to = &made->getRegion(k);
    if (from->empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    if (!to->front().empty())
      to->front().clear();
    builder.setInsertionPointToStart(&to->front());
    Operation *terminator = from->front().getTerminator();
    // What a branch reads may lie in the place of an update until its end.
    if (!isUpdate)
      for (auto [value, place] : llvm::zip(terminator->getOperands(), targets))
        promise(value, place);
    SmallVector<Value> yields;
    if (failed(emitBlock(from->front())) ||
        failed(emitYields(terminator->getOperands(), targets, yields, loc)))
      return failure();
    scf::YieldOp::create(builder, loc, yields);
  }
  for (auto [result, inside] : llvm::zip(scalarResults, made.getResults()))
    scalars[result] = inside;
  return success();
}

/// Moves arrays to the places where the next step finds them. One that lies in
/// the place of another goes through a copy, so that swaps are right.
LogicalResult BodyEmitter::carryInto(ValueRange values, ArrayRef<Place> targets,
                                     Location loc) {
  // With the places they had: the copies are gone behind the loop's body.
  SmallVector<std::pair<Value, Place>> copies;
  SmallVector<Value> arrays;
  for (Value value : values)
    arrays.push_back(isArray(value) ? skipBinds(value) : value);
  for (auto [k, value] : llvm::enumerate(arrays)) {
    if (!isArray(value))
      continue;
    auto it = places.find(value);
    bool isPlain = it != places.end() &&
                   llvm::none_of(llvm::enumerate(targets), [&](auto other) {
                     return other.index() != k &&
                            other.value().memref == it->second.memref;
                   });
    if (isPlain || lists.contains(value))
      continue;
    Place copy = makeLocal(value, loc);
    if (!copy)
      return failure();
    if (failed(copyInto(value, copy, loc)))
      return failure();
    copies.emplace_back(value, places.lookup(value));
    places[value] = copy;
  }
  for (auto [value, target] : llvm::zip(arrays, targets))
    if (isArray(value) && failed(copyInto(value, target, loc)))
      return failure();
  for (auto &[value, place] : llvm::reverse(copies)) {
    if (place)
      places[value] = place;
    else
      places.erase(value);
  }
  return success();
}

/// What a loop carries as it begins: scalars, and a place for each array.
LogicalResult BodyEmitter::emitInits(ValueRange inits,
                                     function_ref<Place(unsigned)> makePlace,
                                     SmallVectorImpl<Place> &homes,
                                     SmallVectorImpl<Value> &seeds,
                                     Location loc) {
  for (auto [k, init] : llvm::enumerate(inits)) {
    if (!isArray(init)) {
      seeds.push_back(getScalar(init));
      if (!seeds.back())
        return failure();
      homes.emplace_back();
      continue;
    }
    Place home = makePlace(k);
    if (!home || failed(copyInto(init, home, loc)))
      return failure();
    homes.push_back(home);
  }
  return success();
}

/// What a loop hands on: arrays to `homes`, scalars as results of the block.
LogicalResult BodyEmitter::emitNext(ValueRange yielded, ArrayRef<Place> homes,
                                    Location loc) {
  if (failed(carryInto(yielded, homes, loc)))
    return failure();
  SmallVector<Value> next;
  for (Value value : scalarsOf(yielded)) {
    next.push_back(getScalar(value));
    if (!next.back())
      return failure();
  }
  scf::YieldOp::create(builder, loc, next);
  return success();
}

/// The place of what a loop begins with, if nothing else looks at that from
/// then on: the loop carries it there.
Place BodyEmitter::findHome(Value init, Operation &loop,
                            ArrayRef<Place> taken) {
  if (!canWriteInto(init, loop))
    return {};
  Place home = places[skipBinds(init)];
  bool isTaken = llvm::any_of(
      taken, [&](const Place &other) { return other.memref == home.memref; });
  return isTaken ? Place() : home;
}

LogicalResult BodyEmitter::emitFor(scf::ForOp op) {
  Location loc = op.getLoc();
  if (failed(refuseChangingSizes(op)))
    return failure();
  Value lower = getScalar(op.getLowerBound());
  Value upper = getScalar(op.getUpperBound());
  Value step = getScalar(op.getStep());
  if (!lower || !upper || !step)
    return failure();
  SmallVector<Place> homes;
  SmallVector<Value> seeds;
  if (failed(emitInits(
          op.getInitArgs(),
          [&](unsigned k) {
            Value result = op.getResult(k);
            if (!promised.contains(result))
              if (Place home = findHome(op.getInitArgs()[k], *op, homes))
                return places[result] = home;
            return placeFor(result, loc);
          },
          homes, seeds, loc)))
    return failure();
  auto made = scf::ForOp::create(builder, loc, lower, upper, step, seeds);
  OpBuilder::InsertionGuard guard(builder);
  Block *body = made.getBody();
  if (!body->empty())
    body->clear();
  builder.setInsertionPointToStart(body);
  scalars[op.getInductionVar()] = made.getInductionVar();
  ValueRange carried = made.getRegionIterArgs();
  for (auto [arg, home] : llvm::zip(op.getRegionIterArgs(), homes)) {
    if (home) {
      places[arg] = home;
      continue;
    }
    scalars[arg] = carried.front();
    carried = carried.drop_front();
  }
  ValueRange yielded = op.getBody()->getTerminator()->getOperands();
  if (failed(emitBlock(*op.getBody())) || failed(emitNext(yielded, homes, loc)))
    return failure();
  for (auto [result, inside] :
       llvm::zip(scalarsOf(op.getResults()), made.getResults()))
    scalars[result] = inside;
  return success();
}

LogicalResult BodyEmitter::emitWhile(scf::WhileOp op) {
  Location loc = op.getLoc();
  if (failed(refuseChangingSizes(op)))
    return failure();
  SmallVector<Place> homes;
  SmallVector<Value> seeds;
  if (failed(emitInits(
          op.getInits(),
          [&](unsigned k) {
            Place home = findHome(op.getInits()[k], *op, homes);
            return home ? home : makeLocal(op.getInits()[k], loc);
          },
          homes, seeds, loc)))
    return failure();
  for (auto [arg, home] : llvm::zip(op.getBeforeArguments(), homes))
    if (home)
      places[arg] = home;
  SmallVector<Value> forwarded = scalarsOf(op.getResults());
  auto made = scf::WhileOp::create(
      builder, loc, TypeRange(ValueRange(forwarded)), seeds, nullptr, nullptr);
  OpBuilder::InsertionGuard guard(builder);

  Block *before = &made.getBefore().front();
  before->clear();
  builder.setInsertionPointToStart(before);
  for (auto [original, inside] :
       llvm::zip(scalarsOf(op.getBeforeArguments()), before->getArguments()))
    scalars[original] = inside;
  if (failed(emitBlock(*op.getBeforeBody())))
    return failure();
  scf::ConditionOp condition = op.getConditionOp();
  SmallVector<Value> given;
  for (auto [value, arg, result] : llvm::zip(
           condition.getArgs(), op.getAfterArguments(), op.getResults())) {
    if (!isArray(value)) {
      given.push_back(getScalar(value));
      if (!given.back())
        return failure();
      continue;
    }
    // The array stays where it lies: in the place that carries it.
    Place place = places.lookup(value);
    if (!place)
      return op.emitError("a 'while' inside of a 'for' may only test the "
                          "arrays that it carries");
    places[arg] = place;
    places[result] = place;
  }
  Value go = getScalar(condition.getCondition());
  if (!go)
    return failure();
  scf::ConditionOp::create(builder, loc, go, given);

  Block *after = &made.getAfter().front();
  after->clear();
  builder.setInsertionPointToStart(after);
  for (auto [original, inside] :
       llvm::zip(scalarsOf(op.getAfterArguments()), after->getArguments()))
    scalars[original] = inside;
  ValueRange yielded = op.getYieldOp().getOperands();
  if (failed(emitBlock(*op.getAfterBody())) ||
      failed(emitNext(yielded, homes, loc)))
    return failure();
  for (auto [result, inside] : llvm::zip(forwarded, made.getResults()))
    scalars[result] = inside;
  return success();
}
