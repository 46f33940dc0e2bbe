//===- Coalescing.cpp - How lanes walk memory -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/Coalescing.h"

#include "arrc/Support/StoredBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <set>

using namespace mlir;
using namespace arrc;
using kernel::ForOp;

//===----------------------------------------------------------------------===//
// One loop
//===----------------------------------------------------------------------===//

Variation::Variation(ForOp loop, bool ofVectors) : ofVectors(ofVectors) {
  varying.insert(loop.getInductionVar());
  walk(*loop.getBodyBlock());
}

bool Variation::anyOf(ValueRange values) const {
  return llvm::any_of(values, [&](Value value) { return contains(value); });
}

bool Variation::add(ValueRange to, ValueRange from, bool all) {
  bool isNew = false;
  for (auto [target, source] : llvm::zip_equal(to, from))
    isNew |= (all || contains(source)) && varying.insert(target).second;
  return isNew;
}

void Variation::walk(Block &block) {
  for (Operation &op : block) {
    bool found = llvm::TypeSwitch<Operation *, bool>(&op)
                     .Case<ForOp, scf::ForOp, scf::WhileOp, scf::IfOp>(
                         [&](auto inner) { return walk(inner), true; })
                     .Default(false);
    if (found)
      continue;
    bool varies =
        (ofVectors && isa<kernel::PrefixOp>(op)) || anyOf(op.getOperands());
    if (op.getNumRegions() && !isa<kernel::UpdateOp>(op)) {
      sameBranches &= !varies;
      for (Region &region : op.getRegions())
        for (Block &inside : region) {
          if (varies)
            varying.insert(inside.args_begin(), inside.args_end());
          walk(inside);
          varies |= anyOf(inside.getTerminator()->getOperands());
        }
    }
    if (varies)
      varying.insert(op.result_begin(), op.result_end());
  }
}

void Variation::walk(ForOp loop) {
  bool differs = loop.getExtent() && contains(loop.getExtent());
  sameExtents &= !differs;
  walk(*loop.getBodyBlock());
  if (ofVectors || differs || anyOf(loop.getOperands()) ||
      anyOf(loop.getBodyBlock()->getTerminator()->getOperands()))
    varying.insert(loop->result_begin(), loop->result_end());
}

void Variation::walk(scf::ForOp loop) {
  bool begins = contains(loop.getLowerBound()) || contains(loop.getStep());
  bool differs = begins || contains(loop.getUpperBound());
  sameBranches &= !differs;
  if (begins)
    varying.insert(loop.getInductionVar());
  add(loop.getRegionIterArgs(), loop.getInitArgs());
  do
    walk(*loop.getBody());
  while (add(loop.getRegionIterArgs(), loop.getYieldedValues()));
  add(loop.getResults(), loop.getRegionIterArgs(), differs);
}

void Variation::walk(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  add(loop.getBeforeArguments(), loop.getInits());
  do {
    walk(*loop.getBeforeBody());
    add(loop.getAfterArguments(), condition.getArgs());
    walk(*loop.getAfterBody());
  } while (add(loop.getBeforeArguments(), loop.getYieldOp().getOperands()));
  bool differs = contains(condition.getCondition());
  sameBranches &= !differs;
  add(loop.getResults(), condition.getArgs(), differs);
}

void Variation::walk(scf::IfOp branch) {
  bool differs = contains(branch.getCondition());
  sameBranches &= !differs;
  for (Region *side : branch.getRegions())
    if (!side->empty()) {
      walk(side->front());
      add(branch.getResults(), side->front().getTerminator()->getOperands(),
          differs);
    }
}

LaneStep arrc::getLaneStep(const Access &access, ForOp loop,
                           const Variation &variation) {
  auto type = cast<MemRefType>(access.array.getType());
  LaneStep step;
  for (auto [dim, form] : llvm::enumerate(access.indices))
    for (auto [value, factor] : form.getTerms()) {
      if (!variation.contains(value))
        continue;
      bool last = dim == access.indices.size() - 1;
      if (value != loop.getInductionVar() || !last || std::abs(factor) != 1 ||
          !type.isLastDimUnitStride())
        return {LaneStep::Elsewhere, 0};
      step = {LaneStep::Next, factor};
    }
  return step;
}

