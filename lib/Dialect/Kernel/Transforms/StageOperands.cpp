//===- StageOperands.cpp - Read what a block shares once ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. What the iterations below a digit read of an array is a box: the image
// of the inner digits under the index. The block copies it on chip, in the
// order in which it lies in memory, and reads it from there in its own.
//
// Before   for i.0, j.0 at block {                 // stage = [A at j.0 pad 1]
//            for i.1 in 8 at thread.y { for j.1 in 32 at thread.x {
//              for i.2 in 4 at unroll { %A[j, i] } } } }
// After    for i.0, j.0 at block {
//            %t = local : 32x33
//            for y in 8 at thread.y { for x in 32 at thread.x {
//              for k in 4 at unroll {
//                %t[8 k + y, x] = %A[32 j.0 + 8 k + y, 32 i.0 + x] } } }
//            for i.1 .. { for j.1 .. { for i.2 .. { %t[j.1, 4 i.1 + i.2] } } }
//            }
//
// Elements of the box that lie outside of the array are not read; with an edge
// mode the box holds what the mode reads. What then touches nothing but the
// chip needs no guard at the end of its dimension, and the last step of a
// sequential digit, which is not whole, stands apart: accumulators stay in
// registers.
//
// Legal when the launch does not write the array, each index is a sum of inner
// digits with numbers as sizes and of values that are known at the digit, and
// no thread loop stands around it. Pays where neighbouring threads read far
// apart, or threads of one block read the same.
// Source: Baskaran et al., "Automatic data movement and computation mapping for
// multi-level parallel architectures with explicitly managed memories" (2008).
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/MapVector.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_STAGEOPERANDSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Copies of one thread that are written out.
static constexpr int64_t kUnrolled = 16;

namespace {

/// The box of one array below one loop.
class Stage {
public:
  Stage(IRRewriter &rewriter, LaunchOp launch, ForOp at, BlockArgument array,
        int64_t pad, ArrayRef<LoadOp> loads)
      : rewriter(rewriter), launch(launch), at(at), array(array), pad(pad),
        loc(at.getLoc()), loads(loads) {}

  /// Why the box cannot be copied; empty if it can.
  std::string analyze();
  /// Copies the box and reads it from there; gives the tile.
  Value apply();

private:
  /// One dimension: what the indices of all loads have in common, and how far
  /// they reach from there.
  struct Dim {
    LinearIndex base;
    int64_t lowest = 0, highest = 0;
    bool mayBeNegative = false;
    int64_t size() const { return highest - lowest + 1; }
  };

  std::string analyzeIndex(const LinearIndex &index, Dim &dim, bool isFirst);
  /// The extent of a loop below, if it never exceeds a number.
  std::optional<int64_t> getBound(ForOp loop);
  bool isKnownAbove(Value value);
  Value cloneAbove(Value value, IRMapping &mapping);
  /// The sum of a form's terms, the constant and `more`.
  Value materialize(const LinearIndex &form, int64_t constant,
                    ArrayRef<std::pair<Value, int64_t>> more);
  ForOp open(StringRef suffix, int64_t extent, LevelAttr level);
  void copyBox(Value tile);
  void readBox(Value tile);

  IRRewriter &rewriter;
  LaunchOp launch;
  ForOp at;
  BlockArgument array;
  int64_t pad;
  Location loc;
  SmallVector<LoadOp> loads;
  SmallVector<Dim> dims;
  IRMapping above;
};

} // namespace

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Whether neighbouring threads read neighbours.
static bool isSideBySide(const Access &access) {
  return !access.indices.empty() &&
         llvm::any_of(
             access.indices.back().getTerms(), [](LinearIndex::Term term) {
               auto argument = dyn_cast<BlockArgument>(term.first);
               auto loop =
                   argument
                       ? dyn_cast<ForOp>(argument.getOwner()->getParentOp())
                       : ForOp();
               return loop && std::abs(term.second) == 1 &&
                      loop.getLevelKind() == LevelKind::Thread &&
                      loop.getLevelAttr().getAxis() == 0;
             });
}

