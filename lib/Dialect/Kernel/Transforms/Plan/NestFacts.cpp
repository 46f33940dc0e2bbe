//===- NestFacts.cpp - What a schedule has to know of a nest --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "NestFacts.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Analysis/Coalescing.h"
#include "arrc/Analysis/CostModel.h"
#include "arrc/Support/StoredBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

int64_t arrc::kernel::evaluate(AffineExpr expr, ArrayRef<int64_t> symbols) {
  if (auto number = dyn_cast<AffineConstantExpr>(expr))
    return number.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t lhs = evaluate(binary.getLHS(), symbols),
          rhs = evaluate(binary.getRHS(), symbols);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::Mod:
    return llvm::mod(lhs, rhs);
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(lhs, rhs);
  default:
    return llvm::divideCeilSigned(lhs, rhs);
  }
}

/// Where elements are that lie anywhere: far from each other.
static constexpr double kFar = 1 << 14;
/// How far from the first tap others of a window are.
static constexpr int64_t kNeighbours = 128;

NestNumbers::NestNumbers(const NestFacts &facts, ArrayRef<int64_t> symbols) {
  for (const NestDim &dim : facts.dims)
    extents.push_back(std::max<int64_t>(evaluate(dim.size, symbols), 1));
  for (const NestAccess &access : facts.accesses) {
    auto &mine = steps.emplace_back();
    for (const NestStep &step : access.steps)
      mine.push_back(step.kind == NestStep::Same ? 0
                     : step.kind == NestStep::Any
                         ? kFar
                         : double(evaluate(step.elements, symbols)));
  }
}

void NestFacts::addWork(const llvm::SmallBitVector &dims, int64_t more,
                        int64_t functions) {
  work += more;
  special += functions;
  auto *found = llvm::find_if(
      parts, [&](const NestWork &part) { return part.dims == dims; });
  if (found == parts.end())
    found = &parts.emplace_back(NestWork{dims});
  found->work += more;
  found->special += functions;
}

bool NestAccess::isNext(unsigned dim) const {
  const NestStep &step = steps[dim];
  auto number = step.kind == NestStep::Fixed
                    ? dyn_cast<AffineConstantExpr>(step.elements)
                    : AffineConstantExpr();
  return number && std::abs(number.getValue()) == 1;
}

bool NestFacts::streams() const {
  return llvm::any_of(accesses, [](const NestAccess &access) {
    return !access.writes &&
           llvm::none_of(access.steps, [](const NestStep &step) {
             return step.kind == NestStep::Same;
           });
  });
}

bool NestFacts::readsNeighbours(unsigned dim) const {
  return llvm::any_of(accesses, [&](const NestAccess &access) {
    return access.taps && access.taps->getReach(dim) > 0;
  });
}

bool NestFacts::hasWindows() const {
  for (unsigned dim = 0; dim < dims.size(); ++dim)
    if (readsNeighbours(dim))
      return true;
  return false;
}

/// Elements from one row of dimension `dim` of `array` to the next; null if not
/// known.
static AffineExpr
getPitch(LaunchOp launch, BlockArgument array, unsigned dim,
         llvm::function_ref<AffineExpr(OpFoldResult)> getSize) {
  auto type = cast<MemRefType>(array.getType());
  if (!type.getLayout().isIdentity())
    return {};
  AffineExpr pitch = getAffineConstantExpr(1, launch.getContext());
  for (unsigned d = dim + 1; d < type.getRank(); ++d) {
    AffineExpr size = getSize(launch.getSize(array, d));
    if (!size)
      return {};
    pitch = pitch * size;
  }
  return pitch;
}

/// The taps of a window that begin with `first`.
static std::shared_ptr<NestTaps> beginTaps(const Access &first,
                                           ArrayRef<ForOp> loops) {
  SmallVector<NestTaps::Place, 4> moves;
  for (ForOp loop : loops) {
    NestTaps::Place &move = moves.emplace_back();
    for (const LinearIndex &index : first.indices)
      move.push_back(index.getCoefficient(loop.getInductionVar()));
  }
  return std::make_shared<NestTaps>(std::move(moves));
}

/// Whether `op` is a product that becomes one instruction with the sum that it
/// is for.
static bool isPartOfSum(Operation *op) {
  auto product = dyn_cast<arith::MulFOp>(op);
  if (!product || !op->hasOneUse() ||
      !bitEnumContainsAll(product.getFastmath(),
                          arith::FastMathFlags::contract))
    return false;
  return isa<arith::AddFOp, arith::SubFOp>(*op->user_begin());
}

/// The access, by `ofAccess`, that the only operand of `op` comes from which is
/// no constant.
static std::optional<unsigned>
findOnlyAccess(Operation *op, const llvm::DenseMap<Value, unsigned> &ofAccess) {
  std::optional<unsigned> only;
  for (Value operand : op->getOperands()) {
    if (operand.getDefiningOp() &&
        operand.getDefiningOp()->hasTrait<OpTrait::ConstantLike>())
      continue;
    auto found = ofAccess.find(operand);
    if (found == ofAccess.end() || only)
      return std::nullopt;
    only = found->second;
  }
  return op->getNumResults() == 1 ? only : std::nullopt;
}

namespace {

/// Reads the facts of one nest.
class FactsReader {
public:
  FactsReader(ArrayRef<ForOp> loops,
              llvm::function_ref<AffineExpr(OpFoldResult)> getSize)
      : loops(loops), launch(ForOp(loops.back())->getParentOfType<LaunchOp>()),
        getSize(getSize), pattern(AccessPattern::getMostly(loops.front())) {
    for (ForOp loop : loops)
      variations.emplace_back(loop);
  }

