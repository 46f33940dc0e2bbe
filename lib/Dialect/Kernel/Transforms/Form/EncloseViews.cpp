//===- EncloseViews.cpp - The arrays of a loop as those of one launch -----===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Views become indices into the arrays that they lie in: a launch takes its
// arrays once, and offsets that follow the step are numbers of its body.
//
//===----------------------------------------------------------------------===//

#include "Encloser.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

void Encloser::addScalar(Value value) {
  if (root->isAncestor(value.getParentBlock()->getParentOp()))
    return;
  Operation *op = value.getDefiningOp();
  (op && op->hasTrait<OpTrait::ConstantLike>() ? constants : scalars)
      .insert(value);
}

void Encloser::collect() {
  auto write = [&](Value array) { written.insert(findBase(root, array)); };
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (isArray(operand))
        arrays.insert(findBase(root, operand));
      else
        addScalar(operand);
    if (auto store = dyn_cast<memref::StoreOp>(op))
      write(store.getMemRef());
    if (auto copy = dyn_cast<memref::CopyOp>(op))
      write(copy.getTarget());
    auto inner = dyn_cast<LaunchOp>(op);
    if (!inner)
      return WalkResult::advance();
    for (Value array : inner.getOuts())
      write(array);
    return WalkResult::skip();
  });
}

/// Scalars that only the steps write and read, as arrays of rank 0.
SmallVector<Value> Encloser::takeTemporaries() {
  SmallVector<Value> temporaries;
  for (Value array : arrays) {
    auto alloc = array.getDefiningOp<memref::AllocOp>();
    bool isOfSteps =
        alloc && alloc.getType().getRank() == 0 &&
        llvm::all_of(alloc->getUsers(), [&](Operation *user) {
          return isa<memref::DeallocOp>(user) || root->isProperAncestor(user);
        });
    if (isOfSteps)
      temporaries.push_back(array);
  }
  for (Value array : temporaries) {
    arrays.remove(array);
    written.remove(array);
  }
  return temporaries;
}

void Encloser::addLocals(ArrayRef<Value> temporaries) {
  for (Value array : temporaries)
    bases[array].array = LocalOp::create(b, root->getLoc(), array.getType(),
                                         ValueRange(), StringAttr());
}

void Encloser::addConstants() {
  for (Value constant : constants)
    map.map(constant,
            b.clone(*constant.getDefiningOp())
                ->getResult(cast<OpResult>(constant).getResultNumber()));
}

/// Size of dimension `d` of `array`, by its name where a loop has one for it:
/// arrays of equal sizes are seen to be so then.
static OpFoldResult findSize(OpBuilder &b, Location loc, Value array,
                             int64_t d) {
  IterateOp loop;
  unsigned number = 0;
  if (auto result = dyn_cast<OpResult>(array)) {
    loop = dyn_cast<IterateOp>(result.getOwner());
    number = result.getResultNumber();
  } else {
    auto argument = cast<BlockArgument>(array);
    loop = dyn_cast<IterateOp>(argument.getOwner()->getParentOp());
    if (loop)
      number = llvm::find(loop.getCarriedArgs(), argument) -
               loop.getCarriedArgs().begin();
  }
  if (loop && number < loop.getCarried().size())
    return loop.getMixedSizes(number)[d];
  return b.createOrFold<memref::DimOp>(loc, array, d);
}

