//===- Loops.cpp - Loops, locals and checks inside of a task --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "../KernelToHost/CheckSites.h"
#include "LaunchEmitter.h"

using namespace mlir;
using namespace arrc;

/// Locals up to this size live on the stack of the worker.
static constexpr int64_t maxStackBytes = 16 * 1024;

/// Columns, or vectors of them, whose partial results a task folds.
static constexpr int64_t foldedColumns = 64;

Value LaunchEmitter::getExtent(kernel::ForOp loop) {
  OpFoldResult extent = loop.getMixedExtent();
  if (auto value = dyn_cast<Value>(extent))
    return lookupScalar(value);
  return constantIndex(loop.getLoc(), *getConstantIntValue(extent)).value;
}

std::pair<Value, Value> LaunchEmitter::getRange(kernel::ForOp loop) {
  auto part = loop->getAttrOfType<DenseI64ArrayAttr>(partAttrName);
  if (!part)
    return {constantIndex(loop.getLoc(), 0).value, getExtent(loop)};
  return {lookupScalar(launch.getArgument(part[0])),
          lookupScalar(launch.getArgument(part[1]))};
}

LogicalResult LaunchEmitter::emitBody(Block &block) {
  locals.emplace_back();
  for (Operation &op : block.without_terminator())
    if (failed(emitOp(op)))
      return failure();
  for (Value local : locals.back())
    memref::DeallocOp::create(b, local.getLoc(), local);
  locals.pop_back();
  return success();
}

LogicalResult LaunchEmitter::emitOp(Operation &op) {
  if (auto loop = dyn_cast<kernel::ForOp>(op))
    return emitFor(loop);
  if (op.getNumRegions() != 0 && !isa<kernel::UpdateOp>(op))
    return emitRegionOp(op);
  if (auto load = dyn_cast<kernel::LoadOp>(op)) {
    emitLoad(load);
  } else if (auto store = dyn_cast<kernel::StoreOp>(op)) {
    emitStore(store);
  } else if (auto update = dyn_cast<kernel::UpdateOp>(op)) {
    emitUpdate(update);
  } else if (auto local = dyn_cast<kernel::LocalOp>(op)) {
    emitLocal(local);
  } else if (auto check = dyn_cast<kernel::CheckOp>(op)) {
    emitCheck(check);
  } else if (auto prefix = dyn_cast<kernel::PrefixOp>(op)) {
    emitPrefix(prefix);
  } else if (isa<kernel::KernelDialect>(op.getDialect())) {
    return op.emitOpError("cannot be run on the CPU here");
  } else {
    emitPlainOp(op);
  }
  return success();
}

LogicalResult LaunchEmitter::emitFor(kernel::ForOp loop) {
  if (skipped.contains(loop))
    return success();
  if (lanes == 0 && loop.getLevelKind() == kernel::LevelKind::Vector &&
      canRunInLanes(loop))
    return emitVectorFor(loop);
  if (spreads && loop.isParallel() && isNested(loop))
    return emitChunks(loop, foldedColumns);
  SmallVector<LaneValue> results;
  auto [begin, end] = getRange(loop);
  if (auto part = ranges.find(loop); part != ranges.end())
    std::tie(begin, end) = part->second;
  else if (loop->hasAttr(partAttrName))
    end = arith::AddIOp::create(b, loop.getLoc(), begin, end);
  if (failed(emitSerialFor(loop, begin, end, lookup(loop.getSeeds()), results)))
    return failure();
  for (auto [result, value] : llvm::zip(loop.getResults(), results))
    set(result, value);
  return success();
}

