//===- LaunchFrame.cpp - A launch while its body is being written ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LaunchFrame.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace arrc;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

void HostSizes::set(Value array, ArrayRef<OpFoldResult> sizes) {
  known[array] = llvm::to_vector(sizes);
}

OpFoldResult HostSizes::getKnown(Value array, int64_t dim) {
  auto type = cast<RankedTensorType>(array.getType());
  if (!type.isDynamicDim(dim))
    return Builder(array.getContext()).getIndexAttr(type.getDimSize(dim));
  if (auto it = known.find(array); it != known.end())
    return it->second[dim];
  if (auto empty = array.getDefiningOp<tensor::EmptyOp>())
    return empty.getMixedSizes()[dim];
  if (auto splat = array.getDefiningOp<tensor::SplatOp>())
    return splat.getDynamicSizes()[type.getDynamicDimIndex(dim)];
  if (auto insert = array.getDefiningOp<tensor::InsertSliceOp>())
    return getKnown(insert.getDest(), dim);
  if (auto insert = array.getDefiningOp<tensor::InsertOp>())
    return getKnown(insert.getDest(), dim);
  if (auto cast = array.getDefiningOp<tensor::CastOp>())
    return getKnown(cast.getSource(), dim);
  if (auto extend = array.getDefiningOp<array::ExtendOp>())
    return getKnown(extend.getSource(), dim);
  if (auto launch = array.getDefiningOp<kernel::LaunchOp>())
    return getKnown(launch.getOuts()[cast<OpResult>(array).getResultNumber()],
                    dim);
  return array::getKnownSize(array, dim);
}

OpFoldResult HostSizes::get(Value array, int64_t dim, Operation *anchor) {
  if (OpFoldResult size = getKnown(array, dim))
    return size;
  OpBuilder builder(anchor);
  if (array.getDefiningOp() == anchor)
    builder.setInsertionPointAfter(anchor);
  OpFoldResult size =
      tensor::DimOp::create(builder, anchor->getLoc(), array, dim).getResult();
  return size;
}

SmallVector<OpFoldResult> HostSizes::getAll(Value array, Operation *anchor) {
  SmallVector<OpFoldResult> all;
  int64_t rank = cast<RankedTensorType>(array.getType()).getRank();
  for (int64_t d = 0; d < rank; ++d)
    all.push_back(get(array, d, anchor));
  return all;
}

//===----------------------------------------------------------------------===//
// Captures
//===----------------------------------------------------------------------===//

LaunchFrame::LaunchFrame(Operation *root, HostSizes &sizes)
    : root(root), sizes(sizes) {
  OpBuilder builder(root->getContext());
  draft = kernel::LaunchOp::create(builder, root->getLoc(), "draft",
                                   ValueRange(), ValueRange(), {});
}

LaunchFrame::~LaunchFrame() { draft.erase(); }

bool LaunchFrame::isOutside(Value value) {
  Region *parent = value.getParentRegion();
  for (Region &inner : root->getRegions())
    if (inner.isAncestor(parent))
      return false;
  return value.getDefiningOp() != root;
}

BlockArgument LaunchFrame::addInput(Value outer, Type type) {
  BlockArgument argument =
      getBody().insertArgument(inputs.size(), type, outer.getLoc());
  inputs.push_back(outer);
  return argument;
}

BlockArgument LaunchFrame::captureSize(Value size) {
  BlockArgument &argument = sizeArguments[size];
  if (!argument)
    argument = addInput(size, size.getType());
  return argument;
}

Value LaunchFrame::captureScalar(Value outer) {
  if (Value known = scalars.lookup(outer))
    return known;
  OpBuilder head(root->getContext());
  head.setInsertionPointToStart(&getBody());
  Operation *source = outer.getDefiningOp();
  Value inside;
  if (source && source->hasTrait<OpTrait::ConstantLike>()) {
    inside = head.clone(*source)->getResult(0);
  } else {
    inside = captureSize(outer);
    if (auto fact = dyn_cast_or_null<array::AssumeOp>(source)) {
      Operation *repeated = head.clone(*fact);
      repeated->setOperand(0, inside);
      inside = repeated->getResult(0);
    }
  }
  scalars[outer] = inside;
  return inside;
}

