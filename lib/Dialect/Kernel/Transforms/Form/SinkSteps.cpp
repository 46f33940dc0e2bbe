//===- SinkSteps.cpp - Steps without neighbours run point by point --------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A recurrence along the last dimension, written for all rows at once,
// touches an element of every row in each step. Once there are more rows than
// lines in a cache, each line comes from memory as often as it has elements.
// Row by row it comes once.
//
// Before   kernel.iterate times (%q in %k) carry (%c[%n, %k] = ..) {
//            kernel.launch (..) { kernel.for "i" (%i) in %n {
//              .. c[i, q - 1] .. kernel.store %v, c[i, q] } } }
// After    scf.if %many {
//            kernel.launch (..) { kernel.for "i" (%i) in %n {
//              scf.for %q = 0 to %k {
//                .. c[i, q - 1] .. kernel.store %v, c[i, q] } } }
//          } else { the loop as it was }
//
// Steps that touch the same elements again are all done where an element is in
// a register: an array goes over memory once instead of once a step.
//
// What a step leaves for the next one stays in a register (CarryValues.h).
//
// Legal when the statements of a step are maps over the same points, and no
// element that is written at one point is touched at another one.
//
// Pays on devices: a step takes less than its launch, and many points stream as
// launches do. On CPUs where no access moves with the steps, and where more
// accesses are neighbours from step to step than from point to point, and a
// line for each access at each point is more than the second cache of a core
// holds: below that lines stay where they are, and neighbouring points share
// vectors.
//
// Source: loop permutation for locality, McKinley, Carr and Tseng, "Improving
// data locality with loop transformations" (TOPLAS 1996).
//
//===----------------------------------------------------------------------===//

#include "CarryValues.h"
#include "Encloser.h"

#include "../Shared/NestScalars.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Analysis/Dependence.h"
#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/Remarks.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_SINKSTEPSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

namespace {

/// The loop over steps that a launch holds, inside out.
class Sinker {
public:
  explicit Sinker(LaunchOp launch)
      : launch(launch), block(*launch.getBody().getOps<ForOp>().begin()) {}

  /// Makes the steps the innermost loop; false if that cannot be.
  bool run();
  /// Whether most accesses are neighbours from step to step.
  bool pays();
  /// Whether some access moves with the steps.
  bool moves();
  /// Whether a step is maps without loops inside of their points.
  bool isFlat();
  unsigned countAccesses();
  /// Keeps in registers what a step leaves for the next one.
  void carry() { steps = carryValues(steps); }
  ArrayRef<ForOp> getPoints() const { return points; }

private:
  bool collect();
  bool haveSameExtents(ArrayRef<ForOp> a, ArrayRef<ForOp> b, size_t count);
  void write();

  LaunchOp launch;
  ForOp block;
  scf::ForOp steps;
  /// The loops of each map, outermost first; and what they became.
  SmallVector<SmallVector<ForOp>> nests;
  SmallVector<ForOp> points;
  size_t depth = 0;
};

} // namespace

bool Sinker::haveSameExtents(ArrayRef<ForOp> a, ArrayRef<ForOp> b,
                             size_t count) {
  return llvm::all_of(llvm::seq<size_t>(0, count), [&](size_t d) {
    ForOp x = a[d], y = b[d];
    return isEqualConstantIntOrValue(x.getMixedExtent(), y.getMixedExtent());
  });
}

bool Sinker::collect() {
  for (Operation &op : block.getBodyBlock()->without_terminator()) {
    if (isScalarOp(&op))
      continue;
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || steps || loop.getNumResults() > 0)
      return false;
    steps = loop;
  }
  if (!steps)
    return false;
  for (Operation &op : steps.getBody()->without_terminator()) {
    auto loop = dyn_cast<ForOp>(op);
    if (!loop && !isScalarOp(&op) && !isa<LoadOp>(op))
      return false;
    if (!loop)
      continue;
    if (!loop.isParallel())
      return false;
    nests.push_back(getNest(loop));
  }
  if (nests.empty())
    return false;
  depth = nests.front().size();
  for (ArrayRef<ForOp> nest : nests)
    depth = std::min(depth, nest.size());
  while (depth > 0 && !llvm::all_of(nests, [&](ArrayRef<ForOp> nest) {
           return haveSameExtents(nest, nests.front(), depth);
         }))
    --depth;
  // The loops begin in front of the steps.
  return depth > 0 &&
         llvm::all_of(
             ArrayRef(nests.front()).take_front(depth), [&](ForOp loop) {
               Value extent = loop.getExtent();
               return !extent || !steps->isAncestor(
                                     extent.getParentBlock()->getParentOp());
             });
}

void Sinker::write() {
  OpBuilder b(block);
  IRMapping map;
  for (Operation &op : block.getBodyBlock()->without_terminator())
    if (&op != steps)
      b.clone(op, map);
  SmallVector<Value> indices;
  for (ForOp loop : ArrayRef(nests.front()).take_front(depth)) {
    OpFoldResult extent = loop.getMixedExtent();
    if (auto value = dyn_cast<Value>(extent))
      extent = map.lookupOrDefault(value);
    points.push_back(ForOp::create(b, loop.getLoc(), loop.getDim(), extent));
    indices.push_back(points.back().getInductionVar());
    b.setInsertionPoint(points.back().getBodyBlock()->getTerminator());
  }
  auto in = [&](Value value) { return map.lookupOrDefault(value); };
  auto inner =
      scf::ForOp::create(b, steps.getLoc(), in(steps.getLowerBound()),
                         in(steps.getUpperBound()), in(steps.getStep()));
  map.map(steps.getInductionVar(), inner.getInductionVar());
  b.setInsertionPoint(inner.getBody()->getTerminator());
  for (Operation &op : steps.getBody()->without_terminator()) {
    if (!isa<ForOp>(op)) {
      b.clone(op, map);
      continue;
    }
    const auto *nest = llvm::find_if(
        nests, [&](ArrayRef<ForOp> loops) { return loops.front() == &op; });
    for (size_t d = 0; d < depth; ++d)
      map.map(ForOp((*nest)[d]).getInductionVar(), indices[d]);
    for (size_t d = 0; d < depth; ++d)
      for (Operation &part :
           ForOp((*nest)[d]).getBodyBlock()->without_terminator())
        if (d + 1 == depth || &part != (*nest)[d + 1])
          b.clone(part, map);
  }
  block->erase();
  steps = inner;
}