LogicalResult
LaunchEmitter::emitSerialFor(kernel::ForOp loop, Value begin, Value end,
                             ArrayRef<LaneValue> seeds,
                             SmallVectorImpl<LaneValue> &results) {
  if (isExtremumFor(loop))
    return emitExtremumFor(loop, begin, end, seeds, results);
  if (auto done = emitArgFor(loop, begin, end, seeds, results))
    return *done;
  Location loc = loop.getLoc();
  SmallVector<Value> initial;
  for (LaneValue seed : seeds)
    initial.push_back(toVector(loc, seed));
  Value one = constantIndex(loc, 1).value;
  auto code = scf::ForOp::create(b, loc, begin, end, one, initial);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(code.getBody());
  set(loop.getInductionVar(), code.getInductionVar());
  indices.push_back({{code.getInductionVar()}, getExtent(loop)});
  auto asLanes = [&](Value value) { return LaneValue{value, 0, lanes != 0}; };
  SmallVector<LaneValue> accumulators;
  for (Value argument : code.getRegionIterArgs())
    accumulators.push_back(asLanes(argument));
  if (loop.isScan())
    enterScan(loop, accumulators);
  if (failed(emitBody(*loop.getBodyBlock())))
    return failure();
  SmallVector<LaneValue> next;
  if (loop.isReduce()) {
    next = combine(loop.getCombiner(), accumulators,
                   lookup(loop.getYield().getValues()));
  } else if (loop.isScan()) {
    next = leaveScan();
  }
  indices.pop_back();
  SmallVector<Value> yielded;
  for (LaneValue value : next)
    yielded.push_back(toVector(loc, value));
  // Without results the builder has made the terminator.
  if (!yielded.empty())
    scf::YieldOp::create(b, loc, yielded);
  for (Value result : code.getResults())
    results.push_back(asLanes(result));
  return success();
}

/// Operations of `scf` around kernel operations: the same with emitted bodies.
/// What they yield in lanes is a vector.
LogicalResult LaunchEmitter::emitRegionOp(Operation &op) {
  if (!isa<scf::IfOp, scf::ForOp, scf::WhileOp>(op))
    return op.emitOpError("cannot be run on the CPU here");
  Location loc = op.getLoc();
  OperationState state(loc, op.getName());
  bool isBranch = isa<scf::IfOp>(op);
  for (auto [position, operand] : llvm::enumerate(op.getOperands())) {
    // The bounds of a loop and the condition of a branch are scalars, what is
    // carried are lanes.
    bool control = isBranch || (isa<scf::ForOp>(op) && position < 3);
    state.operands.push_back(control ? lookupScalar(operand)
                                     : toVector(loc, lookup(operand)));
  }
  for (Type type : op.getResultTypes())
    state.types.push_back(laneType(type));
  state.attributes = op.getAttrDictionary();
  state.propertiesAttr = op.getPropertiesAsAttribute();
  for (unsigned i = 0; i < op.getNumRegions(); ++i)
    state.addRegion();
  Operation *copy = b.create(state);
  OpBuilder::InsertionGuard guard(b);
  for (auto [from, to] : llvm::zip(op.getRegions(), copy->getRegions())) {
    if (from.empty())
      continue;
    Block *block = b.createBlock(&to);
    for (BlockArgument argument : from.getArguments()) {
      bool control = isa<scf::ForOp>(op) && argument.getArgNumber() == 0;
      Type type = control ? argument.getType() : laneType(argument.getType());
      set(argument, {block->addArgument(type, loc), 0, !control && lanes != 0});
    }
    if (failed(emitBody(from.front())))
      return failure();
    Operation *end = from.front().getTerminator();
    OperationState last(loc, end->getName());
    for (auto [position, operand] : llvm::enumerate(end->getOperands())) {
      bool control = isa<scf::ConditionOp>(end) && position == 0;
      last.operands.push_back(control ? lookupScalar(operand)
                                      : toVector(loc, lookup(operand)));
    }
    b.create(last);
  }
  for (auto [from, to] : llvm::zip(op.getResults(), copy->getResults()))
    set(from, {to, 0, lanes != 0});
  return success();
}

