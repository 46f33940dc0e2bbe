//===- ExpandVersions.cpp - Choose among versions at run time -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A launch may hold several schedules, each but the last with a condition
// on sizes. They are tried in order.
//
// Before   kernel.launch .. versions [<when = (s0 - 1024 >= 0), A>, <B>] of
// (%N) After    scf.if %n - 1024 >= 0 { kernel.launch .. schedule A }
//          else { kernel.launch .. schedule B }
//
// A condition that a size is a multiple of a number (s0 mod 4 == 0) goes on as
// a fact about the operand, `array.assume %n multiple 4`: later, the rows of an
// array with such a pitch start at addresses that are aligned. A size that is
// said to be a number (s0 - 3 == 0) is one, outside of the launch and inside.
//
// Where several versions have one schedule, there is one launch of it: the host
// finds the first version that holds, which gives the number of a schedule.
// Schedules that deal threads are one if they differ in these alone: the number
// then says who they are, too. How many walk a dimension follows from its size
// (Shared/EvenThreads.h), where a rank stands for the order in which dimensions
// are asked (DealThreads.cpp).
//
// Versions with `index 32` are for sizes whose indices fit in 32 bits: where
// they do not, the host chooses among the others.
//
//   %fit = kernel.indices_fit "k"
//   scf.if %fit { .. all versions .. } else { .. those without `index 32` .. }
//
// Legal: every version has the same meaning. The conditions are `arith`
// comparisons: a set of `affine` refuses sizes that a loop computes.
//
//===----------------------------------------------------------------------===//

#include "DealThreads.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/IR/PatternMatch.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_EXPANDVERSIONSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// Whether the sizes lie in `set`.
static Value createCondition(IRRewriter &rewriter, Location loc, IntegerSet set,
                             ValueRange sizes) {
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value all;
  for (unsigned i = 0; i < set.getNumConstraints(); ++i) {
    Value form = affine::expandAffineExpr(rewriter, loc, set.getConstraint(i),
                                          ValueRange(), sizes);
    Value holds = arith::CmpIOp::create(rewriter, loc,
                                        set.isEq(i) ? arith::CmpIPredicate::eq
                                                    : arith::CmpIPredicate::sge,
                                        form, zero);
    all = all ? arith::AndIOp::create(rewriter, loc, all, holds).getResult()
              : holds;
  }
  return all;
}

/// The symbol that constraint `i` says to be a multiple of a number, and that
/// number: `s0 mod 4 == 0`, or `-(s0 mod 4) >= 0`.
static std::optional<std::pair<unsigned, int64_t>> getMultiple(IntegerSet set,
                                                               unsigned i) {
  AffineExpr form = set.getConstraint(i);
  if (auto product = dyn_cast<AffineBinaryOpExpr>(form);
      product && product.getKind() == AffineExprKind::Mul) {
    auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
    if (!factor ||
        (set.isEq(i) ? factor.getValue() == 0 : factor.getValue() >= 0))
      return std::nullopt;
    form = product.getLHS();
  } else if (!set.isEq(i)) {
    return std::nullopt;
  }
  auto rest = dyn_cast<AffineBinaryOpExpr>(form);
  if (!rest || rest.getKind() != AffineExprKind::Mod)
    return std::nullopt;
  auto symbol = dyn_cast<AffineSymbolExpr>(rest.getLHS());
  auto number = dyn_cast<AffineConstantExpr>(rest.getRHS());
  if (!symbol || !number)
    return std::nullopt;
  return std::make_pair(symbol.getPosition(), number.getValue());
}

/// The symbol that constraint `i` bounds from above, and the bound:
/// `4096 - s0 >= 0`.
static std::optional<std::pair<unsigned, int64_t>> getMost(IntegerSet set,
                                                           unsigned i) {
  if (set.isEq(i))
    return std::nullopt;
  for (unsigned k = 0; k < set.getNumSymbols(); ++k) {
    AffineExpr rest = simplifyAffineExpr(
        set.getConstraint(i) + getAffineSymbolExpr(k, set.getContext()), 0,
        set.getNumSymbols());
    if (auto number = dyn_cast<AffineConstantExpr>(rest))
      return std::make_pair(k, number.getValue());
  }
  return std::nullopt;
}

/// The symbol that constraint `i` says to be a number, and that number:
/// `s0 - 3 == 0`.
static std::optional<std::pair<unsigned, int64_t>> getNumber(IntegerSet set,
                                                             unsigned i) {
  if (!set.isEq(i))
    return std::nullopt;
  for (unsigned k = 0; k < set.getNumSymbols(); ++k) {
    AffineExpr rest = simplifyAffineExpr(
        getAffineSymbolExpr(k, set.getContext()) - set.getConstraint(i), 0,
        set.getNumSymbols());
    if (auto number = dyn_cast<AffineConstantExpr>(rest))
      return std::make_pair(k, number.getValue());
  }
  return std::nullopt;
}

