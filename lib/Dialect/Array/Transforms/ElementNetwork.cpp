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
//   After    %a = minui %w0, %w1    %b = maxui %w0, %w1
//            %c = minui %b, %w2     %d = maxui %b, %w2 ..
//            %s = tensor.from_elements ..
//
// for the words of the keys (SortWords.h).
//
// Of a median only the comparators that decide it stay. Keys alone are the
// smaller and the larger one; with arrays carried along, the numbers of
// elements decide between equal keys.
//
//===----------------------------------------------------------------------===//

#include "ElementNetwork.h"

#include "arrc/Dialect/Array/IR/SortWords.h"
#include "arrc/Support/BuildInside.h"
#include "arrc/Support/MergeExchange.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

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

namespace {
/// The elements of a row on their way.
class ElementNetwork {
public:
  ElementNetwork(RewriterBase &b, SortOp sort) : b(b), sort(sort) {}
  /// Sorts the row at `point`, the indices but the last. Gives a row for each
  /// of the `used` results.
  SmallVector<Value> run(ValueRange point, ArrayRef<unsigned> used);

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

SmallVector<Value> ElementNetwork::run(ValueRange point,
                                       ArrayRef<unsigned> used) {
  auto keys = cast<RankedTensorType>(sort.getKeys().getType());
  int64_t size = keys.getShape().back();
  for (int64_t place = 0; place < size; ++place)
    words.push_back(createSortWord(b, loc, read(sort.getKeys(), point, place),
                                   sort.getIsUnsigned()));
  bool givesKeys = !used.empty() && used.front() == 0;
  for (unsigned i : used.drop_front(givesKeys)) {
    Elements &elements = carried.emplace_back();
    for (int64_t place = 0; place < size; ++place)
      elements.push_back(read(sort.getArrays()[i], point, place));
  }
  if (!carried.empty())
    for (int64_t place = 0; place < size; ++place)
      numbers.push_back(arith::ConstantIntOp::create(b, loc, place, 32));

  forMergeExchange(size, [&](size_t low, size_t high) {
    carried.empty() ? exchangeKeys(low, high) : exchange(low, high);
  });

  SmallVector<Value> rows;
  auto addRow = [&](const Elements &elements) {
    auto type = RankedTensorType::get(size, elements.front().getType());
    rows.push_back(tensor::FromElementsOp::create(b, loc, type, elements));
  };
  if (givesKeys) {
    Elements sorted;
    for (Value word : words)
      sorted.push_back(createSortKey(b, loc, word, keys.getElementType(),
                                     sort.getIsUnsigned()));
    addRow(sorted);
  }
  llvm::for_each(carried, addRow);
  return rows;
}

void arrc::array::expandToElements(RewriterBase &rewriter, SortOp sort) {
  rewriter.setInsertionPoint(sort);
  Location loc = sort.getLoc();
  ElementNetwork network(rewriter, sort);
  SmallVector<unsigned> used;
  for (OpResult result : sort.getResults())
    if (!result.use_empty())
      used.push_back(result.getResultNumber());
  SmallVector<OpFoldResult> extents;
  auto type = cast<RankedTensorType>(sort.getKeys().getType());
  for (int64_t d = 0; d + 1 < type.getRank(); ++d)
    extents.push_back(getOrCreateSize(rewriter, loc, sort.getKeys(), d));

  SmallVector<Value> rows;
  if (extents.empty()) {
    rows = network.run({}, used);
  } else {
    SmallVector<std::string> text =
        array::detail::indexNames({}, extents.size());
    SmallVector<StringRef> names(text.begin(), text.end());
    auto build = [&](OpBuilder &nested, Location, ValueRange point) {
      buildInside(rewriter, nested, [&] {
        YieldOp::create(rewriter, loc, network.run(point, used));
      });
    };
    auto map = MapOp::create(rewriter, loc, extents, names, build);
    llvm::append_range(rows, map.getResults());
  }
  SmallVector<Value> sorted(sort.getArrays());
  for (auto [number, row] : llvm::zip(used, rows))
    sorted[number] = row;
  rewriter.replaceOp(sort, sorted);
}
