//===- StridedLoads.cpp - Lanes along rows of few elements ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Lanes that step from row to row of an array with rows of a few elements, a
// number that is known, read one column of as many rows as there are lanes:
// whole pieces of 16 bytes are loaded in place of a gather, and rearranged.
// Loads of the other columns of the same rows that stand beside share both.
//
// With E elements in 16 bytes and rows of P, E rows are P pieces. One vector
// holds the first piece of each E rows, the next one their second, and so on,
// so that nothing but the E rows have to be rearranged, within 16 bytes:
//
//   P a multiple of E   squares are transposed
//   P even              even and odd columns part
//   else                columns are picked piece by piece
//
//   E = 4, P = 3:  a0 a1 a2 b0 | b1 b2 c0 c1 | c2 d0 d1 d2  to  a0 b0 c0 d0, ..
//
// Lanes that step from row to row of any array read a column of a square with
// the loads of the columns beside it, which stand in the same block where loops
// are jammed: the rows of the square are loaded as vectors and transposed.
//
//===----------------------------------------------------------------------===//

#include "LaunchEmitter.h"

#include "arrc/Analysis/AccessPattern.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace arrc;

/// Bytes of a piece, and elements of the longest rows that are read so.
static constexpr int64_t kPieceBytes = 16, kLongestRow = 16;
/// Rows of a square, and columns, that are not worth a gather each.
static constexpr int64_t kFewestRows = 4;

namespace {
/// Rearranges elements within pieces.
class Pieces {
public:
  Pieces(OpBuilder &b, Location loc, int64_t lanes, int64_t elements)
      : b(b), loc(loc), lanes(lanes), elements(elements) {}

  /// The columns of what `parts` hold, as many as there are parts.
  SmallVector<Value> getColumns(ArrayRef<Value> parts);
  /// Each square of a piece of all `rows` the other way round; there are as
  /// many as a piece has elements.
  SmallVector<Value> transpose(SmallVector<Value> rows);

private:
  /// Of each piece those that `pick` names: elements of `x`, then of `y`.
  Value shuffle(Value x, Value y, function_ref<int64_t(int64_t)> pick);
  SmallVector<Value> halve(ArrayRef<Value> parts);
  SmallVector<Value> pick(ArrayRef<Value> parts);

  OpBuilder &b;
  Location loc;
  int64_t lanes, elements;
};
} // namespace

Value Pieces::shuffle(Value x, Value y, function_ref<int64_t(int64_t)> pick) {
  SmallVector<int64_t> mask;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    int64_t from = pick(lane % elements), piece = lane - lane % elements;
    mask.push_back(piece + from + (from < elements ? 0 : lanes - elements));
  }
  return vector::ShuffleOp::create(b, loc, x, y, mask);
}

SmallVector<Value> Pieces::transpose(SmallVector<Value> rows) {
  int64_t half = elements / 2;
  for (int64_t step = 1; step < elements; step *= 2) {
    SmallVector<Value> next;
    for (int64_t i = 0; i < half; ++i)
      for (int64_t first : {int64_t(0), half})
        next.push_back(shuffle(rows[i], rows[half + i], [&](int64_t e) {
          return first + e / 2 + (e % 2) * elements;
        }));
    rows = std::move(next);
  }
  return rows;
}

SmallVector<Value> Pieces::halve(ArrayRef<Value> parts) {
  SmallVector<Value> columns(parts.size());
  for (int64_t odd : {0, 1}) {
    SmallVector<Value> half;
    for (size_t p = 0; p < parts.size(); p += 2)
      half.push_back(shuffle(parts[p], parts[p + 1],
                             [&](int64_t e) { return 2 * e + odd; }));
    for (auto [k, column] : llvm::enumerate(getColumns(half)))
      columns[2 * k + odd] = column;
  }
  return columns;
}

SmallVector<Value> Pieces::pick(ArrayRef<Value> parts) {
  int64_t count = parts.size();
  SmallVector<Value> columns;
  for (int64_t column = 0; column < count; ++column) {
    Value sum;
    for (int64_t p = column / elements; p < count; ++p) {
      // Elements that are not there yet are as they are in the part.
      bool any = false;
      auto from = [&](int64_t e) {
        int64_t place = e * count + column;
        bool here = place / elements == p;
        any |= here;
        return sum ? (here ? elements + place % elements : e)
                   : (here ? place % elements : e);
      };
      Value next = shuffle(sum ? sum : parts[p], parts[p], from);
      if (any)
        sum = next;
      else
        next.getDefiningOp()->erase();
    }
    columns.push_back(sum);
  }
  return columns;
}

