//===- IndexWidth.cpp - Kernels that count in 32 bits ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Indices of 32 bits save a third of the instructions of a simple kernel. An
// interval for every index value is computed from the intervals of the index
// arguments, which the host checks: sizes are below 2^31 - 2^24, so that the
// rest of a last tile fits as well. The position of an element in its array
// needs no proof: it is right modulo 2^32 and below the number of elements; nor
// does a number of 64 bits that is an index of accesses and nothing else.
//
// The same intervals say which sums and products of places do not overflow, in
// either width. Those of loops and sizes do not; what a program computes of its
// own numbers, or reads, wraps as all its integers do.
//
//===----------------------------------------------------------------------===//

#include "IndexWidth.h"
#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Support/IndexLimits.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

using namespace mlir;
using namespace arrc;

/// Limit of sizes, and of what is added to an index.
static constexpr int64_t mostElements = (int64_t(1) << 31) - (1 << 24);
static constexpr int64_t smallNumber = int64_t(1) << 22;

namespace {
/// An interval with both ends; additions and products stop at the ends of 64
/// bits.
struct Interval {
  int64_t least, most;
};

class Ranges {
public:
  Ranges(kernel::LaunchOp launch, const IndexLimits &limits, unsigned bits);
  /// Whether every index fits in 32 bits.
  bool allFit() const { return fit; }
  /// The places of which a sum or a product may leave the width.
  WrappingPlaces takeWrapping() { return std::move(wrapping); }

private:
  void visit(Operation *op);
  void set(Value value, ConstantIntRanges range);
  void setAny(Value value);
  void set(Value value, int64_t least, int64_t most);
  ConstantIntRanges get(Value value);
  Interval evaluate(affine::AffineApplyOp place);
  Interval refine(const LinearIndex &form, Interval known);
  bool fits(Interval interval) const {
    return interval.least >= llvm::minIntN(bits) &&
           interval.most <= llvm::maxIntN(bits);
  }
  std::optional<int64_t> getBound(LinearIndex form, bool upper);
  std::optional<int64_t> getMostFirst(arith::MulIOp first);
  void visitFold(kernel::ForOp loop);

  llvm::DenseMap<Value, ConstantIntRanges> ranges;
  WrappingPlaces wrapping;
  unsigned bits;
  bool fit = true;
};
} // namespace

static unsigned getWidth(Type type) {
  return ConstantIntRanges::getStorageBitwidth(type);
}

/// Whether `value` only says where elements are. That is right modulo 2^32.
static bool isOnlyPlace(Value value) {
  return isa_and_nonnull<arith::IndexCastOp, arith::IndexCastUIOp>(
             value.getDefiningOp()) &&
         llvm::all_of(value.getUses(), [](OpOperand &use) {
           if (auto load = dyn_cast<kernel::LoadOp>(use.getOwner()))
             return !load.getEdge();
           auto store = dyn_cast<kernel::StoreOp>(use.getOwner());
           return store && use.get() != store.getValue();
         });
}

void Ranges::set(Value value, ConstantIntRanges range) {
  if (value.getType().isIndex() && !isOnlyPlace(value))
    fit &= range.smin().sge(INT32_MIN) && range.smax().sle(INT32_MAX);
  ranges.erase(value);
  ranges.try_emplace(value, range);
}

void Ranges::set(Value value, int64_t least, int64_t most) {
  unsigned width = getWidth(value.getType());
  set(value, ConstantIntRanges::fromSigned(APInt(width, least, true),
                                           APInt(width, most, true)));
}

void Ranges::setAny(Value value) {
  if (unsigned width = getWidth(value.getType()))
    set(value, ConstantIntRanges::maxRange(width));
}

ConstantIntRanges Ranges::get(Value value) {
  auto it = ranges.find(value);
  return it != ranges.end()
             ? it->second
             : ConstantIntRanges::maxRange(getWidth(value.getType()));
}

