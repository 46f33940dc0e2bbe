//===- HostMemory.cpp - Memory of host code to runtime calls -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CheckSites.h"
#include "HostConverter.h"
#include "HostResult.h"
#include "arrc/Conversion/KernelToHost/Attributes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace arrc;

/// The array's name for a message, from the location if that has one.
static StringRef getArrayName(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return name.getName();
  return "an array";
}

/// The bytes of an array; -1, which no allocation satisfies, if a size is
/// negative or the product too large.
Value HostConverter::getBytes(OpBuilder &b, Location loc, MemRefType type,
                              ValueRange sizes) {
  Type i64 = b.getI64Type();
  int64_t fixed = getElementBytes(type.getElementType());
  for (int64_t size : type.getShape())
    if (!ShapedType::isDynamic(size))
      fixed *= size;
  Value bytes = arith::ConstantIntOp::create(b, loc, i64, fixed);
  Value zero = arith::ConstantIntOp::create(b, loc, i64, 0);
  Value bad;
  auto orBad = [&](Value condition) {
    bad = bad ? Value(arith::OrIOp::create(b, loc, bad, condition)) : condition;
  };
  for (Value size : sizes) {
    size = arith::IndexCastOp::create(b, loc, i64, size);
    orBad(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, size, zero));
    auto product = arith::MulUIExtendedOp::create(b, loc, bytes, size);
    bytes = product.getLow();
    orBad(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                product.getHigh(), zero));
    orBad(
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, bytes, zero));
  }
  if (!bad)
    return bytes;
  // A size of zero makes the product zero, however large the others are; the
  // overflow of an earlier factor does not matter then, but is refused too.
  Value none = arith::ConstantIntOp::create(b, loc, i64, -1);
  return arith::SelectOp::create(b, loc, bad, none, bytes);
}

Value HostConverter::getWorker(OpBuilder &b, Location loc) {
  // Who starts a kernel is the first worker.
  if (kind == Kind::Kernel)
    return calls.i64(b, loc, 0);
  return arith::IndexCastOp::create(b, loc, b.getI64Type(),
                                    body.getArgument(taskWorkerArgument));
}

void HostConverter::convertAlloc(memref::AllocOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  MemRefType type = op.getType();
  Value bytes = getBytes(b, loc, type, op.getDynamicSizes());
  int32_t site = addAllocationSite(module, loc, getArrayName(loc));
  Value siteValue = calls.i32(b, loc, site);
  Value data;
  if (kind != Kind::Host)
    data = calls.call(b, loc, "arrt_task_alloc",
                      {context, getWorker(b, loc), bytes, siteValue});
  else
    data = calls.call(b, loc,
                      op->hasAttr(kHostResultAttr) ? "arrt_result_alloc"
                                                   : "arrt_buffer_alloc",
                      {context, bytes, siteValue});
  Value null = LLVM::ZeroOp::create(b, loc, calls.getPointer());
  Value failed =
      LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, data, null);
  returnIf(b, loc, failed, [&](OpBuilder &b) -> Value {
    if (kind == Kind::Host)
      return calls.call(b, loc, "arrt_last_status", {context});
    calls.call(
        b, loc, "arrt_record_check",
        {context, siteValue, calls.i64(b, loc, 0), calls.i32(b, loc, 0), null});
    return kind == Kind::Task ? Value() : calls.i32(b, loc, 0);
  });
  b.setInsertionPoint(op);
  SmallVector<Value> sizes;
  unsigned dynamic = 0;
  for (int64_t d = 0; d < type.getRank(); ++d)
    sizes.push_back(type.isDynamicDim(d)
                        ? calls.toLLVM(b, loc, op.getDynamicSizes()[dynamic++])
                        : calls.i64(b, loc, type.getDimSize(d)));
  op.replaceAllUsesWith(calls.makeMemRef(b, loc, type, data, sizes));
  op.erase();
}

void HostConverter::convertDealloc(memref::DeallocOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value data = calls.getDescriptor(b, loc, op.getMemref()).allocatedPtr(b, loc);
  if (kind != Kind::Host)
    calls.call(b, loc, "arrt_task_free", {context, getWorker(b, loc), data});
  else
    calls.call(b, loc, "arrt_buffer_free", {context, data});
  op.erase();
}

/// Whether the elements lie together in the order of their indices.
static bool isDense(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return type.getLayout().isIdentity() || type.getRank() == 0 ||
         (type.getRank() == 1 &&
          succeeded(type.getStridesAndOffset(strides, offset)) &&
          strides.front() == 1);
}

bool arrc::isDenseCopy(memref::CopyOp op) {
  return isDense(cast<MemRefType>(op.getSource().getType())) &&
         isDense(cast<MemRefType>(op.getTarget().getType()));
}

std::pair<Value, Value> HostConverter::getTarget(OpBuilder &b,
                                                 memref::CopyOp op) {
  Location loc = op.getLoc();
  auto type = cast<MemRefType>(op.getTarget().getType());
  MemRefDescriptor target = calls.getDescriptor(b, loc, op.getTarget());
  Value bytes = calls.i64(b, loc, getElementBytes(type.getElementType()));
  for (int64_t d = 0; d < type.getRank(); ++d)
    bytes = LLVM::MulOp::create(b, loc, bytes, target.size(b, loc, d));
  return {target.bufferPtr(b, loc, calls.getConverter(), type), bytes};
}

LogicalResult HostConverter::convertCopy(memref::CopyOp op) {
  if (!isDenseCopy(op))
    return op.emitOpError("between views should have become a loop");
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto from = cast<MemRefType>(op.getSource().getType());
  Value source = calls.getDescriptor(b, loc, op.getSource())
                     .bufferPtr(b, loc, calls.getConverter(), from);
  auto [target, bytes] = getTarget(b, op);
  calls.call(b, loc, "arrt_buffer_copy", {context, target, source, bytes});
  op.erase();
  return success();
}