SmallVector<Value> Pieces::getColumns(ArrayRef<Value> parts) {
  int64_t count = parts.size();
  if (count == 1)
    return {parts.front()};
  if (elements > 1 && count % elements == 0) {
    int64_t width = count / elements;
    SmallVector<Value> columns;
    for (int64_t first = 0; first < width; ++first) {
      SmallVector<Value> rows;
      for (int64_t row = 0; row < elements; ++row)
        rows.push_back(parts[row * width + first]);
      llvm::append_range(columns, transpose(rows));
    }
    return columns;
  }
  return count % 2 == 0 ? halve(parts) : pick(parts);
}

/// One vector of all `pieces`, of which there are a power of two.
static Value join(OpBuilder &b, Location loc, SmallVector<Value> pieces) {
  while (pieces.size() > 1) {
    SmallVector<Value> pairs;
    int64_t width =
        2 * cast<VectorType>(pieces.front().getType()).getNumElements();
    for (size_t i = 0; i < pieces.size(); i += 2)
      pairs.push_back(vector::ShuffleOp::create(
          b, loc, pieces[i], pieces[i + 1],
          llvm::to_vector(llvm::seq<int64_t>(0, width))));
    pieces = std::move(pairs);
  }
  return pieces.front();
}

/// The only dimension whose index differs between lanes, by a number from one
/// to the next.
static std::optional<unsigned> getMoving(ArrayRef<LaneValue> indices) {
  std::optional<unsigned> dim;
  for (auto [d, index] : llvm::enumerate(indices)) {
    if (index.isUniform())
      continue;
    if (dim || index.isVector)
      return std::nullopt;
    dim = d;
  }
  return dim;
}

/// Elements of a row below dimension `dim`, if they are next to each other and
/// their number is known, and the place in it that `indices` name.
static std::optional<std::pair<int64_t, int64_t>>
getRowPlace(kernel::LaunchOp launch, Value argument, MemRefType type,
            ArrayRef<LaneValue> indices, unsigned dim) {
  if (!type.getLayout().isIdentity())
    return std::nullopt;
  auto known = dyn_cast<BlockArgument>(argument);
  bool isArgument = known && known.getOwner() == launch.getBodyBlock();
  int64_t elements = 1, place = 0;
  for (unsigned d = dim + 1; d < indices.size(); ++d) {
    std::optional<int64_t> size, index;
    if (!type.isDynamicDim(d))
      size = type.getDimSize(d);
    else if (isArgument)
      size = getConstantIntValue(launch.getOuterSize(known.getArgNumber(), d));
    if (indices[d].isUniform())
      index = getConstantIntValue(indices[d].value);
    if (!size || *size <= 0 || *size > kLongestRow || !index || *index < 0 ||
        *index >= *size)
      return std::nullopt;
    elements *= *size;
    place = place * *size + *index;
  }
  if (elements < 2 || elements > kLongestRow)
    return std::nullopt;
  return std::make_pair(elements, place);
}

Value LaunchEmitter::loadColumn(Location loc, Value argument, Value array,
                                ArrayRef<LaneValue> indices) {
  auto type = cast<MemRefType>(array.getType());
  Type element = type.getElementType();
  if (lanes < 2 || !element.isIntOrIndexOrFloat() || element.isInteger(1))
    return {};
  std::optional<unsigned> dim = getMoving(indices);
  if (!dim || indices[*dim].stride != 1)
    return {};
  auto row = getRowPlace(launch, argument, type, indices, *dim);
  if (!row)
    return {};
  auto [count, place] = *row;
  SmallVector<Value> first;
  for (LaneValue index : indices.take_front(*dim + 1))
    first.push_back(index.value);
  for (const Columns &known : columns)
    if (known.block == b.getInsertionBlock() && known.array == array &&
        known.lanes == lanes && known.first == first)
      return known.values[place];
  int64_t size = std::min(kPieceBytes / getElementBytes(element), lanes);
  // The first of the elements, all in one dimension.
  Value begin = arith::MulIOp::create(b, loc, first.back(),
                                      constantIndex(loc, count).value);
  if (*dim > 0) {
    auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, array);
    for (auto [index, stride] :
         llvm::zip(ArrayRef(first).drop_back(),
                   metadata.getStrides().take_front(*dim)))
      begin = arith::AddIOp::create(
          b, loc, begin, arith::MulIOp::create(b, loc, index, stride));
  }
  auto all = llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank()));
  Value flat = memref::CollapseShapeOp::create(
      b, loc, array, SmallVector<ReassociationIndices>{all});
  auto piece = VectorType::get({size}, element);
  SmallVector<Value> parts;
  for (int64_t p = 0; p < count; ++p) {
    SmallVector<Value> pieces;
    for (int64_t rows = 0; rows < lanes; rows += size) {
      Value offset = constantIndex(loc, rows * count + p * size).value;
      pieces.push_back(vector::LoadOp::create(
          b, loc, piece, flat,
          ValueRange{arith::AddIOp::create(b, loc, begin, offset)}));
    }
    parts.push_back(join(b, loc, std::move(pieces)));
  }
  columns.push_back({b.getInsertionBlock(), array, first, lanes,
                     Pieces(b, loc, lanes, size).getColumns(parts)});
  return columns.back().values[place];
}