/// Has `number` in the place of operand `index`.
static void setNumber(IRRewriter &rewriter, LaunchOp launch, unsigned index,
                      int64_t number) {
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = launch.getLoc();
  launch->getOpOperand(index).set(
      arith::ConstantIndexOp::create(rewriter, loc, number));
  BlockArgument size = launch.getArgument(index);
  launch.getBody().walk([&](ForOp loop) {
    if (loop.getExtent() == size)
      loop.setMixedExtent(rewriter.getIndexAttr(number));
  });
  if (size.use_empty())
    return;
  rewriter.setInsertionPointToStart(launch.getBodyBlock());
  size.replaceAllUsesWith(
      arith::ConstantIndexOp::create(rewriter, loc, number));
}

/// Whether digits of some dimension all have sizes, or rows are kept on chip,
/// so that these must be known to suffice.
static bool needsBounds(ScheduleAttr schedule) {
  return llvm::any_of(
             schedule.getDims(),
             [](DimDigitsAttr digits) { return !digits.getOpenDigit(); }) ||
         llvm::any_of(schedule.getStage(), [](ClauseAttr clause) {
           return clause.getSpace() == "rows";
         });
}

/// What the condition `set` says of operands `numbers` of the launch.
static void addFacts(IRRewriter &rewriter, LaunchOp launch, IntegerSet set,
                     ArrayRef<int64_t> numbers) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(launch);
  bool bounds = needsBounds(launch.getScheduleAttr());
  for (unsigned i = 0; i < set.getNumConstraints(); ++i) {
    if (auto most = getMost(set, i); most && bounds && most->second >= 0) {
      OpOperand &operand = launch->getOpOperand(numbers[most->first]);
      operand.set(array::AssumeOp::create(
          rewriter, launch.getLoc(), operand.get(),
          rewriter.getI64IntegerAttr(0),
          rewriter.getI64IntegerAttr(most->second), IntegerAttr()));
    }
    if (auto number = getNumber(set, i))
      setNumber(rewriter, launch, numbers[number->first], number->second);
    auto known = getMultiple(set, i);
    if (!known)
      continue;
    OpOperand &operand = launch->getOpOperand(numbers[known->first]);
    operand.set(array::AssumeOp::create(
        rewriter, launch.getLoc(), operand.get(), IntegerAttr(), IntegerAttr(),
        rewriter.getI64IntegerAttr(known->second)));
  }
}

/// Those constraints of `set` of which addFacts makes something.
static IntegerSet getFacts(IntegerSet set, ScheduleAttr schedule) {
  bool bounds = needsBounds(schedule);
  SmallVector<AffineExpr> constraints;
  SmallVector<bool> equalities;
  for (unsigned i = 0; i < set.getNumConstraints(); ++i)
    if ((bounds && getMost(set, i)) || getNumber(set, i) ||
        getMultiple(set, i)) {
      constraints.push_back(set.getConstraint(i));
      equalities.push_back(set.isEq(i));
    }
  if (constraints.empty())
    return IntegerSet();
  return IntegerSet::get(0, set.getNumSymbols(), constraints, equalities);
}

namespace {
/// A schedule with what is known where it runs, and one version that chooses
/// it, null for the last one.
struct Choice {
  ScheduleAttr schedule;
  IntegerSet facts, when;
  /// Of schedules that deal threads: what they have in common, and whether
  /// they differ.
  ScheduleAttr common;
  bool varies = false;

  bool isSame(const Choice &other) const {
    if (facts != other.facts)
      return false;
    return schedule == other.schedule ||
           (common && common == other.common &&
            schedule.getThreads() == other.schedule.getThreads());
  }
};

/// Versions become launches where the rewriter stands, one for each choice.
class Expander {
public:
  Expander(IRRewriter &rewriter, LaunchOp launch,
           ArrayRef<VersionAttr> versions)
      : rewriter(rewriter), launch(launch), loc(launch.getLoc()),
        versions(versions) {}

  LogicalResult run();

private:
  void collect();
  int64_t encode(unsigned version) const;
  void choose();
  LogicalResult setShares(LaunchOp copy, const Choice &choice);

