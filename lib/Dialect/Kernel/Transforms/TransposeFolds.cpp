//===- TransposeFolds.cpp - Fold columns row by row ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A fold over rows for every column reads memory a row length apart. Walked the
// other way round, with one accumulator a column in an array, it is a stream:
//
//   kernel.for "j" (%j) in %M {
//     %s = kernel.for "i" (%i) in %N reduce (%z) by arith.addf { load A[i, j] }
//     store %s, %R[%j] }
//
//   launch:  kernel.for "i.0" (%c) in 32 at block {     // a chunk of the rows
//              kernel.for "j" { store 0, %P[%c, %j] }
//              for %i in the chunk, four rows at a time {
//                kernel.for "j" { P[c, j] = P[c, j] + A[i, j] + .. } } }
//   launch:  kernel.for "j" { fold of P[0, j] .. P[31, j], the rest as before }
//
// Legal when the operator is associative, which a fold promises, and the body
// only loads: chunks and rows keep their order. The number of chunks is fixed,
// so the tree of the fold depends on the sizes alone.
//
// Pays when some load of the body is contiguous along the columns and none along
// the rows, and both sizes are large; the sizes are asked when the program runs.
// Source: performance.md, reduction along axes, R not contiguous.
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/IRMapping.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_TRANSPOSEFOLDSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Parts that the rows are cut into, and rows that are added at a time.
static constexpr int64_t kChunks = 32, kRows = 4;
/// Sizes from which on the stream is faster.
static constexpr int64_t kFewRows = 256, kFewColumns = 256;

namespace {
/// A launch that is one map of one fold.
struct ColumnFold {
  LaunchOp launch;
  ForOp columns, rows;
  /// The sizes outside of the launch.
  OpFoldResult numColumns, numRows;
  /// The launch's argument with the number of columns, -1 if it is a number.
  int64_t columnsArgument = -1;
};
} // namespace

//===----------------------------------------------------------------------===//
// Legality and profit
//===----------------------------------------------------------------------===//

/// A size as the launch gets it; null if it is computed in the launch.
static OpFoldResult getOuterExtent(LaunchOp launch, ForOp loop,
                                   int64_t *argument) {
  OpFoldResult extent = loop.getMixedExtent();
  auto value = dyn_cast<Value>(extent);
  if (!value)
    return extent;
  while (auto fact = value.getDefiningOp<array::AssumeOp>())
    value = fact.getValue();
  auto size = dyn_cast<BlockArgument>(value);
  if (!size || size.getOwner() != launch.getBodyBlock())
    return {};
  if (argument)
    *argument = size.getArgNumber();
  return launch.getOperandOf(size).get();
}

/// Whether `index` goes up by one with `iv`, or does not depend on it.
enum class Step { None, One, Other };
static Step getStep(Value index, Value iv) {
  if (index == iv)
    return Step::One;
  if (auto apply = index.getDefiningOp<affine::AffineApplyOp>()) {
    AffineMap map = apply.getAffineMap();
    for (auto [number, operand] : llvm::enumerate(apply.getMapOperands())) {
      if (operand != iv)
        continue;
      if (number >= map.getNumDims())
        return Step::Other;
      AffineExpr dim = getAffineDimExpr(number, map.getContext());
      AffineExpr rest = simplifyAffineExpr(map.getResult(0) - dim,
                                           map.getNumDims(),
                                           map.getNumSymbols());
      return rest.isFunctionOfDim(number) ? Step::Other : Step::One;
    }
    return Step::None;
  }
  if (auto region = iv.getParentRegion(); !region->isAncestor(
          index.getParentRegion()))
    return Step::None;
  return Step::Other;
}