//===----------------------------------------------------------------------===//
// A launch
//===----------------------------------------------------------------------===//

/// Bytes of a sector, and lanes of a request.
static constexpr int64_t kSector = 32, kLanes = 32;

SmallVector<ForOp> arrc::getLoopsAround(Operation *op) {
  SmallVector<ForOp> loops;
  for (auto loop = op->getParentOfType<ForOp>(); loop;
       loop = loop->getParentOfType<ForOp>())
    loops.push_back(loop);
  return loops;
}

namespace {
/// A dimension of the lanes.
struct Axis {
  ForOp loop;
  int64_t extent;
};
} // namespace

/// The loops whose iterations are lanes, the fastest first.
static SmallVector<Axis> findAxes(ArrayRef<ForOp> around) {
  SmallVector<Axis> axes;
  auto add = [&](ForOp loop) {
    std::optional<int64_t> extent = loop.getStaticExtent();
    axes.push_back({loop, extent ? *extent : kLanes});
  };
  for (kernel::LevelKind kind :
       {kernel::LevelKind::Thread, kernel::LevelKind::Vector}) {
    for (ForOp loop : around)
      if (loop.getLevelAttr() && loop.getLevelKind() == kind)
        add(loop);
    if (!axes.empty())
      break;
  }
  llvm::sort(axes, [](const Axis &a, const Axis &b) {
    ForOp x = a.loop, y = b.loop;
    return x.getLevelAttr().getAxis() < y.getLevelAttr().getAxis();
  });
  if (axes.empty() && !around.empty())
    axes.push_back({around.front(), kLanes});
  return axes;
}

namespace {
/// How far an access goes for a step of a loop.
struct Distance {
  /// Elements in the last dimension.
  int64_t elements = 0;
  /// Steps in the others, whose sizes need not be numbers.
  SmallVector<int64_t> rows;
  bool isZero() const {
    return elements == 0 && llvm::all_of(rows, [](int64_t r) { return !r; });
  }
};
} // namespace

static Distance getDistance(const Access &access, Value index) {
  Distance distance;
  auto type = cast<MemRefType>(access.array.getType());
  int64_t pitch = 1;
  // Inner sizes that are numbers make one distance.
  for (int64_t dim = access.indices.size() - 1; dim >= 0; --dim) {
    int64_t factor = access.indices[dim].getCoefficient(index);
    if (pitch > 0)
      distance.elements += factor * pitch;
    else
      distance.rows.push_back(factor);
    pitch =
        pitch > 0 && !type.isDynamicDim(dim) ? pitch * type.getDimSize(dim) : 0;
  }
  return distance;
}

/// Whether a value decides the place that is neither an index of a loop around
/// nor the same for all lanes.
static bool isGather(const Access &access, ArrayRef<Axis> axes) {
  if (axes.empty())
    return false;
  // The outermost axis holds all lanes.
  ForOp outer = axes.front().loop;
  for (const Axis &axis : axes)
    if (axis.loop->isProperAncestor(outer))
      outer = axis.loop;
  Variation variation(outer);
  for (const LinearIndex &form : access.indices)
    for (auto [value, factor] : form.getTerms()) {
      auto argument = dyn_cast<BlockArgument>(value);
      bool isIndex = argument &&
                     isa<ForOp, scf::ForOp>(argument.getOwner()->getParentOp());
      if (!isIndex && variation.contains(value))
        return true;
    }
  return false;
}

