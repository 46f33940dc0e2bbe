//===- LaunchTail.cpp - What a launch of a step does after its nest -------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LaunchTail.h"

#include "../Shared/HostSlice.h"
#include "../Shared/LaunchAccess.h"
#include "BlockRoots.h"

#include "arrc/Analysis/BufferDistinctness.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/Transforms/SplitScans.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

SmallVector<LaunchOp> arrc::kernel::getLaunchesOfSteps(IterateOp loop) {
  SmallVector<LaunchOp> launches;
  if (!loop.getTimes() || loop.getFlag())
    return launches;
  loop.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto launch = dyn_cast<LaunchOp>(op)) {
      launches.push_back(launch);
      return WalkResult::skip();
    }
    return op->getNumRegions() && !isa<scf::IfOp>(op) ? WalkResult::skip()
                                                      : WalkResult::advance();
  });
  return launches;
}

//===----------------------------------------------------------------------===//
// Sizes in front of the loop
//===----------------------------------------------------------------------===//

/// What `value` is on the host, if it is no operation that has to be repeated
/// there; null otherwise.
Value HostHoister::getOutside(LaunchOp launch, Value value) {
  while (true) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner() == launch.getBodyBlock())
      value = launch.getOperandOf(argument).get();
    else if (auto fact = value.getDefiningOp<array::AssumeOp>())
      value = fact.getValue();
    else
      break;
  }
  if (!loop->isAncestor(value.getParentBlock()->getParentOp()))
    return value;
  // All buffers of an array have its sizes.
  for (auto [number, argument] : llvm::enumerate(loop.getCarriedArgs())) {
    int64_t second = loop.getRotateOf(number);
    if (argument == value ||
        (second >= 0 && loop.getRotateArgs()[second] == value))
      return loop.getCarried()[number];
  }
  return {};
}

bool HostHoister::canHoist(LaunchOp launch, Value value) {
  if (getOutside(launch, value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (auto fact = dyn_cast<array::AssumeOp>(op))
    return canHoist(launch, fact.getValue());
  bool isScalar = launch->isProperAncestor(op)
                      ? isScalarOp(op)
                      : !op->getNumRegions() && isPure(op);
  return isScalar && !isa<IndicesFitOp>(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return canHoist(launch, operand); });
}

Value HostHoister::hoist(OpBuilder &builder, LaunchOp launch, Value value) {
  if (Value outside = getOutside(launch, value))
    return outside;
  Operation *op = value.getDefiningOp();
  if (auto fact = dyn_cast<array::AssumeOp>(op))
    return hoist(builder, launch, fact.getValue());
  if (Value made = known.lookupOrNull(value))
    return made;
  IRMapping operands;
  for (Value operand : op->getOperands())
    operands.map(operand, hoist(builder, launch, operand));
  Operation *copy = builder.clone(*op, operands);
  known.map(op->getResults(), copy->getResults());
  return known.lookup(value);
}

//===----------------------------------------------------------------------===//
// Tails
//===----------------------------------------------------------------------===//

namespace {

/// Finds the tail of one launch.
class TailReader {
public:
  TailReader(IterateOp loop, LaunchOp launch)
      : loop(loop), launch(launch), hoister(loop) {
    tail.launch = launch;
  }

  bool read() {
    return isInAllSteps() && findParts() && findPartials() && collectNeeded() &&
           llvm::all_of(tail.needed,
                        [&](Operation *op) { return mayWait(op); }) &&
           areStoresApart();
  }

  LaunchTail tail;

private:
  bool findParts();
  bool findPartials();
  bool collectNeeded();
  bool staysInPlace(Value array);
  bool mayTake(BlockArgument argument, Operation *user);
  bool mayWait(Operation *op);
  bool isTouched(Value buffer, bool byReads);
  bool followStep(Value value, bool &isOfStep);
  bool isFixed(Value value);
  bool isInAllSteps();
  LinearIndex getHostForm(Value index);
  std::optional<unsigned> findStepDim(StoreOp store);
  bool areStoresApart();
  bool isInTail(Operation *op) {
    return llvm::is_contained(
        tail.ops, launch.getBodyBlock()->findAncestorOpInBlock(*op));
  }

  IterateOp loop;
  LaunchOp launch;
  HostHoister hoister;
  ForOp nest;
  /// Stores to arrays of the launch.
  SmallVector<StoreOp> stores;
};

} // namespace

/// One nest at block, then the tail.
bool TailReader::findParts() {
  if (launch.getFlag())
    return false;
  for (Operation &op : launch.getBodyBlock()->without_terminator()) {
    bool followsTail = llvm::any_of(op.getOperands(), [&](Value operand) {
      return llvm::is_contained(tail.ops, operand.getDefiningOp());
    });
    if (!followsTail && (isScalarOp(&op) || isa<LocalOp>(op)))
      continue;
    if (isBlockLoop(&op)) {
      if (nest || !tail.ops.empty() || !cast<ForOp>(op).isParallel())
        return false;
      nest = cast<ForOp>(op);
      continue;
    }
    auto load = dyn_cast<LoadOp>(op);
    if (load && !followsTail && !mayBeWritten(launch, load.getSource()))
      continue; // each launch may repeat it
    if (!nest)
      return false;
    tail.ops.push_back(&op);
  }
  return nest && !tail.ops.empty() && !findLookBack(launch, nest);
}

/// Locals of the root are stored to by the nest and read by the tail, or belong
/// to one of them.
bool TailReader::findPartials() {
  for (auto local : launch.getBodyBlock()->getOps<LocalOp>()) {
    bool inNest = false, inTail = false, passes = true;
    for (Operation *user : local->getUsers()) {
      bool isTail = isInTail(user);
      (isTail ? inTail : inNest) = true;
      passes &= isTail ? isa<LoadOp>(user)
                       : isa<StoreOp>(user) &&
                             cast<StoreOp>(user).getDest() == local &&
                             nest->isAncestor(user);
    }
    if (!inNest || !inTail)
      continue;
    Type element = local.getType().getElementType();
    bool hasBytes =
        element.isIndex() || isa<FloatType, ComplexType>(element) ||
        (element.isInteger() && element.getIntOrFloatBitWidth() % 8 == 0);
    if (!passes || !hasBytes || !local.getType().getLayout().isIdentity() ||
        !llvm::all_of(local.getSizes(), [&](Value size) {
          return isKnownToHost(launch, size) && hoister.canHoist(launch, size);
        }))
      return false;
    tail.partials.push_back(local);
  }
  tail.sizes.resize(tail.partials.size());
  return !tail.partials.empty();
}

/// The tail and what it uses, in the order of the root.
bool TailReader::collectNeeded() {
  llvm::SmallPtrSet<Operation *, 16> held(tail.ops.begin(), tail.ops.end());
  SmallVector<Operation *> work(tail.ops);
  while (!work.empty()) {
    bool isLegal = true;
    work.pop_back_val()->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *def = operand.getDefiningOp();
        if (!def || def->getBlock() != launch.getBodyBlock())
          continue;
        auto local = dyn_cast<LocalOp>(def);
        if (local && llvm::is_contained(tail.partials, local))
          continue;
        isLegal &= def != nest;
        if (held.insert(def).second)
          work.push_back(def);
      }
    });
    if (!isLegal)
      return false;
  }
  for (Operation &op : launch.getBodyBlock()->without_terminator())
    if (held.contains(&op))
      tail.needed.push_back(&op);
  return true;
}

