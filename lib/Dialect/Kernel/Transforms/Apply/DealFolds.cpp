//===- DealFolds.cpp - Launches that say which threads fold ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. What DealThreads.cpp does for maps holds for folds: which threads of a
// block walk a kept dimension, which a folded one, and how many steps a block
// takes of a fold that is cut, are numbers of the launch. K threads are for
// results, F for each of them, K F is a block; either of them are neighbours.
//
// Before   kernel.for "i" (%i) in %N { %s = kernel.for "j" (%j) in %M reduce ..
//            store %s, %R[%i] }
//          i = [block.0, thread.y 8], j = [seq, unroll 4, thread.x 32]
// After    kernel.for "i.0" (%b) in N ceildiv K at block.0 {
//            %w = kernel.local : 256 + 16
//            kernel.for "threads" (%t) in 256 at thread.x {
//              %s = kernel.for .. at seq reduce { kernel.for .. in 4 at unroll
//                     reduce { terms f + F (4 step + copy) of result k } }
//              if F == 1 { store %s, %R[..] } else { store %s, %w[f K + k] } }
//            if F > 16 { 16 threads fold 16 partial results each, as a tree }
//            if F > 1 { K threads fold up to 16 each, and store to %R } }
//
// Threads that have no result fold nothing; of results that a thread takes
// together those past the end are the last one again, and not stored. Nothing
// but the last few terms of a fold needs a mask. A fold that is
// cut leaves results in a workspace, which a second nest folds in the same way.
//
// Legal: the operator commutes, and the loops around are parallel. Terms are
// added in trees whose shape follows from sizes and from the numbers of the
// launch: a thread adds 16 steps before it adds their sum to what it has.
//
//===----------------------------------------------------------------------===//

#include "DealThreads.h"

#include "../Shared/NestScalars.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Steps that a thread adds before it adds their sum to what it has, and
/// partial results that one folds at once.
static constexpr int64_t kRun = 16, kRadix = 16;
/// Partial results of blocks that a thread reads together.
static constexpr int64_t kTogether = 8;

namespace {

/// A dimension of the nest that is written.
struct Dim {
  std::string name;
  LevelAttr block;
  int64_t unroll = 1, width = 1;
  /// Vectors are inside or not as a whole.
  bool isWhole = true;
  ShareValues share;
  /// How many threads walk it, its end, and the first iteration of the block.
  Value threads, extent, begin;
  /// Of a fold: how many iterations the block has, and which of these is the
  /// thread's first one.
  Value count, mine;
};

using Terms = llvm::function_ref<SmallVector<Value>(ArrayRef<Value> kept,
                                                    ArrayRef<Value> folded)>;
using Sink = llvm::function_ref<void(ArrayRef<Value> kept, ValueRange values)>;

/// Writes the nests of one launch.
class FoldDealer {
public:
  FoldDealer(IRRewriter &rewriter, LaunchOp launch, ForOp root,
             ArrayRef<ShareValues> shares, Value keptShift)
      : rewriter(rewriter), launch(launch), loc(root.getLoc()), root(root),
        nest(getNest(root)), fold(getFold(root)), folds(getNest(fold)),
        scalars(nest), foldScalars(folds), keptShift(keptShift) {
    foldScalars.addAround(scalars);
    foldScalars.addAround(nest.back().getBodyBlock(), fold);
    for (auto [digits, share] :
         llvm::zip(launch.getScheduleAttr().getDims(), shares))
      digitsOf[digits.getDim()] = {digits, share};
    threads = launch.getScheduleAttr().getThreads();
  }

