//===- StageRows.cpp - Short rows of a block, copied as a whole -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. Where a thread has a row of a few elements, neighbouring threads touch
// places a row apart, and each store writes a part of every sector. The rows of
// a block are one stretch of memory: the block copies it on chip as it lies
// there, by wide accesses, and what it writes back in the same way.
//
// Before   for i.0 at block {                    // stage = [X at i.0 rows, ..]
//            for i.1 in 256 at thread.x {
//              for j in %M at seq { %X[256 i.0 + i.1, j] .. %Y[.., j] } } }
// After    for i.0 at block {
//            %x = local : 2048  %y = local : 2048          // %M is 8 at most
//            %c = min(256, %N - 256 i.0) * %M
//            for x in 256 at thread.x { for u in 2 at unroll {
//              for v in 4 at vector { %x[k] = %X[256 i.0, k] if k - v < .. } }
//              }
//            for i.1 .. { for j .. { %x[%M i.1 + j] .. %y[%M i.1 + j] } }
//            for x .. { %Y[256 i.0, k] = %y[k] } }
//
// where k = 1024 u + 4 x + v counts from the first element of the block's first
// row, past the end of that row: rows lie one after the other. The places in
// the tile are those in memory, so rows of an odd number of words have no two
// threads in one bank.
//
// The last block has fewer rows; what of them is no whole vector is copied by
// single elements.
//
// Legal when all accesses of the launch to the array are to rows of the block
// that makes them, which lie without gaps, and what is written is all of each
// row; otherwise rows are read first, too.
// Pays where rows are short, and not as long as a wide access or two.
//
//===----------------------------------------------------------------------===//

#include "StageRows.h"

#include "StageLoops.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Support/StoredBytes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Copies of one thread that are written out, and elements of a tile.
static constexpr int64_t kUnrolled = 16, kMostElements = 1 << 16;
/// Elements of one access.
static constexpr int64_t kWidest = 8;

namespace {

/// The rows of one array below one loop.
class RowStage {
public:
  RowStage(IRRewriter &rewriter, LaunchOp launch, ForOp at, BlockArgument array)
      : rewriter(rewriter), launch(launch), at(at), array(array),
        type(cast<MemRefType>(array.getType())), loc(at.getLoc()) {}

  std::string analyze();
  void apply();

private:
  std::string analyzeAccess(const Access &access);
  bool isOwnRow(const LinearIndex &index);
  /// Whether the stores write every element of each row before it is read.
  bool fillsRows();
  /// Whether nothing but its own row is read, and that behind it.
  bool isBeforeLoads(StoreOp store);
  /// Whether one does so, in loops that walk the row.
  bool walksRow(StoreOp store);
  /// Whether it is done in every row.
  bool isAlways(StoreOp store);
  /// Whether `guard` only keeps an index of `store` inside of the array.
  bool isTail(scf::IfOp guard, StoreOp store);

  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands);
  Value multiply(Value a, OpFoldResult b);
  ForOp open(StringRef suffix, int64_t extent, LevelKind kind,
             unsigned axis = 0);
  void copy(Value tile, bool in);
  /// The element `k` of the block's rows, from memory to the tile or back.
  void copyElement(Value tile, Value k, Value mask, bool in);
  /// The place in the tile of what is at `indices` of the array.
  Value getPlace(ValueRange indices);

  IRRewriter &rewriter;
  LaunchOp launch;
  ForOp at;
  BlockArgument array;
  MemRefType type;
  Location loc;
  SmallVector<Operation *> accesses;
  bool isRead = false, isWritten = false;
  /// Rows of a block, elements of a row at most, elements of one access.
  int64_t rows = 0, most = 1, width = 1;
  /// The block's first row, elements of a row, and of all rows of the block.
  Value first, count;
  OpFoldResult length;
};

} // namespace

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Whether `index` is one of the rows that the block of this iteration has.
bool RowStage::isOwnRow(const LinearIndex &index) {
  if (index.getCoefficient(at.getInductionVar()) != rows ||
      index.getConstant() < 0)
    return false;
  int64_t highest = index.getConstant();
  for (auto [value, factor] : index.getTerms()) {
    if (value == at.getInductionVar())
      continue;
    ForOp loop = getLoopOf(value);
    if (!loop || !at->isProperAncestor(loop) || !loop.getStaticExtent() ||
        factor < 0)
      return false;
    highest += factor * (*loop.getStaticExtent() - 1);
  }
  return highest < rows;
}

