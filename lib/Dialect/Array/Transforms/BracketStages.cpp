//===- BracketStages.cpp - Arrays of partial folds ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Part of arr-bracket-folds: folds and scans of many elements as maps, stage by
// stage.
//
//===----------------------------------------------------------------------===//

#include "BracketFolds.h"
#include "UnrollPatterns.h"

#include "arrc/Dialect/Array/IR/WrittenSchedule.h"
#include "arrc/Support/BuildInside.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

/// Times that arrays of partial folds are folded by sixty-fourths before one
/// thread folds the rest: 2^18 and 2^24 elements are a chain's share then.
static constexpr unsigned kStagesAround = 2, kStages = 3;
/// Times that a scan scans what sixteens come to.
static constexpr unsigned kScanDepth = 5;

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

SmallVector<Value> FoldBracketer::createMap(
    ArrayRef<OpFoldResult> inner,
    function_ref<SmallVector<Value>(ValueRange, ValueRange)> getValues) {
  SmallVector<OpFoldResult> outer, all;
  if (around)
    outer = around.getMixedExtents();
  if (!aroundLast)
    llvm::append_range(all, outer);
  llvm::append_range(all, inner);
  if (aroundLast)
    llvm::append_range(all, outer);
  SmallVector<std::string> text = array::detail::indexNames({}, all.size());
  SmallVector<StringRef> names(text.begin(), text.end());
  auto map = MapOp::create(
      b, loc, all, names, [&](OpBuilder &nested, Location, ValueRange indices) {
        buildInside(b, nested, [&] {
          unsigned first = aroundLast ? inner.size() : 0;
          ValueRange outside = indices.slice(first, outer.size());
          ValueRange within = aroundLast ? indices.take_front(inner.size())
                                         : indices.drop_front(outer.size());
          YieldOp::create(b, loc, getValues(outside, within));
        });
      });
  map->setAttr(kPartialsAttr, b.getUnitAttr());
  return llvm::to_vector_of<Value>(map->getResults());
}

FoldBracketer::Stage FoldBracketer::flatten(ArrayRef<Value> arrays,
                                            ArrayRef<OpFoldResult> inner) {
  Stage stage;
  stage.size = number(1);
  for (OpFoldResult extent : inner)
    stage.size = arith::MulIOp::create(b, loc, stage.size, toValue(extent));
  unsigned outer = around ? around.getBody().getNumArguments() : 0;
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices all;
  int64_t next = aroundLast ? 0 : outer;
  for (unsigned d = 0; d < inner.size(); ++d)
    all.push_back(next++);
  for (unsigned d = 0; d < outer; ++d)
    groups.push_back({int64_t(aroundLast ? inner.size() + d : d)});
  groups.insert(aroundLast ? groups.begin() : groups.end(), all);
  for (Value array : arrays) {
    if (inner.size() > 1)
      array = tensor::CollapseShapeOp::create(b, loc, array, groups);
    SmallVector<OpFoldResult> sizes;
    if (around)
      sizes = around.getMixedExtents();
    sizes.insert(aroundLast ? sizes.begin() : sizes.end(), stage.size);
    auto type = cast<RankedTensorType>(array.getType());
    for (auto [d, size] : llvm::enumerate(sizes))
      if (!type.isDynamicDim(d))
        size = b.getIndexAttr(type.getDimSize(d));
    stage.arrays.push_back(BindOp::create(b, loc, array, sizes));
  }
  return stage;
}

/// Chains of all whole blocks, which have one length.
FoldBracketer::Stage FoldBracketer::createMain(Value extent) {
  SmallVector<OpFoldResult> extents = op.getMixedExtents();
  SmallVector<OpFoldResult> inner(ArrayRef(extents).take_front(cut));
  Value blocks = arith::DivUIOp::create(b, loc, extent,
                                        number(kBracketSteps * kBracketLanes));
  inner.push_back(getAsOpFoldResult(blocks));
  inner.push_back(b.getIndexAttr(kBracketLanes));
  SmallVector<OpFoldResult> box{b.getIndexAttr(kBracketSteps)};
  llvm::append_range(box, ArrayRef(extents).drop_front(cut + 1));
  AffineExpr c = b.getAffineDimExpr(0), k = b.getAffineDimExpr(1),
             l = b.getAffineDimExpr(2);
  AffineMap place = AffineMap::get(
      3, 0, c * (kBracketSteps * kBracketLanes) + k * kBracketLanes + l);
  return flatten(
      createMap(inner,
                [&](ValueRange outer, ValueRange within) {
                  return foldBox(box, init, [&](ValueRange step) {
                    SmallVector<Value> point(within.take_front(cut));
                    point.push_back(affine::AffineApplyOp::create(
                        b, loc, place,
                        ValueRange{within[cut], step[0], within[cut + 1]}));
                    llvm::append_range(point, step.drop_front());
                    return cloneBody(outer, point);
                  });
                }),
      inner);
}

