//===- Lanes.cpp - Values and operations in lanes -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// See LaunchEmitter.h for what a value is in lanes. A `vector` loop that folds
// keeps one vector of accumulators, whose lanes are folded at its end.
//
//===----------------------------------------------------------------------===//

#include "LaunchEmitter.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/Transforms/ElementAccess.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace arrc;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

LaneValue LaunchEmitter::lookup(Value value) {
  auto it = values.find(value);
  assert(it != values.end() && "used before it was emitted");
  return it->second;
}

SmallVector<LaneValue> LaunchEmitter::lookup(ValueRange range) {
  SmallVector<LaneValue> result;
  for (Value value : range)
    result.push_back(lookup(value));
  return result;
}

Value LaunchEmitter::lookupScalar(Value value) {
  LaneValue lane = lookup(value);
  assert(lane.isUniform() && "differs between lanes");
  return lane.value;
}

Type LaunchEmitter::laneType(Type scalar) {
  return lanes ? Type(VectorType::get({lanes}, scalar)) : scalar;
}

Value LaunchEmitter::toVector(Location loc, LaneValue value) {
  if (value.isVector || lanes == 0)
    return value.value;
  Type scalar = value.value.getType();
  auto type = cast<VectorType>(laneType(scalar));
  Value splat = vector::BroadcastOp::create(b, loc, type, value.value);
  if (value.stride == 0)
    return splat;
  SmallVector<Attribute> steps;
  for (int64_t l = 0; l < lanes; ++l)
    steps.push_back(b.getIntegerAttr(scalar, l * value.stride));
  Value step =
      arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, steps));
  return arith::AddIOp::create(b, loc, splat, step);
}

Value LaunchEmitter::allOn(Location loc) {
  auto type = VectorType::get({lanes}, b.getI1Type());
  return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, true));
}

LaneValue LaunchEmitter::constantIndex(Location loc, int64_t value) {
  return {arith::ConstantIndexOp::create(b, loc, value)};
}

Value LaunchEmitter::zero(Location loc, Type type) {
  return kernel::createZero(b, loc, type);
}

//===----------------------------------------------------------------------===//
// Elementwise operations
//===----------------------------------------------------------------------===//

LaneValue LaunchEmitter::make(Location loc, StringRef name,
                              ArrayRef<LaneValue> operands, Type scalarResult,
                              ArrayRef<NamedAttribute> attributes) {
  bool uniform =
      llvm::all_of(operands, [](LaneValue v) { return v.isUniform(); });
  OperationState state(loc, name);
  for (LaneValue operand : operands)
    state.operands.push_back(uniform ? operand.value : toVector(loc, operand));
  state.addTypes(uniform ? scalarResult : laneType(scalarResult));
  state.addAttributes(attributes);
  Operation *made = b.create(state);
  // Lanes that do nothing have any divisor.
  if (active && kernel::dividesIntegers(made) && !operands[1].isUniform()) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(made);
    Value divisor = made->getOperand(1);
    Value one =
        arith::ConstantOp::create(b, loc, b.getOneAttr(divisor.getType()));
    made->setOperand(1, arith::SelectOp::create(b, loc, active, divisor, one));
  }
  return {made->getResult(0), 0, !uniform};
}

/// The scalar type of a value in lanes.
static Type getScalarType(LaneValue value) {
  return getElementTypeOrSelf(value.value.getType());
}

/// A constant that is the same in all lanes.
static std::optional<int64_t> getConstant(LaneValue value) {
  if (!value.isUniform())
    return std::nullopt;
  return getConstantIntValue(value.value);
}

LaneValue LaunchEmitter::binary(Location loc, StringRef name, LaneValue lhs,
                                LaneValue rhs) {
  std::optional<int64_t> stride;
  if (!lhs.isVector && !rhs.isVector) {
    if (name == "arith.addi")
      stride = lhs.stride + rhs.stride;
    else if (name == "arith.subi")
      stride = lhs.stride - rhs.stride;
    else if (name == "arith.muli" && getConstant(rhs))
      stride = lhs.stride * *getConstant(rhs);
    else if (name == "arith.muli" && getConstant(lhs))
      stride = rhs.stride * *getConstant(lhs);
  }
  Type type = getScalarType(lhs);
  if (!stride)
    return make(loc, name, {lhs, rhs}, type);
  // Only lane 0 is computed.
  return {make(loc, name, {{lhs.value}, {rhs.value}}, type).value, *stride,
          false};
}

LaneValue LaunchEmitter::compare(Location loc, arith::CmpIPredicate predicate,
                                 LaneValue lhs, LaneValue rhs) {
  return make(loc, "arith.cmpi", {lhs, rhs}, b.getI1Type(),
              b.getNamedAttr("predicate", arith::CmpIPredicateAttr::get(
                                              b.getContext(), predicate)));
}

LaneValue LaunchEmitter::select(Location loc, LaneValue condition,
                                LaneValue yes, LaneValue no) {
  return make(loc, "arith.select", {condition, yes, no}, getScalarType(yes));
}