/// What keeps the launch from being one; empty if nothing does.
static std::optional<ColumnFold> match(LaunchOp launch) {
  if (launch.getScheduleAttr() || launch.getVersions() || launch.getFlag() ||
      launch.isScheduled() || launch.getNumResults())
    return std::nullopt;
  ColumnFold fold;
  fold.launch = launch;
  for (Operation &op : launch.getBodyBlock()->without_terminator()) {
    auto loop = dyn_cast<ForOp>(op);
    if (loop ? static_cast<bool>(fold.columns) : !isScalarOp(&op))
      return std::nullopt;
    if (loop)
      fold.columns = loop;
  }
  if (!fold.columns || !fold.columns.isParallel())
    return std::nullopt;
  for (Operation &op : fold.columns.getBodyBlock()->without_terminator()) {
    auto loop = dyn_cast<ForOp>(op);
    if (loop ? static_cast<bool>(fold.rows)
             : !(isScalarOp(&op) || isa<LoadOp, StoreOp>(op)))
      return std::nullopt;
    if (loop)
      fold.rows = loop;
    else if (isa<StoreOp>(op) && !fold.rows)
      return std::nullopt;
  }
  if (!fold.rows || !fold.rows.isReduce() ||
      !isCommutativeCombiner(fold.rows.getCombiner()))
    return std::nullopt;

  Value i = fold.rows.getInductionVar(), j = fold.columns.getInductionVar();
  bool streams = false;
  for (Operation &op : fold.rows.getBodyBlock()->without_terminator()) {
    auto load = dyn_cast<LoadOp>(op);
    if (!load && !isScalarOp(&op))
      return std::nullopt;
    if (!load)
      continue;
    auto source = dyn_cast<BlockArgument>(load.getSource());
    if (!source || source.getOwner() != launch.getBodyBlock() ||
        source.getArgNumber() >= launch.getNumInputs() ||
        load.getIndices().empty())
      return std::nullopt;
    Value last = load.getIndices().back();
    if (getStep(last, i) != Step::None)
      return std::nullopt; // contiguous along the rows, or who knows
    bool walks = llvm::any_of(load.getIndices(), [&](Value index) {
      return getStep(index, i) != Step::None;
    });
    streams |= walks && getStep(last, j) == Step::One;
  }
  // The fold starts from values that do not depend on the column.
  for (Value seed : fold.rows.getSeeds())
    if (fold.columns.getBody().isAncestor(seed.getParentRegion()))
      return std::nullopt;
  fold.numColumns =
      getOuterExtent(launch, fold.columns, &fold.columnsArgument);
  fold.numRows = getOuterExtent(launch, fold.rows, nullptr);
  if (!streams || !fold.numColumns || !fold.numRows)
    return std::nullopt;
  auto tooFew = [](OpFoldResult size, int64_t few) {
    auto number = getConstantIntValue(size);
    return number && *number < few;
  };
  if (tooFew(fold.numRows, kFewRows) || tooFew(fold.numColumns, kFewColumns))
    return std::nullopt;
  return fold;
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

static SmallVector<SmallVector<int64_t>> getInputSizes(LaunchOp launch) {
  SmallVector<SmallVector<int64_t>> sizes;
  for (unsigned i = 0; i < launch.getNumInputs(); ++i)
    sizes.emplace_back(launch.getSizesOf(i));
  return sizes;
}

/// `block.0`, `seq`, `vector` digits of one dimension.
static DimDigitsAttr makeDigits(MLIRContext *context, StringRef dim,
                                ArrayRef<std::pair<LevelKind, int64_t>> list) {
  SmallVector<DigitAttr> digits;
  for (auto [kind, size] : list)
    digits.push_back(
        DigitAttr::get(context, LevelAttr::get(context, kind, 0), size));
  return DimDigitsAttr::get(context, StringAttr::get(context, dim), digits);
}

static ScheduleAttr makeSchedule(MLIRContext *context, StringRef chunks,
                                 StringRef columns, int64_t lanes) {
  SmallVector<DimDigitsAttr> dims{
      makeDigits(context, chunks, {{LevelKind::Block, 0}}),
      makeDigits(context, columns,
                 {{LevelKind::Seq, 0}, {LevelKind::Vector, lanes}})};
  SmallVector<StringAttr> order{
      StringAttr::get(context, (chunks + ".0").str()),
      StringAttr::get(context, (columns + ".1").str()),
      StringAttr::get(context, (columns + ".0").str())};
  return ScheduleAttr::get(context, dims, order, {}, {}, {}, {},
                           /*splitBoundary=*/true, /*indexBits=*/64);
}

namespace {
/// Writes the two launches in front of the old one.
class ColumnRewriter {
public:
  ColumnRewriter(ColumnFold fold, OpBuilder &builder, int64_t lanes)
      : fold(fold), b(builder), loc(fold.launch.getLoc()), lanes(lanes) {}
  void run();

private:
  void emitChunks(ArrayRef<Value> partials);
  void emitFold(ArrayRef<Value> partials);
  SmallVector<int64_t> partialSizes() {
    return {kChunks, fold.columnsArgument >= 0
                         ? fold.columnsArgument
                         : *getConstantIntValue(fold.numColumns)};
  }
  /// The operations of the launch before its loop.
  void cloneHead(IRMapping &map);
  /// One contribution of row `row` to column `column`.
  SmallVector<Value> cloneRow(IRMapping map, Value row, Value column);

  ColumnFold fold;
  OpBuilder &b;
  Location loc;
  int64_t lanes;
};
} // namespace

void ColumnRewriter::cloneHead(IRMapping &map) {
  for (Operation &op : fold.launch.getBodyBlock()->without_terminator())
    if (!isa<ForOp>(op))
      b.clone(op, map);
}

SmallVector<Value> ColumnRewriter::cloneRow(IRMapping map, Value row,
                                            Value column) {
  map.map(fold.columns.getInductionVar(), column);
  map.map(fold.rows.getInductionVar(), row);
  // What the column computes before its fold, if the fold uses it.
  for (Operation &op : fold.columns.getBodyBlock()->without_terminator()) {
    if (&op == fold.rows)
      break;
    b.clone(op, map);
  }
  for (Operation &op : fold.rows.getBodyBlock()->without_terminator())
    b.clone(op, map);
  SmallVector<Value> values;
  for (Value value : fold.rows.getYield().getValues())
    values.push_back(map.lookupOrDefault(value));
  return values;
}

void ColumnRewriter::emitChunks(ArrayRef<Value> partials) {
  OpBuilder::InsertionGuard guard(b);
  auto sizes = getInputSizes(fold.launch);
  sizes.append(partials.size(), partialSizes());
  auto launch = LaunchOp::create(
      b, loc, (fold.launch.getKernelName() + "_chunks").str(),
      fold.launch.getInputs(), partials, sizes);
  launch.setScheduleAttr(makeSchedule(b.getContext(), "chunk",
                                      fold.columns.getDim(), lanes));
  b.setInsertionPointToStart(launch.getBodyBlock());
  IRMapping map;
  for (auto [from, to] :
       llvm::zip(fold.launch.getInputArguments(), launch.getInputArguments())) {
    map.map(from, to);
    to.setType(from.getType());
  }
  cloneHead(map);
  auto extentOf = [&](ForOp loop) -> OpFoldResult {
    OpFoldResult extent = loop.getMixedExtent();
    if (auto value = dyn_cast<Value>(extent))
      return map.lookup(value);
    return extent;
  };
  Value rows = toValue(b, loc, extentOf(fold.rows));
  OpFoldResult columns = extentOf(fold.columns);
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  auto apply = [&](AffineExpr expr, ValueRange operands) -> Value {
    return affine::AffineApplyOp::create(
        b, loc, AffineMap::get(0, operands.size(), expr), operands);
  };
  Value length = apply(s0.ceilDiv(kChunks), rows);

  auto chunks = ForOp::create(b, loc, "chunk", b.getIndexAttr(kChunks));
  b.setInsertionPointToStart(chunks.getBodyBlock());
  Value chunk = chunks.getInductionVar();
  auto outs = launch.getOutArguments();
  {
    OpBuilder::InsertionGuard guard(b);
    auto clear = ForOp::create(b, loc, fold.columns.getDim(), columns);
    b.setInsertionPoint(clear.getBodyBlock()->getTerminator());
    // Outside of the loop they would be the model's, in the old launch.
    IRMapping seeds = map;
    for (auto [number, out] : llvm::enumerate(outs)) {
      SmallVector<Operation *> ops = getCombinerOps(fold.rows.getCombiner());
      Value start;
      if (auto neutral = arith::getNeutralElement(ops[number]))
        start = arith::ConstantOp::create(b, loc, *neutral);
      else
        start = seeds.lookup(fold.rows.getSeeds()[number]);
      StoreOp::create(b, loc, start, out,
                      ValueRange{chunk, clear.getInductionVar()});
    }
  }
  Value first = arith::MulIOp::create(b, loc, chunk, length);
  Value last = arith::AddIOp::create(b, loc, first, length);
  last = arith::MinSIOp::create(b, loc, last, rows);
  // Whole groups of rows, then the rest one by one.
  Value whole = apply(s0 + (s1 - s0).floorDiv(kRows) * kRows, {first, last});
  whole = arith::MaxSIOp::create(b, loc, whole, first);
  auto emitRows = [&](Value begin, Value end, int64_t group) {
    OpBuilder::InsertionGuard guard(b);
    Value step = arith::ConstantIndexOp::create(b, loc, group);
    auto walk = scf::ForOp::create(b, loc, begin, end, step);
    b.setInsertionPointToStart(walk.getBody());
    auto along = ForOp::create(b, loc, fold.columns.getDim(), columns);
    b.setInsertionPoint(along.getBodyBlock()->getTerminator());
    Value column = along.getInductionVar();
    SmallVector<Value> sums;
    for (Value out : outs)
      sums.push_back(LoadOp::create(b, loc, out, ValueRange{chunk, column}));
    for (int64_t r = 0; r < group; ++r) {
      Value offset = arith::ConstantIndexOp::create(b, loc, r);
      Value row = arith::AddIOp::create(b, loc, walk.getInductionVar(), offset);
      sums = inlineCombiner(b, fold.rows.getCombiner(), sums,
                            cloneRow(map, row, column));
    }
    for (auto [sum, out] : llvm::zip(sums, outs))
      StoreOp::create(b, loc, sum, out, ValueRange{chunk, column});
  };
  emitRows(first, whole, kRows);
  emitRows(whole, last, 1);
}

void ColumnRewriter::emitFold(ArrayRef<Value> partials) {
  OpBuilder::InsertionGuard guard(b);
  // The old launch with the partials as inputs and the fold over them.
  auto copy = cast<LaunchOp>(b.clone(*fold.launch));
  copy.setKernelName((fold.launch.getKernelName() + "_fold").str());
  SmallVector<Value> inputs;
  for (Value partial : partials)
    inputs.push_back(copy.addInput(partial, partialSizes()));
  ForOp columns;
  for (Operation &op : copy.getBodyBlock()->without_terminator())
    if (auto loop = dyn_cast<ForOp>(op))
      columns = loop;
  ForOp rows;
  for (Operation &op : columns.getBodyBlock()->without_terminator())
    if (auto loop = dyn_cast<ForOp>(op))
      rows = loop;
  b.setInsertionPoint(rows);
  auto over = createLoopLike(b, rows, "chunk", b.getIndexAttr(kChunks),
                             rows.getSeeds(), LevelAttr());
  b.setInsertionPointToStart(over.getBodyBlock());
  SmallVector<Value> loaded;
  for (Value input : inputs)
    loaded.push_back(LoadOp::create(
        b, loc, input,
        ValueRange{over.getInductionVar(), columns.getInductionVar()}));
  YieldOp::create(b, loc, loaded);
  rows.replaceAllUsesWith(over.getResults());
  rows.erase();
}

void ColumnRewriter::run() {
  SmallVector<Value> partials;
  for (Type type : fold.rows.getResultTypes()) {
    SmallVector<int64_t> shape{kChunks, ShapedType::kDynamic};
    SmallVector<Value> sizes;
    if (auto value = dyn_cast<Value>(fold.numColumns))
      sizes.push_back(value);
    else
      shape[1] = *getConstantIntValue(fold.numColumns);
    partials.push_back(memref::AllocOp::create(
        b, loc, MemRefType::get(shape, type), sizes));
  }
  emitChunks(partials);
  emitFold(partials);
  for (Value partial : partials)
    memref::DeallocOp::create(b, loc, partial);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct TransposeFoldsPass
    : arrc::kernel::impl::TransposeFoldsPassBase<TransposeFoldsPass> {
  void runOnOperation() override {
    SmallVector<ColumnFold> folds;
    getOperation().walk([&](LaunchOp launch) {
      if (auto fold = match(launch))
        folds.push_back(*fold);
    });
    for (ColumnFold fold : folds) {
      OpBuilder b(fold.launch);
      Location loc = fold.launch.getLoc();
      int64_t bytes = 64;
      if (DeviceAttr row = DeviceAttr::get(getOperation()))
        bytes = row.getInteger("vector_bytes", 64);
      int64_t widest = 1;
      for (Type type : fold.rows.getResultTypes())
        widest = std::max<int64_t>(
            widest, type.isIntOrFloat() ? type.getIntOrFloatBitWidth() / 8 : 8);
      // Large enough? Asked before the launches, where the sizes are known.
      Value many;
      auto require = [&](OpFoldResult size, int64_t few) {
        auto value = dyn_cast<Value>(size);
        if (!value)
          return;
        Value bound = arith::ConstantIndexOp::create(b, loc, few);
        Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge,
                                           value, bound);
        many = many ? Value(arith::AndIOp::create(b, loc, many, more)) : more;
      };
      require(fold.numRows, kFewRows);
      require(fold.numColumns, kFewColumns);
      if (many) {
        auto branch =
            scf::IfOp::create(b, loc, many, /*withElseRegion=*/true);
        b.setInsertionPointToStart(branch.thenBlock());
        ColumnRewriter(fold, b, std::max<int64_t>(bytes / widest, 2)).run();
        fold.launch->moveBefore(branch.elseBlock()->getTerminator());
      } else {
        ColumnRewriter(fold, b, std::max<int64_t>(bytes / widest, 2)).run();
        fold.launch.erase();
      }
    }
  }
};
} // namespace
