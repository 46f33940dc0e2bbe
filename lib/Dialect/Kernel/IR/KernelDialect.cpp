//===- KernelDialect.cpp - Registration of the kernel dialect -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace arrc::kernel;

#include "arrc/Dialect/Kernel/IR/KernelDialect.cpp.inc"

namespace {

/// Launches and time loops stand in functions, and functions are inlined.
struct KernelInlining : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Operation *, bool) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};

} // namespace

void KernelDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "arrc/Dialect/Kernel/IR/KernelOps.cpp.inc"
      >();
  addInterfaces<KernelInlining>();
}
