//===- EncodeUpdates.cpp - Updates as those of integers -------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. Devices combine integers of 32 and 64 bits in memory indivisibly, and
// what integers hold does not depend on the order. So other updates become
// updates of integers in an array beside the destination, which are decoded
// once behind the loop.
//
// Before   for i in %N { update %v, %H[%b] by addf }
// After    %near = local(bins), %far = local(34, bins), %w = local(1)
//          for z in bins { %near[z] = 0; for k in 34 { %far[k, z] = 0 } }
//          %w[0] = low(for s in min(%N, 1024) reduce { scale of %v at i = .. s
//          }) for i in %N {
//            update %n, %near[%b] if %v is in the window from %w[0] on by addi
//            update %f, %far[%k, %b] if not by addi }
//          for z in bins { %H[z] = %H[z] + round(join %near[z], %far[.., z]) }
//
// - Least and largest floats: integers of as many bits in the same order, NaN
//   beyond the infinity on the side that wins.
// - Narrow integers: 32 bits, of which the low ones are kept.
// - Sums of f32: exact (ExactSums.h). Nearly all values go to one integer of 64
//   bits, whose window of exponents is laid about those of up to 1024 values;
//   where it lies changes the speed and no result. Where results are to have
//   the same bits on every target, CPUs and devices without atomic operations
//   of 64 bits encode them too.
//   A CPU has memory for what few bins need and no time to clear and to read
//   it: what the window misses goes to a second one below, and what both miss
//   is counted. Bins that have a count are cleared, and a copy of the loop adds
//   what both missed; it has no iterations where that is nothing. So values
//   that no window holds cost a second pass, in which they are indivisible.
//
// Legal: the operator of an update commutes, and the encoding maps it to that
// of the integers. Pays always: the alternative is a copy of the bins for each
// of many threads.
//
// Reference: Kulisch, "Computer Arithmetic and Validity" (2013), chapter 8;
// Collange et al., "Numerical reproducibility for the parallel reduction on
// multi- and many-core architectures" (2015).
//
//===----------------------------------------------------------------------===//

#include "ExactSums.h"

#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/NativeUpdates.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"
#include "arrc/Support/Combiner.h"
#include "arrc/Support/SameBits.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <tuple>

namespace arrc::kernel {
#define GEN_PASS_DEF_ENCODEUPDATESPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Values that a window of exponents is laid about.
static constexpr int64_t kSamples = 1024;
/// Bins that are looked at together.
static constexpr int64_t kNeighbours = 16;

/// What `update` becomes on `device`; None if there is nothing to do.
static UpdateEncoding getEncoding(UpdateOp update, DeviceAttr device) {
  SmallVector<Operation *> ops = getCombinerOps(update.getCombiner());
  if (ops.size() != 1)
    return UpdateEncoding::None;
  Type type = update.getValue().getType();
  // Tasks of a CPU have copies of all else.
  if (!isGPU(device) && !(isa<arith::AddFOp>(ops.front()) && type.isF32()))
    return UpdateEncoding::None;
  UpdateEncoding encoding = getUpdateEncoding(ops.front(), type, device);
  return encoding == UpdateEncoding::Native ? UpdateEncoding::None : encoding;
}

//===----------------------------------------------------------------------===//
// One destination
//===----------------------------------------------------------------------===//

namespace {

/// Makes the updates of one array in one root loop updates of integers.
class Encoder {
public:
  Encoder(IRRewriter &rewriter, LaunchOp launch, ForOp root, unsigned number,
          UpdateEncoding encoding, ArrayRef<UpdateOp> updates)
      : b(rewriter), launch(launch), root(root), loc(root.getLoc()),
        name((root.getDim() + "_e" + Twine(number)).str()), encoding(encoding),
        updates(updates), model(this->updates.front()),
        byProduct(encoding == UpdateEncoding::Sum &&
                  !isGPU(DeviceAttr::get(root))) {}