void Encloser::createLaunch(StringRef name) {
  Location loc = root->getLoc();
  // Sizes that are no numbers are scalars as others.
  llvm::DenseMap<Value, SmallVector<OpFoldResult>> sizesOf;
  for (Value array : arrays) {
    auto type = cast<MemRefType>(array.getType());
    for (int64_t d = 0; d < type.getRank(); ++d) {
      if (!type.isDynamicDim(d)) {
        sizesOf[array].push_back(b.getIndexAttr(type.getDimSize(d)));
        continue;
      }
      OpFoldResult size = findSize(b, loc, array, d);
      sizesOf[array].push_back(size);
      if (auto value = dyn_cast<Value>(size))
        scalars.insert(value);
    }
  }
  for (Value result : root->getResults())
    if (!isArray(result)) {
      Type type =
          result.getType().isIndex() ? b.getI64Type() : result.getType();
      places.push_back(
          memref::AllocOp::create(b, loc, MemRefType::get({}, type)));
    }
  SmallVector<Value> inputs(scalars.getArrayRef()), outs;
  for (Value array : arrays)
    (written.contains(array) ? outs : inputs).push_back(array);
  llvm::append_range(outs, places);
  SmallVector<SmallVector<int64_t>> sizes;
  for (ValueRange group : {ValueRange(inputs), ValueRange(outs)})
    for (Value operand : group) {
      SmallVector<int64_t> &list = sizes.emplace_back();
      for (OpFoldResult size : sizesOf.lookup(operand))
        if (auto value = dyn_cast<Value>(size))
          list.push_back(llvm::find(inputs, value) - inputs.begin());
        else
          list.push_back(*getConstantIntValue(size));
    }
  launch = LaunchOp::create(b, loc, name, inputs, outs, sizes);
  for (OpOperand &operand : launch->getOpOperands()) {
    BlockArgument argument = launch.getArgumentOf(operand);
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type) {
      map.map(operand.get(), argument);
      continue;
    }
    View &view = bases[operand.get()];
    view.array = argument;
    for (int64_t d = 0; d < type.getRank(); ++d) {
      view.offsets.push_back(b.getIndexAttr(0));
      view.strides.push_back(b.getIndexAttr(1));
      view.dims.push_back(d);
      view.sizes.push_back(launch.getSize(argument, d));
    }
  }
}

Value Encloser::get(Value scalar) { return map.lookup(scalar); }

OpFoldResult Encloser::get(OpFoldResult scalar) {
  auto value = dyn_cast<Value>(scalar);
  return value ? OpFoldResult(get(value)) : scalar;
}

/// `x + y`, as indices are written.
OpFoldResult Encloser::add(Location loc, OpFoldResult x, OpFoldResult y) {
  AffineExpr d0, d1;
  bindDims(b.getContext(), d0, d1);
  return affine::makeComposedFoldedAffineApply(b, loc, d0 + d1, {x, y});
}

OpFoldResult Encloser::multiply(Location loc, OpFoldResult x, OpFoldResult y) {
  if (!getConstantIntValue(x))
    std::swap(x, y);
  if (std::optional<int64_t> factor = getConstantIntValue(x))
    return affine::makeComposedFoldedAffineApply(
        b, loc, b.getAffineDimExpr(0) * *factor, {y});
  return arith::MulIOp::create(b, loc, cast<Value>(x), cast<Value>(y))
      .getResult();
}

View Encloser::narrow(memref::SubViewOp op, View source) {
  Location loc = op.getLoc();
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
  SmallVector<OpFoldResult> strides = op.getMixedStrides();
  View view = source;
  view.isWhole = false;
  view.sizes.clear();
  SmallVector<int64_t> number(dropped.size(), -1);
  for (auto [d, size] : llvm::enumerate(op.getMixedSizes()))
    if (!dropped[d]) {
      number[d] = view.sizes.size();
      view.sizes.push_back(get(size));
    }
  for (size_t k = 0; k < source.dims.size(); ++k) {
    int64_t d = source.dims[k];
    if (d < 0)
      continue;
    OpFoldResult moved = multiply(loc, get(offsets[d]), source.strides[k]);
    view.offsets[k] = add(loc, source.offsets[k], moved);
    view.strides[k] = multiply(loc, get(strides[d]), source.strides[k]);
    view.dims[k] = number[d];
  }
  return view;
}

View Encloser::getView(Value array) {
  auto it = bases.find(array);
  if (it != bases.end())
    return it->second;
  View view = getView(stepToBase(array));
  if (auto op = array.getDefiningOp<memref::SubViewOp>())
    view = narrow(op, view);
  return view;
}

SmallVector<Value> Encloser::getIndices(Location loc, const View &view,
                                        ValueRange indices) {
  SmallVector<Value> result;
  for (auto [offset, stride, dim] :
       llvm::zip(view.offsets, view.strides, view.dims)) {
    OpFoldResult index = offset;
    if (dim >= 0)
      index = add(loc, offset, multiply(loc, stride, indices[dim]));
    result.push_back(getValueOrCreateConstantIndexOp(b, loc, index));
  }
  return result;
}

Value Encloser::load(Location loc, Value array, ValueRange indices) {
  View view = getView(array);
  return LoadOp::create(b, loc, view.array, getIndices(loc, view, indices),
                        EdgesAttr(), fine);
}
