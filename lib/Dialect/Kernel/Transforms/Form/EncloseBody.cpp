//===- EncloseBody.cpp - The code of a loop as that of one launch ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Views become indices into the arrays that they lie in: a launch takes its
// arrays once, and offsets that follow the step are numbers of its body.
//
// Behind a check that failed nothing is read, written or checked any more, and
// conditional loops end: what is left of the steps are numbers that nobody
// sees.
//
//===----------------------------------------------------------------------===//

#include "../Shared/LaunchAccess.h"
#include "EncloseLoops.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

static bool isArray(Value value) { return isa<MemRefType>(value.getType()); }

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// What `array` is made of, one step towards the base; null at a base.
static Value stepToBase(Value array) {
  if (auto view = array.getDefiningOp<memref::SubViewOp>())
    return view.getSource();
  if (auto cast = array.getDefiningOp<memref::CastOp>())
    return cast.getSource();
  if (auto loop = array.getDefiningOp<IterateOp>())
    return loop.getCarried()[cast<OpResult>(array).getResultNumber()];
  if (auto loop = array.getDefiningOp<scf::ForOp>())
    return loop.getInitArgs()[cast<OpResult>(array).getResultNumber()];
  auto argument = dyn_cast<BlockArgument>(array);
  if (!argument)
    return {};
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<IterateOp>(parent)) {
    auto *it = llvm::find(loop.getCarriedArgs(), argument);
    return it == loop.getCarriedArgs().end()
               ? Value()
               : loop.getCarried()[it - loop.getCarriedArgs().begin()];
  }
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    if (argument != loop.getInductionVar())
      return loop.getTiedLoopInit(argument)->get();
  return {};
}

Value arrc::kernel::findBase(Operation *loop, Value array) {
  while (array && (loop->isAncestor(array.getParentBlock()->getParentOp()) ||
                   array.getDefiningOp() == loop))
    array = stepToBase(array);
  return array;
}

/// Whether every step hands on the arrays of `loop` as they are.
static bool keepsPlaces(Operation *loop) {
  if (auto iterate = dyn_cast<IterateOp>(loop)) {
    if (llvm::is_contained(iterate.getRotates(), true))
      return false;
    if (iterate.getFlag() && findBase(loop, iterate.getContinue().getFlag()) !=
                                 iterate.getContinue().getFlag())
      return false;
    return llvm::equal(iterate.getContinue().getCarried(),
                       iterate.getCarriedArgs());
  }
  if (auto counted = dyn_cast<scf::ForOp>(loop)) {
    for (auto [next, argument] :
         llvm::zip(counted.getYieldedValues(), counted.getRegionIterArgs())) {
      if (!isArray(next))
        continue;
      Value base = findBase(loop, next);
      if (!base || base != counted.getTiedLoopInit(argument)->get())
        return false;
      // A view of the array is not the array.
      while (next != argument && !next.getDefiningOp<memref::SubViewOp>())
        next = stepToBase(next);
      if (next != argument)
        return false;
    }
    return true;
  }
  return llvm::none_of(loop->getOperands(), isArray) &&
         llvm::none_of(loop->getResults(), isArray);
}

StringRef LoopObstacle::describe() const {
  switch (kind) {
  case ObstacleKind::Schedule:
    return "a kernel of a step has a schedule";
  case ObstacleKind::Scan:
    return "a step has a scan or a filter";
  case ObstacleKind::Histogram:
    return "a step has a histogram";
  case ObstacleKind::Local:
    return "a kernel of a step keeps an array";
  case ObstacleKind::Check:
    return "a step checks what it computes";
  case ObstacleKind::Edges:
    return "a slice of a step is read beyond its edges";
  case ObstacleKind::Places:
    return "its arrays change places";
  case ObstacleKind::NoPlace:
    return "an array of a step has no place of its own";
  case ObstacleKind::Foreign:
    return "a step has what no kernel can do";
  case ObstacleKind::UnknownWork:
    return "how much a step does is known in the step alone";
  case ObstacleKind::LargeSteps:
    return "a step has work for more than one block";
  }
  llvm_unreachable("unknown obstacle");
}

