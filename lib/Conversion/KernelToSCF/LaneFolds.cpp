//===- LaneFolds.cpp - From a vector of accumulators to one value ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// At the end of a `vector` loop that folds, neighbouring lanes are combined,
// then neighbouring pairs, and so on: the tree that ir.md gives the level.
//
// Accumulators that one operation combines, those of rows that run together,
// take each step of it together: halves of two vectors fill one.
//
//   %a = a0 a1 a2 a3 ..    %b = b0 b1 b2 b3 ..
//   even lanes a0 a2 b0 b2 ..  by  odd lanes a1 a3 b1 b3 ..
//
// Four accumulators of 16 lanes take 5 operations on whole vectors, and each
// tree is what it is alone. What meets stays within 16 bytes as long as it can,
// which processors with narrower parts move in one instruction.
//
//===----------------------------------------------------------------------===//

#include "LaunchEmitter.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace arrc;

namespace {
/// What a lane of a vector of several folds holds.
struct Part {
  /// The fold, and which of its lanes this one has come to be.
  unsigned fold, lane;
};

/// A vector of lanes of several folds.
struct Parts {
  Value vector;
  SmallVector<Part> lanes;
};
} // namespace

/// Adds to `even` and `odd` the lanes of `parts` that meet and lie in `block`
/// lanes from `first` on; false if some do not meet there. Lanes of a second
/// vector count from `offset`.
static bool pairLanes(const Parts &parts, int64_t first, int64_t block,
                      int64_t offset, SmallVectorImpl<int64_t> &even,
                      SmallVectorImpl<int64_t> &odd,
                      SmallVectorImpl<Part> &joined) {
  for (int64_t p = first; p < first + block; ++p) {
    Part part = parts.lanes[p];
    if (part.lane % 2)
      continue;
    int64_t q = first;
    while (q < first + block && (parts.lanes[q].fold != part.fold ||
                                 parts.lanes[q].lane != part.lane + 1))
      ++q;
    if (q == first + block)
      return false;
    even.push_back(offset + p);
    odd.push_back(offset + q);
    joined.push_back({part.fold, part.lane / 2});
  }
  return true;
}

/// The lanes of `a`, and of `c` if it is not null, that meet.
static void pairLanes(const Parts &a, const Parts *c, int64_t block,
                      SmallVectorImpl<int64_t> &even,
                      SmallVectorImpl<int64_t> &odd,
                      SmallVectorImpl<Part> &joined) {
  int64_t width = a.lanes.size();
  block = std::min(block, width);
  for (bool done = false; !done; block *= 2) {
    even.clear();
    odd.clear();
    joined.clear();
    done = true;
    for (int64_t first = 0; first < width && done; first += block)
      done = pairLanes(a, first, block, 0, even, odd, joined) &&
             (!c || pairLanes(*c, first, block, width, even, odd, joined));
  }
}

/// Folds all lanes of `group`, of which there are a power of two.
SmallVector<Value> LaunchEmitter::foldGroup(Location loc, StringRef op,
                                            ArrayRef<NamedAttribute> attributes,
                                            ArrayRef<Value> group) {
  auto type = cast<VectorType>(group.front().getType());
  int64_t width = type.getNumElements();
  int64_t near = std::clamp<int64_t>(128 / type.getElementTypeBitWidth(), 2,
                                     std::max<int64_t>(width, 2));
  SmallVector<Parts> vectors;
  for (auto [number, vector] : llvm::enumerate(group)) {
    Parts &parts = vectors.emplace_back(Parts{vector, {}});
    for (int64_t l = 0; l < width; ++l)
      parts.lanes.push_back({unsigned(number), unsigned(l)});
  }
  auto combine = [&](Value a, Value c, const Parts &first,
                     const Parts *second) -> Parts {
    SmallVector<int64_t> even, odd;
    Parts result;
    pairLanes(first, second, near, even, odd, result.lanes);
    lanes = even.size();
    Value lhs = vector::ShuffleOp::create(b, loc, a, c, even);
    Value rhs = vector::ShuffleOp::create(b, loc, a, c, odd);
    result.vector = make(loc, op, {{lhs, 0, true}, {rhs, 0, true}},
                         type.getElementType(), attributes)
                        .value;
    return result;
  };
  for (int64_t left = width; left > 1; left /= 2) {
    if (group.size() == 1 && left == 2) {
      lanes = 0;
      Value lhs = vector::ExtractOp::create(b, loc, vectors[0].vector, 0);
      Value rhs = vector::ExtractOp::create(b, loc, vectors[0].vector, 1);
      return {make(loc, op, {{lhs}, {rhs}}, type.getElementType(), attributes)
                  .value};
    }
    SmallVector<Parts> next;
    if (vectors.size() == 1)
      next.push_back(
          combine(vectors[0].vector, vectors[0].vector, vectors[0], nullptr));
    for (size_t i = 0; i + 1 < vectors.size(); i += 2)
      next.push_back(combine(vectors[i].vector, vectors[i + 1].vector,
                             vectors[i], &vectors[i + 1]));
    vectors = std::move(next);
  }
  SmallVector<Value> results(group.size());
  for (const Parts &parts : vectors)
    for (auto [place, part] : llvm::enumerate(parts.lanes))
      results[part.fold] =
          vector::ExtractOp::create(b, loc, parts.vector, place);
  return results;
}

SmallVector<Value>
LaunchEmitter::foldTogether(Location loc, StringRef op,
                            ArrayRef<NamedAttribute> attributes,
                            ArrayRef<Value> vectors) {
  int64_t width = lanes;
  SmallVector<Value> results;
  while (!vectors.empty()) {
    size_t count = llvm::bit_floor(vectors.size());
    lanes = width;
    llvm::append_range(
        results, foldGroup(loc, op, attributes, vectors.take_front(count)));
    vectors = vectors.drop_front(count);
  }
  lanes = width;
  return results;
}