  /// False, and nothing is changed, if there is no neutral element.
  bool run();

private:
  void findSizes();
  Value encode(Value value);
  Value decode(Value value);
  void replace(UpdateOp update);
  /// The same of sums by products.
  void replaceByProduct(UpdateOp update);
  void addFar(UpdateOp update, Value value);
  /// Adds what no window took, in a loop as the root one.
  ForOp addFarAgain();
  bool mayRunAgain();
  /// The window of sums, from values that the loop will add where they can be
  /// had before.
  void findWindow();
  bool findSlice(SetVector<Operation *> &slice);
  void initialize();
  /// What the updates added to the element at `place`.
  Value getTotal(ValueRange place);
  /// Adds that to the destination; of all elements, where few need more than
  /// the near integer.
  void finish(Value total, ValueRange place);
  void finishBlocks();
  /// Loops over `sizes`; gives their indices.
  SmallVector<Value> openLoops(ArrayRef<OpFoldResult> sizes, StringRef suffix);
  LocalOp createLocal(ArrayRef<OpFoldResult> sizes, Type element);
  /// Of the far integer `number` of the bin at `place`.
  SmallVector<Value> getFarPlace(Value number, ValueRange place);
  UpdateOp createUpdate(Value value, Value array, ValueRange place, Value mask);
  bool isUnsigned();

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value integer(int64_t value, Type type) {
    return arith::ConstantIntOp::create(b, loc, type, value);
  }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }

  IRRewriter &b;
  LaunchOp launch;
  ForOp root;
  Location loc;
  std::string name;
  UpdateEncoding encoding;
  SmallVector<UpdateOp> updates;
  UpdateOp model;
  Type type;
  IntegerType code;
  SmallVector<OpFoldResult> sizes;
  /// The integers; of sums the near ones.
  Value local;
  /// Of sums: the others, where the window begins (on devices in memory) and
  /// how far it reaches.
  Value far, low, reach;
  /// Of sums of a CPU: the window for products. Far integers of a bin are
  /// neighbours then.
  bool byProduct;
  Value scale, bound;
  /// Of these, where the values of the root loop can be had again: the window
  /// below, what was added there, and how often neither window took a value.
  bool runsAgain = false;
  Value scaleBelow, lowBelow, below, missed;
};

} // namespace

void Encoder::findSizes() {
  Value dest = model.getDest();
  auto array = cast<MemRefType>(dest.getType());
  auto argument = dyn_cast<BlockArgument>(dest);
  auto outer = dest.getDefiningOp<LocalOp>();
  unsigned next = 0;
  for (int64_t dim = 0; dim < array.getRank(); ++dim) {
    if (!array.isDynamicDim(dim))
      sizes.push_back(b.getIndexAttr(array.getDimSize(dim)));
    else if (argument)
      sizes.push_back(launch.getSize(argument, dim));
    else
      sizes.push_back(outer.getSizes()[next++]);
  }
}

LocalOp Encoder::createLocal(ArrayRef<OpFoldResult> extents, Type element) {
  auto [shape, dynamic] =
      decomposeMixedValues(SmallVector<OpFoldResult>(extents));
  return LocalOp::create(b, loc, MemRefType::get(shape, element), dynamic,
                         StringAttr());
}

SmallVector<Value> Encoder::openLoops(ArrayRef<OpFoldResult> extents,
                                      StringRef suffix) {
  SmallVector<Value> indices;
  for (auto [number, size] : llvm::enumerate(extents)) {
    auto loop = ForOp::create(
        b, loc, name + suffix.str() + std::to_string(number), size);
    indices.push_back(loop.getInductionVar());
    b.setInsertionPoint(loop.getBodyBlock()->getTerminator());
  }
  return indices;
}

//===----------------------------------------------------------------------===//
// Codes
//===----------------------------------------------------------------------===//

/// Whether the operator takes its operands as unsigned, or does not care.
bool Encoder::isUnsigned() {
  return !isa<arith::MinSIOp, arith::MaxSIOp>(
      getCombinerOps(model.getCombiner()).front());
}

Value Encoder::encode(Value value) {
  if (encoding == UpdateEncoding::Wide)
    return isUnsigned()
               ? arith::ExtUIOp::create(b, loc, code, value).getResult()
               : arith::ExtSIOp::create(b, loc, code, value).getResult();
  bool isMax =
      isa<arith::MaximumFOp>(getCombinerOps(model.getCombiner()).front());
  unsigned width = code.getWidth();
  int64_t most = width == 32 ? INT32_MAX : INT64_MAX;
  Value bits = arith::BitcastOp::create(b, loc, code, value);
  Value turned = arith::XOrIOp::create(b, loc, bits, integer(most, code));
  Value negative = compare(arith::CmpIPredicate::slt, bits, integer(0, code));
  Value ordered = select(negative, turned, bits);
  Value isNaN =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, value, value);
  return select(isNaN, integer(isMax ? most : -most - 1, code), ordered);
}