/// How many chains share `size` elements, and how many blocks of them.
static constexpr int64_t kChainShare = kBracketSteps;

/// Chains of what is behind the whole blocks; of everything, in order, if the
/// operator may not commute.
FoldBracketer::Stage FoldBracketer::createRest(Value extent) {
  bool commutes = isCommutativeCombiner(combiner);
  SmallVector<OpFoldResult> extents = op.getMixedExtents();
  SmallVector<OpFoldResult> inner(ArrayRef(extents).take_front(cut));
  Value base = number(0), size = extent, lanes = number(1), blocks;
  if (commutes) {
    Value block = number(kBracketSteps * kBracketLanes);
    size = arith::RemUIOp::create(b, loc, extent, block);
    base = arith::SubIOp::create(b, loc, extent, size);
    lanes = ceilDivide(size, number(kChainShare));
    blocks = least(size, number(1));
  } else {
    blocks = ceilDivide(size, number(kChainShare));
  }
  inner.push_back(getAsOpFoldResult(commutes ? lanes : blocks));
  ArrayRef<OpFoldResult> behind = ArrayRef(extents).drop_front(cut + 1);
  return flatten(
      createMap(inner,
                [&](ValueRange outer, ValueRange within) {
                  Value at = within[cut], first = at, stride = lanes, trip;
                  if (commutes) {
                    // Every `lanes`-th from here on.
                    Value left = arith::SubIOp::create(b, loc, size, at);
                    trip = ceilDivide(left, lanes);
                  } else {
                    first =
                        arith::MulIOp::create(b, loc, at, number(kChainShare));
                    Value left = arith::SubIOp::create(b, loc, size, first);
                    trip = least(left, number(kChainShare));
                  }
                  first = arith::AddIOp::create(b, loc, first, base);
                  SmallVector<OpFoldResult> box{getAsOpFoldResult(trip)};
                  llvm::append_range(box, behind);
                  return foldBox(box, init, [&](ValueRange step) {
                    SmallVector<Value> point(within.take_front(cut));
                    Value far = arith::MulIOp::create(b, loc, step[0], stride);
                    point.push_back(arith::AddIOp::create(b, loc, first, far));
                    llvm::append_range(point, step.drop_front());
                    return cloneBody(outer, point);
                  });
                }),
      inner);
}

/// Element `at` of the arrays of a stage.
SmallVector<Value> FoldBracketer::readStage(const Stage &stage,
                                            ValueRange outer, Value at) {
  SmallVector<Value> point(outer), values;
  point.insert(aroundLast ? point.begin() : point.end(), at);
  for (Value array : stage.arrays)
    values.push_back(AtOp::create(b, loc, array, point, /*inbounds=*/true));
  return values;
}

/// Folds of about `kBracketSteps` partial folds each: of one part after the
/// other, `numChains` chains (null: as many as that makes).
FoldBracketer::Stage FoldBracketer::createNext(ArrayRef<Stage> parts,
                                               Value numChains) {
  Value size = parts.front().size;
  for (const Stage &part : parts.drop_front())
    size = arith::AddIOp::create(b, loc, size, part.size);
  bool commutes = isCommutativeCombiner(combiner);
  assert((commutes || parts.size() == 1) && "parts are not in order");
  Value steps = number(kBracketSteps);
  Value chains = numChains ? numChains : ceilDivide(size, steps);
  SmallVector<OpFoldResult> inner{getAsOpFoldResult(chains)};
  auto getValues = [&](ValueRange outer, ValueRange within) {
    Value chain = within[0];
    SmallVector<Value> state(init);
    for (const Stage &part : parts) {
      // Chains side by side read neighbours, if they may.
      Value first = chain, stride = chains, trip;
      if (commutes) {
        Value left = arith::SubIOp::create(b, loc, part.size, chain);
        trip = ceilDivide(left, chains);
      } else if (numChains) {
        stride = number(1);
        trip = part.size;
      } else {
        first = arith::MulIOp::create(b, loc, chain, steps);
        stride = number(1);
        trip = least(arith::SubIOp::create(b, loc, part.size, first), steps);
      }
      state = foldBox({getAsOpFoldResult(trip)}, state, [&](ValueRange step) {
        Value far = arith::MulIOp::create(b, loc, step[0], stride);
        return readStage(part, outer,
                         arith::AddIOp::create(b, loc, first, far));
      });
    }
    return state;
  };
  return flatten(createMap(inner, getValues), inner);
}