  LogicalResult run();

private:
  Dim makeDim(ForOp loop);
  LogicalResult prepare();
  Value sumLogs(ArrayRef<Dim> dims);
  void emitNest(StringRef suffix, SmallVector<Dim> kept, SmallVector<Dim> terms,
                Terms emitTerm, llvm::function_ref<void(ArrayRef<Dim>)> opened,
                Sink sink);
  void openBlocks(StringRef suffix, MutableArrayRef<Dim> kept,
                  MutableArrayRef<Dim> terms);
  SmallVector<Value> emitFold(ArrayRef<Dim> terms, SmallVector<Value> &places,
                              llvm::function_ref<SmallVector<Value>()> emit);
  SmallVector<Value> emitSteps(const Dim &dim, ArrayRef<Dim> rest,
                               SmallVector<Value> &places,
                               llvm::function_ref<SmallVector<Value>()> emit);
  SmallVector<Value>
  emitUnrolled(const Dim &dim, ArrayRef<Dim> rest, SmallVector<Value> &places,
               llvm::function_ref<SmallVector<Value>()> emit);
  SmallVector<Value> getKept(ArrayRef<Dim> kept, Value group, Value copy,
                             Value lane);
  Value isInside(ArrayRef<Dim> kept, ArrayRef<Value> places);
  void emitResult(IRMapping &mapping, ArrayRef<Value> kept, ValueRange values);
  IRMapping mapKept(ArrayRef<Value> kept);
  SmallVector<Value> emitTerm(ArrayRef<Value> kept, ArrayRef<Value> folded);

  // Arithmetic.
  Value number(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  }
  template <typename Op> Value make(Value a, Value b) {
    return rewriter.createOrFold<Op>(loc, a, b);
  }
  Value apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return toValue(
        rewriter, loc,
        affine::makeComposedFoldedAffineApply(
            rewriter, loc, AffineMap::get(operands.size(), 0, expr), operands));
  }
  Value add(Value a, Value b) {
    return apply(rewriter.getAffineDimExpr(0) + rewriter.getAffineDimExpr(1),
                 {a, b});
  }
  Value sub(Value a, Value b) { return make<arith::SubIOp>(a, b); }
  Value multiply(Value a, int64_t factor) {
    return apply(rewriter.getAffineDimExpr(0) * factor, {a});
  }
  Value shift(Value a, Value log) {
    return log ? make<arith::ShLIOp>(a, log) : a;
  }
  /// `log` and that of `count`, a power of two.
  Value addLog(Value log, int64_t count) {
    Value more = number(llvm::Log2_64(count));
    return log ? make<arith::AddIOp>(log, more) : more;
  }
  /// How many times 2^`log` are as much as `value`, rounded up. Nothing is
  /// added to `value`, which may be as large as an index can be.
  Value countTiles(Value value, Value log) {
    Value one = number(1);
    return add(make<arith::ShRSIOp>(sub(value, one), log), one);
  }
  Value compare(arith::CmpIPredicate is, Value a, Value b) {
    return arith::CmpIOp::create(rewriter, loc, is, a, b);
  }
  LevelAttr level(LevelKind kind) {
    return LevelAttr::get(rewriter.getContext(), kind, 0);
  }

  // Loops.
  void enter(ForOp loop) {
    if (loop.isReduce())
      rewriter.setInsertionPointToEnd(loop.getBodyBlock());
    else
      rewriter.setInsertionPoint(loop.getBodyBlock()->getTerminator());
  }
  ForOp openParallel(const Twine &name, OpFoldResult extent, LevelAttr at) {
    ForOp loop =
        createLoopLike(rewriter, nest.front(), name.str(), extent, {}, at);
    enter(loop);
    return loop;
  }
  /// The fold of what `body` gives for each index.
  SmallVector<Value>
  makeFold(const Twine &name, OpFoldResult extent, LevelKind at,
           ValueRange seeds,
           llvm::function_ref<SmallVector<Value>(Value)> body) {
    ForOp loop =
        createLoopLike(rewriter, fold, name.str(), extent, seeds, level(at));
    OpBuilder::InsertionGuard guard(rewriter);
    enter(loop);
    SmallVector<Value> values = body(loop.getInductionVar());
    YieldOp::create(rewriter, loc, values);
    return SmallVector<Value>(loop.getResults());
  }
  OpFoldResult index(int64_t value) { return rewriter.getIndexAttr(value); }
  scf::IfOp openIf(Value condition, bool isTail = false) {
    auto branch = scf::IfOp::create(rewriter, loc, condition, false);
    if (isTail)
      branch->setAttr(kTailAttr, rewriter.getUnitAttr());
    return branch;
  }