void LaunchEmitter::emitLocal(kernel::LocalOp local) {
  Location loc = local.getLoc();
  auto type = cast<MemRefType>(local.getResult().getType());
  type = MemRefType::get(type.getShape(), type.getElementType());
  if (inTask && type.hasStaticShape() &&
      type.getNumElements() * getElementBytes(type.getElementType()) <=
          maxStackBytes) {
    set(local.getResult(),
        Value(memref::AllocaOp::create(b, loc, type, b.getI64IntegerAttr(64))));
    return;
  }
  SmallVector<Value> sizes;
  for (Value size : local.getSizes())
    sizes.push_back(lookupScalar(size));
  Value memory = memref::AllocOp::create(b, loc, type, sizes);
  memory.getDefiningOp()->setAttr(localAttrName, b.getUnitAttr());
  mayFail = true;
  if (inTask)
    locals.back().push_back(memory);
  else
    buffers.push_back(memory);
  set(local.getResult(), memory);
}

/// The body of `arrt_record_check` needs memory for the values; a function of
/// its own keeps that, and all else of the cold path, out of the loop.
static func::FuncOp getCheckFunction(ModuleOp module, RuntimeCalls &calls,
                                     kernel::CheckOp check) {
  int32_t site = getSite(check);
  std::string name = ("arrc_check_" + Twine(site)).str();
  if (auto function = module.lookupSymbol<func::FuncOp>(name))
    return function;
  OpBuilder b(module.getContext());
  b.setInsertionPointToEnd(module.getBody());
  Location loc = check.getLoc();
  SmallVector<Type> types(check.getValues().size() + 1, b.getI64Type());
  types.insert(types.begin(), calls.getPointer());
  auto function =
      func::FuncOp::create(b, loc, name, b.getFunctionType(types, {}));
  function.setPrivate();
  function->setAttr(taskAttrName, b.getUnitAttr());
  function->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(b.getContext(), LLVM::Linkage::Internal));
  function.setArgAttr(0, contextAttrName, b.getUnitAttr());
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToStart(entry);
  auto values = entry->getArguments().drop_front(2);
  Value list = LLVM::ZeroOp::create(b, loc, calls.getPointer());
  if (!values.empty())
    list = LLVM::AllocaOp::create(b, loc, calls.getPointer(), b.getI64Type(),
                                  calls.i64(b, loc, values.size()));
  for (auto [position, value] : llvm::enumerate(values)) {
    Value slot = LLVM::GEPOp::create(
        b, loc, calls.getPointer(), b.getI64Type(), list,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(position)});
    LLVM::StoreOp::create(b, loc, value, slot);
  }
  calls.call(b, loc, "arrt_record_check",
             {entry->getArgument(0), calls.i32(b, loc, site),
              entry->getArgument(1), calls.i32(b, loc, values.size()), list});
  func::ReturnOp::create(b, loc);
  return function;
}

void LaunchEmitter::emitCheck(kernel::CheckOp check) {
  Location loc = check.getLoc();
  mayFail = true;
  func::FuncOp function =
      getCheckFunction(host->getParentOfType<ModuleOp>(), calls, check);
  Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
  Value failed =
      arith::XOrIOp::create(b, loc, lookupScalar(check.getCondition()), yes);
  auto branch = scf::IfOp::create(b, loc, failed, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  // Errors of one site are ordered by the index of the iteration.
  Value place = constantIndex(loc, 0).value;
  for (auto [index, extent] : indices) {
    place = arith::MulIOp::create(b, loc, place, extent);
    place = arith::AddIOp::create(b, loc, place, index.value);
  }
  SmallVector<Value> operands{
      calls.getContext(host),
      arith::IndexCastOp::create(b, loc, b.getI64Type(), place)};
  for (Value value : check.getValues())
    operands.push_back(toCheckBits(b, loc, lookupScalar(value)));
  func::CallOp::create(b, loc, function, operands);
}