static std::optional<Interval> combine(AffineExprKind kind, Interval lhs,
                                       Interval rhs) {
  Interval result;
  switch (kind) {
  case AffineExprKind::Add:
    if (__builtin_add_overflow(lhs.least, rhs.least, &result.least) ||
        __builtin_add_overflow(lhs.most, rhs.most, &result.most))
      return std::nullopt;
    return result;
  case AffineExprKind::Mul: {
    int64_t corners[4];
    if (__builtin_mul_overflow(lhs.least, rhs.least, &corners[0]) ||
        __builtin_mul_overflow(lhs.least, rhs.most, &corners[1]) ||
        __builtin_mul_overflow(lhs.most, rhs.least, &corners[2]) ||
        __builtin_mul_overflow(lhs.most, rhs.most, &corners[3]))
      return std::nullopt;
    return Interval{*std::min_element(corners, corners + 4),
                    *std::max_element(corners, corners + 4)};
  }
  case AffineExprKind::Mod:
    if (rhs.least <= 0)
      return std::nullopt;
    return Interval{0, rhs.most - 1};
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv: {
    if (rhs.least <= 0 || lhs.least == INT64_MIN)
      return std::nullopt;
    auto divide = [&](int64_t value, int64_t by) {
      return kind == AffineExprKind::FloorDiv
                 ? llvm::divideFloorSigned(value, by)
                 : llvm::divideCeilSigned(value, by);
    };
    return Interval{divide(lhs.least, lhs.least < 0 ? rhs.least : rhs.most),
                    divide(lhs.most, lhs.most < 0 ? rhs.most : rhs.least)};
  }
  default:
    return std::nullopt;
  }
}

/// What `place` can be. Notes whether a sum or a product in it may leave the
/// width: that does no harm where the rest is sums and products as well, but a
/// quotient would be another.
Interval Ranges::evaluate(affine::AffineApplyOp place) {
  AffineMap map = place.getAffineMap();
  SmallVector<Interval> values;
  SmallVector<LinearIndex> forms;
  for (Value operand : place.getOperands()) {
    ConstantIntRanges range = get(operand);
    values.push_back(
        {range.smin().getSExtValue(), range.smax().getSExtValue()});
    forms.emplace_back(operand);
  }
  bool wraps = false;
  auto visit = [&](auto &self, AffineExpr expr) -> Interval {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return {constant.getValue(), constant.getValue()};
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      return values[dim.getPosition()];
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
      return values[map.getNumDims() + symbol.getPosition()];
    auto parts = cast<AffineBinaryOpExpr>(expr);
    bool isDivision = expr.getKind() != AffineExprKind::Add &&
                      expr.getKind() != AffineExprKind::Mul;
    bool wrapsAround = std::exchange(wraps, false);
    Interval lhs = self(self, parts.getLHS());
    Interval rhs = self(self, parts.getRHS());
    if (isDivision)
      fit &= !wraps;
    wraps |= wrapsAround;
    std::optional<Interval> exact = combine(expr.getKind(), lhs, rhs);
    Interval result = exact.value_or(Interval{INT64_MIN, INT64_MAX});
    // What the form says of the value is said of the sum itself if that cannot
    // leave 64 bits.
    if (!isDivision && !(exact && fits(*exact)))
      if (auto form = LinearIndex::ofExpr(expr, map.getNumDims(), forms))
        result = refine(*form, result);
    wraps |= !isDivision && !(exact && fits(result));
    return result;
  };
  Interval result = visit(visit, map.getResult(0));
  if (wraps)
    wrapping.insert(place);
  return refine(LinearIndex(place.getResult()), result);
}

/// The least or the most that `form` can be: the index of a loop is 0 at least
/// and one less than its extent at most, where it counts with what else there
/// is (`iv + s` in a loop of `n - s` iterations is below `n`).
std::optional<int64_t> Ranges::getBound(LinearIndex form, bool upper) {
  for (int round = 0; round < 8; ++round) {
    bool changed = false;
    for (auto [value, coefficient] :
         SmallVector<LinearIndex::Term>(form.getTerms())) {
      auto argument = dyn_cast<BlockArgument>(value);
      auto loop =
          argument ? dyn_cast<kernel::ForOp>(argument.getOwner()->getParentOp())
                   : kernel::ForOp();
      if (!loop || loop.getInductionVar() != value)
        continue;
      LinearIndex end(0);
      if ((coefficient > 0) == upper) {
        Value extent = loop.getExtent();
        if (extent)
          // Inside the loop it is positive.
          if (auto most = extent.getDefiningOp<arith::MaxSIOp>())
            if (getConstantIntValue(most.getRhs()) == 0)
              extent = most.getLhs();
        end =
            extent ? LinearIndex(extent) : LinearIndex(*loop.getStaticExtent());
        end.add(LinearIndex(1), -1);
      }
      LinearIndex next = form;
      next.add(LinearIndex::ofValue(value), -coefficient);
      next.add(end, coefficient);
      form = next;
      changed = true;
    }
    if (!changed)
      break;
  }
  int64_t sum = form.getConstant();
  for (auto [value, coefficient] : form.getTerms()) {
    ConstantIntRanges range = get(value);
    int64_t end = (coefficient > 0) == upper ? range.smax().getSExtValue()
                                             : range.smin().getSExtValue();
    int64_t part;
    if (__builtin_mul_overflow(end, coefficient, &part) ||
        __builtin_add_overflow(sum, part, &sum))
      return std::nullopt;
  }
  return sum;
}