/// Whether anything of a step but this launch touches `buffer`, or its nest
/// does; only what may write counts unless `byReads`. Other versions of the
/// launch do not run in the same step.
bool TailReader::isTouched(Value buffer, bool byReads) {
  auto overlaps = [&](Value array) {
    return isa<MemRefType>(array.getType()) &&
           !areDistinctBuffers(getBuffer(array), buffer);
  };
  for (BlockArgument argument : launch.getBodyBlock()->getArguments()) {
    if (!overlaps(launch.getOperandOf(argument).get()))
      continue;
    for (Operation *user : argument.getUsers())
      if (!isInTail(user) && (byReads || !isa<LoadOp>(user)) &&
          !isa<memref::DimOp>(user))
        return true;
  }
  return loop.getBody()
      .walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (auto other = dyn_cast<LaunchOp>(op)) {
          if (other == launch ||
              scf::insideMutuallyExclusiveBranches(other, launch))
            return WalkResult::skip();
          if (llvm::any_of(other.getOuts(), overlaps) ||
              (byReads && llvm::any_of(other.getInputs(), overlaps)))
            return WalkResult::interrupt();
          return WalkResult::skip();
        }
        if (isa<scf::IfOp, ContinueOp>(op) ||
            (!op->getNumRegions() && isMemoryEffectFree(op)))
          return WalkResult::advance();
        return llvm::any_of(op->getOperands(), overlaps)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Collects how the host makes `value` of the number of the step; false if it
/// needs something else that changes.
bool TailReader::followStep(Value value, bool &isOfStep) {
  isOfStep = false;
  if (value == loop.getStepArg())
    return isOfStep = true;
  Operation *op = value.getDefiningOp();
  if (!op || !loop->isProperAncestor(op))
    return true;
  if (auto fact = dyn_cast<array::AssumeOp>(op)) {
    if (!followStep(fact.getValue(), isOfStep))
      return false;
    if (isOfStep)
      tail.hostWork.insert(op);
    return true;
  }
  bool isPart = false;
  SmallVector<Value> others;
  for (Value operand : op->getOperands()) {
    bool ofStep = false;
    if (isa<memref::DimOp>(op) && isa<MemRefType>(operand.getType()))
      continue;
    if (!followStep(operand, ofStep))
      return false;
    isPart |= ofStep;
    if (!ofStep)
      others.push_back(operand);
  }
  if (op->getNumRegions() || !isPure(op))
    return false;
  if (!isPart)
    return true;
  if (op->getNumResults() != 1 ||
      !isa<affine::AffineDialect, arith::ArithDialect, math::MathDialect>(
          op->getDialect()))
    return false;
  for (Value other : others)
    tail.hostScalars.insert(other);
  tail.hostWork.insert(op);
  return isOfStep = true;
}

/// Whether `array`, of the host, is the same one in all steps: it comes from
/// outside, and does not take turns with others.
bool TailReader::staysInPlace(Value array) {
  Value buffer = getBuffer(array);
  auto carried = dyn_cast<BlockArgument>(buffer);
  if (!carried || carried.getOwner() != loop.getBodyBlock())
    return !loop->isAncestor(buffer.getParentBlock()->getParentOp());
  auto *place = llvm::find(loop.getCarriedArgs(), carried);
  return place != loop.getCarriedArgs().end() &&
         loop.getContinue()
                 .getCarried()[place - loop.getCarriedArgs().begin()] ==
             carried;
}

/// Whether `user`, of the tail, has of `argument` later what it has now.
bool TailReader::mayTake(BlockArgument argument, Operation *user) {
  Value outer = launch.getOperandOf(argument).get();
  if (!isa<MemRefType>(outer.getType())) {
    bool isOfStep = false;
    if (!followStep(outer, isOfStep))
      return false;
    if (isOfStep)
      tail.ofStep.insert(argument);
    return true;
  }
  auto store = dyn_cast<StoreOp>(user);
  bool isStored = store && store.getDest() == argument;
  if (!isStored && !isa<LoadOp, memref::DimOp>(user))
    return false;
  if (isStored)
    stores.push_back(store);
  return staysInPlace(outer) &&
         !isTouched(getBuffer(outer), /*byReads=*/isStored);
}

/// Whether an operation of the tail may be done when later steps have run.
bool TailReader::mayWait(Operation *op) {
  auto take = [&](Operation *inner) {
    if (isa<CheckOp, UpdateOp>(inner) || isBlockLoop(inner))
      return WalkResult::interrupt();
    for (Value operand : inner->getOperands())
      if (auto argument = dyn_cast<BlockArgument>(operand);
          argument && argument.getOwner() == launch.getBodyBlock() &&
          !mayTake(argument, inner))
        return WalkResult::interrupt();
    return WalkResult::advance();
  };
  return !op->walk(take).wasInterrupted();
}

/// Whether a value of the host, or of the root, is the same in all steps.
bool TailReader::isFixed(Value value) {
  if (value == loop.getStepArg())
    return false;
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument)
    return !launch->isAncestor(argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  if (!loop->isProperAncestor(op))
    return true;
  return !op->getNumRegions() && (isPure(op) || isa<array::AssumeOp>(op)) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isFixed(operand); });
}

