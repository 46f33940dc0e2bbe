//===- Dependence.cpp - Which loops may become one ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/Dependence.h"

#include "arrc/Analysis/SourceNames.h"
#include "arrc/Support/Combiner.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace arrc;

std::string arrc::getArrayName(Value array) {
  if (auto argument = dyn_cast<BlockArgument>(array))
    if (auto launch =
            dyn_cast<kernel::LaunchOp>(argument.getOwner()->getParentOp())) {
      StringRef name = launch.getArgName(argument.getArgNumber());
      if (!name.empty())
        return ("'" + name + "'").str();
      OpOperand &operand = launch.getOperandOf(argument);
      if (!launch.isDpsInit(&operand) || launch.getNumResults() == 0)
        return describeArray(operand.get());
      return describeArray(launch.getTiedOpResult(&operand));
    }
  if (auto local = array.getDefiningOp<kernel::LocalOp>())
    if (std::optional<StringRef> name = local.getLocalName())
      return ("'" + *name + "'").str();
  return "a local";
}

bool arrc::isSameElement(const Access &a, const Access &b) {
  return a.array == b.array && a.indices == b.indices;
}

bool arrc::isOtherElement(const Access &a, const Access &b) {
  if (a.array != b.array)
    return true;
  for (auto [x, y] : llvm::zip_equal(a.indices, b.indices))
    if (std::optional<int64_t> distance = x.distanceFrom(y))
      if (*distance != 0)
        return true;
  return false;
}

bool arrc::shareAnArray(const AccessPattern &first,
                        const AccessPattern &second) {
  for (const Access &a : first.getAccesses())
    for (const Access &b : second.getAccesses())
      if (a.array == b.array)
        return true;
  return false;
}

/// Whether `a` in `first` and `b` in `second` meet only in iterations of the
/// same number: in some dimension both are at the same multiple of their
/// induction variable plus the same value, which no inner loop changes.
static bool meetOnlyAtEqualIndex(const Access &a, kernel::ForOp first,
                                 const Access &b, kernel::ForOp second) {
  Value i = first.getInductionVar(), j = second.getInductionVar();
  for (auto [x, y] : llvm::zip_equal(a.indices, b.indices)) {
    if (x.getCoefficient(i) == 0 || x != y.replace(j, i))
      continue;
    bool outside = llvm::all_of(x.getTerms(), [&](LinearIndex::Term term) {
      return term.first == i ||
             !first.getBody().isAncestor(term.first.getParentRegion());
    });
    if (outside)
      return true;
  }
  return false;
}

/// Whether two updates combine by the same operation of `arith`.
static bool haveOneOperator(const Access &a, const Access &b) {
  auto ops = getCombinerOps(cast<kernel::UpdateOp>(a.op).getCombiner());
  auto others = getCombinerOps(cast<kernel::UpdateOp>(b.op).getCombiner());
  return ops.size() == 1 && others.size() == 1 &&
         ops.front()->getName() == others.front()->getName();
}

std::string arrc::findCrossingDependence(kernel::ForOp first,
                                         kernel::ForOp second) {
  AccessPattern before(first), after(second);
  for (const Access &a : before.getAccesses())
    for (const Access &b : after.getAccesses()) {
      if (a.array != b.array || !(a.writes || b.writes))
        continue;
      if (a.isUpdate() && b.isUpdate() && haveOneOperator(a, b))
        continue; // in any order
      if (!meetOnlyAtEqualIndex(a, first, b, second))
        return llvm::formatv("{0} is {1} in one loop and {2} in the other, at "
                             "another index",
                             getArrayName(a.array),
                             a.writes ? "written" : "read",
                             b.writes ? "written" : "read");
    }
  return {};
}

std::string arrc::findConflict(const AccessPattern &passed,
                               const AccessPattern &moved) {
  for (const Access &a : passed.getAccesses())
    for (const Access &b : moved.getAccesses())
      if (a.array == b.array && (a.writes || b.writes))
        return llvm::formatv("{0} is touched between the loops",
                             getArrayName(a.array));
  return {};
}