  IRRewriter &rewriter;
  LaunchOp launch;
  Location loc;
  ArrayRef<VersionAttr> versions;
  /// Operands that conditions are about, and their values.
  SmallVector<int64_t> numbers;
  SmallVector<Value> sizes;
  /// From the last one, which has no condition: each choice once.
  SmallVector<Choice> choices;
  SmallVector<unsigned> choiceOf;
  /// What the first version that holds says; null if its condition is all that
  /// is asked for.
  Value chosen;
};
} // namespace

// What a version says is one number: its choice in the low bits, above them for
// each dimension its share of the threads.
static constexpr unsigned kChoiceBits = 16;
static constexpr unsigned kMostShares = (63 - kChoiceBits) / (2 * kShareBits);

static bool hasVectors(ScheduleAttr schedule) {
  return llvm::any_of(schedule.getDims(), [](DimDigitsAttr dim) {
    return dim.getDigits().back().getLevel().isVector();
  });
}

/// Whether several dimensions share the threads of `schedule`.
static bool areShared(ScheduleAttr schedule) {
  return llvm::count_if(getThreadShares(schedule),
                        [](ThreadShare share) { return share.log > 0; }) > 1;
}

/// Whether shares of the threads of `schedule` fit into that number.
static bool canEncode(ScheduleAttr schedule) {
  return schedule.getDims().size() <= kMostShares &&
         schedule.getThreads() <= kMostDealt;
}

void Expander::collect() {
  if (std::optional<ArrayRef<int64_t>> known = launch.getVersionSizes())
    numbers.assign(known->begin(), known->end());
  for (int64_t number : numbers)
    sizes.push_back(launch->getOperand(number));
  for (VersionAttr version : llvm::reverse(versions)) {
    Choice mine;
    mine.schedule = version.getSchedule();
    if (version.getWhen()) {
      mine.when = version.getWhen().getValue();
      mine.facts = getFacts(mine.when, mine.schedule);
    }
    if (mine.schedule.getDeals() && canEncode(mine.schedule)) {
      mine.common = dropThreads(mine.schedule);
      // Who reads single elements needs no aligned rows.
      if (!hasVectors(mine.schedule))
        mine.facts = IntegerSet();
    }
    auto *known = llvm::find_if(
        choices, [&](const Choice &choice) { return choice.isSame(mine); });
    choiceOf.push_back(known - choices.begin());
    if (known == choices.end())
      choices.push_back(mine);
    else
      known->varies |= known->schedule != mine.schedule;
  }
}

/// What version `number` from the end says.
int64_t Expander::encode(unsigned number) const {
  int64_t code = choiceOf[number];
  if (!choices[code].varies)
    return code;
  VersionAttr version = versions[versions.size() - 1 - number];
  unsigned at = kChoiceBits;
  for (ThreadShare share : getThreadShares(version.getSchedule())) {
    code |= int64_t(share.log) << at;
    code |= int64_t(share.rank) << (at + kShareBits);
    at += 2 * kShareBits;
  }
  return code;
}

void Expander::choose() {
  bool varies =
      llvm::any_of(choices, [](const Choice &choice) { return choice.varies; });
  if (!varies && (choices.size() == 1 || choices.size() == versions.size()))
    return;
  for (auto [number, version] : llvm::enumerate(llvm::reverse(versions))) {
    Value mine = arith::ConstantIndexOp::create(rewriter, loc, encode(number));
    if (version.getWhen())
      mine = arith::SelectOp::create(
          rewriter, loc,
          createCondition(rewriter, loc, version.getWhen().getValue(), sizes),
          mine, chosen);
    chosen = mine;
  }
}

/// Gives `copy` the shares of threads that the chosen version has.
LogicalResult Expander::setShares(LaunchOp copy, const Choice &choice) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(copy);
  ArrayRef<DimDigitsAttr> digits = choice.schedule.getDims();
  // Dimensions that one thread walks in every version are not asked for.
  SmallVector<bool> isShared(digits.size(), false);
  unsigned ranks = 0;
  for (auto [version, number] : llvm::zip(llvm::reverse(versions), choiceOf)) {
    if (&choices[number] != &choice)
      continue;
    unsigned count = 0;
    for (auto [shared, share] :
         llvm::zip(isShared, getThreadShares(version.getSchedule()))) {
      shared |= share.log > 0;
      count += share.log > 0;
    }
    ranks = std::max(ranks, count);
  }
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  auto getBits = [&](unsigned at) -> Value {
    Value rest = arith::ShRUIOp::create(rewriter, loc, chosen, number(at));
    return arith::AndIOp::create(rewriter, loc, rest,
                                 number((1 << kShareBits) - 1));
  };
  HostShares shares(rewriter, copy);
  SmallVector<ThreadShare> known = getThreadShares(choice.schedule);
  for (unsigned dim = 0; dim < digits.size(); ++dim) {
    if (!isShared[dim])
      continue;
    unsigned at = kChoiceBits + 2 * kShareBits * dim;
    Value log = choice.varies ? getBits(at) : number(known[dim].log);
    Value rank =
        choice.varies ? getBits(at + kShareBits) : number(known[dim].rank);
    if (failed(shares.add(dim, digits[dim], log, rank)))
      return failure();
  }
  return dealThreads(rewriter, copy, shares.compute(digits.size(), ranks));
}

