//===- CheckStencils.cpp - Checks the promise of stencils -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Idea. A stencil promises that it reads arrays at its own index plus
// constants. Halos, tiles and several steps in one kernel rely on it, so it is
// checked here and its extent, `reach`, is written down for all that follows:
//
//   array.stencil (%i) in (%n) { %u[%i - 1] .. %u[%i + 1] }
//   array.stencil (%i) in (%n) reach [-1 to 1] { .. }
//
// A subscript that does not depend on an index of the stencil is free. Indices
// of inner loops with constant extents count as the interval of their values.
// The pass changes no value; a broken promise is the program's error.
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace arrc::array {
#define GEN_PASS_DEF_CHECKSTENCILSPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

namespace {
/// An interval of offsets; both ends are included.
struct Interval {
  int64_t low = 0;
  int64_t high = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Whether `value` is computed from an index of `op`.
static bool dependsOn(Value value, StencilOp op,
                      llvm::SmallPtrSetImpl<Operation *> &seen) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == &op.getBody().front();
  Operation *def = value.getDefiningOp();
  if (!op->isProperAncestor(def) || !seen.insert(def).second)
    return false;
  bool depends = false;
  def->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      depends |= dependsOn(operand, op, seen);
  });
  return depends;
}

/// The values of an index of an inner loop of constant extent.
static std::optional<Interval> valuesOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return std::nullopt;
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto space = dyn_cast<IndexSpaceOpInterface>(parent)) {
    if (argument.getOwner() != space.getBodyBlock())
      return std::nullopt;
    int64_t extent = space.getStaticExtentList()[argument.getArgNumber()];
    if (ShapedType::isDynamic(extent) || extent == 0)
      return std::nullopt;
    return Interval{0, extent - 1};
  }
  auto loop = dyn_cast<scf::ForOp>(parent);
  if (!loop || loop.getInductionVar() != value)
    return std::nullopt;
  std::optional<int64_t> low = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> high = getConstantIntValue(loop.getUpperBound());
  if (!low || !high || *low >= *high)
    return std::nullopt;
  return Interval{*low, *high - 1};
}

namespace {
/// What one subscript says.
struct Subscript {
  /// The index of the stencil in it; -1 if there is none.
  int dim = -1;
  Interval offset;
};
} // namespace

/// Reads one subscript; fails if it breaks the promise.
static FailureOr<Subscript> readSubscript(Value index, StencilOp op) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  if (!dependsOn(index, op, seen))
    return Subscript();
  LinearIndex form(index);
  Subscript subscript;
  subscript.offset = {form.getConstant(), form.getConstant()};
  for (const LinearIndex::Term &term : form.getTerms()) {
    auto argument = dyn_cast<BlockArgument>(term.first);
    if (argument && argument.getOwner() == &op.getBody().front()) {
      if (term.second != 1 || subscript.dim != -1)
        return failure();
      subscript.dim = argument.getArgNumber();
      continue;
    }
    std::optional<Interval> values = valuesOf(term.first);
    if (!values)
      return failure();
    int64_t a = term.second * values->low, b = term.second * values->high;
    subscript.offset.low += std::min(a, b);
    subscript.offset.high += std::max(a, b);
  }
  if (subscript.dim == -1)
    return failure();
  return subscript;
}

/// Adds the offsets of one read to `reach`.
static LogicalResult readAt(AtOp at, StencilOp op,
                            SmallVectorImpl<std::optional<Interval>> &reach) {
  int last = -1;
  for (auto [dim, index] : llvm::enumerate(at.getIndices())) {
    FailureOr<Subscript> subscript = readSubscript(index, op);
    if (failed(subscript) || (subscript->dim != -1 && subscript->dim <= last)) {
      InFlightDiagnostic error = emitError(
          at.getLoc(), "a stencil must read arrays at its own indices plus "
                       "constants, in their order");
      error.attachNote(op.getLoc())
          << "subscript " << dim << " is not; write 'for' instead of 'stencil'";
      return error;
    }
    if (subscript->dim == -1)
      continue;
    last = subscript->dim;
    std::optional<Interval> &all = reach[last];
    if (!all)
      all = subscript->offset;
    all->low = std::min(all->low, subscript->offset.low);
    all->high = std::max(all->high, subscript->offset.high);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct CheckStencilsPass
    : arrc::array::impl::CheckStencilsPassBase<CheckStencilsPass> {
  void runOnOperation() override {
    bool broken = false;
    getOperation().walk([&](StencilOp op) { broken |= check(op).failed(); });
    if (broken)
      signalPassFailure();
  }

  LogicalResult check(StencilOp op) {
    SmallVector<std::optional<Interval>> reach(op.getStaticExtents().size());
    bool broken = false;
    op.getBody().walk([&](AtOp at) {
      if (!op->isProperAncestor(
              at.getSource().getParentRegion()->getParentOp()) &&
          at.getSource().getParentRegion() != &op.getBody())
        broken |= readAt(at, op, reach).failed();
    });
    if (broken)
      return failure();
    SmallVector<int64_t> bounds;
    for (std::optional<Interval> &interval : reach) {
      bounds.push_back(interval ? interval->low : 0);
      bounds.push_back(interval ? interval->high : 0);
    }
    // stencil [C2]
    if (std::optional<ArrayRef<int64_t>> given = op.getReach())
      for (size_t i = 0; i < bounds.size(); i += 2)
        if (bounds[i] < (*given)[i] || bounds[i + 1] > (*given)[i + 1])
          return op.emitError("reads up to offset ")
                 << (bounds[i] < (*given)[i] ? bounds[i] : bounds[i + 1])
                 << " of index " << i / 2 << ", outside of its reach";
    op.setReach(bounds);
    return success();
  }
};
} // namespace
