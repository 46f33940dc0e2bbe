//===- SemaRanges.cpp - Ranges and what they count ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The size of a range is a polynomial where its arithmetic is proved to fit 64
// bits. Elsewhere it is counted from the values of both ends, however far they
// are apart.
//
//===----------------------------------------------------------------------===//

#include "SemaImpl.h"

using namespace arrc;
using namespace arrc::sema;

/// A block with one value.
static hir::Block *blockOf(hir::Block *block, Expr *value) {
  block->value = value;
  return block;
}

Expr *Checker::countSteps(Expr *from, Expr *to, Expr *by, SMRange loc) {
  // Unsigned: the distance of two ints may need 64 bits.
  auto u64 = [&](Expr *e) { return convertScalar(e, ScalarKind::U64, loc); };
  auto constant = [&](int64_t n) { return u64(constInt(n, loc)); };
  auto binary = [&](hir::BinaryOp op, Expr *x, Expr *y, Type type) {
    auto *b = make<hir::BinaryExpr>(op, x, y, type, loc);
    b->nonZero = op == hir::BinaryOp::FloorDiv;
    return b;
  };
  Type type = ScalarKind::U64;
  Expr *end = make<hir::CallExpr>(hir::Function::Max,
                                  std::vector<Expr *>{to, clone(from)},
                                  Type::integer(), loc);
  Expr *distance = ref(
      temporary(binary(hir::BinaryOp::Sub, u64(end), u64(from), type)), loc);
  // A range of more elements than an int can count never ends.
  auto count = [&](Expr *n) {
    Expr *most = make<hir::CallExpr>(
        hir::Function::Min,
        std::vector<Expr *>{n, constant(std::numeric_limits<int64_t>::max())},
        type, loc);
    return convertScalar(most, ScalarKind::I64, loc);
  };
  if (auto one = constantInt(by); one && *one == 1)
    return count(distance);
  Expr *rest = binary(hir::BinaryOp::Sub, clone(distance), constant(1), type);
  Expr *more = binary(hir::BinaryOp::Add,
                      binary(hir::BinaryOp::FloorDiv, rest, u64(by), type),
                      constant(1), type);
  Expr *none =
      binary(hir::BinaryOp::Eq, clone(distance), constant(0), Type::boolean());
  return make<hir::IfExpr>(none, blockOf(newBlock(), constInt(0, loc)),
                           blockOf(newBlock(), count(more)), Type::integer(),
                           loc);
}

hir::Range Checker::countedRange(const Size &lo, const Size &end,
                                 const Size &step, SMRange loc) {
  hir::Range r;
  r.lo = lo;
  r.step = step;
  r.end = end;
  auto magnitude = [&](bool down) {
    if (auto c = step.constant())
      return constInt(down ? int64_t(0 - uint64_t(*c)) : *c, loc);
    Expr *s = sizeExpr(step, loc);
    return down ? make<hir::UnaryExpr>(hir::UnaryOp::Neg, s, s->type, loc) : s;
  };
  auto up = [&] {
    return countSteps(sizeExpr(lo, loc), sizeExpr(end, loc), magnitude(false),
                      loc);
  };
  auto down = [&] {
    return countSteps(sizeExpr(end, loc), sizeExpr(lo, loc), magnitude(true),
                      loc);
  };
  // One name for one range.
  std::string key = "range " + lo.str() + ":" + end.str() + ":" + step.str();
  for (const Size *s : {&lo, &end, &step})
    s->forEachVariable(
        [&](Variable *v) { key += " " + std::to_string(v->id); });
  Variable *n = nullptr;
  for (Builder *b : llvm::reverse(builders))
    if (auto it = b->temporaries.find(key); it != b->temporaries.end()) {
      n = it->second;
      break;
    }
  if (!n) {
    Expr *count;
    if (auto c = step.constant()) {
      count = *c > 0 ? up() : down();
    } else {
      Expr *negative =
          make<hir::BinaryExpr>(hir::BinaryOp::Lt, sizeExpr(step, loc),
                                constInt(0, loc), Type::boolean(), loc);
      hir::Block *yes = newBlock(), *no = newBlock();
      {
        BuilderScope b(*this, yes, true);
        yes->value = down();
      }
      {
        BuilderScope b(*this, no, true);
        no->value = up();
      }
      count = make<hir::IfExpr>(negative, yes, no, Type::integer(), loc);
    }
    n = emitLet("%" + std::to_string(nextTemporary++), count, loc);
    builder().temporaries[key] = n;
    builder().facts.addSize(n);
  }
  r.size = Size(n);
  r.nonNegative = true;
  return r;
}

hir::Range Checker::makeRange(Expr *lo, Expr *hi, Expr *step, SMRange loc) {
  return rangeBetween(lo ? toSize(lo) : Size(), toSize(hi), step, facts(), loc);
}

hir::Range Checker::rangeBetween(const Size &lo, const Size &end, Expr *step,
                                 const SizeFacts &known, SMRange loc) {
  hir::Range r;
  r.lo = lo;
  if (end.mentions(unknown) || lo.mentions(unknown)) {
    r.size = Size(unknown);
    return r;
  }
  // What both ends share cancels, also where it may have wrapped: `k:k + 4` has
  // four elements.
  Size distance = end.unwrapped() - lo.unwrapped();
  if (!known.fits(distance))
    distance = end - lo;
  auto c = step ? constantInt(step) : 1;
  if (!c) {
    r.step = toSize(step);
    if (!known.isNonNegative(r.step - 1))
      emitCheck(hir::CheckKind::Divide,
                make<hir::BinaryExpr>(hir::BinaryOp::Ne, sizeExpr(r.step, loc),
                                      constInt(0, loc), Type::boolean(), loc),
                "the step of a range is 0", {}, loc);
    return countedRange(lo, end, r.step, loc);
  }
  if (*c == 0) {
    report(diag::zero_step, step->loc);
    r.size = Size(unknown);
    return r;
  }
  r.step = *c;
  bool isPolynomial = known.fits(distance);
  if (isPolynomial && *c != 1) {
    Size by = *c > 0 ? r.step : -r.step;
    Size dividend = (*c > 0 ? distance : -distance) + by - 1;
    // Outside of all `for` it costs nothing to ask.
    if (!bodyDepth && &known == &facts() && !dividend.hasLostDigits())
      requireFits(builder(), dividend, loc);
    isPolynomial = known.fits(dividend);
    if (isPolynomial) {
      distance = dividend.floorDiv(*by.constant());
      isPolynomial = known.floorsFit(distance);
    }
  }
  if (!isPolynomial)
    return countedRange(lo, end, r.step, loc);
  r.size = distance;
  r.nonNegative = known.isNonNegative(r.size);
  return r;
}

void Checker::addIndexFacts(Variable *var, const hir::Range &r,
                            SizeFacts &facts) {
  auto step = r.step.constant();
  if (!step || r.size.mentions(unknown))
    return;
  // The body runs, so there is an element; and a size is what it is at run
  // time.
  facts.addNonNegative(r.size - 1);
  facts.addFits(r.size);
  Size i(var);
  auto between = [&](const Size &low, const Size &high) {
    facts.addNonNegative(i - low);
    facts.addNonNegative(high - i);
  };
  if (r.end)
    *step > 0 ? between(r.lo, *r.end - 1) : between(*r.end + 1, r.lo);
  // An index that may have wrapped lies anywhere.
  Size last = r.lo + (r.size - 1) * *step;
  if (facts.fits(last))
    *step > 0 ? between(r.lo, last) : between(last, r.lo);
}
