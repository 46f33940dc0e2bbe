//===- Fold.cpp - Folds whose bracketing a target chooses -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A target may fold in any tree over the values in order. For integers and for
// minimum and maximum that changes nothing. For a sum of floats the error of a
// tree of depth k is at most k * u * sum|x| (Higham, Accuracy and Stability of
// Numerical Algorithms, section 4.2), so two trees are at most twice that
// apart. Where all terms are multiples of one power of two so large that every
// partial sum has a place in the type (small integers stored as floats), every
// tree gives the same and nothing is allowed.
//
// A sum of f16 or bf16 that rounds each addition is such a sum, too.
//
// Other operators are folded in order, and each rounding in them counts for two
// trees (Interpreter::countRoundings).
//
//===----------------------------------------------------------------------===//

#include "Fold.h"

#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

#include "llvm/ADT/bit.h"

#include <cmath>

using namespace mlir;
using namespace arrc::reference;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// The exponent of the lowest bit set in a finite number that is not 0.
static int lowestBitOf(double value) {
  int exponent;
  double significand = std::frexp(value, &exponent);
  auto digits = uint64_t(std::ldexp(std::fabs(significand), 53));
  return exponent - 53 + llvm::countr_zero(digits);
}

void FloatSum::add(const Scalar &term) {
  devs += term.dev;
  sum += term.re;
  if (!std::isfinite(term.re)) {
    special += term.re;
    isSpecial = true;
    return;
  }
  if (term.re == 0)
    return;
  ++terms;
  magnitude += std::fabs(term.re);
  lowestBit = std::min(lowestBit, lowestBitOf(term.re));
}