SmallVector<OpFoldResult> LaunchFrame::captureBracket(Value array) {
  auto type = cast<RankedTensorType>(array.getType());
  SmallVector<OpFoldResult> bracket;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    auto named = noted.find(array);
    OpFoldResult size =
        named != noted.end() ? named->second[d] : sizes.get(array, d, root);
    if (!type.isDynamicDim(d)) {
      bracket.push_back(size);
      continue;
    }
    Value value = dyn_cast<Value>(size);
    if (!value) {
      OpBuilder builder(root);
      value = arith::ConstantIndexOp::create(builder, root->getLoc(),
                                             *getConstantIntValue(size));
    }
    bracket.push_back(captureSize(value));
  }
  return bracket;
}

Value LaunchFrame::captureArray(Value outer) {
  if (BlockArgument known = arrays.lookup(outer))
    return known;
  BlockArgument argument =
      addInput(outer, kernel::LaunchOp::getArgumentType(outer.getType()));
  arrays[outer] = argument;
  brackets[argument] = captureBracket(outer);
  return argument;
}

void LaunchFrame::noteSizes(Value outer, ArrayRef<OpFoldResult> named) {
  noted.try_emplace(outer, llvm::to_vector(named));
}

Value LaunchFrame::captureTable(arith::ConstantOp table) {
  if (isOutside(table))
    return captureArray(table);
  Value &argument = tables[table.getValue()];
  if (!argument) {
    OpBuilder builder(root);
    argument = captureArray(builder.clone(*table)->getResult(0));
  }
  return argument;
}

Value LaunchFrame::addOut(Value initial) {
  BlockArgument argument = getBody().addArgument(
      kernel::LaunchOp::getArgumentType(initial.getType()), initial.getLoc());
  outs.push_back(initial);
  brackets[argument] = captureBracket(initial);
  return argument;
}

Value LaunchFrame::addEmptyOut(RankedTensorType type,
                               ArrayRef<OpFoldResult> outSizes) {
  OpBuilder builder(root);
  SmallVector<Value> dynamic;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.isDynamicDim(d))
      dynamic.push_back(getValueOrCreateConstantIndexOp(builder, root->getLoc(),
                                                        outSizes[d]));
  return addOut(
      tensor::EmptyOp::create(builder, root->getLoc(), type, dynamic));
}

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

std::string LaunchFrame::getDimName(StringRef wanted, OpFoldResult extent) {
  std::string name = wanted.str();
  for (unsigned k = 1;; ++k) {
    auto [it, isNew] = dims.try_emplace(name, extent);
    if (isNew || isEqualConstantIntOrValue(it->second, extent))
      return name;
    name = (wanted + "_" + Twine(k)).str();
  }
}

std::string arrc::getLaunchName(Operation *op) {
  std::string name = "kernel";
  if (auto func = op->getParentOfType<func::FuncOp>())
    name = func.getName().str();
  if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>())
    name += "_" + std::to_string(place.getLine());
  return name;
}

kernel::LaunchOp LaunchFrame::finish() {
  SmallVector<SmallVector<int64_t>> lists;
  for (BlockArgument argument : getBody().getArguments()) {
    SmallVector<int64_t> &list = lists.emplace_back();
    auto type = dyn_cast<MemRefType>(argument.getType());
    for (int64_t d = 0; type && d < type.getRank(); ++d) {
      OpFoldResult size = brackets[argument][d];
      if (auto value = dyn_cast<Value>(size))
        list.push_back(cast<BlockArgument>(value).getArgNumber());
      else
        list.push_back(*getConstantIntValue(size));
    }
  }
  OpBuilder builder(root);
  auto launch = kernel::LaunchOp::create(
      builder, root->getLoc(), getLaunchName(root), inputs, outs, lists);
  Block *body = launch.getBodyBlock();
  for (auto [made, draftArgument] :
       llvm::zip(body->getArguments(), getBody().getArguments()))
    draftArgument.replaceAllUsesWith(made);
  auto &written = getBody().getOperations();
  body->getOperations().splice(body->begin(), written, written.begin(),
                               std::prev(written.end()));
  for (auto [out, result] : llvm::zip(outs, launch.getResults()))
    sizes.set(result, sizes.getAll(out, launch));
  return launch;
}