  IRRewriter &rewriter;
  LaunchOp launch;
  Location loc;
  ForOp root;
  SmallVector<ForOp> nest;
  ForOp fold;
  SmallVector<ForOp> folds;
  NestScalars scalars, foldScalars;
  Value keptShift;
  int64_t threads;
  llvm::DenseMap<StringAttr, std::pair<DimDigitsAttr, ShareValues>> digitsOf;
  SmallVector<Dim> keptDims, foldDims;
  /// Logarithms of K and F, and how far the F threads stand apart.
  Value keptLog, foldLog, foldShift;
  SmallVector<Value> neutrals;

  static ForOp getFold(ForOp root) {
    ForOp last = getNest(root).back();
    return *last.getBodyBlock()->getOps<ForOp>().begin();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

Dim FoldDealer::makeDim(ForOp loop) {
  auto [digits, share] = digitsOf.lookup(loop.getDimAttr());
  Dim dim;
  dim.name = loop.getDim().str();
  dim.share = share;
  for (DigitAttr digit : digits.getDigits()) {
    switch (digit.getLevel().getKind()) {
    case LevelKind::Block:
      dim.block = digit.getLevel();
      break;
    case LevelKind::Unroll:
      dim.unroll = digit.getSize();
      break;
    case LevelKind::Vector:
      dim.width = digit.getSize();
      break;
    default:
      break;
    }
  }
  dim.isWhole = isMultiple(loop.getMixedExtent(), dim.width);
  return dim;
}

/// The logarithm of how many threads walk `dims` together.
Value FoldDealer::sumLogs(ArrayRef<Dim> dims) {
  Value sum = number(0);
  for (const Dim &dim : dims)
    if (dim.share.log)
      sum = make<arith::AddIOp>(sum, dim.share.log);
  return make<arith::MinUIOp>(sum, number(llvm::Log2_64(threads)));
}

LogicalResult FoldDealer::prepare() {
  IRMapping mapping;
  auto addDim = [&](ForOp loop, NestScalars &around, SmallVector<Dim> &dims) {
    FailureOr<OpFoldResult> extent =
        around.cloneExtent(rewriter, loop, mapping);
    if (failed(extent))
      return failure();
    Dim dim = makeDim(loop);
    dim.extent = toValue(rewriter, loc, *extent);
    dim.threads = shift(number(1), dim.share.log);
    dims.push_back(dim);
    return success();
  };
  for (ForOp loop : nest)
    if (failed(addDim(loop, scalars, keptDims)))
      return failure();
  for (ForOp loop : folds)
    if (failed(addDim(loop, foldScalars, foldDims)))
      return failure();
  keptLog = sumLogs(keptDims);
  foldLog = sumLogs(foldDims);
  Value zero = number(0);
  foldShift = arith::SelectOp::create(
      rewriter, loc, compare(arith::CmpIPredicate::eq, keptShift, zero),
      keptLog, zero);
  neutrals = createNeutrals(rewriter, fold);
  return success();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void FoldDealer::openBlocks(StringRef suffix, MutableArrayRef<Dim> kept,
                            MutableArrayRef<Dim> terms) {
  for (Dim &dim : terms) {
    if (!dim.share.span) {
      dim.begin = number(0);
      dim.count = dim.extent;
      continue;
    }
    Value log =
        make<arith::AddIOp>(addLog(dim.share.log, dim.unroll), dim.share.span);
    Value part = openParallel(dim.name + suffix + ".0",
                              countTiles(dim.extent, log), dim.block)
                     .getInductionVar();
    dim.begin = shift(part, log);
    Value left =
        make<arith::MinSIOp>(sub(dim.extent, dim.begin), shift(number(1), log));
    dim.count = make<arith::MaxSIOp>(left, number(0));
  }
  for (Dim &dim : kept) {
    int64_t own = dim.unroll * dim.width;
    Value count =
        toValue(rewriter, loc, createCeilDiv(rewriter, loc, dim.extent, own));
    if (dim.share.log)
      count = countTiles(count, dim.share.log);
    Value tile = openParallel(dim.name + suffix + ".0", count, dim.block)
                     .getInductionVar();
    dim.begin = multiply(shift(tile, dim.share.log), own);
  }
}

/// The places along `kept` of copy `copy` and lane `lane` (of the first ones,
/// if these are null) of the threads whose number among those for results is
/// `group`.
SmallVector<Value> FoldDealer::getKept(ArrayRef<Dim> kept, Value group,
                                       Value copy, Value lane) {
  SmallVector<Value> places;
  AffineExpr d0 = rewriter.getAffineDimExpr(0);
  int64_t copies = 1;
  for (const Dim &dim : kept) {
    Value place = dim.begin;
    Value step = dim.unroll > 1 && copy
                     ? apply(d0.floorDiv(copies) % dim.unroll, {copy})
                     : Value();
    copies *= dim.unroll;
    if (dim.share.log) {
      Value rest = make<arith::ShRUIOp>(group, dim.share.shift);
      Value mine = make<arith::AndIOp>(rest, sub(dim.threads, number(1)));
      if (step)
        mine = add(mine, make<arith::MulIOp>(step, dim.threads));
      step = mine;
    }
    if (step)
      place = add(place, multiply(step, dim.width));
    if (dim.width > 1)
      place = lane ? add(place, lane) : place;
    places.push_back(place);
  }
  return places;
}

Value FoldDealer::isInside(ArrayRef<Dim> kept, ArrayRef<Value> places) {
  Value all;
  for (auto [dim, place] : llvm::zip(kept, places)) {
    Value mine = compare(arith::CmpIPredicate::slt, place, dim.extent);
    all = all ? arith::AndIOp::create(rewriter, loc, all, mine).getResult()
              : mine;
  }
  return all;
}

//===----------------------------------------------------------------------===//
// What a thread folds
//===----------------------------------------------------------------------===//

SmallVector<Value>
FoldDealer::emitFold(ArrayRef<Dim> terms, SmallVector<Value> &places,
                     llvm::function_ref<SmallVector<Value>()> emit) {
  if (terms.empty())
    return emit();
  const Dim &dim = terms.front();
  return dim.unroll > 1 ? emitUnrolled(dim, terms.drop_front(), places, emit)
                        : emitSteps(dim, terms.drop_front(), places, emit);
}

/// The iterations of one dimension, each of which is a step of the thread.
SmallVector<Value>
FoldDealer::emitSteps(const Dim &dim, ArrayRef<Dim> rest,
                      SmallVector<Value> &places,
                      llvm::function_ref<SmallVector<Value>()> emit) {
  Value log = dim.share.log;
  auto emitAt = [&](Value place) {
    places.push_back(place);
    SmallVector<Value> values = emitFold(rest, places, emit);
    places.pop_back();
    return values;
  };
  std::optional<int64_t> known = getConstantIntValue(dim.count);
  if (!log && known && *known <= kRun)
    return makeFold(dim.name + ".1", index(*known), LevelKind::Seq, neutrals,
                    [&](Value step) { return emitAt(step); });
  // What is left for the thread, in runs.
  Value count = dim.count, begin = dim.begin;
  if (log) {
    count = make<arith::MaxSIOp>(sub(count, dim.mine), number(0));
    begin = add(begin, dim.mine);
  }
  Value runLog = addLog(log, kRun);
  return makeFold(dim.name + ".1", countTiles(count, runLog), LevelKind::Seq,
                  neutrals, [&](Value run) {
                    Value first = shift(run, runLog);
                    Value left = sub(count, first);
                    if (log)
                      left = countTiles(left, log);
                    Value steps = arith::MinSIOp::create(rewriter, loc, left,
                                                         number(kRun));
                    Value at = add(begin, first);
                    return makeFold(dim.name + ".2", steps, LevelKind::Seq,
                                    neutrals, [&](Value step) {
                                      return emitAt(add(at, shift(step, log)));
                                    });
                  });
}

/// The iterations of one dimension, of which a thread takes some together: the
/// last ones, which not all threads have, with a mask.
SmallVector<Value>
FoldDealer::emitUnrolled(const Dim &dim, ArrayRef<Dim> rest,
                         SmallVector<Value> &places,
                         llvm::function_ref<SmallVector<Value>()> emit) {
  Value tileLog = addLog(dim.share.log, dim.unroll);
  Value runLog = addLog(tileLog, kRun), tile = shift(number(1), tileLog);
  Value begin = dim.begin;
  if (dim.share.log)
    begin = add(begin, dim.mine);
  // Whole tiles.
  Value left = make<arith::AndIOp>(dim.count, sub(tile, number(1)));
  Value whole = make<arith::MaxSIOp>(sub(dim.count, left), number(0));
  SmallVector<Value> sum = makeFold(
      dim.name + ".1", countTiles(whole, runLog), LevelKind::Seq, neutrals,
      [&](Value run) {
        Value first = shift(run, runLog);
        Value tiles = make<arith::ShRSIOp>(sub(whole, first), tileLog);
        Value steps =
            arith::MinSIOp::create(rewriter, loc, tiles, number(kRun));
        Value at = add(begin, first);
        return makeFold(
            dim.name + ".2", steps, LevelKind::Seq, neutrals, [&](Value step) {
              Value from = add(at, shift(step, tileLog));
              return makeFold(
                  dim.name + ".3", index(dim.unroll), LevelKind::Unroll,
                  neutrals, [&](Value copy) {
                    places.push_back(
                        add(from, make<arith::MulIOp>(copy, dim.threads)));
                    SmallVector<Value> values = emitFold(rest, places, emit);
                    places.pop_back();
                    return values;
                  });
            });
      });
  // What is left is less than one; past the end the last one is read again.
  Value some = arith::MinSIOp::create(rewriter, loc, left, number(1));
  Value end = add(dim.begin, dim.count);
  return makeFold(dim.name + ".4", some, LevelKind::Seq, sum, [&](Value) {
    Value from = add(begin, whole);
    Value last = sub(end, number(1));
    return makeFold(
        dim.name + ".5", index(dim.unroll), LevelKind::Unroll, neutrals,
        [&](Value copy) {
          Value place = add(from, make<arith::MulIOp>(copy, dim.threads));
          Value inside = compare(arith::CmpIPredicate::slt, place, end);
          places.push_back(make<arith::MinSIOp>(place, last));
          SmallVector<Value> values = emitFold(rest, places, emit);
          places.pop_back();
          for (auto [value, neutral] : llvm::zip(values, neutrals))
            value =
                arith::SelectOp::create(rewriter, loc, inside, value, neutral);
          return values;
        });
  });
}

//===----------------------------------------------------------------------===//
// One nest
//===----------------------------------------------------------------------===//

void FoldDealer::emitNest(StringRef suffix, SmallVector<Dim> kept,
                          SmallVector<Dim> terms, Terms emitTerm,
                          llvm::function_ref<void(ArrayRef<Dim>)> opened,
                          Sink sink) {
  OpBuilder::InsertionGuard guard(rewriter);
  openBlocks(suffix, kept, terms);
  opened(terms);
  int64_t copies = 1, width = 1;
  for (const Dim &dim : kept) {
    copies *= dim.unroll;
    width *= dim.width;
  }
  int64_t own = copies * width, partials = own * threads;
  int64_t groups = partials / kRadix;
  SmallVector<Value> locals;
  for (Type type : fold.getResultTypes())
    locals.push_back(LocalOp::create(rewriter, loc,
                                     MemRefType::get({partials + groups}, type),
                                     ValueRange(), StringAttr()));
  Value one = number(1), zero = number(0);
  // Results of the block.
  Value results = multiply(shift(one, keptLog), own);
  auto openThreads = [&](StringRef name) {
    return openParallel(name + suffix, index(threads),
                        level(LevelKind::Thread));
  };
  auto load = [&](Value at) {
    SmallVector<Value> values;
    for (Value local : locals)
      values.push_back(LoadOp::create(rewriter, loc, local, at));
    return values;
  };
  auto store = [&](ValueRange values, Value at) {
    for (auto [value, local] : llvm::zip(values, locals))
      StoreOp::create(rewriter, loc, value, local, at);
  };
  Value isAlone = compare(arith::CmpIPredicate::eq, foldLog, zero);
  {
    OpBuilder::InsertionGuard inner(rewriter);
    Value thread = openThreads("threads").getInductionVar();
    auto getGroup = [&](Value from, Value log) {
      Value mask = sub(shift(one, log), one);
      return make<arith::AndIOp>(make<arith::ShRUIOp>(thread, from), mask);
    };
    Value group = getGroup(keptShift, keptLog);
    Value mine = getGroup(foldShift, foldLog);
    for (Dim &dim : terms)
      if (dim.share.log)
        dim.mine = make<arith::AndIOp>(
            make<arith::ShRUIOp>(mine, dim.share.shift), sub(dim.threads, one));
    Value hasResult = isInside(kept, getKept(kept, group, Value(), Value()));
    Value copy, lane;
    if (copies > 1)
      copy = openParallel("copies" + suffix, index(copies),
                          level(LevelKind::Unroll))
                 .getInductionVar();
    // The last vector of the row for threads past its end.
    SmallVector<Value> firsts = getKept(kept, group, copy, Value()), places;
    if (width > 1)
      lane =
          openParallel("lanes" + suffix, index(width), level(LevelKind::Vector))
              .getInductionVar();
    SmallVector<Value> clamped, ends;
    for (auto [dim, first] : llvm::zip(kept, firsts)) {
      bool isWide = dim.width > 1 && dim.isWhole;
      Value place = dim.width > 1 ? add(first, lane) : first;
      Value last = sub(dim.extent, number(isWide ? dim.width : 1));
      Value most = make<arith::MinSIOp>(isWide ? first : place, last);
      clamped.push_back(isWide ? add(most, lane) : most);
      places.push_back(place);
      ends.push_back(isWide ? first : place);
    }
    auto some = scf::IfOp::create(rewriter, loc, fold.getResultTypes(),
                                  hasResult, /*withElseRegion=*/true);
    {
      OpBuilder::InsertionGuard inner(rewriter);
      rewriter.setInsertionPointToEnd(some.thenBlock());
      SmallVector<Value> folded;
      scf::YieldOp::create(rewriter, loc, emitFold(terms, folded, [&] {
                             return emitTerm(clamped, folded);
                           }));
      rewriter.setInsertionPointToEnd(some.elseBlock());
      scf::YieldOp::create(rewriter, loc, neutrals);
    }
    ValueRange values = some.getResults();
    auto branch = scf::IfOp::create(rewriter, loc, isAlone, true);
    rewriter.setInsertionPoint(branch.thenYield());
    {
      OpBuilder::InsertionGuard inner(rewriter);
      rewriter.setInsertionPoint(
          openIf(isInside(kept, ends), /*isTail=*/true).thenYield());
      sink(places, values);
    }
    rewriter.setInsertionPoint(branch.elseYield());
    Value at = copy ? add(group, make<arith::MulIOp>(copy, shift(one, keptLog)))
                    : group;
    at = multiply(at, width);
    if (lane)
      at = add(at, lane);
    Value row = multiply(shift(mine, keptLog), own);
    store(values, add(row, at));
  }
  // Partial results, as trees of 16.
  rewriter.setInsertionPoint(
      openIf(compare(arith::CmpIPredicate::ne, foldLog, zero)).thenYield());
  Value radixLog = number(llvm::Log2_64(kRadix));
  Value isLong = compare(arith::CmpIPredicate::ugt, foldLog, radixLog);
  if (threads > kRadix) {
    OpBuilder::InsertionGuard inner(rewriter);
    rewriter.setInsertionPoint(openIf(isLong).thenYield());
    Value thread = openThreads("groups").getInductionVar();
    Value group = thread;
    if (groups > threads)
      group =
          add(thread,
              multiply(openParallel("more" + suffix,
                                    index(llvm::divideCeil(groups, threads)),
                                    level(LevelKind::Seq))
                           .getInductionVar(),
                       threads));
    if (groups % threads)
      rewriter.setInsertionPoint(
          openIf(compare(arith::CmpIPredicate::slt, group, number(groups)))
              .thenYield());
    SmallVector<Value> values = makeFold(
        "radix" + suffix, index(kRadix), LevelKind::Unroll, neutrals,
        [&](Value k) { return load(add(group, multiply(k, groups))); });
    store(values, add(group, number(partials)));
  }
  Value left = foldLog, from = zero;
  if (threads > kRadix) {
    left = arith::SelectOp::create(
        rewriter, loc, isLong,
        make<arith::MaxSIOp>(sub(foldLog, radixLog), zero), foldLog);
    from =
        arith::SelectOp::create(rewriter, loc, isLong, number(partials), zero);
  }
  Value rows = shift(one, make<arith::MinUIOp>(left, radixLog));
  Value thread = openThreads("results").getInductionVar();
  Value more = openParallel("more" + suffix,
                            createCeilDiv(rewriter, loc, results, threads),
                            level(LevelKind::Seq))
                   .getInductionVar();
  Value result = add(thread, multiply(more, threads));
  rewriter.setInsertionPoint(
      openIf(compare(arith::CmpIPredicate::slt, result, results)).thenYield());
  AffineExpr d0 = rewriter.getAffineDimExpr(0);
  Value unit = apply(d0.floorDiv(width), {result});
  Value lane = width > 1 ? apply(d0 % width, {result}) : Value();
  Value group = make<arith::AndIOp>(unit, sub(shift(one, keptLog), one));
  Value copy = copies > 1 ? make<arith::ShRUIOp>(unit, keptLog) : Value();
  SmallVector<Value> places = getKept(kept, group, copy, lane);
  rewriter.setInsertionPoint(openIf(isInside(kept, places)).thenYield());
  Value lastRow = sub(rows, one);
  SmallVector<Value> values = makeFold(
      "radix" + suffix, index(kRadix), LevelKind::Unroll, neutrals,
      [&](Value k) {
        Value row = make<arith::MinSIOp>(k, lastRow);
        Value at = add(from, add(result, make<arith::MulIOp>(row, results)));
        SmallVector<Value> found = load(at);
        Value inside = compare(arith::CmpIPredicate::slt, k, rows);
        for (auto [value, neutral] : llvm::zip(found, neutrals))
          value =
              arith::SelectOp::create(rewriter, loc, inside, value, neutral);
        return found;
      });
  sink(places, values);
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// Maps the indices of the kept loops, and what is computed of them before the
/// fold.
IRMapping FoldDealer::mapKept(ArrayRef<Value> kept) {
  IRMapping mapping;
  for (auto [loop, place] : llvm::zip(nest, kept))
    mapping.map(loop.getInductionVar(), place);
  scalars.cloneAll(rewriter, mapping);
  for (Operation &op : nest.back().getBodyBlock()->without_terminator()) {
    if (&op == fold)
      break;
    rewriter.clone(op, mapping);
  }
  return mapping;
}

SmallVector<Value> FoldDealer::emitTerm(ArrayRef<Value> kept,
                                        ArrayRef<Value> folded) {
  IRMapping mapping = mapKept(kept);
  for (auto [loop, place] : llvm::zip(folds, folded))
    mapping.map(loop.getInductionVar(), place);
  foldScalars.cloneAll(rewriter, mapping);
  for (Operation &op : folds.back().getBodyBlock()->without_terminator())
    rewriter.clone(op, mapping);
  SmallVector<Value> values;
  for (Value value : folds.back().getYield().getValues())
    values.push_back(mapping.lookupOrDefault(value));
  return values;
}

LogicalResult FoldDealer::run() {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(root);
  if (failed(prepare()))
    return failure();
  auto finish = [&](ArrayRef<Value> kept, ValueRange values) {
    IRMapping mapping = mapKept(kept);
    SmallVector<Value> seeds;
    for (Value seed : fold.getSeeds())
      seeds.push_back(mapping.lookupOrDefault(seed));
    mapping.map(fold.getResults(),
                inlineCombiner(rewriter, fold.getCombiner(), seeds, values));
    for (Operation *op = fold->getNextNode();
         op != nest.back().getBodyBlock()->getTerminator();
         op = op->getNextNode())
      rewriter.clone(*op, mapping);
  };
  auto emitOwn = [&](ArrayRef<Value> kept, ArrayRef<Value> folded) {
    return emitTerm(kept, folded);
  };
  bool isCut = llvm::any_of(
      foldDims, [](const Dim &dim) { return bool(dim.share.span); });
  if (!isCut) {
    emitNest("", keptDims, foldDims, emitOwn, [](ArrayRef<Dim>) {}, finish);
    rewriter.eraseOp(root);
    return success();
  }
  // What the blocks of a result leave for the second nest.
  Dim parts;
  parts.name = foldDims.front().name + ".parts";
  parts.unroll = kTogether;
  parts.extent = number(1);
  SmallVector<Value> counts;
  for (const Dim &dim : foldDims) {
    if (!dim.share.span)
      continue;
    Value log =
        make<arith::AddIOp>(addLog(dim.share.log, dim.unroll), dim.share.span);
    counts.push_back(countTiles(dim.extent, log));
    parts.extent = make<arith::MulIOp>(parts.extent, counts.back());
  }
  parts.share = {foldLog, number(0), Value()};
  parts.threads = shift(number(1), foldLog);
  SmallVector<Value> sizes{parts.extent};
  for (const Dim &dim : keptDims)
    sizes.push_back(dim.extent);
  SmallVector<int64_t> shape(sizes.size(), ShapedType::kDynamic);
  SmallVector<Value> workspaces;
  for (Type type : fold.getResultTypes())
    workspaces.push_back(LocalOp::create(
        rewriter, loc, MemRefType::get(shape, type), sizes, StringAttr()));
  Value part;
  auto findPart = [&](ArrayRef<Dim> terms) {
    unsigned next = 0;
    Value tile;
    auto toWide = [&](Value value) {
      return rewriter.createOrFold<arith::IndexCastOp>(
          loc, rewriter.getI64Type(), value);
    };
    for (const Dim &dim : terms) {
      if (!dim.share.span)
        continue;
      tile = dim.begin.getDefiningOp<arith::ShLIOp>().getLhs();
      // With 64 bits: what several dimensions have together is not known to be
      // small, and only says where a result is.
      Value mine = toWide(tile);
      part = part ? make<arith::AddIOp>(
                        make<arith::MulIOp>(part, toWide(counts[next])), mine)
                  : mine;
      ++next;
    }
    part = next > 1 ? rewriter.createOrFold<arith::IndexCastOp>(
                          loc, rewriter.getIndexType(), part)
                    : tile;
  };
  auto getPlaces = [&](Value part, ArrayRef<Value> kept) {
    SmallVector<Value> places{part};
    llvm::append_range(places, kept);
    return places;
  };
  emitNest("", keptDims, foldDims, emitOwn, findPart,
           [&](ArrayRef<Value> kept, ValueRange values) {
             for (auto [value, workspace] : llvm::zip(values, workspaces))
               StoreOp::create(rewriter, loc, value, workspace,
                               getPlaces(part, kept));
           });
  auto loadPart = [&](ArrayRef<Value> kept, ArrayRef<Value> folded) {
    SmallVector<Value> values;
    for (Value workspace : workspaces)
      values.push_back(LoadOp::create(rewriter, loc, workspace,
                                      getPlaces(folded.front(), kept)));
    return values;
  };
  emitNest(".parts", keptDims, {parts}, loadPart, [](ArrayRef<Dim>) {}, finish);
  rewriter.eraseOp(root);
  return success();
}

LogicalResult arrc::kernel::dealFolds(IRRewriter &rewriter, LaunchOp launch,
                                      ForOp root, ArrayRef<ShareValues> shares,
                                      Value keptShift) {
  return FoldDealer(rewriter, launch, root, shares, keptShift).run();
}
