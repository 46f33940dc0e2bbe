//===- ChangingSizes.cpp - Arrays whose size a loop changes ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Array/IR/ChangingSizes.h"

#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace arrc::array;

static bool hasUnknownSize(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && !type.hasStaticShape();
}

/// True if somebody asks `value` itself for its size: all but names for its
/// sizes, and operations that hand it on.
static bool isReadUnbound(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return !isa<BindOp, scf::YieldOp, scf::ConditionOp>(user);
  });
}

/// The size of `value`, that of what a loop carries being that of its start; an
/// array whose size it is where that is all that is known.
static OpFoldResult sizeOf(Value value, int64_t dim) {
  if (OpFoldResult size = getKnownSize(value, dim))
    return size;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      if (OpOperand *init = loop.getTiedLoopInit(argument))
        return sizeOf(init->get(), dim);
    if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      unsigned k = argument.getArgNumber();
      return sizeOf(argument.getOwner() == loop.getBeforeBody()
                        ? loop.getInits()[k]
                        : loop.getConditionOp().getArgs()[k],
                    dim);
    }
    return value;
  }
  auto result = cast<OpResult>(value);
  unsigned k = result.getResultNumber();
  return llvm::TypeSwitch<Operation *, OpFoldResult>(result.getOwner())
      .Case<tensor::InsertSliceOp, tensor::InsertOp>(
          [&](auto insert) { return sizeOf(insert.getDest(), dim); })
      .Case(
          [&](ScatterOp scatter) { return sizeOf(scatter.getInto()[k], dim); })
      .Case([&](scf::ForOp loop) { return sizeOf(loop.getInitArgs()[k], dim); })
      .Case([&](scf::WhileOp loop) {
        return sizeOf(loop.getConditionOp().getArgs()[k], dim);
      })
      .Case([&](arith::SelectOp choice) {
        return sizeOf(choice.getTrueValue(), dim);
      })
      .Case([&](scf::IfOp branch) {
        return sizeOf(branch.thenYield().getOperand(k), dim);
      })
      .Default(OpFoldResult(value));
}

static bool haveSameSizes(Value a, Value b) {
  auto type = cast<RankedTensorType>(a.getType());
  return llvm::all_of(llvm::seq<int64_t>(0, type.getRank()), [&](int64_t d) {
    return isEqualConstantIntOrValue(sizeOf(a, d), sizeOf(b, d));
  });
}

bool arrc::array::changesSizes(Operation *op) {
  if (auto choice = dyn_cast<arith::SelectOp>(op))
    return hasUnknownSize(choice.getResult()) &&
           !llvm::all_of(choice->getUsers(), llvm::IsaPred<BindOp>) &&
           !haveSameSizes(choice.getTrueValue(), choice.getFalseValue());
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return llvm::any_of(branch.getResults(), [&](OpResult result) {
      unsigned k = result.getResultNumber();
      return hasUnknownSize(result) && isReadUnbound(result) &&
             !haveSameSizes(branch.thenYield().getOperand(k),
                            branch.elseYield().getOperand(k));
    });
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return llvm::any_of(loop.getRegionIterArgs(), [&](BlockArgument carried) {
      OpOperand *next = loop.getTiedLoopYieldedValue(carried);
      return hasUnknownSize(carried) &&
             (isReadUnbound(carried) ||
              isReadUnbound(loop.getTiedLoopResult(carried))) &&
             !haveSameSizes(carried, next->get());
    });
  auto loop = dyn_cast<scf::WhileOp>(op);
  if (!loop)
    return false;
  // What the first region hands on may come from anywhere.
  scf::ConditionOp condition = loop.getConditionOp();
  for (auto [k, result] : llvm::enumerate(loop.getResults()))
    if (hasUnknownSize(result) &&
        (isReadUnbound(result) || isReadUnbound(loop.getAfterArguments()[k]))) {
      auto carried = dyn_cast<BlockArgument>(condition.getArgs()[k]);
      if (!carried || carried.getOwner() != loop.getBeforeBody() ||
          !haveSameSizes(carried,
                         loop.getYieldedValues()[carried.getArgNumber()]))
        return true;
    }
  return llvm::any_of(loop.getBeforeArguments(), [&](BlockArgument carried) {
    return hasUnknownSize(carried) && isReadUnbound(carried) &&
           !haveSameSizes(carried,
                          loop.getYieldedValues()[carried.getArgNumber()]);
  });
}