std::string RowStage::analyzeAccess(const Access &access) {
  auto load = dyn_cast<LoadOp>(access.op);
  if (access.isUpdate() || (load && load.getEdge()))
    return "it is updated, or read beyond its edges";
  if (!at->isAncestor(access.op) || !isOwnRow(access.indices.front()))
    return "a block uses rows that are not its own";
  return "";
}

bool RowStage::isTail(scf::IfOp guard, StoreOp store) {
  auto bound = guard.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!guard->hasAttr(kTailAttr) || !bound ||
      bound.getPredicate() != arith::CmpIPredicate::slt)
    return false;
  LinearIndex past(bound.getLhs());
  past.add(LinearIndex(bound.getRhs()), -1);
  for (auto [dim, index] : llvm::enumerate(store.getIndices())) {
    OpFoldResult size = launch.getSize(array, dim);
    LinearIndex mine(index);
    mine.add(isa<Value>(size) ? LinearIndex(cast<Value>(size))
                              : LinearIndex(*getConstantIntValue(size)),
             -1);
    if (past == mine)
      return true;
  }
  return false;
}

bool RowStage::isAlways(StoreOp store) {
  for (Operation *op = store->getParentOp(); op != at; op = op->getParentOp()) {
    auto guard = dyn_cast<scf::IfOp>(op);
    if (guard ? isTail(guard, store) : isa<ForOp>(op)) {
      // Loops that walk something else may have no iterations.
      auto loop = dyn_cast<ForOp>(op);
      if (!loop || llvm::any_of(store.getIndices(), [&](Value index) {
            return LinearIndex(index).getCoefficient(loop.getInductionVar());
          }))
        continue;
    }
    return false;
  }
  return !store.getMask();
}

bool RowStage::walksRow(StoreOp store) {
  LinearIndex column(store.getIndices().back());
  if (type.getRank() != 2 || column.getConstant() != 0)
    return false;
  SmallVector<LinearIndex::Term> terms(column.getTerms());
  llvm::sort(terms, [](auto &a, auto &b) { return a.second < b.second; });
  int64_t reached = 1;
  for (auto [value, factor] : terms) {
    ForOp loop = getLoopOf(value);
    if (!loop || !at->isProperAncestor(loop) || factor != reached)
      return false;
    std::optional<int64_t> extent = loop.getStaticExtent();
    if (!extent)
      return factor == 1 && terms.size() == 1 &&
             loop.getMixedExtent() == launch.getSize(array, 1);
    reached *= *extent;
  }
  return reached >= most;
}

bool RowStage::isBeforeLoads(StoreOp store) {
  LinearIndex row(store.getIndices().front());
  return llvm::all_of(accesses, [&](Operation *op) {
    auto load = dyn_cast<LoadOp>(op);
    if (!load)
      return true;
    Operation *behind = store->getBlock()->findAncestorOpInBlock(*load);
    return behind && store->isBeforeInBlock(behind) &&
           LinearIndex(load.getIndices().front()) == row;
  });
}

bool RowStage::fillsRows() {
  llvm::SmallDenseSet<int64_t> filled;
  for (Operation *op : accesses) {
    auto store = dyn_cast<StoreOp>(op);
    if (!store || !isAlways(store) || !isBeforeLoads(store))
      continue;
    if (!isRead && walksRow(store))
      return true;
    // One of the elements, by its number.
    std::optional<int64_t> place = 0;
    for (auto [dim, index] : llvm::enumerate(store.getIndices())) {
      std::optional<int64_t> number = getConstantIntValue(index);
      if (dim == 0 || !place)
        continue;
      if (number && !type.isDynamicDim(dim))
        place = *place * type.getDimSize(dim) + *number;
      else
        place = std::nullopt;
    }
    if (place)
      filled.insert(*place);
  }
  return static_cast<int64_t>(filled.size()) == most &&
         llvm::none_of(type.getShape().drop_front(), ShapedType::isDynamic);
}

