//===- ElementNetwork.cpp - Sorts of a few elements -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. The comparators of a network are known where the number of elements is:
// they stand one behind the other, and what they compare are scalars.
//
//   Before   %s = array.sort %x : tensor<3xi32>
//   After    %a = minsi %x0, %x1    %b = maxsi %x0, %x1
//            %c = minsi %b, %x2     %d = maxsi %b, %x2 ..
//            %s = tensor.from_elements ..
//
// Of a median only the comparators that decide it stay. Keys alone are the
// smaller and the larger one; with arrays carried along, the numbers of
// elements decide between equal keys.
//
// Reference: Batcher's merge exchange; Knuth, The Art of Computer Programming,
// volume 3, 5.2.2, algorithm M.
//
//===----------------------------------------------------------------------===//

#include "ElementNetwork.h"

#include "arrc/Dialect/Array/IR/SortWords.h"
#include "arrc/Support/BuildInside.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

/// Elements of a row that one thread sorts: 191 comparators.
static constexpr int64_t kMostElements = 32;

bool arrc::array::hasFewElements(SortOp sort) {
  int64_t size =
      cast<RankedTensorType>(sort.getKeys().getType()).getShape().back();
  return !ShapedType::isDynamic(size) && size <= kMostElements;
}

/// Calls `compare` for the comparators of `size` elements, in order.
static void forComparators(size_t size,
                           function_ref<void(size_t, size_t)> compare) {
  if (size < 2)
    return;
  size_t half = llvm::PowerOf2Ceil(size) / 2;
  for (size_t p = half; p; p /= 2) {
    size_t rest = 0, distance = p;
    for (size_t q = half;; q /= 2) {
      for (size_t i = 0; i + distance < size; ++i)
        if ((i & p) == rest)
          compare(i, i + distance);
      if (q == p)
        break;
      distance = q - p;
      rest = p;
    }
  }
}

namespace {
/// The elements of a row on their way.
class ElementNetwork {
public:
  ElementNetwork(RewriterBase &b, SortOp sort) : b(b), sort(sort) {}
  /// Sorts the row at `point`, the indices but the last. Gives a row for each
  /// result, null for those that nothing uses.
  SmallVector<Value> run(ValueRange point);

private:
  using Elements = SmallVector<Value>;

  Value read(Value array, ValueRange point, int64_t place);
  void exchange(size_t low, size_t high);
  void exchangeKeys(size_t low, size_t high);

  RewriterBase &b;
  SortOp sort;
  Location loc = sort.getLoc();
  /// What is compared; numbers and carried elements, if there are any.
  Elements words, numbers;
  SmallVector<Elements> carried;
};
} // namespace

Value ElementNetwork::read(Value array, ValueRange point, int64_t place) {
  SmallVector<Value> indices(point);
  indices.push_back(arith::ConstantIndexOp::create(b, loc, place));
  return AtOp::create(b, loc, array, indices, /*inbounds=*/true);
}

void ElementNetwork::exchangeKeys(size_t low, size_t high) {
  Value x = words[low], y = words[high];
  words[low] = arith::MinUIOp::create(b, loc, x, y);
  words[high] = arith::MaxUIOp::create(b, loc, x, y);
}

void ElementNetwork::exchange(size_t low, size_t high) {
  auto compare = [&](arith::CmpIPredicate predicate, const Elements &of) {
    return arith::CmpIOp::create(b, loc, predicate, of[high], of[low])
        .getResult();
  };
  Value less = compare(arith::CmpIPredicate::ult, words);
  Value equal = compare(arith::CmpIPredicate::eq, words);
  Value earlier = compare(arith::CmpIPredicate::ult, numbers);
  Value swap = arith::OrIOp::create(
      b, loc, less, arith::AndIOp::create(b, loc, equal, earlier));
  auto move = [&](Elements &of) {
    Value x = of[low], y = of[high];
    of[low] = arith::SelectOp::create(b, loc, swap, y, x);
    of[high] = arith::SelectOp::create(b, loc, swap, x, y);
  };
  move(words);
  move(numbers);
  llvm::for_each(carried, move);
}

SmallVector<Value> ElementNetwork::run(ValueRange point) {
  auto keys = cast<RankedTensorType>(sort.getKeys().getType());
  int64_t size = keys.getShape().back();
  words.clear();
  numbers.clear();
  carried.clear();
  for (int64_t place = 0; place < size; ++place)
    words.push_back(createSortWord(b, loc, read(sort.getKeys(), point, place),
                                   sort.getIsUnsigned()));
  SmallVector<unsigned> moved;
  for (unsigned i = 1; i < sort.getNumResults(); ++i)
    if (!sort.getResult(i).use_empty())
      moved.push_back(i);
  for (unsigned i : moved) {
    Elements &elements = carried.emplace_back();
    for (int64_t place = 0; place < size; ++place)
      elements.push_back(read(sort.getArrays()[i], point, place));
  }
  if (!moved.empty())
    for (int64_t place = 0; place < size; ++place)
      numbers.push_back(arith::ConstantIntOp::create(b, loc, place, 32));

  forComparators(size, [&](size_t low, size_t high) {
    moved.empty() ? exchangeKeys(low, high) : exchange(low, high);
  });

  SmallVector<Value> rows(sort.getNumResults());
  auto collect = [&](unsigned result, const Elements &elements) {
    Type element = getElementTypeOrSelf(sort.getResult(result).getType());
    rows[result] = tensor::FromElementsOp::create(
        b, loc, RankedTensorType::get(size, element), elements);
  };
  if (!sort.getResult(0).use_empty()) {
    Elements sorted;
    for (Value word : words)
      sorted.push_back(createSortKey(b, loc, word, keys.getElementType(),
                                     sort.getIsUnsigned()));
    collect(0, sorted);
  }
  for (auto [i, elements] : llvm::zip(moved, carried))
    collect(i, elements);
  return rows;
}

void arrc::array::expandToElements(RewriterBase &rewriter, SortOp sort) {
  rewriter.setInsertionPoint(sort);
  Location loc = sort.getLoc();
  ElementNetwork network(rewriter, sort);
  auto type = cast<RankedTensorType>(sort.getKeys().getType());
  SmallVector<Value> sorted;
  if (type.getRank() == 1) {
    sorted = network.run({});
  } else {
    SmallVector<OpFoldResult> extents;
    SmallVector<std::string> text;
    for (int64_t d = 0; d + 1 < type.getRank(); ++d) {
      OpFoldResult extent = getKnownSize(sort.getKeys(), d);
      if (!extent)
        extent =
            tensor::DimOp::create(rewriter, loc, sort.getKeys(), d).getResult();
      extents.push_back(extent);
      text.push_back("d" + std::to_string(d));
    }
    SmallVector<StringRef> names(text.begin(), text.end());
    SmallVector<bool> isUsed;
    auto build = [&](OpBuilder &nested, Location, ValueRange point) {
      buildInside(rewriter, nested, [&] {
        SmallVector<Value> rows = network.run(point), used;
        for (Value row : rows) {
          isUsed.push_back(row != nullptr);
          if (row)
            used.push_back(row);
        }
        YieldOp::create(rewriter, loc, used);
      });
    };
    auto map = MapOp::create(rewriter, loc, extents, names, build);
    unsigned next = 0;
    for (bool used : isUsed)
      sorted.push_back(used ? map.getResult(next++) : Value());
  }
  for (auto [array, row] : llvm::zip(sort.getArrays(), sorted))
    if (!row)
      row = array;
  rewriter.replaceOp(sort, sorted);
}
