//===- LoadElements.cpp - Launches load the scalars that they need --------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. What does not depend on the index of a map is computed once, in front
// of its launch: the weights of a window, a coefficient, the first element of
// a row. Where arrays lie in the memory of a device, the host waits for each of
// these numbers, longer than most launches take. The launch loads them itself:
//
//   %w = tensor.extract %weights[%c0, %c1]   %v = arith.mulf %w, %half
//   kernel.launch @f (.., %V = %v : f32) .. { .. %V .. }
//   =>
//   kernel.launch @f (.., %W = %weights : tensor<3x3xf32>, %H = %half : f32) {
//     %w = kernel.load %W[%c0, %c1]   %v = arith.mulf %w, %H   .. %v .. }
//
// An index that is computed of cells, arrays of rank 0 (the counter of a loop
// on a device), is loaded likewise where it chooses nothing but what is loaded.
//
// Legal when the host knows the indices or the launch can load them, and
// nothing may have been written in the place of the array until the launch has
// run: a read by the launch would make bufferization copy the array. Such
// elements are SinkElements.cpp's.
//
// Pays on devices with memory of their own, if the arithmetic in between is so
// little that each thread may do it: all lanes of a warp load one address, and
// a thread with several elements loads it once for all of them.
//
//===----------------------------------------------------------------------===//

#include "../Shared/TensorSizes.h"

#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_LOADELEMENTSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Operations that a thread may repeat for a scalar.
static constexpr unsigned kMaxWork = 8;

/// Arithmetic that costs an instruction or two.
static bool isCheap(Operation *op) {
  return op->getNumResults() == 1 && op->getNumOperands() <= 3 &&
         !isa<ShapedType>(op->getResult(0).getType()) &&
         isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp,
             arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp,
             arith::OrIOp, arith::XOrIOp, arith::CmpFOp, arith::CmpIOp,
             arith::SelectOp, arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp,
             arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
             arith::SIToFPOp, arith::UIToFPOp, arith::MaximumFOp,
             arith::MinimumFOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
             arith::MinUIOp, affine::AffineApplyOp>(op);
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Whether `use` reads its array and makes no other one in its place.
static bool onlyReads(OpOperand &use) {
  Operation *user = use.getOwner();
  if (auto launch = dyn_cast<LaunchOp>(user))
    return !launch.isDpsInit(&use);
  return isa<tensor::ExtractOp, tensor::ExtractSliceOp, tensor::DimOp>(user);
}

/// Whether `launch` can read `array` where it lies: everything that may write
/// in its place comes after the launch.
static bool canRead(LaunchOp launch, Value array) {
  Block *block = launch->getBlock();
  if (auto slice = array.getDefiningOp<tensor::ExtractSliceOp>();
      slice && !canRead(launch, slice.getSource()))
    return false;
  return llvm::all_of(array.getUses(), [&](OpOperand &use) {
    if (onlyReads(use))
      return true;
    Operation *here = block->findAncestorOpInBlock(*use.getOwner());
    return here && here != launch && launch->isBeforeInBlock(here);
  });
}

/// Whether elements of arrays go into `value` by cheap arithmetic.
static bool isOfElements(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  // Cells are SinkScalars.cpp's.
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return !extract.getIndices().empty();
  return isCheap(op) && llvm::any_of(op->getOperands(), isOfElements);
}

/// Whether cells, arrays of rank 0, go into `value` by cheap arithmetic.
static bool isOfCells(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto extract = dyn_cast_if_present<tensor::ExtractOp>(op))
    return extract.getIndices().empty();
  return op && isCheap(op) && llvm::any_of(op->getOperands(), isOfCells);
}

/// Whether `value` chooses elements that are loaded, and nothing but these: the
/// host needs no number of it.
static bool onlyChoosesLoads(Value value) {
  return llvm::all_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<LoadOp>(user))
      return true;
    return isa<affine::AffineDialect, arith::ArithDialect>(
               user->getDialect()) &&
           user->getNumResults() == 1 && onlyChoosesLoads(user->getResult(0));
  });
}

/// Whether the launch can load its index `number` of cells.
static bool isLoadableIndex(LaunchOp launch, unsigned number) {
  BlockArgument index = launch.getArgument(number);
  return isOfCells(launch.getInputs()[number]) && !launch.isSize(index) &&
         onlyChoosesLoads(index);
}

namespace {
/// What a launch computes of one of its operands, and of what.
struct Scalar {
  explicit Scalar(function_ref<bool(Value)> isOfArrays)
      : isOfArrays(isOfArrays) {}

  /// Whether a value is computed of what the launch loads.
  function_ref<bool(Value)> isOfArrays;
  /// Reads and arithmetic, operands first.
  llvm::SetVector<Operation *> work;
  /// Values that the host knows.
  llvm::SetVector<Value> leaves;