static LaneAccess analyze(const Access &access) {
  LaneAccess result(access);
  SmallVector<ForOp> around = getLoopsAround(access.op);
  SmallVector<Axis> axes = findAxes(around);
  int64_t bytes =
      getStoredBytes(cast<MemRefType>(access.array.getType()).getElementType());
  // Neighbours that one lane takes: a vector loop below the threads.
  bool onThreads =
      !axes.empty() && axes.front().loop.getLevelAttr() &&
      axes.front().loop.getLevelKind() == kernel::LevelKind::Thread;
  if (onThreads)
    for (ForOp loop : around)
      if (loop.getLevelAttr() &&
          loop.getLevelKind() == kernel::LevelKind::Vector &&
          loop.getStaticExtent()) {
        Distance distance = getDistance(access, loop.getInductionVar());
        if (distance.elements == 1 &&
            llvm::all_of(distance.rows, [](int64_t r) { return !r; }))
          result.vector *= *loop.getStaticExtent();
      }

  if (isGather(access, axes)) {
    result.kind = LaneAccess::Gather;
    result.sectors = kLanes * llvm::divideCeil(bytes * result.vector, kSector);
    result.fewestSectors =
        llvm::divideCeil(kLanes * bytes * result.vector, kSector);
    result.isAligned = false;
    return result;
  }
  // The places of all lanes: rows of unknown size are far from each other.
  std::set<std::pair<SmallVector<int64_t>, int64_t>> sectors, elements;
  SmallVector<Distance> distances;
  for (Axis &axis : axes)
    distances.push_back(getDistance(access, axis.loop.getInductionVar()));
  int64_t lanes = 1, lowest = 0;
  for (auto [axis, distance] : llvm::zip(axes, distances)) {
    lanes *= axis.extent;
    // What runs backwards begins at its last lane.
    lowest += std::min<int64_t>(0, distance.elements) *
              (std::min(axis.extent, kLanes) - 1);
  }
  for (int64_t lane = 0, e = std::min(lanes, kLanes); lane < e; ++lane) {
    SmallVector<int64_t> rows(access.indices.size());
    int64_t place = 0, rest = lane;
    for (auto [axis, distance] : llvm::zip(axes, distances)) {
      int64_t digit = rest % axis.extent;
      rest /= axis.extent;
      place += digit * distance.elements;
      for (auto [row, step] : llvm::zip(rows, distance.rows))
        row += digit * step;
    }
    for (int64_t k = 0; k < result.vector; ++k) {
      elements.insert({rows, place + k});
      sectors.insert({rows, (place + k - lowest) * bytes / kSector});
    }
  }
  result.sectors = sectors.size();
  result.fewestSectors =
      llvm::divideCeil(int64_t(elements.size()) * bytes, kSector);
  Distance first = distances.empty() ? Distance() : distances.front();
  bool inOneRow = llvm::all_of(first.rows, [](int64_t r) { return r == 0; });
  if (inOneRow)
    result.stride = first.elements;
  if (elements.size() <= size_t(result.vector))
    result.kind = LaneAccess::Broadcast;
  else if (inOneRow && std::abs(first.elements) == result.vector)
    result.kind = LaneAccess::Contiguous;
  else
    result.kind = LaneAccess::Strided;
  // A constant in the last index moves all lanes.
  int64_t shift =
      access.indices.empty() ? 0 : access.indices.back().getConstant();
  auto type = cast<MemRefType>(access.array.getType());
  int64_t pitch = type.getRank() > 1 ? type.getShape().back() : 0;
  result.isAligned =
      shift % std::max<int64_t>(result.vector, 1) == 0 &&
      (result.vector == 1 || type.getRank() < 2 ||
       (!ShapedType::isDynamic(pitch) && pitch % result.vector == 0));
  return result;
}

int64_t arrc::countSectors(int64_t stride, int64_t elementBytes) {
  std::set<int64_t> sectors;
  for (int64_t lane = 0; lane < kLanes; ++lane)
    for (int64_t byte : {int64_t(0), elementBytes - 1})
      sectors.insert((lane * stride * elementBytes + byte) / kSector);
  return sectors.size();
}

Coalescing::Coalescing(kernel::LaunchOp launch) {
  AccessPattern pattern(launch);
  for (const Access &access : pattern.getAccesses())
    // What lives on chip is not walked.
    if (!access.array.getDefiningOp<kernel::LocalOp>())
      accesses.push_back(analyze(access));
}

StringRef arrc::getName(LaneAccess::Kind kind) {
  switch (kind) {
  case LaneAccess::Broadcast:
    return "broadcast";
  case LaneAccess::Contiguous:
    return "contiguous";
  case LaneAccess::Strided:
    return "strided";
  case LaneAccess::Gather:
    return "gather";
  }
  llvm_unreachable("no such kind");
}

bool arrc::isComplexInLanes(Operation *op) {
  return isa<complex::ReOp, complex::ImOp, complex::CreateOp, complex::AddOp,
             complex::SubOp, complex::NegOp, arith::SelectOp>(op);
}