Scalar FloatSum::value(const Interpreter &interp, Element element) const {
  if (isSpecial)
    return Scalar::real(special, devs == unbounded ? unbounded : 0);
  double value = double(sum);
  if (interp.isExact())
    return Scalar::real(value);
  int precision = precisionOf(element);
  // One term, or terms whose every partial sum is a number of the type.
  bool exact =
      terms <= 1 || magnitude <= std::ldexp(1.0, precision + lowestBit);
  if (devs == 0 && exact) {
    Scalar result = Scalar::real(roundTo(element, value));
    // The neutral element counts any number of times, so a zero has any sign.
    if (result.re == 0)
      result.dev = terms ? 0 : std::numeric_limits<double>::denorm_min();
    return result;
  }
  double largest = roundTo(element, magnitude);
  if (!std::isfinite(largest))
    return Scalar::real(roundTo(element, value), unbounded);
  double depth = double(std::min(terms, interp.options.maxDepth));
  double unit = std::ldexp(1.0, -precision);
  double dev = devs + 2 * depth * unit * (magnitude + devs);
  return interp.makeFloat(element, value, dev);
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

Accumulator::Accumulator(Interpreter &interp, const Step &step,
                         const Scalar &init)
    : interp(&interp), op(step.op), element(*elementOf(step.type)),
      kind(Kind::Step), re(init), im(Scalar::real(init.im)), current(init) {
  if (isa<arith::AddFOp>(op))
    kind = Kind::Sum;
  else if (isa<complex::AddOp>(op))
    kind = Kind::ComplexSum;
}

void Accumulator::add(const Scalar &value) {
  switch (kind) {
  case Kind::Sum:
    re.add(value);
    return;
  case Kind::ComplexSum:
    re.add(value);
    im.add(Scalar::real(value.im, value.dev));
    return;
  case Kind::Step: {
    bool outer = interp->countRoundings;
    interp->countRoundings = !interp->isExact();
    current =
        HandlerTable::get().find(op)->scalar(*interp, op, {current, value});
    interp->countRoundings = outer;
    return;
  }
  }
}

Scalar Accumulator::value() const {
  switch (kind) {
  case Kind::Sum:
    return re.value(*interp, element);
  case Kind::ComplexSum: {
    Scalar a = re.value(*interp, partOf(element));
    Scalar b = im.value(*interp, partOf(element));
    return Scalar::complex(a.re, b.re, std::max(a.dev, b.dev));
  }
  case Kind::Step:
    return current;
  }
  llvm_unreachable("unknown kind");
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

/// The addition in f32 where `yielded` is the sum of `a` and `b` in f16 or
/// bf16: widened, added and rounded.
static arith::AddFOp narrowSum(Value yielded, Value a, Value b) {
  auto round = yielded.getDefiningOp<arith::TruncFOp>();
  auto add = round ? round.getIn().getDefiningOp<arith::AddFOp>() : nullptr;
  if (!add)
    return nullptr;
  auto left = add.getLhs().getDefiningOp<arith::ExtFOp>();
  auto right = add.getRhs().getDefiningOp<arith::ExtFOp>();
  return left && right && left.getIn() == a && right.getIn() == b ? add
                                                                  : nullptr;
}

/// The plain operation of each accumulator; empty if one has another.
static llvm::SmallVector<Step> plainSteps(Region &combiner) {
  llvm::SmallVector<Step> steps;
  for (Operation *op : arrc::getCombinerOps(combiner))
    steps.push_back({op, op->getResult(0).getType()});
  if (!steps.empty())
    return steps;
  Block &block = combiner.front();
  unsigned count = block.getNumArguments() / 2;
  // A narrow sum is four operations.
  if (block.getOperations().size() != 4 * count + 1)
    return {};
  for (auto [k, yielded] : llvm::enumerate(block.back().getOperands())) {
    arith::AddFOp add =
        narrowSum(yielded, block.getArgument(k), block.getArgument(count + k));
    if (!add)
      return {};
    steps.push_back({add, yielded.getType()});
  }
  return steps;
}

Fold::Fold(Interpreter &interp, Operation *op, Region &combiner,
           llvm::ArrayRef<Cell> init)
    : interp(interp), op(op), combiner(combiner), plain(plainSteps(combiner)),
      current(init.begin(), init.end()) {
  for (const Step &step : plain) {
    const HandlerTable::Entry *entry = HandlerTable::get().find(step.op);
    if (!entry || !entry->scalar) {
      plain.clear();
      break;
    }
  }
  if (plain.empty())
    return;
  for (auto [step, cell] : llvm::zip_equal(plain, init)) {
    std::vector<Accumulator> elements;
    shapes.emplace_back();
    isArray.push_back(bool(cell.array));
    if (!cell.array) {
      elements.emplace_back(interp, step, cell.number);
    } else if (auto tensor = interp.densify(op->getLoc(), cell.array)) {
      shapes.back() = llvm::to_vector(tensor->shape());
      for (int64_t k = 0; k < tensor->size(); ++k)
        elements.emplace_back(interp, step, tensor->get(k));
    }
    accumulators.push_back(std::move(elements));
  }
}

LogicalResult Fold::add(llvm::ArrayRef<Cell> values) {
  if (plain.empty()) {
    llvm::SmallVector<Cell> arguments = current;
    llvm::append_range(arguments, values);
    bool outer = interp.countRoundings;
    interp.countRoundings = !interp.isExact();
    LogicalResult done =
        interp.evaluateBlock(combiner.front(), arguments, current);
    interp.countRoundings = outer;
    return done;
  }
  for (auto [k, value] : llvm::enumerate(values)) {
    std::vector<Accumulator> &elements = accumulators[k];
    if (!value.array) {
      elements.front().add(value.number);
      continue;
    }
    auto tensor = interp.densify(op->getLoc(), value.array);
    if (!tensor)
      return failure();
    if (tensor->shape() != llvm::ArrayRef(shapes[k]))
      return interp.fail(op->getLoc(), "size",
                         "arrays of different shapes are folded");
    for (int64_t e = 0; e < tensor->size(); ++e)
      elements[e].add(tensor->get(e));
  }
  return interp.failure ? failure() : success();
}

LogicalResult Fold::values(llvm::SmallVectorImpl<Cell> &results) {
  if (plain.empty()) {
    results.assign(current.begin(), current.end());
    return success();
  }
  results.clear();
  for (auto [k, elements] : llvm::enumerate(accumulators)) {
    if (!isArray[k]) {
      results.push_back(elements.front().value());
      continue;
    }
    auto tensor = interp.allocate(op->getLoc(), plain[k].type, shapes[k]);
    if (!tensor)
      return failure();
    for (int64_t e = 0; e < tensor->size(); ++e)
      tensor->set(e, elements[e].value());
    results.push_back(interp.finish(std::move(tensor)));
  }
  return success();
}
