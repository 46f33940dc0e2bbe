//===- StageBox.cpp - What a block reads of an array, copied on chip ------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "StageBox.h"

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Copies of one thread that are written out.
static constexpr int64_t kUnrolled = 16;
/// Elements of rows that are short.
static constexpr int64_t kShortRow = 32;
/// Elements that a thread loads a step ahead.
static constexpr int64_t kAhead = 32;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Whether neighbouring threads read neighbours.
static bool isSideBySide(const Access &access) {
  return !access.indices.empty() &&
         llvm::any_of(access.indices.back().getTerms(),
                      [](LinearIndex::Term term) {
                        ForOp loop = getLoopOf(term.first);
                        return loop && std::abs(term.second) == 1 &&
                               loop.getLevelKind() == LevelKind::Thread &&
                               loop.getLevelAttr().getAxis() == 0;
                      });
}

SmallVector<SmallVector<LoadOp>>
arrc::kernel::collectBoxes(ForOp at, BlockArgument array) {
  SmallVector<SmallVector<LoadOp>> boxes;
  at.getBody().walk([&](LoadOp load) {
    if (load.getSource() != array)
      return;
    Access access(load);
    for (SmallVector<LoadOp> &box : boxes) {
      Access first(box.front());
      if (llvm::all_of(llvm::zip(access.indices, first.indices), [](auto pair) {
            auto [x, y] = pair;
            return x.distanceFrom(y).has_value();
          })) {
        box.push_back(load);
        return;
      }
    }
    boxes.push_back({load});
  });
  if (boxes.size() > 1)
    llvm::erase_if(boxes, [](const SmallVector<LoadOp> &box) {
      return isSideBySide(Access(box.front()));
    });
  return boxes;
}

std::optional<int64_t> StageBox::getBound(ForOp loop) {
  if (std::optional<int64_t> extent = loop.getStaticExtent())
    return extent;
  auto [dim, number] = loop.getDim().rsplit('.');
  unsigned digit;
  DimDigitsAttr digits = launch.getScheduleAttr().lookup(dim);
  if (!digits || number.getAsInteger(10, digit) ||
      digit >= digits.getDigits().size() ||
      !digits.getDigits()[digit].getSize())
    return std::nullopt;
  return digits.getDigits()[digit].getSize();
}

/// Whether `value` can be computed at the start of the loop's body.
bool StageBox::isKnownAbove(Value value) {
  if (!at->isAncestor(value.getParentBlock()->getParentOp()) ||
      value == at.getInductionVar())
    return true;
  Operation *op = value.getDefiningOp();
  return op && isScalarOp(op) && llvm::all_of(op->getOperands(), [&](Value v) {
           return isKnownAbove(v);
         });
}

std::string StageBox::analyzeIndex(const LinearIndex &index, Dim &dim,
                                   bool isFirst) {
  LinearIndex base;
  int64_t lowest = index.getConstant(), highest = lowest;
  for (auto [value, factor] : index.getTerms()) {
    ForOp loop = getLoopOf(value);
    if (loop && at->isProperAncestor(loop)) {
      std::optional<int64_t> bound = getBound(loop);
      if (!bound)
        return "the digit '" + loop.getDim().str() + "' has no size";
      (factor < 0 ? lowest : highest) += factor * (*bound - 1);
      continue;
    }
    if (!isKnownAbove(value))
      return "an index is not known at the digit";
    dim.mayBeNegative |= !loop || factor < 0;
    base.add(LinearIndex::ofValue(value), factor);
  }
  dim.mayBeNegative |= lowest < 0;
  if (isFirst) {
    dim.base = base;
    dim.lowest = lowest;
    dim.highest = highest;
    return "";
  }
  if (dim.base != base)
    return "it is read in several places";
  dim.lowest = std::min(dim.lowest, lowest);
  dim.highest = std::max(dim.highest, highest);
  return "";
}

