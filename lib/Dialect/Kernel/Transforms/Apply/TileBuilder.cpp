//===- TileBuilder.cpp - The loops of a scan of tiles ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "TileBuilder.h"

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// A loop over one part at the insertion point, which moves inside.
ForOp TileBuilder::open(Part part, ForKind kind, ValueRange seeds) {
  const Step &step = *steps[part];
  std::string name = (dim + "." + Twine(step.digit)).str();
  ForOp opened =
      ForOp::create(rewriter, loc, name, rewriter.getIndexAttr(step.size), kind,
                    seeds, digits[step.digit].getLevel());
  if (kind != ForKind::Parallel && narrow) {
    OpBuilder::InsertionGuard guard(rewriter);
    CombinerOperator add;
    add.name = rewriter.getStringAttr("arith.addi");
    buildCombiner(rewriter, loc, opened.getCombiner(), rewriter.getI32Type(),
                  add, YieldOp::getOperationName());
  } else if (kind != ForKind::Parallel) {
    IRMapping mapping;
    loop.getCombiner().cloneInto(&opened.getCombiner(), mapping);
  }
  placeInside(opened);
  return opened;
}

SmallVector<Value> TileBuilder::createLocals(ArrayRef<Part> parts,
                                             TypeRange types) {
  SmallVector<int64_t> shape;
  for (Part part : parts)
    if (steps[part])
      shape.push_back(steps[part]->size);
  SmallVector<Value> locals;
  for (Type type : types)
    locals.push_back(LocalOp::create(rewriter, loc,
                                     MemRefType::get(shape, type), ValueRange(),
                                     StringAttr()));
  return locals;
}

SmallVector<Value> TileBuilder::load(ArrayRef<Value> locals, ValueRange place) {
  SmallVector<Value> values;
  for (Value local : locals)
    values.push_back(LoadOp::create(rewriter, loc, local, place));
  return values;
}

void TileBuilder::store(ValueRange values, ArrayRef<Value> locals,
                        ValueRange place) {
  for (auto [value, local] : llvm::zip(values, locals))
    StoreOp::create(rewriter, loc, value, local, place);
}

SmallVector<Value> TileBuilder::combine(ValueRange a, ValueRange b) {
  if (narrow)
    return {arith::AddIOp::create(rewriter, loc, a.front(), b.front())};
  return inlineCombiner(rewriter, loop.getCombiner(), a, b);
}

SmallVector<Value> TileBuilder::loadElements(ValueRange place) {
  SmallVector<Value> values = load(elements, place);
  if (!narrow)
    return values;
  Type type = rewriter.getI32Type();
  if (narrow->isSigned)
    return {arith::ExtSIOp::create(rewriter, loc, type, values.front())};
  return {arith::ExtUIOp::create(rewriter, loc, type, values.front())};
}

Value TileBuilder::widen(Value sum) {
  Type type = loop.getResult(0).getType();
  if (narrow->isSigned)
    return arith::ExtSIOp::create(rewriter, loc, type, sum);
  return arith::ExtUIOp::create(rewriter, loc, type, sum);
}

void TileBuilder::branch(function_ref<void(bool)> phase) {
  if (exact || single)
    return phase(/*guarded=*/!exact);
  auto choice = scf::IfOp::create(rewriter, loc, isWhole,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(choice.thenYield());
  phase(/*guarded=*/false);
  rewriter.setInsertionPoint(choice.elseYield());
  phase(/*guarded=*/true);
}

Value TileBuilder::isInside(Value offset) {
  return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt, offset,
                               left);
}

scf::IfOp TileBuilder::createGuard(Value inside, TypeRange types) {
  auto guard = scf::IfOp::create(rewriter, loc, types, inside, !types.empty());
  guard->setAttr(kTailAttr, rewriter.getUnitAttr());
  return guard;
}

Value TileBuilder::apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
  return toValue(
      rewriter, loc,
      affine::makeComposedFoldedAffineApply(
          rewriter, loc, AffineMap::get(operands.size(), 0, expr), operands));
}

void TileBuilder::forEachThread(
    bool guarded, function_ref<void(ValueRange, Value, Value)> body) {
  OpBuilder::InsertionGuard guard(rewriter);
  Value at[3], offset;
  SmallVector<OpFoldResult> operands{number};
  AffineExpr sum = rewriter.getAffineDimExpr(0) * tile;
  auto enter = [&](Part part) {
    if (!steps[part])
      return;
    at[part] = open(part, ForKind::Parallel).getInductionVar();
    sum =
        sum + rewriter.getAffineDimExpr(operands.size()) * steps[part]->weight;
    operands.push_back(at[part]);
  };
  enter(Group);
  enter(Thread);
  if (guarded)
    left = arith::SubIOp::create(rewriter, loc, toValue(rewriter, loc, extent),
                                 apply(sum, operands));
  enter(Chunk);
  if (guarded && at[Chunk])
    offset = apply(rewriter.getAffineDimExpr(0) * steps[Chunk]->weight,
                   {OpFoldResult(at[Chunk])});
  else if (guarded)
    offset = arith::ConstantIndexOp::create(rewriter, loc, 0);
  SmallVector<Value> place;
  for (Part part : {Group, Chunk, Thread})
    if (at[part])
      place.push_back(at[part]);
  body(place, apply(sum, operands), offset);
}

Value TileBuilder::addItem(Value index, Value item) {
  return apply(rewriter.getAffineDimExpr(0) + rewriter.getAffineDimExpr(1),
               {index, item});
}
