//===- ConstantElement.h - Arrays of one number -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_ANALYSIS_CONSTANTELEMENT_H
#define ARRC_ANALYSIS_CONSTANTELEMENT_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/Value.h"

namespace arrc {

/// The number that all elements of `array`, a memref, are, if the program says
/// so; null if not.
mlir::TypedAttr getConstantElement(mlir::Value array);

} // namespace arrc

#endif // ARRC_ANALYSIS_CONSTANTELEMENT_H
