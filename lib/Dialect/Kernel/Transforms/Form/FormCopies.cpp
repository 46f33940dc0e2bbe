//===- FormCopies.cpp - Copies between views become launches --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A device copies memory that lies together by itself; a copy from or to
// a view (a slice, a column) is a kernel.
//
// Before   memref.copy %x, %view : memref<?xf32> to memref<?xf32, strided<[?]>>
// After    kernel.launch @f_copy (%X = %x, ..) outs (%Y = %view) {
//            kernel.for "d0" (%i) in %N { %Y[%i] = %X[%i] } }
//
// What is a constant of the program, the same everywhere, is a number of the
// launch instead of an array.
//
// Legal: a copy does not overlap itself, so its elements move in any order.
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/ConstantElement.h"
#include "arrc/Dialect/Kernel/IR/DeviceMemory.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_FORMCOPIESPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Whether both sides lie together in the same order.
static bool isPlain(memref::CopyOp copy) {
  auto isDense = [](Value array) {
    return cast<MemRefType>(array.getType()).getLayout().isIdentity();
  };
  return isDense(copy.getSource()) && isDense(copy.getTarget());
}

static void formLaunch(IRRewriter &rewriter, memref::CopyOp copy,
                       StringRef name) {
  Location loc = copy.getLoc();
  Value source = copy.getSource(), target = copy.getTarget();
  rewriter.setInsertionPoint(copy);
  // The sizes that are no numbers come first.
  SmallVector<Value> inputs;
  SmallVector<int64_t> lists[2];
  TypedAttr constant = getConstantElement(source);
  for (unsigned side : {0, 1}) {
    if (constant && side == 0)
      continue;
    Value array = side ? target : source;
    SmallVector<int64_t> &list = lists[side];
    auto type = cast<MemRefType>(array.getType());
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (!type.isDynamicDim(dim)) {
        list.push_back(type.getDimSize(dim));
        continue;
      }
      list.push_back(inputs.size());
      // Sizes that are one value stay one.
      inputs.push_back(rewriter.createOrFold<memref::DimOp>(loc, array, dim));
    }
  }
  unsigned scalars = inputs.size();
  SmallVector<SmallVector<int64_t>> sizes(scalars);
  if (!constant) {
    inputs.push_back(source);
    sizes.emplace_back(lists[0]);
  }
  sizes.emplace_back(lists[1]);
  auto launch = LaunchOp::create(rewriter, loc, name, inputs, target, sizes);
  BlockArgument from = constant ? BlockArgument() : launch.getArgument(scalars);
  BlockArgument to = launch.getArgument(inputs.size());
  rewriter.setInsertionPoint(launch.getBodyBlock()->getTerminator());
  SmallVector<Value> indices;
  int64_t rank = cast<MemRefType>(to.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim) {
    // Either side may know the number.
    OpFoldResult extent = launch.getSize(to, dim);
    if (from && !getConstantIntValue(extent))
      extent = launch.getSize(from, dim);
    auto loop = ForOp::create(rewriter, loc, ("d" + Twine(dim)).str(), extent);
    indices.push_back(loop.getInductionVar());
    rewriter.setInsertionPoint(loop.getBodyBlock()->getTerminator());
  }
  Value value;
  if (constant)
    value = arith::ConstantOp::create(rewriter, loc, constant);
  else
    value = LoadOp::create(rewriter, loc, from, indices);
  StoreOp::create(rewriter, loc, value, to, indices);
  rewriter.eraseOp(copy);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct FormCopiesPass
    : public arrc::kernel::impl::FormCopiesPassBase<FormCopiesPass> {
  void runOnOperation() override {
    if (!hasOwnMemory(DeviceAttr::get(getOperation())))
      return;
    SmallVector<memref::CopyOp> copies;
    getOperation().walk([&](memref::CopyOp copy) {
      bool ranked = isa<MemRefType>(copy.getSource().getType()) &&
                    isa<MemRefType>(copy.getTarget().getType());
      if (ranked && !isPlain(copy))
        copies.push_back(copy);
    });
    IRRewriter rewriter(&getContext());
    for (auto [number, copy] : llvm::enumerate(copies))
      formLaunch(rewriter, copy,
                 (getOperation().getName() + "_copy_" + Twine(number)).str());
  }
};

} // namespace
