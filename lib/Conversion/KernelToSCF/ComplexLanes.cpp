//===- ComplexLanes.cpp - Complex numbers in lanes ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A complex number in lanes is a vector of real parts and one of imaginary
// parts. In memory they take turns: two vectors are loaded side by side and
// parted, and brought together again to be stored. Sums and differences do not
// mind: of numbers in pairs they are in pairs.
//
//===----------------------------------------------------------------------===//

#include "LaunchEmitter.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace arrc;

/// Every element of both, in the order that `at` says: below the number of
/// lanes an element of `x`, else of `y`.
static Value shuffle(OpBuilder &b, Location loc, Value x, Value y,
                     function_ref<int64_t(int64_t)> at) {
  int64_t lanes = cast<VectorType>(x.getType()).getDimSize(0);
  return vector::ShuffleOp::create(
      b, loc, x, y,
      llvm::to_vector(llvm::map_range(llvm::seq<int64_t>(0, lanes), at)));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::pair<Value, Value> LaunchEmitter::getParts(Location loc, LaneValue value) {
  if (value.isInPairs)
    return {shuffle(b, loc, value.value, value.imaginary,
                    [](int64_t l) { return 2 * l; }),
            shuffle(b, loc, value.value, value.imaginary,
                    [](int64_t l) { return 2 * l + 1; })};
  if (value.imaginary)
    return {value.value, value.imaginary};
  LaneValue re{complex::ReOp::create(b, loc, value.value)};
  LaneValue im{complex::ImOp::create(b, loc, value.value)};
  return {toVector(loc, re), toVector(loc, im)};
}

std::pair<Value, Value> LaunchEmitter::getPairs(Location loc, LaneValue value) {
  if (value.isInPairs)
    return {value.value, value.imaginary};
  auto [re, im] = getParts(loc, value);
  auto join = [&, re = re, im = im](int64_t from) {
    return shuffle(b, loc, re, im,
                   [&](int64_t l) { return (from + l) / 2 + (l % 2) * lanes; });
  };
  Value first = join(0);
  return {first, join(lanes)};
}

bool LaunchEmitter::emitComplex(Operation &op) {
  SmallVector<LaneValue> operands = lookup(op.getOperands());
  bool uniform =
      llvm::all_of(operands, [](LaneValue v) { return v.isUniform(); });
  auto isComplex = [](Type type) { return isa<ComplexType>(type); };
  if (uniform || (llvm::none_of(op.getOperandTypes(), isComplex) &&
                  llvm::none_of(op.getResultTypes(), isComplex)))
    return false;
  Location loc = op.getLoc();
  bool inPairs = false;
  auto give = [&](Value re, Value im = {}) {
    LaneValue result{re, 0, /*isVector=*/true};
    result.imaginary = im;
    result.isInPairs = inPairs;
    set(op.getResult(0), result);
    return true;
  };
  if (isa<complex::CreateOp>(op))
    return give(toVector(loc, operands[0]), toVector(loc, operands[1]));
  if (isa<complex::ReOp>(op))
    return give(getParts(loc, operands[0]).first);
  if (isa<complex::ImOp>(op))
    return give(getParts(loc, operands[0]).second);
  if (isa<arith::SelectOp>(op)) {
    Value condition = operands[0].isUniform() ? operands[0].value
                                              : toVector(loc, operands[0]);
    auto [re, im] = getParts(loc, operands[1]);
    auto [otherRe, otherIm] = getParts(loc, operands[2]);
    return give(arith::SelectOp::create(b, loc, condition, re, otherRe),
                arith::SelectOp::create(b, loc, condition, im, otherIm));
  }
  // One that is in pairs is to be stored so more often than not.
  inPairs = llvm::any_of(operands, [](LaneValue v) { return v.isInPairs; });
  auto getVectors = [&](LaneValue value) {
    return inPairs ? getPairs(loc, value) : getParts(loc, value);
  };
  auto [re, im] = getVectors(operands[0]);
  if (auto neg = dyn_cast<complex::NegOp>(op))
    return give(arith::NegFOp::create(b, loc, re, neg.getFastmath()),
                arith::NegFOp::create(b, loc, im, neg.getFastmath()));
  auto [otherRe, otherIm] = getVectors(operands[1]);
  if (auto add = dyn_cast<complex::AddOp>(op))
    return give(arith::AddFOp::create(b, loc, re, otherRe, add.getFastmath()),
                arith::AddFOp::create(b, loc, im, otherIm, add.getFastmath()));
  auto sub = cast<complex::SubOp>(op);
  return give(arith::SubFOp::create(b, loc, re, otherRe, sub.getFastmath()),
              arith::SubFOp::create(b, loc, im, otherIm, sub.getFastmath()));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

LaunchEmitter::PartsInMemory
LaunchEmitter::findParts(Location loc, Value array,
                         ArrayRef<LaneValue> indices) {
  auto type = cast<MemRefType>(array.getType());
  Type element = cast<ComplexType>(type.getElementType()).getElementType();
  auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, array);
  auto base = cast<MemRefType>(metadata.getBaseBuffer().getType());
  auto real = MemRefType::get({}, element, MemRefLayoutAttrInterface(),
                              base.getMemorySpace());
  Value parts =
      UnrealizedConversionCastOp::create(b, loc, real, metadata.getBaseBuffer())
          .getResult(0);
  LaneValue two = constantIndex(loc, 2), one = constantIndex(loc, 1);
  LaneValue at = constantIndex(loc, 0), last = at;
  unsigned rank = type.getRank();
  for (unsigned d = 0; d < rank; ++d) {
    LaneValue stride{metadata.getStrides()[d]};
    if (d + 1 == rank && type.isLastDimUnitStride())
      stride = one;
    at = binary(loc, "arith.addi", at,
                binary(loc, "arith.muli", indices[d], stride));
    LaneValue end = binary(loc, "arith.subi", {metadata.getSizes()[d]}, one);
    last =
        binary(loc, "arith.addi", last, binary(loc, "arith.muli", end, stride));
  }
  Value size =
      binary(loc, "arith.muli", binary(loc, "arith.addi", last, one), two)
          .value;
  Value offset = binary(loc, "arith.muli", {metadata.getOffset()}, two).value;
  auto flat = MemRefType::get(
      {ShapedType::kDynamic}, element,
      StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, {1}),
      base.getMemorySpace());
  parts = memref::ReinterpretCastOp::create(
      b, loc, flat, parts, OpFoldResult(offset), {OpFoldResult(size)},
      {OpFoldResult(b.getIndexAttr(1))});
  return {parts, binary(loc, "arith.muli", at, two)};
}

