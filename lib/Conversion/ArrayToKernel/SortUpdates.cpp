//===- SortUpdates.cpp - Updates by sorting -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. What a device cannot combine indivisibly in memory (sums of f64,
// products, operators of one's own) gets a copy of the bins for each of many
// threads, as long as bins are few. Of many there is room for a few copies
// only, and as few threads work. So the values are sorted by their bins, and
// each bin folds its own, which are neighbours then.
//
// Before   %h = array.scatter (%i) in (%n) into (%splat) {
//            array.yield %v at [%b] } by arith.addf
// After    %keys, %values = array.map (%i) in (%n) { %b, %v }
//          %k, %v = array.sort %keys, %values unsigned
//          %off = array.map (%b) in (%m + 1) { first place of %k not below %b }
//          %h = array.map (%b) in (%m) {
//            array.reduce (%p) in (%off[%b + 1] - %off[%b]) init (%e) {
//              %v[%off[%b] + %p] } by arith.addf }
//
// The sort is stable, so every bin folds its values in index order, in a
// bracketing that follows from the sizes and the keys: the same bits in every
// run. Values whose index is outside go to a bin behind the last one, which
// nobody folds.
//
// Legal: each value is one element, and the neutral element of the operator is
// known (or the bins begin with it). Pays where the copies that fit leave fewer
// threads than fill a device: from kCopiedBytes of bins on.
//
//===----------------------------------------------------------------------===//

#include "SortUpdates.h"

#include "EmitSort.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/IR/Binds.h"
#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/Transforms/NativeUpdates.h"
#include "arrc/Support/BuildInside.h"
#include "arrc/Support/Combiner.h"
#include "arrc/Support/StoredBytes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

/// Threads of which each has a copy of the bins: with as many, copies are
/// folded sooner than values are sorted.
static constexpr int64_t kCopiers = 16384;
/// The most bytes of bins of which there is room for these copies.
static constexpr int64_t kCopiedBytes = kernel::kCopyBytes / kCopiers;

namespace {

/// Takes the slow results of one scatter apart from the others.
class UpdateSorter {
public:
  UpdateSorter(IRRewriter &b, ScatterOp scatter)
      : b(b), scatter(scatter), loc(scatter.getLoc()),
        space(cast<IndexSpaceOpInterface>(scatter.getOperation())) {}

  /// False, and nothing is changed, if no result needs it.
  bool run(kernel::DeviceAttr device);

private:
  Value index(int64_t number) {
    return arith::ConstantIndexOp::create(b, loc, number);
  }
  Value size(OpFoldResult extent) {
    return getValueOrCreateConstantIndexOp(b, loc, extent);
  }
  Value multiply(ArrayRef<OpFoldResult> extents);
  bool mayBeSorted(unsigned number);
  /// Keys of at most `most` bins.
  void setKeys(int64_t most);
  Value findNeutral(unsigned number);
  /// The scatter with the results `numbers` alone.
  ScatterOp keep(ArrayRef<unsigned> numbers);
  SmallVector<Value> sorted(ArrayRef<unsigned> numbers);
  /// Keys, and the values of `numbers`, in index order.
  SmallVector<Value> collect(ArrayRef<unsigned> numbers);
  Value findArray(unsigned number);
  /// The number of the bin at the index that `yield` gives; `bins` if outside.
  Value findKey(OpBuilder &at, YieldOp yield, const IRMapping &mapping);
  Value findOffsets(Value keys);
  Value fold(unsigned number, Value offsets, Value values);
  MapOp map(ArrayRef<OpFoldResult> extents,
            function_ref<void(ValueRange)> body);

  IRRewriter &b;
  ScatterOp scatter;
  Location loc;
  IndexSpaceOpInterface space;
  /// The sizes of the arrays, all of whose elements are bins.
  SmallVector<OpFoldResult> shape;
  Value points, bins;
  Type keyType;
  /// Bits that all keys have; 0 if that is not known.
  unsigned keyBits = 0;
  /// The operator of each result; null if it is more than one operation.
  SmallVector<Operation *> operators;
};

} // namespace

Value UpdateSorter::multiply(ArrayRef<OpFoldResult> extents) {
  Value product;
  for (OpFoldResult extent : extents)
    product = product ? arith::MulIOp::create(b, loc, product, size(extent))
                      : size(extent);
  return product;
}