bool Sinker::run() {
  if (!collect())
    return false;
  write();
  return llvm::all_of(
      points, [](ForOp loop) { return findCarriedDependence(loop).empty(); });
}

unsigned Sinker::countAccesses() {
  return AccessPattern(steps).getAccesses().size();
}

bool Sinker::pays() {
  int64_t score = 0;
  AccessPattern pattern(steps);
  for (const Access &access : pattern.getAccesses()) {
    if (access.indices.empty())
      continue;
    const LinearIndex &last = access.indices.back();
    bool steps = last.getCoefficient(this->steps.getInductionVar()) != 0;
    bool point = llvm::any_of(points, [&](ForOp loop) {
      return last.getCoefficient(loop.getInductionVar()) != 0;
    });
    score += int(steps && !point) - int(point);
  }
  return score > 0;
}

bool Sinker::moves() {
  AccessPattern pattern(steps);
  return llvm::any_of(pattern.getAccesses(), [&](const Access &access) {
    return llvm::any_of(access.indices, [&](const LinearIndex &index) {
      return llvm::any_of(index.getTerms(), [&](LinearIndex::Term term) {
        return term.first == steps.getInductionVar() ||
               !steps.isDefinedOutsideOfLoop(term.first);
      });
    });
  });
}

bool Sinker::isFlat() {
  return !steps
              .walk([&](Operation *op) {
                return op != steps && isa<ForOp, LoopLikeOpInterface>(op)
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Whether the host's work in a step of `loop` is launches and what they take.
static bool onlyLaunches(IterateOp loop) {
  return llvm::all_of(
      loop.getBodyBlock()->without_terminator(), [](Operation &op) {
        return isa<LaunchOp, memref::SubViewOp, memref::CopyOp, memref::CastOp>(
                   op) ||
               isScalarOp(&op);
      });
}

static bool sink(IterateOp loop, StringRef name, DeviceAttr device) {
  if (loop.getFlag() || !onlyLaunches(loop) || !keepsPlaces(loop) ||
      llvm::is_contained(loop.getRotates(), true) || findObstacle(loop))
    return false;
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> results;
  LaunchOp launch = encloseLoop(b, loop, name, results);
  Sinker sinker(launch);
  bool isDevice = isGPU(device);
  if (!sinker.run() || (isDevice && !sinker.isFlat())) {
    launch->erase();
    return false;
  }
  auto finish = [&] {
    sinker.carry();
    for (Value result : loop.getResults())
      result.replaceAllUsesWith(findBase(loop, result));
  };
  if (isDevice || !sinker.moves()) {
    finish();
    loop->erase();
    return true;
  }
  if (!sinker.pays()) {
    launch->erase();
    return false;
  }
  // The points are known in front of the loop, or of none.
  Value bytes = arith::ConstantIndexOp::create(
      b, loc,
      device.getInteger("line_bytes", 64) * int64_t(sinker.countAccesses()));
  for (ForOp points : sinker.getPoints()) {
    OpFoldResult extent = points.getMixedExtent();
    if (auto value = dyn_cast<Value>(extent)) {
      auto argument = dyn_cast<BlockArgument>(value);
      if (!argument || argument.getOwner() != launch.getBodyBlock()) {
        launch->erase();
        return false;
      }
      extent = launch.getOperandOf(argument).get();
    }
    bytes = arith::MulIOp::create(
        b, loc, bytes, getValueOrCreateConstantIndexOp(b, loc, extent));
  }
  Value most = arith::ConstantIndexOp::create(
      b, loc, device.getInteger("cache_bytes", 1 << 20));
  Value many =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, bytes, most);
  auto branch = scf::IfOp::create(b, loc, many, /*withElseRegion=*/true);
  finish();
  launch->moveBefore(branch.thenBlock()->getTerminator());
  loop->moveBefore(branch.elseBlock()->getTerminator());
  return true;
}

namespace {
struct SinkStepsPass
    : public arrc::kernel::impl::SinkStepsPassBase<SinkStepsPass> {
  void runOnOperation() override {
    DeviceAttr device = DeviceAttr::get(getOperation());
    if (!device)
      device = makeDevice(&getContext(), "cpu");
    auto options =
        remark::RemarkOpts::name("Sink").category("kernel-sink-steps");
    SmallVector<IterateOp> loops;
    getOperation().walk([&](IterateOp loop) { loops.push_back(loop); });
    unsigned number = 0;
    for (IterateOp loop : loops) {
      Location place = loop.getLoc();
      std::string name =
          (getOperation().getName() + "_rows_" + Twine(number)).str();
      if (!sink(loop, name, device))
        continue;
      ++number;
      remark::passed(place, options)
          << remark::add("steps run one after the other at each point");
    }
  }
};
} // namespace