SmallVector<LaneValue> LaunchEmitter::foldLanes(kernel::ForOp loop,
                                                SmallVector<LaneValue> folded) {
  if (foldExtremumLanes(loop, folded))
    return folded;
  Location loc = loop.getLoc();
  int64_t width = lanes;
  SmallVector<Operation *> ops = getCombinerOps(loop.getCombiner());
  if (!ops.empty()) {
    // Those of one operation together.
    SmallVector<bool> done(folded.size(), false);
    for (size_t first = 0; first < folded.size(); ++first) {
      SmallVector<size_t> alike;
      for (size_t i = first; i < folded.size(); ++i)
        if (!done[i] && ops[i]->getName() == ops[first]->getName() &&
            ops[i]->getAttrs() == ops[first]->getAttrs() &&
            folded[i].value.getType() == folded[first].value.getType())
          alike.push_back(i);
      SmallVector<Value> group;
      for (size_t i : alike)
        group.push_back(folded[i].value);
      SmallVector<Value> results =
          foldTogether(loc, ops[first]->getName().getStringRef(),
                       ops[first]->getAttrs(), group);
      for (auto [i, value] : llvm::zip(alike, results)) {
        folded[i] = {value};
        done[i] = true;
      }
    }
    return folded;
  }
  while (width > 1) {
    int64_t half = width / 2;
    SmallVector<int64_t> even, odd;
    for (int64_t l = 0; l < half; ++l) {
      even.push_back(2 * l);
      odd.push_back(2 * l + 1);
    }
    lanes = half;
    SmallVector<LaneValue> lhs, rhs;
    for (LaneValue value : folded) {
      auto pick = [&](ArrayRef<int64_t> which) -> LaneValue {
        if (half == 1)
          return {
              vector::ExtractOp::create(b, loc, value.value, which.front())};
        return {
            vector::ShuffleOp::create(b, loc, value.value, value.value, which),
            0, true};
      };
      lhs.push_back(pick(even));
      rhs.push_back(pick(odd));
    }
    if (half == 1)
      lanes = 0;
    folded = combine(loop.getCombiner(), lhs, rhs);
    width = half;
  }
  return folded;
}

//===----------------------------------------------------------------------===//
// One vector of accumulators
//===----------------------------------------------------------------------===//

/// The `vector` loop that `fold` takes its values from.
static kernel::ForOp getVectorFold(kernel::ForOp fold) {
  ValueRange values = fold.getYield().getValues();
  auto inner = values.front().getDefiningOp<kernel::ForOp>();
  return inner && inner->getParentOp() == fold && inner.isReduce() &&
                 inner.getLevelKind() == kernel::LevelKind::Vector &&
                 llvm::equal(values, inner.getResults())
             ? inner
             : kernel::ForOp();
}

bool arrc::canFoldInLanes(kernel::ForOp loop) {
  if (!loop.isReduce() || !isCommutativeCombiner(loop.getCombiner()))
    return false;
  kernel::ForOp inner = getVectorFold(loop);
  if (!inner || !canRunInLanes(inner) ||
      !kernel::haveSameOperator(loop, inner) ||
      getCombinerOps(loop.getCombiner()).empty())
    return false;
  return llvm::all_of(
      loop.getBodyBlock()->without_terminator(),
      [&](Operation &op) { return &op == inner || kernel::isScalarOp(&op); });
}

LogicalResult LaunchEmitter::emitFoldInLanes(kernel::ForOp loop) {
  Location loc = loop.getLoc();
  kernel::ForOp inner = getVectorFold(loop);
  SmallVector<LaneValue> seeds = lookup(loop.getSeeds());
  Value zero = constantIndex(loc, 0).value, one = constantIndex(loc, 1).value;
  Value extent = getExtent(loop);
  int64_t width = *getConstantIntValue(inner.getMixedExtent());
  SmallVector<Value> initial;
  for (Value neutral : neutrals(inner)) {
    lanes = width;
    initial.push_back(toVector(loc, {neutral}));
    lanes = 0;
  }
  auto code = scf::ForOp::create(b, loc, zero, extent, one, initial);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(code.getBody());
    set(loop.getInductionVar(), code.getInductionVar());
    enterLoop(loop, {code.getInductionVar()});
    for (Operation &op : loop.getBodyBlock()->without_terminator())
      if (&op != inner && failed(emitOp(op)))
        return failure();
    varying = findVariation(inner);
    lanes = width;
    LaneValue lane = constantIndex(loc, 0);
    lane.stride = 1;
    set(inner.getInductionVar(), lane);
    enterLoop(inner, lane);
    if (failed(emitBody(*inner.getBodyBlock())))
      return failure();
    digits.pop_back_n(2);
    SmallVector<LaneValue> before, own;
    for (Value argument : code.getRegionIterArgs())
      before.push_back({argument, 0, true});
    for (LaneValue value : lookup(inner.getYield().getValues()))
      own.push_back({toVector(loc, value), 0, true});
    SmallVector<Value> next;
    for (LaneValue value : combine(loop.getCombiner(), before, own))
      next.push_back(value.value);
    scf::YieldOp::create(b, loc, next);
  }
  SmallVector<LaneValue> folded;
  for (Value value : code.getResults())
    folded.push_back({value, 0, true});
  folded = foldLanes(inner, folded);
  lanes = 0;
  for (auto [result, value] :
       llvm::zip(loop.getResults(), combine(loop.getCombiner(), seeds, folded)))
    set(result, value);
  return success();
}