/// Why the body of `launch` cannot be part of another, if something speaks
/// against it.
static std::optional<ObstacleKind> findObstacleIn(LaunchOp launch) {
  if (launch.getScheduleAttr() || launch.getVersionsAttr() || launch.getFlag())
    return ObstacleKind::Schedule;
  std::optional<ObstacleKind> why;
  launch.getBody().walk([&](Operation *op) {
    auto loop = dyn_cast<ForOp>(op);
    if (loop && loop.isScan())
      why = ObstacleKind::Scan;
    else if (isa<UpdateOp>(op))
      why = ObstacleKind::Histogram;
    else if (isa<LocalOp>(op))
      why = ObstacleKind::Local;
    else if (isa<CheckOp>(op))
      why = ObstacleKind::Check;
    return why ? WalkResult::interrupt() : WalkResult::advance();
  });
  return why;
}

/// Whether a load of `launch` from `argument` reads beyond edges.
static bool readsEdges(LaunchOp launch, BlockArgument argument) {
  return llvm::any_of(argument.getUsers(), [](Operation *user) {
    auto load = dyn_cast<LoadOp>(user);
    return load && load.getEdgeAttr();
  });
}

static std::optional<ObstacleKind> findObstacleAt(Operation *root,
                                                  Operation *op) {
  if (auto launch = dyn_cast<LaunchOp>(op)) {
    for (OpOperand &operand : launch->getOpOperands())
      if (BlockArgument argument = launch.getArgumentOf(operand))
        if (isArray(operand.get()) && readsEdges(launch, argument) &&
            operand.get().getDefiningOp<memref::SubViewOp>())
          return ObstacleKind::Edges;
    return findObstacleIn(launch);
  }
  if (isa<IterateOp, scf::ForOp, scf::WhileOp, scf::IfOp>(op))
    return keepsPlaces(op) ? std::optional<ObstacleKind>()
                           : ObstacleKind::Places;
  if (isa<memref::LoadOp, memref::StoreOp, memref::SubViewOp, memref::CastOp,
          memref::DimOp, memref::CopyOp, scf::YieldOp, scf::ConditionOp,
          ContinueOp, affine::AffineApplyOp>(op))
    return std::nullopt;
  if (isa<array::CheckOp>(op))
    return std::nullopt;
  bool scalar =
      isScalarOp(op) &&
      (isa<array::AssumeOp>(op) ||
       isa<arith::ArithDialect, math::MathDialect, complex::ComplexDialect>(
           op->getDialect()));
  return scalar ? std::optional<ObstacleKind>() : ObstacleKind::Foreign;
}

