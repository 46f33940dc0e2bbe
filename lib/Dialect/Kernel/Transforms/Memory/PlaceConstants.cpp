//===- PlaceConstants.cpp - Globals in the module's order -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. One-shot bufferization visits functions in an order that follows from
// their addresses, and makes the globals of constant arrays as it comes to
// them. It takes those that are there: made beforehand, in the order of the
// text, they have the same names and places in every run.
//
// Before   %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
// After    memref.global "private" constant @__constant_2xf32 ..
//          %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
//
// Legal always. Pays nothing but the same bytes each time.
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferUtils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_PLACECONSTANTSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;

namespace {

struct PlaceConstantsPass
    : public arrc::kernel::impl::PlaceConstantsPassBase<PlaceConstantsPass> {
  using PlaceConstantsPassBase::PlaceConstantsPassBase;

  void runOnOperation() override {
    SymbolTableCollection symbols;
    WalkResult result = getOperation().walk([&](arith::ConstantOp constant) {
      if (!isa<RankedTensorType>(constant.getType()))
        return WalkResult::advance();
      return failed(bufferization::getGlobalFor(constant, symbols, alignment))
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