MapOp UpdateSorter::map(ArrayRef<OpFoldResult> extents,
                        function_ref<void(ValueRange)> body) {
  SmallVector<std::string> text;
  for (size_t d = 0; d < extents.size(); ++d)
    text.push_back("bin" + (d ? std::to_string(d) : std::string()));
  SmallVector<StringRef> names(text.begin(), text.end());
  return MapOp::create(b, loc, extents, names,
                       [&](OpBuilder &nested, Location, ValueRange at) {
                         buildInside(b, nested, [&] { body(at); });
                       });
}

/// The neutral element of an operator that is one operation of `arith`.
static std::optional<TypedAttr> getKnownNeutral(Operation *op) {
  return op ? arith::getNeutralElement(op) : std::nullopt;
}

/// The value that all elements of `array` have, if there is one.
static Value findFill(Value array) {
  auto splat = skipBinds(array).getDefiningOp<tensor::SplatOp>();
  return splat ? splat.getInput() : Value();
}

/// The value that the operator of result `number` begins with; null if there is
/// none. Of an operator that is not known it is what all bins hold, which the
/// language wants to be neutral.
Value UpdateSorter::findNeutral(unsigned number) {
  if (std::optional<TypedAttr> known = getKnownNeutral(operators[number]))
    return arith::ConstantOp::create(b, loc, *known);
  return findFill(scatter.getInto()[number]);
}

bool UpdateSorter::mayBeSorted(unsigned number) {
  auto type = cast<RankedTensorType>(scatter.getInto()[number].getType());
  if (type.getRank() != int64_t(space.getYield().getIndices().size()) ||
      type.getRank() == 0)
    return false;
  return getKnownNeutral(operators[number]) ||
         findFill(scatter.getInto()[number]);
}

void UpdateSorter::setKeys(int64_t most) {
  // Behind the last bin is one for what is dropped.
  int64_t keys = most + (scatter.getOob() == OutOfBounds::Drop ? 1 : 0);
  keyBits = std::max(1u, llvm::Log2_64_Ceil(keys));
  keyType = b.getIntegerType(keyBits > 16 ? 32 : 16);
}

ScatterOp UpdateSorter::keep(ArrayRef<unsigned> numbers) {
  SmallVector<Value> into;
  for (unsigned number : numbers)
    into.push_back(scatter.getInto()[number]);
  auto rest = ScatterOp::create(b, loc, space.getMixedExtents(),
                                scatter.getDimsAttr(), into, scatter.getOob());
  IRMapping mapping;
  scatter.getBody().cloneInto(&rest.getBody(), mapping);
  auto yield = cast<YieldOp>(rest.getBody().front().getTerminator());
  SmallVector<Value> values;
  for (unsigned number : numbers)
    values.push_back(yield.getValues()[number]);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(yield);
    YieldOp::create(b, yield.getLoc(), values, yield.getIndices());
  }
  b.eraseOp(yield);
  SmallVector<CombinerOperator> kept;
  SmallVector<Type> types;
  for (unsigned number : numbers) {
    kept.push_back(toCombinerOperator(operators[number]));
    types.push_back(operators[number]->getResult(0).getType());
  }
  buildCombiner(b, loc, rest.getCombiner(), types, kept,
                YieldOp::getOperationName());
  return rest;
}

Value UpdateSorter::findKey(OpBuilder &at, YieldOp yield,
                            const IRMapping &mapping) {
  Value key, isInside;
  for (auto [d, original] : llvm::enumerate(yield.getIndices())) {
    Value index = mapping.lookupOrDefault(original);
    Value extent = getValueOrCreateConstantIndexOp(at, loc, shape[d]);
    Value good = arith::CmpIOp::create(at, loc, arith::CmpIPredicate::ult,
                                       index, extent);
    if (scatter.getOob() == OutOfBounds::Fail)
      CheckOp::create(at, yield.getLoc(), CheckKind::Index, good,
                      "index {0} is outside of a dimension of size {1}",
                      ValueRange{index, extent});
    if (scatter.getOob() == OutOfBounds::Clamp) {
      Value zero = arith::ConstantIndexOp::create(at, loc, 0);
      Value last = arith::SubIOp::create(
          at, loc, extent, arith::ConstantIndexOp::create(at, loc, 1));
      index = arith::MaxSIOp::create(
          at, loc, arith::MinSIOp::create(at, loc, index, last), zero);
      // Nothing is near in an empty array.
      good = arith::CmpIOp::create(at, loc, arith::CmpIPredicate::ult, index,
                                   extent);
    }
    isInside = isInside ? arith::AndIOp::create(at, loc, isInside, good) : good;
    key = key ? arith::AddIOp::create(
                    at, loc, arith::MulIOp::create(at, loc, key, extent), index)
              : index;
  }
  return arith::SelectOp::create(at, loc, isInside, key, bins);
}

