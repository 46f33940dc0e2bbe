//===- IndexSpaceBuilders.cpp - Making operations with an index space -----===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "IndexSpaceTypes.h"

using namespace mlir;
using namespace arrc::array;
using arrc::array::detail::scanTypes;
using arrc::array::detail::yieldOf;

/// Fills `body` by `build`, with one index an extent.
static void buildRegion(OpBuilder &builder, Location loc, Region *region,
                        TypeRange arguments, BodyBuilder build) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locs(arguments.size(), loc);
  Block *block = builder.createBlock(region, {}, arguments, locs);
  build(builder, loc, block->getArguments());
}

/// Adds extents and names; with no names the attribute stays away.
template <typename OpTy>
static void addSpace(OpBuilder &builder, OperationState &state,
                     ArrayRef<OpFoldResult> extents, ArrayAttr dims) {
  SmallVector<Value> values;
  SmallVector<int64_t> numbers;
  dispatchIndexOpFoldResults(extents, values, numbers);
  auto &properties = state.getOrAddProperties<typename OpTy::Properties>();
  properties.static_extents = builder.getDenseI64ArrayAttr(numbers);
  properties.dims = dims;
  state.addOperands(values);
}

static ArrayAttr namesAttr(OpBuilder &builder, ArrayRef<StringRef> names) {
  return names.empty() ? ArrayAttr() : builder.getStrArrayAttr(names);
}

/// Operands are the extents, then `rest`.
template <typename OpTy>
static void addRest(OperationState &state, ValueRange rest) {
  auto &properties = state.getOrAddProperties<typename OpTy::Properties>();
  properties.operandSegmentSizes = {static_cast<int32_t>(state.operands.size()),
                                    static_cast<int32_t>(rest.size())};
  state.addOperands(rest);
}

static SmallVector<Type> indexTypes(OpBuilder &builder, size_t count) {
  return SmallVector<Type>(count, builder.getIndexType());
}

static SmallVector<Type> twice(ValueRange values) {
  SmallVector<Type> types(values.getTypes());
  llvm::append_range(types, values.getTypes());
  return types;
}

//===----------------------------------------------------------------------===//
// map and stencil
//===----------------------------------------------------------------------===//

template <typename OpTy>
static void buildMapLike(OpBuilder &builder, OperationState &state,
                         ArrayRef<OpFoldResult> extents,
                         ArrayRef<StringRef> names, BodyBuilder body) {
  addSpace<OpTy>(builder, state, extents, namesAttr(builder, names));
  Region *region = state.addRegion();
  buildRegion(builder, state.location, region,
              indexTypes(builder, extents.size()), body);
  ArrayRef<int64_t> numbers =
      state.getOrAddProperties<typename OpTy::Properties>().static_extents;
  for (Value value : yieldOf(region->front()).getValues())
    state.addTypes(getArrayOf(numbers, value.getType()));
}

void MapOp::build(OpBuilder &builder, OperationState &state,
                  ArrayRef<OpFoldResult> extents, ArrayRef<StringRef> names,
                  BodyBuilder body) {
  buildMapLike<MapOp>(builder, state, extents, names, body);
}
void MapOp::build(OpBuilder &builder, OperationState &state, TypeRange results,
                  ArrayRef<OpFoldResult> extents, ArrayAttr dims) {
  addSpace<MapOp>(builder, state, extents, dims);
  state.addRegion();
  state.addTypes(results);
}

void StencilOp::build(OpBuilder &builder, OperationState &state,
                      ArrayRef<OpFoldResult> extents, ArrayRef<StringRef> names,
                      BodyBuilder body) {
  buildMapLike<StencilOp>(builder, state, extents, names, body);
}
void StencilOp::build(OpBuilder &builder, OperationState &state,
                      TypeRange results, ArrayRef<OpFoldResult> extents,
                      ArrayAttr dims) {
  addSpace<StencilOp>(builder, state, extents, dims);
  state.addRegion();
  state.addTypes(results);
}

//===----------------------------------------------------------------------===//
// reduce and scan
//===----------------------------------------------------------------------===//

