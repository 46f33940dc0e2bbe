//===- InPlace.h - Assignments that must not copy ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `@inplace` before an assignment is carried by the location of the operation
/// that assigns, which every rewrite hands on to what it becomes: an operation
/// that copies the array under such a location breaks the promise.
///
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_IR_INPLACE_H
#define ARRC_DIALECT_ARRAY_IR_INPLACE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Location.h"

namespace arrc::array {

/// The location of an assignment under `@inplace`.
inline mlir::Location markInPlace(mlir::Location loc) {
  return mlir::FusedLoc::get({loc},
                             mlir::StringAttr::get(loc.getContext(), "inplace"),
                             loc.getContext());
}

/// Whether what stands at `loc` belongs to such an assignment.
inline bool isMarkedInPlace(mlir::Location loc) {
  return loc
      ->walk([](mlir::Location part) {
        auto fused = llvm::dyn_cast<mlir::FusedLoc>(part);
        auto mark =
            fused
                ? llvm::dyn_cast_or_null<mlir::StringAttr>(fused.getMetadata())
                : nullptr;
        return mark && mark.getValue() == "inplace"
                   ? mlir::WalkResult::interrupt()
                   : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// The message for one that copies.
inline constexpr llvm::StringLiteral kCopiedInPlace{
    "this assignment copies the array, which '@inplace' forbids"};

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_IR_INPLACE_H