SmallVector<Value> UpdateSorter::collect(ArrayRef<unsigned> numbers) {
  SmallVector<OpFoldResult> extents = space.getMixedExtents();
  SmallVector<std::string> text;
  for (StringRef name : space.getIndexNames())
    text.push_back(name.str());
  auto body = [&](OpBuilder &nested, Location, ValueRange at) {
    // Several dimensions lie behind each other.
    IRMapping mapping;
    Value rest = at.front();
    for (unsigned d = extents.size(); d-- > 1;) {
      Value extent = getValueOrCreateConstantIndexOp(nested, loc, extents[d]);
      mapping.map(space.getIndices()[d],
                  arith::RemSIOp::create(nested, loc, rest, extent));
      rest = arith::DivSIOp::create(nested, loc, rest, extent);
    }
    mapping.map(space.getIndices()[0], rest);
    for (Operation &op : space.getBodyBlock()->without_terminator())
      nested.clone(op, mapping);
    YieldOp yield = space.getYield();
    SmallVector<Value> values{arith::IndexCastOp::create(
        nested, loc, keyType, findKey(nested, yield, mapping))};
    for (unsigned number : numbers)
      if (!findArray(number))
        values.push_back(mapping.lookupOrDefault(yield.getValues()[number]));
    YieldOp::create(nested, loc, values);
  };
  auto pairs = MapOp::create(b, loc, {OpFoldResult(points)},
                             {StringRef(text.front())}, body);
  SmallVector<Value> all(pairs.getResults());
  // Arrays are sorted where they are.
  for (auto [k, number] : llvm::enumerate(numbers))
    if (Value array = findArray(number))
      all.insert(all.begin() + 1 + k, array);
  return all;
}

/// The array whose elements, in order, are the values of result `number`, if
/// there is one.
Value UpdateSorter::findArray(unsigned number) {
  auto read = space.getYield().getValues()[number].getDefiningOp<AtOp>();
  SmallVector<OpFoldResult> extents = space.getMixedExtents();
  if (!read || extents.size() != 1 || read.getIndices().size() != 1 ||
      read.getIndices().front() != space.getIndices().front() ||
      scatter.getBody().isAncestor(read.getSource().getParentRegion()))
    return {};
  OpFoldResult size = getKnownSize(read.getSource(), 0);
  return size && size == extents.front() ? read.getSource() : Value();
}

/// Where the values of each bin begin, and those of the last one end.
Value UpdateSorter::findOffsets(Value keys) {
  Value ends = arith::AddIOp::create(b, loc, bins, index(1));
  Type i64 = b.getI64Type();
  auto offsets = map({OpFoldResult(ends)}, [&](ValueRange at) {
    Value mine = at.front();
    Value zero = index(0), one = index(1);
    SmallVector<Type> types(2, b.getIndexType());
    auto search = scf::WhileOp::create(
        b, loc, types, ValueRange{zero, points},
        [&](OpBuilder &inner, Location, ValueRange range) {
          Value more = arith::CmpIOp::create(
              inner, loc, arith::CmpIPredicate::slt, range[0], range[1]);
          scf::ConditionOp::create(inner, loc, more, range);
        },
        [&](OpBuilder &inner, Location, ValueRange range) {
          Value sum = arith::AddIOp::create(inner, loc, range[0], range[1]);
          Value middle = arith::ShRUIOp::create(inner, loc, sum, one);
          Value key = AtOp::create(inner, loc, keys, middle, /*inbounds=*/true);
          key = arith::IndexCastUIOp::create(inner, loc, b.getIndexType(), key);
          Value below = arith::CmpIOp::create(
              inner, loc, arith::CmpIPredicate::ult, key, mine);
          Value next = arith::AddIOp::create(inner, loc, middle, one);
          Value low =
              arith::SelectOp::create(inner, loc, below, next, range[0]);
          Value high =
              arith::SelectOp::create(inner, loc, below, range[1], middle);
          scf::YieldOp::create(inner, loc, ValueRange{low, high});
        });
    Value place = arith::IndexCastOp::create(b, loc, i64, search.getResult(0));
    YieldOp::create(b, loc, place);
  });
  return offsets->getResult(0);
}