/// `vector` with its lanes in the opposite order.
static Value turn(OpBuilder &b, Location loc, Value vector) {
  int64_t lanes = cast<VectorType>(vector.getType()).getDimSize(0);
  return shuffle(b, loc, vector, vector,
                 [&](int64_t l) { return lanes - 1 - l; });
}

/// The masks of both vectors that hold the numbers of `mask`.
static std::pair<Value, Value> widenMask(OpBuilder &b, Location loc,
                                         Value mask) {
  if (!mask)
    return {};
  int64_t lanes = cast<VectorType>(mask.getType()).getDimSize(0);
  return {
      shuffle(b, loc, mask, mask, [](int64_t l) { return l / 2; }),
      shuffle(b, loc, mask, mask, [&](int64_t l) { return (lanes + l) / 2; })};
}

LaneValue LaunchEmitter::loadComplex(Location loc, Value array,
                                     ArrayRef<LaneValue> indices, Value mask) {
  auto [parts, at] = findParts(loc, array, indices);
  Type element = cast<MemRefType>(parts.getType()).getElementType();
  auto type = VectorType::get({lanes}, element);
  Value nothing = toVector(loc, {zero(loc, element)});
  LaneValue result{{}, 0, /*isVector=*/true};
  if (at.isVector || (at.stride != 2 && at.stride != -2)) {
    auto gather = [&](int64_t part) {
      LaneValue from = binary(loc, "arith.addi", at, constantIndex(loc, part));
      return vector::GatherOp::create(
          b, loc, type, parts, ValueRange{constantIndex(loc, 0).value},
          toVector(loc, from), mask ? mask : allOn(loc), nothing);
    };
    result.value = gather(0);
    result.imaginary = gather(1);
    return result;
  }
  bool turned = at.stride < 0;
  Value first = at.value;
  if (turned) {
    first = arith::SubIOp::create(b, loc, first,
                                  constantIndex(loc, 2 * (lanes - 1)).value);
    mask = mask ? turn(b, loc, mask) : Value();
  }
  Value second =
      arith::AddIOp::create(b, loc, first, constantIndex(loc, lanes).value);
  auto [low, high] = widenMask(b, loc, mask);
  auto load = [&](Value place, Value on) {
    return on ? Value(vector::MaskedLoadOp::create(b, loc, type, parts, place,
                                                   on, nothing))
              : Value(vector::LoadOp::create(b, loc, type, parts, place));
  };
  result.value = load(first, low);
  result.imaginary = load(second, high);
  result.isInPairs = true;
  if (!turned)
    return result;
  auto [re, im] = getParts(loc, result);
  result.value = turn(b, loc, re);
  result.imaginary = turn(b, loc, im);
  result.isInPairs = false;
  return result;
}

void LaunchEmitter::storeComplex(Location loc, Value array, LaneValue value,
                                 ArrayRef<LaneValue> indices, Value mask) {
  auto [parts, at] = findParts(loc, array, indices);
  if (at.isVector || (at.stride != 2 && at.stride != -2)) {
    auto [re, im] = getParts(loc, value);
    // No list of the loop's own: it would be gone in the first step.
    Value both[] = {re, im};
    for (auto [part, vector] : llvm::enumerate(both)) {
      LaneValue to = binary(loc, "arith.addi", at, constantIndex(loc, part));
      vector::ScatterOp::create(
          b, loc, Type(), parts, ValueRange{constantIndex(loc, 0).value},
          toVector(loc, to), mask ? mask : allOn(loc), vector);
    }
    return;
  }
  Value first = at.value;
  if (at.stride < 0) {
    first = arith::SubIOp::create(b, loc, first,
                                  constantIndex(loc, 2 * (lanes - 1)).value);
    auto [re, im] = getParts(loc, value);
    value.value = turn(b, loc, re);
    value.imaginary = turn(b, loc, im);
    value.isInPairs = false;
    mask = mask ? turn(b, loc, mask) : Value();
  }
  Value second =
      arith::AddIOp::create(b, loc, first, constantIndex(loc, lanes).value);
  auto [low, high] = widenMask(b, loc, mask);
  auto store = [&](Value vector, Value place, Value on) {
    if (on)
      vector::MaskedStoreOp::create(b, loc, parts, place, on, vector);
    else
      vector::StoreOp::create(b, loc, vector, parts, place);
  };
  auto [x, y] = getPairs(loc, value);
  store(x, first, low);
  store(y, second, high);
}