/// Whether every step starts the launch, or none does.
bool TailReader::isInAllSteps() {
  for (Operation *op = launch->getParentOp(); op != loop;
       op = op->getParentOp())
    if (!isFixed(cast<scf::IfOp>(op).getCondition()))
      return false;
  return true;
}

/// An index of the tail as the host sees it, through what is known of it.
LinearIndex TailReader::getHostForm(Value index) {
  LinearIndex form = getOuterIndex(launch, index);
  while (true) {
    const auto *term =
        llvm::find_if(form.getTerms(), [](const LinearIndex::Term &one) {
          return one.first.getDefiningOp<array::AssumeOp>() != nullptr;
        });
    if (term == form.getTerms().end())
      return form;
    auto [value, factor] = *term;
    form.add(LinearIndex::ofValue(value), -factor);
    form.add(LinearIndex(value.getDefiningOp<array::AssumeOp>().getValue()),
             factor);
  }
}

/// The dimension in which the elements that `store` writes differ from step to
/// step.
std::optional<unsigned> TailReader::findStepDim(StoreOp store) {
  for (auto [dim, index] : llvm::enumerate(store.getIndices())) {
    LinearIndex form = getHostForm(index);
    if (form.getCoefficient(loop.getStepArg()) != 0 &&
        llvm::all_of(form.getTerms(), [&](const LinearIndex::Term &term) {
          return term.first == loop.getStepArg() || isFixed(term.first);
        }))
      return dim;
  }
  return std::nullopt;
}

/// Whether different steps store different elements.
bool TailReader::areStoresApart() {
  for (auto [number, store] : llvm::enumerate(stores)) {
    std::optional<unsigned> dim = findStepDim(store);
    if (!dim)
      return false;
    LinearIndex form = getHostForm(store.getIndices()[*dim]);
    int64_t stride = form.getCoefficient(loop.getStepArg());
    for (StoreOp other : ArrayRef(stores).take_front(number)) {
      if (other.getDest() != store.getDest()) {
        auto bufferOf = [&](StoreOp op) {
          return getBuffer(
              launch.getOperandOf(cast<BlockArgument>(op.getDest())).get());
        };
        if (!areDistinctBuffers(bufferOf(other), bufferOf(store)))
          return false;
        continue;
      }
      std::optional<int64_t> distance =
          getHostForm(other.getIndices()[*dim]).distanceFrom(form);
      if (!distance || (*distance && *distance % stride == 0))
        return false;
    }
  }
  return !stores.empty();
}

std::optional<LaunchTail> LaunchTail::read(IterateOp loop, LaunchOp launch) {
  TailReader reader(loop, launch);
  if (!reader.read())
    return std::nullopt;
  return std::move(reader.tail);
}