/// The bins of result `number`, from its values in the order of the bins.
Value UpdateSorter::fold(unsigned number, Value offsets, Value values) {
  Value into = scatter.getInto()[number];
  // Else what bins hold is the first of their values.
  bool isPlain = !getKnownNeutral(operators[number]);
  Value neutral = findNeutral(number);
  Operation *op = operators[number];
  auto combine = [&](OpBuilder &at, Value x, Value y) -> Value {
    IRMapping mapping;
    if (op) {
      mapping.map(op->getOperand(0), x);
      mapping.map(op->getOperand(1), y);
      return at.clone(*op, mapping)->getResult(0);
    }
    Block &block = scatter.getCombiner().front();
    mapping.map(block.getArguments(), ValueRange{x, y});
    for (Operation &inner : block.without_terminator())
      at.clone(inner, mapping);
    return mapping.lookupOrDefault(block.getTerminator()->getOperand(0));
  };
  auto sums = map({OpFoldResult(bins)}, [&](ValueRange at) {
    Value bin = at.front();
    Value next = affine::AffineApplyOp::create(
        b, loc, b.getAffineDimExpr(0) + 1, ValueRange(bin));
    auto read = [&](Value place) -> Value {
      Value offset = AtOp::create(b, loc, offsets, place, /*inbounds=*/true);
      return arith::IndexCastOp::create(b, loc, b.getIndexType(), offset);
    };
    Value begin = read(bin), end = read(next);
    Value length = arith::SubIOp::create(b, loc, end, begin);
    auto total = ReduceOp::create(
        b, loc, {OpFoldResult(length)}, {StringRef("value")}, neutral,
        [&](OpBuilder &inner, Location, ValueRange step) {
          Value place = arith::AddIOp::create(inner, loc, begin, step.front());
          YieldOp::create(inner, loc,
                          ValueRange(AtOp::create(inner, loc, values, place,
                                                  /*inbounds=*/true)
                                         .getResult()));
        },
        [&](OpBuilder &inner, Location, ValueRange args) {
          YieldOp::create(inner, loc,
                          ValueRange(combine(inner, args[0], args[1])));
        });
    Value result = total.getResult(0);
    if (!isPlain && shape.size() == 1)
      result = combine(b, AtOp::create(b, loc, into, bin, /*inbounds=*/true),
                       result);
    YieldOp::create(b, loc, result);
  });
  Value flat = sums->getResult(0);
  if (shape.size() == 1)
    return flat;
  auto shaped = map(shape, [&](ValueRange at) {
    Value place = at.front();
    for (unsigned d = 1; d < shape.size(); ++d)
      place = arith::AddIOp::create(
          b, loc, arith::MulIOp::create(b, loc, place, size(shape[d])), at[d]);
    Value result = AtOp::create(b, loc, flat, place, /*inbounds=*/true);
    if (!isPlain)
      result =
          combine(b, AtOp::create(b, loc, into, at, /*inbounds=*/true), result);
    YieldOp::create(b, loc, result);
  });
  return shaped->getResult(0);
}

SmallVector<Value> UpdateSorter::sorted(ArrayRef<unsigned> numbers) {
  SmallVector<Value> pairs = collect(numbers);
  auto sort = SortOp::create(b, loc, pairs, /*is_unsigned=*/true);
  if (keyBits)
    sort->setAttr(kKeyBitsAttr, b.getI64IntegerAttr(keyBits));
  Value offsets = findOffsets(sort.getResult(0));
  SmallVector<Value> results;
  for (auto [k, number] : llvm::enumerate(numbers)) {
    Value result = fold(number, offsets, sort.getResult(k + 1));
    Type type = scatter.getResult(number).getType();
    if (result.getType() != type)
      result = tensor::CastOp::create(b, loc, type, result);
    results.push_back(result);
  }
  return results;
}