LaneValue LaunchEmitter::emitAffine(Location loc, AffineExpr expr,
                                    ArrayRef<LaneValue> dims,
                                    ArrayRef<LaneValue> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constantIndex(loc, constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto parts = cast<AffineBinaryOpExpr>(expr);
  LaneValue lhs = emitAffine(loc, parts.getLHS(), dims, symbols);
  LaneValue rhs = emitAffine(loc, parts.getRHS(), dims, symbols);
  LaneValue none = constantIndex(loc, 0);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return binary(loc, "arith.addi", lhs, rhs);
  case AffineExprKind::Mul:
    return binary(loc, "arith.muli", lhs, rhs);
  case AffineExprKind::Mod: {
    LaneValue rest = binary(loc, "arith.remsi", lhs, rhs);
    return select(loc, compare(loc, arith::CmpIPredicate::slt, rest, none),
                  binary(loc, "arith.addi", rest, rhs), rest);
  }
  case AffineExprKind::FloorDiv:
    return make(loc, "arith.floordivsi", {lhs, rhs}, b.getIndexType());
  case AffineExprKind::CeilDiv:
    return make(loc, "arith.ceildivsi", {lhs, rhs}, b.getIndexType());
  default:
    llvm_unreachable("all binary expressions are above");
  }
}

void LaunchEmitter::emitPlainOp(Operation &op) {
  Location loc = op.getLoc();
  if (auto assume = dyn_cast<array::AssumeOp>(op))
    return set(assume.getResult(), lookup(assume.getValue()));
  if (emitExtremum(op) || emitComplex(op))
    return;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getAffineMap();
    SmallVector<LaneValue> operands = lookup(op.getOperands());
    ArrayRef<LaneValue> all(operands);
    return set(apply.getResult(), emitAffine(loc, map.getResult(0),
                                             all.take_front(map.getNumDims()),
                                             all.drop_front(map.getNumDims())));
  }
  SmallVector<LaneValue> operands = lookup(op.getOperands());
  bool uniform =
      llvm::all_of(operands, [](LaneValue v) { return v.isUniform(); });
  if (uniform) {
    IRMapping map;
    for (auto [from, to] : llvm::zip(op.getOperands(), operands))
      map.map(from, to.value);
    Operation *copy = b.clone(op, map);
    for (auto [from, to] : llvm::zip(op.getResults(), copy->getResults()))
      set(from, to);
    return;
  }
  // Where a reciprocal may stand for a division, all lanes share one.
  if (auto division = dyn_cast<arith::DivFOp>(op);
      division && operands[1].isUniform() &&
      bitEnumContainsAll(division.getFastmath(), arith::FastMathFlags::arcp)) {
    auto type = cast<FloatType>(division.getType());
    Value one = arith::ConstantOp::create(b, loc, b.getFloatAttr(type, 1.0));
    Value over = arith::DivFOp::create(b, loc, one, operands[1].value,
                                       division.getFastmath());
    return set(op.getResult(0), make(loc, "arith.mulf", {operands[0], {over}},
                                     type, op.getAttrs()));
  }
  // The flags of integer operations (nsw) hold for the kernel's own values, so
  // strides may be used for them as for any other.
  StringRef name = op.getName().getStringRef();
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return set(op.getResult(0), binary(loc, name, operands[0], operands[1]));
  if (isa<arith::IndexCastOp>(op) && !operands[0].isVector) {
    Type type = op.getResult(0).getType();
    // A narrower integer could wrap within the lanes; the stride is the same
    // then, modulo its width.
    LaneValue first = make(loc, name, {{operands[0].value}}, type);
    return set(op.getResult(0), {first.value, operands[0].stride, false});
  }
  set(op.getResult(0),
      make(loc, name, operands, op.getResult(0).getType(), op.getAttrs()));
}

SmallVector<LaneValue> LaunchEmitter::combine(Region &combiner,
                                              ArrayRef<LaneValue> lhs,
                                              ArrayRef<LaneValue> rhs) {
  Block &block = combiner.front();
  for (auto [argument, value] :
       llvm::zip(block.getArguments().take_front(lhs.size()), lhs))
    set(argument, value);
  for (auto [argument, value] :
       llvm::zip(block.getArguments().drop_front(lhs.size()), rhs))
    set(argument, value);
  for (Operation &op : block.without_terminator())
    emitPlainOp(op);
  return lookup(block.getTerminator()->getOperands());
}

//===----------------------------------------------------------------------===//
// The vector loop
//===----------------------------------------------------------------------===//

LogicalResult LaunchEmitter::emitVectorFor(kernel::ForOp loop) {
  Location loc = loop.getLoc();
  int64_t width = *getConstantIntValue(loop.getMixedExtent());
  SmallVector<LaneValue> seeds = lookup(loop.getSeeds());
  varying = findVariation(loop);
  lanes = width;
  LaneValue iv = constantIndex(loc, 0);
  iv.stride = 1;
  set(loop.getInductionVar(), iv);
  enterLoop(loop, iv);
  if (loop.isScan())
    enterScan(loop, seeds);
  LogicalResult emitted = emitBody(*loop.getBodyBlock());
  digits.pop_back();
  if (failed(emitted))
    return failure();
  if (loop.isScan()) {
    lanes = 0;
    for (auto [result, value] : llvm::zip(loop.getResults(), leaveScan()))
      set(result, value);
    return success();
  }
  if (!loop.isReduce()) {
    lanes = 0;
    return success();
  }
  SmallVector<LaneValue> folded = lookup(loop.getYield().getValues());
  if (!foldArgLanes(loop, folded)) {
    for (LaneValue &value : folded)
      value = {toVector(loc, value), 0, true};
    folded = foldLanes(loop, std::move(folded));
  }
  lanes = 0;
  SmallVector<LaneValue> total = combine(loop.getCombiner(), seeds, folded);
  for (auto [result, value] : llvm::zip(loop.getResults(), total))
    set(result, value);
  return success();
}
