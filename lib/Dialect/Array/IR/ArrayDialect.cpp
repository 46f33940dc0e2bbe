//===- ArrayDialect.cpp - Registration of the array dialect ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace arrc::array;

#include "arrc/Dialect/Array/IR/ArrayDialect.cpp.inc"
#include "arrc/Dialect/Array/IR/ArrayEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "arrc/Dialect/Array/IR/ArrayAttrs.cpp.inc"

namespace {
/// Values and regions without memory may be copied anywhere.
struct ArrayInliner : DialectInlinerInterface {
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

void ArrayDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "arrc/Dialect/Array/IR/ArrayOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "arrc/Dialect/Array/IR/ArrayAttrs.cpp.inc"
      >();
  addInterfaces<ArrayInliner>();
}
