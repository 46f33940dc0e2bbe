//===- SinkElements.cpp - Elements of arrays stay on the device -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A step of a loop that reads an element of an array on the host, computes, and
// assigns another one waits for the device and keeps it waiting. A launch
// without a loop does it there:
//
//   %s = tensor.extract %sum[]    %m = arith.divf %s, %n
//   %b = tensor.insert %m into %a[%t]
//   =>
//   %b = kernel.launch @f_element (%T = %t, %N = %n, %S = %sum) outs (%A = %a)
//   {
//     %s = kernel.load %S[]   %m = arith.divf %s, %N
//     kernel.store %m, %A[%T] }
//
// It ends the launch that makes its operands where FuseLaunches can do so. An
// element that only launches need becomes a cell, an array of rank 0, which
// they load (SinkScalars.cpp):
//
//   %v = tensor.extract %a[%i]
//   =>
//   %c = kernel.launch @f_element (%I = %i, %A = %a) outs (%C = ..) { .. }
//   %v = tensor.extract %c[]
//
// Legal when the host itself looks at none of the elements and knows where they
// lie. What is written between a read and the launch is read before, as a cell.
// Pays in loops, on devices with memory of their own.
//
//===----------------------------------------------------------------------===//

#include "../Shared/TensorSizes.h"

#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_SINKELEMENTSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

namespace {
/// The elements that a block of the host reads and assigns.
class ElementSinking {
public:
  ElementSinking(Block &block, StringRef name, unsigned &count)
      : block(block), name(name), count(count) {}

  void run() {
    findSunk();
    for (Operation &op : llvm::make_early_inc_range(block))
      if (auto insert = dyn_cast<tensor::InsertOp>(op);
          insert && sunk.contains(insert))
        sinkStore(insert);
    for (Operation &op : llvm::make_early_inc_range(block))
      if (auto extract = dyn_cast<tensor::ExtractOp>(op);
          extract && sunk.contains(extract))
        sinkLoad(extract);
  }

private:
  // What can stay on the device.
  void findSunk();
  bool isOfDevice(Value value);
  bool isWrittenBefore(Value array, Operation *place);
  bool canSinkStore(tensor::InsertOp insert);
  void collectReads(Value value, SmallVectorImpl<tensor::ExtractOp> &reads);

  // The launches.
  void addArray(Value array, Operation *place);
  LaunchOp makeLaunch(Operation *place, Value out);
  Value rebuild(Value value, OpBuilder &builder);
  void sinkStore(tensor::InsertOp insert);
  void sinkLoad(tensor::ExtractOp extract);

  Block &block;
  StringRef name;
  unsigned &count;
  DenseSet<Operation *> sunk;
  /// The operands of the launch that is being made, each once, and for arrays
  /// the values or numbers of their sizes.
  llvm::SetVector<Value> scalars, arrays;
  DenseMap<Value, SmallVector<OpFoldResult>> sizes;
  IRMapping inside;
};
} // namespace

/// A computation that a kernel may hold.
static bool isScalarWork(Operation *op) {
  return op->getNumResults() == 1 && !op->getNumRegions() &&
         !op->hasTrait<OpTrait::ConstantLike>() && isMemoryEffectFree(op) &&
         isa_and_nonnull<arith::ArithDialect, math::MathDialect,
                         complex::ComplexDialect>(op->getDialect()) &&
         !isa<ShapedType>(op->getResult(0).getType());
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Whether `value` is computed of elements of arrays.
bool ElementSinking::isOfDevice(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &block)
    return false;
  return isa<tensor::ExtractOp>(op) ||
         (isScalarWork(op) && llvm::any_of(op->getOperands(), [&](Value v) {
            return isOfDevice(v);
          }));
}

/// The elements of arrays that `value` is computed of.
void ElementSinking::collectReads(Value value,
                                  SmallVectorImpl<tensor::ExtractOp> &reads) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &block)
    return;
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    reads.push_back(extract);
  else if (isScalarWork(op))
    for (Value operand : op->getOperands())
      collectReads(operand, reads);
}

/// Whether something in front of `place` makes a new array in the place of
/// `array`: a read at `place` would need a copy.
bool ElementSinking::isWrittenBefore(Value array, Operation *place) {
  return llvm::any_of(array.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    Operation *here = block.findAncestorOpInBlock(*user);
    if (!here || !here->isBeforeInBlock(place))
      return false;
    auto launch = dyn_cast<LaunchOp>(user);
    bool onlyReads = isa<tensor::ExtractOp, tensor::DimOp>(user) ||
                     (launch && !launch.isDpsInit(&use));
    return !onlyReads;
  });
}