std::string RowStage::analyze() {
  if (at.getLevelKind() != LevelKind::Block || !at.isParallel())
    return "rows are staged for a block";
  if (isBelowThreads(at))
    return "threads stand around the digit";
  if (type.getRank() < 2 || !type.getLayout().isIdentity() ||
      isa<ComplexType>(type.getElementType()))
    return "it has no rows that lie one after the other";
  auto [dim, number] = at.getDim().rsplit('.');
  unsigned digit;
  DimDigitsAttr digits = launch.getScheduleAttr().lookup(dim);
  if (!digits || number.getAsInteger(10, digit))
    return "there is no such digit";
  rows = digits.getWeight(digit);
  unsigned open = 0;
  for (int64_t d = 1; d < type.getRank(); ++d) {
    OpFoldResult size = launch.getSize(array, d);
    std::optional<int64_t> bound = getMost(size);
    open += isa<Value>(size);
    if (!bound || open > 1)
      return "the length of its rows has no bound";
    if (llvm::MulOverflow(most, *bound, most) || most > kMostElements)
      return "its rows are too long";
  }
  if (most == 0 || rows * most > kMostElements)
    return "its rows are too long";
  AccessPattern pattern(launch);
  Value name;
  for (const Access &access : pattern.getAccesses()) {
    bool isMine = isa<LoadOp>(access.op)
                      ? cast<LoadOp>(access.op).getSource() == array
                      : llvm::is_contained(access.op->getOperands(), array);
    if (isMine)
      name = access.array;
  }
  if (!name)
    return "nothing below the digit uses it";
  for (const Access &access : pattern.getAccesses()) {
    if (access.array != name)
      continue;
    if (!llvm::is_contained(access.op->getOperands(), array))
      return "the launch knows it by two names";
    if (std::string reason = analyzeAccess(access); !reason.empty())
      return reason;
    accesses.push_back(access.op);
    isRead |= access.reads;
    isWritten |= access.writes;
  }
  int64_t bytes = getStoredBytes(type.getElementType());
  int64_t vector = DeviceAttr::get(launch->getParentOfType<func::FuncOp>())
                       .getInteger("vector_bytes", 16);
  width = std::clamp<int64_t>(vector / bytes, 1, kWidest);
  while (rows % width)
    width /= 2;
  return "";
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

OpFoldResult RowStage::apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
  return affine::makeComposedFoldedAffineApply(
      rewriter, loc, AffineMap::get(operands.size(), 0, expr), operands);
}

Value RowStage::multiply(Value a, OpFoldResult b) {
  if (std::optional<int64_t> number = getConstantIntValue(b))
    return toValue(rewriter, loc,
                   apply(rewriter.getAffineDimExpr(0) * *number, {a}));
  return arith::MulIOp::create(rewriter, loc, a, cast<Value>(b));
}

ForOp RowStage::open(StringRef suffix, int64_t extent, LevelKind kind,
                     unsigned axis) {
  return openCopyLoop(rewriter, at, array, suffix, extent,
                      LevelAttr::get(rewriter.getContext(), kind, axis));
}

void RowStage::copyElement(Value tile, Value k, Value mask, bool in) {
  SmallVector<Value> indices{first};
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  indices.append(type.getRank() - 2, zero);
  indices.push_back(k);
  Value value = LoadOp::create(rewriter, loc, in ? Value(array) : tile,
                               in ? ValueRange(indices) : ValueRange(k),
                               EdgesAttr(), mask);
  StoreOp::create(rewriter, loc, value, in ? tile : Value(array),
                  in ? ValueRange(k) : ValueRange(indices), mask);
}

void RowStage::copy(Value tile, bool in) {
  std::array<int64_t, 3> threads = countThreads(at);
  OpBuilder::InsertionGuard guard(rewriter);
  AffineExpr d0 = rewriter.getAffineDimExpr(0),
             d1 = rewriter.getAffineDimExpr(1);
  StringRef suffix = in ? ".in" : ".out";
  Value y = open((suffix + ".y").str(), threads[1], LevelKind::Thread, 1)
                .getInductionVar();
  Value x = open((suffix + ".x").str(), threads[0], LevelKind::Thread)
                .getInductionVar();
  Value thread = toValue(rewriter, loc, apply(d0 * threads[0] + d1, {y, x}));
  int64_t step = threads[0] * threads[1] * width;
  int64_t steps = llvm::divideCeil(rows * most, step);
  Value rest = arith::RemUIOp::create(
      rewriter, loc, count,
      arith::ConstantIndexOp::create(rewriter, loc, width));
  Value whole = arith::SubIOp::create(rewriter, loc, count, rest);
  {
    OpBuilder::InsertionGuard inner(rewriter);
    Value u = open((suffix + ".u").str(), steps,
                   steps <= kUnrolled ? LevelKind::Unroll : LevelKind::Seq)
                  .getInductionVar();
    Value start =
        toValue(rewriter, loc, apply(d0 * step + d1 * width, {u, thread}));
    Value inside = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::slt, start, whole);
    Value v =
        open((suffix + ".v").str(), width, LevelKind::Vector).getInductionVar();
    Value k = toValue(rewriter, loc, apply(d0 + d1, {start, v}));
    copyElement(tile, k, inside, in);
  }
  if (width == 1)
    return;
  Value k = toValue(rewriter, loc, apply(d0 + d1, {whole, thread}));
  Value inside =
      arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt, k, count);
  copyElement(tile, k, inside, in);
}

