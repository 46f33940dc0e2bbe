//===- ArrayDialect.cpp - Registration of the array dialect ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Array/IR/Array.h"

using namespace mlir;
using namespace arrc::array;

#include "arrc/Dialect/Array/IR/ArrayDialect.cpp.inc"

void ArrayDialect::initialize() {}