bool ElementSinking::canSinkStore(tensor::InsertOp insert) {
  if (insert.getIndices().empty() || !isOfDevice(insert.getScalar()) ||
      llvm::any_of(insert.getIndices(),
                   [&](Value index) { return isOfDevice(index); }))
    return false;
  SmallVector<tensor::ExtractOp> reads;
  collectReads(insert.getScalar(), reads);
  return llvm::none_of(reads, [&](tensor::ExtractOp read) {
    // An element can be read early, a cell is one already.
    return (read.getIndices().empty() &&
            isWrittenBefore(read.getTensor(), insert)) ||
           llvm::any_of(read.getIndices(),
                        [&](Value index) { return isOfDevice(index); });
  });
}

/// From the end: what is used by what stays on the device alone stays there.
void ElementSinking::findSunk() {
  for (Operation &op : llvm::reverse(block)) {
    if (auto insert = dyn_cast<tensor::InsertOp>(op)) {
      if (canSinkStore(insert))
        sunk.insert(insert);
      continue;
    }
    bool isRead = isa<tensor::ExtractOp>(op);
    if (op.use_empty() || (!isRead && !isScalarWork(&op)))
      continue;
    if (isRead && llvm::any_of(op.getOperands().drop_front(),
                               [&](Value index) { return isOfDevice(index); }))
      continue;
    bool stays = llvm::all_of(op.getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      if (user->getBlock() != &block)
        return false;
      if (isa<LaunchOp>(user)) // sizes are numbers of the host
        return !use.get().getType().isIndex();
      if (auto insert = dyn_cast<tensor::InsertOp>(user))
        return use.get() == insert.getScalar() &&
               (insert.getIndices().empty() || sunk.contains(insert));
      return isScalarWork(user) && sunk.contains(user);
    });
    if (stays)
      sunk.insert(&op);
  }
  // A value that the host looks at anyway is assigned by the host.
  for (Operation &op : block) {
    auto insert = dyn_cast<tensor::InsertOp>(op);
    if (!insert || !sunk.contains(insert))
      continue;
    SmallVector<tensor::ExtractOp> reads;
    collectReads(insert.getScalar(), reads);
    if (!llvm::all_of(reads,
                      [&](Operation *read) { return sunk.contains(read); }))
      sunk.erase(insert);
  }
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

void ElementSinking::addArray(Value array, Operation *place) {
  if (!arrays.insert(array))
    return;
  auto type = cast<RankedTensorType>(array.getType());
  SmallVector<OpFoldResult> &list = sizes[array];
  list.clear();
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (!type.isDynamicDim(d)) {
      list.push_back(
          Builder(array.getContext()).getIndexAttr(type.getDimSize(d)));
      continue;
    }
    OpBuilder builder(place);
    Value size = getValueOrCreateConstantIndexOp(
        builder, place->getLoc(), getTensorSize(array, d, place));
    scalars.insert(size);
    list.push_back(size);
  }
}

/// The empty launch of what has been collected; `out` is among the arrays.
LaunchOp ElementSinking::makeLaunch(Operation *place, Value out) {
  SmallVector<Value> inputs(scalars.begin(), scalars.end());
  SmallVector<SmallVector<int64_t>> lists(inputs.size());
  auto addSizes = [&](Value array) {
    auto type = cast<RankedTensorType>(array.getType());
    SmallVector<int64_t> &list = lists.emplace_back();
    for (auto [d, size] : llvm::enumerate(sizes[array]))
      list.push_back(type.isDynamicDim(d)
                         ? llvm::find(scalars, cast<Value>(size)) -
                               scalars.begin()
                         : type.getDimSize(d));
  };
  for (Value array : arrays)
    if (array != out) {
      inputs.push_back(array);
      addSizes(array);
    }
  addSizes(out);
  OpBuilder builder(place);
  auto launch = LaunchOp::create(builder, place->getLoc(),
                                 (name + "_element_" + Twine(count++)).str(),
                                 inputs, out, lists);
  for (auto [input, argument] :
       llvm::zip(inputs, launch.getBodyBlock()->getArguments()))
    inside.map(input, argument);
  inside.map(out, launch.getOutArguments().front());
  return launch;
}

