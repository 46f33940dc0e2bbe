//===- MergeDimsRewrite.cpp - Loops, arrays and sizes of merged dimensions ===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Part of kernel-merge-dims: see MergeDims.cpp.
//
//===----------------------------------------------------------------------===//

#include "../Shared/LaunchAccess.h"
#include "MergeDims.h"

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Where values of the host that depend on `operands` are computed: in front of
/// the loops in which these do not change.
static Operation *getPlaceOutsideOfLoops(Operation *op, ValueRange operands) {
  Operation *place = op;
  for (Operation *parent = op->getParentOp();
       parent && !isa<FunctionOpInterface>(parent);
       parent = parent->getParentOp()) {
    if (!llvm::all_of(operands, [&](Value value) {
          return !parent->isAncestor(value.getParentBlock()->getParentOp());
        }))
      break;
    if (isa<LoopLikeOpInterface>(parent))
      place = parent;
  }
  return place;
}

OpFoldResult DimMerger::getProduct(RewriterBase &rewriter,
                                   ArrayRef<OpFoldResult> sizes) {
  int64_t factor = 1;
  SmallVector<Value> values;
  for (OpFoldResult size : sizes) {
    OpFoldResult root = getRootSize(size);
    if (auto value = dyn_cast<Value>(root))
      values.push_back(value);
    else
      factor *= *getConstantIntValue(root);
  }
  if (values.empty())
    return rewriter.getIndexAttr(factor);
  if (values.size() == 1 && factor == 1)
    return values[0];
  SmallVector<OpFoldResult> key(values.begin(), values.end());
  key.push_back(rewriter.getIndexAttr(factor));
  for (auto &[known, product] : products)
    if (known == key)
      return product;
  SmallVector<Value> operands;
  for (Value value : values)
    operands.push_back(launch.getOperandOf(cast<BlockArgument>(value)).get());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(getPlaceOutsideOfLoops(launch, operands));
  Location loc = launch.getLoc();
  Value product = operands[0];
  for (Value operand : ArrayRef(operands).drop_front())
    product = arith::MulIOp::create(rewriter, loc, product, operand);
  if (factor != 1)
    product = arith::MulIOp::create(
        rewriter, loc, product,
        arith::ConstantIndexOp::create(rewriter, loc, factor));
  BlockArgument argument = launch.addInput(product);
  products.push_back({key, argument});
  return argument;
}

void DimMerger::mergeLoops(RewriterBase &rewriter, ForOp outermost) {
  SmallVector<ForOp> nest{outermost};
  for (ForOp inner = getSoleLoop(outermost);
       inner && getOuterOf(inner) == nest.back(); inner = getSoleLoop(inner))
    nest.push_back(inner);
  SmallVector<OpFoldResult> extents;
  SmallVector<Location> locs;
  std::string text;
  for (ForOp loop : nest) {
    extents.push_back(getRootSize(loop.getMixedExtent()));
    locs.push_back(loop.getLoc());
    text += (text.empty() ? "" : "_") + loop.getDim().str();
  }
  StringAttr &name = mergedNames[outermost.getDimAttr()];
  if (!name) {
    name = rewriter.getStringAttr(text);
    for (unsigned k = 1; loops.contains(name); ++k)
      name = rewriter.getStringAttr(text + "_" + Twine(k));
    loops.insert({name, {}});
    remark::passed(launch.getLoc(),
                   remark::RemarkOpts::name("MergeDims").category("merge-dims"))
        << remark::add("the dimensions of '{0}' are walked as one", name);
  }

  // What the kernel computes itself is multiplied there.
  OpFoldResult extent;
  rewriter.setInsertionPoint(outermost);
  if (isOuterSize(extents[0])) {
    extent = getProduct(rewriter, extents);
  } else {
    OpFoldResult rest =
        getProduct(rewriter, ArrayRef<OpFoldResult>(extents).drop_front());
    extent = arith::MulIOp::create(rewriter, outermost.getLoc(),
                                   cast<Value>(extents[0]),
                                   toValue(rewriter, outermost.getLoc(), rest))
                 .getResult();
  }
  // Scalars between the loops are the same for all iterations.
  for (ForOp loop : ArrayRef(nest).drop_back())
    for (Operation &op :
         llvm::make_early_inc_range(loop.getBodyBlock()->without_terminator()))
      if (!isa<ForOp>(op))
        rewriter.moveOpBefore(&op, outermost);
  ForOp innermost = nest.back();
  rewriter.setInsertionPoint(outermost);
  ForOp loop = createLoopLike(rewriter, outermost, name, extent,
                              outermost.getSeeds(), LevelAttr());
  loop->setLoc(rewriter.getFusedLoc(locs));
  Block *body = loop.getBodyBlock();
  if (body->mightHaveTerminator())
    rewriter.eraseOp(body->getTerminator());
  body->getOperations().splice(body->end(),
                               innermost.getBodyBlock()->getOperations());
  rewriter.replaceAllUsesWith(outermost.getResults(), loop.getResults());
  for (ForOp old : nest)
    old.getInductionVar().replaceAllUsesWith(loop.getInductionVar());
  rewriter.eraseOp(outermost);
}

void DimMerger::rewriteAccess(RewriterBase &rewriter, Operation *access,
                              Value array, const Memory &memory) {
  SmallVector<Value> subscripts;
  SmallVector<EdgeMode> modes;
  auto load = dyn_cast<LoadOp>(access);
  MutableOperandRange range = getIndicesOfMutable(access);
  for (unsigned dim = 0; dim < memory.joined.size(); ++dim) {
    if (dim > 0 && memory.joined[dim - 1])
      continue;
    subscripts.push_back(range[dim].get());
    if (load && load.getEdge())
      modes.push_back(memory.joined[dim] ? EdgeMode::None
                                         : load.getEdge()->getModes()[dim]);
  }
  rewriter.modifyOpInPlace(access, [&] {
    range.assign(subscripts);
    access->replaceUsesOfWith(getAccessedArray(access), array);
    if (modes.empty())
      return;
    if (llvm::all_of(modes,
                     [](EdgeMode mode) { return mode == EdgeMode::None; }))
      load.removeEdgeAttr();
    else
      load.setEdgeAttr(EdgesAttr::get(load.getContext(), modes));
  });
}

