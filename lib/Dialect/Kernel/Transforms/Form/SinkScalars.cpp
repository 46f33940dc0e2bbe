//===- SinkScalars.cpp - Scalars of launches stay on the device -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A fold leaves its result in an array of rank 0. What the host computes of it
// (an error against a tolerance, a step counter, the next factor) costs a trip
// to the host in every step. This pass computes it in the epilogue of the
// launch that makes its operands, and lets launches that use it load it:
//
//   %r = kernel.launch @norm (..) outs (%E = %e : tensor<f32>) { .. }
//   %v = tensor.extract %r[]
//   %c = arith.cmpf ogt, %v, %tol
//   %g = tensor.insert %c into %flag[]
//   =>
//   %r, %g = kernel.launch @norm (.., %Tol = %tol : f32)
//       outs (%E = %e : tensor<f32>, %G = %flag : tensor<i1>) { ..
//     %c = arith.cmpf ogt, %v, %Tol     kernel.store %c, %G[] }
//
// Legal when everything that a value is computed of is there where the launch
// stands. A value that the host itself looks at (a branch, a return, a size)
// stays on the host. Pays on devices with memory of their own (Futhark migrates
// scalars so, Hovgaard and Elsman 2022).
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/LaunchPartition.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_SINKSCALARSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// The array of rank 0 that `scalar` is read from, or null.
static Value getCell(Value scalar) {
  auto extract = scalar.getDefiningOp<tensor::ExtractOp>();
  return extract && extract.getIndices().empty() ? extract.getTensor()
                                                 : Value();
}

/// True for a computation that a kernel may hold.
static bool isScalarWork(Operation *op) {
  return op->getNumResults() == 1 && !op->getNumRegions() &&
         !op->hasTrait<OpTrait::ConstantLike>() && isMemoryEffectFree(op) &&
         isa_and_nonnull<arith::ArithDialect, math::MathDialect,
                         complex::ComplexDialect>(op->getDialect()) &&
         !isa<ShapedType>(op->getResult(0).getType());
}

static bool isCellWrite(Operation *op) {
  auto insert = dyn_cast<tensor::InsertOp>(op);
  return insert && insert.getIndices().empty();
}

//===----------------------------------------------------------------------===//
// Reads by launches
//===----------------------------------------------------------------------===//

/// Replaces scalar operands that are read from cells by the cells.
static void loadCells(LaunchOp launch) {
  for (unsigned i = 0; i < launch.getNumInputs(); ++i) {
    Value cell = getCell(launch.getOperand(i));
    // Sizes are numbers of the host.
    if (!cell || launch.getOperand(i).getType().isIndex())
      continue;
    BlockArgument scalar = launch.getArgument(i);
    BlockArgument array = launch.addInput(cell, {}, launch.getArgName(i));
    OpBuilder builder = OpBuilder::atBlockBegin(launch.getBodyBlock());
    scalar.replaceAllUsesWith(
        LoadOp::create(builder, launch.getLoc(), array, ValueRange()));
    llvm::BitVector dead(launch.getBodyBlock()->getNumArguments());
    dead.set(i);
    launch.eraseArguments(dead);
    --i;
  }
}

//===----------------------------------------------------------------------===//
// Work in epilogues
//===----------------------------------------------------------------------===//

namespace {
/// The scalar work of a block that can move into its launches.
class Sinking {
public:
  explicit Sinking(Block &block) : block(block) {}

  void run() {
    findWork();
    // Later launches first: they take what they can, the rest is left.
    SmallVector<LaunchOp> launches(block.getOps<LaunchOp>());
    for (LaunchOp launch : llvm::reverse(launches)) {
      isLast = launch == launches.back();
      sinkInto(launch);
    }
  }

private:
  /// Work whose results stay on the device.
  void findWork() {
    for (Operation &op : llvm::reverse(block)) {
      if (!isScalarWork(&op))
        continue;
      bool stays =
          !op.use_empty() && llvm::all_of(op.getUsers(), [&](Operation *user) {
            return user->getBlock() == &block &&
                   (work.contains(user) || isCellWrite(user) ||
                    isa<LaunchOp>(user));
          });
      if (stays)
        work.insert(&op);
    }
  }