std::optional<LoopObstacle> arrc::kernel::findObstacle(Operation *root) {
  std::optional<LoopObstacle> found;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    std::optional<ObstacleKind> why = findObstacleAt(root, op);
    // What lies in no array that is known, and constants of the program.
    for (Value operand : op->getOperands()) {
      if (why || !isArray(operand))
        continue;
      Value base = findBase(root, operand);
      if (!base || base.getDefiningOp<memref::GetGlobalOp>())
        why = ObstacleKind::NoPlace;
    }
    if (why) {
      found = LoopObstacle{op, *why};
      return WalkResult::interrupt();
    }
    return isa<LaunchOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  return found;
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

namespace {

/// An array of the loop, in the array that it lies in.
struct View {
  Value array;
  /// For each dimension of `array` where the view begins, the step from one
  /// element to the next, and the dimension of the view that walks it, -1 for
  /// none.
  SmallVector<OpFoldResult> offsets, strides;
  SmallVector<int64_t> dims;
  SmallVector<OpFoldResult> sizes;
  bool isWhole = true;
};

class Encloser {
public:
  Encloser(OpBuilder &builder, Operation *root) : b(builder), root(root) {}

  LaunchOp run(StringRef name, SmallVectorImpl<Value> &results);

private:
  void collect();
  void addScalar(Value value);
  void createLaunch(StringRef name);
  Value get(Value scalar);
  OpFoldResult get(OpFoldResult scalar);
  View getView(Value array);
  View narrow(memref::SubViewOp op, View source);
  OpFoldResult add(Location loc, OpFoldResult x, OpFoldResult y);
  OpFoldResult multiply(Location loc, OpFoldResult x, OpFoldResult y);
  SmallVector<Value> getIndices(Location loc, const View &view,
                                ValueRange indices);
  void emitBlock(Block &block);
  void emit(Operation *op);
  void emitLaunch(LaunchOp inner);
  void emitCopy(memref::CopyOp copy);
  void emitIterate(IterateOp loop);
  void emitFor(scf::ForOp loop);
  void emitWhile(scf::WhileOp loop);
  void emitIf(scf::IfOp branch);
  void emitCheck(array::CheckOp check);
  /// `value`, and that no check has failed.
  Value andFine(Location loc, Value value);
  /// Whether no check has failed yet, as a value that loops carry.
  Value getFine(Location loc);
  Value load(Location loc, Value array, ValueRange indices);

  OpBuilder &b;
  Operation *root;
  LaunchOp launch;
  IRMapping map;
  llvm::SetVector<Value> scalars, arrays, written, constants;
  /// Where the launch leaves the scalar results of the loop.
  SmallVector<Value> places;
  llvm::DenseMap<Value, View> bases;
  unsigned loops = 0;
  /// Whether no check has failed; null in front of the first one.
  Value fine;
};

/// Whether the host checks something in `op`.
bool hasChecks(Operation *op) {
  return op->walk([](array::CheckOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

} // namespace

void Encloser::addScalar(Value value) {
  if (root->isAncestor(value.getParentBlock()->getParentOp()))
    return;
  Operation *op = value.getDefiningOp();
  (op && op->hasTrait<OpTrait::ConstantLike>() ? constants : scalars)
      .insert(value);
}

void Encloser::collect() {
  auto write = [&](Value array) { written.insert(findBase(root, array)); };
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (isArray(operand))
        arrays.insert(findBase(root, operand));
      else
        addScalar(operand);
    if (auto store = dyn_cast<memref::StoreOp>(op))
      write(store.getMemRef());
    if (auto copy = dyn_cast<memref::CopyOp>(op))
      write(copy.getTarget());
    auto inner = dyn_cast<LaunchOp>(op);
    if (!inner)
      return WalkResult::advance();
    for (Value array : inner.getOuts())
      write(array);
    return WalkResult::skip();
  });
}

void Encloser::createLaunch(StringRef name) {
  Location loc = root->getLoc();
  // Sizes that are no numbers are scalars as others.
  llvm::DenseMap<Value, SmallVector<OpFoldResult>> sizesOf;
  for (Value array : arrays) {
    auto type = cast<MemRefType>(array.getType());
    for (int64_t d = 0; d < type.getRank(); ++d) {
      if (!type.isDynamicDim(d)) {
        sizesOf[array].push_back(b.getIndexAttr(type.getDimSize(d)));
        continue;
      }
      Value size = b.createOrFold<memref::DimOp>(loc, array, d);
      sizesOf[array].push_back(size);
      scalars.insert(size);
    }
  }
  for (Value result : root->getResults())
    if (!isArray(result)) {
      Type type =
          result.getType().isIndex() ? b.getI64Type() : result.getType();
      places.push_back(
          memref::AllocOp::create(b, loc, MemRefType::get({}, type)));
    }
  SmallVector<Value> inputs(scalars.getArrayRef()), outs;
  for (Value array : arrays)
    (written.contains(array) ? outs : inputs).push_back(array);
  llvm::append_range(outs, places);
  SmallVector<SmallVector<int64_t>> sizes;
  for (ValueRange group : {ValueRange(inputs), ValueRange(outs)})
    for (Value operand : group) {
      SmallVector<int64_t> &list = sizes.emplace_back();
      for (OpFoldResult size : sizesOf.lookup(operand))
        if (auto value = dyn_cast<Value>(size))
          list.push_back(llvm::find(inputs, value) - inputs.begin());
        else
          list.push_back(*getConstantIntValue(size));
    }
  launch = LaunchOp::create(b, loc, name, inputs, outs, sizes);
  for (OpOperand &operand : launch->getOpOperands()) {
    BlockArgument argument = launch.getArgumentOf(operand);
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type) {
      map.map(operand.get(), argument);
      continue;
    }
    View &view = bases[operand.get()];
    view.array = argument;
    for (int64_t d = 0; d < type.getRank(); ++d) {
      view.offsets.push_back(b.getIndexAttr(0));
      view.strides.push_back(b.getIndexAttr(1));
      view.dims.push_back(d);
      view.sizes.push_back(launch.getSize(argument, d));
    }
  }
}

Value Encloser::get(Value scalar) { return map.lookup(scalar); }

OpFoldResult Encloser::get(OpFoldResult scalar) {
  auto value = dyn_cast<Value>(scalar);
  return value ? OpFoldResult(get(value)) : scalar;
}

/// `x + y`, as indices are written.
OpFoldResult Encloser::add(Location loc, OpFoldResult x, OpFoldResult y) {
  AffineExpr d0, d1;
  bindDims(b.getContext(), d0, d1);
  return affine::makeComposedFoldedAffineApply(b, loc, d0 + d1, {x, y});
}

OpFoldResult Encloser::multiply(Location loc, OpFoldResult x, OpFoldResult y) {
  if (!getConstantIntValue(x))
    std::swap(x, y);
  if (std::optional<int64_t> factor = getConstantIntValue(x))
    return affine::makeComposedFoldedAffineApply(
        b, loc, b.getAffineDimExpr(0) * *factor, {y});
  return arith::MulIOp::create(b, loc, cast<Value>(x), cast<Value>(y))
      .getResult();
}

View Encloser::narrow(memref::SubViewOp op, View source) {
  Location loc = op.getLoc();
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
  SmallVector<OpFoldResult> strides = op.getMixedStrides();
  View view = source;
  view.isWhole = false;
  view.sizes.clear();
  SmallVector<int64_t> number(dropped.size(), -1);
  for (auto [d, size] : llvm::enumerate(op.getMixedSizes()))
    if (!dropped[d]) {
      number[d] = view.sizes.size();
      view.sizes.push_back(get(size));
    }
  for (size_t k = 0; k < source.dims.size(); ++k) {
    int64_t d = source.dims[k];
    if (d < 0)
      continue;
    OpFoldResult moved = multiply(loc, get(offsets[d]), source.strides[k]);
    view.offsets[k] = add(loc, source.offsets[k], moved);
    view.strides[k] = multiply(loc, get(strides[d]), source.strides[k]);
    view.dims[k] = number[d];
  }
  return view;
}

View Encloser::getView(Value array) {
  auto it = bases.find(array);
  if (it != bases.end())
    return it->second;
  View view = getView(stepToBase(array));
  if (auto op = array.getDefiningOp<memref::SubViewOp>())
    view = narrow(op, view);
  return view;
}

SmallVector<Value> Encloser::getIndices(Location loc, const View &view,
                                        ValueRange indices) {
  SmallVector<Value> result;
  for (auto [offset, stride, dim] :
       llvm::zip(view.offsets, view.strides, view.dims)) {
    OpFoldResult index = offset;
    if (dim >= 0)
      index = add(loc, offset, multiply(loc, stride, indices[dim]));
    result.push_back(getValueOrCreateConstantIndexOp(b, loc, index));
  }
  return result;
}

Value Encloser::load(Location loc, Value array, ValueRange indices) {
  View view = getView(array);
  return LoadOp::create(b, loc, view.array, getIndices(loc, view, indices),
                        EdgesAttr(), fine);
}

Value Encloser::getFine(Location loc) {
  return fine ? fine : arith::ConstantIntOp::create(b, loc, 1, 1).getResult();
}

Value Encloser::andFine(Location loc, Value value) {
  return fine ? arith::AndIOp::create(b, loc, fine, value).getResult() : value;
}

void Encloser::emitCheck(array::CheckOp check) {
  Location loc = check.getLoc();
  Value ok = get(check.getOk()), passes = ok;
  if (fine) {
    Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
    Value over = arith::XOrIOp::create(b, loc, fine, yes);
    passes = arith::OrIOp::create(b, loc, over, ok);
  }
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

void Encloser::emitLaunch(LaunchOp inner) {
  OpBuilder::InsertionGuard guard(b);
  if (fine) {
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
  for (Operation &op : inner.getBodyBlock()->without_terminator())
    b.clone(op, map)->walk<WalkOrder::PreOrder>([&](ForOp loop) {
      loop.setDim((loop.getDim() + "_" + Twine(loops++)).str());
    });
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
  for (Value constant : constants)
    map.map(constant,
            b.clone(*constant.getDefiningOp())
                ->getResult(cast<OpResult>(constant).getResultNumber()));
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
