//===- EncloseObstacles.cpp - What keeps a loop from being one launch ---===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "../Shared/LaunchAccess.h"
#include "Encloser.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

Value arrc::kernel::stepToBase(Value array) {
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

bool arrc::kernel::keepsPlaces(Operation *loop) {
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
static std::optional<ObstacleKind> findObstacleIn(LaunchOp launch,
                                                  bool mayCheck) {
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
    else if (isa<CheckOp>(op) && !mayCheck)
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

static std::optional<ObstacleKind>
findObstacleAt(Operation *root, Operation *op, bool mayCheck) {
  if (auto launch = dyn_cast<LaunchOp>(op)) {
    for (OpOperand &operand : launch->getOpOperands())
      if (BlockArgument argument = launch.getArgumentOf(operand))
        if (isArray(operand.get()) && readsEdges(launch, argument) &&
            operand.get().getDefiningOp<memref::SubViewOp>())
          return ObstacleKind::Edges;
    return findObstacleIn(launch, mayCheck);
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

std::optional<LoopObstacle> arrc::kernel::findObstacle(Operation *root,
                                                       bool mayCheck) {
  std::optional<LoopObstacle> found;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    std::optional<ObstacleKind> why = findObstacleAt(root, op, mayCheck);
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
