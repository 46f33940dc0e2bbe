//===- EncloseLoops.cpp - Loops of small steps become one launch ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A launch costs microseconds whatever it does, and a number that the
// host reads costs more. A loop whose steps each touch few elements is quicker
// as one launch of one block: the threads share the loops inside of a step, and
// wait for each other between its statements.
//
// Before   kernel.iterate times (%k in %n) carry (%x[%n] = %a) {
//            kernel.launch @row (%K = %k, ..) outs (%X[%N] = %x) {
//              %s = kernel.for "l" (%l) in %K reduce .. { .. }
//              kernel.store .., %X[%K] } .. }
// After    scf.if %few {   // the largest step is small enough
//            kernel.launch @loop (%N = %n, ..) outs (%X[%N] = %a)
//                schedule <block = [block.0], l_0 = [seq, thread.y 8,
//                                                    thread.x 32]> {
//              kernel.for "block" (%b) in 1 {
//                scf.for %k = 0 to %N { %s = kernel.for "l_0" .. } } }
//          } else { the loop as it was }
//
// Legal when all that a step does a kernel can do, and every step hands on its
// arrays where they are. Steps run in order; whatever conflicts between threads
// waits at a barrier (Barriers.cpp).
//
// Pays while the step is so small that one multiprocessor does it before the
// launches of the step would have begun. Loops that are refused are asked about
// the loops inside of them.
//
//===----------------------------------------------------------------------===//

#include "EncloseLoops.h"

#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_ENCLOSELOOPSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// A multiprocessor loads so many elements while a launch begins.
static constexpr int64_t mostAccesses = 16384;

/// Whether `op` is a loop of the host that has the device do something.
static bool isDeviceLoop(Operation *op) {
  if (!isa<IterateOp, scf::ForOp, scf::WhileOp>(op))
    return false;
  return op
      ->walk<WalkOrder::PreOrder>([](Operation *inner) {
        bool works = isa<LaunchOp, memref::LoadOp, memref::StoreOp>(inner);
        return works ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {

struct EncloseLoopsPass
    : public arrc::kernel::impl::EncloseLoopsPassBase<EncloseLoopsPass> {
  void runOnOperation() override {
    if (!isGPU(DeviceAttr::get(getOperation())))
      return;
    number = 0;
    kept.clear();
    visit(getOperation());
    reportHostLoops(kept);
  }

private:
  void visit(Operation *parent);
  void enclose(Operation *loop);

  unsigned number = 0;
  llvm::SmallVector<KeptLoop> kept;
};

} // namespace

void EncloseLoopsPass::visit(Operation *parent) {
  if (isa<LaunchOp>(parent))
    return;
  for (Region &region : parent->getRegions())
    for (Block &block : region)
      for (Operation &op : llvm::make_early_inc_range(block))
        isDeviceLoop(&op) ? enclose(&op) : visit(&op);
}

void EncloseLoopsPass::enclose(Operation *loop) {
  auto options =
      remark::RemarkOpts::name("Enclose").category("kernel-enclose-loops");
  OpBuilder b(loop);
  Location loc = loop->getLoc();
  std::optional<LoopObstacle> obstacle = findObstacle(loop);
  std::optional<OpFoldResult> accesses;
  if (!obstacle) {
    accesses = countMostAccesses(b, loop);
    if (!accesses)
      obstacle = LoopObstacle{loop, ObstacleKind::UnknownWork};
    else if (getConstantIntValue(*accesses).value_or(0) > mostAccesses)
      obstacle = LoopObstacle{loop, ObstacleKind::LargeSteps};
  }
  if (obstacle) {
    remark::missed(obstacle->op->getLoc(), options)
        << remark::add("a loop is many kernels")
        << remark::reason("{0}", obstacle->describe());
    kept.push_back({loop, obstacle->kind, obstacle->op->getLoc()});
    return visit(loop);
  }
  remark::passed(loc, options)
      << remark::add(isa<Attribute>(*accesses)
                         ? "a loop is one kernel"
                         : "a loop is one kernel while its steps are small");

  SmallVector<Type> types;
  for (Value result : loop->getResults()) {
    if (isa<MemRefType>(result.getType()))
      result.replaceAllUsesWith(findBase(loop, result));
    else
      types.push_back(result.getType());
  }
  Operation *other = nullptr;
  scf::IfOp branch;
  if (auto count = dyn_cast<Value>(*accesses)) {
    Value most = arith::ConstantIndexOp::create(b, loc, mostAccesses);
    Value few =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, count, most);
    branch = scf::IfOp::create(b, loc, types, few, /*withElseRegion=*/true);
    b = branch.getElseBodyBuilder();
    if (types.empty())
      b.setInsertionPoint(branch.elseBlock()->getTerminator());
    other = b.clone(*loop);
    SmallVector<Value> kept;
    for (Value result : other->getResults())
      if (!isa<MemRefType>(result.getType()))
        kept.push_back(result);
    if (!types.empty())
      scf::YieldOp::create(b, loc, kept);
    loop->moveBefore(branch.thenBlock(), branch.thenBlock()->begin());
    b.setInsertionPointToEnd(branch.thenBlock());
  }
  std::string name =
      (getOperation().getName() + "_loop_" + Twine(number++)).str();
  SmallVector<Value> results;
  LaunchOp launch = encloseLoop(b, loop, name, results);
  launch.setScheduleAttr(scheduleEnclosed(launch));
  if (branch && !types.empty()) {
    b.setInsertionPointToEnd(branch.thenBlock());
    scf::YieldOp::create(b, loc, results);
    results.assign(branch.getResults().begin(), branch.getResults().end());
  }
  auto next = results.begin();
  for (Value result : loop->getResults())
    if (!isa<MemRefType>(result.getType()))
      result.replaceAllUsesWith(*next++);
  loop->erase();
  if (!other)
    return;
  kept.push_back({other, std::nullopt, other->getLoc()});
  visit(other);
}
