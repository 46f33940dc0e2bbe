//===- EncloseBody.cpp - The code of a loop as that of one launch ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Behind a check that failed nothing is read, written or checked any more, and
// conditional loops end: what is left of the steps are numbers that nobody
// sees.
//
//===----------------------------------------------------------------------===//

#include "../Shared/LaunchAccess.h"
#include "Encloser.h"

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Whether the host checks something in `op`.
static bool hasChecks(Operation *op) {
  return op->walk([](array::CheckOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

Value Encloser::getFine(Location loc) {
  return fine ? fine : arith::ConstantIntOp::create(b, loc, 1, 1).getResult();
}

Value Encloser::andFine(Location loc, Value value) {
  return fine ? arith::AndIOp::create(b, loc, fine, value).getResult() : value;
}

Value Encloser::orOver(Location loc, Value value) {
  Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
  Value over = arith::XOrIOp::create(b, loc, fine, yes);
  return arith::OrIOp::create(b, loc, over, value);
}

void Encloser::emitCheck(array::CheckOp check) {
  Location loc = check.getLoc();
  Value ok = get(check.getOk()), passes = fine ? orOver(loc, ok) : ok;
  SmallVector<Value> values;
  for (Value value : check.getValues())
    values.push_back(get(value));
  CheckOp::create(b, loc,
                  *symbolizeCheckKind(stringifyCheckKind(check.getKind())),
                  passes, check.getMessage(), values);
  fine = andFine(loc, ok);
}

static SmallVector<Value> lookup(IRMapping &map, ValueRange values) {
  return llvm::map_to_vector(values,
                             [&](Value value) { return map.lookup(value); });
}

/// Whether `op` is one that can be guarded by itself.
static bool hasGuard(Operation &op) {
  return isa<ForOp, LoadOp, StoreOp, CheckOp>(op) || isScalarOp(&op);
}

void Encloser::guard(Operation *op) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  Location loc = op->getLoc();
  if (auto loop = dyn_cast<ForOp>(op)) {
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value extent =
        getValueOrCreateConstantIndexOp(b, loc, loop.getMixedExtent());
    loop.setMixedExtent(
        arith::SelectOp::create(b, loc, fine, extent, zero).getResult());
  } else if (auto load = dyn_cast<LoadOp>(op)) {
    Value mask = load.getMask();
    load.getMaskMutable().assign(mask ? andFine(loc, mask) : fine);
  } else if (auto store = dyn_cast<StoreOp>(op)) {
    Value mask = store.getMask();
    store.getMaskMutable().assign(mask ? andFine(loc, mask) : fine);
  } else if (auto check = dyn_cast<CheckOp>(op)) {
    check.getConditionMutable().assign(orOver(loc, check.getCondition()));
  }
}

void Encloser::emitLaunch(LaunchOp inner) {
  OpBuilder::InsertionGuard insertion(b);
  bool guards =
      spreads && fine &&
      llvm::all_of(inner.getBodyBlock()->without_terminator(), hasGuard);
  if (fine && !guards) {
    auto branch = scf::IfOp::create(b, inner.getLoc(), fine,
                                    /*withElseRegion=*/false);
    b.setInsertionPoint(branch.thenBlock()->getTerminator());
  }
  SmallVector<std::pair<Value, View>, 1> moved;
  for (OpOperand &operand : inner->getOpOperands()) {
    BlockArgument argument = inner.getArgumentOf(operand);
    if (!isArray(operand.get())) {
      map.map(argument, get(operand.get()));
      continue;
    }
    View view = getView(operand.get());
    if (view.isWhole) {
      map.map(argument, view.array);
      continue;
    }
    // Stands for the view until its accesses have their indices.
    auto place = UnrealizedConversionCastOp::create(
        b, inner.getLoc(), argument.getType(), ValueRange{view.array});
    map.map(argument, place.getResult(0));
    moved.push_back({place.getResult(0), view});
  }
  for (Operation &op : inner.getBodyBlock()->without_terminator()) {
    Operation *copy = b.clone(op, map);
    copy->walk<WalkOrder::PreOrder>([&](ForOp loop) {
      loop.setDim((loop.getDim() + "_" + Twine(loops++)).str());
    });
    if (guards)
      guard(copy);
  }
  for (auto &[place, view] : moved) {
    for (OpOperand &use : llvm::make_early_inc_range(place.getUses())) {
      OpBuilder::InsertionGuard guard(b);
      Operation *access = use.getOwner();
      b.setInsertionPoint(access);
      SmallVector<Value> indices =
          getIndices(access->getLoc(), view, getIndicesOf(access));
      use.set(view.array);
      getIndicesOfMutable(access).assign(indices);
    }
    place.getDefiningOp()->erase();
  }
}

void Encloser::emitCopy(memref::CopyOp copy) {
  OpBuilder::InsertionGuard guard(b);
  Location loc = copy.getLoc();
  if (fine) {
    auto branch = scf::IfOp::create(b, loc, fine, /*withElseRegion=*/false);
    b.setInsertionPoint(branch.thenBlock()->getTerminator());
  }
  View from = getView(copy.getSource()), to = getView(copy.getTarget());
  SmallVector<Value> indices;
  for (auto [d, size] : llvm::enumerate(to.sizes)) {
    std::string dim = ("d" + Twine(d) + "_" + Twine(loops++)).str();
    auto loop = ForOp::create(b, loc, dim, size);
    indices.push_back(loop.getInductionVar());
    b.setInsertionPoint(loop.getBodyBlock()->getTerminator());
  }
  Value value =
      LoadOp::create(b, loc, from.array, getIndices(loc, from, indices));
  StoreOp::create(b, loc, value, to.array, getIndices(loc, to, indices));
}

void Encloser::emitIterate(IterateOp loop) {
  OpBuilder::InsertionGuard guard(b);
  Location loc = loop.getLoc();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  bool checks = hasChecks(loop);
  if (!loop.getFlag()) {
    SmallVector<Value> inits;
    if (checks)
      inits.push_back(getFine(loc));
    auto copy =
        scf::ForOp::create(b, loc, zero, get(loop.getTimes()), one, inits);
    map.map(loop.getStepArg(), copy.getInductionVar());
    if (!checks) {
      b.setInsertionPoint(copy.getBody()->getTerminator());
      return emitBlock(*loop.getBodyBlock());
    }
    fine = copy.getRegionIterArg(0);
    b.setInsertionPointToEnd(copy.getBody());
    emitBlock(*loop.getBodyBlock());
    scf::YieldOp::create(b, loc, fine);
    fine = copy.getResult(0);
    return;
  }
  SmallVector<Value> inits{load(loc, loop.getFlag(), {}), zero};
  if (checks)
    inits.push_back(getFine(loc));
  SmallVector<Type> types(ValueRange(inits).getTypes());
  SmallVector<Location> locs(types.size(), loc);
  auto copy = scf::WhileOp::create(b, loc, types, inits);
  Block *before = b.createBlock(&copy.getBefore(), {}, types, locs);
  Value more = before->getArgument(0);
  if (loop.getTimes()) {
    Value left =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                              before->getArgument(1), get(loop.getTimes()));
    more = arith::AndIOp::create(b, loc, more, left);
  }
  if (checks)
    fine = before->getArgument(2);
  scf::ConditionOp::create(b, loc, andFine(loc, more), before->getArguments());
  Block *after = b.createBlock(&copy.getAfter(), {}, types, locs);
  if (checks)
    fine = after->getArgument(2);
  if (loop.getStepArg())
    map.map(loop.getStepArg(), after->getArgument(1));
  emitBlock(*loop.getBodyBlock());
  Value go = load(loc, loop.getContinue().getFlag(), {});
  SmallVector<Value> next{
      go, arith::AddIOp::create(b, loc, after->getArgument(1), one)};
  if (checks)
    next.push_back(fine);
  scf::YieldOp::create(b, loc, next);
  if (checks)
    fine = copy.getResult(2);
}

void Encloser::emitFor(scf::ForOp loop) {
  OpBuilder::InsertionGuard guard(b);
  Location loc = loop.getLoc();
  SmallVector<Value> inits, next;
  for (Value init : loop.getInitArgs())
    if (!isArray(init))
      inits.push_back(get(init));
  bool checks = hasChecks(loop);
  if (checks)
    inits.push_back(getFine(loc));
  auto copy =
      scf::ForOp::create(b, loc, get(loop.getLowerBound()),
                         get(loop.getUpperBound()), get(loop.getStep()), inits);
  map.map(loop.getInductionVar(), copy.getInductionVar());
  unsigned number = 0;
  for (auto [argument, result] :
       llvm::zip(loop.getRegionIterArgs(), loop.getResults()))
    if (!isArray(argument)) {
      map.map(argument, copy.getRegionIterArg(number));
      map.map(result, copy.getResult(number++));
    }
  Block *body = copy.getBody();
  if (!body->empty())
    body->back().erase();
  b.setInsertionPointToEnd(body);
  if (checks)
    fine = copy.getRegionIterArgs().back();
  emitBlock(*loop.getBody());
  for (Value value : loop.getYieldedValues())
    if (!isArray(value))
      next.push_back(get(value));
  if (checks)
    next.push_back(fine);
  scf::YieldOp::create(b, loc, next);
  if (checks)
    fine = copy.getResults().back();
}

void Encloser::emitWhile(scf::WhileOp loop) {
  OpBuilder::InsertionGuard guard(b);
  Location loc = loop.getLoc();
  bool checks = hasChecks(loop);
  SmallVector<Value> inits = lookup(map, loop.getInits());
  SmallVector<Type> results(loop.getResultTypes());
  if (checks) {
    inits.push_back(getFine(loc));
    results.push_back(b.getI1Type());
  }
  auto copy = scf::WhileOp::create(b, loc, results, inits);
  auto open = [&](Region &from, Region &to) {
    SmallVector<Type> types(from.front().getArgumentTypes());
    if (checks)
      types.push_back(b.getI1Type());
    Block *block =
        b.createBlock(&to, {}, types, SmallVector<Location>(types.size(), loc));
    map.map(from.front().getArguments(),
            block->getArguments().take_front(from.front().getNumArguments()));
    if (checks)
      fine = block->getArguments().back();
    emitBlock(from.front());
  };
  auto handOn = [&](ValueRange from) {
    SmallVector<Value> values = lookup(map, from);
    if (checks)
      values.push_back(fine);
    return values;
  };
  open(loop.getBefore(), copy.getBefore());
  scf::ConditionOp end = loop.getConditionOp();
  Value more = andFine(loc, get(end.getCondition()));
  scf::ConditionOp::create(b, loc, more, handOn(end.getArgs()));
  open(loop.getAfter(), copy.getAfter());
  scf::YieldOp::create(b, loc, handOn(loop.getYieldOp().getOperands()));
  map.map(loop.getResults(),
          copy.getResults().take_front(loop.getNumResults()));
  if (checks)
    fine = copy.getResults().back();
}

void Encloser::emitIf(scf::IfOp branch) {
  OpBuilder::InsertionGuard guard(b);
  Location loc = branch.getLoc();
  bool checks = hasChecks(branch);
  SmallVector<Type> types(branch.getResultTypes());
  if (checks)
    types.push_back(b.getI1Type());
  Value entry = checks ? getFine(loc) : fine;
  auto copy = scf::IfOp::create(b, loc, types, get(branch.getCondition()),
                                checks || !branch.getElseRegion().empty());
  for (auto [from, to] : llvm::zip(branch.getRegions(), copy.getRegions())) {
    if (to->empty())
      continue;
    Block &block = to->front();
    if (!block.empty())
      block.back().erase();
    b.setInsertionPointToEnd(&block);
    fine = entry;
    SmallVector<Value> values;
    if (!from->empty()) {
      emitBlock(from->front());
      values = lookup(map, from->front().getTerminator()->getOperands());
    }
    if (checks)
      values.push_back(fine);
    scf::YieldOp::create(b, loc, values);
  }
  map.map(branch.getResults(),
          copy.getResults().take_front(branch.getNumResults()));
  fine = checks ? copy.getResults().back() : entry;
}

void Encloser::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    emit(&op);
}