bool UpdateSorter::run(kernel::DeviceAttr device) {
  operators = getCombinerOps(scatter.getCombiner());
  // One of one's own stands alone.
  if (operators.empty() && scatter.getInto().size() == 1)
    operators.push_back(nullptr);
  if (operators.size() != scatter.getInto().size())
    return false;
  SmallVector<unsigned> slow, others;
  int64_t bytes = 0;
  for (auto [number, op] : llvm::enumerate(operators)) {
    Type type = getElementTypeOrSelf(scatter.getInto()[number].getType());
    bool isSlow = (!op || kernel::getUpdateEncoding(op, type, device) ==
                              kernel::UpdateEncoding::None) &&
                  mayBeSorted(number);
    (isSlow ? slow : others).push_back(number);
    if (isSlow)
      bytes = std::max<int64_t>(bytes, getStoredBytes(type));
  }
  if (slow.empty())
    return false;
  Value first = scatter.getInto()[slow.front()];
  auto type = cast<RankedTensorType>(first.getType());
  int64_t most = std::numeric_limits<int32_t>::max() - 1;
  if (type.hasStaticShape() && (type.getNumElements() * bytes <= kCopiedBytes ||
                                type.getNumElements() > most))
    return false;

  b.setInsertionPoint(scatter);
  for (int64_t d = 0; d < type.getRank(); ++d) {
    OpFoldResult known = getKnownSize(first, d);
    shape.push_back(
        known ? known
              : OpFoldResult(
                    tensor::DimOp::create(b, loc, first, d).getResult()));
  }
  bins = multiply(shape);
  points = multiply(space.getMixedExtents());
  remark::passed(loc, remark::RemarkOpts::name("SortedUpdates")
                          .category("convert-array-to-kernel"))
      << remark::add("values are sorted by their bins, which then fold their "
                     "own");
  auto takeAll = [&]() -> SmallVector<Value> {
    SmallVector<Value> all(scatter->getNumResults());
    if (!others.empty())
      for (auto [number, result] : llvm::zip(others, keep(others).getResults()))
        all[number] = result;
    for (auto [number, result] : llvm::zip(slow, sorted(slow)))
      all[number] = result;
    return all;
  };
  if (type.hasStaticShape()) {
    setKeys(type.getNumElements());
    b.replaceOp(scatter, takeAll());
    return true;
  }
  auto isAtMost = [&](int64_t number) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, bins,
                                 index(number));
  };
  Value isMany = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, bins,
                                       index(kCopiedBytes / bytes));
  auto branch =
      scf::IfOp::create(b, loc, scatter->getResultTypes(),
                        arith::AndIOp::create(b, loc, isMany, isAtMost(most)),
                        /*withElseRegion=*/true);
  b.replaceAllUsesWith(scatter->getResults(), branch.getResults());
  b.setInsertionPointToEnd(branch.thenBlock());
  // Half as many passes are most of the time.
  int64_t few = (int64_t(1) << 2 * kMostDigitBits) - 1;
  auto halves = scf::IfOp::create(b, loc, scatter->getResultTypes(),
                                  isAtMost(few), /*withElseRegion=*/true);
  scf::YieldOp::create(b, loc, halves.getResults());
  for (Block *block : {halves.thenBlock(), halves.elseBlock()}) {
    setKeys(block == halves.thenBlock() ? few : most);
    b.setInsertionPointToEnd(block);
    scf::YieldOp::create(b, loc, takeAll());
  }
  b.setInsertionPointToEnd(branch.elseBlock());
  b.moveOpBefore(scatter, branch.elseBlock(), branch.elseBlock()->end());
  b.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(b, loc, scatter->getResults());
  return true;
}

void arrc::sortUpdates(func::FuncOp func) {
  kernel::DeviceAttr device = kernel::DeviceAttr::get(func);
  if (!kernel::isGPU(device))
    return;
  SmallVector<ScatterOp> scatters;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto scatter = dyn_cast<ScatterOp>(op);
        scatter && scatter.getCombinerRegion())
      scatters.push_back(scatter);
    return isa<IndexSpaceOpInterface>(op) ? WalkResult::skip()
                                          : WalkResult::advance();
  });
  IRRewriter b(func.getContext());
  for (ScatterOp scatter : scatters)
    UpdateSorter(b, scatter).run(device);
}
