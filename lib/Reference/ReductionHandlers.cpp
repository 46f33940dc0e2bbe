//===- ReductionHandlers.cpp - reductions, scans, scatters, filters -------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Fold.h"
#include "IndexSpace.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Support/Combiner.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace arrc;
using namespace arrc::reference;

static LogicalResult runReduce(Interpreter &interp, Operation *op) {
  auto reduce = cast<array::ReduceOp>(op);
  Fold fold(interp, op, reduce.getCombiner(), interp.cellsOf(reduce.getInit()));
  if (interp.failure || failed(forEachPoint(interp, op,
                                            [&](llvm::ArrayRef<int64_t>,
                                                llvm::ArrayRef<Cell> values) {
                                              return fold.add(values);
                                            })))
    return failure();
  llvm::SmallVector<Cell> results;
  if (failed(fold.values(results)))
    return failure();
  for (auto [result, value] : llvm::zip_equal(op->getResults(), results))
    interp.set(result, value);
  return success();
}

static LogicalResult runScan(Interpreter &interp, Operation *op) {
  auto scan = cast<array::ScanOp>(op);
  Location loc = op->getLoc();
  auto extents = extentsOf(interp, scan.getMixedExtents(), loc);
  if (!extents)
    return failure();
  llvm::SmallVector<Cell> init = interp.cellsOf(scan.getInit());
  Fold fold(interp, op, scan.getCombiner(), init);
  if (interp.failure)
    return failure();

  llvm::SmallVector<std::shared_ptr<Tensor>> prefixes;
  for (auto [cell, result] : llvm::zip_equal(init, scan.getPrefixes())) {
    llvm::SmallVector<int64_t> shape = *extents;
    if (cell.array)
      llvm::append_range(shape, cell.array->shape());
    prefixes.push_back(interp.allocate(loc, result.getType(), shape));
    if (!prefixes.back())
      return failure();
  }
  // Writes the fold so far at an index.
  llvm::SmallVector<Cell> now;
  auto keep = [&](int64_t index) -> LogicalResult {
    if (failed(fold.values(now)))
      return failure();
    for (auto [tensor, cell] : llvm::zip_equal(prefixes, now)) {
      if (!cell.array) {
        tensor->set(index, cell.number);
        continue;
      }
      auto row = interp.densify(loc, cell.array);
      if (!row)
        return failure();
      for (int64_t k = 0; k < row->size(); ++k)
        tensor->set(index * row->size() + k, row->get(k));
    }
    return success();
  };
  LogicalResult done =
      forEachPoint(interp, op,
                   [&](llvm::ArrayRef<int64_t> index,
                       llvm::ArrayRef<Cell> values) -> LogicalResult {
                     if (scan.getExclusive() && failed(keep(index[0])))
                       return failure();
                     if (failed(fold.add(values)))
                       return failure();
                     return scan.getExclusive() ? success() : keep(index[0]);
                   });
  if (failed(done) || failed(fold.values(now)))
    return failure();
  for (auto [result, tensor] : llvm::zip_equal(scan.getPrefixes(), prefixes))
    interp.set(result, interp.finish(std::move(tensor)));
  for (auto [result, cell] : llvm::zip_equal(scan.getTotals(), now))
    interp.set(result, cell);
  return success();
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

namespace {
/// The run of one scatter. Arrays are divided into the elements or rows that
/// an index names; each has its own fold once a value meets it.
class Scatter {
public:
  Scatter(Interpreter &interp, array::ScatterOp op)
      : interp(interp), op(op), loc(op.getLoc()),
        rank(cast<array::IndexSpaceOpInterface>(op.getOperation())
                 .getYield()
                 .getIndices()
                 .size()) {}

  LogicalResult run() {
    for (Value v : op.getInto()) {
      auto tensor = interp.densify(loc, interp.array(v));
      auto copy =
          tensor ? interp.allocate(loc, v.getType(), tensor->shape()) : nullptr;
      if (!copy)
        return failure();
      *copy = *tensor;
      arrays.push_back(std::move(copy));
    }
    if (failed(forEachPoint(
            interp, op,
            [&](llvm::ArrayRef<int64_t> point, llvm::ArrayRef<Cell> yielded) {
              return put(yielded.drop_back(rank), yielded.take_back(rank));
            })))
      return failure();
    for (auto &[row, fold] : folds) {
      llvm::SmallVector<Cell> values;
      if (failed(fold->values(values)) || failed(write(row, values)))
        return failure();
    }
    for (auto [result, tensor] : llvm::zip_equal(op.getResults(), arrays))
      interp.set(result, interp.finish(std::move(tensor)));
    return success();
  }

private:
  /// The number of the row that an index names; none if it is outside and
  /// dropped, or after a failure.
  std::optional<int64_t> rowOf(llvm::ArrayRef<Cell> index) {
    int64_t row = 0;
    for (int64_t d = 0; d < rank; ++d) {
      int64_t i = index[d].number.i, n = arrays.front()->shape()[d];
      if (i < 0 || i >= n) {
        // No index is near in an empty dimension.
        bool isDropped = op.getOob() == array::OutOfBounds::Drop ||
                         (op.getOob() == array::OutOfBounds::Clamp && n == 0);
        if (isDropped)
          return std::nullopt;
        if (op.getOob() == array::OutOfBounds::Fail) {
          (void)interp.fail(loc, "index", outsideText(i, n));
          return std::nullopt;
        }
        i = std::clamp<int64_t>(i, 0, n - 1);
      }
      row = row * n + i;
    }
    return row;
  }

  LogicalResult put(llvm::ArrayRef<Cell> values, llvm::ArrayRef<Cell> index) {
    std::optional<int64_t> row = rowOf(index);
    if (!row)
      return interp.failure ? failure() : success();
    if (op.getCombiner().empty()) {
      if (!written.insert(*row).second && interp.options.checkDuplicates)
        return interp.fail(loc, "index",
                           "two values are put at the same index, " +
                               std::to_string(index[0].number.i) +
                               (rank > 1 ? ", .." : ""));
      return write(*row, values);
    }
    std::unique_ptr<Fold> &fold = folds[*row];
    if (!fold) {
      llvm::SmallVector<Cell> init;
      for (auto [k, value] : llvm::enumerate(values))
        init.push_back(read(k, *row, bool(value.array)));
      if (interp.failure)
        return failure();
      fold = std::make_unique<Fold>(interp, op, op.getCombiner(), init);
    }
    return fold->add(values);
  }

  /// The number of elements of a row of array `k`.
  int64_t width(size_t k) const {
    return *elementCount(arrays[k]->shape().drop_front(rank));
  }
  Cell read(size_t k, int64_t row, bool isArray) {
    if (!isArray)
      return arrays[k]->get(row);
    auto tensor = interp.allocate(loc, op.getInto()[k].getType(),
                                  arrays[k]->shape().drop_front(rank));
    if (!tensor)
      return Cell();
    for (int64_t e = 0; e < tensor->size(); ++e)
      tensor->set(e, arrays[k]->get(row * tensor->size() + e));
    return interp.finish(std::move(tensor));
  }
  LogicalResult write(int64_t row, llvm::ArrayRef<Cell> values) {
    for (auto [k, value] : llvm::enumerate(values)) {
      if (!value.array) {
        arrays[k]->set(row, value.number);
        continue;
      }
      auto tensor = interp.densify(loc, value.array);
      if (!tensor)
        return failure();
      if (tensor->size() != width(k))
        return interp.fail(loc, "size", "a row has another size");
      for (int64_t e = 0; e < tensor->size(); ++e)
        arrays[k]->set(row * tensor->size() + e, tensor->get(e));
    }
    return success();
  }

  Interpreter &interp;
  array::ScatterOp op;
  Location loc;
  int64_t rank;
  llvm::SmallVector<std::shared_ptr<Tensor>> arrays;
  llvm::DenseMap<int64_t, std::unique_ptr<Fold>> folds;
  llvm::DenseSet<int64_t> written;
};
} // namespace

static LogicalResult runScatter(Interpreter &interp, Operation *op) {
  return Scatter(interp, cast<array::ScatterOp>(op)).run();
}

//===----------------------------------------------------------------------===//
// Filters
//===----------------------------------------------------------------------===//

static LogicalResult runFilter(Interpreter &interp, Operation *op) {
  auto filter = cast<array::FilterOp>(op);
  Location loc = op->getLoc();
  llvm::SmallVector<llvm::SmallVector<Cell>> kept;
  // Rows have their shape whether they are kept or not.
  llvm::SmallVector<llvm::SmallVector<int64_t>> rows;
  for (Value value :
       cast<array::YieldOp>(filter.getBody().front().getTerminator())
           .getValues()
           .drop_front())
    rows.push_back(unseenShape(interp, &filter.getBody(), value));
  Scalar count;
  // Behind a decision that rounding may turn, what stands where is anybody's
  // guess.
  auto add = [&](llvm::ArrayRef<int64_t>, llvm::ArrayRef<Cell> values) {
    if (values.front().number.dev > 0)
      count.dev = unbounded;
    for (auto [shape, cell] : llvm::zip(rows, values.drop_front()))
      if (cell.array)
        shape.assign(cell.array->shape().begin(), cell.array->shape().end());
    if (values.front().number.i & 1) {
      kept.emplace_back(values.drop_front());
      if (count.dev > 0)
        for (Cell &cell : kept.back())
          cell.number.dev = unbounded;
    }
    return success();
  };
  if (failed(forEachPoint(interp, op, add)))
    return failure();
  count.i = kept.size();
  interp.set(filter.getCount(), Cell(count));
  for (auto [k, result] : llvm::enumerate(filter.getArrays())) {
    llvm::SmallVector<int64_t> shape{count.i};
    llvm::append_range(shape, rows[k]);
    auto tensor =
        interp.allocate(loc, cast<RankedTensorType>(result.getType()), shape);
    if (!tensor)
      return failure();
    int64_t at = 0;
    for (const llvm::SmallVector<Cell> &values : kept) {
      if (!values[k].array) {
        tensor->set(at++, values[k].number);
        continue;
      }
      auto row = interp.densify(loc, values[k].array);
      if (!row)
        return failure();
      if (row->shape() != llvm::ArrayRef(shape).drop_front())
        return interp.fail(loc, "size", "a row has another size");
      for (int64_t e = 0; e < row->size(); ++e)
        tensor->set(at++, row->get(e));
    }
    interp.set(result, interp.finish(std::move(tensor)));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Sorts
//===----------------------------------------------------------------------===//

/// The total order of keys: -0 before 0, NaN last.
static bool precedes(const Scalar &x, const Scalar &y, bool isFloat,
                     bool isUnsigned) {
  if (!isFloat)
    return isUnsigned ? uint64_t(x.i) < uint64_t(y.i) : x.i < y.i;
  if (std::isnan(x.re) || std::isnan(y.re))
    return !std::isnan(x.re) && std::isnan(y.re);
  return x.re < y.re ||
         (x.re == y.re && std::signbit(x.re) && !std::signbit(y.re));
}

static LogicalResult runSort(Interpreter &interp, Operation *op) {
  auto sort = cast<array::SortOp>(op);
  bool isFloat = isa<FloatType>(sort.getKeyType());
  bool isUnsigned = sort.getIsUnsigned() || sort.getKeyType().isInteger(1);
  unsigned width = sort.getKeyType().getIntOrFloatBitWidth();
  llvm::SmallVector<std::shared_ptr<const Tensor>> arrays;
  llvm::SmallVector<std::shared_ptr<Tensor>> results;
  for (Value array : sort.getArrays()) {
    arrays.push_back(interp.densify(op->getLoc(), interp.array(array)));
    if (!arrays.back())
      return failure();
    results.push_back(
        interp.allocate(op->getLoc(), array.getType(), arrays.back()->shape()));
    if (!results.back())
      return failure();
  }
  const Tensor &keys = *arrays.front();
  int64_t length = keys.shape().back();
  for (int64_t first = 0; length && first < keys.size(); first += length) {
    llvm::SmallVector<Scalar> row;
    llvm::SmallVector<int64_t> order;
    double dev = 0;
    for (int64_t k = 0; k < length; ++k) {
      row.push_back(keys.get(first + k));
      dev = std::max(dev, row.back().dev);
      if (!isFloat && isUnsigned)
        row.back().i &= llvm::maskTrailingOnes<uint64_t>(width);
      order.push_back(k);
    }
    llvm::sort(order, [&](int64_t a, int64_t b) {
      if (precedes(row[a], row[b], isFloat, isUnsigned))
        return true;
      return a < b && !precedes(row[b], row[a], isFloat, isUnsigned);
    });
    // Sorted keys are as far away as keys are; who they belong to is anybody's
    // guess where they are not exact.
    for (auto [number, array, result] : llvm::enumerate(arrays, results))
      for (int64_t k = 0; k < length; ++k) {
        Scalar value = array->get(first + order[k]);
        if (dev > 0)
          value.dev = number == 0 ? dev : unbounded;
        result->set(first + k, value);
      }
  }
  for (auto [result, value] : llvm::zip(results, sort.getResults()))
    interp.set(value, interp.finish(std::move(result)));
  return success();
}

void arrc::reference::addReductionHandlers(HandlerTable &table) {
  table.add<array::ReduceOp>(runReduce);
  table.add<array::ScanOp>(runScan);
  table.add<array::ScatterOp>(runScatter);
  table.add<array::FilterOp>(runFilter);
  table.add<array::SortOp>(runSort);
}