void Encloser::emit(Operation *op) {
  Location loc = op->getLoc();
  if (auto inner = dyn_cast<LaunchOp>(op))
    return emitLaunch(inner);
  if (auto loop = dyn_cast<IterateOp>(op))
    return emitIterate(loop);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return emitFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return emitWhile(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return emitIf(branch);
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return emitCopy(copy);
  if (isa<memref::SubViewOp, memref::CastOp>(op))
    return;
  if (auto access = dyn_cast<memref::LoadOp>(op))
    return map.map(access.getResult(), load(loc, access.getMemRef(),
                                            lookup(map, access.getIndices())));
  if (auto access = dyn_cast<memref::StoreOp>(op)) {
    View view = getView(access.getMemRef());
    StoreOp::create(b, loc, get(access.getValueToStore()), view.array,
                    getIndices(loc, view, lookup(map, access.getIndices())),
                    fine);
    return;
  }
  if (auto check = dyn_cast<array::CheckOp>(op))
    return emitCheck(check);
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    View view = getView(dim.getSource());
    OpFoldResult size = view.sizes[*dim.getConstantIndex()];
    return map.map(dim.getResult(),
                   getValueOrCreateConstantIndexOp(b, loc, size));
  }
  b.clone(*op, map);
}

LaunchOp Encloser::run(StringRef name, SmallVectorImpl<Value> &results) {
  OpBuilder::InsertionGuard guard(b);
  Location loc = root->getLoc();
  b.setInsertionPoint(root);
  collect();
  createLaunch(name);
  b.setInsertionPoint(launch.getBodyBlock()->getTerminator());
  addConstants();
  auto block = ForOp::create(b, loc, kEnclosingDim, b.getIndexAttr(1));
  b.setInsertionPoint(block.getBodyBlock()->getTerminator());
  emit(root);
  auto *place = places.begin();
  for (Value result : root->getResults()) {
    if (isArray(result))
      continue;
    Value value = get(result);
    if (value.getType().isIndex())
      value = arith::IndexCastOp::create(b, loc, b.getI64Type(), value);
    StoreOp::create(b, loc, value, bases[*place++].array, ValueRange());
  }
  b.setInsertionPoint(root);
  place = places.begin();
  for (Value result : root->getResults()) {
    if (isArray(result))
      continue;
    Value value = memref::LoadOp::create(b, loc, *place);
    memref::DeallocOp::create(b, loc, *place++);
    if (result.getType().isIndex())
      value = arith::IndexCastOp::create(b, loc, b.getIndexType(), value);
    results.push_back(value);
  }
  return launch;
}

LaunchOp arrc::kernel::encloseLoop(OpBuilder &builder, Operation *loop,
                                   StringRef name,
                                   SmallVectorImpl<Value> &results) {
  return Encloser(builder, loop).run(name, results);
}

LaunchOp Encloser::spread(StringRef name) {
  OpBuilder::InsertionGuard guard(b);
  auto loop = cast<IterateOp>(root);
  spreads = true;
  b.setInsertionPoint(root);
  collect();
  SmallVector<Value> temporaries = takeTemporaries();
  createLaunch(name);
  b.setInsertionPoint(launch.getBodyBlock()->getTerminator());
  addConstants();
  auto steps = ForOp::create(b, root->getLoc(), kStepDim, get(loop.getTimes()));
  b.setInsertionPoint(steps.getBodyBlock()->getTerminator());
  map.map(loop.getStepArg(), steps.getInductionVar());
  addLocals(temporaries);
  emitBlock(*loop.getBodyBlock());
  return launch;
}

LaunchOp arrc::kernel::spreadLoop(OpBuilder &builder, IterateOp loop,
                                  StringRef name) {
  return Encloser(builder, loop).spread(name);
}
