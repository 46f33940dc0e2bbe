//===- ShareReciprocals.cpp - Many divisions by one value -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A correctly rounded division starts with the reciprocal of the divisor,
// on the slow pipe, and tests both numbers. Divisions by one value share both.
//
// Before   %q0 = %x0 / %s ..  %q3 = %x3 / %s
// After    %r = 1 / %s        %least = ..             // once, beside %s
//          %p0 = %x0 * %r
//          %q0 = fma(fma(-%p0, %s, %x0), %r, %p0) ..
//          if not all |%qk| >= %least: divide as before
//
// Legal, bit by bit. With %r correctly rounded, and nothing too small or too
// large on the way, this is the quotient correctly rounded (Markstein). In f32
// that was tried for all quotients of significands that are so close to the
// middle between two numbers that the error of the last sum before it is
// rounded could matter: with the divisor b, the dividend a and the middle c,
// those with |a 2^k - c b| <= 16, where 7 is what the error allows.
// What %least keeps away: 1 / s and the quotient below the smallest normal
// number, and dividends whose remainder is finer than the smallest number at
// all. Quotients too large, infinities and NaN end as NaN, which is not
// at least anything. Zeros are not either, but common: they come next, and only
// what is left is divided.
//
// Pays where there are four divisions or more, one in a loop being as many, or
// the divisor is a constant. They run in groups of four, each as late as
// possible, so that loads behind them do not wait for the branch.
//
// Source: Markstein, "Computation of elementary functions on the IBM RISC
// System/6000 processor" (1990); Brisebarre, Muller and Raina, "Accelerating
// correctly rounded floating-point division when the divisor is known in
// advance" (2004).
//
//===----------------------------------------------------------------------===//

#include "arrc/Target/GPU/GPU.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/MapVector.h"

namespace arrc::target {
#define GEN_PASS_DEF_SHARERECIPROCALSPASS
#include "arrc/Target/GPU/Passes.h.inc"
} // namespace arrc::target

using namespace mlir;

/// Divisions that are tested together, and how many must share a divisor.
static constexpr size_t kGroup = 4;
static constexpr unsigned kLeast = 4;

//===----------------------------------------------------------------------===//
// Legality and profitability
//===----------------------------------------------------------------------===//

/// Whether the divisor is a number whose reciprocal is no number of the type;
/// others are products for LLVM.
static bool isUsefulConstant(const APFloat &number) {
  return number.isFiniteNonZero() && !number.getExactInverse(nullptr);
}

static bool mayShare(arith::DivFOp division) {
  Type type = division.getType();
  APFloat number(0.0f);
  return (type.isF32() || type.isF64()) &&
         division.getFastmath() == arith::FastMathFlags::none &&
         !matchPattern(division.getLhs(), m_ConstantFloat(&number)) &&
         (!matchPattern(division.getRhs(), m_ConstantFloat(&number)) ||
          isUsefulConstant(number));
}

/// Whether a loop stands around `division`, but not around its divisor.
static bool isRepeated(arith::DivFOp division) {
  Operation *known = division.getRhs().getParentRegion()->getParentOp();
  for (Operation *op = division->getParentOp(); op && op != known;
       op = op->getParentOp())
    if (isa<LoopLikeOpInterface>(op))
      return true;
  return false;
}

static bool pays(Value divisor, ArrayRef<arith::DivFOp> divisions) {
  APFloat number(0.0f);
  return divisions.size() >= kLeast ||
         matchPattern(divisor, m_ConstantFloat(&number)) ||
         llvm::any_of(divisions, isRepeated);
}

/// The operation of `division`'s block before which its result must be there.
static Operation *getFirstUser(arith::DivFOp division) {
  Block *block = division->getBlock();
  Operation *first = block->getTerminator();
  for (Operation *user : division->getUsers())
    if (Operation *op = block->findAncestorOpInBlock(*user);
        op && op->isBeforeInBlock(first))
      first = op;
  return first;
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

namespace {
/// What divisions by one value share.
struct Reciprocal {
  Value divisor, value, least;
};

/// Divisions that follow each other, and where their results must be there.
struct Group {
  SmallVector<arith::DivFOp, kGroup> divisions;
  Operation *place = nullptr;
};
} // namespace

static Value makeNumber(OpBuilder &b, Location loc, FloatType type,
                        const APFloat &number) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, number));
}

/// The reciprocal of `divisor` and the least quotient for which it will do: NaN
/// if there is none.
static Reciprocal makeReciprocal(Value divisor) {
  OpBuilder b(divisor.getContext());
  b.setInsertionPointAfterValue(divisor);
  Location loc = divisor.getLoc();
  auto type = cast<FloatType>(divisor.getType());
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  int lowest = APFloat::semanticsMinExponent(semantics);
  int precision = APFloat::semanticsPrecision(semantics);
  auto power = [&](int exponent) {
    APFloat number = scalbn(APFloat::getOne(semantics), exponent,
                            APFloat::rmNearestTiesToEven);
    return makeNumber(b, loc, type, number);
  };
  auto isAtLeast = [&](Value x, Value y) {
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGE, x, y)
        .getResult();
  };
  Value one = power(0);
  Value value = arith::DivFOp::create(b, loc, one, divisor);
  // The quotient is normal, and |x| >= 2^(lowest + precision).
  Value normal = power(lowest + 2);
  Value exact =
      arith::MulFOp::create(b, loc, math::AbsFOp::create(b, loc, value),
                            power(lowest + precision + 2));
  Value least =
      arith::SelectOp::create(b, loc, isAtLeast(exact, normal), exact, normal);
  Value size = math::AbsFOp::create(b, loc, divisor);
  Value works = arith::AndIOp::create(b, loc, isAtLeast(size, power(lowest)),
                                      isAtLeast(power(-lowest), size));
  Value never = makeNumber(b, loc, type, APFloat::getQNaN(semantics));
  least = arith::SelectOp::create(b, loc, works, least, never);
  return {divisor, value, least};
}

