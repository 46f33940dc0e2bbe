//===- ExpandSorts.cpp - Sorts of bodies as networks ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A sort in a body has no launches of its own: it becomes a loop of maps,
// Batcher's bitonic network in the form in which every comparator puts the
// smaller element first (the first step of each merge compares mirrored
// places). Elements beyond the end would be larger than all others and never
// move, so the size need not be a power of two.
//
//   Before   %s = array.sort %keys : tensor<?xf32>
//   After    %perm = scf.while (block 2, 4, .. below 2n) {
//              scf.while (distance block, block/2, .. 2) {
//                array.map: the numbers at i and its partner, in order
//            %s = array.map (%i) { keys at the number at i }
//
// What moves are the elements' numbers; numbers also decide between equal keys,
// which makes the order stable. n log(n)^2 / 2 steps, all of them parallel.
//
// Rows of a constant number of elements are sorted by one thread, if they fit
// its registers (ElementNetwork.cpp).
//
// Legal: always. Pays: never; sorts of the host have better ones.
//
// Reference: Batcher, Sorting networks and their applications, 1968.
//
//===----------------------------------------------------------------------===//

#include "ElementNetwork.h"
#include "UnrollPatterns.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/IR/SortWords.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"
#include "arrc/Support/BuildInside.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace arrc::array {
#define GEN_PASS_DEF_EXPANDSORTSPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

namespace {

/// The network of one sort.
class Network {
public:
  Network(IRRewriter &b, SortOp sort);
  void expand();

private:
  using Body = function_ref<Value(ValueRange)>;

  Value number(int64_t value) {
    return arith::ConstantIntOp::create(b, loc, value, 64);
  }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  }
  Value toNumber(Value index) {
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
  }
  Value map(Body body);
  Value readRow(Value array, ValueRange indices, Value place);
  Value getWord(ValueRange indices, Value place);
  Value step(Value perm, Value block, Value distance);
  Value loop(Value first, Value perm, function_ref<Value(Value)> more,
             function_ref<Value(Value)> next,
             function_ref<Value(Value, Value)> body);

  IRRewriter &b;
  SortOp sort;
  Location loc;
  SmallVector<OpFoldResult> extents;
  Value size;
};

} // namespace

Network::Network(IRRewriter &b, SortOp sort)
    : b(b), sort(sort), loc(sort.getLoc()) {
  b.setInsertionPoint(sort);
  auto type = cast<RankedTensorType>(sort.getKeys().getType());
  for (int64_t d = 0; d < type.getRank(); ++d)
    extents.push_back(getOrCreateSize(b, loc, sort.getKeys(), d));
  size = toNumber(getValueOrCreateConstantIndexOp(b, loc, extents.back()));
}

Value Network::map(Body body) {
  SmallVector<std::string> text = array::detail::indexNames({}, extents.size());
  SmallVector<StringRef> names(text.begin(), text.end());
  auto build = [&](OpBuilder &nested, Location, ValueRange indices) {
    buildInside(b, nested,
                [&] { YieldOp::create(b, loc, ValueRange(body(indices))); });
  };
  return MapOp::create(b, loc, extents, names, build).getResult(0);
}

/// The element of the row of `indices` at `place`, a number.
Value Network::readRow(Value array, ValueRange indices, Value place) {
  SmallVector<Value> point(indices);
  point.back() = arith::IndexCastOp::create(b, loc, b.getIndexType(), place);
  return AtOp::create(b, loc, array, point, /*inbounds=*/true);
}

Value Network::getWord(ValueRange indices, Value place) {
  return createSortWord(b, loc, readRow(sort.getKeys(), indices, place),
                        sort.getIsUnsigned());
}