  bool addDims();
  void addAccesses();
  void addWork();

  NestFacts facts;

private:
  /// Makes `access` a tap of a window that began before, if it is one.
  bool joinWindow(const Access &access);
  NestAccess describe(const Access &access) const;

  SmallVector<ForOp> loops;
  LaunchOp launch;
  llvm::function_ref<AffineExpr(OpFoldResult)> getSize;
  SmallVector<Variation> variations;
  AccessPattern pattern;
  /// The first tap of each access, and the others of those that have some.
  SmallVector<const Access *> firsts;
  SmallVector<std::shared_ptr<NestTaps>> windows;
  /// Which access a value comes from.
  llvm::DenseMap<Value, unsigned> ofAccess;
};

} // namespace

bool FactsReader::addDims() {
  for (ForOp loop : loops) {
    std::optional<int64_t> extent = loop.getStaticExtent();
    AffineExpr size = extent ? getAffineConstantExpr(*extent, loop.getContext())
                             : getSize(loop.getExtent());
    if (!size)
      return false;
    facts.dims.push_back({loop, size, loop.isReduce()});
  }
  return true;
}

bool FactsReader::joinWindow(const Access &access) {
  auto isNear = [](int64_t distance) {
    return std::abs(distance) <= kNeighbours;
  };
  for (auto [number, first] : llvm::enumerate(firsts)) {
    std::optional<NestTaps::Place> place = findDistance(access, *first);
    if (!place || !llvm::all_of(*place, isNear))
      continue;
    std::shared_ptr<NestTaps> &taps = windows[number];
    if (!taps)
      taps = beginTaps(*first, loops);
    taps->add(std::move(*place));
    ofAccess[access.op->getResult(0)] = number;
    return true;
  }
  return false;
}

NestAccess FactsReader::describe(const Access &access) const {
  NestAccess found;
  auto array = cast<BlockArgument>(access.array);
  found.bytes =
      getStoredBytes(cast<MemRefType>(array.getType()).getElementType());
  found.writes = access.writes;
  if (!access.indices.empty())
    found.start = access.indices.back().getConstant();
  if (auto load = dyn_cast<LoadOp>(access.op); load && load.getEdge())
    found.hasEnds = load.getEdge()->getModes().back() != EdgeMode::None;
  for (auto [loop, variation] : llvm::zip(loops, variations)) {
    NestStep step;
    AffineExpr elements = getAffineConstantExpr(0, ForOp(loop).getContext());
    for (auto [dim, index] : llvm::enumerate(access.indices))
      for (auto [value, factor] : index.getTerms()) {
        if (!variation.contains(value))
          continue;
        AffineExpr pitch = getPitch(launch, array, dim, getSize);
        if (value != ForOp(loop).getInductionVar() || !pitch) {
          step.kind = NestStep::Any;
          continue;
        }
        elements = elements + pitch * factor;
        if (step.kind == NestStep::Same)
          step.kind = NestStep::Fixed;
      }
    step.elements = elements;
    found.steps.push_back(step);
  }
  return found;
}

void FactsReader::addAccesses() {
  for (const Access &access : pattern.getAccesses()) {
    auto type = cast<MemRefType>(access.array.getType());
    if (!isa<BlockArgument>(access.array) || !type.getRank() ||
        joinWindow(access))
      continue;
    if (!access.writes)
      ofAccess[access.op->getResult(0)] = firsts.size();
    firsts.push_back(&access);
    windows.emplace_back();
    facts.accesses.push_back(describe(access));
  }
  for (auto [access, taps] : llvm::zip(facts.accesses, windows)) {
    if (taps && taps->size() > 1)
      access.taps = std::move(taps);
    else if (!access.writes)
      facts.loadWords += std::max(access.bytes / 4.0, 1.0);
  }
}

void FactsReader::addWork() {
  ForOp(loops.back()).getBody().walk([&](Operation *op) {
    int64_t work = isPartOfSum(op) ? 0 : std::max<int64_t>(getWork(op), 0);
    if (!work)
      return;
    // What is done with an element of a window alone is done once.
    if (std::optional<unsigned> number = findOnlyAccess(op, ofAccess))
      if (NestAccess &access = facts.accesses[*number]; access.taps) {
        ofAccess[op->getResult(0)] = *number;
        access.tapWork += double(work) / access.taps->size();
        return;
      }
    llvm::SmallBitVector dims(loops.size());
    for (auto [dim, variation] : llvm::enumerate(variations))
      if (llvm::any_of(op->getResults(), [&](Value result) {
            return variation.contains(result);
          }))
        dims.set(dim);
    facts.addWork(dims, work, isSpecialFunction(op));
  });
}

std::optional<NestFacts> arrc::kernel::computeNestFacts(
    ArrayRef<ForOp> nest, ArrayRef<ForOp> folds,
    llvm::function_ref<AffineExpr(OpFoldResult)> getSize) {
  SmallVector<ForOp> loops(nest);
  llvm::append_range(loops, folds);
  FactsReader reader(loops, getSize);
  if (!reader.addDims())
    return std::nullopt;
  reader.addAccesses();
  reader.addWork();
  NestFacts &facts = reader.facts;
  if (!folds.empty()) {
    for (Type type : ForOp(folds.front()).getResultTypes())
      facts.carried += getStoredBytes(type);
    facts.addWork(llvm::SmallBitVector(loops.size(), true), 1, 0);
  }
  return std::move(facts);
}
