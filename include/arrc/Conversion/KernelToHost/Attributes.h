//===- Attributes.h - Marks on host code ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Discardable attributes by which the conversions to host code talk to each
// other and to the CPU target.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_CONVERSION_KERNELTOHOST_ATTRIBUTES_H
#define ARRC_CONVERSION_KERNELTOHOST_ATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace arrc {

/// On the argument of a function that is the runtime's context.
inline constexpr llvm::StringLiteral contextAttrName = "arrc.context";

/// On a function that runs a range of tasks.
inline constexpr llvm::StringLiteral taskAttrName = "arrc.task";

/// On a function that runs blocks of a launch of the CPU: what the runtime
/// starts as a kernel.
inline constexpr llvm::StringLiteral kernelAttrName = "arrc.kernel";

/// On a block loop in such a function: the numbers of the launch's arguments
/// that are its first iteration and how many of its iterations there are.
inline constexpr llvm::StringLiteral partAttrName = "kernel.part";

/// On a launch in such a function: its arrays do not overlap where one is
/// written, which the function does not show.
inline constexpr llvm::StringLiteral distinctAttrName = "kernel.distinct";

/// The argument of such a function of tasks, behind the range's bounds, that is
/// the number of the worker that runs it.
inline constexpr unsigned taskWorkerArgument = 2;

/// On a function that starts the work of one step of a device's time loop.
inline constexpr llvm::StringLiteral stepAttrName = "arrc.step";

/// On a parallel loop: its arrays do not overlap where one is written. Goes
/// over to the function of its tasks, whose pointers become `noalias`.
inline constexpr llvm::StringLiteral noaliasAttrName = "arrc.noalias";

/// On an allocation that one iteration uses and that no one else sees.
inline constexpr llvm::StringLiteral localAttrName = "arrc.local";

/// On the module: one dictionary a site, with `file line column kind message
/// values`.
inline constexpr llvm::StringLiteral sitesAttrName = "arrc.sites";

/// On a check: the number of its site.
inline constexpr llvm::StringLiteral siteAttrName = "arrc.site";

} // namespace arrc

#endif // ARRC_CONVERSION_KERNELTOHOST_ATTRIBUTES_H
