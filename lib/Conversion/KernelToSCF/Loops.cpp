//===- Loops.cpp - Loops, locals and checks inside of a task --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "../KernelToHost/CheckSites.h"
#include "LaunchEmitter.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

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
    return lanes ? emitRegionInLanes(op) : emitRegionOp(op);
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
  enterLoop(loop, {code.getInductionVar()});
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
  digits.pop_back();
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
LogicalResult LaunchEmitter::emitRegionOp(Operation &op) {
  if (!isa<scf::IfOp, scf::ForOp, scf::WhileOp>(op))
    return op.emitOpError("cannot be run on the CPU here");
  Location loc = op.getLoc();
  auto lookupAll = [&](ValueRange range) {
    return llvm::map_to_vector(
        range, [&](Value value) { return lookupScalar(value); });
  };
  OperationState state(loc, op.getName());
  state.addOperands(lookupAll(op.getOperands()));
  state.addTypes(op.getResultTypes());
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
    for (BlockArgument argument : from.getArguments())
      set(argument, block->addArgument(argument.getType(), loc));
    if (failed(emitBody(from.front())))
      return failure();
    Operation *end = from.front().getTerminator();
    OperationState last(loc, end->getName());
    last.addOperands(lookupAll(end->getOperands()));
    b.create(last);
  }
  for (auto [from, to] : llvm::zip(op.getResults(), copy->getResults()))
    set(from, to);
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
  SmallVector<LaneValue> values = lookup(check.getValues());
  LaneValue condition = lookup(check.getCondition());
  Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
  auto createIf = [&](Value go) {
    auto branch = scf::IfOp::create(b, loc, go, /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
  };
  OpBuilder::InsertionGuard guard(b);
  if (condition.isUniform() &&
      llvm::all_of(values, [](LaneValue v) { return v.isUniform(); })) {
    createIf(arith::XOrIOp::create(b, loc, condition.value, yes));
    emitFailure(check, function, values, constantIndex(loc, 0).value);
    return;
  }
  Value failed =
      arith::XOrIOp::create(b, loc, toVector(loc, condition), allOn(loc));
  if (active)
    failed = arith::AndIOp::create(b, loc, failed, active);
  createIf(createAny(loc, failed));
  auto each = scf::ForOp::create(b, loc, constantIndex(loc, 0).value,
                                 constantIndex(loc, lanes).value,
                                 constantIndex(loc, 1).value);
  b.setInsertionPointToStart(each.getBody());
  Value lane = each.getInductionVar();
  createIf(vector::ExtractOp::create(b, loc, failed, lane));
  emitFailure(check, function, values, lane);
}

void LaunchEmitter::emitFailure(kernel::CheckOp check, func::FuncOp function,
                                ArrayRef<LaneValue> values, Value lane) {
  Location loc = check.getLoc();
  auto getOf = [&](LaneValue value) -> Value {
    if (value.isVector)
      return vector::ExtractOp::create(b, loc, value.value, lane);
    if (value.stride == 0)
      return value.value;
    Value number = lane;
    if (!value.value.getType().isIndex())
      number = arith::IndexCastOp::create(b, loc, value.value.getType(), lane);
    Value stride = arith::ConstantOp::create(
        b, loc, b.getIntegerAttr(number.getType(), value.stride));
    return arith::AddIOp::create(b, loc, value.value,
                                 arith::MulIOp::create(b, loc, number, stride));
  };
  SmallVector<Digit> digits = this->digits;
  for (ExpandedDigit digit : getExpandedDigits(check))
    digits.push_back({digit.name, constantIndex(loc, digit.index),
                      constantIndex(loc, digit.extent).value});
  Value place = constantIndex(loc, 0).value;
  for (unsigned number : orderDigits(llvm::map_to_vector(
           digits, [](const Digit &digit) { return digit.dim; }))) {
    place = arith::MulIOp::create(b, loc, place, digits[number].extent);
    place = arith::AddIOp::create(b, loc, place, getOf(digits[number].index));
  }
  SmallVector<Value> operands{
      calls.getContext(host),
      arith::IndexCastOp::create(b, loc, b.getI64Type(), place)};
  for (LaneValue value : values)
    operands.push_back(toCheckBits(b, loc, getOf(value)));
  func::CallOp::create(b, loc, function, operands);
}
