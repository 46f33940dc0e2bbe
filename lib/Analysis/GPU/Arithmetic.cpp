//===- Arithmetic.cpp - Operations on forms -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Sums and products of forms are forms. Bits are, where symbols stand on higher
// ones than the numbers of the threads: with 2^k dividing all coefficients of
// symbols, x = 2^k * u + c, 0 <= c < 2^k, in two's complement whatever the sign
// is, so that x and m, x or m, x xor m with m < 2^k touch c alone. Divisions
// and remainders by d are exact where d divides all coefficients of symbols.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace arrc::lanes;

static int64_t floorDiv(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/// What `op` does with numbers; nothing where it has no value.
static std::optional<int64_t> applyToNumbers(Binary op, int64_t a, int64_t b) {
  bool isDivision = op == Binary::DivFloor || op == Binary::DivCeil ||
                    op == Binary::DivZero || op == Binary::RemZero ||
                    op == Binary::ModFloor;
  if (isDivision && (b == 0 || (b == -1 && a == INT64_MIN)))
    return std::nullopt;
  bool isShift = op == Binary::ShiftLeft || op == Binary::ShiftRight;
  if (isShift && (b < 0 || b > 63))
    return std::nullopt;
  switch (op) {
  case Binary::Add:
    return int64_t(uint64_t(a) + uint64_t(b));
  case Binary::Sub:
    return int64_t(uint64_t(a) - uint64_t(b));
  case Binary::Mul:
    return int64_t(uint64_t(a) * uint64_t(b));
  case Binary::DivFloor:
    return floorDiv(a, b);
  case Binary::DivCeil:
    return -floorDiv(-a, b);
  case Binary::DivZero:
    return a / b;
  case Binary::RemZero:
    return a % b;
  case Binary::ModFloor:
    return a - floorDiv(a, b) * b;
  case Binary::And:
    return a & b;
  case Binary::Or:
    return a | b;
  case Binary::Xor:
    return a ^ b;
  case Binary::ShiftLeft:
    return int64_t(uint64_t(a) << b);
  case Binary::ShiftRight:
    return a >> b;
  case Binary::Min:
    return std::min(a, b);
  case Binary::Max:
    return std::max(a, b);
  }
  return std::nullopt;
}

static std::optional<Lanes> applyToLanes(Binary op, const Lanes &a,
                                         const Lanes &b) {
  bool isDefined = true;
  Lanes result = Lanes::zip(a, b, [&](int64_t x, int64_t y) {
    std::optional<int64_t> number = applyToNumbers(op, x, y);
    isDefined &= number.has_value();
    return number.value_or(0);
  });
  if (!isDefined)
    return std::nullopt;
  return result;
}

/// `form` as 2^k * u + c with 0 <= c < 2^k.
static std::pair<Form, Lanes> splitAt(const Form &form, int64_t power) {
  Lanes low = Lanes::zip(form.getConstant(), power - 1,
                         [](int64_t x, int64_t m) { return x & m; });
  return {form - Form(low), low};
}

static bool isIn(const Lanes &lanes, int64_t power) {
  return lanes.getMin() >= 0 && lanes.getMax() < power;
}

/// Bitwise operations where symbols stand above the bits that change.
static std::optional<Form> applyToBits(Binary op, const Form &a,
                                       const Form &b) {
  if (!a.isNumbers() && !b.isNumbers())
    return std::nullopt;
  const Form &x = a.isNumbers() ? b : a;
  Lanes m = (a.isNumbers() ? a : b).getConstant();
  int64_t power = x.getSymbolicAlignment();
  auto [high, low] = splitAt(x, power);
  if (isIn(m, power)) {
    Lanes bits = *applyToLanes(op, low, m);
    return op == Binary::And ? Form(bits) : high + Form(bits);
  }
  return std::nullopt;
}

/// The number of which `mask` leaves a multiple, as it keeps all bits from one
/// on.
static std::optional<int64_t> findStepOfMask(std::optional<int64_t> mask) {
  if (!mask || *mask >= -1 || *mask == std::numeric_limits<int64_t>::min() ||
      !llvm::isPowerOf2_64(-*mask))
    return std::nullopt;
  return -*mask;
}

/// Divisions whose divisor divides what stands beside symbols.
static std::optional<Form> applyToQuotient(Binary op, const Form &a,
                                           int64_t divisor, bool isNegative) {
  bool towardsZero = op == Binary::DivZero || op == Binary::RemZero;
  if (divisor <= 0 || (towardsZero && isNegative))
    return std::nullopt;
  std::optional<Form> quotient = a.divideSymbolic(divisor);
  if (!quotient)
    return std::nullopt;
  Lanes constant = a.getConstant();
  switch (op) {
  case Binary::DivFloor:
  case Binary::DivZero:
    return *quotient + Form(*applyToLanes(Binary::DivFloor, constant, divisor));
  case Binary::DivCeil:
    return *quotient + Form(*applyToLanes(Binary::DivCeil, constant, divisor));
  default:
    return Form(*applyToLanes(Binary::ModFloor, constant, divisor));
  }
}

static const char *nameOf(Binary op) {
  switch (op) {
  case Binary::DivFloor:
  case Binary::DivZero:
    return " / ";
  case Binary::DivCeil:
    return " ceildiv ";
  case Binary::RemZero:
  case Binary::ModFloor:
    return " % ";
  case Binary::And:
    return " & ";
  case Binary::Or:
    return " | ";
  case Binary::Xor:
    return " ^ ";
  case Binary::ShiftLeft:
    return " << ";
  case Binary::ShiftRight:
    return " >> ";
  case Binary::Min:
    return " min ";
  case Binary::Max:
    return " max ";
  default:
    return " * ";
  }
}

/// What is known of the result where that of the operands is.
static Span getRange(Binary op, Span a, Span b) {
  bool isPositive = a.low >= 0 && b.low > 0;
  switch (op) {
  case Binary::DivFloor:
  case Binary::DivZero:
  case Binary::DivCeil:
    if (isPositive)
      return {a.low / b.high, a.high >= Span::kHigh
                                  ? Span::kHigh
                                  : int64_t(llvm::divideCeil(uint64_t(a.high),
                                                             uint64_t(b.low)))};
    return {};
  case Binary::RemZero:
  case Binary::ModFloor:
    return isPositive ? Span{0, std::min(a.high, b.high - 1)} : Span();
  case Binary::And:
    if (a.low >= 0 || b.low >= 0)
      return {0, a.low >= 0 && b.low >= 0 ? std::min(a.high, b.high)
                 : a.low >= 0             ? a.high
                                          : b.high};
    return {};
  case Binary::ShiftRight:
    return a.low >= 0 ? Span{0, a.high} : Span();
  case Binary::Min:
    return {std::min(a.low, b.low), std::min(a.high, b.high)};
  case Binary::Max:
    return {std::max(a.low, b.low), std::max(a.high, b.high)};
  default:
    return {};
  }
}

static Form makeSymbol(Binary op, const Form &a, const Form &b,
                       Symbols &symbols) {
  std::string key = a.str(symbols) + nameOf(op) + b.str(symbols);
  return Form::ofSymbol(symbols.get(key, [&] {
    Symbol symbol;
    symbol.name = "(" + key + ")";
    symbol.range = getRange(op, a.getRange(symbols), b.getRange(symbols));
    std::optional<Lanes> x = a.evaluate(symbols), y = b.evaluate(symbols);
    if (x && y)
      symbol.value = applyToNumbers(op, (*x)[0], (*y)[0]);
    symbol.isOfBlock =
        a.differsBetweenBlocks(symbols) || b.differsBetweenBlocks(symbols);
    symbol.isData = a.hasData(symbols) || b.hasData(symbols);
    return symbol;
  }));
}

/// More terms than this are not carried along.
static constexpr size_t kMostTerms = 24;

std::optional<Form> arrc::lanes::apply(Binary op, const Form &a, const Form &b,
                                       Symbols &symbols, bool &isAssumed) {
  std::optional<int64_t> right = b.getNumber();
  if (op == Binary::ShiftLeft && right && *right >= 0 && *right < 62) {
    op = Binary::Mul;
    return a * Form(int64_t(1) << *right);
  }
  if (op == Binary::Add || op == Binary::Sub)
    return op == Binary::Add ? a + b : a - b;
  if (op == Binary::Mul &&
      a.getTerms().size() * b.getTerms().size() <= kMostTerms)
    return a * b;
  if (a.isNumbers() && b.isNumbers())
    if (std::optional<Lanes> lanes =
            applyToLanes(op, a.getConstant(), b.getConstant()))
      return Form(*lanes);
  if (op == Binary::And)
    for (const auto &[x, mask] : {std::pair(&a, right), {&b, a.getNumber()}})
      if (std::optional<int64_t> step = findStepOfMask(mask)) {
        std::optional<Form> pieces =
            apply(Binary::DivFloor, *x, Form(*step), symbols, isAssumed);
        return pieces ? std::optional(*pieces * Form(*step)) : std::nullopt;
      }
  if (op == Binary::And || op == Binary::Or || op == Binary::Xor)
    if (std::optional<Form> bits = applyToBits(op, a, b))
      return bits;
  bool isNegative = a.getRange(symbols).low < 0;
  if (op == Binary::ShiftRight && right && *right >= 0 && *right < 62) {
    if (std::optional<Form> form = applyToQuotient(
            Binary::DivFloor, a, int64_t(1) << *right, isNegative))
      return form;
  } else if (right && (op == Binary::DivFloor || op == Binary::DivCeil ||
                       op == Binary::DivZero || op == Binary::RemZero ||
                       op == Binary::ModFloor)) {
    if (std::optional<Form> form = applyToQuotient(op, a, *right, isNegative))
      return form;
    // What is smaller than the divisor.
    Span range = a.getRange(symbols);
    if (range.low >= 0 && range.high < *right && op != Binary::DivCeil)
      return op == Binary::RemZero || op == Binary::ModFloor ? a : Form(0);
  }
  if (op == Binary::Min || op == Binary::Max) {
    Span difference = (a - b).getRange(symbols);
    if (difference.high <= 0)
      return op == Binary::Min ? a : b;
    if (difference.low >= 0)
      return op == Binary::Min ? b : a;
  }
  if (a.isUniform() && b.isUniform())
    return makeSymbol(op, a, b, symbols);
  std::optional<Lanes> x = a.evaluate(symbols), y = b.evaluate(symbols);
  if (x && y)
    if (std::optional<Lanes> lanes = applyToLanes(op, *x, *y)) {
      isAssumed = true;
      return Form(*lanes);
    }
  return std::nullopt;
}
