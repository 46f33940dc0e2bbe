//===- LocalLifetime.cpp - Which locals live at the same time -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LocalLifetime.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace arrc::kernel;

namespace {

/// Operations of a block, first and last.
struct Span {
  Operation *first, *last;
};

} // namespace

/// What of `block` has to do with `local`, which stands in `op` of the block or
/// is it.
static Span getSpan(LocalOp local, Operation *op) {
  Span span{op, op};
  if (op != local)
    return span;
  bool any = false;
  for (Operation *user : local->getUsers()) {
    Operation *access = op->getBlock()->findAncestorOpInBlock(*user);
    if (!any || access->isBeforeInBlock(span.first))
      span.first = access;
    if (!any || span.last->isBeforeInBlock(access))
      span.last = access;
    any = true;
  }
  return span;
}

bool arrc::kernel::areApart(LocalOp a, LocalOp b) {
  for (Operation *x = a; x && !isa<LaunchOp>(x); x = x->getParentOp()) {
    Operation *y = x->getBlock()->findAncestorOpInBlock(*b);
    if (!y)
      continue;
    // Other regions of one operation.
    if (x == y)
      return isa<scf::IfOp>(x);
    Span one = getSpan(a, x), other = getSpan(b, y);
    return one.last->isBeforeInBlock(other.first) ||
           other.last->isBeforeInBlock(one.first);
  }
  return false;
}