/// The most that the first index of a tile can be, where `first` is the number
/// of one of `n / s` tiles times `s`.
std::optional<int64_t> Ranges::getMostFirst(arith::MulIOp first) {
  auto argument = dyn_cast<BlockArgument>(first.getLhs());
  auto loop = argument
                  ? dyn_cast<kernel::ForOp>(argument.getOwner()->getParentOp())
                  : kernel::ForOp();
  if (!loop || loop.getInductionVar() != first.getLhs() || !loop.getExtent())
    return std::nullopt;
  auto count = loop.getExtent().getDefiningOp<arith::DivUIOp>();
  if (!count || count.getRhs() != first.getRhs() ||
      get(count.getLhs()).smin().isNegative())
    return std::nullopt;
  return get(count.getLhs()).smax().getSExtValue() - 1;
}

/// What is known of a value of this form; a form that may leave 64 bits at one
/// end may come back at the other.
Interval Ranges::refine(const LinearIndex &form, Interval known) {
  auto least = getBound(form, /*upper=*/false);
  auto most = getBound(form, /*upper=*/true);
  if (!least || !most)
    return known;
  known.least = std::max(known.least, *least);
  known.most = std::min(known.most, *most);
  // Both hold in every iteration; without one anything does.
  known.most = std::max(known.least, known.most);
  return known;
}

/// What comes out of a fold: the seeds, what is yielded, and what the operator
/// makes of them if that is nothing new.
void Ranges::visitFold(kernel::ForOp loop) {
  if (!loop.isReduce())
    return;
  ValueRange yielded = loop.getYield().getValues(), seeds = loop.getSeeds();
  Block &combiner = loop.getCombiner().front();
  SmallVector<std::optional<ConstantIntRanges>> folded;
  for (auto [seed, value] : llvm::zip(seeds, yielded))
    folded.push_back(seed.getType().isIntOrIndex()
                         ? std::optional(get(seed).rangeUnion(get(value)))
                         : std::nullopt);
  // A trial: only what is found in the last round counts.
  bool before = fit;
  for (int round = 0; round < 3; ++round) {
    fit = before;
    for (auto [number, range] : llvm::enumerate(folded))
      if (range) {
        set(combiner.getArgument(number), *range);
        set(combiner.getArgument(folded.size() + number), *range);
      }
    combiner.walk([&](Operation *op) { visit(op); });
    bool same = true;
    for (auto [range, value] :
         llvm::zip(folded, combiner.getTerminator()->getOperands())) {
      if (!range)
        continue;
      ConstantIntRanges all = range->rangeUnion(get(value));
      same &= all == *range;
      range = round < 1 ? all
              : same ? *range
                     : ConstantIntRanges::maxRange(getWidth(value.getType()));
    }
    if (same)
      break;
  }
  for (auto [range, result] : llvm::zip(folded, loop.getResults()))
    if (range)
      set(result, *range);
}