/// `type` with one dimension a group, of dimensions that lie without gaps. As
/// upstream infers it, but with the step of the innermost dimension of each:
/// upstream gives it up where all others could have one element.
static MemRefType getJoinedType(MemRefType type,
                                ArrayRef<ReassociationIndices> groups) {
  MemRefType joined =
      memref::CollapseShapeOp::computeCollapsedType(type, groups);
  if (joined.getLayout().isIdentity())
    return joined;
  auto [strides, offset] = type.getStridesAndOffset();
  SmallVector<int64_t> steps;
  for (const ReassociationIndices &group : groups)
    steps.push_back(strides[group.back()]);
  return MemRefType::get(
      joined.getShape(), joined.getElementType(),
      StridedLayoutAttr::get(type.getContext(), offset, steps),
      joined.getMemorySpace());
}

void DimMerger::joinMemory(RewriterBase &rewriter, Memory &memory) {
  SmallVector<ReassociationIndices> groups;
  for (unsigned dim = 0; dim < memory.joined.size(); ++dim) {
    if (dim == 0 || !memory.joined[dim - 1])
      groups.emplace_back();
    groups.back().push_back(dim);
  }
  Location loc = launch.getLoc();
  Value view;
  for (Value name : memory.names) {
    auto type = cast<MemRefType>(name.getType());
    SmallVector<OpFoldResult> sizes;
    auto local = name.getDefiningOp<LocalOp>();
    for (const ReassociationIndices &group : groups) {
      SmallVector<OpFoldResult> factors;
      for (int64_t dim : group) {
        if (!type.isDynamicDim(dim))
          factors.push_back(rewriter.getIndexAttr(type.getDimSize(dim)));
        else if (local)
          factors.push_back(local.getSizes()[type.getDynamicDimIndex(dim)]);
        else
          factors.push_back(launch.getSize(cast<BlockArgument>(name), dim));
      }
      sizes.push_back(group.size() == 1 ? factors[0]
                                        : getProduct(rewriter, factors));
    }
    MemRefType joined = getJoinedType(type, groups);
    if (local) {
      rewriter.setInsertionPoint(local);
      SmallVector<Value> dynamic;
      for (auto [dim, size] : llvm::enumerate(sizes))
        if (joined.isDynamicDim(dim))
          dynamic.push_back(toValue(rewriter, loc, size));
      auto copy = LocalOp::create(rewriter, local.getLoc(), joined, dynamic,
                                  local.getLocalNameAttr());
      for (Operation *access : memory.accesses)
        rewriteAccess(rewriter, access, copy.getResult(), memory);
      rewriter.eraseOp(local);
      return;
    }
    auto argument = cast<BlockArgument>(name);
    unsigned number = argument.getArgNumber();
    if (!view) {
      Value operand = launch.getOperandOf(argument).get();
      rewriter.setInsertionPoint(
          getPlaceOutsideOfLoops(launch, ValueRange(operand)));
      view = memref::CollapseShapeOp::create(rewriter, loc, operand, groups);
      MemRefType known =
          getJoinedType(cast<MemRefType>(operand.getType()), groups);
      if (known != view.getType())
        view = memref::CastOp::create(rewriter, loc, known, view);
    }
    SmallVector<int64_t> list;
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      if (!joined.isDynamicDim(dim)) {
        list.push_back(joined.getDimSize(dim));
        continue;
      }
      // A product of numbers is one by now, whatever the type says.
      auto known = dyn_cast<Value>(size);
      assert(known && "a dynamic size is an argument");
      list.push_back(cast<BlockArgument>(known).getArgNumber());
    }
    SmallVector<Attribute> lists(launch.getSizes().getValue());
    lists[number] = rewriter.getDenseI64ArrayAttr(list);
    launch.setSizesAttr(rewriter.getArrayAttr(lists));
    launch.getOperandOf(argument).set(view);
    argument.setType(joined);
  }
  for (Operation *access : memory.accesses)
    rewriteAccess(rewriter, access, getAccessedArray(access), memory);
}

void DimMerger::eraseUnusedSizes() {
  unsigned count = launch.getBodyBlock()->getNumArguments();
  llvm::BitVector unused(count);
  for (unsigned i = 0; i < launch.getNumInputs(); ++i) {
    BlockArgument argument = launch.getArgument(i);
    if (argument.getType().isIndex() && argument.use_empty())
      unused.set(i);
  }
  for (unsigned i = 0; i < count; ++i)
    if (auto type = dyn_cast<MemRefType>(launch.getArgument(i).getType()))
      for (auto [dim, size] : llvm::enumerate(launch.getSizesOf(i)))
        if (type.isDynamicDim(dim))
          unused.reset(size);
  if (unused.any())
    launch.eraseArguments(unused);
}

void DimMerger::rewrite(RewriterBase &rewriter) {
  SmallVector<ForOp> outermost;
  for (DimPair pair : pairs)
    for (ForOp loop : loops[pair.first])
      if (!getOuterOf(loop))
        outermost.push_back(loop);
  for (ForOp loop : outermost)
    mergeLoops(rewriter, loop);
  for (auto &[key, memory] : memories)
    if (llvm::is_contained(memory.joined, true))
      joinMemory(rewriter, memory);
  eraseUnusedSizes();
}