void FoldBracketer::foldByStages() {
  b.setInsertionPoint(around ? around.getOperation() : op.getOperation());
  aroundLast = walksAround();
  // The last dimension that is long; of what is behind it all is a thread's.
  SmallVector<OpFoldResult> extents = op.getMixedExtents();
  cut = extents.size() - 1;
  for (int64_t behind = 1; cut > 0; --cut) {
    std::optional<int64_t> size = getConstantIntValue(extents[cut]);
    if (!size || behind * *size > kBracketSteps)
      break;
    behind *= *size;
  }
  Value extent = toValue(extents[cut]);
  SmallVector<Stage> stages;
  if (isCommutativeCombiner(combiner))
    stages.push_back(createMain(extent));
  stages.push_back(createRest(extent));
  for (unsigned n = 0; n < (around ? kStagesAround : kStages); ++n)
    stages = {createNext(stages, /*numChains=*/Value())};
  if (around) {
    Stage last = stages.front();
    b.setInsertionPoint(op);
    ValueRange outer = around.getBody().getArguments();
    b.replaceOp(
        op, foldBox({getAsOpFoldResult(last.size)}, init, [&](ValueRange step) {
          return readStage(last, outer, step[0]);
        }));
    return;
  }
  // One chain, in a launch of its own: the host waits for nothing but it.
  Stage whole = createNext(stages, number(1));
  SmallVector<Value> results;
  for (Value array : whole.arrays)
    results.push_back(
        AtOp::create(b, loc, array, number(0), /*inbounds=*/true));
  b.replaceOp(op, results);
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

/// The exclusive prefixes of the elements of `arrays`, and as the element
/// behind the last their fold.
SmallVector<Value> FoldBracketer::scanPrefixes(ValueRange arrays, Value size,
                                               unsigned depth) {
  auto readAll = [&](ValueRange from, Value at) {
    SmallVector<Value> values;
    for (Value array : from)
      values.push_back(AtOp::create(b, loc, array, at, /*inbounds=*/true));
    return values;
  };
  Value more = arith::AddIOp::create(b, loc, size, number(1));
  if (depth == 0)
    // What is left is short: each prefix by itself.
    return createMap({getAsOpFoldResult(more)}, [&](ValueRange, ValueRange at) {
      return foldBox({getAsOpFoldResult(at[0])}, init,
                     [&](ValueRange k) { return readAll(arrays, k[0]); });
    });
  Value width = number(kBracketPrefix);
  Value blocks = arith::DivUIOp::create(b, loc, size, width);
  SmallVector<Value> sums =
      createMap({getAsOpFoldResult(blocks)}, [&](ValueRange, ValueRange at) {
        Value first = arith::MulIOp::create(b, loc, at[0], width);
        return foldBox(
            {b.getIndexAttr(kBracketPrefix)}, init, [&](ValueRange k) {
              return readAll(arrays,
                             arith::AddIOp::create(b, loc, first, k[0]));
            });
      });
  SmallVector<Value> before = scanPrefixes(sums, blocks, depth - 1);
  return createMap({getAsOpFoldResult(more)}, [&](ValueRange, ValueRange at) {
    Value block = arith::DivUIOp::create(b, loc, at[0], width);
    Value rest = arith::RemUIOp::create(b, loc, at[0], width);
    Value first = arith::MulIOp::create(b, loc, block, width);
    return foldBox(
        {getAsOpFoldResult(rest)}, readAll(before, block), [&](ValueRange k) {
          return readAll(arrays, arith::AddIOp::create(b, loc, first, k[0]));
        });
  });
}

void FoldBracketer::scanByStages() {
  auto scan = cast<ScanOp>(op.getOperation());
  b.setInsertionPoint(op);
  OpFoldResult extent = op.getMixedExtents().front();
  // What is scanned is computed once, though several prefixes need it.
  SmallVector<Value> values =
      createMap({extent}, [&](ValueRange, ValueRange point) {
        return cloneBody({}, point);
      });
  SmallVector<Value> prefixes =
      scanPrefixes(values, toValue(extent), kScanDepth);
  SmallVector<Value> results;
  Value shift = number(scan.getExclusive() ? 0 : 1);
  SmallVector<Value> kept =
      createMap({extent}, [&](ValueRange, ValueRange point) {
        Value at = arith::AddIOp::create(b, loc, point[0], shift);
        SmallVector<Value> read;
        for (Value array : prefixes)
          read.push_back(AtOp::create(b, loc, array, at, /*inbounds=*/true));
        return read;
      });
  for (auto [old, array] : llvm::zip(scan.getPrefixes(), kept))
    results.push_back(array);
  for (Value array : prefixes)
    results.push_back(
        AtOp::create(b, loc, array, toValue(extent), /*inbounds=*/true));
  b.replaceOp(op, results);
}