void Ranges::visit(Operation *op) {
  auto getLast = [&](Value extent) {
    return std::max(get(extent).smax().getSExtValue(), INT64_MIN + 1) - 1;
  };
  if (auto loop = dyn_cast<kernel::ForOp>(op)) {
    int64_t most = loop.getExtent() ? getLast(loop.getExtent())
                                    : *loop.getStaticExtent() - 1;
    set(loop.getInductionVar(), 0, std::clamp<int64_t>(most, 0, maxIndex - 1));
    if (loop.isScan()) // what comes out may be a sum of anything
      llvm::for_each(loop.getResults(), [&](Value v) { setAny(v); });
    return;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    int64_t least = get(loop.getLowerBound()).smin().getSExtValue();
    set(loop.getInductionVar(), least,
        std::max(least, getLast(loop.getUpperBound())));
    llvm::for_each(loop.getRegionIterArgs(), [&](Value v) { setAny(v); });
    llvm::for_each(loop.getResults(), [&](Value v) { setAny(v); });
    return;
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    Interval value = evaluate(apply);
    return set(apply.getResult(), value.least, value.most);
  }
  if (auto first = dyn_cast<arith::MulIOp>(op))
    if (std::optional<int64_t> most = getMostFirst(first))
      return set(first, 0, std::max<int64_t>(*most, 0));
  if (isa<arith::AddIOp, arith::SubIOp>(op) &&
      op->getResult(0).getType().isIndex()) {
    Interval value =
        refine(LinearIndex(op->getResult(0)), {INT64_MIN, INT64_MAX});
    return set(op->getResult(0), value.least, value.most);
  }
  if (isa<kernel::YieldOp>(op)) {
    auto loop = dyn_cast<kernel::ForOp>(op->getParentOp());
    if (loop && op->getParentRegion() == &loop.getBody())
      visitFold(loop);
    return;
  }
  if (auto infer = dyn_cast<InferIntRangeInterface>(op)) {
    // Operations on floats among them have no range to give.
    bool integers = llvm::all_of(op->getOperandTypes(),
                                 [](Type type) { return type.isIntOrIndex(); });
    if (integers) {
      SmallVector<ConstantIntRanges> operands;
      for (Value operand : op->getOperands())
        operands.push_back(get(operand));
      llvm::for_each(op->getResults(), [&](Value v) {
        if (v.getType().isIntOrIndex())
          ranges.try_emplace(
              v, ConstantIntRanges::maxRange(getWidth(v.getType())));
      });
      infer.inferResultRanges(
          operands, [&](Value v, const ConstantIntRanges &r) { set(v, r); });
      return;
    }
  }
  for (Region &region : op->getRegions())
    for (Value argument : region.getArguments())
      if (argument.getType().isIntOrIndex())
        setAny(argument);
  for (Value result : op->getResults())
    if (result.getType().isIntOrIndex())
      setAny(result);
}

Ranges::Ranges(kernel::LaunchOp launch, const IndexLimits &limits,
               unsigned bits)
    : bits(bits) {
  for (const IndexLimits::Argument &argument : limits.arguments)
    set(launch.getArgument(argument.number), argument.least, argument.most);
  launch.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    // Operators are looked at when it is known what they combine.
    if (auto loop = dyn_cast<kernel::ForOp>(op->getParentOp()))
      if (op->getParentRegion() == &loop.getCombiner())
        return;
    // What branches yield is known when their bodies are.
    if (!isa<scf::IfOp>(op))
      visit(op);
    auto yield = dyn_cast<scf::YieldOp>(op);
    auto branch = yield ? dyn_cast<scf::IfOp>(yield->getParentOp()) : nullptr;
    if (!branch)
      return;
    for (auto [result, value] :
         llvm::zip(branch.getResults(), yield.getOperands())) {
      if (!result.getType().isIntOrIndex())
        continue;
      ConstantIntRanges range = get(value);
      if (yield->getParentRegion() == &branch.getElseRegion())
        range = range.rangeUnion(get(result));
      set(result, range);
    }
  });
}

WrappingPlaces arrc::getWrappingPlaces(const KernelPlan &plan) {
  IndexLimits limits;
  kernel::LaunchOp launch = plan.launch;
  for (BlockArgument argument : launch.getBodyBlock()->getArguments())
    if (launch.isSize(argument))
      limits.arguments.push_back({argument.getArgNumber(), 0, maxGivenSize});
  return Ranges(launch, limits, /*bits=*/64).takeWrapping();
}

std::optional<IndexLimits> arrc::getIndexLimits(const KernelPlan &plan) {
  kernel::LaunchOp launch = plan.launch;
  IndexLimits limits;
  limits.elements = mostElements;
  launch->walk([&](kernel::LoadOp load) {
    // The period of these is twice the size.
    if (kernel::EdgesAttr edge = load.getEdgeAttr())
      for (kernel::EdgeMode mode : edge.getModes())
        if (mode == kernel::EdgeMode::Mirror ||
            mode == kernel::EdgeMode::Reflect)
          limits.elements = mostElements / 2;
  });
  // Other index arguments are mostly extents, or else small shifts.
  for (int64_t most : {limits.elements, smallNumber}) {
    limits.arguments.clear();
    for (unsigned number : plan.scalars) {
      if (!launch.getArgument(number).getType().isIndex())
        continue;
      if (launch.isSize(launch.getArgument(number)))
        limits.arguments.push_back({number, 0, limits.elements});
      else
        limits.arguments.push_back({number, -smallNumber, most});
    }
    Ranges ranges(launch, limits, /*bits=*/32);
    if (ranges.allFit()) {
      limits.wrapping = ranges.takeWrapping();
      return limits;
    }
  }
  return std::nullopt;
}