Value RowStage::getPlace(ValueRange indices) {
  LinearIndex row(indices.front());
  AffineExpr sum = rewriter.getAffineConstantExpr(row.getConstant());
  SmallVector<OpFoldResult> operands;
  for (auto [value, factor] : row.getTerms()) {
    if (value == at.getInductionVar())
      continue;
    sum = sum + rewriter.getAffineDimExpr(operands.size()) * factor;
    operands.push_back(value);
  }
  Value place = multiply(toValue(rewriter, loc, apply(sum, operands)), length);
  Value column;
  for (auto [dim, index] : llvm::enumerate(indices.drop_front())) {
    if (column)
      column = multiply(column, launch.getSize(array, dim + 1));
    column = column ? toValue(rewriter, loc,
                              apply(rewriter.getAffineDimExpr(0) +
                                        rewriter.getAffineDimExpr(1),
                                    {column, index}))
                    : index;
  }
  return toValue(
      rewriter, loc,
      apply(rewriter.getAffineDimExpr(0) + rewriter.getAffineDimExpr(1),
            {place, column}));
}

void RowStage::apply() {
  rewriter.setInsertionPointToStart(at.getBodyBlock());
  AffineExpr d0 = rewriter.getAffineDimExpr(0);
  first = toValue(rewriter, loc, apply(d0 * rows, {at.getInductionVar()}));
  // A number that is known not to exceed another one, in 32 bits as well.
  int64_t factor = 1;
  Value open;
  for (int64_t dim = 1; dim < type.getRank(); ++dim) {
    OpFoldResult size = launch.getSize(array, dim);
    if (auto value = dyn_cast<Value>(size))
      open = arith::MinSIOp::create(
          rewriter, loc, value,
          arith::ConstantIndexOp::create(rewriter, loc, *getMost(size)));
    else
      factor *= *getConstantIntValue(size);
  }
  length = open ? apply(d0 * factor, {open})
                : OpFoldResult(rewriter.getIndexAttr(factor));
  Value left = arith::SubIOp::create(
      rewriter, loc, toValue(rewriter, loc, launch.getSize(array, 0)), first);
  Value mine = arith::MinSIOp::create(
      rewriter, loc, left, arith::ConstantIndexOp::create(rewriter, loc, rows));
  // There is one at least; this tells that the product is in 32 bits.
  mine = arith::MaxSIOp::create(
      rewriter, loc, mine, arith::ConstantIndexOp::create(rewriter, loc, 0));
  count = multiply(mine, length);
  Value tile = LocalOp::create(
      rewriter, loc, MemRefType::get({rows * most}, type.getElementType()),
      ValueRange(), StringAttr());
  if (!fillsRows())
    copy(tile, /*in=*/true);
  for (Operation *op : accesses) {
    rewriter.setInsertionPoint(op);
    if (auto load = dyn_cast<LoadOp>(op)) {
      rewriter.replaceOpWithNewOp<LoadOp>(
          load, tile, ValueRange(getPlace(load.getIndices())), EdgesAttr(),
          load.getMask());
    } else {
      auto store = cast<StoreOp>(op);
      Value place = getPlace(store.getIndices());
      StoreOp::create(rewriter, store.getLoc(), store.getValue(), tile,
                      ValueRange(place), store.getMask());
      rewriter.eraseOp(store);
    }
  }
  if (!isWritten)
    return;
  rewriter.setInsertionPoint(at.getBodyBlock()->getTerminator());
  copy(tile, /*in=*/false);
}

std::string arrc::kernel::stageRows(IRRewriter &rewriter, LaunchOp launch,
                                    ForOp at, BlockArgument array) {
  RowStage stage(rewriter, launch, at, array);
  std::string reason = stage.analyze();
  if (reason.empty())
    stage.apply();
  return reason;
}