Value Encoder::decode(Value value) {
  if (encoding == UpdateEncoding::Wide)
    return arith::TruncIOp::create(b, loc, type, value);
  int64_t most = code.getWidth() == 32 ? INT32_MAX : INT64_MAX;
  Value turned = arith::XOrIOp::create(b, loc, value, integer(most, code));
  Value negative = compare(arith::CmpIPredicate::slt, value, integer(0, code));
  return arith::BitcastOp::create(b, loc, type,
                                  select(negative, turned, value));
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// What the value of the first update is computed by in each iteration, without
/// conditions; false if there is anything else.
bool Encoder::findSlice(SetVector<Operation *> &slice) {
  llvm::SmallPtrSet<Value, 4> written;
  root.getBody().walk([&](Operation *op) {
    if (auto store = dyn_cast<StoreOp>(op))
      written.insert(store.getDest());
    if (auto update = dyn_cast<UpdateOp>(op))
      written.insert(update.getDest());
  });
  SmallVector<Value> open{model.getValue()};
  while (!open.empty()) {
    Value value = open.pop_back_val();
    Operation *def = value.getDefiningOp();
    if (value == root.getInductionVar() ||
        !root.getBody().isAncestor(value.getParentRegion()))
      continue;
    if (!def || def->getBlock() != root.getBodyBlock() ||
        def->getNumRegions() != 0)
      return false;
    auto load = dyn_cast<LoadOp>(def);
    if (load ? written.contains(load.getSource()) : !isMemoryEffectFree(def))
      return false;
    if (slice.insert(def))
      llvm::append_range(open, def->getOperands());
  }
  return true;
}

void Encoder::findWindow() {
  ExactSums sums(b, loc);
  OpFoldResult extent = root.getMixedExtent();
  // Loops inside may have any number of iterations: sums take 2^32 values.
  bool isFlat = llvm::all_of(updates, [&](UpdateOp update) {
    return update->getParentOfType<ForOp>() == root &&
           !update->getParentOfType<scf::WhileOp>() &&
           !update->getParentOfType<scf::ForOp>();
  });
  Value size = toValue(b, loc, extent);
  Value all = isFlat ? arith::MulIOp::create(b, loc, size,
                                             index(int64_t(updates.size())))
                           .getResult()
                     : index(int64_t(1) << 32);
  reach = sums.findReach(all);
  if (!byProduct)
    low = createLocal(OpFoldResult(b.getIndexAttr(1)), b.getI32Type());
  SetVector<Operation *> slice;
  Value samples = integer(0, b.getI64Type());
  if (findSlice(slice)) {
    Value count = arith::MinSIOp::create(b, loc, size, index(kSamples));
    Value step = arith::DivSIOp::create(
        b, loc, size, arith::MaxSIOp::create(b, loc, count, index(1)));
    auto fold = ForOp::create(b, loc, name + "_w", getAsOpFoldResult(count),
                              ForKind::Reduce, ValueRange(samples));
    OpBuilder::InsertionGuard guard(b);
    CombinerOperator add{
        StringAttr::get(b.getContext(), arith::AddIOp::getOperationName())};
    buildCombiner(b, loc, fold.getCombiner(), b.getI64Type(), add,
                  YieldOp::getOperationName());
    b.setInsertionPointToEnd(fold.getBodyBlock());
    IRMapping map;
    map.map(root.getInductionVar(),
            arith::MulIOp::create(b, loc, fold.getInductionVar(), step)
                .getResult());
    for (Operation &op : *root.getBodyBlock())
      if (slice.contains(&op))
        b.clone(op, map);
    Value one = sums.sample(map.lookupOrDefault(model.getValue()));
    YieldOp::create(b, loc, ValueRange(one));
    samples = fold.getResult(0);
  }
  if (Operation *fold = samples.getDefiningOp())
    b.setInsertionPointAfter(fold);
  Value found = sums.findLow(samples, reach);
  if (!byProduct) {
    StoreOp::create(b, loc, found, low, ValueRange(index(0)));
    return;
  }
  low = found;
  std::tie(scale, bound) = sums.findProduct(low, reach);
  if (!runsAgain)
    return;
  lowBelow = sums.findLowBelow(low, reach);
  scaleBelow = sums.findProduct(lowBelow, reach).first;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

SmallVector<Value> Encoder::getFarPlace(Value number, ValueRange place) {
  SmallVector<Value> all(place);
  all.insert(byProduct ? all.end() : all.begin(), number);
  return all;
}

UpdateOp Encoder::createUpdate(Value value, Value array, ValueRange place,
                               Value mask) {
  auto update = UpdateOp::create(b, loc, value, array, place, mask);
  Operation *op = getCombinerOps(model.getCombiner()).front();
  CombinerOperator by{
      StringAttr::get(b.getContext(), arith::AddIOp::getOperationName())};
  if (encoding == UpdateEncoding::Wide)
    by.name = op->getName().getIdentifier();
  else if (encoding == UpdateEncoding::Ordered)
    by.name = StringAttr::get(b.getContext(),
                              isa<arith::MaximumFOp>(op)
                                  ? arith::MaxSIOp::getOperationName()
                                  : arith::MinSIOp::getOperationName());
  OpBuilder::InsertionGuard guard(b);
  buildCombiner(b, loc, update.getCombiner(), Type(code), by,
                YieldOp::getOperationName());
  return update;
}

void Encoder::replace(UpdateOp update) {
  loc = update.getLoc();
  b.setInsertionPoint(update);
  SmallVector<Value> place(update.getIndices());
  Value mask = update.getMask();
  if (encoding != UpdateEncoding::Sum) {
    createUpdate(encode(update.getValue()), local, place, mask);
    return;
  }
  if (byProduct)
    return replaceByProduct(update);
  ExactSums sums(b, loc);
  ExactSums::Parts parts =
      sums.split(update.getValue(),
                 LoadOp::create(b, loc, low, ValueRange(index(0))), reach);
  auto both = [&](Value condition) -> Value {
    return mask ? arith::AndIOp::create(b, loc, mask, condition).getResult()
                : condition;
  };
  createUpdate(parts.near, local, place, both(parts.isNear));
  createUpdate(parts.far, far, getFarPlace(parts.number, place),
               both(parts.isFar))
      ->setAttr(kRareAttr, b.getUnitAttr());
}

void Encoder::addFar(UpdateOp update, Value value) {
  ExactSums::Parts parts;
  ExactSums(b, loc).splitFar(value, parts);
  createUpdate(
      parts.far, far,
      getFarPlace(parts.number, SmallVector<Value>(update.getIndices())),
      Value())
      ->setAttr(kRareAttr, b.getUnitAttr());
}

/// A branch for each window: what is hardly ever added is computed only then.
void Encoder::replaceByProduct(UpdateOp update) {
  OpBuilder::InsertionGuard guard(b);
  ExactSums sums(b, loc);
  SmallVector<Value> place(update.getIndices());
  if (Value mask = update.getMask()) {
    auto branch = scf::IfOp::create(b, loc, mask, /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
  }
  auto addIn = [&](Value array, Value from) {
    ExactSums::Parts parts =
        sums.splitByProduct(update.getValue(), from, bound);
    auto branch =
        scf::IfOp::create(b, loc, parts.isNear, /*withElseRegion=*/true);
    b.setInsertionPointToStart(branch.thenBlock());
    UpdateOp made = createUpdate(parts.near, array, place, Value());
    b.setInsertionPointToStart(branch.elseBlock());
    return made;
  };
  addIn(local, scale);
  if (!runsAgain)
    return addFar(update, update.getValue());
  addIn(below, scaleBelow)->setAttr(kRareAttr, b.getUnitAttr());
  createUpdate(integer(1, code), missed, place, Value())
      ->setAttr(kRareAttr, b.getUnitAttr());
}

/// Whether the values and places of all updates can be computed once more
/// behind the loop.
bool Encoder::mayRunAgain() {
  if (!root.isParallel())
    return false;
  llvm::SmallPtrSet<Value, 4> written;
  root.getBody().walk(
      [&](UpdateOp update) { written.insert(update.getDest()); });
  return !root.getBody()
              .walk([&](Operation *op) {
                auto load = dyn_cast<LoadOp>(op);
                bool fits = load ? !written.contains(load.getSource())
                                 : isa<UpdateOp, CheckOp, ForOp, YieldOp,
                                       scf::IfOp, scf::YieldOp>(op) ||
                                       isMemoryEffectFree(op);
                return fits ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Most bins need no far integers, and most calls no loop for these: what is
/// counted in `missed` decides.
ForOp Encoder::addFarAgain() {
  b.setInsertionPointAfter(root);
  Value zero = integer(0, code);
  {
    OpBuilder::InsertionGuard guard(b);
    SmallVector<Value> place = openLoops(sizes, "_z");
    Value count = LoadOp::create(b, loc, missed, place);
    Value isMissed = compare(arith::CmpIPredicate::ne, count, zero);
    auto branch = scf::IfOp::create(b, loc, isMissed, /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
    for (int64_t k = 0; k < kFarParts; ++k)
      StoreOp::create(b, loc, zero, far, getFarPlace(index(k), place));
  }
  Value total = zero;
  {
    OpBuilder::InsertionGuard guard(b);
    SmallVector<Value> place;
    ForOp outer;
    CombinerOperator either{
        StringAttr::get(b.getContext(), arith::OrIOp::getOperationName())};
    for (auto [number, size] : llvm::enumerate(sizes)) {
      auto loop = ForOp::create(b, loc, name + "_a" + std::to_string(number),
                                size, ForKind::Reduce, ValueRange(zero));
      if (outer)
        YieldOp::create(b, loc, loop.getResults());
      else
        outer = loop;
      buildCombiner(b, loc, loop.getCombiner(), Type(code), either,
                    YieldOp::getOperationName());
      place.push_back(loop.getInductionVar());
      b.setInsertionPointToEnd(loop.getBodyBlock());
    }
    total = LoadOp::create(b, loc, missed, place);
    if (outer) {
      YieldOp::create(b, loc, ValueRange(total));
      total = outer.getResult(0);
    }
  }
  Value any = compare(arith::CmpIPredicate::ne, total, zero);
  Value extent = select(any, toValue(b, loc, root.getMixedExtent()), index(0));
  auto again = ForOp::create(b, loc, name + "_f", getAsOpFoldResult(extent));
  IRMapping map;
  map.map(root.getInductionVar(), again.getInductionVar());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(again.getBodyBlock()->getTerminator());
  for (Operation &op : root.getBodyBlock()->without_terminator())
    b.clone(op, map);
  SmallVector<Operation *> others;
  again.getBody().walk([&](Operation *op) {
    if (isa<UpdateOp, CheckOp>(op))
      others.push_back(op);
  });
  for (Operation *op : others) {
    auto update = dyn_cast<UpdateOp>(op);
    if (update && update.getDest() == model.getDest()) {
      b.setInsertionPoint(update);
      ExactSums sums(b, loc);
      Value isFar = update.getMask();
      for (Value from : {scale, scaleBelow}) {
        Value outside =
            sums.splitByProduct(update.getValue(), from, bound).isFar;
        isFar = isFar ? arith::AndIOp::create(b, loc, isFar, outside) : outside;
      }
      auto branch = scf::IfOp::create(b, loc, isFar, /*withElseRegion=*/false);
      b.setInsertionPointToStart(branch.thenBlock());
      addFar(update, update.getValue());
    }
    b.eraseOp(op);
  }
  return again;
}

void Encoder::initialize() {
  OpBuilder::InsertionGuard guard(b);
  Value start = encoding == UpdateEncoding::Sum
                    ? integer(0, code)
                    : encode(createNeutral(b, model));
  SmallVector<Value> place = openLoops(sizes, "_i");
  StoreOp::create(b, loc, start, local, place);
  if (encoding != UpdateEncoding::Sum)
    return;
  if (runsAgain) {
    StoreOp::create(b, loc, start, below, place);
    StoreOp::create(b, loc, start, missed, place);
    return;
  }
  if (byProduct) {
    for (int64_t k = 0; k < kFarParts; ++k)
      StoreOp::create(b, loc, start, far, getFarPlace(index(k), place));
    return;
  }
  SmallVector<Value> number =
      openLoops(OpFoldResult(b.getIndexAttr(kFarParts)), "_k");
  StoreOp::create(b, loc, start, far, getFarPlace(number.front(), place));
}

Value Encoder::getTotal(ValueRange place) {
  Value mine = LoadOp::create(b, loc, local, place);
  if (encoding != UpdateEncoding::Sum)
    return decode(mine);
  auto loadFar = [&] {
    SmallVector<Value> parts;
    for (int64_t k = 0; k < kFarParts; ++k)
      parts.push_back(
          LoadOp::create(b, loc, far, getFarPlace(index(k), place)));
    return parts;
  };
  ExactSums sums(b, loc);
  auto sum = cast<FloatType>(type);
  if (!byProduct) {
    SmallVector<Value> parts = loadFar();
    Value from = LoadOp::create(b, loc, low, ValueRange(index(0)));
    return sums.join({{mine, from}}, parts, sum);
  }
  // Most bins have near values alone.
  SmallVector<ExactSums::Window> windows{{mine, low}};
  SmallVector<Value> parts;
  Value any, count, zero = integer(0, code);
  if (runsAgain) {
    Value more = LoadOp::create(b, loc, below, place);
    count = LoadOp::create(b, loc, missed, place);
    windows.push_back({more, lowBelow});
    any = arith::OrIOp::create(b, loc, more, count);
  } else {
    parts = loadFar();
    any = parts.front();
    for (Value part : ArrayRef(parts).drop_front())
      any = arith::OrIOp::create(b, loc, any, part);
  }
  auto branch = scf::IfOp::create(b, loc, TypeRange(type),
                                  compare(arith::CmpIPredicate::ne, any, zero),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  if (runsAgain) {
    auto loaded =
        scf::IfOp::create(b, loc, SmallVector<Type>(kFarParts, code),
                          compare(arith::CmpIPredicate::ne, count, zero),
                          /*withElseRegion=*/true);
    b.setInsertionPointToStart(loaded.thenBlock());
    scf::YieldOp::create(b, loc, loadFar());
    b.setInsertionPointToStart(loaded.elseBlock());
    scf::YieldOp::create(b, loc, SmallVector<Value>(kFarParts, zero));
    b.setInsertionPointAfter(loaded);
    llvm::append_range(parts, loaded.getResults());
  }
  scf::YieldOp::create(b, loc, sums.join(windows, parts, sum));
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, loc, sums.joinNear(mine, low, sum));
  return branch.getResult(0);
}

void Encoder::finish(Value total, ValueRange place) {
  Value old = LoadOp::create(b, loc, model.getDest(), place);
  Value combined = inlineCombiner(b, model.getCombiner(), old, total).front();
  StoreOp::create(b, loc, combined, model.getDest(), place);
}

/// A code generator that runs bins in lanes computes for all of them what one
/// needs, and what few need is long: it is asked for by some neighbours at a
/// time whether one does.
void Encoder::finishBlocks() {
  OpBuilder::InsertionGuard guard(b);
  Value size = index(kNeighbours), all = toValue(b, loc, sizes.back());
  SmallVector<OpFoldResult> extents(sizes);
  extents.back() = getAsOpFoldResult(arith::DivSIOp::create(
      b, loc, arith::AddIOp::create(b, loc, all, index(kNeighbours - 1)),
      size));
  SmallVector<Value> block = openLoops(extents, "_d");
  Value begin = arith::MulIOp::create(b, loc, block.back(), size);
  Value count = arith::MinSIOp::create(
      b, loc, size, arith::SubIOp::create(b, loc, all, begin));
  auto findPlace = [&](ForOp loop) {
    SmallVector<Value> place(block);
    place.back() = arith::AddIOp::create(b, loc, begin, loop.getInductionVar());
    return place;
  };
  Value zero = integer(0, code);
  auto fold = ForOp::create(b, loc, name + "_m", getAsOpFoldResult(count),
                            ForKind::Reduce, ValueRange(zero));
  {
    OpBuilder::InsertionGuard inside(b);
    CombinerOperator either{
        StringAttr::get(b.getContext(), arith::OrIOp::getOperationName())};
    buildCombiner(b, loc, fold.getCombiner(), Type(code), either,
                  YieldOp::getOperationName());
    b.setInsertionPointToEnd(fold.getBodyBlock());
    SmallVector<Value> place = findPlace(fold);
    Value more = LoadOp::create(b, loc, below, place);
    Value times = LoadOp::create(b, loc, missed, place);
    YieldOp::create(
        b, loc,
        ValueRange(arith::OrIOp::create(b, loc, more, times).getResult()));
  }
  Value isNear = compare(arith::CmpIPredicate::eq, fold.getResult(0), zero);
  for (bool near : {true, false}) {
    Value extent = near ? select(isNear, count, index(0))
                        : select(isNear, index(0), count);
    auto loop = ForOp::create(b, loc, name + (near ? "_n" : "_o"),
                              getAsOpFoldResult(extent));
    OpBuilder::InsertionGuard inside(b);
    b.setInsertionPoint(loop.getBodyBlock()->getTerminator());
    SmallVector<Value> place = findPlace(loop);
    if (!near) {
      finish(getTotal(place), place);
      continue;
    }
    Value mine = LoadOp::create(b, loc, local, place);
    finish(ExactSums(b, loc).joinNear(mine, low, cast<FloatType>(type)), place);
  }
}

bool Encoder::run() {
  b.setInsertionPoint(root);
  if (!createNeutral(b, model))
    return false;
  type = model.getValue().getType();
  code = encoding == UpdateEncoding::Sum || type.isF64() ? b.getI64Type()
                                                         : b.getI32Type();
  findSizes();
  local = createLocal(sizes, code);
  if (encoding == UpdateEncoding::Sum) {
    SmallVector<OpFoldResult> extents(sizes);
    extents.insert(byProduct ? extents.end() : extents.begin(),
                   b.getIndexAttr(kFarParts));
    far = createLocal(extents, code);
    runsAgain = byProduct && mayRunAgain();
    if (runsAgain) {
      below = createLocal(sizes, code);
      missed = createLocal(sizes, code);
    }
  }
  initialize();
  if (encoding == UpdateEncoding::Sum) {
    findWindow();
    remark::passed(
        model.getLoc(),
        remark::RemarkOpts::name("ExactSums").category("kernel-encode-updates"))
        << remark::add("sums are the same in every run, by {0} bytes a bin",
                       8 * (kFarParts + (runsAgain ? 3 : 1)))
        << remark::suggest("'@fast hist' takes those of its element, where "
                           "sums may differ in their last bits");
  }
  ForOp last = runsAgain ? addFarAgain() : root;
  for (UpdateOp update : updates)
    replace(update);
  loc = root.getLoc();
  b.setInsertionPointAfter(last);
  if (runsAgain && !sizes.empty()) {
    finishBlocks();
  } else {
    OpBuilder::InsertionGuard guard(b);
    SmallVector<Value> place = openLoops(sizes, "_d");
    finish(getTotal(place), place);
  }
  for (UpdateOp update : updates)
    b.eraseOp(update);
  return true;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct EncodeUpdatesPass
    : public arrc::kernel::impl::EncodeUpdatesPassBase<EncodeUpdatesPass> {
  void runOnOperation() override {
    DeviceAttr device = DeviceAttr::get(getOperation());
    if (!isGPU(device) && !hasSameBits(getOperation()))
      return;
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](LaunchOp launch) {
      if (launch.getScheduleAttr() || launch.getVersions() ||
          launch.isScheduled())
        return;
      for (ForOp root :
           llvm::make_early_inc_range(launch.getBody().getOps<ForOp>()))
        if (!root.isScan())
          encode(rewriter, launch, root, device);
    });
  }

  static void encode(IRRewriter &rewriter, LaunchOp launch, ForOp root,
                     DeviceAttr device) {
    llvm::MapVector<Value, SmallVector<UpdateOp>> all;
    root.getBody().walk([&](UpdateOp update) {
      Operation *def = update.getDest().getDefiningOp();
      if (!def || !root->isAncestor(def))
        all[update.getDest()].push_back(update);
    });
    unsigned number = 0;
    for (auto &[dest, updates] : all) {
      UpdateOp model = updates.front();
      UpdateEncoding encoding = getEncoding(model, device);
      bool alike = llvm::all_of(updates, [&](UpdateOp update) {
        return OperationEquivalence::isRegionEquivalentTo(
            &model.getCombiner(), &update.getCombiner(),
            OperationEquivalence::IgnoreLocations);
      });
      if (encoding != UpdateEncoding::None && alike)
        Encoder(rewriter, launch, root, number++, encoding, updates).run();
    }
  }
};

} // namespace