/// The reads of `array` below `at`, those of one box together. Where there are
/// several boxes, what neighbouring threads read side by side needs none.
static SmallVector<SmallVector<LoadOp>> collectBoxes(ForOp at,
                                                     BlockArgument array) {
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

std::optional<int64_t> Stage::getBound(ForOp loop) {
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
bool Stage::isKnownAbove(Value value) {
  if (!at->isAncestor(value.getParentBlock()->getParentOp()) ||
      value == at.getInductionVar())
    return true;
  Operation *op = value.getDefiningOp();
  return op && isScalarOp(op) && llvm::all_of(op->getOperands(), [&](Value v) {
           return isKnownAbove(v);
         });
}

std::string Stage::analyzeIndex(const LinearIndex &index, Dim &dim,
                                bool isFirst) {
  LinearIndex base;
  int64_t lowest = index.getConstant(), highest = lowest;
  for (auto [value, factor] : index.getTerms()) {
    auto argument = dyn_cast<BlockArgument>(value);
    auto loop = argument ? dyn_cast<ForOp>(argument.getOwner()->getParentOp())
                         : ForOp();
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

std::string Stage::analyze() {
  for (Operation *op = at; op != launch; op = op->getParentOp())
    if (auto loop = dyn_cast<ForOp>(op);
        loop && loop.getLevelKind() == LevelKind::Thread)
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
  return "";
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

Value Stage::cloneAbove(Value value, IRMapping &mapping) {
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

Value Stage::materialize(const LinearIndex &form, int64_t constant,
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

ForOp Stage::open(StringRef suffix, int64_t extent, LevelAttr level) {
  std::string name =
      (at.getDim() + "." + launch.getArgName(array.getArgNumber()) + suffix)
          .str();
  ForOp loop = ForOp::create(rewriter, loc, name, rewriter.getIndexAttr(extent),
                             ForKind::Parallel, ValueRange(), level);
  rewriter.setInsertionPoint(loop.getBodyBlock()->getTerminator());
  return loop;
}

/// Threads along x take neighbours of the last dimension, threads along y and
/// the steps of a thread the others.
void Stage::copyBox(Value tile) {
  int64_t threads[3] = {1, 1, 1};
  at.getBody().walk([&](ForOp loop) {
    if (loop.getLevelKind() == LevelKind::Thread) {
      int64_t &most = threads[loop.getLevelAttr().getAxis() % 3];
      most = std::max<int64_t>(most, loop.getStaticExtent().value_or(1));
    }
  });
  int64_t columns = dims.back().size(), rows = 1;
  for (const Dim &dim : ArrayRef(dims).drop_back())
    rows *= dim.size();
  int64_t rowSteps = llvm::divideCeil(rows, threads[1]);
  int64_t columnSteps = llvm::divideCeil(columns, threads[0]);
  auto level = [&](LevelKind kind, unsigned axis = 0) {
    return LevelAttr::get(rewriter.getContext(), kind, axis);
  };
  auto steps = [&](int64_t count) {
    return level(count <= kUnrolled ? LevelKind::Unroll : LevelKind::Seq);
  };
  OpBuilder::InsertionGuard guard(rewriter);
  Value y, x, row, column;
  if (threads[1] > 1)
    y = open(".y", threads[1], level(LevelKind::Thread, 1)).getInductionVar();
  if (threads[0] > 1)
    x = open(".x", threads[0], level(LevelKind::Thread, 0)).getInductionVar();
  SmallVector<std::pair<Value, int64_t>> rowTerms, columnTerms;
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
  row = materialize(LinearIndex(), 0, rowTerms);
  column = materialize(LinearIndex(), 0, columnTerms);

  // The place in the box.
  SmallVector<Value> place(dims.size());
  place.back() = column;
  int64_t weight = rows;
  for (unsigned d = 0; d + 1 < dims.size(); ++d) {
    weight /= dims[d].size();
    AffineExpr digit = rewriter.getAffineDimExpr(0).floorDiv(weight);
    if (d > 0)
      digit = digit % dims[d].size();
    place[d] = toValue(rewriter, loc,
                       affine::makeComposedFoldedAffineApply(
                           rewriter, loc, AffineMap::get(1, 0, digit), {row}));
  }
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
  if (rows % threads[1])
    require(inBox, isBelow(row, rewriter.getIndexAttr(rows), false));
  if (columns % threads[0])
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
  StoreOp::create(rewriter, loc, value, tile, place, inBox);
}

void Stage::readBox(Value tile) {
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
    rewriter.replaceOpWithNewOp<LoadOp>(load, tile, place, EdgesAttr(),
                                        load.getMask());
  }
}

Value Stage::apply() {
  SmallVector<int64_t> shape;
  for (const Dim &dim : dims)
    shape.push_back(dim.size());
  shape.back() += pad;
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
  copyBox(tile);
  readBox(tile);
  return tile;
}

//===----------------------------------------------------------------------===//
// What staging makes superfluous
//===----------------------------------------------------------------------===//

/// Whether all that `guard` keeps away from the end of its dimension lies on
/// chip, each iteration having an element of its own: then what is computed
/// past the end is never looked at.
static bool isOnChip(scf::IfOp guard, ForOp at, ArrayRef<Value> tiles) {
  SmallVector<Value> digits;
  for (Operation *op = guard->getParentOp(); op != at; op = op->getParentOp()) {
    auto loop = dyn_cast<ForOp>(op);
    if (!loop && !isa<scf::IfOp>(op))
      return false;
    if (loop)
      digits.push_back(loop.getInductionVar());
  }
  auto isDigit = [](Value index) {
    auto argument = dyn_cast<BlockArgument>(index);
    return argument && isa<ForOp>(argument.getOwner()->getParentOp());
  };
  auto fits = [&](Value array, OperandRange indices, bool writes) {
    if (!array.getDefiningOp<LocalOp>())
      return false;
    if (!writes && llvm::is_contained(tiles, array))
      return true;
    return llvm::all_of(indices, isDigit) &&
           (!writes || llvm::all_of(digits, [&](Value digit) {
             return llvm::is_contained(indices, digit);
           }));
  };
  return !guard.getThenRegion()
              .walk([&](Operation *op) {
                bool harmless;
                if (auto load = dyn_cast<LoadOp>(op))
                  harmless = !load.getEdge() &&
                             fits(load.getSource(), load.getIndices(), false);
                else if (auto store = dyn_cast<StoreOp>(op))
                  harmless = fits(store.getDest(), store.getIndices(), true);
                else
                  harmless = isa<ForOp>(op) || isScalarOp(op) ||
                             op->hasTrait<OpTrait::IsTerminator>();
                return harmless ? WalkResult::advance()
                                : WalkResult::interrupt();
              })
              .wasInterrupted();
}

static void dropGuards(IRRewriter &rewriter, ForOp at, ArrayRef<Value> tiles) {
  SmallVector<scf::IfOp> guards;
  at.getBody().walk([&](scf::IfOp guard) {
    if (guard->hasAttr(kTailAttr) && guard.getElseRegion().empty() &&
        !guard->getNumResults() && isOnChip(guard, at, tiles))
      guards.push_back(guard);
  });
  for (scf::IfOp guard : guards) {
    rewriter.eraseOp(guard.thenYield());
    rewriter.inlineBlockBefore(guard.thenBlock(), guard);
    rewriter.eraseOp(guard);
  }
}

/// Splits `at`, a sequential loop that is clipped with its inner digits, into
/// the steps in which these run whole and the one in which they do not.
static void splitLastStep(IRRewriter &rewriter, LaunchOp launch, ForOp at) {
  auto [dim, number] = at.getDim().rsplit('.');
  unsigned digit;
  DimDigitsAttr digits = launch.getScheduleAttr().lookup(dim);
  if (at.getLevelKind() != LevelKind::Seq || !at.isParallel() ||
      !at.getExtent() || !digits || number.getAsInteger(10, digit))
    return;
  auto count = at.getExtent().getDefiningOp<affine::AffineApplyOp>();
  AffineExpr formula = count ? count.getAffineMap().getResult(0) : AffineExpr();
  auto rounded = dyn_cast_if_present<AffineBinaryOpExpr>(formula);
  int64_t weight = digits.getWeight(digit);
  if (!rounded || rounded.getKind() != AffineExprKind::CeilDiv ||
      rounded.getRHS() != rewriter.getAffineConstantExpr(weight))
    return;
  Location loc = at.getLoc();
  rewriter.setInsertionPoint(at);
  AffineMap map = count.getAffineMap();
  Value whole = affine::AffineApplyOp::create(
      rewriter, loc,
      AffineMap::get(map.getNumDims(), map.getNumSymbols(),
                     rounded.getLHS().floorDiv(weight)),
      count.getMapOperands());
  Value rest = arith::SubIOp::create(rewriter, loc, at.getExtent(), whole);
  rewriter.setInsertionPointAfter(at);
  auto last = cast<ForOp>(rewriter.clone(*at));
  last.setMixedExtent(rest);
  rewriter.setInsertionPointToStart(last.getBodyBlock());
  Value step = last.getInductionVar();
  auto index = arith::AddIOp::create(rewriter, loc, step, whole);
  rewriter.replaceAllUsesExcept(step, index, index);
  at.setMixedExtent(whole);
  at.getBody().walk([&](ForOp inner) {
    auto [name, place] = inner.getDim().rsplit('.');
    unsigned k;
    if (name == dim && !place.getAsInteger(10, k) && k > digit &&
        k < digits.getDigits().size() && inner.getExtent() &&
        digits.getDigits()[k].getSize())
      inner.setMixedExtent(
          rewriter.getIndexAttr(digits.getDigits()[k].getSize()));
  });
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct StageOperandsPass
    : public arrc::kernel::impl::StageOperandsPassBase<StageOperandsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<LaunchOp> launches;
    getOperation().walk([&](LaunchOp launch) {
      ScheduleAttr schedule = launch.getScheduleAttr();
      if (schedule && !schedule.getStage().empty() && launch.isScheduled())
        launches.push_back(launch);
    });
    for (LaunchOp launch : launches) {
      ScheduleAttr schedule = launch.getScheduleAttr();
      llvm::MapVector<Operation *, SmallVector<Value>> tiles;
      for (ClauseAttr clause : schedule.getStage())
        if (failed(stage(rewriter, launch, clause, tiles)))
          return signalPassFailure();
      for (auto &[loop, made] : tiles) {
        dropGuards(rewriter, cast<ForOp>(loop), made);
        splitLastStep(rewriter, launch, cast<ForOp>(loop));
      }
      launch.setScheduleAttr(ScheduleAttr::get(
          &getContext(), schedule.getDims(), schedule.getOrder(), {},
          schedule.getKeep(), schedule.getPrivates(), schedule.getRoll(),
          schedule.getSplitBoundary(), schedule.getIndexBits()));
    }
  }

  static LogicalResult
  stage(IRRewriter &rewriter, LaunchOp launch, ClauseAttr clause,
        llvm::MapVector<Operation *, SmallVector<Value>> &tiles) {
    StringRef name = clause.getArray(), digit = clause.getDigit();
    auto refuse = [&](const Twine &reason) {
      return launch.emitOpError("cannot stage '")
             << name << "' at '" << digit << "': " << reason;
    };
    if (!clause.getSpace().empty() && clause.getSpace() != "shared")
      return refuse("tiles are shared");
    BlockArgument array;
    for (BlockArgument argument : launch.getBodyBlock()->getArguments())
      if (launch.getArgName(argument.getArgNumber()) == name &&
          isa<MemRefType>(argument.getType()))
        array = argument;
    if (!array)
      return refuse("the launch has no such array");
    SmallVector<ForOp> loops;
    launch.getBody().walk([&](ForOp loop) {
      if (loop.getDim() == digit)
        loops.push_back(loop);
    });
    if (loops.empty())
      return refuse("there is no such digit");
    // Loops of one digit are phases: those that do not read have no box.
    bool done = false;
    std::string last;
    for (ForOp loop : loops) {
      auto boxes = collectBoxes(loop, array);
      if (boxes.empty() && last.empty())
        last = "nothing below the digit reads it";
      for (ArrayRef<LoadOp> loads : boxes) {
        Stage box(rewriter, launch, loop, array, clause.getAmount(), loads);
        std::string reason = box.analyze();
        if (!reason.empty())
          return refuse(reason);
        tiles[loop].push_back(box.apply());
        done = true;
      }
    }
    return done ? success() : LogicalResult(refuse(last));
  }
};

} // namespace
