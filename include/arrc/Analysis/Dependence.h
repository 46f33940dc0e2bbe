//===- Dependence.h - Which loops may become one ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Answers about two pieces of a kernel that run one after the other. The
// answers are texts: empty where nothing forbids it, else the reason in the
// words of a remark.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_ANALYSIS_DEPENDENCE_H
#define ARRC_ANALYSIS_DEPENDENCE_H

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include <string>

namespace arrc {

/// Why iteration *i* of `second` may not run right after iteration *i* of
/// `first`, for every *i*, instead of after all of `first`: some element is
/// written in one and touched in the other, and not provably in iterations of
/// the same number.
std::string findCrossingDependence(kernel::ForOp first, kernel::ForOp second);

/// Why the iterations of `loop` depend on each other: an element is written in
/// one and touched in another, as far as the bounds of loops tell. The loop may
/// hold loops that run in order.
std::string findCarriedDependence(kernel::ForOp loop);

/// Why the operations of `moved` may not run before those of `passed`: both
/// touch an array and one writes it.
std::string findConflict(const AccessPattern &passed,
                         const AccessPattern &moved);

/// Whether both are at the same element whenever they run in one iteration of
/// all loops around both.
bool isSameElement(const Access &a, const Access &b);

/// Whether they are never at the same element in one iteration of all loops
/// around both: the distance in some dimension is a number other than 0.
bool isOtherElement(const Access &a, const Access &b);

/// Whether the two loops read or write an array in common.
bool shareAnArray(const AccessPattern &first, const AccessPattern &second);

/// What a remark calls `array`: its name in the launch, or "a local".
std::string getArrayName(mlir::Value array);

} // namespace arrc

#endif // ARRC_ANALYSIS_DEPENDENCE_H
