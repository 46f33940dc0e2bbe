//===- UnifySizes.cpp - Sizes that a check makes equal are one value ------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What a program is given is measured, and checked to have the sizes that its
// declaration names. Behind the check the size that was measured is the one
// that has the name:
//
//   %d0 = memref.dim %a, %c0    %d1 = memref.dim %a, %c1
//   array.check input (%d1 == %d0), ..
//   %b = memref.alloc(%d0, %d1)
//   =>
//   %b = memref.alloc(%d0, %d0)
//
// Buffers of the same sizes are seen to be so then: they share memory, take
// turns in time loops, and one test stands for both sizes.
//
// Legal as a check that fails ends its function: what it says holds wherever it
// has been passed.
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dominance.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_UNIFYSIZESPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// The size of an array that `value` is, of whatever type; null if it is none.
static memref::DimOp getMeasured(Value value) {
  if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    value = cast.getIn();
  return value.getDefiningOp<memref::DimOp>();
}

/// `value` as an index, made in front of `check`.
static Value asIndex(Value value, array::CheckOp check) {
  if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    if (cast.getIn().getType().isIndex())
      return cast.getIn();
  if (value.getType().isIndex())
    return value;
  OpBuilder builder(check);
  return arith::IndexCastOp::create(builder, check.getLoc(),
                                    builder.getIndexType(), value);
}

namespace {
struct UnifySizesPass : kernel::impl::UnifySizesPassBase<UnifySizesPass> {
  using UnifySizesPassBase::UnifySizesPassBase;

  void runOnOperation() override {
    auto &dominance = getAnalysis<DominanceInfo>();
    getOperation().walk([&](array::CheckOp check) {
      auto equal = check.getOk().getDefiningOp<arith::CmpIOp>();
      if (!equal || equal.getPredicate() != arith::CmpIPredicate::eq)
        return;
      // The left side is what was measured, by custom.
      Value size = equal.getLhs(), name = equal.getRhs();
      memref::DimOp measured = getMeasured(size);
      if (!measured) {
        std::swap(size, name);
        measured = getMeasured(size);
      }
      Type type = size.getType();
      if (!measured || (!type.isIndex() && !type.isInteger(64)))
        return;
      Value same = asIndex(name, check);
      if (same == measured.getResult())
        return;
      measured.getResult().replaceUsesWithIf(same, [&](OpOperand &use) {
        return dominance.properlyDominates(check, use.getOwner());
      });
    });
  }
};
} // namespace
