//===- SPIRV.h - Kernels for OpenCL devices ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// From gpu.module to SPIR-V. See lib/Target/SPIRV/README.md.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TARGET_SPIRV_SPIRV_H
#define ARRC_TARGET_SPIRV_SPIRV_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

#include <memory>

namespace arrc::target {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "arrc/Target/SPIRV/Passes.h.inc"

} // namespace arrc::target

#endif // ARRC_TARGET_SPIRV_SPIRV_H
