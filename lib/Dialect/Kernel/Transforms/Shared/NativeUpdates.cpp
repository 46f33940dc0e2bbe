//===- NativeUpdates.cpp - What devices combine by themselves -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/Transforms/NativeUpdates.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Support/SameBits.h"
#include "arrc/Support/StoredBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"

#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Lanes that update at the same time.
static constexpr int64_t kMostCopies = 32;

static bool isNative(Operation *op, Type type, DeviceAttr device) {
  if (!getAtomicKind(op))
    return false;
  if (isa<FloatType>(type))
    return (type.isF32() || type.isF64()) &&
           device.getInteger("float_atomics", 0) != 0;
  unsigned bits = type.isIndex()           ? 64
                  : isa<IntegerType>(type) ? type.getIntOrFloatBitWidth()
                                           : 0;
  return bits == 32 || (bits == 64 && device.getInteger("int64_atomics", 0));
}

UpdateEncoding arrc::kernel::getUpdateEncoding(Operation *op, Type type,
                                               DeviceAttr device) {
  bool isSum = isa<arith::AddFOp>(op) && type.isF32();
  if (isSum && hasSameBits(op))
    return UpdateEncoding::Sum;
  if (isNative(op, type, device))
    return UpdateEncoding::Native;
  bool has64 = device.getInteger("int64_atomics", 0) != 0;
  if (isSum && has64)
    return UpdateEncoding::Sum;
  if (isa<arith::MaximumFOp, arith::MinimumFOp>(op) &&
      (type.isF32() || (type.isF64() && has64)))
    return UpdateEncoding::Ordered;
  if (isa<IntegerType>(type) && type.getIntOrFloatBitWidth() < 32 &&
      getAtomicKind(op))
    return UpdateEncoding::Wide;
  return UpdateEncoding::None;
}

bool arrc::kernel::isNativeUpdate(UpdateOp update, DeviceAttr device) {
  SmallVector<Operation *> ops = getCombinerOps(update.getCombiner());
  return ops.size() == 1 && device &&
         getUpdateEncoding(ops.front(), update.getValue().getType(), device) ==
             UpdateEncoding::Native;
}

CombinerOperator arrc::kernel::getOperator(UpdateOp update) {
  return toCombinerOperator(getCombinerOps(update.getCombiner()).front());
}

Value arrc::kernel::createNeutral(OpBuilder &builder, UpdateOp update) {
  Location loc = update.getLoc();
  SmallVector<Operation *> ops = getCombinerOps(update.getCombiner());
  if (ops.empty())
    return {};
  if (std::optional<TypedAttr> neutral = arith::getNeutralElement(ops.front()))
    return arith::ConstantOp::create(builder, loc, *neutral);
  auto type = dyn_cast<ComplexType>(update.getValue().getType());
  if (!type || !isa<complex::AddOp, complex::MulOp>(ops.front()))
    return {};
  double real = isa<complex::MulOp>(ops.front()) ? 1.0 : 0.0;
  Type element = type.getElementType();
  return complex::ConstantOp::create(
      builder, loc, type,
      builder.getArrayAttr({builder.getFloatAttr(element, real),
                            builder.getFloatAttr(element, 0.0)}));
}

int64_t PrivateCopies::getElementBytes() const {
  return getStoredBytes(element);
}

/// The number that all updates add, if there is one.
static IntegerAttr getFactor(ArrayRef<UpdateOp> updates) {
  UpdateOp model = updates.front();
  if (!isa<arith::AddIOp>(getCombinerOps(model.getCombiner()).front()))
    return {};
  IntegerAttr factor;
  for (UpdateOp update : updates) {
    IntegerAttr mine;
    if (!matchPattern(update.getValue(), m_Constant(&mine)) ||
        (factor && factor != mine))
      return {};
    factor = mine;
  }
  return factor;
}

std::optional<PrivateCopies> arrc::kernel::findPrivateCopies(ForOp loop,
                                                             Value array) {
  PrivateCopies copies;
  copies.array = array;
  loop.getBody().walk([&](UpdateOp update) {
    if (update.getDest() == array)
      copies.updates.push_back(update);
  });
  if (copies.updates.empty())
    return std::nullopt;
  // Arguments that are one buffer are one array.
  Value buffer = Access(copies.updates.front()).array;
  bool isTouched = false;
  loop.getBody().walk([&](Operation *op) {
    isTouched |= Access::isAccess(op) && Access(op).array == buffer &&
                 !(isa<UpdateOp>(op) && cast<UpdateOp>(op).getDest() == array);
  });
  if (isTouched)
    return std::nullopt;
  UpdateOp model = copies.updates.front();
  for (UpdateOp update : copies.updates)
    if (!isNativeUpdate(update, DeviceAttr::get(loop)) ||
        !OperationEquivalence::isRegionEquivalentTo(
            &model.getCombiner(), &update.getCombiner(),
            OperationEquivalence::IgnoreLocations))
      return std::nullopt;
  copies.factor = getFactor(copies.updates);
  copies.element = model.getValue().getType();
  if (copies.factor)
    copies.element = IntegerType::get(loop.getContext(), 32);
  auto type = cast<MemRefType>(array.getType());
  if (type.hasStaticShape())
    copies.size = type.getNumElements();
  return copies;
}

int64_t arrc::kernel::countPrivateCopies(std::optional<int64_t> size,
                                         int64_t elementBytes, int64_t bytes) {
  constexpr int64_t unknownSize = 1024;
  int64_t most =
      bytes / (std::max<int64_t>(size.value_or(unknownSize), 1) * elementBytes);
  return most ? std::min<int64_t>(llvm::bit_floor(uint64_t(most)), kMostCopies)
              : 0;
}

int64_t arrc::kernel::getRangeBytes(DeviceAttr device) {
  // What the device keeps of each block for itself.
  constexpr int64_t besides = 2048;
  return std::max(device.getInteger("shared_bytes", 0),
                  device.getInteger("resident_shared", 0) - besides);
}

bool arrc::kernel::mayRepeat(ForOp loop, Value array) {
  return !loop.getBody()
              .walk([&](Operation *op) {
                auto update = dyn_cast<UpdateOp>(op);
                bool writes =
                    isa<StoreOp>(op) || (update && update.getDest() != array);
                return writes ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}
