//===- LaunchFrame.cpp - A launch while its body is being written ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LaunchFrame.h"

#include "arrc/Dialect/Array/IR/ChangingSizes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

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
  if (auto argument = dyn_cast<BlockArgument>(array)) {
    // Loops of bodies keep the sizes of what they carry; those of the host may
    // not.
    Operation *parent = argument.getOwner()->getParentOp();
    if (!parent->getParentOfType<array::IndexSpaceOpInterface>())
      return {};
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      return getKnown(loop.getTiedLoopInit(argument)->get(), dim);
    if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      unsigned k = argument.getArgNumber();
      return getKnown(argument.getOwner() == loop.getBeforeBody()
                          ? loop.getInits()[k]
                          : loop.getConditionOp().getArgs()[k],
                      dim);
    }
    return {};
  }
  auto result = cast<OpResult>(array);
  unsigned k = result.getResultNumber();
  return TypeSwitch<Operation *, OpFoldResult>(result.getOwner())
      .Case([&](tensor::EmptyOp op) { return op.getMixedSizes()[dim]; })
      .Case([&](tensor::SplatOp op) -> OpFoldResult {
        return op.getDynamicSizes()[type.getDynamicDimIndex(dim)];
      })
      .Case(
          [&](tensor::InsertSliceOp op) { return getKnown(op.getDest(), dim); })
      .Case([&](tensor::InsertOp op) { return getKnown(op.getDest(), dim); })
      .Case([&](tensor::CastOp op) { return getKnown(op.getSource(), dim); })
      .Case<array::ExtendOp, array::FenceOp>(
          [&](auto op) { return getKnown(op.getSource(), dim); })
      .Case([&](array::SortOp op) { return getKnown(op.getKeys(), dim); })
      .Case([&](tensor::ExpandShapeOp op) {
        return op.getMixedOutputShape()[dim];
      })
      .Case([&](tensor::ExtractSliceOp op) -> OpFoldResult {
        llvm::SmallBitVector dropped = op.getDroppedDims();
        for (auto [d, size] : llvm::enumerate(op.getMixedSizes()))
          if (!dropped.test(d) && dim-- == 0)
            return size;
        return {};
      })
      .Case([&](kernel::LaunchOp op) { return getKnown(op.getOuts()[k], dim); })
      .Case([&](scf::IfOp op) -> OpFoldResult {
        // Only what stands before the branch can be named behind it.
        if (array::changesSizes(op))
          return {};
        for (scf::YieldOp yield : {op.thenYield(), op.elseYield()}) {
          OpFoldResult size = getKnown(yield.getOperand(k), dim);
          auto value = dyn_cast_or_null<Value>(size);
          if (size && (!value ||
                       !op->isAncestor(value.getParentBlock()->getParentOp())))
            return size;
        }
        return {};
      })
      .Case([&](array::ScatterOp op) { return getKnown(op.getInto()[k], dim); })
      .Case([&](scf::ForOp op) -> OpFoldResult {
        if (!op->getParentOfType<array::IndexSpaceOpInterface>())
          return {};
        return getKnown(op.getInitArgs()[k], dim);
      })
      .Case([&](scf::WhileOp op) -> OpFoldResult {
        if (!op->getParentOfType<array::IndexSpaceOpInterface>())
          return {};
        return getKnown(op.getConditionOp().getArgs()[k], dim);
      })
      .Case([&](array::MapOp op) -> OpFoldResult {
        int64_t front = op.getStaticExtents().size();
        if (dim < front)
          return array::getKnownSize(array, dim);
        Operation *end = op.getBody().front().getTerminator();
        return getKnown(end->getOperand(k), dim - front);
      })
      .Default([&](Operation *op) -> OpFoldResult {
        if (op->hasTrait<OpTrait::Elementwise>())
          for (Value operand : op->getOperands())
            if (isa<RankedTensorType>(operand.getType()))
              return getKnown(operand, dim);
        return array::getKnownSize(array, dim);
      });
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

OpFoldResult HostSizes::follow(OpFoldResult size, const Replaced &replaced) {
  while (auto value = dyn_cast<Value>(size)) {
    auto *it = replaced.find(value);
    if (it == replaced.end())
      break;
    size = it->second;
  }
  return size;
}

void HostSizes::replace(const Replaced &replaced) {
  for (auto &entry : known)
    for (OpFoldResult &size : entry.second)
      if (size)
        size = follow(size, replaced);
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