/// Cuts the divisions of one block, in order, so that no result is needed
/// before its group is complete.
static SmallVector<Group> makeGroups(ArrayRef<arith::DivFOp> divisions) {
  SmallVector<Group> groups;
  for (arith::DivFOp division : divisions) {
    Operation *user = getFirstUser(division);
    if (groups.empty() || groups.back().divisions.size() == kGroup ||
        groups.back().divisions.front()->getBlock() != division->getBlock() ||
        !division->isBeforeInBlock(groups.back().place))
      groups.push_back({{}, user});
    Group &group = groups.back();
    group.divisions.push_back(division);
    if (user->isBeforeInBlock(group.place))
      group.place = user;
  }
  return groups;
}

static void divide(const Group &group, const Reciprocal &shared) {
  OpBuilder b(group.place);
  Location loc = arith::DivFOp(group.divisions.front()).getLoc();
  Type type = shared.divisor.getType();
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  auto all = [&](Value known, Value condition) {
    return known ? arith::AndIOp::create(b, loc, known, condition).getResult()
                 : condition;
  };
  // Values of a branch for each division.
  auto yield = [&](function_ref<Value(unsigned)> get) {
    SmallVector<Value> results;
    for (unsigned k = 0; k < group.divisions.size(); ++k)
      results.push_back(get(k));
    scf::YieldOp::create(b, loc, results);
  };
  auto getDividend = [&](unsigned k) {
    return arith::DivFOp(group.divisions[k]).getLhs();
  };

  auto compare = [&](arith::CmpFPredicate predicate, Value x, Value y) {
    return arith::CmpFOp::create(b, loc, predicate, x, y).getResult();
  };
  SmallVector<Value> quotients, sizes;
  Value good;
  for (unsigned k = 0; k < group.divisions.size(); ++k) {
    Value x = getDividend(k);
    Value guess = arith::MulFOp::create(b, loc, x, shared.value);
    Value rest = math::FmaOp::create(
        b, loc, arith::NegFOp::create(b, loc, guess), shared.divisor, x);
    quotients.push_back(math::FmaOp::create(b, loc, rest, shared.value, guess));
    sizes.push_back(math::AbsFOp::create(b, loc, quotients[k]));
    good =
        all(good, compare(arith::CmpFPredicate::OGE, sizes[k], shared.least));
  }
  SmallVector<Type> types(group.divisions.size(), type);
  auto most = scf::IfOp::create(b, loc, types, good, /*withElseRegion=*/true);
  b.setInsertionPointToStart(most.thenBlock());
  yield([&](unsigned k) { return quotients[k]; });

  // A zero times the divisor has the sign of the quotient; a product with NaN
  // tells that there is no reciprocal. Nothing but dividends and quotients is
  // alive here: these are other operations than those above.
  b.setInsertionPointToStart(most.elseBlock());
  Value works;
  SmallVector<Value> zeros;
  for (unsigned k = 0; k < group.divisions.size(); ++k) {
    Value x = getDividend(k);
    Value none = arith::MulFOp::create(b, loc, x, shared.least);
    zeros.push_back(arith::AndIOp::create(
        b, loc, compare(arith::CmpFPredicate::OEQ, x, zero),
        compare(arith::CmpFPredicate::OEQ, none, zero)));
    Value fits = compare(arith::CmpFPredicate::OGT, sizes[k], shared.least);
    works = all(works, arith::OrIOp::create(b, loc, zeros[k], fits));
  }
  auto others = scf::IfOp::create(b, loc, types, works, true);
  scf::YieldOp::create(b, loc, others.getResults());
  b.setInsertionPointToStart(others.thenBlock());
  yield([&](unsigned k) -> Value {
    Value none = arith::MulFOp::create(b, loc, getDividend(k), shared.divisor);
    return arith::SelectOp::create(b, loc, zeros[k], none, quotients[k]);
  });
  b.setInsertionPointToStart(others.elseBlock());
  yield([&](unsigned k) -> Value {
    return arith::DivFOp::create(b, loc, getDividend(k), shared.divisor);
  });

  for (auto [division, result] :
       llvm::zip(group.divisions, most.getResults())) {
    arith::DivFOp op = division;
    op.getResult().replaceAllUsesWith(result);
    op.erase();
  }
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct ShareReciprocalsPass
    : arrc::target::impl::ShareReciprocalsPassBase<ShareReciprocalsPass> {
  void runOnOperation() override {
    llvm::MapVector<Value, SmallVector<arith::DivFOp>> all;
    getOperation().walk([&](arith::DivFOp division) {
      if (mayShare(division))
        all[division.getRhs()].push_back(division);
    });
    for (auto &[divisor, divisions] : all) {
      if (!pays(divisor, divisions))
        continue;
      Reciprocal shared = makeReciprocal(divisor);
      for (const Group &group : makeGroups(divisions))
        divide(group, shared);
    }
  }
};
} // namespace