  /// The last launch of the block that `value` depends on; null if there is
  /// none.
  LaunchOp getLaunch(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != &block)
      return nullptr;
    if (auto launch = dyn_cast<LaunchOp>(op))
      return launch;
    LaunchOp last;
    if (!work.contains(op) && !getCell(value) && !isCellWrite(op))
      return nullptr;
    for (Value operand : op->getOperands())
      if (LaunchOp launch = getLaunch(operand))
        if (!last || last->isBeforeInBlock(launch))
          last = launch;
    return last;
  }

  /// True if `value` is computed of cells.
  bool isOfCells(Value value) {
    Operation *op = value.getDefiningOp();
    return getCell(value) || (op && work.contains(op) &&
                              llvm::any_of(op->getOperands(), [&](Value v) {
                                return isOfCells(v);
                              }));
  }

  /// True if `launch` is the place for `value`: the last one that it depends
  /// on, or the last of the block for one that depends on none (a counter).
  bool belongsTo(Value value, LaunchOp launch) {
    if (LaunchOp last = getLaunch(value))
      return last == launch;
    return isLast && isOfCells(value);
  }

  /// True if `value` can be computed at the end of `launch`.
  bool isReady(Value value, LaunchOp launch) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != &block || op->isBeforeInBlock(launch))
      return true;
    if (Value cell = getCell(value)) {
      Operation *source = cell.getDefiningOp();
      return !source || source == launch || source->getBlock() != &block ||
             source->isBeforeInBlock(launch);
    }
    return (work.contains(op) || op->hasTrait<OpTrait::ConstantLike>()) &&
           llvm::all_of(op->getOperands(),
                        [&](Value v) { return isReady(v, launch); });
  }

  /// `value` inside of the launch: what an out stores at its end, the load of
  /// another cell, an argument, or the work again.
  Value getInside(Value value, LaunchOp launch, IRMapping &inside,
                  OpBuilder &builder) {
    if (Value known = inside.lookupOrNull(value))
      return known;
    Location loc = value.getLoc();
    Value made;
    if (Value cell = getCell(value)) {
      if (cell.getDefiningOp() == launch) {
        BlockArgument out =
            launch.getOutArguments()[cast<OpResult>(cell).getResultNumber()];
        for (Operation *user : out.getUsers())
          if (auto store = dyn_cast<StoreOp>(user);
              store && store->getBlock() == launch.getBodyBlock() &&
              !store.getMask())
            made = store.getValue();
        if (!made)
          made = LoadOp::create(builder, loc, out, ValueRange());
      } else {
        BlockArgument array = launch.addInput(cell);
        OpBuilder head = OpBuilder::atBlockBegin(launch.getBodyBlock());
        made = LoadOp::create(head, loc, array, ValueRange());
      }
    } else if (Operation *op = value.getDefiningOp();
               op &&
               (op->hasTrait<OpTrait::ConstantLike>() ||
                (op->getBlock() == &block && !op->isBeforeInBlock(launch)))) {
      for (Value operand : op->getOperands())
        getInside(operand, launch, inside, builder);
      made = builder.clone(*op, inside)->getResult(0);
    } else {
      made = launch.addInput(value);
    }
    inside.map(value, made);
    return made;
  }

  void sinkInto(LaunchOp launch) {
    // Cells to write, and work that other launches wait for.
    SmallVector<tensor::InsertOp> writes;
    SmallVector<Operation *> results;
    for (Operation &op : block) {
      if (op.isBeforeInBlock(launch))
        continue;
      if (auto insert = dyn_cast<tensor::InsertOp>(op);
          insert && isCellWrite(&op)) {
        Operation *dest = insert.getDest().getDefiningOp();
        bool isThere = !dest || dest->getBlock() != &block ||
                       dest->isBeforeInBlock(launch) ||
                       isa<tensor::EmptyOp>(dest);
        if (isThere && belongsTo(insert.getScalar(), launch) &&
            isReady(insert.getScalar(), launch))
          writes.push_back(insert);
      } else if (work.contains(&op) && getLaunch(op.getResult(0)) == launch &&
                 isReady(op.getResult(0), launch) &&
                 llvm::any_of(op.getUsers(), llvm::IsaPred<LaunchOp>)) {
        results.push_back(&op);
      }
    }
    if (writes.empty() && results.empty())
      return;

    OpBuilder builder(launch.getBodyBlock()->getTerminator());
    IRMapping inside;
    SmallVector<Value> values, dests;
    OpBuilder outside(launch);
    for (tensor::InsertOp insert : writes) {
      values.push_back(getInside(insert.getScalar(), launch, inside, builder));
      Value dest = insert.getDest();
      if (auto empty = dest.getDefiningOp<tensor::EmptyOp>())
        dest = outside.clone(*empty)->getResult(0);
      dests.push_back(dest);
    }
    for (Operation *op : results) {
      Value result = op->getResult(0);
      values.push_back(getInside(result, launch, inside, builder));
      dests.push_back(tensor::EmptyOp::create(
          outside, op->getLoc(), RankedTensorType::get({}, result.getType()),
          ValueRange()));
    }
    // Arguments of the launch keep their numbers in the new one.
    SmallVector<std::optional<unsigned>> numbers;
    for (Value value : values) {
      auto argument = dyn_cast<BlockArgument>(value);
      bool ofLaunch = argument && argument.getOwner() == launch.getBodyBlock();
      numbers.push_back(ofLaunch ? std::optional(argument.getArgNumber())
                                 : std::nullopt);
    }
    LaunchOp made = addOuts(launch, dests);
    for (auto [value, number] : llvm::zip(values, numbers))
      if (number)
        value = made.getArgument(*number);
    ValueRange added =
        made.getResults().take_back(static_cast<unsigned>(dests.size()));
    builder.setInsertionPoint(made.getBodyBlock()->getTerminator());
    for (auto [value, out] :
         llvm::zip(values, made.getOutArguments().take_back(values.size())))
      StoreOp::create(builder, made.getLoc(), value, out, ValueRange());
    OpBuilder after(made);
    after.setInsertionPointAfter(made);
    for (tensor::InsertOp insert : writes) {
      insert.replaceAllUsesWith(added.front());
      added = added.drop_front();
      insert.erase();
    }
    for (Operation *op : results) {
      op->getResult(0).replaceUsesWithIf(
          tensor::ExtractOp::create(after, op->getLoc(), added.front(),
                                    ValueRange()),
          [](OpOperand &use) { return isa<LaunchOp>(use.getOwner()); });
      added = added.drop_front();
    }
  }

  /// The same launch with more destinations.
  LaunchOp addOuts(LaunchOp launch, ValueRange dests) {
    OpBuilder builder(launch);
    SmallVector<SmallVector<int64_t>> sizes;
    unsigned count = launch.getBodyBlock()->getNumArguments();
    for (unsigned i = 0; i < count; ++i)
      sizes.push_back(llvm::to_vector(launch.getSizesOf(i)));
    sizes.resize(count + dests.size());
    SmallVector<Value> outs(launch.getOuts());
    llvm::append_range(outs, dests);
    auto made =
        LaunchOp::create(builder, launch.getLoc(), launch.getKernelName(),
                         launch.getInputs(), outs, sizes, launch.getFlag());
    keepSplit(launch, made);
    Block *body = made.getBodyBlock();
    for (auto [from, to] : llvm::zip(launch.getBodyBlock()->getArguments(),
                                     body->getArguments())) {
      to.setType(from.getType());
      from.replaceAllUsesWith(to);
    }
    auto &operations = launch.getBodyBlock()->getOperations();
    body->getOperations().splice(body->begin(), operations, operations.begin(),
                                 std::prev(operations.end()));
    for (unsigned i = 0; i < count; ++i)
      if (!launch.getArgName(i).empty())
        made.setArgName(i, launch.getArgName(i));
    launch.replaceAllUsesWith(
        made.getResults().take_front(launch.getNumResults()));
    launch.erase();
    return made;
  }

  Block &block;
  bool isLast = false;
  DenseSet<Operation *> work;
};

struct SinkScalarsPass
    : public kernel::impl::SinkScalarsPassBase<SinkScalarsPass> {
  using SinkScalarsPassBase::SinkScalarsPassBase;

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<LaunchOp>(op))
        return WalkResult::skip();
      for (Region &region : op->getRegions())
        for (Block &block : region)
          if (!block.getOps<LaunchOp>().empty())
            blocks.push_back(&block);
      return WalkResult::advance();
    });
    for (Block *block : blocks)
      Sinking(*block).run();
    getOperation().walk([](LaunchOp launch) { loadCells(launch); });
  }
};
} // namespace