//===----------------------------------------------------------------------===//
// Squares
//===----------------------------------------------------------------------===//

/// The loads behind `load` in its block, itself first, that read the elements
/// behind its own in the last dimension, one after the other. Nothing is
/// written in between.
static SmallVector<kernel::LoadOp> findNeighbours(kernel::LoadOp load) {
  SmallVector<LinearIndex> own(llvm::map_range(
      load.getIndices(), [](Value index) { return LinearIndex(index); }));
  SmallVector<kernel::LoadOp> found{load};
  for (Operation *op = load->getNextNode(); op; op = op->getNextNode()) {
    auto other = dyn_cast<kernel::LoadOp>(op);
    if (op->getNumRegions() || (!other && !isMemoryEffectFree(op)))
      break;
    if (!other || other.getSource() != load.getSource() || other.getMask() ||
        other.getEdge())
      continue;
    bool isRow = llvm::all_of(
        llvm::zip(ArrayRef(own).drop_back(), other.getIndices().drop_back()),
        [](auto pair) {
          return LinearIndex(std::get<1>(pair)) == std::get<0>(pair);
        });
    if (isRow &&
        LinearIndex(other.getIndices().back()).distanceFrom(own.back()) ==
            int64_t(found.size()))
      found.push_back(other);
  }
  return found;
}

Value LaunchEmitter::loadSquare(kernel::LoadOp load, Value array,
                                ArrayRef<LaneValue> indices) {
  if (auto known = squares.find(load); known != squares.end()) {
    Value column = known->second;
    squares.erase(known);
    return column;
  }
  Type element = cast<MemRefType>(array.getType()).getElementType();
  if (lanes < kFewestRows || !element.isIntOrIndexOrFloat() ||
      element.isInteger(1) || load.getEdge() || !indices.back().isUniform())
    return {};
  std::optional<unsigned> dim = getMoving(indices);
  if (!dim)
    return {};
  SmallVector<kernel::LoadOp> neighbours = findNeighbours(load);
  int64_t count = std::min<int64_t>(llvm::bit_floor(neighbours.size()), lanes);
  if (count < kFewestRows)
    return {};
  Location loc = load.getLoc();
  SmallVector<Value> place;
  for (LaneValue index : indices)
    place.push_back(index.value);
  Value first = place[*dim];
  SmallVector<Value> rows;
  auto type = VectorType::get({count}, element);
  for (int64_t row = 0; row < lanes; ++row) {
    Value step = constantIndex(loc, row * indices[*dim].stride).value;
    place[*dim] = arith::AddIOp::create(b, loc, first, step);
    rows.push_back(vector::LoadOp::create(b, loc, type, array, place));
  }
  // Piece k of a vector is a row of square k.
  SmallVector<Value> parts;
  for (int64_t row = 0; row < count; ++row) {
    SmallVector<Value> pieces;
    for (int64_t square = 0; square < lanes; square += count)
      pieces.push_back(rows[square + row]);
    parts.push_back(join(b, loc, std::move(pieces)));
  }
  SmallVector<Value> all =
      Pieces(b, loc, lanes, count).transpose(std::move(parts));
  for (int64_t column = 1; column < count; ++column)
    squares[neighbours[column]] = all[column];
  return all.front();
}