/// One step: every place and its partner in order.
Value Network::step(Value perm, Value block, Value distance) {
  return map([&](ValueRange indices) -> Value {
    Value i = toNumber(indices.back()), one = number(1);
    // Mirrored in the block at first, then half the distance away.
    Value isFirst = compare(arith::CmpIPredicate::eq, block, distance);
    Value mask = arith::SelectOp::create(
        b, loc, isFirst, arith::SubIOp::create(b, loc, block, one),
        arith::ShRUIOp::create(b, loc, distance, one));
    Value partner = arith::XOrIOp::create(b, loc, i, mask);
    Value exists = compare(arith::CmpIPredicate::slt, partner, size);
    partner = arith::SelectOp::create(b, loc, exists, partner, i);
    Value mine = readRow(perm, indices, i);
    Value other = readRow(perm, indices, partner);
    Value word = getWord(indices, mine), otherWord = getWord(indices, other);
    Value isLess = compare(arith::CmpIPredicate::ult, otherWord, word);
    Value isEqual = compare(arith::CmpIPredicate::eq, otherWord, word);
    Value isEarlier = compare(arith::CmpIPredicate::slt, other, mine);
    Value otherIsLess = arith::OrIOp::create(
        b, loc, isLess, arith::AndIOp::create(b, loc, isEqual, isEarlier));
    // The lower place takes the smaller one.
    Value isLower = compare(arith::CmpIPredicate::slt, i, partner);
    Value isSelf = compare(arith::CmpIPredicate::eq, i, partner);
    Value takes = compare(arith::CmpIPredicate::eq, otherIsLess, isLower);
    return arith::SelectOp::create(
        b, loc, isSelf, mine,
        arith::SelectOp::create(b, loc, takes, other, mine));
  });
}

Value Network::loop(Value first, Value perm, function_ref<Value(Value)> more,
                    function_ref<Value(Value)> next,
                    function_ref<Value(Value, Value)> body) {
  SmallVector<Type> types{b.getI64Type(), perm.getType()};
  SmallVector<Location> locs(2, loc);
  auto op = scf::WhileOp::create(b, loc, types, ValueRange{first, perm});
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&op.getBefore(), {}, types, locs);
  scf::ConditionOp::create(b, loc, more(before->getArgument(0)),
                           before->getArguments());
  Block *after = b.createBlock(&op.getAfter(), {}, types, locs);
  Value counter = after->getArgument(0);
  Value bound = BindOp::create(b, loc, after->getArgument(1), extents);
  Value result = body(counter, bound);
  scf::YieldOp::create(b, loc, ValueRange{next(counter), result});
  return op.getResult(1);
}

void Network::expand() {
  Value numbers = map(
      [&](ValueRange indices) -> Value { return toNumber(indices.back()); });
  Value two = number(2);
  Value twice = arith::MulIOp::create(b, loc, size, two);
  // Blocks of 2, 4, .. up to the first that holds everything.
  Value perm = loop(
      two, numbers,
      [&](Value block) {
        return compare(arith::CmpIPredicate::slt, block, twice);
      },
      [&](Value block) -> Value {
        return arith::ShLIOp::create(b, loc, block, number(1));
      },
      [&](Value block, Value outer) {
        return loop(
            block, outer,
            [&](Value distance) {
              return compare(arith::CmpIPredicate::sge, distance, number(2));
            },
            [&](Value distance) -> Value {
              return arith::ShRUIOp::create(b, loc, distance, number(1));
            },
            [&](Value distance, Value inner) {
              return step(inner, block, distance);
            });
      });
  perm = BindOp::create(b, loc, perm, extents);
  SmallVector<Value> sorted;
  for (auto [array, result] : llvm::zip(sort.getArrays(), sort.getResults()))
    sorted.push_back(result.use_empty() ? array : map([&](ValueRange indices) {
      Value place = AtOp::create(b, loc, perm, indices,
                                 /*inbounds=*/true);
      return readRow(array, indices, place);
    }));
  b.replaceOp(sort, sorted);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct ExpandSortsPass
    : public arrc::array::impl::ExpandSortsPassBase<ExpandSortsPass> {
  using ExpandSortsPassBase::ExpandSortsPassBase;

  void runOnOperation() override {
    SmallVector<SortOp> sorts;
    getOperation().walk([&](SortOp sort) {
      if (all || isInBody(sort))
        sorts.push_back(sort);
    });
    IRRewriter rewriter(&getContext());
    for (SortOp sort : sorts)
      if (hasFewElements(sort))
        expandToElements(rewriter, sort);
      else
        Network(rewriter, sort).expand();
  }
};

} // namespace