std::string StageBox::analyze() {
  if (isBelowThreads(at))
    return "threads stand around the digit";
  bool written = false;
  launch.getBody().walk([&](Operation *op) {
    if (Access::isAccess(op)) {
      Access access(op);
      written |= access.writes && access.array == array;
    }
  });
  if (written)
    return "the launch writes it";
  dims.resize(cast<MemRefType>(array.getType()).getRank());
  if (dims.empty())
    return "it is one element";
  for (auto [number, load] : llvm::enumerate(loads)) {
    if (load.getEdge() != loads.front().getEdge())
      return "it is read with different edge modes";
    Access access(load);
    for (auto [index, dim] : llvm::zip(access.indices, dims))
      if (std::string reason = analyzeIndex(index, dim, number == 0);
          !reason.empty())
        return reason;
  }
  int64_t size = 1;
  for (const Dim &dim : dims)
    if (llvm::MulOverflow(size, dim.size(), size) || size > (1 << 20))
      return "its box is too large";
  return clause.getAhead() ? analyzeAhead() : "";
}

std::string StageBox::analyzeAhead() {
  if (at.getLevelKind() != LevelKind::Seq || !at.isParallel())
    return "only copies of a sequential digit run ahead";
  if (loads.front().getEdge())
    return "it is read beyond its edges";
  // What is read in some iteration is inside of the array: then a place past
  // the end may give any other element.
  for (LoadOp load : loads) {
    if (load.getMask())
      return "it is read under a condition";
    for (Operation *op = load->getParentOp(); op != at; op = op->getParentOp())
      if (!isa<ForOp>(op) && !op->hasAttr(kTailAttr))
        return "it is read under a condition";
  }
  auto [x, y, z] = countThreads(at);
  if (llvm::divideCeil(countRows() * dims.back().size(), x * y * z) > kAhead)
    return "a thread would load more than it has registers for";
  return "";
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

Value StageBox::cloneAbove(Value value, IRMapping &mapping) {
  if (!at->isAncestor(value.getParentBlock()->getParentOp()) ||
      value == at.getInductionVar())
    return value;
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    mapping.map(operand, cloneAbove(operand, mapping));
  rewriter.clone(*op, mapping);
  return mapping.lookup(value);
}

Value StageBox::materialize(const LinearIndex &form, int64_t constant,
                            ArrayRef<std::pair<Value, int64_t>> more) {
  AffineExpr sum = rewriter.getAffineConstantExpr(constant);
  SmallVector<OpFoldResult> operands;
  auto add = [&](Value value, int64_t factor) {
    sum = sum + rewriter.getAffineDimExpr(operands.size()) * factor;
    if (!value.getType().isIndex())
      value = arith::IndexCastOp::create(rewriter, loc, rewriter.getIndexType(),
                                         value);
    operands.push_back(value);
  };
  for (auto [value, factor] : form.getTerms())
    add(cloneAbove(value, above), factor);
  for (auto [value, factor] : more)
    add(value, factor);
  return toValue(
      rewriter, loc,
      affine::makeComposedFoldedAffineApply(
          rewriter, loc, AffineMap::get(operands.size(), 0, sum), operands));
}

ForOp StageBox::open(StringRef suffix, int64_t extent, LevelAttr level) {
  ForOp loop = openCopyLoop(rewriter, at, array, suffix, extent, level);
  if (!copy)
    copy = loop;
  return loop;
}

LevelAttr StageBox::getLevel(LevelKind kind, unsigned axis) {
  return LevelAttr::get(rewriter.getContext(), kind, axis);
}

int64_t StageBox::countRows() {
  int64_t rows = 1;
  for (const Dim &dim : ArrayRef(dims).drop_back())
    rows *= dim.size();
  return rows;
}

SmallVector<Value> StageBox::getPlace(Value row, Value column) {
  SmallVector<Value> place(dims.size());
  place.back() = column;
  int64_t weight = countRows();
  for (unsigned d = 0; d + 1 < dims.size(); ++d) {
    weight /= dims[d].size();
    AffineExpr digit = rewriter.getAffineDimExpr(0).floorDiv(weight);
    if (d > 0)
      digit = digit % dims[d].size();
    place[d] = toValue(rewriter, loc,
                       affine::makeComposedFoldedAffineApply(
                           rewriter, loc, AffineMap::get(1, 0, digit), {row}));
  }
  return place;
}

SmallVector<Value> StageBox::getPlaceInTile(ArrayRef<Value> place) {
  SmallVector<Value> inTile(place);
  if (clause.getTurned())
    std::rotate(inTile.begin(), inTile.end() - 1, inTile.end());
  return inTile;
}

/// Threads along x take neighbours of the last dimension, threads along y and
/// the steps of a thread the others.
std::pair<Value, Value> StageBox::openRows(ArrayRef<int64_t> threads,
                                           int64_t rows, int64_t columns) {
  int64_t rowSteps = llvm::divideCeil(rows, threads[1]);
  int64_t columnSteps = llvm::divideCeil(columns, threads[0]);
  auto steps = [&](int64_t count) {
    return getLevel(count <= kUnrolled ? LevelKind::Unroll : LevelKind::Seq);
  };
  Value y, x;
  if (threads[1] > 1)
    y = open(".y", threads[1], getLevel(LevelKind::Thread, 1))
            .getInductionVar();
  if (threads[0] > 1)
    x = open(".x", threads[0], getLevel(LevelKind::Thread)).getInductionVar();
  Terms rowTerms, columnTerms;
  if (rowSteps > 1)
    rowTerms.push_back(
        {open(".r", rowSteps, steps(rowSteps * columnSteps)).getInductionVar(),
         threads[1]});
  if (y)
    rowTerms.push_back({y, 1});
  if (columnSteps > 1)
    columnTerms.push_back(
        {open(".c", columnSteps, steps(rowSteps * columnSteps))
             .getInductionVar(),
         threads[0]});
  if (x)
    columnTerms.push_back({x, 1});
  Value row = materialize(LinearIndex(), 0, rowTerms);
  return {row, materialize(LinearIndex(), 0, columnTerms)};
}

/// Short rows: all threads take neighbouring elements of all of them, and a
/// thread's next ones are as far as there are threads.
std::pair<Value, Value> StageBox::openElements(int64_t threads, int64_t y,
                                               int64_t count, int64_t columns) {
  int64_t steps = llvm::divideCeil(count, threads);
  int64_t together = std::min(steps, kUnrolled);
  int64_t rounds = llvm::divideCeil(steps, together);
  Terms terms;
  if (y > 1)
    terms.push_back(
        {open(".y", y, getLevel(LevelKind::Thread, 1)).getInductionVar(),
         threads / y});
  terms.push_back(
      {open(".x", threads / y, getLevel(LevelKind::Thread)).getInductionVar(),
       1});
  if (rounds > 1)
    terms.push_back(
        {open(".r", rounds, getLevel(LevelKind::Seq)).getInductionVar(),
         together * threads});
  if (together > 1)
    terms.push_back(
        {open(".s", together, getLevel(LevelKind::Unroll)).getInductionVar(),
         threads});
  Value number = materialize(LinearIndex(), 0, terms);
  AffineExpr d0 = rewriter.getAffineDimExpr(0);
  auto apply = [&](AffineExpr expr) {
    return toValue(rewriter, loc,
                   affine::makeComposedFoldedAffineApply(
                       rewriter, loc, AffineMap::get(1, 0, expr), {number}));
  };
  Value row = apply(d0.floorDiv(columns));
  return {row, apply(d0 % columns)};
}

void StageBox::copyBox(Value tile) {
  std::array<int64_t, 3> threads = countThreads(at);
  int64_t columns = dims.back().size(), rows = countRows();
  int64_t all = threads[0] * threads[1], count = rows * columns;
  bool isNarrow =
      columns < threads[0] || (columns > threads[0] && columns < kShortRow);
  OpBuilder::InsertionGuard guard(rewriter);
  auto [row, column] = isNarrow ? openElements(all, threads[1], count, columns)
                                : openRows(threads, rows, columns);

  SmallVector<Value> place = getPlace(row, column);
  // What lies in the box and in the array.
  Value inBox, inside;
  auto require = [&](Value &all, Value condition) {
    all = all ? arith::AndIOp::create(rewriter, loc, all, condition).getResult()
              : condition;
  };
  auto isBelow = [&](Value index, OpFoldResult size, bool mayBeNegative) {
    return arith::CmpIOp::create(rewriter, loc,
                                 mayBeNegative ? arith::CmpIPredicate::ult
                                               : arith::CmpIPredicate::slt,
                                 index, toValue(rewriter, loc, size))
        .getResult();
  };
  int64_t step = isNarrow ? all * std::min(llvm::divideCeil(count, all),
                                           static_cast<uint64_t>(kUnrolled))
                          : threads[1];
  if (isNarrow ? count % step : rows % step)
    require(inBox, isBelow(row, rewriter.getIndexAttr(rows), false));
  if (!isNarrow && columns % threads[0])
    require(inBox, isBelow(column, rewriter.getIndexAttr(columns), false));
  inside = inBox;
  SmallVector<Value> indices;
  std::optional<EdgesAttr> edge = loads.front().getEdge();
  for (auto [d, dim] : llvm::enumerate(dims)) {
    indices.push_back(materialize(dim.base, dim.lowest, {{place[d], 1}}));
    if (edge && edge->getModes()[d] != EdgeMode::None)
      continue;
    require(inside, isBelow(indices.back(), launch.getSize(array, d),
                            dim.mayBeNegative));
  }
  Value value = LoadOp::create(rewriter, loc, array, indices,
                               edge.value_or(EdgesAttr()), inside);
  StoreOp::create(rewriter, loc, value, tile, getPlaceInTile(place), inBox);
}

void StageBox::readBox(Value tile) {
  for (LoadOp load : loads) {
    rewriter.setInsertionPoint(load);
    Access access(load);
    SmallVector<Value> place;
    for (auto [index, dim] : llvm::zip(access.indices, dims)) {
      SmallVector<std::pair<Value, int64_t>> inner;
      for (auto [value, factor] : index.getTerms())
        if (!dim.base.getCoefficient(value))
          inner.push_back({value, factor});
      place.push_back(
          materialize(LinearIndex(), index.getConstant() - dim.lowest, inner));
    }
    rewriter.replaceOpWithNewOp<LoadOp>(load, tile, getPlaceInTile(place),
                                        EdgesAttr(), load.getMask());
  }
}

Value StageBox::apply() {
  SmallVector<int64_t> shape;
  for (const Dim &dim : dims)
    shape.push_back(dim.size());
  if (clause.getTurned())
    std::rotate(shape.begin(), shape.end() - 1, shape.end());
  shape.back() += clause.getAmount();
  // Steps of one block use one tile, one after the other.
  bool outside = at.getLevelKind() == LevelKind::Seq;
  if (outside)
    rewriter.setInsertionPoint(at);
  else
    rewriter.setInsertionPointToStart(at.getBodyBlock());
  Type element = cast<MemRefType>(array.getType()).getElementType();
  Value tile = LocalOp::create(rewriter, loc, MemRefType::get(shape, element),
                               ValueRange(), StringAttr());
  if (outside)
    rewriter.setInsertionPointToStart(at.getBodyBlock());
  if (clause.getAhead())
    copyBoxAhead(tile);
  else
    copyBox(tile);
  readBox(tile);
  return tile;
}
