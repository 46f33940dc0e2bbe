//===- KernelDialect.cpp - Registration of the kernel dialect ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/IR/Kernel.h"

using namespace mlir;
using namespace arrc::kernel;

#include "arrc/Dialect/Kernel/IR/KernelDialect.cpp.inc"

void KernelDialect::initialize() {}