LogicalResult Expander::run() {
  collect();
  choose();
  Value choiceBits = chosen;
  if (chosen &&
      llvm::any_of(choices, [](const Choice &choice) { return choice.varies; }))
    choiceBits = arith::AndIOp::create(
        rewriter, loc, chosen,
        arith::ConstantIndexOp::create(rewriter, loc, (1 << kChoiceBits) - 1));
  for (unsigned number = choices.size(); number-- > 0;) {
    Choice &choice = choices[number];
    scf::IfOp branch;
    if (number > 0) {
      Value condition =
          chosen ? arith::CmpIOp::create(
                       rewriter, loc, arith::CmpIPredicate::eq, choiceBits,
                       arith::ConstantIndexOp::create(rewriter, loc, number))
                       .getResult()
                 : createCondition(rewriter, loc, choice.when, sizes);
      branch = scf::IfOp::create(rewriter, loc, condition,
                                 /*withElseRegion=*/true);
      rewriter.setInsertionPoint(branch.thenYield());
    }
    auto copy = cast<LaunchOp>(rewriter.clone(*launch));
    copy.removeVersionsAttr();
    copy.removeVersionSizesAttr();
    copy.setScheduleAttr(choice.schedule);
    if (choice.facts)
      addFacts(rewriter, copy, choice.facts, numbers);
    if ((choice.varies || (choice.common && areShared(choice.schedule))) &&
        failed(setShares(copy, choice)))
      return failure();
    if (branch)
      rewriter.setInsertionPoint(branch.elseYield());
  }
  return success();
}

/// Whether the host has something to say about `launch`: which version it is,
/// or who its threads are.
static bool asksHost(LaunchOp launch) {
  ScheduleAttr schedule = launch.getScheduleAttr();
  return launch.getVersions() ||
         (schedule && schedule.getDeals() && areShared(schedule));
}

static SmallVector<VersionAttr> getVersions(LaunchOp launch) {
  if (launch.getVersions())
    return llvm::to_vector(launch.getVersions()->getAsRange<VersionAttr>());
  return {VersionAttr::get(launch.getContext(), IntegerSetAttr(),
                           launch.getScheduleAttr())};
}

/// Launches for the versions of `launch`, in its place.
static LogicalResult expand(IRRewriter &rewriter, LaunchOp launch) {
  SmallVector<VersionAttr> all, wide;
  for (VersionAttr version : getVersions(launch)) {
    if (version.getSchedule().getIndexBits() == 64)
      wide.push_back(version);
    // What is chosen by `indices_fit` says no more of it.
    all.push_back(VersionAttr::get(version.getContext(), version.getWhen(),
                                   version.getSchedule().withIndexBits(64)));
  }
  rewriter.setInsertionPoint(launch);
  // A CPU has one width of indices.
  DeviceAttr device = DeviceAttr::get(launch);
  if (wide.size() < all.size() && (!device || isGPU(device))) {
    Location loc = launch.getLoc();
    Value fit = IndicesFitOp::create(rewriter, loc, rewriter.getI1Type(),
                                     launch.getKernelNameAttr());
    auto branch =
        scf::IfOp::create(rewriter, loc, fit, /*withElseRegion=*/true);
    rewriter.setInsertionPoint(branch.elseYield());
    if (failed(Expander(rewriter, launch, wide).run()))
      return failure();
    rewriter.setInsertionPoint(branch.thenYield());
  }
  if (failed(Expander(rewriter, launch, all).run()))
    return failure();
  rewriter.eraseOp(launch);
  return success();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct ExpandVersionsPass
    : public arrc::kernel::impl::ExpandVersionsPassBase<ExpandVersionsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<LaunchOp> launches;
    getOperation().walk([&](LaunchOp launch) {
      if (asksHost(launch))
        launches.push_back(launch);
    });
    for (LaunchOp launch : launches) {
      if (launch->getNumResults()) {
        launch.emitOpError("has versions and results; bufferize first");
        return signalPassFailure();
      }
      if (failed(expand(rewriter, launch)))
        return signalPassFailure();
    }
  }
};

} // namespace