/// `value` in the launch.
Value ElementSinking::rebuild(Value value, OpBuilder &builder) {
  if (Value known = inside.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    SmallVector<Value> indices;
    for (Value index : extract.getIndices())
      indices.push_back(rebuild(index, builder));
    Value read = LoadOp::create(builder, op->getLoc(),
                                inside.lookup(extract.getTensor()), indices);
    inside.map(value, read);
    return read;
  }
  for (Value operand : op->getOperands())
    rebuild(operand, builder);
  return builder.clone(*op, inside)->getResult(0);
}

void ElementSinking::sinkStore(tensor::InsertOp insert) {
  SmallVector<tensor::ExtractOp> reads;
  collectReads(insert.getScalar(), reads);
  llvm::SetVector<Operation *> early(reads.begin(), reads.end());
  for (Operation *read : early)
    if (isWrittenBefore(read->getOperand(0), insert))
      sinkLoad(cast<tensor::ExtractOp>(read));
  scalars.clear();
  arrays.clear();
  inside.clear();
  auto addIndices = [&](ValueRange indices) {
    for (Value index : indices)
      if (!getConstantIntValue(index))
        scalars.insert(index);
  };
  addArray(insert.getDest(), insert);
  addIndices(insert.getIndices());
  // What the value is computed of, down to reads and to what the host knows.
  SmallVector<Value> worklist{insert.getScalar()};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (op && op->hasTrait<OpTrait::ConstantLike>())
      continue;
    if (!isOfDevice(value)) {
      scalars.insert(value);
    } else if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
      addArray(extract.getTensor(), insert);
      addIndices(extract.getIndices());
    } else {
      llvm::append_range(worklist, op->getOperands());
    }
  }
  LaunchOp launch = makeLaunch(insert, insert.getDest());
  OpBuilder builder(launch.getBodyBlock()->getTerminator());
  Value value = rebuild(insert.getScalar(), builder);
  SmallVector<Value> indices;
  for (Value index : insert.getIndices())
    indices.push_back(rebuild(index, builder));
  StoreOp::create(builder, insert.getLoc(), value,
                  launch.getOutArguments().front(), indices);
  insert.replaceAllUsesWith(launch.getResults().front());
  // What the host computed of it is dead, from the end on.
  SmallVector<Operation *> dead;
  if (Operation *op = insert.getScalar().getDefiningOp())
    dead.push_back(op);
  insert.erase();
  while (!dead.empty()) {
    Operation *op = dead.pop_back_val();
    if (!op->use_empty() || !sunk.contains(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp();
          def && !llvm::is_contained(dead, def))
        dead.push_back(def);
    sunk.erase(op);
    op->erase();
  }
}

void ElementSinking::sinkLoad(tensor::ExtractOp extract) {
  if (extract.getIndices().empty())
    return;
  scalars.clear();
  arrays.clear();
  inside.clear();
  OpBuilder before(extract);
  Value cell = tensor::EmptyOp::create(
      before, extract.getLoc(), RankedTensorType::get({}, extract.getType()),
      ValueRange());
  addArray(extract.getTensor(), extract);
  addArray(cell, extract);
  for (Value index : extract.getIndices())
    if (!getConstantIntValue(index))
      scalars.insert(index);
  LaunchOp launch = makeLaunch(extract, cell);
  OpBuilder builder(launch.getBodyBlock()->getTerminator());
  StoreOp::create(builder, extract.getLoc(),
                  rebuild(extract.getResult(), builder),
                  launch.getOutArguments().front(), ValueRange());
  Value read = tensor::ExtractOp::create(
      before, extract.getLoc(), launch.getResults().front(), ValueRange());
  extract.replaceAllUsesWith(read);
  sunk.erase(extract);
  sunk.insert(read.getDefiningOp());
  extract.erase();
}

namespace {
struct SinkElementsPass
    : public kernel::impl::SinkElementsPassBase<SinkElementsPass> {
  using SinkElementsPassBase::SinkElementsPassBase;

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<LaunchOp>(op))
        return WalkResult::skip();
      bool inLoop = isa<LoopLikeOpInterface>(op) ||
                    op->getParentOfType<LoopLikeOpInterface>();
      for (Region &region : op->getRegions())
        for (Block &inner : region)
          if (inLoop)
            blocks.push_back(&inner);
      return WalkResult::advance();
    });
    unsigned count = 0;
    for (Block *block : blocks)
      ElementSinking(*block, getOperation().getName(), count).run();
  }
};
} // namespace