  /// Collects what `value` is made of; false if `launch` cannot make it.
  bool collect(Value value, LaunchOp launch) {
    Operation *op = value.getDefiningOp();
    if (op && (work.contains(op) || op->hasTrait<OpTrait::ConstantLike>()))
      return true;
    if (!isOfArrays(value))
      return leaves.insert(value), true;
    if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
      if (!canRead(launch, extract.getTensor()))
        return false;
      for (Value index : extract.getIndices())
        if (!getConstantIntValue(index))
          leaves.insert(index);
    } else if (!llvm::all_of(op->getOperands(), [&](Value operand) {
                 return collect(operand, launch);
               })) {
      return false;
    }
    work.insert(op);
    return work.size() <= kMaxWork;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// The argument of `launch` for `value`, a new one if it has none.
static BlockArgument getInput(LaunchOp launch, Value value) {
  for (auto [number, input] : llvm::enumerate(launch.getInputs()))
    if (input == value)
      return launch.getArgument(number);
  SmallVector<int64_t> sizes;
  OpBuilder builder(launch);
  if (auto type = dyn_cast<RankedTensorType>(value.getType()))
    for (int64_t d = 0; d < type.getRank(); ++d) {
      OpFoldResult size = getTensorSize(value, d, launch);
      if (type.isDynamicDim(d))
        sizes.push_back(getInput(launch, getValueOrCreateConstantIndexOp(
                                             builder, launch.getLoc(), size))
                            .getArgNumber());
      else
        sizes.push_back(type.getDimSize(d));
    }
  return launch.addInput(value, sizes);
}

/// Where `launch` loads what `scalar` needs: in the innermost body of a map,
/// where the value lives no longer than it must; else in front of its loops,
/// which stay nests that hold nothing else.
static Block *findPlace(LaunchOp launch, BlockArgument scalar) {
  Block *place = nullptr;
  for (Operation *user : scalar.getUsers()) {
    Block *block = user->getBlock();
    auto loop = dyn_cast<ForOp>(block->getParentOp());
    if ((place && place != block) || !loop || !loop.isParallel() ||
        !block->getOps<ForOp>().empty())
      return launch.getBodyBlock();
    place = block;
  }
  return place ? place : launch.getBodyBlock();
}

/// Erases what nothing needs any more of `work`, operands first: the host would
/// read elements for it.
static void eraseDead(const llvm::SetVector<Operation *> &work) {
  for (Operation *op : llvm::reverse(work))
    if (op->use_empty())
      op->erase();
}

/// Has `launch` compute its scalar operands of elements.
static void loadElements(LaunchOp launch) {
  for (unsigned number = 0; number < launch.getNumInputs(); ++number) {
    Value operand = launch.getInputs()[number];
    // Sizes are numbers of the host.
    bool isIndex = operand.getType().isIndex();
    Scalar scalar(isIndex ? isOfCells : isOfElements);
    if (isa<ShapedType>(operand.getType()) ||
        !(isIndex ? isLoadableIndex(launch, number) : isOfElements(operand)) ||
        !scalar.collect(operand, launch))
      continue;
    IRMapping inside;
    for (Value leaf : scalar.leaves)
      inside.map(leaf, getInput(launch, leaf));
    OpBuilder builder =
        OpBuilder::atBlockBegin(findPlace(launch, launch.getArgument(number)));
    for (Operation *op : scalar.work) {
      for (Value value : op->getOperands())
        if (Operation *constant = value.getDefiningOp();
            constant && constant->hasTrait<OpTrait::ConstantLike>() &&
            !inside.contains(value))
          builder.clone(*constant, inside);
      auto extract = dyn_cast<tensor::ExtractOp>(op);
      if (!extract) {
        builder.clone(*op, inside);
        continue;
      }
      SmallVector<Value> indices;
      for (Value index : extract.getIndices())
        indices.push_back(inside.lookup(index));
      inside.map(op->getResult(0),
                 LoadOp::create(builder, op->getLoc(),
                                getInput(launch, extract.getTensor()), indices)
                     .getResult());
    }
    launch.getArgument(number).replaceAllUsesWith(inside.lookup(operand));
    llvm::BitVector dead(launch.getBodyBlock()->getNumArguments());
    dead.set(number--);
    launch.eraseArguments(dead);
    eraseDead(scalar.work);
  }
}

namespace {
struct LoadElementsPass
    : public kernel::impl::LoadElementsPassBase<LoadElementsPass> {
  using LoadElementsPassBase::LoadElementsPassBase;

  void runOnOperation() override {
    getOperation().walk([](LaunchOp launch) { loadElements(launch); });
  }
};
} // namespace
