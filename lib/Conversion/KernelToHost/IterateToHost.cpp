//===- IterateToHost.cpp - Time loops of the host -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A time loop carries its buffers, so that a step that names another order of
// them costs nothing:
//
//   kernel.iterate times (%k in %max) while (%go = %go0)
//       carry (%t[%n] = %t0 rotate %next = %s0) {
//     ..  kernel.continue while %go carry %next }
//
//   scf.while (%k = %c0, %go = %go0, %t = %t0, %next = %s0) {
//     %more = %k < %max and %go[]   scf.condition(%more) ..
//   } do { ..  scf.yield %k + 1, %go, %next, %t }
//
// The buffers that a step does not name become the second buffers of the next.
// What every step updates in its place is not carried.
//
// Copies between views become loops here as well, while there are loops, and
// facts about sizes are dropped.
//
//===----------------------------------------------------------------------===//

#include "TimeLoops.h"
#include "arrc/Conversion/Passes.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/IR/DeviceMemory.h"
#include "arrc/Dialect/Kernel/IR/TimeLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace arrc {
#define GEN_PASS_DEF_CONVERTKERNELTOHOSTPASS
#include "arrc/Conversion/Passes.h.inc"
} // namespace arrc

using namespace mlir;
using namespace arrc;

static LogicalResult convertIterate(kernel::IterateOp loop) {
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  for (Value operand : loop->getOperands())
    if (isa<TensorType>(operand.getType()))
      return loop.emitOpError("is on tensors; bufferize it first");
  kernel::ContinueOp end = loop.getContinue();
  FailureOr<SmallVector<Value>> spares =
      kernel::getNextSpares(loop, end.getCarried());
  if (failed(spares))
    return loop.emitOpError("does not hand on a permutation of its buffers");

  // What every step hands on in its place is one buffer, in the loop and
  // behind it: the one from outside. Where it lies stays known.
  auto staysInPlace = [&](unsigned k) {
    return end.getCarried()[k] == loop.getCarriedArgs()[k];
  };
  unsigned count = loop.getCarried().size();
  SmallVector<Value> initial{arith::ConstantIndexOp::create(b, loc, 0)};
  if (loop.getFlag())
    initial.push_back(loop.getFlag());
  for (unsigned k = 0; k < count; ++k)
    if (!staysInPlace(k))
      initial.push_back(loop.getCarried()[k]);
  llvm::append_range(initial, loop.getSpares());
  SmallVector<Type> types(ValueRange(initial).getTypes());
  SmallVector<Location> locs(types.size(), loc);
  auto code = scf::WhileOp::create(b, loc, types, initial);

  Block *before = b.createBlock(&code.getBefore(), {}, types, locs);
  Value more;
  auto require = [&](Value condition) {
    more = more ? Value(arith::AndIOp::create(b, loc, more, condition))
                : condition;
  };
  if (loop.getTimes())
    require(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                  before->getArgument(0), loop.getTimes()));
  if (loop.getFlag())
    require(memref::LoadOp::create(b, loc, before->getArgument(1)));
  scf::ConditionOp::create(b, loc, more, before->getArguments());

  Block *after = b.createBlock(&code.getAfter(), {}, types, locs);
  SmallVector<Value> next;
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  next.push_back(arith::AddIOp::create(b, loc, after->getArgument(0), one));
  if (loop.getFlag())
    next.push_back(end.getFlag());
  for (unsigned k = 0; k < count; ++k)
    if (!staysInPlace(k))
      next.push_back(end.getCarried()[k]);
  llvm::append_range(next, *spares);

  // What the arguments of the body and the results are: those of the while,
  // which always has the step, and what stays.
  auto addKept = [&](ValueRange kept, SmallVector<Value> &values) {
    for (unsigned k = 0; k < count; ++k) {
      if (staysInPlace(k)) {
        values.push_back(loop.getCarried()[k]);
        continue;
      }
      values.push_back(kept.front());
      kept = kept.drop_front();
    }
    llvm::append_range(values, kept);
  };
  unsigned skip = loop.getFlag() ? 2 : 1;
  SmallVector<Value> arguments, results;
  if (loop.getStepArg())
    arguments.push_back(after->getArgument(0));
  if (loop.getFlag())
    arguments.push_back(after->getArgument(1));
  addKept(ValueRange(after->getArguments()).drop_front(skip), arguments);
  addKept(code.getResults().drop_front(skip), results);
  for (auto [from, to] :
       llvm::zip(loop.getBodyBlock()->getArguments(), arguments)) {
    from.replaceAllUsesWith(to);
    llvm::replace(next, Value(from), to);
  }
  after->getOperations().splice(
      after->end(), loop.getBodyBlock()->getOperations(),
      loop.getBodyBlock()->begin(), Block::iterator(end));
  scf::YieldOp::create(b, loc, next);
  loop.replaceAllUsesWith(results);
  loop.erase();
  return success();
}

/// A copy from or to a view: loops over its elements, the outermost parallel.
static void convertViewCopy(memref::CopyOp copy) {
  OpBuilder b(copy);
  Location loc = copy.getLoc();
  auto type = cast<MemRefType>(copy.getSource().getType());
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  SmallVector<Value> indices;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    Value size = memref::DimOp::create(b, loc, copy.getSource(), d);
    if (d == 0) {
      auto loop = scf::ParallelOp::create(b, loc, zero, size, one);
      indices.push_back(loop.getInductionVars()[0]);
      b.setInsertionPointToStart(loop.getBody());
    } else {
      auto loop = scf::ForOp::create(b, loc, zero, size, one);
      indices.push_back(loop.getInductionVar());
      b.setInsertionPointToStart(loop.getBody());
    }
  }
  Value element = memref::LoadOp::create(b, loc, copy.getSource(), indices);
  memref::StoreOp::create(b, loc, element, copy.getTarget(), indices);
  copy.erase();
}

LogicalResult arrc::convertTimeLoops(Operation *root) {
  SmallVector<kernel::IterateOp> loops;
  SmallVector<memref::CopyOp> copies;
  SmallVector<array::AssumeOp> facts;
  // What touches memory of a device is a kernel or a call of the runtime.
  bool isDevice = kernel::hasOwnMemory(kernel::DeviceAttr::get(root));
  root->walk([&](Operation *op) { // inner loops first
    if (auto fact = dyn_cast<array::AssumeOp>(op))
      facts.push_back(fact);
    if (auto loop = dyn_cast<kernel::IterateOp>(op))
      loops.push_back(loop);
    if (auto copy = dyn_cast<memref::CopyOp>(op)) {
      auto from = cast<MemRefType>(copy.getSource().getType());
      auto to = cast<MemRefType>(copy.getTarget().getType());
      if (!isDevice && from.getRank() &&
          !(from.getLayout().isIdentity() && to.getLayout().isIdentity()))
        copies.push_back(copy);
    }
  });
  for (kernel::IterateOp loop : loops)
    if (failed(convertIterate(loop)))
      return failure();
  for (memref::CopyOp copy : copies)
    convertViewCopy(copy);
  // Facts have served.
  for (array::AssumeOp fact : facts) {
    fact.getResult().replaceAllUsesWith(fact.getValue());
    fact.erase();
  }
  return success();
}

namespace {
struct ConvertKernelToHostPass
    : arrc::impl::ConvertKernelToHostPassBase<ConvertKernelToHostPass> {
  void runOnOperation() override {
    if (failed(convertTimeLoops(getOperation())))
      signalPassFailure();
  }
};
} // namespace