void ReduceOp::build(OpBuilder &builder, OperationState &state,
                     ArrayRef<OpFoldResult> extents, ArrayAttr dims,
                     ValueRange init) {
  addSpace<ReduceOp>(builder, state, extents, dims);
  addRest<ReduceOp>(state, init);
  state.addRegion();
  state.addRegion();
  state.addTypes(init.getTypes());
}

void ReduceOp::build(OpBuilder &builder, OperationState &state,
                     ArrayRef<OpFoldResult> extents, ArrayRef<StringRef> names,
                     ValueRange init, BodyBuilder body, BodyBuilder combiner) {
  build(builder, state, extents, namesAttr(builder, names), init);
  buildRegion(builder, state.location, state.regions[0].get(),
              indexTypes(builder, extents.size()), body);
  buildRegion(builder, state.location, state.regions[1].get(), twice(init),
              combiner);
}

void ScanOp::build(OpBuilder &builder, OperationState &state,
                   ArrayRef<OpFoldResult> extents, ArrayAttr dims,
                   ValueRange init, bool exclusive) {
  addSpace<ScanOp>(builder, state, extents, dims);
  addRest<ScanOp>(state, init);
  auto &properties = state.getOrAddProperties<Properties>();
  if (exclusive)
    properties.exclusive = builder.getUnitAttr();
  state.addRegion();
  state.addRegion();
  state.addTypes(scanTypes(properties.static_extents, init.getTypes()));
}

void ScanOp::build(OpBuilder &builder, OperationState &state,
                   OpFoldResult extent, StringRef name, ValueRange init,
                   bool exclusive, BodyBuilder body, BodyBuilder combiner) {
  build(builder, state, extent,
        name.empty() ? ArrayAttr() : builder.getStrArrayAttr(name), init,
        exclusive);
  buildRegion(builder, state.location, state.regions[0].get(),
              builder.getIndexType(), body);
  buildRegion(builder, state.location, state.regions[1].get(), twice(init),
              combiner);
}

//===----------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------===//

void ScatterOp::build(OpBuilder &builder, OperationState &state,
                      ArrayRef<OpFoldResult> extents, ArrayAttr dims,
                      ValueRange into, OutOfBounds oob) {
  addSpace<ScatterOp>(builder, state, extents, dims);
  addRest<ScatterOp>(state, into);
  state.getOrAddProperties<Properties>().oob =
      OutOfBoundsAttr::get(builder.getContext(), oob);
  state.addRegion();
  state.addRegion();
  state.addTypes(into.getTypes());
}

void ScatterOp::build(OpBuilder &builder, OperationState &state,
                      ArrayRef<OpFoldResult> extents, ArrayRef<StringRef> names,
                      ValueRange into, OutOfBounds oob, BodyBuilder body,
                      BodyBuilder combiner) {
  build(builder, state, extents, namesAttr(builder, names), into, oob);
  Region *region = state.regions[0].get();
  buildRegion(builder, state.location, region,
              indexTypes(builder, extents.size()), body);
  if (combiner)
    buildRegion(builder, state.location, state.regions[1].get(),
                twice(yieldOf(region->front()).getValues()), combiner);
}

//===----------------------------------------------------------------------===//
// filter
//===----------------------------------------------------------------------===//

void FilterOp::build(OpBuilder &builder, OperationState &state,
                     TypeRange arrays, OpFoldResult extent, ArrayAttr dims) {
  addSpace<FilterOp>(builder, state, extent, dims);
  state.addRegion();
  state.addTypes(builder.getIndexType());
  state.addTypes(arrays);
}

void FilterOp::build(OpBuilder &builder, OperationState &state,
                     OpFoldResult extent, StringRef name, BodyBuilder body) {
  build(builder, state, TypeRange(), extent,
        name.empty() ? ArrayAttr() : builder.getStrArrayAttr(name));
  Region *region = state.regions[0].get();
  buildRegion(builder, state.location, region, builder.getIndexType(), body);
  for (Value value : yieldOf(region->front()).getValues().drop_front())
    state.addTypes(getArrayOf(ShapedType::kDynamic, value.getType()));
}
